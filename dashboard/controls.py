"""Every widget. A widget's key is its URL parameter, so a link, a reload and the back button keep it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.arrays import Array
from core.examples import EXAMPLES, first_of
from core.exchange.typed import parse
from core.initialize import INITIALIZERS
from core.practice import parse_answer
from core.scenario import Scenario
from core.shapes import GivenSizes, LayerSizes
from core.time.inputs import alphabet
from core.training import Film, Recipe, arrays_at
from dashboard import dials, own_numbers
from dashboard.choices import (
    CHOICES,
    COMPARE,
    DIALS,
    EVERYWHERE,
    EXERCISES,
    OF_A_CELL,
    OF_FROZEN,
    OF_LAYER,
    OF_LOOKS,
    OF_NUMBERS,
    OF_PAGES,
    OF_PICTURES,
    PARAMETERS,
    PROJECTOR,
    SMALL_SIZE,
    STAGES,
    Number,
    as_text,
    is_allowed,
    of_cell,
    of_text,
    read_frozen,
)
from dashboard.navigation import Link, navigation
from dashboard.questions import QUESTIONS, Question, script_of
from dashboard.words import subscripts

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
# The values for `fill`; of a bias it is the value in any case.
FILLS = ("w_hh", "w_hx", "h", "x", "b")
# The inputs that an example may have numbers of its own for: the array, and what its size is called.
INPUTS = {"h": ("h_prev", "n"), "x": ("x_t", "m"), "c": ("c_prev", "k")}


# ---- what a link may say -------------------------------------------------------------------


def refused_parameters() -> dict[str, str]:
    """The parameters whose value in the link cannot be taken, and the rule that each breaks.

    They are taken out of the URL before any widget sees them, which needs a second run: of some of these
    values Streamlit makes None, and at others it raises. Once there are widgets, they mind their own bounds.

    Returns
    -------
    dict
        From the name to the rule.
    """
    if "init" in st.session_state:
        return {}
    rules = PARAMETERS | {"j": Number(1, _units(), whole=True)}
    refused = {}
    for name, rule in rules.items():
        given = st.query_params.get_all(name)
        if len(given) > 1 or any(not rule.allows(text) for text in given):
            refused[name] = str(rule)
    if refused:
        st.session_state.refused = st.session_state.get("refused", {}) | refused
        for name in refused:
            del st.query_params[name]
        st.rerun()
    return st.session_state.pop("refused", {})


def explain(refused: dict[str, str]) -> None:
    """Say which parameters were refused, the rule, and what stands in their place.

    The refused text itself is not repeated: it is somebody else's.

    Parameters
    ----------
    refused : dict
        From `refused_parameters`, after the widgets have taken their values.
    """
    lines = own_numbers.missing()
    typed = own_numbers.arrays()
    for name in own_numbers.unused(scenario()) if typed else ():
        shape = " × ".join(map(str, typed[name].shape))
        lines.append(
            f"Your numbers of `{name}` are {shape}, which does not fit the sizes m, n and k: they are not used now."
        )
    for name, rule in refused.items():
        value = chosen(name) if name in DIALS else st.session_state.get(name, _default(name))
        instead = "it is left out" if value in (None, "") else f"{as_text(value)} is used instead"
        lines.append(f"The link's `{name}` must be {rule}; {instead}.")
    if lines:
        st.warning("  \n".join(lines))


def asked(page: str) -> Question | None:
    """The question that this screen of the page answers, if it was opened for one.

    Parameters
    ----------
    page : str
        Its path.
    """
    text = st.query_params.get("question", "")
    question = QUESTIONS[int(float(text)) - 1] if PARAMETERS["question"].allows(text) else None
    return question if question and question.page == page else None


def link_to_questions(here: str) -> None:
    """Lead to the questions, with the reader's numbers.

    Parameters
    ----------
    here : str
        The path of the page that is shown.
    """
    st.page_link(script_of("questions"), label="Questions", query_params=_carried("questions", here))


def answer(question: Question) -> None:
    """Say the question and its answer, and lead back to the others.

    Parameters
    ----------
    question : Question
    """
    with st.container(border=True):
        st.markdown(f"**{question.asked}**")
        st.text(subscripts(question.answer))
        st.page_link(script_of("questions"), label="Back to the questions", icon=":material/arrow_back:")


# ---- from page to page ---------------------------------------------------------------------


def arrive(page: str, *, is_bare: bool) -> None:
    """Before any widget: on coming to a page, by whatever way, take up the choices that only some pages have.

    Streamlit takes them out of the address on leaving, and the browser's history holds it so too.

    Parameters
    ----------
    page : str
        The page's path.
    is_bare : bool
        Whether the page was asked for without any choice, be it one that had to be refused.
    """
    came_from = st.session_state.get("page")
    if came_from not in (None, page):
        _put_back()
    if is_bare and first_of(page) != "lab":
        # The bare path means the page's own example. What has become the lab by one choice after the other says so.
        opened = came_from != page or _is_step_of_history()
        own_numbers.say({own_numbers.EXAMPLE: first_of(page) if opened else "lab"})
    left = _left(page, came_from)
    if came_from not in (None, page) and left and not set(left) & set(st.query_params):
        # From the address each widget takes them; of the session it takes nothing on back and forward.
        own_numbers.say(left)


def _put_back() -> None:
    """On the way to another page Streamlit takes out of the address what the widgets of closed groups say: put it back."""
    context = get_script_run_ctx()
    asked = dict(parse_qsl(context.query_string)) if context else {}
    lost = {name: asked[name] for name in EVERYWHERE if name in asked and name not in st.query_params}
    if lost:
        own_numbers.say({name: text for name, text in lost.items() if PARAMETERS[name].allows(text)})


def _left(page: str, came_from: str | None) -> dict[str, str]:
    """What the address of a page said when the reader left it, and what the one that the reader comes from says of the same choices."""
    everywhere = st.session_state.setdefault("left", {})
    both = everywhere.get(page, {}) | everywhere.get(came_from, {})
    return {name: text for name, text in both.items() if page in CHOICES[name].pages}


def leave(page: str) -> None:
    """After all widgets: keep the choices that only this page has and that are not its defaults.

    Parameters
    ----------
    page : str
    """
    # Only now: of a run that another one has cut short nothing has come to the address.
    st.session_state.page = page
    there = {name: _in_address(name) for name in OF_PAGES if name in st.query_params}
    st.session_state.left[page] = {name: text for name, text in there.items() if PARAMETERS[name].allows(text)}


def _in_address(name: str) -> str:
    """What the address says of a choice, or will say in a moment."""
    value = st.session_state.get(name)
    return st.query_params[name] if value is None else _written(name, value)


# ---- a widget for a choice -----------------------------------------------------------------


def _bound(name: str) -> dict[str, Any]:
    """What every widget of a choice is given."""
    return {"label": CHOICES[name].label, "key": name, "bind": "query-params", "help": CHOICES[name].help}


def _number(name: str, **more: Any) -> None:
    """A field for a number of any size."""
    rule = PARAMETERS[name]
    kind = int if rule.whole else float
    bounds = {"min_value": kind(rule.low), "max_value": kind(rule.high), "value": _default(name)}
    digits: dict[str, Any] = {} if rule.whole else {"step": 1.0, "format": "%g"}
    st.number_input(**_bound(name) | bounds | digits | more)


def _slider(name: str, **more: Any) -> None:
    rule = PARAMETERS[name]
    kind = int if rule.whole else float
    st.slider(
        **_bound(name) | {"min_value": kind(rule.low), "max_value": kind(rule.high), "value": _default(name)} | more
    )


def _words(name: str, **more: Any) -> Any:
    """Words side by side, of which one is chosen; what it says need not be one of them."""
    options = {"options": PARAMETERS[name].options, "default": _default(name), "required": True}
    return st.segmented_control(**_bound(name) | options | more)


def _toggle(name: str) -> bool:
    return st.toggle(**_bound(name) | {"value": bool(_default(name))})


# ---- the shared sidebar --------------------------------------------------------------------


def sidebar(pages: Mapping[str, Sequence[StreamlitPage]], *, here: str) -> None:
    """Draw the links to the pages, and the controls that every page shares; the functions after this one read them.

    Parameters
    ----------
    pages : mapping from str to sequence of st.Page
        By what their group is called.
    here : str
        The path of the page that is shown.
    """
    links = {
        group: [Link(page.title, page.url_path, _carried(page.url_path, here) or {}) for page in some]
        for group, some in pages.items()
    }
    with st.sidebar:
        navigation(links, here=here)
        _example()
        # What is in a closed popover costs a drag nothing.
        with st.popover("Numbers, filled or random", width="stretch"):
            st.selectbox(**_bound("init"), options=INITIALIZERS, index=list(INITIALIZERS).index(_default("init")))
            st.caption(MADE[chosen("init")])
            _fills()
            _toggle("b_normal")
        with st.popover("Cell", width="stretch"):
            _words("g")
            _words("order")
            _toggle("stochastic")
            _large()
            _recurs()
        with st.popover("Look", width="stretch"):
            _inspect()
            _slider("decimals")
            _words("colours")
            _words("view")
        st.button("Restart", on_click=_start_example, help="Start the example again")


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
    own_numbers.say({tool: None if is_open(tool) else "true"})


def _carried(page: str, here: str) -> dict[str, str] | None:
    """What the link to a page says: the reader's choices of numbers, or the example of the page's own until there are some."""
    address = st.query_params.to_dict()
    everywhere = {name: text for name, text in address.items() if name in EVERYWHERE}
    if EXAMPLES[example()].is_first and not _has_numbers():
        numbers = everywhere | ({own_numbers.EXAMPLE: first_of(page)} if first_of(page) != "lab" else {})
    else:
        # Without any parameter the link would mean the page's own example.
        numbers = own_numbers.carried() | everywhere or {own_numbers.EXAMPLE: "lab"}
    said = {name: address[name] for name in OF_PAGES if name in address and page in CHOICES[name].pages}
    # In the link, or they would be one more step of the browser's history.
    return numbers | (_left(page, here) if page != here else {}) | said or None


def _has_numbers() -> bool:
    """Whether the reader has chosen numbers, beside an example, or frozen some."""
    names = {
        own_numbers.PARAMETER,
        own_numbers.KEPT,
        COMPARE,
        *(name for name in OF_NUMBERS if not CHOICES[name].is_look),
    }
    return bool(names & set(st.query_params))


def draw_dials(*own: str, ends: Mapping[str, int] | None = None) -> None:
    """Draw the dials: those that every page has, and the page's own.

    Parameters
    ----------
    *own : str
        Of DIALS.
    ends : mapping from str to int, optional
        Where the slider of one of them ends that ends elsewhere now.
    """
    defaults = {name: _default(name) for name in (*dials.EVERYWHERE, *own)}
    dials.dials(defaults, large=st.session_state.large, ends=ends or {})


def scenario() -> Scenario:
    """What the widgets say now.

    Returns
    -------
    Scenario
    """
    said = {name: chosen(name) for name in OF_NUMBERS}
    shown = _shown.get()
    return Scenario(**said, arrays=shown.arrays if shown else {**_start().arrays, **own_numbers.arrays()})


def looks() -> dict[str, Any]:
    """How the numbers are looked at now.

    Returns
    -------
    dict from str to object
        By the names of OF_LOOKS.
    """
    return {name: chosen(name) for name in OF_LOOKS}


def become(given: Scenario, looks: Mapping[str, object]) -> None:
    """Show this scenario from the next run on; to be called from a callback.

    Parameters
    ----------
    given : Scenario
        Of allowed choices; its arrays become the reader's own.
    looks : mapping from str to object
        How it is looked at, also allowed.
    """
    st.session_state.left = {}
    for name, value in ({name: getattr(given, name) for name in OF_NUMBERS} | dict(looks)).items():
        if name not in DIALS:
            st.session_state[name] = value
    said = {name: getattr(given, name) for name in OF_NUMBERS} | dict(looks)
    own_numbers.replace(given.changed(), {own_numbers.EXAMPLE: None, **_address(said)})


def _address(said: Mapping[str, Any]) -> dict[str, str | None]:
    """What the address says of each choice, as its widget will write it: else it would be one more step of history."""
    unused = [name for name in FILLS if name != "b" and said["init"] != "fill"]
    unused += [name for name in OF_PAGES if not own_numbers.is_bound(name)]
    address: dict[str, str | None] = {"large": "true"} if max(said[name] for name in dials.SIZES) > SMALL_SIZE else {}
    for name, value in said.items():
        default = getattr(EXAMPLES["lab"].scenario, name) if name in OF_NUMBERS else CHOICES[name].default
        address[name] = None if value == default or name in unused else _written(name, value)
    return address


def _written(name: str, value: object) -> str:
    """What a widget of this value writes into the address."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    # Sliders write 3 where a field writes 3.0.
    return text.removesuffix(".0") if name in ("scale", "forget_bias") else text


