// @ts-check
// Pointing at a number, with the mouse, a finger or the keys, and following it.

import { gatesOf } from "../picture/diagram.js"
import { kindOf } from "../picture/items.js"
import { commit } from "../controls/pending_values.js"
import { animateProduct, putAt } from "./product_animation.js"
import { repaint } from "../picture/paint.js"
import { setStep } from "./playback.js"
import { hide, showTip } from "./tooltip.js"

/** @import { Anchor, Entry, Grid, Picture, Pointed, Section, Spot, Target, TargetEntry } from "../types.js" */

/** @typedef {[down: number, across: number]} Move */

/** @type {Move} */
const STAY = [0, 0]
/** @type {Record<string, Move>} */
const MOVES = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
}

/** @type {Picture | null} */
let shown = null // the picture that was pointed at last

// All digits while Shift is held. A finger taps once more for them.
for (const type of /** @type {const} */ (["keydown", "keyup"])) {
  addEventListener(type, ({ key }) => {
    if (key === "Shift" && shown?.pointed) showNumber(shown, shown.pointed, type === "keydown")
  })
}

/** @type {(picture: Picture, pointed: Pointed, isExact: boolean) => void} */
function showNumber(picture, pointed, isExact) {
  picture.isExact = isExact
  showTip(picture, pointed)
}

/** @type {(picture: Picture, section: Section) => void} */
export function listen(picture, section) {
  const { drawing } = section
  drawing.onpointermove = (event) => pointAt(picture, section, event)
  drawing.onpointerdown = (event) => {
    const before = picture.pointed
    pointAt(picture, section, event)
    const { pointed } = picture
    if (event.pointerType !== "touch" || !pointed) return
    const isSame = before?.place === pointed.place && before.row === pointed.row && before.column === pointed.column
    showNumber(picture, pointed, isSame && !picture.isExact)
  }
  // A finger leaves before it clicks, and its tip should stay.
  drawing.onpointerleave = (event) => { if (event.pointerType === "mouse") leave(picture) }
  drawing.onclick = () => pick(picture)
  drawing.onkeydown = (event) => press(picture, section, event)
  drawing.onfocus = () => { if (drawing.matches(":focus-visible")) walk(picture, section) }
  drawing.onblur = () => { if (drawing.contains(picture.cursor)) leave(picture) }
}

/** @type {(picture: Picture, section: Section, event: PointerEvent) => void} */
function pointAt(picture, section, { clientX, clientY }) {
  const { drawing, targets, ink } = section
  const frame = drawing.getBoundingClientRect()
  const at = placeAt(targets, (clientX - frame.left) / ink.zoom, (clientY - frame.top) / ink.zoom, picture.step)
  if (at) section.at = at
  const item = at && targets[at.index].item
  drawing.style.cursor = (at && item?.kind === "diagram" && gatesOf(item)[at.column]?.name) || (item?.kind === "block" && item.units) || ((item?.kind === "block" || item?.kind === "chain") && item.over_time) ? "pointer" : "default"
  picture.cursor.remove()
  point(picture, section, at, { left: clientX + 14, top: clientY - 12, bottom: clientY + 18 })
}

// The vectors of a diagram stand on its wires.
/** @type {(targets: Target[], left: number, top: number, step: number) => TargetEntry | null} */
function placeAt(targets, left, top, step) {
  const found = [...targets.entries()].flatMap(([index, place]) => {
    const entry = kindOf(place.item).at(place, left, top, step)
    return entry ? [{ index, ...entry }] : []
  })
  return found.find(({ index }) => targets[index].item.kind !== "diagram") ?? found[0] ?? null
}

/** @type {(picture: Picture, section: Section, at: TargetEntry | null, anchor: Anchor) => void} */
function point(picture, section, at, { left, top, bottom }) {
  const before = picture.pointed
  const page = picture.host.getBoundingClientRect()
  const where = { left: left - page.left, top: top - page.top, bottom: bottom - page.top }
  const entry = at && { place: section.targets[at.index], row: at.row, column: at.column }
  const pointed = (picture.pointed = entry && { section, ...entry, where, spot: spotOf(picture, entry) })
  picture.tip.hidden = !at
  shown = picture
  if (before?.place !== pointed?.place || before?.row !== pointed?.row) {
    repaint(picture)
    animateProduct(picture)
  }
  if (pointed) showTip(picture, pointed)
}

// Returns the place of an entry or a dot in its drawing.
/** @type {(picture: Picture, entry: Entry & { place: Target }) => Spot} */
function spotOf({ step }, { place, row, column }) {
  return kindOf(place.item).spot(place, row, column, step)
}

