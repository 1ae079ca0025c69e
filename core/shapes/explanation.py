"""An explanation of an error: codes and values, without any sentence."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NamedTuple

from core.shapes.layer_shapes import GivenSizes, LayerSizes, Shape
from core.shapes.user_code.traceback_lines import UserLine

# The code of each cause, which names the rule that is broken.
MISTAKES = (
    "shared-cell",
    "layers-directions",
    "batch-first",
    "batch-size",
    "unbatched",
    "state-tuple",
    "input-size",
    "hidden-size",
    "return-sequences",
    "transpose",
    "inner-dimension",
    "concatenate-axis",
    "broadcast",
    "checkpoint",
    "swapped-arguments",
    "reshape",
    "class-axis",
    "class-targets",
    "embedding",
    "sorted-lengths",
    "packed",
    "lengths",
    "flattened",
    "indexing",
    "index-range",
    "split",
    "initializer",
    "shifted-targets",
    "ragged",
    "contiguous",
    "weight-tying",
    "scaler",
    "steps",
    "inputs",
    "one-number",
    "list",
    "symbolic",
    "argument",
)


class Fit(IntEnum):
    """How well a cause fits the sizes. Causes of the same fit stand side by side."""

    REMOTE = 3
    WEAK = 4
    POSSIBLE = 5
    PLAUSIBLE = 6
    LIKELY = 7
    STRONG = 8
    SURE = 9


class Statement(NamedTuple):
    """A sentence by its code, and the values of its placeholders."""

    code: str
    values: Mapping[str, Any] = {}


class Cause(NamedTuple):
    """A mistake that may be the cause.

    Attributes
    ----------
    code : str
        One of MISTAKES.
    fit : Fit
    why : tuple of Statement
        Why the sizes point to it.
    change : str
        The line to change, in the reader's framework. Several lines are several ways out, each with its condition in a
        comment; words behind a ``#`` stand where no line is known.
    conform : mapping from str to Shape
        The shapes that would conform, by the code of what has them.
    own : str
        The changed line in the names of the reader's program; empty if the text has no such line.
    """

    code: str
    fit: Fit
    why: tuple[Statement, ...]
    change: str
    conform: Mapping[str, Shape]
    own: str = ""

    @property
    def lines(self) -> list[str]:
        """The advised lines, in the reader's names if the text has them."""
        return (self.own or self.change).splitlines()


class Explanation(NamedTuple):
    """A reading of an error, and its possible causes.

    Attributes
    ----------
    framework : str
        Empty if the message does not tell it.
    operation : Statement, optional
        The operation that failed; None if the message was not understood.
    message : str
        The words that were read; empty in an explanation by `check`.
    sizes : mapping from str to int
        The known sizes by letter or code: m, k, layers, directions, batch, T and so on.
    causes : tuple of Cause
        The best first; empty if all conforms, or if the message was not understood.
    notes : tuple of Statement
        Further remarks, such as on an implausible size.
    layer : LayerSizes, optional
        The layer as far as it is known, with stand-ins for the rest.
    given : GivenSizes, optional
        The inputs of the layer.
    product : (Shape, Shape), optional
        The two matrices of a product that failed; -1 stands for an unknown size.
    cells : tuple of str
        The cell that the message names, or all that it may be about.
    own : UserLine, optional
        The line of the reader's program that failed, if the text has one.
    """

    framework: str
    operation: Statement | None
    message: str
    sizes: Mapping[str, int]
    causes: tuple[Cause, ...] = ()
    notes: tuple[Statement, ...] = ()
    layer: LayerSizes | None = None
    given: GivenSizes | None = None
    product: tuple[Shape, Shape] | None = None
    cells: tuple[str, ...] = ()
    own: UserLine | None = None

    @property
    def is_understood(self) -> bool:
        """Whether anything was read."""
        return self.operation is not None

    @property
    def best(self) -> tuple[Cause, ...]:
        """The causes with the largest fit."""
        return tuple(cause for cause in self.causes if cause.fit == self.causes[0].fit)

    @property
    def others(self) -> tuple[Cause, ...]:
        """The causes of a smaller fit that have a line; without one they would say the message once more."""
        rest = self.causes[len(self.best) :]
        return tuple(cause for cause in rest if any(not line.startswith("#") for line in cause.lines))

    @property
    def repaired_product(self) -> tuple[Shape, Shape] | None:
        """The product with the matrix that the best cause asks for; None if that does not conform either."""
        if not self.product or not self.causes:
            return None
        conform = self.causes[0].conform
        left, right = (
            tuple(new if new > 0 else old for new, old in zip(conform.get(name, was), was))
            for name, was in zip("AB", self.product)
        )
        return (left, right) if left[-1] == right[0] else None