def chosen(name: str) -> Any:
    """What the widget of a choice says, or the default where no widget of ours can have said it.

    A widget's bounds are kept in the browser, and somebody's own client may send anything.
    """
    shown = _shown.get()
    if shown and name in shown.choices:
        return shown.choices[name]
    return dials.said(name, _default(name)) if name in DIALS else _of_widget(name, st.session_state.get(name))


def _of_widget(name: str, value: Any) -> Any:
    return value if value is not None and is_allowed(name, value) else _default(name)


def _default(name: str) -> Any:
    """What the widget starts from, and what the address therefore leaves out."""
    return _from(_start(), name)


def _from(start: Scenario, name: str) -> Any:
    """What a choice is where one starts from this scenario."""
    return getattr(start, name) if name in OF_NUMBERS else CHOICES[name].default


def unit() -> int:
    """The unit to inspect, counted from 1 and no more than there are."""
    return min(chosen("j"), _units())


def _units() -> int:
    return chosen("k")


def pick_unit(j: int) -> None:
    """Inspect another unit from the next run on; to be called from a callback."""
    st.session_state.j = j if type(j) is int and is_allowed("j", j) else 1


def threshold() -> float:
    """The share of the largest slope below which a unit counts as saturated, in (0, 1)."""
    return chosen("threshold") / 100


