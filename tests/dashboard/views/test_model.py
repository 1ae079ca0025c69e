"""The page of a trained network: its findings, its pictures, an opened file, and the report."""

import re
from contextlib import contextmanager
from dataclasses import fields, replace
from io import BytesIO
from unittest.mock import patch
from urllib.parse import parse_qsl
from weakref import WeakValueDictionary

import numpy as np
import pytest
import streamlit as st
from numpy.testing import assert_allclose
from streamlit.delta_generator import DeltaGenerator

from core import saturation
from core.cells import CELLS
from core.exchange.array_files import to_npz
from core.exchange.model_files import ModelContents, read_model
from core.exchange.model_files.contents import REFUSALS, FoundDirection, LeftOut, Network
from core.exchange.sequence_files import SequenceFile
from core.model_diagnosis import DEFAULT, ORDER, WARNING, ModelFinding, Thresholds, diagnose
from core.model_diagnosis.inputs import input_of
from core.model_diagnosis.networks import NETWORKS
from core.model_diagnosis.thresholds import MOST_LEVELS
from dashboard.controls.model_file import ModelFile
from dashboard.server import scheduling, uploads
from dashboard.state.parameters import PARAMETERS
from dashboard.state.parameters.model import LIMIT_PARAMS
from dashboard.state.state import parse
from dashboard.text import model as text
from dashboard.text import model_input as of_input
from dashboard.text import model_report_file as report
from dashboard.text import words
from dashboard.text.markdown import escape_markdown
from dashboard.text.model_findings import (
    ALL_UNITS,
    BIASES,
    DIRECTIONS,
    FIRST_NAMED,
    GAINS,
    INPUT,
    LASTING,
    MEMORY,
    MORE,
    NOTHING,
    NOTHING_IN_NOISE,
    NUMBER_NAMES,
    NUMBERS,
    OPEN_AND_CLOSED,
    OVER_TIME,
    RULES,
    SAME_AS,
    SENTENCES,
    STATE_OVER_TIME,
    UNITS,
    WARNINGS,
    WEIGHTS,
    WHERE,
    finding,
    of_diagnosis,
    place,
    proof,
    rule,
    units,
)
from dashboard.text.plural import fill
from tests.core.planted_faults import FAULTS, contents_of, weights
from tests.dashboard.page import Shown, choose, chosen, controls, drawn_controls, entries, open_link
from tests.sentences import pattern, says


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_of_cellscope_has_no_warning_and_a_picture(name):
    at = open_link("model", network=name)
    assert not at.exception and not at.warning and not at.error
    assert Shown(at).panels[WARNINGS]["callout"] == NOTHING
    Shown(at).assert_finite()


def opened(made, **parameters):
    at = open_link("model", **parameters)
    at.session_state.model = ModelFile("a.npz", read_model("a.npz", to_npz(made)))
    return at.run()


def test_a_file_is_opened_through_the_uploader():
    at = open_link("model")
    assert at.markdown[0].value == text.PAGE_OF_EXAMPLE.format(cell="LSTM", k=24)
    assert Shown(at).panels[INPUT]["text"] == text.ONE_HOT
    at = at.file_uploader[0].upload("a.npz", to_npz(weights("GRU"))).run()
    assert not at.exception and not at.error
    assert at.markdown[0].value == text.PAGE and not Shown(at).panels[INPUT]["text"]
    assert [note.value for note in at.caption][:1] == [of_input.SESSION]
    assert "u_t" in Shown(at).symbols
    # Another setting is changed while the file is open, and then the file is closed.
    at = at.run()
    assert "u_t" in Shown(at).symbols and not at.error
    at = at.button(key="close model").click().run()
    assert "c_t" in Shown(at).symbols and len(at.file_uploader) == 2


def test_an_input_is_opened_and_must_match_the_network():
    at = opened(weights("LSTM"))
    at = at.file_uploader[0].upload("a.csv", b"1,2\n3,4\n").run()
    assert ["2 entries" in error.value for error in at.error] == [True]
    at = at.button(key="close input").click().run()
    at = at.file_uploader[0].upload("a.csv", b"1,2,3,4,5,6\n" * 3000).run()
    assert not at.exception and not at.error
    assert fill(of_input.CUT, {"T": 2048, "B": 1}) in [note.value for note in at.info]
    assert Shown(at).symbols


def test_the_page_says_which_axis_of_a_file_is_time():
    file = BytesIO()
    np.save(file, np.random.default_rng(0).normal(size=(3, 9, 6)))
    for first_axis, T, word in ((None, 3, "time"), ("batch", 9, "batch")):
        at = opened(weights("LSTM"), **({"first_axis": first_axis} if first_axis else {}))
        assert "first_axis" not in controls(at)
        at = at.file_uploader[0].upload("a.npy", file.getvalue()).run()
        assert not at.exception and not at.error
        assert "first_axis" in controls(at)
        assert [word in note.value for note in at.text if "(3, 9, 6)" in note.value] == [True]
        assert len(at.session_state.model_diagnosis.made.trace.output) == T
        # A first axis that is longer than the second one is more often time.
        assert [note.value for note in at.info] == [of_input.SHORT_TIME] * (T == 3)


