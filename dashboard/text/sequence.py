"""The sentences of the sequence page."""

from collections.abc import Iterable, Mapping, Sequence

from dashboard.text import words
from dashboard.text.plural import Plural, Template, fill

PAGE = (
    "# Sequence\nA recurrent cell reads one input per step, always with the same weights. Each step passes its state to "
    "the next one: $h_t$, and in the LSTM also $c_t$."
)

# ---- remarks ---------------------------------------------------------------------------------

UNTIL_THEN = "{reason} Until then, the input is noise."
OVERFLOW = "After step {T} there are numbers beyond 10³⁰, so the sequence ends there."

# ---- Predict first ---------------------------------------------------------------------------

PREDICTED = "hₜ at step {t}"
PREDICT_TITLE = "Predict h_t at step {t}"
PREDICT = "These are the equations of the {cell} at this step, without the value of h_t. What is h_t of unit {unit}?"
PREDICT_ALT = "The equations of the {cell} with the numbers of step {t}, without h_t."

# ---- time ------------------------------------------------------------------------------------

TIME_TITLE = "Input and state over time"
PLAY_STEPS = "Play the steps"
STEP = "Step {t} of {T}"
STEP_LETTER = "Step {t} of {T}: “{letter}”"
UNIT = "Unit {unit}: {values}."
CELL_AT = "step {t}"
CELL_AT_LETTER = "step {t}, “{letter}”"
LETS_THROUGH = "{where}: {gate} keeps {share} of {state}, on average over the units"
# The callout: of a word in which a letter stands twice, of another input with a gate on the wire of the state, and of any input.
SAME_LETTER = "Steps {first} and {second} have the same x_t (“{letter}”), but h_t of unit {unit} is first {before} and then {after}."
KEEPS = "On average over all steps and units, {gate} keeps {share} of {state}."
COLUMNS = "Each column is a step."
# By input.
INPUTS: dict[str, Template] = {
    "noise": "The inputs are independent samples from N(0, 1) (Gaussian white noise).",
    "impulse": "At step 1 the input is the x_t of the page LSTM step. After that it is 0.",
    "step": Plural(
        "T",
        "The input is the x_t of the page LSTM step.",
        "The input is 0 up to step {half}. From step {after} on, it is the x_t of the page LSTM step.",
    ),
    "sine": "The input is the x_t of the page LSTM step, times a sine with a period of 16 steps.",
    "word": "The input is “{word}”: each x_t is one-hot, with a 1 in the row of its letter.",
    "numbers": "The input has the numbers that you pasted.",
}
PLAY = "To go to a step, drag t, press ▶ or click a column."
# The row of cells, whose labels are left out where there is no room.
# In a cell of the row, where "less than" and "more than" are too long.
ON_CELL = "{gate} {share}"
SHORTER = {"less than ": "<", "more than ": ">"}
WIRE = "{gate} is the fraction of {state} that is kept. The larger its mean over the units, the wider the wire of {state}. Each cell shows this mean in percent."
SATURATED_OUTLINED = "A green outline marks a saturated entry: its derivative is below {threshold:.0%} of the maximum."
INACTIVE_OUTLINED = "A green outline marks an inactive entry: its derivative is 0."
FROM_ZERO, FROM_OWN = "The initial state is 0.", "The initial state has custom values."
BEYOND = Plural(
    "T",
    "The sequence has only 1 step, so the page shows step 1 and not t = {t}.",
    "The sequence has only {T} steps, so the page shows step {T} and not t = {t}.",
)
NOT_SAMPLED = "Over a sequence the gates are not sampled: this is the standard {cell}."
TIME_ALT = "x_t and the state, {carried}, at each of {T} steps."


def step(t: int, T: int, letter: str | None) -> str:
    """Return which step is shown; None for an input that is no word."""
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


