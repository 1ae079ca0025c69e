"""Exercises about the gated cells: c_t and h_t of an LSTM, the candidate and h_t of a GRU.

The gates' values are given. A step is still the cell's own: with weights of 0 a gate is the activation of its bias,
and the bias that makes it 0 or 1 is infinite.
"""

from collections.abc import Mapping

import numpy as np

from core.activations import sigmoid, tanh
from core.arrays import Array
from core.cells import gru, lstm
from core.practice.exercise import ROUNDING_ERROR, Draft, Mark, Mistake, Sentence, Stage
from core.practice.exercise_number_format import format_column, format_number, format_term, relation
from core.practice.gru_mistakes import candidate_mistakes
from core.practice.lstm_mistakes import HIDDEN_DETAILS, cell_mistakes, term_signs
from core.practice.rnn import at, sums
from core.practice.rounding import Chain, candidate_chain, hidden_chain, mix_chain, weighted_sum
from core.practice.sampling import (
    arithmetic,
    gate_values,
    numbers,
    other_rows,
    product_rounding_error,
    signs,
)

# From this |c| on, tanh(c) is ±1 to two decimals, which is enough at level 1.
SATURATING_C = 4


def logit(values: Array) -> Array:
    """Return the z with σ(z) = values."""
    with np.errstate(divide="ignore"):
        return np.log(values) - np.log1p(-np.asarray(values, dtype=np.float64))


def artanh(values: Array) -> Array:
    """Return the z with tanh(z) = values."""
    with np.errstate(divide="ignore"):
        return np.arctanh(values)


def lstm_step(f_t: Array, i_t: Array, c_tilde: Array, o_t: Array, c_prev: Array) -> lstm.LSTMStep:
    """Return one step of an LSTM with given values of its gates.

    Parameters
    ----------
    f_t, i_t, c_tilde, o_t, c_prev : ndarray of shape (k, 1)
    """
    k = len(c_prev)
    W = np.zeros((k, k + 1))
    params = lstm.LSTMParams(W, W, W, W, logit(f_t), logit(i_t), artanh(c_tilde), logit(o_t))
    return lstm.step(params, lstm.LSTMState(np.zeros((k, 1)), c_prev), np.zeros((1, 1)))


def over_steps(f_t: Array, i_t: Array, c_tilde: Array, c_prev: Array) -> Array:
    """Return c_t after all steps; column t of each gate belongs to step t."""
    c = c_prev
    for t in range(f_t.shape[1]):
        now = slice(t, t + 1)
        c = lstm_step(f_t[:, now], i_t[:, now], c_tilde[:, now], np.ones_like(c), c).c_t
    return c


def quarters(rng: np.random.Generator, k: int) -> tuple[Array, Array, Array]:
    """Sample gates of 1/4 or 3/4, new values of -1 or 1, and old values that give a whole weighted sum.

    Returns
    -------
    fraction : ndarray of shape (k, 1)
        1/4 or 3/4; the other fraction is 1 minus this one.
    new : ndarray of int of shape (k, 1)
    old : ndarray of int of shape (k, 1)
        old - new is a multiple of 4.
    """
    fraction, new = rng.choice((0.25, 0.75), (k, 1)), signs(rng, (k, 1))
    return fraction, new, 4 * rng.integers(-4, 4, (k, 1), endpoint=True) + new


def cell_state(rng: np.random.Generator, level: int) -> Draft:
    """Ask for one entry of c_t of an LSTM; at level 1 with gates that are quarters and a whole sum."""
    k = {1: 3, 2: 2, 3: 4}[level]
    unit = int(rng.integers(k))
    if level == 1:
        f, c_tilde, c_prev = quarters(rng, k)
        i = 1 - f
    else:
        f, i = gate_values(rng, level, (k, 1)), gate_values(rng, level, (k, 1))
        c_tilde = gate_values(rng, level, (k, 1)) * signs(rng, (k, 1))
        c_prev = numbers(rng, level, (k, 1), 3)
    step = lstm_step(f, i, c_tilde, np.ones((k, 1)), c_prev)
    keep, write, new, old = (float(part[unit, 0]) for part in (f, i, c_tilde, c_prev))
    f_c, i_c, answer = (float(part[unit, 0]) for part in (step.f_c, step.i_c_tilde, step.c_t))
    return Draft(
        answer=answer,
        mistakes={
            **cell_mistakes(keep, write, new, old, unit),
            "dot_product": Mistake(float(step.c_t.sum()), Mark("c_prev"), Mark("c_prev", unit)),
            **other_rows(step.c_t, "c_t", unit),
        },
        question=Sentence("cell_state", {"entry": unit + 1}),
        given={"f_t": f, "i_t": i, "c_tilde": c_tilde, "c_prev": c_prev},
        asked=Mark("c_t", unit),
        stages={
            "product": Sentence(
                "two_products", {"first": product_stage(keep, old, f_c), "second": product_stage(write, new, i_c)}
            ),
            "sum": f"{format_number(f_c)} + {format_term(i_c)} {relation(answer, f_c, i_c)} {format_number(answer)}",
        },
        optional={"neither_gate": Mistake(old + new, None, Mark("f_t", unit))}
        | term_signs(keep, write, new, old, unit)
        | arithmetic(level, answer),
        slack=2 * product_rounding_error(level, 2),
        reached={"product": (f_c, i_c)},
        chains=(weighted_sum(keep, write, new, old),),
    )


