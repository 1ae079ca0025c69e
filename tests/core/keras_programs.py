"""Errors of whole programs with recurrent layers of Keras, with the cause and the first advised line of each."""

from tests.core.keras_runs import raised

_AXES = (
    "ValueError: Input 0 with name 'None' of layer '{}' is incompatible with the layer: expected ndim=3, found ndim=2. "
    "Full shape received: {}"
)
_SHAPE = "ValueError: Input 0 with name '{}' of layer 'functional' is incompatible with the layer: expected shape={}, found shape={}"
_STEPS = (
    "ValueError: Dimensions must be equal, but are 12 and 11 for '{{node compile_loss/mse/sub}} = Sub[T=DT_FLOAT](data_1, "
    "sequential_1/time_distributed_1/transpose_1)' with input shapes: [?,12,4], [?,11,4]."
)
_INPUTS = (
    "ValueError: Layer \"functional_2\" expects 2 named input(s) with keys ['a', 'b'], but it received 3 input tensors. "
    "Pass inputs as a dict."
)
_SQUEEZE = (
    "Can not squeeze dim[1], expected a dimension of 1, got 30 for '{{node Squeeze}} = Squeeze[T=DT_FLOAT, squeeze_dims=[1]](Tanh)' "
    "with input shapes: [?,30,1]."
)
_OF_BOTH = """ValueError: Exception encountered when calling OwnCell.call().

Dimensions must be equal, but are 17 and 12 for '{{{{node m/rnn/own_cell/MatMul}}}} = MatMul[T=DT_FLOAT](m/concat, m/ReadVariableOp)' with input shapes: [?,17], [{}].

Arguments received by OwnCell.call():
  • inputs=tf.Tensor(shape=(None, 5), dtype=float32)
  • states=('tf.Tensor(shape=(None, 12), dtype=float32)',)"""

_MASK = """ValueError: Exception encountered when calling MultiHeadAttention.call().

Dimensions must be equal, but are 15 and 6 for '{{node model/mha/LogicalAnd}} = LogicalAnd[](model/mha/ones_like, model/mha/ExpandDims_1)' with input shapes: [6,2,15,15], [1,1,6,15].

Arguments received by MultiHeadAttention.call():
  • query=tf.Tensor(shape=(6, 15, 40), dtype=float32)
  • attention_mask=tf.Tensor(shape=(6, 15), dtype=bool)"""
_SUB = "ValueError: Dimensions must be equal, but are {} and {} for '{{{{node compile_loss/{}/sub}}}} = Sub[T=DT_FLOAT](data_1, functional_3/{}/BiasAdd)' with input shapes: [{}], [{}]."
_ITERATED = "NotImplementedError: Iterating over a symbolic KerasTensor is not supported."

_PAIR = "<KerasTensor shape=(None, {0}), name=a>, <KerasTensor shape=(None, {0}), name=b>"

_NOTEBOOK = """ValueError                                Traceback (most recent call last)
Cell In[4], line 6
      4 code = layers.LSTM(20)(past)
      5 often = layers.RepeatVector(30)(code)
----> 6 both = layers.Concatenate()([often, known])

File /opt/venv/lib/python3.11/site-packages/keras/src/layers/merging/concatenate.py:99, in Concatenate.build(self, input_shape)
---> 99     raise ValueError(err_msg)

ValueError: A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. Received: input_shape=[(None, 30, 20), (None, 15, 2)]"""

_NO_LIST = "ValueError: Attention layer must be called on a list of inputs, namely [query, value] or [query, value, key]. Received: inputs=(None, 5, 6)."
_ADDED = "InvalidArgumentError: {{{{function_node __wrapped__AddV2}}}} Incompatible shapes: [{}] vs. [{}] [Op:AddV2]"

