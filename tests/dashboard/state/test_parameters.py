"""A setting has one record, from which links and controls take its rule, label and help."""

from dataclasses import fields

from core.scenario import Scenario
from dashboard.state.parameters import (
    CHOICES,
    FLAG,
    SCALES,
    SCENARIO_PARAMS,
    SLIDERS,
    STAGES,
    VIEW_PARAMS,
    Number,
    OneOf,
    is_allowed,
)
from dashboard.text import gradients
from tests.dashboard.page import PAGES, WITH_WIDGETS, drawn_controls, open_link, sliders


def test_every_choice_that_numbers_follow_from_has_a_record_and_a_default_that_a_link_may_say():
    assert set(SCENARIO_PARAMS) == {field.name for field in fields(Scenario)} - {"arrays"}
    assert set(SCENARIO_PARAMS) <= CHOICES.keys() and not set(SCENARIO_PARAMS) & VIEW_PARAMS.keys()
    defaults = {name: getattr(Scenario(), name) for name in SCENARIO_PARAMS} | VIEW_PARAMS
    assert [name for name, value in defaults.items() if value is not None and not is_allowed(name, value)] == []


# The gradients page shows all cells, and this one in more detail.
OTHER_LABELS = {("gradients", "cell"): gradients.CELL}


def test_every_control_has_the_label_the_help_and_the_bounds_of_its_record():
    seen = set(SLIDERS)
    for page, link in [*WITH_WIDGETS.items(), ("practice", {"test": "7"})]:
        for name, control in drawn_controls(open_link(page, **link, large="true")).items():
            if name not in CHOICES or name in SLIDERS:
                continue
            choice, rule = CHOICES[name], CHOICES[name].rule
            seen.add(name)
            assert control["label"] == OTHER_LABELS.get((page, name), choice.label), name
            assert (control["help"] or "").startswith(choice.help or ""), (
                name
            )  # before what the chosen initializer does
            assert not choice.pages or page in choice.pages, name
            if isinstance(rule, Number) and control["kind"] == "segments":
                assert all(rule.allows(option["value"]) for option in control["options"]), name
            elif isinstance(rule, Number):
                high = rule.high if name != "j" else Scenario().k  # there are only k units
                assert (control["smallest"], control["largest"], control["whole"]) == (rule.low, high, rule.whole), name
            elif rule == FLAG:
                assert control["kind"] == "toggle", name
            elif isinstance(rule, OneOf):
                values = {option["value"] for option in control["options"]}
                # The stages of the diagram are the steps of its playback slider.
                assert values == set(STAGES if name == "stage" else rule.options), name
                assert all(option["label"] for option in control["options"]), name
            else:
                assert control["longest"] == rule.longest, name
    # `array` has a list of Streamlit's, in the editor. A direction is chosen only for a network that has two, and a first axis for a file.
    others = {"typed", "kept", "edit", "take", "array", "shown_direction", "shown_network", "first_axis"}
    assert CHOICES.keys() - seen <= others | {name for name, choice in CHOICES.items() if not choice.label}


def test_no_label_has_signs_that_only_markdown_would_take_away():
    assert [name for name, choice in CHOICES.items() if set(choice.label) & set("$*`\\")] == []


def test_every_dial_has_the_label_the_help_the_bounds_and_the_track_of_its_record():
    seen = set()
    for page, link in PAGES.items():
        for name, dial in sliders(open_link(page, **link)).items():
            choice = CHOICES[name]
            seen.add(name)
            assert (dial["label"], dial["help"] or None) == (choice.label, choice.help), name
            assert not choice.pages or page in choice.pages, name
            if isinstance(choice.rule, Number):
                assert (dial["smallest"], dial["largest"]) == (choice.rule.low, choice.rule.high), name
                assert dial["whole"] == choice.rule.whole and dial["options"] is None, name
            else:
                assert tuple(dial["options"]) == choice.rule.options, name
                assert (dial["smallest"], dial["largest"]) == (SCALES[0], SCALES[-1]), name
            assert choice.rule.allows(dial["text"]) and choice.rule.allows(dial["default"]), name
            assert (dial["low"], dial["step"]) == (choice.track.low, choice.track.step), name
            assert dial["high"] == (choice.track.high if name != "t" else len(Scenario().word)), name
    assert seen == set(SLIDERS)