def test_indices_and_letters_are_told_apart():
    at = opened(weights("LSTM"), passage="0 5 3", tokens="indices")
    assert not at.exception and not at.error
    assert escape_markdown(of_input.HOW_OF_INDICES["one-hot"]) in [note.value for note in at.caption]
    (error,) = opened(weights("LSTM"), passage="1 abc", tokens="indices").error
    assert "“abc”" in error.value


def test_the_text_of_a_file_may_hold_indices():
    at = opened(weights("LSTM"), tokens="indices").file_uploader[0].upload("a.txt", b"5 0 3").run()
    assert not at.exception and not at.error and "tokens" in controls(at) and "passage" not in controls(at)
    assert fill(of_input.TEXT_OPENED, {"name": "a.txt", "T": 5}) in [note.value for note in at.text]
    assert at.session_state.model_diagnosis.made.trace.output.shape[0] == 3
    at = choose(at, tokens="letters")
    assert at.session_state.model_diagnosis.made.trace.output.shape[0] == 5


@pytest.mark.parametrize("assumed", [[], ["masking"]])
def test_padding_that_the_network_skips_is_no_fault(assumed):
    at = open_link("model", tokens="indices", passage="1 2 3 4 " + "0 " * 10)
    at.session_state.model = ModelFile("a.keras", contents_of(weights("LSTM"))._replace(assumed=assumed))
    at = at.run()
    assert not at.exception
    found = [one.code for one in at.session_state.model_diagnosis.made.findings]
    assert ("padded tokens" in found) == (not assumed)


EMBEDDED = weights("LSTM") | {"embedding.weight": np.ones((4, 6))}


def test_an_array_of_indices_is_read_in_rows_or_in_columns():
    file = BytesIO()
    np.save(file, np.tile(np.arange(4), (5, 3)))
    for first_axis, T in (("time", 5), ("batch", 12)):
        at = opened(EMBEDDED, first_axis=first_axis).file_uploader[0].upload("a.npy", file.getvalue()).run()
        assert not at.exception and not at.error and "first_axis" in controls(at)
        assert [note.value for note in at.text if "(5, 12):" in note.value]
        assert [note.value for note in at.info] == [of_input.TOKENS_IN_ROWS] * (first_axis == "time")
        sentence = of_input.HOW_OF_INDICES["embedding"].format(table="'embedding.weight'")
        assert escape_markdown(sentence) in [note.value for note in at.caption]
        assert len(at.session_state.model_diagnosis.made.trace.output) == T


@pytest.mark.parametrize(
    ("made", "passage", "tokens", "sentence"),
    [
        (weights("LSTM"), "abcdefg", "letters", of_input.NOISE.format(tokens=7, m=6)),
        (weights("LSTM"), "abcdefg", "letters", of_input.FITTING["letters"].format(m=6)),
        (weights("LSTM"), "abcdefg", "letters", of_input.OWN_INPUT),
        (weights("LSTM"), "0 5 6", "indices", of_input.FITTING["indices"].format(last=5)),
        (EMBEDDED, "0 4", "indices", of_input.NOISE_OF_TABLE.format(tokens=5, table="`'embedding.weight'`")),
    ],
)
def test_a_text_that_does_not_fit_says_why_and_what_would(made, passage, tokens, sentence):
    at = opened(made, passage=passage, tokens=tokens)
    (note,) = at.info
    assert sentence in note.value.replace("\\", "")
    assert Shown(at).lead.startswith(NOTHING_IN_NOISE)


def test_an_open_text_that_does_not_fit_asks_for_no_field_that_is_not_there():
    at = opened(weights("LSTM")).file_uploader[0].upload("a.txt", b"abcdefg").run()
    (note,) = at.info
    assert not at.file_uploader and escape_markdown(of_input.OWN_INPUT) not in note.value
    assert escape_markdown(of_input.FITTING["letters"].format(m=6)) in note.value


@pytest.mark.parametrize(
    ("passage", "sentence"),
    [
        ("the cat", None),
        ("the cät", pattern(of_input.UNKNOWN, count=1, named="`'ä'`")),
        ("THE cat", pattern(of_input.UNKNOWN, count=3, named="`'T', 'H', 'E'`")),
        ("0123456789", pattern(of_input.UNKNOWN, count=10)),
    ],
)
def test_characters_that_a_network_does_not_know_are_named(passage, sentence):
    notes = [note.value.replace("\\", "") for note in open_link("model", passage=passage).info]
    assert [re.search(sentence, note) is not None for note in notes] == [True] * (sentence is not None)


def test_a_network_that_looks_untrained_says_so_where_a_warning_would_be():
    at = opened(weights("LSTM"))
    said = Shown(at).lead
    assert said.startswith(NOTHING_IN_NOISE) and "looks untrained" in said


