// @ts-check
// The digits that are printed in a matrix: as many as fit.

import { numbersAt } from "./arrays.js"
import { number, rounded } from "./number_format.js"

/** @import { Block, BlockPlace, Ink, Place, Print } from "../types.js" */

export const SMALLEST_PRINTED = 12
const OUTLINE = 1.5 // the room that the outline of an entry takes from its number, beside that of every number
// A finger cannot hover.
const POINT = globalThis.matchMedia?.("(hover: none)").matches ? "tap" : "hover over"
const NO_NUMBERS = `To see a number, ${POINT} its entry.`
const NO_ROOM = `Not all numbers fit: ${POINT} an entry.`
const ROUNDED = `Some numbers are rounded to fit: ${POINT} an entry.`
export const LONGEST_NOTE = ROUNDED // of all

// Prints all numbers of each matrix or none, because a half-printed matrix reads as a message. The matrices of a panel have digits of
// one size. In a comparison, A and B print a matrix with the same digits: `others` are the places of the other side. Returns a note for
// the reader.
/** @type {(ink: Ink, places: Place[], step: number, decimals: number, others?: Place[]) => string} */
export function print(ink, places, step, decimals, others = []) {
  const matrices = places.filter(hasNumbers)
  const all = [...matrices, ...others.filter(hasNumbers)]
  const pairsOf = (/** @type {BlockPlace} */ place) => (others.length ? all.filter(({ item }) => inA(item) === inA(place.item)) : [place])
  for (const place of all) {
    const pair = pairsOf(place)
    place.print = fittingPlaces(ink, pair, step, decimals) ?? (pair.length > 1 ? fittingPlaces(ink, [place], step, decimals) : null)
  }
  const printed = all.filter(({ print }) => print)
  // In a diagram a long vector has lower entries than the others, and smaller digits.
  for (const place of printed) {
    const { print, bare, cell } = place
    const group = bare ? printed.filter((other) => other.bare && other.cell === cell) : printed.filter((other) => !other.bare)
    if (!print) continue
    print.font = Math.min(...group.flatMap(({ print }) => print?.font ?? []))
    print.short = [...group, ...pairsOf(place)].some(({ print }) => print?.short) // .80 beside 0.94 would look like another kind of number
  }
  const missing = matrices.filter(({ print }) => !print).length
  if (missing) return missing === matrices.length ? NO_NUMBERS : NO_ROOM
  return matrices.some((place) => isRounded(place, step, decimals)) ? ROUNDED : ""
}

/** @type {(place: Place) => place is BlockPlace} */
function hasNumbers(place) {
  return place.item.kind === "block" && !place.item.mean && !place.item.single
}

/** @type {(item: Block) => Block} */
function inA(item) {
  return item.against ?? item
}

// Returns how the numbers of some places are printed alike, or null if they do not fit into one of them.
/** @type {(ink: Ink, places: BlockPlace[], step: number, decimals: number) => Print | null} */
function fittingPlaces(ink, places, step, decimals) {
  const cell = Math.min(...places.map(({ cell }) => cell))
  if (cell < SMALLEST_PRINTED) return null
  const across = Math.min(...places.map(({ across, item }) => across - (item.outlined ? OUTLINE : 0)))
  return fitting(ink, places.flatMap(({ item }) => known(item, step)), cell, wanted(places[0], decimals), across)
}

/** @type {(item: Block, step: number) => number[]} */
function known(item, step) {
  return Array.from(numbersAt(item, step)).filter((value) => !Number.isNaN(value))
}

/** @type {(place: BlockPlace, decimals: number) => number} */
function wanted({ item }, decimals) {
  return decimals + (item.more_decimals ?? 0)
}

/** @type {(place: BlockPlace, step: number, decimals: number) => boolean} */
function isRounded(place, step, decimals) {
  const { item, print } = place
  if (!print) return false
  return print.mantissa < wanted(place, decimals) || print.tight || (print.hasZeros && known(item, step).some((value) => isTiny(value, print.decimals)))
}

// Returns the largest font in which all numbers fit into a cell. If need be, numbers lose their 0 before the point. Next, a number with
// another digit there loses one decimal, as in .96 and −1.1. After that, all numbers lose decimals, first those of powers of ten if there
// are any. They lose all decimals only if the largest has two digits or more. Next to larger numbers, one that rounds to zero is printed
// as 0.00: with a power of ten it would make all of them small, and −0.00 looks like a mistake.
/** @type {(ink: Pick<Ink, "width">, numbers: ArrayLike<number>, cell: number, decimals: number, across?: number) => Print | null} */
export function fitting(ink, numbers, cell, decimals, across = cell) {
  const hasZeros = Array.prototype.some.call(numbers, (value) => value !== 0 && !isTiny(value, decimals))
  // Without a number below 1, one decimal fewer for all is the same.
  const isMixed = decimals > 1 && Array.prototype.some.call(numbers, (value) => value !== 0 && Math.abs(value) < 1)
  const forms = [{ short: false, tight: false }, { short: true, tight: false }, ...(isMixed ? [{ short: true, tight: true }] : [])]
  const ways = Array.from({ length: decimals + 1 }, (_, fewer) => decimals - fewer).flatMap((mantissa) => forms.map((form) => ({ mantissa, ...form })))
  for (const { mantissa, short, tight } of ways) {
    const texts = Array.from(numbers, (value) => textOf(value, { decimals, mantissa, hasZeros, short, tight }))
    // Digits are as wide as each other: with zeros in their place its width is mostly known already.
    const longest = texts.reduce((a, b) => (b.length > a.length ? b : a), "").replace(/\d/g, "0")
    const font = [14, 13, 12, 11, 10, 9].find((font) => ink.width(longest, font) <= across - 4 && font <= cell - 2.5)
    if (font) return { font, decimals, mantissa, hasZeros, short, tight }
    if (tight === isMixed && short && !longest.includes("e")) break
  }
  const least = Array.prototype.some.call(numbers, (value) => Math.abs(value) >= 100) ? 0 : 1
  return decimals > least ? fitting(ink, numbers, cell, decimals - 1, across) : null
}

/** @type {(value: number, decimals: number) => boolean} */
function isTiny(value, decimals) {
  return value !== 0 && Math.abs(value) <= 0.5 * 10 ** -decimals
}

/** @type {(value: number, print: Omit<Print, "font">) => string} */
export function textOf(value, { decimals, mantissa, hasZeros, short, tight }) {
  const text = hasZeros && isTiny(value, decimals) ? rounded(Math.abs(value), decimals) : number(value, decimals, mantissa)
  if (tight && /^−?[1-9]\d*\.\d+$/.test(text)) return rounded(value, decimals - 1)
  return short ? text.replace(/^(−?)0\./, "$1.") : text
}
