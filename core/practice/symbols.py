"""What code calls by names and the screen by symbols, in words, as HTML and as LaTeX."""

import re
from html import escape

from core.cells import CELLS
from core.exchange import latex

# As the cells have it, and the derivatives that only exercises have.
SYMBOLS = {name: made.text for cell in CELLS.values() for name, made in cell.SYMBOLS.items()} | {
    "dL_dh_t": "∂L/∂h_t",
    "dL_dz_t": "∂L/∂z_t",
    "dh_T_dh_0": "∂h_T/∂h_0",
}
# A letter with something below it; recurrent_kernel and bias_hh are no symbols.
LETTER = r"(?<!\w)(\w\u0303?)_(?:\{([^}]*)\}|(\w+))"
# What LaTeX reads otherwise, or has another sign for.
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
    """What the screen calls what code calls so, such as h_{t−1} for h_prev.

    Parameters
    ----------
    name : str

    Returns
    -------
    str
    """
    return SYMBOLS.get(name, name)


def named(text: str) -> str:
    """A text in which code's names stand, with the screen's.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
    """
    return re.sub(r"\b\w+\b", lambda word: symbol(word[0]), text)


def in_html(text: str) -> str:
    """The same as HTML.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
    """
    return re.sub(
        LETTER, lambda found: f"{found[1]}<sub>{found[2] or found[3]}</sub>", escape(named(text), quote=False)
    )


def in_latex(text: str) -> str:
    """The same as LaTeX.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
    """

    def written(found: re.Match[str]) -> str:
        if found[1]:
            return f"${latex.in_latex(f'{found[1]}_{{{found[2] or found[3]}}}')}$"
        return SIGNS.get(found[0]) or f"${MATHS[found[0]]}$"

    signs = "".join(map(re.escape, (*SIGNS, *MATHS)))
    return re.sub(f"{LETTER}|[{signs}]", written, named(text))
