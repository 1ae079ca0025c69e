"""Every mistake gets its own name, what is right gets none, and what is simply wrong seldom gets one."""

import dataclasses
import re
from collections import Counter
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from core.activations import relu, sigmoid, tanh
from core.cells import gru, lstm, rnn
from core.concatenation import concatenate_weights, stack_input
from core.exchange.weight_layouts import to_keras, to_pytorch
from core.practice import (
    KINDS,
    LEVELS,
    Judgement,
    Outcome,
    UnreadableAnswer,
    decimals_of_answer,
    exercise,
    is_calculation,
    judge,
    judge_whole_step,
    parse_answer,
    parse_answer_to,
    sample_whole_step,
)
from core.practice.exercise import ASKED, EXACT, WHOLE_KINDS, Exercise, Sentence, Stage, are_distinguishable
from core.practice.rounding import rounded
from core.saturation import is_saturated
from tests.bench.practice import around, named_by

SEEDS, MANY = 60, 1000
RIGHT = Judgement(Outcome.RIGHT)
# May give what another mistake gives: both are told.
ALIKE = {"unit_from_0", "unit_for_content", "z_for_unit", "no_first_jacobian", "product_sign"}
every_kind = pytest.mark.parametrize("kind", KINDS)
every_level = pytest.mark.parametrize("level", LEVELS)
every_exercise = pytest.mark.parametrize(("kind", "level"), [(kind, level) for kind in KINDS for level in LEVELS])
made = lru_cache(maxsize=None)(exercise)


def expect_laws(kind: str, level: int, exercises) -> None:
    """The three laws: a mistake gets its own name, the truth none, and random numbers as few as the tolerance explains."""
    rng = np.random.default_rng(level)
    named = answers = 0
    covered = 0.0
    for one in exercises:
        at = f"{kind}, level {level}, seed {one.seed}"
        assert judge(one, one.answer) == RIGHT, at
        for name, gives in one.mistakes.items():
            assert judge(one, gives) == named_by(one, gives), f"{at}: {name}"
        random, share = around(one, rng)
        for answer in random:
            judgement = judge(one, answer)
            assert bool(judgement.mistakes) == (judgement.code == Outcome.NAMED)
            assert bool(judgement.stage) == (judgement.code in (Outcome.REACHED, Outcome.BEYOND))
            named += bool(judgement.mistakes)
        answers += len(random)
        covered += share * len(random)
    # Four standard deviations of counting, beside what the tolerances cover.
    assert named <= 1.5 * covered + 4 * covered**0.5 + 4, (kind, level, named / answers, covered / answers)


@every_exercise
def test_a_mistake_gets_its_own_name_the_truth_none_and_random_numbers_seldom_one(kind, level):
    expect_laws(kind, level, [made(kind, level, seed) for seed in range(SEEDS)])


@pytest.mark.slow
@every_exercise
def test_the_laws_hold_for_many_seeds(kind, level):
    expect_laws(kind, level, (exercise(kind, level, seed) for seed in range(MANY)))


@every_exercise
def test_a_number_on_the_way_has_reached_its_stage_and_one_out_of_range_is_beyond_that_which_could_not_make_it(
    kind, level
):
    for seed in range(SEEDS):
        one = made(kind, level, seed)
        stages = list(one.stages)
        assert {*one.reached} <= {*stages[:-1]} and {*one.bounds} <= {*stages}
        for value in (value for values in one.reached.values() for value in values):
            judgement = judge(one, value)
            at = {stage for stage, values in one.reached.items() if value in values}
            others = (Outcome.RIGHT, Outcome.NEAR, Outcome.NAMED, Outcome.ROUNDED, Outcome.CUT)
            assert judgement.code in others or judgement.code == Outcome.REACHED and judgement.stage in at, seed
        for stage, (low, high) in one.bounds.items():
            assert low <= one.answer <= high
            for beyond in filter(np.isfinite, (low - 97.3, high + 97.3)):
                judgement = judge(one, float(beyond))
                assert judgement.mistakes or judgement == Judgement(Outcome.BEYOND, stage=stage), seed


def test_what_is_known_is_told_of_a_number_before_the_bias_and_of_one_that_no_gate_has_and_nothing_of_any_other():
    told = Counter()
    for seed in range(SEEDS):
        one = made("value", 2, seed)
        step = rnn.step(*rnn.build(one.given, order="hx", g=tanh), one.given["x_t"])
        for name, number in (("product", step.W_h_stacked[one.asked.row, 0]), ("beyond", 77.7), ("any", 0.7654)):
            judgement = judge(one, number)
            told[name, judgement.code, judgement.stage] += 1
    # Some are what a mistake gives, and then nothing else is told.
    known = (
        ("product", Outcome.REACHED, "product"),
        ("beyond", Outcome.BEYOND, "activation"),
        ("any", Outcome.UNKNOWN, ""),
    )
    assert min(told[one] for one in known) > SEEDS / 2
    gate = sample_whole_step(2, 3).parts["f_t"]
    beyond = Judgement(Outcome.BEYOND, stage="activation")
    assert judge(gate, 1.5) == judge_whole_step(sample_whole_step(2, 3), {"f_t": 1.5})["f_t"] == beyond


def test_a_sum_that_is_too_large_is_told_of_the_sum_and_not_of_an_activation():
    one = exercise("lstm-h", 1, 3)
    assert judge(one, 19) == Judgement(Outcome.BEYOND, stage="sum_of_entries")
    assert one.bounds["sum_of_entries"] == (-5, 5) and list(one.stages)[-1] == "sum_of_entries"


@every_exercise
def test_a_right_answer_with_too_few_decimals_is_nearly_right_and_no_misconception(kind, level):
    told = Counter()
    for seed in range(SEEDS):
        one = made(kind, level, seed)
        if isinstance(one.answer, tuple) or level == 1:
            assert not any(judge(one, value).code == Outcome.ROUNDED for value in range(-30, 30))
            continue
        for decimals in (1, 2):
            typed = rounded(one.answer, decimals)
            judgement = judge(one, typed)
            told[judgement.code] += 1
            if judgement.code == Outcome.ROUNDED:
                assert judgement == Judgement(Outcome.ROUNDED, decimals=ASKED[level])
                assert judge(one, rounded(one.answer, ASKED[level])) == RIGHT
            # A decimal more is another number, and is not what the learner has rounded.
            assert judge(one, typed + 0.3 * 10.0**-decimals + 0.0123).code != Outcome.ROUNDED
    if told and kind not in WHOLE_KINDS:
        assert told[Outcome.ROUNDED]


@pytest.mark.parametrize(("kind", "seed"), [("z", 1), ("left", 1), ("gru-h", 1), ("lstm-h", 1), ("forgets", 1)])
def test_an_answer_with_two_decimals_is_rounded_also_within_the_error_of_rounding_on_the_way(kind, seed):
    ones = [made(kind, 3, seed) for seed in range(seed, SEEDS)]
    short = [one for one in ones if not judge(one, typed := rounded(one.answer, 2)).right and typed]
    exact = [one for one in short if any(abs(gives - rounded(one.answer, 2)) < 1e-9 for gives in one.mistakes.values())]
    assert len(short) > len(ones) / 2 and len(exact) < len(short) / 10
    for one in filter(lambda one: one not in exact, short):
        typed = rounded(one.answer, 2)
        assert judge(one, typed) == judge(one, typed, 2) == Judgement(Outcome.ROUNDED, decimals=3), one.seed
        # The learner who has written 3 decimals cannot have too few.
        assert judge(one, typed, 3).code != Outcome.ROUNDED, one.seed


@pytest.mark.parametrize(
    ("text", "decimals"),
    [("0.790", 3), ("−0,79", 2), ("- 0.7", 1), ("4", 0), ("4.", 0), (".5", 1), ("1/2", None), ("1e-3", None)],
)
def test_the_decimals_of_an_answer_are_those_that_are_written(text, decimals):
    assert decimals_of_answer(text) == decimals


