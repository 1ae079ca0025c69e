"""Messages of Keras, TensorFlow, JAX and ONNX Runtime as people paste them, and their causes.

RANKED has a text and the codes of its causes, the best first. FIRST_LINES has a text, the code of its first cause, and the first
line that is advised, without its condition.
"""

_TARGET = "ValueError: Error when checking target: expected dense_4 to have shape {} but got array with shape {}"
_SUM = "InvalidArgumentError: Incompatible shapes: {} vs. {} [Op:Sub]"
_PRODUCT = "ValueError: Dimensions must be equal, but are {} and {} for '{}' (op: 'MatMul') with input shapes: [?,{}], [{},{}]."
_BATCH = (
    "Cannot batch tensors with different shapes in component 0. First element had shape [9,4] and element 3 had shape [7,4]. "
    "[Op:IteratorGetNext]"
)
_YIELDED = "TypeError: `generator` yielded an element of shape {} where an element of shape {} was expected."
_BIASES = "Layer gru_1 weight shape {} is not compatible with provided weight shape {}."
_ASSIGNED = "Dimension 0 in both shapes must be equal, but are {} and {} for 'Assign_7' (op: 'Assign') with input shapes: [{}], [{}]."
_NEGATIVE = "InvalidArgumentError: indices[3,2] = -1 is not in [0, 30)"
_OBJECTS = "[[{{node lstm_2/lstm_cell/MatMul}}]] [Op:__inference_train_function_88]"
_LOGITS = "ValueError: logits and labels must have the same shape, received ({} vs {})."
_VALUES = "Input to reshape is a tensor with {} values, but the requested shape has {}"
_FED_BATCH = "ValueError: Cannot feed value of shape (80, 5, 4) for Tensor X:0, which has shape '(8, 5, 4)'"
_LIST = (
    "Error when checking model {}: the list of Numpy arrays that you are passing to your model is not the size the model expected. "
    "Expected to see {} array(s), but instead got the following list of {} arrays: [array([[0.1, "
)
_FED = "ValueError: Cannot feed value of shape (13, 16) for Tensor X:0, which has shape '(?, 1, 16)'"
_FIT = "m.fit(a, y, validation_data=(b, z))\n" + _FED

RANKED: list[tuple[str, list[str]]] = [
    (_TARGET.format("(5, 1)", "(1, 1)"), ["return-sequences"]),
    (
        "Input 0 with name 'prices' of layer 'functional_2' is incompatible with the layer: expected shape=(None, 14, 2), found shape=(None, 6)",
        ["inputs", "unbatched"],
    ),
    ("m.compile(loss='mse')\nm.fit(x, y)\n" + _SUM.format("[40,7,1]", "[40,7]"), ["broadcast"]),
    ("hs = np.zeros((40, 7, 1))\n" + _SUM.format("[40,7,1]", "[40,7]"), ["unbatched"]),
    ("model has stateful=True, batch_size = 14\n" + _SUM.format("[98,20]", "[14,20]"), ["batch-size"]),
    ("batch_size = 14\n" + _SUM.format("[98,20]", "[14,20]"), ["batch-size", "broadcast"]),
    ("mae(y_test, forecast)\n" + _SUM.format("[91]", "[90]"), ["shifted-targets"]),
    ("z = W_x + b\n" + _SUM.format("[91]", "[90]"), ["broadcast"]),
    (
        "loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels)\n"
        "ValueError: Incompatible shapes for broadcasting: shapes=[(6, 15), (6, 14)]",
        ["shifted-targets"],
    ),
    (_PRODUCT.format(12, 30, "MatMul", 12, 30, 5), ["inner-dimension"]),
    (
        "Arguments `target` and `output` must have the same shape. Received: target.shape=(4, 5, 10), output.shape=(4, 10, 5)",
        ["transpose"],
    ),
    ("Matrix size-incompatible: In[0]: [8,21], In[1]: [23,96] " + _OBJECTS, ["input-size"]),
    ("Matrix size-incompatible: In[0]: [8,30], In[1]: [24,96] " + _OBJECTS, ["hidden-size"]),
    ("Matrix size-incompatible: In[0]: [8,21], In[1]: [23,97] " + _OBJECTS, ["inner-dimension"]),
    (_NEGATIVE, ["index-range"]),
    ("x = StandardScaler().fit_transform(x)\n" + _NEGATIVE, ["index-range", "embedding"]),
    ("The values lie between -1 and 1.\n" + _NEGATIVE, ["index-range", "embedding"]),
    ("The text is normalized, and the words are unscaled.\n" + _NEGATIVE, ["index-range"]),
    ("ValueError: Data cardinality is ambiguous:\n  x sizes: 30, 1\nPlease provide data which shares", ["unbatched"]),
    ("Data cardinality is ambiguous:\n  x sizes: 30, 28\nMake sure all arrays contain the same", ["batch-size"]),
    (
        "All input arrays (x) should have the same number of samples. Got array shapes: [(80, 9), (75, 4)]",
        ["batch-size"],
    ),
    (
        "dot_general requires lhs batch dimensions and rhs batch dimensions to have the same shape, got [16] and [30].",
        ["batch-first", "batch-size"],
    ),
    (
        "dot_general requires lhs batch dimensions and rhs batch dimensions to have the same shape, got (16,) and (30,).",
        ["batch-first", "batch-size"],
    ),
    (_BATCH, ["ragged"]),
    (
        "Cannot add tensor to the batch: number of elements does not match. Shapes are: [tensor]: [5,2], [batch]: [8,2]",
        ["ragged"],
    ),
    ("ValueError: `start_index+length=20 > end_index=13` is disallowed, as no part", ["steps"]),
    ("Data and targets have to be of same length. Data length is 60 while target length is 59", ["batch-size"]),
    ("ValueError: Expect x to be a non-empty array or dataset.", ["steps"]),
    ("ValueError: Asked to retrieve element 0, but the Sequence has length 0", ["steps"]),
    ("ValueError: GRU(reset_after=False) is not compatible with GRU(reset_after=True)", ["checkpoint"]),
    (
        "Cannot assign to variable w due to variable shape (9, 4) and value shape (8, 4) are incompatible",
        ["checkpoint"],
    ),
    (
        "Assign requires shapes of both tensors to match. lhs shape= [90,16] rhs shape= [85,16]\n[[node save/Assign_2]]",
        ["checkpoint"],
    ),
    (
        "Dimension 0 in both shapes must be equal, but are 48 and 96. Shapes are [48] and [96]. for 'Assign_3' (op: 'Assign')",
        ["checkpoint"],
    ),
    (_ASSIGNED.format(45, 90, 45, 90), ["checkpoint"]),
    (
        "All dimensions except 1 must match. Input 1 has shape [30 10] and doesn't match input 0 with shape [14 20].",
        ["batch-size"],
    ),
    (
        "Inputs to operation add of type AddN must have the same size and shape. Input 0: [30,16] != input 1: [1,16]",
        ["broadcast"],
    ),
]

