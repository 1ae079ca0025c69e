"""Editing: what is typed, set or pasted is on the screen and in the link; what is refused is named, changes nothing."""

import json
from collections.abc import Iterable
from functools import partial

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_array_equal
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest

from core.arrays import expect_shape
from core.cells import CELLS
from core.exchange.matrix_text import from_link, parse_matrix, to_link
from core.scenario import AXES, OUTPUT_LAYER, Scenario
from dashboard.state.custom_arrays import TYPED as PARAMETER
from dashboard.state.parameters import VALUE_RULES
from dashboard.text.editor import AT_SCALE_1, FILL_LINE, NOT_FINITE, OTHER_SHAPE, RESET, RESET_ALL, UNCHANGED
from dashboard.text.notices import KEPT
from tests.dashboard.page import APP, Shown, choose, chosen, followed, widgets
from tests.dashboard.page import open_link as open_path
from tests.dashboard.page import send as send_states
from tests.live import PATIENCE
from tests.sentences import reason, says

open_link = partial(open_path, edit="true")
LAB = np.ones((3, 2))
TAKEN = np.array([[1, 2], [3, 4], [5, 6]])
EMPTY = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}


def paste(at: AppTest, text: str) -> AppTest:
    return followed(at.text_area(key="block").set_value(text).run())


def array_widget(at: AppTest):
    """What says which array is edited."""
    (widget,) = (widget for key, widget in widgets(at).items() if key.startswith("array "))
    return widget


def edit(at: AppTest, name: str) -> AppTest:
    """Choose the array that is edited."""
    return followed(array_widget(at).set_value(name).run())


def type_cells(at: AppTest, cells: dict[tuple[int, int], object], **more) -> AppTest:
    state = edits(at.data_editor[0].proto.id, cells, **more)
    return followed(send_states(at, state), state)


def edits(id: str, cells: dict[tuple[int, int], object], **more) -> WidgetState:
    """What the browser sends of a grid with these cells changed, counted from 1; AppTest has no hands for that."""
    rows = {}
    for (row, column), value in cells.items():
        rows.setdefault(str(row - 1), {})[str(column)] = value
    return WidgetState(id=id, string_value=json.dumps(EMPTY | {"edited_rows": rows} | more))


def send(at: AppTest, text: str) -> AppTest:
    return followed(send_states(at, WidgetState(id=at.data_editor[0].proto.id, string_value=text)))


def press(at: AppTest, label: str) -> AppTest:
    return followed(next(button for button in at.button if button.label == label).click().run())


def set_line(at: AppTest, which: str, number: int, value: float) -> AppTest:
    choose(at, set_which=which)
    (key,) = [key for key in widgets(at) if key.startswith(f"set_at {which}")]
    return press(choose(at, **{key: number, "set_to": value}), FILL_LINE[which])


def in_link(at: AppTest) -> dict[str, np.ndarray]:
    """The reader's numbers as the address has them."""
    return from_link(at.query_params.get(PARAMETER, ""))


def grid(at: AppTest) -> np.ndarray:
    """What the grid was opened on."""
    return at.data_editor[0].value.to_numpy()


def assert_kept(at: AppTest, words: str, before: Shown, link: str | None = None) -> None:
    """The refusal says this, and nothing else has changed. It stays as long as the box has the refused text."""
    (error,) = at.error
    told = error.value
    assert words in told
    assert told.endswith(UNCHANGED)
    assert at.query_params.get(PARAMETER) == link
    assert Shown(at) == before
    assert [error.value for error in at.run().error] == [told] * bool(at.text_area(key="block").value)
    assert not paste(at, "").error


@pytest.mark.parametrize("instead", [{}, {"init": "fill", "w_hh": "2"}], ids=["", "in the place of one value"])
def test_a_block_that_was_pasted_while_the_server_was_away_is_taken_by_the_next_run(instead):
    """Its session has the text from its first run on, so no callback tells of a change."""
    before = open_link(**instead)
    states = before.text_area(key="block").set_value("1 2\n3 4\n5 6")._widget_state
    at = first_run(states, **instead)
    assert_array_equal(in_link(at)["W_hh"], TAKEN)
    assert Shown(at) == Shown(paste(before, "1 2\n3 4\n5 6"))
    assert at.text_area(key="block").value == ""


