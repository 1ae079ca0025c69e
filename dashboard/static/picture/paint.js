// @ts-check
// Paints the items of each section on canvases, one for each row. Only the rows in sight are painted.

import { SMALL, colours, contextOf, makeInk, setFont, theme } from "./theme.js"
import { blocksOf, isTarget, kindOf, partsOf } from "./items.js"
import { isBoard, isTile, isWide, settle, widthOf } from "./panel_columns.js"
import { isSideBySide, otherSide } from "./compare.js"
import { LEGEND, paired, placeLegends, placed, planned, widthOfPlan } from "./layout.js"
import { isClosed } from "./panels.js"
import { ABOVE_AXES } from "./plot.js"
import { writeDifferences } from "./panel_text.js"
import { print } from "./printed_digits.js"

/**
 * @import {
 *   Brush, HeatmapSize, Ink, Item, Painted, Panel, Picture, Place, PlacedLegend, Rows, Section, Strip, StripLayout, Target,
 * } from "../types.js"
 */

// The pixels of a drawing for each pixel of the page, on paper.
const PRINTED = 2
// The factor by which a drawing is larger in the projector view, unless that leaves less than LEAST_ROOM. A diagram without a title or words
// is as large as the window allows anyway.
const PROJECTED = 1.85
const LEAST_ROOM = 640
// If a drawing is too tall for the window, it is smaller and whole. If it would be smaller than on the page, it stays legible from the
// last row instead. The folded sliders and the title of its panel take ABOVE pixels of the window.
const LEGIBLE = 1.45
const ABOVE = 140
const TRIALS = 5
const NOTE = 16
// So much stands above the first drawing of a page, which is whole on the first screen with two lines of legends, if it can be smaller.
const ABOVE_FIRST = 170
const LEGENDS = 2 * LEGEND.height + 4
// On a board two rows of tiles are whole on the first screen: so much stands above them and around each. The text of a tile is larger
// than on the page in a picture that is wider than this.
const ABOVE_TILES = 262
const AROUND_TILE = 48
const PLAIN_BOARD = 950

// In pixels of the page: the width of the words beside a drawing and beside a diagram, with the gap. picture.css has the same widths.
const WORDS = 400
const WORDS_OF_DIAGRAM = 320
const BETWEEN = 24
// The smallest entry of an equation beside the diagram.
const LEGIBLE_CELL = 18
// A diagram without a title or words is whole in the window: with this width it stands beside the other rows of its panel, and then so
// much stands above and below it on the first screen. It is at least FLATTEST times as tall as in its full size.
const LEAST_ROOM_BARE = 560
const AROUND_BARE = 332
const FLATTEST = 0.5
// The largest side of an entry, and the width of the picture from which it is larger.
const USUAL = 38
const LARGE = 56
const SPACIOUS = 1300
// From MANY equations on, they stand in pairs, if this leaves their entries at least NEARLY times as large. In a panel without a title,
// such as the lines of a wrong and of a right answer, two of them do.
const MANY = 4
const NEARLY = 0.9
// Up to this width of the window, only the playback slider of the whole picture stays in sight, and up to this height nothing: picture.css.
const PHONE = 640
const LOW = 480
// From this width of the window on, page.css leaves room for a list of the panels, but not in the projector view.
const LISTED = 1700

