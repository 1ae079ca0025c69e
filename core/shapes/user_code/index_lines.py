"""The reader's line with an index that the array has not: the loop around it, and the line without the axis of a batch."""

import ast
import copy
import re

from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import line_with, with_expression
from core.shapes.user_code.evidence import failed_statement
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.syntax_trees import tree_of

# How people name the numbers of words or of classes.
_OF_NUMBERS = re.compile(r"tok|word|char|(?:^|_)i(?:ds?|dx|x)s?$|indices|target|label|class|sent", re.IGNORECASE)


def loop_within(reading: Reading) -> str:
    """Return the reader's line in a loop whose index ends with the last entry of its array; empty if no loop is known.

    An index such as i + window tells how many entries the loop leaves out. The text may have the loop, and with it the start.
    """
    line = failed_statement(reading)
    found = [] if isinstance(line, ast.For | None) else [one for node in ast.walk(line) if (one := _indexed(node))]
    beyond = [one for one in found if one[2]] or found
    if len(set(beyond)) != 1 or "\n" in ast.unparse(line or ast.Pass()):
        return ""
    name, array, more = beyond[0]
    other = _on_other_axis(reading, array, name) if not more else ""
    loop = re.search(rf"\bfor {name} in range\(([^\n]{{1,80}}?)\):", reading.whole)
    if loop is None and not more:
        return other
    given = tree_of(f"f({loop[1]})") if loop else None
    call = given.value if isinstance(given, ast.Expr) else None
    parts = [ast.unparse(one) for one in call.args] if isinstance(call, ast.Call) and call.args else [""]
    parts[-1 if len(parts) < 3 else 1] = f"len({array})" + (f" - {more}" if more else "")
    return f"for {name} in range({', '.join(parts)}): {ast.unparse(line or ast.Pass())}   # the loop ends with the last entry\n{other}".strip()


def counted_below(reading: Reading, rows: int) -> str:
    """Return the lines for an index by a word's or a class's number: numbers from 0, or a row for each number.

    Empty if the reader's line has no such index, as for a one-hot vector or the probability of a target.
    """
    line = failed_statement(reading)
    is_put = isinstance(line, ast.Assign | ast.AugAssign) and isinstance(line.value, ast.Constant)
    for node in ast.walk(line or ast.Pass()):
        if not isinstance(node, ast.Subscript) or not is_stored(node.value):
            continue
        first = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
        is_put_there = is_put and isinstance(node.ctx, ast.Store) and isinstance(first, ast.Name | ast.Attribute)
        is_number = isinstance(first, ast.Name) and _OF_NUMBERS.search(first.id)
        if not is_put_there and not is_number and not isinstance(first, ast.Subscript):
            continue
        name = ast.unparse(node.value)
        own = with_expression(line, first, f"{ast.unparse(first)} - 1")
        more = f"{name} = np.zeros(({rows}, *{name}.shape[1:]))   # if {rows} numbers are right: before this line"
        return f"{own}   # if the numbers begin at 1\n{more if is_put else f'# or {name} with {rows} rows, one for each number'}"
    return ""


def step_on_other_axis(reading: Reading) -> str:
    """Return the reader's line with its only step, such as x[t], on the second axis; empty if it has none, or several."""
    nodes = ast.walk(failed_statement(reading) or ast.Pass())
    found = {one for node in nodes if (one := _indexed(node)) and not one[2]}
    return _on_other_axis(reading, *[*found][0][1::-1]) if len(found) == 1 else ""


def _on_other_axis(reading: Reading, array: str, name: str) -> str:
    """Return the reader's line with the step on the second axis; empty if it puts something there, or for a list."""
    line = failed_statement(reading)
    if line is None or reading.framework != "PyTorch" or f"{array}[{name}] =" in ast.unparse(line):
        return ""
    return f"{ast.unparse(line).replace(f'{array}[{name}]', f'{array}[:, {name}]')}   # if the first axis is the batch"


def _indexed(node: ast.AST) -> tuple[str, str, str] | None:
    """Return the name of a whole-number index, its array, and what is added to the index."""
    match node:
        case ast.Subscript(value=array, slice=ast.Name(id=name)) if is_stored(array) and len(name) <= 2:
            return name, ast.unparse(array), ""
        case ast.Subscript(
            value=array,
            slice=ast.BinOp(left=ast.Name(id=name), op=ast.Add(), right=ast.Name() | ast.Constant() as more),
        ) if is_stored(array):
            return name, ast.unparse(array), ast.unparse(more)
    return None


