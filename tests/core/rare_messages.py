"""Messages that are pasted seldom: the causes in order, and the first line that is advised."""

_LINE = 'Traceback (most recent call last):\n  File "model.py", line 31, in forward\n    {}\n{}'
_CAT = "RuntimeError: Sizes of tensors must match except in dimension 1. {}"
_INDICES = "IndexError: too many indices for tensor of dimension {}"
_EXPANDED = "RuntimeError: The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton dimension 0.  Target sizes: {}"
_STATE = (
    "assertion failed: [When calling zero_state of AttentionWrapper w: Non-matching batch sizes.] "
    "[Condition x == y did not hold element-wise:] [x (a:0) = ] [{}] [y (b:0) = ] [{}]"
)
_NO_ROWS = "ValueError: could not broadcast input array from shape (0,30) into shape (30)"
_PUT = "ValueError: could not broadcast input array from shape {} into shape {}"
_SIZES = "RuntimeError: The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension 1"
_IN_LIBRARY = 'File "/lib/site-packages/cells/gru.py", line 9, in forward\n    {}\n{}'

RANKED = [
    ("ValueError: Cannot reshape a tensor with 640 elements to shape [0,16] (0 elements)", ["reshape"]),
    ("self.rnn = nn.RNN(4, 9)\nRuntimeError: matrices expected, got 1D, 2D tensors at THTensorMath.c", ["unbatched"]),
    ("ValueError: Expected target size (8, 30), got torch.Size([8, 5, 30])", ["class-targets"]),
    ("non-broadcastable output operand with shape (71,1) doesn't match the broadcast shape (71,6)", ["scaler"]),
    (
        "non-broadcastable output operand with shape (64,1) doesn't match the broadcast shape (64,6)",
        ["scaler", "broadcast"],
    ),
    (_STATE.format(64, 10), ["batch-size"]),
    (_LINE.format("rows[i] = words[i:i + 1]", _NO_ROWS), ["indexing"]),
    ("ValueError: Shapes (None, 9) and (None, 6, 6, 9) are incompatible", ["flattened"]),
    (
        "ValueError: Dimension 1 in both shapes must be equal, but are 20 and 10 for 'cell/concat' (op: 'ConcatV2') with input shapes: [?,20,20,6], [8,10,10,6], [].",
        ["input-size"],
    ),
    # An unknown batch is no other one.
    (
        "ValueError: Dimension 1 in both shapes must be equal, but are 20 and 10 for 'concat' (op: 'ConcatV2') with input shapes: [?,20,6], [8,10,6], [].",
        ["concatenate-axis"],
    ),
    (_LINE.format("c = h.unsqueeze(1).expand(n, t, -1)", _EXPANDED.format(20, 32, "[20, 4, -1]")), ["batch-size"]),
    (
        _IN_LIBRARY.format(
            "c_n = f_n * c_n + i_n * g_n",
            "RuntimeError: The size of tensor a (256) must match the size of tensor b (64) at non-singleton dimension 1",
        ),
        ["broadcast"],
    ),
]

RANKED += [
    (_LINE.format("y = emb + pitch", _SIZES.format(40, 31)), ["broadcast", "steps"]),
    # Texts that are cut or changed.
    (_LINE.format("net.fit(a, b)", "Incompatible shapes: [1,96] vs. [1,32]"), ["broadcast"]),
    (
        "for t in range(1,, n):\n"
        + _LINE.format("w = trg[t]", "IndexError: index 9 is out of bounds for dimension 0 with size 9"),
        ["index-range"],
    ),
    ("cannot reshape array of size 0 into shape (24,18)", ["reshape"]),
    # Class indices on both sides already.
    (_LINE.format("hits = scores.argmax(-1) == labels", _SIZES.format(6, 41000)), ["broadcast"]),
    # An index on another axis is no more than a guess: a smaller batch is as common, and a vector tells no axis.
    (
        _LINE.format("out[t] = h", _PUT.format("(24,18)", "(32,18)")),
        ["batch-size", "indexing", "broadcast"],
    ),
    (_LINE.format("hs[t + 1] = h", _PUT.format("(24,)", "(18,)")), ["broadcast"]),
    (_LINE.format("out[mask] = h", _PUT.format("(24,18)", "(32,18)")), ["batch-size", "broadcast"]),
    ("Data cardinality is ambiguous:\n  x sizes: {}\n  y sizes: {}\nMake sure all arrays contain", ["steps"]),
    ("ValueError: __len__() should return >= 0", ["steps"]),
    ("ValueError: all input arrays must have the same shape", ["ragged", "concatenate-axis"]),
    (
        "ValueError: Error when checking target: expected dense_2 to have shape (None, 1, 640) but got array with shape (640, 1, 1)",
        ["broadcast"],
    ),
    (
        "ConcatOp : Dimensions of inputs should match: shape[0] = [1,1,12] vs. shape[1] = [30,1,12]",
        ["batch-size", "concatenate-axis"],
    ),
    ("RuntimeError: only one dimension can be inferred", ["reshape"]),
    (
        "IndexError: The shape of the mask [9] at index 0 does not match the shape of the indexed tensor [4] at index 0",
        ["indexing"],
    ),
    ("ValueError: shapes (3,8) and (3,8) not aligned: 8 (dim 1) != 3 (dim 0)", ["transpose", "inner-dimension"]),
]

