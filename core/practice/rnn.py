"""Exercises about the RNN: one entry of z, its activation, its derivative, and the derivative over several steps."""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce

import numpy as np

from core.activations import Activation, relu, sigmoid, tanh
from core.arrays import Array
from core.cells import rnn
from core.concatenation import stacked_product
from core.practice.exercise import ROUNDING_ERROR, Draft, Mark, Mistake, Sentence, Stage
from core.practice.exercise_number_format import format_column, format_number, format_term, relation
from core.practice.rounding import Chain, Keep, matrices_in_order, row_chain
from core.practice.sampling import (
    arithmetic,
    gate_values,
    numbers,
    other_rows,
    product_rounding_error,
)

OTHER = {"sigmoid": tanh, "tanh": sigmoid}
# The derivative as a formula of the output, as textbooks write it.
BY_OUTPUT = {"sigmoid": "σ(z)(1 − σ(z))", "tanh": "1 − tanh(z)²"}
# Beyond this |z|, values of σ or tanh differ too little in three decimals.
WIDEST = {"sigmoid": 4.0, "tanh": 2.0}


def at(g: Activation, z: float) -> float:
    """Return g(z) of one number."""
    return float(g.f(np.array(z)))


def derivative_at(g: Activation, z: float) -> float:
    """Return g'(z) of one number."""
    return float(g.df(np.array(z)))


def sums(factors: list[tuple[float, float]]) -> str:
    """Return a sum of products as text."""
    return " + ".join(f"{format_term(w)}·{format_term(v)}" for w, v in factors)


def row_mistakes(
    step: rnn.RNNStep, params: rnn.RNNParams, row: int, f: Callable[[Array], Array] = np.asarray
) -> dict[str, Mistake]:
    """Return f of the z of each mistake in one row: a part left out, another row, the transpose of W_hh."""
    wrong = (
        step.W_h_stacked,
        step.W_hx_x + params.b_h,
        step.W_hh_h + params.b_h,
        params.W_hh.T @ step.h_prev + step.W_hx_x + params.b_h,
        step.W_h_stacked - params.b_h,
    )
    no_bias, no_h, no_x, down, less = (float(f(z)[row, 0]) for z in wrong)
    return {
        **other_rows(f(step.z_t).astype(np.float64), "W_h", row),
        "no_bias": Mistake(no_bias, None, Mark("b_h", row), {"symbol": "b_h"}),
        "bias_subtracted": Mistake(less, Mark("b_h", row), Mark("b_h", row)),
        "no_h": Mistake(no_h, None, Mark("h_prev")),
        "no_x": Mistake(no_x, None, Mark("x_t")),
        "column_for_row": Mistake(down, Mark("W_hh", None, row), Mark("W_hh", row), {"row": row + 1, "symbol": "W_hh"}),
    }


def both_columns(
    step: rnn.RNNStep, params: rnn.RNNParams, row: int, f: Callable[[Array], Array] = np.asarray
) -> dict[str, Mistake]:
    """Return f(z) for the mistake of using columns of both weights; empty if W_hx is not square."""
    if params.W_hx.shape[0] != params.W_hx.shape[1]:
        return {}
    z = params.W_hh.T @ step.h_prev + params.W_hx.T @ step.x_t + params.b_h
    columns = Mark("W_hh", None, row), Mark("W_hx", None, row)
    return {"columns_for_rows": Mistake(float(f(z)[row, 0]), columns, Mark("W_h", row), {"row": row + 1})}


def mixed_up_parts(
    step: rnn.RNNStep, params: rnn.RNNParams, row: int, f: Callable[[Array], Array] = np.asarray
) -> dict[str, Mistake]:
    """Return f(z) for the mistakes of adding the bias of another row, and of x_t in the place of h_prev if they have equal sizes."""
    W_hh, W_hx, x, b = params.W_hh, params.W_hx, step.x_t, params.b_h
    mixed = {
        f"other_bias:{other}": (
            step.W_h_stacked + b[other],
            Mark("b_h", other),
            Mark("b_h", row),
            {"row": other + 1, "meant": row + 1},
        )
        for other in range(len(b))
        if other != row
    }
    if W_hh.shape == W_hx.shape:
        mixed["x_for_h"] = W_hh @ x + W_hx @ x + b, Mark("x_t"), Mark("h_prev"), {}
    return {
        name: Mistake(float(f(z)[row, 0]), used, meant, details) for name, (z, used, meant, details) in mixed.items()
    }