FIRST_LINES: list[tuple[str, str, str]] = [
    # Without the marks that Markdown takes out, and a target without a batch.
    (_LOGITS.format("(None, 9, 1)", "(None,)"), "return-sequences", "LSTM(..., return_sequences=False)"),
    (
        "x = layers.Embedding(50, 8)(x)\ny = layers.Dense(1)(x)\n" + _LOGITS.format("(None, 9, 1)", "(None,)"),
        "return-sequences",
        "layers.GlobalAveragePooling1D()",
    ),
    (_LOGITS.format("(None, 3)", "()"), "unbatched", "y = np.reshape(y, (-1, 3))"),
    ("ds = tfds.load('a')\n" + _LOGITS.format("(None, 1)", "()"), "unbatched", "dataset = dataset.padded_batch(32)"),
    ("ValueError: Shapes () and (None, 1) are incompatible", "unbatched", "y = np.reshape(y, (-1, 1))"),
    # Lists of arrays, as the inputs or as the targets.
    (_LIST.format("input", 1, 150), "inputs", "x = np.array(x)"),
    (_LIST.format("target", 1, 150), "inputs", "y = np.array(y)"),
    (_LIST.format("input", 2, 1), "inputs", "model.fit([x1, x2], y)"),
    (_LIST.format("target", 2, 1), "inputs", "model.fit(x, [y1, y2])"),
    (
        "TensorBoard(histogram_freq=1)\nm.fit(x, y, batch_size=8)\n" + _FED_BATCH,
        "batch-size",
        "TensorBoard(histogram_freq=0)",
    ),
    ("m.fit(x, y, batch_size=8)\n" + _FED_BATCH, "batch-size", "batch_size = 8"),
    # All steps of a layer, an input without the batch of the model, and an embedding by its name.
    ("ValueError: Shape (40, 8) must have rank at least 3", "unbatched", "x = x[..., None]"),
    ("y = Reshape((4, 4))(h)\n" + _VALUES.format(960, 170), "reshape", "x = tf.reshape(x, (-1, *shape[1:]))"),
    (
        "Input 0 is incompatible with layer a: expected shape=(8, 5, 4), found shape=(None, 5, 4)",
        "batch-size",
        "Input(batch_shape=(8, 5, 4))",
    ),
    (
        "Embedding_Layer = Embedding_Layer(x)\nexpected b to have 2 dimensions, but got array with shape (1, 5, 5)",
        "embedding",
        "x = np.argmax(x, axis=-1)",
    ),
    # Validation data that was left as it is.
    ("a = a.reshape(-1, 1, 16)\n" + _FIT, "unbatched", "b = b[:, None]"),
    ("a = a.reshape(-1, 1, 16)\nb = b.reshape(-1, 1, 16)\n" + _FIT, "unbatched", "a = a[:, None]"),
    ("a = a + 1\n" + _FIT, "unbatched", "a = a[:, None]"),
    (
        "m.add(GRU(24, return_sequences=True))\nm.add(TimeDistributed(Dense(1)))\n"
        + _TARGET.format("(5, 1)", "(1, 1)"),
        "return-sequences",
        "GRU(24, return_sequences=False)",
    ),
    (
        "m.add(Dense(7))\nm.compile(loss='mse')\n" + _SUM.format("[40,7,1]", "[40,7]"),
        "broadcast",
        "y = y[..., 0]",
    ),
    (
        "m.add(Dense(1))\nm.compile(loss='mse')\n" + _SUM.format("[40,7,1]", "[40,7]"),
        "broadcast",
        "y = y[..., None]",
    ),
    (
        "model has stateful=True, batch_size = 14\n" + _SUM.format("[98,20]", "[14,20]"),
        "batch-size",
        "model(x[:14])",
    ),
    (
        "guess = series[:-1]\nscores = errors(series, guess)\n" + _SUM.format("[91]", "[90]"),
        "shifted-targets",
        "errors(series[1:], guess)",
    ),
    (
        "m.add(Bidirectional(GRU(8), input_shape=(None, width, len(words))))\n"
        "Shape must be rank 2 but is rank 3 for 'Reverse' (op: 'Reverse') with input shapes: [?,?,?,40], [1].",
        "unbatched",
        "input_shape=(width, len(words))",
    ),
    (
        "net.add(GRU(16, return_sequences=True, reset_after=False))\n" + _BIASES.format("(48,)", "(2, 48)"),
        "checkpoint",
        "GRU(16, return_sequences=True, reset_after=True)",
    ),
    (_BIASES.format("(2, 48)", "(48,)"), "checkpoint", "GRU(16, ..., reset_after=False)"),
    ("net.add(GRU(12))\n" + _ASSIGNED.format(36, 72, 36, 72), "checkpoint", "GRU(12, reset_after=True)"),
    ("GRU layers\n" + _ASSIGNED.format(36, 72, 36, 72), "checkpoint", "GRU(12, ..., reset_after=True)"),
    ("net.add(LSTM(9))\n" + _ASSIGNED.format(36, 72, 36, 72), "checkpoint", "bias = bias.reshape(2, -1).sum(0)"),
    ("rows = rows.shuffle(50).batch(12)\n" + _BATCH, "ragged", "rows = rows.shuffle(50).padded_batch(12)"),
    (
        "Got invalid dimensions for input: wave for the following indices index: 0 Got: 900 Expected: 1",
        "batch-size",
        '[session.run(None, {"wave": one[None]}) for one in x]',
    ),
    (
        "Argument `output` must have rank (ndim) `target.ndim - 1`. Received: target.shape=(None, 8, 12), output.shape=(None, 12)",
        "return-sequences",
        "LSTM(..., return_sequences=True)",
    ),
]

