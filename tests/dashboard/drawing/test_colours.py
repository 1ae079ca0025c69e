"""The colours of lines and gates: everybody can tell them apart, and from the page."""

import re
from itertools import combinations, product

import numpy as np
import pytest

from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.cells.symbols import symbol_of
from core.scenario import Scenario
from dashboard.drawing import scales
from dashboard.drawing.chain import width_of_gradient
from dashboard.drawing.charts import curve
from dashboard.drawing.colours import (
    ACTIVATION,
    COMPARED,
    COMPARED_IN_BOTH_THEMES,
    GATE_COLOURS,
    LINES,
    REFERENCE,
    hues_of,
)
from dashboard.server.assets import STATIC
from dashboard.text.gradients import BACK_TITLE, DIRECT_LINE
from dashboard.text.model_findings import BIASES
from dashboard.text.saturation import CURVES_TITLE
from tests.dashboard.page import Shown, open_link

PAPER = {"light": "#ffffff", "dark": "#171614"}
# What eyes without one kind of cones see of red, green and blue light (Machado, Oliveira and Fernandes 2009).
SIGHT = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
# From light to CIE XYZ, relative to white.
XYZ = np.array([[0.4339, 0.3762, 0.1899], [0.2127, 0.7152, 0.0722], [0.0178, 0.1095, 0.8727]])
# A difference in CIE Lab that is seen at a glance on thin lines; about 2 is the smallest that is seen at all.
SEEN = 20
# As WCAG 2 has it for a text, because the lines are thin. No colour has more than 4.2 on the papers of both themes.
CONTRAST, CONTRAST_IN_BOTH = 4.5, 4


def light_of(colour: str) -> np.ndarray:
    """The red, green and blue light of a colour, from 0 to 1."""
    parts = np.frombuffer(bytes.fromhex(colour[1:]), np.uint8) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light: np.ndarray) -> np.ndarray:
    """The colour in CIE Lab."""
    xyz = XYZ @ np.clip(light, 0, 1)
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(paper: float, colour: str) -> float:
    """The contrast of WCAG 2 between a colour and a luminance."""
    dark, bright = sorted((paper, XYZ[1] @ light_of(colour)))
    return (bright + 0.05) / (dark + 0.05)


# The lines of a chart of each cell with gates.
CHARTS = [
    [*hues_of([*(gate for gate in GATE_COLOURS if hasattr(step, gate)), "one", "two"]).values()]
    for step in (Scenario(n=1, k=1).step(name)[1] for name in ("LSTM", "GRU"))
]


@pytest.mark.parametrize("theme", PAPER)
@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("table", [*CHARTS, LINES, COMPARED])
def test_everybody_can_tell_any_two_lines_apart(theme, sight, table):
    assert len(table) >= 5
    seen = {hue[theme]: lab(np.array(SIGHT[sight]) @ light_of(hue[theme])) for hue in table}
    differences = {(a, b): np.linalg.norm(seen[a] - seen[b]) for a, b in combinations(seen, 2)}
    closest = min(differences, key=differences.__getitem__)
    assert differences[closest] >= SEEN, closest


@pytest.mark.parametrize("theme", PAPER)
@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("gate", ["o_t", "u_t"])
def test_what_shows_the_output_is_no_selected_unit(theme, sight, gate):
    accents = re.search(r'accent: dark \? "(#\w+)" : "(#\w+)"', (STATIC / "picture/theme.js").read_text())
    assert accents
    accent = dict(zip(("dark", "light"), accents.groups(), strict=True))[theme]
    output = GATE_COLOURS[gate][theme]
    one, other = (lab(np.array(SIGHT[sight]) @ light_of(colour)) for colour in (accent, output))
    assert np.linalg.norm(one - other) >= SEEN


@pytest.mark.parametrize("theme", PAPER)
def test_every_gate_has_a_hue_of_its_own(theme):
    gates = {symbol: hue[theme] for symbol, hue in GATE_COLOURS.items() if symbol != "h_tilde"}
    for (a, one), (b, other) in combinations(gates.items(), 2):
        assert np.linalg.norm(lab(light_of(one)) - lab(light_of(other))) >= SEEN, (a, b)


