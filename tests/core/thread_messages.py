"""Messages as people paste them, with a part of their program or none: the causes in order, and the first line that is advised."""

_TARGET = "ValueError: Error when checking target: expected dense_2 to have {} dimensions, but got array with shape {}"
_INPUT = (
    "ValueError: Error when checking input: expected lstm_4_input to have 3 dimensions, but got array with shape {}"
)
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

# Where the sequences are sorted, an index is too large for the batch, and not for an embedding.
_SORTED = """Traceback (most recent call last):
  File "fit.py", line 30, in step
    seqs = pack_padded_sequence({})
  File "/usr/lib/python3.11/site-packages/torch/nn/utils/rnn.py", line 321, in pack_padded_sequence
    input = input.index_select(batch_dim, sorted_indices)
IndexError: index out of range in self"""

RANKED = [
    (_SORTED.format("emb, sizes, enforce_sorted=False"), ["batch-first"]),
    (_SORTED.format("emb, sizes, batch_first=True, enforce_sorted=False"), ["lengths"]),
    # A linear layer of PyTorch narrows what it takes, or weights are on their side.
    (_PRODUCT.format("16x48", "96x48"), ["hidden-size", "transpose", "inner-dimension"]),
    (_PRODUCT.format("24x64", "500x64"), ["hidden-size", "transpose", "inner-dimension"]),
    (_PRODUCT.format("1x200", "7x200"), ["transpose", "hidden-size", "inner-dimension"]),
    (_TARGET.format(2, "(700, 4, 4)"), ["class-targets", "return-sequences"]),
    (
        "y = to_categorical(y)\nmodel.fit(x, to_categorical(y))\n" + _TARGET.format(2, "(700, 6, 2)"),
        ["class-targets"],
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
        "Dense(3, ...)",
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
        "DataLoader(..., drop_last=True)",
    ),
    (
        _FOLDED.format("pred, h = lstm(xb, h)"),
        "batch-size",
        "DataLoader(..., drop_last=True)",
    ),
]

_LINE = 'Traceback (most recent call last):\n  File "model.py", line 31, in forward\n    {}\n{}'
_STATE_OF_CELL = """  File "site-packages/torch/nn/_functions/rnn.py", line 31, in LSTMCell
    hx, cx = hidden
ValueError: not enough values to unpack (expected 2, got 1)"""
_GATHER = "RuntimeError: Expected tensor [4, 60, 1], src [4, 44, 9] and index [4, 60, 1] to have the same size apart from dimension 2"
_COLUMNS = "ValueError: all the input array dimensions except for the concatenation axis must match exactly"
_AT_ROWS = "all the input array dimensions for the concatenation axis must match exactly, but along dimension 0, the array at index 0 has size {} and the array at index 1 has size {}"
_TILED = "ValueError: Shape must be rank {} but is rank 2 for 'gru_1/Tile' (op: 'Tile') with input shapes: {}, [2]."

RANKED += [
    (_INPUT.format("(30, 1)"), ["unbatched", "ragged"]),
    (_AT_ROWS.format(4120, 4100), ["batch-size"]),
    (_AT_ROWS.format(120, 100), ["concatenate-axis"]),
    (
        "Size does not match at dimension 1 expected index [4, 60, 1] to be smaller than self [4, 44, 9] apart from dimension 2",
        ["steps"],
    ),
    (
        "Size does not match at dimension 0 expected index [6, 44, 1] to be smaller than src [4, 44, 9] apart from dimension 2",
        ["batch-size"],
    ),
    (
        "expand(torch.IntTensor{[20, 1]}, size=[20]): the number of sizes provided (1) must be greater",
        ["transpose", "broadcast"],
    ),
]
FIRST_LINES += [
    # The library unpacks the state, not the reader's line.
    (
        _LINE.format("y, s = self.rnn(e, s)", _STATE_OF_CELL),
        "state-tuple",
        "y, s = self.rnn(e, (s, torch.zeros_like(s)))",
    ),
    (_LINE.format("best = torch.gather(scores, 2, tags)", _GATHER), "steps", "tags = tags[:, :44]"),
    (
        _LINE.format("table = np.column_stack((series, labels))", _COLUMNS),
        "batch-size",
        "table = np.column_stack([one[:min(map(len, (series, labels)))] for one in (series, labels)])",
    ),
    (
        _LINE.format("y, _ = self.rnn(maps)", "RuntimeError: input must have 3 dimensions, got 5"),
        "unbatched",
        "maps = maps.flatten(2)",
    ),
    # The zeros of a first state have the axes of x without its features, and one of 1.
    (
        "m.add(Bidirectional(GRU(6), input_shape=(None, rows, 9)))\n" + _TILED.format(3, "[?,?,1]"),
        "unbatched",
        "m.add(Bidirectional(GRU(6), input_shape=(rows, 9)))",
    ),
    (
        "ValueError: Cannot feed value of shape (20, 8, 13) for Tensor u'Placeholder_1:0', which has shape '(20, 8, 26)'",
        "input-size",
        "tf.placeholder(tf.float32, (20, 8, 13))",
    ),
    ("m.add(GRU(6, input_dim=21))\nm.fit(data, y)\n" + _INPUT.format("(400, 21)"), "unbatched", "data = data[:, None]"),
]

