"""Typed calculations, such as 2·tanh(1.5) − 1, so that nobody needs a pocket calculator."""

import math
import re
from collections.abc import Callable, Mapping

# A number, the name of a function, or a sign.
TOKEN = re.compile(r"(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d{1,3})?|[a-zσ]+|\*\*|\S", re.ASCII)
SPACES = re.compile(r"\s+")
NUMBER = re.compile(r"[.,]?\d", re.ASCII)
POWERS = tuple("0123456789")


def _sigmoid(z: float) -> float:
    return 1 / (1 + math.exp(-z))


FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "tanh": math.tanh,
    "σ": _sigmoid,
    "sigmoid": _sigmoid,
    "sigma": _sigmoid,
    "exp": math.exp,
}


def calculate(text: str) -> float:
    """Return the value of a calculation with + − · / and brackets, powers, tanh, σ (also sigmoid) and exp.

    Parameters
    ----------
    text : str
        Numbers have a decimal point or comma, and powers are whole numbers up to 9, such as ^2.

    Raises
    ------
    ValueError
        If the text is no calculation.
    ZeroDivisionError
        If a divisor is 0.
    OverflowError
        If a number on the way is too large.
    """
    plain = text.lower().replace("−", "-").replace("²", "^2")
    tokens = TOKEN.findall(plain)
    # Text that is no token of its own, such as a space within a number, is no part of a calculation.
    if "".join(tokens) != SPACES.sub("", plain) or re.search(r"[\w.,]\s+[\w.,]", plain):
        raise ValueError(text)
    reader = _Reader(tokens)
    value = reader.sum()
    if reader.next:
        raise ValueError(text)
    if not math.isfinite(value):
        raise OverflowError(text)
    return value


class _Reader:
    """The tokens of a calculation, which are read from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    @property
    def next(self) -> str:
        """The next token, or an empty text at the end."""
        return self.tokens[0] if self.tokens else ""

    def take(self, *wanted: str) -> str:
        """Return the next token and go on if it is one of these; otherwise an empty text."""
        return self.tokens.pop(0) if self.next in wanted and self.tokens else ""

    def sum(self) -> float:
        value = self.product()
        while sign := self.take("+", "-"):
            term = self.product()
            value += term if sign == "+" else -term
        return value

    def product(self) -> float:
        value = self.signed()
        while sign := self.take("*", "·", "×", "/"):
            factor = self.signed()
            value = value / factor if sign == "/" else value * factor
        return value

    def signed(self) -> float:
        sign = self.take("+", "-")
        if sign:
            return -self.signed() if sign == "-" else self.signed()
        return self.power()

    def power(self) -> float:
        value = self.atom()
        if not self.take("^", "**"):
            return value
        exponent = self.next
        if exponent not in POWERS:
            raise ValueError(exponent)
        self.take(exponent)
        return float(value ** int(exponent))

    def atom(self) -> float:
        """Read a number, a function of a bracket, or a bracket."""
        if not self.tokens:
            raise ValueError
        token = self.tokens.pop(0)
        if token in FUNCTIONS or token == "(":
            if token != "(" and not self.take("("):
                raise ValueError(token)
            value = self.sum()
            if not self.take(")"):
                raise ValueError(token)
            return FUNCTIONS[token](value) if token in FUNCTIONS else value
        if not NUMBER.match(token):
            raise ValueError(token)
        return float(token.replace(",", "."))