def test_rounded_and_cut_numbers_are_nearly_right_and_one_digit_is_not():
    one = next(made("value", 2, seed) for seed in range(SEEDS) if 0.55 < made("value", 2, seed).answer < 0.95)
    bare = dataclasses.replace(one, answer=0.7863, mistakes={}, reached={})
    codes = {typed: judge(bare, typed).code for typed in (0.786, 0.79, 0.78, 0.8, 1, 0, 0.77, 0.787, 0.79001)}
    nearly = {typed: code for typed, code in codes.items() if code in (Outcome.ROUNDED, Outcome.CUT)}
    assert nearly == {0.79: Outcome.ROUNDED, 0.8: Outcome.ROUNDED, 0.78: Outcome.CUT}
    assert codes[0.786] == Outcome.RIGHT
    # The last decimal may also be cut off, but not where intermediate results may have been rounded.
    assert judge(dataclasses.replace(bare, answer=0.7869, slack=0), 0.786, 3) == Judgement(Outcome.CUT, decimals=3)
    assert judge(dataclasses.replace(bare, answer=0.7869, slack=0.001), 0.786, 3) == Judgement(Outcome.NEAR)


@pytest.mark.parametrize(
    ("kind", "level", "seed", "typed", "code"),
    [
        ("lstm-h", 3, 1, -0.35, Outcome.ROUNDED),  # of −0.3488
        ("lstm-h", 3, 1, -0.34, Outcome.CUT),
        ("lstm-h", 3, 1, -0.346, Outcome.UNKNOWN),
    ],
)
def test_cut_digits_are_no_rounded_ones(kind, level, seed, typed, code):
    assert judge(exercise(kind, level, seed), typed).code == code


@pytest.mark.parametrize(
    ("answer", "typed"), [(0.29, 0.28), (-0.29, -0.28), (0.14, 0.139), (4.35, 4.349), (0.58, 0.57)]
)
def test_a_number_below_an_exact_answer_is_not_its_first_digits(answer, typed):
    one = dataclasses.replace(exercise("value", 2, 1), answer=answer, mistakes={}, reached={}, bounds={}, slack=0.0)
    assert judge(one, typed, len(f"{typed}".partition(".")[2])).code == Outcome.UNKNOWN


def test_a_wrong_sign_in_the_cell_state_is_named_in_the_hidden_state():
    for seed in range(1, 9):
        one = made("lstm-h", 3, seed)
        f, i, new, o, old = (one.given[name][one.asked.row, 0] for name in ("f_t", "i_t", "c_tilde", "o_t", "c_prev"))
        judgement = judge(one, o * np.tanh(f * old - i * new))
        assert judgement.mistakes == ("product_sign:1",)


def wrong_signs(one):
    """Return the result with one lost sign of a product, at level 1, and the answer."""
    row, array = one.asked.row, one.given
    if one.kind == "value":
        W = np.concatenate([array["W_hh"], array["W_hx"]], axis=1)[row]
        terms, b, g = W * np.concatenate([array["h_prev"], array["x_t"]])[:, 0], array["b_h"][row, 0], relu.f
    elif one.kind == "gru-h":
        u = array["u_t"][row, 0]
        terms, b, g = np.array([u * array["h_prev"][row, 0], (1 - u) * array["h_tilde"][row, 0]]), 0, float
    else:
        terms = np.array([array[f][row, 0] * array[c][row, 0] for f, c in (("f_t", "c_prev"), ("i_t", "c_tilde"))])
        b, g = 0, float
    return [float(g(terms.sum() + b - 2 * term)) for term in terms]


@pytest.mark.parametrize("kind", ["value", "lstm-c", "gru-h"])
def test_a_wrong_sign_of_one_product_is_always_among_the_named_mistakes(kind):
    for seed in range(SEEDS):
        one = made(kind, 1, seed)
        for gives in wrong_signs(one):
            judgement = judge(one, gives, 0 if gives.is_integer() else 2)
            assert judgement.right or any(name.startswith("product_sign") for name in judgement.mistakes), seed


@pytest.mark.parametrize("level", (2, 3))
def test_a_subtracted_bias_of_a_candidate_is_named_in_the_hidden_state(level):
    unknown = 0
    for seed in range(SEEDS):
        one = made("gru-h", level, seed)
        for b in ("b_hh", "b_hx"):
            gives = entry_of(gru_again(one.given | {b: -one.given[b]}).h_t, one.asked)
            # A subtracted bias may change the answer by no more than rounding does.
            is_tiny = abs(gives - one.answer) <= one.near + one.tolerance
            unknown += not is_tiny and judge(one, gives).code != Outcome.NAMED
    # Two mistakes may be too close to each other to be distinguished.
    assert unknown <= SEEDS / 20


def test_a_whole_answer_is_never_cut_off_and_a_closed_output_gate_is_named():
    for kind in KINDS:
        for seed in range(SEEDS):
            one = made(kind, 1, seed)
            codes = {judge(one, float(value), 0).code for value in range(-30, 30)}
            assert not codes & {Outcome.CUT, Outcome.ROUNDED}, (kind, seed)
    for seed in range(SEEDS):
        one = made("lstm-h", 1, seed)
        judgement = judge(one, float(round(one.mistakes["no_output"])), 0)
        assert judgement.right or "no_output" in judgement.mistakes, seed


@every_exercise
def test_nothing_given_stands_in_the_place_of_a_factor_that_is_only_missing(kind, level):
    for seed in range(SEEDS):
        one = made(kind, level, seed)
        for name, (used, _) in one.marks.items():
            is_missing = name.startswith(("no_", "bias_outside", "reset_before", "neither", "left_out"))
            assert not is_missing or not {mark.symbol for mark in used} & {*one.given}, (seed, name)


@every_exercise
def test_mistakes_are_distinguishable(kind, level):
    for seed in range(SEEDS):
        one = made(kind, level, seed)
        apart = [gives for name, gives in one.mistakes.items() if name.partition(":")[0] not in ALIKE]
        assert are_distinguishable([one.answer, *apart], one.tolerance)
        assert len(one.mistakes) >= 2
        assert {*one.marks} <= {*one.mistakes}
        assert one.question.code and one.stages
        assert (one.kind, one.level, one.seed) == (kind, level, seed)


@every_kind
def test_level_1_is_whole(kind):
    for seed in range(SEEDS):
        one = made(kind, 1, seed)
        assert isinstance(one.answer, tuple) or abs(one.answer - round(one.answer)) < one.tolerance / 5
        for name, array in one.given.items():
            # A gate is a quarter or a half of a whole number.
            assert np.all(array * (4 if name in ("f_t", "i_t", "u_t") else 1) % 1 == 0), (seed, name)


@every_exercise
def test_what_is_given_has_as_many_decimals_as_the_level(kind, level):
    one = made(kind, level, 3)
    for array in one.given.values():
        assert not array.flags.writeable
        if level > 1:
            np.testing.assert_allclose(array, np.round(array, level - 1), rtol=0, atol=1e-12)


# ---- the answers are the cells' own ------------------------------------------------------------


SYMBOLS = {g.symbol: g for g in (sigmoid, tanh, relu)}


def of_gate(values):
    """The pre-activation that has these values."""
    with np.errstate(divide="ignore"):
        return np.log(values) - np.log(1.0 - values)


def of_candidate(values):
    with np.errstate(divide="ignore"):
        return np.arctanh(values)


def lstm_again(arrays):
    k = len(arrays["c_prev"])
    zero = np.zeros((k, k + 1))
    b_f, b_i, b_o = (of_gate(arrays.get(name, np.full((k, 1), 0.5))) for name in ("f_t", "i_t", "o_t"))
    params = lstm.LSTMParams(zero, zero, zero, zero, b_f, b_i, of_candidate(arrays["c_tilde"]), b_o)
    return lstm.step(params, lstm.LSTMState(np.zeros((k, 1)), arrays["c_prev"]), np.zeros((1, 1)))


