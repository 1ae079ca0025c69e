// @ts-check
// A matrix as a heatmap with square cells, its numbers printed where they fit.

import { entry } from "./text.js"
import { digits } from "./number_format.js"
import { textOf } from "./printed_digits.js"
import { differing } from "./compare.js"
import { floats, numbersAt } from "./arrays.js"
import { GAP, NAME, SHAPE, SMALL, TITLE, colours, contextOf, drawName, drawTitle, headOf, nameWidth, setFont, shade, textHueOf } from "./theme.js"

/**
 * @import {
 *   AxisPart, Block, BlockPlace, BlockReference, Brush, Colour, Context, Entry, Extent, Grid, Ink, Numbers,
 *   Painted, Place, Scale, SentBlock, Size, Spot, TargetKind,
 * } from "../types.js"
 */

// In pixels of the page: the smallest font of headings, and the room of most letters in it.
const SMALLEST_HEADING = 10
const HEADING_ROOM = 6.5
const THINNEST = 10
const ROOM = 30
const AXIS = 18
// From this width of a drawing on, there are characters beside its rows.
const HEADED = 480
const DASHED = 2 // the look of an outline, as `drawing/matrices.py` sends it
// Where there is no number, the page shows through.
const NOTHING = { rgb: [0, 0, 0], css: "transparent", number: "transparent" }

/** @type {TargetKind<Block, BlockReference, BlockPlace>} */
export const block = {
  unpack: (item, blocks) => blocks[item.index],
  parts: (item) => [item],
  follows: ({ symbol, shape, mean, row_parts, column_parts, headings, row_headings, axes }) => [symbol, shape, mean, row_parts, column_parts, headings, row_headings, axes],
  size,
  head: (item) => headOf(item.symbol) + (isHeaded(item) ? NAME.line : 0),
  rows: ({ rows }) => rows,
  place: (ink, item, { x, y, cell }) => [{ item, x: x + leftOf(ink, item), y, cell, ...extent(item, cell) }],
  draw,
  moves: ({ frames, over_time }) => Boolean(frames || over_time),
  grid: ({ rows, columns }) => ({ rows, columns }),
  at,
  spot,
  describe,
}

// Whether something stands between its name and its columns.
/** @type {(item: Block) => boolean} */
function isHeaded({ column_parts, headings }) {
  return (column_parts?.length ?? 0) > 1 || Boolean(headings)
}

// Returns the room on the left of its entries, for the title of its rows or a character beside each.
/** @type {(ink: Ink, item: Block) => number} */
function leftOf(ink, item) {
  return item.axes || isRowHeaded(ink, item) ? AXIS : 0
}

// Whether there is room for characters beside its rows. On a phone, the numbers need it.
/** @type {(ink: Ink, item: Block) => boolean} */
function isRowHeaded({ limit }, { row_headings }) {
  return row_headings !== null && limit >= HEADED
}

// Unpacks a block. Python sends each block once, beside the panels.
/** @type {(block: SentBlock, packed: string[]) => Block} */
export function unpackBlock(block, packed) {
  const { values, frames, outlined, ...rest } = block
  const of = (/** @type {number | null} */ index, /** @type {boolean} */ single) => (index === null ? null : floats(packed[index], single))
  const numbers = floats(packed[values], block.single)
  return {
    ...rest,
    numbers: block.over_time ? transposed(numbers, block) : numbers,
    frames: of(frames, block.single_frames),
    outlined: of(outlined, true),
  }
}

/** @type {(byColumns: Numbers, grid: Grid) => Numbers} */
function transposed(byColumns, { rows, columns }) {
  return byColumns.map((_, index) => byColumns[(index % columns) * rows + Math.floor(index / columns)])
}

// The column of the step, where the columns are steps.
/** @type {(item: Block, step: number) => number} */
export function columnAt({ column_edges, still }, step) {
  return column_edges.findLastIndex((edge) => edge <= (still ?? step))
}

// ---- where it is ----

