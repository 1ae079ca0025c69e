"""What an export has is what the screen shows: every page that shows a cell, every cell, every format, random settings."""

import json
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from numpy.testing import assert_allclose, assert_array_equal
from streamlit.testing.v1 import AppTest

from core.activations import ACTIVATIONS
from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import state_arrays
from core.cells.symbols import symbol_in_latex, symbol_of
from core.exchange.array_files import read_arrays
from core.exchange.code_parts import symbols_made
from core.exchange.matrix_text import to_link
from core.exchange.weight_layouts import to_keras, to_pytorch
from core.initialize import INITIALIZERS
from core.scenario import INPUTS, SOURCES, Scenario
from dashboard.drawing.arithmetic import number
from dashboard.state.custom_arrays import TYPED as PARAMETER
from dashboard.text import editor, save_panel
from dashboard.text import saturation as saturation_text
from tests.core.test_generated_code import MATRIX, as_jupyter, as_on_the_screen, literals, run
from tests.dashboard.page import Shown, as_text, choose, entries, followed, frames, open_link
from tests.sentences import pattern

PAGES = ("", "lstm", "saturation", "sequence", "gradients", "gru")
OVER_TIME = ("sequence", "gradients")
# Random settings of each page and cell, and how many of them every run has.
EACH, QUICK = 12, 1
# The activations with code of every kind. Pages say of any other which code it lacks.
CODED = [name for name, g in ACTIVATIONS.items() if g.numpy and g.pytorch and g.keras]
WORDS = {"": ["RNN"], "lstm": ["LSTM"], "gru": ["GRU"], "saturation": SOURCES, "sequence": CELLS, "gradients": CELLS}
CASES = [
    pytest.param(
        path, of, at, marks=[pytest.mark.slow] if at >= QUICK else [], id=f"{path or 'hidden_state'} {of} {at}"
    )
    for path, words in WORDS.items()
    for of in words
    for at in range(EACH)
]


class Screen(NamedTuple):
    """A page with random settings, as it is shown and as it is taken away."""

    path: str
    cell: str
    link: dict[str, str]
    at: AppTest
    shown: Shown

    def text(self, kind: str) -> str | None:
        """The code of a kind, or None where the page says why there is none."""
        offered = saved_by(lambda: choose(self.at, code=kind))
        assert not self.at.exception
        if self.at.info:
            return None
        return next(data for label, data in offered.items() if label.startswith("Download as ."))

    def block(self, symbol: str, *, over_time: bool = False) -> Array | None:
        """What the page shows of a symbol of the cell, or None if it does not."""
        text = SHOWN_AS.get((self.path, symbol)) or symbol_of(CELLS[self.cell], symbol)
        if not self.path:  # which has the sign of its activation
            text = text.replace("g′", f"{ACTIVATIONS[self.link['g']].symbol}′")
        found = [
            block
            for block in self.shown.picture["blocks"]
            if block["symbol"] == text and block["over_time"] == over_time
        ]
        return entries(found[0]) if found else None

    @property
    def is_layered(self) -> bool:
        return self.link.get("layers", "1") != "1" or self.link.get("directions") == "two"

    @property
    def results(self) -> dict[str, Array]:
        """The results of several layers or directions on the page, by PyTorch's names."""
        blocks = self.shown.picture["blocks"]
        return {block["symbol"]: entries(block) for block in blocks if RESULT.fullmatch(block["symbol"])}


RESULT = re.compile(r"output\[-1\]|[hc]_n\[\d\]")
# Where a page shows a symbol by another name.
SHOWN_AS = {("", "W_h_stacked"): "W_h[h; x]", ("", "W_hh_h_plus_W_hx_x"): "their sum"}


def downloads(at: AppTest) -> dict[str, str | bytes]:
    """What each button saves."""
    return saved_by(at.run)


def saved_by(run: Callable[[], object]) -> dict[str, str | bytes]:
    """What each button saves after one or more runs of the page, as the last run left it."""
    with patch.object(st, "download_button") as button:
        run()
    calls = [call.args for call in button.call_args_list]
    return {label: data() if callable(data) else data for label, data, *_ in calls}


