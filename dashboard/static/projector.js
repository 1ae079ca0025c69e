// The projector's view, for a room: large drawings, and Left and Right go from stage to stage, or where a page has none from
// panel to panel.

import { turn } from "./contents.js"

const WAYS = { ArrowLeft: -1, ArrowRight: 1 }
// What does something else with these keys.
const OWN_KEYS = "input, textarea, select, [contenteditable], [role=slider], [role=combobox], [role=radio], [role=application], [role=grid], canvas"

let shown = null

// The picture of the page.
export function toProject(picture, isProjected) {
  shown = picture
  picture.isProjected = isProjected
}

// Before Streamlit's own words hear of it, which tell nobody.
addEventListener("keydown", go, { capture: true })

function go(event) {
  const way = WAYS[event.key]
  if (!way || event.ctrlKey || event.altKey || event.metaKey || !shown?.isProjected || !shown.host.isConnected) return
  const stages = [...document.querySelectorAll(".st-key-stage [role=radio]")]
  const [focused] = event.composedPath()
  if (focused.matches?.(OWN_KEYS) && !stages.includes(focused)) return
  event.preventDefault()
  if (!stages.length) return turn(shown, way)
  const next = stages[stages.findIndex(({ ariaChecked }) => ariaChecked === "true") + way]
  if (next) next.click()
  else turn(shown, way)
}
