"""The diagram holds the numbers of its step and no others; its gates open their equations, and its stages stand in the link."""

import re
from importlib import import_module

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from core import saturation
from core.cells import CELLS
from core.cells.diagram import STAGES
from core.scenario import Scenario
from dashboard.drawing import diagram
from dashboard.drawing.arithmetic import number
from dashboard.drawing.cell_symbols import CellSymbols
from dashboard.drawing.colours import GATE_COLOURS
from dashboard.state.page_list import PAGES
from dashboard.state.state import parse
from dashboard.text import diagram as text
from tests.dashboard.page import entries, frames, points
from tests.sentences import pattern

PAPERS = {"light": "#ffffff", "dark": "#0e1117"}


def drawn(name: str, threshold: float = 0.05, **scenario) -> tuple[dict, object]:
    """The diagram of a step, and the step."""
    made = Scenario(n=3, k=3, init="normal", **scenario)
    params, step = made.step(name)
    symbols = CellSymbols(made, CELLS[name], params, fixed=True)

    def block(symbol: str) -> dict:
        return symbols.block(symbol, getattr(step, symbol))

    return diagram.diagram(symbols, step, threshold=threshold, block=block), step


def shown(path: str, **query: str) -> list[dict]:
    return import_module(PAGES[path].module).panels(parse(path, query)[0])


def panel_of(panels: list[dict]) -> dict:
    return next(panel for panel in panels if panel.get("title") in (text.TITLE, text.BACKWARD_TITLE))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["RNN", "LSTM", "GRU"])
def test_every_vector_has_the_numbers_of_the_step_and_every_gate_those_of_its_activation(name, seed):
    made, step = drawn(name, seed=seed)
    plan = CELLS[name].DIAGRAM
    assert len(made["nodes"]) == len(plan.nodes) and len(made["wires"]) == len(plan.wires)
    for node, planned in zip(made["nodes"], plan.nodes):
        if node["kind"] == "vector":
            assert_array_equal(entries(made["parts"][node["part"]]), getattr(step, planned.symbol))
        if node["kind"] == "gate":
            z, g = CELLS[name].activated(Scenario(n=3, k=3, init="normal", seed=seed).step(name)[0])[planned.symbol]
            assert_array_equal(entries(made["parts"][node["z"]]), getattr(step, z))
            assert_array_equal(entries(made["parts"][node["part"]]), g.f(getattr(step, z)))
            assert_array_equal(points({"values": node["curve"]}), g.f(diagram.GRID).astype(np.float32))
    for wire, planned in zip(made["wires"], plan.wires):
        assert_array_equal(entries(made["parts"][wire["part"]]), getattr(step, planned.symbol))
        assert not wire["gate"] or 0 <= getattr(step, planned.symbol).min() <= getattr(step, planned.symbol).max() <= 1


@pytest.mark.parametrize("threshold", [0.01, 0.05, 0.5])
@pytest.mark.parametrize(
    ("name", "g", "template"), [("LSTM", "tanh", text.SATURATED_GATE), ("RNN", "relu", text.INACTIVE_GATE)]
)
def test_a_gate_tells_how_many_of_its_units_are_saturated_or_inactive(name, g, template, threshold):
    made, step = drawn(name, threshold, scale=3.0, g=g)
    gates = {node.name: node.symbol for node in CELLS[name].DIAGRAM.nodes}
    for node in (node for node in made["nodes"] if node["kind"] == "gate"):
        params, _ = Scenario(n=3, k=3, init="normal", scale=3.0, g=g).step(name)
        z, g_of_node = CELLS[name].activated(params)[gates[node["name"]]]
        count = int(saturation.is_saturated(getattr(step, z), g_of_node, threshold).sum())
        assert re.fullmatch(pattern(template, flat=count, k=3), node["words"])
        low, high = np.clip(g_of_node.bounds(threshold), -6, 6)
        assert node["bounds"] == [low, high]


def test_of_a_sampled_gate_the_dots_are_its_probabilities_and_the_wire_carries_its_draws():
    made, step = drawn("LSTM", stochastic=True)
    gate = next(node for node in made["nodes"] if node["kind"] == "gate" and node["name"] == "f")
    assert_array_equal(entries(made["parts"][gate["part"]]), step.p_f)
    symbols = [planned.symbol for planned in CELLS["LSTM"].DIAGRAM.wires]
    assert_array_equal(entries(made["parts"][made["wires"][symbols.index("f_t")]["part"]]), step.f_t)


def test_the_numbers_behind_the_dots_are_in_no_legend():
    panel = panel_of(shown("lstm", init="normal"))
    assert not [legend for legend in panel["legends"] if legend["label"].startswith("z")]


@pytest.mark.parametrize("gate", "fico")
def test_a_link_opens_the_equation_of_a_gate(gate):
    panel = panel_of(shown("lstm", init="normal", node=gate))
    (made,), equation = panel["rows"]
    assert made["opened"] == gate
    symbols = [item["symbol"] for item in equation if item["kind"] == "block"]
    assert symbols[:3] == [f"W_{gate}", "[h; x]", f"b_{gate}"]


@pytest.mark.parametrize("gate", "ruh")
def test_a_link_opens_the_equation_of_a_gate_of_the_gru_and_of_its_candidate(gate):
    panel = panel_of(shown("gru", init="normal", node=gate))
    (made,), equation = panel["rows"]
    assert made["opened"] == gate and panel["playback"]
    symbols = [item["symbol"] for item in equation if item["kind"] == "block"]
    assert symbols[-2:] == [f"z_{gate}", "h̃_t" if gate == "h" else f"{gate}_t"]


