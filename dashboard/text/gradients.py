"""The sentences of the gradients page."""

from collections.abc import Iterable, Mapping
from math import inf, isfinite, log10

from dashboard.text import words

PAGE = (
    "# Gradients\nTo learn from something long ago, a gradient must come back to it through all steps between. Each step "
    r"multiplies it: $\partial\,\text{state}_t / \partial\,\text{state}_s = J_t\,J_{t-1} \cdots J_{s+1}$."
)
CELLS = (
    "All of this is of your own weights, in {count} cells of the same sizes, seed and scale: {cells}. The RNN is the plain cell, "
    "for which alone the activation $g$ is chosen. Each $x_t$ is drawn from N(0, 1) by itself (Gaussian white noise), and the state is 0 before the "
    "first step unless it has numbers of its own. The state is $h$, and in the LSTM $h$ and $c$."
)

# ---- remarks ---------------------------------------------------------------------------------

TOO_LONG = (
    "With k = {k} units the products of all pairs of {asked} steps would take too long: T is taken as {T} here. With fewer "
    "units more steps can be shown."
)
OVERFLOW = "After step {T} the {cell} has numbers beyond 10^30: here the sequence ends there for all cells."

# ---- every step to every earlier one ---------------------------------------------------------

LOG_GAIN = "log₁₀ of the gain"
FROM_STEP, TO_STEP, NOTHING = "from step", "to step", "nothing comes back from here"
CELLS_BACK = "A gradient starts at step {T} and goes back, from right to left. The wire is as wide as what is left of it, on a scale of powers of ten: at 10^−6 it has faded."
CELL_BACK = "from step {T} back to step {t}: the gain is {gain}"
MAPS_TITLE = "From every step to every earlier one"
MAPS = (
    "A gradient starts at the step of its row and goes back to the step of its column. The gain is the factor by which "
    "its norm changes on the way. The middle of the colours is a gain of 1: the norm stays as it was. Blue is less than 1, and red is more. "
    "Where the gain is far below 1 the gradient vanishes, and the cell can hardly learn from what was that long ago; "
    "where it is far above 1 the gradient explodes. On the diagonal it has not left its step, "
    "and to the right of it nothing comes back."
)
MAPS_ALT = "{gains}."
MAP_ALT = "{cell}: from step {T} to step 1 the gain is {gain}"
MAP_NOTE = "{cell}: the gain from step {T} back to step 1 is {gain}."
MAP_NOTE_RATE = "{cell}: the gain from step {T} back to step 1 is {gain}, {rate} per step on average."
MAPS_EXACTLY = (
    "The gain is a root mean square over all directions: ‖J‖_F/√q, where J is the product of the Jacobians "
    "of the steps between, and q the number of entries of the state. A gain of 10^0 = 1 keeps the norm (the length) "
    "on average, though it may shrink in one direction and grow in another. The spectral radius of the last Jacobian: "
    "{radii}. If all Jacobians were equal, the gain would be multiplied by it at each step, in the long run."
)


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
    if T == 1 or not isfinite(log):
        return MAP_NOTE.format(cell=cell, T=T, gain=gain)
    return MAP_NOTE_RATE.format(cell=cell, T=T, gain=gain, rate=words.rate(log, T - 1, decimals))


# ---- from the last step back -----------------------------------------------------------------

BACK_TITLE = "From the last step back"
BACK = (
    "The last row of each map, against how many steps the gradient has gone back. A straight line that falls is a "
    "gradient that shrinks by the same factor at each step. Dashed is what comes back through the gates alone, see "
    "below. Scale the weights up and see the plain cell's line rise: its gradient may explode."
)
STEPS_BACK = "steps back, t − s"
DIRECT_LINE = "{cell}, direct path"
BACK_ALT = "The gain from step {T} against the number of steps back, for each cell, and for the direct paths."
BACK_EXACTLY = (
    "With larger weights the gradient of a small cell with σ or tanh vanishes again, where in some step all "
    "units are far out on the flat ends; in a wide one a few units usually stay near z = 0, and it may go on "
    "exploding. ReLU's slope does not shrink, but where all units are inactive in one step nothing comes back. A line "
    "ends where the gain is 0."
)

# ---- the direct path -------------------------------------------------------------------------