FIRST_LINES = [
    # A recurrent layer at each step.
    (
        raised(
            "h = TimeDistributed(GRU(14))(x)",
            "ValueError: Shapes used to initialize variables must be fully-defined (no `None` dimensions). Received: "
            "shape=(None, 42) for variable path='time_distributed_1/gru_2/gru_cell/kernel'",
        ),
        "unbatched",
        "h = GRU(14)(x)",
    ),
    # A generator of lists.
    (
        raised(
            "net.fit(batches(), steps_per_epoch=9)",
            "ValueError: When passing a Python generator to a Keras model, the generator must return a tuple, either (input,) or "
            "(inputs, targets) or (inputs, targets, sample_weights). Received: [array([[0.1]]), array([1])]",
        ),
        "inputs",
        "yield x, y",
    ),
    # Poolings that leave no step.
    (
        raised(
            "z = AveragePooling1D(3)(z)",
            "ValueError: Exception encountered when calling AveragePooling1D.call().\n\nComputed output size would be zero or "
            "negative. Received: `inputs.shape=[None 2 14]`, `pool_size=[3]`, `strides=(3,)`, `padding=valid`.",
        ),
        "steps",
        'Conv1D(..., padding="same")',
    ),
    # The columns of a scaler, by their names.
    (
        raised(
            "later = scaler.transform(held_out.drop(columns=['price']))",
            "ValueError: The feature names should match those that were passed during fit.\n"
            "Feature names seen at fit time, yet now missing:\n- price",
        ),
        "scaler",
        "later = scaler.transform(held_out)",
    ),
    # Letters of words, where each word becomes one vector.
    (
        raised("w = layers.GRU(20)(letters)", _AXES.replace("ndim=2", "ndim=4").format("gru", "(None, 12, 9, 14)")),
        "unbatched",
        "w = layers.TimeDistributed(layers.GRU(20))(letters)",
    ),
    # A list of one state for each direction of a Bidirectional.
    (
        raised(
            "net.fit([a, b], y)",
            "IndexError: Exception encountered when calling LSTM.call().\n\nlist index out of range\n\nArguments received by "
            "LSTM.call():\n  • sequences=tf.Tensor(shape=(None, 9, 20), dtype=float32)\n"
            "  • initial_state=['tf.Tensor(shape=(None, 20), dtype=float32)']\n  • mask=None",
        ),
        "state-tuple",
        "output = layer(x, initial_state=[h, c, h, c])",
    ),
    # A layer of a Sequential that returns its steps, and its states too.
    (
        raised(
            "net = keras.Sequential([",
            'ValueError: Layer "gru" expects 1 input(s), but it received 2 input tensors. Inputs received: '
            "[<KerasTensor shape=(None, 9, 20), name=a>, <KerasTensor shape=(None, 20), name=b>]",
        ),
        "state-tuple",
        "GRU(20, return_sequences=True)",
    ),
    # A condition for each of the batch.
    (
        raised(
            "x_t = tf.where(is_first, start, x_t)",
            "condition [6], then [6,4], and else [6,4] must be broadcastable [Op:SelectV2] name: ",
        ),
        "broadcast",
        "x_t = tf.where(is_first[..., None], start, x_t)",
    ),
    (
        raised(
            "z = tf.where(m, a, b)", "condition [6,9], then [6,4], and else [6,4] must be broadcastable [Op:SelectV2]"
        ),
        "broadcast",
        "# print the three shapes: from the last axis, all sizes must be equal or 1",
    ),
    # The keys of an attention, in a graph and without one.
    (
        raised(
            "scores = ops.matmul(query, key) * 0.2",
            "Dimensions must be equal, but are 20 and 9 for '{{node MatMul}} = BatchMatMulV2[T=DT_FLOAT, adj_x=false, adj_y=false]"
            "(q/Tensordot, k/Tensordot)' with input shapes: [6,9,20], [6,9,20].",
        ),
        "transpose",
        "scores = query @ ops.swapaxes(key, -1, -2) * 0.2",
    ),
    # The line above, which the traceback of a notebook quotes.
    (_NOTEBOOK, "steps", "often = layers.RepeatVector(15)(code)"),
    # One step of a decoder, by the state of the same batch.
    (
        raised(
            "seq, state = self.gru(emb, initial_state=state)",
            "ValueError: Exception encountered when calling Step.call().\n\nInput 0 with name 'None' of layer 'gru_1' is "
            "incompatible with the layer: expected ndim=3, found ndim=2. Full shape received: (6, 40)\n\n"
            "Arguments received by Step.call():\n  • words=tf.Tensor(shape=(6,), dtype=int32)\n"
            "  • state=tf.Tensor(shape=(6, 30), dtype=float32)",
        ),
        "unbatched",
        "emb = emb[:, None]",
    ),
    # Both directions as a list.
    (
        raised(
            "z = layers.Dense(7)(z)",
            f'ValueError: Layer "dense_2" expects 1 input(s), but it received 2 input tensors. Inputs received: [{_PAIR.format(30)}]',
        ),
        "inputs",
        "z = layers.Concatenate()(z)",
    ),
    # A loop along the batch.
    (
        raised(
            "both = tf.concat([state, step], -1)",
            "tensorflow.python.framework.errors_impl.InvalidArgumentError: Exception encountered when calling Roll.call().\n\n"
            "ConcatOp : Dimension 0 in both shapes must be equal: shape[0] = [6,30] vs. shape[1] = [15,4] [Op:ConcatV2]\n\n"
            "Arguments received by Roll.call():\n  • state=tf.Tensor(shape=(6, 30), dtype=float32)\n"
            "  • x=tf.Tensor(shape=(6, 15, 4), dtype=float32)",
        ),
        "batch-first",
        "tf.unstack(inputs, axis=1)",
    ),
    # Weights of an attention with a row for each step.
    (
        raised(
            "net.fit(x, y)",
            "tensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error:\n"
            "Matrix size-incompatible: In[0]: [90,40], In[1]: [15,1]\n\t [[{{node functional/pool/Tensordot/MatMul}}]]",
        ),
        "inner-dimension",
        "self.W = self.add_weight(shape=(input_shape[-1], 1))",
    ),
    # One row with all targets.
    (
        raised(
            "net.fit(windows, prices, epochs=5)",
            "ValueError: Data cardinality is ambiguous. Make sure all arrays contain the same number of samples."
            "'x' sizes: 410\n'y' sizes: 1",
        ),
        "batch-size",
        "prices = prices.reshape(-1, 1)",
    ),
    # States of a layer that returns its output alone.
    (
        raised("seq, state = tf.keras.layers.GRU(30, return_sequences=True)(emb)", _ITERATED),
        "state-tuple",
        "seq, state = tf.keras.layers.GRU(30, return_sequences=True, return_state=True)(emb)",
    ),
    (
        raised("seq, fh, fc, bh, bc = Bidirectional(LSTM(30, return_state=False))(emb)", _ITERATED),
        "state-tuple",
        "seq, fh, fc, bh, bc = Bidirectional(LSTM(30, return_state=True))(emb)",
    ),
    (
        raised("_, h, c = self.encoder(emb)", _ITERATED),
        "state-tuple",
        "self.encoder = layers.LSTM(..., return_state=True)",
    ),
    (raised("for step in emb:", _ITERATED), "symbolic", "emb = keras.ops.unstack(emb, axis=1)"),
    # A mask of padding in an attention.
    (
        raised("z = MultiHeadAttention(2, 20)(z, z, attention_mask=is_word)", _MASK),
        "broadcast",
        "z = MultiHeadAttention(2, 20)(z, z, attention_mask=is_word[:, None, :])",
    ),
    # An autoencoder whose poolings leave over some steps.
    (
        raised("auto.fit(x, x)", _SUB.format(30, 28, "mse", "conv1d_2", "?,30,4", "?,28,4")),
        "steps",
        "layers.ZeroPadding1D((0, 2))",
    ),
    # A loss of the reader's own, with one target for several outputs.
    (
        raised("error = tf.abs(y_true - y_pred)", _SUB.format(20, 9, "bands", "dense", "20,9", "20,9,2")),
        "broadcast",
        "error = tf.abs(y_true[..., None] - y_pred)",
    ),
    # An array with another number of axes than that of the first call.
    (
        raised(
            "held_out = net.predict(windows_test)", "ValueError: Cannot take the length of shape with unknown rank."
        ),
        "unbatched",
        "windows_test = windows_test.reshape(-1, *net.input_shape[1:])",
    ),
    # An autoencoder has its inputs as targets, so neither may be cut.
    (raised("ae.fit(z, z, epochs=3)", _STEPS), "steps", "layers.RepeatVector(12)"),
    (raised("ae.fit(x=z, y=z, epochs=3)", _STEPS), "steps", "layers.RepeatVector(12)"),
    (raised("ae.fit(z, t, epochs=3)", _STEPS), "shifted-targets", "t = t[:, 1:]"),
    # Steps and features swapped by the model, which has fewer steps than the data, or by the data.
    (raised("m.fit(z, t)", _SHAPE.format("i", "(None, 3, 48)", "(16, 48, 3)")), "transpose", "Input((48, 3))"),
    (
        raised("m.fit(z, t)", _SHAPE.format("i", "(None, 48, 3)", "(16, 3, 48)")),
        "transpose",
        "z = np.swapaxes(z, 1, 2)",
    ),
    (
        raised("m.predict(z)", _SHAPE.format("i", "(None, 3, 48)", "(16, 48, 3)")),
        "transpose",
        "z = np.swapaxes(z, 1, 2)",
    ),
    # Arrays by name.
    (raised("m.predict(x=z)", _SHAPE.format("i", "(None, 9, 3)", "(9, 3)")), "unbatched", "z = z[None]"),
    (
        raised("m.fit(x=[p, q], y=t)", _SHAPE.format("i", "(None, 9, 3)", "(None, 7)")),
        "unbatched",
        "m.fit(x=[q, p], y=t)",
    ),
    # An array of none of the sizes, in a model whose inputs have names of the reader's.
    (_SHAPE.format("visits", "(None, 14, 6)", "(None, 9)"), "inputs", 'model.fit({"visits": x_visits, ...}, y)'),
    # A fit without targets gets a data set, and not an array.
    (raised("m.fit(z, epochs=3)", _SHAPE.format("i", "(None, 9, 3)", "(9, 3)")), "unbatched", "z = z.batch(32)"),
    # A vector of more entries than a layer has units, which are no round number, is rather that of a Flatten.
    (
        raised("m.add(GRU(20))", _AXES.format("gru_4", "(None, 378)")),
        "flattened",
        "TimeDistributed(Flatten())",
    ),
    # A loop adds the layers.
    (
        raised("m.add(layers.LSTM(n, dropout=0.1))", _AXES.format("lstm_1", "(None, 80)")),
        "return-sequences",
        "m.add(layers.LSTM(n, dropout=0.1, return_sequences=True))",
    ),
    (
        raised("m.add(Bidirectional(GRU(sizes[i])))", _AXES.format("bidirectional_1", "(None, 80)")),
        "return-sequences",
        "m.add(Bidirectional(GRU(sizes[i], return_sequences=True)))",
    ),
    (
        raised("m.add(layers.LSTM(HIDDEN))", _AXES.format("lstm_1", "(None, 80)")),
        "return-sequences",
        "layers.LSTM(80, return_sequences=True)",
    ),
    # The shape of the input in the reader's own line.
    (
        raised("m.add(GRU(20, input_shape=(9,), name='g'))", _AXES.format("g", "(None, 9)")),
        "unbatched",
        "m.add(GRU(20, input_shape=(9, 1), name='g'))",
    ),
    # More arrays than the model has inputs: the outputs of an encoder come before its states.
    (raised("p, h = dec.predict([word] + given)", _INPUTS), "inputs", "p, h = dec.predict([word] + given[-1:])"),
    (raised("p, h = dec.predict([word, h, c])", _INPUTS), "inputs", "p, h = dec.predict([word, h])"),
    # A squeeze of the reader's own is no loss.
    (raised("s = tf.squeeze(s, axis=1)", _SQUEEZE), "reshape", "s = tf.squeeze(s, axis=-1)"),
    (raised("return tf.nn.softmax(tf.squeeze(s, 1))", _SQUEEZE), "reshape", "return tf.nn.softmax(tf.squeeze(s, -1))"),
    # Weights for h and x together in the reader's own cell, by the shapes of its arguments.
    (_OF_BOTH.format("12,12"), "inner-dimension", "self.kernel = self.add_weight(shape=(17, 12))"),
]

