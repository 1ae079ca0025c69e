// @ts-check
// Keeps the progress in practice in this browser (localStorage), sends it to the server, and draws the map of exercises.

import { make, part, scrollToTop } from "../elements.js"
import { change } from "./pending_values.js"
import { query, unapplied } from "./url.js"

/** @import { Component, Held, PracticeLink, ProgressChart, ProgressData } from "../types.js" */

const KEY = "cellscope practice"
// A longer text is not ours.
const LONGEST = 60_000

/** @type {Map<string, number>} */
const applied = new Map() // the number of the last entry of the server, by session
/** @type {Record<string, unknown>} */
let unkept = {} // what a browser without room forgets with the page
let isKept = true
let exercise = ""
let stopWaiting = () => {} // for a field
/** @type {Component<ProgressData> | undefined} */
let drawn

/** @type {(component: Component<ProgressData>) => void} */
export function draw(component) {
  const { data, parentElement } = component
  drawn = component
  for (const { changes } of unapplied(applied, data.session, data.entries)) write({ ...read(), ...changes })
  send(component)
  const place = part(parentElement, ".progress")
  const now = JSON.stringify(data.chart)
  if (place.dataset.chart !== now) {
    place.dataset.chart = now
    place.replaceChildren(...(data.chart ? charted(data.chart, component) : []))
  }
  if (exercise && data.exercise && exercise !== data.exercise) begin(place, data)
  exercise = data.exercise
}

// ---- storage ----

// A browser may forbid storage, and another page of this server may have written anything.
/** @type {() => Record<string, unknown>} */
function read() {
  if (!isKept) return unkept
  try {
    const text = localStorage.getItem(KEY) ?? ""
    const held = text && text.length <= LONGEST ? JSON.parse(text) : {}
    return typeof held === "object" && held && !Array.isArray(held) ? held : {}
  } catch (error) {
    if (!(error instanceof SyntaxError)) isKept = false
    return {}
  }
}

/** @type {(progress: Record<string, unknown>) => void} */
function write(progress) {
  unkept = progress
  try {
    localStorage.setItem(KEY, JSON.stringify(progress))
    isKept = true
  } catch {
    isKept = false
  }
}

function forget() {
  unkept = {}
  try {
    localStorage.removeItem(KEY)
  } catch {
    isKept = false
  }
}

// Another tab has changed the progress. The server must know, or its next entry would undo this change.
addEventListener("storage", ({ key }) => {
  if (drawn && (key === KEY || key === null)) send(drawn)
})

// Sends what is stored, unless the server has seen it.
/** @type {(component: Component<ProgressData>) => void} */
function send({ data, setStateValue }) {
  const text = JSON.stringify(read())
  /** @type {Held} */
  const held = { text, today: today(), isKept, applied: applied.get(data.session) ?? 0 }
  const { seen } = data
  const isSeen =
    seen && seen.text === text && seen.today === held.today && seen.isKept === isKept && seen.applied === held.applied
  if (!isSeen) setStateValue("held", held)
}

// Returns the date of this browser, such as 2026-01-31.
function today() {
  const now = new Date()
  const two = (/** @type {number} */ number) => `${number}`.padStart(2, "0")
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

// ---- the map ----

/** @type {(chart: ProgressChart, component: Component<ProgressData>) => Node[]} */
function charted({ today, test, levels, kinds, forget }, component) {
  const five = make("div", { className: "card" })
  five.append(make("b", { textContent: today.label }), pips(today.done, today.of), ...today.links.map(linked))
  const ten = make("div", { className: "card" })
  ten.append(make("b", { textContent: test.label }), ...test.links.map(linked))
  const cards = make("div", { className: "cards" })
  cards.append(five, ten, ...(forget ? [forgetting(forget, component)] : []))
  const chosen = make("p", { className: "chosen", textContent: today.chosen.join(" ") })
  const grid = make("div", { className: "kinds" })
  grid.append(...[0, 1].map(() => levelsOf(levels)))
  for (const { label, tiles } of kinds) {
    const row = make("div", { className: "kind" })
    row.append(make("span", { textContent: label }))
    for (const { filled, of, link } of tiles) {
      const tile = linked(link)
      tile.className = filled >= of ? "tile is-full" : "tile"
      tile.append(pips(filled, of))
      row.append(tile)
    }
    grid.append(row)
  }
  return [cards, chosen, grid]
}

/** @type {(levels: string[]) => HTMLElement} */
function levelsOf(levels) {
  const head = make("div", { className: "kind head" })
  head.append(make("span", {}), ...levels.map((textContent) => make("span", { textContent })))
  return head
}

/** @type {(filled: number, of: number) => HTMLElement} */
function pips(filled, of) {
  const shown = make("span", { className: "pips", ariaHidden: "true" })
  for (let at = 0; at < of; at++) shown.append(make("i", { className: at < filled ? "is-filled" : "" }))
  return shown
}

/** @type {(link: PracticeLink) => HTMLAnchorElement} */
function linked({ label, name, changes, keep }) {
  const link = make("a", { href: `?${query(changes)}`, textContent: label })
  if (name) link.setAttribute("aria-label", name)
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (Object.keys(keep).length) write({ ...read(), ...keep })
    change(changes, { entry: true })
    scrollToTop()
  })
  return link
}

// A button that asks for a second click.
/** @type {(texts: NonNullable<ProgressChart["forget"]>, component: Component<ProgressData>) => HTMLElement} */
function forgetting({ label, again }, component) {
  const button = make("button", { type: "button", textContent: label })
  button.addEventListener("blur", () => (button.textContent = label))
  button.addEventListener("click", () => {
    if (button.textContent === label) {
      button.textContent = again
      return
    }
    button.textContent = label
    forget()
    send(component)
  })
  return button
}

// Gives the focus to the field of another exercise, or on the map to today's exercises, so that Enter goes on there too.
// A test and its result start at their top.
/** @type {(place: Element, data: ProgressData) => void} */
function begin(place, { chart, field }) {
  stopWaiting()
  if (field) focusField(field)
  else if (chart) part(place, ".card a").focus()
  else scrollToTop()
}

// Waits for a field that is not there yet: Streamlit loads the code of fields with the first one. By then the reader may be elsewhere.
/** @type {(selector: string) => void} */
function focusField(selector) {
  /** @type {() => HTMLElement | null} */
  const find = () => document.querySelector(selector)
  const present = find()
  if (present) return present.focus()
  const observer = new MutationObserver(() => {
    const field = find()
    if (!field) return
    stopWaiting()
    if (document.activeElement === document.body) field.focus()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  stopWaiting = () => observer.disconnect()
}

export function unmount() {
  stopWaiting()
  drawn = undefined
  exercise = ""
}
