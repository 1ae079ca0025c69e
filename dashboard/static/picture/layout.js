// @ts-check
// The places of everything in a drawing. Nothing is drawn here.

import { GAP, MARGIN, SMALL } from "./theme.js"
import { LONGEST_NOTE, SMALLEST_PRINTED } from "./printed_digits.js"
import { follows, kindOf } from "./items.js"

/** @import { Ink, Item, KeyedPlan, Legend, Op, Plan, Rows, Size, StripLayout } from "../types.js" */

const SMALLEST_CELL_ON_ONE_LINE = 18
const LARGEST_BROKEN_CELL = 30
// Smaller cells are hard to see, so they take several lines if those are in sight together.
const SMALLEST_SEEN = 3.5
// Items are not aligned where that leaves a gap of more entries: a formula would look like two.
const WIDEST_GAP = 4.5
const TALLEST = 640 // of the page's pixels
export const LEGEND = { height: 17, bar: 56, colours: 28 }
// Two rows that stand side by side have it between them.
/** @type {Op} */
const BETWEEN = { kind: "op", symbol: "", align: true }
// Whole pixels where they are large, quarters where they are small.
const CELLS = Array.from({ length: 61 + 28 }, (_, index) => (index < 28 ? 1 + index / 4 : index - 20))

/** @type {(ink: Ink, item: Item, cell: number) => Size} */
function size(ink, item, cell) {
  return kindOf(item).size(ink, item, cell)
}

/** @type {(item: Item) => boolean} */
function isAligned(item) {
  return item.kind === "op" && item.align
}

// Returns the left edge of each item of a row, and the right edge of the row. `from` moves the aligned items to the right.
/** @type {(ink: Ink, items: Item[], cell: number, from?: number[]) => { starts: number[], end: number }} */
function spread(ink, items, cell, from = []) {
  let [x, aligned] = [MARGIN, 0]
  const starts = items.map((item) => {
    if (isAligned(item)) x = Math.max(x, from[aligned++] ?? 0)
    const start = x
    x += size(ink, item, cell).width + GAP
    return start
  })
  return { starts, end: x - GAP + MARGIN }
}

// Returns where the first aligned item of every row starts, where the second one does, and so on.
/** @type {(ink: Ink, rows: Rows, cell: number) => number[]} */
function alignment(ink, rows, cell) {
  /** @type {number[]} */
  const from = []
  const most = Math.max(...rows.map((items) => items.filter(isAligned).length))
  while (from.length < most) {
    const starts = rows.map((items) => spread(ink, items, cell, from).starts.filter((_, index) => isAligned(items[index])))
    from.push(Math.max(...starts.map((aligned) => aligned[from.length] ?? 0)))
  }
  return from
}

// Puts each second row beside the one before it.
/** @type {(rows: Rows) => Rows} */
export function paired(rows) {
  return rows.flatMap((row, index) => (index % 2 ? [] : [index + 1 < rows.length ? [...row, BETWEEN, ...rows[index + 1]] : row]))
}

// Returns the widest gap before an aligned item.
/** @type {(ink: Ink, rows: Rows, cell: number, from: number[]) => number} */
function widestGap(ink, rows, cell, from) {
  return Math.max(
    ...rows.flatMap((items) => {
      const { starts } = spread(ink, items, cell, from)
      return items.map((_, index) => (index ? starts[index] - starts[index - 1] - size(ink, items[index - 1], cell).width - GAP : 0))
    }),
  )
}

/** @type {(ink: Ink, plan: Plan) => number} */
export function widthOfPlan(ink, { cell, rows, from }) {
  return Math.max(...rows.map((items) => spread(ink, items, cell, from).end))
}

// The largest cell that fits, by bisection: what fits with some cell fits with every smaller one.
/** @type {(ink: Ink, fits: (cell: number) => boolean) => number} */
function largestCell(ink, fits) {
  let [low, high] = [0, CELLS.findLastIndex((cell) => cell <= ink.largest)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(CELLS[middle])) low = middle
    else high = middle - 1
  }
  return CELLS[low]
}

// A row that is too long for one line is broken before an operator, which never stands alone. A sum, its activation and the result stay
// together if there is room.
/** @type {(ink: Ink, items: Item[], cell: number) => Rows} */
function lines(ink, items, cell) {
  const fits = (/** @type {Item[]} */ line) => spread(ink, line, cell).end <= ink.limit
  /** @type {Rows} */
  const broken = []
  for (const part of partsOf(items, true).flatMap((part) => (fits(part) ? [part] : partsOf(part, false)))) {
    const line = broken[broken.length - 1]
    if (line && fits([...line, ...part])) line.push(...part)
    else broken.push([...part])
  }
  return broken
}

// Returns the parts of a row that lines begin with. An operator begins one, unless another operator follows, or it is an activation that
// is kept with what stands before it.
/** @type {(items: Item[], keeps: boolean) => Rows} */
function partsOf(items, keeps) {
  /** @type {Rows} */
  const parts = []
  items.forEach((item, index) => {
    const isKept = keeps && item.kind === "op" && /\S →$/.test(item.symbol)
    const begins = item.kind === "op" ? items[index + 1]?.kind !== "op" && !isKept : items[index - 1]?.kind !== "op"
    if (begins || !parts.length) parts.push([])
    parts[parts.length - 1].push(item)
  })
  return parts
}

