// @ts-check
// A cell as a diagram: gates, operators and wires, with the vectors of a step on them. drawing/diagram.py makes it. All of its numbers
// are those of its parts, which are matrices.

import { floats, mean, numbersAt } from "./arrays.js"
import { spans } from "./block.js"
import { ROOMY, drawGate, frameOf } from "./gates.js"
import { digits } from "./number_format.js"
import { roundedPath } from "./rounded_path.js"
import { entry } from "./text.js"
import { NAME, SHAPE, SMALL, drawName, headOf, hueOf, nameWidth, setFont, textHueOf } from "./theme.js"
import { branches, crossings } from "./wire_crossings.js"

/**
 * @import {
 *   Block, BlockPlace, Brush, Context, Crossing, Diagram, DiagramPlace, Gate, Ink, NameSizes, Numbers, OperatorNode, Painted, Point, SentDiagram,
 *   Spot, TargetKind, VectorNode, Wire,
 * } from "../types.js"
 */

// Sizes in the diagram's own pixels.
const ENTRY = { width: 54, height: 30 }
const ROUND = 15
const LONG_NAME = 3 // the letters of an operator that is no circle
const LONGEST = 40 // from the middle of a long operator to the ends of its wires
const PLAIN = 2
// The wire along which the memory passes.
const LANE = 4
// The width of a gate's wire, closed and open.
const CLOSED = 1
const OPEN = 9
// The largest zoom on a wide page, and the smallest zoom of its texts.
const LARGEST = 1.25
const SMALLEST_TEXT = 0.7
// On a narrow page: the smallest zoom of its height, with which six numbers fit into a vector, and the smallest width of its vectors in
// pixels of the page.
const LOWEST = 0.75
const NARROWEST = 24
// The least width of a wire.
const THINNEST = 0.5
// A level wire has a bridge over an upright one, an arc of so many lines, this far from it. Where a wire branches, there is a dot.
const BRIDGE = 24
const APART = 4
const DOT = 4
const FAINT = 0.12
const FRAME = 0.05
// The opacity of a wire without a gradient.
const WEAK = 0.25
// In pixels of the page.
const SHORT = 30
const LONG = 60
// A small name that is wider stands in two lines, unless it is above its vector.
const SMALL_NAME = { font: SMALL.font, low: 10 }
const BROKEN = 40
const LEADING = 3
// The least distance of the name of a part from the wire at the middle of its vector.
const PART = 11
const NEAR = 6
const CLOSE = 4
// With more entries, the tooltip of a wire has only the mean.
const MOST_TOLD = 6
// The height above its highest vectors.
const HEAD = 36

/** @type {TargetKind<Diagram, SentDiagram, DiagramPlace>} */
export const diagram = {
  unpack: (item, blocks) => ({
    ...item,
    symbol: "diagram",
    parts: item.parts.map(({ index }) => blocks[index]),
    nodes: item.nodes.map((node) => (node.kind === "gate" ? { ...node, curve: floats(node.curve, true) } : node)),
  }),
  parts: (item) => [item, ...item.parts],
  follows: ({ width, height }) => [width, height],
  size: (ink, item) => ({ width: item.width * zoomOf(ink, item), height: item.height * riseOf(ink, item) + above(riseOf(ink, item)) }),
  head: () => 0,
  rows: () => Infinity,
  place(ink, item, { x, y }) {
    const [zoom, rise] = [zoomOf(ink, item), riseOf(ink, item)]
    const place = { item, x, y: y + above(rise), zoom, rise, width: item.width * zoom, height: item.height * rise }
    return [place, ...item.nodes.filter(isVector).map((node) => placeOf(place, node))]
  },
  draw(picture, ink, place) {
    const { item } = place
    const shown = (/** @type {{ stage: number }} */ { stage }) => !item.staged || stage <= picture.step
    drawFrame(ink, place)
    const [crossed, joints] = [crossings(item.wires), branches(item.wires).map(String)]
    const bridges = item.wires.map((_, index) => crossed.filter(({ level }) => level === index))
    // A wire with bridges is drawn after those below them.
    for (const isOver of [false, true]) {
      item.wires.forEach((wire, index) => {
        if (bridges[index].length > 0 !== isOver) return
        faintly(ink.context, shown(wire), () => {
          drawWire(picture, ink, place, wire, bridges[index])
          if (joints.includes(String(wire.points[0]))) drawDot(ink, place, wire)
        })
      })
    }
    for (const node of item.nodes) {
      faintly(ink.context, shown(node), () => {
        if (node.kind === "gate") drawGate(picture, ink, place, node)
        else if (node.kind === "operator") drawOperator(ink, place, node)
        else drawVectorName(ink, place, node)
      })
    }
  },
  moves: ({ staged, parts }) => staged || parts.some(({ frames }) => Boolean(frames)),
  // The keys go from gate to gate, and then from wire to wire.
  grid: (item) => ({ rows: 1, columns: gatesOf(item).length + item.wires.length }),
  at(place, left, top) {
    const gates = gatesOf(place.item)
    const gate = gates.findIndex((gate) => isIn(frameOf(place, gate), left, top))
    if (gate >= 0) return { row: 0, column: gate }
    const wire = place.item.wires.findIndex((wire) => piecesOf(place, wire).some((piece) => isIn(piece, left, top)))
    return wire >= 0 ? { row: 0, column: gates.length + wire } : null
  },
  spot(place, row, column) {
    const wire = wireOf(place.item, column)
    if (!wire) return frameOf(place, gatesOf(place.item)[column])
    return piecesOf(place, wire).reduce((a, b) => (b.width + b.height > a.width + a.height ? b : a))
  },
  describe(item, row, column, step, decimals = null) {
    const wire = wireOf(item, column)
    return wire ? describeWire(item, wire, step, decimals) : gatesOf(item)[column].words
  },
}

