"""The sentences of the page of worked examples, and what each example shows.

The stories are true of the example as it stands, and tests hold their numbers.
"""

from typing import NamedTuple

PAGE = (
    "# Worked examples\nOpen an example to change any of its numbers. Each shows one idea, and several show a common "
    "mistake."
)
STORY = "What it shows"
OPEN = "Open: {title}"
# Above the story on the page that the example opens on.
STORY_TITLE = "Worked example: {title}"
TOLD = "{story} This text stays the same when you change the numbers."

# The pictures of the examples.
PRODUCT_ALT = "W_h times the stacked input gives each unit its z: {values}."
PRODUCT_WITH_BIAS_ALT = "W_h times the stacked input, plus the bias, gives each unit its z: {values}."
LSTM_ALT = "One step of the LSTM. {units}."
LSTM_UNIT = "unit {unit}: f = {f}, c goes from {before} to {after}"
GRU_ALT = "One step of the GRU. {units}."
GRU_UNIT = "unit {unit}: u = {u}, h goes from {before} to {after}"
DOTS_ALT = "{units} units as dots on the curve of {g}."
LETTERS_ALT = "h_t of {units} units at each letter of “{word}”."
GAINS_ALT = "The gain over {steps} steps back: {gains}."
GAIN = "{cell} {gain}"


class ExampleText(NamedTuple):
    """The texts on a worked example.

    Attributes
    ----------
    title : str
        Its name on the screen; links have its name in EXAMPLES.
    summary : str
        A short sentence for the list of examples.
    story : str
        What to see in it, and the mistake if there is one; empty for no panel.
    """

    title: str
    summary: str = ""
    story: str = ""


