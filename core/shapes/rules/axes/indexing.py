"""Indices that an array does not have, and initializers, which ask for two axes."""

import ast
import re
from collections.abc import Callable

from core.shapes.messages import Reading
from core.shapes.rules.fits import likely, strong, sure
from core.shapes.rules.layers.packed import sorts_lengths, too_many_lengths
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import changed_call, changed_line, keyword, line_with, with_expression
from core.shapes.user_code.evidence import failed_statement, nodes_of_line, rows_of_embedding
from core.shapes.user_code.frames import given_by_caller, lines_with_axis
from core.shapes.user_code.index_lines import (
    counted_below,
    loop_within,
    step_of_numbers,
    with_fewer_slices,
    with_last_index,
    without_axis_of_batch,
)
from core.shapes.user_code.keras_calls import indices_of_embedding
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.removed_code import first_indices, without_step
from core.shapes.user_code.syntax_trees import function_of

_INDEX = "index"
# The indices of one step in a batch of sequences: (batch, step, features).
STEPS_AND_FEATURES = 3


def _fewer_indices(facts: Facts) -> str:
    if facts.got == 1:
        return "output[-1]   # if output is one step, a vector of features, and its last entry is meant"
    if facts.of_numbers:
        return f"{facts.of_numbers}   # if each step is one number: an axis of 1"
    if facts.got == 2:
        without = f"{facts.fewer}   # if each row is a sample, which has no axis of steps\n" if facts.fewer else ""
        if facts.of_layer:
            units = f"LSTM({facts.units}, return_sequences=True)   # the layer before this one, if all its steps are needed; or GRU, SimpleRNN"
            return f"{facts.of_layer}   # it has the last step of each sequence alone\n{units}"
        last = "output[..., -1, :]   # the last step, with and without a batch"
        if facts.of_caller:
            when = {0: "if it is one sequence, with batch_first=True", 1: "if each row is a sample without steps"}
            last = "\n".join(f"{line}   # {when[at]}" for at, line in facts.of_caller.items())
        return f"{without}{last}\n# or drop the index, if the array is the last step already: (batch, units)"
    if facts.got == 3:
        if facts.fewer:
            return f"{facts.fewer}   # an index for each axis"
        return (
            "output[:, -1]   # the last step, if output is (batch, steps, units)\n"
            "output[-1]   # the last layer or direction, if it is h_n, (layers × directions, batch, units)"
        )
    return "# as many indices as the array has axes, or fewer"


INDICES: Rules = (
    sure("unbatched", (reason("indices", axes="got"), reason("index-of-batch")), own="without_batch"),
    strong(
        "indexing",
        (
            reason("indices", axes="got"),
            reason("indices-of-last-step", when=lambda f: f.got < 3 and not (f.slices or f.of_numbers)),
        ),
        _fewer_indices,
        lambda f: f.got and not f.without_batch,
        own="slices",
    ),
    strong(
        "indexing",
        (reason("indices-unsaid"), reason("indices-of-last-step")),
        "output[-1]   # if output is (steps, features) of one sequence, and the last step is meant",
        lambda f: not f.got,
    ),
)


def _without_index(reading: Reading) -> str:
    """Return the reader's line with the whole output of a layer of Keras in the place of one of its steps; empty if it takes none."""

    def whole(node: ast.expr) -> ast.expr | None:
        is_step = isinstance(node, ast.Subscript) and len(getattr(node.slice, "elts", ())) == STEPS_AND_FEATURES
        return node.value if is_step and isinstance(node, ast.Subscript) else None

    return changed_line(failed_statement(reading), whole) if reading.framework == "Keras" else ""