// Returns the wire of a column, or nothing for a gate.
/** @type {(item: Diagram, column: number) => Wire | undefined} */
function wireOf(item, column) {
  return item.wires[column - gatesOf(item).length]
}

/** @type {(frame: Spot, left: number, top: number) => boolean} */
function isIn({ left: x, top: y, width, height }, left, top) {
  return left >= x && left < x + width && top >= y && top < y + height
}

// Returns where each piece of a wire can be pointed at.
/** @type {(place: DiagramPlace, wire: Wire) => Spot[]} */
function piecesOf({ x, y, zoom, rise }, { points }) {
  return points.slice(1).map(([right, bottom], index) => {
    const [left, top] = points[index]
    return {
      left: x + Math.min(left, right) * zoom - NEAR,
      top: y + Math.min(top, bottom) * rise - NEAR,
      width: Math.abs(right - left) * zoom + 2 * NEAR,
      height: Math.abs(bottom - top) * rise + 2 * NEAR,
    }
  })
}

/** @type {(item: Diagram, wire: Wire, step: number, decimals: number | null) => string} */
function describeWire({ parts, backward }, { part, rest }, step, decimals) {
  const block = parts[part]
  const isRest = rest && !backward
  const numbers = isRest ? numbersAt(block, step).map((value) => 1 - value) : numbersAt(block, step)
  const name = block.tooltip_name || `${isRest ? "1−" : ""}${block.symbol} ${block.shape}`
  if (block.rows > MOST_TOLD) return `${name}\nmean of the absolute values: ${digits(Float64Array.of(meanSize(numbers)), 0, decimals)}`
  const lines = [...numbers.keys()].map((row) => (!isRest && block.hover?.[row]) || `${entry(block.row_parts, block.row_edges, row)}: ${digits(numbers, row, decimals)}`)
  return `${name}:\n${lines.join("\n")}`
}

/** @type {(ink: Ink, item: Diagram) => number} */
function zoomOf({ limit }, { width }) {
  return Math.min(LARGEST, (limit - 8) / width)
}

/** @type {(ink: Ink, item: Diagram) => number} */
function riseOf(ink, item) {
  return Math.min(Math.max(LOWEST, zoomOf(ink, item)), ink.tall / item.height)
}

// The names above the highest vectors do not shrink with a small diagram.
/** @type {(rise: number) => number} */
function above(rise) {
  return Math.max(0, NAME.line - HEAD * rise)
}

/** @type {(node: Diagram["nodes"][number]) => node is VectorNode} */
function isVector({ kind }) {
  return kind === "vector"
}

/** @type {(item: Diagram) => Gate[]} */
export function gatesOf({ nodes }) {
  return nodes.filter((node) => node.kind === "gate")
}