/** @type {(picture: Picture) => void} */
export function render(picture) {
  if (!picture.width) return
  const look = (picture.look = theme(picture.host, picture.isPrinted))
  picture.host.style.colorScheme = look.dark ? "dark" : "light"
  const isLarge = picture.isProjected && !picture.isPrinted
  picture.host.classList.toggle("beside", isSideBySide(picture))
  picture.host.classList.toggle("wide", isWide(picture))
  picture.host.classList.toggle("board", isBoard(picture))
  picture.host.classList.toggle("projected", isLarge)
  picture.host.classList.toggle("dotted", isLarge || innerWidth < LISTED)
  // Far from the names of the trainings, charts name their lines themselves. In a small window these names do not stay in sight.
  const alone = picture.isPrinted || innerWidth <= PHONE || innerHeight <= LOW
  for (const section of picture.sections) {
    section.targets = []
    settle(picture, section)
    const closed = isClosed(picture, section.panel)
    section.element.classList.toggle("closed", closed)
    section.fold.ariaExpanded = String(!closed)
    if (section.drawing.hidden || closed) {
      section.element.classList.remove("columns", "opened")
      section.equation = null
      continue
    }
    const { panel, rows } = section
    const isZoomed = isLarge && !isBare(section)
    const usual = picture.width >= SPACIOUS && !isZoomed ? LARGE : USUAL
    const inkOf = (/** @type {number} */ width) => {
      const { zoom, tall } = isZoomed ? enlarged(picture, section, width) : { zoom: 1, tall: Infinity }
      const largest = fittingCell(panel.fit, rows, usual + roomForDecimals(picture, section))
      const ink = { ...makeInk(look, width / zoom, largest, picture.widths, zoom), tall, alone }
      if (isBare(section)) return { ...ink, tall: tallestWhole(picture, rows, width) }
      return isLarge && isTile(picture, section) ? { ...ink, tall: tall + namesAbove(ink, rows) } : ink
    }
    const strips = (isZoomed && !isTile(picture, section) ? largeStrips : pageStrips)(picture, section, inkOf)
    section.targets = strips.flatMap(({ places }) => places).filter(canBePointedAt)
    stretch(picture, section, [...strips, legendStrip(section, strips[strips.length - 1])])
  }
  repaint(picture) // when all numbers have their places: A and B print them alike
}

// Returns the height of the names of the lines above charts, which take no room from their axes on a board.
/** @type {(ink: Ink, rows: Rows) => number} */
function namesAbove(ink, rows) {
  return Math.max(0, ...rows.flat().map((item) => (item.kind === "chart" ? kindOf(item).head(item, ink) - ABOVE_AXES : 0)))
}

// Returns by how much entries are larger, so that they have room for every decimal beyond the usual two. The size of an exercise is that of
// its longest number.
/** @type {(picture: Picture, section: Pick<Section, "panel" | "rows">) => number} */
function roomForDecimals({ data }, { panel, rows }) {
  const more = isUntitled(panel) ? Math.max(0, ...blocksOf(rows).map(({ more_decimals = 0 }) => more_decimals)) : 0
  return 7 * Math.max(0, data.decimals + more - 2)
}

// Whether a panel is only a drawing, such as that of an exercise.
/** @type {(panel: Panel) => boolean} */
function isUntitled({ title, playback, tile }) {
  return title === "" && !playback && !tile
}

// Whether it has a diagram.
/** @type {(section: Pick<Section, "panel" | "rows">) => boolean} */
function isBare({ panel, rows }) {
  return isUntitled(panel) && diagramAt(rows) >= 0
}

// Returns the largest height of a diagram that is whole in the window: on the first screen if it stands beside the other rows.
/** @type {(picture: Picture, rows: Rows, width: number) => number} */
function tallestWhole(picture, rows, width) {
  if (picture.isPrinted) return Infinity
  const diagrams = rows.flat().flatMap((item) => (item.kind === "diagram" ? [item.height] : []))
  const room = innerHeight - (width < picture.width ? AROUND_BARE : ABOVE)
  return Math.max(room, FLATTEST * Math.max(...diagrams))
}

// Returns how many times as large a drawing of this width is in the projector view, and its largest height in its own pixels.
/** @type {(picture: Picture, section: Section, width: number) => { zoom: number, tall: number }} */
function enlarged(picture, section, width) {
  if (isTile(picture, section)) {
    const zoom = Math.min(PROJECTED, Math.max(1, picture.width / PLAIN_BOARD))
    return { zoom, tall: ((innerHeight - ABOVE_TILES) / 2 - AROUND_TILE) / zoom }
  }
  const zoom = Math.min(section.most, Math.max(1, width / LEAST_ROOM))
  return { zoom, tall: (innerHeight - ABOVE_FIRST) / zoom - LEGENDS }
}