def product_stage(a: float, b: float, product: float, *computed: float) -> str:
    """Return a product with its numbers.

    Parameters
    ----------
    a, b, product : float
    *computed : float
        The factors that are computed, so that their written numbers may be rounded.
    """
    return f"{format_number(a)}·{format_term(b)} {relation(product, *computed)} {format_number(product)}"


def lstm_hidden(rng: np.random.Generator, level: int) -> Draft | None:
    """Ask for h_t of an LSTM: one entry, or at level 1 the sum of all, whose tanh is -1, 0 or 1."""
    return hidden_sum(rng) if level == 1 else hidden_entry(rng, level)


def hidden(f: Array | int, i: Array | int, c_tilde: Array, o: Array, c_prev: Array) -> Array:
    """Return h_t from gates that may be wrong."""
    return o * tanh.f(f * c_prev + i * c_tilde)


def hidden_mistakes(step: lstm.LSTMStep) -> dict[str, Array]:
    """Return h_t of every unit for each mistake."""
    f, i, c_tilde, o, c_prev = step.f_t, step.i_t, step.c_tilde, step.o_t, step.c_prev
    return {
        "forget_complement": hidden(1 - f, i, c_tilde, o, c_prev),
        "gates_swapped": hidden(i, f, c_tilde, o, c_prev),
        "no_tanh": o * step.c_t,
        "no_output": step.tanh_c_t,
        "c_for_h": step.c_t,
        "old_cell_state": o * tanh.f(c_prev),
    }


def other_outputs(step: lstm.LSTMStep, unit: int | None) -> dict[str, Mistake]:
    """Return h_t of one unit, or the sum of all, with another gate in the place of o_t."""
    shown = slice(None) if unit is None else unit
    return {
        f"gate_for_output:{name}": Mistake(
            float((gate * step.tanh_c_t)[shown].sum()), Mark(name, unit), Mark("o_t", unit), {"used": name}
        )
        for name, gate in (("i_t", step.i_t), ("f_t", step.f_t))
    }


HIDDEN_MARKS = {
    "forget_complement": ("f_t", "f_t"),
    "gates_swapped": ("i_t", "f_t"),
    "no_tanh": ("c_t", "tanh_c_t"),
    "no_output": ("tanh_c_t", "o_t"),
    "c_for_h": ("c_t", "h_t"),
    "old_cell_state": ("c_prev", "c_t"),
}


def named_mistakes(values: Mapping[str, float], unit: int | None) -> dict[str, Mistake]:
    """Return the mistakes in h_t with their marks and details."""
    mistakes = {}
    for name, gives in values.items():
        used, meant = HIDDEN_MARKS[name]
        mistakes[name] = Mistake(gives, Mark(used, unit), Mark(meant, unit), HIDDEN_DETAILS.get(name, {}))
    return mistakes


def hidden_stages(step: lstm.LSTMStep, unit: int) -> dict[str, Stage]:
    """Return the stages from c_t to h_t of one unit."""
    f, i, new, old, c, o, squashed, h = (
        float(part[unit, 0])
        for part in (step.f_t, step.i_t, step.c_tilde, step.c_prev, step.c_t, step.o_t, step.tanh_c_t, step.h_t)
    )
    return {
        "sum": f"c_t = {format_number(f)}·{format_term(old)} + {format_number(i)}·{format_term(new)} {relation(c)} {format_number(c)}",
        "activation": f"tanh({format_number(c)}) {relation(squashed, c)} {format_number(squashed)}",
        "product": product_stage(o, squashed, h, squashed),
    }