@diagnoses("indices_of_shape")
def indices_of_shape(reading: Reading) -> Diagnosis:
    """Diagnose an index of a tensor of Keras: more of them than it has axes, or one beyond the last entry."""
    given = re.findall(r"slice\([^()]{0,60}\)|-?\d{1,9}|Ellipsis|None", reading.values.get("index", ""))
    sizes = reading.shape("shape")
    beyond = [(at, int(one)) for at, one in enumerate(given[: len(sizes)]) if re.fullmatch(r"\d{1,9}", one)]
    beyond = [(at, one) for at, one in beyond if 0 <= sizes[at] <= one]
    if len(given) > len(sizes) or not beyond:
        return indices(reading)
    at, index = beyond[0]
    return index_range(reading._replace(values={"axis": str(at), "got": str(index), "size": str(sizes[at])}))


@diagnoses("indices")
def indices(reading: Reading) -> Diagnosis:
    shape = reading.shape("shape") if "shape" in reading.values else ()
    got = len(shape) or reading.size("got")
    facts = Facts(
        got=got,
        of_layer=_without_index(reading),
        of_caller=lines_with_axis(reading) if reading.framework == "PyTorch" else {},
        units=shape[-1] if shape[-1:] > (0,) else "...",
        without_batch=without_axis_of_batch(reading) if got == 1 else "",
        fewer=without_step(reading) if got == 2 else first_indices(reading, got),
        slices=with_fewer_slices(reading, got),
        of_numbers=step_of_numbers(reading) if got == 2 else "",
    )
    return Diagnosis(_INDEX, facts, INDICES, {"axes": got})


@diagnoses("indices_unsaid")
def indices_unsaid(reading: Reading) -> Diagnosis:
    return Diagnosis(_INDEX, Facts(got=0, without_batch=""), INDICES)


SCALAR_INDEX: Rules = first_of(
    sure(
        "indexing",
        "index-of-number",
        lambda f: f"{f.indexed}   # without the index" if f.indexed else "x.item()   # in place of x[0]",
        lambda f: f.of_index and not f.squeezed,
    ),
    sure(
        "unbatched",
        "number-without-axes",
        lambda f: (
            f"{f.squeezed.replace('.squeeze()[', '.squeeze(-1)[')}   # removes the last axis alone\n"
            f"{f.squeezed.replace('.squeeze()[', '.reshape(-1)[')}   # in its place, if the array has a single axis"
            if f.squeezed
            else "x = x.reshape(-1)   # one entry; or squeeze(-1) in place of squeeze()"
        ),
    ),
)


@diagnoses("scalar_index")
def scalar_index(reading: Reading) -> Diagnosis:
    """Diagnose the index of a single number, such as loss.data[0] in programs for the first versions of PyTorch."""
    code = reading.own_code
    without_index = re.sub(r"\[\w{1,20}\](?=\.item\(\))", "", code)
    facts = Facts(
        of_index="invalid index" in reading.message,
        squeezed=code if ".squeeze()[" in code else "",
        indexed=without_index if without_index != code else "",
    )
    return Diagnosis(_INDEX, facts, SCALAR_INDEX)


LIST_INDEX: Rules = rules_of(
    "list_index",
    _INDEX,
    sure(
        "indexing",
        "list-indexed",
        "output = torch.stack(output, dim=1)   # before this line, if it is a list with a tensor for each step\n"
        "output = np.array(output)   # if it is a list of lists of numbers",
    ),
)


# Arrays that choose one entry each, such as the last step of each sequence.
INDEX_ARRAYS = strong(
    "indexing",
    reason("index-arrays", "left", "right"),
    "output[{library}.arange(len(lengths)), lengths - 1]   # one step of each sequence, if output is (batch, steps, units)",
    own="own",
)
_STEP_OF_EACH = (
    "output[{0}.arange(len(lengths)), lengths - 1]   # one step of each sequence, if output is (batch, steps, units)\n"
    "output[lengths - 1, {0}.arange(len(lengths))]   # if it is (steps, batch, units)"
)