def single_products(
    step: rnn.RNNStep, params: rnn.RNNParams, row: int, f: Callable[[Array], Array] = np.asarray
) -> dict[str, Mistake]:
    """Return f(z) for the mistakes of leaving out one product of a row, and of adding it with the opposite sign."""
    z, found = step.z_t[row, 0], {}
    for column, (w, v) in enumerate(zip(params.W_h[row].tolist(), step.stacked[:, 0].tolist(), strict=True)):
        one, text = Mark("W_h", row, column), {"product": f"{format_number(w)}·{format_term(v)}"}
        found[f"left_out:{column}"] = Mistake(float(f(z - w * v)), None, one, text)
        found[f"product_sign:{column}"] = Mistake(float(f(z - 2 * w * v)), one, one, text)
    return found


def chain_of_row(step: rnn.RNNStep, params: rnn.RNNParams, row: int, g: Activation | None = None) -> Chain:
    """Return the computation of one row, with its activation if there is one."""
    of_h, of_x = params.W_hh[row] * step.h_prev[:, 0], params.W_hx[row] * step.x_t[:, 0]
    return row_chain(of_h, of_x, float(params.b_h[row, 0]), (lambda z: at(g, z)) if g else None)


def row_stages(step: rnn.RNNStep, params: rnn.RNNParams, row: int) -> dict[str, Stage]:
    """Return the stages from the concatenation to the pre-activation of one row."""
    factors = list(zip(params.W_h[row].tolist(), step.stacked[:, 0].tolist()))
    product, b, z = (float(part[row, 0]) for part in (step.W_h_stacked, params.b_h, step.z_t))
    return {
        "concatenation": Sentence(
            "row_of_weights",
            {"stacked": format_column(step.stacked), "row": row + 1, "weights": format_column(params.W_h[row])},
        ),
        "product": f"{sums(factors)} {relation(product)} {format_number(product)}",
        "bias": f"{format_number(product)} + {format_term(b)} {relation(z, product)} {format_number(z)}",
    }


def sample_step(
    rng: np.random.Generator, level: int, sizes: tuple[int, int], most: tuple[int, int, int], g: Activation
) -> tuple[dict[str, Array], rnn.RNNParams, rnn.RNNStep, int]:
    """Sample a cell with k = n, its step, and one of its rows.

    Parameters
    ----------
    sizes : (int, int)
        k and m.
    most : (int, int, int)
        The largest absolute values of the weights, the inputs and the biases.

    Returns
    -------
    given : dict from str to ndarray
    params : RNNParams
    step : RNNStep
    row : int
    """
    k, m = sizes
    weights, inputs, biases = most
    given = {
        "W_hh": numbers(rng, level, (k, k), weights),
        "W_hx": numbers(rng, level, (k, m), weights),
        "b_h": numbers(rng, level, (k, 1), biases),
        "h_prev": numbers(rng, level, (k, 1), inputs),
        "x_t": numbers(rng, level, (m, 1), inputs),
    }
    params, state = rnn.build(given, order="hx", g=g)
    return given, params, rnn.step(params, state, given["x_t"]), int(rng.integers(k))


def pre_activation(rng: np.random.Generator, level: int) -> Draft:
    """Ask for one entry of z_t = W_h [h_prev; x_t] + b_h."""
    sizes, most = {1: ((2, 2), (9, 5, 9)), 2: ((2, 2), (3, 3, 3)), 3: ((3, 2), (3, 3, 3))}[level]
    given, params, step, row = sample_step(rng, level, sizes, most, sigmoid)
    W_hh, W_hx, h_prev, x_t = given["W_hh"], given["W_hx"], given["h_prev"], given["x_t"]
    z, b = float(step.z_t[row, 0]), float(given["b_h"][row, 0])
    swapped = stacked_product(W_hh, W_hx, h_prev, x_t, "hx", stack_order="xh")[row, 0]
    meant = Mark("W_h", row)
    mistakes = {
        **row_mistakes(step, params, row),
        "stack_swapped": Mistake(float(swapped) + b, None, Mark("stacked")),
        "bias_twice": Mistake(z + b, Mark("b_h", row)),
        "factors_added": Mistake(float((params.W_h[row] + step.stacked[:, 0]).sum()) + b, meant, meant),
        **single_products(step, params, row),
    }
    return Draft(
        answer=z,
        mistakes=mistakes,
        question=Sentence("pre_activation", {"entry": row + 1}),
        given=given,
        asked=Mark("z_t", row),
        stages=row_stages(step, params, row),
        optional=both_columns(step, params, row) | mixed_up_parts(step, params, row) | arithmetic(level, z),
        slack=params.W_h.shape[1] * product_rounding_error(level, 2),
        chains=(chain_of_row(step, params, row),),
    )


