// @ts-check
// The panels of a picture: their links, and which of them are closed.

/** @import { Panel, Picture } from "../types.js" */

// Returns what stands behind # in the link to a panel: its title without numbers, because they change.
/** @type {(panel: Panel) => string} */
export function anchor({ title }) {
  return title.toLowerCase().match(/\p{L}+/gu)?.join("-") ?? ""
}

// On paper all panels are open.
/** @type {(picture: Picture, panel: Panel) => boolean} */
export function isClosed({ opened, isPrinted }, panel) {
  return panel.folded && !isPrinted && !opened.has(anchor(panel))
}
