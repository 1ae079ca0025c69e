// The sentence on the numbers that differ between A and B.

import assert from "node:assert/strict"
import test from "node:test"

import { describeDifferences } from "../../dashboard/static/picture/compare.js"

const block = (...numbers) => ({ numbers: new Float64Array(numbers), against: { numbers: new Float64Array([1, 2, 3]) } })

for (const [numbers, sentence] of [
  [[1, 2, 3], "0 of 3 numbers differ."],
  [[1, 2, 5], "1 of 3 numbers differs, in entry 2: 3 in A, 5 in B."],
  [[2, 2, 5], "2 of 3 numbers differ; the largest difference is in entry 2: 3 in A, 5 in B."],
]) {
  test(`a comparison says: ${sentence}`, () => {
    assert.equal(describeDifferences([block(...numbers)], 0, 2, (_, index) => `entry ${index}`), sentence)
  })
}