/** @type {(picture: Picture, section: Section, inkOf: (width: number) => Ink, rows: Rows) => StripLayout[]} */
function stripsOf(picture, section, inkOf, rows) {
  section.ink = inkOf(widthOf(picture, section))
  section.plan = planned(section.ink, rows, section.plan)
  standBesideWords(picture, section, inkOf)
  return stripBesideEquation(picture, section) ?? placed(section.ink, section.plan)
}

// Returns the diagram and the equation of its open gate as one strip, with the equation above the words, if the equation is legible
// there. Below the diagram, it would be out of sight.
/** @type {(picture: Picture, section: Section) => StripLayout[] | null} */
function stripBesideEquation(picture, section) {
  const { element, ink, plan, rows } = section
  const left = ink.limit + BETWEEN
  const at = diagramAt(rows)
  const others = rows.filter((_, index) => index !== at)
  const equation = isSlim(element) && others.length ? planned({ ...ink, limit: picture.width - left }, others, section.equation) : null
  section.equation = equation && equation.cell >= LEGIBLE_CELL ? equation : null
  element.classList.toggle("opened", section.equation !== null)
  if (!plan || !section.equation) return null
  const [diagram] = placed(ink, { ...plan, rows: [rows[at]] })
  const top = endOfTitle(section, section.equation.key)
  const lines = placed(ink, section.equation, { left, top })
  const bottom = Math.max(...lines.map(({ top, height }) => top + height))
  element.style.setProperty("--equation", `${bottom - top}px`)
  section.ink = { ...ink, limit: picture.width }
  return [{ ...diagram, height: Math.max(diagram.height, bottom), places: [diagram, ...lines].flatMap(({ places }) => places) }]
}

// Returns where the title ends, above an equation of this key. To measure it in each frame would be slow.
/** @type {(section: Section, equation: string) => number} */
function endOfTitle(section, equation) {
  const { title } = section
  const key = `${title.textContent} ${equation}`
  if (section.measured.key !== key) section.measured = { key, end: title.offsetTop + title.offsetHeight }
  return section.measured.end
}

// Whether slim words stand beside a diagram.
/** @type {(element: HTMLElement) => boolean} */
function isSlim({ classList }) {
  return classList.contains("columns") && classList.contains("slim")
}

// Puts many equations side by side in pairs, so that they are in sight together, if their entries stay nearly as large. The pairs stay
// while the plan stays.
/** @type {(picture: Picture, section: Section, inkOf: (width: number) => Ink) => StripLayout[]} */
function pageStrips(picture, section, inkOf) {
  const strips = (/** @type {boolean} */ isPaired) => {
    section.isPaired = isPaired
    return stripsOf(picture, section, inkOf, isPaired ? paired(section.rows) : section.rows)
  }
  const before = section.plan?.key
  const same = strips(section.isPaired)
  if (section.plan?.key === before) return same
  const single = section.isPaired ? strips(false) : same
  const fewest = isUntitled(section.panel) ? 2 : MANY
  if (!isWide(picture) || section.rows.length < fewest || !section.rows.every(isEquation)) return single
  const { cell } = section.plan ?? { cell: 0 }
  const inPairs = strips(true)
  return !isBroken(section) && section.plan && section.plan.cell >= NEARLY * cell ? inPairs : strips(false)
}

// Whether rows that stand in pairs are broken into several lines.
/** @type {(section: Section) => boolean} */
function isBroken({ plan, rows }) {
  return plan?.rows.length !== Math.ceil(rows.length / 2)
}