_RANGE = "RuntimeError: dimension out of range (expected to be in range of [-1, 0], but got 1)"
_OLD_LSTM = """  File "site-packages/torch/nn/_functions/rnn.py", line 32, in LSTMCell
    gates = F.linear(input, w_ih, b_ih) + F.linear(hx, w_hh, b_hh)
RuntimeError: matrices expected, got 1D, 2D tensors at THTensorMath.c:1232"""
_SCALED = """ValueError                                Traceback (most recent call last)
<ipython-input-3-37> in <module>()
----> 4 table = scaler.inverse_transform(table)

/usr/lib/dist-packages/sklearn/preprocessing/_data.py in inverse_transform(self, X, copy)
-> 1035                 X *= self.scale_

ValueError: operands could not be broadcast together with shapes (90,7) (6,) (90,7)"""
_FIRST_OF_TRAINING = "RuntimeError: Expected hidden[0] size (2, 1, 40), got [2, 30, 40]"

_TWO_PRODUCTS = "h = np.tanh(np.dot(W, h.T) + np.dot(U, x.T))"

RANKED += [
    (_SCALED, ["scaler"]),
    (_LINE.format("err = train(net, batches, f)", _FIRST_OF_TRAINING), ["batch-size", "batch-first"]),
]
FIRST_LINES += [
    (
        _LINE.format("ids = torch.cat(ids, 1).squeeze()", _RANGE),
        "concatenate-axis",
        "ids = torch.stack(ids, 1).squeeze()",
    ),
    (
        _LINE.format("y, s = self.rnn(word, s)", _OLD_LSTM),
        "unbatched",
        "word = word.reshape((-1, 1, word.size(-1)) if self.rnn.batch_first else (1, -1, word.size(-1)))",
    ),
    (
        _LINE.format(_TWO_PRODUCTS, "ValueError: operands could not be broadcast together with shapes (7,7) (7,4)"),
        "broadcast",
        "# both products must have the same shape: h and x need the same batch, and their weights the same units",
    ),
    (
        "after inverse_transform of the forecast: non-broadcastable output operand with shape (50,1,1) doesn't match the broadcast shape (50,1,4)",
        "scaler",
        "scaler.inverse_transform(np.repeat(prediction.reshape(-1, 1), 4, axis=1))[:, [0]]",
    ),
]

_COUNTS = "ValueError: Expected input batch_size ({}) to match target batch_size ({})."
_JOINED = "Sizes of tensors must match except in dimension 0. Got {} and {} in dimension 1"

