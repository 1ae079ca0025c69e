"""The reader's own numbers and choices, in a real browser: nothing is lost on any way from screen to screen."""

from contextlib import closing

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.scenario import expect_names
from dashboard.text import gradients, hidden_state, saturation, save_panel
from tests.browser.conftest import new_context, no_trouble
from tests.browser.page import (
    box_of,
    drawing,
    drawn,
    followed,
    lead,
    number_field,
    panel,
    point_at,
    sentence,
    turn_to,
    unfold,
    unfold_settings,
    until,
    visit,
)
from tests.live import await_picture
from tests.sentences import reason

TYPED = "1 2\n3 4\n5 6"
IN_LINK = "typed=W_hh~1_2~3_4~5_6"
PRINTED = ["1", "2", "3", "4", "5", "6"]


def paste(page: Page, text: str) -> None:
    field = page.get_by_role("textbox", name="Paste ")
    field.fill(text)
    field.press("Control+Enter")
    followed(page)


def go(page: Page, title: str) -> None:
    page.get_by_role("navigation", name="Pages").get_by_role("link", name=title, exact=True).click()
    # Until then the picture is that of the page before.
    page.get_by_role("heading", name=title, exact=True, level=1).wait_for()
    await_picture(page)


@pytest.mark.slow
def test_back_undoes_an_edit_and_forward_redoes_it(page, server):
    visit(page, f"{server}/?edit=true")
    before = lead(page).inner_text()
    paste(page, TYPED)
    page.wait_for_url(f"**{IN_LINK}*")
    expect(lead(page)).not_to_have_text(before)
    after = lead(page).inner_text()
    page.get_by_role("button", name="Fill row", exact=True).click()
    page.wait_for_url("**typed=W_hh~0_0~3_4~5_6*")
    page.go_back()
    expect(lead(page)).to_have_text(after)
    page.go_back()
    expect(lead(page)).to_have_text(before)
    page.go_forward()
    expect(lead(page)).to_have_text(after)
    until(page, lambda: assert_printed(page))


@pytest.mark.slow
def test_a_link_with_own_numbers_opens_on_a_students_phone_and_a_finger_picks_a_unit(browser: Browser, server):
    context = new_context(browser, viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True)
    with closing(context), no_trouble(context, server):
        phone = context.new_page()
        visit(phone, f"{server}/?{IN_LINK}")
        assert_printed(phone)
        # A finger picks a unit and keeps its tip.
        drawing(phone, "Concatenation").tap(position=point_at(phone, "Concatenation", "W_h", row=2))
        expect(phone.locator(".picture .tip")).to_be_visible()
        expect(phone.get_by_role("heading", name=hidden_state.BY_HAND_TITLE.format(j=3))).to_be_visible()


def assert_printed(page: Page) -> None:
    assert drawn(page, "Concatenation")["W_{hh}"]["printed"] == PRINTED


@pytest.mark.slow
def test_from_page_to_page_and_back_everything_is_still_there(page, server):
    visit(page, f"{server}/?{IN_LINK}&seed=7")
    page.get_by_role("radio", name="multiply", exact=True).click()
    page.wait_for_url("**stage=multiply*")
    expect(panel(page, "Activate")).to_have_count(0)
    followed(page)
    go(page, "LSTM step")
    assert IN_LINK in page.url and "seed=7" in page.url
    number_field(page, "cₜ₋₁").wait_for()
    unfold_settings(page)
    page.get_by_text("Output layer").click()
    expect(panel(page, "Output")).to_be_visible()
    unfold(page, "Display")
    number_field(page, "Decimals").press("ArrowUp")
    page.wait_for_url("**decimals=3*")
    expect(lead(page)).to_contain_text("= 0.964.")
    followed(page)
    page.go_back()
    page.wait_for_url("**stage=multiply*")
    assert "/lstm" not in page.url and IN_LINK in page.url and "seed=7" in page.url
    # What all pages share is again as it was there.
    await_picture(page)
    assert "decimals" not in page.url
    expect(number_field(page, "Decimals")).to_have_value("2")
    until(page, lambda: assert_printed(page))
    page.go_forward()
    expect(lead(page)).to_contain_text("= 0.964.")
    followed(page)
    go(page, "Hidden state")
    expect(panel(page, "Activate")).to_have_count(0)
    go(page, "LSTM step")
    assert "stage=multiply" in page.url and "y=true" in page.url
    expect(panel(page, "Output")).to_be_visible()
    # Also what only two pages have.
    turn_to(page, "sequence?n=3&init=normal&T=25&forget_bias=3", seed=8)
    go(page, "Gradients")
    expect(panel(page, gradients.MAPS_TITLE).locator(".note")).to_contain_text(sentence(gradients.MAP_NOTE_RATE, T=25))


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_what_an_edit_changes_is_seen_beside_it(page, server, width):
    page.set_viewport_size({"width": width, "height": 800})
    visit(page, f"{server}/?example=lab")
    page.get_by_role("button", name="Edit values").click()
    paste_field = page.get_by_role("textbox", name="Paste ")
    paste_field.scroll_into_view_if_needed()
    panel(page, "Concatenation").evaluate("section => section.scrollIntoView({ block: 'center' })")
    expect(paste_field).to_be_in_viewport()
    until(page, lambda: assert_apart(page, drawing(page, "Concatenation"), page.locator(".st-key-open_tool")))
    page.go_back()
    expect(paste_field).to_have_count(0)


