"""The sequence page: its maps are the steps of the cell, its equations those of one step, and its words are true."""

import re
from base64 import b64decode
from functools import cache, partial
from itertools import cycle, product
from typing import Any
from urllib.parse import urlencode

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

from core import saturation
from core.activations import ACTIVATIONS
from core.arrays import expect_shape
from core.cells import CELLS
from core.cells.protocol import state_arrays
from core.concatenation import ORDERS, STACK_NAMES
from core.exchange.matrix_text import parse_matrix, to_link
from core.scenario import DIRECTIONS, INPUTS, Scenario
from core.sequence.inputs import one_hot
from core.sequence.layers import named_results
from core.sequence.sequence_run import run_sequence
from dashboard.drawing.arithmetic import number
from dashboard.drawing.chain import MOST_STEPS
from dashboard.drawing.colours import GATE_COLOURS
from dashboard.drawing.matrices import block_means
from dashboard.server import drag_socket
from dashboard.state.custom_arrays import MOST_IN_LINK
from dashboard.state.parameters import LARGEST_SIZE, VALUE_RULES
from dashboard.text import diagram as diagram_text
from dashboard.text import notices, words
from dashboard.text import sequence as sentences
from dashboard.text.plural import fill
from dashboard.text.words import subscripts
from tests.any_cell import symbols
from tests.dashboard.page import (
    Control,
    Shown,
    as_text,
    assert_reaches_the_picture,
    choose,
    chosen,
    controls,
    entries,
    frames,
    go,
    outlined,
    query,
    sliders,
    widgets,
)
from tests.dashboard.page import open_link as open_path
from tests.sentences import reason, says

open_link = partial(open_path, "sequence")
CELL = {"init": "normal", "b_normal": True, "m": 3, "n": 4, "k": 4, "scale": 1.5, "T": 7}
LAST_OUTPUT = sentences.LAST_TITLE
EQUATIONS, EVERYTHING, GATES = sentences.EQUATIONS_TITLE, sentences.EVERYTHING_TITLE, sentences.GATES_TITLE
NUMBERS = {"input": "numbers", "n": "3"}
LONGEST_WORD = VALUE_RULES["word"].longest
every_cell = pytest.mark.parametrize("name", CELLS)

# The cells whose activation is chosen, and of every other one any.
CHOOSING = [name for name, cell in CELLS.items() if any(joined.g is None for joined in cell.PRE_ACTIVATIONS.values())]
ACTIVATED = [*product(CHOOSING, ACTIVATIONS), *((name, "relu") for name in CELLS if name not in CHOOSING)]
LAST = list(CELLS)[-1]


def fields(name: str, order: str = "hx") -> dict[str, str]:
    """The fields of a step by what the page calls them; fields that are the same numbers twice are shown once."""
    return {text: field for field, text in symbols(name).items()} | {STACK_NAMES[order]: "stacked"}


@cache
def linked(**choices) -> Shown:
    """What a link with these choices opens."""
    return Shown(open_link(**{name: as_text(value) for name, value in choices.items()}))


def steps_of(name: str, **choices) -> tuple[Any, list[Any]]:
    """The parameters, and the steps that the cell takes, one after the other."""
    scenario = Scenario(**CELL | choices)
    params, state = scenario.params_and_initial_state(name)
    steps = []
    for x_t in scenario.sequence():
        steps.append(CELLS[name].step(params, state, x_t))
        state = CELLS[name].next_state(steps[-1])
    return params, steps


def stacked(steps: list[Any], field: str) -> np.ndarray:
    """A symbol at every step, a column each."""
    return np.concatenate([getattr(step, field) for step in steps], axis=1)


def maps_of(shown: Shown) -> dict[str, dict]:
    """The maps by their symbols."""
    maps = [block for block in shown.picture["blocks"] if block["over_time"]]
    assert len({block["symbol"] for block in maps}) == len(maps)
    return {block["symbol"]: block for block in maps}


def over_time(shown: Shown) -> dict[str, np.ndarray]:
    """What the maps show, by their symbols."""
    return {symbol: entries(block) for symbol, block in maps_of(shown).items()}


def playback(shown: Shown) -> dict:
    return shown.panels[sentences.TIME_TITLE]["playback"]


def told(shown: Shown) -> str:
    """The text beside the playback slider."""
    return shown.panels[sentences.TIME_TITLE]["text"]


def outlines(shown: Shown) -> str:
    """The texts at the maps with outlined entries."""
    return told(shown) + shown.panels.get(GATES, {"text": ""})["text"]


def xs(shown: Shown) -> np.ndarray:
    """The input, a row for each step."""
    return over_time(shown)["x_t"].T


def drawn_in(shown: Shown, title: str) -> list[list[Any]]:
    """The rows of a panel: its blocks, its rows of cells, and of operators what they say."""
    drawn = {"op": lambda op: op["symbol"], "block": lambda block: shown.picture["blocks"][block["index"]]}
    return [[drawn.get(item["kind"], dict)(item) for item in row] for row in shown.panels[title]["rows"]]


# ---- the maps and the equations are the steps -------------------------------------------------