_RANKS = "ValueError: Arguments `target` and `output` must have the same rank (ndim). Received: target.shape={}, output.shape={}"
_WEIGHTED = (
    "ValueError: Dimensions must be equal, but are 20 and {0} for '{{{{node compile_loss/mse/mul}}}} = Mul[T=DT_FLOAT]"
    "(compile_loss/mse/Mean, data_2)' with input shapes: [?,20], [?,{0}]."
)
_SCORES = """ValueError: Exception encountered when calling Attention.call().

Dimensions must be equal, but are 30 and 60 for '{{node m/attention_1/MatMul}} = BatchMatMulV2[T=DT_FLOAT](m/lstm_1/transpose, m/attention_1/transpose)' with input shapes: [?,9,30], [?,60,12]."""
_SUM = (
    "InvalidArgumentError: {{function_node __wrapped__AddV2}} Incompatible shapes: [7,40] vs. [7,30] [Op:AddV2] name:"
)
_JOIN = (
    "ValueError: all the input arrays must have same number of dimensions, but the array at index 0 has 3 dimension(s) and the array "
    "at index 1 has 2 dimension(s)"
)
_DOT = "ValueError: Incompatible input shapes: axis values 30 (at axis 1) != 9 (at axis 1). Full input shapes: (None, 30, 8), (None, 9, 8)"
_BIASES = "ValueError: You called `set_weights(weights)` on layer '{}' with a weight list of length 4, but the layer was expecting 3 weights."

