"""The operands of a sum or a product entry by entry in the reader's line: masks, parameters and states, by their names."""

import ast
import copy
import re
from collections.abc import Iterable

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import keyword, line_with, with_expression
from core.shapes.user_code.evidence import (
    calls_of_line,
    failed_operation,
    failed_statement,
    is_named_as_state,
    is_product_of_entries,
    layers_of_sum,
    nodes_of_line,
)
from core.shapes.user_code.operations import is_bias, is_stored, root_of
from core.shapes.user_code.syntax_trees import function_of

_PARAMETER = re.compile(r"self\.(?:\w{0,30}(?:weight|gamma|beta|scale|bias|alpha)\w{0,10}|b(?:_\w{1,8})?)$")


def is_sum_of_entries(reading: Reading) -> bool:
    """Whether the reader's line adds entry by entry where it failed, as a residual connection does."""
    own = failed_operation(reading)
    return own is not None and isinstance(own.node, ast.BinOp) and isinstance(own.node.op, ast.Add)


def computed_parts(reading: Reading) -> str:
    """Return the names of two terms of the reader's line that are neither biases nor states, such as "xz and hz"; empty if one may be."""
    own = failed_operation(reading)
    terms = [own.names[name] for name in "ab" if own and isinstance(own.names.get(name), ast.Name)]
    is_other = any(is_bias(one) or is_named_as_state(one) for one in terms)
    return "" if len(terms) != 2 or is_other else " and ".join(map(ast.unparse, terms))


_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def parts_in_place(reading: Reading) -> tuple[str, str, str] | None:
    """Return the array that the reader's line changes in place, the sign, and the other operand; None if it is another operation."""
    own = failed_operation(reading)
    if own is None or not isinstance(own.node, ast.AugAssign):
        return None
    value = ast.unparse(own.node.value)
    is_one = is_stored(own.node.value) or isinstance(own.node.value, ast.Call)
    return ast.unparse(own.node.target), _SIGNS[type(own.node.op)], value if is_one else f"({value})"


_OF_UPDATE = re.compile(r"(?:m|v|mem|cache|param|weight|theta|velocity|momentum|w|p)(?:s|_?\w{0,3})?$", re.IGNORECASE)
_OF_GRADIENT = re.compile(r"d_?(?:param|p|w|theta|[A-Z])\w{0,5}$|[gG]rad\w{0,8}$|g$")


def updates_parameter(reading: Reading) -> bool:
    """Whether the reader's line changes any of several parameters, or a memory of it, in place by its gradient."""
    own = failed_operation(reading)
    if own is None or not isinstance(own.node, ast.AugAssign):
        return False
    given = {one.id for one in ast.walk(own.node.value) if isinstance(one, ast.Name)}
    is_any = isinstance(own.node.target, ast.Name) and bool(_OF_UPDATE.match(own.node.target.id))
    return any(map(_OF_GRADIENT.match, given)) and (is_any or isinstance(own.node.target, ast.Subscript))


def with_eye_of_size(reading: Reading, left: Shape, right: Shape) -> str:
    """Return the reader's line with an identity of the size of the other term; empty if it has none."""
    calls = calls_of_line(reading, "eye", "identity")
    if len(calls) != 1 or not len(left) == len(right) == 2 or left[0] != left[1] or not calls[0].args:
        return ""
    return line_with(reading, calls[0], f"{ast.unparse(calls[0].func)}({left[0]})")


# Functions that take an axis away.
_REDUCES = {"sum", "mean", "max", "min", "std", "var", "amax"}


def with_axis_kept(reading: Reading, left: Shape, right: Shape) -> str:
    """Return the reader's line with keepdims where an operand is a reduction of an axis; empty if it is none."""
    own, names = failed_operation(reading), "ba" if len(left) > len(right) else "ab"
    reduced = own.names.get(names[0]) if own is not None and abs(len(left) - len(right)) == 1 else None
    if not isinstance(reduced, ast.Call) or function_of(reduced) not in _REDUCES:
        return ""
    if not any(one.arg == "axis" for one in reduced.keywords) or any(one.arg == "keepdims" for one in reduced.keywords):
        return ""
    kept = copy.deepcopy(reduced)
    kept.keywords.append(keyword("keepdims", "True"))
    return line_with(reading, reduced, ast.unparse(kept))


def beside(reading: Reading, axis: int) -> str:
    """Return the reader's line with the unsqueeze of one operand at this axis; empty if it is there, or if there are none or more."""
    own, line = failed_operation(reading), failed_statement(reading)
    if line is not None and axis < 1:
        return _beside_other_term(line)
    if own is None or line is None:
        return ""
    found = []
    for name in "ab":
        match own.names.get(name):
            case (
                ast.Call(func=ast.Attribute(value=array, attr="unsqueeze"), args=[ast.Constant(value=int(at))]) as call
            ):
                found.append((ast.unparse(call), f"{ast.unparse(array)}.unsqueeze({axis})", at))
    if len(found) != 1 or found[0][2] == axis:
        return ""
    return ast.unparse(line).replace(found[0][0], found[0][1], 1)


