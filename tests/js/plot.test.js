// Charts and curves: their titles, their lines, and what names them.

import assert from "node:assert/strict"
import test from "node:test"
import { chart, curve } from "../../dashboard/static/picture/plot.js"
import { SvgContext } from "../../dashboard/static/interact/save_svg.js"

const width = (text, font) => 0.55 * font * text.length
const look = { dark: false, font: "f", text: "#111111", accent: "#c2006b", paper: "#ffffff" }
const inkOf = (limit, alone = false) => ({ limit, largest: 40, tall: Infinity, zoom: 1, look, widths: new Map(), width, alone })
const hue = (light) => ({ light, dark: "#ffffff" })
const line = (label, colour) => ({ label, colour: hue(colour), dash: [], points: Float32Array.of(0, 1, 2), places: null })
const axes = { x_range: [0, 2], y_range: [0, 2], x_ticks: [0, 1, 2], y_ticks: [0, 1, 2], x_label: "updates", y_label: "loss" }
const lines = [line("one", "#0000a1"), line("two", "#0000b2")]
const made = (more = {}) => ({ kind: "chart", ...axes, lines, steps: null, keyed: false, ...more })

function drawn(kind, item, ink, step = 0) {
  const [place] = kind.place(ink, item, { x: 0, y: kind.head(item, ink), cell: 1, middle: 0 })
  const context = new SvgContext(ink.limit, 400)
  kind.draw({ step, data: { unit: 0 } }, { ...ink, context }, place)
  return context.toString()
}

const texts = (svg) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)

test("a chart has the width of its column, and titles on both axes", () => {
  for (const limit of [280, 500, 1100]) {
    assert.equal(chart.size(inkOf(limit), made(), 1).width, limit - 4)
    const svg = drawn(chart, made(), inkOf(limit))
    assert.ok(texts(svg).includes("updates"))
    assert.match(svg, /<text [^>]*rotate\(-90\)[^>]*>loss</)
  }
})

test("a title that is wider than its chart has smaller letters, and another one has not", () => {
  const sizeOf = (x_label) => {
    const svg = drawn(chart, made({ x_label }), inkOf(300))
    const [shown] = svg.match(new RegExp(`<text [^>]*>${x_label}<`))
    return { x: Number(shown.match(/ x="([\d.]+)"/)[1]), font: Number(shown.match(/font-size="([\d.]+)"/)[1]) }
  }
  assert.equal(sizeOf("updates").font, 13)
  const long = "updates of one of several long trainings"
  const { x, font } = sizeOf(long)
  assert.ok(font < 13 && x >= 0 && x + width(long, font) <= 300)
})

test("a curve is as wide as it may be at the most", () => {
  const item = { kind: "curve", ...axes, lines: [], widest: 400, in_row: 1, beside: 1 }
  assert.equal(curve.size(inkOf(1100), item, 1).width, 400)
  assert.equal(curve.size(inkOf(300), item, 1).width, 296)
  assert.equal(curve.size(inkOf(1100), { ...item, widest: null }, 1).width, 1096)
})

test("in the projector view the curves of a row share its line", () => {
  const item = { kind: "curve", ...axes, lines: [], widest: null, in_row: 3, beside: 1 }
  assert.equal(curve.size(inkOf(1100), item, 1).width, 1096)
  assert.ok(3 * curve.size({ ...inkOf(643), zoom: 1.85 }, item, 1).width + 2 * 10 <= 639)
})

test("in the projector view four curves that may stand in two lines do so if they would be narrow", () => {
  const item = { kind: "curve", ...axes, lines: [], widest: null, in_row: 4, beside: 2 }
  const shown = curve.size({ ...inkOf(628), zoom: 1.25 }, item, 1).width
  assert.ok(shown >= 300 && 2 * shown + 10 <= 624)
  assert.ok(4 * curve.size({ ...inkOf(1400), zoom: 1.25 }, item, 1).width + 3 * 10 <= 1396)
})

test("a plot is as low as the window of a projector asks, but not flat", () => {
  const height = (tall) => chart.size({ ...inkOf(500), tall }, made(), 1).height
  assert.ok(height(Infinity) > 200)
  assert.equal(height(150.5), 150)
  assert.equal(height(20), height(0))
})

test("curves that may stand side by side share a line where there is room", () => {
  const item = { kind: "curve", ...axes, lines: [], widest: null, in_row: 3, beside: 2 }
  const wide = curve.size(inkOf(710), item, 1).width
  assert.ok(wide > 340 && 2 * wide + 10 <= 706)
  assert.equal(curve.size(inkOf(500), item, 1).width, 496)
})

test("lines that the key of the picture names are named in the chart only in a file", () => {
  const keyed = made({ keyed: true })
  assert.ok(texts(drawn(chart, made(), inkOf(500))).includes("two"))
  assert.ok(!texts(drawn(chart, keyed, inkOf(500))).includes("two"))
  assert.ok(texts(drawn(chart, keyed, inkOf(500, true))).includes("two"))
  assert.ok(chart.head(keyed, inkOf(500)) < chart.head(keyed, inkOf(500, true)))
})

test("names of lines that do not fit side by side take further rows", () => {
  const many = made({ lines: Array.from({ length: 9 }, (_, at) => line(`a line with number ${at}`, "#000001")) })
  const places = chart.place(inkOf(500), many, { x: 0, y: 0, cell: 1, middle: 0 })[0].named
  assert.equal(new Set(places.map(({ row, x }) => `${row} ${x}`)).size, 9)
  for (const { x, line } of places) assert.ok(x + 27 + width(line.label, 15) <= 496)
})

test("a line is thicker up to the current step than beyond it, and a projector shows both", () => {
  const moving = made({ steps: Float32Array.of(0, 1, 2) })
  const widths = (step) => [...drawn(chart, moving, inkOf(500), step).matchAll(/stroke="#0000a1" stroke-width="(\d)"/g)].map(([, wide]) => wide)
  assert.deepEqual(widths(1), ["3", "2", "3"]) // before it, beyond it, and in the legend
  assert.deepEqual(widths(2), ["3", "3"])
  assert.ok(chart.moves(moving) && !chart.moves(made()))
})

test("a line has the colour of the theme", () => {
  const dark = { ...inkOf(500), look: { ...look, dark: true } }
  assert.ok(!drawn(chart, made(), dark).includes("#0000a1"))
})

test("the units of other cells are rings of their own colour, at the current step", () => {
  const rings = [{ colour: hue("#0000c3"), units: 1, frames: Float32Array.of(0, 0, 1, 1) }]
  const item = {
    ...{ kind: "curve", ...axes, symbol: "f", lines: [], widest: 400, in_row: 1, beside: 1, bounds: [0, 2], shade: "#000000", colour: hue("#0000d4") },
    ...{ numbers: Float64Array.of(1, 1), frames: null, rings },
  }
  const placesOf = (step) => [...drawn(curve, item, inkOf(500), step).matchAll(/<path d="([^"]*)"[^>]*stroke="#0000c3"/g)].map(([, path]) => path)
  assert.equal(placesOf(0).length, 1)
  assert.notDeepEqual(placesOf(0), placesOf(1))
  // Between rings, which may be red, the selected unit has the colour of its own line.
  const beside = drawn(curve, item, inkOf(500))
  assert.match(beside, /fill="#0000d4"/)
  assert.match(beside, /stroke="#c2006b" stroke-width="3"/)
  const alone = drawn(curve, { ...item, rings: [] }, inkOf(500))
  assert.match(alone, /fill="#c2006b"/)
  assert.doesNotMatch(alone, /stroke="#c2006b"/)
})