FIRST_LINES += [
    # Steps that are to be cut into sub-sequences, of which the model takes any number.
    (
        raised("m.fit(z, t)", _SHAPE.format("i", "(None, None, 10, 3)", "(None, 30, 3)")),
        "flattened",
        "z = z.reshape(len(z), -1, 10, 3)",
    ),
    (
        raised("z = tf.sigmoid(xr + hr)", _SUM),
        "broadcast",
        "# xr and hr must have equal sizes: look at what they are computed with, such as a slice, or weights of other units",
    ),
    # A window gets the next prediction, and all columns of a table get their steps in one row.
    (raised("win = np.append(win[:, 1:, :], pred, axis=1)", _JOIN), "unbatched", "pred = np.expand_dims(pred, 1)"),
    (raised("win = np.append(win[:, 1:], pred, axis=1)", _JOIN), "unbatched", "pred = np.expand_dims(pred, 1)"),
    (
        raised("back = np.concatenate((rows[:, 1:], pred), axis=1)", _JOIN),
        "unbatched",
        "rows = rows.reshape(len(rows), -1)",
    ),
    # The layers of an advised line come from the module of those in the reader's line.
    (raised("s = Dot(axes=1)([p, q])", _DOT), "inner-dimension", "s = Dot(axes=2)([p, q])"),
    (raised("s = L.Dot(axes=1)([p, q])", _DOT), "inner-dimension", "s = L.Dot(axes=2)([p, q])"),
    # Word indices without an Embedding.
    (
        raised("vocab_net = Sequential([GRU(20)])", _AXES.format("gru", "(None, 12)")),
        "embedding",
        "Embedding(10000, 32)",
    ),
    (
        raised("h = layers.GRU(20)(tokens)", _AXES.format("gru", "(None, 12)")),
        "embedding",
        "tokens = layers.Embedding(10000, 32)(tokens)",
    ),
    # Targets of one step, such as those that a slice takes.
    (raised("m.fit(z, t)", _RANKS.format("(None, 1, 9)", "(None, 9)")), "unbatched", "t = t[:, 0]"),
    (raised("m.fit(rows(), epochs=2)", _RANKS.format("(None, 1, 9)", "(None, 9)")), "unbatched", "y = y[:, 0]"),
    # The scores of an attention, the index of a step, and windows of a data set.
    (_SCORES, "hidden-size", "LSTM(60, return_sequences=True)"),
    (
        raised(
            "z = Dense(3)(h[:, -1, :])",
            "ValueError: Array has shape (None, 64) but slice has to many indices. Received: `(slice(None, None, None), -1)`",
        ),
        "indexing",
        "z = Dense(3)(h)",
    ),
    (
        raised("d = d.map(lambda v: (v[:-1], v[-1]))", "TypeError: '_VariantDataset' object is not subscriptable"),
        "unbatched",
        "d = d.flat_map(lambda w: w.batch(10000)).map(lambda v: (v[:-1], v[-1]))",
    ),
    # Weights of samples with other steps than the losses.
    (raised("m.fit(z, t, sample_weight=u)", _WEIGHTED.format(21)), "steps", "u = u[:, -20:]"),
    (
        raised("m.fit(z, t, sample_weight=u)", _WEIGHTED.format(18)),
        "steps",
        "# make the weights from the targets that the model is trained with: one for each step",
    ),
]