// Cells are square, but a single row or column never gets too thin to be seen, and the numbers of a column have room.
/** @type {(item: Block, cell: number) => Extent} */
function extent({ rows, columns }, cell) {
  const across = columns === 1 ? Math.max(cell, THINNEST, Math.min(1.5 * cell, ROOM)) : cell
  const down = rows === 1 ? Math.max(cell, THINNEST) : cell
  return { across, down, width: columns * across, height: rows * down }
}

/** @type {(ink: Ink, item: Block, cell: number) => Size} */
function size(ink, item, cell) {
  const { width, height } = extent(item, cell)
  const parts = item.columns === 1 && item.row_parts.length > 1 ? item.row_parts : []
  const beside = Math.max(0, ...parts.map(({ label }) => nameWidth(ink, label) + 5))
  const titled = item.axes ? nameWidth(ink, item.axes[1], TITLE) + GAP : 0
  const below = Math.max(ink.width(item.shape, SHAPE.font) + titled, item.mean ? ink.width(item.mean, SMALL.font) : 0)
  return {
    width: leftOf(ink, item) + Math.max(width + beside, nameWidth(ink, item.symbol), below),
    height: block.head(item, ink) + height + SHAPE.height + (item.mean ? SMALL.height : 0),
  }
}

/** @type {(place: BlockPlace, left: number, top: number) => Entry | null} */
function at({ item, x, y, across, down }, left, top) {
  const [row, column] = [Math.floor((top - y) / down), Math.floor((left - x) / across)]
  return row >= 0 && row < item.rows && column >= 0 && column < item.columns ? { row, column } : null
}

/** @type {(place: BlockPlace, row: number, column: number) => Spot} */
function spot({ x, y, across, down }, row, column) {
  return { left: x + column * across, top: y + row * down, width: across, height: down }
}

// ---- tooltips ----

/** @type {(item: Block, row: number, column: number, step: number, decimals?: number | null) => string} */
function describe(item, row, column, step, decimals = null) {
  const numbers = numbersAt(item, step)
  const value = numbers[row * item.columns + column]
  if (Number.isNaN(value)) return item.nothing
  const exact = (/** @type {Numbers} */ numbers) => digits(numbers, row * item.columns + column, decimals)
  const height = item.row_edges[row + 1] - item.row_edges[row]
  const width = item.column_edges[column + 1] - item.column_edges[column]
  const mean = height * width > 1 ? `, the mean of ${height}×${width}` : ""
  const before = item.against ? `\nin A: ${exact(numbersAt(item.against, step))}` : ""
  return `${nameOf(item, row, column)}: ${exact(numbers)}${mean}${item.hover ? `\n${item.hover[row]}` : ""}${before}`
}

/** @type {(item: Block, row: number, column: number) => string} */
export function nameOf(item, row, column) {
  const places = [entry(item.row_parts, item.row_edges, row)]
  if (item.column_parts) places.push(entry(item.column_parts, item.column_edges, column))
  if (item.headings) places.push(`“${item.headings[column]}”`)
  const where = places.filter(Boolean).join(", ")
  if (item.tooltip_name) return [item.tooltip_name, where].filter(Boolean).join(": ")
  return [item.symbol, where].filter(Boolean).join(", ")
}

// ---- what is drawn of it ----

