// @ts-check
// The description and the role of a drawing for screen readers.

import { isTarget, partsOf } from "./items.js"

/** @import { Section } from "../types.js" */

// The sentence on the keys, by the thing that Enter selects.
const KEYS = {
  none: "Arrow keys go from entry to entry.",
  units: "Arrow keys go from entry to entry; Enter selects the unit.",
  steps: "Arrow keys go from entry to entry; Enter selects the step.",
  both: "Arrow keys go from entry to entry; Enter selects the unit or the step.",
}

// An image, unless there is something in it to go to with the keys.
/** @type {(section: Section) => void} */
export function describeDrawing({ drawing, panel, rows }) {
  const targets = partsOf(rows).filter(isTarget)
  const units = targets.some((item) => item.kind === "block" && item.units)
  const steps = targets.some((item) => (item.kind === "block" || item.kind === "chain") && item.over_time)
  const keys = units ? (steps ? KEYS.both : KEYS.units) : steps ? KEYS.steps : KEYS.none
  const ariaLabel = targets.length ? `${panel.alt} ${keys}` : panel.alt
  if (drawing.ariaLabel === ariaLabel) return
  Object.assign(drawing, { ariaLabel, role: targets.length ? "application" : "img" })
  if (targets.length) drawing.tabIndex = 0
  else drawing.removeAttribute("tabindex")
}
