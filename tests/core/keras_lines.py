"""Errors of Keras in lines that build, train or call a model, with the cause and the first advised line of each."""

from tests.core.keras_runs import raised

_AXES = (
    "ValueError: Input 0 with name 'None' of layer '{}' is incompatible with the layer: expected ndim={}, found ndim={}. "
    "Full shape received: {}"
)
_KERNEL = (
    "ValueError: Kernel shape must have the same length as input, but received kernel of shape (5, 5, 1, 6) and input of "
    "shape {}."
)
_STATES = """ValueError: Exception encountered when calling {}.call().

{}

Arguments received by {}.call():
  • {}
  • training=True"""
_STATE = "'tf.Tensor(shape=(6, 30), dtype=float32)'"
_SAMPLES = (
    "ValueError: Data cardinality is ambiguous. Make sure all arrays contain the same number of samples.'x' sizes: {}"
)
_TARGETS = (
    "ValueError: Arguments `target` and `output` must have the same shape. Received: target.shape={}, output.shape={}"
)
_MISMATCH = "Dimensions must be equal, but are {} and {} for '{{{{node {}}}}}' with input shapes: [{}], [{}]."
_ORDER = (
    "ValueError: Input 0 with name 'i' of layer 'functional' is incompatible with the layer: expected shape=(None, None, 18), "
    "found shape=(4, 9, 22)"
)
_ROWS = "{{function_node __wrapped}} indices[1,3] = 77 is not in [0, 60)\n\t [[{{node functional_1/embedding_2_3/GatherV2}}]]"
_BATCHES = "Incompatible shapes: [{},96] vs. [{},96]\n\t [[{{{{node sequential/gru/while/gru_cell_1/add}}}}]]"

FIRST_LINES = [
    # A layer in the form of the reader's line: of a Sequential, or called with what the layer before gave.
    (
        raised(
            "net.add(layers.AveragePooling2D(3))", _AXES.format("average_pooling2d_1", 4, 5, "(None, 9, 30, 30, 4)")
        ),
        "unbatched",
        "net.add(layers.TimeDistributed(layers.AveragePooling2D(3)))",
    ),
    (
        raised("maps = Conv2D(6, 5, name='a')(maps)", _KERNEL.format("(None, 9, 30, 30, 1)")),
        "unbatched",
        "maps = TimeDistributed(Conv2D(6, 5, name='a'))(maps)",
    ),
    (
        raised("m.add(TimeDistributed(Conv2D(6, 5)))", _KERNEL.format("(None, 30, 1)")),
        "unbatched",
        "Input((None, 30, 30, 1))",
    ),
    (
        raised("net.add(GRU(50))", _AXES.format("gru", 3, 5, "(None, 9, 10, 10, 4)")),
        "unbatched",
        "net.add(TimeDistributed(Flatten()))",
    ),
    (
        raised("z = tf.keras.layers.GRU(50)(maps)", _AXES.format("gru", 3, 5, "(None, 9, 10, 10, 4)")),
        "unbatched",
        "maps = tf.keras.layers.TimeDistributed(tf.keras.layers.Flatten())(maps)",
    ),
    (
        raised("net.add(GRU(50))", _AXES.format("gru", 3, 2, "(None, 7260)")),
        "flattened",
        "TimeDistributed(Flatten())",
    ),
    (
        raised("net.add(LSTM(24, stateful=True))", _AXES.format("lstm_1", 3, 2, "(6, 24)")),
        "return-sequences",
        "LSTM(24, return_sequences=True)",
    ),
    (
        raised(
            "tags = TimeDistributed(Dense(7))(enc[:, -1, :])",
            "ValueError: `TimeDistributed` Layer should be passed an `input_shape` with at least 3 dimensions, received: (None, 24)",
        ),
        "return-sequences",
        "tags = TimeDistributed(Dense(7))(enc)",
    ),
    (
        raised("m.add(GRU(9, input_shape=(400, 15, 1)))", _AXES.format("gru", 3, 4, "(None, 400, 15, 1)")),
        "unbatched",
        "m.add(GRU(9, input_shape=(15, 1)))",
    ),
    # States of a layer: too many in a list, and those of both directions one by one.
    (
        raised(
            "m.fit([a, b], y)",
            _STATES.format(
                "LSTM",
                "Too few leaves for PyTreeSpec; expected: 3, got: 2.",
                "LSTM",
                f"initial_state=[{_STATE}, {_STATE}, {_STATE}]\n  • mask=None",
            ),
        ),
        "state-tuple",
        "output = layer(x, initial_state=[state_h, state_c])",
    ),
    (
        raised(
            "m.fit([a, b], y)",
            _STATES.format(
                "LSTMCell",
                _MISMATCH.format(30, 60, "f/lstm_1/lstm_cell/MatMul_1", "6,30", "60,240"),
                "LSTMCell",
                f"inputs=tf.Tensor(shape=(6, 12), dtype=float32)\n  • states=({_STATE}, {_STATE}, {_STATE}, {_STATE})",
            ),
        ),
        "state-tuple",
        "output = layer(x, initial_state=[layers.Concatenate()([h_forward, h_backward]), layers.Concatenate()([c_forward, c_backward])])",
    ),
    (
        raised(
            "probs = head(seq)",
            'ValueError: Layer "dense_2" expects 1 input(s), but it received 3 input tensors. Inputs received: [<KerasTensor '
            "shape=(None, None, 30)>, <KerasTensor shape=(None, 30)>, <KerasTensor shape=(None, 30)>]",
        ),
        "state-tuple",
        "seq = seq[0]",
    ),
    # Several inputs.
    (
        raised("net = keras.Model(words, tags)", "ValueError: Output with path `` is not connected to `inputs`"),
        "inputs",
        "net = keras.Model([words, other_input], tags)",
    ),
    (
        raised(
            "net = Model(inputs=[a, b], outputs=c)", "ValueError: Output with path `0` is not connected to `inputs`"
        ),
        "inputs",
        "net = Model(inputs=[a, b, other_input], outputs=c)",
    ),
    (
        raised("p = net.predict([a, b[:4]])", _SAMPLES.format("7, 4")),
        "batch-size",
        "p = net.predict([a[:4], b[:4]])",
    ),
    (
        raised("p = net.predict({'u': a, 'v': b})", _SAMPLES.format("1, 24")),
        "unbatched",
        "p = net.predict({'u': a, 'v': b[None]})",
    ),
    (
        raised("net.fit([a, b], c, verbose=0)", _SAMPLES.format("50, 50\n'y' sizes: 48")),
        "batch-size",
        "net.fit([a[:48], b[:48]], c, verbose=0)",
    ),
    (
        raised("net.fit([src, tgt], tgt[:, 1:])", _TARGETS.format("(8, 12, 40)", "(8, 13, 40)")),
        "shifted-targets",
        "net.fit([src, tgt[:, :-1]], tgt[:, 1:])",
    ),
    (
        raised("net.fit([dec_in, enc_in], out)", _ORDER),
        "input-size",
        "net.fit([enc_in, dec_in], out)",
    ),
    (raised("net.fit([p, q], out)", _ORDER), "input-size", "Input((None, 22))"),
    (
        raised(
            "net.fit(a, y)",
            "ValueError: Layer \"functional_3\" expects 2 named input(s) with keys ['u', 'v'], but it received 1 input tensors.",
        ),
        "inputs",
        "net.fit([a, x2], y)",
    ),
    # The rows of the embedding of the third input, or of the only one.
    (raised("net.fit([a, b, c[:, 1:]], y)", _ROWS), "index-range", "layers.Embedding(int(np.max(c)) + 1, ...)"),
    (raised("net.fit(words, y)", _ROWS), "index-range", "layers.Embedding(int(np.max(words)) + 1, ...)"),
    # Data of one sequence, of sequences of different lengths, and of one number for each step.
    (
        raised(
            "seq = pad_sequences(ids, maxlen=30)",
            "ValueError: `sequences` must be a list of iterables. Found non-iterable: 4",
        ),
        "unbatched",
        "seq = pad_sequences([ids], maxlen=30)",
    ),
    (
        "ValueError: `sequences` must be a list of iterables. Found non-iterable: 4",
        "unbatched",
        "x = keras.utils.pad_sequences([x])",
    ),
    (
        raised("net.fit(words, y)", "ValueError: Invalid dtype: object"),
        "ragged",
        "words = keras.utils.pad_sequences(words, dtype='float32', padding='post')",
    ),
    (
        raised("LSTM(8, input_shape=(w.shape[1], w.shape[2])),", "IndexError: tuple index out of range"),
        "unbatched",
        "w = w[..., None]",
    ),
    # A loss of numbers.
    (
        raised("net.fit(a, b)", _MISMATCH.format(16, 4, "compile_loss/mae/sub", "16", "16,4")),
        "broadcast",
        "Dense(1)",
    ),
    # The batch of a state.
    (
        raised("net.fit(a, b, batch_size=12)", _BATCHES.format(12, 5)),
        "batch-size",
        "net.fit(a[:len(a) // 5 * 5], b[:len(a) // 5 * 5], batch_size=5)",
    ),
    (
        raised("net.fit(a, b, batch_size=12)", _BATCHES.format(3, 12)),
        "batch-size",
        "net.fit(a[:len(a) // 12 * 12], b[:len(a) // 12 * 12], batch_size=12)",
    ),
    (
        raised("p = net.predict(a, batch_size=12)", _BATCHES.format(12, 5)),
        "batch-size",
        "p = net.predict(a[:len(a) // 5 * 5], batch_size=5)",
    ),
    (
        raised(
            "net.add(GRU(9, stateful=True))",
            "ValueError: When using `stateful=True` in a RNN, the batch size must be static. Found dynamic batch size: "
            "sequence.shape=(None, 14, 3)",
        ),
        "batch-size",
        "keras.Input(batch_shape=(batch_size, 14, 3))",
    ),
    # The targets of an autoencoder are its inputs.
    (
        raised(
            "ae.fit(w, w, epochs=2)",
            _STATES.format(
                "GRUCell",
                _MISMATCH.format(4, 25, "s/gru/gru_cell/MatMul", "?,4", "25,96"),
                "GRUCell",
                "inputs=tf.Tensor(shape=(None, 4), dtype=float32)",
            ),
        ),
        "input-size",
        "Input((None, 4))",
    ),
]