def test_the_values_that_are_saturated_over_the_text_are_counted():
    at = open_link("model", threshold="20", passage="hello", network="LSTM")
    maps = {title: panel for title, panel in Shown(at).panels.items() if title == OVER_TIME}
    shown, g = Shown(at), {"σ": ("f_t", "i_t", "o_t"), "tanh": ("c̃_t",)}
    gates = np.concatenate([shown[symbol] for symbol in g["σ"]])
    candidate, c = shown["c̃_t"], shown["c_t"]
    of_gates = int((4 * gates * (1 - gates) < 0.2).sum())
    of_tanh = int((1 - candidate**2 < 0.2).sum() + (1 - np.tanh(c) ** 2 < 0.2).sum())
    counts = {"σ": saturation.Count(of_gates, gates.size), "tanh": saturation.Count(of_tanh, 2 * c.size)}
    symbols = {"σ": "f_t, i_t, o_t", "tanh": "c̃_t, tanh(c_t)"}
    counted = words.listed(words.OF_VALUES.format(count=n, g=g, symbols=symbols[g]) for g, n in counts.items())
    said = words.SATURATED_OVER_TIME.format(where=text.WHERE[0].format(layer=1), counts=counted)
    assert maps[OVER_TIME]["callout"] == f"{said} {text.OVER_TIME}"


@pytest.mark.parametrize(("name", "said"), [("a.csv", "safetensors"), ("a.pt", "pickle"), ("a.npz", "archive")])
def test_another_file_is_refused_in_a_sentence(name, said):
    at = open_link("model")
    at = at.file_uploader[0].upload(name, b"<script>alert(1)</script>").run()
    assert not at.exception
    assert [said in error.value for error in at.error] == [True]


def test_a_recurrent_layer_that_is_left_out_is_named_beside_those_that_are_shown():
    made = {f"{name}.{kind}": W for name in ("first", "second") for kind, W in weights("LSTM").items()}
    at = opened({**made, "second.weight_hr_l0": np.ones((2, 24)), "head.weight": np.ones((2, 24))})
    assert Shown(at).symbols
    refused = LeftOut("second", "projection")
    assert [warning.value for warning in at.warning] == [escape_markdown(of_input.refusal(refused))]
    listed = at.dataframe[0].value.values.tolist()
    assert listed == [["second", text.REASONS["projection"]], ["head.weight", text.REASONS["not recurrent"]]]


def test_a_file_whose_only_layer_is_refused_says_why():
    data = to_npz({**weights("LSTM"), "weight_hr_l0": np.ones((2, 24))})
    at = open_link("model").file_uploader[0].upload("a.npz", data).run()
    assert [error.value for error in at.error] == [escape_markdown(of_input.refusal(LeftOut("", "projection")))]


def test_every_reason_has_its_words():
    assert of_input.REFUSALS.keys() == REFUSALS < text.REASONS.keys()
    assert all(of_input.refusal(LeftOut(name, code)) for name in ("", "r") for code in REFUSALS)
    assert of_input.refusal(LeftOut("head", "not recurrent")) == ""


def test_what_follows_from_an_initial_state_that_is_left_out_is_said():
    at = opened({**weights("LSTM"), "h0": np.ones((1, 1, 24))})
    assert text.ASSUMED["initial state"] in [note.value for note in at.caption]
    assert at.dataframe[0].value.values.tolist() == [["h0", text.REASONS["initial state"]]]


def test_a_file_with_a_fault_has_its_warning():
    fault = next(fault for fault in FAULTS if fault.code == "forget bias low")
    at = opened(fault.plant("LSTM", 0, 24).weights)
    assert not at.exception
    first = Shown(at).panels[WARNINGS]["findings"][0]
    assert "−6" in first["text"] or "-6" in first["text"]
    assert first["proof"] == BIASES


def test_the_layer_and_the_direction_of_a_file_are_chosen():
    at = opened(weights("GRU", layers=2), shown_layer="2")
    assert not at.exception
    assert "u_t" in Shown(at).symbols
    # A network with one direction has no choice of it.
    assert "shown_direction" not in controls(at)
    # A layer beyond the last one is the last one.
    assert not opened(weights("RNN"), shown_layer="16", shown_direction="backward").exception


@pytest.mark.parametrize("others", [0, 2])
def test_a_small_file_with_a_large_network_needs_the_right_of_a_large_file(others, monkeypatch):
    monkeypatch.setattr(uploads, "LARGE_BYTES", 100_000)
    monkeypatch.setattr(uploads, "is_active_session", lambda session: True)
    held = {f"{at}": uploads.LargeFileSlot() for at in range(others)}
    monkeypatch.setattr(uploads, "_slots", WeakValueDictionary(held))
    same = {name: np.zeros_like(array) for name, array in weights("LSTM", k=64).items()}
    packed = BytesIO()
    np.savez_compressed(packed, **same)
    assert len(packed.getvalue()) < uploads.LARGE_BYTES < contents_of(same).nbytes
    at = open_link("model")
    at = at.file_uploader[0].upload("a.npz", packed.getvalue()).run()
    assert not at.exception
    assert ["of memory" in error.value for error in at.error] == [True] * (others > 0)
    assert len(uploads._slots) == (others or 1)


