// Draws a page's picture: headings and sentences, and under them rows of matrices as square-celled heatmaps with
// operators between them. What it draws is made by picture.py; see there for the words.

import { columnAt } from "./block.js"
import { differing, pair } from "./compare.js"
import { come, followStage, list } from "./contents.js"
import { partsOf, unpack } from "./kinds.js"
import { gone, ran, sayFirst } from "./live.js"
import { SMALL } from "./ink.js"
import { move } from "./motion.js"
import { numbersAt } from "./numbers.js"
import { render, watch } from "./paint.js"
import { listen, pointAgain } from "./point.js"
import { toPrint } from "./print.js"
import { toProject } from "./projector.js"
import { addSave } from "./save.js"
import { addScrub, follow, pause, showStep } from "./scrub.js"
import { describeDrawing, hide, say, write } from "./words.js"

// By the element that holds them: Streamlit may unmount a component and mount it on the same element.
const pictures = new WeakMap()

export function draw({ parentElement, data, setTriggerValue }) {
  const host = parentElement.querySelector(".picture")
  if (!pictures.has(host)) pictures.set(host, start(host))
  const picture = pictures.get(host)
  toPrint(picture)
  toProject(picture, data.projected)
  const report = (event) => (value) => {
    sayFirst()
    setTriggerValue(event, value)
  }
  Object.assign(picture, { inspect: report("unit"), report: report("step") })
  picture.show(data.picture)
  frame(picture, data.panel)
  followStage(picture, data.stage)
  ran(data, picture.show)
}

// What is to be drawn is only read: Streamlit may hand over the same once more.
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
  move(picture, true) // of other numbers, which it has moved for already
}

function blocksOf(rows) {
  return partsOf(rows).filter(({ kind }) => kind === "block")
}

// Comes to the panel that was asked for, once, and frames it.
function frame(picture, title) {
  const framed = picture.sections.find(({ panel }) => title && panel.title.startsWith(title))
  for (const section of picture.sections) section.element.classList.toggle("framed", section === framed)
  if (framed && picture.framed !== title) requestAnimationFrame(() => come(framed))
  picture.framed = title
}

export function unmount({ parentElement }) {
  const picture = pictures.get(parentElement.querySelector(".picture"))
  if (!picture) return
  gone(picture.show)
  picture.resize.disconnect()
  picture.sight.disconnect()
  picture.sections.forEach(pause)
}

function start(host) {
  host.querySelector(".panels").replaceChildren() // or what was said while it could not be loaded would stay
  const picture = {
    host,
    remarks: host.querySelector(".remarks"),
    contents: host.querySelector("nav"),
    tip: host.querySelector(".tip"),
    cursor: Object.assign(document.createElement("div"), { className: "cursor" }),
    sections: [],
    pointed: null,
    step: 0, // of the scrub, and those that Python was told of and has not answered
    reported: [],
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
    targets: [], // the places where there is something to point at
    at: { index: 0, row: 0, column: 0 }, // of the targets: from where the keys go on
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

// The matrices that are drawn and where, in pixels of the page: from a canvas no test could read it.
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