def gru_again(arrays):
    k = len(arrays["h_prev"])
    arrays = {"W_hh": np.zeros((k, k)), "W_hx": np.zeros((k, 1)), "x_t": np.zeros((1, 1))} | arrays
    if "h_tilde" in arrays:
        arrays |= {"b_hx": of_candidate(arrays["h_tilde"]), "b_hh": np.zeros((k, 1)), "r_t": np.zeros((k, 1))}
    zero = np.zeros((k, k + len(arrays["x_t"])))
    b_r, b_u = of_gate(arrays["r_t"]), of_gate(arrays.get("u_t", np.full((k, 1), 0.5)))
    params = gru.GRUParams(zero, zero, arrays["W_hh"], arrays["W_hx"], b_r, b_u, arrays["b_hh"], arrays["b_hx"])
    return gru.step(params, gru.GRUState(arrays["h_prev"]), arrays["x_t"])


def entry_of(array, asked) -> float:
    return float(array.sum() if asked.row is None else array[asked.row, 0])


def plain(one, g=sigmoid) -> float:
    params, state = rnn.build(one.given, order="hx", g=g)
    return entry_of(getattr(rnn.step(params, state, one.given["x_t"]), one.asked.symbol), one.asked)


def activation_of(one: Exercise):
    """The activation that the question names."""
    return SYMBOLS[one.question.values["g"]]


def slope_again(one) -> float:
    g = activation_of(one)
    return entry_of(g.df(one.given["z_t"]) * one.given.get("dL_dh_t", 1), one.asked)


def left_again(one) -> float:
    product = np.eye(len(one.given["W_hh"]))
    for derivatives in one.given["dg_z_t"].T:
        product = np.diag(derivatives) @ one.given["W_hh"] @ product
    return float(product[one.asked.row, one.asked.column])


def shape_again(one) -> tuple[int, ...]:
    sizes = {name: int(size) for name, size in one.given.items()}
    m, k, n = sizes["m"], sizes.get("k", 1), sizes.get("n", sizes.get("k", 1))
    if one.asked.symbol == "stacked":
        return stack_input(np.zeros((n, 1)), np.zeros((m, 1))).shape
    if one.asked.symbol == "W_h":
        return concatenate_weights(np.zeros((k, n)), np.zeros((k, m))).shape
    if one.asked.symbol == "W":
        return 4 * k, k + m
    blocks = {"LSTM": 4, "GRU": 3}[one.question.values["cell"]]
    entries = k if one.asked.symbol in ("weight_hh_l0", "recurrent_kernel") else m
    return (blocks * k, entries) if one.question.values["framework"] == "PyTorch" else (entries, blocks * k)


def count_again(one) -> float:
    m, k = (int(one.given[name]) for name in "mk")
    blocks = {"RNN": 1, "LSTM": 4, "GRU": 3}[one.question.values["cell"]]
    return blocks * k * (k + m + (2 if one.level == 3 else 1))


# As the frameworks' own documentation has them.
ORDERS = {
    ("PyTorch", "LSTM"): "ifco",
    ("Keras", "LSTM"): "ifco",
    ("ONNX", "LSTM"): "iofc",
    ("PyTorch", "GRU"): "ruh",
    ("Keras", "GRU"): "urh",
    ("ONNX", "GRU"): "urh",
}


def order_again(one):
    values = one.question.values
    if one.level == 1:
        cell = {"order_of_lstm": "LSTM", "order_of_gru": "GRU"}[one.question.code]
        order = ORDERS[values["framework"], cell]
        numbered = {values[f"gate_{number}"]: number for number in range(len(order))}
        return tuple(numbered[gate] for gate in order)
    k = int(one.given["k"])
    first = ORDERS[values["framework"], values["cell"]].index(values["gate"]) * k
    return first if one.level == 2 else (first, first + k - 1)


def saturated_again(one) -> int:
    (unit,) = np.flatnonzero(is_saturated(one.given["z_t"], activation_of(one), 0.05))
    return int(unit) + 1


AGAIN = {
    "z": plain,
    "value": lambda one: plain(one, activation_of(one)),
    "slope": slope_again,
    "lstm-c": lambda one: entry_of(lstm_again(one.given).c_t, one.asked),
    "lstm-h": lambda one: entry_of(lstm_again(one.given).h_t, one.asked),
    "gru-z": lambda one: entry_of(gru_again(one.given).z_h, one.asked),
    "gru-h": lambda one: entry_of(gru_again(one.given).h_t, one.asked),
    "shape": shape_again,
    "count": count_again,
    "order": order_again,
    "left": left_again,
    "saturated": saturated_again,
    "forgets": lambda one: float((one.given["c_0"][:, 0] * one.given["f_t"].prod(axis=1)).min()),
}


@every_exercise
def test_the_answer_is_the_cells_own(kind, level):
    for seed in range(SEEDS):
        one = made(kind, level, seed)
        again = AGAIN[kind](one)
        assert again == (one.answer if isinstance(again, tuple) else pytest.approx(one.answer, abs=1e-9)), seed


@pytest.mark.parametrize("cell", ["LSTM", "GRU"])
def test_the_frameworks_order_is_that_of_what_is_exported(cell):
    module = {"LSTM": lstm, "GRU": gru}[cell]
    order = ORDERS["PyTorch", cell]
    letters = {"m": 2, "n": 2, "k": 2, "1": 1}
    arrays = {
        name: np.full([letters[axis] for axis in numbers.axes], order.find(name[2]))
        for name, numbers in module.ARRAYS.items()
        if numbers.kind != "input"
    }
    assert "".join(order[int(row)] for row in to_pytorch(cell, arrays)["weight_hh_l0"][::2, 0]) == order
    assert "".join(order[int(gate)] for gate in to_keras(cell, arrays)[1][0, ::2]) == ORDERS["Keras", cell]


def test_the_classic_mistakes_give_what_they_are():
    one = made("z", 1, 0)
    W_hh, W_hx, b, h, x = (one.given[name] for name in ("W_hh", "W_hx", "b_h", "h_prev", "x_t"))
    row = one.asked.row
    W = np.concatenate([W_hh, W_hx], axis=1)
    assert one.mistakes["stack_swapped"] == (W @ np.concatenate([x, h]) + b)[row, 0]
    assert one.mistakes["column_for_row"] == (W_hh.T @ h + W_hx @ x + b)[row, 0]
    assert one.mistakes["columns_for_rows"] == (W_hh.T @ h + W_hx.T @ x + b)[row, 0]
    assert one.mistakes["sign"] == -one.answer
    assert one.mistakes["bias_twice"] - one.answer == one.answer - one.mistakes["no_bias"] == b[row, 0]
    assert one.mistakes["no_h"] + one.mistakes["no_x"] == one.answer + b[row, 0]
    ((used,), (meant,)) = one.marks[f"other_row:{1 - row}"]
    assert (used.row, meant.row, meant.symbol) == (1 - row, row, "W_h")
    c = made("lstm-c", 2, 0)
    f, i, new, old = (c.given[name][c.asked.row, 0] for name in ("f_t", "i_t", "c_tilde", "c_prev"))
    assert c.mistakes["forget_complement"] == pytest.approx((1 - f) * old + i * new)
    assert c.mistakes["gates_swapped"] == pytest.approx(i * old + f * new)
    after = made("gru-z", 2, 0)
    r, W, b_hh, h, b_hx, W_x, x = (
        after.given[name] for name in ("r_t", "W_hh", "b_hh", "h_prev", "b_hx", "W_hx", "x_t")
    )
    assert after.mistakes["reset_before"] == pytest.approx((W @ (r * h) + b_hh + W_x @ x + b_hx)[after.asked.row, 0])


