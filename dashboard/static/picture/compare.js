// What differs between A, which is frozen, and B beside it: the numbers that are printed with other digits.

import { numbersAt } from "./arrays.js"
import { number } from "./text.js"

// From this width of the picture on they stand side by side, in pixels; else B stands below A.
const SIDE_BY_SIDE = 760
const BETWEEN = 24

export function isSideBySide({ data, width }) {
  return width >= SIDE_BY_SIDE && data.panels.some(({ side }) => side)
}

export function widthOf(picture, { panel }) {
  return isSideBySide(picture) && panel.side ? Math.floor((picture.width - BETWEEN) / 2) : picture.width
}

// Each matrix of B knows the one of A that has its name and its shape.
export function pair(blocks, others) {
  for (const block of blocks) {
    const named = others.filter(({ symbol }) => symbol === block.symbol)
    block.against = named.find(({ shape }) => shape === block.shape)
    block.reshaped = named.length > 0 && !block.against
  }
}

// The places of the numbers that differ.
export function differing(block, step, decimals) {
  const [here, there] = [numbersAt(block, step), numbersAt(block.against, step)]
  const differs = (value, index) => value !== there[index] && number(value, decimals) !== number(there[index], decimals)
  return Array.from(here, (value, index) => (differs(value, index) ? index : -1)).filter((index) => index >= 0)
}

// How many differ of some matrices, and where most; `nameOf` says what an entry is called.
export function told(blocks, step, decimals, nameOf) {
  const compared = blocks.filter(({ against }) => against)
  const total = compared.reduce((sum, { numbers }) => sum + numbers.length, 0)
  let [count, largest, where] = [0, 0, ""]
  for (const block of compared) {
    const [here, there] = [numbersAt(block, step), numbersAt(block.against, step)]
    for (const index of differing(block, step, decimals)) {
      count++
      const difference = Math.abs(here[index] - there[index])
      if (difference > largest) {
        largest = difference
        where = `${nameOf(block, index)}: ${number(there[index], decimals)} in A, ${number(here[index], decimals)} in B`
      }
    }
  }
  const others = [...new Set(blocks.filter(({ reshaped }) => reshaped).map(({ symbol }) => symbol))]
  return [
    total && `${count} of ${total} numbers differ${where ? `; the largest difference is in ${where}` : ""}.`,
    others.length && `Of another shape in A: ${others.join(", ")}.`,
  ].filter(Boolean).join(" ")
}
