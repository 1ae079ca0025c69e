"""What is frozen as A stands beside B, which follows the controls: each is what its own link shows."""

from urllib.parse import parse_qsl, urlencode

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from streamlit.testing.v1 import AppTest

from core.examples import first_of
from core.scenario import Scenario
from dashboard.server import drag_socket
from dashboard.state.parameters import FROZEN_PARAMS, PARAMETERS, SCENARIO_PARAMS, VALUE_RULES, of_text, read_frozen
from dashboard.text import lstm
from dashboard.text.compare import SAME, SETTING, TYPED
from dashboard.text.option_names import OPTIONS
from dashboard.text.saturation import GOOD_TITLE
from dashboard.text.sequence import GATES_TITLE
from tests.dashboard.hostile import texts
from tests.dashboard.page import (
    PAGES,
    Shown,
    as_text,
    change,
    choose,
    drawn_controls,
    go,
    link_to,
    links,
    open_bare,
    open_link,
    press,
    query,
)

CELL = {"example": "lab", "init": "normal", "n": "4", "k": "4", "g": "tanh"}
B = CELL | {"scale": "4", "forget_bias": "1"}
every_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path or "hidden_state")


def frozen(at: AppTest) -> dict[str, str]:
    """What the URL has of A."""
    return dict(parse_qsl(query(at)["compare"]))


def sides(shown: Shown, side: str) -> dict[str, dict]:
    """The panels of A or B by their titles: of a playback by that of the step where it stands."""
    return {titled(panel): panel for panel in shown.picture["panels"] if panel["side"] == side}


def titled(panel: dict) -> str:
    return panel["playback"]["steps"][panel["playback"]["start"]]["title"] if panel["playback"] else panel["title"]


def matrices(shown: Shown, panel: dict) -> list[tuple[str, str, str]]:
    """The name, the shape and the packed numbers of all that a panel draws as a matrix."""
    items = [part for row in panel["rows"] for item in row for part in item.get("parts", [item])]
    blocks = [shown.picture["blocks"][item["index"]] for item in items if item["kind"] == "block"]
    return [(block["symbol"], block["shape"], block["values"]) for block in blocks]


def compared(path: str, a: dict[str, str], b: dict[str, str]) -> Shown:
    return Shown(open_link(path, **b, compare=urlencode(a)))


@every_page
def test_what_is_just_frozen_is_the_same_on_both_sides_and_stopping_brings_back_the_page(path):
    at = open_link(path, **CELL)
    before = Shown(at)
    shown = Shown(press(at, "Compare"))
    assert frozen(at) == CELL
    a, b = sides(shown, "A"), sides(shown, "B")
    assert a.keys() <= b.keys() and a
    for title, panel in a.items():
        alone = next(panel for panel in before.picture["panels"] if titled(panel) == title)
        assert matrices(shown, panel) == matrices(shown, b[title]) == matrices(before, alone)
    together = [panel["title"] for panel in shown.picture["panels"][1:] if panel["side"] != "A"]
    assert together == [panel["title"] for panel in before.picture["panels"]]
    assert SAME in shown.picture["panels"][0]["text"]
    assert Shown(press(at, "Stop comparing")) == before
    assert query(at) == CELL


@every_page
def test_a_page_on_its_own_example_is_frozen_as_it_is(path):
    at = open_bare(path)
    before = Shown(at)
    shown = Shown(press(at, "Compare"))
    assert frozen(at) == {"example": first_of(path)}
    titles = [titled(panel) for panel in before.picture["panels"]]
    assert [titled(panel) for panel in shown.picture["panels"][1:] if panel["side"] != "A"] == titles
    assert SAME in shown.picture["panels"][0]["text"]


def differs(name: str, a: str, b: str) -> str:
    """The line on a setting that differs."""
    return SETTING.format(label=PARAMETERS[name].short_label, a=a, b=b)


@every_page
def test_each_side_is_what_its_own_link_shows(path):
    a = CELL | {"seed": "3", "scale": "0.5"}
    shown = compared(path, a, B)
    for side, link in (("A", a), ("B", B)):
        alone = Shown(open_link(path, **link))
        panels = {titled(panel): panel for panel in alone.picture["panels"]}
        for title, panel in sides(shown, side).items():
            assert matrices(shown, panel) == matrices(alone, panels[title])
    assert shown.picture["panels"][0]["note"].splitlines() == [
        differs("seed", "3", "0"),
        differs("scale", "0.5", "4"),
        differs("forget_bias", "0", "1"),
    ]


def test_while_a_dial_is_dragged_b_follows_and_a_stays():
    at = open_link("lstm", **CELL, compare=urlencode(CELL))
    dragged = Shown(drag_socket.drawn(at.session_state["live_picture"].draw, query(at) | {"forget_bias": "5"}))
    assert dragged == compared("lstm", CELL, CELL | {"forget_bias": "5"})
    a, b = (
        dict((name, rest) for name, *rest in matrices(dragged, sides(dragged, side)[lstm.GATES_TITLE])) for side in "AB"
    )
    assert [name for name in a if a[name] != b[name]] == ["b_f", "z_f", "f_t"]