def settings(path: str, of: str, at: int) -> dict[str, Any]:
    """Random choices: sizes that LaTeX has room for, numbers of all kinds, and what only this page has."""
    rng = np.random.default_rng([PAGES.index(path), sum(map(ord, of)), at])

    def one(*values: Any) -> Any:
        return values[rng.integers(len(values))]

    m, n = (int(size) for size in rng.integers(1, 5, 2))
    k = int(rng.integers(1, 5)) if path in ("", "lstm", "gru") and one(True, False) else n
    found = {
        **{"m": m, "n": n, "k": k, "init": one(*INITIALIZERS), "scale": one(0.01, 0.05, 0.5, 1.0, 3.0, 40.0)},
        **{"order": one("hx", "xh"), "g": one(*CODED), "seed": int(rng.integers(1000))},
        **{"b_normal": one(True, False), "decimals": int(rng.integers(7))},
    }
    if found["init"] == "fill":
        found |= {"w_hh": one(0.3, -1.0, 2.0), "x": one(9.0, -0.25)}
    if path != "":
        found |= {"forget_bias": one(0.0, 1.0, -2.5), "w_i": one(0.5, -1.0)} if of in ("LSTM", "f", "i") else {}
    if path == "lstm":
        found |= {"stochastic": one(True, False)}
    if path in OVER_TIME:
        found |= {"cell": of, "T": int(rng.integers(1, 13))}
    if path == "sequence":
        found |= {"t": int(rng.integers(1, 13)), "input": one(*INPUTS[:4], "word"), "word": one("aba", "abcab")}
        found |= {"stochastic": one(True, False)}
    if path == "saturation":
        found |= {"source": of}
    if one(True, False):
        own = {"x_t": rng.integers(-9, 9, (m, 1)) / 8, "b_h": rng.integers(-9, 9, (k, 1))}
        found[PARAMETER] = to_link(own | ({"h_prev": rng.integers(-9, 9, (n, 1)) / 4} if one(True, False) else {}))
    if path == "sequence" and one(True, False):
        found |= {"layers": one(1, 2, 3), "directions": one("one", "two")}
    return found


@cache  # each test chooses the code that it needs, and what is shown stays
def screen(path: str, of: str, at: int) -> Screen:
    link = {name: as_text(value) for name, value in settings(path, of, at).items()}
    opened = open_link(path, **link, take="true")
    assert not opened.exception and not opened.warning
    cell = of if of in CELLS else next(name for name in CELLS if of in CELLS[name].PRE_ACTIVATIONS)
    return Screen(path, cell, link, opened, Shown(opened))


every_case = pytest.mark.parametrize(("path", "of", "at"), CASES)


def assert_same(array: Any, shown: Array, name: str) -> None:
    assert_allclose(np.asarray(array, dtype=float), shown, rtol=1e-11, atol=1e-13, err_msg=name)


# ---- NumPy and the notebook -------------------------------------------------------------------------


def of_saturation(on: Screen, made: dict[str, Array]) -> dict[str, Array]:
    """z, g(z) and g′(z) as the saturation page calls them, of the arrays by their symbols."""
    cell = CELLS[on.cell]
    joined = cell.PRE_ACTIVATIONS[on.link["source"]]
    stacked, W, b = made["stacked"], made[joined.W], made[joined.b]
    g = joined.g or ACTIVATIONS[on.link["g"]]
    z = W @ stacked + b
    return {"z": z, f"{g.symbol}(z)": g.f(z), f"{g.symbol}′(z)": g.df(z)}


@every_case
def test_the_numpy_script_makes_the_numbers_of_the_page(path, of, at):
    on = screen(path, of, at)
    script = on.text("NumPy")
    assert script, "NumPy has every cell"
    with np.printoptions(precision=17, threshold=10**6, linewidth=10**6):
        names, printed = run(script)
    if path == "saturation":
        compared = of_saturation(on, names)
        for name, array in compared.items():
            assert_same(array, on.shown[name], name)
        return
    if path == "gradients":
        gains = {int(step): float(log) for step, log in re.findall(r"to step (\d+): 10\^(\S+)", printed)}
        shown = on.shown[on.cell]
        assert_allclose([gains[s] for s in range(1, len(shown) + 1)], shown[-1], rtol=1e-9, atol=1e-9)
        assert_back_through_the_concatenation(on, names)
        return
    compared = {}
    for name in names:
        shown = on.block(name, over_time=False) if path != "sequence" or name.startswith(("W", "b_")) else None
        if shown is not None and isinstance(names[name], np.ndarray):
            compared[name] = names[name]
            assert_same(names[name], shown, name)
    if path != "sequence":
        assert {*symbols_made(on.cell)} <= {*compared}, "each symbol is on the page"
        return
    assert len(compared) >= 2
    assert_prints_each_step(on, printed)
    assert on.is_layered == ("layers" in names) == bool(on.results)
    if on.is_layered:
        assert_are_the_results(on, names["output"][-1], names["states"])


