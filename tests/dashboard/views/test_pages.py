"""What holds on every page."""

import json

import pytest

from core.examples import EXAMPLES, first_of
from dashboard.state import page_list
from dashboard.text import words
from tests.dashboard.page import (
    APP,
    PAGES,
    WITH_WIDGETS,
    Shown,
    as_text,
    choose,
    components,
    controls,
    drawn_controls,
    go,
    links,
    open_link,
)

every_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path or "hidden_state")


def test_every_page_is_tested():
    # Questions and worked examples have no picture, and tests of their own.
    assert {*WITH_WIDGETS, "questions", "examples"} == set(page_list.PAGES)
    views = APP.parent / "views"
    assert len(page_list.PAGES) == len([view for view in views.iterdir() if not view.stem.startswith("__")])
    assert all((views.parent / page.script).exists() for page in page_list.PAGES.values())


@every_page
def test_a_page_opens_without_a_complaint(path):
    at = open_link(path, **PAGES[path])
    assert not at.warning and not at.error
    Shown(at).assert_finite()


@pytest.mark.parametrize("choices", [{}, {"predict": "true"}, {"compare": "example=lab"}], ids=" ".join)
@every_page
def test_what_moves_has_a_playback_that_moves_it(path, choices):
    picture = Shown(open_link(path, **choices)).picture
    moves = any(block["frames"] is not None for block in picture["blocks"])
    assert not moves or any(panel["playback"] for panel in picture["panels"])


def in_sidebar(at) -> list[str]:
    groups = json.loads(components(at)["sidebar"].json)["groups"]
    return [control["name"] for group in groups for control in group["controls"]]


@pytest.mark.parametrize("path", ["practice", "shapes", "questions", "examples"])
def test_a_page_without_a_cell_has_only_the_links_and_no_tool(path):
    at = open_link(path, edit="true", take="true")
    assert in_sidebar(at) == [] and links(at) == list(page_list.PAGES)
    assert not {"freeze", "open edit", "open take"} & drawn_controls(at).keys()
    assert not at.get("file_uploader") and "array" not in controls(at) and not at.warning


@pytest.mark.slow
def test_a_training_has_the_settings_that_change_it_and_can_be_saved():
    at = open_link("training", edit="true", take="true")
    assert in_sidebar(at) == ["j", "decimals", "view"]
    assert "open take" in drawn_controls(at) and at.get("file_uploader")
    assert "open edit" not in drawn_controls(at) and "array" not in controls(at)


def test_what_is_chosen_in_the_sidebar_of_one_page_holds_on_all_others():
    first, *others = PAGES
    at, said = open_link(first), {}
    choices = ({"init": "normal", "seed": 5}, {"k": 5}, {"order": "xh"}, {"m": 4}, {"scale": 0.5}, {"decimals": 3})
    for some, path in zip(choices, [*others, first], strict=True):
        choose(at, **some)
        said |= {name: as_text(value) for name, value in some.items()}
        assert Shown(go(at, path)) == Shown(open_link(path, **said)), path
    for path in reversed(others):
        assert Shown(go(at, path)) == Shown(open_link(path, **said)), path


def test_an_example_that_is_chosen_on_one_page_is_there_on_the_others_unless_it_is_only_where_a_page_begins():
    first, *others = PAGES
    at = open_link(first)
    for name, path in zip(
        ("forget-bias-1", "carousel", "letters", "lab", "spread", "keep-or-replace"), [*others, first], strict=True
    ):
        choose(at, example=name)
        there = first_of(path) if EXAMPLES[name].is_first else name
        assert Shown(go(at, path)) == Shown(open_link(path, example=there)), path


@pytest.mark.parametrize("path", ["sequence", "gradients"])
def test_where_k_is_not_n_a_page_about_many_steps_says_so_and_takes_n_as_k(path):
    one_step, recurs = open_link(path, init="normal", k="5", n="2"), open_link(path, init="normal", k="5", n="5")
    (remark,) = Shown(one_step).remarks
    assert remark == words.RECURS.format(k=5, n=2)
    assert Shown(one_step) == Shown(recurs)
    assert not Shown(recurs).remarks
    assert Shown(open_link("", init="normal", k="5", n="2")) != Shown(open_link("", init="normal", k="5", n="5"))


@pytest.mark.parametrize("path", ["sequence", "gradients"])
def test_weights_of_a_gates_own_have_a_field_where_they_are_set_and_can_be_given_up(path):
    plain = open_link(path)
    assert "w_f" not in controls(plain)
    own = open_link(path, w_f="0.5")
    assert Shown(own) != Shown(plain)
    assert Shown(choose(own, w_f=None)) == Shown(plain)
