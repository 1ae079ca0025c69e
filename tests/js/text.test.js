// Names as they are written.

import assert from "node:assert/strict"
import test from "node:test"
import { SvgContext } from "../../dashboard/static/interact/save_svg.js"
import { head } from "../../dashboard/static/picture/block.js"
import { drawName } from "../../dashboard/static/picture/theme.js"
import { entry, letters, pieces, unbroken } from "../../dashboard/static/picture/text.js"

const marked = (text) => pieces(text).map(({ text, low }) => (low ? `<${text}>` : text)).join("")

for (const [text, expected] of Object.entries({
  W_h: "W<h>",
  "W_{hh}h": "W<hh>h",
  "f_t∘c_{t−1}": "f<t>∘c<t−1>",
  proj_size: "proj_size",
  a__b: "a_b",
  a_: "a_",
  _: "_",
  "": "",
})) {
  test(`${text || "an empty text"} is written as ${expected}`, () => assert.equal(marked(text), expected))
}

for (const [text, expected] of Object.entries({
  "c_t = 1.88 and σ(2) ≈ 0.88": "c_t~=~1.88 and σ(2)~≈~0.88",
  "Unit 12 of layer 3, from step 30": "Unit~12 of layer~3, from step~30",
  "f = a·b + c·d = 3": "f~=~a·b + c·d~=~3",
  "units are rows, and 3 units": "units are rows, and 3 units",
  "h → 3": "h → 3",
})) {
  test(`no line ends within a value: ${text}`, () => assert.equal(unbroken(text), expected.replaceAll("~", "\u00a0")))
}

for (const [name, variables] of Object.entries({
  "W_{hh}h + b_h": "W hh h b h",
  "tanh(c_t)": "c t",
  "∂L_t/∂h_{t−1}": "L t h t",
  "f_t∘c_{t−1}": "f t c t",
  "σ(z)": "σ z",
  "c̃_t": "c̃ t",
  "log_{10} of the gain": "",
  "validation loss": "",
  "": "",
})) {
  test(`the variables of ${name || "an empty name"} are slanted`, () => {
    const parts = letters(name)
    assert.equal(parts.map(({ text }) => text).join(""), pieces(name).map(({ text }) => text).join(""))
    assert.equal(parts.filter(({ isVariable }) => isVariable).map(({ text }) => text).join(" "), variables)
  })
}

test("a file in SVG has the variables slanted", () => {
  const context = new SvgContext(100, 100)
  const brush = { look: { font: "f", text: "#111111" }, widths: new Map(), width: () => 5, context }
  drawName(brush, "tanh(c_t)", 0, 20)
  const slanted = [...context.toString().matchAll(/font-style="italic">([^<]*)</g)].map(([, text]) => text)
  assert.deepEqual(slanted, ["c", "t"])
})

test("an entry is called by its part and its number in the part", () => {
  const parts = [{ name: "h", size: 2, label: "h_{t−1}" }, { name: "x", size: 3, label: "x_t" }]
  const edges = [0, 1, 2, 3, 4, 5]
  assert.deepEqual(edges.slice(1).map((_, index) => entry(parts, edges, index)), ["h 1", "h 2", "x 1", "x 2", "x 3"])
})

test("a mean is called by all the entries that are in it", () => {
  const parts = [{ name: "h", size: 3, label: "" }, { name: "", size: 2, label: "" }]
  assert.equal(entry(parts, [0, 2, 3, 5], 0), "h 1 to 2")
  assert.equal(entry(parts, [0, 2, 3, 5], 1), "h 3")
  assert.equal(entry(parts, [0, 2, 3, 5], 2), "")
})

test("the letters of a text stand above its columns and are legible, or there are none", () => {
  const drawn = (across, letters = [..."the cat sat"]) => {
    const context = new SvgContext(600, 100)
    const look = { font: "f", text: "#111111" }
    head({ context, look, zoom: 1 }, { x: 0, y: 40, across }, letters)
    const svg = context.toString()
    assert.ok([...svg.matchAll(/<text [^>]*font-size="([\d.]+)/g)].map(([, font]) => Number(font)).every((font) => font >= 10))
    return [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text).join("")
  }
  assert.equal(drawn(30), "the cat sat")
  assert.equal(drawn(6.5), "the cat sat")
  assert.equal(drawn(6), "")
  assert.equal(drawn(2), "")
  assert.equal(drawn(14, ["10", "2", "30"]), "10230")
  assert.equal(drawn(12, ["10", "2", "30"]), "")
})
