"""The texts of the practice page."""

from collections.abc import Iterable

from core.practice.judgement import NEARLY
from core.practice.progress import Why
from core.practice.quiz import GradedAnswer
from dashboard.text.plural import Plural
from dashboard.text.words import clauses, enumerated

TITLE = "# Practice"

# ---- the start -----------------------------------------------------------------------------

INTRODUCTION = (
    "# Practice\nThe first button opens five exercises that fit your progress. A box opens an exercise of its kind and level, and each solved exercise fills one of its squares. "
    "Your progress stays in this browser. The server does not store it."
)
NOT_KEPT = "This browser has no room for your progress or forbids storage. Your progress ends when you close or reload this page."
TODAY, TODAY_DONE = "Today's five exercises", "Today's five exercises: all solved"
START, CONTINUE, FIVE_MORE = "Start", "Continue", "Five more"
# Why the page has chosen these exercises.
CHOSEN = {
    Why.WRONG: "Once more, until your first answer is right without help: {kinds}.",
    Why.REPEATED: "Again, to keep it in mind: {kinds}.",
    Why.NEXT_LEVEL: "One level up: {kinds}.",
    Why.NEW: "New: {kinds}.",
}
KIND_AT_LEVEL = "{kind} (level {level})"
TEST = "Test of ten exercises"
LEVEL = "Level {level}"
TILE = "{kind}, level {level}: {filled} of {full} solved"
FORGET, FORGET_AGAIN = "Delete my progress", "Click again to delete all"

# ---- the answer ----------------------------------------------------------------------------

ANSWER = "Your answer"
ANSWER_HELP = "A number such as −1.5 or 0,5 or 1e-3, or a calculation such as 2*tanh(1.5)-1. The page computes with + − * / ^2, tanh, σ (or sigmoid), exp and e^x."
WHOLE_NUMBERS_HELP = "Whole numbers such as (4, 7), or calculations with a comma between them, such as 4*8, 3+7."
# In an empty field.
NUMBER, WHOLE_NUMBERS = "number or calculation", "such as 4, 7"
CALCULATED = "Your calculation gives {value}."
CHECK = "Check"
# The last hint is the result.
HINT, LAST_HINT = "Hint", "Show the result (then not solved)"
SOLUTION = "Solution"
NEXT = "Next"
NEXT_LEVEL = "Go to level {level}"
# A stage of the solution; of a whole step, that of one of its parts.
STAGE = "{stage}: {text}"
STAGE_OF_PART = "{part}, {stage}: {text}"

