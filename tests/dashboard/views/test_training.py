"""The page of training: a recording of the reader's own setup, a story, and what is refused."""

import gc
import os
import re
import time
import weakref
from base64 import b64decode
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from unittest.mock import MagicMock
from urllib.parse import parse_qsl

import numpy as np
import pytest

from core.cells import CELLS
from core.exchange.array_files import read_arrays, to_npz, to_safetensors
from core.scenario import Scenario
from core.training import (
    EXPERIMENTS,
    OBSTACLE_OF,
    SATURATED,
    TASKS,
    TrainingSetup,
    arrays_at,
    changed,
    helped,
    params_at,
    saved_at,
    train,
    validation_set,
    verdict,
)
from dashboard.drawing.colours import GATE_COLOURS
from dashboard.server import training_cache, training_precompute
from dashboard.state.page_list import PAGES
from dashboard.text import training, training_findings, training_wait, words
from dashboard.text.option_names import OPTIONS
from dashboard.text.plural import fill
from tests.client import Session, ask, connect
from tests.core.test_training import CLAIMS
from tests.dashboard.page import Shown, drawn_controls, entries, followed, frames, open_link, query
from tests.live import DASHBOARD, PATIENCE, running
from tests.sentences import reason, says

STATE_SENTENCES, CAUSES = (training_findings.SENTENCES[topic] for topic in ("state", "cause"))
SMALL = {"story": "own", "units": "3", "length": "4", "updates": "6"}
RECIPE = TrainingSetup(k=3, T=4, updates=6)


@pytest.fixture(scope="module")
def recording():
    return train(RECIPE)


def test_a_setup_of_ones_own_is_trained_and_every_frame_can_be_dragged_to(recording):
    at = open_link("training", **SMALL)
    shown = Shown(at)
    (playback,) = [panel["playback"] for panel in shown.panels.values() if panel["playback"]]
    assert [step["label"] for step in playback["steps"]] == [f"{update} of 6" for update in recording.updates]
    np.testing.assert_allclose(entries(shown.block("W_f")), recording.weights["W_f"][-1])
    assert (playback["label"], playback["start"]) == (training.UPDATE, 0)  # it opens at the beginning
    assert any(text.value == training.CLOSING.format(saturated=SATURATED) for text in at.caption)


def test_what_each_loss_sends_back_is_drawn_for_every_frame(recording):
    for task in ("echo", "parity"):
        shown = Shown(open_link("training", **SMALL, task=task))
        made = train(replace(RECIPE, task=task))
        possible = np.arange(4) <= made.asked[:, None]
        for symbol, reached in {
            "∂L_t/∂h_s": made.gradient_reach["h_t"],
            "∂L_t/∂c_s": made.gradient_reach["c_t"],
        }.items():
            drawn = frames(shown.block(symbol))
            nothing = ~possible | (reached == 0)
            np.testing.assert_allclose(10 ** drawn[~nothing], reached[~nothing], rtol=1e-4)
            assert np.isnan(drawn[nothing]).all()
            assert shown.block(symbol)["scale"]["palette"] == "ink"  # amber is a gate


@pytest.mark.parametrize("cell", ["RNN", "LSTM", "GRU"])
def test_the_diagram_of_the_last_step_moves_with_the_recording(cell):
    made = train(replace(RECIPE, cell=cell, g="tanh"))
    shown = Shown(open_link("training", **SMALL, trained=cell, g="tanh"))
    ((drawn,),) = shown.panels[training.LAST_STEP]["rows"]
    blocks = {block["symbol"]: block for block in (shown.picture["blocks"][part["index"]] for part in drawn["parts"])}
    np.testing.assert_array_equal(frames(blocks["h_t"])[:, :, 0], made.last_step["h_t"])
    assert all(len(frames(block)) == len(made.updates) for block in blocks.values())
    assert not [node for node in drawn["nodes"] if node.get("name")]  # a gate has no equation to open here
    assert (training.WIRES_OF_GATES in shown.panels[training.LAST_STEP]["text"]) == (cell != "RNN")


@pytest.mark.parametrize(("task", "has_classes"), [("parity", True), ("sine", False)])
def test_right_answers_are_counted_where_there_are_classes(task, has_classes):
    shown = Shown(open_link("training", **SMALL, task=task))
    assert (training.ACCURACY in shown.panels) == has_classes
    (playback,) = [panel["playback"] for panel in shown.panels.values() if panel["playback"]]
    assert ("accuracy" in playback["steps"][0]["note"]) == has_classes


def charts(shown):
    return [item for panel in shown.panels.values() for row in panel["rows"] for item in row if item["kind"] == "chart"]


def test_axes_count_updates():
    shown = Shown(open_link("training", **SMALL | {"updates": "120"}))
    assert {(chart["x_label"], tuple(chart["x_range"])) for chart in charts(shown)} == {("updates", (0, 120))}


def test_the_axis_of_the_updates_names_the_one_of_several_trainings_that_a_chart_shows():
    shown = Shown(open_link("training", **SLOW, change="hardly-moves"))
    of_each = {training.LOSS, training.ACCURACY, training.GAIN}
    for title in (*of_each, training.RATIO, training.NORM, training.SATURATED):
        ((chart,),) = shown.panels[title]["rows"]
        named = training.UPDATES_OF.format(name=training.UNCHANGED)
        assert chart["x_label"] == (training.UPDATES if title in of_each else named)
        assert (training.UNCHANGED in shown.panels[title]["alt"].partition(":")[0]) == (title not in of_each)