EXAMPLES = {
    "first-step": ExampleText(
        "First step, small numbers",
        "Three units with small numbers, to compute by hand.",
        "z is 2, −1 and 0.5, so h_t is 0.96, −0.76 and 0.46. Unit 1 is nearly saturated: at z = 2, only 7% of the maximum derivative "
        "of tanh is left. Drag the weight scale to 1.2. Then less than 5% is left, and the unit counts as saturated.",
    ),
    "lab": ExampleText(
        "Large sums of ones and nines",
        "Every unit has z = 245, so σ is saturated.",
        "This RNN of a lab exercise has ones and nines. Both formulas give 245 for every unit: one product with W_h, or two with W_hh and W_hx. "
        "h_{t−1} has 2 entries and h_t has 3, so only one step can be computed. All units are saturated: NumPy prints σ(245) as 1.",
    ),
    "keep-write-forget": ExampleText(
        "Keep, write, forget",
        "One unit of an LSTM keeps its memory, one writes, and one forgets.",
        "The biases give each of the three units a different behaviour. Unit 1 keeps: f_t is near 1, so "
        "1.89 of the 2 in c_{t−1} is left. i_t is near 0, so little is written, and c_t is 1.88. Unit 2 writes: i_t is near 1, so most of c̃_t enters. Unit 3 forgets: f_t is near 0, so "
        "hardly anything is left of the 1.5 in c_{t−1}. i_t is near 0 too, so hardly anything new is written. Move the forget bias to change how much each unit keeps.",
    ),
    "keep-or-replace": ExampleText(
        "Keep or replace",
        "One unit of a GRU keeps its state, one replaces it, and one mixes old and new.",
        "The biases give each of the three units a different behaviour. Unit 1 keeps: u_t is near 1, so its state hardly changes, from 0.8 to 0.76. "
        "Unit 2 replaces: u_t is near 0, so its state becomes 0.32, close to its candidate of 0.37. Unit 3 mixes about half of "
        "its state with half of its candidate. Its reset gate is near 0, so its candidate hardly depends on h_{t−1}. To see which units change their "
        "behaviour, increase the weight scale.",
    ),
    "spread": ExampleText(
        "Twelve units on the curve",
        "Three of twelve units with random weights are saturated.",
        "The z of twelve units with random weights are spread over the curve, and 3 of the 12 units are "
        "saturated. If you increase the weight scale, the units saturate one by one, and their derivatives go "
        "towards 0.",
    ),
    "letters": ExampleText(
        "A word, letter by letter",
        "The same letter gives a different state the second time.",
        "An LSTM reads the word hello, one letter at each step. Each letter has its own entry of x_t, which is 1 when that "
        "letter is read. The weights are random, so nothing is learned yet. The second l is the same input as the first one, but "
        "h_t is different: the state depends on the letters before it.",
    ),
    "vanishing": ExampleText(
        "Gradients over thirty steps",
        "How much of a gradient is left in an RNN, an LSTM and a GRU?",
        "The three cells have the same sizes, seed and scale. From step 30 back to step 1 the gradient of the RNN vanishes: only "
        "1.8·10⁻⁹ of its norm is left. This factor is the gain of the RNN. With a forget bias of 3 the gain of the LSTM is 0.29, so 29% of the norm is left. Its forget "
        "gates are 0.94 on average. With a bias of 5, 96% of the norm is left. With a bias of 0 the gradient of the LSTM vanishes too: "
        "its gain is 6.3·10⁻⁸.",
    ),
    "forget-layer": ExampleText(
        "A forum question on the forget gate",
        "The question gives a wrong size for W_f. Its formula says [h; x], but its numbers are in the order [x; h].",
        "A question on a forum asks for the sizes in the forget gate, with x_t = [1 2 3] and h_{t−1} = [4 5 6]. W_f·[x; "
        "h] = [91 175 133]. After adding the bias, z_f = [92 177 136]. NumPy prints σ(z_f) as [1 1 1], so all of c_{t−1} is kept, and the "
        "gate is saturated. The question has two mistakes. It says that W_f is 3×3, but W_f has 3 rows and n + m = 6 columns. Its "
        "formula says [h; x], but its numbers are in the order [x; h]. With these weights the order matters: see “The "
        "forum question with [h; x]”. The question is only about the forget gate, so all other weights and biases are 0 here.",
    ),
    "forget-layer-hx": ExampleText(
        "The forum question with [h; x]",
        "The stacked input is [h; x], but W_f is for [x; h], so z_f is wrong.",
        "W_f has the same entries as in “A forum question on the forget gate”. But the stacked input is in the order of the "
        "formula, [h; x] = [4 5 6 1 2 3]. W_f·[h; x] = [64 148 106] instead of [91 175 133]. After adding the bias, z_f = [65 "
        "150 109]. Here h and x were swapped in the stacked input, but not in the columns of W_f. In the sidebar you can change the order of h and x. "
        "This swaps the entries and the columns, so no result changes.",
    ),
    "input-gate": ExampleText(
        "The input gate",
        "Two sums in a forum answer are wrong. NumPy prints σ of each sum as 1, so the mistake does not show.",
        "An answer to “A forum question on the forget gate” computes an input gate. Its W_i has rows of 1s, 2s and 3s, and its bias is 1 for each unit. W_i·[x; h] = [21 42 63], "
        "so z_i = [22 43 64]. The answer prints [22 42 62], so two of its sums are wrong. NumPy prints σ of the right and of the wrong z_i as [1 1 1], so "
        "the mistake does not show in the gate. The page prints 1 only where a value is exactly 1. σ(22) is just below 1, so the page prints it with 2 decimals, as 1.00. The answer has no numbers for the candidate and the output gate, so "
        "their weights and biases are 0 here.",
    ),
    "hadamard": ExampleText(
        "Entry by entry: Hadamard",
        "The Hadamard product multiplies entry by entry.",
        "∘ is the Hadamard product. It multiplies entry by entry, so the result has as many entries as each factor: [1 2 "
        "3] ∘ [3 2 1] = [3 4 3]. The dot product of the same two would be one number, 3 + 4 + 3 = 10. A gate has no "
        "entries such as 2 or 3. So the page of this example shows another product: tanh(c_t) ∘ o_t = [0 1 1] ∘ [0 0 1] = [0 0 1]. An entry of h_t is 1 "
        "only if both factors are 1.",
    ),
    "stochastic-gates": ExampleText(
        "Randomly sampled gates",
        "Each entry of a gate is randomly 0 or 1, unlike in the standard LSTM.",
        "An answer to “A forum question on the forget gate” makes each entry of a gate randomly 0 or 1. An entry of f_t is 1 with a probability of σ(z_f) = [0.5 0.8 0.9]: this is "
        "Bernoulli sampling. The standard LSTM multiplies by these probabilities themselves. To see the standard LSTM, turn off the sampling in "
        "the sidebar. The answer also says that a unit with an open gate is forgotten. The opposite is true: where f_t is 1, "
        "the entry of c_{t−1} is kept. To sample again, choose another seed.",
    ),
    "carousel": ExampleText(
        "The constant error carousel",
        "With open forget gates and closed input gates, the memory never changes.",
        "With f_t = 1 and i_t = 0, nothing is forgotten and nothing is written, so c_t = c_{t−1}, exactly and for as many "
        "steps as you like. The gradient along c is also multiplied by f_t = 1. Hochreiter and Schmidhuber built "
        "the LSTM around such a path, and called it the constant error carousel. Both gates are saturated, which makes them reliable. But they will "
        "hardly learn to be anything else.",
    ),
    "saturated-cell": ExampleText(
        "A saturated cell",
        "With every gate open and c̃_t = 1, c grows by 1 at each step.",
        "With f_t = 1 and i_t = 1, nothing is forgotten, and c̃_t = 1 is added at every step. So c grows at every step: "
        "[3 6 20] becomes [4 7 21]. h_t hardly grows, because tanh(c_t) is saturated. Almost nothing of the gradient with "
        "respect to h_t reaches c_t.",
    ),
    "forget-bias-0": ExampleText(
        "Small weights, no forget bias",
        "Forget gates that are half open lose the memory in ten steps.",
        "These untrained weights are very small, so without a bias every gate is about half open. f_t is close to σ(0) = "
        "0.5. Over ten steps, such an f_t multiplies an entry of c by about 0.5^10 ≈ 0.001. Compare “Small weights, a "
        "forget bias of one”.",
    ),
    "forget-bias-1": ExampleText(
        "Small weights, a forget bias of one",
        "After ten steps, a forget bias of 1 keeps about 45 times as much as a bias of 0.",
        "The weights are those of “Small weights, no forget bias”, with 1 added to the forget gate's bias, so f_t is close to σ(1) ≈ 0.731. Over ten "
        "steps, such an f_t multiplies an entry of c by about 0.731^10 ≈ 0.044. With a bias of 0 it is 0.5^10 ≈ 0.00098, about 45 times "
        "less. For this reason Keras starts with 1. PyTorch samples all its biases around 0.",
    ),
}


def example_text(name: str) -> ExampleText:
    """Return the texts on a worked example: for one without texts its name as the title.

    Parameters
    ----------
    name : str
        A name of `core.examples.EXAMPLES`.
    """
    return EXAMPLES.get(name, ExampleText(name))
