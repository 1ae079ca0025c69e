"""Changes of the reader's line after which two operands fit, if they have the axes that their names and their place in it tell."""

import ast
import copy
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.sums.probable_axes import (
    BATCH,
    FEATURES,
    MASK,
    NAMES_OF_AXES,
    OTHER,
    PLACES,
    STEPS,
    Axes,
    axes_of,
    improbable,
    kind_of,
)
from core.shapes.shape_inference import array_shapes as shapes
from core.shapes.shape_inference.array_shapes import Array
from core.shapes.shape_inference.expressions import INDEX
from core.shapes.shape_inference.library_calls import ALIKE, OF_ENTRIES, REDUCTIONS
from core.shapes.shape_inference.program import ShapeTracer
from core.shapes.user_code.changed_calls import keyword
from core.shapes.user_code.elementwise_operands import entries_of
from core.shapes.user_code.evidence import failed_operation, failed_statement
from core.shapes.user_code.syntax_trees import argument, expression, function_of, is_of_module

# They bound the time.
MOST_COMBINATIONS = 160
MOST_TRIED = 8
DEEPEST = 3
_MOST_OPERATIONS = 4
# How much more improbable it is that two sizes of one kind differ than that an axis lacks.
_DIFFERS = {FEATURES: 0.4, STEPS: 0.9}
# Longer axes have words, or all entries of a data set.
_LONGEST = 5000
_IN_OTHER_AXES = {"unsqueeze", "squeeze", "transpose", "permute", "swapaxes", "t", "reshape", "view", "flatten"}
_METHODS = ALIKE | REDUCTIONS | OF_ENTRIES | _IN_OTHER_AXES | {"size"}
_STATEMENTS = ast.Assign | ast.AugAssign | ast.Return | ast.Expr


_Place = tuple[Any, ...]


def _place(node: ast.AST) -> _Place:
    """Return the kind of a node, and where it stands in the line."""
    return type(node), *(getattr(node, name, None) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"))


class Fitting(NamedTuple):
    """A change of the reader's line: the line, the operands with the axes that they have, and how improbable these are.

    Attributes
    ----------
    line : str
    operands : (str, str)
        Their code.
    axes : (Shape, Shape)
        With the sizes of `probable_axes`.
    met : (int, int)
        The sizes that do not match.
    cost : float
    """

    line: str
    operands: tuple[str, str]
    axes: tuple[Shape, Shape]
    met: tuple[int, int]
    cost: float


class _Leaves(ast.NodeTransformer):
    """Names in the place of the arrays that a line combines, by operations whose shapes are known."""

    def __init__(self, operation: _Place) -> None:
        self.of_name: dict[str, ast.expr] = {}
        self.operation = operation

    def visit(self, node: ast.AST) -> Any:
        match node:
            case ast.Call() if self._is_followed(node):
                if isinstance(node.func, ast.Attribute) and not is_of_module(node):
                    node.func.value = self.visit(node.func.value)
                node.args = [self.visit(one) for one in node.args]
                return node
            case ast.Subscript(slice=ast.Constant(value=str())):  # batch["x"]
                return ast.copy_location(self.named(node), node)
            case ast.Subscript(value=value):
                node.value = self.visit(value)
                for part in ast.walk(node.slice):
                    if isinstance(part, ast.Slice):
                        self.generic_visit(part)
                return node
            case ast.Attribute(value=value, attr="T" | "mT" | "data" | "values" | "shape") if not is_of_module(node):
                node.value = self.visit(value)
                return node
            case ast.Compare(comparators=[ast.Constant() | ast.Attribute()]) if _place(node) != self.operation:
                return ast.copy_location(self.named(node), node)
            case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()) | ast.Call():
                return ast.copy_location(self.named(node), node)
            case _:
                return self.generic_visit(node)

    def _is_followed(self, node: ast.Call) -> bool:
        """Whether a call has a known shape, or the operation within, as item() has in (a == b).sum().item()."""
        if function_of(node) in _METHODS:
            return isinstance(node.func, ast.Attribute)
        return self.operation in map(_place, ast.walk(node))

    def named(self, node: ast.expr) -> ast.Name:
        name = next((one for one, old in self.of_name.items() if ast.dump(old) == ast.dump(node)), "")
        name = name or f"_{len(self.of_name)}"
        self.of_name[name] = node
        return ast.Name(name, ast.Load())