@pytest.mark.parametrize(
    ("name", "order", "g"),
    [*((name, "hx", g) for name, g in ACTIVATED if g != "relu"), *product(CELLS, ORDERS, ["relu"])],
)
def test_every_map_is_its_symbol_at_one_step_after_the_other(name, order, g):
    choices = {"cell": name, "order": order, "g": g, "forget_bias": 2.0}
    maps = over_time(linked(**CELL | choices))
    _, steps = steps_of(name, order=order, g=g, forget_bias=2.0)
    assert maps.keys() == fields(name, order).keys()
    for symbol, field in fields(name, order).items():
        assert_allclose(maps[symbol], stacked(steps, field), rtol=1e-9, atol=1e-12, err_msg=symbol)


@every_cell
def test_every_symbol_of_the_step_has_a_map_once(name):
    _, steps = steps_of(name)
    shown = list(fields(name).values())
    assert len({*shown}) == len(shown)
    for double in {*steps[0]._fields} - {*shown}:
        numbers = stacked(steps, double)
        same = [field for field in shown if stacked(steps, field).shape == numbers.shape]
        assert any(np.allclose(numbers, stacked(steps, field), rtol=1e-12) for field in same), double


@every_cell
def test_each_h_is_the_next_steps_last_h(name):
    maps = over_time(linked(**CELL, cell=name))
    assert_array_equal(maps["h_t"][:, :-1], maps["h_{t−1}"][:, 1:])


@every_cell
@pytest.mark.parametrize("t", [1, 4, 7])
def test_the_equations_have_the_numbers_of_the_step_and_of_every_other_one(name, t):
    shown = linked(**CELL, cell=name, t=t)
    params, steps = steps_of(name)
    called = {field: symbol for symbol, field in fields(name).items()}
    above = set()
    for row, equation in zip(drawn_in(shown, EQUATIONS), CELLS[name].EQUATIONS, strict=True):
        for item, symbol in zip(row, equation, strict=True):
            if isinstance(item, str):
                # The stack is drawn once, and named below that.
                assert item == ("[h; x]" if symbol in above else symbol)
            elif symbol in called:
                assert item["symbol"] == called[symbol]
                expected = stacked(steps, symbol)
                assert_allclose(frames(item)[:, :, 0], expected.T, rtol=1e-9, atol=1e-12)
                assert_array_equal(entries(item), frames(item)[t - 1])
            else:
                known = CELLS[name].SYMBOLS.get(symbol)
                assert item["symbol"] == (known.text if known else symbol)
                assert item["frames"] is None
                assert_array_equal(entries(item), getattr(params, symbol))
        above |= {"stacked"}


# ---- the cursor -------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [1, 3, 7])
def test_the_cursor_starts_where_the_link_says(t):
    shown = linked(**CELL, t=t)
    assert playback(shown)["start"] == t - 1
    assert playback(shown)["setting"] == "t" and playback(shown)["whole"]
    assert not says(told(shown), sentences.BEYOND, T=7)


@pytest.mark.parametrize("t", [8, LARGEST_SIZE])
def test_a_step_beyond_the_last_one_is_said_to_be(t):
    at = open_link(**{name: as_text(value) for name, value in CELL.items()}, t=str(t))
    assert playback(Shown(at))["start"] == 6
    assert sentences.beyond(t, 7) in told(Shown(at))
    assert chosen(at, "t") == t and not at.warning


@pytest.mark.parametrize(("T", "step"), [(1, None), (7, 4), (40, 21)])
def test_the_text_names_the_step_at_which_the_input_steps_up_also_if_the_sequence_ends_early(T, step):
    shown = linked(cell="RNN", g="relu", n=3, w_hh=1000, input="step", T=T)
    (ups,) = np.nonzero(xs(shown).any(axis=1))
    assert ups[0] + 1 == (step or 1) and (len(xs(shown)) < T) == (T == 40)
    assert says(told(shown), sentences.INPUTS["step"].other, after=step) == (step is not None)


def test_a_shorter_sequence_says_so_and_a_longer_one_finds_its_step_again():
    at = choose(open_link(t="9"), T=4)
    assert (playback(Shown(at))["start"], sentences.beyond(9, 4) in told(Shown(at))) == (3, True)
    assert playback(Shown(choose(at, T=12)))["start"] == 8
    assert not any(sentences.beyond(9, T) in told(Shown(at)) for T in (4, 12))


@every_cell
@given(st.integers(1, 4), st.integers(0, 6), st.sampled_from(ORDERS))
@settings(max_examples=6)
def test_every_step_of_the_playback_tells_the_numbers_of_its_column(name, j, decimals, order):
    shown = linked(**CELL, cell=name, j=j, decimals=decimals, order=order)
    steps, maps = playback(shown)["steps"], over_time(shown)
    assert [step["label"] for step in steps] == [str(t) for t in range(1, 8)]
    for t, step in enumerate(steps):
        stands_at, unit, told = re.fullmatch(r"(.*)\nUnit (\d): (.*)\.", step["note"]).groups()
        assert stands_at == sentences.step(t + 1, 7, None)
        told = dict(pair.split(" = ") for pair in told.split(", "))
        assert int(unit) == j and told.keys() >= {"h_t"}
        assert told == {symbol: number(maps[symbol][j - 1, t], decimals) for symbol in told}


