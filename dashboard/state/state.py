"""The state of a page as one frozen record. `parse` makes it from the query of the URL, and `to_query` is the inverse.

No Streamlit: a run, a drag, a comparison, an export and a link all start from a State.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from core.arrays import Array
from core.examples import DEFAULT_EXAMPLE, EXAMPLES, first_of
from core.scenario import ARRAYS, Scenario
from dashboard.state import custom_arrays
from dashboard.state.custom_arrays import KEPT, TYPED
from dashboard.state.parameters import (
    COMPARE,
    EXAMPLE,
    NUMBER_PARAMS,
    OPENING_PARAMS,
    PAGE_PARAMS,
    PARAMETERS,
    PROJECTOR,
    SCENARIO_PARAMS,
    SMALL_SIZE,
    VALUE_RULES,
    VIEW_PARAMS,
    as_text,
    of_text,
    read_frozen,
)
from dashboard.text.questions import QUESTIONS, Question

NOTHING: Mapping[str, Array] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every setting that is not a field of Scenario, under the name of its query parameter.

    `parameters.PARAMETERS` has the meaning, the bounds and the default of each.
    """

    large: bool
    j: int
    threshold: int
    decimals: int
    colours: str
    view: str
    stage: str
    node: str | None
    backward: bool
    predict: bool
    unmatched: bool
    y: bool
    source: str
    z: float
    t: int
    framework: str
    input_size: int
    hidden_size: int
    num_layers: int
    bidirectional: bool
    batch_first: bool
    proj_size: int
    x_shape: str
    h0_shape: str
    c0_shape: str
    linear: str
    story: str
    task: str
    trained: str
    units: int
    length: int
    start: str
    start_scale: float
    start_bias: float
    optimiser: str
    rate: float
    clip: str
    clip_at: float
    updates: int
    change: str | None
    watched: int
    network: str
    passage: str
    tokens: str
    first_axis: str
    nonlinearity: str
    shown_network: int
    shown_layer: int
    shown_direction: str
    shown_step: int
    limit_open: float
    limit_shut: float
    limit_stuck: float
    limit_stuck_units: float
    limit_frozen: float
    limit_slope: float
    limit_moves: float
    limit_copied: float
    limit_forget_bias: float
    limit_exchanged: float
    limit_gain: float
    limit_horizon: float
    limit_headroom: float
    limit_recurrence: float
    limit_ratio: float
    limit_alone: float
    limit_small_recurrence: float
    limit_radius: float
    limit_rank: float
    limit_sparse: float
    limit_large_input: float
    limit_small_input: float
    limit_sequences: float
    limit_transposed: float
    limit_correlation: float
    limit_pattern: float
    limit_signs: float
    limit_certain: float
    kind: str | None
    level: int
    number: int
    today: bool
    test: bool
    answers: str | None
    draft: str | None
    edit: bool
    array: str | None
    take: bool
    question: int | None


SETTINGS_PARAMS = tuple(field.name for field in fields(Settings))
DEFAULTS = Settings(**{name: PARAMETERS[name].default for name in SETTINGS_PARAMS})


