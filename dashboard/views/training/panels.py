"""The panels of a training: charts over the updates, and maps of one sequence."""

from collections.abc import Mapping, Sequence
from math import isfinite

from core.activations import relu
from core.arrays import Array
from core.cells.symbols import symbol, symbol_of
from core.scenario import Scenario
from core.training import SATURATED, last_steps, lesson_at, params_at, row_over_time
from dashboard.drawing import charts, diagram, items, scales
from dashboard.drawing.charts import Line
from dashboard.drawing.items import Item
from dashboard.drawing.numbers import number
from dashboard.drawing.panels import Fit, Scrub, Step, panel
from dashboard.drawing.scales import Hue, Scale
from dashboard.drawing.symbols import CellSymbols
from dashboard.text import training as text
from dashboard.views.training.board import Board

# The usual log₁₀ of the update-to-weight ratio.
USUAL = "−3"
# On a log₁₀ axis losses above this leave the smaller ones visible.
WIDE = 1000


def panels(board: Board, unit: int) -> list[Item]:
    """Return the panels of a training, with the gradient of one unit by hand."""
    return [
        loss(board),
        has_learned(board),
        *([accuracy(board)] if board.has_classes else []),
        curves(board),
        saturated(board),
        gain(board),
        *([reached(board)] if board.is_sound else []),
        ratio(board),
        norm(board),
        maps(board),
        weights(board),
        *([last_step(board)] if board.is_sound and hasattr(board.cell, "DIAGRAM") else []),
        *([by_hand(board, unit)] if hasattr(board.cell, "deltas") and not board.shown.stopped else []),
    ]


# ---- the loss ------------------------------------------------------------------------------


def loss(board: Board) -> Item:
    """Return the loss of each training, with the playback slider of all recordings."""
    held_out = {name: made.held_out.tolist() for name, made in board.by_name.items()}
    ends = " ".join(
        text.LOSS_ENDS.format(
            name=name,
            first=number(values[0], 3),
            last=number(values[-1], 3),
            left=100 * board.by_name[name].left,
        )
        for name, values in held_out.items()
    )
    stopped = " ".join(text.of_one(name, made.stopped) for name, made in board.by_name.items() if made.stopped)
    # Logarithms, because an exploding loss would flatten all other lines.
    is_wide = max((value for values in held_out.values() for value in values if value > 0), default=1) > WIDE
    return chart_of(
        board,
        text.LOSS,
        f"{board.task.about} {text.HELD_OUT} {ends} {stopped}".lstrip(),
        {
            text.state_of(name, board.verdicts[name]): charts.log10(values) if is_wide else values
            for name, values in held_out.items()
        },
        text.LOG_LOSS_Y if is_wide else text.LOSS_Y,
        of_each=True,
        scrub=playback(board),
    )


def playback(board: Board) -> Scrub:
    """Return the playback slider over the updates of the recording that is shown."""
    shown = board.shown
    steps = [
        Step(
            f"{update}",
            text.LOSS_AT.format(update=update),
            text.loss_step(
                update, number(float(loss), 3), number(float(held), 3), right if board.has_classes else None
            ),
        )
        for update, loss, held, right in zip(shown.updates, shown.loss, shown.held_out, shown.right)
    ]
    return Scrub(text.UPDATE, steps, len(steps) - 1)


def has_learned(board: Board) -> Item:
    """Return the answer of the experiment, and the verdict on each training."""
    verdicts = "\n".join(
        text.of_one(name, text.told(made, board.verdicts[name].of("state", "cause")))
        for name, made in board.by_name.items()
    )
    return panel(text.VERDICT, board.answer, alt="", note=verdicts)


def accuracy(board: Board) -> Item:
    """Return the accuracy of each training; the task has classes."""
    return chart_of(
        board,
        text.ACCURACY,
        text.ACCURACY_TEXT.format(classes=board.task.p, most_frequent=board.shown.most_frequent),
        {name: made.right.tolist() for name, made in board.by_name.items()},
        text.ACCURACY_Y,
        of_each=True,
    )


# ---- the units -----------------------------------------------------------------------------


