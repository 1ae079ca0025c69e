"""The stories of the worked examples are true: each number that they have is computed again."""

import re
from dataclasses import replace

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import sigmoid
from core.cells import CELLS, lstm
from core.cells.lstm import LSTMStep
from core.cells.rnn import RNNStep
from core.examples import EXAMPLES
from core.saturation import is_saturated
from core.sequence.bptt import log_gains
from core.sequence.unroll import unroll
from dashboard.drawing.arithmetic import number
from dashboard.text.examples import EXAMPLES as TEXTS
from dashboard.text.examples import example_text
from tests.core.test_examples import THRESHOLD, column, every_example, taken, weighted

LIST = r"\[[−\d. ]+\]"
# Lists in a story that are not numbers of its example: the wrong sums of the source, and the product with [x; h].
FOREIGN = {"input-gate": ["[22 42 62]"], "forget-layer-hx": ["[91 175 133]"]}


def numbers(text: str) -> np.ndarray:
    return column(*(float(entry) for entry in text.strip("[]").replace("−", "-").split()))


def named_arrays(name: str) -> dict[str, np.ndarray]:
    """Return the arrays of an example by the names in its story."""
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
        "σ of the right and of the wrong z_i as": step.i_t.round(9),
    }


@every_example
def test_every_list_in_a_story_is_the_array_that_the_story_says(name):
    story, arrays = example_text(name).story, named_arrays(name)
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
    assert "prints [22 42 62], so two of its sums are wrong" in example_text("input-gate").story
    assert (taken("input-gate").z_i != numbers("[22 42 62]")).sum() == 2
    assert_array_equal(sigmoid.f(numbers("[22 42 62]")).round(8), np.ones((3, 1)))
    assert "instead of [91 175 133]" in example_text("forget-layer-hx").story
    assert_array_equal(weighted("forget-layer", "f"), numbers("[91 175 133]"))


def test_the_hadamard_story_has_the_factors_of_its_cell():
    step = taken("hadamard")
    a, b, product = re.search(
        rf"tanh\(c_t\) ∘ o_t = ({LIST}) ∘ ({LIST}) = ({LIST})", example_text("hadamard").story
    ).groups()
    assert_array_equal([numbers(a), numbers(b), numbers(product)], [step.tanh_c_t, step.o_t, step.h_t])


def of_gru(symbol: str) -> list[float]:
    """Return a symbol of the GRU's step in its example, rounded to 2 decimals as in the story."""
    return getattr(EXAMPLES["keep-or-replace"].scenario.step("GRU")[1], symbol)[:, 0].round(2).tolist()


def keeps_where_f_is_1(step: LSTMStep) -> bool:
    return np.array_equal(step.f_c, np.where(step.f_t == 1, step.c_prev, 0))


def of_lab(symbol: str) -> np.ndarray:
    """Return a symbol of the RNN's step in the example `lab`."""
    return getattr(EXAMPLES["lab"].scenario.step("RNN")[1], symbol)


def gains_of_vanishing(**choices) -> dict[str, float]:
    """Return the logarithm of each cell's gain from the last step back to the first."""
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
    """Return the number of the twelve units that are saturated at a scale."""
    spread = EXAMPLES["spread"].scenario.pre_activation("hidden")
    return int(is_saturated(spread.z(scale), spread.g, THRESHOLD).sum())


def one_hot_letters() -> np.ndarray:
    return EXAMPLES["letters"].scenario.sequence()[:, :, 0]


def of_first_step(scale: float = 1.0) -> RNNStep:
    return replace(EXAMPLES["first-step"].scenario, scale=scale).step("RNN")[1]


