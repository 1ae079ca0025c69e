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
from urllib.parse import urlsplit

import numpy as np
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest

from core.arrays import Array
from core.cells import CELLS
from core.examples import first_of
from dashboard.choices import DIALS
from dashboard.serve import films
from tests.live import PATIENCE

APP = Path(__file__).parents[2] / "dashboard" / "pages.py"
# Every page of a cell by its path, and what a link must say for all its widgets to be there.
PAGES = {
    "": {"edit": "true"},
    "lstm": {"y": "true"},
    "saturation": {"source": "typed"},
    "sequence": {"input": "word", "m": "4", "typed": "xs~1_2_3_4"},
    "gradients": {},
}
# And what has widgets of its own, but is about no cell.
WITH_WIDGETS = PAGES | {
    "shapes": {},
    "practice": {},
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

    It has the films of the stories made. It looks through every installed package for components, and ours comes from none of them. And in every run it
    compiles the app and its page, where a server has a cache: that is two fifths of a run.
    """
    with (
        patch.object(films, "make_ahead"),
        patch.object(BidiComponentManager, "discover_and_register_components"),
        patch.object(ScriptCache, "get_bytecode", ScriptCache().get_bytecode),  # of one cache for all
    ):
        yield


def open_link(path: str = "", /, **parameters: str | list[str]) -> AppTest:
    """The page that a link with this path and these parameters opens; a list repeats its parameter."""
    at = AppTest.from_file(APP, default_timeout=PATIENCE)
    if path:
        at.switch_page(f"views/{path}.py")
    # The bare path of some pages means an example of their own.
    bare = {} if parameters or first_of(path) == "lab" else {"example": "lab"}
    at.query_params.update(parameters | bare)
    return at.run()


def as_text(value: Any) -> str:
    """A value as a link says it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def widgets(at: AppTest) -> dict:
    """Every widget of Streamlit's by its key."""
    return {widget.key: widget for kind in WIDGETS for widget in at.get(kind)}


def components(at: AppTest) -> dict[str, Any]:
    """Our own components by their names: the dials, the picture, and what keeps numbers in the browser."""
    return {found.proto.component_name.removeprefix("cellscope_"): found.proto for found in at.get("bidi_component")}


def links(at: AppTest) -> dict[str, str]:
    """What the links to the pages say, by their titles."""
    groups = json.loads(components(at)["navigation"].json)["groups"]
    return {link["title"]: urlsplit(link["address"]).query for group in groups for link in group["links"]}


def dials(at: AppTest) -> dict[str, dict]:
    """Every dial by its name, as the browser gets it."""
    given = json.loads(components(at)["dials"].json)["dials"] if "dials" in components(at) else []
    return {dial["name"]: dial for dial in given}


def controls(at: AppTest) -> set[str]:
    """The names of all widgets and dials."""
    return widgets(at).keys() | dials(at).keys()


def chosen(at: AppTest, name: str) -> Any:
    """What a widget or a dial says; of a dial that is not on the page, what the address says of it, if anything."""
    if name not in DIALS:
        return at.session_state[name] if name in at.session_state else None
    text = dials(at)[name]["text"] if name in dials(at) else at.query_params.get(name)
    return None if text is None else float(text)


def choose(at: AppTest, **choices) -> AppTest:
    """Set widgets and dials one after the other, each with a run of its own as in a browser."""
    for name, value in choices.items():
        if name in DIALS:
            leave(at, **{name: as_text(value)})
        else:
            widgets(at)[name].set_value(value).run()
    return at


# ---- what a browser sends ------------------------------------------------------------------


def send(at: AppTest, *states: WidgetState) -> AppTest:
    """A run with these states in the place of what the widgets say."""
    own = {state.id for state in states}
    kept = [state for state in at._tree.get_widget_states().widgets if state.id not in own]
    return at._run(WidgetStates(widgets=[*kept, *states]))


def send_event(at: AppTest, component: str, event: str, value: Any) -> AppTest:
    """A run after an event of one of our components."""
    trigger = _make_trigger_id(components(at)[component].id, "events")
    return send(at, WidgetState(id=trigger, json_trigger_value=json.dumps([{"event": event, "value": value}])))


def drag(at: AppTest, dragged: Any, *, id: str | None = None) -> AppTest:
    """What dials say while they are in hand, and the run of the live part after it: then the tree has nothing else."""
    id = id or components(at)["dials"].id
    return send(at, WidgetState(id=id, json_value=json.dumps({"dragged": dragged})))


def leave(at: AppTest, **texts: str) -> AppTest:
    """Let dials go there: the browser writes the address, and says so to the server."""
    shown = dials(at)
    said = {name: "" if text == shown[name]["default"] else text for name, text in texts.items()}
    for name, text in said.items():
        at.query_params.pop(name, None)
        if text:
            at.query_params[name] = text
    return send_event(at, "dials", "left", {"said": said, "turn": 2})


# ---- what is drawn -------------------------------------------------------------------------


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
    """What a block becomes at each step of the scrub, of shape (steps, rows, columns)."""
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
        """The first block of that symbol."""
        return next(block for block in self.picture["blocks"] if block["symbol"] == symbol)

    @cached_property
    def symbols(self) -> list[str]:
        return [block["symbol"] for block in self.picture["blocks"]]

    @cached_property
    def panels(self) -> dict[str, dict]:
        """The panels by their titles, from top to bottom."""
        return {panel["title"]: panel for panel in self.picture["panels"]}

    @cached_property
    def lead(self) -> str:
        """What stands above all panels."""
        return self.panels[""]["text"]

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
            may_lack = (
                block["nothing"] != "not a number"
            )  # of an exercise that is not solved, or of what never comes back
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