@pytest.mark.parametrize("updates", [7, 60, 499])
def test_every_point_of_a_chart_stands_at_its_update(updates):
    shown, made = (
        Shown(open_link("training", **SMALL | {"updates": str(updates)})),
        train(replace(RECIPE, updates=updates)),
    )
    for chart in charts(shown):
        for places in (chart["steps"], *(line["places"] for line in chart["lines"])):
            np.testing.assert_array_equal(unpacked(places), made.updates)


@pytest.mark.slow
def test_a_training_that_overflows_has_its_last_point_at_the_last_update_that_was_made_before():
    shown, recordings = Shown(open_link("training", story="clip")), [train(setup) for setup in EXPERIMENTS["clip"]]
    loss = next(chart for chart in charts(shown) if len(chart["lines"]) == 3)
    assert [unpacked(line["places"])[-1] for line in loss["lines"]] == [made.updates[-1] for made in recordings]
    assert recordings[0].updates[-1] < 5 and loss["x_range"][1] == 600


def test_a_training_that_overflows_leaves_the_chart_at_the_top_and_hides_no_other_line():
    shown, recordings = Shown(open_link("training", story="clip")), [train(setup) for setup in EXPERIMENTS["clip"]]
    beyond = training.BEYOND.format(name=training.NOT_CLIPPED)
    for title, values in {
        training.LOSS: [np.log10(made.validation_loss) for made in recordings],
        training.GAIN: [made.gain for made in recordings],
    }.items():
        panel = shown.panels[title]
        ((chart,),) = panel["rows"]
        low, high = chart["y_range"]
        whole = np.concatenate(values[1:])
        assert low <= whole.min() and whole.max() <= high < values[0].max()
        assert high - low <= 2 * np.ptp([*whole, 0]) and beyond in panel["text"]
    alone = Shown(open_link("training", **SMALL, task="brackets", optimiser="SGD", clip="none", rate="3"))
    ((chart,),) = alone.panels[training.LOSS]["rows"]
    assert unpacked(chart["lines"][0]["values"]).max() <= chart["y_range"][1]
    assert not says(alone.panels[training.LOSS]["text"], training.BEYOND)


def test_every_line_of_a_chart_has_a_colour_of_its_own_and_the_bar_names_the_trainings():
    for cell in CELLS:
        shown = Shown(open_link("training", **SMALL, trained=cell))
        (trainings,) = shown.panels[""]["keys"]
        named = {line["label"]: line["colour"] for line in trainings["lines"]}
        for chart in charts(shown):
            colours = [line["colour"]["light"] for line in chart["lines"]]
            assert len({*colours}) == len(colours)
            # All other lines are named in their charts.
            assert chart["keyed"] == ({line["label"]: line["colour"] for line in chart["lines"]} == named)


@pytest.mark.slow
def test_the_key_of_the_marks_and_the_numbers_of_now_name_the_training_that_is_shown():
    shown = Shown(open_link("training", story="forget", watched="2", j="3"))
    assert shown.panels[training.CURVES]["note"] == training.marks(
        "forget bias 1", ["forget bias 0"], 3, saturates=True
    )
    assert shown.panels[""]["playback"]["steps"][0]["note"].startswith(
        training.NOW_OF_ONE.format(name="forget bias 1") + ": "
    )
    alone = Shown(open_link("training", **SMALL))
    assert alone.panels[training.CURVES]["note"] == training.marks("", [], 1, saturates=True)
    assert alone.panels[""]["playback"]["steps"][0]["note"].startswith("Now: ")


def test_a_gate_has_its_hue_in_every_chart_and_on_its_curve():
    shown = Shown(open_link("training", **SMALL))
    hues = {"f_t": "f_t", "W_f": "f_t", "i_t": "i_t", "W_c": "c_tilde", "c̃_t": "c_tilde", "o_t": "o_t", "W_o": "o_t"}
    lines = {line["label"]: line["colour"] for chart in charts(shown) for line in chart["lines"]}
    assert {name: lines[name] for name in hues} == {name: GATE_COLOURS[gate] for name, gate in hues.items()}
    (curves,) = shown.panels[training.CURVES]["rows"]
    assert [curve["y_label"] for curve in curves] == ["f_t = σ(z)", "i_t = σ(z)", "c̃_t = tanh(z)", "tanh(c_t)"]
    assert [curve["x_label"] for curve in curves] == ["z", "z", "z", "c_t"]
    assert [curve["colour"] for curve in curves[:2]] == [GATE_COLOURS["f_t"], GATE_COLOURS["i_t"]]


@pytest.mark.slow
def test_the_units_of_all_trainings_of_the_same_cell_are_on_the_curves_each_at_the_shown_update():
    first, second = (train(setup) for setup in EXPERIMENTS["forget"])
    shown = Shown(open_link("training", story="forget"))
    curve = shown.panels[training.CURVES]["rows"][0][0]
    (ring,) = curve["rings"]
    z = unpacked(ring["frames"]).reshape(len(first.updates), ring["units"], 2)[..., 0]
    np.testing.assert_allclose(z, second.last_step["z_f"], rtol=1e-6)
    (trainings,) = shown.panels[""]["keys"]
    assert [line["colour"] for line in trainings["lines"]] == [curve["colour"], ring["colour"]]


@pytest.mark.slow
@pytest.mark.parametrize(("story", "watched", "count"), [("clip", "2", 2), ("memory", "1", 1)])
def test_a_training_that_ended_early_keeps_its_last_units_and_another_cell_has_other_curves(story, watched, count):
    shown = Shown(open_link("training", story=story, watched=watched))
    for curve in shown.panels[training.CURVES]["rows"][0]:
        lengths = [len(unpacked(ring["frames"])) for ring in curve["rings"]]
        assert lengths == [len(unpacked(curve["frames"]))] * count


