"""Products within a cell of Keras, whose kernel is (m, g·k) and whose recurrent kernel is (k, g·k)."""

import re

from core.shapes.explanation import Statement
from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading, shape
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.keras.states import of_count
from core.shapes.rules.products.matrix_product_facts import Operands
from core.shapes.rules.read_layer import GATES, given_to, keras_cell, stand_in
from core.shapes.rules.rule import Diagnosis, Facts, Rules, reason
from core.shapes.user_code.evidence import predicts
from core.shapes.user_code.keras_calls import in_statement
from core.shapes.user_code.keras_model_layers import keras_layers

# JAX names the inner sizes alone, so the width of the kernel is unknown where Keras lists no state.
_KERNEL = (
    reason("keras-kernel", "wanted", "width", "came", when=lambda f: bool(f.width)),
    reason("kernel-made-for", "came", made_for="wanted", when=lambda f: not f.width),
)


def _class(cell: str) -> str:
    """Return the name of Keras for the class of a cell."""
    return "SimpleRNNCell" if cell == "RNN" else f"{cell}Cell"


def _for_features(facts: Facts) -> str:
    """Return the lines for an x of other features; without the steps in the message, they may stand last."""
    lines = advised_lines.other_features(facts.wanted, facts.came, predicts=facts.predicts)
    if facts.steps or _may_be_turned(facts):
        return lines
    return f"{lines}\n{_with_steps_last(facts)}"


def _with_steps_last(facts: Facts) -> str:
    features = advised_lines.counted(facts.wanted, "feature", "features")
    return f"x = np.swapaxes(x, 1, 2)   # if x is (samples, {features}, {facts.came} steps)"


# From this number on, features that the model does not expect are more likely to be steps.
_FEW, _MANY = 8, 10


def _may_be_turned(facts: Facts) -> bool:
    """Whether x may have its steps last, by their number, where the message does not tell the steps."""
    if facts.is_shared:
        return False
    is_other = facts.k != facts.wanted and not facts.steps
    # A model that predicts may also get its targets among the features.
    is_other = is_other and (not facts.predicts or facts.came >= 2 * facts.wanted)
    return is_other and facts.wanted <= _FEW and facts.came >= _MANY


def _anew(facts: Facts) -> str:
    """Return the line for a state that starts with zeros. A model that is being built has no batch yet."""
    if facts.batch or facts.calls_cell:
        batch = facts.batch or "keras.ops.shape(x)[0]"
        zeros = f"keras.ops.zeros(({batch}, {facts.k}))"
        return f"initial_state = {f'[{zeros}, {zeros}]' if facts.cell == 'LSTM' else zeros}   # if it starts anew"
    return "output = layer(x)   # without initial_state, if it starts anew: the layer makes a state of zeros"


KERAS_CELL: Rules = (
    sure(
        "transpose",
        (*_KERNEL, reason("features-may-be-steps", "wanted", got="came")),
        _with_steps_last,
        _may_be_turned,
    ),
    sure(
        "hidden-size",
        reason("keras-recurrent-kernel", "k", "width", "came"),
        lambda f: (
            (
                f"layers.{_class(f.cell)}({f.came})   # with the units of its state\n"
                if f.calls_cell
                else f"{f.of_state or f'{_class(f.cell)[:-4]}({f.came}, ...)'}   # if its initial state is that of another layer, or of both its directions\n"
            )
            + _anew(f)
        ),
        lambda f: not f.of_x,
    ),
    sure(
        "shared-cell",
        reason("keras-kernel-shared", "wanted", "width", "came"),
        lambda f: f"[{_class(f.cell)}({f.k}) for _ in range(layers)]   # a cell for each layer",
        lambda f: f.wanted != f.k and f.is_shared,
    ),
    sure(
        "transpose",
        (*_KERNEL, reason("steps-and-features-exchanged")),
        "x = np.swapaxes(x, 1, 2)",
        lambda f: f.steps == f.wanted != f.came,
    ),
    sure(
        "input-size",
        _KERNEL,
        _for_features,
        lambda f: f.of_x and not f.is_shared,
        lambda f: {"x": (-1, f.wanted)},
    ),
)