_UNDEFINED = (
    "ValueError: Shapes used to initialize variables must be fully-defined (no `None` dimensions). Received: shape=(None, 9) for "
    "variable path='{}/kernel'"
)
_LABELS = (
    "ValueError: `labels.shape.rank` must equal `logits.shape.rank - 1`. Received: labels.shape=({}) of rank 2 and logits.shape=({}) "
    "of rank 2"
)
_TURNED = (
    "InvalidArgumentError: {{function_node __wrapped__Sub}} Incompatible shapes: [8,15,3] vs. [15,8,3] [Op:Sub] name:"
)
_STATE = """IndexError: Exception encountered when calling LSTM.call().

list index out of range

Arguments received by LSTM.call():
  • sequences=tf.Tensor(shape=(None, 12, 7), dtype=float32)
  • initial_state=tf.Tensor(shape=(None, 90), dtype=float32)
  • mask=None"""
_CTC = "InvalidArgumentError: {{function_node __wrapped__Mul}} Incompatible shapes: [4,30,1,9] vs. [1,4,7,9] [Op:Mul] name:"
_OWN_CELL = """ValueError: Exception encountered when calling Cell.call().

not enough values to unpack (expected 2, got 1)

Arguments received by Cell.call():
  • x=tf.Tensor(shape=(None, 4), dtype=float32)
  • states=('tf.Tensor(shape=(None, 14), dtype=float32)',)"""

FIRST_LINES += [
    # A Dense behind a Flatten of any number of steps, and a recurrent layer.
    (raised("z = layers.Dense(9)(z)", _UNDEFINED.format("dense_1")), "flattened", "layers.GlobalAveragePooling1D()"),
    (
        raised("z = layers.GRU(9)(z)", _UNDEFINED.format("gru/gru_cell")),
        "input-size",
        "keras.Input((None, x.shape[-1]))",
    ),
    # Flattened predictions, and one-hot targets.
    (
        raised("l = sparse_softmax_cross_entropy_with_logits(labels=t, logits=p)", _LABELS.format("6, 9", "54, 11")),
        "flattened",
        "t = tf.reshape(t, [-1])",
    ),
    # Batch and steps in another order.
    (
        raised("loss = tf.reduce_mean((t - net(z)) ** 2)", _TURNED),
        "transpose",
        "loss = tf.reduce_mean((t - tf.transpose(net(z), [1, 0, 2])) ** 2)",
    ),
    # One state for an LSTM, and for a cell of the reader's own that unpacks two.
    (raised("m.fit([a, b], c)", _STATE), "state-tuple", "GRU(90, ...)"),
    (raised("h, c = states", _OWN_CELL), "state-tuple", "self.state_size = [14, 14]"),
]

_YIELDED = "TypeError: `generator` yielded an element of shape {} where an element of shape {} was expected."
_PLACES = "ValueError: Dimensions must be equal, but are 30 and 64 for '{{node add}} = AddV2[T=DT_FLOAT](e/GatherV2, e_2/GatherV2)' with input shapes: [?,30,8], [64,8]."
_LOADED = (
    "InvalidArgumentError: Graph execution error:\nlogits and labels must have the same first dimension, got logits shape [12,5] and "
    "labels shape [84]\n\t [[{{node compile_loss/sparse_categorical_crossentropy/SparseSoftmaxCrossEntropyWithLogits}}]]"
)

FIRST_LINES += [
    # More places in a table of positions than steps.
    (raised("return self.emb(ids) + self.pos(places)", _PLACES), "steps", "places = tf.range(tf.shape(ids)[1])"),
    (raised("return h + self.pos_table", _PLACES), "steps", "return h + self.pos_table[..., :30, :]"),
    (raised("m.fit(z, t, epochs=3)", _LOADED), "return-sequences", "LSTM(..., return_sequences=True)"),
]

_ELEMENT = "But found element of shape (None, 9, 7), which is different from the first element's shape (None, 11, 7)."
_BEYOND = (
    "ValueError: Array has shape (None, 14, 6) but out-of-bounds index (slice(None, None, None), 14) was requested."
)
_PERMUTED = (
    "ValueError: Invalid permutation argument `dims` for Permute Layer. The set of indices in `dims` must be consecutive and start "
    "from 1. Received dims={}"
)