RIGHT = "Right: {how}."
GO_ON = "Press Enter for the next exercise."
GO_TO_MAP = "Press Enter for the overview."
FIVE_SOLVED = "Today's five exercises are solved. Press Enter for the overview."
ALL_RIGHT = "Right."
# Feedback on a whole step.
RIGHT_PARTS = "Right: {parts}."
FOLLOWS = "This entry fits your own {earlier}. Correct your {earlier} first."
UNKNOWN_PARTS = "The page does not recognize the mistake in your {parts}. Compare your numbers with each stage below."
CLOSE = (
    "Close: your answer is off by less than {bound:g}. You may have rounded intermediate results, or cut off "
    "the last decimal. Keep at least 4 decimals, and round only the answer."
)
UNROUNDED = "Nearly: your number rounds to the right one. Give the whole number."
ROUNDED = "Nearly: the value is right, but it has too few decimals. Give {decimals} decimals."
CUT = "Nearly: you cut off the right value. Give {decimals} decimals, with the last one rounded."
REACHED = "Your number is the result of the stage “{stage}”. The next stage is “{following}”."
ROUNDED_EARLY = Plural(
    "decimals",
    "You get this number if you round intermediate results to {decimals} decimal. Keep at least 4 decimals until the end.",
    "You get this number if you round intermediate results to {decimals} decimals. Keep at least 4 decimals until the end.",
)
BEYOND = "The stage “{stage}” cannot give this number: it gives numbers from {low} to {high}."
BEYOND_LOW = "The stage “{stage}” cannot give this number: it gives {low} or more."
NOT_WHOLE = "The answer is a whole number, and yours is not. Check your numbers."
# After it, if the answer is so large that the number may have a separator, such as 12.345.
SEPARATED = "If you typed a separator, leave it out, as in 12345."
OTHER_COUNT = Plural(
    "many",
    "The question asks for one number. Enter it without spaces, and a product as 4*7.",
    "The question asks for {many} whole numbers. Separate them with commas.",
)
PARTLY = Plural(
    "many",
    "{many} of your {asked} numbers is right. Check the others.",
    "{many} of your {asked} numbers are right. Check the others.",
)
UNKNOWN = "This is wrong, and the page does not recognize the mistake. Compare your numbers with each stage below."
UNKNOWN_AT_ONCE = "This is wrong, and the page does not recognize the mistake."
SHOWN = "You have seen the solution, so this exercise does not count as solved."
WAS_SHOWN = "It does not count as solved, because the page has shown the solution."
EMPTY = "The field is empty. Enter your answer first."
EMPTY_PARTS = "Still missing: {parts}. The step counts as solved when all entries are right."
EMPTY_FIELDS = "All fields are empty. Enter at least one answer first."
COMPARE = "Stages of the solution"
COMPARED_PART, COMPARED_STAGE, COMPARED_NUMBERS = "Entry", "Stage", "Result"
SEVERAL = "More than one mistake gives this number:"
MANY = "More than one mistake gives this number. These are {shown} of {many}:"

GIVEN_ALT = "The given numbers."
GIVEN_IN_DIAGRAM_ALT = "The given numbers, and the diagram of the cell with blanks for all others."
LINES_ALT = "The products and sums behind an answer."
# The number that a line of a drawing comes to.
SUM_OF_ENTRIES = "sum of {symbol}"
# Before the lines of a drawing.
USED_LINE, MEANT_LINE = "you used:", "you need:"
# If several mistakes give the answer, the drawing shows the first one.
MAYBE_USED_LINE = "you may have used:"
OUTLINED_FIRST = "The outlines show the first of these mistakes."
OUTLINED = "Among the given numbers, solid outlines show what you left out or used wrongly. Dashed outlines show what you used in its place."
OUTLINED_NEEDED = "Among the given numbers, the outlines show what you left out or used wrongly."
OUTLINED_USED = "Among the given numbers, the dashed outlines show what you used."
# In the diagram of the cell.
FRAMES = "Magenta frames mark entry {entry} of each vector. The green frame marks the entry that the question asks for."

ALL = "All exercises"
STANDING = "{filled} of {full} exercises of this kind and level are solved."
OF_TODAY = "Today's five exercises: {done} of {many} solved."

# ---- a test of ten exercises ---------------------------------------------------------------

TEST_TITLE = "# Test of ten exercises"
# The button that opens the field of the salt.
WITH_SALT = "Secret word"
SALT_HELP = (
    "If your teacher gave you a secret word, enter it before you start: it changes the exercises. No link contains it."
)
ANSWER_TO = "Answer to {number}"
FINISH = "Check my answers"
ANSWERS_KEPT = "An answer may be a calculation such as 2*tanh(1.5)-1. The URL holds each answer as soon as you leave its field, so a reload keeps it."
# At the end of a test, with the numbers of its exercises.
CANNOT_READ = "The page cannot read your answers to these exercises: {numbers}. Correct these answers or delete them."
AGAIN = "Delete my answers"
RESULT = "## {right} of {many} right\nTest {number}, level {level}."
# Below the result of the levels with decimals.
COUNTED = "An answer is right if it agrees to {decimals} decimals. You may round intermediate results to 4 decimals, but not to fewer."
SEND_RESULT = "To send this result, copy the URL. The page checks the answers in it again."
SEND_SALTED_RESULT = "Your teacher must enter the secret word too, because the URL does not contain it."
# A link does not tell whether there was a secret word.
ENTER_SALT = "If the test had a secret word, enter it above, because it changes the exercises."
# The numbers of the exercises, by their marks.
MARKED_RIGHT, MARKED_WRONG, NOT_ANSWERED = "Right: {numbers}.", "Wrong: {numbers}.", "Not answered: {numbers}."
MARKED_NEARLY = "Nearly right, which does not count: {numbers}."
YOUR_ANSWER = "Your answer: {answer}"
NO_ANSWER = "none"
UNREADABLE = "The page cannot read this answer."
ANSWER_OF_TEST = "The answer is {answer}. Stages: {stages}"


