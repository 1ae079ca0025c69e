// @ts-check
// The playback slider, which shows steps that came with the picture without asking the server. All sections of a picture show the
// step of its one playback slider. If a slider of the page has its setting, the player has buttons alone: it plays that slider, and the
// server draws what did not come with the picture.

import { choose, display, isPending, preview } from "../controls/controls.js"
import { kindOf, partsOf } from "../picture/items.js"
import { refresh } from "../picture/paint.js"
import { write } from "../picture/panel_text.js"
import { hide } from "./tooltip.js"

/** @import { Picture, Player, Playback, Section } from "../types.js" */

// In milliseconds: the time of a whole play at its usual speed, and the least time of a step.
const WHOLE = 7000
const SHORTEST = 40
const SPEEDS = [1, 2, 0.5]

/** @type {(element: HTMLElement) => Player} */
export function makePlayer(element) {
  const play = element.appendChild(document.createElement("button"))
  const speed = element.appendChild(document.createElement("button"))
  const slider = element.appendChild(document.createElement("input"))
  const output = element.appendChild(document.createElement("span"))
  const player = { element, play, speed, slider, output, times: SPEEDS[0], playing: null, played: new Set(), playback: null }
  play.type = speed.type = "button"
  slider.type = "range"
  slider.min = "0"
  setSpeed(player, SPEEDS[0])
  pause(player)
  return player
}

/** @type {(picture: Picture, section: Section) => void} */
export function addPlayback(picture, section) {
  const { player } = section
  player.play.onclick = () => {
    if (player.playing === null) return play(picture, section)
    pause(player)
    reportStep(picture)
  }
  player.speed.onclick = () => setSpeed(player, SPEEDS[(SPEEDS.indexOf(player.times) + 1) % SPEEDS.length])
  player.slider.oninput = () => goTo(picture, Number(player.slider.value))
  player.slider.onchange = () => reportStep(picture)
}

// A new playback slider starts at its own step. It keeps the reader's step if it starts where the last one did, or at a step that
// was reported, because the reader may be further on. A run knows all that the URL says: if the URL has a step that the reader has
// not chosen, such as after back, that step counts.
/** @type {(picture: Picture, player: Player, playback: Playback | null, isRun: boolean) => void} */
export function follow(picture, player, playback, isRun) {
  const before = player.playback
  player.playback = playback
  player.element.hidden = !playback
  if (!playback) return
  const labels = (/** @type {Playback} */ { steps }) => steps.map(({ label }) => label).join()
  const known = before && labels(before) === labels(playback)
  // After several reports, the answer to the first is not the reader's current step.
  const answered = picture.reported.indexOf(playback.start)
  const isPlayed = before && player.playing !== null && player.played.has(playback.steps[playback.start].label)
  const isInUrl = playback.setting ? !isPending(playback.setting) : picture.reported.length > 0
  const isOther = before?.start !== playback.start || (isRun && isInUrl && player.playing === null)
  if (isPlayed) picture.step = Math.max(0, playback.steps.findIndex(({ label }) => label === before.steps[picture.step].label))
  else if (!known || (isOther && answered < 0)) {
    picture.step = playback.start
    picture.reported = []
  }
  picture.reported.splice(0, answered + 1)
  player.slider.hidden = player.output.hidden = Boolean(playback.setting)
  player.play.title = playback.setting && playback.label
  player.slider.max = String(playback.steps.length - 1)
  player.slider.ariaLabel = playback.label
}

/** @type {(picture: Picture) => Section | undefined} */
function playedSection(picture) {
  return picture.sections.find(({ panel }) => panel.playback)
}

/** @type {(picture: Picture) => void} */
export function showStep(picture) {
  const { panel, player } = playedSection(picture) ?? {}
  if (!panel?.playback || !player) return
  const { label } = panel.playback.steps[picture.step]
  player.slider.value = String(picture.step)
  player.slider.ariaValueText = label
  player.output.textContent = `${panel.playback.label}: ${label}`
}

/** @type {(picture: Picture, step: number) => void} */
export function goTo(picture, step) {
  picture.step = step
  hide(picture)
  showStep(picture)
  const moved = playedSection(picture)
  if (moved) write(picture, moved)
  const playback = moved?.panel.playback
  if (playback?.setting) display(playback.setting, playback.steps[step].label)
  for (const section of picture.sections) {
    if (partsOf(section.rows).some((item) => kindOf(item).moves(item))) refresh(picture, section)
  }
}

// Shows a value of the setting that the player plays. Returns whether the picture has come with it.
/** @type {(picture: Picture, name: string, text: string) => boolean} */
export function goToValue(picture, name, text) {
  const playback = playedSection(picture)?.panel.playback
  const step = playback?.whole && playback.setting === name ? playback.steps.findIndex(({ label }) => label === text) : -1
  if (step >= 0) goTo(picture, step)
  return step >= 0
}

// Moves the playback slider by one step. Returns whether there was one.
/** @type {(picture: Picture, way: -1 | 1) => boolean} */
export function goBy(picture, way) {
  const step = picture.step + way
  if (!playedSection(picture)?.panel.playback?.steps[step]) return false
  goTo(picture, step)
  reportStep(picture)
  return true
}

/** @type {(picture: Picture) => void} */
export function reportStep(picture) {
  const playback = playedSection(picture)?.panel.playback
  if (playback?.setting) return choose(playback.setting, playback.steps[picture.step].label)
  if (!playback?.reported || picture.step === (picture.reported.at(-1) ?? playback.start)) return
  picture.reported.push(picture.step)
  picture.report(picture.step + 1)
}

/** @type {(picture: Picture, section: Section) => void} */
function play(picture, section) {
  const { player } = section
  player.play.textContent = "❚❚"
  player.play.ariaLabel = "Pause"
  const ended = () => !section.panel.playback || picture.step >= section.panel.playback.steps.length - 1
  const wait = () => setTimeout(go, section.panel.playback ? duration(section.panel.playback, player.times, picture.step) : 0)
  // Whether the step is shown. The reader may have taken hold of the slider that it plays.
  const shows = (/** @type {number} */ step) => {
    const { setting = "", whole = true, steps = [] } = section.panel.playback ?? {}
    if (setting && isPending(setting)) return false
    player.played.add(steps[step].label)
    goTo(picture, step)
    if (setting && !whole) preview(setting, steps[step].label)
    return true
  }
  const go = () => {
    const isOver = !section.element.isConnected || ended()
    if (!isOver && shows(picture.step + 1)) {
      player.playing = wait()
      return
    }
    pause(player)
    if (isOver && section.panel.playback) reportStep(picture)
  }
  player.played.clear()
  if (ended()) shows(0)
  player.playing = wait()
}

// Returns how long a step is shown: longer where more happens.
/** @type {(playback: Playback, times: number, step: number) => number} */
export function duration({ pace, steps }, times, step) {
  const share = pace?.[step] ?? Math.min(1 / steps.length, 600 / WHOLE)
  return Math.max(SHORTEST, (WHOLE * share) / times)
}

/** @type {(player: Player, times: number) => void} */
function setSpeed(player, times) {
  player.times = times
  player.speed.textContent = `${times}×`
  player.speed.ariaLabel = `Speed: ${times} times`
}

/** @type {(player: Player) => void} */
export function pause(player) {
  if (player.playing !== null) clearTimeout(player.playing)
  player.playing = null
  player.play.textContent = "▶"
  player.play.ariaLabel = "Play"
}
