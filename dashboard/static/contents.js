// The panels by their titles: a line of links above them, and the panel that the address asks for.

import { put } from "./words.js"

// Of fewer all are seen at once.
const FEWEST = 3

export function list(picture) {
  const titles = picture.sections.map(({ panel }) => panel.side + panel.title).join("\n")
  if (picture.listed === titles) return // as with every move of a dial
  picture.listed = titles
  // Of A and B side by side B is what a link is about.
  const linked = ({ panel }) => panel.title && panel.side !== "A"
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

// Once: whoever has scrolled on is not brought back.
function land(picture) {
  if (picture.isLanded) return
  picture.isLanded = true
  // Written as the browser writes it: what somebody else wrote need not be anything that can be read.
  const written = (id) => new URL(`#${id}`, location.href).hash
  const section = location.hash && picture.sections.find(({ element }) => element.id && written(element.id) === location.hash)
  if (section) requestAnimationFrame(() => come(section))
}

// The dials stay on top of the page, and on a phone they are high.
export function come({ element, title }) {
  const dials = document.querySelector(".st-key-dials")
  const { position, top } = dials ? getComputedStyle(dials) : {}
  const covered = position === "sticky" ? dials.offsetHeight + parseFloat(top) : 0
  element.style.scrollMarginTop = `${covered + 16}px`
  element.scrollIntoView()
  title.tabIndex = -1
  title.focus({ preventScroll: true })
}

// Without its numbers, which change.
function anchor(title) {
  return title.toLowerCase().match(/\p{L}+/gu)?.join("-") ?? ""
}
