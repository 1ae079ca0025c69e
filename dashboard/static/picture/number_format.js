// @ts-check
// Numbers as they are written. core/number_format.py has the same rule, and tests/number_format_cases.json the cases in which both agree.
/** @import { Numbers } from "../types.js" */

// Whole numbers have no decimals. What would round to 0 without being 0 is shown by its power of ten, which may have fewer decimals
// (`mantissa`) where there is little room.
/** @type {(value: number, decimals: number, mantissa?: number) => string} */
export function number(value, decimals, mantissa = decimals) {
  const size = Math.abs(value)
  if (Number.isInteger(value) && size < 1e6) return signed(String(value))
  if (size > 0.5 * 10 ** -decimals && size < 1e6) return signed(value.toFixed(decimals))
  return signed(value.toExponential(mantissa).replace("e+", "e"))
}

// With so many decimals, also where nothing but zeros is left.
/** @type {(value: number, decimals: number) => string} */
export function rounded(value, decimals) {
  return signed(value.toFixed(decimals))
}

// With all digits. Those of a single-precision number beyond the sixth are not known.
/** @type {(value: number, isSingle: boolean) => string} */
export function exactly(value, isSingle) {
  return signed(String(isSingle ? Number(value.toPrecision(6)) : value))
}

// An entry of an array with so many decimals, or with all digits that are known: the number in a tooltip.
/** @type {(numbers: Numbers, index: number, decimals: number | null) => string} */
export function digits(numbers, index, decimals) {
  const isSingle = numbers instanceof Float32Array
  if (decimals === null) return exactly(numbers[index], isSingle)
  return number(isSingle ? Number(numbers[index].toPrecision(6)) : numbers[index], decimals)
}

/** @type {(text: string) => string} */
function signed(text) {
  return text.replaceAll("-", "−")
}
