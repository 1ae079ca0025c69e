"""Layers and directions: a row of cells for each, and the last output beside h_n."""

from collections.abc import Iterator
from typing import Any

from core.sequence.layers import NetworkTrace, last_states, named_results
from dashboard.drawing import matrices
from dashboard.drawing.chain import MOST_STEPS, chain
from dashboard.drawing.colours import GATE_COLOURS
from dashboard.drawing.matrices import op
from dashboard.drawing.panels import panel
from dashboard.text import sequence as text
from dashboard.views.sequence.unrolled import Unrolled


def rows_of_cells(unrolled: Unrolled) -> list[list[matrices.Item]]:
    """Return the unrolled cells: a row for each direction of each layer, with the first layer at the bottom."""
    if unrolled.T > MOST_STEPS:
        return []
    first = [_cells(unrolled)]
    if unrolled.network is None:
        return [first]
    others = [
        [_cells_of_direction(unrolled, layer, way, trace)]
        for layer, way, trace in _directions(unrolled.network)
        if (layer, way) != (1, 1)
    ]
    return [*others[::-1], first]


def _directions(network: NetworkTrace) -> Iterator[tuple[int, int, Any]]:
    """Return the number of the layer, the number of the direction and the trace of each, in the order of h_n."""
    for layer, made in enumerate(network.layers, 1):
        for way, trace in enumerate(made.traces, 1):
            yield layer, way, trace


def _cells(unrolled: Unrolled) -> matrices.Item:
    """Return the cell at every step as a row, with the wire of its state as wide as the gate on it lets through."""
    *second, first = unrolled.carried
    gate, through = unrolled.direct_gate(unrolled.trace)
    letters = unrolled.scenario.word if unrolled.is_word else None
    state = first.removesuffix("_t")
    shares = [] if through is None else [text.share(value) for value in through.tolist()]
    return chain(
        text.row_name(1, 1) if unrolled.network else state,
        through,
        [
            text.cell_at(
                at + 1,
                letters and letters[at],
                {"gate": unrolled.shown(gate).text, "share": shares[at], "state": state} if gate else None,
            )
            for at in range(unrolled.T)
        ],
        second="".join(second).removesuffix("_t"),
        labels=[text.on_cell(unrolled.shown(gate).text.removesuffix("_t"), share) for share in shares],
        letters=letters,
        colour=GATE_COLOURS.get(gate),
        over_time=True,
    )


def _cells_of_direction(unrolled: Unrolled, layer: int, way: int, trace: Any) -> matrices.Item:
    """Return a low row with the cell of a direction of a layer at every step of the sequence."""
    gate, through = unrolled.direct_gate(trace)
    is_backward = way == 2
    if through is not None and is_backward:
        through = through[::-1]
    return chain(
        text.row_name(layer, way),
        through,
        [text.layer_cell_at(at, layer, way, unrolled.T) for at in range(1, unrolled.T + 1)],
        colour=GATE_COLOURS.get(gate),
        backward=is_backward,
        numbered=False,
        over_time=True,
    )


# ---- output[-1] and h_n --------------------------------------------------------------------------


def last_output(unrolled: Unrolled) -> list[matrices.Item]:
    """Return the panel of output[-1] beside h_n, if there is more than one layer or direction."""
    network, k = unrolled.network, unrolled.scenario.k
    if network is None:
        return []
    last, ways = last_states(network), len(network.layers[-1].traces)
    count = int(last.differs.sum())
    halves = [(name, k, name) for name in text.WAYS[:ways]]
    scale, fixed = unrolled.symbols.scale_of("h_t"), unrolled.state.fixed_colours
    pair = [
        matrices.block(symbol, array, scale, rows=halves, fixed=fixed, outlined=last.differs if count else None)
        for symbol, array in (("output[-1]", last.output), (text.TOP_STATE[ways - 1], last.h_n))
    ]
    return [
        panel(
            text.LAST_TITLE,
            text.last_text(ways),
            [pair[0], op("≠" if count else "="), pair[1], *_all_states(unrolled, network)],
            alt=text.LAST_ALT.format(count=count, rows=ways * k),
            callout=text.differing(count, ways * k, ways, unrolled.T),
            code=text.expressions(ways, has_c=bool(network.c_n)),
            fit=unrolled.fit,
        )
    ]


def _all_states(unrolled: Unrolled, network: NetworkTrace) -> list[matrices.Item]:
    """Return h_n, and c_n if the cell has it: one column for each direction of each layer."""
    where = [text.where(layer, way, len(network.layers[0].traces)) for layer, way, _ in _directions(network)]
    return [
        matrices.block(
            symbol,
            array,
            unrolled.symbols.scale_of(f"{symbol[0]}_t"),
            rows=[("unit", unrolled.scenario.k, "")],
            units=True,
            fixed=unrolled.state.fixed_colours,
            tooltip_name=f"{symbol}, {where[at % len(where)]}",
        )
        for at, (symbol, array) in enumerate(list(named_results(network).items())[1:])
    ]
