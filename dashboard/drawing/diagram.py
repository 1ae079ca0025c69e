"""The diagram of a cell: boxes, operators and wires with the vectors of a step on them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from core import saturation
from core.activations import Activation
from core.arrays import Array
from core.cells.diagram import STAGES, Node, Wire
from core.cells.protocol import state_after_step, state_arrays
from core.exchange.matrix_text import LARGEST_VALUE
from dashboard.drawing.arithmetic import MOST_HOVERED, number
from dashboard.drawing.cell_symbols import CellSymbols
from dashboard.drawing.colours import GATE_COLOURS
from dashboard.drawing.matrices import Item, packed
from dashboard.drawing.panels import Action, Playback, Step, panel
from dashboard.drawing.scales import symmetric
from dashboard.state.state import State
from dashboard.text import diagram as text
from dashboard.text import words

# The z of the small curves.
GRID = np.linspace(-6, 6, 49)
GRADIENTS = symmetric(text.GRADIENT_SCALE, 1, clips=True)


def diagram(
    symbols: CellSymbols,
    step: Any = None,
    *,
    threshold: float,
    block: Callable[[str], Item],
    gradients: Mapping[str, Array] | None = None,
    is_staged: bool = False,
    opened: str = "",
) -> Item:
    """Return the diagram of a cell that has one.

    Parameters
    ----------
    symbols : CellSymbols
    step : NamedTuple, optional
        Of the cell, if the diagram is about one step only: the words of its gates are about it.
    threshold : float
        As of `saturation.is_saturated`.
    block : callable
        Returns a symbol of the step as a matrix.
    gradients : mapping from str to ndarray, optional
        From `wire_gradients` of the cell. With them the diagram goes backwards: vectors and wires have these numbers instead.
    is_staged : bool
        Whether the picture's `Playback` goes through the stages of the step, from `stages`.
    opened : str
        The gate whose equation is shown, by its name in links.

    Returns
    -------
    dict
        A part of a `Picture`. All numbers are those of its parts, so that it follows their frames.
    """
    plan = symbols.cell.DIAGRAM
    parts: dict[str, Item] = {}

    def part(symbol: str) -> int:
        """Return the index of a symbol among the parts."""
        if symbol not in parts:
            parts[symbol] = block(symbol)
        return list(parts).index(symbol)

    def carried(symbol: str, gradient: str) -> int:
        """Return the index of the numbers of a vector or a wire among the parts."""
        if gradients is None:
            return part(symbol)
        name = text.GRADIENT.format(gradient)
        if name not in parts:
            parts[name] = _gradient(symbols, symbol, gradient, gradients[gradient])
        return list(parts).index(name)

    def drawn(node: Node) -> Item:
        here = {"kind": node.kind, "x": node.x, "y": node.y, "stage": node.stage}
        if node.kind == "operator":
            return here | {"symbol": node.symbol}
        if node.kind == "vector":
            return here | {"part": carried(node.symbol, node.symbol), "side": node.side, "tall": node.tall}
        return here | _gate(symbols, step, node, threshold, part)

    nodes = [drawn(node) for node in plan.nodes]
    wires = [_wire(wire, symbols) | {"part": carried(wire.symbol, wire.gradient)} for wire in plan.wires]
    vectors = {nodes[at]["part"] for at, node in enumerate(plan.nodes) if node.kind == "vector"}
    return {
        "kind": "diagram",
        "parts": [made if at in vectors else _without_legend(made) for at, made in enumerate(parts.values())],
        "width": plan.width,
        "height": plan.height,
        "frame": plan.frame,
        "lane": plan.lane,
        "nodes": nodes,
        "wires": wires,
        "staged": is_staged,
        "backward": gradients is not None,
        "opened": opened,
    }


def _gradient(symbols: CellSymbols, symbol: str, gradient: str, values: Array) -> Item:
    """Return the gradient at a wire or a vector that carries a symbol."""
    tooltip_name = text.with_respect_to(gradient, symbols.shown(symbol).text)
    return symbols.block(symbol, values, scale=GRADIENTS, tooltip_name=tooltip_name)


def _without_legend(block: Item) -> Item:
    """Return the block of numbers that are shown as dots only."""
    return block | {"scale": block["scale"] | {"label": ""}}


def _gate(symbols: CellSymbols, step: Any, node: Node, threshold: float, part: Callable[[str], int]) -> dict[str, Any]:
    """Return a gate: its activation as a small curve, with z and g(z) of each unit as dots."""
    symbol = node.symbol
    z, g = symbols.activated[symbol]
    curve = g.f(GRID)
    bounds = np.clip(g.bounds(threshold), GRID[0], GRID[-1]).tolist()
    sampled = getattr(symbols.cell, "GATE_PROBABILITIES", {}) if symbols.scenario.stochastic else {}
    given = sampled.get(symbol, symbol)  # of a sampled gate, its probability
    role = text.ROLES.get(symbol, "")
    names = {"role": role, "symbol": symbols.shown(symbol).text, "g": g.symbol, "z": symbols.shown(z).text}
    return {
        "name": "" if step is None else node.name,
        "label": g.symbol,
        "role": role,
        "colour": GATE_COLOURS.get(symbol),
        "z": part(z),
        "part": part(given),
        "curve": packed(curve, single=True),
        "range": [float(curve.min()), float(curve.max())],
        "bounds": bounds,
        "words": _words(names, g, None if step is None else saturation.is_saturated(getattr(step, z), g, threshold)),
    }


def _words(names: Mapping[str, str], g: Activation, flat: Array | None) -> str:
    """Return the words of a gate; `flat` says which units are saturated or inactive at the step, if it is about one."""
    if flat is None:
        return text.GATE_OVER_TIME.format(**names)
    template = text.SATURATED_GATE if g.saturates else text.INACTIVE_GATE
    return template.format(flat=int(flat.sum()), k=flat.size, **names)


def _wire(wire: Wire, symbols: CellSymbols) -> dict[str, Any]:
    """Return a wire without its numbers. That of a gate between 0 and 1 is as wide as the mean of the gate."""
    is_gate = wire.symbol in symbols.activated and wire.symbol in text.MEANINGS
    return {
        "points": wire.points,
        "stage": wire.stage,
        "arrow": wire.arrow,
        "colour": GATE_COLOURS.get(wire.symbol),
        "gate": is_gate,
        "rest": wire.is_rest,
    }


def moving(symbols: CellSymbols, steps: Mapping[str, Array], *, threshold: float) -> Item:
    """Return a diagram that moves with the playback slider of the picture.

    Parameters
    ----------
    symbols : CellSymbols
    steps : mapping from str to ndarray of shape (positions, entries)
        Each symbol of the cell's step at each position.
    threshold : float
        As of `saturation.is_saturated`.
    """

    def block(symbol: str) -> Item:
        values = steps[symbol][:, :, None]
        return symbols.block(symbol, values[-1], frames=values)

    return diagram(symbols, threshold=threshold, block=block)


def at_one_step(
    state: State,
    symbols: CellSymbols,
    step: Any,
    equation: Sequence[Item] = (),
    *,
    callout: str,
    is_staged: bool = False,
) -> Item:
    """Return the panel with the diagram of one step.

    Parameters
    ----------
    state : State
    symbols : CellSymbols
    step : NamedTuple
        Of the cell.
    equation : sequence of items
        The equation of the gate that the link opens, with its numbers.
    callout : str
        As of `panel`.
    is_staged : bool
        Whether it has a playback slider through the stages of the step.
    """

    def block(symbol: str) -> Item:
        values = getattr(step, symbol)
        return symbols.block(symbol, values, hover=meanings(symbol, values))

    opened = state.settings.node if equation else ""
    gradients = _gradients(state, symbols, step)
    is_staged = is_staged and gradients is None
    drawn = diagram(
        symbols,
        step,
        threshold=state.threshold_fraction,
        block=block,
        gradients=gradients,
        is_staged=is_staged,
        opened=opened or "",
    )
    return panel(
        text.TITLE if gradients is None else text.BACKWARD_TITLE,
        _text(state, symbols, is_backward=gradients is not None),
        [drawn],
        *([equation] if equation else []),
        callout=callout if gradients is None else text.BACKWARD_CALLOUT,
        alt=_alt(state, symbols, step, gradients),
        actions=_actions(state, symbols, step),
        playback=stages(state.settings.stage) if is_staged else None,
    )


def _gradients(state: State, symbols: CellSymbols, step: Any) -> Mapping[str, Array] | None:
    """Return the gradients at the wires if the diagram is to go backwards and can, or None."""
    if not state.settings.backward or _is_sampled(symbols):
        return None
    return symbols.cell.wire_gradients(symbols.params, step)


def _is_sampled(symbols: CellSymbols) -> bool:
    """Whether gates are sampled: then there is no gradient."""
    return symbols.scenario.stochastic and hasattr(symbols.cell, "GATE_PROBABILITIES")


def has_gates(symbols: CellSymbols) -> bool:
    """Whether a cell has gates, whose wires are as wide as their means."""
    return any(gate in text.MEANINGS for gate in symbols.activated)


def _text(state: State, symbols: CellSymbols, *, is_backward: bool) -> str:
    """Return the text of the panel."""
    if is_backward:
        return text.backward(carries_c="c_prev" in state_arrays(symbols.cell))
    forward = text.TEXT if has_gates(symbols) else text.TEXT_WITHOUT_GATES
    return f"{forward} {text.NO_GRADIENT}" if state.settings.backward else forward


def _alt(state: State, symbols: CellSymbols, step: Any, gradients: Mapping[str, Array] | None) -> str:
    """Return the words of the drawing: the state after the step, or the gradients with respect to the state before it."""
    row = state.unit - 1
    if gradients is None:
        shown = {symbols.shown(name).text: getattr(step, name)[row, 0] for name in _carried(symbols)}
    else:
        before = [name for name in state_arrays(symbols.cell) if row < len(gradients[name])]
        shown = {text.DERIVATIVE.format(symbols.shown(name).text): gradients[name][row, 0] for name in before}
    values = [f"{symbol} = {number(value, state.decimals)}" for symbol, value in shown.items()]
    return (text.ALT if gradients is None else text.BACKWARD_ALT).format(j=state.unit, values=words.enumerated(values))


def _actions(state: State, symbols: CellSymbols, step: Any) -> list[Action]:
    """Return the switch **Show gradients**, and the button **Next step** if the numbers after this step can be those before the next one."""
    backward = Action(text.BACKWARD, text.BACKWARD_HELP, "backward", state.settings.backward)
    after = [getattr(step, name) for name in _carried(symbols)]
    is_possible = symbols.scenario.n == symbols.scenario.k and all(
        (np.abs(array) <= LARGEST_VALUE).all() for array in after
    )
    following = [Action(text.NEXT, text.next_help(len(after)))] if is_possible else []
    return following if _is_sampled(symbols) and not state.settings.backward else [backward, *following]


def _carried(symbols: CellSymbols) -> list[str]:
    """Return the vectors of the diagram that leave the cell."""
    return list(reversed(state_after_step(symbols.cell).values()))


def meanings(symbol: str, values: Array) -> list[str] | None:
    """Return what each entry of a gate means, for the tooltips; None for other symbols and for many units.

    Parameters
    ----------
    symbol : str
        A field of the step.
    values : ndarray of shape (k, 1)
    """
    if symbol not in text.MEANINGS or len(values) > MOST_HOVERED:
        return None
    return [text.meaning(symbol, unit, value) for unit, value in enumerate(values[:, 0].tolist(), 1)]


def stages(at: str) -> Playback:
    """Return the playback slider through the stages of one step.

    Parameters
    ----------
    at : str
        The stage that is shown. The whole step is shown for all but STAGES.
    """
    steps = [
        Step(text.STAGE_LABELS[stage], text.TITLE, text.STAGES[stage], value=stage or None) for stage in (*STAGES, "")
    ]
    start = STAGES.index(at) if at in STAGES else len(STAGES)
    return Playback(text.STAGE, steps, start, setting="stage", pace=[1 / len(steps)] * len(steps))
