"""The controls that every page shares: the sidebar, and the tools beside the title."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.examples import EXAMPLES
from core.initialize import INITIALIZERS
from core.scenario import Scenario
from dashboard import chosen, links, own_numbers, widgets
from dashboard.address import is_step_of_history, say
from dashboard.choices import CHOICES, COMPARE, DIALS, OF_A_CELL, OF_FROZEN, OF_NUMBERS
from dashboard.navigation import Link, navigation

# How each of INITIALIZERS makes them, for who does not know its name.
MADE = {
    "fill": "Each array has one value everywhere.",
    "ramp": "1, 2, 3 and so on, row by row.",
    "normal": "Random, from the normal distribution N(0, 1).",
    "uniform": "Random, evenly from −1 to 1.",
    "glorot": "Random, evenly between ±√(6 / (rows + columns)), by Glorot and Bengio.",
    "orthogonal": "Random, with rows or columns of length 1 at right angles.",
}
TOOLS = ("edit", "take")


def sidebar(pages: Mapping[str, Sequence[StreamlitPage]], *, here: str) -> None:
    """Draw the links to the pages, and the controls that every page shares.

    Parameters
    ----------
    pages : mapping from str to sequence of st.Page
        By what their group is called.
    here : str
        The path of the page that is shown.
    """
    groups = {
        group: [Link(page.title, page.url_path, links.carried(page.url_path, here) or {}) for page in some]
        for group, some in pages.items()
    }
    with st.sidebar:
        navigation(groups, here=here)
        _example()
        # What is in a closed popover is not in the browser, which goes through all that is there with every run.
        with st.popover("Numbers, filled or random", width="stretch"):
            st.selectbox(
                **widgets.bound("init"), options=INITIALIZERS, index=list(INITIALIZERS).index(chosen.default("init"))
            )
            st.caption(MADE[chosen.value("init")])
            _fills()
            widgets.toggle("b_normal")
        with st.popover("Cell", width="stretch"):
            widgets.segments("g")
            widgets.segments("order")
            widgets.toggle("stochastic")
            _large()
            _recurs()
        with st.popover("Look", width="stretch"):
            _inspect()
            widgets.slider("decimals")
            widgets.segments("colours")
            widgets.segments("view")
        st.button("Restart", on_click=_start_example, help="Start the example again")


# ---- the example ------------------------------------------------------------------------------


def _example() -> None:
    """Which example.

    The widget is not bound to its parameter: that would change the address that back must come back to.
    """
    if st.session_state.get(own_numbers.EXAMPLE) != chosen.example():
        st.session_state[own_numbers.EXAMPLE] = chosen.example()
    widget = widgets.bound(own_numbers.EXAMPLE) | {"bind": None}
    st.selectbox(**widget, options=EXAMPLES, format_func=lambda name: EXAMPLES[name].title, on_change=_choose_example)
    # In a container of its own: what is below would move up when the line goes, and be shut if it is open.
    with st.container():
        if not chosen.has_numbers() and EXAMPLES[chosen.example()].is_first:
            st.caption("Each page opens on an example of its own. Change a number, and every page shows yours.")


def _choose_example() -> None:
    """Start what was chosen; in a step through the history the browser may say once more what it showed before."""
    if not is_step_of_history():
        _start_example()


def _start_example() -> None:
    """As the example starts: with its own numbers only, but looked at as before."""
    name = st.session_state[own_numbers.EXAMPLE]
    name = name if name in EXAMPLES else "lab"
    start = EXAMPLES[name].scenario
    reset = {
        choice: getattr(start, choice)
        for choice in OF_NUMBERS
        if not CHOICES[choice].is_look or getattr(start, choice) != getattr(Scenario(), choice)
    }
    j = min(chosen.unit(), start.k)
    said = {own_numbers.EXAMPLE: None if name == "lab" else name, "j": None if j == 1 else str(j), "question": None}
    own_numbers.replace({}, said | dict.fromkeys(reset))
    st.session_state.left = {}
    for choice, value in (reset | {"j": j}).items():
        if choice not in DIALS:
            st.session_state[choice] = value


# ---- in the groups ----------------------------------------------------------------------------


def _fills() -> None:
    """The values for `fill`; of them only the bias matters to the other ways."""
    if st.session_state.init != "fill":
        widgets.fill("b")
        return
    with st.container(horizontal=True):
        for name in chosen.FILLS:
            widgets.fill(name)


def _large() -> None:
    """Whether the sizes' sliders reach up to 512: once that is asked for, or a size needs it."""
    if chosen.is_large():
        st.session_state.large = True
    st.toggle(**widgets.bound("large"), disabled=chosen.is_large())


