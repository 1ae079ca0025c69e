"""Concatenations of arrays."""

import ast
import re
from typing import Any

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape, differing_axes, format_shape
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import likely, plausible, strong, sure
from core.shapes.rules.joins.joined_tables import (
    GROWN,
    JOIN_COLUMNS,
    JOIN_SIZES,
    JOIN_TABLES,
    grown_by_row,
    joins_columns,
    joins_rows,
)
from core.shapes.rules.joins.stacks import padded
from core.shapes.rules.losses.integer_labels import labels_of_axes
from core.shapes.rules.read_layer import is_round, like_batch
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason, rules_of
from core.shapes.user_code.changed_calls import changed_call, keyword, line_with
from core.shapes.user_code.elementwise_operands import TARGETS
from core.shapes.user_code.evidence import failed_operation, is_named_as_state
from core.shapes.user_code.frames import received_arrays
from core.shapes.user_code.jax_lines import with_argument
from core.shapes.user_code.operations import axis_of_call
from core.shapes.user_code.step_and_slice import with_joined_step
from core.shapes.user_code.syntax_trees import function_of, last_name

_JOIN = "join"

# A layer seldom has more.
MOST_ENTRIES = 2048

# ---- arrays that differ along an axis that is not joined, by two sizes -------------------------

_NUMBERED = reason("join-number", "entry", at="number", when=lambda f: f.entry)


def _state_for_batch(facts: Facts) -> str:
    """Return the line that makes h for the batch of x: rows in PyTorch, columns in NumPy."""
    if not facts.rows:
        return f"h = np.zeros((hidden_size, {facts.right}))   # if h comes first: a first state for the batch of x"
    if 1 in (facts.left, facts.right):
        name, other = ("h", facts.right) if facts.left == 1 else ("x", facts.left)
        return f"{name} = {name}.expand({other}, -1)   # (batch, entries): the same for each of the batch"
    return f"h = h.new_zeros({facts.right}, h.size(1))   # if h comes first: a first state for the batch of x"


def _same_for_each_step(facts: Facts) -> str:
    """Return the lines that give what has one step the steps of the other, or words where neither has one."""
    if 1 not in (facts.left, facts.right):
        return "# all other axes must be equal: the batch and the steps"
    name, size = ("h", facts.right) if facts.left == 1 else ("x", facts.left)
    other = "x" if name == "h" else "h"
    if facts.moved:
        return f"{facts.moved}   # with its axis of 1 where the other array has it"
    turned = f"{name} = {name}.transpose(0, 1)   # if it is (1, batch, entries), and the other (batch, 1, entries)\n"
    return turned * facts.are_of_step + (
        f"{name} = {name}.expand(-1, {size}, -1)   # (batch, 1, entries): the same for each of {size} steps\n"
        f"{name} = {name}.expand({size}, -1, -1)   # (1, batch, entries): the same for each of {size} steps\n"
        f"{name} = {name}.transpose(0, 1).expand(-1, {other}.size(1), -1)   # (1, batch, entries), where {other} is (batch, steps, entries)"
    )


def _along_entries(facts: Facts) -> str:
    if facts.joined == "0" and facts.axis > 1:
        return f"torch.cat([h, x], dim={facts.axis})"
    if facts.framework == "NumPy":
        return f"np.concatenate([h, x], axis={facts.axis})"
    return {
        "0": "torch.cat([h, x], dim=-1)   # rows, (batch, entries)",
        "2": _same_for_each_step(facts),
        "1": "torch.cat([h, x], dim=-1)   # if they are (batch, steps, entries)"
        if facts.of_sequences_joined
        else "torch.cat([h, x], dim=0)   # if they are columns, (entries, 1)\n"
        "torch.cat([h, x], dim=-1)   # if they are (batch, steps, entries)",
    }.get(facts.joined or "", "# all other axes must be equal: the batch and the steps")


def _fit_of_batch(facts: Facts) -> Fit:
    if facts.of_sequences_joined:
        return Fit.POSSIBLE
    if facts.rows:
        # In PyTorch nearly everybody has the batch first.
        is_likely = 1 in (facts.left, facts.right) or not is_round(facts.left)
        if not is_likely and facts.joined == "1":
            return Fit.PLAUSIBLE
    else:
        are_batches = like_batch(facts.left) and like_batch(facts.right) and facts.larger <= 128
        is_likely = are_batches and not facts.lacks_axis
    return Fit.LIKELY if is_likely else Fit.POSSIBLE


