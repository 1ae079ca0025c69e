"""More wordings of error messages of PyTorch, of all its versions: the kind of each, and its text."""

PYTORCH = (
    # ---- sequences that are packed, or that make a batch
    (
        "total_length",
        "Expected total_length to be at least the length of the longest sequence in input, but got total_length={got:int} and max sequence length being {size:int}",
    ),
    ("exceeded", "start ({start:int}) + length ({length:int}) exceeds dimension size ({size:int})"),
    ("packed_output", "'PackedSequence' object has no attribute '{what:word}"),
    ("lengths_kind", "'lengths' argument should be a 1D CPU int64 tensor"),
    ("lengths_unsaid", "lengths array has incorrect size"),
    # ---- the outputs of several devices
    ("gathered", "Gather got an input of invalid size: got {got:shape}, but expected {expected:shape}"),
    ("gathered", "Input tensor at index {at:int} has invalid shape {got:shape}, but expected {expected:shape}"),
    ("gathered", "gather got an input of invalid size: got {got:dims}, but expected {expected:dims}"),
    ("collate_types", "batch must contain tensors, numpy arrays, numbers, dicts or lists; found"),
    ("collate", "each element in list of batch should be of equal size"),
    ("collate", "Trying to resize storage that is not resizable"),
    ("samples_unsaid", "Size mismatch between tensors"),
    ("ragged", "expected sequence of length {left:int} at dim {axis:int} (got {right:int})"),
    ("state_order", "rnn: {which:word} is not contiguous"),
    ("state", "Expected cell{which:some} size {expected:shape}, got {got:shape}"),
    # ---- a pair, or one tensor
    ("pair", "lstm() received an invalid combination of arguments - got (Tensor, Tensor, list,"),
    ("pair", "gru() received an invalid combination of arguments - got (Tensor, tuple, list,"),
    ("pair", "() received an invalid combination of arguments - got (tuple,"),
    ("pair", "rnn_tanh() received an invalid combination of arguments - got (Tensor, tuple, list,"),
    ("tuple_operand", "unsupported operand type(s) for {operator:some} 'Tensor' and 'tuple'"),
    ("tuple_operand", "unsupported operand type(s) for {operator:some} 'tuple' and 'Tensor'"),
    ("tuple_operand", "unsupported operand type(s) for {operator:some} 'tuple' and 'int'"),
    ("tuple_operand", "unsupported operand type(s) for {operator:some} 'tuple' and 'float'"),
    ("tuple_operand", 'can only concatenate tuple (not "Tensor") to tuple'),
    ("list_index", "list indices must be integers or slices, not tuple"),
    ("target_scalar", "Target size ({got:shape}) must be the same as input size (torch.Size([]))"),
    ("target_scalar", "Target size (torch.Size([])) must be the same as input size ({expected:shape})"),
    # ---- axes and indices
    ("transposed_axes", "number of dims don't match in permute"),
    ("transposed_axes", "expects a tensor with <= 2 dimensions, but self is"),
    ("transposed_axes", "t() expects a 2D tensor, but self is"),
    ("no_dimension", "dimension out of range (expected to be in range of [-{least:int}, {most:int}], but got"),
    ("former_axis", "dimension {at:int} out of range of {got:int}D tensor"),
    ("repeat_rank", "the number of sizes provided must be greater or equal to the number of dimensions in the tensor"),
    ("repeat_rank", "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"),
    ("index_range", "index {got:int} out of range for tensor of size {shape:shape} at dimension {axis:int}"),
    ("vocabulary", "RuntimeError: index out of range"),
    ("vocabulary", "out of range: {got:int} out of {size:int}"),
    ("scalar_index", "invalid index of a 0-dim tensor"),
    (
        "index_arrays",
        "shape mismatch: indexing tensors could not be broadcast together with shapes {left:shape}, {right:shape}",
    ),
    ("scalars_joined", "zero-dimensional tensor (at position {at:int}) cannot be concatenated"),
    ("join_unsaid", "inconsistent tensor sizes at"),
    ("copy_unsaid", "inconsistent tensor size at"),
    ("reshape", "size '{got:shape}' is invalid for input with {size:int} elements"),
    (
        "split_sizes",
        "split_with_sizes expects split_sizes to sum exactly to {size:int} (input tensor's size at dimension {axis:word}), but got split_sizes={got:shape}",
    ),
    (
        "assign",
        "value tensor of shape {right:shape} cannot be broadcast to indexing result of shape {left:shape}",
    ),
    # ---- other layers and the loss
    (
        "short_sequence",
        "Calculated padded input size per channel: ({steps:int}). Kernel size: ({window:int}). Kernel size can't be greater than actual input size",
    ),
    ("head_number", "embed_dim must be divisible by num_heads"),
    (
        "class_weights",
        "weight tensor should be defined either for all {size:int} classes or no classes but got weight tensor of shape: {got:shape}",
    ),
    (
        "product_size",
        "Expected tensor to have size {wanted:int} at dimension {axis:int}, but got size {got:int} for argument #{at:int} 'batch2'",
    ),
    # ---- attention
    ("padding_mask", "Expected key_padded_mask.shape[{axis:int}] to be {expected:int}, but got {got:int}"),
    ("attention_mask", "The shape of the 2D attn_mask is {got:shape}, but should be {expected:shape}"),
    ("attention_mask", "The shape of the 3D attn_mask is {got:shape}, but should be {expected:shape}"),
    ("keys_and_values", "key shape {left:shape} does not match value shape {right:shape}"),
    ("keys_and_values", "key's sequence and batch dims {left:shape} do not match value's {right:shape}"),
    ("layer_rank", "query should be {allowed:some} tensor but received {got:int}-D query tensor"),
    (
        "attention_axes",
        "For batched (3-D) `query`, expected `key` and `value` to be 3-D but found {keys:int}-D and {values:int}-D tensors",
    ),
    # ---- an index of entries, and one list
    (
        "gather_sizes",
        "Size does not match at dimension {axis:int} expected index {index:shape} to be no larger than self {x:shape} apart from dimension",
    ),
    (
        "gather_sizes",
        "Size does not match at dimension {axis:int} expected index {index:shape} to be smaller than self {x:shape} apart from dimension",
    ),
    (
        "gather_sizes",
        "Size does not match at dimension {axis:int} expected index {index:shape} to be smaller than src {x:shape} apart from dimension",
    ),
    (
        "gather_sizes",
        "Expected tensor {to:shape}, src {x:shape} and index {index:shape} to have the same size apart from dimension {along:int}",
    ),
    ("gather", "Index tensor must have the same number of dimensions as self tensor"),
    ("joined_arguments", "argument 'tensors' (position 1) must be tuple of Tensors, not Tensor"),
    (
        "equation_letters",
        "the number of subscripts in the equation ({letters:int}) does not match the number of dimensions ({got:int}) for operand {at:int}",
    ),
    ("target_places", "only batches of spatial targets supported"),
    ("loss_axes", "Expected 2 or 4 dimensions (got {got:int})"),
    ("loss_axes", "Expected 2 or more dimensions (got {got:int})"),
    ("number_sized", "dimension specified as {axis:int} but tensor has no dimensions"),
    # ---- CTCLoss
    ("ctc_batch", "input_lengths must be of size batch_size"),
    ("ctc_batch", "target_lengths must be of size batch_size"),
    ("ctc_steps", "Expected input_lengths to have value at most {size:int}, but got value {got:int}"),
    (
        "ctc_labels",
        "Expected tensor to have size at least {wanted:int} at dimension 1, but got size {got:int} for argument #2 'targets'",
    ),
    (
        "ctc_targets",
        "Expected tensor to have size {wanted:int} at dimension 0, but got size {got:int} for argument #2 'targets'",
    ),
    ("ctc_blank", "blank must be in label range"),
    ("transducer_lengths", "input length mismatch"),
    ("transducer_lengths", "output length mismatch"),
    ("ctc_negative", "Expected {which:word} to have value at least 0, but got value -"),
    ("ctc_whole", "input_lengths must be integral"),
    ("ctc_whole", "target_lengths must be integral"),
    ("target_of_vector", "For 1D input, 1D target must have size 1, but got target size: {got:int}"),
    # ---- windows and padding
    ("pool", "Calculated output size: {got:shape}. Output size is too small"),
    ("pool", "Invalid computed output size: {got:word}"),
    ("layer_rank", "Expected {allowed:some} dimensions, but got {got:int}-dimensional tensor for argument"),
    ("layer_rank", "Expected {allowed:some} tensor with optional 0 dim batch size for input, but got:{x:shape}"),
    ("unfold", "maximum size for tensor at dimension {axis:int} is {size:int} but size is {got:int}"),
    (
        "pad_beyond",
        "Padding size should be less than the corresponding input dimension, but got: padding {pad:shape} at dimension {axis:int} of input {x:shape}",
    ),
    (
        "pad_axes",
        "Padding length should be less than or equal to two times the input dimension but got padding length {numbers:int} and input of dimension {axes:int}",
    ),
    ("pad_axes", "Padding size {numbers:int} is not supported for {axes:int}D input tensor"),
    (
        "unflatten",
        "unflatten: Provided sizes {got:shape} don't multiply up to the size of dim {axis:int} ({size:int}) in the input tensor",
    ),
    # ---- the arguments of a layer
    ("size_type", "_size should be of type int, got: {got:word}"),
    ("projection", "proj_size has to be smaller than hidden_size"),
    ("no_steps", "result of slicing is an empty tensor"),
    ("no_steps", "Expected sequence length to be larger than 0 in RNN"),
    ("bag", "offsets has to be a 1D Tensor but got None"),
    ("bag", "if input is 2D, then offsets has to be None"),
    # ---- entries by their index
    ("top", "selected index k out of range"),
    ("selected", "INDICES element is out of DATA bounds, id={got:int} axis_dim={size:int}"),
    ("sampled_axes", "prob_dist must be 1 or 2 dim"),
    ("index_vector", "index_select(): Index is supposed to be a vector"),
    ("parts", "Sum of input lengths does not equal the length of the input dataset"),
    (
        "batch_unsaid",
        "Expected batch2_sizes[0] == bs && batch2_sizes[1] == contraction_size to be true, but got false",
    ),
    # ---- a conditional random field
    (
        "crf_sizes",
        "the first two dimensions of emissions and {of:word} must match, got {expected:shape} and {got:shape}",
    ),
    ("crf_first_step", "mask of the first timestep must all be on"),
    ("crf_tags", "expected last dimension of emissions is {expected:int}, got {got:int}"),
    ("crf_axes", "emissions must have dimension of 3, got {got:int}"),
    # ---- one number
    ("one_number", "only one element tensors can be converted to Python scalars"),
    ("one_number", "a Tensor with {got:int} elements cannot be converted to Scalar"),
    ("one_number", "grad can be implicitly created only for scalar outputs"),
    # ---- a model of Hugging Face, and a Transformer
    ("tokens_axes", "Wrong shape for input_ids (shape {got:shape})"),
    ("tokens_ragged", "Unable to create tensor, you should probably activate truncation and/or padding"),
    ("transformer_batch", "the batch number of src and tgt must be equal"),
    ("transformer_features", "the feature number of src and tgt must be equal to d_model"),
    # ---- a metric
    (
        "target_size",
        "Expected `preds` and `target` to have the same shape, but got `preds` with shape={expected:shape} and `target` with shape={got:shape}",
    ),
    (
        "target_size",
        "Predictions and targets are expected to have the same shape, but got {expected:shape} and {got:shape}",
    ),
    # ---- a kernel on a GPU, which names no number
    (
        "target_size",
        "input and target have different number of elements: input{expected:shape} has {x:int} elements, while target{got:shape}",
    ),
    ("rank_of", "Expected argument self to have 1 dimension(s), but has"),
    ("class_unsaid", "Assertion `t >= 0 && t < n_classes` failed"),
    ("class_unsaid", "Assertion `cur_target >= 0 && cur_target < n_classes"),
    ("vocabulary", "Assertion `srcIndex < srcSelectDimSize` failed"),
    ("scalar_index", "iteration over a 0-d tensor"),
    ("scalar_index", "len() of a 0-d tensor"),
    ("scalar_index", "slice() cannot be applied to a 0-dim tensor"),
    # ---- loading
    (
        "checkpoint",
        "size mismatch for {name:word}: copying a param of {got:shape} from checkpoint, where the shape is {expected:shape} in current model",
    ),
    ("checkpoint_keys", 'unexpected key "{names:word}" in state_dict'),
    ("checkpoint_keys", "missing keys in state_dict: {names:some}'}"),
)