def without_axis_of_batch(reading: Reading) -> str:
    """Return the lines for an array that lacks the batch, of which the reader's line takes a part of each sequence.

    Empty if the line has no such index, or more than one.
    """
    line = failed_statement(reading)
    found = [
        node for node in ast.walk(line or ast.Pass()) if isinstance(node, ast.Subscript) and _is_part_of_each(node)
    ]
    arrays = {ast.unparse(one.value) for one in found}
    if len(arrays) == 1 < len(found):
        (name,) = arrays
        return f"{name} = {name}.reshape(batch_size, -1)   # where {name} is made: a row of steps for each sequence of the batch"
    if line is None or len(found) != 1:
        return ""
    array, index = ast.unparse(found[0].value), found[0].slice
    if not isinstance(index, ast.Tuple) or not isinstance(index.elts[1], ast.Slice):
        return f"{ast.unparse(line).replace(ast.unparse(found[0]), array, 1)}   # without an index, if it has one column already"
    if not is_stored(found[0].value):
        return ""
    part = copy.deepcopy(found[0])
    part.slice = index.elts[1] if isinstance(index, ast.Tuple) else index
    of_one = ast.unparse(line).replace(ast.unparse(found[0]), ast.unparse(part), 1)
    batched = f"{array} = {array}{'[None]' if reading.framework == 'NumPy' else '.unsqueeze(0)'}"
    lines = [f"{batched}   # before this line, if the batch is missing", f"{of_one}   # if it is one sequence"]
    return "\n".join(lines if "self." in ast.unparse(line) else lines[::-1])


def step_of_numbers(reading: Reading) -> str:
    """Return the reader's line with a new axis of one feature for its only step, as y[:, t, None]; empty if it takes none by name."""
    found = [
        (node, node.slice.elts)
        for node in ast.walk(failed_statement(reading) or ast.Pass())
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 3
    ]
    if len(found) != 1 or not isinstance(found[0][1][1], ast.Name) or not all(map(_is_whole, found[0][1][::2])):
        return ""
    node, (_, step, _) = found[0]
    return line_with(reading, node, f"{ast.unparse(node.value)}[:, {ast.unparse(step)}, None]")


def with_slice_of_steps(reading: Reading) -> str:
    """Return the last line of the reader's that leaves an entry of axis 0 out, as x[1:], with this slice on axis 1; empty if none does."""
    for line in reversed(reading.own):
        tree = tree_of(line.code)
        found = [
            node
            for node in ast.walk(tree or ast.Pass())
            if isinstance(node, ast.Subscript) and ast.unparse(node.slice) in ("1:", ":-1") and is_stored(node.value)
        ]
        if len(found) == 1:
            return with_expression(tree, found[0], f"{ast.unparse(found[0].value)}[:, {ast.unparse(found[0].slice)}]")
    return ""


def _is_whole(index: ast.expr) -> bool:
    return isinstance(index, ast.Slice) and index.lower is index.upper is None


def with_fewer_slices(reading: Reading, axes: int) -> str:
    """Return the reader's line with slices for an axis fewer: one of all entries is left out, or the last axis is new.

    Empty if its only index with more than these axes takes a single entry, or has no slice of all.
    """
    line = failed_statement(reading) or ast.Pass()
    found = [
        (node, node.slice.elts)
        for node in ast.walk(line)
        if isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Load)
        and isinstance(node.slice, ast.Tuple)
        and len(node.slice.elts) == axes + 1
        and all(isinstance(one, ast.Slice) for one in node.slice.elts)
    ]
    if len(found) != 1:
        return ""
    node, given = found[0]

    def indexed(elts: list[ast.expr]) -> str:
        part = copy.deepcopy(node)
        part.slice = ast.Tuple(elts, ast.Load()) if len(elts) > 1 else elts[0]
        return ast.unparse(line).replace(ast.unparse(node), ast.unparse(part), 1)

    lines = []
    if _is_whole(given[0]):
        lines.append(f"{indexed(given[1:])}   # if the batch is missing, or the rows are flat")
    if _is_whole(given[-1]) and not all(map(_is_whole, given)):
        lines.append(f"{indexed([*given[:-1], ast.Constant(None)])}   # if each step is one number: an axis of 1")
    return "\n".join(lines)


def _is_part_of_each(node: ast.Subscript) -> bool:
    """Whether an index takes a part of the second axis, as in captions[:, :-1]."""
    match node.slice:
        case ast.Tuple(elts=[ast.Slice(lower=None, upper=None), ast.Slice() | ast.Constant(value=0)]):
            return True
    return False


def with_last_index(reading: Reading, axis: int, got: int, size: int) -> str:
    """Return the reader's line with the last entry of an axis in place of one that it has not; empty if no number is that one."""
    line = copy.deepcopy(failed_statement(reading))
    found: list[ast.Constant] = []
    for node in ast.walk(line or ast.Pass()):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            at = parts[axis] if axis < len(parts) else None
            found += [at] if isinstance(at, ast.Constant) and type(at.value) is int and at.value == got else []
    if line is None or len(found) != 1 or size < 1:
        return ""
    found[0].value = size - 1
    return f"{ast.unparse(line)}   # {'the only entry' if size == 1 else f'the last of {size}'}"
