"""Take everything away, and bring it: the link, files and code carry the whole screen; a bad file changes nothing."""

import json
import re
import struct
from contextlib import redirect_stdout
from functools import partial
from html import unescape
from io import StringIO
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
import streamlit as st
from numpy.testing import assert_allclose, assert_array_equal
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from core.arrays import expect_bounds
from core.cells import CELLS
from core.cells.protocol import state_arrays
from core.examples import EXAMPLES
from core.exchange import generated_code, scenario_json
from core.exchange.array_files import read_arrays, to_npz
from core.exchange.latex import latex
from core.exchange.matrix_text import from_link, parse_matrix, to_link
from core.exchange.notebook import notebook
from core.exchange.weight_layouts import to_pytorch
from core.scenario import Scenario, expect_names
from core.sequence.unroll import unroll
from dashboard.state.custom_arrays import TYPED as PARAMETER
from dashboard.state.parameters import VALUE_RULES, VIEW_PARAMS
from dashboard.text import save_panel, sequence
from tests.dashboard.page import Shown, as_text, choose, chosen, followed, send
from tests.dashboard.page import open_link as open_path
from tests.sentences import reason

open_link = partial(open_path, take="true")
CELL = {"m": 4, "n": 5, "k": 5, "init": "normal", "scale": 0.5, "seed": 4}
LINK = {name: as_text(value) for name, value in CELL.items()}
LAST = list(CELLS)[-1]
# Every page, with choices that only it has, and the cell that its code is of.
SCREENS = {
    "": ({"order": "xh", "g": "tanh"}, "RNN"),
    "lstm": ({"forget_bias": 2.0, "w_i": 0.5}, "LSTM"),
    "gru": ({"order": "xh"}, "GRU"),
    "saturation": ({"source": "f"}, "LSTM"),
    "sequence": ({"cell": "RNN", "T": 5}, "RNN"),
    "gradients": ({"forget_bias": 1.0, "T": 4, "cell": LAST}, LAST),
}
B_H = np.array([[1], [2], [3], [4], [5]])
OVER_TIME = ("sequence", "gradients")
# The step whose numbers stand in the equations of a page over time: of the gradients page it is the last one.
STEPS = {"sequence": 1, "gradients": 4}
WRITERS = {
    "NumPy": generated_code.numpy_script,
    "PyTorch": generated_code.pytorch_script,
    "Keras": generated_code.keras_script,
}
KINDS = (*WRITERS, "Notebook", "LaTeX")
every_page = pytest.mark.parametrize("path", SCREENS, ids=lambda path: path or "hidden_state")


def screen(path: str, **choices) -> AppTest:
    """A page with choices of its own."""
    return open_link(path, **LINK | {name: as_text(value) for name, value in (SCREENS[path][0] | choices).items()})


def said(path: str, **choices) -> tuple[Scenario, dict]:
    """The scenario of a screen, and how it is looked at."""
    given = CELL | SCREENS[path][0] | choices
    of_scenario = {name: value for name, value in given.items() if name not in VIEW_PARAMS}
    return Scenario(**of_scenario), {name: given.get(name, default) for name, default in VIEW_PARAMS.items()}


def scenario_of(path: str, **choices) -> Scenario:
    return said(path, **choices)[0]


def to_json(scenario: Scenario, **view_settings) -> str:
    return scenario_json.to_json(scenario, VIEW_PARAMS | view_settings)


def link(at: AppTest) -> str:
    return at.code[0].value


def code(at: AppTest) -> str:
    """The code, as it is without the line end that the page cuts off."""
    return at.code[2].value + "\n"


def downloads(at: AppTest) -> dict[str, tuple[str | bytes, str]]:
    """What each button saves, and under which name."""
    with patch.object(st, "download_button") as button:
        at.run()
    saved = {}
    for call in button.call_args_list:
        label, data, name, *_ = call.args
        assert call.kwargs["on_click"] == "ignore"  # saving is no choice: nothing runs anew
        saved[label] = (data() if callable(data) else data, name)
    return saved


