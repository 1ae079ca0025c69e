"""The headers of the server for a class, under which all browser tests run."""

import pytest

from dashboard.server import assets
from tests.live import DASHBOARD, PATIENCE, open_url, running


def headers(url: str) -> dict[str, str]:
    with open_url(url, timeout=PATIENCE) as answer:
        return {name.lower(): value for name, value in answer.headers.items()}


@pytest.mark.parametrize("path", ["/", "/lstm", "/_stcore/health", f"/assets/{assets.digest()}/0/picture/picture.js"])
def test_every_answer_says_what_a_browser_may_do_with_it(server, path):
    given = headers(server + path)
    policy = dict(part.split(" ", 1) for part in given["content-security-policy"].split("; "))
    assert "'unsafe-inline'" not in policy["script-src"] and "'unsafe-eval'" not in policy["script-src"]
    assert "http" not in given["content-security-policy"]
    assert (policy["default-src"], policy["object-src"], policy["frame-ancestors"]) == (
        "'self'",
        "'none'",
        "* file:",
    )
    assert given["x-content-type-options"] == "nosniff"


@pytest.mark.slow  # with a server of its own
def test_who_may_embed_it_can_be_chosen():
    with running((*DASHBOARD[:-1], "--frame-ancestors", "'self'", DASHBOARD[-1])) as other:
        assert "frame-ancestors 'self'" in headers(other.url)["content-security-policy"]