_OWN = """ValueError: Exception encountered when calling TinyCell.call().

{}

Arguments received by TinyCell.call():
  • inputs=tf.Tensor(shape=(16, 6), dtype=float32)
  • states=('tf.Tensor(shape=(16, 9), dtype=float32)',)"""
_OF_CELL = "h = keras.ops.tanh(inputs @ self.kernel + prev_h @ self.recurrent + self.shift)"
_RANK_OF_TARGET = "ValueError: Arguments `target` and `output` must have the same rank (ndim). Received: target.shape=(12,), output.shape=(12, 4)"
_LABEL = "Received a label value of 4 which is outside the valid range of [0, 4).  Label values: {} [Op:SparseSoftmax]"
_WINDOWS = (
    "Cannot batch tensors with different shapes in component 0. First element had shape [24,2] and element {} had shape [19,2].\n"
    "\t [[{{{{node IteratorGetNext}}}}]]"
)
_MERGED = "ValueError: Inputs have incompatible shapes. Received shapes (50,) and (20,)"
_JOINED = (
    "ValueError: A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. "
    "Received: input_shape=[(None, 18), (None, 14, 50)]"
)
_OUTER = '  File "train.py", line 30, in <module>\n    {}\n  File "train.py", line 12, in call\n    {}\n'
_IN_CALL = _OUTER + (
    "ValueError: Exception encountered when calling Net.call().\n\nInput 0 with name 'None' of layer '{}' is incompatible with "
    "the layer: expected ndim=3, found ndim=2. Full shape received: {}"
)

