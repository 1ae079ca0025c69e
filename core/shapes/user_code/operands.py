"""The operands of a sum or a product entry by entry in the reader's line: masks, parameters and states, by their names."""

import ast
import re
from collections.abc import Iterable

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.shape_inference.array_shapes import places_in
from core.shapes.user_code.changed_calls import line_with, with_expression
from core.shapes.user_code.evidence import (
    failed_operation,
    failed_statement,
    is_named_as_state,
    is_product_of_entries,
    layers_of_sum,
    nodes_of_line,
)
from core.shapes.user_code.operations import WEIGHTS, is_bias, is_stored, product_of, weights_in
from core.shapes.user_code.syntax_trees import argument, attribute_of, function_of, last_name, root_of

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


def may_be_made(reading: Reading) -> bool:
    """Whether a term of the reader's line may be a bias or a state, which is made for a size, or is made from one."""
    own = failed_operation(reading)
    terms = [own.names[name] for name in "ab" if own is not None and name in own.names]
    names = [one for term in terms for one in ast.walk(term) if isinstance(one, ast.Name | ast.Attribute)]
    return not terms or any(is_bias(one) or is_named_as_state(one) for one in names)


_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def parts_in_place(reading: Reading) -> tuple[str, str, str] | None:
    """Return the array that the reader's line changes in place, the sign, and the other operand; None if it is another operation."""
    own = failed_operation(reading)
    node = failed_statement(reading) if "output operand" in reading.message else own and own.node
    if not isinstance(node, ast.AugAssign) or type(node.op) not in _SIGNS:
        return None
    is_one = is_stored(node.value) or isinstance(node.value, ast.Call)
    value = ast.unparse(node.value)
    return ast.unparse(node.target), _SIGNS[type(node.op)], value if is_one else f"({value})"


_OF_UPDATE = re.compile(r"(?:m|v|mem|cache|param|weight|theta|velocity|momentum|w|p)(?:s|_?\w{0,3})?$", re.IGNORECASE)
_OF_GRADIENT = re.compile(r"d_?(?:param|p|w|theta|[A-Z])\w{0,5}$|[gG]rad\w{0,8}$|g$")


def updates_parameter(reading: Reading) -> tuple[str, bool]:
    """Return the gradient by which the reader's line changes a parameter, or a memory of it, in place, and whether it is any of several.

    The name is empty if the line changes something else.
    """
    own = failed_operation(reading)
    if own is None or not isinstance(own.node, ast.AugAssign):
        return "", False
    target, given = (
        own.node.target,
        [one for one in ast.walk(own.node.value) if isinstance(one, ast.Name | ast.Attribute)],
    )
    names = [ast.unparse(one) for one in given if _OF_GRADIENT.match(last_name(one))]
    is_any = isinstance(target, ast.Name) and bool(_OF_UPDATE.match(target.id)) or isinstance(target, ast.Subscript)
    return (names[0], is_any) if names and (is_any or WEIGHTS.search(ast.unparse(target))) else ("", False)


# Functions that take an axis away.
_REDUCES = {"sum", "mean", "max", "min", "std", "var", "amax"}


def _loses_axis(node: ast.expr) -> bool:
    """Whether an expression is a reduction over an axis that it does not keep."""
    is_one = function_of(node) in _REDUCES and argument(node, "axis") is not None
    return is_one and argument(node, "keepdims") is None


