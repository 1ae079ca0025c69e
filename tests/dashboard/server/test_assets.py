"""The JavaScript is served under the digest of all modules."""

import asyncio
import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from starlette.requests import Request
from starlette.responses import Response

from dashboard.server import assets

CACHED = (assets.modules, assets.digest, assets._compressed)


@pytest.fixture
def static(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the modules that may change."""
    static = copytree(assets.STATIC, tmp_path / "static")
    monkeypatch.setattr(assets, "STATIC", static)
    yield static
    monkeypatch.undo()
    forget()


def forget() -> None:
    for cached in CACHED:
        cached.cache_clear()


def answer(path: str, digest: str, accepted: str = "gzip, br") -> Response:
    parameters = {"digest": digest, "attempt": 0, "path": path}
    scope = {
        "type": "http",
        "method": "GET",
        "path_params": parameters,
        "headers": [(b"accept-encoding", accepted.encode())],
    }
    return asyncio.run(assets._answer(Request(scope)))


def test_a_change_of_any_module_changes_the_digest(static: Path):
    forget()
    seen = [assets.digest()]
    for module in static.rglob("*.js"):
        module.write_text(module.read_text() + "\n")
        forget()
        seen.append(assets.digest())
    assert len(seen) > 10
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("accepted", ["gzip, deflate, br", "identity"])
def test_a_module_is_served_as_it_is_for_a_year(accepted):
    for path, text in assets.modules().items():
        given = answer(path, assets.digest(), accepted)
        body = gzip.decompress(given.body) if "content-encoding" in given.headers else given.body
        assert (given.status_code, body) == (200, text)
        assert given.headers["content-type"].startswith("text/javascript")
        assert given.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert ("content-encoding" in given.headers) == ("gzip" in accepted)


@pytest.mark.parametrize(
    ("path", "digest"), [("picture/picture.js", "0123456789ab"), ("types.d.ts", None), ("../pages.py", None)]
)
def test_there_is_no_other_file_and_none_of_another_digest(path, digest):
    given = answer(path, digest or assets.digest())
    assert (given.status_code, given.headers["cache-control"]) == (404, "no-store")


def test_every_import_is_of_a_module_and_none_leads_back():
    imported = re.compile(r'^import .* from "(.*)"$', re.MULTILINE)
    found = {
        path: [
            (assets.STATIC / path).parent.joinpath(name).resolve().relative_to(assets.STATIC).as_posix()
            for name in imported.findall(text.decode())
        ]
        for path, text in assets.modules().items()
    }
    while found:
        last = [path for path, names in found.items() if not any(name in found for name in names)]
        assert last, f"these import each other: {sorted(found)}"
        for path in last:
            assert set(found.pop(path)) <= set(assets.modules())


def test_without_the_routes_streamlits_own_static_files_are_the_modules(monkeypatch):
    monkeypatch.setattr(assets, "_mounted", [])
    assert assets.url() == "/app/static/"
    assets.routes()
    assert assets.url() == f"/assets/{assets.digest()}/0/"