@dataclass(frozen=True, kw_only=True)
class State:
    """The state of a page.

    Attributes
    ----------
    page : str
        The path of the page.
    example : str
        The worked example, which sets the defaults of the scenario.
    seed : int
        The seed in the URL, or 0. Exercises and trainings use it instead of the example's seed.
    scenario : Scenario
        The settings and arrays that numbers follow from, with the custom values.
    settings : Settings
        All other settings.
    typed, kept : str
        The custom values as texts of the URL (`custom_arrays`), or empty texts.
    frozen : State, optional
        A of a comparison.
    is_frozen : bool
        Whether this is A of a comparison.
    current : State, optional
        B of a comparison, while A is drawn.
    """

    page: str = ""
    example: str = DEFAULT_EXAMPLE
    seed: int = 0
    scenario: Scenario = Scenario()
    settings: Settings = DEFAULTS
    typed: str = ""
    kept: str = ""
    frozen: "State | None" = None
    is_frozen: bool = False
    current: "State | None" = None

    @property
    def other_side(self) -> "State | None":
        """The other side of a comparison."""
        return self.frozen or self.current

    @property
    def example_scenario(self) -> Scenario:
        """The scenario of the worked example."""
        return EXAMPLES[self.example].scenario

    @property
    def unit(self) -> int:
        """The selected unit, counted from 1; the last one if `j` is beyond k."""
        return min(self.settings.j, self.scenario.k)

    @property
    def question(self) -> Question | None:
        """The question of the URL, if this page answers it."""
        at = self.settings.question
        question = QUESTIONS[at - 1] if at else None
        return question if question and question.page == self.page else None

    @property
    def threshold_fraction(self) -> float:
        """The fraction of the maximum derivative below which a unit counts as saturated, in (0, 1)."""
        return self.settings.threshold / 100

    @property
    def decimals(self) -> int:
        return self.settings.decimals

    @property
    def fixed_colours(self) -> bool:
        """Whether all matrices have the same colour scale."""
        return self.settings.colours == "fixed"

    @property
    def is_projected(self) -> bool:
        return self.settings.view == PROJECTOR

    @property
    def is_large(self) -> bool:
        """Whether a size is beyond SMALL_SIZE."""
        return max(self.scenario.m, self.scenario.n, self.scenario.k) > SMALL_SIZE

    @property
    def is_changed(self) -> bool:
        """Whether a number differs from the example's."""
        changed = any(self.value(name) != self.default(name) for name in NUMBER_PARAMS)
        return bool(changed or self.typed or self.kept)

    @property
    def is_custom(self) -> bool:
        """Whether no worked example is shown: the default example is the base of every link that names none."""
        return self.example == DEFAULT_EXAMPLE and self.is_changed

    @property
    def has_numbers(self) -> bool:
        """Whether the reader has changed a number of the example, or compares."""
        return self.is_changed or bool(self.frozen)

    @property
    def is_own_example(self) -> bool:
        """Whether this is the unchanged example of some bare URL."""
        return EXAMPLES[self.example].is_first and not self.has_numbers

    def value(self, name: str) -> Any:
        """Return the value of the setting with this query parameter."""
        if name == EXAMPLE:
            return self.example
        return getattr(self.scenario if name in SCENARIO_PARAMS else self.settings, name)

    def default(self, name: str) -> Any:
        """Return the value that a setting has if the URL leaves it out."""
        return getattr(self.example_scenario if name in SCENARIO_PARAMS else DEFAULTS, name)

    def patch(self, values: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the patch that gives settings these values: the URL leaves out a default."""
        return {name: None if value == self.default(name) else as_text(value) for name, value in values.items()}

    def custom_values(self, stored: Mapping[str, Array]) -> dict[str, Array]:
        """Return the custom values by array, as far as `stored` has them."""
        return custom_arrays.read(self.typed, self.kept, stored)

    def missing(self, stored: Mapping[str, Array]) -> dict[str, str]:
        """Return the digest by name of each array that the URL names and `stored` lacks."""
        return {name: digest for name, digest in custom_arrays.read_kept(self.kept).items() if digest not in stored}

    def recurrent(self) -> Scenario:
        """Return the scenario with n = k, so that its cell can be unrolled."""
        return self.scenario if self.scenario.k == self.scenario.n else replace(self.scenario, n=self.scenario.k)

    def with_settings(self, **changed: Any) -> "State":
        """Return a copy with these fields of `settings` changed."""
        return replace(self, settings=replace(self.settings, **changed))

    def view_settings(self) -> dict[str, Any]:
        """Return the settings that change only how numbers are shown, by the names of VIEW_PARAMS."""
        return {name: self.value(name) for name in VIEW_PARAMS}


def parse(page: str, query: Mapping[str, str], stored: Mapping[str, Array] = NOTHING) -> tuple[State, dict[str, str]]:
    """Return the state of a page for the query of its URL.

    Parameters
    ----------
    page : str
        The path of the page.
    query : mapping from str to str
        Unknown parameters are ignored.
    stored : mapping from str to ndarray, optional
        The arrays that the query names by their digests.

    Returns
    -------
    state : State
        A refused parameter has its default.
    refused : dict from str to str
        The rule that each refused parameter breaks.
    """
    refused = {
        name: str(VALUE_RULES[name])
        for name, text in query.items()
        if name in VALUE_RULES and not VALUE_RULES[name].allows(text)
    }
    taken = {name: text for name, text in query.items() if name in VALUE_RULES and name not in refused}
    is_bare = not taken.keys() - OPENING_PARAMS
    state = _parse(page, taken, first_of(page) if is_bare else DEFAULT_EXAMPLE, stored)
    if COMPARE in taken:
        a = _parse(page, read_frozen(taken[COMPARE]) or {}, DEFAULT_EXAMPLE, NOTHING)
        # A is drawn at the time step and with the decimals of B.
        settings = replace(state.settings, z=a.settings.z)
        state = replace(state, frozen=replace(a, settings=settings, is_frozen=True))
    return state, refused


def _parse(page: str, query: Mapping[str, str], example: str, stored: Mapping[str, Array]) -> State:
    example = query.get(EXAMPLE, example)
    start = EXAMPLES[example].scenario
    typed, kept = query.get(TYPED, ""), query.get(KEPT, "")
    values = {name: of_text(name, text) for name, text in query.items()}
    numbers = {name: value for name, value in values.items() if name in SCENARIO_PARAMS}
    settings = {name: value for name, value in values.items() if name in SETTINGS_PARAMS}
    arrays = {**start.arrays, **custom_arrays.read(typed, kept, stored)}
    return State(
        page=page,
        example=example,
        seed=values.get("seed", 0),
        scenario=replace(start, **numbers, arrays=arrays),
        settings=replace(DEFAULTS, **settings) if settings else DEFAULTS,
        typed=typed,
        kept=kept,
    )


def to_query(state: State) -> dict[str, str]:
    """Return the query of a state: every setting that differs from its default.

    Raises
    ------
    ValueError
        If a setting breaks its rule.
    """
    query = _numbers_of(state) | _texts_of(state, SETTINGS_PARAMS)
    if state.kept:
        query[KEPT] = state.kept
    if state.frozen:
        query[COMPARE] = frozen_query(state.frozen)
    is_bare = not query.keys() - OPENING_PARAMS
    if state.example != DEFAULT_EXAMPLE or (is_bare and first_of(state.page) != DEFAULT_EXAMPLE):
        query = {EXAMPLE: state.example} | query
    for name, text in query.items():
        if not VALUE_RULES[name].allows(text):
            raise ValueError(f"{name} must be {VALUE_RULES[name]}, and {text[:60]!r} is not.")
    return query


def frozen_query(state: State) -> str:
    """Return the text of `compare` that freezes this state as A."""
    return urlencode({EXAMPLE: state.example, **_numbers_of(state), **_texts_of(state, ("z",))})


def _numbers_of(state: State) -> dict[str, str]:
    query = _texts_of(state, SCENARIO_PARAMS)
    if state.seed:  # also where it is the example's own
        query["seed"] = as_text(state.seed)
    return query | ({TYPED: state.typed} if state.typed else {})


def _texts_of(state: State, names: Iterable[str]) -> dict[str, str]:
    """Return the settings that the URL has, with their texts."""
    changes = state.patch({name: state.value(name) for name in names})
    return {name: text for name, text in changes.items() if text is not None}


def scenario_of_arrays(state: State, arrays: Mapping[str, Array], **changes: Any) -> Scenario:
    """Return the scenario of a state with these arrays, in which no setting hides or changes one of them.

    Parameters
    ----------
    state : State
    arrays : mapping from str to ndarray
        With `xs`, the inputs of one cell over a sequence.
    **changes
        Other fields of Scenario.
    """
    hiding: dict[str, Any] = dict.fromkeys(spec.constant_param for spec in ARRAYS.values() if spec.constant_param)
    shown: dict[str, Any] = {
        "scale": 1.0,
        "forget_bias": 0.0,
        "stochastic": False,
        "input": "numbers",
        "layers": 1,
        "directions": "one",
    }
    return replace(state.scenario, **hiding, **shown, m=arrays["xs"].shape[1], **changes, arrays=arrays)


def patch_of(state: State, scenario: Scenario, view_settings: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the patch that changes the settings of a state into those of a scenario; it has no arrays.

    Parameters
    ----------
    state : State
    scenario : Scenario
    view_settings : mapping from str to object
        Settings that change only how numbers are shown, by the names of VIEW_PARAMS.
    """
    values = {name: getattr(scenario, name) for name in SCENARIO_PARAMS} | dict(view_settings)
    others = [name for name in PAGE_PARAMS if state.page not in PARAMETERS[name].pages and name not in values]
    return {**dict.fromkeys(others), **State().patch(values), EXAMPLE: DEFAULT_EXAMPLE}