@pytest.mark.slow
def test_a_click_on_a_name_shows_the_panels_of_that_training():
    def names(shown):
        (trainings,) = shown.panels[""]["keys"]
        assert trainings["setting"] == "watched"
        return [(line["choice"], line["is_chosen"]) for line in trainings["lines"]]

    second = Shown(open_link("training", story="forget", watched="2"))
    assert names(second) == [("1", False), ("2", True)]
    np.testing.assert_allclose(entries(second.block("W_f")), train(EXPERIMENTS["forget"][1]).weights["W_f"][-1])
    result = fill(training.RESULT_OF_ONE, {"name": "forget bias 1", "last": 200, "text": ""})
    callout = second.panels[training.VERDICT]["callout"]
    assert result in callout and says(callout.partition(result)[2], training.COUNT, count=2)
    assert names(Shown(open_link("training", story="forget", watched="6"))) == names(second)  # there are two
    assert names(Shown(open_link("training", **SMALL))) == [(None, False)]


SLOW = SMALL | {"rate": "0.00001", "updates": "20"}
SLOW_RECIPE = replace(RECIPE, rate=1e-5, updates=20)


def test_a_finding_leads_to_the_panel_that_proves_it_and_offers_the_change_to_try():
    shown = Shown(open_link("training", **SLOW))
    (found,) = shown.panels[training.VERDICT]["findings"]
    assert found["text"] == training_findings.sentence(SLOW_RECIPE, verdict(train(SLOW_RECIPE)).of("cause")[0])
    assert found["proof"] == training.RATIO and found["proof"] in shown.panels
    assert (found["setting"], found["choice"], found["is_chosen"]) == ("change", "hardly-moves", False)
    assert not Shown(open_link("training", **SMALL | {"updates": "0"})).panels[training.VERDICT]["findings"]


def test_a_change_is_trained_beside_the_setup_and_can_be_kept():
    at = open_link("training", **SLOW, change="hardly-moves")
    shown, after = Shown(at), changed(SLOW_RECIPE, "hardly-moves")
    (trainings,) = shown.panels[""]["keys"]
    assert len(trainings["lines"]) == 2 and trainings["lines"][0]["is_chosen"]
    (found,) = shown.panels[training.VERDICT]["findings"]
    assert found["is_chosen"] and found["choice"] is None  # another click undoes it
    assert drawn_controls(at)["keep"]["label"] == training.KEEP.format(name=training.name_of({"rate": 0.01}))
    loss = next(chart for chart in charts(shown) if len(chart["lines"]) == 2)
    np.testing.assert_allclose(unpacked(loss["lines"][1]["values"]), train(after).validation_loss, rtol=1e-5)
    patch = drawn_controls(at)["keep"]["patch"]
    assert patch == {"rate": None, "change": None, "watched": None}  # to the default
    second = Shown(open_link("training", **SLOW, change="hardly-moves", watched="2"))
    np.testing.assert_allclose(entries(second.block("W_f")), train(after).weights["W_f"][-1])
    assert not [found for found in second.panels[training.VERDICT]["findings"] if found["label"]]


def test_the_result_of_a_try_comes_first():
    given = SMALL | {"length": "4", "units": "4", "rate": "0.00001", "updates": "80", "task": "echo"}
    own = replace(RECIPE, k=4, rate=1e-5, updates=80)
    shown = Shown(open_link("training", **given, change="hardly-moves"))
    before, after = train(own), train(changed(own, "hardly-moves"))
    assert verdict(after).state == "learned" and after.accuracy[-1] == 1
    result = training_findings.try_of(training.name_of({"rate": 0.01}), "learned", before, after)
    assert shown.panels[training.VERDICT]["callout"].startswith(result)
    assert not says(shown.panels[training.VERDICT]["callout"], training.KEEP)


def test_a_try_that_is_not_enough_leads_to_the_button_with_the_next_change():
    at = open_link("training", **SMALL | {"optimiser": "SGD", "clip_at": "0.001"}, change="clip-decides")
    name = training.name_of({"clip_at": 1.0})
    assert drawn_controls(at)["keep"]["label"] == training.KEEP.format(name=name)
    callout = Shown(at).panels[training.VERDICT]["callout"]
    state = verdict(train(changed(replace(RECIPE, optimiser="SGD", clip_at=0.001), "clip-decides"))).state
    assert state != "learned" and says(callout, training_findings.TRIES[state], name=name)


STUCK = {"task": "adding", "trained": "RNN", "g": "tanh", "updates": "60"}
STUCK_RECIPE = replace(RECIPE, task="adding", cell="RNN", updates=60)


@pytest.mark.parametrize(
    ("given", "result"),
    [
        ({"length": "12", "start_scale": "4"}, "no better"),
        ({"units": "4", "length": "6", "start_scale": "6"}, "better"),
        # Nothing else is found in the reader's own training.
        ({"length": "8", "start_scale": "4", "updates": "30"}, "no better"),
    ],
)
def test_a_try_names_the_buttons_to_click_next(given, result):
    shown = Shown(open_link("training", **SMALL | STUCK | given, change="saturated-at-start"))
    own = replace(
        STUCK_RECIPE,
        k=int(given.get("units", 3)),
        T=int(given["length"]),
        scale=float(given["start_scale"]),
        updates=int(given.get("updates", 60)),
    )
    after = changed(own, "saturated-at-start")
    assert helped(train(own), train(after)) == result
    of_own = [found["label"] for found in shown.panels[training.VERDICT]["findings"] if not found["is_chosen"]]
    if of_own and result == "no better":
        labels = of_own[:1]
    else:
        next_code = verdict(train(after)).of("cause")[0].code
        keep = training.KEEP.format(name=training.name_of({"scale": 1.0}))
        labels = [keep, training_findings.change(OBSTACLE_OF[next_code].change(after))]
    assert training_findings.next_clicks(labels) in shown.panels[training.VERDICT]["callout"]
    watched = Shown(open_link("training", **SMALL | STUCK | given, change="saturated-at-start", watched="2"))
    to_start = [] if len(labels) == 2 else [training.UNCHANGED]
    assert training_findings.next_clicks([*to_start, *labels]) in watched.panels[training.VERDICT]["callout"]


