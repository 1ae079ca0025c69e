"""The state of a page and the query of its URL are each other's inverse, and a picture follows from the state alone."""

import ast
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from importlib import import_module
from math import copysign
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

import hypothesis.strategies as st
import numpy as np
import pytest
import streamlit
from hypothesis import HealthCheck, given, settings
from numpy.testing import assert_array_equal
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.arrays import Array
from core.examples import EXAMPLES, first_of
from core.scenario import Scenario
from dashboard.controls.live_picture import draw, selected_unit
from dashboard.state import custom_arrays
from dashboard.state.custom_arrays import MOST_IN_LINK, NAMES
from dashboard.state.page_list import PAGES
from dashboard.state.parameters import (
    FLAG,
    FROZEN_PARAMS,
    PARAMETERS,
    SCALES,
    SCENARIO_PARAMS,
    VALUE_RULES,
    VIEW_PARAMS,
    Answers,
    Draft,
    Number,
    OneOf,
    Sizes,
    Word,
)
from dashboard.state.parameters.rules import SomeOf
from dashboard.state.state import DEFAULTS, SETTINGS_PARAMS, Settings, State, parse, patch_of, to_query
from tests.dashboard.hostile import lists_of, texts
from tests.live import ROOT

VIEWS = {path: import_module(page.module) for path, page in PAGES.items()}
# Those that draw one picture of a cell, which follows the sliders.
LIVE = {path: VIEWS[path] for path in ("", "lstm", "gru", "saturation", "sequence", "gradients")}
# Sizes and steps that are small enough for many pictures.
SMALL = dict.fromkeys(("m", "n", "k", "T"), 5) | {"units": 4, "length": 4, "updates": 4}


# ---- any state -----------------------------------------------------------------------------------

words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.just(" "), min_size=1, max_size=32)
answers = st.lists(st.text("0123456789.,-() ", max_size=24), min_size=10, max_size=10).map(Answers.between.join)
drafts = answers.map(f"0123abcd{Answers.between}{{}}".format)
sizes = st.lists(st.integers(1, 10**6).map(str), min_size=2, max_size=2).map(",".join)


def values(name: str, most: dict[str, int]) -> st.SearchStrategy[Any]:
    """What a setting may be.

    Parameters
    ----------
    name : str
    most : dict from str to int
        Other ends for some of the settings.
    """
    rule = VALUE_RULES[name]
    if name == "scale":
        found = st.sampled_from(SCALES)
    elif rule == FLAG:
        found = st.booleans()
    elif isinstance(rule, OneOf):
        found = st.sampled_from(rule.options)
    elif isinstance(rule, SomeOf):
        found = lists_of(rule)
    elif isinstance(rule, Number):
        high = most.get(name, rule.high)
        found = (
            st.integers(int(rule.low), int(high))
            if rule.whole
            else st.floats(rule.low, high).map(lambda value: value + 0.0)
        )
    else:
        found = {Word: words, Sizes: sizes, Answers: answers, Draft: drafts}[type(rule)]
    if name in SCENARIO_PARAMS:  # often as in one of the examples: what is said and what is left out may be mixed up
        return found | st.sampled_from([getattr(example.scenario, name) for example in EXAMPLES.values()])
    return found | st.none() if PARAMETERS[name].default is None else found


@st.composite
def some_of(draw, names: tuple[str, ...], most: dict[str, int]) -> dict[str, Any]:
    """Values of some of the settings, or of all."""
    chosen = draw(st.sets(st.sampled_from(names), max_size=8) | st.just(set(names)))
    return {name: draw(values(name, most)) for name in sorted(chosen)}


@st.composite
def arrays(draw, scenario: Scenario, *, large: bool) -> dict[str, Array]:
    """Arrays of the reader's own, most of which fit a scenario; and large ones that no URL carries."""
    shapes = {**scenario.shapes(), "xs": (3, scenario.m)}
    made = {}
    for name in sorted(draw(st.sets(st.sampled_from(NAMES), max_size=3))):
        rows, columns = shapes[name] if draw(st.booleans()) else draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
        if large and draw(st.booleans()):
            rows = MOST_IN_LINK + 1
        if rows * columns > MOST_IN_LINK // 4:
            made[name] = np.arange(rows * columns).reshape(rows, columns) / 8 if large else np.ones((1, 1))
        else:
            entries = st.integers(-9, 9) | st.floats(-1e9, 1e9)
            made[name] = np.array([[float(draw(entries)) for _ in range(columns)] for _ in range(rows)])
    return made