# A symbol, or a number with its power of ten.
TOKEN = re.compile(r"[A-Za-z]\u0303?_(?:\{t−1\}|\w+)|−?\d+(?:\.\d+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?%?")
# The claims of a story in its order, apart from lists in brackets: the symbols and numbers of a claim, which are none if it has only words,
# and a function that returns whether it is true.
CLAIMS = {
    "lab": {
        "245": (lambda: all(np.all(of_lab(symbol) == 245) for symbol in ("W_h_stacked", "W_hh_h_plus_W_hx_x", "z_t"))),
        "h_{t−1} 2 h_t 3": lambda: (len(of_lab("h_prev")), len(of_lab("h_t"))) == (2, 3),
        "245 1": lambda: np.all(of_lab("h_t") == 1),
    },
    "first-step": {
        "2 −1 0.5": lambda: of_first_step().z_t.ravel().tolist() == [2, -1, 0.5],
        "h_t 0.96 −0.76 0.46": (lambda: np.round(of_first_step().h_t.ravel(), 2).tolist() == [0.96, -0.76, 0.46]),
        "1 2 7%": lambda: round(100 * of_first_step().dg_z_t[0, 0]) == 7,
        "1.2 5%": lambda: of_first_step(1.2).dg_z_t[0, 0] < 0.05,
    },
    "keep-write-forget": {
        "1 f_t 1 1.89 2 c_{t−1}": lambda: (
            taken("keep-write-forget").f_t[0] > 0.9
            and taken("keep-write-forget").c_prev[0] == 2
            and np.round(taken("keep-write-forget").f_c[0], 2) == 1.89
        ),
        "i_t 0 c_t 1.88": lambda: (
            taken("keep-write-forget").i_t[0] < 0.1 and np.round(taken("keep-write-forget").c_t[0], 2) == 1.88
        ),
        "2 i_t 1": lambda: taken("keep-write-forget").i_t[1] > 0.9,
        "3 f_t 0 1.5 c_{t−1} i_t 0": lambda: (
            taken("keep-write-forget").c_prev[2] == 1.5
            and max(taken("keep-write-forget").f_t[2], taken("keep-write-forget").i_t[2]) < 0.1
            and abs(taken("keep-write-forget").c_t[2]) < 0.1
        ),
    },
    "keep-or-replace": {
        "1 u_t 1 0.8 0.76": lambda: of_gru("u_t")[0] > 0.9 and (of_gru("h_prev")[0], of_gru("h_t")[0]) == (0.8, 0.76),
        "2 u_t 0 0.32 0.37": lambda: (
            of_gru("u_t")[1] < 0.1
            and (of_gru("h_prev")[1], of_gru("h_t")[1], of_gru("h_tilde")[1]) == (-0.6, 0.32, 0.37)
        ),
        "3 0": lambda: 0.45 < of_gru("u_t")[2] < 0.55 and of_gru("r_t")[2] < 0.05,
    },
    "spread": {
        "": lambda: EXAMPLES["spread"].scenario.k == 12,
        "3 12": lambda: twelve_saturated(0.5) == 3,
        "0": lambda: twelve_saturated(0.5) < twelve_saturated(1) < twelve_saturated(4) == 11,
    },
    "letters": {
        "1": lambda: np.array_equal(one_hot_letters().sum(axis=1), np.ones(5)),
        "": lambda: np.array_equal(*one_hot_letters()[2:4]),
    },
    "vanishing": {
        "30 1 1.8·10⁻⁹": lambda: (
            EXAMPLES["vanishing"].scenario.T == 30 and f"{10 ** gains_of_vanishing()['RNN']:.1e}" == "1.8e-09"
        ),
        "3 0.29 29%": lambda: (
            EXAMPLES["vanishing"].scenario.forget_bias == 3
            and round(gains_of_vanishing()["LSTM"], 2) == -0.53
            and round(10 ** gains_of_vanishing()["LSTM"], 2) == 0.29
        ),
        "0.94": lambda: round(forget_gates_of_vanishing().mean(), 2) == 0.94,
        "5 96%": lambda: round(10 ** gains_of_vanishing(forget_bias=5.0)["LSTM"], 2) == 0.96,
        "0 6.3·10⁻⁸": lambda: f"{10 ** gains_of_vanishing(forget_bias=0.0)['LSTM']:.1e}" == "6.3e-08",
    },
    "forget-layer": {
        "W_f 3 3 W_f 3 6": (lambda: EXAMPLES["forget-layer"].scenario.step_arguments("LSTM")[0].W_f.shape == (3, 6)),
        "0": lambda: not np.any(taken("forget-layer").z[3:]),
    },
    "forget-layer-hx": {},
    "input-gate": {
        "1 2 3 1": lambda: (
            np.all(EXAMPLES["input-gate"].scenario.step_arguments("LSTM")[0].W_i == column(1, 2, 3))
            and np.all(EXAMPLES["input-gate"].scenario.step_arguments("LSTM")[0].b_i == 1)
        ),
        "1 1 22 1 2 1.00": lambda: (
            taken("input-gate").z_i[0] == 22
            and number(taken("input-gate").i_t[0, 0], 2) == "1.00"
            and taken("input-gate").i_t[0] < 1
        ),
        "0": lambda: not np.any(taken("input-gate").z[6:]),
    },
    "hadamard": {
        "3 4 3 10": lambda: np.dot([1, 2, 3], [3, 2, 1]) == 10,
        "2 3": lambda: sigmoid.range == (0, 1),
        "h_t 1 1": lambda: np.array_equal(
            taken("hadamard").h_t == 1, (taken("hadamard").tanh_c_t == 1) & (taken("hadamard").o_t == 1)
        ),
    },
    "stochastic-gates": {
        "0 1": lambda: np.isin(taken("stochastic-gates").f_t, (0, 1)).all(),
        "f_t 1": lambda: EXAMPLES["stochastic-gates"].scenario.stochastic,
        "f_t 1 c_{t−1}": lambda: keeps_where_f_is_1(taken("stochastic-gates")),
    },
    "carousel": {
        "f_t 1 i_t 0": lambda: np.all(taken("carousel").f_t == 1) and not np.any(taken("carousel").i_t),
        "f_t 1": lambda: np.all(taken("carousel").f_t == 1),
    },
    "saturated-cell": {
        "f_t 1 i_t 1": lambda: np.all([taken("saturated-cell").f_t, taken("saturated-cell").i_t] == np.array(1)),
        "c̃_t 1": lambda: np.all(taken("saturated-cell").i_c_tilde == 1),
    },
    "forget-bias-0": {
        "0 0.5": lambda: np.all(abs(taken("forget-bias-0").f_t - 0.5) < 0.1),
        "0.5 10 0.001": lambda: round(0.5**10, 3) == 0.001,
    },
    "forget-bias-1": {
        "1": lambda: EXAMPLES["forget-bias-1"].scenario.forget_bias == 1,
        "1 0.731": lambda: np.all(abs(taken("forget-bias-1").f_t - 0.731) < 0.1),
        "0.731 10 0.044": lambda: round(0.731**10, 3) == 0.044,
        "0 0.5 10 0.00098": lambda: round(0.5**10, 5) == 0.00098,
        "45 1 0": (lambda: round((1 / (1 + np.exp(-1)) / 0.5) ** 10) == 45),
    },
}