def test_no_click_is_advised_for_a_setup_that_has_learned():
    own = TrainingSetup(k=4, T=4, updates=80)
    made, after = train(own), train(changed(own, "overflow"))
    assert verdict(made).state == "learned" and helped(made, after) == "no better"
    given = SMALL | {"units": "4", "updates": "80", "change": "overflow"}
    callout = Shown(open_link("training", **given)).panels[training.VERDICT]["callout"]
    assert not says(callout, training_findings.NEXT)


@pytest.mark.slow
def test_a_change_that_did_not_help_says_so_and_the_next_one_is_offered_first():
    given = SMALL | STUCK | {"length": "12", "start_scale": "4"}
    own = replace(STUCK_RECIPE, T=12, scale=4.0)
    codes = [finding.code for finding in verdict(train(own)).of("cause")]
    assert codes == ["saturated-at-start", "vanishing"]
    first = Shown(open_link("training", **given)).panels[training.VERDICT]["findings"]
    tried = Shown(open_link("training", **given, change=codes[0])).panels[training.VERDICT]["findings"]
    assert first[0]["choice"] == codes[0] and not tried[0]["is_chosen"]
    assert tried[0]["choice"] == "saturated-at-start,vanishing"
    assert tried[-1]["is_chosen"] and tried[-1]["choice"] is None
    before, after = train(own), train(changed(own, codes[0]))
    assert helped(before, after) == "no better"
    numbers = training_findings.compared(before, after)
    assert tried[-1]["text"].endswith(f"{numbers}.") and words.in_sentence(after.validation_loss[-1], 3) in numbers
    both = Shown(open_link("training", **given, change=",".join(codes[:2])))
    assert len(both.panels[""]["keys"][0]["lines"]) == 3
    assert [found["is_chosen"] for found in both.panels[training.VERDICT]["findings"]][-2:] == [True, True]


def test_a_training_with_another_activation_has_no_units_on_the_curve():
    given = SMALL | {"trained": "RNN", "g": "sigmoid", "length": "20"}
    shown = Shown(open_link("training", **given, change="hardly-moves,flat-activation"))
    assert len(shown.panels[""]["keys"][0]["lines"]) == 3
    assert [len(curve["rings"]) for curve in shown.panels[training.CURVES]["rows"][0]] == [1]


@pytest.mark.parametrize(("g", "symbol"), [("tanh", ""), ("relu", "ReLU")])
def test_the_units_of_relu_are_inactive_and_not_saturated(g, symbol):
    panels = Shown(open_link("training", **SMALL, trained="RNN", g=g)).panels
    assert panels[training.CURVES]["note"] == training.marks("", [], 1, saturates=not symbol)
    panel = panels[training.SATURATED]
    assert panel["text"] == (training.INACTIVE_TEXT.format(g=symbol) if symbol else training.SATURATED_TEXT)
    ((chart,),) = panel["rows"]
    assert chart["y_label"] == (training.INACTIVE_Y if symbol else training.SATURATED_Y)


def test_a_change_of_the_setup_removes_what_was_tried_on_another_one():
    shown = drawn_controls(open_link("training", **SLOW, change="hardly-moves"))
    names = {*shown} - {"story", "keep", "decimals", "view", "open take", "j"}
    assert {"task", "trained", "rate", "updates", "start_scale"} <= names
    assert all(shown[name]["clears"] == ["change", "watched"] for name in names)


def test_the_activation_is_chosen_where_the_cell_has_one_and_the_forget_bias_where_it_has_the_gate():
    for cell, has in {"RNN": {"g"}, "LSTM": {"start_bias"}, "GRU": set()}.items():
        shown = drawn_controls(open_link("training", **SMALL, trained=cell))
        assert {"g", "start_bias"} & {*shown} == has


def test_an_rnn_is_chosen_with_tanh():
    options = {one["value"]: one for one in drawn_controls(open_link("training", **SMALL))["trained"]["options"]}
    assert options["RNN"]["patch"] == {"trained": "RNN", "g": "tanh", "change": None, "watched": None}
    assert all("patch" not in options[cell] for cell in ("LSTM", "GRU"))


def test_a_change_to_another_cell_is_kept_and_shown_as_that_cell():
    given = {"story": "own", "task": "adding", "trained": "RNN", "units": "4", "length": "6", "updates": "3"}
    at = open_link("training", **given, change="vanishing", watched="2")
    shown, patch = Shown(at), drawn_controls(at)["keep"]["patch"]
    assert shown.block("W_u") is not None
    assert patch["trained"] == "GRU" and patch["start_scale"] == "2"


