// Numbers as they are written: the same table of cases holds for core/number_format.py.

import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import test from "node:test"
import { exactly, number } from "../../dashboard/static/picture/number_format.js"

const CASES = JSON.parse(readFileSync(new URL("../number_format_cases.json", import.meta.url), "utf-8"))

for (const [value, decimals, text] of CASES) {
  test(`${value} with ${decimals} decimals is ${text}`, () => assert.equal(number(value, decimals), text))
}

test("a power of ten may have fewer decimals than other numbers", () => {
  assert.equal(number(1234567.8, 2, 1), "1.2e6")
  assert.equal(number(0.0012, 2, 0), "1e−3")
  assert.equal(number(1.5, 2, 0), "1.50")
})

test("all digits of a number are those that travelled", () => {
  assert.equal(exactly(-0.1, false), "−0.1")
  assert.equal(exactly(Math.fround(0.1), true), "0.1")
  assert.equal(exactly(1 / 3, false), "0.3333333333333333")
  assert.equal(exactly(-1e-9, false), "−1e−9")
})
