"""One step of an LSTM with one unit, entry by entry. Each entry is judged from the learner's own entries before it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from core.activations import Activation, sigmoid, tanh
from core.arrays import Array
from core.cells import lstm
from core.practice.exercise import (
    ROUNDING_ERROR,
    TRIES,
    Draft,
    Exercise,
    Mark,
    Mistake,
    Sentence,
    as_number,
    expect_level_and_seed,
    fits,
    generator,
    validate,
)
from core.practice.exercise_number_format import format_number, format_term, relation
from core.practice.gated import SATURATING_C, product_stage
from core.practice.judgement import Judgement, Outcome, judge, unknown
from core.practice.lstm_mistakes import cell_mistakes, hidden_mistakes, term_signs
from core.practice.rnn import OTHER, WIDEST, at, derivative_at, sums
from core.practice.rounding import Chain, hidden_chain, rounded_answers, row_chain, weighted_sum
from core.practice.sampling import numbers, product_rounding_error

# The field of a step for each gate.
VALUES = {"f": "f_t", "i": "i_t", "c": "c_tilde", "o": "o_t"}
ENTRIES = (*VALUES.values(), "c_t", "h_t")
# The earlier entries that an entry is computed from.
EARLIER = {"c_t": ("f_t", "i_t", "c_tilde"), "h_t": ("o_t", "c_t")}
# From this |z| on, σ(z) and tanh(z) are whole numbers to three decimals.
SATURATED = 8


@dataclass(frozen=True, eq=False)
class WholeStep:
    """A step of an LSTM with one unit and one input, to be worked through.

    Attributes
    ----------
    level, seed : int
    given : mapping from str to ndarray
        W_f, W_i, W_c and W_o of shape (1, 2), the biases, h_prev, x_t and c_prev of shape (1, 1).
    parts : dict from str to Exercise
        f_t, i_t, c_tilde, o_t, c_t and h_t, in this order.
    """

    level: int
    seed: int
    given: Mapping[str, Array]
    parts: Mapping[str, Exercise]


def sample_whole_step(level: int, seed: int, salt: str = "") -> WholeStep:
    """Return the whole step of a level and a seed, the same one every time.

    Parameters
    ----------
    level : {1, 2, 3}
        At level 1 all gates are saturated, so that every entry is a whole number.
    seed : int
        From 0 on.
    salt : str
        A secret text that changes the numbers, so that a link does not reveal them.

    Raises
    ------
    ValueError
        If there is no such level or seed.
    RuntimeError
        If no sample has distinguishable mistakes.
    """
    expect_level_and_seed(level, seed)
    rng = generator("chain", int(level), int(seed), salt)
    for _ in range(TRIES):
        if sampled := _sample(rng, level, seed):
            return sampled
    raise RuntimeError(f"No whole step of level {level} and seed {seed} has distinguishable mistakes.")


def _sample(rng: np.random.Generator, level: int, seed: int) -> WholeStep | None:
    """Sample one whole step; return None if its numbers do not suit the level."""
    weights, inputs, biases = {1: (9, 4, 9), 2: (2, 1, 1), 3: (2, 1, 1)}[level]
    given: dict[str, Array] = {}
    for gate in lstm.GATES:
        given[f"W_{gate}"] = numbers(rng, level, (1, 2), weights)
        given[f"b_{gate}"] = numbers(rng, level, (1, 1), biases)
    given |= {name: numbers(rng, level, (1, 1), inputs) for name in ("h_prev", "x_t")}
    given["c_prev"] = numbers(rng, level, (1, 1), 9 if level == 1 else 2)
    (W_f, W_i, W_c, W_o), (b_f, b_i, b_c, b_o) = ([given[f"{part}_{gate}"] for gate in lstm.GATES] for part in "Wb")
    params = lstm.LSTMParams(W_f, W_i, W_c, W_o, b_f, b_i, b_c, b_o)
    step = lstm.step(params, lstm.LSTMState(given["h_prev"], given["c_prev"]), given["x_t"])
    z = {gate: float(getattr(step, f"z_{gate}")[0, 0]) for gate in lstm.GATES}
    c = float(step.c_t[0, 0])
    if level == 1:
        # tanh(c_t) is a whole number only if c_t is large or 0.
        if min(map(abs, z.values())) < SATURATED or 0.05 < abs(c) < SATURATING_C - 0.05:
            return None
    elif any(abs(z[gate]) > WIDEST[g.name] for gate, g in lstm.GATES.items()):
        return None
    drafts = {VALUES[gate]: gate_draft(gate, step, params, level) for gate in lstm.GATES}
    drafts |= {"c_t": cell_draft(step, level), "h_t": hidden_draft(step, level)}
    parts = {}
    for name, draft in drafts.items():
        part = validate(name, level, seed, draft._replace(given=given))
        if part is None or not part.mistakes:
            return None
        parts[name] = part
    return WholeStep(level, seed, given, parts)


def gate_draft(gate: str, step: lstm.LSTMStep, params: lstm.LSTMParams, level: int) -> Draft:
    """Ask for a gate or for the candidate."""
    g, name = lstm.GATES[gate], VALUES[gate]
    other = OTHER[g.name]
    w_h, w_x = getattr(params, f"W_{gate}")[0].tolist()
    b, h, x = (float(array[0, 0]) for array in (getattr(params, f"b_{gate}"), step.h_prev, step.x_t))
    z, value = float(getattr(step, f"z_{gate}")[0, 0]), float(getattr(step, name)[0, 0])
    named = {"g": g.symbol, "other": other.symbol}
    meant = Mark(name)
    mistakes = {"no_activation": Mistake(z, Mark(f"z_{gate}"), meant, named)}
    if g is sigmoid:
        mistakes["sign_of_exponent"] = Mistake(at(g, -z))
    before = {
        "other_activation": Mistake(at(other, z), details=named),
        "derivative_for_value": Mistake(derivative_at(g, z), details=named),
        "no_bias": Mistake(at(g, z - b), None, Mark(f"b_{gate}"), {"symbol": f"b_{gate}"}),
        "no_h": Mistake(at(g, z - w_h * h), None, Mark("h_prev")),
        "no_x": Mistake(at(g, z - w_x * x), None, Mark("x_t")),
        "stack_swapped": Mistake(at(g, w_h * x + w_x * h + b), None, Mark("stacked")),
    }
    wrong_rows, others = of_other_gates(gate, step)
    of_signs = sign_mistakes(gate, z, b, ((w_h, h), (w_x, x)))
    optional, alike = wrong_rows | of_signs, {}
    if level == 1:
        # A saturated gate gives the same value for most mistakes before the activation, so the page names all of them.
        optional, alike = {}, of_signs | wrong_rows | before
    else:
        mistakes |= before
        optional |= others
    return Draft(
        answer=value,
        mistakes=mistakes,
        question=Sentence("entry_of_whole_step", {"symbol": name}),
        given={},
        asked=Mark(name, 0),
        stages={
            "concatenation": f"[h_prev; x_t] = [{format_number(h)}, {format_number(x)}]",
            "product": f"{sums([(w_h, h), (w_x, x)])} {relation(z - b)} {format_number(z - b)}",
            "bias": f"{format_number(z - b)} + {format_term(b)} {relation(z, z - b)} {format_number(z)}",
            "activation": f"{g.symbol}({format_number(z)}) {relation(value, z)} {format_number(value)}",
        },
        optional=optional,
        alike=alike,
        reached={"product": (z - b,)},
        bounds={"activation": g.range},
        slack=0.0 if level == 1 else error_of_gate(g, level),
        chains=(row_chain(np.array([w_h * h]), np.array([w_x * x]), b, lambda z: at(g, z)),),
    )


def of_other_gates(gate: str, step: lstm.LSTMStep) -> tuple[dict[str, Mistake], dict[str, Mistake]]:
    """Return the mistakes of taking the weights of another gate, and of giving its value, where its activation differs."""
    g, name, wrong_rows, values = lstm.GATES[gate], VALUES[gate], {}, {}
    for other, its in lstm.GATES.items():
        if other != gate:
            z, value = (float(getattr(step, symbol)[0, 0]) for symbol in (f"z_{other}", VALUES[other]))
            named = {"gate_used": other, "gate": gate}
            wrong_rows[f"other_gate:{other}"] = Mistake(at(g, z), Mark(f"W_{other}"), Mark(f"W_{gate}"), named)
            if its is not g:
                details = {"symbol": VALUES[other], "asked": name}
                values[f"entry_of_other:{other}"] = Mistake(value, None, Mark(name), details)
    return wrong_rows, values


def sign_mistakes(gate: str, z: float, b: float, factors: tuple[tuple[float, float], ...]) -> dict[str, Mistake]:
    """Return the mistakes in the signs of a gate, or of the candidate."""
    g, bias = lstm.GATES[gate], Mark(f"b_{gate}")
    found = {"sign": Mistake(-at(g, z))} if g is tanh else {}
    found["bias_subtracted"] = Mistake(at(g, z - 2 * b), bias, bias)
    for column, (w, v) in enumerate(factors):
        one, product = Mark(f"W_{gate}", 0, column), {"product": f"{format_number(w)}·{format_term(v)}"}
        found[f"product_sign:{column}"] = Mistake(at(g, z - 2 * w * v), one, one, product)
    return found


def error_of_gate(g: Activation, level: int) -> float:
    """Return the error bound of a gate if both products of its z are rounded to 3 decimals."""
    return 2 * product_rounding_error(level, 2) * g.max_df


def error_of_cell(step: lstm.LSTMStep, level: int) -> float:
    """Return the error bound of c_t if the gates, the candidate and both products are rounded too."""
    gate, candidate = (error_of_gate(g, level) + ROUNDING_ERROR for g in (sigmoid, tanh))
    old, i, new = (abs(float(part[0, 0])) for part in (step.c_prev, step.i_t, step.c_tilde))
    return gate * (old + new) + candidate * (i + gate) + 2 * ROUNDING_ERROR


def error_of_hidden(step: lstm.LSTMStep, level: int) -> float:
    """Return the error bound of h_t if c_t, its tanh and the output gate are rounded too."""
    gate = error_of_gate(sigmoid, level) + ROUNDING_ERROR
    squashed = error_of_cell(step, level) + ROUNDING_ERROR
    return (float(step.o_t[0, 0]) + gate) * squashed + gate * abs(float(step.tanh_c_t[0, 0]))


def cell_draft(step: lstm.LSTMStep, level: int) -> Draft:
    """Ask for c_t."""
    f, i, new, old, f_c, i_c, c = (
        float(part[0, 0])
        for part in (step.f_t, step.i_t, step.c_tilde, step.c_prev, step.f_c, step.i_c_tilde, step.c_t)
    )
    mistakes = cell_mistakes(f, i, new, old)
    signs = term_signs(f, i, new, old)
    return Draft(
        answer=c,
        mistakes={} if level == 1 else mistakes,
        question=Sentence("entry_of_whole_step", {"symbol": "c_t"}),
        given={},
        asked=Mark("c_t", 0),
        stages={
            "product": Sentence(
                "two_products", {"first": product_stage(f, old, f_c, f), "second": product_stage(i, new, i_c, i, new)}
            ),
            "sum": f"{format_number(f_c)} + {format_term(i_c)} {relation(c, f_c, i_c)} {format_number(c)}",
        },
        optional={} if level == 1 else {"sign": Mistake(-c)} | signs,
        alike={"sign": Mistake(-c)} | mistakes | signs if level == 1 else {},
        reached={"product": (f_c, i_c)},
        slack=0.0 if level == 1 else error_of_cell(step, level),
        chains=(chain_of_cell(f, i, new, old),),
    )


def hidden_draft(step: lstm.LSTMStep, level: int) -> Draft:
    """Ask for h_t."""
    o, c, squashed, h = (float(part[0, 0]) for part in (step.o_t, step.c_t, step.tanh_c_t, step.h_t))
    mistakes = hidden_mistakes(o, c)
    return Draft(
        answer=h,
        mistakes={} if level == 1 else mistakes,
        question=Sentence("entry_of_whole_step", {"symbol": "h_t"}),
        given={},
        asked=Mark("h_t", 0),
        stages={
            "activation": f"tanh({format_number(c)}) {relation(squashed, c)} {format_number(squashed)}",
            "product": product_stage(o, squashed, h, o, squashed),
        },
        optional={} if level == 1 else {"sign": Mistake(-h)},
        alike={"sign": Mistake(-h)} | mistakes if level == 1 else {},
        bounds={"activation": tanh.range},
        slack=0.0 if level == 1 else error_of_hidden(step, level),
        chains=(chain_of_hidden(o, c),),
    )


def chain_of_cell(f: float, i: float, new: float, old: float) -> Chain:
    """Return the computation of c_t from the entries before it, which the learner may round further."""
    return lambda keep: weighted_sum(keep("entry", f), keep("entry", i), keep("entry", new), old)(keep)


def chain_of_hidden(o: float, c: float) -> Chain:
    """Return the computation of h_t from o_t and c_t, which the learner may round further."""
    return lambda keep: hidden_chain(keep("entry", o), lambda _: c)(keep)


def own_entries(whole_step: WholeStep, answers: Mapping[str, object]) -> dict[str, float]:
    """Return the learner's entries by their names; the true one in place of an entry that is missing or not a finite number."""
    own = {}
    for name, part in whole_step.parts.items():
        number = as_number(answers.get(name))
        own[name] = number if number is not None else as_number(part.answer) or 0.0
    return own


