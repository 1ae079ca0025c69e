// The URL is the state of the page, and only this module writes it. A change adds a history entry or replaces the current one.
// Then a `popstate` event tells Streamlit, as after back and forward, and Streamlit runs the page for the new URL. Each run names
// the URL that it has read (`arrived`): an answer for an older URL changes nothing.

// In milliseconds. If no run for the URL has come after LOST, ask again, then at growing intervals up to SELDOM. A message is
// lost only with its connection.
const LOST = 3000
const SELDOM = 8000
// Streamlit keeps these parameters for itself: no run sees them.
const OF_STREAMLIT = ["embed", "embed_options"]

const listeners = { change: [], history: [] }
let run = null // `session.described` of the last run
let isOwn = false // whether this module dispatches the popstate event
let target = null // makes the URL of a page link that waits for the current run
const applied = new Map() // the number of the last patch of the server, by session
let again = 0

// Calls the listener after each change by this module (`change`), or after back, forward and foreign links (`history`).
export function listen(to, listener) {
  listeners[to].push(listener)
}

// ---- reading the URL ----

export function params() {
  return new URLSearchParams(location.search)
}

// Returns the parts of the query after some changes. Unchanged parameters stay byte for byte. The key is the name; a repeated
// parameter has its name and a number.
export function written(changes) {
  const parts = new Map()
  location.search.slice(1).split("&").filter(Boolean).forEach((part, index) => {
    const [name] = part.split("=")
    if (!parts.has(name)) parts.set(name, part)
    else if (!(name in changes)) parts.set(`${name} ${index}`, part)
  })
  for (const [name, text] of Object.entries(changes)) {
    if (text === null) parts.delete(name)
    else parts.set(name, `${name}=${encodeURIComponent(text)}`)
  }
  return parts
}

// Returns the query after some changes. A bare URL means the page's own example, so the first change names the example.
export function query(changes) {
  const parts = written(changes)
  if (run && !parts.has("example")) name(parts, run.example, run.page)
  return [...parts.values()].join("&")
}

// Adds the example if the page would start from another one without it.
export function name(parts, example, page) {
  const isBare = [...parts.keys()].map((key) => key.split(" ")[0]).every((name) => run.opening.includes(name) || OF_STREAMLIT.includes(name))
  if (example !== "lab" || (isBare && run.own[page] !== "lab")) parts.set("example", `example=${example}`)
}

// ---- writing the URL ----

// Changes parameters, in place or with a new history entry. Returns whether the URL has changed.
export function patch(changes, { entry = false } = {}) {
  const search = query(changes)
  return go(`${location.pathname}${search && `?${search}`}${location.hash}`, entry)
}

// Goes to a page as soon as the current run has come: earlier, Streamlit would write the old path over the new one.
export function visit(makeUrl) {
  target = makeUrl
  if (!isRunning()) leave()
}

function leave() {
  const url = new URL(target(), location.href)
  target = null
  go(url.pathname + url.search + url.hash, true)
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0)
}

function go(url, entry) {
  if (url === location.pathname + location.search + location.hash) return false
  if (entry) history.pushState({}, "", url)
  else history.replaceState(history.state, "", url)
  for (const listener of listeners.change) listener()
  announce()
  expectRun(LOST)
  return true
}

// Runs the page again for the same URL: the answer of the last run is not valid any more.
export function rerun() {
  if (run) run = { ...run, isOver: true }
  announce()
  expectRun(LOST)
}

function announce() {
  isOwn = true
  dispatchEvent(new PopStateEvent("popstate", { state: history.state }))
  isOwn = false
}

addEventListener("popstate", () => {
  if (isOwn) return
  target = null
  for (const listener of listeners.history) listener()
  if (isRunning()) expectRun(LOST)
})

// ---- runs ----

// Applies the numbered patches of the server, each once, to the current URL.
export function apply({ session, patches }) {
  for (const { number, changes, entry } of patches) {
    if (number <= (applied.get(session) ?? 0)) continue
    applied.set(session, number)
    patch(changes, { entry })
  }
}

// Takes note of a run. Returns whether it is for the current URL.
export function arrived(data) {
  run = data
  const isNow = isCurrent(data)
  if (isNow) clearTimeout(again)
  if (isNow && target) leave()
  return isNow
}

export function isCurrent({ page, query, own }) {
  const there = [...params()].filter(([name]) => !OF_STREAMLIT.includes(name.toLowerCase()))
  const sorted = (pairs) => JSON.stringify(pairs.map((pair) => pair.join("=")).sort())
  return pathOf(own) === page && sorted(there) === sorted(query)
}

// Returns the path of the page as the server names it, without the path of the app.
function pathOf(own) {
  const last = location.pathname.replace(/\/+$/, "").split("/").at(-1)
  return last in own ? last : ""
}

function isRunning() {
  return run !== null && (Boolean(run.isOver) || !isCurrent(run))
}

function expectRun(milliseconds) {
  clearTimeout(again)
  again = setTimeout(() => {
    if (!isRunning()) return
    announce()
    expectRun(Math.min(2 * milliseconds, SELDOM))
  }, milliseconds)
}
