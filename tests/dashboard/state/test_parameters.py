"""A setting has one record, from which links and controls take its rule, label and help."""

from dataclasses import fields

from core.scenario import Scenario
from dashboard.state.parameters import (
    FLAG,
    PARAMETERS,
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
from dashboard.text.labels import LABELS, TOOLTIPS
from tests.dashboard.page import PAGES, WITH_WIDGETS, drawn_controls, open_link, sliders


def test_every_choice_that_numbers_follow_from_has_a_record_and_a_default_that_a_link_may_say():
    assert set(SCENARIO_PARAMS) == {field.name for field in fields(Scenario)} - {"arrays"}
    assert set(SCENARIO_PARAMS) <= PARAMETERS.keys() and not set(SCENARIO_PARAMS) & VIEW_PARAMS.keys()
    defaults = {name: getattr(Scenario(), name) for name in SCENARIO_PARAMS} | VIEW_PARAMS
    assert [name for name, value in defaults.items() if value is not None and not is_allowed(name, value)] == []


def test_a_label_belongs_to_a_parameter_and_a_tooltip_to_a_label():
    assert TOOLTIPS.keys() <= LABELS.keys() <= PARAMETERS.keys()


# The gradients page shows all cells, and this one in more detail.
OTHER_LABELS = {("gradients", "cell"): gradients.CELL}


def test_every_control_has_the_label_the_help_and_the_bounds_of_its_record():
    seen = set(SLIDERS)
    for page, link in [*WITH_WIDGETS.items(), ("practice", {"test": "7"})]:
        for name, control in drawn_controls(open_link(page, **link, large="true")).items():
            if name not in PARAMETERS or name in SLIDERS:
                continue
            parameter, rule = PARAMETERS[name], PARAMETERS[name].rule
            seen.add(name)
            assert control["label"] == OTHER_LABELS.get((page, name), parameter.label), name
            assert (control["help"] or "").startswith(parameter.help or ""), (
                name
            )  # before what the chosen initializer does
            assert not parameter.pages or page in parameter.pages, name
            if isinstance(rule, Number) and control["kind"] == "segments":
                assert all(rule.allows(option["value"]) for option in control["options"]), name
            elif isinstance(rule, Number):
                high = rule.high if name != "j" else Scenario().k  # there are only k units
                assert (control["smallest"], control["largest"], control["whole"]) == (rule.low, high, rule.whole), name
            elif rule == FLAG:
                assert control["kind"] == "toggle", name
            elif isinstance(rule, OneOf):
                values = {option["value"] for option in control["options"]} - {""}  # numbers that are not an example's
                # The stages of the diagram are the steps of its playback slider.
                assert values == set(STAGES if name == "stage" else rule.options), name
                assert all(option["label"] for option in control["options"]), name
            else:
                assert control["longest"] == rule.longest, name
    # `array` has a list of Streamlit's, in the editor. A direction is chosen only for a network that has two, and a first axis for a file.
    others = {
        "typed",
        "kept",
        "edit",
        "take",
        "array",
        "shown_direction",
        "shown_network",
        "first_axis",
        "nonlinearity",
    }
    assert PARAMETERS.keys() - seen <= others | {name for name, parameter in PARAMETERS.items() if not parameter.label}


def test_no_label_has_signs_that_only_markdown_would_take_away():
    assert [name for name, parameter in PARAMETERS.items() if set(parameter.label) & set("$*`\\")] == []


def test_every_dial_has_the_label_the_help_the_bounds_and_the_track_of_its_record():
    seen = set()
    for page, link in PAGES.items():
        for name, dial in sliders(open_link(page, **link)).items():
            parameter = PARAMETERS[name]
            seen.add(name)
            assert (dial["label"], dial["help"] or None) == (parameter.label, parameter.help), name
            assert not parameter.pages or page in parameter.pages, name
            if isinstance(parameter.rule, Number):
                assert (dial["smallest"], dial["largest"]) == (parameter.rule.low, parameter.rule.high), name
                assert dial["whole"] == parameter.rule.whole and dial["options"] is None, name
            else:
                assert tuple(dial["options"]) == parameter.rule.options, name
                assert (dial["smallest"], dial["largest"]) == (SCALES[0], SCALES[-1]), name
            assert parameter.rule.allows(dial["text"]) and parameter.rule.allows(dial["default"]), name
            assert (dial["low"], dial["step"]) == (parameter.slider_range.low, parameter.slider_range.step), name
            assert dial["high"] == (parameter.slider_range.high if name != "t" else len(Scenario().word)), name
    assert seen == set(SLIDERS)
