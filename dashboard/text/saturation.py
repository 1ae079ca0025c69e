"""The sentences of the saturation page."""

from math import inf

from core.activations import Activation
from core.number_format import number
from dashboard.text import words
from dashboard.text.cells import PAST_GATE, z_formula
from dashboard.text.plural import fill, of_units

PAGE = "# Saturation\nA unit is saturated if its pre-activation $z$ lies where the curve of the activation $g$ is nearly flat. There, a gradient is multiplied by a small derivative $g'(z)$."

# ---- Predict first ---------------------------------------------------------------------------

PREDICT_TITLE = "Predict {output}"
PREDICT = "These are the z at weight scale {scale:g}. {formula}. What is the output of unit {unit}?"
PREDICT_WITHOUT_FORMULA = "These are the z at weight scale {scale:g}. What is the output of unit {unit}?"
PREDICT_ALT = "The z of {units} units."

# ---- playing the scale -----------------------------------------------------------------------

# A unit on a flat part of the curve, in a heading.
SATURATED, INACTIVE = "saturated", "inactive"

PLAY_SCALE = "Play the weight scale"
AT_SCALE = "Units at weight scale {scale:g}"
# Sentences on the units at one scale.
SATURATED_AT_SCALE = of_units(
    "{count} of {k} unit is saturated: {low} at negative z and {high} at positive z.",
    "{count} of {k} units is saturated: {low} at negative z and {high} at positive z.",
    "{count} of {k} units are saturated: {low} at negative z and {high} at positive z.",
)
INACTIVE_AT_SCALE = of_units(
    "{count} of {k} unit is inactive.",
    "{count} of {k} units is inactive.",
    "{count} of {k} units are inactive.",
)
UNIT_AT_SCALE = "Unit {unit}: {output}, {slope}, which is {share} of the maximum."

CURVES_TITLE = "Units on the curves"
VALUES_TITLE = "Values of the units"
# By source of z; a source without a sentence has that of its formula.
DOTS = {
    "typed": "The dot is the z that you type.",
    "hidden": "Each dot is a unit of the RNN, at its z = W_h·[h; x] + b_h.",
    "f": "Each dot is a unit in the forget gate, at its z = W_f·[h; x] + b_f.",
    "i": "Each dot is a unit in the input gate, at its z = W_i·[h; x] + b_i.",
    "c": "Each dot is a unit in the candidate, at its z = W_c·[h; x] + b_c.",
    "o": "Each dot is a unit in the output gate, at its z = W_o·[h; x] + b_o.",
    "r": "Each dot is a unit in the reset gate, at its z = W_r·[h; x] + b_r.",
    "u": "Each dot is a unit in the update gate, at its z = W_u·[h; x] + b_u.",
}
OTHER_DOTS = "Each dot is a unit, at its z = {z}."
SHADED = "In the shaded parts ({where}), the derivative is below {threshold:.0%} of its maximum, which is {largest:g}."
FLAT_SIDE = "{g} is flat on the shaded side. Its derivative is 0 at every z below 0, and here also at 0 itself."
EDGE = "A triangle at the edge of the chart marks a unit beyond it."
SPREAD = "To spread the dots, set Initialization to Normal."
SATURATED_ALT = "The units as dots on {g} and on {slope}, with {flat} of {units} saturated at weight scale {scale:g}."
INACTIVE_ALT = "The units as dots on {g} and on {slope}, with {flat} of {units} inactive at weight scale {scale:g}."
VALUES_ALT = "For each of the units, k = {units}: z, {g}(z), {slope}(z), and whether it is {flat}."


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
    title = SATURATED_AT_SCALE if saturates else INACTIVE_AT_SCALE
    return fill(title, {"count": low + high, "k": units, "low": low, "high": high})


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


def dots(source: str) -> str:
    """Return the sentence on what a dot is."""
    return DOTS.get(source) or OTHER_DOTS.format(z=z_formula(source))


# ---- many inputs -----------------------------------------------------------------------------

