"""The thresholds of the findings. `Thresholds` has those that a reader can move. The constants are the other conditions of the rules."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Thresholds:
    """The bounds of the findings, each of which a reader can move.

    Attributes
    ----------
    open, closed : float
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
    small_input : float
        The range of W_x x_t below which the input is too small.
    copied : float
        Rows of h_t that differ by less are copies.
    rank : float
        The fraction of the largest singular value below which another one does not count.
    sparse : float
        The fraction of recurrent weights that are 0 here and there.
    certain : float
        Standard deviations from chance that are certain for any network.
    correlation : float
        The correlation of two matrices that says something about a trained network.
    pattern : float
        The pattern of a reset gate in the place of the update gate, in standard deviations from chance.
    sequences : float
        The correlation of neighbouring sequences that shows swapped axes.
    signs : float
        How far the signs in the place of the candidate agree with those of a gate, in standard deviations from chance.
    swapped : float
        The median bias of another block than the forget gate that looks like a forget bias.
    """

    open: float = 0.9
    closed: float = 0.1
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
    small_input: float = 1e-3
    copied: float = 1e-6
    # Singular values below are rounding, also in float16.
    rank: float = 1e-3
    sparse: float = 0.5
    certain: float = 5.0
    correlation: float = 0.45
    pattern: float = 3.0
    sequences: float = 0.5
    signs: float = 4.0
    swapped: float = 0.75


DEFAULT = Thresholds()

LARGEST_OF_FLOAT16 = 65504.0
# A larger bias is a fault of its own, and nobody's forget bias.
LARGEST_FORGET_BIAS = 5.0
# The mean of a forget gate, below which it keeps less than half.
MEAN_OF_FORGETTING = 0.5
# Weights below this are 0.
ZERO = 1e-8
# Fewer steps say nothing about what happens at every step.
FEWEST_STEPS = 8
# The fraction of the steps, from which on one token at the end is padding and not the end of a text.
FRACTION_OF_PADDING = 0.25
# An entry of x_t that moves by less, as a fraction of its largest value, is constant.
SAME = 1e-6
# A pre-activation beyond this saturates its gate.
LARGE_Z = 4.0
# How far an eigenvalue stands out from the root mean square gain of its matrix.
STANDS_OUT = 3.0
# The decimals up to which the weights of copied units agree.
ALIKE = 5
# Inputs from this root mean square on are not to blame for small pre-activations.
USUAL_INPUT = 0.1
# Units up to which eigenvalues are computed; for more, products estimate the radius.
EXACT_RADIUS, PRODUCTS = 128, 40
# The largest part of a direction, of which a unit needs half to be named.
PART = 0.5
# Fewer units correlate by chance.
FEWEST_UNITS = 12
# How far a correlation is above the next one, before it says something about a trained network.
CLEARLY_MORE = 0.25
# Standard deviations from chance, within which the signs of two blocks are independent.
BY_CHANCE = 2.5
# The pattern of a reset gate in its own place, in standard deviations from chance, if it stands in that of the update gate, and how many
# times larger the recurrent weights in its own place then are.
WEAK_PATTERN, LARGER_WEIGHTS = 1.0, 1.1
# The largest correlation of neighbouring steps that shows swapped axes, and how certain the order of the sequences then is, in standard
# deviations from chance.
UNRELATED, CERTAIN_ORDER = 0.2, 4.0
# The fraction of neighbouring sequences that need not be alike.
FEW_NEIGHBOURS = 0.1
# The levels of a grid to which quantization rounds, and how far, in steps, a number in float32 can be from its level.
MOST_LEVELS, OFF_GRID = 256, 0.01
# Fewer different numbers are a pattern, such as an identity matrix.
FEWEST_LEVELS = 8
