"""The dials: the picture follows while one is dragged, and once it is let go the address says so, in one step."""

import re
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import count
from math import inf
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, WebSocket, WebSocketRoute, expect

from core.cells import rnn
from core.scenario import Scenario
from dashboard.numerals import number
from tests.browser.conftest import new_context, no_trouble
from tests.browser.page import (
    GO,
    drawing,
    drawn,
    followed,
    lead,
    number_field,
    on_track,
    panel,
    point_at,
    slider,
    turn_to,
    unfold,
    until,
    visit,
)
from tests.browser.test_own import go
from tests.live import at_rest

CELL = {"init": "normal", "n": 4, "k": 4, "g": "tanh"}
LINK = "&".join(f"{name}={value}" for name, value in CELL.items())
FROZEN = "compare=example%3Dlab%26n%3D4%26k%3D5%26init%3Dnormal%26g%3Dtanh"
SCALE, UNITS = "Scale of the weights", "k: units"
# From now on, each step of the browser's history and each address that takes another's place.
RECORD = """() => {
  window.written = []
  for (const name of ["pushState", "replaceState"]) {
    const write = history[name]
    history[name] = function (...values) {
      const before = location.href
      write.apply(this, values)
      if (name === "pushState" || location.href !== before) written.push([name, location.href])
    }
  }
}"""


def assert_drawn(page: Page, **changed: object) -> None:
    """The numbers are those of the cell with these choices."""
    scenario = Scenario(**CELL | changed)
    z = rnn.step(*scenario.setup("RNN")).z_t
    assert drawn(page, "Multiply")["z_t"]["printed"] == [number(value, 2) for value in z.ravel()]


def assert_follows(page: Page) -> None:
    """The picture is of where the dial is."""
    assert_drawn(page, k=int(number_field(page, UNITS).input_value()))


def assert_some(messages: list) -> None:
    assert messages


def assert_answered(stream: "Stream") -> None:
    """The server said something, be it not heard yet."""
    assert "server" in stream.said


def assert_says(page: Page, link: str) -> None:
    """The address is that link, in whatever order."""
    assert sorted(urlsplit(page.url).query.split("&")) == sorted(link.split("&"))


def assert_said(page: Page, said: list[bool]) -> None:
    """Which of the addresses that were recorded say the seed."""
    assert ["seed=" in link for _, link in page.evaluate("written")] == said


def top(page: Page) -> float:
    """How far the page is scrolled."""
    return page.get_by_test_id("stMain").evaluate("element => element.scrollTop")


def drag(page: Page, label: str, shares: tuple[float, ...], move: Callable[[float, float], None]) -> None:
    """To each of these shares of the slider's way, where a new picture is waited for."""
    for share in shares:
        before = lead(page).inner_text()
        move(*on_track(slider(page, label), share))
        expect(lead(page)).not_to_have_text(before)


def inspect_the_last(page: Page) -> None:
    """Click the ninth unit; where its row just moved away from under the mouse, once more."""
    drawing(page, "Multiply").click(position=point_at(page, "Multiply", "z_t", row=8))
    expect(page).to_have_url(re.compile(r"[?&]j=9\b"), timeout=5000)


def press(page: Page, label: str, share: float) -> None:
    page.mouse.move(*on_track(slider(page, label), share))
    page.mouse.down()


def by_mouse(page: Page) -> Callable[[float, float], None]:
    return lambda x, y: page.mouse.move(x, y, steps=3)


def test_the_picture_follows_the_mouse_and_the_address_is_written_once_it_lets_go(page: Page, server: str):
    runs: list[object] = []

    def connected(socket: WebSocket) -> None:
        if "/_stcore/" in socket.url:
            socket.on("framesent", lambda frame: runs.append(frame))

    page.on("websocket", connected)
    visit(page, f"{server}/?{LINK}")
    page.evaluate(RECORD)
    page.get_by_test_id("stMain").evaluate("element => element.scrollTo(0, 300)")
    address, scrolled, before = page.url, top(page), len(runs)
    press(page, SCALE, 0.5)
    drag(page, SCALE, (0.7, 0.4), by_mouse(page))
    scale = number_field(page, SCALE).input_value()
    assert page.url == address and len(runs) == before
    page.mouse.up()
    # The next one at once, before the page has answered.
    press(page, UNITS, 0.1)
    drag(page, UNITS, (0.3,), by_mouse(page))
    k = number_field(page, UNITS).input_value()
    assert page.url == f"{address}&scale={scale}"
    page.mouse.up()
    last = f"{address}&scale={scale}".replace("&k=4", f"&k={k}")
    page.wait_for_url(last)
    at_rest(page)
    assert top(page) == scrolled
    until(page, lambda: assert_drawn(page, scale=float(scale), k=int(k)))
    assert page.evaluate("written") == [["replaceState", f"{address}&scale={scale}"], ["replaceState", last]]


