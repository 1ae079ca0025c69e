"""Anything that can be sent: links, values of widgets, drags, events, edits and files, by mistake or of somebody who means harm."""

import json
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import hypothesis.strategies as st
import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from core import arrays
from core.arrays import Array
from core.cells import CELLS
from core.exchange.array_files import to_npz
from core.exchange.matrix_text import to_link
from core.exchange.scenario_json import to_json
from core.exchange.weight_layouts import to_pytorch
from core.practice import KINDS
from core.scenario import Scenario
from core.sequence import unroll
from dashboard.server import drag_socket
from dashboard.state.page_list import PAGES
from dashboard.state.parameters import LARGEST_SIZE, SCALES, SLIDERS, VALUE_RULES, VIEW_PARAMS, Number, OneOf
from dashboard.state.parameters.rules import SomeOf
from tests.core.test_array_files import BROKEN, NPY_HEADERS, TENSORS, archive, npy, npz, safetensors
from tests.dashboard.page import (
    WITH_WIDGETS,
    Shown,
    change,
    click_next,
    components,
    drawn_controls,
    followed,
    open_link,
    send,
    send_event,
    written,
)

# The sessions are so long: a link, and what is done on the page that it opens.
ACTS = 4
# The largest size that is said where one is allowed: a run with larger ones takes seconds, and the bench has them all.
LARGEST = LARGEST_SIZE
VIEWS = (*WITH_WIDGETS, "questions", "examples")
MARKUP = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "**bold** :red[red] :material/check:",
    r"$\href{javascript:alert(1)}{x}$",
    "{{7*7}} ${7*7} #{7*7} %s %n",
    "'; DROP TABLE cells; --",
    "../../etc/passwd",
)
NO_NUMBERS = (
    "",
    " ",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "9" * 5000,
    "0" * 5000 + "3",
    "٣",
    "²",
    "½",
    "−1",
    "0x10",
    "1_000",
)
OTHERS = ("None", "null", "true", "True", "[1]", "{}", "\0", "\u202e", "\ud800", "a\u2028b", "+", "%00", "&=&")


