"""The questions of exercises and the stages of their solutions: one sentence for each code of `core.practice`."""

from collections.abc import Mapping

from core.practice import Exercise
from core.practice.exercise import ASKED, WHOLE_KINDS, Sentence
from core.practice.rnn import BY_OUTPUT
from dashboard.text.diagram import ROLES
from dashboard.text.plural import Template, fill
from dashboard.text.words import enumerated

# The gates and the candidate by their letters in `core.practice`.
GATES = {
    "f": ROLES["f_t"],
    "i": ROLES["i_t"],
    "c": ROLES["c_tilde"],
    "o": ROLES["o_t"],
    "r": ROLES["r_t"],
    "u": ROLES["u_t"],
    "h": ROLES["h_tilde"],
}
WITH_ARTICLE = {"LSTM": "an LSTM", "GRU": "a GRU", "RNN": "an RNN"}

# By the code of a question. Rows, entries and units count from 1 unless the question says otherwise.
QUESTIONS: Mapping[str, Template] = {
    # an RNN
    "pre_activation": "In an RNN, z_t = W_h [h_prev; x_t] + b_h with W_h = [W_hh | W_hx]. What is entry {entry} of z_t, counted from 1?",
    "activation": "In an RNN, h_t = g(W_h [h_prev; x_t] + b_h) with W_h = [W_hh | W_hx] and g = {g}. What is entry {entry} of h_t, counted from 1?",
    "gradient": "h_t = {g}(z_t), and dL_dh_t is given. What is entry {entry} of dL_dz_t, counted from 1?",
    "derivative": "h_t = {g}(z_t). What is the derivative {g}′(z) at entry {entry} of z_t, counted from 1?",
    "derivative_over_steps": "An RNN has computed T = {T} steps. Column t of dg_z_t holds the derivatives g′(z) of step t. What is the derivative of entry {row} of h_{T} with respect to entry {column} of h_0, counted from 1?",
    # the gated cells
    "cell_state": "In an LSTM, c_t = f_t ∘ c_prev + i_t ∘ c_tilde. What is entry {entry} of c_t, counted from 1?",
    "hidden_state": "In an LSTM, c_t = f_t ∘ c_prev + i_t ∘ c_tilde and h_t = o_t ∘ tanh(c_t). What is entry {entry} of h_t, counted from 1?",
    "hidden_state_sum": "In an LSTM, c_t = f_t ∘ c_prev + i_t ∘ c_tilde and h_t = o_t ∘ tanh(c_t). Each entry of c_t is 0 or far from 0. So each entry of tanh(c_t), rounded to two decimals, is −1, 0 or 1. What is the sum of the {k} entries of h_t?",
    "gru_candidate": "In the GRU of PyTorch and Keras, z_h = W_hx x_t + b_hx + r_t ∘ (W_hh h_prev + b_hh). What is entry {entry} of z_h, counted from 1?",
    "gru_hidden_state": "In the GRU of PyTorch and Keras, h_tilde = tanh(W_hx x_t + b_hx + r_t ∘ (W_hh h_prev + b_hh)) and h_t = u_t ∘ h_prev + (1 − u_t) ∘ h_tilde. What is entry {entry} of h_t, counted from 1?",
    "gru_hidden_state_from_candidate": "In the GRU of PyTorch and Keras, h_t = u_t ∘ h_prev + (1 − u_t) ∘ h_tilde. What is entry {entry} of h_t, counted from 1?",
    "entry_of_whole_step": "What is {symbol}?",
    # shapes and counts
    "shape_of_stacked_input": "h_prev has the shape (n, 1) and x_t has the shape (m, 1). The sizes are n = {n}, m = {m}. What is the shape of [h_prev; x_t]? Give the rows, then the columns.",
    "shape_of_weights": "W_hh has the shape (k, n), W_hx has the shape (k, m), and W_h = [W_hh | W_hx]. The sizes are m = {m}, n = {n}, k = {k}. What is the shape of W_h? Give the rows, then the columns.",
    "shape_of_all_weights": "An LSTM has m inputs and k hidden units. W is the vertical concatenation of W_f, W_i, W_c and W_o. The sizes are m = {m}, k = {k}. What is the shape of W? Give the rows, then the columns.",
    "shape_in_framework": "What is the shape of {array} in a {framework} {cell} layer with m = {m} inputs and k = {k} hidden units? Give the rows, then the columns.",
    "parameter_count": "How many trainable parameters does {a_cell} have with m = {m} inputs and k = n = {k} hidden units? Each row of its weights has one bias.",
    "parameter_count_in_pytorch": "How many trainable parameters does a PyTorch {cell} have with m = {m} inputs and k = n = {k} hidden units?",
    # the order of the gates
    "order_of_lstm": "{framework} stores the input weights of an LSTM in one array: the gates and the candidate, one after another. In which order are they? Write their numbers: 0 = {gate_0}, 1 = {gate_1}, 2 = {gate_2}, 3 = {gate_3}.",
    "order_of_gru": "{framework} stores the input weights of a GRU in one array: the gates and the candidate, one after another. In which order are they? Write their numbers: 0 = {gate_0}, 1 = {gate_1}, 2 = {gate_2}.",
    "first_row": "{framework} stores the input weights of {a_cell} with k = {k} hidden units in one array, with {k} rows for each gate and for the candidate. Which is the first row of the {gate}, counted from 0?",
    "first_and_last_row": "{framework} stores the input weights of {a_cell} with k = {k} hidden units in one array, with {k} rows for each gate and for the candidate. Which are the first and the last row of the {gate}, counted from 0?",
    "first_column": "{framework} stores the input weights of {a_cell} with k = {k} hidden units in one array, with {k} columns for each gate and for the candidate. Which is the first column of the {gate}, counted from 0?",
    "first_and_last_column": "{framework} stores the input weights of {a_cell} with k = {k} hidden units in one array, with {k} columns for each gate and for the candidate. Which are the first and the last column of the {gate}, counted from 0?",
    # one unit of several
    "saturated_unit": "With g = {g}, a unit is saturated if |z| is above {bound}, because its derivative is then below {threshold} of the maximum. Which unit is saturated, counted from 1?",
    "forgetting_unit": "Entry (j, t) of f_t is the forget gate of unit j at step t. Both units start at c_0 = {c_0}, and their input gates are 0. Find the unit that forgets more. What is its c_{T} after T = {T} steps?",
}
WHOLE_STEP = "An LSTM with one hidden unit and one input computes one step from the stacked input [h_prev; x_t]. What are f_t, i_t, c_tilde, o_t, c_t and h_t?"
WHOLE_NUMBER, WHOLE_NUMBERS = "Give a whole number.", "Round each to a whole number."
DECIMALS = "Give {decimals} decimals. Keep at least 4 decimals in intermediate results."