@pytest.mark.slow
def test_only_a_session_with_a_large_file_keeps_a_large_diagnosis():
    made = weights("LSTM", k=256)
    file = SequenceFile("a.csv", np.ones((600, 6, 1)), "", 600, 1, "")
    for slot, T in ((None, 510), (uploads.LargeFileSlot(), 600)):
        at = open_link("model")
        at.session_state.model = ModelFile("a.npz", contents_of(made), slot)
        at.session_state.model_input = file
        at = at.run()
        assert not at.exception
        assert [note.value for note in at.info] == [fill(of_input.CUT, {"T": T, "B": 1})] * (T < 600)
        assert len(at.session_state.model_diagnosis.made.trace.output) == T


def test_the_last_diagnosis_is_dropped_before_the_next_one(monkeypatch):
    last = []

    def counted(*given, **more):
        last.append(st.session_state.get("model_diagnosis"))
        return diagnose(*given, **more)

    monkeypatch.setattr("dashboard.views.model.model.diagnose", counted)
    opened(weights("LSTM"))
    assert last == [None, None]


def test_an_uploaded_file_is_removed_whatever_happens(monkeypatch):
    removed = []

    def fail(name, data):
        raise MemoryError

    monkeypatch.setattr(uploads, "remove_own_uploads", lambda: removed.append(True))
    monkeypatch.setattr("dashboard.controls.model_file._read_model", fail)
    at = open_link("model")
    at.file_uploader[0].upload("a.npz", b"1").run()
    assert removed == [True]


def of_two(**parameters):
    """The page with a file of two networks of the same name, and the networks."""
    networks = [contents_of(weights("LSTM", seed)).networks[0]._replace(name="lstm") for seed in range(2)]
    at = open_link("model", **parameters)
    at.session_state.model = ModelFile("a.keras", ModelContents(networks, [], []))
    at = at.run()
    assert not at.exception
    return at, networks


def shown_network(at):
    return at.session_state.model_diagnosis.made.layers


def test_networks_of_the_same_name_are_told_apart():
    at, networks = of_two()
    listed = drawn_controls(at)["shown_network"]["options"]
    assert [option["label"] for option in listed] == ["1. lstm", "2. lstm"]
    assert shown_network(at) is networks[0].layers
    note = text.ONE_OF_SEVERAL.format(count=2)
    assert note in [caption.value for caption in at.caption]
    at = choose(at, shown_network=2)
    assert chosen(at, "shown_network") == 2 and shown_network(at) is networks[1].layers
    # A file with one network has no choice of it.
    only = opened(weights("LSTM"))
    assert "shown_network" not in controls(only) and note not in [caption.value for caption in only.caption]


def test_an_untrained_network_is_named_beside_a_trained_one(monkeypatch):
    made = {f"dec.{name}": 3 * W for name, W in weights("LSTM").items()}
    made |= {f"enc.{name}": W for name, W in weights("LSTM", 1).items()}
    at = open_link("model").file_uploader[0].upload("a.npz", to_npz(made)).run()
    assert not at.exception
    sentence = text.UNTRAINED_NETWORK.format(name=repr("2. enc"))
    assert [warning.value for warning in at.warning] == [escape_markdown(sentence)]
    assert sentence in parts_of_report(at, monkeypatch)[0].lines


# A number beyond the last network is the last one.
@pytest.mark.parametrize(("number", "at"), [("1", 1), ("2", 2), ("3", 2), ("20000", 2)])
def test_the_network_of_a_link_is_shown(number, at):
    page, networks = of_two(shown_network=number)
    assert shown_network(page) is networks[at - 1].layers
    assert drawn_controls(page)["shown_network"]["text"] == f"{at}"
    # A reload has the URL alone, and the number stays in it.
    assert chosen(page, "shown_network") == int(number) and not page.warning


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "encoder", "20001"])
def test_another_number_of_a_network_is_refused(number):
    state, refused = parse("model", {"shown_network": number})
    assert state.settings.shown_network == 1 and len(refused) == 1
    page, networks = of_two(shown_network=number)
    assert shown_network(page) is networks[0].layers


@pytest.mark.parametrize("count", [1, 2])
def test_a_report_names_the_network_of_a_file_with_several(count):
    with patch("streamlit.download_button") as download:
        of_two(shown_network="2") if count == 2 else opened(weights("LSTM"), shown_network="2")
    written = {call.args[2]: call.args[1]() for call in download.call_args_list}
    assert (f"{PARAMETERS['shown_network'].label} | 2" in written["cellscope-diagnosis.md"]) == (count == 2)