def about_input(kind: str, word: str, T: int) -> str:
    """Return what the input is; empty for a kind without a sentence.

    Parameters
    ----------
    kind : str
        A key of INPUTS.
    word : str
    T : int
        The steps that were chosen; the sequence may end before them.
    """
    return fill(INPUTS.get(kind, ""), {"word": word, "T": T, "half": T // 2, "after": T // 2 + 1})


def beyond(t: int, T: int) -> str:
    """Return which step the page shows if the chosen one is beyond the last step T."""
    return fill(BEYOND, {"t": t, "T": T})


def share(value: float) -> str:
    """Return the fraction that a gate lets through, in percent; only 1 is 100%."""
    return words.relative(value, 2)


def on_cell(gate: str, share: str) -> str:
    """Return the text in a cell of the row, from the fraction that a gate lets through."""
    for long, short in SHORTER.items():
        share = share.replace(long, short)
    return ON_CELL.format(gate=gate, share=share)


def unit(unit: int, values: Mapping[str, str]) -> str:
    """Return the values of a unit at one step, by symbol."""
    return UNIT.format(unit=unit, values=words.enumerated(f"{symbol} = {value}" for symbol, value in values.items()))


def outlined(threshold: float, *, saturates: bool) -> str:
    """Return what the outlined entries are.

    Parameters
    ----------
    threshold : float
        A fraction of the maximum derivative.
    saturates : bool
        Whether the activations of the cell saturate, or else are inactive on one side.
    """
    return (SATURATED_OUTLINED if saturates else INACTIVE_OUTLINED).format(threshold=threshold)


def time_alt(carried: Iterable[str], T: int) -> str:
    """Return what the maps beside the playback slider show."""
    return TIME_ALT.format(carried=words.listed(carried), T=T)


# ---- layers and directions -------------------------------------------------------------------

ONLY_LAYER_1 = (
    "The maps and equations show the forward direction of layer 1. All other layers and directions have random weights."
)
WAYS = ("forward", "backward")
ARROWS = ("→", "←")
ROW_NAME = "layer {layer} {arrow}"
LAYER_CELL = "layer {layer}, {way}: step {t} of the sequence, which this direction reads as step {number}"
LAST_TITLE = "The last output and h_n"
# By the number of directions.
TOP_STATE = ("h_n[-1]", "h_n[-2], h_n[-1]")
LAST = (
    "PyTorch returns two arrays. The array output has h of the top layer at every step. The array h_n has the last h of every layer. So output[-1] and h_n[-1] are the "
    "same vector. The other h_n[i] belong to the layers below.",
    "PyTorch returns two arrays. The array output has h of the top layer at every step. The array h_n has the last h of every layer and direction. The backward cell starts at "
    "the last x_t. So its half of output[-1] comes from this x_t alone, and its h_n from the whole sequence. Both vectors have 2k entries, so "
    "the wrong one raises no error. Outlined entries differ.",
)
ONE_WAY = "output[-1] and h_n[-1] are equal: all {rows} entries."
SAME_STEP = "output[-1] and h_n are equal: the sequence has one step."
SATURATED_ALIKE = (
    "All {rows} entries are equal with these numbers, but the backward half of output[-1] comes from 1 of {T} steps."
)
DIFFERING = "{count} of {rows} entries of output[-1] differ from h_n. The backward half of output[-1] comes from 1 of {T} steps."
LAST_ALT = "output[-1] beside h_n of the last layer; {count} of {rows} entries differ. Below, all entries of h_n."
WHERE = "layer {layer}, {way}"
WHERE_ONE_WAY = "layer {layer}"
EXPRESSIONS = (
    (
        "output, {states} = rnn(x)",
        "output[-1]  # (B, k)",
        "output[:, -1]  # the same with batch_first=True",
        "h_n[-1]  # the same",
    ),
    (
        "output, {states} = rnn(x)",
        "output[-1]  # backward half: one step",
        "output[:, -1]  # the same with batch_first=True",
        "h_n[-2], h_n[-1]  # forward, backward",
        "torch.cat((h_n[-2], h_n[-1]), dim=1)  # (B, 2k): all steps",
    ),
)


def row_name(layer: int, way: int) -> str:
    """Return the name of the row of a direction of a layer, both counted from 1."""
    return ROW_NAME.format(layer=layer, arrow=ARROWS[way - 1])


def layer_cell_at(t: int, layer: int, way: int, T: int) -> str:
    """Return the tooltip of the cell of a direction of a layer at a step."""
    return LAYER_CELL.format(layer=layer, way=WAYS[way - 1], t=t, number=t if way == 1 else T + 1 - t)


def where(layer: int, way: int, ways: int) -> str:
    """Return the layer, and the direction if there are two."""
    return (WHERE if ways == 2 else WHERE_ONE_WAY).format(layer=layer, way=WAYS[way - 1])


def last_text(ways: int) -> str:
    """Return the explanation of output[-1] and h_n for so many directions."""
    return LAST[ways - 1]


def differing(count: int, rows: int, ways: int, T: int) -> str:
    """Return how many entries of output[-1] differ from h_n, and why."""
    if ways == 1:
        sentence = ONE_WAY
    elif T == 1:
        sentence = SAME_STEP
    else:
        sentence = DIFFERING if count else SATURATED_ALIKE
    return sentence.format(count=count, rows=rows, T=T)


def expressions(ways: int, *, has_c: bool) -> list[str]:
    """Return lines of PyTorch that give the last output and the states after all steps."""
    states = "(h_n, c_n)" if has_c else "h_n"
    return [line.format(states=states) for line in EXPRESSIONS[ways - 1]]


# ---- below it --------------------------------------------------------------------------------

EQUATIONS_TITLE = "Equations of this step"
EQUATIONS = (
    "The weights are the same at every step. The stacked input changes, and so does everything computed from it."
)
EQUATIONS_ALT = "The equations of the {cell} with the numbers of the step."
GATES_TITLE = "Gates and activations over time"
GATES_ALT = "{symbols} at every step. {saturated}"
EVERYTHING_TITLE = "Other values over time"
EVERYTHING = (
    "These maps show all other values in the equations, such as [h; x], pre-activations and the terms of the sums."
)
EVERYTHING_ALT = "Every other symbol of the equations at every step."
SATURATED = "Saturated values over all steps (and at the last step):"
INACTIVE = "Inactive values over all steps (and at the last step):"
FLAT_OF = "{symbol}: {flat} of {all} ({last} of {units})"


def gates_alt(symbols: Iterable[str], saturated: str) -> str:
    """Return what the maps of the gates show, and how much of it is saturated."""
    return GATES_ALT.format(symbols=words.enumerated(symbols), saturated=saturated)


# ---- the letters of a word -------------------------------------------------------------------

SATURATED_LETTERS, INACTIVE_LETTERS = "**Saturated units at each letter**", "**Inactive units at each letter**"
LETTER = "letter"
MANY_UNITS = "{count} of {units}"
NO_UNIT = "none"
# For one unit, and for several.
UNITS = ("unit {units}", "units {units}")
# With at most so many units, the text gives each number.
MOST_NAMED = 6


def units(saturated: Sequence[bool]) -> str:
    """Return the units for which it is true, or their number if there are too many to name."""
    found = [f"{unit}" for unit, is_so in enumerate(saturated, 1) if is_so]
    if len(found) > MOST_NAMED:
        return MANY_UNITS.format(count=len(found), units=len(saturated))
    return UNITS[len(found) > 1].format(units=words.enumerated(found)) if found else NO_UNIT


# ---- numbers that are pasted -----------------------------------------------------------------

PASTE = "xₜ at every step"
PASTE_PLACEHOLDER = "one line for each step, with m numbers in it"
PASTE_HELP = "From a spreadsheet, as lines of numbers, as nested lists or as np.array(...)."
REFUSED = "{reason} Nothing was changed."
OTHER_WIDTH = Plural(
    "columns",
    "Each line has 1 number, but m is {m}. Set m to 1, or paste {m} on each line. Nothing was changed.",
    "Each line has {columns} numbers, but m is {m}. Set m to {columns}, or paste {m} on each line. Nothing was changed.",
)
