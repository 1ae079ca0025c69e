"""The dials: the picture follows while one is dragged, and once it is let go the address says so, in one step."""

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core.cells import rnn
from core.examples import EXAMPLES
from core.scenario import Scenario
from dashboard.state.parameters import PARAMETERS
from dashboard.text import sidebar, words
from tests.browser.conftest import new_context, no_trouble
from tests.browser.page import (
    GO,
    NEVER_ASKED_AGAIN,
    NEVER_AT_REST,
    arrived,
    connected,
    disconnected,
    drawing,
    drawn,
    followed,
    lead,
    link_to,
    number_field,
    on_track,
    panel,
    point_at,
    sentence,
    slider,
    turn_to,
    unfold,
    until,
    visit,
)
from tests.browser.test_custom_values import go
from tests.browser.wires import LIVE, STREAM, Wires
from tests.live import DASHBOARD, at_rest, free_port, running

CELL = {"init": "normal", "n": 4, "k": 4, "g": "tanh"}
LINK = "&".join(f"{name}={value}" for name, value in CELL.items())
FROZEN = "compare=example%3Dlab%26n%3D4%26k%3D5%26init%3Dnormal%26g%3Dtanh"
SCALE, UNITS = "Weight scale", "k: hidden units"
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
    """The numbers are those of the cell with these choices, rounded as much as their entries are small."""
    scenario = Scenario(**CELL | changed)
    z = rnn.step(*scenario.step_arguments("RNN")).z_t.ravel().tolist()
    printed = [float(text.replace("−", "-")) for text in drawn(page, "Multiply")["z_t"]["printed"]]
    assert printed == pytest.approx(z, abs=0.0051)


def assert_here(page: Page) -> None:
    """The numbers are those of where the sliders are."""
    scale, k, seed = (float(number_field(page, label).input_value()) for label in (SCALE, UNITS, "Seed"))
    assert_drawn(page, scale=scale, k=int(k), seed=int(seed))


def assert_some(messages: Sequence) -> None:
    assert messages


def asked_runs(stream: Wires) -> int:
    """How many runs of the page the browser has asked for."""
    said = (BackMsg.FromString(message) for who, message in stream.said if who == "browser")
    return sum(message.HasField("rerun_script") for message in said)


def is_of(message: bytes, name: str, text: str) -> bool:
    """Whether a message of the server has been made for a URL with this parameter."""
    return f'["{name}","{text}"]'.encode() in message.replace(b" ", b"")


def assert_answered(stream: Wires) -> None:
    """The server said something, be it not heard yet."""
    assert any(who == "server" for who, _ in stream.said)


def assert_says(page: Page, link: str) -> None:
    """The address is that link, in whatever order."""
    assert parsed(urlsplit(page.url).query) == parsed(link)


def parsed(query: str) -> list[tuple[str, object]]:
    """The parameters of a query, and those of what it compares with, in alphabetical order."""
    pairs = sorted(parse_qsl(query))
    return [(name, parsed(text) if name == "compare" else text) for name, text in pairs]


def assert_moved(page: Page) -> None:
    assert number_field(page, "Seed").input_value() != "0"


def assert_said(page: Page, said: list[bool]) -> None:
    """Which of the addresses that were recorded say the seed."""
    assert ["seed=" in link for _, link in page.evaluate("written")] == said


def top(page: Page) -> float:
    """How far the page is scrolled."""
    return page.get_by_test_id("stMain").evaluate("element => element.scrollTop")


def drag(page: Page, label: str, shares: tuple[float, ...], move: Callable[[float, float], None]) -> None:
    """To each of these shares of the slider's way, where its picture is waited for."""
    for share in shares:
        move(*on_track(slider(page, label), share))
        until(page, lambda: assert_here(page))


def inspect_the_last(page: Page) -> None:
    """Click the ninth unit; where its row just moved away from under the mouse, once more."""
    drawing(page, "Multiply").click(position=point_at(page, "Multiply", "z_t", row=8))
    expect(page).to_have_url(re.compile(r"[?&]j=9\b"), timeout=5000)


def press(page: Page, label: str, share: float) -> None:
    page.mouse.move(*on_track(slider(page, label), share))
    page.mouse.down()


