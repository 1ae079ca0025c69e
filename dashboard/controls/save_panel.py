"""Save and share: the link, files and code."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from html import escape
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import urlencode

import segno
import streamlit as st
from streamlit.typing import UploadedFile

from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import state_arrays
from core.exchange.array_files import read_arrays, to_npz
from core.exchange.generated_code import keras_script, numpy_script, pytorch_script
from core.exchange.latex import latex
from core.exchange.notebook import notebook
from core.exchange.scenario_json import from_json, to_json
from core.exchange.weight_layouts import from_pytorch, layout_of
from core.scenario import Scenario, expect_arrays
from dashboard.controls import storage
from dashboard.controls.page_scenario import PageScenario
from dashboard.controls.patches import send_patches
from dashboard.server.uploads import MOST_MB, remove_own_uploads
from dashboard.state.parameters import SCENARIO_PARAMS, TOOL_PARAMS, VIEW_PARAMS, expect_allowed
from dashboard.state.state import State, patch_of, to_query
from dashboard.text import save_panel as text
from dashboard.text.markdown import escape_markdown

# The most characters of a link in a QR code.
LONGEST_IN_QR = 500


class CodeExport(NamedTuple):
    """A kind of code.

    Attributes
    ----------
    ending : str
        The ending of its file.
    language : str
        For the colours on the screen; empty if the code is only a file.
    write : callable
    """

    ending: str
    language: str
    write: Callable[[], str]


@st.fragment
def save_panel(state: State, page_scenario: PageScenario) -> None:
    """Draw the panel that saves, opens and shares.

    Parameters
    ----------
    state : State
    page_scenario : PageScenario
    """
    send_patches("opened file")
    scenario, view_settings = state.scenario, state.view_settings()
    with st.container(border=True):
        st.markdown(text.LINK)
        st.code(_link(state), language=None, wrap_lines=True)
        _show_qr_code(_link(state))
        st.markdown(text.FRAME)
        st.code(_frame(_link(state)), language="html", wrap_lines=True)
        with st.container(horizontal=True):
            st.download_button(
                text.SAVE_CHOICES,
                lambda: to_json(scenario, view_settings),
                "cellscope.json",
                "application/json",
                on_click="ignore",
            )
            is_layered = page_scenario.sequence and page_scenario.scenario.is_layered
            st.download_button(
                text.SAVE_FIRST_ARRAYS if is_layered else text.SAVE_ARRAYS,
                lambda: to_npz(_arrays(page_scenario)),
                "cellscope.npz",
                on_click="ignore",
                help=text.SAVE_FIRST_ARRAYS_HELP if is_layered else None,
            )
        _code(state, page_scenario)
        st.file_uploader(
            text.OPEN,
            key=_uploader(),
            on_change=_open,
            args=(_uploader(), state),
            help=text.OPEN_HELP,
            max_upload_size=MOST_MB,
        )
        if refused := st.session_state.pop("open_refused", None):
            st.error(escape_markdown(refused))


def _show_qr_code(link: str) -> None:
    """Draw the QR code of the link, for a class."""
    if len(link) > LONGEST_IN_QR:
        st.caption(text.NO_QR_CODE)
        return
    st.image(_qr_code(link), caption=text.QR_CODE, alt=text.QR_CODE_ALT)


# Cached because a code takes 100 ms, and every run draws it.
@lru_cache(maxsize=32)
def _qr_code(link: str) -> bytes:
    """Return the QR code as a PNG."""
    drawn = BytesIO()
    segno.make(link, error="l", micro=False).save(drawn, kind="png", scale=4)
    return drawn.getvalue()


def _arrays(page_scenario: PageScenario) -> dict[str, Array]:
    """Return all arrays; for a sequence also its input and its initial states."""
    arrays = page_scenario.scenario.effective_arrays()
    if page_scenario.sequence:
        arrays["xs"] = page_scenario.scenario.sequence()[:, :, 0]
        for cell, module in CELLS.items():
            arrays |= dict(
                zip(state_arrays(module), page_scenario.scenario.params_and_initial_state(cell)[1], strict=True)
            )
    return arrays


def _code(state: State, page_scenario: PageScenario) -> None:
    """Draw the code of the page."""
    kinds = _kinds(state, page_scenario)
    name = st.segmented_control(text.CODE, kinds, default="NumPy", required=True, key="code")
    kind = kinds[name]
    try:
        code = kind.write()
    except ValueError as error:
        st.info(escape_markdown(str(error)))
        return
    if page_scenario.gains and name == "NumPy":
        scope = "gains"
    else:
        scope = "sequence" if page_scenario.sequence and name != "LaTeX" else "step"
    st.caption(text.about_code(name, scope, page_scenario.cell, page_scenario.numbers, page_scenario.step))
    if kind.language:
        st.code(code, language=kind.language, height=260)
    # Different names, so that no download replaces another one.
    file = f"cellscope-{page_scenario.cell.lower()}-{scope}-{name.lower()}.{kind.ending}"
    st.download_button(text.DOWNLOAD.format(ending=kind.ending), code, file, on_click="ignore")


def _kinds(state: State, page_scenario: PageScenario) -> dict[str, CodeExport]:
    """Return the kinds of code by name."""
    scenario, cell, sequence, gains, step, _ = page_scenario
    return {
        "NumPy": CodeExport("py", "python", lambda: numpy_script(scenario, cell, sequence=sequence, gains=gains)),
        "PyTorch": CodeExport("py", "python", lambda: pytorch_script(scenario, cell, sequence=sequence)),
        "Keras": CodeExport("py", "python", lambda: keras_script(scenario, cell, sequence=sequence)),
        "Notebook": CodeExport("ipynb", "", lambda: notebook(scenario, cell, sequence=sequence)),
        "LaTeX": CodeExport("tex", "latex", lambda: latex(scenario, cell, decimals=state.decimals, step=step)),
    }


def _link(state: State) -> str:
    """Return the link to the page, without the open tools."""
    query = {name: text for name, text in to_query(state).items() if name not in TOOL_PARAMS}
    return f"{st.context.url}?{urlencode(query)}" if query else f"{st.context.url}"


def _frame(link: str) -> str:
    """Return the HTML that embeds the link in another page."""
    embedded = f"{link}{'&' if '?' in link else '?'}embed=true"
    return f'<iframe src="{escape(embedded)}" width="100%" height="800" style="border: 0"></iframe>'


def _uploader() -> str:
    """Return the key of the uploader for the next file."""
    return f"opened {st.session_state.get('opened', 0)}"


def _open(key: str, state: State) -> None:
    """Open the file, or keep the message of what is wrong with it and change nothing."""
    if key != _uploader():
        return  # already opened: the browser sent the file again before it had the answer
    file = st.session_state[key]
    # With a new key the uploader is empty again.
    st.session_state.opened = st.session_state.get("opened", 0) + 1
    remove_own_uploads()
    try:
        if not isinstance(file, UploadedFile):
            raise ValueError(text.NOT_ARRIVED)
        scenario, view_settings = _read(state, file.name, file.getvalue())
        expect_allowed({name: getattr(scenario, name) for name in SCENARIO_PARAMS} | view_settings)
    except ValueError as error:
        st.session_state.open_refused = f"{error} {text.UNCHANGED}"
    else:
        storage.patch_arrays(scenario.overrides(), patch_of(state, scenario, view_settings))


def _read(state: State, name: str, data: bytes) -> tuple[Scenario, dict[str, Any]]:
    """Return the scenario of a file, and the settings that change only how numbers are shown."""
    if name.lower().endswith(".json"):
        try:
            scenario, view_settings = from_json(data.decode("utf-8-sig"), VIEW_PARAMS)
        except UnicodeDecodeError:
            raise ValueError(text.NOT_UTF_8) from None
        expect_arrays(scenario)
        return scenario, view_settings
    now, arrays = state.scenario, read_arrays(name, data)
    if not any(full.endswith("weight_hh_l0") for full in arrays):
        return now.with_arrays(arrays), state.view_settings()
    cell, ours = from_pytorch(arrays)
    layout, scenario = layout_of(cell, "PyTorch"), replace(now.with_arrays(ours), cell=cell)
    # If the layer lacks the chosen activation, take its default.
    if layout.activations and scenario.g not in layout.activations:
        scenario = replace(scenario, g=layout.activations[0])
    return scenario, state.view_settings()
