"""The sentences on the diagram of a cell."""

from core.numerals import number

TITLE = "Diagram of this step"
TEXT = "Each wire carries a vector with an entry for each unit, and a gate's wire is as wide as the mean of the gate. Click a gate for its equation."
TEXT_WITHOUT_GATES = "Each wire carries a vector with an entry for each unit. Every dot on the curve is a unit. In the shaded parts, units are saturated."
ALT = "The cell as boxes and wires. Unit {j}: {values}."
# What each gate is called, by what it gives.
ROLES = {
    "f_t": "forget gate",
    "i_t": "input gate",
    "c_tilde": "candidate",
    "o_t": "output gate",
    "r_t": "reset gate",
    "u_t": "update gate",
    "h_tilde": "candidate",
    "h_t": "activation",
}
# A gate's entry of a unit, in words.
MEANINGS = {
    "f_t": "unit {unit} keeps {share} of c_{{t−1}}",
    "i_t": "unit {unit} writes {share} of c̃_t",
    "o_t": "unit {unit} shows {share} of tanh(c_t)",
    "r_t": "unit {unit} lets {share} of W_{{hh}}h+b_{{hh}} through",
    "u_t": "unit {unit} keeps {share} of h_{{t−1}}",
}
# The stages of one step.
BEATS = {
    "concatenate": "1. h_{t−1} and x_t are stacked into one column.",
    "gates": "2. Every gate reads this column.",
    "cell": "3. The gates decide what is kept and what is written.",
    "output": "4. h_t is the output of the cell, and the next step starts from it.",
}
BEAT = "Stage"
BEAT_LABELS = {"concatenate": "1, concatenate", "gates": "2, gates", "cell": "3, keep and write", "output": "4, output"}
NEXT = "Next step"
NEXT_HELP = "hₜ becomes hₜ₋₁ of the next step. The back button of the browser goes back."
NEXT_HELP_WITH_C = "hₜ and cₜ become hₜ₋₁ and cₜ₋₁ of the next step. The back button of the browser goes back."
OVER_TIME = "The cell at the step that the playback slider shows. Each wire carries a vector, and a gate's wire is as wide as the mean of the gate."
OVER_TIME_ALT = "The {cell} at one step, as boxes and wires."
GATE_OVER_TIME = "{role} {symbol} = {g}({z})"
GATE = "{role} {symbol} = {g}({z}): {saturated} of {k} units saturated"


def next_help(carried: int) -> str:
    """Return what **Next step** does, for a cell that carries one vector or two."""
    return NEXT_HELP if carried == 1 else NEXT_HELP_WITH_C


def meaning(symbol: str, unit: int, value: float) -> str:
    """Return what the entry of a gate means.

    Parameters
    ----------
    symbol : str
        A key of MEANINGS.
    unit : int
        Counted from 1.
    value : float
        In [0, 1].
    """
    return MEANINGS[symbol].format(unit=unit, share=f"{number(100 * value, 1)} %")
