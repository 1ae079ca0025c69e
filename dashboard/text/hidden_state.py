"""The sentences on the page of the hidden state: whole sentences with named placeholders, and the choice between them."""

TITLE = "# Hidden state"
WHAT_IT_IS = "Cellscope shows every number in a recurrent cell while you drag a slider."
# The label of the link to each page, and the settings with which it opens.
DOORS = {
    "lstm": ("See one step", {"stage": "concatenate"}),
    "training": ("Why does it not learn?", {}),
    "shapes": ("Fix a shape error", {}),
}
CELL = "One step of a vanilla RNN, also called an Elman RNN."

# The scales of the colours.
WEIGHT_SCALE = "weights and inputs"
SUM_SCALE = "sums and z"

# In front of each panel and each equation that has the wrong result.
WRONG = "Wrong, on purpose: the stack is swapped, and the columns of W_h are not."
WRONG_EQUATION = "wrong:"


# ---- the selected unit ---------------------------------------------------------------------

LEAD = "Unit {j} now: {z}, and {h}."
LEAD_IN_ORDER = "With the stack in the order of W_h's columns its z would be {z}, and its h {h}."
SATURATED_UNITS = "Saturated units: {count} of {k}."
INACTIVE_UNITS = "Inactive units: {count} of {k}."


def flat_units(count: int, k: int, *, saturates: bool) -> str:
    """Return how many of the k units are saturated, or inactive if the activation has no upper limit."""
    return (SATURATED_UNITS if saturates else INACTIVE_UNITS).format(count=count, k=k)


def callout(*, j: int, z: str, h: str, count: str, in_order: tuple[str, str] | None) -> str:
    """Return how many units are saturated, and the arithmetic of the selected unit.

    Parameters
    ----------
    j : int
        The selected unit.
    z, h : str
        Its arithmetic.
    count : str
        From `flat_units`.
    in_order : (str, str) or None
        Its right z and h if the result on the page is wrong.
    """
    sentences = [count, LEAD.format(j=j, z=z, h=h)]
    if in_order:
        sentences = [WRONG, *sentences, LEAD_IN_ORDER.format(z=in_order[0], h=in_order[1])]
    return " ".join(sentences)


# ---- join ----------------------------------------------------------------------------------

JOIN_TITLE = "Join"
JOIN = (
    "The weights are joined (concatenated) side by side: {k} rows of {n} and of {m} make W_h with {k} rows of "
    "{inputs}. The inputs are joined on top of each other: {n} and {m} entries make one column of {inputs}, not a "
    "table of two columns. This column is the concatenated input, here called the stack. Row j of W_h is unit j, and "
    "each of its columns has one entry of the stack to multiply."
)
JOIN_ALT = (
    "W_hh is {k} by {n} and W_hx is {k} by {m}; side by side they are W_h, {k} by {inputs}. "
    "h has {n} entries and x has {m}; on top of each other they are the stack of {inputs}."
)


# ---- multiply ------------------------------------------------------------------------------

MULTIPLY_TITLE = "Multiply"
MULTIPLY = (
    "Each unit multiplies its row of weights with the stack, entry by entry, and adds up. So h_t has an entry for each of the {k} units, at "
    "every step: it does not grow."
)
NO_DIFFERENCE = (
    "Whether that is one long sum, or one over h and one over x that are then added (plain addition, whatever sign a text "
    "uses), makes no difference."
)
ROUNDING = (
    "Whether that is one long sum, or one over h and one over x that are then added (plain addition, whatever sign a text "
    "uses), makes no difference but for rounding: floating-point sums depend on the order of adding, so compare with allclose."
)
SWAPPED = (
    "The stack is swapped and the columns of W_h are not: every weight now multiplies an entry that it was not "
    "meant for. The shapes still fit, so NumPy does not complain."
)
SAME_STACK = "Here nothing changes by luck: in both orders the stack has the same numbers."
CLOSE = "Here np.allclose finds no difference, by luck."
ONLY_RESULT = "Only the result is wrong."
GOES_ON = "The panels below go on with this wrong result."
MULTIPLY_ALT = (
    "Formula 1, W_h times the stack, gives unit {j} {joined}; formula 2, W_hh h plus W_hx x, gives it {separate}."
)
MULTIPLY_NOTE = (
    "Largest difference between the two formulas: {difference}. np.allclose: {allclose}. Exactly equal: {equal}. "
    "Weights: {joined} in W_h, and {hidden} + {inputs} in W_{{hh}} and W_{{hx}}."
)
# A block.
SUM_OF_BOTH = "their sum"


