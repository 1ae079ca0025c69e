"""The sentences of the sequence page."""

from collections.abc import Iterable, Mapping, Sequence

from core.number_format import number
from dashboard.text import words

PAGE = (
    "# Sequence\nA recurrent cell takes one step for each input, always with the same weights: it is unrolled over time. "
    "The $h_t$ of one step is the $h_{t-1}$ of the next."
)
STATE = "A cell carries its state from step to step: $h$, and in the LSTM also $c$."

# ---- remarks ---------------------------------------------------------------------------------

UNTIL_THEN = "{reason} Until then the input is noise."
OVERFLOW = "After step {T} there are numbers beyond 10^30: the sequence ends there."

# ---- Predict first ---------------------------------------------------------------------------

PREDICTED = "hₜ at step {t}"
PREDICT_TITLE = "Predict h_t at step {t}"
PREDICT = "The equations of the {cell} at this step, as far as h_t. What is it for unit {unit}?"
PREDICT_ALT = "The equations of the {cell} with the numbers of step {t}, but for h_t."

# ---- time ------------------------------------------------------------------------------------

PLAY_STEPS = "Play the steps"
STEP = "Step {t} of {T}"
STEP_LETTER = "Step {t} of {T}: “{letter}”"
UNIT = "Unit {unit}: {values}."
CELL_AT = "step {t}"
CELL_AT_LETTER = "step {t}, “{letter}”"
LETS_THROUGH = "{where}: {gate} lets {share} of {state} through, on average over the units"
COLUMNS = "Each column is a step."
# By input.
INPUTS = {
    "noise": "The input is independent samples from N(0, 1) (Gaussian white noise).",
    "impulse": "The input is the x_t of the other pages at step 1, and 0 after it.",
    "step": "The input is 0 in the first half, and the x_t of the other pages in the second.",
    "sine": "The input is the x_t of the other pages times a sine with a period of 16 steps.",
    "word": "The input is “{word}”. Each x_t is one-hot: it has a single 1, whose row stands for the character.",
    "numbers": "The input is the numbers that were pasted.",
}
PLAY = "To go to a step, drag t, press ▶ or click a column. All maps, the diagram and the equations follow."
OUTLINED = "Outlined entries are saturated: less than {threshold:.0%} of the maximum derivative is left at their z."
FROM_ZERO, FROM_OWN = "The initial state is 0.", "The initial state is your own."
BEYOND = "There are only {T} steps: t = {t} is beyond them."
NOT_SAMPLED = "Over a sequence the gates are not sampled: this is the standard {cell}."
TIME_ALT = "x_t and what is carried, {carried}, at each of {T} steps."


def step(t: int, T: int, letter: str | None) -> str:
    """Return the title of a step; None for an input that is no word."""
    return (STEP if letter is None else STEP_LETTER).format(t=t, T=T, letter=letter)


def cell_at(t: int, letter: str | None, gate: Mapping[str, str] | None) -> str:
    """Return the tooltip of the cell at a step.

    Parameters
    ----------
    t : int
    letter : str, optional
        The input, if it is the character of a word.
    gate : mapping from str to str, optional
        The name of the gate on the wire of the state, its share and the name of the state.
    """
    where = (CELL_AT if letter is None else CELL_AT_LETTER).format(t=t, letter=letter)
    return LETS_THROUGH.format(where=where, **gate) if gate else where


def share(value: float) -> str:
    """Return the fraction that a gate lets through, in percent."""
    return f"{number(100 * value, 0)} %"


def unit(unit: int, values: Mapping[str, str]) -> str:
    """Return the values of a unit at one step, by symbol."""
    return UNIT.format(unit=unit, values=words.enumerated(f"{symbol} = {value}" for symbol, value in values.items()))


def time_alt(carried: Iterable[str], T: int) -> str:
    """Return what the maps beside the playback slider show."""
    return TIME_ALT.format(carried=words.listed(carried), T=T)


# ---- below it --------------------------------------------------------------------------------

EQUATIONS_TITLE = "That step in the equations"
EQUATIONS = (
    "The weights are the same at every step. The stacked input changes, and so does everything computed from it."
)
EQUATIONS_ALT = "The equations of the {cell} with the numbers of the step."
GATES_TITLE = "Gates and activations over time"
GATES_OVER_TIME = "Each gate and activation at each step. Outlined entries are saturated."
GATES_ALT = "{symbols} at every step. {saturated}"
EVERYTHING_TITLE = "Every symbol over time"
EVERYTHING = "The pre-activations and the terms of the equations, on fixed scales. Outlined entries are saturated."
EVERYTHING_ALT = "Every other symbol of the equations at every step."
SATURATED = "Saturated, of all units at all steps:"
SATURATED_OF = "{symbol}: {flat} of {all}, {last} of {units} at the last step"


def gates_alt(symbols: Iterable[str], saturated: str) -> str:
    """Return what the maps of the gates show, and how much of it is saturated."""
    return GATES_ALT.format(symbols=words.enumerated(symbols), saturated=saturated)


# ---- the letters of a word -------------------------------------------------------------------

LETTERS_TITLE = "**Letter by letter: the units that are saturated**"
LETTER = "letter"
MANY_UNITS = "{count} of {units}"
NO_UNIT = "none"
# With at most so many units, the text gives each number.
MOST_NAMED = 6


def units(saturated: Sequence[bool]) -> str:
    """Return the units for which it is true, or their number if there are too many to name."""
    found = [f"{unit}" for unit, is_so in enumerate(saturated, 1) if is_so]
    if len(found) > MOST_NAMED:
        return MANY_UNITS.format(count=len(found), units=len(saturated))
    return words.enumerated(found) or NO_UNIT


# ---- numbers that are pasted -----------------------------------------------------------------

PASTE = "xₜ at every step"
PASTE_PLACEHOLDER = "one line for each step, with m numbers in it"
PASTE_HELP = "From a spreadsheet, as lines of numbers, as nested lists or as np.array(...)."
REFUSED = "{reason} Nothing was changed."
OTHER_WIDTH = "Each line has {columns} numbers, but m is {m}. Set m to {columns}, or paste lines of {m} numbers. Nothing was changed."
