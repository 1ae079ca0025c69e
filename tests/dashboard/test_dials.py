"""A dial says what its record allows: where it is dragged to while that is news, else what the address has."""

import math
from functools import reduce
from unittest.mock import patch
from urllib.parse import parse_qsl

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from streamlit.testing.v1 import AppTest

from dashboard.choices import CHOICES, DIALS
from tests.dashboard.hostile import VIEWS, anything, texts
from tests.dashboard.page import Shown, choose, chosen, components, controls, drag, leave, links, open_link, send_event

LINK = {"init": "normal", "k": "4"}


def dragged(request: object = 1, /, **said: object) -> dict:
    return {"said": said, "request": request}


# ---- while a dial is in hand -------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "lstm", "saturation", "sequence", "gradients"])
def test_what_is_dragged_is_seen_in_the_picture_alone_and_forgotten_once_the_whole_page_has_run(path):
    at = open_link(path, **LINK)
    before, all_controls, id = Shown(at), controls(at), components(at)["dials"].id
    for request, k in enumerate("67"):
        assert Shown(drag(at, dragged(request, k=k), id=id)) == Shown(open_link(path, **LINK | {"k": k}))
        assert not controls(at) and dict(at.query_params) == LINK
    assert Shown(at.run()) == before
    assert controls(at) == all_controls and chosen(at, "k") == 4
    # The same once more is no news, and another is.
    assert Shown(drag(at, dragged(1, k="7"), id=id).run()) == before
    assert Shown(drag(at, dragged(2, k="6"), id=id)) != before


@pytest.mark.parametrize("path", ["", "lstm", "saturation", "sequence", "gradients"])
def test_each_run_has_dials_and_picture_anew_for_the_browser_leaves_out_what_it_has(path):
    at = open_link(path, **LINK)
    before = {name: components(at)[name].json for name in ("dials", "picture")}
    components_after = components(at.run())
    assert not any(components_after[name].json == json for name, json in before.items())


def test_dials_that_are_dragged_before_there_is_a_live_part_run_the_whole_page():
    with patch("dashboard.dials.live"):
        at = open_link(**LINK)
    assert "picture" not in components(at)
    assert "picture" in components(drag(at, dragged(k="7")))


def test_what_is_chosen_at_the_same_moment_as_a_dial_is_dragged_comes_to_the_whole_page():
    at = open_link(**LINK)
    at.toggle(key="large").set_value(True)
    at.query_params["large"] = "true"  # as a browser does
    drag(at, dragged(k="7"))
    assert chosen(at, "large") and dict(at.query_params) == LINK | {"large": "true"}
    # What is dragged from then on is seen in the picture alone again.
    assert controls(at) and not controls(drag(at, dragged(2, k="6"), id=components(at)["dials"].id))


def test_what_a_dial_was_let_go_with_holds_until_the_browser_can_have_heard_it():
    at = send_event(open_link(**LINK), "dials", "left", dragged(k="7"))
    for _ in range(5):
        at.query_params["k"] = "4"  # as a browser asks that has not heard it
        at.run()
        assert chosen(at, "k") == 7 and dict(at.query_params) == LINK | {"k": "7"}
    # Of a choice since then too: the browser hears what was said for the dial after it has written this.
    at.query_params["decimals"] = "3"
    choose(at, decimals=3)
    assert at.session_state.held.address == LINK | {"k": "7", "decimals": "3"}
    at.query_params["k"] = "4"
    with patch("dashboard.address.LATE", 0):
        assert chosen(at.run(), "k") == 4


# ---- what somebody's own client says -----------------------------------------------------------

DEEP = reduce(lambda inner, _: [inner], range(200), [])
EXTREME = [
    *(None, True, math.nan, 10**400, "k", [], {}, DEEP, [dragged(k="7")]),
    *({"said": said} for said in (None, 7, "k=7", [["k", "7"]], DEEP)),
    *(dragged(k=k) for k in (7, True, None, math.inf, 10**400, ["7"], {"k": "7"}, DEEP)),
    *(dragged(k=k) for k in ("-7", "513", "7.5", "nan", "1e999", "9" * 10**5, "²", "\0", "7;n=7", "<b>7</b>")),
    *(dragged(scale=scale) for scale in ("1.23", "1e0", "0", " 1")),
    dragged(init="ramp", example="carousel", typed="b_h~1~2~3~4", j="2", K="7", **{" k": "7", "": "7"}),
    {"said": {str(name): "7" for name in range(10**5)}},
]


@st.composite
def refused(draw):
    """What is like what a browser sends, but for its values."""
    names = st.sampled_from(DIALS) | st.sampled_from(list(CHOICES)) | texts
    said = draw(st.dictionaries(names, texts | anything, max_size=4))
    no_dial = {name: value for name, value in said.items() if not is_allowed(name, value)}
    return {"said": no_dial, "request": draw(st.integers() | st.integers() | anything)}


def is_allowed(name: str, value: object) -> bool:
    return name in DIALS and isinstance(value, str) and (value == "" or CHOICES[name].rule.allows(value))


def assert_changes_nothing(at: AppTest, sent: object) -> None:
    before, id = Shown(at), components(at)["dials"].id
    assert Shown(drag(at, sent)) == before
    assert Shown(at.run()) == before
    assert Shown(send_event(at, "dials", "left", sent)) == before
    assert components(at)["dials"].id == id
    assert dict(at.query_params) == LINK and not at.warning


@pytest.mark.slow
def test_nothing_extreme_that_is_sent_for_a_dial_changes_or_breaks_anything():
    at = open_link(**LINK)
    for request, sent in enumerate(EXTREME):
        assert_changes_nothing(at, sent | {"request": request} if isinstance(sent, dict) else sent)


@pytest.mark.slow
def test_nothing_that_is_sent_for_a_dial_changes_or_breaks_anything_unless_its_rule_allows_it():
    at = open_link(**LINK)

    @settings(max_examples=30)
    @given(refused() | anything)
    def whatever_is_sent(sent):
        assert_changes_nothing(at, sent)

    whatever_is_sent()


def test_what_is_dragged_without_a_number_is_no_drag():
    at = open_link(**LINK)
    before, id = Shown(at), components(at)["dials"].id
    for last, request in enumerate([None, math.nan, "1", 1.5, DEEP, {}]):
        assert Shown(drag(at, dragged(last, k="6"), id=id)) != before
        assert Shown(drag(at, dragged(request, k="7"), id=id)) == before
        assert Shown(at.run()) == before


def test_of_what_is_left_only_what_a_dial_may_say_comes_to_the_address():
    at = open_link(**LINK)
    send_event(at, "dials", "left", dragged(k="7", n="513", m=4, init="ramp", scale="0.5", seed="", T="x", unknown="1"))
    assert dict(at.query_params) == {"init": "normal", "k": "7", "scale": "0.5"}
    assert Shown(at) == Shown(open_link(init="normal", k="7", scale="0.5"))
    for unit, j in ((6, 6), (0, 6), (513, 6), (2.5, 6), ("3", 6), (1, 1)):
        send_event(at, "dials", "left", dragged(k="7") | {"unit": unit})
        assert at.session_state.j == j and at.query_params.get("j") == (f"{j}" if j > 1 else None)


# ---- from page to page -------------------------------------------------------------------------


def test_the_links_to_other_pages_bring_what_dials_say():
    at = leave(open_link("lstm", **LINK, m="3", forget_bias="2"), seed="7", m="3", scale="0.5")
    said = [dict(parse_qsl(query)) for query in links(at).values()]
    assert said == [LINK | {"forget_bias": "2", "seed": "7", "scale": "0.5"}] * len(VIEWS)
