// @ts-check
// The board: in a wide window panels stand side by side, below a playback slider that stays in sight.

import { part } from "../elements.js"
import { isSideBySide } from "./compare.js"

/** @import { Panel, Picture, Section } from "../types.js" */

// In pixels of the page: from this width of the picture on, it has columns.
const WIDE = 820
const COLUMNS = 6
const BETWEEN = 24

/** @type {(picture: Pick<Picture, "width" | "isProjected" | "isPrinted">) => boolean} */
export function isWide({ width, isProjected, isPrinted }) {
  return width >= WIDE && !isProjected && !isPrinted
}

// In the projector view only a picture with a playback slider that stays is a board: what it moves is in sight together.
/** @type {(picture: Picture) => boolean} */
export function isBoard(picture) {
  const { panels } = picture.data
  const isShown = picture.isProjected && panels.some(isBar) ? isWide({ ...picture, isProjected: false }) : isWide(picture)
  return isShown && !isSideBySide(picture) && panels.some(({ tile }) => tile)
}

// Whether a panel is the playback slider of the whole picture.
/** @type {(panel: Panel) => boolean} */
export function isBar({ playback, rows }) {
  return playback !== null && !rows.length
}

// Whether a panel shares its row with others.
/** @type {(picture: Picture, section: Pick<Section, "panel">) => boolean} */
export function isTile(picture, { panel }) {
  return panel.tile !== null && panel.tile.columns < COLUMNS && isBoard(picture)
}

// Returns the width of a panel.
/** @type {(picture: Picture, section: Pick<Section, "panel">) => number} */
export function widthOf(picture, { panel }) {
  if (isSideBySide(picture) && panel.side) return Math.floor((picture.width - BETWEEN) / 2)
  const columns = isTile(picture, { panel }) && panel.tile ? panel.tile.columns : COLUMNS
  return Math.floor(((picture.width + BETWEEN) * columns) / COLUMNS) - BETWEEN
}

// Puts a panel into its place on the page. Only within the whole picture can the playback slider stay in sight.
/** @type {(picture: Picture, section: Section) => void} */
export function settle(picture, { element, panel }) {
  const panels = part(picture.host, ".panels")
  element.classList.toggle("tile", isTile(picture, { panel }))
  element.classList.toggle("bare", Boolean(panel.tile?.bare) && isBoard(picture))
  element.classList.toggle("bar", isBar(panel))
  if (isBar(panel) && element.parentElement === panels) panels.before(element)
  if (!isBar(panel) && element.parentElement !== panels) panels.append(element)
  element.style.setProperty("--columns", String(panel.tile?.columns ?? COLUMNS))
  element.style.setProperty("--rows", String(panel.tile?.rows ?? 1))
}