FIRST_LINES += [
    (
        raised(_OF_CELL, _OWN.format(_MISMATCH.format(6, 7, "s/rnn/tiny/MatMul", "16,6", "7,9"))),
        "inner-dimension",
        "self.kernel = self.add_weight(shape=(6, 9))",
    ),
    (
        raised(_OF_CELL, _OWN.format(_MISMATCH.format(9, 6, "s/rnn/tiny/add", "16,9", "16,6"))),
        "hidden-size",
        "self.recurrent = self.add_weight(shape=(9, 9))",
    ),
    (
        raised(_OF_CELL, _OWN.format(_MISMATCH.format(6, 9, "s/rnn/tiny/add", "16,6", "16,9"))),
        "hidden-size",
        "self.kernel = self.add_weight(shape=(input_shape[-1], 9))",
    ),
    (
        raised(_OF_CELL, _OWN.format(_MISMATCH.format(9, 6, "s/rnn/tiny/add_1", "16,9", "6"))),
        "hidden-size",
        "self.shift = self.add_weight(shape=(9,))",
    ),
    (
        raised(
            "net.fit(a, b)",
            _STATES.format("RNN", "Too few leaves for PyTreeSpec; expected: 2, got: 1.", "RNN", "initial_state=None"),
        ),
        "state-tuple",
        "self.state_size = self.units",
    ),
    (
        raised(
            "net.fit(a, b)",
            _STATES.format("RNN", "Too many leaves for PyTreeSpec; expected: 1.", "RNN", "initial_state=None"),
        ),
        "state-tuple",
        "return h, [h]",
    ),
    # The reader's loop of training: its loss, and a cell that it calls.
    (
        raised("value = loss_of(y, logits)", _RANK_OF_TARGET).replace("loss_of", "loss_object"),
        "class-axis",
        "loss_object = keras.losses.SparseCategoricalCrossentropy(from_logits=True)",
    ),
    (
        raised("value = keras.losses.categorical_crossentropy(y, p)", _RANK_OF_TARGET),
        "class-axis",
        "value = keras.losses.sparse_categorical_crossentropy(y, p)",
    ),
    (
        raised(
            "value = loss_fn(y, scores)",
            "Arguments `target` and `output` must have the same shape up until the last dimension: target.shape=(6, 9), output.shape=(9, 6, 40)",
        ),
        "transpose",
        "scores = tf.transpose(scores, (1, 0, 2))",
    ),
    (raised("step(a, b)", _LABEL.format("3 0 4 1")), "index-range", "Dense(5)"),
    (raised("net.fit(a, b)", _LABEL.format("3 2 4 1")), "index-range", "b = b - 1"),
    (
        raised(
            "out, st = self.lstm_cell(e, st)",
            _OWN.replace("TinyCell", "LSTMCell")
            .format("Incompatible shapes: [16,2,36] vs. [16,9] [Op:Mul]")
            .replace("(16, 6)", "(16, 1, 6)"),
        ),
        "unbatched",
        "out, st = self.lstm_cell(e[:, 0], st)",
    ),
    (
        raised(
            "out, st = self.lstm_cell(e, st)",
            _OWN.replace("TinyCell", "LSTMCell").format(
                "Matrix size-incompatible: In[0]: [16,9], In[1]: [7,28] [Op:MatMul]"
            ),
        ),
        "hidden-size",
        "layers.LSTMCell(9)",
    ),
    (
        raised(
            "out, st = self.lstm_cell(e, st)",
            _OWN.replace("ValueError", "IndexError")
            .replace("TinyCell", "LSTMCell")
            .format("list index out of range")
            .replace("states=(", "states=["),
        ),
        "state-tuple",
        "out, st = self.lstm_cell(e, [*st, tf.keras.ops.zeros_like(st[0])])",
    ),
    (
        raised(
            "out, st = self.step(e, st)",
            _OWN.replace("ValueError", "IndexError")
            .replace("TinyCell", "LSTMCell")
            .format("list index out of range")
            .replace("states=(", "states=["),
        ),
        "state-tuple",
        "out, st = self.step(e, [*st, tf.keras.ops.zeros_like(st[0])])",
    ),
    # A layer in the call of the reader's own model: the first gets one sample, and the second what the first gave.
    (
        _IN_CALL.format("y = net(data[7])", "a = self.first(a)", "lstm", "(21, 5)"),
        "unbatched",
        "y = net(data[7:8])",
    ),
    (
        _IN_CALL.format("y = net(xb)", "a = self.second(a)", "lstm_1", "(16, 40)"),
        "return-sequences",
        "LSTM(40, return_sequences=True)",
    ),
    # Data sets.
    (
        raised(
            "ds = Dataset.from_tensor_slices((a, b)).batch(8)", "ValueError: Dimensions 70 and 66 are not compatible"
        ),
        "batch-size",
        "a = a[:66]",
    ),
    (raised("net.fit(ds)", _WINDOWS.format(1)), "ragged", "ds = ds.padded_batch(batch_size)"),
    # Layers that are merged, by their names.
    (raised("m = layers.Add()([p, q])", _MERGED), "broadcast", "q = layers.Dense(50)(q)"),
    (raised("m = add([p, q])", _MERGED), "broadcast", "q = Dense(50)(q)"),
    (raised("m = Concatenate()([age, lstm_out])", _JOINED), "unbatched", "lstm_out = lstm_out[:, -1]"),
    (raised("m = Concatenate()([age, encoded])", _JOINED), "unbatched", "age = RepeatVector(14)(age)"),
    (
        raised(
            "net.fit([age, seq], y)",
            _ORDER.replace("(None, None, 18)", "(None, 14, 6)").replace("(4, 9, 22)", "(None, 5)"),
        ),
        "unbatched",
        "net.fit([seq, age], y)",
    ),
    # Weights for h that are not square.
    (
        raised(
            "h = np.tanh(np.dot(W_hh, h) + b)",
            "ValueError: shapes (14,5) and (14,1) not aligned: 5 (dim 1) != 14 (dim 0)",
        ),
        "hidden-size",
        "W_hh = np.random.randn(14, 14) * 0.01",
    ),
]

_INPUT = (
    "ValueError: Input 1 with name 'b' of layer 'functional_2' is incompatible with the layer: expected shape=(None, 48), "
    "found shape=(5, 24)"
)
_PATH = (
    "ValueError: Exception encountered when calling Functional.call().\n\nInvalid input shape for input "
    "Tensor(\"data:0\", shape=(1,), dtype=float32) with name 'k' and path '0'. Expected shape (None, None), "
    "but input has incompatible shape (1,)"
)
_IMAGE = (
    "ValueError: Exception encountered when calling ConvLSTM2D.call().\n\nInput 0 with name 'None' of layer 'conv_lstm_cell' is "
    "incompatible with the layer: expected shape=(None, 20, 20, {}), found shape={}\n\nArguments received by ConvLSTM2D.call():\n"
    "  • sequences=tf.Tensor(shape={}, dtype=float32)"
)
_CONDITION = (
    "assertion failed: [Condition x == y did not hold element-wise:] [x (compile_loss/sparse/Shape_1:0) = ] [{}] "
    "[y (compile_loss/sparse/strided_slice:0) = ] [{}]"
)
_NOT_EQUAL = (
    "ValueError: Incompatible input shapes: axis values {} (at axis 2) != {} (at axis 2). Full input shapes: {}, {}"
)
_STRUCTURES = "ValueError: y_true and y_pred have different structures.\ny_true: *\ny_pred: [{}]\n"

