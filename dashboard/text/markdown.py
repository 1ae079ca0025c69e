"""Texts in Markdown: symbols as formulas, and texts of readers and of files."""

import re
from string import punctuation

# The text from the first quotation mark to the last one.
QUOTED = re.compile(r"""(['"].*['"])""", re.DOTALL)
# A symbol with a subscript, such as W_f, c̃_t or h_{t−1}.
SYMBOL = re.compile(r"\b([A-Za-z]\u0303?)_(\w|\{[^{}]*\})")


def escape_markdown(text: str) -> str:
    """Return Markdown that shows a text as it is.

    Quoted parts become code, because they may come from a file, and Streamlit turns a URL, a :name: or an arrow in a text into a link,
    an icon or a sign even if it is escaped.
    """
    parts = QUOTED.split(text)
    return "".join(code_span(part) if at % 2 else _escape(part) for at, part in enumerate(parts))


def code_span(text: str) -> str:
    """Return the text as code, between more backticks than it has in a row."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{text}{fence}"


def _escape(text: str) -> str:
    return re.sub(f"([{re.escape(punctuation)}])", r"\\\1", text)


def with_formulas(text: str) -> str:
    """Return a text of ours with its symbols as formulas."""
    return SYMBOL.sub(lambda found: f"${found[0]}$".replace("−", "-"), text)
