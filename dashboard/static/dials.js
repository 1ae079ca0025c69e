// The dials of a page: native sliders, each with a field for its number. While one moves, the server hears of it with each
// frame of the screen, and redraws the picture alone. Once it is let go, the address says so and the whole page follows.
// What they are is made by dials.py.

import { ask, askPicture, isBusy, listen, whenFree } from "./live.js"

// Keys have no end as a drag has: it is over when no more have come for so many milliseconds.
const REST = 300
// What is clicked comes after what was typed: a mouse button is down for longer than so many milliseconds. It is not said at once,
// for with a finger's tap the click comes at once too, and a page link that is tapped says by itself what was typed.
const BEFORE_CLICK = 30
// What is said while the connection is lost reaches nobody, and no error tells: after so many milliseconds without an
// answer it is said again, and then ever more seldom.
const UNHEARD = 3000

const boards = new WeakMap()
let board = null // of the page that is shown

// After a step through the browser's history the address says where the dials are, whatever was moved just before; but not
// after one to another place on the page.
addEventListener("popstate", () => {
  if (!board || board.address === here()) return
  clearTimeout(board.rest)
  board.moved = {}
})

function here() {
  return location.pathname + location.search
}

listen({
  leave: () => board && leaveSoon(board, 0),
  takeUnsaid: () => board && takeUnsaid(board),
  // Of where a dial is by now, if the page ran while it was in hand.
  again: () => board && send(board),
})

export function draw({ parentElement, data, setStateValue, setTriggerValue }) {
  const host = parentElement.querySelector(".dials")
  if (!boards.has(host)) boards.set(host, { host, dials: new Map(), request: Date.now(), moved: {}, unheard: {}, frame: 0, rest: 0, again: 0 })
  board = boards.get(host)
  board.address = here()
  board.drag = (value) => setStateValue("dragged", value)
  board.leave = (value) => setTriggerValue("left", value)
  for (const [name, dial] of board.dials) {
    if (data.dials.some((given) => given.name === name)) continue
    dial.element.remove()
    board.dials.delete(name)
    // Nobody answers for it any more, and the others must not wait.
    delete board.moved[name]
    delete board.unheard[name]
  }
  forget(board, Object.fromEntries(data.dials.map((given) => [given.name, asSaid(given)])))
  data.dials.forEach((given, index) => {
    if (!board.dials.has(given.name)) board.dials.set(given.name, add(board, given.name))
    const dial = board.dials.get(given.name)
    if (host.children[index] !== dial.element) host.insertBefore(dial.element, host.children[index])
    follow(board, dial, given)
  })
  leaveIfWaiting(board)
}

export function unmount({ parentElement }) {
  const board = boards.get(parentElement.querySelector(".dials"))
  if (board) takeUnsaid(board) // Streamlit may mount the component on the same element again
}

function add(board, name) {
  const element = Object.assign(document.createElement("div"), { className: "dial" })
  const put = (tag, properties) => element.appendChild(Object.assign(document.createElement(tag), properties))
  const dial = { name, element, label: put("span", {}) }
  dial.label.ariaHidden = "true" // the slider and the field are called so themselves
  dial.field = put("input", {
    type: "number",
    inputMode: "decimal",
    oninput: () => {
      dial.isTyped = true
      if (dial.field.value !== "" && dial.field.checkValidity()) move(board, dial, tidy(dial, dial.field.value))
    },
    onchange: () => {
      dial.isTyped = false
      const text = dial.field.value === "" ? dial.text : tidy(dial, dial.field.value)
      write(dial, text)
      move(board, dial, text)
      leaveSoon(board, REST)
    },
    // Of a number that was typed and taken back no change is told.
    onblur: () => {
      dial.isTyped = false
      write(dial, board.moved[name] ?? dial.text)
      leaveSoon(board, BEFORE_CLICK)
    },
  })
  dial.slider = put("input", {
    type: "range",
    oninput: () => {
      const text = textAt(dial, Number(dial.slider.value))
      write(dial, text)
      move(board, dial, text)
    },
    // In braces: a handler that answers false would keep the slider where it is.
    onpointerdown: () => { dial.isHeld = true },
    // Where it is back at its start there is no change.
    onpointerup: () => { letGo(board, dial) },
    onpointercancel: () => { letGo(board, dial) },
    onchange: () => (dial.isHeld ? letGo(board, dial) : leaveSoon(board, REST)),
  })
  return dial
}

function letGo(board, dial) {
  dial.isHeld = false
  leaveSoon(board, 0)
}

// A dial that the reader has in hand stays where it is, and so does one that the server has not heard yet.
function follow(board, dial, given) {
  dial.given = given
  const { low, high, step, smallest, largest, options, label, help, whole } = given
  Object.assign(dial.slider, options ? { min: 0, max: options.length - 1, step: 1 } : { min: low, max: high, step })
  Object.assign(dial.field, { min: smallest, max: largest, step: whole ? 1 : "any" })
  dial.label.textContent = label
  dial.element.title = help
  for (const input of [dial.slider, dial.field]) Object.assign(input, { ariaLabel: label, ariaDescription: help })
  if (dial.name in board.moved || dial.name in board.unheard) return
  if (dial.isTyped) dial.text = given.text
  else write(dial, given.text)
}

