// The numbers of an item, as they travel and at each step of the scrub.

// Base64 of float32, if single, or of float64.
export function floats(text, single) {
  const { buffer } = fromBase64(text)
  return single ? new Float32Array(buffer) : new Float64Array(buffer)
}

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text)
  const chars = atob(text)
  const bytes = new Uint8Array(chars.length)
  for (let index = 0; index < chars.length; index++) bytes[index] = chars.charCodeAt(index)
  return bytes
}

// What has no frames is the same at every step.
export function numbersAt({ numbers, frames }, step) {
  return frames ? frames.subarray(step * numbers.length, (step + 1) * numbers.length) : numbers
}
