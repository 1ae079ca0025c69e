"""What an error message of a library says of shapes: read, never run.

A form is the library's own wording with names in place of what changes. Every name stands for something of bounded length, so that
the longest hostile text is read in time that grows with its length and no faster.
"""

import re
from functools import cache
from typing import NamedTuple

from core.shapes.layer import Shape

# The message is at the end of a traceback, and Keras says its arguments after it.
LONGEST = 20_000
# The beginning of a form may stand in a text more than once.
MOST_TRIED = 5
LONGEST_NUMBER = 9
_SIZE = rf"\d{{1,{LONGEST_NUMBER}}}"

# What each kind of name stands for; a shape's text is read by `shape`.
_KINDS = {
    "int": _SIZE,
    "shape": r"(?:torch\.Size|TensorShape)?[(\[{]{1,2}[\d?N-][\w ,?()-]{0,120}[)\]}]{1,2}",
    "by": rf"{_SIZE} ?x ?{_SIZE}",
    "word": r"[\w.:/'\"-]{1,80}",
    "some": r"[^\n]{0,160}?",
    "node": r"[^\n]{0,500}?",
}


class Form(NamedTuple):
    """A wording.

    Attributes
    ----------
    framework : str
        Whose it is.
    kind : str
        What it is about: a name of `core.shapes.causes.KINDS`.
    text : str
        With ``{name:kind}`` for what changes.
    """

    framework: str
    kind: str
    text: str


class Reading(NamedTuple):
    """A message that was read.

    Attributes
    ----------
    framework, kind : str
        Of its form.
    message : str
        The words that were read.
    said : dict from str to str
        What stands in the place of each name.
    whole : str
        All that was pasted, for the words around it.
    """

    framework: str
    kind: str
    message: str
    said: dict[str, str]
    whole: str

    def size(self, name: str) -> int:
        """A size by its name in the form."""
        return int(self.said[name])

    def shape(self, name: str) -> Shape:
        """A shape by its name in the form; -1 stands for a size that is not said."""
        return shape(self.said[name])


