// Draws the picture of a page: panels with a heading, sentences, and rows of matrices as heatmaps with operators between them.
// picture.py makes the data and defines its terms.

import { columnAt } from "./block.js"
import { differing, pair } from "./compare.js"
import { come, followStage, list } from "../interact/contents.js"
import { partsOf, unpack } from "./items.js"
import { followed, gone, take } from "../controls/controls.js"
import { SMALL } from "./theme.js"
import { move } from "../interact/motion.js"
import { numbersAt } from "./arrays.js"
import { render, watch } from "./paint.js"
import { listen, pointAgain } from "../interact/point.js"
import { toPrint } from "../interact/print.js"
import { toProject } from "../interact/projector.js"
import { addSave } from "../interact/save.js"
import { addScrub, follow, pause, showStep } from "../interact/scrub.js"
import { hide } from "../interact/tooltip.js"
import * as url from "../controls/url.js"
import { describeDrawing, say, write } from "./words.js"

const NO_CHANNEL = "The picture cannot follow while you drag, because no websocket reaches the server. It follows once you release the slider."

// By element: Streamlit may unmount a component and mount it on the same element again.
const pictures = new WeakMap()

export function draw({ parentElement, data }) {
  const host = parentElement.querySelector(".picture")
  // An answer for an older URL: the run for the current one is on its way.
  if (pictures.has(host) && data.url && !url.isCurrent(data.url)) return
  // Each page has its own picture, but Streamlit keeps the component.
  if (!pictures.has(host) || pictures.get(host).page !== data.url?.page) {
    end(pictures.get(host))
    pictures.set(host, start(host, data.url?.page))
  }
  const picture = pictures.get(host)
  toPrint(picture)
  if (data.url) toProject(picture, data.projected)
  const { unit, step } = data.settings
  picture.inspect = (j) => unit && url.patch({ ...take(), [unit]: j === 1 ? null : String(j) }, { entry: true })
  picture.report = (at) => step && url.patch({ ...take(), [step.name]: step.texts[at - 1] })
  picture.show(data.picture)
  frame(picture, data.panel)
  followStage(picture, data.stage)
  if (data.live !== undefined) followed(data.live, picture.show, picture.refused)
}

// Never changes `data`, because Streamlit may pass the same object again.
function show(picture, data) {
  picture.data = data
  say(picture, picture.data.remarks)
  const rows = unpack(picture.data)
  picture.data.panels.forEach((panel, index) => {
    const section = (picture.sections[index] ??= addSection(picture))
    follow(picture, section, panel.scrub)
    Object.assign(section, { panel, rows: rows[index] })
  })
  picture.sections.forEach(({ panel, rows }, index) => {
    const before = picture.sections[index - 1]
    if (panel.side === "B" && before?.panel.side === "A") pair(blocksOf(rows), blocksOf(before.rows))
  })
  for (const section of picture.sections.splice(picture.data.panels.length)) section.element.remove()
  showStep(picture)
  for (const section of picture.sections) write(picture, section)
  picture.sections.forEach(describeDrawing)
  list(picture)
  picture.resize.observe(picture.host)
  render(picture)
  pointAgain(picture)
  move(picture, true) // without the animation, which has run for this entry already
}

function blocksOf(rows) {
  return partsOf(rows).filter(({ kind }) => kind === "block")
}

// Scrolls to the panel with the answer to a question, once, and frames it.
function frame(picture, title) {
  const framed = picture.sections.find(({ panel }) => title && panel.title.startsWith(title))
  for (const section of picture.sections) section.element.classList.toggle("framed", section === framed)
  if (framed && picture.framed !== title) requestAnimationFrame(() => come(framed))
  picture.framed = title
}

export function unmount({ parentElement }) {
  end(pictures.get(parentElement.querySelector(".picture")))
}

function end(picture) {
  if (!picture) return
  gone(picture.show)
  picture.resize.disconnect()
  picture.sight.disconnect()
  picture.sections.forEach(pause)
}

function start(host, page) {
  host.querySelector(".panels").replaceChildren() // removes a message that the part could not be loaded
  const picture = {
    host,
    page,
    remarks: host.querySelector(".remarks"),
    notice: host.querySelector(".notice"),
    contents: host.querySelector("nav"),
    tip: host.querySelector(".tip"),
    cursor: Object.assign(document.createElement("div"), { className: "cursor" }),
    sections: [],
    pointed: null,
    step: 0, // of the playback slider
    reported: [], // steps that went into the URL, and that no run has drawn yet
    width: host.clientWidth,
    widths: new Map(),
  }
  picture.resize = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === picture.width || picture.isPrinted) return
    picture.width = contentRect.width
    hide(picture)
    render(picture)
  })
  picture.sight = watch(picture)
  picture.show = (data) => show(picture, data)
  picture.refused = (isRefused) => { picture.notice.textContent = isRefused ? NO_CHANNEL : "" }
  return picture
}

function addSection(picture) {
  const element = document.createElement("section")
  const add = (tag, className = "") => element.appendChild(Object.assign(document.createElement(tag), { className }))
  const section = {
    element,
    title: add("h2"),
    scrub: add("div", "scrub"),
    drawing: add("div", "drawing"),
    differences: add("div", "differences"),
    text: add("p"),
    strips: [],
    targets: [], // the entries that show a tooltip
    at: { index: 0, row: 0, column: 0 }, // the target from which the arrow keys go on
    save: add("div", "save"),
    code: add("div"),
    note: add("p", "note"),
    exactly: addFolded(element),
  }
  listen(picture, section)
  addScrub(picture, section)
  addSave(picture, section)
  showToTests(picture, section)
  picture.host.querySelector(".panels").append(element)
  return section
}

function addFolded(element) {
  const folded = element.appendChild(document.createElement("details"))
  folded.append(Object.assign(document.createElement("summary"), { textContent: "Exactly" }))
  return folded.appendChild(document.createElement("p"))
}

// For tests, which cannot read a canvas: the drawn matrices and their places in pixels of the page.
function showToTests(picture, section) {
  const blocks = () => section.targets.filter(({ item }) => item.kind === "block")
  const sized = ([name, value]) => [name, typeof value === "number" ? value * section.ink.zoom : value]
  const shown = ({ item, print, ...place }) => ({
    ...Object.fromEntries(Object.entries({ ...place, font: print?.font, shapeFont: SMALL.font }).map(sized)),
    symbol: item.symbol,
    numbers: numbersAt(item, picture.step),
    now: item.over_time ? columnAt(item, picture.step) : undefined,
    differ: item.against && differing(item, picture.step, picture.data.decimals),
  })
  Object.defineProperty(section.drawing, "blocks", { get: () => blocks().map(shown) })
}
