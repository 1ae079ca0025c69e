"""The rules of query parameters: the values that each can have, and their description for the reader."""

from dataclasses import dataclass
from typing import Protocol

SMALL_SIZE, LARGEST_SIZE = 32, 512
LARGEST_FILL = 1000.0


class ValueRule(Protocol):
    """The values that a query parameter can have; `str` describes them to the reader."""

    def allows(self, text: str) -> bool:
        """Whether the parameter can have this text."""


@dataclass(frozen=True)
class Number:
    """The rule of a number between two bounds."""

    low: float
    high: float
    whole: bool = False

    def allows(self, text: str) -> bool:
        try:
            value = float(text)
        except ValueError:
            return False
        return self.low <= value <= self.high and (not self.whole or value.is_integer())

    def __str__(self) -> str:
        template = "a whole number from {:.10g} to {:.10g}" if self.whole else "a number from {:.10g} to {:.10g}"
        return template.format(self.low, self.high)


@dataclass(frozen=True)
class OneOf:
    """The rule of one of several options."""

    options: tuple[str, ...]
    rule: str = ""

    def allows(self, text: str) -> bool:
        return text in self.options

    def __str__(self) -> str:
        return self.rule or f"one of {', '.join(self.options)}"


@dataclass(frozen=True)
class SomeOf:
    """The rule of one or more different options with commas."""

    options: tuple[str, ...]
    most: int

    def allows(self, text: str) -> bool:
        chosen = text.split(",")
        return len(chosen) <= self.most and len({*chosen}) == len(chosen) and {*chosen} <= {*self.options}

    def __str__(self) -> str:
        return f"1 to {self.most} of {', '.join(self.options)}, with commas"


@dataclass(frozen=True)
class Word:
    """The rule of a short text of printable characters."""

    longest: int

    def allows(self, text: str) -> bool:
        return 0 < len(text) <= self.longest and text.isprintable()

    def __str__(self) -> str:
        return f"1 to {self.longest} printable characters"


@dataclass(frozen=True)
class Sizes:
    """The rule of a shape such as 5,3,10, which may be empty."""

    least: int
    most: int
    may_be_empty: bool = True
    longest = 40

    @property
    def pattern(self) -> str:
        """The regular expression of the shapes that a field takes. A link may also have 5.0 for 5."""
        size = f" *0*(?:[1-9][0-9]{{0,{len(str(SIZE_OF_LAYER.high)) - 2}}}|{SIZE_OF_LAYER.high}) *"
        return f"{size}(?:,{size}){{{self.least - 1},{self.most - 1}}}"

    def allows(self, text: str) -> bool:
        sizes = text.split(",") if text else []
        if not sizes:
            return self.may_be_empty
        return self.least <= len(sizes) <= self.most and all(SIZE_OF_LAYER.allows(size) for size in sizes)

    def __str__(self) -> str:
        many = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"{many} sizes from {SIZE_OF_LAYER.low} to {SIZE_OF_LAYER.high}, with commas, such as 5,3"


SIZE = Number(1, LARGEST_SIZE, whole=True)
FILL = Number(-LARGEST_FILL, LARGEST_FILL)
FLAG = OneOf(("true", "false"))
SIZE_OF_LAYER = Number(1, 10**6, whole=True)
