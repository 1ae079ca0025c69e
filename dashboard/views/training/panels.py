"""The panels of a training: charts over the updates, and maps of one sequence."""

from collections.abc import Mapping
from math import isfinite

from core.cells.symbols import symbol, symbol_of
from core.scenario import Scenario
from core.training import SATURATED, params_at, probe_run_at, row_over_time
from dashboard.drawing import charts, colours, diagram, matrices, scales
from dashboard.drawing.cell_symbols import CellSymbols
from dashboard.drawing.charts import Line
from dashboard.drawing.colours import Hue
from dashboard.drawing.matrices import Item
from dashboard.drawing.panels import BoardTile, HeatmapSize, Key, KeyEntry, Playback, Step, panel
from dashboard.drawing.scales import Scale
from dashboard.text import training as text
from dashboard.text import training_findings, words
from dashboard.views.training.has_learned import has_learned
from dashboard.views.training.trainings import Trainings

# The usual log₁₀ of the update-to-weight ratio.
USUAL = -3.0
# On a log₁₀ axis losses above this leave the smaller ones visible.
WIDE = 1000
THIRD, TWO_THIRDS, WHOLE = BoardTile(2), BoardTile(4), BoardTile(6)
# The curves of a line where there is room.
BESIDE = 2


def panels(trainings: Trainings) -> list[Item]:
    """Return the panels of a training. What happens and why stand side by side: the loss and the accuracy, and the curves."""
    effects = [loss, *([accuracy] if trainings.has_classes else [])]
    if len(trainings.activations) > 1:
        tile, of_curves = THIRD, BoardTile(TWO_THIRDS.columns, len(effects))
    else:
        tile = of_curves = BoardTile(WHOLE.columns // (len(effects) + 1))
    shown = [effect(trainings, tile) for effect in effects]
    # Several rows of curves stand beside all of the effects, a single one at the end of their row.
    shown.insert(1 if of_curves.rows > 1 else len(shown), curves(trainings, of_curves))
    return [
        bar(trainings),
        has_learned(trainings),
        *shown,
        *why(trainings),
        sequence(trainings),
        *([last_step(trainings)] if trainings.is_sound and hasattr(trainings.cell, "DIAGRAM") else []),
        saturated(trainings),
        gain(trainings),
        ratio(trainings),
        norm(trainings),
        *([reached(trainings)] if trainings.is_sound else []),
        maps(trainings),
        weights(trainings),
        *([by_hand(trainings)] if hasattr(trainings.cell, "deltas") and not trainings.shown.stopped else []),
    ]


# ---- the bar -------------------------------------------------------------------------------


def bar(trainings: Trainings) -> Item:
    """Return the playback slider of the recording that is shown, with the names of all trainings."""
    shown = trainings.shown
    stopped_at = shown.updates_made + 1 if shown.stopped else None
    steps = [
        Step(
            text.position(update, shown.setup.updates, stopped_at),
            "",
            text.at_update(
                trainings.names[trainings.which] if len(trainings.names) > 1 else "",
                words.in_sentence(float(loss), 3),
                words.in_sentence(float(validation), 3),
                right if trainings.has_classes else None,
            ),
        )
        for update, loss, validation, right in zip(shown.updates, shown.loss, shown.validation_loss, shown.accuracy)
    ]
    return panel(
        "",
        "",
        alt="",
        playback=Playback(text.UPDATE, steps, 0),
        keys=[training_legend(trainings)],
    )


def training_legend(trainings: Trainings) -> Key:
    """Return the names of all trainings. With several, a click on one shows its recording."""
    several = len(trainings.names) > 1
    names = [
        KeyEntry(name, hue, choice=f"{at + 1}" if several else None, is_chosen=several and at == trainings.which)
        for at, (name, hue) in enumerate(trainings.training_hues.items())
    ]
    return Key(text.TRAININGS, names, "watched")


# ---- the loss ------------------------------------------------------------------------------


def why(trainings: Trainings) -> list[Item]:
    """Return the answer of an experiment, with the worst finding on the training that is shown, if there is any."""
    worst = training_findings.findings(trainings.shown, trainings.verdict.of("cause")[:1])
    note = text.of_one(trainings.names[trainings.which], worst) if worst else ""
    has_words = not trainings.is_own and (trainings.answer or note)
    return [panel(text.WHY, trainings.answer, alt="", note=note, tile=WHOLE)] if has_words else []


def loss(trainings: Trainings, tile: BoardTile) -> Item:
    """Return the loss of each training."""
    losses = {name: made.validation_loss.tolist() for name, made in trainings.by_name.items()}
    ends = " ".join(
        text.LOSS_ENDS.format(
            name=name,
            first=words.in_sentence(values[0], 3),
            last=words.in_sentence(values[-1], 3),
        )
        for name, values in losses.items()
    )
    stopped = " ".join(filter(None, (text.stopped(name, made) for name, made in trainings.by_name.items())))
    # Logarithms, because an exploding loss would flatten all other lines.
    is_wide = max((value for values in losses.values() for value in values if value > 0), default=1) > WIDE
    return chart_of(
        trainings,
        text.LOSS,
        f"{text.LOSS_TEXT} {stopped}".strip(),
        {name: charts.log10(values) if is_wide else values for name, values in losses.items()},
        text.LOG_LOSS_Y if is_wide else text.LOSS_Y,
        tile,
        of_each=True,
        exactly=ends,
    )


def accuracy(trainings: Trainings, tile: BoardTile) -> Item:
    """Return the accuracy of each training; the task has classes."""
    return chart_of(
        trainings,
        text.ACCURACY,
        text.ACCURACY_TEXT.format(most_frequent=words.percentage(trainings.shown.most_frequent)),
        {name: made.accuracy.tolist() for name, made in trainings.by_name.items()},
        text.ACCURACY_Y,
        tile,
        of_each=True,
    )


# ---- the units -----------------------------------------------------------------------------


def curves(trainings: Trainings, tile: BoardTile) -> Item:
    """Return the units on the curves of the first activations and the last one, as many as there is room for."""
    drawn = []
    hues = trainings.training_hues
    *gates, last = trainings.activations
    names = [*gates[: BESIDE * tile.rows - 1], last]
    for name in names:
        z, g = trainings.activations[name]
        drawn.append(
            charts.animated_activation(
                symbol_of(trainings.cell, name),
                g,
                trainings.shown.last_step[z],
                bounds=g.bounds(SATURATED),
                colour=trainings.hues[name],
                low=g.low if isfinite(g.low) else -4,
                high=g.high if isfinite(g.high) else 4,
                in_row=len(names),
                beside=min(BESIDE, len(names)),
                dots=hues[trainings.names[trainings.which]] if trainings.others else None,
                others=[(hues[other], made.last_step[z][at]) for other, (made, at) in trainings.others.items()],
            )
        )
    return panel(
        text.CURVES,
        text.CURVES_TEXT.format(saturated=SATURATED),
        drawn,
        alt=text.CURVES_ALT,
        note=text.marks(
            trainings.names[trainings.which],
            list(trainings.others),
            trainings.unit,
            saturates=all(g.saturates for _, g in trainings.activations.values()),
        ),
        tile=tile,
    )


def last_step(trainings: Trainings) -> Item:
    """Return the diagram of the cell at the last step of the probe."""
    setup = trainings.shown.setup
    scenario = Scenario(trainings.task.m, setup.k, setup.k, init=setup.init)
    symbols = CellSymbols(scenario, trainings.cell, params_at(trainings.shown, -1), fixed=True)
    drawn = diagram.moving(symbols, trainings.shown.last_step, threshold=SATURATED)
    alt = text.LAST_STEP_ALT.format(cell=setup.cell)
    return panel(text.LAST_STEP, text.last_step(trainings.activations), [drawn], alt=alt, tile=WHOLE)


def saturated(trainings: Trainings) -> Item:
    """Return the saturated fraction of each activation."""
    activations = [g for _, g in trainings.activations.values()]
    is_bounded = all(g.is_bounded for g in activations)
    inactive = next((g.symbol for g in activations if not g.saturates), "")
    about = text.saturated(trainings.shown.setup.cell, is_bounded=is_bounded, inactive=inactive)
    return chart_of(
        trainings,
        text.SATURATED,
        text.INACTIVE_TEXT.format(g=inactive) if inactive else text.SATURATED_TEXT,
        {symbol_of(trainings.cell, name): values.tolist() for name, values in trainings.shown.saturated.items()},
        text.INACTIVE_Y if inactive else text.SATURATED_Y,
        THIRD,
        hues={symbol_of(trainings.cell, name): trainings.hues[name] for name in trainings.activations},
        exactly=f"{about} {training_findings.findings(trainings.shown, trainings.verdict.of('growth'))}".strip(),
    )


def sequence(trainings: Trainings) -> Item:
    """Return the inputs and the targets of the probe."""
    shown = trainings.shown
    drawn = [matrices.over_time("x_t", shown.xs), matrices.over_time(text.TARGET, shown.targets, text.NO_TARGET)]
    about = text.sequence(trainings.shown.setup.task)
    alt = text.SEQUENCE_ALT.format(steps=len(shown.xs))
    return panel(text.SEQUENCE, about, drawn, alt=alt, fit=HeatmapSize("columns", pixels=330, smallest=3), tile=WHOLE)


def maps(trainings: Trainings) -> Item:
    """Return the gates and states on one sequence."""
    drawn = [
        matrices.over_frames(symbol_of(trainings.cell, name), values, "unit", "step", scale_of(trainings, name))
        for name, values in trainings.shown.symbols.items()
        if name in trainings.activations or name == "h_t"
    ]
    return panel(
        text.MAPS,
        text.MAPS_TEXT,
        drawn,
        alt=text.MAPS_ALT,
        fit=HeatmapSize("columns", pixels=160, smallest=2),
        tile=WHOLE,
    )


def scale_of(trainings: Trainings, name: str) -> Scale | None:
    """Return the colour scale of a gate or a state as the other pages have it; None for a state without bounds."""
    activations = {symbol: g for symbol, (_, g) in trainings.activations.items()}
    g = activations.get(name)
    if g and g.low == 0 and isfinite(g.high):
        return scales.sequential(f"{g.symbol}(z)", g.high)
    is_bounded = all(g.is_bounded for g in activations.values())
    return scales.symmetric(words.OUTPUT_SCALE, 1) if is_bounded else None


def weights(trainings: Trainings) -> Item:
    """Return the weight matrices."""
    drawn = [
        matrices.over_frames(symbol(name), values, "row", "column")
        for name, values in trainings.shown.weights.items()
        if min(values.shape[1:]) > 1
    ]
    fit = HeatmapSize("columns", pixels=220, smallest=3)
    return panel(text.WEIGHTS, text.WEIGHTS_TEXT, drawn, alt=text.WEIGHTS_ALT, fit=fit, folded=True, tile=WHOLE)


# ---- the updates ---------------------------------------------------------------------------


def ratio(trainings: Trainings) -> Item:
    """Return the update-to-weight ratio of each matrix."""
    shown = trainings.shown
    sentences = [text.optimiser(shown.setup.optimiser, shown.setup.momentum)]
    if trainings.is_sound and isfinite(shown.longest_update):
        last = {
            "norm": words.in_sentence(float(shown.norm[-1]), 3),
            "ratio": words.in_sentence(shown.longest_update, 3),
        }
        sentences.append(text.LAST_UPDATE.format(update=shown.updates[-1], **last))
    matrices = [name for name, values in shown.weights.items() if values.shape[2] > 1]
    ratios = {symbol(name): charts.log10(shown.ratio[name].tolist()) for name in matrices}
    return chart_of(
        trainings,
        text.RATIO,
        text.RATIO_TEXT,
        ratios | {text.USUAL_RATIO: [USUAL] * len(shown.updates)},
        text.RATIO_Y,
        THIRD,
        hues={symbol(name): trainings.hues[name] for name in matrices} | {text.USUAL_RATIO: colours.REFERENCE},
        exactly=" ".join(sentences),
    )


def norm(trainings: Trainings) -> Item:
    """Return the norm of the gradient before clipping, and after it in the hue of the training."""
    shown = trainings.shown
    clip, name = trainings.verdict.of("clip"), trainings.names[trainings.which]
    sentences = [training_findings.findings(shown, clip[:1])]
    if trainings.is_sound:
        norms = {"norm": shown.usual_norm, "largest": float(shown.norms[shown.largest_norm_at])}
        written = {name: words.in_sentence(norm, 3) for name, norm in norms.items()}
        sentences.append(text.USUAL_NORM.format_map(written))
    sentences += [text.CHOICE_OF_CLIP, training_findings.findings(shown, clip[1:])]
    lines = zip((text.BEFORE_CLIPPING, text.AFTER_CLIPPING), shown.peak_norms)
    series = {line: charts.log10(values.tolist()) for line, values in lines}
    return chart_of(
        trainings,
        text.NORM,
        text.norm(shown.setup.clip),
        series,
        text.NORM_Y,
        THIRD,
        hues={text.BEFORE_CLIPPING: colours.REFERENCE, text.AFTER_CLIPPING: trainings.training_hues[name]},
        exactly=" ".join(sentences),
    )


# ---- the gradient through time -------------------------------------------------------------


def gain(trainings: Trainings) -> Item:
    """Return the gain from the last step back to the first for each training."""
    gains = {name: made.gain.tolist() for name, made in trainings.by_name.items()}
    return chart_of(trainings, text.GAIN, text.GAIN_TEXT, gains, text.GAIN_Y, THIRD, of_each=True)


def reached(trainings: Trainings) -> Item:
    """Return the norm of what the loss at each step brings back to each earlier step."""
    shown = trainings.shown
    asked = shown.asked.tolist()
    derivatives = {name: f"∂L_t/∂{name[0]}_s" for name in shown.gradient_reach}
    norms = {
        derivatives[name]: text.norm_at_step(float(norms[-1, -1, 0])) for name, norms in shown.gradient_reach.items()
    }
    values = {
        "update": shown.updates[-1],
        "derivative": derivatives["h_t"],
        "norm": text.norm_at_step(float(shown.gradient_reach["h_t"][-1, -1, asked[-1]])),
        "step": asked[-1] + 1,
        "norms_at_first": text.norms_at_first(norms),
    }
    sentences = [
        text.ALONG_H_AND_C if "c_t" in derivatives else text.ALONG_H,
        text.REACHED_EXPLODES,
        text.REACHED_AT.format_map(values),
    ]
    return panel(
        text.REACHED,
        text.REACHED_TEXT,
        matrices.gradient_reach({derivatives[name]: norms for name, norms in shown.gradient_reach.items()}, asked),
        alt=text.REACHED_ALT.format_map(values),
        fit=HeatmapSize("columns", pixels=330, smallest=3),
        exactly=" ".join(sentences),
        tile=TWO_THIRDS,
    )


def by_hand(trainings: Trainings) -> Item:
    """Return one row of a gradient as a sum over the steps."""
    unit = trainings.unit
    probe_run = probe_run_at(trainings.shown, -1)
    W = next(iter(trainings.cell.PRE_ACTIVATIONS.values())).W
    parts = row_over_time(trainings.cell, probe_run.params, probe_run.trace, probe_run.dh, W, unit - 1)
    return panel(
        text.BY_HAND,
        text.BY_HAND_TEXT.format(weights=symbol_of(trainings.cell, W), unit=unit),
        [
            matrices.per_step(text.EACH_STEP, parts),
            matrices.op("Σ →"),
            matrices.per_step(text.ROW_OF_GRADIENT, parts.sum(axis=0, keepdims=True)),
        ],
        alt=text.BY_HAND_ALT.format(steps=len(parts), unit=unit),
        fit=HeatmapSize("columns", pixels=360, smallest=4),
        folded=True,
        tile=WHOLE,
    )


# ---- one chart -----------------------------------------------------------------------------


def chart_of(
    trainings: Trainings,
    title: str,
    about: str,
    series: Mapping[str, list[float]],
    y_label: str,
    tile: BoardTile,
    *,
    hues: Mapping[str, Hue] | None = None,
    of_each: bool = False,
    exactly: str = "",
) -> Item:
    """Return a panel with one chart over the updates, for each training or for the one that is shown. The bar names the trainings.

    A training whose numbers overflowed leaves the chart at the top: it would press the lines of the others together.
    """
    shown, hues = trainings.shown, hues or trainings.training_hues
    made_by = trainings.recordings if of_each else [shown] * len(series)
    lines = [
        Line(name, charts.series(values), hues[name], colours.DASHED if name == text.USUAL_RATIO else (), made.updates)
        for (name, values), made in zip(series.items(), made_by, strict=True)
    ]
    last = {
        line.label: words.in_sentence(line.values[-1], 3)
        for line in lines
        if not line.dash and isfinite(line.values[-1])
    }
    name = trainings.names[trainings.which] if not of_each and len(trainings.names) > 1 else ""
    x_label = text.UPDATES_OF.format(name=name) if name else text.UPDATES
    whole = [line for line, made in zip(lines, made_by) if not made.stopped] if of_each else []
    chart = charts.chart(lines, x_label=x_label, y_label=y_label, steps=shown.updates, keyed=of_each, whole=whole)
    high = chart["y_range"][1]
    beyond = [line.label for line in lines if any(value > high for value in line.values.tolist())]
    about = " ".join([about, *(text.BEYOND.format(name=name) for name in beyond)])
    return panel(title, about, [chart], alt=text.at_the_end(y_label, last, name), exactly=exactly, tile=tile)