def open_file(at: AppTest, name: str, data: bytes | str) -> AppTest:
    data = data.encode() if isinstance(data, str) else data
    return followed(at.file_uploader[0].upload(name, data).run())


def unescaped(markdown: str) -> str:
    """A text as it is read, but for backticks."""
    return re.sub(r"\\(.)", r"\1", markdown.replace("`", ""))


def blocks(at: AppTest) -> list:
    """What is drawn, without the story of a worked example."""
    return Shown(at).picture["blocks"]


# ---- the link ----------------------------------------------------------------------------------------


@every_page
def test_the_link_carries_every_choice_and_the_readers_numbers(path):
    at = screen(path, typed="b_h~1~2~3~4~5~~x_t~1~2~3~4")
    shared = parse_qs(urlsplit(link(at)).query)
    assert shared == {name: [value] for name, value in at.query_params.items() if name != "take"}
    assert shared.keys() >= {*CELL, *SCREENS[path][0], "typed"}
    theirs = open_path(path, **{name: values[0] for name, values in shared.items()})
    assert not theirs.warning
    assert Shown(theirs) == Shown(at)


def test_the_link_follows_what_is_typed_and_opened():
    at = open_link(edit="true", order="xh")
    followed(at.text_area(key="block").set_value("1 2\n3 4\n5 6").run())
    assert parse_qs(urlsplit(link(at)).query)["typed"] == ["W_hh~1_2~3_4~5_6"]
    open_file(at, "b_h.csv", "7\n8\n9")
    assert parse_qs(urlsplit(link(at)).query)["typed"] == ["b_h~7~8~9~~W_hh~1_2~3_4~5_6"]
    assert parse_qs(urlsplit(link(at)).query)["order"] == ["xh"]


def test_the_link_begins_with_the_address_of_the_page():
    at = open_link("lstm", m="4")
    at.context = {"url": "http://cellscope.example/lstm"}
    assert link(at.run()) == "http://cellscope.example/lstm?m=4"


def test_a_text_in_a_link_is_written_so_that_it_can_be_read_again():
    at = open_link("sequence", n="3", input="word", word="a&b=#", m="5")
    assert parse_qs(urlsplit(link(at)).query)["word"] == ["a&b=#"]


# ---- what is saved -------------------------------------------------------------------------------------


@every_page
def test_what_is_saved_is_what_the_page_shows(path):
    at = screen(path, typed="b_h~1~2~3~4~5")
    expected, view_settings = said(path, arrays={"b_h": B_H})
    saved = downloads(at)
    text, name = saved[save_panel.SAVE_CHOICES]
    assert name == "cellscope.json"
    found = scenario_json.from_json(text, VIEW_PARAMS)
    assert found == (expected, view_settings)
    assert_array_equal(found[0].arrays["b_h"], B_H)
    data, name = saved["All arrays (.npz)"]
    assert name == "cellscope.npz"
    arrays = read_arrays(name, data)
    assert arrays.keys() >= expected.effective_arrays().keys()
    # A sequence starts from a state of 0.
    states = {state: 0 * expected.array(state) for cell in CELLS.values() for state in state_arrays(cell)}
    for name, array in (expected.effective_arrays() | (states if path in OVER_TIME else {})).items():
        assert_array_equal(arrays[name], array, err_msg=name)


def test_of_a_link_that_was_just_opened_the_right_things_are_saved_at_once():
    with patch.object(st, "download_button") as button:
        screen("lstm", y=True, p=2)
    save = next(call.args[1] for call in button.call_args_list if call.args[0] == save_panel.SAVE_CHOICES)
    assert scenario_json.from_json(save(), VIEW_PARAMS) == said("lstm", y=True, p=2)


def gains_of(path: str) -> dict[str, bool]:
    """Of the gradients page the code prints the gains."""
    return {"gains": True} if path == "gradients" else {}


# ---- the code --------------------------------------------------------------------------------------------