def _fit_of_column_and_batch(facts: Facts) -> Fit:
    if facts.left != 1:
        return Fit.PLAUSIBLE
    if facts.names_batch:
        return Fit.STRONG
    return Fit.LIKELY if is_round(facts.right) or facts.right % 10 == 0 else Fit.PLAUSIBLE


_FLATTENED = (
    "sequences = [one.flatten(0, 1) for one in sequences]   # if these are batches: a row for each step\n"
    "# or pad all to the same number of steps"
)


def _along_new_axis(facts: Facts) -> str:
    """Return the lines that join along the axis that an unsqueeze made, or make the axis along which the line joins."""
    along = f"torch.cat([h, x], dim={facts.new_axis})   # along the axis of unsqueeze"
    made = f"{facts.before}.unsqueeze({facts.joined})"
    pair = f"[{made}, x]" if facts.left == 1 else f"[h, {made}]"
    other = f"torch.cat({pair}, dim={facts.joined})   # with that axis where they are joined"
    return f"{along}\n{other}" if facts.joined == "0" else f"{other}\n{along}"


JOIN: Rules = (
    GROWN,
    sure("batch-first", (*JOIN_SIZES, reason("step-of-batch-axis")), own="step"),
    strong(
        "concatenate-axis",
        (*JOIN_SIZES, reason("join-new-axis", axis="new_axis")),
        _along_new_axis,
        lambda f: f.new_axis and f.joined in ("0", "1") and f.new_axis != f.joined,
    ),
    strong("concatenate-axis", (*JOIN_SIZES, reason("join-list-of-batches")), own="of_batches"),
    sure(
        "concatenate-axis",
        (*JOIN_SIZES, _NUMBERED, reason("join-state")),
        "{put}.transpose(0, 1)   # in its place: (batch, layers × directions, units)",
        lambda f: f.is_state,
    ),
    strong(
        "concatenate-axis",
        (*JOIN_SIZES, reason("join-vectors-as-rows")),
        "np.hstack([h, x])   # one after the other",
        lambda f: f.of_rows and not f.of_sequences,
    ),
    strong("ragged", (*JOIN_SIZES, reason("ragged")), padded, lambda f: f.of_rows and f.of_sequences),
    likely(
        "transpose",
        (*JOIN_SIZES, reason("join-column-and-row")),
        "{many} = {many}.reshape(-1, 1)   # a column, if h comes first",
        lambda f: f.one_column,
    ),
    Rule(
        "batch-size",
        _fit_of_column_and_batch,
        (*JOIN_SIZES, reason("join-column-and-batch")),
        "{one} = np.repeat({one}, {larger}, axis=1)   # the same column for each of the batch, if h comes first",
        lambda f: f.one_column,
    ),
    Rule(
        "batch-size",
        _fit_of_batch,
        (*JOIN_SIZES, reason("join-batches")),
        _state_for_batch,
        lambda f: not (f.one_column or f.of_batches) and (f.joined not in ("0", "2") if f.rows else f.axis == 1),
    ),
    Rule(
        "ragged",
        lambda f: Fit.PLAUSIBLE if f.axis == 1 else Fit.LIKELY,
        (*JOIN_SIZES, reason("join-lengths")),
        lambda f: (
            _FLATTENED
            if f.of_sequences and f.axis == 1
            else f"x = torch.nn.functional.pad(x, (0, {f.larger} - x.size({f.axis})))   # if axis {f.axis} is the last: zeros after the last step\n"
            "# or pad all batches to the same number of steps"
            if f.axis > 1
            else f"x = torch.nn.functional.pad(x, (0, 0, 0, {f.larger} - x.size(1)))   # (batch, steps, features): zeros after the last step\n"
            f"x = torch.nn.functional.pad(x, (0, {f.larger} - x.size(1)))   # the same, if x is (batch, steps)"
        ),
        lambda f: f.are_lengths,
    ),
    plausible(
        "concatenate-axis",
        (
            *JOIN_SIZES,
            reason("joined-along-axis", "joined", when=lambda f: bool(f.joined)),
            reason("joined-along-another", when=lambda f: not f.joined),
            _NUMBERED,
        ),
        _along_entries,
        lambda f: not (f.is_state or f.of_batches),
        is_own=lambda f: f.moved and f.joined == "2",
    ),
)


def _calls(reading: Reading, function: str) -> bool:
    """Whether the reader's line joins with this function."""
    own = failed_operation(reading)
    return own is not None and function_of(own.node) == function


_IN_LIST = re.compile(r"\b(?:cat|concat)\(\s?[(\[]((?:[^()\[\]]|\([^()\[\]]{0,80}\)|\[[^()\[\]]{0,80}\]){1,300})")
_STATE = re.compile(r"(?:self\.)?(?:\w{0,20}hidden\w{0,20}|h_?[n0tc]|c_?[n0]|h|hx|\w{0,20}state\w{0,20})(?:\[[01]\])?$")


