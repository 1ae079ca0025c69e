"""The picture's JavaScript: all modules are of one digest, and what needs no page is tried on many values at once."""

import json
import re
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.activations import ACTIVATIONS
from dashboard.drawing import colours, matrices, scales
from dashboard.drawing.arithmetic import number
from dashboard.drawing.charts import Line, chart, curve
from dashboard.drawing.matrices import block, op, stacked
from dashboard.drawing.panels import as_picture, literal, panel
from dashboard.server import assets
from tests.browser.page import visit
from tests.live import await_picture

SCALE = scales.symmetric("weights", 10)

Call = Callable[..., Any]


@pytest.fixture
def call(page: Page, server: str) -> Call:
    """Calls a function of JavaScript, which may import our modules."""
    page.goto(f"{server}/_stcore/health")
    # As texts many numbers come and go faster.
    called = "async (values) => JSON.stringify(await ({})(...JSON.parse(values)))".format
    return lambda source, *values: json.loads(page.evaluate(called(source), json.dumps(values)))


# ---- one digest ----------------------------------------------------------------------------


@pytest.mark.slow
def test_all_modules_are_asked_for_at_once_with_one_digest_and_again_if_one_did_not_arrive(browser, server):
    page, asked = browser.new_page(), []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.route("**/plot.js", lambda route: route.abort())
    page.goto(f"{server}/?init=normal")
    failed = page.get_by_text(re.search(r'FAILED = "(.*)"', assets.LOADER)[1])
    expect(failed.first).to_be_visible(timeout=20_000)
    page.unroute("**/plot.js")
    await_picture(page)
    expect(failed).to_have_count(0)
    page.close()
    modules = [
        path.removeprefix(f"/assets/{assets.digest()}/") for path in asked if path.startswith(("/assets/", "/app/"))
    ]
    attempts = [path.split("/", 1) for path in modules]
    last = str(max(int(attempt) for attempt, _ in attempts))
    assert last != "0"
    for attempt in ("0", last):
        assert {path for at, path in attempts if at == attempt} == set(assets.modules())


def test_a_browser_fetches_the_modules_once(page: Page, server: str):
    visit(page, f"{server}/?example=lab")
    visit(page, f"{server}/lstm")
    sizes = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/')).map(({ transferSize }) => transferSize)"
    found = page.evaluate(sizes)
    assert (len(found), sum(found)) == (len(assets.modules()), 0)


@pytest.mark.parametrize("path", ["lstm", "practice"])
def test_the_modules_and_the_font_come_once_while_streamlit_starts(page: Page, server: str, path: str):
    loaded = "performance.getEntriesByType('resource').map(({ name, startTime }) => [name, startTime])"
    ours = f"{loaded}.filter(([name]) => name.includes('/assets/') || name.includes('KaTeX_Math'))"
    components = f"{loaded}.filter(([name]) => name.includes('/BidiComponent.'))"  # without it nothing of ours can run
    count = len(assets.modules()) + 1
    page.goto(f"{server}/{path}")
    page.wait_for_function(f"() => {ours}.length >= {count} && {components}.length > 0")
    started = [time for _, time in page.evaluate(ours)]
    ((_, components_started),) = page.evaluate(components)
    assert len(started) == count and max(started) < components_started


# ---- numbers and names ---------------------------------------------------------------------


def test_a_number_is_printed_in_a_cell_as_in_a_sentence(call: Call):
    draw = np.random.default_rng(0)
    spread = draw.choice([-1, 1], 1500) * 10 ** draw.uniform(-9, 13, 1500)
    ties = draw.integers(-(10**7), 10**7, 500) / 2.0 ** draw.integers(0, 8, 500)
    edges = [sign * 0.5 * 10.0**-power * by for power in range(8) for sign in (-1, 1) for by in (1 - 1e-9, 1, 1 + 1e-9)]
    extremes = [0.0, -0.0, 5e-324, 1e308, 1e6, 1e6 - 1, 999_999.5, 1e6 + 0.5, 1e21, -1e21]
    values = [*spread.tolist(), *ties.tolist(), *edges, *extremes]
    printed = call(
        """async (values) => {
          const { number } = await import("/app/static/picture/number_format.js")
          return [0, 1, 2, 3, 4, 5, 6].map((decimals) => values.map((value) => number(value, decimals)))
        }""",
        values,
    )
    for decimals, texts in enumerate(printed):
        assert texts == [number(value, decimals) for value in values]


