"""Sizes that are fixed in PyTorch: a table of positions, and the part of an array that is assigned to."""

import ast
import re

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading, sizes_in
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.rule import Facts, Rules, first_of, reason
from core.shapes.user_code.evidence import failed_statement, nodes_of_line

_OF_TOKENIZER = re.compile(r"transformers[/\\]|token_type_ids|position_ids|position_embeddings")
# Not self.shape, and not self.pos_weight.
_OF_POSITIONS = re.compile(
    r"\bself\.(?:\w{1,40}_)?(?:pe|pos|pos_(?!weight)\w{1,40}|pos(?:ition|enc|emb)\w{0,40})\b|^(?:pe|pos_?enc|pos_?emb)\b",
    re.IGNORECASE,
)
# A size of x, to which the table is cut.
_SLICED = re.compile(r"\.(?:size\((\d)\)|shape\[(\d)\])")
# Longer names may be those of arrays.
LONGEST_INDEX = 2
# RoBERTa counts its positions from 2.
_RESERVED = {514: 512}


def _positions(reading: Reading) -> str:
    """Return whose positions are added along the steps: of a "tokenizer", a "table" of the reader's, or of nobody."""
    axis = reading.size("axis")
    if axis > 1 or reading.size("left") <= reading.size("right"):
        return ""
    if axis == 1 and _OF_TOKENIZER.search(reading.whole):
        return "tokenizer"
    return "table" if any(_OF_POSITIONS.search(one) and _has_all_steps(one, axis) for one in _added(reading)) else ""


def _added(reading: Reading) -> list[str]:
    """Return what the reader's line adds to something before it."""
    nodes = nodes_of_line(reading)
    return [
        ast.unparse(node.right if isinstance(node, ast.BinOp) else node.value)
        for node in nodes
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Add)
    ]


def _has_all_steps(table: str, axis: int) -> bool:
    """Whether a table of positions is cut to the steps of x, or not at all."""
    cut = _SLICED.search(table)
    return cut is None or int(cut[1] or cut[2]) == axis


def _sizes_of_both(reading: Reading) -> tuple[Shape, Shape] | None:
    """Return the shapes of a place and of what is put there, as the message ends with them; None if it does not."""
    told = re.search(r"Target sizes: \[([\d, ]{1,60})\]\. Tensor sizes: \[([\d, ]{1,60})\]", reading.whole)
    return (sizes_in(told[1]), sizes_in(told[2])) if told else None


def _fitting_assignment(reading: Reading, left: int, right: int) -> str:
    """Return the reader's line with a part of the value, of size right, that fits the place, of size left; empty if it has no place."""
    match failed_statement(reading), _sizes_of_both(reading):
        case ast.Assign(targets=[ast.Subscript() as target, *_], value=value), (place, put) if reading.size(
            "axis"
        ) < len(place):
            before = ":, " * max(reading.size("axis") - (len(place) - len(put)), 0)
        case _:
            return ""
    written = ast.unparse(value)
    if right > left:
        binds = isinstance(value, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
        return f"{ast.unparse(target)} = {written if binds else f'({written})'}[{before}:{left}]"
    if not _is_view(target):
        return ""
    before = ":, " * reading.size("axis")
    return f"{ast.unparse(target)}[{before}:{right}] = {written}"


def _place_for_value(reading: Reading) -> str:
    """Return the line that makes the array for values such as the line puts into it; empty if the line puts none into a step of it."""
    match failed_statement(reading), _sizes_of_both(reading):
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=array), slice=index)]), (place, value):
            pass
        case _:
            return ""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    are_steps = all(_is_number_or_all(one) for one in parts) and not all(isinstance(one, ast.Slice) for one in parts)
    if len(place) != len(value) or len(value) < 2 or not are_steps or 1 in value:
        return ""
    rest = iter(value)
    sizes = [
        f"{array}.size({at})" if not isinstance(one, ast.Slice) else str(next(rest, "")) for at, one in enumerate(parts)
    ]
    return f"{array} = torch.zeros({', '.join([*sizes, *map(str, rest)])})"


def _place_on_second_axis(reading: Reading) -> str:
    """Return the reader's line with its step on the second axis, where the value has another first size; else an empty text."""
    match failed_statement(reading), _sizes_of_both(reading):
        case ast.Assign(targets=[ast.Subscript() as target, *_], value=value), (place, put):
            is_step = _STEP.search(ast.unparse(target)) and len(place) == len(put) > 1 and place[1:] == put[1:]
            step = ast.unparse(target.slice)
            return f"{ast.unparse(target.value)}[:, {step}] = {ast.unparse(value)}" if is_step else ""
    return ""


def _is_number_or_all(node: ast.expr) -> bool:
    """Whether an index is that of a step, by a number or the name of a loop, or takes a whole axis."""
    if isinstance(node, ast.Slice):
        return node.lower is None and node.upper is None and node.step is None
    return isinstance(node, ast.Constant) or isinstance(node, ast.Name) and len(node.id) <= LONGEST_INDEX


def _is_view(target: ast.Subscript) -> bool:
    """Whether a part of the target is a part of its array too; an index by an array copies."""
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    return all(
        isinstance(one, ast.Slice) or isinstance(one, ast.Constant) and isinstance(one.value, int) for one in parts
    )


def _with_positions(facts: Facts) -> str:
    if facts.positions == "table":
        return f"x = x[{':, ' * facts.axis}:{facts.right}]   # if the first {facts.right} steps are enough; else a table of {facts.left} rows or more"
    most = _RESERVED.get(facts.right, facts.right)
    return (
        f'inputs = tokenizer(texts, truncation=True, max_length={most}, padding=True, return_tensors="pt")\n'
        f"input_ids, attention_mask = input_ids[:, :{most}], attention_mask[:, :{most}]   # in its place, if the text is tokens already"
    )


def facts_of_places(reading: Reading, axis: int, left: int, right: int) -> dict[str, object]:
    """Return the facts of `OF_PLACES`."""
    return {
        "is_place": "expanded" in reading.message,
        "positions": _positions(reading),
        "put": _fitting_assignment(reading, left, right),
        "place_anew": _place_for_value(reading),
        "moved": _place_on_second_axis(reading),
    }


# How people name a step in a loop over steps.
_STEP = re.compile(r"\[(?:t|ti|tt|step|time_?step|di)\]")

OF_PLACES: Rules = first_of(
    sure(
        "indexing",
        reason("put-into-step", "axis", "left", "right"),
        when=lambda f: f.is_place and f.moved,
        own="moved",
        note="if axis 1 has the steps, as in (batch, steps, units)",
    ),
    sure(
        "broadcast",
        reason("put-into-part", "axis", "left", "right"),
        when=lambda f: f.is_place and f.place_anew and not f.positions,
        own="place_anew",
        note="where it is made, before the loop",
    ),
    sure("steps", reason("more-than-positions", "left", "right"), _with_positions, lambda f: f.positions),
    strong(
        "broadcast",
        reason("put-into-part", "axis", "left", "right"),
        lambda f: f"{f.put}   # if {min(f.left, f.right)} entries are enough; else make both of one size",
        lambda f: f.is_place and f.put,
    ),
)
