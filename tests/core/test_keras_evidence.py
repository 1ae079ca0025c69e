"""Evidence in a message of Keras that decides between its causes."""

import pytest

from core.shapes import Cause, explain

_PRODUCT = (
    "Exception encountered when calling LSTMCell.call().\n\nDimensions must be equal, but are {0} and {1} for '{{{{node "
    "sequential/{2}/MatMul}}}} = MatMul[T=DT_FLOAT](x, y)' with input shapes: [1,{0}], [{1},{3}].\n\n"
    "Arguments received by LSTMCell.call():\n  • inputs=tf.Tensor(shape=(1, {0}), dtype=float32)\n"
    "  • states=('tf.Tensor(shape=(1, {0}), dtype=float32)', 'tf.Tensor(shape=(1, {0}), dtype=float32)')"
)
_AXES = "Input 0 with name 'None' of layer '{}' is incompatible with the layer: expected ndim=3, found ndim=2. Full shape received: {}"
_JOIN = (
    "A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis."
    " Received: input_shape=[{}, {}]"
)
_EXPECTED = (
    "Exception encountered when calling Sequential.call().\n\nInvalid input shape for input Tensor."
    " Expected shape {}, but input has incompatible shape {}"
)
_COUNTS = "Data cardinality is ambiguous. Make sure all arrays contain the same number of samples.'x' sizes: {}\n'y' sizes: {}"
_RANKS = (
    "Shape must be rank 2 but is rank 3 for '{{node functional/concatenate/concat}} = ConcatV2[N=2]"
    "(functional/lstm_1/strided_slice_2, functional/attention/MatMul_1)' with input shapes: [32,48], [32,9,48], []."
)


def _first(line: str, message: str, *, package: str = "") -> Cause:
    below = f'  File "site-packages/{package}", line 5, in build\n    x = layer(x)\n' if package else ""
    text = f'Traceback (most recent call last):\n  File "t.py", line 9, in <module>\n    {line}\n{below}ValueError: {message}'
    return explain(text).causes[0]


def test_features_as_many_as_units_are_no_state_of_another_layer():
    cause = _first("model.fit(X, y)", _PRODUCT.format(10, 3, "lstm_1/lstm_cell_1", 40))
    assert (cause.code, cause.lines[0][:28]) == ("transpose", "X = np.swapaxes(X, 1, 2)   #")
    of_cells = _PRODUCT.format(10, 3, "rnn/stacked_rnn_cells/lstm_cell_1", 40)
    assert _first("model.fit(X, y)", of_cells).code == "shared-cell"


def test_a_numbered_layer_with_a_told_batch_follows_another_one():
    cause = _first("model = Sequential([", _AXES.format("lstm_1", "(1, 10)"), package="keras/src/models/sequential.py")
    assert cause.code == "return-sequences"
    assert cause.why[0].values["x"] == (1, 10)