FIRST_LINES += [
    # The input that the message names by its number, in a list and in a sum of lists.
    (raised("p = net.predict([tok, h0])", _INPUT), "input-size", "h0 = np.zeros((len(h0), 48))"),
    (raised("net.fit([words, tags], y)", _INPUT), "input-size", "Input((24,))"),
    (raised("p = dec.predict([last] + states)", _PATH), "unbatched", "last = last[None]"),
    # Images: of a last step alone, with other channels, of one sample, and without the rows at the edges.
    (
        raised("z = ConvLSTM2D(6, 3)(z)", _AXES.format("conv_lstm2d_1", 5, 4, "(None, 20, 20, 9)")),
        "return-sequences",
        "ConvLSTM2D(9, ..., return_sequences=True)",
    ),
    (
        raised("net.fit(a, b)", _IMAGE.format(3, "(4, 20, 20, 1)", "(4, 9, 20, 20, 1)")),
        "input-size",
        "Input((None, 20, 20, 1))",
    ),
    (
        raised("net.predict(a[0])", _IMAGE.format(1, "(9, 20, 1, 1)", "(9, 20, 20, 1, 1)")),
        "unbatched",
        "net.predict(a[0][None])",
    ),
    (
        raised("net.fit(a, b)", _TARGETS.format("(4, 9, 20, 20, 1)", "(4, 9, 16, 16, 1)")),
        "broadcast",
        'layers.Conv2D(..., padding="same")',
    ),
    (
        raised("net.fit(a, b)", _TARGETS.format("(4, 8, 20, 20, 1)", "(4, 9, 20, 20, 1)")),
        "shifted-targets",
        "a = a[:, :-1]",
    ),
    (
        raised(
            "h = layers.Bidirectional(layers.GRU(7))(inp)", _AXES.format("bidirectional", 3, 4, "(None, 700, 15, 6)")
        ),
        "unbatched",
        "Input((15, 6))",
    ),
    # The sparse loss in a graph: of other batches, of other steps, and of the last step alone.
    (
        raised("net.fit(a, b, batch_size=20)", _CONDITION.format("20 9", "12 9")),
        "batch-size",
        "net.fit(a[:len(a) // 12 * 12], b[:len(a) // 12 * 12], batch_size=12)",
    ),
    (raised("net.fit(a, b)", _CONDITION.format("12 9", "12 8")), "shifted-targets", "b = b[:, 1:]"),
    (raised("net.fit(a, b)", _CONDITION.format("12", "108")), "return-sequences", "LSTM(..., return_sequences=False)"),
    # Several outputs, and the targets of the validation data.
    (
        raised("net.fit([a, s, c], w)", _STRUCTURES.format("'*', '*', '*', '*'")),
        "inputs",
        "net.fit([a, s, c], list(np.swapaxes(w, 0, 1)))",
    ),
    (raised("net.fit(a, w)", _STRUCTURES.format("'*', '*'")), "inputs", "net.fit(a, [targets_1, targets_2])"),
    (
        raised("net.fit(X_a, y_a, validation_data=(X_b, y_a))", _SAMPLES.format("20\n'y' sizes: 80")),
        "batch-size",
        "net.fit(X_a, y_a, validation_data=(X_b, y_b))",
    ),
    # Products of layers, what a layer returns, the weights of a model, and an index too many.
    (
        raised("s = dot_layer([w, v])", _NOT_EQUAL.format(1, 24, "(None, 9, 1)", "(None, 9, 24)")),
        "inner-dimension",
        "s = layers.Dot(axes=1)([w, v])",
    ),
    (
        raised("s = dot_layer([w, v])", _NOT_EQUAL.format(16, 24, "(None, 7, 16)", "(None, 9, 24)")),
        "hidden-size",
        "LSTM(24, return_sequences=True)",
    ),
    (
        raised(
            "seq, hid = self.enc(x)",
            "ValueError: Exception encountered when calling Net.call().\n\ntoo many values to unpack (expected 2)",
        ),
        "state-tuple",
        "seq, hid, c = self.enc(x)",
    ),
    (
        raised(
            "net.set_weights(old.get_weights()[:-2])",
            "ValueError: You called `set_weights(weights)` on layer 'sequential_2' with a weight list of length 4, but the layer "
            "was expecting 6 weights.",
        ),
        "checkpoint",
        "net.set_weights(old.get_weights())",
    ),
    (
        raised(
            "net.set_weights(old.get_weights()[::-1])",
            "ValueError: Layer sequential_2 weight shape (60, 8) is not compatible with provided weight shape (60,).",
        ),
        "checkpoint",
        "net.set_weights(old.get_weights())",
    ),
    (
        raised(
            "net.set_weights(old.get_weights())",
            "ValueError: Layer sequential_2 weight shape (60, 8) is not compatible with provided weight shape (75, 8).",
        ),
        "checkpoint",
        "layers.Embedding(75, 8)",
    ),
    (
        raised(
            "i = np.argmax(p[0, -1, :, 0])",
            "IndexError: too many indices for array: array is 3-dimensional, but 4 were indexed",
        ),
        "indexing",
        "i = np.argmax(p[0, -1, :])",
    ),
]

_OPTAX = "ValueError: Incompatible shapes for broadcasting: shapes=[{}, {}]"
_RANK_OF_NODE = (
    "ValueError: Shape must be rank 3 but is rank 2 for '{{node concat}} = ConcatV2[N=2, T=DT_FLOAT, Tidx=DT_INT32](a, b, c)' "
    "with input shapes: [6,14,9], [6,9], []."
)
_BOTH = "Dimension 1 in both shapes must be equal, but are 9 and 5. Shapes are [14,9] and [14,5]."
_RESHAPED = (
    "ValueError: Exception encountered when calling Reshape.call().\n\nThe total size of the tensor must be unchanged. "
    "Received: input_shape={}, target_shape={}\n\nArguments received by Reshape.call():"
)
_SIZES = "operands could not be broadcast together with shapes {} {} "