def test_keeping_a_change_makes_the_changed_setup_the_readers_own():
    given = SLOW | {"updates": "1", "clip_at": "0.5", "start": "normal", "start_scale": "2", "start_bias": "-6"}
    before = replace(SLOW_RECIPE, updates=1, clip_at=0.5, init="normal", scale=2.0, forget_bias=-6.0)
    for code, obstacle in OBSTACLE_OF.items():
        patch = drawn_controls(open_link("training", **given, change=code))["keep"]["patch"]
        own = {name: text for name, text in (given | patch).items() if text}
        shown, setup = Shown(open_link("training", **own)), changed(before, code)
        np.testing.assert_allclose(entries(shown.block("W_f")), train(setup).weights["W_f"][-1], err_msg=code)
        assert obstacle.proof in training_findings.PROOFS


@pytest.mark.slow
def test_a_change_belongs_to_the_readers_own_training_alone():
    shown = Shown(open_link("training", story="forget", change="hardly-moves"))
    assert len(shown.panels[""]["keys"][0]["lines"]) == 2
    assert not shown.panels[training.VERDICT]["findings"]


@pytest.mark.parametrize(
    "story",
    [pytest.param(name, marks=() if name in ("own", "forget") else pytest.mark.slow) for name in training.EXPERIMENTS],
)
def test_every_experiment_is_a_question_on_a_card_and_the_first_line_says_what_is_compared(story):
    text = training.experiment(story)
    at = open_link("training", **SMALL | {"story": story})
    assert text.setup and at.markdown[0].value == f"# Training\n{text.setup}"
    cards = {card["value"]: card["label"] for card in drawn_controls(at)["story"]["options"]}
    assert cards[story] == text.question and (story == "own" or text.question.endswith("?"))
    assert (Shown(at).panels[training.WHY]["text"] if text.answer else "") == text.answer


def test_an_answer_says_what_is_seen_why_and_what_to_change_and_its_claims_are_tested():
    answers = {story: training.experiment(story).answer for story in EXPERIMENTS}
    told = {story: answer for story, answer in answers.items() if answer}
    assert told.keys() == CLAIMS.keys() == training.EXPERIMENTS.keys() - {"own"}
    for answer in told.values():
        assert len(re.findall(r"[.](?: |$)", answer)) == 3


@pytest.mark.parametrize(
    "task, rows",
    [("echo", ("row 1 means −1", "row 2 means 1")), ("parity", ("even (row 1 of the map “target”)", "odd (row 2)"))],
)
def test_the_text_names_the_rows_of_the_target(task, rows):
    for row in rows:
        assert row in training.sequence(task)
    batch = validation_set(replace(RECIPE, task=task))
    ones = (batch.xs[:, 0] > 0).cumsum(axis=0)
    row = ones[0] if task == "echo" else ones % 2
    asked = batch.weights > 0
    np.testing.assert_array_equal(batch.targets.argmax(axis=1)[asked], np.broadcast_to(row, ones.shape)[asked])


@pytest.mark.parametrize("task", TASKS)
def test_the_sequence_is_drawn_with_a_target_where_one_is_asked(task):
    shown, batch = Shown(open_link("training", **SMALL, task=task)), validation_set(replace(RECIPE, task=task))
    np.testing.assert_allclose(entries(shown.block("x_t")), batch.xs[..., 0].T)
    targets = entries(shown.block(training.TARGET))
    assert np.isnan(targets[:, batch.weights == 0]).all()
    np.testing.assert_allclose(targets[:, batch.weights > 0], batch.targets[batch.weights > 0, :, 0].T)


def test_the_options_of_a_training_setup_have_words():
    shown = drawn_controls(open_link("training", **SMALL))
    for name in ("task", "start", "clip"):
        options = shown[name]["options"]
        assert shown[name]["kind"] == "select" and len(options) > 2
        labels = {option["value"]: option["label"] for option in options}
        assert labels == {value: OPTIONS[name].get(value, value) for value in labels}
        assert len(OPTIONS[name]) > 2 and not any(label[0].islower() for label in OPTIONS[name].values())


def unpacked(text):
    return np.frombuffer(b64decode(text), np.float32)


def test_the_weights_of_any_frame_are_saved_and_opened_again(recording):
    for save in (to_npz, to_safetensors):
        ending = {to_npz: "npz", to_safetensors: "safetensors"}[save]
        opened = read_arrays(f"trained.{ending}", save(saved_at(recording, 3)))
        scenario = Scenario(n=3, k=3, p=2, m=2).with_arrays(opened)
        params, _ = scenario.params_and_initial_state("LSTM")
        np.testing.assert_array_equal(params.W_f, recording.weights["W_f"][3])
        np.testing.assert_array_equal(scenario.array("W_y"), recording.weights["W_y"][3])
    labels = [button.label for button in open_link("training", **SMALL).get("download_button")]
    assert {training.SAVE.format(ending=ending) for ending in ("npz", "safetensors")} <= {*labels}


def test_a_training_that_is_stopped_before_its_first_update_shows_the_cell_as_it_started(none_kept):
    at = open_link("training", **SMALL)
    (setup,) = training_cache.RECORDINGS._recordings
    at.session_state.stopped_at = {replace(setup, seed=1): 0}
    assert not at.run().info
    at.session_state.stopped_at = {setup: 0}
    training_cache.RECORDINGS._recordings.clear()
    at.run()
    assert at.info[0].value == training_wait.STOPPED_WITHOUT_UPDATES
    Shown(at).assert_finite()
    assert last_update(at) == training.NOT_TRAINED.format(update=0)
    continue_training(at)
    assert not at.info and last_update(at) == training.OF_ALL.format(update=6, updates=6)


class Stopped(Exception):
    """The error that ends the wait of a reader who stops a training."""


