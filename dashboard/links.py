"""What a link may say, and what goes along from page to page."""

from urllib.parse import parse_qsl

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.examples import EXAMPLES, first_of
from dashboard import chosen, own_numbers
from dashboard.address import is_step_of_history, say, set_right
from dashboard.choices import CHOICES, DIALS, EVERYWHERE, OF_PAGES, PARAMETERS, Number, as_text
from dashboard.questions import QUESTIONS, Question, script_of
from dashboard.words import subscripts

# ---- what a link may say ----------------------------------------------------------------------


def refused_parameters() -> dict[str, str]:
    """The parameters whose value in the link cannot be taken, and the rule that each breaks.

    They are taken out of the URL before any widget sees them, which needs a second run: of some of these
    values Streamlit makes None, and at others it raises. Once there are widgets, they mind their own bounds.

    Returns
    -------
    dict
        From the name to the rule.
    """
    if "init" in st.session_state:
        return {}
    rules = PARAMETERS | {"j": Number(1, chosen.value("k"), whole=True)}
    refused = {}
    for name, rule in rules.items():
        given = st.query_params.get_all(name)
        if len(given) > 1 or any(not rule.allows(text) for text in given):
            refused[name] = str(rule)
    if refused:
        st.session_state.refused = st.session_state.get("refused", {}) | refused
        for name in refused:
            del st.query_params[name]
        st.rerun()
    return st.session_state.pop("refused", {})


def explain(refused: dict[str, str]) -> None:
    """Say which parameters were refused, the rule, and what stands in their place.

    The refused text itself is not repeated: it is somebody else's.

    Parameters
    ----------
    refused : dict
        From `refused_parameters`, after the widgets have taken their values.
    """
    lines = own_numbers.missing()
    typed = own_numbers.arrays()
    for name in own_numbers.unused(chosen.scenario()) if typed else ():
        shape = " × ".join(map(str, typed[name].shape))
        lines.append(
            f"Your numbers of `{name}` are {shape}, which does not fit the sizes m, n and k: they are not used now."
        )
    for name, rule in refused.items():
        value = chosen.value(name) if name in DIALS else st.session_state.get(name, chosen.default(name))
        instead = "it is left out" if value in (None, "") else f"{as_text(value)} is used instead"
        lines.append(f"The link's `{name}` must be {rule}; {instead}.")
    if lines:
        st.warning("  \n".join(lines))


# ---- questions --------------------------------------------------------------------------------


def asked(page: str) -> Question | None:
    """The question that this screen of the page answers, if it was opened for one.

    Parameters
    ----------
    page : str
        Its path.
    """
    text = st.query_params.get("question", "")
    question = QUESTIONS[int(float(text)) - 1] if PARAMETERS["question"].allows(text) else None
    return question if question and question.page == page else None


def link_to_questions(here: str) -> None:
    """Lead to the questions, with the reader's numbers.

    Parameters
    ----------
    here : str
        The path of the page that is shown.
    """
    st.page_link(script_of("questions"), label="Questions", query_params=carried("questions", here))


def answer(question: Question) -> None:
    """Say the question and its answer, and lead back to the others.

    Parameters
    ----------
    question : Question
    """
    with st.container(border=True):
        st.markdown(f"**{question.asked}**")
        st.text(subscripts(question.answer))
        st.page_link(script_of("questions"), label="Back to the questions", icon=":material/arrow_back:")


# ---- from page to page ------------------------------------------------------------------------


def arrive(page: str, *, is_bare: bool) -> None:
    """Before any widget: on coming to a page, by whatever way, take up the choices that only some pages have.

    Streamlit takes them out of the address on leaving, and the browser's history holds it so too.

    Parameters
    ----------
    page : str
        The page's path.
    is_bare : bool
        Whether the page was asked for without any choice, be it one that had to be refused.
    """
    came_from = st.session_state.get("page")
    if came_from not in (None, page):
        _put_back()
    if is_bare and first_of(page) != "lab":
        # The bare path means the page's own example. What has become the lab by one choice after the other says so.
        opened = came_from != page or is_step_of_history()
        say({own_numbers.EXAMPLE: first_of(page) if opened else "lab"})
    left = _left(page, came_from)
    if came_from not in (None, page) and left and not set(left) & set(st.query_params):
        # From the address each widget takes them; of the session it takes nothing on back and forward.
        say(left)
    set_right()


def _put_back() -> None:
    """On the way to another page Streamlit takes out of the address what the widgets of closed groups say: put it back."""
    context = get_script_run_ctx()
    asked = dict(parse_qsl(context.query_string)) if context else {}
    lost = {name: asked[name] for name in EVERYWHERE if name in asked and name not in st.query_params}
    if lost:
        say({name: text for name, text in lost.items() if PARAMETERS[name].allows(text)})


def _left(page: str, came_from: str | None) -> dict[str, str]:
    """What the address of a page said when the reader left it, and what the one that the reader comes from says of the same choices."""
    everywhere = st.session_state.setdefault("left", {})
    both = everywhere.get(page, {}) | everywhere.get(came_from, {})
    return {name: text for name, text in both.items() if page in CHOICES[name].pages}


def leave(page: str) -> None:
    """After all widgets: keep the choices that only this page has and that are not its defaults.

    Parameters
    ----------
    page : str
    """
    # Only now: of a run that another one has cut short nothing has come to the address.
    st.session_state.page = page
    there = {name: _in_address(name) for name in OF_PAGES if name in st.query_params}
    st.session_state.left[page] = {name: text for name, text in there.items() if PARAMETERS[name].allows(text)}


def _in_address(name: str) -> str:
    """What the address says of a choice, or will say in a moment."""
    value = st.session_state.get(name)
    return st.query_params[name] if value is None else chosen.written(name, value)


def carried(page: str, here: str) -> dict[str, str] | None:
    """What the link to a page says: the reader's choices of numbers, or the example of the page's own until there are some."""
    address = st.query_params.to_dict()
    everywhere = {name: text for name, text in address.items() if name in EVERYWHERE}
    if EXAMPLES[chosen.example()].is_first and not chosen.has_numbers():
        numbers = everywhere | ({own_numbers.EXAMPLE: first_of(page)} if first_of(page) != "lab" else {})
    else:
        # Without any parameter the link would mean the page's own example.
        numbers = own_numbers.carried() | everywhere or {own_numbers.EXAMPLE: "lab"}
    said = {name: address[name] for name in OF_PAGES if name in address and page in CHOICES[name].pages}
    # In the link, or they would be one more step of the browser's history.
    return numbers | (_left(page, here) if page != here else {}) | said or None