FIRST_LINES += [
    # Losses of Optax.
    (
        raised("loss = optax.softmax_cross_entropy(out, y).mean()", _OPTAX.format("(6,)", "(6, 4)")),
        "class-axis",
        "loss = optax.softmax_cross_entropy_with_integer_labels(out, y).mean()",
    ),
    (
        raised("loss = optax.sigmoid_binary_cross_entropy(out, y).mean()", _OPTAX.format("(6, 4)", "(6, 15, 4)")),
        "return-sequences",
        "out = out[:, -1]",
    ),
    (
        raised(
            "loss = optax.softmax_cross_entropy(out, y).mean()",
            "TypeError: mul got incompatible shapes for broadcasting: (6, 4), (6, 9).",
        ),
        "broadcast",
        "nn.Dense(4)",
    ),
    # In a function of TensorFlow: what is joined, by its names, a split, and a product.
    (
        raised("both = tf.concat([truth, made], axis=0)", _BOTH),
        "concatenate-axis",
        "both = tf.concat([truth, made], axis=1)",
    ),
    (
        raised("both = tf.concat([truth, made], axis=0)", _RANK_OF_NODE),
        "unbatched",
        "# both must have the same number of axes",
    ),
    (
        raised(
            "a, b, c = tf.split(gates, 3, axis=0)",
            "Number of ways to split should evenly divide the split dimension, but got split_dim 0 (size = 8) and num_split 3 [Op:Split]",
        ),
        "split",
        "a, b, c = tf.split(gates, 3, axis=-1)",
    ),
    (
        raised(
            "y = tf.matmul(h, W, transpose_b=True)",
            "Matrix size-incompatible: In[0]: [6,14], In[1]: [14,3] [Op:MatMul] name: ",
        ),
        "transpose",
        "y = tf.matmul(h, W)",
    ),
    (
        raised(
            "z = tf.concat([a, h], 1) @ W_all",
            "Matrix size-incompatible: In[0]: [6,19], In[1]: [7,48] [Op:MatMul] name: ",
        ),
        "inner-dimension",
        "W_all = tf.Variable(tf.random.normal((19, 48)))",
    ),
    # A layer in the list of a Sequential, and one that is called.
    (raised("net = keras.Sequential([", _RESHAPED.format("(90,)", "(15, 8)")), "reshape", "layers.Reshape((15, 6))"),
    (raised("o = Reshape((7,))(o)", _RESHAPED.format("(9, 1)", "(7,)")), "reshape", "o = Reshape((9,))(o)"),
    (
        raised("net = keras.Sequential([", _AXES.format("gru", 3, 5, "(None, 9, 10, 10, 4)")),
        "unbatched",
        "layers.TimeDistributed(layers.Flatten())",
    ),
    # Classes, parts of what a call returns, an axis too many, and targets by their names.
    (raised("net.fit(a, y, epochs=1)", _LABEL.format("3 0 4 1")), "index-range", "Dense(int(np.max(y)) + 1)"),
    (
        raised("o, st = stack(i)", "ValueError: too many values to unpack (expected 2)"),
        "state-tuple",
        "o, *st = stack(i)",
    ),
    (
        raised(
            "best = p.argmax(axis=3)", "numpy.exceptions.AxisError: axis 3 is out of bounds for array of dimension 3"
        ),
        "unbatched",
        "best = p.argmax(axis=2)",
    ),
    (
        raised("net.evaluate(x_val, y_train)", _SAMPLES.format("20\n'y' sizes: 80")),
        "batch-size",
        "net.evaluate(x_val, y_val)",
    ),
    (
        raised("net.fit(data[use], target[rest])", _SAMPLES.format("20\n'y' sizes: 80")),
        "batch-size",
        "net.fit(data[use], target[use])",
    ),
    # Steps that stand last, a stateful model that predicts, and a scaling by hand.
    (
        raised(
            "net.fit(a, b)",
            _STATES.format(
                "LSTMCell",
                _MISMATCH.format(15, 4, "s/lstm/lstm_cell/MatMul", "?,15", "4,96"),
                "LSTMCell",
                "inputs=tf.Tensor(shape=(None, 15), dtype=float32)",
            ),
        ),
        "transpose",
        "a = np.swapaxes(a, 1, 2)",
    ),
    (
        raised(
            "p = net.predict(a, batch_size=24)",
            "ValueError: Exception encountered when calling GRU.call().\n\nIf an RNN is stateful, the batch size of the input "
            "sequences must be the same as the batch size of the initial state.\n- Expected batch size: 6\n- Received batch size: 24",
        ),
        "batch-size",
        "p = net.predict(a[:len(a) // 6 * 6], batch_size=6)",
    ),
    (
        raised(
            "prices = p * (top - low_) + low_".replace("top", "hi"),
            _SIZES.format("(8,1)", "(4,)").replace("(8,1)", "(8,3)"),
        ),
        "scaler",
        "prices = p * (hi[-1] - low_[-1]) + low_[-1]",
    ),
    (
        raised("z = (a - self.mean) / self.std", _SIZES.format("(70,6)", "(5,)")),
        "scaler",
        "# compute self.mean and self.std over the 6 columns of this array",
    ),
]

FIRST_LINES += [
    # A model without an Input, whose layers are made with the data; one sample that predict cuts; other channels.
    (
        raised("net.fit(a, b)", _AXES.format("global_average_pooling1d", 3, 2, "(24, 40)")),
        "return-sequences",
        "LSTM(40, return_sequences=True)",
    ),
    (
        raised("p = net.predict(rows[-48:])", "ValueError: expected shape=(None, 48, 5), found shape=(32, 5)"),
        "unbatched",
        "p = net.predict(rows[-48:][None])",
    ),
    (
        raised("net = Sequential([", _KERNEL.replace("(5, 5, 1, 6)", "(5, 5, 18, 6)").format("(None, 12, 18)")),
        "unbatched",
        "layers.Conv1D(6, 5)",
    ),
    # Predictions of other steps.
    (
        raised("err = np.abs(seqs - decoded_out) ** 2", _SIZES.format("(50,12,2)", "(50,9,2)")),
        "steps",
        "layers.RepeatVector(12)",
    ),
    # The last of a few lines that are quoted without a traceback.
    (
        "n_features = 3\ntrain = train.reshape(train.shape[0], train.shape[1], n_features)\n"
        "ValueError: cannot reshape array of size 60000 into shape (1000,60,3)",
        "reshape",
        "train = train.reshape(1000, 60, 1)",
    ),
    # A metric of scikit-learn takes the targets first.
    (
        raised(
            "print(r2_score(y_test, model.predict(x_test)))",
            "ValueError: Found input variables with inconsistent numbers of samples: [60, 50]",
        ),
        "batch-size",
        "print(r2_score(y_test[10:], model.predict(x_test)))",
    ),
    # Predictions and targets of other samples, of other columns, and for each step.
    (
        raised("acc = np.mean(pred == labels[:9])", _SIZES.format("(7,3)", "(9,3)")),
        "batch-size",
        "acc = np.mean(pred == labels[:7])",
    ),
    (
        raised("err = np.abs(y_true - y_pred).mean()", _SIZES.format("(7,3)", "(7,5)")),
        "broadcast",
        "err = np.abs(y_true - y_pred[..., :3]).mean()",
    ),
    (
        raised("rmse = np.sqrt(np.mean((predictions - y_test) ** 2))", _SIZES.format("(400,60,1)", "(400,1)")),
        "return-sequences",
        "rmse = np.sqrt(np.mean((predictions[:, -1] - y_test) ** 2))",
    ),
    (
        raised(
            "both = np.concatenate([u, v], axis=1)",
            "numpy.exceptions.AxisError: axis 1 is out of bounds for array of dimension 1",
        ),
        "unbatched",
        "both = np.concatenate([u, v], axis=0)",
    ),
]

