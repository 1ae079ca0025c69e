"""What an explanation holds."""

from collections.abc import Mapping
from typing import NamedTuple

from core.shapes.layer import GivenSizes, LayerSizes, Shape

# Each cause by its code, with the rule that is broken.
RULES = {
    "shared-cell": "Each layer needs weights of its own. The first takes x, of m entries; every later one takes the h of the layer below, of k.",
    "layers-directions": "The first axis of a first state is layers × directions: a row of h for each.",
    "batch-first": "Layer and data must agree on which axis is the batch. The first state is (layers × directions, batch, units) in any case, with batch_first too.",
    "batch-size": "Whatever is put together at one step must be of the same sequences: the batch must be the same.",
    "unbatched": "A layer takes x with three axes, or with two if there is no batch, and a state with as many as x. A cell, which takes one step, has an axis less.",
    "state-tuple": "The state of an LSTM is the pair (h, c). That of an RNN and of a GRU is h alone.",
    "input-size": "The last axis of x must be input_size, m: the layer has a column of weights for each entry of x.",
    "hidden-size": "A state must have hidden_size entries, k, and what takes the output must be made for as many: k in one direction, 2k in two.",
    "return-sequences": "A recurrent layer takes all steps, (batch, steps, features): the recurrent layer below must return its whole sequence.",
    "transpose": "In A·B the columns of A meet the rows of B. With x as a column, W has a row for each unit; with x as a row, a column.",
    "inner-dimension": "In A·B the columns of A meet the rows of B: W must have a column for each entry of what it multiplies.",
    "concatenate-axis": "Arrays are joined along one axis, and must agree along all others. h and x are joined along the entries, not along the batch.",
    "broadcast": "What is added or multiplied entry by entry must have the same size along each axis, or 1 there.",
    "checkpoint": "Saved weights fit only a layer that was made with the same sizes.",
    "swapped-arguments": "Arguments without a name go by their place: input_size, hidden_size, num_layers; and x before the state.",
    "reshape": "A reshape keeps the number of entries: the product of the new sizes must be that of the old ones.",
    "class-axis": "A loss over classes takes them on axis 1: logits of (batch, classes), or (batch, classes, steps) with targets of (batch, steps).",
    "sorted-lengths": "pack_padded_sequence wants the longest sequence first, unless it is told that they are not sorted.",
}


class Cause(NamedTuple):
    """What may have been done wrong.

    Attributes
    ----------
    code : str
        A name of RULES.
    fit : int
        How well it fits the sizes: a larger one fits better, and equal ones fit equally well.
    why : str
        Why the sizes point to it.
    change : str
        The line to change, in the reader's framework. Several lines are several ways out, each with its condition in a
        comment; words behind a ``#`` stand where no line is known.
    conform : mapping from str to Shape
        The shapes that would conform, by what they are shapes of.
    """

    code: str
    fit: int
    why: str
    change: str
    conform: Mapping[str, Shape]

    @property
    def rule(self) -> str:
        """The rule that is broken."""
        return RULES[self.code]


class Explanation(NamedTuple):
    """What was read, and what may have been done wrong.

    Attributes
    ----------
    framework : str
        Whose message it is; empty where it does not tell.
    operation : str
        What did not conform, in words.
    message : str
        The words that were read; of `check` none.
    sizes : mapping from str to int
        What the sizes are known to be, by letter: m, k, layers, directions, batch, T and so on.
    causes : tuple of Cause
        The best first; none if all conforms, or if the message was not understood.
    notes : tuple of str
        What else must be said, such as that a size is implausible.
    layer : LayerSizes, optional
        The layer as far as it is known, with stand-ins for the rest.
    given : GivenSizes, optional
        What it was given.
    product : (Shape, Shape), optional
        The two matrices of a product that failed; -1 stands for a size that is not said.
    """

    framework: str
    operation: str
    message: str
    sizes: Mapping[str, int]
    causes: tuple[Cause, ...] = ()
    notes: tuple[str, ...] = ()
    layer: LayerSizes | None = None
    given: GivenSizes | None = None
    product: tuple[Shape, Shape] | None = None

    @property
    def is_understood(self) -> bool:
        """Whether anything was read."""
        return bool(self.operation)

    @property
    def best(self) -> tuple[Cause, ...]:
        """The causes that fit equally well, and better than all others."""
        return tuple(cause for cause in self.causes if cause.fit == self.causes[0].fit)

    @property
    def repaired_product(self) -> tuple[Shape, Shape] | None:
        """The product with the matrix in its place that the best cause asks for; none where that does not conform either."""
        if not self.product or not self.causes:
            return None
        conform = self.causes[0].conform
        left, right = (
            tuple(new if new > 0 else old for new, old in zip(conform.get(name, was), was))
            for name, was in zip("AB", self.product)
        )
        return (left, right) if left[-1] == right[0] else None