def by_mouse(page: Page) -> Callable[[float, float], None]:
    return lambda x, y: page.mouse.move(x, y, steps=3)


def test_the_picture_follows_the_mouse_and_each_release_writes_the_url_once_and_asks_for_one_run(
    tab: Page, server: str
):
    stream = Wires(tab, STREAM)
    tab.add_init_script(NEVER_ASKED_AGAIN)
    visit(tab, f"{server}/?{LINK}")
    tab.evaluate(RECORD)
    tab.get_by_test_id("stMain").evaluate("element => element.scrollTo(0, 300)")
    address, before = tab.url, asked_runs(stream)
    press(tab, SCALE, 0.5)
    drag(tab, SCALE, (0.7, 0.4), by_mouse(tab))
    scale = number_field(tab, SCALE).input_value()
    assert tab.url == address and asked_runs(stream) == before
    tab.mouse.up()
    # The next one at once, before the page has answered.
    press(tab, UNITS, 0.1)
    drag(tab, UNITS, (0.3,), by_mouse(tab))
    k = number_field(tab, UNITS).input_value()
    assert tab.url == f"{address}&scale={scale}"
    scrolled = top(tab)
    assert scrolled > 0
    tab.mouse.up()
    last = f"{address}&scale={scale}".replace("&k=4", f"&k={k}")
    tab.wait_for_url(last)
    followed(tab)
    assert top(tab) == scrolled
    until(tab, lambda: assert_drawn(tab, scale=float(scale), k=int(k)))
    assert tab.evaluate("written") == [["replaceState", f"{address}&scale={scale}"], ["replaceState", last]]
    assert asked_runs(stream) == before + 2


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
        phone.locator(".st-key-dials summary").tap()  # on a phone the sliders take one row that opens
        phone.get_by_test_id("stMain").evaluate("element => element.scrollTo(0, 200)")
        finger = Finger(phone)
        finger.touch(*on_track(slider(phone, UNITS), 0.1))
        press(page, SCALE, 0.5)
        drag(phone, UNITS, (0.7,), finger.move)  # far: what moves a little may still be a tap
        drag(page, SCALE, (0.7,), by_mouse(page))
        scrolled = top(phone)
        k, scale = number_field(phone, UNITS).input_value(), number_field(page, SCALE).input_value()
        assert "seed=1" in phone.url and f"k={k}" not in phone.url and "scale=" not in page.url
        finger.lift()
        page.mouse.up()
        phone.wait_for_url(f"**k={k}&*")
        page.wait_for_url(f"**scale={scale}")
        followed(phone)
        followed(page)
        assert top(phone) == scrolled
        until(phone, lambda: assert_drawn(phone, k=int(k), seed=1))
        until(page, lambda: assert_drawn(page, scale=float(scale), seed=2))


@pytest.mark.slow
def test_a_slider_that_a_new_page_draws_again_during_a_drag_keeps_the_value_and_its_release_writes_the_url(
    browser: Browser, server: str
):
    context = new_context(browser, has_touch=True)
    with closing(context), no_trouble(context, server):
        page = context.new_page()
        stream = Wires(page, STREAM)
        visit(page, f"{server}/lstm?{LINK}")
        slider(page, "Seed").evaluate("slider => { window.before = slider }")
        stream.held = "server"
        link_to(page, "Hidden state").click()
        page.wait_for_url(f"{server}/?*")
        finger = Finger(page)
        finger.touch(*on_track(slider(page, "Seed"), 0.1))
        finger.move(*on_track(slider(page, "Seed"), 0.4))
        until(page, lambda: assert_moved(page))
        seed = number_field(page, "Seed").input_value()
        stream.let_go()
        page.wait_for_function("() => !before.isConnected")
        followed(page)
        expect(number_field(page, "Seed")).to_have_value(seed)
        until(page, lambda: assert_drawn(page, seed=int(seed)))
        assert_says(page, LINK)
        finger.lift()
        followed(page)
        until(page, lambda: assert_says(page, f"{LINK}&seed={seed}"))
        assert_here(page)


