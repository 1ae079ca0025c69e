// @ts-check
// The kinds of controls as native elements: a slider, a number, a list, radio buttons, a switch, a text, a button and a note.

import { make } from "../elements.js"
import * as correction from "./correction.js"
import { change, choose, commit, commitSoon, controlOf, holdSlider, pendingText, setPending, takePending } from "./pending_values.js"
import * as url from "./url.js"

/**
 * @import {
 *   ActionControl, Changes, Control, DrawnControl, Maker, NumberControl, SegmentsControl, SelectControl, Show, SliderControl,
 *   TextControl, ToggleControl,
 * } from "../types.js"
 */

const LONGEST_WORD = 60 // characters: a longer text is a sentence
/** @type {Record<Control["kind"], Maker>} */
export const KINDS = { slider, number, select, segments, toggle, text, action, note }

/** @type {(control: DrawnControl, input: HTMLElement) => void} */
function setLabel({ given }, input) {
  Object.assign(input, { ariaLabel: given.label, ariaDescription: given.help ?? "" })
}

// Adds the visible label, and returns the function that updates it.
/** @type {(control: DrawnControl) => () => void} */
function addCaption(control) {
  const label = make("span", { ariaHidden: "true" }) // the input has the label as its name
  control.element.append(label)
  let shown = ""
  return () => {
    if (control.given.label === shown) return
    shown = control.given.label
    label.replaceChildren(...withSubscripts(shown))
  }
}

// The subscripts of Unicode, such as those of hₜ₋₁, are too small to read, and it has none for b_f.
/** @type {(label: string) => (string | HTMLElement)[]} */
function withSubscripts(label) {
  const parts = label.split(/([\u2080-\u209c]+|_[a-z]\b)/)
  return parts.map((part, index) => (index % 2 ? make("sub", { textContent: part.replace("_", "").normalize("NFKC") }) : part))
}

/** @type {(control: DrawnControl<SliderControl>) => Show} */
function slider(control) {
  const updateCaption = addCaption(control)
  const field = fieldOf(control)
  const range = control.element.appendChild(make("input", {
    type: "range",
    oninput: () => {
      set(textAt(control.given, Number(range.value)))
      setPending(control.name, control.text)
    },
    // After another button the menu of the browser may swallow the release.
    onpointerdown: ({ button, pointerId }) => { if (!button) holdSlider(control.name, pointerId) },
    onchange: commitSoon,
  }))
  const set = (/** @type {string} */ text) => {
    control.text = text
    const { options } = control.given
    range.value = options ? String(options.indexOf(text)) : text
    range.ariaValueText = text
    if (field.value !== text) field.value = text
  }
  control.set = set
  return () => {
    const { low, high, step, options } = control.given
    const [min, max, by] = (options ? [0, options.length - 1, 1] : [low, high, step]).map(String)
    Object.assign(range, { min, max, step: by })
    setLabel(control, range)
    updateCaption()
    setBounds(control, field)
    if (!control.isTyped) set(control.text) // a pending value may have been beyond the end of the slider
  }
}

/** @type {(control: DrawnControl<NumberControl>) => Show} */
function number(control) {
  const updateCaption = addCaption(control)
  const field = fieldOf(control)
  control.set = (text) => {
    control.text = text
    if (field.value !== text) field.value = text
  }
  return () => {
    updateCaption()
    setBounds(control, field)
    field.placeholder = control.given.placeholder ?? ""
    field.disabled = Boolean(control.given.disabled)
    if (!control.isTyped) control.set(control.text)
  }
}

/** @type {(control: DrawnControl<SliderControl | NumberControl>, field: HTMLInputElement) => void} */
function setBounds(control, field) {
  const { smallest, largest, whole } = control.given
  Object.assign(field, { min: String(smallest), max: String(largest), step: whole ? "1" : "any" })
  setLabel(control, field)
}

// A number field: the picture follows while you type. Enter, Tab and a click elsewhere write the URL.
/** @type {(control: DrawnControl<SliderControl> | DrawnControl<NumberControl>) => HTMLInputElement} */
function fieldOf(control) {
  const field = control.element.appendChild(make("input", { type: "number", inputMode: "decimal" }))
  const place = correction.place()
  control.element.prepend(place)
  // Ends the typing with an allowed number.
  const finish = () => {
    if (!control.isTyped) return
    control.isTyped = false
    const isEmpty = field.value === ""
    const isOptional = control.given.kind === "number" && control.given.optional
    const text = isEmpty ? (isOptional ? "" : control.text) : nearestAllowed(control.given, field.value)
    correction.explain(place, control.given, field.value, text)
    control.set(text)
    setPending(control.name, text || null) // an empty field has no text in the URL, whatever the default
  }
  Object.assign(field, {
    oninput: () => {
      control.isTyped = true
      if (field.value !== "" && field.checkValidity()) setPending(control.name, nearestAllowed(control.given, field.value))
    },
    onchange: () => {
      finish()
      commitSoon()
    },
    // The change event comes later than this one.
    onkeydown: (/** @type {KeyboardEvent} */ { key }) => {
      if (key !== "Enter") return
      finish()
      commit()
    },
    onblur: () => {
      control.isTyped = false
      if (pendingText(control.name) === undefined) control.set(control.text)
      commit()
    },
  })
  return field
}

/** @type {(given: SliderControl, value: number) => string} */
function textAt({ options }, value) {
  return options ? options[value] : String(Number(value.toFixed(6)))
}

