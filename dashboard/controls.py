"""Every widget. A widget's key is its URL parameter, so a link, a reload and the back button keep it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.examples import EXAMPLES
from core.initialize import INITIALIZERS
from core.inputs import alphabet
from core.joins import ORDERS
from core.lstm import GATES
from core.scenario import INPUTS as SEQUENCES
from core.scenario import SOURCES, Scenario
from core.typed import parse
from dashboard import own

SMALL_SIZE, LARGEST_SIZE = 32, 512
LARGEST_FILL = 1000.0
LARGEST_SEED = 2**31 - 1
# 0.010, 0.011 ... 0.099, 0.10 ... 99, 100: two significant digits everywhere.
SCALES = [float(f"{mantissa}e{power}") for power in (-3, -2, -1, 0) for mantissa in range(10, 100)] + [100.0]
TYPED_Z = "typed"
# Each of its characters may need an entry of x_t.
LONGEST_WORD = SMALL_SIZE
CHOICES = [choice.name for choice in fields(Scenario) if choice.name != "arrays"]
# How it is looked at, which no example has a say in.
LOOKS = (
    *("decimals", "colours", "threshold", "j", "stage", "unmatched", "source", "z", "y"),
    *("cell", "input", "word", "T", "t"),
)
STAGES = ("join", "multiply", "bias", "activate", "all")
SIZES = ("m", "n", "k")
FILL_HELP = {
    "w_hh": "The h-columns of every weight matrix: Wₕₕ in the plain cell, and in the gates of an LSTM alike.",
    "w_hx": "The x-columns of every weight matrix: Wₕₓ in the plain cell, and in the gates of an LSTM alike.",
}
FILLS = {"w_hh": "Wₕₕ", "w_hx": "Wₕₓ", "h": "hₜ₋₁", "x": "xₜ", "b": "b"}
# The inputs that an example may have numbers of its own for: the array, and what its size is called.
INPUTS = {"h": ("h_prev", "n"), "x": ("x_t", "m"), "c": ("c_prev", "k")}


# ---- what a link may say -------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A parameter that is a number between two bounds."""

    low: float
    high: float
    whole: bool = False

    def allows(self, text: str) -> bool:
        try:
            value = float(text)
        except ValueError:
            return False
        return self.low <= value <= self.high and (not self.whole or value.is_integer())

    def __str__(self) -> str:
        return f"a {'whole ' if self.whole else ''}number from {self.low:.10g} to {self.high:.10g}"


@dataclass(frozen=True)
class OneOf:
    """A parameter that is one of some words."""

    options: tuple[str, ...]
    rule: str = ""

    def allows(self, text: str) -> bool:
        return text in self.options

    def __str__(self) -> str:
        return self.rule or f"one of {', '.join(self.options)}"


@dataclass(frozen=True)
class Word:
    """A parameter that is a short text of printable characters."""

    longest: int

    def allows(self, text: str) -> bool:
        return 0 < len(text) <= self.longest and text.isprintable()

    def __str__(self) -> str:
        return f"1 to {self.longest} printable characters"


SIZE = Number(1, LARGEST_SIZE, whole=True)
FILL = Number(-LARGEST_FILL, LARGEST_FILL)
FLAG = OneOf(("true", "false"))

PARAMETERS = {
    own.EXAMPLE: OneOf(tuple(EXAMPLES)),
    **dict.fromkeys(SIZES, SIZE),
    "large": FLAG,
    "order": OneOf(ORDERS),
    "init": OneOf(tuple(INITIALIZERS)),
    "seed": Number(0, LARGEST_SEED, whole=True),
    "scale": OneOf(
        tuple(f"{scale:g}" for scale in SCALES),
        "a number from 0.01 to 100 with at most two significant digits, written like 0.5 or 12",
    ),
    **dict.fromkeys(FILLS, FILL),
    "b_normal": FLAG,
    "g": OneOf(tuple(ACTIVATIONS)),
    "decimals": Number(0, 6, whole=True),
    "colours": OneOf(("fixed", "matrix")),
    "stage": OneOf(STAGES),
    "unmatched": FLAG,
    "j": SIZE,
    "threshold": Number(1, 50, whole=True),
    **dict.fromkeys(("c", "w_f", "w_i", "w_c", "w_o", "w_y"), FILL),
    "forget_bias": Number(-10, 10),
    "stochastic": FLAG,
    "y": FLAG,
    "source": OneOf((*SOURCES, TYPED_Z)),
    "z": FILL,
    "T": Number(1, LARGEST_SIZE, whole=True),
    "p": Number(1, SMALL_SIZE, whole=True),
    "cell": OneOf(tuple(CELLS)),
    "input": OneOf(SEQUENCES),
    "word": Word(LONGEST_WORD),
    "t": Number(1, LARGEST_SIZE, whole=True),
    "edit": FLAG,
    "take": FLAG,
    "array": OneOf(tuple(Scenario().shapes())),
    own.PARAMETER: own.Typed(),
    own.KEPT: own.Kept(),
}