ACTIVATED = {"σ": sigmoid.f, "tanh": tanh.f, "ReLU": relu.f}
EQUATION = re.compile(r"([σtanhReLUz\d.,·²()+−\[\] ]+?) ([=≈]) (−?[\d.]+)$")


def formulas(stage: Stage) -> list[str]:
    """The lines of arithmetic in a stage."""
    written = map(str, stage.values.values()) if isinstance(stage, Sentence) else [stage]
    return [line for text in written for line in re.split(r"; |, (?=W)", text)]


def expect_arithmetic(stage: Stage, z: float = np.nan) -> set[str]:
    """Each line of arithmetic in a stage is true: by its written numbers exactly where it says "=". Gives the signs."""
    signs = set()
    for line in formulas(stage):
        if not (found := EQUATION.search(line)) or not re.search("[·+(]", found[1]):
            continue
        left, sign, right = found.groups()
        code = re.sub(r"\)\(", ")*(", left.replace("·", "*").replace("²", "**2").replace("−", "-"))
        exact = not re.search("σ|tanh|z", code)
        numbers = (
            re.sub(r"\d+\.?\d*", lambda number: f"Fraction('{number[0]}')", code.replace("**2", "**TWO"))
            if exact
            else code
        )
        names = {
            "Fraction": Fraction,
            "TWO": 2,
            "z": np.array(z),
            **{name: lambda z, f=f: f(np.array(float(z))) for name, f in ACTIVATED.items()},
        }
        value, written = eval(numbers, names), Fraction(right.replace("−", "-"))
        # The numbers beside a rounded result may be rounded too.
        assert abs(float(value) - float(written)) <= (1e-9 if sign == "=" else 2e-3), line
        assert sign == "≈" or not exact or value == written, line
        signs.add(sign)
    return signs


@pytest.mark.parametrize(
    ("kind", "level", "seed", "typed", "mistake"),
    [
        ("z", 1, 3, -11, "x_for_h"),  # −4·5 − 4·2 + 1·5 + 9·2 − 6
        ("z", 1, 3, 41, "other_bias:0"),  # 43 − 2
        ("slope", 2, 1, 0.214, "no_one_minus"),  # tanh(−0.5)²
        ("left", 2, 1, 0.025, "rows_for_steps"),
        ("lstm-h", 2, 1, -0.377, "other_row:0"),  # 0.6·tanh(−0.74)
        ("lstm-h", 2, 1, -0.4, "gate_for_output:i_t"),  # 0.7·tanh(−0.65)
        ("lstm-h", 2, 1, -0.457, "gate_for_output:f_t"),  # 0.8·tanh(−0.65)
        ("gru-z", 2, 1, 0.217, "tanh_of_z"),  # tanh(0.22)
        ("gru-h", 2, 1, -0.04, "both_update"),  # 0.2·(−0.9) + 0.2·0.7024
        ("gru-h", 2, 1, 0.222, "reset_for_update"),  # 0.3·(−0.9) + 0.7·0.7024
        ("value", 2, 1, 0.897, "product_sign:1"),  # σ(0.8·2 + 0.6·1.2 + 0.2·1.7 − 0.5)
        ("value", 2, 1, 0.293, "left_out:0"),  # σ(0.72 − 1.6)
        ("slope", 1, 1, 1, "no_gradient"),  # 1 − tanh(0)²
        ("slope", 2, 2, 0.119, "one_factor"),  # 1 − σ(2)
        ("left", 2, 1, 0.274, "other_entry:1_1"),  # 0.42·0.6 + 0.18·0.12
        ("left", 2, 1, 0.454, "columns_scaled"),  # 1.12·0.54 − 0.18·0.84
        ("left", 3, 1, -0.223, "no_first_jacobian"),  # J₃·J₂
        ("left", 3, 1, -0.197, "one_step_less"),  # J₂·J₁
        ("lstm-c", 2, 1, -1.1, "neither_gate"),  # −0.9 − 0.2
        ("lstm-h", 2, 1, -0.374, "no_forget"),  # 0.5·tanh(−1.6 + 0.63)
        ("lstm-h", 2, 1, -0.181, "no_input"),  # 0.5·tanh(−1.28 + 0.9)
        ("gru-z", 2, 1, 0.31, "column_for_row"),  # 0.1·(0.5 + 0.8 − 0.1) + 0.19
        ("gru-z", 2, 1, 0.53, "neither_bias"),  # 0.49 + 0.1·0.4
        ("gru-z", 2, 1, 0.4, "biases_swapped"),  # 0.49 − 0.1 + 0.1·(0.4 − 0.3)
        ("gru-z", 2, 1, 0.049, "reset_of_all"),  # 0.1·(0.19 + 0.3)
        ("gru-z", 2, 1, 0.319, "reset_of_x"),  # 0.1·0.19 + 0.3
        ("gru-z", 2, 1, -0.76, "product_sign:W_hx_0"),  # 0.22 − 2·0.7·0.7
        ("gru-h", 2, 2, 0.067, "no_bias:b_hx"),  # 0.3·0.2 + 0.7·tanh(0.01)
        ("gru-h", 2, 2, -0.351, "column_for_row"),  # 0.06 + 0.7·tanh(−0.674)
        ("gru-h", 2, 2, -0.371, "one_term:new"),  # 0.7·tanh(−0.59)
        ("gru-h", 2, 2, 0.06, "one_term:old"),  # 0.3·0.2
        ("forgets", 2, 1, 0.4, "no_first_step"),  # 10·0.2·0.2
        ("count", 2, 1, 112, "sizes_swapped"),  # 4·(4·6 + 4)
        ("count", 2, 1, 50, "biases_of_one"),  # 4·2·6 + 2
        ("saturated", 1, 2, 7, "z_for_unit:absolute"),  # |−7|
        ("shape", 1, 1, (4, 3), "sizes_for_shape"),  # n and m
        ("forgets", 1, 1, 0.1875, "no_start"),  # 0.75·0.5·0.5
        ("forgets", 2, 1, 0.012, "no_start"),  # 0.3·0.2·0.2
    ],
)
def test_a_mistake_worked_out_by_hand_is_named(kind, level, seed, typed, mistake):
    assert judge(exercise(kind, level, seed), typed) == Judgement(Outcome.NAMED, (mistake,))


def test_a_mistake_that_left_out_the_first_step_is_named_beside_another_that_gives_the_same_number():
    # Entry (2, 1) of J₂ is 0.42, and so is that of W_hh·W_hh.
    expected = Judgement(Outcome.NAMED, ("no_derivatives", "no_first_jacobian"))
    assert judge(exercise("left", 2, 1), 0.42) == expected


