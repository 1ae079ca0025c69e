"""The page of a trained network: its findings, its pictures, and an opened file."""

import pytest

from core.diagnosis import ORDER, WARNING, diagnose
from core.diagnosis.networks import NETWORKS
from core.exchange.array_files import to_npz
from core.exchange.model_files import read_network
from dashboard.controls.model_file import ModelFile
from dashboard.text import model as text
from dashboard.text import model_input as of_input
from dashboard.text.plural import fill
from dashboard.text.model_findings import RULES, SENTENCES, finding, rule
from tests.core.planted import FAULTS, network, weights
from tests.dashboard.page import Shown, open_link


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_of_cellscope_has_no_warning_and_a_picture(name):
    at = open_link("model", network=name)
    assert not at.exception and not at.warning and not at.error
    assert [note.value for note in at.success] == [text.NOTHING]
    Shown(at).assert_finite()


def opened(made, **parameters):
    at = open_link("model", **parameters)
    at.session_state.model = ModelFile("a.npz", read_network("a.npz", to_npz(made)))
    return at.run()


def test_a_file_is_opened_through_the_uploader():
    at = open_link("model")
    at = at.file_uploader[0].upload("a.npz", to_npz(weights("GRU"))).run()
    assert not at.exception and not at.error
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


def test_indices_and_letters_are_told_apart():
    at = opened(weights("LSTM"), passage="0 5 3", tokens="indices")
    assert not at.exception and not at.error
    assert any("sets input i" in note.value for note in at.caption)
    assert "whole numbers" in opened(weights("LSTM"), passage="abc", tokens="indices").error[0].value


@pytest.mark.parametrize(("name", "said"), [("a.csv", "safetensors"), ("a.pt", "pickle"), ("a.npz", "archive")])
def test_another_file_is_refused_in_a_sentence(name, said):
    at = open_link("model")
    at = at.file_uploader[0].upload(name, b"<script>alert(1)</script>").run()
    assert not at.exception
    assert [said in error.value for error in at.error] == [True]


def test_a_file_with_a_fault_has_its_warning():
    fault = next(fault for fault in FAULTS if fault.code == "forget bias low")
    at = opened(fault.plant("LSTM", 0, 24).weights)
    assert not at.exception
    assert any("6" in warning.value for warning in at.warning)


def test_the_layer_and_the_direction_of_a_file_are_chosen():
    at = opened(weights("GRU", layers=2), shown_layer="2")
    assert not at.exception
    assert "u_t" in Shown(at).symbols
    # A layer beyond the last one is the last one.
    assert not opened(weights("RNN"), shown_layer="16", shown_direction="backward").exception


def test_every_finding_has_a_sentence_and_every_warning_a_rule():
    assert set(ORDER) == set(RULES) <= set(SENTENCES)
    for fault in FAULTS:
        plant = fault.plant(fault.cells[0], 0, 8)
        for one in diagnose(network(plant.weights).stacks[0].layers, plant.xs).findings:
            assert "{" not in finding(one, one.symbol) + rule(one)
            assert bool(rule(one)) == (one.level == WARNING)
