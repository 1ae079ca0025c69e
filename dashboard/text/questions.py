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
        The parameters of the link; what is not in it is the lab's.
    see : str
        What to look at there.
    panel : str
        With which words the title of the panel begins in which that is.
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
    "# Questions\n{count} questions that learners ask about recurrent cells. Open one for its answer, and go from there to the panel "
    "that shows it, with numbers that you can change."
)
SEE = "See it: {see}"
BACK = "Back to the questions"
NEXT = "Next question"

SHAPES, INSIDE, GRADIENTS = "Shapes", "Inside an LSTM", "Gradients"

CELL = {"m": "3", "n": "4", "k": "4", "init": "normal", "scale": "0.5"}

# Their numbers are public, as values of `question`: add new ones at the end.
QUESTIONS = (
    Question(
        "Is [h, x] a matrix of n×2?",
        "No: the two columns are put on top of each other, so n and m entries make one column of n + m. Nothing "
        "stands side by side, and h and x need not have the same number of entries.",
        "",
        {"stage": "join"},
        "the stack of 2 + 3 = 5 entries",
        "Concatenation",
        SHAPES,
    ),
    Question(
        "Does h grow at every step?",
        "No: W has k rows, so h_t has k entries at every step, however long the stack is. The stack is made anew "
        "each time and only h_t goes on.",
        "sequence",
        {**CELL, "cell": "RNN"},
        "h_t, with 4 entries in each column",
        "Step",
        SHAPES,
    ),
    Question(
        "Does W·[h; x] have more weights than W_hh·h + W_hx·x?",
        "No: W_h is W_hh and W_hx side by side, so k·(n + m) = k·n + k·m. Both formulas multiply the same pairs of "
        "numbers and add them up.",
        "",
        {"stage": "multiply"},
        "15 weights in W_h, and 6 + 9 in the two parts",
        "Multiply",
        SHAPES,
    ),
    Question(
        "[h, x] or [x, h]?",
        "Either, as long as the columns of W stand in the same order as the entries of the stack. Swapping both "
        "changes no result; swapping one alone gives other numbers, and no error.",
        "",
        {**CELL, "unmatched": "true"},
        "formula 1 and formula 2, which no longer agree",
        "Multiply",
        SHAPES,
    ),
    Question(
        "Is “units” the size of h, of c, or of both? Which of them is the output?",
        "Of both: k units give k entries of h and k of c. The output of the cell is h; c is its memory and stays "
        "inside.",
        "lstm",
        CELL,
        "the panel “The cell”",
        "The cell",
        INSIDE,
    ),
    Question(
        "Where do k×n and k×m come from?",
        "Each of the k units has a row of weights: one weight for each of the n entries of h and for each of the m "
        "entries of x. So W_hh is k×n and W_hx is k×m.",
        "",
        {"m": "4", "n": "2", "k": "3", "init": "ramp", "stage": "join"},
        "the shapes under W_hh and W_hx",
        "Concatenation",
        SHAPES,
    ),
    Question(
        "Why 4·k rows, why two biases in PyTorch, and in which order are the gates?",
        "Three gates and a candidate (PyTorch's “cell gate”) of k rows each, one on top of the other, are one "
        "product. PyTorch has them as i, f, g, o, Keras as i, f, c, o and ONNX as i, o, f, c. PyTorch keeps a bias "
        "for x and one for h to fit the cuDNN library: in an LSTM only their sum counts, but in a GRU's candidate "
        "r_t multiplies the one for h.",
        "lstm",
        CELL,
        "the last panel, and Save and share for the weights in both layouts",
        "One product",
        INSIDE,
    ),
    Question(
        "Hadamard or dot product?",
        "W·[h; x] is a matrix product: each unit multiplies and adds up. ∘ between a gate and a state is the "
        "Hadamard product: entry by entry, and nothing is added up.",
        "lstm",
        {"example": "hadamard"},
        "o_t ∘ tanh(c_t), entry by entry",
        "The cell",
        INSIDE,
    ),
    Question(
        "Does f = 1 forget or keep?",
        "It keeps: c_t = f_t ∘ c_{t−1} + …, so an entry of 1 lets all of c_{t−1} through and 0 forgets it. The "
        "forget gate is a keep gate.",
        "lstm",
        {"example": "carousel"},
        "f_t = 1, and c_t = c_{t−1}",
        "The cell",
        INSIDE,
    ),
    Question(
        "Why tanh for the candidate and σ for the gates?",
        "A gate is a share of what is let through, and σ gives numbers from 0 to 1. What is written must be able to "
        "add and to subtract, and tanh gives numbers from −1 to 1.",
        "lstm",
        {**CELL, "seed": "3"},
        "c̃_t with both signs, and f_t, i_t and o_t without",
        "The cell",
        INSIDE,
    ),
    Question(
        "Is σ′ taken at z or at σ(z)?",
        "At z. The formula s·(1 − s) has the output s = σ(z) in it, but it is still the slope at z.",
        "saturation",
        CELL,
        "the panel “Derivative at z”",
        "Derivative at z",
        GRADIENTS,
    ),
    Question(
        "Does an LSTM really stop gradients from vanishing, and what does a forget bias of 1 do?",
        "It can carry them far, along c, as long as its forget gates are near 1; with gates around 0.5 they vanish "
        "as well. A forget bias of 1 starts the gates at σ(1) ≈ 0.73 rather than at 0.5, a bias of 3 at "
        "0.95 and one of 5 at 0.99. With 0.73 little comes back along c alone over 30 steps, 0.73^30 ≈ 0.0001, but the "
        "paths through h add to it, and training may still succeed.",
        "gradients",
        {**CELL, "g": "tanh", "scale": "0.1", "T": "30", "forget_bias": "1"},
        "the curves of the three cells, all with tanh; move the forget bias to 3 and to 5",
        "Gain from the last step",
        GRADIENTS,
    ),
    Question(
        "How does the gradient go back through the concatenation?",
        "It is cut where the stack was joined: the columns of W that belong to h bring it to h_{t−1}, and the others "
        "to x_t. With h first these are the first n columns.",
        "gradients",
        CELL,
        "the product of the transposed W and δ, cut in two",
        "Gradient at the concatenation",
        GRADIENTS,
    ),
    Question(
        "Is h the output, or y = σ(W·h)?",
        "h_t is the output of the cell. y_t is one more layer on top, which a task may need; it does not go into the "
        "next step.",
        "lstm",
        {**CELL, "y": "true"},
        "the panel “Output”",
        "Output",
        INSIDE,
    ),
    Question(
        "In other courses m or n is the batch size: which letter means what?",
        "Here m is the number of inputs, n that of the previous hidden entries and k that of the units. The batch is "
        "the number of columns, and there is one.",
        "",
        {"stage": "join"},
        "h_{t−1} with n = 2 entries and x_t with m = 3, each in one column for a batch of 1",
        "Concatenation",
        SHAPES,
    ),
    Question(
        "A gate near 1 is “saturated” and decisive: when is that good, and when does learning stop?",
        "It is good in a gate that has learned what to do: it passes things reliably. It is bad before that, because "
        "a flat σ lets hardly any gradient through by which the gate could change.",
        "saturation",
        {**CELL, "scale": "4", "source": "f"},
        "three of the four dots on the flat ends",
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
