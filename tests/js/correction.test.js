// Why a field takes another number than the typed one.

import assert from "node:assert/strict"
import test from "node:test"

globalThis.addEventListener ??= () => {}
globalThis.document ??= { documentElement: { clientWidth: 1000 } }
const { corrected, explain, setSentences } = await import("../../dashboard/static/controls/correction.js")

const size = { smallest: 1, largest: 512, whole: true }
const scale = { smallest: 0.01, largest: 100, whole: false }

test("a number that is taken as it is needs no word", () => {
  for (const typed of ["1", "512", "3.0", "007"]) assert.equal(corrected(size, typed, String(Number(typed))), null)
  assert.equal(corrected(scale, "0.50", "0.5"), null)
})

test("a corrected number has one reason", () => {
  assert.equal(corrected(size, "3.5", "4"), "whole")
  assert.equal(corrected(size, "999", "512"), "largest")
  assert.equal(corrected(size, "0", "1"), "smallest")
  assert.equal(corrected(scale, "0.123", "0.12"), "nearest")
})

test("what is no number is said to be none, but an optional field may be empty", () => {
  assert.equal(corrected(size, "", "3"), "number")
  assert.equal(corrected(scale, "", ""), null)
})

test("a number beyond the largest one has the reason of this limit, and no other correction has it", () => {
  setSentences({ number: "", whole: "{typed} is not whole.", smallest: "", largest: "{typed} is above {value}.", nearest: "" })
  const place = { textContent: "", style: {}, getBoundingClientRect: () => ({ right: 10 }) }
  const limited = { ...size, limit: "It would take too long." }
  explain(place, limited, "999", "512")
  assert.equal(place.textContent, "999 is above 512. It would take too long.")
  explain(place, limited, "3.5", "4")
  assert.equal(place.textContent, "3.5 is not whole.")
  explain(place, size, "999", "512")
  assert.equal(place.textContent, "999 is above 512.")
})
