// The controls of a page: native elements, one for each setting, as controls.py describes them. A change goes into the URL at once,
// and the page runs for it. While you drag a slider, the URL stays and only the picture follows. The release changes the URL.

import { DragChannel } from "./drag_channel.js"
import * as url from "./url.js"

// In milliseconds: key presses count as released after so long without another one.
const REST = 300

// Pending values of dragged sliders and typed fields by name, which are not in the URL yet. Nothing else has them.
const drafts = new Map()
const held = new Set() // the names of the sliders under the pointer
const boards = new WeakMap() // the controls of each component, by its element
const drawn = new Set() // the boards that are on the page
let frame = 0
let rest = 0

// `draw` and `refused` of the picture of the page.
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

// Takes note that a run has drawn the picture. Pending values need another picture.
export function followed(path, draw, refused) {
  picture = { draw, refused }
  channel.connect(path && new URL(path, location.href).href.replace("http", "ws"))
  channel.answered()
  if (drafts.size) ask()
}

export function gone(draw) {
  if (picture?.draw !== draw) return
  picture = null
  channel.connect(null)
}

function ask() {
  frame = 0
  channel.ask(Object.fromEntries(new URLSearchParams(url.query(changes([...drafts.keys()])))))
}

// ---- drafts ----

function move(name, text) {
  drafts.set(name, text)
  clearTimeout(rest)
  frame ||= requestAnimationFrame(ask)
}

// Where no picture follows, the first key press of a series is written at once, because the run is the only answer.
function commitSoon() {
  if (!picture && !rest) commit()
  clearTimeout(rest)
  rest = setTimeout(commit, REST)
}

// Writes the pending values to the URL.
function commit() {
  const changed = take()
  if (!Object.keys(changed).length || url.patch(changed)) return
  // The URL is the same after all. No run comes, so ask for the picture, which may be of an earlier value.
  cancelAnimationFrame(frame)
  ask()
}

// Returns the pending values for another change of the URL, except those of sliders under the pointer, and forgets them.
export function take() {
  clearTimeout(rest)
  rest = 0
  const names = [...drafts.keys()].filter((name) => !held.has(name))
  const changed = changes(names)
  for (const name of names) drafts.delete(name)
  return changed
}

function changes(names) {
  return Object.fromEntries(names.map((name) => [name, written(name, drafts.get(name))]))
}

// Returns the text of a setting in the URL, or null for its default.
function written(name, text) {
  const control = [...drawn].map((board) => board.controls.get(name)).find(Boolean)
  return text === control?.given.default ? null : text
}

// Writes a chosen setting to the URL, together with `more` and the pending values.
function choose(name, text, more = {}) {
  url.patch({ ...take(), [name]: written(name, text), ...more })
}

// ---- the controls ----

const KINDS = { slider, number, select, segments, toggle, text, action, note }

export function draw({ parentElement, data }) {
  const isNow = url.arrived(data.url)
  drawBoard(parentElement.querySelector(".controls"), data.groups, isNow)
}

export function unmount({ parentElement }) {
  leave(parentElement.querySelector(".controls"))
}

export function leave(host) {
  const board = boards.get(host)
  if (board) drawn.delete(board)
}

export function drawBoard(host, groups, isNow) {
  if (!boards.has(host)) boards.set(host, { controls: new Map() })
  const board = boards.get(host)
  drawn.add(board)
  const names = new Set()
  groups.forEach((group, index) => {
    const place = placeOf(host, group, index)
    group.controls.forEach((given, at) => {
      const key = given.name
      names.add(key)
      const before = board.controls.get(key)
      const control = before?.given.kind === given.kind ? before : create(given)
      if (before && before !== control) before.element.remove()
      board.controls.set(key, control)
      if (place.children[at] !== control.element) place.insertBefore(control.element, place.children[at] ?? null)
      follow(control, given, isNow)
    })
  })
  while (host.children.length > groups.length) host.lastChild.remove()
  for (const [name, { element }] of board.controls) {
    if (names.has(name)) continue
    element.remove()
    board.controls.delete(name)
    if (![...drawn].some(({ controls }) => controls.has(name))) drafts.delete(name)
  }
}

// Returns the element for the controls of a group: a row, or the part that a heading opens.
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
  element.firstChild.textContent = title
  return element.lastChild
}

function create(given) {
  const control = { name: given.name, given, text: given.text }
  control.element = make("div", { className: `control ${given.kind}` })
  control.show = KINDS[given.kind](control)
  return control
}

// A control with a pending value keeps it. The others show the value of the URL, if the run is for the current URL.
function follow(control, given, isNow) {
  control.given = given
  control.element.title = given.help ?? ""
  const isFree = isNow && !drafts.has(control.name)
  if (isFree) control.text = given.text
  control.show(isFree || control.isNew !== false)
  control.isNew = false
}

function make(tag, properties) {
  return Object.assign(document.createElement(tag), properties)
}

function labelled(control, input) {
  Object.assign(input, { ariaLabel: control.given.label, ariaDescription: control.given.help ?? "" })
}

function caption(control) {
  const label = make("span", { ariaHidden: "true" }) // the input has the label as its name
  control.element.append(label)
  return () => { label.textContent = control.given.label }
}

