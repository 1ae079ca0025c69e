"""What a dial that is dragged gets to see, beside any run of the page: the very picture that a link of that would show."""

import gc
import json
from unittest.mock import patch
from urllib.parse import urlencode

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.state import query_params_proxy, session_state_proxy
from streamlit.testing.v1 import AppTest

from core.examples import EXAMPLES
from dashboard.choices import CHOICES, COMPARE, DIALS, SCALES
from dashboard.serve import frames
from tests.dashboard.hostile import anything, texts
from tests.dashboard.page import Shown, leave, open_link

SMALL = {"m": 4, "n": 5, "k": 5, "T": 6, "t": 7}
LIVE = {
    "": {"init": "normal", "n": "3"},
    "lstm": {"init": "ramp", "typed": "b_f~1~2~3"},
    "saturation": {"init": "normal", "source": "typed"},
    "sequence": {"init": "normal", "input": "word", "m": "3"},
    "gradients": {"init": "glorot", "n": "3", "T": "5"},
}


def drawn(at: AppTest, **said: str) -> Shown:
    """What the live part of the page answers."""
    return Shown(frames.drawn(at.session_state["live_part"].draw, said))


@st.composite
def dialled(draw, name: str) -> str:
    """What a dial may say, of sizes that are small enough for many runs."""
    if name == "scale":
        return f"{draw(st.sampled_from(SCALES)):g}"
    rule = CHOICES[name].rule
    if rule.whole:
        return str(draw(st.integers(int(rule.low), SMALL.get(name, 99))))
    return str(draw(st.integers(-20, 20)) / 2)


@pytest.mark.parametrize("frozen", [False, True], ids=["", "beside A"])
@pytest.mark.parametrize("path", LIVE)
def test_what_is_drawn_of_a_drag_is_what_a_link_of_it_shows(path, frozen):
    link = LIVE[path] | ({COMPARE: urlencode({"example": "carousel", "k": "2", "scale": "0.5"})} if frozen else {})
    at = open_link(path, **link)
    assert drawn(at) == Shown(at)

    @settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow])
    @given(st.fixed_dictionaries({}, optional={name: dialled(name) for name in DIALS}))
    def check(said):
        there = Shown(open_link(path, **link | said))
        assert drawn(at, **said) == there and drawn(at, **said).remarks == there.remarks

    check()


def test_what_was_let_go_and_chosen_since_counts_in_the_next_drag():
    at = open_link(**LIVE[""])
    first = at.session_state["live_part"].token
    leave(at, k="4")
    assert drawn(at, scale="2") == Shown(open_link(**LIVE[""] | {"k": "4", "scale": "2"}))
    assert at.session_state["live_part"].token == first


@pytest.mark.parametrize("example", [name for name, example in EXAMPLES.items() if example.page in LIVE])
def test_every_example_can_be_dragged(example):
    path = EXAMPLES[example].page
    at = open_link(path, example=example)
    assert drawn(at, scale="0.5") == Shown(open_link(path, example=example, scale="0.5"))


@given(st.dictionaries(st.sampled_from(DIALS) | st.sampled_from(list(CHOICES)) | texts, texts, max_size=4))
@settings(max_examples=20)
def test_what_no_dial_can_say_changes_nothing(said):
    at = open_link("lstm", **LIVE["lstm"])
    refused = {name: text for name, text in said.items() if name not in DIALS or not CHOICES[name].rule.allows(text)}
    assert drawn(at, **refused) == Shown(at)


def test_what_is_to_be_predicted_is_asked_for_by_the_page_alone():
    at = open_link(predict="true", **LIVE[""])
    assert json.loads(at.get("bidi_component")[-1].proto.json).get("live") is None


@pytest.mark.parametrize("path", LIVE)
def test_nothing_of_streamlits_is_asked_while_a_drag_is_drawn(path):
    frozen = urlencode({"example": "carousel", "k": "2"})
    for more in ({}, {COMPARE: frozen}, {"view": "projector"}, {"input": "numbers"}, {"y": "true", "cell": "GRU"}):
        draw = open_link(path, **LIVE[path] | more).session_state["live_part"].draw
        with (
            patch.object(session_state_proxy, "get_session_state", side_effect=AssertionError),
            patch.object(query_params_proxy, "get_session_state", side_effect=AssertionError),
            patch.object(DeltaGenerator, "_enqueue", side_effect=AssertionError),
        ):
            frames.drawn(draw, {"k": "4", "scale": "2"})


def test_an_address_goes_with_its_session():
    at = open_link(**LIVE[""])
    token = at.session_state["live_part"].token
    assert token in frames._all
    del at
    gc.collect()
    assert token not in frames._all


@given(anything)
@settings(max_examples=50)
def test_anything_else_is_no_request(value):
    said = frames._read(json.dumps(value))
    assert said is None or all(isinstance(text, str) for text in said.values())


def test_behind_a_path_of_the_servers_own_the_pictures_are_too():
    with patch("dashboard.serve.paths.st.get_option", return_value="cells/"):
        assert [route.path for route in frames.routes()] == ["/cells/live/{token}"]
