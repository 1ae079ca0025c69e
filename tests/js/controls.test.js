// The controls: what the reader does with them, and what runs make of them.

import assert from "node:assert/strict"
import { beforeEach, test } from "node:test"
import { links, runOf, start, wait } from "./browser.js"

const url = await import("../../dashboard/static/controls/url.js")
const { drawControls } = await import("../../dashboard/static/controls/controls.js")
const { controlOf } = await import("../../dashboard/static/controls/pending_values.js")

const number = (name, text, more = {}) => ({
  kind: "number", name, label: name, text, default: text, smallest: 1, largest: 512, whole: true, optional: false, ...more,
})
const example = (text) => ({
  kind: "select", name: "example", label: "Example", text, default: "",
  options: ["lab", "spread"].map((value) => ({ value, label: value, patch: { example: value, k: null } })),
})
const host = document.createElement("div")
const draw = (run, ...controls) => drawControls(host, { url: run, groups: [{ title: "", is_for_phones: false, is_folded: false, controls }], corrections: {} })

// Draws the page of a link, as a run does.
const arrive = (link, ...controls) => {
  const run = runOf(link)
  url.arrived(run, { session: "s", patches: [] })
  draw(run, ...controls)
}
const fieldOf = (name) => controlOf(name)?.element.children.find(({ type }) => type === "number")
const type = (name, text) => {
  const field = fieldOf(name)
  field.value = text
  field.oninput()
  return field
}
const enter = (name, text) => type(name, text).onkeydown({ key: "Enter" })
const choose = (value) => {
  const box = controlOf("example").element.children.find(({ tagName }) => tagName === "SELECT")
  box.selectedIndex = ["lab", "spread"].indexOf(value)
  box.onchange()
}

beforeEach(() => {
  start("/?example=lab")
  arrive("/?example=lab", example("lab"), number("k", "3"))
})

test("a typed number goes into the URL, and the default leaves it", () => {
  enter("k", "5")
  assert.deepEqual(links(), ["/?example=lab&k=5"])
  arrive("/?example=lab&k=5", example("lab"), number("k", "5", { default: "3" }))
  enter("k", "3")
  assert.deepEqual(links(), ["/?example=lab"])
})

test("a number is no default of another example, also while the controls of its run are still to come", () => {
  choose("spread")
  url.arrived(runOf("/?example=spread"), { session: "s", patches: [] }) // the sidebar comes first
  enter("k", "3")
  assert.equal(links().at(-1), "/?example=spread&k=3")
})

test("an optional field that is emptied leaves the URL, also before the run for another example", () => {
  start("/?example=lab&w_f=2")
  arrive("/?example=lab&w_f=2", example("lab"), number("w_f", "2", { default: "", optional: true }))
  choose("spread")
  enter("w_f", "")
  assert.equal(links().at(-1), "/?example=spread")
})

test("a run for an older URL neither removes a control nor what is typed into it", () => {
  enter("k", "4")
  enter("k", "6")
  type("k", "7")
  arrive("/?example=lab&k=4", example("lab"))
  assert.equal(fieldOf("k").value, "7")
  arrive("/?example=lab&k=6", example("lab"), number("k", "6", { default: "3" }))
  assert.equal(fieldOf("k").value, "7")
  fieldOf("k").onchange()
  wait(300)
  assert.deepEqual(links(), ["/?example=lab&k=7"])
})

test("a run for the URL shows its values, and removes controls that it does not have", () => {
  url.patch({ k: "8" })
  arrive("/?example=lab&k=8", example("lab"), number("k", "8", { default: "3" }))
  assert.equal(fieldOf("k").value, "8")
  arrive("/?example=lab&k=8", example("lab"))
  assert.equal(controlOf("k"), undefined)
})

test("Compare freezes the example that the page shows where the URL names an unknown one", () => {
  start("/?example=gat&k=5")
  const run = runOf("/?example=gat&k=5", { example: "lab", opening: ["example"] })
  url.arrived(run, { session: "s", patches: [] })
  draw(run, { kind: "action", name: "freeze", label: "Compare", text: "", default: "", patch: {}, freeze: ["k", "m"] })
  controlOf("freeze").element.children[0].onclick()
  assert.equal(new URLSearchParams(location.search).get("compare"), "example=lab&k=5")
})
