"""The page list and the shared sidebar; nothing else."""

import streamlit as st

from dashboard import dials, links, own_numbers, sidebar
from dashboard.about import told
from dashboard.choices import OF_OPENING
from dashboard.editor import editor, take_lost_block
from dashboard.export import export
from dashboard.screen import STATIC
from dashboard.serve.films import make_ahead
from dashboard.serve.warm import sweep, turn, warm

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
# The links are in the sidebar: Streamlit's own would leave the reader's numbers behind.
page = st.navigation(pages, position="hidden")

st.html(STATIC / "page.css")

with turn():
    dials.settle()
    take_lost_block()
    refused = links.refused_parameters()
    links.arrive(page.url_path, is_bare=not set(st.query_params) - OF_OPENING and not refused)
    notice = st.container()
    sidebar.sidebar(pages, here=page.url_path)
    sidebar.tools(page.url_path)
    drawer = st.container(key="drawer")
    with notice:
        sidebar.way_out()
    asked = links.asked(page.url_path)
    st.session_state.panel = asked.panel if asked else None
    page.run()
    with drawer:  # beside the page, but after its widgets, by which it goes
        if sidebar.is_open("edit"):
            editor(told())
        if sidebar.is_open("take"):
            export(told())
    with notice:
        links.explain(refused)
        if asked:
            links.answer(asked)
    links.leave(page.url_path)
    own_numbers.keep_in_browser()
    dials.whole()
if st.session_state.large:
    sweep()
