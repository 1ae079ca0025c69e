"""Whatever a reader does, the screen is that of its URL, and no action is lost: random walks through the app in a real browser.

    python -m tests.bench.walk [--mode idle] [--seed 0] [--walks 20] [--history]

A walk drags and types and clicks, goes from page to page and back, often before the answer to what it did before. Now and then
it waits. Then the sliders and the pictures must be what a new tab shows at the same URL, and the sliders must have the last values
that they were given. In `slow` walks each message takes 100 to 400 ms, in `cut` ones connections end, and in `killed` ones the
server is killed and started anew. --history counts instead how often quick steps through the browser's history, and links that are
clicked while the page runs, end on another screen than that of their URL, or in more history entries than clicks.
"""

import argparse
import json
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from playwright.sync_api import Browser, Error, Locator, Page, sync_playwright

from core.exchange.scenario_json import to_json
from core.scenario import Scenario
from dashboard.text.diagram import NEXT
from dashboard.text.editor import FILL_LINE
from tests.browser.conftest import ONE_LAYER, new_context
from tests.browser.page import (
    choices,
    connected,
    dials,
    followed,
    link_to,
    on_track,
    tools,
    unfold,
    unfold_settings,
    until,
    visit,
)
from tests.browser.wires import LIVE, STREAM, Wires
from tests.live import DASHBOARD, Server, free_port, launch, running

STARTS = (
    *("", "lstm", "gru", "saturation", "sequence", "gradients", "?init=normal&n=4&k=4", "gru?init=normal&n=3&k=3"),
    *("?example=stochastic-gates", "lstm?example=forget-layer", "lstm?init=normal&compare=example%3Dlab"),
    *("?take=true", "lstm?edit=true"),
)
PAGES = ("Hidden state", "LSTM step", "GRU step", "Saturation", "Sequence", "Gradients")
TOOLS = ("Compare", "Stop comparing", "Edit values", "Save and share")
GROUPS = ("Cell", "Display")
KEYS = ("ArrowRight", "ArrowLeft", "PageUp", "PageDown", "Home", "End")
NUMBERS = ("1", "2", "3", "5", "7", "0.5", "12")
# In milliseconds: how long a reader waits between two things, and a mouse between two places.
PAUSES, MOVES = (0, 10, 50, 120, 350, 800), (5, 16, 60)
CHECKS, MOST, TIMES = 5, 3, 50
# In milliseconds: longer than any message takes, and longer than the page waits before it asks again for what was lost.
SETTLED = 4000
# In milliseconds: so long something may be out of reach, as while the page is not connected.
PATIENT = 2000
# Drawn is only what is in sight.
PICTURE = """async (picture) => {
  // A click opens the panels of A and of B at once.
  for (const fold of picture.querySelectorAll("h2 button")) if (fold.ariaExpanded === "false") fold.click()
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
# The last value that each slider got from the mouse or the keyboard, by label. It comes from the event itself, because the
# page may change before the next command.
GIVEN = """
  window.given = {}
  addEventListener("input", (event) => {
    const [input] = event.composedPath()
    if (input.type === "range") given[input.ariaLabel] = input.ariaValueText
  })
