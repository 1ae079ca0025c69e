// @ts-check
// Lines over an axis: an activation with each unit as a dot on it, or quantities over 0, 1, 2.

import { number } from "./numbers.js"
import { floats, numbersAt } from "./arrays.js"
import { MARGIN, NAME, SMALL, drawName, nameWidth, setFont } from "./theme.js"

/**
 * @import {
 *   Brush, Chart, Curve, Ink, Line, Numbers, Painted, PartKind, PlotPlace, Range, SentChart, SentCurve, SentLine,
 *   TargetKind,
 * } from "../types.js"
 */

/**
 * @typedef {{ line: Line | null, row: number, x: number }} NamedLine The row of a line's name above the axes, and its start there;
 * without a line, that of the name of the axis upwards.
 * @typedef {{
 *   left: number, top: number, width: number, height: number, across: (z: number) => number, up: (g: number) => number
 * }} Frame The axes, and what stands at a place between them.
 */

// Around the axes, for what their ticks say.
const LEFT = 34
const BOTTOM = 34

// Its numbers are z and g(z) of one unit after the other.
/** @type {TargetKind<Curve, SentCurve, PlotPlace<Curve>>} */
export const curve = {
  ...plot(400, 230),
  unpack: (item) => ({
    ...item,
    lines: item.lines.map(unpackLine),
    numbers: floats(item.dots, false),
    frames: item.frames ? floats(item.frames, true) : null,
  }),
  draw(picture, ink, place) {
    const frame = axes(place)
    drawShade(ink, place.item, frame)
    drawAxes(ink, place.item, frame)
    drawLines(ink, place, frame)
    drawDots(picture, ink, place)
  },
  moves: ({ frames }) => Boolean(frames),
  // Dots stand one below the other.
  grid: ({ numbers }) => ({ rows: numbers.length / 2, columns: 1 }),
  at(place, left, top, step) {
    const row = spots(place, step).findIndex(([x, y]) => Math.hypot(left - x, top - y) < 10)
    return row >= 0 ? { row, column: 0 } : null
  },
  spot(place, row, column, step) {
    const [x, y] = spots(place, step)[row]
    return { left: x - 9, top: y - 9, width: 18, height: 18 }
  },
  describe(item, row, column, step) {
    const [z, g] = numbersAt(item, step).subarray(2 * row)
    return `unit ${row + 1}: ${item.symbol}(${number(z, 4)}) ≈ ${number(g, 4)}`
  },
}

/** @type {PartKind<Chart, SentChart, PlotPlace<Chart>>} */
export const chart = {
  ...plot(760, 300),
  unpack: (item) => ({ ...item, lines: item.lines.map(unpackLine), steps: item.steps ? floats(item.steps, true) : null }),
  draw(picture, ink, place) {
    const frame = axes(place)
    drawAxes(ink, place.item, frame)
    drawLines(ink, place, frame)
    if (place.item.steps) drawCursor(picture, ink, place.item.steps, frame)
  },
  moves: ({ steps }) => Boolean(steps),
  grid: () => ({ rows: 0, columns: 0 }),
}

// Returns the members that curves and charts share. They have this size if the page is wide enough.
/**
 * @param {number} width
 * @param {number} height
 * @returns {Omit<PartKind<Curve | Chart>, "unpack" | "draw" | "moves" | "grid">}
 */
function plot(width, height) {
  const wide = (/** @type {Ink} */ { limit }) => Math.min(width, limit - 2 * MARGIN)
  const head = (/** @type {Curve | Chart} */ item, /** @type {Ink} */ ink) => NAME.height * Math.max(1, ...legend(ink, item, wide(ink)).map(({ row }) => row + 1))
  return {
    parts: (item) => [item],
    follows: () => [],
    size: (ink, item) => ({ width: wide(ink), height: head(item, ink) + height }),
    head,
    rows: () => Infinity,
    place: (ink, item, { x, y }) => [{ item, x, y, width: wide(ink), height }],
  }
}

// Where in the rows above the axes each line is named, and the axis upwards.
/** @type {(ink: Ink, item: Curve | Chart, width: number) => NamedLine[]} */
function legend(ink, item, width) {
  let [x, row] = [LEFT, 0]
  const add = (/** @type {Line | null} */ line, /** @type {number} */ wide) => {
    if (x + wide > width && x > LEFT) [x, row] = [LEFT, row + 1]
    x += wide
    return { line, row, x: x - wide }
  }
  const named = item.lines.filter(({ label }) => label).map((line) => add(line, 27 + nameWidth(ink, line.label) + 16))
  const above = axisName(item)
  return above ? [...named, add(null, ink.width(above, SMALL.font))] : named
}

// Returns the label of the vertical axis. The legend of a curve names it already.
/** @type {(item: Curve | Chart) => string} */
function axisName(item) {
  return item.kind === "chart" ? item.y_label : ""
}

/** @type {(line: SentLine) => Line} */
function unpackLine(line) {
  return { ...line, points: floats(line.values, true), places: line.places ? floats(line.places, true) : null }
}

/** @type {(place: PlotPlace<Curve | Chart>) => Frame} */
function axes({ item, ...place }) {
  const [left, top] = [place.x + LEFT, place.y + 4]
  const [width, height] = [place.width - LEFT - 10, place.height - BOTTOM]
  const share = (/** @type {number} */ value, /** @type {Range} */ [low, high]) => (value - low) / (high - low)
  const across = (/** @type {number} */ z) => left + share(z, item.x_range) * width
  const up = (/** @type {number} */ g) => top + height - 8 - share(g, item.y_range) * (height - 16)
  return { left, top, width, height, across, up }
}

