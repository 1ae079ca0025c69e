"""The gradients page: its maps are the exact gains, and its words are true of them."""

import re
from base64 import b64decode
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core import saturation
from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.concatenation import ORDERS
from core.scenario import Scenario
from core.sequence import bptt
from core.sequence.unroll import bounded_steps, unroll
from dashboard.drawing.arithmetic import number
from dashboard.drawing.chain import MOST_STEPS, width_of_gradient
from dashboard.text import gradients as sentences
from dashboard.text import words
from dashboard.text.cells import DIRECT_PATHS
from tests.dashboard.page import Control, Shown, as_text, assert_reaches_the_picture, entries, points
from tests.dashboard.page import open_link as open_path
from tests.sentences import says

open_link = partial(open_path, "gradients")
CELL = {"init": "normal", "m": 2, "n": 4, "k": 4, "scale": 0.5}
LINK = {name: as_text(value) for name, value in CELL.items()}
OWN = LINK | {"w_f": "1"}
DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
MAPS, BACK, DIRECT = sentences.MAPS_TITLE, sentences.BACK_TITLE, sentences.DIRECT_TITLE
CELLS_BACK = sentences.CELLS_TITLE
# The cells that carry a part of the state over as it is.
WITH_DIRECT_PATH = [name for name, cell in CELLS.items() if hasattr(cell, "direct_path")]


def taken(name: str, T: int, **choices) -> tuple[Any, list[Any]]:
    """The parameters, and the steps one after the other."""
    scenario, cell = Scenario(**CELL | choices), CELLS[name]
    params, state = scenario.params_and_initial_state(name)
    steps = []
    for x_t in scenario.noise(T):
        steps.append(cell.step(params, state, x_t))
        state = cell.next_state(steps[-1])
    return params, steps


def gains(name: str, T: int, **choices) -> np.ndarray:
    """From products of Jacobians that are not rescaled."""
    params, steps = taken(name, T, **choices)
    J = [CELLS[name].jacobian(params, step) for step in steps]
    table = np.full((T, T), np.nan)
    for t in range(T):
        product = np.eye(len(J[0]))
        for s in range(t, -1, -1):
            table[t, s] = np.log10(np.linalg.norm(product) / np.sqrt(len(product)))
            product = product @ J[s]
    return table


def direct_gains(name: str, T: int) -> np.ndarray:
    """From the products of the gates alone, from the last step back to each."""
    gates = np.stack([CELLS[name].direct_path(step) for step in taken(name, T)[1]])
    gains = [np.log10(np.sqrt(np.mean(gates[s + 1 :].prod(axis=0) ** 2))) for s in range(T - 1)]
    return np.array([*gains, 0])


@pytest.mark.parametrize("name", CELLS)
def test_the_maps_are_the_exact_gains(name):
    shown = Shown(open_link(**LINK, T="12", forget_bias="2"))
    assert_allclose(shown[name], gains(name, 12, forget_bias=2.0), rtol=1e-9, atol=1e-9)


def test_the_words_are_true_of_the_maps():
    shown = Shown(open_link(**LINK, T="12"))
    lines = shown.panels[MAPS]["note"].splitlines()
    for (name, cell), line in zip(CELLS.items(), lines, strict=True):
        params, state = Scenario(**CELL).params_and_initial_state(name)
        J = cell.jacobian(params, unroll(cell, params, state, Scenario(**CELL).noise(12)))
        gain, per_step = words.gain(shown[name][-1, 0], 2), number(10 ** (shown[name][-1, 0] / 11), 4)
        assert line == sentences.MAP_NOTE_RATE.format(cell=name, T=12, gain=gain, rate=per_step)
        assert f"{name} {words.in_sentence(bptt.spectral_radius(J[-1]), 2)}" in shown.panels[MAPS]["exactly"]


