// @ts-check
// The key of the lines in the keyed charts of a picture. The legends of colours are in picture/paint.js. A click on a name may change a setting.

import { make } from "../elements.js"
import { put } from "../picture/panel_text.js"

/** @import { Key, Named, Picture, Section } from "../types.js" */

// Keeps the elements: a click replaces the picture, and the focus stays where it is.
/** @type {(picture: Picture, section: Section) => void} */
export function nameLines(picture, { keys, panel }) {
  keys.hidden = !panel.keys.length
  while (keys.children.length > panel.keys.length) keys.lastElementChild?.remove()
  panel.keys.forEach((key, index) => {
    const group = keys.children[index] ?? keys.appendChild(make("div", { role: "group" }))
    group.ariaLabel = key.label
    while (group.children.length > key.lines.length) group.lastElementChild?.remove()
    key.lines.forEach((line, at) => nameLine(picture, key, line, group, at))
  })
}

/** @type {(picture: Picture, key: Key, line: Named, group: Element, at: number) => void} */
function nameLine(picture, { setting }, { label, colour, choice, is_chosen }, group, at) {
  const tag = choice === null ? "span" : "button"
  const before = group.children[at]
  const element = before instanceof HTMLElement && before.localName === tag ? before : make(tag, {})
  if (before !== element) group.insertBefore(element, before ?? null)
  if (before && before !== element) before.remove()
  put(element.firstElementChild ?? element.appendChild(make("span", {})), label)
  element.style.setProperty("--hue", `light-dark(${colour.light}, ${colour.dark})`)
  if (choice === null) return
  Object.assign(element, { type: "button", ariaPressed: String(is_chosen), onclick: () => picture.set(setting, choice) })
}