@every_cell
def test_the_input_and_what_is_carried_stand_beside_the_cursor(name):
    shown = linked(**CELL, cell=name)
    _, [*row] = drawn_in(shown, sentences.TIME_TITLE)
    beside = ["x_t", *(part.replace("_prev", "_t") for part in state_arrays(CELLS[name]))]
    assert [block["symbol"] for block in row] == beside
    outlined = [symbol for symbol, block in maps_of(shown).items() if block["outlined"] is not None]
    gates = [symbol for symbol in outlined if symbol not in beside]
    rows = drawn_in(shown, GATES) if gates else []
    assert [[block["symbol"] for block in row] for row in rows] == [gates] * bool(gates)
    assert [block["symbol"] for (row,) in [drawn_in(shown, EVERYTHING)] for block in row] == [
        symbol for symbol in over_time(shown) if symbol not in [*beside, *gates]
    ]


# ---- the row of cells -------------------------------------------------------------------------


def through(row: dict) -> np.ndarray:
    """How wide the wire is at each step."""
    return np.frombuffer(b64decode(row["through"]), np.float32)


@pytest.mark.parametrize(
    ("name", "gate", "wires"), [("RNN", None, ("h", "")), ("LSTM", "f_t", ("c", "h")), ("GRU", "u_t", ("h", ""))]
)
def test_the_wire_through_the_row_of_cells_is_as_wide_as_the_mean_of_the_gate_on_it(name, gate, wires):
    shown = linked(**CELL, cell=name)
    ((row,), _) = drawn_in(shown, sentences.TIME_TITLE)
    assert (row["symbol"], row["second"]) == wires and row["over_time"] and len(row["words"]) == 7
    if gate is None:
        assert row["through"] is None and not row["labels"] and row["words"][2] == "step 3"
        return
    _, steps = steps_of(name)
    means = [getattr(step, gate).mean() for step in steps]
    assert_allclose(through(row), means, rtol=1e-6)
    shares = [f"{number(100 * mean, 0)}%" for mean in means]
    assert row["labels"] == [f"{gate[0]} {share}" for share in shares]
    kept = {"gate": gate, "share": shares[2], "state": wires[0]}
    assert row["words"][2] == sentences.cell_at(3, None, kept)
    assert row["colour"] == GATE_COLOURS[gate]


@pytest.mark.parametrize(("bias", "words", "label"), [(10, "more than 99%", ">99%"), (-10, "less than 1%", "<1%")])
def test_a_gate_that_is_not_quite_open_or_closed_is_not_called_so(bias, words, label):
    ((row,), _) = drawn_in(linked(cell="LSTM", n=3, scale=0.1, T=3, forget_bias=bias), sentences.TIME_TITLE)
    assert row["labels"] == [f"f {label}"] * 3
    assert row["words"][0] == sentences.cell_at(1, None, {"gate": "f_t", "share": words, "state": "c"})


def test_the_letters_of_a_word_stand_above_the_row_of_cells():
    ((row,), _) = drawn_in(linked(input="word", word="no", m=2), sentences.TIME_TITLE)
    assert row["letters"] == ["n", "o"] and row["words"][1].startswith("step 2, “o”: ")


@pytest.mark.parametrize(
    ("word", "pair"), [("hello", (3, 4, "l")), ("banana", (2, 4, "a")), ("_ _", (1, 3, "__")), ("abc", None)], ids=str
)
def test_the_callout_compares_two_steps_with_the_same_letter(word, pair):
    shown = linked(input="word", word=word, m=4, k=4, n=4, init="normal", scale=1.5, cell="LSTM", j=2)
    callout, h = shown.panels[sentences.TIME_TITLE]["callout"], over_time(shown)["h_t"][1]
    if pair is None:
        share = f"{over_time(shown)['f_t'].mean():.0%}"
        assert callout.startswith(sentences.KEEPS.format(gate="f_t", share=share, state="c"))
        return
    first, second, letter = pair
    values = {"before": number(h[first - 1], 2), "after": number(h[second - 1], 2), "letter": letter}
    assert callout.startswith(sentences.SAME_LETTER.format(first=first, second=second, unit=2, **values))


def test_two_steps_with_equal_numbers_on_the_screen_are_not_compared():
    shown = linked(input="word", word="aa", m=1, k=2, n=2, init="fill", w_hx=0, w_hh=0, b=0, cell="LSTM")
    assert "Steps" not in shown.panels[sentences.TIME_TITLE]["callout"]


@pytest.mark.parametrize(("T", "rows"), [(MOST_STEPS, 2), (MOST_STEPS + 1, 1)])
def test_beyond_what_can_be_seen_there_is_no_row_of_cells(T, rows):
    shown = linked(**CELL | {"T": T}, cell="LSTM")
    assert len(drawn_in(shown, sentences.TIME_TITLE)) == rows
    assert says(shown.panels[sentences.TIME_TITLE]["text"], sentences.WIRE, gate="f_t", state="c") == (rows == 2)


