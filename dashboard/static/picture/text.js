// @ts-check
// Names as they are written.

/** @import { AxisPart } from "../types.js" */

// Symbols are written as in the equations, W_h and W_{hh}: the subscript is what follows the line. A line
// within a word is only a line, and so are two lines together.
/** @type {(text: string) => { text: string, low: boolean }[]} */
export function pieces(text) {
  const found = text.matchAll(/_(_)|_\{([^}]*)\}|_([A-Za-z0-9])(?![A-Za-z0-9])|([^_]+|_)/g)
  return [...found].map(([, line, braced, single, plain]) => ({
    text: line ?? braced ?? single ?? plain,
    low: (braced ?? single) !== undefined,
  }))
}

// Returns a text in which no line ends within a value: not at its "=", and not before the number of a unit, a step, a layer or a row.
/** @type {(text: string) => string} */
export function unbroken(text) {
  return text.replace(/ ([=≠≈<>≤≥]) /g, "\u00a0$1\u00a0").replace(/\b([Uu]nits?|[Ss]teps?|[Ll]ayers?|[Rr]ows?) (?=\d)/g, "$1\u00a0")
}

const VARIABLE = /(?<![\p{L}\p{M}])\p{L}\p{M}*(?![\p{L}\p{M}])/gu
const LOW_VARIABLE = /(?<!\p{L})\p{L}{1,2}(?!\p{L})/gu

// The pieces of a name in a drawing. As in formulas, variables are slanted: a letter by itself, or one or two in a subscript, as in
// W_{hh}. Words, functions and numbers are upright.
/** @type {(name: string) => { text: string, low: boolean, isVariable: boolean }[]} */
export function letters(name) {
  return pieces(name).flatMap(({ text, low }) => {
    const parts = []
    let end = 0
    for (const { 0: letter, index } of text.matchAll(low ? LOW_VARIABLE : VARIABLE)) {
      if (index > end) parts.push({ text: text.slice(end, index), low, isVariable: false })
      parts.push({ text: letter, low, isVariable: true })
      end = index + letter.length
    }
    return end < text.length ? [...parts, { text: text.slice(end), low, isVariable: false }] : parts
  })
}

// Returns the name of an entry, such as "unit 2" or "x 3", or of all entries of a mean.
/** @type {(parts: AxisPart[], edges: number[], index: number) => string} */
export function entry(parts, edges, index) {
  const [from, to] = [edges[index], edges[index + 1]]
  let start = 0
  for (const { name, size } of parts) {
    if (!name) return ""
    if (from < start + size) {
      const first = from - start + 1
      return `${name} ${first}${to - from > 1 ? ` to ${to - start}` : ""}`
    }
    start += size
  }
  return ""
}
