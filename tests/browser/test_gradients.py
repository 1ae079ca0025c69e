"""The gradients page in a browser: three triangles, and an empty half that says what it is."""

from playwright.sync_api import Page, expect

from dashboard.text import gradients as text
from tests.browser.page import drawing, drawn, point_at, visit

LINK = "gradients?init=normal&m=2&n=4&k=4&T=8"
MAPS = text.MAPS_TITLE


def test_every_cell_has_its_triangle_and_pointing_tells_its_gain(page: Page, server: str):
    visit(page, f"{server}/{LINK}")
    assert list(drawn(page, MAPS)) == ["RNN", "LSTM", "GRU"]
    drawing(page, MAPS).hover(position=point_at(page, MAPS, "RNN", row=3, column=3))
    expect(page.locator(".tip")).to_contain_text(f"RNN, {text.FROM_STEP} 4, {text.TO_STEP} 4: ")
    drawing(page, MAPS).hover(position=point_at(page, MAPS, "RNN", row=3, column=5))
    expect(page.locator(".tip")).to_have_text(text.NOTHING)
