"""More own numbers than a link carries: the browser is given them, is asked for them, and is not believed."""

import json
from base64 import b64encode

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_array_equal
from streamlit.testing.v1 import AppTest

from core.exchange.array_files import to_npz
from core.exchange.matrix_text import as_integers, to_link
from dashboard.controls import storage
from dashboard.state.custom_arrays import KEPT, NAMES, Kept, digest_of
from dashboard.state.custom_arrays import TYPED as PARAMETER
from dashboard.text import editor, notices, sidebar
from tests.dashboard.hostile import VIEWS
from tests.dashboard.page import Shown, choose, components, followed, open_link, query, send_event
from tests.dashboard.page import press as press_control
from tests.sentences import says

SIZES = {"n": "20", "k": "21", "m": "2"}
W_HH = np.arange(420).reshape(21, 20) / 8


def asked(at: AppTest) -> dict:
    """What the browser is given and asked for."""
    assert not at.exception
    return json.loads(components(at)["keeper"].json)


def answer(at: AppTest, said: object) -> AppTest:
    """What the browser says, and the run after it."""
    return followed(send_event(at, "keeper", "answer", said))


def typed() -> AppTest:
    """A page on which more numbers were typed than a link carries."""
    at = open_link(**SIZES, edit="true")
    return paste(at, str(W_HH.tolist()))


def paste(at: AppTest, text: str, key: str = "block") -> AppTest:
    """Paste into the editor, or into the field whose key begins so."""
    (field,) = (field for field in at.text_area if field.key.startswith(key))
    return followed(field.set_value(text).run())


def text_of(**arrays: np.ndarray) -> str:
    return b64encode(to_npz(arrays)).decode()


def link() -> tuple[str, str, str]:
    """A link to such numbers, their digest, and what the browser has of them."""
    at = typed()
    ((digest, text),) = asked(at)["texts"].items()
    return at.query_params[KEPT], digest, text


def press(at: AppTest, label: str) -> AppTest:
    buttons = [button for button in at.button if button.label == label]
    return followed(buttons[0].click().run()) if buttons else press_control(at, label)


def alerts(at: AppTest) -> str:
    return "\n".join(element.value for element in (*at.warning, *at.info))


# ---- what the browser is given -----------------------------------------------------------------


def test_the_browser_is_given_each_array_once_and_again_when_it_lacks_it():
    at = typed()
    ((digest, text),) = asked(at)["texts"].items()
    assert at.query_params[KEPT] == f"W_hh~{digest}" and PARAMETER not in at.query_params
    assert asked(at)["here"] == [digest] and not asked(at)["wanted"]
    assert not asked(at.run())["texts"]
    assert asked(answer(at, {"lacks": {digest: True}}))["texts"] == {digest: text}
    assert not asked(at.run())["texts"]
    assert notices.KEPT.format(names="W_hh", most=400) in alerts(at)


def test_what_the_browser_has_no_room_for_is_promised_no_longer_than_it_stays():
    at = typed()
    ((digest, _),) = asked(at)["texts"].items()
    answer(at, {"full": {digest: True}})
    assert notices.FULL.format(names="W_hh", most=400) in alerts(at)
    assert not says(alerts(at), notices.KEPT)
    assert not asked(at)["here"]  # or it would say again that it lacks them
    assert_array_equal(Shown(at)["W_{hh}"], W_HH)


@pytest.mark.parametrize("path", VIEWS)
def test_where_the_link_carries_everything_there_is_nothing_to_keep(path):
    at = open_link(path, **SIZES, typed=to_link({"b_h": np.ones((21, 1))}))
    assert "keeper" not in components(at)


# ---- what the browser brings back ---------------------------------------------------------------


@pytest.mark.parametrize("path", VIEWS)
def test_a_new_session_asks_the_browser_and_says_so_until_it_has_them(path):
    kept, digest, text = link()
    at = open_link(path, **SIZES, kept=kept, typed=to_link({"b_h": np.ones((21, 1))}))
    assert asked(at)["wanted"] == [digest] and not asked(at)["here"]
    assert notices.COMING.format(names="`W_hh`") in alerts(at)
    answer(at, {"found": {digest: text}})
    assert asked(at)["here"] == [digest] and not asked(at)["wanted"] and not asked(at)["texts"]
    assert not at.warning
    assert at.query_params[KEPT] == kept and PARAMETER in at.query_params
    if path == "":
        assert_array_equal(Shown(at)["W_{hh}"], W_HH)
        assert_array_equal(Shown(at)["b_h"], np.ones((21, 1)))


