// @ts-check
// The kinds of items that the rows of a panel are made of, by the names that drawing/matrices.py gives them.

import { GAP, NAME, drawName, nameWidth } from "./theme.js"
import { block, unpackBlock } from "./block.js"
import { box } from "./box.js"
import { chain } from "./chain.js"
import { diagram } from "./diagram.js"
import { chart, curve } from "./plot.js"

/**
 * @import {
 *   Block, Column, Item, ItemKind, KindOf, Op, Part, PartKind, PictureData, PlaceOf, Rows, SentColumn,
 * } from "../types.js"
 */

// Between two matrices.
/** @type {PartKind<Op, Op, PlaceOf<Op>>} */
const op = {
  unpack: (item) => item,
  parts: (item) => [item],
  follows: ({ symbol, align }) => [symbol, align],
  size: (ink, { symbol }) => ({ width: nameWidth(ink, symbol) + 8, height: 0 }),
  head: () => 0,
  rows: () => Infinity,
  place: (ink, item, { x, y, middle }) => [{ item, x: x + 4, y: y + middle + NAME.font / 3 }],
  draw: (picture, ink, { item, x, y }) => drawName(ink, item.symbol, x, y),
  moves: () => false,
  grid: () => ({ rows: 0, columns: 0 }),
}

// Items on top of each other.
/** @type {ItemKind<Column, SentColumn>} */
const column = {
  unpack: (item, blocks) => ({ ...item, parts: item.parts.map((part) => kindOf(part).unpack(part, blocks)) }),
  parts: ({ parts }) => parts.flatMap((part) => kindOf(part).parts(part)),
  follows: ({ parts }) => parts.map(follows),
  size(ink, { parts }, cell) {
    const sizes = parts.map((part) => kindOf(part).size(ink, part, cell))
    return {
      width: Math.max(...sizes.map(({ width }) => width)),
      height: sizes.reduce((sum, { height }) => sum + height + GAP, -GAP),
    }
  },
  head: ({ parts }, ink) => kindOf(parts[0]).head(parts[0], ink),
  rows: ({ parts }) => kindOf(parts[0]).rows(parts[0]),
  place(ink, { parts }, { y, ...where }) {
    return parts.flatMap((part) => {
      const places = kindOf(part).place(ink, part, { ...where, y })
      y += kindOf(part).size(ink, part, where.cell).height + GAP
      return places
    })
  },
}

// `ItemKind` in types.d.ts says what each of their functions does.
export const KINDS = { op, column, block, box, curve, chart, diagram, chain }

/**
 * @template {{ kind: keyof typeof KINDS }} I
 * @param {I} item
 * @returns {KindOf<I>}
 */
export function kindOf({ kind }) {
  return /** @type {KindOf<I>} */ (/** @type {unknown} */ (KINDS[kind]))
}

/** @type {(item: Item) => unknown[]} */
export function follows(item) {
  return [item.kind, kindOf(item).follows(item)]
}

// The rows of each panel, with their numbers; a block may stand in several of them.
/** @type {(data: PictureData) => Rows[]} */
export function unpack({ panels, blocks, packed }) {
  const whole = blocks.map((block) => unpackBlock(block, packed))
  return panels.map(({ rows }) => rows.map((items) => items.map((item) => kindOf(item).unpack(item, whole))))
}

/** @type {(rows: Rows) => Part[]} */
export function partsOf(rows) {
  return rows.flat().flatMap((item) => kindOf(item).parts(item))
}

/** @type {(rows: Rows) => Block[]} */
export function blocksOf(rows) {
  return partsOf(rows).filter((part) => part.kind === "block")
}

// Whether there is something in it to point at.
/** @type {(item: Part) => boolean} */
export function isTarget(item) {
  const { rows, columns } = kindOf(item).grid(item)
  return rows * columns > 0
}
