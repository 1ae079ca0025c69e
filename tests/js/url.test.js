// The writing of the URL, and the runs that it waits for.

import assert from "node:assert/strict"
import { beforeEach, test } from "node:test"
import { asked, back, connect, goTo, links, runOf, start, wait } from "./browser.js"

const url = await import("../../dashboard/static/controls/url.js")
let histories = 0
url.listen("history", () => histories++)

const arrive = (patches = [], link = location.href) => url.arrived(runOf(link), { session: "s", patches })

beforeEach(() => {
  start("/?k=3")
  arrive()
  histories = 0
})

test("a change asks for one run, and asks again until the run has come", () => {
  assert.ok(url.patch({ k: "4" }))
  assert.deepEqual(asked, ["/?k=4"])
  assert.deepEqual(wait(2900), [])
  assert.deepEqual(wait(200), ["/?k=4"])
  arrive([], "/?k=3") // an older run
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
  assert.deepEqual(links(), ["/?k=4"])
  arrive()
  assert.deepEqual(links(), ["/?k=4", "/lstm"])
})

test("back to the URL of the last run asks until a run has come, because controls may show what was chosen since", () => {
  connect(false)
  url.patch({ example: "spread" }, { entry: true })
  back()
  assert.deepEqual(links(), ["/?k=3"])
  connect(true)
  assert.deepEqual(wait(3000), ["/?k=3"])
  arrive()
  assert.deepEqual(wait(100_000), [])
})

test("a link to a place on the page neither asks for a run nor ends what the reader has begun", () => {
  url.patch({ k: "4" })
  url.visit(() => "/lstm")
  goTo("#gates")
  assert.equal(histories, 0)
  arrive()
  assert.deepEqual(links(), ["/?k=4", "/?k=4#gates", "/lstm"])
})

test("a run for the same URL is asked for again, also where the URL names a panel", () => {
  url.setHash("gates")
  url.rerun()
  assert.deepEqual(asked, ["/?k=3"])
  url.visit(() => "/lstm")
  assert.deepEqual(links(), ["/?k=3#gates"])
  arrive()
  assert.deepEqual(links(), ["/?k=3#gates", "/lstm"])
})

test("of two clicks that the server answers with patches the second waits for the URL of the first, and a link for both", () => {
  let clicks = 0
  const click = () => url.act(() => clicks++)
  click()
  click()
  url.visit(() => "/lstm")
  assert.equal(clicks, 1)
  arrive([{ number: 11, changes: { n: "5" }, entry: true }])
  assert.equal(clicks, 1)
  arrive()
  assert.equal(clicks, 2)
  arrive() // a click that changes nothing
  assert.deepEqual(links(), ["/?k=3", "/?k=3&n=5", "/lstm"])
})

test("back forgets the clicks that wait", () => {
  let clicks = 0
  url.patch({ k: "4" }, { entry: true })
  url.act(() => clicks++)
  back()
  arrive()
  assert.equal(clicks, 0)
})

test("a patch is applied once, and before a link leaves the page", () => {
  const patches = [{ number: 12, changes: { n: "5" }, entry: true }]
  url.patch({ k: "4" })
  url.visit(() => "/lstm")
  arrive(patches)
  assert.deepEqual(links(), ["/?k=4", "/?k=4&n=5"])
  arrive(patches)
  assert.deepEqual(links(), ["/?k=4", "/?k=4&n=5", "/lstm"])
})