def test_a_block_that_was_lost_and_is_wrong_is_refused_once():
    before = open_link()
    at = first_run(before.text_area(key="block").set_value("1 2 x")._widget_state)
    assert_kept(at, "", Shown(before))


def first_run(state: WidgetState, **parameters: str) -> AppTest:
    """The first run of a session, of which the browser still has a widget's state from the session before."""
    at = AppTest.from_file(APP, default_timeout=PATIENCE)
    at.query_params.update({"edit": "true", **parameters})
    return followed(at._run(WidgetStates(widgets=[state])))


# ---- cell by cell ----------------------------------------------------------------------------------


def test_the_grid_opens_on_the_numbers_of_the_first_matrix():
    at = open_link()
    assert_array_equal(grid(at), LAB)
    assert not at.text_area(key="block").value


def test_a_number_that_is_typed_is_on_the_screen_and_in_the_link():
    at = type_cells(open_link(), {(3, 2): 5, (1, 1): -0.25})
    expected = [[-0.25, 1], [1, 1], [1, 5]]
    assert_array_equal(Shown(at)["W_{hh}"], expected)
    assert_array_equal(Shown(at)["z_t"], [[243.75], [245], [249]])
    assert_array_equal(in_link(at)["W_hh"], expected)


def test_the_grid_goes_on_from_what_was_typed():
    at = type_cells(open_link(), {(1, 1): 2})
    version = at.data_editor[0].key
    at = type_cells(at, {(1, 1): 2, (2, 2): 3})
    assert at.data_editor[0].key == version
    assert_array_equal(in_link(at)["W_hh"], [[2, 1], [1, 3], [1, 1]])


def test_the_grid_stays_while_the_url_has_not_followed_and_both_numbers_reach_it():
    at = open_link()
    version, id = at.data_editor[0].key, at.data_editor[0].proto.id
    send_states(at, edits(id, {(1, 1): 2}))
    assert at.data_editor[0].key == version and PARAMETER not in at.query_params
    both = edits(id, {(1, 1): 2, (2, 2): 3})
    at = followed(send_states(at, both), both)
    assert at.data_editor[0].key == version
    assert_array_equal(in_link(at)["W_hh"], [[2, 1], [1, 3], [1, 1]])


def test_a_step_back_before_an_edit_opens_the_grid_on_what_was_there():
    at = open_link()
    version, typed = at.data_editor[0].key, edits(at.data_editor[0].proto.id, {(1, 1): 2})
    followed(send_states(at, typed), typed)
    assert at.data_editor[0].key == version
    del at.query_params[PARAMETER]
    send_states(at, typed)  # the browser has the grid's changes still
    assert at.data_editor[0].key != version
    assert_array_equal(grid(at), LAB)


def test_the_grid_is_opened_anew_on_what_somebody_else_changed():
    at = type_cells(open_link(), {(1, 1): 2})
    version = at.data_editor[0].key
    paste(at, "1 2\n3 4\n5 6")
    assert at.data_editor[0].key != version
    assert_array_equal(grid(at), TAKEN)


BAD_CELLS = [
    ({(2, 1): None}, NOT_FINITE.format(name="W_hh", row=2, column=1)),
    ({(3, 2): "two"}, NOT_FINITE.format(name="W_hh", row=3, column=2)),
    ({(1, 2): True}, NOT_FINITE.format(name="W_hh", row=1, column=2)),
    ({(1, 1): 2, (3, 1): None}, NOT_FINITE.format(name="W_hh", row=3, column=1)),
    ({(1, 1): [1]}, NOT_FINITE.format(name="W_hh", row=1, column=1)),
    ({(9, 1): 1}, OTHER_SHAPE.format(name="W_hh", rows=3, columns=2)),
    ({(0, 1): 1}, OTHER_SHAPE.format(name="W_hh", rows=3, columns=2)),
    ({(1, 0): 1}, OTHER_SHAPE.format(name="W_hh", rows=3, columns=2)),
    ({(1, 9): 1}, OTHER_SHAPE.format(name="W_hh", rows=3, columns=2)),
]