def curves(board: Board) -> Item:
    """Return the units on the curves of the first and the last activation."""
    drawn = []
    for name, (g, z) in list(board.activations.items())[:: max(1, len(board.activations) - 1)][:2]:
        drawn.append(
            charts.animated_activation(
                symbol_of(board.cell, name),
                g,
                z,
                bounds=g.bounds(SATURATED),
                colour=scales.hues_of(board.activations)[name],
                low=g.low if isfinite(g.low) else -4,
                high=g.high if isfinite(g.high) else 4,
            )
        )
    return panel(text.CURVES, text.CURVES_TEXT.format(saturated=SATURATED), drawn, alt=text.CURVES_ALT)


def last_step(board: Board) -> Item:
    """Return the diagram of the cell at the last step of the probe."""
    setup = board.shown.setup
    scenario = Scenario(board.task.m, setup.k, setup.k, init=setup.init)
    symbols = CellSymbols(scenario, board.cell, params_at(board.shown, -1), fixed=True)
    drawn = diagram.moving(symbols, last_steps(board.shown), threshold=SATURATED)
    return panel(text.LAST_STEP, text.LAST_STEP_TEXT, [drawn], alt=text.LAST_STEP_ALT.format(cell=setup.cell))


def saturated(board: Board) -> Item:
    """Return the saturated fraction of each activation."""
    activations = [g for g, _ in board.activations.values()]
    is_bounded = all(isfinite(g.high) for g in activations)
    return chart_of(
        board,
        text.SATURATED,
        text.saturated(board.shown.setup.cell, is_bounded=is_bounded, is_relu=relu in activations),
        {symbol_of(board.cell, name): values.tolist() for name, values in board.shown.saturated.items()},
        text.SATURATED_Y,
        hues={symbol_of(board.cell, name): hue for name, hue in scales.hues_of(board.activations).items()},
    )


def maps(board: Board) -> Item:
    """Return the gates and states on one sequence."""
    drawn = [
        items.over_frames(symbol_of(board.cell, name), values, "unit", "step", scale_of(board, name))
        for name, values in board.shown.symbols.items()
        if name in board.activations or name == "h_t"
    ]
    return panel(text.MAPS, text.MAPS_TEXT, drawn, alt=text.MAPS_ALT, fit=Fit("columns", pixels=240, smallest=2))


def scale_of(board: Board, name: str) -> Scale | None:
    """Return the colour scale of a gate as the other pages have it; None for a state."""
    g = board.activations[name][0] if name in board.activations else None
    return scales.sequential(f"{g.symbol}(z)", g.high) if g and g.low == 0 and isfinite(g.high) else None


def weights(board: Board) -> Item:
    """Return the weight matrices."""
    drawn = [
        items.over_frames(symbol(name), values, "row", "column")
        for name, values in board.shown.weights.items()
        if min(values.shape[1:]) > 1
    ]
    fit = Fit("columns", pixels=220, smallest=3)
    return panel(text.WEIGHTS, text.WEIGHTS_TEXT, drawn, alt=text.WEIGHTS_ALT, fit=fit)


# ---- the updates ---------------------------------------------------------------------------


def ratio(board: Board) -> Item:
    """Return the update-to-weight ratio of each matrix."""
    shown = board.shown
    sentences = [text.RATIO_TEXT, text.optimiser(shown.setup.optimiser, shown.setup.momentum)]
    if board.is_sound and isfinite(shown.longest_update):
        last = {"norm": number(float(shown.norm[-1]), 3), "ratio": number(shown.longest_update, 3)}
        sentences.append(text.LAST_UPDATE.format(update=shown.updates[-1], **last))
    ratios = {
        symbol(name): charts.log10(values.tolist())
        for name, values in shown.ratio.items()
        if shown.weights[name].shape[2] > 1
    }
    ratios[USUAL] = [-3.0] * len(shown.updates)
    return chart_of(board, text.RATIO, " ".join(sentences), ratios, text.RATIO_Y, hues=hues_of_weights(board))


def hues_of_weights(board: Board) -> dict[str, Hue]:
    """Return the hue of each matrix by its symbol: that of the gate whose z it makes, if there is one."""
    gates = {joined.W: name for joined, name in zip(board.cell.JOINED.values(), board.activations)}
    names = {name: gates.get(name, name) for name, values in board.shown.weights.items() if values.shape[2] > 1}
    hues = scales.hues_of(names.values())
    return {symbol(name): hues[gate] for name, gate in names.items()} | {USUAL: scales.REFERENCE}