def hidden_stages_of_all(step: lstm.LSTMStep) -> dict[str, Stage]:
    """Return the stages from c_t to the sum of h_t, whose entries are whole to two decimals."""
    c_t, tanh_c_t, h_t = (f"{relation(part)} {format_column(part)}" for part in (step.c_t, step.tanh_c_t, step.h_t))
    entries = np.round(step.h_t, 2)
    return {
        "sum": f"c_t = f_t ∘ c_prev + i_t ∘ c_tilde {c_t}",
        "activation": f"tanh(c_t) {tanh_c_t}",
        "product": f"o_t ∘ tanh(c_t) {h_t}",
        "sum_of_entries": f"{' + '.join(map(format_term, entries[:, 0].tolist()))} = {format_number(float(entries.sum()))}",
    }


def hidden_sum(rng: np.random.Generator) -> Draft:
    """Ask for the sum of h_t over units whose tanh(c_t) is whole to two decimals."""
    k = 5
    # The input gate is open only where the forget gate is, so every c_t is large or 0. The first three units make the
    # mistakes distinguishable: one forgets, one only keeps, and one has a closed output gate.
    gates = np.array([(1, 0), (1, 1), (0, 0)])[rng.integers(0, 3, k)]
    gates[:3], o = [(0, 0), (1, 0), (1, 1)], rng.integers(0, 2, (k, 1))
    o[:3, 0] = 1, 1, 0
    mixed = rng.permutation(k)
    o, (f, i) = o[mixed], gates[mixed].T[:, :, None]
    c_tilde = signs(rng, (k, 1))
    c_prev = rng.integers(SATURATING_C + 1, 10, (k, 1)) * signs(rng, (k, 1))
    step = lstm_step(f, i, c_tilde, o, c_prev)
    answer = float(step.h_t.sum())
    return Draft(
        answer=answer,
        mistakes=named_mistakes({name: float(values.sum()) for name, values in hidden_mistakes(step).items()}, None),
        question=Sentence("hidden_state_sum", {"k": k}),
        given={"f_t": f, "i_t": i, "c_tilde": c_tilde, "o_t": o, "c_prev": c_prev},
        asked=Mark("h_t"),
        stages=hidden_stages_of_all(step),
        optional=other_outputs(step, None) | arithmetic(1, answer),
        bounds={"sum_of_entries": (-k, k)},
    )


def hidden_entry(rng: np.random.Generator, level: int) -> Draft:
    """Ask for one entry of h_t."""
    k = {2: 2, 3: 4}[level]
    unit = int(rng.integers(k))
    f, i, o = (gate_values(rng, level, (k, 1)) for _ in range(3))
    c_tilde, c_prev = (
        gate_values(rng, level, (k, 1)) * signs(rng, (k, 1)),
        numbers(rng, level, (k, 1), 2),
    )
    step = lstm_step(f, i, c_tilde, o, c_prev)
    c, o_unit = float(step.c_t[unit, 0]), float(o[unit, 0])
    open_f, open_i = (
        float(values[unit, 0]) for values in (hidden(1, i, c_tilde, o, c_prev), hidden(f, 1, c_tilde, o, c_prev))
    )
    values = {name: float(values[unit, 0]) for name, values in hidden_mistakes(step).items()}
    keep, write, new, old = (float(part[unit, 0]) for part in (f, i, c_tilde, c_prev))
    return Draft(
        answer=float(step.h_t[unit, 0]),
        mistakes={
            **named_mistakes(values, unit),
            "dot_product": Mistake(float(step.h_t.sum()), Mark("o_t"), Mark("o_t", unit)),
            "other_activation": Mistake(o_unit * at(sigmoid, c), details={"other": "σ", "g": "tanh"}),
            "output_inside": Mistake(at(tanh, o_unit * c), Mark("o_t", unit), Mark("tanh_c_t", unit)),
        },
        question=Sentence("hidden_state", {"entry": unit + 1}),
        given={"f_t": f, "i_t": i, "c_tilde": c_tilde, "o_t": o, "c_prev": c_prev},
        asked=Mark("h_t", unit),
        stages=hidden_stages(step, unit),
        optional=other_rows(step.h_t, "h_t", unit)
        | other_outputs(step, unit)
        | {
            "no_forget": Mistake(open_f, None, Mark("f_t", unit)),
            "no_input": Mistake(open_i, None, Mark("i_t", unit)),
        }
        | term_signs(keep, write, new, old, unit, lambda c: o_unit * at(tanh, c))
        | arithmetic(level, float(step.h_t[unit, 0])),
        slack=o_unit * (2 * product_rounding_error(level, 2) + ROUNDING_ERROR),
        bounds={"activation": tanh.range},
        chains=(hidden_chain(o_unit, weighted_sum(keep, write, new, old)),),
    )