@pytest.mark.slow
def test_a_run_of_an_earlier_value_moves_no_slider_and_leaves_no_picture_of_its_own(tab: Page, server: str):
    stream = Wires(tab, STREAM)
    visit(tab, f"{server}/?{LINK}")
    stream.held = "server"
    slider(tab, UNITS).press("ArrowRight")
    tab.wait_for_url("**k=5&*")
    until(tab, lambda: assert_some([one for _, one in stream.waiting if is_of(one, "k", "5")]))
    until(
        tab,
        lambda: assert_some(
            [one for _, one in stream.waiting if ForwardMsg.FromString(one).HasField("script_finished")]
        ),
    )
    earlier = len(stream.waiting)
    slider(tab, UNITS).press("PageUp")
    expect(number_field(tab, UNITS)).to_have_value("8")
    tab.wait_for_url("**k=8&*")
    stream.let_go(earlier)
    arrived(tab, "k", "5")  # the earlier run
    expect(number_field(tab, UNITS)).to_have_value("8")
    until(tab, lambda: assert_drawn(tab, k=8))
    stream.let_go()
    followed(tab)
    expect(number_field(tab, UNITS)).to_have_value("8")
    until(tab, lambda: assert_drawn(tab, k=8))


@pytest.mark.slow
def test_the_picture_follows_also_if_its_line_ends_time_and_again(tab: Page, server: str):
    lines, stream = Wires(tab, LIVE), Wires(tab, STREAM)
    tab.add_init_script(NEVER_ASKED_AGAIN)
    visit(tab, f"{server}/?{LINK}")
    before = asked_runs(stream)
    press(tab, UNITS, 0.1)
    for share, is_answer_lost in zip((0.3, 0.6, 0.2, 0.5, 0.4), (False, True, True, False, True), strict=True):
        lines.held = "server" if is_answer_lost else ""
        tab.mouse.move(*on_track(slider(tab, UNITS), share), steps=3)
        if is_answer_lost:
            until(tab, lambda: assert_some(lines.waiting))
        lines.held = ""
        lines.waiting.clear()
        lines.cut()
        until(tab, lambda: assert_here(tab))
    assert lines.opened > 3 and asked_runs(stream) == before
    tab.mouse.up()
    k = number_field(tab, UNITS).input_value()
    followed(tab)
    until(tab, lambda: assert_drawn(tab, k=int(k)))


@pytest.mark.slow
@pytest.mark.parametrize("place", ["", "#concatenation"])
def test_without_a_line_the_page_follows_on_release_and_says_so_until_there_is_one(tab: Page, server: str, place: str):
    lines, stream = Wires(tab, LIVE), Wires(tab, STREAM)
    lines.is_refused = True
    tab.add_init_script(NEVER_ASKED_AGAIN)
    visit(tab, f"{server}/?{LINK}{place}")
    note, before = tab.locator(".notice"), asked_runs(stream)
    expect(note).to_be_empty()
    press(tab, UNITS, 0.1)
    tab.mouse.move(*on_track(slider(tab, UNITS), 0.5), steps=3)
    expect(note).not_to_be_empty()
    assert asked_runs(stream) == before + 1
    assert_drawn(tab, k=4)
    tab.mouse.up()
    k = number_field(tab, UNITS).input_value()
    tab.wait_for_url(f"**k={k}&*{place}")
    until(tab, lambda: assert_drawn(tab, k=int(k)))
    followed(tab)
    assert asked_runs(stream) == before + 2
    lines.is_refused = False
    press(tab, UNITS, 0.2)
    drag(tab, UNITS, (0.3, 0.6), by_mouse(tab))
    expect(note).to_be_empty()
    tab.mouse.up()


@pytest.mark.slow
@pytest.mark.parametrize("is_held", [True, False], ids=["held on", "released meanwhile"])
def test_a_server_that_is_started_anew_in_mid_drag_ends_at_the_last_value(browser: Browser, is_held: bool):
    port = free_port()
    with closing(new_context(browser)) as context:
        with running(DASHBOARD, port) as server:
            page = context.new_page()
            visit(page, f"{server.url}/?{LINK}")
            press(page, UNITS, 0.1)
            drag(page, UNITS, (0.3,), by_mouse(page))
            server.process.kill()
            disconnected(page)
            page.mouse.move(*on_track(slider(page, UNITS), 0.6), steps=3)
            if not is_held:
                page.mouse.up()
        with running(DASHBOARD, port):
            until(page, lambda: assert_here(page))
            if is_held:
                drag(page, UNITS, (0.4,), by_mouse(page))
                page.mouse.up()
            k = number_field(page, UNITS).input_value()
            followed(page)
            until(page, lambda: assert_drawn(page, k=int(k)))
            assert f"k={k}&" in page.url


