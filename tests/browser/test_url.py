"""Actions before the server has answered: their results in the URL, in the controls and in the history."""

from contextlib import closing
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core.cells import rnn
from core.examples import first_of
from core.exchange.matrix_text import from_link
from core.scenario import Scenario
from tests.browser.conftest import new_context
from tests.browser.page import (
    GO,
    arrived,
    connected,
    disconnected,
    followed,
    link_to,
    number_field,
    on_track,
    slider,
    until,
    visit,
)
from tests.browser.wires import LIVE, STREAM, Wires
from tests.live import at_rest

pytestmark = pytest.mark.slow
UNITS = "k: hidden units"
CELL = {"init": "normal", "n": 3, "k": 3, "m": 4, "seed": 7}
LINK = "&".join(f"{name}={value}" for name, value in CELL.items())


def query(page: Page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def assert_state(page: Page, steps: int) -> None:
    """The URL has h_{t−1} after so many steps."""
    params, state, x_t = Scenario(**CELL).step_arguments("RNN")
    for _ in range(steps):
        state = rnn.next_state(rnn.step(params, state, x_t))
    np.testing.assert_array_equal(from_link(query(page)["typed"])["h_prev"], state.h)


def assert_lost(stream: Wires) -> None:
    """The click waits before the server, or a whole run that answers it before the browser."""
    assert stream.waiting
    if stream.held == "server":
        assert_finished(stream)


def assert_finished(stream: Wires) -> None:
    """A whole run waits for the browser."""
    assert any(ForwardMsg.FromString(message).HasField("script_finished") for _, message in stream.waiting)


@pytest.mark.parametrize("held", ["browser", "server"])
def test_two_quick_clicks_are_two_steps_and_two_history_entries(tab: Page, server: str, held: str):
    stream = Wires(tab, STREAM)
    visit(tab, f"{server}/?{LINK}")
    followed(tab)
    stream.held = held
    for _ in range(2):
        tab.get_by_role("button", name="Next step").click()
    stream.let_go()
    until(tab, lambda: assert_state(tab, 2))
    followed(tab)
    tab.go_back()
    until(tab, lambda: assert_state(tab, 1))
    followed(tab)
    tab.go_back()
    tab.wait_for_url(f"{server}/?{LINK}")


@pytest.mark.parametrize("held", ["browser", "server"])
def test_a_step_that_is_clicked_when_the_connection_ends_is_made_once(browser: Browser, server: str, held: str):
    with closing(new_context(browser)) as context:
        page = context.new_page()
        stream = Wires(page, STREAM)
        visit(page, f"{server}/?{LINK}")
        followed(page)
        stream.held, stream.said = held, []
        page.get_by_role("button", name="Next step").click()
        until(page, lambda: assert_lost(stream))
        stream.waiting, stream.held = [], ""
        stream.cut()
        connected(page)
        until(page, lambda: assert_state(page, 1))
        page.get_by_role("link", name="LSTM step").click()
        page.wait_for_url("**/lstm?*")
        followed(page)
        page.go_back()
        followed(page)
        assert_state(page, 1)
        page.get_by_role("button", name="Next step").click()
        until(page, lambda: assert_state(page, 2))


@pytest.mark.parametrize("before", ["/", "/lstm"])
def test_back_withdraws_a_step_that_was_lost_with_the_connection(browser: Browser, server: str, before: str):
    with closing(new_context(browser)) as context:
        page = context.new_page()
        stream = Wires(page, STREAM)
        visit(page, f"{server}{before}?{LINK}")
        followed(page)
        # To another page with this query, or to this page with another one.
        page.evaluate(GO, f"/?{LINK}" if before == "/lstm" else f"/?{LINK}&scale=2")
        followed(page)
        stream.held = "browser"
        page.get_by_role("button", name="Next step").click()
        until(page, lambda: assert_lost(stream))
        stream.waiting, stream.held, stream.is_refused = [], "", True
        stream.cut()
        disconnected(page)
        page.go_back()
        stream.is_refused = False
        connected(page)
        followed(page)
        assert page.url == f"{server}{before}?{LINK}"
        page.get_by_role("button", name="Next step").click()
        page.wait_for_url("**typed=*")


def test_back_without_a_connection_restores_what_the_controls_show(browser: Browser, server: str):
    with closing(new_context(browser)) as context:
        page = context.new_page()
        stream = Wires(page, STREAM)
        visit(page, f"{server}/?example=lab")
        followed(page)
        examples = page.get_by_role("combobox", name="Worked example")
        stream.is_refused = True
        stream.cut()
        disconnected(page)
        examples.select_option("spread")
        page.wait_for_url("**example=spread*")
        page.go_back()
        page.wait_for_url("**example=lab*")
        stream.is_refused = False
        connected(page)
        expect(examples).to_have_value("lab")


def test_a_number_is_no_default_of_another_example_while_only_the_sidebar_of_its_run_has_come(tab: Page, server: str):
    stream = Wires(tab, STREAM)
    visit(tab, f"{server}/?example=lab")
    followed(tab)
    stream.held = "server"
    tab.get_by_role("combobox", name="Worked example").select_option("spread")
    until(tab, lambda: assert_finished(stream))
    sidebar = next(at for at, (_, message) in enumerate(stream.waiting) if b"cellscope_sidebar" in message)
    stream.let_go(sidebar + 1)
    arrived(tab, "example", "spread")
    number_field(tab, UNITS).fill("3")
    number_field(tab, UNITS).press("Enter")
    tab.wait_for_url("**k=3*")
    stream.let_go()
    followed(tab)
    expect(number_field(tab, UNITS)).to_have_value("3")


def test_the_page_says_so_if_its_websocket_opens_and_ends(tab: Page, server: str):
    tab.route_web_socket(LIVE, lambda socket: socket.on_message(lambda _: socket.close()))
    visit(tab, f"{server}/?{LINK}")
    tab.mouse.move(*on_track(slider(tab, UNITS), 0.1))
    tab.mouse.down()
    tab.mouse.move(*on_track(slider(tab, UNITS), 0.5), steps=3)
    expect(tab.locator(".notice")).not_to_be_empty()
    tab.mouse.up()
    followed(tab)


def test_each_page_opens_on_its_own_example_after_a_page_without_one(tab: Page, server: str):
    visit(tab, f"{server}/")
    for title, path in (("Questions", "questions"), ("LSTM step", "lstm")):
        link_to(tab, title).click()
        tab.wait_for_url(f"{server}/{path}*")
        followed(tab)
        at_rest(tab)
    expect(tab.get_by_role("combobox", name="Worked example")).to_have_value(first_of("lstm"))
