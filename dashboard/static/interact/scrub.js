// The playback slider, which shows steps that came with the picture without asking the server. All sections of a picture show the
// step of its one playback slider.

import { kindOf, partsOf } from "../picture/items.js"
import { refresh } from "../picture/paint.js"
import { write } from "../picture/words.js"
import { hide } from "./tooltip.js"

// In milliseconds: how long a play takes in all at its usual speed, and a step at least.
const WHOLE = 7000
const SHORTEST = 40
const SPEEDS = [1, 2, 0.5]

export function addScrub(picture, section) {
  const add = (tag, properties) => section.scrub.appendChild(Object.assign(document.createElement(tag), properties))
  const toggle = () => (section.playing ? (pause(section), reportStep(picture)) : play(picture, section))
  section.play = add("button", { type: "button", onclick: toggle })
  section.speed = add("button", { type: "button", onclick: () => setSpeed(section, SPEEDS[(SPEEDS.indexOf(section.times) + 1) % SPEEDS.length]) })
  setSpeed(section, SPEEDS[0])
  section.slider = add("input", {
    type: "range",
    min: 0,
    oninput: () => scrubTo(picture, Number(section.slider.value)),
    onchange: () => reportStep(picture),
  })
  section.output = add("span", {})
  pause(section)
}

// A new playback slider starts at its own step. It keeps the reader's step if it starts where the last one did, or at a step that
// was reported, because the reader may be further on.
export function follow(picture, section, scrub) {
  section.scrub.hidden = !scrub
  if (!scrub) return
  const before = section.panel?.scrub
  const labels = ({ steps }) => steps.map(({ label }) => label).join()
  const known = before && labels(before) === labels(scrub)
  // After several reports, the answer to the first is not the reader's current step.
  const answered = picture.reported.indexOf(scrub.start)
  if (!known || (before.start !== scrub.start && answered < 0)) {
    picture.step = scrub.start
    picture.reported = []
  }
  picture.reported.splice(0, answered + 1)
  section.slider.max = scrub.steps.length - 1
  section.slider.ariaLabel = scrub.label
}

function scrubbed(picture) {
  return picture.sections.find(({ panel }) => panel.scrub)
}

export function showStep(picture) {
  const { panel, slider, output } = scrubbed(picture) ?? {}
  if (!panel) return
  const { label } = panel.scrub.steps[picture.step]
  slider.value = picture.step
  slider.ariaValueText = label
  output.textContent = `${panel.scrub.label}: ${label}`
}

export function scrubTo(picture, step) {
  picture.step = step
  hide(picture)
  showStep(picture)
  write(picture, scrubbed(picture))
  for (const section of picture.sections) {
    if (partsOf(section.rows).some((item) => kindOf(item).moves(item))) refresh(picture, section)
  }
}

export function reportStep(picture) {
  const { start, reported } = scrubbed(picture).panel.scrub
  if (!reported || picture.step === (picture.reported.at(-1) ?? start)) return
  picture.reported.push(picture.step)
  picture.report(picture.step + 1)
}

function play(picture, section) {
  section.play.textContent = "❚❚"
  section.play.ariaLabel = "Pause"
  const ended = () => !section.panel.scrub || picture.step >= section.panel.scrub.steps.length - 1
  if (ended()) scrubTo(picture, 0)
  const go = () => {
    if (section.element.isConnected && !ended()) {
      scrubTo(picture, picture.step + 1)
      section.playing = setTimeout(go, duration(section, picture.step))
      return
    }
    pause(section)
    if (section.panel.scrub) reportStep(picture)
  }
  section.playing = setTimeout(go, duration(section, picture.step))
}

// Returns how long a step is shown: longer where more happens.
function duration({ panel, times }, step) {
  const { pace, steps } = panel.scrub
  const share = pace?.[step] ?? Math.min(1 / steps.length, 600 / WHOLE)
  return Math.max(SHORTEST, (WHOLE * share) / times)
}

function setSpeed(section, times) {
  section.times = times
  section.speed.textContent = `${times}×`
  section.speed.ariaLabel = `Speed: ${times} times`
}

export function pause(section) {
  clearTimeout(section.playing)
  section.playing = null
  section.play.textContent = "▶"
  section.play.ariaLabel = "Play"
}
