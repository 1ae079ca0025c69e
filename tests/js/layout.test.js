// Where everything in a drawing stands.

import assert from "node:assert/strict"
import test from "node:test"
import { outlineEntries } from "../../dashboard/static/picture/block.js"
import { fitting, print, textOf } from "../../dashboard/static/picture/printed_digits.js"
import { NAME } from "../../dashboard/static/picture/theme.js"
import { paired, placeLegends, placed, planned, widthOfPlan } from "../../dashboard/static/picture/layout.js"

// As if every character were as wide.
const width = (text, font) => 0.55 * font * text.length
const inkOf = (limit, largest = 40) => ({ limit, largest, zoom: 1, look: { font: "f" }, widths: new Map(), width })
const op = (symbol, align = false) => ({ kind: "op", symbol, align })

function block(symbol, rows, columns) {
  return {
    ...{ kind: "block", symbol, rows, columns, shape: `(${rows}, ${columns})`, mean: null, single: false, headings: null, row_headings: null, axes: null },
    row_parts: [{ name: "unit", size: rows, label: "" }],
    column_parts: columns === 1 ? null : [{ name: "x", size: columns, label: "" }],
    row_edges: Array.from({ length: rows + 1 }, (_, index) => index),
    column_edges: Array.from({ length: columns + 1 }, (_, index) => index),
    numbers: new Float64Array(rows * columns),
    frames: null,
  }
}

const product = (k, p) => [block("z_t", k, 1), op("=", true), block("W_h", k, p), op("·"), block("[h; x]", p, 1)]
const laid = (ink, rows) => placed(ink, planned(ink, rows))

test("above the first names there is room for the tilde of a tall letter", () => {
  for (const { y } of laid(inkOf(700), [[block("h̃_t", 3, 1)]])[0].places) assert.ok(y - NAME.apart >= 1.15 * NAME.font)
})

test("the frame of the selected unit does not cover the tail of a subscript", () => {
  const frame = 1 + 2.5 / 2 // above the entries
  const tail = 0.21 * 1.15 * NAME.low // of an f
  assert.ok(NAME.apart - 3 - tail >= frame - 0.5)
})

for (const limit of [280, 360, 700, 1200, 1800]) {
  test(`in a room of ${limit} pixels everything has a place of its own`, () => {
    for (const [k, p] of [[2, 3], [8, 16], [64, 100]]) {
      const ink = inkOf(limit)
      const strips = laid(ink, [product(k, p), [block("h_t", k, 1), op("=", true), block("tanh", k, 1)]])
      let top = 0
      for (const strip of strips) {
        assert.equal(strip.top, top)
        top += strip.height
        const blocks = strip.places.filter(({ item }) => item.kind === "block")
        assert.ok(blocks.length, "no operator stands alone")
        for (const [index, { x, y, width, height }] of blocks.entries()) {
          assert.ok(strip.top < y && y + height < top)
          assert.ok(x + width <= limit || blocks[index].cell === 1)
          const next = blocks[index + 1]
          assert.ok(!next || x + width < next.x)
        }
      }
    }
  })
}

test("a cell is as large as the page, the height and the panel let it be", () => {
  const cells = [...Array.from({ length: 28 }, (_, quarters) => 1 + quarters / 4), ...Array.from({ length: 33 }, (_, index) => 8 + index)]
  for (const size of [1, 2, 7, 30, 60, 100]) {
    for (const limit of [360, 700, 1200]) {
      const plan = planned(inkOf(limit), [[block("W", size, size)]])
      // With a frame on both sides, a symbol above and a shape below.
      assert.equal(plan.cell, Math.max(...cells.filter((cell) => 4 + size * cell <= limit && NAME.height + 18 + size * cell <= 640)))
    }
  }
})

test("the titles of a map's axes have room beside its entries and beside its shape", () => {
  for (const T of [1, 30]) {
    const [plain, titled] = [null, ["from step", "back to step"]].map((axes) => laid(inkOf(1400, 20), [[{ ...block("RNN", T, T), axes }]])[0].places[0])
    assert.ok(titled.x > plain.x + NAME.font - 2)
    const next = laid(inkOf(1400, 20), [[{ ...block("RNN", T, T), axes: ["from step", "back to step"] }, block("LSTM", T, T)]])[0].places[1]
    assert.ok(next.x > titled.x + width(titled.item.shape, 14) + width("back to step", 13))
  }
})

test("a row that is too long is broken before an operator", () => {
  const [first, ...others] = laid(inkOf(280), [product(20, 12)])
  assert.ok(others.length > 0)
  assert.deepEqual(first.places.map(({ item }) => item.symbol).slice(0, 1), ["z_t"])
  for (const { places } of others) assert.equal(places[0].item.kind, "op")
})

