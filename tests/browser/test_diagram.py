"""What a person does with the diagram of a cell, in a real browser."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.cells import lstm
from core.scenario import Scenario
from dashboard.text import diagram as text
from dashboard.text import lstm as lstm_text
from dashboard.text.lstm import GATES_TITLE as GATES
from tests.browser.page import box_of, drawing, drawn, followed, number_field, panel, point_at, sentence, until, visit
from tests.browser.wires import STREAM, Wires

LINK = "lstm?init=normal&n=3&k=3"
# In pixels of the diagram: from the middle of i_t to the middle of the forget gate, and how wide and how high an entry is.
TO_GATE, ENTRY = (-140, 178), (54, 30)
NUMBERS = "drawing => drawing.blocks.map(({ symbol, numbers }) => [symbol, [...numbers]])"


def gate(page: Page) -> tuple[float, float]:
    """Where the forget gate is in the window."""
    strip = drawn(page, text.TITLE)["i_t"]
    there = box_of(drawing(page, text.TITLE))
    across = strip["x"] + strip["across"] / 2 + TO_GATE[0] * strip["across"] / ENTRY[0]
    down = strip["y"] + 1.5 * strip["down"] + TO_GATE[1] * strip["down"] / ENTRY[1]
    return there["x"] + across, there["y"] + down


def assert_open(page: Page, name: str | None) -> None:
    """The equation of this gate, or of none, stands with the diagram, and in the URL."""
    until(page, lambda: _assert_open(page, name))
    followed(page)


def _assert_open(page: Page, name: str | None) -> None:
    there = {symbol for symbol in drawn(page, text.TITLE) if symbol.startswith("W_")}
    assert there == ({f"W_{name}"} if name else set())
    assert (f"node={name}" in page.url) if name else ("node=" not in page.url)


def test_the_diagram_shows_the_numbers_of_the_step_and_follows_a_choice(page, server):
    visit(page, f"{server}/{LINK}&seed=3")
    for seed in (3, 4):
        _, step = Scenario(n=3, k=3, init="normal", seed=seed).step("LSTM")
        wanted = {"f_t": step.f_t, "c_t": step.c_t, "h_t": step.h_t}

        until(page, lambda: _assert_shows(page, wanted))
        number_field(page, "Seed").fill("4")
        number_field(page, "Seed").press("Enter")
        followed(page)


def test_a_click_on_a_gate_opens_its_equation_and_another_closes_it(page, server):
    visit(page, f"{server}/{LINK}")
    followed(page)
    page.mouse.click(*gate(page))
    assert_open(page, "f")
    page.mouse.click(*gate(page))
    assert_open(page, None)
    page.go_back()
    assert_open(page, "f")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1440, 900), (1920, 1080)])
@pytest.mark.parametrize("link", ["lstm?node=f", "lstm?node=c&backward=yes", "gru?init=normal&n=3&k=3&node=h"])
def test_in_a_wide_window_the_equation_of_a_gate_is_in_sight_beside_the_diagram(page, server, link, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(page, f"{server}/{link}")
    here, symbols = panel(page, text.TITLE), drawn(page, text.TITLE)
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    whole = box_of(drawing(page, text.TITLE))
    shown = [
        box for symbol, box in symbols.items() if symbol.startswith(("z_", "W")) and box["x"] > symbols["h_t"]["x"]
    ]
    assert shown and all(whole["y"] + box["y"] + 3 * box["down"] < size[1] for box in shown)
    title, callout = box_of(here.locator("h2")), box_of(here.locator(".callout"))
    assert all(title["y"] + title["height"] <= whole["y"] + box["y"] for box in shown)
    assert all(whole["y"] + box["y"] + 3 * box["down"] <= callout["y"] for box in shown)
    top, left = whole["y"] + shown[0]["y"] + 5, whole["x"] + shown[0]["x"] + 5
    page.mouse.move(left, top)
    expect(page.locator(".picture .tip").first).to_be_visible()


@pytest.mark.slow
def test_the_keys_go_from_gate_to_gate_open_one_and_close_it(page, server):
    visit(page, f"{server}/{LINK}")
    followed(page)
    drawing(page, text.TITLE).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".picture .tip").first).to_contain_text(text.ROLES["i_t"])
    page.keyboard.press("Enter")
    assert_open(page, "i")
    page.keyboard.press("Escape")
    assert_open(page, None)


@pytest.mark.slow
def test_escape_closes_the_equation_first_and_then_leaves_the_projector_view(page, server):
    visit(page, f"{server}/{LINK}&view=projector&node=f")
    followed(page)
    drawing(page, text.TITLE).focus()
    page.keyboard.press("Escape")
    assert_open(page, None)
    assert "view=projector" in page.url
    followed(page)
    drawing(page, text.TITLE).focus()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    assert "view=" not in page.url


@pytest.mark.slow
def test_next_step_goes_on_from_the_numbers_that_are_shown_and_back_undoes_it(page, server):
    visit(page, f"{server}/{LINK}")
    followed(page)
    before = drawn(page, text.TITLE)
    panel(page, text.TITLE).get_by_role("button", name=text.NEXT).click()
    page.wait_for_url("**typed=*")
    followed(page)
    after = drawn(page, text.TITLE)
    assert after["h_{t−1}"]["printed"] == before["h_t"]["printed"] != before["h_{t−1}"]["printed"]
    assert after["c_{t−1}"]["printed"] == before["c_t"]["printed"]
    page.go_back()
    followed(page)
    until(page, lambda: _assert_printed(page, before))


@pytest.mark.slow
def test_backward_shows_the_gradients_of_core_and_back_the_values(page, server):
    visit(page, f"{server}/{LINK}&seed=3")
    followed(page)
    params, step = Scenario(n=3, k=3, init="normal", seed=3).step("LSTM")
    switch = panel(page, text.TITLE).get_by_role("switch", name=text.BACKWARD)
    for is_on, wanted in ((True, lstm.wire_gradients(params, step)["f_t"]), (False, step.f_t)):
        switch.click()
        expect(switch).to_have_attribute("aria-checked", str(is_on).lower())
        followed(page)
        until(page, lambda: _assert_shows(page, {"f_t": wanted}))
        assert ("backward=true" in page.url) is is_on
    page.go_back()
    expect(switch).to_have_attribute("aria-checked", "true")


def _assert_shows(page: Page, wanted: dict[str, np.ndarray]) -> None:
    drawn(page, text.TITLE)
    shown = dict(drawing(page, text.TITLE).evaluate(NUMBERS))
    for symbol, array in wanted.items():
        assert shown[symbol] == array.ravel().tolist(), symbol


def _assert_printed(page: Page, wanted: dict[str, dict]) -> None:
    assert {symbol: block["printed"] for symbol, block in drawn(page, text.TITLE).items()} == {
        symbol: block["printed"] for symbol, block in wanted.items()
    }


def _assert_is_printed(page: Page, symbol: str, is_printed: bool) -> None:
    assert bool(drawn(page, text.TITLE)[symbol].get("printed")) is is_printed


@pytest.mark.slow
def test_the_stages_play_in_their_order_and_the_last_one_shown_is_in_the_url(page, server):
    visit(page, f"{server}/{LINK}")
    followed(page)
    section = panel(page, text.TITLE)
    where = section.get_by_role("slider", name=text.STAGE)
    where.press("Home")
    until(page, lambda: _assert_in_url(page, "stage=concatenate"))
    until(page, lambda: _assert_is_printed(page, "f_t", False))
    section.get_by_role("button", name="Play").click()
    expect(where).to_have_attribute("aria-valuetext", text.STAGE_LABELS[""])
    until(page, lambda: _assert_in_url(page, None))
    until(page, lambda: _assert_is_printed(page, "f_t", True))
    followed(page)
    page.reload()
    expect(section.get_by_role("slider", name=text.STAGE)).to_have_attribute("aria-valuetext", text.STAGE_LABELS[""])


def _assert_in_url(page: Page, stage: str | None) -> None:
    assert stage in page.url if stage else "stage=" not in page.url


@pytest.mark.slow
def test_a_play_that_another_choice_ends_leaves_no_stage_for_a_later_change(tab: Page, server: str):
    stream = Wires(tab, STREAM)
    visit(tab, f"{server}/{LINK}&stage=concatenate")
    followed(tab)
    section = panel(tab, text.TITLE)
    switch = section.get_by_role("switch", name=text.BACKWARD).element_handle()
    stream.held = "server"
    section.get_by_role("button", name="Play").evaluate("(button, other) => { button.click(); other.click() }", switch)
    assert "stage=concatenate" in tab.url and "backward=true" in tab.url
    where = section.get_by_role("slider", name=text.STAGE)
    expect(where).not_to_have_attribute(
        "aria-valuetext", text.STAGE_LABELS["concatenate"]
    )  # it plays on until the answer
    stream.let_go()
    expect(where).to_have_count(0)
    expect(tab).not_to_have_url(re.compile("stage=concatenate"))
    followed(tab)
    before = stage_of(tab)
    tab.get_by_role("spinbutton", name="Seed", exact=True).press("ArrowUp")
    expect(tab).to_have_url(re.compile("seed=1"))
    assert stage_of(tab) == before


def stage_of(page: Page) -> list[str]:
    return re.findall("stage=[a-z]+", page.url)


@pytest.mark.slow
def test_in_the_projector_view_the_arrow_keys_go_through_the_stages(page, server):
    visit(page, f"{server}/{LINK}&view=projector&stage=concatenate")
    followed(page)
    where = panel(page, text.TITLE).get_by_role("slider", name=text.STAGE)
    for stage in ("gates", "cell", "output", ""):
        page.keyboard.press("ArrowRight")
        expect(where).to_have_attribute("aria-valuetext", text.STAGE_LABELS[stage])
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_attribute("aria-valuetext", text.STAGE_LABELS["output"])
    until(page, lambda: _assert_in_url(page, "stage=output"))
    for key, title in (
        ("ArrowRight", text.TITLE),
        ("ArrowRight", text.TITLE),
        ("ArrowRight", GATES),
        ("ArrowLeft", text.TITLE),
    ):
        page.keyboard.press(key)  # beyond the last stage is the next panel, and from there Left goes back to this one
        if title == GATES or key == "ArrowLeft":
            expect(page.get_by_role("heading", name=title)).to_be_focused()
    expect(where).to_have_attribute("aria-valuetext", text.STAGE_LABELS[""])


@pytest.mark.slow
def test_a_click_on_a_vector_selects_its_unit(page, server):
    visit(page, f"{server}/{LINK}")
    at, box = point_at(page, text.TITLE, "f_t", row=1), box_of(drawing(page, text.TITLE))
    page.mouse.click(box["x"] + at["x"], box["y"] + at["y"])
    page.wait_for_url("**j=2*")
    expect(panel(page, text.TITLE).locator(".callout")).to_contain_text(sentence(lstm_text.UNIT, j=2))