_KERAS = "ValueError: Input 0 of layer {} is incompatible with the layer: expected ndim={}, found ndim={}. Full shape received: {}"

RANKED += [
    (
        "y, h, c = layer(x, initial_state=[h0, c0])\nValueError: Dimensions must be equal, but are 128 and 32 for 'b_lstm/mul' (op: 'Mul') with input shapes: [?,?,128], [?,1,32].",
        ["unbatched"],
    ),
    ("x = Flatten()(x)\n" + _KERAS.format("conv2d_2", 4, 2, "(None, 90)"), ["flattened"]),
    ("ValueError: Cannot infer num from shape (?, ?, 12)", ["steps"]),
]

_LACKS = "RuntimeError: The expanded size of the tensor (40) must match the existing size (9) at non-singleton dimension 1.  Target sizes: [9, 40, 6].  Tensor sizes: [9, 6]"
_CELL_BATCH = "RuntimeError: Input batch size 6 doesn't match hidden[0] batch size 12"
_ALL_CHANNELS = _EXPANDED.replace("dimension 0", "dimension 2")
_CAT_ROWS = "RuntimeError: Sizes of tensors must match except in dimension 0. Got {} and {} in dimension {}"
_PAST = "n_past = 12\nn_future = 4\n"

RANKED += [
    (_LACKS, ["unbatched"]),
    ("num_layers=1\n" + _CELL_BATCH, ["batch-size", "batch-first", "unbatched"]),
    (_PAST + _SIZES.format(12, 5), ["broadcast"]),
    (_SIZES.format(512, 511), ["broadcast"]),
    ("RuntimeError: gather(): Expected dtype int64 for index", ["indexing"]),
    (_EXPANDED.format(7, 0, "[7, 30].  Tensor sizes: [0, 30]"), ["indexing"]),
    (_ALL_CHANNELS.format(46, 38, "[5, 20, 46].  Tensor sizes: [5, 20, 38]"), ["broadcast"]),
    # DataParallel divides the layers of a state among the devices.
    ("RuntimeError: Expected hidden size (4, 6, 20), got (2, 12, 20)", ["batch-size", "layers-directions"]),
    ("RuntimeError: Expected hidden size (4, 6, 20), got (2, 13, 20)", ["layers-directions", "batch-size"]),
    (_CAT_ROWS.format(73, 58, 2), ["ragged", "concatenate-axis"]),
]

