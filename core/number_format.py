"""A number as the screen prints it."""

from decimal import ROUND_HALF_UP, Decimal, localcontext


def number(value: float, decimals: int) -> str:
    """Return a number as the screen prints it.

    Whole numbers carry no decimals. What would round to 0 without being 0 is shown by its power of
    ten: 0.00 would be a wrong number. `number` in number_format.js of the dashboard is the same rule.
    """
    value = float(value) + 0.0  # no minus zero
    size = abs(value)
    if value.is_integer() and size < 1e6:
        digits = ".0f"
    elif size <= 0.5 * 10**-decimals or size >= 1e6:
        digits = f".{decimals}e"
    else:
        digits = f".{decimals}f"
    if digits.endswith("f") and not (value * 2 * 10**decimals).is_integer():
        text = f"{value:{digits}}"  # halfway between two numbers it is not, so all ways to round agree
    else:
        with localcontext(rounding=ROUND_HALF_UP):  # as JavaScript rounds
            text = f"{Decimal(value):{digits}}"
    return text.replace("e+", "e").replace("-", "−")
