"""The thresholds of the findings: `Thresholds` has those that a reader may move, and constants the others."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Thresholds:
    """The bounds from which on something is a finding.

    Attributes
    ----------
    open, shut : float
        A gate lets through more, or less, than this.
    stuck : float
        The fraction of steps at which it does so.
    stuck_units : float
        The fraction of the units of a gate that are stuck, from which on the gate is.
    frozen : float
        The distance of a gate from 0 or 1 below which, at every step, a single unit is enough.
    slope : float
        The fraction of the maximum derivative below which a unit is saturated.
    moves : float
        A unit whose h_t moves by less, as a fraction of the unit that moves most, is constant.
    forget_bias : float
        The median bias of the gate that carries the state on, below which memory ends after a step.
    recurrence : float
        The root mean square gain of the recurrent weights.
    small_recurrence : float
        The root mean square gain of the recurrent weights, below which a state hardly reaches the next step.
    transposed : float
        By how much more the rows of the recurrent weights agree over the blocks than their columns. They agree by twice as much.
    ratio : float
        How many times larger the recurrent weights are than the input weights, beside that gain.
    alone : float
        The gain that is a finding in any case, because the input weights of a trained cell grow too.
    radius : float
        The spectral radius of the candidate's recurrent weights, if it stands out from their root mean square gain.
    gain : float
        The gain of a gradient over any distance, from which on its direction explodes.
    horizon : float
        The median gain at which the gradient horizon ends.
    headroom : float
        The factor between the largest number and the largest one of float16.
    large_input : float
        The root mean square of an entry of x_t, which is 1 after standardization.
    signs : float
        How far the signs in the place of the candidate agree with those of a gate, in standard deviations from chance.
    exchanged : float
        The median bias of another block than the forget gate that looks like a forget bias.
    """

    open: float = 0.9
    shut: float = 0.1
    stuck: float = 0.99
    stuck_units: float = 0.9
    frozen: float = 1e-3
    slope: float = 1e-3
    moves: float = 1e-3
    forget_bias: float = -2.0
    recurrence: float = 1.8
    small_recurrence: float = 0.05
    transposed: float = 0.1
    ratio: float = 2.0
    alone: float = 6.0
    radius: float = 6.0
    gain: float = 100.0
    horizon: float = 0.1
    headroom: float = 4.0
    large_input: float = 10.0
    signs: float = 4.0
    exchanged: float = 0.75


DEFAULT = Thresholds()

LARGEST_OF_FLOAT16 = 65504.0
# A larger bias is a fault of its own, and nobody's forget bias.
LARGEST_FORGET_BIAS = 5.0
# The mean of a forget gate, below which it keeps less than half.
MEAN_OF_FORGETTING = 0.5
# Fewer steps say nothing about what happens at every step.
FEWEST_STEPS = 8
# Rows of h_t that differ by less are the same.
SAME = 1e-6
# A pre-activation beyond this saturates its gate, and one that moves by less is constant.
LARGE_Z, SMALL_Z = 4.0, 1e-3
# How far an eigenvalue stands out from the root mean square gain of its matrix.
STANDS_OUT = 3.0
# The decimals up to which the weights of copied units agree.
ALIKE = 5
# Singular values below this fraction of the largest one are rounding, also in float16.
NEGLIGIBLE = 1e-3
# Inputs from this root mean square on are not to blame for small pre-activations.
USUAL_INPUT = 0.1
# Units up to which eigenvalues are computed; for more, products estimate the radius.
EXACT_RADIUS, PRODUCTS = 128, 40
# The largest part of a direction, of which a unit needs half to be named.
PART = 0.5
# Fewer units correlate by chance.
FEWEST_UNITS = 12
# How large a correlation is, and how far above the next one, before it says something about a trained network.
CLEAR, CLEARLY_MORE = 0.45, 0.25
# Standard deviations from chance, within which the signs of two blocks are independent.
BY_CHANCE = 2.5
# Standard deviations from chance that are certain for any network.
CERTAIN = 5.0
# The pattern of a reset gate in the place of the update gate, and in its own place, in standard deviations from chance, and how many
# times larger the recurrent weights in its own place then are.
CLEAR_PATTERN, WEAK_PATTERN, LARGER_WEIGHTS = 3.0, 1.0, 1.1
# The correlation of neighbouring sequences, and the largest one of neighbouring steps, that show swapped axes, and how certain the
# order of the sequences is, in standard deviations from chance.
CLEAR_ORDER, UNRELATED, CERTAIN_ORDER = 0.5, 0.2, 4.0
# The fraction of neighbouring sequences that need not be alike.
FEW_NEIGHBOURS = 0.1
# The levels of a grid to which quantisation rounds, and how far, in steps, a number in float32 can be from its level.
MOST_LEVELS, OFF_GRID = 256, 0.01
# Fewer different numbers are a pattern, such as an identity matrix.
FEWEST_LEVELS = 8