MANY_TITLE = "Derivatives for many inputs"
MANY = "Each column is one of {inputs} random inputs. Each entry is the derivative of one unit, as a fraction of its maximum. {row} {state}"
SATURATED_ROW = "A unit is saturated for all {inputs} inputs if its whole row is below {threshold:.0%}. A unit that is saturated for only some inputs can still learn from the others."
INACTIVE_ROW = (
    "A unit is inactive for all {inputs} inputs if its whole row is 0. If a ReLU is inactive for all data, it is dead."
)
STATE_BETWEEN = "Here x_t and h_{{t−1}} are sampled from N(0, 1). In a sequence, the states lie between {low} and {high}, so fewer units may be saturated."
STATE_ANY = "Here x_t and h_{t−1} are sampled from N(0, 1). The states that a cell computes can also be any number."
STATE_BOUNDED_BELOW = (
    "Here x_t and h_{{t−1}} are sampled from N(0, 1). The states that a cell computes are never below {low}."
)
MANY_ALT = "The derivatives, units by inputs. {count}"
SATURATED_MANY = of_units(
    "Over {inputs} inputs, {count} of {k} unit is always saturated, {sometimes} sometimes, and {never} never.",
    "Over {inputs} inputs, {count} of {k} units is always saturated, {sometimes} sometimes, and {never} never.",
    "Over {inputs} inputs, {count} of {k} units are always saturated, {sometimes} sometimes, and {never} never.",
)
INACTIVE_MANY = of_units(
    "Over {inputs} inputs, {count} of {k} unit is always inactive, {sometimes} sometimes, and {never} never.",
    "Over {inputs} inputs, {count} of {k} units is always inactive, {sometimes} sometimes, and {never} never.",
    "Over {inputs} inputs, {count} of {k} units are always inactive, {sometimes} sometimes, and {never} never.",
)


def state_range(low: float, high: float) -> str:
    """Return the sentence on the states that a cell makes, from the range of its activation."""
    if low == -inf:
        return STATE_ANY
    state = STATE_BOUNDED_BELOW if high == inf else STATE_BETWEEN
    return state.format(low=number(low, 0), high=number(high, 0))


def many_count(inputs: int, always: int, sometimes: int, units: int, *, saturates: bool) -> str:
    """Return for how many inputs the units are saturated, or inactive.

    Parameters
    ----------
    inputs : int
    always, sometimes : int
        The units that are so for all inputs, and for some but not for all.
    units : int
    saturates : bool
        Whether the activation saturates, or else is inactive on one side.
    """
    values = {
        "inputs": inputs,
        "count": always,
        "sometimes": sometimes,
        "never": units - always - sometimes,
        "k": units,
    }
    return fill(SATURATED_MANY if saturates else INACTIVE_MANY, values)


def many(inputs: int, threshold: float, state_range: str, *, saturates: bool) -> str:
    """Return the text on the map of units by inputs.

    Parameters
    ----------
    inputs : int
    threshold : float
        A fraction of the maximum derivative.
    state_range : str
        The sentence on the states that the cell makes.
    saturates : bool
        Whether the activation saturates, or else is inactive on one side.
    """
    row = (SATURATED_ROW if saturates else INACTIVE_ROW).format(threshold=threshold, inputs=inputs)
    return MANY.format(inputs=inputs, row=row, state=state_range)


# ---- at z or at g(z) -------------------------------------------------------------------------

AT_Z_TITLE = "Derivative at z"
AT_Z = (
    "Compute the derivative at z, and not at the output g(z). {here} The formulas s·(1 − s) and 1 − t² contain the outputs s = σ(z) "
    "and t = tanh(z), but they give the derivative at z."
)
AT_Z_INACTIVE = "For {g} this makes no difference, because {g}(z) is above 0 exactly when z is above 0."
AT_Z_SAME = "For unit {unit}, z and {g}(z) happen to be the same number."
AT_Z_OTHER = "At the chosen scale, unit {unit} has {slope}. If you put the output into the derivative instead of z, you get {wrong}."
AT_Z_CLOSE = "At the chosen scale, unit {unit} has {slope}. With the output in place of z, you get the same number after rounding. For most other z, the two numbers differ."