def test_a_cell_that_cannot_be_taken_is_named_and_what_was_there_is_kept():
    at = open_link()
    before = Shown(at)
    for cells, words in BAD_CELLS:
        version = at.data_editor[0].key
        type_cells(at, cells)
        assert at.data_editor[0].key != version  # or it would go on showing what was refused
        assert_array_equal(grid(at), LAB)
        assert_kept(at, words, before)


def test_a_number_that_is_not_finite_or_too_large_is_refused_cell_by_cell_too():
    at = open_link()
    before = Shown(at)
    for number in ("NaN", "-Infinity", "1e999", "1e10", "9" * 400):
        send(at, json.dumps(EMPTY | {"edited_rows": {"1": {"2": 0}}}).replace(": 0}}", f": {number}}}}}"))
        assert_kept(at, NOT_FINITE.format(name="W_hh", row=2, column=2), before)


def test_rows_are_neither_added_nor_taken_away_and_a_row_must_be_one_of_cells():
    at = open_link()
    before = Shown(at)
    for more in ({"added_rows": [{"1": 1, "2": 2}]}, {"deleted_rows": [0]}):
        type_cells(at, {(1, 1): 3}, **more)
        assert_kept(at, OTHER_SHAPE.format(name="W_hh", rows=3, columns=2), before)
    send(at, json.dumps(EMPTY | {"edited_rows": {"0": [1]}}))
    assert_kept(at, OTHER_SHAPE.format(name="W_hh", rows=3, columns=2), before)


def test_a_large_matrix_has_no_grid():
    assert open_link(k="64", n="64", large="true").data_editor
    at = open_link(k="65", large="true")
    assert not at.data_editor
    assert_array_equal(in_link(paste(edit(at, "x_t"), "1 2 3"))["x_t"], [[1], [2], [3]])


# ---- a row or a column at once -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("which", "number", "expected"),
    [
        ("row", 1, [[7, 7], [1, 1], [1, 1]]),
        ("row", 3, [[1, 1], [1, 1], [7, 7]]),
        ("column", 2, [[1, 7], [1, 7], [1, 7]]),
    ],
)
def test_a_row_or_a_column_is_set_at_once(which, number, expected):
    at = set_line(open_link(), which, number, 7.0)
    assert_array_equal(Shown(at)["W_{hh}"], expected)
    assert_array_equal(in_link(at)["W_hh"], expected)
    assert_array_equal(grid(at), expected)


def test_a_line_is_set_in_what_was_changed_before_also_while_the_url_has_not_followed():
    at = choose(open_link(), set_to=7.0)
    typed = edits(at.data_editor[0].proto.id, {(3, 2): 5})
    send_states(at, typed)
    (button,) = [button for button in at.button if button.label == FILL_LINE["row"]]
    at = send_states(at, typed, WidgetState(id=button.proto.id, trigger_value=True))
    assert PARAMETER not in at.query_params
    assert_array_equal(grid(at), [[7, 7], [1, 1], [1, 5]])
    choose(at, set_which="column")
    at = set_line(at, "column", 2, 8.0)
    assert_array_equal(in_link(at)["W_hh"], [[7, 8], [1, 8], [1, 8]])
    assert_array_equal(grid(at), [[7, 8], [1, 8], [1, 8]])


def test_only_rows_and_columns_that_there_are_can_be_set():
    at = choose(open_link(), set_which="row")
    (row,) = [widget for key, widget in widgets(at).items() if key.startswith("set_at")]
    assert (row.min, row.max) == (1, 3)
    choose(at, set_which="column")
    (column,) = [widget for key, widget in widgets(at).items() if key.startswith("set_at")]
    assert (column.min, column.max) == (1, 2)


# ---- pasted ------------------------------------------------------------------------------------------


# All ways to write one are in tests/core/test_matrix_text.py.
@pytest.mark.parametrize("text", ["1\t2\r\n3\t4\r\n5\t6\r\n", "tensor([[1, 2], [3, 4], [5, 6]], dtype=torch.float64)"])
def test_a_block_may_be_pasted_as_people_write_it(text):
    at = paste(open_link(), text)
    assert not at.error
    assert_array_equal(Shown(at)["W_{hh}"], TAKEN)
    assert at.query_params[PARAMETER] == "W_hh~1_2~3_4~5_6"
    assert not at.text_area(key="block").value