RANKED += [
    (_JOINED.format(311, 207), ["ragged", "concatenate-axis"]),
    (_JOINED.format(64, 207), ["concatenate-axis"]),
]
FIRST_LINES += [
    (
        _LINE.format("loss = f(scores.view(-1, 6), tags.view(-1))", _COUNTS.format(700, 600)),
        "reshape",
        "loss = f(scores.view(-1, 7), tags.view(-1))",
    ),
    (
        "tensor([[0, 0, 1], [1, 0, 0]])\n" + _LINE.format("loss = f(scores, tags.view(-1))", _COUNTS.format(20, 60)),
        "flattened",
        "loss = f(scores, tags.view(-1).reshape(20, 3).argmax(1))",
    ),
    (
        _LINE.format("grad[k] = 2 * (y[k] - label)", "ValueError: setting an array element with a sequence."),
        "one-number",
        "grad[k] = 2 * (y[k] - label[k])",
    ),
    (
        '  File "net.py", line 6, in step\n    h = np.tanh(x @ Wx + h @ Wh.T)\n                ~~^~~~\n'
        "ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, "
        "with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 17 is different from 6)",
        "transpose",
        "h = np.tanh(x @ Wx.T + h @ Wh.T)",
    ),
    (
        '  File "net.py", line 6, in step\n    W -= 0.1 * h.T @ err\n'
        "ValueError: non-broadcastable output operand with shape (9,1) doesn't match the broadcast shape (9,40)",
        "broadcast",
        "# the product must be (9, 1): look for a column minus a vector in its factors, which makes a square",
    ),
    (
        '  File "net.py", line 6, in loss\n    return -logp[jnp.arange(len(y)), y].mean()\n'
        '  File "/venv/site-packages/jax/_src/numpy/indexing.py", line 1376, in _index\n    return one\n'
        "ValueError: Incompatible shapes for broadcasting: shapes=[(8,), (8, 20)]",
        "indexing",
        "output[np.arange(len(lengths)), lengths - 1]",
    ),
    (
        '  File "scale.py", line 9, in transform\n    return (table - self.mu) / self.sd\n'
        "ValueError: operands could not be broadcast together with shapes (90,7) (90,)",
        "scaler",
        "mean, std = x.mean(axis=0), x.std(axis=0)",
    ),
    (
        '  File "scale.py", line 9, in inverse_transform\n    return table * self.sd + self.mu\n'
        "ValueError: operands could not be broadcast together with shapes (90,2) (7,)",
        "scaler",
        "return table * self.sd[:2] + self.mu[:2]",
    ),
    (
        '  File "net.py", line 9, in __call__\n    carry, y = cell(carry, x[:, t])\n'
        '  File "/venv/site-packages/flax/linen/recurrent.py", line 355, in __call__\n    i = h + x\n'
        "ValueError: Incompatible shapes for broadcasting: shapes=[(9, 7, 24), (9, 24)]",
        "unbatched",
        "carry = cell.initialize_carry(jax.random.key(0), x[:, 0].shape)",
    ),
    (
        _LINE.format(
            "gate = peep * cell", "ValueError: operands could not be broadcast together with shapes (9,9) (9,4)"
        ),
        "broadcast",
        "gate = peep @ cell",
    ),
    (
        _LINE.format("out = run.run(None, {'x': x, 'mask': mask})", "InvalidArgument: Invalid Feed Input Name:mask"),
        "inputs",
        "out = run.run(None, {'x': x})",
    ),
    (
        _LINE.format(
            "states[:, t] = s.ravel()",
            "ValueError: could not broadcast input array from shape (144,) into shape (12,)",
        ),
        "broadcast",
        "b = b.reshape(-1, 1)",
    ),
    (
        _LINE.format("keys = array_ops.concat(1, outputs)", "ValueError: Shape (9, ?, 1, 40) must have rank 0"),
        "swapped-arguments",
        "keys = array_ops.concat(outputs, 1)",
    ),
    (
        "RuntimeError: matrices expected, got 3D, 2D tensors at THTensorMath.c:1232",
        "unbatched",
        "x = x.view(-1, x.size(-1))",
    ),
    # The text tells which of the two sizes is the batch.
    (
        "batch: 6 seq_len: 15\n"
        + _LINE.format("y, s = self.gru(x, h0)", "RuntimeError: Expected hidden size (2, 15, 40), got (2, 6, 40)"),
        "batch-first",
        "self.gru = nn.GRU(..., batch_first=True)",
    ),
]