// Makes a drawing as large as possible in the projector view. If the window is too low, the drawing is smaller, or its rows stand
// side by side in pairs. The first drawing stands beside its words, if it is whole there. The size stays while the plan stays.
/** @type {(picture: Picture, section: Section, inkOf: (width: number) => Ink) => StripLayout[]} */
function largeStrips(picture, section, inkOf) {
  const strips = (/** @type {number} */ most, /** @type {boolean} */ isPaired, isFirst = false) => {
    Object.assign(section, { most, isPaired, isFirst })
    return stripsOf(picture, section, inkOf, isPaired ? paired(section.rows) : section.rows)
  }
  const before = section.plan?.key
  const same = strips(section.most, section.isPaired, section.isFirst)
  if (section.plan?.key === before) return same
  if (isOpening(picture, section)) {
    const first = zoomOfWhole(picture, section, strips(PROJECTED, false, true), innerHeight - ABOVE_FIRST)
    if (section.narrow && first >= 1) return strips(first, false, true)
  }
  const room = innerHeight - Math.max(ABOVE, around(section))
  const wholeAt = (/** @type {number} */ zoom) => zoomOfWhole(picture, section, strips(zoom, false), room)
  const below = section.panel.playback ? largestZoom(wholeAt) : wholeAt(PROJECTED)
  if (below >= LEGIBLE) return strips(below, false)
  const beside = section.rows.every(isEquation) ? zoomOfWhole(picture, section, strips(1, true), room) : 0
  if (Math.max(below, beside) < 1) return strips(LEGIBLE, false)
  return strips(Math.max(below, beside), beside > below)
}

// Returns the height of what stands above a drawing with a playback slider in its panel, and of the words that the slider changes.
/** @type {(section: Section) => number} */
function around({ drawing, note, panel }) {
  return panel.playback ? drawing.offsetTop + note.offsetHeight + NOTE : 0
}

// Returns the largest zoom with which a drawing is whole. A smaller zoom leaves more width to the entries, so the drawing may become too
// tall again.
/** @type {(wholeAt: (zoom: number) => number) => number} */
function largestZoom(wholeAt) {
  const first = wholeAt(PROJECTED)
  if (first < 1 || wholeAt(first) >= first) return first
  let [low, high] = [1, first]
  for (let trial = 0; trial < TRIALS; trial++) {
    const middle = (low + high) / 2
    if (wholeAt(middle) >= middle) low = middle
    else high = middle
  }
  return Math.min(low, wholeAt(low))
}

// Returns how many times as large a drawing can be and still be whole in the window.
/** @type {(picture: Picture, section: Section, strips: StripLayout[], room: number) => number} */
function zoomOfWhole(picture, section, strips, room) {
  const { ink, plan, isPaired } = section
  const { top, height } = legendStrip(section, strips[strips.length - 1])
  const low = room / (top + height)
  if (!isPaired) return low >= ink.zoom ? PROJECTED : low
  return !plan || isBroken(section) ? 0 : Math.min(PROJECTED, low, widthOf(picture, section) / widthOfPlan(ink, plan))
}

// Whether a drawing would not be on the first screen below the callout and the player of its panel. A diagram stands beside them anyway.
/** @type {(picture: Picture, section: Section) => boolean} */
function isOpening(picture, section) {
  const { callout, playback } = section.panel
  return section === picture.sections[0] && !hasDiagram(section) && Boolean(callout || playback) && !isSideBySide(picture)
}

/** @type {(section: Section) => boolean} */
function hasDiagram({ rows }) {
  return diagramAt(rows) >= 0
}

/** @type {(rows: Rows) => number} */
function diagramAt(rows) {
  return rows.findIndex((items) => items.some(({ kind }) => kind === "diagram"))
}

/** @type {(items: Item[]) => boolean} */
function isEquation(items) {
  return items.some(({ kind }) => kind === "op")
}