# ---- the GRU ---------------------------------------------------------------------------------


def gru_step(arrays: Mapping[str, Array]) -> gru.GRUStep:
    """Return one step of a GRU with given values of r_t and u_t.

    Parameters
    ----------
    arrays : mapping from str to ndarray
        r_t, u_t, W_hh, W_hx, b_hh, b_hx, h_prev and x_t.
    """
    k, m = arrays["W_hx"].shape
    W = np.zeros((k, k + m))
    W_hh, W_hx, b_hh, b_hx = (arrays[name] for name in ("W_hh", "W_hx", "b_hh", "b_hx"))
    params = gru.GRUParams(W, W, W_hh, W_hx, logit(arrays["r_t"]), logit(arrays["u_t"]), b_hh, b_hx)
    return gru.step(params, gru.GRUState(arrays["h_prev"]), arrays["x_t"])


def candidate_arrays(rng: np.random.Generator, level: int) -> dict[str, Array]:
    """Return all arrays that h_tilde follows from."""
    k, m = {1: (2, 2), 2: (2, 1), 3: (3, 2)}[level]
    most = {1: 5, 2: 1, 3: 1}[level]
    return {
        "r_t": rng.integers(0, 2, (k, 1)) if level == 1 else gate_values(rng, level, (k, 1)),
        "W_hh": numbers(rng, level, (k, k), most),
        "W_hx": numbers(rng, level, (k, m), most),
        "b_hh": numbers(rng, level, (k, 1), most),
        "b_hx": numbers(rng, level, (k, 1), most),
        "h_prev": numbers(rng, level, (k, 1), most),
        "x_t": numbers(rng, level, (m, 1), most),
    }


def candidate_stages(given: Mapping[str, Array], step: gru.GRUStep, unit: int) -> dict[str, Stage]:
    """Return the stages from the two products to the candidate's pre-activation."""
    from_h, r, from_x, z = (float(part[unit, 0]) for part in (step.W_hh_h, step.r_t, step.W_hx_x, step.z_h))

    def with_bias(W: str, values: str, b: str) -> str:
        return f"{sums(list(zip(given[W][unit].tolist(), given[values][:, 0].tolist())))} + {format_term(float(given[b][unit, 0]))}"

    of_h, of_x = with_bias("W_hh", "h_prev", "b_hh"), with_bias("W_hx", "x_t", "b_hx")
    return {
        "product": f"W_hh h_prev + b_hh = {of_h} {relation(from_h)} {format_number(from_h)}, "
        f"W_hx x_t + b_hx = {of_x} {relation(from_x)} {format_number(from_x)}",
        "reset": f"{format_number(from_x)} + {format_term(r)}·{format_term(from_h)} {relation(z, from_x, from_h)} {format_number(z)}",
    }


def error_of_candidate(given: Mapping[str, Array], unit: int, level: int) -> float:
    """Return the error bound of z_h of a unit if every product is rounded to 3 decimals."""
    k, m = given["W_hx"].shape
    return (float(given["r_t"][unit, 0]) * k + m) * product_rounding_error(level, 2) + product_rounding_error(level, 3)


def chain_of_candidate(given: Mapping[str, Array], unit: int) -> Chain:
    """Return the computation of z_h of a unit."""
    of_h, of_x = (given[W][unit] * given[v][:, 0] for W, v in (("W_hh", "h_prev"), ("W_hx", "x_t")))
    b_hh, b_hx, r = (float(given[name][unit, 0]) for name in ("b_hh", "b_hx", "r_t"))
    return candidate_chain(of_h, b_hh, of_x, b_hx, r)


