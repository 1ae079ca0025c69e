"""My model: a trained network over an input, with a diagnosis."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import streamlit as st

from core.exchange.model_files.contents import ModelContents, Network, lacks_activation, with_activation
from core.exchange.sequence_files import SequenceFile, with_tokens
from core.model_diagnosis import RUN, DirectionRun, ModelDiagnosis, NetworkOverflow, Thresholds, diagnose
from core.model_diagnosis.inputs import INDICES, MOST_KEPT, MOST_KEPT_BY_EACH, Input, input_of, table_of, takes_long
from core.model_diagnosis.networks import load
from dashboard.controls import widgets
from dashboard.controls.model_file import ModelFile, input_file, model_file, show_input
from dashboard.controls.widgets import control
from dashboard.drawing.panels import as_picture
from dashboard.drawing.picture_component import show
from dashboard.server.assets import STATIC
from dashboard.server.scheduling import heavy_compute, yield_run_lock
from dashboard.state.parameters import PARAMETERS, as_text
from dashboard.state.parameters.model import LIMIT_PARAMS
from dashboard.state.state import State
from dashboard.text import model as text
from dashboard.text import model_findings as sentences
from dashboard.text import model_report_file as report
from dashboard.text.markdown import escape_markdown
from dashboard.text.model_input import refusal
from dashboard.views.model import findings, pictures, unit_link
from dashboard.views.model.findings import thresholds

# The layers or networks that a warning of its own names.
MOST_REFUSED = 4
# Letters of the name of an array.
MOST_OF_NAME = 200


class KeptDiagnosis(NamedTuple):
    """The last diagnosis of a session, and what it follows from.

    Attributes
    ----------
    network : Network
        Itself, because two networks of a file may have the same name.
    key : tuple
    made : ModelDiagnosis
    """

    network: Network
    key: tuple[object, ...]
    made: ModelDiagnosis


def page(state: State) -> None:
    """Draw the page."""
    st.html(STATIC / "controls/sticky_controls.css")
    title = st.empty()
    # Beside each other, so that the drawing is on the first screen.
    of_model, of_input = st.columns(2)
    with of_model:
        opened = model_file() or ModelFile("", load(state.settings.network))
    first = opened.contents.networks[0].layers[0]
    title.markdown(text.PAGE if opened.name else text.PAGE_OF_EXAMPLE.format(cell=first.cell, k=first.k))
    networks = opened.contents.networks
    # A number beyond the last network is the last one.
    number = min(state.settings.shown_network, len(networks))
    network, g = networks[number - 1], ""
    with of_input:
        file = input_file(state.settings.first_axis, partial(_with_tokens, opened.contents, network))
    limits = [control(state, name) for name in LIMIT_PARAMS.values()]
    is_two_way = any(len(layer.directions) > 1 for each in opened.contents.networks for layer in each.layers)
    controls = _controls(state, file, is_own=not opened.name, is_two_way=is_two_way)
    if opened.name and lacks_activation(opened.contents, network):
        g = state.settings.nonlinearity
        controls.append(control(state, "nonlinearity"))
    widgets.draw(state, "settings", [*_networks(state, networks, number), *controls], more={text.LIMITS: limits})
    try:
        given = _input(state, opened, network, file)
    except ValueError as error:
        st.error(escape_markdown(str(error)))
        return
    _show_network(opened, network)
    show_input(given, network.layers[0].m, is_file=file is not None)
    # A network that skips padding computes the same without it.
    reads_indices = given.reading == INDICES and "masking" not in opened.contents.assumed
    try:
        made = _diagnosis(network, g, given, thresholds(state), reads_indices=reads_indices)
    except NetworkOverflow:
        st.error(text.OVERFLOW)
        return
    shown = _shown(state, made)
    step = min(state.settings.shown_step, shown.T)
    over_time, *others = pictures.panels(shown, given, step, state.threshold_fraction)
    drawn = as_picture(
        [*findings.panels(made, given.how), over_time, findings.numbers(made), *others],
        decimals=state.decimals,
        unit=min(state.settings.j, shown.k) - 1,
    )
    show(drawn, state)
    layer = made.layers[shown.layer]
    unit_link.link(state, shown, layer.cell, layer.g, step)
    settings = {
        **{name: state.value(name) for name in _of_input(file)},
        "seed": state.seed,
        **({"shown_network": number} if len(networks) > 1 else {}),
        **({"nonlinearity": g} if g else {}),
        "shown_layer": shown.layer + 1,
        "shown_direction": sentences.DIRECTIONS[shown.direction],
    }
    _save(state, opened, made, given, settings)


def _with_tokens(contents: ModelContents, network: Network, file: SequenceFile) -> SequenceFile:
    """Return the input of a file as indices of tokens, if it has such and the network has an embedding for them."""
    table = table_of(network.layers, contents.embeddings)
    return with_tokens(file, network.layers[0].m, len(table.rows)) if table else file


def _controls(state: State, file: SequenceFile | None, *, is_own: bool, is_two_way: bool) -> list[widgets.Control]:
    """Return the controls of the network, of the input and of the pictures."""
    return [
        *([control(state, "network")] if is_own else []),
        *(control(state, name) for name in _of_input(file)),
        control(state, "shown_layer"),
        *([control(state, "shown_direction")] if is_two_way else []),
    ]


def _of_input(file: SequenceFile | None) -> tuple[str, ...]:
    """Return the settings that say how the input is read."""
    if file is None:
        return ("passage", "tokens")
    if file.xs is None:
        return ("tokens",)
    return () if file.array is None else ("first_axis",)


def _input(state: State, opened: ModelFile, network: Network, file: SequenceFile | None) -> Input:
    return input_of(
        network.layers,
        state.settings.passage,
        is_own=not opened.name,
        seed=state.seed,
        reading=state.settings.tokens,
        embeddings=opened.contents.embeddings,
        file=file,
        first_axis=state.settings.first_axis,
        most_kept=MOST_KEPT if opened.slot else MOST_KEPT_BY_EACH,
    )


def _networks(state: State, networks: list[Network], number: int) -> list[widgets.Control]:
    """Return the control that chooses a network of a file with several."""
    if len(networks) == 1:
        return []
    names = {f"{at}": _name(at, network) for at, network in enumerate(networks, 1)}
    return [widgets.select(state, "shown_network", names, text=f"{number}")]


def _name(number: int, network: Network) -> str:
    """Return the name of a network of a file, with its number, because names in Keras are not unique."""
    return f"{number}. {network.name or network.layers[0].cell}"[:60]


def _show_network(opened: ModelFile, network: Network) -> None:
    """Draw what the network is, what was left out and what was assumed."""
    if opened.name:
        st.text(text.network(network.layers))
        if (count := len(opened.contents.networks)) > 1:
            st.caption(text.ONE_OF_SEVERAL.format(count=count))
            for sentence in _untrained(opened):
                st.warning(escape_markdown(sentence))
        for code in _assumed(opened, network):
            st.caption(text.ASSUMED[code])
    # Refused layers stand first; the table below has all of them.
    for sentence in filter(None, map(refusal, opened.contents.left_out[:MOST_REFUSED])):
        st.warning(escape_markdown(sentence))
    if opened.contents.left_out:
        with st.expander(text.LEFT_OUT):
            left = opened.contents.left_out[:200]
            reasons = [text.REASONS.get(one.reason, one.reason) for one in left]
            st.dataframe({"name": [one.name[:MOST_OF_NAME] for one in left], "reason": reasons}, hide_index=True)


def _untrained(opened: ModelFile) -> list[str]:
    """Return the sentences on the networks of a file that look untrained."""
    names = [repr(_name(at + 1, opened.contents.networks[at])) for at in opened.untrained[:MOST_REFUSED]]
    return [text.UNTRAINED_NETWORK.format(name=name) for name in names]


def _assumed(opened: ModelFile, network: Network) -> list[str]:
    """Return the codes of what was assumed. What the file does not say about an RNN counts only if the page shows one."""
    assumed = opened.contents.assumed
    if lacks_activation(opened.contents, network):
        return [f"{code} of an RNN" if code == "activations" else code for code in assumed]
    return [code for code in assumed if code != "tanh"]


def _diagnosis(network: Network, g: str, given: Input, bounds: Thresholds, *, reads_indices: bool) -> ModelDiagnosis:
    """Return the diagnosis, from the session if nothing has changed.

    Parameters
    ----------
    network : Network
    g : str
        The activation that the reader chooses, empty if the file has it.
    given : Input
    bounds : Thresholds
    reads_indices : bool
        Whether many equal steps at the end are padding.
    """
    key = (*given.key, g)
    # Always there, because the browser would draw the picture anew if its place changed.
    bar = st.empty()
    last: KeptDiagnosis | None = st.session_state.get("model_diagnosis")
    if last and (last.network is not network or last.key != key):
        # Dropped before the next one is made, because a session has memory for one.
        last = st.session_state.model_diagnosis = None
    if last is None or last.made.thresholds != bounds:
        # So that other readers' sliders are not slower meanwhile, it waits for each of their runs.
        is_long = takes_long(network.layers, given.xs)

        def show_progress(fraction: float, doing: str, layer: int) -> None:
            if is_long:
                sentence = text.PROGRESS[doing].format(layer=layer, layers=len(network.layers))
                bar.progress(min(fraction, 1.0), sentence)
                yield_run_lock()

        try:
            if is_long:  # before it waits for other long computations
                bar.progress(0.0, text.PROGRESS[RUN].format(layer=1, layers=len(network.layers)))
            with heavy_compute(long=is_long):
                layers = with_activation(network, g).layers if g else network.layers
                run = partial(
                    diagnose, progress=show_progress, is_one_hot=given.is_one_hot, reads_indices=reads_indices
                )
                made = last.made.under(bounds) if last else run(layers, given.xs, bounds)
                # Computed here, and kept with the diagnosis.
                _ = made.findings
        finally:
            bar.empty()
        last = st.session_state.model_diagnosis = KeptDiagnosis(network, key, made)
    return last.made


def _save(state: State, opened: ModelFile, made: ModelDiagnosis, given: Input, chosen: Mapping[str, object]) -> None:
    """Draw the buttons that save the report, with the settings that the page uses, by name."""
    settings = [(PARAMETERS[name].label, as_text(value)) for name, value in chosen.items()]
    limits = [(PARAMETERS[name].label, as_text(state.value(name))) for name in LIMIT_PARAMS.values()]
    # Made when a button is clicked, and not in each run.
    name = opened.name or made.layers[0].cell
    parts = partial(report.parts, name, made, given, settings, limits, _untrained(opened))
    with st.container(horizontal=True):
        for ending, write in {"html": report.html, "md": report.markdown}.items():
            label = text.SAVE_REPORT.format(ending=ending)
            st.download_button(
                label, partial(_written, write, parts), f"cellscope-diagnosis.{ending}", on_click="ignore"
            )


def _written(write: Callable[[list[report.Part]], str], parts: Callable[[], list[report.Part]]) -> str:
    return write(parts())


def _shown(state: State, made: ModelDiagnosis) -> DirectionRun:
    """Return the chosen direction of the chosen layer, or the last one that there is."""
    layer = min(state.settings.shown_layer, len(made.layers)) - 1
    ways = [one for one in made.runs if one.layer == layer]
    return ways[-1 if state.settings.shown_direction == "backward" else 0]
