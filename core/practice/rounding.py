"""The answers of learners who round intermediate results to few decimals, from the stages of a computation."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias, TypeVar

import numpy as np

from core.activations import tanh
from core.arrays import Array

Value = TypeVar("Value", float, Array)
# The numbers of decimals to which a learner may round, by level, the likelier one first.
ROUNDED_TO: Mapping[int, tuple[int, ...]] = {1: (), 2: (2, 1), 3: (2, 1)}
# The stages that a learner may compute in one line with their sum, without writing them down.
IN_LINE = ("entry", "term", "reset", "square")


class Keep(Protocol):
    """A function from a value of a stage to the value that the learner goes on with."""

    def __call__(self, stage: str, value: Value, /) -> Value:
        """Return the value, rounded or not."""


# A computation that passes each intermediate result through a Keep. Its own result is not passed.
Chain: TypeAlias = Callable[[Keep], float]


def rounded(value: Value, digits: int) -> Value:
    """Round a number, or each entry of an array; a half is rounded away from 0."""
    # 1e-9 is for halves that a float misses, such as 0.35.
    exact = np.copysign(np.floor(np.abs(value) * 10**digits + 0.5 + 1e-9) / 10**digits, value)
    return exact if isinstance(value, np.ndarray) else float(exact)


def rounded_answers(chains: Iterable[Chain], level: int) -> dict[int, tuple[float, ...]]:
    """Return the results of computations whose intermediate results are rounded, by the number of decimals.

    Only one stage is rounded, or all stages from one of them on, with or without the products in a line. The result
    itself may be rounded too. Results of 0, 1 and −1 are left out: many ways lead to them, and so does guessing.
    """
    found: dict[int, list[float]] = {digits: [] for digits in ROUNDED_TO[level]}
    for chain in chains:
        stages: dict[str, None] = {}

        def note(stage: str, value: Value, /, stages: dict[str, None] = stages) -> Value:
            stages[stage] = None
            return value

        chain(note)
        names = list(stages)
        lines = [name for name in names if name not in IN_LINE]
        for digits, answers in found.items():
            from_one_on = [
                _rounding_in(chain, {*some[at:]}, digits) for some in (names, lines) for at in range(len(some))
            ]
            answers += [_rounding_in(chain, {name}, digits) for name in names]
            answers += [*from_one_on, *(rounded(answer, digits) for answer in from_one_on)]
    return {
        digits: tuple(answer for answer in dict.fromkeys(answers) if round(answer, 9) not in (-1, 0, 1))
        for digits, answers in found.items()
    }


def _rounding_in(chain: Chain, group: set[str], digits: int) -> float:
    """Return the result of a computation with the values of some stages rounded."""

    def keep(stage: str, value: Value, /) -> Value:
        return rounded(value, digits) if stage in group else value

    return float(chain(keep))


# ---- the computations of several kinds -----------------------------------------------------------


def row_chain(of_h: Array, of_x: Array, b: float, f: Callable[[float], float] | None = None) -> Chain:
    """Return the computation of one row from its products with h_prev and with x_t, its bias and its activation."""

    def chain(keep: Keep) -> float:
        h, x = (keep("part", float(keep("entry", products).sum())) for products in (of_h, of_x))
        z = keep("product", h + x) + b
        return f(keep("z", z)) if f else z

    return chain


def weighted_sum(f: float, i: float, new: float, old: float) -> Chain:
    """Return the computation of f · old + i · new."""
    return lambda keep: keep("term", f * old) + keep("term", i * new)


def hidden_chain(o: float, cell: Chain) -> Chain:
    """Return the computation of o · tanh(c)."""
    return lambda keep: o * keep("tanh", float(tanh.f(np.array(keep("sum", cell(keep))))))


def candidate_chain(of_h: Array, b_h: float, of_x: Array, b_x: float, r: float) -> Chain:
    """Return the computation of z of a candidate from the products of its two rows, their biases and r_t."""

    def chain(keep: Keep) -> float:
        from_h, from_x = (
            keep("part", float(keep("entry", products).sum()) + b) for products, b in ((of_h, b_h), (of_x, b_x))
        )
        return from_x + keep("reset", r * from_h)

    return chain


def mix_chain(u: float, h: float, candidate: Chain) -> Chain:
    """Return the computation of u · h + (1 − u) · tanh(z)."""

    def chain(keep: Keep) -> float:
        new = keep("candidate", float(tanh.f(np.array(keep("z", candidate(keep))))))
        return keep("term", u * h) + keep("term", (1 - u) * new)

    return chain


def factors_in_order(factors: Sequence[float]) -> Chain:
    """Return the computation of a product, one factor after the other."""

    def chain(keep: Keep) -> float:
        first, *between, last = factors
        for at, factor in enumerate(between):
            first = keep(f"factor {at}", first * factor)
        return first * last

    return chain


def matrices_in_order(matrices: Sequence[Array], entry: tuple[int, int], *, from_left: bool) -> Chain:
    """Return the computation of an entry of a product of matrices, of which the first one stands on the right."""

    def chain(keep: Keep) -> float:
        def times(left: Array, right: Array) -> Array:
            return keep("term", left[:, :, None] * right[None]).sum(axis=1)

        J = [keep("each_step", matrix) for matrix in matrices]
        order = J[::-1] if from_left else J
        product = order[0]
        for at, matrix in enumerate(order[1:], 1):
            product = times(product, matrix) if from_left else times(matrix, product)
            product = product if at == len(order) - 1 else keep(f"product {at}", product)
        return float(product[entry])

    return chain