def outlined(*, is_used: bool, is_needed: bool) -> str:
    """Return what the outlines show; empty if there are none."""
    if is_needed:
        return OUTLINED if is_used else OUTLINED_NEEDED
    return OUTLINED_USED if is_used else ""


def answer_of_test(answer: str, stages: Iterable[str]) -> str:
    """Return the answer of an exercise of a test with the stages of its solution.

    Parameters
    ----------
    answer : str
    stages : iterable of str
    """
    return ANSWER_OF_TEST.format(answer=answer, stages=clauses(stages))


# ---- for teachers --------------------------------------------------------------------------

TEACHERS = "Sheet for teachers"
TEACHERS_TEXT = (
    "The sheet starts with the exercise on this page. All of its exercises have this kind and level, and there is an answer key. **Anybody with the link can make the same key.** "
    "With a secret word, they need the word too, because it changes the numbers. No link contains it, and the page forgets it when this session ends."
)
SALT = "Secret word"
SALT_OF_SHEET_HELP = "Any word, such as tulip. The same word makes the same exercises again."
HOW_MANY = "Number of exercises"
NO_SHEET = "There is no sheet for a whole step. Choose another kind of exercise."
LATEX, LATEX_WITH_KEY, MOODLE, CSV = "LaTeX", "LaTeX with answer key", "Moodle XML", "CSV"
PRINT = "Sheet to print"
PRINT_HELP = "The printout has the sheet, and the answer key on a separate page."

# The sheet on paper.
SHEET = "## {kind}"
KEY = "## Answer key"
NAME_LINE = "Name: " + 40 * "_"
ANSWER_LINE = "Answer: " + 24 * "_"
QUESTION = "{number}. {question}"
ANSWER_OF_KEY = "{number}. {answer}. Stages: {stages}"
GIVEN_IN_EXERCISE_ALT = "The given numbers of exercise {number}."


def answer_of_key(number: int, answer: str, stages: Iterable[str]) -> str:
    """Return the answer of an exercise with the stages of its solution.

    Parameters
    ----------
    number : int
        From 1.
    answer : str
    stages : iterable of str
    """
    return ANSWER_OF_KEY.format(number=number, answer=answer, stages=clauses(stages))


def numbers_by_grade(graded: list[GradedAnswer]) -> str:
    """Return which exercises are right, nearly right, wrong and not answered."""
    marks = [_mark_of(one) for one in graded]
    numbers = {
        mark: [f"{at}" for at, one in enumerate(marks, 1) if one == mark]
        for mark in (MARKED_RIGHT, MARKED_NEARLY, MARKED_WRONG, NOT_ANSWERED)
    }
    return " ".join(mark.format(numbers=enumerated(found)) for mark, found in numbers.items() if found)


def _mark_of(graded: GradedAnswer) -> str:
    """Return the line of the list in which an exercise stands."""
    if not graded.typed:
        return NOT_ANSWERED
    if graded.right:
        return MARKED_RIGHT
    is_near = graded.judgement is not None and graded.judgement.code in NEARLY
    return MARKED_NEARLY if is_near else MARKED_WRONG
