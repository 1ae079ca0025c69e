// @ts-check
// A drawing as a file.

import { paintStrip, stripsAlone } from "../picture/paint.js"
import { SvgContext } from "./save_svg.js"
import { contextOf } from "../picture/theme.js"

/** @import { Context, Picture, Section, StripLayout } from "../types.js" */

/** @type {(picture: Picture, section: Section) => void} */
export function addSave(picture, section) {
  for (const [name, paint] of Object.entries({ PNG: asPng, SVG: asSvg })) {
    const button = section.save.appendChild(document.createElement("button"))
    const onclick = async () => download(await paint(picture, section), section.title.textContent ?? "", name.toLowerCase())
    Object.assign(button, { type: "button", textContent: name, onclick, ariaLabel: `Save this drawing as ${name}` })
  }
}

/** @type {(blob: Blob, title: string, ending: string) => void} */
function download(blob, title, ending) {
  const name = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "cellscope"
  const href = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement("a"), { href, download: `${name}.${ending}` })
  link.click()
  setTimeout(() => URL.revokeObjectURL(href))
}

// All strips, on the page's own colour, with whatever takes the calls of a canvas.
/** @type {(picture: Picture, section: Section, strips: StripLayout[], context: Context) => void} */
function paintAll(picture, section, strips, context) {
  context.fillStyle = section.ink.look.paper
  context.fillRect(0, 0, section.ink.limit, heightOf(strips))
  for (const strip of strips) paintStrip(picture, { ...section.ink, context }, strip)
}

/** @type {(strips: StripLayout[]) => number} */
function heightOf(strips) {
  const { top, height } = strips[strips.length - 1]
  return top + height
}

/** @type {(picture: Picture, section: Section) => Promise<Blob>} */
function asPng(picture, section) {
  const strips = stripsAlone(picture, section)
  const canvas = document.createElement("canvas")
  Object.assign(canvas, { width: 2 * section.ink.limit, height: 2 * heightOf(strips) })
  const context = contextOf(canvas)
  context.scale(2, 2)
  paintAll(picture, section, strips, context)
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed())))
}

/** @type {(picture: Picture, section: Section) => Promise<Blob>} */
async function asSvg(picture, section) {
  const strips = stripsAlone(picture, section)
  const context = new SvgContext(section.ink.limit, heightOf(strips))
  paintAll(picture, section, strips, context)
  return new Blob([context.toString()], { type: "image/svg+xml" })
}