// Whether all items are maps of one size. If their rows are too long, they fill the lines together.
/** @type {(rows: Rows) => boolean} */
function areAlike(rows) {
  const [first, ...others] = rows.flat()
  return first?.kind === "block" && others.every((item) => item.kind === "block" && item.rows === first.rows && item.columns === first.columns)
}

// One row on one line where its cells stay large enough for that, aligned where that costs little.
/** @type {(ink: Ink, rows: Rows) => Plan} */
function layout(ink, rows) {
  const height = (/** @type {Item} */ item, /** @type {number} */ cell) => size(ink, item, cell).height
  // Two plots on top of each other are as tall with any cell.
  const low = (/** @type {Item[]} */ items, /** @type {number} */ cell) => items.every((item) => height(item, cell) <= Math.max(TALLEST / ink.zoom, height(item, CELLS[0])))
  const fits = (/** @type {Rows} */ rows, /** @type {number} */ cell, /** @type {number[]} */ from = []) =>
    rows.every((items) => spread(ink, items, cell, from).end <= ink.limit && low(items, cell))
  const broken = (/** @type {number} */ cell) => (areAlike(rows) ? [rows.flat()] : rows).flatMap((items) => lines(ink, items, cell))

  const plain = largestCell(ink, (cell) => fits(rows, cell))
  const overlong = !fits(rows, plain)
  if (plain < SMALLEST_CELL_ON_ONE_LINE || overlong) {
    const cell = Math.min(LARGEST_BROKEN_CELL, largestCell(ink, (cell) => fits(broken(cell), cell)))
    if (overlong || (cell >= 1.5 * plain && cell >= SMALLEST_PRINTED)) return { cell, rows: broken(cell), from: [] }
  }
  if (plain < SMALLEST_SEEN) {
    const tall = (/** @type {Rows} */ rows, /** @type {number} */ cell) => rows.reduce((sum, items) => sum + Math.max(...items.map((item) => height(item, cell))) + GAP, 0)
    const cell = largestCell(ink, (cell) => fits(broken(cell), cell) && tall(broken(cell), cell) <= TALLEST / ink.zoom)
    if (cell >= 1.5 * plain) return { cell, rows: broken(cell), from: [] }
  }
  const aligned = largestCell(ink, (cell) => fits(rows, cell, alignment(ink, rows, cell)))
  const from = alignment(ink, rows, aligned)
  if (aligned >= 0.9 * plain && widestGap(ink, rows, aligned, from) <= WIDEST_GAP * aligned) return { cell: aligned, rows, from }
  return { cell: plain, rows, from: [] }
}

// The plan of a panel's rows: that of the last time where nothing moves, with the new items. While numbers change,
// what it follows from seldom does.
/** @type {(ink: Ink, rows: Rows, before?: KeyedPlan | null) => KeyedPlan} */
export function planned(ink, rows, before) {
  const key = JSON.stringify([ink.limit, ink.largest, ink.look.font, rows.map((items) => items.map(follows))])
  if (before?.key !== key) return { ...layout(ink, rows), key }
  const items = rows.flat()
  return { ...before, rows: before.rows.map((line) => items.splice(0, line.length)) }
}

// Returns a strip of the drawing for each row, with the places of its items, from a corner of the drawing on.
/** @type {(ink: Ink, plan: Plan, corner?: { left: number, top: number }) => StripLayout[]} */
export function placed(ink, { cell, rows, from }, { left, top } = { left: 0, top: 0 }) {
  return rows.map((items) => {
    const { starts } = spread(ink, items, cell, from)
    const head = Math.max(...items.map((item) => kindOf(item).head(item, ink)))
    const shortest = Math.min(...items.map((item) => kindOf(item).rows(item)))
    const body = Math.max(...items.map((item) => size(ink, item, cell).height - kindOf(item).head(item, ink)))
    const where = { y: top + head, cell, middle: (Math.min(shortest, 16) * cell) / 2 }
    const places = items.flatMap((item, index) => kindOf(item).place(ink, item, { ...where, x: left + starts[index] }))
    const strip = { top, height: Math.ceil(head + body + GAP), places, legends: [], note: null }
    top += strip.height
    return strip
  })
}

// Places the legends of the colour scales side by side, in as many lines as they need, and room for a note after them.
// If a legend is too wide for one line, its bar with the numbers takes the next one.
/** @type {(ink: Ink, legends: Legend[], isNoted: boolean) => Pick<StripLayout, "legends" | "note"> & { lines: number }} */
export function placeLegends(ink, legends, isNoted) {
  let [x, line] = [0, 0]
  const place = (/** @type {number} */ width) => {
    if (x && x + width > ink.limit) [x, line] = [0, line + 1]
    const start = x
    x += width + 18
    return { x: start, line }
  }
  const placed = legends.map(({ label, palette, low, high }) => {
    const text = `${label}:`
    const [named, least, most] = [`${text} `, low, high].map((part) => ink.width(part, SMALL.font))
    const keyed = least + LEGEND.bar + 10 + most
    const { x, line } = place(named + keyed > ink.limit ? named : named + keyed)
    const key = named + keyed > ink.limit ? place(keyed) : { x: x + named, line }
    return { x, line, text, palette, low, high, key }
  })
  const note = isNoted ? { ...place(ink.width(LONGEST_NOTE, SMALL.font)), text: "" } : null
  return { legends: placed, note, lines: x ? line + 1 : 0 }
}
