"""The controls of a page as data, which the browser draws (`static/controls/control_kinds.js`): one for each setting of `parameters`."""

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Any

import streamlit as st

from core.cells import CELLS
from core.examples import DEFAULT_EXAMPLE, EXAMPLES
from core.initialize import INITIALIZERS
from core.scenario import OUTPUT_LAYER, Scenario
from dashboard.server import assets
from dashboard.server.assets import LOADER, STATIC
from dashboard.state import session
from dashboard.state.custom_arrays import KEPT, TYPED
from dashboard.state.parameters import (
    EXAMPLE,
    FLAG,
    LARGEST_SIZE,
    NUMBER_PARAMS,
    PAGE_PARAMS,
    PARAMETERS,
    SCALES,
    SCENARIO_PARAMS,
    SCREEN_PARAMS,
    STAGES,
    VALUE_RULES,
    VIEW_PARAMS,
    Number,
    OneOf,
    Sizes,
    Word,
    as_text,
    of_cell,
)
from dashboard.state.state import State
from dashboard.text import option_names as text
from dashboard.text.corrections import CORRECTIONS
from dashboard.text.words import enumerated

Control = dict[str, Any]
SIZES = ("m", "n", "k")
# The option of an initialization that no array follows.
CUSTOM = "custom"
# The sliders that every page of a cell has.
COMMON = (*SIZES, "scale", "seed")

_component = st.components.v2.component(
    "cellscope_controls",
    html='<div class="controls" role="group" aria-label="Settings"></div><p class="failed"></p>',
    css=(STATIC / "controls/controls.css").read_text(encoding="utf-8"),
    js=LOADER,
)


def draw(
    state: State, key: str, *groups: Iterable[Control], more: Mapping[str, Iterable[Control]] | None = None
) -> None:
    """Draw controls.

    Parameters
    ----------
    state : State
    key : str
        Streamlit's key of the component, which stays the same from run to run.
    *groups : iterable of controls
        One row each.
    more : mapping from str to iterable of controls, optional
        Controls below a heading that opens them, by heading.
    """
    shown = [group("", controls) for controls in groups] + [group(title, some) for title, some in (more or {}).items()]
    _put(state, key, [one for one in shown if one["controls"]])


def _put(state: State, key: str, groups: list[dict[str, Any]]) -> None:
    data = {"modules": assets.url(), "part": "controls/controls.js", "url": session.url_of_run(state)}
    _component(key=key, data=data | {"groups": groups, "corrections": CORRECTIONS})


def group(title: str, controls: Iterable[Control]) -> dict[str, Any]:
    """Return a group of controls; unless `title` is empty, it is a heading that opens them."""
    return {"title": title, "is_for_phones": False, "is_folded": False, "controls": list(controls)}


def sliders(state: State, *own: str, ends: Mapping[str, int] | None = None) -> None:
    """Draw the sliders at the top of a page of a cell: the common ones, and the page's own.

    Parameters
    ----------
    state : State
    *own : str
        Names of settings.
    ends : mapping from str to int, optional
        The upper ends of sliders that differ from their tracks, by name.
    """
    st.html(STATIC / "controls/sticky_controls.css")
    shown = [slider(state, name, (ends or {}).get(name)) for name in (*COMMON, *own)]
    _put(state, "dials", [group(text.SLIDERS, shown) | {"is_for_phones": True, "is_folded": state.is_projected}])


def settings(
    state: State,
    *own: Control,
    cells: Sequence[str],
    fills: Sequence[str] = (),
    unfolded: Sequence[Control] = (),
    more: Mapping[str, Iterable[Control]] | None = None,
) -> None:
    """Draw the settings below the sliders of a page of a cell: the initialization, and the page's own. The projector view folds them.

    Parameters
    ----------
    state : State
    *own : controls
    cells : sequence of str
        Names of CELLS: those that the page shows.
    fills : sequence of str, optional
        The page's own values for `fill`.
    unfolded : sequence of controls, optional
        The page's own settings that the projector view does not fold.
    more : mapping from str to iterable of controls, optional
        As for `draw`. Those of the group MORE stand after the common ones.
    """
    more = dict(more or {})
    rest = {text.MORE: [control(state, "b_normal"), *more.pop(text.MORE, ())]}
    shown = [*initialization(state, cells, *fills), *own]
    if state.is_projected:
        draw(state, "settings", unfolded, more={text.SETTINGS: shown, **more, **rest})
    else:
        draw(state, "settings", [*shown, *unfolded], more={**more, **rest})