function slider(control) {
  const call = caption(control)
  const field = fieldOf(control)
  const range = control.element.appendChild(make("input", {
    type: "range",
    oninput: () => {
      set(textAt(control.given, Number(range.value)))
      move(control.name, control.text)
    },
    // In braces: a handler that returns false would cancel the event, and the slider would not move.
    onpointerdown: () => { held.add(control.name) },
    onpointerup: () => { release() },
    onpointercancel: () => { release() },
    onchange: () => (held.has(control.name) ? release() : commitSoon()),
  }))
  const release = () => {
    held.delete(control.name)
    commit()
  }
  const set = (text) => {
    control.text = text
    const { options } = control.given
    range.value = options ? options.indexOf(text) : text
    range.ariaValueText = text
    if (field.value !== text) field.value = text
  }
  control.set = set
  return (isFree) => {
    const { low, high, step, options } = control.given
    Object.assign(range, options ? { min: 0, max: options.length - 1, step: 1 } : { min: low, max: high, step })
    labelled(control, range)
    call()
    bound(control, field)
    if (isFree && !control.isTyped) set(control.text)
  }
}

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
    if (isFree && !control.isTyped) control.set(control.text)
  }
}

function bound({ given }, field) {
  Object.assign(field, { min: given.smallest, max: given.largest, step: given.whole ? 1 : "any" })
  Object.assign(field, { ariaLabel: given.label, ariaDescription: given.help ?? "" })
}

// A number field: the picture follows while you type. Enter, Tab and a click elsewhere write the URL.
function fieldOf(control) {
  const field = control.element.appendChild(make("input", { type: "number", inputMode: "decimal" }))
  Object.assign(field, {
    oninput: () => {
      control.isTyped = true
      if (field.value !== "" && field.checkValidity()) move(control.name, tidy(control.given, field.value))
    },
    onchange: () => {
      control.isTyped = false
      const isEmpty = field.value === ""
      const text = isEmpty ? (control.given.optional ? "" : control.given.text) : tidy(control.given, field.value)
      control.set(text)
      move(control.name, text)
      commitSoon()
    },
    onkeydown: ({ key }) => { if (key === "Enter") commit() },
    onblur: () => {
      control.isTyped = false
      if (!drafts.has(control.name)) control.set(control.text)
      commit()
    },
  })
  return field
}

function textAt({ options }, value) {
  return options ? options[value] : String(Number(value.toFixed(6)))
}

// Returns the allowed value that is nearest to the text of a field.
function tidy({ smallest, largest, whole, options }, text) {
  const value = Math.min(largest, Math.max(smallest, Number(text)))
  if (!options) return String(whole ? Math.round(value) : value)
  const off = (option) => Math.abs(Number(option) - value)
  return options.reduce((best, option) => (off(option) < off(best) ? option : best))
}

function select(control) {
  const call = caption(control)
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
    const listed = options.map(({ label }) => label).join("\n")
    if (box.listed !== listed) box.replaceChildren(...options.map(({ label, value }) => make("option", { textContent: label, value })))
    box.listed = listed
    if (isFree) box.selectedIndex = options.findIndex(({ value }) => value === control.text)
  }
}

function segments(control) {
  const call = caption(control)
  const group = control.element.appendChild(make("div", { role: "radiogroup", className: "radios" }))
  const name = `${control.name} ${Math.random()}` // groups the radio buttons
  return (isFree) => {
    call()
    labelled(control, group)
    control.element.classList.toggle("is-bare", Boolean(control.given.bare))
    const { options } = control.given
    while (group.children.length > options.length) group.lastChild.remove()
    options.forEach(({ value, label, patch }, index) => {
      const element = group.children[index] ?? group.appendChild(make("label", {}))
      if (!element.firstChild) element.append(make("input", { type: "radio", name }), make("span", {}))
      const [input, text] = element.children
      text.textContent = label
      input.onchange = () => {
        control.text = value
        choose(control.name, value, patch)
      }
      if (isFree) input.checked = value === control.text
    })
  }
}

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
    const needed = fits ? new Set(field.value).size : 0
    choose(control.name, field.value, needed > fits?.at ? { [fits.name]: String(needed) } : {})
  }
  return (isFree) => {
    call()
    labelled(control, field)
    field.maxLength = control.given.longest
    if (isFree && !control.isTyped && field.value !== control.text) field.value = control.text
  }
}

// A button that changes settings.
function action(control) {
  const button = control.element.appendChild(make("button", { type: "button" }))
  button.onclick = () => {
    const { patch, freeze, inPlace } = control.given
    const changed = take()
    url.patch({ ...changed, ...(freeze ? { compare: frozen(changed, freeze) } : patch) }, { entry: !inPlace })
  }
  const onKey = ({ key }) => {
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
function frozen(changed, names) {
  const said = [...new URLSearchParams(url.query(changed))].filter(([name]) => names.includes(name))
  const isNamed = said.some(([name]) => name === "example")
  return new URLSearchParams([...(isNamed ? [] : [["example", "lab"]]), ...said]).toString()
}

// Returns the radio buttons of a setting.
export function radios(name) {
  const control = [...drawn].map((board) => board.controls.get(name)).find(Boolean)
  return control ? [...control.element.querySelectorAll("[type=radio]")] : []
}

function note(control) {
  return () => { control.element.textContent = control.given.label }
}