def test_subscripts_are_those_of_symbols_alone(call: Call):
    symbols = {
        "W_h": "W<h>",
        "W_{hh}h": "W<hh>h",
        "f_t∘c_{t−1}": "f<t>∘c<t−1>",
        "proj_size": "proj_size",
        "a__b": "a_b",
        "a_": "a_",
        "_": "_",
        "": "",
    }
    draw = np.random.default_rng(0)
    plain = ["".join(draw.choice(list("ab_{}1 ∘"), size)) for size in draw.integers(0, 12, 500)]
    marked = call(
        """async (texts) => {
          const { pieces } = await import("/app/static/picture/text.js")
          return texts.map((text) => pieces(text).map(({ text, low }) => (low ? `<${text}>` : text)).join(""))
        }""",
        [*symbols, *map(literal, plain)],
    )
    assert marked == [*symbols.values(), *plain]


def test_a_cell_is_called_by_the_entries_that_are_in_it(call: Call):
    draw = np.random.default_rng(0)
    axes, names = [], []
    for _ in range(60):
        parts = [(name, int(draw.integers(1, 9)), "") for name in "hx"[: draw.integers(1, 3)]]
        edges = matrices._edges(parts, int(draw.integers(1, 4)))
        entries = [(name, at) for name, size, _ in parts for at in range(1, size + 1)]
        ends = [(*entries[start], entries[end - 1][1]) for start, end in pairwise(edges)]
        axes.append([matrices._named(parts), edges])
        names.append([f"{name} {first}" + f" to {last}" * (first < last) for name, first, last in ends])
    assert names == call(
        """async (axes) => {
          const { entry } = await import("/app/static/picture/text.js")
          return axes.map(([parts, edges]) => edges.slice(1).map((_, index) => entry(parts, edges, index)))
        }""",
        axes,
    )


def test_a_matrix_is_printed_with_as_many_decimals_as_fit_into_each_of_its_cells(call: Call):
    def fit(texts: list[str], cell: int, font: int = 9) -> bool:
        return font <= cell - 3 and max(map(len, texts)) * font / 2 <= cell - 4

    draw = np.random.default_rng(0)
    matrices = [
        (draw.choice([-1, 1], 6) * draw.uniform(1, 10.0 ** draw.integers(1, 4), 6)).tolist() for _ in range(300)
    ]
    cells, decimals = draw.integers(12, 70, 300).tolist(), draw.integers(0, 7, 300).tolist()
    printed = call(
        """async (matrices, cells, decimals) => {
          const { fitting } = await import("/app/static/picture/printed_digits.js")
          const ink = { width: (text, font) => (text.length * font) / 2 }
          return matrices.map((numbers, index) => fitting(ink, numbers, cells[index], decimals[index]))
        }""",
        *(matrices, cells, decimals),
    )
    for numbers, cell, most, found in zip(matrices, cells, decimals, printed, strict=True):
        least = 0 if max(map(abs, numbers)) >= 100 else min(most, 1)
        fewer = {few: [number(value, few) for value in numbers] for few in range(most, least - 1, -1)}
        decimals, texts = next(((few, texts) for few, texts in fewer.items() if fit(texts, cell)), (None, None))
        assert (found or {}).get("decimals") == decimals
        fonts = [font for font in range(9, 15) if texts and fit(texts, cell, font)]
        assert (found or {}).get("font") == max(fonts, default=None)


