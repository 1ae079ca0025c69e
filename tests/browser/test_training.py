"""The page of training: its film is dragged through in the browser."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.page import drawn, opened, slider, visit


@pytest.mark.slow
def test_a_film_is_dragged_through_without_asking_the_server(page: Page, server: str):
    visit(page, f"{server}/training?story=own&units=3&length=5&updates=20")
    expect(page.get_by_text("Update: 0")).to_be_visible()
    opened(page, "The weights")
    first = drawn(page, "The weights")["W_f"]
    scrub = slider(page, "Update")
    scrub.focus()
    scrub.press("End")
    expect(page.get_by_text("Update: 20")).to_be_visible()
    assert drawn(page, "The weights")["W_f"] != first
    scrub.press("Home")
    expect(page.get_by_text("Update: 0")).to_be_visible()
    assert drawn(page, "The weights")["W_f"] == first


@pytest.mark.slow
def test_a_training_shows_how_far_it_is_and_is_stopped(page: Page, server: str):
    page.goto(f"{server}/training?story=own&units=32&length=100&updates=600&seed=77")  # half a minute
    expect(page.get_by_text("Training: 1")).to_be_visible()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("The training was stopped")).to_be_visible()
    expect(page.get_by_text("Update: 0")).to_be_visible()
    expect(page.get_by_role("button", name="Train it")).to_be_visible()


@pytest.mark.slow
def test_a_change_of_the_recipe_ends_the_training_of_the_one_before(page: Page, server: str):
    page.goto(f"{server}/training?story=own&units=32&length=100&updates=600&seed=78")
    expect(page.get_by_text("of 600 updates")).to_be_visible()
    updates = page.get_by_role("spinbutton", name="Updates")
    updates.fill("5")
    updates.press("Enter")
    expect(slider(page, "Update")).to_have_attribute("max", "5")
    updates.fill("600")
    updates.press("Enter")
    expect(page.get_by_text("of 600 updates")).to_be_visible()  # it had not come to its end
