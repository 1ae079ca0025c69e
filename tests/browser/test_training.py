"""The page of training: its recording is dragged through in the browser, on a board."""

import re

import pytest
from playwright.sync_api import Page, expect

from dashboard.text import training, training_findings, training_wait
from dashboard.text.plural import fill
from tests.browser.page import (
    NEVER_AT_REST,
    box_of,
    drawn,
    followed,
    number_field,
    opened,
    panel,
    sentence,
    slider,
    visit,
)

pytestmark = pytest.mark.slow

RATIO = training.RATIO
# Keeps all texts that an element shows from now on.
KEEP_SHOWN = """element => {
  window.shown = []
  new MutationObserver(() => shown.push(element.textContent)).observe(element, { childList: true, characterData: true, subtree: true })
}"""


def test_a_recording_is_dragged_through_without_asking_the_server(page: Page, server: str):
    visit(page, f"{server}/training?story=own&units=3&length=5&updates=20")
    expect(page.get_by_text("Update: 0")).to_be_visible()
    opened(page, "The weights")
    first = drawn(page, "The weights")["W_f"]
    playback = slider(page, "Update")
    playback.focus()
    playback.press("End")
    expect(page.get_by_text("Update: 20")).to_be_visible()
    assert drawn(page, "The weights")["W_f"] != first
    playback.press("Home")
    expect(page.get_by_text("Update: 0")).to_be_visible()
    assert drawn(page, "The weights")["W_f"] == first


def test_one_step_of_a_number_is_written_at_once_where_no_picture_follows(tab: Page, server: str):
    tab.add_init_script(NEVER_AT_REST)
    visit(tab, f"{server}/training?story=own&units=3&length=5&updates=20")
    number_field(tab, "k: hidden units").press("ArrowUp")
    expect(tab).to_have_url(re.compile("units=4"))
    followed(tab)
    expect(number_field(tab, "k: hidden units")).to_have_value("4")


def test_a_training_shows_how_far_it_is_and_keeps_its_updates_when_it_is_stopped(page: Page, server: str):
    page.goto(f"{server}/training?story=own&units=32&length=100&updates=600&seed=77")  # half a minute
    expect(page.get_by_text(training_wait.PROGRESS.partition("{made}")[0] + "1")).to_be_visible()
    page.get_by_role("button", name="Stop", exact=True).click()
    stopped = page.get_by_text(sentence(training_wait.STOPPED, total=600))
    expect(stopped).to_be_visible()
    made = re.findall(r"\d+", stopped.inner_text())[0]
    playback = slider(page, "Update")
    playback.focus()
    playback.press("End")
    expect(page.get_by_text(f"Update: {made} of 600")).to_be_visible()
    expect(panel(page, training.VERDICT).get_by_text(f"After {made} of 600 updates")).to_be_visible()
    current = page.get_by_role("navigation", name="On this page").locator("[aria-current]")
    expect(current).to_have_text(training.VERDICT)  # others stand beside it
    page.get_by_role("button", name=training_wait.TRAIN).click()
    progress = page.get_by_text(sentence(training_wait.PROGRESS, total=600))
    expect(progress).to_be_visible()
    assert int(re.findall(r"\d+", progress.inner_text())[0]) >= int(made)


def test_a_change_of_the_setup_ends_the_training_of_the_one_before(page: Page, server: str):
    page.goto(f"{server}/training?story=own&units=32&length=100&updates=600&seed=78")
    expect(page.get_by_text(sentence(training_wait.PROGRESS, total=600))).to_be_visible()
    updates = page.get_by_role("spinbutton", name="Updates")
    updates.fill("5")
    updates.press("Enter")
    expect(slider(page, "Update")).to_have_attribute("max", "5")
    updates.fill("600")
    updates.press("Enter")
    expect(page.get_by_text(sentence(training_wait.PROGRESS, total=600))).to_be_visible()  # it had not come to its end


# Where the panels of the board stand, from the top of the page, and how tall the page is.
PLACES = """() => {
  const page = document.querySelector("[data-testid=stMain]")
  const picture = [...document.querySelectorAll("*")].map((element) => element.shadowRoot?.querySelector(".picture")).find(Boolean)
  const from = page.getBoundingClientRect().top - page.scrollTop
  const place = (element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect()
    return { top: top - from, bottom: bottom - from, left, right }
  }
  const titled = [...picture.querySelectorAll("section:not(.bar)")].map((section) => [section.querySelector("h2").textContent, place(section)])
  const drawn = [...picture.querySelectorAll(".drawing:not([hidden])")].filter(({ offsetHeight }) => offsetHeight)
  const first = Math.min(...drawn.map((drawing) => place(drawing).top))
  return { height: page.scrollHeight, panels: Object.fromEntries(titled), first }
}"""


@pytest.mark.parametrize("link", ["training", "training?story=memory&watched=6"])
def test_cause_and_effect_stand_side_by_side_below_the_playback_slider(page: Page, server: str, link: str):
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/{link}")
    found = page.evaluate(PLACES)
    assert found["height"] <= 3500
    # Below the verdict; the names of six trainings take two lines.
    assert found["first"] <= (330 if link == "training" else 360)
    loss, units, accuracy = (found["panels"][title] for title in ("Loss", training.CURVES, "Accuracy"))
    assert loss["right"] < units["left"] and accuracy["right"] < units["left"]
    assert found["panels"][training.VERDICT]["bottom"] < loss["top"] and accuracy["top"] < 750
    assert max(loss["top"], units["top"]) < 400 and units["top"] < loss["bottom"]
    tops = {found["panels"][title]["top"] for title in (training.SATURATED, training.GAIN, RATIO)}
    assert len(tops) == 1