def test_a_tip_has_no_more_digits_than_travelled(call: Call):
    exact, rounded = np.full((2, 3, 1), 0.1), np.full((matrices.MOST_IN_FULL, 3, 1), 0.1)
    shown = [block("h", frames[0], SCALE, rows=[("unit", 3, "")], frames=frames) for frames in (exact, rounded)]
    tips = call(
        """async (data) => {
          const { kindOf, unpack } = await import("/app/static/picture/items.js")
          return unpack(data)[0][0].map((item) => kindOf(item).describe(item, 2, 0, 1))
        }""",
        as_picture([panel("", "", shown, alt="")], decimals=2, unit=0),
    )
    assert tips == ["h, unit 3: 0.1"] * 2


# ---- layout --------------------------------------------------------------------------------

# As if every character were as wide.
LAYOUT = """async (data, rooms) => {
  const { unpack } = await import("/app/static/picture/items.js")
  const { placed, planned } = await import("/app/static/picture/layout.js")
  const width = (text, font) => 0.55 * font * text.length
  const shown = ({ item, ...place }) => ({ ...place, kind: item.kind })
  const [panels, again] = [unpack(data), unpack(data)]
  return panels.map((rows, index) => {
    const ink = { ...rooms[index], tall: Infinity, zoom: 1, look: { font: "f" }, widths: new Map(), width }
    const plan = planned(ink, rows)
    const strips = (plan) => placed(ink, plan).map((strip) => ({ ...strip, places: strip.places.map(shown) }))
    return { cell: plan.cell, strips: strips(plan), again: strips(planned(ink, again[index], plan)) }
  })
}"""


def matrix(draw: np.random.Generator, most: int) -> dict:
    rows, *sizes = draw.integers(1, most, 3).tolist()
    parts = [("h", sizes[0], "W_{hh}"), ("x", sizes[1], "W_{hx}")][: draw.integers(1, 3)]
    array = draw.normal(size=(rows, sum(size for _, size, _ in parts)))
    return block("W_h", array, SCALE, rows=[("unit", rows, "")], columns=parts, units=bool(draw.integers(2)))


def stack(draw: np.random.Generator, most: int) -> dict:
    h, x = draw.integers(1, most, 2).tolist()
    return block("[h; x]", draw.normal(size=(h + x, 1)), SCALE, rows=[("h", h, "h_{t−1}"), ("x", x, "x_t")])


def dots(units: int) -> dict:
    z = np.linspace(-9, 9, units)
    return curve(ACTIVATIONS["tanh"], z, np.tanh(z), (-2, 2))


def rows_of_items(draw: np.random.Generator) -> list[list[dict]]:
    """Rows as the pages have them: matrices and operators between them, curves, and a chart with no name for its axis."""
    most = int(draw.choice([4, 12, 40, 200]))

    def some() -> dict:
        return (matrix, stack)[draw.integers(2)](draw, most)

    rows = []
    for _ in range(draw.integers(1, 4)):
        between = [item for _ in range(draw.integers(5)) for item in (op(str(draw.choice(["·", "add up to"]))), some())]
        rows.append([some(), *between, op("=", align=True), stacked(some(), some())])
    rows.append([dots(most), some()])
    return [*rows, [chart([Line("", np.arange(5.0), colours.LINES[0])], x_label="x", y_label="")]]


def test_everything_has_a_place_of_its_own_within_its_strip_and_the_page(call: Call):
    draw = np.random.default_rng(0)
    panels = [rows_of_items(draw) for _ in range(42)]
    # From a small phone to a large screen.
    rooms = [{"limit": limit, "largest": largest} for limit in (280, *range(320, 1900, 83)) for largest in (40, 68)]
    data = as_picture([panel("", "", *rows, alt="") for rows in panels], decimals=2, unit=0)
    for rows, room, found in zip(panels, rooms, call(LAYOUT, data, rooms), strict=True):
        strips = found["strips"]
        assert found["again"] == strips
        items = [part for row in rows for item in row for part in item.get("parts", [item])]
        assert [place["kind"] for strip in strips for place in strip["places"]] == [item["kind"] for item in items]
        assert found["cell"] <= room["largest"]
        ends = list(accumulate(strip["height"] for strip in strips))
        assert [strip["top"] for strip in strips] == [0, *ends[:-1]]
        for strip, end in zip(strips, ends, strict=True):
            bodies = [place for place in strip["places"] if place["kind"] != "op"]
            assert bodies  # no operator stands alone
            for body in bodies:
                assert strip["top"] < body["y"] and body["y"] + body["height"] < end
                assert body["x"] + body["width"] <= room["limit"] or found["cell"] == 1
            for one, other in pairwise(bodies):
                beside = one["x"] + one["width"] < other["x"]
                assert beside or (one["x"] == other["x"] and one["y"] + one["height"] < other["y"])