@every_example
def test_every_claim_of_a_story_is_true_and_no_number_goes_unclaimed(name):
    story = re.sub(LIST, "", example_text(name).story)
    assert name in CLAIMS or not story, f"write into CLAIMS what the story of {name} claims in numbers"
    for known in (*EXAMPLES, *FOREIGN):
        story = story.replace(known, "")
    left = " ".join(TOKEN.findall(story))
    unclaimed = ""
    for claim, holds in CLAIMS.get(name, {}).items():
        before, found, left = left.partition(claim) if claim else ("", "", left)
        assert found == claim
        assert holds(), claim
        unclaimed += before
    assert re.findall(r"\d+", (unclaimed + left).replace("{t−1}", "")) == []


@every_example
def test_a_story_names_no_example_that_does_not_exist(name):
    story, titles = example_text(name).story, {example_text(other).title for other in EXAMPLES}
    assert len(titles) == len(EXAMPLES)
    assert set(re.findall("“(.*?)”", story)) <= titles - {example_text(name).title}
    # By its title alone: its name stands in links.
    assert not [other for other in EXAMPLES if "-" in other and re.search(rf"(?<!-)\b{other}\b(?!-)", story)]


def test_no_text_is_about_an_example_that_does_not_exist():
    assert TEXTS.keys() <= EXAMPLES.keys()