def test_the_answer_of_an_experiment_stays_whole_below_its_title(page: Page, server: str):
    page.set_viewport_size({"width": 1440, "height": 900})
    for view in ("", "?view=projector"):
        visit(page, f"{server}/training{view}")
        answer = panel(page, training.WHY).locator(".words > p").first
        assert answer.evaluate("text => text.getClientRects().length") == 1, "one column"


def test_the_playback_slider_stays_in_sight(page: Page, server: str):
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/training")
    playback = slider(page, "Update")
    page.get_by_role("link", name="The weights").click()
    expect(page.get_by_role("button", name="The weights", expanded=True)).to_be_in_viewport()
    box = box_of(playback)
    assert 0 <= box["y"] < 60
    verdict = panel(page, training.VERDICT).locator(".callout")
    expect(verdict).to_have_css("border-left-style", "dashed")  # it is about the end
    playback.press("End")
    expect(page.get_by_text("Update: 150")).to_be_in_viewport()
    expect(verdict).to_have_css("border-left-style", "solid")
    heading = box_of(panel(page, "The weights").locator("h2"))
    assert heading["y"] > box["y"] + box["height"]  # it covers no title that a link leads to


def test_one_play_moves_cause_and_effect_from_the_beginning(page: Page, server: str):
    visit(page, f"{server}/training?story=own&units=3&length=5&updates=20")
    play = page.get_by_role("button", name="Play")
    page.get_by_role("button", name="Speed").click()
    for at in ("Update: 0 of 20", "Update: 20 of 20"):  # at its end it starts anew
        output = page.get_by_text(at, exact=True)
        output.evaluate(KEEP_SHOWN)
        play.click()
        play.wait_for()
        expect(page.get_by_text("Update: 20 of 20", exact=True)).to_be_visible()
        shown = dict.fromkeys(page.evaluate("shown"))
        assert list(shown) == [f"Update: {update} of 20" for update in range(21)]


def test_a_click_on_a_name_shows_its_training_and_the_focus_stays(page: Page, server: str):
    visit(page, f"{server}/training")
    name = page.get_by_role("button", name="scale 4")
    expect(name).to_have_attribute("aria-pressed", "false")
    name.click()
    expect(name).to_have_attribute("aria-pressed", "true")
    expect(name).to_be_focused()
    result = fill(training.RESULT_OF_ONE, {"name": "scale 4", "last": 150, "text": ""})
    states = training_findings.SENTENCES["state"]
    not_learned = "|".join(sentence(states[code]).pattern for code in ("fell", "constant", "still"))
    expect(page.get_by_text(re.compile(f"{re.escape(result)}({not_learned})"))).to_be_visible()
    assert "watched=2" in page.url
    page.get_by_role("radio", name=training.EXPERIMENTS["clip"].question).click()
    expect(page.get_by_role("button", name="no clipping")).to_have_attribute("aria-pressed", "true")
    assert "watched" not in page.url and "story=clip" in page.url


def test_a_finding_leads_to_its_panel_and_its_change_is_trained_beside_and_undone_by_back(page: Page, server: str):
    visit(page, f"{server}/training?story=own&units=3&length=5&updates=20&rate=0.00001")
    change = training_findings.CHANGES["rate",].format(rate="0.01")
    to_try, tried = training_findings.TRY.format(change=change), training_findings.TRIED_ALREADY.format(change=change)
    button = panel(page, training.VERDICT).locator("li button")
    expect(button).to_have_text(to_try)
    expect(button).to_have_attribute("aria-pressed", "false")
    panel(page, training.VERDICT).get_by_role("link", name=RATIO).click()
    expect(panel(page, RATIO).locator("h2")).to_be_focused()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_have_text(tried)
    expect(button).to_be_focused()
    expect(page.get_by_role("button", name="learning rate 0.01", exact=True)).to_be_visible()
    assert "change=hardly-moves" in page.url
    page.go_back()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert "change" not in page.url
    button.click()
    keep = page.get_by_role("button", name=training.KEEP.format(name="learning rate 0.01"))
    keep.click()
    expect(keep).to_be_hidden()
    assert "change" not in page.url and "rate" not in page.url


def test_what_was_tried_leaves_the_url_with_the_next_change_of_the_setup(page: Page, server: str):
    visit(page, f"{server}/training?story=own&units=3&length=5&updates=20&rate=0.00001&change=hardly-moves")
    keep = page.get_by_role("button", name=training.KEEP.format(name="learning rate 0.01"))
    expect(keep).to_be_visible()
    units = page.get_by_role("spinbutton", name="k: hidden units")
    units.fill("4")
    units.press("Enter")
    expect(keep).to_be_hidden()
    assert "units=4" in page.url and "change" not in page.url
    page.goto(f"{server}/training?story=own&units=3&length=5&updates=20&rate=0.00001&change=hardly-moves")
    expect(keep).to_be_visible()
    page.get_by_role("combobox", name="Task").select_option("sine")
    expect(keep).to_be_hidden()
    assert "task=sine" in page.url and "change" not in page.url


def test_in_a_narrow_window_the_board_is_one_column(page: Page, server: str):
    page.set_viewport_size({"width": 1000, "height": 900})
    visit(page, f"{server}/training")
    panels = page.evaluate(PLACES)["panels"].values()
    assert len({(place["left"], place["right"]) for place in panels}) == 1


def test_a_saved_chart_names_its_lines_itself(page: Page, server: str):
    visit(page, f"{server}/training")
    with page.expect_download() as download:
        panel(page, "Loss").get_by_role("button", name="Save this drawing as SVG").click()
    saved = download.value.path().read_text()
    assert all(f">{text}<" in saved for text in ("scale 0.5", "scale 4", "updates", "loss"))
