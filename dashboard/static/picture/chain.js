// @ts-check
// An unrolled cell as a row of compact cells, with the wire of its state through all of them. drawing/chain.py makes it.

import { floats } from "./arrays.js"
import { roundedPath } from "./rounded_path.js"
import { MARGIN, NAME, SHAPE, SMALL, drawName, hueOf, nameWidth, setFont } from "./theme.js"

/** @import { Brush, Chain, ChainPlace, Ink, SentChain, Spot, TargetKind } from "../types.js" */

// A cell with the gap after it takes at most so much, and the gap is so much of it.
const WIDEST = 200
const GAP = 0.24
// The height of a cell with a wire only, with a text, and with two wires. From its top to its wires and its text.
const LOWEST = 24
const LOW = 36
const HIGH = 46
const FIRST = 12
const TEXT = 29
const SECOND = 38
// A wire with a text at its end, and its cells, are so many times as tall.
const TALLER = 1.8
// The widths of the wire.
const PLAIN = 2
const CLOSED = 1
const OPEN = 13
// The opacity of a wire that carries no gradient.
const FAINTEST = 0.12
const TIP = 7
// The least room for the name of a wire, and that for a text at its end: the cells of several rows stand below each other.
const NAMED = 44
const ENDED = 106
// The extra pixels on each side of the cell of the current step, which reaches into the gaps beside it, and of its texts.
const LARGER = 8
const LARGER_LETTER = 4
// Cells that are narrower than this have every fifth number below them.
const NUMBERED = 18

/** @type {TargetKind<Chain, SentChain, ChainPlace>} */
export const chain = {
  unpack: (item) => ({ ...item, through: item.through === null ? null : floats(item.through, true) }),
  parts: (item) => [item],
  follows: ({ words, letters, symbol }) => [words.length, Boolean(letters), symbol],
  size: (ink, item) => ({ width: labelOf(ink, item) + item.words.length * pitchOf(ink, item) + TIP, height: above(item) + heightOf(item) + around(item) + below(item) }),
  head: () => 0,
  rows: () => Infinity,
  place: (ink, item, { x, y }) => [{ item, x: x + labelOf(ink, item), y: y + above(item), pitch: pitchOf(ink, item) }],
  draw(picture, ink, place) {
    const { item } = place
    const now = item.over_time ? (item.still ?? picture.step) : -1
    for (const step of item.words.keys()) drawCell(ink, place, step, step === now)
    drawWires(ink, place)
    for (const step of item.words.keys()) drawTexts(ink, place, step, step === now)
  },
  moves: ({ over_time }) => over_time,
  grid: ({ words }) => ({ rows: 1, columns: words.length }),
  at({ item, x, y, pitch }, left, top) {
    const column = Math.floor((left - x) / pitch)
    const isIn = top >= y - above(item) && top < y + heightOf(item) + below(item) && column >= 0 && column < item.words.length
    return isIn ? { row: 0, column } : null
  },
  spot: (place, row, column) => boxOf(place, column),
  describe: (item, row, column) => item.words[column],
}

/** @type {(ink: Ink, item: Chain) => number} */
function labelOf(ink, { symbol, second, backward, end }) {
  const least = end ? ENDED : backward ? NAMED : 0
  return Math.max(nameWidth(ink, symbol), nameWidth(ink, second), least) + TIP + 4
}

/** @type {(ink: Ink, item: Chain) => number} */
function pitchOf(ink, item) {
  return Math.min(WIDEST, (ink.limit - 2 * MARGIN - TIP - labelOf(ink, item)) / item.words.length)
}

// Returns the height above the cells, for letters and the frame of the current step.
/** @type {(item: Chain) => number} */
function above(item) {
  return around(item) + (item.letters ? NAME.line : 2)
}

// Returns the room that the cell of the current step takes above the others, and below them.
/** @type {(item: Chain) => number} */
function around({ over_time }) {
  return over_time ? LARGER : LARGER / 2
}

/** @type {(item: Chain) => number} */
function heightOf({ second, labels, end }) {
  return second ? HIGH : labels.length ? LOW : LOWEST * (end ? TALLER : 1)
}

// Returns how far the wire of the state is below the top of its cells.
/** @type {(item: Chain) => number} */
function wireOf({ end }) {
  return FIRST * (end ? TALLER : 1)
}

