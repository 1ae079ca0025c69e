"""The sentences of the saturation page."""

from math import inf

from core.activations import Activation
from core.number_format import number
from dashboard.text import words

PAGE = "# Saturation\nAn activation is saturated where its curve is flat. There, a gradient is multiplied by a small derivative $g'(z)$."

# ---- Predict first ---------------------------------------------------------------------------

PREDICT_TITLE = "Predict {output}"
PREDICT = "These are the z at scale {scale:g}. {formula}. What comes out of unit {unit}?"
PREDICT_WITHOUT_FORMULA = "These are the z at scale {scale:g}. What comes out of unit {unit}?"
PREDICT_ALT = "The z of {units} units."

# ---- playing the scale -----------------------------------------------------------------------

# A unit on a flat part of the curve, in a heading.
SATURATED, INACTIVE = "saturated", "inactive"

PLAY_SCALE = "Play the scale"
AT_SCALE = "Scale {scale:g}"
# Of the units at one scale.
SATURATED_AT_SCALE = {
    "one": "{flat} of {units} unit is saturated: {low} low and {high} high.",
    "many": "{flat} of {units} units are saturated: {low} low and {high} high.",
}
INACTIVE_AT_SCALE = {
    "one": "{flat} of {units} unit is inactive.",
    "many": "{flat} of {units} units are inactive.",
}
UNIT_AT_SCALE = "Unit {unit}: {output}, {slope}, which is {share} of the maximum."

CURVES_TITLE = "Units on the curves"
# By source of z; `about` is of one without a sentence.
DOTS = {
    "typed": "The dot is the z that you type.",
    "hidden": "Each dot is the z = W·[h; x] + b of a unit of the RNN.",
    "f": "Each dot is the z = W·[h; x] + b of a unit in the forget gate.",
    "i": "Each dot is the z = W·[h; x] + b of a unit in the input gate.",
    "c": "Each dot is the z = W·[h; x] + b of a unit in the candidate.",
    "o": "Each dot is the z = W·[h; x] + b of a unit in the output gate.",
    "r": "Each dot is the z = W·[h; x] + b of a unit in the reset gate.",
    "u": "Each dot is the z = W·[h; x] + b of a unit in the update gate.",
}
OTHER_DOTS = "Each dot is the z = W·[h; x] + b of a unit {about}."
SHADED = "Shaded: less than {threshold:.0%} of the maximum derivative, {largest:g}, is left {where}."
FLAT_SIDE = "ReLU is flat on the shaded side. Its derivative is 0 at every z below 0, and here also at 0 itself."
EDGE = "A triangle at the edge is a unit beyond the axes."
SPREAD = "To spread the dots, set Initialization to Normal."
SATURATED_ALT = "The units as dots on {g} and on {slope}; at the scale {scale:g} {flat} of {units} are saturated."
INACTIVE_ALT = "The units as dots on {g} and on {slope}; at the scale {scale:g} {flat} of {units} are inactive."
VALUES_ALT = "z, its {g} and {slope} of {units} units, and which of them are {flat}."


def flat(*, saturates: bool) -> str:
    """Return the word for a unit on a flat part of the curve."""
    return SATURATED if saturates else INACTIVE


def at_scale(low: int, high: int, units: int, *, saturates: bool) -> str:
    """Return how many units are on a flat part of the curve.

    Parameters
    ----------
    low, high : int
        The units on each side.
    units : int
    saturates : bool
        Whether the activation saturates, or else is inactive on one side.
    """
    titles = SATURATED_AT_SCALE if saturates else INACTIVE_AT_SCALE
    title = titles["one" if units == 1 else "many"]
    return title.format(flat=low + high, units=units, low=low, high=high)


def predict(scale: float, formula: str | None, unit: int) -> str:
    """Return the question for the output of a unit; an activation without a formula has none."""
    if formula is None:
        return PREDICT_WITHOUT_FORMULA.format(scale=scale, unit=unit)
    return PREDICT.format(scale=scale, formula=formula, unit=unit)