LARGEST_TITLE = "Maximum derivative"
LARGEST = (
    "The derivative of σ is at most 0.25: s·(1 − s) is largest where s = 0.5, which is at z = 0. The derivative of tanh is at most 1: "
    "1 − t² is largest where t = 0, also at z = 0. tanh(z) equals 2·σ(2z) − 1, so its derivative is 4·σ′(2z), with the maximum 4·0.25 = 1."
)

# ---- what is left after T steps --------------------------------------------------------------

AFTER_T_TITLE = {"one": "Gradient after {T} step", "many": "Gradient after {T} steps"}
AFTER_T = "{path} If every step has the derivative of unit {unit} at the chosen scale, the derivatives give a factor of {power}. If every step has the maximum derivative of {g}, they give {largest}."
THROUGH_CELL = {
    "one": "A gradient that flows back through {T} step of an RNN is multiplied by a derivative g′(z) once.",
    "many": "A gradient that flows back through {T} steps of an RNN is multiplied by a derivative g′(z) {T} times.",
}
WEIGHTS_TOO = "The weights multiply it too. Large weights can compensate for a small derivative, but not for 0."
# By source of z; a source without a sentence has that of its formula.
THROUGH_GATE = {
    "f": "Each time the gradient flows back through the forget gate, it is multiplied by g′(z), by weights and by other values of the step.",
    "i": "Each time the gradient flows back through the input gate, it is multiplied by g′(z), by weights and by other values of the step.",
    "c": "Each time the gradient flows back through the candidate, it is multiplied by g′(z), by weights and by other values of the step.",
    "o": "Each time the gradient flows back through the output gate, it is multiplied by g′(z), by weights and by other values of the step.",
    "r": "Each time the gradient flows back through the reset gate, it is multiplied by g′(z), by weights and by other values of the step.",
    "u": "Each time the gradient flows back through the update gate, it is multiplied by g′(z), by weights and by other values of the step.",
}
THROUGH_OTHER = "Each time the gradient flows back through z = {z}, it is multiplied by g′(z), by weights and by other values of the step."
ONE_PATH = (
    "The next two numbers count only g′(z), as if the gradient flowed through this gate or candidate at every step."
)
# The base of a power that is below the smallest float64.
BELOW_SMALLEST = "less than 5·10⁻³²⁴"

GOOD_TITLE = "Good and bad saturation"
GOOD = (
    "Saturation is good in a gate that has learned what to do. Near 1 the gate passes almost everything, and near 0 almost nothing. "
    "Small changes of z hardly change its value. Before training, saturation is usually harmful: almost no gradient "
    "reaches the weights of a unit that starts saturated, so these weights hardly change. In an RNN, almost no gradient flows back through such a unit. "
    "Even before training, a forget gate near 1 can be good: it passes the gradient along c almost unchanged."
)


def after_T_title(T: int) -> str:
    """Return the title of the panel on what is left after T steps."""
    return AFTER_T_TITLE["one" if T == 1 else "many"].format(T=T)


def through_cell(T: int) -> str:
    """Return the sentences on a gradient that flows back through T steps of a cell without gates."""
    return f"{THROUGH_CELL['one' if T == 1 else 'many'].format(T=T)} {WEIGHTS_TOO}"


def through_gate(source: str, cell: str) -> str:
    """Return the sentences on a gradient that flows back through a gate.

    Parameters
    ----------
    source : str
        A name of SOURCES.
    cell : str
        The name of its cell.
    """
    gate = THROUGH_GATE.get(source) or THROUGH_OTHER.format(z=z_formula(source))
    return " ".join(filter(None, [gate, PAST_GATE.get(cell), ONE_PATH]))


# ---- how it grows ----------------------------------------------------------------------------

