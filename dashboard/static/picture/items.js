// The kinds of items that the rows of a panel are made of, by the names that picture.py gives them.

import { GAP, NAME, drawName, nameWidth } from "./theme.js"
import { block, unpackBlock } from "./block.js"
import { box } from "./box.js"
import { chart, curve } from "./plot.js"

// Between two matrices.
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
const column = {
  unpack: (item, blocks) => ({ ...item, parts: item.parts.map((part) => kindOf(part).unpack(part, blocks)) }),
  parts: ({ parts }) => parts,
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

/* Each kind has these functions. A place is an item with where it is drawn, in pixels of its drawing.

unpack(item, blocks)     the item with its numbers
parts(item)              itself, or what it is made of: a column has no place, but its parts have
follows(item)            what its size follows from
size(ink, item, cell)    its width and height, with cells of that side
head(item, ink)          how much of the height is above its body
rows(item)               how many cells its body is tall
place(ink, item, where)  its places; where are the x and y of its body, the side of a cell, and how far below y the
                         middle of the shortest of its row is
draw(picture, ink, place)
moves(item)              whether it looks different at another step of the scrub
grid(item)               how many rows and columns there are to point at; if any, it also has
  at(place, left, top, step)         the row and column there, or null
  spot(place, row, column, step)     where they are
  describe(item, row, column, step, decimals)  what the tip says of them; without decimals in all digits */
export const KINDS = { op, column, block, box, curve, chart }

export function kindOf({ kind }) {
  return KINDS[kind]
}

export function follows(item) {
  return [item.kind, kindOf(item).follows(item)]
}

// The rows of each panel, with their numbers; a block may stand in several of them.
export function unpack({ panels, blocks, packed }) {
  const whole = blocks.map((block) => unpackBlock(block, packed))
  return panels.map(({ rows }) => rows.map((items) => items.map((item) => kindOf(item).unpack(item, whole))))
}

export function partsOf(rows) {
  return rows.flat().flatMap((item) => kindOf(item).parts(item))
}

// Whether there is something in it to point at.
export function isTarget(item) {
  const { rows, columns } = kindOf(item).grid(item)
  return rows * columns > 0
}
