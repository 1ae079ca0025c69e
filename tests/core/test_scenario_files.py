"""Scenarios to and from files: nothing is lost, what is unknown is refused by name, and arrays bring their sizes."""

import json
import re
import tracemalloc
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from time import process_time

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.concatenation import ORDERS
from core.examples import EXAMPLES
from core.exchange import scenario_json
from core.exchange.archives import expect_unique
from core.exchange.array_files import read_arrays, to_npz
from core.exchange.matrix_text import from_link, to_link
from core.initialize import INITIALIZERS
from core.scenario import ARRAYS, AXES, DIRECTIONS, INPUTS, OUTPUT_LAYER, Scenario, expect_arrays
from tests.any_cell import can_be
from tests.core.shape_errors import shape_error
from tests.sentences import reason

OF_SCENARIO = {choice.name: choice.default for choice in fields(Scenario) if choice.compare}
# How a scenario is looked at is the screen's: here one of each type stands for all.
VIEW_SETTINGS = {"j": 1, "z": 2.0, "colours": "fixed", "unmatched": False}
DEFAULTS = OF_SCENARIO | VIEW_SETTINGS
LONG = "Q" * 61

small = st.integers(1, 4)
reals = st.floats(-1e6, 1e6)
TEXTS = {
    "order": st.sampled_from(ORDERS),
    "init": st.sampled_from(list(INITIALIZERS)),
    "g": st.sampled_from(list(ACTIVATIONS)),
    "input": st.sampled_from(INPUTS),
    "cell": st.sampled_from(list(CELLS)),
    "directions": st.sampled_from(DIRECTIONS),
    "colours": st.sampled_from(["fixed", "matrix"]),
    "word": st.text(min_size=1, max_size=6),
}
STRATEGIES = {
    name: TEXTS[name]
    if isinstance(default, str)
    else st.booleans()
    if isinstance(default, bool)
    else small
    if isinstance(default, int)
    else reals
    if isinstance(default, float)
    else st.none() | reals
    for name, default in DEFAULTS.items()
}
near = st.floats(-3, 3)
entries = st.floats(-1e9, 1e9) | st.integers(-(10**9), 10**9).map(float)


@st.composite
def scenarios(draw, choices: dict = STRATEGIES, values: st.SearchStrategy = entries) -> Scenario:
    """Any choices, and any of the arrays with numbers of their own."""
    plain = Scenario(**{name: draw(choices[name]) for name in OF_SCENARIO})
    shapes = plain.shapes() | {"xs": (draw(small), plain.m)}
    names = draw(st.sets(st.sampled_from(list(shapes)), max_size=4))
    return replace(plain, arrays={name: draw(hnp.arrays(np.float64, shapes[name], elements=values)) for name in names})


def mild() -> st.SearchStrategy[Scenario]:
    """Scenarios whose sums are of a size at which rounding can be told from a mistake."""
    bounded = {
        name: st.none() | near if default is None else near
        for name, default in OF_SCENARIO.items()
        if default is None or isinstance(default, float)
    }
    return scenarios(STRATEGIES | bounded, near)


def assert_same(a: Scenario, b: Scenario) -> None:
    assert a == b
    assert a.arrays.keys() == b.arrays.keys()
    for name, array in a.arrays.items():
        assert_array_equal(array, b.arrays[name], err_msg=name)


def assert_same_steps(a: Scenario, b: Scenario, rtol: float = 0) -> None:
    """Every symbol of every cell is the same in both, and so is the output."""
    for cell in CELLS:
        if not can_be(cell, a):
            continue
        (_, step), (_, other) = a.step(cell), b.step(cell)
        for symbol in step._fields:
            ours, theirs = getattr(step, symbol), getattr(other, symbol)
            assert_allclose(ours, theirs, rtol=rtol, atol=rtol, err_msg=f"{cell} {symbol}")
    for name in OUTPUT_LAYER:
        assert_allclose(a.array(name), b.array(name), rtol=rtol)


def file(**parts) -> str:
    return json.dumps({"format": "cellscope scenario", "version": 1} | parts)


def from_json(text: str) -> Scenario:
    """The scenario of a text, without how it is looked at."""
    return scenario_json.from_json(text, VIEW_SETTINGS)[0]


