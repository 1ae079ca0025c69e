"""Take everything away, and bring it: the link, files, and code."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from html import escape
from io import BytesIO
from string import punctuation
from typing import Any, NamedTuple
from urllib.parse import urlencode

import segno
import streamlit as st
from streamlit.typing import UploadedFile

from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import carried
from core.exchange.array_files import read_arrays, to_npz
from core.exchange.frameworks import from_pytorch, layout_of
from core.exchange.latex import latex
from core.exchange.listing import keras_script, numpy_script, pytorch_script
from core.exchange.notebook import notebook
from core.exchange.scenario_json import from_json, to_json
from core.scenario import Scenario, expect_arrays
from dashboard import chosen
from dashboard.about import About
from dashboard.choices import OF_LOOKS, OF_NUMBERS, expect_allowed
from dashboard.serve.uploads import let_go_of_uploads

# In characters.
LONGEST_IN_QR = 500
# From the first quotation mark to the last one.
QUOTED = re.compile(r"""(['"].*['"])""", re.DOTALL)


class Kind(NamedTuple):
    """A kind of code.

    Attributes
    ----------
    ending : str
        Of its file.
    language : str
        What its colours on the screen follow.
    about : str
        What it is of, and how exact.
    write : callable
    """

    ending: str
    language: str
    about: str
    write: Callable[[], str]


def export(about: About) -> None:
    """Draw what saves, opens and shares.

    Parameters
    ----------
    about : About
        What the page that is shown is about.
    """
    # What is saved is made when it is asked for, which is after the run: then no widget can be read any more.
    scenario, looks = chosen.scenario(), chosen.looks()
    with st.container(border=True):
        st.markdown("**This screen as a link**: it carries every choice, and your own numbers as far as they fit.")
        st.code(_link(), language=None, wrap_lines=True)
        _show_qr_code(_link())
        st.markdown("**For a course page**: this screen in a frame.")
        st.code(_frame(_link()), language="html", wrap_lines=True)
        with st.container(horizontal=True):
            st.download_button(
                "All choices (.json)",
                lambda: to_json(scenario, looks),
                "cellscope.json",
                "application/json",
                on_click="ignore",
            )
            st.download_button("All arrays (.npz)", lambda: to_npz(_arrays(about)), "cellscope.npz", on_click="ignore")
        _code(about)
        st.file_uploader(
            "Open a file: .json, .npz, .csv or .safetensors, up to 20 MB",
            key=_uploader(),
            on_change=_open,
            args=(_uploader(),),
            help="A .json that was saved here; arrays by their names here, or as PyTorch calls the weights of one layer; one array as a .csv that is called like it.",
        )
        if refused := st.session_state.pop("open_refused", None):
            st.error(plain(refused))


def _show_qr_code(link: str) -> None:
    """The link for a class to read from the wall."""
    if len(link) > LONGEST_IN_QR:
        st.caption("The link is too long for a QR code that can be read from a wall.")
        return
    st.image(_qr_code(link), caption="The same link", alt="The link as a QR code")


# A run asks for the same one again and again, and one takes 100 ms.
@lru_cache(maxsize=32)
def _qr_code(link: str) -> bytes:
    """As a PNG."""
    drawn = BytesIO()
    segno.make(link, error="l", micro=False).save(drawn, kind="png", scale=4)
    return drawn.getvalue()


def _arrays(about: About) -> dict[str, Array]:
    """All arrays, and of a sequence what it is given and the states that it starts from."""
    arrays = about.scenario.used()
    if about.sequence:
        arrays["xs"] = about.scenario.sequence()[:, :, 0]
        for cell, module in CELLS.items():
            arrays |= dict(zip(carried(module), about.scenario.at_rest(cell)[1], strict=True))
    return arrays


def _code(about: About) -> None:
    """The code of what is on the screen."""
    scenario, cell, sequence, gains, step, numbers = about
    what = "its sequence" if sequence else "one step"
    of_layer = f"the {cell}, {what}, with {numbers} in all their digits"
    one_step = f"step {step} of the {cell}" if step else f"one step of the {cell}"
    kinds = {
        "NumPy": Kind(
            "py",
            "python",
            f"the {cell}, {'its gains back through time' if gains else what}, with {numbers} in all their digits",
            lambda: numpy_script(scenario, cell, sequence=sequence, gains=gains),
        ),
        "PyTorch": Kind("py", "python", of_layer, lambda: pytorch_script(scenario, cell, sequence=sequence)),
        "Keras": Kind("py", "python", of_layer, lambda: keras_script(scenario, cell, sequence=sequence)),
        "Notebook": Kind(
            "ipynb",
            "",
            f"{of_layer}, a plot, and three tasks",
            lambda: notebook(scenario, cell, sequence=sequence),
        ),
        "LaTeX": Kind(
            "tex",
            "latex",
            f"{one_step}, with {numbers} as the screen rounds them",
            lambda: latex(scenario, cell, decimals=chosen.decimals(), step=step),
        ),
    }
    name = st.segmented_control("Code", kinds, default="NumPy", required=True, key="code")
    kind = kinds[name]
    try:
        text = kind.write()
    except ValueError as error:
        st.info(plain(str(error)))
        return
    st.caption(f"{name}: {kind.about}.")
    if kind.language:
        st.code(text, language=kind.language, height=260)
    # So that none takes the place of another in the folder of downloads.
    of = "gains" if gains and name == "NumPy" else "sequence" if sequence and name != "LaTeX" else "step"
    file = f"cellscope-{cell.lower()}-{of}-{name.lower()}.{kind.ending}"
    st.download_button(f"Download as .{kind.ending}", text, file, on_click="ignore")


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


def _frame(link: str) -> str:
    """The HTML that puts a link into another page."""
    embedded = f"{link}{'&' if '?' in link else '?'}embed=true"
    return f'<iframe src="{escape(embedded)}" width="100%" height="800" style="border: 0"></iframe>'


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
        scenario, looks = _read(file.name, file.getvalue())
        expect_allowed({name: getattr(scenario, name) for name in OF_NUMBERS} | looks)
    except ValueError as error:
        st.session_state.open_refused = f"{error} Nothing was changed."
    else:
        chosen.become(scenario, looks)


def _read(name: str, data: bytes) -> tuple[Scenario, dict[str, Any]]:
    """The scenario of a file, and how it is looked at."""
    if name.lower().endswith(".json"):
        try:
            scenario, looks = from_json(data.decode("utf-8-sig"), OF_LOOKS)
        except UnicodeDecodeError:
            raise ValueError("The file is not a text in UTF-8: open a file that was saved here.") from None
        expect_arrays(scenario)
        return scenario, looks
    now, arrays = chosen.scenario(), read_arrays(name, data)
    if not any(full.endswith("weight_hh_l0") for full in arrays):
        return now.holding(arrays), chosen.looks()
    cell, ours = from_pytorch(arrays)
    layout, scenario = layout_of(cell, "PyTorch"), replace(now.holding(ours), cell=cell)
    # Of a layer that has not the chosen activation, the one that it starts with.
    if layout.activations and scenario.g not in layout.activations:
        scenario = replace(scenario, g=layout.activations[0])
    return scenario, chosen.looks()