"""
SLIDERS = "dials => [...dials.querySelectorAll('input')].map(({ ariaLabel, value, max }) => [ariaLabel, value, max])"
ENTRY = "navigation.currentEntry.index"


class Reader:
    """Somebody at a page, and what was done so far.

    Attributes
    ----------
    set : dict from str to str
        By the labels of the sliders, the last value that each was given, as long as nothing else may change it.
    is_sure : bool
        Whether nothing is under way that may set sliders or change the URL on the server.
    """

    def __init__(self, page: Page, draw: random.Random):
        self.page, self.draw = page, draw
        self.done: list[str] = []
        self.set: dict[str, str] = {}
        self.is_sure = True

    def act(self) -> None:
        self.try_to(self.draw.choice(ACTIONS))
        self.page.wait_for_timeout(self.draw.choice(PAUSES))

    def try_to(self, action: "Action") -> None:
        try:
            self.done.append(action(self))
        except (Error, IndexError, AssertionError):  # what was to be used has gone meanwhile, or is not there yet
            self.forget()
            self.done.append("missed")

    def forget(self) -> None:
        """After what may set sliders by itself."""
        self.set.clear()

    def one_of(self, role: str) -> Locator:
        """Return a slider or a field by its label: at its position may be another one by the next command."""
        label = self.draw.choice(dials(self.page).get_by_role(role).all()).get_attribute("aria-label", timeout=PATIENT)
        return dials(self.page).get_by_role(role, name=label, exact=True)

    def take_slider(self) -> Locator:
        """Return a slider, and forget which values were given before."""
        self.page.evaluate("given = {}")
        return self.one_of("slider")

    def note(self, label: str, text: str | None) -> None:
        """Take down the value that a slider was given, unless something else may change it."""
        if self.is_sure and text is not None:
            self.set[label] = text
        else:
            self.set.pop(label, None)

    def note_given(self) -> str:
        """Take down the values since `take_slider`; return the labels.

        A slider may have left the page before its release, and then its value does not count.
        """
        given = self.page.evaluate("given")
        there = [label for found in dials(self.page).all() for label, *_ in found.evaluate(SLIDERS, timeout=PATIENT)]
        for label, text in given.items():
            self.note(label, text if label in there else None)
        return " and ".join(given) or "nothing"


Action = Callable[[Reader], str]


def drag(reader: Reader) -> str:
    page, draw, slider = reader.page, reader.draw, reader.take_slider()
    page.mouse.move(*on_track(slider, draw.random() / 2))
    page.mouse.down()
    try:
        for _ in range(draw.randint(1, 6)):
            if not slider.count():
                break
            page.mouse.move(*on_track(slider, draw.random() / 2))
            page.wait_for_timeout(draw.choice(MOVES))
    finally:
        page.mouse.up()
    return f"{reader.note_given()} dragged"


def press(reader: Reader) -> str:
    slider, key = reader.take_slider(), reader.draw.choice(KEYS)
    slider.focus(timeout=PATIENT)
    for _ in range(reader.draw.choice((1, 1, 5))):
        reader.page.keyboard.press(key)
        reader.page.wait_for_timeout(reader.draw.choice(MOVES))
    return f"{key} on {reader.note_given()}"


def type_number(reader: Reader) -> str:
    field = reader.one_of("spinbutton")
    text, end = reader.draw.choice(NUMBERS), reader.draw.choice(("Enter", "Tab", ""))
    label = field.get_attribute("aria-label", timeout=PATIENT)
    field.fill(text, timeout=PATIENT)
    if end:
        field.press(end)
        reader.note(label, field.input_value(timeout=PATIENT))
    else:
        reader.note(label, None)  # what is still being typed may be any number in the end
    return f"{text} and {end or 'nothing'} in {label}"


def use_tool(reader: Reader) -> str:
    name, reader.is_sure = reader.draw.choice(TOOLS), False
    button = reader.page.get_by_role("button", name=name, exact=True)
    if button.count():
        button.click(delay=80, timeout=PATIENT)
    return name


def restart(reader: Reader) -> str:
    reader.forget()
    reader.is_sure = False
    reader.page.get_by_role("button", name="Reset to example").click(delay=80, timeout=PATIENT)
    return "Reset to example"


def release_and_use_tool(reader: Reader) -> str:
    """One right after the other: the answer to the release is not there yet."""
    return f"{drag(reader)} and {use_tool(reader)}"


def choose(reader: Reader) -> str:
    unfold(reader.page, reader.draw.choice(GROUPS))
    choice = reader.draw.choice(choices(reader.page).all())
    text = choice.inner_text(timeout=PATIENT)
    choice.click(timeout=PATIENT)
    return f"{text} chosen"


def predict(reader: Reader) -> str:
    unfold_settings(reader.page)
    reader.page.get_by_text("Predict first", exact=True).click(timeout=PATIENT)
    return "Predict first"


def next_step(reader: Reader) -> str:
    """Click the button that continues with the next step, if the page has it."""
    reader.forget()  # it changes other settings too: n on the page of a GRU, and perhaps t
    reader.is_sure = False
    reader.page.get_by_role("button", name=NEXT, exact=True).first.click(timeout=PATIENT)
    return NEXT


def edit(reader: Reader) -> str:
    """Fill a row, where the editor is open."""
    reader.is_sure = False
    reader.page.get_by_role("button", name=FILL_LINE["row"], exact=True).click(timeout=PATIENT)
    return "a row filled"


def open_file(reader: Reader) -> str:
    """Open a file of other numbers, where one can be opened."""
    reader.forget()
    reader.is_sure = False
    text = to_json(Scenario(seed=reader.draw.randint(1, 99), n=3, k=3, init="normal"), {})
    file = {"name": "cell.json", "mimeType": "application/json", "buffer": text.encode()}
    reader.page.locator("input[type=file]").set_input_files(file, timeout=PATIENT)
    return "a file opened"


def go(reader: Reader) -> str:
    title = reader.draw.choice(PAGES)
    # A number typed before the page arrives may equal the default of the old page. The new page then opens on its own example.
    reader.is_sure = False
    link_to(reader.page, title).click(delay=reader.draw.choice((0, 80)), timeout=PATIENT)
    return f"to {title}"


def step(reader: Reader) -> str:
    """Back or forward, but not out of the app, also if it is one of several at once."""
    way = reader.draw.choice(("back", "forward"))
    if way == "forward" or reader.page.evaluate(ENTRY) > MOST:
        reader.forget()
        reader.page.evaluate(f"history.{way}()")
    return way


OFTEN: tuple[Action, ...] = (drag, press, choose, release_and_use_tool)
ACTIONS: tuple[Action, ...] = (
    *(*OFTEN, *OFTEN, type_number, type_number, use_tool, restart),
    *(predict, next_step, next_step, edit, open_file, go, go, step),
)


# ---- what else happens ----------------------------------------------------------------------


class House:
    """The server, which can be killed and started anew where it was."""

    def __init__(self) -> None:
        self.port = free_port()
        self.stack = ExitStack()
        self.start()

    def start(self) -> None:
        self.server: Server = self.stack.enter_context(running(DASHBOARD, self.port))

    def kill(self) -> None:
        self.server.process.kill()
        self.stack.close()


class Mode(NamedTuple):
    """What makes the reader's life hard.

    Attributes
    ----------
    delays : tuple of float
        The shortest and the longest delay of a message in seconds.
    cuts : bool
        Whether connections end now and then.
    kills : bool
        Whether the server is killed now and then.
    """

    delays: tuple[float, float] = (0, 0)
    cuts: bool = False
    kills: bool = False


MODES = {
    "idle": Mode(),
    "slow": Mode(delays=(0.1, 0.4)),
    "cut": Mode(cuts=True),
    "killed": Mode(kills=True),
}


@contextmanager
def trouble(mode: Mode, house: House, wires: list[Wires], draw: random.Random, page: Page) -> Iterator[None]:
    """While a reader does something once more, or right after it."""
    is_hit = draw.random() < 0.5
    if mode.cuts and is_hit:
        draw.choice(wires).cut()
    if mode.kills and is_hit:
        house.kill()
    yield
    if mode.kills and is_hit:
        page.wait_for_timeout(draw.choice((0, 1000)))
        house.start()


# ---- the walk -------------------------------------------------------------------------------


def walk(browser: Browser, house: House, seed: int, mode: str = "idle", checks: int = CHECKS) -> None:
    """Walk about in two tabs, and compare now and then.

    Parameters
    ----------
    browser : playwright.sync_api.Browser
    house : House
    seed : int
        Of all that is random.
    mode : str
        A name of MODES.
    checks : int
        How often the tabs are compared with new ones.

    Raises
    ------
    AssertionError
        If a screen is not that of its URL, or something was lost, with all that was done.
    """
    draw, url = random.Random(seed), house.server.url
    with ExitStack() as stack:
        context, other = (stack.enter_context(new_context(browser)) for _ in range(2))
        fresh, wires = other.new_page(), list[Wires]()
        readers = [Reader(context.new_page(), draw) for _ in range(2)]
        for reader in readers:
            reader.page.add_init_script(GIVEN)
            wires += [Wires(reader.page, pattern, MODES[mode].delays, draw) for pattern in (STREAM, LIVE)]
            reader.done.append(draw.choice(STARTS))
            visit(reader.page, f"{url}/{reader.done[0]}")
        for _ in range(checks):
            reader = draw.choice(readers)
            for _ in range(draw.randint(1, MOST)):
                reader.act()
            with trouble(MODES[mode], house, wires, draw, reader.page):
                reader.try_to(draw.choice((drag, press, type_number)))
            for reader in readers:
                finish(reader.page)
            fresh.wait_for_timeout(SETTLED)
            for reader in readers:
                check(reader, fresh)


def finish(page: Page) -> None:
    """Wait for the connection and end what is still being typed, because it is in no URL yet."""
    connected(page)
    page.get_by_role("heading", level=1).click()


def check(reader: Reader, fresh: Page) -> None:
    """Compare what a reader sees at rest with a new tab.

    Raises
    ------
    AssertionError
    """
    page = reader.page
    followed(page)
    if "kept=" in page.url:  # only this tab has the arrays, so a new one shows other numbers
        return
    visit(fresh, page.url)
    try:
        until(page, lambda: compare(page, fresh))
        for label, value in reader.set.items():
            field = dials(page).get_by_role("spinbutton", name=label, exact=True)
            there = field.input_value() if field.count() else value
            assert there == value, f"{label} was set to {value} and is {there}"
        reader.is_sure = True
    except AssertionError as error:
        raise AssertionError(f"{page.url} after {' | '.join(reader.done)}: {error}") from None


def compare(page: Page, fresh: Page) -> None:
    """Assert that two tabs show the same.

    Raises
    ------
    AssertionError
    """
    parts: tuple[tuple[str, Callable[[Page], object]], ...] = (
        ("the tools", lambda tab: tools(tab).inner_text()),
        ("the sliders", lambda tab: [found.evaluate(SLIDERS) for found in dials(tab).all()]),
        ("the picture", lambda tab: [found.evaluate(PICTURE) for found in tab.locator(".picture").all()]),
    )
    for part, look in parts:
        seen, wanted = look(page), look(fresh)
        assert wanted
        assert seen == wanted, f"in {part} {first_difference(seen, wanted)[:2000]}"


def first_difference(seen: object, wanted: object) -> str:
    """Where two lists differ first, however deep."""
    if isinstance(seen, list) and isinstance(wanted, list) and len(seen) == len(wanted):
        return next(first_difference(*pair) for pair in zip(seen, wanted) if pair[0] != pair[1])
    return f"there is {json.dumps(seen)} and a new tab has {json.dumps(wanted)}"


# ---- through the history ----------------------------------------------------------------------


def turn_quickly(page: Page, url: str, draw: random.Random) -> int:
    """Back and forward within 100 ms; how many entries the history should have then."""
    visit(page, f"{url}/lstm?init=normal&n=4&k=4&g=tanh")
    for title in ("Hidden state", "Sequence"):
        link_to(page, title).click()
        page.get_by_role("heading", name=title, exact=True, level=1).wait_for()
        followed(page)
    page.evaluate("history.back()")
    page.wait_for_timeout(draw.randint(0, 100))
    page.evaluate("history.forward()")
    return 4  # with that of the new tab


def leave_while_it_runs(page: Page, url: str, draw: random.Random) -> int:
    """A link to another page while the page still runs for a slider; how many entries the history should have then."""
    visit(page, f"{url}/gradients?init=normal&m=64&n=64&k=64&T=200")
    slider = dials(page).get_by_role("slider").first
    slider.press(draw.choice(KEYS))
    slider.blur()
    page.wait_for_timeout(draw.randint(30, 400))
    link_to(page, "LSTM step").click()
    return 3  # with that of the new tab


def count_differences(browser: Browser, url: str, times: int, seed: int) -> None:
    """Print how often a screen is not that of its URL, and how often there are more history entries than there should be."""
    draw = random.Random(seed)
    for action in (turn_quickly, leave_while_it_runs):
        differ, entries = 0, 0
        for _ in range(times):
            with new_context(browser) as context, new_context(browser) as other:
                page, fresh = context.new_page(), other.new_page()
                wanted = action(page, url, draw)
                page.wait_for_timeout(SETTLED)
                followed(page)
                visit(fresh, page.url)
                try:
                    compare(page, fresh)
                except AssertionError as error:
                    differ += 1
                    print(f"  {page.url}: {str(error)[:200]}")
                entries += page.evaluate("history.length") != wanted
        print(
            f"{action.__doc__.partition(';')[0]}, {times} times: {differ} other screens than that of the URL, {entries} times another number of history entries"
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=MODES, default="idle")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--walks", type=int, default=20)
    parser.add_argument(
        "--history", action="store_true", help="count differences after quick steps through the history"
    )
    options = parser.parse_args()
    house = House()
    with sync_playwright() as playwright:
        browser = launch(playwright, ONE_LAYER)
        if options.history:
            count_differences(browser, house.server.url, TIMES, options.seed)
        else:
            for seed in range(options.seed, options.seed + options.walks):
                walk(browser, house, seed, options.mode)
            print(
                f"{options.walks} {options.mode} walks from seed {options.seed}: after each of {CHECKS} waits the screens were those "
                "of their URLs, and the sliders had the last values that they were given"
            )
        browser.close()
    house.stack.close()


if __name__ == "__main__":
    main()
