"""Practice by the keyboard: Enter checks, the verdict is in sight beside the field, and Enter goes on."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from core.practice import exercise
from core.practice.exercise_number_format import key_text
from dashboard.text import practice
from tests.browser.page import box_of, followed, in_sight, visit


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_enter_checks_in_sight_and_goes_on_with_the_focus_in_the_empty_field(page: Page, server: str, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(page, f"{server}/practice?kind=z&number=1")
    field, verdict = page.get_by_role("textbox", name="Your answer"), page.get_by_test_id("stAlert")
    field.fill("123456")
    field.press("Enter")
    expect(verdict).to_contain_text(practice.UNKNOWN_AT_ONCE)
    assert in_sight(page, verdict)
    field.fill(f"{exercise('z', 1, 1).answer:g}")
    field.press("Enter")
    expect(verdict).to_contain_text("Right")
    assert in_sight(page, verdict)
    followed(page)
    page.keyboard.press("Enter")
    expect(field).to_have_value("")
    page.wait_for_url("**number=2**")
    followed(page)
    expect(field).to_be_focused()
    page.keyboard.type("77")
    expect(field).to_have_value("77")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "view"), [((1280, 720), "page"), ((1440, 900), "page"), ((1280, 720), "projector")])
@pytest.mark.parametrize("kind", ["value", "lstm-c", "lstm-h", "gru-z", "gru-h"])
def test_the_diagram_of_the_cell_is_whole_on_the_first_screen_beside_the_given_numbers(
    page: Page, server: str, kind: str, size, view: str
):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(page, f"{server}/practice?kind={kind}&level=3&view={view}")
    drawing = page.locator(".drawing")
    box = box_of(drawing.locator("canvas").first)
    assert box["y"] + box["height"] <= size[1] and in_sight(page, page.get_by_role("textbox", name="Your answer"))
    drawn = drawing.evaluate("drawing => drawing.blocks.map(({ x, y, width, height }) => [x + width, y + height])")
    assert max(right for right, _ in drawn) <= box["width"]
    assert max(bottom for _, bottom in drawn) <= box["height"]


@pytest.mark.slow
def test_a_mistake_and_what_was_meant_stand_side_by_side_in_sight(page: Page, server: str):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/practice?kind=lstm-h&level=2")
    field = page.get_by_role("textbox", name="Your answer")
    one = exercise("lstm-h", 2, 1)
    field.fill(f"{one.mistakes['forget_complement']:.4f}")
    field.press("Enter")
    lines = page.get_by_role("application", name=practice.LINES_ALT)
    lines.wait_for()
    followed(page)
    assert in_sight(page, lines.locator("canvas").first)
    assert lines.evaluate("lines => lines.blocks.length") == 10
    tops = lines.evaluate("lines => new Set(lines.blocks.map(({ y }) => y)).size")
    assert tops == 1
    # The words on the outlines stand below the given numbers, and not below the diagram.
    note, given = page.locator(".note:not(:empty)"), page.get_by_role("application", name=practice.GIVEN_IN_DIAGRAM_ALT)
    expect(note).to_have_text(f"{practice.OUTLINED_NEEDED} {practice.FRAMES.format(entry=one.asked.row + 1)}")
    assert box_of(note)["y"] + box_of(note)["height"] < box_of(given)["y"] + box_of(given)["height"]


@pytest.mark.slow
def test_the_field_of_the_secret_word_opens_in_the_window(page: Page, server: str):
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{server}/practice?test=5&level=1")
    page.get_by_role("button", name=practice.WITH_SALT).click()
    field = page.get_by_role("textbox", name=practice.SALT)
    field.fill("tulip")
    field.press("Enter")
    expect(field).to_have_value("tulip")
    assert in_sight(page, field)


@pytest.mark.slow
def test_the_result_of_a_test_starts_at_its_top(page: Page, server: str):
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{server}/practice?test=5&level=2")
    page.get_by_role("textbox", name="Answer to 10").fill("1")
    page.get_by_role("button", name=practice.FINISH).click()
    page.wait_for_url("**answers**")
    expect(page.get_by_text("Your answer:")).to_have_count(10)
    followed(page)
    assert in_sight(page, page.get_by_role("heading", name="of 10 right"))


@pytest.mark.slow
def test_enter_in_a_field_of_a_test_does_not_end_it(page: Page, server: str):
    visit(page, f"{server}/practice?test=5&level=1")
    first = page.get_by_role("textbox", name="Answer to 1", exact=True)
    first.fill("1")
    first.press("Enter")
    page.get_by_role("textbox", name="Answer to 2", exact=True).fill("2")
    followed(page)
    assert "answers" not in page.url
    page.get_by_role("button", name=practice.FINISH).click()
    page.wait_for_url("**answers=1~2~**")


@pytest.mark.slow
def test_answers_that_are_not_checked_yet_survive_a_reload_and_a_way_back(page: Page, server: str):
    visit(page, f"{server}/practice?test=5&level=1")
    fields = [page.get_by_role("textbox", name=f"Answer to {at}", exact=True) for at in range(1, 11)]
    for at, field in enumerate(fields, 1):
        field.click()
        page.keyboard.type(f"{at}")
    page.keyboard.press("Tab")
    page.wait_for_url("**draft=*~1~2~3~4~5~6~7~8~9~10*")
    page.reload()
    for at, field in enumerate(fields, 1):
        expect(field).to_have_value(f"{at}")
    followed(page)
    fields[3].fill("44")
    page.get_by_role("button", name=practice.FINISH).click()
    page.wait_for_url("**answers=1~2~3~44~*")
    followed(page)
    page.go_back()
    expect(fields[3]).to_have_value("44")
    expect(fields[9]).to_have_value("10")


@pytest.mark.slow
def test_a_calculation_in_a_test_survives_its_way_through_the_url(page: Page, server: str):
    visit(page, f"{server}/practice?test=5&level=2")
    typed = "2*tanh(1.5) - 1 + σ(0,5)/2"
    page.get_by_role("textbox", name="Answer to 1", exact=True).fill(typed)
    page.get_by_role("button", name=practice.FINISH).click()
    page.wait_for_url("**answers=**")
    page.reload()
    expect(page.get_by_text(practice.YOUR_ANSWER.format(answer=typed))).to_be_visible()


@pytest.mark.slow
def test_an_exercise_of_the_map_has_the_focus_in_its_field_and_enter_leads_from_the_map_to_five_more(
    page: Page, server: str
):
    page.goto(f"{server}/practice")
    page.get_by_role("link", name=practice.START).click()
    field = page.get_by_role("textbox", name="Your answer")
    for _ in range(5):
        expect(field).to_be_focused()
        expect(field).to_have_value("")
        followed(page)
        field.fill(written(page.url))
        field.press("Enter")
        expect(page.get_by_test_id("stAlert")).to_contain_text("Right")
        followed(page)
        at = page.url
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url, at=at: url != at)
    more = page.get_by_role("link", name=practice.FIVE_MORE)
    expect(more).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**today=true**")
    expect(field).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_the_first_field_has_the_focus_when_its_code_comes_after_the_page(page: Page, server: str, is_elsewhere: bool):
    held = []
    page.route("**/TextInput*.js", lambda route: held.append(route))
    page.goto(f"{server}/practice")
    page.get_by_role("link", name=practice.START).click()
    expect(page.get_by_role("button", name=practice.HINT)).to_be_visible()
    followed(page)
    hint = page.get_by_role("button", name=practice.HINT)
    if is_elsewhere:
        hint.focus()
    held[0].continue_()
    field = page.get_by_role("textbox", name="Your answer")
    expect(field).to_be_visible()
    expect(hint if is_elsewhere else field).to_be_focused()


def written(url: str) -> str:
    """Return the right answer to the exercise of a URL."""
    query = {name: value for name, (value,) in parse_qs(urlsplit(url).query).items()}
    seed = 1000 * int(query.get("seed", 0)) + int(query.get("number", 1))
    return key_text(exercise(query["kind"], int(query.get("level", 1)), seed))
