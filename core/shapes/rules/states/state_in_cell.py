"""States of cells of Keras and Flax: their batch and that of x, and both states of an LSTM in place of one."""

import ast
import copy
import re

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading, shape
from core.shapes.rules.fits import sure
from core.shapes.rules.read_layer import keras_cell
from core.shapes.rules.rule import Diagnosis, Facts, reason
from core.shapes.user_code.evidence import calls_of_line, failed_statement, is_of_fit, predicts
from core.shapes.user_code.jax_lines import first_carry
from core.shapes.user_code.step_and_slice import with_step
from core.shapes.user_code.syntax_trees import argument, calls_in, root_of, with_code

_FLAX = re.compile(r"flax[/\\](?:linen|nnx[/\\]nn)[/\\]recurrent\.py")

STATE_OF_STEPS = sure(
    "unbatched",
    reason("state-with-steps", "given", "wanted"),
    lambda f: (
        f"{f.state} = {f.state}[:, -1]   # the last step; or return_sequences=False in the layer that gives it"
        if f.is_called
        else "LSTM(..., return_sequences=False)   # the layer that gives the state; or GRU, SimpleRNN"
    ),
)

SEQUENCE_IN_CELL = sure(
    "unbatched",
    (reason("axes", axes=lambda f: 3, allowed=lambda f: 2), reason("cell-of-step")),
    lambda f: (
        f.called + "outputs = layers.RNN(cell, return_sequences=True)(x)   # or the cell over all steps, without a loop"
    ),
)


def _called_with_step(reading: Reading, steps: int) -> str:
    """Return the reader's line with one step in the place of x, if it calls a cell; else nothing."""
    calls = [node for node in calls_of_line(reading) if "cell" in ast.unparse(node.func)]
    x = calls[0].args[0] if len(calls) == 1 and calls[0].args else None
    if not isinstance(x, ast.Name):
        return ""
    index, when = ("0", "the only step") if steps == 1 else ("t", "step t, in a loop over the steps")
    return f"{with_code(reading.own_code, (x, f'{x.id}[:, {index}]'))}   # {when}\n"


STATE_IN_CELL = sure(
    "batch-size",
    (
        reason("batch-of-state-in-cell", "of_x", "of_state"),
        reason("batch-of-state-is-last", when=lambda f: f.of_x < f.of_state),
    ),
    lambda f: (
        f"{f.step}\n{f.line or f'{f.state} = {f.made}   # before this line'}: a row for each sequence of x"
        + "\ndataset = dataset.batch(batch_size, drop_remainder=True)   # if one state is kept for whole batches alone"
        * (f.framework == "Keras")
    ).strip(),
)


SCAN_OF_BATCH = sure(
    "batch-first",
    reason("scan-of-batch", "of_x", "of_state"),
    "nn.scan(..., in_axes=1, out_axes=1)   # if the steps are along axis 1 of xs\n"
    "xs = jnp.swapaxes(xs, 0, 1)   # or before this line: (steps, batch, features)",
)

# A scan of the reader's own: nn.RNN is in recurrent.py as well, and takes the axis of the steps itself.
_SCAN_OF_CELL = re.compile(r"(?:(?!recurrent\.py).)*axes_scan\.py", re.DOTALL)


def _given_state(reading: Reading) -> tuple[str, str, int]:
    """Return what the reader's line gives a layer as its initial state, as x if that has a name, and the number of the states."""
    for node in calls_of_line(reading):
        given = argument(node, "initial_state")
        if given is not None and node.args:
            states = len(given.elts) if isinstance(given, ast.List | ast.Tuple) else 1
            name = given.id if isinstance(given, ast.Name) else "initial_state"
            x = node.args[0]
            return name, x.id if isinstance(x, ast.Name) else "", states
    return "initial_state", "x", 0


def _with_state(reading: Reading, made: str) -> str:
    """Return the reader's line with another initial state, where the state has no name; else an empty text."""
    for node in calls_of_line(reading):
        given = argument(node, "initial_state")
        if given is not None and not isinstance(given, ast.Name):
            return f"{line}   # in the call" if (line := with_code(reading.own_code, (given, made))) else ""
    return ""


def _without_carry(reading: Reading) -> str:
    """Return the reader's line without the carry of a layer that the line makes; empty if it makes none with a carry."""
    tree = copy.deepcopy(failed_statement(reading))
    for call in calls_in(tree):
        kept = [one for one in call.keywords if one.arg != "initial_carry"]
        if isinstance(call.func, ast.Call) and len(kept) < len(call.keywords):
            call.keywords = kept
            return f"{ast.unparse(tree or call)}   # without a carry, the layer begins with zeros"
    return ""


def pair_for_cell(reading: Reading) -> str:
    """Return the line that makes the carry of an LSTM cell of Flax, or gives the carry that it returns before x."""
    match failed_statement(reading):
        case ast.Assign(
            targets=[ast.Tuple(elts=[ast.Name(id=carry), *_])], value=ast.Call(args=[x, ast.Name(id=last) as given])
        ):
            if carry == last != getattr(root_of(x), "id", ""):
                return with_code(reading.own_code, (x, carry), (given, ast.unparse(x)))
    return (
        first_carry(reading) or "carry = cell.initialize_carry(jax.random.key(0), x.shape)"
    ) + "   # the pair (c, h)"


def _listed_in_cell(reading: Reading) -> list[Shape]:
    """Return the shapes that Keras lists below an error in a cell: of x, and of the states."""
    listed = re.search(r"Arguments received by \w{3,20}Cell\.call\(\):(.{0,2000})", reading.whole)
    if not listed or not keras_cell(reading):
        return []
    return [shape(one) for one in re.findall(r"shape=(?:torch\.Size\()?(\([\d, ]{3,40}\))", listed[1])]


