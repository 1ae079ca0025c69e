"""The hidden-state page worked from the keyboard alone: no mouse, and the focus goes where Tab takes it."""

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard.state.parameters import PARAMETERS
from dashboard.text import diagram as diagram_text
from dashboard.text import hidden_state, save_panel, sidebar
from tests.browser.page import box_of, drawing, drawn, followed, turn_to, until, visit

# More than any page has of what Tab comes to.
MOST_STOPS = 120

# All controls in the order in which Tab comes to them, by their labels, their chosen options or their texts. One of every
# kind is worked: what is pressed there, and what the URL says then. A slider's field comes first, and then the slider.
GROUPS = {
    "Cell": (
        ("sigmoid", "ArrowRight", "g=tanh"),
        ("h above x", "", ""),
        (PARAMETERS["stochastic"].label, "", ""),
        (PARAMETERS["large"].label, "", ""),
        (sidebar.MAKE_RECURRENT.format(k=3), "", ""),
    ),
    "Display": (
        ("Selected unit j", "", ""),
        ("Saturation threshold (%)", "", ""),
        ("Decimals", "ArrowUp", "decimals=3"),
        ("Shared", "", ""),
    ),
}
AT_TITLE = (
    ("Edit values", "Space", "edit=true"),
    ("Save and share", "Space", "take=true"),
    ("Array", "ArrowDown ArrowDown Enter", "array=b_h"),
)
IN_EDITOR = (("Fill row", "Enter", "typed=b_h"),)
BELOW = (
    ("m: entries of xₜ", "", ""),
    ("n: entries of hₜ₋₁", "Tab ArrowRight", "n=3"),
    ("k: hidden units", "ArrowUp Tab ArrowRight", "k=5"),
    ("Weight scale", "Tab ArrowRight", "scale=1.1"),
    ("Seed", "ArrowUp", "seed=1"),
    ("Initialization", "", ""),
    ("Wₕₕ", "ArrowUp", "w_hh=2"),
    ("Wₕₓ", "", ""),
    ("hₜ₋₁", "", ""),
    ("xₜ", "", ""),
    ("Bias", "", ""),
    ("all", "ArrowLeft", "stage=activate"),
    ("More", "Enter", ""),
    ("Random bias b ~ N(0, 1)", "Space", "b_normal=true"),
    ("Swap h and x only in [h; x]", "", ""),
)

FOCUSED = """() => {
  let element = document.activeElement
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  const named = element.querySelector("p") ?? element // beside an icon's name
  return [element.ariaLabel || (element.labels?.[0] ?? named).textContent.trim(), getComputedStyle(element).outlineStyle]
}"""


def focused(page: Page) -> str:
    """What the focus is on: its label or its text."""
    return page.evaluate(FOCUSED)[0]


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def tab_to(page: Page, start: str, key: str = "Tab") -> None:
    """Press Tab at least once, and until the focus is on what is called like this, or starts with these words."""
    for _ in range(MOST_STOPS):
        page.keyboard.press(key)
        if f"{focused(page)} ".startswith(f"{start} "):
            return
    pytest.fail(f"{key} never comes to {start}")


def save(page: Page, button: str) -> str:
    """The name of the file that a button saves."""
    tab_to(page, button)
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    return download.value.suggested_filename


def work(page: Page, controls: tuple[tuple[str, str, str], ...]) -> None:
    for label, keys, said in controls:
        tab_to(page, label)
        if keys:
            press(page, keys)
            page.wait_for_url(f"**{said}*")
            followed(page)


@pytest.mark.slow
def test_every_control_is_come_to_and_one_of_every_kind_is_worked_with_the_keys(page, server):
    visit(page, f"{server}/?example=lab")
    tab_to(page, "Worked example")
    for group, controls in GROUPS.items():
        tab_to(page, group)
        press(page, "Enter")
        work(page, controls)
        press(page, "Escape")
    tab_to(page, sidebar.RESTART)
    work(page, AT_TITLE)
    # The address has the array at once; the button is for what it stands beside.
    expect(page.get_by_role("textbox", name="Paste b_h")).to_be_visible()
    work(page, IN_EDITOR)
    assert save(page, save_panel.SAVE_CHOICES) == "cellscope.json"
    work(page, BELOW)
    tab_to(page, "LSTM step")
    page.keyboard.press("Enter")
    page.wait_for_url("**/lstm*")