# Those of which the widgets are not in the sidebar.
PAGE_LEVEL = (
    *("stage", "unmatched", "c", "w_f", "w_i", "w_c", "w_o", "w_y", "forget_bias", "y", "p"),
    *("source", "z", "T", "cell", "input", "word", "t", "array"),
)


def refused_parameters() -> dict[str, str]:
    """The parameters whose value in the link cannot be taken, and the rule that each breaks.

    They are taken out of the URL before any widget sees them, which needs a second run: of some of these
    values Streamlit makes None, and at others it raises. Once there are widgets, they mind their own bounds.

    Returns
    -------
    dict
        From the name to the rule.
    """
    if "m" in st.session_state:
        return {}
    rules = PARAMETERS | {"j": Number(1, _link_size("k") or _start().k, whole=True)}
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
    lines = own.missing()
    typed = own.arrays()
    for name in own.unused(scenario()) if typed else ():
        shape = " × ".join(map(str, typed[name].shape))
        lines.append(
            f"Your numbers of `{name}` are {shape}, which does not fit the sizes in the sidebar: they are not used now."
        )
    for name, rule in refused.items():
        value = st.session_state.get(name, getattr(_start(), name) if name in CHOICES else None)
        instead = "it is left out" if value is None else f"{_text(value)} is used instead"
        lines.append(f"The link's `{name}` must be {rule}; {instead}.")
    if lines:
        st.warning("  \n".join(lines))


