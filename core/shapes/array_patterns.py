"""The wordings of error messages of Python, NumPy, JAX and libraries for data: a kind and a text in each line."""

ARRAYS = """
[]
unpack: too many values to unpack (expected 2
unpack_states: too many values to unpack (expected 3
unpack: not enough values to unpack (expected 2, got {got:int})
# Python 2
unpack: need more than 1 value to unpack
unpack_three: not enough values to unpack (expected 3, got 2)
list_given: 'list' object has no attribute '{what:attribute}'
array_given: 'numpy.ndarray' object has no attribute '{what:attribute}'
# more names than those of a state, or of three axes
unpack_more: not enough values to unpack (expected {wanted:int}, got {got:int})
unpack_more: too many values to unpack (expected {wanted:int}
[NumPy]
list_empty: need at least one array to
open_axes: can only specify one unknown dimension
indices: too many indices for array: array is {got:int}-dimensional, but {named:int} were indexed
product_inner: matmul: Input operand {at:int} has a mismatch in its core dimension 0, with gufunc signature {signature:some} (size {right:int} is different from {left:int})
rank_of: matmul: Input operand {at:int} does not have enough dimensions
product: shapes {left:shape} and {right:shape} not aligned:
einsum: operands could not be broadcast together with remapped shapes [original->remapped]: {left:shape}->{l:some} {right:shape}->
broadcast: non-broadcastable output operand with shape {left:shape} doesn't match the broadcast shape {right:shape}
broadcast: non-broadcastable output operand with shape {left:shape} doesnt match the broadcast shape {right:shape}
broadcast: operands could not be broadcast together with shapes {left:flat} {right:flat}
broadcast: operands could not be broadcast together with shapes {left:flat} {right:flat} {result:flat}
assign: value array of shape {right:shape} could not be broadcast to indexing result of shape {left:shape}
assign: could not broadcast input array from shape {right:shape} into shape {left:shape}
concatenate: for the concatenation axis must match exactly, but along dimension {axis:int}, the array at index {i:int} has size {left:int} and the array at index {j:int} has size {right:int}
concatenate_rank: all the input arrays must have same number of dimensions, but the array at index 0 has {left:int} dimension(s) and the array at index {j:int} has {right:int} dimension(s)
broadcast_to: operands could not be broadcast together with remapped shapes [original->remapped]: {left:shape} and requested shape {right:shape}
broadcast_to_unsaid: input operand has more dimensions than allowed by the axis remapping
choice: 'a' and 'p' must have same size
choice: 'p' must be 1-dimensional
joined_arguments: only integer scalar arrays can be converted to a scalar index
joined_arguments: only integer arrays with one element can be converted to an index
broadcast: objects cannot be broadcast to a single shape. Mismatch is between arg {i:int} with shape {left:flat} and arg {j:int} with shape {right:flat}
broadcast_none: objects cannot be broadcast to a single shape
index_arrays: shape mismatch: indexing arrays could not be broadcast together with shapes {left:flat} {right:flat}
mask_axis: boolean index did not match indexed array along {word:word} {axis:int}; {of:some} is {size:int} but {what:some} is {mask:int}
reshape_unsaid: total size of new array must be unchanged
matmul: matrices are not aligned
matmul: objects are not aligned
indices_unsaid: too many indices for array
squeeze: cannot select an axis to squeeze out which has size not equal to one
stack_none: all input arrays must have the same shape
index_range: index {got:int} is out of bounds for axis {axis:int} with size {size:int}
split: array split does not result in an equal division
no_axis: axis {axis:int} is out of bounds for array of dimension {got:int}
subscripts: einstein sum subscripts string contains too many subscripts for operand {operand:int}
reshape: cannot reshape array of size {size:int} into shape {got:shape}
stack_none: for the concatenation axis must match exactly
ragged: setting an array element with a sequence
shape_index: tuple index out of range
transposed_axes: axes don't match array
concatenate_rank_none: all the input arrays must have same number of dimensions
ragged: The requested array has an inhomogeneous shape after {axes:int} dimensions. The detected shape
one_number: only size-1 arrays can be converted to Python scalars
one_number: only length-1 arrays can be converted to Python scalars
one_number: only 0-dimensional arrays can be converted to Python scalars
one_number: can only convert an array of size 1 to a Python scalar
[scikit-learn]
scaler: X has {got:int} features, but {of:word} is expecting {expected:int} features as input
scaler_names: The feature names should match those that were passed during fit
scaler_axes: Found array with dim {got:int}. {of:word} expected <= 2
scaler_axes: Found array with dim {got:int}, while dim <= 2 is required
scaler_axes: Found array with dim {got:int}, while dim <= 2 is required by {of:word}
metric_columns: y_true and y_pred have different number of output ({of_y:int}!={got:int})
scaler_vector: Expected 2D array, got 1D array instead
samples: Found input variables with inconsistent numbers of samples: [{x:int}, {got:int}]
mixed_targets: Classification metrics can't handle a mix of {a:word} and {b:word} targets
one_column: y should be a 1d array, got an array of shape {got:shape} instead
[pandas]
data_frame: Shape of passed values is {got:shape}, indices imply {expected:shape}
columns_of_table: All arrays must be of the same length
column_of_table: Length of values ({got:int}) does not match length of index ({expected:int})
[matplotlib]
plotted: x and y must have same first dimension, but have shapes {left:shape} and {right:shape}
[JAX]
indices: Too many indices: array is {got:int}-dimensional, but {named:int} were indexed
one_number: Gradient only defined for scalar-output functions. Output had shape: {shape:shape}
reshape: cannot reshape array of shape {x:shape} (size {size:int}) into shape {got:shape}
product: dot_general requires contracting dimensions to have the same shape, got {left:shape} and {right:shape}
einsum_label: Size of label '{label:word} for operand {at:int} ({right:int}) does not match previous terms ({left:int})
parameter: For parameter {name:word} in {of:some}, the given initializer is expected to generate shape {expected:shape}, but the existing parameter it received has shape {got:shape}
parameter: Initializer expected to generate shape {expected:shape} but got shape {got:shape} instead for parameter
concatenate_shapes: concatenating along dimension {joined:int} for shapes {left:shape}, {right:shape}
concatenate_rank_shapes: Cannot concatenate arrays with different numbers of dimensions: got {left:shape}, {right:shape}
stack: All input arrays must have the same shape. Got {left:shape}, {right:shape}
broadcast: got incompatible shapes for broadcasting: {left:shape}, {right:shape}
broadcast: Incompatible shapes for broadcasting: {left:shape} and requested shape {right:shape}
broadcast: Incompatible shapes for broadcasting: shapes=[{left:shape}, {right:shape}]
broadcast: Incompatible types for broadcasting: input type={t:word}{left:shape} and requested type={u:word}{right:shape}
carry: has type {t:word}{left:shape} but the corresponding output carry component has type {u:word}{right:shape}
carry: is a {t:word}{left:shape} but the corresponding output carry component is a {u:word}{right:shape}
mapped: vmap got inconsistent sizes for array axes to be mapped: {first:some}had size {size:int}{several:some} axis {axis:int} of {name:some} of type {t:word}[{shape:some}had size {other_size:int}{other_several:some} axis {other_axis:int} of {other:some} of type {u:word}[
scanned: scan got values with different leading axis sizes: {sizes:some}.
taken: indices and arr must have the same number of dimensions; {got:int} vs. {axes:int}
pair: scan carry output and input must have same type structure
carry: scan carry output and input must have identical types, got{a:some}{right:shape}{b:some}{left:shape}
batches_of_product: dot_general requires lhs batch dimensions and rhs batch dimensions to have the same shape, got [{left:int}] and [{right:int}]
batches_of_product: dot_general requires lhs batch dimensions and rhs batch dimensions to have the same shape, got ({left:int},) and ({right:int},)
product: Incompatible shapes for dot: got {left:shape} and {right:shape}
mapped_axis: vmap was requested to map its argument along axis {axis:int}, which implies that its rank should be at least {least:int}, but is only {got:int}
pair: must have the same pytree structure, but they differ
"""
