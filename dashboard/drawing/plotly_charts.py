"""Arrays in, plotly figures out: the line charts.

They carry no colours of text or paper, which Streamlit's theme gives them in light and in dark.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import plotly.graph_objects as go

from core import saturation
from core.activations import Activation
from core.arrays import Array
from core.saturation import Growth
from dashboard.drawing.colours import COMPARED_IN_BOTH_THEMES
from dashboard.drawing.scales import SHADE
from dashboard.text import drawing as text
from dashboard.text.words import plain

MARK_COLOUR = "#cc79a7"
# The powers of ten at the ticks of a derivative, without their signs.
POWERS = (0, 2, 4, 6, 8)


# A figure takes longer to make than all else on its page, and most changes leave it as it is. Nobody writes into one.
@lru_cache(maxsize=32)
def growth_over_scale(
    inits: tuple[str, ...],
    m: int,
    n: int,
    k: int,
    g: Activation,
    threshold: float,
    seed: int,
    *,
    here: float,
    font: int,
) -> go.Figure:
    """Return a chart of saturation over the weight scale.

    Parameters
    ----------
    inits : tuple of str
        A curve for each.
    m, n, k, g, threshold, seed
        As `core.saturation.growth_over_scale`.
    here : float
        The weight scale of the cell on the screen, which is marked.
    font : int
        The size of all texts, in pixels.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    curves = {init: saturation.growth_over_scale(init, m, n, k, g, threshold, seed) for init in inits}
    x = _axis(text.WEIGHT_SCALE, font, ticks=[0.01, 0.1, 1, 10, 100])
    return _growth(saturation.SCALES.tolist(), curves, g, x_axis=x, here=here, font=font)


@lru_cache(maxsize=32)
def growth_over_fan_in(
    inits: tuple[str, ...], k: int, scale: float, g: Activation, threshold: float, seed: int, *, here: float, font: int
) -> go.Figure:
    """Return a chart of saturation over the fan-in.

    Parameters
    ----------
    inits : tuple of str
        A curve for each.
    k, scale, g, threshold, seed
        As `core.saturation.growth_over_fan_in`.
    here : float
        The fan-in of the cell on the screen, which is marked.
    font : int
        The size of all texts, in pixels.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    curves = {init: saturation.growth_over_fan_in(init, k, scale, g, threshold, seed) for init in inits}
    x = _axis(text.FAN_IN, font, ticks=saturation.FAN_INS)
    return _growth(saturation.FAN_INS, curves, g, x_axis=x, here=here, font=font)


def _axis(title: str, font: int, *, ticks: Sequence[float] | None = None) -> dict:
    """Return an axis. Plotly would write some ticks of a logarithmic one too small to read."""
    written = {"tickmode": "array", "tickvals": ticks} if ticks else {}
    return {"title": {"text": title, "font": {"size": font}}, "tickfont": {"size": font}, **written}


def _growth(
    x: Sequence[float], curves: Mapping[str, Growth], g: Activation, *, x_axis: dict, here: float, font: int
) -> go.Figure:
    """Return the fraction of saturated units above the median derivative, along a logarithmic axis."""
    traces = []
    for (name, grown), colour in zip(curves.items(), COMPARED_IN_BOTH_THEMES):
        traces += _band(name, colour, x, grown.fraction_band, grown.fraction, grown.expected_fraction)
        lower = _band(name, colour, x, grown.slope_band, grown.slope, grown.expected_slope)
        traces += [{**trace, "yaxis": "y2", "showlegend": False} for trace in lower]
    # The dashed lines have the colours of the others, so one entry of the legend stands for all of them.
    dashed = {"color": SHADE, "width": 2, "dash": "dash"}
    traces.append({"type": "scatter", "x": [None], "y": [None], "mode": "lines", "name": text.DASHED, "line": dashed})
    mark = {"type": "line", "xref": "x", "yref": "paper", "x0": here, "x1": here, "y0": 0, "y1": 1}
    # One dict, and not checked by plotly: built trace by trace a figure takes many times as long, and checked nine times.
    return go.Figure(
        {
            "data": traces,
            "layout": {
                "height": 520,
                "margin": {"l": 10, "r": font + 6, "t": 30, "b": 10},
                # On a phone it has two lines, and grows upwards.
                "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "font": {"size": font}},
                "hovermode": "x",
                "shapes": [{**mark, "line": {"color": MARK_COLOUR, "width": 2, "dash": "dot"}}],
                "xaxis": {**x_axis, "type": "log", "anchor": "y2"},
                "yaxis": {**_axis(text.FRACTION_SATURATED, font), "range": [-0.03, 1.03], "domain": [0.54, 1]},
                "yaxis2": {
                    **_axis(text.MEDIAN_DERIVATIVE.format(g=g.symbol), font, ticks=[10.0**-power for power in POWERS]),
                    # Plotly writes powers larger than other ticks.
                    "ticktext": [f"10<sup>−{power}</sup>" if power else "1" for power in POWERS],
                    "type": "log",
                    "range": [-8.2, 0.2],
                    "domain": [0, 0.46],
                },
            },
        },
        _validate=False,
    )


def _band(name: str, colour: str, x: Sequence[float], band: Array, line: Array, expected: Array) -> list[dict]:
    """Return the traces of one curve: the lower and upper end of its band, the line, and the expectation."""
    shared = {"type": "scatter", "x": x, "mode": "lines", "legendgroup": name}
    edge = {**shared, "line": {"width": 0}, "showlegend": False, "hoverinfo": "skip"}
    fill = {"fill": "tonexty", "fillcolor": f"rgba{(*bytes.fromhex(colour[1:]), 0.2)}"}
    return [
        {**edge, "y": band[0]},
        {**edge, "y": band[1], **fill},
        {**shared, "y": line, "name": plain(name), "line": {"color": colour, "width": 2}},
        {
            **shared,
            "y": expected,
            "name": text.EXPECTED.format(name=plain(name)),
            "line": {"color": colour, "width": 2, "dash": "dash"},
            "showlegend": False,
        },
    ]