// The matrix of a vector: a strip about the middle of its node.
/** @type {(place: DiagramPlace, node: VectorNode) => BlockPlace} */
function placeOf({ item: { parts, staged }, x, y, zoom, rise }, { x: middle, y: centre, part, tall, stage }) {
  const item = parts[part]
  const across = Math.max(ENTRY.width * zoom, NARROWEST)
  const down = Math.min(ENTRY.height, tall / item.rows) * rise
  const height = down * item.rows
  const corner = { x: Math.max(x, x + middle * zoom - across / 2), y: y + centre * rise - height / 2 }
  return { item, ...corner, cell: Math.min(across, down), across, down, width: across, height, bare: true, from: staged ? stage : 0 }
}

/** @type {(context: Context, isShown: boolean, draw: () => void) => void} */
function faintly(context, isShown, draw) {
  context.save()
  if (!isShown) context.globalAlpha = FAINT
  draw()
  context.restore()
}

/** @type {(ink: Brush, place: DiagramPlace) => void} */
function drawFrame({ context, look }, { item, x, y, zoom, rise }) {
  const [left, top, right, bottom] = item.frame.map((value, side) => value * (side % 2 ? rise : zoom))
  roundedPath(context, x + left, y + top, right - left, bottom - top, 22 * zoom)
  context.save()
  context.globalAlpha = FRAME
  context.fillStyle = context.strokeStyle = look.text
  context.fill()
  context.globalAlpha = 0.3
  context.lineWidth = 1
  context.stroke()
  context.restore()
}

// ---- wires ----

/** @type {(picture: Painted, ink: Brush, place: DiagramPlace, wire: Wire, bridges: Crossing[]) => void} */
function drawWire({ step }, ink, place, wire, bridges) {
  const { context, look } = ink
  const { item, x, y, zoom, rise } = place
  const { backward } = item
  const numbers = numbersAt(item.parts[wire.part], step)
  const points = wire.points.map(([left, top]) => ({ x: sideAt(ink, place, left, top) ?? x + left * zoom, y: edgeAt(place, left, top) ?? y + top * rise }))
  if (backward) points.reverse()
  const wide = wideOf(place, wire, step)
  if (backward) context.globalAlpha *= WEAK + (1 - WEAK) * returning(numbers)
  const [before, end] = points.slice(-2)
  const length = Math.hypot(end.x - before.x, end.y - before.y)
  const [right, down] = [(end.x - before.x) / length, (end.y - before.y) / length]
  const hasTip = wire.arrow || backward
  const tip = hasTip ? Math.max(8 * zoom, 0.9 * wide) : 0
  context.strokeStyle = context.fillStyle = hueOf(look, wire.colour)
  context.lineWidth = wide
  context.beginPath()
  context.moveTo(points[0].x, points[0].y)
  points.slice(1).forEach((point, index) => {
    for (const { upright, ...at } of bridges) {
      const radius = (wide + wideOf(place, item.wires[upright], step)) / 2 + APART * Math.max(zoom, THINNEST)
      drawBridge(context, points[index], point, { x: x + at.x * zoom, y: y + at.y * rise }, radius)
    }
    if (point !== end) context.lineTo(point.x, point.y)
  })
  context.lineTo(end.x - tip * right, end.y - tip * down)
  context.stroke()
  if (!hasTip) return
  context.beginPath()
  context.moveTo(end.x, end.y)
  context.lineTo(end.x - tip * right - 0.7 * tip * down, end.y - tip * down + 0.7 * tip * right)
  context.lineTo(end.x - tip * right + 0.7 * tip * down, end.y - tip * down - 0.7 * tip * right)
  context.closePath()
  context.fill()
}

// Returns the width of a wire, which grows with what it lets through or, backward, with its gradient. A blank tells nothing.
/** @type {(place: DiagramPlace, wire: Wire, step: number) => number} */
function wideOf({ item: { backward, lane, parts }, zoom }, wire, step) {
  const numbers = numbersAt(parts[wire.part], step)
  const through = backward ? returning(numbers) : wire.gate ? passing(numbers, wire.rest) : null
  const plain = wire.points.every(([, y]) => y === lane) ? LANE : PLAIN
  return (through === null || Number.isNaN(through) ? plain : CLOSED + (OPEN - CLOSED) * through) * Math.max(zoom, THINNEST)
}

