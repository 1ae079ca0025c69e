// @ts-check
// Shows below a field why it does not take what is typed.

import { make } from "../elements.js"

/** @import { Correction, NumberControl, SliderControl } from "../types.js" */

/** @type {Record<Correction, string> | null} */
let sentences = null
/** @type {HTMLElement | null} */
let shown = null // one at a time

// Stores the sentences of the server, with places for the typed number and for the one that is taken.
/** @type {(given: Record<Correction, string>) => void} */
export function setSentences(given) {
  sentences = given
}

// Returns the element for the sentence of a control. A screen reader reads a change of it.
/** @type {() => HTMLElement} */
export function place() {
  return make("span", { className: "corrected", role: "status" })
}

// Shows at a place why the field takes `text`, if it is not the typed number.
/** @type {(place: HTMLElement, given: SliderControl | NumberControl, typed: string, text: string) => void} */
export function explain(place, given, typed, text) {
  const reason = corrected(given, typed, text)
  if (reason) show(place, reason, typed, text, reason === "largest" ? given.limit : "")
}

// Shows at a place that the field does not take the typed text, and its rule.
/** @type {(place: HTMLElement, typed: string, rule: string) => void} */
export function refuse(place, typed, rule) {
  show(place, "shape", typed, rule)
}

/** @type {(place: HTMLElement, reason: Correction, typed: string, value: string, limit?: string) => void} */
function show(place, reason, typed, value, limit = "") {
  if (!sentences) return
  place.textContent = [sentences[reason].replace("{typed}", () => typed).replace("{value}", () => value), limit].filter(Boolean).join(" ")
  // The sentence can be wider than its control, which may stand at the edge of a phone.
  place.style.left = ""
  const beyond = place.getBoundingClientRect().right - document.documentElement.clientWidth
  if (beyond > 0) place.style.left = `${-Math.ceil(beyond)}px`
  shown = place
}

// In the capture phase: the sentence goes with whatever the reader does next.
for (const next of ["pointerdown", "input"]) {
  addEventListener(next, () => {
    if (shown) shown.textContent = ""
    shown = null
  }, true)
}

// Returns why a field takes another number than the typed one, or null if it does not. What is no number is typed as "".
/** @type {(given: Pick<SliderControl, "smallest" | "largest" | "whole">, typed: string, text: string) => Correction | null} */
export function corrected({ smallest, largest, whole }, typed, text) {
  if (typed === "") return text === "" ? null : "number"
  const value = Number(typed)
  if (value === Number(text)) return null
  if (value < smallest) return "smallest"
  if (value > largest) return "largest"
  return whole ? "whole" : "nearest"
}
