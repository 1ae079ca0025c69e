// From the items of each section to canvases: one for each row, of which those in sight are painted.

import { SMALL, colours, makeInk, setFont, theme } from "./theme.js"
import { isTarget, kindOf, partsOf } from "./items.js"
import { print } from "./block.js"
import { isSideBySide, widthOf } from "./compare.js"
import { LEGEND, placeLegends, placed, planned } from "./layout.js"
import { tellDifferences } from "./words.js"

// How many pixels of a drawing one of the page has on paper.
const PRINTED = 2
// So many times as large a drawing is for a room, unless it would then have less room than this.
const PROJECTED = 1.85
const LEAST_ROOM = 640

export function render(picture) {
  if (!picture.width) return
  const look = theme(picture.host, picture.isPrinted)
  picture.host.style.colorScheme = look.dark ? "dark" : "light"
  const zoom = picture.isProjected && !picture.isPrinted ? Math.min(PROJECTED, Math.max(1, picture.width / LEAST_ROOM)) : 1
  // Room for every decimal beyond the usual two.
  const largest = 40 + 7 * Math.max(0, picture.data.decimals - 2)
  picture.host.classList.toggle("beside", isSideBySide(picture))
  for (const section of picture.sections) {
    section.targets = []
    if (section.drawing.hidden) continue
    const { panel, rows } = section
    section.ink = makeInk(look, widthOf(picture, section) / zoom, fittingCell(panel.fit, rows, largest), picture.widths, zoom)
    section.plan = planned(section.ink, rows, section.plan)
    const strips = placed(section.ink, section.plan)
    section.targets = strips.flatMap(({ places }) => places).filter(({ item }) => isTarget(item))
    stretch(picture, section, [...strips, legendStrip(section, strips.at(-1))])
    refresh(picture, section)
  }
}

// The largest side of a cell with which a panel is as wide, or as tall, as it wants to be.
function fittingCell(fit, rows, largest) {
  if (!fit) return largest
  const blocks = partsOf(rows).filter(({ kind }) => kind === "block")
  const most = Math.max(...blocks.map((block) => block[fit.axis]))
  return Math.min(largest, Math.max(fit.smallest, fit.pixels / most))
}

function legendStrip({ ink, panel, rows }, above) {
  const { legends, note, lines } = placeLegends(ink, panel.legends, partsOf(rows).some(({ kind }) => kind === "block"))
  return { top: above.top + above.height, height: LEGEND.height * lines + 8, places: [], legends, note }
}

// A canvas for each row: one for the whole panel would be drawn as a whole, in sight or not.
function stretch(picture, section, strips) {
  for (const { canvas } of section.strips.splice(strips.length)) {
    picture.sight.unobserve(canvas)
    canvas.remove()
  }
  strips.forEach((strip, index) => {
    if (!section.strips[index]) {
      const canvas = section.drawing.appendChild(document.createElement("canvas"))
      section.strips[index] = canvas.strip = { canvas, context: canvas.getContext("2d") }
    }
    Object.assign(section.strips[index], strip)
    // On paper a drawing keeps its proportions in whatever room it has.
    section.strips[index].canvas.style.height = picture.isPrinted ? "auto" : `${strip.height * section.ink.zoom}px`
    picture.sight.observe(section.strips[index].canvas)
  })
}

// What is pointed at changed, or the step, and nothing else: everything keeps its place.
export function repaint(picture) {
  for (const section of picture.sections) refresh(picture, section)
}

export function refresh(picture, section) {
  if (section.drawing.hidden) return
  tellDifferences(section, picture.step, picture.data.decimals)
  const notes = section.strips.map(({ places }) => print(section.ink, places, picture.step, picture.data.decimals))
  for (const strip of section.strips) strip.stale = true
  section.strips.at(-1).note.text = notes.find(Boolean)
  paint(picture, section)
}

// While a key is held on a slider, only what is in sight is painted; the rest when it comes into sight.
export function watch(picture) {
  return new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        const section = picture.sections.find(({ strips }) => strips.includes(target.strip))
        if (!section) continue
        target.strip.hidden = !isIntersecting
        if (isIntersecting) paint(picture, section)
      }
    },
    { rootMargin: "100px" },
  )
}

function paint(picture, section) {
  for (const strip of section.strips) {
    if (strip.hidden || !strip.stale) continue
    strip.stale = false
    const ratio = picture.isPrinted ? PRINTED : window.devicePixelRatio || 1
    clear(strip, section.ink.limit, ratio * section.ink.zoom)
    paintStrip(picture, { ...section.ink, context: strip.context }, strip)
  }
}

function clear({ canvas, context, top, height }, width, ratio) {
  const [wide, tall] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== wide || canvas.height !== tall) Object.assign(canvas, { width: wide, height: tall })
  context.setTransform(ratio, 0, 0, ratio, 0, -top * ratio)
  context.clearRect(0, top, width, height)
}

export function paintStrip(picture, ink, { top, places, legends, note }) {
  for (const place of places) kindOf(place.item).draw(picture, ink, place)
  drawLegends(picture, ink, legends, top)
  if (!note?.text) return // which only the last strip may have
  setFont(ink, SMALL.font)
  Object.assign(ink.context, { textAlign: "left", fillStyle: ink.look.text })
  ink.context.fillText(note.text, note.x, top + note.line * LEGEND.height + 15)
}

function drawLegends({ data }, ink, legends, top) {
  const { context, look } = ink
  setFont(ink, SMALL.font)
  context.textAlign = "left"
  for (const { x, line, text, palette, high } of legends) {
    const y = top + line * LEGEND.height + 6
    const table = colours(data.palettes[palette], look)
    const bar = x + ink.width(text, SMALL.font) + 5
    for (let step = 0; step < 32; step++) {
      context.fillStyle = table[step * 8].css
      context.fillRect(bar + step * 2, y, 2, 10)
    }
    context.fillStyle = look.text
    context.fillText(text, x, y + 9)
    context.fillText(high, bar + LEGEND.bar + 5, y + 9)
  }
}