def printable(some: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """As it can be sent: no message holds a lone surrogate."""
    return some.map(lambda text: text.encode("utf-8", "replace").decode())


texts = printable(st.sampled_from((*MARKUP, *NO_NUMBERS, *OTHERS)) | st.text(max_size=40))
whole = st.sampled_from([0, -1, 1, 2, 3, 512, 513, 2**31, 2**53 + 1, -(2**63)]) | st.integers(-10, 600)
reals = st.sampled_from([0.0, -0.0, 5e-324, 1e9, -1e9, 1e308, np.nan, np.inf, -np.inf]) | st.floats()
anything = st.recursive(
    st.none() | st.booleans() | whole | reals | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
NAMES = (*Scenario().shapes(), "xs", "W", "b_h.0")


# ---- what a link says ---------------------------------------------------------------------------


@st.composite
def arrays_by_name(draw) -> dict[str, Array]:
    """Some arrays, as far as names and shapes go most often such as the lab has."""
    shapes = {**Scenario().shapes(), "xs": (4, 2)}
    names = draw(st.sets(st.sampled_from(NAMES), min_size=1, max_size=3))
    sizes = st.integers(1, 5)
    entry = st.integers(-9, 9) | st.floats(-1e9, 1e9)
    made = {}
    for name in names:
        rows, columns = shapes.get(name) if name in shapes and draw(st.booleans()) else (draw(sizes), draw(sizes))
        made[name] = np.array([[draw(entry) for _ in range(columns)] for _ in range(rows)])
    return made


def lists_of(rule: SomeOf) -> st.SearchStrategy[str]:
    """Texts of some options, which the rule allows."""
    return st.lists(st.sampled_from(rule.options), min_size=1, max_size=rule.most, unique=True).map(",".join)


def said(name: str) -> st.SearchStrategy[str]:
    """What a link may say of a parameter: most often what it takes, or its bounds, and else anything."""
    rule = VALUE_RULES.get(name)
    if name == "scale":
        allowed = st.sampled_from(SCALES).map("{:g}".format)
    elif isinstance(rule, OneOf):
        allowed = st.sampled_from(rule.options)
    elif isinstance(rule, SomeOf):
        allowed = lists_of(rule)
    elif isinstance(rule, Number):
        high = LARGEST if rule.high == LARGEST_SIZE else rule.high
        bounds = st.sampled_from([rule.low, high, rule.low - 1, rule.high + 1])
        inside = st.integers(int(rule.low), min(int(high), 12)) | st.floats(rule.low, high)
        allowed = (bounds | inside).map(lambda value: f"{value:.17g}")
    elif name == "kept":
        some = st.sets(st.sampled_from(NAMES), max_size=3)
        allowed = some.map(lambda names: "~~".join(f"{name}~0123456789ab" for name in sorted(names)))
    elif name == "typed":
        allowed = arrays_by_name().map(to_link)
    else:
        allowed = texts
    return allowed | allowed | texts


@st.composite
def links(draw) -> dict[str, str | list[str]]:
    """A query: known parameters and unknown ones, now and then repeated."""
    names = draw(st.sets(st.sampled_from(list(VALUE_RULES)), max_size=8)) | draw(st.sets(texts, max_size=1))
    query = {}
    for name in names:
        values = [draw(said(name)) for _ in range(draw(st.sampled_from([1, 1, 1, 1, 2])))]
        query[name] = values[0] if len(values) == 1 else values
    for tool in ("edit", "take"):
        query.setdefault(tool, draw(st.sampled_from(["true", "false"])))
    return query


# ---- what is done on a page ----------------------------------------------------------------------


def set_widget(at: AppTest, draw: Callable) -> AppTest:
    """Any value of the type that a widget sends."""
    states = list(at._tree.get_widget_states().widgets)
    if not states:
        return at.run()
    state = draw(st.sampled_from(states))
    kind = state.WhichOneof("value")
    name = state.id.rpartition("-")[2].partition(" ")[0]
    if kind == "double_value":
        state.double_value = draw(numbers(name))
    elif kind == "double_array_value":
        state.double_array_value.data[:] = [draw(numbers(name))]
    elif kind == "string_value":
        state.string_value = draw(typed_texts | said(name))
    elif kind == "string_array_value":
        state.string_array_value.data[:] = [draw(said(name))]
    elif kind == "bool_value":
        state.bool_value = not state.bool_value
    elif kind == "trigger_value":
        state.trigger_value = True
    return followed(send(at, state))


def set_control(at: AppTest, draw: Callable) -> AppTest:
    """Press a button of ours, or change some settings in the URL to anything."""
    actions = [control for control in drawn_controls(at).values() if control["kind"] == "action"]
    of_actions = st.sampled_from([control["patch"] for control in actions]) if actions else st.nothing()
    return change(at, draw(queries() | queries() | of_actions))


def numbers(name: str) -> st.SearchStrategy[float]:
    """Any number; of a widget of whole numbers a finite one, for at others Streamlit itself raises before we see them."""
    if name.startswith("set_at") or getattr(VALUE_RULES.get(name), "whole", False):
        return whole.map(float)
    return reals | whole.map(float)


def happen(at: AppTest, draw: Callable) -> AppTest:
    """Any answer on what is stored, and any event of components that send none."""
    shown = components(at)
    name = draw(st.sampled_from(sorted(shown)))
    if name == "keeper":
        return send_event(at, name, "answer", draw(answers(shown[name]) | anything))
    if name == "picture":
        if draw(st.booleans()):
            return click_next(at, draw(whole | anything))
        return send(at, WidgetState(id=shown[name].id, json_value=json.dumps({"next": draw(anything)})))
    return send_event(at, name, draw(st.sampled_from(["unit", "step", "left"])), draw(whole | anything))


def drag(at: AppTest, draw: Callable) -> AppTest:
    """Ask for any picture of a drag, if there is a picture, and run the page again."""
    if "live_picture" in at.session_state:
        said = written(at, draw(queries()))
        Shown(drag_socket.drawn(at.session_state["live_picture"].draw, said)).assert_finite()
    return at.run()


@st.composite
def queries(draw) -> dict[str, str]:
    """Changes of a query: of what there are sliders for, and of others."""
    names = draw(st.sets(st.sampled_from(SLIDERS), max_size=3)) | draw(
        st.sets(st.sampled_from(list(VALUE_RULES)) | texts, max_size=1)
    )
    return {name: draw(said(name)) for name in names}


@st.composite
def answers(draw, keeper: Any) -> dict:
    """What a browser may say of what it keeps, of the digests that it is asked for and of others."""
    asked = json.loads(keeper.json)
    digests = texts | st.sampled_from([*asked["here"], *asked["wanted"], "0123456789ab"])
    kept = arrays_by_name().map(lambda made: b64encode(to_npz(made)).decode())
    parts = st.sampled_from(["full", "lacks", "lost", "found"])
    return draw(st.dictionaries(parts, st.dictionaries(digests, kept | anything, max_size=2) | anything, max_size=4))


def edit_cells(at: AppTest, draw: Callable) -> AppTest:
    """Any edit of the grid, if it is open."""
    grids = at.data_editor
    if not grids:
        return at.run()
    places = st.integers(-1, 6).map(str)
    cells = st.dictionaries(places | texts, st.integers(-9, 9) | anything, max_size=3)
    edits = {
        "edited_rows": draw(st.dictionaries(places, cells | anything, max_size=3)),
        "added_rows": draw(st.lists(cells, max_size=1)),
        "deleted_rows": draw(st.lists(st.integers(-1, 4), max_size=1)),
    }
    state = WidgetState(id=grids[0].proto.id, string_value=json.dumps(edits))
    return followed(send(at, state), state)


def upload(at: AppTest, draw: Callable) -> AppTest:
    """Any file, if one can be opened."""
    if not at.file_uploader:
        return at.run()
    name, data = draw(files())
    return followed(at.file_uploader[0].upload(name, data).run())


def turn_page(at: AppTest, draw: Callable) -> AppTest:
    return at.switch_page(PAGES[draw(st.sampled_from(VIEWS))].script).run()


DEEDS = (set_widget, set_widget, set_control, set_control, happen, drag, edit_cells, upload, turn_page)


@st.composite
def numbers_as_text(draw) -> str:
    """Rows of what are numbers, most of them."""
    cell = st.integers(-9, 9).map(str) | st.floats().map(repr) | texts
    between = draw(st.sampled_from([" ", ",", "\t", ";", ", "]))
    width = draw(st.integers(1, 4))
    rows = [between.join(draw(cell) for _ in range(width)) for _ in range(draw(st.integers(1, 4)))]
    around = draw(st.sampled_from(["{}", "[[{}]]", "np.array([[{}]])", "[{}"]))
    return around.format(("], [" if "[" in around else "\n").join(rows))


typed_texts = texts | numbers_as_text()


def corpus() -> list[tuple[str, bytes]]:
    """Files that are none, by what their readers are tested with."""
    broken = [("a.npz", write()) for write in BROKEN.values()]
    headers = [("a.npz", archive({"W_hh.npy": npy(header, bytes(8))})) for header in NPY_HEADERS.values()]
    tensors = [("a.safetensors", safetensors(header)) for header in TENSORS.values()]
    return [*broken, *headers, *tensors, ("a.pt", npz()), ("a.pkl", b"\x80\4."), ("W_hh", b"1"), ("W_hh.csv", b"\xff")]


def pytorch(cell: str) -> tuple[str, bytes]:
    scenario = Scenario(m=2, n=3, k=3, init="normal")
    return "a.npz", to_npz(to_pytorch(cell, {name: scenario.base_array(name) for name in scenario.shapes()}))


@st.composite
def scenarios(draw) -> tuple[str, bytes]:
    """A scenario as it is saved, with one thing in the place of another."""
    saved = json.loads(to_json(Scenario(m=2, n=3, k=3, init="normal"), VIEW_PARAMS))
    made = draw(arrays_by_name())
    saved["arrays"] = {name: array.tolist() for name, array in made.items()}
    place = draw(st.sampled_from([saved, saved["choices"], saved["choices"], saved["arrays"]]))
    place[draw(st.sampled_from([*place, *VALUE_RULES]) | texts)] = draw(anything)
    return "a.json", json.dumps(saved).encode()


saved_or_made = st.one_of(
    arrays_by_name().map(lambda made: ("a.npz", to_npz(made))),
    st.sampled_from([name for name, cell in CELLS.items() if cell.LAYOUT]).map(pytorch),
    typed_texts.map(lambda text: ("W_hh.csv", text.encode())),
    anything.map(lambda header: ("a.safetensors", safetensors(header))),
    anything.map(lambda value: ("a.json", json.dumps(value).encode())),
    scenarios(),
    st.sampled_from(corpus()),
)


@st.composite
def files(draw) -> tuple[str, bytes]:
    """A file of ours or one that lies, now and then with bytes changed or under another name."""
    name, data = draw(saved_or_made)
    data = bytearray(data)
    for _ in range(draw(st.sampled_from([0, 0, 1, 5])) if data else 0):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return draw(st.sampled_from(["", "", "", *map(str, MARKUP)])) + name, bytes(data)


# ---- what must hold ------------------------------------------------------------------------------


@contextmanager
def guarded_cells() -> Iterator[None]:
    """Every array that comes to a cell must be finite; its shape the cell checks itself, and raises.

    An exercise alone has infinite biases, where a gate is to be exactly 0 or 1.
    """
    is_exercise = False

    def expect_finite_shape(name: str, array: Array, *rule: Any) -> None:
        assert np.all(np.isfinite(array) | (is_exercise & ~np.isnan(array))), f"{name} is not finite"
        arrays.expect_shape(name, array, *rule)

    def unguarded(make: Callable) -> Callable:
        def made(*given: Any) -> Any:
            nonlocal is_exercise
            is_exercise = True
            try:
                return make(*given)
            finally:
                is_exercise = False

        return made

    with ExitStack() as stack:
        stack.enter_context(patch.dict(KINDS, {kind: unguarded(make) for kind, make in KINDS.items()}))
        # A cell may be a package: the checks stand in the module of its step.
        for module in (*(sys.modules[cell.step.__module__] for cell in CELLS.values()), unroll):
            stack.enter_context(patch.object(module, "expect_shape", expect_finite_shape))
        yield


def assert_sound(at: AppTest) -> None:
    """No traceback, and nothing but finite numbers on the screen."""
    assert not at.exception, at.exception[0].value
    if "picture" in components(at):
        Shown(at).assert_finite()


def session(path: str, draw: Callable) -> int:
    """Open a link and do something hostile some times over, and give how many runs of the app that took."""
    at = open_link(path, **draw(links()))
    assert_sound(at)
    for _ in range(ACTS):
        draw(st.sampled_from(DEEDS))(at, draw)
        assert_sound(at)
    return 1 + ACTS
