"""Whatever a reader does, the screen is that of its address: random walks through the app in a real browser.

    python -m tests.bench.walk [--seed 0] [--walks 20]

A walk drags and types and clicks, goes from page to page and back, often before the answer to what it did before. Now and then
it waits, and what is on the screen must be what a new tab shows at the same address. What a walk did is told where it is not.
"""

import argparse
import random
from collections.abc import Callable

from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

from tests.browser.conftest import ONE_LAYER, new_context
from tests.browser.page import on_track, until, visit
from tests.live import DASHBOARD, at_rest, launch, running

STARTS = (
    *("", "lstm", "saturation", "sequence", "gradients", "?init=normal&n=4&k=4", "?example=stochastic-gates"),
    *("lstm?example=forget-layer", "lstm?init=normal&compare=example%3Dlab"),
)
PAGES = ("Hidden state", "LSTM step", "Saturation", "Sequence", "Gradients")
BUTTONS = ("Restart", "Compare", "Stop comparing", "Edit numbers", "Save, open, share")
GROUPS = ("Numbers,", "Cell", "Look")
KEYS = ("ArrowRight", "ArrowLeft", "PageUp", "PageDown", "Home", "End")
NUMBERS = ("1", "2", "3", "5", "7", "0.5", "12")
# In milliseconds: how long a reader waits between two things, and a mouse between two places.
PAUSES, MOVES = (0, 10, 50, 120, 350, 800), (5, 16, 60)
CHECKS, MOST = 5, 3
# In milliseconds: longer than a dial waits before it says once more what was not heard.
SETTLED = 4000
# Drawn is only what is in sight.
PICTURE = """async (picture) => {
  for (const drawing of picture.querySelectorAll(".drawing")) {
    if (drawing.offsetHeight) drawing.scrollIntoView()
    for (let wait = 0; wait < 8 && drawing.offsetHeight && !drawing.blocks.length; wait++) await new Promise((go) => setTimeout(go, 30))
  }
  const shown = ({ symbol, numbers }) => [symbol, [...numbers].slice(0, 200)]
  const panels = [...picture.querySelectorAll("section")]
  return [
    picture.querySelector(".remarks").textContent,
    ...panels.map((panel) => [panel.innerText, panel.querySelector(".drawing").blocks.map(shown)]),
  ]
}"""
DIALS = "dials => [...dials.querySelectorAll('input')].map(({ ariaLabel, value, max }) => [ariaLabel, value, max])"


def drag(page: Page, draw: random.Random) -> str:
    slider = draw.choice(page.locator(".dial input[type=range]").all())
    page.mouse.move(*on_track(slider, draw.random() / 2))
    page.mouse.down()
    for _ in range(draw.randint(1, 6)):
        page.mouse.move(*on_track(slider, draw.random() / 2))
        page.wait_for_timeout(draw.choice(MOVES))
    page.mouse.up()
    return f"{slider.get_attribute('aria-label')} dragged"


def press(page: Page, draw: random.Random) -> str:
    slider, key = draw.choice(page.locator(".dial input[type=range]").all()), draw.choice(KEYS)
    slider.focus()
    for _ in range(draw.choice((1, 1, 5))):
        page.keyboard.press(key)
        page.wait_for_timeout(draw.choice(MOVES))
    return f"{key} on {slider.get_attribute('aria-label')}"


def type_number(page: Page, draw: random.Random) -> str:
    field = draw.choice(page.locator(".dial input[type=number]").all())
    text, end = draw.choice(NUMBERS), draw.choice(("Enter", "Tab", ""))
    field.fill(text)
    if end:
        field.press(end)
    return f"{text} and {end or 'nothing'} in {field.get_attribute('aria-label')}"


def click(page: Page, draw: random.Random) -> str:
    name = draw.choice(BUTTONS)
    button = page.get_by_role("button", name=name, exact=True)
    if button.count():
        button.click(delay=80, timeout=SETTLED)
    return name


def choose(page: Page, draw: random.Random) -> str:
    page.get_by_test_id("stPopoverButton").filter(has_text=draw.choice(GROUPS)).click(timeout=SETTLED)
    choices = page.get_by_test_id("stPopoverBody").locator("label:has(input)")
    choices.first.wait_for(timeout=SETTLED)
    choice = draw.choice(choices.all())
    text = choice.inner_text()
    choice.click(timeout=SETTLED)
    page.keyboard.press("Escape")  # or it would be before what comes next
    return f"{text} chosen"


def go(page: Page, draw: random.Random) -> str:
    title = draw.choice(PAGES)
    links = page.get_by_role("navigation", name="Pages")
    links.get_by_role("link", name=title, exact=True).click(delay=draw.choice((0, 80)), timeout=SETTLED)
    return f"to {title}"


def step(page: Page, draw: random.Random) -> str:
    """Back or forward, but not out of the app, also if it is one of several at once."""
    way = draw.choice(("back", "forward"))
    if way == "forward" or page.evaluate("navigation.currentEntry.index") > MOST:
        page.evaluate(f"history.{way}()")
    return way


Deed = Callable[[Page, random.Random], str]
OFTEN: tuple[Deed, ...] = (drag, press, choose)
DEEDS: tuple[Deed, ...] = (*OFTEN, *OFTEN, type_number, click, go, step)


def walk(browser: Browser, url: str, draw: random.Random) -> None:
    """Raises where the screen is not that of its address, with all that was done."""
    context, other = new_context(browser), new_context(browser)
    page, fresh, done = context.new_page(), other.new_page(), [draw.choice(STARTS)]
    visit(page, f"{url}/{done[0]}")
    for _ in range(CHECKS):
        for _ in range(draw.randint(1, MOST)):
            try:
                done.append(draw.choice(DEEDS)(page, draw))
            except (TimeoutError, IndexError):  # what was to be used has gone meanwhile, or is not there yet
                done.append("missed")
            page.wait_for_timeout(draw.choice(PAUSES))
        page.get_by_role("heading", level=1).click()  # a number that is still being typed is in no address yet
        page.wait_for_timeout(SETTLED)
        at_rest(page)
        visit(fresh, page.url)
        try:
            until(page, lambda: compare(page, fresh))
        except AssertionError as error:
            raise AssertionError(f"{page.url} after {' | '.join(done)}: {error}") from None
    context.close()
    other.close()


def compare(page: Page, fresh: Page) -> None:
    for part, said in ((".dials", DIALS), (".picture", PICTURE)):
        (seen,), (wanted,) = ([found.evaluate(said) for found in tab.locator(part).all()] for tab in (page, fresh))
        assert wanted
        differ = next(((one, other) for one, other in zip(seen, wanted) if one != other), None)
        assert seen == wanted, f"in {part} {str(differ)[:2000]}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--walks", type=int, default=20)
    options = parser.parse_args()
    with running(DASHBOARD) as server, sync_playwright() as playwright:
        browser = launch(playwright, ONE_LAYER)
        for seed in range(options.seed, options.seed + options.walks):
            walk(browser, server.url, random.Random(seed))
        browser.close()
    print(
        f"{options.walks} walks from seed {options.seed}: after each of {CHECKS} waits the screen was that of its address"
    )


if __name__ == "__main__":
    main()