def test_a_cell_is_as_large_as_the_page_and_its_panel_let_it_be(call: Call):
    cases = [(size, limit) for size in (1, 2, 7, 30, 60, 100) for limit in (360, 700, 1200)]
    alone = [block("W", np.zeros((k, k)), SCALE, rows=[("", k, "")], columns=[("", k, "")]) for k, _ in cases]
    data = as_picture([panel("", "", [item], alt="") for item in alone], decimals=2, unit=0)
    cells = [*(1 + quarters / 4 for quarters in range(28)), *range(8, 41)]
    found = call(LAYOUT, data, [{"limit": limit, "largest": 40} for _, limit in cases])
    for (size, limit), shown in zip(cases, found, strict=True):
        # With a frame on both sides, a symbol above and a shape below.
        assert shown["cell"] == max(cell for cell in cells if 4 + size * cell <= limit and 41 + size * cell <= 640)


# ---- the keys ------------------------------------------------------------------------------


def test_the_keys_come_to_every_column_and_never_leave_a_matrix_but_for_the_next(call: Call):
    draw = np.random.default_rng(0)
    sizes = [draw.integers(1, 6, (draw.integers(1, 6), 2)).tolist() for _ in range(100)]
    pictures = [[{"rows": rows, "columns": columns} for rows, columns in grids] for grids in sizes]
    walks = call(
        """async (pictures) => {
          const { moved } = await import("/app/static/interact/hover.js")
          const start = { index: 0, row: 0, column: 0 }
          const walk = (grids, at, move) => Array.from({ length: 30 }, () => (at = moved(grids, at, move)))
          return pictures.map((grids) => {
            const right = walk(grids, { ...start, column: -1 }, [0, 1])
            return {
              right,
              left: walk(grids, right.at(-1), [0, -1]),
              down: walk(grids, start, [1, 0]),
              end: moved(grids, start, [0, Infinity]),
              smaller: moved(grids, { index: 99, row: 99, column: 99 }, [0, 0]),
            }
          })
        }""",
        pictures,
    )
    for grids, walk in zip(pictures, walks, strict=True):
        columns = [(index, column) for index, grid in enumerate(grids) for column in range(grid["columns"])]
        right, left = ([(step["index"], step["column"]) for step in walk[way]] for way in ("right", "left"))
        assert right == (columns + 30 * columns[-1:])[:30]
        assert left == (columns[-2::-1] + 30 * columns[:1])[:30]
        rows, across = grids[0]["rows"], grids[0]["columns"]
        assert [step["row"] for step in walk["down"]] == [min(at, rows - 1) for at in range(1, 31)]
        assert walk["end"] == {"index": 0, "row": 0, "column": across - 1}
        assert walk["smaller"] == {"index": columns[-1][0], "row": grids[-1]["rows"] - 1, "column": columns[-1][1]}


# ---- a saved drawing -----------------------------------------------------------------------

# Of a canvas and of what writes SVG: every call, and the state that it was made in.
RECORDED = """(target) => {
  const scratch = document.createElement("canvas").getContext("2d")
  const state = () => {
    const names = ["fillStyle", "strokeStyle", "lineWidth", "globalAlpha", "font", "textAlign"]
    return [...names.map((name) => ((scratch[name] = target[name]), scratch[name])), ...(target.dash ?? target.getLineDash())]
  }
  const calls = []
  const called = (name) => (...values) => {
    calls.push([name, values.filter((value) => !(value instanceof HTMLElement)), state()])
    return target[name](...values)
  }
  const get = (_, name) => (typeof target[name] === "function" ? called(name) : target[name])
  return { calls, context: new Proxy(target, { get, set: (_, name, value) => ((target[name] = value), true) }) }
}"""


