// @ts-check
// The words around the drawings, and for who cannot see what is drawn.

import { pieces } from "./text.js"
import { nameOf } from "./block.js"
import { told } from "./compare.js"
import { blocksOf, isTarget, partsOf } from "./items.js"

/** @import { Block, Panel, Picture, Section } from "../types.js" */

/** @type {WeakMap<Element, string>} */
const written = new WeakMap() // what each element says

// Text with subscripts. Only what changed is touched: an unchanged paragraph costs nothing.
/** @type {(element: Element, text: string) => void} */
export function put(element, text) {
  if (written.get(element) === text) return
  written.set(element, text)
  const subscript = (/** @type {string} */ text) => Object.assign(document.createElement("sub"), { textContent: text })
  element.replaceChildren(...pieces(text).map(({ text, low }) => (low ? subscript(text) : text)))
}

// Shows the remarks above all panels.
/** @type {(picture: Picture, texts: string[]) => void} */
export function say({ remarks }, texts) {
  while (remarks.children.length > texts.length) remarks.lastElementChild?.remove()
  texts.forEach((text, index) => put(remarks.children[index] ?? remarks.appendChild(document.createElement("p")), text))
}

// Writes the title of a panel, as a button if the panel is folded.
/** @type {(section: Section, text: string) => void} */
function entitle({ title, fold, panel }, text) {
  if (title.contains(fold) !== panel.folded) {
    title.replaceChildren(...(panel.folded ? [fold] : []))
    written.delete(title)
  }
  put(panel.folded ? fold : title, text)
}

// Returns the words of a panel that may be those of a step.
/** @type {(picture: Picture, panel: Panel) => { title: string, note: string, callout: string }} */
export function entitled({ step }, panel) {
  const { title, note, callout } = panel.scrub?.steps[step] ?? panel
  return { title, note, callout: callout || panel.callout }
}

/** @type {(picture: Picture, section: Section) => void} */
export function write(picture, section) {
  const { panel } = section
  const { title, note, callout } = entitled(picture, panel)
  entitle(section, title)
  put(section.callout, callout)
  put(section.text, panel.text)
  put(section.note, note)
  put(section.exactly, panel.exactly)
  section.details.hidden = !panel.exactly
  const code = panel.code.join("\n")
  if (written.get(section.code) !== code) {
    written.set(section.code, code)
    section.code.replaceChildren(
      ...panel.code.map((line) => Object.assign(document.createElement("code"), { textContent: line })),
    )
  }
  section.element.dataset.side = panel.side
  section.drawing.hidden = section.save.hidden = !panel.rows.length
}

// Shows below a panel of B how its numbers differ from those of A.
/** @type {(section: Section, step: number, decimals: number) => void} */
export function tellDifferences(section, step, decimals) {
  const blocks = [...new Set(blocksOf(section.rows))]
  const name = (/** @type {Block} */ block, /** @type {number} */ index) => nameOf(block, Math.floor(index / block.columns), index % block.columns)
  put(section.differences, told(blocks, step, decimals, name))
}

// An image, unless there is something in it to go to with the keys.
/** @type {(section: Section) => void} */
export function describeDrawing({ drawing, panel, rows }) {
  const targets = partsOf(rows).filter(isTarget)
  const follows = []
  if (targets.some((item) => item.kind === "block" && item.units)) follows.push("the unit")
  if (targets.some((item) => (item.kind === "block" || item.kind === "chain") && item.over_time)) follows.push("the step")
  const enter = follows.length ? `; Enter follows ${follows.join(" or ")}` : ""
  const ariaLabel = targets.length ? `${panel.alt} Arrow keys go from number to number${enter}.` : panel.alt
  if (drawing.ariaLabel === ariaLabel) return
  Object.assign(drawing, { ariaLabel, role: targets.length ? "application" : "img" })
  if (targets.length) drawing.tabIndex = 0
  else drawing.removeAttribute("tabindex")
}