_TWO = "ValueError: Layer {} expects 1 input(s), but it received {} input tensors. Inputs received: [{}]"
_STEPS = "Shape must be rank 2 but is rank {} for 'MatMul' (op: 'MatMul') with input shapes: {}, [24,6]."
_UNSAID = "InvalidArgumentError: required broadcastable shapes [[{{node mean_squared_error/sub}}]]"
_EMBEDDED = "Error when checking input: expected embedding_2_input to have shape (40,) but got array with shape ({},)"
_SINGLE = "Input 0 of layer sequential is incompatible with the layer: expected shape=(None, 9, 2), found shape=(9, 2)"
_RESHAPED = "The input tensor cannot be reshaped to the requested shape. Input shape:{}, requested shape:{}"
_MASKED = "Dimensions must be equal, but are 9 and 8 for '{{{{node {}}}}} = {}' with input shapes: {}, {}."

RANKED += [
    ("ValueError: Cannot take the length of shape with unknown rank.", ["unbatched"]),
    ("ValueError: as_list() is not defined on an unknown TensorShape.", ["unbatched"]),
    (
        "ValueError: Input size (depth of inputs) must be accessible via shape inference, but saw value None.",
        ["input-size"],
    ),
    ("TypeError: inputs must be a sequence", ["inputs"]),
    ("    assert len(input_shape) >= 3\nAssertionError", ["return-sequences"]),
    (
        "`TimeDistributed` Layer should be passed an `input_shape ` with at least 3 dimensions, received: [None, 12]",
        ["return-sequences"],
    ),
    ("Cannot set tensor: Dimension mismatch. Got 4 but expected 1 for dimension 0 of input 0.", ["batch-size"]),
    ("Cannot set tensor: Dimension mismatch. Got 30 but expected 25 for dimension 1 of input 0.", ["steps"]),
    ("Cannot set tensor: Dimension mismatch. Got 3 but expected 5 for dimension 2 of input 0.", ["input-size"]),
    ("print(r2_score(y, p))\nValueError: Found array with dim 3. None expected <= 2.", ["unbatched"]),
    ("x = scaler.transform(x)\nValueError: Found array with dim 3. Estimator expected <= 2.", ["scaler"]),
    ("y_true and y_pred have different number of output (2!=9)", ["broadcast"]),
    ("ValueError: Shape of passed values is (80, 1), indices imply (80, 4)", ["broadcast"]),
    ("ValueError: Shape of passed values is (80, 1), indices imply (95, 1)", ["steps"]),
    (_RESHAPED.format("{3,9,16}", "{1,144}"), ["batch-size"]),
    (_RESHAPED.format("{1,9,16}", "{1,128}"), ["steps"]),
    ("Non concat axis dimensions must match: Axis 0 has mismatched dimensions of 1 and 6", ["batch-size"]),
    ("right operand cannot broadcast on dim 1 LeftShape: {1,9,16}, RightShape: {1,12,16}", ["steps"]),
    ("ValueError: Required inputs (['h']) are missing from input feed (['tokens']).", ["inputs"]),
    (_TWO.format('"model"', 30, "<tf.Tensor 'a'>"), ["inputs"]),
    (_TWO.format('"gru"', 2, "shape=(None, 9, 4), shape=(None, 9, 4)"), ["inputs"]),
    (_TWO.format('"dense"', 2, "shape=(None, 9, 4), shape=(None, 4)"), ["state-tuple"]),
    (_STEPS.format(3, "[8,10,24]"), ["unbatched"]),
    (_STEPS.format(1, "[24]"), ["unbatched"]),
    ("m.add(GRU(9, return_sequences=True))\nm.add(Flatten())\nm.add(Dense(1))\n" + _UNSAID, ["broadcast"]),
    ("m.add(GRU(9))\nm.add(Dense(1))\n" + _UNSAID, ["broadcast"]),
    (_EMBEDDED.format(6), ["steps"]),
    ("data = tf.data.Dataset.from_tensor_slices((x, y))\n" + _SINGLE, ["unbatched"]),
    ("Incompatible shapes: [6,9,24] vs. [6,24,9] [Op:AddV2]", ["transpose"]),
    (_MASKED.format("mul", "Mul[T=DT_FLOAT](a, b)", "[?,9]", "[?,8]"), ["broadcast"]),
    (
        _MASKED.format("MatMul", "BatchMatMulV2[T=DT_FLOAT, adj_x=false, adj_y=true](q, k)", "[?,5,9]", "[?,7,8]"),
        ["hidden-size"],
    ),
]