@pytest.mark.parametrize("text", ["1 2 3", "[[1], [2], [3]]"])
def test_a_column_may_be_pasted_as_a_row(text):
    at = paste(open_link(array="b_h"), text)
    assert_array_equal(Shown(at)["b_h"], [[1], [2], [3]])


def of_shape(shape: tuple[int, int]) -> str:
    """The error about an array of another shape than W_hh."""
    return reason(expect_shape, "W_hh", np.ones(shape), "(3, 2)", (3, 2))


# tests/core/test_matrix_text.py tests which texts are no matrix. The editor also demands the shape of the array.
BAD_BLOCKS = {
    "1 2\n3 4": of_shape((2, 2)),
    "1 2 3\n4 5 6": of_shape((2, 3)),
    "1 2\n3 4\n5 6\n7 8": of_shape((4, 2)),
    "[1, 2, 3, 4, 5, 6]": of_shape((6, 1)),
    **{text: reason(parse_matrix, text) for text in ("1 2\n3 4\n5 <b>", " ", "1 " * 600)},
}


def test_a_block_that_cannot_be_taken_is_refused_in_words_and_changes_nothing():
    at = open_link()
    before = Shown(at)
    for text, words in BAD_BLOCKS.items():
        paste(at, text)
        assert at.text_area(key="block").value == text  # to be mended where it was written
        assert_kept(at, words, before)


@pytest.mark.parametrize("text", ["1 2\n3 nan\n5 6", "1 2"])
def test_a_refused_block_leaves_the_numbers_that_were_typed_before(text):
    at = paste(open_link(), "1 2\n3 4\n5 6")
    before = Shown(at)
    assert_kept(paste(at, text), "", before, "W_hh~1_2~3_4~5_6")


@given(st.text(max_size=40) | st.text(st.sampled_from("[](), 0123.-e\n\tnparrayx"), max_size=40))
@settings(max_examples=10)
def test_any_text_is_taken_or_refused_and_the_picture_stays_finite(text):
    at = paste(open_link(array="b_h"), text)
    Shown(at).assert_finite()
    assert len(at.error) == (PARAMETER not in at.query_params and bool(text))


# ---- which matrix, and back --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cell", ["RNN", *(pytest.param(cell, marks=pytest.mark.slow) for cell in CELLS if cell != "RNN")]
)
def test_every_array_of_a_cell_comes_first_and_can_be_typed_in(cell):
    at, arrays = open_link("sequence", cell=cell, n="4"), list(CELLS[cell].ARRAYS)
    options = array_widget(at).options
    assert options[: len(arrays)] == arrays and sorted(options) == sorted(AXES)
    assert_can_be_typed_in(at, arrays, Scenario(n=4))


def test_the_arrays_of_the_output_can_be_typed_in():
    assert_can_be_typed_in(open_link("lstm", n="4", p="2", y="true"), OUTPUT_LAYER, Scenario(n=4, p=2))


def assert_can_be_typed_in(at: AppTest, names: Iterable[str], scenario: Scenario) -> None:
    for name in names:
        shape = scenario.shapes()[name]
        typed = np.arange(np.prod(shape)).reshape(shape) - 1.5
        assert grid(edit(at, name)).shape == shape, name
        paste(at, str(typed.tolist()))
        assert not at.error, name
        assert_array_equal(in_link(at)[name], typed, err_msg=name)
        assert_array_equal(grid(at), typed, err_msg=name)


def test_the_list_of_arrays_starts_with_those_of_the_page():
    for path, cell in (("", "RNN"), ("lstm", "LSTM"), ("gru", "GRU")):
        array = array_widget(open_link(path))
        assert sorted(array.options) == sorted(AXES)
        assert array.options[: len(CELLS[cell].ARRAYS)] == list(CELLS[cell].ARRAYS)
        assert array.value == array.options[0]


def test_each_matrix_has_its_own_numbers_and_all_are_in_the_link():
    at = paste(open_link(), "1 2\n3 4\n5 6")
    paste(edit(at, "b_h"), "7 8 9")
    shown = Shown(at)
    assert_array_equal(shown["W_{hh}"], TAKEN)
    assert_array_equal(shown["b_h"], [[7], [8], [9]])
    assert in_link(at).keys() == {"W_hh", "b_h"}
    assert Shown(open_path(typed=at.query_params[PARAMETER])) == shown


