// @ts-check
// A matrix of which only the sizes are known: its sides in true proportion, with every size at its edge.

import { NAME, SHAPE, drawName, nameWidth, setFont } from "./theme.js"

/** @import { Box, BoxPart, BoxPlace, Brush, Ink, Painted, PartKind, Size } from "../types.js" */

// How many cells the longest side of a drawing takes.
const LONGEST = 5
const THINNEST = 12
const EDGE = 4
// The opacity of what fills a box.
const FILLED = 0.1
const DARKER = 0.28

/** @type {PartKind<Box, Box, BoxPlace>} */
export const box = {
  unpack: (item) => item,
  parts: (item) => [item],
  follows: ({ symbol, shape, rows, columns, largest }) => [symbol, shape, rows, columns, largest],
  size,
  head: () => NAME.height,
  rows: ({ rows, largest }) => (LONGEST * total(rows)) / largest,
  place: (ink, item, { x, y, cell }) => [
    {
      ...{ item, x, y, widths: lengths(item, item.columns, cell), heights: lengths(item, item.rows, cell) },
      ...{ width: side(item, item.columns, cell), height: side(item, item.rows, cell) },
    },
  ],
  draw,
  moves: () => false,
  grid: () => ({ rows: 0, columns: 0 }),
}

/** @type {(parts: BoxPart[]) => number} */
function total(parts) {
  return parts.reduce((sum, { size }) => sum + (size ?? 0), 0)
}

/** @type {(item: Box, parts: BoxPart[], cell: number) => number[]} */
function lengths({ largest }, parts, cell) {
  return parts.map(({ size }) => Math.max(THINNEST, (LONGEST * cell * (size ?? 0)) / largest))
}

/** @type {(item: Box, parts: BoxPart[], cell: number) => number} */
function side(item, parts, cell) {
  return lengths(item, parts, cell).reduce((sum, length) => sum + length, 0)
}

// The rows are named beside the box, the columns below it.
/** @type {(ink: Ink, item: Box, cell: number) => Size} */
function size(ink, item, cell) {
  const beside = Math.max(...item.rows.map((part) => ink.width(label(part), SHAPE.font))) + 8
  const below = Math.max(...[item.shape, ...item.columns.map(label)].map((text) => ink.width(text, SHAPE.font)))
  return {
    width: Math.max(side(item, item.columns, cell) + beside, below, nameWidth(ink, item.symbol)),
    height: NAME.height + side(item, item.rows, cell) + SHAPE.height * (1 + item.columns.length),
  }
}

/** @type {(part: BoxPart) => string} */
function label({ name, size, meets }) {
  return `${size ?? "?"}${name ? ` ${name}` : ""}${meets ? "" : " ≠"}`
}

/** @type {(picture: Painted, ink: Brush, place: BoxPlace) => void} */
function draw(picture, ink, { item, x, y, width, height, widths, heights }) {
  const { context, look } = ink
  drawName(ink, item.symbol, x, y - NAME.apart)
  fill(ink, item, x, y, widths, heights)
  context.strokeStyle = look.text
  context.lineWidth = 1
  setFont(ink, SHAPE.font)

  let top = y
  heights.forEach((length, index) => {
    const part = item.rows[index]
    context.strokeRect(x + 0.5, top + 0.5, width, length)
    edge(ink, part, x + width + 1, top, EDGE, length)
    context.fillStyle = part.meets ? look.text : look.accent
    context.fillText(label(part), x + width + 8, top + length / 2 + 4)
    top += length
  })
  let left = x
  widths.forEach((length, index) => {
    const part = item.columns[index]
    context.strokeRect(left + 0.5, y + 0.5, length, height)
    edge(ink, part, left, y + height + 1, length, EDGE)
    context.fillStyle = part.meets ? look.text : look.accent
    context.fillText(label(part), x, y + height + SHAPE.height * (index + 2) - 1)
    left += length
  })
  context.globalAlpha = 0.75
  context.fillStyle = look.text
  context.fillText(item.shape, x, y + height + SHAPE.height)
  context.globalAlpha = 1
}

// Fills each part. Those for h are darker in the weights and in h, so that one sees what meets.
/** @type {(brush: Brush, item: Box, x: number, y: number, widths: number[], heights: number[]) => void} */
function fill({ context, look }, { rows, columns }, x, y, widths, heights) {
  context.save()
  context.fillStyle = look.text
  let top = y
  heights.forEach((height, row) => {
    let left = x
    widths.forEach((width, column) => {
      context.globalAlpha = [rows[row], columns[column]].some(({ kind }) => kind === "h") ? DARKER : FILLED
      context.fillRect(left, top, width, height)
      left += width
    })
    top += height
  })
  context.restore()
}

// Draws a thick edge if two sizes do not match.
/** @type {(brush: Brush, part: BoxPart, x: number, y: number, width: number, height: number) => void} */
function edge({ context, look }, { meets }, x, y, width, height) {
  if (meets) return
  context.fillStyle = look.accent
  context.fillRect(x, y, width, height)
}
