"""Progress in practice, which only the browser keeps.

`static/controls/progress.js` keeps it in localStorage and sends it as a text with each run. The server computes from it what to show. After an
answer the server sends a numbered entry, and the browser applies each number once. Each run sends the last entries again.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from core.practice.progress import ExerciseId, Progress, Tile, name_of, read_day, read_progress, to_entry
from dashboard.server import assets
from dashboard.server.assets import LOADER, STATIC
from dashboard.state import session
from dashboard.state.parameters import EXERCISES

KEY, ENTRIES = "progress", "progress_entries"

_component = st.components.v2.component(
    "cellscope_progress",
    html='<div class="progress"></div><p class="failed"></p>',
    css=(STATIC / "controls/progress.css").read_text(encoding="utf-8"),
    js=LOADER,
)


class BrowserProgress(NamedTuple):
    """The progress that the browser has sent.

    Attributes
    ----------
    progress : Progress
    day : int
        The browser's date as `date.toordinal` counts; 0 before the browser has sent it.
    is_kept : bool
        Whether the browser has room for progress and may store it.
    """

    progress: Progress = Progress()
    day: int = 0
    is_kept: bool = True

    @property
    def five_today(self) -> tuple[ExerciseId, ...]:
        """The five exercises for today; empty if they are those of another day, or if none were started."""
        return self.progress.five if self.progress.day == self.day else ()


def browser_progress() -> BrowserProgress:
    """Return the progress that the browser holds, with the entries that it has not applied yet."""
    sent = _sent()
    if sent is None:
        return BrowserProgress()
    progress = read_progress(sent.get("text"), tuple(EXERCISES))
    applied = sent.get("applied")
    applied = applied if isinstance(applied, int) else 0
    pending = {entry["name"]: entry["tile"] for entry in session.queued(ENTRIES) if entry["number"] > applied}
    progress = progress._replace(tiles={**progress.tiles, **pending})
    return BrowserProgress(progress, read_day(sent.get("today")), sent.get("isKept") is not False)


def keep(kind: str, level: int, tile: Tile) -> None:
    """Send the browser a tile, in the place of the one that it holds."""
    session.queue(ENTRIES, {"name": (kind, level), "tile": tile})


def draw(chart: Mapping[str, Any] | None = None, exercise: str = "", field: str = "") -> None:
    """Exchange progress with the browser. Call it once, at the end of a run.

    Parameters
    ----------
    chart : mapping, optional
        The map of exercises, as `types.d.ts` has it.
    exercise : str, optional
        The exercise of the page, or its other content. When it changes, `field` gets the focus, or on the map the link to today's exercises.
        If there is neither, the page goes to its top.
    field : str, optional
        The selector of the first field.
    """
    entries = [
        {"number": entry["number"], "changes": {name_of(*entry["name"]): to_entry(entry["tile"])}}
        for entry in session.queued(ENTRIES)
    ]
    data = {
        "modules": assets.url(),
        "part": "controls/progress.js",
        "session": session.name(),
        "entries": entries,
        "seen": _sent(),
        "chart": chart,
        "exercise": exercise,
        "field": field,
    }
    _component(key=KEY, data=data, on_held_change=_on_held)


def _on_held() -> None:
    """Streamlit reruns the page, which reads the state of the component."""


def _sent() -> dict[str, Any] | None:
    """Return what the browser has sent last. A client that is not ours may send anything."""
    sent = st.session_state.get(KEY)
    value = sent.get("held") if isinstance(sent, Mapping) else None
    return value if isinstance(value, dict) else None
