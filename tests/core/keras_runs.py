"""Errors of whole programs for Keras, TensorFlow, Flax and ONNX, with the cause and the first advised line of each."""


def raised(code: str, message: str) -> str:
    """Return the end of a traceback: the line of the program, and the message."""
    return f'  File "train.py", line 9, in <module>\n    {code}\n{message}'


_FIT = "model.fit(x, y, epochs=1)"
_METRIC = 'File "site-packages/keras/src/metrics/confusion_metrics.py", line 522, in update_state\nIncompatible shapes: [{}] vs. [{}]'
_WEIGHTED = "Dimensions must be equal, but are 32 and 24 for '{{node compile_loss/mse/mul}} = Mul[T=DT_FLOAT](a, b)' with input shapes: [32], [32,24]."
_WEIGHTS = "Incompatible shapes: [32] vs. [32,14] [[{{node gradient_tape/compile_loss/mse/mul/BroadcastGradientArgs}}]]"
_COLUMNS = (
    "ValueError: Arguments `target` and `output` must have the same {}. Received: target.shape={}, output.shape={}"
)
_EXPECTED = "expected shape={}, found shape={}"
_LOGITS = (
    "logits and labels must be broadcastable: logits_size=[32,7] labels_size=[1,32] [Op:SoftmaxCrossEntropyWithLogits]"
)
_SUM_OF_CELL = """ValueError: Exception encountered when calling {0}Cell.call().

Incompatible shapes: [8,20] vs. [32,20] [Op:AddV2] name:

Arguments received by {0}Cell.call():
  • inputs=tf.Tensor(shape=(8, 3), dtype=float32)
  • states={1}"""
_STATE = "tf.Tensor(shape=(32, 20), dtype=float32)"
_FLAX_SUM = (
    'File "flax/linen/recurrent.py", line 588, in __call__\n'
    "TypeError: add got incompatible shapes for broadcasting: (20, 24), (32, 24)."
)
_FLAX_SIZE = (
    'flax.errors.ScopeParamShapeError: For parameter "kernel" in "/scan(LSTMCell_0)/ii", the given initializer is expected '
    "to generate shape (6, 16), but the existing parameter it received has shape (8, 16)."
)
_ASSIGNED = "ValueError: could not broadcast input array from shape (44,1) into shape (45,1)"
_RANKS = (
    "ValueError: all the input arrays must have same number of dimensions, but the array at index 0 has 3 dimension(s) "
    "and the array at index 1 has 2 dimension(s)"
)
_PRODUCT = "InvalidArgumentError: Matrix size-incompatible: In[0]: [8,16], In[1]: [6,16] [Op:MatMul] name:"
_FOUR = "Input 0 with name 'None' of layer 'lstm' is incompatible with the layer: expected ndim=3, found ndim=4. Full shape received: {}"
_SET = "ValueError: Layer lstm weight shape (3, 32) is not compatible with provided weight shape (32, 3)."
_SIGNATURE = (
    "TypeError: Binding inputs to tf.function failed due to `Can not cast TensorSpec(shape={}, dtype=tf.float32, name=None) "
    "to TensorSpec(shape=(None, 24, 3), dtype=tf.float32, name=None)`."
)
_SHAPE = (
    "The total size of the tensor must be unchanged. Received: input_shape={}, target_shape=(30, 4)\n"
    "Arguments received by Reshape.call():"
)
_STEPS = "Arguments `target` and `output` must have the same shape up until the last dimension: target.shape=(8, 15), output.shape=(8, 14, 60)"
_BATCHES = """ValueError: Exception encountered when calling GRU.call().

If an RNN is stateful, the batch size of the input sequences must be the same as the batch size of the initial state.
- Expected batch size: 16
- Received batch size: 1

Arguments received by GRU.call():
  • sequences=tf.Tensor(shape=(1, 5, 3), dtype=float32)"""

_ROWS = (
    "ValueError: all the input array dimensions except for the concatenation axis must match exactly, but along dimension 0, "
    "the array at index 0 has size 98 and the array at index 1 has size 100"
)
_METRIC_AXES = (
    "ValueError: FBetaScore expects 2D inputs with shape (batch_size, output_dim). "
    "Received input shapes: y_pred.shape={} and y_true.shape=(None,)."
)
_VALUES = "Input to reshape is a tensor with {} values, but the requested shape has {} [Op:Reshape]"
_TWO = (
    "ValueError: Input 0 with name 'None' of layer '{}' is incompatible with the layer: expected ndim=3, found ndim=2. "
    "Full shape received: (None, {})"
)

