// What is printed: all drawings, also those that were never in sight, as wide as paper, and the link and the date in the foot
// of each sheet.

import { render } from "./paint.js"
import { hide } from "./words.js"

// In pixels: what is between the margins of an upright sheet.
const PAPER = 690

let shown = null
let hidden = [] // strips out of sight, until all is printed
const foot = new CSSStyleSheet()

// The picture of the page.
export function toPrint(picture) {
  shown = picture
}

addEventListener("beforeprint", () => {
  if (!shown?.host.isConnected) return
  hide(shown)
  hidden = shown.sections.flatMap(({ strips }) => strips).filter((strip) => strip.hidden)
  for (const strip of hidden) strip.hidden = false
  Object.assign(shown, { isPrinted: true, width: PAPER })
  render(shown)
  const text = JSON.stringify(`${location.href} · ${new Date().toLocaleDateString()}`)
  foot.replaceSync(`@page { @bottom-left { content: ${text}; width: 100%; font-size: 7pt; overflow-wrap: anywhere; } }`)
  if (!document.adoptedStyleSheets.includes(foot)) document.adoptedStyleSheets.push(foot)
})

addEventListener("afterprint", () => {
  if (!shown?.isPrinted) return
  Object.assign(shown, { isPrinted: false, width: shown.host.clientWidth })
  for (const strip of hidden) strip.hidden = true
  render(shown)
})