def operands_of_call(reading: Reading, cell: str, columns: int, height: int) -> Operands | None:
    """Return the operands that JAX names by their inner sizes alone, from the arguments that Keras lists below.

    Returns
    -------
    Operands or None
        None if the text has no such list, or if neither argument has as many entries.
    """
    listed = reading.whole.split("Arguments received")[-1]
    x, *states = [shape(sizes) for sizes in re.findall(r"shape=(\([\d, ]{3,80}\))", listed)] or [()]
    units = states[0][-1] if states else 0
    if not x or columns not in (x[-1], units):
        return None
    k = units if columns == x[-1] else height
    return Operands(x[0], columns, height, GATES[cell] * k or None)


# The node of a product within a cell, as a graph of TensorFlow names it; the second one multiplies the state.
_NODE = re.compile(r"\b(lstm|gru|rnn)_cell(?:_\d{1,4})?/MatMul(?:_\d{1,4})?\b")
_CELLS = {"lstm": "LSTM", "gru": "GRU", "rnn": "RNN"}


# The node that failed: a traceback of TensorFlow 1 lists others too.
_FAILED_NODE = re.compile(r"(?:\{\{node |\[\[[Nn]ode:? )([\w./:-]{1,200})")


def in_graph(reading: Reading, operands: Operands) -> Diagnosis | None:
    """Return the diagnosis of a product by the cell's call or by the node that failed; None if that is of no Dense and no cell."""
    if cell := keras_cell(reading):
        return in_keras_cell(reading, cell, operands)
    return _in_dense_of_graph(reading, operands) or _in_cell_of_graph(reading, operands)


def _product_of(operands: Operands) -> tuple[Shape, Shape]:
    """Return the shapes of both operands; -1 stands for an unknown size."""
    return (operands.rows or -1, operands.columns), (operands.height, operands.width or -1)


def _in_dense_of_graph(reading: Reading, operands: Operands) -> Diagnosis | None:
    """Return the diagnosis of a product in a Dense; None if the node that failed is of no Dense."""
    named = _FAILED_NODE.search(reading.whole, reading.whole.rfind(reading.message))
    node = reading.values.get("node") or (named[1] if named else "")
    if not operands.width or not re.search(r"\bdense(?:_\d{1,4})?/(?:MatMul|Tensordot)", node):
        return None
    facts = Facts(got=operands.columns, wanted=operands.height, units=operands.width)
    return Diagnosis("matrix-product", facts, DENSE_OF_GRAPH, product=_product_of(operands))


def _in_cell_of_graph(reading: Reading, operands: Operands) -> Diagnosis | None:
    """Return the diagnosis of a product in the cell that its node names; None if it names none, or other sizes.

    The cells of Keras have a kernel for x and one for h.
    """
    node = _NODE.search(reading.whole)
    if not node or not operands.width or min(operands.columns, operands.height) < 1:
        return None
    cell = _CELLS[node[1]]
    # TensorFlow 1, which named no node so, had one kernel for x and h.
    is_of_graph = re.search(r"\{\{node|\[\[node|\[Op:", reading.whole)
    return in_keras_cell(reading, cell, operands) if is_of_graph and operands.width % GATES[cell] == 0 else None


DENSE_OF_GRAPH = strong(
    "hidden-size",
    (reason("dense-features", "wanted", "got"), reason("dense-two-directions", when=lambda f: f.got == 2 * f.wanted)),
    "layers.Dense({units})   # a new one, which is built for {got} entries",
)

# The first product in a cell is that of x.
_OF_X = re.compile(r"cell\w{0,8}/MatMul(?!_\d)")


