"""The findings on a recurrent layer over real inputs: a code, the units concerned, and the numbers that prove it.

References
----------
Karpathy, Johnson and Li, "Visualizing and understanding recurrent networks", arXiv:1506.02078 (2015): gates that are left or
right saturated. Jozefowicz, Zaremba and Sutskever, "An empirical exploration of recurrent network architectures", ICML 2015: the
forget bias.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from core.arrays import Array
from core.cells.lstm.forward import LSTMParams
from core.cells.rnn import RNNParams
from core.concatenation import split_columns
from core.diagnosis.probes import horizon, log_gains, median_gains
from core.diagnosis.thresholds import DEFAULT, Thresholds
from core.saturation import gradient_share

WARNING, NUMBER = "warning", "number"
# The gates that carry the state on, by symbol: one that is open is memory, and not a fault.
CARRIES = ("f_t", "u_t")
LARGEST_OF_FLOAT16 = 65504.0
# A larger bias is a fault of its own, and nobody's forget bias.
LARGEST_FORGET_BIAS = 5.0
# Fewer steps say nothing about what happens at every step.
FEWEST_STEPS = 8
# Units up to which eigenvalues are computed; for more, products estimate the radius.
EXACT_RADIUS, PRODUCTS = 128, 40
ORDER = (
    *(
        "zeroed layer",
        "exchanged gates",
        "float16",
        "exploding",
        "large recurrence",
        "forget bias low",
        "gate stuck shut",
    ),
    *("gate stuck open", "dead units", "copied units", "constant units", "constant input"),
)


@dataclass(frozen=True)
class Finding:
    """A finding on one direction of a layer.

    Attributes
    ----------
    code : str
        One of ORDER for a warning; "forget bias", "horizon", "radius", "orthogonality" or "headroom" for a number.
    level : {"warning", "number"}
    layer, direction : int
        Counted from 0.
    symbol : str
        The gate or the array concerned; empty for the whole cell.
    units : tuple of int
        Counted from 1; empty for all. Of a constant input, the entries of x_t.
    value : float
        The number that proves it.
    threshold : float, optional
    of : int
        How many units there are.
    """

    code: str
    level: str
    layer: int
    direction: int
    symbol: str = ""
    units: tuple[int, ...] = ()
    value: float = 0.0
    threshold: float | None = None
    of: int = 0


class Gate(NamedTuple):
    """The left- and right-saturated fractions of each unit of a gate.

    Attributes
    ----------
    shut, open : ndarray of shape (k,)
        The fraction of steps below 0.1, and above 0.9.
    """

    shut: Array
    open: Array


@dataclass(frozen=True)
class Examined:
    """One direction of a layer over its input.

    Attributes
    ----------
    layer, direction : int
    cell : module
    params, trace : object
        Of the cell.
    xs : ndarray of shape (T, m, B)
    thresholds : Thresholds
    reset_before : bool
    gains : ndarray of shape (T, probes)
        From `log_gains`.
    """

    layer: int
    direction: int
    cell: Any
    params: Any
    trace: Any
    xs: Array
    thresholds: Thresholds = DEFAULT
    reset_before: bool = False
    gains: Array = field(default_factory=lambda: np.zeros((1, 1)))

    @property
    def k(self) -> int:
        return self.trace.h_t.shape[1]

    @property
    def gates(self) -> dict[str, Gate]:
        """The fractions of each gate that lets something through, by symbol."""
        bounds = self.thresholds
        return {
            symbol: Gate(_over_all(values < bounds.shut).mean(axis=1), _over_all(values > bounds.open).mean(axis=1))
            for symbol, (_, g) in self.cell.activated(self.params).items()
            if g.name == "sigmoid" and symbol != "h_t"
            for values in (getattr(self.trace, symbol),)
        }

    @property
    def half_lives(self) -> Array | None:
        """The steps after which each unit has half of what it kept: ln 0.5 / mean ln of its gate, of shape (k,)."""
        gate = next((symbol for symbol in CARRIES if symbol in self.cell.activated(self.params)), None)
        if gate is None:
            return None
        with np.errstate(divide="ignore"):
            logs = np.log(_over_all(getattr(self.trace, gate))).mean(axis=1)
            return np.log(0.5) / np.where(logs < 0, logs, -0.0)

    def finding(self, code: str, level: str = WARNING, **more: Any) -> Finding:
        """Return a finding on this direction."""
        return Finding(code, level, self.layer, self.direction, of=self.k, **more)


def _over_all(values: Array) -> Array:
    """Return values of shape (T, k, B) as (k, T B)."""
    return np.moveaxis(values, 1, 0).reshape(values.shape[1], -1)


def examine(
    layer: int,
    direction: int,
    cell: Any,
    params: Any,
    trace: Any,
    xs: Array,
    thresholds: Thresholds = DEFAULT,
    reset_before: bool = False,
) -> Examined:
    """Return a direction with the gains of its gradients."""
    gains = log_gains(params, trace, reset_before)
    return Examined(layer, direction, cell, params, trace, xs, thresholds, reset_before, gains)


def findings(examined: Sequence[Examined]) -> list[Finding]:
    """Return the findings on all directions, worst first, and then the numbers."""
    found = [finding for one in examined for rule in RULES for finding in rule(one)]
    return sorted(found, key=lambda one: ORDER.index(one.code) if one.code in ORDER else len(ORDER))


def _units(which: Array) -> tuple[int, ...]:
    return tuple((np.flatnonzero(which) + 1).tolist())


# ---- the rules -----------------------------------------------------------------------------------


def recurrent_blocks(params: Any) -> dict[str, Array]:
    """Return the recurrent weights of each block, by name."""
    if isinstance(params, RNNParams):
        return {"W_hh": params.W_hh}
    names = (
        {"W_f": "f", "W_i": "i", "W_c": "c", "W_o": "o"} if isinstance(params, LSTMParams) else {"W_r": "r", "W_u": "u"}
    )
    columns = slice(0, params.k) if params.order == "hx" else slice(-params.k, None)
    blocks = {f"W_{gate}h": getattr(params, name)[:, columns] for name, gate in names.items()}
    return blocks if isinstance(params, LSTMParams) else {**blocks, "W_hh": params.W_hh}


def _input_weights(params: Any) -> Array:
    """Return the input weights of all blocks."""
    if isinstance(params, RNNParams):
        return params.W_hx
    if isinstance(params, LSTMParams):
        return split_columns(params.W, params.k, params.order)[1]
    return params.W_x


def spectral_radius(W: Array) -> float:
    """Return the largest magnitude of an eigenvalue; for a large matrix, its estimate from the growth of products."""
    if len(W) <= EXACT_RADIUS:
        return float(np.abs(np.linalg.eigvals(W)).max())
    v, logs = np.random.default_rng(0).standard_normal((len(W), 4)), []
    for _ in range(PRODUCTS):
        v = W @ v
        norm = np.linalg.norm(v)
        if norm == 0:
            return 0.0
        logs.append(np.log(norm))
        v /= norm
    return float(np.exp(np.mean(logs[PRODUCTS // 2 :])))


def _zeroed(one: Examined) -> Iterator[Finding]:
    arrays = [value for name, value in vars(one.params).items() if name.startswith(("W", "b"))]
    if all(not np.any(array) for array in arrays):
        yield one.finding("zeroed layer")


def _weights(one: Examined) -> Iterator[Finding]:
    bounds, blocks = one.thresholds, recurrent_blocks(one.params)
    radii = {name: spectral_radius(W) for name, W in blocks.items()}
    radius = float(np.median(list(radii.values())))
    name = "W_ch" if "W_ch" in radii else "W_hh"
    W = blocks[name]
    sizes = [float(np.std(part)) for part in (np.concatenate(list(blocks.values())), _input_weights(one.params))]
    # A trained gate may have a radius above 2, but then its input weights have grown too.
    is_large = radius > bounds.radius and (
        isinstance(one.params, RNNParams) or radius > bounds.radius_alone or sizes[0] > bounds.ratio * sizes[1]
    )
    if is_large:
        yield one.finding("large recurrence", symbol=name, value=radius, threshold=bounds.radius)
    yield one.finding("radius", NUMBER, symbol=name, value=radii[name])
    distance = float(np.linalg.norm(W.T @ W - np.eye(len(W))) / np.sqrt(len(W)))
    yield one.finding("orthogonality", NUMBER, symbol=name, value=distance)


def _forget_bias(one: Examined) -> Iterator[Finding]:
    if not isinstance(one.params, LSTMParams):
        return
    bounds = one.thresholds
    medians = {gate: float(np.median(getattr(one.params, f"b_{gate}"))) for gate in "fico"}
    yield one.finding("forget bias", NUMBER, symbol="b_f", value=medians["f"])
    if medians["f"] < bounds.forget_bias:
        yield one.finding("forget bias low", symbol="b_f", value=medians["f"], threshold=bounds.forget_bias)
    for gate in "ico":
        biases = getattr(one.params, f"b_{gate}")
        alike = np.mean(biases > bounds.exchanged / 2) >= 0.9
        others = max(abs(medians[other]) for other in "fico" if other != gate)
        if (
            bounds.exchanged < medians[gate] < LARGEST_FORGET_BIAS
            and alike
            and medians["f"] < bounds.exchanged / 2
            and others < medians[gate] / 2
        ):
            yield one.finding("exchanged gates", symbol=f"b_{gate}", value=medians[gate], threshold=bounds.exchanged)


def _gates(one: Examined) -> Iterator[Finding]:
    bounds = one.thresholds
    if len(one.xs) < FEWEST_STEPS:
        return
    for symbol, gate in one.gates.items():
        values = _over_all(getattr(one.trace, symbol))
        for code, fraction, frozen in (
            ("gate stuck shut", gate.shut, (values < bounds.frozen).all(axis=1)),
            ("gate stuck open", gate.open, (values > 1 - bounds.frozen).all(axis=1)),
        ):
            stuck: Any = fraction >= bounds.stuck
            # Memory is an open gate, so only one that never forgets at all is a finding.
            if stuck.mean() < bounds.stuck_units or (code == "gate stuck open" and symbol in CARRIES):
                stuck = frozen
            if stuck.any():
                yield one.finding(
                    code,
                    symbol=symbol,
                    units=_units(stuck),
                    value=float(fraction[stuck].mean()),
                    threshold=bounds.stuck,
                )


def _units_of_h(one: Examined) -> Iterator[Finding]:
    bounds, T = one.thresholds, len(one.xs)
    if T < FEWEST_STEPS or not any(np.any(W) for W in recurrent_blocks(one.params).values()):
        return
    h = _over_all(one.trace.h_t)
    symbol, (z, g) = list(one.cell.activated(one.params).items())[-1 if not isinstance(one.params, LSTMParams) else 2]
    flat = (gradient_share(_over_all(getattr(one.trace, z)), g) < bounds.slope).all(axis=1)
    dead = flat | (np.abs(h).max(axis=1) < bounds.moves)
    if dead.any():
        yield one.finding(
            "dead units", symbol=symbol, units=_units(dead), value=float(dead.sum()), threshold=bounds.slope
        )
    later = _over_all(one.trace.h_t[T // 4 :])
    still = (np.ptp(later, axis=1) < bounds.moves) & ~dead
    if still.any():
        yield one.finding(
            "constant units", symbol="h_t", units=_units(still), value=float(still.sum()), threshold=bounds.moves
        )
    yield from _copied(one, h, ~(dead | still))


def _copied(one: Examined, h: Array, moving: Array) -> Iterator[Finding]:
    places = np.flatnonzero(moving)
    # Equal rows are neighbours in the order of one projection, so that not all pairs are compared.
    places = places[np.argsort(h[places] @ np.random.default_rng(0).standard_normal(h.shape[1]), kind="stable")]
    same: Any = np.abs(np.diff(h[places], axis=0)).max(axis=1, initial=0) < 1e-6
    if same.any():
        units = np.unique(np.concatenate([places[:-1][same], places[1:][same]])) + 1
        yield one.finding(
            "copied units", symbol="h_t", units=tuple(units.tolist()), value=float(len(units)), threshold=1e-6
        )


def _gains(one: Examined) -> Iterator[Finding]:
    reached = one.gains[~np.isnan(one.gains)]
    largest = 10 ** min(float(reached.max(initial=0)), 300.0)
    yield one.finding("horizon", NUMBER, value=float(horizon(one.gains)))
    if largest > one.thresholds.gain:
        yield one.finding("exploding", value=largest, threshold=one.thresholds.gain)


def _float16(one: Examined) -> Iterator[Finding]:
    largest = max(float(np.abs(values).max(initial=0)) for values in (*one.trace, *_arrays(one.params)))
    headroom = LARGEST_OF_FLOAT16 / largest if largest else np.inf
    yield one.finding("headroom", NUMBER, value=headroom)
    if headroom < one.thresholds.headroom:
        yield one.finding("float16", value=headroom, threshold=one.thresholds.headroom)


def _arrays(params: Any) -> list[Array]:
    return [value for value in vars(params).values() if isinstance(value, np.ndarray)]


def _inputs(one: Examined) -> Iterator[Finding]:
    if one.layer or one.direction or len(one.xs) < FEWEST_STEPS:
        return
    still = np.ptp(_over_all(one.xs), axis=1) == 0
    if still.any():
        yield one.finding("constant input", symbol="x_t", units=_units(still), value=float(still.sum()))


RULES = (_zeroed, _weights, _forget_bias, _gates, _units_of_h, _gains, _float16, _inputs)

__all__ = ["Examined", "Finding", "Gate", "NUMBER", "WARNING", "examine", "findings", "median_gains"]
