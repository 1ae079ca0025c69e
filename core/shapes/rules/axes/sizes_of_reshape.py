"""The sizes of a new shape: more than one that is open, and rows that hold a whole batch, which the last, smaller batch does not fill."""

import ast
import re
from math import prod

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, reason
from core.shapes.user_code.changed_calls import changed_call
from core.shapes.user_code.evidence import calls_of_line
from core.shapes.user_code.syntax_trees import expression, root_of

_VIEWS = ("view", "reshape")
# More entries has no sample of a batch.
MOST_OF_SAMPLE = 10_000
_NAME_OF_BATCH = re.compile(r"batch|\bbs\b", re.IGNORECASE)
# Layers after which a view flattens channels, rows and columns.
_OF_CHANNELS = re.compile(r"(?:conv|pool)\w{0,20}\(|Conv[123]d|Pool[123]d", re.IGNORECASE)


def _factors(node: ast.expr) -> list[ast.expr]:
    """Return the factors of a product in their order; the expression itself if it is none."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*_factors(node.left), *_factors(node.right)]
    return [node]


def _value(reading: Reading, factor: ast.expr) -> int:
    """Return the number that a factor stands for; 0 if the text does not tell it."""
    if isinstance(factor, ast.Constant) and isinstance(factor.value, int):
        return factor.value
    return reading.numbers.get(ast.unparse(factor), 0)


def _is_batch(reading: Reading, factor: ast.expr, value: int) -> bool:
    """Whether a factor is a batch by its name, or by a size that the text tells; after a convolution, channels stand first."""
    told = re.compile(rf"torch\.Size\(\[{value}, |\bbatch_?size ?= ?{value}\b", re.IGNORECASE)
    is_named = _NAME_OF_BATCH.search(ast.unparse(factor))
    return bool(is_named or told.search(reading.whole) and not _OF_CHANNELS.search(reading.whole))


def _with_batch_of_call(reading: Reading, size: int, sizes: Shape) -> str:
    """Return the line with the batch of its array, where it writes a constant batch that does not fit; else an empty text.

    A size of -1 may have the rest only if the batch divides all entries. Without it, all other sizes must divide them.
    """
    rest, is_open = prod(sizes[1:]), sizes[-1:] == (-1,)
    fits = sizes[:1] < (2,) or not size % sizes[0] if is_open else rest < 1 or size % rest or size == sizes[0] * rest
    fits = fits or len(sizes) == 1 < sizes[0] and size % sizes[0] == 0  # the outputs of each step
    calls = calls_of_line(reading, *_VIEWS)
    is_long = is_open and size > MOST_OF_SAMPLE * sizes[0]  # a text that is cut into rows
    if reading.framework != "PyTorch" or not sizes or fits or len(calls) != 1 or is_long:
        return ""

    def written(call: ast.Call) -> list[ast.expr]:
        is_tuple = bool(call.args) and isinstance(call.args[0], ast.Tuple | ast.List)
        return call.args[0].elts if is_tuple else call.args  # type: ignore[attr-defined]

    def taken(call: ast.Call) -> None:
        if isinstance(call.func, ast.Attribute):
            batch = f"{ast.unparse(root_of(call.func.value))}.size(0)" if is_open else "-1"
            written(call)[0] = expression(batch)

    first, *others = map(ast.unparse, written(calls[0]) or [ast.Constant("")])
    # Sizes that have names are rather those that the program chose.
    is_batch = bool(_NAME_OF_BATCH.search(first)) or first.isdecimal() and not all(map(str.isdecimal, others))
    return changed_call(reading, _VIEWS, taken) if is_batch else ""


def facts_of_rows(reading: Reading, size: int, sizes: Shape) -> dict[str, object]:
    """Return the facts of a view of the shape (-1, n·rest) whose entries are whole rows without the factor n alone."""
    none: dict[str, object] = {"without_batch": "", "of_call": _with_batch_of_call(reading, size, sizes)}
    calls = calls_of_line(reading, *_VIEWS)
    if len(calls) != 1 or len(calls[0].args) != 2 or len(sizes) != 2 or sizes[0] != -1:
        return none
    factors = _factors(calls[0].args[1])
    values = [_value(reading, factor) for factor in factors]
    if len(factors) < 2 or sizes[1] < 1 or prod(values) != sizes[1]:
        return none
    batch, rest = values[0], sizes[1] // values[0]
    if size % rest or size % sizes[1] == 0 or not _is_batch(reading, factors[0], batch):
        return none

    def shorter(call: ast.Call) -> None:
        call.args[1] = expression("*".join(map(ast.unparse, factors[1:])))

    return {
        "of_call": "",
        "without_batch": changed_call(reading, _VIEWS, shorter),
        "batch": batch,
        "rest_of_row": rest,
        "came": size // rest,
    }


def _is_of_batch(facts: Facts) -> bool:
    return bool(facts.without_batch)


BATCH_IN_SIZES: Rules = (
    sure(
        "batch-size",
        (
            reason("reshape", "size", "got"),
            reason("batch-of-constant", batch="sizes[0]"),
            reason("last-batch", when=lambda f: f.sizes[0] > 1),
        ),
        own="of_call",
        note="if axis 0 has the batch: that of this call, not a constant",
    ),
    sure(
        "batch-size",
        (reason("reshape", "size", "got"), reason("batch-in-row", "batch", "came", rest="rest_of_row")),
        "{without_batch}   # a row for each sequence: the batch belongs to the -1",
        _is_of_batch,
        is_own=_is_of_batch,
    ),
)


OPEN_AXES = sure(
    "reshape", "open-axes", "x = x.reshape(x.shape[0], -1, x.shape[-1])   # one open size: the others from x", own="own"
)


@diagnoses("open_axes")
def open_axes(reading: Reading) -> Diagnosis:
    """Diagnose a new shape of which more than one size is open."""

    def closed(call: ast.Call) -> None:
        before = call.func.value if isinstance(call.func, ast.Attribute) else call.args[0]
        is_method = before is not call.args[0] and len(call.args) > 1
        is_method = is_method and not isinstance(call.args[-1], ast.List | ast.Tuple)
        array = before if is_method or len(call.args) == 1 else call.args[0]
        sizes = call.args if is_method else getattr(call.args[-1], "elts", [])
        size = "tf.shape({})[{}]" if reading.framework == "Keras" else "{}.shape[{}]"
        # The last one stays open.
        open_sizes = [at for at, one in enumerate(sizes) if ast.unparse(one) == "-1"]
        for at in open_sizes[:-1]:
            sizes[at] = expression(size.format(ast.unparse(array), at))

    own = changed_call(reading, ("view", "reshape"), closed)
    return Diagnosis("reshape", Facts(own=own), OPEN_AXES)
