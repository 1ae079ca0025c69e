"""What holds on every page."""

from functools import cache

import pytest

from tests.dashboard.page import APP, PAGES, Shown, as_text, choose, open_link, widgets

every_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path or "hidden_state")


def switch(at, path: str):
    return at.switch_page(f"views/{path or 'hidden_state'}.py").run()


def test_every_page_is_tested():
    # Questions and worked examples have no picture, and tests of their own.
    assert {path or "hidden_state" for path in PAGES} | {"questions", "examples"} == {
        view.stem for view in (APP.parent / "views").glob("*.py")
    }


@every_page
def test_a_page_opens_without_a_complaint(path):
    at = open_link(path, **PAGES[path])
    assert not at.warning and not at.error
    Shown(at).assert_finite()


def others(path: str) -> list[str]:
    """The other pages from this one on, and from every second one backwards, so that each follows on another."""
    paths = list(PAGES)
    at = paths.index(path)
    ring = paths[at + 1 :] + paths[:at]
    return ring[::-1] if at % 2 else ring


@cache
def linked(path: str, **choices: str) -> Shown:
    return Shown(open_link(path, **choices))


@every_page
def test_the_choices_of_the_sidebar_hold_on_the_other_pages_too(path):
    choices = {"init": "normal", "seed": 5, "k": 5, "m": 4, "order": "xh", "scale": 0.5}
    at = choose(open_link(path), **choices)
    for other in others(path):
        there = Shown(switch(at, other))
        assert there == linked(other, **{key: as_text(value) for key, value in choices.items()}), other


@every_page
def test_an_example_that_is_chosen_on_one_page_is_there_on_the_others(path):
    at = choose(open_link(path), example="forget-bias-1")
    for other in PAGES:
        assert Shown(switch(at, other)) == linked(other, example="forget-bias-1"), other


@pytest.mark.parametrize("path", ["sequence", "gradients"])
def test_where_k_is_not_n_a_page_about_many_steps_says_so_and_takes_n_as_k(path):
    one_step, recurs = open_link(path, init="normal", k="5", n="2"), open_link(path, init="normal", k="5", n="5")
    (info,) = one_step.info
    assert info.value.startswith("k = 5 but n = 2: of such a cell only one step can be computed")
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