// Returns the allowed value that is nearest to the text of a field.
/** @type {(given: SliderControl | NumberControl, text: string) => string} */
function nearestAllowed({ smallest, largest, whole, options }, text) {
  const value = Math.min(largest, Math.max(smallest, Number(text)))
  if (!options) return String(whole ? Math.round(value) : value)
  const off = (/** @type {string} */ option) => Math.abs(Number(option) - value)
  return options.reduce((best, option) => (off(option) < off(best) ? option : best))
}

/** @type {(control: DrawnControl<SelectControl>) => Show} */
function select(control) {
  const updateCaption = addCaption(control)
  let listed = ""
  const box = control.element.appendChild(make("select", {
    onchange: () => {
      const option = control.given.options[box.selectedIndex]
      control.text = option.value
      if (option.patch) change(option.patch, { entry: true })
      else choose(control.name, option.value)
    },
  }))
  return () => {
    updateCaption()
    setLabel(control, box)
    const { options } = control.given
    const labels = options.map(({ label }) => label).join("\n")
    if (listed !== labels) box.replaceChildren(...options.map(({ label, value }) => make("option", { textContent: label, value })))
    listed = labels
    box.selectedIndex = options.findIndex(({ value }) => value === control.text)
  }
}

/** @type {(control: DrawnControl<SegmentsControl>) => Show} */
function segments(control) {
  const updateCaption = addCaption(control)
  const group = control.element.appendChild(make("div", { role: "radiogroup", className: "radios" }))
  /** @type {ReturnType<typeof addRadio>[]} */
  const radios = []
  return () => {
    updateCaption()
    setLabel(control, group)
    control.element.classList.toggle("is-bare", Boolean(control.given.bare))
    group.classList.toggle("cards", Boolean(control.given.cards))
    const { options } = control.given
    for (const { element } of radios.splice(options.length)) element.remove()
    options.forEach(({ value, label, patch }, index) => {
      const { input, text } = (radios[index] ??= addRadio(group, control.name))
      text.textContent = label
      input.onchange = () => {
        control.text = value
        choose(control.name, value, patch)
      }
      input.checked = value === control.text
    })
  }
}

/** @type {(group: HTMLElement, name: string) => { element: HTMLElement, input: HTMLInputElement, text: HTMLElement }} */
function addRadio(group, name) {
  const element = group.appendChild(make("label", {}))
  const input = element.appendChild(make("input", { type: "radio", name }))
  return { element, input, text: element.appendChild(make("span", {})) }
}

/** @type {(control: DrawnControl<ToggleControl>) => Show} */
function toggle(control) {
  const label = control.element.appendChild(make("label", {}))
  const input = label.appendChild(make("input", { type: "checkbox", role: "switch" }))
  const text = label.appendChild(make("span", {}))
  input.onchange = () => {
    control.text = String(input.checked)
    choose(control.name, control.text)
  }
  return () => {
    text.textContent = control.given.label
    input.ariaDescription = control.given.help ?? ""
    input.disabled = Boolean(control.given.disabled)
    input.checked = control.text === "true"
  }
}

/** @type {(control: DrawnControl<TextControl>) => Show} */
function text(control) {
  const updateCaption = addCaption(control)
  const field = control.element.appendChild(make("input", { type: "text" }))
  const place = correction.place()
  control.element.prepend(place)
  field.oninput = () => { control.isTyped = true }
  field.onblur = () => { control.isTyped = false }
  field.onchange = () => {
    control.isTyped = false
    if (control.given.rule && !field.checkValidity()) {
      correction.refuse(place, field.value, control.given.rule)
      field.value = control.text
      return
    }
    control.text = field.value
    // Each distinct character of a word needs its own entry of x_t.
    const { fits } = control.given
    const size = fits && controlOf(fits)?.text
    const needed = new Set(field.value).size
    choose(control.name, field.value, fits && needed > Number(size) ? { [fits]: String(needed) } : {})
  }
  return () => {
    updateCaption()
    setLabel(control, field)
    field.maxLength = control.given.longest
    if (control.given.pattern) field.pattern = control.given.pattern
    field.classList.toggle("long", field.maxLength > LONGEST_WORD)
    if (!control.isTyped && field.value !== control.text) field.value = control.text
  }
}

// A button that changes settings.
/** @type {(control: DrawnControl<ActionControl>) => Show} */
function action(control) {
  const button = control.element.appendChild(make("button", { type: "button" }))
  button.onclick = () => {
    const { patch, freeze, entry = true } = control.given
    const changed = takePending()
    change({ ...changed, ...(freeze ? { compare: frozen(changed, freeze) } : patch) }, { entry })
  }
  const onKey = (/** @type {KeyboardEvent} */ { key, defaultPrevented }) => {
    if (!button.isConnected) removeEventListener("keydown", onKey)
    else if (key === control.given.shortcut && !defaultPrevented) button.click()
  }
  if (control.given.shortcut) addEventListener("keydown", onKey)
  return () => {
    const { label, help, disabled, pressed } = control.given
    button.textContent = label
    Object.assign(button, { ariaDescription: help ?? "", disabled: Boolean(disabled) })
    if (pressed === undefined) button.removeAttribute("aria-expanded")
    else button.ariaExpanded = String(pressed)
  }
}

// Returns the text of `compare` that freezes the current settings.
/** @type {(changed: Changes, names: string[]) => string} */
function frozen(changed, names) {
  const pairs = [...new URLSearchParams(url.query(changed))].filter(([name]) => names.includes(name))
  return new URLSearchParams([["example", url.example()], ...pairs]).toString()
}

/** @type {(control: DrawnControl) => Show} */
function note(control) {
  return () => control.element.replaceChildren(...withSubscripts(control.given.label))
}
