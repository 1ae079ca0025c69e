// Colours of numbers.

import assert from "node:assert/strict"
import test from "node:test"
import { colours, luminance, shade, textHueOf } from "../../dashboard/static/picture/theme.js"

const PALETTE = { light: ["#000000", "#ff0000", "#ffffff"], dark: ["#ffffff", "#000000"] }
const LIGHT = colours(PALETTE, { dark: false })

test("a palette has 256 colours, from its first stop to its last", () => {
  assert.equal(LIGHT.length, 256)
  assert.deepEqual(LIGHT[0].rgb, [0, 0, 0])
  assert.deepEqual(LIGHT[255].rgb, [255, 255, 255])
  assert.equal(LIGHT[255].css, "rgb(255,255,255)")
})

test("between two stops the colours are evenly spaced", () => {
  for (const [index, { rgb }] of LIGHT.slice(0, 128).entries()) assert.deepEqual(rgb, [Math.round(2 * index), 0, 0])
})

test("the dark theme has colours of its own", () => {
  assert.deepEqual(colours(PALETTE, { dark: true })[0].rgb, [255, 255, 255])
})

test("a number on a colour is black or white, whichever has more contrast", () => {
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  for (const { rgb, number } of LIGHT) {
    const own = luminance(rgb)
    const [black, white] = [contrast(own, 0), contrast(own, 1)]
    assert.ok(Math.abs(black - white) < 0.2 || (number === "#000000") === black > white, `${rgb}`)
  }
})

test("a value has the colour of its place between the ends, and beyond them that of the end", () => {
  assert.equal(shade(LIGHT, -3, -3, 3), LIGHT[0])
  assert.equal(shade(LIGHT, 3, -3, 3), LIGHT[255])
  assert.equal(shade(LIGHT, 0, -3, 3), LIGHT[128])
  assert.equal(shade(LIGHT, -1e300, -3, 3), LIGHT[0])
  assert.equal(shade(LIGHT, Infinity, -3, 3), LIGHT[255])
})

// As in drawing/scales.py.
const HUES = [["#0042c7", "#6b96e6"], ["#a86200", "#ff6a33"], ["#228754", "#2ee59d"], ["#945cc1", "#965eff"], ["#015751", "#20fde0"], ["#0c77bf", "#29bcfe"]]
for (const { dark, paper, frame } of [{ dark: false, paper: "#ffffff", frame: 242 }, { dark: true, paper: "#0e1117", frame: 27 }]) {
  test(`in the ${dark ? "dark" : "light"} theme the names of gates can be read`, () => {
    for (const [light, other] of HUES) {
      const rgb = textHueOf({ dark, paper, text: "" }, { light, dark: other }).match(/\d+/g).map(Number)
      const [high, low] = [luminance(rgb), luminance([frame, frame, frame])].sort((a, b) => b - a)
      assert.ok((high + 0.05) / (low + 0.05) >= 4.5, `${rgb}`)
    }
  })
}

test("black has luminance 0 and white 1", () => {
  assert.equal(luminance([0, 0, 0]), 0)
  assert.ok(Math.abs(luminance([255, 255, 255]) - 1) < 1e-9)
})