def gru_candidate(rng: np.random.Generator, level: int) -> Draft:
    """Ask for one entry of z_h, the pre-activation of a GRU's candidate, where the reset gate acts."""
    given = candidate_arrays(rng, level)
    step = gru_step(given | {"u_t": given["r_t"]})
    unit = int(rng.integers(len(step.z_h)))
    r, from_h, from_x, z = (float(part[unit, 0]) for part in (step.r_t, step.W_hh_h, step.W_hx_x, step.z_h))
    b_hh, b_hx = float(given["b_hh"][unit, 0]), float(given["b_hx"][unit, 0])
    before = float((given["W_hh"] @ (step.r_t * step.h_prev))[unit, 0]) + b_hh + from_x
    r_mark = Mark("r_t", unit)
    mistakes = {
        "reset_before": Mistake(before, None, r_mark),
        "reset_complement": Mistake(from_x + (1 - r) * from_h, r_mark, r_mark),
        "no_reset": Mistake(from_x + from_h, None, r_mark),
        "bias_outside": Mistake(z - r * b_hh + b_hh, None, r_mark),
        "no_bias:b_hh": Mistake(z - r * b_hh, None, Mark("b_hh", unit), {"symbol": "b_hh"}),
        "no_bias:b_hx": Mistake(z - b_hx, None, Mark("b_hx", unit), {"symbol": "b_hx"}),
        "no_h": Mistake(from_x, None, Mark("h_prev")),
        "no_x": Mistake(z - from_x + b_hx, None, Mark("x_t")),
        **other_rows(step.z_h, "z_h", unit),
    }
    if level == 1:
        # With r = 1 or r = 0 some mistakes give the right answer or that of another mistake.
        same = ("no_reset", "bias_outside", "no_h") if r == 1 else ("reset_complement", "no_bias:b_hh", "no_h")
        mistakes = {name: mistake for name, mistake in mistakes.items() if name not in same}
    return Draft(
        answer=z,
        mistakes=mistakes,
        question=Sentence("gru_candidate", {"entry": unit + 1}),
        given=given,
        asked=Mark("z_h", unit),
        stages=candidate_stages(given, step, unit),
        optional=({"tanh_of_z": Mistake(at(tanh, z), None, Mark("z_h", unit))} if level > 1 else {})
        | without_known(candidate_mistakes(given, step, unit, float), mistakes)
        | arithmetic(level, z),
        slack=error_of_candidate(given, unit, level),
        reached={"product": (from_h, from_x)},
        chains=(chain_of_candidate(given, unit),),
    )


def gru_hidden(rng: np.random.Generator, level: int) -> Draft | None:
    """Ask for one entry of a GRU's h_t; at level 1 after some steps with whole gates and candidates."""
    return mix_of_given_candidate(rng) if level == 1 else mix_from_weights(rng, level)


def mix_from_weights(rng: np.random.Generator, level: int) -> Draft | None:
    """Ask for one entry of h_t, from the candidate's weights on."""
    given = candidate_arrays(rng, level)
    given["u_t"] = gate_values(rng, level, given["r_t"].shape)
    step = gru_step(given)
    unit = int(rng.integers(len(step.h_t)))
    u, r, h, z, new = (float(part[unit, 0]) for part in (step.u_t, step.r_t, step.h_prev, step.z_h, step.h_tilde))
    # A saturated tanh gives the same value for the mistakes before it.
    if abs(z) > 2:
        return None
    from_h, from_x = float(step.W_hh_h[unit, 0]), float(step.W_hx_x[unit, 0])
    before = from_x + float((given["W_hh"] @ (step.r_t * step.h_prev) + given["b_hh"])[unit, 0])
    r_mark, u_mark = Mark("r_t", unit), Mark("u_t", unit)

    def mixed(candidate: float) -> float:
        return u * h + (1 - u) * candidate

    return Draft(
        answer=float(step.h_t[unit, 0]),
        mistakes={
            **mix_mistakes(u, h, new, unit),
            "reset_before": Mistake(mixed(at(tanh, before)), None, r_mark),
            "reset_complement": Mistake(mixed(at(tanh, from_x + (1 - r) * from_h)), r_mark, r_mark),
            "no_reset": Mistake(mixed(at(tanh, from_x + from_h)), None, r_mark),
            "no_tanh": Mistake(mixed(z), Mark("z_h", unit), Mark("h_tilde", unit), {"right": "h_tilde = tanh(z_h)"}),
            "other_activation": Mistake(mixed(at(sigmoid, z)), details={"other": "σ", "g": "tanh"}),
        },
        question=Sentence("gru_hidden_state", {"entry": unit + 1}),
        given=given,
        asked=Mark("h_t", unit),
        stages=candidate_stages(given, step, unit)
        | {
            "activation": f"tanh({format_number(z)}) {relation(new, z)} {format_number(new)}",
            "mix": mix_stage(u, h, new),
        },
        optional={
            "both_update": Mistake(u * h + u * new, u_mark, u_mark),
            "reset_for_update": Mistake(r * h + (1 - r) * new, r_mark, u_mark),
        }
        | wrong_terms(u, h, new, unit)
        | other_rows(step.h_t, "h_t", unit)
        | candidate_mistakes(given, step, unit, lambda z: mixed(at(tanh, z)))
        | arithmetic(level, float(step.h_t[unit, 0])),
        slack=(1 - u) * (error_of_candidate(given, unit, level) + ROUNDING_ERROR)
        + product_rounding_error(level, 2)
        + ROUNDING_ERROR,
        reached={"product": (from_h, from_x), "reset": (z,)},
        bounds={"activation": tanh.range},  # and h_prev, with which it is mixed, lies within
        chains=(mix_chain(u, h, chain_of_candidate(given, unit)),),
    )