def stop(setup, made):
    """Train for some updates, then leave."""

    def tell(now, total, before):
        if now >= made:
            raise Stopped

    with pytest.raises(Stopped):
        training_cache.TRAININGS.recording(setup, "reader", tell)
    return training_cache.stop(setup)


def continue_training(at):
    next(button for button in at.button if button.label == training_wait.TRAIN).click().run()


def test_a_training_that_is_stopped_keeps_its_updates_and_goes_on_from_there(none_kept, monkeypatch):
    monkeypatch.setattr(training_cache, "POLL_INTERVAL", 0.001)
    at = open_link("training", **SMALL)
    (usual,) = training_cache.RECORDINGS._recordings
    given = {"updates": "2000", "trained": "GRU", "rate": "0.00001"}
    setup = replace(usual, updates=2000, cell="GRU", rate=1e-5)
    made = stop(setup, 3)
    assert 3 <= made < 2000
    at.session_state.stopped_at = {setup: made}
    at.query_params.update(given)
    shown = Shown(at.run())
    assert at.info[0].value == training_wait.STOPPED.format(made=made, total=2000)
    assert last_update(at) == training.OF_ALL.format(update=made, updates=2000)
    callout = shown.panels[training.VERDICT]["callout"]
    assert says(callout, training.RESULT_SO_FAR, last=made, updates=2000, open=training.OPEN)
    found = shown.panels[training.VERDICT]["findings"]
    short = [CAUSES[code] for code in ("few-updates", "still-falling", "constant", "plateau")]
    assert found and not [one for one in found if any(says(one["text"], sentence) for sentence in short)]
    continue_training(at)
    assert not at.info and last_update(at) == training.OF_ALL.format(update=2000, updates=2000)
    weights = train(setup).weights["W_u"][-1]
    np.testing.assert_array_equal(training_cache.kept(setup).weights["W_u"][-1], weights)


def last_update(at):
    (playback,) = [panel["playback"] for panel in Shown(at).panels.values() if panel["playback"]]
    return playback["steps"][-1]["label"]


@pytest.mark.parametrize("cell", ["RNN", "GRU"])
def test_every_cell_can_be_trained(cell):
    at = open_link("training", **SMALL, trained=cell, task="parity", clip="value", optimiser="SGD")
    Shown(at).assert_finite()
    assert training.BY_HAND in Shown(at).panels


@pytest.mark.parametrize("refused", [{"rate": "1e300"}, {"updates": "1000000000"}, {"units": "33"}, {"task": "x"}])
def test_a_hostile_setup_is_refused_in_one_line(refused):
    at = open_link("training", **SMALL | refused)
    assert len(at.warning) == 1 and not at.exception


def test_too_much_work_is_refused_in_one_line():
    at = open_link("training", **SMALL | {"length": "100", "updates": "5000", "story": "own"})
    refused = reason(replace, RECIPE, T=100, updates=5000)
    assert [said.value for said in at.error] == [refused]
    assert f"{5000 * RECIPE.batch * 100}" in at.error[0].value
    assert not at.exception
    # The result of another setup below these settings would be taken for theirs.
    assert not [found for found in at.get("bidi_component") if found.proto.component_name == "cellscope_picture"]


@pytest.mark.parametrize(
    ("updates", "length", "most_updates", "most_length"),
    [("6", "4", 5000, 100), ("6", "100", 625, 100), ("3000", "4", 5000, 20), ("5000", "100", 625, 12)],
)
def test_a_field_takes_no_more_than_the_other_one_leaves_room_for(updates, length, most_updates, most_length):
    # With this rate the numbers overflow after few updates.
    given = SMALL | {
        "trained": "RNN",
        "g": "relu",
        "clip": "none",
        "optimiser": "SGD",
        "rate": "10",
        "task": "brackets",
    }
    shown = drawn_controls(open_link("training", **given | {"updates": updates, "length": length}))
    assert (shown["updates"]["largest"], shown["length"]["largest"]) == (most_updates, most_length)
    told = training_wait.LIMITS["updates"].format(other=length), training_wait.LIMITS["length"].format(other=updates)
    is_limited = most_updates < 5000, most_length < 100
    assert (shown["updates"]["limit"], shown["length"]["limit"]) == tuple(
        text if limited else "" for text, limited in zip(told, is_limited)
    )


def test_a_training_that_overflows_says_when_and_why():
    at = open_link("training", story="clip")
    text = Shown(at).panels[next(title for title in Shown(at).panels if title.startswith("Loss"))]["text"]
    assert any(says(text, sentence) for sentence in training.STOPPED_BY.values())
    callout = Shown(at).panels[training.VERDICT]["callout"]
    (without,) = (each for each in EXPERIMENTS["clip"] if each.clip == "none")
    diverged = STATE_SENTENCES["overflowed"].format(stopped_at=train(without).updates_made + 1)
    assert training.STOPPED_ONE.format(name="no clipping", text=diverged) in callout
    assert set(EXPERIMENTS) < {option["value"] for option in drawn_controls(at)["story"]["options"]}


def test_a_training_that_overflows_at_once_is_still_drawn():
    hostile = {"trained": "RNN", "start": "normal", "start_scale": "10", "length": "100", "units": "32", "g": "relu"}
    at = open_link(
        "training", story="own", task="brackets", optimiser="SGD", clip="none", rate="10", updates="20", **hostile
    )
    loss = Shown(at).panels[training.LOSS]["text"]
    assert any(says(loss, sentence, update=1) for sentence in training.STOPPED_BY.values())
    assert last_update(at) == training.OF_STOPPED.format(update=0, updates=20, at=1)
    verdict_panel = Shown(at).panels[training.VERDICT]
    assert verdict_panel["callout"] == STATE_SENTENCES["overflowed-at-first"]
    assert verdict_panel["findings"][0]["text"] == CAUSES["overflow-at-once"].format(scale=10)