def assert_are_the_results(on: Screen, output: Array, states: list[list[Array]]) -> None:
    """The last output and the states after all steps, of every direction of every layer."""
    parts = [name.removesuffix("_prev") for name in state_arrays(CELLS[on.cell])]
    made = {f"{part}_n[{at}]": state[which] for at, state in enumerate(states) for which, part in enumerate(parts)}
    made["output[-1]"] = output[:, None]
    assert {*made} == {*on.results}
    for name, shown in on.results.items():
        assert_same(made[name], shown, name)


def assert_prints_each_step(on: Screen, printed: str) -> None:
    """Every column of what is shown over time."""
    steps = re.split(r"step \d+\n", printed)[1:]
    compared = set()
    for t, text in enumerate(steps):
        for name, row in re.findall(r"(\w+) = \[([^\]]*)\]", text):
            shown = on.block(name, over_time=True)
            if shown is not None:
                assert shown.shape[1] == len(steps), name
                assert_same(row.split(), shown[:, t], f"{name} at step {t + 1}")
                compared.add(name)
    assert "h_t" in compared and len(compared) > 1


def assert_back_through_the_concatenation(on: Screen, names: dict[str, Array]) -> None:
    """The weights of the first join turned, and the slopes at the last step."""
    cell = CELLS[on.cell]
    joined = next(iter(cell.PRE_ACTIVATIONS.values()))
    g = joined.g or ACTIVATIONS[on.link["g"]]
    W, delta = names[joined.W], g.df(names[joined.W] @ names["stacked"] + names[joined.b])
    assert_same(W.T, on.shown[f"{symbol_of(cell, joined.W)}ᵀ"], joined.W)
    assert_same(delta, on.shown["δ"], "δ")
    assert_same(W.T @ delta, on.shown[f"{symbol_of(cell, joined.W)}ᵀ·δ"], "Wᵀ·δ")


@every_case
def test_the_notebook_makes_the_numbers_of_the_page(path, of, at):
    on = screen(path, of, at)
    text = on.text("Notebook")
    assert text, "every cell has a notebook"
    _, joins, _, _, equations, *rest = as_jupyter(text)
    if on.is_layered:
        *rest, results = rest
        assert_are_the_results(on, *results)
    first = dict(
        zip([*(joined.W for joined in CELLS[on.cell].PRE_ACTIVATIONS.values()), "stacked"], joins, strict=True)
    )
    made = dict(zip(symbols_made(on.cell), equations, strict=True))
    if path == "saturation":
        biases = {joined.b: names_in(text)[joined.b] for joined in CELLS[on.cell].PRE_ACTIVATIONS.values()}
        for name, array in of_saturation(on, first | biases).items():
            assert_same(array, on.shown[name], name)
    elif path == "gradients":
        W = next(iter(CELLS[on.cell].PRE_ACTIVATIONS.values())).W
        assert_same(first[W].T, on.shown[f"{symbol_of(CELLS[on.cell], W)}ᵀ"], W)
        assert np.shape(rest[-2][0])[1] == len(on.shown[on.cell])
    elif path == "sequence":
        over_time = dict(zip(symbols_made(on.cell), rest[-2], strict=True))
        compared = {name: on.block(name, over_time=True) for name in over_time}
        assert compared["h_t"] is not None
        for name, shown in compared.items():
            if shown is not None:
                assert_same(over_time[name], shown, name)
    else:
        compared = {name: on.block(name) for name in first | made}
        assert compared["h_t"] is not None
        for name, shown in compared.items():
            if shown is not None:
                assert_same((first | made)[name], shown, name)


