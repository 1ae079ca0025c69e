"""More own numbers than an address carries, and the history of the browser: nothing is lost without a word."""

import os
import re
import signal

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from core.exchange.scenario_json import to_json
from core.scenario import Scenario
from dashboard.choices import OF_LOOKS
from tests.browser.page import drawn, lead, panel, slider, unfold, visit
from tests.browser.test_own import go, paste
from tests.live import DASHBOARD, PATIENCE, at_rest, await_picture, free_port, running

SIZES = "n=20&k=21&m=2"
SEVENS = "\n".join([" ".join(["7"] * 20)] * 21)
EIGHTS = SEVENS.replace("7", "8")
NO_ROOM = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"


def expect_weights(page: Page, value: int) -> None:
    """Each entry of the first row of W_hh is this."""
    expect(lead(page)).to_contain_text(f"now: {value}·1 + {value}·1 +")


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
    at_rest(page)
    expect_weights(page, 7)
    return page.url


def warning(page: Page) -> Locator:
    return page.get_by_test_id("stAlert").filter(has_text="are missing")


def test_a_reload_keeps_them_and_the_page_says_how_long_they_stay(page, server):
    open_with_sevens(page, server)
    expect(page.get_by_test_id("stAlert")).to_contain_text("This tab of the browser keeps them")
    page.reload()
    expect_weights(page, 7)
    expect(warning(page)).to_have_count(0)
    go(page, "LSTM step")
    page.reload()
    await_picture(page)
    go(page, "Hidden state")
    expect_weights(page, 7)


def test_back_brings_each_of_them_again(page, server):
    open_with_sevens(page, server)
    paste(page, EIGHTS)
    expect_weights(page, 8)
    page.get_by_role("button", name="Drop all my numbers").click()
    expect_weights(page, 1)
    assert "kept=" not in page.url
    for value in (8, 7, 1):
        page.go_back()
        expect_weights(page, value)
    page.go_forward()
    expect_weights(page, 7)
    page.get_by_role("button", name="Restart").click()
    expect_weights(page, 1)
    page.go_back()
    expect_weights(page, 7)


@pytest.mark.slow
def test_a_killed_and_restarted_server_has_them_again(browser: Browser):
    port = free_port()
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    with running(DASHBOARD, port) as server:
        open_with_sevens(page, server.url)
        os.kill(server.pid, signal.SIGKILL)
        server.process.wait()
    with running(DASHBOARD, port):
        unfold(page, "Look")
        expect(slider(page, "Decimals")).to_be_enabled()  # the browser comes back by itself
        slider(page, "Decimals").press("ArrowLeft")
        page.wait_for_url("**decimals=1*")
        expect_weights(page, 7)
        assert "kept=W_hh~" in page.url
    page.close()


@pytest.mark.slow
def test_in_another_browser_the_page_says_which_are_missing(page, server, context: BrowserContext):
    address = open_with_sevens(page, server)
    other = context.new_page()
    visit(other, address)
    expect(warning(other)).to_contain_text("The numbers of W_hh are missing: the address only names them")
    expect_weights(other, 1)
    # What is missing is named for as long as nothing takes its place.
    other.get_by_role("button", name="Set", exact=True).click()
    expect(warning(other)).to_have_count(0)


@pytest.mark.slow
def test_where_the_browser_has_no_room_the_page_does_not_promise_it(context: BrowserContext, server):
    page = context.new_page()
    page.add_init_script(NO_ROOM)
    open_with_sevens(page, server)
    told = page.get_by_test_id("stAlert")
    expect(told).to_contain_text("the browser has no room for them: they are here for now, and a reload loses them")
    expect_weights(page, 7)
    page.reload()
    await_picture(page)
    expect(warning(page)).to_contain_text("The numbers of W_hh are missing")