def test_a_solution_says_that_it_is_equal_only_where_its_written_numbers_make_it_so():
    signs = Counter()
    for kind in KINDS:
        for level in LEVELS:
            for seed in range(SEEDS // 3):
                one = made(kind, level, seed)
                z = one.given["z_t"][one.asked.row, 0] if kind == "slope" else np.nan
                for stage in one.stages.values():
                    signs.update((kind, level, sign) for sign in expect_arithmetic(stage, float(z)))
    for level in LEVELS:
        for seed in range(10):
            for part in sample_whole_step(level, seed).parts.values():
                for stage in part.stages.values():
                    signs.update(("chain", level, sign) for sign in expect_arithmetic(stage))
    assert {(kind, level) for kind, level, _ in signs} >= {
        *(
            (kind, level)
            for kind in ("z", "value", "slope", "lstm-c", "lstm-h", "gru-z", "gru-h", "left", "forgets", "chain")
            for level in LEVELS
        )
    }
    assert {
        ("slope", 2, "≈"),
        ("left", 3, "≈"),
        ("lstm-h", 2, "≈"),
        ("slope", 1, "="),
        ("z", 3, "="),
        ("gru-h", 3, "≈"),
        ("forgets", 3, "≈"),
    } <= {*signs}


def test_every_number_of_a_solution_is_the_result_of_others():
    for kind in ("z", "value", "slope", "lstm-c", "lstm-h", "gru-z", "gru-h", "left", "forgets"):
        for level in LEVELS:
            for seed in range(10):
                last = formulas(list(made(kind, level, seed).stages.values())[-1 if kind != "forgets" else 0])
                assert any(re.search(r"\d[·² )]|\d \+ |[σtanhReLU]\(−?\d", line) for line in last), (
                    kind,
                    level,
                    seed,
                    last,
                )
    for level in LEVELS:
        assert all("·" in line for line in formulas(made("gru-z", level, 1).stages["product"]))


def test_a_gradient_multiplies_the_whole_slope_in_the_solution():
    for seed in range(SEEDS):
        one = made("slope", 1, seed)
        factor, formula = re.match(r"(−?\d+)·(.*?) = \1·", one.stages["derivative"]).groups()
        code = f"{factor}*{formula}".replace(")(", ")*(").replace("²", "**2").replace("−", "-")
        g = activation_of(one)
        # At another z than 0, where tanh(z)² is not 0.
        value = eval(code, {"z": np.array(0.7), **ACTIVATED})
        assert value == pytest.approx(float(factor.replace("−", "-")) * g.df(np.array(0.7))), one.stages["derivative"]


def test_the_number_of_the_cell_is_named_where_what_is_left_in_it_is_asked_for():
    exercises = [made("forgets", level, seed) for level in LEVELS for seed in range(SEEDS)]
    named = [one for one in exercises if "unit_for_content" in one.mistakes]
    assert len(named) > 0.8 * len(exercises)
    for one in exercises:
        kept = one.given["c_0"][:, 0] * one.given["f_t"].prod(axis=1)
        cell = int(kept.argmin()) + 1
        assert one.mistakes.get("unit_for_content", cell) == cell


def test_counting_units_from_0_is_told_beside_what_else_leads_to_that_unit():
    told = Counter()
    for level in LEVELS:
        for seed in range(SEEDS):
            one = made("saturated", level, seed)
            names = judge(one, one.answer - 1).mistakes
            assert "unit_from_0" in names
            told[len(names)] += 1
    assert told[1] and told[2]


def test_a_single_number_for_each_bias_is_one_for_each_bias_of_a_row():
    for level, biases in ((1, 1), (2, 1), (3, 2)):
        one = made("count", level, 0)
        blocks = {"RNN": 1, "LSTM": 4, "GRU": 3}[one.question.values["cell"]]
        assert one.mistakes["single_bias"] - one.mistakes["no_biases"] == blocks * biases


# ---- the same every time -----------------------------------------------------------------------


def same(one, other) -> bool:
    return (
        (one.question, one.answer, one.mistakes, one.stages)
        == (other.question, other.answer, other.mistakes, other.stages)
        and {*one.given} == {*other.given}
        and all(np.array_equal(array, other.given[name]) for name, array in one.given.items())
    )


@every_exercise
def test_kind_level_seed_and_salt_decide_everything(kind, level):
    np.random.seed(1)
    assert same(exercise(kind, level, 7), exercise(kind, level, 7))
    assert same(exercise(kind, level, 7), exercise(kind, level, np.int64(7)))
    salted = [exercise(kind, level, seed, salt="of my class") for seed in range(5)]
    assert not all(same(one, exercise(kind, level, one.seed)) for one in salted)
    assert same(salted[2], exercise(kind, level, 2, salt="of my class"))


@every_exercise
def test_seeds_give_different_questions(kind, level):
    exercises = [made(kind, level, seed) for seed in range(SEEDS)]
    different = Counter(
        (f"{one.question}", one.answer, *(array.tobytes() for array in one.given.values())) for one in exercises
    )
    assert len(different) > SEEDS / 5, len(different)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("y", 1, 0), "'y'.* z, value"),
        (("z", 4, 0), r"\blevel\b.* 4\. .*\b1, 2 or 3\b"),
        (("z", True, 0), r"\blevel\b.* True\."),
        (("z", 1, -1), r"\bseed\b.* -1\."),
        (("z", 1, 0.5), r"\bseed\b.* 0\.5\."),
        (("z", 1, True), r"\bseed\b.* True\."),
    ],
)
def test_what_there_is_not_is_refused_in_words(arguments, words):
    with pytest.raises(ValueError, match=words):
        exercise(*arguments)


def test_a_chain_refuses_the_same():
    with pytest.raises(ValueError, match=r"\blevel\b.* 0\."):
        sample_whole_step(0, 1)


def test_a_kind_that_never_suits_is_given_up(monkeypatch):
    monkeypatch.setitem(KINDS, "never", lambda rng, level: None)
    with pytest.raises(RuntimeError, match=r"\bnever\b.*\blevel 1\b.*\bseed 0\b"):
        exercise("never", 1, 0)


def test_a_large_seed_is_one_too():
    assert exercise("count", 1, 2**80).answer > 0


# ---- judging -----------------------------------------------------------------------------------


def test_an_answer_may_be_any_number():
    one = made("z", 1, 1)
    whole = int(one.answer)
    for answer in (whole, float(whole), np.int64(whole), np.float32(whole)):
        assert judge(one, answer).right
    for answer in (np.nan, np.inf, -np.inf, 10**400, None, "2", (whole,), True, whole + 77):
        judgement = judge(one, answer)
        assert judgement == Judgement(Outcome.UNKNOWN), answer


@pytest.mark.parametrize(("kind", "level"), [("z", 1), ("count", 3), ("saturated", 2), ("order", 2)])
def test_where_the_answer_is_a_whole_number_another_one_is_said_to_be_none(kind, level):
    one = made(kind, level, 1)
    assert judge(one, one.answer / 1000 + 0.07) == Judgement(Outcome.NOT_WHOLE)
    assert judge(made("z", 2, 1), 99.5) == Judgement(Outcome.UNKNOWN)


@pytest.mark.parametrize(("kind", "level", "off"), [("z", 1, 0.02), ("lstm-h", 1, 0.0067), ("saturated", 2, 0.0003)])
def test_a_number_that_rounds_to_the_whole_answer_is_said_to_do_so(kind, level, off):
    for sign in (-1, 1):
        assert judge(made(kind, level, 1), round(made(kind, level, 1).answer) + sign * off) == Judgement(
            Outcome.UNROUNDED
        )


def test_each_entry_of_a_whole_step_at_level_1_must_be_rounded():
    for seed in range(1, 9):
        step = sample_whole_step(1, seed)
        answers = {name: round(part.answer) + 0.0067 for name, part in step.parts.items()}
        assert {one.code for one in judge_whole_step(step, answers).values()} == {Outcome.UNROUNDED}


def test_no_mistake_in_the_arithmetic_is_beyond_the_range_of_a_stage():
    for seed in range(SEEDS):
        one = made("value", 1, seed)
        assert not any(gives < 0 for name, gives in one.mistakes.items() if name.startswith("arithmetic")), seed


@every_kind
def test_a_number_beside_a_whole_number_is_not_right(kind):
    for level in LEVELS:
        one = made(kind, level, 1)
        if one.is_whole and not isinstance(one.answer, tuple):
            for off in (0.004, -0.004, 0.0067, -0.01):
                judgement = judge(one, one.answer + off)
                assert judgement.code not in (Outcome.RIGHT, Outcome.NEAR, Outcome.UNKNOWN), off


def test_another_number_of_numbers_than_asked_for_is_said_to_be_one():
    assert judge(made("count", 3, 1), (22, 220)) == Judgement(Outcome.OTHER_COUNT, many=1)
    rows, columns = made("shape", 1, 1).answer
    for answer in ((rows,), (rows, columns, 1), (), rows):
        assert judge(made("shape", 1, 1), answer) == Judgement(Outcome.OTHER_COUNT, many=2)


