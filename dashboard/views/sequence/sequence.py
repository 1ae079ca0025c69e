"""Sequence: the same cell over T steps, every symbol over time."""

import streamlit as st

from core import saturation
from core.cells.symbols import symbol_of
from core.sequence.inputs import alphabet
from dashboard.controls import widgets
from dashboard.controls.live_picture import live_picture
from dashboard.controls.page_scenario import OF_THIS_PAGE, PageScenario
from dashboard.controls.predict import Prediction
from dashboard.controls.widgets import control
from dashboard.drawing import diagram, matrices
from dashboard.drawing.arithmetic import number
from dashboard.drawing.chain import MOST_STEPS
from dashboard.drawing.example_story import story
from dashboard.drawing.panels import Playback, Step, literal, panel, remark
from dashboard.state.state import State
from dashboard.text import diagram as diagram_text
from dashboard.text import sequence as text
from dashboard.text import words
from dashboard.text.cells import REMARKS
from dashboard.text.option_names import MORE
from dashboard.text.words import subscripts
from dashboard.views.sequence.layers import last_output, rows_of_cells
from dashboard.views.sequence.pasted import paste
from dashboard.views.sequence.unrolled import Unrolled, unroll_cell


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(text.PAGE)
    # A word and pasted numbers have their own number of steps.
    own = {"word": state.scenario.word, "numbers": state.scenario.arrays.get("xs", ())}.get(state.scenario.input)
    steps = state.scenario.T if own is None else len(own)
    name = state.scenario.cell
    widgets.sliders(state, *(["T"] if own is None else []), "t", *widgets.added_to_gates(name), ends={"t": steps})
    widgets.settings(state, *_settings(state), cells=[state.scenario.cell], more={MORE: [control(state, "predict")]})
    if state.scenario.input == "numbers":
        paste(state)
    shown = live_picture(state, panels, prediction=prediction)
    if shown.scenario.input == "word" and not shown.settings.predict:
        letters(unroll_cell(shown))


def page_scenario(state: State) -> PageScenario:
    """Return what the page is about."""
    unrolled = unroll_cell(state)
    return PageScenario(unrolled.scenario, unrolled.scenario.cell, sequence=True, step=unrolled.t, numbers=OF_THIS_PAGE)


def _settings(state: State) -> list[widgets.Control]:
    made_of = control(state, "input", kind="select")
    needed = len(alphabet(state.scenario.word))
    for option in made_of["options"]:
        # Each distinct character of a word needs its own entry of x_t.
        if option["value"] == "word" and needed > state.scenario.m:
            option["patch"] = {"input": "word", "m": f"{needed}"}
    word = [control(state, "word")] if state.scenario.input == "word" else []
    return [
        *[
            control(state, "cell"),
            made_of,
            *word,
            control(state, "layers"),
            control(state, "directions", kind="select"),
        ],
        *widgets.gates(state, state.scenario.cell),
    ]


def prediction(state: State) -> Prediction:
    """Return what can be predicted before it is shown."""
    unrolled = unroll_cell(state)
    truth = float(unrolled.trace.h_t[unrolled.t - 1, state.unit - 1, 0])
    return Prediction(text.PREDICTED.format(t=unrolled.t), state.unit, truth)


def panels(state: State) -> list[matrices.Item]:
    """Return the panels of a cell over a sequence."""
    unrolled = unroll_cell(state)
    remarks = map(remark, unrolled.remarks)
    if state.settings.predict:
        return [*remarks, to_predict(unrolled)]
    return [
        *remarks,
        time_playback(unrolled),
        *last_output(unrolled),
        *([at_this_step(unrolled)] if hasattr(unrolled.cell, "DIAGRAM") else []),
        *story(state),
        *([gates_over_time(unrolled)] if _gates(unrolled) else []),
        equations(unrolled),
        everything_over_time(unrolled),
    ]


def to_predict(unrolled: Unrolled) -> matrices.Item:
    """Return the panel with all equations as far as h_t."""
    name, unit = unrolled.scenario.cell, unrolled.state.unit
    rows = [symbols[: symbols.index("h_t")] if "h_t" in symbols else symbols for symbols in unrolled.cell.EQUATIONS]
    *drawn, last = unrolled.equations(rows)
    return panel(
        text.PREDICT_TITLE.format(t=unrolled.t),
        text.PREDICT.format(cell=name, unit=unit),
        *drawn,
        [*last, matrices.masked("h_t", (unrolled.scenario.k, 1), (unit - 1, 0), None)],
        alt=text.PREDICT_ALT.format(cell=name, t=unrolled.t),
    )


