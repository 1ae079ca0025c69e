"""The sentences on the page of the hidden state: whole sentences with named placeholders, and the choice between them."""

from core.activations import Activation
from dashboard.text.plural import Plural, fill, of_units

TITLE = "# Hidden state"
WHAT_IT_IS = "Cellscope shows all numbers in a recurrent cell. Move the slider **Weight scale** below."
# The label of the link to each page, and the settings with which it opens.
DOORS = {
    "lstm": ("One step of an LSTM", {"stage": "concatenate"}),
    "training": ("Why does a cell not learn?", {}),
    "shapes": ("Fix a shape error", {}),
}
CELL = "One step of a vanilla (Elman) RNN. For one step, n and k may differ; in a sequence n = k."

# In front of each panel and each equation that has the wrong result.
WRONG = "Wrong on purpose: h and x are swapped in the stacked input, but not in the columns of W_h."
WRONG_EQUATION = "wrong:"


# ---- the selected unit ---------------------------------------------------------------------

LEAD = "Unit {j}: {z}, and {h}."
LEAD_IN_ORDER = "Without this mistake, z would be {z} and h would be {h}."
SATURATED_UNITS = of_units(
    "{count} of {k} unit is saturated.",
    "{count} of {k} units is saturated.",
    "{count} of {k} units are saturated.",
)
INACTIVE_UNITS = of_units(
    "{count} of {k} unit is inactive (z in the shaded part).",
    "{count} of {k} units is inactive (z in the shaded part).",
    "{count} of {k} units are inactive (z in the shaded part).",
)


def flat_units(count: int, k: int, *, saturates: bool) -> str:
    """Return how many of the k units are saturated, or inactive if the activation has no upper limit."""
    return fill(SATURATED_UNITS if saturates else INACTIVE_UNITS, {"count": count, "k": k})


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


# ---- concatenation ----------------------------------------------------------------------------------

# The label of a stage; without an entry, its value.
STAGES = {"join": "concatenate", "all": "all"}
JOIN_TITLE = "Concatenation"
JOIN = (
    "Concatenate W_{{hh}} ({k}×{n}) and W_{{hx}} ({k}×{m}) horizontally to make W_h ({k}×{inputs}). Concatenate "
    "h_{{t−1}} and x_t vertically to make the stacked input: one column of {inputs} entries, not two columns. "
    "Each row of W_h holds the weights of one unit. For each concatenation NumPy has two equivalent functions:"
)
JOIN_ALT = (
    "W_hh is {k} by {n} and W_hx is {k} by {m}; side by side they are W_h, {k} by {inputs}. h is {n} by 1 "
    "and x is {m} by 1; one above the other they are the stacked input, {inputs} by 1."
)


# ---- multiply ------------------------------------------------------------------------------

MULTIPLY_TITLE = "Multiply"
MULTIPLY = Plural(
    "k",
    "The unit computes a dot product: its row of weights times the stacked input. Adding the bias gives the pre-activation z_t. "
    "So h_t has one entry at every step.",
    "Each unit computes a dot product: its row of weights times the stacked input. Adding the bias gives the pre-activation z_t. "
    "At every step, each of the {k} units gives one entry of h_t.",
)
NO_DIFFERENCE = "Formula 1, W_h·[h; x], is one long sum. Formula 2, W_{hh}·h + W_{hx}·x, adds two shorter sums."
ROUNDING = (
    "Formula 1, W_h·[h; x], is one long sum. Formula 2, W_{hh}·h + W_{hx}·x, adds two shorter sums. They can differ by "
    "a rounding error, because floating-point addition depends on the order. np.allclose allows for such errors."
)
SWAPPED = (
    "h and x are swapped in the stacked input, but not in the columns of W_h, so every weight multiplies the wrong "
    "entry. The shapes still match, so NumPy does not complain."
)
SAME_STACK = "Here both orders happen to give the same numbers, so nothing changes."
CLOSE = "Here both results happen to be nearly the same, so np.allclose finds no difference."
ONLY_RESULT = "Only the result is wrong."
GOES_ON = "The panels below use this wrong result."
MULTIPLY_ALT = (
    "Unit {j}: formula 1, W_h times the stacked input, gives {joined}; formula 2, W_hh h plus W_hx x, gives {separate}."
)
# How far the two formulas agree.
EQUAL = "With these numbers, both formulas give exactly the same result."
ALLCLOSE = "The results differ by at most {difference}, so np.allclose gives True."
NOT_CLOSE = "The results differ by up to {difference}, so np.allclose gives False."
WEIGHTS = "W_h has {joined} weights, and W_{{hh}} and W_{{hx}} have {hidden} + {inputs}."
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
    return f"{fill(MULTIPLY, {'k': k})} {NO_DIFFERENCE if equal else ROUNDING}"


