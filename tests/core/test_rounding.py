"""Who rounds on the way as a careful person does is never told of a misconception, and with 4 decimals is right."""

from collections import Counter
from collections.abc import Callable
from functools import reduce

import numpy as np
import pytest

from core.practice import KINDS, Judgement, Outcome, exercise, judge, judge_whole_step, sample_whole_step, whole_step
from core.practice.exercise import WHOLE_KINDS, Exercise, validate
from core.practice.rounding import rounded

SEEDS, MANY = 100, 1000
# Kinds whose answer has decimals; the others have whole numbers at every level.
DECIMAL = [kind for kind in KINDS if kind not in WHOLE_KINDS]
# What is rounded: every product and every sum, or a line of the solution only once it is added up.
Round = Callable[[float], float]


def keep(value: float) -> float:
    return value


def sums(weights, inputs, bias, r: Round, each: Round) -> float:
    return r(sum(each(w * v) for w, v in zip(weights, inputs, strict=True)) + bias)


def activate(g: str, z: float) -> float:
    return {"σ": lambda z: 1 / (1 + np.exp(-z)), "tanh": np.tanh}[g](z)


def of_row(one: Exercise, r: Round, each: Round) -> float:
    """z of the asked row of a plain cell."""
    row, given = one.asked.row, one.given
    weights = [*given["W_hh"][row], *given["W_hx"][row]]
    return sums(weights, [*given["h_prev"][:, 0], *given["x_t"][:, 0]], given["b_h"][row, 0], r, each)


def slope(one: Exercise, r: Round, each: Round) -> float:
    g = one.question.values["g"]
    s = r(activate(g, one.given["z_t"][one.asked.row, 0]))
    return s * (1 - s) if g == "σ" else 1 - each(s * s)


def cell_of(one: Exercise, r: Round, each: Round) -> float:
    """c of the asked unit."""
    f, i, new, old = (float(one.given[name][one.asked.row, 0]) for name in ("f_t", "i_t", "c_tilde", "c_prev"))
    return r(each(f * old) + each(i * new))


def candidate(one: Exercise, r: Round, each: Round) -> float:
    """z_h of the asked unit of a GRU."""
    row, given = one.asked.row, one.given
    from_h = sums(given["W_hh"][row], given["h_prev"][:, 0], given["b_hh"][row, 0], r, each)
    from_x = sums(given["W_hx"][row], given["x_t"][:, 0], given["b_hx"][row, 0], r, each)
    return r(from_x + each(given["r_t"][row, 0] * from_h))


def mixed(one: Exercise, r: Round, each: Round) -> float:
    u, h = (float(one.given[name][one.asked.row, 0]) for name in ("u_t", "h_prev"))
    return each(u * h) + each((1 - u) * r(np.tanh(candidate(one, r, each))))


def left(one: Exercise, r: Round, each: Round, *, from_the_left: bool = False) -> float:
    rounding = np.vectorize(r)
    J = [rounding(slopes[:, None] * one.given["W_hh"]) for slopes in one.given["dg_z_t"].T]

    def product(A, B):
        terms = np.vectorize(each)(A[:, :, None] * B[None])
        return rounding(terms.sum(axis=1))

    if from_the_left:
        result = reduce(product, J[::-1])
    else:
        result = reduce(lambda later, J: product(J, later), J)
    return float(result[one.asked.row, one.asked.column])


def forgets(one: Exercise, r: Round, each: Round, *, gates_first: bool = False) -> float:
    """What is left in the cell that forgets more."""
    start, kept = float(one.given["c_0"][0, 0]), one.given["f_t"].prod(axis=1)
    gates = one.given["f_t"][int(kept.argmin())].tolist()
    if gates_first:
        return start * reduce(lambda total, gate: r(total * gate), gates)
    return reduce(lambda total, gate: r(total * gate), gates, start)


AGAIN = {
    "z": [of_row],
    "value": [lambda one, r, each: activate(one.question.values["g"], of_row(one, r, each))],
    "slope": [slope],
    "lstm-c": [cell_of],
    "lstm-h": [lambda one, r, each: one.given["o_t"][one.asked.row, 0] * r(np.tanh(cell_of(one, r, each)))],
    "gru-z": [candidate],
    "gru-h": [mixed],
    "left": [left, lambda one, r, each: left(one, r, each, from_the_left=True)],
    "forgets": [forgets, lambda one, r, each: forgets(one, r, each, gates_first=True)],
}


def answers(one: Exercise, digits: int) -> list[float]:
    """What comes out, and its three decimals, of every way to work it out with so many decimals on the way."""

    def r(value: float) -> float:
        return rounded(float(value), digits)

    found = [float(work(one, r, each)) for work in AGAIN[one.kind] for each in (keep, r)]
    return [*found, *(rounded(value, 3) for value in found)]


def test_every_kind_with_decimals_is_worked_out_and_without_rounding_comes_to_its_answer():
    assert {*AGAIN} == {*DECIMAL}
    for kind in DECIMAL:
        for level in (2, 3):
            for work in AGAIN[kind]:
                one = exercise(kind, level, 0)
                assert work(one, keep, keep) == pytest.approx(one.answer, abs=1e-12), kind