GROWTH_TITLE = "Saturation before training"
# The panel has another title in links of earlier versions.
GROWTH_ANCHOR = "growth-with-scale-and-fan-in"
GROWTH = (
    "Top: the fraction of saturated units. Bottom: the median derivative. Each point comes from {cells} cells with normal, Glorot or orthogonal "
    "weights (see Details). The band contains 90% of these cells. The dotted lines mark the scale and the fan-in of this page."
)
EXACTLY = "Details"
GROWTH_EXACTLY = (
    "The dashed lines are the theory for a normally distributed z. They are least accurate if a unit has few inputs. The variance of z is the sum of the "
    "variances of its n + m products. So with normal weights, the standard deviation of z is the scale times the square root of the fan-in. "
    "In the chart with the fan-in on the x-axis, every cell has n = m."
)
SMALLER = "The initialized cells and the charts use {largest} for sizes above {largest}."
OVER_SCALE_ALT = "The fraction of saturated units rises with the weight scale, and the median derivative falls."
OVER_FAN_IN_ALT = (
    "With normal weights z grows with the fan-in without bound; with Glorot and orthogonal weights it does not."
)
FRESH_NONE = (
    "In {cells} cells with normally distributed weights, none of the units are saturated. These cells have this page's sizes and weight scale, no bias, and inputs from N(0, 1). "
    "In theory, a normally distributed z gives {expected} (dashed line)."
)
FRESH_ALL = (
    "In {cells} cells with normally distributed weights, all units are saturated. These cells have this page's sizes and weight scale, no bias, and inputs from N(0, 1). "
    "In theory, a normally distributed z gives {expected} (dashed line)."
)
FRESH_SOME = (
    "In {cells} cells with normally distributed weights, {part} of the units are saturated. These cells have this page's sizes and weight scale, no bias, and inputs from N(0, 1). "
    "In theory, a normally distributed z gives {expected} (dashed line)."
)
FAN_IN = "With normal weights, a larger fan-in (n + m inputs of a unit) saturates more units."
COMPROMISE = (
    "Glorot weights get smaller as the matrix gets larger. For one matrix, the fan-in is its number of columns, and the fan-out its number of rows. With weights of variance 1/fan-in, the entries of a vector keep "
    "about the same size in the forward pass. With 1/fan-out, the entries of a gradient keep about the same size in the backward pass. Glorot takes 2/(fan-in + fan-out), which lies in between. Here z is the sum of two products, one for h and one for x. "
    "With Glorot weights and m = n = k, the standard deviation of z is √2 times the scale. For other sizes it is below 2 times the scale. A square orthogonal $W_{{hh}}$ at scale 1 does not change "
    "the norm of the vector that it multiplies. But the derivatives of g still shrink the gradient. With orthogonal weights, the standard deviation "
    "of z is at most √2 times the scale. At the sizes and the scale here, the standard deviation of z is {normal} with normal, {glorot} with "
    "Glorot and {orthogonal} with orthogonal weights."
)
NOT_COMPUTED = "The page does not compute this for {g}. To see it, choose sigmoid or tanh under Cell in the sidebar."
NO_ENDS = (
    "{g} does not saturate. If positive and negative weights are equally likely and the bias is 0, half of the units are inactive on average. "
    "This holds at any scale and any fan-in. To see saturation grow, choose sigmoid or tanh under Cell in the sidebar."
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
    "Just below 1, the numbers of float64 are 1.1·10⁻¹⁶ apart. So above some z, the computed tanh(z) and σ(z) are exactly 1. Here σ(z) is computed as 1/(1 + e^(−z)). If s = σ(z) or t = tanh(z) is exactly 1, the formulas "
    "s·(1 − s) of σ′ and 1 − t² of tanh′ give 0. This page computes the derivative from z. So the derivative stays above 0 until it is too small for the number type."
)
COMPUTED = "function and number type"
COMPUTED_IN = "{g} in {type}"
OUTPUT_IS_1 = "smallest z with g(z) = 1"
SLOPE_IS_0 = "smallest z with g′(z) rounded to 0"

# ---- every unit ------------------------------------------------------------------------------

UNIT_IN_TYPES = "Unit {unit} at the chosen scale, z = {z}:"
TYPE = "number type"
SLOPE_FROM_OUTPUT = "derivative from the output"
SLOPE_FROM_Z = "derivative from z"
EVERY_UNIT_TITLE = "Table of all units at weight scale {scale:g}"
SHARE = "fraction of the maximum derivative"
DOWNLOAD = "Download as CSV"
