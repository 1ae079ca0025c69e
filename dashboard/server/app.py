"""The parts that `streamlit run dashboard` and `python -m dashboard` share."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.routing import BaseRoute

from dashboard.server import assets, drag_socket
from dashboard.server.scheduling import warm
from dashboard.server.training_cache import precompute_experiments

# The script that Streamlit runs for each session.
PAGES = Path(__file__).parents[1] / "pages.py"


@asynccontextmanager
async def warmed(app: st.App) -> AsyncIterator[None]:
    """Prepare the process before it serves the first reader."""
    warm()
    precompute_experiments()
    yield


def routes(pages: Iterable[str]) -> list[BaseRoute]:
    """Return the routes beside Streamlit's own: these pages, the JavaScript, and the pictures while a slider is dragged."""
    return [*assets.routes(pages), *drag_socket.routes()]
