// @ts-check
// The numbers of an item, as they travel and at each step of the playback slider.

/** @import { Numbers, Stepped } from "../types.js" */

// Base64 of float32, if single, or of float64.
/** @type {(text: string, single: boolean) => Numbers} */
export function floats(text, single) {
  const { buffer } = fromBase64(text)
  return single ? new Float32Array(buffer) : new Float64Array(buffer)
}

// Newer browsers decode it themselves.
const Bytes = /** @type {typeof Uint8Array & { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }} */ (Uint8Array)

/** @type {(text: string) => Uint8Array<ArrayBuffer>} */
function fromBase64(text) {
  if (Bytes.fromBase64) return Bytes.fromBase64(text)
  const chars = atob(text)
  const bytes = new Uint8Array(chars.length)
  for (let index = 0; index < chars.length; index++) bytes[index] = chars.charCodeAt(index)
  return bytes
}

// Returns the numbers at a step. An item without frames has the same numbers at every step.
/** @type {(item: Stepped, step: number) => Numbers} */
export function numbersAt({ numbers, frames }, step) {
  return frames ? frames.subarray(step * numbers.length, (step + 1) * numbers.length) : numbers
}

/** @type {(numbers: Numbers) => number} */
export function mean(numbers) {
  let sum = 0
  for (const value of numbers) sum += value
  return sum / numbers.length
}
