// @ts-check
// The controls of a page: native elements, one for each setting, as controls/widgets.py describes them. A change goes into the URL at once,
// and the page runs for it. While you drag a slider, the URL stays and only the picture follows. The release changes the URL.

import { make, part } from "../elements.js"
import * as correction from "./correction.js"
import { DragChannel } from "./drag_channel.js"
import { DEFAULT_EXAMPLE, unlessDefault } from "./query.js"
import * as url from "./url.js"

/**
 * @import {
 *   ActionControl, Board, Changes, Component, Control, ControlGroup, ControlsData, DrawnControl, Maker,
 *   Moved, NumberControl, PictureData, SegmentsControl, SelectControl, Show, SliderControl, TextControl, ToggleControl,
 * } from "../types.js"
 */

// In milliseconds: key presses count as released after so long without another one.
const REST = 300
const LONGEST_WORD = 60 // characters: a longer text is a sentence
const PHONE = matchMedia("(max-width: 640px)")

// Pending values of dragged sliders, typed fields and playback by name, which are not in the URL yet. Nothing else has them.
/** @type {Map<string, string | null>} */
const drafts = new Map()
/** @type {Map<number, string>} */
const held = new Map() // the name of the slider under each pointer, by the id of the pointer
/** @type {WeakMap<Element, Board>} */
const boards = new WeakMap() // the controls of each component, by its element
/** @type {Set<Board>} */
const drawn = new Set() // the boards that are on the page
let frame = 0
let rest = 0

// `draw`, `refused` and `moved` of the picture of the page.
/** @type {{ draw: (data: PictureData) => void, refused: (isRefused: boolean) => void, moved: Moved } | null} */
let picture = null
const channel = new DragChannel({
  draw: (data) => {
    picture?.draw(data)
    picture?.refused(false)
  },
  refused: () => {
    url.rerun()
    picture?.refused(true)
  },
})

url.listen("history", () => {
  clearTimeout(rest)
  drafts.clear()
  for (const { controls } of drawn) for (const control of controls.values()) control.isTyped = false
})

// ---- for the picture ----

// Takes note that a run has drawn the picture. Pending values need another picture, except those that `moved` shows itself.
/** @type {(path: string, draw: (data: PictureData) => void, refused: (isRefused: boolean) => void, moved: Moved) => void} */
export function pictureDrawn(path, draw, refused, moved) {
  picture = { draw, refused, moved }
  channel.connect(new URL(path, location.href).href.replace("http", "ws"))
  channel.answered()
  if ([...drafts].some(([name, text]) => !moved(name, text))) ask()
}

/** @type {(draw: (data: PictureData) => void) => void} */
export function pictureRemoved(draw) {
  if (picture?.draw !== draw) return
  picture = null
  channel.connect(null)
}

// Returns the text of a setting: the pending one, that of the URL, or the default of its control. Null without a control.
/** @type {(name: string) => string | null} */
export function valueOf(name) {
  if (drafts.has(name)) return drafts.get(name) ?? null
  const [text, ...repeated] = url.params().getAll(name)
  const isRefused = text === undefined || repeated.length > 0
  return isRefused ? (controlOf(name)?.given.default ?? null) : text
}

// Moves a setting as a reader moves its slider. `commit` writes it to the URL.
/** @type {(name: string, text: string | null) => void} */
export function moveControl(name, text) {
  const control = controlOf(name)
  if (control && text !== null && !control.isTyped) control.set(text)
  setPending(name, text)
}

function ask() {
  frame = 0
  channel.ask(query(changes([...drafts.keys()])))
}

// Returns the query of the URL after some changes.
/** @type {(changed: Changes) => Record<string, string>} */
function query(changed) {
  return Object.fromEntries(new URLSearchParams(url.query(changed)))
}

// ---- drafts ----

// At the window: a slider may have left the page before the pointer is released.
for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
  addEventListener(end, ({ pointerId }) => { if (held.delete(pointerId)) commit() }, true)
}

/** @type {(name: string, text: string | null) => void} */
function setPending(name, text) {
  drafts.set(name, text)
  if (!picture?.moved(name, text)) frame ||= requestAnimationFrame(ask)
}

// Where no picture follows, the first key press of a series is written at once, because the run is the only answer.
function commitSoon() {
  if (!picture && !rest) commit()
  clearTimeout(rest)
  rest = setTimeout(commit, REST)
}

// Writes the pending values to the URL.
export function commit() {
  const changed = take()
  if (!Object.keys(changed).length || url.patch(changed)) return
  // The URL is the same after all. No run comes, so ask for the picture, which may be of an earlier value.
  cancelAnimationFrame(frame)
  ask()
}

