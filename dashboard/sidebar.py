"""The sidebar with the links to the pages and the shared settings, and the tools at the title."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.examples import EXAMPLES
from core.initialize import INITIALIZERS
from dashboard import controls
from dashboard.controls import Control, control, group, note
from dashboard.serve import assets
from dashboard.serve.assets import LOADER, STATIC
from dashboard.state import session
from dashboard.state.own_arrays import KEPT, MOST_IN_LINK, TYPED
from dashboard.state.parameters import (
    CHOICES,
    COMPARE,
    EXAMPLE,
    OF_A_CELL,
    OF_FROZEN,
    OF_NUMBERS,
    OF_SCREEN,
)
from dashboard.state.state import State

# A short description of each of INITIALIZERS.
MADE = {
    "fill": "Each array has one value everywhere.",
    "ramp": "1, 2, 3 and so on, row by row.",
    "normal": "Random, from the normal distribution N(0, 1).",
    "uniform": "Random, evenly from −1 to 1.",
    "glorot": "Random, evenly between ±√(6 / (rows + columns)), by Glorot and Bengio.",
    "orthogonal": "Random, with rows or columns of length 1 at right angles.",
}
# The values for `fill`; the bias has its value with every initialization.
FILLS = ("w_hh", "w_hx", "h", "x", "b")
TOOLS = ("edit", "take")
# Until the URL has one of these parameters, a link to a page opens that page's own example.
NUMBERS = (TYPED, KEPT, COMPARE, *(name for name in OF_NUMBERS if not CHOICES[name].is_look))

_component = st.components.v2.component(
    "cellscope_sidebar",
    html='<nav aria-label="Pages"></nav><div class="controls" role="group" aria-label="Settings"></div><p class="failed"></p>',
    css=(STATIC / "controls/sidebar.css").read_text(encoding="utf-8")
    + (STATIC / "controls/controls.css").read_text(encoding="utf-8"),
    js=LOADER,
)


def sidebar(state: State, pages: Mapping[str, Sequence[StreamlitPage]]) -> None:
    """Draw the links to the pages and the shared settings.

    Parameters
    ----------
    state : State
    pages : mapping from str to sequence of st.Page
        The pages of each group, by its title.
    """
    data = {
        "modules": assets.url(),
        "part": "controls/sidebar.js",
        "url": session.described(state),
        "pages": [
            {"title": title, "links": [{"title": page.title, "path": page.url_path} for page in some]}
            for title, some in pages.items()
        ],
        "changed": session.patches(),
        "screen": OF_SCREEN,
        "numbers": NUMBERS,
        "groups": [
            group("", _examples(state)),
            group("Numbers, filled or random", _numbers(state)),
            group("Cell", _cell(state)),
            group("Look", _look(state)),
            group("", [_restart(state)]),
        ],
    }
    with st.sidebar:
        _component(key="sidebar", data=data)


def _examples(state: State) -> list[Control]:
    options = [
        {"value": name, "label": example.title, "patch": controls.start_of(name, state.page)}
        for name, example in EXAMPLES.items()
    ]
    choice = CHOICES[EXAMPLE]
    shown = [
        {"kind": "select", "name": EXAMPLE, "label": choice.label, "help": choice.help, "options": options}
        | {"text": state.example, "default": ""}
    ]
    if state.is_own_example:
        shown.append(
            note(
                "own example", "Each page opens on an example of its own. Change a number, and every page shows yours."
            )
        )
    return shown


def _restart(state: State) -> Control:
    patch = controls.start_of(state.example, state.page)
    return controls.action("restart", "Restart", patch, help="Start the example again")


def _numbers(state: State) -> list[Control]:
    is_filled = state.scenario.init == "fill"
    return [
        controls.select(state, "init", {name: name for name in INITIALIZERS}),
        note("made", MADE.get(state.scenario.init, "")),
        *controls.fills(state, *(FILLS if is_filled else ("b",))),  # the other initializations use only the bias
        control(state, "b_normal"),
    ]


def _cell(state: State) -> list[Control]:
    n, k = state.scenario.n, state.scenario.k
    shown = [control(state, name) for name in ("g", "order", "stochastic")]
    is_large = state.is_large
    large = control(state, "large", disabled=is_large)
    shown.append(large | {"text": "true"} if is_large else large)
    if k == n:
        text = f"k = n = {k}: this cell can be unrolled over time, for its hₜ fits in as the next hₜ₋₁."
        return [*shown, note("recurs", text)]
    text = f"k = {k} but n = {n}: one step only. A second step would need an hₜ with {n} entries, one for each column of Wₕₕ."
    patch = {"n": str(k) if k != state.start.n else None}
    return [*shown, note("recurs", text), controls.action("recurrent", f"Make it recurrent: set n to {k}", patch)]


def _look(state: State) -> list[Control]:
    j = control(state, "j", largest=state.scenario.k, text=str(state.unit))
    return [j, *(control(state, name) for name in ("threshold", "decimals", "colours", "view"))]


# ---- beside the title -------------------------------------------------------------------------


def tools(state: State) -> None:
    """Draw the buttons at the title, which compare and open the tools.

    Parameters
    ----------
    state : State
    """
    shown = [_compare(state)] if state.page in OF_A_CELL else []
    for name in TOOLS:
        is_open = getattr(state.settings, name)
        label = f"{'✕ ' if is_open else ''}{CHOICES[name].label}"
        patch = {name: None if is_open else "true"}
        shown.append(controls.action(f"open {name}", label, patch, help=CHOICES[name].help, pressed=is_open))
    controls.draw(state, "tools", shown)


def _compare(state: State) -> Control:
    if state.frozen:
        return controls.action("freeze", "✕ Stop comparing", {COMPARE: None})
    help = (
        f"More than {MOST_IN_LINK} numbers of your own cannot be frozen."
        if state.kept
        else "Freezes what is shown now as A. Move a slider then: B beside it follows, and what differs is marked."
    )
    names = (EXAMPLE, TYPED, *OF_FROZEN)
    return controls.action("freeze", "Compare", {}, freeze=names, disabled=bool(state.kept), help=help)


def way_out(state: State) -> None:
    """Draw the button that leaves the projector view; `page.css` hides the sidebar while this button is there.

    Parameters
    ----------
    state : State
    """
    if state.is_projected:
        leave = controls.action("leave", "Leave projector", {"view": None}, shortcut="Escape", inPlace=True)
        controls.draw(state, "leave", [leave])