// Puts the words of a panel beside its drawing, unless the drawing would become smaller or need more lines. A diagram
// may have any size from LEAST_ROOM on, also in the projector view. There the words stand beside any drawing that leaves room for them.
/** @type {(picture: Picture, section: Section, inkOf: (width: number) => Ink) => void} */
function standBesideWords(picture, section, inkOf) {
  const isProjected = picture.isProjected && !isBare(section)
  const isAnySize = hasDiagram(section) || (isProjected && section.isFirst)
  // The large words of the projector view need the usual width.
  const areSlim = isAnySize && !isProjected
  const room = picture.width - (areSlim ? WORDS_OF_DIAGRAM : WORDS)
  const ink = inkOf(room)
  const least = isBare(section) ? LEAST_ROOM_BARE : LEAST_ROOM
  const hasRoom = isAnySize ? room >= least && !picture.isPrinted : isWide(picture)
  const isOnPage = !picture.isPrinted && !section.panel.side && !isTile(picture, section)
  section.narrow = hasRoom && isOnPage ? planned(ink, section.rows, section.narrow) : null
  const { plan, narrow } = section
  const isBeside = narrow !== null && plan !== null && (isAnySize || (narrow.cell >= plan.cell && narrow.rows.length === plan.rows.length))
  const { zoom } = section.ink
  const isLeft = isProjected && isOnPage && plan !== null && widthOfPlan(section.ink, plan) * zoom <= room
  section.element.classList.toggle("columns", isBeside || isLeft)
  section.element.classList.toggle("slim", areSlim)
  section.element.classList.toggle("untitled", isUntitled(section.panel))
  if (isBeside) Object.assign(section, { ink, plan: narrow })
  else if (isLeft) section.ink = { ...section.ink, limit: room / zoom }
}

/** @type {(place: Place) => place is Target} */
function canBePointedAt({ item }) {
  return isTarget(item)
}

// The largest side of a cell with which a panel is as wide, or as tall, as it wants to be. That grows with the largest entry.
/** @type {(fit: HeatmapSize | null, rows: Rows, largest: number) => number} */
function fittingCell(fit, rows, largest) {
  if (!fit) return largest
  const most = Math.max(...blocksOf(rows).map((block) => block[fit.axis]))
  return Math.min(largest, Math.max(fit.smallest, (fit.pixels * largest) / USUAL / most))
}

/** @type {(section: Section, above: StripLayout) => StripLayout} */
function legendStrip({ equation, ink, panel, rows }, above) {
  const limit = equation ? ink.limit - WORDS_OF_DIAGRAM : ink.limit
  const { legends, note, lines } = placeLegends({ ...ink, limit }, panel.legends, blocksOf(rows).length > 0)
  return { top: above.top + above.height, height: lines && LEGEND.height * lines + 4, places: [], legends, note }
}

// A canvas for each row: one for the whole panel would be drawn as a whole, in sight or not.
/** @type {(picture: Picture, section: Section, strips: StripLayout[]) => void} */
function stretch(picture, section, strips) {
  for (const { canvas } of section.strips.splice(strips.length)) {
    picture.sight.unobserve(canvas)
    canvas.remove()
  }
  strips.forEach((strip, index) => {
    const { canvas } = (section.strips[index] = Object.assign(section.strips[index] ?? addCanvas(section), strip))
    // On paper a drawing keeps its proportions at any size.
    canvas.style.height = picture.isPrinted ? "auto" : `${strip.height * section.ink.zoom}px`
    picture.sight.observe(canvas)
  })
}

/** @type {(section: Section) => Pick<Strip, "canvas" | "context" | "hidden" | "stale">} */
function addCanvas({ drawing }) {
  const canvas = drawing.appendChild(document.createElement("canvas"))
  return { canvas, context: contextOf(canvas), hidden: false, stale: true }
}

// Repaints when everything has its place, and after a change of the hovered entry. All places stay.
/** @type {(picture: Picture) => void} */
export function repaint(picture) {
  for (const section of picture.sections) refresh(picture, section)
}

