"""What a person does on the sequence page, in a real browser."""

from functools import cache

import pytest
from playwright.sync_api import Locator, Page, expect

from core.cells import CELLS, lstm
from core.scenario import Scenario
from core.sequence.layers import named_results
from core.sequence.sequence_run import run_sequence
from core.sequence.unroll import unroll
from dashboard.text.sequence import DIFFERING
from tests.browser.page import drawing, drawn, followed, number_field, panel, point_at, sentence, slider, until, visit
from tests.browser.wires import STREAM, Wires

CELL = {"init": "normal", "m": 3, "n": 4, "k": 4, "T": 9}
LINK = "sequence?" + "&".join(f"{name}={value}" for name, value in CELL.items())
MAPS, GATES, EQUATIONS, EVERYTHING, LAST = (
    "Input and state",
    "Gates and",
    "Equations of",
    "Other values",
    "The last output",
)
# Keeps each step that a slider shows from now on, and the one of the URL at that moment.
KEEP_STEPS = """slider => {
  window.steps = []
  const keep = () => steps.push([slider.ariaValueText, new URLSearchParams(location.search).get("t")])
  new MutationObserver(keep).observe(slider, { attributeFilter: ["aria-valuetext"] })
}"""
STATE = "drawing => drawing.blocks.map(({ symbol, now, numbers }) => [symbol, { now, numbers: [...numbers] }])"


@cache
def steps() -> lstm.LSTMStep:
    scenario = Scenario(**CELL)
    params, state = scenario.params_and_initial_state("LSTM")
    return unroll(CELLS["LSTM"], params, state, scenario.sequence())


def time(page: Page) -> Locator:
    return slider(page, "t: step shown")


def shown(page: Page, title: str) -> dict[str, dict]:
    """Each matrix of a panel by its symbol: its numbers, and of a map the column with the cursor."""
    drawn(page, title)
    return dict(drawing(page, title).evaluate(STATE))


def assert_stands_at(page: Page, t: int) -> None:
    """Note, cursors and equations are all at this step."""
    expect(panel(page, MAPS).locator(".note")).to_contain_text(f"Step {t} of 9")
    for title in (MAPS, GATES, EVERYTHING):
        assert {block["now"] for block in shown(page, title).values()} == {t - 1}
    equations = shown(page, EQUATIONS)
    for symbol, field in {"[h; x]": "stacked", "z_f": "z_f", "c̃_t": "c_tilde", "c_t": "c_t", "h_t": "h_t"}.items():
        expected = getattr(steps(), field)[t - 1, :, 0].tolist()
        assert equations[symbol]["numbers"] == pytest.approx(expected, rel=1e-9, abs=1e-12), symbol


@pytest.mark.slow
def test_time_is_dragged_played_and_picked_and_the_server_is_asked_only_where_it_comes_to_rest(page, server):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    visit(page, f"{server}/{LINK}")
    assert sent
    expect(time(page)).to_have_count(1)
    expect(panel(page, MAPS).get_by_role("slider")).to_have_count(0)
    until(page, lambda: assert_stands_at(page, 1))
    sent.clear()
    drag_to_the_end(page)
    assert sent == []
    page.mouse.up()
    page.wait_for_url("**t=9*")
    followed(page)
    time(page).press("ArrowLeft")
    page.wait_for_url("**t=8*")
    until(page, lambda: assert_stands_at(page, 8))
    expect(number_field(page, "t: step shown")).to_have_value("8")
    time(page).press("ArrowLeft")
    page.wait_for_url("**t=7*")
    followed(page)

    play = panel(page, MAPS).get_by_role("button", name="Play")
    time(page).evaluate(KEEP_STEPS)
    play.click()
    page.wait_for_url("**t=9*")
    expect(play).to_be_visible()
    assert [["8", "7"], ["9", "7"]] == [step for step in page.evaluate("steps") if step[0] != step[1]]
    until(page, lambda: assert_stands_at(page, 9))

    for title, symbol, t in ((MAPS, "h_t", 4), (GATES, "f_t", 7)):
        drawing(page, title).click(position=point_at(page, title, symbol, row=2, column=t - 1))
        page.wait_for_url(f"**t={t}*")
        until(page, lambda t=t: assert_stands_at(page, t))
    drawing(page, EQUATIONS).click(position=point_at(page, EQUATIONS, "z_i", row=2))
    expect(panel(page, MAPS).locator(".note")).to_contain_text("Unit 3:")
    page.wait_for_url("**j=3*")
    until(page, lambda: assert_stands_at(page, 7))