def stated(page: str, example: str, numbers: dict[str, Any], own: custom_arrays.Written, **more: Any) -> State:
    """A state with these numbers in the place of the example's."""
    start = EXAMPLES[example].scenario
    read = custom_arrays.read(own.typed, own.kept, own.stored)
    return State(
        page=page,
        example=example,
        seed=numbers.get("seed", 0),
        scenario=replace(start, **numbers, arrays={**start.arrays, **read}),
        typed=own.typed,
        kept=own.kept,
        **more,
    )


@st.composite
def states(draw, pages: Iterable[str] = PAGES, most: dict[str, int] | None = None) -> tuple[State, dict[str, Array]]:
    """A state, and the arrays that the browser stores for it."""
    most = most or {}
    page, example = draw(st.sampled_from(list(pages))), draw(st.sampled_from(list(EXAMPLES)))
    numbers, chosen = draw(some_of(SCENARIO_PARAMS, most)), draw(some_of(SETTINGS_PARAMS, most))
    scenario = replace(EXAMPLES[example].scenario, **numbers)
    missing = {name: "0123456789ab" for name in draw(st.sets(st.sampled_from(NAMES), max_size=1))}
    found = draw(arrays(scenario, large=not most))
    own = custom_arrays.write(found, {name: digest for name, digest in missing.items() if name not in found})
    there = stated(page, example, numbers, own, settings=Settings(**vars(DEFAULTS) | chosen))
    if draw(st.booleans()):
        return there, dict(own.stored)
    numbers, of_a = draw(some_of(SCENARIO_PARAMS, most)), draw(st.sampled_from(list(EXAMPLES)))
    typed = custom_arrays.write(draw(arrays(scenario, large=False)))
    kept = replace(there.settings, z=draw(values("z", {})))
    a = stated(page, of_a, numbers, typed, settings=kept, is_frozen=True)
    return replace(there, frozen=a), dict(own.stored)


def assert_same(there: State, state: State) -> None:
    """Two states are equal, and so are their arrays, of which `==` says nothing."""
    assert there == state
    for one, other in ((there, state), (there.frozen, state.frozen)):
        if one and other:
            assert one.scenario.arrays.keys() == other.scenario.arrays.keys()
            for name, array in one.scenario.arrays.items():
                assert_array_equal(array, other.scenario.arrays[name], err_msg=name)


# ---- the state and its query ---------------------------------------------------------------------


def test_every_parameter_is_a_field_of_the_state():
    assert {*SCENARIO_PARAMS, *SETTINGS_PARAMS, "example", "typed", "kept", "compare"} == VALUE_RULES.keys()
    assert not set(SCENARIO_PARAMS) & set(SETTINGS_PARAMS)
    assert {field.name for field in fields(State)} >= {"example", "scenario", "settings", "typed", "kept", "frozen"}


@given(states())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_the_query_of_a_state_brings_back_the_state(drawn):
    state, stored = drawn
    there, refused = parse(state.page, to_query(state), stored)
    assert refused == {}
    assert_same(there, state)


@given(states())
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_a_query_says_only_what_differs_from_what_it_stands_for_without_it(drawn):
    state, stored = drawn
    said = to_query(state)
    for name in said:
        without, _ = parse(state.page, {other: text for other, text in said.items() if other != name}, stored)
        assert without != state, name


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("example", EXAMPLES)
def test_a_worked_example_that_nothing_has_changed_is_named_or_left_out(page, example):
    state = parse(page, {"example": example})[0]
    assert to_query(state) == ({} if example == first_of(page) == "lab" else {"example": example})
    assert parse(page, {})[0] == parse(page, {"example": first_of(page)})[0]


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_seed_that_is_said_stays_said_also_where_it_is_the_examples_own(example):
    seed = str(EXAMPLES[example].scenario.seed)
    for query in ({"example": example, "seed": seed}, {"k": "4", "compare": f"example={example}&seed={seed}"}):
        state, _ = parse("lstm", query)
        assert_same(parse("lstm", to_query(state))[0], state)


