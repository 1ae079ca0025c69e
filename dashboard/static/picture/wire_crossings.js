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

// Returns where each wire passes over an earlier one. A wire that starts or ends on another one does not cross it.
/** @type {(wires: Pick<Wire, "points">[]) => Crossing[]} */
export function crossings(wires) {
  return wires.flatMap((wire, over) => wires.slice(0, over).flatMap((other, under) => piecesOf(wire).flatMap(([a, b]) =>
    piecesOf(other).flatMap(([c, d]) => {
      const isLevel = a[1] === b[1]
      const [level, upright] = isLevel ? [[a, b], [c, d]] : [[c, d], [a, b]]
      if (isLevel === (c[1] === d[1])) return []
      const [x, y] = [upright[0][0], level[0][1]]
      return isBetween(x, level[0][0], level[1][0]) && isBetween(y, upright[0][1], upright[1][1]) ? [{ over, under, x, y, isLevel }] : []
    }))))
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
