"""The wordings of error messages of PyTorch, of all its versions: a kind and a text in each line."""

PYTORCH = """
[PyTorch]
# layers and cells
features: input.size(-1) must be equal to input_size. Expected {expected:int}, got {got:int}
features: input has inconsistent input_size: got {got:int} expected {expected:int}
features: input has inconsistent input_size: got {got:int}, expected {expected:int}
state: Expected hidden{which:some} size {expected:shape}, got {got:shape}
state_units: hidden{which:some} has inconsistent hidden_size: got {got:int}, expected {expected:int}
batch: Input batch size {x:int} doesn't match hidden{which:some} batch size {state:int}
rank: : Expected input to be {allowed:some}, got {got:int}D
rank: : Expected input to be {allowed:some} but received {got:int}-D tensor
state_rank: : Expected {which:some} to be {allowed:some}, got {got:int}D
state_rank: For {way:word} {x:int}-D input, hx{more:some} should also be {allowed:int}-D but got {got:some} tensor
rank: input must have {allowed:int} dimensions, got {got:int}
rank: Expected {allowed:int}-dimensional tensor, but got {got:int}-dimensional tensor
lengths: Expected `len(lengths)` to be equal to batch_size, but got {got:int} (batch_size={x:int})
descending: array must be sorted in decreasing order
descending: array has to be sorted in decreasing order
empty_sequence: Length of all samples has to be greater than 0
empty_sequence: length of all samples has to be greater than 0
targets: Expected input batch_size ({x:int}) to match target batch_size ({got:int})
target_size: Using a target size ({got:shape}) that is different to the input size ({expected:shape})
target_scalar: Using a target size ({got:shape}) that is different to the input size (torch.Size([]))
target_scalar: Using a target size (torch.Size([])) that is different to the input size ({expected:shape})
target_size: Target size ({got:shape}) must be the same as input size ({expected:shape})
target_size: input and target shapes do not match: input {expected:shape}, target {got:shape}
target_elements: target nelement ({got:int}) != input nelement ({x:int})
target_rank: multi-target not supported
einsum_label: subscript {label:word} has size {right:int} for operand {at:int} which does not broadcast with previously seen size {left:int}
target_shape: Expected target size {expected:shape}, got {got:shape}
pair: 'tuple' object has no attribute '{what:word}
pair: argument 'hx'{where:some} must be {wanted:some}, not {got:word}
pair: argument 'input'{where:some} must be Tensor, not tuple
pair: expected Tensor as element {at:int} in argument 0, but got tuple
packed_output: argument 'input'{where:some} must be Tensor, not PackedSequence
pair: forward() takes from 2 to 3 positional arguments but 4 were given
tuple_index: tuple indices must be integers or slices, not tuple
indices: too many indices for tensor of dimension {got:int}
no_dimension: Dimension out of range (expected to be in range of [-{least:int}, {most:int}], but got
no_dimension: input.dim() = {got:int} is not equal to len(dims) =
initializer: Fan in and fan out can not be computed for tensor with fewer than 2 dimensions
initializer: Only tensors with 2 or more dimensions are supported
pair: index 1 is out of bounds for dimension 0 with size 1
from_end: index -{got:int} is out of bounds for dimension {axis:int} with size {size:int}
index_range: index {got:int} is out of bounds for dimension {axis:int} with size {size:int}
vocabulary: index out of range in self
vocabulary: Tried to access index {got:int} out of table with {largest:int} rows
class_values: Class values must be smaller than num_classes
mask_index: The shape of the mask {mask:shape} at index {at:int} does not match the shape of the indexed tensor {got:shape} at index
gather: Index tensor must have the same number of dimensions as input tensor
class_number: Target {got:int} is out of bounds
class_negative: Target -{got:int} is out of bounds
index_type: Expected dtype int64 for index
index_type: Expected dtype int32 or int64 for index
index_type: Expected dtype int32/int64 for index
index_type: tensors used as indices must be long
target_type: Expected floating point type for target with class probabilities, got {type:word}
target_fractions: expected target dtype to be Long or Byte, but got {type:word}
lengths_kind: 'lengths' argument should be a 1D CPU int64 tensor, but got {got:int}D {device:word} {type:word} tensor
# other layers
layer_rank: expected {allowed:some} input (got {got:int}D input)
layer_rank: Expected {allowed:some} input to conv{axes:int}d, but got input of size: {x:shape}
layer_rank: Expected {allowed:int}-dimensional input for {rank:int}-dimensional weight {weight:some}, but got {got:int}-dimensional input of size {x:shape}
channels: weight of size {weight:some}, expected input{x:shape} to have {expected:int} channels, but got {got:int} channels
attention: was expecting embedding dimension of {expected:int}, but got {got:int}
layer_norm: Given normalized_shape={expected:some}, expected input with shape {form:some}, but got input of size{got:shape}
one_value: Expected more than 1 value per channel when training, got input size {x:shape}
batch_norm: running_mean should contain {got:int} elements not {expected:int}
# products, sums, joins
product: mat1 and mat2 shapes cannot be multiplied ({left:by} and {right:by})
product: a and b must have same reduction dim, but got {left:shape} X {right:shape}
matmul: mat1 dim 1 must match mat2 dim 0
product: size mismatch, m1: {left:shape}, m2: {right:shape}
product_vector: size mismatch, got input ({out:int}), mat ({left:by}), vec ({right:int})
product_vector: size mismatch, got {out:int}, {left:by},{right:int}
product_batches: Expected size for first two dimensions of batch2 tensor to be: {expected:shape} but got: {got:shape}
dot: inconsistent tensor size, expected tensor {left:shape} and src {right:shape} to have the same number of elements
rank_of: must be a matrix
batches_of_product: batch1 and batch2 must have same number of batches, got {left:int} and {right:int}
matmul: wrong matrix size at
matmul: RuntimeError: size mismatch at
batch_rank: batch{at:int} must be a {allowed:int}D tensor
rank_of: matrices expected, got {got:some} tensors
rank_of: D tensors expected, but got {got:some} tensors
rank_of: D tensors expected, got {got:some} tensors
broadcast: output with shape {left:shape} doesn't match the broadcast shape {right:shape}
assign: expand(torch.{type:word}{{right:shape}}, size={left:shape}): the number of sizes provided
broadcast_axis: The size of tensor a ({left:int}) must match the size of tensor b ({right:int}) at non-singleton dimension {axis:int}
broadcast_axis: The expanded size of the tensor ({left:int}) must match the existing size ({right:int}) at non-singleton dimension {axis:int}
concatenate: Sizes of tensors must match except in dimension {joined:int}. Expected size {left:int} but got size {right:int} for tensor
concatenate: Sizes of tensors must match except in dimension {joined:int}. Got {left:int} and {right:int} in dimension {axis:int}
concatenate: Sizes of tensors must match except in dimension {joined:int}. Got {left:int} and {right:int}
concatenate_rank: Tensors must have same number of dimensions: got {left:int} and {right:int}
stack: stack expects each tensor to be equal size, but got {left:shape} at entry 0 and {right:shape} at entry
reshape: shape '{got:shape}' is invalid for input of size {size:int}
open_axes: only one dimension can be inferred
view: view size is not compatible with input tensor's size and stride
# loading
checkpoint: While copying the parameter named {name:word}, whose dimensions in the model are {expected:shape} and whose dimensions in the checkpoint are {got:shape}
checkpoint: size mismatch for {name:word}: copying a param with shape {got:shape} from checkpoint, the shape in current model is {expected:shape}
checkpoint_keys: Missing key(s) in state_dict: {names:word}
checkpoint_keys: Unexpected key(s) in state_dict: {names:word}
# sequences that are packed, or that make a batch
total_length: Expected total_length to be at least the length of the longest sequence in input, but got total_length={got:int} and max sequence length being {size:int}
exceeded: start ({start:int}) + length ({length:int}) exceeds dimension size ({size:int})
packed_output: 'PackedSequence' object has no attribute '{what:word}
lengths_kind: 'lengths' argument should be a 1D CPU int64 tensor
# the outputs of several devices
gathered: Gather got an input of invalid size: got {got:shape}, but expected {expected:shape}
gathered: Input tensor at index {at:int} has invalid shape {got:shape}, but expected {expected:shape}
gathered: gather got an input of invalid size: got {got:dims}, but expected {expected:dims}
collate_types: batch must contain tensors, numpy arrays, numbers, dicts or lists; found
collate: each element in list of batch should be of equal size
collate: Trying to resize storage that is not resizable
samples_unsaid: Size mismatch between tensors
ragged: expected sequence of length {left:int} at dim {axis:int} (got {right:int})
state_order: rnn: {which:word} is not contiguous
state: Expected cell{which:some} size {expected:shape}, got {got:shape}
# a pair, or one tensor
pair: lstm() received an invalid combination of arguments - got (Tensor, Tensor, list,
pair: gru() received an invalid combination of arguments - got (Tensor, tuple, list,
pair: () received an invalid combination of arguments - got (tuple,
pair: rnn_tanh() received an invalid combination of arguments - got (Tensor, tuple, list,
tuple_operand: unsupported operand type(s) for {operator:some} 'Tensor' and 'tuple'
tuple_operand: unsupported operand type(s) for {operator:some} 'tuple' and 'Tensor'
tuple_operand: unsupported operand type(s) for {operator:some} 'tuple' and 'int'
tuple_operand: unsupported operand type(s) for {operator:some} 'tuple' and 'float'
tuple_operand: can only concatenate tuple (not "Tensor") to tuple
list_index: list indices must be integers or slices, not tuple
target_scalar: Target size ({got:shape}) must be the same as input size (torch.Size([]))
target_scalar: Target size (torch.Size([])) must be the same as input size ({expected:shape})
# axes and indices
transposed_axes: number of dims don't match in permute
transposed_axes: expects a tensor with <= 2 dimensions, but self is
transposed_axes: t() expects a 2D tensor, but self is
no_dimension: dimension out of range (expected to be in range of [-{least:int}, {most:int}], but got
repeat_rank: the number of sizes provided must be greater or equal to the number of dimensions in the tensor
repeat_rank: Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor
index_range: index {got:int} out of range for tensor of size {shape:shape} at dimension {axis:int}
vocabulary: RuntimeError: index out of range
vocabulary: out of range: {got:int} out of {size:int}
scalar_index: invalid index of a 0-dim tensor
index_arrays: shape mismatch: indexing tensors could not be broadcast together with shapes {left:shape}, {right:shape}
scalars_joined: zero-dimensional tensor (at position {at:int}) cannot be concatenated
join_unsaid: inconsistent tensor sizes at
copy_unsaid: inconsistent tensor size at
reshape: size '{got:shape}' is invalid for input with {size:int} elements
split_sizes: split_with_sizes expects split_sizes to sum exactly to {size:int} (input tensor's size at dimension {axis:word}), but got split_sizes={got:shape}
assign: value tensor of shape {right:shape} cannot be broadcast to indexing result of shape {left:shape}
# other layers and the loss
short_sequence: Calculated padded input size per channel: ({steps:int}). Kernel size: ({window:int}). Kernel size can't be greater than actual input size
head_number: embed_dim must be divisible by num_heads
class_weights: weight tensor should be defined either for all {size:int} classes or no classes but got weight tensor of shape: {got:shape}
product_size: Expected tensor to have size {wanted:int} at dimension {axis:int}, but got size {got:int} for argument #{at:int} 'batch2'
# attention
padding_mask: Expected key_padded_mask.shape[{axis:int}] to be {expected:int}, but got {got:int}
attention_mask: The shape of the 2D attn_mask is {got:shape}, but should be {expected:shape}
attention_mask: The shape of the 3D attn_mask is {got:shape}, but should be {expected:shape}
keys_and_values: key shape {left:shape} does not match value shape {right:shape}
keys_and_values: key's sequence and batch dims {left:shape} do not match value's {right:shape}
layer_rank: query should be {allowed:some} tensor but received {got:int}-D query tensor
attention_axes: For batched (3-D) `query`, expected `key` and `value` to be 3-D but found {keys:int}-D and {values:int}-D tensors
# an index of entries, and one list
gather_sizes: Size does not match at dimension {axis:int} expected index {index:shape} to be no larger than self {x:shape} apart from dimension
gather_sizes: Size does not match at dimension {axis:int} expected index {index:shape} to be smaller than self {x:shape} apart from dimension
gather_sizes: Size does not match at dimension {axis:int} expected index {index:shape} to be smaller than src {x:shape} apart from dimension
log_prob: Value is not broadcastable with batch_shape+event_shape: {got:shape} vs {wanted:shape}
gather_sizes: Expected index {index:shape} to be no larger than self {x:shape} apart from dimension {along:int} and to be no larger size than src {src:shape}
gather_sizes: Expected index {index:shape} to be smaller than self {x:shape} apart from dimension {along:int} and to be smaller size than src {src:shape}
gather_sizes: Expected tensor {to:shape}, src {x:shape} and index {index:shape} to have the same size apart from dimension {along:int}
gather: Index tensor must have the same number of dimensions as self tensor
joined_arguments: argument 'tensors' (position 1) must be tuple of Tensors, not Tensor
equation_letters: the number of subscripts in the equation ({letters:int}) does not match the number of dimensions ({got:int}) for operand {at:int}
target_places: only batches of spatial targets supported
loss_axes: Expected 2 or 4 dimensions (got {got:int})
loss_axes: Expected 2 or more dimensions (got {got:int})
number_sized: dimension specified as {axis:int} but tensor has no dimensions
# CTCLoss
ctc_batch: input_lengths must be of size batch_size
ctc_batch: target_lengths must be of size batch_size
ctc_steps: Expected input_lengths to have value at most {size:int}, but got value {got:int}
ctc_labels: Expected tensor to have size at least {wanted:int} at dimension 1, but got size {got:int} for argument #2 'targets'
ctc_targets: Expected tensor to have size {wanted:int} at dimension 0, but got size {got:int} for argument #2 'targets'
ctc_blank: blank must be in label range
transducer_lengths: input length mismatch
transducer_lengths: output length mismatch
ctc_negative: Expected {which:word} to have value at least 0, but got value -
ctc_whole: input_lengths must be integral
ctc_whole: target_lengths must be integral
target_of_vector: For 1D input, 1D target must have size 1, but got target size: {got:int}
# windows and padding
pool: Calculated output size: {got:shape}. Output size is too small
pool: Invalid computed output size: {got:word}
layer_rank: Expected {allowed:some} dimensions, but got {got:int}-dimensional tensor for argument
layer_rank: Expected {allowed:some} tensor with optional 0 dim batch size for input, but got:{x:shape}
unfold: maximum size for tensor at dimension {axis:int} is {size:int} but size is {got:int}
pad_beyond: Padding size should be less than the corresponding input dimension, but got: padding {pad:shape} at dimension {axis:int} of input {x:shape}
pad_axes: Padding length should be less than or equal to two times the input dimension but got padding length {numbers:int} and input of dimension {axes:int}
pad_axes: Padding size {numbers:int} is not supported for {axes:int}D input tensor
unflatten: unflatten: Provided sizes {got:shape} don't multiply up to the size of dim {axis:int} ({size:int}) in the input tensor
# the arguments of a layer
size_type: _size should be of type int, got: {got:word}
projection: proj_size has to be smaller than hidden_size
no_steps: result of slicing is an empty tensor
no_steps: Expected sequence length to be larger than 0 in RNN
bag: offsets has to be a 1D Tensor but got None
bag: if input is 2D, then offsets has to be None
# entries by their index
top: selected index k out of range
selected: INDICES element is out of DATA bounds, id={got:int} axis_dim={size:int}
sampled_axes: prob_dist must be 1 or 2 dim
index_vector: index_select(): Index is supposed to be a vector
parts: Sum of input lengths does not equal the length of the input dataset
batch_unsaid: Expected batch2_sizes[0] == bs && batch2_sizes[1] == contraction_size to be true, but got false
# a conditional random field
crf_sizes: the first two dimensions of emissions and {of:word} must match, got {expected:shape} and {got:shape}
crf_first_step: mask of the first timestep must all be on
crf_tags: expected last dimension of emissions is {wanted:int}, got {got:int}
crf_axes: emissions must have dimension of 3, got {got:int}
# one number
one_number: only one element tensors can be converted to Python scalars
one_number: a Tensor with {got:int} elements cannot be converted to Scalar
one_number: grad can be implicitly created only for scalar outputs
# a model of Hugging Face, and a Transformer
tokens_axes: Wrong shape for input_ids (shape {got:shape})
tokens_ragged: Unable to create tensor, you should probably activate truncation and/or padding
transformer_batch: the batch number of src and tgt must be equal
transformer_features: the feature number of src and tgt must be equal to d_model
# a metric
target_size: Expected `preds` and `target` to have the same shape, but got `preds` with shape={expected:shape} and `target` with shape={got:shape}
target_size: Predictions and targets are expected to have the same shape, but got {expected:shape} and {got:shape}
# a kernel on a GPU, which names no number
target_size: input and target have different number of elements: input{expected:shape} has {x:int} elements, while target{got:shape}
rank_of: Expected argument self to have 1 dimension(s), but has
class_unsaid: Assertion `t >= 0 && t < n_classes` failed
class_unsaid: Assertion `cur_target >= 0 && cur_target < n_classes
vocabulary: Assertion `srcIndex < srcSelectDimSize` failed
scalar_index: iteration over a 0-d tensor
scalar_index: len() of a 0-d tensor
scalar_index: slice() cannot be applied to a 0-dim tensor
# loading
checkpoint: size mismatch for {name:word}: copying a param of {got:shape} from checkpoint, where the shape is {expected:shape} in current model
checkpoint_keys: unexpected key "{names:word}" in state_dict
checkpoint_keys: missing keys in state_dict: {names:some}'}
# a list where an array belongs, or an array where a list does
list_argument: argument '{name:word} (position {place:int}) must be Tensor, not {got:sequence}
list_element: expected Tensor as element {at:int} in argument 0, but got {given:sequence}
list_element: must be tuple of Tensors, but found element of type {given:word} at pos {at:int}
sequences_argument: argument 'sequences' (position 1) must be tuple of Tensors, not {given:word}
none_element: expected Tensor as element {at:int} in argument 0, but got NoneType
list_operand: unsupported operand type(s) for {operator:some} 'Tensor' and 'list'
list_operand: unsupported operand type(s) for {operator:some} 'list' and 'Tensor'
list_empty: expected a non-empty list of Tensors
list_empty: stack expects a non-empty TensorList
list_empty: received an empty list of sequences
list_empty: num_samples should be a positive integer value, but got num_samples=0
negative_length: __len__() should return >= 0
"""