/** @type {(picture: Painted, ink: Brush, place: BlockPlace) => void} */
function draw(picture, ink, place) {
  const { context, look } = ink
  const { item, x, y, height, cell } = place
  if (picture.step < (place.from ?? 0)) return
  const numbers = numbersAt(item, picture.step)
  const table = colours(picture.data.palettes[item.scale.palette], look)
  const scaleOf = scaleOfEntries(item)
  const shades = Array.from(numbers, (value, index) => {
    const { low, high } = scaleOf(index)
    return Number.isNaN(value) ? NOTHING : shade(table, value, low, high)
  })
  if (cell < 8) drawPixels(context, place, shades)
  else drawCells(context, place, shades)
  place.printed = drawNumbers(ink, place, numbers, shades)
  if (place.bare) {
    context.strokeStyle = look.text
    context.lineWidth = 1.5
    context.strokeRect(x, y, place.width, height)
    for (const { from, to } of spans(item.row_parts, item.row_edges, place.down)) context.strokeRect(x, y + from, place.width, to - from)
  } else {
    outline(ink, place)
    drawName(ink, item.symbol, x, y - NAME.apart - (isHeaded(item) ? NAME.line : 0), NAME, textHueOf(look, item.colour))
    if (item.headings) head(ink, place, item.headings)
    if (item.row_headings && isRowHeaded(ink, item)) headRows(ink, place, item.row_headings)
    drawShape(ink, place)
    if (item.axes) drawAxes(ink, place, item.axes)
  }
  if (item.units) markUnits(picture, ink, place)
  if (item.over_time) markColumn(ink, place, columnAt(item, picture.step))
  if (item.outlined) outlineEntries(ink, place, item.outlined)
  if (item.against) markDiffering(ink, place, differing(item, item.against, picture.step, picture.data.decimals))
}

// Returns the scale of each entry by its index: that of its part, if the parts have scales of their own. They are the parts of the rows
// or of the columns, whichever are as many. Every other entry has the scale of the whole.
/** @type {(item: Pick<Block, "scale" | "part_scales" | "columns" | "row_parts" | "column_parts" | "row_edges" | "column_edges">) => (index: number) => Scale} */
export function scaleOfEntries({ scale, part_scales, columns, row_parts, column_parts, row_edges, column_edges }) {
  if (!part_scales.length) return () => scale
  const areRows = row_parts.length === part_scales.length
  const [parts, edges] = areRows ? [row_parts, row_edges] : [column_parts ?? [], column_edges]
  let end = 0
  const ends = parts.map(({ size }) => (end += size))
  const along = edges.map((edge) => part_scales[ends.findIndex((end) => end > edge)] ?? scale)
  return (index) => along[areRows ? Math.floor(index / columns) : index % columns] ?? scale
}

/** @type {(ink: Brush, place: BlockPlace) => void} */
function drawShape(ink, { item, x, y, height }) {
  const { context, look } = ink
  setFont(ink, SHAPE.font)
  context.globalAlpha = 0.85
  context.fillStyle = look.text
  context.fillText(item.shape, x, y + height + SHAPE.height - 3)
  if (item.mean) {
    setFont(ink, SMALL.font)
    context.fillText(item.mean, x, y + height + SHAPE.height + SMALL.height - 3)
  }
  context.globalAlpha = 1
}

// The title of the columns stands beside the shape, at the right end; that of the rows only where it fits.
/** @type {(ink: Brush, place: BlockPlace, axes: [string, string]) => void} */
function drawAxes(ink, { item, x, y, width, height }, [ofRows, ofColumns]) {
  const { context } = ink
  const [long, tall] = [nameWidth(ink, ofColumns, TITLE), nameWidth(ink, ofRows, TITLE)]
  drawTitle(ink, ofColumns, Math.max(x + width - long, x + ink.width(item.shape, SHAPE.font) + GAP) + long / 2, y + height + SHAPE.height - 3)
  if (tall > height) return
  context.save()
  context.translate(x - 6, y + height / 2)
  context.rotate(-Math.PI / 2)
  drawTitle(ink, ofRows, 0, 0)
  context.restore()
}

// The upper right corner of each entry that is another one in A.
/** @type {(brush: Brush, place: BlockPlace, differ: number[]) => void} */
function markDiffering({ context, look }, { item, x, y, across, down }, differ) {
  const side = Math.min(10, Math.max(3, 0.3 * Math.min(across, down)))
  context.fillStyle = look.accent
  context.strokeStyle = look.paper
  context.lineWidth = 1
  for (const index of differ) {
    const right = x + ((index % item.columns) + 1) * across - 1
    const top = y + Math.floor(index / item.columns) * down
    context.beginPath()
    context.moveTo(right - side, top)
    context.lineTo(right, top)
    context.lineTo(right, top + side)
    context.closePath()
    context.fill()
    if (side > 4) context.stroke()
  }
}

