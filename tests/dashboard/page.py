"""The app without a browser: open a link, set a control, read the picture."""

import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import urlencode

import numpy as np
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest

from core.arrays import Array
from core.cells import CELLS
from core.examples import first_of
from dashboard.server import training_cache
from dashboard.state import page_list
from dashboard.state.parameters import VALUE_RULES, as_text
from dashboard.state.state import State, parse
from dashboard.text.drawing import NOT_A_NUMBER
from tests.live import PATIENCE

APP = Path(__file__).parents[2] / "dashboard" / "pages.py"
# Every page of a cell by its path, and what a link must say for all its widgets to be there.
PAGES = {
    "": {"edit": "true"},
    "lstm": {"y": "true"},
    "gru": {"n": "3"},
    "saturation": {"source": "typed"},
    "sequence": {"input": "word", "m": "4", "typed": "xs~1_2_3_4"},
    "gradients": {},
}
# And what has widgets of its own, but is about no cell.
WITH_WIDGETS = PAGES | {
    "shapes": {},
    "model": {},
    "practice": {"kind": "z"},
    "training": {"story": "own", "updates": "4", "units": "2", "length": "3"},
}
# What of a block is an index into the picture's packed numbers.
PACKED = ("values", "frames", "outlined")
WIDGETS = (
    "slider",
    "select_slider",
    "number_input",
    "text_input",
    "text_area",
    "toggle",
    "selectbox",
    "segmented_control",
)


@contextmanager
def prepared() -> Iterator[None]:
    """What each AppTest would do anew, done once or not at all.

    It has the recordings of the stories made. It looks through every installed package for components, and ours comes from none of them. And in every run it
    compiles the app and its page, where a server has a cache: that is two fifths of a run.
    """
    with (
        patch.object(training_cache, "precompute_experiments"),
        patch.object(BidiComponentManager, "discover_and_register_components"),
        patch.object(ScriptCache, "get_bytecode", ScriptCache().get_bytecode),  # of one cache for all
    ):
        yield


def open_link(path: str = "", /, **parameters: str | list[str]) -> AppTest:
    """The page that a link with this path and these parameters opens; a list repeats its parameter."""
    at = AppTest.from_file(APP, default_timeout=PATIENCE)
    if path:
        at.switch_page(page_list.PAGES[path].script)
    # The bare path of some pages means an example of their own.
    bare = {} if parameters or first_of(path) == "lab" else {"example": "lab"}
    at.query_params.update(parameters | bare)
    return at.run()


def open_bare(path: str = "") -> AppTest:
    """The page that its path alone opens: on an example of its own."""
    at = AppTest.from_file(APP, default_timeout=PATIENCE)
    return (at.switch_page(page_list.PAGES[path].script) if path else at).run()


def widgets(at: AppTest) -> dict:
    """Every widget of Streamlit's by its key."""
    return {widget.key: widget for kind in WIDGETS for widget in at.get(kind)}


def components(at: AppTest) -> dict[str, Any]:
    """Our own components by their names; of those that are there more than once the last one."""
    return {found.proto.component_name.removeprefix("cellscope_"): found.proto for found in at.get("bidi_component")}


def links(at: AppTest) -> list[str]:
    """The paths of the pages that the sidebar links to."""
    groups = json.loads(components(at)["sidebar"].json)["pages"]
    return [link["path"] for group in groups for link in group["links"]]


def drawn_controls(at: AppTest) -> dict[str, dict]:
    """Every control of ours by its name, as the browser gets it: settings, buttons and notes."""
    drawn = [json.loads(found.proto.json) for found in at.get("bidi_component")]
    groups = [group for data in drawn for group in data.get("groups", ())]
    return {control["name"]: control for group in groups for control in group["controls"]}


def controls(at: AppTest) -> set[str]:
    """The names of all settings that have a control, and the keys of Streamlit's widgets."""
    return drawn_controls(at).keys() & VALUE_RULES.keys() | widgets(at).keys()


def sliders(at: AppTest) -> dict[str, dict]:
    """Every slider by its name, as the browser gets it."""
    return {name: control for name, control in drawn_controls(at).items() if control["kind"] == "slider"}


def state(at: AppTest) -> State:
    """What the URL says; of what it says twice, nothing."""
    url = json.loads(components(at)["sidebar"].json)["url"]
    names = [name for name, _ in url["query"]]
    return parse(url["page"], {name: text for name, text in url["query"] if names.count(name) == 1})[0]


def chosen(at: AppTest, name: str) -> Any:
    """The value of a setting."""
    return state(at).value(name)


# ---- what a browser does -------------------------------------------------------------------


def choose(at: AppTest, **choices: Any) -> AppTest:
    """Set controls one after the other, each with a run of its own as in a browser."""
    for name, value in choices.items():
        if name not in drawn_controls(at):
            widgets(at)[name].set_value(value).run()
            followed(at)
            continue
        control = drawn_controls(at)[name]
        text = "" if value is None else as_text(value)
        option = next(
            (option for option in control.get("options") or () if isinstance(option, dict) and option["value"] == text),
            {},
        )
        fits = control.get("fits")
        needed, size = len(set(text)), drawn_controls(at).get(fits)
        more = {fits: f"{needed}"} if size and needed > int(size["text"]) else {}
        change(at, {name: None if text == control["default"] else text} | option.get("patch", {}) | more)
    return at


