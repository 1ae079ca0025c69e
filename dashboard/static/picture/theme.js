// @ts-check
// Sizes, fonts and colours of the drawings, and names with subscripts.

import { letters } from "./text.js"

/** @import { Brush, Colour, Hue, Ink, Look, NameSizes, Palette } from "../types.js" */

// A name stands so far above its matrix that the frame of the selected unit does not cover a subscript. A line of names above others
// needs less. A tilde above a letter needs more.
export const NAME = { font: 15, low: 12, height: 23, apart: 8, line: 20, tilde: 3 }
export const SHAPE = { font: 14, height: 18 } // as large as the numbers
export const SMALL = { font: 12, height: 16 }
export const TITLE = { font: 13, low: 10 } // of an axis
export const GAP = 10
const READABLE = 4.5 // the least contrast of a text in WCAG 2
export const MARGIN = 2 // for the frames, which are drawn around the cells

// Widths of texts are the same on every canvas.
/** @type {CanvasRenderingContext2D | null} */
let ruler = null

/** @type {(text: string, font: string) => number} */
function measured(text, font) {
  ruler ??= contextOf(document.createElement("canvas"))
  ruler.font = font
  return ruler.measureText(text).width
}

/** @type {(canvas: HTMLCanvasElement) => CanvasRenderingContext2D} */
export function contextOf(canvas) {
  const context = canvas.getContext("2d")
  if (!context) throw new Error("This browser draws no canvas.")
  return context
}

// Returns the ink of a drawing: its largest width, the largest size of its entries, and the pixels of the page for each of its
// own pixels. A brush is an ink with a context.
/** @type {(look: Look, limit: number, largest: number, widths: Map<string, number>, zoom: number) => Ink} */
export function makeInk(look, limit, largest, widths, zoom) {
  const width = (/** @type {string} */ text, /** @type {number} */ size, isVariable = false) => {
    const font = fontOf(look, size, isVariable)
    return kept(widths, `${font} ${text}`, () => measured(text, font))
  }
  return { look, limit, largest, tall: Infinity, widths, zoom, width, alone: false }
}

/** @type {<T>(values: Map<string, T>, key: string, make: () => T) => T} */
function kept(values, key, make) {
  const before = values.get(key)
  if (before !== undefined) return before
  const value = make()
  values.set(key, value)
  return value
}

// Paper always has the light theme.
/** @type {(host: HTMLElement, isPrinted: boolean) => Look} */
export function theme(host, isPrinted) {
  const style = getComputedStyle(host)
  const paper = isPrinted ? "#ffffff" : style.getPropertyValue("--st-background-color")
  const dark = luminance(rgb(paper)) < 0.3
  return {
    dark,
    text: isPrinted ? "#000000" : style.color,
    accent: dark ? "#ff4fd0" : "#c2006b",
    outline: dark ? "#3ddc84" : "#007a3d",
    paper,
    font: style.fontFamily,
  }
}

/** @type {(look: Look, colour: Hue | null) => string} */
export function hueOf(look, colour) {
  return colour ? colour[look.dark ? "dark" : "light"] : look.text
}

// Returns the hue for a text on the frame of a cell: darker than for a line in the light theme, and lighter in the dark one, if need be.
/** @type {(look: Pick<Look, "dark" | "paper" | "text">, colour: Hue | null) => string} */
export function textHueOf(look, colour) {
  if (!colour) return look.text
  const hue = colour[look.dark ? "dark" : "light"]
  return kept(textHues, `${hue} ${look.paper}`, () => {
    const end = look.dark ? 255 : 0
    const towards = (/** @type {string} */ from, /** @type {number} */ part) => rgb(from).map((value) => Math.round(value + (end - value) * part))
    const frame = luminance(towards(look.paper, 0.05))
    const parts = Array.from({ length: 21 }, (_, step) => towards(hue, step / 20))
    return `rgb(${parts.find((part) => contrast(luminance(part), frame) >= READABLE) ?? look.text})`
  })
}

/** @type {Map<string, string>} */
const textHues = new Map()