def test_a_training_that_overflows_later_says_at_which_update_and_how_many_were_to_be_made():
    given = {"task": "brackets", "optimiser": "SGD", "clip": "none", "rate": "3", "updates": "50"}
    at = open_link("training", **SMALL | given)
    made = train(replace(RECIPE, task="brackets", optimiser="SGD", clip="none", rate=3.0, updates=50))
    assert made.stopped and made.updates_made > 0
    stopped_at = made.updates_made + 1
    assert last_update(at) == training.OF_STOPPED.format(update=made.updates[-1], updates=50, at=stopped_at)
    shown = Shown(at).panels[training.VERDICT]
    assert STATE_SENTENCES["overflowed"].format(stopped_at=stopped_at) in shown["callout"]
    assert shown["findings"][0]["text"] == CAUSES["overflow"].format(stopped_at=stopped_at, rate=3)


@pytest.mark.parametrize(("updates", "clipped"), [("0", "0 of 0"), ("1", "1 of 1")])
def test_the_clipped_gradients_are_counted_and_a_tiny_threshold_is_written_out(updates, clipped):
    at = open_link("training", **SMALL | {"updates": updates, "clip_at": "0.000001"})
    exactly = Shown(at).panels[training.NORM]["exactly"]
    cut, made = clipped.split(" of ")
    assert says(exactly, training_findings.SENTENCES["clip"]["norm"], at="0.000001", cut=cut, made=made)


def test_a_norm_that_is_too_small_for_a_recording_is_not_called_0():
    at = open_link("training", **SMALL | {"length": "100"}, task="echo", trained="RNN", g="sigmoid")
    exactly = Shown(at).panels[training.REACHED]["exactly"]
    assert training.NORM_OF.format(derivative="∂L_t/∂h_s", norm=training.TINY_NORM) in exactly


@pytest.mark.slow
def test_the_link_beside_the_memory_experiment_opens_a_cell_that_has_learned():
    (link,) = [link.proto for link in open_link("training", story="memory").get("page_link") if link.proto.query_string]
    choices = dict(parse_qsl(link.query_string))
    at = open_link("training", **choices)
    assert verdict(train(replace(EXPERIMENTS["memory"][3], seed=3))).state == "learned"
    result = fill(training.RESULT, {"last": 250, "text": STATE_SENTENCES["learned"]})
    assert says(Shown(at).panels[training.VERDICT]["callout"], result)


def test_what_the_panels_say_of_a_training_are_its_numbers():
    for task, cell, optimiser in (("text", "LSTM", "SGD"), ("echo", "GRU", "Adam"), ("parity", "RNN", "SGD")):
        made = train(replace(RECIPE, task=task, cell=cell, optimiser=optimiser))
        panels = Shown(open_link("training", **SMALL, task=task, trained=cell, optimiser=optimiser, g="tanh")).panels
        reached = panels[training.REACHED]["exactly"].split("After update 6, ")[1]
        expected = [
            made.gradient_reach["h_t"][-1, -1, -1],
            *(lengths[-1, -1, 0] for lengths in made.gradient_reach.values()),
        ]
        assert [float(text) for text in re.findall(r"‖ is ([\d.e]+\d)", reached.replace("−", "-"))] == pytest.approx(
            expected, abs=6e-4
        )
        classes = np.einsum("tpb->p", validation_set(made.setup).targets * made_weights(made)) / 64
        about = training.ACCURACY_TEXT.format(most_frequent=words.percentage(classes.max()))
        assert panels[training.ACCURACY]["text"] == about
        said = [
            name for name in training.OPTIMISERS if says(panels[training.RATIO]["exactly"], training.OPTIMISERS[name])
        ]
        assert said == [optimiser]


def made_weights(made):
    return validation_set(made.setup).weights[:, None, None]


@pytest.fixture
def none_kept(monkeypatch):
    monkeypatch.setattr(training_cache, "RECORDINGS", training_cache.RecordingCache(training_cache.MOST_KEPT))
    monkeypatch.setattr(training_cache, "TRAININGS", training_cache.SharedTrainings(training_cache.RECORDINGS))


def test_the_recordings_of_the_stories_are_made_ahead_in_a_process_that_ends_with_its_server(monkeypatch, none_kept):
    monkeypatch.setattr(training_cache, "EXPERIMENT_SETUPS", [RECIPE])
    monkeypatch.setattr(training_precompute, "EXPERIMENTS", {"scale": (RECIPE,)})
    out, orphans = BytesIO(), BytesIO()
    training_precompute.make(out, os.getppid())
    with pytest.raises(SystemExit):
        training_precompute.make(orphans, -1)
    assert not orphans.getvalue()

    process = MagicMock()
    process.__enter__().stdout = BytesIO(out.getvalue())
    process.__exit__.return_value = None
    monkeypatch.setattr(training_cache.subprocess, "Popen", lambda *command, **options: process)
    training_cache._take_in()
    np.testing.assert_array_equal(training_cache.kept(RECIPE).norms, train(RECIPE).norms)
    training_cache._take_in()  # the output has ended: nothing is kept, nothing raised