def press(at: AppTest, label: str) -> AppTest:
    """Press a button of ours."""
    control = next(control for control in drawn_controls(at).values() if control["label"].removeprefix("✕ ") == label)
    if "freeze" in control:
        example = json.loads(components(at)["sidebar"].json)["url"]["example"]
        said = {name: text for name, text in written(at, {}).items() if name in control["freeze"]}
        return change(at, {"compare": urlencode({"example": example} | said)})
    return change(at, control["patch"])


def change(at: AppTest, changes: Mapping[str, str | None]) -> AppTest:
    """Change the URL, and run the page for it."""
    # A parameter that is there again stays so until it is changed.
    again = {name: texts for name, texts in at.query_params.items() if isinstance(texts, list) and name not in changes}
    said = written(at, changes) | again
    at.query_params.clear()
    at.query_params.update(said)
    return at.run()


def link_to(at: AppTest, path: str) -> dict[str, str]:
    """The query of the sidebar's link to a page, as `sidebar.js` writes it."""
    data = json.loads(components(at)["sidebar"].json)
    url = data["url"]
    said = {name: text for name, text in query(at).items() if name not in data["screen"]}
    is_named = said.pop("example", "") != ""
    here, has_numbers = url["example"], bool(said.keys() & set(data["numbers"]))
    if not has_numbers and here not in url["first"] and (is_named or here != url["examples"][url["page"]]):
        return said | {"example": here}
    example = here if has_numbers else url["examples"][path]
    is_bare = not said.keys() - set(url["opening"])
    named = {"example": example} if example != "lab" or (is_bare and url["examples"][path] != "lab") else {}
    return said | named


def go(at: AppTest, path: str) -> AppTest:
    """Follow the sidebar's link to a page."""
    said = link_to(at, path)
    at.switch_page(page_list.PAGES[path].script)
    at.query_params.clear()
    at.query_params.update(said)
    return at.run()


def notes(at: AppTest) -> dict[str, str]:
    """The lines of words between the controls, by their names."""
    return {name: control["label"] for name, control in drawn_controls(at).items() if control["kind"] == "note"}


def query(at: AppTest) -> dict[str, str]:
    """The query of the URL."""
    return {name: texts if isinstance(texts, str) else texts[-1] for name, texts in at.query_params.items()}


def written(at: AppTest, changes: Mapping[str, str | None]) -> dict[str, str]:
    """The query after some changes: a bare URL means the page's own example, which is named once something is changed."""
    url = json.loads(components(at)["sidebar"].json)["url"]
    said = {**query(at), **changes}
    said = {name: text for name, text in said.items() if text is not None}
    is_bare = not said.keys() - set(url["opening"])
    if "example" not in said and (url["example"] != "lab" or (is_bare and url["examples"][url["page"]] != "lab")):
        said["example"] = url["example"]
    return said


def followed(at: AppTest, *states: WidgetState) -> AppTest:
    """Apply what the server has left for the URL, as the browser does, and run the page for it.

    AppTest forgets the states of some widgets from run to run: with `states` it has them in this run too.
    """
    assert not at.exception
    drawn = [json.loads(found.proto.json) for found in at.get("bidi_component")]
    left = {patch["number"]: patch["changes"] for data in drawn for patch in data.get("changed", {}).get("patches", ())}
    new = [number for number in sorted(left) if number > getattr(at, "applied", 0)]
    for number in new:
        at.applied = number
        said = written(at, left[number])
        at.query_params.clear()
        at.query_params.update(said)
    return send(at, *states) if new else at


def send(at: AppTest, *states: WidgetState) -> AppTest:
    """A run with these states in the place of what the widgets say."""
    own = {state.id for state in states}
    kept = [state for state in at._tree.get_widget_states().widgets if state.id not in own]
    return at._run(WidgetStates(widgets=[*kept, *states]))


def send_event(at: AppTest, component: str, event: str, value: Any) -> AppTest:
    """A run after an event of one of our components."""
    trigger = _make_trigger_id(components(at)[component].id, "events")
    return send(at, WidgetState(id=trigger, json_trigger_value=json.dumps([{"event": event, "value": value}])))


def click_next(at: AppTest, number: object, **more: object) -> AppTest:
    """A run after a click on the button of a drawing."""
    component, texts = components(at)["picture"], [*map(list, query(at).items())]
    click = {"session": at.session_state["session_name"], "number": number, "path": "/", "query": texts} | more
    return send(at, WidgetState(id=component.id, json_value=json.dumps({"next": click})))


# ---- the picture ---------------------------------------------------------------------------


def entries(block: dict) -> Array:
    """The numbers of a block, in the shape in which they are drawn."""
    numbers = np.frombuffer(b64decode(block["values"]), np.float32 if block["single"] else np.float64)
    if block["over_time"]:
        return numbers.reshape(block["columns"], block["rows"]).T
    return numbers.reshape(block["rows"], block["columns"])


