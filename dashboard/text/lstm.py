"""The sentences on the page of one LSTM step: whole sentences with named placeholders, and the choice between them."""

from dashboard.text import gated_step

INTRODUCTION = (
    "# LSTM step\n"
    r"Three gates $f_t$ (forget), $i_t$ (input), $o_t$ (output) and a candidate $\tilde c_t$ all read $[h_{t-1}; x_t]$. "
    r"Then $c_t = f_t \circ c_{t-1} + i_t \circ \tilde c_t$ and $h_t = o_t \circ \tanh(c_t)$ ($\circ$: entry by entry)."
)
CARRIED = (
    "An LSTM carries two vectors to the next step: the cell state c_t (its memory) and the hidden state h_t (its output). "
    "The candidate c̃_t is new content for c_t."
)
WEIGHTS_TITLE = "One value for all weights of a gate"
WEIGHTS = (
    "Enter a number to set all weights of a gate, or of the candidate, to this value. The weight scale multiplies it. "
    "If a field is empty, Initialization sets the weights of its gate."
)

# The scales of the colours.
MEMORY_SCALE = "c and its summands"


# ---- the selected unit ---------------------------------------------------------------------

UNIT = "Unit {j} (outlined) keeps {kept} of c_{{t−1}} = {c_prev} and writes {written} of c̃_t = {c_tilde}. So c_t = {c_t}. The output gate then gives h_t = {h_t}."
RESTART = "To see gates near 0.5, press Reset to example in the sidebar."
CHOOSE_EXAMPLE = "To see gates near 0.5, choose the worked example “Small weights, no forget bias” in the sidebar."
PREDICT_TITLE = "Predict h_t"
PREDICT = "Compute h_t from these values: c_t = f_t∘c_{t−1} + i_t∘c̃_t, and h_t = o_t∘tanh(c_t)."
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

GATES_TITLE = "Three gates and a candidate"
GATES = (
    "The three gates and the candidate read the same stacked input: {n} + {m} entries in one column. "
    "Each of the four has its own weights and bias. The value of the slider Forget bias is added to every entry of b_f. Row {j} of every W belongs to unit {j}. The forget gate f_t is the fraction of c_{{t−1}} that "
    "is kept: 1 keeps all of it, and 0 keeps nothing. The input gate i_t is the fraction of the candidate c̃_t "
    "that is written. The output gate o_t is the fraction of tanh(c_t) that becomes h_t. The candidate uses "
    "tanh, so it can add to c or subtract from it."
)
GATES_SAMPLED = (
    "Here each entry of f, i and o is sampled: it is 1 with probability σ(z), and otherwise 0 (Bernoulli sampling). "
    "The standard LSTM multiplies by σ(z) itself."
)
GATES_ALT = (
    "Each of the four is {k} by {inputs} weights, times the stacked input, plus a bias. Unit {j}: "
    "forget gate {f}, input gate {i}, candidate {c}, output gate {o}."
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

CELL_TITLE = "Cell and hidden state"
CELL = (
    "∘ is the Hadamard product: entry by entry, without a sum. f_t∘c_{{t−1}} is the part of c_{{t−1}} that is kept, and i_t∘c̃_t is the part of c̃_t "
    "that is written. h_t is tanh(c_t), scaled by the output gate. c_t and h_t have one entry for each "
    "unit, k = {k}. h_t lies between −1 and 1, and c_t has no bounds."
)
CELL_ALT = (
    "Unit {j} of c goes from {before} to {after}: {kept} is kept and {written} written. Unit {j} of h_t is {h_t}."
)
OUTPUT_TITLE = "Output"
OUTPUT = (
    "Some texts add an output layer, y_t = σ(W_y·h_t + b_y), for the prediction. It is not part of the cell, "
    "and the equations of the next step do not contain y_t. W_y and b_y are initialized like the other weights and biases."
)
OUTPUT_ALT = "Entry 1 of y_t is {first}; p = {p}."


# ---- one unit by hand ----------------------------------------------------------------------

BY_HAND_TITLE = "Unit {j} by hand"
BY_HAND = (
    "Row {j} of each W stands below the transposed stacked input. Multiply each weight by the entry above it, "
    "add the products, and add the bias. The lines below show {digits} decimals. To see more, choose more "
    "decimals in the sidebar."
)
BY_HAND_ALT = "The sums of unit {j}: z_f = {f}, z_i = {i}, z_c = {c}, z_o = {o}."
# The lines of arithmetic.
C_LINE = "c_t: {total}, and {squeezed}"
H_LINE = "h_t, which is {product}"


# ---- saturation ----------------------------------------------------------------------------

SATURATION_TITLE = "Saturation"
FORWARD = (
    "So a gate is saturated if its value is above about {passed} or below about {closed}. A candidate is saturated "
    "above about {highest} or below about {lowest}."
)
FORWARD_SAMPLED = (
    "In the forward pass, a gate is saturated if its probability of being 1 is above about {passed} or below about {closed}. "
    "A candidate is saturated above about {highest} or below about {lowest}."
)
BACKWARD = (
    "In the backward pass, a gradient is multiplied by the gate's derivative σ′(z) before it reaches the gate's weights. "
    "From c_t back to c_{t−1}, the gradient is multiplied by f_t, so a forget gate near 1 passes it almost unchanged."
)
BACKWARD_SAMPLED = (
    "Here the derivatives are those of the probabilities σ(z). A random choice has no derivative, so training such gates needs a "
    "special method, such as straight-through estimation or REINFORCE."
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
    (closed, passed), (lowest, highest) = gate, candidate
    forward = FORWARD_SAMPLED if sampled else FORWARD
    sentences = [
        gated_step.SLOPES,
        gated_step.SATURATED.format(threshold=threshold, sigmoid=slopes[0], tanh=slopes[1]),
        forward.format(closed=closed, passed=passed, lowest=lowest, highest=highest),
        BACKWARD,
        *([BACKWARD_SAMPLED] if sampled else []),
    ]
    return " ".join(sentences)


# ---- one product ---------------------------------------------------------------------------

PRODUCT_TITLE = "One weight matrix for all gates"
PRODUCT = (
    "The gates and the candidate read the same stacked input, so one matrix of 4·k rows computes all four "
    "z in one product. It has four blocks of k rows, here in the order f, i, c, o (c: candidate). The order is i, f, g, o in PyTorch, where g is the candidate. "
    "It is i, f, c, o in Keras, and i, o, f, c in the file format ONNX."
)
RECURS = "h_t has as many entries as h_{{t−1}} (k = n = {k}), so the next step can start from h_t and c_t."
ONE_STEP_ONLY = (
    "k = {k} but n = {n}: only one step can be computed. c_t always has k entries, but h_t has {k} and each W "
    "expects {n}."
)
PROJECTED = (
    "A projected LSTM (proj_size = {n} in PyTorch) can compute more steps. One more matrix, {n}×{k}, turns "
    "o_t ∘ tanh(c_t) into h_t."
)
NOT_PROJECTED = (
    "A projected LSTM (proj_size in PyTorch) cannot have these sizes, because its h_t has fewer entries than c_t."
)
PRODUCT_ALT = "One matrix of {rows} by {inputs} for all four, times the stacked input, plus {rows} biases, gives all z."
LEARNED = "Trainable parameters: 4·(k·(n + m) + k) = 4·({k}·({n} + {m}) + {k}) = {count}."
LEARNED_IN_PYTORCH = (
    "PyTorch has {count}, which is 4k = {more} more, because each gate and the candidate have a second bias. Only the sum of the two "
    "biases enters z."
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