def names_in(notebook: str) -> dict[str, Array]:
    """The arrays that the first cell of a notebook writes out."""
    source = "".join(json.loads(notebook)["cells"][1]["source"])
    return {name: np.array(numbers) for name, numbers in literals(source, "np.array")}


# ---- LaTeX ------------------------------------------------------------------------------------------


def numerals(array: Array, decimals: int) -> list[list[str]]:
    return [[number(value, decimals) for value in row] for row in array.tolist()]


def matrices(text: str) -> list[list[list[str]]]:
    """Each matrix of a text of LaTeX, with the numerals of the screen."""
    return [
        [[as_on_the_screen(entry) for entry in row.split(" & ")] for row in found.split(r" \\ ")]
        for found in re.findall(MATRIX, text)
    ]


@every_case
def test_latex_prints_the_numerals_of_the_page(path, of, at):
    on, decimals = screen(path, of, at), settings(path, of, at)["decimals"]
    text = on.text("LaTeX")
    assert text, "all sizes here have room in LaTeX"
    results = {line.split(" &")[0]: matrices(line)[-1] for line in text.splitlines()[1:-1]}
    blocks = [block for block in on.shown.picture["blocks"] if not block["over_time"]]
    shown = {block["symbol"]: numerals(entries(block), decimals) for block in blocks}
    if path == "gradients":
        (turned,) = (numerals(on.shown[name].T, decimals) for name in shown if name.endswith("ᵀ"))
        assert turned in matrices(text)
    elif path == "saturation":
        joined = CELLS[on.cell].PRE_ACTIVATIONS[of]
        z = next(row[row.index("=") + 1] for row in CELLS[on.cell].EQUATIONS if joined.W in row)
        g = joined.g or ACTIVATIONS[on.link["g"]]
        value = next(value for value, (made_of, _) in activated(on).items() if made_of == z)
        assert results[symbol_in_latex(symbol_of(CELLS[on.cell], z))] == shown["z"]
        assert results[symbol_in_latex(symbol_of(CELLS[on.cell], value))] == shown[f"{g.symbol}(z)"]
    else:
        coded = {f"\\texttt{{{name}}}".replace("_", r"\_"): name for name in on.results}
        assert all(results[code] == shown[name] for code, name in coded.items())
        named = {symbol_in_latex(symbol): rows for symbol, rows in shown.items()}
        assert {"h_t"} <= results.keys() & named.keys()
        assert all(results[name] == named[name] for name in results.keys() & named.keys())
        every = [numerals(entries(block), decimals) for block in blocks]
        assert all(matrix in every for matrix in matrices(text)), "nothing is printed that is not on the page"


def activated(on: Screen) -> dict[str, tuple[str, Any]]:
    """The values of activations by their symbols, each with the symbol of its z."""
    params, _ = Scenario(n=3, g=on.link["g"]).params_and_initial_state(on.cell)
    return dict(CELLS[on.cell].activated(params))


# ---- PyTorch and Keras --------------------------------------------------------------------------------


@every_case
def test_the_layers_of_pytorch_and_keras_get_the_numbers_of_the_numpy_script(path, of, at):
    on = screen(path, of, at)
    ours = {name: np.array(numbers) for name, numbers in literals(on.text("NumPy") or "", "np.array")}
    xs = ours["xs"] if path in OVER_TIME else ours["x_t"].T
    state = {name.removesuffix("_prev"): ours[name].T for name in state_arrays(CELLS[on.cell])}
    written = on.text("PyTorch")
    recurs, sampled = on.link["k"] == on.link["n"] or path == "gru", on.link.get("stochastic") == "true"
    drawn = sampled and path not in OVER_TIME and hasattr(CELLS[on.cell], "GATE_PROBABILITIES")
    if on.is_layered:
        assert_writes_every_layer(on, written, xs)
        assert on.text("Keras") is None
        return
    assert (written is None) == (not recurs or drawn)
    if written:
        found = {name: np.array(numbers) for name, numbers in literals(written, "torch.tensor")}
        layer = {f"layer.{name}.copy_": array for name, array in to_pytorch(on.cell, ours).items()}
        by_hand = {name: ours[name] for name in ("W_hh", "W_hx", "b_h") if name in ours}
        expected = {"xs": xs, **state} | (layer if "layer." in written else by_hand)
        assert {*found} == {*expected}
        for name, array in expected.items():
            assert_array_equal(found[name], array, err_msg=name)
    written = on.text("Keras")
    assert (written is None) == (not recurs or drawn)
    if written:
        arrays = [np.array(numbers) for _, numbers in literals(written, "np.array")]
        expected = [xs[None], *to_keras(on.cell, ours), *state.values()]
        assert len(arrays) == len(expected)
        for array in expected:
            assert any(found.shape == array.shape and np.array_equal(found, array) for found in arrays)