def judge_whole_step(
    whole_step: WholeStep, answers: Mapping[str, object], decimals: Mapping[str, int | None] = MappingProxyType({})
) -> dict[str, Judgement]:
    """Judge each entry. If c_t and h_t are not right, they may follow from the learner's own entries before them.

    Parameters
    ----------
    answers : mapping from str to float
        By the names of `parts`; an entry that is missing or not a finite number is replaced by the true one for later entries.
    decimals : mapping from str to int, optional
        By the names of `parts`, as in `judge`.

    Returns
    -------
    dict from str to Judgement
        The judgements on the answered entries, in the order of the entries.
    """
    own = own_entries(whole_step, answers)
    f, i, new, o, c = (own[name] for name in ENTRIES[:-1])
    old = float(whole_step.given["c_prev"][0, 0])
    follows = {
        "c_t": (
            f * old + i * new,
            cell_mistakes(f, i, new, old) | term_signs(f, i, new, old),
            chain_of_cell(f, i, new, old),
        ),
        "h_t": (o * at(tanh, c), hidden_mistakes(o, c), chain_of_hidden(o, c)),
    }
    judgements: dict[str, Judgement] = {}
    for name, part in whole_step.parts.items():
        if name not in answers:
            continue
        judgement = judge(part, answers[name], decimals.get(name))
        if judgement.code not in (Outcome.RIGHT, Outcome.UNROUNDED) and name in follows:
            right, mistakes, chain = follows[name]
            mistakes = mistakes | {"sign": Mistake(-right)}
            # The learner may have computed with more decimals of the earlier entries than were typed.
            if fits(answers[name], right, part.near):
                wrong = tuple(one for one in EARLIER[name] if one in judgements and not judgements[one].right)
                if not wrong:
                    judgement = Judgement(Outcome.RIGHT)
                elif judgement.code not in (Outcome.NEAR, Outcome.ROUNDED, Outcome.CUT):
                    judgement = Judgement(Outcome.FOLLOWS, earlier=wrong)
            elif judgement.code != Outcome.NEAR:
                named = {mistake for mistake, how in mistakes.items() if fits(answers[name], how.gives, part.tolerance)}
                both = tuple(mistake for mistake in part.mistakes if mistake in {*named, *judgement.mistakes})
                if both:
                    judgement = Judgement(Outcome.NAMED, both)
                elif judgement.code not in (Outcome.ROUNDED, Outcome.CUT):
                    of_own = rounded_answers([chain], whole_step.level)
                    rounded = {digits: (*part.rounded[digits], *gives) for digits, gives in of_own.items()}
                    judgement = unknown(replace(part, rounded=rounded), answers[name])
        judgements[name] = judgement
    return judgements
