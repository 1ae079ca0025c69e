"""The page of training: its film is dragged through in the browser."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.page import drawn, panel, slider, visit


@pytest.mark.slow
def test_a_film_is_dragged_through_without_asking_the_server(page: Page, server: str):
    visit(page, f"{server}/training?story=own&units=3&length=5&updates=20")
    expect(panel(page, "Loss at update 20")).to_be_visible()
    last = drawn(page, "The weights")["W_f"]
    scrub = slider(page, "Update")
    scrub.focus()
    scrub.press("Home")
    expect(panel(page, "Loss at update 0")).to_be_visible()
    first = drawn(page, "The weights")["W_f"]
    assert first != last or first["printed"] is None
    scrub.press("End")
    expect(panel(page, "Loss at update 20")).to_be_visible()