FIRST_LINES += [
    # Functions of keras.ops in the reader's words.
    (
        raised(
            "z = ops.concatenate([p, q], axis=-1)",
            f"ValueError: Every value in `xs` must have the same shape except on the `axis` dim. {_ELEMENT}",
        ),
        "concatenate-axis",
        "z = ops.concatenate([p, q], axis=1)",
    ),
    (
        raised("z = ops.stack([p, q])", f"ValueError: Every value in `x` must have the same shape. {_ELEMENT}"),
        "concatenate-axis",
        "z = ops.concatenate([p, q], axis=1)",
    ),
    (
        raised("w = ops.squeeze(w, 1)", "ValueError: Cannot squeeze axis 1, because the dimension is not 1."),
        "reshape",
        "w = ops.squeeze(w, -1)",
    ),
    (
        raised(
            "s = ops.matmul(p, q)",
            "ValueError: Inner dimensions (`x1.shape[-1]` and `x2.shape[-2]`) must be equal, but received `x1.shape=(None, 9, 24)` and "
            "`x2.shape=(None, 14, 24)`.",
        ),
        "transpose",
        "s = p @ ops.swapaxes(q, -1, -2)",
    ),
    (raised("e = h[:, 14]", _BEYOND), "index-range", "e = h[:, 13]"),
    # Layers that take a list, cells without a layer, a layer for a tensor, and axes counted from 0.
    (
        raised(
            "c = layers.Attention()(h)",
            "ValueError: Attention layer must be called on a list of inputs, namely [query, value] or [query, value, key].",
        ),
        "list",
        "c = layers.Attention()([h, h])",
    ),
    (
        raised(
            "z = Add()(p, q)",
            "ValueError: A merge layer should be called on a list of inputs. Received: input_shape=(None, 4)",
        ),
        "list",
        "z = Add()([p, q])",
    ),
    (
        raised("h = GRUCell(9)(x)", "TypeError: missing a required argument: 'states'"),
        "state-tuple",
        "h = RNN(GRUCell(9))(x)",
    ),
    (
        raised(
            "m = Model(inputs=a, outputs=head)",
            "ValueError: All `outputs` values must be KerasTensors. Received: outputs=<Dense name=d>",
        ),
        "symbolic",
        "keras.Model(x, layer(x))",
    ),
    (
        raised(
            "m = Model(a, head)",
            "ValueError: All `outputs` values must be KerasTensors. Received: outputs=<Dense name=d, built=True>",
        ),
        "symbolic",
        "m = Model(a, head(a))",
    ),
    (
        raised("p = layers.Permute((0, 2, 1))(p)", _PERMUTED.format("(0, 2, 1)")),
        "transpose",
        "p = layers.Permute((2, 1))(p)",
    ),
    (raised("p = layers.Permute((1, 0))(p)", _PERMUTED.format("(1, 0)")), "transpose", "p = layers.Permute((2, 1))(p)"),
    (
        raised(
            "r = layers.RNN(Own(4))(x)",
            "ValueError: The RNN cell should have a `state_size` attribute (single integer or list of integers).",
        ),
        "state-tuple",
        "self.state_size = units",
    ),
    (
        "ValueError: All `outputs` values must be KerasTensors. Received: outputs=[None] including invalid value None",
        "symbolic",
        "# give keras.Model the tensors of its Inputs, and what the last layers give",
    ),
    # Single samples of a generator, and too few classes.
    (
        raised(
            "m.fit(rows(), epochs=2)",
            "ValueError: When passing a dataset to a Keras model, the arrays must be at least rank 1. Received: 2 of rank 0.",
        ),
        "unbatched",
        "yield x[None], np.array([y])",
    ),
    (
        raised("m.fit(rows(), epochs=2)", _SHAPE.format("i", "(None, 9, 3)", "(None, 3)")),
        "unbatched",
        "yield x[None], y[None]",
    ),
    (
        raised("t = to_categorical(t, num_classes=6)", "IndexError: index 8 is out of bounds for axis 1 with size 6"),
        "index-range",
        "t = to_categorical(t, num_classes=9)",
    ),
]

_FOUR_AXES = (
    "ValueError: Input 0 with name 'None' of layer '{}' is incompatible with the layer: expected ndim=3, found ndim=4. Full shape "
    "received: {}"
)
_OF_STEPS = (
    "ValueError: Exception encountered when calling Own.call().\n\nDimensions must be equal, but are 5 and 1 for '{{node MatMul}} = "
    "BatchMatMulV2[T=DT_FLOAT](Placeholder, MatMul/ReadVariableOp)' with input shapes: [?,40,5], [1,7]."
)
_VECTORS = "ValueError: Incompatible input shapes: axis values 24 (at axis 1) != 1 (at axis 1). Full input shapes: (None, 24), (None, 1, 24)"
_FEWER = 'ValueError: Layer "functional_3" expects 4 input(s), but it received 3 input tensors.'