DIRECT_TITLE = "The direct path is not the whole gradient"
DIRECT = (
    "A gate may carry a part of the state over from step to step, entry by entry, as the forget gate of an LSTM does: "
    "the direct path. Where the gate is near 1, little is lost on it. {here} With a direct path too a gradient can "
    "vanish, where the gates are well below 1; a forget bias above 0 moves the forget gates towards 1."
)
ONE_STEP = "With one step only, there is no earlier one."
ALONE = "From step {T} to step 1 the direct path of the {cell} alone brings back {alone}, and the whole gain is {gain}: {norm}."
NO_DIRECT_PATH = "From step {T} to step 1 the gain of the {cell}, which has no direct path, is {gain}: {norm}."
# By code of `fate`, and over one step or many: of the cell that is named, and of one that was named before.
NORM_OF_CELL = {
    "zero": "here the norm of the {cell}'s gradient vanishes: in float64 nothing of it is left",
    "kept one": "here the norm of the {cell}'s gradient is about kept over {steps} step, to between half and twice of what it was",
    "kept many": "here the norm of the {cell}'s gradient is about kept over {steps} steps, to between half and twice of what it was",
    "shrinks one": "here the norm of the {cell}'s gradient is multiplied by {factor} at each step on average, and over {steps} step it shrinks to less than half",
    "shrinks many": "here the norm of the {cell}'s gradient is multiplied by {factor} at each step on average, and over {steps} steps it shrinks to less than half",
    "vanishes many": "here the norm of the {cell}'s gradient is multiplied by {factor} at each step on average, and over {steps} steps it vanishes: less than a tenth of it is left",
    "grows one": "here the norm of the {cell}'s gradient is multiplied by {factor} at each step on average, and over {steps} step it grows to more than twice",
    "grows many": "here the norm of the {cell}'s gradient is multiplied by {factor} at each step on average, and over {steps} steps it grows to more than twice",
    "explodes many": "here the norm of the {cell}'s gradient is multiplied by {factor} at each step on average, and over {steps} steps it explodes: it becomes more than ten times as large",
}
NORM = {
    "zero": "here the norm of its gradient vanishes: in float64 nothing of it is left",
    "kept one": "here the norm of its gradient is about kept over {steps} step, to between half and twice of what it was",
    "kept many": "here the norm of its gradient is about kept over {steps} steps, to between half and twice of what it was",
    "shrinks one": "here the norm of its gradient is multiplied by {factor} at each step on average, and over {steps} step it shrinks to less than half",
    "shrinks many": "here the norm of its gradient is multiplied by {factor} at each step on average, and over {steps} steps it shrinks to less than half",
    "vanishes many": "here the norm of its gradient is multiplied by {factor} at each step on average, and over {steps} steps it vanishes: less than a tenth of it is left",
    "grows one": "here the norm of its gradient is multiplied by {factor} at each step on average, and over {steps} step it grows to more than twice",
    "grows many": "here the norm of its gradient is multiplied by {factor} at each step on average, and over {steps} steps it grows to more than twice",
    "explodes many": "here the norm of its gradient is multiplied by {factor} at each step on average, and over {steps} steps it explodes: it becomes more than ten times as large",
}
GATES_PRODUCT = (
    "The product of these gates, as a root mean square over the k units, is the dashed line above: where every "
    "gate is 1 it stays at 0, which is a factor of 10^0 = 1. The exact gradient is another number, for the state also "
    "acts through h_{t−1}, which every gate reads at the next step, and those paths add to the direct one or take from "
    "it."
)
# By order of the stack.
COLUMNS_OF_H = {
    "hx": "Of W only the columns of h bring anything back to earlier steps: the first {n} of {columns}.",
    "xh": "Of W only the columns of h bring anything back to earlier steps: the last {n} of {columns}.",
}


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
    count = "one" if steps_back == 1 else "many"
    if abs(log) <= log10(2):
        return f"kept {count}"
    if steps_back > 1 and abs(log) > 1:
        return "vanishes many" if log < 0 else "explodes many"
    return f"shrinks {count}" if log < 0 else f"grows {count}"


