// @ts-check
// A rectangle with round corners.

/** @import { Context } from "../types.js" */

/** @type {(context: Context, left: number, top: number, width: number, height: number, radius: number) => void} */
export function roundedPath(context, left, top, width, height, radius) {
  const [right, bottom] = [left + width, top + height]
  context.beginPath()
  context.arc(right - radius, top + radius, radius, -Math.PI / 2, 0)
  context.arc(right - radius, bottom - radius, radius, 0, Math.PI / 2)
  context.arc(left + radius, bottom - radius, radius, Math.PI / 2, Math.PI)
  context.arc(left + radius, top + radius, radius, Math.PI, 1.5 * Math.PI)
  context.closePath()
}
