"""Take everything away, and bring it: the link, files, and code."""

import re
from dataclasses import replace
from string import punctuation
from urllib.parse import urlencode

import streamlit as st
from streamlit.typing import UploadedFile

from core.arrays import Array
from core.cells.lstm import GATES
from core.exchange import listing
from core.exchange.array_files import read_arrays, to_npz
from core.exchange.frameworks import from_pytorch
from core.scenario import Scenario, expect_arrays, from_json, to_json
from core.time import bptt
from dashboard import controls
from dashboard.serve.uploads import let_go_of_uploads

# From the first quotation mark to the last one.
QUOTED = re.compile(r"""(['"].*['"])""", re.DOTALL)


def take(page: str) -> None:
    """Draw what saves, opens and shares.

    Parameters
    ----------
    page : str
        The path of the page that is shown.
    """
    scenario = controls.scenario()
    with st.container(border=True):
        st.markdown("**This screen as a link**: it carries every choice, and your own numbers as far as they fit.")
        st.code(_link(), language=None, wrap_lines=True)
        with st.container(horizontal=True):
            st.download_button(
                "All choices (.json)",
                lambda: to_json(scenario),
                "cellscope.json",
                "application/json",
                on_click="ignore",
            )
            st.download_button(
                "All arrays (.npz)", lambda: to_npz(_arrays(page, scenario)), "cellscope.npz", on_click="ignore"
            )
        _code(page, scenario)
        st.file_uploader(
            "Open a file: .json, .npz, .csv or .safetensors, up to 20 MB",
            key=_uploader(),
            on_change=_open,
            args=(_uploader(),),
            help="A .json that was saved here; arrays by their names here, or as PyTorch calls the weights of one layer; one array as a .csv that is called like it.",
        )
        if refused := st.session_state.pop("open_refused", None):
            st.error(plain(refused))


def _arrays(page: str, scenario: Scenario) -> dict[str, Array]:
    """All arrays, and on the page of a sequence what it is given."""
    if page != "sequence":
        return scenario.used()
    scenario = replace(scenario, n=scenario.k)
    try:
        return scenario.used() | {"xs": scenario.sequence()[:, :, 0]}
    except ValueError:  # the page says what is wrong with it
        return scenario.used()


def _code(page: str, scenario: Scenario) -> None:
    """The code of what is on the screen."""
    sequence = page in ("sequence", "gradients")
    cell = "LSTM" if page == "lstm" or (page == "saturation" and scenario.source in GATES) else "RNN"
    if sequence:
        cell, scenario = scenario.cell, replace(scenario, n=scenario.k)  # as those pages take it
    if page == "gradients":
        scenario = replace(scenario, input="noise", T=min(scenario.T, bptt.affordable_steps(2 * scenario.k)))
    kinds = {
        "NumPy": ("py", lambda: listing.numpy_script(scenario, cell, sequence=sequence, gains=page == "gradients")),
        "PyTorch": ("py", lambda: listing.pytorch_script(scenario, cell, sequence=sequence)),
        "Keras": ("py", lambda: listing.keras_script(scenario, cell, sequence=sequence)),
        "Notebook": ("ipynb", lambda: listing.notebook(scenario)),
        "LaTeX": ("tex", lambda: listing.latex(scenario, cell)),
    }
    steps = "its sequence" if sequence else "one step"
    about = {
        "Notebook": "the hidden-state lab's story with the plain cell's numbers",
        "LaTeX": f"one step of the {cell}",
    }
    kind = st.segmented_control("Code", kinds, default="NumPy", required=True, key="code")
    ending, write = kinds[kind]
    try:
        text = write()
    except ValueError as error:
        st.info(plain(str(error)))
        return
    st.caption(
        f"{kind}: {about.get(kind, f'the {cell}, {steps}')}, with the numbers on the screen in all their digits."
        if kind != "LaTeX"
        else f"{kind}: {about[kind]}, as rounded as the screen."
    )
    if kind != "Notebook":
        st.code(text, language="latex" if kind == "LaTeX" else "python", height=260)
    st.download_button(f"Download as .{ending}", text, f"cellscope.{ending}", on_click="ignore")


def plain(text: str) -> str:
    """A text as Markdown that shows it as it is.

    What it quotes may be a file's own words. They stand as code: of an address, a :name: or an arrow in a text Streamlit
    makes a link, a picture or a sign, escaped or not.
    """
    parts = QUOTED.split(text)
    return "".join(_code_span(part) if at % 2 else _escaped(part) for at, part in enumerate(parts))


def _code_span(text: str) -> str:
    """Between more backticks than there are in it."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{text}{fence}"


def _escaped(text: str) -> str:
    return re.sub(f"([{re.escape(punctuation)}])", r"\\\1", text)


def _link() -> str:
    """The screen, but for what is open above it."""
    said = {name: st.query_params.get_all(name) for name in st.query_params if name not in ("edit", "array", "take")}
    return f"{st.context.url}?{urlencode(said, doseq=True)}" if said else f"{st.context.url}"


def _uploader() -> str:
    """The key of what uploads the next file."""
    return f"opened {st.session_state.get('opened', 0)}"


def _open(key: str) -> None:
    """Take what is in the file, or say what is wrong with it and change nothing."""
    if key != _uploader():
        return  # it is opened already: the browser sent it again before it had the answer
    file = st.session_state[key]
    # With another key the uploader is empty again: what was opened is on the screen.
    st.session_state.opened = st.session_state.get("opened", 0) + 1
    let_go_of_uploads()
    try:
        if not isinstance(file, UploadedFile):
            raise ValueError("The file did not arrive: choose it again.")
        scenario = _read(file.name, file.getvalue())
        controls.expect_allowed(scenario)
    except ValueError as error:
        st.session_state.open_refused = f"{error} Nothing was changed."
    else:
        controls.become(scenario)


def _read(name: str, data: bytes) -> Scenario:
    if name.lower().endswith(".json"):
        try:
            scenario = from_json(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise ValueError("The file is not a text in UTF-8: open a file that was saved here.") from None
        expect_arrays(scenario)
        return scenario
    arrays = read_arrays(name, data)
    if not any(full.endswith("weight_hh_l0") for full in arrays):
        return controls.scenario().holding(arrays)
    cell, ours = from_pytorch(arrays)
    scenario = replace(controls.scenario().holding(ours), cell=cell)
    # tanh is the default of torch.nn.RNN, which has no sigmoid.
    return replace(scenario, g="tanh") if cell == "RNN" and scenario.g == "sigmoid" else scenario