def _terms(node: ast.AST | None) -> list[ast.expr]:
    """Return the terms of a sum of several arrays."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return [*_terms(node.left), node.right]
    return [node] if isinstance(node, ast.expr) else []


def _beside_other_term(line: ast.stmt) -> str:
    """Return a sum of three terms with an axis for the array beside an array of self, at the other place than in the third term."""
    terms = _terms(getattr(line, "value", None))
    plain = [one for one in terms if isinstance(one, ast.Name)]
    of_self = [one for one in terms if isinstance(one, ast.Attribute) and ast.unparse(one).startswith("self.")]
    added = [one for one in terms if function_of(one) == "unsqueeze"]
    if [len(terms), len(plain), len(of_self), len(added)] != [3, 1, 1, 1]:
        return ""
    (at,) = [ast.unparse(one) for one in getattr(added[0], "args", ())] or [""]
    other = {"1": "2", "2": "1"}.get(at)
    return with_expression(line, plain[0], f"{plain[0].id}.unsqueeze({other})") if other else ""


def table_of_steps(reading: Reading, axis: int, left: int, right: int) -> str:
    """Return the reader's sum with as many steps of an array of self as the other term has; empty if that array is no longer."""
    own = failed_operation(reading)
    if own is None or not isinstance(own.node, ast.BinOp) or axis > 1:
        return ""
    longer, other = (own.names[name] for name in ("ab" if left > right else "ba"))
    is_table = isinstance(longer, ast.Attribute) and ast.unparse(longer).startswith("self.")
    if not is_table or not is_stored(other) or _PARAMETER.match(ast.unparse(longer)) or is_named_as_state(longer):
        return ""
    steps = f"{ast.unparse(other)}.size({axis})"
    index = f"[..., :{steps}, :]" if axis else f"[:{steps}]"
    return line_with(reading, longer, ast.unparse(longer) + index)


def mask_of_product(reading: Reading) -> str:
    """Return the name of the mask by which the reader's line multiplies entry by entry; empty if there is none."""
    own = failed_operation(reading)
    name = ast.unparse(root_of(own.names["b"])) if own and is_product_of_entries(reading) else ""
    return name if "mask" in name.lower() else ""


def parameter_of_entries(reading: Reading) -> tuple[str, bool]:
    """Return the parameter of a layer that the reader's line adds, or multiplies by, and whether it is the left operand."""
    own = failed_operation(reading)
    named = [(name, ast.unparse(own.names[name])) for name in "ab" if own and name in own.names]
    found = [(one, name == "a") for name, one in named if _PARAMETER.match(one)]
    return found[0] if len(found) == 1 else ("", False)


def _masks(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names of masks among these nodes."""
    return {one.id for one in nodes if isinstance(one, ast.Name) and "mask" in one.id.lower()}


def only_mask(reading: Reading) -> str:
    """Return the only name of a mask in the reader's line; empty if it has none, or more."""
    named = _masks(nodes_of_line(reading))
    return named.pop() if len(named) == 1 else ""


def mask_of_sum(reading: Reading) -> tuple[str, bool]:
    """Return the mask in one of two terms of the reader's line, and whether in the left one; without a line, of the program."""
    values = [one.value for one in reading.program if "mask" in one.code]
    value = getattr(failed_statement(reading), "value", None) if reading.own else values[-1] if values else None
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add | ast.Sub | ast.Mult):
        return "", False
    named = [_masks(ast.walk(term)) for term in (value.left, value.right)]
    if sorted(map(len, named)) != [0, 1]:
        return "", False
    return min(named[0] | named[1]), bool(named[0])


_OF_X = re.compile(
    r"(?:[Tt]ensor|zeros|ones|randn?|empty|Size|[Ss]hape|[Ii]nputs?|\bx)\b[^()\[\]\d]{0,16}[(\[]{1,2}"
    r"(\d{1,6}), ?(\d{1,6}), ?\d{1,6}[)\]]"
)


def batch_and_steps(reading: Reading) -> set[tuple[int, int]]:
    """Return the first two sizes of all shapes of three axes in a text whose layers take the batch first."""
    if not re.search(r"batch_first ?= ?True", reading.whole):
        return set()
    return {(int(batch), int(steps)) for batch, steps in _OF_X.findall(reading.whole)}


def state_of_sum(reading: Reading) -> tuple[str, bool]:
    """Return the state that one of two added layers is given, such as h in self.W(x) + self.U(h), and whether by the left one."""
    own = failed_operation(reading)
    if own is None or layers_of_sum(reading) is None:
        return "", False
    given = [(name, part.args[0]) for name in "ab" if isinstance(part := own.names[name], ast.Call) and part.args]
    states = [(ast.unparse(one), name == "a") for name, one in given if is_stored(one) and is_named_as_state(one)]
    return states[0] if len(states) == 1 and len(given) == 2 else ("", False)