def _entry(reading: Reading, number: int) -> str:
    """Return the entry of the reader's list with a number, counted from 0; empty if the line or the entry is not known."""
    found = _IN_LIST.search(reading.own_code) if reading.own and number >= 0 else None
    entries = re.findall(r"(?:[^,()\[\]]|\([^()]{0,80}\)|\[[^\[\]]{0,80}\]){1,120}", found[1]) if found else []
    entries = [one.strip() for one in entries if one.strip()]
    return entries[number] if 0 <= number < len(entries) and len(entries[number]) <= 60 else ""


def _below_one_another(reading: Reading) -> str:
    """Return the reader's line with what a list collects joined along axis 0; empty if its entries stand in the line."""
    own = failed_operation(reading)
    if own is None or not isinstance(own.names.get("sequences"), ast.Name | ast.ListComp):
        return ""

    def along_batch(call: ast.Call) -> None:
        del call.args[1:]
        call.keywords = [keyword("dim", "0")]

    return changed_call(reading, ("cat", "concat", "concatenate"), along_batch)


def _unsqueezed(node: ast.expr | None) -> tuple[str, str]:
    """Return the axis that an expression gives an array, and the array before; both empty if it gives it none."""
    match node:
        case ast.Call(func=ast.Attribute(value=before, attr="unsqueeze"), args=[ast.Constant(value=int(axis))]):
            return str(axis), ast.unparse(before)
    return "", ""


# How people name the embedding of one step, and the context beside it.
_OF_STEP = re.compile(r"emb|word|tok|inp|^x|context|ctx|applied|weighted", re.IGNORECASE)


def _with_axis_elsewhere(reading: Reading, left: int, right: int) -> str:
    """Return the reader's line with an unsqueeze on the other one of the first two axes; empty if none tells that it is there."""
    own = failed_operation(reading)
    for name, size in (("h", left), ("x", right)):
        node = own.names.get(name) if own is not None else None
        at, before = _unsqueezed(node)
        if node is not None and at == ("0" if size == 1 else "1"):
            return line_with(reading, node, f"{before}.unsqueeze({1 - int(at)})")
    return ""


def _are_of_step(reading: Reading) -> bool:
    """Whether the line joins an embedding and a context of one step, by their names and that of a decoder."""
    own = failed_operation(reading)
    names = [ast.unparse(own.names[name]) for name in "hx" if own is not None and name in own.names]
    return len(names) == 2 and all(map(_OF_STEP.search, names)) and bool(re.search(r"rnn|lstm|gru|dec", reading.code))


def _joins_sequences(reading: Reading, left: int, right: int, joined: str | None) -> bool:
    """Whether the line joins (batch, steps, features) along another axis than the last, by its layer or by the two sizes."""
    if 1 in (left, right) or like_batch(left) and like_batch(right):
        return False
    # A recurrent layer takes three axes, of which the last has the features.
    if re.search(r"(?:rnn|lstm|gru)\w{0,10}\(\s?torch\.cat\(|unsqueeze\(1\)|emb\w{0,10}\(", reading.code):
        return True
    own = failed_operation(reading)
    terms = [own.names["h"], own.names["x"]] if own is not None and "h" in own.names else []
    return joined == "1" and bool(terms) and not any(map(is_named_as_state, terms))