def refused(text: str) -> str:
    """Why a text is no scenario; within a second, and without its own long words."""
    start = process_time()
    with pytest.raises(ValueError) as error:
        expect_arrays(from_json(text))
    assert process_time() - start < 1
    assert LONG not in str(error.value)
    return str(error.value)


# ---- there and back ------------------------------------------------------------------------------


@given(scenarios(), st.fixed_dictionaries({name: STRATEGIES[name] for name in VIEW_SETTINGS}))
def test_a_scenario_is_read_back_as_it_was_written(scenario, view_settings):
    back, view_settings_back = scenario_json.from_json(scenario_json.to_json(scenario, view_settings), VIEW_SETTINGS)
    assert_same(back, scenario)
    assert view_settings_back == view_settings
    for name, default in DEFAULTS.items():
        value = view_settings_back[name] if name in VIEW_SETTINGS else getattr(back, name)
        assert default is None or type(value) is type(default), name


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_read_back_and_takes_the_same_steps(name):
    scenario = EXAMPLES[name].scenario
    back = from_json(scenario_json.to_json(scenario, VIEW_SETTINGS))
    expect_arrays(back)
    assert_same(back, scenario)
    assert_same_steps(back, scenario)


def test_a_file_says_what_it_is_and_every_choice_by_its_name():
    scenario = Scenario(m=4, arrays={"b_h": np.array([[1], [2], [3]])})
    written = json.loads(scenario_json.to_json(scenario, VIEW_SETTINGS | {"j": 3}))
    assert (written["format"], written["version"]) == ("cellscope scenario", 1)
    assert written["choices"] == DEFAULTS | {"m": 4, "j": 3}
    assert written["arrays"] == {"b_h": [[1], [2], [3]]}


def test_what_a_file_leaves_out_has_its_default():
    assert_same(from_json(file()), Scenario())
    assert scenario_json.from_json(file(choices={"m": 7}), VIEW_SETTINGS)[1] == VIEW_SETTINGS
    assert_same(from_json(file(choices={"m": 7, "w_f": None})), Scenario(m=7))


def test_a_whole_number_may_stand_for_a_float():
    read = from_json(file(choices={"scale": 2, "w_f": 3}))
    assert (read.scale, read.w_f) == (2, 3)
    assert all(isinstance(value, float) for value in (read.scale, read.w_f))


def test_numbers_that_are_whole_are_read_as_whole_ones():
    arrays = from_json(file(arrays={"b_h": [[1.0], [2], [-3]], "x_t": [[0.5], [1], [2]]})).arrays
    assert (arrays["b_h"].dtype, arrays["x_t"].dtype) == (np.int64, np.float64)


# ---- what is refused -------------------------------------------------------------------------------

CHANGED = {
    "not JSON": "m = 3",
    "no text": "",
    "a list": "[1]",
    "a number": "1",
    "null": "null",
    "another format": json.dumps({"format": "keras", "version": 1}),
    "no format": json.dumps({"version": 1}),
    "a format that is a list": json.dumps({"format": ["cellscope scenario"], "version": 1}),
}


@pytest.mark.parametrize("text", CHANGED.values(), ids=CHANGED)
def test_a_text_that_is_no_scenario_is_refused_with_what_to_open(text):
    assert re.search(r"\.json\b.*\bCellscope\b", refused(text))


@pytest.mark.parametrize("version", [0, 2, 1.5, "1", None, [1]])
def test_another_version_is_refused(version):
    assert re.match(r"version\b.* 1\b", refused(file(version=version)))


def test_no_version_is_refused():
    assert re.match(r"version\b.* 1\b", refused(json.dumps({"format": "cellscope scenario"})))


@pytest.mark.parametrize(
    ("parts", "where"),
    [
        ({"colour": 1}, "file .*'colour'"),
        ({"choices": {"q": 1}}, "^choices .*'q'"),
        ({"choices": {"M": 1}}, "^choices .*'M'"),
        ({"choices": {"arrays": {}}}, "^choices .*'arrays'"),
        ({"arrays": {"W_zz": [[1]]}}, "^arrays .*'W_zz'"),
        ({"arrays": {"W_h": [[1]]}}, "^arrays .*'W_h'"),
    ],
)
def test_an_unknown_name_is_refused_by_that_name(parts, where):
    assert re.search(where, refused(file(**parts)))


