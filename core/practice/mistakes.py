"""The known misconceptions, in words."""

from core.practice.exercise import Exercise

# The sentence on each mistake, by its name up to ":". Rows and entries count from 1.
MISTAKES = {
    # one row of z
    "other_row": "You took row {row}, and row {meant} was asked for.",
    "column_for_row": "You went down column {row} of {symbol}, and the product goes along row {row}.",
    "stack_swapped": "You stacked [x; h], and the columns of W_h are in the order [h; x].",
    "no_bias": "You left out the bias {symbol}.",
    "bias_turned": "You subtracted the bias: it is added.",
    "bias_twice": "You added the bias twice.",
    "no_h": "You left out the part of h_prev.",
    "no_x": "You left out the part of x_t.",
    "left_out": "You left out the product {product}.",
    "sign_turned": "You turned the sign of the product {product}.",
    "factors_added": "You added each weight and its entry where they are multiplied.",
    "rounded_early": "You rounded to {digits} on the way: keep all digits until the end.",
    "columns_for_rows": "You went down column {row} of W_hh and of W_hx, and the product goes along row {row}.",
    "sign": "You have the other sign: the number is right without it.",
    "slip": "You are off by {off}: one slip of the arithmetic, in {place}. The way to it can be right.",
    # an activation and its slope
    "no_activation": "You stopped at the pre-activation: {g} is still to be applied.",
    "other_activation": "You applied {other} in the place of {g}.",
    "value_for_slope": "You took the value {g}(z), and the slope {g}′(z) was asked for.",
    "slope_for_value": "You took the slope {g}′(z), and the value {g}(z) was asked for.",
    "bias_after": "You added the bias after the activation: it belongs inside.",
    "sign_of_exponent": "You took 1 / (1 + e^z): the exponent of σ is −z.",
    "sign_dropped": "You dropped the minus: of a negative number ReLU makes 0.",
    "negative_for_positive": "You made 0 of a positive number: ReLU keeps it.",
    "slope_of_output": "You put the output into the slope, {g}′({g}(z)): it takes z itself.",
    "z_for_output": "You put z in the place of {g}(z) in the formula {formula}.",
    "other_formula": "You took {other}’s formula for the slope: that of {g} is {formula}.",
    "no_square": "You left out the square: the slope is {formula}.",
    "largest_slope": "You took the largest slope, {largest}: that is the slope at z = 0 only.",
    "other_slope": "You took the slope of {other} in the place of that of {g}.",
    # the gates' updates
    "forget_turned": "You took 1 − f_t in the place of f_t: f_t is the share that is kept.",
    "gates_exchanged": "You exchanged the input gate and the forget gate.",
    "no_forget": "You left out the forget gate: c_prev is multiplied by f_t.",
    "no_input": "You left out the input gate: c_tilde is multiplied by i_t.",
    "last_value": "You took the value before the step: {symbol}.",
    "dot_product": "You added up the products of all entries: ∘ keeps the entries apart.",
    "no_tanh": "You left out tanh: {right}.",
    "output_inside": "You put o_t inside of tanh: it multiplies what tanh gives, h_t = o_t ∘ tanh(c_t).",
    "no_output": "You left out the output gate: h_t is o_t ∘ tanh(c_t).",
    "c_for_h": "You gave c_t: h_t is o_t ∘ tanh(c_t).",
    "update_turned": "You exchanged u_t and 1 − u_t: u_t is the share of h_prev that is kept.",
    "no_rest": "You left out 1 − u_t: h_tilde is multiplied by it.",
    "no_update": "You left out u_t: h_prev is multiplied by it.",
    "candidate_for_h": "You gave the candidate h_tilde: h_t mixes it with h_prev.",
    "reset_before": "You applied r_t to h_prev before the product with W_hh: here it acts after the product.",
    "reset_turned": "You took 1 − r_t in the place of r_t.",
    "no_reset": "You left out the reset gate r_t.",
    "bias_outside": "You left b_hh outside of r_t: it is inside of the brackets.",
    "other_gate": "You took the weights and the bias of the {other}.",
    # back through time
    "sum_for_product": "You added the steps: one after the other, they multiply.",
    "no_weights": "You multiplied the slopes alone: each step also multiplies by W_hh.",
    "no_slopes": "You multiplied the weights alone: each step also multiplies by the slopes.",
    "transposed_weights": "You took the transpose of W_hh: so a gradient goes back, and the derivative itself has W_hh.",
    "entry_turned": "You took the derivative of entry {column} by entry {row}: that is the transpose's entry.",
    "steps_turned": "You multiplied the steps in the opposite order: the last step stands on the left.",
    "one_step_less": "You went through {steps}, and there is one more.",
    # shapes and counts
    "side_by_side": "You put the parts side by side, and they stand on top of each other.",
    "on_top": "You put the parts on top of each other, and they stand side by side.",
    "transposed": "You exchanged rows and columns.",
    "sizes_multiplied": "You multiplied the sizes of h and x: a join adds them.",
    "only_h": "You counted the part of h only.",
    "only_x": "You counted the part of x only.",
    "blocks": "You counted {blocks} of weights, and the cell has {right}.",
    "joined": "You joined both weights: the frameworks keep them apart.",
    "no_biases": "You left out the biases.",
    "one_bias": "You counted one bias for each row: PyTorch keeps two, bias_ih and bias_hh.",
    "two_biases": "You counted two biases for each row, as PyTorch keeps them: the equations have one.",
    "single_bias": "You counted a single number for each bias: it has one number for each row.",
    # the order of the gates
    "order_of": "You took the order of {other}: {taken}. That of {framework} is {right}.",
    "positions": "You wrote down where each gate goes: asked for is which gate stands at each place.",
    "counted_from_1": "You counted from 1: the first is 0.",
    "block_number": "You gave the number of the block: each block has k = {k} of them.",
    "one_too_far": "You went one too far: the last of k = {k} is the first plus k − 1.",
    # which unit and which cell
    "one_end": "You took the {end} pre-activation: a unit is saturated at both ends of its activation.",
    "nearest_0": "You took the pre-activation nearest to 0: there the slope is largest.",
    "near_bound": "You took the unit on the other side of its bound: it has more of its slope left.",
    "unit_from_0": "You counted from 0: the first unit is 1.",
    "keeps_more": "You took the other cell: its gates have the larger product, so it keeps more.",
    "cell_for_content": "You gave the number of the cell: asked for is what is left in it.",
    "last_gate": "You multiplied by the last gate only: all steps count.",
    "lost": "You gave what is lost: asked for is what is left.",
}


def explain(exercise: Exercise, mistake: str) -> str:
    """Say what the learner did.

    Parameters
    ----------
    mistake : str
        A name of its `mistakes`.

    Returns
    -------
    str
        A sentence in the second person.

    Raises
    ------
    ValueError
        If the exercise has no such mistake.
    """
    if mistake not in exercise.mistakes:
        raise ValueError(
            f"mistake must be one of {', '.join(exercise.mistakes)}, got {mistake!r}: take a name of a verdict."
        )
    return MISTAKES[mistake.partition(":")[0]].format(**exercise.details.get(mistake, {}))
