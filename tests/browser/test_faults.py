"""What goes wrong in a class: reloads, second tabs, lost connections. Every choice is still there."""

import asyncio
import re
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboard.text import sidebar
from tests.browser.conftest import new_context
from tests.browser.page import (
    GO,
    followed,
    lead,
    number_field,
    slider,
    turn_to,
    unfold,
    until,
    visit,
)
from tests.live import Server, await_picture
from tests.lost_connections import Relay, lose_all

CLASS = 20  # tests/bench/lost_connections.py has three hundred
# Of every page choices of which some only it has.
LINKS = {
    "": "stage=activate&order=xh&typed=b_h~1~2~3~4",
    "lstm": "forget_bias=2.5&y=true&p=2&typed=b_f~1~2~3~4",
    "gru": "order=xh&typed=b_u~1~2~3~4",
    "saturation": "source=typed&z=1.5&threshold=12",
    "sequence": "cell=GRU&input=word&word=anna&m=3",
    "gradients": "T=12&forget_bias=-1",
}
CELL = "n=4&k=4&init=normal&g=tanh"
SHARED = f"{CELL}&seed=7"


SAID = "all => all.map(it => it.type === 'checkbox' ? `${it.checked}` : it.value)"


def fields(page: Page) -> list[str]:
    """What every field, toggle and slider says."""
    said = page.locator("input").evaluate_all(SAID)
    for group in ("Cell", "Display"):
        said += unfold(page, group).locator("input, select").evaluate_all(SAID)
    return said


def assert_fields(page: Page, said: list[str]) -> None:
    assert fields(page) == said


def show_three_decimals(page: Page) -> None:
    """On a page whose lead has some, so that it is seen when the answer is there."""
    text = lead(page).inner_text()
    unfold(page, "Display")
    number_field(page, "Decimals").press("ArrowUp")
    page.wait_for_url("**decimals=3*")
    expect(lead(page)).not_to_have_text(text)
    followed(page)


def assert_a_reload_keeps_all(page: Page) -> None:
    before, address, said = lead(page).inner_text(), page.url, fields(page)
    page.reload()
    await_picture(page)
    expect(lead(page)).to_have_text(before)
    until(page, lambda: assert_fields(page, said))
    assert page.url == address
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


# A reload opens the link once more, so one page stands for all where time is short.
@pytest.mark.slow
def test_a_reload_keeps_every_choice(page, server):
    visit(page, f"{server}/lstm?{SHARED}&{LINKS['lstm']}")
    show_three_decimals(page)
    assert_a_reload_keeps_all(page)


@pytest.mark.slow
def test_a_reload_keeps_every_choice_of_every_other_page(page, server):
    visit(page, f"{server}/?example=lab")
    for seed, path in enumerate(("saturation", "sequence", "gradients"), 1):
        turn_to(page, f"{path}?{CELL}&{LINKS[path]}", seed)
        assert_a_reload_keeps_all(page)
    page.evaluate(GO, f"/examples?{SHARED}")
    for _ in range(2):
        expect(page.get_by_role("heading", name="Worked examples")).to_be_visible()
        expect(page.get_by_role("link", name="LSTM step", exact=True)).to_have_attribute(
            "href", re.compile("k=4.*seed=7")
        )
        page.reload()
    assert "seed=7" in page.url


@pytest.mark.slow
def test_two_tabs_know_nothing_of_each_other(page, tab, server):
    for each in (page, tab):
        visit(each, f"{server}/?{SHARED}&{LINKS['']}")
    before = lead(tab).inner_text()
    assert lead(page).inner_text() == before
    slider(page, "Weight scale").press("ArrowRight")
    page.wait_for_url("**scale=*")
    expect(lead(page)).not_to_have_text(before)
    followed(page)
    changed = lead(page).inner_text()
    show_three_decimals(tab)
    assert "scale" not in tab.url and "decimals" not in page.url
    expect(lead(page)).to_have_text(changed)
    assert_a_reload_keeps_all(page)


@pytest.fixture
def beside() -> Iterator[Callable[[Coroutine], Any]]:
    """Runs a coroutine beside the browser, whose own loop has this thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def run(coroutine: Coroutine) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result()

    yield run
    run(_cancel_all())
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


async def _cancel_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.slow
def test_a_class_that_loses_its_connections_comes_back_with_what_it_had(browser, server, beside):
    with closing(new_context(browser)) as context:
        page, relay = context.new_page(), Relay(Server(server, process=None))
        relayed = beside(relay.listen())
        visit(page, f"{relayed.url}/lstm?{SHARED}&{LINKS['lstm']}")
        show_three_decimals(page)
        before = lead(page).inner_text()
        beside(lose_all(relayed, relay, CLASS))
        expect(page.get_by_role("button", name=sidebar.RESTART)).to_be_enabled()  # connected again
        slider(page, "Weight scale").press("ArrowLeft")
        expect(lead(page)).not_to_have_text(before)
        slider(page, "Weight scale").press("ArrowRight")
        expect(lead(page)).to_have_text(before)
        assert all(part in page.url for part in ("decimals=3", "forget_bias=2.5", "b_f~1~2~3~4", "seed=7"))