def mix_of_given_candidate(rng: np.random.Generator) -> Draft:
    """Ask for one entry of h_t from a given candidate, with a whole sum."""
    k = 3
    unit = int(rng.integers(k))
    u_t, h_tilde, h_prev = quarters(rng, k)
    zero = np.zeros((k, k))
    step = gru_step(
        {"W_hh": zero, "W_hx": zero[:, :1], "b_hh": zero[:, :1], "b_hx": artanh(h_tilde)}
        | {"r_t": u_t, "u_t": u_t, "h_prev": h_prev, "x_t": np.zeros((1, 1))}
    )
    u, h, new, answer = (float(part[unit, 0]) for part in (step.u_t, step.h_prev, step.h_tilde, step.h_t))
    mark = Mark("h_t", unit)
    return Draft(
        answer=answer,
        mistakes={
            **mix_mistakes(u, h, new, unit),
            "dot_product": Mistake(float(step.h_t.sum()), Mark("h_prev"), Mark("h_prev", unit)),
            **other_rows(step.h_t, "h_t", unit),
        },
        question=Sentence("gru_hidden_state_from_candidate", {"entry": unit + 1}),
        given={"u_t": u_t, "h_tilde": h_tilde, "h_prev": h_prev},
        asked=mark,
        stages={"mix": mix_stage(u, h, new)},
        optional=wrong_terms(u, h, new, unit) | arithmetic(1, answer),
    )


def mix_mistakes(u: float, h: float, new: float, unit: int) -> dict[str, Mistake]:
    """Return the mistakes in the last equation of a GRU."""
    mark = Mark("u_t", unit)
    return {
        "update_complement": Mistake((1 - u) * h + u * new, mark, mark),
        "no_rest": Mistake(u * h + new, None, mark),
        "no_update": Mistake(h + (1 - u) * new, None, mark),
        "candidate_for_h": Mistake(new, Mark("h_tilde", unit), Mark("h_t", unit)),
        "last_value": Mistake(h, Mark("h_prev", unit), Mark("h_t", unit), {"symbol": "h_prev"}),
    }


def wrong_terms(u: float, h: float, new: float, unit: int) -> dict[str, Mistake]:
    """Return the mistakes of giving one of the two terms of a GRU's last equation, or one with the wrong sign."""
    return {
        "one_term:new": Mistake((1 - u) * new, None, Mark("h_prev", unit), {"term": "u_t ∘ h_prev"}),
        "one_term:old": Mistake(u * h, None, Mark("h_tilde", unit), {"term": "(1 − u_t) ∘ h_tilde"}),
    } | term_signs(u, 1 - u, new, h, unit, gates=("u_t", "u_t"))


def without_known(optional: Mapping[str, Mistake], known: Mapping[str, Mistake]) -> dict[str, Mistake]:
    """Return the optional mistakes that an exercise does not have anyway."""
    return {name: mistake for name, mistake in optional.items() if name not in known}


def mix_stage(u: float, h: float, new: float) -> str:
    """Return the last equation of a GRU with its numbers."""
    mixed = u * h + (1 - u) * new
    return f"{format_number(u)}·{format_term(h)} + {format_term(1 - u)}·{format_term(new)} {relation(mixed, h, new)} {format_number(mixed)}"