def test_numbers_that_overflow_are_said_and_other_errors_are_not_taken_for_it(monkeypatch):
    made = contents_of(weights("RNN"))
    (layer,) = made.networks[0].layers
    arrays = {name: array * 1e200 for name, array in layer.directions[0].arrays.items()}
    large = replace(layer, g="relu", directions=[FoundDirection(arrays)])
    at = open_link("model", nonlinearity="relu")
    at.session_state.model = ModelFile("a.npz", made._replace(networks=[Network("", [large])]))
    at = at.run()
    assert not at.exception and [error.value for error in at.error] == [text.OVERFLOW]

    def fail(*given):
        raise ValueError("another one")

    monkeypatch.setattr("dashboard.views.model.model.diagnose", fail)
    at = at.run()
    assert not at.error and len(at.exception) == 1


def test_every_finding_has_a_sentence_and_every_warning_a_rule():
    assert set(ORDER) == set(RULES) <= set(SENTENCES)
    for fault in FAULTS:
        plant = fault.plant(fault.cells[0], 0, 8)
        for one in diagnose(contents_of(plant.weights).networks[0].layers, plant.xs).findings:
            assert "{" not in finding(one, one.symbol) + rule(one, DEFAULT)
            assert bool(rule(one, DEFAULT)) == (one.level == WARNING)
            assert one.numbers.keys() <= NUMBER_NAMES.keys()
    assert f" {MOST_LEVELS} " in RULES["rounded weights"]


@pytest.mark.parametrize(("fraction", "shown"), [(0.99, "99"), (0.9996, "99.9"), (1.0, "100"), (0.6319, "63.1")])
def test_a_percentage_is_rounded_down(fraction, shown):
    stuck = ModelFinding("gate stuck open", WARNING, 0, 0, "r_t", (1,), value=fraction, of=2)
    assert says(finding(stuck, "r_t"), SENTENCES["gate stuck open"], percent=shown)
    common = ModelFinding("common sign", WARNING, 0, 0, value=fraction, of=2)
    assert says(finding(common, ""), SENTENCES["common sign"], percent=shown)


# ---- the findings, the thresholds and the pictures -----------------------------------------------


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_finding_leads_to_a_panel_of_the_same_picture(fault):
    plant = fault.plant(fault.cells[-1], 0, 8)
    panels = Shown(opened(plant.weights)).panels
    found = [one for panel in panels.values() for one in panel["findings"]]
    assert {one["proof"] for one in found} <= panels.keys()


@pytest.mark.parametrize(
    ("symbol", "panel"), [("c_t", OVER_TIME), ("z_f", OVER_TIME), ("x_t", INPUT), ("W_fh", WEIGHTS), ("b_f", BIASES)]
)
def test_the_headroom_is_proved_where_its_symbol_is_shown(symbol, panel):
    made = diagnose(contents_of(weights("LSTM")).networks[0].layers, np.ones((9, 6, 1)))
    (headroom,) = [one for one in made.findings if one.code == "headroom"]
    assert proof(made, replace(headroom, symbol=symbol)) == panel


def test_all_warnings_but_the_worst_three_are_folded_above_the_first_drawing():
    # Fresh weights are far from the largest number of float16, so with this limit each layer has a warning.
    panels = Shown(opened(weights("RNN", layers=5), limit_headroom="1e6")).panels
    assert list(panels)[:4] == [WARNINGS, MORE.format(count=2), STATE_OVER_TIME, NUMBERS]
    worst, more, *_ = panels.values()
    assert len(worst["findings"]) == 3 and not worst["folded"]
    assert len(more["findings"]) == 2 and more["folded"]


def test_a_link_shows_the_layer_the_direction_and_the_unit_of_a_finding():
    fault = next(fault for fault in FAULTS if fault.code == "copied units")
    at = opened(fault.plant("GRU", 0, 8).weights)
    changes = Shown(at).panels[WARNINGS]["findings"][0]["changes"]
    assert changes == {"shown_layer": "2", "shown_direction": "backward", "j": None}
    assert "shown_direction" in controls(at)


def test_a_threshold_of_the_url_decides():
    # Far from float16's limit for fresh weights.
    at = opened(weights("RNN"), limit_headroom="1e6")
    (found,) = Shown(at).panels[WARNINGS]["findings"]
    assert "float16" in found["text"]
    assert "below 1000000" in Shown(at).panels[WARNINGS]["exactly"]


def test_a_reader_can_move_each_threshold_and_the_rule_says_it():
    assert set(LIMIT_PARAMS) == {field.name for field in fields(Thresholds)}
    at = opened(weights("GRU"), limit_recurrence="0.2", limit_ratio="0.3")
    (found,) = Shown(at).panels[WARNINGS]["findings"]
    assert says(found["text"], SENTENCES["large recurrence"])
    rule_of_it = RULES["large recurrence"].format(threshold="0.2", ratio="0.3")
    assert rule_of_it in Shown(at).panels[WARNINGS]["exactly"]


