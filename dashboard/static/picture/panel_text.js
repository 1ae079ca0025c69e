// @ts-check
// The texts around a drawing: title, callout, note, code and differences. `screen_reader.js` describes the drawing itself.

import { pieces, unbroken } from "./text.js"
import { nameOf } from "./block.js"
import { describeDifferences } from "./compare.js"
import { blocksOf } from "./items.js"

/** @import { Block, Panel, Picture, Section } from "../types.js" */

/** @type {WeakMap<Element, string>} */
const shown = new WeakMap() // the text of each element

// Text with subscripts. Only what changed is touched: an unchanged paragraph costs nothing.
/** @type {(element: Element, text: string, written?: (text: string) => string) => void} */
export function put(element, text, written) {
  if (shown.get(element) === text) return
  shown.set(element, text)
  const subscript = (/** @type {string} */ text) => Object.assign(document.createElement("sub"), { textContent: text })
  element.replaceChildren(...pieces(written ? written(text) : text).map(({ text, low }) => (low ? subscript(text) : text)))
}

// Writes the remarks above all panels.
/** @type {(picture: Picture, texts: string[]) => void} */
export function writeRemarks({ remarks }, texts) {
  while (remarks.children.length > texts.length) remarks.lastElementChild?.remove()
  texts.forEach((text, index) => put(remarks.children[index] ?? remarks.appendChild(document.createElement("p")), text))
}

// Writes the title of a panel, as a button if the panel is folded.
/** @type {(section: Section, text: string) => void} */
function writeTitle({ title, fold, panel }, text) {
  if (title.contains(fold) !== panel.folded) {
    title.replaceChildren(...(panel.folded ? [fold] : []))
    shown.delete(title)
  }
  put(panel.folded ? fold : title, text)
}

// Returns the texts of a panel that may be those of a step.
/** @type {(picture: Picture, panel: Panel) => { title: string, note: string, callout: string }} */
export function textsOf({ step }, panel) {
  const { title, note, callout } = panel.playback?.steps[step] ?? panel
  return { title, note, callout: callout || panel.callout }
}

/** @type {(picture: Picture, section: Section) => void} */
export function write(picture, section) {
  const { panel } = section
  const { title, note, callout } = textsOf(picture, panel)
  writeTitle(section, title)
  put(section.callout, callout, unbroken)
  put(section.text, panel.text, unbroken)
  put(section.note, note, unbroken)
  put(section.exactly, panel.exactly, unbroken)
  section.details.hidden = !panel.exactly
  const code = panel.code.join("\n")
  if (shown.get(section.code) !== code) {
    shown.set(section.code, code)
    section.code.replaceChildren(
      ...panel.code.map((line) => Object.assign(document.createElement("code"), { textContent: line })),
    )
  }
  section.element.dataset.side = panel.side
  section.drawing.hidden = section.save.hidden = !panel.rows.length
}

// Writes below a panel of B how its numbers differ from those of A.
/** @type {(section: Section, step: number, decimals: number) => void} */
export function writeDifferences(section, step, decimals) {
  const blocks = [...new Set(blocksOf(section.rows))]
  const name = (/** @type {Block} */ block, /** @type {number} */ index) => nameOf(block, Math.floor(index / block.columns), index % block.columns)
  put(section.differences, describeDifferences(blocks, step, decimals, name))
}
