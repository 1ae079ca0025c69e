"""The app that `streamlit run dashboard` serves: the pages, and the pictures while a slider is dragged."""

import sys
from pathlib import Path
from runpy import run_path

import streamlit as st
from starlette.middleware import Middleware
from streamlit.runtime.scriptrunner import get_script_run_ctx

# `streamlit run dashboard` puts only this folder on the path.
ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from dashboard.serve.app import PAGES, routes, warmed  # noqa: E402
from dashboard.serve.gate import Gate  # noqa: E402

if get_script_run_ctx(suppress_warning=True):  # as a plain script: without the websocket of drags
    run_path(str(PAGES))
else:
    app = st.App(PAGES, lifespan=warmed, routes=routes(), middleware=[Middleware(Gate)])