/** @type {(a: number, b: number) => number} */
function contrast(a, b) {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** @type {(brush: Brush, font: number) => void} */
export function setFont({ context, look }, font) {
  context.font = fontOf(look, font, false)
}

/** @type {(ink: Ink, name: string, sizes?: NameSizes) => number} */
export function nameWidth(ink, name, sizes = NAME) {
  return kept(ink.widths, `${sizes.font} ${ink.look.font} ${name}`, () => {
    const widths = letters(name).map(({ text, low, isVariable }) => ink.width(text, sizeOf(low, sizes), isVariable))
    return widths.reduce((sum, width) => sum + width, 0)
  })
}

// Returns the room that a name needs above its matrix.
/** @type {(name: string) => number} */
export function headOf(name) {
  return NAME.height + (name.normalize("NFD").includes("\u0303") ? NAME.tilde : 0)
}

/** @type {(brush: Brush, name: string, x: number, y: number, sizes?: NameSizes, hue?: string) => void} */
export function drawName(ink, name, x, y, sizes = NAME, hue = ink.look.text) {
  const { context, look } = ink
  context.fillStyle = hue
  context.textAlign = "left"
  for (const { text, low, isVariable } of letters(name)) {
    const size = sizeOf(low, sizes)
    context.font = fontOf(look, size, isVariable)
    context.fillText(text, x, y + (low ? 3 : 0))
    x += ink.width(text, size, isVariable)
  }
}

// The title of an axis about its middle. Its letters are smaller where it has less room than it needs.
/** @type {(brush: Brush, title: string, x: number, y: number, room?: number) => void} */
export function drawTitle(ink, title, x, y, room = Infinity) {
  const wide = nameWidth(ink, title, TITLE)
  const fit = Math.min(1, room / wide)
  drawName(ink, title, x - (fit * wide) / 2, y, { font: fit * TITLE.font, low: fit * TITLE.low })
}

/** @type {(low: boolean, sizes: NameSizes) => number} */
const sizeOf = (low, sizes) => (low ? sizes.low : sizes.font)

// Variables have the letters of the formulas, which Streamlit draws with KaTeX. Those are smaller than the page's at the same size.
/** @type {(look: Pick<Look, "font">, size: number, isVariable: boolean) => string} */
function fontOf({ font }, size, isVariable) {
  return isVariable ? `italic ${1.15 * size}px KaTeX_Math, "Times New Roman", serif` : `${size}px ${font}`
}

/** @type {(hex: string) => number[]} */
function rgb(hex) {
  return [1, 3, 5].map((start) => parseInt(hex.trim().slice(start, start + 2), 16))
}

// Returns the relative luminance of WCAG 2, from 0 to 1.
/** @type {(colour: number[]) => number} */
export function luminance(colour) {
  const [red, green, blue] = colour.map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** @type {Map<string, Colour[]>} */
const tables = new Map()

// 256 colours between the stops of a palette.
/** @type {(palette: Palette, look: Pick<Look, "dark">) => Colour[]} */
export function colours(palette, look) {
  const stops = palette[look.dark ? "dark" : "light"]
  return kept(tables, stops.join(), () => Array.from({ length: 256 }, (_, index) => between(stops, index / 255)))
}

// The colour at this fraction of the way along the stops.
/** @type {(stops: string[], fraction: number) => Colour} */
function between(stops, fraction) {
  const at = fraction * (stops.length - 1)
  const low = Math.min(Math.floor(at), stops.length - 2)
  const [a, b] = [rgb(stops[low]), rgb(stops[low + 1])]
  const colour = a.map((part, i) => Math.round(part + (b[i] - part) * (at - low)))
  // At a luminance of 0.18, black and white have the same contrast with a colour.
  return { rgb: colour, css: `rgb(${colour})`, number: luminance(colour) > 0.18 ? "#000000" : "#ffffff" }
}

// The colour of a value between the ends of a scale; values beyond them have the colour of the ends.
/** @type {(table: Colour[], value: number, low: number, high: number) => Colour} */
export function shade(table, value, low, high) {
  const fraction = (value - low) / (high - low)
  return table[Math.round(255 * Math.min(1, Math.max(0, fraction)))]
}