# ---- saturation -------------------------------------------------------------------------------


@pytest.mark.parametrize("threshold", [1, 30])
@pytest.mark.parametrize(("name", "g"), ACTIVATED)
def test_what_is_outlined_is_saturated_or_inactive_and_counted(name, g, threshold):
    shown = linked(**CELL | {"scale": 3.0}, cell=name, g=g, threshold=threshold)
    params, steps = steps_of(name, scale=3.0, g=g)
    called = {field: symbol for symbol, field in fields(name).items()}
    flat = {
        called[value]: saturation.is_saturated(stacked(steps, z), of, threshold / 100)
        for value, (z, of) in CELLS[name].activated(params).items()
    }
    maps = maps_of(shown)
    assert {symbol for symbol, block in maps.items() if block["outlined"] is not None} == flat.keys()
    below = shown.panels.get(GATES) or shown.panels[EVERYTHING]
    head, *lines = below["note"].splitlines()
    saturates = any(of.saturates for _, of in CELLS[name].activated(params).values())
    assert head == (sentences.SATURATED if saturates else sentences.INACTIVE)
    for line, (symbol, which) in zip(lines, flat.items(), strict=True):
        assert_array_equal(outlined(maps[symbol]), which)
        counts = {"flat": which.sum(), "all": 4 * 7, "last": which[:, -1].sum(), "units": 4}
        assert line == sentences.FLAT_OF.format(symbol=symbol, **counts)
        assert line in below["alt"]
    # The sentence on the outlines stands at the first maps that have them.
    titles = [title for title in (sentences.TIME_TITLE, GATES) if title in shown.panels]
    first = next(title for title in titles if any(block.get("symbol") in flat for block in drawn_in(shown, title)[-1]))
    sentence = sentences.outlined(threshold / 100, saturates=saturates)
    assert [title for title in titles if sentence in shown.panels[title]["text"]] == [first]
    assert 0 < sum(which.sum() for which in flat.values())
    counts = {of: [0, 0] for _, of in CELLS[name].activated(params).values()}
    for value, (_, of) in CELLS[name].activated(params).items():
        counts[of] = [counts[of][0] + flat[called[value]].sum(), counts[of][1] + 4 * 7]
    every = {of: saturation.Count(*count) for of, count in counts.items()}
    counted = words.saturated_over_time(name, every, CELLS[name], CELLS[name].activated(params))
    assert shown.panels[sentences.TIME_TITLE]["callout"].endswith(counted)


@pytest.mark.parametrize("name", [name for name, cell in CELLS.items() if hasattr(cell, "DIAGRAM")])
def test_the_diagram_names_gates_only_if_the_cell_has_some(name):
    text = linked(**CELL, cell=name).panels[diagram_text.TITLE]["text"]
    assert ("gate" in text) == any(field in GATE_COLOURS for field in fields(name).values())


# ---- the inputs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("input", "init"),
    [("noise", "fill"), ("impulse", "normal"), ("step", "ramp"), ("sine", "fill"), ("sine", "glorot")],
)
def test_the_map_of_x_is_the_sequence_that_was_chosen(input, init):
    shown = linked(input=input, init=init, T=9)
    assert_allclose(xs(shown), Scenario(input=input, init=init, T=9).sequence()[:, :, 0], rtol=1e-15)


@pytest.mark.parametrize("word", ["hello", "aaa", "h", "日本", "a b", "<b>"])
def test_a_word_has_a_row_for_each_of_its_characters_and_names_them(word):
    shown = linked(input="word", word=word, m=5)
    letters = list(dict.fromkeys(word))
    for row, x_t in zip(xs(shown).tolist(), word, strict=True):
        assert row == [float(x_t == letter) for letter in letters] + [0] * (5 - len(letters))
    assert {symbol: block["row_headings"] for symbol, block in maps_of(shown).items() if block["row_headings"]} == {
        "x_t": letters
    }
    T = len(word)
    assert [step["note"].partition("\n")[0] for step in playback(shown)["steps"]] == [
        sentences.step(t, T, letter) for t, letter in enumerate(word, 1)
    ]
    assert f"“{word}”" in told(shown)


@every_cell
def test_the_letters_of_a_word_head_every_map_and_a_table_names_the_saturated_units_at_each(name):
    at = open_link(input="word", word="hello", cell=name, init="normal", scale="4", n="7", m="4", k="7")
    maps, table = maps_of(Shown(at)), at.dataframe[-1].value
    assert all(block["headings"] == list("hello") for block in maps.values())
    assert table[sentences.LETTER].tolist() == list("hello")
    seen = set()
    for symbol, block in maps.items():
        if block["outlined"] is not None:
            for which, said in zip(outlined(block).T, table[subscripts(symbol)], strict=True):
                units = [f"{unit}" for unit in np.flatnonzero(which) + 1]
                told = f"unit{'s' * (len(units) > 1)} {', '.join(units)}" if units else "none"
                assert said == (told if len(units) <= 6 else f"{len(units)} of 7")
                seen.add(len(units))
    assert len(seen) > 1
    assert all(block["headings"] is None for block in maps_of(linked(T=4)).values())
    assert not open_link(input="word", word="hello", m="3").dataframe