// After a draw the tip shows the new numbers of its place. If the place has moved or is gone, so is the tip.
/** @type {(picture: Picture) => void} */
export function pointAgain(picture) {
  const { pointed } = picture
  if (!pointed) return
  const { section, row, column } = pointed
  const targets = picture.sections.includes(section) ? section.targets : []
  if (targets.length && section.drawing.contains(picture.cursor)) {
    moveCursor(picture, section, STAY)
    return pointAtCursor(picture, section)
  }
  const place = targets[section.at.index]
  if (!place || !isSame(picture, pointed, { place, row, column })) return leave(picture)
  pointed.place = place
  showTip(picture, pointed)
}

/** @type {(picture: Picture, pointed: Pointed, now: Entry & { place: Target }) => boolean} */
function isSame(picture, { place, spot }, now) {
  const { rows, columns } = kindOf(now.place.item).grid(now.place.item)
  return (
    place.item.kind === now.place.item.kind &&
    place.item.symbol === now.place.item.symbol &&
    now.row < rows &&
    now.column < columns &&
    JSON.stringify(spot) === JSON.stringify(spotOf(picture, now))
  )
}

/** @type {(picture: Picture) => void} */
function pick(picture) {
  if (!picture.pointed) return
  const { place, row, column } = picture.pointed
  const { item } = place
  if (item.kind === "diagram") {
    const name = gatesOf(item)[column]?.name // of a wire there is none
    if (name) picture.open(name === item.opened ? "" : name)
    return
  }
  if (item.kind !== "block" && item.kind !== "chain") return
  if (item.over_time && item.still === undefined) {
    setStep(picture, item.kind === "chain" ? column : item.column_edges[column])
    commit()
  } else if (item.kind === "block" && item.units) picture.inspect(item.row_edges[row] + 1)
}

/** @type {(picture: Picture) => void} */
function leave(picture) {
  if (!picture.pointed) return
  hide(picture)
  repaint(picture)
}

// ---- the same with the keys ----

/** @type {(picture: Picture, section: Section, event: KeyboardEvent) => void} */
function press(picture, section, event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return
  if (event.key === "Escape") {
    if (!close(picture, section)) return
  } else if (event.key === "Enter" || event.key === " ") {
    pick(picture)
    walk(picture, section)
  } else if (MOVES[event.key]) walk(picture, section, MOVES[event.key])
  else return
  event.preventDefault()
}

// Closes the tooltip, and the equation of a gate. Returns whether one of them was open.
/** @type {(picture: Picture, section: Section) => boolean} */
function close(picture, { targets }) {
  const isPointed = picture.pointed !== null
  leave(picture)
  const isOpen = targets.some(({ item }) => item.kind === "diagram" && item.opened)
  if (isOpen) picture.open("")
  return isPointed || isOpen
}

/** @type {(picture: Picture, section: Section, move?: Move) => void} */
function walk(picture, section, move = STAY) {
  moveCursor(picture, section, move)
  picture.cursor.scrollIntoView({ block: "nearest" })
  pointAtCursor(picture, section)
}

/** @type {(picture: Picture, section: Section, move: Move) => void} */
function moveCursor(picture, section, move) {
  const grids = section.targets.map(({ item }) => kindOf(item).grid(item))
  section.at = moved(grids, section.at, move)
  const { index, row, column } = section.at
  const spot = spotOf(picture, { place: section.targets[index], row, column })
  putAt(picture.cursor, spot, section.ink.zoom)
  section.drawing.append(picture.cursor)
}

// Sideways beyond a matrix is the next one. The numbers may be others, and fewer, than at the last key.
/** @type {(grids: Grid[], at: TargetEntry, move: Move) => TargetEntry} */
export function moved(grids, at, [down, across]) {
  const within = (/** @type {number} */ value, /** @type {number} */ size) => Math.max(0, Math.min(size - 1, value))
  let [index, column] = [within(at.index, grids.length), at.column + across]
  if (column === -1 && index > 0) [index, column] = [index - 1, Infinity]
  else if (column === grids[index].columns && index < grids.length - 1) [index, column] = [index + 1, 0]
  const { rows, columns } = grids[index]
  return { index, row: within(at.row + down, rows), column: within(column, columns) }
}

/** @type {(picture: Picture, section: Section) => void} */
function pointAtCursor(picture, section) {
  const { left, top, bottom } = picture.cursor.getBoundingClientRect()
  point(picture, section, section.at, { left, top: top - 8, bottom: bottom + 2 })
}
