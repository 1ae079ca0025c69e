"""The page list, and the order of a run; nothing else."""

from importlib import import_module

import streamlit as st

from dashboard import notices, sidebar, storage
from dashboard.editor import editor
from dashboard.export import export
from dashboard.screen import STATIC
from dashboard.serve.films import make_ahead
from dashboard.serve.warm import sweep, turn, warm
from dashboard.state import session

warm()
make_ahead()
st.set_page_config(page_title="Cellscope", page_icon="🔬", layout="wide")

pages = {
    "One step": [
        st.Page("views/hidden_state.py", title="Hidden state", default=True),
        st.Page("views/lstm.py", title="LSTM step"),
        st.Page("views/saturation.py", title="Saturation"),
    ],
    "Over time": [
        st.Page("views/sequence.py", title="Sequence"),
        st.Page("views/gradients.py", title="Gradients"),
        st.Page("views/training.py", title="Training"),
    ],
    "Try and ask": [
        st.Page("views/practice.py", title="Practice"),
        st.Page("views/shapes.py", title="Shapes"),
        st.Page("views/questions.py", title="Questions"),
        st.Page("views/examples.py", title="Worked examples"),
    ],
}
# The sidebar draws the links, because Streamlit's own would drop the settings in the URL.
page = st.navigation(pages, position="hidden")
# Import the view instead of `page.run()`, which would compile its script in each run.
view = import_module(f"dashboard.views.{page.url_path or 'hidden_state'}")

st.html(STATIC / "page.css")

with turn():
    state, refused = session.current(page.url_path)
    sidebar.sidebar(state, pages)
    notice = st.container()
    sidebar.tools(state)
    drawer = st.container(key="drawer")
    with notice:
        sidebar.way_out(state)
        notices.explain(state, refused)
        if state.question:
            notices.answer(state.question)
    view.page(state)
    with drawer:
        if state.settings.edit:
            editor(state, view.about(state))
        if state.settings.take:
            export(state, view.about(state))
    storage.keep_in_browser(state)
if state.is_large:
    sweep()
