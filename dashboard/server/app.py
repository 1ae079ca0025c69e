"""What every server of the dashboard has in common, be it started by `streamlit run dashboard` or `python -m dashboard`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st

from dashboard.server.scheduling import warm
from dashboard.server.training_cache import make_ahead

# What a session runs.
PAGES = Path(__file__).parents[1] / "pages.py"


@asynccontextmanager
async def warmed(app: st.App) -> AsyncIterator[None]:
    """Warm before the first reader."""
    warm()
    make_ahead()
    yield