class _Restored(ast.NodeTransformer):
    """The reader's expressions and sizes again."""

    def __init__(self, leaves: Mapping[str, ast.expr], sizes: Mapping[int, int]) -> None:
        self.leaves, self.sizes = leaves, sizes

    def visit_Name(self, node: ast.Name) -> ast.expr:  # noqa: N802 (the name that ast calls)
        return self.leaves.get(node.id, node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:  # noqa: N802
        return ast.Constant(self.sizes.get(node.value, node.value)) if type(node.value) is int else node


class _InPlace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def _with(statement: ast.stmt, old: ast.expr, new: ast.expr) -> ast.stmt:
    """Return a copy of a statement with another expression in the place of one."""
    memo = {id(old): old}
    return ast.fix_missing_locations(_InPlace(old, new).visit(copy.deepcopy(statement, memo)))


def _tracer(node: ast.AST, names: Mapping[str, Any]) -> ShapeTracer:
    """Return what follows expressions with these names; an index that is a name is that of a step."""
    tracer = ShapeTracer(ast.Module([], []), [])
    indices = [one.slice for one in ast.walk(node) if isinstance(one, ast.Subscript)]
    tracer.names |= {one.id: INDEX for one in indices if isinstance(one, ast.Name)}
    tracer.names |= names
    return tracer


def _followed(statement: ast.stmt, names: Mapping[str, Any]) -> ShapeTracer:
    tracer = _tracer(statement, names)
    tracer.trace(statement)
    return tracer


def _shape_of(node: ast.expr, names: Mapping[str, Any]) -> Shape | None:
    """Return the shape of an expression; None if it is not known, or refused."""
    value = _tracer(node, names).value(ast.fix_missing_locations(node))
    return value.shape if isinstance(value, Array) else None


def _value(axes: Any) -> Any:
    """Return the array of these axes, or the pair of arrays."""
    return tuple(map(_value, axes)) if axes and isinstance(axes[0], tuple) else Array(axes)


def _met(a: Shape, b: Shape) -> tuple[int, int, int] | None:
    """Return the last axis along which two shapes do not match, and their sizes there; None if they match."""
    rank = max(len(a), len(b))
    a, b = ((1,) * (rank - len(one)) + one for one in (a, b))
    differ = [at for at in range(rank) if a[at] != b[at] and 1 not in (a[at], b[at])]
    return (differ[-1], a[differ[-1]], b[differ[-1]]) if differ else None


# ---- what the arrays may be ------------------------------------------------------------------------


class _Supposed(NamedTuple):
    """The axes that the arrays of a line may have, by their names, and how improbable this is."""

    names: Mapping[str, Any]
    cost: float


def _combinations(
    leaves: Mapping[str, ast.expr], in_longer: set[str], in_shorter: set[str], in_mask: set[str]
) -> list[_Supposed]:
    """Return what the arrays of two operands may be, the most probable first."""
    names = sorted(in_longer | in_shorter)
    others = {name: _value(min(axes_of(leaves[name]).items(), key=lambda one: one[1])[0]) for name in leaves}
    # A table of positions is made longer than any sequence.
    is_table = bool(in_longer) and all(axes_of(leaves[name]) is PLACES for name in in_longer)
    differs = _DIFFERS | {STEPS: 0.1} if is_table else _DIFFERS
    choices: list[Axes] = [MASK if name in in_mask else axes_of(leaves[name]) for name in names]
    found = []
    for kinds in _most_probable(choices):
        cost = sum(one for _, one in kinds)
        chosen = others | {name: _value(axes) for name, (axes, _) in zip(names, kinds)}
        found.append(_Supposed(chosen, cost))
        for size, more in differs.items():
            other = chosen | {name: _with_other(chosen[name], size) for name in in_longer - in_shorter}
            if other != chosen:
                found.append(_Supposed(other, cost + more))
    return sorted(found, key=lambda one: one.cost)[:MOST_COMBINATIONS]


def _most_probable(choices: list[Axes]) -> list[tuple[tuple[tuple, float], ...]]:
    """Return the most probable choices of axes, one for each array, without a look at all of them: a line may have many arrays."""
    found: list[tuple[tuple[tuple, float], ...]] = [()]
    for axes in choices:
        longer = [(*kinds, one) for kinds in found for one in axes.items()]
        costs = [sum(cost for _, cost in kinds) for kinds in longer]
        kept = sorted(sorted(range(len(longer)), key=costs.__getitem__)[:MOST_COMBINATIONS])
        found = [longer[at] for at in kept]
    return found


def _with_other(value: Any, size: int) -> Any:
    """Return an array with another size along the axes of this one."""
    if isinstance(value, tuple):
        return tuple(_with_other(one, size) for one in value)
    return Array(tuple(OTHER[size] if one == size else one for one in value.shape))


def _names_in(node: ast.AST, leaves: Mapping[str, ast.expr]) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and one.id in leaves}


