"""The reader's own numbers: a link brings them to every page, and what it cannot bring is refused in words."""

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from core.cells import CELLS, gru, lstm, rnn
from core.examples import EXAMPLES, first_of
from core.exchange.matrix_text import from_link, to_link
from core.scenario import Scenario
from core.sequence import bptt
from core.sequence.unroll import unroll
from dashboard.state.custom_arrays import NAMES, Typed
from dashboard.state.custom_arrays import TYPED as PARAMETER
from dashboard.text.notices import NOT_USED, REFUSED_WITHOUT_VALUE
from tests.dashboard.page import (
    PAGES,
    Shown,
    change,
    choose,
    chosen,
    drawn_controls,
    go,
    link_to,
    links,
    open_bare,
    open_link,
    press,
    query,
)

SIZES = {"m": 3, "n": 2, "k": 2}
CELL = {name: str(size) for name, size in SIZES.items()} | {"cell": "RNN"}
TYPED = {
    "W_hh": np.array([[1, 2], [3, 4]]),
    "b_h": np.array([[0.25], [-3]]),
    "h_prev": np.array([[1e-3], [0.5]]),
    "x_t": np.array([[0.1], [-0.2], [0.3]]),
    "W_fh": np.array([[0.5, -1], [0, 2]]),
}


def typed() -> Scenario:
    return Scenario(**SIZES, cell="RNN", arrays=TYPED)


def gains(scenario: Scenario) -> np.ndarray:
    params, state = scenario.params_and_initial_state("RNN")
    return bptt.log_gains(rnn.jacobian(params, unroll(rnn, params, state, scenario.noise(scenario.T))))


# Of each page a symbol, and what it must be.
SEEN = {
    "": ("z_t", lambda scenario: rnn.step(*scenario.step_arguments("RNN")).z_t),
    "lstm": ("f_t", lambda scenario: lstm.step(*scenario.step_arguments("LSTM")).f_t),
    "gru": ("h_t", lambda scenario: gru.step(*scenario.step_arguments("GRU")).h_t),
    "saturation": ("z", lambda scenario: rnn.step(*scenario.step_arguments("RNN")).z_t),
    "sequence": (
        "h_t",
        lambda scenario: unroll(rnn, *scenario.params_and_initial_state("RNN"), scenario.sequence()).h_t[:, :, 0].T,
    ),
    "gradients": ("RNN", gains),
}
every_page = pytest.mark.parametrize("path", SEEN, ids=lambda path: path or "hidden_state")


def left_out(at) -> bool:
    """Whether the page says that it cannot take the link's numbers, and shows what it shows without them."""
    (warning,) = at.warning
    return warning.value == REFUSED_WITHOUT_VALUE.format(name="typed", rule=Typed())


# ---- what a link brings ----------------------------------------------------------------------------


@every_page
def test_the_numbers_of_a_link_reach_the_picture_of_every_page(path):
    symbol, of = SEEN[path]
    at = open_link(path, **CELL, typed=to_link(TYPED))
    assert not at.warning and not at.error
    assert_allclose(Shown(at)[symbol], of(typed()), rtol=1e-9, atol=1e-9)
    assert not np.allclose(of(typed()), of(Scenario(**SIZES, cell="RNN")), equal_nan=True)
    assert query(at)[PARAMETER] == to_link(TYPED)


def test_a_link_is_as_short_as_a_person_would_write_it():
    shown = Shown(open_link(typed="W_hh~1_2~3_4~5_6"))
    assert_array_equal(shown["W_{hh}"], [[1, 2], [3, 4], [5, 6]])
    assert_array_equal(shown["z_t"], [[3 + 243], [7 + 243], [11 + 243]])


def test_typed_numbers_of_a_sequence_are_its_steps():
    at = open_link("sequence", **CELL, input="numbers", typed="xs~1_2_3~4_5_6")
    assert not at.error
    assert_array_equal(Shown(at)["x_t"], [[1, 4], [2, 5], [3, 6]])