# ---- time ----------------------------------------------------------------------------------------


def time_playback(unrolled: Unrolled) -> matrices.Item:
    """Return the panel of the input and the state at every step, which plays the time."""
    return panel(
        text.TIME_TITLE,
        _text(unrolled),
        *rows_of_cells(unrolled),
        [unrolled.over_time("x_t"), *map(unrolled.over_time, unrolled.carried)],
        alt=text.time_alt(unrolled.carried, unrolled.T),
        callout=" ".join(_callout(unrolled)),
        playback=Playback(text.PLAY_STEPS, _steps(unrolled), unrolled.t - 1, setting="t", has_slider=False),
        fit=unrolled.fit,
    )


def _callout(unrolled: Unrolled) -> list[str]:
    """Return what the state is there for, and how many values are saturated over all steps."""
    flat = ((g, unrolled.flat[symbol]) for symbol, (_, g) in unrolled.activated.items())
    counts = saturation.count_by_activation(flat)
    saturated = words.saturated_over_time(unrolled.scenario.cell, counts, unrolled.symbols.cell, unrolled.activated)
    return [*(_same_letter(unrolled) or _kept(unrolled)), saturated]


def _same_letter(unrolled: Unrolled) -> list[str]:
    """Return how the state differs between two steps with the same letter, if it does on the screen."""
    word, unit = unrolled.scenario.word[: unrolled.T] if unrolled.is_word else "", unrolled.state.unit
    h = [number(value, unrolled.state.decimals) for value in unrolled.trace.h_t[:, unit - 1, 0].tolist()]
    for first, letter in enumerate(word):
        second = word.find(letter, first + 1)
        if second > 0 and h[first] != h[second]:
            values = {"before": h[first], "after": h[second], "letter": literal(letter)}
            return [text.SAME_LETTER.format(first=first + 1, second=second + 1, unit=unit, **values)]
    return []


def _kept(unrolled: Unrolled) -> list[str]:
    """Return how much the gate on the wire of the state keeps, if there is one."""
    gate, through = unrolled.direct_gate(unrolled.trace)
    if through is None:
        return []
    share = words.relative(float(through.mean()), unrolled.state.decimals)
    state = unrolled.carried[-1].removesuffix("_t")
    return [text.KEEPS.format(gate=unrolled.shown(gate).text, share=share, state=state)]


def _text(unrolled: Unrolled) -> str:
    """Return the text of the panel that plays the time."""
    scenario, asked = unrolled.scenario, unrolled.state.settings.t
    sentences = [
        text.COLUMNS,
        text.about_input(scenario.input, literal(scenario.word), scenario.T),
        text.PLAY,
        *_wire(unrolled),
        *([_outlined(unrolled)] if _has_outlined_state(unrolled) else []),
        text.FROM_OWN if any(part.any() for part in unrolled.first) else text.FROM_ZERO,
    ]
    if scenario.cell in REMARKS:
        sentences.append(REMARKS[scenario.cell])
    if unrolled.network:
        sentences.append(text.ONLY_LAYER_1)
    if asked > unrolled.T:
        sentences.append(text.beyond(asked, unrolled.T))
    if scenario.stochastic and hasattr(unrolled.cell, "GATE_PROBABILITIES"):
        sentences.append(text.NOT_SAMPLED.format(cell=scenario.cell))
    return " ".join(sentences)


def _has_outlined_state(unrolled: Unrolled) -> bool:
    """Return whether the maps that play the time have outlined entries. Otherwise only those of the gates have them."""
    return any(symbol in unrolled.flat for symbol in unrolled.carried)


def _outlined(unrolled: Unrolled) -> str:
    return text.outlined(unrolled.state.threshold_fraction, saturates=unrolled.saturates)


def _steps(unrolled: Unrolled) -> list[Step]:
    """Return the texts beside the maps, for each step."""
    T, unit, decimals = unrolled.T, unrolled.state.unit, unrolled.state.decimals
    of_unit = {
        unrolled.shown(symbol).text: getattr(unrolled.trace, symbol)[:, unit - 1, 0].tolist()
        for symbol in dict.fromkeys([*unrolled.activated, *unrolled.carried])
    }
    letters = unrolled.scenario.word if unrolled.is_word else [None] * T
    return [
        Step(
            label=f"{at + 1}",
            title=text.TIME_TITLE,
            note="\n".join(
                [
                    text.step(at + 1, T, letters[at]),
                    text.unit(unit, {symbol: number(values[at], decimals) for symbol, values in of_unit.items()}),
                ]
            ),
            value=f"{at + 1}",
        )
        for at in range(T)
    ]