def of_state_of_steps(reading: Reading) -> Diagnosis | None:
    """Return the diagnosis of a whole sequence as the initial state of a cell; None if the text lists another state."""
    given = _listed_in_cell(reading)
    if reading.framework == "Keras" and list(map(len, given[:2])) == [3, 2]:
        return Diagnosis("axes-of-x", Facts(called=_called_with_step(reading, given[0][1])), SEQUENCE_IN_CELL)
    if reading.framework != "Keras" or list(map(len, given[:2])) != [2, 3]:
        return None
    state, _, count = _given_state(reading)
    # A model that trains calls its layers elsewhere.
    facts = Facts(
        given=given[1], wanted=(given[1][0], given[1][2]), state=state, is_called=count or not is_of_fit(reading)
    )
    return Diagnosis("initial-state", facts, STATE_OF_STEPS)


def of_state_in_cell(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of two shapes with other batches in a cell's sum; None if they are of another operation."""
    if found := of_state_of_steps(reading):
        return found
    if len(left) != 2 or len(right) != 2 or left[1] != right[1] or left[0] == right[0] or min(*left, *right) < 1:
        return None
    of_x, of_state, framework = left[0], right[0], reading.framework
    if framework == "Keras":
        x, *states = _listed_in_cell(reading) or [()]
        if not states or {x[0], states[0][0]} != {of_x, of_state}:
            return None
        of_x, of_state = x[0], states[0][0]
        state, name, count = _given_state(reading)
        batch = f"tf.shape({name})[0]" if name else of_x
        zeros = f"tf.zeros(({batch}, {left[1]}))"
        made = f"[{zeros}] * {len(states)}" if len(states) > 1 and count != 1 else zeros
    elif framework == "JAX" and _FLAX.search(reading.whole):
        # The cells of Flax add what they made of x and what they made of the carry.
        of_nnx = "x.shape, nnx.Rngs(0)" if "nnx" in reading.whole else "jax.random.key(0), x.shape"
        state, _, made = (first_carry(reading) or f"carry = cell.initialize_carry({of_nnx})").partition(" = ")
        if _SCAN_OF_CELL.match(reading.below_own):
            return Diagnosis("initial-state", Facts(of_x=of_x, of_state=of_state), SCAN_OF_BATCH, {"k": left[1]})
    else:
        return None
    facts = Facts(framework=framework, of_x=of_x, of_state=of_state, units=left[1], state=state, made=made)
    facts.line = _with_state(reading, made) if framework == "Keras" else _without_carry(reading)
    # Cells of Flax mostly read sequences with the batch first.
    step = with_step(reading, left, right)
    facts.step = step.line if step and "[:, " in step.line else ""
    return Diagnosis("initial-state", facts, STATE_IN_CELL, {"batch": of_x, "k": left[1]})


# ---- both states of Keras ----------------------------------------------------------------------


def both_states_of_keras(reading: Reading) -> str:
    """Return the call of a cell or a layer of Keras with both states, in place of one."""
    return _both_states_of_cell(reading) or _both_states_of_layer(reading)


def _both_states_of_layer(reading: Reading) -> str:
    """Return the call of a layer of Keras with both states, and a layer that takes one, as a GRU gives it."""
    one = re.search(
        r"received by LSTM\.call\(\):.{0,300}initial_state=\[?[^\[\]()]{0,30}\(shape=\(\w{1,9}, (\d{1,9})\)[^\[\]()]{0,40}\)'?(?:\]| •)",
        reading.whole,
    )
    if not one:
        return "output = layer(x, initial_state=[h0, c0])"
    directions = (
        "output = layer(x, initial_state=[h, c, h, c])   # of a Bidirectional LSTM: h and c for each direction\n"
    )
    return directions * is_of_direction(reading) + (
        f"GRU({one[1]}, ...)   # in place of this LSTM, if the state is that of a GRU, which has no c\n"
        "output = layer(x, initial_state=[state, keras.ops.zeros_like(state)])   # or h, and zeros for c"
    )


def is_of_direction(reading: Reading) -> bool:
    """Whether a layer received a list of one state in a model that was built without an error, as a layer of a Bidirectional does.

    Another layer fails in the line that calls it.
    """
    one = (
        r"received by LSTM\.call\(\):.{0,300}initial_state=\['[\w.]{1,20}\(shape=\([\w, ]{1,40}\), dtype=\w{1,20}\)'\]"
    )
    is_list = re.search(one, reading.whole)
    return bool(is_list) and (is_of_fit(reading) or predicts(reading) or "Bidirectional(" in reading.own_code)


def _both_states_of_cell(reading: Reading) -> str:
    """Return the reader's line that calls a cell of Keras with both states, where it gives one; empty if it calls none."""
    for node in calls_of_line(reading):
        is_cell = "Cell.call()" in reading.whole or "cell" in ast.unparse(node.func).lower()
        if is_cell and len(node.args) == 2:
            state = ast.unparse(node.args[1])
            is_list = "states=[" in reading.whole or "states=(" in reading.whole
            given = (
                f"*{state}, keras.ops.zeros_like({state}[0])" if is_list else f"{state}, keras.ops.zeros_like({state})"
            )
            if changed := with_code(reading.own_code, (node.args[1], f"[{given}]")):
                return f"{changed}   # h and c; give the cell the c of the encoder if it has one"
    return ""