def outlined(block: dict) -> Array:
    """Which entries of a block have an outline; of a mean, the share of its entries that have one."""
    return np.frombuffer(b64decode(block["outlined"]), np.float32).reshape(block["rows"], block["columns"])


def frames(block: dict) -> Array:
    """What a block becomes at each step of the playback, of shape (steps, rows, columns)."""
    numbers = np.frombuffer(b64decode(block["frames"]), np.float32 if block["single"] else np.float64)
    return numbers.reshape(-1, block["rows"], block["columns"])


def points(line: dict) -> Array:
    """The heights of a line of a curve or a chart."""
    return np.frombuffer(b64decode(line["values"]), np.float32)


def dots(curve: dict) -> Array:
    """The z of each dot of a curve, and its height."""
    return np.frombuffer(b64decode(curve["dots"])).reshape(-1, 2)


class Shown:
    """The picture on the page as the browser gets it; `shown["z_t"]` is the array of that symbol."""

    def __init__(self, at: AppTest | str, which: int = 0):
        """Of a page, or of what its live part answers to a dial that is dragged."""
        if isinstance(at, str):
            self.picture = _read(at)
        else:
            assert not at.exception
            pictures = [
                found.proto for found in at.get("bidi_component") if found.proto.component_name == "cellscope_picture"
            ]
            self.picture = _read(pictures[which].json)["picture"]
        self.remarks: list[str] = self.picture.pop("remarks")
        packed = self.picture.pop("packed")
        for block in self.picture["blocks"]:
            block.update({name: packed[block[name]] for name in PACKED if block[name] is not None})

    def __getitem__(self, symbol: str) -> Array:
        return entries(self.block(symbol))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown) and self.picture == other.picture

    def block(self, symbol: str) -> dict:
        """The first block of that symbol in an equation or a map, or else in a diagram."""
        items = [item for panel in self.picture["panels"] for row in panel["rows"] for item in row]
        items.sort(key=lambda item: item["kind"] == "diagram")
        parts = [part for item in items for part in item.get("parts", [item]) if part["kind"] == "block"]
        blocks = [self.picture["blocks"][part["index"]] for part in parts]
        return next(block for block in blocks if block["symbol"] == symbol)

    @cached_property
    def symbols(self) -> list[str]:
        return [block["symbol"] for block in self.picture["blocks"]]

    @cached_property
    def panels(self) -> dict[str, dict]:
        """The panels by their titles, from top to bottom."""
        return {panel["title"]: panel for panel in self.picture["panels"]}

    @cached_property
    def lead(self) -> str:
        """What matters most: the callout of the first panel that has one, else what stands above all panels."""
        callouts = filter(None, (panel["callout"] for panel in self.picture["panels"]))
        return next(callouts, None) or self.panels[""]["text"]

    @cached_property
    def curve(self) -> dict:
        (row,) = self.panels["Activate"]["rows"]
        return next(item for item in row if item["kind"] == "curve")

    def assert_finite(self) -> None:
        for block in self.picture["blocks"]:
            numbers = entries(block)
            if block["symbol"] in CELLS:  # of a triangle of gains the other half is no number, and a gain may be 0
                numbers = numbers[np.tril_indices(len(numbers), -1 if block["mean"] else 0)]
                numbers = numbers[numbers != -np.inf]
            # Entries that an unsolved exercise hides, or where no gradient comes back.
            may_lack = block["nothing"] != NOT_A_NUMBER
            assert np.all(np.isfinite(numbers) | (np.isnan(numbers) & may_lack)), block["symbol"]
            if block["frames"] is not None:
                over_time = frames(block)
                assert np.all(np.isfinite(over_time) | (np.isnan(over_time) & may_lack)), block["symbol"]
            assert np.isfinite(block["scale"]["low"]) and np.isfinite(block["scale"]["high"]), block["symbol"]
        words = json.dumps([self.picture["panels"], [block["hover"] for block in self.picture["blocks"]]])
        assert "= nan" not in words and "= inf" not in words


class Control(NamedTuple):
    """A control, a value for it, what is seen of that value, and the link on which it can be seen."""

    name: str
    value: Any
    sees: Callable[[Shown], bool]
    link: Mapping[str, str] = MappingProxyType({})

    def __str__(self) -> str:
        return self.name


def assert_reaches_the_picture(control: Control, path: str = "") -> None:
    """What the control does is seen from a link, and undone by its widget."""
    before = _opened(path, **control.link)
    assert not control.sees(Shown(before))
    at = open_link(path, **control.link | {control.name: as_text(control.value)})
    assert not at.warning
    assert control.sees(Shown(at))
    assert Shown(choose(at, **{control.name: chosen(before, control.name)})) == Shown(before)


@cache
def _opened(path: str, /, **parameters: str) -> AppTest:
    """What a link opens; only to be read."""
    return open_link(path, **parameters)


def _read(text: str) -> Any:
    # Python reads and writes NaN and Infinity, which are not JSON: no browser would read them.
    return json.loads(text, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON.")
