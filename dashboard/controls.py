"""Every widget. A widget's key is its URL parameter, so a link, a reload and the back button keep it."""

from dataclasses import dataclass, fields

import streamlit as st

from core.activations import ACTIVATIONS
from core.initialize import INITIALIZERS
from core.joins import ORDERS
from core.scenario import Scenario

SMALL_SIZE, LARGEST_SIZE = 32, 512
LARGEST_FILL = 1000.0
LARGEST_SEED = 2**31 - 1
# 0.010, 0.011 ... 0.099, 0.10 ... 99, 100: two significant digits everywhere.
SCALES = [float(f"{mantissa}e{power}") for power in (-3, -2, -1, 0) for mantissa in range(10, 100)] + [100.0]
STAGES = ("join", "multiply", "bias", "activate", "all")
SIZES = ("m", "n", "k")
FILLS = {"w_hh": "Wₕₕ", "w_hx": "Wₕₓ", "h": "hₜ₋₁", "x": "xₜ", "b": "bₕ"}

LAB = Scenario()


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


SIZE = Number(1, LARGEST_SIZE, whole=True)
FILL = Number(-LARGEST_FILL, LARGEST_FILL)
FLAG = OneOf(("true", "false"))

PARAMETERS = {
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
}


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
    rules = PARAMETERS | {"j": Number(1, _link_size("k") or LAB.k, whole=True)}
    refused = {}
    for name, rule in rules.items():
        given = st.query_params.get_all(name)
        if len(given) > 1 or any(not rule.allows(text) for text in given):
            refused[name] = str(rule)
    if refused:
        st.session_state.refused = refused
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
    lines = [
        f"The link's `{name}` must be {rule}; {_text(st.session_state.get(name, getattr(LAB, name, None)))} is used instead."
        for name, rule in refused.items()
    ]
    if lines:
        st.warning("  \n".join(lines))


def _text(value: object) -> str:
    """A widget's value as a link would say it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


# ---- the shared sidebar --------------------------------------------------------------------


def sidebar() -> None:
    """Draw the controls that every page shares; `scenario`, `decimals` and `fixed_colours` read them."""
    with st.sidebar:
        _sizes()
        st.segmented_control(
            "Activation g",
            list(ACTIVATIONS),
            default=LAB.g,
            required=True,
            key="g",
            bind="query-params",
        )
        st.segmented_control(
            "Order of both joins",
            ORDERS,
            default=LAB.order,
            required=True,
            key="order",
            bind="query-params",
            help="Which comes first: in the stack from top to bottom, in Wₕ from left to right.",
        )
        st.select_slider(
            "Scale of the weights",
            SCALES,
            float(LAB.scale),
            format_func="{:g}".format,
            key="scale",
            bind="query-params",
            help="Multiplies every weight; neither the bias nor the inputs.",
        )
        st.selectbox(
            "Numbers",
            list(INITIALIZERS),
            key="init",
            bind="query-params",
            help="Glorot and orthogonal are rules for weights: there hₜ₋₁ and xₜ are drawn from N(0, 1).",
        )
        _fills()
        _draws()
        _display()


def scenario() -> Scenario:
    """What the sidebar's widgets say now.

    Returns
    -------
    Scenario
    """
    said = {field.name: (st.session_state.get(field.name), field.default) for field in fields(Scenario)}
    return Scenario(**{name: _allowed(name, *values) for name, values in said.items()})


def _allowed(name: str, value: object, default: object) -> object:
    """The value, or the default where no widget of ours can have said it.

    A widget's bounds are kept in the browser, and somebody's own client may send anything.
    """
    return value if PARAMETERS[name].allows(_text(value)) else default


def decimals() -> int:
    """How many decimals are printed."""
    return _allowed("decimals", st.session_state.decimals, 2)


def fixed_colours() -> bool:
    """Whether colours keep their meaning, rather than each matrix having a scale of its own."""
    return st.session_state.colours == "fixed"


def _sizes() -> None:
    """Three sliders up to 32, or up to 512 once that is asked for or a size needs it."""
    sizes = [st.session_state.get(name) or _link_size(name) for name in SIZES]
    beyond = any(size > SMALL_SIZE for size in sizes)
    if beyond:
        st.session_state.large = True
    large = st.session_state.get("large", st.query_params.get("large") == "true")
    largest = LARGEST_SIZE if large else SMALL_SIZE
    for name, label, help in (
        ("m", "m: entries of the input xₜ", "In other texts m may be the batch size. Here the batch is one column."),
        ("n", "n: entries of the previous hₜ₋₁", "Wₕₕ has a column for each of them."),
        ("k", "k: units, the entries of hₜ", "Each unit is a row of Wₕ."),
    ):
        st.slider(label, 1, largest, getattr(LAB, name), key=name, bind="query-params", help=help)
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


def _recurs() -> None:
    n, k = st.session_state.n, st.session_state.k
    if k == n:
        st.caption(f":material/check: k = n = {k}: this cell recurs. Its hₜ fits in as the next hₜ₋₁.")
        return
    st.caption(
        f"k = {k} but n = {n}: one step only. A second step would need an hₜ with {n} entries, one for each "
        f"column of Wₕₕ."
    )
    st.button(f"Make it recur: set n to {k}", on_click=_make_recurrent)


def _make_recurrent() -> None:
    st.session_state.n = st.session_state.k


def _fills() -> None:
    """The values for `fill`; of them only the bias matters to the other ways."""
    with st.container(horizontal=True):
        for name in FILLS if st.session_state.init == "fill" else ["b"]:
            st.number_input(
                FILLS[name],
                -LARGEST_FILL,
                LARGEST_FILL,
                float(getattr(LAB, name)),
                step=1.0,
                format="%g",
                key=name,
                bind="query-params",
                width=80,
            )


def _draws() -> None:
    """What is drawn at random beside the weights, and from which seed."""
    st.toggle(
        "Random bias bₕ ~ N(0, 1)",
        key="b_normal",
        bind="query-params",
        help="As in the lab. Without it every bias has the value above.",
    )
    st.number_input(
        "Seed",
        0,
        LARGEST_SEED,
        LAB.seed,
        key="seed",
        bind="query-params",
        help="The same seed draws the same numbers, on every page and after every reload.",
        disabled=not scenario().is_random,
    )


def _display() -> None:
    st.slider("Decimals", 0, 6, 2, key="decimals", bind="query-params")
    st.segmented_control(
        "Colours",
        ("fixed", "matrix"),
        default="fixed",
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
        default="all",
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
        key="unmatched",
        bind="query-params",
        help="Swap the stack, but not the columns of Wₕ that go with it: the classic mistake.",
    )


def unit() -> int:
    """The unit to inspect.

    Returns
    -------
    int
        Counted from 1, and no more than there are.
    """
    k = scenario().k
    if st.session_state.get("j", 1) > k:
        st.session_state.j = k
    j = st.number_input("Inspect unit j", 1, k, key="j", bind="query-params", width=130)
    return min(_allowed("j", j, 1), k)


def pick_unit(j: int) -> None:
    """Inspect another unit from the next run on; to be called from a callback."""
    st.session_state.j = _allowed("j", j, 1)


def threshold() -> float:
    """The share of the largest gradient below which a unit counts as saturated.

    Returns
    -------
    float
        In (0, 1).
    """
    percent = st.slider(
        "Saturated below",
        1,
        50,
        5,
        format="%d %%",
        key="threshold",
        bind="query-params",
        width=160,
        help="A unit counts as saturated when less than this share of the activation's largest slope is left at its z.",
    )
    return _allowed("threshold", percent, 5) / 100
