"""Code to take away: it runs, and makes and prints the numbers of the screen."""

import ast
import json
import re
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from io import StringIO
from itertools import product
from typing import Any
from unittest.mock import Mock, patch

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS
from core.arrays import Array, expect_recurrence
from core.cells import CELLS, rnn
from core.cells.protocol import state_arrays
from core.cells.symbols import symbol_in_latex
from core.concatenation import ORDERS
from core.examples import EXAMPLES
from core.exchange.array_files import to_npz
from core.exchange.code_parts import MOST_WRITTEN, symbols_made
from core.exchange.generated_code import keras_script, numpy_script, pytorch_script
from core.exchange.latex import latex
from core.exchange.notebook import notebook
from core.exchange.weight_layouts import to_keras, to_pytorch
from core.number_format import number
from core.scenario import Scenario
from core.sequence import bptt
from core.sequence.layers import named_results
from core.sequence.sequence_run import run_sequence
from core.sequence.unroll import bounded_steps, unroll
from tests.any_cell import always_recurs, can_be
from tests.sentences import reason

WRITERS = {"NumPy": numpy_script, "PyTorch": pytorch_script, "Keras": keras_script}
# The cells that are layers of PyTorch and Keras, and those that can take one step alone.
LAYERS = [name for name, cell in CELLS.items() if cell.LAYOUT]
ALONE = [name for name in CELLS if not always_recurs(name)]
FLOATS = {"m": 3, "n": 4, "k": 4, "init": "normal", "scale": 0.5, "b_normal": True, "T": 6}
SCENARIOS = {
    "whole numbers": Scenario(n=3, T=4),
    "floats": Scenario(**FLOATS, forget_bias=1.5),
    "gates of their own": Scenario(**FLOATS, w_f=0.25, w_o=-2.0),
    "typed": Scenario(
        n=3,
        scale=0.5,
        arrays={
            "W_fh": np.full((3, 3), 0.1),
            "b_h": np.array([[1], [2], [3]]),
            "h_prev": np.array([[0.1], [0.2], [7]]),
        },
    ),
    "orthogonal": Scenario(m=2, n=5, k=5, init="orthogonal", scale=2.0, T=9, input="sine"),
    "an impulse": Scenario(**FLOATS, input="impulse"),
    "a word": Scenario(m=4, n=2, k=2, init="glorot", input="word", word="hello"),
    "numbers": Scenario(n=3, scale=0.1, input="numbers", arrays={"xs": np.arange(12).reshape(4, 3) / 7}),
    "one of all": Scenario(m=1, n=1, k=1, init="uniform", T=1),
}
every_cell = pytest.mark.parametrize("cell", CELLS)
every_scenario = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
# The activations that have code in NumPy.
WRITTEN = [name for name, g in ACTIVATIONS.items() if g.numpy]
ONE_OR_ALL = (False, True)  # one step, or a sequence


def steps_of(scenario: Scenario, cell: str, *, sequence: bool):
    """Every symbol, with a leading axis over time."""
    if sequence:
        return unroll(CELLS[cell], *scenario.params_and_initial_state(cell), scenario.sequence())
    _, step = scenario.step(cell)
    return type(step)(*(symbol[None] for symbol in step))


def run(script: str) -> tuple[dict, str]:
    """The names that a script leaves behind, and what it prints."""
    names, printed = {}, StringIO()
    with redirect_stdout(printed):
        exec(compile(script, "cellscope.py", "exec"), names)
    return names, printed.getvalue()


def printed_arrays(printed: str) -> list[tuple[str, Array]]:
    """Each array that was printed, by its name."""
    return [
        (name, np.array(entries.split(), dtype=float)) for name, entries in re.findall(r"(\w+) = \[([^\]]*)\]", printed)
    ]