def _steps_of_each(reading: Reading, library: str, left: int, right: int) -> list[str]:
    """Return the reader's line with one step of each sequence, where it takes as many as its lengths are by their names."""
    taken = [
        node
        for node in nodes_of_line(reading)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2
    ]
    if len(taken) != 1:
        return []
    first, second = taken[0].slice.elts  # type: ignore[attr-defined]
    are_lengths = [bool(re.search(r"len|last|ends?\b", ast.unparse(one))) for one in (first, second)]
    if sum(are_lengths) != 1:
        return []
    steps, of_lengths, others = (first, left, right) if are_lengths[0] else (second, right, left)
    root = next((one.id for one in ast.walk(steps) if isinstance(one, ast.Name)), "lengths")
    names = {"len(lengths)": f"len({root})", "lengths - 1": ast.unparse(steps), "output": ast.unparse(taken[0].value)}
    lines = []
    for advised in _STEP_OF_EACH.format(library).splitlines():
        code, mark, comment = advised.partition("   # ")
        for name, own in names.items():
            code = code.replace(name, own)
        changed = line_with(reading, taken[0], code)
        lines.append(f"{changed}{mark}{comment}")
    # More numbers than sequences are rather those of the steps, which axis 0 then has.
    return lines[::-1] if others > of_lengths else lines


def _with_rows_of_index(reading: Reading) -> str:
    """Return the reader's line with as many row numbers as the other index has; empty if it has no arange beside an index."""
    for node in nodes_of_line(reading):
        match node:
            case ast.Subscript(slice=ast.Tuple(elts=[ast.Call() as rows, other])) if function_of(rows) in (
                "arange",
                "range",
            ):
                name = ast.unparse(rows.func)
                return line_with(reading, rows, f"{name}(len({ast.unparse(other)}))")
    return ""


@diagnoses("index_arrays")
def index_arrays(reading: Reading) -> Diagnosis:
    library = "torch" if reading.framework == "PyTorch" else "np"
    left, right = reading.shape("left"), reading.shape("right")
    of_steps = _steps_of_each(reading, library, left[0], right[0]) if len(left) == len(right) == 1 else []
    own = "\n".join(of_steps) or _with_rows_of_index(reading)
    return Diagnosis(_INDEX, Facts(left=left, right=right, library=library, own=own), INDEX_ARRAYS)


MASK_AXIS: Rules = rules_of(
    "mask_axis",
    _INDEX,
    strong(
        "indexing",
        reason("mask-axis", "axis", "mask", "size"),
        lambda f: (
            f"mask = mask[:{f.size}]   # if the first {f.size} belong to the array"
            if f.mask > f.size
            else f"x = x[:{f.mask}]   # if the mask is for the first {f.mask}"
        ),
    ),
)


# ---- an index beyond the last entry ------------------------------------------------------------


def _next_step(reading: Reading, axis: int) -> tuple[str, str, str] | None:
    """Return the name of a loop, the array of which the reader's line takes a later step, and how much later; None if it takes none."""
    for node in nodes_of_line(reading):
        index = node.slice if isinstance(node, ast.Subscript) and is_stored(node.value) else None
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        match parts[axis] if axis < len(parts) else None:
            case ast.BinOp(left=ast.Name(id=name), op=ast.Add(), right=ast.Constant() | ast.Name() as more):
                return name, ast.unparse(node.value), ast.unparse(more)  # type: ignore[attr-defined]
    return None


def _loop_before_last(reading: Reading, axis: int, array: str, more: str) -> str:
    """Return the loop of the reader's line that ends before the last entries; empty if its line is no loop over a range."""
    loop = failed_statement(reading)
    if not isinstance(loop, ast.For) or function_of(loop.iter) != "range":
        return ""
    code = with_expression(loop, loop.iter, f"range({array}.size({axis}) - {more})")
    return re.sub(r":\n +", ": ", code) + "   # the step after each exists"


