"""Exercises about finding one unit among several: the saturated one, and the one that forgets more."""

from functools import reduce
from math import prod

import numpy as np

from core.activations import sigmoid, tanh
from core.practice.exercise import DECIMALS, ROUNDING_ERROR, Draft, Mark, Mistake, Sentence
from core.practice.exercise_number_format import format_column, format_number, relation
from core.practice.gated import over_steps
from core.practice.rounding import factors_in_order
from core.practice.sampling import arithmetic, gate_values
from core.saturation import is_saturated

# A unit is saturated if less than this fraction of the maximum derivative is left.
FLAT = 0.05


def saturated_unit(rng: np.random.Generator, level: int) -> Draft | None:
    """Ask for the saturated unit, counted from 1."""
    k = {1: 5, 2: 5, 3: 8}[level]
    # Whole numbers leave too little room between the bounds of tanh.
    g = sigmoid if level == 1 else (sigmoid, tanh)[rng.integers(2)]
    scale = 10 ** DECIMALS[level]
    _, bound = g.bounds(FLAT)
    sign = int(rng.choice((-1, 1)))

    def between(low: float, high: float) -> int:
        """Sample in units of the last decimal."""
        return int(rng.integers(np.ceil(low * scale), np.floor(high * scale), endpoint=True))

    # The saturated unit, the outermost unit on the other side, one nearer to its bound, the one nearest to 0, and others.
    out, end = sign * between(bound + 0.3, bound + 5), -sign * between(0.6 * bound, 0.9 * bound)
    near = sign * between(abs(end) / scale, 0.97 * bound)
    rest = [int(rng.choice((-1, 1))) * between(0, abs(end) / scale) for _ in range(k - 3)]
    nearest = min(rest, key=abs)
    if sum(abs(z) == abs(nearest) for z in rest) > 1 or end in rest or near in (-end, *rest):
        return None
    rest.remove(nearest)
    places = rng.permutation(k)
    z_t = np.empty((k, 1), dtype=np.int64)
    z_t[places, 0] = [out, end, near, nearest, *rest]
    z_t = z_t if level == 1 else z_t / scale
    flat = is_saturated(z_t, g, FLAT)[:, 0]
    answer = int(np.flatnonzero(flat)[0])
    z = float(z_t[answer, 0])
    end_of_axis = "largest_z" if sign < 0 else "smallest_z"
    unit = {name: int(places[at]) for at, name in enumerate(("out", end_of_axis, "near_bound", "nearest_0"))}

    def choosing(unit: int) -> Mistake:
        """Return the mistake of choosing another unit."""
        below = {"unit": unit + 1, "z": format_number(abs(float(z_t[unit, 0]))), "bound": f"{bound:.2f}"}
        return Mistake(float(unit + 1), Mark("z_t", unit), None, below)

    return Draft(
        answer=float(answer + 1),
        mistakes={name: choosing(unit[name]) for name in (end_of_axis, "near_bound", "nearest_0")},
        question=Sentence("saturated_unit", {"g": g.symbol, "bound": f"{bound:.2f}", "threshold": f"{FLAT:.0%}"}),
        given={"z_t": z_t},
        asked=Mark("z_t"),
        stages={
            "pre_activation": f"|z_t| = {format_column(np.abs(z_t))}",
            "bound": Sentence("only_unit_above", {"z": format_number(z), "bound": f"{bound:.2f}", "unit": answer + 1}),
        },
        optional={f"near_bound:{at}": choosing(at) for at in range(k) if at not in (answer, *unit.values())},
        alike={"unit_from_0": Mistake(float(answer)), "z_for_unit": Mistake(z)}
        | ({"z_for_unit:absolute": Mistake(-z)} if z < 0 else {}),
    )


def forgetting_unit(rng: np.random.Generator, level: int) -> Draft | None:
    """Ask for c_T in the unit that forgets more, from the forget gates of two units."""
    T = {1: 3, 2: 3, 3: 4}[level]
    # 64 stays a whole number after three factors of quarters.
    start = {1: 64.0, 2: 10.0, 3: 10.0}[level]
    f_t = rng.integers(1, 4, (2, T), endpoint=True) / 4 if level == 1 else gate_values(rng, level, (2, T))
    c_0, nothing = np.full((2, 1), start), np.zeros((2, T))
    kept = over_steps(f_t, nothing, nothing, c_0)[:, 0]
    unit = int(kept.argmin())
    if kept[unit] > 0.8 * kept[1 - unit]:
        return None
    answer, gates = float(kept[unit]), f_t[unit].tolist()
    meant = Mark("f_t", unit)
    products = [
        f"{' · '.join(map(format_number, (start, *row)))} {relation(c)} {format_number(c)}"
        for row, c in zip(f_t.tolist(), kept.tolist(), strict=True)
    ]
    return Draft(
        answer=answer,
        mistakes={
            "keeps_more": Mistake(float(kept[1 - unit]), Mark("f_t", 1 - unit), meant),
            "sum_for_product": Mistake(start * sum(gates), meant, meant),
            "last_gate": Mistake(start * gates[-1], Mark("f_t", unit, T - 1), meant),
            "one_step_less": Mistake(start * prod(gates[:-1]), None, meant, {"steps": T - 1, "all": T}),
            "forget_complement": Mistake(start * prod(1 - gate for gate in gates), meant, meant),
            "lost": Mistake(start - answer, details={"T": T}),
        },
        question=Sentence("forgetting_unit", {"c_0": format_number(start), "T": T}),
        given={"f_t": f_t, "c_0": c_0},
        asked=Mark("c_t"),
        stages={
            "product": Sentence("both_units", {"first": products[0], "second": products[1]}),
            "smaller": Sentence("forgets_more", {"unit": unit + 1, "content": format_number(answer)}),
        },
        optional={
            "no_start": Mistake(prod(gates), None, Mark("c_0", unit)),
            "no_first_step": Mistake(start * prod(gates[1:]), None, Mark("f_t", unit, 0)),
        }
        | arithmetic(level, answer),
        alike={"unit_for_content": Mistake(unit + 1.0, details={"T": T})},
        chains=(factors_in_order([start, *gates]), factors_in_order([*gates, start])),
        # The error is largest if the gates are multiplied first, the largest ones last.
        slack=start * reduce(lambda lost, gate: lost * gate + ROUNDING_ERROR, sorted(gates)[1:], 0.0)
        if level == 3
        else 0.0,
    )