def decimals() -> int:
    """How many decimals are printed."""
    return chosen("decimals")


def fixed_colours() -> bool:
    """Whether colours keep their meaning, rather than each matrix having a scale of its own."""
    return chosen("colours") == "fixed"


def is_projected() -> bool:
    """Whether the page is laid out for a room."""
    return chosen("view") == PROJECTOR


def way_out() -> None:
    """Lead out of the projector's view, in which there is no sidebar; `page.css` takes it away where this is."""
    if is_projected():
        st.button("Leave projector", key="leave", shortcut="Esc", on_click=_leave_projector)


def _leave_projector() -> None:
    st.session_state.view = CHOICES["view"].default


def example() -> str:
    """The worked example that the choices started from."""
    if shown := _shown.get():
        return shown.example
    name = st.query_params.get(own_numbers.EXAMPLE)
    return name if name in EXAMPLES else "lab"


def _is_step_of_history() -> bool:
    """Whether this run was asked for by back or forward."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _start() -> Scenario:
    """What the widgets start from, and what the URL therefore leaves out."""
    return EXAMPLES[example()].scenario


def _example() -> None:
    """Which example.

    The widget is not bound to its parameter: that would change the address that back must come back to.
    """
    if st.session_state.get(own_numbers.EXAMPLE) != example():
        st.session_state[own_numbers.EXAMPLE] = example()
    widget = _bound(own_numbers.EXAMPLE) | {"bind": None}
    st.selectbox(**widget, options=EXAMPLES, format_func=lambda name: EXAMPLES[name].title, on_change=_choose_example)
    # In a container of its own: what is below would move up when the line goes, and be shut if it is open.
    with st.container():
        if not _has_numbers() and EXAMPLES[example()].is_first:
            st.caption("Each page opens on an example of its own. Change a number, and every page shows yours.")


def _choose_example() -> None:
    """Start what was chosen; in a step through the history the browser may say once more what it showed before."""
    if not _is_step_of_history():
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
    j = min(unit(), start.k)
    said = {own_numbers.EXAMPLE: None if name == "lab" else name, "j": None if j == 1 else str(j), "question": None}
    own_numbers.replace({}, said | dict.fromkeys(reset))
    st.session_state.left = {}
    for choice, value in (reset | {"j": j}).items():
        if choice not in DIALS:
            st.session_state[choice] = value


def _large() -> None:
    """Whether the sizes' sliders reach up to 512: once that is asked for, or a size needs it."""
    if is_large():
        st.session_state.large = True
    st.toggle(**_bound("large"), disabled=is_large())