FIRST_LINES += [
    (
        "train = tf.data.Dataset.from_generator(rows, tf.float32)\nCannot take the length of shape with unknown rank.",
        "unbatched",
        "output_signature=(tf.TensorSpec((None, features), tf.float32), tf.TensorSpec((), tf.float32))",
    ),
    (
        "m.add(GRU(9))\nm.add(TimeDistributed(Dense(3)))\n    assert len(input_shape) >= 3\nAssertionError",
        "return-sequences",
        "GRU(9, return_sequences=True)",
    ),
    (
        "ValueError: Required inputs (['h', 'c']) are missing from input feed (['tokens']).",
        "inputs",
        'session.run(None, {"tokens": tokens, "h": h, "c": c})',
    ),
    (_EMBEDDED.format(6), "steps", "x = keras.utils.pad_sequences(x, maxlen=40)"),
    ("data = tf.data.Dataset.from_tensor_slices((x, y))\n" + _SINGLE, "unbatched", "dataset = dataset.batch(32)"),
    (_SINGLE, "unbatched", "x = x[None]"),
    (
        _MASKED.format("mul", "Mul[T=DT_FLOAT](a, b)", "[?,9]", "[?,8]"),
        "broadcast",
        "# a and b must have equal sizes along each axis, or 1",
    ),
]

_SIZES = "Data cardinality is ambiguous:\n  x sizes: {}\n  y sizes: {}\nMake sure all arrays contain the same number of samples."
_FIXED = "Error when checking : expected gru_1_input to have shape (16, 9, 4) but got array with shape (1, 9, 4)"
_FEED = "Cannot feed value of shape (2, 12, 4) for Tensor 'x:0', which has shape '(?, 9, 4)'"
_FOUR_AXES = "expected ndim=3, found ndim=4. Full shape received: {}"

RANKED += [
    (_SIZES.format(80, 79), ["batch-size"]),
    (_SIZES.format("80, 75", 80), ["batch-size"]),
    (_SIZES.format(0, 80), ["steps"]),
    (_SIZES.format(80, "1, 1, 1, 1"), ["inputs"]),
    ("Incompatible shapes: [120] vs. [8,15] [[{{node metrics/acc/Equal}}]]", ["flattened"]),
    ("Incompatible shapes: [120] vs. [8,15] [[{{node lambda_1/add}}]]", ["reshape", "broadcast"]),
    ("Matrix size-incompatible: In[0]: [8,48], In[1]: [24,5] [[{{node model/dense_1/MatMul}}]]", ["hidden-size"]),
    ("ValueError: Shape (8, 15, 6) must have rank 2", ["unbatched"]),
    ("ValueError: Shape (8,) must have rank 2", ["unbatched"]),
]
FIRST_LINES += [
    (
        "m.add(Dense(4))\nm.compile(loss='sparse_categorical_crossentropy')\n" + _TARGET.format("(5, 1)", "(5, 4)"),
        "class-axis",
        'model.compile("adam", "categorical_crossentropy")',
    ),
    (_FOUR_AXES.format("(None, 1, 30, 4)"), "unbatched", "x = x[:, 0]"),
    (_FOUR_AXES.format("(None, 30, 4, 1)"), "unbatched", "x = x[..., 0]"),
    ("I predict one sequence.\n" + _FIXED, "batch-size", "Input(batch_shape=(1, 9, 4))"),
    (_FIXED, "batch-size", "Input(batch_shape=(1, 9, 4))"),
    (_FEED, "steps", "x = x[:, -9:]"),
]

_MERGED = "concat mode can only merge layers with matching output shapes except for the concat axis. Layer shapes: [{}]"

RANKED += [
    ("total size of new array must be unchanged, input_shape = [9, 16], output_shape = [4, 16]", ["reshape"]),
    ("Tensor's shape (90, 16) is not compatible with supplied shape [85, 16]", ["checkpoint"]),
    ("Expected begin[1] in [0, 9], but got 12 [Op:Slice]", ["index-range"]),
    (_MERGED.format("(None, 9, 16), (None, 7, 16)"), ["steps", "concatenate-axis"]),
    ("ValueError: Unrecognized data type: x=[[1, 2], [3]] (of type <class 'list'>)", ["inputs"]),
    (
        "Argument `output` must have rank (ndim) `target.ndim - 1`. Received: target.shape=(None, 1), output.shape=(None, 8, 12)",
        ["return-sequences"],
    ),
    (_MASKED.format("add", "AddV2[T=DT_FLOAT](MatMul, MatMul_1)", "[?,9]", "[?,8]"), ["broadcast"]),
]
FIRST_LINES += [
    (
        "x = TimeDistributed(GRU(12, return_sequences=True))(x)\nx = GRU(8)(x)\n"
        + _FOUR_AXES.format("(None, 7, 9, 12)"),
        "return-sequences",
        "TimeDistributed(GRU(12, return_sequences=False))",
    ),
]

