"""What must hold of a cell that is one module and one line: tests/test_fourth_cell.py runs this with the plugin beside it.

The laws for every cell are in the other tests, which run along; these follow the MGU from page to page.
"""

import json
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from streamlit.testing.v1 import AppTest

from core.cells import CELLS
from core.exchange import generated_code
from core.exchange.array_files import read_arrays, to_npz
from core.exchange.latex import latex
from core.exchange.matrix_text import from_link, to_link
from core.exchange.notebook import notebook
from core.exchange.scenario_json import from_json, to_json
from core.exchange.weight_layouts import to_keras, to_pytorch
from core.scenario import SOURCES, Scenario
from core.sequence import bptt
from core.sequence.unroll import unroll
from dashboard.state.parameters import VIEW_PARAMS
from dashboard.text import gradients as of_gradients
from dashboard.text import saturation as of_saturation
from dashboard.text import sequence as of_sequence
from tests.any_cell import own_z, symbols, z_of
from tests.core.test_generated_code import as_jupyter, assert_makes_and_prints, assert_prints_the_gains
from tests.dashboard.controls.test_editor import array_widget, edit, grid, paste, type_cells
from tests.dashboard.controls.test_save_panel import code, downloads, open_file
from tests.dashboard.page import Shown, as_text, choose, entries, open_link, prepared, query
from tests.fourth_cell import mgu
from tests.sentences import says

ROOT = Path(__file__).parents[2]
SAID = {"m": 2, "n": 3, "k": 3, "init": "normal", "b_normal": True, "scale": 1.5, "seed": 4, "T": 6, "cell": "MGU"}
SCENARIO = Scenario(**SAID)
W_AH = np.arange(9).reshape(3, 3) / 8 - 0.5
(WORD,) = mgu.PRE_ACTIVATIONS
# The formula of its z on the screen.
Z_A = "W_a·[h; x] + b_a"


@pytest.fixture(scope="module", autouse=True)
def app():
    with prepared():
        yield


def page(path: str, **more: str) -> AppTest:
    at = open_link(path, **{name: as_text(value) for name, value in SAID.items()}, **more)
    assert not at.exception and not at.warning and not at.error
    return at


def steps_of(scenario: Scenario) -> list[mgu.MGUStep]:
    """One after the other."""
    params, state = scenario.params_and_initial_state("MGU")
    steps = []
    for x_t in scenario.sequence():
        steps.append(mgu.step(params, state, x_t))
        state = mgu.next_state(steps[-1])
    return steps


def test_it_is_registered_and_nobody_knows_it():
    assert CELLS["MGU"] is mgu and SOURCES[WORD] is mgu.PRE_ACTIVATIONS[WORD]
    files = [file for folder in ("core", "dashboard") for file in (ROOT / folder).rglob("*") if file.is_file()]
    readable = [file for file in files if file.suffix in (".py", ".js", ".css")]
    assert len(readable) > 40
    assert [file.name for file in readable if re.search("mgu", file.read_text(encoding="utf-8"), re.IGNORECASE)] == []


# ---- the pages -------------------------------------------------------------------------------------


def test_the_sequence_page_draws_its_equations_and_every_symbol_at_every_step():
    shown, steps = Shown(page("sequence")), steps_of(SCENARIO)
    maps = {block["symbol"]: entries(block) for block in shown.picture["blocks"] if block["over_time"]}
    for symbol, text in symbols("MGU").items():
        expected = np.concatenate([getattr(step, symbol) for step in steps], axis=1)
        assert_allclose(maps[text], expected, rtol=1e-12, atol=1e-14, err_msg=symbol)
    assert len(shown.panels[of_sequence.EQUATIONS_TITLE]["rows"]) == len(mgu.EQUATIONS)
    shown.assert_finite()


def test_the_gradients_page_draws_its_gains_and_its_jacobian_is_its_derivative():
    shown = Shown(page("gradients"))
    params, state = SCENARIO.params_and_initial_state("MGU")
    xs = SCENARIO.noise(SCENARIO.T)
    numeric = [bptt.numeric_jacobian(mgu, params, mgu.MGUState(step.h_prev), step.x_t) for step in steps_of(SCENARIO)]
    exact = mgu.jacobian(params, unroll(mgu, params, state, xs))
    assert_allclose(exact, numeric, rtol=1e-7, atol=1e-8)
    assert_allclose(shown["MGU"], bptt.log_gains(exact), rtol=1e-12)
    gain = np.linalg.norm(np.linalg.multi_dot(numeric[:0:-1])) / np.sqrt(3)
    assert shown["MGU"][-1, 0] == pytest.approx(np.log10(gain), rel=1e-6)
    told = shown.panels[of_gradients.DIRECT_TITLE]["text"]
    assert says(told, of_gradients.NO_DIRECT_PATH, T=SCENARIO.T, cell="MGU")
    assert re.search(r"MGU \d\.\d·10⁻", shown.panels["Gradient check"]["text"])


