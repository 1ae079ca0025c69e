// @ts-check
// The URL is the state of the page, and only this module writes it. A change adds a history entry or replaces the current one.
// Then a `popstate` event tells Streamlit, as after back and forward, and Streamlit runs the page for the new URL. Each run names
// the URL that it has read (`arrived`): an answer for an older URL changes nothing.

import { scrollToTop } from "../elements.js"
import * as pure from "./query.js"

/** @import { Changes, NumberedAction, Patches, Run } from "../types.js" */

// In milliseconds. If no rerun for the URL arrives within LOST, ask again, then at growing intervals up to SELDOM. A message
// is lost only together with its connection.
const LOST = 3000
const SELDOM = 8000

/** @type {Record<"change" | "history", (() => void)[]>} */
const listeners = { change: [], history: [] }
/** @type {Run | null} */
let run = null // the last one
let known = location.pathname + location.search // the URL of the last popstate event
let awaited = 0 // the timer of the awaited run, or 0 if no run is awaited
/** @type {(() => void)[]} */
let waiting = [] // what the reader has clicked since the awaited run was asked for
/** @type {() => string | URL} */
let target = () => location.href // makes the URL of the last page link
/** @type {Map<string, number>} */
const applied = new Map() // the number of the last patch of the server, by session
let session = "" // of the last run
let actions = 0 // so many have been sent

// Calls the listener after each change by this module (`change`), or after back, forward and foreign links (`history`).
/** @type {(to: keyof typeof listeners, listener: () => void) => void} */
export function listen(to, listener) {
  listeners[to].push(listener)
}

// ---- reading the URL ----

/** @type {() => URLSearchParams} */
export function params() {
  return new URLSearchParams(location.search)
}

// Returns the query after some changes.
/** @type {(changes: Changes) => string} */
export function query(changes) {
  return pure.query(location, changes, run)
}

// Returns the worked example of the URL.
/** @type {() => string} */
export function example() {
  return run ? pure.exampleOf(location, run) : pure.DEFAULT_EXAMPLE
}

// ---- writing the URL ----

// Changes parameters, in place or with a new history entry. Returns whether the URL has changed.
/** @type {(changes: Changes, options?: { entry?: boolean }) => boolean} */
export function patch(changes, { entry = false } = {}) {
  const search = query(changes)
  return go(`${location.pathname}${search && `?${search}`}${location.hash}`, entry)
}

// Names a panel behind #, which needs no run.
/** @type {(id: string) => void} */
export function setHash(id) {
  history.replaceState(history.state, "", `#${id}`)
}

// Goes to a page as soon as the awaited run has come: earlier, Streamlit would write the old path over the new one.
/** @type {(makeUrl: () => string | URL) => void} */
export function visit(makeUrl) {
  target = makeUrl
  inTurn(leave)
}

function leave() {
  const url = new URL(target(), location.href)
  waiting = [] // the rest belongs to this page
  go(url.pathname + url.search + url.hash, true)
  scrollToTop()
}

/** @type {(url: string, entry: boolean) => boolean} */
function go(url, entry) {
  if (url === location.pathname + location.search + location.hash) return false
  if (entry) history.pushState({}, "", url)
  else history.replaceState(history.state, "", url)
  known = location.pathname + location.search
  for (const listener of listeners.change) listener()
  rerun()
  return true
}

// Sends the server a numbered action, as soon as the awaited run has come: that run may bring a patch, which the action needs in the
// URL. The server does each number once, and only for the URL and in the session that the action was sent for.
/** @type {(send: (action: NumberedAction) => void) => void} */
export function act(send) {
  inTurn(() => {
    send({ session, number: ++actions, path: location.pathname, query: pure.pairsOf(location.search) })
    awaitRun(LOST)
  })
}

// An action that waits already does not wait twice.
/** @type {(action: () => void) => void} */
function inTurn(action) {
  if (!waiting.includes(action)) waiting.push(action)
  actInTurn()
}

function actInTurn() {
  while (!awaited && waiting.length) waiting.shift()?.()
}

// Runs the page for the URL of this moment.
export function rerun() {
  announce()
  awaitRun(LOST)
}

function announce() {
  const { href, hash, pathname, search } = location
  // Streamlit ignores the event if the URL has a # and the query that it knows, but then an answer may have been lost.
  if (hash) history.replaceState(history.state, "", pathname + search)
  dispatchEvent(new PopStateEvent("popstate", { state: history.state }))
  if (hash) history.replaceState(history.state, "", href)
}

addEventListener("popstate", () => {
  const url = location.pathname + location.search
  if (url === known) return // the event is our own, or a link to a place on the page has changed the #
  known = url
  waiting = []
  for (const listener of listeners.history) listener()
  awaitRun(LOST)
})

// ---- runs ----

// Applies the numbered patches of the server, each once, to the current URL.
/** @type {(patches: Patches) => void} */
export function apply({ session, patches }) {
  for (const { changes, entry } of unapplied(applied, session, patches)) patch(changes, { entry })
}

// Yields each numbered entry of the server once. `last` has the number of the last one, by session.
/**
 * @template {{ number: number }} Entry
 * @param {Map<string, number>} last
 * @param {string} session
 * @param {Entry[]} entries
 */
export function* unapplied(last, session, entries) {
  for (const entry of entries) {
    if (entry.number <= (last.get(session) ?? 0)) continue
    last.set(session, entry.number)
    yield entry
  }
}

// Takes note of a run and of the patches that it brings. With a patch, another run is awaited.
/** @type {(data: Run, patches: Patches) => void} */
export function arrived(data, patches) {
  run = data
  session = patches.session
  apply(patches)
  if (!isCurrent(data)) return
  clearTimeout(awaited)
  awaited = 0
  actInTurn()
}

/** @type {(run: Run) => boolean} */
export function isCurrent(run) {
  return pure.isOf(location, run)
}

/** @type {(milliseconds: number) => void} */
function awaitRun(milliseconds) {
  clearTimeout(awaited)
  awaited = setTimeout(() => {
    announce()
    awaitRun(Math.min(2 * milliseconds, SELDOM))
  }, milliseconds)
}
