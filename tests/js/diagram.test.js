// Where the vectors and the gates of a diagram stand, and what can be pointed at.

import assert from "node:assert/strict"
import test from "node:test"
import { mean } from "../../dashboard/static/picture/arrays.js"
import { diagram, gatesOf, returning } from "../../dashboard/static/picture/diagram.js"
import { saturatedPart } from "../../dashboard/static/picture/gates.js"
import { NAME } from "../../dashboard/static/picture/theme.js"
import { branches, crossings } from "../../dashboard/static/picture/wire_crossings.js"
import { SvgContext } from "../../dashboard/static/interact/save_svg.js"

const inkOf = (limit) => ({ limit, largest: 40, tall: Infinity, zoom: 1, look: { font: "f" }, widths: new Map(), width: (text, font) => 0.5 * font * text.length })
const part = (rows) => ({ rows, columns: 1, frames: null })
const node = (more) => ({ stage: 1, side: "above", tall: 96, ...more })
const item = {
  ...{ kind: "diagram", width: 1000, height: 500, frame: [50, 10, 900, 400], wires: [], staged: true, opened: "" },
  parts: [part(3), part(64)],
  nodes: [
    node({ kind: "vector", part: 0, x: 100, y: 100 }),
    node({ kind: "vector", part: 1, x: 300, y: 100 }),
    node({ kind: "gate", name: "f", x: 300, y: 300, words: "words of f" }),
    node({ kind: "gate", name: "o", x: 600, y: 300, words: "words of o" }),
  ],
}

for (const limit of [300, 700, 1008, 2000]) {
  test(`in a room of ${limit} pixels the diagram fits, and its vectors stand about their middles`, () => {
    const ink = inkOf(limit)
    const { width, height } = diagram.size(ink, item, 40)
    const [place, small, large] = diagram.place(ink, item, { x: 2, y: 20, cell: 40, middle: 0 })
    assert.ok(width <= limit)
    assert.ok(place.y + place.height <= 20 + height)
    for (const [strip, at] of [[small, 100], [large, 300]]) {
      assert.ok(Math.abs(strip.x + strip.width / 2 - (place.x + at * place.zoom)) < 1e-9)
      assert.ok(Math.abs(strip.y + strip.height / 2 - (place.y + 100 * place.rise)) < 1e-9)
      assert.ok(strip.height <= 96 * place.rise + 1e-9)
    }
    assert.ok(small.y >= 20, "there is room for the names above")
  })
}

test("on a phone the diagram becomes narrow and not low, so that numbers fit into its vectors", () => {
  const [place, small] = diagram.place(inkOf(350), item, { x: 0, y: 0, cell: 40, middle: 0 })
  assert.ok(place.rise > 2 * place.zoom && small.width >= 24 && small.down >= 20)
  const [wide] = diagram.place(inkOf(1008), item, { x: 0, y: 0, cell: 40, middle: 0 })
  assert.equal(wide.rise, wide.zoom)
})