_OTHER_WEIGHTS = (
    "size mismatch for {}: copying a param with shape torch.Size([{}]) from checkpoint, the shape in current model is "
    "torch.Size([{}])."
)
_FED = "ValueError: Cannot feed value of shape (1, 6, 9) for Tensor u'gru_1_input:0', which has shape '(4, 6, 9)'"
_SCORES = "RuntimeError: The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension 3"

RANKED += [
    # Batch and units are often one power of two, and few outputs are classes.
    (_PRODUCT.format("32x90", "32x3"), ["hidden-size", "transpose", "inner-dimension"]),
    (_PRODUCT.format("32x90", "32x90"), ["inner-dimension", "transpose", "hidden-size"]),
]
FIRST_LINES += [
    # Both parts of the data must have whole batches.
    (
        "m.add(GRU(5, stateful=True, batch_input_shape=(4, 6, 9)))\nm.fit(x, y, batch_size=4, validation_split=0.25)\n"
        + _FED,
        "batch-size",
        "m.fit(x[:len(x) // 16 * 16], y[:len(x) // 16 * 16], validation_split=0.25, batch_size=4)",
    ),
    (
        _OTHER_WEIGHTS.format("words.embed.weight", "700, 40", "640, 40"),
        "checkpoint",
        "nn.Embedding(700, 40)",
    ),
    (
        _OTHER_WEIGHTS.format("embed.weight", "700, 40", "640, 40")
        + "\n"
        + _OTHER_WEIGHTS.format("out.bias", "700", "640"),
        "checkpoint",
        "# number the words as in the training of the file: save its vocabulary of 700 words, and load both",
    ),
    (
        _OTHER_WEIGHTS.format("pos_embed.weight", "700, 40", "640, 40")
        + "\n"
        + _OTHER_WEIGHTS.format("mask.bias", "700", "640"),
        "checkpoint",
        "# make the model with 700 where it has 640, as it was when the file was saved",
    ),
    (
        _LINE.format("energy = energy + padding_mask", _SCORES.format(21, 24)),
        "broadcast",
        "padding_mask = padding_mask[..., :21]",
    ),
    (
        _LINE.format(
            "y = self.out(table)", "TypeError: linear(): argument 'input' (position 1) must be Tensor, not DataFrame"
        ),
        "list",
        "table = torch.tensor(table.values).float()",
    ),
    # All steps of each sequence are in the rows.
    (_PRODUCT.format("600x24", "480x5"), "hidden-size", "linear(output.flatten(1))"),
    (_PRODUCT.format("50x24", "480x5"), "hidden-size", "nn.Linear(24, 5)"),
    # This version counted an axis that it had added.
    (
        "g = torch.nn.GRU(7, 8, batch_first=True)\ng(torch.zeros(6, 5, 3, 7))\nRuntimeError: input must have 3 dimensions, got 5",
        "unbatched",
        "g(torch.zeros(6, 5, 3, 7).flatten(0, 1))",
    ),
    (
        "RuntimeError: the number of sizes provided must be greater or equal to the number of dimensions in the tensor at THTensor.c:290",
        "unbatched",
        "x = x[-1]",
    ),
]

_ROWS = "RuntimeError: shape '[-1, {}]' is invalid for input of size {}"

FIRST_LINES += [
    # The row of a view holds the whole batch.
    (
        "loader = DataLoader(data, batch_size=6)\n" + _LINE.format("e = e.view(-1, 6*25*3)", _ROWS.format(450, 300)),
        "batch-size",
        "e = e.view(-1, 25 * 3)",
    ),
    # A class equal to the number of outputs is most often a count from 1.
    ("self.out = nn.Linear(40, 6)\nIndexError: Target 6 is out of bounds.", "index-range", "targets = targets - 1"),
    (
        "self.out = nn.Linear(40, 6)\nIndexError: Target 7 is out of bounds.",
        "index-range",
        "self.out = nn.Linear(40, 8)",
    ),
]

_TOO_MANY = "ValueError: Error when checking input: expected {} to have 2 dimensions, but got array with shape {}"