@pytest.mark.parametrize("path", ["lstm", "gru"])
def test_the_name_of_a_gate_has_its_hue_and_no_other_name_has_one(path):
    shown = Shown(open_link(path, init="normal", n="3", k="3"))
    hues = {block["symbol"]: block["colour"] for block in shown.picture["blocks"]}
    named = {symbol_of(CELLS[path.upper()], gate): hue for gate, hue in GATE_COLOURS.items()}
    assert {symbol: hue for symbol, hue in hues.items() if hue} == {
        symbol: named[symbol] for symbol in hues if symbol in named
    }
    assert sum(hue is not None for hue in hues.values()) == {"lstm": 4, "gru": 3}[path]


@pytest.mark.parametrize("theme", PAPER)
def test_nothing_that_is_compared_has_the_hue_of_a_gate(theme):
    gates = {hue[theme]: lab(light_of(hue[theme])) for hue in GATE_COLOURS.values()}
    hues = [*(hue[theme] for hue in COMPARED), *COMPARED_IN_BOTH_THEMES]
    for gate, hue in product(gates, hues):
        assert np.linalg.norm(gates[gate] - lab(light_of(hue))) >= SEEN, (gate, hue)


@pytest.mark.parametrize("theme", PAPER)
def test_every_line_is_seen_on_the_page(theme):
    paper = XYZ[1] @ light_of(PAPER[theme])
    for hue in (*LINES, *GATE_COLOURS.values(), *COMPARED, REFERENCE, ACTIVATION):
        assert contrast(paper, hue[theme]) >= CONTRAST, hue
    for colour in COMPARED_IN_BOTH_THEMES:
        assert contrast(paper, colour) >= CONTRAST_IN_BOTH, colour


def test_no_activation_has_the_hue_of_a_gate_and_each_has_dashes_of_its_own():
    for plot in Shown(open_link("saturation", g="tanh")).panels[CURVES_TITLE]["rows"][0]:
        dashes = {line["label"].removesuffix("′"): (*line["dash"],) for line in plot["lines"]}
        assert dashes.keys() == {g.symbol for g in ACTIVATIONS.values()} and dashes["tanh"] == ()
        assert len({*dashes.values()}) == len(dashes)
        for theme, line in product(PAPER, plot["lines"]):
            _, *hue = lab(light_of(line["colour"][theme]))
            assert np.linalg.norm(hue) < 10, line["label"]


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_an_activation_is_solid_and_its_derivative_dashed_in_the_same_colour(name):
    value, slope = curve(ACTIVATIONS[name], np.zeros(1), np.zeros(1), (-1, 1))["lines"]
    assert value["colour"] == slope["colour"] and slope["dash"] and not value["dash"]


def test_saturated_is_no_colour_of_a_derivative():
    shown = Shown(open_link("saturation"))
    palettes = [scales.PALETTES[shown.block(symbol)["scale"]["palette"]] for symbol in ("σ′(z)", "saturated")]
    for theme in PAPER:
        amber, grey = (lab(light_of(palette[theme][-1])) for palette in palettes)
        assert np.linalg.norm(amber - grey) >= SEEN


def test_a_gate_keeps_its_hue_and_no_other_line_of_its_chart_has_it():
    names = ["f_t", "i_t", "c_tilde", "o_t", "one", "two"]
    hues = hues_of(names)
    assert [hues[name] for name in names[:4]] == [GATE_COLOURS[name] for name in names[:4]]
    assert len({hue["light"] for hue in hues.values()}) == len({hue["dark"] for hue in hues.values()}) == len(names)


@pytest.mark.parametrize("theme", PAPER)
@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("palette", scales.PALETTES)
def test_0_is_the_paper_and_more_is_stronger_in_both_themes(palette, theme, sight):
    stops = [XYZ[1] @ np.clip(SIGHT[sight] @ light_of(stop), 0, 1) for stop in scales.PALETTES[palette][theme]]
    middle = len(stops) // 2 if palette == "diverging" else 0
    halves = [stops[middle::-1], stops[middle:]] if middle else [stops[: 33 if palette == "left" else None]]
    for half in halves:
        assert half == sorted(half, reverse=theme == "light")
    assert palette in ("left", "ink") or abs(stops[middle] - XYZ[1] @ light_of(PAPER[theme])) < 0.1


