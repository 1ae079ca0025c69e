"""The app that `streamlit run dashboard` serves: the pages, and the pictures while a slider is dragged."""

import sys
from pathlib import Path
from runpy import run_path

import streamlit as st
from starlette.middleware import Middleware

# `streamlit run dashboard` puts only this folder on the path.
ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from dashboard.server import nagle  # noqa: E402
from dashboard.server.access_control import AccessControl  # noqa: E402
from dashboard.server.app import PAGES, routes, warmed  # noqa: E402
from dashboard.server.streamlit_internals import is_in_run  # noqa: E402
from dashboard.state import page_list  # noqa: E402

if is_in_run():  # as a plain script: without the websocket of drags
    run_path(str(PAGES))
else:
    nagle.turn_off()
    app = st.App(PAGES, lifespan=warmed, routes=routes(page_list.PAGES), middleware=[Middleware(AccessControl)])