// Returns the height below the cells, for the numbers of the steps.
/** @type {(item: Chain) => number} */
function below({ numbered }) {
  return numbered ? SMALL.height + 2 : 0
}

/** @type {(place: ChainPlace, step: number) => Spot} */
function boxOf({ item, x, y, pitch }, step) {
  return { left: x + (step + GAP / 2) * pitch, top: y, width: (1 - GAP) * pitch, height: heightOf(item) }
}

/** @type {(ink: Brush, place: ChainPlace, step: number, isNow: boolean) => void} */
function drawCell({ context, look }, place, step, isNow) {
  const { left, top, width, height } = boxOf(place, step)
  const [beside, above] = isNow ? [Math.min(LARGER, Math.max(LARGER / 3, 0.4 * GAP * place.pitch)), LARGER] : [0, 0]
  roundedPath(context, left - beside, top - above, width + 2 * beside, height + 2 * above, Math.min(7, width / 3))
  context.save()
  context.fillStyle = look.text
  context.globalAlpha = 0.06
  context.fill()
  context.globalAlpha = isNow ? 1 : 0.45
  context.strokeStyle = isNow ? look.accent : look.text
  context.lineWidth = isNow ? 2.5 : 1
  context.stroke()
  context.restore()
}

/** @type {(ink: Brush, place: ChainPlace) => void} */
function drawWires(ink, { item, x, y, pitch }) {
  const { context, look } = ink
  const { backward, second, symbol, through, words } = item
  const [start, end] = [x - labelOf(ink, item) + 2, x + words.length * pitch]
  const wire = y + wireOf(item)
  drawName(ink, symbol, start, wire + (item.end ? -3 : 5))
  if (item.end) {
    setFont(ink, SHAPE.font)
    context.fillText(item.end, start, wire + SHAPE.font)
  }
  context.strokeStyle = context.fillStyle = hueOf(look, item.colour)
  for (const step of words.keys()) {
    const part = through?.[step]
    context.save()
    if (backward && part !== undefined) context.globalAlpha = FAINTEST + (1 - FAINTEST) * part
    context.lineWidth = part === undefined ? PLAIN : CLOSED + (OPEN * (item.end ? TALLER : 1) - CLOSED) * part
    context.beginPath()
    context.moveTo(x + step * pitch, wire)
    context.lineTo(x + (step + 1) * pitch, wire)
    context.stroke()
    if (backward && step === 0) drawTip(ink, x, wire, -1)
    context.restore()
  }
  if (!backward) drawTip(ink, end, wire, 1)
  if (!second) return
  drawName(ink, second, start, y + SECOND + 4)
  context.strokeStyle = context.fillStyle = look.text
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(x, y + SECOND)
  context.lineTo(end, y + SECOND)
  context.stroke()
  drawTip(ink, end, y + SECOND, 1)
}

/** @type {(ink: Brush, x: number, y: number, way: 1 | -1) => void} */
function drawTip({ context }, x, y, way) {
  context.beginPath()
  context.moveTo(x + way * TIP, y)
  context.lineTo(x, y - TIP)
  context.lineTo(x, y + TIP)
  context.closePath()
  context.fill()
}

/** @type {(ink: Brush, place: ChainPlace, step: number, isNow: boolean) => void} */
function drawTexts(ink, place, step, isNow) {
  const { context, look } = ink
  const { item, pitch } = place
  const { left, top, width, height } = boxOf(place, step)
  const middle = left + width / 2
  context.fillStyle = look.text
  context.textAlign = "center"
  if (item.letters) {
    const font = Math.min(NAME.font, Math.max(6, Math.floor(1.4 * pitch)))
    setFont(ink, isNow ? font + LARGER_LETTER : font)
    context.fillText(`“${item.letters[step]}”`, middle, top - around(item) - 5)
  }
  const label = item.labels[step] ?? ""
  const font = isNow && ink.width(label, NAME.font) <= width - 6 ? NAME.font : SMALL.font
  setFont(ink, font)
  if (ink.width(label, font) <= width - 6) context.fillText(label, middle, top + TEXT)
  setFont(ink, SMALL.font)
  if (item.numbered && (isNow || pitch >= NUMBERED || step % 5 === 4)) context.fillText(String(step + 1), middle, top + height + around(item) + SMALL.height - 3)
  context.textAlign = "left"
}
