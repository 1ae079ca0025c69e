// Numbers and names as they are written.

// The same rule as `number` in numerals.py; a power of ten may have fewer decimals where there is little room.
export function number(value, decimals, mantissa = decimals) {
  const size = Math.abs(value)
  let text
  if (Number.isInteger(value) && size < 1e6) text = String(value)
  else if (size <= 0.5 * 10 ** -decimals || size >= 1e6) {
    text = value.toExponential(mantissa).replace("e+", "e")
  } else text = value.toFixed(decimals)
  return text.replaceAll("-", "−")
}

// Symbols are written as in the equations, W_h and W_{hh}: the subscript is what follows the line. A line
// within a word is only a line, and so are two lines together.
export function pieces(text) {
  const found = text.matchAll(/_(_)|_\{([^}]*)\}|_([A-Za-z0-9])(?![A-Za-z0-9])|([^_]+|_)/g)
  return [...found].map(([, line, braced, single, plain]) => ({
    text: line ?? braced ?? single ?? plain,
    low: (braced ?? single) !== undefined,
  }))
}

// What the entry is called, such as "unit 2" or "x 3"; of a mean, all the entries that are in it.
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
}