def assert_makes_and_prints(script: str, scenario: Scenario, cell: str, *, sequence: bool) -> None:
    steps, (names, printed) = steps_of(scenario, cell, sequence=sequence), run(script)
    made = symbols_made(cell)
    for name in made:
        assert_allclose(names[name], getattr(steps, name)[-1], rtol=1e-12, atol=1e-12, err_msg=name)
    shown = printed_arrays(printed)
    assert [name for name, _ in shown] == made * len(steps.h_t)
    for at, (name, array) in enumerate(shown):
        expected = getattr(steps, name)[at // len(made)].ravel()
        assert_allclose(array, expected, rtol=1e-7, atol=1e-8, err_msg=name)
    if sequence:
        assert re.findall(r"step (\d+)", printed) == [f"{t}" for t in range(1, len(steps.h_t) + 1)]


def literals(script: str, made_by: str) -> list[tuple[str, list]]:
    """The lists in calls such as torch.tensor([...]), each with the name or the function that takes it."""
    found = []
    for line in ast.walk(ast.parse(script)):
        if isinstance(line, ast.Assign | ast.Expr):
            taker = ast.unparse(line.targets[0] if isinstance(line, ast.Assign) else line.value.func)
            calls = [
                call for call in ast.walk(line) if isinstance(call, ast.Call) and ast.unparse(call.func) == made_by
            ]
            found += [(taker, ast.literal_eval(call.args[0])) for call in calls]
    return found


# ---- NumPy ---------------------------------------------------------------------------------------


@every_cell
def test_the_numpy_script_makes_and_prints_the_numbers_of_the_cell(cell):
    for scenario, sequence, order in product(SCENARIOS.values(), ONE_OR_ALL, ORDERS):
        other = replace(scenario, order=order)
        assert_makes_and_prints(numpy_script(other, cell, sequence=sequence), other, cell, sequence=sequence)


@pytest.mark.parametrize("g", WRITTEN)
@pytest.mark.parametrize("sequence", ONE_OR_ALL)
def test_the_numpy_script_has_the_activation_of_the_plain_cell(sequence, g):
    scenario = Scenario(**FLOATS, g=g)
    script = numpy_script(scenario, "RNN", sequence=sequence)
    assert_makes_and_prints(script, scenario, "RNN", sequence=sequence)
    steps = steps_of(scenario, "RNN", sequence=sequence)
    assert_allclose(run(script)[0]["dg_z_t"], steps.dg_z_t[-1], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("g", WRITTEN)
def test_the_slope_of_a_saturated_unit_keeps_its_digits(g):
    scenario = Scenario(g=g, w_hx=30.0, b=-7.0, x=-1.0, h=3.0)
    names, _ = run(numpy_script(scenario, "RNN", sequence=False))
    assert_allclose(names["dg_z_t"], rnn.step(*scenario.step_arguments("RNN")).dg_z_t, rtol=1e-12)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_can_be_taken_away(name):
    scenario = EXAMPLES[name].scenario
    for cell in CELLS:
        if can_be(cell, scenario):
            assert_makes_and_prints(numpy_script(scenario, cell, sequence=False), scenario, cell, sequence=False)
        if scenario.k == scenario.n:
            assert_makes_and_prints(numpy_script(scenario, cell, sequence=True), scenario, cell, sequence=True)


@pytest.mark.parametrize("cell", ALONE)
def test_a_cell_that_does_not_recur_has_a_script_of_one_step(cell):
    scenario = Scenario(**FLOATS | {"n": 2, "k": 5})
    assert_makes_and_prints(numpy_script(scenario, cell, sequence=False), scenario, cell, sequence=False)


@every_cell
def test_gates_that_are_drawn_are_those_that_were_drawn(cell):
    scenario = Scenario(**FLOATS | {"n": 20, "k": 20}, stochastic=True)
    script = numpy_script(scenario, cell, sequence=False)
    assert_makes_and_prints(script, scenario, cell, sequence=False)
    names, _ = run(script)
    for gate in getattr(CELLS[cell], "GATE_PROBABILITIES", {}):
        assert set(names[gate].ravel()) == {0, 1}


@every_cell
def test_over_a_sequence_no_gate_is_drawn(cell):
    scenario = Scenario(**FLOATS, stochastic=True)
    assert_makes_and_prints(numpy_script(scenario, cell, sequence=True), scenario, cell, sequence=True)


# ---- what is too large to be written out ----------------------------------------------------------


def saved(scenario: Scenario, *, sequence: bool = False) -> bytes:
    """The file of all arrays, with the sequence where there is one; tests/dashboard/controls/test_save_panel.py takes the page's own."""
    return to_npz(scenario.effective_arrays() | ({"xs": scenario.sequence()[:, :, 0]} if sequence else {}))


LARGE = {
    "one step": (Scenario(m=40, n=50, k=50, init="glorot"), False),
    "sequence": (Scenario(m=40, n=50, k=50, init="glorot", T=3), True),
    "many steps": (Scenario(m=8, n=8, k=8, init="glorot", T=512), True),
    "from a state": (Scenario(m=40, n=50, k=50, init="glorot", T=3, arrays={"h_prev": np.full((50, 1), 0.5)}), True),
    "one drawn step": (Scenario(m=40, n=50, k=50, init="glorot", stochastic=True), False),
}


@every_cell
@pytest.mark.parametrize(("scenario", "sequence"), LARGE.values(), ids=LARGE)
def test_what_is_too_large_is_loaded_from_the_file_of_all_arrays(scenario, sequence, cell, tmp_path, monkeypatch):
    (tmp_path / "cellscope.npz").write_bytes(saved(scenario, sequence=sequence))
    monkeypatch.chdir(tmp_path)
    steps = steps_of(scenario, cell, sequence=sequence)
    names, _ = run(numpy_script(scenario, cell, sequence=sequence))
    names["file"].close()
    for name in symbols_made(cell):
        assert_allclose(names[name], getattr(steps, name)[-1], rtol=1e-12, atol=1e-12, err_msg=name)


def of_count(count: int) -> Scenario:
    """A plain cell of two units and a sequence of so many numbers in all."""
    T, m = {MOST_WRITTEN: (497, 8), MOST_WRITTEN + 1: (361, 11)}[count]
    assert 2 * 2 + 2 * m + 2 + 2 + T * m == count
    return Scenario(m=m, k=2, w_hh=0.5, w_hx=0.5, input="numbers", arrays={"xs": np.full((T, m), 0.5)})


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_as_many_numbers_as_may_be_are_written_out(write):
    script = write(of_count(MOST_WRITTEN), "RNN", sequence=True)
    assert "cellscope.npz" not in script
    assert script.count("0.5") >= MOST_WRITTEN - 4


def test_one_number_more_is_loaded():
    assert 'np.load("cellscope.npz")' in numpy_script(of_count(MOST_WRITTEN + 1), "RNN", sequence=True)


@pytest.mark.parametrize("write", [pytorch_script, keras_script])
def test_one_number_more_is_refused_by_the_frameworks_scripts(write):
    with pytest.raises(ValueError, match=r"\b4000\b.*\bNumPy\b"):
        write(of_count(MOST_WRITTEN + 1), "RNN", sequence=True)


# ---- what cannot be ------------------------------------------------------------------------------

NO_RECURRENCE = reason(expect_recurrence, np.ones((3, 1)), np.ones((2, 1)))


def why_not(write, scenario: Scenario, cell: str, *, sequence: bool) -> str:
    return reason(write, scenario, cell, sequence=sequence)


@every_cell
@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_what_cannot_be_is_refused_as_on_the_screen(write, cell):
    no_layer = f"has no {cell} layer" if write is not numpy_script and cell not in LAYERS else ""
    assert (no_layer or NO_RECURRENCE) in why_not(write, Scenario(), cell, sequence=True)
    word = Scenario(n=3, input="word", word="hello")
    assert (no_layer or reason(word.sequence)) in why_not(write, word, cell, sequence=True)
    if write is not numpy_script or always_recurs(cell):
        assert (no_layer or NO_RECURRENCE) in why_not(write, Scenario(), cell, sequence=False)


# ---- PyTorch and Keras -----------------------------------------------------------------------------


def given(scenario: Scenario, cell: str, *, sequence: bool) -> dict[str, Array]:
    """What a framework's layer is given, a step in each row."""
    _, state = scenario.params_and_initial_state(cell) if sequence else scenario.step_arguments(cell)[:2]
    xs = scenario.sequence()[:, :, 0] if sequence else scenario.step_arguments(cell)[2].T
    names = [name.removesuffix("_prev") for name in state_arrays(CELLS[cell])]
    return {"xs": xs} | {name: part.T for name, part in zip(names, state, strict=True)}


@every_scenario
def test_the_pytorch_script_has_the_numbers_in_pytorchs_layout_and_as_floats(scenario):
    for cell, sequence in product(LAYERS, ONE_OR_ALL):
        script = pytorch_script(replace(scenario, g="tanh"), cell, sequence=sequence)
        weights = {
            f"layer.{name}.copy_": array for name, array in to_pytorch(cell, scenario.effective_arrays()).items()
        }
        assert_same_literals(literals(script, "torch.tensor"), given(scenario, cell, sequence=sequence) | weights)
        assert_given_floats(script)


@every_scenario
def test_a_plain_cell_of_sigmoid_is_written_out_for_pytorch_which_has_none(scenario):
    for sequence in ONE_OR_ALL:
        script, used = pytorch_script(scenario, "RNN", sequence=sequence), scenario.effective_arrays()
        weights = {name: used[name] for name in ("W_hh", "W_hx", "b_h")}
        assert_same_literals(literals(script, "torch.tensor"), weights | given(scenario, "RNN", sequence=sequence))
        assert_given_floats(script)
        assert "torch.sigmoid" in script and "torch.nn.RNN" not in script


def assert_given_floats(script: str) -> None:
    """PyTorch's layers take nothing else."""
    for taker, numbers in literals(script, "torch.tensor"):
        copied = taker.startswith("layer.")  # into a parameter, which is of floats whatever is copied
        assert copied or np.array(numbers).dtype == np.float64 or "dtype=torch.float64)" in script, taker


@every_scenario
def test_the_keras_script_has_the_numbers_in_keras_layout(scenario):
    for cell, sequence in product(LAYERS, ONE_OR_ALL):
        assert_in_keras_layout(scenario, cell, sequence=sequence)


def assert_in_keras_layout(scenario: Scenario, cell: str, *, sequence: bool) -> None:
    written = literals(keras_script(scenario, cell, sequence=sequence), "np.array")
    takers = {taker for taker, _ in written}
    assert len(takers) == 3
    (state,) = takers - {"xs", "layer.set_weights"}
    inputs = given(scenario, cell, sequence=sequence)
    xs = inputs.pop("xs")
    for taker, arrays in {
        "xs": [xs[None]],
        "layer.set_weights": to_keras(cell, scenario.effective_arrays()),
        state: inputs.values(),
    }.items():
        for array, expected in zip([numbers for for_, numbers in written if for_ == taker], arrays, strict=True):
            assert_array_equal(np.array(array), expected, err_msg=taker)


def assert_same_literals(written: list[tuple[str, list]], arrays: dict[str, Array]) -> None:
    assert sorted(taker for taker, _ in written) == sorted(arrays)
    for taker, numbers in written:
        assert_array_equal(np.array(numbers), arrays[taker], err_msg=taker)


# As the frameworks' own documentation has them.
CALLS = {
    (pytorch_script, "RNN", "tanh"): "torch.nn.RNN(3, 4, nonlinearity='tanh')",
    (pytorch_script, "RNN", "relu"): "torch.nn.RNN(3, 4, nonlinearity='relu')",
    (pytorch_script, "LSTM", "sigmoid"): "torch.nn.LSTM(3, 4)",
    (pytorch_script, "GRU", "sigmoid"): "torch.nn.GRU(3, 4)",
    (keras_script, "RNN", "sigmoid"): "keras.layers.SimpleRNN(4, activation='sigmoid', ",
    (keras_script, "RNN", "relu"): "keras.layers.SimpleRNN(4, activation='relu', ",
    (keras_script, "LSTM", "sigmoid"): "keras.layers.LSTM(4, return",
    (keras_script, "GRU", "sigmoid"): "keras.layers.GRU(4, reset_after=True, ",
}


@pytest.mark.parametrize(("write", "cell", "g"), CALLS)
def test_the_layer_has_the_sizes_and_the_activation(write, cell, g):
    script = write(Scenario(**FLOATS, g=g), cell, sequence=True)
    compile(script, "cellscope.py", "exec")
    assert CALLS[write, cell, g] in script


# ---- the notebook ----------------------------------------------------------------------------------


# What would draw; the notebook's reader has it, and these tests only want to know what is drawn.
PLOT = Mock()


def as_jupyter(text: str) -> list[object]:
    """What each code cell of a notebook shows: the value of its last line, if that has one."""
    names, shown = {}, []
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            *before, last = ast.parse("".join(cell["source"])).body
            with patch.dict(sys.modules, {"matplotlib": Mock(pyplot=PLOT), "matplotlib.pyplot": PLOT}):
                exec(compile(ast.Module(before, []), "cell", "exec"), names)
                if isinstance(last, ast.Expr):
                    shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
                else:
                    exec(compile(ast.Module([last], []), "cell", "exec"), names)
                    shown.append(None)
    if "file" in names:
        names["file"].close()
    return shown


@every_cell
def test_the_notebook_shows_the_numbers_of_the_screen(cell):
    for scenario, order, g in product(SCENARIOS.values(), ORDERS, WRITTEN):
        assert_notebook_shows(replace(scenario, order=order, g=g), cell)
    assert_notebook_shows(Scenario(**FLOATS, stochastic=True), cell)


def assert_notebook_shows(scenario: Scenario, cell: str) -> None:
    PLOT.reset_mock()
    _, joins, (formula_1, formula_2), check, equations, _, *tasks = as_jupyter(notebook(scenario, cell))
    params, step = scenario.step(cell)
    assert_tasks_start_from(tasks, params, step, cell)
    dots = [call.args[:2] for call in PLOT.plot.call_args_list if call.args[2:] == ("o",)]
    activated = {value: of for value, of in CELLS[cell].activated(params).items() if value in symbols_made(cell)}
    for (value, (z, _)), drawn in zip(activated.items(), dots, strict=True):
        assert_allclose(drawn, [getattr(step, z), getattr(step, value)], rtol=1e-12, atol=1e-12)
    W = [getattr(params, joined.W) for joined in CELLS[cell].PRE_ACTIVATIONS.values()]
    products = [each @ step.stacked for each in W]
    for shown, expected in [
        (joins, [*W, step.stacked]),
        (equations, [getattr(step, symbol) for symbol in symbols_made(cell)]),
        (formula_1 if len(W) > 1 else [formula_1], products),
        (formula_2 if len(W) > 1 else [formula_2], products),
    ]:
        assert len(shown) == len(expected)
        for array, theirs in zip(shown, expected):
            assert_allclose(array, theirs, rtol=1e-12, atol=1e-12)
    assert check == np.array_equal(formula_1, formula_2)


def assert_tasks_start_from(tasks: list[object], params: Any, step: Any, cell: str) -> None:
    """From the first pre-activation, as it is on the screen."""
    first = next(iter(CELLS[cell].PRE_ACTIVATIONS.values()))
    z = getattr(params, first.W) @ step.stacked
    b = getattr(params, first.b)
    (shown, value, slope), (moved, by), (swapped, matching) = tasks
    g = first.g or params.g
    assert_allclose(shown, (z + b)[:1], rtol=1e-12, atol=1e-12)
    assert_allclose((value, slope), (g.f(shown), g.df(shown)), rtol=1e-9, atol=1e-300)
    assert_allclose(by, g.f(shown + moved) - g.f(shown), rtol=1e-6, atol=1e-12)
    assert_allclose(matching, z, rtol=1e-12, atol=1e-12)
    assert swapped.shape == matching.shape


@every_cell
def test_the_notebook_of_a_sequence_shows_every_step_and_draws_what_is_carried(cell):
    scenario = SCENARIOS["a word"]
    PLOT.reset_mock()
    *_, over_time, _ = as_jupyter(notebook(scenario, cell, sequence=True))
    params, state = scenario.params_and_initial_state(cell)
    trace = unroll(CELLS[cell], params, state, scenario.sequence())
    made = dict(zip(symbols_made(cell), over_time, strict=True))
    for symbol, array in made.items():
        assert_allclose(array, getattr(trace, symbol)[:, :, 0].T, rtol=1e-9, atol=1e-12, err_msg=symbol)
    drawn = [call.args[0] for call in PLOT.plot.call_args_list]
    for name, lines in zip(state_arrays(CELLS[cell]), drawn, strict=True):
        assert lines is not None and np.array_equal(lines, made[name.replace("_prev", "_t")].T)


def test_the_notebook_of_the_lab_shows_245_by_both_formulas():
    _, _, formulas, check, (z_t, h_t, _) = as_jupyter(notebook(Scenario(), "RNN"))[:5]
    assert_array_equal(formulas, np.full((2, 3, 1), 245))
    assert check and np.all(z_t == 245) and np.all(h_t == 1)


def test_a_notebook_is_of_a_cell_that_can_be():
    for cell in set(CELLS) - {*ALONE}:
        with pytest.raises(ValueError, match=NO_RECURRENCE):
            notebook(Scenario(), cell)


def test_a_large_notebook_loads_its_numbers(tmp_path, monkeypatch):
    scenario = Scenario(m=60, n=50, k=50, init="normal")
    (tmp_path / "cellscope.npz").write_bytes(saved(scenario))
    monkeypatch.chdir(tmp_path)
    for cell in CELLS:
        for symbol, array in zip(symbols_made(cell), as_jupyter(notebook(scenario, cell))[4], strict=True):
            assert_allclose(array, getattr(scenario.step(cell)[1], symbol), rtol=1e-12, err_msg=f"{cell} {symbol}")


@every_cell
def test_the_notebook_is_one_by_the_rules_of_nbformat_4_5(cell):
    for scenario in SCENARIOS.values():
        assert_nbformat(json.loads(notebook(scenario, cell)))


def assert_nbformat(file: dict) -> None:
    assert file.keys() == {"nbformat", "nbformat_minor", "metadata", "cells"}
    assert (file["nbformat"], file["nbformat_minor"]) == (4, 5)
    assert file["metadata"]["kernelspec"].keys() >= {"name", "display_name"}
    needed = {"cell_type", "id", "metadata", "source"}
    for cell in file["cells"]:
        of_code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert cell["cell_type"] in ("code", "markdown")
        assert cell.keys() == needed | of_code
        assert re.fullmatch("[a-zA-Z0-9_-]{1,64}", cell["id"])
        assert cell["metadata"] == {} and all(isinstance(line, str) for line in cell["source"])
        assert all(line.endswith("\n") for line in cell["source"][:-1])
    assert len({cell["id"] for cell in file["cells"]}) == len(file["cells"])


def test_the_notebook_tells_the_story_of_the_lab_in_its_order():
    cells = json.loads(notebook(Scenario(), "RNN"))["cells"]
    titles = [cell["source"][0].strip("# \n") for cell in cells if cell["cell_type"] == "markdown"]
    story = ["One step of a recurrent cell", "The two concatenations", "Two formulas", "The check", "The equations"]
    assert titles[:7] == [*story, "A plot", "Three tasks"]


# ---- LaTeX -------------------------------------------------------------------------------------------


# Its entries may have a power of ten in braces.
MATRIX = r"\\begin{bmatrix} ((?:[^{}]|\^{-?\d+})*) \\end{bmatrix}"


def matrices(text: str) -> list[Array]:
    """The entries of each matrix of a text, as the screen writes them."""
    found = []
    for body in re.findall(MATRIX, text):
        rows = [row.split(" & ") for row in body.split(r" \\ ")]
        assert all(re.fullmatch(r"-?\d+(\.\d+)?( \\cdot 10\^{-?\d+})?", entry) for row in rows for entry in row), rows
        found.append(np.array([[as_on_the_screen(entry) for entry in row] for row in rows]))
    return found


def as_on_the_screen(entry: str) -> str:
    """A number of LaTeX as the screen writes it."""
    return re.sub(r" \\cdot 10\^{(.*)}", r"e\1", entry).replace("-", "−")


def in_equations(scenario: Scenario, cell: str) -> list[tuple[str, Array]]:
    """What is told in the equations of one step, line by line: of which symbol, and a matrix of it."""
    params, step = scenario.step(cell)
    drawn = getattr(CELLS[cell], "GATE_PROBABILITIES", {}) if scenario.stochastic else {}
    known, found = {"stacked", *CELLS[cell].ARRAYS}, []
    for row in CELLS[cell].EQUATIONS:
        names = [token for token in row if token.isidentifier()]
        result = row[row.index("=") + 1]
        unknown = [name for name in names[: names.index(result)] if name not in known and name in step._fields]
        found += [(name, getattr(step, name)) for name in unknown]
        known.update(names)
        left = names[: names.index(result) + 1]
        found += [(result, getattr(step if name in step._fields else params, name)) for name in left]
        for name in names[len(left) :]:
            found += [(name, getattr(step, of)) for of in ((drawn[name], name) if name in drawn else (name,))]
    return found


@every_cell
def test_the_equations_in_latex_have_the_numbers_as_rounded_as_the_screen(cell):
    for scenario, decimals, scale in product(SCENARIOS.values(), (0, 2, 6), (0.01, 100.0)):
        assert_as_rounded_as_the_screen(replace(scenario, order="xh", scale=scale), cell, decimals)


def assert_as_rounded_as_the_screen(scenario: Scenario, cell: str, decimals: int) -> None:
    text = latex(scenario, cell, decimals=decimals)
    told = in_equations(scenario, cell)
    for written, (symbol, array) in zip(matrices(text), told, strict=True):
        shown = [[number(value, decimals) for value in row] for row in array.tolist()]
        assert_array_equal(written, shown, err_msg=f"{cell} {symbol}")


@every_cell
def test_the_equations_of_a_step_of_a_sequence_have_its_numbers(cell):
    for scenario in SCENARIOS.values():
        steps = steps_of(scenario, cell, sequence=True)
        for step in (1, 2, len(steps.h_t), len(steps.h_t) + 5):
            lines = latex(replace(scenario, stochastic=True), cell, decimals=3, step=step).splitlines()
            last = matrices(lines[-2])[-1]
            now = steps.h_t[min(step, len(steps.h_t)) - 1]
            assert_array_equal(last, [[number(value, 3)] for value in now[:, 0].tolist()])
            stacked = matrices(lines[1])[1]
            expected = steps.stacked[min(step, len(steps.h_t)) - 1]
            assert_array_equal(stacked, [[number(value, 3)] for value in expected[:, 0].tolist()])
            assert "(drawn)" not in "".join(lines)


@every_cell
def test_the_equations_of_drawn_gates_tell_the_probability_from_what_was_drawn(cell):
    scenario = Scenario(**FLOATS | {"n": 6, "k": 6}, stochastic=True)
    assert_as_rounded_as_the_screen(scenario, cell, 3)
    text, drawn = latex(scenario, cell, decimals=3), getattr(CELLS[cell], "GATE_PROBABILITIES", {})
    lines = dict(line.split(" &", 1) for line in text.splitlines()[1:-1])
    for gate in drawn:
        assert lines[f"P({gate} = 1)"].startswith(rf"= \sigma(z_{gate[0]}) \approx")
        assert lines[gate].endswith((r"\quad \text{(drawn)}", r"\quad \text{(drawn)} \\"))
        assert set(getattr(scenario.step(cell)[1], gate).ravel()) <= {0, 1}
    assert text.count("(drawn)") == text.count("P(") == len(drawn)


def test_the_equations_of_an_lstm_have_a_line_for_each_symbol():
    lines = latex(Scenario(**FLOATS, stochastic=True), "LSTM", decimals=3).splitlines()[1:-1]
    gates = [[f"z_{gate}", f"P({gate}_t = 1)", f"{gate}_t"] for gate in "fio"]
    symbols = [*gates[0], *gates[1], "z_c", r"\tilde c_t", *gates[2], "c_t", r"\tanh(c_t)", "h_t"]
    assert [line.split(" &")[0] for line in lines] == symbols


def exactly(text: str) -> Array:
    """A written matrix in fractions, of which every sum and product is exact."""
    entries = [[as_on_the_screen(entry) for entry in row.split(" & ")] for row in text.split(r" \\ ")]
    return np.vectorize(lambda entry: Fraction(entry.replace("−", "-")))(np.array(entries))


def sum_of_products(text: str) -> Array:
    """What is written as matrices side by side, with ∘ between them, or added."""
    total = 0
    for term in text.split(" + "):
        parts = [[exactly(found) for found in re.findall(MATRIX, part)] for part in term.split(r" \circ ")]
        total = total + reduce(np.multiply, [reduce(np.matmul, part) for part in parts])
    return total


@every_cell
def test_what_latex_says_to_be_equal_is_so_by_the_printed_numbers(cell):
    zeros = Scenario(w_hh=0.0, w_hx=0.0, b=0.5)
    # Of 10^18 + 10^9 + 1 float64 has all digits but the last, and they are printed.
    too_many_digits = Scenario(m=2, w_hh=0.0, w_hx=1e9, b=1.0, arrays={"x_t": np.array([[1e9], [1.0]])})
    plain = Scenario(), Scenario(g="relu"), zeros, replace(zeros, b=0.0), too_many_digits
    joined = [row[row.index("=") + 1] for row in CELLS[cell].EQUATIONS if "stacked" in row]
    signs = set()
    for scenario, decimals in product((*SCENARIOS.values(), *plain), (0, 1, 6)):
        scenario = scenario if can_be(cell, scenario) else replace(scenario, n=scenario.k)
        known = {}
        for line in latex(scenario, cell, decimals=decimals).splitlines()[1:-1]:
            name, left, sign, result = re.fullmatch(rf"(.*?) &(.*?) ?(=|\\approx) {MATRIX}(?: \\\\)?", line).groups()
            known[name] = found = exactly(result)
            if not left:  # what has no row of its own, and so nothing that says how exact it is
                kind, exact = "term", False
            elif "bmatrix" in left:
                kind, exact = "joined" if name in joined else "sum", np.array_equal(sum_of_products(left), found)
            else:
                g, z = re.fullmatch(r"= \\(?:mathrm{)?(\w+)}?\((.+)\)", left).groups()
                value = {"sigma": Fraction(1, 2), "tanh": 0, "ReLU": np.maximum(known[z], 0)}[g]
                kind, exact = "activation", (g == "ReLU" or not known[z].any()) and np.all(found == value)
            assert sign != "=" or exact, line
            signs.add((sign, kind))
    assert {(sign, kind) for sign in ("=", r"\approx") for _, kind in signs if kind != "term"} <= signs


@pytest.mark.parametrize(
    ("g", "sign"),
    [("sigmoid", r"h_t &= \sigma(z_t)"), ("tanh", r"h_t &= \tanh(z_t)"), ("relu", r"h_t &= \mathrm{ReLU}(z_t)")],
)
def test_the_equation_has_the_sign_of_its_activation(g, sign):
    assert sign in latex(Scenario(g=g), "RNN", decimals=2)


@every_cell
def test_what_is_opened_in_latex_is_closed(cell):
    for scenario, stochastic in product(SCENARIOS.values(), (False, True)):
        assert_closed(latex(replace(scenario, stochastic=stochastic), cell, decimals=2))


def assert_closed(text: str) -> None:
    assert text.startswith("\\begin{align*}\n") and text.endswith("\n\\end{align*}\n")
    assert text.count("{") == text.count("}")
    assert text.count(r"\begin") == text.count(r"\end")
    assert all(len(re.findall(r"&(?:=|\\approx) ", line)) == 1 for line in text.splitlines()[1:-1])


@every_cell
def test_a_matrix_of_latex_has_ten_columns_at_most(cell):
    assert latex(Scenario(m=6, n=4, k=4), cell, decimals=2)
    with pytest.raises(ValueError, match=r"^n \+ m .*\b10\b.*\b11\b"):
        latex(Scenario(m=6, n=5, k=5), cell, decimals=2)


def test_a_name_on_the_screen_is_one_in_latex():
    names = {"z_t": "z_t", "c̃_t": r"\tilde c_t", "h_{t−1}": "h_{t-1}", "tanh(c_t)": r"\tanh(c_t)", "g′(z_t)": "g'(z_t)"}
    assert {name: symbol_in_latex(name) for name in names} == names
    assert symbol_in_latex("(1−u_t)∘h̃_t") == r"(1-u_t) \circ \tilde h_t"


@every_cell
def test_the_script_of_the_gains_prints_the_exact_ones(cell):
    for order, T in product(ORDERS, (1, 2, 9)):
        assert_prints_the_gains(
            Scenario(m=2, n=4, k=4, init="normal", g="tanh", order=order, T=T, forget_bias=1.0), cell
        )


def assert_prints_the_gains(scenario: Scenario, cell: str) -> None:
    _, shown = run(numpy_script(scenario, cell, sequence=True, gains=True))
    printed = [float(line.rsplit("^")[1]) for line in shown.splitlines()]
    params, state = scenario.params_and_initial_state(cell)
    J = CELLS[cell].jacobian(params, unroll(CELLS[cell], params, state, scenario.sequence()))
    assert_allclose(printed, bptt.log_gains(J)[-1], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("k", "T"), [(16, 512), (64, 60)])  # written out, and loaded from the file
def test_a_script_ends_where_the_numbers_would_overflow(k, T, capsys, tmp_path, monkeypatch):
    scenario = Scenario(m=3, n=k, k=k, init="normal", g="relu", scale=3.0, T=T, cell="RNN")
    params, state = scenario.params_and_initial_state("RNN")
    trace, bounded = bounded_steps(unroll(rnn, params, state, scenario.sequence()))
    assert 1 < bounded < T
    monkeypatch.chdir(tmp_path)
    np.savez(tmp_path / "cellscope.npz", **scenario.effective_arrays(), xs=scenario.sequence()[:, :, 0])
    names = {}
    exec(numpy_script(scenario, "RNN", sequence=True, gains=True), names)
    if "file" in names:
        names["file"].close()
    first, *_ = printed = capsys.readouterr().out.splitlines()
    assert len(printed) == bounded
    assert float(first.rsplit("^")[1]) == pytest.approx(bptt.log_gains(rnn.jacobian(params, trace))[-1, 0], rel=1e-9)


# ---- layers and directions --------------------------------------------------------------------------

LAYERED = [
    Scenario(m=2, n=3, k=3, T=4, init="normal", g="tanh", seed=2, order=order, layers=layers, directions=directions)
    for order, layers, directions in (("hx", 2, "one"), ("xh", 1, "two"), ("hx", 3, "two"))
]


@pytest.mark.parametrize("scenario", LAYERED, ids=["2-one", "1-two", "3-two"])
@every_cell
def test_scripts_of_layers_make_the_results_of_the_stack(cell, scenario):
    expected = named_results(run_sequence(scenario, cell).network)
    names, printed = run(numpy_script(scenario, cell, sequence=True))
    parts = [name.removesuffix("_prev") for name in state_arrays(CELLS[cell])]
    made = {"output[-1]": names["output"][-1]} | {
        f"{part}_n[{at}]": state[which] for at, state in enumerate(names["states"]) for which, part in enumerate(parts)
    }
    assert {*made} == {*expected}
    for name, array in expected.items():
        assert_allclose(np.ravel(made[name]), array.ravel(), rtol=1e-12, atol=1e-14, err_msg=name)
        assert f"{name} = [" in printed
    output, states = as_jupyter(notebook(scenario, cell, sequence=True))[-1]
    assert_allclose(output, expected["output[-1]"].ravel(), rtol=1e-12)
    assert_allclose(states[-1][0], expected[f"h_n[{len(states) - 1}]"], rtol=1e-12)
    if CELLS[cell].LAYOUT is None:
        return
    found = dict(literals(pytorch_script(scenario, cell, sequence=True), "torch.tensor"))
    for at, layer in enumerate(scenario.layer_arrays(cell)):
        for arrays, end in zip(layer, ("", "_reverse")):
            for name, array in to_pytorch(cell, arrays).items():
                assert_array_equal(found.pop(f"layer.{name.removesuffix('0')}{at}{end}.copy_"), array)
    assert {*found} == {"xs", *parts}
    rows = len([arrays for layer in scenario.layer_arrays(cell) for arrays in layer])
    assert all(np.shape(found[part]) == (rows, 3) for part in parts)


@every_cell
def test_code_of_layers_that_cannot_be_written_says_why(cell):
    scenario = LAYERED[0]
    with pytest.raises(ValueError, match="Keras.*one layer.*one direction"):
        keras_script(scenario, cell, sequence=True)
    large = replace(scenario, n=40, k=40)
    with pytest.raises(ValueError, match=rf"\b{MOST_WRITTEN}\b"):
        numpy_script(large, cell, sequence=True)


def test_a_layer_of_pytorch_without_the_activation_is_refused_by_its_name():
    with pytest.raises(ValueError, match=r"^torch\.nn\.RNN .*\bsigmoid\b"):
        pytorch_script(replace(LAYERED[0], g="sigmoid"), "RNN", sequence=True)


@every_cell
def test_one_step_and_one_layer_have_the_code_of_before(cell):
    scenario = LAYERED[0]
    assert numpy_script(scenario, cell, sequence=False) == numpy_script(scenario.single(), cell, sequence=False)
    assert "layers" not in numpy_script(scenario.single(), cell, sequence=True)
