"""Every part of Streamlit's page that a style or a script names exists on some page."""

import re

import pytest
from playwright.sync_api import BrowserContext

from dashboard.server.assets import STATIC
from tests.browser.page import visit
from tests.live import at_rest

NAMED = re.compile(r"""data-testid[\^~|*$]?=\\?["']?([\w-]+)""")
# Together, these pages have them all; each with the part that Streamlit draws last.
LINKS = {
    "?edit=true&take=true": "stFileUploader",
    "saturation": "stPlotlyChart",
    "questions": "stPageLink-NavLink",
    "shapes": "stCode",
}
# Streamlit writes what Enter does once something is typed.
FIELD = "practice?kind=z"
PRESENT = """() => [...document.querySelectorAll("[data-testid]")].map((element) => element.dataset.testid)"""


@pytest.mark.slow
def test_every_test_id_of_a_style_or_a_script_is_on_some_page(context: BrowserContext, server: str):
    page = context.new_page()  # of a context of its own, because the browser remembers that the sidebar is closed
    files = [file for file in STATIC.rglob("*") if file.suffix in (".css", ".js")]
    named = {name for file in files for name in NAMED.findall(file.read_text(encoding="utf-8"))}
    assert len(named) > 10
    present: set[str] = set()
    for link, last in LINKS.items():
        page.goto(f"{server}/{link}")
        page.wait_for_selector(f"[data-testid^={last}]", state="attached")
        at_rest(page)
        present |= set(page.evaluate(PRESENT))
    visit(page, f"{server}/?example=lab")
    page.locator("[data-testid=stSidebarCollapseButton] button").evaluate("button => button.click()")
    page.wait_for_selector("[data-testid=stExpandSidebarButton]")
    present |= set(page.evaluate(PRESENT))
    visit(page, f"{server}/{FIELD}")
    page.locator("[data-testid=stForm] input").fill("1")
    page.wait_for_selector("[data-testid=InputInstructions]", state="attached")
    present |= set(page.evaluate(PRESENT))
    visit(page, f"{server}/model")
    page.route("**/upload_file/**", lambda route: None)  # a file has a chip while it is sent
    page.locator("input[type=file]").first.set_input_files(
        {"name": "a.npz", "mimeType": "application/zip", "buffer": b"1"}
    )
    page.wait_for_selector("[data-testid=stFileChip]", state="attached")
    present |= set(page.evaluate(PRESENT))
    assert {name for name in named if not any(found.startswith(name) for found in present)} == set()