FIRST_LINES += [
    # A prediction of the first Keras 2 names no input in its words.
    (
        "best = decoder.predict(x)\nValueError: Error when checking : expected input_5 to have shape (24,) but got array with shape (2,)",
        "input-size",
        "x = keras.utils.pad_sequences(x, maxlen=24)",
    ),
    (_TOO_MANY.format("input_5", "(60, 7, 13)"), "unbatched", "x = x.argmax(-1)"),
    (_TOO_MANY.format("input_5", "(60, 1, 13)"), "unbatched", "x = x[:, 0]"),
    (_TOO_MANY.format("input_5", "(60, 7, 1)"), "unbatched", "x = x[..., 0]"),
    (_TOO_MANY.format("embedding_2_input", "(60, 7, 1)"), "embedding", "x = x[..., 0]"),
    (_TOO_MANY.format("embedding_2_input", "(60, 7, 13)"), "embedding", "x = np.argmax(x, axis=-1)"),
]

FIRST_LINES += [
    # A layer that another method makes, below the call, reads the batch first, and the line puts it second.
    (
        "def forward(self, e):\n    y, self.s = self.rnn(e.view(1, self.n, self.m), self.s)\n\n"
        "self.rnn = nn.GRU(6, 24, batch_first=True)\nRuntimeError: Expected hidden size (1, 1, 24), got (1, 9, 24)",
        "batch-first",
        "self.rnn = nn.GRU(6, 24, batch_first=False)",
    ),
    (
        "forecast[len(fitted) + 9 : len(series) - 1, :] = predicted\n"
        "ValueError: could not broadcast input array from shape (70,1) into shape (0,1)",
        "indexing",
        "forecast[-len(predicted):, :] = predicted",
    ),
    (
        "Dimension size must be evenly divisible by 21 but is 640 for 'policy/Reshape_4' (op: 'Reshape') with input shapes: [10,64], [3]",
        "reshape",
        "# the entries of x must be a multiple of 21: cut the data to whole sequences, or choose other sizes",
    ),
]

_TWO = "ValueError: too many values to unpack (expected 2)"

RANKED += [
    (_LINE.format("y, _ = rnn.pack_padded_sequence(y, n, batch_first=True)", _TWO), ["packed"]),
    ("RuntimeError: size mismatch at /pytorch/torch/lib/THC/Blas.cu:247", ["hidden-size", "inner-dimension"]),
]
FIRST_LINES += [
    # A packed sequence has four parts.
    (
        _LINE.format("y, _ = rnn.pack_padded_sequence(y, n, batch_first=True)", _TWO),
        "packed",
        "y = rnn.pack_padded_sequence(y, n, batch_first=True).data",
    ),
    (
        _LINE.format("y, sizes = pack_sequence(y)", _TWO),
        "packed",
        "y, sizes, *_ = pack_sequence(y)",
    ),
    # The words of Python 2.
    (
        _LINE.format(
            "y, s = self.rnn(e, s)",
            _STATE_OF_CELL.rpartition("\n")[0] + "\nValueError: need more than 1 value to unpack",
        ),
        "state-tuple",
        "y, s = self.rnn(e, (s, torch.zeros_like(s)))",
    ),
    (
        "ValueError: Cannot feed value of shape (1, 1) for Tensor 'chars:0', which has shape '(20, 35)'",
        "batch-size",
        "Input(batch_shape=(1, 1))",
    ),
]

_IN_CELL = """  File "site-packages/torch/nn/modules/rnn.py", line 1058, in forward
    self.bias_ih, self.bias_hh,
IndexError: Dimension out of range (expected to be in range of [-1, 0], but got 1)"""
_EXPANDED = "RuntimeError: expand(torch.FloatTensor{{[2, 1, 6, 24]}}, size=[6, {}]): the number of sizes provided (3) must be greater or equal to the number of dimensions in the tensor (4)"