// Adds an arc over a crossing to the path, if the crossing is on this piece of a wire.
/** @type {(context: Context, from: Point, to: Point, crossing: Point, radius: number) => void} */
function drawBridge(context, from, to, { x, y }, radius) {
  const way = Math.sign(to.x - from.x)
  if (from.y !== to.y || Math.abs(y - from.y) > 0.5 || (x - from.x) * way < 0 || (to.x - x) * way < 0) return
  for (let line = 0; line <= BRIDGE; line++) {
    const angle = (Math.PI * line) / BRIDGE
    context.lineTo(x - way * radius * Math.cos(angle), y - radius * Math.sin(angle))
  }
}

// Marks the point where a wire starts on another one of the same vector.
/** @type {(ink: Brush, place: DiagramPlace, wire: Wire) => void} */
function drawDot({ context, look }, { x, y, zoom, rise }, { points: [[left, top]], colour }) {
  context.fillStyle = hueOf(look, colour)
  context.beginPath()
  context.arc(x + left * zoom, y + top * rise, DOT * Math.max(zoom, THINNEST), 0, 2 * Math.PI)
  context.fill()
}

// Returns where a wire from above or from below meets the strip of a vector, which is lower than its node if it has few entries.
/** @type {(place: DiagramPlace, left: number, top: number) => number | null} */
function edgeAt(place, left, top) {
  const node = place.item.nodes.filter(isVector).find(({ x, y, tall }) => x === left && y !== top && Math.abs(top - y) <= tall / 2)
  if (!node) return null
  const { y, height } = placeOf(place, node)
  return top > node.y ? y + height : y
}

// Returns where a wire from the side meets a long operator.
/** @type {(ink: Brush, place: DiagramPlace, left: number, top: number) => number | null} */
function sideAt(ink, { item, x: start, zoom }, left, top) {
  const node = item.nodes.find(({ kind, x, y }) => kind === "operator" && y === top && Math.abs(left - x) > ROUND && Math.abs(left - x) <= LONGEST)
  if (node?.kind !== "operator" || node.symbol.length < LONG_NAME) return null
  const { wide } = sizesOf(ink, zoom, node.symbol)
  return start + node.x * zoom + Math.sign(left - node.x) * wide
}

// Returns the fraction that a gate lets through, or what is left of 1.
/** @type {(numbers: Numbers, isRest: boolean) => number} */
function passing(numbers, isRest) {
  return isRest ? 1 - mean(numbers) : mean(numbers)
}

// Returns how wide a wire is for its gradient, from 0 to 1: the square root leaves small ones visible.
/** @type {(numbers: Numbers) => number} */
export function returning(numbers) {
  return Math.sqrt(Math.min(1, meanSize(numbers)))
}

/** @type {(numbers: Numbers) => number} */
function meanSize(numbers) {
  return mean(numbers.map(Math.abs))
}

// ---- nodes ----

// Returns the sizes of an operator's name, and half the sizes of its outline. The name grows with a large diagram.
/** @type {(ink: Brush, zoom: number, symbol: string) => { larger: number, sizes: NameSizes, long: number, tall: number, wide: number }} */
function sizesOf(ink, zoom, symbol) {
  const larger = Math.max(1, zoom)
  const sizes = { font: NAME.font * larger, low: NAME.low * larger }
  const long = nameWidth(ink, symbol, sizes)
  const tall = Math.max(ROUND * zoom, 9)
  return { larger, sizes, long, tall, wide: Math.max(tall, long / 2 + (zoom < SMALLEST_TEXT ? 5 : 7 * larger)) }
}

/** @type {(ink: Brush, place: DiagramPlace, node: OperatorNode) => void} */
function drawOperator(ink, { x, y, zoom, rise }, node) {
  const { context, look } = ink
  const [left, top] = [x + node.x * zoom, y + node.y * rise]
  const { larger, sizes, long, tall, wide } = sizesOf(ink, zoom, node.symbol)
  roundedPath(context, left - wide, top - tall, 2 * wide, 2 * tall, tall)
  context.fillStyle = look.paper
  context.fill()
  context.strokeStyle = look.text
  context.lineWidth = 1.5
  context.stroke()
  drawName(ink, node.symbol, left - long / 2, top + 5 * larger, sizes)
}

// Whether it comes into the cell or leaves it. Except for the stack, the others have the shape of h_t.
/** @type {(place: DiagramPlace, node: VectorNode) => boolean} */
function isOutside({ item }, { x, y }) {
  const [left, top, right, bottom] = item.frame
  return x < left || x > right || y < top || y > bottom
}

