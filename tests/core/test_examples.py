"""The worked examples: the source material's numbers to the last digit, and stories that are true of them."""

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import sigmoid, tanh
from core.cells import CELLS, lstm
from core.cells.lstm import LSTMStep
from core.cells.rnn import RNNStep
from core.examples import EXAMPLES
from core.saturation import is_saturated, saturated_at
from core.sequence.bptt import log_gains
from core.sequence.unroll import unroll
from tests.any_cell import held

THRESHOLD = 0.05
every_example = pytest.mark.parametrize("name", EXAMPLES)


def taken(name: str, **choices) -> LSTMStep:
    """The step of an example, with some choices changed."""
    return replace(EXAMPLES[name].scenario, **choices).step("LSTM")[1]


def weighted(name: str, gate: str) -> np.ndarray:
    """A gate's weights times the stack, without the bias."""
    params, _, _ = EXAMPLES[name].scenario.step_arguments("LSTM")
    return getattr(params, f"W_{gate}") @ taken(name).stacked


def column(*entries: float) -> np.ndarray:
    return np.array(entries)[:, None]


# ---- the source material's numbers ------------------------------------------------------------


def test_the_lab_saturates_every_gate_at_245():
    step = taken("lab")
    assert_array_equal(step.z, np.full((12, 1), 245), strict=True)
    assert_array_equal([step.f_t, step.i_t, step.c_tilde, step.o_t], np.ones((4, 3, 1)))


@pytest.mark.parametrize(
    ("name", "gate", "stacked", "without_bias", "z"),
    [
        ("forget-layer", "f", [1, 2, 3, 4, 5, 6], [91, 175, 133], [92, 177, 136]),
        ("forget-layer-hx", "f", [4, 5, 6, 1, 2, 3], [64, 148, 106], [65, 150, 109]),
        ("input-gate", "f", [1, 2, 3, 4, 5, 6], [91, 175, 133], [92, 177, 136]),
        ("input-gate", "i", [1, 2, 3, 4, 5, 6], [21, 42, 63], [22, 43, 64]),
    ],
)
def test_the_gates_of_the_question_and_of_its_answer(name, gate, stacked, without_bias, z):
    step = taken(name)
    assert_array_equal(step.stacked, column(*stacked), strict=True)
    assert_array_equal(weighted(name, gate), column(*without_bias), strict=True)
    assert_array_equal(getattr(step, f"z_{gate}"), column(*z), strict=True)
    assert_array_equal(getattr(step, f"{gate}_t").round(9), np.ones((3, 1)))


def test_both_forget_layers_have_the_weights_of_the_question():
    question = [[1, 2, 3, 4, 5, 6], [5, 6, 7, 8, 9, 10], [3, 4, 5, 6, 7, 8]]
    for name in ("forget-layer", "forget-layer-hx", "input-gate"):
        assert_array_equal(EXAMPLES[name].scenario.step_arguments("LSTM")[0].W_f, question, strict=True)


@every_example
def test_the_order_of_both_joins_changes_no_result(name):
    results = [taken(name, order=order) for order in ("hx", "xh")]
    for symbol in set(LSTMStep._fields) - {"stacked"}:
        assert_allclose(*(getattr(step, symbol) for step in results), rtol=1e-13, atol=1e-15, err_msg=symbol)


def test_the_hadamard_product_of_what_is_on():
    step = taken("hadamard")
    assert_array_equal(step.tanh_c_t, column(0, 1, 1))
    assert_array_equal(step.o_t, column(0, 0, 1))
    assert_array_equal(step.h_t, column(0, 0, 1))


def test_the_probabilities_of_the_stochastic_gates():
    example = EXAMPLES["stochastic-gates"].scenario
    assert example.stochastic
    assert_allclose(taken("stochastic-gates", stochastic=False).f_t, column(0.5, 0.8, 0.9), rtol=1e-15)
    drawn = [taken("stochastic-gates", seed=seed).f_t for seed in range(800)]
    assert_array_equal(np.unique(drawn), [0, 1])
    assert_allclose(np.mean(drawn, axis=0), column(0.5, 0.8, 0.9), atol=0.04)


