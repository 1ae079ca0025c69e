"""The wordings of error messages of Keras and TensorFlow: the kind of each, and its text."""

KERAS = (
    ("rank", "expected ndim={allowed:int}, found ndim={got:int}"),
    ("rank", "expected {of:word} to have {allowed:int} dimensions, but got array with shape {shape:shape}"),
    ("rank", "Shape must be rank {allowed:int} but is rank {got:int}"),
    ("rank", "Shape {shape:shape} must have rank at least {allowed:int}"),
    ("expected_shape", "expected {of:word} to have shape {expected:shape} but got array with shape {got:shape}"),
    (
        "expected_shape",
        "Cannot feed value of shape {got:shape} for Tensor {of:word}, which has shape '{expected:shape}",
    ),
    ("broadcast", "logits and labels must be broadcastable: logits_size={left:shape} labels_size={right:shape}"),
    ("logits_size", "logits and labels must be same size: logits_size={expected:shape} labels_size={got:shape}"),
    ("incompatible", "Shapes {got:shape} and {expected:shape} are incompatible"),
    ("keras_target", "logits and labels must have the same shape ({expected:shape} vs {got:shape})"),
    ("keras_target", "`logits` and `labels` must have the same shape, received ({expected:shape} vs {got:shape})"),
    (
        "keras_samples",
        "logits and labels must have the same first dimension, got logits shape {expected:shape} and labels shape {got:shape}",
    ),
    ("rank", "expected ndim={allowed:int}, found ndim={got:int}. Full shape received: {shape:shape}"),
    ("rank", "expected {least:word}_ndim={allowed:int}, found ndim={got:int}. Full shape received: {shape:shape}"),
    (
        "features",
        "expected axis {axis:word} of input shape to have value {expected:int}, but received input with shape {shape:shape}",
    ),
    (
        "features",
        "expected axis {axis:word} of input shape to have value {expected:int} but received input with shape {shape:shape}",
    ),
    ("features", "expected axis {axis:word} of input shape to have value {expected:int} but got shape {shape:shape}"),
    ("expected_shape", "expected shape={expected:shape}, found shape={got:shape}"),
    ("specified", "specified shape {expected:shape} and found shape {got:shape}"),
    (
        "dimensions",
        "Dimensions must be equal, but are {left:int} and {right:int} for {node:node} with input shapes: {a:shape}, {b:shape}",
    ),
    ("product", "Matrix size-incompatible: In[0]: {left:shape}, In[1]: {right:shape}"),
    ("broadcast", "Incompatible shapes: {left:shape} vs. {right:shape}"),
    ("broadcast_none", "required broadcastable shapes"),
    (
        "concatenate_shapes",
        "ConcatOp{version:some}: Dimension {axis:int} in both shapes must be equal: shape[0] = {left:shape} vs. shape[{at:int}] = {right:shape}",
    ),
    (
        "class_number",
        "Received a label value of {got:int} which is outside the valid range of [0, {size:int})",
    ),
    ("vocabulary", "] = {got:int} is not in [0, {size:int})"),
    ("labels_rank", "Rank of labels (received {labels:int}) should equal rank of logits minus 1 (received {axes:int})"),
    ("set_weights", "weight shape {expected:shape} is not compatible with provided weight shape {got:shape}"),
    ("set_weights", "weight shape {expected:shape} not compatible with provided weight shape {got:shape}"),
    ("weight_list", "with a weight list of length {got:int}, but the layer was expecting {expected:int} weights"),
    ("expected_shape", "Expected shape {expected:shape}, but input has incompatible shape {got:shape}"),
    ("sum_of_layers", "Inputs have incompatible shapes. Received shapes {left:shape} and {right:shape}"),
    ("sum_of_layers", "Operands could not be broadcast together with shapes {left:shape} {right:shape}"),
    ("stateful", "Expected batch size: {expected:int} - Received batch size: {got:int}"),
    ("stateful", "Specified a list with shape {expected:shape} from a tensor with shape {got:shape}"),
    ("stateful_samples", "number of samples that can be divided by the batch size. Found: {samples:int} samples"),
    ("stateful_unsaid", "If a RNN is stateful, it needs to know its batch size"),
    (
        "keras_state",
        "`state_spec`={spec:some}(shape={got:shape}, ndim={axes:some}; however `cell.state_size` is {expected:shape}",
    ),
    (
        "keras_state",
        "`state_spec`={spec:some}(shape={got:shape}, ndim={axes:some}; however `cell.state_size` is {expected:int}",
    ),
    ("keras_states", "has {expected:int} states but was passed {got:int} initial states"),
    (
        "keras_reshape",
        "total size of the tensor must be unchanged. Received: input_shape={x:shape}, target_shape={got:shape}",
    ),
    ("stack", "values[0].shape = {left:shape} != values[{at:int}].shape = {right:shape}"),
    (
        "concatenate_rank_shapes",
        "Ranks of all input tensors should match: shape[0] = {left:shape} vs. shape[{at:int}] = {right:shape}",
    ),
    ("pair", "list index out of range"),
    (
        "keras_target",
        "Arguments `target` and `output` must have the same {what:some}. Received: target.shape={got:shape}, output.shape={expected:shape}",
    ),
    (
        "keras_steps",
        "must have the same shape up until the last dimension: target.shape={got:shape}, output.shape={expected:shape}",
    ),
    (
        "keras_steps",
        "`output` must have rank (ndim) `target.ndim - 1`. Received: target.shape={got:shape}, output.shape={expected:shape}",
    ),
    ("samples", "'x' sizes: {x:int} 'y' sizes: {got:int}"),
    ("samples", "x sizes: {x:int} y sizes: {got:int}"),
    ("samples", "Found {x:int} input samples and {got:int} target samples"),
    (
        "broadcast",
        "Cannot merge tensors with different batch sizes. Received tensors with shapes [{left:shape}, {right:shape}",
    ),
    (
        "time_distributed",
        "`TimeDistributed` Layer should be passed an `input_shape` with at least 3 dimensions, received: {shape:shape}",
    ),
    (
        "concatenate_layer",
        "layer requires inputs with matching shapes except for the concatenation axis. Received: input_shape=[{shapes:some}]",
    ),
    (
        "dot_of_layers",
        "Incompatible input shapes: axis values {left:int} (at axis {i:int}) != {right:int} (at axis {j:int}). Full input shapes: {a:flat}, {b:flat}",
    ),
    ("ragged", "Can't convert non-rectangular Python sequence to Tensor"),
)
