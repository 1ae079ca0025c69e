"""What the benches compare with: one slider of the browser's own, one fragment and one number, by Streamlit alone.

It imports nothing of the project, so that no change of the project changes it.
"""

import streamlit as st

# As in the app, there is one request at a time: the slider waits for the answer, and then asks for where it is by then.
MODULE = """
const answered = new WeakMap()
export default function ({ parentElement, data, setStateValue }) {
  const slider = parentElement.querySelector("input")
  const ask = () => {
    if (!answered.get(slider) || slider.value === data.value) return
    answered.set(slider, false)
    setStateValue("value", slider.value)
  }
  slider.oninput = ask
  answered.set(slider, true)
  ask()
}
"""

slider = st.components.v2.component(
    "floor_slider",
    html='<input type="range" min="0" max="400" value="200" aria-label="Weight scale">',
    js=MODULE,
)


@st.fragment
def live() -> None:
    said = st.session_state.get("slider", {}).get("value", "200")
    slider(key="slider", data={"value": said}, on_value_change=lambda: None)
    st.text(said)


st.set_page_config(layout="wide")
live()