FIRST_LINES += [
    # An older cell fails on a vector within its own module.
    (_LINE.format("e = last.unsqueeze(1).expand(6, n, -1)", _EXPANDED.format("11, -1")), "unbatched", "x = x[-1]"),
    (
        _LINE.format("e[t] = last", _EXPANDED.format("11, 24")),
        "broadcast",
        "e = torch.zeros((len(e), 2, 1, 6, 24))",
    ),
    # A field over the tags predicts one for each step.
    (_TARGET.replace("dense_2", "crf_3").format(3, "(40, 15)"), "class-axis", "y = y[..., None]"),
    (
        "ValueError: Cannot feed value of shape (40, 15) for Tensor u'dense_6_target:0', which has shape '(?, ?, ?)'",
        "return-sequences",
        "LSTM(..., return_sequences=False)",
    ),
]

FIRST_LINES += [
    (
        "Given groups=1, weight of size 24 7 3 3, expected input[6, 12, 9, 9] to have 7 channels, but got 12 channels instead",
        "input-size",
        "nn.Conv2d(12, ...)",
    ),
    (
        "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [6, 9, 3, 30, 30]",
        "unbatched",
        "x = x.flatten(0, 1)",
    ),
    # Each sequence has a row for each of its steps.
    (
        "ValueError: Target size (torch.Size([12, 1])) must be the same as input size (torch.Size([84, 1]))",
        "broadcast",
        "logits = logits.view(12, 7, -1).mean(1)",
    ),
    (
        "ValueError: Target size (torch.Size([12, 1])) must be the same as input size (torch.Size([85, 1]))",
        "broadcast",
        "# predictions and targets must have one shape",
    ),
]

FIRST_LINES += [
    # A slice before the beginning of the data is empty.
    (
        "RuntimeError: stack expects each tensor to be equal size, but got [0, 7] at entry 0 and [16, 7] at entry 1",
        "indexing",
        "# in __getitem__: 0 <= start, and start + steps <= len(data)",
    ),
]

_VECTOR_FOR_LAYER = """  File "site-packages/torch/nn/modules/rnn.py", line 178, in forward
    max_batch_size = input.size(0) if self.batch_first else input.size(1)
IndexError: Dimension out of range (expected to be in range of [-1, 0], but got 1)"""
_OF_KERAS = 'ValueError: Input 0 of layer "{}" is incompatible with the layer: expected ndim={}, found ndim={}. Full shape received: {}'
_APART = "ValueError: operands could not be broadcast together with shapes {} {} "
_OF_JAX = "TypeError: mul got incompatible shapes for broadcasting: {}, {}."

RANKED += [
    # A size of 0, and channels that are as many as the batch.
    (_LINE.format("e = e.view(-1, batch * 0)", _ROWS.format(0, 10)), ["reshape"]),
    (
        "conv = nn.Conv2d(6, 16, 5)\nloader = DataLoader(data, batch_size=16)\n"
        + _LINE.format("e = e.view(-1, 16 * 4 * 4)", _ROWS.format(256, 2400)),
        ["reshape"],
    ),
    # A layer over steps is no cell.
    (_LINE.format("y, s = self.rnn(x)", _VECTOR_FOR_LAYER), ["indexing"]),
    # Statistics of rows, and a sum of statistics without a table.
    (_LINE.format("z = (x - mean) / std", _APART.format("(90,4)", "(90,)")), ["broadcast"]),
    (_LINE.format("middle = low + high", _APART.format("(90,4)", "(6,)")), ["broadcast"]),
    # The weights beside a loss, and not its targets.
    (
        _LINE.format(
            "loss = optax.sigmoid_binary_cross_entropy(out, y) * w", "JAX " + _OF_JAX.format("(6, 4)", "(6, 9)")
        ),
        ["broadcast"],
    ),
    # Images in the place of volumes, and behind a Conv2D.
    (_LINE.format("x = layers.Conv3D(8, 3)(x)", _OF_KERAS.format("conv3d", 5, 4, "(None, 32, 32, 3)")), ["unbatched"]),
    (
        "x = layers.Conv2D(8, 3)(x)\n"
        + _LINE.format("x = layers.MaxPooling1D(2)(x)", _OF_KERAS.format("max_pooling1d", 3, 4, "(None, 30, 30, 8)")),
        ["unbatched"],
    ),
    # One input alone, in a line that runs no model.
    (
        _LINE.format("for a in z:", "ValueError: x sizes: 3 Make sure all arrays contain the same number"),
        ["batch-size"],
    ),
]