def shaded(g: Activation, threshold: float) -> str:
    """Return the sentence on the flat parts of a curve.

    Parameters
    ----------
    g : Activation
    threshold : float
        A fraction of the maximum derivative, in (0, 1).
    """
    return SHADED.format(threshold=threshold, largest=g.max_df, where=words.outside_bounds(g, threshold))


def dots(source: str, about: str) -> str:
    """Return the sentence on what a dot is; `about` is the cell's own phrase for the source."""
    return DOTS.get(source, OTHER_DOTS).format(about=about)


# ---- many inputs -----------------------------------------------------------------------------

MANY_TITLE = "Many inputs"
MANY = "The same weights on {inputs} inputs, one in each column: the part of the maximum derivative that is left to each unit. {row} {state}"
SATURATED_ROW = "A unit below {threshold:.0%} in its whole row is saturated for all {inputs} inputs. A unit that is dark for some inputs is not stuck."
INACTIVE_ROW = "A unit that is 0 in its whole row is inactive for all {inputs} inputs. For all data, it is a dead ReLU."
STATE_BETWEEN = (
    "Both x_t and h_{{t−1}} are samples of N(0, 1). A state that the cell makes itself is between {low} and {high}."
)
STATE_ANY = "Both x_t and h_{t−1} are samples of N(0, 1). A state that the cell makes itself is any number."
STATE_BOUNDED_BELOW = (
    "Both x_t and h_{{t−1}} are samples of N(0, 1). A state that the cell makes itself is never below {low}."
)
SATURATED_MANY_ALT = (
    "Units by inputs: {always} of {units} units are saturated for all {inputs} inputs, {sometimes} for some."
)
INACTIVE_MANY_ALT = (
    "Units by inputs: {always} of {units} units are inactive for all {inputs} inputs, {sometimes} for some."
)
SATURATED_MANY = (
    "Saturated for all {inputs} inputs: {always} of {units} units. For some: {sometimes}. For none: {never}."
)
INACTIVE_MANY = "Inactive for all {inputs} inputs: {always} of {units} units. For some: {sometimes}. For none: {never}."


def state_range(low: float, high: float) -> str:
    """Return the sentence on the states that a cell makes, from the range of its activation."""
    if low == -inf:
        return STATE_ANY
    state = STATE_BOUNDED_BELOW if high == inf else STATE_BETWEEN
    return state.format(low=number(low, 0), high=number(high, 0))


def many(inputs: int, threshold: float, state_range: str, *, saturates: bool) -> str:
    """Return the text on the map of units by inputs.

    Parameters
    ----------
    inputs : int
    threshold : float
        A fraction of the largest slope.
    state_range : str
        The sentence on the states that the cell makes.
    saturates : bool
        Whether the activation saturates, or else is inactive on one side.
    """
    row = (SATURATED_ROW if saturates else INACTIVE_ROW).format(threshold=threshold, inputs=inputs)
    return MANY.format(inputs=inputs, row=row, state=state_range)


# ---- at z or at g(z) -------------------------------------------------------------------------

AT_Z_TITLE = "At z or at g(z)?"
AT_Z = (
    "At z. {here} The formulas with the output in them, s·(1 − s) and 1 − t², are the slope at z, written with s = σ(z) "
    "and t = tanh(z)."
)
AT_Z_RELU = "For ReLU it makes no difference, for z and ReLU(z) are above 0 together."
AT_Z_SAME = "For unit {unit} z and {g}(z) happen to be the same number."
AT_Z_OTHER = (
    "At the chosen scale unit {unit} has {slope}. Taken at the output it would be {wrong}, which is the slope of another "
    "point."
)