def activation_value(rng: np.random.Generator, level: int) -> Draft | None:
    """Ask for one entry of h_t = g(z_t); ReLU at level 1, so that it is a whole number."""
    g = relu if level == 1 else (sigmoid, tanh)[rng.integers(2)]
    sizes, most = {1: ((2, 2), (4, 3, 6)), 2: ((2, 1), (1, 2, 1)), 3: ((3, 2), (1, 1, 1))}[level]
    given, params, step, row = sample_step(rng, level, sizes, most, g)
    z, product, b = (float(part[row, 0]) for part in (step.z_t, step.W_h_stacked, params.b_h))
    named = {"g": g.symbol}
    mistakes = row_mistakes(step, params, row, g.f)
    mistakes["bias_after"] = Mistake(at(g, product) + b, Mark("b_h", row))
    stopped = Mistake(z, Mark("z_t", row), Mark("h_t", row), named)
    if g is relu:
        if z == 0:
            return None
        # ReLU hides these mistakes because it is 0 for z < 0 and the identity for z > 0.
        mistakes = {
            name: mistake
            for name, mistake in mistakes.items()
            if mistake.gives and (name != "bias_after" or product < 0)
        }
        if z > 0:
            mistakes |= {
                "derivative_for_value": Mistake(derivative_at(g, z), details=named),
                "negative_for_positive": Mistake(0.0),
            }
        else:
            mistakes |= {"no_activation": stopped, "sign_dropped": Mistake(-z)}
    else:
        if abs(z) > WIDEST[g.name]:
            return None
        other = OTHER[g.name]
        mistakes |= {
            "no_activation": stopped,
            "other_activation": Mistake(at(other, z), details=named | {"other": other.symbol}),
            "derivative_for_value": Mistake(derivative_at(g, z), details=named),
        }
        if g is sigmoid:
            mistakes["sign_of_exponent"] = Mistake(at(g, -z))
    h = float(step.h_t[row, 0])
    return Draft(
        answer=h,
        mistakes=mistakes,
        question=Sentence("activation", {"g": g.symbol, "entry": row + 1}),
        given=given,
        asked=Mark("h_t", row),
        stages=row_stages(step, params, row)
        | {"activation": f"{g.symbol}({format_number(z)}) {relation(h, z)} {format_number(h)}"},
        optional=both_columns(step, params, row, g.f)
        | mixed_up_parts(step, params, row, g.f)
        | single_products(step, params, row, g.f)
        | arithmetic(level, h),
        reached={"product": (product,)},
        bounds={"activation": g.range},
        slack=params.W_h.shape[1] * product_rounding_error(level, 2) * g.max_df,
        chains=(chain_of_row(step, params, row, g),),
    )


def part_of_derivative(g: Activation, level: int, z: float, details: Mapping[str, object]) -> dict[str, Mistake]:
    """Return the mistakes of giving one part of the derivative, or at level 1 of its product with the gradient."""
    if level == 1:
        return {"no_gradient": Mistake(derivative_at(g, z), details=details)}
    if g is sigmoid:
        return {"one_factor": Mistake(1 - at(g, z), details=details)}
    return {"no_one_minus": Mistake(at(g, z) ** 2, details=details)}