FIRST_LINES += [
    (
        raised("inp = layers.Input((feats))", "ValueError: Cannot convert '9' to a shape."),
        "unbatched",
        "inp = layers.Input((None, feats))",
    ),
    ("ValueError: Cannot convert '9' to a shape.", "unbatched", "keras.Input((None, 9))"),
    (
        raised("best = tf.argmax(p, axis=2)", "Expected dimension in the range [-2, 2), but got 2 [Op:ArgMax] name: "),
        "unbatched",
        "best = tf.argmax(p, axis=1)",
    ),
]

_FULL = 'File "keras/src/backend/tensorflow/nn.py", line 1354, in categorical_crossentropy\n    raise ValueError('
_SYMBOLIC = "ValueError: A KerasTensor is symbolic: it's a placeholder for a shape an a dtype."
_OF_TENSORFLOW = "ValueError: A KerasTensor cannot be used as input to a TensorFlow function. A KerasTensor is a symbolic placeholder"
_EACH = "InvalidArgumentError: {{{{function_node __wrapped}}}} Matrix size-incompatible: In[0]: {}, In[1]: {} [Op:BatchMatMulV2] name: "

FIRST_LINES += [
    # One target too many: a loop that ends early, or targets that begin with the series.
    (raised("net.fit(win, nxt)", _SAMPLES.format("91\n'y' sizes: 92")), "batch-size", "nxt = nxt[:len(win)]"),
    (raised("net.fit(win, nxt)", _SAMPLES.format("91\n'y' sizes: 97")), "batch-size", "nxt = nxt[6:]"),
    (
        "nxt = rows[span:]\n" + raised("net.fit(win, nxt)", _SAMPLES.format("91\n'y' sizes: 97")),
        "batch-size",
        "nxt = nxt[:len(win)]",
    ),
    # The last layer before a loss of classes, and with the arguments of the reader's layer.
    (
        raised("net.fit(a, b)", f"{_FULL}\n{_TARGETS.format('(None, 7)', '(None, 3)')}"),
        "broadcast",
        'Dense(7, activation="softmax")',
    ),
    (
        "net.add(Dense(3, activation='sigmoid', name='o'))\n"
        + raised("net.fit(a, b)", f"{_FULL}\n{_TARGETS.format('(None, 7)', '(None, 3)')}"),
        "broadcast",
        "Dense(7, activation='sigmoid', name='o')",
    ),
    # Fewer samples than the batch of a state, and one vector for each sequence in a product.
    (
        raised(
            "p = net.predict(rows, batch_size=6)",
            "If an RNN is stateful, the batch size of the input sequences must be the same as the batch size of the initial "
            "state. - Expected batch size: 8 - Received batch size: 6",
        ),
        "batch-size",
        "p = net.predict(np.resize(rows, (-(-len(rows) // 8) * 8, *rows.shape[1:])), batch_size=8)[:len(rows)]",
    ),
    (
        raised("e = tf.matmul(keys, q)", _EACH.format("[5,9,14]", "[5,14]")),
        "unbatched",
        "e = keys @ q[..., None]",
    ),
    # Volumes that lack their steps, and functions that need numbers.
    (
        raised(
            "net.add(Conv3D(6, 3, input_shape=(40, 40, 3)))",
            _AXES.replace("ndim={},", "min_ndim={},", 1).format("conv3d", 5, 4, "(None, 40, 40, 3)"),
        ),
        "unbatched",
        "net.add(Conv3D(6, 3, input_shape=(None, 40, 40, 3)))",
    ),
    (raised("best = np.argmax(p, axis=-1)", _SYMBOLIC), "symbolic", "best = keras.ops.argmax(p, axis=-1)"),
    (raised("m = tf.reduce_mean(seq, axis=1)", _OF_TENSORFLOW), "symbolic", "m = tf.keras.ops.mean(seq, axis=1)"),
    # A layer stays as it is, and a call without a counterpart in keras.ops leaves no line.
    (
        raised("y = tf.keras.layers.add([tf.transpose(p, perm=[0, 2, 1]), q])", _OF_TENSORFLOW),
        "symbolic",
        "y = tf.keras.layers.add([tf.keras.ops.transpose(p, axes=[0, 2, 1]), q])",
    ),
    (
        raised("s = tf.tanh(tf.matmul(p, q, transpose_b=True))", _OF_TENSORFLOW),
        "symbolic",
        "# a layer or a function of tf.keras.ops in place of the call, such as tf.keras.ops.mean(x, axis=1)",
    ),
    (
        _SYMBOLIC,
        "symbolic",
        "# a layer or a function of keras.ops in place of the call, such as keras.ops.mean(x, axis=1)",
    ),
    (
        raised("seq, sh, sc = enc(emb)", "ValueError: too many values to unpack (expected 3)"),
        "state-tuple",
        "seq, h_forward, c_forward, h_backward, c_backward = enc(emb)",
    ),
    # Weights for a state, by their names.
    (
        raised(
            "new = tf.tanh(x @ self.kernel + tf.matmul(h, self.rec))\n" + " " * 36 + "^" * 22,
            _STATES.format(
                "SmallCell",
                "{{function_node __wrapped}} Matrix size-incompatible: In[0]: [4,18], In[1]: [7,18] [Op:MatMul] name: ",
                "SmallCell",
                "inputs=tf.Tensor(shape=(4, 7), dtype=float32)\n  • states=('tf.Tensor(shape=(4, 18), dtype=float32)',)",
            ),
        ),
        "inner-dimension",
        "self.rec = self.add_weight(shape=(18, 18))",
    ),
]

_JOINED = (
    "ValueError: A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. "
    "Received: input_shape=[{}, {}]"
)
_DENSE = (
    "Input 0 with name 'None' of layer 'dense_1' is incompatible with the layer: expected axis -1 of input shape to have value "
    "{}, but received input with shape {}"
)

