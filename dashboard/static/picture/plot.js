// @ts-check
// Lines over an axis: an activation with each unit as a dot on it, or quantities over 0, 1, 2.

import { number } from "./number_format.js"
import { floats, numbersAt } from "./arrays.js"
import { GAP, MARGIN, NAME, SMALL, TITLE, drawName, drawTitle, hueOf, nameWidth, setFont } from "./theme.js"

/**
 * @import {
 *   Brush, Chart, Context, Curve, Ink, Line, NamedLine, Numbers, Painted, PartKind, PlotPlace, Range, SentChart, SentCurve, SentLine, TargetKind,
 * } from "../types.js"
 */

/**
 * @typedef {{
 *   left: number, top: number, width: number, height: number, across: (z: number) => number, up: (g: number) => number
 * }} Frame The axes, and what stands at a place between them.
 */

// Around the axes, for their ticks and titles.
const LEFT = 54
const RIGHT = 10
const BOTTOM = 40
// Above the axes of a plot whose lines are named elsewhere.
export const ABOVE_AXES = 8
// A plot is so tall, and taller by this share of its width, up to the most.
const [LOWEST, SHARE, TALLEST] = [150, 0.2, 320]
// A plot is not lower than this, even if the window of a projector is.
const LOWEST_PROJECTED = 110
// A plot that shares a line with others is so wide at least.
const NARROWEST = 300
// How wide a line is up to the current step, and beyond it. A projector hardly shows thinner lines.
const REACHED = 3
const BEYOND = 2

// The members that curves and charts share. They have the width of the page, or the widest that they may have.
/** @type {Omit<PartKind<Curve | Chart>, "unpack" | "draw" | "moves" | "grid">} */
const plot = {
  parts: (item) => [item],
  follows: (item) => (item.kind === "curve" ? [item.widest, item.in_row, item.beside] : []),
  size(ink, item) {
    const width = widthOf(item, ink)
    const usual = head(item, ink) + Math.min(TALLEST, Math.round(LOWEST + SHARE * width))
    return { width, height: Math.max(LOWEST_PROJECTED, Math.min(usual, Math.floor(ink.tall))) }
  },
  head,
  rows: () => Infinity,
  place(ink, item, { x, y }) {
    const { width, height } = plot.size(ink, item, 0)
    return [{ item, x, y, width, height: height - head(item, ink), named: legend(ink, item) }]
  },
}

// In the projector view the curves of a row share its line, so that all of them are in sight, unless they would be too narrow and may
// stand in several lines. Elsewhere a line holds as many as fit.
/** @type {(item: Curve | Chart, ink: Ink) => number} */
function widthOf(item, { limit, zoom }) {
  const whole = limit - 2 * MARGIN
  if (item.kind === "chart") return whole
  const shared = (/** @type {number} */ count) => Math.floor((whole - GAP * (count - 1)) / count)
  const usual = shared(item.beside) < NARROWEST ? whole : shared(item.beside)
  const isShared = zoom > 1 && (item.beside === 1 || shared(item.in_row) >= NARROWEST)
  return Math.min(item.widest ?? Infinity, isShared ? shared(item.in_row) : usual)
}

/** @type {(item: Curve | Chart, ink: Ink) => number} */
function head(item, ink) {
  return ABOVE_AXES + NAME.line * Math.max(0, ...legend(ink, item).map(({ row }) => row + 1))
}

// Returns the place of the name of each line above the axes; none if the key of the picture names the lines.
/** @type {(ink: Ink, item: Curve | Chart) => NamedLine[]} */
function legend(ink, item) {
  if (item.kind === "chart" && item.keyed && !ink.alone) return []
  const width = widthOf(item, ink)
  let [x, row] = [LEFT, 0]
  return item.lines.filter(({ label }) => label).map((line) => {
    const wide = 27 + nameWidth(ink, line.label) + 16
    if (x + wide > width && x > LEFT) [x, row] = [LEFT, row + 1]
    x += wide
    return { line, row, x: x - wide }
  })
}

