// The panels by their titles: a line of links above them, and the panel that the address asks for.

import { put } from "./words.js"

// Of fewer all are seen at once.
const FEWEST = 3
// In pixels: without a dial they are no taller.
const EMPTY_DIALS = 30

export function list(picture) {
  const titles = picture.sections.map(({ panel }) => panel.side + panel.title).join("\n")
  if (picture.listed === titles) return // as with every move of a dial
  picture.listed = titles
  const titled = picture.sections.filter(linked)
  for (const section of picture.sections) section.element.id = linked(section) ? anchor(section.panel.title) : ""
  const { contents } = picture
  contents.hidden = titled.length < FEWEST
  titled.forEach((section, index) => {
    const link = contents.children[index] ?? contents.appendChild(document.createElement("a"))
    put(link, section.panel.title)
    link.href = `#${section.element.id}`
    link.onclick = (event) => {
      event.preventDefault() // by itself it would be a step of the browser's history, and a run of the page
      history.replaceState(history.state, "", link.href)
      come(section)
    }
  })
  while (contents.children.length > titled.length) contents.lastChild.remove()
  land(picture)
}

// Of A and B side by side B is what a link is about.
function linked({ panel }) {
  return panel.title && panel.side !== "A"
}

// Once: whoever has scrolled on is not brought back.
function land(picture) {
  if (picture.isLanded) return
  picture.isLanded = true
  // Written as the browser writes it: what somebody else wrote need not be anything that can be read.
  const written = (id) => new URL(`#${id}`, location.href).hash
  const section = location.hash && picture.sections.find(({ element }) => element.id && written(element.id) === location.hash)
  if (section) requestAnimationFrame(() => come(section))
}

export function come({ element, title }) {
  bring(element, "instant")
  title.tabIndex = -1
  title.focus({ preventScroll: true })
}

// To the panel before the one that is read, or after it.
export function turn(picture, way) {
  const titled = picture.sections.filter(linked)
  const line = covered() + 32
  const at = titled.findLastIndex(({ element }) => element.getBoundingClientRect().top <= line)
  if (titled[at + way]) come(titled[at + way])
}

// While a page opens the dials may not be there yet: it waits for them, but not for long.
function bring(element, behavior, frames = 120) {
  if (frames && document.querySelector(".st-key-dials")?.offsetHeight < EMPTY_DIALS) {
    return requestAnimationFrame(() => bring(element, behavior, frames - 1))
  }
  element.style.scrollMarginTop = `${covered() + 16}px`
  element.scrollIntoView({ behavior })
}

// The dials stay on top of the page, and on a phone they are high.
function covered() {
  const dials = document.querySelector(".st-key-dials")
  const around = dials?.closest("[data-testid=stLayoutWrapper]:has(> .st-key-top)")
  const stays = (element) => element?.offsetHeight && getComputedStyle(element).position === "sticky"
  const on = [around, dials].find(stays)
  return on ? on.offsetHeight + parseFloat(getComputedStyle(on).top) : 0
}

// Brings the panel of another stage into sight. The focus stays on what chooses the stage, and a page that opens stays on its
// top, unless its link says a stage and nothing else to come to.
export function followStage(picture, stage) {
  const before = picture.stage
  picture.stage = stage?.name
  const asks = new URLSearchParams(location.search)
  if (before === picture.stage || (!before && (!asks.has("stage") || asks.has("question") || location.hash))) return
  const section = picture.sections.find(({ panel }) => panel.title.startsWith(stage.panel))
  const isStill = !before || matchMedia("(prefers-reduced-motion: reduce)").matches
  if (section) requestAnimationFrame(() => bring(section.element, isStill ? "instant" : "smooth"))
}

// Without its numbers, which change.
function anchor(title) {
  return title.toLowerCase().match(/\p{L}+/gu)?.join("-") ?? ""
}