def assert_writes_every_layer(on: Screen, written: str | None, xs: Array) -> None:
    """The parameters of all layers and directions, which the NumPy script writes as well."""
    layout = CELLS[on.cell].LAYOUT
    assert (written is None) == bool(layout and layout.activations and on.link["g"] not in layout.activations)
    if not written:
        return
    found = {name: np.array(numbers) for name, numbers in literals(written, "torch.tensor")}
    names, _ = run(on.text("NumPy") or "")
    for at, layer in enumerate(names["layers"]):
        for arrays, end in zip(layer, ("", "_reverse")):
            for name, array in to_pytorch(on.cell, arrays).items():
                assert_array_equal(found.pop(f"layer.{name.removesuffix('0')}{at}{end}.copy_"), array)
    assert_array_equal(found.pop("xs"), xs)
    for name in state_arrays(CELLS[on.cell]):
        given = [arrays[name].ravel() for layer in names["layers"] for arrays in layer]
        assert_array_equal(found.pop(name.removesuffix("_prev")), given)
    assert not found


# ---- files ------------------------------------------------------------------------------------------


@every_case
def test_the_files_have_the_numbers_of_the_page_and_open_as_it_was(path, of, at):
    on = screen(path, of, at)
    saved = downloads(on.at)
    of_arrays = save_panel.SAVE_FIRST_ARRAYS if on.is_layered else save_panel.SAVE_ARRAYS
    arrays = read_arrays("cellscope.npz", saved[of_arrays])
    cell = CELLS[on.cell]
    for joined in cell.PRE_ACTIVATIONS.values():
        shown = on.block(joined.W)
        if shown is not None:
            parts = [arrays[joined.W_h], arrays[joined.W_x]]
            assert_same(np.hstack(parts if on.link["order"] == "hx" else parts[::-1]), shown, joined.W)
        if (shown := on.block(joined.b)) is not None:
            assert_same(arrays[joined.b], shown, joined.b)
    if path == "sequence":
        shown = on.block("x_t", over_time=True)
        assert_same(arrays["xs"][: shown.shape[1]].T, shown, "xs")
        stack = next(block for block in on.shown.picture["blocks"] if block["symbol"] in ("[h; x]", "[x; h]"))
        x_t, h_prev = arrays["xs"][:1].T, arrays["h_prev"]
        both = [h_prev, x_t] if on.link["order"] == "hx" else [x_t, h_prev]
        assert_same(np.vstack(both), frames(stack)[0], "the first stack")
    fresh = open_link(path, take="true", **{name: on.link[name] for name in ("source", "t", "cell") if name in on.link})
    fresh.file_uploader[0].upload("cellscope.json", saved["All settings (.json)"].encode()).run()
    opened = followed(fresh)
    assert not opened.error
    assert Shown(opened) == Shown(on.at)
    if on.is_layered:
        return  # an .npz file has the arrays of layer 1 alone, and scale 1
    again = open_link(path, **on.link, take="true")
    again.file_uploader[0].upload("cellscope.npz", saved[of_arrays]).run()
    followed(again)
    assert not again.error
    assert_shows_the_numbers_of(Shown(again), Shown(on.at), path)


def assert_shows_the_numbers_of(shown: Shown, before: Shown, path: str) -> None:
    """All blocks, but for those of inputs that no file has: of the gradients page and of many inputs."""
    assert shown.symbols == before.symbols
    for now, was in zip(shown.picture["blocks"], before.picture["blocks"]):
        assert_allclose(entries(now), entries(was), rtol=1e-6, atol=1e-9, err_msg=f"{path}: {was['symbol']}")


