"""The JavaScript of the page, under the digest of all its modules, and the HTML page that lets the browser fetch it early.

A module imports others by relative paths, so these have the digest in their URLs too: no browser pairs an old module with a new one after
an upgrade, and it may keep all of them for a year. Replicas with the same code have the same URLs.
"""

import gzip
import json
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from dashboard.server.base_path import served
from dashboard.server.streamlit_internals import formula_fonts, html_page

STATIC = Path(__file__).parents[1] / "static"
YEAR = 365 * 24 * 60 * 60
_mounted: list[Route] = []


@cache
def modules() -> dict[str, bytes]:
    """Return the text of each module by its path."""
    return {file.relative_to(STATIC).as_posix(): file.read_bytes() for file in sorted(STATIC.rglob("*.js"))}


@cache
def digest() -> str:
    """Return the digest of all modules together."""
    return sha256(b"".join(sha256(text).digest() for text in modules().values())).hexdigest()[:12]


def url() -> str:
    """Return the path on the server below which the modules are.

    `LOADER` counts up the 0 when a module did not arrive, because a browser may not ask for the same URL again. Without the routes, as in a
    plain script, Streamlit's own static files have to do: their URLs have no digest.
    """
    return served(f"assets/{digest()}/0/" if _mounted else "app/static/")


def routes(pages: Iterable[str] = ()) -> list[Route]:
    """Return the routes of the modules, and of the HTML page that names them at the paths of these pages."""
    _mounted[:] = [Route(served("assets/{digest}/{attempt:int}/{path:path}"), _answer)]
    return [*_mounted, *(Route(served(path), _html_page) for path in pages)]


async def _html_page(_: Request) -> Response:
    """Answer with Streamlit's own page, and links that let the browser fetch the modules and the font while Streamlit starts."""
    # The low priority puts them behind what Streamlit starts with.
    links = [
        *(f'<link rel="modulepreload" href="{url()}{path}" fetchpriority="low">' for path in modules()),
        *(
            f'<link rel="preload" as="font" href="{served(font)}" crossorigin fetchpriority="low">'
            for font in formula_fonts()
        ),
    ]
    page = html_page().replace("</head>", "".join([*links, "</head>"]))
    return HTMLResponse(page, headers={"Cache-Control": "no-cache"})


async def _answer(request: Request) -> Response:
    """Answer with a module. Of another digest there is none: a newer or older server has it."""
    text = _compressed().get(request.path_params["path"])
    if text is None or request.path_params["digest"] != digest():
        return PlainTextResponse("Not Found", 404, {"Cache-Control": "no-store"})
    headers = {"Cache-Control": f"public, max-age={YEAR}, immutable", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(text, 200, headers | {"Content-Encoding": "gzip"}, "text/javascript")
    return Response(gzip.decompress(text), 200, headers, "text/javascript")


@cache
def _compressed() -> dict[str, bytes]:
    return {path: gzip.compress(text) for path, text in modules().items()}


# Streamlit sends the code of a component again with every rerun, so this is all of it. The browser fetches the modules once, all at the
# same time: those that only another module names would come one wave later. All components of a page share them, also those that come
# after an upgrade of the server, because a module such as url.js must not be there twice.
LOADER = """
const MODULES = [...MODULES...]
const FAILED = "This part could not be loaded. Reload the page."
const page = (globalThis.cellscope ??= { modules: "", parts: null, attempts: 0 })
const newest = (page.newest ??= new WeakMap()) // the component of the last call, by its element

async function load() {
  // This code runs from a blob: URL, which is no base for a relative URL.
  const base = new URL(page.modules.replace(/0\\/$/, `${page.attempts}/`), document.baseURI)
  try {
    // A canvas does not wait for a font. Where Streamlit's letters of formulas are missing, the drawings take other ones.
    const letters = document.fonts.load("italic 16px KaTeX_Math").catch(() => {})
    const loaded = await Promise.all(MODULES.map((path) => import(new URL(path, base).href)))
    await letters
    return new Map(MODULES.map((path, index) => [path, loaded[index]]))
  } catch (error) {
    page.parts = null
    page.attempts++
    throw error
  }
}

export default function (component) {
  const { parentElement, data } = component
  // After two calls within a short time, Streamlit cleans up after the first one last.
  const isOver = () => newest.get(parentElement) !== component
  newest.set(parentElement, component)
  const say = (text) => {
    const place = parentElement.querySelector(".failed")
    if (place) place.textContent = text
  }
  const start = () => {
    page.parts ??= load()
    page.parts.then(draw, retry)
  }
  const draw = (parts) => {
    const part = parts.get(data.part)
    if (isOver()) return
    say(part ? "" : FAILED)
    part?.draw(component)
  }
  const retry = () => {
    if (isOver()) return
    say(FAILED)
    setTimeout(start, Math.min(1000 * page.attempts, 10_000))
  }
  page.modules = data.modules
  start()
  return () => {
    if (isOver()) return
    newest.delete(parentElement)
    page.parts?.then((parts) => parts.get(data.part)?.unmount(component), () => {})
  }
}
""".replace("[...MODULES...]", json.dumps(list(modules())))