def multiply(k: int, *, equal: bool) -> str:
    """Return the text on the two formulas.

    Parameters
    ----------
    k : int
    equal : bool
        Whether both give exactly the same numbers.
    """
    return f"{MULTIPLY.format(k=k)} {NO_DIFFERENCE if equal else ROUNDING}"


def multiply_swapped(*, same_stack: bool, close: bool) -> str:
    """Return the effect of swapping the stacked input but not the columns of W_h.

    Parameters
    ----------
    same_stack : bool
        Whether both orders of the stacked input are the same numbers.
    close : bool
        Whether the wrong result is within `numpy.allclose` of the right one.
    """
    effect = SAME_STACK if same_stack else CLOSE if close else ONLY_RESULT
    return " ".join([SWAPPED, effect, *([] if close else [GOES_ON])])


# ---- one unit by hand ----------------------------------------------------------------------

BY_HAND_TITLE = "Unit {j} by hand"
BY_HAND = (
    "Row {j} of W_h over the stack laid on its side: multiply each weight with the entry under it, then add up along "
    "the row. Numbers are rounded on the screen only; Look in the sidebar has more decimals, and with Shift a number that is "
    "pointed at shows all its digits."
)
BY_HAND_ALT = "The {inputs} products of unit {j} add up to {total}."
# The blocks, and between them.
ROW = "row {j} of W_h"
PRODUCTS = "products"
ADD_UP = "add up to"
ADD_UP_WRONG = "add up to the wrong"
SUM = "sum"


def by_hand(j: int, *, wrong: bool) -> str:
    """Return the text on the arithmetic of the selected unit.

    Parameters
    ----------
    j : int
    wrong : bool
        Whether the result is wrong.
    """
    return after_wrong(BY_HAND.format(j=j), wrong=wrong)


# ---- activate ------------------------------------------------------------------------------

ACTIVATE_TITLE = "Activate"
ACTIVATE = (
    "The slope (the derivative), taken at z and not at g(z), is the factor by which a unit multiplies every gradient that "
    "comes back through it: where the curve is flat, little comes back."
)
ACTIVATE_ALT = "The units as dots on the curve of {g}: {count} of {k} lie in its flat parts."
SATURATED = "Saturated means that less than {threshold} of the largest slope, {largest}, is left: {where} (shaded)."
INACTIVE = "Inactive means z ≤ 0 (shaded): no slope is left there."
SLOPE = "Unit {j}: {h} and {g}′({z}) is {slope}, which is {relative} times the largest."
SLOPE_UNDERFLOWS = "Unit {j}: {h} and {g}′({z}) is too small for float64 (below 5e−324), but not 0."
LIMIT_NOT_REACHED = "{g}(z) never quite reaches {limit}: float64 rounds it there."


def activate(function: str, *, wrong: bool) -> str:
    """Return the text on the activation.

    Parameters
    ----------
    function : str
        The formula of the activation and what it does.
    wrong : bool
        Whether the result is wrong.
    """
    return after_wrong(f"{function} {ACTIVATE}".lstrip(), wrong=wrong)


def after_wrong(text: str, *, wrong: bool) -> str:
    """Return the text of a panel, after the remark that its result is wrong."""
    return f"{WRONG} {text}" if wrong else text
