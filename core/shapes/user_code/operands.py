"""The operands of a sum or a product entry by entry in the reader's line: masks, parameters and states, by their names."""

import ast
import re
from collections.abc import Iterable

from core.shapes.messages import Reading
from core.shapes.user_code.evidence import (
    failed_operation,
    failed_statement,
    is_named_as_state,
    is_product_of_entries,
    layers_of_sum,
    nodes_of_line,
)
from core.shapes.user_code.operations import is_bias, is_stored, root_of

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


def beside(reading: Reading, axis: int) -> str:
    """Return the reader's line with the unsqueeze of one operand at this axis; empty if it is there, or if there are none or more."""
    own, line = failed_operation(reading), failed_statement(reading)
    if own is None or line is None or axis < 1:
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
