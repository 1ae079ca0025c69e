// A small browser for the modules that write the URL: its history, its elements, and Streamlit's rule for events.

import { mock } from "node:test"

const HERE = "http://here"
const events = new EventTarget()
export const entries = [`${HERE}/`] // of the history
export const asked = [] // the URLs for which Streamlit has asked for a run
let query = "" // that Streamlit knows
let isConnected = true
let runs = 0

function write(url, isEntry) {
  const { href, pathname, search, hash } = new URL(url, entries.at(-1))
  entries.splice(isEntry ? entries.length : -1, 1, href)
  Object.assign(location, { href, pathname, search, hash })
}

class Element {
  children = []
  parentElement = null
  value = ""
  dataset = {}
  classList = { toggle: () => {}, contains: () => false, add: () => {} }

  constructor(tag) {
    this.tagName = tag.toUpperCase()
  }

  get lastElementChild() {
    return this.children.at(-1) ?? null
  }

  append(...elements) {
    for (const element of elements) this.insertBefore(element, null)
  }

  appendChild(element) {
    return this.insertBefore(element, null)
  }

  prepend(element) {
    this.insertBefore(element, this.children[0] ?? null)
  }

  insertBefore(element, next) {
    if (!(element instanceof Element)) return
    element.remove()
    this.children.splice(next ? this.children.indexOf(next) : this.children.length, 0, element)
    element.parentElement = this
    return element
  }

  replaceChildren(...elements) {
    for (const child of [...this.children]) child.remove()
    this.append(...elements)
  }

  removeAttribute(name) {
    delete this[name]
  }

  remove() {
    this.parentElement?.children.splice(this.parentElement.children.indexOf(this), 1)
    this.parentElement = null
  }

  checkValidity() {
    const [value, min, max] = [this.value, this.min, this.max].map(Number)
    return min <= value && value <= max && (this.step === "any" || Number.isInteger(value))
  }
}

Object.assign(globalThis, {
  location: {},
  history: { state: null, pushState: (_, __, url) => write(url, true), replaceState: (_, __, url) => write(url, false) },
  document: { querySelector: () => null, createElement: (tag) => new Element(tag) },
  matchMedia: () => ({ matches: false, addEventListener: () => {} }),
  requestAnimationFrame: (call) => setTimeout(call, 16),
  cancelAnimationFrame: (id) => clearTimeout(id),
  PopStateEvent: Event,
  addEventListener: events.addEventListener.bind(events),
  dispatchEvent: events.dispatchEvent.bind(events),
})
mock.timers.enable({ apis: ["setTimeout"] })
write("/", false)
addEventListener("popstate", () => {
  if (location.hash && location.search === query) return
  query = location.search
  if (isConnected) asked.push(location.href.replace(HERE, ""))
})

// Goes to a link by the history, as the first entry of it.
export function start(link) {
  isConnected = true
  entries.splice(1)
  write(link, false)
  dispatchEvent(new PopStateEvent("popstate"))
  asked.length = 0
}

export function back() {
  entries.pop()
  write(entries.at(-1), false)
  dispatchEvent(new PopStateEvent("popstate"))
}

// Adds an entry for a place on the page, as a link of Streamlit's does.
export function goTo(hash) {
  write(hash, true)
  dispatchEvent(new PopStateEvent("popstate"))
}

export function connect(isThere) {
  isConnected = isThere
}

// Lets time pass, and returns the runs that are asked for meanwhile.
export function wait(milliseconds) {
  const before = asked.length
  mock.timers.tick(milliseconds)
  return asked.slice(before)
}

// Returns what a run of a link says about its URL.
export function runOf(link, more = {}) {
  const { pathname, searchParams } = new URL(link, HERE)
  const run = { number: ++runs, page: pathname.slice(1), query: [...searchParams], example: searchParams.get("example") ?? "lab" }
  return { ...run, examples: { "": "lab", lstm: "lab" }, first: [], opening: [], root: "/", ...more }
}

export const links = () => entries.map((href) => href.replace(HERE, ""))