def test_the_carousel_carries_the_cell_exactly_and_for_ever():
    params, state, x_t = EXAMPLES["carousel"].scenario.step_arguments("LSTM")
    first = state.c
    for _ in range(100):
        step = lstm.step(params, state, x_t)
        state = lstm.next_state(step)
    assert_array_equal(state.c, first)
    assert_array_equal(step.f_t, np.ones((3, 1)))
    assert_array_equal(step.i_t, np.zeros((3, 1)))
    assert (
        saturated_at(step.z_f, sigmoid, THRESHOLD).high.all() and saturated_at(step.z_i, sigmoid, THRESHOLD).low.all()
    )


def test_the_saturated_cell_grows_by_1_and_shows_1():
    step = taken("saturated-cell")
    assert_array_equal(step.c_prev, column(3, 6, 20))
    assert_array_equal(step.c_t, column(4, 7, 21))
    assert is_saturated(step.c_t, tanh, THRESHOLD).all()
    assert_allclose(step.h_t, np.ones((3, 1)), atol=1e-3)


def test_a_forget_bias_of_1_opens_the_same_gate_wider():
    without, with_1 = (taken(f"forget-bias-{bias}") for bias in (0, 1))
    assert_allclose(without.f_t, 0.5, atol=0.1)
    assert_allclose(with_1.f_t, sigmoid.f(np.array(1.0)), atol=0.1)
    assert_allclose(with_1.z_f, without.z_f + 1, rtol=1e-14)
    for symbol in set(LSTMStep._fields) - {"z_f", "p_f", "f_t", "f_c", "c_t", "tanh_c_t", "h_t"}:
        assert_array_equal(getattr(with_1, symbol), getattr(without, symbol), err_msg=symbol)


# ---- the typed numbers ------------------------------------------------------------------------


@every_example
def test_every_typed_array_is_used_whole(name):
    example = EXAMPLES[name].scenario
    arrays = held(example.cell, example)
    for matrix, typed in example.arrays.items():
        assert_array_equal(arrays[matrix], typed, strict=True, err_msg=matrix)
        assert not typed.flags.writeable


@every_example
def test_an_example_recurs_unless_it_is_the_lab(name):
    assert (EXAMPLES[name].scenario.k == EXAMPLES[name].scenario.n) == (name != "lab")


# ---- the stories ------------------------------------------------------------------------------

LIST = r"\[[−\d. ]+\]"
# What stands beside the example's own numbers: a slip of the source and the other stacking's numbers.
FOREIGN = {"input-gate": ["[22 42 62]"], "forget-layer-hx": ["[91 175 133]"]}


def numbers(text: str) -> np.ndarray:
    return column(*(float(entry) for entry in text.strip("[]").replace("−", "-").split()))


def named_arrays(name: str) -> dict[str, np.ndarray]:
    """The arrays of an example by what its story calls them."""
    step = taken(name)
    stack_name = {"hx": "[h; x]", "xh": "[x; h]"}[EXAMPLES[name].scenario.order]
    return {
        "x_t": step.x_t,
        "h_{t−1}": step.h_prev,
        stack_name: step.stacked,
        **{f"W_{gate}·{stack_name}": weighted(name, gate) for gate in lstm.GATES},
        **{f"z_{gate}": getattr(step, f"z_{gate}") for gate in lstm.GATES},
        "σ(z_f)": sigmoid.f(step.z_f),
        "tanh(c_t) ∘ o_t": step.h_t,
        "σ(z_f) as": step.f_t.round(9),
        "σ of both as": step.i_t.round(9),
    }


@every_example
def test_every_list_in_a_story_is_the_array_that_the_story_says(name):
    story, arrays = EXAMPLES[name].story, named_arrays(name)
    told = re.findall(LIST, story)
    shown = []
    for symbol, array in arrays.items():
        for text in re.findall(rf"(?<!\S){re.escape(symbol)} (?:= )?({LIST})(?! ∘)", story):
            assert_allclose(numbers(text), array, rtol=1e-15, err_msg=symbol)
            shown.append(text)
    for a, b, product in re.findall(rf"({LIST}) ∘ ({LIST}) = ({LIST})", story):
        assert_array_equal(numbers(a) * numbers(b), numbers(product))
        shown += [a, b, product]
    for before, after in re.findall(rf"({LIST}) becomes ({LIST})", story):
        assert_array_equal(numbers(before), taken(name).c_prev)
        assert_array_equal(numbers(after), taken(name).c_t)
        shown += [before, after]
    assert sorted(shown + FOREIGN.get(name, [])) == sorted(told)