@pytest.mark.parametrize("theme", PAPER)
@pytest.mark.parametrize("sight", SIGHT)
def test_a_map_of_gains_has_the_ink_of_the_wires_up_to_1_and_red_beyond(theme, sight):
    scale = Shown(open_link("gradients")).block("LSTM")["scale"]
    stops = scales.PALETTES[scale["palette"]][theme]

    def colour_of(log: float) -> np.ndarray:
        fraction = (log - scale["low"]) / (scale["high"] - scale["low"])
        return lab(np.array(SIGHT[sight]) @ light_of(stops[round(fraction * (len(stops) - 1))]))

    paper = lab(np.array(SIGHT[sight]) @ light_of(PAPER[theme]))
    logs = np.linspace(-scales.POWERS_TO_FAINT, 0, 13)
    contrast = [np.linalg.norm(colour_of(log) - paper) for log in logs]
    assert contrast == sorted(contrast), "the more is left, the stronger"
    assert contrast[0] < SEEN < contrast[-1] / 4
    middle = np.interp(0.5, width_of_gradient(logs), contrast)
    assert abs(middle - np.mean([contrast[0], contrast[-1]])) < SEEN / 2, "as even as the wires"
    for log in (0.3, 1, 3, 6):
        if sight == "usual":
            assert colour_of(log)[1] - colour_of(0)[1] >= SEEN / 2, "red"
    assert np.linalg.norm(colour_of(6) - colour_of(0)) >= SEEN


def test_the_biases_of_a_model_have_the_hues_of_their_gates():
    rows = Shown(open_link("model")).panels[BIASES]["rows"]
    hues = {item["symbol"]: item["colour"] for row in rows for item in row}
    for gate, symbol in {"b_f": "f_t", "b_i": "i_t", "b_c": "c_tilde", "b_o": "o_t"}.items():
        assert hues[gate] == GATE_COLOURS[symbol]


def lines_of_gains() -> dict[str, dict]:
    """The lines of the gradients page by their names."""
    rows = Shown(open_link("gradients")).panels[BACK_TITLE]["rows"]
    return {line["label"]: line for row in rows for item in row for line in item["lines"]}


@pytest.mark.parametrize("theme", PAPER)
def test_a_direct_path_is_dashed_in_a_shade_of_its_cell_and_everybody_tells_the_lines_apart(theme):
    lines = lines_of_gains()
    assert not [label for label, line in lines.items() if line["colour"] in GATE_COLOURS.values()]
    hues = {label: line["colour"][theme] for label, line in lines.items()}
    for sight, (a, b) in product(SIGHT.values(), combinations(hues, 2)):
        one, other = (lab(np.array(sight) @ light_of(hues[label])) for label in (a, b))
        assert np.linalg.norm(one - other) >= SEEN - 1, (a, b)
    for cell in ("LSTM", "GRU"):
        direct = DIRECT_LINE.format(cell=cell)
        assert lines[direct]["dash"] and not lines[cell]["dash"]
        angles = [np.arctan2(*lab(light_of(hues[label]))[:0:-1]) for label in (cell, direct)]
        assert abs(np.subtract(*angles)) < 0.35, cell
        assert contrast(XYZ[1] @ light_of(PAPER[theme]), hues[direct]) >= CONTRAST


@pytest.mark.parametrize("init", ["normal", "fill"])
@pytest.mark.parametrize(
    ("path", "added"),
    [("", ["W_h[h; x]", "W_{hh}h", "W_{hx}x", "b_h", "z_t"]), ("lstm", ["b_f", "z_f"]), ("gru", ["b_r", "z_r", "z_h"])],
)
def test_what_is_added_has_one_colour_for_one_value(path, added, init):
    shown = Shown(open_link(path, init=init))
    scales_of_added = {(block["scale"]["low"], block["scale"]["high"]) for block in map(shown.block, added)}
    assert len(scales_of_added) == 1