# The first hint by the code of a question: the rule without the numbers.
RULE = "rule"
OF_BLOCK = "Block b of the order, counted from 0, starts at b · k and ends at b · k + k − 1."
DERIVATIVES = {"σ": BY_OUTPUT["sigmoid"], "tanh": BY_OUTPUT["tanh"]}
OF_ROW = (
    "Multiply row {entry} of W_h by [h_prev; x_t] entry by entry and add the products. Then add entry {entry} of b_h"
)
OF_ENTRY = "Entry {entry} needs only entry {entry} of each array."
OF_CELL = "c_t = f_t ∘ c_prev + i_t ∘ c_tilde"
OF_HIDDEN = f"{OF_CELL} and h_t = o_t ∘ tanh(c_t)."
OF_MIX = "h_t = u_t ∘ h_prev + (1 − u_t) ∘ h_tilde"
RULES: Mapping[str, Template] = {
    "pre_activation": f"z_t = W_h [h_prev; x_t] + b_h. {OF_ROW}.",
    "activation": f"h_t = {{g}}(W_h [h_prev; x_t] + b_h). {OF_ROW}, and apply {{g}}.",
    "gradient": "dL_dz_t = dL_dh_t ∘ {g}′(z_t), and {g}′(z) = {derivative}.",
    "derivative": "{g}′(z) = {derivative}.",
    "derivative_over_steps": "Step t has the Jacobian J_t = diag(column t of dg_z_t) W_hh. Multiply all of them, with J_{T} on the left and J_1 on the right.",
    "cell_state": f"{OF_CELL}. {OF_ENTRY}",
    "hidden_state": f"{OF_HIDDEN} {OF_ENTRY}",
    "hidden_state_sum": f"{OF_HIDDEN} Compute each entry of h_t, then add them.",
    "gru_candidate": "z_h = W_hx x_t + b_hx + r_t ∘ (W_hh h_prev + b_hh). Compute entry {entry} of the brackets first, from row {entry} of W_hh.",
    "gru_hidden_state": f"z_h = W_hx x_t + b_hx + r_t ∘ (W_hh h_prev + b_hh), h_tilde = tanh(z_h) and {OF_MIX}. Compute entry {{entry}} of each, from row {{entry}} of W_hh and W_hx.",
    "gru_hidden_state_from_candidate": f"{OF_MIX}. {OF_ENTRY}",
    "shape_of_stacked_input": "The entries of x_t stand below those of h_prev, so [h_prev; x_t] has the shape (n + m, 1).",
    "shape_of_weights": "W_hx stands on the right of W_hh, so W_h has the shape (k, n + m).",
    "shape_of_all_weights": "Each of the four has the shape (k, k + m). They stand one below another, so W has the shape (4 · k, k + m).",
    "shape_in_framework": "With B blocks, weights of x_t have the shape (B · k, m) in PyTorch and (m, B · k) in Keras. Weights of h_prev have k in the place of m. An LSTM has 4 blocks and a GRU 3.",
    "parameter_count": "With B blocks there are B · k · (k + m) weights and B · k biases. An RNN has 1 block, an LSTM 4 and a GRU 3.",
    "parameter_count_in_pytorch": "With B blocks there are B · k · (k + m) weights. PyTorch has two biases in each row, so twice as many as B · k. An RNN has 1 block, an LSTM 4 and a GRU 3.",
    "order_of_lstm": "In PyTorch, Keras and ONNX, the input gate comes first.",
    "order_of_gru": "In PyTorch, Keras and ONNX, the candidate comes last.",
    "first_row": OF_BLOCK,
    "first_and_last_row": OF_BLOCK,
    "first_column": OF_BLOCK,
    "first_and_last_column": OF_BLOCK,
    "saturated_unit": "A unit is saturated if |z| > {bound}. The sign of z does not matter.",
    "forgetting_unit": "With an input gate of 0, each step gives c_t = f_t ∘ c_prev. Multiply c_0 by all entries of the unit's row of f_t.",
}
RULE_OF_WHOLE_STEP = (
    "f_t = σ(W_f [h_prev; x_t] + b_f), i_t = σ(W_i [h_prev; x_t] + b_i), c_tilde = tanh(W_c [h_prev; x_t] + b_c), "
    f"o_t = σ(W_o [h_prev; x_t] + b_o), {OF_HIDDEN}"
)

