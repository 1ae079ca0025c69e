// The writing of the URL, and the runs that it waits for, with a small browser and Streamlit's rule for events.

import assert from "node:assert/strict"
import { beforeEach, mock, test } from "node:test"

const HERE = "http://here"
const events = new EventTarget()
let entries = [`${HERE}/?k=3`]
let isConnected = true
let asked = [] // the URLs for which Streamlit has asked for a run
let streamlits = "" // the query that Streamlit knows

const write = (url, entry) => {
  const { href } = new URL(url, entries.at(-1))
  if (entry) entries.push(href)
  else entries[entries.length - 1] = href
  Object.assign(location, { href, pathname: new URL(href).pathname, search: new URL(href).search, hash: new URL(href).hash })
}
Object.assign(globalThis, {
  location: {},
  history: { state: null, pushState: (_, __, url) => write(url, true), replaceState: (_, __, url) => write(url, false) },
  document: { querySelector: () => null },
  PopStateEvent: Event,
  addEventListener: events.addEventListener.bind(events),
  dispatchEvent: events.dispatchEvent.bind(events),
})
mock.timers.enable({ apis: ["setTimeout"] })
write(entries[0], false)
addEventListener("popstate", () => {
  if (location.hash && location.search === streamlits) return
  streamlits = location.search
  if (isConnected) asked.push(location.href.replace(HERE, ""))
})
const url = await import("../../dashboard/static/controls/url.js")
let histories = 0
url.listen("history", () => histories++)

const back = () => {
  entries.pop()
  write(entries.at(-1), false)
  dispatchEvent(new PopStateEvent("popstate"))
}
let number = 0
const arrive = (patches = [], link = location.href) => {
  const { pathname, searchParams } = new URL(link)
  const run = { number: ++number, page: pathname.slice(1), query: [...searchParams], example: "lab", opening: [], root: "/" }
  url.arrived({ ...run, examples: { "": "lab", lstm: "lab" } }, { session: "s", patches })
}
const wait = (milliseconds) => {
  const before = asked.length
  mock.timers.tick(milliseconds)
  return asked.slice(before)
}

beforeEach(() => {
  isConnected = true
  entries = entries.slice(0, 1)
  write("/?k=3", false)
  dispatchEvent(new PopStateEvent("popstate"))
  arrive()
  asked = []
  histories = 0
})

test("a change asks for one run, and asks again until the run has come", () => {
  assert.ok(url.patch({ k: "4" }))
  assert.deepEqual(asked, ["/?k=4"])
  assert.deepEqual(wait(2900), [])
  assert.deepEqual(wait(200), ["/?k=4"])
  arrive([], `${HERE}/?k=3`) // an older run
  assert.deepEqual(wait(6000), ["/?k=4"])
  arrive()
  assert.deepEqual(wait(100_000), [])
})

test("a change to the same URL asks for nothing", () => {
  assert.ok(!url.patch({ k: "3" }))
  assert.deepEqual(wait(100_000), [])
  assert.deepEqual(asked, [])
})

test("a link waits for the run, and the last of two links counts", () => {
  url.patch({ k: "4" })
  url.visit(() => "/gru")
  url.visit(() => "/lstm")
  assert.deepEqual(entries, [`${HERE}/?k=4`])
  arrive()
  assert.deepEqual(entries, [`${HERE}/?k=4`, `${HERE}/lstm`])
})

test("back to the URL of the last run asks until a run has come, because controls may show what was chosen since", () => {
  isConnected = false
  url.patch({ example: "spread" }, { entry: true })
  back()
  assert.equal(location.search, "?k=3")
  isConnected = true
  assert.deepEqual(wait(3000), ["/?k=3"])
  arrive()
  assert.deepEqual(wait(100_000), [])
})

test("a link to a place on the page neither waits for a run nor ends what the reader has begun", () => {
  url.patch({ k: "4" })
  url.visit(() => "/lstm")
  write("#gates", true)
  dispatchEvent(new PopStateEvent("popstate"))
  assert.equal(histories, 0)
  arrive()
  assert.equal(location.pathname, "/lstm")
})

test("a run for the same URL is asked for again, also where the URL names a panel", () => {
  url.setHash("gates")
  url.rerun()
  assert.deepEqual(asked, ["/?k=3"])
  url.visit(() => "/lstm")
  assert.equal(location.href, `${HERE}/?k=3#gates`)
  arrive()
  assert.equal(location.pathname, "/lstm")
})

test("a patch is applied once, and before a link leaves the page", () => {
  const patches = [{ number: 1, changes: { n: "5" }, entry: true }]
  url.patch({ k: "4" })
  url.visit(() => "/lstm")
  arrive(patches)
  assert.deepEqual(entries, [`${HERE}/?k=4`, `${HERE}/?k=4&n=5`])
  arrive(patches)
  assert.deepEqual(entries, [`${HERE}/?k=4`, `${HERE}/?k=4&n=5`, `${HERE}/lstm`])
})
