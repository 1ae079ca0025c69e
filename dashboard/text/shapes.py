"""The sentences of the shapes page: one for each code of `core.shapes`, with placeholders for its values."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from core.shapes import Cause, Explanation, Statement
from core.shapes.layer import Tensor
from dashboard.text.plural import Plural, Template, fill, of_two
from dashboard.text.shape_causes import REASONS, RULES

# The operation that failed.
OPERATIONS: dict[str, Template] = {
    "layer": "{framework}: {cell}",
    "initial-state-of-layer": "the first state {name} of a layer",
    "axes-of-state": "the axes of the first state",
    "initial-state": "the first state",
    "state-of-cell": "the state of a cell",
    "batch-of-cell-state": "the batch of a cell's state",
    "batch-of-stateful-layer": "the batch of a stateful layer",
    "state-of-scan": "the state of a scan",
    "state-of-layer": "the state of a layer",
    "state-or-output": "the state, or what the layer returned",
    "output-of-layer": "what the layer returned",
    "last-axis-of-x": "the last axis of x",
    "axes-of-x": "the axes of x",
    "shape-of-x": "the shape of x",
    "packed-lengths": "the lengths of a packed sequence",
    "input-of-model": "an input of the model",
    "loss": "the loss",
    "matrix-product": "a matrix product",
    "batch-of-products": "a batch of matrix products",
    "dot": "a product of two vectors",
    "einsum": "an einsum",
    "entry-by-entry": "a sum or product entry by entry",
    "assignment": "an assignment",
    "reshape": "a reshape",
    "join": "a join of arrays",
    "join-of-layers": "a join of layers",
    "stack": "a stack of arrays",
    "axis": "an axis of an array",
    "cell-weights": "the weights of {cell}Cell",
    "weights-of-cell": "the weights of a cell",
    "weights-of-node": "the weights of a node",
    "index": "an index of an array",
    "initial-weights": "the initial values of weights",
    "loading": "loading saved weights",
}

NOTES: dict[str, Template] = {
    "unknown-message": "No known message about shapes is in this text. Paste the line with the sizes in it, or choose the sizes instead.",
    "error-of-memory": "It seems to be about memory, not about shapes: a smaller batch or fewer steps need less.",
    "error-of-device": "It seems to be about devices, not about shapes: move the model, the input and the state to one device.",
    "error-of-types": "It seems to be about the types of the numbers, not about shapes: weights and input must have the same type.",
    "error-of-index": "It seems to be about an index, not about shapes: a number is larger than what it counts, such as words or classes.",
    "error-of-backward": "It seems to be about the backward pass, not about shapes: a graph is used twice, or there is none.",
    "error-of-name": "It seems to be about a name that Python does not find, not about shapes.",
    "error-of-syntax": "Python cannot read the line: no shape is the cause.",
    "implausible-layers": "{layers} = layers × directions is implausible: hidden_size and num_layers may be exchanged where the layer was made.",
    "no-sizes": "This message names no sizes: choose them below.",
}

# The names of sizes and of shapes that are no symbols.
NAMES = {
    "A-columns": "columns of A",
    "B-rows": "rows of B",
    "features": "features of x",
    "state-units": "units of the state",
    "state-batch": "batch of the state",
    "model-m": "m of the model",
    "model-k": "k of the model",
    "initial-state": "initial state",
    "second-input-size": "input_size of layer 2",
    "second-kernel": "kernel of the second layer",
    "second-weights": "the second layer's weights",
}

# The columns of weights, and the rows that they meet.
MEETINGS: dict[str, Template] = {
    "matrices": of_two(
        "columns",
        "rows",
        "{columns} column of A meets {rows} row of B.",
        "{columns} column of A meets {rows} rows of B.",
        "{columns} columns of A meet {rows} row of B.",
        "{columns} columns of A meet {rows} rows of B.",
    ),
    "h": of_two(
        "columns",
        "rows",
        "Layer {layer}: {columns} column for h meets {rows} row of h_{{t−1}}",
        "Layer {layer}: {columns} column for h meets {rows} rows of h_{{t−1}}",
        "Layer {layer}: {columns} columns for h meet {rows} row of h_{{t−1}}",
        "Layer {layer}: {columns} columns for h meet {rows} rows of h_{{t−1}}",
    ),
    "x": of_two(
        "columns",
        "rows",
        "Layer {layer}: {columns} column for x meets {rows} row of x_t",
        "Layer {layer}: {columns} column for x meets {rows} rows of x_t",
        "Layer {layer}: {columns} columns for x meet {rows} row of x_t",
        "Layer {layer}: {columns} columns for x meet {rows} rows of x_t",
    ),
    "below": of_two(
        "columns",
        "rows",
        "Layer {layer}: {columns} column for x meets {rows} row of h of the layer below",
        "Layer {layer}: {columns} column for x meets {rows} rows of h of the layer below",
        "Layer {layer}: {columns} columns for x meet {rows} row of h of the layer below",
        "Layer {layer}: {columns} columns for x meet {rows} rows of h of the layer below",
    ),
    "output": of_two(
        "columns",
        "rows",
        "Linear layer: {columns} column in meets {rows} row of output",
        "Linear layer: {columns} column in meets {rows} rows of output",
        "Linear layer: {columns} columns in meet {rows} row of output",
        "Linear layer: {columns} columns in meet {rows} rows of output",
    ),
    "batches": "Layer {layer}: the batches are {of_h} and {of_x}",
}
# The labels of weights, and the names of what they multiply, by the kind of a meeting.
WEIGHTS = {"h": "for h", "x": "for x", "below": "for x", "output": "in"}
MULTIPLIED = {"h": "h_{t−1}", "x": "x_t", "below": "h of the layer below", "output": "output"}

# The names of tensors in the table, by their places.
TENSORS = {
    "": "{name}",
    "initial": "initial {name}",
    "layer": "layer {layer}: {name}",
    "forward-layer": "forward layer {layer}: {name}",
    "backward-layer": "backward layer {layer}: {name}",
    "of-layer": "{name} of layer {layer}",
    "of-backward-layer": "{name} of layer {layer} backward",
    "of-backward": "{name} backward",
}

EXAMPLES = {
    "one-layers-state-for-two": "State of one layer",
    "steps-for-batch": "Steps for batch",
    "one-cell-for-two-layers": "One cell, two layers",
    "linear-after-two-directions": "Linear after two directions",
    "missing-axis": "Missing axis",
    "row-for-column": "Row for column",
}


class SilentWords(NamedTuple):
    """The words of a mistake that raises nothing.

    Attributes
    ----------
    title : str
    says : str
        What happens, and how to notice it from the sizes.
    meant, got : str
        The names of the intended and of the actual result.
    """

    title: str
    says: str
    meant: str
    got: str


# The mistakes that raise nothing, by `core.shapes.silent`.
SILENT = {
    "batch-and-steps": SilentWords(
        "Batch and steps exchanged",
        "x is (batch, steps, features) and the layer reads (steps, batch, features). Every sequence is torn apart: a step of one follows a step of another. The shape of output does not tell; that of h_n does: its batch is the number of steps.",
        "h after T steps, a column for each sequence",
        "h, a column for each step",
    ),
    "last-of-two-directions": SilentWords(
        "The last output of two directions",
        "output[-1] of a bidirectional layer is the last step of both directions. There the backward half has read one step only. h_n has what each has read in whole.",
        "h_n: forward; backward",
        "output[-1]: forward; backward",
    ),
    "stack-swapped": SilentWords(
        "The stack swapped alone",
        "The columns of W_h are for h first, and the stack has x first. Both have n + m, so nothing is raised, and every weight multiplies an entry that it was not meant for.",
        "W_h·[h; x]",
        "W_h·[x; h]",
    ),
    "pair-exchanged": SilentWords(
        "(h, c) exchanged",
        "h and c have the same shape. TensorFlow 1 kept (c, h), PyTorch and Keras (h, c).",
        "h_t from (h, c)",
        "h_t from (c, h)",
    ),
    "gate-order": SilentWords(
        "Another framework's order of the gates",
        "PyTorch and Keras keep the blocks of an LSTM as i, f, g, o, where g is the candidate (Keras writes c), and ONNX as i, o, f, c. All blocks have the same shape.",
        "h_t",
        "h_t with the blocks i, o, f, c read as i, f, g, o",
    ),
    "view": SilentWords(
        "view in the place of a transpose",
        "A reshape reads the numbers row by row and writes them row by row. Only a transpose makes rows of columns.",
        "x.T",
        "x.reshape(3, 2)",
    ),
    "bias-no-column": SilentWords(
        "A bias that is no column",
        "A bias of shape (k,) is a row to NumPy: with a column (k, 1) it is stretched to (k, k). The sizes tell: z must have as many columns as the batch.",
        "z + b.reshape(3, 1)",
        "z + b",
    ),
    "padded": SilentWords(
        "The last step of a padded sequence",
        "A shorter sequence is filled up, mostly with zeros, and the cell goes on through the filling: with x = 0 the state still changes.",
        "h after the {length} steps that there are",
        "h after {steps} steps, {padding} of them padding",
    ),
}

PAGE: dict[str, Template] = {
    "title": "# Shapes\nPaste an error message about shapes, or set the sizes of your layer: see what is wrong, and the line to change.",
    "message-help": "The message is read and never run. It stays in this session and is in no link.",
    "silent": "## No error, still wrong\nThese mistakes raise nothing, because all sizes match. The numbers are wrong.",
    "to-layers": "See `output[-1]` beside `h_n` over a sequence",
    "silent-alt": "{meant}, and {got}, which has other numbers.",
    "wrong-line": "wrong:  {line}",
    "right-line": "right:  {line}",
    "message": "The message, or the whole traceback",
    "read": "{framework}: {operation}.",
    "read-with-sizes": "{framework}: {operation}; {sizes}.",
    "own-line": "The line of your program that failed, line {number} of {file}:",
    "equal-causes": "{count} causes fit these sizes equally well:",
    "less-likely": "Less likely",
    "would-conform": "Would conform: {shapes}",
    "stand-ins": "The sizes below are those of the message, with stand-ins for what it does not say.",
    "which-cell": "The message does not name the cell. Which is it?",
    "not-of-message": "The message does not tell these sizes. To check your layer, set them.",
    "sizes": "## Sizes",
    "conforms": "All sizes conform.",
    "sizes-of-message": "These are the sizes of the message: change them until they conform.",
    "product": "The product",
    "product-rule": "In A·B each column of A meets one row of B.",
    "columns": Plural("count", "column", "columns"),
    "rows": Plural("count", "row", "rows"),
    "batch": "batch",
    "meetings": "Columns meet rows",
    "meet": "Each column of the weights meets one row of what it multiplies. Here they do: {h} columns for h and {m} for x_t.",
    "differ": "Each column of the weights meets one row of what it multiplies. Where two numbers differ, ≠ stands beside both; what no product shows is said beside it.",
    "all-meet": "In this drawing all sizes meet.",
    "repaired": "What would conform",
    "repaired-layer": "The same layer for x of {x}.",
    "tensors": "## Every tensor of the layer",
    "table-head": "| tensor | shape | sizes | numbers |",
    "more-layers": "Layers 3 to {layers} have the shapes of layer 2.",
    "parameters": "**Parameters**: {terms} = {count}",
    "code": "**Code that runs with these sizes**",
}


def words(code: str, **values: Any) -> str:
    """Return words of the page with these values."""
    return fill(PAGE[code], values)


def sentence(table: Mapping[str, Template], statement: Statement) -> str:
    """Return the sentence of a table for a statement."""
    return fill(table[statement.code], statement.values)


def rule(cause: Cause) -> str:
    """Return the rule that a cause breaks."""
    return RULES[cause.code]


def reason(cause: Cause) -> str:
    """Return why the sizes point to a cause."""
    return " ".join(sentence(REASONS, statement) for statement in cause.why)


def operation(explanation: Explanation) -> str:
    """Return the operation that failed; empty if the message was not understood."""
    return sentence(OPERATIONS, explanation.operation) if explanation.operation else ""


def notes(explanation: Explanation) -> list[str]:
    """Return the further remarks."""
    return [sentence(NOTES, note) for note in explanation.notes]


def tensor_name(tensor: Tensor) -> str:
    """Return the name of a tensor in the table."""
    return fill(TENSORS[tensor.place], {"name": tensor.name, "layer": tensor.layer})


def name_of(code: str) -> str:
    """Return the name of a size or a shape; a symbol is its own name."""
    return NAMES.get(code, code)