@pytest.mark.slow
def test_the_picture_follows_also_while_the_output_is_to_be_predicted_and_hides_it(tab: Page, server: str):
    visit(tab, f"{server}/?{LINK}&predict=true")
    press(tab, SCALE, 0.5)
    drag(tab, SCALE, (0.7, 0.4), by_mouse(tab))
    expect(panel(tab, "Activate")).to_have_count(0)
    tab.mouse.up()


@pytest.mark.slow
def test_the_last_choice_that_is_taken_back_leaves_the_lab_also_where_the_bare_path_means_another_example(
    tab: Page, server: str
):
    visit(tab, f"{server}/lstm?k=9")
    number_field(tab, UNITS).fill(f"{EXAMPLES['lab'].scenario.k}")
    number_field(tab, UNITS).press("Enter")
    tab.wait_for_url("**/lstm?example=lab")
    expect(link_to(tab, "LSTM step")).not_to_have_attribute("href", re.compile("k=9"))
    at_rest(tab)
    assert_says(tab, "example=lab")


@pytest.mark.slow
@pytest.mark.parametrize("held", ["browser", "server"])
def test_a_link_to_a_page_takes_along_what_was_released_before_the_server_has_answered(
    tab: Page, server: str, held: str
):
    stream = Wires(tab, STREAM)
    visit(tab, f"{server}/?{LINK}")
    stream.held = held
    slider(tab, UNITS).press("ArrowRight")
    tab.wait_for_url("**k=5&*")
    link_to(tab, "LSTM step").click()
    stream.let_go()
    tab.wait_for_url("**/lstm?*k=5*")
    expect(panel(tab, "Three gates")).to_be_visible()
    followed(tab)
    expect(number_field(tab, UNITS)).to_have_value("5")
    assert_says(tab, LINK.replace("k=4", "k=5"))


@pytest.mark.slow
def test_a_number_that_is_being_typed_is_kept_when_fields_before_it_leave_the_page(tab: Page, server: str):
    stream = Wires(tab, STREAM)
    visit(tab, f"{server}/?init=fill&b=0")
    stream.held = "server"
    tab.get_by_role("combobox", name="Initialization").select_option("normal")
    number_field(tab, "Bias").fill("2")
    stream.let_go()
    expect(number_field(tab, "Wₕₕ")).to_have_count(0)
    expect(number_field(tab, "Bias")).to_be_focused()
    tab.get_by_role("heading", level=1).click()
    tab.wait_for_url("**b=2*")


@pytest.mark.slow
@pytest.mark.parametrize("held", ["browser", "server"])
def test_back_is_where_one_was_also_before_the_server_has_answered_to_a_dial_that_is_let_go(
    tab: Page, server: str, held: str
):
    stream = Wires(tab, STREAM)
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
    expect(panel(tab, "Concatenation")).to_be_visible()
    until(tab, lambda: assert_drawn(tab))
    until(tab, lambda: assert_says(tab, LINK))
    followed(tab)
    expect(number_field(tab, UNITS)).to_have_value("4")


@pytest.mark.slow
@pytest.mark.parametrize(
    "choice, said", [(PARAMETERS["large"].label, "large=true"), ("Edit values", "edit=true"), ("Compare", FROZEN)]
)
def test_what_is_chosen_before_the_server_has_answered_to_a_dial_that_is_let_go_stays_chosen_and_so_does_the_dial(
    tab: Page, server: str, choice: str, said: str
):
    stream, link = Wires(tab, STREAM), f"{LINK.replace('k=4', 'k=5')}&{said}"
    visit(tab, f"{server}/?{LINK}")
    unfold(tab, "Cell")
    stream.held = "server"
    slider(tab, UNITS).press("ArrowRight")
    tab.wait_for_url("**k=5*")
    until(tab, lambda: assert_some([one for _, one in stream.waiting if is_of(one, "k", "5")]))
    stream.said.clear()
    tab.get_by_text(choice).first.click()
    until(tab, lambda: assert_answered(stream))
    stream.let_go()
    followed(tab)
    until(tab, lambda: assert_says(tab, link))
    at_rest(tab)
    assert_says(tab, link)
    expect(number_field(tab, UNITS)).to_have_value("5")