def is_large() -> bool:
    """Whether a size is beyond the usual ones."""
    return any(chosen(name) > SMALL_SIZE for name in dials.SIZES)


def _inspect() -> None:
    """Which unit is inspected, and when it counts as saturated."""
    k = _units()
    if st.session_state.get("j", 1) > k:
        st.session_state.j = k
    _number("j", max_value=k)
    _slider("threshold", format="%d %%")


def _recurs() -> None:
    n, k = chosen("n"), chosen("k")
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
    own_numbers.say({"n": str(chosen("k"))})


def _fills() -> None:
    """The values for `fill`; of them only the bias matters to the other ways."""
    if st.session_state.init != "fill":
        _fill("b")
        return
    with st.container(horizontal=True):
        for name in FILLS:
            _fill(name)


def _fill(name: str) -> None:
    """A value for `fill`, unless the example has numbers of its own in its place."""
    array, size = INPUTS.get(name, ("", "k"))
    if not _start().has(array, (chosen(size), 1)):
        _number(name, width=80)


# ---- what else a picture is drawn of -------------------------------------------------------


class Snapshot(NamedTuple):
    """What the controls say, without the controls.

    Attributes
    ----------
    choices : mapping from str to object
    arrays : mapping from str to ndarray
        The reader's own numbers, and those of the example.
    example : str
        The worked example that the choices started from.
    is_frozen : bool
        Whether it is of A.
    """

    choices: Mapping[str, Any]
    arrays: Mapping[str, Array]
    example: str
    is_frozen: bool = False