def at_this_step(unrolled: Unrolled) -> matrices.Item:
    """Return the panel with the diagram of the selected step, which moves with time."""
    return panel(
        diagram_text.TITLE,
        diagram_text.over_time(has_gates=diagram.has_gates(unrolled.symbols)),
        [diagram.diagram(unrolled.symbols, threshold=unrolled.state.threshold_fraction, block=unrolled.now)],
        alt=diagram_text.OVER_TIME_ALT.format(cell=unrolled.scenario.cell),
        folded=unrolled.network is not None,
    )


def _wire(unrolled: Unrolled) -> list[str]:
    """Return the sentences on the wire of the state in the row of cells; none without a gate on it, or without the row."""
    if unrolled.T > MOST_STEPS:
        return []
    gate, _ = unrolled.direct_gate(unrolled.trace)
    state = unrolled.carried[-1].removesuffix("_t")
    return [text.WIRE.format(gate=unrolled.shown(gate).text, state=state)] if gate else []


# ---- below it ------------------------------------------------------------------------------------


def equations(unrolled: Unrolled) -> matrices.Item:
    """Return the panel of the equations with the numbers of the selected step."""
    return panel(
        text.EQUATIONS_TITLE,
        text.EQUATIONS,
        *unrolled.equations(unrolled.cell.EQUATIONS),
        alt=text.EQUATIONS_ALT.format(cell=unrolled.scenario.cell),
        folded=True,
    )


def gates_over_time(unrolled: Unrolled) -> matrices.Item:
    """Return the panel of what is activated, without the state, at every step."""
    gates, saturated = _gates(unrolled), _saturated(unrolled)
    return panel(
        text.GATES_TITLE,
        "" if _has_outlined_state(unrolled) else _outlined(unrolled),
        [unrolled.over_time(symbol) for symbol in gates],
        alt=text.gates_alt((unrolled.shown(symbol).text for symbol in gates), saturated),
        note=saturated,
        fit=unrolled.fit,
    )


def everything_over_time(unrolled: Unrolled) -> matrices.Item:
    """Return the panel of every other symbol at every step."""
    above = ("x_t", *unrolled.carried, *_gates(unrolled))
    others = [symbol for symbol in unrolled.trace._fields if not unrolled.shown(symbol).double and symbol not in above]
    # Without gates, no panel above has said how much is saturated.
    saturated = [] if _gates(unrolled) else [_saturated(unrolled)]
    return panel(
        text.EVERYTHING_TITLE,
        text.EVERYTHING,
        [unrolled.over_time(symbol) for symbol in others],
        alt=" ".join([text.EVERYTHING_ALT, *saturated]),
        folded=True,
        note="".join(saturated),
        fit=unrolled.fit,
    )


def _gates(unrolled: Unrolled) -> list[str]:
    """Return the activated symbols that are not carried from step to step."""
    return [symbol for symbol in unrolled.activated if symbol not in unrolled.carried]


def _saturated(unrolled: Unrolled) -> str:
    """Return how many units of each activated symbol are saturated or inactive, a line each."""
    counts = [
        text.FLAT_OF.format(
            symbol=unrolled.shown(symbol).text,
            flat=which.sum(),
            all=which.size,
            last=which[:, -1].sum(),
            units=unrolled.scenario.k,
        )
        for symbol, which in unrolled.flat.items()
    ]
    return "\n".join([text.SATURATED if unrolled.saturates else text.INACTIVE, *counts])


def letters(unrolled: Unrolled) -> None:
    """Draw the table of the units that are saturated or inactive at each letter, if the word is the input."""
    if not unrolled.is_word:
        return
    table: dict[str, list] = {
        "t": list(range(1, unrolled.T + 1)),
        text.LETTER: list(unrolled.scenario.word[: unrolled.T]),
    }
    for symbol, which in unrolled.flat.items():
        table[subscripts(symbol_of(unrolled.cell, symbol))] = [text.units(column) for column in which.T.tolist()]
    with st.expander(text.SATURATED_LETTERS if unrolled.saturates else text.INACTIVE_LETTERS):
        st.dataframe(table, hide_index=True)
