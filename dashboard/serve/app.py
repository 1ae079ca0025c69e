"""What every server of the dashboard has in common, be it started by `streamlit run dashboard` or `python -m dashboard`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.routing import BaseRoute

from dashboard.serve import assets, frames
from dashboard.serve.films import make_ahead
from dashboard.serve.warm import warm

# What a session runs.
PAGES = Path(__file__).parents[1] / "pages.py"


@asynccontextmanager
async def warmed(app: st.App) -> AsyncIterator[None]:
    """Warm before the first reader."""
    warm()
    make_ahead()
    yield


def routes() -> list[BaseRoute]:
    """Return the routes beside Streamlit's own: the JavaScript, and the pictures while a slider is dragged."""
    return [*assets.routes(), *frames.routes()]
