"""The gradients page: its maps are the exact gains, and its words are true of them."""

import json
import re
from base64 import b64decode
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core import bptt
from core.cells import CELLS
from core.scenario import Scenario
from core.unroll import unroll
from dashboard.charts import number
from tests.dashboard.page import Control, Shown, as_text, assert_reaches_the_picture
from tests.dashboard.page import open_link as open_path

open_link = partial(open_path, "gradients")
CELL = {"init": "normal", "m": 2, "n": 4, "k": 4, "scale": 0.5}
LINK = {name: as_text(value) for name, value in CELL.items()}
MAPS = "From every step to every earlier one"


def gains(name: str, T: int, **choices) -> np.ndarray:
    """From the steps themselves, one after the other, and products that are not rescaled."""
    scenario, cell = Scenario(**CELL | choices), CELLS[name]
    params, state, _ = scenario.setup(name)
    J = []
    for x_t in scenario.noise(T):
        step = cell.step(params, state, x_t)
        J.append(cell.jacobian(params, step))
        state = cell.next_state(step)
    table = np.full((T, T), np.nan)
    for t in range(T):
        product = np.eye(len(J[0]))
        for s in range(t, -1, -1):
            table[t, s] = np.log10(np.linalg.norm(product) / np.sqrt(len(product)))
            product = product @ J[s]
    return table


@pytest.mark.parametrize("name", CELLS)
def test_the_maps_are_the_exact_gains(name):
    shown = Shown(open_link(**LINK, T="12", forget_bias="2"))
    assert_allclose(shown[name], gains(name, 12, forget_bias=2.0), rtol=1e-9, atol=1e-9)


def test_the_words_are_true_of_the_maps():
    shown = Shown(open_link(**LINK, T="12"))
    lines = shown.panels[MAPS]["note"].splitlines()
    for (name, cell), line in zip(CELLS.items(), lines, strict=True):
        params, state, _ = Scenario(**CELL).setup(name)
        J = cell.jacobian(params, unroll(cell, params, state, Scenario(**CELL).noise(12)))
        gain = number(round(shown[name][-1, 0], 2), 2)
        assert line == (
            f"{name}: the gain from step 12 back to step 1 is 10^{gain}, and the spectral radius of the last Jacobian is "
            f"{number(bptt.spectral_radius(J[-1]), 2)}."
        )
    direct = shown.panels["The direct path is not the whole gradient"]["text"]
    assert f"the whole Jacobian 10^{number(round(shown['LSTM'][-1, 0], 2), 2)}." in direct
    assert "the first 4 of 6" in direct


def test_the_numeric_check_agrees_to_many_digits():
    text = Shown(open_link(**LINK)).panels["Is it right?"]["text"]
    differences = [float(found.replace("−", "-")) for found in re.findall(r"(?:RNN|LSTM|GRU) ([\d.e−]+\d)", text)]
    assert len(differences) == len(CELLS)
    assert max(differences) < 1e-7


def test_the_chart_holds_the_last_row_of_each_map_and_the_direct_paths():
    at = open_link(**LINK, T="12")
    shown = Shown(at)
    traces = {trace["name"]: trace for trace in json.loads(at.get("plotly_chart")[0].proto.spec)["data"]}
    assert traces.keys() == {"RNN", "LSTM", "GRU", "LSTM, direct path", "GRU, direct path"}
    for name in CELLS:
        y = np.frombuffer(b64decode(traces[name]["y"]["bdata"]), traces[name]["y"]["dtype"])
        assert_allclose(y, shown[name][-1, ::-1])


def test_a_cell_that_takes_one_step_says_why_nothing_comes_back():
    shown = Shown(open_link(k="5", n="2"))
    assert "k = 5 but n = 2: such a cell takes one step and never a second" in shown.lead
    assert not shown.symbols


@pytest.mark.parametrize("T", [1, 2, 512])
def test_any_number_of_steps_can_be_shown(T):
    shown = Shown(open_link(**LINK, T=str(T)))
    assert shown.block("LSTM")["shape"] == f"({T}, {T})"
    shown.assert_finite()


@pytest.mark.parametrize("scale", ["0.01", "100"])
def test_what_vanishes_is_not_called_nothing(scale):
    shown = Shown(open_link(**LINK | {"scale": scale}, T="200", g="tanh"))
    assert shown["RNN"][-1, 0] < 0
    assert "nan" not in json.dumps(shown.picture["panels"]).lower()


@pytest.mark.parametrize(
    "control",
    [
        Control("T", 20, lambda shown: shown.block("RNN")["shape"] == "(20, 20)", LINK),
        Control("forget_bias", 3.0, lambda shown: shown["LSTM"][-1, 0] > -2, LINK),
        Control("w_f", 9.0, lambda shown: shown != Shown(open_link(**LINK)), LINK),
    ],
    ids=str,
)
def test_a_control_reaches_the_picture_alike_from_its_widget_and_from_a_link(control):
    assert_reaches_the_picture(control, "gradients")