FIRST_LINES = [
    # A gradient whose product has the transpose at the other factor, and windows that a loop appends.
    (
        "self.dWh = self.h_prev @ dz.T\n"
        + _LINE.format(
            "net.Wh -= 0.1 * net.dWh", "operands could not be broadcast together with shapes (9,9) (4,4) (9,9)"
        ),
        "transpose",
        "self.dWh = self.h_prev.T @ dz",
    ),
    (
        "dWhy = dlogits.T @ h\n"
        + _LINE.format("Why -= lr * dWhy", "operands could not be broadcast together with shapes (20,3) (3,20) (20,3)"),
        "transpose",
        "dWhy = h.T @ dlogits",
    ),
    (
        "for i in range(len(serie)):\n    X.append(serie[i:i + ventana])\n"
        + _LINE.format("X = np.stack(X)", "ValueError: all input arrays must have the same shape"),
        "ragged",
        "for i in range(len(serie) - ventana + 1):",
    ),
    # A gate that was cut along the batch, and a loop over sequences in place of steps.
    (
        _LINE.format(
            "kept = torch.sigmoid(f) * c",
            "RuntimeError: The size of tensor a (80) must match the size of tensor b (20) at non-singleton dimension 1",
        ),
        "broadcast",
        "f = f.chunk(4, dim=1)[1]",
    ),
    (
        _LINE.format(
            "H = torch.tanh(torch.mm(X, W_xh) + torch.mm(H, W_hh))",
            "RuntimeError: The size of tensor a (5) must match the size of tensor b (2) at non-singleton dimension 0",
        ),
        "batch-size",
        "H = torch.zeros(5, *H.shape[1:])",
    ),
    (
        _LINE.format(
            "rows[k] = rain[k:k + days]",
            "ValueError: could not broadcast input array from shape (3,) into shape (5,)",
        ),
        "steps",
        "for k in range(len(rain) - days + 1):",
    ),
    # The last of many batches is smaller.
    (
        _LINE.format(
            "y = torch.cat(all_preds, dim=1)", _CAT.format("Expected size 96 but got size 20 for tensor number 7 in")
        ),
        "concatenate-axis",
        "y = torch.cat(all_preds, dim=0)",
    ),
    (_LINE.format("y = x[:, :, :5]", _INDICES.format(2)), "indexing", "y = x[:, :5]"),
    (_LINE.format("y[i, :n, :] = x[i][:n, :]", _INDICES.format(1)), "indexing", "y[i, :n, :] = x[i][:n, None]"),
    (_LINE.format("y = x[:, :n, :]", _INDICES.format(2)), "indexing", "y = x[:n, :]"),
    (
        _LINE.format("x = x.view(-1, -1, 8)", "RuntimeError: only one dimension can be inferred"),
        "reshape",
        "x = x.view(x.shape[0], -1, 8)",
    ),
    (
        "x = np.reshape(x, (-1, -1, 8))\nValueError: can only specify one unknown dimension",
        "reshape",
        "x = np.reshape(x, (x.shape[0], -1, 8))",
    ),
    (
        "c = tf.reshape(c, [-1, -1, 8])\nInvalidArgumentError: Only one input size may be -1, not both 0 and 1",
        "reshape",
        "c = tf.reshape(c, [tf.shape(c)[0], -1, 8])",
    ),
    (
        _LINE.format(
            "s = torch.stack(states, 0)",
            "TypeError: stack(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor",
        ),
        "list",
        "s = torch.stack(list(states), 0)",
    ),
    (
        _LINE.format(
            "s = torch.cat(tensors=states, dim=1)",
            "TypeError: cat(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor",
        ),
        "list",
        "s = torch.cat(tensors=list(states), dim=1)",
    ),
    (
        _LINE.format(
            "s = np.concatenate(h, z, axis=1)",
            "TypeError: only integer scalar arrays can be converted to a scalar index",
        ),
        "concatenate-axis",
        "s = np.concatenate([h, z], axis=1)",
    ),
    (
        _LINE.format("x = x.view(-1, -1, -1)", "RuntimeError: only one dimension can be inferred"),
        "reshape",
        "x = x.view(x.shape[0], x.shape[1], -1)",
    ),
    (_KERAS.format("lstm", 3, 4, "[1, 1, None, 7]"), "unbatched", "x = x[:, 0]"),
    (_KERAS.format("conv2d", 4, 5, "[6, 9, 30, 30, 1]"), "unbatched", "layers.TimeDistributed(layers.Conv2D(...))"),
    (_KERAS.format("conv2d", 4, 2, "(None, 90)"), "unbatched", "x = x.reshape(samples, rows, columns, channels)"),
    (
        "m.add(GRU(8, input_shape=(None, 6)))\nValueError: Cannot infer num from shape (?, ?, 24)",
        "steps",
        "m.add(GRU(8, input_shape=(steps, 6)))",
    ),
    (
        "ValueError: Error when checking input: expected input_1 to have 3 dimensions, but got array with shape (5, 3)",
        "unbatched",
        "x = x[None]",
    ),
    (
        _LINE.format("s = a.sum(1).expand(n, t, -1)", _LACKS),
        "unbatched",
        "s = a.sum(1).unsqueeze(1).expand(n, t, -1)",
    ),
    (
        _LINE.format("s = a.index_select(0, k)", "RuntimeError: index_select(): Expected dtype int64 for index"),
        "indexing",
        "s = a.index_select(0, k.long())",
    ),
    (
        _LINE.format(
            "s = a.index_select(dim=0, index=k)",
            "RuntimeError: index_select(): Expected dtype int32 or int64 for index",
        ),
        "indexing",
        "s = a.index_select(dim=0, index=k.long())",
    ),
    (
        "ValueError: Cannot feed value of shape (20, 4) for Tensor 'labels:0', which has shape '(?,)'",
        "unbatched",
        "x = x.argmax(1)",
    ),
    (
        "A `Concatenate` layer requires inputs with matching shapes except for the concat axis. Got inputs shapes: [(30,), (30, 5)]",
        "concatenate-axis",
        "layers.Concatenate(axis=-1)([tf.expand_dims(h, -1), x])",
    ),
]