def _agrees(supposed: tuple[Shape, Shape], known: tuple[Array, Array] | None) -> bool:
    """Whether two supposed shapes may be those that the program tells: as many axes, and one size for each kind."""
    if known is None:
        return True
    sizes: dict[int, int] = {1: 1}
    for shape, array in zip(supposed, known):
        if len(shape) != len(array.shape):
            return False
        if any(sizes.setdefault(kind, size) != size or kind != 1 == size for kind, size in zip(shape, array.shape)):
            return False
    return True


# ---- what makes them fit ---------------------------------------------------------------------------


def _called(node: ast.expr, method: str, *arguments: int) -> ast.expr:
    return ast.Call(ast.Attribute(node, method, ast.Load()), [expression(str(one)) for one in arguments], [])


def _indexed(node: ast.expr, index: str) -> ast.expr:
    return ast.Subscript(node, expression(f"_[{index}]").slice, ast.Load())  # type: ignore[attr-defined]


def _with_kept_axis(node: ast.expr) -> Iterator[ast.expr]:
    """Yield an operand whose sum, mean or norm keeps its axis, or whose argmax is taken along the last one."""
    reductions = [
        one
        for one in ast.walk(node)
        if isinstance(one, ast.Call) and function_of(one) in REDUCTIONS and (one.args or one.keywords)
    ]
    if len(reductions) == 1 and function_of(reductions[0]) == "argmax":
        at = argument(reductions[0], "dim", "axis", at=int(is_of_module(reductions[0])))
        if isinstance(at, ast.Constant) and at.value == 1:  # the classes are the last axis
            yield _InPlace(at, expression("-1")).visit(copy.deepcopy(node, {id(at): at}))
    elif len(reductions) == 1 and not any(one.arg in ("keepdim", "keepdims") for one in reductions[0].keywords):
        old = reductions[0]
        yield _InPlace(old, ast.Call(old.func, old.args, [*old.keywords, keyword("keepdim", "True")])).visit(
            copy.deepcopy(node, {id(old): old})
        )


def _with_size_of_axis(node: ast.expr) -> Iterator[ast.expr]:
    """Yield an operand that is cut to the size of another axis, such as x.size(1)."""
    for old in ast.walk(node):
        match old:
            case ast.Call(func=ast.Attribute(attr="size"), args=[ast.Constant(value=0 | 1) as at]):
                pass
            case ast.Subscript(value=ast.Attribute(attr="shape"), slice=ast.Constant(value=0 | 1) as at):
                pass
            case _:
                continue
        yield _InPlace(at, ast.Constant(int(at.value == 0))).visit(copy.deepcopy(node, {id(at): at}))


def _changes(node: ast.expr, own: Shape, other: Shape, *, is_longer: bool) -> Iterator[tuple[float, ast.expr]]:
    """Yield an operand in other axes, and how much less a reader would choose each."""
    rank = len(own)
    yield from ((0.0, one) for one in (*_with_kept_axis(node), *_with_size_of_axis(node)))
    yield from ((0.05, _called(node, "unsqueeze", at if at < rank else -1)) for at in range(1, rank + 1))
    if rank == 1 and len(other) > 2:
        yield 0.1, _indexed(node, ":, None, None")
    if rank > len(other) and own[-1] == 1:
        yield 0.0, _called(node, "squeeze", -1)
    if rank > 1:
        yield 0.05 if own[0] == 1 else 0.15, _called(node, "transpose", 0, 1)
        if len(other) == 1:
            yield 0.1, _called(node, "reshape", -1)
    if own[:1] == (1,):
        yield 0.15, _indexed(node, "-1")
    if own[1:2] == (STEPS,) and len(other) == rank - 1:
        yield 0.12, _indexed(node, ":, -1")
    met = _met(own, other)
    if met is None:
        return
    axis, size, wanted = met
    if {kind_of(size), kind_of(wanted)} == {FEATURES} and axis == max(rank, len(other)) - 1:
        yield 0.2, ast.Call(expression(f"nn.Linear({size}, {wanted})"), [node], [])
    elif is_longer and abs(size - wanted) <= OTHER[STEPS] - STEPS and axis >= 1:
        at = axis - max(len(other) - rank, 0)
        # A table without a batch may have one axis more or less.
        is_table = BATCH not in own and at == rank - 2
        yield 0.1, _indexed(node, f"..., :{wanted}, :" if is_table else f"{':, ' * at}:{wanted}")