function write(dial, text) {
  dial.text = text
  const { options } = dial.given
  dial.slider.value = options ? options.indexOf(text) : text
  dial.slider.ariaValueText = text
  if (dial.field.value !== text) dial.field.value = text
}

function textAt({ given: { options } }, value) {
  return options ? options[value] : String(Number(value.toFixed(6)))
}

// What a field says, as one of the values that there are.
function tidy({ given: { smallest, largest, whole, options } }, text) {
  const value = Math.min(largest, Math.max(smallest, Number(text)))
  if (!options) return String(whole ? Math.round(value) : value)
  const off = (option) => Math.abs(Number(option) - value)
  return options.reduce((best, option) => (off(option) < off(best) ? option : best))
}

// ---- what the server hears ----

function move(board, dial, text) {
  board.moved[dial.name] = text
  if (!board.frame) board.frame = requestAnimationFrame(() => send(board))
  clearTimeout(board.rest)
}

function send(board) {
  board.frame = 0
  if (!Object.keys(board.moved).length) return
  if (isBusy()) whenFree(() => send(board))
  else askForPicture(board)
}

function askForPicture(board) {
  const all = Object.fromEntries(Array.from(board.dials.values(), ({ name, text }) => [name, text]))
  if (askPicture({ ...all, ...board.moved }, ++board.request)) return
  board.drag({ said: { ...board.moved }, request: board.request })
  ask(board.request)
}

// By name what the address is to say; nothing is said here any more.
function takeUnsaid(board) {
  clearTimeout(board.rest)
  clearTimeout(board.again)
  cancelAnimationFrame(board.frame)
  const moved = Object.entries(board.moved).map(([name, text]) => [name, asSaid({ ...board.dials.get(name).given, text })])
  const said = { ...board.unheard, ...Object.fromEntries(moved) }
  Object.assign(board, { frame: 0, moved: {}, unheard: {}, isWaiting: false })
  return said
}

function leaveSoon(board, milliseconds) {
  clearTimeout(board.rest)
  if (milliseconds) board.rest = setTimeout(() => leave(board), milliseconds)
  else leave(board)
}

// One at a time: the answer to the one before has the address of then, which Streamlit would write over a newer one.
function leave(board) {
  board.isWaiting = Object.keys(board.unheard).length > 0
  if (board.isWaiting) return
  cancelAnimationFrame(board.frame)
  board.frame = 0
  const said = {}
  for (const [name, text] of Object.entries(board.moved)) {
    const dial = board.dials.get(name)
    if (dial?.isHeld) continue // of the next one that is in hand already
    if (dial) said[name] = asSaid({ ...dial.given, text })
    delete board.moved[name]
  }
  if (!Object.keys(said).length) return
  writeAddress(said)
  Object.assign(board.unheard, said)
  say(board, UNHEARD)
  // Of what is as it was before there is no answer: the picture may be of a moment ago.
  forget(board, Object.fromEntries(Object.keys(said).map((name) => [name, asSaid(board.dials.get(name).given)])))
  if (!Object.keys(board.unheard).length) askForPicture(board)
}

function say(board, milliseconds) {
  clearTimeout(board.again)
  forget(board)
  if (!Object.keys(board.unheard).length) return leaveIfWaiting(board)
  const unit = "k" in board.unheard ? Number(new URLSearchParams(location.search).get("j") ?? 1) : null
  board.leave({ said: { ...board.unheard }, unit, request: ++board.request })
  board.again = setTimeout(() => say(board, 2 * milliseconds), milliseconds)
}

function leaveIfWaiting(board) {
  if (board.isWaiting) leave(board)
}

// What the server has heard, and what the address no longer says: back and forward bring something else, which holds.
function forget(board, heard = {}) {
  const address = new URLSearchParams(location.search)
  for (const [name, text] of Object.entries(board.unheard)) {
    if (same(heard[name], text) || (address.get(name) ?? "") !== text) delete board.unheard[name]
  }
}

// As numbers: Python writes 1e-05 where JavaScript writes 0.00001.
function same(heard, text) {
  return heard === text || (Boolean(heard) && text !== "" && Number(heard) === Number(text))
}

function asSaid({ text, default: start }) {
  return text === start ? "" : text
}

// At once and in the place of what was there: Streamlit would make a step of the browser's history of each. In the order
// that the server's own address then has: of another one Streamlit would make a step as well.
function writeAddress(said) {
  const written = new Map(location.search.slice(1).split("&").filter(Boolean).map((part) => [part.split("=")[0], part]))
  const write = (name, text) => (text ? written.set(name, `${name}=${text}`) : written.delete(name))
  for (const [name, text] of Object.entries(said)) write(name, text)
  // Of fewer units the last one is inspected. Said after all else, it would be one more step, from which nobody comes back.
  if ("k" in said) {
    const units = Number(board.dials.get("k").text)
    if (Number(written.get("j")?.slice(2)) > units) write("j", units === 1 ? "" : String(units))
  }
  const parts = [...written.values()]
  history.replaceState(history.state, "", `${location.pathname}${parts.length ? `?${parts.join("&")}` : ""}${location.hash}`)
  board.address = here()
}