@pytest.mark.parametrize(("g", "title"), [("tanh", sentences.SATURATED_LETTERS), ("relu", sentences.INACTIVE_LETTERS)])
def test_the_title_of_the_table_of_letters_says_whether_its_units_are_saturated_or_inactive(g, title):
    at = open_link(input="word", word="hello", m="4", cell="RNN", g=g)
    assert at.expander[-1].label == title


def said_of_the_word(at) -> list[str]:
    return [remark for remark in Shown(at).remarks if "word" in remark]


def test_a_word_that_needs_a_larger_m_says_which_and_shows_noise_until_then():
    at = open_link(input="word", word="abcab", m="2")
    (remark,) = said_of_the_word(at)
    assert remark == sentences.UNTIL_THEN.format(reason=reason(one_hot, "abcab", 2))
    assert Shown(at) == linked(m=2)


@pytest.mark.parametrize(
    ("word", "m"),
    [("hello", 4), ("abcdefg", 7), ("aa", 3), (bytes(range(65, 65 + LONGEST_WORD)).decode(), LONGEST_WORD)],
    ids=["five characters", "seven characters", "one character", "as many as there may be"],
)
def test_a_word_that_is_typed_gets_the_m_that_it_needs_and_gives_nothing_back(word, m):
    at = choose(open_link(input="word", word="a"), word=word)
    assert not at.error and not said_of_the_word(at) and chosen(at, "m") == m
    assert Shown(at) == linked(input="word", word=word, m=m)
    assert Shown(choose(at, word="ab")) == linked(input="word", word="ab", m=m)
    assert Shown(choose(at, word="abcdefgh")) == linked(input="word", word="abcdefgh", m=max(m, 8))