def _repaired(
    statement: ast.stmt, names: Mapping[str, Any], longer: str, depth: int = 0
) -> Iterator[tuple[float, ast.stmt]]:
    """Yield the statement with other operands, after which all its shapes match."""
    tracer = _followed(statement, names)
    if tracer.refusals:
        return
    if not tracer.mismatches:
        yield 0, statement
        return
    mismatch = tracer.mismatches[0]
    operands = entries_of(mismatch.node)
    if depth == DEEPEST or operands is None:
        return
    for name, own, other in (
        ("b", mismatch.right.shape, mismatch.left.shape),
        ("a", mismatch.left.shape, mismatch.right.shape),
    ):
        for cost, new in _changes(operands[name], own, other, is_longer=name == longer):
            shape = _shape_of(new, names)
            rank = max(len(own), len(other)) + isinstance(mismatch.node, ast.Compare)
            if shape is None or not _is_same(shapes.broadcast(shape, other), rank):
                continue
            for more, changed in _repaired(_with(statement, operands[name], new), names, longer, depth + 1):
                yield cost + more, changed


def _has_lost_batch(operand: ast.expr, shape: Shape) -> bool:
    """Whether an operand is made of an array with a batch, and lacks it."""
    return not isinstance(operand, ast.Name) and not {BATCH, BATCH * STEPS} & {*shape}


def _is_same(shape: Shape | None, rank: int) -> bool:
    """Whether a result has no more axes than the operands, and none of them twice."""
    sizes = [kind_of(one) for one in shape or () if one != 1]
    return shape is not None and len(shape) <= rank and len(set(sizes)) == len(sizes)


def fitting_lines(
    reading: Reading, axis: int, left: int, right: int, known: tuple[Array, Array] | None = None
) -> list[Fitting]:
    """Return changes of the reader's line after which its operands fit, the most probable first; empty if none is known.

    Parameters
    ----------
    reading : Reading
    axis, left, right : int
        The axis of the result, and the sizes that differ there.
    known : (Array, Array), optional
        The operands, where the program tells their shapes.
    """
    own, statement = failed_operation(reading), failed_statement(reading)
    if not isinstance(statement, _STATEMENTS) or max(left, right) > _LONGEST or min(left, right) < 1:
        return []
    if _numbers_of(statement) & NAMES_OF_AXES.keys():
        return []  # a number of the reader that stands for an axis here
    nodes = [own.node] if own is not None else [*ast.walk(statement)]
    places = [_place(one) for one in nodes if entries_of(one) is not None]
    found = [
        one for place in places[:_MOST_OPERATIONS] for one in _of_place(reading, place, (axis, left, right), known)
    ]
    return sorted(found, key=lambda one: one.cost)


