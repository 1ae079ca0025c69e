"""The sentences of the panel that saves, opens and shares."""

LINK = "**This screen as a link**: it carries every choice, and your own numbers as far as they fit."
QR_CODE = "The same link"
QR_CODE_ALT = "The link as a QR code"
NO_QR_CODE = "The link is too long for a QR code that can be read from a wall."
FRAME = "**For a course page**: this screen in a frame."
SAVE_CHOICES = "All choices (.json)"
SAVE_ARRAYS = "All arrays (.npz)"
CODE = "Code"
DOWNLOAD = "Download as .{ending}"

OPEN = "Open a file: .json, .npz, .csv or .safetensors, up to 20 MB"
OPEN_HELP = "A .json that was saved here; arrays by their names here, or as PyTorch calls the weights of one layer; one array as a .csv that is called like it."
NOT_ARRIVED = "The file did not arrive: choose it again."
NOT_UTF_8 = "The file is not a text in UTF-8: open a file that was saved here."
# After an error.
UNCHANGED = "Nothing was changed."

# The content of the code and the exactness of its numbers, by scope and by the codes for numbers of `controls/subject.py`.
SCRIPTS = {
    (
        "step",
        "cell pages",
    ): "{kind}: the {cell}, one step, with the numbers that the pages about a cell show in all their digits.",
    ("step", "page"): "{kind}: the {cell}, one step, with the numbers of this page in all their digits.",
    (
        "step",
        "page in order",
    ): "{kind}: the {cell}, one step, with the numbers of this page, with the stack in the order of the columns of W_h, in all their digits.",
    (
        "sequence",
        "cell pages",
    ): "{kind}: the {cell}, its sequence, with the numbers that the pages about a cell show in all their digits.",
    ("sequence", "page"): "{kind}: the {cell}, its sequence, with the numbers of this page in all their digits.",
    (
        "gains",
        "cell pages",
    ): "{kind}: the {cell}, its gains back through time, with the numbers that the pages about a cell show in all their digits.",
    (
        "gains",
        "page",
    ): "{kind}: the {cell}, its gains back through time, with the numbers of this page in all their digits.",
}
NOTEBOOKS = {
    (
        "step",
        "cell pages",
    ): "Notebook: the {cell}, one step, with the numbers that the pages about a cell show in all their digits, a plot, and three tasks.",
    (
        "step",
        "page",
    ): "Notebook: the {cell}, one step, with the numbers of this page in all their digits, a plot, and three tasks.",
    (
        "step",
        "page in order",
    ): "Notebook: the {cell}, one step, with the numbers of this page, with the stack in the order of the columns of W_h, in all their digits, a plot, and three tasks.",
    (
        "sequence",
        "cell pages",
    ): "Notebook: the {cell}, its sequence, with the numbers that the pages about a cell show in all their digits, a plot, and three tasks.",
    (
        "sequence",
        "page",
    ): "Notebook: the {cell}, its sequence, with the numbers of this page in all their digits, a plot, and three tasks.",
}
LATEX = {
    "cell pages": "LaTeX: one step of the {cell}, with the numbers that the pages about a cell show as the screen rounds them.",
    "page": "LaTeX: one step of the {cell}, with the numbers of this page as the screen rounds them.",
    "page in order": "LaTeX: one step of the {cell}, with the numbers of this page, with the stack in the order of the columns of W_h, as the screen rounds them.",
}
LATEX_OF_STEP = {
    "cell pages": "LaTeX: step {step} of the {cell}, with the numbers that the pages about a cell show as the screen rounds them.",
    "page": "LaTeX: step {step} of the {cell}, with the numbers of this page as the screen rounds them.",
}


def about_code(kind: str, subject: str, cell: str, numbers: str, step: int | None) -> str:
    """Return what a code computes, and how exact its numbers are.

    Parameters
    ----------
    kind : {"NumPy", "PyTorch", "Keras", "Notebook", "LaTeX"}
    subject : {"step", "sequence", "gains"}
    cell : str
    numbers : {"cell pages", "page", "page in order"}
    step : int or None
        The step of a sequence in the equations.
    """
    if kind == "LaTeX":
        sentence = (LATEX_OF_STEP if step else LATEX)[numbers]
    else:
        sentence = (NOTEBOOKS if kind == "Notebook" else SCRIPTS)[subject, numbers]
    return sentence.format(kind=kind, cell=cell, step=step)
