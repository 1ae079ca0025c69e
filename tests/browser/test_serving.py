"""The server for a class: its headers, and the same app under them."""

import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.page import drawn, slider, visit
from tests.live import DASHBOARD, running


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with running(DASHBOARD) as server:
        yield server.url


def headers(url: str) -> dict[str, str]:
    with urllib.request.urlopen(url, timeout=5) as answer:
        return {name.lower(): value for name, value in answer.headers.items()}


@pytest.mark.parametrize("path", ["/", "/lstm", "/_stcore/health", "/app/static/picture.js"])
def test_every_answer_says_what_a_browser_may_do_with_it(server, path):
    given = headers(server + path)
    policy = dict(part.split(" ", 1) for part in given["content-security-policy"].split("; "))
    assert "'unsafe-inline'" not in policy["script-src"] and "'unsafe-eval'" not in policy["script-src"]
    assert "http" not in given["content-security-policy"]
    assert (policy["default-src"], policy["object-src"], policy["frame-ancestors"]) == ("'self'", "'none'", "*")
    assert given["x-content-type-options"] == "nosniff"


def test_who_may_embed_it_can_be_chosen():
    with running((*DASHBOARD[:-1], "--frame-ancestors", "'self'", DASHBOARD[-1])) as other:
        assert "frame-ancestors 'self'" in headers(other.url)["content-security-policy"]


@pytest.mark.parametrize("path", ["", "lstm", "saturation", "sequence", "gradients"])
def test_every_page_works_under_the_policy(page, server, path):
    refused = []
    page.on("console", lambda message: refused.append(message.text) if "Content Security" in message.text else None)
    visit(page, f"{server}/{path}?n=3&init=normal&edit=true&take=true")
    slider(page, "Scale of the weights").press("ArrowRight")
    page.wait_for_url("**scale=*")
    assert refused == []


def test_a_drawing_can_be_saved_under_the_policy(page, server):
    visit(page, f"{server}/?n=3&init=normal")
    assert drawn(page, "Join")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this drawing as SVG").nth(1).click()
    assert download.value.path().read_bytes().startswith(b"<svg")
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