LARGEST_TITLE = "Why at most 0.25 and 1?"
LARGEST = (
    "s·(1 − s) is largest where s is halfway, at s = 0.5 and z = 0: 0.5·0.5 = 0.25. 1 − t² is largest where t = 0: 1. tanh "
    "is σ stretched: tanh(z) = 2·σ(2z) − 1, so its slope is four times as high, 4·0.25 = 1."
)

# ---- what is left after T steps --------------------------------------------------------------

AFTER_T_TITLE = {"one": "What is left after T = {T} step?", "many": "What is left after T = {T} steps?"}
AFTER_T = (
    "{path} With the slope of unit {unit} at the chosen scale: {power}. With the largest slope that {g} has: {largest}."
)
THROUGH_CELL = {
    "one": "In a plain cell a gradient that comes back through {T} step is multiplied by such a slope each time.",
    "many": "In a plain cell a gradient that comes back through {T} steps is multiplied by such a slope each time.",
}
WEIGHTS_TOO = "The weights multiply it too, which can make up for a small slope or make it worse; nothing makes up for a slope of 0."
# By source of z; `about` is of one without a sentence.
THROUGH_GATE = {
    "f": "Each time a path of the gradient goes through the forget gate, it is multiplied by such a slope, and by weights and states.",
    "i": "Each time a path of the gradient goes through the input gate, it is multiplied by such a slope, and by weights and states.",
    "c": "Each time a path of the gradient goes through the candidate, it is multiplied by such a slope, and by weights and states.",
    "o": "Each time a path of the gradient goes through the output gate, it is multiplied by such a slope, and by weights and states.",
    "r": "Each time a path of the gradient goes through the reset gate, it is multiplied by such a slope, and by weights and states.",
    "u": "Each time a path of the gradient goes through the update gate, it is multiplied by such a slope, and by weights and states.",
}
THROUGH_OTHER = "Each time a path of the gradient goes through {about}, it is multiplied by such a slope, and by weights and states."
PAST_GATE = "The direct path does not go through it. {path}, which is why such a cell can carry a gradient far."
ONE_PATH = "What follows is about the one path that goes through it at every step."
# The base of a power that is below the smallest float64.
BELOW_SMALLEST = "less than 5e−324"

GOOD_TITLE = "When is saturation good?"
GOOD = (
    "In a gate that has learned what to do: near 1 it passes almost everything and near 0 almost nothing, and small "
    "changes do not disturb it. It is bad before that. A unit that starts far out on a flat end gets hardly any gradient, "
    "so learning hardly moves it away; and in a plain cell hardly any gradient gets past it to earlier steps."
)


def after_T_title(T: int) -> str:
    """Return the title of the panel on what is left after T steps."""
    return AFTER_T_TITLE["one" if T == 1 else "many"].format(T=T)


def through_cell(T: int) -> str:
    """Return the sentences on a gradient that comes back through T steps of a cell without gates."""
    return f"{THROUGH_CELL['one' if T == 1 else 'many'].format(T=T)} {WEIGHTS_TOO}"


def through_gate(source: str, about: str, direct_path: str) -> str:
    """Return the sentences on a gradient that comes back through a gate.

    Parameters
    ----------
    source : str
        A name of SOURCES.
    about : str
        The cell's own phrase for the source.
    direct_path : str
        The cell's sentences on its direct path, or an empty text.
    """
    gate = THROUGH_GATE.get(source, THROUGH_OTHER).format(about=about.removeprefix("in "))
    past = [PAST_GATE.format(path=direct_path.partition(". ")[0].removesuffix("."))] if direct_path else []
    return " ".join([gate, *past, ONE_PATH])


# ---- how it grows ----------------------------------------------------------------------------

