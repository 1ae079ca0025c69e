"""A choice is said once: in its record, from which links, widgets and the README take it."""

from dataclasses import fields

from core.examples import EXAMPLES
from core.scenario import Scenario
from dashboard.choices import (
    CHOICES,
    DIALS,
    EXERCISES,
    FLAG,
    OF_LOOKS,
    OF_NUMBERS,
    SCALES,
    Number,
    OneOf,
    Word,
    is_allowed,
    table,
)
from tests.dashboard.page import PAGES, WITH_WIDGETS, dials, open_link, widgets
from tests.live import ROOT


def test_the_readme_has_the_table_of_all_parameters():
    assert table() in (ROOT / "README.md").read_text(encoding="utf-8"), (
        "PYTHONPATH=. python -m dashboard.choices prints it"
    )


def test_every_choice_that_numbers_follow_from_has_a_record_and_a_default_that_a_link_may_say():
    assert set(OF_NUMBERS) == {field.name for field in fields(Scenario)} - {"arrays"}
    assert set(OF_NUMBERS) <= CHOICES.keys() and not set(OF_NUMBERS) & OF_LOOKS.keys()
    defaults = {name: getattr(Scenario(), name) for name in OF_NUMBERS} | OF_LOOKS
    assert [name for name, value in defaults.items() if value is not None and not is_allowed(name, value)] == []


def test_every_widget_has_the_label_the_help_and_the_bounds_of_its_record():
    seen = set(DIALS)
    for page, link in WITH_WIDGETS.items():
        for name, widget in widgets(open_link(page, **link, large="true", take="true")).items():
            choice = CHOICES.get(name)
            if choice is None:
                continue
            seen.add(name)
            assert (widget.label, widget.help or None) == (choice.label, choice.help), name
            assert not choice.pages or page in choice.pages, name
            if isinstance(choice.rule, Number):
                high = choice.rule.high if name != "j" else Scenario().k  # there are only k units
                assert (widget.min, widget.max) == (choice.rule.low, high), name
            elif isinstance(choice.rule, OneOf) and choice.rule != FLAG:
                titles = {"kind": EXERCISES, "example": {option: made.title for option, made in EXAMPLES.items()}}
                shown = [titles.get(name, {}).get(option, option) for option in choice.rule.options]
                assert sorted(widget.options) == sorted(shown), name
            elif isinstance(choice.rule, Word):
                assert widget.max_chars == choice.rule.longest, name
    assert CHOICES.keys() - seen <= {"typed", "kept", "edit", "take"} | {
        name for name, choice in CHOICES.items() if not choice.label
    }


def test_every_dial_has_the_label_the_help_the_bounds_and_the_track_of_its_record():
    seen = set()
    for page, link in PAGES.items():
        for name, dial in dials(open_link(page, **link)).items():
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
    assert seen == set(DIALS)
