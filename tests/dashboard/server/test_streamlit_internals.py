"""What we lean on within Streamlit is still there: after an upgrade the name of the test that fails says what broke, and where."""

import inspect
import tomllib
from pathlib import Path
from unittest.mock import patch

import streamlit as st
from streamlit import config
from streamlit.navigation.page import calc_hash
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from dashboard.server.headers import inline_scripts
from dashboard.server.readers import reader
from tests.live import ROOT


def test_every_option_of_config_toml_is_one_of_streamlits():
    known, said = config.get_config_options(), tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    options = [f"{section}.{option}" for section, values in said.items() if section != "theme" for option in values]
    # Some are hidden from Streamlit's documentation, and of an unknown one it only warns.
    assert [option for option in options if option not in known] == []


def test_the_pause_between_messages_is_read_where_dashboard_main_sets_it():
    assert "asyncio.sleep(MESSAGE_FLUSH_INTERVAL_SECS)" in inspect.getsource(runtime)


def test_the_scripts_within_streamlits_page_are_found_by_dashboard_serve_headers():
    assert len(inline_scripts()) >= 1


def test_uploads_can_be_let_go_as_dashboard_serve_uploads_does():
    assert list(inspect.signature(MemoryUploadedFileManager.remove_session_files).parameters) == ["self", "session_id"]


def test_streamlits_page_runs_again_after_popstate_as_static_url_js_and_tests_client_need():
    scripts = (Path(st.__file__).parent / "static" / "static" / "js").glob("index.*.js")
    assert any("popstate`,this.onHistoryChange" in script.read_text(encoding="utf-8") for script in scripts)
    assert "is_history_navigation" in ClientState.DESCRIPTOR.fields_by_name


def test_the_tabs_of_a_browser_are_told_by_its_cookie_as_dashboard_serve_readers_does():
    token = b"0123456789abcdef"
    one, other = generate_xsrf_token_string(token, 1), generate_xsrf_token_string(token, 1)
    seen = []
    for cookie in (one, other, generate_xsrf_token_string(), "", "2|hostile|", "x" * 9999):
        with patch.object(type(st.context), "cookies", {XSRF_COOKIE_NAME: cookie}):
            seen.append(reader())
    assert one != other and seen[0] == seen[1] and len({*seen}) == 5


def test_an_apptest_can_be_put_on_a_page_and_sent_states_as_tests_dashboard_do():
    at = AppTest.from_string("import streamlit as st")
    assert hasattr(at, "_page_hash") and hasattr(at, "_tree") and hasattr(at, "_run") and calc_hash("lstm")