def test_a_slider_that_a_run_makes_longer_stands_at_the_number_that_was_typed(tab: Page, server: str):
    tab.add_init_script(NEVER_AT_REST)
    visit(tab, f"{server}/sequence?example=letters")  # five letters
    field, dial = number_field(tab, "t: step shown"), slider(tab, "t: step shown")
    expect(dial).to_have_attribute("max", "5")
    field.fill("12")
    field.press("Enter")
    expect(dial).to_have_attribute("max", "512")
    expect(dial).to_have_value("12")


@pytest.mark.slow
def test_a_number_typed_before_the_run_for_a_chosen_example_is_not_taken_for_its_default(tab: Page, server: str):
    stream = Wires(tab, STREAM)
    visit(tab, f"{server}/?example=lab")
    stream.held = "server"
    tab.get_by_role("combobox", name="Worked example").select_option("spread")
    assert EXAMPLES["lab"].scenario.k == 3 != EXAMPLES["spread"].scenario.k
    number_field(tab, UNITS).fill("3")
    number_field(tab, UNITS).press("Enter")
    assert_says(tab, "example=spread&k=3")
    stream.let_go()
    followed(tab)
    expect(number_field(tab, UNITS)).to_have_value("3")


@pytest.mark.slow
def test_what_is_said_above_the_picture_comes_and_goes_while_a_dial_is_dragged(page: Page, server: str):
    visit(page, f"{server}/sequence?{LINK}&cell=RNN")
    remark = page.locator(".remarks p")
    expect(remark).to_have_count(0)
    press(page, UNITS, 0.1)
    for share in (0.5, 0.8):
        page.mouse.move(*on_track(slider(page, UNITS), share), steps=3)
        k = number_field(page, UNITS).input_value()
        expect(remark).to_contain_text(sentence(words.RECURS, k=k, n=4))
    page.mouse.up()
    page.wait_for_url(f"**k={k}*")
    at_rest(page)
    expect(remark).to_contain_text(sentence(words.RECURS, k=k, n=4))
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
    sticky = page.locator(".st-key-dials")
    expect(sticky).to_have_count(1)
    page.get_by_role("link", name="Worked examples").click()
    expect(page.get_by_role("heading", name="Worked examples", exact=True, level=1)).to_be_visible()
    expect(sticky).to_have_count(0)


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
    page.get_by_role("button", name=sidebar.RESTART).click(delay=100)  # as long as a mouse button is down
    until(page, lambda: assert_said(page, [True, False]))
    expect(number_field(page, "Seed")).to_have_value("0")


@pytest.mark.slow
def test_a_connection_that_is_lost_in_mid_drag_ends_at_the_last_value(shared: Page, server: str):
    page, connections, is_lost = shared.context.new_page(), [], False

    def connect(socket: WebSocketRoute) -> None:
        if is_lost:
            return socket.close()
        socket.connect_to_server()
        connections.append(socket)

    for path in ("_stcore/stream", "live/*"):
        page.route_web_socket(f"**/{path}", connect)
    visit(page, f"{server}/?{LINK}")
    for label, share in ((SCALE, 0.6), (UNITS, 0.3)):
        press(page, label, 0.1)
        drag(page, label, (0.2,), by_mouse(page))
        at_rest(page)  # for what becomes of a run that is cut short by it is Streamlit's
        is_lost = True
        while connections:
            connections.pop().close()
        disconnected(page)
        page.mouse.move(*on_track(slider(page, label), share))
        if label == SCALE:  # let go before it is there again, and the other one after it
            page.mouse.up()
        is_lost = False
        connected(page)
        page.mouse.up()
    scale, k = number_field(page, SCALE).input_value(), number_field(page, UNITS).input_value()
    page.wait_for_url(f"**k={k}*")
    assert f"scale={scale}" in page.url
    until(page, lambda: assert_drawn(page, scale=float(scale), k=int(k)))
    page.close()