def expect_honest(kind: str, level: int, seeds: int) -> None:
    for seed in range(seeds):
        one = exercise(kind, level, seed)
        for answer in answers(one, 4):
            assert judge(one, answer).right, (seed, answer, one.answer)
        for answer in answers(one, 3):
            judgement = judge(one, answer, 3)
            assert judgement.code in (Outcome.RIGHT, Outcome.NEAR), (seed, answer, one.answer, judgement)
        for gives in one.mistakes.values():
            assert abs(gives - one.answer) > one.near + one.tolerance, seed


@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("kind", DECIMAL)
def test_rounding_on_the_way_is_no_misconception_and_four_decimals_are_enough(kind, level):
    expect_honest(kind, level, SEEDS)


@pytest.mark.slow
@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("kind", DECIMAL)
def test_rounding_on_the_way_is_no_misconception_for_many_seeds(kind, level):
    expect_honest(kind, level, MANY)


def worked_through(one, r: Round, each: Round) -> dict[str, float]:
    """A chain, with what is rounded carried on."""
    given = {name: array.ravel().tolist() for name, array in one.given.items()}
    inputs, own = [*given["h_prev"], *given["x_t"]], {}
    for gate, name in (("f", "f_t"), ("i", "i_t"), ("c", "c_tilde"), ("o", "o_t")):
        z = sums(given[f"W_{gate}"], inputs, given[f"b_{gate}"][0], r, each)
        own[name] = r(activate("tanh" if gate == "c" else "σ", z))
    own["c_t"] = r(each(own["f_t"] * given["c_prev"][0]) + each(own["i_t"] * own["c_tilde"]))
    own["h_t"] = r(own["o_t"] * r(np.tanh(own["c_t"])))
    return {name: float(value) for name, value in own.items()}


def expect_honest_chain(level: int, seeds: int) -> None:
    for seed in range(seeds):
        one = sample_whole_step(level, seed)
        for digits in (3, 4):
            for each in (keep, lambda value: rounded(float(value), digits)):
                own = worked_through(one, lambda value: rounded(float(value), digits), each)
                for typed in (own, {name: rounded(value, 3) for name, value in own.items()}):
                    for name, judgement in judge_whole_step(one, typed, dict.fromkeys(typed, 3)).items():
                        at = (seed, digits, name, typed[name], one.parts[name].answer, judgement)
                        assert judgement.code in (Outcome.RIGHT, Outcome.NEAR), at
                        assert judgement.right or digits == 3, at