def test_a_word_that_is_chosen_by_hand_gets_the_m_that_it_needs():
    at = choose(open_link(m="2"), input="word")
    assert Shown(at) == linked(input="word", m=3)
    assert not at.error and not said_of_the_word(at) and chosen(at, "m") == 3
    assert xs(Shown(choose(at, word="no"))).tolist() == [[1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize("word", ["", "a\nb", "\u202e"], ids=ascii)
def test_a_word_that_cannot_be_taken_stays_in_the_url_and_is_refused_in_every_run(word):
    at = choose(open_link(input="word"), word="on")
    choose(at, word=word)
    for _ in range(2):
        (warning,) = at.warning
        assert says(warning.value, notices.REFUSED, name="word", rule=VALUE_RULES["word"])
        assert query(at)["word"] == word and chosen(at, "word") == Scenario().word
        assert Shown(at) == linked(input="word", m=chosen(at, "m"))
        at.run()
    assert not choose(at, word="on").warning


@pytest.mark.parametrize("input", INPUTS)
def test_every_input_can_be_chosen_by_hand(input):
    link = {"m": "4", "typed": "xs~1_2_3_4"}
    at = choose(open_link(**link, input="noise" if input != "noise" else "step"), input=input)
    assert Shown(at) == Shown(open_link(**link, input=input))
    assert not at.error
    assert ("T" in sliders(at)) == (input not in ("word", "numbers"))


# ---- numbers that are pasted ------------------------------------------------------------------


def own(at) -> str | None:
    """What the URL says of the reader's own numbers."""
    return query(at).get("typed")


def pasted(text: str, at=None):
    """A page of typed numbers, after this text was pasted."""
    at = at or open_link(**NUMBERS)
    return choose(at, **{next(name for name in widgets(at) if name.startswith("pasted ")): text})


def as_lines(matrix: np.ndarray) -> str:
    return "\n".join(" ".join(map(repr, row)) for row in matrix.tolist())


@given(hnp.arrays(np.float64, st.tuples(st.integers(1, 9), st.just(3)), elements=st.floats(-1e3, 1e3)))
@settings(max_examples=8)
def test_pasted_numbers_are_the_sequence_and_a_link_carries_them(matrix):
    at = pasted(as_lines(matrix))
    assert not at.error and not at.info and not Shown(at).remarks
    assert_array_equal(xs(Shown(at)), matrix)
    assert sentences.INPUTS["numbers"] in told(Shown(at))
    assert Shown(open_link(**NUMBERS, typed=own(at))) == Shown(at)


def error_about(text: str) -> str:
    """The error about a text that is no matrix."""
    return sentences.REFUSED.format(reason=reason(parse_matrix, text))


# tests/core/test_matrix_text.py tests which texts are no matrix. The page also demands m columns.
REFUSED = {
    "one column": ("1\n2", fill(sentences.OTHER_WIDTH, {"m": 3, "columns": 1})),
    "too few columns": ("1 2\n3 4", fill(sentences.OTHER_WIDTH, {"m": 3, "columns": 2})),
    "too many columns": ("1 2 3 4", fill(sentences.OTHER_WIDTH, {"m": 3, "columns": 4})),
    "markup": ("<b>1</b> 2 3", error_about("<b>1</b> 2 3")),
    "513 lines": ("1 2 3\n" * 513, error_about("1 2 3\n" * 513)),
}


@cache
def before() -> Shown:
    return Shown(pasted("1 2 3\n4 5 6"))


@pytest.mark.parametrize(("text", "words"), REFUSED.values(), ids=REFUSED)
def test_refused_numbers_are_one_line_and_leave_what_was_there(text, words):
    at = pasted(text, pasted("1 2 3\n4 5 6"))
    (error,) = at.error
    assert error.value == words and "\n" not in error.value and "<b>" not in error.value
    assert Shown(at) == before()
    assert own(at) == "xs~1_2_3~4_5_6"
    assert not pasted("7 8 9", at).error
    assert xs(Shown(at)).tolist() == [[7, 8, 9]]


def test_refused_numbers_without_any_before_are_one_line_and_the_input_is_noise():
    text, said = REFUSED["markup"]
    at = pasted(text)
    (error,) = at.error
    assert error.value == said
    assert Shown(at) == linked(n=3)


def test_without_numbers_the_page_asks_for_some():
    at = open_link(**NUMBERS)
    refused = reason(Scenario(input="numbers").sequence)
    assert Shown(at).remarks == [sentences.UNTIL_THEN.format(reason=refused)]
    assert Shown(at) == linked(n=3)


def test_a_refusal_goes_with_the_input_that_it_was_about():
    at = choose(pasted("1 2 x"), input="noise")
    assert Shown(at) == linked(n=3)
    assert not at.error


def test_numbers_of_another_width_say_so_once_m_changes():
    at = choose(pasted("1 2 3\n4 5 6"), m=4)
    of_shape = reason(expect_shape, "xs", np.ones((2, 3)), "(T, m)", ("T", 4))
    assert Shown(at).remarks == [sentences.UNTIL_THEN.format(reason=of_shape)]
    assert Shown(choose(at, m=3)) == before()


@pytest.mark.parametrize("rows", [400, 401, LARGEST_SIZE])
def test_what_is_too_much_for_a_link_stays_in_the_session_and_the_page_says_so(rows):
    matrix = np.arange(rows)[:, None]
    at = pasted(as_lines(matrix), open_link(**NUMBERS, m="1"))
    fits = rows <= MOST_IN_LINK
    assert own(at) == (to_link({"xs": matrix}) if fits else None)
    said = [says(info.value, notices.KEPT, most=MOST_IN_LINK) for info in at.info]
    assert said == ([] if fits else [True])
    shown = Shown(at)
    x_t = maps_of(shown)["x_t"]
    assert x_t["shape"] == f"(1, {rows})"
    assert_allclose(entries(x_t), block_means(matrix.T, x_t["row_edges"], x_t["column_edges"]), rtol=1e-6)
    again = go(go(at, "lstm"), "sequence")
    assert_array_equal(over_time(Shown(again))["x_t"], entries(x_t))
    few = pasted("1\n2", again)
    assert not few.info and own(few) == "xs~1~2"


# ---- every control reaches the picture --------------------------------------------------------

LSTM, RNN, WORD = {"n": "3"}, {"n": "3", "cell": "RNN"}, {"n": "3", "m": "6", "input": "word"}
NOISE, SMALL = {"n": "3", "init": "normal"}, {"n": "3", "scale": "0.02"}
OWN = LSTM | {"w_f": "1"}
TYPED = NUMBERS | {"typed": "xs~1_2_3"}


def first(symbol: str, value: float | list[float]):
    """What is seen of the first step."""
    return lambda shown: np.allclose(shown[symbol][:, 0], value)


CONTROLS = [
    Control("cell", LAST, lambda shown: over_time(shown).keys() == fields(LAST).keys(), LSTM),
    Control("input", "impulse", lambda shown: xs(shown).tolist() == [[9] * 3] + [[0] * 3] * 9, LSTM),
    Control("T", 3, lambda shown: len(playback(shown)["steps"]) == 3, LSTM),
    Control("t", 3, lambda shown: playback(shown)["start"] == 2, LSTM),
    Control("word", "ab", lambda shown: xs(shown).tolist() == [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]], WORD),
    Control("forget_bias", 5.0, lambda shown: np.all(shown["f_t"] > 0.98), SMALL),
    Control("w_f", -9.0, lambda shown: shown != linked(**OWN), OWN),
    Control("example", "carousel", lambda shown: shown["c_{t−1}"][:, 0].tolist() == [-2, 0.5, 3]),
    Control("m", 5, lambda shown: len(shown["x_t"]) == 5, LSTM),
    Control("k", 4, lambda shown: len(shown["h_t"]) == 4, LSTM),
    Control("init", "ramp", lambda shown: shown["W_f"][0].tolist() == [1, 2, 3, 1, 2, 3], LSTM),
    Control("seed", 7, lambda shown: shown["x_t"][0, 0] == Scenario(seed=7).noise(1)[0, 0, 0], LSTM),
    Control("scale", 0.5, lambda shown: set(shown["W_f"].flat) == {0.5, 4.5}, LSTM),
    Control("w_hh", -2.5, lambda shown: np.all(shown["W_f"][:, :3] == -2.5), LSTM),
    Control("w_hx", 4.0, lambda shown: np.all(shown["W_f"][:, 3:] == 4), LSTM),
    Control("x", 2.0, lambda shown: np.all(xs(shown)[0] == 2), LSTM | {"input": "impulse"}),
    Control("b", 0.25, lambda shown: np.all(shown["b_f"] == 0.25), LSTM),
    Control("b_normal", True, lambda shown: np.ptp(shown["b_f"]) > 0, LSTM),
    Control("g", "relu", lambda shown: over_time(shown)["h_t"].max() > 1, RNN),
    Control("order", "xh", lambda shown: "[x; h]" in shown.symbols, LSTM),
    Control("decimals", 4, lambda shown: re.search(r"\.\d{4}\D", playback(shown)["steps"][0]["note"]), SMALL),
    Control("colours", "matrix", lambda shown: shown.block("x_t")["scale"]["label"] == "", LSTM),
    Control(
        "j", 2, lambda shown: shown.picture["unit"] == 1 and "\nUnit 2:" in playback(shown)["steps"][0]["note"], LSTM
    ),
    Control("layers", 2, lambda shown: LAST_OUTPUT in shown.panels, LSTM),
    Control("directions", "two", lambda shown: LAST_OUTPUT in shown.panels and len(shown["output[-1]"]) == 6, LSTM),
    Control("predict", True, lambda shown: np.isnan(shown["h_t"]).all(), LSTM),
    Control("threshold", 50, lambda shown: sentences.outlined(0.5, saturates=True) in outlines(shown), NOISE),
    Control("stochastic", True, lambda shown: sentences.NOT_SAMPLED.format(cell="LSTM") in told(shown), LSTM),
]


def test_no_control_is_left_out():
    # Of n only k is taken here, `large` is about the sliders, and a sequence starts from a state of 0.
    seen = {control.name for control in CONTROLS} | {"n", "large", "pasted", "h", "view"}
    shown = set().union(*(controls(open_link(**link)) for link in (LSTM, RNN, WORD, TYPED, OWN)))
    assert seen == {"pasted" if name.startswith("pasted ") else name for name in shown}


@pytest.mark.parametrize("control", CONTROLS, ids=str)
def test_a_control_reaches_the_picture_alike_from_its_widget_and_from_a_link(control):
    assert_reaches_the_picture(control, "sequence")


@every_cell
def test_the_gates_are_not_sampled_over_time_and_nothing_else_changes(name):
    plain, sampled = (maps_of(linked(**CELL, cell=name, stochastic=stochastic)) for stochastic in (False, True))
    assert plain == sampled


# ---- links and sizes --------------------------------------------------------------------------


@pytest.mark.parametrize(("input", "name"), list(zip(INPUTS, cycle(CELLS))))
def test_one_of_everything_is_a_sequence_too(input, name):
    at = open_link(m="1", n="1", k="1", T="1", cell=name, input=input, word="a", typed="xs~5", init="orthogonal")
    shown = Shown(at)
    shown.assert_finite()
    assert not at.error and not at.info and not at.warning
    assert all(shape in ((1, 1), (2, 1)) for shape in (array.shape for array in over_time(shown).values()))
    assert len(playback(shown)["steps"]) == 1


@every_cell
def test_the_longest_sequence_is_shown_as_means_and_every_step_can_be_seen(name):
    shown = linked(**CELL | {"T": LARGEST_SIZE}, cell=name, t=LARGEST_SIZE)
    shown.assert_finite()
    _, steps = steps_of(name, T=LARGEST_SIZE)
    for symbol, block in maps_of(shown).items():
        expected = stacked(steps, fields(name)[symbol])
        assert block["columns"] == 128
        assert_allclose(
            entries(block), block_means(expected, block["row_edges"], block["column_edges"]), rtol=1e-5, atol=1e-6
        )
    h_t = next(block for block in shown.picture["blocks"] if block["symbol"] == "h_t" and block["frames"])
    assert_allclose(frames(h_t)[:, :, 0], stacked(steps, "h_t").T, rtol=1e-9, atol=1e-12)
    assert len(playback(shown)["steps"]) == LARGEST_SIZE and playback(shown)["start"] == LARGEST_SIZE - 1


def test_the_longest_word_is_a_sequence():
    word = "".join(map(chr, range(200, 200 + LONGEST_WORD)))
    shown = linked(input="word", word=word, m=LONGEST_WORD)
    assert_array_equal(xs(shown), np.eye(LONGEST_WORD))


# ---- layers and directions --------------------------------------------------------------------

EVERY_STACK = [(layers, ways) for layers in (1, 2, 3) for ways in (1, 2) if (layers, ways) != (1, 1)]
every_stack = pytest.mark.parametrize(("layers", "ways"), EVERY_STACK)


def stack_link(name: str, layers: int, ways: int, **more: Any) -> dict[str, Any]:
    return CELL | {"cell": name, "layers": layers, "directions": DIRECTIONS[ways - 1]} | more


def results_of(name: str, layers: int, ways: int) -> dict[str, np.ndarray]:
    scenario = Scenario(**stack_link(name, layers, ways))
    return named_results(run_sequence(scenario, name).network)


@every_cell
@every_stack
def test_the_last_output_stands_beside_h_n_and_what_differs_is_outlined(name, layers, ways):
    shown = linked(**stack_link(name, layers, ways))
    expected = results_of(name, layers, ways)
    for symbol, array in expected.items():
        assert_allclose(shown[symbol], array, rtol=0, atol=1e-12, err_msg=symbol)
    ((output, sign, top, *states),) = drawn_in(shown, LAST_OUTPUT)
    assert [block["symbol"] for block in states] == [*expected][1:]
    last = [shown[f"h_n[{at}]"] for at in range((layers - 1) * ways, layers * ways)]
    assert_array_equal(entries(top), np.concatenate(last))
    differs = entries(output) != entries(top)
    assert differs.sum() == (4 if ways == 2 else 0) and not differs[:4].any()
    assert sign == ("≠" if ways == 2 else "=")
    if ways == 2:
        assert_array_equal(outlined(output), differs)
        assert_array_equal(outlined(top), differs)
    else:
        assert output["outlined"] is top["outlined"] is None
    panel = shown.panels[LAST_OUTPUT]
    assert panel["callout"] == sentences.differing(int(differs.sum()), 4 * ways, ways, 7)
    assert any("h_n[-1]" in line for line in panel["code"]) and "output[:, -1]" in " ".join(panel["code"])


@every_cell
@every_stack
def test_each_direction_of_each_layer_is_a_row_of_cells_with_the_first_layer_at_the_bottom(name, layers, ways):
    rows = [row for (row,) in drawn_in(linked(**stack_link(name, layers, ways)), sentences.TIME_TITLE)[:-1]]
    assert [row["symbol"] for row in rows] == [
        sentences.row_name(layer, way) for layer in range(layers, 0, -1) for way in range(ways, 0, -1)
    ]
    assert [row["backward"] for row in rows] == [way == 2 for _ in range(layers) for way in range(ways, 0, -1)]
    assert all(row["over_time"] and len(row["words"]) == 7 for row in rows)
    if ways == 2:
        assert rows[0]["words"][6] == sentences.layer_cell_at(7, layers, 2, 7)
        assert says(rows[0]["words"][6], sentences.LAYER_CELL, number=1)


def test_a_backward_row_has_its_gate_in_the_order_of_the_sequence():
    scenario = Scenario(**stack_link("LSTM", 1, 2))
    backward = run_sequence(scenario, "LSTM").network.layers[0].traces[1]
    (row,), *_ = drawn_in(linked(**stack_link("LSTM", 1, 2)), sentences.TIME_TITLE)
    assert_allclose(through(row), backward.f_t.mean(axis=(1, 2))[::-1], rtol=1e-6)


def test_the_maps_are_those_of_layer_1_whatever_stands_above_it():
    single, stack = linked(**CELL), linked(**stack_link("LSTM", 3, 2))
    assert maps_of(stack) == maps_of(single)
    assert sentences.ONLY_LAYER_1 in stack.panels[sentences.TIME_TITLE]["text"]
    assert sentences.ONLY_LAYER_1 not in single.panels[sentences.TIME_TITLE]["text"]
    assert LAST_OUTPUT not in single.panels


def test_a_sequence_of_one_step_has_equal_ends_and_says_why():
    shown = linked(**stack_link("LSTM", 2, 2, T=1))
    assert shown.panels[LAST_OUTPUT]["callout"] == sentences.SAME_STEP


def test_equal_numbers_of_a_saturated_cell_are_said_to_be_equal_with_these_numbers():
    shown = linked(**stack_link("RNN", 1, 2, scale=40.0, g="relu", b=-1000.0, b_normal=False))
    assert not shown["output[-1]"].any()
    assert shown.panels[LAST_OUTPUT]["callout"] == sentences.SATURATED_ALIKE.format(rows=8, T=7)


def test_layers_are_compared_and_dragged_as_they_are_shown():
    a, b = ({name: as_text(value) for name, value in stack_link("GRU", 2, ways).items()} for ways in (1, 2))
    at = open_link(**b, compare=urlencode(a))
    sides = [
        (panel["side"], panel["callout"]) for panel in Shown(at).picture["panels"] if panel["title"] == LAST_OUTPUT
    ]
    assert sides == [
        ("A", sentences.differing(0, 4, 1, 7)),
        ("B", sentences.differing(4, 8, 2, 7)),
    ]
    dragged = drag_socket.drawn(at.session_state["live_picture"].draw, query(at) | {"seed": "3"})
    assert Shown(dragged) == Shown(open_link(**b | {"seed": "3"}, compare=urlencode(a)))


@pytest.mark.parametrize("ways", [1, 2])
def test_a_word_keeps_its_letters_above_the_first_layer(ways):
    rows = [
        row
        for (row,) in drawn_in(linked(**stack_link("LSTM", 2, ways, input="word", word="no")), sentences.TIME_TITLE)[
            :-1
        ]
    ]
    assert [row["letters"] for row in rows] == [None] * (2 * ways - 1) + [["n", "o"]]