def _input_and_states(reading: Reading) -> tuple[Shape, list[Shape]]:
    """Return the shapes of the arguments that Keras lists for the call of a cell; none where it lists none."""
    x = re.search(r"inputs=[\w.]{1,20}\(shape=(\([\w, ]{1,80}\))", reading.after)
    states = re.search(r"states=(\(.{1,600}?\))(?= •| training=|$)", reading.after)
    of_states = re.findall(r"shape=(\([\w, ]{1,80}\))", states[1]) if states else []
    return shape(x[1]) if x else (), [shape(sizes) for sizes in of_states]


def _is_of_x(reading: Reading, came: int, k: int) -> bool:
    """Whether a product in a cell is that of its input, by the name of its node or by the arguments that Keras lists."""
    if node := reading.values.get("node"):
        return bool(_OF_X.search(node))
    x, states = _input_and_states(reading)
    return x[-1:] == (came,) and {one[-1:] for one in states} == {(k,)}


# A layer that holds the cell, by the node or by the frames of the traceback, and a layer that holds several of them.
_CELL_OF_LAYER = re.compile(r"(?:lstm|gru|simple_rnn)(?:_\d{1,4})?/\w*cell|rnn[/\\]rnn\.py")
_SEVERAL_CELLS = re.compile(r"Stacked_?RNN_?Cells|\bcells\b", re.IGNORECASE)


def _may_be_shared(text: str) -> bool:
    """Whether a cell may belong to two layers: it is called alone, or it is one of several."""
    return not _CELL_OF_LAYER.search(text) or bool(_SEVERAL_CELLS.search(text))


def _with_units_of_state(reading: Reading, k: int, came: int) -> str:
    """Return the reader's line with its only recurrent layer of k units, which then has those of the state; empty if it has none, or more."""
    made = {one.code: one for one in keras_layers(reading.whole) if one.is_recurrent and one.units == str(k)}
    layer = next(iter(made.values())) if len(made) == 1 else None
    return in_statement(reading, layer, layer.with_units(came)) if layer else ""


def in_keras_cell(reading: Reading, cell: str, operands: Operands) -> Diagnosis:
    """Return the diagnosis of a product within a cell of Keras."""
    batch, came, wanted, width = operands
    # A cell is called with all states of its layer.
    x, states = _input_and_states(reading)
    if len(states) > (of_cell := 2 if cell == "LSTM" else 1):
        return of_count(reading, states, of_cell)
    sequence = re.search(r"sequences?=[\w.]{1,20}\(shape=(?:torch\.Size\(\[)?\(?(\d{1,9}), (\d{1,9}),", reading.whole)
    k = (width or 0) // GATES[cell]
    is_of_x = wanted != k or _is_of_x(reading, came, k)
    m = wanted if is_of_x or min(x, default=-1) < 0 else x[-1]
    layer = stand_in("Keras", cell, m=m, k=k)
    wrong_states = {} if is_of_x else dict.fromkeys(("h0", "c0") if cell == "LSTM" else ("h0",), (batch or 1, came))
    return Diagnosis(
        Statement("cell-weights", {"cell": cell}),
        Facts(
            cell=cell,
            batch=batch,
            came=came,
            wanted=wanted,
            width=width,
            k=k,
            steps=int(sequence[2]) if sequence else 0,
            # A layer is only built for its first x, so another one comes after the training.
            predicts=predicts(reading) or "training=False" in reading.after,
            of_x=is_of_x,
            # By chance the features of x may be as many as the units.
            is_shared=came == k and _may_be_shared(reading.whole),
            of_state=_with_units_of_state(reading, k, came),
            calls_cell=bool(re.search(r"\w*cell\w*\(", reading.own_code, re.IGNORECASE)),
        ),
        KERAS_CELL,
        {"k": k, "m": wanted} if is_of_x or came == k else {"k": k},
        (),
        layer,
        given_to(layer, (batch or 1, 5, came if is_of_x else m), **wrong_states),
    )