@pytest.mark.slow
def test_the_drawings_are_gone_through_read_and_followed_with_the_keys(page, server):
    visit(page, f"{server}/?example=lab")
    read_and_follow_a_unit(page)
    turn_to(page, "sequence?", seed=1)
    follow_a_step(page)
    turn_to(page, "?", seed=2)
    go_through_all_drawings(page)


def read_and_follow_a_unit(page: Page) -> None:
    tip, cursor = page.locator(".picture .tip"), page.locator(".picture .cursor")
    drawing(page, "Multiply").first.focus()
    expect(tip).to_have_text("Wh, unit 1, h 1: 1")
    press(page, "End")
    expect(tip).to_have_text("Wh, unit 1, x 3: 9")
    press(page, "ArrowRight ArrowRight ArrowRight ArrowRight ArrowDown")
    expect(tip).to_have_text("zt, unit 2: 245\n1·1 + 1·1 + 9·9 + 9·9 + 9·9 + 0 = 245")
    until(page, lambda: assert_around(page, cursor, drawn(page, "Multiply")["z_t"], row=1))

    press(page, "Enter")
    expect(page.get_by_role("heading", name=hidden_state.BY_HAND_TITLE.format(j=2))).to_be_visible()
    page.wait_for_url("**j=2*")
    followed(page)
    press(page, "ArrowLeft ArrowUp ArrowUp")
    expect(tip).to_have_text("bh, unit 1: 0")
    press(page, "Escape")
    expect(tip).to_be_hidden()
    press(page, "ArrowDown")
    expect(tip).to_have_text("bh, unit 2: 0")
    press(page, "Tab")
    expect(tip).to_be_hidden()
    expect(cursor).to_have_count(0)


def assert_around(page: Page, cursor: Locator, block: dict, row: int) -> None:
    """The cursor is around this cell of a block of one column."""
    frame, whole = box_of(cursor), box_of(drawing(page, "Multiply"))
    assert frame["x"] - whole["x"] == pytest.approx(block["x"], abs=0.1)
    assert frame["y"] - whole["y"] == pytest.approx(block["y"] + row * block["down"], abs=0.1)


def go_through_all_drawings(page: Page) -> None:
    tip = page.locator(".picture .tip")
    page.get_by_role("navigation", name="On this page").get_by_role("link").last.focus()
    tab_to(page, diagram_text.BACKWARD)
    # By how the drawing is told of: how many steps to the right there are in its first row, and where they end.
    for start, steps, last in (
        ("The cell as boxes", 12, "ht, unit 1: 1"),
        ("W_hh is 3 by 2", 2 + 3 + 5 + 1 + 1, "[h; x], h 1: 1"),
        ("Unit 1: formula 1", 5 + 1 + 4 + 2 + 1 + 3 + 1 + 2, "their sum, unit 1: 245\n2 + 243 = 245"),
        ("Unit 1 by hand", 0, ""),
        ("The 5 products", 5 + 5 + 5 + 3, "z: 245"),
        ("The units as dots", 3, "unit 1: σ(245) ≈ 1"),
    ):
        if not last:  # a folded panel
            page.keyboard.press("Tab")
            assert page.evaluate(FOCUSED) == [start, "solid"]
            press(page, "Enter")
            continue
        for stop in (start, "Save this drawing as PNG", "Save this drawing as SVG"):
            page.keyboard.press("Tab")
            name, outline = page.evaluate(FOCUSED)
            assert name.startswith(stop) and outline == "solid"
            if stop == start:
                press(page, steps * "ArrowRight ")
                expect(tip).to_have_text(last)
                press(page, "ArrowRight")
                expect(tip).to_have_text(last)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.shadowRoot") is None
    tab_to(page, "The units as dots", "Shift+Tab")
    assert save(page, "Save this drawing as SVG") == "activate.svg"
    tab_to(page, "Compare", "Shift+Tab")


def follow_a_step(page: Page) -> None:
    drawing(page, "Input and state").focus()
    press(page, "ArrowRight ArrowRight Enter")
    page.wait_for_url("**t=3*")
    expect(page.locator(".picture .tip")).to_contain_text("step 3:")


def test_the_focus_of_a_link_to_another_page_is_seen(page: Page, server: str) -> None:
    visit(page, server)
    page.keyboard.press("Tab")
    link = page.get_by_role("link", name=hidden_state.DOORS["lstm"][0])
    link.focus()
    expect(link).to_have_css("outline-style", "solid")