@pytest.mark.parametrize("name", CELLS)
def test_the_words_about_the_direct_path_are_of_the_cell_that_is_chosen(name):
    shown = Shown(open_link(**LINK, T="12", cell=name))
    text, exactly = shown.panels[DIRECT]["text"], shown.panels[DIRECT]["exactly"]
    whole = words.gain(shown[name][-1, 0], 2)
    if name in WITH_DIRECT_PATH:
        alone = words.gain(direct_gains(name, 12)[0], 2)
        assert says(text, sentences.ALONE, T=12, cell=name, gain=whole, alone=alone)
    else:
        assert says(text, sentences.NO_DIRECT_PATH, T=12, cell=name, gain=whole)
    vanishes = says(text, sentences.NORM["vanishes"])
    assert vanishes == (shown[name][-1, 0] < -1) and (vanishes or name not in ("RNN", "LSTM", "GRU"))
    assert all(path in exactly for path in DIRECT_PATHS.values())
    assert [*DIRECT_PATHS] == WITH_DIRECT_PATH
    assert sentences.COLUMNS_OF_H["hx"].format(n=4, columns=6) in exactly


def test_a_carousels_forget_gates_multiply_by_1_and_one_step_has_none_before_it():
    carousel = Shown(open_link(example="carousel", T="30"))
    text = carousel.panels[DIRECT]["text"]
    gain = words.gain(carousel["LSTM"][-1, 0], 2)
    assert re.fullmatch(r"0\.[78]\d", gain) and says(text, sentences.ALONE, T=30, cell="LSTM", gain=gain, alone="1")
    ((chart,),) = carousel.panels[BACK]["rows"]
    lstm_direct = next(line for line in chart["lines"] if line["dash"])
    assert points(lstm_direct).tolist() == [0] * 30
    text = Shown(open_link(**LINK, T="1")).panels[DIRECT]["text"]
    assert sentences.ONE_STEP in text and "From step" not in text


def test_the_gradient_check_agrees_to_many_digits():
    text = Shown(open_link(**LINK)).panels[sentences.CHECK_TITLE]["text"]
    powers = [
        int(power.translate(DIGITS)) for power in re.findall(rf"(?:{'|'.join(CELLS)}) \d\.\d·10⁻([⁰¹²³⁴-⁹]+)", text)
    ]
    assert len(powers) == len(CELLS)
    assert min(powers) > 7 and sentences.ROUNDING in text


def test_the_chart_holds_the_last_row_of_each_map_and_the_direct_paths():
    shown = Shown(open_link(**LINK, T="12"))
    ((chart,),) = shown.panels[BACK]["rows"]
    whole, direct = ([line for line in chart["lines"] if bool(line["dash"]) == dashed] for dashed in (False, True))
    assert [line["label"] for line in whole] == list(CELLS)
    for line in whole:
        assert_array_equal(points(line), shown[line["label"]][-1, ::-1].astype(np.float32))
    assert [line["label"] for line in direct] == [sentences.DIRECT_LINE.format(cell=name) for name in WITH_DIRECT_PATH]
    assert len({line["colour"]["light"] for line in whole + direct}) == len(whole + direct)
    for line, name in zip(direct, WITH_DIRECT_PATH, strict=True):
        assert_allclose(points(line), direct_gains(name, 12)[::-1], rtol=1e-6, atol=1e-6)
    assert (chart["x_range"], chart["x_label"]) == ([0, 11], sentences.STEPS_BACK)


@pytest.mark.parametrize(("name", "order"), [(name, order) for name in CELLS for order in ORDERS])
def test_what_comes_back_through_the_concatenation_is_how_the_sum_of_the_values_moves_with_the_stack(name, order):
    shown = Shown(open_link(**LINK, T="5", cell=name, order=order))
    params, steps = taken(name, 5, order=order)
    joined = next(iter(CELLS[name].PRE_ACTIVATIONS.values()))
    g = joined.g or params.g

    def total(stacked: np.ndarray) -> float:
        return g.f(getattr(params, joined.W) @ stacked + getattr(params, joined.b)).sum()

    stacked, width = steps[-1].stacked, 1e-6
    moved = [width * np.eye(len(stacked))[:, [at]] for at in range(len(stacked))]
    expected = [[(total(stacked + by) - total(stacked - by)) / (2 * width)] for by in moved]
    (back,) = [entries(block) for block in shown.picture["blocks"] if block["symbol"].endswith("ᵀ·δ")]
    assert_allclose(back, expected, rtol=1e-6, atol=1e-9)
    assert says(shown.panels[sentences.CONCATENATION_TITLE]["text"], sentences.CONCATENATION, n=4)


