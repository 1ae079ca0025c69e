// Where the cells of a row stand, and what can be pointed at.

import assert from "node:assert/strict"
import test from "node:test"
import { chain } from "../../dashboard/static/picture/chain.js"

const ink = { limit: 700, largest: 40, zoom: 1, look: { font: "f" }, widths: new Map(), width: (text, font) => 0.5 * font * text.length }
const rowOf = (T, more = {}) => ({
  ...{ kind: "chain", symbol: "c", second: "h", end: "", labels: [], letters: null, colour: null, backward: false, numbered: true, over_time: true, through: null },
  words: Array.from({ length: T }, (_, at) => `step ${at + 1}`),
  ...more,
})
const where = { x: 2, y: 10, cell: 40, middle: 0 }

for (const T of [1, 5, 64]) {
  test(`a row of ${T} cells fits, and the pointer finds each of them`, () => {
    const item = rowOf(T)
    const [place] = chain.place(ink, item, where)
    const { width, height } = chain.size(ink, item, 40)
    assert.ok(width <= ink.limit && (T === 1 || width > 0.95 * ink.limit))
    for (let column = 0; column < T; column++) {
      const { left, top, width: wide, height: tall } = chain.spot(place, 0, column, 0)
      assert.ok(left >= where.x && left + wide <= where.x + width && top >= where.y && top + tall <= where.y + height)
      assert.deepEqual(chain.at(place, left + wide / 2, top + tall / 2, 0), { row: 0, column })
      assert.equal(chain.describe(item, 0, column, 0), `step ${column + 1}`)
    }
    assert.equal(chain.at(place, place.x - 1, place.y + 5, 0), null)
    assert.equal(chain.at(place, place.x + (T + 0.5) * place.pitch, place.y + 5, 0), null)
  })
}

test("rows without letters, numbers and a second wire are lower, and the cells of short names stand below each other", () => {
  const heights = [rowOf(3, { letters: ["a", "b", "c"] }), rowOf(3), rowOf(3, { second: "", labels: ["1 %"] }), rowOf(3, { second: "", numbered: false })]
  const tall = heights.map((item) => chain.size(ink, item, 40).height)
  assert.deepEqual(tall, [...tall].sort((a, b) => b - a))
  assert.equal(new Set(tall).size, 4)
  const [first, second] = ["RNN", "LSTM"].map((symbol) => chain.place(ink, rowOf(3, { symbol, second: "", backward: true }), where)[0])
  assert.equal(first.x, second.x)
  const ended = ["1", "0 in float64"].map((end) => chain.place(ink, rowOf(3, { symbol: "RNN", second: "", backward: true, end }), where)[0])
  assert.equal(ended[0].x, ended[1].x)
  assert.ok(ended[0].x > first.x)
})