def initialization(state: State, cells: Sequence[str], *names: str) -> list[Control]:
    """Return the controls that fill the arrays with one value or with random numbers.

    Parameters
    ----------
    state : State
    cells : sequence of str
        As for `settings`.
    *names : str
        Further values for `fill`.
    """
    chosen = state.scenario.init
    labels = {name: text.INITIALIZERS.get(name, name) for name in INITIALIZERS}
    help = " ".join(filter(None, (PARAMETERS["init"].help, text.MADE.get(chosen))))
    # The other initializations use only the bias.
    values = fills(state, cells, *(("w_hh", "w_hx", "h", "x", *names, "b") if chosen == "fill" else ("b",)))
    custom = state.scenario.matching_arrays()
    if all(array in custom for cell in cells for array in CELLS[cell].ARRAYS):
        patch = _without_custom_values(state)
        options = [
            # The custom values are chosen already.
            {"value": CUSTOM, "label": text.CUSTOM_INITIALIZATION, "patch": {}},
            *(
                {"value": name, "label": label, "patch": patch | State().patch({"init": name})}
                for name, label in labels.items()
            ),
        ]
        shown = {"options": options, "text": CUSTOM, "help": text.CUSTOM_INITIALIZATION_HELP}
        return [select(state, "init", labels) | shown, *values]
    return [select(state, "init", labels, help=help), *values]


def _without_custom_values(state: State) -> dict[str, str | None]:
    """Return the patch that removes all custom values, those of the worked example too, and changes no setting."""
    kept = {name: state.value(name) for name in (*SCENARIO_PARAMS, *VIEW_PARAMS)}
    return {**State().patch(kept), EXAMPLE: DEFAULT_EXAMPLE, TYPED: None, KEPT: None}


# ---- one control -------------------------------------------------------------------------------


def control(state: State, name: str, **more: Any) -> Control:
    """Return the control of a setting; its rule chooses the kind.

    Parameters
    ----------
    state : State
    name : str
        The query parameter.
    **more
        Replaces fields of the control.
    """
    parameter, rule = PARAMETERS[name], VALUE_RULES[name]
    found: Control = {"name": name, "label": parameter.label, "help": parameter.help, **_texts(state, name)}
    if parameter.slider_range:
        found = slider(state, name)
    elif rule is FLAG:
        found["kind"] = "toggle"
    elif isinstance(rule, OneOf):
        labels = text.OPTIONS.get(name, {})
        options = [{"value": value, "label": labels.get(value, value)} for value in rule.options]
        found |= {"kind": "segments", "options": options}
    elif isinstance(rule, Number):
        # With options it is no number field.
        found |= (
            {} if "options" in more else {"kind": "number", "optional": state.default(name) is None, **_bounds(name)}
        )
    else:
        found |= {"kind": "text", "longest": rule.longest}
    if isinstance(rule, Sizes):
        found |= {"pattern": rule.pattern, "rule": str(rule)}
    if isinstance(rule, Word):
        found["fits"] = "m"
    return found | more


def slider(state: State, name: str, end: int | None = None) -> Control:
    """Return a slider with its number field.

    Parameters
    ----------
    state : State
    name : str
        A setting with a slider.
    end : int, optional
        The upper end of the slider, if it differs from that of the setting.
    """
    parameter, rule, value = PARAMETERS[name], VALUE_RULES[name], state.value(name)
    slider_range = parameter.slider_range
    assert slider_range
    is_large = name in SIZES and (state.settings.large or state.is_large)
    high = LARGEST_SIZE if is_large else slider_range.high if end is None else max(end, slider_range.low + 1)
    if value > high or value < slider_range.low:
        high = getattr(rule, "high", inf)
    is_scale = name == "scale"
    return {
        "kind": "slider",
        "name": name,
        "label": parameter.label,
        "help": parameter.help,
        **_texts(state, name),
        **(_bounds(name) if not is_scale else {"smallest": SCALES[0], "largest": SCALES[-1], "whole": False}),
        "low": getattr(rule, "low", 0) if value < slider_range.low else slider_range.low,
        "high": high,
        "step": slider_range.step,
        "options": [as_text(scale) for scale in SCALES] if is_scale else None,
    }