// Returns the lines of a vector's name, which are none without room for it. A small diagram has small names within the cell and on its
// left, where larger ones would reach over its edge, and those of its gates stand at their boxes.
/** @type {(ink: Ink, place: DiagramPlace, node: VectorNode) => { lines: string[], sizes: NameSizes }} */
function nameOf(ink, place, node) {
  const { symbol, colour } = place.item.parts[node.part]
  const isAtStack = node.x < place.item.frame[0] || (node.stage === 0 && !isOutside(place, node))
  const usual = { lines: [symbol], sizes: place.zoom < ROOMY && isAtStack ? SMALL_NAME : NAME }
  if (place.zoom >= SMALLEST_TEXT || node.stage === 0 || isOutside(place, node)) return usual
  const long = nameWidth(ink, symbol)
  const isRoomy = place.zoom >= ROOMY
  if (!isRoomy && colour) return { lines: [], sizes: NAME }
  if (isRoomy ? node.side !== "left" || long <= LONG : long <= SHORT) return usual
  const isBroken = node.side !== "above" && nameWidth(ink, symbol, SMALL_NAME) > BROKEN
  return { lines: isBroken ? symbol.split(/(?=[+∘])/) : [symbol], sizes: SMALL_NAME }
}

/** @type {(ink: Brush, place: DiagramPlace, node: VectorNode) => void} */
function drawVectorName(ink, place, node) {
  const { item, x, y, width, height } = placeOf(place, node)
  const { lines, sizes } = nameOf(ink, place, node)
  const centre = y + height / 2
  const beside = place.zoom >= ROOMY ? NEAR : CLOSE
  const hue = textHueOf(ink.look, item.colour)
  lines.forEach((line, index) => {
    const long = nameWidth(ink, line, sizes)
    const down = index * (sizes.font + LEADING)
    if (node.side === "above") drawNameAbove(ink, place, node, sizes)
    else if (node.side === "below") drawName(ink, line, x + width / 2 - long / 2, y + height + headOf(line) - NAME.height + sizes.font + 1 + down, sizes, hue)
    else drawName(ink, line, node.side === "left" ? x - long - beside : x + width + beside, centre - (node.stage ? 14 * place.rise : -5) + down, sizes, hue)
  })
  // On a phone a shape is wider than its vector.
  const font = place.zoom < ROOMY ? SMALL.font : SHAPE.font
  const start = place.x + ink.width(item.shape, font) / 2
  if (isOutside(place, node)) drawShape(ink, item, Math.max(start, x + width / 2), y + height + SHAPE.height - 2, font)
  else if (place.zoom >= SMALLEST_TEXT) drawPartNames(ink, placeOf(place, node))
}

// Names the parts of the stack beside it, because they have colour scales of their own. The wire that leaves its middle has room.
/** @type {(ink: Brush, place: BlockPlace) => void} */
function drawPartNames(ink, { item, x, y, width, height, down }) {
  for (const { from, to, name } of spans(item.row_parts, item.row_edges, down)) {
    const [middle, centre] = [(from + to) / 2, height / 2]
    const apart = from === 0 ? Math.min(middle, centre - PART) : Math.max(middle, centre + PART)
    drawName(ink, name, x + width + NEAR - 1, y + apart + 5, SMALL_NAME)
  }
}

// The shape of the stack stands behind its name: below it, and on its left, there is no room within the cell.
/** @type {(ink: Brush, place: DiagramPlace, node: VectorNode, sizes: NameSizes) => void} */
function drawNameAbove(ink, place, node, sizes) {
  const { item, x, y, width } = placeOf(place, node)
  const long = nameWidth(ink, item.symbol, sizes)
  const shaped = node.stage === 0 && place.zoom >= SMALLEST_TEXT && !isOutside(place, node)
  const shape = shaped ? ink.width(item.shape, SHAPE.font) : 0
  const start = Math.max(place.x, x + width / 2 - (long + (shaped ? shape + NEAR : 0)) / 2)
  drawName(ink, item.symbol, start, y - 7, sizes, textHueOf(ink.look, item.colour))
  if (shaped) drawShape(ink, item, start + long + NEAR + shape / 2, y - 7)
}

/** @type {(ink: Brush, item: Block, x: number, y: number, font?: number) => void} */
function drawShape(ink, { shape }, x, y, font = SHAPE.font) {
  const { context, look } = ink
  setFont(ink, font)
  context.textAlign = "center"
  context.fillStyle = look.text
  context.fillText(shape, x, y)
  context.textAlign = "left"
}