def activation_derivative(rng: np.random.Generator, level: int) -> Draft:
    """Ask for g'(z) of one unit; at level 1 at z = 0, where it is a known number, times a gradient."""
    g = (sigmoid, tanh)[rng.integers(2)]
    other, k = OTHER[g.name], {1: 3, 2: 3, 3: 5}[level]
    row = int(rng.integers(k))
    z_t = numbers(rng, level, (k, 1), {1: 4, 2: 3, 3: 3}[level])
    named = {"g": g.symbol, "other": other.symbol, "formula": BY_OUTPUT[g.name], "largest": format_number(g.max_df)}
    given = {"z_t": z_t}
    scale, symbol, formula = 1.0, "dg_z_t", BY_OUTPUT[g.name]
    if level == 1:
        z_t[row] = 0
        given["dL_dh_t"] = 4 * numbers(rng, level, (k, 1), 9)
        scale = float(given["dL_dh_t"][row, 0])
        symbol, formula = "dL_dz_t", f"{format_number(scale)}·{f'({formula})' if g is tanh else formula}"
    z = float(z_t[row, 0])
    output = at(g, z)
    g_z, factor = f"{g.symbol}(z)", format_term(output)
    with_numbers = formula.replace(f"{g_z}(", f"{factor}·(").replace(g_z, factor)
    by_output = {"sigmoid": z * (1 - z), "tanh": 1 - z * z}[g.name]
    mistakes = other_rows(g.df(z_t) * given.get("dL_dh_t", 1), "z_t", row)
    mistakes |= {
        ("value_in_gradient" if level == 1 else "value_for_derivative"): Mistake(scale * output, details=named),
        "other_derivative": Mistake(scale * derivative_at(other, z), details=named),
    }
    if level > 1 or g is sigmoid:
        # At z = 0, these equal the derivative of tanh.
        mistakes["derivative_of_output"] = Mistake(scale * derivative_at(g, output), details=named)
        mistakes["z_for_output"] = Mistake(scale * by_output, details=named)
        by_other_formula = 1 - output**2 if g is sigmoid else output * (1 - output)
        mistakes["other_formula"] = Mistake(scale * by_other_formula, details=named)
    if level > 1:
        mistakes["maximum_derivative"] = Mistake(g.max_df, details=named)
        if g is tanh:
            mistakes["no_square"] = Mistake(1 - output, details=named)
    answer = scale * derivative_at(g, z)

    def chain(keep: Keep) -> float:
        s = keep("output", output)
        return s * (1 - s) if g is sigmoid else 1 - keep("square", s * s)

    return Draft(
        answer=answer,
        mistakes=mistakes,
        question=Sentence("gradient" if level == 1 else "derivative", {"g": g.symbol, "entry": row + 1}),
        given=given,
        asked=Mark(symbol, row),
        stages={
            "pre_activation": f"z = {format_number(z)}",
            "activation": f"{g.symbol}({format_number(z)}) {relation(output)} {format_number(output)}",
            "derivative": f"{formula} = {with_numbers} {relation(answer, output)} {format_number(answer)}",
        },
        optional=part_of_derivative(g, level, z, named) | arithmetic(level, answer),
        slack=0.0 if level == 1 else ROUNDING_ERROR * (1 if g is sigmoid else 1 + 2 * abs(output)),
        bounds={"derivative": (min(0.0, scale * g.max_df), max(0.0, scale * g.max_df))},
        chains=(chain,),
    )


def step_jacobians(W_hh: Array, derivatives: Array) -> Array:
    """Return the derivatives of each h_t with respect to the h before it, from the cell's own Jacobian.

    Parameters
    ----------
    W_hh : ndarray of shape (k, k)
    derivatives : ndarray of shape (k, T)

    Returns
    -------
    ndarray of shape (T, k, k)
    """
    zero = np.zeros((len(W_hh), 1))
    params = rnn.RNNParams(W_hh, zero, zero)
    step = rnn.step(params, rnn.RNNState(zero), np.zeros((1, 1)))
    return np.stack(
        [rnn.jacobian(params, step._replace(dg_z_t=derivatives[:, t : t + 1])) for t in range(derivatives.shape[1])]
    )


def matrix_product_error(J: Array, lost: float) -> Array:
    """Return the error bound of each entry of a product of matrices if all factors are rounded to 3 decimals.

    Parameters
    ----------
    J : ndarray of shape (T, k, k)
        The first one stands on the right.
    lost : float
        The error of the entries of each matrix.

    Returns
    -------
    ndarray of shape (k, k)
        For the order of multiplication with the larger error.
    """

    def one_way(matrices: Array) -> Array:
        product = np.abs(matrices[0])
        off = np.full_like(product, lost)
        for matrix in np.abs(matrices[1:]):
            off = (matrix + lost) @ off + lost * product.sum(axis=0) + len(product) * ROUNDING_ERROR
            product = matrix @ product
        return off

    other_way = one_way(J[::-1].transpose(0, 2, 1)).T
    return np.maximum(one_way(J), other_way)


def other_products(J: Array, W_hh: Array, derivatives: Array, asked: tuple[int, int]) -> dict[str, Mistake]:
    """Return the mistakes of giving another entry of the product of the Jacobians, and of scaling the columns of W_hh.

    Parameters
    ----------
    J : ndarray of shape (T, k, k)
    W_hh : ndarray of shape (k, k)
    derivatives : ndarray of shape (k, T)
    asked : (int, int)
        The row and the column of the asked entry.
    """
    product = reduce(lambda before, matrix: matrix @ before, J)
    scaled = reduce(lambda before, matrix: matrix @ before, [W_hh * column for column in derivatives.T])
    found = {"columns_scaled": Mistake(float(scaled[asked]), Mark("W_hh"), Mark("W_hh"))}
    for row, column in np.ndindex(*product.shape):
        if (row, column) not in (asked, asked[::-1]):
            details = {"row": asked[0] + 1, "column": asked[1] + 1, "used_row": row + 1, "used_column": column + 1}
            found[f"other_entry:{row}_{column}"] = Mistake(float(product[row, column]), details=details)
    return found