test("on a phone a name on the left of the cell does not reach over its edge", () => {
  const outside = { ...item.nodes[0], x: 33, stage: 0 }
  for (const limit of [350, 1008]) {
    const { svg, place } = drawn(limit, { ...item, frame: [70, 10, 900, 400], staged: false, parts: [{ ...numbers([0.5]), symbol: "h_{t−1}" }], nodes: [outside] })
    const letters = [...svg.matchAll(/<text x="([\d.]+)"[^>]*font-size="([\d.]+)[^>]*>([^<]+)</g)].filter(([, , , text]) => "ht−1".includes(text))
    const [, x, font, text] = letters.at(-1)
    assert.ok(Number(x) + 0.5 * Number(font) * text.length <= place.x + 70 * place.zoom, `${limit}`)
  }
})

test("a diagram is no taller than the window of a projector, and stays as wide", () => {
  const [low, free] = [300, Infinity].map((tall) => diagram.size({ ...inkOf(700), tall }, item, 40))
  assert.ok(low.height <= 300 + NAME.line && free.height > 320)
  assert.equal(low.width, free.width)
})

test("the keys and the pointer find the same gates", () => {
  const [place] = diagram.place(inkOf(1008), item, { x: 0, y: 0, cell: 40, middle: 0 })
  assert.deepEqual(diagram.grid(item), { rows: 1, columns: 2 })
  gatesOf(item).forEach((gate, column) => {
    const { left, top, width, height } = diagram.spot(place, 0, column, 0)
    assert.deepEqual(diagram.at(place, left + width / 2, top + height / 2, 0), { row: 0, column })
    assert.equal(diagram.describe(item, 0, column, 0), `words of ${gate.name}`)
  })
  assert.equal(diagram.at(place, 1, 1, 0), null)
})

// A wire along the top that turns down, and one that carries 1 minus a gate of eight units.
const numbers = (values) => ({
  ...{ symbol: "u_t", shape: `(${values.length}, 1)`, rows: values.length, columns: 1, frames: null, numbers: new Float64Array(values), tooltip_name: "" },
  ...{ row_parts: [{ name: "unit", size: values.length, label: "" }], row_edges: [...values.keys(), values.length], hover: null },
})
const wires = {
  ...item,
  wires: [
    { part: 0, points: [[10, 20], [200, 20], [200, 60]], rest: false },
    { part: 1, points: [[700, 40], [800, 40]], rest: true },
  ],
  parts: [numbers([0.5, -0.25]), numbers([0.25, 1])],
}

test("the keys and the pointer find the same wires, after the gates", () => {
  const [place] = diagram.place(inkOf(1008), wires, { x: 0, y: 0, cell: 40, middle: 0 })
  assert.deepEqual(diagram.grid(wires), { rows: 1, columns: 4 })
  for (const [column, left, top] of [[2, 100, 20], [2, 200, 50], [3, 750, 40]]) {
    assert.deepEqual(diagram.at(place, place.x + left * place.zoom, place.y + top * place.rise, 0), { row: 0, column })
  }
  assert.ok(diagram.spot(place, 0, 2, 0).width > 190 * place.zoom, "the longest piece")
  assert.equal(diagram.at(place, place.x + 150 * place.zoom, place.y + 60 * place.rise, 0), null)
})

test("a wire tells its name, its shape and its entries, and backward the words of its gradient", () => {
  assert.equal(diagram.describe(wires, 0, 2, 0, 2), "u_t (2, 1):\nunit 1: 0.50\nunit 2: −0.25")
  assert.equal(diagram.describe(wires, 0, 3, 0, 2), "1−u_t (2, 1):\nunit 1: 0.75\nunit 2: 0")
  const gradient = { ...wires.parts[0], tooltip_name: "gradient of the sum" }
  assert.equal(diagram.describe({ ...wires, backward: true, parts: [gradient, gradient] }, 0, 3, 0, 2), "gradient of the sum:\nunit 1: 0.50\nunit 2: −0.25")
  const many = { ...wires, parts: [numbers(Array(8).fill(-0.5)), wires.parts[1]] }
  assert.equal(diagram.describe(many, 0, 2, 0, 2), "u_t (8, 1)\nmean of the absolute values: 0.50")
})

test("backward a wire grows with what comes back, whatever its sign", () => {
  const widths = [[0, 0], [0.01, -0.01], [-1, 0.5], [3, -3]].map((values) => returning(new Float64Array(values)))
  assert.deepEqual(widths, [...widths].sort())
  assert.deepEqual([widths[0], widths[1], widths[3]], [0, 0.1, 1])
})

test("a gate is grey as far as its units are saturated, and not beyond an end that its curve does not have", () => {
  assert.equal(saturatedPart({ bounds: [-2, 2] }, new Float64Array([-3, 0, 1, 4])), 0.5)
  assert.equal(saturatedPart({ bounds: [0, 6] }, new Float64Array([-3, 7])), 0.5)
})

test("in an SVG file a rounded corner is an arc and a dot a circle", () => {
  const context = new SvgContext(10, 10)
  context.beginPath()
  context.moveTo(0, 0)
  context.arc(8, 2, 2, -Math.PI / 2, 0)
  assert.equal(context.path, "M0 0L8 0A2 2 0 0 1 10 2")
  context.beginPath()
  context.arc(5, 5, 2, 0, 2 * Math.PI)
  assert.match(context.path, /^M3 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0Z$/)
})

test("a gate's wire follows the mean of its numbers", () => {
  assert.equal(mean(new Float64Array([0, 0.5, 1])), 0.5)
})

const look = { font: "f", text: "#111111", paper: "#ffffff", accent: "#c2006b", dark: false }
// Draws the diagram as it is in a file.
function drawn(limit, made) {
  const context = new SvgContext(limit, 700)
  const [place, ...strips] = diagram.place(inkOf(limit), made, { x: 0, y: 0, cell: 40, middle: 0 })
  diagram.draw({ step: 0, data: { unit: 0 } }, { ...inkOf(limit), look, context }, place)
  return { svg: context.toString(), place, strips }
}

for (const rows of [1, 3, 20]) {
  test(`a wire from below ends at the strip of a vector with ${rows} entries`, () => {
    const wire = { part: 0, points: [[100, 300], [100, 148]], stage: 1, arrow: false, colour: null, gate: false, rest: false }
    const { svg, strips, place } = drawn(1008, { ...item, parts: [numbers(Array(rows).fill(0.5))], nodes: [item.nodes[0]], wires: [wire], staged: false })
    const [, start, end] = svg.match(/<path d="M[\d.]+ ([\d.]+)L[\d.]+ ([\d.]+)"/)
    assert.ok(Math.abs(Number(end) - (strips[0].y + strips[0].height)) < 0.02)
    assert.ok(Math.abs(Number(start) - (place.y + 300 * place.rise)) < 0.02, "the other end stays where it is")
  })
}

for (const limit of [700, 1008, 2000]) {
  test(`in a room of ${limit} pixels the wires meet a long operator, whose name grows with a large diagram`, () => {
    const operator = { kind: "operator", symbol: "W_h· + b_h", x: 500, y: 100, stage: 0 }
    const more = { part: 0, stage: 1, arrow: false, colour: null, gate: false, rest: false }
    const wires = [{ ...more, points: [[300, 100], [466, 100]] }, { ...more, points: [[534, 100], [700, 100]] }]
    const { svg, place } = drawn(limit, { ...item, parts: [numbers([0.5])], nodes: [operator], wires, staged: false })
    const [into, out] = [...svg.matchAll(/<path d="M([\d.]+) [\d.]+L([\d.]+) [\d.]+"/g)].map(([, from, to]) => [Number(from), Number(to)])
    const xs = [...svg.matchAll(/<text x="([\d.]+)"/g)].map(([, x]) => Number(x))
    const middle = place.x + 500 * place.zoom
    assert.ok(Math.abs(into[1] + out[0] - 2 * middle) < 0.05, "they end alike on both sides")
    assert.ok(into[1] < xs[0] && xs[0] - into[1] <= 9 * Math.max(1, place.zoom), `${into} ${xs}`)
  })
}

test("a wire that leaves a circle ends where it should, also near by", () => {
  const wire = { part: 0, points: [[515, 100], [538, 100]], stage: 1, arrow: false, colour: null, gate: false, rest: false }
  const { svg, place } = drawn(1008, { ...item, parts: [numbers([0.5])], nodes: [{ kind: "operator", symbol: "+", x: 500, y: 100, stage: 0 }], wires: [wire], staged: false })
  const [, from, to] = svg.match(/<path d="M([\d.]+) [\d.]+L([\d.]+) [\d.]+"/).map(Number)
  assert.ok(Math.abs(to - from - 23 * place.zoom) < 0.05)
})

for (const limit of [350, 700, 1008]) {
  test(`in a room of ${limit} pixels the label of a gate is legible, and not on its curve`, () => {
    const gate = node({ kind: "gate", name: "f", x: 300, y: 300, label: "tanh", role: "", colour: null, z: 0, part: 0, bounds: [-2, 2], range: [-1, 1], curve: [-1, 0, 1] })
    const labelled = { ...item, staged: false, parts: [numbers([0.5])], nodes: [gate] }
    const { svg, place } = drawn(limit, labelled)
    const [, font] = svg.match(/<text [^>]*font-size="([\d.]+)"[^>]*>tanh</)
    assert.ok(Number(font) >= 11, font)
    const [, baseline] = svg.match(/<text [^>]*\by="([\d.]+)"[^>]*>tanh</)
    const { top, height } = diagram.spot(place, 0, 0, 0)
    assert.equal(Number(baseline) - 11 > top + height, limit === 350, "in a small box it would lie on the curve")
  })
}

test("in a small diagram the box of a gate has the gate's name, and its vector has none", () => {
  const colour = { light: "#0042c7", dark: "#0042c7" }
  const gate = node({ kind: "gate", name: "f", x: 300, y: 300, label: "σ", role: "forget gate", colour, z: 0, part: 0, bounds: [-2, 2], range: [0, 1], curve: [0, 1] })
  const strip = { ...item.nodes[0], side: "left" }
  const named = { ...item, staged: false, parts: [{ ...numbers([0.5]), colour }], nodes: [gate, strip] }
  const names = (limit) => [...drawn(limit, named).svg.matchAll(/<text [^>]*fill="([^"]+)"[^>]*>([^<]+)</g)].map(([, fill, text]) => [text, fill !== look.text])
  assert.deepEqual(names(1008), [["σ", true], ["forget gate", true], ["u", true], ["t", true]])
  assert.deepEqual(names(350), [["u", true], ["t", true]])
})

// A wire with a branch that turns, and one that crosses both of its pieces.
const BUS = [[[0, 50], [100, 50]], [[40, 50], [40, 90], [60, 90]], [[50, 0], [50, 120]]]

test("a level wire crosses an upright one, and where they are connected they do not cross", () => {
  const found = crossings(BUS.map((points) => ({ points })))
  assert.deepEqual(found, [{ level: 0, upright: 2, x: 50, y: 50 }, { level: 1, upright: 2, x: 50, y: 90 }])
})

test("a wire branches where more than two pieces meet", () => {
  assert.deepEqual(branches(BUS.map((points) => ({ points }))), [[40, 50]])
  const star = [[[0, 0], [10, 0]], [[10, 0], [20, 0]], [[10, 0], [10, 9]]]
  assert.deepEqual(branches(star.map((points) => ({ points }))), [[10, 0]])
  assert.deepEqual(branches(star.slice(0, 2).map((points) => ({ points }))), [], "one wire in two parts")
})

test("a level wire has a bridge over an upright one, on the way to either side, and a dot where it branches", () => {
  const more = { part: 0, stage: 1, arrow: false, colour: null, gate: false, rest: false }
  for (const points of [BUS, BUS.map((points) => points.map(([x, y]) => [100 - x, y]))]) {
    const wires = points.map((points) => ({ ...more, points }))
    const { svg, place } = drawn(1008, { ...item, parts: [numbers([0.5])], nodes: [], wires, staged: false })
    const [upright, ...bridged] = [...svg.matchAll(/<path d="M([^"aZ]*)" fill="none"/g)].map(([, path]) => path.split("L").map((point) => point.split(" ").map(Number)))
    assert.equal(upright.length, 2, "below the others, without a bridge")
    assert.equal(bridged.length, 2)
    for (const path of bridged) {
      const base = path.at(-1)[1]
      const arc = path.filter(([, y]) => y < base && y > base - 12).map(([x]) => x)
      const middle = place.x + 50 * place.zoom
      assert.ok(Math.min(...arc) < middle - 4 && Math.max(...arc) > middle + 4)
      const way = Math.sign(arc.at(-1) - arc[0])
      assert.ok(arc.every((x, index) => !index || (x - arc[index - 1]) * way > 0), "it never goes back")
    }
    assert.equal(svg.match(/a[\d.]+ [\d.]+ 0 1 0/g)?.length, 2, "one circle, which has two arcs")
  }
})

test("the wire of the memory is thicker than another one, and backward as wide as its gradient", () => {
  const more = { part: 0, stage: 1, arrow: false, colour: null, gate: false, rest: false }
  const wires = [[[10, 40], [90, 40]], [[10, 60], [90, 60]], [[10, 40], [10, 60]]].map((points) => ({ ...more, points }))
  const widths = (backward) => {
    const { svg } = drawn(1008, { ...item, parts: [numbers([0.25])], nodes: [], wires, lane: 40, staged: false, backward })
    return [...svg.matchAll(/<path d="M[^A"]*" fill="none" [^>]*stroke-width="([\d.]+)"/g)].map(([, width]) => Number(width))
  }
  const [memory, ...others] = widths(false)
  assert.deepEqual(others, [memory / 2, memory / 2])
  assert.equal(new Set(widths(true)).size, 1)
})

test("the wire of a gate that is blank, as in an exercise, is drawn as thin as one without a gate", () => {
  const wire = { part: 0, stage: 1, arrow: true, colour: null, rest: false, points: [[10, 60], [90, 60]] }
  const [gate, plain] = [true, false].map((gate) => drawn(1008, { ...item, parts: [numbers([NaN])], nodes: [], wires: [{ ...wire, gate }], lane: 40, staged: false }).svg)
  assert.equal(gate, plain)
  assert.ok(!gate.includes("NaN"))
})

const NAMED_ON_A_PHONE = [
  { symbol: "f_t∘c_{t−1}", side: "above", lines: 1 },
  { symbol: "r_t∘(W_{hh}h+b_{hh})", side: "above", lines: 1 },
  { symbol: "tanh(c_t)", side: "left", lines: 1 },
  { symbol: "W_{hh}h+b_{hh}", side: "below", lines: 2 },
  { symbol: "(1−u_t)∘h̃_t", side: "right", lines: 2 },
]
for (const { symbol, side, lines } of NAMED_ON_A_PHONE) {
  test(`on a phone ${symbol} has a small name in ${lines} line${lines > 1 ? "s" : ""} on the side "${side}"`, () => {
    const names = (limit) => {
      const strip = { ...item.nodes[0], x: 500, stage: 2, side }
      const { svg, strips } = drawn(limit, { ...item, staged: false, parts: [{ ...numbers([0.5]), symbol }], nodes: [strip] })
      const texts = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*font-size="([\d.]+)"[^>]*>([^<]+)</g)].map(([, x, y, font, text]) => ({ x: Number(x), y: Number(y), font: Number(font), text }))
      return { texts, strip: strips[0] }
    }
    const { texts, strip } = names(350)
    const read = texts.map(({ text }) => text).join("")
    assert.equal(read, symbol.replaceAll(/[_{}]/g, ""))
    assert.ok(texts.every(({ font }) => font < 14), "small")
    const low = (ys) => [...new Set(ys)].filter((y, index, all) => all.findIndex((other) => Math.abs(other - y) < 5) === index)
    assert.equal(low(texts.map(({ y }) => y)).length, lines)
    const [left, right] = [strip.x, strip.x + strip.width]
    if (side === "left") assert.ok(texts.every(({ x, font, text }) => x + 0.5 * font * text.length < left))
    else if (side === "right") assert.ok(texts.every(({ x }) => x > right))
    else assert.ok(texts.every(({ y }) => (side === "above" ? y < strip.y : y > strip.y + strip.height)))
    const wide = names(1008).texts
    assert.ok(wide.some(({ font }) => font >= 15) && low(wide.map(({ y }) => y)).length === 1, "in a wide window it stands in one line")
  })
}

for (const [h, x] of [[3, 2], [1, 1], [8, 1], [1, 8]]) {
  test(`the parts of a stack of ${h} and ${x} entries are named beside it, and not on the wire that leaves its middle`, () => {
    const stack = { ...numbers(Array(h + x).fill(0.5)), symbol: "[h; x]", row_parts: [{ name: "h", size: h, label: "" }, { name: "x", size: x, label: "" }] }
    const made = { ...item, staged: false, parts: [stack], nodes: [{ ...item.nodes[0], x: 200, y: 200, tall: 150, stage: 0 }] }
    const { svg, strips: [strip] } = drawn(1008, made)
    const names = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>([hx])</g)].slice(-2).map(([, left, y, text]) => ({ left: Number(left), y: Number(y), text }))
    assert.deepEqual(names.map(({ text }) => text), ["h", "x"])
    const centre = strip.y + strip.height / 2
    assert.ok(names.every(({ left }) => left > strip.x + strip.width))
    assert.ok(names[0].y < centre - 4 && names[1].y - 8 > centre + 4, "a letter is 8 pixels tall")
    assert.equal(drawn(350, made).svg.match(/>x</g).length, 1, "on a phone there is no room")
  })
}