def test_the_lists_that_are_not_an_examples_own():
    assert "prints [22 42 62], so two of its sums are wrong" in EXAMPLES["input-gate"].story
    assert (taken("input-gate").z_i != numbers("[22 42 62]")).sum() == 2
    assert_array_equal(sigmoid.f(numbers("[22 42 62]")).round(8), np.ones((3, 1)))
    assert "instead of [91 175 133]" in EXAMPLES["forget-layer-hx"].story
    assert_array_equal(weighted("forget-layer", "f"), numbers("[91 175 133]"))


def test_the_hadamard_story_has_the_factors_of_its_cell():
    step = taken("hadamard")
    a, b, product = re.search(
        rf"tanh\(c_t\) ∘ o_t = ({LIST}) ∘ ({LIST}) = ({LIST})", EXAMPLES["hadamard"].story
    ).groups()
    assert_array_equal([numbers(a), numbers(b), numbers(product)], [step.tanh_c_t, step.o_t, step.h_t])


def of_gru(symbol: str) -> list[float]:
    """A symbol of the GRU's step in its example, rounded as the story prints it."""
    return getattr(EXAMPLES["keep-or-replace"].scenario.step("GRU")[1], symbol)[:, 0].round(2).tolist()


def keeps_where_f_is_1(step: LSTMStep) -> bool:
    return np.array_equal(step.f_c, np.where(step.f_t == 1, step.c_prev, 0))


def of_lab(symbol: str) -> np.ndarray:
    """A symbol of the plain cell's step."""
    return getattr(EXAMPLES["lab"].scenario.step("RNN")[1], symbol)


def gains_of_vanishing(**choices) -> dict[str, float]:
    """The logarithm of each cell's gain from the last step back to the first."""
    scenario = replace(EXAMPLES["vanishing"].scenario, **choices)
    xs, logs = scenario.noise(scenario.T), {}
    for name in ("RNN", "LSTM"):
        params, state = scenario.params_and_initial_state(name)
        logs[name] = log_gains(CELLS[name].jacobian(params, unroll(CELLS[name], params, state, xs)))[-1, 0]
    return logs


def forget_gates_of_vanishing() -> np.ndarray:
    scenario = EXAMPLES["vanishing"].scenario
    params, state = scenario.params_and_initial_state("LSTM")
    return unroll(lstm, params, state, scenario.noise(scenario.T)).f_t


def twelve_saturated(scale: float) -> int:
    """How many of the twelve units are saturated at a scale."""
    spread = EXAMPLES["spread"].scenario.pre_activation("hidden")
    return int(is_saturated(spread.z(scale), spread.g, THRESHOLD).sum())


def one_hot_letters() -> np.ndarray:
    return EXAMPLES["letters"].scenario.sequence()[:, :, 0]


# What each story claims in numbers outside of brackets, and what makes it true.
def of_first_step(scale: float = 1.0) -> RNNStep:
    return replace(EXAMPLES["first-step"].scenario, scale=scale).step("RNN")[1]