@pytest.mark.parametrize("gate", ["r", "h", None])
def test_a_gate_of_another_cell_opens_nothing(gate):
    panel = panel_of(shown("lstm", init="normal", **({"node": gate} if gate else {})))
    ((made,),) = panel["rows"]
    assert made["opened"] == ""


@pytest.mark.parametrize(
    ("stage", "start"), [*((stage, at) for at, stage in enumerate(STAGES)), ("all", 4), ("join", 4)]
)
def test_a_link_opens_a_stage_and_shows_all_of_them_for_one_of_another_page(stage, start):
    playback = panel_of(shown("lstm", init="normal", stage=stage))["playback"]
    assert (playback["start"], len(playback["steps"])) == (start, len(STAGES) + 1)


def test_the_hidden_state_page_shows_everything_for_a_stage_of_the_diagram():
    titles = [panel["title"] for panel in shown("", init="normal", stage="gates")]
    assert titles == [panel["title"] for panel in shown("", init="normal")]


def test_over_time_the_diagram_has_the_numbers_of_every_step():
    panel = panel_of(shown("sequence", init="normal", n="3", k="3", T="5", cell="LSTM"))
    ((made,),) = panel["rows"]
    assert all(len(frames(part)) == 5 for part in made["parts"])
    assert not made["staged"] and panel["playback"] is None
    assert not [node for node in made["nodes"] if "saturated" in node.get("words", "")]


def test_what_is_predicted_first_is_in_no_diagram():
    for path in ("", "lstm", "gru", "sequence"):
        assert text.TITLE not in [
            panel.get("title") for panel in shown(path, init="normal", n="3", k="3", predict="true")
        ]


def luminance(colour: str) -> float:
    """As WCAG 2 defines it."""
    parts = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", PAPERS)
def test_the_colours_of_the_gates_can_be_told_from_the_paper(scheme):
    for colours in GATE_COLOURS.values():
        low, high = sorted((luminance(colours[scheme]), luminance(PAPERS[scheme])))
        assert (high + 0.05) / (low + 0.05) >= 4.5  # a gate's name is written in its colour


# ---- backward ------------------------------------------------------------------------------


PAGES_OF_A_STEP = {"": "RNN", "lstm": "LSTM", "gru": "GRU"}
LINK = {"init": "normal", "n": "3", "k": "3", "seed": "5"}


@pytest.mark.parametrize("path", PAGES_OF_A_STEP)
def test_backward_every_vector_and_wire_has_its_gradient_and_every_gate_its_units(path):
    name = PAGES_OF_A_STEP[path]
    panel = panel_of(shown(path, backward="true", **LINK))
    made, plan = panel["rows"][0][0], CELLS[name].DIAGRAM
    params, step = Scenario(init="normal", n=3, k=3, seed=5).step(name)
    gradients = CELLS[name].wire_gradients(params, step)
    assert made["backward"] and panel["playback"] is None
    for node, planned in zip(made["nodes"], plan.nodes):
        if node["kind"] == "vector":
            assert_array_equal(entries(made["parts"][node["part"]]), gradients[planned.symbol])
        if node["kind"] == "gate":
            z, _ = CELLS[name].activated(params)[planned.symbol]
            assert_array_equal(entries(made["parts"][node["z"]]), getattr(step, z))
    for wire, planned in zip(made["wires"], plan.wires):
        part = made["parts"][wire["part"]]
        assert_array_equal(entries(part), gradients[planned.gradient])
        assert part["tooltip_name"].startswith("gradient ") and part["symbol"] in part["tooltip_name"]
    names = [made["parts"][wire["part"]]["tooltip_name"] for wire in made["wires"]]
    assert len(set(names)) == len({wire.gradient for wire in plan.wires})


@pytest.mark.parametrize("path", PAGES_OF_A_STEP)
def test_without_the_switch_the_diagram_shows_the_values(path):
    panel = panel_of(shown(path, **LINK))
    made = panel["rows"][0][0]
    switch = next(action for action in panel["actions"] if action["setting"] == "backward")
    assert not made["backward"] and not switch["is_on"]
    assert not any(part["tooltip_name"] for part in made["parts"])
    switch = panel_of(shown(path, backward="true", **LINK))["actions"][0]
    assert switch["setting"] == "backward" and switch["is_on"]


def test_the_wire_behind_one_minus_carries_the_rest_of_the_gate():
    made, _ = drawn("GRU")
    assert [planned.symbol for planned, wire in zip(CELLS["GRU"].DIAGRAM.wires, made["wires"]) if wire["rest"]] == [
        "u_t"
    ]


def test_sampled_gates_and_a_wrong_stack_have_no_backward():
    sampled = panel_of(shown("lstm", backward="true", stochastic="true", **LINK))
    assert not sampled["rows"][0][0]["backward"] and text.NO_GRADIENT in sampled["text"]
    assert not [
        action
        for action in panel_of(shown("lstm", stochastic="true", **LINK))["actions"]
        if action["setting"] == "backward"
    ]
    wrong = panel_of(shown("", backward="true", unmatched="true", **LINK))
    assert not wrong["rows"][0][0]["backward"] and not wrong["actions"]


def test_the_words_of_the_drawing_are_those_of_what_it_shows():
    params, step = Scenario(init="normal", n=3, k=3, seed=5).step("LSTM")
    gradient = CELLS["LSTM"].wire_gradients(params, step)["c_prev"][1, 0]
    backward = panel_of(shown("lstm", backward="true", j="2", **LINK))
    assert f"∂L/∂c_(t−1) = {number(gradient, 2)}" in backward["alt"]
    assert f"c_t = {number(step.c_t[1, 0], 2)}" in panel_of(shown("lstm", j="2", **LINK))["alt"]