_TOLD = "m = Sequential([{}, Dense(2)])\n"
_NO_INPUT = (
    "ValueError: The first layer in a Sequential model must get an `input_shape` or `batch_input_shape` argument."
)
_NO_KEYWORD = "ValueError: Unrecognized keyword arguments passed to {}: {}"
_PACKED_NUMBER = (
    "InvalidArgumentError: Shapes of all inputs must match: values[0].shape = {} != values[1].shape = [] [Op:Pack]"
)
_VECTOR = "InvalidArgumentError: In[0] is not a matrix. Instead it has shape {} [Op:MatMul]"
_SWAPPED = "ValueError: Dimension must be {} but is 3 for 'rnn/transpose' (op: 'Transpose') with input shapes: {}, [3]."
_CONCAT = "TypeError: Expected int32, got list containing Tensors of type '_Message' instead."
_ONE_AXIS = "expected ndim=3, found ndim=2. Full shape received: {}"
_OTHER_UNITS = "ValueError: Dimensions must be equal, but are 50 and 40 for '{{{{node dense_1/MatMul}}}}' with input shapes: [?,50], [40,3]."
_DIRECTIONS = "Bidirectional(layer=GRU(20), backward_layer=GRU({}, go_backwards=True))(x)\n"
_REMAPPED = "operands could not be broadcast together with remapped shapes [original->remapped]: {} "
_PLACE = (
    "operands could not be broadcast together with remapped shapes [original->remapped]: {}  and requested shape {}"
)
_LAYOUT = "Batchwise recurrent operations (layout == 1) are not supported. If you need support create a github issue"
_OF_LENGTHS = "Invalid value/s in sequence_lens. All values must be > 0 and < seq_length. seq_length=30"

RANKED += [
    (_PACKED_NUMBER.format("[32,20]"), ["swapped-arguments", "unbatched"]),
    ("state = cell.get_initial_state(x)\n" + _PACKED_NUMBER.format("[32,9,20]"), ["swapped-arguments"]),
    (_PACKED_NUMBER.replace("= []", "= [32,8]").format("[32,9]"), ["concatenate-axis"]),
    (_VECTOR.format("[20]"), ["unbatched"]),
    (_VECTOR.format("[8,9,20]"), ["unbatched"]),
    ("In[0] and In[1] has different ndims: [20] vs. [20,60] [Op:MatMul]", ["unbatched"]),
    (_CONCAT, ["swapped-arguments"]),
    ("Shapes (8, 20) and () are incompatible", ["one-number"]),
    ("    return tf.concat(axis, values)\nValueError: Shapes (8, 20) and () are incompatible", ["swapped-arguments"]),
    ("h = tf.concat([a, b], 1)\nValueError: Shapes (8, 20) and () are incompatible", ["one-number"]),
    ("y = tf.nn.dynamic_rnn(cell, x)\n" + _SWAPPED.format(2, "[?,20]"), ["unbatched"]),
    ("y = tf.transpose(x, [1, 0, 2])\n" + _SWAPPED.format(2, "[?,20]"), ["indexing"]),
    ("slice index 3 of dimension 0 out of bounds. [Op:StridedSlice] name: strided_slice/", ["index-range"]),
    ("slice index 2 of dimension 0 out of bounds.", ["index-range", "unbatched"]),
    ("s = cell.get_initial_state(inputs=8)\nslice index 0 of dimension 0 out of bounds.", ["unbatched"]),
    ("ValueError: sequence_length must be a vector of length batch_size, but saw shape: (9, 4)", ["lengths"]),
    ("InvalidArgumentError: seq_lens(3) > input.dims(1) [[{{node ReverseSequence}}]]", ["lengths"]),
    ("Length of seq_lens != input.dims(0), (1 vs. 40)", ["lengths"]),
    ("ValueError: Invalid dtype: object", ["ragged"]),
    (_NO_INPUT, ["input-size"]),
    ("ValueError: This model has not yet been built. Build the model first by calling `build()`", ["input-size"]),
    (_NO_KEYWORD.format("GRU", "{'batch_shape': (8, None, 4)}"), ["argument"]),
    ("m.add(LSTM(9, input_shape=(None, 6)))\n" + _ONE_AXIS.format("(70, 1)"), ["ragged", "unbatched"]),
    ("m.add(LSTM(9, input_shape=(None, 1)))\n" + _ONE_AXIS.format("(70, 1)"), ["unbatched"]),
    ("m.add(LSTM(9, input_shape=(5, 6)))\n" + _ONE_AXIS.format("(70, 1)"), ["unbatched"]),
    ("m.add(LSTM(9, input_shape=(5, 6)))\n" + _ONE_AXIS.format("(6, 1)"), ["unbatched"]),
    (_DIRECTIONS.format(20) + _OTHER_UNITS, ["hidden-size"]),
    (_REMAPPED.format("(2,3)->(2,newaxis,3) (4,5)->(5,4)"), ["inner-dimension"]),
    (_REMAPPED.format("(2,3,4)->(2,3,newaxis,4) (5,4,2)->(5,newaxis,2,4)"), ["batch-size", "inner-dimension"]),
    (_PLACE.format("(3,)", "(5,4)"), ["broadcast"]),
    ("ValueError: input operand has more dimensions than allowed by the axis remapping", ["broadcast"]),
    ("[ShapeInferenceError] Dimension of input 2 must be 1 instead of 8", ["reshape"]),
    (_OF_LENGTHS, ["lengths"]),
    (_LAYOUT, ["batch-first"]),
    ("TypeError: cannot reshape array of shape (48, 9) (size 432) into shape (32, 9) (size 288)", ["reshape"]),
]
FIRST_LINES += [
    (_TOLD.format("GRU(8)") + _NO_INPUT, "input-size", "keras.Input((None, features))"),
    (
        _NO_KEYWORD.format("GRU", "{'batch_input_shape': (8, None, 4)}"),
        "argument",
        "keras.Input(batch_shape=(8, None, 4))",
    ),
    (
        "y = tf.nn.dynamic_rnn(cell, x)\n" + _SWAPPED.format(4, "[8,?,5,6]"),
        "unbatched",
        "x = tf.reshape(x, [tf.shape(x)[0], tf.shape(x)[1], 30])",
    ),
    ("m.add(LSTM(9, input_shape=(5, 6)))\n" + _ONE_AXIS.format("(6, 1)"), "unbatched", "dataset = dataset.batch(32)"),
    (_DIRECTIONS.format(20) + _OTHER_UNITS, "hidden-size", "Dense(3)"),
    (
        "TypeError: cannot reshape array of shape (48, 9) (size 432) into shape (32, 9) (size 288)",
        "reshape",
        "shape = (48, 9)",
    ),
    (
        "TypeError: cannot reshape array of shape (900, 9) (size 8100) into shape (30, 9) (size 270)",
        "reshape",
        "x = x.reshape(-1, 30, 9)",
    ),
    (_PLACE.format("(3,)", "(3,4)"), "broadcast", "b = np.broadcast_to(b[:, None], (3, 4))"),
    (_PLACE.format("(2,3)", "(3,)"), "broadcast", "b = np.broadcast_to(b, (2, 3))"),
]