# The names of the stages by their codes, in lowercase because they follow the name of an entry.
STAGE_NAMES = {
    "concatenation": "concatenation",
    "product": "product",
    "bias": "bias",
    "pre_activation": "pre-activation",
    "activation": "activation",
    "derivative": "derivative",
    "each_step": "each step",
    "sum": "sum",
    "sum_of_entries": "sum of the entries",
    "reset": "reset",
    "mix": "mix",
    "parts": "parts",
    "blocks": "blocks",
    "layout": "layout",
    "order": "order",
    "rows": "position",
    "bound": "bound",
    "smaller": "smaller",
}
# By the code of a stage that is no plain formula.
STAGES: Mapping[str, Template] = {
    "row_of_weights": "[h_prev; x_t] = {stacked}, row {row} of W_h = {weights}",
    "entry_of_product": "entry ({row}, {column}) of {product} = {entry}",
    "entry_of_longer_product": "column {column} of {earlier} {relation} {entries}; entry ({row}, {column}) of {product} = {entry}",
    "two_products": "{first} and {second}",
    "rows_of_each": "h_prev has {n} rows, x_t has {m} rows, and each has 1 column",
    "columns_of_each": "W_hh has {k} rows and {n} columns, W_hx has {k} rows and {m} columns",
    "shape_of_each": "each of W_f, W_i, W_c and W_o has k = {k} rows and k + m = {columns} columns",
    "rows_of_both": "n + m = {rows} rows and 1 column: {shape}",
    "columns_of_both": "k = {k} rows and n + m = {columns} columns: {shape}",
    "rows_of_four": "4 · k = {rows} rows and k + m = {columns} columns: {shape}",
    "blocks": "{cell}: {blocks} blocks of k = {k}",
    "row_for_each_unit": "one row for each unit of each block: {shape}",
    "transposed": "Keras stores the transpose: {shape}",
    "weights_of_row": "each row of a block has k + m = {columns} weights",
    "weights": "{formula} weights",
    "biases_and_total": "{formula} biases, {total} parameters in total",
    "order": "{framework}: {gates}",
    "rows_of_block": "block {place}: rows {place} · {k} = {first} to {last}",
    "columns_of_block": "block {place}: columns {place} · {k} = {first} to {last}",
    "only_unit_above": "only |{z}| is above {bound}, so unit {unit} is saturated",
    "both_units": "unit 1: {first}; unit 2: {second}",
    "forgets_more": "unit {unit} forgets more, and {content} is left",
}


