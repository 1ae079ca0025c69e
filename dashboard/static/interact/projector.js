// @ts-check
// The projector view: large drawings. Left and Right go from stage to stage, and from panel to panel where there are no stages.

import { currentPanel, turn } from "./panel_links.js"
import { radios } from "../controls/controls.js"
import { goBy, settingOf } from "./playback.js"

/** @import { Picture } from "../types.js" */

/** @type {Record<string, -1 | 1>} */
const WAYS = { ArrowLeft: -1, ArrowRight: 1 }
// These elements use the arrow keys themselves.
const OWN_KEYS = "input, textarea, select, [contenteditable], [role=slider], [role=combobox], [role=radio], [role=application], [role=grid], canvas"

/** @type {Picture | null} */
let shown = null

// Takes note of the picture of the page.
/** @type {(picture: Picture, isProjected: boolean) => void} */
export function toProject(picture, isProjected) {
  shown = picture
  picture.isProjected = isProjected
}

// In the capture phase, before Streamlit's handlers, which may stop the event.
addEventListener("keydown", go, { capture: true })

/** @type {(event: KeyboardEvent) => void} */
function go(event) {
  const way = WAYS[event.key]
  if (!way || event.ctrlKey || event.altKey || event.metaKey || !shown?.isProjected || !shown.host.isConnected) return
  const stages = radios("stage")
  const [focused] = event.composedPath()
  if (focused instanceof Element && focused.matches(OWN_KEYS) && !stages.some((stage) => stage === focused)) return
  event.preventDefault()
  if (!stages.length) {
    const current = currentPanel(shown)
    const isAtStages = settingOf(shown) === "stage" && (!current || current.panel.playback)
    if (!isAtStages || !goBy(shown, way)) turn(shown, way)
    return
  }
  const next = stages[stages.findIndex(({ checked }) => checked) + way]
  if (next) next.click()
  else turn(shown, way)
}