def _loop_lines(facts: Facts) -> str:
    """Return the loops that end in time, where the index is the first one beyond the last."""
    if facts.gathers:
        return (
            f"nn.Linear(..., out_features={facts.got + 1})   # the layer that makes the array: an entry for each index"
        )
    if facts.with_last:
        return str(facts.with_last)
    if facts.of_classes:
        return f"{facts.of_classes}   # a column for each class from 0 to {facts.got}"
    if facts.of_numbers:
        return str(facts.of_numbers)
    if facts.got != facts.size or facts.axis > 1 or facts.size < 2:
        limit = f"# an index along axis {facts.axis} must be less than {facts.size}"
        return limit if facts.size else f"# make the array with entries along axis {facts.axis}"
    if facts.loop:
        return str(facts.loop)
    if facts.next_step:
        name, array, more = facts.next_step
        if facts.whole_loop:
            return str(facts.whole_loop)
        return f"for {name} in range({array}.size({facts.axis}) - {more}): ...   # the loop ends where the step after has still an entry"
    step = "x[{}]" if facts.axis == 0 else "x[:, {}]"
    of_next = (
        f"for t in range({facts.size - 1}): x_next = {step.format('t + 1')}   # if the loop reads the step after t"
    )
    of_this = f"for t in range({facts.size}): x_t = {step.format('t')}   # if the loop reads the step t"
    return "\n".join({True: [of_next], False: [of_this]}.get(facts.reads_next, [of_next, of_this]))


INDEX_RANGE: Rules = (
    strong(
        "index-range",
        (
            reason("index-range", "got", "axis", "size", when=lambda f: f.size),
            reason("index-of-empty", "axis", when=lambda f: not f.size),
        ),
        _loop_lines,
        is_own=lambda f: (
            f.of_numbers
            or f.of_classes
            or (f.with_last or (f.loop or f.next_step) and f.got == f.size > 1)
            and not f.gathers
        ),
    ),
)


def _with_classes(count: int) -> Callable[[ast.Call], object]:
    """Return the change that gives a to_categorical another number of classes."""

    def change(call: ast.Call) -> None:
        del call.args[1:]
        call.keywords = [
            *(one for one in call.keywords if one.arg != "num_classes"),
            keyword("num_classes", str(count)),
        ]

    return change


@diagnoses("index_range")
def index_range(reading: Reading) -> Diagnosis:
    code = reading.own_code
    axis = reading.size("axis")
    size = reading.size("size") if "size" in reading.values else (*reading.shape("shape")[axis:], 0)[0]
    facts = Facts(
        got=reading.size("got"),
        axis=axis,
        size=size,
        gathers="gather(" in (code or reading.whole),
        next_step=(step := _next_step(reading, axis) if reading.framework == "PyTorch" else None),
        whole_loop=_loop_before_last(reading, axis, *step[1:]) if step else "",
        loop=loop_within(reading) if axis == 0 else "",
        of_classes=changed_call(reading, ("to_categorical",), _with_classes(reading.size("got") + 1)),
        with_last=with_last_index(reading, axis, reading.size("got"), size),
        of_numbers=counted_below(reading, size + 1)
        if axis == 0 and reading.size("got") == size and reading.framework == "NumPy"
        else "",
        # None if the text has no line of the reader.
        reads_next=bool(re.search(r"\[[^\]]{0,80}\+ ?1", code)) if code else None,
    )
    return Diagnosis(_INDEX, facts, INDEX_RANGE, {"index": facts.got})


VOCABULARY: Rules = (
    strong(
        "index-range",
        (
            reason("index-of-embedding", when=lambda f: not f.size),
            reason("index-of-rows", "got", "size", when=lambda f: f.size),
        ),
        lambda f: (
            f"layers.Embedding(int(np.max({f.words})) + 1, ...)   # a row for each index in {f.words}"
            if f.words
            else f"{'layers' if f.of_keras else 'nn'}.Embedding({f.got + 1}, ...)   # a row for each index from 0 to {f.got}"
            if f.size
            else f.counted + f"nn.Embedding(int({f.given}.max()) + 1, ...)   # a row for each index in {f.given}"
        ),
    ),
)