@pytest.mark.parametrize("source", SOURCES)
def test_the_table_of_the_saturation_page_is_its_picture(source):
    on = screen("saturation", source, 0)
    table = pd.read_csv(StringIO(downloads(on.at)[saturation_text.DOWNLOAD]))
    g = CELLS[on.cell].PRE_ACTIVATIONS[source].g or ACTIVATIONS[on.link["g"]]
    word = "saturated" if np.isfinite(g.high) else "inactive"
    for column, symbol in {
        "z": "z",
        f"{g.name}(z)": f"{g.symbol}(z)",
        f"{g.name}'(z)": f"{g.symbol}′(z)",
        word: word,
    }.items():
        assert_same(table[column], on.shown[symbol][:, 0], column)
    assert_same(table[saturation_text.SHARE], on.shown[f"{g.symbol}′(z)"][:, 0] / g.max_df, "share")


@pytest.mark.parametrize("name", [*Scenario().shapes()])
def test_a_saved_array_is_the_one_on_the_page_and_opens_as_it_was(name):
    link = {"init": "normal", "scale": "0.5", "n": "3", "seed": "4", "forget_bias": "2"}
    on = open_link("lstm", edit="true", take="true", array=name, **link)
    saved = downloads(on)[editor.SAVE.format(name=name)]
    used = Scenario(init="normal", scale=0.5, n=3, seed=4, forget_bias=2.0).array(name)
    assert_array_equal(read_arrays(f"{name}.csv", saved.encode())[name].reshape(used.shape), used)
    captions = " ".join(caption.value for caption in on.caption)
    told = editor.AT_SCALE_1.format(scale=0.5), editor.WITHOUT_FORGET_BIAS.format(name=name, forget_bias=2.0)
    assert [sentence in captions for sentence in told] == [name[0] == "W", name == "b_f"]
    before = Shown(on)
    on.file_uploader[0].upload(f"{name}.csv", saved.encode()).run()
    assert not on.error
    assert_shows_the_numbers_of(Shown(on), before, name)


# ---- what is said of them ------------------------------------------------------------------------------


def numbers_of_code(at: AppTest) -> str:
    """Return which numbers the code has according to its caption: the second part of a key of SCRIPTS."""
    captions = [caption.value for caption in at.caption]
    (numbers,) = (
        numbers
        for (_, numbers), sentence in save_panel.SCRIPTS.items()
        if any(re.fullmatch(pattern(sentence, kind="NumPy"), caption) for caption in captions)
    )
    return numbers


@pytest.mark.parametrize(
    ("path", "link", "is_shown"),
    [
        *((path, {}, True) for path in PAGES),
        ("saturation", {"source": "typed"}, False),
        ("training", {"story": "own", "updates": "2"}, False),
    ],
)
def test_the_code_is_said_to_be_of_the_page_only_where_it_is(path, link, is_shown):
    assert numbers_of_code(open_link(path, **link, take="true")) == ("page" if is_shown else "cell pages")


def test_of_a_swapped_stack_the_code_is_said_to_be_in_order_and_makes_the_right_formula():
    at = open_link("", take="true", unmatched="true", init="normal", n="3", m="2")
    assert numbers_of_code(at) == "page in order"
    names: dict[str, Any] = {}
    with redirect_stdout(StringIO()):
        exec(at.code[2].value, names)
    shown = Shown(at)
    assert_same(names["W_h"] @ names["stacked"], shown["their sum"], "their sum")
    assert not np.allclose(names["z_t"], shown["z_t"])


@pytest.mark.parametrize("kind", ["NumPy", "PyTorch", "Keras", "Notebook", "LaTeX"])
def test_layers_of_the_sequence_page_change_no_code_of_the_gradients_page(kind):
    link = {"init": "normal", "cell": "LSTM", "T": "3", "take": "true"}
    plain, layered = open_link("gradients", **link), open_link("gradients", **link, layers="3", directions="two")
    texts = []
    for at in (plain, layered):
        choose(at, code=kind)
        texts.append(next(data for label, data in downloads(at).items() if label.startswith("Download as .")))
    assert texts[0] == texts[1]
