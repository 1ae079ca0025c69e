"""Checks of one more entry in each registry. tests/test_registry_entries.py runs them with the plugin beside this module."""

import json
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest
from numpy.testing import assert_allclose
from streamlit.testing.v1 import AppTest

from core.examples import EXAMPLES
from core.exchange import generated_code
from core.exchange.latex import latex
from core.exchange.notebook import notebook
from core.exchange.scenario_json import from_json, to_json
from core.initialize import RANDOM
from core.scenario import Scenario
from dashboard.state.parameters import PARAMETERS, VALUE_RULES, VIEW_PARAMS
from dashboard.state.session import PAGES
from dashboard.text import hidden_state as of_hidden_state
from dashboard.text import saturation as of_saturation
from dashboard.text import training as of_training
from tests.core.test_generated_code import as_jupyter
from tests.dashboard.page import Shown, choose, drawn_controls, open_link, prepared

SIZES = {"m": "2", "n": "3", "k": "3", "init": "he", "b_normal": "true"}
CELL_PAGES = ("", "lstm", "gru", "saturation", "sequence", "gradients")
OWN = {"story": "own", "updates": "4", "units": "2", "length": "3"}
TRAINING = OWN | {"task": "halves", "trained": "RNN", "optimiser": "RMSprop", "start": "he", "clip": "half"}
NEW = {
    "g": ("softsign", "leaky_relu", "half_relu"),
    "init": ("he",),
    "start": ("he",),
    "optimiser": ("RMSprop",),
    "clip": ("half",),
    "task": ("halves",),
    "story": ("optimisers",),
    "input": ("line",),
    "example": ("small", "smalllstm", "smallsequence"),
}


@pytest.fixture(scope="module", autouse=True)
def app():
    with prepared():
        yield


def opened(path: str, **parameters: str) -> AppTest:
    """A page that opens without any complaint."""
    at = open_link(path, **parameters)
    assert not at.exception and not at.warning and not at.error
    return at


@pytest.mark.parametrize("name", NEW)
def test_the_rule_of_the_parameter_allows_the_new_names(name):
    assert all(VALUE_RULES[name].allows(text) for text in NEW[name])


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("g", NEW["g"])
def test_every_page_opens_with_a_new_activation_and_a_new_initializer(path, g):
    at = opened(path, **SIZES, g=g, cell="RNN")
    if path in CELL_PAGES:
        Shown(at).assert_finite()


@pytest.mark.parametrize("g", NEW["g"])
def test_the_saturation_page_compares_and_predicts_with_a_new_activation(g):
    opened("saturation", **SIZES, g=g, compare="example=lab")
    opened("saturation", **SIZES, g=g, source="typed", predict="true")
    opened("", **SIZES, g=g, predict="true")


def test_units_of_a_new_activation_are_saturated_or_inactive_as_its_record_says():
    on_curves, activate, trained = {}, {}, {}
    for g in NEW["g"]:
        on_curves[g] = Shown(opened("saturation", **SIZES, g=g)).panels["Units on the curves"]["text"]
        activate[g] = Shown(opened("", **SIZES, g=g)).panels[of_hidden_state.ACTIVATE_TITLE]["note"]
        trained[g] = Shown(opened("training", **TRAINING, g=g)).panels[of_training.SATURATED]["exactly"]
    flat, inactive = of_saturation.FLAT_SIDE.format(g="½ReLU"), of_training.UNBOUNDED.format(g="½ReLU")
    assert [g for g in NEW["g"] if flat in on_curves[g]] == ["half_relu"]
    assert [g for g in NEW["g"] if of_hidden_state.INACTIVE in activate[g]] == ["half_relu"]
    assert [g for g in NEW["g"] if inactive in trained[g]] == ["half_relu"]


def test_the_new_activation_has_a_curve_and_dashes_of_its_own():
    shown = Shown(opened("saturation", **SIZES, g="softsign"))
    (curves,) = shown.panels["Units on the curves"]["rows"]
    lines = {line["label"]: line["dash"] for line in curves[0]["lines"]}
    assert {"softsign", "LeakyReLU"} <= lines.keys()
    assert len({json.dumps(lines[name]) for name in ("σ", "tanh", "ReLU", "softsign")}) == 4


