// @ts-check
// The gates of a diagram: boxes with the curve of an activation and each unit as a dot on it.

import { mean, numbersAt } from "./arrays.js"
import { roundedPath } from "./rounded_path.js"
import { NAME, SHAPE, SMALL, drawName, hueOf, nameWidth, setFont, textHueOf } from "./theme.js"

/** @import { Brush, Context, DiagramPlace, Gate, Look, Numbers, Painted, Spot } from "../types.js" */

// In the diagram's own pixels.
const GATE = { width: 104, height: 60 }
// In pixels of the page.
const NEAR = 7
// From this zoom on there is room for the roles of the gates, and for all names except the long ones on the left of vectors.
export const ROOMY = 0.55
// The curves reach to this z on both sides.
const EDGE = 6
// The opacity of a gate whose units are all saturated.
const GREY = 0.35

/** @type {(place: DiagramPlace, gate: Gate) => Spot} */
export function frameOf({ x, y, zoom, rise }, gate) {
  const [width, height] = [GATE.width * zoom, GATE.height * rise]
  return { left: x + gate.x * zoom - width / 2, top: y + gate.y * rise - height / 2, width, height }
}

// The curve of its activation, with each unit as a dot. Its flat ends are shaded, because units there are saturated.
/** @type {(picture: Painted, ink: Brush, place: DiagramPlace, gate: Gate) => void} */
export function drawGate(picture, ink, place, gate) {
  const { context, look } = ink
  const { left, top, width, height } = frameOf(place, gate)
  const { zoom, item } = place
  const hue = hueOf(look, gate.colour)
  const isOpen = item.opened === gate.name && gate.name !== ""
  roundedPath(context, left, top, width, height, 9 * zoom)
  context.fillStyle = look.paper
  context.fill()
  if (item.backward) grey(context, look, saturatedPart(gate, numbersAt(item.parts[gate.z], picture.step)))
  drawFlatEnds(context, look, gate, { left, top, width, height })
  roundedPath(context, left, top, width, height, 9 * zoom)
  context.strokeStyle = hue
  context.lineWidth = (isOpen ? 4.5 : 2.5) * Math.max(zoom, 0.5)
  context.stroke()
  drawCurve(context, gate, { left, top, width, height }, hue)
  drawDots(picture, ink, place, gate)
  drawWords(ink, place, gate, { left, top, width, height })
}

// In a small box the name of the activation would lie on the curve, and the role of the gate is too long.
/** @type {(ink: Brush, place: DiagramPlace, gate: Gate, frame: Spot) => void} */
function drawWords(ink, { item, zoom }, gate, { left, top, width, height }) {
  const { context, look } = ink
  const font = Math.max(SMALL.font, Math.round(13 * zoom))
  setFont(ink, font)
  context.fillStyle = textHueOf(look, gate.colour)
  context.textAlign = "left"
  if (zoom >= ROOMY) context.fillText(gate.label, left + 7 * zoom, top + font + 3 * zoom)
  // Beside the wire from below, if there is one.
  const hasWire = item.wires.some(({ points }) => points[points.length - 1].join() === [gate.x, gate.y + GATE.height / 2].join())
  const startOf = (/** @type {number} */ long) => left + width / 2 + (hasWire ? NEAR : -long / 2)
  if (zoom < ROOMY && gate.colour) {
    const { symbol } = item.parts[gate.part]
    // Without a wire from below there is room for the tilde of a tall letter.
    drawName(ink, symbol, startOf(nameWidth(ink, symbol)), top + height + (hasWire ? NAME.font : NAME.line), NAME, textHueOf(look, gate.colour))
    return
  }
  const below = zoom < ROOMY ? gate.label : gate.role
  if (!below) return
  const small = Math.max(SMALL.font, Math.min(SHAPE.font, Math.round(17 * zoom)))
  setFont(ink, small)
  context.fillText(below, startOf(ink.width(below, small)), top + height + small + 2)
}

// Greys the box of the current path, and what is drawn in it from now on, as far as units are saturated.
/** @type {(context: Context, look: Look, part: number) => void} */
function grey(context, look, part) {
  context.save()
  context.globalAlpha *= GREY * part
  context.fillStyle = look.text
  context.fill()
  context.restore()
  context.globalAlpha *= 1 - GREY * part
}

// Returns the fraction of units in the flat parts of a gate's curve. A bound at the edge of the curve is none.
/** @type {(gate: Pick<Gate, "bounds">, zs: Numbers) => number} */
export function saturatedPart({ bounds: [low, high] }, zs) {
  const isFlat = (/** @type {number} */ z) => (z < low && low > -EDGE) || (z > high && high < EDGE)
  return mean(zs.map((z) => Number(isFlat(z))))
}

// Returns the scales of z and g(z) in the frame of a gate.
/** @type {(gate: Gate, frame: Spot) => { across: (z: number) => number, up: (g: number) => number }} */
function axesOf({ range: [low, high] }, { left, top, width, height }) {
  const pad = 0.14 * height
  return {
    across: (z) => left + width * (0.5 + (0.46 * Math.min(EDGE, Math.max(-EDGE, z))) / EDGE),
    up: (g) => top + height - pad - ((Math.min(high, Math.max(low, g)) - low) / (high - low || 1)) * (height - 2 * pad),
  }
}

/** @type {(context: Context, look: Look, gate: Gate, frame: Spot) => void} */
function drawFlatEnds(context, look, gate, frame) {
  const { across } = axesOf(gate, frame)
  const [low, high] = gate.bounds.map(across)
  const [start, end] = [across(-EDGE), across(EDGE)]
  const inset = 4
  context.save()
  context.globalAlpha *= 0.14
  context.fillStyle = look.text
  if (low > start) context.fillRect(start, frame.top + inset, low - start, frame.height - 2 * inset)
  if (high < end) context.fillRect(high, frame.top + inset, end - high, frame.height - 2 * inset)
  context.restore()
}

/** @type {(context: Context, gate: Gate, frame: Spot, hue: string) => void} */
function drawCurve(context, gate, frame, hue) {
  const { across, up } = axesOf(gate, frame)
  const last = gate.curve.length - 1
  context.strokeStyle = hue
  context.lineWidth = 1.5
  context.beginPath()
  gate.curve.forEach((g, index) => context.lineTo(across((2 * EDGE * index) / last - EDGE), up(g)))
  context.stroke()
}

// The selected unit is drawn last, above the others.
/** @type {(picture: Painted, ink: Brush, place: DiagramPlace, gate: Gate) => void} */
function drawDots({ step, data }, { context, look }, place, gate) {
  const { parts } = place.item
  const { across, up } = axesOf(gate, frameOf(place, gate))
  const [zs, gs] = [parts[gate.z], parts[gate.part]].map((part) => numbersAt(part, step))
  const selected = parts[gate.z].row_edges.findLastIndex((edge) => edge <= data.unit)
  const others = [...zs.keys()].filter((unit) => unit !== selected)
  context.strokeStyle = look.paper
  context.lineWidth = 1
  for (const unit of [...others, selected].filter((unit) => unit in zs)) {
    context.fillStyle = unit === selected ? look.accent : hueOf(look, gate.colour)
    context.beginPath()
    context.arc(across(zs[unit]), up(gs[unit]), (unit === selected ? 5 : 3.5) * Math.max(place.zoom, 0.6), 0, 2 * Math.PI)
    context.fill()
    context.stroke()
  }
}