def _text(value: object) -> str:
    """A widget's value as a link would say it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


# ---- from page to page ---------------------------------------------------------------------


def arrive(page: str) -> None:
    """Before any widget: on coming to a page, by whatever way, take up the choices that only some pages have.

    Streamlit takes them out of the address on leaving, and the browser's history holds it so too.

    Parameters
    ----------
    page : str
        The page's path.
    """
    came_from, st.session_state.page = st.session_state.get("page"), page
    everywhere = st.session_state.setdefault("left", {})
    left = everywhere.get(page, {}) | everywhere.get(came_from, {})
    for name, value in st.session_state.pop("returned", {}).items():
        st.session_state[name] = value
    if came_from not in (None, page) and left and not set(left) & set(st.query_params):
        # On back and forward Streamlit gives a widget that the address does not name its default, whatever the session
        # says. So the choices are taken up in a run of their own.
        st.session_state.returned = left
        st.rerun()


def leave(page: str) -> None:
    """After all widgets: keep the choices that only this page has and that are not its defaults.

    Parameters
    ----------
    page : str
    """
    there = {name for name in PAGE_LEVEL if name in st.query_params}
    st.session_state.left[page] = {name: st.session_state[name] for name in there if name in st.session_state}


# ---- the shared sidebar --------------------------------------------------------------------


def sidebar(pages: Sequence[StreamlitPage]) -> None:
    """Draw the links to the pages, and the controls that every page shares; the functions after this one read them.

    Parameters
    ----------
    pages : sequence of st.Page
    """
    with st.sidebar:
        for page in pages:
            st.page_link(page, query_params=own.carried())
        _example()
        start = _start()
        _sizes(start)
        _inspect(start)
        st.segmented_control(
            "Activation g of the plain cell",
            list(ACTIVATIONS),
            default=start.g,
            required=True,
            key="g",
            bind="query-params",
            help="The plain cell is the vanilla or Elman RNN. The LSTM and the GRU have σ and tanh in fixed places.",
        )
        st.segmented_control(
            "Order of both joins",
            ORDERS,
            default=start.order,
            required=True,
            key="order",
            bind="query-params",
            help="Which comes first in both joins (concatenations): in the stack from top to bottom, in Wₕ from left to "
            "right.",
        )
        st.select_slider(
            "Scale of the weights",
            SCALES,
            start.scale,
            format_func="{:g}".format,
            key="scale",
            bind="query-params",
            help="Multiplies every weight; neither the bias nor the inputs.",
        )
        st.selectbox(
            "Numbers",
            list(INITIALIZERS),
            index=list(INITIALIZERS).index(start.init),
            key="init",
            bind="query-params",
            help="Glorot and orthogonal are rules for weights: there hₜ₋₁, xₜ and cₜ₋₁ are drawn from N(0, 1).",
        )
        _fills(start)
        _draws(start)
        _display(start)
        st.toggle(
            "Edit numbers", key="edit", bind="query-params", help="Type or paste numbers of your own, for any matrix."
        )
        st.toggle(
            "Save, open, share", key="take", bind="query-params", help="A link, files, and code for what you see."
        )


def scenario() -> Scenario:
    """What the sidebar's widgets say now.

    Returns
    -------
    Scenario
    """
    start = _start()
    said = {name: _allowed(name, st.session_state.get(name), getattr(start, name)) for name in CHOICES}
    return Scenario(**said, arrays={**start.arrays, **own.arrays()})


def expect_allowed(given: Scenario) -> None:
    """Raise unless a link could say all its choices.

    Parameters
    ----------
    given : Scenario

    Raises
    ------
    ValueError
        Naming the first choice that is out of bounds, and the rule.
    """
    for name in CHOICES:
        value = getattr(given, name)
        if value is not None and not _may(name, value):
            raise ValueError(f"{name} must be {PARAMETERS[name]}: change it in the file.")


def become(given: Scenario) -> None:
    """Show this scenario from the next run on; to be called from a callback.

    Parameters
    ----------
    given : Scenario
        Of allowed choices; its arrays become the reader's own.
    """
    st.session_state.left = {}
    for name in CHOICES:
        st.session_state[name] = getattr(given, name)
    own.replace(given.changed(), {own.EXAMPLE: None, **_address(given)})


def _address(given: Scenario) -> dict[str, str | None]:
    """What the address says of each choice, as its widget will write it: else it would be one more step of history."""
    unused = [name for name in FILLS if name != "b" and given.init != "fill"]
    unused += [name for name in PAGE_LEVEL if not own.is_bound(name)]
    said: dict[str, str | None] = {"large": "true"} if max(given.m, given.n, given.k) > SMALL_SIZE else {}
    for name in CHOICES:
        value, default = getattr(given, name), getattr(EXAMPLES["lab"].scenario, name)
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if name in ("scale", "forget_bias"):  # sliders, which write 3 where a field writes 3.0
            text = text.removesuffix(".0")
        said[name] = None if value == default or name in unused else text
    return said


def _allowed(name: str, value: object, default: object) -> object:
    """The value, or the default where no widget of ours can have said it.

    A widget's bounds are kept in the browser, and somebody's own client may send anything.
    """
    return value if value is not None and _may(name, value) else default


def _may(name: str, value: object) -> bool:
    """Whether a widget may hold the value: in all its digits, of which a text shows a few."""
    if isinstance(value, float):
        return value in SCALES if name == "scale" else PARAMETERS[name].allows(repr(value))
    return PARAMETERS[name].allows(_text(value))


def unit() -> int:
    """The unit to inspect, counted from 1 and no more than there are."""
    return min(_allowed("j", st.session_state.j, 1), _units())


def _units() -> int:
    return _allowed("k", st.session_state.k, _start().k)


def pick_unit(j: int) -> None:
    """Inspect another unit from the next run on; to be called from a callback."""
    st.session_state.j = _allowed("j", j, 1)


def threshold() -> float:
    """The share of the largest slope below which a unit counts as saturated, in (0, 1)."""
    return _allowed("threshold", st.session_state.threshold, _start().threshold) / 100


def decimals() -> int:
    """How many decimals are printed."""
    return _allowed("decimals", st.session_state.decimals, _start().decimals)


def fixed_colours() -> bool:
    """Whether colours keep their meaning, rather than each matrix having a scale of its own."""
    return st.session_state.colours == "fixed"


def example() -> tuple[str, str]:
    """The worked example that the choices started from.

    Returns
    -------
    name, story : str
        The story tells of the example as it starts.
    """
    name = _example_name()
    return name, EXAMPLES[name].story


def _is_step_of_history() -> bool:
    """Whether this run was asked for by back or forward."""
    return get_script_run_ctx().is_history_navigation


def _example_name() -> str:
    return _allowed(own.EXAMPLE, st.query_params.get(own.EXAMPLE), "lab")


def _start() -> Scenario:
    """What the widgets start from, and what the URL therefore leaves out."""
    return EXAMPLES[_example_name()].scenario


def _example() -> None:
    """Which example, and to start it again.

    The widget is not bound to its parameter: that would change the address that back must come back to.
    """
    if st.session_state.get(own.EXAMPLE) != _example_name():
        st.session_state[own.EXAMPLE] = _example_name()
    st.selectbox(
        "Worked example",
        list(EXAMPLES),
        key=own.EXAMPLE,
        on_change=_choose_example,
        help="Sets the choices below. All but the lab are made for the LSTM.",
    )
    st.button("Restart", on_click=_start_example, help="Start the example again")


def _choose_example() -> None:
    """Start what was chosen; in a step through the history the browser may say once more what it showed before."""
    if not _is_step_of_history():
        _start_example()


def _start_example() -> None:
    """As the example starts: with its own numbers only, but looked at as before."""
    name = _allowed(own.EXAMPLE, st.session_state[own.EXAMPLE], "lab")
    start = EXAMPLES[name].scenario
    reset = [choice for choice in CHOICES if choice not in LOOKS]
    j = min(unit(), start.k)
    said = {own.EXAMPLE: None if name == "lab" else name, "j": None if j == start.j else str(j)}
    own.replace({}, said | dict.fromkeys(reset))
    st.session_state.left = {}
    st.session_state.j = j
    for choice in reset:
        st.session_state[choice] = getattr(start, choice)


def _sizes(start: Scenario) -> None:
    """Three sliders up to 32, or up to 512 once that is asked for or a size needs it."""
    # On back and forward the address has the sizes, and a slider would cut off what is beyond its end.
    known = {} if _is_step_of_history() else st.session_state
    beyond = any((known.get(name) or _link_size(name)) > SMALL_SIZE for name in SIZES)
    if beyond:
        st.session_state.large = True
    large = st.session_state.get("large", st.query_params.get("large") == "true")
    largest = LARGEST_SIZE if large else SMALL_SIZE
    for name, label, help in (
        ("m", "m: entries of the input xₜ", "In other texts m may be the batch size. Here the batch is one column."),
        ("n", "n: entries of the previous hₜ₋₁", "Wₕₕ has a column for each of them."),
        ("k", "k: units, the entries of hₜ", "Each unit is a row of Wₕ."),
    ):
        st.slider(label, 1, largest, getattr(start, name), key=name, bind="query-params", help=help)
    # In a container of its own: if the widgets below moved up when the button goes, Streamlit might drop their values
    # from the address.
    with st.container():
        _recurs()
    st.toggle(
        "Sizes up to 512",
        key="large",
        bind="query-params",
        disabled=beyond,
        help="To turn this off, bring every size to 32 or less.",
    )


def _link_size(name: str) -> float:
    text = st.query_params.get(name, "")
    return float(text) if SIZE.allows(text) else 0


def _inspect(start: Scenario) -> None:
    """Which unit is inspected, and when it counts as saturated."""
    k = _units()
    if st.session_state.get("j", 1) > k:
        st.session_state.j = k
    st.number_input("Inspect unit j", 1, k, min(start.j, k), key="j", bind="query-params")
    st.slider(
        "Saturated below",
        1,
        50,
        5,
        format="%d %%",
        key="threshold",
        bind="query-params",
        help="A unit counts as saturated when less than this share of the activation's largest slope (derivative) is left "
        "at its z.",
    )


def _recurs() -> None:
    n, k = st.session_state.n, st.session_state.k
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
    st.session_state.n = st.session_state.k


def _fills(start: Scenario) -> None:
    """The values for `fill`; of them only the bias matters to the other ways."""
    if st.session_state.init != "fill":
        _fill(start, "b", FILLS["b"])
        return
    with st.container(horizontal=True):
        for name in FILLS:
            _fill(start, name, FILLS[name], FILL_HELP.get(name))


def _fill(start: Scenario, name: str, label: str, help: str | None = None) -> None:
    """A value for `fill`, unless the example has numbers of its own in its place."""
    array, size = INPUTS.get(name, ("", "k"))
    if start.has(array, (st.session_state[size], 1)):
        return
    st.number_input(
        label,
        -LARGEST_FILL,
        LARGEST_FILL,
        getattr(start, name),
        step=1.0,
        format="%g",
        key=name,
        bind="query-params",
        width=80,
        help=help,
    )


def _draws(start: Scenario) -> None:
    """What is drawn at random beside the weights, and from which seed."""
    st.toggle(
        "Sample the LSTM's gates: 0 or 1",
        start.stochastic,
        key="stochastic",
        bind="query-params",
        help="Bernoulli-sampled gates, not the standard LSTM: each unit of f, i and o is 1 with the gate's value as its "
        "probability, else 0.",
    )
    st.toggle(
        "Random bias b ~ N(0, 1)",
        start.b_normal,
        key="b_normal",
        bind="query-params",
        help="As in the lab. Without it every bias has the value above.",
    )
    st.number_input(
        "Seed",
        0,
        LARGEST_SEED,
        start.seed,
        key="seed",
        bind="query-params",
        help="The same seed draws the same numbers, on every page and after every reload.",
    )


def _display(start: Scenario) -> None:
    st.slider(
        "Decimals",
        0,
        6,
        start.decimals,
        key="decimals",
        bind="query-params",
        help="A number without decimals is that number exactly, in the computer's float64; 1.00 is rounded for the screen.",
    )
    st.segmented_control(
        "Colours",
        ("fixed", "matrix"),
        default=start.colours,
        required=True,
        key="colours",
        bind="query-params",
        help="Fixed colours mean the same while you drag; per matrix, each has its own extremes.",
    )


# ---- one page's controls -------------------------------------------------------------------


def stages() -> tuple[str, ...]:
    """How far the page is revealed.

    Returns
    -------
    tuple of str
        The stages to show, from the first of STAGES on.
    """
    chosen = st.segmented_control(
        "Show",
        STAGES,
        default=_start().stage,
        required=True,
        key="stage",
        bind="query-params",
        label_visibility="collapsed",
    )
    return STAGES[: STAGES.index(chosen) + 1]


def unmatched() -> bool:
    """Whether the stack is swapped while W's columns stay where they are.

    Returns
    -------
    bool
    """
    return st.toggle(
        "Swap only the stack",
        _start().unmatched,
        key="unmatched",
        bind="query-params",
        help="Swap the stack, but not the columns of Wₕ that go with it: the classic mistake.",
    )


def gates(*, own_weights: bool = False) -> None:
    """The choices of the LSTM's gates, which `scenario` reads: the forget bias, and weights of their own.

    Parameters
    ----------
    own_weights : bool
        Whether to offer weights of its own to every gate, rather than to show those that have them.
    """
    start = _start()
    st.slider(
        "Forget bias",
        -10.0,
        10.0,
        start.forget_bias,
        0.5,
        key="forget_bias",
        bind="query-params",
        width=200,
        help="Added to every entry of the forget gate's bias b_f. Keras starts with 1, PyTorch around 0.",
    )
    for gate in GATES:
        key = f"w_{gate}"
        if own_weights or st.session_state.get(key) is not None or key in st.query_params:
            st.number_input(
                f"$W_{gate}$",
                -LARGEST_FILL,
                LARGEST_FILL,
                getattr(start, key),
                step=1.0,
                format="%g",
                placeholder="shared",
                key=key,
                bind="query-params",
                width=95,
                help="Empty: made like all weights, as the sidebar says. A number: all weights of this gate, times the scale.",
            )


def cell_state() -> None:
    """The value of c_{t-1}, which `scenario` reads, where the numbers are filled in."""
    if st.session_state.init == "fill":
        _fill(_start(), "c", "cₜ₋₁")


def output() -> bool:
    """Whether to show the optional output y_t; with it, its size and the fill value of its weights.

    Returns
    -------
    bool
    """
    shown = st.toggle("Optional output yₜ", _start().y, key="y", bind="query-params")
    if shown:
        st.number_input("p: entries of yₜ", 1, SMALL_SIZE, _start().p, key="p", bind="query-params", width=140)
        if st.session_state.init == "fill":
            _fill(_start(), "w_y", "W_y")
    return shown


def source() -> str:
    """Where z comes from.

    Returns
    -------
    str
        One of SOURCES, or TYPED_Z.
    """
    chosen = st.segmented_control(
        "z of",
        (*SOURCES, TYPED_Z),
        default=_start().source,
        required=True,
        key="source",
        bind="query-params",
        help="The plain cell's hidden state; the LSTM's forget gate, input gate, candidate or output gate; or a value of your own, "
        "to which the sidebar's activation is applied.",
    )
    return _allowed("source", chosen, _start().source)


def typed_z() -> float:
    """The typed pre-activation, at scale 1."""
    z = st.number_input(
        "z at scale 1",
        -LARGEST_FILL,
        LARGEST_FILL,
        _start().z,
        step=0.5,
        format="%g",
        key="z",
        bind="query-params",
        width=140,
    )
    return _allowed("z", z, _start().z)


def steps(*, disabled: bool = False) -> int:
    """How many steps there are over time.

    Parameters
    ----------
    disabled : bool
        Whether that follows from something else now.

    Returns
    -------
    int
    """
    T = st.slider(
        "T: steps",
        1,
        LARGEST_SIZE,
        _start().T,
        key="T",
        bind="query-params",
        width=200,
        disabled=disabled,
        help="How many steps are taken, and how many a gradient comes back through. A word and pasted numbers have steps of their own.",
    )
    return _allowed("T", T, _start().T)


def cell() -> str:
    """Which cell runs over the sequence.

    Returns
    -------
    str
        A name of CELLS.
    """
    chosen = st.segmented_control(
        "Cell", list(CELLS), default=_start().cell, required=True, key="cell", bind="query-params"
    )
    return _allowed("cell", chosen, _start().cell)


def sequence() -> None:
    """What the sequence is made of, which `scenario` reads; what is refused is said here and changes nothing."""
    start = _start()
    chosen = st.segmented_control(
        "Input",
        SEQUENCES,
        default=start.input,
        required=True,
        key="input",
        bind="query-params",
        on_change=_fit_word,
        help="Gaussian white noise, which is numbers from N(0, 1) each drawn by itself; the sidebar's xₜ as an impulse at "
        "step 1, as a step halfway, or as a sine of 16 steps; a word, one character a step; or numbers that you paste.",
    )
    if chosen == "word":
        st.text_input(
            "Word", start.word, LONGEST_WORD, key="word", bind="query-params", on_change=_take_word, width=200
        )
        st.session_state.last_word = _allowed("word", st.session_state.word, start.word)
    steps(disabled=chosen in ("word", "numbers"))
    if chosen == "numbers":
        xs = own.arrays().get("xs")
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
        needed = len(alphabet(_allowed("word", st.session_state.get("word"), _start().word)))
        st.session_state.m = max(st.session_state.m, needed)


def _take_word() -> None:
    """Take the word, or say what it must be and keep the last one."""
    if PARAMETERS["word"].allows(st.session_state.word):
        _fit_word()
    else:
        st.session_state.word_refused = f"word must be {PARAMETERS['word']}. The last one is kept."
        st.session_state.word = st.session_state.last_word


def take_sequence() -> str | None:
    """Make what was typed or pasted for the sequence the reader's own.

    Returns
    -------
    str or None
        Why it was not taken; what was there is kept.
    """
    if st.session_state.input == "word":
        return st.session_state.pop("word_refused", None)
    pasted = st.session_state.get("pasted", "")
    if "xs" not in own.arrays():
        st.session_state.pop("taken", None)
    if st.session_state.input != "numbers" or not pasted or pasted == st.session_state.get("taken"):
        return None
    try:
        xs = parse(pasted)
    except ValueError as error:
        return f"{error} What was there is kept."
    m = st.session_state.m
    if xs.shape[1] != m:
        return f"Each step needs m = {m} numbers, and these have {xs.shape[1]}: set m to that in the sidebar, or paste others. What was there is kept."
    st.session_state.taken = pasted
    own.keep({"xs": xs})
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
    name = st.selectbox("Numbers of", names, key="array", bind="query-params", width=200)
    return _allowed("array", name, names[0])


def recurrent() -> Scenario:
    """What the widgets say now, as a cell that can be unrolled; the page says so where that is not the one of the sidebar.

    Returns
    -------
    Scenario
        With n = k.
    """
    now = scenario()
    if now.k == now.n:
        return now
    st.info(
        f"k = {now.k} but n = {now.n}: of such a cell only one step can be computed, for its hₜ has {now.k} entries and Wₕₕ a column for each "
        f"of {now.n}. Here n is taken as {now.k}; the button in the sidebar sets it."
    )
    return replace(now, n=now.k)


def moment() -> int:
    """The step to look at, counted from 1; there may be fewer."""
    t = st.number_input("t: step shown", 1, LARGEST_SIZE, _start().t, key="t", bind="query-params", width=130)
    return _allowed("t", t, _start().t)


def pick_moment(t: int) -> None:
    """Look at another step from the next run on; to be called from a callback."""
    st.session_state.t = _allowed("t", t, 1)
