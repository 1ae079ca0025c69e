// @ts-check
// The playback slider, which shows steps that came with the picture without asking the server. All sections of a picture show the
// step of its one playback slider. If a slider of the page has its setting, the player has buttons alone: it plays that slider, and the
// server draws what did not come with the picture.

import * as pending from "../controls/pending_values.js"
import { make } from "../elements.js"
import { otherSide } from "../picture/compare.js"
import { kindOf, partsOf } from "../picture/items.js"
import { refresh } from "../picture/paint.js"
import { write } from "../picture/panel_text.js"
import { hide } from "./tooltip.js"

/** @import { Picture, Player, Playback, PlaybackStep, Section } from "../types.js" */

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
  const player = { element, play, speed, slider, output, times: SPEEDS[0], playing: null, playback: null }
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
    pending.commit()
  }
  player.speed.onclick = () => setSpeed(player, SPEEDS[(SPEEDS.indexOf(player.times) + 1) % SPEEDS.length])
  player.slider.oninput = () => setStep(picture, Number(player.slider.value))
  player.slider.onchange = pending.commit
}

// The step of a playback is the value of its setting: the pending one, else that of the URL. Without a setting, the step stays as
// long as the steps are the same.
/** @type {(picture: Picture, player: Player, playback: Playback | null) => void} */
export function updatePlayback(picture, player, playback) {
  const before = player.playback
  player.playback = playback
  player.element.hidden = !playback
  if (!playback) return
  const labels = (/** @type {Playback} */ { steps }) => steps.map(({ label }) => label).join()
  const stays = before && !playback.setting && labels(before) === labels(playback)
  if (!stays) picture.step = stepOf(playback)
  player.slider.hidden = player.output.hidden = !playback.has_slider
  player.play.title = playback.has_slider ? "" : playback.label
  player.slider.max = String(playback.steps.length - 1)
  player.slider.ariaLabel = playback.label
}

/** @type {(playback: Playback) => number} */
function stepOf({ setting, steps, start }) {
  if (!setting) return start
  const value = pending.valueOf(setting)
  const step = steps.findIndex((step) => step.value === value)
  return step < 0 ? start : step
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
  picture.host.classList.toggle("ahead", picture.step < panel.playback.steps.length - 1)
}

/** @type {(picture: Picture, step: number) => void} */
function goTo(picture, step) {
  picture.step = step
  hide(picture)
  showStep(picture)
  const moved = playedSection(picture)
  if (moved) write(picture, moved)
  const moves = (/** @type {Section | undefined} */ section) => section && partsOf(section.rows).some((item) => kindOf(item).moves(item))
  for (const section of picture.sections) {
    if (moves(section) || moves(otherSide(picture, section))) refresh(picture, section)
  }
}

// Shows another step. If it follows a setting, the value is pending until `commit`.
/** @type {(picture: Picture, step: number) => void} */
export function setStep(picture, step) {
  goTo(picture, step)
  const playback = playedSection(picture)?.panel.playback
  if (playback?.setting) pending.moveControl(playback.setting, playback.steps[step].value)
}

// Shows a value of the setting that the step follows. Returns whether the picture has come with it.
/** @type {(picture: Picture, name: string, text: string | null) => boolean} */
export function goToValue(picture, name, text) {
  const playback = playedSection(picture)?.panel.playback
  const step = playback?.whole && playback.setting === name ? playback.steps.findIndex(({ value }) => value === text) : -1
  if (step >= 0 && step !== picture.step) goTo(picture, step)
  return step >= 0
}

// Moves the playback slider by one step. Returns whether there was one.
/** @type {(picture: Picture, way: -1 | 1) => boolean} */
export function goBy(picture, way) {
  const step = picture.step + way
  if (!playedSection(picture)?.panel.playback?.steps[step]) return false
  setStep(picture, step)
  pending.commit()
  return true
}

// Returns the setting that the step follows.
/** @type {(picture: Picture) => string | undefined} */
export function settingOf(picture) {
  return playedSection(picture)?.panel.playback?.setting
}

// Plays until the last step, or until something else moves it: the reader at the slider of the setting, a step back, another page,
// or a picture without these steps. Then its last value goes to the URL, unless the reader has given another one.
/** @type {(picture: Picture, section: Section) => void} */
function play(picture, section) {
  const { player } = section
  const { pathname } = location
  setPlayButton(player, "❚❚", "Pause")
  const isLast = (/** @type {Playback} */ { steps }) => picture.step >= steps.length - 1
  let last = /** @type {PlaybackStep | null} */ (null) // that was played
  let setting = "" // of the last step
  const isReaders = () => setting !== "" && pending.valueOf(setting) !== last?.value
  const isMoved = (/** @type {Playback} */ { steps }) => steps[picture.step].label !== last?.label || isReaders()
  const show = (/** @type {Playback} */ playback, /** @type {number} */ step) => {
    setStep(picture, step)
    setting = playback.setting
    last = playback.steps[step]
    player.playing = setTimeout(next, duration(playback, player.times, step))
  }
  const next = () => {
    const { playback } = section.panel
    const isHere = section.element.isConnected && location.pathname === pathname
    if (isHere && playback && !isMoved(playback) && !isLast(playback)) return show(playback, picture.step + 1)
    pause(player)
    if (!isReaders()) pending.commit()
  }
  const { playback } = section.panel
  if (playback) show(playback, isLast(playback) ? 0 : picture.step)
}

// Returns how long a step is shown: longer where more happens.
/** @type {(playback: Playback, times: number, step: number) => number} */
export function duration({ pace, steps }, times, step) {
  const share = pace?.[step] ?? Math.min(1 / steps.length, 600 / WHOLE)
  return Math.max(SHORTEST, (WHOLE * share) / times)
}

/** @type {(player: Player, sign: string, word: string) => void} */
function setPlayButton({ play }, sign, word) {
  play.replaceChildren(sign, make("span", { textContent: ` ${word}` })) // a phone has room for the sign alone
  play.ariaLabel = word
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
  setPlayButton(player, "▶", "Play")
}