_STATE_SIZE = "Received `state_spec`={}; however `cell.state_size` is {}"
_SPEC = "InputSpec(shape={}, ndim=2)"
_AXES = "ValueError: Error when checking {}: expected {} to have {} dimensions, but got array with shape {}"
_EMBEDDED = "m.add(Embedding(90, 16))\nm.add(GRU(9))\nm.add(Dense(2))\n"
_DECODER = "m.add(GRU(9))\nm.add(RepeatVector(7))\nm.add(GRU(9, return_sequences=True))\nm.add(Dense({}))\n"
_ENCODER = "h = GRU(9)(x)\ny = GRU(9, return_sequences=True)(RepeatVector(7)(h))\nboth = Model(x, y)\n"
_BEYOND = "OutOfRangeError: Tried to read from index 8 but array size is: 8"
_SLICE = "slice index 0 of dimension 0 out of bounds. [[Node: {}/strided_slice = StridedSlice]]"
_SAMPLE = "expected dense_input_1 to have shape (None, 6) but got array with shape {}"

RANKED += [
    (_STATE_SIZE.format(f"[{_SPEC.format('(None, 9)')}, {_SPEC.format('(None, 9)')}]", "[[9], [9]]"), ["state-tuple"]),
    ("Shapes TensorShape([]) and TensorShape([Dimension(None)]) must have the same rank", ["unbatched"]),
    ("y = rnn(cell, x, sequence_length=9)\nShapes () and (?,) must have the same rank", ["lengths"]),
    ("gru(x, mask=m)\n" + _BEYOND, ["steps"]),
    (_SLICE.format("lengths"), ["index-range"]),
    (_EMBEDDED + _AXES.format("input", "input_3", 2, "(8, 7, 90)"), ["embedding"]),
    (_EMBEDDED + "Input 0 is incompatible with layer dense_1: expected ndim=2, found ndim=3", ["return-sequences"]),
    (_EMBEDDED + "Input 0 is incompatible with layer flatten_1: expected ndim=2, found ndim=3", ["unbatched"]),
    ("Layer expects input ndim=2, was provided with input shape (8, 7, 90)", ["unbatched"]),
    (
        "m.add(Embedding(90, 16, batch_input_shape=(8, 7, 90)))\n"
        "Layer expects input ndim=2, was provided with input shape (8, 7, 90)",
        ["embedding"],
    ),
    ("Wrong number of dimensions: expected 3, got 2 with shape (9, 30).", ["unbatched"]),
    (_DECODER.format("words") + _AXES.format("target", "dense_1", 3, "(40, 7)"), ["class-axis"]),
    (_DECODER.format(7) + _AXES.format("target", "dense_1", 3, "(40, 7)"), ["return-sequences"]),
    (_DECODER.format("words") + _AXES.format("target", "dense_1", 3, "(40, 1)"), ["return-sequences"]),
    (
        _DECODER.format(1) + "m.compile(loss='mse')\n" + _AXES.format("target", "dense_1", 3, "(40, 7)"),
        ["broadcast"],
    ),
    (_ENCODER + "m = Model(x, h)\n" + _AXES.format("target", "gru_1", 2, "(40, 7, 9)"), ["return-sequences"]),
    (_SAMPLE.format("(6, 1)"), ["unbatched"]),
    (_SAMPLE.format("(40, 5)"), ["input-size"]),
    ("Status Message: Indices vs updates dimensions differs at position=0 8 vs 5", ["batch-size"]),
]
FIRST_LINES += [
    (
        _STATE_SIZE.format(f"[{', '.join([_SPEC.format('(None, 9)')] * 4)}]", "[[9, 9], [9, 9]]"),
        "state-tuple",
        "initial_state=[states[at : at + 2] for at in range(0, 4, 2)]",
    ),
    (
        _STATE_SIZE.format(f"[{_SPEC.format('(None, 9)')}]", "[[9, 9], [9, 9]]"),
        "state-tuple",
        "initial_state=[[h, c] for h, c in states]",
    ),
    (
        _AXES.format("input", "gru_1_input", 3, "(900,)"),
        "unbatched",
        "x = np.lib.stride_tricks.sliding_window_view(x, steps)[..., None]",
    ),
    (
        _DECODER.format("words")
        + "loss='sparse_categorical_crossentropy'\n"
        + _AXES.format("target", "dense_1", 3, "(40, 7)"),
        "class-axis",
        "y = y[..., None]",
    ),
    (
        _ENCODER + _AXES.format("target", "gru_1", 2, "(40, 7, 9)"),
        "return-sequences",
        "LSTM(..., return_sequences=True)",
    ),
    (
        _ENCODER + "m = Model(x, h)\n" + _AXES.format("target", "gru_1", 2, "(40, 7, 9)"),
        "return-sequences",
        "# compile and fit the Model whose output is the last recurrent layer, or the layer after it",
    ),
]

