"""No text becomes markup: neither Streamlit nor the browser is ever asked to read one as HTML or as code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

DASHBOARD = Path(__file__).parents[1] / "dashboard"
# What reads its text as HTML.
CALLS = {"html", "iframe"}
# A component of ours has its own HTML, which then is written there.
LITERAL = {"html", "css"}
JAVASCRIPT = re.compile(
    r"(inner|outer)HTML|insertAdjacentHTML|createContextualFragment|DOMParser|(set|parse)HTML|srcdoc|"
    r"document\.write|\beval\(|\bFunction\(|set(Timeout|Interval)\(\s*[\"'`]|javascript:|setAttribute\(\s*[\"'`]on"
)


def markup(source: str) -> Iterator[str]:
    """What of a Python file reads a text as HTML, or holds such JavaScript."""
    tree = ast.parse(source)
    styled = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_stylesheet(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg and node.arg.startswith(("unsafe_", "allow_html")):
            yield node.arg
        elif isinstance(node, ast.keyword) and node.arg in LITERAL and _is_made_up(node.value):
            yield node.arg
        elif isinstance(node, ast.Attribute) and node.attr in CALLS and node not in styled:
            yield node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "markdown" and len(node.args) > 1:
            yield "unsafe_allow_html"  # which is the second
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("streamlit"):
            yield from (alias.name for alias in node.names if alias.name in CALLS)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from (found[0] for found in JAVASCRIPT.finditer(node.value))


def _is_stylesheet(call: ast.Call) -> bool:
    """Whether all that is handed out is a file of ours with styles, by its name."""
    match call:
        case ast.Call(args=[ast.BinOp(left=ast.Name(id="STATIC"), op=ast.Div(), right=ast.Constant(value=str(name)))]):
            return name.endswith(".css") and not call.keywords
    return False


def _is_made_up(value: ast.expr) -> bool:
    """Whether any part of it is neither written there nor a file of ours, read as a whole."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return _is_made_up(value.left) or _is_made_up(value.right)
    read = isinstance(value, ast.Call) and getattr(value.func, "attr", "") == "read_text"
    return not (isinstance(value, ast.Constant) or read)


def test_no_python_file_hands_out_markup():
    found = {file.name: list(markup(file.read_text(encoding="utf-8"))) for file in DASHBOARD.rglob("*.py")}
    assert found and {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize("file", sorted(DASHBOARD.rglob("*.js")), ids=lambda file: file.name)
def test_no_script_makes_elements_or_code_of_a_text(file):
    assert not JAVASCRIPT.search(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "source",
    [
        "st.markdown(text, unsafe_allow_html=True)",
        "st.markdown(text, True)",
        "st.html(text)",
        "st.html(STATIC / name)",
        "st.html(STATIC / 'page.html')",
        "from streamlit import html",
        "import streamlit.components.v1 as v1\nv1.html(text)",
        "component('a', html=f'<p>{text}')",
        "component('a', html='<p>' + text)",
        "component('a', html=text)",
        "component('a', css=FILE.read_text() + text)",
        "component('a', html=make(text))",
        "component('a', html='<p>{}</p>'.format(text))",
        "JS = 'element.innerHTML = text'",
        "JS = 'element.insertAdjacentHTML(place, text)'",
        "JS = 'eval(text)'",
        "JS = 'new Function(text)'",
        "JS = 'document.write(text)'",
        "JS = 'element.setAttribute(\"onclick\", text)'",
    ],
)
def test_markup_is_found(source):
    assert list(markup(source))


@pytest.mark.parametrize(
    "source",
    [
        "st.markdown(f'**{name}**')",
        "st.html(STATIC / 'page.css')",
        "component('a', html='<p></p>', css=FILE.read_text(), js=LOADER)",
        "component('a', css=FILE.read_text() + OTHER.read_text())",
        "JS = 'element.textContent = text'",
        "JS = 'setTimeout(() => done())'",
    ],
)
def test_what_is_no_markup_is_let_through(source):
    assert list(markup(source)) == []
