"""The sentences on typed answers that cannot be read."""

import re

from core.practice import UnreadableAnswer

# By the code of an `UnreadableAnswer`.
SENTENCES = {
    "too_long": "The answer has {characters} characters. Enter at most {most}.",
    "too_many_parts": "The answer has {parts} parts. Enter at most {most} whole numbers.",
    "not_whole": "“{part}” is not a whole number of at most {digits} digits. Enter whole numbers such as (4, 7).",
    "not_number": "“{part}” is not a number. Enter a number such as −1.5, 0,5, 1/2 or 1e-3.",
    "too_large": "“{part}” is too large. Enter a number such as −1.5, 0,5, 1/2 or 1e-3.",
    "large_fraction": "The fraction is too large. Enter a number such as −1.5, 0,5, 1/2 or 1e-3.",
    "zero_denominator": "The denominator is 0. Enter a fraction such as 1/2.",
}
# For an empty part.
EMPTY = {
    "not_whole": "An empty text is not a whole number of at most {digits} digits. Enter whole numbers such as (4, 7).",
    "not_number": "An empty text is not a number. Enter a number such as −1.5, 0,5, 1/2 or 1e-3.",
}
# For a part that the page does not quote.
UNQUOTED = {
    "not_whole": "This part is not a whole number of at most {digits} digits. Enter whole numbers such as (4, 7).",
    "not_number": "This part is not a number. Enter a number such as −1.5, 0,5, 1/2 or 1e-3.",
}
BRACKETS = "The brackets don't match. Enter a closing bracket for each opening one."
# The page shows these sentences as Markdown, which would change such characters.
NOT_PLAIN = re.compile(r"[^\w.,;/()+ =%-]|_")


def unreadable(answer: UnreadableAnswer) -> str:
    """Return the sentence on an answer that cannot be read."""
    part = answer.values.get("part")
    if answer.code == "not_number" and str(part).count("(") != str(part).count(")"):
        return BRACKETS
    if part == "":
        sentences = EMPTY
    elif part is not None and NOT_PLAIN.search(str(part)):
        sentences = UNQUOTED
    else:
        sentences = SENTENCES
    return sentences[answer.code].format_map(answer.values)
