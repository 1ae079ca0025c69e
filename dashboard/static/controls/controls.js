// @ts-check
// The controls of a page: native elements, one for each setting, as controls/widgets.py describes them. A change goes into the URL at once,
// and the page runs for it. While you drag a slider, the URL stays and only the picture follows. The release changes the URL.

import { make, part } from "../elements.js"
import * as correction from "./correction.js"
import { KINDS } from "./control_kinds.js"
import { boards, controlOf, forget, pendingText } from "./pending_values.js"
import * as url from "./url.js"

/** @import { Board, Component, Control, ControlGroup, ControlsData, DrawnControl } from "../types.js" */

const PHONE = matchMedia("(max-width: 640px)")

/** @type {WeakMap<Element, Board>} */
const boardOf = new WeakMap() // by the element of its component

/** @type {(component: Component<ControlsData>) => void} */
export function draw({ parentElement, data }) {
  drawBoard(part(parentElement, ".controls"), data)
}

/** @type {(component: Component<ControlsData>) => void} */
export function unmount({ parentElement }) {
  leave(parentElement.querySelector(".controls"))
}

/** @type {(host: Element | null) => void} */
export function leave(host) {
  const board = host && boardOf.get(host)
  if (board) boards.delete(board)
}

/** @type {(host: HTMLElement, data: ControlsData) => void} */
export function drawBoard(host, { url: run, groups, corrections }) {
  correction.setSentences(corrections)
  const before = boardOf.get(host)
  /** @type {Board} */
  const board = before ?? { controls: new Map() }
  boardOf.set(host, board)
  boards.add(board)
  // An answer for an older URL: the run for the current one is on its way.
  if (before && !url.isCurrent(run)) return
  removeOthers(board, groups) // first, so that no other element moves: a field that moves loses its focus, and with it what is being typed
  groups.forEach((group, index) => {
    const place = placeOf(host, group, index)
    if (group.isForPhones) foldOnPhones(place.parentElement, group)
    group.controls.forEach((given, at) => {
      const { name } = given
      const before = board.controls.get(name)
      const control = before && before.given.kind === given.kind ? before : create(given)
      if (before && before !== control) before.element.remove()
      board.controls.set(name, control)
      if (place.children[at] !== control.element) place.insertBefore(control.element, place.children[at] ?? null)
      updateControl(control, given, run.example)
    })
  })
  while (host.children.length > groups.length) host.lastElementChild?.remove()
}

// Removes the controls that a run does not have any more.
/** @type {(board: Board, groups: ControlGroup[]) => void} */
function removeOthers(board, groups) {
  const names = new Set(groups.flatMap(({ controls }) => controls.map(({ name }) => name)))
  for (const [name, { element }] of board.controls) {
    if (names.has(name)) continue
    element.remove()
    board.controls.delete(name)
    forget(name)
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

// Closes the group on a phone, with its values in the heading.
/** @type {(element: Element | null, group: ControlGroup) => void} */
function foldOnPhones(element, { title, controls }) {
  if (!(element instanceof HTMLDetailsElement)) return
  if (!element.classList.contains("for-phones")) {
    element.classList.add("for-phones")
    element.open = !PHONE.matches
    PHONE.addEventListener("change", () => { element.open = !PHONE.matches })
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