RANKED += [
    ("TypeError: Unrecognized keyword arguments: ['batch_shape']", ["checkpoint"]),
    ("ValueError: Unrecognized keyword arguments passed to GRU: {'time_major': False}", ["checkpoint"]),
    ("m.add(GRU(9, input_shape=(5, 32)))\n" + _ONE_AXIS.format("(32, 1)"), ["unbatched"]),
    ("m.add(GRU(9, input_shape=(None, features)))\n" + _ONE_AXIS.format("(70, 1)"), ["unbatched"]),
]
FIRST_LINES += [
    ("m.add(GRU(9, input_shape=(5, 32)))\n" + _ONE_AXIS.format("(32, 1)"), "unbatched", "x = x[..., None]"),
    (
        "ds = tf.data.Dataset.from_tensor_slices(x)\nm.add(GRU(9, input_shape=(8, 5)))\n" + _ONE_AXIS.format("(8, 5)"),
        "unbatched",
        "dataset = dataset.batch(32)",
    ),
]

_FOUND_TWO = "Input 0 is incompatible with layer {}: expected ndim=3, found ndim=2"

RANKED += [
    ("layer expected input with ndim=2 but previous layer has output_shape (None, 9, 16)", ["return-sequences"]),
    ("Dot incompatible layers can not be merged using dot mode", ["inner-dimension"]),
    ("GRU.call().\nCannot index into an inner ragged dimension.", ["ragged"]),
    ("m.add(Concatenate([a, b]))\n" + _NO_INPUT, ["inputs"]),
    ("m.add(Conv1D(8, 3))\nm.add(GlobalMaxPooling1D())\nm.add(GRU(9))\n" + _FOUND_TWO.format("gru_1"), ["flattened"]),
    ("m.add(GRU(9))\nm.add(Conv1D(8, 3))\n" + _FOUND_TWO.format("conv1d_1"), ["return-sequences", "unbatched"]),
    ("m.add(GRU(9, return_sequences=True))\nm.add(Conv1D(8, 3))\n" + _FOUND_TWO.format("gru_1"), ["unbatched"]),
    (
        "a = Input(shape=(len(x), 3))\nb = Embedding(90, 16)(a)\n"
        "Input 0 is incompatible with layer gru_1: expected ndim=3, found ndim=4",
        ["embedding"],
    ),
    (
        "a = Input(shape=(9,))\nb = Embedding(90, 16)(a)\n"
        "Input 0 is incompatible with layer gru_1: expected ndim=3, found ndim=4",
        ["unbatched"],
    ),
]
FIRST_LINES += [
    (
        "Cannot feed value of shape (9, 16) for Tensor InputData/X:0, which has shape (?, 1, 16)",
        "unbatched",
        "x = x[:, None]",
    ),
    (
        "Invalid rank for input: x Got: 4 Expected: 5 Please fix either the inputs or the model.",
        "unbatched",
        "x = x[np.newaxis]",
    ),
    (
        "h = SeqSelfAttention()(h)\nValueError: Shapes (None, 3) and (None, 50, 3) are incompatible",
        "return-sequences",
        "x = layers.GlobalAveragePooling1D()(x)",
    ),
    (
        "m.add(layers.GlobalMaxPooling1D())\nm.add(layers.GRU(9))\n" + _FOUND_TWO.format("gru_1"),
        "flattened",
        "layers.MaxPooling1D(2)",
    ),
    (
        "class Net(keras.Model):\n    def call(self, x):\n        return self.gru(x)\nnet = Net()\nnet.summary()\n"
        "ValueError: This model has not yet been built. Build the model first by calling `build()`",
        "input-size",
        "model.build((None, None, features))",
    ),
    (
        "x = layers.LSTM(32, time_major=True)(x)\n" + _NO_KEYWORD.format("LSTM", "{'time_major': True}"),
        "argument",
        "x = np.swapaxes(x, 0, 1)",
    ),
    (
        "model = load_model(path)\n" + _NO_KEYWORD.format("LSTM", "{'time_major': True}"),
        "checkpoint",
        "model.load_weights(path)",
    ),
    # A size that the program gives the name of the argument
    (
        "sequence_length = 20\nValueError: Shapes (32, 20) and (32,) must have the same rank",
        "unbatched",
        "# both arrays must have as many axes",
    ),
    (
        "m.add(layers.LSTM(4, input_shape=(None, 64)))\nm.fit(x, y, batch_size=64)\n" + _ONE_AXIS.format("(64, 1)"),
        "ragged",
        'x = keras.utils.pad_sequences(x, dtype="float32", padding="post")',
    ),
    # Rows with another number of features
    (
        "ValueError: cannot reshape array of size 600 into shape (100,1,5)",
        "reshape",
        "x = x.reshape(100, 1, 6)",
    ),
    (
        "ValueError: " + _REMAPPED.format("(2,3)  and requested shape (2,5,3)"),
        "broadcast",
        "b = np.broadcast_to(b[:, None], (2, 5, 3))",
    ),
    (
        "ValueError: " + _REMAPPED.format("(4,3)  and requested shape (2,5,3)"),
        "broadcast",
        "# each size of b must be 1, or the one that is wanted",
    ),
    ("m.add(GlobalMaxPooling1D())\nm.add(GRU(9))\n" + _FOUND_TWO.format("gru_1"), "flattened", "MaxPooling1D(2)"),
    (
        "m.add(GRU(9))\nm.add(Conv1D(8, 3))\n" + _FOUND_TWO.format("conv1d_1"),
        "return-sequences",
        "GRU(9, return_sequences=True)",
    ),
    (
        "layer expected input with ndim=2 but previous layer has output_shape (None, 9, 16)",
        "return-sequences",
        "layers.TimeDistributed(layers.Dense(units))",
    ),
]


