// @ts-check
// The panels of a picture: their links, and which of them are closed.

/** @import { Panel, Picture } from "../types.js" */

// Returns what stands behind # in the link to a panel: its title without numbers, because they change.
/** @type {(panel: Panel) => string} */
export function anchor({ title }) {
  return title.toLowerCase().match(/\p{L}+/gu)?.join("-") ?? ""
}

// The names of panels after # in links of earlier versions, by the names of today.
/** @type {Record<string, string | string[]>} */
const EARLIER = {
  "input-and-state-over-time": "step-of",
  "one-weight-matrix-for-all-gates": "one-product-and-its-parameters",
  "derivatives-for-many-inputs": "many-inputs",
  "other-values-over-time": ["pre-activations-and-terms-over-time", "every-symbol-over-time"],
  "cell-and-hidden-state": "the-cell",
  "gradient-of-each-step-s-loss": "gradient-of-each-loss",
  "open-and-closed-gates": "saturated-gates",
  "sizes-that-must-match": "columns-meet-rows",
  "batch-and-steps-swapped": "batch-and-steps-exchanged",
  "h-c-swapped": "h-c-exchanged",
  "worked-example-large-sums-of-ones-and-nines": "worked-example-before-your-changes-the-lab-ones-and-nines",
  "worked-example-twelve-units-on-the-curve": "worked-example-before-your-changes-z-spread-over-the-curve",
  "worked-example-the-forget-gate-of-a-forum-question": "worked-example-before-your-changes-the-forget-gate-on-x-h",
  "worked-example-the-forum-question-with-h-x": "worked-example-before-your-changes-the-same-weights-on-h-x",
}
// The beginning of the name of every worked example, today and in links of earlier versions.
const STORY = "worked-example-"
const EARLIER_STORY = "worked-example-before-your-changes-"

// Returns all that may stand behind # in a link to a panel.
/** @type {(panel: Panel) => string[]} */
export function anchors(panel) {
  const today = anchor(panel)
  const earlier = [EARLIER[today] ?? []].flat()
  if (today.startsWith(STORY)) earlier.push(today.replace(STORY, EARLIER_STORY))
  return [today, ...earlier]
}

// On paper all panels are open.
/** @type {(picture: Picture, panel: Panel) => boolean} */
export function isClosed({ opened, isPrinted }, panel) {
  return panel.folded && !isPrinted && !opened.has(anchor(panel))
}

// Returns the index of the panel where one is in a window: the last one that has begun in its upper half, from the tops of all panels.
// At the top of a page it is the first one, also on a board, where others stand beside it. While all are in the lowest third of the
// window or below it, it is -1: one is above them.
/** @type {(tops: number[], covered: number, height: number) => number} */
export function begun(tops, covered, height) {
  if (tops[0] >= (2 * height) / 3) return -1
  return tops[0] >= covered ? 0 : Math.max(0, tops.findLastIndex((top) => top < height / 2))
}
