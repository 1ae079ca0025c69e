"""The numbers in the callout of a gated cell are enough to compute its result by hand."""

import re
from decimal import ROUND_HALF_UP, Decimal, localcontext
from importlib import import_module
from itertools import product
from urllib.parse import urlencode

import pytest

from dashboard.controls.live_picture import draw
from dashboard.drawing.gated_step import gives
from dashboard.state.page_list import PAGES
from dashboard.state.state import parse
from dashboard.text import gru, lstm
from tests.sentences import pattern

# The last number stands before the full stop of the sentence.
UNITS = {"lstm": re.compile(pattern(lstm.UNIT)), "gru": re.compile(rf"{pattern(gru.UNIT)}(?: |$)")}
SETTINGS = [
    dict(zip(("init", "scale", "seed", "decimals", "k"), values))
    for values in product(("normal", "uniform"), ("0.01", "1", "30"), map(str, range(5)), ("1", "2", "4"), ("3", "8"))
]


def decimal(text: str) -> Decimal:
    return Decimal(text.replace("−", "-"))


def fractions(text: str) -> list[Decimal]:
    """Return the printed percentage as a fraction. For “less than” and “more than”, return both ends of the interval."""
    words, _, digits = text.removesuffix("%").rpartition(" ")
    ends = {"": [], "less than": [Decimal(0)], "more than": [Decimal(100)]}[words]
    return [value / 100 for value in (Decimal(digits), *ends)]


@pytest.mark.parametrize("path", ["lstm", "gru"])
def test_the_printed_numbers_give_the_printed_result(path):
    page, computed = import_module(PAGES[path].module), 0
    for choices in SETTINGS:
        state, _ = parse(path, {**choices, "n": choices["k"]})
        _, kept, before, written, new, total, *_ = UNITS[path].search(page.panels(state)[0]["callout"]).groups()
        printed = decimal(total)
        last = Decimal(1).scaleb(printed.as_tuple().exponent if "e" in total else -int(choices["decimals"]))
        bounds = fractions(kept), fractions(written)
        with localcontext(prec=1000):
            by_hand = [f * decimal(before) + i * decimal(new) for f, i in product(*bounds)]
            results = {(value / last).quantize(1, ROUND_HALF_UP) * last for value in by_hand}
        computed += results == {printed}
        assert results == {printed} or any(len(ends) > 1 for ends in bounds), choices
    assert computed >= 0.9 * len(SETTINGS)


@pytest.mark.parametrize("path", ["lstm", "gru"])
def test_both_sides_of_a_comparison_print_one_number_with_the_same_digits(path):
    page, alike = import_module(PAGES[path].module), 0
    for choices, scale in product(SETTINGS[::7], ("0.5", "2")):
        a = {**choices, "n": choices["k"]}
        b = a | {"scale": scale}
        state, _ = parse(path, b | {"compare": urlencode({key: a[key] for key in a if key != "decimals"})})
        found = {
            panel["side"]: UNITS[path].search(panel["callout"]).groups()
            for panel in draw(state, page.panels)["panels"]
            if panel["callout"]
        }
        (_, _, before, *_), (_, _, other, *_) = found["A"], found["B"]
        assert before == other, (a, b)
        alone = [UNITS[path].search(page.panels(parse(path, one)[0])[0]["callout"])[3] for one in (a, b)]
        alike += alone[0] == alone[1]
    assert alike < len(SETTINGS[::7]) * 2


@pytest.mark.parametrize(
    ("terms", "total", "is_enough"),
    [
        ([("94%", "2"), ("4%", "−0.37")], "1.88", False),
        ([("94.5%", "2"), ("3.6%", "−0.372")], "1.88", True),
        ([("less than 1%", "0.2"), ("50%", "1")], "0.50", True),
        ([("less than 1%", "9"), ("50%", "1")], "0.50", False),
        ([("more than 99%", "9"), ("0%", "1")], "9", False),
        ([("100%", "2"), ("50%", "1.23e−4")], "2.00", True),
        ([("10%", "1.23e−4"), ("0%", "1")], "1.23e−5", True),
        ([("50%", "−2"), ("0%", "1")], "1", False),
        ([("50%", "0.25"), ("0%", "1")], "0.13", True),
        ([("50%", "−0.25"), ("0%", "1")], "−0.12", False),
    ],
)
def test_printed_numbers_are_enough_if_each_value_they_allow_gives_the_result(terms, total, is_enough):
    assert gives(terms, total, 2) == is_enough