# A list where an array belongs, or an array where a list does, by the framework, the kind and the text.
LISTS = (
    ("", "list_given", "'list' object has no attribute '{what:attribute}'"),
    ("PyTorch", "list_argument", "argument '{name:word} (position {place:int}) must be Tensor, not {got:sequence}"),
    ("PyTorch", "list_element", "expected Tensor as element {at:int} in argument 0, but got {got:sequence}"),
    ("PyTorch", "list_element", "must be tuple of Tensors, but found element of type {got:word} at pos {at:int}"),
    ("PyTorch", "sequences_argument", "argument 'sequences' (position 1) must be tuple of Tensors, not {got:word}"),
    ("PyTorch", "none_element", "expected Tensor as element {at:int} in argument 0, but got NoneType"),
    ("", "array_given", "'numpy.ndarray' object has no attribute '{what:attribute}'"),
    ("PyTorch", "list_operand", "unsupported operand type(s) for {operator:some} 'Tensor' and 'list'"),
    ("PyTorch", "list_operand", "unsupported operand type(s) for {operator:some} 'list' and 'Tensor'"),
    ("PyTorch", "list_empty", "expected a non-empty list of Tensors"),
    ("PyTorch", "list_empty", "stack expects a non-empty TensorList"),
    ("PyTorch", "list_empty", "received an empty list of sequences"),
    ("PyTorch", "list_empty", "num_samples should be a positive integer value, but got num_samples=0"),
    ("NumPy", "list_empty", "need at least one array to"),
    # More names than those of a state, or of three axes.
    ("", "unpack_more", "not enough values to unpack (expected {wanted:int}, got {got:int})"),
    ("", "unpack_more", "too many values to unpack (expected {wanted:int}"),
)
