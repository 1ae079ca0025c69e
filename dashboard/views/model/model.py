"""My model: a trained network over an input, with a diagnosis."""

from typing import NamedTuple

import streamlit as st

from core.diagnosis import WARNING, Diagnosis, Examined, Finding, diagnose
from core.diagnosis.inputs import Input, input_of
from core.diagnosis.networks import load
from core.exchange.model_files import Network
from core.exchange.model_files.network import Stack
from core.exchange.sequence_files import SequenceFile
from dashboard.controls import widgets
from dashboard.controls.model_file import ModelFile, input_file, model_file, tell_input
from dashboard.controls.save_panel import plain
from dashboard.controls.widgets import control
from dashboard.drawing import plotly_charts, scales
from dashboard.drawing.items import Item, block
from dashboard.drawing.panels import Fit, as_picture, panel
from dashboard.drawing.screen import show, show_figure
from dashboard.state.state import State
from dashboard.text import model as text
from dashboard.text import model_findings

FIT = Fit("rows", pixels=160, smallest=6)


class Kept(NamedTuple):
    """The last diagnosis of a session, and what it follows from.

    Attributes
    ----------
    network : Network
    key : tuple
    made : Diagnosis
    """

    network: Network
    key: tuple[object, ...]
    made: Diagnosis


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(text.PAGE)
    opened = model_file() or ModelFile("", load(state.settings.network))
    file = input_file()
    widgets.draw(state, "settings", _controls(state, is_own=not opened.name, has_input=file is not None))
    stack = _stack(opened.network)
    try:
        given = _input(state, opened, stack, file)
    except ValueError as error:
        st.error(plain(str(error)))
        return
    _tell_network(opened, stack)
    tell_input(given, stack.layers[0].m)
    try:
        made = _diagnosis(opened, stack, given)
    except ValueError:
        st.error(text.OVERFLOW)
        return
    findings(opened, stack, made)
    shown = _shown(state, made)
    show(as_picture(_panels(shown, given), decimals=state.decimals, unit=min(state.unit, shown.k) - 1), state)
    if shown.gates:
        st.markdown(text.SCATTER)
        st.markdown(text.SCATTER_TEXT)
        show_figure(plotly_charts.saturated_gates(shown.gates), key="saturated gates", alt=text.SCATTER_ALT)
    memory(shown)


def _controls(state: State, *, is_own: bool, has_input: bool) -> list[widgets.Control]:
    """Return the controls of the network, of the input and of the pictures."""
    passage = control(state, "passage")
    # Another page's m has nothing to do with this text.
    passage.pop("fits", None)
    return [
        *([control(state, "network")] if is_own else []),
        *([] if has_input else [passage, control(state, "tokens")]),
        control(state, "shown_layer"),
        control(state, "shown_direction"),
    ]


def _input(state: State, opened: ModelFile, stack: Stack, file: SequenceFile | None) -> Input:
    return input_of(
        stack.layers,
        state.settings.passage,
        is_own=not opened.name,
        seed=state.seed,
        reading=state.settings.tokens,
        embeddings=opened.network.embeddings,
        file=file,
    )


def _stack(network: Network) -> Stack:
    """Return the chosen stack of a file with several."""
    if len(network.stacks) == 1:
        return network.stacks[0]
    names = [stack.name or stack.layers[0].cell for stack in network.stacks]
    at = st.selectbox(text.STACK, range(len(names)), format_func=names.__getitem__, key="model_stack")
    return network.stacks[at]


def _tell_network(opened: ModelFile, stack: Stack) -> None:
    """Draw what the network is, what was left out and what was assumed."""
    first = stack.layers[0]
    if opened.name:
        counted = text.layers(len(stack.layers))
        st.text(text.OPENED.format(layers=counted, cell=first.cell, k=first.k, m=first.m))
        for code in opened.network.assumed:
            st.caption(text.ASSUMED[code])
    else:
        st.text(text.OWN.format(cell=first.cell, k=first.k))
    if opened.network.left_out:
        with st.expander(text.LEFT_OUT):
            left = opened.network.left_out[:200]
            st.dataframe({"name": [one.name for one in left], "reason": [one.reason for one in left]}, hide_index=True)


def _diagnosis(opened: ModelFile, stack: Stack, given: Input) -> Diagnosis:
    """Return the diagnosis, from the session if nothing has changed."""
    key = (stack.name, given.key)
    last: Kept | None = st.session_state.get("model_diagnosis")
    if last is None or last.network is not opened.network or last.key != key:
        last = st.session_state.model_diagnosis = Kept(opened.network, key, diagnose(stack.layers, given.xs))
    return last.made


def _sentence(one: Finding) -> str:
    return model_findings.finding(one, one.symbol)


def findings(opened: ModelFile, stack: Stack, made: Diagnosis) -> None:
    """Draw the warnings, the numbers and the report."""
    warnings = [_sentence(one) for one in made.findings if one.level == WARNING]
    numbers = [_sentence(one) for one in made.findings if one.level != WARNING]
    st.markdown(text.WARNINGS)
    for sentence in warnings:
        st.warning(plain(sentence))
    if not warnings:
        st.success(text.NOTHING)
    with st.expander(text.NUMBERS.strip("# ")):
        for sentence in numbers:
            st.text(sentence)
    lines = "\n".join(f"- {sentence}" for sentence in [*(warnings or [text.NOTHING]), *numbers])
    report = text.REPORT.format(name=opened.name or stack.layers[0].cell, sentences=lines)
    st.download_button(text.SAVE_REPORT, report, "cellscope-diagnosis.md", on_click="ignore")


def _shown(state: State, made: Diagnosis) -> Examined:
    """Return the chosen direction of the chosen layer, or the last one that there is."""
    layer = min(state.settings.shown_layer, len(made.layers)) - 1
    ways = [one for one in made.examined if one.layer == layer]
    return ways[-1 if state.settings.shown_direction == "backward" else 0]


def _panels(shown: Examined, given: Input) -> list[Item]:
    """Return the panel of every gate and state over time."""
    symbols = {**shown.cell.activated(shown.params)}
    carried = [f"{name}_t" for name in ("c", "h") if hasattr(shown.trace, f"{name}_t")]
    drawn = []
    for symbol in dict.fromkeys([*symbols, *carried]):
        values = getattr(shown.trace, symbol)[:, :, 0]
        is_gate = symbol in shown.gates
        scale = scales.sequential("", 1) if is_gate else scales.symmetric("", 1, clips=True)
        name = shown.cell.SYMBOLS[symbol].text if symbol in shown.cell.SYMBOLS else symbol
        labels = given.labels and (given.labels[::-1] if shown.direction else given.labels)
        drawn.append(
            [
                block(
                    name,
                    values.T,
                    scale,
                    rows=[("unit", shown.k, "")],
                    columns=[("t", len(values), "")],
                    units=True,
                    headings=labels,
                )
            ]
        )
    return [
        panel(
            text.OVER_TIME_TITLE,
            text.OVER_TIME,
            *drawn,
            alt=text.OVER_TIME_ALT.format(cell=type(shown.params).__name__.removesuffix("Params"), T=len(shown.xs)),
            fit=FIT,
        )
    ]


def memory(shown: Examined) -> None:
    """Draw the table of the half-lives."""
    if shown.half_lives is None:
        return
    lives = [round(life, 2) for life in shown.half_lives.tolist()]
    with st.expander(text.MEMORY):
        st.dataframe({text.UNIT: list(range(1, shown.k + 1)), text.HALF_LIFE: lives}, hide_index=True)
