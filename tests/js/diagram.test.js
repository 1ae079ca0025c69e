// Where the vectors and the gates of a diagram stand, and what can be pointed at.

import assert from "node:assert/strict"
import test from "node:test"
import { diagram, gatesOf, mean } from "../../dashboard/static/picture/diagram.js"

const inkOf = (limit) => ({ limit, largest: 40, zoom: 1, look: { font: "f" }, widths: new Map(), width: (text, font) => 0.5 * font * text.length })
const part = (rows) => ({ rows, columns: 1, frames: null })
const node = (more) => ({ beat: 1, side: "above", tall: 96, ...more })
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
      assert.ok(Math.abs(strip.y + strip.height / 2 - (place.y + 100 * place.zoom)) < 1e-9)
      assert.ok(strip.height <= 96 * place.zoom + 1e-9)
    }
    assert.ok(small.y >= 20, "there is room for the names above")
  })
}

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

test("a gate's wire follows the mean of its numbers", () => {
  assert.equal(mean(new Float64Array([0, 0.5, 1])), 0.5)
})