def expected_code(kind: str, path: str, **choices) -> str:
    """What the page should hand out for this screen."""
    scenario, cell = scenario_of(path, **choices), choices.get("cell", SCREENS[path][1])
    if kind == "Notebook":
        return notebook(scenario, cell, sequence=path in OVER_TIME)
    if kind == "LaTeX":
        return latex(scenario, cell, decimals=2, step=STEPS.get(path))
    return WRITERS[kind](scenario, cell, sequence=path in OVER_TIME, **(gains_of(path) if kind == "NumPy" else {}))


@every_page
def test_the_code_of_a_link_that_was_just_opened_is_that_of_the_screen(path):
    assert code(screen(path)) == expected_code("NumPy", path)


@pytest.mark.parametrize(("path", "kinds"), [*zip(SCREENS, zip(KINDS, (*KINDS[1:], KINDS[0])))])
def test_every_kind_of_code_is_that_of_the_screen_and_can_be_saved(path, kinds):
    at, names = screen(path), set()
    for kind in kinds:
        choose(at, code=kind)
        assert not at.exception
        assert [caption.value for caption in at.caption if caption.value.startswith(f"{kind}: ")]
        expected, ending = expected_code(kind, path), {"Notebook": "ipynb", "LaTeX": "tex"}.get(kind, "py")
        saved, name = downloads(at)[f"Download as .{ending}"]
        assert saved == expected
        assert name.endswith(f"-{kind.lower()}.{ending}") and name not in names
        names.add(name)
        assert kind == "Notebook" or code(at) == expected


@pytest.mark.parametrize(
    ("path", "symbol", "name"),
    [
        ("", "z_t", "z_t"),
        ("lstm", "h_t", "h_t"),
        ("gru", "h_t", "h_t"),
        ("saturation", "z", "z_f"),
        ("sequence", "h_t", "h_t"),
    ],
)
def test_the_code_makes_the_numbers_that_the_page_shows(path, symbol, name):
    at, names = screen(path).run(), {}
    with redirect_stdout(StringIO()):
        exec(code(at), names)
    assert_allclose(names[name][:, 0], Shown(at)[symbol][:, -1], rtol=1e-9, atol=1e-9)


LARGE = dict.fromkeys("mnk", "50") | {"large": "true", "init": "glorot", "T": "3"}