// Returns the pending values for another change of the URL, except those of sliders under the pointer, and forgets them.
/** @type {() => Changes} */
export function take() {
  clearTimeout(rest)
  rest = 0
  const dragged = new Set(held.values())
  const names = [...drafts.keys()].filter((name) => !dragged.has(name))
  const changed = changes(names)
  for (const name of names) drafts.delete(name)
  return changed
}

/** @type {(names: string[]) => Changes} */
function changes(names) {
  return Object.assign({}, ...names.map((name) => ({ [name]: textInUrl(name, drafts.get(name) ?? null), ...cleared(name) })))
}

// Returns the settings that a change of this one removes from the URL.
/** @type {(name: string) => Changes} */
function cleared(name) {
  return Object.fromEntries((controlOf(name)?.given.clears ?? []).map((other) => [other, null]))
}

// Returns the text of a setting in the URL, or null for its default.
/** @type {(name: string, text: string | null) => string | null} */
function textInUrl(name, text) {
  return url.hasDefaults() ? unlessDefault(text, controlOf(name)?.given.default) : text
}

/** @type {(name: string) => DrawnControl | undefined} */
function controlOf(name) {
  return [...drawn].map((board) => board.controls.get(name)).find(Boolean)
}

// Writes a chosen setting to the URL, together with `more` and the pending values.
/** @type {(name: string, text: string, more?: Changes) => void} */
export function choose(name, text, more = {}) {
  url.patch({ ...take(), [name]: textInUrl(name, text), ...cleared(name), ...more })
}

// ---- the controls ----

/** @type {Record<Control["kind"], Maker>} */
const KINDS = { slider, number, select, segments, toggle, text, action, note }

/** @type {(component: Component<ControlsData>) => void} */
export function draw({ parentElement, data }) {
  const isNow = url.arrived(data.url)
  drawBoard(part(parentElement, ".controls"), data, isNow)
}

/** @type {(component: Component<ControlsData>) => void} */
export function unmount({ parentElement }) {
  leave(parentElement.querySelector(".controls"))
}

/** @type {(host: Element | null) => void} */
export function leave(host) {
  const board = host && boards.get(host)
  if (board) drawn.delete(board)
}