def test_the_sidebar_offers_the_new_names():
    shown = drawn_controls(opened(""))
    assert {"softsign", "leaky_relu"} <= {option["value"] for option in shown["g"]["options"]}
    assert "he" in {option["value"] for option in shown["init"]["options"]} and "he" in RANDOM
    assert "small" in {option["label"] for option in shown["example"]["options"]}
    assert drawn_controls(opened("", init="he"))["init"]["help"] == PARAMETERS["init"].help


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("example", NEW["example"])
def test_every_page_opens_on_a_new_example(path, example):
    at = opened(path, example=example)
    if path in CELL_PAGES:
        assert not any("Worked example" in title for title in Shown(at).panels)


def test_the_list_of_examples_has_a_new_one_by_its_name_and_without_an_empty_story():
    at = opened("examples")
    names = {f"**{name}**" for name in NEW["example"]}
    assert names <= {markdown.value for markdown in at.markdown} and "" not in {text.value for text in at.text}
    assert len(at.main.expander) == len(EXAMPLES) - len(names)


def test_the_sequence_page_draws_a_new_input():
    shown = Shown(opened("sequence", **SIZES, input="line"))
    shown.assert_finite()
    assert "line" in {option["value"] for option in drawn_controls(opened("sequence"))["input"]["options"]}


@pytest.mark.parametrize("g", NEW["g"])
def test_a_new_task_is_trained_by_a_new_optimiser(g):
    shown = Shown(opened("training", **TRAINING, g=g))
    assert of_training.LOSS_TEXT in shown.panels[of_training.LOSS]["text"]
    shown.assert_finite()


def test_a_new_experiment_compares_its_trainings():
    at = opened("training", story="optimisers")
    shown = Shown(at)
    (trainings,) = shown.panels[""]["keys"]
    assert [line["label"] for line in trainings["lines"]] == [
        "leaky_relu, optimiser RMSprop",
        "softsign, optimiser SGD",
    ]
    assert shown.panels.get("Why?", {"text": ""})["text"] == ""
    assert "optimisers" in {option["label"] for option in drawn_controls(at)["story"]["options"]}


# ---- files and code --------------------------------------------------------------------------------


def scenario(g: str) -> Scenario:
    return Scenario(m=2, n=3, k=3, init="he", b_normal=True, g=g, cell="RNN", T=4)


@pytest.mark.parametrize("sequence", [False, True])
def test_code_of_a_new_activation_runs(sequence):
    shown = scenario("leaky_relu")
    names: dict = {}
    with redirect_stdout(StringIO()):
        exec(generated_code.numpy_script(shown, "RNN", sequence=sequence), names)
    if not sequence:
        assert_allclose(names["h_t"], shown.step("RNN")[1].h_t, rtol=1e-12)
        assert_allclose(as_jupyter(notebook(shown, "RNN"))[4][1], shown.step("RNN")[1].h_t, rtol=1e-12)
    assert np.isfinite(names["h_t"]).all()
    assert "h = torch.nn.LeakyReLU(0.1)(h @" in generated_code.pytorch_script(shown, "RNN", sequence=sequence)
    with pytest.raises(ValueError, match=r"^Keras .*\bleaky_relu\b.*\bNumPy\b"):
        generated_code.keras_script(shown, "RNN", sequence=sequence)


def test_latex_names_a_new_activation():
    assert r"\operatorname{LReLU}(z_t)" in latex(scenario("leaky_relu"), "RNN", decimals=2)
    assert r"\mathrm{softsign}(z_t)" in latex(scenario("softsign"), "RNN", decimals=2)


def test_code_that_is_missing_is_said_to_be_missing():
    for write in (generated_code.numpy_script, notebook):
        with pytest.raises(ValueError, match=r"\bsoftsign\b.*\bNumPy\b"):
            write(scenario("softsign"), "RNN", sequence=False)
    with pytest.raises(ValueError, match=r"^PyTorch .*\bsoftsign\b.*\bNumPy\b"):
        generated_code.pytorch_script(scenario("softsign"), "RNN", sequence=False)


@pytest.mark.parametrize("path", CELL_PAGES)
@pytest.mark.parametrize("g", NEW["g"])
def test_every_kind_of_code_is_shown_or_said_to_be_missing(path, g):
    at = opened(path, **SIZES, g=g, cell="RNN", take="true", edit="true")
    for kind in ("NumPy", "PyTorch", "Keras", "Notebook", "LaTeX"):
        at = choose(at, code=kind)
        assert not at.exception
        is_missing = any("has no" in info.value for info in at.info)
        assert is_missing or any(caption.value.startswith(kind) for caption in at.caption)


def test_a_file_keeps_the_new_names():
    assert from_json(to_json(scenario("softsign"), VIEW_PARAMS), VIEW_PARAMS)[0] == scenario("softsign")