class Finger:
    """One that touches a phone."""

    def __init__(self, page: Page):
        self.session = page.context.new_cdp_session(page)

    def touch(self, x: float, y: float) -> None:
        self._dispatch("touchStart", [{"x": x, "y": y}])

    def move(self, x: float, y: float) -> None:
        self._dispatch("touchMove", [{"x": x, "y": y}])

    def lift(self) -> None:
        self._dispatch("touchEnd", [])

    def _dispatch(self, kind: str, points: list[dict[str, float]]) -> None:
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.slow
def test_a_finger_drags_while_another_reader_drags_and_each_has_a_picture_of_ones_own(
    page: Page, server: str, browser: Browser
):
    context = new_context(browser, viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True)
    with closing(context), no_trouble(context, server):
        phone = context.new_page()
        visit(phone, f"{server}/?{LINK}&seed=1")
        visit(page, f"{server}/?{LINK}&seed=2")
        phone.get_by_test_id("stMain").evaluate("element => element.scrollTo(0, 200)")
        scrolled, finger = top(phone), Finger(phone)
        finger.touch(*on_track(slider(phone, UNITS), 0.1))
        press(page, SCALE, 0.5)
        drag(phone, UNITS, (0.7,), finger.move)  # far: what moves a little may still be a tap
        drag(page, SCALE, (0.7,), by_mouse(page))
        k, scale = number_field(phone, UNITS).input_value(), number_field(page, SCALE).input_value()
        assert "seed=1" in phone.url and f"k={k}" not in phone.url and "scale=" not in page.url
        finger.lift()
        page.mouse.up()
        phone.wait_for_url(f"**k={k}&*")
        page.wait_for_url(f"**scale={scale}")
        at_rest(phone)
        at_rest(page)
        assert top(phone) == scrolled
        until(phone, lambda: assert_drawn(phone, k=int(k), seed=1))
        until(page, lambda: assert_drawn(page, scale=float(scale), seed=2))


@pytest.mark.slow
@pytest.mark.parametrize("is_refused", [True, False], ids=["refused", "closed"])
def test_where_the_pictures_of_a_drag_do_not_come_through_the_page_runs_for_it(
    tab: Page, server: str, is_refused: bool
):
    lines: list[WebSocketRoute] = []

    def connected(socket: WebSocketRoute) -> None:
        lines.append(socket)
        if is_refused:
            socket.close()
        else:
            socket.connect_to_server()

    tab.route_web_socket("**/live/*", connected)
    visit(tab, f"{server}/?{LINK}")
    for label, shares in ((SCALE, (0.7, 0.4)), (UNITS, (0.3, 0.6))):
        address = tab.url
        press(tab, label, 0.1)
        drag(tab, label, shares, by_mouse(tab))
        assert tab.url == address
        tab.mouse.up()
        tab.wait_for_url(lambda url: url != address)
        at_rest(tab)
        if not is_refused:
            lines[-1].close()
    scale, k = (number_field(tab, label).input_value() for label in (SCALE, UNITS))
    until(tab, lambda: assert_drawn(tab, scale=float(scale), k=int(k)))
    if is_refused:
        assert len(lines) <= 2
        return
    press(tab, SCALE, 0.2)
    drag(tab, SCALE, (0.4, 0.6), by_mouse(tab))
    tab.mouse.up()


class Lines:
    """By which the pictures of a drag come. One ends with the first message after so many."""

    def __init__(self, page: Page):
        self.most: float = inf
        page.route_web_socket("**/live/*", self._connected)

    def _connected(self, socket: WebSocketRoute) -> None:
        there, number = socket.connect_to_server(), count(1)
        socket.on_message(lambda message: there.send(message) if next(number) <= self.most else socket.close())