def _of_place(
    reading: Reading, place: _Place, differ: tuple[int, int, int], known: tuple[Array, Array] | None
) -> list[Fitting]:
    """Return changes of the reader's line if the operation at a place of it failed."""
    (axis, left, right), statement = differ, failed_statement(reading)
    if statement is None:
        return []
    leaves = _Leaves(place)
    old = ast.unparse(statement)
    leaves.visit(statement)
    node = next((one for one in ast.walk(statement) if _place(one) == place), None)
    operands = entries_of(node) if node is not None else None
    if node is None or operands is None:
        return []
    of_both = {name: _names_in(operands[name], leaves.of_name) for name in "ab"}
    is_of_step = bool(re.search(r"\[(?::, ?)?(?:t|i|k|step)\]", old))
    longer, shorter = "ab" if left > right else "ba"
    supposed = []
    in_mask = _names_in(operands["mask"], leaves.of_name) if "mask" in operands else set()
    for one in _combinations(leaves.of_name, of_both[longer], of_both[shorter], in_mask):
        tracer = _followed(statement, one.names)
        if not tracer.mismatches or tracer.mismatches[0].node is not node:
            continue
        axes = tracer.mismatches[0].left.shape, tracer.mismatches[0].right.shape
        met = _met(*axes)
        if met is None or met[0] != axis or not _agrees(axes, known) or not _are_parts(met[1:], (left, right)):
            continue
        cost = one.cost + improbable(reading, met[1], left, right) + improbable(reading, met[2], right, left)
        supposed.append((cost + _unlikely(node, axes, met, is_of_step=is_of_step), one, axes, met[1:]))
    found: dict[Any, Fitting] = {}
    code = tuple(ast.unparse(_Restored(leaves.of_name, {}).visit(copy.deepcopy(operands[name]))) for name in "ab")
    for cost, one, axes, of_axis in sorted(supposed, key=lambda one: one[0])[:MOST_TRIED]:
        sizes = dict(zip(of_axis, (left, right)))
        only = {name: value for name, value in one.names.items() if name in of_both["a"] | of_both["b"]}
        for more, changed in [*_repaired(statement, one.names, longer)] or _repaired(statement, only, longer):
            if _numbers_of(changed) - _numbers_of(statement) - sizes.keys():
                continue  # a size that the message does not tell
            line = ast.unparse(_Restored(leaves.of_name, sizes).visit(copy.deepcopy(changed)))
            fitting = Fitting(line, (code[0], code[1]), axes, of_axis, cost + more)
            # One pair of arrays gets other axes in the simplest way; a layer may give either of two arrays their size.
            key = line if "nn.Linear(" in line and "nn.Linear(" not in old else axes
            if line != old and (key not in found or found[key].cost > fitting.cost):
                found[key] = fitting
    return list(found.values())


def _are_parts(met: tuple[int, ...], sizes: tuple[int, int]) -> bool:
    """Whether the larger size is a multiple of the smaller one wherever the supposed ones are, as that of all steps of a batch."""
    (few, many), (smaller, larger) = sorted(met), sorted(sizes)
    return bool(many % few) or not larger % smaller


def _numbers_of(statement: ast.stmt) -> set[int]:
    """Return the whole numbers in a statement that may stand for sizes."""
    numbers = {one.value for one in ast.walk(statement) if isinstance(one, ast.Constant) and type(one.value) is int}
    return {one for one in numbers if one >= BATCH}


def _unlikely(node: ast.AST, axes: tuple[Shape, Shape], met: tuple[int, int, int], *, is_of_step: bool) -> float:
    """Return how improbable it is that operands with these axes are combined so."""
    operands = entries_of(node) or {}
    cost = sum(_has_lost_batch(operands[name], shape) for name, shape in zip("ab", axes)) * 0.5
    is_same = bool({*met[1:]} & {*OTHER.values()})
    # An operand that the line gives an axis already was meant to fit.
    is_given = any("unsqueeze(" in ast.unparse(operands[name]) for name in "ab")
    # A mask or a weight that lacks the last axis multiplies, and is seldom added.
    short, long = sorted(axes, key=len)
    is_added = isinstance(getattr(node, "op", None), ast.Add) and len(short) < len(long) and long[-1] not in short
    # A mask has no more axes than its array, and a table of steps belongs to an array with steps.
    if "mask" in operands:
        cost += 0.6 * (
            len(axes["ab".index("a" if operands["mask"] is operands["a"] else "b")]) == len(long) > len(short)
        )
    is_table = any(
        STEPS in one and BATCH not in one and len(one) > 1 and BATCH in other for one, other in (axes, axes[::-1])
    )
    cost += 0.8 * (is_table and not all({STEPS, OTHER[STEPS]} & {*one} for one in axes))
    # In a loop over the steps, arrays have one step.
    in_loop = sum(STEPS in shape for shape in axes) if is_of_step else 0
    return cost + 0.8 * (is_given and not is_same) + 1.2 * is_added + 0.4 * in_loop
