// @ts-check
// The motion of the sum under the pointer: its row of weights moves onto the stacked input, the products appear beside it, and
// add up. Elements over the drawing, which exist only while the pointer is on such a number.

import { isMatrix } from "../picture/block.js"
import { fitting, textOf } from "../picture/printed_digits.js"
import { SMALL } from "../picture/theme.js"
import { numbersAt } from "../picture/arrays.js"

/** @import { BlockPlace, Picture, Pointed, Print, Spot } from "../types.js" */

/**
 * @typedef {{ text: string, at: Spot, font: number }} Printed
 * @typedef {{ weight: string, from: Spot, over: Spot, product: string, beside: Spot, font: number }} Term
 * @typedef {{ terms: Term[], bias: Printed | null, result: Printed, bottom: number }} Sum What is added up in a row.
 * @typedef {BlockPlace & { print: Print, printed: string[] }} PrintedPlace
 */

// With more columns, nobody could follow each product.
const MOST = 16
// In milliseconds from the start: the last weight has landed, the products appear, they leave, they are added, the motion ends.
const [LANDED, MULTIPLIED, LEAVE, ADDED, END] = [650, 700, 850, 1250, 1400]
const FLIGHT = 450

/** @type {(picture: Picture) => void} */
export function stop(picture) {
  picture.motion?.element.remove()
  picture.motion = null
}

// Still where the reader wants nothing to move, or has seen it move already: then all is there at once.
/** @type {(picture: Picture, isStill?: boolean) => void} */
export function animateProduct(picture, isStill = matchMedia("(prefers-reduced-motion: reduce)").matches) {
  stop(picture)
  const sum = picture.pointed && sumOf(picture, picture.pointed)
  if (!picture.pointed || !sum) return
  const { drawing, ink } = picture.pointed.section
  const element = Object.assign(document.createElement("div"), { className: "motion", ariaHidden: "true" })
  element.style.cssText = `transform: scale(${ink.zoom}); --accent: ${ink.look.accent}`
  drawing.append(element)
  const { terms, bias, result, bottom } = sum
  picture.motion = { element, bottom } // where it ends, in pixels of the page from the top of its drawing
  /** @type {(spot: Spot, text: string, font: number, className: string, start: number, end: number) => void} */
  const comes = (spot, text, font, className, start, end) => {
    const cell = addCell(element, spot, text, font, className)
    if (!isStill) cell.animate({ opacity: [0, 1] }, { delay: start, duration: end - start, fill: "both" })
  }
  /** @type {(from: Spot, to: Spot, text: string, font: number, start: number, end: number) => void} */
  const flies = (from, to, text, font, start, end) => {
    if (!isStill) fly(addCell(element, from, text, font, "flying"), from, to, start, end)
  }
  terms.forEach(({ weight, from, over, product, beside, font }, index) => {
    flies(from, over, weight, font, (index * (LANDED - FLIGHT)) / terms.length, LEAVE)
    comes(beside, product, font, "product", LANDED, MULTIPLIED)
    flies(beside, result.at, product, font, LEAVE, ADDED)
  })
  if (bias) flies(bias.at, result.at, bias.text, bias.font, LEAVE, ADDED)
  comes(result.at, result.text, result.font, "result", ADDED, END)
}

// Returns the sum of the hovered row with the places of its numbers, or null unless all of them are printed.
/** @type {(picture: Picture, pointed: Pointed) => Sum | null} */
function sumOf({ step, data }, { section, place, row }) {
  if (!isMatrix(place)) return null
  const matrices = section.targets.filter(isMatrix)
  const named = place.item.product.map((symbol) => matrices.find(({ item }) => item.symbol === symbol))
  const all = [place, ...named].filter(isPrinted)
  const [result, W, stack, b] = all
  if (!stack || W.item.columns > MOST || all.length <= named.length) return null
  const [weights, inputs] = [W, stack].map(({ item }) => numbersAt(item, step))
  const columns = Array.from({ length: W.item.columns }, (_, column) => row * W.item.columns + column)
  const products = columns.map((index, column) => weights[index] * inputs[column])
  const fit = fitting(section.ink, products, stack.cell, data.decimals)
  if (!fit) return null
  const { font } = fit
  const terms = columns.map((index, column) => ({
    ...{ weight: W.printed[index], from: spot(W, row, column), over: spot(stack, column, 0), font },
    ...{ product: textOf(products[column], fit), beside: spot(stack, column, 1.1) },
  }))
  const printed = (/** @type {PrintedPlace} */ part) => ({ text: part.printed[row], at: spot(part, row, 0), font: part.print.font })
  const bottom = Math.max(...all.map(({ y, height }) => y + height)) + SMALL.height
  return { terms, bias: b ? printed(b) : null, result: printed(result), bottom: bottom * section.ink.zoom }
}

/** @type {(part: BlockPlace | undefined) => part is PrintedPlace} */
function isPrinted(part) {
  return Boolean(part?.print && part.printed?.length && !part.item.mean)
}

/** @type {(place: BlockPlace, row: number, column: number) => Spot} */
function spot({ x, y, across, down }, row, column) {
  return { left: x + column * across, top: y + row * down, width: across, height: down }
}

/** @type {(motion: HTMLElement, spot: Spot, text: string, font: number, className: string) => HTMLElement} */
function addCell(motion, spot, text, font, className) {
  const element = motion.appendChild(Object.assign(document.createElement("span"), { textContent: text, className }))
  putAt(element, spot, 1)
  element.style.fontSize = `${font}px`
  return element
}

// Puts an element at a place of the drawing.
/** @type {(element: HTMLElement, spot: Spot, zoom: number) => void} */
export function putAt(element, { left, top, width, height }, zoom) {
  const [x, y, across, down] = [left, top, width, height].map((pixels) => `${pixels * zoom}px`)
  Object.assign(element.style, { left: x, top: y, width: across, height: down })
}

// Seen only from the start to the end, and there in time.
/** @type {(cell: HTMLElement, from: Spot, to: Spot, start: number, end: number) => void} */
function fly(cell, from, to, start, end) {
  const transform = `translate(${to.left - from.left}px, ${to.top - from.top}px)`
  const offset = Math.min(1, FLIGHT / (end - start))
  const frames = [{ transform: "none", easing: "ease-in-out" }, { transform, offset }, { transform }]
  cell.animate(frames.map((frame) => ({ ...frame, opacity: 1 })), { delay: start, duration: end - start })
}