def test_a_gain_of_exactly_0_is_said_to_be_0_and_ends_its_line():
    shown = Shown(open_link(w_hh="0", T="5"))
    assert shown["RNN"][-1].tolist() == [-np.inf] * 4 + [0]
    assert shown.panels[MAPS]["note"].splitlines()[0] == sentences.MAP_NOTE.format(cell="RNN", T=5, gain="0")
    ((chart,),) = shown.panels[BACK]["rows"]
    assert points(chart["lines"][0]).tolist() == [0] + [-np.inf] * 4
    assert np.all(np.isfinite(chart["y_range"]))
    shown.assert_finite()


@pytest.mark.parametrize("T", [1, 2, 512])
@pytest.mark.parametrize("size", [1, 4])
def test_any_number_of_steps_can_be_shown(T, size):
    sizes = dict.fromkeys(("m", "n", "k"), str(size))
    shown = Shown(open_link(**LINK | sizes, T=str(T)))
    for name in CELLS:
        assert shown.block(name)["shape"] == f"({T}, {T})"
    shown.assert_finite()


@pytest.mark.slow
def test_with_many_units_there_are_fewer_steps_and_the_page_says_so():
    many, few = (open_link(init="normal", n=k, k=k, T="512") for k in ("100", "4"))
    T = bptt.affordable_steps(200)
    (remark,) = Shown(many).remarks
    assert remark == sentences.TOO_LONG.format(k=100, asked=512, T=T)
    assert Shown(many).block("LSTM")["shape"] == f"({T}, {T})"
    assert says(Shown(many).panels[MAPS]["note"], sentences.MAP_NOTE_RATE, T=T)
    assert not Shown(few).remarks


@pytest.mark.parametrize("name", CELLS)
def test_colours_for_each_map_reach_to_its_largest_gain(name):
    shown = Shown(open_link(**LINK, colours="matrix", T="12"))
    scale, largest = shown.block(name)["scale"], np.nanmax(np.abs(shown[name]))
    assert (scale["palette"], scale["low"], scale["high"]) == ("left", -largest, largest)


@pytest.mark.parametrize("scale", ["0.01", "100"])
def test_what_vanishes_is_not_called_nothing(scale):
    shown = Shown(open_link(**LINK | {"scale": scale}, T="200", g="tanh"))
    assert shown["RNN"][-1, 0] < 0
    told = [panel[part] for panel in shown.panels.values() for part in ("text", "alt", "note", "exactly")]
    assert not re.search(r"\b(nan|inf|infinity)\b", "\n".join(told), re.IGNORECASE)
    for name, line in zip(CELLS, shown.panels[MAPS]["note"].splitlines(), strict=True):
        is_zero = line == sentences.MAP_NOTE.format(cell=name, T=200, gain="0")
        assert is_zero == np.isneginf(shown[name][-1, 0])


@pytest.mark.parametrize(
    "control",
    [
        Control("T", 20, lambda shown: shown.block("RNN")["shape"] == "(20, 20)", LINK),
        Control("forget_bias", 3.0, lambda shown: shown["LSTM"][-1, 0] > -2, LINK),
        Control("w_f", 9.0, lambda shown: shown != Shown(open_link(**OWN)), OWN),
        Control("colours", "matrix", lambda shown: shown.block("RNN")["scale"]["label"] == "", LINK),
        Control("decimals", 4, lambda shown: re.search(r"RNN: gain \d\.\d{3}·10⁻", shown.panels[MAPS]["note"]), LINK),
    ],
    ids=str,
)
def test_a_control_reaches_the_picture_alike_from_its_widget_and_from_a_link(control):
    assert_reaches_the_picture(control, "gradients")


