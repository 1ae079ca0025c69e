"""The panels that follow the scale as it plays: the units on the curves, and their numbers."""

from collections.abc import Sequence
from itertools import cycle
from math import ulp

from core import saturation
from core.activations import ACTIVATIONS, Activation
from core.arrays import Array
from core.initialize import RANDOM
from dashboard.drawing import charts, colours, matrices, scales
from dashboard.drawing.panels import BoardTile, HeatmapSize, Playback, Step, panel
from dashboard.text import saturation as text
from dashboard.text import words
from dashboard.views.saturation.units import Units, column

# The height of the values in pixels: with it the whole board is in sight.
HEIGHT = 240
# The ticks of the activations; a unit above the last one is beyond the chart.
OUTPUTS = (-1, -0.5, 0, 0.5, 1, 1.5)


def played(units: Units) -> list[matrices.Item]:
    """Return the panels that follow the scale. The values have the player, but in the projector view the curves have it."""
    is_below = units.state.is_projected
    return [_on_the_curves(units, has_player=is_below), _values(units, has_player=not is_below)]


def _on_the_curves(units: Units, *, has_player: bool) -> matrices.Item:
    """Return the panel with all activations above all derivatives, and the units as dots on those of this cell."""
    alt = text.SATURATED_ALT if units.g.saturates else text.INACTIVE_ALT
    symbols = {"g": units.g.symbol, "slope": units.derivative, "scale": units.scenario.scale}
    return panel(
        text.CURVES_TITLE,
        _text(units),
        _curves(units),
        alt=alt.format(**symbols, flat=int(_flat_at(units)[units.here].sum()), units=units.k),
        playback=_player(units, [text.CURVES_TITLE] * len(units.scales)) if has_player else None,
        tile=BoardTile(3, rows=2, bare=True),
    )


def _values(units: Units, *, has_player: bool) -> matrices.Item:
    """Return the panel with the values of all units."""
    g, flat_at = units.g, _flat_at(units)
    titles = [text.AT_SCALE.format(scale=scale) for scale in units.scales.tolist()]
    slopes = column(units, f"{units.derivative}(z)", units.dg_at, scales.sequential(units.derivative, g.max_df))
    return panel(
        "" if has_player else text.VALUES_TITLE,
        "",
        [
            column(units, "z", units.z_at, scales.symmetric("z", 10, clips=True)),
            column(units, units.output, units.g_at, _output_scale(g)),
            # With the decimals of the page, 0.049 would look as if it were not below 5%.
            matrices.finer(slopes),
            column(units, units.flat, flat_at, scales.SHADED),
        ],
        alt=text.VALUES_ALT.format(g=g.symbol, slope=units.derivative, units=units.k, flat=units.flat),
        playback=_player(units, titles) if has_player else None,
        fit=HeatmapSize("rows", pixels=HEIGHT, smallest=4),
        tile=BoardTile(3),
    )


def _player(units: Units, titles: Sequence[str]) -> Playback:
    """Return what plays the scale, with how many units are saturated."""
    return Playback(
        text.PLAY_SCALE,
        _steps(units, titles),
        units.here,
        setting="scale",
        has_slider=False,
        whole=False,
        pace=saturation.pace(units.g_at, _flat_at(units)).tolist(),
    )


def _flat_at(units: Units) -> Array:
    """Return whether each unit is on a flat part of the curve, at all scales."""
    low, high = saturation.saturated_at(units.z_at, units.g, units.state.threshold_fraction)
    return low | high


def _text(units: Units) -> str:
    """Return the text below the curves."""
    g, scenario = units.g, units.scenario
    sentences = [
        text.dots(units.source),
        text.shaded(g, units.state.threshold_fraction) if units.g.saturates else text.FLAT_SIDE.format(g=g.symbol),
    ]
    if _is_beyond(units):
        sentences.append(text.EDGE)
    if scenario.init not in RANDOM and not units.is_typed:
        sentences.append(text.SPREAD)
    return " ".join(sentences)


def _is_beyond(units: Units) -> bool:
    """Return whether a unit is beyond the axes of the charts."""
    z, g_z = units.z_at[units.here], units.g_at[units.here]
    return bool((abs(z) > charts.GRID[-1]).any() or (g_z > OUTPUTS[-1]).any())


def _steps(units: Units, titles: Sequence[str]) -> list[Step]:
    """Return the words for each scale, with these titles."""
    at_end = saturation.saturated_at(units.z_at, units.g, units.state.threshold_fraction)
    share_at = saturation.relative_derivative(units.z_at, units.g)
    # An inexact derivative is never 0, but float64 may round it to 0, and then the page would say 0%.
    least = 0.0 if units.g.is_exact else ulp(0.0)
    low_at, high_at = (which.sum(axis=(1, 2)).tolist() for which in at_end)
    steps = []
    for at, (scale, title) in enumerate(zip(units.scales.tolist(), titles, strict=True)):
        output, slope = units.selected_at(at)
        share = words.relative(max(float(share_at[at, units.j - 1, 0]), least), units.state.decimals)
        steps.append(
            Step(
                label=f"{scale:g}",
                title=title,
                note=text.UNIT_AT_SCALE.format(unit=units.j, output=output, slope=slope, share=share),
                callout=text.at_scale(low_at[at], high_at[at], units.k, saturates=units.g.saturates),
                value=f"{scale:g}",
            )
        )
    return steps


def _curves(units: Units) -> list[matrices.Item]:
    """Return all activations and all derivatives, with the units as dots on the curve of this cell."""
    g = [activation.f(charts.GRID) for activation in ACTIVATIONS.values()]
    dg = [activation.df(charts.GRID) for activation in ACTIVATIONS.values()]
    return [
        _dots(units, units.g.symbol, g, units.g_at, OUTPUTS),
        _dots(units, units.derivative, dg, units.dg_at, (0, 0.25, 0.5, 0.75, 1)),
    ]


def _dots(
    units: Units, name: str, curves: Sequence[Array], values_at: Array, y_ticks: Sequence[float]
) -> matrices.Item:
    """Return the curves of all ACTIVATIONS, with the units as dots on the one of this name."""
    g, here, z_at = units.g, units.here, units.z_at
    mark = name.removeprefix(g.symbol)
    # The curve of this cell is solid, and each other one has dashes of its own.
    dashes = dict(zip(ACTIVATIONS, cycle(colours.DASHES)))
    return charts.plot(
        name,
        [
            charts.Line(f"{a.symbol}{mark}", curve, colours.ACTIVATION)
            if a is g
            else charts.Line(f"{a.symbol}{mark}", curve, colours.REFERENCE, dashes[a.name])
            for a, curve in zip(ACTIVATIONS.values(), curves)
        ],
        z_at[here, :, 0],
        values_at[here, :, 0],
        bounds=g.bounds(units.state.threshold_fraction),
        y_ticks=y_ticks,
        colour=colours.ACTIVATION,
        frames=(z_at[..., 0], values_at[..., 0]),
        widest=None,
        in_row=2,
    )


def _output_scale(g: Activation) -> scales.Scale:
    """Return the colour scale of g(z)."""
    if not g.is_bounded:
        return scales.symmetric(g.symbol, 10, clips=True)
    return scales.sequential(g.symbol, g.high) if g.low == 0 else scales.symmetric(g.symbol, g.high)
