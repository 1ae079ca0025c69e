"""The sentences of the gradients page."""

from collections.abc import Iterable, Mapping
from math import inf, isfinite, log10

from dashboard.text import words
from dashboard.text.cells import DIRECT_PATHS
from dashboard.text.plural import Plural, fill

# The label of the cell that a part of the panels and the code are about.
CELL = "Selected cell"
CELL_HELP = "The page shows all cells. Choose one for the saturation counts, for “Direct path”, for “Gradient at the concatenation”, and for the code in Save and share."
PAGE = "# Gradients\nA cell learns from early steps only if gradients reach them."
# Below the drawings.
JACOBIANS_TITLE = "Jacobians and settings"
CELLS = (
    "The Jacobian $J_t$ is the matrix of the derivatives of $\\text{state}_t$ with respect to $\\text{state}_{t-1}$. "
    r"Over several steps, the Jacobians multiply: $\partial\,\text{state}_t / \partial\,\text{state}_s = J_t\,J_{t-1} \cdots J_{s+1}$. "
    "The state is $h$ (in the LSTM, $h$ and $c$).\n\n"
    "All cells use the same sizes, seed and weight scale. Only the RNN uses the activation $g$, and only the LSTM has the forget bias. Each entry of $x_t$ is "
    "an independent sample of N(0, 1). The initial state is 0 or your custom values."
)

# ---- remarks ---------------------------------------------------------------------------------

TOO_LONG = (
    "With k = {k} units, the gains between all pairs of {asked} steps would take too long. The page shows T = {T} steps. "
    "With fewer units, it can show more."
)
OVERFLOW = "After step {T} the {cell} has values beyond 10³⁰, so the sequence ends there for all cells."

# ---- every step to every earlier one ---------------------------------------------------------

LOG_GAIN = "log₁₀ of the gain"
FROM_STEP, TO_STEP, NOTHING = "from step", "to step", "no gradient flows forward in time"
BACK_TO_STEP = "back to step"
CELLS_TITLE = "Gradient at step 1"
# From the largest gain to the smallest.
FIRST_GAIN = "The {cell} multiplies the gradient's norm by {gain} from step {T} back to step 1"
OTHER_GAIN = "the {cell} by {gain}"
# From the last step back, or with one step only.
FLOWS = Plural(
    "T",
    "With one step, the gradient does not flow back.",
    "The gradient starts at step {T} and flows back, from right to left.",
)
CELLS_BACK = (
    "{flows} Going back over several steps multiplies the norm of the gradient vector by a factor, which depends on the vector's direction. The gain is the average of this factor over all directions. "
    "The smaller the gain, the thinner and fainter the wire. "
)
# At the end of a wire.
GAIN = "gain {gain}"
CELL_BACK = "from step {T} back to step {t}: the gain is {gain}"
MAPS_TITLE = "Gain between steps"
MAPS_SCALE = LOG_GAIN
MAPS = (
    "An entry in row t and column s is the gain from step t back to step s. "
    "The fainter an entry, the less of the gradient is left. Red is a gain above 1: the gradient grows."
)
MAPS_ALT = "{gains}."
MAP_ALT = "{cell}: from step {T} to step 1 the gain is {gain}"
MAP_NOTE = "{cell}: gain {gain} from step {T} to step 1."
MAP_NOTE_RATE = "{cell}: gain {gain} from step {T} to step 1, as if each step multiplied the norm by {rate}."
MAPS_EXACTLY = (
    "The gain is an average over all directions, the root mean square: ‖J‖_F/√q. Here J is the product of the Jacobians "
    "from step s + 1 to step t, and q is the number of entries of the state. ‖J‖_F is the square root of the sum of J's squared entries. On the diagonal s = t, so J = I and the gain is 1. "
    "At a gain of 1, the norm stays the same on average. "
    "Suppose that every step has the Jacobian of step {T}. In the long run, each step then multiplies the gain by the spectral radius of this Jacobian, its largest |eigenvalue|: {radii}."
)


def callout(gains: Mapping[str, str], T: int) -> str:
    """Return what each cell leaves of a gradient over all steps.

    Parameters
    ----------
    gains : mapping from str to str
        From the largest to the smallest.
    T : int
    """
    if T == 1:
        return ONE_STEP
    first, *others = gains.items()
    leads = FIRST_GAIN.format(cell=first[0], gain=first[1], T=T)
    return words.listed([leads, *(OTHER_GAIN.format(cell=cell, gain=gain) for cell, gain in others)]) + "."


def cells_back(T: int) -> str:
    """Return the text on the cells from the last step T back."""
    return CELLS_BACK.format(flows=fill(FLOWS, {"T": T}))