_WINDOW = "ValueError: strides should be of length 1, 1 or 3 but was 2"
_CELL_AXES = "Input 0 of layer {} is incompatible with the layer: expected ndim=2, found ndim=3."
_SUMMARY = "lstm_1 (LSTM)                (None, {}, 128)           70656\n"
_IMAGES = "expected time_distributed_input to have 5 dimensions, but got array with shape {}"

RANKED += [
    (_WINDOW, ["unbatched"]),
    (_CELL_AXES.format("excellent"), ["unbatched"]),
    (_SUMMARY.format(50) + _AXES.format("input", "lstm_1_input", 3, "(50, 9)"), ["unbatched"]),
]
FIRST_LINES += [
    (
        "Error:Error when checking input: expected lstm_LSTM1_input to have 3 dimension(s). but got array with shape 40,7",
        "unbatched",
        "x = x.expandDims(2)",
    ),
    ("m.add(TimeDistributed(net, input_shape=(9, size, size, 1)))\n" + _WINDOW, "unbatched", "x = x[:, None]"),
    (
        "InvalidArgumentError: sequence_length(0) <= 15",
        "lengths",
        "lengths = tf.minimum(lengths, 15)",
    ),
    (_CELL_AXES.format("my_lstm_cell_1"), "unbatched", "outputs = layers.RNN(cell, return_sequences=True)(x)"),
    # One sample by the steps of a summary, and many samples.
    (_SUMMARY.format(50) + _AXES.format("input", "lstm_1_input", 3, "(50, 9)"), "unbatched", "x = x[None]"),
    (_SUMMARY.format(50) + _AXES.format("input", "lstm_1_input", 3, "(400, 9)"), "unbatched", "x = x[..., None]"),
    # Images that have their channels, and some without.
    (_IMAGES.format("(4, 28, 28, 1)"), "unbatched", "x = x[None]"),
    (_IMAGES.format("(900, 28, 28, 3)"), "unbatched", "x = x[:, None]"),
    (_IMAGES.format("(4, 9, 28, 28)"), "unbatched", "Input((9, 28, 28, 1))"),
    # input_shape with the samples: in layers of images, and for data that lacks an axis as well.
    (
        "m.add(ConvLSTM2D(8, input_shape=x_train.shape, kernel_size=(5, 1)))\n"
        "Input 0 is incompatible with layer conv_lst_m2d_4: expected ndim=5, found ndim=6",
        "unbatched",
        "input_shape=x_train.shape[1:]",
    ),
    (
        "m.add(LSTM(8, input_shape=x.shape))\nInput 0 is incompatible with layer lstm_4: expected ndim=3, found ndim=4",
        "unbatched",
        "input_shape=x.shape[1:]",
    ),
    (
        "Input 0 is incompatible with layer conv_lst_m2d_4: expected ndim=5, found ndim=6",
        "unbatched",
        "x = x.reshape(samples, timesteps, rows, columns, channels)",
    ),
    (
        "m.add(LSTM(8, input_shape=x.shape))\n" + _AXES.format("input", "lstm_1_input", 3, "(1661, 3)"),
        "unbatched",
        "m.add(LSTM(8, input_shape=(1, 3)))",
    ),
    (
        "model %>% layer_lstm(units = 7, input_shape = dim(x[,1:3]))\n"
        + _AXES.format("input", "lstm_1_input", 3, "(1661, 3)"),
        "unbatched",
        "input_shape=c(1, 3)",
    ),
    (
        "m.add(LSTM(8, input_shape=x.shape[1:]))\n" + _AXES.format("input", "lstm_1_input", 3, "(1661, 3)"),
        "unbatched",
        "x = x[..., None]",
    ),
    # The shape of one sample, a vector, and a layer that reads images before the one that failed.
    (
        "m.add(LSTM(8, input_shape=sample.shape))\nInput 0 is incompatible with layer lstm_4: expected ndim=3, found ndim=4",
        "unbatched",
        "x = x.reshape(samples, timesteps, features)",
    ),
    (
        "m.add(LSTM(8, input_shape=x.shape))\nInput 0 is incompatible with layer lstm_4: expected ndim=3, found ndim=2",
        "unbatched",
        "x = x.reshape(samples, timesteps, features)",
    ),
    (
        "m.add(ConvLSTM2D(8, 3, input_shape=x.shape))\nm.add(LSTM(8))\n"
        "Input 0 is incompatible with layer lstm_4: expected ndim=3, found ndim=4",
        "unbatched",
        "x = x.reshape(samples, timesteps, features)",
    ),
]
