"""A field that does not take what is typed says so."""

import pytest
from playwright.sync_api import Page, expect

from dashboard.state.parameters import PARAMETERS
from dashboard.text.compare import SAME
from dashboard.text.corrections import CORRECTIONS
from tests.browser.page import arrived, box_of, in_sight, number_field, slider, visit
from tests.sentences import says

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("typed", "code", "value"),
    [("3.5", "whole", "4"), ("999", "largest", "512"), ("0", "smallest", "1"), ("", "number", "3")],
)
def test_a_corrected_number_is_told_at_its_slider(page: Page, server: str, typed: str, code: str, value: str):
    visit(page, f"{server}/lstm?example=keep-write-forget")
    field = number_field(page, "k: hidden units")
    below = box_of(page.locator(".picture"))
    field.fill(typed)
    field.press("Enter")
    told = page.get_by_role("status").filter(has_text=CORRECTIONS[code].format(typed=typed, value=value))
    expect(told).to_be_visible()
    expect(field).to_have_value(value)
    place = box_of(told)
    assert in_sight(page, told) and abs(place["x"] + place["width"] - box_of(field)["x"] - box_of(field)["width"]) < 8
    assert box_of(page.locator(".picture"))["y"] == below["y"], "the page has moved"
    slider(page, "Seed").press("ArrowRight")
    expect(told).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_sentence_on_a_training_stands_above_its_field_and_not_on_the_playback(page: Page, server: str, width: int):
    page.set_viewport_size({"width": width, "height": 720})
    visit(page, f"{server}/training?story=own&updates=0")
    for label, typed, value in (("Learning rate", "1e-9", "0.000001"), ("Updates", "-5", "0")):
        field = number_field(page, label)
        field.fill(typed)
        field.press("Enter")
        told = page.get_by_role("status").filter(has_text=CORRECTIONS["smallest"].format(typed=typed, value=value))
        expect(told).to_be_visible()
        field.evaluate("field => field.scrollIntoView({ block: 'center' })")
        assert told.evaluate(IS_ON_TOP), label
        place = box_of(told)
        assert place["y"] + place["height"] <= box_of(field)["y"] < box_of(slider(page, "Update"))["y"], label


# Whether the points near the corners of an element show it, and not an element of another shadow root.
IS_ON_TOP = """element => {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const corners = [[left + 4, top + 4], [right - 4, top + 4], [left + 4, bottom - 4], [right - 4, bottom - 4]]
  return corners.every(([x, y]) => document.elementFromPoint(x, y) === element.getRootNode().host)
}"""


def test_a_field_of_a_shape_says_beside_itself_why_it_does_not_take_a_text(page: Page, server: str):
    visit(page, f"{server}/shapes?x_shape=5,32,10")
    field = page.get_by_role("textbox", name=PARAMETERS["x_shape"].label)
    for typed in ("5,x", "(5,32,10)", "5,0,10", "1,2,3,4,5", "1000001"):
        field.fill(typed)
        field.press("Enter")
        sentence = CORRECTIONS["shape"].format(typed=typed, value=PARAMETERS["x_shape"].rule)
        told = page.get_by_role("status").filter(has_text=sentence)
        expect(told).to_be_visible()
        expect(field).to_have_value("5,32,10")
        assert told.evaluate(IS_ON_TOP)
        above = box_of(field)
        assert abs(box_of(told)["y"] - above["y"] - above["height"]) < 8
    field.fill("5, 7, 10")
    field.press("Enter")
    arrived(page, "x_shape", "5, 7, 10")
    expect(page.locator(".st-key-notices")).to_have_count(0)


def test_a_number_that_is_taken_as_typed_needs_no_word(page: Page, server: str):
    visit(page, f"{server}/lstm?example=keep-write-forget")
    number_field(page, "Weight scale").fill("0.5")
    number_field(page, "Weight scale").press("Enter")
    arrived(page, "scale", "0.5")
    shown = page.get_by_role("status").all_inner_texts()
    assert not any(says(text, sentence) for text in shown for sentence in CORRECTIONS.values())


def test_compare_freezes_a_typed_number(page: Page, server: str):
    visit(page, f"{server}/lstm?example=keep-write-forget")
    number_field(page, PARAMETERS["forget_bias"].label).press_sequentially("2")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url("**compare=*forget_bias%3D2*")
    expect(page.get_by_text(SAME)).to_be_visible()