@diagnoses("concatenate")
def concatenate(reading: Reading) -> Diagnosis:
    left, right = reading.size("left"), reading.size("right")
    joined = reading.values.get("joined")
    axis = reading.size("axis") if "axis" in reading.values else 0 if joined != "0" else 1
    rows = reading.framework == "PyTorch"
    one, many = ("h", "x") if left == 1 else ("x", "h")
    own, is_vstack = failed_operation(reading), _calls(reading, "vstack")
    named = re.search(r"for tensor number (\d{1,3})\b", reading.whole[reading.whole.rfind(reading.message) :])
    number = int(named[1]) if named else -1
    entry = _entry(reading, number)
    new_axis, before = _unsqueezed(own.names.get("h" if left == 1 else "x")) if own and 1 in (left, right) else ("", "")
    facts = Facts(
        step=with_joined_step(reading, is_missing=False) if axis == 0 else "",
        names_batch=any(re.search(r"batch|\bxb\b", line.code) for line in reading.own),
        framework=reading.framework,
        left=left,
        right=right,
        larger=max(left, right),
        axis=axis,
        has_axis="axis" in reading.values,
        joined=joined,
        rows=rows,
        # Columns are rather joined with axis=0 or vstack.
        lacks_axis=_calls(reading, "concatenate") and own is not None and axis_of_call(own.node) is None,
        one_column=not rows and axis == 1 and 1 in (left, right),
        one=one,
        many=many,
        of_sequences_joined=rows and _joins_sequences(reading, left, right, joined),
        new_axis=new_axis,
        moved=_with_axis_elsewhere(reading, left, right) if joined == "2" and 1 in (left, right) else "",
        are_of_step=_are_of_step(reading),
        before=before,
        # Results that a loop collects: the last batch of a data set is smaller.
        of_batches=_below_one_another(reading) if rows and joined == "1" and number > 1 and right < left else "",
        of_rows=is_vstack and not rows and axis == 1 and min(left, right) > 1,
        of_sequences=own is not None and "sequences" in own.names,
        grown=grown_by_row(reading) if axis == 1 else "",
        number=number,
        entry=entry,
        put=f"{'hx'[number]} = {'hx'[number]}" if own and "x" in own.names and number in (0, 1) else entry,
        # Beside (batch, steps, features): the state has batch and layers in the other order.
        is_state=rows and bool(_STATE.match(entry)) and bool(re.search(rf"[\[(]{left}, ?{right}, ?\d", reading.whole)),
        # A layer has round numbers of units, and the longest sequences of two batches seldom do.
        are_lengths=rows
        and joined == "0"
        and axis >= 1
        and (own is not None and "sequences" in own.names or not (is_round(left) or is_round(right)))
        and min(left, right) > 2,
        wider="h" if left > right else "x",
        narrower=min(left, right),
    )
    of_tables = not is_vstack and not rows and axis == 1 and joins_rows(reading)
    # Other sizes are rather those of a column and of what belongs beside it.
    is_near = not rows and axis == 0 and 2 * min(left, right) > max(left, right)
    # More entries than any layer has are samples or steps.
    are_rows = not reading.own and min(left, right) > MOST_ENTRIES
    of_columns = is_near and (are_rows or joins_columns(reading))
    rules = JOIN_TABLES if of_tables else JOIN_COLUMNS if of_columns else JOIN
    return Diagnosis(_JOIN, facts, rules, {"left": left, "right": right})


# ---- the same, by two whole shapes -------------------------------------------------------------

_SHAPES = reason("join-shapes", "left", "right")
_FIRST_AXES: dict[str, Any] = {"left": lambda f: f.left[0], "right": lambda f: f.right[0]}


def _repeated(facts: Facts) -> str:
    """Return the line that gives the array of one row the batch of the other, or words if neither has one."""
    left, right = facts.left[0], facts.right[0]
    if 1 not in (left, right):
        return "# h must be made for the batch of x"
    name, batch = ("h", right) if left == 1 else ("x", left)
    library = advised_lines.library(facts.framework)
    return f"{name} = {library}.repeat({name}, {batch}, axis=0)   # the same for each of the batch"


def _of_one_sequence(reading: Reading, facts: Facts) -> Shape:
    """Return the shape of the input of which one of the two is the first sequence, where the other is a step of all; empty if none is."""
    pairs = ((facts.left, facts.right), (facts.right, facts.left))
    found = [
        one
        for one, _ in received_arrays(reading)
        for part, other in pairs
        if len(one) == 3 and one[1:] == part and one[:1] == other[:1] != part[:1]
    ]
    return found[0] if found else ()


def _turned(reading: Reading, left: Shape, right: Shape) -> tuple[str, Shape] | tuple[()]:
    """Return which of two matrices matches the other if it is transposed, and its shape then; nothing if neither does."""
    axis = reading.values.get("axis", "")
    if len(left) != 2 or len(right) != 2 or axis not in ("0", "1") or left[int(axis)] == right[int(axis)]:
        return ()
    pairs = (("x", right[::-1], left), ("h", left[::-1], right))
    return next(((name, one) for name, one, other in pairs if one[int(axis)] == other[int(axis)]), ())