GROWTH_TITLE = "Growth with scale and fan-in"
GROWTH = (
    "Above: the fraction of units that is saturated. Below: the median derivative. Each point is of {cells} new cells without a bias, with "
    "inputs from N(0, 1). The band goes from the 5th to the 95th percentile. The dotted line is the cell on the screen."
)
EXACTLY = "Exactly"
GROWTH_EXACTLY = (
    "Dashed is what follows if z is normal. The variances of its n + m products add up, so with N(0, 1) weights its standard deviation is "
    "the scale times the square root of the fan-in. At a small fan-in z is less normal. In the right chart n = m."
)
SMALLER = "Sizes above {largest} are taken as {largest} here."
OVER_SCALE_ALT = "The fraction of saturated units rises with the scale of the weights, and the median slope falls."
OVER_FAN_IN_ALT = (
    "With normal weights z grows with the fan-in without bound; with glorot and orthogonal ones it does not."
)
FRESH_NONE = (
    "At this scale and fan-in plain N(0, 1) weights leave none of the units of the {cells} cells saturated before anything "
    "is learned; if z were normal it would be {expected}."
)
FRESH_ALL = (
    "At this scale and fan-in plain N(0, 1) weights leave all of the units of the {cells} cells saturated before anything "
    "is learned; if z were normal it would be {expected}."
)
FRESH_SOME = (
    "At this scale and fan-in plain N(0, 1) weights leave {part} of the units of the {cells} cells saturated before "
    "anything is learned; if z were normal it would be {expected}."
)
FAN_IN = "The larger the fan-in, the more."
COMPROMISE = (
    "Glorot weights get smaller as the matrix gets larger: a compromise between keeping the variance forward (1/fan-in) "
    "and backward (1/fan-out). Here z is the sum of two such products, so its standard deviation is √2 times the scale at "
    "m = n = k and below 2 times at any fan-in. A square orthogonal $W_{{hh}}$ at scale 1 keeps the norm (the length) of "
    "what it multiplies, though the slopes of g still shrink the gradient; with orthogonal weights the standard deviation "
    "of z stays below 1.42 times the scale. At the sizes and the scale here it is {normal} with normal, {glorot} with "
    "glorot, {orthogonal} with orthogonal."
)
NOT_COMPUTED = "This is not computed for {g}. Choose sigmoid or tanh under Cell in the sidebar to see it."
NO_ENDS = (
    "ReLU has no ends to saturate at: with weights symmetric about 0 and no bias half of the units are inactive on "
    "average, at any scale and any fan-in. Choose sigmoid or tanh under Cell in the sidebar to see it grow."
)


def fresh(fraction: float, expected: float, cells: int) -> str:
    """Return the sentence on how many units of fresh cells are saturated.

    Parameters
    ----------
    fraction : float
        Of the units that were counted, in [0, 1].
    expected : float
        The fraction if z were normal.
    cells : int
    """
    sentence = {0.0: FRESH_NONE, 1.0: FRESH_ALL}.get(fraction, FRESH_SOME)
    return sentence.format(part=words.percent(fraction), cells=cells, expected=words.percent(expected))


# ---- floating-point limits -------------------------------------------------------------------

LIMITS_TITLE = "Floating-point limits"
LIMITS = (
    "Close to 1 a floating-point type has few digits, so σ(z) and tanh(z) are exactly 1 from some z on, and a derivative computed from them "
    "is 0. Computed from z itself, as on this page, it stays above 0 until it is too small for the type."
)
COMPUTED = "computed"
COMPUTED_IN = "{g} in {type}"
OUTPUT_IS_1 = "g(z) is 1, and the derivative from it 0, from"
SLOPE_IS_0 = "the derivative from z is 0 from"

# ---- every unit ------------------------------------------------------------------------------

UNIT_IN_TYPES = "Unit {unit} at the chosen scale, z = {z}:"
TYPE = "type"
SLOPE_FROM_OUTPUT = "slope from the output"
SLOPE_FROM_Z = "slope from z"
EVERY_UNIT_TITLE = "Every unit at scale {scale:g}"
SHARE = "share of the largest slope"
DOWNLOAD = "Download as CSV"
