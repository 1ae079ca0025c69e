// The words around the drawings, and for who cannot see what is drawn.

import { pieces } from "./text.js"
import { nameOf } from "./block.js"
import { told } from "./compare.js"
import { isTarget, kindOf, partsOf } from "./items.js"

// Text with subscripts. Only what changed is touched: an unchanged paragraph costs nothing.
export function put(element, text) {
  if (element.source === text) return
  element.source = text
  const subscript = (text) => Object.assign(document.createElement("sub"), { textContent: text })
  element.replaceChildren(...pieces(text).map(({ text, low }) => (low ? subscript(text) : text)))
}

// What is to be said above all panels.
export function say({ remarks }, texts) {
  while (remarks.children.length > texts.length) remarks.lastElementChild.remove()
  texts.forEach((text, index) => put(remarks.children[index] ?? remarks.appendChild(document.createElement("p")), text))
}

export function write(picture, section) {
  const { panel } = section
  const { title, note } = panel.scrub?.steps[picture.step] ?? panel
  put(section.title, title)
  put(section.text, panel.text)
  put(section.note, note)
  put(section.exactly, panel.exactly)
  section.exactly.parentElement.hidden = !panel.exactly
  const code = panel.code.join("\n")
  if (section.code.source !== code) {
    section.code.source = code
    section.code.replaceChildren(
      ...panel.code.map((line) => Object.assign(document.createElement("code"), { textContent: line })),
    )
  }
  section.element.dataset.side = panel.side
  section.drawing.hidden = section.save.hidden = !panel.rows.length
}

// Of a panel of B: how its numbers differ from those of A.
export function tellDifferences(section, step, decimals) {
  const blocks = [...new Set(partsOf(section.rows).filter(({ kind }) => kind === "block"))]
  const name = (block, index) => nameOf(block, Math.floor(index / block.columns), index % block.columns)
  put(section.differences, told(blocks, step, decimals, name))
}

// An image, unless there is something in it to go to with the keys.
export function describeDrawing({ drawing, panel, rows }) {
  const targets = partsOf(rows).filter(isTarget)
  const follows = []
  if (targets.some((item) => item.units)) follows.push("the unit")
  if (targets.some((item) => item.over_time)) follows.push("the step")
  const enter = follows.length ? `; Enter follows ${follows.join(" or ")}` : ""
  const ariaLabel = targets.length ? `${panel.alt} Arrow keys go from number to number${enter}.` : panel.alt
  if (drawing.ariaLabel === ariaLabel) return
  Object.assign(drawing, { ariaLabel, role: targets.length ? "application" : "img" })
  if (targets.length) drawing.tabIndex = 0
  else drawing.removeAttribute("tabindex")
}