def norm(board: Board) -> Item:
    """Return the norm of the gradient before and after clipping."""
    shown = board.shown
    clip = board.verdicts[board.names[board.which]].of("clip")
    sentences = [text.NORM_TEXT, text.told(shown, clip[:1])]
    if board.is_sound:
        sentences.append(text.USUAL_NORM.format(norm=number(shown.usual_norm, 3)))
    sentences += [text.CHOICE_OF_CLIP, text.told(shown, clip[1:])]
    series = {
        text.BEFORE_CLIPPING: charts.log10(shown.norm.tolist()),
        text.AFTER_CLIPPING: charts.log10(shown.clipped.tolist()),
    }
    return chart_of(board, text.NORM, " ".join(sentences), series, text.NORM_Y)


# ---- the gradient through time -------------------------------------------------------------


def gain(board: Board) -> Item:
    """Return the gain from the last step back to the first for each training."""
    gains = {name: made.gain.tolist() for name, made in board.by_name.items()}
    return chart_of(board, text.GAIN, text.GAIN_TEXT, gains, text.GAIN_Y, of_each=True)


def reached(board: Board) -> Item:
    """Return the norm of what the loss at each step brings back to each earlier step."""
    shown = board.shown
    asked = shown.asked.tolist()
    derivatives = {name: f"∂L_t/∂{name[0]}_s" for name in shown.reached}
    norms = {derivatives[name]: number(float(norms[-1, -1, 0]), 3) for name, norms in shown.reached.items()}
    values = {
        "update": shown.updates[-1],
        "derivative": derivatives["h_t"],
        "norm": number(float(shown.reached["h_t"][-1, -1, asked[-1]]), 3),
        "step": asked[-1] + 1,
        "norms_at_first": text.norms_at_first(norms),
    }
    sentences = [
        text.REACHED_TEXT,
        text.ALONG_H_AND_C if "c_t" in derivatives else text.ALONG_H,
        text.REACHED_EXPLODES,
        text.REACHED_AT.format_map(values),
    ]
    return panel(
        text.REACHED,
        " ".join(sentences),
        items.gradient_reach({derivatives[name]: norms for name, norms in shown.reached.items()}, asked),
        alt=text.REACHED_ALT.format_map(values),
        fit=Fit("columns", pixels=360, smallest=3),
    )


def by_hand(board: Board, unit: int) -> Item:
    """Return one row of a gradient as a sum over the steps."""
    lesson = lesson_at(board.shown, -1)
    W = next(iter(board.cell.JOINED.values())).W
    parts = row_over_time(board.cell, lesson.params, lesson.trace, lesson.dh, W, unit - 1)
    return panel(
        text.BY_HAND,
        text.BY_HAND_TEXT.format(weights=symbol_of(board.cell, W), unit=unit),
        [
            items.per_step(text.EACH_STEP, parts),
            items.op("Σ →"),
            items.per_step(text.ROW_OF_GRADIENT, parts.sum(axis=0, keepdims=True)),
        ],
        alt=text.BY_HAND_ALT.format(steps=len(parts), unit=unit),
        fit=Fit("columns", pixels=360, smallest=4),
    )


# ---- one chart -----------------------------------------------------------------------------


def chart_of(
    board: Board,
    title: str,
    about: str,
    series: dict[str, list[float]],
    y_label: str,
    *,
    hues: Mapping[str, Hue] | None = None,
    of_each: bool = False,
    scrub: Scrub | None = None,
) -> Item:
    """Return a panel with one chart over the updates, for each training or for the one that is shown."""
    shown = board.shown
    last = {name: number(values[-1], 3) for name, values in series.items() if isfinite(values[-1]) and name != USUAL}
    at_the_end = text.at_the_end(last)
    made_by = board.films if of_each else [shown] * len(series)
    chart = charts.chart(
        lines(series, hues or scales.hues_of(series), [made.updates for made in made_by]),
        x_label=text.UPDATES,
        y_label=y_label,
        steps=shown.updates,
    )
    return panel(title, about, [chart], alt=at_the_end, note=at_the_end if last else "", scrub=scrub)


def lines(series: Mapping[str, list[float]], hues: Mapping[str, Hue], places: Sequence[Array]) -> list[Line]:
    """Return one line for each series, with each point at its update; a stopped training has fewer points."""
    return [
        Line(name, charts.series(values), hues[name], name == USUAL, own)
        for (name, values), own in zip(series.items(), places, strict=True)
    ]