_shown: ContextVar[Snapshot | None] = ContextVar("what is shown is not what the controls say", default=None)


def snapshot() -> Snapshot:
    """What the controls say now of all that a picture follows from."""
    widgets = st.session_state.to_dict()  # to ask for them one by one takes a tenth of a run
    said = {
        name: dials.said(name, _default(name)) if name in DIALS else _of_widget(name, widgets.get(name))
        for name in OF_PICTURES
    }
    return Snapshot(said, {**_start().arrays, **own_numbers.arrays()}, example())


def frozen() -> Snapshot | None:
    """What the address has as frozen, if anything: of OF_FROZEN alone."""
    said = read_frozen(st.query_params.get(COMPARE, ""))
    if said is None:
        return None
    start = EXAMPLES[said.get(own_numbers.EXAMPLE, "lab")].scenario
    choices = {name: of_text(name, said[name]) if name in said else _from(start, name) for name in OF_FROZEN}
    own = own_numbers.read_link(said.get(own_numbers.PARAMETER, "")) or {}
    return Snapshot(choices, {**start.arrays, **own}, example(), is_frozen=True)


@contextmanager
def showing(snapshot: Snapshot, moved: Mapping[str, str] = MappingProxyType({})) -> Iterator[None]:
    """While a snapshot is drawn, the controls say that; of what it does not have, they say what they said before.

    Parameters
    ----------
    snapshot : Snapshot
    moved : mapping from str to str, optional
        What dials say that have been moved since.
    """
    before = _shown.get()
    said = {name: of_text(name, text) for name, text in dials.allowed(moved).items()}
    token = _shown.set(snapshot._replace(choices={**(before.choices if before else {}), **snapshot.choices, **said}))
    try:
        yield
    finally:
        _shown.reset(token)


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
    start = _start()
    said = {name: chosen(name) for name in OF_FROZEN}
    changed = {name: _written(name, value) for name, value in said.items() if value not in (None, _from(start, name))}
    typed = st.query_params.get(own_numbers.PARAMETER)
    own = {own_numbers.PARAMETER: typed} if typed else {}
    own_numbers.say({COMPARE: urlencode({own_numbers.EXAMPLE: example(), **changed, **own})})


def _stop_comparing() -> None:
    own_numbers.say({COMPARE: None})


# ---- one page's controls -------------------------------------------------------------------


def stages() -> tuple[str, ...]:
    """How far the page is revealed.

    Returns
    -------
    tuple of str
        The stages to show, from the first of STAGES on.
    """
    stage = _words("stage", label_visibility="collapsed")
    return STAGES[: STAGES.index(stage) + 1]