def with_axes_inserted(reading: Reading, left: Shape, right: Shape) -> tuple[str, Shape, str]:
    """Return the operand that matches the other one with axes of 1 in between, its shape then, and the line; empty if none does."""
    name, fewer, more = ("b", right, left) if len(right) < len(left) else ("a", left, right)
    own = failed_operation(reading)
    nodes = {one: own.names[one] for one in "ab" if own is not None and one in own.names}
    index = places_in(fewer, more) if len(fewer) < len(more) else ""
    if own is not None and isinstance(own.node, ast.Compare) and len(left) == len(right) == 1:
        # Steps are compared with one number for each sequence.
        ranges = [one for one, node in nodes.items() if function_of(node) == "arange"]
        name, index, fewer = (
            ("b", ":, None", right) if ranges == ["a"] else ("a", ":, None", left) if ranges else ("", "", ())
        )
    if not index:
        return "", (), ""
    sizes = iter(fewer)
    shape = tuple(1 if one == "None" else next(sizes) for one in index.split(", ")) + tuple(sizes)
    node = nodes.get(name)
    if node is None:
        return name, shape, f"{name} = {name}[{index}]"
    code = ast.unparse(node)
    new = f"{f'({code})' if isinstance(node, ast.BinOp) else code}[{index}]"
    if _loses_axis(node):
        new = f"{code[:-1]}, keepdims=True)"
    return code if is_stored(node) else name, shape, line_with(reading, node, new)


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
                found.append((ast.unparse(call), f"{attribute_of(array, 'unsqueeze')}({axis})", at))
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


_STEP = re.compile(r"([xe]|emb|inp|inputs?|seq)_?t")
_SEQUENCE = re.compile(r"[xX]s?|emb\w*|inp|inputs?|seq")


def with_step_of_term(reading: Reading, axis: int) -> str:
    """Return the line that takes a step of the x which a term of the reader's sum multiplies; empty if none has its name."""
    own = failed_operation(reading)
    for part in [own.names[name] for name in "ab" if own is not None and name in own.names]:
        x = (product_of(part) or {}).get("A") or argument(part, at=0)
        if isinstance(x, ast.Name) and (step := _STEP.fullmatch(x.id)):
            return (
                f"{x.id} = {step[1]}[:, t]   # where the loop takes a step, if the first axis of {step[1]} is the batch"
            )
        if isinstance(x, ast.Name) and axis and _SEQUENCE.fullmatch(x.id):
            return f"{line_with(reading, x, f'{x.id}[:, t]')}   # one step, if {x.id} has all steps, and t counts them in a loop"
    return ""


def with_other_half(reading: Reading, left: int, right: int) -> tuple[str, str]:
    """Return the array whose last axis the reader's sum cuts in two, and the line with the other half of it.

    Both are empty if the operands are no half and whole of one array.
    """
    own = failed_operation(reading)
    if own is None or not isinstance(node := own.node, ast.BinOp):
        return "", ""
    pair = ((node.left, left), (node.right, right))
    for (part, size), (other, whole) in (pair, pair[::-1]):
        match part:
            case ast.Subscript(value=array, slice=ast.Tuple(elts=[*before, ast.Slice(step=None) as cut])):
                name = ast.unparse(array)
                if ast.unparse(root_of(other)) != name or (cut.lower is None) == (cut.upper is None):
                    continue
                if whole == 2 * size and ast.unparse(other) in (name, f"{name}[:]"):
                    rest = ast.Tuple([*before, ast.Slice(cut.upper, cut.lower)], ast.Load())
                    halves = [part, ast.Subscript(array, rest, ast.Load())][:: 1 if part is node.left else -1]
                    return name, line_with(reading, node, ast.unparse(ast.BinOp(halves[0], node.op, halves[1])))
    return "", ""


def state_of_sum(reading: Reading) -> tuple[str, bool]:
    """Return the state that one of two added layers is given, such as h in self.W(x) + self.U(h), and whether by the left one."""
    own = failed_operation(reading)
    terms = [(name, own.names[name]) for name in "ab" if own is not None and name in own.names]
    if layers_of_sum(reading) is not None:
        given = [(name, part.args[0]) for name, part in terms if isinstance(part, ast.Call) and part.args]
    else:
        products = [(name, product) for name, part in terms if (product := product_of(part))]
        given = [(name, one["A"]) for name, one in products if weights_in(one) == "B"]
        if any(isinstance(one, ast.Subscript) for _, one in given):
            return "", False  # a step of an array, by an index
    named = [(name, one) for name, one in given if is_stored(one) and (is_named_as_state(one) or last_name(one) == "H")]
    states = [(ast.unparse(one), name == "a") for name, one in named]
    return states[0] if len(states) == 1 and len(given) == 2 else ("", False)
