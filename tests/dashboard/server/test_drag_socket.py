"""While a slider is dragged, the server draws the picture that a link with the same query shows, beside any run of the page."""

import gc
from unittest.mock import patch
from urllib.parse import urlencode

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.state import query_params_proxy, session_state_proxy
from streamlit.testing.v1 import AppTest

from core.examples import EXAMPLES, first_of
from core.exchange.matrix_text import to_link
from dashboard.server import drag_socket
from dashboard.state.parameters import COMPARE, PARAMETERS, SCALES, SLIDERS
from tests.dashboard.hostile import anything, texts
from tests.dashboard.page import Shown, change, open_link, written

SMALL = {"m": 4, "n": 5, "k": 5, "T": 6, "t": 7}
LIVE = {
    "": {"init": "normal", "n": "3"},
    "lstm": {"init": "ramp", "typed": "b_f~1~2~3"},
    "gru": {"init": "normal", "n": "3"},
    "saturation": {"init": "normal", "source": "typed"},
    "sequence": {"init": "normal", "input": "word", "m": "3"},
    "gradients": {"init": "glorot", "n": "3", "T": "5"},
}


def drawn(at: AppTest, **said: str) -> Shown:
    """The answer to a slider that is dragged: the browser asks with the query of the URL as it will be."""
    return Shown(drag_socket.drawn(at.session_state["live_picture"].draw, written(at, said)))


@st.composite
def dialled(draw, name: str) -> str:
    """What a slider may say, of sizes that are small enough for many runs."""
    if name == "scale":
        return f"{draw(st.sampled_from(SCALES)):g}"
    rule = PARAMETERS[name].rule
    if rule.whole:
        return str(draw(st.integers(int(rule.low), SMALL.get(name, 99))))
    return str(draw(st.integers(-20, 20)) / 2)


@pytest.mark.parametrize("frozen", [False, True], ids=["", "beside A"])
@pytest.mark.parametrize("path", LIVE)
def test_what_is_drawn_of_a_drag_is_what_a_link_of_it_shows(path, frozen):
    link = LIVE[path] | ({COMPARE: urlencode({"example": "carousel", "k": "2", "scale": "0.5"})} if frozen else {})
    at = open_link(path, **link)
    assert drawn(at) == Shown(at)

    @settings(max_examples=3, suppress_health_check=[HealthCheck.too_slow])
    @given(st.fixed_dictionaries({}, optional={name: dialled(name) for name in SLIDERS}))
    def check(said):
        there = Shown(open_link(path, **link | said))
        assert drawn(at, **said) == there and drawn(at, **said).remarks == there.remarks

    check()


def test_what_was_released_and_chosen_since_counts_in_the_next_drag():
    at = open_link(**LIVE[""])
    first = at.session_state["live_picture"].token
    change(at, {"k": "4"})
    assert drawn(at, scale="2") == Shown(open_link(**LIVE[""] | {"k": "4", "scale": "2"}))
    assert at.session_state["live_picture"].token == first


@pytest.mark.parametrize("example", [name for name, example in EXAMPLES.items() if example.page in LIVE])
def test_every_example_can_be_dragged(example):
    path = EXAMPLES[example].page
    at = open_link(path, example=example)
    assert drawn(at, scale="0.5") == Shown(open_link(path, example=example, scale="0.5"))


@pytest.mark.parametrize("path", [name for name in LIVE if first_of(name) != "lab"])
def test_the_example_that_a_page_opens_on_can_be_dragged(path):
    at = open_link(path, view="page")  # nothing of which the page opens on another example
    assert drawn(at) == Shown(at)
    assert drawn(at, scale="0.5") == Shown(open_link(path, example=first_of(path), scale="0.5"))


@given(st.dictionaries(st.sampled_from(list(PARAMETERS)) | texts, texts, max_size=4))
@settings(max_examples=20)
def test_what_no_link_can_say_changes_nothing(said):
    at = open_link("lstm", **LIVE["lstm"])
    refused = {
        name: text for name, text in said.items() if name not in PARAMETERS or not PARAMETERS[name].rule.allows(text)
    }
    assert drawn(at, **{name: text for name, text in refused.items() if name not in LIVE["lstm"]}) == Shown(at)


@pytest.mark.parametrize("path", ["", "lstm", "gru", "saturation", "sequence"])
def test_what_is_to_be_predicted_is_hidden_from_a_drag_too(path):
    at = open_link(path, predict="true", **LIVE[path])
    hidden = drawn(at, scale="2")
    assert hidden == Shown(open_link(path, predict="true", scale="2", **LIVE[path]))
    assert hidden != Shown(open_link(path, scale="2", **LIVE[path]))


@pytest.mark.parametrize("path", LIVE)
def test_nothing_of_streamlits_is_asked_while_a_drag_is_drawn(path):
    frozen = urlencode({"example": "carousel", "k": "2"})
    for more in ({}, {COMPARE: frozen}, {"view": "projector"}, {"input": "numbers"}, {"y": "true", "cell": "GRU"}):
        link = LIVE[path] | more
        draw = open_link(path, **link).session_state["live_picture"].draw
        with (
            patch.object(session_state_proxy, "get_session_state", side_effect=AssertionError),
            patch.object(query_params_proxy, "get_session_state", side_effect=AssertionError),
            patch.object(DeltaGenerator, "_enqueue", side_effect=AssertionError),
        ):
            drag_socket.drawn(draw, link | {"k": "4", "scale": "2"})


def test_an_address_goes_with_its_session():
    at = open_link(**LIVE[""])
    token = at.session_state["live_picture"].token
    assert token in drag_socket._all
    del at
    gc.collect()
    assert token not in drag_socket._all


def test_the_longest_query_is_a_request():
    longest = "-1.2345678901234568e-05"
    typed = to_link({"W_hh": np.full((20, 20), float(longest))})
    assert typed.count(longest) == 400
    frozen = urlencode({"example": "carousel", "typed": typed}).replace("~", "%7E")  # a browser escapes this too
    said = {"typed": typed, COMPARE: frozen}
    assert all(PARAMETERS[name].rule.allows(text) for name, text in said.items())
    assert drag_socket._read(urlencode(said).replace("~", "%7E")) == said


def test_a_query_is_read_as_in_a_run():
    assert drag_socket._read("k=3&m=%34+&word=&k=5&?n=2&j") == {"m": "4 ", "word": "", "?n": "2", "j": ""}


@given(texts | anything)
@settings(max_examples=50)
def test_anything_else_changes_nothing(value):
    said = drag_socket._read(value)
    assert (said is None) != isinstance(value, str)
    assert said is None or all(isinstance(text, str) for text in said.values())


def test_behind_a_path_of_the_servers_own_the_pictures_are_too():
    with patch("dashboard.server.base_path.st.get_option", return_value="cells/"):
        assert [route.path for route in drag_socket.routes()] == ["/cells/live/{token}"]
