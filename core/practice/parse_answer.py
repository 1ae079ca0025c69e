"""Typed answers: a number, a fraction, or whole numbers."""

import math
import re

from core.exchange.matrix_text import NUMBER

# The largest number of characters of an answer, and of whole numbers in it.
MOST_CHARACTERS, MOST_PARTS = 80, 8
WHOLE = re.compile(r"[+-]?\d{1,9}", re.ASCII)
# 4, 7 with a space, 4; 7, 4 7, 4x7 and 4×7: a comma without a space is a decimal one.
BETWEEN = re.compile(r"\s*[;x×]\s*|,\s+|\s+")
# Where whole numbers are asked for, also 4,7 and 4*7, and 4-7 for rows.
ANY_BETWEEN = re.compile(r"\s*[;x×*,]\s*|\s+|(?<=\d)[-–](?=\d)")
# A plain number, and its decimals.
DECIMALS_WRITTEN = re.compile(r"[+-]?\d*(?:[.,](\d*))?", re.ASCII)
EXAMPLES = "−1.5, 0,5, 1/2 or 1e-3"


def parse_answer(text: str, whole: bool = False) -> float | tuple[int, ...]:
    """Return the value of a typed answer.

    Parameters
    ----------
    text : str
        A number with a decimal point or comma, a fraction, or whole numbers, with or without brackets.
    whole : bool
        Whether whole numbers are asked for, as in a shape: then 4,7 is two of them and not 4.7, and 4 is one.

    Raises
    ------
    ValueError
        If it is none of these, or not finite, or too long.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"The answer has {len(text)} characters. Enter at most {MOST_CHARACTERS}.")
    plain = text.strip().replace("−", "-")
    inside = plain[1:-1].strip() if plain[:1] + plain[-1:] in ("()", "[]") else None
    if inside and not whole and not ANY_BETWEEN.search(inside):
        plain, inside = inside, None
    if whole or inside is not None:
        return _whole_numbers(ANY_BETWEEN.split(plain if inside is None else inside.removesuffix(",")))
    if len(parts := BETWEEN.split(plain)) > 1 and all(map(WHOLE.fullmatch, parts)):
        return _whole_numbers(parts)
    above, slash, below = plain.partition("/")
    value = _number(above)
    if not slash:
        return value
    if not (divisor := _number(below)):
        raise ValueError("The denominator is 0. Enter a fraction such as 1/2.")
    if not math.isfinite(value / divisor):
        raise ValueError(f"The fraction is too large. Enter a number such as {EXAMPLES}.")
    return value / divisor


def decimals_of_answer(text: str) -> int | None:
    """Return the number of decimals of a typed number, or None if it is written in another way, such as 1/2."""
    written = DECIMALS_WRITTEN.fullmatch(text.strip().replace("−", "-"))
    return len(written[1] or "") if written else None


def _whole_numbers(parts: list[str]) -> tuple[int, ...]:
    if len(parts) > MOST_PARTS:
        raise ValueError(f"The answer has {len(parts)} parts. Enter at most {MOST_PARTS} whole numbers.")
    for part in parts:
        if not WHOLE.fullmatch(part):
            raise ValueError(
                f"{_named(part)} is not a whole number of at most 9 digits. Enter whole numbers such as (4, 7)."
            )
    return tuple(map(int, parts))


def _number(text: str) -> float:
    plain = text.strip()
    # 1,000.5 would be two readings.
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    if not NUMBER.fullmatch(plain):
        raise ValueError(f"{_named(text.strip())} is not a number. Enter a number such as {EXAMPLES}.")
    if not math.isfinite(float(plain)):
        raise ValueError(f"{_named(plain)} is too large. Enter a number such as {EXAMPLES}.")
    return float(plain)


def _named(part: str) -> str:
    """Return a part of an answer in quotes; the page shows errors as Markdown, so a part with other characters is not quoted."""
    if not part:
        return "An empty text"
    return "This part" if re.search(r"[^\w.,;/()+ =%-]|_", part) else f"“{part}”"
