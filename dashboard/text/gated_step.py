"""The sentences that the pages of one step of a gated cell share."""

# The scales of the colours.
WEIGHT_SCALE = "weights, biases, inputs"
GATE_SCALE = "gates"

# The units whose activation is saturated.
SATURATED_UNITS = "Saturated: {gates} of {all_gates} gate values (σ) and {candidate} of {k} candidate values (tanh)."
ALL_SATURATED = "All units of the gates (σ) and of the candidate (tanh) are saturated."

# Between the probability of a sampled gate and the gate.
SAMPLED = "sampled →"

# The blocks and the lines of one unit by hand.
ROWS = "row {j} of each W"
PRODUCTS = "products"
GATE_LINE = "{name}: {z}, and {activated}"
SAMPLED_GATE_LINE = "{name}: {z}, and {activated}, sampled: {value}"

# Saturation.
SLOPES = "The derivatives are σ′(z) = σ(z)·(1 − σ(z)), at most 0.25, and tanh′(z) = 1 − tanh(z)², at most 1."
SATURATED = (
    "A unit is saturated if its derivative is below {threshold} of the maximum: below {sigmoid} for σ, and "
    "below {tanh} for tanh."
)
COUNTS = "Saturated units (k = {k}):"
COUNT = "{name}: {low} towards {lower_limit}, {high} towards {upper_limit}, {between} between"


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
    return SATURATED_UNITS.format(gates=gates, all_gates=all_gates, candidate=candidate, k=k)
