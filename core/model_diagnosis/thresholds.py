"""The thresholds of the findings, in one table."""

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
    radius: float = 4.0
    gain: float = 100.0
    horizon: float = 0.1
    headroom: float = 4.0
    large_input: float = 10.0
    signs: float = 4.0
    exchanged: float = 0.75


DEFAULT = Thresholds()