def multiply_note(difference: str, weights: tuple[int, int, int], *, allclose: bool, equal: bool) -> str:
    """Return how far the two formulas agree, and how many weights each has.

    Parameters
    ----------
    difference : str
        The largest difference.
    weights : (int, int, int)
        In W_h, W_hh and W_hx.
    allclose, equal : bool
        Whether the results are within `numpy.allclose`, and exactly equal.
    """
    agreement = EQUAL if equal else ALLCLOSE if allclose else NOT_CLOSE
    joined, hidden, inputs = weights
    return f"{agreement.format(difference=difference)} {WEIGHTS.format(joined=joined, hidden=hidden, inputs=inputs)}"


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
    "Row {j} of W_h stands above the transposed stacked input. Multiply each weight by the entry below it, then add "
    "the products and the bias. To see more digits, choose more decimals in the sidebar, or hold Shift while you hover "
    "over a number."
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
ACTIVATION = "The activation g is {g}: h_t = g(z_t)."
BACKPROPAGATION = (
    "Backpropagation multiplies the gradient of the loss with respect to h_t by g′(z_t), entry by entry. "
    "This gives the gradient with respect to z_t."
)
NEARLY_FLAT = "Where the curve is nearly flat, g′(z) is small, so little of the gradient is left."
FLAT = "Where the curve is flat, g′(z) is 0, so none of the gradient is left."
# The formula of each activation and its derivative; one without an entry has none.
FUNCTIONS = {
    "sigmoid": "σ(z) = 1 / (1 + e⁻ᶻ) is between 0 and 1, and σ′(z) = σ(z)·(1 − σ(z)).",
    "tanh": "tanh(z) = (eᶻ − e⁻ᶻ) / (eᶻ + e⁻ᶻ) is between −1 and 1, and tanh′(z) = 1 − tanh(z)².",
    "relu": "ReLU(z) = max(z, 0). Its derivative is 1 for z > 0 and 0 for z < 0; at z = 0, this page takes 0.",
}
ACTIVATE_ALT = "The units as dots on the curve of {g}, with {count} of {k} in its flat parts."
SATURATED = "A unit is saturated {where} (shaded). There, the derivative is below {threshold} of its maximum, which is {largest}."
INACTIVE = "A unit is inactive at z ≤ 0 (shaded), where the derivative is 0."
SLOPE = "Unit {j}: {h} and {slope}, which is {relative} of the maximum."
SLOPE_UNDERFLOWS = "Unit {j}: {h} and {g}′({z}) is too small for float64 (below 5·10⁻³²⁴), but not 0."
LIMIT_NOT_REACHED = "{g}(z) never reaches {limit} exactly, but float64 rounds it to {limit}."


def activate(g: Activation, *, wrong: bool) -> str:
    """Return the text on the activation.

    Parameters
    ----------
    g : Activation
    wrong : bool
        Whether the result is wrong.
    """
    formula = [FUNCTIONS[g.name]] if g.name in FUNCTIONS else []
    flat = NEARLY_FLAT if g.saturates else FLAT
    return after_wrong(" ".join([ACTIVATION.format(g=g.symbol), *formula, BACKPROPAGATION, flat]), wrong=wrong)


def after_wrong(text: str, *, wrong: bool) -> str:
    """Return the text of a panel, after the remark that its result is wrong."""
    return f"{WRONG} {text}" if wrong else text
