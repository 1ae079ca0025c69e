"""More own numbers than an address carries, and the history of the browser: nothing is lost without a word."""

import os
import re
import signal
from contextlib import closing

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.exchange.scenario_json import to_json
from core.scenario import Scenario
from dashboard.state.parameters import VIEW_PARAMS
from dashboard.text import editor, notices, sidebar
from tests.browser.conftest import new_context
from tests.browser.page import followed, lead, number_field, sentence, slider, unfold, visit
from tests.browser.test_custom_values import go, paste
from tests.live import DASHBOARD, PATIENCE, PLAIN, await_picture, free_port, running

SIZES = "n=20&k=21&m=2"
SEVENS = "\n".join([" ".join(["7"] * 20)] * 21)
EIGHTS = SEVENS.replace("7", "8")
NO_ROOM = "() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') } }"


def expect_weights(page: Page, value: int) -> None:
    """Each entry of the first row of W_hh is this."""
    expect(lead(page)).to_contain_text(f"{value}·1 + {value}·1 +")


def expect_stored(page: Page, digest: str, times: int) -> None:
    """Wait until the browser has the numbers of that digest so many times."""
    for _ in range(10 * PATIENCE):
        if sum(key.endswith(digest) for key in page.evaluate("Object.keys(sessionStorage)")) == times:
            return
        page.wait_for_timeout(100)
    pytest.fail(f"{digest} is not there {times} times")


def open_with_sevens(page: Page, server: str) -> str:
    visit(page, f"{server}/?{SIZES}&edit=true")
    paste(page, SEVENS)
    page.wait_for_url("**kept=W_hh~*")
    followed(page)
    expect_weights(page, 7)
    return page.url


def alert(page: Page, text: re.Pattern) -> Locator:
    """By its text: until a run ends, the alert of the run before stands beside the new one."""
    return page.get_by_test_id("stAlert").filter(has_text=text)


def warning(page: Page, **values: str) -> Locator:
    return alert(page, sentence(notices.LOST, **values))


@pytest.mark.slow
def test_the_page_says_how_long_they_stay_back_brings_each_of_them_again_and_a_reload_keeps_them(page, server):
    open_with_sevens(page, server)
    expect(alert(page, sentence(notices.KEPT))).to_be_visible()
    paste(page, EIGHTS)
    expect_weights(page, 8)
    page.get_by_role("button", name=editor.RESET_ALL).click()
    expect_weights(page, 1)
    assert "kept=" not in page.url
    for value in (8, 7, 1):
        page.go_back()
        expect_weights(page, value)
    page.go_forward()
    expect_weights(page, 7)
    page.get_by_role("button", name=sidebar.RESTART).click()
    expect_weights(page, 1)
    page.go_back()
    expect_weights(page, 7)
    followed(page)
    go(page, "LSTM step")
    page.reload()
    await_picture(page)
    go(page, "Hidden state")
    expect_weights(page, 7)
    expect(warning(page)).to_have_count(0)


@pytest.mark.slow
def test_a_killed_server_loses_nothing_when_another_takes_its_place(browser: Browser):
    """What only this tab has, and what a link says. One like itself takes a server's place in test_replicas.py."""
    port = free_port()
    with closing(new_context(browser)) as context:
        kept, linked = context.new_page(), context.new_page()
        with running(DASHBOARD, port) as server:
            open_with_sevens(kept, server.url)
            visit(linked, f"{server.url}/lstm?n=3&init=normal&seed=5&w_f=2&decimals=4&typed=b_f~1~2~3")
            opened = lead(linked).inner_text()
            slider(linked, "Weight scale").press("ArrowLeft")
            linked.wait_for_url("**scale=*")
            expect(lead(linked)).not_to_have_text(opened)
            followed(linked)
            before = lead(linked).inner_text()
            os.kill(server.pid, signal.SIGKILL)
            server.process.wait()
        with running(PLAIN, port):
            come_back(kept, decimals=2)
            expect_weights(kept, 7)
            assert "kept=W_hh~" in kept.url
            come_back(linked, decimals=4)
            expect(lead(linked)).to_have_text(before)
            assert "b_f~1~2~3" in linked.url and "seed=5" in linked.url


