// @ts-check
// A line of links to the panels, the panel that the URL names behind #, and the panels that open on a click.

import { render } from "../picture/paint.js"
import { anchor, anchors, begun, isClosed } from "../picture/panels.js"
import { put } from "../picture/panel_text.js"
import { hide } from "./tooltip.js"
import * as url from "../controls/url.js"

/** @import { Picture, Section, Stage } from "../types.js" */

// With fewer panels, all are in sight without links.
const FEWEST = 3
// In pixels: if the sliders are lower than this, they are not drawn yet.
const NO_SLIDERS = 30

/** @type {(picture: Picture) => void} */
export function listPanels(picture) {
  const titles = picture.sections.map(({ panel }) => panel.side + panel.title).join("\n")
  if (picture.listed === titles) return // the titles are the same, as after most moves of a slider
  picture.listed = titles
  const titled = picture.sections.filter(linked)
  for (const section of picture.sections) section.element.id = linked(section) ? anchor(section.panel) : ""
  const { contents } = picture
  const links = contents.querySelectorAll("a")
  contents.hidden = titled.length < FEWEST
  titled.forEach((section, index) => {
    const link = links[index] ?? contents.appendChild(document.createElement("a"))
    put(link, section.panel.title)
    link.href = `#${section.element.id}`
    link.onclick = (event) => {
      event.preventDefault() // the browser would add a history entry and run the page
      url.setHash(section.element.id)
      scrollToPanel(picture, section)
    }
  })
  while (contents.children.length > titled.length) contents.lastChild?.remove()
  land(picture)
}

// Marks the link to the panel where one is.
/** @type {(picture: Picture) => void} */
export function markCurrentPanel({ contents, sections }) {
  const titled = sections.filter(linked)
  const tops = titled.map(({ element }) => element.getBoundingClientRect().top)
  const current = begun(tops, covered(titled[0]?.element), innerHeight)
  contents.querySelectorAll("a").forEach((link, index) => {
    if (index === current) link.setAttribute("aria-current", "location")
    else link.removeAttribute("aria-current")
  })
}

// If A and B stand side by side, links lead to B.
/** @type {(section: Section) => boolean} */
function linked({ panel }) {
  return panel.title !== "" && panel.side !== "A"
}

// Scrolls to the panel behind # once, so that a reader who has scrolled on stays there.
/** @type {(picture: Picture) => void} */
function land(picture) {
  if (picture.isLanded) return
  picture.isLanded = true
  // Compare the encoded texts: a # that somebody else wrote may not be decodable.
  const hash = (/** @type {string} */ id) => new URL(`#${id}`, location.href).hash
  const isWanted = (/** @type {Section} */ { element, panel }) => element.id && anchors(panel).some((id) => hash(id) === location.hash)
  const section = location.hash && picture.sections.find(isWanted)
  if (section) requestAnimationFrame(() => scrollToPanel(picture, section))
}

/** @type {(picture: Picture, section: Section) => void} */
export function scrollToPanel(picture, section) {
  const { element, title } = section
  if (isClosed(picture, section.panel)) toggle(picture, section)
  bring(element, "instant")
  title.tabIndex = -1
  title.focus({ preventScroll: true })
}

/** @type {(picture: Picture, section: Section) => void} */
export function addFold(picture, section) {
  section.fold.onclick = () => toggle(picture, section)
}

// Opens a folded panel, or closes it.
/** @type {(picture: Picture, section: Section) => void} */
function toggle(picture, { panel }) {
  if (!picture.opened.delete(anchor(panel))) picture.opened.add(anchor(panel))
  hide(picture)
  render(picture)
}

// Goes to the panel before or after the current one.
/** @type {(picture: Picture, way: -1 | 1) => void} */
export function turn(picture, way) {
  const titled = picture.sections.filter(linked)
  const section = titled[currentOf(titled) + way]
  if (section) scrollToPanel(picture, section)
}

// Returns the current panel: the last one whose top has come up to the sliders. At the top of the page there is none.
/** @type {(picture: Picture) => Section | undefined} */
export function currentPanel({ sections }) {
  const titled = sections.filter(linked)
  return titled[currentOf(titled)]
}

/** @type {(titled: Section[]) => number} */
function currentOf(titled) {
  const line = covered(titled[0]?.element) + 32
  return titled.findLastIndex(({ element }) => element.getBoundingClientRect().top <= line)
}

// While a page opens, wait for the sliders above the panel, but not for long.
/** @type {(element: HTMLElement, behavior: ScrollBehavior, frames?: number) => void} */
function bring(element, behavior, frames = 120) {
  const dials = /** @type {HTMLElement | null} */ (document.querySelector(".st-key-dials"))
  if (frames && dials && dials.offsetHeight < NO_SLIDERS) {
    requestAnimationFrame(() => bring(element, behavior, frames - 1))
    return
  }
  element.style.scrollMarginTop = `${covered(element) + 16}px`
  element.scrollIntoView({ behavior })
}

// Returns the height that the sliders and the playback slider at the top of the page cover.
/** @type {(panel: HTMLElement | undefined) => number} */
function covered(panel) {
  /** @type {HTMLElement | null} */
  const dials = document.querySelector(".st-key-dials")
  /** @type {HTMLElement | null | undefined} */
  const around = dials?.closest("[data-testid=stLayoutWrapper]:has(> .st-key-top)")
  /** @type {HTMLElement | null | undefined} */
  const bar = panel?.closest(".picture")?.querySelector(".bar")
  const stays = (/** @type {HTMLElement} */ element) => element.offsetHeight > 0 && getComputedStyle(element).position === "sticky"
  const on = [bar, around, dials].find((element) => element && stays(element))
  return on ? on.offsetHeight + parseFloat(getComputedStyle(on).top) : 0
}

// Scrolls to the panel of a new stage. The focus stays on the control of the stage. A page that opens stays at its top, unless
// its link has a stage and neither a question nor a panel.
/** @type {(picture: Picture, stage: Stage | null) => void} */
export function scrollToStage(picture, stage) {
  const before = picture.stage
  picture.stage = stage?.name
  const asks = new URLSearchParams(location.search)
  if (before === picture.stage || (!before && (!asks.has("stage") || asks.has("question") || location.hash))) return
  const section = stage && picture.sections.find(({ panel }) => panel.title.startsWith(stage.panel))
  if (section && isClosed(picture, section.panel)) toggle(picture, section)
  const isStill = !before || matchMedia("(prefers-reduced-motion: reduce)").matches
  if (section) requestAnimationFrame(() => bring(section.element, isStill ? "instant" : "smooth"))
}
