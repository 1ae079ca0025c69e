"""Messages as people paste them, with a part of their program or none: the causes in order, and the first line that is advised."""

_TARGET = "ValueError: Error when checking target: expected dense_2 to have {} dimensions, but got array with shape {}"
_INPUT = (
    "ValueError: Error when checking input: expected lstm_4_input to have 3 dimensions, but got array with shape {}"
)
_THEANO = "TypeError: ('Bad input argument to theano function with name \"f\" at index {}(0-based)', 'Wrong number of dimensions: expected 3, got 2 with shape (40, 6).')"
_PRODUCT = "RuntimeError: mat1 and mat2 shapes cannot be multiplied ({} and {})"
# Colab shows the reader's line and the last frame alone.
_FOLDED = """RuntimeError                              Traceback (most recent call last)
<ipython-input-4-1f> in <module>()
      6 for xb, yb in batches:
----> 7     {}
      8     loss = f(pred, yb)

5 frames
/usr/local/lib/python3.6/dist-packages/torch/nn/modules/rnn.py in check_hidden_size(self, hx, expected_hidden_size, msg)
--> 176             raise RuntimeError(msg.format(expected_hidden_size, tuple(hx.size())))

RuntimeError: Expected hidden[0] size (2, 9, 40), got (2, 30, 40)"""

RANKED = [
    # A linear layer of PyTorch narrows what it takes, or weights are on their side.
    (_PRODUCT.format("16x48", "96x48"), ["hidden-size", "transpose", "inner-dimension"]),
    (_PRODUCT.format("24x64", "500x64"), ["hidden-size", "transpose", "inner-dimension"]),
    (_PRODUCT.format("1x200", "7x200"), ["transpose", "hidden-size", "inner-dimension"]),
    (_THEANO.format(0), ["unbatched"]),
    (_THEANO.format(1), ["return-sequences"]),
    ("ValueError: Shape mismatch: x has 9 rows but z has 40 rows", ["batch-size"]),
    (_TARGET.format(2, "(700, 4, 4)"), ["class-targets", "return-sequences"]),
    (
        "y = to_categorical(y)\nmodel.fit(x, to_categorical(y))\n" + _TARGET.format(2, "(700, 6, 2)"),
        ["class-targets", "return-sequences"],
    ),
    (_TARGET.format(2, "(700, 6, 2)"), ["return-sequences"]),
]

FIRST_LINES = [
    # The sparse loss takes one index for each sequence, or one for each step.
    (
        "model.compile('adam', 'sparse_categorical_crossentropy')\n" + _TARGET.format(3, "(80, 12)"),
        "class-axis",
        "y = y[..., None]",
    ),
    (
        "model.compile('adam', 'mse')\n" + _TARGET.format(3, "(80, 12)"),
        "return-sequences",
        "LSTM(..., return_sequences=False)",
    ),
    (
        "ValueError: Error when checking target: expected dense_2 to have shape (30, 8) but got array with shape (6, 3)",
        "broadcast",
        "Dense(3)",
    ),
    # The rows of a fit are samples, unless a batch takes them all.
    (
        "m.add(LSTM(8, input_shape=(None, 21)))\nm.fit(data, labels, batch_size=50)\n" + _INPUT.format("(400, 21)"),
        "unbatched",
        "data = data[:, None]",
    ),
    (
        "m.add(LSTM(8, input_shape=(None, 21)))\nm.fit(data, labels, batch_size=500)\n" + _INPUT.format("(400, 21)"),
        "unbatched",
        "data = data[None]",
    ),
    (
        "m.add(LSTM(8, input_shape=(None, 21)))\nm.fit(data, labels,\n      batch_size=50)\n"
        + _INPUT.format("(400, 21)"),
        "unbatched",
        "data = data[:, None]",
    ),
    (_INPUT.format("(16, 30, 1, 512)"), "unbatched", "x = x[:, :, 0]"),
    (_INPUT.format("(16, 30, 5, 4)"), "unbatched", "x = x.reshape(-1, 30, 20)"),
    # The folded frames hide which layer of the model failed.
    (
        _FOLDED.format("pred, h = model(xb, h)"),
        "batch-size",
        "h0 = c0 = torch.zeros(2, x.size(0 if layer.batch_first else 1), 40)",
    ),
    (
        _FOLDED.format("pred, h = lstm(xb, h)"),
        "batch-size",
        "h = (torch.zeros(2, xb.size(0 if lstm.batch_first else 1), 40), torch.zeros(2, xb.size(0 if lstm.batch_first else 1), 40))",
    ),
]