FIRST_LINES += [
    # A data set has no index.
    (
        raised("net.fit(tf.data.Dataset.from_tensor_slices((a, b)), epochs=3)", _AXES.format("gru", 3, 2, "(9, 4)")),
        "unbatched",
        "net.fit(tf.data.Dataset.from_tensor_slices((a, b)).batch(32), epochs=3)",
    ),
    # One number for each feature has no steps.
    (
        raised(
            "p = net.predict(table)",
            _STATES.format(
                "Functional",
                _DENSE.format(18, "(4, 14)"),
                "Functional",
                "inputs=tf.Tensor(shape=(4, 14), dtype=float32)",
            ),
        ),
        "hidden-size",
        "layers.Dense(units)",
    ),
    (
        raised("z = layers.concatenate([p, q])", _JOINED.format("(None, 30, 8)", "(None, 27, 12)")),
        "steps",
        "q = layers.ZeroPadding1D((1, 2))(q)",
    ),
    # The validation data, the arrays of a call, and a state without a name.
    (
        raised("net.fit(x_train, y_train, validation_data=(x_val, y_test))", _SAMPLES.format("9\n'y' sizes: 14")),
        "batch-size",
        "net.fit(x_train, y_train, validation_data=(x_val, y_val))",
    ),
    (
        raised(
            "p = net.predict([a, b, b], verbose=0)",
            "ValueError: Layer \"functional\" expects 2 named input(s) with keys ['a', 'b'], but it received 3 input tensors.",
        ),
        "inputs",
        "p = net.predict([a, b], verbose=0)",
    ),
    (
        raised(
            "y = dec(make(6), initial_state=tf.zeros((9, 18)))",
            _STATES.format(
                "GRUCell",
                "{{function_node __wrapped}} Incompatible shapes: [6,18] vs. [9,18] [Op:AddV2] name: ",
                "GRUCell",
                "inputs=tf.Tensor(shape=(6, 4), dtype=float32)\n  • states=('tf.Tensor(shape=(9, 18), dtype=float32)',)",
            ),
        ),
        "batch-size",
        "y = dec(make(6), initial_state=tf.zeros((6, 18)))",
    ),
    (
        raised(
            "both = tf.concat([ctx, emb], axis=-1)",
            "ConcatOp : Ranks of all input tensors should match: shape[0] = [6,14] vs. shape[1] = [6,9,5] [Op:ConcatV2] name: concat",
        ),
        "unbatched",
        "ctx = tf.repeat(tf.expand_dims(ctx, 1), 9, axis=1)",
    ),
]

_RANKS = (
    "ValueError: all the input arrays must have same number of dimensions, but the array at index 0 has 2 dimension(s) "
    "and the array at index 1 has 3 dimension(s)"
)
_IN_ATTENTION = _STATES.format(
    "Scores",
    "{{{{function_node __wrapped}}}} Incompatible shapes: {} vs. {} [Op:AddV2] name: ",
    "Scores",
    "q=tf.Tensor(shape=(6, 14), dtype=float32)",
)
_SUMMED = "e = self.v(tf.tanh(self.wq(q) + self.wk(k)))\n" + " " * 23 + "~~~~~~~~~~~^~~~~~~~~~~~"
_CONVOLVED = "ValueError: Kernel shape must have the same length as input, but received kernel of shape (5, 5, 36, 6) and input of shape (None, 36, 36)."
_STATES_TOO = (
    'ValueError: Layer "dense_1" expects 1 input(s), but it received {} input tensors. '
    "Inputs received: [<KerasTensor shape=(None, 18), dtype=float32>"
)
_TOO_MANY = "IndexError: too many indices for array: array is 2-dimensional, but 3 were indexed"

FIRST_LINES += [
    # The two layers of an attention's scores.
    (
        raised(_SUMMED, _IN_ATTENTION.format("[6,14]", "[6,9,14]")),
        "unbatched",
        "e = self.v(tf.tanh(self.wq(q)[:, None] + self.wk(k)))",
    ),
    (
        raised(_SUMMED, _IN_ATTENTION.format("[6,1,14]", "[6,9,22]")),
        "hidden-size",
        "self.wk = tf.keras.layers.Dense(14)",
    ),
    # A list in place of an array, images with one channel, and a layer of a Sequential that also returns its states.
    (
        raised(
            "net.fit(a, b)", "ValueError: Unrecognized data type: x=[[[0.4 0.7]]] (of type <class 'numpy.ndarray'>)"
        ),
        "inputs",
        "b = np.array(b)",
    ),
    (
        raised("net.add(TimeDistributed(Conv2D(6, 5), input_shape=(9, 36, 36)))", _CONVOLVED),
        "unbatched",
        "net.add(TimeDistributed(Conv2D(6, 5), input_shape=(9, 36, 36, 1)))",
    ),
    (
        raised("net.add(TimeDistributed(Conv2D(6, 5)))", _CONVOLVED),
        "unbatched",
        "Input((None, 36, 36, 1))",
    ),
    (raised("net = keras.Sequential([", _STATES_TOO.format(3)), "state-tuple", "LSTM(18, return_state=False)"),
    (
        raised("net = keras.Sequential([", _STATES_TOO.format(5)),
        "state-tuple",
        "Bidirectional(LSTM(9, return_state=False))",
    ),
    # Predictions that are joined with the inputs, or that have no steps.
    (
        raised("both = np.concatenate((y_hat, rows[:, 1:]), axis=1)", _RANKS),
        "unbatched",
        "rows = rows.reshape(len(rows), -1)",
    ),
    (raised("last = predicted[:, -1, 0]", _TOO_MANY), "indexing", "last = predicted[:, 0]"),
    (
        raised(
            "loss = loss_object(words[:, 1:], scores)",
            "ValueError: Arguments `target` and `output` must have the same shape up until the last dimension: "
            "target.shape=(6, 8), output.shape=(6, 9, 70)",
        ),
        "shifted-targets",
        "scores = scores[:, :-1]",
    ),
]