@pytest.mark.parametrize(
    "line, message, advised",
    [
        (
            "out, state_h, state_c = encoder_lstm(x)",
            "not enough values to unpack (expected 3, got 2)",
            ["encoder_lstm = layers.LSTM(..., return_state=True)", "out, state_h = encoder_lstm(x)"],
        ),
        (
            "out, state_h, state_c = encoder(x)",
            "not enough values to unpack (expected 3, got 2)",
            ["out, state_h = encoder(x)"],
        ),
        (
            "out, h, c = layer(x)",
            "not enough values to unpack (expected 3, got 2)",
            ["out, (h, c) = layer(x)", "out, h = layer(x)"],
        ),
        (
            "out, h, c = self.lstm(torch.zeros(2, 3, 4))",
            "not enough values to unpack (expected 3, got 2)",
            ["out, (h, c) = self.lstm(torch.zeros(2, 3, 4))"],
        ),
        (
            "out, state = self.gru(tf.zeros((2, 3, 4)))",
            "too many values to unpack (expected 2)",
            ["self.gru = layers.GRU(..., return_state=True)"],
        ),
        ("model.fit(X, y)", _COUNTS.format(30, 210), ["X = np.swapaxes(X, 0, 1)"]),
        ("model.fit(X, y)", _COUNTS.format(90, 3), ["y = np.swapaxes(y, 0, 1)"]),
        (
            "ds = tf.data.Dataset.from_tensor_slices((hours[:800], target[:800]))",
            "Dimensions 24 and 800 are not compatible",
            ["hours = np.swapaxes(hours, 0, 1)"],
        ),
        (
            "model.fit([days, shops], sales)",
            _COUNTS.format("14, 80", 80),
            ["days = np.swapaxes(days, 0, 1)", "model.fit([days, shops[:14]], sales[:14])"],
        ),
        (
            "both = concatenate([history, repeated])",
            _JOIN.format("(None, 5, 14)", "(None, 14, 3)"),
            ["history = layers.Permute((2, 1))(history)"],
        ),
        (
            "both = concatenate([history, repeated])",
            _JOIN.format("(None, 14)", "(None, 14, 3)"),
            ["history = layers.Reshape((14, 1))(history)"],
        ),
        (
            "model.predict(last)",
            _EXPECTED.format("(None, 12, 1)", "(12,)"),
            ["last = last[None, :, None]"],
        ),
        (
            "model.predict(last)",
            _EXPECTED.format("(None, 12, 1)", "(32,)"),
            ["last = np.lib.stride_tricks.sliding_window_view(last, 12)[..., None]"],
        ),
        ("model.fit(X, y)", _RANKS, ["LSTM(48, return_sequences=True)"]),
        (
            "model.fit(X, y)",
            "Arguments `target` and `output` must have the same shape. Received: target.shape=(4, 5, 10), output.shape=(4, 10, 5)",
            ["y = np.swapaxes(y, 1, 2)"],
        ),
    ],
)
def test_the_line_and_the_sizes_decide(line, message, advised):
    lines = [one.partition("   # ")[0] for one in _first(line, message).lines]
    assert lines[: len(advised)] == advised


def test_an_input_without_known_sizes_lacks_its_features_or_an_embedding():
    cause = _first("out = lstm(inputs)", _AXES.format("lstm", "(None, None)"))
    assert [one.partition("   # ")[0] for one in cause.lines][:2] == [
        "Input((None, features))",
        "inputs = layers.Embedding(words, 32)(inputs)",
    ]


_STATE_OF_OTHERS = (
    "Exception encountered when calling LSTMCell.call().\n\nDimensions must be equal, but are 128 and 64 for '{{node "
    "lstm_1/lstm_cell_1/MatMul_1}} = MatMul[T=DT_FLOAT](h, w)' with input shapes: [32,128], [64,256].\n\n"
    "Arguments received by LSTMCell.call():\n  • inputs=tf.Tensor(shape=(32, 20), dtype=float32)\n"
    "  • states=('tf.Tensor(shape=(32, 128), dtype=float32)', 'tf.Tensor(shape=(32, 128), dtype=float32)')"
)


def test_the_shapes_of_a_wrong_state_are_those_of_the_message():
    explained = explain(_STATE_OF_OTHERS)
    assert explained.layer is not None and (explained.layer.m, explained.layer.k) == (20, 64)
    assert explained.given is not None and explained.given.x[::2] == (32, 20)
    assert explained.given.h0 == explained.given.c0 == (32, 128)


def test_both_states_of_an_lstm_begin_with_zeros():
    zeros = "tf.keras.ops.zeros((32, 64))"
    assert f"[{zeros}, {zeros}]" in explain(_STATE_OF_OTHERS).causes[0].lines[-1]


@pytest.mark.parametrize("call, is_in_model", [("model.fit(ids, y)", True), ("y = model(ids)", False)])
def test_an_embedding_stands_in_the_model_where_arrays_are_given_to_it(call, is_in_model):
    text = f'  File "a.py", line 9, in <module>\n    {call}\nValueError: ' + _AXES.format("lstm", "(None, 14)")
    advised = [line for cause in explain(text).causes for line in cause.lines if "Embedding(" in line]
    assert len(advised) == 1 and advised[0].startswith("layers.Embedding(10_000, 32)   # in the model") == is_in_model