/** @type {(picture: Picture, section: Section) => void} */
export function refresh(picture, section) {
  if (section.drawing.hidden || isClosed(picture, section.panel)) return
  writeDifferences(section, picture.step, picture.data.decimals)
  const other = otherSide(picture, section)
  const [places, others] = [section, other].map((one) => one?.strips.flatMap(({ places }) => places) ?? [])
  const text = print(section.ink, places, picture.step, picture.data.decimals, others)
  for (const strip of section.strips) strip.stale = true
  const { note } = section.strips[section.strips.length - 1]
  if (note) note.text = text
  paint(picture, section)
}

// While a key is held on a slider, only what is in sight is painted; the rest when it comes into sight.
/** @type {(pictureOf: () => Picture) => IntersectionObserver} */
export function watch(pictureOf) {
  return new IntersectionObserver(
    (changes) => {
      const picture = pictureOf()
      for (const { target, isIntersecting } of changes) {
        for (const section of picture.sections) {
          const strip = section.strips.find(({ canvas }) => canvas === target)
          if (!strip) continue
          strip.hidden = !isIntersecting
          if (isIntersecting) paint(picture, section)
        }
      }
    },
    { rootMargin: "100px" },
  )
}

/** @type {(picture: Picture, section: Section) => void} */
function paint(picture, section) {
  for (const strip of section.strips) {
    if (strip.hidden || !strip.stale) continue
    strip.stale = false
    const ratio = picture.isPrinted ? PRINTED : window.devicePixelRatio || 1
    clear(strip, section.ink.limit, ratio * section.ink.zoom)
    paintStrip(picture, { ...section.ink, context: strip.context }, strip)
  }
}

/** @type {(strip: Strip, width: number, ratio: number) => void} */
function clear({ canvas, context, top, height }, width, ratio) {
  const [wide, tall] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== wide || canvas.height !== tall) Object.assign(canvas, { width: wide, height: tall })
  context.setTransform(ratio, 0, 0, ratio, 0, -top * ratio)
  context.clearRect(0, top, width, height)
}

// The strips of a file, in which charts name their lines.
/** @type {(picture: Painted, section: Section) => StripLayout[]} */
export function stripsAlone({ data, step }, section) {
  const { plan, rows, strips } = section
  if (!plan || !partsOf(rows).some((part) => part.kind === "chart" && part.keyed)) return strips
  const ink = { ...section.ink, alone: true }
  const own = placed(ink, plan)
  print(ink, own.flatMap(({ places }) => places), step, data.decimals)
  return [...own, legendStrip(section, own[own.length - 1])]
}

/** @type {(picture: Painted, ink: Brush, strip: StripLayout) => void} */
export function paintStrip(picture, ink, { top, places, legends, note }) {
  for (const place of places) kindOf(place.item).draw(picture, ink, place)
  drawLegends(picture, ink, legends, top)
  if (!note?.text) return // which only the last strip may have
  setFont(ink, SMALL.font)
  Object.assign(ink.context, { textAlign: "left", fillStyle: ink.look.text })
  ink.context.fillText(note.text, note.x, top + note.line * LEGEND.height + 15)
}

/** @type {(picture: Painted, ink: Brush, legends: PlacedLegend[], top: number) => void} */
function drawLegends({ data }, ink, legends, top) {
  const { context, look } = ink
  setFont(ink, SMALL.font)
  context.textAlign = "left"
  for (const { x, line, text, palette, low, high, key } of legends) {
    const y = top + key.line * LEGEND.height + 6
    const table = colours(data.palettes[palette], look)
    const bar = key.x + ink.width(low, SMALL.font) + 5
    // Each colour reaches to the end, or the page would show between two of them where pixels do not meet.
    for (let index = 0; index < LEGEND.colours; index++) {
      const start = (index * LEGEND.bar) / LEGEND.colours
      context.fillStyle = table[Math.round((index * 255) / (LEGEND.colours - 1))].css
      context.fillRect(bar + start, y, LEGEND.bar - start, 10)
    }
    context.fillStyle = look.text
    context.fillText(text, x, top + line * LEGEND.height + 15)
    context.fillText(low, key.x, y + 9)
    context.fillText(high, bar + LEGEND.bar + 5, y + 9)
  }
}