@pytest.mark.parametrize(
    ("path", "symbol", "choices"),
    [
        ("", "z_t", LARGE),
        ("lstm", "h_t", LARGE),
        ("gru", "h_t", LARGE),
        ("sequence", "h_t", LARGE),
        ("sequence", "h_t", LARGE | {"cell": LAST}),
        ("sequence", "h_t", {"m": "30", "n": "12", "k": "12", "init": "glorot", "T": "100"}),
    ],
)
def test_code_with_too_many_numbers_runs_beside_the_file_of_all_arrays(path, symbol, choices, tmp_path, monkeypatch):
    at, names = open_link(path, **choices).run(), {}
    script = code(at)
    assert "cellscope.npz" in script
    data, name = downloads(at)["All arrays (.npz)"]
    (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    with redirect_stdout(StringIO()):
        exec(script, names)
    names["file"].close()
    shown = Shown(open_link(path, **choices))[symbol]
    assert_allclose(names[symbol][:, 0], shown[:, -1], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("source", "cell"),
    [*((word, name) for name, cell in CELLS.items() for word in [*cell.PRE_ACTIVATIONS][-1:]), ("typed", "RNN")],
)
def test_the_code_of_the_saturation_page_is_of_the_cell_whose_z_is_shown(source, cell):
    at = screen("saturation", source=source).run()
    assert code(at) == generated_code.numpy_script(scenario_of("saturation"), cell, sequence=False)


def test_the_code_of_the_gradients_page_has_its_noise_whatever_the_sequence_was_made_of():
    at = screen("sequence", input="sine").switch_page("views/gradients.py").run().run()
    assert code(at) == generated_code.numpy_script(scenario_of("sequence"), "RNN", sequence=True, gains=True)


@pytest.mark.parametrize("cell", CELLS)
def test_every_kind_of_code_is_there_for_every_cell_or_the_page_says_why_not(cell):
    at = screen("sequence", cell=cell)
    for kind in (*KINDS[1:], KINDS[0]):
        choose(at, code=kind)
        try:
            expected = expected_code(kind, "sequence", cell=cell)
        except ValueError:
            (info,) = at.info
            assert "unpack" not in info.value and info.value.endswith(".")
        else:
            assert not at.info
            assert kind == "Notebook" or code(at) == expected


@pytest.mark.parametrize(
    ("path", "choices", "kind", "words"),
    [
        ("", {"k": "3"}, "Keras", r"\bk = n\b"),
        ("", {"n": "50", "k": "50", "m": "50", "large": "true"}, "PyTorch", r"\b4000\b"),
        ("", {"m": "9"}, "LaTeX", r"n \+ m .*\b10\b"),
    ],
)
def test_where_there_is_no_code_the_page_says_why(path, choices, kind, words):
    at = choose(open_link(path, **LINK | choices), code=kind)
    assert not at.exception
    assert any(re.search(words, unescaped(info.value)) for info in at.info)
    assert len(at.code) == 2


def test_where_the_word_does_not_fit_the_code_is_that_of_the_noise_on_the_screen():
    at = screen("sequence", m=3, input="word", word="hello")
    told = reason(Scenario(m=3, input="word", word="hello").sequence)
    assert Shown(at).remarks == [sequence.UNTIL_THEN.format(reason=told)]
    assert code(at) == expected_code("NumPy", "sequence", m=3)
    assert scenario_json.from_json(downloads(at)[save_panel.SAVE_CHOICES][0], VIEW_PARAMS)[0].input == "word"


# ---- what is opened ----------------------------------------------------------------------------------------


def test_the_frame_for_a_course_page_has_the_link_of_the_screen():
    at = screen("lstm", seed=3)
    source = re.search('src="([^"]*)"', at.code[1].value)[1]
    assert unescape(source) == f"{link(at)}&embed=true" and "seed=3" in source
    assert "?embed=true" in open_path("", take="true").code[1].value


@every_page
def test_a_saved_scenario_opens_as_it_was(path):
    scenario, view_settings = said(path, arrays={"b_h": B_H})
    saved = to_json(scenario, **view_settings)
    at = open_file(open_link(path), "cellscope.json", saved)
    assert not at.error and not at.warning
    assert Shown(at) == Shown(screen(path, typed="b_h~1~2~3~4~5"))
    shared = {name: values[0] for name, values in parse_qs(urlsplit(link(at)).query).items()}
    assert Shown(open_path(path, **shared)) == Shown(at)


@pytest.mark.slow
def test_an_example_is_saved_and_opened_with_all_its_numbers_whatever_was_there_before():
    at = open_link("lstm", seed="7")
    for name, example in EXAMPLES.items():
        open_file(at, "lesson.JSON", to_json(example.scenario))
        assert not at.error and not at.warning
        assert blocks(at) == blocks(open_path("lstm", example=name)), name


@pytest.mark.parametrize("path", ["", "lstm", "saturation"], ids=lambda path: path or "hidden_state")
def test_all_arrays_open_as_they_were_used_whatever_was_chosen(path):
    used = Scenario(m=4, n=3, k=3, init="normal", scale=0.3, forget_bias=2.0, w_o=0.7, b_normal=True).effective_arrays()
    at = open_file(open_link(path, scale="3", w_f="9", forget_bias="-4", seed="8"), "cellscope.npz", to_npz(used))
    assert not at.error
    shown = Shown(at)
    if path == "lstm":
        for joined in CELLS["LSTM"].PRE_ACTIVATIONS.values():
            assert_array_equal(shown[joined.W], np.hstack([used[joined.W_h], used[joined.W_x]]))
            assert_array_equal(shown[joined.b], used[joined.b])
    z_t = used["W_hh"] @ used["h_prev"] + used["W_hx"] @ used["x_t"] + used["b_h"]
    symbol = {"": "z_t", "saturation": "z"}.get(path)
    if symbol:
        assert_allclose(shown[symbol], z_t, rtol=1e-9)


@pytest.mark.parametrize(
    ("path", "more", "is_first"),
    [
        ("sequence", {}, False),
        ("sequence", {"layers": "2"}, True),
        ("sequence", {"directions": "two"}, True),
        ("gradients", {"layers": "2"}, False),
        ("lstm", {"layers": "2"}, False),
    ],
)
def test_the_button_says_that_the_file_has_one_of_several_layers(path, more, is_first):
    with patch("streamlit.download_button") as download:
        at = open_link(path, **more)
    assert not at.exception
    (call,) = [call for call in download.call_args_list if call.args[2] == "cellscope.npz"]
    said = call.args[0], call.kwargs["help"]
    assert said == (
        (save_panel.SAVE_FIRST_ARRAYS, save_panel.SAVE_FIRST_ARRAYS_HELP)
        if is_first
        else (save_panel.SAVE_ARRAYS, None)
    )
    # The sentence is true: no array has a second layer or another direction.
    names = read_arrays("cellscope.npz", call.args[1]()).keys()
    assert names == Scenario().effective_arrays().keys() | ({"xs"} if path in OVER_TIME else set())


def test_a_table_opens_as_the_matrix_that_it_is_called_like_and_brings_its_sizes():
    at = open_file(open_link(), "W_hh.csv", "1,2,3,4\n5,6,7,8\n")
    assert not at.error
    assert [chosen(at, name) for name in "knm"] == [2, 4, 3]
    assert_array_equal(Shown(at)["W_{hh}"], [[1, 2, 3, 4], [5, 6, 7, 8]])
    assert at.query_params[PARAMETER] == "W_hh~1_2_3_4~5_6_7_8"


def test_a_table_of_inputs_opens_as_a_sequence():
    at = open_file(open_link("sequence", n="3"), "xs.csv", "1,2\n3,4\n5,6\n")
    assert not at.error
    assert_array_equal(Shown(at)["x_t"], [[1, 3, 5], [2, 4, 6]])


def safetensors(arrays: dict[str, np.ndarray]) -> bytes:
    header, body = {}, b""
    for name, array in arrays.items():
        raw = struct.pack(f"<{array.size}d", *array.ravel())
        header[name] = {"dtype": "F64", "shape": array.shape, "data_offsets": [len(body), len(body) + len(raw)]}
        body += raw
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


@pytest.mark.parametrize("cell", [name for name, cell in CELLS.items() if cell.LAYOUT])
@pytest.mark.parametrize("write", [safetensors, to_npz], ids=["safetensors", "npz"])
def test_a_layer_of_pytorch_opens_as_its_cell(write, cell):
    used = Scenario(m=2, n=3, k=3, init="normal", b_normal=True).effective_arrays()
    data = write({f"model.rnn.{name}": array for name, array in to_pytorch(cell, used).items()})
    name = "model.safetensors" if write is safetensors else "model.npz"
    at = open_file(open_link("sequence", g="tanh", scale="4", T="6"), name, data)
    assert not at.error
    assert chosen(at, "cell") == cell
    scenario = Scenario(m=2, n=3, k=3, g="tanh", T=6, arrays=used)
    rested = {name: np.zeros_like(used[name]) for name in state_arrays(CELLS[cell])}
    params, state, _ = Scenario(m=2, n=3, k=3, g="tanh", arrays=used | rested).step_arguments(cell)
    assert_allclose(Shown(at)["h_t"], unroll(CELLS[cell], params, state, scenario.sequence()).h_t[:, :, 0].T, rtol=1e-9)


def test_one_file_may_be_opened_after_another():
    at = open_file(open_link(), "b_h.csv", "1\n2\n3\n")
    open_file(at, "x_t.csv", "4\n5\n6\n")
    shown = Shown(at)
    assert_array_equal(shown["b_h"], [[1], [2], [3]])
    assert_array_equal(shown["x_t"], [[4], [5], [6]])
    assert not at.file_uploader[0].value


def test_what_is_opened_may_be_changed_and_opened_again():
    at = open_file(open_link(), "b_h.csv", "1\n2\n3\n")
    choose(at, k=4)
    assert_array_equal(Shown(open_file(at, "b_h.csv", "1\n2\n3\n"))["b_h"], [[1], [2], [3]])


def test_more_numbers_than_a_link_carries_are_opened_and_the_link_goes_without_them():
    used = Scenario(m=20, n=20, k=20, init="normal").effective_arrays()
    at = open_file(open_link(), "cellscope.npz", to_npz(used))
    assert not at.error
    assert_allclose(Shown(at)["W_{hh}"], used["W_hh"], rtol=1e-6)
    assert sum(array.size for array in from_link(at.query_params.get(PARAMETER, "")).values()) <= 400


# ---- what is refused ---------------------------------------------------------------------------------------


def of_rule(name: str) -> str:
    """The beginning of the line on a setting that cannot have such a value."""
    return f"^{name} .*{re.escape(str(VALUE_RULES[name]))}"


def saved(**changed) -> str:
    return json.dumps(json.loads(to_json(Scenario())) | changed)


BAD = {
    "no JSON": ("a.json", "hello", "JSON"),
    "no UTF-8": ("a.json", b"\xff\xfe", re.escape(save_panel.NOT_UTF_8)),
    "another version": ("a.json", saved(version=2), r"^version\b.* 1\b"),
    "an unknown choice": ("a.json", saved(choices={"colour": 1}), "'colour'"),
    "a wrong type": ("a.json", saved(choices={"m": "3"}), r"^choices\.m "),
    "a size out of bounds": ("a.json", saved(choices={"m": 513}), of_rule("m")),
    "a scale out of bounds": ("a.json", saved(choices={"scale": 0.123}), of_rule("scale")),
    "a scale that is none": ("a.json", saved(choices={"scale": float("nan")}), r"^choices\.scale "),
    "an unknown word": ("a.json", saved(choices={"order": "hxx"}), of_rule("order")),
    "a word without end": ("a.json", saved(choices={"word": "x" * 99}), of_rule("word")),
    "an unknown array": ("a.json", saved(arrays={"W_zz": [[1]]}), "'W_zz'"),
    "a wrong shape": ("a.json", saved(arrays={"b_h": [[1]]}), r"^b_h .*\(k, 1\) = \(3, 1\).*\(1, 1\)"),
    "a pickle": ("weights.pt", b"\x80\x04.", r"\bpickle\b"),
    "no archive": ("a.npz", "hello", r"\bzip\b"),
    "an unknown name": ("a.npz", to_npz({"W": np.ones((2, 2))}), "'W'"),
    "sizes that disagree": (
        "a.npz",
        to_npz({"W_hh": np.ones((3, 2)), "b_h": np.ones((4, 1))}),
        r"^b_h .*\(k, 1\) = \(3, 1\).*\(4, 1\)",
    ),
    "a sequence beyond 512": (
        "a.npz",
        to_npz({"xs": np.zeros((500_000, 1))}),
        re.escape(reason(expect_bounds, "xs", (500_000, 1))),
    ),
    "a layer beyond 512": (
        "a.safetensors",
        safetensors({"weight_hh_l0": np.zeros((600, 600)), "weight_ih_l0": np.zeros((600, 1))}),
        r"^\w+ .*\b512\b.*\b512\b.*\(600, ",
    ),
    "an output beyond 32": ("W_y.csv", "1,2,3\n" * 33, of_rule("p")),
    "a long text among numbers": (
        "a.json",
        saved(arrays={"b_h": [[1] * 500 + ["x" * 200_000]]}),
        r"^arrays\.b_h .*\b10\^9\b",
    ),
    "a size beyond 512": ("x_t.csv", "\n".join(["1,2"] * 9), r"^x_t .*\(m, 1\) = .*\(9, 2\)"),
    "a table of an unknown name": ("homework.csv", "1,2", "'homework'"),
    "a table with a word in it": ("W_hh.csv", "1,2\n3,four\n5,6", re.escape(reason(parse_matrix, "1,2\n3,four\n5,6"))),
    "no tensors": ("a.safetensors", "hello", r"\.safetensors\b"),
    "another layer": (
        "a.npz",
        to_npz({"a.weight_hh_l0": np.ones((10, 4)), "a.weight_ih_l0": np.ones((10, 3))}),
        r"^weight_hh_l0 .*\b4, 12 or 16\b.*\bk = 4\b.*\b10\b",
    ),
    "half a layer": ("a.npz", to_npz({"a.weight_hh_l0": np.ones((16, 4))}), "weight_ih_l0"),
    "nearly a layer": ("a.npz", to_npz({"a_weight_hh_l0": np.ones((16, 4))}), "weight_"),
    "another ending": ("a.txt", "1,2", r"\.json\b.*\.npz\b.*\.csv\b.*\.safetensors\b"),
    "nothing": ("a.npz", b"", r"\bzip\b"),
}


def test_a_file_that_cannot_be_opened_is_refused_in_words_and_changes_nothing():
    at = open_link(seed="9", typed="b_h~7~8~9", scale="0.5")
    before, address = Shown(at), dict(at.query_params)
    for what, (name, data, words) in BAD.items():
        open_file(at, name, data)
        assert not at.exception, what
        (error,) = at.error
        assert re.search(words, unescaped(error.value)), what
        assert unescaped(error.value).endswith(f" {save_panel.UNCHANGED}"), what
        assert Shown(at) == before, what
        assert dict(at.query_params) == address, what
    assert not at.run().error
    assert Shown(at) == before


NAMES = [
    "![x](https:e.example)",
    "<b>",
    "$x$",
    ":red[x]",
    "`x`",
    "`` ` x",
    "__x__",
    "https:e.example",
    "www.e.example",
    'it\'s "x"',
    "Q" * 5000,
]


def test_a_name_in_a_file_is_shown_as_it_is_and_never_as_markup_nor_at_length():
    at = open_link()
    for name in NAMES:
        for bad in ((f"{name}.csv", "1,2"), ("a.json", saved(choices={name: 1}))):
            (error,) = open_file(at, *bad).error
            before, fence, code = re.fullmatch(r"([^`]*)(`+)(['\"].*)", error.value).groups()
            where = "choices" if bad[0].endswith(".json") else "arrays"
            told = f"{reason(expect_names, where, [name], ())} {save_panel.UNCHANGED}"
            shown = f"{name[:60]!r}{fence}"
            assert code.startswith(shown) and fence not in name
            assert [unescaped(before), unescaped(code.removeprefix(shown))] == told.split(f"{name[:60]!r}")


def test_a_scenario_of_another_example_leaves_nothing_of_the_example_before():
    at = open_file(open_link("lstm", example="carousel"), "a.json", to_json(Scenario(n=3)))
    assert chosen(at, "example") == "lab"
    assert blocks(at) == blocks(open_path("lstm", n="3"))
    assert to_link({}) == at.query_params.get(PARAMETER, "")


def test_a_file_that_did_not_arrive_is_told_in_a_line():
    at = open_link(seed="9", typed="b_h~7~8~9")
    before, state = Shown(at), WidgetState(id=at.file_uploader[0].proto.id)
    state.file_uploader_state_value.uploaded_file_info.add(file_id="lost", name="b_h.csv", size=6)
    send(at, state)
    assert not at.exception
    assert [unescaped(error.value) for error in at.error] == [f"{save_panel.NOT_ARRIVED} {save_panel.UNCHANGED}"]
    assert Shown(at) == before
    assert_array_equal(Shown(open_file(at, "b_h.csv", "1\n2\n3\n"))["b_h"], [[1], [2], [3]])
    assert not at.error
