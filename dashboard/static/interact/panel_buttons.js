// @ts-check
// The buttons and switches at a drawing.

import { make } from "../elements.js"

/** @import { Action, Picture, Section } from "../types.js" */

// Keeps the elements: a click replaces the picture, and the focus stays where it is.
/** @type {(picture: Picture, section: Section) => void} */
export function drawButtons(picture, { actions, panel }) {
  const buttons = [...actions.querySelectorAll("button")]
  for (const button of buttons.splice(panel.actions.length)) button.remove()
  actions.hidden = !panel.actions.length
  panel.actions.forEach((action, index) => {
    const button = buttons[index] ?? actions.appendChild(make("button", { type: "button" }))
    Object.assign(button, { textContent: action.label, title: action.help, onclick: () => act(picture, action) })
    Object.assign(button, action.setting ? { role: "switch", ariaChecked: String(action.is_on) } : { role: null, ariaChecked: null })
  })
}

/** @type {(picture: Picture, action: Action) => void} */
function act(picture, { setting, is_on }) {
  if (setting) picture.set(setting, is_on ? null : "true")
  else picture.next()
}