@every_page
def test_the_links_to_the_other_pages_bring_the_numbers_along(path):
    at = open_link(path, **CELL, typed=to_link(TYPED))
    assert set(SEEN) < set(links(at))
    assert all(link_to(at, page) == CELL | {PARAMETER: to_link(TYPED)} for page in links(at))
    for page in SEEN:
        symbol, of = SEEN[page]
        there = go(at, page)
        assert query(there) == CELL | {PARAMETER: to_link(TYPED)}
        assert_allclose(Shown(there)[symbol], of(typed()), rtol=1e-9, atol=1e-9)


def test_a_link_to_another_page_leaves_out_what_belongs_to_the_screen():
    opened = {"edit": "true", "array": "b_f", "take": "true", "question": "6"}
    at = open_link("lstm", k="4", decimals="3", **opened)
    assert link_to(at, "gradients") == {"k": "4", "decimals": "3"}


def test_until_there_are_numbers_of_the_readers_each_page_has_its_own():
    for path in PAGES:
        name = first_of(path)
        at = open_bare(path)
        assert query(at) == {}
        assert chosen(at, "example") == name and chosen(at, "k") == EXAMPLES[name].scenario.k
        for page in PAGES:
            assert link_to(at, page) == ({"example": first_of(page)} if first_of(page) != "lab" else {}), path
        # A look is no number: with it the other pages still open on their own examples.
        at = choose(at, decimals=3)
        assert [link_to(at, page).get("example", "lab") for page in PAGES] == [first_of(page) for page in PAGES]
        # One number that is changed, and it is the reader's own example that goes along.
        at = choose(at, scale=7.0)
        for page in PAGES:
            link = link_to(at, page)
            assert link["scale"] == "7" and link.get("example", "lab") == name, path


@every_page
@pytest.mark.parametrize("refused", [{"m": "no"}, {"m": "no", "view": "page"}, {"unknown": "3"}], ids=str)
def test_a_link_of_which_nothing_is_taken_opens_the_pages_own_example(path, refused):
    at = open_link(path, **refused)
    assert bool(at.warning) == ("m" in refused)
    assert chosen(at, "example") == first_of(path)
    assert Shown(at) == Shown(open_bare(path))


def test_what_was_changed_to_the_lab_does_not_become_the_pages_own_example():
    at = choose(open_link("lstm", m="4"), m=3)
    assert query(at) == {"example": "lab"}
    assert chosen(at, "k") == 3 and chosen(at, "m") == 3


@pytest.mark.parametrize("ignored", [{"k": "no"}, {"k": ["4", "4"]}, {"unknown": "3"}], ids=str)
def test_what_was_changed_to_the_lab_stays_so_beside_what_is_not_taken(ignored):
    at = choose(open_link("lstm", m="4", **ignored), m=3)
    assert chosen(at, "example") == "lab"


@every_page
def test_numbers_that_do_not_fit_wait_until_they_do(path):
    link = to_link({"W_hh": np.ones((4, 4)), "W_fh": np.ones((4, 4))})
    at = open_link(path, **CELL, typed=link)
    (warning,) = at.warning
    assert all(NOT_USED.format(name=name, shape="4 × 4") in warning.value for name in ("W_hh", "W_fh"))
    assert Shown(at).symbols == Shown(open_link(path, **CELL)).symbols
    assert query(at)[PARAMETER] == link
    there = Shown(choose(at, n=4, k=4))
    assert there == Shown(open_link(path, **CELL | {"n": "4", "k": "4"}, typed=link))


@given(
    st.dictionaries(st.sampled_from(NAMES), hnp.arrays(np.float64, (2, 3), elements=st.floats(-1e9, 1e9)), min_size=1)
)
def test_any_numbers_are_allowed_and_come_back_as_they_were(arrays):
    text = to_link(arrays)
    assert Typed().allows(text)
    assert "%" not in text and " " not in text
    back = from_link(text)
    assert back.keys() == arrays.keys()
    for name, array in arrays.items():
        assert_array_equal(back[name], array)


