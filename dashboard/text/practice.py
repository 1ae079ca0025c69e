"""The texts of the practice page."""

from collections.abc import Iterable

INTRODUCTION = (
    "# Practice\nPredict the number, then check it. What many people get wrong is known here: a wrong answer is told by the mistake that gives it. "
    "Nothing is stored about you."
)

# ---- the answer ----------------------------------------------------------------------------

ANSWER = "Your answer"
ANSWER_HELP = "A number such as −1.5, 0,5, 1/2 or 1e-3, or whole numbers such as (4, 7)."
CHECK = "Check"
HINT = "Hint"
HINT_HELP = "The next stage of the solution."
SOLUTION = "Solution"
NEXT = "Next"
NEXT_LEVEL = "Go to level {level}"
# A stage of the solution; of a whole step, that of one of its parts.
STAGE = "{stage}: {text}"
STAGE_OF_PART = "{part}, {stage}: {text}"

RIGHT = "Right: {how}. Press Enter for the next exercise."
ALL_RIGHT = "Right."
CLOSE = (
    "Close: less than {bound:g} from the answer. Rounding to 3 decimals on the way can lead that far off. "
    "Keep at least 4 decimals on the way."
)
ROUNDED = "Nearly: your answer is right, with too few decimals. Give {decimals} decimals."
REACHED = "Your number is right up to the stage “{stage}”. Go on from there: the next stage is “{following}”."
BEYOND = "The stage “{stage}” cannot give this number: it gives numbers from {low} to {high}."
BEYOND_LOW = "The stage “{stage}” cannot give this number: it gives {low} or more."
UNKNOWN = "That is not the answer, and no known mistake gives it. Compare your own numbers with each stage below."
UNKNOWN_AT_ONCE = "That is not the answer, and no known mistake gives it."
EMPTY = "The field is empty. Enter your answer first."
COMPARE = "Compare with your own numbers"
COMPARED_STAGE, COMPARED_NUMBERS = "Stage", "What it gives"
SEVERAL = "More than one mistake gives this number:"

GIVEN_ALT = "The numbers that are given."
# Before the lines of a drawing.
USED_LINE, MEANT_LINE = "used:", "meant:"
OUTLINED = "Outlined: what was used and what was meant."

# ---- the score -----------------------------------------------------------------------------

SCORE = "{done} solved, {first} of them at the first try and without a hint."


def score(done: int, first: int) -> str:
    """Return the score of this session.

    Parameters
    ----------
    done : int
        How many exercises are solved.
    first : int
        How many of them at the first try and without a hint.
    """
    return SCORE.format(done=done, first=first)


# ---- for teachers --------------------------------------------------------------------------

TEACHERS = "For teachers: a sheet with its key"
TEACHERS_TEXT = (
    "The exercises of this kind and level from this number on, for a class. **Who has the link has the key**: everything follows from kind, level, "
    "seed and number. A salt makes other numbers of them; it is in no link and is forgotten with this session."
)
SALT = "Salt"
HOW_MANY = "How many"
NO_SHEET = "Of whole steps there is no sheet: choose another kind."
LATEX, LATEX_WITH_KEY, MOODLE, CSV = "LaTeX", "LaTeX with key", "Moodle XML", "CSV"
PRINT = "Show the sheet here, to print"
PRINT_HELP = "On paper stands nothing but the sheet, and then its key."

# The sheet on paper.
SHEET = "## {kind}"
KEY = "## Key"
NAME_LINE = "Name: " + 40 * "_"
ANSWER_LINE = "Answer: " + 24 * "_"
QUESTION = "{number}. {question}"
ANSWER_OF_KEY = "{number}. {answer}, from {stages}"
GIVEN_IN_EXERCISE_ALT = "The numbers that are given in exercise {number}."


def answer_of_key(number: int, answer: str, stages: Iterable[str]) -> str:
    """Return the answer of an exercise with the stages of its solution.

    Parameters
    ----------
    number : int
        From 1.
    answer : str
    stages : iterable of str
    """
    return ANSWER_OF_KEY.format(number=number, answer=answer, stages="; ".join(stages))