FIRST_LINES += [
    # All steps within a TimeDistributed, and an Embedding of one-hot vectors.
    (
        raised("d = Bidirectional(GRU(9))(d)", _FOUR_AXES.format("bidirectional_1", "(None, 7, 30, 44)")),
        "unbatched",
        "Bidirectional(LSTM(22))",
    ),
    (raised("onehot.add(GRU(9))", _FOUR_AXES.format("gru", "(None, 30, 21, 32)")), "unbatched", "Input((30,))"),
    # Weights of the reader's own layer for each step, and an axis of one step in a product of vectors.
    (
        raised("return tf.sin(tf.matmul(x, self.w))", _OF_STEPS),
        "inner-dimension",
        "self.w = self.add_weight(shape=(5, 7))",
    ),
    (raised("s = layers.Dot(axes=1)([u, v])", _VECTORS), "inner-dimension", "s = layers.Dot(axes=(1, 2))([u, v])"),
    # A layer that the program makes: with its other arguments, and none where another layer makes the input.
    (
        "s = LSTM(32, return_sequences=True)(x)\nq = GRU(64)(x)\nb = layers.LSTM(64, return_sequences=True)(s)\n"
        + raised(
            "z = layers.Multiply()([q, s])",
            "ValueError: Inputs have incompatible shapes. Received shapes (64,) and (25, 32)",
        ),
        "return-sequences",
        "q = GRU(64, return_sequences=True)(x)",
    ),
    (
        "s = Embedding(300, 50)(x)\nq = LSTM(64)(s)\n"
        + raised(
            "scores = Dot(axes=(2, 1))([s, q])",
            "ValueError: Incompatible input shapes: axis values 50 (at axis 2) != 64 (at axis 1). "
            "Full input shapes: (None, 60, 50), (None, 64)",
        ),
        "hidden-size",
        "s = Dense(64)(s)",
    ),
    # A loop that adds layers: the condition that it is before its last pass.
    *(
        (
            f"{head}\n    {line}\n" + raised(line, _AXES.format("lstm_1", "(None, 32)")),
            "return-sequences",
            changed,
        )
        for head, line, changed in (
            ("for i in range(3):", "m.add(LSTM(32))", "m.add(LSTM(32, return_sequences=i < 2))"),
            ("for i in range(depth):", "z = LSTM(32)(z)", "z = LSTM(32, return_sequences=i < depth - 1)(z)"),
            ("for n in [32, 16]:", "z = L.LSTM(n)(z)", "z = L.LSTM(n, return_sequences=n != 16)(z)"),
        )
    ),
    # An embedding of one index for each sample.
    (
        raised(
            "z = layers.Concatenate()([u, h])",
            "ValueError: A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. "
            "Received: input_shape=[(None, 1, 16), (None, 32)]",
        ),
        "unbatched",
        "u = layers.Flatten()(u)",
    ),
    # A tuple in the place of a number.
    (
        raised(
            "m.add(Dense(t.shape))",
            "ValueError: Received an invalid value for `units`, expected a positive integer. Received: units=(90, 3)",
        ),
        "one-number",
        "m.add(Dense(t.shape[-1]))",
    ),
    (
        raised(
            "m.add(GRU(X.shape[1:], return_sequences=True))",
            'File "site-packages/keras/src/layers/rnn/gru.py", line 107, in __init__\n    if units <= 0:\n'
            "TypeError: '<=' not supported between instances of 'tuple' and 'int'",
        ),
        "one-number",
        "m.add(GRU(32, return_sequences=True, input_shape=X.shape[1:]))",
    ),
    # A loss that drops the axis of one output leaves the steps.
    (
        "lossf = tf.keras.losses.MeanSquaredError()\nm = Sequential([LSTM(16, return_sequences=True), Dense(1)])\n"
        + raised(
            "e = lossf(t, p)",
            "InvalidArgumentError: {{function_node __wrapped__Sub}} Incompatible shapes: [9,5] vs. [9,14] [Op:Sub] name:",
        ),
        "return-sequences",
        "LSTM(16, return_sequences=False)",
    ),
    # A last axis of 1, also where the text has no line.
    (
        "InvalidArgumentError: {{function_node __wrapped__Sub}} Incompatible shapes: [9,14] vs. [9,14,1] [Op:Sub] name:",
        "unbatched",
        "b = b[..., 0]",
    ),
    # Lists of samples, targets that are one-hot twice, and a decoder without the output of its encoder.
    (
        raised(
            "m.fit(rows, t, epochs=2)",
            'File "site-packages/keras/src/data_adapter_utils.py", line 9, in check\n    int(i.shape[0]) for i in tree.flatten(data)\n'
            "IndexError: tuple index out of range",
        ),
        "list",
        "m.fit(np.array(rows), np.array(t), epochs=2)",
    ),
    (raised("m.fit(z, t)", _RANKS.format("(None, 5, 2)", "(None, 5)")), "class-targets", "t = t[..., 1]"),
    (
        raised("p, h, c = dec.predict([word, h, c])", _FEWER),
        "inputs",
        "p, h, c = dec.predict([word, encoder_outputs, h, c])",
    ),
    # Two layers of a loop without all steps, and vectors that are joined by their features.
    (
        raised(
            "h = GRU(n, return_sequences=i < len(sizes) - 2)(h)",
            _AXES.format("gru_2", "(None, 32)"),
        ),
        "return-sequences",
        "h = GRU(n, return_sequences=i < len(sizes) - 1)(h)",
    ),
    (
        raised(
            "z = Concatenate(axis=1)([p, q])",
            "ValueError: A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. Received: "
            "input_shape=[(None, 12, 30), (None, 30)]",
        ),
        "unbatched",
        "p = p[:, -1]",
    ),
]