def in_words(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of a sentence with words in the place of the letters of gates and of the names of cells.

    Parameters
    ----------
    values : mapping from str to object
        A name that starts with "gate" holds letters that stand for their gates, and one that starts with "order" holds
        letters to be listed.
    """
    found = dict(values)
    for name, value in values.items():
        if name.startswith("gate"):
            found[name] = enumerated(GATES[letter] for letter in str(value))
        elif name.startswith("order"):
            found[name] = enumerated(str(value))
    if "cell" in values:
        found["a_cell"] = WITH_ARTICLE[str(values["cell"])]
    return found


def question(exercise: Exercise) -> str:
    """Return the question of an exercise with the precision of its answer."""
    asked = fill(QUESTIONS[exercise.question.code], in_words(exercise.question.values))
    return asked if exercise.kind in WHOLE_KINDS else f"{asked} {precision(exercise.level)}"


def question_of_whole_step(level: int) -> str:
    """Return the question of a whole step of an LSTM."""
    return f"{WHOLE_STEP} {precision(level) if ASKED[level] else WHOLE_NUMBERS}"


def precision(level: int) -> str:
    """Return how exact a number must be at a level."""
    return DECIMALS.format(decimals=ASKED[level]) if ASKED[level] else WHOLE_NUMBER


def stages(exercise: Exercise) -> dict[str, str]:
    """Return the stages of a solution with their numbers, by their names on the screen."""
    return {
        STAGE_NAMES[code]: fill(STAGES[stage.code], in_words(stage.values)) if isinstance(stage, Sentence) else stage
        for code, stage in exercise.stages.items()
    }


def hints(exercise: Exercise) -> dict[str, str]:
    """Return the rule of an exercise without its numbers, then the stages of its solution, by their names on the screen."""
    values = in_words(exercise.question.values)
    derivative = DERIVATIVES.get(str(values.get("g")), "")
    return {RULE: fill(RULES[exercise.question.code], values | {"derivative": derivative}), **stages(exercise)}
