"""Every private part of Streamlit that `streamlit_internals.py` uses is there and does what it is used for."""

import inspect
import tomllib
from pathlib import Path
from unittest.mock import patch

import pytest
import streamlit as st
from streamlit import config, net_util
from streamlit.navigation.page import calc_hash
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import Runtime, get_instance, runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import ScriptRunContext, get_script_run_ctx
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string, generate_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

from dashboard.server import streamlit_internals
from dashboard.server.reader_id import reader
from tests.live import ROOT

SIGNATURES = {
    get_script_run_ctx: ["suppress_warning"],
    get_instance: [],
    Runtime.is_active_session: ["self", "session_id"],
    MemoryUploadedFileManager.remove_session_files: ["self", "session_id"],
    _is_origin_allowed: ["origin", "host"],
    net_util.get_external_ip: [],
    decode_xsrf_token_string: ["cookie_value"],
    config.set_option: ["key", "value", "where_defined"],
}


@pytest.mark.parametrize("function", SIGNATURES, ids=lambda function: function.__qualname__)
def test_each_private_function_takes_what_it_is_given(function):
    assert list(inspect.signature(function).parameters) == SIGNATURES[function]


def test_a_thread_outside_of_a_run_is_told_from_a_run():
    assert not streamlit_internals.is_in_run()
    script = """
import streamlit as st
from dashboard.server import streamlit_internals
st.text(f"{streamlit_internals.is_in_run()} {streamlit_internals.own_session()}")
"""
    (text,) = AppTest.from_string(script).run().text
    assert text.value == "True test session id"
    assert {"session_id", "uploaded_file_mgr"} <= set(ScriptRunContext.__dataclass_fields__)


def test_uploads_have_the_path_that_is_watched():
    from streamlit.web.server.starlette import starlette_routes

    assert streamlit_internals.UPLOAD_PATH.fullmatch("/_stcore/upload_file/session/file")
    assert "_stcore/upload_file" in inspect.getsource(starlette_routes)


def test_every_option_of_config_toml_is_one_of_streamlits():
    known, said = config.get_config_options(), tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    options = [f"{section}.{option}" for section, values in said.items() if section != "theme" for option in values]
    # Some are hidden from Streamlit's documentation, and of an unknown one it only warns.
    assert [option for option in options if option not in known] == []


def test_the_pause_between_messages_is_read_where_it_is_set():
    assert "asyncio.sleep(MESSAGE_FLUSH_INTERVAL_SECS)" in inspect.getsource(runtime)


def test_the_scripts_within_streamlits_page_are_found():
    assert len(streamlit_internals.inline_scripts()) >= 1


def test_streamlits_page_has_a_head_and_the_font_of_formulas_is_served():
    assert streamlit_internals.html_page().count("</head>") == 1
    (font,) = streamlit_internals.formula_fonts()
    assert (Path(st.__file__).parent / "static" / font).is_file()


def test_streamlits_page_runs_again_after_popstate():
    scripts = (Path(st.__file__).parent / "static" / "static" / "js").glob("index.*.js")
    assert any("popstate`,this.onHistoryChange" in script.read_text(encoding="utf-8") for script in scripts)
    assert "is_history_navigation" in ClientState.DESCRIPTOR.fields_by_name


def test_the_tabs_of_a_browser_are_one_reader_by_its_cookie():
    token = b"0123456789abcdef"
    one, other = generate_xsrf_token_string(token, 1), generate_xsrf_token_string(token, 1)
    seen = []
    for cookie in (one, other, generate_xsrf_token_string(), "", "2|hostile|", "x" * 9999):
        with patch.object(type(st.context), "cookies", {XSRF_COOKIE_NAME: cookie}):
            seen.append(reader())
    assert one != other and seen[0] == seen[1] and len({*seen}) == 5


def test_an_apptest_can_be_put_on_a_page_and_sent_states():
    at = AppTest.from_string("import streamlit as st")
    assert hasattr(at, "_page_hash") and hasattr(at, "_tree") and hasattr(at, "_run") and calc_hash("lstm")