def predict() -> bool:
    """Whether the output of the inspected unit is to be predicted before it is shown.

    Returns
    -------
    bool
    """
    return _toggle("predict")


def is_predicted(output: str, j: int, truth: float) -> bool:
    """Whether the reader has said what the output of a unit is, as far as its decimals are printed; asks for it.

    Once it is said, the whole page runs: what is not drawn live may show it too.

    Parameters
    ----------
    output : str
        What the screen calls it.
    j : int
        The unit, counted from 1.
    truth : float

    Returns
    -------
    bool
    """
    shown = _shown.get()
    if shown and shown.is_frozen:  # which is not drawn before the reader has said it
        return True
    said = _says(f"{output} of unit {j}", truth)
    was_hidden = is_hidden()
    st.session_state.hidden = not said
    if said and was_hidden:
        st.rerun()
    return said


def is_hidden() -> bool:
    """Whether what was asked for last is still to be predicted."""
    return bool(chosen("predict") and st.session_state.get("hidden"))


def _says(asked: str, truth: float) -> bool:
    """Whether a field has that number; what is wrong with it stands below."""
    # Of other numbers it is another question. A browser shows the key to whoever looks for it.
    key = f"predicted {sha256(f'{asked} {truth!r}'.encode()).hexdigest()[:12]}"
    digits = max(decimals(), 2)  # with none, 0 would be right of every tanh
    text = st.text_input(f"{asked}, with {digits} decimals", key=key, width=240)
    if not text:
        return False
    try:
        answer = parse_answer(text)
    except ValueError as error:
        st.error(str(error))
        return False
    if isinstance(answer, tuple) or abs(answer - truth) > 1.001 * 10.0**-digits:
        st.warning("Not that number. Try once more.")
        return False
    st.success("Right.")
    return True


def unmatched() -> bool:
    """Whether the stack is swapped while W's columns stay where they are.

    Returns
    -------
    bool
    """
    return _toggle("unmatched")


def gates(*cells: str, own_weights: bool = False) -> None:
    """The choices that only some cells have beside their dials, which `scenario` reads: weights of a gate's own.

    Parameters
    ----------
    *cells : str
        Names of CELLS.
    own_weights : bool
        Whether to offer weights of its own to every gate, rather than to show those that have them.
    """
    names = of_cell(*cells)["instead"]
    if own_weights:
        with st.popover("Weights of one gate"):
            st.caption("One value for all weights of a gate. Where there is none they are made like the others.")
            with st.container(horizontal=True):
                for name in names:
                    _number(name, placeholder="none", width=90)
        return
    for name in names:
        if st.session_state.get(name) is not None or name in st.query_params:
            _number(name, placeholder="none", width=90)


def added_to_gates(*cells: str) -> list[str]:
    """The dials that only some cells have: of what is added to a gate's bias.

    Parameters
    ----------
    *cells : str
        Names of CELLS.
    """
    return of_cell(*cells)["added"]


def cell_state() -> None:
    """The value of c_{t-1}, which `scenario` reads, where the numbers are filled in."""
    if st.session_state.init == "fill":
        _fill("c")


def output() -> bool:
    """Whether to show the optional output y_t; with it, its size and the fill value of its weights.

    Returns
    -------
    bool
    """
    shown = _toggle("y")
    if shown:
        _number("p", width=140)
        if st.session_state.init == "fill":
            _fill("w_y")
    return shown


def source() -> str:
    """Where z comes from.

    Returns
    -------
    str
        One of SOURCES, or TYPED_Z.
    """
    _words("source")
    return chosen("source")


def cell() -> str:
    """Which cell runs over the sequence.

    Returns
    -------
    str
        A name of CELLS.
    """
    _words("cell")
    return chosen("cell")


