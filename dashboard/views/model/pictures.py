"""The pictures of one direction of a layer: its gates and states over time, its memory, its gradients and its weights."""

from collections.abc import Mapping, Sequence
from math import ceil

from core.arrays import Array
from core.model_diagnosis import DirectionRun
from core.model_diagnosis.inputs import Input
from core.model_diagnosis.sampled_gains import largest_gains, median_gains
from dashboard.drawing import charts, colours, scales
from dashboard.drawing.charts import Line
from dashboard.drawing.colours import Hue
from dashboard.drawing.matrices import Item, block, over_time
from dashboard.drawing.panels import HeatmapSize, Playback, Step, literal, panel
from dashboard.text import model as text
from dashboard.text import model_findings as proofs
from dashboard.text import words

# With larger entries, a very wide window would show the maps below each other.
OF_UNITS, OF_MATRICES = HeatmapSize("rows", pixels=190, smallest=6), HeatmapSize("rows", pixels=160, smallest=2)
# Two lines of maps are whole in the projector view, with what stands around them.
OF_UNITS_IN_LINES = HeatmapSize("rows", pixels=160, smallest=6)
OF_GATES, OF_STATES = scales.sequential(words.GATE_SCALE, 1), scales.symmetric(text.STATE_SCALE, 1)
# Three charts fit side by side in a window of 1440 pixels, and four in a wider one.
SMALL = 345
# Columns of a line of maps: with more, the letters above them would overlap in a window of 1440 pixels.
COLUMNS_OF_LINE = 150


def panels(shown: DirectionRun, given: Input, step: int, threshold: float) -> list[Item]:
    """Return the panels of a direction.

    Parameters
    ----------
    shown : DirectionRun
    given : Input
        Of the first layer.
    step : int
        The step that is marked, counted from 1.
    threshold : float
        As of `core.saturation.is_saturated`.
    """
    return [
        states(shown, given, step, threshold),
        *([open_and_closed(shown)] if shown.gates else []),
        *([memory(shown)] if shown.half_lives is not None else []),
        gains(shown),
        *([biases(shown)] if shown.biases else []),
        weights(shown),
        inputs(shown, given),
    ]


def _labels(shown: DirectionRun, given: Input) -> Sequence[str] | None:
    """Return the letters or indices in the order in which this direction reads them."""
    return given.labels and (given.labels[::-1] if shown.direction else given.labels)


