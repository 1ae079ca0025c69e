"""The sentences on typed answers that cannot be read."""

from core.practice import UnreadableAnswer
from dashboard.text.markdown import code_span

# By the code of an `UnreadableAnswer`.
SENTENCES = {
    "too_long": "The answer has {characters} characters. Enter at most {most}.",
    "too_many_parts": "The answer has {parts} parts. Enter at most {most} whole numbers.",
    "not_whole": "{part} is not a whole number of at most {digits} digits. Enter whole numbers such as (4, 7).",
    "not_number": "{part} is not a number. Enter a number such as −1.5 or 0,5, or a calculation such as 2·tanh(1.5)−1.",
    "two_readings": "{part} can mean {decimal} or {grouped}. Enter {decimal} or {grouped}.",
    "separator": "{part} can mean {decimal} or {grouped}. Enter a whole number without a separator, such as {grouped}.",
    "too_large": "{part} is too large. Enter a number such as −1.5, 0,5, 1/2 or 1e-3.",
    "large_fraction": "The fraction is too large. Enter a number such as −1.5, 0,5, 1/2 or 1e-3.",
    "zero_denominator": "The denominator is 0. Enter a fraction such as 1/2.",
}
EMPTY = "An empty text"
EQUALS = "The page does not read an equals sign. Enter only what is on its right."
BRACKETS = "The brackets don't match. Enter a closing bracket for each opening one."


def unreadable(answer: UnreadableAnswer) -> str:
    """Return the sentence on an answer that cannot be read, as Markdown."""
    part = str(answer.values.get("part", ""))
    if answer.code == "not_number" and part.count("(") != part.count(")"):
        return BRACKETS
    if answer.code in ("not_number", "not_whole") and "=" in part:
        return EQUALS
    return SENTENCES[answer.code].format_map({**answer.values, "part": quoted(part) or EMPTY})


def quoted(text: str) -> str:
    """Return a text as code, in which Markdown has no signs; empty if there is none."""
    plain = " ".join(text.split())
    return plain and code_span(f" {plain} " if "`" in plain else plain)