// Where the dots are: those beyond the axes at their edge.
/** @type {(place: PlotPlace<Curve>, step: number) => [x: number, y: number][]} */
function spots(place, step) {
  const { x_range, y_range } = place.item
  const { across, up } = axes(place)
  const numbers = numbersAt(place.item, step)
  const within = (/** @type {number} */ value, /** @type {Range} */ [low, high]) => Math.min(high, Math.max(low, value))
  return Array.from({ length: numbers.length / 2 }, (_, unit) => [
    across(within(numbers[2 * unit], x_range)),
    up(within(numbers[2 * unit + 1], y_range)),
  ])
}

// Outside of its bounds an activation is saturated.
/** @type {(brush: Brush, item: Curve, frame: Frame) => void} */
function drawShade({ context }, { bounds, shade }, { left, top, width, height, across }) {
  const [low, high] = bounds.map(across)
  context.fillStyle = shade
  context.globalAlpha = 0.18
  context.fillRect(left, top, low - left, height)
  context.fillRect(high, top, left + width - high, height)
  context.globalAlpha = 1
}

/** @type {(brush: Brush, item: Curve | Chart, frame: Frame) => void} */
function drawAxes(ink, { x_ticks, y_ticks, x_label }, { left, top, width, height, across, up }) {
  const { context, look } = ink
  context.globalAlpha = 0.15
  context.strokeStyle = context.fillStyle = look.text
  context.lineWidth = 1
  context.beginPath()
  for (const z of x_ticks) context.rect(across(z), top, 0, height)
  for (const g of y_ticks) context.rect(left, up(g), width, 0)
  context.stroke()
  context.globalAlpha = 0.8
  setFont(ink, SMALL.font)
  context.textAlign = "center"
  for (const z of x_ticks) context.fillText(number(z, 1), across(z), top + height + 14)
  context.fillText(x_label, left + width / 2, top + height + 28)
  context.textAlign = "right"
  for (const g of y_ticks) context.fillText(number(g, 2), left - 5, up(g) + 4)
  context.globalAlpha = 1
}

// The lines, what each is called above them, and what the axis upwards is.
/** @type {(brush: Brush, place: PlotPlace<Curve | Chart>, frame: Frame) => void} */
function drawLines(ink, { item, x, y, width }, frame) {
  for (const line of item.lines) drawLine(ink, line, frame)
  const named = legend(ink, item, width)
  for (const { line, row, ...at } of named) {
    const above = y - 5 - NAME.height * (named[named.length - 1].row - row)
    if (line) drawLabel(ink, line, x + at.x, above)
    else drawSmall(ink, axisName(item), x + at.x, above)
  }
}

/** @type {(brush: Brush, text: string, x: number, y: number) => void} */
function drawSmall(ink, text, x, y) {
  setFont(ink, SMALL.font)
  ink.context.textAlign = "left"
  ink.context.fillStyle = ink.look.text
  ink.context.fillText(text, x, y)
}

// Without places of its own a line's points are evenly spaced from one end of the axis to the other.
/** @type {(brush: Brush, line: Line, frame: Frame) => void} */
function drawLine({ context }, { colour, dash, points, places }, { left, top, width, height, across, up }) {
  const x = (/** @type {number} */ index) => (places ? across(places[index]) : left + (index / Math.max(1, points.length - 1)) * width)
  context.save()
  context.beginPath()
  context.rect(left, top, width, height)
  context.clip()
  context.strokeStyle = colour
  context.lineWidth = 2
  context.setLineDash(dash)
  context.beginPath()
  points.forEach((g, index) => context.lineTo(x(index), up(g)))
  if (points.length === 1) context.arc(x(0) + 4, up(points[0]), 2, 0, 2 * Math.PI)
  context.stroke()
  context.restore()
}

// Where the scrub stands.
/** @type {(picture: Painted, brush: Brush, steps: Numbers, frame: Frame) => void} */
function drawCursor({ step }, { context, look }, steps, { top, height, across }) {
  const x = across(steps[step])
  context.strokeStyle = look.accent
  context.lineWidth = 2
  context.beginPath()
  context.moveTo(x, top)
  context.lineTo(x, top + height)
  context.stroke()
}

/** @type {(brush: Brush, line: Line, x: number, y: number) => void} */
function drawLabel(ink, { label, colour, dash }, x, y) {
  const { context } = ink
  context.save()
  context.strokeStyle = colour
  context.lineWidth = 2
  context.setLineDash(dash)
  context.beginPath()
  context.moveTo(x, y - 4)
  context.lineTo(x + 22, y - 4)
  context.stroke()
  context.restore()
  drawName(ink, label, x + 27, y)
}

// The inspected unit is drawn last, above the others.
/** @type {(picture: Painted, brush: Brush, place: PlotPlace<Curve>) => void} */
function drawDots({ data, step }, { context, look }, place) {
  const { item } = place
  const numbers = numbersAt(item, step)
  const places = spots(place, step)
  context.strokeStyle = look.paper
  context.lineWidth = 1
  const others = [...places.keys()].filter((unit) => unit !== data.unit)
  for (const unit of [...others, data.unit].filter((unit) => places[unit])) {
    const [x, y] = places[unit]
    const radius = unit === data.unit ? 7 : 5
    const [z, g] = numbers.subarray(2 * unit)
    const beyond = Math.sign(z) * (Math.abs(z) > item.x_range[1] || g > item.y_range[1] ? 1 : 0)
    context.fillStyle = unit === data.unit ? look.accent : item.colour
    context.beginPath()
    if (!beyond) context.arc(x, y, radius, 0, 2 * Math.PI)
    else {
      context.moveTo(x + beyond * 2, y)
      context.lineTo(x - beyond * 2 * radius, y - radius)
      context.lineTo(x - beyond * 2 * radius, y + radius)
      context.closePath()
    }
    context.fill()
    context.stroke()
  }
}