# The text, the code of the first cause, and its first line without the comment.
FIRST_LINES = [
    # Lines that compile a model anew stand before the reader's line, and keep nothing.
    (
        raised("history = net.fit(a, b)", "ValueError: " + _COLUMNS.format("rank (ndim)", "(16,)", "(16, 4)")),
        "class-axis",
        "net.compile('adam', 'sparse_categorical_crossentropy')",
    ),
    # Metrics of classes, and the weights of a loss.
    (
        raised("net.fit(a, b)", _METRIC.format("1,96", "1,32")),
        "class-axis",
        "net.compile('adam', 'sparse_categorical_crossentropy', metrics=['accuracy'])",
    ),
    (raised("model.fit(x, y, sample_weight=w)", _WEIGHTS), "broadcast", "w = w.mean(axis=1)"),
    (raised(_FIT, _WEIGHTED), "return-sequences", "LSTM(..., return_sequences=False)"),
    (_WEIGHTED, "return-sequences", "LSTM(..., return_sequences=False)"),
    # Targets of fewer columns.
    (
        raised("model.fit(x, to_categorical(y))", _COLUMNS.format("shape", "(None, 5)", "(None, 6)")),
        "class-axis",
        "model.fit(x, to_categorical(y, num_classes=6))",
    ),
    (
        "Y = to_categorical(y)\n" + _COLUMNS.format("shape", "(None, 5)", "(None, 6)"),
        "class-axis",
        "Y = to_categorical(y, num_classes=6)",
    ),
    (
        "Y = to_categorical(y)\n" + _COLUMNS.format("shape", "(None, 7)", "(None, 6)"),
        "broadcast",
        "Dense(7, ...)",
    ),
    (
        raised("loss = tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=z)", _LOGITS),
        "class-axis",
        "loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=z)",
    ),
    (
        raised(
            "model.fit(reviews, stars, batch_size=20)",
            "Received a label value of 5 which is outside the valid range of [0, 5).",
        ),
        "index-range",
        "stars = stars - 1",
    ),
    (
        raised("model.fit([a, y[:, :-1]], y, batch_size=8)", _STEPS),
        "shifted-targets",
        "model.fit([a, y[:, :-1]], y[:, 1:], batch_size=8)",
    ),
    # Data sets without a batch, and samples of other sizes.
    (
        raised("model.fit(train_ds)", _EXPECTED.format("(None, 24, 4)", "(24, 4)")),
        "unbatched",
        "train_ds = train_ds.batch(32)",
    ),
    (
        "a = tf.data.Dataset.load(path)\n" + raised("model.fit(a)", _EXPECTED.format("(None, 24, 4)", "(24, 4)")),
        "unbatched",
        "a = a.batch(32)",
    ),
    (raised("model.fit(words)", _EXPECTED.format("(None, 24, 4)", "(24, 4)")), "unbatched", "words = words.batch(32)"),
    (raised("model.predict(train)", _EXPECTED.format("(None, 24, 4)", "(24, 4)")), "unbatched", "train = train[None]"),
    (
        raised("model.predict(new)", _EXPECTED.format("(None, 100)", "(2, 80)")),
        "input-size",
        "new = keras.utils.pad_sequences(new, maxlen=100)",
    ),
    (raised(_FIT, _EXPECTED.format("(None, 100)", "(2, 80)")), "input-size", "Input((80,))"),
    (
        raised("model.predict(x)", _EXPECTED.format("(None, 9, 4)", "(2, 8, 3)")),
        "input-size",
        "# make x with the 4 features of the training",
    ),
    (raised("y = model.predict(x)", _BATCHES), "batch-size", "Input(batch_shape=(1, 5, 3))"),
    # A state of another batch, within a cell.
    (
        raised("y = self.gru(x, initial_state=h0)", _SUM_OF_CELL.format("GRU", f"('{_STATE}',)")),
        "batch-size",
        "h0 = tf.zeros((tf.shape(x)[0], 20))",
    ),
    (
        _SUM_OF_CELL.format("LSTM", f"('{_STATE}', '{_STATE}')"),
        "batch-size",
        "initial_state = [tf.zeros((tf.shape(x)[0], 20))] * 2",
    ),
    (
        raised("carry, y = cell.apply(variables, carry, xb)", _FLAX_SUM),
        "batch-size",
        "carry = cell.initialize_carry(jax.random.key(0), xb.shape)",
    ),
    (
        raised("logits = net.apply(weights, batch)", _FLAX_SIZE),
        "input-size",
        "weights = net.init(jax.random.key(0), batch)",
    ),
    # Slices, and a forecast that joins the window.
    (
        raised("plot[len(a) + 6:len(data) - 1, :] = b", _ASSIGNED),
        "broadcast",
        "plot[len(a) + 6:len(a) + 6 + len(b), :] = b",
    ),
    (raised("plot[-n:] = b", _ASSIGNED), "broadcast", "plot[-len(b):] = b"),
    (raised("window = np.append(window[:, 1:, :], y, axis=1)", _RANKS), "unbatched", "y = np.expand_dims(y, 1)"),
    (raised("w = np.append(w[:, 1:, :], y, axis=-1)", _RANKS), "unbatched", "y = np.expand_dims(y, -1)"),
    (
        raised("w = np.append(w[:, 1:, :], y, axis=True)", _RANKS),
        "unbatched",
        "w = np.append(w[:, 1:, :][0], y, axis=True)",
    ),
    # Weights of a cell by hand.
    (
        raised("h = tf.tanh(tf.matmul(h, self.Wx) + tf.matmul(x, self.Wh) + b)", _PRODUCT),
        "inner-dimension",
        "h = tf.tanh(tf.matmul(h, self.Wh) + tf.matmul(x, self.Wx) + b)",
    ),
    (
        raised("h = tf.tanh(tf.matmul(h, self.Wh) + tf.matmul(x, self.Wx) + b)", _PRODUCT),
        "transpose",
        "A @ tf.transpose(B)",
    ),
    (
        raised("z = ops.matmul(x, self.W)", _PRODUCT),
        "transpose",
        "z = x @ ops.transpose(self.W)",
    ),
    # Four axes of a layer in a model: of all samples, of an Embedding, or of data.
    (_FOUR.format("(None, 500, 20, 3)"), "unbatched", "Input((20, 3))"),
    (_FOUR.format("(None, 15, 40, 16)"), "unbatched", "x = layers.Reshape((15, 640))(x)"),
    (raised("net.fit(a, b)", _FOUR.format("(None, 15, 40, 16)")), "unbatched", "a = np.argmax(a, axis=-1)"),
    # Weights of another library.
    (raised("lstm.set_weights([w_ih, w_hh.T, b])", _SET), "transpose", "w_ih = w_ih.T"),
    (
        raised("lstm.set_weights([W, U, b])", _SET),
        "transpose",
        "# transpose the array of shape (32, 3) before this line",
    ),
    ("W = np.ones((32, 3))\n" + raised("lstm.set_weights([W, U, b])", _SET), "transpose", "W = W.T"),
    (
        raised("lstm.set_weights([W, f(U), b])", _SET),
        "transpose",
        "# transpose the array of shape (32, 3) before this line",
    ),
    (raised("lstm.kernel.assign(w_ih)", _SET), "transpose", "w_ih = w_ih.T"),
    (
        raised('model.load_weights("a.h5")', _SET),
        "swapped-arguments",
        "# the number of units is the layer's argument, the features are the input's",
    ),
    # Texts, and the signature of a function.
    (
        raised("clf.fit(texts, labels)", "ValueError: Invalid dtype: str384"),
        "embedding",
        "vectorize = keras.layers.TextVectorization(output_sequence_length=steps)",
    ),
    # A shape of other constants than sizes is no shape.
    *(
        (
            raised(f"a = tf.reshape(b, {shape})", _VALUES.format(100, 90)),
            "reshape",
            "x = tf.reshape(x, (-1, *shape[1:]))",
        )
        for shape in ('["a", 3]', "[None, 3]", "[1.5, 0]", "[True, 3]")
    ),
    # Samples of a vector, and of other shapes.
    (raised("model.add(Reshape((30, 4)))", _SHAPE.format("(100,)")), "reshape", "Dense(120)"),
    (
        raised("model.add(Reshape((30, 4)))", _SHAPE.format("(10, 10)")),
        "reshape",
        "# the product of the sizes must be 100",
    ),
    # The states of a GRU in Keras.
    (
        raised(
            "seq, h, c = GRU(32, return_state=True)(x)", "ValueError: not enough values to unpack (expected 3, got 2)"
        ),
        "state-tuple",
        "seq, h = GRU(32, return_state=True)(x)",
    ),
    (
        raised(
            "y = scaler.inverse_transform(z)",
            "ValueError: non-broadcastable output operand with shape (20,1) doesn't match the broadcast shape (20,5)",
        ),
        "scaler",
        "y = scaler.inverse_transform(np.repeat(z, 5, axis=1))[:, [0]]",
    ),
    # A vector for each sample before a recurrent layer: the first of its class, and one after another.
    (raised("model = Sequential([", _TWO.format("lstm", 64)), "flattened", "layers.MaxPooling1D(2)"),
    (raised("model.fit(a, b)", _TWO.format("lstm", 64)), "unbatched", "Input((64, 1))"),
    (raised("dec = LSTM(32)(enc)", _TWO.format("lstm_1", 64)), "return-sequences", "LSTM(64, return_sequences=True)"),
    (raised("model.fit(a, b)", _TWO.format("lstm_4", 60)), "return-sequences", "LSTM(60, return_sequences=True)"),
    # Data for the validation, several inputs, and several outputs.
    (
        raised("m.fit(a, b, validation_data=(c, d))", _EXPECTED.format("(None, 1, 14)", "(None, 14)")),
        "unbatched",
        "a = a[:, None]",
    ),
    (raised("m.predict([a] + states)", _EXPECTED.format("(None, None, 30)", "(1, 30)")), "unbatched", "x = x[:, None]"),
    (
        raised("y, s = m.predict(x)", "ValueError: too many values to unpack (expected 2)"),
        "inputs",
        "y = m.predict(x)",
    ),
    (
        raised(
            "m.fit(x, y)",
            'File "site-packages/keras/src/losses.py", line 1, in binary_crossentropy\n'
            + _COLUMNS.format("shape", "(32, 2)", "(32, 1)"),
        ),
        "broadcast",
        'Dense(2, activation="sigmoid")',
    ),
    # A scan of the reader's own over a cell of Flax takes its steps from the first axis.
    (
        'File "net.py", line 13, in __call__\n    return scan(carry, xs)\n'
        'File "site-packages/flax/core/axes_scan.py", line 157, in body_fn\n    broadcast_out, c, ys = fn(broadcast_in, c, *xs)\n'
        + _FLAX_SUM,
        "batch-first",
        "nn.scan(..., in_axes=1, out_axes=1)",
    ),
    # The query of an attention gives the steps of what it returns.
    (
        raised(
            "both = layers.Concatenate(axis=-1)([decoded, context])",
            "A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis."
            " Received: input_shape=[(None, 9, 32), (None, 14, 32)]",
        ),
        "steps",
        "context = layers.Attention()([decoded, ...])",
    ),
    # A state with steps in a model that trains: another line of the program made it.
    (
        raised(
            _FIT,
            "ValueError: Exception encountered when calling LSTMCell.call().\n\nDimensions must be equal, but are 8 and 6"
            " for '{{node lstm_1/lstm_cell_1/Add}} = AddV2[T=DT_FLOAT](lstm_1/lstm_cell_1/MatMul, lstm_1/lstm_cell_1/Tensordot)'"
            " with input shapes: [8,80], [8,6,80].\n\nArguments received by LSTMCell.call():\n"
            "  • inputs=tf.Tensor(shape=(8, 5), dtype=float32)\n"
            "  • states=('tf.Tensor(shape=(8, 6, 20), dtype=float32)', 'tf.Tensor(shape=(8, 6, 20), dtype=float32)')",
        ),
        "unbatched",
        "LSTM(..., return_sequences=False)",
    ),
    # A sample of a data set in a training.
    (
        "Invalid input shape for input Tensor(\"data:0\", shape=(12, 5), dtype=float32) with name 'keras_tensor' and path ''."
        " Expected shape (None, 12, 5), but input has incompatible shape (12, 5)\n\n"
        "Arguments received by Sequential.call():\n  • inputs=tf.Tensor(shape=(12, 5), dtype=float32)\n  • training=True",
        "unbatched",
        "dataset = dataset.batch(32)",
    ),
    # All rows of an array are assigned, of which it has too many.
    (
        raised("y[:, :, t] = yt", "ValueError: could not broadcast input array from shape (3,8) into shape (6,8)"),
        "broadcast",
        "y = np.zeros((3, *y.shape[1:]))",
    ),
    # A loss by hand, and an einsum.
    (
        raised("loss = tf.reduce_mean((y - pred) ** 2)", "Incompatible shapes: [32,5] vs. [32,3] [Op:Sub] name:"),
        "broadcast",
        "Dense(5, ...)",
    ),
    (
        raised("loss = tf.reduce_mean((a - b) ** 2)", "Incompatible shapes: [32,5] vs. [32,3] [Op:Sub] name:"),
        "broadcast",
        "b = tf.zeros((32, 5))",
    ),
    (
        'tf.einsum("btd,bd->bt", a, b)\nExpected dimension 128 at axis 1 of the input shaped [4,64] but got dimension 64',
        "inner-dimension",
        "x = layers.Dense(128)(x)",
    ),
    # A reshape whose first or last size is wrong.
    (
        raised("a = tf.reshape(b, (16, 20))", _VALUES.format(9600, 320)),
        "reshape",
        "a = tf.reshape(b, (16, -1))",
    ),
    (
        raised("a = tf.reshape(b, [batch * steps, k])", _VALUES.format(5760, 9600)),
        "reshape",
        "a = tf.reshape(b, [-1, k])",
    ),
    # A whole sequence as a state, and arrays for another model.
    (
        raised(
            "y = dec(x, initial_state=s)", _SUM_OF_CELL.format("GRU", "('tf.Tensor(shape=(8, 7, 20), dtype=float32)',)")
        ),
        "unbatched",
        "s = s[:, -1]",
    ),
    (
        "You called `set_weights(weights)` on layer 'sequential_1' with a weight list of length 5, but the layer was expecting 8 weights.",
        "checkpoint",
        "# make the model with the layers of the one that the arrays come from",
    ),
    # Tables, metrics and several outputs.
    (
        raised("inv = np.concatenate((yhat, rest[:, 1:]), axis=1)", _ROWS),
        "batch-size",
        "inv = np.concatenate((yhat, rest[:, 1:][-98:]), axis=1)",
    ),
    (raised("z = np.concatenate((h, x), axis=1)", _ROWS), "concatenate-axis", "z = np.concatenate([h, x], axis=0)"),
    (
        raised("a = scaler.fit_transform(b)", "Found array with dim 3, while dim <= 2 is required by MinMaxScaler."),
        "scaler",
        "a = scaler.fit_transform(b.reshape(-1, b.shape[-1])).reshape(b.shape)",
    ),
    (raised("m.fit(a, b)", "ValueError: y_true and y_pred have different structures."), "inputs", "m.fit(a, [b, y2])"),
    (raised("m.fit(a, b)", _METRIC_AXES.format("(None, 1)")), "class-axis", "b = b[..., None].astype('float32')"),
    (raised("m.fit(a, b)", _METRIC_AXES.format("(None, 4)")), "class-axis", "b = keras.utils.to_categorical(b, 4)"),
    (raised("m.fit(a, b)", _METRIC_AXES.format("(None, None)")), "class-axis", "b = keras.utils.to_categorical(b)"),
    (
        raised(
            "a = layers.Permute((2, 1, 3))(x)",
            _TWO.replace("ndim=3, found ndim=2", "ndim=4, found ndim=3").format("permute", "20, 16"),
        ),
        "unbatched",
        "layers.Permute((2, 1))",
    ),
    # A cell that is given a whole sequence, and a carry that is no pair.
    (
        raised(
            "out, state = cell(seq, state)",
            _SUM_OF_CELL.replace("(8, 3)", "(8, 9, 3)").format("LSTM", f"('{_STATE}', '{_STATE}')"),
        ),
        "unbatched",
        "out, state = cell(seq[:, t], state)",
    ),
    (
        raised(
            "params = cell.init(key, carry, x)",
            'File "site-packages/flax/linen/recurrent.py", line 147, in __call__\n    c, h = carry\nValueError: too many values to unpack (expected 2)',
        ),
        "state-tuple",
        "carry = cell.initialize_carry(jax.random.key(0), x.shape)",
    ),
]
