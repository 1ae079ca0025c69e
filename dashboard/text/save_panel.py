"""The sentences of the panel that saves, opens and shares."""

LINK = "**This screen as a link.** It holds every setting, and your custom values unless there are too many."
QR_CODE = "The same link"
QR_CODE_ALT = "The link as a QR code"
NO_QR_CODE = "The link is too long for a QR code that can be read from a distance."
FRAME = "**For a course page.** This code embeds the screen in a frame."
SAVE_CHOICES = "All settings (.json)"
SAVE_ARRAYS = "All arrays (.npz)"
# With several layers or directions.
SAVE_FIRST_ARRAYS = "Arrays of layer 1, forward (.npz)"
SAVE_FIRST_ARRAYS_HELP = "The file has the arrays of the forward direction of layer 1 only. The NumPy and PyTorch code has those of every layer."
CODE = "Code"
DOWNLOAD = "Download as .{ending}"

OPEN = "Open a file: .json, .npz, .csv or .safetensors, up to 20 MB"
OPEN_HELP = (
    "A .json file saved by Cellscope. A .npz or .safetensors file whose arrays have Cellscope's names, or PyTorch's names for one layer. "
    "A .csv file with one array and its name, such as W_hh.csv."
)
NOT_ARRIVED = "The upload failed. Choose the file again."
NOT_UTF_8 = "The file is not a text in UTF-8. Choose a .json file saved by Cellscope."
# After an error.
UNCHANGED = "Nothing was changed."

# The content of the code and the exactness of its numbers, by scope and by the codes for numbers of `controls/page_scenario.py`.
SCRIPTS = {
    (
        "step",
        "cell pages",
    ): "{kind}: one step of the {cell} in full precision. The code has no numbers of this page, only those that the URL keeps from other pages, or the defaults.",
    ("step", "page"): "{kind}: one step of the {cell}, with the numbers of this page in full precision.",
    (
        "step",
        "page in order",
    ): "{kind}: one step of the {cell}, with the numbers of this page in full precision and the stacked input in the order of W_h's columns.",
    (
        "sequence",
        "cell pages",
    ): "{kind}: the sequence of the {cell}, with the numbers of the page Sequence in full precision.",
    ("sequence", "page"): "{kind}: the sequence of the {cell}, with the numbers of this page in full precision.",
    (
        "gains",
        "cell pages",
    ): "{kind}: the gains of the {cell} back through time, with the numbers of the page Gradients in full precision.",
    (
        "gains",
        "page",
    ): "{kind}: the gains of the {cell} back through time, with the numbers of this page in full precision.",
}
NOTEBOOKS = {
    (
        "step",
        "cell pages",
    ): "Notebook: one step of the {cell} in full precision. The code has no numbers of this page, only those that the URL keeps from other pages, or the defaults. It has a plot and three tasks.",
    (
        "step",
        "page",
    ): "Notebook: one step of the {cell}, with the numbers of this page in full precision. It has a plot and three tasks.",
    (
        "step",
        "page in order",
    ): "Notebook: one step of the {cell}, with the numbers of this page in full precision and the stacked input in the order of W_h's columns. It has a plot and three tasks.",
    (
        "sequence",
        "cell pages",
    ): "Notebook: the sequence of the {cell}, with the numbers of the page Sequence in full precision. It has a plot and three tasks.",
    (
        "sequence",
        "page",
    ): "Notebook: the sequence of the {cell}, with the numbers of this page in full precision. It has a plot and three tasks.",
}
LATEX = {
    "cell pages": "LaTeX: one step of the {cell}, with rounded numbers. The code has no numbers of this page, only those that the URL keeps from other pages, or the defaults.",
    "page": "LaTeX: one step of the {cell}, with the rounded numbers of this page.",
    "page in order": "LaTeX: one step of the {cell}, with the rounded numbers of this page and the stacked input in the order of W_h's columns.",
}
LATEX_OF_STEP = {
    "cell pages": "LaTeX: step {step} of the {cell}, with the rounded numbers of the page Sequence.",
    "page": "LaTeX: step {step} of the {cell}, with the rounded numbers of this page.",
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
