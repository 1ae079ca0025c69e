// @ts-check
// Pending values: of dragged sliders, typed fields and playback, until a release writes them to the URL. The picture follows them over
// the drag channel. A change of another setting writes them too.

import { DragChannel } from "./drag_channel.js"
import { unlessDefault } from "./query.js"
import * as url from "./url.js"

/** @import { Changes, DrawnControl, Moved, PictureData } from "../types.js" */

// In milliseconds: key presses count as released after so long without another one.
const REST = 300

/** @type {Map<string, string | null>} */
const pending = new Map() // by the name of the setting
/** @type {Map<number, string>} */
const heldSliders = new Map() // the name of the slider under each pointer, by the id of the pointer
/** @type {Map<Element, Map<string, DrawnControl>>} */
export const drawn = new Map() // the controls on the page by name, for the element of each component
let frame = 0
let rest = 0

// `draw`, `refused` and `moved` of the picture of the page.
/** @type {{ draw: (data: PictureData) => void, refused: (isRefused: boolean) => void, moved: Moved } | null} */
let picture = null
const channel = new DragChannel({
  draw: (data) => {
    picture?.draw(data)
    picture?.refused(false)
  },
  refused: () => {
    url.rerun()
    picture?.refused(true)
  },
})

url.listen("history", () => {
  clearTimeout(rest)
  rest = 0
  pending.clear()
  for (const controls of drawn.values()) for (const control of controls.values()) control.isTyped = false
})

// ---- for the picture ----

// Takes note that a run has drawn the picture. Pending values need another picture, except those that `moved` shows itself.
/** @type {(path: string, draw: (data: PictureData) => void, refused: (isRefused: boolean) => void, moved: Moved) => void} */
export function pictureDrawn(path, draw, refused, moved) {
  picture = { draw, refused, moved }
  channel.connect(new URL(path, location.href).href.replace("http", "ws"))
  channel.answered()
  if ([...pending].some(([name, text]) => !moved(name, text))) askForPicture()
}

/** @type {(draw: (data: PictureData) => void) => void} */
export function pictureRemoved(draw) {
  if (picture?.draw !== draw) return
  picture = null
  channel.connect(null)
}

// Returns the text of a setting: the pending one, that of the URL, or the default of its control. Null without a control.
/** @type {(name: string) => string | null} */
export function valueOf(name) {
  if (pending.has(name)) return pending.get(name) ?? null
  const texts = url.params().getAll(name)
  return texts.length === 1 ? texts[0] : (controlOf(name)?.given.default ?? null)
}

// Moves a setting as a reader moves its slider. `commit` writes it to the URL.
/** @type {(name: string, text: string | null) => void} */
export function moveControl(name, text) {
  const control = controlOf(name)
  if (control && text !== null && !control.isTyped) control.set(text)
  followPending(name, text)
}

function askForPicture() {
  frame = 0
  channel.ask(url.query(changes([...pending.keys()])))
}

// ---- from a change to the URL ----

// At the window: a slider may have left the page before the pointer is released.
for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
  addEventListener(end, ({ pointerId }) => { if (heldSliders.delete(pointerId)) commit() }, true)
}

// Returns the pending text of a setting, which is null for its default, or undefined if none is pending.
/** @type {(name: string) => string | null | undefined} */
export function pendingText(name) {
  return pending.get(name)
}

// Forgets the pending value of a setting that has left the page.
/** @type {(name: string) => void} */
export function forgetPending(name) {
  if (!controlOf(name)) pending.delete(name)
}

// Takes a value from the hands of the reader: a series of key presses goes on.
/** @type {(name: string, text: string | null) => void} */
export function setPending(name, text) {
  clearTimeout(rest)
  followPending(name, text)
}

// Takes note of the slider under a pointer.
/** @type {(name: string, pointerId: number) => void} */
export function holdSlider(name, pointerId) {
  heldSliders.set(pointerId, name)
}

/** @type {(name: string, text: string | null) => void} */
function followPending(name, text) {
  pending.set(name, text)
  if (!picture?.moved(name, text)) frame ||= requestAnimationFrame(askForPicture)
}

// Where no picture follows, the first key press of a series is written at once, because the run is the only answer.
export function commitSoon() {
  if (!picture && !rest) commit()
  clearTimeout(rest)
  rest = setTimeout(commit, REST)
}

// Writes the pending values to the URL.
export function commit() {
  const changed = takePending()
  if (!Object.keys(changed).length || url.patch(changed)) return
  // The URL is the same after all. No run comes, so ask for the picture, which may be of an earlier value.
  cancelAnimationFrame(frame)
  askForPicture()
}

// Returns the pending values for another change of the URL, except those of sliders under the pointer, and forgets them.
/** @type {() => Changes} */
export function takePending() {
  clearTimeout(rest)
  rest = 0
  const dragged = new Set(heldSliders.values())
  const names = [...pending.keys()].filter((name) => !dragged.has(name))
  const changed = changes(names)
  for (const name of names) pending.delete(name)
  return changed
}

/** @type {(names: string[]) => Changes} */
function changes(names) {
  return Object.assign({}, ...names.map((name) => ({ [name]: textInUrl(name, pending.get(name) ?? null), ...cleared(name) })))
}

// Returns the settings that a change of this one removes from the URL.
/** @type {(name: string) => Changes} */
function cleared(name) {
  return Object.fromEntries((controlOf(name)?.given.clears ?? []).map((other) => [other, null]))
}

// Returns the text of a setting in the URL, or null for its default. The control may still have the default of an earlier example.
/** @type {(name: string, text: string | null) => string | null} */
function textInUrl(name, text) {
  const control = controlOf(name)
  return control?.example === url.example() ? unlessDefault(text, control.given.default) : text
}

/** @type {(name: string) => DrawnControl | undefined} */
export function controlOf(name) {
  return [...drawn.values()].map((controls) => controls.get(name)).find(Boolean)
}

// Writes a chosen setting to the URL, together with `more`.
/** @type {(name: string, text: string, more?: Changes) => void} */
export function choose(name, text, more = {}) {
  change({ [name]: textInUrl(name, text), ...cleared(name), ...more })
}

// Writes changes to the URL, together with the pending values: all that the reader chooses, opens or clicks comes here.
/** @type {(changes: Changes, options?: { entry?: boolean }) => void} */
export function change(changes, options) {
  url.patch({ ...takePending(), ...changes }, options)
}
