"""The worked examples: named scenarios, each with what it shows, and some with a trap.

Their numbers come from the hidden-state lab and from a question about the sizes in an LSTM with its answer;
the stories are true of the example as it stands, and a test holds their numbers.
"""

from typing import NamedTuple

import numpy as np

from core.arrays import Array
from core.scenario import Scenario


class Example(NamedTuple):
    """A worked example.

    Attributes
    ----------
    title : str
        What it is called on the screen; links call it by its name in EXAMPLES.
    scenario : Scenario
    story : str
        What to see in it, and the trap if there is one; empty for no panel.
    page : str
        The path of the page that it opens on and is told on.
    is_first : bool
        Whether the page opens on it where nothing is chosen.
    """

    title: str
    scenario: Scenario
    story: str = ""
    page: str = "lstm"
    is_first: bool = False


def first_of(page: str) -> str:
    """Return the name of the example that a bare URL of a page opens: ``"lab"`` for a page without an example of its own.

    Parameters
    ----------
    page : str
        Its path.
    """
    return next((name for name, example in EXAMPLES.items() if example.is_first and example.page == page), "lab")


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
    "lab": Example(
        "The lab: ones and nines",
        Scenario(),
        "The numbers of the hidden-state lab, which is about the plain cell: ones and nines, and 245 for every unit "
        "by both formulas. Three traps: h_{t−1} has 2 entries and h_t has 3, so only one step can be computed; the "
        "lab writes the sum of the two terms as ⊕, and it is plain addition; and σ(245) prints 1 for every unit, "
        "which is total saturation.",
        page="",
    ),
    "first-step": Example(
        "First step: small numbers",
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
        "z is 2, −1 and 0.5, so h_t is 0.96, −0.76 and 0.46. Unit 1 is nearly saturated: at z = 2, only 7 % of the maximum derivative "
        "of tanh is left. Drag the scale of the weights to 1.2. Then less than 5 % is left, and the unit counts as saturated.",
        page="",
        is_first=True,
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
        "Three units with three habits, which their biases give them. Unit 1 keeps: f_t is near 1 and i_t near 0, so "
        "it keeps 1.89 of its 2, and c_t is 1.88. Unit 2 writes: i_t is near 1, so most of c̃_t comes in. Unit 3 forgets: both gates are near 0, and "
        "of its 1.5 hardly anything is left. Move the forget bias and see which of them changes.",
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
        "Three units of a GRU with three habits, which their biases give them. Unit 1 keeps: u_t is near 1, so 0.8 only becomes 0.76. "
        "Unit 2 replaces: u_t is near 0, so −0.6 becomes 0.32, close to its candidate of 0.37. Unit 3 takes about half of each, "
        "and its reset gate is near 0, so the candidate hardly sees h_{t−1}. Scale the weights up and see which habits last.",
        page="gru",
        is_first=True,
    ),
    "spread": Example(
        "z spread over the curve",
        Scenario(m=4, n=12, k=12, init="normal", g="tanh", scale=0.5, seed=1),
        "Twelve units with random weights at half scale: their z spread over the curve, and 3 of the 12 are saturated. Scale "
        "the weights up: one dot after the other moves to a flat end, and its slope goes towards 0.",
        page="saturation",
        is_first=True,
    ),
    "letters": Example(
        "A word, letter by letter",
        Scenario(m=4, n=4, k=4, init="normal", scale=1.5, seed=3, cell="LSTM", input="word", word="hello"),
        "An LSTM reads the word hello, one letter at each step. Every letter has an entry of x_t, which is 1 where the letter "
        "is; the weights are random, so nothing is learned yet. The second l is the same input as the first one, and h_t "
        "is another: the state remembers what came before.",
        page="sequence",
        is_first=True,
    ),
    "vanishing": Example(
        "Gradients over thirty steps",
        Scenario(m=3, n=8, k=8, init="glorot", g="tanh", T=30, forget_bias=3.0, cell="LSTM"),
        "The same sizes, seed and scale in three cells. Over 30 steps the gradient of the plain cell vanishes: its gain is "
        "10^−8.74. With a forget bias of 3 the gain of the LSTM is 10^−0.53, so 0.29 of the norm is left, because its forget "
        "gates are 0.94 on average. With a bias of 5 the fraction is 0.96. With a bias of 0 this gradient vanishes too: 10^−7.20.",
        page="gradients",
        is_first=True,
    ),
    "forget-layer": Example(
        "The forget layer on [x; h]",
        Scenario(
            m=3, n=3, k=3, order="xh", w_hh=0.0, w_hx=0.0, arrays=QUESTION | _blocks("f", LAST_THREE, FIRST_THREE)
        ),
        "A question on a forum asks for the sizes in the forget layer, with x_t = [1 2 3] and h_{t−1} = [4 5 6]. "
        "W_f·[x; h] = [91 175 133], with the bias z_f = [92 177 136], and σ prints [1 1 1]: all of c_{t−1} is kept, "
        "and the gate is saturated. Two slips in the question: it says that W_f is 3×3, but k rows of n + m are 3×6; "
        "and the formula says [h; x] while the numbers are stacked as [x; h]. With these weights that matters: see "
        "“The same weights on [h; x]”. The other gates and the candidate are not in the question; here their weights and biases "
        "are 0.",
    ),
    "forget-layer-hx": Example(
        "The same weights on [h; x]",
        Scenario(
            m=3, n=3, k=3, order="hx", w_hh=0.0, w_hx=0.0, arrays=QUESTION | _blocks("f", FIRST_THREE, LAST_THREE)
        ),
        "The W_f of “The forget layer on [x; h]”, entry by entry, on the stack that the formula names: [h; x] = [4 5 6 1 2 3]. "
        "W_f·[h; x] = [64 148 106] in place of [91 175 133], and with the bias z_f = [65 150 109]. The stack was "
        "swapped and W_f was not. The order in the sidebar swaps both, the stack and the columns of each W, and "
        "changes no result.",
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
        "The forum's answer starts with the input gate: rows of 1s, 2s and 3s, and a bias of 1. W_i·[x; h] = [21 42 "
        "63], so z_i = [22 43 64]. The answer prints [22 42 62]: a slip in two of the sums. σ prints [1 1 1] for "
        "either, so the slip does not show in the gate. The candidate and the output gate have no numbers there; "
        "here their weights and biases are 0.",
    ),
    "hadamard": Example(
        "Entry by entry: Hadamard",
        _no_weights(
            arrays={"b_f": OPEN, "b_i": SHUT, "b_o": _column(-800, -800, 40), "c_prev": _column(0, 40, 40)},
        ),
        "∘ is the Hadamard product: entry by entry, and as many entries come out as go in. [1 2 3] ∘ [3 2 1] = [3 4 "
        "3]. The dot product of the same two would be one number, 3 + 4 + 3 = 10. No gate can be 2 or 3, so the cell "
        "below has the other example: tanh(c_t) ∘ o_t = [0 1 1] ∘ [0 0 1] = [0 0 1]. Only what is on in both comes "
        "out.",
    ),
    "stochastic-gates": Example(
        "Gates drawn at random",
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
        "The forum's answer draws each unit on or off, with σ(z_f) = [0.5 0.8 0.9] as the probabilities of on: the "
        "gates are Bernoulli-sampled. That is not the standard LSTM, which multiplies by the values themselves: turn "
        "the sampling off in the sidebar to see it. The answer also says that a unit that turns on is forgotten. It "
        "is the other way round: where f_t is 1 the entry of c_{t−1} is kept. Another seed draws anew.",
    ),
    "carousel": Example(
        "The constant error carousel",
        _no_weights(arrays={"b_f": OPEN, "b_i": SHUT, "c_prev": _column(-2, 0.5, 3)}),
        "f_t = 1 and i_t = 0: nothing is forgotten and nothing is written, so c_t = c_{t−1}, exactly and for as many "
        "steps as you like. The gradient along c comes back the same way: it is multiplied by f_t = 1. Such a path "
        "is the constant error carousel that the LSTM was built around. Both gates are saturated, and that is what "
        "makes them reliable; but they will hardly learn to be anything else.",
    ),
    "saturated-cell": Example(
        "A saturated cell",
        _no_weights(
            arrays={"b_f": OPEN, "b_i": OPEN, "b_c": OPEN, "b_o": OPEN, "c_prev": _column(3, 6, 20)},
        ),
        "f_t = 1 and i_t = 1: nothing is forgotten and c̃_t = 1 is added at every step, so c grows without bound: [3 "
        "6 20] becomes [4 7 21]. h_t does not: tanh(c_t) is saturated, and of a gradient that comes in through h_t "
        "almost nothing reaches c_t.",
    ),
    "forget-bias-0": Example(
        "Small weights, no forget bias",
        Scenario(m=3, n=4, k=4, init="normal", scale=0.05),
        "These fresh weights are very small, so without a bias every gate opens about half: f_t is close to σ(0) = "
        "0.5. Over ten steps at that f_t an entry of c is multiplied by about 0.5^10 ≈ 0.001. Compare “Small weights, a forget bias of one”.",
    ),
    "forget-bias-1": Example(
        "Small weights, a forget bias of one",
        Scenario(m=3, n=4, k=4, init="normal", scale=0.05, forget_bias=1.0),
        "The same weights with 1 added to the forget gate's bias: f_t is close to σ(1) ≈ 0.73. Over ten steps at "
        "that f_t an entry of c is multiplied by about 0.73^10 ≈ 0.04, some forty times as much as with a bias of 0. "
        "That is why Keras starts with 1; PyTorch draws all its biases around 0.",
    ),
}