def test_arrays_that_are_not_stored_stay_named_and_are_missing():
    large = np.arange(20.0 * 21).reshape(20, 21)
    own = custom_arrays.write({"b_h": np.ones((3, 1)), "W_hh": large})
    (digest,) = own.stored
    query = {"typed": own.typed, "kept": own.kept}
    state, refused = parse("", query)
    assert refused == {} and to_query(state) == query
    assert state.missing({}) == {"W_hh": digest} and state.custom_values({}).keys() == {"b_h"}
    assert state.missing(own.stored) == {}
    assert_array_equal(parse("", query, own.stored)[0].scenario.arrays["W_hh"], large)


@given(states(), states())
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_the_patch_of_a_scenario_takes_its_numbers_and_how_it_is_looked_at(first, second):
    (state, stored), (other, arrays) = first, second
    scenario, view_settings = other.scenario, {name: other.value(name) for name in VIEW_PARAMS}
    written = custom_arrays.write(scenario.overrides())
    changes = patch_of(state, scenario, view_settings) | {"typed": written.typed or None, "kept": written.kept or None}
    query = {name: text for name, text in {**to_query(state), **changes}.items() if text is not None}
    there, refused = parse(state.page, query, {**stored, **arrays, **written.stored})
    assert refused == {}
    assert there.scenario == scenario and there.view_settings() == view_settings
    for name, array in scenario.overrides().items():
        assert_array_equal(there.scenario.arrays[name], array, err_msg=name)


# ---- any query -----------------------------------------------------------------------------------


@st.composite
def queries(draw) -> dict[str, str]:
    """What somebody may send: allowed texts, any other texts, and unknown names."""
    state, _ = draw(states())
    said = to_query(state)
    for name in draw(st.sets(st.sampled_from(list(VALUE_RULES)), max_size=6)):
        said[name] = draw(texts | st.sampled_from(list(said.values()) or [""]))
    unknown = draw(st.dictionaries(texts, texts, max_size=2))
    return {**said, **{name: text for name, text in unknown.items() if name not in VALUE_RULES}}


def test_minus_zero_is_zero():
    state, refused = parse("saturation", {"source": "typed", "z": "-0", "compare": "example=lab&b=-0"}, {})
    assert not refused and copysign(1, state.settings.z) == 1 and copysign(1, state.frozen.scenario.b) == 1


@pytest.mark.slow
@given(st.sampled_from(list(PAGES)), queries())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_all_that_is_refused_is_reported_with_its_rule_and_changes_nothing(page, query):
    state, refused = parse(page, query)
    wrong = {name for name, text in query.items() if name in VALUE_RULES and not VALUE_RULES[name].allows(text)}
    assert refused == {name: str(VALUE_RULES[name]) for name in wrong}
    taken = {name: text for name, text in query.items() if name in VALUE_RULES.keys() - wrong}
    assert_same(state, parse(page, taken)[0])
    assert_same(parse(page, to_query(state))[0], state)


@given(st.sampled_from(list(PAGES)), st.dictionaries(st.sampled_from(list(VALUE_RULES)) | texts, texts, max_size=20))
@settings(max_examples=200)
def test_no_query_raises(page, query):
    state, refused = parse(page, query)
    assert refused.keys() <= query.keys()
    assert 1 <= state.unit <= state.scenario.k
    assert_same(parse(page, to_query(state))[0], state)


@pytest.mark.parametrize(
    "text", ["a=%FF", "=", "&", "example", "scale=2&scale=2", "m=1;n=1", "%", "typed=b_h", "z=nan"]
)
def test_what_is_no_frozen_state_is_reported_and_nothing_is_frozen(text):
    state, refused = parse("lstm", {"compare": text, "k": "4"})
    assert (refused.keys(), state.frozen) == ({"compare"}, None)


