"""The symbol of each name in code, and texts with symbols as plain text, HTML and LaTeX."""

import re
from html import escape

from core.cells import CELLS
from core.cells.protocol import Cell

# Those of the cells, and derivatives that only exercises have.
SYMBOLS = {name: made.text for cell in CELLS.values() for name, made in cell.SYMBOLS.items()} | {
    "dL_dh_t": "∂L/∂h_t",
    "dL_dz_t": "∂L/∂z_t",
    "dh_T_dh_0": "∂h_T/∂h_0",
}
# A letter with something below it; recurrent_kernel and bias_hh are no symbols.
LETTER = r"(?<!\w)(\w\u0303?)_(?:\{([^}]*)\}|(\w+))"
# Characters that LaTeX reads as commands, and those that it writes as commands.
SIGNS = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "[": "{[}", "]": "{]}"}
SIGNS |= {sign: rf"\{sign}" for sign in "_%&#{}"}
MATHS = {
    "−": "-",
    "·": r"\cdot ",
    "∘": r"\circ ",
    "σ": r"\sigma ",
    "′": "'",
    "≈": r"\approx ",
    "×": r"\times ",
    "Σ": r"\Sigma ",
    "∂": r"\partial ",
    "→": r"\to ",
}


def symbol(name: str) -> str:
    """Return the symbol of a name in code, such as h_{t−1} for h_prev; the name itself if it has none."""
    return SYMBOLS.get(name, name)


def symbol_of(cell: Cell, name: str) -> str:
    """Return the symbol that a cell has for a field of its step or of its parameters; the name itself if it has none."""
    return cell.SYMBOLS[name].text if name in cell.SYMBOLS else name


def text_in_symbols(text: str) -> str:
    """Return a text with symbols in place of the names in code."""
    return re.sub(r"\b\w+\b", lambda word: symbol(word[0]), text)


def text_in_html(text: str) -> str:
    """Return a text with symbols in place of the names in code, as HTML."""
    return re.sub(
        LETTER, lambda found: f"{found[1]}<sub>{found[2] or found[3]}</sub>", escape(text_in_symbols(text), quote=False)
    )


def symbol_in_latex(text: str) -> str:
    """Return the LaTeX of a symbol, such as ``"f_t∘c_{t−1}"``, for math mode."""
    text = re.sub("(.)\u0303", r"\\tilde \1", text)  # a letter with a tilde over it
    return (
        text.replace("−", "-")
        .replace("∘", r" \circ ")
        .replace("tanh", r"\tanh")
        .replace("′", "'")
        .replace("∂", r"\partial ")
    )


def text_in_latex(text: str) -> str:
    """Return a text with symbols in place of the names in code, as LaTeX for text mode."""

    def written(found: re.Match[str]) -> str:
        if found[1]:
            return f"${symbol_in_latex(f'{found[1]}_{{{found[2] or found[3]}}}')}$"
        return SIGNS.get(found[0]) or f"${MATHS[found[0]]}$"

    signs = "".join(map(re.escape, (*SIGNS, *MATHS)))
    return re.sub(f"{LETTER}|[{signs}]", written, text_in_symbols(text))
