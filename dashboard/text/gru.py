"""The sentences on the page of one GRU step: whole sentences with named placeholders, and the choice between them."""

from dashboard.text import gated_step

INTRODUCTION = (
    "# GRU step\n"
    r"Two gates $r_t$ and $u_t$ read one stack $[h_{t-1}; x_t]$, and $r_t$ decides what the candidate $\tilde h_t$ sees of $h_{t-1}$. "
    r"Then $h_t = u_t \circ h_{t-1} + (1 - u_t) \circ \tilde h_t$."
)
EXPLANATION = (
    r"The candidate is $\tilde h_t = \tanh(W_{hx}\,x_t + b_{hx} + r_t \circ (W_{hh}\,h_{t-1} + b_{hh}))$. "
    "A GRU carries one thing from step to step: the hidden state $h$, which is its output and its memory at once. An LSTM keeps a cell "
    r"state $c$ beside it. One gate does the work of two: $u_t$ is the fraction of $h_{t-1}$ that stays, and $1 - u_t$ "
    r"the fraction of the candidate that comes in. In PyTorch $u_t$ is called $z_t$ and $\tilde h_t$ is called $n_t$."
)

# The scale of the colours.
STATE_SCALE = "h and h̃"


# ---- the selected unit ---------------------------------------------------------------------

UNIT = "Unit {j} now: r_t = {r}, u_t = {u}, h̃_t = {h}; h_t = {h_t}."
TAKEN = (
    "k = {k} but n = {n}: a GRU adds a part of h_{{t−1}} to h_t, entry by entry, so both have k entries. Here n is taken as {k}. "
    "The button under Cell in the sidebar sets it."
)
PREDICT_TITLE = "Predict h_t"
PREDICT = "h_t is made of these: h_t = u_t∘h_{t−1} + (1−u_t)∘h̃_t."
PREDICT_ALT = "The previous hidden state, the update gate and the candidate."


def taken(n: int, k: int) -> list[str]:
    """Return a remark if the page takes another n than the chosen one."""
    return [] if n == k else [TAKEN.format(n=n, k=k)]


# ---- the gates and the candidate -----------------------------------------------------------

GATES_TITLE = "Two gates on one stacked input"
GATES = (
    "Each gate has weights and a bias of its own, and both read the same stacked input of {k} + {m} entries. Row {j} of "
    "each W belongs to unit {j}. The reset gate r_t says how much of the past the candidate sees. The update gate u_t "
    "says how much of h_{{t−1}} is kept: 1 keeps all of it, and 0 replaces it by the candidate. σ makes both of them lie between "
    "0 and 1."
)
GATES_ALT = (
    "Each gate has {k} rows of {inputs} weights, times the stacked input, plus a bias. "
    "Unit {j}: reset gate {r}, update gate {u}."
)
CANDIDATE_TITLE = "The candidate"
CANDIDATE = (
    "The candidate h̃_t is what the unit would write. It has two products with weights: one with h_{t−1} and one with x_t, each with its "
    "bias. The reset gate multiplies only the first of them, so with r_t = 0 the candidate follows from x_t alone. tanh puts it "
    "between −1 and 1. Here r_t acts after the product with W_{hh}, as in PyTorch and Keras. In the original paper it "
    "acts on h_{t−1} before the product."
)
CANDIDATE_ALT = (
    "Unit {j}: {from_x} from x_t plus {r} times {from_h} from the previous hidden state is {z}, and its tanh is {h}."
)


# ---- the hidden state ----------------------------------------------------------------------

STATE_TITLE = "The hidden state"
STATE = (
    "∘ is the Hadamard product: entry by entry, never a sum over entries. The first product is what is kept, the second what is "
    "written. The two fractions u_t and 1 − u_t add up to 1, so each entry of h_t lies between that of h_{t−1} and that of h̃_t."
)
STATE_ALT = (
    "Unit {j} of h goes from {before} to {after}: {kept} is kept and {written} written, with an update gate of {u}."
)


# ---- one unit by hand ----------------------------------------------------------------------

BY_HAND_TITLE = "Unit {j} by hand"
BY_HAND = (
    "Row {j} of each gate's W under the stacked input, which is laid on its side. Multiply each weight with the entry above it. "
    "Add up each row of these products, and add the bias. The lines below go on with the candidate and h_t. They have {digits} "
    "decimals, and numbers are rounded on the screen only."
)
BY_HAND_ALT = "The sums of unit {j}: z_r = {r}, z_u = {u}, z_h = {h}."
H_TILDE_LINE = "h̃_t: {total}, and {squeezed}"
H_LINE = "h_t: {total}"


# ---- saturation ----------------------------------------------------------------------------

SATURATION_TITLE = "Saturation"
FORWARD = (
    "On the way forward a saturated gate is above {passed} or below {shut}: u_t keeps nearly all of an entry or nearly "
    "nothing, and r_t shows the candidate nearly all of its product with h_{{t−1}} or nearly nothing. A saturated "
    "candidate is above {highest} or below {lowest}."
)
BACKWARD = (
    "On the way back the gradient of a gate's weights is multiplied by the gate's derivative. Both hold at once: an "
    "update gate near 1 hardly learns, but it carries the gradient of h back almost whole, because that path is "
    "multiplied by u_t and not by its derivative."
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
    (shut, passed), (lowest, highest) = gate, candidate
    sentences = [
        gated_step.SLOPES,
        gated_step.SATURATED.format(threshold=threshold, sigmoid=slopes[0], tanh=slopes[1]),
        FORWARD.format(shut=shut, passed=passed, lowest=lowest, highest=highest),
        BACKWARD,
    ]
    return " ".join(sentences)


# ---- all weights ---------------------------------------------------------------------------

WEIGHTS_TITLE = "All weights, and how much is learned"
WEIGHTS = (
    "Frameworks put the weights for h of all three on top of each other, and likewise those for x: two matrices of 3·k rows. "
    "One product is not enough here, because r_t multiplies the candidate's part of the first before the two are added. "
    "The order is a convention: r, u, h here; r, z, n in PyTorch; z, r, h in Keras and ONNX, where z is the update gate."
)
WEIGHTS_ALT = "Two matrices of {rows} rows: one with {k} columns for h, and one with {m} columns for x."
# The blocks, and what stands between them.
OF_H, OF_X = "W for h", "W for x"
AND = "and"
LEARNED = "Learned: 3·k·(k + m) + 4·k = 3·{k}·({k} + {m}) + 4·{k} = {count} numbers."
LEARNED_IN_PYTORCH = (
    "PyTorch counts 2k = {more} more, {count}: it has two biases for each gate as well, and only their sum enters z."
)


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