def norm(clauses: Mapping[str, str], cell: str, log: float, steps_back: int, decimals: int) -> str:
    """Return what happens to the norm of a gradient, with the average factor of a step if it changes.

    Parameters
    ----------
    clauses : mapping from str to str
        NORM_OF_CELL or NORM.
    cell : str
    log : float
        The decimal logarithm of the gain.
    steps_back : int
        At least 1.
    decimals : int
    """
    factor = words.rate(log, steps_back, decimals) if isfinite(log) else ""
    return clauses[fate(log, steps_back)].format(cell=cell, steps=steps_back, factor=factor)


def direct(cell: str, T: int, gain: str, alone: str | None, log: float, decimals: int) -> str:
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
    decimals : int
    """
    if T == 1:
        here = ONE_STEP
    elif alone is None:
        its = norm(NORM, cell, log, T - 1, decimals)
        here = NO_DIRECT_PATH.format(T=T, cell=cell, gain=gain, norm=its)
    else:
        of_cell = norm(NORM_OF_CELL, cell, log, T - 1, decimals)
        here = ALONE.format(T=T, cell=cell, alone=alone, gain=gain, norm=of_cell)
    return DIRECT.format(here=here)


def direct_exactly(paths: Iterable[str], order: str, n: int, columns: int) -> str:
    """Return what an expert asks of the direct path.

    Parameters
    ----------
    paths : iterable of str
        The sentences of each cell on its direct path.
    order : str
        The order of the stack, a key of COLUMNS_OF_H.
    n, columns : int
        The columns of h, and all columns of W.
    """
    return " ".join([" ".join(paths), GATES_PRODUCT, COLUMNS_OF_H[order].format(n=n, columns=columns)])


# ---- back through the concatenation ----------------------------------------------------------

CONCATENATION_TITLE = "Back through the concatenation"
CONCATENATION = (
    "{z} Suppose that the loss is the sum of all entries of {value}. Then δ, its "
    "gradient by {z_name}, is the slope {g}′({z_name}) of each unit, and its gradient by the stack is {W}ᵀ·δ: what was "
    "a column of {W} is a row now. It is cut where the stack was joined. The {n} entries of h go on to h_{{t−1}}, and so to the "
    "step before; the {m} of x go to x_t, and end there."
)
# By source of z; `about` is of one without a sentence.
LAST_Z = {
    "hidden": "Here is z of the plain cell, at the last step of the {cell}.",
    "f": "Here is z in the forget gate, at the last step of the {cell}.",
    "r": "Here is z in the reset gate, at the last step of the {cell}.",
}
OTHER_LAST_Z = "Here is z {about}, at the last step of the {cell}."
TO_H, TO_X = "to h_{t−1}", "to x_t"
CONCATENATION_ALT = "The transposed weights times δ: {n} entries for h and {m} for x."


def last_z(source: str, about: str, cell: str) -> str:
    """Return the sentence on the z that is drawn.

    Parameters
    ----------
    source : str
        A name of SOURCES.
    about : str
        The cell's own phrase for it.
    cell : str
    """
    return LAST_Z.get(source, OTHER_LAST_Z).format(about=about, cell=cell)


# ---- the gradient check ----------------------------------------------------------------------

# Two results for the same derivatives agree if they differ by less than this fraction of the largest one.
AGREES = 1e-3

CHECK_TITLE = "Is it right?"
CHECK = (
    "A gradient check: the first Jacobian of each cell against central differences, for which each entry of the "
    "state is changed by ±10⁻⁶ and the step taken anew. The largest difference, as a share of the largest entry: "
    "{errors}. {meaning}"
)
ROUNDING = "What is left is rounding and the width of the differences."
LOST = "Of {cells} this check tells nothing here: so small a step is lost when the state is rounded."
LOST_OR_BENT = (
    "Of {cells} this check tells nothing here: so small a step is lost when the state is rounded, or it crosses the bend "
    "of ReLU."
)


def check_meaning(errors: Mapping[str, float], *, bends: bool) -> str:
    """Return the meaning of the differences in a gradient check.

    Parameters
    ----------
    errors : mapping from str to float
        By cell, the largest difference as a fraction of the largest derivative.
    bends : bool
        Whether an activation has a bend, as ReLU has.
    """
    apart = [name for name, error in errors.items() if error >= AGREES]
    if not apart:
        return ROUNDING
    return (LOST_OR_BENT if bends else LOST).format(cells=" and ".join(apart))