class Stream:
    """What the page and the server say to each other; what one of them says can be held back."""

    def __init__(self, page: Page):
        self.held = ""
        self.waiting: list[partial[None]] = []
        self.said: list[str] = []
        page.route_web_socket("**/_stcore/stream", self._connected)

    def _connected(self, socket: WebSocketRoute) -> None:
        there = socket.connect_to_server()
        socket.on_message(lambda message: self._say("browser", partial(there.send, message)))
        there.on_message(lambda message: self._say("server", partial(socket.send, message)))

    def _say(self, who: str, send: partial[None]) -> None:
        self.said.append(who)
        if self.held == who:
            self.waiting.append(send)
        else:
            send()

    def let_go(self) -> None:
        for send in self.waiting:
            send()
        self.held, self.waiting = "", []


@pytest.mark.slow
def test_the_picture_follows_also_where_the_line_of_a_drag_ends_time_and_again(tab: Page, server: str):
    lines = Lines(tab)
    visit(tab, f"{server}/?{LINK}")
    press(tab, UNITS, 0.1)
    for lines.most, share in zip([inf, 0, 0, 1, 2] * 3, [0.3, 0.6, 0.1, 0.5, 0.4] * 3, strict=True):
        tab.mouse.move(*on_track(slider(tab, UNITS), share), steps=1 if lines.most == 0 else 20)
        until(tab, lambda: assert_follows(tab))
    tab.mouse.up()


@pytest.mark.slow
def test_a_picture_that_the_page_drew_late_does_not_stay_in_the_place_of_a_later_one(tab: Page, server: str):
    lines, stream = Lines(tab), Stream(tab)
    visit(tab, f"{server}/?{LINK}")
    press(tab, UNITS, 0.1)
    drag(tab, UNITS, (0.3,), by_mouse(tab))
    until(tab, lambda: assert_follows(tab))
    before, lines.most, stream.held = lead(tab).inner_text(), 0, "browser"
    # The page is asked for two, and for one a new line, whose picture is there between those.
    for there_are, share in enumerate((0.4, 0.5)):
        tab.mouse.move(*on_track(slider(tab, UNITS), share))
        until(tab, lambda there_are=there_are: assert_some(stream.waiting[there_are:]))
    first, second = stream.waiting
    lines.most, stream.held = inf, ""
    first()
    expect(lead(tab)).not_to_have_text(before)
    tab.mouse.move(*on_track(slider(tab, UNITS), 0.2))
    until(tab, lambda: assert_follows(tab))
    stream.said.clear()
    second()
    until(tab, lambda: assert_answered(stream))
    at_rest(tab)
    until(tab, lambda: assert_follows(tab))
    tab.mouse.up()


@pytest.mark.slow
@pytest.mark.parametrize("held", ["browser", "server"])
def test_back_is_where_one_was_also_before_the_server_has_answered_to_a_dial_that_is_let_go(
    tab: Page, server: str, held: str
):
    stream = Stream(tab)
    visit(tab, f"{server}/?{LINK}")
    go(tab, "LSTM step")
    expect(panel(tab, "Three gates")).to_be_visible()
    at_rest(tab)
    stream.held = held
    press(tab, UNITS, 0.1)
    tab.mouse.move(*on_track(slider(tab, UNITS), 0.5), steps=3)
    tab.mouse.up()
    expect(tab).to_have_url(re.compile(r"[?&]k=1\d\b"))
    tab.go_back()
    tab.wait_for_url(f"{server}/?*")
    until(tab, lambda: assert_some(stream.waiting))
    stream.let_go()
    expect(panel(tab, "Join")).to_be_visible()
    until(tab, lambda: assert_drawn(tab))
    until(tab, lambda: assert_says(tab, LINK))
    expect(number_field(tab, UNITS)).to_have_value("4")


