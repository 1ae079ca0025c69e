"""The sentences on the page of one GRU step: whole sentences with named placeholders, and the choice between them."""

from dashboard.text import gated_step

# A formula does not break, and that of the candidate is wider than a phone, so it is written as two.
INTRODUCTION = (
    "# GRU step\n"
    r"Gates $r_t$ and $u_t$ read $[h_{t-1}; x_t]$. Then $\tilde h_t = \tanh(W_{hx} x_t + b_{hx}$ ${} + r_t \circ (W_{hh} h_{t-1} + b_{hh}))$ "
    r"and $h_t = u_t \circ h_{t-1} + (1 - u_t) \circ \tilde h_t$ ($\circ$: entry by entry)."
)
CARRIED = (
    "A GRU carries one vector to the next step: the hidden state h_t. It is both memory and output. "
    "The candidate h̃_t is new content for h_t. r_t is the reset gate, and u_t the update gate. PyTorch writes z_t for u_t, and n_t for h̃_t."
)

# ---- the selected unit ---------------------------------------------------------------------

UNIT = (
    "Unit {j} (outlined) keeps {kept} of h_{{t−1}} = {h_prev} and writes {written} of h̃_t = {h_tilde}. So h_t = {h_t}."
)
TAKEN = (
    "k = {k} but n = {n}: a GRU keeps a part of h_{{t−1}} in h_t, so both have k entries. This page uses n = "
    "{k}. To set n to {k} on every page, open Cell in the sidebar and press “Make it recurrent”."
)
PREDICT_TITLE = "Predict h_t"
PREDICT = "Compute h_t from these values: h_t = u_t∘h_{t−1} + (1−u_t)∘h̃_t."
PREDICT_ALT = "The previous hidden state, the update gate and the candidate."


def taken(n: int, k: int) -> list[str]:
    """Return a remark if the page takes another n than the chosen one."""
    return [] if n == k else [TAKEN.format(n=n, k=k)]


# ---- the gates and the candidate -----------------------------------------------------------

GATES_TITLE = "Two gates"
GATES = (
    "Both gates read the same stacked input: {k} + {m} entries in one column. Each gate has its own weights and bias. Row {j} of each W "
    "belongs to unit {j}. The reset gate r_t is the fraction of W_{{hh}}·h + b_{{hh}} that enters the "
    "candidate. The update gate u_t is the fraction of h_{{t−1}} that is kept: 1 keeps all of it, and 0 "
    "replaces it with the candidate."
)
GATES_ALT = (
    "Each gate is {k} by {inputs} weights, times the stacked input, plus a bias. "
    "Unit {j}: reset gate {r}, update gate {u}."
)
CANDIDATE_TITLE = "The candidate"
CANDIDATE = (
    "The candidate h̃_t is the new content. r_t multiplies only W_{hh}·h + b_{hh}, so with r_t = 0 the "
    "candidate depends on x_t alone. tanh keeps the candidate between −1 and 1. There are two kinds of GRU. Here r_t acts after the product with "
    "W_{hh}, as in PyTorch and in Keras with reset_after=True. In Cho et al. (2014), r_t acts on h_{t−1} before the product."
)
CANDIDATE_ALT = (
    "Unit {j}: {from_x} from x_t plus {r} times {from_h} from the previous hidden state is {z}, and its tanh is {h}."
)


# ---- the hidden state ----------------------------------------------------------------------

STATE_TITLE = "The hidden state"
STATE = (
    "∘ is the Hadamard product: entry by entry, without a sum. u_t∘h_{t−1} is the part of h_{t−1} that is kept, and (1−u_t)∘h̃_t is the part of h̃_t that is written. "
    "So u_t does the work of an LSTM's forget and input gates. u_t and 1 − u_t add up to 1. So in each row, h_t lies between h_{t−1} and h̃_t."
)
STATE_ALT = (
    "Unit {j} of h goes from {before} to {after}: {kept} is kept and {written} written, with an update gate of {u}."
)


# ---- one unit by hand ----------------------------------------------------------------------

BY_HAND_TITLE = "Unit {j} by hand"
BY_HAND = (
    "Row {j} of each gate's W stands below the transposed stacked input. Multiply each weight by the entry above it, "
    "add the products, and add the bias. The lines below then compute the candidate and h_t, with {digits} "
    "decimals."
)
BY_HAND_ALT = "The sums of unit {j}: z_r = {r}, z_u = {u}, z_h = {h}."
H_TILDE_LINE = "h̃_t: {total}, and {squeezed}"
H_LINE = "h_t: {total}"


# ---- saturation ----------------------------------------------------------------------------

SATURATION_TITLE = "Saturation"
FORWARD = (
    "So a gate is saturated if its value is above about {passed} or below about {closed}. u_t then keeps nearly "
    "everything or nearly nothing of h_{{t−1}}. A candidate is saturated above about {highest} or below about {lowest}."
)
BACKWARD = (
    "In the backward pass, a gradient is multiplied by the gate's derivative σ′(z) before it reaches the gate's weights. "
    "Along h, the gradient is multiplied by u_t, so an update gate near 1 passes it almost unchanged."
)
SATURATION_ALT = "Saturated units. {r}; {u}; {h}."


def saturation(*, threshold: str, slopes: tuple[str, str], gate: tuple[str, str], candidate: tuple[str, str]) -> str:
    """Return the text on saturation.

    Parameters
    ----------
    threshold : str
        In percent.
    slopes : (str, str)
        The derivatives of σ and of tanh below which a unit is saturated.
    gate, candidate : (str, str)
        The outputs below and above which it is saturated.
    """
    (closed, passed), (lowest, highest) = gate, candidate
    sentences = [
        gated_step.SLOPES,
        gated_step.SATURATED.format(threshold=threshold, sigmoid=slopes[0], tanh=slopes[1]),
        FORWARD.format(closed=closed, passed=passed, lowest=lowest, highest=highest),
        BACKWARD,
    ]
    return " ".join(sentences)


# ---- all weights ---------------------------------------------------------------------------

WEIGHTS_TITLE = "All weights and parameters"
WEIGHTS = (
    "Frameworks use two matrices of 3·k rows (columns in Keras): one has all weights for h, and the other all weights for x. "
    "One matrix is not enough, because r_t multiplies the candidate's W_{hh}·h + b_{hh} and not its W_{hx}·x + b_{hx}. The order here is "
    "r_t, u_t, candidate. PyTorch has r, z, n; Keras and the file format ONNX have z, r, h. In all three, z is the update gate, and n or h the candidate."
)
WEIGHTS_ALT = "Two matrices: {rows} by {k} for h, and {rows} by {m} for x."
# The blocks, and what stands between them.
OF_H, OF_X = "W for h", "W for x"
AND = "and"
LEARNED = "Trainable parameters: 3·k·(k + m) + 4·k = 3·{k}·({k} + {m}) + 4·{k} = {count}."
LEARNED_IN_PYTORCH = "PyTorch has {count}, which is 2k = {more} more, because each gate has two biases. Only their sum enters the gate's pre-activation."


def learned(*, m: int, k: int, count: int) -> str:
    """Return how many parameters the cell has, and how many PyTorch's GRU has.

    Parameters
    ----------
    m, k : int
    count : int
        The parameters of the cell.
    """
    pytorch = LEARNED_IN_PYTORCH.format(more=2 * k, count=count + 2 * k)
    return f"{LEARNED.format(m=m, k=k, count=count)} {pytorch}"