// Its numbers are z and g(z) of one unit after the other.
/** @type {TargetKind<Curve, SentCurve, PlotPlace<Curve>>} */
export const curve = {
  ...plot,
  unpack: (item) => ({
    ...item,
    lines: item.lines.map(unpackLine),
    numbers: floats(item.dots, false),
    frames: item.frames ? floats(item.frames, true) : null,
    rings: item.rings.map((rings) => ({ ...rings, frames: floats(rings.frames, true) })),
  }),
  draw(picture, ink, place) {
    const frame = axes(place)
    drawShade(ink, place.item, frame)
    drawAxes(ink, place, frame)
    for (const line of place.item.lines) drawLine(ink, line, frame, frame.left + frame.width)
    drawLegend(ink, place)
    drawRings(picture, ink, place)
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
    if (item.is_scatter) return `unit ${row + 1}, ${item.symbol}: ${item.x_label} ${number(z, 4)}, ${item.y_label} ${number(g, 4)}`
    return `unit ${row + 1}: ${item.symbol}(${number(z, 4)}) ≈ ${number(g, 4)}`
  },
}

/** @type {PartKind<Chart, SentChart, PlotPlace<Chart>>} */
export const chart = {
  ...plot,
  unpack: (item) => ({ ...item, lines: item.lines.map(unpackLine), steps: item.steps ? floats(item.steps, true) : null }),
  draw(picture, ink, place) {
    const frame = axes(place)
    const { lines, steps } = place.item
    drawAxes(ink, place, frame)
    const now = steps ? frame.across(steps[picture.step]) : frame.left + frame.width
    for (const line of lines) drawLine(ink, line, frame, now)
    drawLegend(ink, place)
    if (steps) drawCursor(ink, now, frame)
  },
  moves: ({ steps }) => Boolean(steps),
  grid: () => ({ rows: 0, columns: 0 }),
}

/** @type {(line: SentLine) => Line} */
function unpackLine(line) {
  return { ...line, points: floats(line.values, true), places: line.places ? floats(line.places, true) : null }
}

/** @type {(place: PlotPlace<Curve | Chart>) => Frame} */
function axes({ item, ...place }) {
  const [left, top] = [place.x + LEFT, place.y]
  const [width, height] = [place.width - LEFT - RIGHT, place.height - BOTTOM]
  const share = (/** @type {number} */ value, /** @type {Range} */ [low, high]) => (value - low) / (high - low)
  const across = (/** @type {number} */ z) => left + share(z, item.x_range) * width
  const up = (/** @type {number} */ g) => top + height - 8 - share(g, item.y_range) * (height - 16)
  return { left, top, width, height, across, up }
}

// Returns the places of the dots; a dot beyond the axes is at their edge.
/** @type {(place: PlotPlace<Curve>, step: number) => [x: number, y: number][]} */
function spots(place, step) {
  return spotsOf(place, numbersAt(place.item, step))
}

/** @type {(place: PlotPlace<Curve>, numbers: Numbers) => [x: number, y: number][]} */
function spotsOf(place, numbers) {
  const { x_range, y_range } = place.item
  const { across, up } = axes(place)
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

/** @type {(brush: Brush, place: PlotPlace<Curve | Chart>, frame: Frame) => void} */
function drawAxes(ink, { item, x }, { left, top, width, height, across, up }) {
  const { context, look } = ink
  context.globalAlpha = 0.15
  context.strokeStyle = context.fillStyle = look.text
  context.lineWidth = 1
  context.beginPath()
  for (const z of item.x_ticks) context.rect(across(z), top, 0, height)
  for (const g of item.y_ticks) context.rect(left, up(g), width, 0)
  context.stroke()
  context.globalAlpha = 0.8
  setFont(ink, SMALL.font)
  context.textAlign = "center"
  for (const z of item.x_ticks) context.fillText(number(z, 1), across(z), top + height + 14)
  context.textAlign = "right"
  for (const g of item.y_ticks) context.fillText(number(g, 2), left - 5, up(g) + 4)
  context.globalAlpha = 1
  drawTitle(ink, item.x_label, left + width / 2, top + height + 32, width + 2 * RIGHT)
  context.save()
  context.translate(x + TITLE.font, top + height / 2)
  context.rotate(-Math.PI / 2)
  drawTitle(ink, item.y_label, 0, 0)
  context.restore()
}

/** @type {(brush: Brush, place: PlotPlace<Curve | Chart>) => void} */
function drawLegend(ink, { item, x, y, named }) {
  const isDot = item.kind === "curve" && item.is_scatter
  for (const { line, row, ...at } of named) {
    drawLabel(ink, line, x + at.x, y - 8 - NAME.line * (named[named.length - 1].row - row), isDot)
  }
}

// Without places of its own a line's points are evenly spaced from one end of the axis to the other. Beyond `now` the line is thinner.
/** @type {(brush: Brush, line: Line, frame: Frame, now: number) => void} */
function drawLine({ context, look }, { colour, dash, points, places }, { left, top, width, height, across, up }, now) {
  const x = (/** @type {number} */ index) => (places ? across(places[index]) : left + (index / Math.max(1, points.length - 1)) * width)
  const part = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ wide) => {
    context.save()
    context.beginPath()
    context.rect(from, top, to - from, height)
    context.clip()
    context.strokeStyle = hueOf(look, colour)
    context.lineWidth = wide
    context.setLineDash(dash)
    context.beginPath()
    points.forEach((g, index) => context.lineTo(x(index), up(g)))
    if (points.length === 1) context.arc(x(0) + 4, up(points[0]), 2, 0, 2 * Math.PI)
    context.stroke()
    context.restore()
  }
  part(left, now, REACHED)
  if (now < left + width) part(now, left + width, BEYOND)
}

