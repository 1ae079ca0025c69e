"""The wordings of error messages of Keras and TensorFlow: a kind and a text in each line."""

KERAS = """
[Keras]
rank: expected ndim={allowed:int}, found ndim={got:int}
rank: expected {of:word} to have {allowed:int} dimensions, but got array with shape {shape:shape}
rank: expected {of:word} to have {allowed:int} dimension(s). but got array with shape {shape:sizes}
rank: Shape must be rank {allowed:int} but is rank {got:int}
exact_rank: Shape {shape:shape} must have rank {allowed:int}
rank: Shape {shape:shape} must have rank at least {allowed:int}
expected_shape: expected {of:word} to have shape {expected:shape} but got array with shape {got:shape}
expected_shape: Cannot feed value of shape {got:shape} for Tensor {of:word}, which has shape '{expected:shape}
keras_target: logits and labels must be broadcastable: logits_size={expected:shape} labels_size={got:shape}
logits_size: logits and labels must be same size: logits_size={expected:shape} labels_size={got:shape}
incompatible: Shapes {got:shape} and {expected:shape} are incompatible
keras_target: target array with shape {got:shape} was passed for an output of shape {expected:shape}
keras_target: logits and labels must have the same shape ({expected:shape} vs {got:shape})
keras_target: `logits` and `labels` must have the same shape, received ({expected:shape} vs {got:shape})
label_number: logits and labels must have the same shape ({expected:shape} vs ())
label_number: `logits` and `labels` must have the same shape, received ({expected:shape} vs ())
label_number: Shapes () and {expected:shape} are incompatible
keras_samples: logits and labels must have the same first dimension, got logits shape {expected:shape} and labels shape {got:shape}
rank: expected ndim={allowed:int}, found ndim={got:int}. Full shape received: {shape:shape}
rank: expected {least:word}_ndim={allowed:int}, found ndim={got:int}. Full shape received: {shape:shape}
features: expected axis {axis:word} of input shape to have value {expected:int}, but received input with shape {shape:shape}
features: expected axis {axis:word} of input shape to have value {expected:int} but received input with shape {shape:shape}
features: expected axis {axis:word} of input shape to have value {expected:int} but got shape {shape:shape}
expected_shape: expected shape={expected:shape}, found shape={got:shape}
specified: specified shape {expected:shape} and found shape {got:shape}
dimensions: Dimensions must be equal, but are {left:int} and {right:int} for {node:node} with input shapes: {a:shape}, {b:shape}
product: Matrix size-incompatible: In[0]: {left:shape}, In[1]: {right:shape}
broadcast: Incompatible shapes: {left:shape} vs. {right:shape}
broadcast_none: required broadcastable shapes
concatenate_shapes: ConcatOp{version:some}: Dimension {axis:int} in both shapes must be equal: shape[0] = {left:shape} vs. shape[{at:int}] = {right:shape}
class_number: Received a label value of {got:int} which is outside the valid range of [0, {size:int})
class_negative: Received a label value of -{got:int} which is outside the valid range of [0, {size:int})
squeezed_target: Can not squeeze dim[{axis:int}], expected a dimension of 1, got {got:int}
vocabulary: ] = {got:int} is not in [0, {size:int})
labels_rank: Rank of labels (received {labels:int}) should equal rank of logits minus 1 (received {axes:int})
set_weights: has shape {expected:shape}, but the saved weight has shape {got:shape}
set_weights: variable shape {expected:shape}, and the assigned value shape {got:shape} are incompatible
set_weights: weight shape {expected:shape} is not compatible with provided weight shape {got:shape}
set_weights: weight shape {expected:shape} not compatible with provided weight shape {got:shape}
weight_list: with a weight list of length {got:int}, but the layer was expecting {expected:int} weights
expected_shape: Expected shape {expected:shape}, but input has incompatible shape {got:shape}
sum_of_layers: Inputs have incompatible shapes. Received shapes {left:shape} and {right:shape}
sum_of_layers: Operands could not be broadcast together with shapes {left:shape} {right:shape}
stateful: Expected batch size: {expected:int} - Received batch size: {got:int}
stateful: Specified a list with shape {expected:shape} from a tensor with shape {got:shape}
stateful_samples: number of samples that can be divided by the batch size. Found: {samples:int} samples
stateful_unsaid: If a RNN is stateful, it needs to know its batch size
stacked_states: however `cell.state_size` is [[{first:int}
keras_state: `state_spec`={spec:some}(shape={got:shape}, ndim={axes:some}; however `cell.state_size` is {expected:shape}
keras_state: `state_spec`={spec:some}(shape={got:shape}, ndim={axes:some}; however `cell.state_size` is {expected:int}
keras_states: has {expected:int} states but was passed {got:int} initial states
keras_reshape: total size of the tensor must be unchanged. Received: input_shape={x:shape}, target_shape={got:shape}
stack: values[0].shape = {left:shape} != values[{at:int}].shape = {right:shape}
concatenate_rank_shapes: Ranks of all input tensors should match: shape[0] = {left:shape} vs. shape[{at:int}] = {right:shape}
pair: list index out of range
keras_target: Arguments `target` and `output` must have the same {what:some}. Received: target.shape={got:shape}, output.shape={expected:shape}
keras_steps: must have the same shape up until the last dimension: target.shape={got:shape}, output.shape={expected:shape}
keras_steps: `output` must have rank (ndim) `target.ndim - 1`. Received: target.shape={got:shape}, output.shape={expected:shape}
samples: 'x' sizes: {x:int} 'y' sizes: {got:int}
samples: x sizes: {x:int} y sizes: {got:int}
samples: Dimensions {x:int} and {got:int} are not compatible
states_of_own_cell: Too many leaves for PyTreeSpec; expected: {expected:int}.
samples: Found {x:int} input samples and {got:int} target samples
broadcast: Cannot merge tensors with different batch sizes. Received tensors with shapes [{left:shape}, {right:shape}
time_distributed: `TimeDistributed` Layer should be passed an `input_shape` with at least 3 dimensions, received: {shape:shape}
concatenate_layer: layer requires inputs with matching shapes except for the concatenation axis. Received: input_shape=[{shapes:some}]
dot_of_layers: Incompatible input shapes: axis values {left:int} (at axis {i:int}) != {right:int} (at axis {j:int}). Full input shapes: {a:flat}, {b:flat}
tree_of_states: leaves for PyTreeSpec; expected: {expected:int}, got: {got:int}
not_connected: Output with path `{path:some}` is not connected to `inputs`
list_of_numbers: `sequences` must be a list of iterables. Found non-iterable: {got:word}
ragged: Can't convert non-rectangular Python sequence to Tensor
ragged: Unsupported object type list
ragged: Unsupported object type numpy.ndarray
inputs: Layer {name:word} expects {expected:int} input(s), but it received {got:int} input tensors
inputs: Layer {name:word} expects {expected:int} inputs, but it received {got:int} input tensors
weight_layers: weight file containing {got:int} layers into a model with {expected:int} layers
weight_layers: expected {expected:int} variables, but received {got:int} variables during loading
binary_targets: You are passing a target array of shape {got:shape} while using as loss `categorical_crossentropy`
reshape_values: Input to reshape is a tensor with {size:int} values, but the requested shape has {got:int}
reshape_values: Cannot reshape a tensor with {size:int} elements to shape {to:shape} ({got:int} elements)
short_sequence: Negative dimension size caused by subtracting {window:int} from {steps:int}
concatenate_shapes: Dimensions of inputs should match: shape[0] = {left:shape} vs. shape[{at:int}] = {right:shape}
both_shapes: in both shapes must be equal, but are {i:int} and {j:int}. Shapes are {left:shape} and {right:shape}
both_shapes: in both shapes must be equal, but are {i:int} and {j:int} for '{node:node}' (op: '{operation:word}') with input shapes: {left:shape}, {right:shape}
concatenate_rank: Shapes must be equal rank, but are {left:int} and {right:int}
open_steps: Cannot infer num from shape {x:shape}
open_axes: Only one input size may be -1, not both {first:int} and {second:int}
vocabulary: index {got:int} is out of bounds for size {size:int}
reshape_multiple: values, but the requested shape requires a multiple of {got:int}
both_shapes: Incompatible shapes at component {i:int}: expected {left:shape} but got {right:shape}
loop_state: Tried to set a tensor with incompatible shape at a list index. Item element shape: {right:shape} list shape: {left:shape}
loop_state: enters the loop with shape {left:shape}, but has shape {right:shape} after one iteration
product: In[0] mismatch In[1] shape: {columns:int} vs. {height:int}: {left:shape} {right:shape}
product: must be equal, but received `x1.shape={left:shape}` and `x2.shape={right:shape}`
rank_of: In[0] is not a matrix
set_weights: variable.shape={expected:shape}, Received: value.shape={got:shape}
concatenate_layer: layer requires inputs with matching shapes except for the concat axis. Got inputs shapes: [{shapes:some}]
inputs: Expected to see {expected:int} array(s), but instead got the following list of {got:int} arrays
stateful_unsaid: When using `stateful=True` in a RNN, the batch size must be static
broadcast: Cannot broadcast shape, the failure dim has value {a:int}, which cannot be broadcasted to {b:int}. Input shapes are: {left:shape} and {right:shape}
short_sequence: Computed output size would be zero or negative. Received {name:some}={x:shape}`, `kernel shape={kernel:shape}`
short_sequence: Computed output size would be zero or negative. Received: {name:some}={x:shape}`, `pool_size={pool:shape}`
inputs: expects {expected:int} named input(s) with keys {keys:some}, but it received {got:int} input tensors
missing_input: Missing data for input "{name:some}". You passed a data dictionary with keys [{given:some}]
symbolic: A KerasTensor is symbolic: it's a placeholder for a shape
symbolic: A KerasTensor cannot be used as input to a TensorFlow function
symbolic_parts: Iterating over a symbolic KerasTensor is not supported
symbolic: Cannot convert a symbolic tf.Tensor ({name:some}) to a numpy array
features_undefined: Shapes used to initialize variables must be fully-defined
kernel_rank: Kernel shape must have the same length as input, but received kernel of shape {kernel:shape} and input of shape {x:shape}
features_undefined: The last dimension of the inputs to {layer:some} should be defined
rank_undefined: its rank is undefined, but the layer requires a defined rank
keras_samples: The shape of labels (received {got:shape}) should equal the shape of logits except for the last dimension (received {expected:shape})
transposed_in_graph: Dimension must be {axes:int} but is {named:int} for '{node:node}' (op: 'Transpose')
split: Number of ways to split should evenly divide the split dimension, but got split_dim {axis:int} (size = {size:int}) and num_split {parts:int}
transposed_axes: transpose expects a vector of size {axes:int}. But input(1) is a vector of size {named:int}
concatenate_shapes: must have the same shape except on the `axis` dim. But found element of shape {right:shape}, which is different from the first element's shape {left:shape}
stack: Every value in `x` must have the same shape. But found element of shape {right:shape}, which is different from the first element's shape {left:shape}
squeeze: Cannot squeeze axis {axis:int}, because the dimension is not 1
squeeze: Cannot squeeze axis={axis:int}, because the dimension is not 1
indices_of_shape: Array has shape {shape:shape} but out-of-bounds index {index:some} was requested
list_of_inputs: A `{layer:word}` layer should be called on a list of at least 1 input
list_of_inputs: A `{layer:word}` layer should be called on a list of inputs
list_of_inputs: A merge layer should be called on a list of inputs
list_of_inputs: Attention layer must be called on a list of inputs
cell_alone: missing a required argument: 'states'
cell_alone: call() missing 1 required positional argument: 'states'
cell_without_size: The RNN cell should have a `state_size` attribute
layer_for_tensor: All `outputs` values must be KerasTensors
permuted_axes: must be consecutive and start from 1. Received dims=({dims:sizes})
scalar_of_data_set: When passing a dataset to a Keras model, the arrays must be at least rank 1
no_axis: Invalid reduction dimension ({axis:int} for input with {got:int} dimension
indices_of_shape: Array has shape {shape:shape} but slice has to many indices
windows_of_dataset: '_VariantDataset' object is not subscriptable
indices: Index out of range using input dim {axis:int}; input has only {got:int} dims
ragged_batch: Cannot batch tensors with different shapes in component {at:int}. First element had shape {left:shape} and element {other:int} had shape {right:shape}
stateful_unsaid: If a RNN is stateful, a complete input_shape must be provided
keras_steps: must equal `logits.shape.rank - 1`. Received: labels.shape={got:shape} of rank {of_labels:int} and logits.shape={expected:shape}
keras_samples: must equal `logits.shape` except for the last dimension. Received: labels.shape={got:shape} and logits.shape={expected:shape}
inputs_of_samples: 'x' sizes: {sizes:some} 'y' sizes: {got:int}
inputs_of_samples: x sizes: {sizes:some} y sizes: {got:int}
reshape: cannot reshape input of shape {x:shape} to shape {got:shape}
concatenate_rank_shapes: Shape must be rank {axes:int} but is rank {other:int} for '{node:node}' (op: 'ConcatV2') with input shapes: {left:shape}, {right:shape}
concatenate_rank_shapes: Shape must be rank {axes:int} but is rank {other:int} for '{node:node} = ConcatV2[{more:node} with input shapes: {left:shape}, {right:shape}
split: Dimension size must be evenly divisible by {parts:int} but is {size:int}
reshape_multiple: Dimension size must be evenly divisible by {got:int} but is {size:int} for '{node:node}' (op: 'Reshape')
ragged_batch: Cannot add tensor to the batch: number of elements does not match. Shapes are: [tensor]: {right:shape}, [batch]: {left:shape}
generator_list: the generator must return a tuple, either (input,) or (inputs, targets)
short_series: `start_index+length={length:int} > end_index={last:int}` is disallowed
samples: Data and targets have to be of same length. Data length is {x:int} while target length is {got:int}
empty_data: Expect x to be a non-empty array or dataset
empty_data: Asked to retrieve element 0, but the Sequence has length 0
empty_data: Unexpected result of `predict_function` (Empty batch_outputs)
empty_data: Unexpected result of `train_function` (Empty Logs)
sparse_condition: [Condition x == y did not hold element-wise:] [x ({labels:some}) = ] [{got:some}] [y ({logits:some}) = ] [{expected:some}]
no_axis: Expected dimension in the range [-{least:int}, {got:int}), but got {axis:int}
no_axis: Expected concatenating dimensions in the range [-{least:int}, {got:int}), but got {axis:int}
tuple_as_number: Received an invalid value for `{argument:word}`, expected a positive integer. Received: {name:word}={got:shape}
tuple_as_number: '<=' not supported between instances of 'tuple' and 'int'
tuple_as_number: int() argument must be a string, a bytes-like object or a number, not 'tuple'
tuple_as_number: int() argument must be a string, a bytes-like object or a real number, not 'tuple'
number_as_shape: Cannot convert '{got:int}' to a shape
inputs_alone: contain the same number of samples.'x' sizes: {sizes:sizes}
inputs_alone: x sizes: {sizes:some} Please provide data which shares
inputs_alone: x sizes: {sizes:some} Make sure all arrays
inputs_alone: 'x' sizes: {sizes:some} Make sure all arrays
inputs_alone: should have the same number of samples. Got array shapes: [{sizes:some}]
vocabulary_negative: ] = -{got:int} is not in [0, {size:int})
reset_after: GRU(reset_after={saved:word}) is not compatible with GRU(reset_after=
set_weights: variable shape {expected:shape} and value shape {got:shape} are incompatible
set_weights: Assign requires shapes of both tensors to match. lhs shape= {expected:shape} rhs shape= {got:shape}
broadcast: must have the same size and shape. Input {i:int}: {left:shape} != input {j:int}: {right:shape}
concatenate_shapes: All dimensions except {joined:int} must match. Input {at:int} has shape {right:shape} and doesn't match input 0 with shape {left:shape}
rank_undefined: Cannot take the length of shape with unknown rank
rank_undefined: Cannot take the length of Shape with unknown rank
rank_undefined: Cannot iterate over a shape with unknown rank
rank_undefined: as_list() is not defined on an unknown TensorShape
list_of_steps: nputs must be a sequence
einsum_sizes: Expected dimension {left:int} at axis {axis:int} of the input shaped {got:shape} but got dimension {right:int}
structures: y_true and y_pred have different structures
metric_outputs: expects 2D inputs with shape (batch_size, output_dim). Received input shapes: y_pred.shape={wanted:shape} and y_true.shape={got:shape}
texts: Invalid dtype: str{size:int}
texts: Cast string to float is not supported
texts: Cast string to int32 is not supported
features_undefined: Input size (depth of inputs) must be accessible via shape inference
time_distributed: `TimeDistributed` Layer should be passed an `input_shape ` with at least 3 dimensions, received: {shape:shape}
time_distributed_unsaid: assert len(input_shape) >= 3
tensor_axis: Cannot set tensor: Dimension mismatch. Got {got:int} but expected {expected:int} for dimension {axis:int} of input
keras_reshape: total size of new array must be unchanged, input_shape = {x:shape}, output_shape = {got:shape}
set_weights: Tensor's shape {got:shape} is not compatible with supplied shape {expected:shape}
index_range: Expected begin[{axis:int}] in [0, {size:int}], but got {got:int}
concatenate_layer: can only merge layers with matching output shapes except for the concat axis. Layer shapes: [{shapes:some}]
plain_list: Unrecognized data type: x=[[
first_layer: The first layer in a Sequential model must get an `input_shape`
first_layer: This model has not yet been built. Build the model first by calling
argument_of_batch: Unrecognized keyword arguments passed to {layer:word} {'batch_input_shape': {got:shape}
argument_of_batch: Unrecognized keyword arguments passed to {layer:word} {'batch_shape': {got:shape}
stacked_number: values[0].shape = {left:shape} != values[1].shape = []
sequence_length: sequence_length must be a vector of length batch_size, but saw shape: {got:shape}
row_in_product: In[0] is not a matrix. Instead it has shape {shape:shape}
row_in_product: In[0] and In[1] has different ndims: {shape:shape} vs. {other:shape}
concat_arguments: Expected int32, got list containing Tensors of type
number_expected: Shapes {got:shape} and () are incompatible
slice_index: slice index {got:int} of dimension {axis:int} out of bounds
reversed_lengths: seq_lens({at:int}) > input.dims({axis:int})
ctc_steps: sequence_length({at:int}) <= {size:int}
window_axes: strides should be of length 1, {spatial:int} or {most:int} but was {got:int}
reversed_batch: seq_lens != input.dims({axis:int}), ({got:int} vs. {x:int})
object_array: Invalid dtype: object
selected_entries: condition {condition:shape}, then {then:shape}, and else {other:shape} must be broadcastable
rank: Layer expects input ndim={allowed:int}, was provided with input shape {shape:shape}
rank: Wrong number of dimensions: expected {allowed:int}, got {got:int} with shape {shape:shape}
same_rank: Shapes {left:some} and {right:some} must have the same rank
read_beyond: Tried to read from index {got:int} but array size is: {size:int}
argument_of_version: Unrecognized keyword arguments: ['batch_shape'
argument_of_version: Unrecognized keyword arguments passed to {layer:word} {'time_major':
rank: layer expected input with ndim={allowed:int} but previous layer has output_shape {shape:shape}
expected_shape: Cannot feed value of shape {got:shape} for Tensor {of:word}, which has shape {expected:shape}
dot_mode: Dot incompatible layers can not be merged using dot mode
ragged_tensor: Cannot index into an inner ragged dimension
"""
