// Which panels are closed, and what leads to them.

import assert from "node:assert/strict"
import test from "node:test"
import { anchor, anchors, begun, isClosed } from "../../dashboard/static/picture/panels.js"

const panel = (title, folded) => ({ title, folded })

test("the link to a panel stays the same while a number in its title changes", () => {
  assert.equal(anchor(panel("Unit 1 by hand")), "unit-by-hand")
  assert.equal(anchor(panel("Unit 12 by hand")), "unit-by-hand")
})

test("a link with the title of an earlier version leads to its panel", () => {
  assert.deepEqual(anchors(panel("Other values over time")), ["other-values-over-time", "pre-activations-and-terms-over-time", "every-symbol-over-time"])
  assert.deepEqual(anchors(panel("Cell and hidden state")), ["cell-and-hidden-state", "the-cell"])
  assert.deepEqual(anchors(panel("Input and state over time")), ["input-and-state-over-time", "step-of"])
  assert.deepEqual(anchors(panel("Unit 1 by hand")), ["unit-by-hand"])
  assert.deepEqual(anchors(panel("Worked example: Keep or replace")), ["worked-example-keep-or-replace", "worked-example-before-your-changes-keep-or-replace"])
  assert.deepEqual(anchors(panel("Worked example: Twelve units on the curve")), [
    "worked-example-twelve-units-on-the-curve",
    "worked-example-before-your-changes-z-spread-over-the-curve",
    "worked-example-before-your-changes-twelve-units-on-the-curve",
  ])
})

test("a folded panel is closed until it is opened, and open on paper", () => {
  const picture = { opened: new Set(), isPrinted: false }
  assert.equal(isClosed(picture, panel("Unit 1 by hand", true)), true)
  assert.equal(isClosed(picture, panel("Unit 1 by hand", false)), false)
  assert.equal(isClosed({ ...picture, isPrinted: true }, panel("Unit 1 by hand", true)), false)
  assert.equal(isClosed({ ...picture, opened: new Set(["unit-by-hand"]) }, panel("Unit 2 by hand", true)), false)
})

for (const [tops, current] of [
  [[250, 700, 1500], 0],
  [[100, 300, 1500], 1],
  [[-900, -100, 440], 2],
  [[-100, 800, 1500], 0],
  [[450, 1000, 1500], 0],
  [[650, 1000, 1500], -1],
  [[1900, 2000, 2500], -1],
]) {
  test(`of panels at ${tops} in a window of 900 pixels, number ${current} is the current one`, () => assert.equal(begun(tops, 200, 900), current))
}
