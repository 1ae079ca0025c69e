"""The controls that only some pages have."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

import streamlit as st

from core.exchange.typed import parse
from core.practice import parse_answer
from core.shapes import GivenSizes, LayerSizes
from core.time.inputs import alphabet
from core.training import Recipe
from dashboard import chosen, dials, own_numbers, widgets
from dashboard.address import say
from dashboard.choices import CHOICES, EXERCISES, OF_LAYER, PARAMETERS, STAGES, is_allowed, of_cell


def draw_dials(*own: str, ends: Mapping[str, int] | None = None) -> None:
    """Draw the dials: those that every page has, and the page's own.

    Parameters
    ----------
    *own : str
        Of DIALS.
    ends : mapping from str to int, optional
        Where the slider of one of them ends that ends elsewhere now.
    """
    defaults = {name: chosen.default(name) for name in (*dials.EVERYWHERE, *own)}
    dials.dials(defaults, large=st.session_state.large, ends=ends or {})


def stages() -> tuple[str, ...]:
    """How far the page is revealed.

    Returns
    -------
    tuple of str
        The stages to show, from the first of STAGES on.
    """
    stage = widgets.segments("stage", label_visibility="collapsed")
    return STAGES[: STAGES.index(stage) + 1]


def predict() -> bool:
    """Whether the output of the inspected unit is to be predicted before it is shown.

    Returns
    -------
    bool
    """
    return widgets.toggle("predict")


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
    if chosen.is_frozen():  # which is not drawn before the reader has said it
        return True
    said = _says(f"{output} of unit {j}", truth)
    was_hidden = is_hidden()
    st.session_state.hidden = not said
    if said and was_hidden:
        st.rerun()
    return said


def is_hidden() -> bool:
    """Whether what was asked for last is still to be predicted."""
    return bool(chosen.value("predict") and st.session_state.get("hidden"))


def _says(asked: str, truth: float) -> bool:
    """Whether a field has that number; what is wrong with it stands below."""
    # Of other numbers it is another question. A browser shows the key to whoever looks for it.
    key = f"predicted {sha256(f'{asked} {truth!r}'.encode()).hexdigest()[:12]}"
    digits = max(chosen.decimals(), 2)  # with none, 0 would be right of every tanh
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
    return widgets.toggle("unmatched")


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
                    widgets.number(name, placeholder="none", width=90)
        return
    for name in names:
        if st.session_state.get(name) is not None or name in st.query_params:
            widgets.number(name, placeholder="none", width=90)


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
        widgets.fill("c")


def output() -> bool:
    """Whether to show the optional output y_t; with it, its size and the fill value of its weights.

    Returns
    -------
    bool
    """
    shown = widgets.toggle("y")
    if shown:
        widgets.number("p", width=140)
        if st.session_state.init == "fill":
            widgets.fill("w_y")
    return shown


def source() -> str:
    """Where z comes from.

    Returns
    -------
    str
        One of SOURCES, or TYPED_Z.
    """
    widgets.segments("source")
    return chosen.value("source")


def cell() -> str:
    """Which cell runs over the sequence.

    Returns
    -------
    str
        A name of CELLS.
    """
    widgets.segments("cell")
    return chosen.value("cell")


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
        options, task = PARAMETERS["task"].options, chosen.default("task")
        st.selectbox(
            **widgets.bound("task"), options=options, index=options.index(task), width=140
        )  # too many for a phone
        for name in ("trained", "optimiser", "clip", "start"):
            widgets.segments(name)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in ("units", "length", "start_scale", "start_bias", "rate", "clip_at", "updates"):
            widgets.number(name, width=140)
    return Recipe(
        task=chosen.value("task"),
        cell=chosen.value("trained"),
        k=chosen.value("units"),
        T=chosen.value("length"),
        init=chosen.value("start"),
        scale=chosen.value("start_scale"),
        forget_bias=chosen.value("start_bias"),
        g=chosen.value("g"),
        optimiser=chosen.value("optimiser"),
        rate=chosen.value("rate"),
        clip=chosen.value("clip"),
        clip_at=chosen.value("clip_at"),
        updates=chosen.value("updates"),
        seed=dials.said("seed", 0),
    )


def story_of_training() -> str:
    """Which comparison of trainings is told.

    Returns
    -------
    str
        A name of STORIES, or "own".
    """
    return widgets.segments("story")


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
        st.session_state.kind = st.query_params.get("kind", chosen.default("kind"))
        widget = widgets.bound("kind") | {"bind": None}
        st.selectbox(**widget, options=EXERCISES, format_func=EXERCISES.__getitem__, on_change=_choose_kind, width=320)
        widgets.number("level", width=120)
        widgets.number("number", width=140)
    return chosen.value("kind"), chosen.value("level"), chosen.value("number"), dials.said("seed", 0)


def _choose_kind() -> None:
    """Practise something else."""
    if is_allowed("kind", st.session_state.kind):
        say({"kind": st.session_state.kind, "number": None})


def next_exercise() -> None:
    """Go on to the next one; to be called from a callback."""
    rule = PARAMETERS["number"]
    st.session_state.number = min(chosen.value("number") + 1, int(rule.high))


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
        widgets.segments("framework")
        widgets.segments("cell")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in ("input_size", "hidden_size", "num_layers", "proj_size"):
            widgets.number(name, width=130)
        for name in ("bidirectional", "batch_first"):
            widgets.toggle(name)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in ("x_shape", "h0_shape", "c0_shape", "linear"):
            st.text_input(**widgets.bound(name), value=chosen.default(name), max_chars=40, width=150)
            if not PARAMETERS[name].allows(st.session_state[name]):
                st.error(
                    f"{CHOICES[name].label} must be {PARAMETERS[name]}; {chosen.default(name) or 'none'} is taken."
                )
    x, h0, c0, linear = (_sizes(chosen.value(name)) for name in ("x_shape", "h0_shape", "c0_shape", "linear"))
    made = LayerSizes(
        chosen.value("framework"),
        chosen.value("cell"),
        chosen.value("input_size"),
        chosen.value("hidden_size"),
        chosen.value("num_layers"),
        chosen.value("bidirectional"),
        chosen.value("batch_first"),
        chosen.value("proj_size"),
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
    made_of = widgets.segments("input", on_change=_fit_word)
    if made_of == "word":
        st.text_input(
            **widgets.bound("word"),
            value=chosen.default("word"),
            max_chars=PARAMETERS["word"].longest,
            on_change=_take_word,
            width=140,
        )
        st.session_state.last_word = chosen.value("word")
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
        needed = len(alphabet(chosen.value("word")))
        if needed > chosen.value("m"):
            say({"m": str(needed)})


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
    if "xs" not in own_numbers.arrays():
        st.session_state.pop("taken", None)
    if st.session_state.input != "numbers" or not pasted or pasted == st.session_state.get("taken"):
        return None
    try:
        xs = parse(pasted)
    except ValueError as error:
        return f"{error} What was there is kept."
    m = chosen.value("m")
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
    st.selectbox(**widgets.bound("array"), options=names, width=200)
    name = st.session_state.array
    return name if name in names else names[0]