def entry_stage(J: Array, before: Array, asked: tuple[int, int], answer: float) -> Sentence:
    """Return the stage with one entry of the product of the Jacobians.

    Parameters
    ----------
    J : ndarray of shape (T, k, k)
    before : ndarray of shape (k,)
        The asked column of the product of all Jacobians except the last.
    asked : (int, int)
        The row and the column of the asked entry.
    answer : float
    """
    T, (row, column) = len(J), asked
    of_all, of_others = (" ".join(f"J_{t}" for t in range(last, 0, -1)) for last in (T, T - 1))
    product = sums(list(zip(J[-1][row].tolist(), before.tolist())))
    values = {
        "row": row + 1,
        "column": column + 1,
        "product": of_all,
        "entry": f"{product} {relation(answer, J, before)} {format_number(answer)}",
    }
    if T == 2:
        return Sentence("entry_of_product", values)
    earlier = {"earlier": of_others, "relation": relation(before), "entries": format_column(before)}
    return Sentence("entry_of_longer_product", values | earlier)


def derivative_over_steps(rng: np.random.Generator, level: int) -> Draft | None:
    """Ask for one entry of the derivative of h_T with respect to h_0: the product of all steps' Jacobians."""
    k, T = {1: (3, 2), 2: (2, 2), 3: (2, 3)}[level]
    # At level 1 the derivatives are those of ReLU, 0 and 1.
    derivatives = rng.integers(0, 2, (k, T)) if level == 1 else gate_values(rng, level, (k, T))
    row, column = (int(entry) for entry in rng.integers(0, k, 2))
    if level == 1:
        # The asked row needs 1, or the answer is 0; some other row needs a 0, or each Jacobian is W_hh.
        derivatives[row] = 1
        if derivatives.min(axis=0).any() or row == column:
            return None
    W_hh = numbers(rng, level, (k, k), {1: 4, 2: 2, 3: 2}[level])
    J = step_jacobians(W_hh, derivatives)

    def entry(steps: Iterable[Array], row: int = row, column: int = column) -> float:
        return float(reduce(lambda product, matrix: matrix @ product, steps)[row, column])

    answer = entry(J)
    before = np.linalg.multi_dot([*J[-2::-1], np.eye(k)])[:, column]
    transposed = {"row": row + 1, "column": column + 1}
    rows = {}
    if k == T:
        by_rows = step_jacobians(W_hh, derivatives.T)
        rows["rows_for_steps"] = Mistake(entry(by_rows), Mark("dg_z_t", 0), Mark("dg_z_t", None, 0))
    lines = [
        f"J_{t + 1} = diag({format_column(derivatives[:, t])}) W_hh {relation(J[t])} [{'; '.join(map(format_column, J[t]))}]"
        for t in range(T)
    ]
    return Draft(
        answer=answer,
        mistakes={
            "sum_for_product": Mistake(float(J.sum(axis=0)[row, column])),
            "no_weights": Mistake(float(derivatives[row].prod()), None, Mark("W_hh")),
            "no_derivatives": Mistake(entry([W_hh] * T), None, Mark("dg_z_t")),
            "transposed_weights": Mistake(entry(step_jacobians(W_hh.T, derivatives)), Mark("W_hh"), Mark("W_hh")),
            "steps_reversed": Mistake(entry(J[::-1])),
            "one_step_less": Mistake(entry(J[:-1]), details={"steps": T - 1, "all": T}),
            **({"entry_transposed": Mistake(entry(J, column, row), details=transposed)} if row != column else {}),
        },
        question=Sentence("derivative_over_steps", {"T": T, "row": row + 1, "column": column + 1}),
        given={"W_hh": W_hh, "dg_z_t": derivatives},
        asked=Mark("dh_T_dh_0", row, column),
        stages={
            "each_step": "; ".join(lines),
            "product": entry_stage(J, before, (row, column), answer),
        },
        optional=rows | other_products(J, W_hh, derivatives, (row, column)) | arithmetic(level, answer),
        alike={"no_first_jacobian": Mistake(entry(J[1:]), details={"all": T})},
        slack=0.0 if level == 1 else float(matrix_product_error(J, product_rounding_error(level, 2))[row, column]),
        reached={"each_step": tuple(J[:, row, column].tolist())},
        chains=tuple(matrices_in_order([*J], (row, column), from_left=from_left) for from_left in (False, True)),
    )