def come_back(page: Page, decimals: int) -> None:
    """The browser does by itself; then one less of these and one more."""
    unfold(page, "Display")
    dial = number_field(page, "Decimals")
    expect(dial).to_be_enabled()
    dial.press("ArrowDown")
    page.wait_for_url(f"**decimals={decimals - 1}*")
    followed(page)
    dial.press("ArrowUp")
    page.wait_for_url(lambda url: f"decimals={decimals - 1}" not in url)
    followed(page)


@pytest.mark.slow
def test_the_page_says_which_are_missing_where_there_is_no_room_and_the_oldest_make_way_for_the_newest(tab, server):
    address = open_with_sevens(tab, server)
    with closing(tab.context.new_page()) as other:
        visit(other, address)
        expect(warning(other, names="W_hh")).to_be_visible()
        expect_weights(other, 1)
        promise_nothing_without_room(other)
        # What is missing is named for as long as nothing takes its place.
        other.get_by_role("button", name="Fill row", exact=True).click()
        expect(warning(other)).to_have_count(0)
    first = address.split("~")[-1]
    expect_stored(tab, first, 1)
    tab.evaluate(
        """() => {
          for (let size = 2 ** 22; size; size /= 2) {
            try { while (true) sessionStorage.setItem(`other ${size} ${Math.random()}`, "x".repeat(size)) } catch {}
          }
        }"""
    )
    paste(tab, EIGHTS)
    expect_weights(tab, 8)
    expect(alert(tab, sentence(notices.KEPT))).to_be_visible()
    expect_stored(tab, first, 0)
    tab.reload()
    expect_weights(tab, 8)
    tab.go_back()
    await_picture(tab)
    expect(warning(tab)).to_contain_text("W_hh")


def promise_nothing_without_room(page: Page) -> None:
    page.evaluate(NO_ROOM)
    paste(page, EIGHTS)
    expect_weights(page, 8)
    expect(alert(page, sentence(notices.FULL))).to_be_visible()
    page.reload()
    await_picture(page)
    expect(warning(page, names="W_hh")).to_be_visible()


@pytest.mark.slow
def test_back_from_an_opened_file_is_back_to_all_that_was_there(tab, server, tmp_path):
    choices = {"m": 40, "n": 5, "k": 5, "init": "normal", "scale": 0.1, "g": "tanh", "forget_bias": 3.0, "w_f": 2.0}
    scenario = Scenario(**choices, cell="GRU", arrays={"b_o": np.full((5, 1), 1.5)})
    (tmp_path / "file.json").write_text(to_json(scenario, VIEW_PARAMS | {"y": True}))
    visit(tab, f"{server}/lstm?take=true&seed=7&j=2&m=2")
    before, address = lead(tab).inner_text(), tab.url
    entries = tab.evaluate("history.length")
    tab.locator("input[type=file]").set_input_files(tmp_path / "file.json")
    tab.wait_for_url("**b_o*")
    followed(tab)
    assert tab.evaluate("history.length") == entries + 1
    there, address_there = lead(tab).inner_text(), tab.url
    tab.go_back()
    expect(lead(tab)).to_have_text(before)
    followed(tab)
    assert tab.url == address
    tab.go_forward()
    expect(lead(tab)).to_have_text(there)
    assert tab.url == address_there


@pytest.mark.slow
def test_back_from_an_example_is_back_to_all_that_was_there(page, server):
    visit(page, f"{server}/lstm?m=4&n=3&init=normal&seed=5&decimals=4&j=2&typed=b_f~1~2~3&forget_bias=3")
    before, address = lead(page).inner_text(), page.url
    for name in ("forget-layer", "carousel"):
        page.get_by_role("combobox", name="Worked example").select_option(name)
        page.wait_for_url(f"**example={name}*")
        followed(page)
    there, address_there = lead(page).inner_text(), page.url
    page.go_back()
    page.go_back()
    expect(lead(page)).to_have_text(before)
    followed(page)
    assert page.url == address
    expect(page.get_by_role("combobox", name="Worked example")).to_have_value("")  # custom values
    page.go_forward()
    page.go_forward()
    expect(lead(page)).to_have_text(there)
    followed(page)
    assert page.url == address_there
