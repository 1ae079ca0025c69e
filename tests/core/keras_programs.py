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

FIRST_LINES = [
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
    # What is given alone to a fit is a data set, and not an array.
    (raised("m.fit(z, epochs=3)", _SHAPE.format("i", "(None, 9, 3)", "(9, 3)")), "unbatched", "z = z.batch(32)"),
    # A vector of more entries than a layer has units, which are no round number, is rather that of a Flatten.
    (
        raised("m.add(GRU(20))", _AXES.format("gru_4", "(None, 378)")),
        "flattened",
        "layers.TimeDistributed(layers.Flatten())",
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
        "LSTM(80, return_sequences=True)",
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
