"""The sentences of the shapes page: one for each code of `core.shapes`, with placeholders for its values."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from core.shapes import Cause, Explanation, GivenSizes, Statement
from core.shapes.layer_shapes import Tensor, format_shape
from dashboard.text.plural import Plural, Template, fill, of_two
from dashboard.text.shape_causes import RULES, TITLES
from dashboard.text.shape_reasons import REASONS

# The operation that failed.
OPERATIONS: dict[str, Template] = {
    "layer": "{framework}: {cell}",
    "initial-state-of-layer": "the initial state {name}",
    "axes-of-state": "the axes of the initial state",
    "initial-state": "the initial state",
    "state-of-cell": "the state of a cell",
    "cell-state": "the cell state c of an LSTMCell",
    "batch-of-cell-state": "the batch of a cell's state",
    "batch-of-stateful-layer": "the batch of a stateful layer",
    "state-of-scan": "the state of a scan",
    "state-of-layer": "the state of a layer",
    "state-or-output": "the state or the output of a layer",
    "output-of-layer": "the output of a layer",
    "last-axis-of-x": "the last axis of x",
    "axes-of-x": "the axes of x",
    "shape-of-x": "the shape of x",
    "packed-lengths": "the lengths of a packed sequence",
    "lengths": "the lengths of sequences",
    "input-of-model": "an input of the model",
    "loss": "the loss",
    "samples": "the number of samples",
    "matrix-product": "a matrix product",
    "batch-of-products": "a batch of matrix products",
    "batch-of-map": "the batch of jax.vmap",
    "dot": "a product of two vectors",
    "einsum": "an einsum",
    "columns-of-scaler": "the columns of a scaler",
    "entry-by-entry": "an operation entry by entry, such as a sum",
    "assignment": "an assignment",
    "reshape": "a reshape",
    "split": "a split into equal parts",
    "join": "a concatenation of arrays",
    "join-of-layers": "a concatenation of layers",
    "stack": "arrays on a new axis",
    "new-array": "an array from a list",
    "choice": "a random choice",
    "axis": "an axis of an array",
    "cell-weights": "the weights of {cell}Cell",
    "weights-of-cell": "the weights of a cell",
    "weights-of-node": "the weights of a node",
    "index": "an index of an array",
    "embedding": "an index of an embedding",
    "input-of-layer": "the input of a layer",
    "initial-weights": "the initial values of weights",
    "loading": "loading saved weights",
    "crf": "a conditional random field",
    "tensor-of-model": "a tensor of a model that is being built",
    "one-number": "an array in the place of one number",
    "metric": "predictions and targets after the training",
    "tokens": "the tokens of a text",
}

NOTES: dict[str, Template] = {
    "unknown-message": "This text has no known message about shapes. Paste the line with the sizes, or set the sizes under “Sizes”.",
    "error-of-memory": "This seems to be an error about memory, not about shapes. A smaller batch or fewer steps need less memory.",
    "error-of-device": "This seems to be an error about devices, not about shapes. Move the model, the input and the state to one device.",
    "error-of-types": "This seems to be an error about data types (dtypes), not about shapes. Weights, input and initial state must have the same data type: x = x.to(next(model.parameters()).dtype), and h0 = h0.to(x.dtype).",
    "error-of-onnx-types": "This is an error about data types (dtypes), not about shapes. Give the array the type that the message expects: x.astype(np.float32) for tensor(float), and x.astype(np.int64) for tensor(int64).",
    "error-of-float-targets": "This is an error about data types (dtypes), not about shapes. A loss such as BCELoss or MSELoss needs targets of the type of the predictions: targets = targets.float().",
    "error-of-script": "This seems to be an error about types in TorchScript, not about shapes. Without an annotation every argument is a tensor. Annotate the state: hidden: Optional[Tuple[Tensor, Tensor]] = None.",
    "error-of-whole-numbers": "This is an error about data types (dtypes), not about shapes. The indices of an embedding and the classes of a loss must be whole numbers: x = x.long().",
    "error-of-index": "This seems to be an error about an index, not about shapes. An index must be less than the number of entries, such as words or classes.",
    "error-of-backward-twice": "This is an error about the backward pass, not about shapes. If a state is kept from batch to batch, cut its graph before the next one: hidden = hidden.detach(). An LSTM needs this for h and for c. Otherwise backward() was called twice for one loss.",
    "error-of-in-place": "This is an error about the backward pass, not about shapes. A line changes an array that the gradient needs, such as states[:, t] = h or h += x. Keep the steps in a list, and make one tensor after the loop.",
    "error-of-detach": "This is an error about gradients, not about shapes. The tensor still belongs to the graph of the backward pass. Use x.detach().cpu().numpy(), and predict within torch.no_grad().",
    "error-of-backward": "This seems to be an error about the backward pass, not about shapes. The loss depends on no tensor that requires a gradient.",
    "error-of-gpu": "The GPU does not say what is wrong. Run the same line on the CPU, whose message names the sizes, the type or the index.",
    "error-of-right-padded": 'This is an error about padding, not about shapes. On the GPU, Keras takes sequences with the padding at the end: pad_sequences(x, padding="post").',
    "error-of-versions": "This is an error about versions, not about shapes. These layers of an old TensorFlow fail with NumPy 1.20 or newer. Install a newer TensorFlow, or an older NumPy.",
    "error-of-training-mode": "This is an error about the mode of the model, not about shapes. On the GPU, backward() needs model.train() before the forward pass.",
    "error-of-compacted": "This is a warning, and not about shapes. The weights lie apart in memory. Call flatten_parameters() of the layer at the start of forward.",
    "error-of-missing-values": "This is an error about values, not about shapes. The data contain NaN or infinity. Fill or drop these rows first.",
    "error-of-export": "This seems to be an error about the export of a model, not about shapes. A newer version of PyTorch, or a higher opset_version, knows more operators.",
    "error-of-graph": "This is an error about the inputs of a Keras model, not about shapes. Some layer needs a tensor that the inputs of Model(...) do not lead to. For a second model, such as a decoder, make inputs of its own and call the trained layers with them.",
    "error-of-wrapped": "This is an error about a name, not about shapes. DataParallel wraps the model. Its own methods and attributes are those of model.module.",
    "error-of-no-array": "This is an error about a type, not about shapes. The function takes a NumPy array, and here it gets a list: np.array(x).",
    "error-of-range": "This is an error about values, not about shapes. The loss expects probabilities from 0 to 1: use a sigmoid, or BCEWithLogitsLoss.",
    "error-of-truth": "This is not an error about shapes. Python needs one truth value, and the tensor has many. Make a loss before you call it: nn.CrossEntropyLoss()(logits, targets).",
    "error-of-scalar": "One number is needed here, and the tensor has many. Reduce a loss with mean(). A list of tensors becomes one tensor with torch.cat.",
    "error-of-arguments": "This seems to be an error about the arguments of a call, not about shapes. A cell or a decoder needs its state as well as its input.",
    "error-of-keyword": "This is an error about the arguments of a call, not about shapes. The called class or function has no argument of this name. LSTMCell, GRUCell and RNNCell have no batch_first, num_layers, dropout or bidirectional.",
    "error-of-name": "This seems to be an error about a name that Python cannot find, not about shapes.",
    "error-of-syntax": "Python cannot parse the line, so the cause is not a shape.",
    "implausible-layers": "layers × directions is {layers}, which is surprisingly large. hidden_size and num_layers may be swapped in the line that makes the layer.",
    "no-sizes": "This message has no sizes. Set them under “Sizes”.",
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
}

# The columns of weights, and the rows that they meet.
MEETINGS: dict[str, Template] = {
    "matrices": of_two(
        "columns",
        "rows",
        "A has {columns} column and B has {rows} row.",
        "A has {columns} column and B has {rows} rows.",
        "A has {columns} columns and B has {rows} row.",
        "A has {columns} columns and B has {rows} rows.",
    ),
    "h": of_two(
        "columns",
        "rows",
        "Layer {layer}: {columns} column for h, and {rows} row of h_{{t−1}}",
        "Layer {layer}: {columns} column for h, and {rows} rows of h_{{t−1}}",
        "Layer {layer}: {columns} columns for h, and {rows} row of h_{{t−1}}",
        "Layer {layer}: {columns} columns for h, and {rows} rows of h_{{t−1}}",
    ),
    "x": of_two(
        "columns",
        "rows",
        "Layer {layer}: {columns} column for x, and {rows} row of x_t",
        "Layer {layer}: {columns} column for x, and {rows} rows of x_t",
        "Layer {layer}: {columns} columns for x, and {rows} row of x_t",
        "Layer {layer}: {columns} columns for x, and {rows} rows of x_t",
    ),
    "below": of_two(
        "columns",
        "rows",
        "Layer {layer}: {columns} column for x, and {rows} row of h of the layer below",
        "Layer {layer}: {columns} column for x, and {rows} rows of h of the layer below",
        "Layer {layer}: {columns} columns for x, and {rows} row of h of the layer below",
        "Layer {layer}: {columns} columns for x, and {rows} rows of h of the layer below",
    ),
    "output": of_two(
        "columns",
        "rows",
        "Output layer: {columns} column of W_y, and {rows} row of the output",
        "Output layer: {columns} column of W_y, and {rows} rows of the output",
        "Output layer: {columns} columns of W_y, and {rows} row of the output",
        "Output layer: {columns} columns of W_y, and {rows} rows of the output",
    ),
    "no-state": Plural(
        "columns",
        "Layer {layer}: {columns} column for h, but h0 has no state for this layer",
        "Layer {layer}: {columns} columns for h, but h0 has no state for this layer",
    ),
    "batches": "Layer {layer}: the batches are {of_h} and {of_x}",
}
# The labels of weights, and the names of what they multiply, by the kind of a meeting.
WEIGHTS = {"h": "for h", "x": "for x", "below": "for h of layer {below}", "output": "in"}
WEIGHTS_OF_LAYER = "W of layer {layer}"
MULTIPLIED = {"h": "h_{t−1}", "x": "x_t", "below": "h of the layer below", "output": "output"}
NO_STATE = "no h_{t−1}"

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
    "one-layers-state-for-two": "State for one layer",
    "steps-for-batch": "Steps instead of batch",
    "one-cell-for-two-layers": "Layers share a cell",
    "linear-after-two-directions": "Linear after bidirectional layer",
    "missing-axis": "Missing axis",
    "row-for-column": "Row instead of column",
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


# The mistakes that raise nothing, by `core.shapes.silent_mistakes`.
SILENT = {
    "batch-and-steps": SilentWords(
        "Batch and steps swapped",
        "x is (batch, steps, features), but the layer reads (steps, batch, features). So the layer passes its state from one sequence to the next, as if the sequences were steps. Then the size of the second axis of h_n is the number of steps, and not the batch size.",
        "h after T steps, a column for each sequence",
        "h, a column for each step",
    ),
    "last-of-two-directions": SilentWords(
        "The last output of two directions",
        "output[-1] is the output at t = T. There, the backward direction has only started: it has read one x_t. In h_n, each direction has read every x_t.",
        "h_n: forward; backward",
        "output[-1]: forward; backward",
    ),
    "stack-swapped": SilentWords(
        "h and x swapped",
        "The first columns of W_h are for h, but the stacked input starts with x. The sizes match, so there is no error. But every weight multiplies a wrong entry.",
        "W_h·[h; x]",
        "W_h·[x; h]",
    ),
    "pair-exchanged": SilentWords(
        "(h, c) swapped",
        "h and c have the same shape. TensorFlow 1 has the pair (c, h); PyTorch and Keras have (h, c).",
        "h_t from (h, c)",
        "h_t from (c, h)",
    ),
    "gate-order": SilentWords(
        "Another framework's order of the gates",
        "PyTorch and Keras order the blocks of an LSTM as i, f, g, o, where g is the candidate. ONNX orders them as i, o, f, g, and writes c for g. All blocks have the same shape.",
        "h_t",
        "h_t with the gates in the wrong order",
    ),
    "view": SilentWords(
        "view() instead of transpose()",
        "view() and reshape() read and write the entries row by row. Only a transpose turns columns into rows.",
        "x.T",
        "x.reshape(3, 2)",
    ),
    "bias-no-column": SilentWords(
        "A bias as a row",
        "NumPy reads a bias of shape (k,) as a row, so adding it to a column (k, 1) gives (k, k). z must have one column for each sequence of the batch.",
        "z + b.reshape(3, 1)",
        "z + b",
    ),
    "padded": SilentWords(
        "The last step of a padded sequence",
        "A shorter sequence is padded, usually with zeros. The state still changes during the padding, because x = 0 is an input too.",
        "h after the {length} real steps",
        "h after {steps} steps, {padding} of them padding",
    ),
}

PAGE: dict[str, Template] = {
    "title": "# Shapes\nPaste a shape error or set your layer's sizes to find the cause and the line to change.",
    "examples": "Examples:",
    "is-example": "This message is an example. Paste yours over it.",
    "message-help": "Your text is parsed, never run, and never added to the URL.",
    "silent": "## No error, still wrong\nIn these mistakes the sizes match, or broadcasting repeats an array so that the sizes match. No error appears, but the values are wrong.",
    "to-layers": "See how `output[-1]` differs from `h_n`",
    "silent-alt": "{meant}, and {got} with other values.",
    "wrong-line": "wrong:  {line}",
    "right-line": "right:  {line}",
    "message": "Message or whole traceback",
    "read": "The message is from {framework}, about {operation}.",
    "read-with-sizes": "The message is from {framework}, about {operation}: {sizes}.",
    "own-line": "Line {number} of {file}, the last line of your program before the error:",
    "own-line-found": "Line {number} of your text, which fits the message:",
    "equal-causes": "{count} causes fit equally well:",
    "less-likely": "Less likely",
    # Below each other, so that one sees which size differs.
    "needed": "**{needed}** is needed for {name}.  \n**{given}** is given.",
    "would-conform-instead": "Or keep the layer and change the data to x {shape}.",
    "would-conform-last": "Or keep the layer and change the data: the last axis of x must be {size}.",
    "which-cell": "The message does not name the cell. Which is it?",
    "not-of-message": "The message does not give all of these sizes. Set them to check your layer.",
    "sizes": "## Sizes",
    "of-message": "These sizes fit the message, but others may fit too. Sizes that the message does not give are examples.",
    "match": "All sizes match.",
    "elsewhere": "These products match. The drawing does not show what differs, but the answer names it.",
    "do-not-match": "**The sizes that you entered do not match.**",
    "product": "The product",
    "product-rule": "A·B exists only if A has as many columns as B has rows.",
    "columns": Plural("count", "column", "columns"),
    "rows": Plural("count", "row", "rows"),
    "batch": "in the batch",
    "meetings": "The given sizes",
    "meet": Plural(
        "h",
        "Each column of the weights multiplies one row of h or x_t. Here {h} column is for h and {m} for x_t. In the drawing, each sequence of the batch is a column.",
        "Each column of the weights multiplies one row of h or x_t. Here {h} columns are for h and {m} for x_t. In the drawing, each sequence of the batch is a column.",
    ),
    "differ": "W needs one column for each row of the arrays on its right. The sign ≠ marks sizes that differ. In the drawing, each sequence of the batch is a column.",
    "all-meet": "In this drawing all sizes match.",
    "repaired": "Corrected sizes",
    "repaired-layer": "The drawing shows sizes that match, for an x of shape {x}.",
    "tensors": "## Tensors of the layer",
    "table-head": "| tensor | axes | shape | entries |",
    "table-letters": "T: steps. B: sequences in the batch. D: directions. m: entries of xₜ. k: hidden units.",
    "more-layers": Plural(
        "others", "Layer 3 has the shapes of layer 2.", "Layers 3 to {layers} have the shapes of layer 2."
    ),
    "parameters": "**Trainable parameters**: {terms} = {count}",
    "code": "**Code for these sizes**",
}


def page_text(code: str, **values: Any) -> str:
    """Return words of the page with these values."""
    return fill(PAGE[code], values)


def sentence(table: Mapping[str, Template], statement: Statement) -> str:
    """Return the sentence of a table for a statement."""
    return fill(table[statement.code], statement.values)


def title(cause: Cause) -> str:
    """Return the heading of a cause."""
    return TITLES[cause.code]


def rule(cause: Cause) -> str:
    """Return the rule that a cause breaks."""
    return RULES[cause.code]


def reason(cause: Cause) -> str:
    """Return why the sizes point to a cause."""
    return " ".join(sentence(REASONS, statement) for statement in cause.why)


# A line that changes an array, or says how to make it.
_OF_DATA = re.compile(r"#|(\w+) = .*\b\1\b")


def other_way(cause: Cause) -> str:
    """Return the data that match, as another way out if the changed lines are about the layer alone; empty if there are none."""
    x = cause.conform.get("x", ())
    if cause.code not in ("input-size", "hidden-size") or not x:
        return ""
    if any(_OF_DATA.match(line) or f":{x[-1]}]" in line for line in cause.lines):
        return ""
    if min(x) < 0:  # the number of its axes is not known
        return page_text("would-conform-last", size=x[-1])
    return page_text("would-conform-instead", shape=format_shape(x))


def needed_and_given(cause: Cause, given: GivenSizes | None) -> str:
    """Return the shapes that a cause needs above the other ones that were given; empty without such a pair.

    Parameters
    ----------
    cause : Cause
    given : GivenSizes, optional
    """
    known = {"h0": given.h0, "c0": given.c0, "Linear.weight": given.linear and given.linear[::-1]} if given else {}
    pairs = [
        page_text("needed", name=name_of(code), needed=format_shape(cause.conform[code]), given=format_shape(shape))
        for code, shape in known.items()
        if shape and cause.conform.get(code, shape) != shape
    ]
    return "\n\n".join(pairs)


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