@pytest.mark.slow
@pytest.mark.parametrize(
    "choice, said", [("Sizes up to 512", "large=true"), ("Edit numbers", "edit=true"), ("Compare", FROZEN)]
)
def test_what_is_chosen_before_the_server_has_answered_to_a_dial_that_is_let_go_stays_chosen_and_so_does_the_dial(
    tab: Page, server: str, choice: str, said: str
):
    stream, link = Stream(tab), f"{LINK.replace('k=4', 'k=5')}&{said}"
    visit(tab, f"{server}/?{LINK}")
    unfold(tab, "Cell")
    stream.held = "server"
    slider(tab, UNITS).press("ArrowRight")
    tab.wait_for_url("**k=5*")
    until(tab, lambda: assert_some([send for send in stream.waiting if b"k=5" in send.args[0]]))
    stream.said.clear()
    tab.get_by_text(choice).first.click()
    until(tab, lambda: assert_answered(stream))
    stream.let_go()
    followed(tab, "k=5")
    until(tab, lambda: assert_says(tab, link))
    at_rest(tab)
    assert_says(tab, link)
    expect(number_field(tab, UNITS)).to_have_value("5")


@pytest.mark.slow
def test_what_is_said_above_the_picture_comes_and_goes_while_a_dial_is_dragged(page: Page, server: str):
    visit(page, f"{server}/sequence?{LINK}&cell=RNN")
    remark = page.locator(".remarks p")
    expect(remark).to_have_count(0)
    press(page, UNITS, 0.1)
    for share in (0.5, 0.8):
        page.mouse.move(*on_track(slider(page, UNITS), share), steps=3)
        k = number_field(page, UNITS).input_value()
        expect(remark).to_contain_text(f"k = {k} but n = 4")
    page.mouse.up()
    page.wait_for_url(f"**k={k}*")
    at_rest(page)
    expect(remark).to_contain_text(f"k = {k} but n = 4")
    number_field(page, UNITS).fill("4")
    expect(remark).to_have_count(0)


@pytest.mark.slow
def test_a_dial_that_comes_back_to_its_start_is_let_go_and_a_page_without_dials_is_as_it_was(page: Page, server: str):
    visit(page, f"{server}/?{LINK}")
    press(page, "Seed", 0)
    drag(page, "Seed", (0.5, 0), by_mouse(page))
    page.mouse.up()
    turn_to(page, f"?{LINK}", seed=5)
    until(page, lambda: assert_drawn(page, seed=5))
    room = page.get_by_test_id("stMainBlockContainer")
    expect(room).to_have_css("padding-top", "40px")
    page.get_by_role("link", name="Worked examples").click()
    expect(room).not_to_have_css("padding-top", "40px")


@pytest.mark.slow
def test_a_run_that_draws_what_the_run_before_it_drew_brings_back_dial_and_picture(page: Page, server: str):
    """Such as that of a button, which cuts short the run of a dial that was let go just before."""
    visit(page, f"{server}/?{LINK}")
    slider(page, UNITS).press("ArrowRight")
    page.evaluate(GO, f"/?{LINK}&j=1")
    expect(number_field(page, UNITS)).to_have_value("4")
    until(page, lambda: assert_drawn(page, k=4))


@pytest.mark.slow
def test_a_link_to_a_place_on_the_page_leaves_what_was_typed(page: Page, server: str):
    visit(page, f"{server}/?{LINK}")
    number_field(page, "Seed").fill("5")
    number_field(page, "Seed").press("Enter")
    page.evaluate("location.hash = '#hidden-state'")
    page.wait_for_url("**seed=5*#hidden-state")
    until(page, lambda: assert_drawn(page, seed=5))


@pytest.mark.slow
def test_a_button_that_is_clicked_while_a_number_is_typed_comes_after_it(page: Page, server: str):
    visit(page, f"{server}/lstm?example=carousel")
    page.evaluate(RECORD)
    number_field(page, "Seed").fill("5")
    page.get_by_role("button", name="Restart").click(delay=100)  # as long as a mouse button is down
    until(page, lambda: assert_said(page, [True, False]))
    expect(number_field(page, "Seed")).to_have_value("0")


