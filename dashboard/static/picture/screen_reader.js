// @ts-check
// The description and the role of a drawing for screen readers.

import { isTarget, partsOf } from "./items.js"

/** @import { Section } from "../types.js" */

// An image, unless there is something in it to go to with the keys.
/** @type {(section: Section) => void} */
export function describeDrawing({ drawing, panel, rows }) {
  const targets = partsOf(rows).filter(isTarget)
  const selects = []
  if (targets.some((item) => item.kind === "block" && item.units)) selects.push("the unit")
  if (targets.some((item) => (item.kind === "block" || item.kind === "chain") && item.over_time)) selects.push("the step")
  const enter = selects.length ? `; Enter selects ${selects.join(" or ")}` : ""
  const ariaLabel = targets.length ? `${panel.alt} Arrow keys go from entry to entry${enter}.` : panel.alt
  if (drawing.ariaLabel === ariaLabel) return
  Object.assign(drawing, { ariaLabel, role: targets.length ? "application" : "img" })
  if (targets.length) drawing.tabIndex = 0
  else drawing.removeAttribute("tabindex")
}
