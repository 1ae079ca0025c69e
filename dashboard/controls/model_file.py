"""The fields for a model file and for its input, whose contents stay in the session."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.typing import UploadedFile

from core.exchange.model_files import ModelContents, read_model
from core.exchange.model_files.contents import LayerRefused
from core.exchange.sequence_files import SequenceFile, read_sequence
from core.model_diagnosis.initial_weights import untrained_networks
from core.model_diagnosis.inputs import INDICES, TIME, Input
from dashboard.server import uploads
from dashboard.server.scheduling import released_run_lock
from dashboard.text import model_input as text
from dashboard.text.markdown import escape_markdown
from dashboard.text.plural import fill
from dashboard.text.words import enumerated

# Unknown characters that the page names.
MOST_NAMED = 8


class ModelFile(NamedTuple):
    """An opened file.

    Attributes
    ----------
    name : str
        The name of the file.
    contents : ModelContents
    slot : LargeFileSlot, optional
        That of the session, while it has a large file or network.
    untrained : sequence of int, optional
        The indices of its networks that look untrained beside a trained one.
    """

    name: str
    contents: ModelContents
    slot: uploads.LargeFileSlot | None = None
    untrained: Sequence[int] = ()


def model_file() -> ModelFile | None:
    """Draw the field for a model file, and return the file that is open."""
    found: ModelFile | None = st.session_state.get("model")
    if found is None:
        _field("model", text.OPEN, text.OPEN_HELP, uploads.MOST_MB_OF_MODEL, _read_model)
        if uploads.is_full():
            st.info(text.FULL.format(count=uploads.MOST_LARGE, most=uploads.MOST_MB))
        return None
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(found.name[:60])
        st.button(text.CLOSE, on_click=_close, args=("model",), key="close model")
    st.caption(text.SESSION)
    return found


def input_file(first_axis: str, with_tokens: Callable[[SequenceFile], SequenceFile]) -> SequenceFile | None:
    """Draw the field for an input, and return the file that is open.

    Parameters
    ----------
    first_axis : {"time", "batch"}
        How a file of several sequences is read.
    with_tokens : callable
        Returns a file as the network reads it: numbers, or indices of tokens.
    """
    kept: SequenceFile | None = st.session_state.get("model_input")
    if kept is None:
        _field("model_input", text.INPUT, text.INPUT_HELP, uploads.MOST_MB, read_sequence)
        return None
    found = with_tokens(kept)
    with st.container(horizontal=True, vertical_alignment="center"):
        name = found.name[:60]
        if found.array is None:
            opened = text.TEXT_OPENED if found.xs is None else text.INPUT_OPENED
            st.text(fill(opened, {"name": name, "T": found.steps}))
        else:
            shape = (found.steps, found.sequences) if found.has_tokens else found.array.shape
            st.text(text.INPUT_OF_AXES[first_axis].format(name=name, shape=shape))
        st.button(text.CLOSE_INPUT, on_click=_close, args=("model_input",), key="close input")
    if found.array is not None and first_axis == TIME:
        if found.has_tokens:
            st.info(text.TOKENS_IN_ROWS)
        elif found.steps < found.sequences:
            st.info(text.SHORT_TIME)
    return found


def _field(kind: str, label: str, about: str, most: int, read: Callable[[str, bytes], object]) -> None:
    key = f"{kind} file {st.session_state.get(f'{kind} files', 0)}"
    # Any file, because for one of another kind Streamlit would raise an error before the reader can say what to do.
    st.file_uploader(label, key=key, on_change=_open, args=(kind, key, read), help=about, max_upload_size=most)
    if refused := st.session_state.get(f"{kind} refused"):
        with st.container(key=f"refused_{kind}"):
            st.error(escape_markdown(refused))


def _open(kind: str, key: str, read: Callable[[str, bytes], object]) -> None:
    """Read a file that was opened, or keep the message of what is wrong with it."""
    count = st.session_state.get(f"{kind} files", 0)
    try:
        if not key.endswith(f" {count}"):
            return  # already read: the browser sent the file again before it had the answer
        file = st.session_state[key]
        # With a new key the field is empty again.
        st.session_state[f"{kind} files"] = count + 1
        st.session_state[f"{kind} refused"] = None
        if not isinstance(file, UploadedFile):
            raise ValueError(text.NOT_ARRIVED)
        with released_run_lock():
            st.session_state[kind] = read(file.name, file.getvalue())
    except LayerRefused as error:
        st.session_state[f"{kind} refused"] = text.refusal(error.layer)
    except ValueError as error:
        st.session_state[f"{kind} refused"] = str(error)
    finally:
        uploads.remove_own_uploads()


def _close(kind: str) -> None:
    # The last diagnosis has the last network, which may be large.
    st.session_state[kind] = st.session_state.model_diagnosis = None


def _read_model(name: str, data: bytes) -> ModelFile:
    slot = uploads.own_slot() if len(data) > uploads.LARGE_BYTES else None
    if slot is None and len(data) > uploads.LARGE_BYTES:
        raise ValueError(text.TOO_MANY.format(count=uploads.MOST_LARGE, most=uploads.MOST_MB))
    contents = read_model(name, data)
    # A small file may unpack to a large network.
    if slot is None and (size := contents.nbytes) > uploads.LARGE_BYTES:
        slot = uploads.own_slot()
        if slot is None:
            large = text.TOO_MANY_NETWORKS.format(size=size // 2**20, count=uploads.MOST_LARGE, most=uploads.MOST_MB)
            raise ValueError(large)
    # Found once, because the weights of a large file take a moment.
    return ModelFile(name, contents, slot, untrained_networks(contents.networks))


def show_input(given: Input, m: int, *, is_file: bool) -> None:
    """Draw what the input is, and what the page cut.

    Parameters
    ----------
    given : Input
    m : int
        Entries of x_t.
    is_file : bool
        Whether the input is that of a file. Then the page has no field for another one.
    """
    if given.how == "noise":
        st.info(escape_markdown(_noise(given, m, is_file=is_file)))
    elif sentence := (text.HOW_OF_INDICES if given.reading == INDICES else text.HOW)[given.how]:
        st.caption(escape_markdown(sentence.format(table=repr(given.table))))
    if given.xs.shape[2] > 1:
        st.caption(text.SEQUENCES.format(B=given.xs.shape[2]))
    if unknown := given.unknown:
        named = enumerated(map(repr, unknown[:MOST_NAMED])) + "…" * (len(unknown) > MOST_NAMED)
        st.info(escape_markdown(fill(text.UNKNOWN, {"count": len(unknown), "named": named})))
    if given.is_cut:
        st.info(fill(text.CUT, {"T": len(given.xs), "B": given.xs.shape[2]}))


def _noise(given: Input, m: int, *, is_file: bool) -> str:
    """Return why the page uses noise, and which text fits the network."""
    if given.table:
        return text.NOISE_OF_TABLE.format(tokens=given.distinct, table=repr(given.table))
    fitting = text.FITTING[given.reading].format(m=m, last=m - 1)
    own = () if is_file else (text.OWN_INPUT,)
    return " ".join([text.NOISE.format(tokens=given.distinct, m=m), *own, fitting])
