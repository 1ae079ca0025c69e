"""The script that Streamlit runs for every page: the order of a run."""

from importlib import import_module

import streamlit as st

from dashboard.controls import notices, sidebar, storage
from dashboard.controls.editor import editor
from dashboard.controls.save_panel import save_panel
from dashboard.server.assets import STATIC
from dashboard.server.scheduling import collect_garbage, run_lock, warm
from dashboard.server.training_cache import precompute_experiments
from dashboard.state import session
from dashboard.state.page_list import PAGES

warm()
precompute_experiments()
st.set_page_config(page_title="Cellscope", page_icon="🔬", layout="wide")

pages = [st.Page(page.script, title=page.title, url_path=page.path, default=not page.path) for page in PAGES.values()]
# The sidebar draws the links, because Streamlit's own would drop the settings in the URL.
page = st.navigation(pages, position="hidden")
# Import the view instead of `page.run()`, which would compile its script in each run.
view = import_module(PAGES[page.url_path].module)

st.html(STATIC / "page.css")

with run_lock():
    state, refused = session.begin_run(page.url_path)
    sidebar.sidebar(state)
    notice = st.container()
    sidebar.tools(state)
    open_tool = st.container(key="open_tool")
    with notice:
        sidebar.exit_projector_button(state)
        notices.show_notices(state, refused)
    view.page(state)
    notices.show_question(state)
    with open_tool:
        if sidebar.is_open(state, "edit"):
            editor(state, view.page_scenario(state))
        if sidebar.is_open(state, "take"):
            save_panel(state, view.page_scenario(state))
    storage.keep_in_browser(state)
if state.is_large:
    collect_garbage()