JOIN_SHAPES: Rules = (
    sure("batch-first", (_SHAPES, reason("scan-first-axis")), own="scanned", note="(steps, batch, features)"),
    strong(
        "batch-first",
        (
            _SHAPES,
            reason(
                "join-one-sequence", whole=lambda f: format_shape(f.whole), part=lambda f: format_shape(f.whole[1:])
            ),
        ),
        "tf.unstack(inputs, axis=1)   # where the loop takes each step; or inputs[:, t] in place of inputs[t]",
        lambda f: f.whole,
    ),
    strong(
        "transpose",
        (
            _SHAPES,
            reason(
                "join-turned",
                matrix=lambda f: format_shape(f.turned[1][::-1]),
                turned=lambda f: format_shape(f.turned[1]),
            ),
        ),
        "{turned[0]} = {turned[0]}.T",
        lambda f: f.turned,
    ),
    strong(
        "batch-size",
        (_SHAPES, reason("join-batches")),
        _repeated,
        lambda f: (
            f.differ == [0]
            and len(f.left) > 1
            and (f.in_cell and len(f.left) == 2 or 1 in (f.left[0], f.right[0]))
            and not f.of_rows
        ),
    ),
    likely(
        "concatenate-axis",
        (_SHAPES, reason("join-axis-that-differs", axis="differ[0]")),
        lambda f: advised_lines.concatenated(f.framework, ("h", "x"), f.differ[0]),
        lambda f: len(f.differ) == 1,
    ),
    strong(
        "input-size",
        (_SHAPES, reason("join-images", rows=lambda f: f"{f.left[1:3]}", made_for=lambda f: f"{f.right[1:3]}")),
        lambda f: f"ConvLSTMCell(..., shape={list(f.left[1:3])})   # where the cell is made: height and width of x",
        lambda f: f.of_images,
    ),
    likely(
        "batch-size",
        (
            _SHAPES,
            reason("join-no-axis-agrees", **_FIRST_AXES, when=lambda f: not f.some_agree),
            reason("join-axes-differ", **_FIRST_AXES, when=lambda f: f.some_agree),
        ),
        "# h must be made for the batch of x",
        lambda f: len(f.differ) != 1 and not (f.of_images or f.turned),
    ),
)


@diagnoses("concatenate_shapes")
def concatenate_shapes(reading: Reading) -> Diagnosis:
    left, right = reading.shape("left"), reading.shape("right")
    # An unknown size, such as that of the batch, may be the same.
    differ = [axis for axis in differing_axes(left, right) if -1 not in (left[axis], right[axis])]
    facts = Facts(
        framework=reading.framework,
        left=left,
        right=right,
        differ=differ or differing_axes(left, right),
        of_images=len(left) == len(right) == 4 and differ == [1, 2],
        # Within a scan, x and the state have another batch where the steps are taken from the batch.
        scanned=with_argument(reading, "xs", "jnp.swapaxes({}, 0, 1)")
        if len(left) == len(right) == 2 and differ[:1] == [0] and 1 not in (left[0], right[0])
        else "",
        some_agree=any(a == b for a, b in zip(left, right)),
        of_rows=left[:-1] == right[:-1] == (1,) and _calls(reading, "vstack"),
        in_cell=bool(re.search(r"cell/concat|decoder|attention", reading.whole)),
    )
    facts.whole, facts.turned = _of_one_sequence(reading, facts), _turned(reading, left, right)
    return Diagnosis(_JOIN, facts, JOIN_SHAPES)


# ---- axes that are not there -------------------------------------------------------------------

NO_AXIS = strong(
    "unbatched",
    reason("no-axis", "axis", "got"),
    lambda f: (
        f"dim = {f.got - 1}   # the last axis"
        if f.is_named
        else "tf.concat([h, x], axis=0)   # if both are vectors\nh = h[None]   # a row, if the other one has rows"
        if f.framework == "Keras"
        else "np.column_stack([h, x])   # each vector as a column\n"
        * f.are_columns
        + "np.concatenate([h, x], axis=0)   # if two vectors are concatenated\n"
        "x = x.reshape(-1, 1)   # a column (m, 1), if two axes are meant"
    ),
)


@diagnoses("no_axis")
def no_axis(reading: Reading) -> Diagnosis:
    if "with_integer_labels" in reading.whole:
        return labels_of_axes(reading.size("got") - 1, reading.size("axis") + 1)
    own = failed_operation(reading)
    facts = Facts(
        framework=reading.framework,
        axis=reading.values["axis"],
        got=reading.size("got"),
        # Targets beside predictions, as for a table or a scaler.
        are_columns=own is not None and any(TARGETS.match(last_name(one)) for one in own.names.values()),
        # A join of vectors along axis 1 is rather meant along their only axis.
        is_named=own is not None
        and "dim" in own.names
        and not _calls(reading, "concatenate")
        and reading.size("got") > 0,
    )
    return Diagnosis("axis", facts, NO_AXIS)


JOIN_UNSAID: Rules = rules_of(
    "join_unsaid",
    _JOIN,
    strong(
        "concatenate-axis",
        "join-unsaid",
        "torch.cat([h, x], dim=-1)   # rows, (batch, entries)\ntorch.cat([h, x], dim=0)   # columns, (entries, 1)",
    ),
)
