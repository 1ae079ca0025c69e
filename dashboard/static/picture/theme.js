// What drawings are drawn with: sizes, fonts and colours of the page, and names with subscripts.

import { pieces } from "./text.js"

export const NAME = { font: 15, height: 22 }
export const SMALL = { font: 11, height: 15 }
export const GAP = 10
export const MARGIN = 2 // for the frames, which are drawn around the cells

// Widths of texts are the same on every canvas.
const ruler = document.createElement("canvas").getContext("2d")

// For a drawing that is so wide and whose cells are at most so large, in pixels of which each is so many of the page. What is
// painted with it has a context besides.
export function makeInk(look, limit, largest, widths, zoom) {
  const width = (text, font) => {
    const key = `${font} ${look.font} ${text}`
    if (!widths.has(key)) {
      ruler.font = `${font}px ${look.font}`
      widths.set(key, ruler.measureText(text).width)
    }
    return widths.get(key)
  }
  return { look, limit, largest, widths, zoom, width }
}

// On paper all is dark on light.
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

export function setFont({ context, look }, font) {
  context.font = `${font}px ${look.font}`
}

export function nameWidth(ink, name) {
  const key = `${ink.look.font} ${name}`
  if (!ink.widths.has(key)) {
    const widths = pieces(name).map(({ text, low }) => ink.width(text, low ? SMALL.font : NAME.font))
    ink.widths.set(key, widths.reduce((sum, width) => sum + width, 0))
  }
  return ink.widths.get(key)
}

export function drawName(ink, name, x, y) {
  const { context, look } = ink
  context.fillStyle = look.text
  context.textAlign = "left"
  for (const { text, low } of pieces(name)) {
    const font = low ? SMALL.font : NAME.font
    setFont(ink, font)
    context.fillText(text, x, y + (low ? 4 : 0))
    x += ink.width(text, font)
  }
}

function rgb(hex) {
  return [1, 3, 5].map((start) => parseInt(hex.trim().slice(start, start + 2), 16))
}

// As WCAG 2 defines it, from 0 to 1.
function luminance(colour) {
  const [red, green, blue] = colour.map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const tables = new Map()

// 256 colours between the stops of a palette.
export function colours(palette, look) {
  const stops = palette[look.dark ? "dark" : "light"]
  const key = stops.join()
  if (!tables.has(key)) {
    const table = Array.from({ length: 256 }, (_, index) => {
      const at = (index / 255) * (stops.length - 1)
      const low = Math.min(Math.floor(at), stops.length - 2)
      const [a, b] = [rgb(stops[low]), rgb(stops[low + 1])]
      const colour = a.map((part, i) => Math.round(part + (b[i] - part) * (at - low)))
      // Where black and white differ from a colour equally, its luminance is 0.18.
      return { rgb: colour, css: `rgb(${colour})`, number: luminance(colour) > 0.18 ? "#000000" : "#ffffff" }
    })
    tables.set(key, table)
  }
  return tables.get(key)
}
