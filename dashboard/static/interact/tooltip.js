// @ts-check
// The tooltip of the entry that is pointed at.

import { kindOf } from "../picture/items.js"
import { put } from "../picture/panel_text.js"
import { stop } from "./product_animation.js"

/** @import { Anchor, Motion, Picture, Pointed } from "../types.js" */

// The tip stands below its place, or above it where the window ends.
/** @type {(picture: Picture, pointed: Pointed) => void} */
export function showTip(picture, pointed) {
  const { tip, host, width, step, data, isExact, motion } = picture
  const { place, row, column } = pointed
  put(tip, kindOf(place.item).describe(place.item, row, column, step, isExact ? null : data.decimals))
  tip.style.left = "0" // or its width is what was left of the last place
  const where = motion ? aside(picture, pointed, motion) : pointed.where
  const left = Math.min(where.left, width - tip.offsetWidth)
  const above = host.getBoundingClientRect().top + where.bottom + tip.offsetHeight > innerHeight
  const top = above ? where.top - tip.offsetHeight : where.bottom
  Object.assign(tip.style, { left: `${Math.max(0, left)}px`, top: `${top}px` })
}

// Below all that moves, or it would stand before it; no lower than the window, and not before the place itself.
/** @type {(picture: Picture, pointed: Pointed, motion: Motion) => Anchor} */
function aside({ host, tip }, { section, where }, { bottom }) {
  const page = host.getBoundingClientRect().top
  const below = Math.min(section.drawing.getBoundingClientRect().top - page + bottom, innerHeight - page - tip.offsetHeight)
  return { ...where, bottom: Math.max(where.bottom, below) }
}

/** @type {(picture: Picture) => void} */
export function hide(picture) {
  stop(picture)
  picture.tip.hidden = true
  picture.pointed = null
  picture.cursor.remove()
}