def test_a_drawing_is_saved_by_the_calls_that_drew_it(call: Call):
    draw = np.random.default_rng(0)
    time, z = {"rows": [("unit", 6, "")], "columns": [("t", 256, "")]}, draw.normal(size=(6, 256))
    half = np.where(np.eye(3) > 0, np.nan, 1.0)
    lines = [Line("one", np.arange(5.0), colours.LINES[0]), Line("", -np.arange(5.0), colours.LINES[1], colours.DASHED)]
    rows = [
        [matrix(draw, 6), op("·"), stack(draw, 3), op("=", align=True), stacked(matrix(draw, 5), stack(draw, 2))],
        [block("h_t", z, SCALE, **time, over_time=True, outlined=z > 1, units=True)],
        [block("RNN", half, SCALE, rows=[("", 3, "")], columns=[("", 3, "")], outlined=half == 1)],
        [stacked(dots(5), dots(3))],
        [chart(lines, x_label="x", y_label="y")],
    ]
    drawn, saved = call(
        f"""async (data) => {{
          const {{ unpack }} = await import("/app/static/picture/items.js")
          const {{ makeInk }} = await import("/app/static/picture/theme.js")
          const {{ placed, planned, placeLegends }} = await import("/app/static/picture/layout.js")
          const {{ print }} = await import("/app/static/picture/printed_digits.js")
          const {{ paintStrip }} = await import("/app/static/picture/paint.js")
          const {{ SvgContext }} = await import("/app/static/interact/save_svg.js")
          const look = {{ text: "#111111", accent: "#c2006b", outline: "#007a3d", paper: "#ffffff", font: "sans-serif" }}
          const ink = makeInk(look, 900, 40, new Map(), 1)
          const strips = placed(ink, planned(ink, unpack(data)[0]))
          print(ink, strips.flatMap(({{ places }}) => places), 4, 2)
          strips.push({{ top: 2000, places: [], ...placeLegends(ink, data.panels[0].legends, true) }})
          const picture = {{ data, step: 4, pointed: {{ place: strips[0].places[0], row: 0, column: 0 }} }}
          return [document.createElement("canvas").getContext("2d"), new SvgContext(900, 2100)].map((target) => {{
            const {{ context, calls }} = ({RECORDED})(target)
            for (const strip of strips) paintStrip(picture, {{ ...ink, context }}, strip)
            return calls
          }})
        }}""",
        as_picture([panel("", "", *rows, alt="")], decimals=2, unit=1),
    )
    assert {name for name, *_ in drawn} >= {"fillRect", "fillText", "drawImage", "clip", "restore", "arc", "closePath"}
    assert saved == drawn


def test_what_a_canvas_restores_is_restored_in_a_file(call: Call):
    restored, written = call(
        f"""async (steps) => {{
          const {{ SvgContext }} = await import("/app/static/interact/save_svg.js")
          const changes = [
            (it, at) => (it.fillStyle = ["#102030", "#ff0000", "#00ff00"][at]),
            (it, at) => (it.strokeStyle = ["#102030", "#ff0000", "#00ff00"][at]),
            (it, at) => (it.lineWidth = 1 + at),
            (it, at) => (it.globalAlpha = at / 4),
            (it, at) => (it.font = `${{10 + at}}px serif`),
            (it, at) => (it.textAlign = ["left", "right", "center"][at]),
            (it, at) => it.setLineDash([[], [6, 4], [1, 1]][at]),
            (it) => it.clip(),
            (it) => it.save(),
            (it) => it.restore(),
          ]
          return [document.createElement("canvas").getContext("2d"), new SvgContext(9, 9)].map((target) => {{
            const {{ context, calls }} = ({RECORDED})(target)
            for (const [change, at] of steps) changes[change](context, at)
            return calls
          }})
        }}""",
        np.random.default_rng(0).integers(0, (10, 3), (1000, 2)).tolist(),
    )
    assert len(restored) > 300
    assert written == restored