@pytest.mark.slow
def test_a_connection_that_is_lost_in_mid_drag_ends_at_the_last_value(shared: Page, server: str):
    page, connections, is_lost = shared.context.new_page(), [], False

    def connected(socket: WebSocketRoute) -> None:
        if is_lost:
            return socket.close()
        socket.connect_to_server()
        connections.append(socket)

    for path in ("_stcore/stream", "live/*"):
        page.route_web_socket(f"**/{path}", connected)
    visit(page, f"{server}/?{LINK}")
    restart = page.get_by_role("button", name="Restart")
    for label, share in ((SCALE, 0.6), (UNITS, 0.3)):
        press(page, label, 0.1)
        drag(page, label, (0.2,), by_mouse(page))
        at_rest(page)  # for what becomes of a run that is cut short by it is Streamlit's
        is_lost = True
        while connections:
            connections.pop().close()
        expect(restart).to_be_disabled()
        page.mouse.move(*on_track(slider(page, label), share))
        if label == SCALE:  # let go before it is there again, and the other one after it
            page.mouse.up()
        is_lost = False
        expect(restart).to_be_enabled()
        page.mouse.up()
    scale, k = number_field(page, SCALE).input_value(), number_field(page, UNITS).input_value()
    page.wait_for_url(f"**k={k}*")
    assert f"scale={scale}" in page.url
    until(page, lambda: assert_drawn(page, scale=float(scale), k=int(k)))
    page.close()


@pytest.mark.slow
def test_a_number_is_typed_keys_move_a_dial_and_back_and_forward_bring_what_it_said(page: Page, server: str):
    visit(page, f"{server}/?{LINK}")
    page.evaluate(RECORD)
    for label, typed, taken, said in (
        ("Seed", "99999999999", "2147483647", "seed=2147483647"),
        ("Seed", "-5", "0", ""),
        (UNITS, "4.6", "5", "k=5"),
        (UNITS, "", "5", "k=5"),
        (SCALE, "0.1234", "0.12", "scale=0.12"),
    ):
        number_field(page, label).fill(typed)
        number_field(page, label).press("Enter")
        expect(number_field(page, label)).to_have_value(taken)
        page.wait_for_url(lambda url: said in url and (said or "seed=" not in url))
    for key, said in (("ArrowRight", 6), ("End", 32), ("PageDown", 29), ("Home", 1)):
        slider(page, UNITS).press(key)
        expect(number_field(page, UNITS)).to_have_value(f"{said}")
        page.wait_for_url(f"**k={said}&*")
    slider(page, UNITS).press("PageUp")
    page.wait_for_url("**k=4&*")
    at_rest(page)
    assert {kind for kind, _ in page.evaluate("written")} == {"replaceState"}
    until(page, lambda: assert_drawn(page, k=4, scale=0.12))

    # A unit that there was not before is clicked at once, while the number is still being typed.
    number_field(page, UNITS).fill("9")
    until(page, lambda: assert_drawn(page, k=9, scale=0.12))
    until(page, lambda: inspect_the_last(page))
    page.wait_for_url("**k=9&*")
    expect(panel(page, "Unit 9 by hand")).to_be_visible()
    followed(page, "k=9")

    go(page, "LSTM step")
    expect(panel(page, "Three gates")).to_be_visible()
    at_rest(page)
    number_field(page, UNITS).fill("6")
    number_field(page, UNITS).press("Enter")
    page.wait_for_url("**k=6&*")
    followed(page, "k=6")
    page.go_back()
    expect(number_field(page, UNITS)).to_have_value("9")
    until(page, lambda: assert_drawn(page, k=9, scale=0.12))
    followed(page, "k=9")
    page.go_forward()
    page.wait_for_url("**/lstm*")
    expect(slider(page, UNITS)).to_have_value("6")
    expect(number_field(page, SCALE)).to_have_value("0.12")


def test_a_link_takes_a_number_along_that_is_still_typed_and_closed_groups_keep_theirs(page: Page, server: str):
    visit(page, f"{server}/?{LINK}&decimals=3")
    number_field(page, UNITS).fill("6")
    go(page, "LSTM step")
    expect(number_field(page, UNITS)).to_have_value("6")
    page.wait_for_url(lambda url: "/lstm" in url and "k=6" in url and "decimals=3" in url)
    before = lead(page).inner_text()
    slider(page, SCALE).press("ArrowRight")
    expect(lead(page)).not_to_have_text(before)
    followed(page, "scale=1.1")
    assert "decimals=3" in page.url and re.search(r"\d\.\d{3}\b", lead(page).inner_text())
    for title in ("Gradients", "Hidden state"):
        go(page, title)
        followed(page, "scale=1.1")
        assert "decimals=3" in page.url and "init=normal" in page.url
    page.go_back()
    page.wait_for_url("**/gradients?*decimals=3*")