def test_the_right_ones_of_several_whole_numbers_are_counted():
    one = made("shape", 1, 1)
    assert judge(one, (one.answer[0], 99)) == judge(one, (99, one.answer[1])) == Judgement(Outcome.PARTLY, many=1)
    assert judge(one, (98, 99)) == Judgement(Outcome.UNKNOWN)


@every_level
def test_every_other_unit_is_said_to_be_below_the_bound_and_a_z_to_be_no_unit(level):
    for seed in range(SEEDS):
        one = made("saturated", level, seed)
        z_t = one.given["z_t"][:, 0]
        for unit in {*range(1, len(z_t) + 1)} - {int(one.answer)}:
            assert judge(one, unit).mistakes, seed
        z = float(z_t[int(one.answer) - 1])
        assert z == one.answer or "z_for_unit" in judge(one, z).mistakes, seed


@pytest.mark.parametrize("level", [2, 3])
def test_the_rows_of_every_other_gate_are_said_to_be_its_rows(level):
    for seed in range(SEEDS):
        one = made("order", level, seed)
        k = int(one.given["k"])
        gates = {"LSTM": 4, "GRU": 3}[one.question.values["cell"]]
        for first in {place * k for place in range(gates)} - {one.answer if level == 2 else one.answer[0]}:
            assert judge(one, float(first) if level == 2 else (first, first + k - 1)).mistakes, seed
        if level == 2:
            assert judge(one, one.answer + k - 1).mistakes, seed


def test_whole_numbers_may_be_a_tuple_or_a_list():
    one = made("shape", 1, 1)
    for answer in (one.answer, list(one.answer), tuple(np.array(one.answer))):
        assert judge(one, answer).right
    for answer in (one.answer[0], 7.0, (), (*one.answer, 1), np.nan):
        assert not judge(one, answer).right and not judge(one, answer).mistakes


def test_people_round_half_away_from_0():
    assert [rounded(value, 1) for value in (0.25, -0.25, 0.35, 0.04, -1.96)] == [0.3, -0.3, 0.4, 0.0, -2.0]


# ---- chains ------------------------------------------------------------------------------------


ENTRIES = ("f_t", "i_t", "c_tilde", "o_t", "c_t", "h_t")