@pytest.mark.slow
def test_the_oldest_make_way_for_the_newest(context: BrowserContext, server):
    page = context.new_page()
    open_with_sevens(page, server)
    first = page.url.split("~")[-1]
    expect_stored(page, first, 1)
    page.evaluate(
        """() => {
          for (let size = 2 ** 22; size; size /= 2) {
            try { while (true) sessionStorage.setItem(`other ${size} ${Math.random()}`, "x".repeat(size)) } catch {}
          }
        }"""
    )
    paste(page, EIGHTS)
    expect_weights(page, 8)
    expect(page.get_by_test_id("stAlert")).to_contain_text("This tab of the browser keeps them")
    expect_stored(page, first, 0)
    page.reload()
    expect_weights(page, 8)
    page.go_back()
    await_picture(page)
    expect(warning(page)).to_contain_text("W_hh")


@pytest.mark.slow
def test_back_from_an_opened_file_is_back_to_all_that_was_there(context, server, tmp_path):
    page = context.new_page()  # of its own: Chromium's history has room for 50 steps
    choices = {"m": 40, "n": 5, "k": 5, "init": "normal", "scale": 0.1, "g": "tanh", "forget_bias": 3.0, "w_f": 2.0}
    scenario = Scenario(**choices, cell="GRU", arrays={"b_o": np.full((5, 1), 1.5)})
    (tmp_path / "file.json").write_text(to_json(scenario, OF_LOOKS | {"y": True}))
    visit(page, f"{server}/lstm?take=true&seed=7&j=2&m=2")
    before, address = lead(page).inner_text(), page.url
    entries = page.evaluate("history.length")
    page.locator("input[type=file]").set_input_files(tmp_path / "file.json")
    page.wait_for_url("**b_o*")
    at_rest(page)
    assert page.evaluate("history.length") == entries + 1
    there, address_there = lead(page).inner_text(), page.url
    page.go_back()
    expect(lead(page)).to_have_text(before)
    at_rest(page)
    assert page.url == address
    page.go_forward()
    expect(lead(page)).to_have_text(there)
    assert page.url == address_there


def test_back_from_an_example_is_back_to_all_that_was_there(context, server):
    page = context.new_page()  # of its own: Chromium's history has room for 50 steps
    visit(page, f"{server}/lstm?m=4&n=3&init=normal&seed=5&decimals=4&j=2&typed=b_f~1~2~3&forget_bias=3")
    before, address = lead(page).inner_text(), page.url
    entries = page.evaluate("history.length")
    for name in ("forget-layer", "carousel"):
        page.get_by_role("combobox", name="Worked example").click()
        page.get_by_role("option", name=name, exact=True).click()
        page.wait_for_url(f"**example={name}*")
        at_rest(page)
    assert page.evaluate("history.length") == entries + 2
    there, address_there = lead(page).inner_text(), page.url
    page.go_back()
    page.go_back()
    expect(lead(page)).to_have_text(before)
    at_rest(page)
    assert page.url == address
    expect(page.get_by_role("combobox", name="Worked example")).to_have_value("lab")
    page.go_forward()
    page.go_forward()
    expect(lead(page)).to_have_text(there)
    at_rest(page)
    assert page.url == address_there


def test_back_to_another_page_is_back_to_its_choices_and_to_the_shared_ones(page, server):
    visit(page, f"{server}/?init=normal")
    page.get_by_text("multiply", exact=True).click()
    page.wait_for_url("**stage=multiply*")
    # The address changes at once: who goes on before the answer finds one more step in the browser's history.
    expect(panel(page, "Activate")).to_have_count(0)
    at_rest(page)
    printed = drawn(page, "Join")["W_h"]["printed"]
    go(page, "LSTM step")
    unfold(page, "Look")
    slider(page, "Decimals").press("ArrowRight")
    page.wait_for_url("**decimals=3*")
    expect(lead(page)).to_contain_text(re.compile(r"f_?t = −?\d\.\d{3}"))
    at_rest(page)
    page.go_back()
    page.wait_for_url("**stage=multiply*")
    await_picture(page)
    assert "decimals" not in page.url
    expect(slider(page, "Decimals")).to_have_value("2")
    assert drawn(page, "Join")["W_h"]["printed"] == printed