def test_numbers_can_be_dropped_one_matrix_at_a_time_or_all_at_once():
    link = to_link({"W_hh": TAKEN, "b_h": np.array([[7], [8], [9]])})
    at = press(open_link(typed=link), "Reset W_hh")
    assert in_link(at).keys() == {"b_h"}
    assert_array_equal(Shown(at)["W_{hh}"], LAB)
    assert_array_equal(grid(at), LAB)
    all_dropped = press(open_link(typed=link), RESET_ALL)
    assert PARAMETER not in all_dropped.query_params
    assert Shown(all_dropped) == Shown(open_link())


def test_there_is_nothing_to_drop_where_nothing_was_typed():
    own = RESET.format(name="W_hh")
    disabled = {button.label: button.disabled for button in open_link(typed="b_h~1~2~3").button}
    assert disabled[own] and not disabled[RESET_ALL]
    disabled = {button.label: button.disabled for button in open_link().button}
    assert disabled[own] and disabled[RESET_ALL]


def test_the_weights_are_edited_at_scale_1_and_the_page_says_so():
    at = paste(open_link(scale="0.5"), "1 2\n3 4\n5 6")
    assert_array_equal(Shown(at)["W_{hh}"], TAKEN / 2)
    assert AT_SCALE_1.format(scale=0.5) in [caption.value for caption in at.caption]
    assert not any(says(caption.value, AT_SCALE_1) for caption in open_link(scale="0.5", array="b_h").caption)


def test_a_gates_matrix_takes_the_place_of_the_one_value_of_all_its_weights():
    at = open_link("lstm", w_f="5", array="W_fh")
    paste(at, "1 2\n3 4\n5 6")
    assert chosen(at, "w_f") is None
    assert_array_equal(Shown(at)["W_f"][:, :2], TAKEN)
    kept = paste(open_link("lstm", w_i="5", array="W_fh"), "1 2\n3 4\n5 6")
    assert chosen(kept, "w_i") == 5


# ---- more than a link carries ------------------------------------------------------------------------


def test_more_numbers_than_a_link_carries_are_on_the_screen_and_the_page_says_how_to_keep_them():
    numbers = np.arange(21 * 20).reshape(21, 20)
    at = paste(open_link(n="20", k="21"), "\n".join(" ".join(map(str, row)) for row in numbers.tolist()))
    assert not at.error
    assert_array_equal(Shown(at)["W_{hh}"], numbers)
    (info,) = at.info
    assert KEPT.format(names="W_hh", most=400) in info.value
    assert PARAMETER not in at.query_params
    # A small one beside it still fits.
    paste(edit(at, "h_prev"), " ".join(["1"] * 20))
    assert in_link(at).keys() == {"h_prev"}
    assert_array_equal(Shown(at)["W_{hh}"], numbers)


def test_exactly_as_many_as_a_link_carries_are_in_it():
    at = paste(open_link(n="20", k="20"), "\n".join([" ".join(["7"] * 20)] * 20))
    assert not at.info
    assert in_link(at)["W_hh"].size == 400


def test_the_smallest_arrays_are_those_that_the_link_carries():
    at = paste(open_link(n="20", k="20"), "\n".join([" ".join(["7"] * 20)] * 20))
    paste(edit(at, "b_h"), " ".join(["1"] * 20))
    assert in_link(at).keys() == {"b_h"}
    assert KEPT.format(names="W_hh", most=400) in at.info[0].value
    press(at, "Reset b_h")
    assert in_link(at).keys() == {"W_hh"}


def test_an_array_of_the_link_must_be_one_that_there_is():
    at = open_link(array="W_zz")
    assert f"must be {VALUE_RULES['array']}" in at.warning[0].value
    assert_array_equal(grid(at), LAB)


def test_a_refused_number_of_the_grid_leaves_all_other_numbers_of_the_reader():
    at = open_link(typed="b_h~7~8~9")
    before = Shown(at)
    assert_kept(type_cells(at, {(2, 2): 1e10}), NOT_FINITE.format(name="W_hh", row=2, column=2), before, "b_h~7~8~9")