@pytest.mark.slow
def test_a_server_opens_every_story_at_once_when_it_has_had_time():
    with running(DASHBOARD) as server:
        children = Path(f"/proc/{server.pid}/task")
        until = time.monotonic() + 10 * PATIENCE
        while any(task.read_text().strip() for task in children.glob("*/children")) and time.monotonic() < until:
            time.sleep(0.2)
        for story in EXPERIMENTS:
            answers = ask(open_story(server, story))
            assert not [answer for answer in answers if answer.delta.new_element.HasField("progress")]


async def open_story(server, story):
    async with connect(server) as socket:
        return await Session(socket, "training", f"story={story}").rerun()


def taken(**choices):
    """The page from which a trained cell was taken, with choices that the reader had made before."""
    at = open_link("training", **SMALL | choices)
    return take(at)


def take(at):
    """Take the cell to the other pages."""
    next(button for button in at.button if button.label == training.TAKE).click().run()
    return followed(at)


def test_the_trained_cell_becomes_the_readers_own_numbers_on_all_pages(recording):
    at = taken()
    at.switch_page("views/lstm.py").run()
    assert not at.exception
    shown = Shown(at)
    np.testing.assert_allclose(entries(shown.block("W_f")), params_at(recording, -1).W_f)
    for symbol in ("f_t", "i_t", "o_t", "c_t", "h_t"):
        np.testing.assert_allclose(entries(shown.block(symbol))[:, 0], recording.symbols[symbol][-1, 1], rtol=1e-5)
    np.testing.assert_allclose(entries(shown.block("c_{t−1}"))[:, 0], recording.symbols["c_t"][-1, 0], rtol=1e-5)


@pytest.mark.parametrize("cell", ["RNN", "LSTM", "GRU"])
def test_a_taken_cell_goes_through_its_own_sequence(cell):
    made = train(replace(RECIPE, cell=cell, task="sine"))
    at = taken(trained=cell, task="sine", g="tanh")
    at.switch_page(PAGES["sequence"].script).run()
    assert not at.exception
    np.testing.assert_allclose(entries(Shown(at).block("h_t")).T, made.symbols["h_t"][-1, 1:], rtol=1e-5)


def test_what_would_hide_or_change_a_taken_cell_is_turned_off(recording):
    at = taken(w_f="7", w_i="7", stochastic="true", g="tanh", layers="2", directions="two")
    assert not {"layers", "directions"} & query(at).keys()
    at.switch_page("views/lstm.py").run()
    np.testing.assert_allclose(entries(Shown(at).block("W_f")), params_at(recording, -1).W_f)
    np.testing.assert_allclose(entries(Shown(at).block("i_t"))[:, 0], recording.symbols["i_t"][-1, 1], rtol=1e-5)


def test_a_cell_taken_from_an_experiment_keeps_its_activation():
    at = open_link("training", story="clip", watched="2")
    made = train(EXPERIMENTS["clip"][1])
    at.selectbox(key="frame").set_value(int(made.updates[-1])).run()
    take(at).switch_page("views/hidden_state.py").run()
    np.testing.assert_allclose(entries(Shown(at).block("h_t"))[:, 0], made.symbols["h_t"][-1, 1], rtol=1e-4)


def test_the_cell_on_screen_is_taken_also_if_its_recording_is_no_longer_kept(recording, none_kept, monkeypatch):
    at = open_link("training", **SMALL)
    at.selectbox(key="frame").set_value(int(recording.updates[2])).run()
    training_cache.RECORDINGS._recordings.clear()
    monkeypatch.setattr(training_cache, "TrainingRun", MagicMock(side_effect=AssertionError("nothing may be trained")))
    next(button for button in at.button if button.label == training.TAKE).click().run()
    # The page itself fails now, and the browser goes to another one with what it was sent.
    _, (patch,) = at.session_state.patches
    at.query_params.update({name: text for name, text in patch["changes"].items() if text is not None})
    at.switch_page("views/lstm.py").run()
    np.testing.assert_allclose(entries(Shown(at).block("W_f")), params_at(recording, 2).W_f)


def test_a_session_keeps_no_recording_that_the_server_has_let_go(none_kept):
    at = open_link("training", **SMALL)
    (recording,) = training_cache.RECORDINGS._recordings.values()
    of_recording = [weakref.ref(array) for array in recording.symbols.values()]
    del recording
    training_cache.RECORDINGS._recordings.clear()
    gc.collect()
    assert of_recording and not any(array() is not None for array in of_recording)
    assert [button for button in at.button if button.label == training.TAKE]


@pytest.mark.parametrize("cell", ["RNN", "LSTM", "GRU"])
def test_the_arrays_at_a_frame_are_those_that_a_scenario_holds(cell):
    made = train(TrainingSetup(cell=cell, k=3, T=4, updates=2))
    arrays = arrays_at(made, -1)
    size = made.xs.shape[1]
    params, _ = Scenario(m=size, n=3, k=3, cell=cell, arrays=arrays, scale=1.0).params_and_initial_state(cell)
    for name, values in vars(params_at(made, -1)).items():
        if isinstance(values, np.ndarray):
            np.testing.assert_array_equal(getattr(params, name), values)
    for name, (z, g) in CELLS[cell].activated(params_at(made, -1)).items():
        if name in made.symbols:
            np.testing.assert_allclose(g.f(made.last_step[z]), made.symbols[name][:, -1], rtol=1e-5, atol=1e-6)


def test_each_map_of_gates_and_states_has_a_legend():
    shown = Shown(open_link("training", **SMALL))
    maps = shown.panels[training.MAPS]
    blocks = [shown.picture["blocks"][item["index"]] for row in maps["rows"] for item in row]
    assert len(blocks) >= 2 and all(block["scale"]["label"] for block in blocks)
