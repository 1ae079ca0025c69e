"""Typed answers: a number, a fraction, a calculation, or whole numbers."""

import math
import re
from collections.abc import Mapping

from core.exchange.matrix_text import NUMBER
from core.practice.calculation import calculate
from core.practice.exercise import Exercise

# The largest number of characters of an answer, of whole numbers in it, and of digits of each.
MOST_CHARACTERS, MOST_PARTS, MOST_DIGITS = 80, 8, 9
WHOLE = re.compile(rf"[+-]?\d{{1,{MOST_DIGITS}}}", re.ASCII)
# 4, 7 with a space, 4; 7, 4 7 and 4x7: a comma without a space is a decimal one, and 4×7 is a calculation.
BETWEEN = re.compile(r"\s*[;x]\s*|,\s+|\s+")
# Where whole numbers are asked for, commas separate calculations too. Without commas, 4*7 is two numbers, and so is 4-7 for rows.
COMMA = re.compile(r"\s*[;,]\s*")
ANY_BETWEEN = re.compile(r"\s*[;x×*,]\s*|\s+|(?<=\d)[-–](?=\d)")
# Brackets around everything, with or without others inside.
ENCLOSED = re.compile(r"\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\]")
# A plain number, and its decimals.
DECIMALS_WRITTEN = re.compile(r"[+-]?\s*\d*(?:[.,](\d*))?", re.ASCII)
# A calculation has a sign or a function that a number and a fraction do not have. Its value is not rounded.
CALCULATED = re.compile(r"[*·×^²(+]|(?<=[\d.,)\s])[-−]|/.*/")
ALL_DECIMALS = 15
# The separator is a decimal comma or groups thousands. A point is a decimal one, unless only zeros follow it.
TWO_READINGS = re.compile(r"(?<![\d.,])([1-9]\d{0,2})(?:,(\d{3})|\.(000))(?![\d.,])", re.ASCII)


class UnreadableAnswer(ValueError):
    """An answer that cannot be read.

    Attributes
    ----------
    code : str
        The reason: "too_long", "too_many_parts", "not_whole", "not_number", "two_readings", "separator", "too_large",
        "large_fraction" or "zero_denominator".
    values : mapping from str to object
        The values that its sentence names, such as the "part" that cannot be read.
    """

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code, values)
        self.code = code
        self.values: Mapping[str, object] = values


def parse_answer(text: str, whole: bool = False) -> float | tuple[int, ...]:
    """Return the value of a typed answer.

    Parameters
    ----------
    text : str
        A number with a decimal point or comma, a fraction, a calculation such as 2*tanh(1.5)-1, or whole numbers, with
        or without brackets.
    whole : bool
        Whether whole numbers are asked for, as in a shape: then 4,7 is two of them and not 4.7, and 4 is one.

    Raises
    ------
    UnreadableAnswer
        If it is none of these, or not finite, or too long.
    """
    if len(text) > MOST_CHARACTERS:
        raise UnreadableAnswer("too_long", characters=len(text), most=MOST_CHARACTERS)
    typed = plain = re.sub(r"^([+-])\s+", r"\1", text.strip().replace("−", "-"))
    if not whole and (value := _calculated(plain)) is not None:
        return value
    inside = plain[1:-1].strip() if ENCLOSED.fullmatch(plain) else None
    if inside and not whole and not ANY_BETWEEN.search(inside):
        plain, inside = inside, None
    if whole or inside is not None:
        listed = plain if inside is None else inside.removesuffix(",")
        return _whole_numbers((COMMA if COMMA.search(listed) else ANY_BETWEEN).split(listed), typed)
    if len(parts := BETWEEN.split(plain)) > 1 and all(map(WHOLE.fullmatch, parts)):
        return _whole_numbers(parts, typed)
    above, slash, below = plain.partition("/")
    value = _number(above, typed)
    if not slash:
        return value
    if not (divisor := _number(below, typed)):
        raise UnreadableAnswer("zero_denominator")
    if not math.isfinite(value / divisor):
        raise UnreadableAnswer("large_fraction")
    return value / divisor