/** @type {(host: HTMLElement, data: Pick<ControlsData, "groups" | "corrections">, isNow: boolean) => void} */
export function drawBoard(host, { groups, corrections }, isNow) {
  correction.setSentences(corrections)
  /** @type {Board} */
  const board = boards.get(host) ?? { controls: new Map() }
  boards.set(host, board)
  drawn.add(board)
  removeOthers(board, groups) // first, so that no other element moves: a field that moves loses its focus, and with it what is being typed
  groups.forEach((group, index) => {
    const place = placeOf(host, group, index)
    if (group.isForPhones) foldOnPhones(place.parentElement, group)
    group.controls.forEach((given, at) => {
      const key = given.name
      const before = board.controls.get(key)
      const control = before && before.given.kind === given.kind ? before : create(given)
      if (before && before !== control) before.element.remove()
      board.controls.set(key, control)
      if (place.children[at] !== control.element) place.insertBefore(control.element, place.children[at] ?? null)
      updateControl(control, given, isNow)
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
    if (![...drawn].some(({ controls }) => controls.has(name))) drafts.delete(name)
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
  const control = { name: given.name, given, element, text: drafts.get(given.name) ?? given.text, isTyped: false, isNew: true, show: () => {}, set: () => {} }
  control.show = KINDS[given.kind](control)
  return control
}

// A control with a pending value keeps it. The others show the value of the URL, if the run is for the current URL.
/** @type {(control: DrawnControl, given: Control, isNow: boolean) => void} */
function updateControl(control, given, isNow) {
  control.given = given
  control.element.title = given.help ?? ""
  const isFree = isNow && !drafts.has(control.name)
  if (isFree) control.text = given.text
  control.show(isFree || control.isNew)
  control.isNew = false
}

/** @type {(control: DrawnControl, input: HTMLElement) => void} */
function labelled(control, input) {
  Object.assign(input, { ariaLabel: control.given.label, ariaDescription: control.given.help ?? "" })
}

/** @type {(control: DrawnControl) => () => void} */
function caption(control) {
  const label = make("span", { ariaHidden: "true" }) // the input has the label as its name
  control.element.append(label)
  let shown = ""
  return () => {
    if (control.given.label === shown) return
    shown = control.given.label
    label.replaceChildren(...withSubscripts(shown))
  }
}

// The subscripts of Unicode, such as those of hₜ₋₁, are too small to read.
/** @type {(label: string) => (string | HTMLElement)[]} */
function withSubscripts(label) {
  const parts = label.split(/([\u2080-\u209c]+)/)
  return parts.map((part, index) => (index % 2 ? make("sub", { textContent: part.normalize("NFKC") }) : part))
}

/** @type {(control: DrawnControl<SliderControl>) => Show} */
function slider(control) {
  const call = caption(control)
  const field = fieldOf(control)
  const range = control.element.appendChild(make("input", {
    type: "range",
    oninput: () => {
      clearTimeout(rest)
      set(textAt(control.given, Number(range.value)))
      setPending(control.name, control.text)
    },
    onpointerdown: ({ pointerId }) => { held.set(pointerId, control.name) },
    onchange: commitSoon,
  }))
  const set = (/** @type {string} */ text) => {
    control.text = text
    const { options } = control.given
    range.value = options ? String(options.indexOf(text)) : text
    range.ariaValueText = text
    if (field.value !== text) field.value = text
  }
  control.set = set
  return (isFree) => {
    const { low, high, step, options } = control.given
    const [min, max, by] = (options ? [0, options.length - 1, 1] : [low, high, step]).map(String)
    Object.assign(range, { min, max, step: by })
    labelled(control, range)
    call()
    bound(control, field)
    if (isFree && !control.isTyped) set(control.text)
  }
}

/** @type {(control: DrawnControl<NumberControl>) => Show} */
function number(control) {
  const call = caption(control)
  const field = fieldOf(control)
  control.set = (text) => {
    control.text = text
    if (field.value !== text) field.value = text
  }
  return (isFree) => {
    call()
    bound(control, field)
    field.placeholder = control.given.placeholder ?? ""
    field.disabled = Boolean(control.given.disabled)
    if (isFree && !control.isTyped) control.set(control.text)
  }
}

/** @type {(control: DrawnControl<SliderControl | NumberControl>, field: HTMLInputElement) => void} */
function bound({ given }, field) {
  Object.assign(field, { min: String(given.smallest), max: String(given.largest), step: given.whole ? "1" : "any" })
  Object.assign(field, { ariaLabel: given.label, ariaDescription: given.help ?? "" })
}

// A number field: the picture follows while you type. Enter, Tab and a click elsewhere write the URL.
/** @type {(control: DrawnControl<SliderControl> | DrawnControl<NumberControl>) => HTMLInputElement} */
function fieldOf(control) {
  const field = control.element.appendChild(make("input", { type: "number", inputMode: "decimal" }))
  const place = correction.place()
  control.element.prepend(place)
  Object.assign(field, {
    oninput: () => {
      clearTimeout(rest)
      control.isTyped = true
      if (field.value !== "" && field.checkValidity()) setPending(control.name, tidy(control.given, field.value))
    },
    onchange: () => {
      control.isTyped = false
      const isEmpty = field.value === ""
      const isOptional = control.given.kind === "number" && control.given.optional
      const text = isEmpty ? (isOptional ? "" : control.text) : tidy(control.given, field.value)
      correction.explain(place, control.given, field.value, text)
      control.set(text)
      setPending(control.name, text)
      commitSoon()
    },
    onkeydown: (/** @type {KeyboardEvent} */ { key }) => { if (key === "Enter") commit() },
    onblur: () => {
      control.isTyped = false
      if (!drafts.has(control.name)) control.set(control.text)
      commit()
    },
  })
  return field
}

/** @type {(given: SliderControl, value: number) => string} */
function textAt({ options }, value) {
  return options ? options[value] : String(Number(value.toFixed(6)))
}

// Returns the allowed value that is nearest to the text of a field.
/** @type {(given: SliderControl | NumberControl, text: string) => string} */
function tidy({ smallest, largest, whole, options }, text) {
  const value = Math.min(largest, Math.max(smallest, Number(text)))
  if (!options) return String(whole ? Math.round(value) : value)
  const off = (/** @type {string} */ option) => Math.abs(Number(option) - value)
  return options.reduce((best, option) => (off(option) < off(best) ? option : best))
}

/** @type {(control: DrawnControl<SelectControl>) => Show} */
function select(control) {
  const call = caption(control)
  let listed = ""
  const box = control.element.appendChild(make("select", {
    onchange: () => {
      const option = control.given.options[box.selectedIndex]
      control.text = option.value
      if (option.patch) url.patch({ ...take(), ...option.patch }, { entry: true })
      else choose(control.name, option.value)
    },
  }))
  return (isFree) => {
    call()
    labelled(control, box)
    const { options } = control.given
    const labels = options.map(({ label }) => label).join("\n")
    if (listed !== labels) box.replaceChildren(...options.map(({ label, value }) => make("option", { textContent: label, value })))
    listed = labels
    if (isFree) box.selectedIndex = options.findIndex(({ value }) => value === control.text)
  }
}

/** @type {(control: DrawnControl<SegmentsControl>) => Show} */
function segments(control) {
  const call = caption(control)
  const group = control.element.appendChild(make("div", { role: "radiogroup", className: "radios" }))
  const name = `${control.name} ${Math.random()}` // groups the radio buttons
  /** @type {ReturnType<typeof addRadio>[]} */
  const radios = []
  return (isFree) => {
    call()
    labelled(control, group)
    control.element.classList.toggle("is-bare", Boolean(control.given.bare))
    group.classList.toggle("cards", Boolean(control.given.cards))
    const { options } = control.given
    for (const { element } of radios.splice(options.length)) element.remove()
    options.forEach(({ value, label, patch }, index) => {
      const { input, text } = (radios[index] ??= addRadio(group, name))
      text.textContent = label
      input.onchange = () => {
        control.text = value
        choose(control.name, value, patch)
      }
      if (isFree) input.checked = value === control.text
    })
  }
}

/** @type {(group: HTMLElement, name: string) => { element: HTMLElement, input: HTMLInputElement, text: HTMLElement }} */
function addRadio(group, name) {
  const element = group.appendChild(make("label", {}))
  const input = element.appendChild(make("input", { type: "radio", name }))
  return { element, input, text: element.appendChild(make("span", {})) }
}

/** @type {(control: DrawnControl<ToggleControl>) => Show} */
function toggle(control) {
  const label = control.element.appendChild(make("label", {}))
  const input = label.appendChild(make("input", { type: "checkbox", role: "switch" }))
  const text = label.appendChild(make("span", {}))
  input.onchange = () => {
    control.text = String(input.checked)
    choose(control.name, control.text)
  }
  return (isFree) => {
    text.textContent = control.given.label
    input.ariaDescription = control.given.help ?? ""
    input.disabled = Boolean(control.given.disabled)
    if (isFree) input.checked = control.text === "true"
  }
}

/** @type {(control: DrawnControl<TextControl>) => Show} */
function text(control) {
  const call = caption(control)
  const field = control.element.appendChild(make("input", { type: "text" }))
  field.oninput = () => { control.isTyped = true }
  field.onblur = () => { control.isTyped = false }
  field.onchange = () => {
    control.isTyped = false
    control.text = field.value
    // Each distinct character of a word needs its own entry of x_t.
    const { fits } = control.given
    const size = fits && controlOf(fits)?.text
    const needed = new Set(field.value).size
    choose(control.name, field.value, fits && needed > Number(size) ? { [fits]: String(needed) } : {})
  }
  return (isFree) => {
    call()
    labelled(control, field)
    field.maxLength = control.given.longest
    field.classList.toggle("long", field.maxLength > LONGEST_WORD)
    if (isFree && !control.isTyped && field.value !== control.text) field.value = control.text
  }
}

// A button that changes settings.
/** @type {(control: DrawnControl<ActionControl>) => Show} */
function action(control) {
  const button = control.element.appendChild(make("button", { type: "button" }))
  button.onclick = () => {
    const { patch, freeze, inPlace } = control.given
    const changed = take()
    url.patch({ ...changed, ...(freeze ? { compare: frozen(changed, freeze) } : patch) }, { entry: !inPlace })
  }
  const onKey = (/** @type {KeyboardEvent} */ { key }) => {
    if (!button.isConnected) removeEventListener("keydown", onKey)
    else if (key === control.given.shortcut) button.click()
  }
  if (control.given.shortcut) addEventListener("keydown", onKey)
  return () => {
    const { label, help, disabled, pressed } = control.given
    button.textContent = label
    Object.assign(button, { ariaDescription: help ?? "", disabled: Boolean(disabled) })
    if (pressed === undefined) button.removeAttribute("aria-expanded")
    else button.ariaExpanded = String(pressed)
  }
}

// Returns the text of `compare` that freezes the current settings.
/** @type {(changed: Changes, names: string[]) => string} */
function frozen(changed, names) {
  const pairs = [...new URLSearchParams(url.query(changed))].filter(([name]) => names.includes(name))
  const isNamed = pairs.some(([name]) => name === "example")
  return new URLSearchParams([...(isNamed ? [] : [["example", DEFAULT_EXAMPLE]]), ...pairs]).toString()
}

// Returns the radio buttons of a setting.
/** @type {(name: string) => HTMLInputElement[]} */
export function radios(name) {
  return [...(controlOf(name)?.element.querySelectorAll("input") ?? [])].filter(({ type }) => type === "radio")
}

/** @type {(control: DrawnControl) => Show} */
function note(control) {
  return () => { control.element.textContent = control.given.label }
}
