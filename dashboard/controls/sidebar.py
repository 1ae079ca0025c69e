"""The sidebar with the links to the pages and the shared settings, and the tools at the title."""

from itertools import groupby
from typing import Any

import streamlit as st

from core.examples import EXAMPLES
from dashboard.controls import widgets
from dashboard.controls.widgets import Control, control, group, note
from dashboard.server import assets
from dashboard.server.assets import LOADER, STATIC
from dashboard.state import session
from dashboard.state.custom_arrays import KEPT, MOST_IN_LINK, TYPED
from dashboard.state.page_list import PAGES
from dashboard.state.parameters import (
    CELL_PAGES,
    COMPARE,
    EXAMPLE,
    FROZEN_PARAMS,
    NUMBER_PARAMS,
    PARAMETERS,
    SCREEN_PARAMS,
    TOOL_PARAMS,
)
from dashboard.state.state import State
from dashboard.text import sidebar as text
from dashboard.text.corrections import CORRECTIONS
from dashboard.text.examples import example_text
from dashboard.text.words import subscripts

TOOLS = ("edit", "take")
# Until the URL has one of these parameters, a link to a page opens that page's own example.
NUMBERS = (TYPED, KEPT, COMPARE, *NUMBER_PARAMS)

_component = st.components.v2.component(
    "cellscope_sidebar",
    html='<nav aria-label="Pages"></nav><div class="controls" role="group" aria-label="Settings"></div><p class="failed"></p>',
    css=(STATIC / "controls/sidebar.css").read_text(encoding="utf-8")
    + (STATIC / "controls/controls.css").read_text(encoding="utf-8"),
    js=LOADER,
)


def sidebar(state: State) -> None:
    """Draw the links to the pages and the shared settings.

    Parameters
    ----------
    state : State
    """
    data = {
        "modules": assets.url(),
        "part": "controls/sidebar.js",
        "url": session.url_of_run(state),
        "pages": [
            {"title": title, "links": [{"title": page.title, "path": page.path} for page in pages]}
            for title, pages in groupby(PAGES.values(), lambda page: page.group)
        ],
        "changed": session.patches(),
        "screen": (*TOOL_PARAMS, *SCREEN_PARAMS),
        "numbers": NUMBERS,
        "groups": _groups(state),
        "corrections": CORRECTIONS,
    }
    with st.sidebar:
        _component(key="sidebar", data=data)


def _groups(state: State) -> list[dict[str, Any]]:
    """Return the settings that change something on the page."""
    if state.page == "training":
        return [group(text.DISPLAY, _display(state, "decimals", "view"))]
    if state.page not in CELL_PAGES:
        return []
    return [
        group("", _examples(state)),
        group(text.CELL, _cell(state)),
        group(text.DISPLAY, _display(state, "threshold", "decimals", "colours", "view")),
    ]


def _examples(state: State) -> list[Control]:
    options = [
        {"value": name, "label": example_text(name).title, "patch": widgets.example_patch(name, state.page)}
        for name in EXAMPLES
    ]
    if state.is_custom:
        options.insert(0, {"value": "", "label": text.CUSTOM, "patch": {}})
    parameter = PARAMETERS[EXAMPLE]
    shown = [
        {"kind": "select", "name": EXAMPLE, "label": parameter.label, "help": parameter.help, "options": options}
        | {"text": "" if state.is_custom else state.example, "default": ""},
        # Above the note, which goes with the first change: a button that moves while it is pressed loses the click.
        _restart(state),
    ]
    if state.is_own_example:
        shown.append(note("own example", text.OWN_EXAMPLE))
    elif not state.is_changed:
        shown.append(note("example summary", subscripts(example_text(state.example).summary)))
    return shown


def _restart(state: State) -> Control:
    patch = widgets.example_patch(state.example, state.page)
    del patch[EXAMPLE]  # the URL may have another one by the time of the click
    return widgets.action("restart", text.RESTART, patch, help=text.RESTART_HELP)


def _cell(state: State) -> list[Control]:
    n, k = state.scenario.n, state.scenario.k
    shown = [control(state, name) for name in ("g", "order", "stochastic")]
    is_large = state.is_large
    large = control(state, "large", disabled=is_large)
    shown.append(large | {"text": "true"} if is_large else large)
    shown.append(note("recurs", text.recurs(n, k)))
    if k == n:
        return shown
    patch = state.patch({"n": k})
    return [*shown, widgets.action("recurrent", text.MAKE_RECURRENT.format(k=k), patch)]


def _display(state: State, *names: str) -> list[Control]:
    j = control(state, "j", largest=state.scenario.k, text=str(state.unit))
    return [j, *(control(state, name) for name in names)]


# ---- beside the title -------------------------------------------------------------------------


def tools(state: State) -> None:
    """Draw the buttons at the title, which compare and open the tools.

    Parameters
    ----------
    state : State
    """
    shown = [_compare(state)] if state.page in CELL_PAGES else []
    for name in TOOLS:
        parameter, is_pressed = PARAMETERS[name], is_open(state, name)
        if state.page not in parameter.pages:
            continue
        label = text.CLOSE.format(tool=parameter.label) if is_pressed else parameter.label
        patch = {name: None if is_pressed else "true"}
        shown.append(widgets.action(f"open {name}", label, patch, help=parameter.help, pressed=is_pressed))
    widgets.draw(state, "tools", shown)


def is_open(state: State, tool: str) -> bool:
    """Whether the page has this tool, one of TOOLS, and it is open."""
    return state.page in PARAMETERS[tool].pages and bool(state.value(tool))


def _compare(state: State) -> Control:
    if state.frozen:
        return widgets.action("freeze", text.STOP_COMPARING, {COMPARE: None})
    help = text.CANNOT_COMPARE.format(most=MOST_IN_LINK) if state.kept else text.COMPARE_HELP
    ignored = session.ignored()
    names = [name for name in (TYPED, *FROZEN_PARAMS) if name not in ignored]
    return widgets.action("freeze", text.COMPARE, {}, freeze=names, disabled=bool(state.kept), help=help)


def exit_projector_button(state: State) -> None:
    """Draw the button that leaves the projector view; `page.css` hides the sidebar while this button is there.

    Parameters
    ----------
    state : State
    """
    if state.is_projected:
        leave = widgets.action("leave", text.LEAVE_PROJECTOR, {"view": None}, shortcut="Escape", entry=False)
        widgets.draw(state, "leave", [leave])