def test_the_activation_of_an_rnn_of_pytorch_is_a_choice():
    made = weights("RNN", k=8) | {"bias_ih_l0": np.full(8, -9.0)}
    at = opened(made)
    assert chosen(at, "nonlinearity") == "tanh" and "choose it" in at.caption[1].value
    dead = Shown(choose(at, nonlinearity="relu")).panels[WARNINGS]["findings"][0]["text"]
    assert says(dead, SENTENCES["dead ReLU"], units=ALL_UNITS.format(of=8))
    without = weights("RNN", k=8)
    for name in without:
        without[name][:1] = 0
    still = Shown(opened(without)).panels[WARNINGS]["findings"][0]["text"]
    assert says(still, SENTENCES["dead units of an RNN"]) and not says(still, SENTENCES["dead ReLU"])
    of_lstm = opened(weights("LSTM"))
    assert "nonlinearity" not in controls(of_lstm)
    assert text.ASSUMED["tanh"] not in [note.value for note in of_lstm.caption]
    assert "nonlinearity" not in controls(open_link("model", network="RNN"))


def test_the_sentence_on_open_and_closed_gates_holds_for_every_threshold():
    panel = Shown(open_link("model", limit_open="0.8", limit_shut="0.3")).panels[OPEN_AND_CLOSED]
    chart = panel["rows"][0][0]
    assert "0.8" in chart["x_label"] and "0.3" in chart["y_label"]
    assert panel["text"] == text.OPEN_AND_CLOSED.format(open="0.8", closed="0.3")


@pytest.mark.parametrize("field", LIMIT_PARAMS)
def test_a_threshold_of_the_page_has_its_default(field):
    choice = PARAMETERS[LIMIT_PARAMS[field]]
    assert choice.default == getattr(DEFAULT, field) and choice.rule.allows(f"{choice.default}")


def test_the_marked_step_and_the_selected_unit_are_those_of_the_url():
    at = open_link("model", shown_step="7", j="20")
    playback = Shown(at).panels[OVER_TIME]["playback"]
    assert playback["start"] == 6
    assert playback["steps"][6]["label"] == text.STEP_OF.format(step=7, steps=len(playback["steps"]))
    assert Shown(at).picture["unit"] == 19
    # A step beyond the text is its last one.
    assert (
        Shown(open_link("model", shown_step="2048", passage="the cat sat")).panels[OVER_TIME]["playback"]["start"] == 10
    )


def test_an_rnn_has_a_state_over_time_and_no_gates():
    fault = next(fault for fault in FAULTS if fault.code == "dead units")
    shown = Shown(opened(fault.plant("RNN", 0, 8).weights))
    assert STATE_OVER_TIME in shown.panels and OVER_TIME not in shown.panels
    assert "gate" not in shown.panels[STATE_OVER_TIME]["alt"].lower()
    assert shown.panels[WARNINGS]["findings"][0]["proof"] == STATE_OVER_TIME


@pytest.mark.parametrize("name", NETWORKS)
def test_no_map_of_a_state_clips_its_colours(name):
    shown = Shown(open_link("model", network=name))
    panel = shown.panels[STATE_OVER_TIME if name == "RNN" else OVER_TIME]
    blocks = [shown.picture["blocks"][item["index"]] for row in panel["rows"] for item in row]
    for block in blocks:
        assert abs(entries(block)).max() <= block["scale"]["high"], block["symbol"]
    # A cell state beyond 1 has a scale up to its own largest value, and the legend says so.
    largest = {block["symbol"]: abs(entries(block)).max() for block in blocks}
    others = {text.STATE_SCALE, words.GATE_SCALE}
    own = [legend["label"] for legend in panel["legends"] if legend["label"] not in others]
    assert own == [
        text.OWN_SCALE.format(state=symbol.removesuffix("_t")) for symbol, value in largest.items() if value > 1
    ]
    assert bool(own) == (name == "LSTM")


def test_the_legend_of_the_input_shows_its_range():
    at = opened(weights("LSTM")).file_uploader[0].upload("a.csv", b"1,2,3,4,5,6\n7,8,9,10,-255,0\n").run()
    (legend,) = Shown(at).panels[INPUT]["legends"]
    assert (legend["label"], legend["low"], legend["high"]) == (text.OWN_SCALE.format(state="x"), "−255", "255")


@pytest.mark.parametrize("k", [8, 32, 512])
def test_every_picture_exists_at_every_size(k):
    shown = Shown(opened(weights("LSTM", k=k), passage="the cat"))
    assert {OVER_TIME, OPEN_AND_CLOSED, MEMORY, GAINS, BIASES, WEIGHTS, INPUT} <= shown.panels.keys()
    charts = [
        item
        for title in (OPEN_AND_CLOSED, MEMORY, GAINS, BIASES)
        for row in shown.panels[title]["rows"]
        for item in row
    ]
    assert len(charts) == 3 + 1 + 1 + 4 and all(chart["x_label"] and chart["y_label"] for chart in charts)


