// How the number that is pointed at comes about: its row of weights flies onto the stack, the products come out beside it, and
// add up. Elements over the drawing, which are there only while such a number is pointed at.

import { fitting } from "../picture/block.js"
import { SMALL } from "../picture/theme.js"
import { numbersAt } from "../picture/arrays.js"
import { number } from "../picture/text.js"

// Of more columns nobody could follow each.
const MOST = 16
// In milliseconds: when the last weight has landed, from when on there are products, when they leave, and when they are added.
const [LANDED, MULTIPLIED, LEAVE, ADDED, END] = [650, 700, 850, 1250, 1400]
const FLIGHT = 450

export function stop(picture) {
  picture.motion?.element.remove()
  picture.motion = null
}

// Still where the reader wants nothing to move, or has seen it move already: then all is there at once.
export function move(picture, isStill = matchMedia("(prefers-reduced-motion: reduce)").matches) {
  stop(picture)
  const sum = picture.pointed && sumOf(picture)
  if (!sum) return
  const { drawing, ink } = picture.pointed.section
  const element = Object.assign(document.createElement("div"), { className: "motion", ariaHidden: "true" })
  element.style.cssText = `transform: scale(${ink.zoom}); --accent: ${ink.look.accent}`
  drawing.append(element)
  const { terms, bias, result, bottom } = sum
  picture.motion = { element, bottom } // where it ends, in pixels of the page from the top of its drawing
  const comes = (spot, text, font, className, start, end) => {
    const cell = addCell(element, spot, text, font, className)
    if (!isStill) cell.animate({ opacity: [0, 1] }, { delay: start, duration: end - start, fill: "both" })
  }
  const flies = (from, to, text, font, start, end) => isStill || fly(addCell(element, from, text, font, "flying"), from, to, start, end)
  terms.forEach(({ weight, from, over, product, beside, font }, index) => {
    flies(from, over, weight, font, (index * (LANDED - FLIGHT)) / terms.length, LEAVE)
    comes(beside, product, font, "product", LANDED, MULTIPLIED)
    flies(beside, result.at, product, font, LEAVE, ADDED)
  })
  if (bias) flies(bias.at, result.at, bias.text, bias.font, LEAVE, ADDED)
  comes(result.at, result.text, result.font, "result", ADDED, END)
}

// What is added up in the row that is pointed at, with the places of all numbers; nothing unless all of them are printed.
function sumOf({ pointed, step, data }) {
  const { section, place, row } = pointed
  const named = (place.item.product ?? []).map((symbol) => section.targets.find(({ item }) => item.symbol === symbol))
  const [W, stack, b] = named
  if (!W || W.item.columns > MOST || ![place, ...named].every((part) => part?.printed?.length && !part.item.mean)) return null
  const [weights, inputs] = [W, stack].map(({ item }) => numbersAt(item, step))
  const columns = Array.from({ length: W.item.columns }, (_, column) => row * W.item.columns + column)
  const products = columns.map((index, column) => weights[index] * inputs[column])
  const { font, decimals, mantissa } = fitting(section.ink, products, stack.cell, data.decimals)
  if (!font) return null
  const terms = columns.map((index, column) => ({
    ...{ weight: W.printed[index], from: spot(W, row, column), over: spot(stack, column, 0), font },
    ...{ product: number(products[column], decimals, mantissa), beside: spot(stack, column, 1.1) },
  }))
  const printed = (part) => ({ text: part.printed[row], at: spot(part, row, 0), font: part.print.font })
  const bottom = Math.max(...[place, ...named].map(({ y, height }) => y + height)) + SMALL.height
  return { terms, bias: b && printed(b), result: printed(place), bottom: bottom * section.ink.zoom }
}

function spot({ x, y, across, down }, row, column) {
  return { left: x + column * across, top: y + row * down, width: across, height: down }
}

function addCell(motion, spot, text, font, className) {
  const element = motion.appendChild(Object.assign(document.createElement("span"), { textContent: text, className }))
  for (const [side, pixels] of Object.entries(spot)) element.style[side] = `${pixels}px`
  element.style.fontSize = `${font}px`
  return element
}

// Seen only from the start to the end, and there in time.
function fly(cell, from, to, start, end) {
  const transform = `translate(${to.left - from.left}px, ${to.top - from.top}px)`
  const offset = Math.min(1, FLIGHT / (end - start))
  const frames = [{ transform: "none", easing: "ease-in-out" }, { transform, offset }, { transform }]
  cell.animate(frames.map((frame) => ({ ...frame, opacity: 1 })), { delay: start, duration: end - start })
}
