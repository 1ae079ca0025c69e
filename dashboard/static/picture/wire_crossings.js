// @ts-check
// Where the wires of a diagram cross, and where they are connected. All pieces of a wire are level or upright.

/** @import { Crossing, Wire } from "../types.js" */
/** @typedef {[x: number, y: number]} Corner */

/** @type {(wire: Pick<Wire, "points">) => [Corner, Corner][]} */
function piecesOf({ points }) {
  return points.slice(1).map((end, index) => [points[index], end])
}

/** @type {(value: number, a: number, b: number) => boolean} */
function isBetween(value, a, b) {
  return value > Math.min(a, b) && value < Math.max(a, b)
}

// Returns where a level wire crosses an upright one. A wire that starts or ends on another one does not cross it.
/** @type {(wires: Pick<Wire, "points">[]) => Crossing[]} */
export function crossings(wires) {
  const pieces = wires.flatMap((wire, index) => piecesOf(wire).map(([a, b]) => ({ index, a, b })))
  const [levels, uprights] = [1, 0].map((axis) => pieces.filter(({ a, b }) => a[axis] === b[axis]))
  return levels.flatMap((level) => {
    const y = level.a[1]
    const crossing = uprights.filter(({ index, a, b }) => index !== level.index && isBetween(y, a[1], b[1]) && isBetween(a[0], level.a[0], level.b[0]))
    return crossing.map(({ index, a: [x] }) => ({ level: level.index, upright: index, x, y }))
  })
}

// Returns the points where a wire branches: where more than two pieces meet.
/** @type {(wires: Pick<Wire, "points">[]) => Corner[]} */
export function branches(wires) {
  const pieces = wires.flatMap(piecesOf)
  const ends = new Map(wires.map(({ points: [start] }) => [start.join(), start]))
  const meeting = (/** @type {Corner} */ [x, y]) => pieces.reduce((sum, [a, b]) => {
    if ([a, b].some((end) => end[0] === x && end[1] === y)) return sum + 1
    const isOn = a[1] === b[1] ? y === a[1] && isBetween(x, a[0], b[0]) : x === a[0] && isBetween(y, a[1], b[1])
    return isOn ? sum + 2 : sum
  }, 0)
  return [...ends.values()].filter((point) => meeting(point) > 2)
}