/** @type {CanvasRenderingContext2D | null} */
let scratch = null

/** @type {(context: Context, place: BlockPlace, shades: Colour[]) => void} */
function drawPixels(context, { item, x, y, width, height }, shades) {
  const image = new ImageData(item.columns, item.rows)
  shades.forEach((shade, index) => {
    const [red, green, blue] = shade.rgb
    image.data[4 * index] = red
    image.data[4 * index + 1] = green
    image.data[4 * index + 2] = blue
    image.data[4 * index + 3] = shade === NOTHING ? 0 : 255
  })
  scratch ??= contextOf(document.createElement("canvas"))
  Object.assign(scratch.canvas, { width: item.columns, height: item.rows })
  scratch.putImageData(image, 0, 0)
  context.imageSmoothingEnabled = false
  context.drawImage(scratch.canvas, x, y, width, height)
}

/** @type {(context: Context, place: BlockPlace, shades: Colour[]) => void} */
function drawCells(context, { item, x, y, across, down }, shades) {
  shades.forEach(({ css }, index) => {
    const [row, column] = [Math.floor(index / item.columns), index % item.columns]
    context.fillStyle = css
    context.fillRect(x + column * across, y + row * down, across - 1, down - 1)
  })
}

/** @type {(place: Place) => place is BlockPlace} */
export function isMatrix({ item }) {
  return item.kind === "block"
}

/** @type {(ink: Brush, place: BlockPlace, numbers: Numbers, shades: Colour[]) => string[]} */
function drawNumbers(ink, { item, x, y, across, down, print }, numbers, shades) {
  if (!print) return []
  const { font } = print
  const { context } = ink
  setFont(ink, font)
  context.textAlign = "center"
  return Array.from(numbers, (value, index) => {
    const [row, column] = [Math.floor(index / item.columns), index % item.columns]
    const text = Number.isNaN(value) ? "" : textOf(value, print)
    context.fillStyle = shades[index].number
    context.fillText(text, x + (column + 0.5) * across, y + (row + 0.5) * down + font * 0.36)
    return text
  })
}

// Each part of a join has an outline and a name: above its columns or beside its rows.
/** @type {(ink: Brush, place: BlockPlace) => void} */
function outline(ink, { item, x, y, across, down, width, height }) {
  const { context, look } = ink
  context.strokeStyle = look.text
  context.lineWidth = 1.5
  context.strokeRect(x, y, width, height)
  for (const { from, to, label } of spans(item.row_parts, item.row_edges, down)) {
    context.strokeRect(x, y + from, width, to - from)
    const fits = item.columns === 1 && to - from >= NAME.font - 2
    if (fits) drawName(ink, label, x + width + 5, y + (from + to) / 2 + 5)
  }
  for (const { from, to, label } of spans(item.column_parts ?? [], item.column_edges, across)) {
    context.strokeRect(x + from, y, to - from, height)
    const fits = to === width || nameWidth(ink, label) <= to - from
    if (fits) drawName(ink, label, x + from, y - NAME.apart)
  }
}

// A character above each column, or none where they would overlap: every second letter of a text reads as another text. The tooltip of an
// entry has its character.
/** @type {(ink: Brush, place: Pick<BlockPlace, "x" | "y" | "across">, headings: string[]) => void} */
export function head(ink, { x, y, across }, headings) {
  const { context, look, zoom } = ink
  const font = Math.min(NAME.font, Math.max(SMALLEST_HEADING / zoom, Math.floor(1.4 * across)))
  // The index of a token has several digits.
  const longest = Math.max(1, ...headings.map((heading) => heading.length))
  if ((longest * HEADING_ROOM) / zoom > across) return
  setFont(ink, font)
  context.fillStyle = look.text
  context.textAlign = "center"
  headings.forEach((heading, column) => context.fillText(heading, x + (column + 0.5) * across, y - NAME.apart))
  context.textAlign = "left"
}

