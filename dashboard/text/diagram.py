"""The sentences on the diagram of a cell."""

from core.number_format import number

TITLE = "Diagram of this step"
TEXT = (
    "Each wire carries a vector, and the columns show its entries. The larger the mean of a gate's entries, the "
    "wider its wire. To see the equation of a gate, click it."
)
TEXT_WITHOUT_GATES = (
    "Each wire carries a vector, and the columns show its entries. Each dot on the curve is a unit. In the "
    "shaded parts, the derivative is near 0."
)
ALT = "The cell as boxes and wires. Unit {j}: {values}."
# The name of each gate, by its output.
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
    "o_t": "unit {unit} outputs {share} of tanh(c_t)",
    "r_t": "unit {unit} lets {share} of W_{{hh}}·h + b_{{hh}} through",
    "u_t": "unit {unit} keeps {share} of h_{{t−1}}",
}
# The stages of one step, and the whole step.
STAGES = {
    "concatenate": "1. h_{t−1} and x_t are concatenated into one column.",
    "gates": "2. The gates and the candidate read this column.",
    "cell": "3. The gates decide what is kept and what is written.",
    "output": "4. h_t is the output of the cell, and the next step starts from it.",
    "": "To see the four stages of the step, press ▶ or move the slider.",
}
STAGE = "Stage"
STAGE_LABELS = {
    "concatenate": "1, concatenate",
    "gates": "2, gates",
    "cell": "3, keep and write",
    "output": "4, output",
    "": "whole step",
}
NEXT = "Next step"
NEXT_HELP = "hₜ becomes hₜ₋₁ of the next step. If the page Sequence has a word or pasted numbers, xₜ becomes the next input from there. Otherwise xₜ stays the same. The back button of the browser undoes this."
NEXT_HELP_WITH_C = "hₜ and cₜ become hₜ₋₁ and cₜ₋₁ of the next step. If the page Sequence has a word or pasted numbers, xₜ becomes the next input from there. Otherwise xₜ stays the same. The back button of the browser undoes this."
BACKWARD = "Show gradients"
BACKWARD_HELP = (
    "Shows gradients at the wires instead of the values. They are the gradients of L, the sum of all entries of hₜ."
)
BACKWARD_TITLE = "Diagram of this step, backward"
BACKWARD_TEXT = (
    "Each wire shows the gradient of L with respect to its vector. This page has no loss, so L is the sum of all entries of h_t. The smaller the gradient, the thinner and fainter the "
    "wire. The greyer a box, the more of its units are saturated. Saturated units pass little of the gradient."
)
NOTHING_AT_C = "Only this step counts: no gradient arrives at c_t from later steps."
BACKWARD_CALLOUT = "The numbers in the diagram are gradients, not the values of the step."
BACKWARD_ALT = "The cell as boxes and wires, with the gradient of L, the sum of all entries of h_t. Unit {j}: {values}."
NO_GRADIENT = "Sampled gates have no gradient, so the diagram shows the values."
GRADIENT_SCALE = "gradient"
# The sign distinguishes a gradient from the numbers of the same name.
GRADIENT = "∂ {}"
DERIVATIVE = "∂L/∂{}"
WITH_RESPECT_TO = "gradient of L with respect to {symbol}"
# The gradients at wires that carry only a part of the gradient, by `Wire.way`.
THROUGH = {
    "stacked_f": "gradient of L with respect to {symbol}, through the forget gate only",
    "stacked_i": "gradient of L with respect to {symbol}, through the input gate only",
    "stacked_c": "gradient of L with respect to {symbol}, through the candidate only",
    "stacked_o": "gradient of L with respect to {symbol}, through the output gate only",
    "stacked_r": "gradient of L with respect to {symbol}, through the reset gate only",
    "stacked_u": "gradient of L with respect to {symbol}, through the update gate only",
    "c_t_next": "gradient that arrives at {symbol} from later steps",
    "h_prev_stacked": "gradient of L with respect to {symbol}, through the stacked input only",
    "h_prev_not_stacked": "gradient of L with respect to {symbol}, not through the stacked input",
    "h_prev_candidate": "gradient of L with respect to {symbol}, through W_{{hh}}h+b_{{hh}} only",
    "h_prev_kept": "gradient of L with respect to {symbol}, through u_t∘h_{{t−1}} only",
    "x_t_stacked": "gradient of L with respect to {symbol}, through the stacked input only",
    "x_t_candidate": "gradient of L with respect to {symbol}, through W_{{hx}}x+b_{{hx}} only",
    "u_t_kept": "gradient of L with respect to {symbol}, through u_t∘h_{{t−1}} only",
    "u_t_written": "gradient of L with respect to {symbol}, through (1−u_t)∘h̃_t only",
    "rest": "gradient of L with respect to 1−{symbol}",
}
OVER_TIME = "The cell at the selected step. The larger the mean of a gate's entries, the wider its wire."
OVER_TIME_WITHOUT_GATES = (
    "The cell at the selected step. Each dot on the curve is a unit. In the shaded parts, the derivative is near 0."
)
OVER_TIME_ALT = "The {cell} at one step, as boxes and wires."
GATE_OVER_TIME = "{role} {symbol} = {g}({z})"
SATURATED_GATE = "{role} {symbol} = {g}({z}): {flat} of {k} units saturated"
INACTIVE_GATE = "{role} {symbol} = {g}({z}): {flat} of {k} units inactive"


def next_help(carried: int) -> str:
    """Return what **Next step** does, for a cell that carries one vector or two."""
    return NEXT_HELP if carried == 1 else NEXT_HELP_WITH_C


def backward(*, carries_c: bool) -> str:
    """Return the text of the diagram that goes backwards, for a cell with a cell state or without."""
    return f"{BACKWARD_TEXT} {NOTHING_AT_C}" if carries_c else BACKWARD_TEXT


def over_time(*, has_gates: bool) -> str:
    """Return the text of the diagram of a step of a sequence, for a cell with gates or without."""
    return OVER_TIME if has_gates else OVER_TIME_WITHOUT_GATES


def with_respect_to(gradient: str, symbol: str) -> str:
    """Return the words of a gradient.

    Parameters
    ----------
    gradient : str
        As of `Wire.gradient`.
    symbol : str
        What the wire carries, as the screen shows it.
    """
    return THROUGH.get(gradient, WITH_RESPECT_TO).format(symbol=symbol)


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
    return MEANINGS[symbol].format(unit=unit, share=f"{number(100 * value, 1)}%")
