// @ts-check
// Draws the picture of a page: panels with a heading, sentences, and rows of matrices as heatmaps with operators between them.
// drawing/panels.py makes the data and defines its terms.

import { columnAt, isMatrix } from "./block.js"
import { differing, otherSide, pair } from "./compare.js"
import { drawButtons } from "../interact/panel_buttons.js"
import { addFold, listPanels, markCurrentPanel, scrollToPanel, scrollToStage } from "../interact/panel_links.js"
import { blocksOf, unpack } from "./items.js"
import { change, pictureDrawn, pictureRemoved } from "../controls/pending_values.js"
import { SHAPE, makeInk, theme } from "./theme.js"
import { drawFindings } from "../interact/findings.js"
import { animateProduct } from "../interact/product_animation.js"
import { numbersAt } from "./arrays.js"
import { render, watch } from "./paint.js"
import { nameLines } from "../interact/line_key.js"
import { listen, pointAgain } from "../interact/hover.js"
import { toPrint } from "../interact/print.js"
import { toProject } from "../interact/projector.js"
import { addSave } from "../interact/save_image.js"
import { addPlayback, goToValue, makePlayer, pause, showStep, updatePlayback } from "../interact/playback.js"
import { hide } from "../interact/tooltip.js"
import { unlessDefault } from "../controls/query.js"
import * as url from "../controls/url.js"
import { make, part } from "../elements.js"
import { textsOf, write, writeRemarks } from "./panel_text.js"
import { describeDrawing } from "./screen_reader.js"

/** @import { BlockPlace, Component, Panel, Picture, PictureData, PictureMessage, Rows, Section } from "../types.js" */

// By element: Streamlit may unmount a component and mount it on the same element again.
/** @type {WeakMap<Element, Picture>} */
const pictures = new WeakMap()

/** @type {(component: Component<PictureMessage>) => void} */
export function draw({ parentElement, data, setStateValue }) {
  const host = part(parentElement, ".picture")
  const before = pictures.get(host)
  // An answer for an older URL: the run for the current one is on its way.
  if (before && data.url && !url.isCurrent(data.url)) return
  // Each page has its own picture, but Streamlit keeps the component.
  const isSame = before && before.page === data.url?.page
  if (before && !isSame) end(before)
  const picture = isSame ? before : start(host, data.url?.page, data.picture)
  pictures.set(host, picture)
  toPrint(picture)
  if (data.url) toProject(picture, data.projected)
  const { unit } = data
  picture.refused = (isRefused) => { picture.notice.textContent = isRefused && data.no_channel ? data.no_channel : "" }
  picture.inspect = (j) => { change({ [unit.name]: unlessDefault(String(j), unit.default) }, { entry: true }) }
  picture.open = (name) => { change({ node: name || null }, { entry: true }) }
  picture.change = (changes) => { if (Object.keys(changes).length) change(changes, { entry: true }) }
  picture.set = (name, text) => { change({ [name]: text }, { entry: true }) }
  picture.next = () => {
    change({}) // the server reads the URL
    // A state, and no trigger: Streamlit sends it again with each run, so it is not lost with a connection.
    url.act((action) => setStateValue("next", action))
  }
  drawPanels(picture, data.picture)
  frame(picture, data.panel)
  scrollToStage(picture, data.stage)
  if (data.live !== undefined) pictureDrawn(data.live, picture.show, picture.refused, picture.moved)
}

// Shows the picture of a run, or of the drag channel. Never changes `data`, because Streamlit may pass the same object again.
/** @type {(picture: Picture, data: PictureData) => void} */
function drawPanels(picture, data) {
  picture.data = data
  writeRemarks(picture, data.remarks)
  const rows = unpack(data)
  data.panels.forEach((panel, index) => {
    const section = (picture.sections[index] ??= addSection(picture, panel, rows[index]))
    updatePlayback(picture, section.player, panel.playback)
    Object.assign(section, { panel, rows: rows[index] })
  })
  for (const section of picture.sections.splice(data.panels.length)) section.element.remove()
  for (const section of picture.sections) {
    const a = section.panel.side === "B" && otherSide(picture, section)
    if (a) pair(blocksOf(section.rows), blocksOf(a.rows))
  }
  showStep(picture)
  for (const section of picture.sections) {
    write(picture, section)
    drawButtons(picture, section)
    nameLines(picture, section)
    drawFindings(picture, section)
  }
  picture.sections.forEach(describeDrawing)
  listPanels(picture)
  picture.resize.observe(picture.host)
  render(picture)
  markCurrentPanel(picture)
  pointAgain(picture)
  animateProduct(picture, true) // without the animation, which has run for this entry already
}

// Scrolls to the panel with the answer to a question, once, and frames it. The frame of a finding stays as long as its URL.
/** @type {(picture: Picture, title: string | null) => void} */
function frame(picture, title) {
  if (picture.proof?.search !== location.search) picture.proof = null
  const wanted = title ?? picture.proof?.title // a question counts more than the last link of a finding
  const framed = wanted ? picture.sections.find(({ panel }) => textsOf(picture, panel).title.startsWith(wanted)) : undefined
  for (const section of picture.sections) section.element.classList.toggle("framed", section === framed)
  const asked = title && `${url.params().get("question")} ${title}` // two questions may have one panel
  if (title && framed && picture.framed !== asked) requestAnimationFrame(() => scrollToPanel(picture, framed))
  picture.framed = asked
}

