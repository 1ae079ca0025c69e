// A drawing as a file.

import { paintStrip } from "../picture/paint.js"
import { SvgContext } from "../picture/svg.js"

export function addSave(picture, section) {
  for (const [name, paint] of [["PNG", asPng], ["SVG", asSvg]]) {
    const button = section.save.appendChild(document.createElement("button"))
    const onclick = async () => download(await paint(picture, section), section.title.textContent, name.toLowerCase())
    Object.assign(button, { type: "button", textContent: name, onclick, ariaLabel: `Save this drawing as ${name}` })
  }
}

function download(blob, title, ending) {
  const name = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "cellscope"
  const href = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement("a"), { href, download: `${name}.${ending}` })
  link.click()
  setTimeout(() => URL.revokeObjectURL(href))
}

// All strips, on the page's own colour, with whatever takes the calls of a canvas.
function paintAll(picture, section, context) {
  context.fillStyle = section.ink.look.paper
  context.fillRect(0, 0, section.ink.limit, heightOf(section))
  for (const strip of section.strips) paintStrip(picture, { ...section.ink, context }, strip)
}

function heightOf({ strips }) {
  return strips.at(-1).top + strips.at(-1).height
}

function asPng(picture, section) {
  const canvas = document.createElement("canvas")
  Object.assign(canvas, { width: 2 * section.ink.limit, height: 2 * heightOf(section) })
  const context = canvas.getContext("2d")
  context.scale(2, 2)
  paintAll(picture, section, context)
  return new Promise((done) => canvas.toBlob(done))
}

function asSvg(picture, section) {
  const context = new SvgContext(section.ink.limit, heightOf(section))
  paintAll(picture, section, context)
  return new Blob([context.toString()], { type: "image/svg+xml" })
}
