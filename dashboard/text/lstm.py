"""The sentences on the page of one LSTM step: whole sentences with named placeholders, and the choice between them."""

from dashboard.text import gated_step

INTRODUCTION = (
    "# LSTM step\n"
    r"Three gates $f_t$, $i_t$, $o_t$ and a candidate $\tilde c_t$ read one stack $[h_{t-1}; x_t]$. "
    r"Then $c_t = f_t \circ c_{t-1} + i_t \circ \tilde c_t$ and $h_t = o_t \circ \tanh(c_t)$."
)
EXPLANATION = (
    "An LSTM carries two things from step to step: the hidden state $h$, which is its output, and the cell state $c$, its memory. $h_t$ and $c_t$ "
    r"have the same size. The stack is the concatenated input: $f_t = \sigma(W_f\,[h_{t-1}; x_t] + b_f)$, $i_t$ and $o_t$ likewise, and the "
    r"candidate $\tilde c_t$ with $\tanh$ in the place of $\sigma$."
)
WEIGHTS_TITLE = "Weights of one gate"
WEIGHTS = "One value for all weights of a gate. Where there is none they are made like the others."

# The scales of the colours.
MEMORY_SCALE = "c and its terms"
STATE_SCALE = "c̃, tanh(c) and h"


# ---- the selected unit ---------------------------------------------------------------------

UNIT = "Unit {j} now: f_t = {f}, i_t = {i}, c̃_t = {c}, o_t = {o}; c_t = {c_t} and h_t = {h_t}."
RESTART = "To see gates between 0 and 1, press Restart in the sidebar."
CHOOSE_EXAMPLE = "To see gates between 0 and 1, choose the worked example forget-bias-0 in the sidebar."
PREDICT_TITLE = "Predict h_t"
PREDICT = "h_t is made of these: c_t = f_t∘c_{t−1} + i_t∘c̃_t, and h_t = o_t∘tanh(c_t)."
PREDICT_ALT = "c of the step before, the gates and the candidate."


def remedy(example: str) -> str:
    """Return what to do about a step at which every unit is saturated.

    Parameters
    ----------
    example : str
        The worked example on the page.
    """
    return RESTART if example == "forget-bias-0" else CHOOSE_EXAMPLE


# ---- the gates -----------------------------------------------------------------------------

GATES_TITLE = "Three gates and a candidate on one stack"
GATES = (
    "Each of the four has weights and a bias of its own, and all of them read the same stack of {n} + {m} entries. "
    "Row {j} of every W belongs to unit {j}. The forget gate f_t says how much of c_{{t−1}} is kept: 1 keeps and 0 "
    "forgets, so it is a keep gate. The input gate i_t says how much of the candidate c̃_t is written, and the "
    "output gate o_t how much of the cell is shown. σ makes shares from 0 to 1; tanh lets the candidate add or "
    "subtract."
)
GATES_SAMPLED = (
    "Here the gates are Bernoulli-sampled: each unit of f, i and o is drawn, 1 with σ(z) as its probability and "
    "0 otherwise. That is not the standard LSTM, which multiplies by σ(z) itself."
)
GATES_ALT = (
    "Each of the four has {k} rows of {inputs} weights, times the stack, plus a bias. "
    "Unit {j}: forget gate {f}, input gate {i}, candidate {c}, output gate {o}."
)


def gates(*, m: int, n: int, j: int, sampled: bool) -> str:
    """Return the text on the gates.

    Parameters
    ----------
    m, n : int
        Sizes.
    j : int
        The selected unit.
    sampled : bool
        Whether the gates are Bernoulli-sampled.
    """
    text = GATES.format(m=m, n=n, j=j)
    return f"{text} {GATES_SAMPLED}" if sampled else text


# ---- the cell and the output ---------------------------------------------------------------

CELL_TITLE = "The cell"
CELL = (
    "∘ is the Hadamard product: entry by entry, never a sum over entries. The first product is what is kept, the "
    "second what is written. c_t is the memory and h_t what the cell shows of it: different things of the same size, "
    "each with an entry for each unit, so the number of cell states is the number of hidden states: k = {k}. h_t is "
    "the output, and it lies between −1 and 1; c_t has no such bounds."
)
CELL_ALT = (
    "Unit {j} of c goes from {before} to {after}: {kept} is kept and {written} written. Unit {j} of h_t is {h_t}."
)
OUTPUT_TITLE = "Output"
OUTPUT = (
    "h_t is the output of the cell. Some texts add one more layer, y_t = σ(W_y·h_t + b_y), for what is asked "
    "of the network; it is no part of the cell and does not go into the next step. W_y and b_y are made like "
    "the other weights and biases."
)
OUTPUT_ALT = "Entry 1 of y_t is {first}; p = {p}."


# ---- one unit by hand ----------------------------------------------------------------------