test("in a narrow room a sum, its activation and the gate stay on one line, unless they do not fit", () => {
  const gate = [block("W_i", 3, 5), op("· [h; x]"), op("+", true), block("b_i", 3, 1), op("="), block("z_i", 3, 1), op("σ →"), block("i_t", 3, 1)]
  const symbolsOf = (limit, row) => laid(inkOf(limit), [row]).map(({ places }) => places.map(({ item }) => item.symbol).join(" "))
  for (const limit of [230, 280, 330]) {
    const lines = symbolsOf(limit, gate)
    assert.ok(lines.length > 1 && lines.some((line) => line.includes("z_i σ → i_t")), lines.join(" / "))
    assert.equal(lines.join(" "), "W_i · [h; x] + b_i = z_i σ → i_t")
  }
  assert.ok(symbolsOf(90, gate).every((line) => !line.includes("z_i σ → i_t")))
  const maps = ["x_t", "h_t", "c_t"].map((symbol) => block(symbol, 4, 100))
  assert.ok(symbolsOf(230, maps).length > 1, "maps without operators have lines of their own")
})

test("in a narrow room maps of one size fill their lines, and others keep their rows", () => {
  const maps = (sizes) => sizes.map((row) => row.map((columns) => block("f_t", 24, columns)))
  const counts = (rows) => laid(inkOf(358), rows).map(({ places }) => places.length)
  assert.deepEqual(counts(maps([[49, 49, 49], [49, 49, 49]])), [2, 2, 2])
  assert.deepEqual(counts(maps([[49, 49, 49], [49, 49, 48]])), [2, 1, 2, 1])
})

test("aligned operators start below each other", () => {
  const strips = laid(inkOf(1200), [product(3, 4), [block("a longer name", 3, 1), op("=", true), block("h", 3, 1)]])
  const [one, other] = strips.map(({ places }) => places.find(({ item }) => item.symbol === "=")?.x)
  assert.ok(one)
  assert.equal(one, other)
})

test("the plan of the last time holds while only numbers change", () => {
  const [ink, rows] = [inkOf(700), [product(3, 4)]]
  const plan = planned(ink, rows)
  const changed = [product(3, 4)]
  const again = planned(ink, changed, plan)
  assert.equal(again.key, plan.key)
  assert.equal(again.rows[0][0], changed[0][0])
  assert.notEqual(planned(ink, [product(4, 4)], plan).key, plan.key)
  assert.notEqual(planned(inkOf(701), rows, plan).key, plan.key)
})

test("legends stand side by side as far as the width reaches", () => {
  const legend = { label: "weights", palette: "diverging", low: "−3", high: "3" }
  const wide = placeLegends(inkOf(1200), [legend, legend], true)
  assert.deepEqual([wide.lines, wide.legends.map(({ line }) => line), wide.note?.line], [1, [0, 0], 0])
  const narrow = placeLegends(inkOf(200), [legend, legend], true)
  assert.deepEqual([narrow.lines, narrow.legends.map(({ line }) => line), narrow.note?.line], [3, [0, 1], 2])
  const [long] = placeLegends(inkOf(120), [{ ...legend, label: "weights, biases, inputs" }], true).legends
  assert.deepEqual([long.line, long.key], [0, { x: 0, line: 1 }], "the bar has a line of its own")
  assert.deepEqual(placeLegends(inkOf(200), [], false), { legends: [], note: null, lines: 0 })
})

test("numbers are printed in the largest font that fits, with fewer decimals if need be", () => {
  const ink = inkOf(700)
  assert.deepEqual(fitting(ink, [1, 2], 40, 2), { font: 14, decimals: 2, mantissa: 2, hasZeros: true, short: false, tight: false })
  assert.deepEqual(fitting(ink, [0.25, -0.5], 30, 2), { font: 9, decimals: 2, mantissa: 2, hasZeros: true, short: false, tight: false })
  assert.deepEqual(fitting(ink, [1.2345, 2], 20, 4), { font: 9, decimals: 1, mantissa: 1, hasZeros: true, short: false, tight: false })
  assert.deepEqual(fitting(ink, [0.96, -0.5], 26, 2), { font: 10, decimals: 2, mantissa: 2, hasZeros: true, short: true, tight: false })
  assert.equal(fitting(ink, [-123.456], 12, 2), null)
})

test("where 0.96 does not fit, it is printed as .96 and not as 1.0", () => {
  const print = fitting(inkOf(700), [0.96, -0.96, 1, 0, -0.001], 26, 2)
  assert.deepEqual([0.96, -0.96, 1, 0, -0.001].map((value) => textOf(value, print)), [".96", "−.96", "1", "0", ".00"])
})

