"""Typed calculations, such as 2·tanh(1.5) − 1, so that nobody needs a pocket calculator."""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping

NUMBER = re.compile(r"(?<![\w.,])(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d{1,3})?", re.ASCII)
# Text that Python reads and the page does not, with 0 in the place of each number: other signs, 0x7, a space in a number, and other powers.
OTHER = re.compile(r"[^\w\s.()+*/^-]|_|\d\w|\w\d|[\w.]\s+[\w.]|//|\*\*")
LARGEST_POWER = 9
SYMBOLS = {"−": "-", "²": "^2", "·": "*", "×": "*"}


def _sigmoid(z: float) -> float:
    # exp(-z) would be too large for -1000.
    return (1 + math.tanh(z / 2)) / 2


FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "tanh": math.tanh,
    "σ": _sigmoid,
    "sigmoid": _sigmoid,
    "sigma": _sigmoid,
    "exp": math.exp,
}
OPERATIONS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def calculate(text: str) -> float:
    """Return the value of a calculation with + − · / and brackets, powers, tanh, σ (also sigmoid), exp and e.

    Parameters
    ----------
    text : str
        Numbers have a decimal point or comma, and powers are whole numbers up to 9, such as ^2.
        The powers of e are any numbers.

    Raises
    ------
    ValueError
        If the text is no calculation.
    ZeroDivisionError
        If a divisor is 0.
    OverflowError
        If a number on the way is too large.
    """
    plain = " ".join(text.lower().split()).replace("**", "^")
    for symbol, code in SYMBOLS.items():
        plain = plain.replace(symbol, code)
    if OTHER.search(NUMBER.sub("0", plain)):
        raise ValueError(text)
    # Python reads no decimal comma, and no number such as 007.
    plain = NUMBER.sub(lambda match: re.sub(r"^0+(?=\d)", "", match[0].replace(",", ".")), plain).replace("^", "**")
    try:
        value = _value(ast.parse(plain, mode="eval").body)
    except (SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError(text) from error
    if not math.isfinite(value):
        raise OverflowError(text)
    return value


def _value(node: ast.expr) -> float:
    match node:
        case ast.Constant(int() | float() as number):
            return float(number)
        case ast.UnaryOp(ast.USub(), of):
            return -_value(of)
        case ast.UnaryOp(ast.UAdd(), of):
            return _value(of)
        case ast.Name("e"):
            return math.e
        case ast.BinOp(ast.Name("e"), ast.Pow(), power):
            return math.exp(_value(power))
        case ast.BinOp(base, ast.Pow(), ast.Constant(int() as power)) if power <= LARGEST_POWER:
            return float(_value(base) ** power)
        case ast.BinOp(left, sign, right) if type(sign) in OPERATIONS:
            return OPERATIONS[type(sign)](_value(left), _value(right))
        case ast.Call(ast.Name(name), [of], []) if name in FUNCTIONS:
            return FUNCTIONS[name](_value(of))
    raise ValueError(ast.unparse(node))