FORMS = (
    # ---- PyTorch: layers and cells
    Form("PyTorch", "features", "input.size(-1) must be equal to input_size. Expected {expected:int}, got {got:int}"),
    Form("PyTorch", "features", "input has inconsistent input_size: got {got:int} expected {expected:int}"),
    Form("PyTorch", "features", "input has inconsistent input_size: got {got:int}, expected {expected:int}"),
    Form("PyTorch", "state", "Expected hidden{which:some} size {expected:shape}, got {got:shape}"),
    Form("PyTorch", "state_units", "has inconsistent hidden_size: got {got:int}, expected {expected:int}"),
    Form("PyTorch", "batch", "Input batch size {x:int} doesn't match hidden{which:some} batch size {state:int}"),
    Form("PyTorch", "rank", ": Expected input to be {allowed:some}, got {got:int}D"),
    Form("PyTorch", "state_rank", ": Expected {which:some} to be {allowed:some}, got {got:int}D"),
    Form(
        "PyTorch",
        "state_rank",
        "For {way:word} {x:int}-D input, hx{more:some} should also be {allowed:int}-D but got {got:some} tensor",
    ),
    Form("PyTorch", "rank", "input must have {allowed:int} dimensions, got {got:int}"),
    Form("PyTorch", "rank", "Expected {allowed:int}-dimensional tensor, but got {got:int}-dimensional tensor"),
    Form(
        "PyTorch",
        "lengths",
        "Expected `len(lengths)` to be equal to batch_size, but got {got:int} (batch_size={x:int})",
    ),
    Form("PyTorch", "descending", "`lengths` array must be sorted in decreasing order"),
    Form("PyTorch", "targets", "Expected input batch_size ({x:int}) to match target batch_size ({got:int})"),
    Form(
        "PyTorch",
        "target_size",
        "Using a target size ({got:shape}) that is different to the input size ({expected:shape})",
    ),
    Form("PyTorch", "target_size", "Target size ({got:shape}) must be the same as input size ({expected:shape})"),
    Form("PyTorch", "target_rank", "0D or 1D target tensor expected"),
    Form(
        "PyTorch",
        "einsum_label",
        "subscript {label:word} has size {right:int} for operand {at:int} which does not broadcast with previously seen size {left:int}",
    ),
    Form("PyTorch", "target_shape", "Expected target size {expected:shape}, got {got:shape}"),
    Form("PyTorch", "pair", "'tuple' object has no attribute '{what:word}"),
    Form("PyTorch", "pair", "argument 'hx'{where:some} must be {wanted:some}, not {got:word}"),
    Form("PyTorch", "pair", "argument 'input'{where:some} must be Tensor, not tuple"),
    Form("", "unpack", "too many values to unpack (expected 2)"),
    Form("", "unpack", "not enough values to unpack (expected 2, got {got:int})"),
    Form("PyTorch", "pair", "forward() takes from 2 to 3 positional arguments but 4 were given"),
    Form("PyTorch", "pair", "tuple indices must be integers or slices, not tuple"),
    Form("", "unpack_three", "not enough values to unpack (expected 3, got 2)"),
    Form("PyTorch", "pair", "index 1 is out of bounds for dimension 0 with size 1"),
    # ---- PyTorch: products, sums, joins
    Form("PyTorch", "product", "mat1 and mat2 shapes cannot be multiplied ({left:by} and {right:by})"),
    Form("PyTorch", "matmul", "mat1 dim 1 must match mat2 dim 0"),
    Form("PyTorch", "product", "size mismatch, m1: {left:shape}, m2: {right:shape}"),
    Form("PyTorch", "product_vector", "size mismatch, got input ({out:int}), mat ({left:by}), vec ({right:int})"),
    Form("PyTorch", "product_vector", "size mismatch, got {out:int}, {left:by},{right:int}"),
    Form(
        "PyTorch",
        "product_batches",
        "Expected size for first two dimensions of batch2 tensor to be: {expected:shape} but got: {got:shape}",
    ),
    Form(
        "PyTorch",
        "dot",
        "inconsistent tensor size, expected tensor {left:shape} and src {right:shape} to have the same number of elements",
    ),
    Form("PyTorch", "rank_of", "must be a matrix"),
    Form("PyTorch", "rank_of", "must be a {allowed:int}D tensor"),
    Form("PyTorch", "rank_of", "D tensors expected, but got {got:some} tensors"),
    Form(
        "PyTorch",
        "broadcast_axis",
        "The size of tensor a ({left:int}) must match the size of tensor b ({right:int}) at non-singleton dimension {axis:int}",
    ),
    Form(
        "PyTorch",
        "broadcast_axis",
        "The expanded size of the tensor ({left:int}) must match the existing size ({right:int}) at non-singleton dimension {axis:int}",
    ),
    Form(
        "PyTorch",
        "concatenate",
        "Sizes of tensors must match except in dimension {joined:int}. Expected size {left:int} but got size {right:int} for tensor",
    ),
    Form(
        "PyTorch",
        "concatenate",
        "Sizes of tensors must match except in dimension {joined:int}. Got {left:int} and {right:int} in dimension {axis:int}",
    ),
    Form("PyTorch", "concatenate_rank", "Tensors must have same number of dimensions: got {left:int} and {right:int}"),
    Form(
        "PyTorch",
        "stack",
        "stack expects each tensor to be equal size, but got {left:shape} at entry 0 and {right:shape} at entry",
    ),
    Form("PyTorch", "reshape", "shape '{got:shape}' is invalid for input of size {size:int}"),
    # ---- PyTorch: loading
    Form(
        "PyTorch",
        "checkpoint",
        "size mismatch for {name:word}: copying a param with shape {got:shape} from checkpoint, the shape in current model is {expected:shape}",
    ),
    Form("PyTorch", "checkpoint_keys", "Missing key(s) in state_dict: {names:some} "),
    Form("PyTorch", "checkpoint_keys", "Missing key(s) in state_dict: {names:word}"),
    Form("PyTorch", "checkpoint_keys", "Unexpected key(s) in state_dict: {names:word}"),
    # ---- Keras and TensorFlow
    Form("Keras", "rank", "expected ndim={allowed:int}, found ndim={got:int}"),
    Form(
        "Keras", "rank", "expected {of:word} to have {allowed:int} dimensions, but got array with shape {shape:shape}"
    ),
    Form("Keras", "rank", "Shape must be rank {allowed:int} but is rank {got:int}"),
    Form(
        "Keras",
        "expected_shape",
        "expected {of:word} to have shape {expected:shape} but got array with shape {got:shape}",
    ),
    Form(
        "Keras",
        "expected_shape",
        "Cannot feed value of shape {got:shape} for Tensor {of:word}, which has shape '{expected:shape}",
    ),
    Form(
        "Keras",
        "broadcast",
        "logits and labels must be broadcastable: logits_size={left:shape} labels_size={right:shape}",
    ),
    Form("Keras", "broadcast", "Shapes {left:shape} and {right:shape} are incompatible"),
    Form("Keras", "rank", "expected ndim={allowed:int}, found ndim={got:int}. Full shape received: {shape:shape}"),
    Form(
        "Keras",
        "rank",
        "expected {least:word}_ndim={allowed:int}, found ndim={got:int}. Full shape received: {shape:shape}",
    ),
    Form(
        "Keras",
        "features",
        "expected axis {axis:word} of input shape to have value {expected:int}, but received input with shape {shape:shape}",
    ),
    Form("Keras", "expected_shape", "expected shape={expected:shape}, found shape={got:shape}"),
    Form("Keras", "specified", "specified shape {expected:shape} and found shape {got:shape}"),
    Form(
        "Keras",
        "dimensions",
        "Dimensions must be equal, but are {left:int} and {right:int} for {node:node} with input shapes: {a:shape}, {b:shape}",
    ),
    Form("Keras", "product", "Matrix size-incompatible: In[0]: {left:shape}, In[1]: {right:shape}"),
    Form("Keras", "broadcast", "Incompatible shapes: {left:shape} vs. {right:shape}"),
    Form("Keras", "broadcast_none", "required broadcastable shapes"),
    Form(
        "Keras",
        "concatenate_shapes",
        "ConcatOp{version:some}: Dimension {axis:int} in both shapes must be equal: shape[0] = {left:shape} vs. shape[{at:int}] = {right:shape}",
    ),
    Form(
        "Keras", "set_weights", "weight shape {expected:shape} is not compatible with provided weight shape {got:shape}"
    ),
    Form("Keras", "set_weights", "weight shape {expected:shape} not compatible with provided weight shape {got:shape}"),
    Form(
        "Keras",
        "weight_list",
        "with a weight list of length {got:int}, but the layer was expecting {expected:int} weights",
    ),
    Form("Keras", "expected_shape", "Expected shape {expected:shape}, but input has incompatible shape {got:shape}"),
    Form("Keras", "broadcast", "Inputs have incompatible shapes. Received shapes {left:shape} and {right:shape}"),
    Form("Keras", "stateful", "Expected batch size: {expected:int} - Received batch size: {got:int}"),
    Form("Keras", "stack", "values[0].shape = {left:shape} != values[{at:int}].shape = {right:shape}"),
    Form(
        "Keras",
        "concatenate_rank_shapes",
        "Ranks of all input tensors should match: shape[0] = {left:shape} vs. shape[{at:int}] = {right:shape}",
    ),
    Form("Keras", "pair", "list index out of range"),
    Form(
        "Keras",
        "concatenate_layer",
        "layer requires inputs with matching shapes except for the concatenation axis. Received: input_shape=[{shapes:some}]",
    ),
    # ---- NumPy
    Form(
        "NumPy",
        "product_inner",
        "matmul: Input operand {at:int} has a mismatch in its core dimension 0, with gufunc signature {signature:some} (size {right:int} is different from {left:int})",
    ),
    Form("NumPy", "rank_of", "matmul: Input operand {at:int} does not have enough dimensions"),
    Form("NumPy", "product", "shapes {left:shape} and {right:shape} not aligned:"),
    Form(
        "NumPy",
        "einsum",
        "operands could not be broadcast together with remapped shapes [original->remapped]: {left:shape}->{l:some} {right:shape}->",
    ),
    Form(
        "NumPy",
        "broadcast",
        "non-broadcastable output operand with shape {left:shape} doesn't match the broadcast shape {right:shape}",
    ),
    Form("NumPy", "broadcast", "operands could not be broadcast together with shapes {left:shape} {right:shape}"),
    Form("NumPy", "assign", "could not broadcast input array from shape {right:shape} into shape {left:shape}"),
    Form(
        "NumPy",
        "concatenate",
        "all the input array dimensions except for the concatenation axis must match exactly, but along dimension {axis:int}, the array at index {i:int} has size {left:int} and the array at index {j:int} has size {right:int}",
    ),
    Form(
        "NumPy",
        "concatenate_rank",
        "all the input arrays must have same number of dimensions, but the array at index 0 has {left:int} dimension(s) and the array at index {j:int} has {right:int} dimension(s)",
    ),
    Form("NumPy", "stack_none", "all input arrays must have the same shape"),
    Form("NumPy", "no_axis", "axis {axis:int} is out of bounds for array of dimension {got:int}"),
    Form("NumPy", "subscripts", "einstein sum subscripts string contains too many subscripts for operand {at:int}"),
    Form("NumPy", "reshape", "cannot reshape array of size {size:int} into shape {got:shape}"),
    Form("NumPy", "stack_none", "all the input array dimensions except for the concatenation axis must match exactly"),
    Form("NumPy", "concatenate_rank_none", "all the input arrays must have same number of dimensions"),
    # ---- JAX and Flax
    Form(
        "JAX",
        "product",
        "dot_general requires contracting dimensions to have the same shape, got {left:shape} and {right:shape}",
    ),
    Form(
        "JAX",
        "einsum_label",
        "Size of label '{label:word} for operand {at:int} ({right:int}) does not match previous terms ({left:int})",
    ),
    Form(
        "JAX",
        "parameter",
        "For parameter {name:word} in {of:word}, the given initializer is expected to generate shape {expected:shape}, but the existing parameter it received has shape {got:shape}",
    ),
    Form(
        "JAX", "concatenate_shapes", "concatenating along dimension {joined:int} for shapes {left:shape}, {right:shape}"
    ),
    Form(
        "JAX",
        "concatenate_rank_shapes",
        "Cannot concatenate arrays with different numbers of dimensions: got {left:shape}, {right:shape}",
    ),
    Form("JAX", "stack", "All input arrays must have the same shape. Got {left:shape}, {right:shape}"),
    Form("JAX", "broadcast", "got incompatible shapes for broadcasting: {left:shape}, {right:shape}"),
    Form("JAX", "broadcast", "Incompatible shapes for broadcasting: shapes=[{left:shape}, {right:shape}]"),
    Form(
        "JAX",
        "broadcast",
        "Incompatible types for broadcasting: input type={t:word}{left:shape} and requested type={u:word}{right:shape}",
    ),
    Form(
        "JAX",
        "carry",
        "has type {t:word}{left:shape} but the corresponding output carry component has type {u:word}{right:shape}",
    ),
    Form("JAX", "pair", "must have the same pytree structure, but they differ"),
    # ---- ONNX Runtime
    Form("ONNX Runtime", "rank", "Invalid rank for input: {of:word} Got: {got:int} Expected: {allowed:int}"),
    Form(
        "ONNX Runtime",
        "two_axes",
        "index: {axis:int} Got: {got:int} Expected: {expected:int} index: {axis2:int} Got: {got2:int} Expected: {expected2:int}",
    ),
    Form(
        "ONNX Runtime",
        "axis_of",
        "Got invalid dimensions for input: {of:word} for the following indices index: {axis:int} Got: {got:int} Expected: {expected:int}",
    ),
    Form(
        "ONNX Runtime", "onnx_state", "Input initial_{which:word} must have shape {expected:shape}. Actual:{got:shape}"
    ),
    Form("ONNX Runtime", "onnx_weight", "Input {which:word} must have shape {expected:shape}. Actual:{got:shape}"),
    Form("ONNX Runtime", "matmul", "MatMul dimension mismatch"),
)


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """A form as a pattern."""
    parts = re.split(r"\{(\w+):(\w+)\}", text)
    named = "".join(
        f"(?P<{name}>{_KINDS[kind]}){re.escape(then)}" for name, kind, then in zip(*(parts[at::3] for at in (1, 2, 3)))
    )
    return re.compile(re.escape(parts[0]) + named)


def shape(text: str) -> Shape:
    """The sizes in a text such as ``(2, None, 32)``; -1 stands for one that is not said."""
    sizes = re.findall(rf"-1\b|{_SIZE}|None|\?|newaxis", text)
    return tuple(-1 if size in ("-1", "None", "?", "newaxis") else int(size) for size in sizes)


def read(text: str) -> Reading | None:
    """The last message of a known form in a text, which may be a whole traceback.

    Parameters
    ----------
    text : str
        Its last LONGEST characters are looked at.

    Returns
    -------
    Reading or None
        None where no form is found.
    """
    # A terminal may have broken the lines anywhere.
    text = " ".join(text[-LONGEST:].split())
    found: list[tuple[int, int, Reading]] = []
    for form in FORMS:
        beginning, end = form.text.split("{")[0], len(text)
        for _ in range(MOST_TRIED):
            end = text.rfind(beginning, 0, end + len(beginning) - 1)
            if end < 0:
                break
            if match := _pattern(form.text).match(text, end):
                found.append(
                    (end, len(match[0]), Reading(form.framework, form.kind, match[0], match.groupdict(), text))
                )
                break
    return max(found, key=lambda one: one[:2])[2] if found else None