def _counted_once_more(reading: Reading, rows: str) -> str:
    """Return the line that makes a size of the program one larger, for all its layers if one line makes it; empty for none."""
    made = [ast.unparse(one.value) for one in reading.program if one.target == rows]
    if len(made) == 1 and not made[0].endswith("+ 1"):
        return f"{rows} = {made[0]} + 1   # for all layers of this size, if the largest index is the old {rows}\n"
    return f"nn.Embedding({rows} + 1, ...)   # if the largest index is {rows}\n" * bool(rows)


@diagnoses("vocabulary")
def vocabulary(reading: Reading) -> Diagnosis:
    if sorts_lengths(reading):
        return too_many_lengths(reading)
    got, size, largest = (reading.size(name) if name in reading.values else 0 for name in ("got", "size", "largest"))
    facts = Facts(
        got=got,
        size=size or (largest + 1 if largest else 0),
        of_keras=reading.framework == "Keras",
        counted=_counted_once_more(reading, rows_of_embedding(reading)),
        # The model is made before it is called, so that only the caller's name may be known where it is made.
        given=getattr(given_by_caller(reading), "id", "x"),
        words=indices_of_embedding(reading),
    )
    return Diagnosis("embedding", facts, VOCABULARY)


_SCALED = re.compile(r"\bstandardi[sz]ed?\b|\b\w{3,10}Scaler\b|\bscaled\b|between [-−]1 and 1\b", re.IGNORECASE)

VOCABULARY_NEGATIVE: Rules = rules_of(
    "vocabulary_negative",
    "embedding",
    likely(
        "embedding",
        "index-of-scaled",
        "x = x[..., None]   # in place of the embedding: (batch, steps, 1) for the recurrent layer",
        lambda f: f.is_scaled,
    ),
    sure(
        "index-range",
        reason("index-negative", "got", last=lambda f: f.size - 1),
        lambda f: (
            f"x = x + {f.got}   # if −{f.got} marks padding or unknown words: they get index 0\n"
            f"layers.Embedding({f.size + f.got}, ...)   # and a row for each index after that"
        ),
    ),
    facts=lambda reading: {"is_scaled": bool(_SCALED.search(reading.whole))},
)


TRANSPOSED_AXES: Rules = rules_of(
    "transposed_axes",
    "axis",
    strong(
        "indexing",
        (reason("transposed-by-t", when=lambda f: f.of_t), reason("transposed-axes", when=lambda f: not f.of_t)),
        lambda f: {
            "PyTorch": "x.transpose(0, 1)   # in place of t(), if batch and steps change places\n"
            * f.of_t
            + "x.transpose(-1, -2)   # the last two axes of any tensor\n"
            "x = x.unsqueeze(0)   # before this line, if the batch is missing",
            "Keras": "x = tf.expand_dims(x, 0)   # before this line, if the batch is missing\n"
            "x = tf.linalg.matrix_transpose(x)   # the last two axes of any tensor",
        }.get(f.framework, "x = np.swapaxes(x, -1, -2)   # the last two axes of any array"),
    ),
    facts=lambda reading: {"framework": reading.framework, "of_t": "but self is" in reading.message},
)


INITIALIZER = sure(
    "initializer",
    "initializer-of-vector",
    "nn.init.zeros_(bias)   # for biases; the other initializer for parameters p with p.dim() > 1",
    own="own",
)


@diagnoses("initializer")
def initializer(reading: Reading) -> Diagnosis:
    """Diagnose an initializer of weights that a loop gives the biases too."""
    tree = failed_statement(reading)
    call = tree.value if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Call) else None
    given = ast.unparse(call.args[0]) if call is not None and call.args and "init" in ast.unparse(call.func) else ""
    own = f"{ast.unparse(call)} if {given}.dim() > 1 else nn.init.zeros_({given})" if call is not None and given else ""
    return Diagnosis("initial-weights", Facts(own=own), INITIALIZER)