CLAIMS = {
    "lab": {
        "Both formulas give 245 for every unit": (
            lambda: all(np.all(of_lab(symbol) == 245) for symbol in ("W_h_stacked", "W_hh_h_plus_W_hx_x", "z_t"))
        ),
        "h_{t−1} has 2 entries and h_t has 3": lambda: (len(of_lab("h_prev")), len(of_lab("h_t"))) == (2, 3),
        "σ(245) as 1 for every unit": lambda: np.all(of_lab("h_t") == 1),
    },
    "first-step": {
        "z is 2, −1 and 0.5": lambda: of_first_step().z_t.ravel().tolist() == [2, -1, 0.5],
        "h_t is 0.96, −0.76 and 0.46": (
            lambda: np.round(of_first_step().h_t.ravel(), 2).tolist() == [0.96, -0.76, 0.46]
        ),
        "Unit 1 is nearly saturated: at z = 2, only 7% of the maximum derivative": lambda: (
            round(100 * of_first_step().dg_z_t[0, 0]) == 7
        ),
        "Drag the weight scale to 1.2. Then less than 5% is left": lambda: of_first_step(1.2).dg_z_t[0, 0] < 0.05,
    },
    "keep-write-forget": {
        "Unit 1 keeps: f_t is near 1 and i_t near 0": lambda: (
            taken("keep-write-forget").f_t[0] > 0.9 and taken("keep-write-forget").i_t[0] < 0.1
        ),
        "it keeps 1.89 of the 2 in c_{t−1}. Writing changes this only a little, and c_t is 1.88": lambda: (
            taken("keep-write-forget").c_prev[0] == 2
            and np.round(taken("keep-write-forget").f_c[0], 2) == 1.89
            and np.round(taken("keep-write-forget").c_t[0], 2) == 1.88
        ),
        "Unit 2 writes: i_t is near 1": lambda: taken("keep-write-forget").i_t[1] > 0.9,
        "Unit 3 forgets: f_t and i_t are near 0, so hardly anything is left of the 1.5 in c_{t−1}": lambda: (
            taken("keep-write-forget").c_prev[2] == 1.5
            and max(taken("keep-write-forget").f_t[2], taken("keep-write-forget").i_t[2]) < 0.1
            and abs(taken("keep-write-forget").c_t[2]) < 0.1
        ),
    },
    "keep-or-replace": {
        "Unit 1 keeps: u_t is near 1, so its state hardly changes, from 0.8 to 0.76": lambda: (
            of_gru("u_t")[0] > 0.9 and (of_gru("h_prev")[0], of_gru("h_t")[0]) == (0.8, 0.76)
        ),
        "Unit 2 replaces: u_t is near 0, so its state becomes 0.32, close to its candidate of 0.37": lambda: (
            of_gru("u_t")[1] < 0.1
            and (of_gru("h_prev")[1], of_gru("h_t")[1], of_gru("h_tilde")[1]) == (-0.6, 0.32, 0.37)
        ),
        "Unit 3 mixes about half of its state with half of its candidate. Its reset gate is near 0": lambda: (
            0.45 < of_gru("u_t")[2] < 0.55 and of_gru("r_t")[2] < 0.05
        ),
    },
    "spread": {
        "The z of twelve units with random weights": lambda: EXAMPLES["spread"].scenario.k == 12,
        "3 of the 12 units are saturated": lambda: twelve_saturated(0.5) == 3,
        "the units saturate one by one, and their derivatives go towards 0": lambda: (
            twelve_saturated(0.5) < twelve_saturated(1) < twelve_saturated(4) == 11
        ),
    },
    "letters": {
        "which is 1 at that letter": lambda: np.array_equal(one_hot_letters().sum(axis=1), np.ones(5)),
        "The second l is the same input as the first one": lambda: np.array_equal(*one_hot_letters()[2:4]),
    },
    "vanishing": {
        "From step 30 back to step 1 the gradient of the RNN vanishes: only 1.8·10⁻⁹ of its norm is left": lambda: (
            EXAMPLES["vanishing"].scenario.T == 30 and f"{10 ** gains_of_vanishing()['RNN']:.1e}" == "1.8e-09"
        ),
        "With a forget bias of 3 the gain of the LSTM is 0.29, so 29% of the norm is left": lambda: (
            EXAMPLES["vanishing"].scenario.forget_bias == 3
            and round(gains_of_vanishing()["LSTM"], 2) == -0.53
            and round(10 ** gains_of_vanishing()["LSTM"], 2) == 0.29
        ),
        "Its forget gates are 0.94 on average": lambda: round(forget_gates_of_vanishing().mean(), 2) == 0.94,
        "With a bias of 5, 96% of the norm is left": lambda: (
            round(10 ** gains_of_vanishing(forget_bias=5.0)["LSTM"], 2) == 0.96
        ),
        "With a bias of 0 this gradient vanishes too: its gain is 6.3·10⁻⁸": lambda: (
            f"{10 ** gains_of_vanishing(forget_bias=0.0)['LSTM']:.1e}" == "6.3e-08"
        ),
    },
    "forget-layer": {
        "W_f is 3×3, but W_f has 3 rows and n + m = 6 columns": (
            lambda: EXAMPLES["forget-layer"].scenario.step_arguments("LSTM")[0].W_f.shape == (3, 6)
        ),
        "all other weights and biases are 0": lambda: not np.any(taken("forget-layer").z[3:]),
    },
    "forget-layer-hx": {},
    "input-gate": {
        "rows of 1s, 2s and 3s, and a bias of 1": lambda: (
            np.all(EXAMPLES["input-gate"].scenario.step_arguments("LSTM")[0].W_i == column(1, 2, 3))
            and np.all(EXAMPLES["input-gate"].scenario.step_arguments("LSTM")[0].b_i == 1)
        ),
        "their weights and biases are 0": lambda: not np.any(taken("input-gate").z[6:]),
    },
    "hadamard": {
        "one number, 3 + 4 + 3 = 10": lambda: np.dot([1, 2, 3], [3, 2, 1]) == 10,
        "A gate is between 0 and 1": lambda: sigmoid.range == (0, 1),
        "an output is 1 only if both factors are 1": lambda: np.array_equal(
            taken("hadamard").h_t == 1, (taken("hadamard").tanh_c_t == 1) & (taken("hadamard").o_t == 1)
        ),
    },
    "stochastic-gates": {
        "makes each entry of a gate randomly 0 or 1": lambda: np.isin(taken("stochastic-gates").f_t, (0, 1)).all(),
        "An entry of f_t is 1 with a probability": lambda: EXAMPLES["stochastic-gates"].scenario.stochastic,
        "where f_t is 1, the entry of c_{t−1} is kept": lambda: keeps_where_f_is_1(taken("stochastic-gates")),
    },
    "carousel": {
        "f_t = 1 and i_t = 0": lambda: np.all(taken("carousel").f_t == 1) and not np.any(taken("carousel").i_t),
        "multiplied by f_t = 1": lambda: np.all(taken("carousel").f_t == 1),
    },
    "saturated-cell": {
        "f_t = 1 and i_t = 1": lambda: np.all(
            [taken("saturated-cell").f_t, taken("saturated-cell").i_t] == np.array(1)
        ),
        "c̃_t = 1 is added at every step": lambda: np.all(taken("saturated-cell").i_c_tilde == 1),
    },
    "forget-bias-0": {
        "close to σ(0) = 0.5": lambda: np.all(abs(taken("forget-bias-0").f_t - 0.5) < 0.1),
        "about 0.5^10 ≈ 0.001": lambda: round(0.5**10, 3) == 0.001,
    },
    "forget-bias-1": {
        "with 1 added to the forget gate's bias": lambda: EXAMPLES["forget-bias-1"].scenario.forget_bias == 1,
        "close to σ(1) ≈ 0.73": lambda: np.all(abs(taken("forget-bias-1").f_t - 0.73) < 0.1),
        "about 0.73^10 ≈ 0.04": lambda: round(0.73**10, 2) == 0.04,
        "about 45 times as much as with a bias of 0. For this reason Keras starts with 1. PyTorch samples all its biases "
        "around 0": (lambda: round((1 / (1 + np.exp(-1)) / 0.5) ** 10) == 45),
    },
}


@every_example
def test_every_claim_of_a_story_is_true_and_no_number_goes_unclaimed(name):
    story = EXAMPLES[name].story
    assert name in CLAIMS or not story, f"write into CLAIMS what the story of {name} claims in numbers"
    for claim, holds in CLAIMS.get(name, {}).items():
        assert claim in story
        assert holds(), claim
        story = story.replace(claim, "")
    for known in (*EXAMPLES, *FOREIGN, "{t−1}"):
        story = story.replace(known, "")
    assert re.findall(r"\d+", re.sub(LIST, "", story)) == []


@every_example
def test_a_story_names_no_example_that_does_not_exist(name):
    story, titles = EXAMPLES[name].story, {example.title for example in EXAMPLES.values()}
    assert len(titles) == len(EXAMPLES)
    assert set(re.findall("“(.*?)”", story)) <= titles - {EXAMPLES[name].title}
    # By its title alone: its name stands in links.
    assert not [other for other in EXAMPLES if "-" in other and re.search(rf"(?<!-)\b{other}\b(?!-)", story)]
