"""What holds on every page."""

import pytest

from tests.dashboard.page import APP, PAGES, Shown, choose, open_link

every_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path or "hidden_state")


def switch(at, path: str):
    return at.switch_page(f"views/{path or 'hidden_state'}.py").run()


def test_every_page_is_tested():
    assert {path or "hidden_state" for path in PAGES} == {view.stem for view in (APP.parent / "views").glob("*.py")}


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