_COUNTS = "ValueError: Data cardinality is ambiguous. Make sure all arrays contain the same number of samples.'x' sizes: 240 'y' sizes: 60"
_PARTS = (
    "InvalidArgumentError: {{function_node __wrapped__Split}} Number of ways to split should evenly divide the split dimension, but got "
    "split_dim 1 (size = 14) and num_split 3 [Op:Split] name: split"
)
_NOISE = (
    "ValueError: Exception encountered when calling Draw.call().\n\nDimensions must be equal, but are 12 and 6 for '{{node mul}} = "
    "Mul[T=DT_FLOAT](Exp, stateless_random_normal)' with input shapes: [?,12], [?,6]."
)

FIRST_LINES += [
    # One sample with its steps in the place of the samples, targets of the last steps, and a split in another order.
    (raised("m.predict(z)", _SHAPE.format("i", "(None, 9, 3)", "(9, 1, 3)")), "unbatched", "z = z.reshape(1, 9, 3)"),
    (raised("m.fit(z, t)", _STEPS.replace("12", "4")), "steps", "layers.RepeatVector(4)"),
    (
        raised("m.fit(X_train, y_train)", _COUNTS),
        "batch-size",
        "X_train, X_test, y_train, y_test = train_test_split(X, Y)",
    ),
    # A split that is not one into gates, random numbers, an axis that is not there, and a convolution beside a layer.
    (raised("mu, sigma, rho = tf.split(z, 3, axis=1)", _PARTS), "split", "Dense(21)"),
    (_NOISE, "broadcast", "noise = keras.random.normal(keras.ops.shape(x))"),
    (
        raised(
            "d = tf.reduce_sum(p - q, axis=2)",
            "InvalidArgumentError: {{function_node __wrapped__Sum}} Invalid reduction dimension (2 for input with 2 dimension(s) [Op:Sum]",
        ),
        "unbatched",
        "d = tf.reduce_sum(p - q, axis=1)",
    ),
    (
        raised(
            "s = layers.add([p, q])", "ValueError: Inputs have incompatible shapes. Received shapes (46, 8) and (50, 8)"
        ),
        "steps",
        'layers.Conv1D(..., padding="same")',
    ),
]

FIRST_LINES += [
    # Attributes that a method must not change, predictions as a vector, and a row for the padding.
    (
        raised("p = self.model.predict(self.one, verbose=0)", _SHAPE.format("i", "(None, 9, 3)", "(9, 3)")),
        "unbatched",
        "p = self.model.predict(self.one[None], verbose=0)",
    ),
    (
        raised(
            "both = np.concatenate([past, y_hat])",
            "ValueError: all the input arrays must have same number of dimensions, but the array at index 0 has 1 dimension(s) and the "
            "array at index 1 has 2 dimension(s)",
        ),
        "unbatched",
        "y_hat = y_hat.reshape(-1)",
    ),
    (
        "ValueError: Layer embedding weight shape (31, 8) is not compatible with provided weight shape (30, 8).",
        "checkpoint",
        "weights = np.vstack([np.zeros(8), weights])",
    ),
    # A data set of word indices is not padded as an array is.
    (raised("m.fit(batches)", _SHAPE.format("i", "(None, 25)", "(None, 20)")), "input-size", "Input((20,))"),
    # Axes of a Permute, counted from 0 or with a gap; its other arguments and another Permute stay.
    *(
        (
            raised(
                f"y = layers.Permute((2, 1))(layers.Permute({given}, name='turn')(x))",
                "ValueError: Invalid permutation argument `dims` for Permute Layer. The set of indices in `dims` must be "
                f"consecutive and start from 1. Received dims={given}",
            ),
            "transpose",
            f"y = layers.Permute((2, 1))(layers.Permute({dims}, name='turn')(x))",
        )
        for given, dims in (("(1, 0)", "(2, 1)"), ("(2, 3)", "(1, 2)"), ("(0, 2, 1)", "(2, 1)"))
    ),
    # A layer that takes a list keeps its other arguments; a layer within its call is not made twice.
    (
        raised("c = layers.Attention()(q, v, use_causal_mask=True)", _NO_LIST),
        "list",
        "c = layers.Attention()([q, v], use_causal_mask=True)",
    ),
    (
        raised("c = layers.Attention()(layers.GRU(6)(x))", _NO_LIST),
        "list",
        "# give the layer its inputs as one list, such as [a, b]",
    ),
    # A table of positions is the longer operand, and has a name of its own.
    (
        raised("z = pos_table + tf.tanh(x)", _ADDED.format("1,40,8", "5,24,8")),
        "steps",
        "z = pos_table[..., :24, :] + tf.tanh(x)",
    ),
    (
        raised("z = posteriors + prior", _ADDED.format("5,24,8", "40,8")),
        "broadcast",
        "# a and b must have equal sizes along each axis, or 1",
    ),
    # The second argument of predict is no array.
    (
        raised(
            "p = model.predict(x, 16)",
            '  File "site-packages/keras/src/trainers/data_adapters/data_adapter_utils.py", line 9, in f\n'
            "    for one in tree.flatten(data)\nIndexError: tuple index out of range",
        ),
        "list",
        "p = model.predict(np.array(x), 16)",
    ),
]
