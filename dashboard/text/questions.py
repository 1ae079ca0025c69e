"""Questions of learners about recurrent cells, each with an answer and the screen that shows it."""

from typing import NamedTuple


class Question(NamedTuple):
    """A question, its answer in two or three sentences, and a screen.

    Attributes
    ----------
    asked, answer : str
    page : str
        The path of the page.
    choices : dict
        The query parameters of the link; the lab's values hold for the others.
    see : str
        What to look at there.
    panel : str
        The first words of the title of that panel.
    group : str
    """

    asked: str
    answer: str
    page: str
    choices: dict[str, str]
    see: str
    panel: str
    group: str


PAGE = (
    "# Questions\n{count} questions that learners ask about recurrent cells. Each answer has a link to the panel that shows it, with "
    "numbers that you can change."
)
SEE = "See it: {see}"
BACK = "Back to the questions"
NEXT = "Next question"

SHAPES, INSIDE, GRADIENTS = "Shapes", "Inside an LSTM", "Gradients"

CELL = {"m": "3", "n": "4", "k": "4", "init": "normal", "scale": "0.5"}

# Their numbers are public, as values of `question`: add new ones at the end.
QUESTIONS = (
    Question(
        "Is [h; x] a matrix with two columns?",
        "No. The columns h and x are concatenated vertically, so n and m entries make one column of n + m. h and x may have "
        "different numbers of entries.",
        "",
        {"stage": "join"},
        "the stacked input of 2 + 3 = 5 entries",
        "Concatenation",
        SHAPES,
    ),
    Question(
        "Does h get more entries at every step?",
        "No. W_h has k rows, so h_t always has k entries, whatever the size of the stacked input. Each step makes a new "
        "stacked input, and only h_t goes on to the next step.",
        "sequence",
        {**CELL, "cell": "RNN"},
        "h_t, with 4 entries at each step",
        "Input and state",
        SHAPES,
    ),
    Question(
        "Does W_h·[h; x] have more weights than W_hh·h + W_hx·x?",
        "No. W_h is W_hh and W_hx side by side, so it has as many weights as the two together: k·(n + m) = k·n + k·m. Both formulas multiply the same pairs of "
        "values and add the products.",
        "",
        {"stage": "multiply"},
        "15 weights in W_h, and 6 + 9 in the two parts",
        "Multiply",
        SHAPES,
    ),
    Question(
        "In which order, [h; x] or [x; h]?",
        "Both work, as long as the columns of W are in the same order as the entries of the stacked input. If you swap h and x in "
        "both, no result changes. If you swap them in only one, the result is wrong, and there is no error.",
        "",
        {**CELL, "unmatched": "true"},
        "h and x swapped in the stacked input only, so that the result is wrong",
        "Multiply",
        SHAPES,
    ),
    Question(
        "Is “units” the size of h, of c, or of both? Which of them is the output?",
        "It is the size of both: k units give k entries of h and k entries of c. The output of the cell is h. The cell state c "
        "goes to the next step, but not to the layer above.",
        "lstm",
        CELL,
        "the panel “Cell and hidden state”",
        "Cell and hidden state",
        INSIDE,
    ),
    Question(
        "Why is W_hh k×n and W_hx k×m?",
        "Each of the k units has one row of weights. It has a weight for each of the n entries of h, and one for each of the "
        "m entries of x. So W_hh is k×n and W_hx is k×m.",
        "",
        {"m": "4", "n": "2", "k": "3", "init": "ramp", "stage": "join"},
        "the shapes under W_hh and W_hx",
        "Concatenation",
        SHAPES,
    ),
    Question(
        "Why 4·k rows of weights, and why two biases in PyTorch?",
        "One matrix has 4·k rows: k for each of the three gates, and k for the candidate (PyTorch's g). Their order is i, f, candidate, o in PyTorch and Keras, and i, o, f, candidate in ONNX. PyTorch has two biases, as the GPU library cuDNN has, "
        "and in an LSTM only their sum counts.",
        "lstm",
        CELL,
        "the panel “One weight matrix for all gates”. “Save and share” has the order of PyTorch and Keras",
        "One weight matrix",
        INSIDE,
    ),
    Question(
        "Hadamard or dot product?",
        "W·[h; x] is a matrix product: each unit computes a dot product of its row with the input. ∘ between a gate and a "
        "state is the Hadamard product: it multiplies entry by entry, without a sum.",
        "lstm",
        {"example": "hadamard"},
        "o_t ∘ tanh(c_t), entry by entry",
        "Cell and hidden state",
        INSIDE,
    ),
    Question(
        "Does f = 1 forget or keep?",
        "It keeps. In c_t = f_t ∘ c_{t−1} + …, an entry of 1 keeps all of c_{t−1}, and 0 erases it. “Keep gate” would be a "
        "better name.",
        "lstm",
        {"example": "carousel"},
        "f_t = 1, and c_t = c_{t−1}",
        "Cell and hidden state",
        INSIDE,
    ),
    Question(
        "Why tanh for the candidate and σ for the gates?",
        "A gate is the fraction that passes, and σ gives values from 0 to 1. The candidate must be able to add to c and to "
        "subtract from it, and tanh gives values from −1 to 1.",
        "lstm",
        {**CELL, "seed": "3"},
        "c̃_t with positive and negative values, and f_t, i_t and o_t with positive ones",
        "Cell and hidden state",
        INSIDE,
    ),
    Question(
        "Is σ′ computed at z or at σ(z)?",
        "At z. The formula s·(1 − s) contains the output s = σ(z), but it gives the derivative at z.",
        "saturation",
        CELL,
        "the panel “Derivative at z”",
        "Derivative at z",
        GRADIENTS,
    ),
    Question(
        "Does an LSTM really stop gradients from vanishing, and what does a forget bias of 1 do?",
        "It keeps gradients only if its forget gates are near 1: with gates around 0.5, they vanish as in an RNN. "
        "Forget biases of 0, 1, 3 and 5 start the gates near 0.5, 0.73, 0.95 and 0.99. With a bias of 1, only "
        "0.73^30 ≈ 0.00008 of a gradient is left along c after 30 steps; another part arrives through h.",
        "gradients",
        {**CELL, "g": "tanh", "scale": "0.1", "T": "30", "forget_bias": "1"},
        "the gain of the three cells (there, set the forget bias to 3, then to 5)",
        "Gain from the last step",
        GRADIENTS,
    ),
    Question(
        "How does the gradient flow back through the concatenation?",
        "It is split where h and x were concatenated. The columns of W that belong to h carry it to h_{t−1}, and the other "
        "columns carry it to x_t. If h comes first, the columns of h are the first n.",
        "gradients",
        CELL,
        "the gradient, split into a part for h and a part for x",
        "Gradient at the concatenation",
        GRADIENTS,
    ),
    Question(
        "Is h the output, or y = σ(W·h)?",
        "h_t is the output of the cell. y_t comes from an output layer on top, which a task may need. The equations of "
        "the next step do not contain y_t.",
        "lstm",
        {**CELL, "y": "true"},
        "the panel “Output”",
        "Output",
        INSIDE,
    ),
    Question(
        "What do m, n and k mean, and where is the batch size?",
        "Here m is the number of entries of x_t, n that of h_{t−1}, and k the number of units; in a sequence, n = k. The batch "
        "size is the number of columns of x_t and h_{t−1}. Here it is 1.",
        "",
        {"stage": "join"},
        "h_{t−1} with n = 2 entries and x_t with m = 3, each in one column for a batch of 1",
        "Concatenation",
        SHAPES,
    ),
    Question(
        "A gate near 1 is “saturated”: when is that good, and when does learning stop?",
        "Saturation is good in a gate that has learned what to do, because small changes of z hardly change its value. Before training it "
        "is usually harmful, because almost no gradient reaches the weights of a saturated gate.",
        "saturation",
        {**CELL, "scale": "1.7", "seed": "4", "source": "f"},
        "three of the four dots on the shaded parts of σ",
        "Units on the curves",
        GRADIENTS,
    ),
)


def in_groups() -> dict[str, list[int]]:
    """Return the numbers of the questions by group, as the page lists them."""
    groups: dict[str, list[int]] = {}
    for number, question in enumerate(QUESTIONS, 1):
        groups.setdefault(question.group, []).append(number)
    return groups


def link_of(number: int) -> dict[str, str]:
    """Return the query of the screen that answers a question."""
    return {**QUESTIONS[number - 1].choices, "question": str(number)}


def following(number: int) -> int | None:
    """Return the number of the question that the page lists after this one, or None after the last."""
    listed = [number for group in in_groups().values() for number in group]
    return dict(zip(listed, listed[1:])).get(number)