@pytest.mark.parametrize("level", [2, 3])
def test_rounding_in_a_chain_is_no_misconception_and_four_decimals_are_enough(level):
    expect_honest_chain(level, SEEDS // 2)


@pytest.mark.slow
@pytest.mark.parametrize("level", [2, 3])
def test_rounding_in_a_chain_is_no_misconception_for_many_seeds(level):
    expect_honest_chain(level, MANY // 2)


@pytest.mark.parametrize("kind", ["left", "gru-h", "forgets"])
def test_an_answer_that_three_decimals_on_the_way_lead_to_is_told_to_be_near(kind):
    told = [
        judge(one, answer, 3).code
        for one in (exercise(kind, 3, seed) for seed in range(SEEDS))
        for answer in answers(one, 3)
    ]
    assert Outcome.NEAR in told
    one = exercise(kind, 3, 0)
    assert judge(one, one.answer + 0.9 * one.near, 3).code == Outcome.NEAR
    assert judge(one, one.answer + 3 * one.near + 0.1, 3).code != Outcome.NEAR


# ---- rounding to 1 or 2 decimals ---------------------------------------------------------------

# The answer of who rounds to 1 or 2 decimals is right or nearly so, an intermediate result, that of a named mistake, or named.
TOLD = (
    *(Outcome.RIGHT, Outcome.NEAR, Outcome.ROUNDED, Outcome.CUT),
    *(Outcome.NAMED, Outcome.REACHED, Outcome.ROUNDED_EARLY),
)


def expect_named_rounding(kind: str, level: int, seeds: int) -> None:
    told = Counter()
    rng = np.random.default_rng(level)
    for seed in range(seeds):
        one = exercise(kind, level, seed)
        for digits in (1, 2):
            for answer in answers(one, digits):
                judgement = judge(one, answer)
                # A learner who gets 0 or 1 may as well have guessed.
                is_guess = round(answer, 9) in (-1, 0, 1)
                assert judgement.code in TOLD or is_guess, (seed, digits, answer, one.answer, judgement)
                told[judgement.code, judgement.decimals] += 1
        for digits, gives in one.rounded.items():
            for answer in gives:
                assert answer not in (-1, 0, 1), seed
                # A mistake that gives the number is the plainer reason, and an answer that is right or near needs none.
                judgement, at = judge(one, answer), (seed, digits, answer, one.answer)
                off = min((abs(answer - other) for other in one.mistakes.values()), default=1)
                is_near = abs(answer - one.answer) <= one.near
                expected = (Outcome.REACHED, Outcome.ROUNDED_EARLY)
                expected = (Outcome.RIGHT, Outcome.NEAR, Outcome.NAMED) if is_near else expected
                if off <= 0.0005 and not is_near:
                    expected = (Outcome.NAMED,)
                # A mistake that is farther away than the answer is rounded does not give the number.
                assert judgement.code in expected or 0.0005 < off < 0.000501, at
        for answer in one.answer + rng.uniform(-1, 1, 20):
            told["any", judge(one, answer, 15).code] += 1
    assert sum(told[Outcome.ROUNDED_EARLY, digits] for digits in (1, 2)) > seeds / 20, told
    # Rounding gives only few numbers: what is simply wrong seldom is one of them.
    assert told["any", Outcome.ROUNDED_EARLY] < 0.02 * 20 * seeds, told


@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("kind", DECIMAL)
def test_rounding_to_1_or_2_decimals_on_the_way_is_named(kind, level):
    expect_named_rounding(kind, level, SEEDS)


@pytest.mark.slow
@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("kind", DECIMAL)
def test_rounding_to_1_or_2_decimals_is_named_for_many_seeds(kind, level):
    expect_named_rounding(kind, level, MANY)


@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("kind", DECIMAL)
def test_a_computation_without_rounding_gives_the_answer(kind, level):
    rng = np.random.default_rng(level)
    drafts = [draft for _ in range(SEEDS) if (draft := KINDS[kind](rng, level))]
    assert all(draft.chains for draft in drafts)
    for draft in drafts:
        for chain in draft.chains:
            assert chain(lambda _, value: value) == pytest.approx(draft.answer, abs=1e-12)


@pytest.mark.parametrize("level", [2, 3])
def test_the_computations_of_a_whole_step_without_rounding_give_its_entries(level, monkeypatch):
    computed = 0

    def compare(name, of_level, seed, draft):
        nonlocal computed
        for chain in draft.chains:
            assert chain(lambda _, value: value) == pytest.approx(draft.answer, abs=1e-12)
            computed += 1
        return validate(name, of_level, seed, draft)

    monkeypatch.setattr(whole_step, "validate", compare)
    sample_whole_step(level, 1)
    assert computed >= 6


@pytest.mark.parametrize(
    ("kind", "level", "seed", "typed", "digits"),
    [
        ("lstm-h", 2, 2, 0.558, 2),  # 0.9·0.62
        ("lstm-h", 2, 2, 0.54, 1),  # 0.9·0.6
        ("lstm-h", 2, 2, 0.544, 1),  # 0.9·tanh(0.7)
        ("gru-h", 2, 1, 0.393, 1),  # 0.2·(−0.9) + 0.8·tanh(0.9)
    ],
)
def test_a_number_from_rounded_intermediate_results_worked_out_by_hand_is_named(kind, level, seed, typed, digits):
    expected = Judgement(Outcome.ROUNDED_EARLY, decimals=digits)
    assert judge(exercise(kind, level, seed), typed) == expected


def test_a_mistake_that_rounds_to_another_number_is_not_named_in_the_place_of_rounding():
    one = exercise("lstm-h", 2, 13)
    assert 0.0005 < -0.288 - one.mistakes["output_inside"] < one.tolerance
    assert judge(one, -0.288) == Judgement(Outcome.ROUNDED_EARLY, decimals=2)
    assert judge(one, -0.289) == Judgement(Outcome.NAMED, ("output_inside",))


def test_rounding_in_a_chain_is_named_also_from_ones_own_entries():
    told = Counter()
    for level in (2, 3):
        for seed in range(SEEDS):
            one = sample_whole_step(level, seed)
            own = {name: rounded(part.answer, 3) for name, part in one.parts.items()} | {"f_t": 0.347}
            old = float(one.given["c_prev"][0, 0])
            own["c_t"] = rounded(own["f_t"] * old, 1) + rounded(own["i_t"] * own["c_tilde"], 1)
            own["h_t"] = own["o_t"] * rounded(np.tanh(own["c_t"]), 1)
            # A learner who gets 0 or 1 may as well have guessed.
            for name in (name for name in ("c_t", "h_t") if round(own[name], 9) not in (-1, 0, 1)):
                told[name, judge_whole_step(one, own, dict.fromkeys(own, 3))[name].code] += 1
    for name in ("c_t", "h_t"):
        assert told[name, Outcome.ROUNDED_EARLY] > SEEDS // 2, told
        assert not told[name, Outcome.UNKNOWN], told


def test_0_and_1_are_not_named_as_rounded_from_ones_own_entries():
    for seed in range(SEEDS):
        one = sample_whole_step(2, seed)
        own = {name: rounded(part.answer, 3) for name, part in one.parts.items()} | {"f_t": 0.347}
        for typed in (-1, 0, 1):
            judged = judge_whole_step(one, own | {"c_t": typed, "h_t": typed}, dict.fromkeys(own, 3))
            assert Outcome.ROUNDED_EARLY not in {judged["c_t"].code, judged["h_t"].code}, seed