@pytest.mark.slow
def test_an_emptied_field_shows_its_last_value_also_before_the_run_for_it_has_come(tab: Page, server: str):
    stream = Wires(tab, STREAM)
    visit(tab, f"{server}/?{LINK}")
    stream.held = "server"
    field = number_field(tab, UNITS)
    for typed in ("5", ""):
        field.fill(typed)
        field.press("Enter")
        expect(field).to_have_value("5")
        tab.wait_for_url("**k=5&*")
    stream.let_go()
    until(tab, lambda: assert_says(tab, LINK.replace("k=4", "k=5")))
    expect(field).to_have_value("5")


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "taken"), [("999", "512"), ("6.6", "7")])
def test_enter_writes_the_corrected_number_alone(tab: Page, server: str, typed: str, taken: str):
    stream = Wires(tab, STREAM)
    tab.add_init_script(NEVER_ASKED_AGAIN)
    visit(tab, f"{server}/?{LINK}")
    followed(tab)
    tab.evaluate(RECORD)
    before = asked_runs(stream)
    number_field(tab, UNITS).select_text()
    tab.keyboard.type(typed)
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"**k={taken}&*")
    followed(tab)
    slider(tab, "Seed").press("ArrowRight")
    tab.wait_for_url("**seed=1*")
    followed(tab)
    assert [dict(parse_qsl(urlsplit(link).query))["k"] for _, link in tab.evaluate("written")] == [taken, taken]
    assert asked_runs(stream) == before + 2


@pytest.mark.slow
def test_keys_move_a_slider_after_the_menu_of_its_secondary_button(tab: Page, server: str):
    visit(tab, f"{server}/?{LINK}")
    tab.mouse.move(*on_track(slider(tab, UNITS), 0.5))
    tab.mouse.down(button="right")  # a menu may swallow its release
    slider(tab, UNITS).focus()
    tab.keyboard.press("ArrowRight")
    tab.wait_for_url("**k=5&*")
    until(tab, lambda: assert_drawn(tab, k=5))


@pytest.mark.slow
def test_a_repeated_parameter_counts_as_missing_in_a_drag_as_in_a_run(tab: Page, server: str):
    visit(tab, f"{server}/?{LINK}&k=6")
    until(tab, lambda: assert_here(tab))
    assert number_field(tab, UNITS).input_value() not in ("4", "6")
    press(tab, SCALE, 0.5)
    drag(tab, SCALE, (0.7, 0.4), by_mouse(tab))
    tab.mouse.up()


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
    followed(page)

    go(page, "LSTM step")
    expect(panel(page, "Three gates")).to_be_visible()
    at_rest(page)
    number_field(page, UNITS).fill("6")
    number_field(page, UNITS).press("Enter")
    page.wait_for_url("**k=6&*")
    followed(page)
    page.go_back()
    page.wait_for_url(f"{server}/?*")
    followed(page)  # until then both pages may be there
    expect(number_field(page, UNITS)).to_have_value("9")
    until(page, lambda: assert_drawn(page, k=9, scale=0.12))
    page.go_forward()
    page.wait_for_url("**/lstm*")
    followed(page)
    expect(slider(page, UNITS)).to_have_value("6")
    expect(number_field(page, SCALE)).to_have_value("0.12")


def test_a_link_takes_a_number_along_that_is_still_typed_and_closed_groups_keep_theirs(page: Page, server: str):
    visit(page, f"{server}/?{LINK}&decimals=3")
    number_field(page, UNITS).fill("6")
    go(page, "LSTM step")
    page.wait_for_url(lambda url: "/lstm" in url and "k=6" in url and "decimals=3" in url)
    followed(page)
    expect(number_field(page, UNITS)).to_have_value("6")
    before = lead(page).inner_text()
    slider(page, SCALE).press("ArrowRight")
    expect(lead(page)).not_to_have_text(before)
    followed(page)
    assert "decimals=3" in page.url and re.search(r"\d\.\d{3}\b", lead(page).inner_text())
    for title in ("Gradients", "Hidden state"):
        go(page, title)
        followed(page)
        assert "decimals=3" in page.url and "init=normal" in page.url
    page.go_back()
    page.wait_for_url("**/gradients?*decimals=3*")
