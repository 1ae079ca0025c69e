// @ts-check
// Prints all drawings at the width of the paper, also those that were never in sight, with the link and the date in the foot of each
// sheet.

import { render } from "../picture/paint.js"
import { hide } from "./tooltip.js"

/** @import { Picture, Strip } from "../types.js" */

// In pixels: the width between the margins of an upright sheet.
const PAPER = 690

/** @type {Set<Picture>} */
const shown = new Set()
/** @type {Strip[]} */
let hidden = [] // strips out of sight, until all is printed
const foot = new CSSStyleSheet()

// A picture of the page, of which there may be several.
/** @type {(picture: Picture) => void} */
export function toPrint(picture) {
  for (const one of shown) if (!one.host.isConnected) shown.delete(one)
  shown.add(picture)
}

addEventListener("beforeprint", () => {
  for (const picture of shown) if (!picture.host.isConnected) shown.delete(picture)
  if (!shown.size) return
  hidden = [...shown].flatMap(({ sections }) => sections.flatMap(({ strips }) => strips)).filter((strip) => strip.hidden)
  for (const strip of hidden) strip.hidden = false
  for (const picture of shown) {
    hide(picture)
    Object.assign(picture, { isPrinted: true, width: PAPER })
    render(picture)
  }
  // The link of a sheet of exercises leads to its key, so it is not printed.
  const link = document.querySelector(".st-key-sheet") ? "" : `${location.href} · `
  const text = JSON.stringify(link + new Date().toLocaleDateString())
  foot.replaceSync(`@page { @bottom-left { content: ${text}; width: 100%; font-size: 7pt; overflow-wrap: anywhere; } }`)
  if (!document.adoptedStyleSheets.includes(foot)) document.adoptedStyleSheets.push(foot)
})

addEventListener("afterprint", () => {
  for (const strip of hidden) strip.hidden = true
  hidden = []
  for (const picture of shown) {
    if (!picture.isPrinted) continue
    Object.assign(picture, { isPrinted: false, width: picture.host.clientWidth })
    render(picture)
  }
})