def parse_answer_to(exercise: Exercise, text: str) -> float | tuple[int, ...]:
    """Return the value of a typed answer to an exercise.

    Parameters
    ----------
    exercise : Exercise
    text : str
        As in `parse_answer`.

    Raises
    ------
    UnreadableAnswer
        As in `parse_answer`, or if a number such as 8,000 may be 8 or 8000.
    """
    are_several = isinstance(exercise.answer, tuple)
    plain = text.strip().replace("−", "-")
    found = None if are_several or len(text) > MOST_CHARACTERS else TWO_READINGS.search(plain)
    if found:
        whole, decimals = found[1], found[2] or found[3]
        is_alone = plain.lstrip("+- ") == found[0]
        sign = "-" if is_alone and plain.startswith("-") else ""
        is_decimal = not exercise.is_whole and (
            not is_alone or found[3] or float(f"{whole}.{decimals}") <= exercise.largest_expected
        )
        if not is_decimal:
            readings = {"decimal": f"{whole}.{decimals}".rstrip("0").rstrip("."), "grouped": f"{whole}{decimals}"}
            written = {name: f"{sign.replace('-', '−')}{reading}" for name, reading in readings.items()}
            # The page asks for a whole number, and one of the readings is none.
            code = "separator" if exercise.is_whole and float(readings["decimal"]) % 1 else "two_readings"
            raise UnreadableAnswer(code, part=f"{sign}{found[0]}", **written)
    return parse_answer(text, are_several)


def is_calculation(text: str) -> bool:
    """Whether a typed answer is a calculation with a value, and neither a number nor a fraction nor whole numbers."""
    try:
        return _calculated(text) is not None
    except UnreadableAnswer:
        return False


def decimals_of_answer(text: str) -> int | None:
    """Return the number of decimals of a typed number, or None if it is written in another way, such as 1/2.

    The value of a calculation has ALL_DECIMALS.
    """
    written = DECIMALS_WRITTEN.fullmatch(text.strip().replace("−", "-"))
    if written:
        return len(written[1] or "")
    return ALL_DECIMALS if is_calculation(text) else None


def _calculated(text: str) -> float | None:
    """Return the value of a calculation, or None if the text is none."""
    plain = text.strip()
    if (
        len(plain) > MOST_CHARACTERS
        or not CALCULATED.search(plain, 1)
        or all(map(WHOLE.fullmatch, BETWEEN.split(plain)))
    ):
        return None
    try:
        return calculate(plain)
    except ZeroDivisionError:
        raise UnreadableAnswer("zero_denominator") from None
    except OverflowError:
        raise UnreadableAnswer("too_large", part=plain) from None
    except ValueError:
        return None


def _whole_numbers(parts: list[str], text: str) -> tuple[int, ...]:
    if len(parts) > MOST_PARTS:
        raise UnreadableAnswer("too_many_parts", parts=len(parts), most=MOST_PARTS)
    return tuple(_whole_number(part, text) for part in parts)


def _whole_number(part: str, text: str) -> int:
    if WHOLE.fullmatch(part):
        return int(part)
    value = _calculated(part)
    if value is None or not value.is_integer() or abs(value) >= 10**MOST_DIGITS:
        raise UnreadableAnswer("not_whole", part=part or text, digits=MOST_DIGITS)
    return int(value)


def _number(text: str, whole: str) -> float:
    """Return a number, or raise that the whole text, of which it may be a part, is none."""
    plain = text.strip()
    # 1,000.5 would be two readings.
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    if not NUMBER.fullmatch(plain):
        raise UnreadableAnswer("not_number", part=whole)
    if not math.isfinite(float(plain)):
        raise UnreadableAnswer("too_large", part=plain)
    return float(plain)