def assert_apart(page: Page, drawing: Locator, tool: Locator) -> None:
    """Something of the drawing is in sight, and the open tool is not before it."""
    first, second = box_of(drawing.locator("canvas").first), box_of(tool)
    right, top = first["x"] + first["width"], max(first["y"], 0)
    assert right <= second["x"] or top + 60 < second["y"]


@pytest.mark.slow
def test_a_file_brings_everything_back(page, server, tmp_path):
    visit(page, f"{server}/?take=true&edit=true&seed=3&init=normal&decimals=3&{IN_LINK}")
    expected = lead(page).inner_text()
    for name in (save_panel.SAVE_CHOICES, save_panel.SAVE_ARRAYS):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        download.value.save_as(tmp_path / download.value.suggested_filename)
    turn_to(page, "?take=true", seed=1)
    expect(lead(page)).to_contain_text("= 245")
    page.locator("input[type=file]").set_input_files(tmp_path / "cellscope.json")
    expect(lead(page)).to_have_text(expected)
    page.wait_for_url(f"**{IN_LINK}*")
    assert "seed=3" in page.url and "decimals=3" in page.url
    turn_to(page, "?take=true&decimals=3", seed=2)
    expect(lead(page)).to_contain_text("= 245")
    page.locator("input[type=file]").set_input_files(tmp_path / "cellscope.npz")
    expect(lead(page)).to_have_text(expected)
    followed(page)  # the picture is new before the uploader is
    (tmp_path / "bad.json").write_text('{"format": "cellscope scenario", "version": 1, "choices": {"**bold**": 1}}')
    page.locator("input[type=file]").set_input_files(tmp_path / "bad.json")
    unknown = reason(expect_names, "choices", ["**bold**"], ())
    expect(page.get_by_test_id("stAlert")).to_have_text(f"{unknown} {save_panel.UNCHANGED}")
    expect(lead(page)).to_have_text(expected)


@pytest.mark.slow
def test_a_drawing_is_saved_as_a_file(page, server):
    visit(page, f"{server}/?n=4&k=4&init=normal")
    numbers = drawn(page, "Activate")["h_t"]["printed"]
    for kind, start in (("PNG", b"\x89PNG\r\n"), ("SVG", b"<svg xmlns=")):
        with page.expect_download() as download:
            panel(page, "Activate").get_by_role("button", name=f"Save this drawing as {kind}").click()
        assert download.value.suggested_filename == f"activate.{kind.lower()}"
        data = download.value.path().read_bytes()
        assert data.startswith(start) and len(data) > 5000
        assert kind == "PNG" or all(f">{number}</text>".encode() in data for number in numbers)


@pytest.mark.slow
def test_it_can_be_embedded_in_the_page_of_a_course_also_in_one_that_is_a_file(page, server, tmp_path):
    course = tmp_path / "course.html"
    course.write_text(
        f'<iframe src="{server}/saturation?embed=true&seed=4&init=normal" width="900" height="700"></iframe>'
    )
    page.goto(course.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator(".picture canvas >> visible=true").first.wait_for()
    expect(frame.get_by_role("heading", name=saturation.AT_SCALE.format(scale=1), exact=True)).to_be_visible()
    expect(frame.get_by_test_id("stAlert")).to_have_count(0)
