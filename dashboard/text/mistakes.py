"""The sentences on the mistakes in exercises: one for each code of `core.practice`, with placeholders for its values."""

from collections.abc import Mapping

from core.practice import Exercise
from dashboard.text.plural import Plural, Template, fill
from dashboard.text.practice_questions import in_words

# By the code of a mistake: first what the reader did, then what was meant. Rows and entries count from 1.
SENTENCES: Mapping[str, Template] = {
    # one entry of z
    "other_row": "You computed entry {row}. The question asks for entry {meant}.",
    "column_for_row": "You multiplied column {row} of {symbol} by h_prev. The matrix product uses row {row}.",
    "columns_for_rows": "You used column {row} of W_hh and of W_hx. The matrix product uses row {row} of both.",
    "stack_swapped": "You concatenated x_t above h_prev. The columns of the weights are in the order h_prev, x_t.",
    "no_bias": "You left out the bias {symbol}. It is part of the pre-activation.",
    "bias_subtracted": "You subtracted the bias. It is added.",
    "bias_twice": "You added the bias twice. It is added once.",
    "no_h": "You left out the term with h_prev. Both h_prev and x_t contribute to the pre-activation.",
    "no_x": "You left out the term with x_t. Both h_prev and x_t contribute to the pre-activation.",
    "left_out": "You left out the product {product}. The sum includes all products.",
    "product_sign": "You added the product {product} with the opposite sign. Keep the sign of the product.",
    "x_for_h": "You multiplied W_hh by x_t. It multiplies h_prev.",
    "other_bias": "You added the bias of row {row}. The question asks for row {meant}.",
    "factors_added": "You added each weight and its entry of the stacked input. Multiply each pair, then add the products.",
    "neither_bias": "You left out both biases. z_h includes b_hh and b_hx.",
    "biases_swapped": "You swapped the two biases. Add b_hh to W_hh h_prev, and b_hx to W_hx x_t.",
    "sign": "Your answer has the opposite sign. Its absolute value is right.",
    "arithmetic": "Your answer is off by {off}. The method may be right, so check the arithmetic.",
    # an activation and its derivative
    "no_activation": "You gave the pre-activation z. Apply {g} to it.",
    "other_activation": "You applied {other}. The activation is {g}.",
    "value_for_derivative": "You used the value {g}(z). The question asks for the derivative {g}′(z).",
    "value_in_gradient": "You multiplied by the value {g}(z). The gradient is multiplied by the derivative {g}′(z).",
    "derivative_for_value": "You gave the derivative {g}′(z). The question asks for the value {g}(z).",
    "bias_after": "You added the bias after the activation. It is added before.",
    "sign_of_exponent": "You computed 1 / (1 + eᶻ). The exponent in σ is −z.",
    "sign_dropped": "You dropped the minus sign. ReLU gives 0 for a negative number.",
    "negative_for_positive": "You gave 0 for a positive number. ReLU returns a positive number unchanged.",
    "derivative_of_output": "You evaluated the derivative {g}′ at {g}(z). Evaluate it at z.",
    "z_for_output": "You used z instead of {g}(z) in the formula of the derivative. The formula is {formula}.",
    "other_formula": "You used the formula for the derivative of {other}. The derivative of {g} is {formula}.",
    "no_square": "You left out the square. The derivative is {formula}.",
    "one_factor": "You gave 1 − {g}(z). The derivative is {formula}.",
    "no_gradient": "You gave the derivative {g}′(z). Multiply it by the entry of dL_dh_t.",
    "no_one_minus": "You gave {g}(z)². The derivative is {formula}.",
    "maximum_derivative": "You used the maximum derivative, {largest}. It is reached only at z = 0.",
    "other_derivative": "You used the derivative of {other}. The activation is {g}.",
    # the equations of the gated cells
    "forget_complement": "You used 1 − f_t instead of f_t. The forget gate f_t is the fraction that is kept.",
    "gates_swapped": "You swapped the input gate and the forget gate. f_t multiplies c_prev, and i_t multiplies c_tilde.",
    "no_forget": "You left out the forget gate. It multiplies c_prev.",
    "no_input": "You left out the input gate. It multiplies c_tilde.",
    "neither_gate": "You left out both gates. f_t multiplies c_prev, and i_t multiplies c_tilde.",
    "last_value": "You gave {symbol}, the value before the step. The question asks for the value after it.",
    "old_cell_state": "You used c_prev instead of c_t. Compute c_t first, then apply tanh to it.",
    "dot_product": "You added the results of all entries. The product ∘ works entry by entry.",
    "no_tanh": "You left out tanh. The equation is {right}.",
    "output_inside": "You multiplied by o_t before applying tanh. Apply tanh first: h_t = o_t ∘ tanh(c_t).",
    "no_output": "You left out the output gate. The equation is h_t = o_t ∘ tanh(c_t).",
    "gate_for_output": "You multiplied by {used} instead of o_t. The equation is h_t = o_t ∘ tanh(c_t).",
    "c_for_h": "You gave c_t instead of h_t. The equation is h_t = o_t ∘ tanh(c_t).",
    "update_complement": "You swapped u_t and 1 − u_t. The update gate u_t is the fraction of h_prev that is kept.",
    "no_rest": "You left out 1 − u_t. It multiplies h_tilde.",
    "no_update": "You left out u_t. It multiplies h_prev.",
    "one_term": "You left out the term {term}. h_t is the sum of two terms.",
    "both_update": "You multiplied both terms by u_t. The factor of h_tilde is 1 − u_t.",
    "reset_for_update": "You used the reset gate r_t as the update gate. The factors of h_prev and h_tilde are u_t and 1 − u_t.",
    "candidate_for_h": "You gave the candidate h_tilde. The update gate combines it with h_prev.",
    "reset_before": "You multiplied h_prev by r_t before the product with W_hh. Here r_t acts after the product.",
    "reset_complement": "You used 1 − r_t instead of r_t. The reset gate multiplies by r_t itself.",
    "tanh_of_z": "You applied tanh. The question asks for z_h, the value before tanh.",
    "no_reset": "You left out the reset gate r_t. It multiplies W_hh h_prev + b_hh.",
    "reset_of_all": "You multiplied the term with x_t by r_t too. r_t multiplies only W_hh h_prev + b_hh.",
    "reset_of_x": "You multiplied the term with x_t by r_t. r_t multiplies W_hh h_prev + b_hh instead.",
    "bias_outside": "You added b_hh outside the brackets. The reset gate r_t multiplies it too.",
    "other_gate": "You used the weights and the bias of the {gate_used}. Use those of the {gate}.",
    "entry_of_other": "You gave the value of {symbol}. This field is for {asked}.",
    # several steps
    "sum_for_product": "You added the factors of the steps. Multiply them.",
    "no_weights": "You multiplied only the derivatives g′(z). Each step also multiplies by W_hh.",
    "no_derivatives": "You multiplied only the weights. Each step also multiplies by the derivatives g′(z).",
    "transposed_weights": "You used the transpose of W_hh. The Jacobian of a step is diag(g′(z)) W_hh, where diag(g′(z)) has g′(z) on its diagonal.",
    "entry_transposed": "You gave entry ({column}, {row}) of the product. The question asks for entry ({row}, {column}).",
    "other_entry": "You gave entry ({used_row}, {used_column}) of the product. The question asks for entry ({row}, {column}), counted from 1.",
    "columns_scaled": "You multiplied the columns of W_hh by g′(z). The Jacobian diag(g′(z)) W_hh multiplies its rows.",
    "rows_for_steps": "You read the derivatives of a step along a row of dg_z_t. Read them down a column: column t holds those of step t.",
    "steps_reversed": "You multiplied the Jacobians in reverse order. The Jacobian of the last step is on the left.",
    "no_first_step": "You left out the forget gate of the first step. Multiply by the forget gates of all steps.",
    "no_first_jacobian": "You left out the Jacobian of the first step. Multiply the Jacobians of all {all} steps.",
    "one_step_less": Plural(
        "steps",
        "You used only the first step. There are {all} steps.",
        "You used only the first {steps} steps. There are {all} steps.",
    ),
    # shapes and counts
    "side_by_side": "You concatenated the parts horizontally. They are concatenated vertically.",
    "on_top": "You concatenated the parts vertically. They are concatenated horizontally.",
    "transposed": "You gave the shape of the transpose. Swap rows and columns.",
    "sizes_for_shape": "You gave the sizes n and m. The question asks for the rows and the columns of the concatenation.",
    "sizes_multiplied": "You multiplied the sizes of h_prev and x_t. Concatenation adds them.",
    "sizes_of_layer_multiplied": "You multiplied the sizes of h_prev and x_t. {array} multiplies only {symbol}.",
    "only_h": "You counted only the part for h_prev. The part for x_t also counts.",
    "only_x": "You counted only the part for x_t. The part for h_prev also counts.",
    "other_size": "You used the size of {other}. {array} multiplies {symbol}.",
    "blocks": Plural(
        "right",
        "You counted {blocks} blocks of weights. An RNN has {right}, because it has no gates.",
        Plural(
            "blocks",
            "You counted {blocks} block of weights. This cell has {right}: one for each gate, and one for the candidate.",
            "You counted {blocks} blocks of weights. This cell has {right}: one for each gate, and one for the candidate.",
        ),
    ),
    "concatenated": "You concatenated both weight matrices. The frameworks store them separately.",
    "no_biases": "You left out the biases. They are trainable parameters too.",
    "one_bias": "You counted one bias for each row. PyTorch has two, bias_ih and bias_hh.",
    "two_biases": "You counted two biases for each row, as in PyTorch. The question has one for each row.",
    "sizes_swapped": "You swapped m and k. Each block has k rows and k + m columns.",
    "biases_of_one": "You counted the biases of one block. Each of the {blocks} blocks has its own.",
    "single_bias": "You counted one number for each bias vector. A bias vector has one number for each row.",
    # the order of the gates
    "order_of": "You used the order of {other}: {order_used}. {framework} uses {order}.",
    "order_of_equations": "You used the order of the equations: {order_used}. {framework} uses {order}.",
    "positions": "You gave the position of each gate. The question asks which gate is at each position.",
    "counted_from_1": "You counted from 1. The question counts from 0.",
    "rows_of_other": "Your answer belongs to the {gate_used}. The question asks for the {gate}.",
    "last_row": "You gave the last row of the {gate}. The question asks for its first row.",
    "last_column": "You gave the last column of the {gate}. The question asks for its first column.",
    "block_number": "You gave the number of the block. Multiply it by the size of a block, k = {k}.",
    "one_too_far": "Your last number is 1 too large. It must be the first number plus k − 1, with k = {k}.",
    # one unit of several
    "largest_z": "You chose the largest pre-activation. Compare |z|, because a large negative pre-activation saturates a unit just as a large positive one does.",
    "smallest_z": "You chose the smallest pre-activation. Compare |z|, because a large positive pre-activation saturates a unit just as a large negative one does.",
    "nearest_0": "You chose the pre-activation nearest to 0. There the derivative is largest.",
    "near_bound": "You named unit {unit}, where |z| is {z}. A saturated unit has |z| above {bound}.",
    "z_for_unit": "You gave the pre-activation of the unit. The question asks for the number of the unit.",
    "unit_from_0": "You counted units from 0. The first unit is unit 1.",
    "keeps_more": "You computed the other unit. Its forget gates have the larger product, so it forgets less.",
    "unit_for_content": "You gave the number of the unit. The question asks for its c_{T}.",
    "last_gate": "You multiplied only by the last forget gate. Multiply by the forget gates of all steps.",
    "no_start": "You multiplied only the forget gates. Multiply their product by c_0.",
    "lost": "You gave c_0 − c_{T}, the amount that is lost. The question asks for c_{T}.",
}


def explain(exercise: Exercise, mistake: str) -> str:
    """Return the sentence on a mistake in an exercise.

    Parameters
    ----------
    exercise : Exercise
    mistake : str
        A name of its `mistakes`.

    Raises
    ------
    ValueError
        If the exercise has no such mistake.
    """
    if mistake not in exercise.mistakes:
        raise ValueError(f"The exercise has no mistake {mistake!r}. Choose one of {', '.join(exercise.mistakes)}.")
    return fill(SENTENCES[mistake.partition(":")[0]], in_words(exercise.details.get(mistake, {})))
