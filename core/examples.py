"""The worked examples: named scenarios, each with what it shows, and some with a mistake.

Their numbers come from the hidden-state lab and from a question about the sizes in an LSTM with its answer;
the stories are true of the example as it stands, and a test holds their numbers.
"""

from typing import NamedTuple

import numpy as np

from core.arrays import Array
from core.scenario import Scenario

# Its numbers are the defaults of every URL that names no example; a page may open on another one (`first_of`).
DEFAULT_EXAMPLE = "lab"


class Example(NamedTuple):
    """A worked example.

    Attributes
    ----------
    title : str
        What it is called on the screen; links call it by its name in EXAMPLES.
    scenario : Scenario
    story : str
        What to see in it, and the mistake if there is one; empty for no panel.
    page : str
        The path of the page that it opens on and is told on.
    is_first : bool
        Whether the page opens on it where nothing is chosen.
    summary : str
        A short sentence for the list of examples.
    """

    title: str
    scenario: Scenario
    story: str = ""
    page: str = "lstm"
    is_first: bool = False
    summary: str = ""


def first_of(page: str) -> str:
    """Return the name of the example that a bare URL of a page opens: DEFAULT_EXAMPLE for a page without one of its own.

    Parameters
    ----------
    page : str
        Its path.
    """
    own = (name for name, example in EXAMPLES.items() if example.is_first and example.page == page)
    return next(own, DEFAULT_EXAMPLE)


def _column(*entries: float) -> Array:
    return _matrix(*([entry] for entry in entries))


def _matrix(*rows: list[float]) -> Array:
    array = np.array(rows)
    array.flags.writeable = False
    return array


def _blocks(gate: str, h_columns: Array, x_columns: Array) -> dict[str, Array]:
    return {f"W_{gate}h": h_columns, f"W_{gate}x": x_columns}


def _no_weights(**choices) -> Scenario:
    """Return gates that depend on their biases alone, with 3 units and 2 entries in x_t."""
    return Scenario(**{"m": 2, "n": 3, "k": 3, "w_hh": 0.0, "w_hx": 0.0, "x": 1.0} | choices)


# σ(40) is 1 and σ(−800) is 0 in float64.
OPEN, SHUT = _column(40, 40, 40), _column(-800, -800, -800)
FIRST_THREE = _matrix([1, 2, 3], [5, 6, 7], [3, 4, 5])
LAST_THREE = _matrix([4, 5, 6], [8, 9, 10], [6, 7, 8])
QUESTION = {"b_f": _column(1, 2, 3), "h_prev": _column(4, 5, 6), "x_t": _column(1, 2, 3)}