WRONG = {
    int: [1.5, "3", True, None, [3], {}],
    float: ["1", True, None, [1], {}, float("nan"), float("inf"), -float("inf"), 10**400],
    bool: [1, 0, "true", None],
    str: [1, None, ["hx"], True],
    type(None): ["1", True, [1], float("nan"), float("inf"), 10**400],
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_choice_of_another_type_is_refused_by_name(name):
    for value in WRONG[type(DEFAULTS[name])]:
        assert refused(file(choices={name: value})).startswith(f"choices.{name} "), value


@pytest.mark.parametrize("name", ["choices", "arrays"])
@pytest.mark.parametrize("value", [None, 1, "m", [["m", 3]]])
def test_what_is_no_object_is_refused_by_name(name, value):
    assert re.match(rf"{name} .*{{}}", refused(file(**{name: value})))


ROWS = {
    "a number": 1,
    "a row": [1, 2, 3],
    "nothing": [],
    "no numbers": [[], [], []],
    "ragged": [[1], [2, 3], [4]],
    "three axes": [[[1]], [[2]], [[3]]],
    "80 axes": json.loads("[" * 80 + "1" + "]" * 80),
    "null": [[1], [None], [3]],
    "texts": [["1"], ["2"], ["3"]],
    "true": [[True], [False], [True]],
    "an object": [[{}], [1], [2]],
    "nan": [[1], [float("nan")], [3]],
    "infinite": [[1], [float("-inf")], [3]],
    "too large": [[1], [1.1e9], [3]],
    "beyond floats": [[1], [10**400], [3]],
    "null itself": None,
    "a text": "123",
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_rows_that_are_no_matrix_of_finite_numbers_are_refused_by_name(rows):
    assert re.match(r"arrays\.b_h .*\b10\^9\b", refused(file(arrays={"b_h": rows})))


def test_an_array_that_does_not_fit_the_sizes_is_refused_with_both():
    why = refused(file(choices={"k": 3, "n": 2}, arrays={"W_hh": [[1, 2], [3, 4]]}))
    assert re.match(shape_error("W_hh", "(k, n)", (3, 2), (2, 2)), why)


def test_a_typed_sequence_may_have_any_length_but_must_have_m_columns():
    expect_arrays(from_json(file(choices={"m": 2}, arrays={"xs": [[1, 2]] * 7})))
    assert re.match(shape_error("xs", "(T, m)", ("T", 3), (7, 2)), refused(file(arrays={"xs": [[1, 2]] * 7})))


# The largest file that is taken.
SIZE = 20 * 2**20


def spliced(inside: str, **parts) -> str:
    """A file with this text in the place of an "@": to have so many numbers written as JSON would take seconds."""
    return file(**parts).replace('"@"', inside)


def many_keys() -> str:
    return "{" + ",".join([f'"a{at}":1' for at in range(SIZE // 15)]) + "}"


HUGE = {
    "deep lists": lambda: "[" * SIZE,
    "deep objects": lambda: '{"a":' * (SIZE // 5),
    "deep in an array": lambda: file(arrays={"b_h": 0})[:-3] + "[" * SIZE,
    "a long number": lambda: file(choices={"m": 0})[:-3] + "9" * SIZE + "}}",
    "a long text": lambda: file(choices={"m": "9" * SIZE}),
    "a long row": lambda: spliced("[[" + "0," * (SIZE // 3) + "0]]", arrays={"b_h": "@"}),
    "many rows": lambda: spliced("[" + "[0]," * (SIZE // 5) + "[0]]", arrays={"b_h": "@"}),
    "many empty rows": lambda: spliced("[" + "[]," * (SIZE // 4) + "[]]", arrays={"b_h": "@"}),
    "many arrays": lambda: spliced(many_keys(), arrays="@"),
    "many choices": lambda: spliced(many_keys(), choices="@"),
    "a long name": lambda: file(**{"Q" * SIZE: 1}),
    "a long choice": lambda: file(choices={"Q" * SIZE: 1}),
    "a long name of an array": lambda: file(arrays={"Q" * SIZE: [[1]]}),
    "a long name of no array": lambda: file(arrays={"Q" * SIZE: 1}),
}


@pytest.mark.parametrize("make", HUGE.values(), ids=HUGE)
def test_what_is_deep_or_long_is_refused_at_once(make):
    refused(make())


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=3), some, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(list(DEFAULTS)), st.sampled_from([*AXES, "xs"]), anything, anything)
def test_any_json_in_the_place_of_a_value_is_refused_or_read(choice, name, value, rows):
    for text in (file(choices={choice: value}), file(arrays={name: rows}), json.dumps(value), file(choices=value)):
        try:
            scenario = from_json(text)
        except ValueError:
            continue
        assert isinstance(scenario, Scenario)
        assert all(np.all(np.isfinite(array)) for array in scenario.arrays.values())


# ---- the arrays that are used ----------------------------------------------------------------------


@given(mild())
def test_a_scenario_that_holds_all_arrays_that_it_used_takes_the_same_steps(scenario):
    used = scenario.effective_arrays()
    holding = scenario.with_arrays(used)
    assert_same_steps(holding, scenario)
    for name, array in holding.effective_arrays().items():
        assert_array_equal(array, used[name], err_msg=name)


@given(mild())
def test_what_was_saved_as_npz_takes_the_same_steps_in_any_scenario_of_the_same_choices(scenario):
    opened = replace(scenario, arrays={}, m=1, n=1, k=1, p=1).with_arrays(
        read_arrays("a.npz", to_npz(scenario.effective_arrays()))
    )
    assert (opened.m, opened.n, opened.k, opened.p) == (scenario.m, scenario.n, scenario.k, scenario.p)
    assert_same_steps(opened, scenario, rtol=1e-12)


@given(mild())
def test_every_array_has_its_shape_and_its_numbers_at_scale_1(scenario):
    used, shapes = scenario.effective_arrays(), scenario.shapes()
    assert used.keys() == shapes.keys() == AXES.keys()
    for name, shape in shapes.items():
        made, numbers = ARRAYS[name], scenario.base_array(name)
        instead, added = (
            made_of and getattr(scenario, made_of) for made_of in (made.constant_param, made.offset_param)
        )
        assert numbers.shape == used[name].shape == shape, name
        if instead is not None:
            assert_allclose(used[name], np.full(shape, instead * scenario.scale), rtol=1e-12)
        elif added is not None:
            assert_allclose(used[name], numbers + added, rtol=1e-12)
        else:
            assert_array_equal(used[name], numbers * (scenario.scale if name[0] == "W" else 1), err_msg=name)


@given(mild(), st.sampled_from(list(AXES)))
def test_an_array_typed_as_it_is_changes_no_step(scenario, name):
    typed = replace(scenario, arrays={**scenario.arrays, name: np.array(scenario.base_array(name))})
    assert_same_steps(typed, scenario, rtol=1e-12)


# ---- arrays bring their sizes ------------------------------------------------------------------------


@given(st.sampled_from(list(AXES)), st.tuples(st.integers(5, 9), st.integers(5, 9)))
def test_the_sizes_follow_the_array(name, sizes):
    shape = tuple(1 if letter == "1" else size for letter, size in zip(AXES[name], sizes))
    array = np.arange(float(np.prod(shape))).reshape(shape) + 0.5
    demanded = {letter: size for letter, size in zip(AXES[name], shape) if letter != "1"}
    made = ARRAYS[name]
    hiding = {other.constant_param for other in ARRAYS.values() if other.constant_param}
    for scale in (1.0, 3.0):
        scenario = Scenario(p=2, scale=scale, forget_bias=1.0, **dict.fromkeys(hiding, 2.0)).with_arrays({name: array})
        for letter, size in {"m": 3, "n": 2, "k": 3, "p": 2, **demanded}.items():
            assert getattr(scenario, letter) == size, letter
        assert_array_equal(scenario.effective_arrays()[name], array)
        assert scenario.scale == (1 if name[0] == "W" else scale)
        assert scenario.forget_bias == (0 if made.offset_param == "forget_bias" else 1)
        # Without a scale the one value of a gate's weights is another number, so none of them stays.
        gone = hiding if name[0] == "W" and scale != 1 else {made.constant_param} - {None}
        assert {choice for choice in hiding if getattr(scenario, choice) is None} == gone


@given(mild(), st.sampled_from(list(AXES)), st.sampled_from([1.0, 0.5, 3.0]), near)
def test_one_array_that_is_held_changes_no_other(scenario, name, scale, value):
    scenario = replace(scenario, scale=scale)
    holding = scenario.with_arrays({name: np.full(scenario.shapes()[name], value)})
    assert_array_equal(holding.effective_arrays()[name], np.full(scenario.shapes()[name], value))
    for other, array in scenario.effective_arrays().items():
        if other != name:
            assert_allclose(holding.effective_arrays()[other], array, rtol=1e-15, err_msg=other)


def test_a_row_of_numbers_is_a_column():
    scenario = Scenario().with_arrays({"b_h": np.array([1, 2, 3, 4])})
    assert scenario.k == 4
    assert_array_equal(scenario.array("b_h"), [[1], [2], [3], [4]])


def test_a_sequence_is_the_input_from_then_on():
    scenario = Scenario(input="word").with_arrays({"xs": np.arange(10).reshape(2, 5)})
    assert (scenario.m, scenario.input) == (5, "numbers")
    assert_array_equal(scenario.sequence()[:, :, 0], [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]])


def test_the_arrays_that_were_there_stay_beside_the_new_ones():
    scenario = Scenario(arrays={"x_t": np.full((3, 1), 7), "b_h": np.full((3, 1), 5)}).with_arrays(
        {"b_h": np.ones((3, 1))}
    )
    assert_array_equal(scenario.effective_arrays()["x_t"], np.full((3, 1), 7))
    assert_array_equal(scenario.effective_arrays()["b_h"], np.ones((3, 1)))


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        ({"W_hh": (3, 2), "b_h": (4, 1)}, shape_error("b_h", "(k, 1)", (3, 1), (4, 1))),
        ({"W_hh": (3, 2), "h_prev": (3, 1)}, shape_error("h_prev", "(n, 1)", (2, 1), (3, 1))),
        ({"x_t": (4, 1), "W_fx": (3, 5)}, shape_error("W_fx", "(k, m)", (3, 4), (3, 5))),
        ({"x_t": (4, 1), "xs": (9, 5)}, shape_error("xs", "(T, m)", ("T", 4), (9, 5))),
        ({"b_h": (3, 2)}, shape_error("b_h", "(k, 1)", (3, 1), (3, 2))),
        ({"h_prev": (2, 1), "x_t": (1, 3)}, shape_error("x_t", "(m, 1)", (1, 1), (1, 3))),
        ({"W_hh": (3, 2, 1)}, shape_error("W_hh", "(k, n)", (3, 2), (3, 2, 1))),
        ({"W_y": (2, 3), "b_y": (3, 1)}, shape_error("b_y", "(p, 1)", (2, 1), (3, 1))),
    ],
)
def test_arrays_that_demand_different_sizes_are_refused_by_name(shapes, words):
    with pytest.raises(ValueError, match=words):
        Scenario().with_arrays({name: np.ones(shape) for name, shape in shapes.items()})


@pytest.mark.parametrize("name", ["W_h", "w_hh", "weight", "", LONG])
def test_an_array_of_an_unknown_name_is_refused(name):
    with pytest.raises(ValueError, match=f"^arrays .*{re.escape(repr(name[:60]))}") as error:
        Scenario().with_arrays({"W_hh": np.ones((3, 2)), name: np.ones((3, 2))})
    assert LONG not in str(error.value)


@given(mild(), mild())
def test_what_another_scenario_used_can_always_be_held(one, other):
    held = one.with_arrays(other.effective_arrays())
    expect_arrays(replace(held, arrays=other.effective_arrays()))
    for name, array in other.effective_arrays().items():
        assert_array_equal(held.effective_arrays()[name], array, err_msg=name)


# ---- which of them are the reader's own --------------------------------------------------------------


@given(mild())
def test_what_the_choices_make_anyway_is_no_change(scenario):
    made = replace(scenario, arrays={})
    assert replace(scenario, arrays={name: made.base_array(name) for name in AXES}).overrides() == {}


@given(mild(), st.sampled_from(list(AXES)))
def test_one_other_number_is_a_change(scenario, name):
    made = replace(scenario, arrays={})
    array = np.array(made.base_array(name), dtype=float)
    array[-1, -1] += 0.25
    changed = replace(scenario, arrays={name: array, "b_r": made.base_array("b_r")} | {name: array}).overrides()
    assert changed.keys() == {name}
    assert_array_equal(changed[name], array)


@given(mild())
def test_a_scenario_of_its_changes_alone_takes_the_same_steps(scenario):
    assert_same_steps(replace(scenario, arrays=scenario.overrides()), scenario)


@given(mild())
def test_an_opened_scenario_needs_no_more_than_its_changes(scenario):
    held = scenario.with_arrays(scenario.effective_arrays())
    assert_same_steps(replace(held, arrays=held.overrides()), scenario)


def test_a_typed_sequence_is_always_a_change():
    xs = np.ones((4, 3))
    assert Scenario(arrays={"xs": xs}).overrides() == {"xs": xs}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_arrays_of_an_example_are_changes(name):
    scenario = EXAMPLES[name].scenario
    assert_same_steps(replace(scenario, arrays=scenario.overrides()), scenario)
    made = replace(scenario, arrays={})
    assert all(np.any(array != made.base_array(which)) for which, array in scenario.overrides().items())


# ---- what would burst, and what is there twice -------------------------------------------------------

MB = 2**20


def refused_at_once(open_: Callable[[], object]) -> str:
    """Why it is refused: within a second, and with little memory."""
    tracemalloc.start()
    start = process_time()
    with pytest.raises(ValueError) as error:
        open_()
    seconds, most = process_time() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seconds < 1 and most < 10 * MB, (seconds, most)
    return str(error.value)


def test_a_long_text_among_numbers_takes_no_memory():
    text = "Q" * 100_000
    for rows in ([[0] * 500 + [text]], [[0]] * 500 + [[text]], [[0] * 5000 + [text]], [[0, 0]] * 500 + [[0, [text]]]):
        assert "arrays.b_h must" in refused_at_once(partial(from_json, file(arrays={"b_h": rows})))


WAYS_IN = {
    "npz": lambda arrays: Scenario().with_arrays(read_arrays("a.npz", to_npz(arrays))),
    "json": lambda arrays: from_json(file(arrays={name: array.tolist() for name, array in arrays.items()})),
    "link": lambda arrays: Scenario(arrays=from_link(to_link(arrays))),
    "code": lambda arrays: Scenario(arrays=arrays),
}


def test_no_way_in_takes_more_rows_or_columns_than_any_other():
    for name, shape in {"xs": (513, 3), "x_t": (513, 1), "h_prev": (513, 1), "W_hh": (2, 513), "W_y": (513, 3)}.items():
        largest = tuple(min(size, 512) for size in shape)
        for way, take in WAYS_IN.items():
            assert take({name: np.ones(largest)}).arrays[name].shape == largest, way
            with pytest.raises(ValueError, match=r"\b512 rows\b.*\b512\b") as error:
                take({name: np.ones(shape)})
            assert name in str(error.value), way


def test_a_small_file_of_a_long_sequence_is_refused_with_the_rule_and_a_way_out():
    data = to_npz({"xs": np.zeros((500_000, 1))})
    assert len(data) < 10_000
    arrays = read_arrays("a.npz", data)
    why = refused_at_once(lambda: Scenario(m=1).with_arrays(arrays))
    assert re.match(r"xs .*\b512\b.*\b512\b.* \(500000, 1\)", why)


def test_sizes_that_arrays_demand_are_judged_before_other_arrays_are_made_in_them():
    arrays = {"x_t": np.ones((20_000, 1)), "W_hh": np.ones((500, 1))}
    why = refused_at_once(lambda: Scenario(scale=2.0).with_arrays(arrays))
    assert re.match(r"x_t .*\b512\b.* \(20000, 1\)", why)


@pytest.mark.slow
def test_a_file_of_very_many_names_is_refused_at_once():
    many = json.dumps(dict.fromkeys(map(str, range(600_000)), 1))
    assert 7_500_000 < len(many) < 7_900_000
    for text in (many, *(file(**{place: {}}).replace("{}", many) for place in ("choices", "arrays", "more"))):
        refused(text)


def test_what_is_said_twice_is_refused_by_its_name():
    m, b_h, long = file(choices={"m": 4}), file(arrays={"b_h": 0}), file(choices={LONG: 0})
    for name, text in (
        ("version", file()[:-1] + ', "version": 1}'),
        ("choices", m[:-1] + ', "choices": {}}'),
        ("m", m.replace('"m": 4', '"m": 4, "m": 5')),
        ("m", m.replace('"m": 4', '"m": 4, "\\u006d": 5')),
        ("b_h", b_h.replace('"b_h": 0', '"b_h": [[1], [2], [3]], "b_h": [[1], [2], [4]]')),
        (LONG[:60], long.replace(f'"{LONG}": 0', f'"{LONG}": 0, "{LONG}": 0')),
    ):
        assert refused(text) == reason(expect_unique, [name, name])
