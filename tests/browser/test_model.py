"""The page of a trained network: the link of a finding, and a unit on the page of its cell."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from core.exchange.array_files import to_npz
from dashboard.text.model import SHOW_UNIT
from dashboard.text.model_findings import SENTENCES
from tests.browser.page import followed, visit
from tests.core.planted_faults import FAULTS

pytestmark = pytest.mark.slow


def test_an_error_goes_when_the_next_file_arrives(tab: Page, server: str):
    visit(tab, f"{server}/model")
    field, error = tab.locator("input[type=file]").first, tab.locator("[class*=st-key-refused_]")
    field.set_input_files({"name": "a.onnx", "mimeType": "application/zip", "buffer": b"123"})
    expect(error).to_contain_text("ONNX")
    held: list[Route] = []
    is_sent = False

    def hold(route: Route) -> None:
        if is_sent:
            route.continue_()
        else:
            held.append(route)

    tab.route("**/upload_file/**", hold)
    field.set_input_files({"name": "b.npz", "mimeType": "application/zip", "buffer": b"123"})
    expect(error).to_be_hidden()
    is_sent = True
    for route in held:
        route.continue_()
    expect(error).to_contain_text("zip archive")
    expect(error).to_be_visible()


def test_a_finding_leads_to_its_proof_and_its_unit_to_the_page_of_the_cell(tab: Page, server: str):
    fault = next(fault for fault in FAULTS if fault.code == "copied units")
    visit(tab, f"{server}/model")
    file = {"name": "a.npz", "mimeType": "application/zip", "buffer": to_npz(fault.plant("LSTM", 2, 8).weights)}
    tab.locator("input[type=file]").first.set_input_files(file)
    # Units 3 and 7 of the second layer, in the direction that reads backward.
    copied = SENTENCES["copied units"].partition(":")[0]
    found = tab.locator(".findings li", has_text=re.compile(f"Layer 2, backward: {copied}"))
    expect(found).to_have_count(1)
    found.get_by_role("link", name="Gates and state over time").click()
    expect(tab.locator("section.framed h2")).to_have_text("Gates and state over time")
    followed(tab)
    expect(tab).to_have_url(re.compile("(?=.*shown_layer=2)(?=.*shown_direction=backward)(?=.*j=3)"))
    # The run for the new URL keeps the frame.
    expect(tab.locator("section.framed h2")).to_have_text("Gates and state over time")
    # Another setting ends it.
    tab.locator("summary", has_text="Thresholds").click()
    tab.get_by_label("Open gate: value above").fill("0.8")
    tab.get_by_label("Open gate: value above").press("Enter")
    followed(tab)
    expect(tab.locator("section.framed")).to_have_count(0)
    tab.get_by_role("link", name=SHOW_UNIT.partition(" on ")[0].format(unit=3)).click()
    expect(tab).to_have_url(re.compile("/lstm"))
    followed(tab)
    expect(tab).to_have_url(re.compile("(?=.*k=8)(?=.*n=8)(?=.*j=3)(?=.*kept=)"))
    expect(tab.locator(".remarks")).not_to_contain_text("stored")