def test_what_the_browser_does_not_have_is_named_and_not_asked_for_again():
    kept, digest, _ = link()
    at = answer(open_link(**SIZES, kept=kept), {"lost": {digest: True}})
    for seen in (at, at.run()):
        assert notices.LOST.format(names="`W_hh`") in alerts(seen)
        assert not asked(seen)["wanted"]
    assert Shown(at) == Shown(open_link(**SIZES))


def test_numbers_of_a_sequence_come_back_too():
    xs = np.arange(450).reshape(90, 5) / 4
    at = open_link("sequence", input="numbers", m="5")
    at = paste(at, str(xs.tolist()), "pasted")
    ((digest, text),) = asked(at)["texts"].items()
    assert notices.KEPT.format(names="xs", most=400) in alerts(at)
    there = open_link("sequence", input="numbers", m="5", kept=at.query_params[KEPT])
    answer(there, {"found": {digest: text}})
    assert not there.error and not there.warning
    assert_array_equal(Shown(there)["x_t"], xs.T)
    assert not asked(there.run())["wanted"]


def test_what_is_still_on_its_way_stays_in_the_address_when_others_change():
    kept, digest, text = link()
    at = open_link(**SIZES, kept=kept, edit="true", array="b_h", typed="x_t~1~2")
    paste(at, str(list(range(21))))
    press(at, "Reset b_h")
    assert at.query_params[KEPT] == kept and at.query_params[PARAMETER] == "x_t~1~2"
    assert_array_equal(Shown(answer(at, {"found": {digest: text}}))["W_{hh}"], W_HH)
    press(at, editor.RESET_ALL)
    assert KEPT not in at.query_params and "keeper" not in components(at)


@pytest.mark.parametrize("label", [sidebar.RESTART, editor.RESET_ALL])
def test_what_drops_them_drops_them_from_the_address(label):
    at = press(typed(), label)
    assert KEPT not in at.query_params and "keeper" not in components(at)
    assert Shown(at) == Shown(open_link(**(SIZES if label != sidebar.RESTART else {}), edit="true"))
    assert not at.warning and not at.info


@given(
    st.sampled_from(NAMES),
    hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2), elements=st.floats(-1e9, 1e9)),
)
@settings(max_examples=20)
def test_any_numbers_come_back_as_they_were(name, numbers):
    digest = digest_of(name, numbers)
    back = storage._read(name, digest, text_of(**{name: numbers}))
    assert back.dtype == as_integers(numbers).dtype
    assert_array_equal(back, numbers)
    assert digest_of(name, back) == digest


# ---- what it says is not believed -----------------------------------------------------------------


def test_nothing_but_the_numbers_that_the_address_names_is_taken_from_the_browser():
    kept, digest, text = link()
    others = {
        "another name": text_of(W_hx=W_HH),
        "another number": text_of(W_hh=W_HH + 1),
        "another shape": text_of(W_hh=W_HH.T),
        "one dimension": text_of(W_hh=W_HH[0]),
        "not finite": text_of(W_hh=W_HH * np.nan),
        "no base64": "%" + text,
        "cut off": text[: len(text) // 8 * 4],
        "no archive": b64encode(b"\x80\x04.").decode(),
        "other letters": "ü" * 8,
        "no text": 3,
        "a list": [text],
        "nothing": None,
    }
    without = Shown(open_link(**SIZES))
    for what, said in others.items():
        at = answer(open_link(**SIZES, kept=kept), {"found": {digest: said}})
        assert Shown(at) == without, what
        assert notices.LOST.format(names="`W_hh`") in alerts(at), what
    for said in (None, 3, "found", [digest], {"found": [digest]}, {"found": {"0" * 12: text}}, {"lost": digest}):
        at = answer(open_link(**SIZES, kept=kept), said)
        assert Shown(at) == without and asked(at)["wanted"] == [digest], said


def test_a_link_names_arrays_that_there_are_each_once():
    rule = Kept()
    assert rule.allows("W_hh~0123456789ab") and rule.allows("W_hh~0123456789ab~~xs~0123456789ab")
    for text in (
        *("", "W_hh", "W_hh~", "W_hh~0123456789a", "W_hh~0123456789abc", "W_hh~0123456789AB", "W_zz~0123456789ab"),
        *("W_hh~0123456789ab~~", "W_hh~0123456789ab~~W_hh~0123456789ac", "W_hh~0123456789ab~1", "~0123456789ab"),
        "W_hh~٠123456789ab",
    ):
        assert not rule.allows(text), text


def test_an_example_is_a_setting_of_the_url_alone():
    at = open_link("lstm", example="carousel", typed="b_f~1~2~3", forget_bias="2", decimals="3")
    choose(at, example="forget-layer")
    assert query(at) == {"example": "forget-layer", "decimals": "3"}
    choose(at, example="lab")
    assert query(at) == {"example": "lab", "decimals": "3"}