def cell_back(T: int, t: int, gain: str) -> str:
    """Return the tooltip of a cell in the row from the last step back."""
    return CELL_BACK.format(T=T, t=t, gain=gain)


def maps_alt(gains: Mapping[str, str], T: int) -> str:
    """Return what the maps show, from the gain of each cell."""
    return MAPS_ALT.format(
        gains=words.clauses(MAP_ALT.format(cell=cell, T=T, gain=gain) for cell, gain in gains.items())
    )


def map_note(cell: str, T: int, gain: str, log: float, decimals: int) -> str:
    """Return the line about a cell below the maps.

    Parameters
    ----------
    cell : str
    T : int
    gain : str
        The gain from the last step back to the first.
    log : float
        Its decimal logarithm, -inf for a gain of 0.
    decimals : int
    """
    if T <= 2 or not isfinite(log):
        return MAP_NOTE.format(cell=cell, T=T, gain=gain)
    return MAP_NOTE_RATE.format(cell=cell, T=T, gain=gain, rate=words.rate(log, T - 1, decimals))


# ---- from the last step back -----------------------------------------------------------------

BACK_TITLE = "Gain from the last step"
BACK = (
    "The chart shows the gain from the last step back to each earlier one (the last row of each map). Where a line is straight, each step multiplies the gain by the same factor. "
    "Dashed lines show the direct paths alone (see “Direct path”). To see what large weights do to the RNN's line, increase the weight scale."
)
STEPS_BACK = "steps back, t − s"
DIRECT_LINE = "{cell}, direct path"
BACK_ALT = "The gain from step {T} against the number of steps back, for each cell, and for the direct paths."
BACK_EXACTLY = (
    "Very large weights can also make the gradient vanish. In a small cell with σ or tanh, all units may be saturated in the same step. "
    "In a cell with many units, a few usually stay near z = 0. Through these units, the gradient can still explode. The derivative of an active "
    "ReLU is always 1. But if all units are inactive in the same step, no gradient flows back through this step. A line ends where the gain is 0."
)

# ---- the direct path -------------------------------------------------------------------------

DIRECT_TITLE = "Direct path"
DIRECT = (
    "The direct path leads along c in an LSTM, and along h in a GRU. On this path, only one gate multiplies the gradient at each step, entry by entry: f_t or u_t. "
    "If the gate is near 1, little of the gradient is lost. {here}"
)
ONE_STEP = "The sequence has only one step, so no gradient flows back to an earlier step."
ALONE = "From step {T} to step 1 the gain of the {cell}'s direct path alone is {alone}. Along all paths, the gain of the {cell} is {gain}. {norm}"
NO_DIRECT_PATH = "The {cell} has no direct path. From step {T} to step 1 its gain is {gain}. {norm}"
# By code of `fate`.
NORM = {
    "zero": "So the gradient vanishes: in float64 nothing of it is left.",
    "kept": "So the norm of the gradient changes by at most a factor of 2.",
    "shrinks": "So {left} of the gradient's norm is left.",
    "vanishes": "So the gradient vanishes: less than a tenth of its norm is left.",
    "grows": "So the norm of the gradient grows to more than twice its size.",
    "explodes": "So the gradient explodes: its norm grows to more than ten times its size.",
}
GATES_PRODUCT = (
    "A gradient can vanish even with a direct path, if the gates are well below 1. A forget bias above 0 moves the forget gates "
    "towards 1. For the dashed line, the gates of all steps are multiplied with each other, for each unit. The line is the root mean square of these k products. If every "
    "gate is 1, the dashed line stays at 0, which is a gain of 1. The exact gradient differs from the dashed line because there are other "
    "paths: the gates and the candidate of the next step read h. The gradients along these paths are added, and make the sum larger or smaller."
)
# By order of the stack.
COLUMNS_OF_H = {
    "hx": "In each weight matrix for the stacked input, only the columns for h carry a gradient to earlier steps: the first {n} of {columns}.",
    "xh": "In each weight matrix for the stacked input, only the columns for h carry a gradient to earlier steps: the last {n} of {columns}.",
}


# Decimal logarithms of the gain: within a factor of 2 a norm counts as kept, and beyond a factor of 10 as vanished or exploded.
KEPT_WITHIN, VANISHED_BEYOND = log10(2), 1.0