FIRST_LINES += [
    # The weights of an attention, its keys, and a scaler that the text does not name.
    (
        raised(
            "z = tf.reduce_sum(alpha * seq, axis=1)\n" + " " * 22 + "~~~~~~^~~~~",
            _IN_ATTENTION.replace("AddV2", "Mul").format("[6,9]", "[6,9,14]"),
        ),
        "unbatched",
        "z = tf.reduce_sum(alpha[..., None] * seq, axis=1)",
    ),
    (
        raised("e = tf.matmul(q, keys, transpose_b=True)", _EACH.format("[5,4,14]", "[5,9,22]")),
        "hidden-size",
        "LSTM(22, return_sequences=True)",
    ),
    (
        "ValueError: non-broadcastable output operand with shape (70,1) doesn't match the broadcast shape (70,4)",
        "scaler",
        "scaler.inverse_transform(np.repeat(prediction, 4, axis=1))[:, [0]]",
    ),
    # The reader's own method, its data set, and a last axis of data that an Embedding reads.
    (
        raised("s = net.evaluate(a, b, verbose=0)", _BATCHES.format(8, 32)),
        "batch-size",
        "s = net.evaluate(a[:len(a) // 32 * 32], b[:len(a) // 32 * 32], verbose=0, batch_size=32)",
    ),
    (
        raised(
            "for xb in rows:",
            "Cannot batch tensors with different shapes in component 0. First element had shape [6] and element 1 had shape [4].",
        ),
        "ragged",
        "rows = rows.padded_batch(batch_size)",
    ),
    (
        raised("net.fit(a, b)", _AXES.format("lstm", 3, 4, "(None, 14, 1, 9)")),
        "unbatched",
        "a = a[:, :, 0]",
    ),
    (
        raised("net.add(Bidirectional(GRU(9)))", _AXES.format("bidirectional_1", 3, 2, "(None, 48)")),
        "return-sequences",
        "Bidirectional(LSTM(24, return_sequences=True))",
    ),
    (
        raised("z = layers.concatenate([p, q])", _JOINED.format("(None, 9, 8)", "(None, 27, 8)")),
        "steps",
        "p = layers.UpSampling1D(3)(p)",
    ),
    (_AXES.format("gru_1", 3, 2, "(None, 22)"), "return-sequences", "GRU(22, return_sequences=True)"),
    (
        raised(
            "net.fit({'text': a}, y)",
            "ValueError: Missing data for input \"tags\". You passed a data dictionary with keys ['text']. "
            "Expected the following keys: ['text', 'tags']",
        ),
        "inputs",
        "net.fit({'text': a, 'tags': tags}, y)",
    ),
    (
        "ValueError: Missing data for input \"tags\". You passed a data dictionary with keys ['text']. Expected the following keys: []",
        "inputs",
        "model.fit({'text': x1, 'tags': x2}, y)",
    ),
]
FIRST_LINES += [
    # A sum in the call of a layer is no loss, and a vector within a loss is no state.
    (
        "Incompatible shapes: [6,9,24] vs. [6,24] [Op:AddV2] name:",
        "broadcast",
        "b = b[:, None]",
    ),
    (
        _MISMATCH.format(3, 4, "compile_loss/own_loss/mul", "3", "?,4"),
        "broadcast",
        "# the vector in the loss needs 4 entries: one for each output of the model",
    ),
    (
        raised("loss = tf.reduce_mean((y - tf.squeeze(pred, -1)) ** 2)", "Incompatible shapes: [6] vs. [6,9] [Op:Sub]"),
        "return-sequences",
        "LSTM(..., return_sequences=False)",
    ),
    # Axes that an array lacks, by the shapes alone.
    (
        "ConcatOp : Ranks of all input tensors should match: shape[0] = [6,30] vs. shape[1] = [6,1,12] [Op:ConcatV2]",
        "unbatched",
        "a = tf.expand_dims(a, 1)",
    ),
    (
        "ConcatOp : Expected concatenating dimensions in the range [-1, 1), but got 1 [Op:ConcatV2] name: concat",
        "unbatched",
        "tf.concat([h, x], axis=0)",
    ),
    (
        "ds = ds.batch(8)\n" + raised("model.fit(ds, epochs=1)", _AXES.format("gru", 3, 2, "(None, None)")),
        "unbatched",
        "ds = ds.map(lambda x, y: (x[..., None], y))",
    ),
    (_AXES.format("gru", 3, 4, "(None, 9, 90, 20)"), "unbatched", "Input((9,))"),
    # Layers without steps, and a prediction.
    (
        raised(
            "score = layers.Dot(axes=1)([p, q])",
            "ValueError: Incompatible input shapes: axis values 30 (at axis 1) != 22 (at axis 1). "
            "Full input shapes: (None, 30), (None, 22)",
        ),
        "hidden-size",
        "layers.LSTM(22)",
    ),
    (
        _STATES.format(
            "GRUCell", _MISMATCH.format(4, 5, "a/gru_cell/MatMul", "6,4", "5,90"), "GRUCell", f"states=({_STATE},)"
        ).replace("training=True", "training=False"),
        "input-size",
        "# make x with the 5 features of the training",
    ),
    # A model that gets sequences has a layer that gives the vector; a data set is no array.
    (
        f"ValueError: Exception encountered when calling Own.call().\n\n{_AXES.format('gru_1', 3, 2, '(None, 22)')}\n\n"
        "Arguments received by Own.call():\n  • x=tf.Tensor(shape=(None, 9, 4), dtype=float32)",
        "return-sequences",
        "GRU(22, return_sequences=True)",
    ),
    (
        raised(
            "model.fit(train, epochs=2)",
            "Expected shape (None, 20, 3), but input has incompatible shape (None, None, 20, 3)",
        ),
        "unbatched",
        "train = train.unbatch()",
    ),
    (
        "Number of ways to split should evenly divide the split dimension, but got split_dim 1 (size = 30) and num_split 4",
        "split",
        "Dense(40)",
    ),
    (
        raised("h = tf.tanh(x @ W + b)", "Incompatible shapes: [6,22] vs. [22,1] [Op:AddV2]"),
        "broadcast",
        "b = tf.reshape(b, (1, -1))",
    ),
    # Sizes that tell more than the axis along which they differ.
    ("Expected shape (None, 900, 6), but input has incompatible shape (None, 6)", "unbatched", "x = x[:, None]"),
    (
        raised(
            "model.predict(new)",
            _STATES.format(
                "GRUCell",
                _MISMATCH.format(20, 5, "a/gru_cell/MatMul", "1,20", "5,90"),
                "GRUCell",
                f"states=({_STATE},)",
            ),
        ),
        "transpose",
        "new = np.swapaxes(new, 1, 2)",
    ),
    (
        raised(
            "h = tf.tanh(tf.matmul(X[:, k], Wx) + tf.matmul(h, Wh))", "Incompatible shapes: [10,7] vs. [6,7] [Op:AddV2]"
        ),
        "batch-size",
        "h = tf.zeros((len(X), h.shape[1]))",
    ),
    (
        "Expected batch size: 64\n- Received batch size: 1\n\nArguments received by GRU.call():\n"
        "  • sequences=tf.Tensor(shape=(1, 3, 32), dtype=float32)\n  • training=False",
        "batch-size",
        "Input(batch_shape=(1, ...))",
    ),
    (
        raised(
            "z = tf.concat([a, xt], axis=0)",
            "ConcatOp : Dimension 1 in both shapes must be equal: shape[0] = [5,10] vs. shape[1] = [10,3] [Op:ConcatV2]",
        ),
        "transpose",
        "xt = tf.transpose(xt)",
    ),
]