def test_the_saturation_page_draws_the_z_of_its_gate():
    shown = Shown(page("saturation", source=WORD))
    assert z_of(WORD) == ("MGU", "z_a")
    assert_allclose(shown["z"], own_z(SCENARIO, WORD), rtol=1e-12)
    assert of_saturation.OTHER_DOTS.format(z=Z_A) in shown.panels[of_saturation.CURVES_TITLE]["text"]
    assert of_saturation.THROUGH_OTHER.format(z=Z_A) in shown.panels[of_saturation.after_T_title(6)]["text"]


# ---- its numbers -----------------------------------------------------------------------------------


def test_its_numbers_are_typed_pasted_and_linked():
    at = page("sequence", edit="true", array="W_ah")
    assert list(array_widget(at).options[:8]) == list(mgu.ARRAYS)
    type_cells(at, {(2, 3): 0.25})
    numbers = SCENARIO.base_array("W_ah").copy()
    numbers[1, 2] = 0.25
    assert_allclose(from_link(query(at)["typed"])["W_ah"], numbers)
    at = paste(edit(at, "b_a"), "1 2 3")
    assert not at.error
    assert_array_equal(grid(at), [[1], [2], [3]])
    assert_array_equal(Shown(at)["b_a"], [[1], [2], [3]])
    linked = Shown(page("sequence", typed=to_link({"W_ah": numbers, "b_a": np.array([[1], [2], [3]])})))
    assert linked["W_a"].tolist() == Shown(at)["W_a"].tolist()
    assert_allclose(linked["W_a"][:, :3], 1.5 * numbers, rtol=1e-12)


def test_it_opens_from_every_file_that_saves_it():
    own = Scenario(**SAID, arrays={"W_ah": W_AH})
    back, view_settings = from_json(to_json(own, VIEW_PARAMS), VIEW_PARAMS)
    assert (back, view_settings) == (own, VIEW_PARAMS)
    assert_array_equal(back.arrays["W_ah"], W_AH)
    held = Scenario(cell="MGU").with_arrays(read_arrays("a.npz", to_npz(own.effective_arrays())))
    for name, array in own.effective_arrays().items():
        assert_array_equal(held.effective_arrays()[name], array, err_msg=name)
    at = page("sequence", take="true", typed=to_link({"W_ah": W_AH}))
    shown, saved = Shown(at)["h_t"], downloads(at)
    for label in ("All settings (.json)", "All arrays (.npz)"):
        data, name = saved[label]
        there = open_file(open_link("sequence", take="true", cell="MGU", T="6", seed="4"), name, data)
        assert not there.error
        assert_allclose(Shown(there)["W_a"][:, :3], 1.5 * W_AH, rtol=1e-12)
        if name.endswith(".json"):
            assert_allclose(Shown(there)["h_t"], shown, rtol=1e-12)


# ---- its code --------------------------------------------------------------------------------------


def test_its_scripts_make_its_numbers():
    for sequence in (False, True):
        script = generated_code.numpy_script(SCENARIO, "MGU", sequence=sequence)
        assert_makes_and_prints(script, SCENARIO, "MGU", sequence=sequence)
    assert_prints_the_gains(SCENARIO, "MGU")
    for path in ("sequence", "gradients"):
        script, names = code(page(path, take="true")), {}
        with redirect_stdout(StringIO()):
            exec(script, names)
        assert_allclose(names["h_t"], steps_of(SCENARIO)[-1].h_t, rtol=1e-12, atol=1e-12)


def test_its_notebook_runs_and_its_latex_has_its_equations():
    _, step = SCENARIO.step("MGU")
    text = notebook(SCENARIO, "MGU")
    assert re.search(r"\bMGU\b.*\bm = 2\b", "".join(json.loads(text)["cells"][0]["source"]))
    for symbol, array in zip(generated_code.symbols_made("MGU"), as_jupyter(text)[4], strict=True):
        assert_allclose(array, getattr(step, symbol), rtol=1e-12, atol=1e-12)
    lines = latex(SCENARIO, "MGU", decimals=3).splitlines()[1:-1]
    named = ["z_a", "a_t", r"a_t \circ h_{t-1}", r"W_{hh}(a_t \circ h)", "W_{hx}x+b_h", "z_h", r"\tilde h_t"]
    terms = [r"(1-a_t) \circ h_{t-1}", r"a_t \circ \tilde h_t", "h_t"]
    assert [line.split(" &")[0] for line in lines] == [*named, *terms]


def test_no_framework_has_such_a_layer_and_the_page_says_so():
    for write, framework in ((to_pytorch, "PyTorch"), (to_keras, "Keras")):
        with pytest.raises(ValueError, match=rf"^{framework} .*\bMGU\b.*\bNumPy\b"):
            write("MGU", SCENARIO.effective_arrays())
        at = choose(page("sequence", take="true"), code=framework)
        assert any(re.match(rf"{framework} .*\bMGU\b.*\bNumPy\b", info.value) for info in at.info)
        assert len(at.code) == 2  # the link and the frame, and no code