def test_a_follows_the_playback_of_b_only_where_both_have_the_same_steps():
    for path, a, follows, is_whole in (  # the server draws each scale of the saturation page
        ("sequence", CELL | {"seed": "3"}, True, True),
        ("sequence", CELL | {"T": "5"}, False, False),  # A is drawn at t of B
        ("saturation", CELL, False, False),
        ("saturation", B | {"seed": "3"}, True, False),
    ):
        shown = compared(path, a, B)
        (played,) = (panel for panel in shown.picture["panels"] if panel["playback"])
        assert played["side"] == "B"
        assert played["playback"]["whole"] is is_whole
        moved = [block for block in shown.picture["blocks"] if block["frames"] is not None]
        of_b = [block for block in Shown(open_link(path, **B)).picture["blocks"] if block["frames"] is not None]
        assert len(moved) == (2 if follows else 1) * len(of_b), (path, a)


def test_a_diagram_of_sampled_gates_is_whole_beside_a_backward_one_which_has_no_stages():
    shown = compared("lstm", CELL | {"stochastic": "true"}, CELL | {"backward": "true"})
    staged = [
        (panel["side"], item["staged"])
        for panel in shown.picture["panels"]
        for row in panel["rows"]
        for item in row
        if item["kind"] == "diagram"
    ]
    assert sorted(staged) == [("A", False), ("B", False)]


def test_a_may_be_another_cell_with_panels_of_its_own_and_words_that_are_the_same_stand_once():
    shown = compared("sequence", CELL | {"cell": "RNN"}, B | {"cell": "LSTM"})
    assert GATES_TITLE in sides(shown, "B").keys() - sides(shown, "A").keys()
    shown = compared("saturation", CELL, CELL | {"seed": "1"})
    assert [panel["side"] for panel in shown.picture["panels"] if panel["title"] == GOOD_TITLE] == [""]


def test_numbers_of_ones_own_are_frozen_too_and_those_beyond_the_link_cannot_be():
    at = press(open_link(n="3", typed="b_h~1~2~3"), "Compare")
    assert frozen(at) == {"example": "lab", "n": "3", "typed": "b_h~1~2~3"}
    shown = Shown(change(at, {"typed": "b_h~1~2~4"}))
    assert shown.picture["panels"][0]["note"] == TYPED.format(names="b_h")
    shown = compared("lstm", {"init": "fill", "typed": "W_fh~1_2"}, {"init": "glorot", "typed": "h_prev~3~4"})
    assert shown.picture["panels"][0]["note"].splitlines() == [
        differs("init", OPTIONS["init"]["fill"], OPTIONS["init"]["glorot"]),
        TYPED.format(names="h_{t−1}"),
    ]
    assert not drawn_controls(open_link(n="3"))["freeze"]["disabled"]
    assert drawn_controls(open_link(kept="W_hh~0123456789ab"))["freeze"]["disabled"]


def test_what_is_frozen_goes_along_to_other_pages_and_to_other_examples():
    at = press(open_link("lstm", **CELL), "Compare")
    carried = [dict(parse_qsl(link_to(at, path)["compare"])) for path in links(at)]
    assert carried == [CELL] * len(links(at)) and len(carried) > 5
    assert frozen(go(at, "gradients")) == CELL and sides(Shown(at), "A")
    choose(go(at, "lstm"), example="carousel")
    assert sides(Shown(at), "A") and frozen(at) == CELL


def test_a_parameter_that_was_refused_is_not_frozen():
    frozen = drawn_controls(open_link("lstm", k="abc", scale="2"))["freeze"]["freeze"]
    assert "scale" in frozen and "k" not in frozen


def test_a_link_with_an_unknown_example_can_be_compared():
    at = press(open_link(example="none", k="5"), "Compare")
    assert query(at)["compare"] == "example=lab&k=5" and sides(Shown(at), "A")


def test_a_is_not_shown_before_what_it_might_tell_is_predicted():
    shown = compared("lstm", CELL, B | {"predict": "true"})
    assert not sides(shown, "A") and "Cell and hidden state" not in shown.panels


@pytest.mark.parametrize(
    "text",
    ["", "=", "example", "example=nothing", "scale=1.23", "scale=2&scale=2", "j=1", "compare=example%3Dlab", "kept=W_hh~0123456789ab"]
    + ["typed=b_h", "k=513", "init=fill;k=3", "word=%0a", "&".join(f"w{i}=1" for i in range(99))],
)  # fmt: skip
def test_what_a_link_may_not_say_cannot_be_frozen(text):
    assert not VALUE_RULES["compare"].allows(text)


@pytest.mark.slow
@given(texts)
@settings(max_examples=50)
def test_any_text_is_taken_as_frozen_or_refused(text):
    said = read_frozen(text)
    assert said is None or all(VALUE_RULES[name].allows(one) for name, one in said.items())


@given(st.data())
@settings(max_examples=50)
def test_what_a_link_says_of_a_choice_is_its_value(data):
    name = data.draw(st.sampled_from(FROZEN_PARAMS))
    rule = VALUE_RULES[name]
    options = getattr(rule, "options", ()) or (as_text(data.draw(st.sampled_from([1, 2, 7]))),)
    text = data.draw(st.sampled_from(options))
    assert as_text(of_text(name, text)) == text
    default = getattr(Scenario(), name) if name in SCENARIO_PARAMS else 2.0
    assert default is None or type(of_text(name, text)) is type(default)
