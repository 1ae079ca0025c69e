"""What holds on every page."""

import pytest

from tests.dashboard.page import APP, PAGES, Shown, choose, open_link, widgets

every_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path or "hidden_state")


def switch(at, path: str):
    return at.switch_page(f"views/{path or 'hidden_state'}.py").run()


def test_every_page_is_tested():
    # The worked examples have no picture, and tests of their own.
    assert {path or "hidden_state" for path in PAGES} | {"examples"} == {
        view.stem for view in (APP.parent / "views").glob("*.py")
    }


@every_page
def test_a_page_opens_without_a_complaint(path):
    at = open_link(path, **PAGES[path])
    assert not at.warning and not at.error
    Shown(at).assert_finite()


@every_page
@pytest.mark.parametrize("other", PAGES, ids=lambda path: path or "hidden_state")
def test_the_choices_of_the_sidebar_hold_on_the_other_page_too(path, other):
    at = choose(open_link(path), init="normal", seed=5, k=5, m=4, order="xh", scale=0.5)
    expected = Shown(open_link(other, init="normal", seed="5", k="5", m="4", order="xh", scale="0.5"))
    assert Shown(switch(at, other)) == expected


@every_page
def test_an_example_that_is_chosen_on_one_page_is_there_on_the_others(path):
    at = choose(open_link(path), example="forget-bias-1")
    for other in PAGES:
        assert Shown(switch(at, other)) == Shown(open_link(other, example="forget-bias-1"))


@pytest.mark.parametrize("path", ["sequence", "gradients"])
def test_where_k_is_not_n_a_page_about_many_steps_says_so_and_takes_n_as_k(path):
    one_step, recurs = open_link(path, init="normal", k="5", n="2"), open_link(path, init="normal", k="5", n="5")
    (info,) = one_step.info
    assert info.value.startswith("k = 5 but n = 2: such a cell takes one step and never a second")
    assert Shown(one_step) == Shown(recurs)
    assert not recurs.info
    assert Shown(open_link("", init="normal", k="5", n="2")) != Shown(open_link("", init="normal", k="5", n="5"))


@pytest.mark.parametrize("path", ["sequence", "gradients"])
def test_weights_of_a_gates_own_have_a_field_where_they_are_set_and_can_be_given_up(path):
    plain = open_link(path)
    assert "w_f" not in widgets(plain)
    own = open_link(path, w_f="0.5")
    assert Shown(own) != Shown(plain)
    assert Shown(choose(own, w_f=None)) == Shown(plain)