def fate(log: float, steps_back: int) -> str:
    """Return a code for what happens to the norm of a gradient.

    A gradient vanishes or explodes only over more than one step.

    Parameters
    ----------
    log : float
        The decimal logarithm of the gain.
    steps_back : int
        At least 1.

    Returns
    -------
    str
        A key of NORM.
    """
    if log == -inf:
        return "zero"
    if abs(log) <= KEPT_WITHIN:
        return "kept"
    if steps_back > 1 and abs(log) > VANISHED_BEYOND:
        return "vanishes" if log < 0 else "explodes"
    return "shrinks" if log < 0 else "grows"


def direct(cell: str, T: int, gain: str, alone: str | None, log: float) -> str:
    """Return the text on the direct path.

    Parameters
    ----------
    cell : str
    T : int
    gain : str
        From the last step back to the first.
    alone : str or None
        The gain of the direct path alone; None if the cell has none.
    log : float
        The decimal logarithm of the whole gain.
    """
    if T == 1:
        return DIRECT.format(here=ONE_STEP)
    template = NO_DIRECT_PATH if alone is None else ALONE
    here = template.format(
        T=T,
        cell=cell,
        gain=gain,
        alone=alone,
        norm=NORM[fate(log, T - 1)].format(left=words.percentage(10 ** min(log, 0))),
    )
    return DIRECT.format(here=here)


def direct_exactly(cells: Iterable[str], order: str, n: int, columns: int) -> str:
    """Return the details of the direct path.

    Parameters
    ----------
    cells : iterable of str
        Those with a direct path.
    order : str
        The order of the stacked input, a key of COLUMNS_OF_H.
    n, columns : int
        The columns of h, and all columns of W.
    """
    paths = [DIRECT_PATHS[cell] for cell in cells if cell in DIRECT_PATHS]
    return " ".join([*paths, GATES_PRODUCT, COLUMNS_OF_H[order].format(n=n, columns=columns)])


# ---- back through the concatenation ----------------------------------------------------------

CONCATENATION_TITLE = "Gradient at the concatenation"
CONCATENATION = (
    "{z} As an example, the page takes L = the sum of all entries of {value}. Then the gradient of L with respect to {z_name} is δ = {g}′({z_name}), one number for each unit. "
    "The gradient with respect to the stacked input is {W}ᵀ·δ. This gradient is split where h and x were concatenated. "
    "The part for h (n = {n}) goes on to h_{{t−1}}, and so to the step before. The part for x (m = {m}) goes to x_t, and from there to a layer below, if there is one."
)
# By source of z; a source without a sentence has that of its symbol.
LAST_Z = {
    "hidden": "The drawing starts from z of the {cell}, at its last step.",
    "f": "The drawing starts from z of the forget gate, at the last step of the {cell}.",
    "r": "The drawing starts from z of the reset gate, at the last step of the {cell}.",
}
OTHER_LAST_Z = "The drawing starts from {z}, at the last step of the {cell}."
TO_H, TO_X = "to h_{t−1}", "to x_t"
CONCATENATION_ALT = "The transposed weights times δ: {n} entries for h and {m} for x."


def last_z(source: str, z: str, cell: str) -> str:
    """Return the sentence on the z that is drawn.

    Parameters
    ----------
    source : str
        A name of SOURCES.
    z : str
        Its symbol.
    cell : str
    """
    return LAST_Z.get(source, OTHER_LAST_Z).format(z=z, cell=cell)


# ---- the gradient check ----------------------------------------------------------------------

# Two results for the same derivatives agree if they differ by less than this fraction of the largest one.
AGREES = 1e-3

CHECK_TITLE = "Gradient check"
CHECK = (
    "The page checks the first Jacobian of each cell with central differences. It changes each entry of the state by +10⁻⁶ and by −10⁻⁶, "
    "and computes the step each time. The difference of both results, divided by 2·10⁻⁶, estimates the derivatives. The largest error, relative to the largest entry of the Jacobian: {errors}. {meaning}"
)
ROUNDING = "Errors this small come from rounding, and from the size of the change, ±10⁻⁶ (truncation error)."
LOST = "For {cells} this check gives no answer, because a change of ±10⁻⁶ is lost in rounding."
LOST_OR_KINK = "For {cells} this check gives no answer, because a change of ±10⁻⁶ is lost in rounding or crosses the corner (kink) of {g}."


def check_meaning(errors: Mapping[str, float], *, kink_of: str) -> str:
    """Return the meaning of the differences in a gradient check.

    Parameters
    ----------
    errors : mapping from str to float
        By cell, the largest difference as a fraction of the largest derivative.
    kink_of : str
        The symbol of an activation with a kink, such as ReLU; empty for none.
    """
    apart = [name for name, error in errors.items() if error >= AGREES]
    if not apart:
        return ROUNDING
    return (LOST_OR_KINK if kink_of else LOST).format(cells=words.listed(apart), g=kink_of)