EXAMPLES = {
    "first-step": Example(
        "First step, small numbers",
        Scenario(
            m=2,
            n=3,
            k=3,
            init="normal",
            g="tanh",
            cell="RNN",
            arrays={
                "W_hh": _matrix([0.5, -1, 0.25], [1, 0.5, -0.5], [-1, 0.5, 0.5]),
                "W_hx": _matrix([0.5, -0.5], [0.5, 1], [1, 0.5]),
                "b_h": _column(0, -0.25, 0.25),
                "h_prev": _column(0.5, -0.5, 1),
                "x_t": _column(1, -1),
            },
        ),
        "z is 2, −1 and 0.5, so h_t is 0.96, −0.76 and 0.46. Unit 1 is nearly saturated: at z = 2, only 7% of the maximum derivative "
        "of tanh is left. Drag the weight scale to 1.2. Then less than 5% is left, and the unit counts as saturated.",
        summary="Three units with small numbers, to compute by hand.",
        page="",
        is_first=True,
    ),
    DEFAULT_EXAMPLE: Example(
        "Large sums of ones and nines",
        Scenario(),
        "This RNN of a lab exercise has ones and nines. Both formulas give 245 for every unit: one product with W_h, or two with W_hh and W_hx. "
        "h_{t−1} has 2 entries and h_t has 3, so only one step can be computed. NumPy prints σ(245) as 1 for every unit, so all units are saturated.",
        summary="Both formulas give z = 245 for every unit, so σ is saturated.",
        page="",
    ),
    "keep-write-forget": Example(
        "Keep, write, forget",
        Scenario(
            m=2,
            n=3,
            k=3,
            init="normal",
            scale=0.3,
            seed=2,
            arrays={
                "b_f": _column(3, 0, -3),
                "b_i": _column(-3, 3, -3),
                "b_c": _column(0, 1, 0),
                "b_o": _column(2, 2, 2),
                "h_prev": _column(0.8, -0.6, 0.5),
                "c_prev": _column(2, -1, 1.5),
            },
        ),
        "The biases give each of the three units a different behaviour. Unit 1 keeps: f_t is near 1 and i_t near 0, so it keeps "
        "1.89 of the 2 in c_{t−1}. Writing changes this only a little, and c_t is 1.88. Unit 2 writes: i_t is near 1, so most of c̃_t enters. Unit 3 forgets: f_t and i_t "
        "are near 0, so hardly anything is left of the 1.5 in c_{t−1}. To see how much each unit keeps, move the forget bias.",
        summary="One unit of an LSTM keeps its memory, one writes, and one forgets.",
        is_first=True,
    ),
    "keep-or-replace": Example(
        "Keep or replace",
        Scenario(
            m=2,
            n=3,
            k=3,
            init="normal",
            scale=0.4,
            seed=2,
            cell="GRU",
            arrays={"b_u": _column(3, -3, 0.1), "b_r": _column(0, 2, -3), "h_prev": _column(0.8, -0.6, 0.5)},
        ),
        "The biases give each of the three units a different behaviour. Unit 1 keeps: u_t is near 1, so its state hardly changes, from 0.8 to 0.76. "
        "Unit 2 replaces: u_t is near 0, so its state becomes 0.32, close to its candidate of 0.37. Unit 3 mixes about half of "
        "its state with half of its candidate. Its reset gate is near 0, so its candidate hardly depends on h_{t−1}. To see which units keep their "
        "behaviour, increase the weight scale.",
        summary="One unit of a GRU keeps its state, one replaces it, and one mixes old and new.",
        page="gru",
        is_first=True,
    ),
    "spread": Example(
        "Twelve units on the curve",
        Scenario(m=4, n=12, k=12, init="normal", g="tanh", scale=0.5, seed=1),
        "The z of twelve units with random weights are spread over the curve, and 3 of the 12 units are "
        "saturated. If you increase the weight scale, the units saturate one by one, and their derivatives go "
        "towards 0.",
        summary="Three of twelve units with random weights are saturated.",
        page="saturation",
        is_first=True,
    ),
    "letters": Example(
        "A word, letter by letter",
        Scenario(m=4, n=4, k=4, init="normal", scale=1.5, seed=3, cell="LSTM", input="word", word="hello"),
        "An LSTM reads the word hello, one letter at each step. Each letter has its own entry of x_t, which is 1 at that "
        "letter. The weights are random, so nothing is learned yet. The second l is the same input as the first one, but "
        "h_t is different: the state depends on the letters before it.",
        summary="The same letter gives a different state the second time.",
        page="sequence",
        is_first=True,
    ),
    "vanishing": Example(
        "Gradients over thirty steps",
        Scenario(m=3, n=8, k=8, init="glorot", g="tanh", T=30, forget_bias=3.0, cell="LSTM"),
        "The three cells have the same sizes, seed and scale. From step 30 back to step 1 the gradient of the RNN vanishes: only "
        "1.8·10⁻⁹ of its norm is left. This is its gain. With a forget bias of 3 the gain of the LSTM is 0.29, so 29% of the norm is left. Its forget "
        "gates are 0.94 on average. With a bias of 5, 96% of the norm is left. With a bias of 0 this gradient vanishes too: its "
        "gain is 6.3·10⁻⁸.",
        summary="How much of a gradient is left in an RNN, an LSTM and a GRU?",
        page="gradients",
        is_first=True,
    ),
    "forget-layer": Example(
        "The forget gate of a forum question",
        Scenario(
            m=3, n=3, k=3, order="xh", w_hh=0.0, w_hx=0.0, arrays=QUESTION | _blocks("f", LAST_THREE, FIRST_THREE)
        ),
        "A question on a forum asks for the sizes in the forget gate, with x_t = [1 2 3] and h_{t−1} = [4 5 6]. W_f·[x; "
        "h] = [91 175 133], and with the bias z_f = [92 177 136]. NumPy prints σ(z_f) as [1 1 1], so all of c_{t−1} is kept, and the "
        "gate is saturated. The question has two mistakes. It says that W_f is 3×3, but W_f has 3 rows and n + m = 6 columns. Its "
        "formula says [h; x], but its numbers are in the order [x; h]. With these weights the order matters: see “The "
        "forum question with [h; x]”. The question is only about the forget gate, so all other weights and biases are 0 here.",
        summary="A wrong size of W_f, and [x; h] instead of [h; x].",
    ),
    "forget-layer-hx": Example(
        "The forum question with [h; x]",
        Scenario(
            m=3, n=3, k=3, order="hx", w_hh=0.0, w_hx=0.0, arrays=QUESTION | _blocks("f", FIRST_THREE, LAST_THREE)
        ),
        "W_f has the same entries as in “The forget gate of a forum question”. But the stacked input is in the order of the "
        "formula, [h; x] = [4 5 6 1 2 3]. W_f·[h; x] = [64 148 106] instead of [91 175 133], and with the bias z_f = [65 "
        "150 109]. Here h and x were swapped in the stacked input, but not in the columns of W_f. The setting of the order in the sidebar "
        "swaps both, and then no result changes.",
        summary="h and x are swapped in the stacked input only, so the result is wrong.",
    ),
    "input-gate": Example(
        "The input gate",
        Scenario(
            m=3,
            n=3,
            k=3,
            order="xh",
            w_hh=0.0,
            w_hx=0.0,
            arrays=QUESTION
            | _blocks("f", LAST_THREE, FIRST_THREE)
            | _blocks("i", *[_matrix([1, 1, 1], [2, 2, 2], [3, 3, 3])] * 2)
            | {"b_i": _column(1, 1, 1)},
        ),
        "An answer to “The forget gate of a forum question” computes an input gate. Its W_i has rows of 1s, 2s and 3s, and a bias of 1. W_i·[x; h] = [21 42 63], "
        "so z_i = [22 43 64]. The answer prints [22 42 62], so two of its sums are wrong. NumPy prints σ of both as [1 1 1], so "
        "the mistake does not show in the gate. The answer has no numbers for the candidate and the output gate, so "
        "their weights and biases are 0 here.",
        summary="Two sums are wrong, but after σ all values are 1 anyway.",
    ),
    "hadamard": Example(
        "Entry by entry: Hadamard",
        _no_weights(
            arrays={"b_f": OPEN, "b_i": SHUT, "b_o": _column(-800, -800, 40), "c_prev": _column(0, 40, 40)},
        ),
        "∘ is the Hadamard product. It multiplies entry by entry, so the result has as many entries as each factor: [1 2 "
        "3] ∘ [3 2 1] = [3 4 3]. The dot product of the same two would be one number, 3 + 4 + 3 = 10. A gate is between 0 "
        "and 1, and these factors are not, so the page has other numbers. tanh(c_t) ∘ o_t = [0 1 1] ∘ [0 0 1] = [0 0 1]: an output is 1 "
        "only if both factors are 1.",
        summary="The Hadamard product multiplies entry by entry.",
    ),
    "stochastic-gates": Example(
        "Randomly sampled gates",
        _no_weights(
            stochastic=True,
            seed=1,
            arrays={
                "b_f": _column(0, np.log(4), np.log(9)),
                "b_i": SHUT,
                "b_o": OPEN,
                "c_prev": _column(1, 2, 3),
            },
        ),
        "An answer to “The forget gate of a forum question” makes each entry of a gate randomly 0 or 1. An entry of f_t is 1 with a probability of σ(z_f) = [0.5 0.8 0.9]: this is "
        "Bernoulli sampling. The standard LSTM multiplies by these probabilities themselves. To see the standard LSTM, turn off the sampling in "
        "the sidebar. The answer also says that a unit with an open gate is forgotten. The opposite is true: where f_t is 1, "
        "the entry of c_{t−1} is kept. To sample again, choose another seed.",
        summary="Each entry of a gate is randomly 0 or 1, unlike in the standard LSTM.",
    ),
    "carousel": Example(
        "The constant error carousel",
        _no_weights(arrays={"b_f": OPEN, "b_i": SHUT, "c_prev": _column(-2, 0.5, 3)}),
        "With f_t = 1 and i_t = 0, nothing is forgotten and nothing is written, so c_t = c_{t−1}, exactly and for as many "
        "steps as you like. The gradient along c is also multiplied by f_t = 1. Hochreiter and Schmidhuber built "
        "the LSTM around such a path, and called it the constant error carousel. Both gates are saturated, which makes them reliable. But they will "
        "hardly learn to be anything else.",
        summary="With open forget gates and closed input gates, the memory never changes.",
    ),
    "saturated-cell": Example(
        "A saturated cell",
        _no_weights(
            arrays={"b_f": OPEN, "b_i": OPEN, "b_c": OPEN, "b_o": OPEN, "c_prev": _column(3, 6, 20)},
        ),
        "With f_t = 1 and i_t = 1, nothing is forgotten, and c̃_t = 1 is added at every step. So c grows at every step: "
        "[3 6 20] becomes [4 7 21]. h_t does not grow, because tanh(c_t) is saturated. Almost nothing of the gradient with "
        "respect to h_t reaches c_t.",
        summary="With every gate open and c̃_t = 1, c grows by 1 at each step.",
    ),
    "forget-bias-0": Example(
        "Small weights, no forget bias",
        Scenario(m=3, n=4, k=4, init="normal", scale=0.05),
        "These untrained weights are very small, so without a bias every gate is about half open. f_t is close to σ(0) = "
        "0.5. Over ten steps, such an f_t multiplies an entry of c by about 0.5^10 ≈ 0.001. Compare “Small weights, a "
        "forget bias of one”.",
        summary="Forget gates that are half open lose the memory in ten steps.",
    ),
    "forget-bias-1": Example(
        "Small weights, a forget bias of one",
        Scenario(m=3, n=4, k=4, init="normal", scale=0.05, forget_bias=1.0),
        "The weights are those of “Small weights, no forget bias”, with 1 added to the forget gate's bias, so f_t is close to σ(1) ≈ 0.73. Over ten "
        "steps, such an f_t multiplies an entry of c by about 0.73^10 ≈ 0.04. This is about 45 times as much as with a "
        "bias of 0. For this reason Keras starts with 1. PyTorch samples all its biases around 0.",
        summary="A forget bias of 1 keeps about 45 times as much as a bias of 0.",
    ),
}