// A character beside each of the first rows, or none where they would overlap.
/** @type {(ink: Brush, place: BlockPlace, headings: string[]) => void} */
function headRows(ink, { x, y, down }, headings) {
  const { context, look, zoom } = ink
  const font = Math.min(NAME.font, Math.floor(down))
  if (font < SMALLEST_HEADING / zoom) return
  setFont(ink, font)
  context.fillStyle = look.text
  context.textAlign = "center"
  headings.forEach((heading, row) => context.fillText(heading, x - AXIS / 2 - 1, y + (row + 0.5) * down + 0.36 * font))
  context.textAlign = "left"
}

// Returns the ends of each part of a concatenation; an array of one part has none.
/** @type {(parts: AxisPart[], edges: number[], cell: number) => { from: number, to: number, name: string, label: string }[]} */
export function spans(parts, edges, cell) {
  if (parts.length < 2) return []
  let end = 0
  return parts.map(({ name, size, label }) => {
    const [from, to] = [end, (end += size)].map((edge) => edges.indexOf(edge) * cell)
    return { from, to, name, label }
  })
}

/** @type {(brush: Brush, place: BlockPlace, outlined: Numbers) => void} */
export function outlineEntries(brush, place, outlined) {
  const dashed = outlined.map((look) => Number(look === DASHED))
  // A mean has an outline if more than half of its entries have one.
  const solid = outlined.map((look) => Number(look > 0.5 && look !== DASHED))
  if (dashed.includes(1)) outlineOf(brush, place, dashed, [4, 3])
  outlineOf(brush, place, solid, [])
}

// Each entry by itself where there is room; of small ones around all that lie together.
/** @type {(brush: Brush, place: BlockPlace, outlined: Numbers, dash: number[]) => void} */
function outlineOf({ context, look }, { item, x, y, across, down }, outlined, dash) {
  const { rows, columns } = item
  const apart = Math.min(across, down) >= 10
  const inside = (/** @type {number} */ row, /** @type {number} */ column) =>
    row >= 0 && row < rows && column >= 0 && column < columns && outlined[row * columns + column] === 1
  context.beginPath()
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const [left, top] = [x + column * across - 0.5, y + row * down - 0.5]
      const here = inside(row, column)
      if (apart && here) context.rect(left + 1, top + 1, across - 2, down - 2)
      if (!apart && here !== inside(row, column - 1)) context.rect(left, top, 0, down)
      if (!apart && here !== inside(row - 1, column)) context.rect(left, top, across, 0)
    }
  }
  // A line in the page's own colour below it keeps it visible beside light and dark entries.
  context.strokeStyle = look.paper
  context.lineWidth = 3.5
  context.stroke()
  context.strokeStyle = look.outline
  context.lineWidth = 2
  context.setLineDash(dash)
  context.stroke()
  context.setLineDash([])
}

/** @type {(brush: Brush, place: BlockPlace, column: number) => void} */
function markColumn({ context, look }, { x, y, across, height }, column) {
  context.strokeStyle = look.accent
  context.lineWidth = 2
  const wide = Math.max(across, 3)
  context.strokeRect(x + (column + 0.5) * across - wide / 2 - 1, y - 2, wide + 1, height + 4)
}

// The inspected unit has a thick frame in every matrix whose rows are units, the pointed one a thin one.
/** @type {(picture: Painted, brush: Brush, place: BlockPlace) => void} */
function markUnits({ data, pointed }, { context, look }, { item, x, y, down, width }) {
  const frame = (/** @type {number} */ row, /** @type {number} */ lineWidth) => {
    context.strokeStyle = look.accent
    context.lineWidth = lineWidth
    context.strokeRect(x - 1, y + row * down - 1, width + 2, down + 1)
  }
  // A, which is frozen, may have fewer.
  frame(Math.min(item.row_edges.findLastIndex((edge) => edge <= data.unit), item.rows - 1), 2.5)
  const isUnit = pointed?.place.item.kind === "block" && pointed.place.item.units
  if (isUnit && pointed.row < item.rows) frame(pointed.row, 1.5)
}