def drag_to_the_end(page: Page) -> None:
    """With the mouse held down, to the middle and then to the last step; it is not let go."""
    box = time(page).bounding_box()
    y = box["height"] / 2
    time(page).hover(position={"x": 2, "y": y})  # which waits until it stands still
    page.mouse.down()
    for share, t in ((0.5, 5), (0.999, 9)):
        time(page).hover(position={"x": share * box["width"], "y": y})
        expect(panel(page, MAPS).locator(".note")).to_contain_text(f"Step {t} of 9")
        assert shown(page, MAPS)["h_t"]["now"] == t - 1
    until(page, lambda: assert_stands_at(page, 9))
    page.wait_for_timeout(300)  # in which nothing is sent


@pytest.mark.slow
def test_pasted_numbers_and_a_word_are_drawn_and_the_address_carries_them(page, server):
    visit(page, f"{server}/sequence?n=3&input=numbers")
    field = page.get_by_role("textbox", name="xₜ at every step")
    field.fill("1\t2\t3\n4\t5\t-6.5\n")
    field.press("Control+Enter")
    expect(panel(page, MAPS).locator(".note")).to_contain_text("Step 1 of 2")
    until(page, lambda: assert_pasted(page))
    page.wait_for_url("**typed=xs~1_2_3~4_5_-6.5*")

    page.get_by_role("combobox", name="Input").select_option("word")
    page.wait_for_url("**input=word*")
    field = page.get_by_role("textbox", name="Word")
    field.fill("gated")
    field.press("Enter")
    expect(panel(page, MAPS).locator(".note")).to_contain_text("Step 1 of 5: “g”")
    page.get_by_role("radio", name="GRU", exact=True).click()
    page.wait_for_url("**cell=GRU*")
    until(page, lambda: assert_of_a_gru(page))
    time(page).press("ArrowRight")
    page.wait_for_url("**t=2*")
    expect(panel(page, MAPS).locator(".note")).to_contain_text("Step 2 of 5: “a”")


def assert_pasted(page: Page) -> None:
    assert shown(page, MAPS)["x_t"]["numbers"] == [1, 4, 2, 5, 3, -6.5]


def assert_of_a_gru(page: Page) -> None:
    assert list(shown(page, MAPS)) == ["x_t", "h_t"]
    assert "h̃_t" in shown(page, GATES)


def test_the_keys_go_along_the_row_of_cells_and_enter_selects_a_step(page, server):
    visit(page, f"{server}/{LINK}")
    followed(page)
    drawing(page, MAPS).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".picture .tip").first).to_contain_text("step 3: f")
    page.keyboard.press("Enter")
    expect(panel(page, MAPS).locator(".note")).to_contain_text("Step 3 of 9")
    page.wait_for_url("**t=3*")


@pytest.mark.slow
def test_back_before_the_answer_to_a_step_shows_the_step_of_the_url(tab: Page, server: str):
    stream = Wires(tab, STREAM)
    visit(tab, f"{server}/{LINK}")
    tab.get_by_role("button", name="Edit values").click()
    tab.wait_for_url("**edit=true*")
    followed(tab)
    stream.held = "server"
    time(tab).press("ArrowRight")
    tab.wait_for_url("**t=2*")
    tab.go_back()
    tab.wait_for_url(f"{server}/{LINK}")
    stream.let_go()
    followed(tab)
    expect(number_field(tab, "t: step shown")).to_have_value("1")
    until(tab, lambda: assert_stands_at(tab, 1))


