// The scales of the parts of a stacked input.

import assert from "node:assert/strict"
import test from "node:test"
import { scaleOfEntries } from "../../dashboard/static/picture/block.js"

const scale = (label) => ({ label, palette: "signed", low: -1, high: 1, clips: true })
const [WHOLE, H, X] = ["whole", "h", "x"].map(scale)
const part = (name, size) => ({ name, size, label: name })
const edges = (size) => Array.from({ length: size + 1 }, (_, edge) => edge)
const STACKED = {
  scale: WHOLE, part_scales: [H, X], columns: 1,
  row_parts: [part("h", 2), part("x", 3)], row_edges: edges(5), column_parts: null, column_edges: [0, 1],
}

const labels = (item, count) => Array.from({ length: count }, (_, index) => scaleOfEntries(item)(index).label)

test("each entry of a column has the scale of its part", () => {
  assert.deepEqual(labels(STACKED, 5), ["h", "h", "x", "x", "x"])
})

test("each entry of a row has the scale of its part", () => {
  const row = { ...STACKED, columns: 5, row_parts: [part("", 1)], row_edges: [0, 1], column_parts: STACKED.row_parts, column_edges: edges(5) }
  assert.deepEqual(labels(row, 5), ["h", "h", "x", "x", "x"])
})

test("over time, every column has the scales of the rows", () => {
  const map = { ...STACKED, columns: 4, column_parts: [part("t", 4)], column_edges: edges(4) }
  assert.deepEqual(labels(map, 20), [..."hhhhhhhh", ..."xxxxxxxxxxxx"])
})

test("a mean has the scale of the part that it lies in", () => {
  const means = { ...STACKED, row_parts: [part("h", 4), part("x", 3)], row_edges: [0, 2, 4, 6, 7] }
  assert.deepEqual(labels(means, 4), ["h", "h", "x", "x"])
})

test("without scales of parts, and beyond the parts, an entry has the scale of the whole", () => {
  assert.deepEqual(labels({ ...STACKED, part_scales: [] }, 5), Array(5).fill("whole"))
  assert.deepEqual(labels(STACKED, 9).slice(5), Array(4).fill("whole"))
  assert.deepEqual(labels({ ...STACKED, row_parts: [part("h", 2), part("x", 1)] }, 5).slice(3), ["whole", "whole"])
})