def states(shown: DirectionRun, given: Input, step: int, threshold: float) -> Item:
    """Return every gate and state over time."""
    labels = _labels(shown, given)
    activated = shown.cell.activated(shown.params)
    # The activation of a state, such as tanh(c_t), follows from the state beside it.
    symbols = [name for name, (z, _) in activated.items() if z not in shown.states]
    names = [*dict.fromkeys([*symbols, *reversed(shown.states)])]
    values = {name: getattr(shown.trace, name)[:, :, 0].T for name in names}
    drawn = [
        block(
            proofs.symbol(shown.cell, symbol),
            values[symbol],
            OF_GATES if symbol in shown.gates else _state_scale(proofs.symbol(shown.cell, symbol), values[symbol]),
            rows=[("unit", shown.k, "")],
            columns=[("t", shown.T, "")],
            units=True,
            over_time=True,
            headings=labels,
        )
        for symbol in names
    ]
    lines = ceil(len(drawn) / max(1, COLUMNS_OF_LINE // shown.T))
    in_line = ceil(len(drawn) / lines)
    notes = [text.TOKEN.format(token=literal(label)) for label in labels] if labels else [""] * shown.T
    title, alt = proofs.over_time(shown), text.OVER_TIME_ALT if shown.gates else text.STATE_OVER_TIME_ALT
    steps = [
        Step(text.STEP_OF.format(step=at, steps=shown.T), title, note, value=f"{at}" if at > 1 else None)
        for at, note in enumerate(notes, 1)
    ]
    return panel(
        title,
        "",
        *(drawn[at : at + in_line] for at in range(0, len(drawn), in_line)),
        alt=alt.format(k=shown.k, T=shown.T),
        callout=" ".join(
            [
                words.saturated_over_time(
                    text.WHERE[shown.direction].format(layer=shown.layer + 1),
                    shown.saturated_values(threshold),
                    shown.cell,
                    activated,
                ),
                text.OVER_TIME_BACKWARD if shown.direction else text.OVER_TIME,
            ]
        ),
        fit=OF_UNITS if lines == 1 else OF_UNITS_IN_LINES,
        playback=Playback(text.STEP, steps, step - 1, setting="shown_step"),
    )


def _state_scale(symbol: str, values: Array) -> scales.Scale:
    """Return the scale of a candidate or state: -1 to 1, or up to its own largest value, so that no colour stands for two values."""
    largest = float(abs(values).max())
    if largest <= 1:
        return OF_STATES
    return scales.symmetric(text.OWN_SCALE.format(state=symbol.removesuffix("_t")), largest)


def open_and_closed(shown: DirectionRun) -> Item:
    """Return the units of each gate: the fraction of steps at which it is closed over that at which it is open."""
    is_open, is_closed = (f"{bound:g}" for bound in (shown.thresholds.open, shown.thresholds.closed))
    labels = {
        "x_label": text.OPEN_GATE.format(threshold=is_open),
        "y_label": text.CLOSED_GATE.format(threshold=is_closed),
    }
    names = {symbol: proofs.symbol(shown.cell, symbol) for symbol in shown.gates}
    hues = colours.hues_of(shown.gates)
    drawn = [
        charts.scatter(
            names[symbol],
            gate.open,
            gate.closed,
            hues[symbol],
            x_range=(0, 1),
            y_range=(0, 1),
            widest=SMALL,
            in_row=len(shown.gates),
            **labels,
        )
        for symbol, gate in shown.gates.items()
    ]
    about = text.OPEN_AND_CLOSED.format(open=is_open, closed=is_closed)
    return panel(proofs.OPEN_AND_CLOSED, about, drawn, alt=text.OPEN_AND_CLOSED_ALT)


def memory(shown: DirectionRun) -> Item:
    """Return the half-life of each unit."""
    assert shown.half_lives is not None
    lives = {text.MEMORY_NAME: charts.series(charts.log10(shown.half_lives.tolist()))}
    hues = [*colours.hues_of(lives).values()]
    return panel(
        proofs.MEMORY,
        text.MEMORY.format(gate=proofs.symbol(shown.cell, shown.carrying_gate or "")),
        _by_unit(lives, hues, text.HALF_LIFE, None),
        alt=text.MEMORY_ALT,
    )


def gains(shown: DirectionRun) -> Item:
    """Return the gain of gradients over the distance that they come back."""
    logs = shown.gains.logs
    series: Mapping[str, Array] = {text.LARGEST: largest_gains(logs), text.MEDIAN: median_gains(logs)}
    hues = colours.hues_of(series)
    bound = charts.log10([shown.thresholds.horizon] * len(logs))
    lines = [Line(name, values, hues[name]) for name, values in series.items()]
    name = text.HORIZON.format(gain=f"{shown.thresholds.horizon:g}")
    lines.append(Line(name, charts.series(bound), colours.REFERENCE, colours.DASHED))
    chart = charts.chart(lines, x_label=text.DISTANCE, y_label=text.LOG_GAIN)
    return panel(proofs.GAINS, text.GAINS, [chart], alt=text.GAINS_ALT)


def biases(shown: DirectionRun) -> Item:
    """Return the biases of each unit."""
    by_name = {proofs.symbol(shown.cell, name): values[:, 0] for name, values in shown.biases.items()}
    hues = colours.hues_of(_gate_of_biases(shown).get(name, name) for name in shown.biases)
    drawn = _by_unit(by_name, [*hues.values()], text.BIAS, SMALL)
    return panel(proofs.BIASES, "", drawn, alt=text.BIASES_ALT, folded=True)


def _gate_of_biases(shown: DirectionRun) -> dict[str, str]:
    """Return what each bias belongs to: the gate or candidate whose z it is added to."""
    activated = shown.cell.activated(shown.params)
    return {joined.b: name for joined, name in zip(shown.cell.PRE_ACTIVATIONS.values(), activated)}


def weights(shown: DirectionRun) -> Item:
    """Return the recurrent weights and the input weights."""
    rows = [
        [
            block(
                proofs.symbol(shown.cell, name),
                W,
                scales.symmetric("", float(abs(W).max()) or 1.0),
                rows=[("unit", W.shape[0], "")],
                columns=[(column, W.shape[1], "")],
                units=True,
            )
            for name, W in matrices.items()
        ]
        for matrices, column in ((shown.recurrent, text.OF_UNIT), (shown.of_input, text.OF_ENTRY))
    ]
    return panel(proofs.WEIGHTS, text.WEIGHTS, *rows, alt=text.WEIGHTS_ALT, fit=OF_MATRICES, folded=True)


def inputs(shown: DirectionRun, given: Input) -> Item:
    """Return the input of the layer over time."""
    scale = text.OWN_SCALE.format(state="x")
    drawn = over_time(proofs.symbol(shown.cell, "x_t"), shown.xs[:, :, 0], scale=scale)
    about = text.ONE_HOT if given.how == "own alphabet" and not shown.layer else ""
    return panel(proofs.INPUT, about, [drawn], alt=text.INPUT_ALT, fit=OF_MATRICES, folded=True)


def _by_unit(named: Mapping[str, Array], hues: Sequence[Hue], y_label: str, widest: int | None) -> list[Item]:
    """Return a chart of a number of each unit for each name, in its hue."""
    return [
        charts.scatter(
            name,
            charts.series(range(1, len(values) + 1)),
            values,
            hue,
            x_label=text.UNIT,
            y_label=y_label,
            widest=widest,
            in_row=len(named),
        )
        for (name, values), hue in zip(named.items(), hues, strict=True)
    ]