def recipe() -> Recipe:
    """A training of the reader's own.

    Returns
    -------
    Recipe

    Raises
    ------
    ValueError
        If no training can have these choices together.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        options, task = PARAMETERS["task"].options, _default("task")
        st.selectbox(**_bound("task"), options=options, index=options.index(task), width=140)  # too many for a phone
        for name in ("trained", "optimiser", "clip", "start"):
            _words(name)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in ("units", "length", "start_scale", "start_bias", "rate", "clip_at", "updates"):
            _number(name, width=140)
    return Recipe(
        task=chosen("task"),
        cell=chosen("trained"),
        k=chosen("units"),
        T=chosen("length"),
        init=chosen("start"),
        scale=chosen("start_scale"),
        forget_bias=chosen("start_bias"),
        g=chosen("g"),
        optimiser=chosen("optimiser"),
        rate=chosen("rate"),
        clip=chosen("clip"),
        clip_at=chosen("clip_at"),
        updates=chosen("updates"),
        seed=dials.said("seed", 0),
    )


def story_of_training() -> str:
    """Which comparison of trainings is told.

    Returns
    -------
    str
        A name of STORIES, or "own".
    """
    return _words("story")


def become_trained(film: Film, frame: int) -> None:
    """Take a trained cell's weights for the reader's own numbers, on all pages; to be called from a callback.

    Parameters
    ----------
    film : Film
    frame : int
        Counted from 0.
    """
    made = film.recipe
    sizes = {"m": film.xs.shape[1], "n": made.k, "k": made.k}
    given = replace(
        scenario(), **sizes, cell=made.cell, scale=1.0, forget_bias=0.0, T=made.T, arrays=arrays_at(film, frame)
    )
    become(given, looks() | {"j": min(unit(), made.k)})


def practice() -> tuple[str, int, int, int]:
    """What is practised.

    Returns
    -------
    kind : str
        A name of EXERCISES.
    level, number, seed : int
        The seed is the address's alone: no worked example has a say in it.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        # Not bound to its parameter: that would have the words of the screen and not the name.
        st.session_state.kind = st.query_params.get("kind", _default("kind"))
        widget = _bound("kind") | {"bind": None}
        st.selectbox(**widget, options=EXERCISES, format_func=EXERCISES.__getitem__, on_change=_choose_kind, width=320)
        _number("level", width=120)
        _number("number", width=140)
    return chosen("kind"), chosen("level"), chosen("number"), dials.said("seed", 0)


def _choose_kind() -> None:
    """Practise something else."""
    if is_allowed("kind", st.session_state.kind):
        own_numbers.say({"kind": st.session_state.kind, "number": None})


def next_exercise() -> None:
    """Go on to the next one; to be called from a callback."""
    rule = PARAMETERS["number"]
    st.session_state.number = min(chosen("number") + 1, int(rule.high))