@every_level
def test_a_chain_is_one_step_of_the_cell_and_its_mistakes_are_named(level):
    for seed in range(SEEDS // 4):
        one = sample_whole_step(level, seed)
        assert tuple(one.parts) == ENTRIES
        arrays = {name: array for name, array in one.given.items() if name[:2] in ("W_", "b_")}
        step = lstm.step(
            lstm.LSTMParams(**arrays), lstm.LSTMState(one.given["h_prev"], one.given["c_prev"]), one.given["x_t"]
        )
        truth = {name: part.answer for name, part in one.parts.items()}
        for name, part in one.parts.items():
            assert part.answer == pytest.approx(float(getattr(step, name)[0, 0]), abs=1e-12)
            assert part.mistakes
            if level == 1:
                assert abs(part.answer - round(part.answer)) < part.tolerance / 2
            for mistake, gives in part.mistakes.items():
                assert judge_whole_step(one, truth | {name: gives})[name] == named_by(part, gives), mistake
        assert all(judgement.right for judgement in judge_whole_step(one, truth).values())
        # To the decimals that are asked for.
        as_written = {name: round(value, {1: 0}.get(level, 3)) for name, value in truth.items()}
        assert all(judgement.right for judgement in judge_whole_step(one, as_written).values())


@every_level
def test_what_comes_later_follows_from_what_the_learner_has(level):
    for seed in range(SEEDS // 4):
        one = sample_whole_step(level, seed)
        old = float(one.given["c_prev"][0, 0])
        own = {name: part.answer for name, part in one.parts.items()}
        own["f_t"] = 1 - own["f_t"] / 2
        own["c_t"] = own["f_t"] * old + own["i_t"] * own["c_tilde"]
        own["h_t"] = own["o_t"] * np.tanh(own["c_t"])
        judgements = judge_whole_step(one, own)
        assert not judgements["f_t"].right and all(judgements[name].right for name in ("i_t", "c_tilde", "o_t"))
        for name, earlier in (("c_t", "f_t"), ("h_t", "c_t")):
            # At level 1, h_t may be the true one although c_t is not.
            # There, an entry that is not whole is right only if it is the true one, and may round to it.
            is_between = level == 1 and not float(own[name]).is_integer()
            accepted = EXACT if is_between else one.parts[name].accepted
            off = abs(own[name] - one.parts[name].answer)
            is_unrounded = is_between and off <= one.parts[name].tolerance
            wrong = Judgement(Outcome.UNROUNDED) if is_unrounded else Judgement(Outcome.FOLLOWS, earlier=(earlier,))
            assert judgements[name] == (RIGHT if off <= accepted else wrong)
        # The true ones stay right, whatever went before.
        assert judge_whole_step(one, own | {"c_t": one.parts["c_t"].answer})["c_t"].right
        # With a forget gate of 1, leaving it out is no mistake.
        if "no_forget" in one.parts["c_t"].mistakes and own["f_t"] < 0.99:
            wrong = own | {"c_t": old + own["i_t"] * own["c_tilde"]}
            assert "no_forget" in judge_whole_step(one, wrong)["c_t"].mistakes


FOLLOWING = (Outcome.FOLLOWS, ("c_tilde",)), (Outcome.FOLLOWS, ("c_t",))


@pytest.mark.parametrize(
    ("level", "typed", "c_t", "h_t"),
    [
        # σ for tanh in c_tilde, and what follows from it
        (3, (0.645, 0.422, 0.652, 0.592, -0.944, -0.435), *FOLLOWING),
        # c_tilde alone is corrected, then c_t too
        (3, (0.645, 0.422, 0.555, 0.592, -0.944, -0.435), (Outcome.UNKNOWN, ()), (Outcome.FOLLOWS, ("c_t",))),
        (3, (0.645, 0.422, 0.555, 0.592, -0.984, -0.435), (Outcome.RIGHT, ()), (Outcome.UNKNOWN, ())),
        (3, (0.645, 0.422, 0.555, 0.592, -0.984, -0.447), (Outcome.RIGHT, ()), (Outcome.RIGHT, ())),
        # a wrong input gate, and a true h_t after a wrong c_t
        (1, (1, 1, -1, 1, -9, -1), (Outcome.FOLLOWS, ("i_t",)), (Outcome.RIGHT, ())),
    ],
)
def test_what_follows_from_a_wrong_entry_is_not_right_and_names_that_entry(level, typed, c_t, h_t):
    judgements = judge_whole_step(sample_whole_step(level, 1), dict(zip(ENTRIES, typed, strict=True)))
    assert [(judgements[name].code, judgements[name].earlier) for name in ("c_t", "h_t")] == [c_t, h_t]


def test_a_right_entry_with_too_few_decimals_does_not_follow_from_others_with_too_few():
    one = sample_whole_step(3, 8)
    typed = dict(zip(ENTRIES, (0.27, 0.65, -0.96, 0.38, -0.49, -0.17), strict=True))
    assert {judgement.code for judgement in judge_whole_step(one, typed).values()} == {Outcome.ROUNDED}


def test_what_follows_from_right_entries_with_the_typed_decimals_is_right():
    for seed in range(SEEDS):
        one = sample_whole_step(3, seed)
        own = {name: round(part.answer, 3) for name, part in one.parts.items()}
        own["c_t"] = own["f_t"] * float(one.given["c_prev"][0, 0]) + own["i_t"] * own["c_tilde"]
        own["h_t"] = own["o_t"] * np.tanh(own["c_t"])
        assert all(judgement.right for judgement in judge_whole_step(one, own).values()), seed


def test_an_entry_that_is_missing_or_no_number_counts_as_the_true_one():
    one = sample_whole_step(2, 5)
    truth = {name: part.answer for name, part in one.parts.items()}
    assert judge_whole_step(one, {"h_t": truth["h_t"]}) == {"h_t": RIGHT}
    for nothing in (np.nan, np.inf, 10**400, None, "x"):
        judgements = judge_whole_step(one, truth | {"c_t": nothing, "f_t": nothing})
        assert [name for name, judgement in judgements.items() if not judgement.right] == ["f_t", "c_t"]
    assert judge_whole_step(one, {}) == {}


def test_a_wrong_sign_in_a_chain_is_named_also_in_what_follows_from_ones_own_entries():
    one = sample_whole_step(2, 3)
    truth = {name: part.answer for name, part in one.parts.items()}
    W, b, x = (float(one.given[name].ravel()[-1]) for name in ("W_c", "b_c", "x_t"))
    signed = {
        "sign": -truth["c_tilde"],
        "bias_subtracted": np.tanh(np.arctanh(truth["c_tilde"]) - 2 * b),
        "product_sign:1": np.tanh(np.arctanh(truth["c_tilde"]) - 2 * W * x),
    }
    for mistake, gives in signed.items():
        judged = judge_whole_step(one, truth | {"c_tilde": float(gives)})
        assert judged["c_tilde"] == Judgement(Outcome.NAMED, (mistake,)), mistake
    for name in ("c_t", "h_t"):
        assert judge_whole_step(one, truth | {name: -truth[name]})[name] == Judgement(Outcome.NAMED, ("sign",))
    c_prev = float(one.given["c_prev"][0, 0])
    own = 0.5 * c_prev + truth["i_t"] * truth["c_tilde"]
    assert judge_whole_step(one, truth | {"f_t": 0.5, "c_t": -own})["c_t"] == Judgement(Outcome.NAMED, ("sign",))


@pytest.mark.parametrize(
    ("entry", "typed", "mistakes"),
    [
        # z_f = 13, z_i = −40, z_c = −48, z_o = 28
        ("c_tilde", 1, {"sign", "other_gate:f", "other_gate:o"}),
        ("i_t", 1, {"sign_of_exponent", "other_gate:f", "other_gate:o"}),
        (
            "o_t",
            0,
            {"sign_of_exponent", "other_gate:i", "other_gate:c", "product_sign:1", "derivative_for_value", "no_x"},
        ),
        ("h_t", 1, {"sign"}),
    ],
)
def test_at_level_1_all_mistakes_that_give_a_number_are_named(entry, typed, mistakes):
    one = sample_whole_step(1, 1)
    truth = {name: part.answer for name, part in one.parts.items()}
    judgement = judge_whole_step(one, truth | {entry: typed})[entry]
    assert judgement.code == Outcome.NAMED and {*judgement.mistakes} == mistakes


def test_values_in_each_others_fields_are_named():
    one = sample_whole_step(3, 1)
    truth = {name: part.answer for name, part in one.parts.items()}
    judged = judge_whole_step(one, truth | {"c_tilde": truth["o_t"], "o_t": truth["c_tilde"]})
    assert judged["c_tilde"].mistakes == ("entry_of_other:o",) and judged["o_t"].mistakes == ("entry_of_other:c",)


@pytest.mark.parametrize(("at", "sign"), [(0, -1), (1, 1)])
def test_a_product_of_c_t_with_the_opposite_sign_is_named(at, sign):
    """By hand, for f_t = 0.75, c_prev = −5, i_t = 0.25 and c_tilde = −1."""
    one = exercise("lstm-c", 1, 1)
    assert f"product_sign:{at}" in judge(one, sign * (-3.75 + 0.25)).mistakes
    whole = sample_whole_step(2, 3)
    own = {name: part.answer for name, part in whole.parts.items()} | {"f_t": 0.5}
    terms = (0.5 * float(whole.given["c_prev"][0, 0]), own["i_t"] * own["c_tilde"])
    judged = judge_whole_step(whole, own | {"c_t": sign * (terms[0] - terms[1])})["c_t"]
    assert judged == Judgement(Outcome.NAMED, (f"product_sign:{at}",))


def test_a_chain_is_the_same_every_time_and_another_with_salt():
    assert sample_whole_step(2, 3).given["W_f"].tolist() == sample_whole_step(2, 3).given["W_f"].tolist()
    assert sample_whole_step(2, 3).given["W_f"].tolist() != sample_whole_step(2, 3, salt="s").given["W_f"].tolist()


@pytest.mark.slow
@every_level
def test_many_chains_can_be_told_apart(level):
    for seed in range(MANY // 10):
        one = sample_whole_step(level, seed)
        for part in one.parts.values():
            assert judge(part, part.answer).right
            assert all(judge(part, gives) == named_by(part, gives) for gives in part.mistakes.values())
            if level > 1:
                apart = [gives for name, gives in part.mistakes.items() if name.partition(":")[0] not in ALIKE]
                assert are_distinguishable([part.answer, *apart], part.tolerance)


# ---- typed answers -----------------------------------------------------------------------------


def expect_unreadable(text: str, code: str, **values: object) -> None:
    with pytest.raises(UnreadableAnswer) as raised:
        parse_answer(text)
    assert (raised.value.code, raised.value.values) == (code, values)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("3", 3.0),
        (" -1.5 ", -1.5),
        ("−1.5", -1.5),
        ("− 0,5", -0.5),
        ("0,5", 0.5),
        ("1/2", 0.5),
        ("-3 / 4", -0.75),
        ("1e-3", 0.001),
        (".5", 0.5),
        ("(4, 7)", (4, 7)),
        ("[4,7]", (4, 7)),
        ("(4,)", (4,)),
        ("(−1.5)", -1.5),
        ("4, 7", (4, 7)),
        ("4 7", (4, 7)),
        ("4x7", (4, 7)),
        ("4,7", 4.7),
        ("1; 0; 2; 3", (1, 0, 2, 3)),
        ("22 220", (22, 220)),
    ],
)
def test_an_answer_is_read_as_people_write_it(text, answer):
    assert parse_answer(text) == answer


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5*tanh(-0.65)", 0.5 * np.tanh(-0.65)),
        ("σ(0.72)", 1 / (1 + np.exp(-0.72))),
        ("σ(-1000)", 0.0),
        ("Sigmoid(0,72)", 1 / (1 + np.exp(-0.72))),
        ("1 − tanh(0.5)²", 1 - np.tanh(0.5) ** 2),
        ("-0.3^2", -0.09),
        ("2**3", 8.0),
        ("0,8·(−1,6) + 0,7×0.9", -0.65),
        ("(1-0.44)*(0.3)", 0.168),
        ("1/(1+exp(0.5))", 1 / (1 + np.exp(0.5))),
        ("5 - 3", 2.0),
        ("1 - -2", 3.0),
        ("8/2/2", 2.0),
        ("3*-2", -6.0),
        ("3-2", 1.0),
        ("0,25*20", 5.0),
        ("4 × 7", 28.0),
        ("e^2", np.exp(2)),
        ("1/(1+e^-0.5)", 1 / (1 + np.exp(-0.5))),
        ("2·e^(−1,5) + e**0.5", 2 * np.exp(-1.5) + np.exp(0.5)),
    ],
)
def test_a_calculation_is_read(text, value):
    assert parse_answer(text) == pytest.approx(value)
    assert decimals_of_answer(text) == 15 and is_calculation(text)


@pytest.mark.parametrize(
    "text",
    [
        "3",
        "−0.5",
        "1/2",
        "1e-3",
        "4, 7",
        "(4, 7)",
        "4x7",
        "22 220",
        "2 -3",
        "tanh",
        "2 3*4",
        "2^10",
        "٣*2",
        "x*2",
        "e",
        "2e^2",
        "e^x",
    ],
)
def test_numbers_whole_numbers_and_other_texts_are_no_calculation(text):
    assert not is_calculation(text)


def test_a_calculation_without_a_value_is_refused_with_its_reason():
    for text, code in (("1/(1-1)", "zero_denominator"), ("exp(999)*2", "too_large"), ("1e300*1e300", "too_large")):
        with pytest.raises(UnreadableAnswer) as raised:
            parse_answer(text)
        assert raised.value.code == code and not is_calculation(text)


