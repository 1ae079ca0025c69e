// @ts-check
// Finds the numbers that are printed with other digits in B than in the frozen A.

import { numbersAt } from "./arrays.js"
import { number } from "./number_format.js"

/** @import { Block, Picture, Section } from "../types.js" */

// From this width of the picture on they stand side by side, in pixels; else B stands below A.
const SIDE_BY_SIDE = 760

/** @type {(picture: Picture) => boolean} */
export function isSideBySide({ data, width }) {
  return width >= SIDE_BY_SIDE && data.panels.some(({ side }) => side)
}

// Returns the panel of B for one of A, and the other way round.
/** @type {(picture: Pick<Picture, "sections">, section: Section) => Section | undefined} */
export function otherSide({ sections }, section) {
  const at = sections.indexOf(section)
  const [before, after] = [sections[at - 1], sections[at + 1]]
  if (section.panel.side === "B") return before?.panel.side === "A" ? before : undefined
  return section.panel.side === "A" && after?.panel.side === "B" ? after : undefined
}

// Each matrix of B knows the one of A that has its name and its shape.
/** @type {(blocks: Block[], others: Block[]) => void} */
export function pair(blocks, others) {
  for (const block of blocks) {
    const named = others.filter(({ symbol }) => symbol === block.symbol)
    block.against = named.find(({ shape }) => shape === block.shape)
    block.reshaped = named.length > 0 && !block.against
  }
}

// The places of the numbers that differ.
/** @type {(block: Block, against: Block, step: number, decimals: number) => number[]} */
export function differing(block, against, step, decimals) {
  const [here, there] = [numbersAt(block, step), numbersAt(against, step)]
  const differs = (/** @type {number} */ value, /** @type {number} */ index) => value !== there[index] && number(value, decimals) !== number(there[index], decimals)
  return Array.from(here, (value, index) => (differs(value, index) ? index : -1)).filter((index) => index >= 0)
}

// Returns a sentence: how many numbers of some matrices differ, and which one most. `nameOf` returns the name of an entry.
/** @type {(blocks: Block[], step: number, decimals: number, nameOf: (block: Block, index: number) => string) => string} */
export function describeDifferences(blocks, step, decimals, nameOf) {
  let [total, count, largest, where] = [0, 0, 0, ""]
  for (const block of blocks) {
    if (!block.against) continue
    total += block.numbers.length
    const [here, there] = [numbersAt(block, step), numbersAt(block.against, step)]
    for (const index of differing(block, block.against, step, decimals)) {
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
    total && counted(count, total, where),
    others.length && `Different shape in A: ${others.join(", ")}.`,
  ].filter(Boolean).join(" ")
}

/** @type {(count: number, total: number, where: string) => string} */
function counted(count, total, where) {
  if (!where) return `${count} of ${total} numbers differ.`
  if (count === 1) return `1 of ${total} numbers differs, in ${where}.`
  return `${count} of ${total} numbers differ; the largest difference is in ${where}.`
}