test("where −1.08 does not fit beside .96, it is printed as −1.1, and no number loses more", () => {
  const values = [0.96, -1.08, 1.25, -0.998, 2]
  const print = fitting(inkOf(700), values, 26, 2)
  assert.deepEqual(values.map((value) => textOf(value, print)), [".96", "−1.1", "1.3", "−1.0", "2"])
  const without = fitting(inkOf(700), [-0.96, 1.25], 26, 2)
  assert.deepEqual([-0.96, 1.25].map((value) => textOf(value, without)), ["−.96", "1.25"])
})

test("numbers without the 0 before the point stand beside others without it, and a note says that digits are left out", () => {
  const maps = [[0.83, 0.26], [-0.99, -1.08]].map((numbers) => ({ ...block("f_t", 1, 2), numbers: Float64Array.from(numbers) }))
  const strips = laid(inkOf(140, 26), [maps])
  const note = print(inkOf(140, 26), strips[0].places, 0, 2)
  const texts = strips[0].places.map(({ item, print }) => [...item.numbers].map((value) => textOf(value, print)))
  assert.deepEqual(texts, [[".83", ".26"], ["−.99", "−1.1"]])
  assert.match(note, /rounded/)
})

test("operators are not aligned where that would tear a formula apart", () => {
  const product = [block("W_h", 3, 5), op("·"), block("[h; x]", 5, 1), op("=", true), block("z_t", 3, 1)]
  const sum = [block("W_hh", 3, 3), op("·"), block("h_t", 3, 1), op("+"), block("W_hx", 3, 5), op("·"), block("x_t", 5, 1), op("=", true), block("z_t", 3, 1)]
  const places = laid(inkOf(1100), [product, sum]).map(({ places }) => places)
  const signs = places.map((places) => places.find(({ item }) => item.symbol === "=").x)
  assert.ok(signs[0] < signs[1] - 100, signs.join(" and "))
})

test("next to larger numbers, what rounds to zero is printed as zeros, and by itself with a power of ten", () => {
  const texts = (/** @type {number[]} */ numbers) => {
    const print = fitting(inkOf(700), numbers, 80, 2)
    return numbers.map((value) => textOf(value, print))
  }
  assert.deepEqual(texts([0.5, -0.0027, 0]), ["0.50", "0.00", "0"])
  assert.deepEqual(texts([-0.0027, 0]), ["−2.70e−3", "0"])
})

test("the matrices of a panel have digits of one size, and a note says that some are rounded", () => {
  const ink = inkOf(700)
  const place = (numbers, cell) => ({ item: { ...block("W", 1, 2), numbers: Float64Array.from(numbers) }, cell, across: cell })
  const places = [place([1, 2], 40), place([-12.25, 0.001], 30)]
  assert.equal(print(ink, places, 0, 2), "Some numbers are rounded to fit: hover over an entry.")
  assert.equal(places[0].print.font, places[1].print.font)
})

test("the vectors of a diagram have digits of one size if their entries are as large as each other", () => {
  const ink = inkOf(700)
  const place = (numbers, cell) => ({ item: { ...block("h", 2, 1), numbers: Float64Array.from(numbers) }, cell, across: 34, bare: true })
  const places = [place([1, 2], 20), place([-0.25, 0.5], 20), place([1, 2], 12)]
  print(ink, places, 0, 2)
  const [wide, narrow, low] = places.map(({ print }) => print.font)
  assert.ok(wide === narrow && low < wide)
})

test("a matrix may have more decimals than the page", () => {
  const place = (more_decimals) => ({ item: { ...block("tanh′(z)", 1, 2), numbers: Float64Array.of(0.0461, 0.5), more_decimals }, cell: 50, across: 50 })
  const texts = [undefined, 1].map((more) => {
    const one = place(more)
    assert.equal(print(inkOf(700), [one], 0, 2), "")
    return textOf(0.0461, one.print)
  })
  assert.deepEqual(texts, ["0.05", "0.046"])
})

test("what was used instead has a dashed outline, and what is needed a solid one", () => {
  let [path, dash] = [0, []]
  const strokes = []
  const context = {
    beginPath: () => (path = 0),
    rect: () => path++,
    setLineDash: (now) => (dash = now),
    stroke: () => strokes.push([path, dash.length]),
  }
  const place = { item: block("W", 2, 2), x: 0, y: 0, across: 40, down: 40 }
  const drawn = (...outlined) => {
    strokes.length = 0
    outlineEntries({ context, look: {} }, place, Float32Array.from(outlined))
    return [...strokes]
  }
  assert.deepEqual(drawn(1, 1, 2, 0), [[1, 0], [1, 2], [2, 0], [2, 0]])
  assert.deepEqual(drawn(1, 0.6, 0.5, 0), [[2, 0], [2, 0]])
  assert.deepEqual(dash, [])
})

