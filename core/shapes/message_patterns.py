"""The wordings of error messages about shapes, by framework."""

from typing import NamedTuple

from core.shapes.keras_patterns import KERAS
from core.shapes.onnx_patterns import ONNX
from core.shapes.pytorch_patterns import LISTS, PYTORCH


class MessagePattern(NamedTuple):
    """The wording of a message.

    Attributes
    ----------
    framework : str
        Whose it is.
    kind : str
        What it is about: a name of `core.shapes.rules.DIAGNOSES`.
    text : str
        With ``{name:kind}`` for what changes.
    """

    framework: str
    kind: str
    text: str


PATTERNS = (
    # ---- PyTorch: layers and cells
    MessagePattern(
        "PyTorch", "features", "input.size(-1) must be equal to input_size. Expected {expected:int}, got {got:int}"
    ),
    MessagePattern("PyTorch", "features", "input has inconsistent input_size: got {got:int} expected {expected:int}"),
    MessagePattern("PyTorch", "features", "input has inconsistent input_size: got {got:int}, expected {expected:int}"),
    MessagePattern("PyTorch", "state", "Expected hidden{which:some} size {expected:shape}, got {got:shape}"),
    MessagePattern(
        "PyTorch",
        "state_units",
        "hidden{which:some} has inconsistent hidden_size: got {got:int}, expected {expected:int}",
    ),
    MessagePattern(
        "PyTorch", "batch", "Input batch size {x:int} doesn't match hidden{which:some} batch size {state:int}"
    ),
    MessagePattern("PyTorch", "rank", ": Expected input to be {allowed:some}, got {got:int}D"),
    MessagePattern("PyTorch", "rank", ": Expected input to be {allowed:some} but received {got:int}-D tensor"),
    MessagePattern("PyTorch", "state_rank", ": Expected {which:some} to be {allowed:some}, got {got:int}D"),
    MessagePattern(
        "PyTorch",
        "state_rank",
        "For {way:word} {x:int}-D input, hx{more:some} should also be {allowed:int}-D but got {got:some} tensor",
    ),
    MessagePattern("PyTorch", "rank", "input must have {allowed:int} dimensions, got {got:int}"),
    MessagePattern(
        "PyTorch", "rank", "Expected {allowed:int}-dimensional tensor, but got {got:int}-dimensional tensor"
    ),
    MessagePattern(
        "PyTorch",
        "lengths",
        "Expected `len(lengths)` to be equal to batch_size, but got {got:int} (batch_size={x:int})",
    ),
    MessagePattern("PyTorch", "descending", "array must be sorted in decreasing order"),
    MessagePattern("PyTorch", "descending", "array has to be sorted in decreasing order"),
    MessagePattern("PyTorch", "empty_sequence", "Length of all samples has to be greater than 0"),
    MessagePattern("PyTorch", "empty_sequence", "length of all samples has to be greater than 0"),
    MessagePattern("PyTorch", "targets", "Expected input batch_size ({x:int}) to match target batch_size ({got:int})"),
    MessagePattern(
        "PyTorch",
        "target_size",
        "Using a target size ({got:shape}) that is different to the input size ({expected:shape})",
    ),
    MessagePattern(
        "PyTorch",
        "target_scalar",
        "Using a target size ({got:shape}) that is different to the input size (torch.Size([]))",
    ),
    MessagePattern(
        "PyTorch",
        "target_scalar",
        "Using a target size (torch.Size([])) that is different to the input size ({expected:shape})",
    ),
    MessagePattern(
        "PyTorch", "target_size", "Target size ({got:shape}) must be the same as input size ({expected:shape})"
    ),
    MessagePattern(
        "PyTorch", "target_size", "input and target shapes do not match: input {expected:shape}, target {got:shape}"
    ),
    MessagePattern("PyTorch", "target_elements", "target nelement ({got:int}) != input nelement ({x:int})"),
    MessagePattern("PyTorch", "target_rank", "multi-target not supported"),
    MessagePattern(
        "PyTorch",
        "einsum_label",
        "subscript {label:word} has size {right:int} for operand {at:int} which does not broadcast with previously seen size {left:int}",
    ),
    MessagePattern("PyTorch", "target_shape", "Expected target size {expected:shape}, got {got:shape}"),
    MessagePattern("PyTorch", "pair", "'tuple' object has no attribute '{what:word}"),
    MessagePattern("PyTorch", "pair", "argument 'hx'{where:some} must be {wanted:some}, not {got:word}"),
    MessagePattern("PyTorch", "pair", "argument 'input'{where:some} must be Tensor, not tuple"),
    MessagePattern("PyTorch", "pair", "expected Tensor as element {at:int} in argument 0, but got tuple"),
    MessagePattern("PyTorch", "packed_output", "argument 'input'{where:some} must be Tensor, not PackedSequence"),
    MessagePattern("", "unpack", "too many values to unpack (expected 2"),
    MessagePattern("", "unpack_states", "too many values to unpack (expected 3"),
    MessagePattern("", "unpack", "not enough values to unpack (expected 2, got {got:int})"),
    MessagePattern("", "unpack", "need more than 1 value to unpack"),  # Python 2
    MessagePattern("PyTorch", "pair", "forward() takes from 2 to 3 positional arguments but 4 were given"),
    MessagePattern("PyTorch", "tuple_index", "tuple indices must be integers or slices, not tuple"),
    MessagePattern("PyTorch", "indices", "too many indices for tensor of dimension {got:int}"),
    MessagePattern(
        "PyTorch",
        "no_dimension",
        "Dimension out of range (expected to be in range of [-{least:int}, {most:int}], but got",
    ),
    MessagePattern("PyTorch", "no_dimension", "input.dim() = {got:int} is not equal to len(dims) ="),
    MessagePattern(
        "PyTorch",
        "initializer",
        "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions",
    ),
    MessagePattern("PyTorch", "initializer", "Only tensors with 2 or more dimensions are supported"),
    MessagePattern("", "unpack_three", "not enough values to unpack (expected 3, got 2)"),
    MessagePattern("PyTorch", "pair", "index 1 is out of bounds for dimension 0 with size 1"),
    MessagePattern(
        "PyTorch", "from_end", "index -{got:int} is out of bounds for dimension {axis:int} with size {size:int}"
    ),
    MessagePattern(
        "PyTorch", "index_range", "index {got:int} is out of bounds for dimension {axis:int} with size {size:int}"
    ),
    MessagePattern("PyTorch", "vocabulary", "index out of range in self"),
    MessagePattern("PyTorch", "vocabulary", "Tried to access index {got:int} out of table with {largest:int} rows"),
    MessagePattern("PyTorch", "class_values", "Class values must be smaller than num_classes"),
    MessagePattern(
        "PyTorch",
        "mask_index",
        "The shape of the mask {mask:shape} at index {at:int} does not match the shape of the indexed tensor {got:shape} at index",
    ),
    MessagePattern("PyTorch", "gather", "Index tensor must have the same number of dimensions as input tensor"),
    MessagePattern("PyTorch", "class_number", "Target {got:int} is out of bounds"),
    MessagePattern("PyTorch", "class_negative", "Target -{got:int} is out of bounds"),
    MessagePattern(
        "PyTorch",
        "target_type",
        "Expected floating point type for target with class probabilities, got {type:word}",
    ),
    MessagePattern(
        "PyTorch",
        "lengths_kind",
        "'lengths' argument should be a 1D CPU int64 tensor, but got {got:int}D {device:word} {type:word} tensor",
    ),
    # ---- PyTorch: other layers
    MessagePattern("PyTorch", "layer_rank", "expected {allowed:some} input (got {got:int}D input)"),
    MessagePattern(
        "PyTorch",
        "layer_rank",
        "Expected {allowed:some} input to conv{axes:int}d, but got input of size: {x:shape}",
    ),
    MessagePattern(
        "PyTorch",
        "layer_rank",
        "Expected {allowed:int}-dimensional input for {rank:int}-dimensional weight {weight:some}, but got {got:int}-dimensional input of size {x:shape}",
    ),
    MessagePattern(
        "PyTorch",
        "channels",
        "weight of size {weight:some}, expected input{x:shape} to have {expected:int} channels, but got {got:int} channels",
    ),
    MessagePattern("PyTorch", "attention", "was expecting embedding dimension of {expected:int}, but got {got:int}"),
    MessagePattern(
        "PyTorch",
        "layer_norm",
        "Given normalized_shape={expected:some}, expected input with shape {form:some}, but got input of size{got:shape}",
    ),
    MessagePattern(
        "PyTorch", "one_value", "Expected more than 1 value per channel when training, got input size {x:shape}"
    ),
    MessagePattern("PyTorch", "batch_norm", "running_mean should contain {got:int} elements not {expected:int}"),
    # ---- PyTorch: products, sums, joins
    MessagePattern("PyTorch", "product", "mat1 and mat2 shapes cannot be multiplied ({left:by} and {right:by})"),
    MessagePattern("PyTorch", "product", "a and b must have same reduction dim, but got {left:shape} X {right:shape}"),
    MessagePattern("PyTorch", "matmul", "mat1 dim 1 must match mat2 dim 0"),
    MessagePattern("PyTorch", "product", "size mismatch, m1: {left:shape}, m2: {right:shape}"),
    MessagePattern(
        "PyTorch", "product_vector", "size mismatch, got input ({out:int}), mat ({left:by}), vec ({right:int})"
    ),
    MessagePattern("PyTorch", "product_vector", "size mismatch, got {out:int}, {left:by},{right:int}"),
    MessagePattern(
        "PyTorch",
        "product_batches",
        "Expected size for first two dimensions of batch2 tensor to be: {expected:shape} but got: {got:shape}",
    ),
    MessagePattern(
        "PyTorch",
        "dot",
        "inconsistent tensor size, expected tensor {left:shape} and src {right:shape} to have the same number of elements",
    ),
    MessagePattern(
        "PyTorch", "old_sum", "inconsistent tensor size, expected r_ {r:shape}, t {left:shape} and src {right:shape}"
    ),
    MessagePattern("PyTorch", "rank_of", "must be a matrix"),
    MessagePattern(
        "PyTorch",
        "batches_of_product",
        "batch1 and batch2 must have same number of batches, got {left:int} and {right:int}",
    ),
    MessagePattern("PyTorch", "matmul", "wrong matrix size at"),
    MessagePattern("PyTorch", "matmul", "RuntimeError: size mismatch at"),
    MessagePattern("PyTorch", "batch_rank", "batch{at:int} must be a {allowed:int}D tensor"),
    MessagePattern("PyTorch", "rank_of", "matrices expected, got {got:some} tensors"),
    MessagePattern("PyTorch", "rank_of", "D tensors expected, but got {got:some} tensors"),
    MessagePattern("PyTorch", "rank_of", "D tensors expected, got {got:some} tensors"),
    MessagePattern(
        "PyTorch", "broadcast", "output with shape {left:shape} doesn't match the broadcast shape {right:shape}"
    ),
    MessagePattern(
        "PyTorch",
        "assign",
        "expand(torch.{type:word}{{right:shape}}, size={left:shape}): the number of sizes provided",
    ),
    MessagePattern(
        "PyTorch",
        "broadcast_axis",
        "The size of tensor a ({left:int}) must match the size of tensor b ({right:int}) at non-singleton dimension {axis:int}",
    ),
    MessagePattern(
        "PyTorch",
        "broadcast_axis",
        "The expanded size of the tensor ({left:int}) must match the existing size ({right:int}) at non-singleton dimension {axis:int}",
    ),
    MessagePattern(
        "PyTorch",
        "concatenate",
        "Sizes of tensors must match except in dimension {joined:int}. Expected size {left:int} but got size {right:int} for tensor",
    ),
    MessagePattern(
        "PyTorch",
        "concatenate",
        "Sizes of tensors must match except in dimension {joined:int}. Got {left:int} and {right:int} in dimension {axis:int}",
    ),
    MessagePattern(
        "PyTorch", "concatenate_rank", "Tensors must have same number of dimensions: got {left:int} and {right:int}"
    ),
    MessagePattern(
        "PyTorch",
        "stack",
        "stack expects each tensor to be equal size, but got {left:shape} at entry 0 and {right:shape} at entry",
    ),
    MessagePattern("PyTorch", "reshape", "shape '{got:shape}' is invalid for input of size {size:int}"),
    MessagePattern("PyTorch", "view", "view size is not compatible with input tensor's size and stride"),
    # ---- PyTorch: loading
    MessagePattern(
        "PyTorch",
        "checkpoint",
        "While copying the parameter named {name:word}, whose dimensions in the model are {expected:shape} and whose dimensions in the checkpoint are {got:shape}",
    ),
    MessagePattern(
        "PyTorch",
        "checkpoint",
        "size mismatch for {name:word}: copying a param with shape {got:shape} from checkpoint, the shape in current model is {expected:shape}",
    ),
    MessagePattern("PyTorch", "checkpoint_keys", "Missing key(s) in state_dict: {names:some} "),
    MessagePattern("PyTorch", "checkpoint_keys", "Missing key(s) in state_dict: {names:word}"),
    MessagePattern("PyTorch", "checkpoint_keys", "Unexpected key(s) in state_dict: {names:word}"),
    *(MessagePattern("PyTorch", kind, text) for kind, text in PYTORCH),
    *(MessagePattern(framework, kind, text) for framework, kind, text in LISTS),
    # ---- Keras and TensorFlow
    *(MessagePattern("Keras", kind, text) for kind, text in KERAS),
    # ---- NumPy
    MessagePattern(
        "NumPy", "indices", "too many indices for array: array is {got:int}-dimensional, but {named:int} were indexed"
    ),
    MessagePattern(
        "NumPy",
        "product_inner",
        "matmul: Input operand {at:int} has a mismatch in its core dimension 0, with gufunc signature {signature:some} (size {right:int} is different from {left:int})",
    ),
    MessagePattern("NumPy", "rank_of", "matmul: Input operand {at:int} does not have enough dimensions"),
    MessagePattern("NumPy", "product", "shapes {left:shape} and {right:shape} not aligned:"),
    MessagePattern(
        "NumPy",
        "einsum",
        "operands could not be broadcast together with remapped shapes [original->remapped]: {left:shape}->{l:some} {right:shape}->",
    ),
    MessagePattern(
        "NumPy",
        "broadcast",
        "non-broadcastable output operand with shape {left:shape} doesn't match the broadcast shape {right:shape}",
    ),
    MessagePattern(
        "NumPy",
        "broadcast",
        "non-broadcastable output operand with shape {left:shape} doesnt match the broadcast shape {right:shape}",
    ),
    MessagePattern(
        "NumPy", "broadcast", "operands could not be broadcast together with shapes {left:flat} {right:flat}"
    ),
    MessagePattern(
        "NumPy",
        "broadcast",
        "operands could not be broadcast together with shapes {left:flat} {right:flat} {result:flat}",
    ),
    MessagePattern(
        "NumPy",
        "assign",
        "value array of shape {right:shape} could not be broadcast to indexing result of shape {left:shape}",
    ),
    MessagePattern(
        "NumPy", "assign", "could not broadcast input array from shape {right:shape} into shape {left:shape}"
    ),
    MessagePattern(
        "NumPy",
        "concatenate",
        "for the concatenation axis must match exactly, but along dimension {axis:int}, the array at index {i:int} has size {left:int} and the array at index {j:int} has size {right:int}",
    ),
    MessagePattern(
        "NumPy",
        "concatenate_rank",
        "all the input arrays must have same number of dimensions, but the array at index 0 has {left:int} dimension(s) and the array at index {j:int} has {right:int} dimension(s)",
    ),
    MessagePattern(
        "NumPy",
        "broadcast_to",
        "operands could not be broadcast together with remapped shapes [original->remapped]: {left:shape} and requested shape {right:shape}",
    ),
    MessagePattern(
        "NumPy", "broadcast_to_unsaid", "input operand has more dimensions than allowed by the axis remapping"
    ),
    MessagePattern("NumPy", "choice", "'a' and 'p' must have same size"),
    MessagePattern("NumPy", "choice", "'p' must be 1-dimensional"),
    MessagePattern("NumPy", "joined_arguments", "only integer scalar arrays can be converted to a scalar index"),
    MessagePattern("NumPy", "joined_arguments", "only integer arrays with one element can be converted to an index"),
    MessagePattern(
        "NumPy",
        "broadcast",
        "objects cannot be broadcast to a single shape. Mismatch is between arg {i:int} with shape {left:flat} and arg {j:int} with shape {right:flat}",
    ),
    MessagePattern("NumPy", "broadcast_none", "objects cannot be broadcast to a single shape"),
    MessagePattern(
        "NumPy",
        "index_arrays",
        "shape mismatch: indexing arrays could not be broadcast together with shapes {left:flat} {right:flat}",
    ),
    MessagePattern(
        "NumPy",
        "mask_axis",
        "boolean index did not match indexed array along {word:word} {axis:int}; {of:some} is {size:int} but {what:some} is {mask:int}",
    ),
    MessagePattern("NumPy", "reshape_unsaid", "total size of new array must be unchanged"),
    MessagePattern("NumPy", "matmul", "matrices are not aligned"),
    MessagePattern("NumPy", "matmul", "objects are not aligned"),
    MessagePattern("NumPy", "indices_unsaid", "too many indices for array"),
    MessagePattern("NumPy", "squeeze", "cannot select an axis to squeeze out which has size not equal to one"),
    MessagePattern("NumPy", "stack_none", "all input arrays must have the same shape"),
    MessagePattern("NumPy", "index_range", "index {got:int} is out of bounds for axis {axis:int} with size {size:int}"),
    MessagePattern("NumPy", "split", "array split does not result in an equal division"),
    MessagePattern("NumPy", "no_axis", "axis {axis:int} is out of bounds for array of dimension {got:int}"),
    MessagePattern(
        "NumPy", "subscripts", "einstein sum subscripts string contains too many subscripts for operand {at:int}"
    ),
    MessagePattern("NumPy", "reshape", "cannot reshape array of size {size:int} into shape {got:shape}"),
    MessagePattern("NumPy", "stack_none", "for the concatenation axis must match exactly"),
    MessagePattern("NumPy", "ragged", "setting an array element with a sequence"),
    MessagePattern("NumPy", "shape_index", "tuple index out of range"),
    MessagePattern("NumPy", "transposed_axes", "axes don't match array"),
    MessagePattern("NumPy", "concatenate_rank_none", "all the input arrays must have same number of dimensions"),
    MessagePattern(
        "NumPy",
        "ragged",
        "The requested array has an inhomogeneous shape after {axes:int} dimensions. The detected shape",
    ),
    MessagePattern(
        "scikit-learn",
        "scaler",
        "X has {got:int} features, but {of:word} is expecting {expected:int} features as input",
    ),
    MessagePattern("scikit-learn", "scaler_axes", "Found array with dim {got:int}. {of:word} expected <= 2"),
    MessagePattern("scikit-learn", "scaler_axes", "Found array with dim {got:int}, while dim <= 2 is required"),
    MessagePattern(
        "scikit-learn", "scaler_axes", "Found array with dim {got:int}, while dim <= 2 is required by {of:word}"
    ),
    MessagePattern(
        "scikit-learn", "metric_columns", "y_true and y_pred have different number of output ({of_y:int}!={got:int})"
    ),
    MessagePattern("pandas", "data_frame", "Shape of passed values is {got:shape}, indices imply {expected:shape}"),
    MessagePattern("einops", "einops_axes", "Wrong shape: expected {wanted:int} dims. Received {got:int}-dim tensor"),
    MessagePattern("einops", "einops_parts", "can't divide axis of length {size:int} in chunks of {part:int}"),
    MessagePattern("scikit-learn", "scaler_vector", "Expected 2D array, got 1D array instead"),
    MessagePattern(
        "scikit-learn", "samples", "Found input variables with inconsistent numbers of samples: [{x:int}, {got:int}]"
    ),
    MessagePattern(
        "scikit-learn", "mixed_targets", "Classification metrics can't handle a mix of {a:word} and {b:word} targets"
    ),
    MessagePattern("scikit-learn", "one_column", "y should be a 1d array, got an array of shape {got:shape} instead"),
    MessagePattern(
        "pandas", "column_of_table", "Length of values ({got:int}) does not match length of index ({expected:int})"
    ),
    MessagePattern(
        "matplotlib",
        "plotted",
        "x and y must have same first dimension, but have shapes {left:shape} and {right:shape}",
    ),
    MessagePattern("NumPy", "one_number", "only size-1 arrays can be converted to Python scalars"),
    MessagePattern("NumPy", "one_number", "only length-1 arrays can be converted to Python scalars"),
    MessagePattern("NumPy", "one_number", "only 0-dimensional arrays can be converted to Python scalars"),
    MessagePattern("NumPy", "one_number", "can only convert an array of size 1 to a Python scalar"),
    # ---- JAX and Flax
    MessagePattern(
        "JAX", "reshape", "cannot reshape array of shape {x:shape} (size {size:int}) into shape {got:shape}"
    ),
    MessagePattern(
        "JAX",
        "product",
        "dot_general requires contracting dimensions to have the same shape, got {left:shape} and {right:shape}",
    ),
    MessagePattern(
        "JAX",
        "einsum_label",
        "Size of label '{label:word} for operand {at:int} ({right:int}) does not match previous terms ({left:int})",
    ),
    MessagePattern(
        "JAX",
        "parameter",
        "For parameter {name:word} in {of:some}, the given initializer is expected to generate shape {expected:shape}, but the existing parameter it received has shape {got:shape}",
    ),
    MessagePattern(
        "JAX",
        "parameter",
        "Initializer expected to generate shape {expected:shape} but got shape {got:shape} instead for parameter",
    ),
    MessagePattern(
        "JAX", "concatenate_shapes", "concatenating along dimension {joined:int} for shapes {left:shape}, {right:shape}"
    ),
    MessagePattern(
        "JAX",
        "concatenate_rank_shapes",
        "Cannot concatenate arrays with different numbers of dimensions: got {left:shape}, {right:shape}",
    ),
    MessagePattern("JAX", "stack", "All input arrays must have the same shape. Got {left:shape}, {right:shape}"),
    MessagePattern("JAX", "broadcast", "got incompatible shapes for broadcasting: {left:shape}, {right:shape}"),
    MessagePattern(
        "JAX", "broadcast", "Incompatible shapes for broadcasting: {left:shape} and requested shape {right:shape}"
    ),
    MessagePattern("JAX", "broadcast", "Incompatible shapes for broadcasting: shapes=[{left:shape}, {right:shape}]"),
    MessagePattern(
        "JAX",
        "broadcast",
        "Incompatible types for broadcasting: input type={t:word}{left:shape} and requested type={u:word}{right:shape}",
    ),
    MessagePattern(
        "JAX",
        "carry",
        "has type {t:word}{left:shape} but the corresponding output carry component has type {u:word}{right:shape}",
    ),
    MessagePattern(
        "JAX",
        "mapped",
        "vmap got inconsistent sizes for array axes to be mapped: {sizes:some}one axis had size {size:int}: axis {axis:int} of argument {name:word} of type",
    ),
    MessagePattern("JAX", "scanned", "scan got values with different leading axis sizes: {sizes:some}."),
    MessagePattern("JAX", "taken", "indices and arr must have the same number of dimensions; {got:int} vs. {axes:int}"),
    MessagePattern("JAX", "pair", "scan carry output and input must have same type structure"),
    MessagePattern(
        "JAX",
        "carry",
        "scan carry output and input must have identical types, got{a:some}{right:shape}{b:some}{left:shape}",
    ),
    *(
        MessagePattern(
            "JAX",
            "batches_of_product",
            f"dot_general requires lhs batch dimensions and rhs batch dimensions to have the same shape, got {sizes}",
        )
        for sizes in ("[{left:int}] and [{right:int}]", "({left:int},) and ({right:int},)")
    ),
    MessagePattern("JAX", "product", "Incompatible shapes for dot: got {left:shape} and {right:shape}"),
    MessagePattern(
        "JAX",
        "mapped_axis",
        "vmap was requested to map its argument along axis {axis:int}, which implies that its rank should be at least {least:int}, but is only {got:int}",
    ),
    MessagePattern("JAX", "pair", "must have the same pytree structure, but they differ"),
    # ---- ONNX Runtime
    *(MessagePattern("ONNX Runtime", kind, text) for kind, text in ONNX),
)