@given(states(("lstm",)))
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_a_state_that_is_frozen_has_the_numbers_it_had_and_the_view_settings_of_now(drawn):
    state, _ = drawn
    said = {name: text for name, text in to_query(state).items() if name in ("example", "typed", *FROZEN_PARAMS)}
    compared, refused = parse("lstm", {"decimals": "5", "compare": urlencode({"example": "lab"} | said)})
    assert refused == {}
    a = compared.frozen
    assert (a.example, a.scenario, a.typed) == (state.example, state.scenario, state.typed)
    assert (a.is_frozen, a.decimals, a.settings.z) == (True, 5, state.settings.z)


@pytest.mark.parametrize(
    "wrong", [{"decimals": 7}, {"j": 0}, {"z": 1e9}, {"word": ""}, {"scale": 1.23}, {"cell": "CNN"}], ids=str
)
def test_a_state_that_no_link_may_say_has_no_query(wrong):
    numbers = {name: value for name, value in wrong.items() if name in SCENARIO_PARAMS}
    state = State(scenario=replace(Scenario(), **numbers))
    with pytest.raises(ValueError, match=next(iter(wrong))):
        to_query(state.with_settings(**{name: value for name, value in wrong.items() if name not in SCENARIO_PARAMS}))


# ---- a picture follows from the state alone ------------------------------------------------------


class Out:
    """What stands in the place of a part of Streamlit that must not be touched."""

    def _refuse(self, *_: object, **__: object) -> None:
        raise AssertionError("Streamlit was asked.")

    __getattr__ = __getitem__ = __contains__ = __iter__ = _refuse


@contextmanager
def without_streamlit() -> Iterator[None]:
    """No run, no session, no URL, and nothing that is drawn."""
    assert get_script_run_ctx(suppress_warning=True) is None
    with (
        patch.object(streamlit, "session_state", Out()),
        patch.object(streamlit, "query_params", Out()),
        patch.object(DeltaGenerator, "_enqueue", Out()._refuse),
    ):
        yield


def test_what_must_not_be_touched_is_noticed():
    with without_streamlit():
        for touch in (lambda: "k" in streamlit.session_state, lambda: streamlit.query_params["k"], streamlit.divider):
            with pytest.raises(AssertionError, match="Streamlit was asked"):
                touch()


@pytest.mark.parametrize("path", LIVE, ids=lambda path: path or "hidden_state")
def test_the_picture_of_a_state_needs_no_streamlit_and_is_the_same_each_time(path):
    view = LIVE[path]
    unit = getattr(view, "unit_of", selected_unit)

    @given(states((path,), SMALL))
    @settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
    def check(drawn):
        state, stored = drawn
        query = to_query(state)
        with without_streamlit():
            first = json.dumps(draw(state, view.panels, unit))
            assert json.dumps(draw(state, view.panels, unit)) == first
            # The same again from the URL, as while a slider is dragged.
            assert json.dumps(draw(parse(path, query, stored)[0], view.panels, unit)) == first
        assert to_query(state) == query

    check()


# ---- who knows of the URL ------------------------------------------------------------------------


def test_only_the_session_touches_the_query_of_the_url():
    files = list((ROOT / "dashboard").rglob("*.py"))
    touching = {
        file.relative_to(ROOT / "dashboard").as_posix()
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        # A link's own query is a keyword of st.page_link, and no attribute.
        if (isinstance(node, ast.Attribute) and node.attr == "query_params")
        or (isinstance(node, ast.ImportFrom) and "query_params" in [alias.name for alias in node.names])
        or (isinstance(node, ast.Constant) and node.value == "query_params")
    }
    assert touching == {"state/session.py"}


STATE = ROOT / "dashboard" / "state"
WITHOUT_STREAMLIT = [STATE / "state.py", STATE / "custom_arrays.py", *sorted((STATE / "parameters").glob("[a-z]*.py"))]


@pytest.mark.parametrize("file", WITHOUT_STREAMLIT, ids=lambda file: file.stem)
def test_the_state_knows_nothing_of_streamlit(file):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported and not [module for module in imported if module.partition(".")[0] == "streamlit"]