@given(st.text("0123456789.,/e()+-*^ tanhσ", max_size=90))
def test_no_calculation_raises_anything_but_an_unreadable_answer(text):
    try:
        answer = parse_answer(text)
    except UnreadableAnswer:
        return
    assert np.all(np.isfinite(answer))
    decimals_of_answer(text)


def test_a_calculation_is_an_answer_at_every_level():
    assert judge(exercise("z", 1, 1), parse_answer("-37+8")) == RIGHT
    assert judge(exercise("lstm-h", 2, 1), parse_answer("0.5*tanh(0.8*-1.6+0.7*0.9)")) == RIGHT
    rows, columns = exercise("shape", 1, 1).answer
    assert judge(exercise("shape", 1, 1), parse_answer(f"{rows - 1}+1, {columns}*1", whole=True)) == RIGHT


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("typed", ["1e308", "-1e308"])
def test_the_largest_number_is_judged_as_wrong(typed, level):
    assert judge(exercise("lstm-h", level, 1), parse_answer(typed), decimals_of_answer(typed)).code == Outcome.BEYOND


def test_a_calculation_is_not_taken_for_a_rounded_answer():
    one = exercise("lstm-h", 2, 1)
    assert judge(one, -0.29, 2).code == Outcome.ROUNDED
    typed = "0.29*-1"
    assert judge(one, parse_answer(typed), decimals_of_answer(typed)).code != Outcome.ROUNDED


@pytest.mark.parametrize(
    ("kind", "level", "text", "answer"),
    [
        ("lstm-h", 2, "0,558", 0.558),
        ("lstm-h", 2, "−0,558", -0.558),
        ("lstm-h", 2, "1,234", 1.234),  # an answer near it is possible
        ("lstm-h", 2, "8.000", 8.0),  # the page writes decimals with a point
        ("z", 3, "2,345", 2.345),
        ("count", 3, "8000", 8000.0),
        ("count", 3, "0,500", 0.5),
        ("count", 3, "12.345", 12.345),
        ("count", 3, "4*0,250", 1.0),
        ("z", 1, "8,5", 8.5),
        ("z", 1, "8,0000", 8.0),
        ("shape", 3, "64,256", (64, 256)),
    ],
)
def test_a_comma_is_a_decimal_one_where_it_can_only_be_one(kind, level, text, answer):
    assert parse_answer_to(exercise(kind, level, 2), text) == pytest.approx(answer)


@pytest.mark.parametrize(
    ("kind", "level", "text", "values"),
    [
        ("count", 3, "8,000", {"part": "8,000", "decimal": "8", "grouped": "8000"}),
        ("count", 3, " −8,000", {"part": "-8,000", "decimal": "−8", "grouped": "−8000"}),
        ("count", 3, "8.000", {"part": "8.000", "decimal": "8", "grouped": "8000"}),
        ("z", 1, "8,000", {"part": "8,000", "decimal": "8", "grouped": "8000"}),
        ("lstm-h", 2, "8,000", {"part": "8,000", "decimal": "8", "grouped": "8000"}),
        ("lstm-h", 2, "123,456", {"part": "123,456", "decimal": "123.456", "grouped": "123456"}),
    ],
)
def test_a_number_that_may_have_a_thousands_separator_is_refused_with_both_readings(kind, level, text, values):
    with pytest.raises(UnreadableAnswer) as raised:
        parse_answer_to(exercise(kind, level, 2), text)
    assert (raised.value.code, raised.value.values) == ("two_readings", values)
    # Either reading can be entered.
    for reading in (values["decimal"], values["grouped"]):
        assert abs(parse_answer_to(exercise(kind, level, 2), reading)) >= 1


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("12,345", {"part": "12,345", "decimal": "12.345", "grouped": "12345"}),
        ("4*1,250", {"part": "1,250", "decimal": "1.25", "grouped": "1250"}),
    ],
)
def test_where_a_whole_number_is_asked_for_a_separator_is_refused(text, values):
    with pytest.raises(UnreadableAnswer) as raised:
        parse_answer_to(exercise("count", 3, 2), text)
    assert (raised.value.code, raised.value.values) == ("separator", values)


def test_the_answer_with_a_decimal_comma_is_always_read():
    for kind in KINDS:
        for level in (2, 3):
            for seed in range(SEEDS // 3):
                one = made(kind, level, seed)
                if not one.is_whole and not isinstance(one.answer, tuple):
                    for value in (one.answer, *one.mistakes.values()):
                        assert parse_answer_to(one, f"{value:.3f}".replace(".", ",")) == pytest.approx(value, abs=6e-4)


def test_where_whole_numbers_are_asked_for_a_comma_parts_them():
    assert parse_answer("4,7", whole=True) == (4, 7)
    assert parse_answer("1,0,2,3", whole=True) == (1, 0, 2, 3)
    assert parse_answer("4", whole=True) == (4,)
    assert parse_answer("(4*(7+3), 2*8)", whole=True) == parse_answer("4*10; 16", whole=True) == (40, 16)
    for text in ("168-223", "168–223", "168−223", "168*223"):
        assert parse_answer(text, whole=True) == (168, 223)
    with pytest.raises(UnreadableAnswer) as raised:
        parse_answer("4.5", whole=True)
    assert (raised.value.code, raised.value.values["part"]) == ("not_whole", "4.5")


@pytest.mark.parametrize("text", ["h = 0.673", "660 parameters", "x", "45%", "1.5, 2"])
def test_where_one_number_is_asked_for_the_whole_text_is_said_to_be_none(text):
    expect_unreadable(text, "not_number", part=text)


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [
        ("", "not_number", {"part": ""}),
        (" ", "not_number", {"part": ""}),
        ("()", "not_whole", {"part": "()", "digits": 9}),
        ("(", "not_number", {"part": "("}),
        ("1/0", "zero_denominator", {}),
        ("1//2", "not_number", {"part": "1//2"}),
        ("(2)/(3+x)", "not_number", {"part": "(2)/(3+x)"}),
        ("(3)(4)", "not_number", {"part": "(3)(4)"}),
        ("inf", "not_number", {"part": "inf"}),
        ("nan", "not_number", {"part": "nan"}),
        ("1e999", "too_large", {"part": "1e999"}),
        ("1e308/1e-300", "large_fraction", {}),
        ("1.000,5", "not_number", {"part": "1.000,5"}),
        ("1,0.5", "not_number", {"part": "1,0.5"}),
        ("__import__('os')", "not_number", {"part": "__import__('os')"}),
        ("(1.5, 2)", "not_whole", {"part": "1.5", "digits": 9}),
        ("(1, 2", "not_number", {"part": "(1, 2"}),
        ("٣", "not_number", {"part": "٣"}),
        ("1_0", "not_number", {"part": "1_0"}),
        ("0x1f", "not_number", {"part": "0x1f"}),
        ("9" * 81, "too_long", {"characters": 81, "most": 80}),
        ("(1,2,3,4,5,6,7,8,9)", "too_many_parts", {"parts": 9, "most": 8}),
        ("(99999999999,1)", "not_whole", {"part": "99999999999", "digits": 9}),
        ("\0", "not_number", {"part": "\0"}),
    ],
)
def test_an_answer_that_cannot_be_read_is_refused_with_its_reason(text, code, values):
    expect_unreadable(text, code, **values)


@given(st.one_of(st.floats(-1e9, 1e9), st.integers(-(10**8), 10**8)))
def test_a_number_comes_back(value):
    assert parse_answer(repr(value)) == value
    assert parse_answer(repr(value).replace(".", ",")) == value


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=8))
def test_whole_numbers_come_back(values):
    assert parse_answer(str(tuple(values))) == tuple(values)
    assert_array_equal(parse_answer(str(values), whole=True), values)