test("a number leaves room for the outline of its entry", () => {
  const ink = inkOf(700)
  const place = (outlined) => ({ item: { ...block("c̃_t", 1, 2), numbers: Float64Array.of(-0.99, 0.5), outlined }, cell: 40, across: 40 })
  const [plain, outlined] = [place(null), place(Float64Array.of(1, 0))]
  for (const one of [plain, outlined]) print(ink, [one], 0, 2)
  assert.deepEqual([plain.print.font, outlined.print.font], [13, 12])
})

test("all numbers of a matrix are printed or none", () => {
  const ink = inkOf(700)
  const place = (numbers, cell) => ({ item: { ...block("W", 1, 2), numbers: Float64Array.from(numbers) }, cell, across: cell })
  const [roomy, tight] = [place([1.25, 2], 40), place([-123.456, 2], 12)]
  assert.equal(print(ink, [roomy], 0, 2), "")
  assert.ok(roomy.print)
  assert.equal(print(ink, [roomy, tight], 0, 2), "Not all numbers fit: hover over an entry.")
  assert.equal(print(ink, [tight], 0, 2), "To see a number, hover over its entry.")
  assert.equal(tight.print, null)
  assert.equal(print(ink, [place([1.23456, 2], 20)], 0, 4), "Some numbers are rounded to fit: hover over an entry.")
})

test("A and B print a matrix with the same digits, also if it has larger numbers or smaller entries in one of them", () => {
  const ink = inkOf(700)
  const place = (symbol, numbers, cell, against) => ({ item: { ...block(symbol, 1, 2), numbers: Float64Array.from(numbers), against }, cell, across: cell })
  const texts = (/** @type {any} */ { item, print }) => [...item.numbers].map((value) => textOf(value, print))
  const a = [place("h_t", [0.5, 0.25], 26), place("x_t", [0.125, 2], 40)]
  const b = [place("h_t", [0.5, -1.08], 26, a[0].item), place("x_t", [0.125, 3], 22, a[1].item)]
  for (const [own, others] of [[a, b], [b, a]]) {
    print(ink, own, 0, 3, others)
    assert.equal(texts(a[0])[0], texts(b[0])[0])
    assert.equal(texts(a[1])[0], texts(b[1])[0])
  }
  // Where the entries of one side have no room for numbers, the other side keeps its own.
  const tiny = place("h_t", [0.5, 0.25], 8, a[0].item)
  assert.equal(print(ink, [a[0]], 0, 2, [tiny]), "")
  assert.deepEqual([texts(a[0]), tiny.print], [["0.50", "0.25"], null])
})

test("a note on a touch screen says tap", async () => {
  globalThis.matchMedia = (query) => ({ matches: query === "(hover: none)" })
  const ofTouch = await import("../../dashboard/static/picture/printed_digits.js?touch")
  delete globalThis.matchMedia
  const place = { item: block("W", 1, 2), cell: 8, across: 8 }
  assert.equal(ofTouch.print(inkOf(700), [place], 0, 2), "To see a number, tap its entry.")
})

test("rows in pairs stand side by side, with aligned operators below each other in both halves", () => {
  const equation = (name) => [block("W", 3, 4), op(name), op("+", true), block("b", 3, 1)]
  const rows = paired([equation("· [h; x] and more"), equation("·"), equation("·"), equation("· [h; x]"), equation("·")])
  assert.deepEqual(rows.map((items) => items.filter(({ kind }) => kind === "block").length), [4, 4, 2])
  const ink = inkOf(1200)
  const plan = planned(ink, rows)
  const [one, other] = placed(ink, plan).map(({ places }) => places.filter(({ item }) => item.align).map(({ x }) => x))
  assert.deepEqual(one, other)
  assert.ok(one[0] < one[1] && one[1] < one[2])
  const ends = placed(ink, plan).flatMap(({ places }) => places.map(({ x, width = 0 }) => x + width))
  const width = widthOfPlan(ink, plan)
  assert.ok(Math.max(...ends) <= width && width <= Math.max(...ends) + 10)
})

test("matrices with cells too small to see take several lines, which are in sight together", () => {
  const maps = ["f_t", "i_t", "c̃_t", "o_t", "c_t", "h_t"].map((symbol) => block(symbol, 24, 49))
  const [narrow, wide] = [500, 1200].map((limit) => planned(inkOf(limit, 10), [maps]))
  assert.deepEqual([narrow.cell, narrow.rows.length], [4.75, 3])
  assert.deepEqual([wide.cell, wide.rows.length], [3.75, 1])
})