@pytest.mark.parametrize(
    ("named", "of", "expected"),
    [
        ((1,), 1, "unit 1"),
        ((), 1, "unit 1"),
        ((), 24, "all 24 units"),
        ((1, 2), 2, "all 2 units"),
        ((2,), 3, "unit 2"),
        ((1, 3), 3, "2 of 3 units (1, 3)"),
    ],
)
def test_units_are_named_in_words_that_fit_their_number(named, of, expected):
    assert units(named, of) == expected


# ---- a unit on the page of its cell --------------------------------------------------------------


@pytest.mark.parametrize(("cell", "path"), [("RNN", ""), ("LSTM", "lstm"), ("GRU", "gru")])
def test_a_unit_is_shown_on_the_page_of_its_cell(cell, path):
    at = opened(
        weights(cell, 0, k=8), shown_step="5", j="3", m="2", n="9", forget_bias="2", layers="2", directions="two"
    )
    (link,) = [link.proto for link in at.get("page_link") if text.SHOW_UNIT.partition(" {")[0] in link.proto.label]
    query = dict(parse_qsl(link.query_string))
    there, refused = parse(path, query, at.session_state.stored)
    assert not refused and there.unit == 3
    assert not there.scenario.is_layered
    step = CELLS[cell].step(*there.scenario.step_arguments(cell))
    assert_allclose(step.h_t[:, 0], Shown(at)["h_t"][:, 4], atol=1e-6)


def test_a_large_cell_has_no_link_to_its_page():
    at = opened(weights("GRU", k=40))
    assert not [link for link in at.get("page_link") if "unit" in link.proto.label]


# ---- the sentences -------------------------------------------------------------------------------


def in_layer(layer: int, sentence: str) -> str:
    """A sentence on the forward direction of a layer."""
    return WHERE.format(layer=layer, direction=DIRECTIONS[0], sentence=sentence)


def test_one_of_something_is_no_plural():
    one = ModelFinding("horizon", "number", 0, 0, value=1.0, threshold=0.1)
    sentence = fill(SENTENCES["horizon"], {"count": 1, "value": "1", "threshold": "0.1"})
    assert finding(one, "") == in_layer(1, sentence) and "1 step." in sentence
    assert "32 steps" in finding(replace(one, value=32.0), "")
    said = text.network(contents_of(weights("RNN", k=1, m=1)).networks[0].layers)
    assert said == fill(text.ALIKE, {"cell": "RNN", "m": 1, "layers": text.LAYERS[1], "k": 1}) and "1 unit." in said


def test_a_large_number_has_no_decimals():
    one = ModelFinding("headroom", "number", 0, 0, value=3573.07, numbers={"largest": 18.33})
    values = {"symbol": "c_t", "largest": "18.33"}
    for value, written in ((one.value, "3573"), (np.inf, "∞")):
        sentence = fill(SENTENCES["headroom"], values | {"value": written})
        assert finding(replace(one, value=value), "c_t") == in_layer(1, sentence)


def test_layers_that_differ_are_all_named():
    (lstm,), (gru,) = (contents_of(weights(cell, k=k)).networks[0].layers for cell, k in (("LSTM", 8), ("GRU", 5)))
    layers = [text.LAYER.format(cell=cell, k=k) for cell, k in (("LSTM", 8), ("GRU", 5))]
    assert text.network([lstm, gru]) == fill(text.MIXED, {"m": lstm.m, "listed": words.enumerated(layers)})
    both = contents_of(weights("LSTM", 0, 2, ways=2, k=8)).networks[0].layers
    alike = fill(text.ALIKE, {"cell": "LSTM", "m": 6, "layers": text.LAYERS[2], "k": 8})
    assert text.network(both) == f"{alike} {text.BOTH_WAYS}"


# ---- the report ----------------------------------------------------------------------------------


def parts_of_report(at, monkeypatch) -> list[report.Part]:
    """Return the parts of the report of a page that runs once more."""
    written = []
    monkeypatch.setattr("dashboard.views.model.model._written", lambda _, parts: written.append(parts()))
    monkeypatch.setattr("streamlit.download_button", lambda _, data, *more, **options: data())
    at.run()
    assert not at.exception
    return written[0]


def settings_of_report(at, monkeypatch) -> dict[str, str]:
    """Return the settings of the report of a page that runs once more."""
    return dict(next(part.rows for part in parts_of_report(at, monkeypatch) if part.title == text.SETTINGS))


def test_a_report_has_the_settings_that_the_page_uses(monkeypatch):
    at = opened(
        {**weights("LSTM"), **{f"other.{name}": W for name, W in weights("GRU").items()}},
        shown_network="9",
        shown_layer="7",
    )
    said = settings_of_report(at, monkeypatch)
    assert said[PARAMETERS["passage"].label] == PARAMETERS["passage"].default
    assert said[PARAMETERS["shown_network"].label] == "2"
    assert said[PARAMETERS["shown_layer"].label] == "1"
    # An input from a file takes the place of the text.
    at.file_uploader[0].upload("a.csv", b"1,2,3,4,5,6\n" * 9)
    assert not {PARAMETERS[name].label for name in ("passage", "tokens")} & settings_of_report(at, monkeypatch).keys()
    at.button(key="close input").click()
    array = BytesIO()
    np.save(array, np.zeros((9, 2, 6)))
    at.run().file_uploader[0].upload("a.npy", array.getvalue())
    assert settings_of_report(at, monkeypatch)[PARAMETERS["first_axis"].label] == "time"