@pytest.mark.slow
def test_what_plays_goes_on_after_another_choice_and_ends_where_a_step_back_leads(tab: Page, server: str):
    visit(tab, f"{server}/{LINK}")
    tab.get_by_role("button", name="Edit values").click()
    tab.wait_for_url("**edit=true*")
    followed(tab)
    play = panel(tab, MAPS).get_by_role("button", name="Play")
    play.click()
    expect(number_field(tab, "t: step shown")).not_to_have_value("1")
    tab.go_back()
    tab.wait_for_url(f"{server}/{LINK}")
    expect(play).to_be_visible()
    followed(tab)
    assert tab.url == f"{server}/{LINK}"
    until(tab, lambda: assert_stands_at(tab, 1))

    gru = tab.get_by_role("radio", name="GRU", exact=True).element_handle()
    play.evaluate("(button, gru) => { button.click(); gru.click() }", gru)
    tab.wait_for_url("**cell=GRU*t=9*")
    expect(play).to_be_visible()


# A play starts and a key moves a slider; the first URL that is written then, and what the button of the play says.
PLAYED_AND_MOVED = """(button, slider) => new Promise((resolve) => {
  const write = history.replaceState
  history.replaceState = function (state, title, url) {
    history.replaceState = write
    write.call(history, state, title, url)
    resolve([url, button.ariaLabel])
  }
  button.click()
  slider.stepUp()
  for (const type of ["input", "change"]) slider.dispatchEvent(new Event(type))
})"""


@pytest.mark.slow
def test_a_key_is_written_while_something_plays(tab: Page, server: str):
    visit(tab, f"{server}/sequence?T=40")
    followed(tab)
    play = panel(tab, MAPS).get_by_role("button", name="Play")
    url, label = play.evaluate(PLAYED_AND_MOVED, slider(tab, "m: entries of xₜ").element_handle())
    assert "m=" in url and label == "Pause"


@pytest.mark.slow
def test_a_word_raises_m_from_where_its_slider_is_before_the_server_has_answered(tab: Page, server: str):
    stream = Wires(tab, STREAM)
    visit(tab, f"{server}/sequence?m=9&input=word")
    stream.held = "server"
    for field, text in (
        (number_field(tab, "m: entries of xₜ"), "2"),
        (tab.get_by_role("textbox", name="Word"), "gated"),
    ):
        field.fill(text)
        field.press("Enter")
    assert tab.url == f"{server}/sequence?m=5&input=word&word=gated"
    stream.let_go()
    followed(tab)
    expect(panel(tab, MAPS).locator(".note")).to_contain_text("Step 1 of 5: “g”")


@pytest.mark.slow
def test_layers_and_directions_show_the_last_output_beside_h_n(page, server):
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/{LINK}")
    expect(panel(page, LAST)).to_have_count(0)
    page.get_by_role("combobox", name="Directions").select_option("two")
    page.wait_for_url("**directions=two*")
    field = number_field(page, "Layers")
    field.fill("3")
    field.press("Enter")
    page.wait_for_url("**layers=3*")
    followed(page)
    expect(panel(page, LAST)).to_contain_text(sentence(DIFFERING, count=4, rows=8))
    until(page, lambda: assert_shows_the_last_output(page))
    assert page.get_by_test_id("stMainBlockContainer").evaluate("element => element.scrollHeight") <= 2200


def assert_shows_the_last_output(page: Page) -> None:
    expected = named_results(run_sequence(Scenario(**CELL, layers=3, directions="two"), "LSTM").network)
    blocks = shown(page, LAST)
    assert {*expected} <= {*blocks}
    for symbol, array in expected.items():
        assert blocks[symbol]["numbers"] == pytest.approx(array.ravel().tolist(), rel=0, abs=1e-12), symbol