def _recurs() -> None:
    n, k = chosen.value("n"), chosen.value("k")
    if k == n:
        st.caption(
            f":material/check: k = n = {k}: this cell can be unrolled over time, for its hₜ fits in as the next hₜ₋₁."
        )
        return
    st.caption(
        f"k = {k} but n = {n}: one step only. A second step would need an hₜ with {n} entries, one for each "
        f"column of Wₕₕ."
    )
    st.button(f"Make it recurrent: set n to {k}", on_click=_make_recurrent)


def _make_recurrent() -> None:
    say({"n": str(chosen.value("k"))})


def _inspect() -> None:
    """Which unit is inspected, and when it counts as saturated."""
    k = chosen.value("k")
    if st.session_state.get("j", 1) > k:
        st.session_state.j = k
    widgets.number("j", max_value=k)
    widgets.slider("threshold", format="%d %%")


# ---- beside the title -------------------------------------------------------------------------


def tools(here: str) -> None:
    """Draw what freezes the page, and what opens the tools: editing, and taking away.

    Parameters
    ----------
    here : str
        The path of the page that is shown.
    """
    with st.container(key="tools", horizontal=True, horizontal_alignment="right", gap="small"):
        if here in OF_A_CELL:
            _compare()
        for name in TOOLS:
            choice = CHOICES[name]
            st.button(
                choice.label,
                icon=":material/close:" if is_open(name) else None,
                on_click=_open_or_close,
                args=(name,),
                key=name,
                help=choice.help,
            )


def is_open(tool: str) -> bool:
    """Whether a tool is open.

    Parameters
    ----------
    tool : str
        One of TOOLS.
    """
    return st.query_params.get(tool) == "true"


def _open_or_close(tool: str) -> None:
    say({tool: None if is_open(tool) else "true"})


def _compare() -> None:
    """The button that freezes what is shown, or that stops comparing with it."""
    if COMPARE in st.query_params:
        st.button("Stop comparing", key="freeze", icon=":material/close:", on_click=_stop_comparing)
        return
    beyond = own_numbers.KEPT in st.query_params
    st.button(
        "Compare",
        key="freeze",
        on_click=_freeze,
        disabled=beyond,
        help=f"More than {own_numbers.MOST_IN_LINK} numbers of your own cannot be frozen."
        if beyond
        else "Freezes what is shown now as A. Move a dial then: B beside it follows, and what differs is marked.",
    )


def _freeze() -> None:
    start = chosen.start()
    said = {name: chosen.value(name) for name in OF_FROZEN}
    changed = {
        name: chosen.written(name, value)
        for name, value in said.items()
        if value not in (None, chosen.of_start(start, name))
    }
    typed = st.query_params.get(own_numbers.PARAMETER)
    own = {own_numbers.PARAMETER: typed} if typed else {}
    say({COMPARE: urlencode({own_numbers.EXAMPLE: chosen.example(), **changed, **own})})


def _stop_comparing() -> None:
    say({COMPARE: None})


# ---- for a room -------------------------------------------------------------------------------


def way_out() -> None:
    """Lead out of the projector's view, in which there is no sidebar; `page.css` takes it away where this is."""
    if chosen.is_projected():
        st.button("Leave projector", key="leave", shortcut="Esc", on_click=_leave_projector)


def _leave_projector() -> None:
    st.session_state.view = CHOICES["view"].default
