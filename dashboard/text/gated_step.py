"""The sentences that the pages of one step of a gated cell share."""

from dashboard.text.plural import Plural, fill

# The scale of the colours.
GATE_SCALE = "gates"

# The units whose activation is saturated.
SATURATED_UNITS = Plural(
    "k",
    "{gates} of {all_gates} gate values (σ) and {candidate} of {k} candidate value (tanh) are saturated.",
    "{gates} of {all_gates} gate values (σ) and {candidate} of {k} candidate values (tanh) are saturated.",
)
ALL_SATURATED = "All units of the gates (σ) and of the candidate (tanh) are saturated."

# Between the probability of a sampled gate and the gate.
SAMPLED = "sampled →"

# The blocks and the lines of one unit by hand.
ROWS = "row {j} of each W"
PRODUCTS = "products"
GATE_LINE = "{name}: {z}, and {activated}"
SAMPLED_GATE_LINE = "{name}: {z}, and {activated}, sampled: {value}"

# Saturation.
SLOPES = "The derivative σ′(z) = σ(z)·(1 − σ(z)) is at most 0.25, and tanh′(z) = 1 − tanh(z)² is at most 1."
SATURATED = (
    "A value of σ or tanh is saturated if its derivative is below {threshold} of the maximum. The threshold is {sigmoid} for σ, and "
    "{tanh} for tanh."
)
COUNTS = "Saturated values of the units (k = {k}):"
COUNT = "{name}: {low} saturated near {lower_limit}, {high} saturated near {upper_limit}, {between} not saturated"
NONE = "none"


def count(name: str, *, low: int, lower_limit: str, high: int, upper_limit: str, between: int) -> str:
    """Return how many units are near each limit of their activation, and how many are between them."""
    low_units, high_units, other_units = (units or NONE for units in (low, high, between))
    return COUNT.format(
        name=name,
        low=low_units,
        lower_limit=lower_limit,
        high=high_units,
        upper_limit=upper_limit,
        between=other_units,
    )


def saturated_units(*, gates: int, all_gates: int, candidate: int, k: int) -> str:
    """Return how many units are saturated.

    Parameters
    ----------
    gates, all_gates : int
        Saturated units of all gates together, and all of them.
    candidate, k : int
        Saturated units of the candidate, and all of them.
    """
    if (gates, candidate) == (all_gates, k):
        return ALL_SATURATED
    return fill(SATURATED_UNITS, {"gates": gates, "all_gates": all_gates, "candidate": candidate, "k": k})