BY_HAND_TITLE = "Unit {j} by hand"
BY_HAND = (
    "Row {j} of each gate's W under the stack, which is laid on its side. Multiply each weight with the entry above it: that "
    "makes the products. Add up along each row of them, and add the bias. The lines below print {digits} decimals, and Look in the sidebar "
    "has more; the numbers are rounded on the screen only."
)
BY_HAND_ALT = "The sums of unit {j}: z_f = {f}, z_i = {i}, z_c = {c}, z_o = {o}."
# The lines of arithmetic.
C_LINE = "c_t: {total}, and {squeezed}"
H_LINE = "h_t, which is {product}"


# ---- saturation ----------------------------------------------------------------------------

SATURATION_TITLE = "Saturation"
FORWARD = (
    "On the way forward a saturated gate lets through more than {passed} of an entry or less than {shut}, "
    "and a saturated candidate, which is above {highest} or below {lowest}, is written times i_t."
)
FORWARD_SAMPLED = (
    "On the way forward a saturated gate is 1 with a probability above {passed} or below {shut}, "
    "and a saturated candidate, which is above {highest} or below {lowest}, is written times i_t."
)
BACKWARD = (
    "On the way back whatever the gate could learn from is multiplied by its "
    "slope. Both hold at once: a forget gate near 1 carries the gradient of c back almost unharmed, for that path is "
    "multiplied by f_t and not by its slope."
)
BACKWARD_SAMPLED = (
    "The slopes are those of the probabilities. A draw is 0 or 1: its derivative is 0 wherever it has one, so "
    "no gradient passes it, and training needs an estimator (straight-through, REINFORCE)."
)
SATURATION_ALT = "Saturated units. {f}; {i}; {c}; {o}; {tanh_c}."


def saturation(
    *, sampled: bool, threshold: str, slopes: tuple[str, str], gate: tuple[str, str], candidate: tuple[str, str]
) -> str:
    """Return the text on saturation.

    Parameters
    ----------
    sampled : bool
        Whether the gates are Bernoulli-sampled.
    threshold : str
        In percent.
    slopes : (str, str)
        The derivatives of σ and of tanh below which a unit is saturated.
    gate, candidate : (str, str)
        The outputs below and above which it is saturated.
    """
    (shut, passed), (lowest, highest) = gate, candidate
    forward = FORWARD_SAMPLED if sampled else FORWARD
    sentences = [
        gated_step.SLOPES,
        gated_step.SATURATED.format(threshold=threshold, sigmoid=slopes[0], tanh=slopes[1]),
        forward.format(shut=shut, passed=passed, lowest=lowest, highest=highest),
        BACKWARD,
        *([BACKWARD_SAMPLED] if sampled else []),
    ]
    return " ".join(sentences)


# ---- one product ---------------------------------------------------------------------------

PRODUCT_TITLE = "One product, and how much is learned"
PRODUCT = (
    "The gates and the candidate share the stack, so their weights can stand on top of each other: one matrix of 4·k "
    "rows, one product, one column z that is cut in four. Their order is a convention: f, i, c, o here, i, f, g, o "
    "in PyTorch (where g is c̃, the “cell gate”), i, f, c, o in Keras, i, o, f, c in ONNX."
)
RECURS = "k = n = {k}: h_t and c_t go into the next step as they are."
ONE_STEP_ONLY = (
    "k = {k} but n = {n}: only one step can be computed. c_t fits, for c always has k entries; h_t has {k}, and "
    "each W has columns for {n}."
)
PROJECTED = (
    "The projected LSTM is the case where they do differ (proj_size = {n} in PyTorch): there one more "
    "matrix makes h_t from o_t ∘ tanh(c_t), {n} entries from {k}."
)
NOT_PROJECTED = "Even the projected LSTM (proj_size in PyTorch), where they do differ, has an h_t smaller than c_t."
PRODUCT_ALT = "One matrix of {rows} by {inputs} for all four, times the stack, plus {rows} biases, gives all z."
LEARNED = "Learned: 4·(k·(n + m) + k) = 4·({k}·({n} + {m}) + {k}) = {count} numbers."
LEARNED_IN_PYTORCH = (
    "PyTorch counts 4k = {more} more, {count}: it keeps the columns of x and of h in two "
    "matrices, W_{{ih}} and W_{{hh}}, with a bias for each, and only the sum of the two biases enters z."
)


def product(n: int, k: int) -> str:
    """Return the text on the one product for all gates, and whether h_t and c_t fit in the next step."""
    if k == n:
        return f"{PRODUCT} {RECURS.format(k=k)}"
    projected = PROJECTED if n < k else NOT_PROJECTED
    return f"{PRODUCT} {ONE_STEP_ONLY.format(n=n, k=k)} {projected.format(n=n, k=k)}"


def learned(*, m: int, n: int, k: int, count: int) -> str:
    """Return how many parameters the cell has, and PyTorch's cell if it has one of these sizes.

    Parameters
    ----------
    m, n, k : int
    count : int
        The parameters of the cell.
    """
    text = LEARNED.format(m=m, n=n, k=k, count=count)
    return f"{text} {LEARNED_IN_PYTORCH.format(more=4 * k, count=count + 4 * k)}" if k == n else text