def select(state: State, name: str, options: Mapping[str, str], **more: Any) -> Control:
    """Return a control that lists options with their labels.

    Parameters
    ----------
    state : State
    name : str
    options : mapping from str to str
        From the text of the parameter to the label.
    **more
        As for `control`.
    """
    listed = [{"value": value, "label": label} for value, label in options.items()]
    return control(state, name) | {"kind": "select", "options": listed} | more


def action(name: str, label: str, patch: Mapping[str, str | None], **more: Any) -> Control:
    """Return a button that changes settings.

    Parameters
    ----------
    name : str
        Unique among the controls of the page.
    label : str
    patch : mapping from str to str or None
        The new text of each query parameter; None removes it.
    **more
        `help`, `disabled`, `shortcut` (a key), `pressed` (whether its panel is open), `entry` (False if it adds no history entry).
    """
    return {"kind": "action", "name": name, "label": label, "patch": dict(patch), "text": "", "default": "", **more}


def note(name: str, text: str) -> Control:
    """Return a line of words between the controls."""
    return {"kind": "note", "name": name, "label": text, "text": "", "default": ""}


def _texts(state: State, name: str) -> Control:
    value, default = state.value(name), state.default(name)
    return {"text": "" if value is None else as_text(value), "default": "" if default is None else as_text(default)}


def _bounds(name: str) -> Control:
    rule = VALUE_RULES[name]
    return {"smallest": rule.low, "largest": rule.high, "whole": rule.whole}


# ---- controls of more than one page ------------------------------------------------------------


def fills(state: State, cells: Sequence[str], *names: str) -> list[Control]:
    """Return the controls of values that fill arrays. One without an effect is disabled, because all of its arrays have custom values.

    Parameters
    ----------
    state : State
    cells : sequence of str
        As for `settings`.
    *names : str
        Values of `ArraySpec`.
    """
    custom = state.scenario.matching_arrays()
    # The bias of the output layer is filled as well, but only where that layer is shown.
    specs = {
        **{array: spec for cell in cells for array, spec in CELLS[cell].ARRAYS.items()},
        "W_y": OUTPUT_LAYER["W_y"],
    }
    shown = []
    for name in names:
        filled = [array for array, spec in specs.items() if spec.value == name]
        mine = [array for array in filled if array in custom]
        found = control(state, name)
        if filled == mine:
            found |= {"text": "", "default": "", "placeholder": text.CUSTOM, "disabled": True, "help": text.CUSTOM_HELP}
        elif mine:
            found["label"] = text.PARTLY_LABEL.format(label=found["label"], arrays=enumerated(mine))
            found["help"] = text.PARTLY_CUSTOM.format(arrays=enumerated(mine))
        shown.append(found)
    return shown


def gates(state: State, *cells: str, all_of_them: bool = False) -> list[Control]:
    """Return the controls that give all weights of a gate one value.

    Parameters
    ----------
    state : State
    *cells : str
        Names of CELLS.
    all_of_them : bool, optional
        Whether to include those that are empty.
    """
    names = of_cell(*cells)["constant_param"]
    shown = [name for name in names if all_of_them or state.value(name) is not None]
    return [control(state, name, placeholder="none") for name in shown]


def added_to_gates(*cells: str) -> list[str]:
    """Return the names of the settings that are added to a gate's bias, such as `forget_bias`."""
    return of_cell(*cells)["offset_param"]


def source_owner(source: str) -> str:
    """Return the name of the cell with this pre-activation."""
    return next((name for name, cell in CELLS.items() if source in cell.PRE_ACTIVATIONS), "RNN")


def example_patch(example: str, page: str) -> dict[str, str | None]:
    """Return the patch that starts a worked example with its own numbers, and keeps how numbers are shown.

    Parameters
    ----------
    example : str
        A name of EXAMPLES.
    page : str
        The path of the current page, whose own settings stay.
    """
    start = EXAMPLES[example].scenario
    own = [name for name in SCENARIO_PARAMS if getattr(start, name) != getattr(Scenario(), name)]
    others = [name for name in PAGE_PARAMS if page not in PARAMETERS[name].pages]
    left_out = dict.fromkeys((*NUMBER_PARAMS, TYPED, KEPT, *own, *others, *SCREEN_PARAMS))
    return {**left_out, EXAMPLE: example}


def stages(state: State) -> Sequence[str]:
    """Return the stages of the hidden-state page that are shown: all of them for a stage of another page."""
    stage = state.settings.stage
    return STAGES[: STAGES.index(stage) + 1] if stage in STAGES else STAGES