def test_gains_end_where_numbers_would_overflow_and_the_page_says_so():
    at = open_link(g="relu", init="normal", m="3", n="16", k="16", T="512", scale="2")
    shown = Shown(at)
    scenario = Scenario(m=3, n=16, k=16, init="normal", g="relu", scale=2.0)
    _, T = bounded_steps(unroll(CELLS["RNN"], *scenario.params_and_initial_state("RNN"), scenario.noise(512)))
    assert shown.remarks == [sentences.OVERFLOW.format(T=T, cell="RNN")]
    for name in CELLS:
        assert shown.block(name)["shape"] == f"({T}, {T})"
    assert shown["RNN"][-1, 0] > 10
    gain = words.gain(shown["RNN"][-1, 0], 2)
    assert says(shown.panels[MAPS]["note"], sentences.MAP_NOTE_RATE, cell="RNN", T=T, gain=gain)


def test_the_rows_of_cells_fade_with_the_gain_from_the_last_step():
    shown = Shown(open_link(**LINK, T="9"))
    rows = [row for (row,) in shown.panels[CELLS_BACK]["rows"]]
    assert [row["symbol"] for row in rows] == list(CELLS)
    assert [row["numbered"] for row in rows] == [False] * (len(CELLS) - 1) + [True]
    for row in rows:
        logs = gains(row["symbol"], 9)[-1]
        assert row["backward"] and not row["over_time"]
        width = np.frombuffer(b64decode(row["through"]), np.float32)
        assert_allclose(width, np.clip(1 + logs / 6, 0, 1), atol=1e-6)
        assert row["words"][0].endswith(sentences.cell_back(9, 1, words.gain(logs[0], 2)))
        assert row["end"] == sentences.GAIN.format(gain=words.gain(logs[0], 2))


def test_a_wire_is_gone_where_nothing_comes_back_and_no_wider_where_the_gradient_explodes():
    assert width_of_gradient(np.array([-np.inf, -6, -3, 0, 4])).tolist() == [0, 0, 0.5, 1, 1]


def test_beyond_what_can_be_seen_there_are_no_rows_of_cells():
    shown = Shown(open_link(**LINK, T=f"{MOST_STEPS + 1}"))
    assert CELLS_BACK not in shown.panels
    assert shown.panels[MAPS]["callout"] and not Shown(open_link(**LINK)).panels[MAPS]["callout"]


@pytest.mark.parametrize("choices", [{}, {"scale": "9"}, {"w_hh": "0"}], ids=str)
def test_the_callout_has_the_gain_of_each_cell_from_the_largest_on_and_what_is_saturated(choices):
    shown = Shown(open_link(**LINK | choices, T="6", cell="LSTM"))
    logs = {name: shown[name][-1, 0] for name in CELLS}
    callout = shown.panels[CELLS_BACK]["callout"]
    told = [words.gain(logs[name], 2, exact=True) for name in sorted(logs, key=lambda name: -logs[name])]
    assert re.findall(r"by (\S*[^\s.,])", callout) == told
    _, steps = taken("LSTM", 6, **{name: float(value) for name, value in choices.items() if name != "w_hh"})
    if "w_hh" in choices:
        return
    flat = {
        g: sum(
            int((ACTIVATIONS[g].df(getattr(step, z)) < 0.05 * ACTIVATIONS[g].max_df).sum())
            for step in steps
            for z in zs
        )
        for g, zs in {"sigmoid": ("z_f", "z_i", "z_o"), "tanh": ("z_c", "c_t")}.items()
    }
    values = {"sigmoid": 72, "tanh": 48}
    counts = {ACTIVATIONS[g]: saturation.Count(count, values[g]) for g, count in flat.items()}
    activated = CELLS["LSTM"].activated(taken("LSTM", 1)[0])
    assert callout.endswith(words.saturated_over_time("LSTM", counts, CELLS["LSTM"], activated))


def test_over_one_step_the_callout_has_no_gain():
    panel = Shown(open_link(**LINK, T="1")).panels[CELLS_BACK]
    assert panel["callout"].startswith(sentences.ONE_STEP) and "flows back" not in panel["text"]
