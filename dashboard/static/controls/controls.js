// @ts-check
// The controls of a page: native elements, one for each setting, as controls/widgets.py describes them. Here they get their places on the
// page and the values of the URL. `control_kinds.js` takes what the reader does with them.

import { make, part } from "../elements.js"
import * as correction from "./correction.js"
import { KINDS } from "./control_kinds.js"
import { controlOf, drawn, forgetPending, pendingText } from "./pending_values.js"
import * as url from "./url.js"

/** @import { Component, Control, ControlGroup, ControlsData, DrawnControl } from "../types.js" */

const PHONE = matchMedia("(max-width: 640px)")

/** @type {(component: Component<ControlsData>) => void} */
export function draw({ parentElement, data }) {
  drawControls(part(parentElement, ".controls"), data)
}

/** @type {(component: Component<ControlsData>) => void} */
export function unmount({ parentElement }) {
  removeControls(parentElement)
}

/** @type {(parentElement: HTMLElement) => void} */
export function removeControls(parentElement) {
  const host = parentElement.querySelector(".controls")
  if (!host) return
  host.replaceChildren()
  drawn.delete(host)
}

/** @type {(host: HTMLElement, data: ControlsData) => void} */
export function drawControls(host, { url: run, groups, corrections }) {
  correction.setSentences(corrections)
  const before = drawn.get(host)
  // An answer for an older URL: the run for the current one is on its way.
  if (before && !url.isCurrent(run)) return
  /** @type {Map<string, DrawnControl>} */
  const controls = before ?? new Map()
  drawn.set(host, controls)
  removeOthers(controls, groups) // first, so that no other element moves: a field that moves loses its focus, and with it what is being typed
  groups.forEach((group, index) => {
    const place = placeOf(host, group, index)
    if (group.is_for_phones) foldSliders(place.parentElement, group)
    group.controls.forEach((given, at) => {
      const { name } = given
      const before = controls.get(name)
      const control = before && before.given.kind === given.kind ? before : create(given)
      if (before && before !== control) before.element.remove()
      controls.set(name, control)
      if (place.children[at] !== control.element) place.insertBefore(control.element, place.children[at] ?? null)
      updateControl(control, given, run.example)
    })
  })
  while (host.children.length > groups.length) host.lastElementChild?.remove()
}

// Removes the controls that a run does not have any more.
/** @type {(controls: Map<string, DrawnControl>, groups: ControlGroup[]) => void} */
function removeOthers(controls, groups) {
  const names = new Set(groups.flatMap(({ controls }) => controls.map(({ name }) => name)))
  for (const [name, { element }] of controls) {
    if (names.has(name)) continue
    element.remove()
    controls.delete(name)
    forgetPending(name)
  }
}

// Returns the element for the controls of a group: a row, or the part that a heading opens.
/** @type {(host: HTMLElement, group: ControlGroup, index: number) => Element} */
function placeOf(host, { title }, index) {
  let element = host.children[index]
  if (!element || (element.tagName === "DETAILS") !== Boolean(title)) {
    const made = make(title ? "details" : "div", { className: "group" })
    if (title) made.append(make("summary", {}), make("div", { className: "group" }))
    if (element) element.replaceWith(made)
    else host.append(made)
    element = made
  }
  if (!title) return element
  const [heading, place] = element.children
  if (!element.classList.contains("for-phones")) heading.textContent = title
  return place
}

// Closes the group on a phone and in the projector view, with its values in the heading.
/** @type {(element: Element | null, group: ControlGroup) => void} */
function foldSliders(element, { title, controls, is_folded }) {
  if (!(element instanceof HTMLDetailsElement)) return
  const { classList } = element
  const fold = () => { element.open = !PHONE.matches && !classList.contains("folded") }
  const isNew = !classList.contains("for-phones")
  if (isNew) {
    classList.add("for-phones")
    PHONE.addEventListener("change", fold)
  }
  if (isNew || classList.contains("folded") !== is_folded) {
    classList.toggle("folded", is_folded)
    fold()
  }
  const values = controls.map(({ name, text }) => `${name.replace("_", " ")} ${text}`)
  part(element, "summary").textContent = `${title}: ${values.join(", ")}`
}

/** @type {(given: Control) => DrawnControl} */
function create(given) {
  const element = make("div", { className: `control ${given.kind}` })
  /** @type {DrawnControl} */
  const control = { name: given.name, given, example: "", element, text: pendingText(given.name) ?? given.text, isTyped: false, show: () => {}, set: () => {} }
  control.show = KINDS[given.kind](control)
  return control
}

// A control with a pending value keeps it. The others show the value of the URL.
/** @type {(control: DrawnControl, given: Control, example: string) => void} */
function updateControl(control, given, example) {
  Object.assign(control, { given, example })
  control.element.title = given.help ?? ""
  if (pendingText(control.name) === undefined) control.text = given.text
  control.show()
}

// Returns the radio buttons of a setting.
/** @type {(name: string) => HTMLInputElement[]} */
export function radios(name) {
  return [...(controlOf(name)?.element.querySelectorAll("input") ?? [])].filter(({ type }) => type === "radio")
}