def test_a_report_has_the_findings_with_their_thresholds_and_no_markup_of_others():
    bad = "<script>alert(1)</script> [a](javascript:b)"
    fault = next(fault for fault in FAULTS if fault.code == "forget bias low")
    layers = contents_of(fault.plant("LSTM", 0, 8).weights).networks[0].layers
    given = input_of(layers, "abcabcabcab", is_own=False, seed=0)
    made = diagnose(layers, given.xs)
    one = next(each for each in made.findings if each.code == fault.code)
    parts = report.parts(bad, made, given, [("Text", bad)], [("Limit", "0.912")])
    page, lines = report.html(parts), report.markdown(parts)
    assert "<script" not in page and "href" not in page and "src=" not in page
    assert r"\<script\>" in lines and r"\[a\](" in lines
    for written in (page, lines):
        assert fault.code in written and rule(one, made.thresholds).partition(",")[0] in written and "0.912" in written


def test_a_report_names_the_direction_with_the_same_weights():
    made = weights("GRU", layers=2, ways=2)
    layers = contents_of({**made, "weight_hh_l1": made["weight_hh_l0_reverse"]}).networks[0].layers
    given = input_of(layers, "abcabcabcab", is_own=False, seed=0)
    written = report.markdown(report.parts("a", diagnose(layers, given.xs), given, [], []))
    other = place(0, 1)
    assert in_layer(2, SENTENCES["same weights"].format(other=other)) in written
    assert f", {SAME_AS.format(other=other)} |" in written


def test_gates_that_are_stuck_in_some_units_are_one_line_and_the_report_names_all_units():
    made = weights("GRU", k=12)
    made["bias_ih_l0"][:10] = -20
    made["bias_ih_l0"][[12, 13]] = 20, -20
    layers = contents_of(made).networks[0].layers
    given = input_of(layers, "abcabcabcabc", is_own=False, seed=0)
    found = diagnose(layers, given.xs)
    (one,) = [each for each in found.findings if "stuck" in each.code]
    named = FIRST_NAMED.format(named="1, 2, 3, 4, 5, 6, 7, 8")
    gates = "r_t (closed in 10 units) and u_t (closed in 1 unit, open in 1 unit)"
    stuck = UNITS.format(count=10, of=12, named=named)
    assert of_diagnosis(found, one) == in_layer(1, SENTENCES["stuck gates"].format(units=stuck, gates=gates))
    assert rule(one, DEFAULT) == RULES["stuck gates"].format(threshold="0.001")
    written = report.markdown(report.parts("a", found, given, [], []))
    assert "units 10, r\\_t (closed in units 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), u\\_t (" in written


def test_a_long_diagnosis_leaves_the_lock_to_others_and_is_kept(monkeypatch):
    made, entered, shown, started, said = [], [], [], [], []
    progress = DeltaGenerator.progress

    def noted(bar, value, *more):
        shown.append(value)
        said.extend(more)
        return progress(bar, value, *more)

    def counted(*given, **more):
        made.append(scheduling.RUN_LOCK.locked())
        return diagnose(*given, **more)

    @contextmanager
    def compute(*, long):
        entered.append(long)
        started.append(shown[-1])  # while it waits
        shown.clear()
        with scheduling.heavy_compute(long=long):
            yield

    monkeypatch.setattr("dashboard.views.model.model.diagnose", counted)
    monkeypatch.setattr("dashboard.views.model.model.heavy_compute", compute)
    monkeypatch.setattr(DeltaGenerator, "progress", noted)
    monkeypatch.setattr("core.model_diagnosis.inputs.LONG_PRODUCTS", 0)
    at = opened(weights("LSTM", layers=2)).run()
    assert not at.exception
    # The first run is that of the network of Cellscope.
    assert entered == [True, True] and made == [False, False]
    # Every layer says that it is under way.
    assert {sentence.format(layer=layer, layers=2) for sentence in text.PROGRESS.values() for layer in (1, 2)} <= {
        *said
    }
    assert started == [0, 0]


@pytest.mark.parametrize(("steps", "said"), [(1.75e10, LASTING), (1e6, "1.00·10⁶")])
def test_a_half_life_beyond_the_precision_of_float32_is_said_in_words(steps, said):
    numbers = {"shortest": 3.0, "longest": np.inf}
    sentence = finding(ModelFinding("memory", "number", 0, 0, "f_t", value=steps, numbers=numbers), "f_t")
    values = {"count": steps, "value": said, "shortest": "3", "longest": LASTING}
    assert sentence.endswith(fill(SENTENCES["memory"], values))
