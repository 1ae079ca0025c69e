// @ts-check
// The findings of a panel: each has a sentence, a link to the panel that shows its number
// and frames it, and a button for the change to try.

import { make } from "../elements.js"
import { anchor } from "../picture/panels.js"
import { put } from "../picture/panel_text.js"
import { scrollToPanel } from "./panel_links.js"

/** @import { FindingLine, Picture, Section } from "../types.js" */

// Keeps the elements: a click replaces the picture, and the focus stays where it is.
/** @type {(picture: Picture, section: Section) => void} */
export function drawFindings(picture, { findings, panel }) {
  findings.hidden = !panel.findings.length
  while (findings.children.length > panel.findings.length) findings.lastElementChild?.remove()
  panel.findings.forEach((finding, index) => write(picture, finding, findings.children[index] ?? findings.appendChild(row())))
}

function row() {
  const element = make("li", {})
  element.append(make("span", {}), " ", make("a", {}), " ", make("button", { type: "button" }))
  return element
}

/** @type {(picture: Picture, finding: FindingLine, element: Element) => void} */
function write(picture, { text, proof, changes, setting, choice, label, is_chosen }, element) {
  const [span, link, button] = element.children
  put(span, text)
  put(link, proof)
  const section = picture.sections.find(({ panel }) => panel.title === proof)
  Object.assign(link, { href: section ? `#${anchor(section.panel)}` : "", hidden: !section })
  Object.assign(link, {
    onclick: (/** @type {Event} */ event) => {
      event.preventDefault() // the browser would add a history entry and run the page
      if (!section) return
      picture.change(changes)
      picture.proof = { title: proof, search: location.search }
      for (const one of picture.sections) one.element.classList.toggle("framed", one === section)
      scrollToPanel(picture, section)
    },
  })
  put(button, label)
  Object.assign(button, { hidden: !label, ariaPressed: String(is_chosen), onclick: () => picture.set(setting, choice) })
}