// The current position of the playback.
/** @type {(brush: Brush, x: number, frame: Frame) => void} */
function drawCursor({ context, look }, x, { top, height }) {
  context.strokeStyle = look.accent
  context.lineWidth = 2
  context.beginPath()
  context.moveTo(x, top)
  context.lineTo(x, top + height)
  context.stroke()
}

// A line as it is drawn, or a dot, with its name.
/** @type {(brush: Brush, line: Line, x: number, y: number, isDot: boolean) => void} */
function drawLabel(ink, { label, colour, dash }, x, y, isDot) {
  const { context } = ink
  context.save()
  context.strokeStyle = context.fillStyle = hueOf(ink.look, colour)
  context.lineWidth = REACHED
  context.setLineDash(dash)
  context.beginPath()
  if (isDot) {
    context.arc(x + 14, y - 4, 5, 0, 2 * Math.PI)
    context.fill()
  } else {
    context.moveTo(x, y - 4)
    context.lineTo(x + 22, y - 4)
    context.stroke()
  }
  context.restore()
  drawName(ink, label, x + 27, y)
}

// The selected unit is drawn last, above the others. Beside the rings of other lines, which may be red, only its edge has the accent.
/** @type {(picture: Painted, brush: Brush, place: PlotPlace<Curve>) => void} */
function drawDots({ data, step }, { context, look }, place) {
  const { item } = place
  const numbers = numbersAt(item, step)
  const places = spots(place, step)
  const hue = hueOf(look, item.colour)
  const [filled, edge, width] = item.rings.length ? [hue, look.accent, 3] : [look.accent, look.paper, 1]
  const others = [...places.keys()].filter((unit) => unit !== data.unit)
  for (const unit of [...others, data.unit].filter((unit) => places[unit])) {
    const isSelected = unit === data.unit
    context.fillStyle = isSelected ? filled : hue
    context.strokeStyle = isSelected ? edge : look.paper
    context.lineWidth = isSelected ? width : 1
    dotPath(context, item, places[unit], numbers.subarray(2 * unit), unit === data.unit ? 7 : 5)
    context.fill()
    context.stroke()
  }
}

/** @type {(picture: Painted, brush: Brush, place: PlotPlace<Curve>) => void} */
function drawRings({ step }, { context, look }, place) {
  context.fillStyle = look.paper
  context.lineWidth = 2
  for (const { colour, units, frames } of place.item.rings) {
    const numbers = frames.subarray(2 * units * step, 2 * units * (step + 1))
    context.strokeStyle = hueOf(look, colour)
    spotsOf(place, numbers).forEach((spot, unit) => {
      dotPath(context, place.item, spot, numbers.subarray(2 * unit), 4.5)
      context.fill()
      context.stroke()
    })
  }
}

// A circle, or a triangle at the edge for a unit beyond the axes.
/** @type {(context: Context, item: Curve, spot: [x: number, y: number], numbers: Numbers, radius: number) => void} */
function dotPath(context, { x_range, y_range }, [x, y], [z, g], radius) {
  const beyond = Math.sign(z) * (Math.abs(z) > x_range[1] || g > y_range[1] ? 1 : 0)
  context.beginPath()
  if (!beyond) context.arc(x, y, radius, 0, 2 * Math.PI)
  else {
    context.moveTo(x + beyond * 2, y)
    context.lineTo(x - beyond * 2 * radius, y - radius)
    context.lineTo(x - beyond * 2 * radius, y + radius)
    context.closePath()
  }
}
