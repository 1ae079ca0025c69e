// Which panels stand side by side, and how wide they are.

import assert from "node:assert/strict"
import test from "node:test"
import { isBar, isBoard, isTile, widthOf } from "../../dashboard/static/picture/panel_columns.js"

const panel = (columns, more = {}) => ({ side: "", playback: null, rows: [[]], tile: columns ? { columns, rows: 1 } : null, ...more })
const pictureOf = (width, panels, more = {}) => ({ width, data: { panels }, isProjected: false, isPrinted: false, ...more })
const thirds = [panel(2), panel(2), panel(2)]

test("tiles of a row have its width together, with gaps of equal size", () => {
  for (const width of [820, 1076, 1372]) {
    for (const columns of [1, 2, 3, 6]) {
      const picture = pictureOf(width, [panel(columns)])
      const across = 6 / columns
      const all = across * widthOf(picture, { panel: panel(columns) }) + (across - 1) * 24
      assert.ok(all <= width && all > width - across, `${across} in ${width}`)
    }
  }
})

test("a narrow window, the projector view and paper have one column", () => {
  for (const picture of [pictureOf(819, thirds), pictureOf(1200, thirds, { isProjected: true }), pictureOf(1200, thirds, { isPrinted: true })]) {
    assert.ok(!isBoard(picture) && !isTile(picture, { panel: thirds[0] }))
    assert.equal(widthOf(picture, { panel: thirds[0] }), picture.width)
  }
  assert.ok(isTile(pictureOf(820, thirds), { panel: thirds[0] }))
})

test("in the projector view a playback slider that stays makes a board", () => {
  const bar = panel(6, { playback: {}, rows: [] })
  const shown = pictureOf(1190, [bar, ...thirds], { isProjected: true })
  assert.ok(isBoard(shown) && isTile(shown, { panel: thirds[0] }))
  assert.ok(widthOf(shown, { panel: thirds[0] }) < 400)
  assert.ok(!isBoard(pictureOf(819, [bar, ...thirds], { isProjected: true })))
})

test("a picture without tiles is no board, and neither is a comparison", () => {
  assert.ok(!isBoard(pictureOf(1200, [panel(0), panel(0)])))
  const compared = pictureOf(1200, [panel(3, { side: "A" }), panel(3, { side: "B" })])
  assert.ok(!isBoard(compared))
  assert.equal(widthOf(compared, { panel: compared.data.panels[0] }), 588)
})

test("a playback slider without a drawing is that of the whole picture", () => {
  assert.ok(isBar(panel(0, { playback: {}, rows: [] })))
  assert.ok(!isBar(panel(0, { playback: {} })) && !isBar(panel(0, { rows: [] })))
})