def layer() -> tuple[LayerSizes, GivenSizes]:
    """A layer of a framework and the shapes of what it is given, which are chosen here.

    Returns
    -------
    layer : LayerSizes
    given : GivenSizes

    Raises
    ------
    ValueError
        If there is no such layer.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _words("framework")
        _words("cell")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in ("input_size", "hidden_size", "num_layers", "proj_size"):
            _number(name, width=130)
        for name in ("bidirectional", "batch_first"):
            _toggle(name)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in ("x_shape", "h0_shape", "c0_shape", "linear"):
            st.text_input(**_bound(name), value=_default(name), max_chars=40, width=150)
            if not PARAMETERS[name].allows(st.session_state[name]):
                st.error(f"{CHOICES[name].label} must be {PARAMETERS[name]}; {_default(name) or 'none'} is taken.")
    x, h0, c0, linear = (_sizes(chosen(name)) for name in ("x_shape", "h0_shape", "c0_shape", "linear"))
    made = LayerSizes(
        chosen("framework"),
        chosen("cell"),
        chosen("input_size"),
        chosen("hidden_size"),
        chosen("num_layers"),
        chosen("bidirectional"),
        chosen("batch_first"),
        chosen("proj_size"),
    )
    return made, GivenSizes(x or (), h0, c0, linear if linear and len(linear) == 2 else None)


def is_layer_chosen() -> bool:
    """Whether the address says anything of the layer."""
    return bool({*OF_LAYER} & {*st.query_params})


def _sizes(text: str) -> tuple[int, ...] | None:
    """A shape as its field says it."""
    return tuple(int(float(size)) for size in text.split(",")) if text else None


def become_layer(layer: LayerSizes, given: GivenSizes) -> None:
    """Choose a layer, from the next run on; to be called from a callback.

    Parameters
    ----------
    layer : LayerSizes
    given : GivenSizes
    """
    said = {
        "framework": layer.framework,
        "cell": layer.cell,
        "input_size": layer.m,
        "hidden_size": layer.k,
        "num_layers": layer.layers,
        "bidirectional": layer.bidirectional,
        "batch_first": layer.batch_first,
        "proj_size": layer.proj_size,
        **{f"{name}_shape": ",".join(map(str, getattr(given, name) or ())) for name in ("x", "h0", "c0")},
        "linear": ",".join(map(str, given.linear or ())),
    }
    for name, value in said.items():
        if is_allowed(name, value):
            st.session_state[name] = value


def sequence() -> None:
    """What the sequence is made of, which `scenario` reads; what is refused is said here and changes nothing."""
    made_of = _words("input", on_change=_fit_word)
    if made_of == "word":
        st.text_input(
            **_bound("word"),
            value=_default("word"),
            max_chars=PARAMETERS["word"].longest,
            on_change=_take_word,
            width=140,
        )
        st.session_state.last_word = chosen("word")
    if made_of == "numbers":
        xs = own_numbers.arrays().get("xs")
        st.text_area(
            "xₜ at every step",
            "" if xs is None else "\n".join(" ".join(map(str, row)) for row in xs.tolist()),
            key="pasted",
            height=96,
            placeholder="one line for each step, with m numbers in it",
            help="From a spreadsheet, as lines of numbers, as nested lists or as np.array(...).",
        )


def _fit_word() -> None:
    """Give x_t an entry for each character; of a sequence that is no word nothing changes."""
    if st.session_state.input == "word":
        needed = len(alphabet(chosen("word")))
        if needed > chosen("m"):
            own_numbers.say({"m": str(needed)})


def _take_word() -> None:
    """Take the word, or say what it must be and keep the last one."""
    if PARAMETERS["word"].allows(st.session_state.word):
        _fit_word()
    else:
        st.session_state.word_refused = f"word must be {PARAMETERS['word']}. The last one is kept."
        st.session_state.word = st.session_state.last_word


def take_sequence() -> str | None:
    """Make what was typed or pasted for the sequence the reader's own_numbers.

    Returns
    -------
    str or None
        Why it was not taken; what was there is kept.
    """
    if st.session_state.input == "word":
        return st.session_state.pop("word_refused", None)
    pasted = st.session_state.get("pasted", "")
    if "xs" not in own_numbers.arrays():
        st.session_state.pop("taken", None)
    if st.session_state.input != "numbers" or not pasted or pasted == st.session_state.get("taken"):
        return None
    try:
        xs = parse(pasted)
    except ValueError as error:
        return f"{error} What was there is kept."
    m = chosen("m")
    if xs.shape[1] != m:
        return f"Each step needs m = {m} numbers, and these have {xs.shape[1]}: set m to that, or paste others. What was there is kept."
    st.session_state.taken = pasted
    own_numbers.keep({"xs": xs})
    return None


def edited(names: Sequence[str]) -> str:
    """Which array is edited.

    Parameters
    ----------
    names : sequence of str
        All that there are, the most likely ones first.

    Returns
    -------
    str
    """
    st.selectbox(**_bound("array"), options=names, width=200)
    name = st.session_state.array
    return name if name in names else names[0]


def recurrent() -> tuple[Scenario, list[str]]:
    """What the widgets say now, as a cell that can be unrolled.

    Returns
    -------
    scenario : Scenario
        With n = k.
    remarks : list of str
        What to say where the widgets say another n.
    """
    now = scenario()
    if now.k == now.n:
        return now, []
    return replace(now, n=now.k), [
        f"k = {now.k} but n = {now.n}: of such a cell only one step can be computed, for its h_t has {now.k} entries and W_{{hh}} a column for each "
        f"of {now.n}. Here n is taken as {now.k}; the button under Cell in the sidebar sets it."
    ]


def pick_scale(scales: Array, step: int) -> None:
    """Take one of some scales from the next run on; to be called from a callback.

    Parameters
    ----------
    scales : ndarray
    step : int
        Counted from 1.
    """
    if type(step) is int and 1 <= step <= len(scales):
        own_numbers.say({"scale": None if scales[step - 1] == _default("scale") else as_text(scales[step - 1])})


def pick_moment(t: int) -> None:
    """Look at another step from the next run on; to be called from a callback."""
    if is_allowed("t", t):
        own_numbers.say({"t": None if t == 1 else str(t)})
