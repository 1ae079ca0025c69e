"""Next step: what a step leaves behind is what the next one starts from, exactly, and one history entry takes it back."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from streamlit.testing.v1 import AppTest

from core.cells import CELLS
from core.exchange.matrix_text import from_link, to_link
from core.scenario import Scenario
from dashboard.drawing.arithmetic import number
from dashboard.state.custom_arrays import KEPT, TYPED
from dashboard.text import diagram as text
from tests.dashboard.page import Shown, click_next, followed, open_link, query

CELL_OF = {"": "RNN", "lstm": "LSTM", "gru": "GRU"}
LINK = {"init": "normal", "n": "3", "k": "3", "m": "4", "seed": "7"}
each_page = pytest.mark.parametrize("path", CELL_OF)


def click(at: AppTest, number: object = 1, **more: object) -> AppTest:
    return followed(click_next(at, number, **more))


def offered(at: AppTest) -> list[str]:
    return [action["label"] for panel in Shown(at).picture["panels"] for action in panel["actions"]]


@each_page
def test_two_clicks_are_two_steps_of_core(path):
    cell, scenario = CELLS[CELL_OF[path]], Scenario(init="normal", n=3, k=3, m=4, seed=7)
    params, state, x_t = scenario.step_arguments(CELL_OF[path])
    at = open_link(path, **LINK)
    for count in (1, 2):
        state = cell.next_state(cell.step(params, state, x_t))
        after = cell.step(params, state, x_t)
        at = click(at, count)
        given = from_link(query(at)[TYPED])
        assert given.keys() == {f"{field}_prev" for field in state._fields}
        for field, array in state._asdict().items():
            assert_array_equal(given[f"{field}_prev"], array)
            assert_array_equal(Shown(at)[f"{field}_t"], getattr(after, f"{field}_t"))


@each_page
def test_a_click_is_one_history_entry_and_keeps_all_other_custom_values(path):
    x_t = np.array([[1.5], [2], [3], [-4]])
    at = click_next(open_link(path, **LINK, typed=to_link({"x_t": x_t})), 1)
    _, patches = at.session_state["patches"]
    assert [patch["entry"] for patch in patches] == [True]
    followed(at)
    assert_array_equal(from_link(query(at)[TYPED])["x_t"], x_t)
    assert {name: value for name, value in query(at).items() if name != TYPED} == LINK


@pytest.mark.parametrize(
    "again",
    [
        {"number": 1},
        {"number": 0},
        {"number": 2, "session": "another"},
        {"number": 2, "query": [["n", "3"]]},
        *({"number": 2, "query": query} for query in (None, "n=3", [[]], [None])),
        *({"number": number} for number in ("2", None, [2], {}, 1.5)),
    ],
)
def test_a_click_that_comes_again_or_is_not_ours_makes_no_step(again):
    at = click(open_link("lstm", **LINK))
    stepped = query(at)
    assert query(click(at, **again)) == stepped
    assert query(click(at, 3)) != stepped


@pytest.mark.parametrize(("path", "link"), [("", {"n": "2", "k": "3"}), ("lstm", {"n": "2", "k": "3"})])
def test_where_k_is_not_n_there_is_no_next_step(path, link):
    at = open_link(path, init="normal", **link)
    assert text.NEXT not in offered(at)
    assert query(click(at)) == {"init": "normal"} | link


def test_the_page_of_a_gru_takes_its_n_along():
    at = click(open_link("gru", init="normal", n="2", k="3"))
    assert query(at)["n"] == "3" and from_link(query(at)[TYPED])["h_prev"].shape == (3, 1)


@pytest.mark.parametrize(
    "link",
    [
        {"unmatched": "true"},
        {"g": "relu", "init": "fill", "w_hh": "1000", "h": "1000", "scale": "100", "n": "32", "k": "32"},
    ],
)
def test_after_a_wrong_stack_or_beyond_all_custom_values_there_is_no_next_step(link):
    assert text.NEXT in offered(open_link("", **LINK))
    assert text.NEXT not in offered(open_link("", **LINK | link))


def test_more_numbers_than_a_link_carries_stay_in_the_tab():
    scenario = Scenario(init="normal", n=250, k=250, m=2)
    _, step = scenario.step("LSTM")
    at = click(open_link("lstm", init="normal", n="250", k="250", m="2"))
    assert set(from_link(query(at)[TYPED])) | {query(at)[KEPT].partition("~")[0]} == {"h_prev", "c_prev"}
    after = CELLS["LSTM"].step(
        scenario.step_arguments("LSTM")[0], CELLS["LSTM"].next_state(step), scenario.array("x_t")
    )
    assert number(after.h_t[0, 0], 2) in Shown(at).lead


@each_page
def test_the_word_of_the_sequence_page_gives_the_next_x_until_it_ends(path):
    cell, scenario = CELLS[CELL_OF[path]], Scenario(init="normal", n=3, k=3, m=4, seed=7, input="word", word="aba")
    params, state, x_t = scenario.step_arguments(CELL_OF[path])
    at = open_link(path, **LINK, input="word", word="aba")
    letters = scenario.sequence()
    for t, x_next in enumerate([*letters, letters[-1]], 1):
        state = cell.next_state(cell.step(params, state, x_t))
        at, x_t = click(at, t), x_next
        assert_array_equal(from_link(query(at)[TYPED])["x_t"], x_t)
        assert_array_equal(Shown(at)["h_t"], cell.step(params, state, x_t).h_t)
        assert query(at).get("t", "1") == f"{min(t, 3)}"


def test_pasted_numbers_give_the_next_x_from_the_step_that_is_shown():
    xs = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 0, 1, 2]])
    typed = to_link({"xs": xs, "x_t": xs[1][:, None]})
    at = click(open_link("lstm", **LINK, input="numbers", typed=typed, t="2"))
    given = from_link(query(at)[TYPED])
    assert given["x_t"][:, 0].tolist() == [9, 0, 1, 2] and query(at)["t"] == "3"
    assert_array_equal(given["xs"], xs)


@pytest.mark.parametrize("link", [{"input": "sine"}, {"input": "word", "word": "abcde"}, {"input": "numbers"}])
def test_without_a_sequence_for_this_m_x_stays(link):
    at = click(open_link("lstm", **LINK, **link))
    assert "x_t" not in from_link(query(at)[TYPED]) and "t" not in query(at)
