"""What a person does on the sequence page, in a real browser."""

from functools import cache

import pytest
from playwright.sync_api import Locator, Page, expect

from core.cells import CELLS, lstm
from core.scenario import Scenario
from core.time.unroll import unroll
from tests.browser.page import assert_nothing_is_cut_off, drawing, drawn, panel, point_at, visit
from tests.live import at_rest, await_picture

CELL = {"init": "normal", "m": 3, "n": 4, "k": 4, "T": 9}
LINK = "sequence?" + "&".join(f"{name}={value}" for name, value in CELL.items())
MAPS, EQUATIONS, EVERYTHING = "Step", "That step", "Every symbol"
STATE = "drawing => drawing.blocks.map(({ symbol, now, numbers }) => [symbol, { now, numbers: [...numbers] }])"


@cache
def steps() -> lstm.LSTMStep:
    scenario = Scenario(**CELL)
    params, state = scenario.at_rest("LSTM")
    return unroll(CELLS["LSTM"], params, state, scenario.sequence())


def time(page: Page) -> Locator:
    return page.get_by_role("slider", name="Step t")


def shown(page: Page, title: str) -> dict[str, dict]:
    """Each matrix of a panel by its symbol: its numbers, and of a map the column with the cursor."""
    drawn(page, title)
    return dict(drawing(page, title).evaluate(STATE))


def assert_stands_at(page: Page, t: int) -> None:
    """Title, cursors and equations are all at this step."""
    expect(panel(page, MAPS).locator("h2")).to_have_text(f"Step {t} of 9")
    for title in (MAPS, EVERYTHING):
        assert {block["now"] for block in shown(page, title).values()} == {t - 1}
    equations = shown(page, EQUATIONS)
    for symbol, field in {"[h; x]": "stacked", "z_f": "z_f", "c̃_t": "c_tilde", "c_t": "c_t", "h_t": "h_t"}.items():
        expected = getattr(steps(), field)[t - 1, :, 0].tolist()
        assert equations[symbol]["numbers"] == pytest.approx(expected, rel=1e-9, abs=1e-12), symbol


def test_dragging_time_asks_the_server_nothing_until_it_is_left_at_a_step(page, server):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    visit(page, f"{server}/{LINK}")
    assert sent
    assert_stands_at(page, 1)
    time(page).scroll_into_view_if_needed()
    box = time(page).bounding_box()
    y = box["y"] + box["height"] / 2
    sent.clear()
    page.mouse.move(box["x"] + 2, y)
    page.mouse.down()
    for share, t in ((0.5, 5), (0.999, 9)):
        page.mouse.move(box["x"] + share * box["width"], y, steps=8)
        expect(panel(page, MAPS).locator("h2")).to_have_text(f"Step {t} of 9")
        assert shown(page, MAPS)["h_t"]["now"] == t - 1
        time(page).scroll_into_view_if_needed()
    assert_stands_at(page, 9)
    page.wait_for_timeout(300)
    assert sent == []
    page.mouse.up()
    page.wait_for_url("**t=9*")
    at_rest(page)
    time(page).press("ArrowLeft")
    page.wait_for_url("**t=8*")
    at_rest(page)
    assert_stands_at(page, 8)
    assert page.get_by_role("spinbutton", name="t: step shown").input_value() == "8"


def test_the_play_button_plays_to_the_last_step_and_leaves_it_in_the_address(page, server):
    visit(page, f"{server}/{LINK}&t=6")
    assert_stands_at(page, 6)
    panel(page, MAPS).get_by_role("button", name="Play").click()
    expect(panel(page, MAPS).get_by_role("button", name="Pause")).to_be_visible()
    page.wait_for_url("**t=9*")
    expect(panel(page, MAPS).get_by_role("button", name="Play")).to_be_visible()
    at_rest(page)
    assert_stands_at(page, 9)


def test_a_click_on_a_column_shows_its_step_and_on_a_row_of_the_equations_inspects_a_unit(page, server):
    visit(page, f"{server}/{LINK}")
    for title, symbol, t in ((MAPS, "h_t", 4), (EVERYTHING, "f_t", 7)):
        drawing(page, title).click(position=point_at(page, title, symbol, row=2, column=t - 1))
        page.wait_for_url(f"**t={t}*")
        at_rest(page)
        assert_stands_at(page, t)
    drawing(page, EQUATIONS).click(position=point_at(page, EQUATIONS, "z_i", row=2))
    expect(panel(page, MAPS).locator(".note")).to_contain_text("Unit 3:")
    page.wait_for_url("**j=3*")
    at_rest(page)
    assert_stands_at(page, 7)


def test_pasted_numbers_are_drawn_and_the_address_carries_them(page, server):
    visit(page, f"{server}/sequence?n=3&input=numbers")
    field = page.get_by_role("textbox", name="xₜ at every step")
    field.fill("1\t2\t3\n4\t5\t-6.5\n")
    field.press("Control+Enter")
    expect(panel(page, MAPS).locator("h2")).to_have_text("Step 1 of 2")
    assert shown(page, MAPS)["x_t"]["numbers"] == [1, 4, 2, 5, 3, -6.5]
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    field.fill("1\t2\nthree\t4\n")
    field.press("Control+Enter")
    expect(page.get_by_test_id("stAlert")).to_have_text(
        "Row 2, column 1 is not a finite number of at most 10^9: write it like -1.5 or 2e-3. What was there is kept."
    )
    assert shown(page, MAPS)["x_t"]["numbers"] == [1, 4, 2, 5, 3, -6.5]
    page.wait_for_url("**typed=xs~1_2_3~4_5_-6.5*", timeout=5000)
    page.reload()
    await_picture(page)
    assert shown(page, MAPS)["x_t"]["numbers"] == [1, 4, 2, 5, 3, -6.5]


def test_a_reload_keeps_the_word_the_cell_and_the_step(page, server):
    visit(page, f"{server}/sequence?n=3&m=6&input=word")
    field = page.get_by_role("textbox", name="Word")
    field.fill("gated")
    field.press("Enter")
    page.wait_for_url("**word=gated*")
    page.get_by_role("radio", name="GRU", exact=True).click()
    page.wait_for_url("**cell=GRU*")
    at_rest(page)
    time(page).press("ArrowRight")
    page.wait_for_url("**t=2*")
    page.reload()
    await_picture(page)
    expect(panel(page, MAPS).locator("h2")).to_have_text("Step 2 of 5: “a”")
    assert list(shown(page, MAPS)) == ["x_t", "h_t"]
    assert "h̃_t" in shown(page, EVERYTHING)


def test_nothing_is_cut_off_on_a_phone(page, server):
    page.set_viewport_size({"width": 400, "height": 900})
    for link in (LINK, "sequence?init=normal&m=40&n=90&k=90&T=512&cell=GRU"):
        visit(page, f"{server}/{link}")
        assert_nothing_is_cut_off(page, (MAPS, EQUATIONS, EVERYTHING))
        assert page.get_by_test_id("stMain").evaluate("element => element.scrollWidth") <= 400