/** @type {(component: Component<PictureMessage>) => void} */
export function unmount({ parentElement }) {
  const host = parentElement.querySelector(".picture")
  const picture = host && pictures.get(host)
  if (picture) end(picture)
}

/** @type {(picture: Picture) => void} */
function end(picture) {
  pictureRemoved(picture.show)
  picture.resize.disconnect()
  picture.sight.disconnect()
  removeEventListener("scroll", picture.scrolled, { capture: true })
  for (const { player } of picture.sections) pause(player)
}

/** @type {(host: HTMLElement, page: string | undefined, data: PictureData) => Picture} */
function start(host, page, data) {
  part(host, ".panels").replaceChildren() // removes a message that the part could not be loaded
  /** @type {Picture} */
  const picture = {
    host,
    page,
    data,
    remarks: part(host, ".remarks"),
    notice: part(host, ".notice"),
    contents: part(host, "nav"),
    tip: part(host, ".tip"),
    cursor: make("div", { className: "cursor" }),
    sections: [],
    pointed: null,
    isExact: false,
    motion: null,
    step: 0,
    look: theme(host, false),
    width: host.clientWidth,
    widths: new Map(),
    isPrinted: false,
    isProjected: false,
    opened: new Set(),
    listed: null,
    isLanded: false,
    framed: null,
    proof: null,
    stage: undefined,
    resize: new ResizeObserver(([{ contentRect }]) => resized(picture, contentRect.width)),
    sight: watch(() => picture),
    scrolled: () => markCurrentPanel(picture),
    show: (data) => drawPanels(picture, data),
    moved: (name, text) => goToValue(picture, name, text),
    refused: () => {},
    inspect: () => {},
    open: () => {},
    change: () => {},
    set: () => {},
    next: () => {},
  }
  // In the capture phase: the page scrolls within an element of Streamlit, and scrolling does not bubble.
  addEventListener("scroll", picture.scrolled, { capture: true, passive: true })
  return picture
}

/** @type {(picture: Picture, width: number) => void} */
function resized(picture, width) {
  if (width === picture.width || picture.isPrinted) return
  picture.width = width
  hide(picture)
  render(picture)
}

/** @type {(picture: Picture, panel: Panel, rows: Rows) => Section} */
function addSection(picture, panel, rows) {
  const element = document.createElement("section")
  const add = (/** @type {"h2" | "p" | "div"} */ tag, className = "") => element.appendChild(make(tag, { className }))
  /** @type {Section} */
  const section = {
    panel,
    rows,
    element,
    title: add("h2"),
    fold: make("button", { type: "button" }),
    callout: add("p", "callout"),
    actions: add("div", "actions"),
    player: makePlayer(add("div", "playback")),
    keys: add("div", "keys"),
    drawing: add("div", "drawing"),
    differences: add("div", "differences"),
    strips: [],
    targets: [],
    at: { index: 0, row: 0, column: 0 },
    ink: makeInk(picture.look, 0, 0, picture.widths, 1), // until it is rendered
    plan: null,
    narrow: null,
    equation: null,
    measured: { key: "", end: 0 },
    most: 1,
    isPaired: false,
    isFirst: false,
    save: add("div", "save"),
    ...addWords(element),
  }
  listen(picture, section)
  addFold(picture, section)
  addPlayback(picture, section)
  addSave(picture, section)
  showToTests(picture, section)
  part(picture.host, ".panels").append(element)
  return section
}

/** @type {(element: HTMLElement) => Pick<Section, "words" | "text" | "findings" | "code" | "note" | "details" | "exactly">} */
function addWords(element) {
  const words = element.appendChild(make("div", { className: "words" }))
  const text = words.appendChild(make("p", {}))
  const findings = words.appendChild(make("ol", { className: "findings" }))
  const code = words.appendChild(make("div", {}))
  const note = words.appendChild(make("p", { className: "note" }))
  const details = words.appendChild(document.createElement("details"))
  details.append(make("summary", { textContent: "Details" }))
  return { words, text, findings, code, note, details, exactly: details.appendChild(document.createElement("p")) }
}

// For tests, which cannot read a canvas: the drawn matrices and their places in pixels of the page.
/** @type {(picture: Picture, section: Section) => void} */
function showToTests(picture, section) {
  const sized = (/** @type {object} */ place) =>
    Object.entries(place).map(([name, value]) => [name, typeof value === "number" ? value * section.ink.zoom : value])
  const shown = (/** @type {BlockPlace} */ { item, print, ...place }) => ({
    ...Object.fromEntries(sized({ ...place, font: print?.font, shapeFont: SHAPE.font })),
    symbol: item.symbol,
    numbers: numbersAt(item, picture.step),
    now: item.over_time ? columnAt(item, picture.step) : undefined,
    differ: item.against && differing(item, item.against, picture.step, picture.data.decimals),
  })
  Object.defineProperty(section.drawing, "blocks", { get: () => section.targets.filter(isMatrix).map(shown) })
}