def test_as_many_numbers_as_fit_are_taken():
    numbers = np.arange(400).reshape(20, 20) / 7
    at = open_link(n="20", k="20", typed=to_link({"W_hh": numbers}))
    assert not at.warning
    assert_allclose(Shown(at)["W_{hh}"], numbers, rtol=1e-6)


# ---- what it cannot bring --------------------------------------------------------------------------

REFUSED = {
    "an unknown name": "W_zz~1_2",
    "a name of another letter": "w_hh~1_2",
    "401 numbers": "b_h" + "~0" * 401,
    "401 numbers in two arrays": "b_h" + "~0" * 400 + "~~b_f~1",
    "nan": "b_h~1~nan~3",
    "infinite": "b_h~1~inf~3",
    "too large": "b_h~1~1000000001~3",
    "beyond floats": "b_h~1e999",
    "no number": "b_h~1~two~3",
    "nothing": "b_h~1~~3",
    "an empty number": "W_hh~1_~2_3",
    "ragged": "W_hh~1_2~3",
    "no rows": "W_hh",
    "a name twice": "b_h~1~~b_h~2",
    "an ending": "b_h~1~~",
    "digits without end": "b_h~0." + "1" * 20_000,
    "spaces": "b_h~ 1~2~3",
    "other digits": "b_h~١~٢~٣",
    "markup": "<b>~1",
}


def test_numbers_that_cannot_be_taken_are_refused_by_their_rule():
    assert [what for what, text in REFUSED.items() if Typed().allows(text)] == []


@pytest.mark.parametrize("what", ["401 numbers", "markup"])
def test_what_is_refused_is_said_with_the_rule_and_changes_nothing(what):
    at = open_link(typed=REFUSED[what])
    assert left_out(at)
    assert Shown(at) == Shown(open_bare())
    assert query(at) == {PARAMETER: REFUSED[what]} and left_out(at.run())


@every_page
def test_every_page_refuses_them(path):
    at = open_link(path, typed="b_h~nan", k="4")
    assert left_out(at)
    assert Shown(at) == Shown(open_link(path, k="4"))


@given(st.text(st.sampled_from("Wb_hx~01.-e+n "), max_size=30))
def test_any_text_is_refused_or_holds_finite_numbers(text):
    if Typed().allows(text):
        assert all(np.all(np.isfinite(array)) for array in from_link(text).values())


def test_every_array_of_a_scenario_may_be_typed_and_nothing_else():
    assert set(NAMES) == {*Scenario().shapes(), "xs"}
    for name in NAMES:
        assert Typed().allows(f"{name}~1")
        assert not Typed().allows(f"{name}y~1")


# ---- what brings them back to none -----------------------------------------------------------------


@pytest.mark.parametrize("example", ["lab", "forget-layer"])
def test_starting_an_example_again_leaves_no_number_of_the_reader(example):
    at = open_link("lstm", example=example, typed="b_f~7~8~9")
    assert_array_equal(Shown(at)["b_f"], [[7], [8], [9]])
    press(at, "Reset to example")
    assert query(at) == {"example": example}
    assert Shown(at) == Shown(open_link("lstm", example=example))


def test_a_reset_before_the_run_for_a_chosen_example_resets_to_that_one():
    at = open_link("lstm", example="lab", k="5")
    earlier = drawn_controls(at)["restart"]["patch"]
    change(choose(at, example="forget-layer"), earlier)
    assert query(at) == {"example": "forget-layer"}


def test_the_readers_numbers_stand_in_the_place_of_the_examples():
    shown = Shown(open_link("lstm", example="forget-layer", typed="b_f~7~8~9"))
    assert_array_equal(shown["z_f"], [[91 + 7], [175 + 8], [133 + 9]])


def test_every_cell_runs_on_the_readers_numbers():
    for name in CELLS:
        at = open_link("sequence", **CELL | {"cell": name}, typed=to_link(TYPED))
        expected = unroll(CELLS[name], *typed().params_and_initial_state(name), typed().sequence()).h_t[:, :, 0].T
        assert_allclose(Shown(at)["h_t"], expected, rtol=1e-9, atol=1e-12)
