"""Lines of programs that compute with arrays, and of models of ONNX and Flax, with what they raise and the first line that is advised."""

FLAX = (
    'flax.errors.ScopeParamShapeError: For parameter "kernel" in "{}", the given initializer is expected to generate '
    "shape {}, but the existing parameter it received has shape {}."
)
CONTRACTING = "TypeError: dot_general requires contracting dimensions to have the same shape, got ({},) and ({},)."
_SUM = "ValueError: operands could not be broadcast together with shapes {} {}"
_INNER = (
    "ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, "
    "with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {} is different from {})"
)


def pasted(line: str, error: str, above: str = "") -> str:
    """Return a traceback of a line, with a line of a frame above it."""
    frames = [f'  File "net.py", line {at}, in step\n    {code}\n' for at, code in enumerate((above, line), 3) if code]
    return "".join(frames) + error


# A line above, the line that failed, what it raised, the code of the first cause, and its first line.
LINES = [
    # A row below a window, and the vectors of several words in one row.
    (
        "",
        "seq = np.append(seq[1:], pred, axis=0)",
        "ValueError: all the input arrays must have same number of dimensions, but the array at index 0 has 2 dimension(s) "
        "and the array at index 1 has 1 dimension(s)",
        "unbatched",
        "pred = pred[None]",
    ),
    (
        "",
        "h = np.tanh(C[X] @ W1)",
        _INNER.format(36, 12),
        "inner-dimension",
        "h = np.tanh(C[X].reshape(len(C[X]), -1) @ W1)",
    ),
    (
        "",
        "err = Y * np.log(p)",
        _SUM.format("(20,4)", "(20,5)"),
        "broadcast",
        "# a and b must have equal sizes along each axis, or 1",
    ),
    # Weights that the line transposes without need, and a step of the last axis.
    ("", "ys.append(self.V.T @ h)", _INNER.format(8, 2), "transpose", "ys.append(self.V @ h)"),
    (
        "",
        "a = np.tanh(np.dot(Wax, x[t]) + ba)",
        "ValueError: shapes (5,3) and (10,4) not aligned: 3 (dim 1) != 10 (dim 0)",
        "inner-dimension",
        "a = np.tanh(np.dot(Wax, x[:, :, t]) + ba)",
    ),
    # An operand that lacks an axis, or has two in one; a step of the axis of the batch in the line above.
    (
        "",
        "ctx = (attn * enc).sum(axis=1)",
        _SUM.format("(4,9)", "(4,9,16)"),
        "broadcast",
        "ctx = (attn[:, :, None] * enc).sum(axis=1)",
    ),
    (
        "",
        "valid = np.arange(12) < n_tokens",
        _SUM.format("(12,)", "(5,)"),
        "broadcast",
        "valid = np.arange(12) < n_tokens[:, None]",
    ),
    ("", "d = p - onehot", _SUM.format("(96,3)", "(8,12,3)"), "reshape", "onehot = onehot.reshape(p.shape)"),
    (
        "a_next, y = step(x[:, t, :], a_next, p)",
        "a_next = np.tanh(np.dot(Waa, a_prev) + np.dot(Wax, xt) + ba)",
        _SUM.format("(5,10)", "(5,4)"),
        "batch-first",
        "a_next, y = step(x[:, :, t], a_next, p)",
    ),
    # Changes in place: a gradient of a batch, and one of another shape.
    (
        "",
        "params[k] -= lr * mhat / (np.sqrt(vhat) + eps)",
        "ValueError: non-broadcastable output operand with shape (1,12) doesn't match the broadcast shape (32,12)",
        "broadcast",
        "# the gradient of params[k] must be (1, 12): sum it over the batch where it is computed",
    ),
    (
        "",
        "net.Wh -= 0.1 * net.dWh",
        _SUM.format("(9,9)", "(4,4) (9,9)"),
        "transpose",
        "# net.dWh must be (9, 9): look at the transposes in the product that computes it",
    ),
    # Targets as a vector beside predictions as a column; a column put into a vector.
    (
        "",
        "both = np.concatenate([y_train, preds], axis=1)",
        "numpy.exceptions.AxisError: axis 1 is out of bounds for array of dimension 1",
        "unbatched",
        "both = np.column_stack([y_train, preds])",
    ),
    (
        "",
        "table[:, 0] = y_hat",
        "ValueError: could not broadcast input array from shape (90,1) into shape (90,)",
        "transpose",
        "table[:, 0] = y_hat.reshape(-1)",
    ),
    # The number of classes in the line; x in rows beside weights on the left; two arrays joined without an axis.
    (
        "",
        "x = jax.nn.one_hot(toks, 25) @ E",
        CONTRACTING.format(25, 30),
        "inner-dimension",
        "x = jax.nn.one_hot(toks, 30) @ E",
    ),
    (
        "",
        "z = np.tanh(W_xh @ x_t + b)",
        _INNER.format(8, 3),
        "transpose",
        "z = np.tanh(x_t @ W_xh.T + b)",
    ),
    (
        "",
        "z = np.concatenate((h, x))",
        "ValueError: all the input array dimensions except for the concatenation axis must match exactly, but along "
        "dimension 1, the array at index 0 has size 32 and the array at index 1 has size 10",
        "concatenate-axis",
        "z = np.concatenate([h, x], axis=1)",
    ),
    (
        "",
        "X = np.stack(X)",
        "ValueError: all input arrays must have the same shape",
        "ragged",
        "X = [one for one in X if len(one) == len(X[0])]",
    ),
    (
        "h, hs = jax.lax.scan(step, h0, xs)",
        "h = jnp.tanh(x @ Wx + h @ Wh)",
        "TypeError: add got incompatible shapes for broadcasting: (30, 24), (6, 24).",
        "batch-first",
        "h, hs = jax.lax.scan(step, h0, jnp.swapaxes(xs, 0, 1))",
    ),
    (
        "h, hs = jax.lax.scan(step, h0, xs)",
        "return jnp.tanh(h @ Wh)",
        CONTRACTING.format(48, 24),
        "hidden-size",
        "h, hs = jax.lax.scan(step, jnp.zeros((*h0.shape[:-1], 24)), xs)",
    ),
    (
        "",
        "out = jax.vmap(cell, in_axes=(None, 0, 0))(weights, h, x)",
        "ValueError: vmap got inconsistent sizes for array axes to be mapped:\n"
        "  * one axis had size 1: axis 0 of argument h of type float32[1,10];\n"
        "  * one axis had size 5: axis 0 of argument x of type float32[5,3]",
        "batch-size",
        "out = jax.vmap(cell, in_axes=(None, None, 0))(weights, h, x)",
    ),
    (
        "",
        "last = jax.vmap(encode)(start, waves)",
        "ValueError: vmap got inconsistent sizes for array axes to be mapped:\n"
        "  * one axis had size 9: axis 0 of argument h of type float32[9,14];\n"
        "  * one axis had size 6: axis 0 of argument steps of type float32[6,30,4]",
        "batch-size",
        "start = jnp.zeros((6, 14))",
    ),
    (
        "",
        "last = jax.vmap(encode)(weights, waves)",
        "ValueError: vmap got inconsistent sizes for array axes to be mapped:\n"
        "  * most axes (2 of them) had size 14, e.g. axis 0 of argument w['U'] of type float32[14,14];\n"
        "  * one axis had size 6: axis 0 of argument steps of type float32[6,30,4]",
        "batch-size",
        "last = jax.vmap(encode, in_axes=(None, 0))(weights, waves)",
    ),
    (
        "",
        "losses = jax.vmap(loss_of_one, (None, 0, 0))(params, X, Y)",
        "ValueError: vmap got inconsistent sizes for array axes to be mapped:\n"
        "  * one axis had size 16: axis 0 of argument x of type float32[16,20,3];\n"
        "  * one axis had size 12: axis 0 of argument y of type int32[12]",
        "batch-size",
        "X = X[:12]",
    ),
    (
        "",
        "loss = optax.softmax_cross_entropy(logits=scores, labels=y).mean()",
        "TypeError: mul got incompatible shapes for broadcasting: (9,), (9, 4).",
        "class-axis",
        "loss = optax.softmax_cross_entropy_with_integer_labels(logits=scores, labels=y).mean()",
    ),
    (
        "",
        "y = session.run(None, {'frames': x, 'h0': h0})[0]",
        "InvalidArgument: Got invalid dimensions for input: frames for the following indices index: 2 Got: 7 Expected: 5",
        "input-size",
        "y = session.run(None, {'frames': x[..., :5], 'h0': h0})[0]",
    ),
    (
        "",
        "y = session.run(None, {'frames': x})[0]",
        "InvalidArgument: Got invalid dimensions for input: frames for the following indices index: 0 Got: 7 Expected: 1",
        "batch-size",
        "y = [np.concatenate(outputs) for outputs in zip(*[session.run(None, {'frames': one[None]}) for one in x])][0]",
    ),
    (
        "",
        "loss = optax.softmax_cross_entropy(scores, jax.nn.one_hot(y, 9)).mean()",
        "TypeError: mul got incompatible shapes for broadcasting: (6, 9), (6, 11).",
        "broadcast",
        "loss = optax.softmax_cross_entropy(scores, jax.nn.one_hot(y, 11)).mean()",
    ),
    (
        "",
        "return table[tokens].mean(axis=0)",
        "IndexError: index 40 is out of bounds for axis 0 with size 40",
        "index-range",
        "return table[tokens - 1].mean(axis=0)",
    ),
    (
        "",
        "y = session.run(None, {'sequence': x})[0]",
        "ValueError: Required inputs (['frames']) are missing from input feed (['sequence']).",
        "inputs",
        "y = session.run(None, {'frames': x})[0]",
    ),
    (
        "",
        "y = session.run(None, {'frames': x, 'h0': h0})[0]",
        "Input initial_h must have shape {1,9,6}. Actual:{1,3,6}",
        "batch-size",
        "y = session.run(None, {'frames': x, 'h0': np.zeros((1, 9, 6), np.float32)})[0]",
    ),
    (
        "",
        "error = scaler.inverse_transform(pred) - y",
        "ValueError: non-broadcastable output operand with shape (30,1) doesn't match the broadcast shape (30,4)",
        "scaler",
        "error = scaler.inverse_transform(np.repeat(pred, 4, axis=1))[:, [0]] - y",
    ),
    (
        "",
        "return scaler.transform(new.reshape(-1, 1))",
        "ValueError: X has 1 features, but MinMaxScaler is expecting 3 features as input",
        "scaler",
        "return scaler.transform(np.repeat(new.reshape(-1, 1), 3, axis=1))[:, [0]]",
    ),
    (
        "",
        "table = pd.DataFrame({'y': y, 'pred': found})",
        "ValueError: All arrays must be of the same length",
        "steps",
        "table = pd.DataFrame({name: one[-min(len(y), len(found)):] for name, one in {'y': y, 'pred': found}.items()})",
    ),
    (
        "",
        "h, losses = lax.scan(step, h0, (xs, ys))",
        "ValueError: scan got values with different leading axis sizes: 31, 30.",
        "steps",
        "h, losses = lax.scan(step, h0, jax.tree.map(lambda one: one[:30], (xs, ys)))",
    ),
    (
        "",
        "return -(one_hot * np.log(probs)).sum()",
        "ValueError: operands could not be broadcast together with shapes (30,9) (30,10)",
        "broadcast",
        "# a and b must have equal sizes along each axis, or 1",
    ),
    (
        "X, y = windows(prices, 12)",
        "X[t] = prices[t:t + steps]",
        "ValueError: could not broadcast input array from shape (11,) into shape (12,)",
        "steps",
        "for t in range(len(prices) - steps):",
    ),
    (
        "X = windows(table)",
        "X[t, :] = table[t:t + 6, 1:]",
        "ValueError: could not broadcast input array from shape (4,3) into shape (6,3)",
        "steps",
        "for t in range(len(table) - 6 + 1):",
    ),
    (
        "",
        "y = session.run(None, {'frames': signal})[0]",
        "InvalidArgument: Invalid rank for input: frames Got: 2 Expected: 3 Please fix either the inputs/outputs",
        "unbatched",
        "y = session.run(None, {'frames': signal[np.newaxis]})[0]",
    ),
    (
        "",
        "y = session.run(None, {'frames': x, 'h0': h0})[0]",
        "InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Invalid input name: h0",
        "inputs",
        "y = session.run(None, {'frames': x})[0]",
    ),
    (
        "",
        "h, out = run.run(['h', 'y'], {'x': part})[:2]",
        "ValueError: Required inputs (['h0']) are missing from input feed (['x']).",
        "inputs",
        "h, out = run.run(['h', 'y'], {'x': part, 'h0': out})[:2]",
    ),
    (
        "",
        "y = run.run(None, {'x': x, 'lens': lens})",
        "Invalid value/s in sequence_lens. All values must be >= 0 and <= seq_length. seq_length=9",
        "lengths",
        "y = run.run(None, {'x': x, 'lens': np.clip(lens, 1, 9)})",
    ),
    (
        "",
        "y = run.run(None, {'x': x})",
        "The input tensor cannot be reshaped to the requested shape. Input shape:{5,14,8}, requested shape:{-1,72}",
        "steps",
        "y = run.run(None, {'x': x[:, -9:]})",
    ),
    (
        "",
        "steps = jax.value_and_grad(cost)(weights, xs)",
        "TypeError: Gradient only defined for scalar-output functions. Output had shape: (9, 4).",
        "one-number",
        "steps = jax.value_and_grad(lambda *args: cost(*args).mean())(weights, xs)",
    ),
    (
        "_, hs = jax.lax.scan(step, start, frames)",
        "z = jnp.concatenate([x, h], axis=-1)",
        "TypeError: Cannot concatenate arrays with shapes that differ in dimensions other than the one being "
        "concatenated: concatenating along dimension 1 for shapes (21, 5), (12, 9).",
        "batch-first",
        "_, hs = jax.lax.scan(step, start, jnp.swapaxes(frames, 0, 1))",
    ),
    (
        "",
        "memory += dparam * dparam",
        "ValueError: operands could not be broadcast together with shapes (9,1) (14,1) (9,1)",
        "swapped-arguments",
        "# the gradient of memory must be (9, 1): look at the product that computes it",
    ),
    (
        "",
        "return np.array(xs), np.array(ys)",
        "ValueError: setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was (90,) + inhomogeneous part.",
        "ragged",
        "xs, ys = zip(*[one for one in zip(xs, ys) if len(one[0]) == len(xs[0]) and len(one[1]) == len(ys[0])])",
    ),
    (
        "",
        "print((pred[:, 0] - y).mean())",
        "IndexError: Too many indices: array is 1-dimensional, but 2 were indexed",
        "unbatched",
        "print((pred - y).mean())",
    ),
    (
        "scores = wide.apply(weights, words)",
        "x = nn.RNN(nn.GRUCell(self.units))(x)",
        FLAX.format("/scan(GRUCell_0)/ir", (9, 48), (9, 24)),
        "checkpoint",
        "weights = wide.init(jax.random.key(0), words)",
    ),
    (
        "scores = jax.jit(tagger.apply)(weights, frames)",
        "x = nn.RNN(nn.LSTMCell(self.units))(x)",
        FLAX.format("/scan(LSTMCell_0)/ii", (13, 24), (11, 24)),
        "input-size",
        "weights = tagger.init(jax.random.key(0), frames)",
    ),
    (
        "",
        'data["pred"] = found',
        "ValueError: Length of values (90) does not match length of index (97)",
        "steps",
        "data = data.iloc[7:]",
    ),
    (
        "",
        "c = gate * c",
        "ValueError: operands could not be broadcast together with shapes (3,36) (12,9)",
        "split",
        "i, f, o, g = np.split(z, 4, axis=1)",
    ),
    (
        "",
        "h = np.tanh(frames[t] @ Wx + h @ Wh)",
        _SUM.format("(7,9)", "(12,9)"),
        "batch-first",
        "h = np.tanh(frames[:, t] @ Wx + h @ Wh)",
    ),
    (
        "",
        "h = prices[:, t] @ Wx",
        _INNER.format(1, 70),
        "unbatched",
        "h = prices[:, t][..., None] @ Wx",
    ),
    (
        "",
        "p = e / e.sum(axis=-1)",
        _SUM.format("(6,31)", "(6,)"),
        "broadcast",
        "p = e / e.sum(axis=-1, keepdims=True)",
    ),
    (
        "",
        "energy = query @ memory",
        _INNER.format(11, 14),
        "transpose",
        "energy = np.einsum('...d,...td->...t', query, memory)",
    ),
    (
        "",
        "X[i] = prices[i:i + span + 1]",
        "ValueError: could not broadcast input array from shape (13,4) into shape (12,4)",
        "steps",
        "X[i] = prices[i:i + span + 1][:12]",
    ),
    (
        "",
        "vectors[number] = vector",
        "ValueError: could not broadcast input array from shape (50,) into shape (64,)",
        "broadcast",
        "vectors = np.zeros((len(vectors), 50))",
    ),
    (
        "",
        "rows = np.vstack([rows, row])",
        "ValueError: all the input array dimensions except for the concatenation axis must match exactly, "
        "but along dimension 1, the array at index 0 has size 7 and the array at index 1 has size 9",
        "concatenate-axis",
        "rows = np.empty((0, 9))",
    ),
    (
        "",
        "y = run.run(None, {'wave': wave})",
        "Got invalid dimensions for input: wave for the following indices index: 0 Got: 40 Expected: 25",
        "batch-size",
        "y = run.run(None, {'wave': wave[:25]})",
    ),
    (
        "",
        "h, = run.run(None, {'x': x, 'h_in': h})",
        "InvalidArgument: Invalid rank for input: h_in Got: 2 Expected: 3 Please fix either the inputs/outputs",
        "unbatched",
        "h = h.reshape(1, -1, h.shape[-1])",
    ),
    (
        "",
        "y = run.run(None, {'x': x})",
        "Status Message: Input R must have shape {1,36,9}. Actual:{1,9,36}",
        "transpose",
        "R = np.swapaxes(R, 1, 2)",
    ),
    # A state that becomes its own product meets weights, and other squares are no identity.
    ("", "h = h @ k", _INNER.format(7, 18), "transpose", "h = h @ k.T"),
    (
        "",
        "c = (p * q).mean()",
        _SUM.format("(6,6)", "(9,9)"),
        "broadcast",
        "# p and q must have equal sizes: look at what they are computed with, such as a slice, or weights of other units",
    ),
    # The targets of a loss of JAX are no index of the reader's.
    (
        "",
        "return optax.softmax_cross_entropy_with_integer_labels(logits, ids).mean()",
        '  File "site-packages/jax/_src/numpy/indexing.py", line 874, in take_along_axis\n'
        "    out_shape = lax.broadcast_shapes(idx_shape, arr_shape)\n"
        "ValueError: Incompatible shapes for broadcasting: shapes=[(4, 21, 1), (4, 20, 1)]",
        "shifted-targets",
        "a = a[:, 1:]",
    ),
    # A function without a name, and weights that the message tells after what most arguments have.
    (
        "",
        "g = jax.grad(lambda w: (x @ w) ** 2)(w)",
        "TypeError: Gradient only defined for scalar-output functions. Output had shape: (5,).",
        "one-number",
        "g = jax.grad(lambda w: ((x @ w) ** 2).mean())(w)",
    ),
    (
        "",
        "y = jax.vmap(step)(jnp.ones((5, 3)), start, inputs)",
        "ValueError: vmap got inconsistent sizes for array axes to be mapped:\n"
        "  * most axes (2 of them) had size 7, e.g. axis 0 of argument h of type float32[7,5];\n"
        "  * one axis had size 5: axis 0 of argument w of type float32[5,3]",
        "batch-size",
        "y = jax.vmap(step, in_axes=(None, 0, 0))(jnp.ones((5, 3)), start, inputs)",
    ),
    # The order of the factors as in the other products, a transpose too many, and a column on the left of its weights.
    (
        "",
        "z = sigmoid(self.Wz @ x + h @ self.Uz + self.bz)",
        f"    {' ' * 12}~~~~~~~~^~~\n" + _INNER.format(4, 16),
        "inner-dimension",
        "z = sigmoid(x @ self.Wz + h @ self.Uz + self.bz)",
    ),
    (
        "",
        "f = sigmoid(np.dot(Wf, z.T) + bf)",
        "ValueError: shapes (30,42) and (1,42) not aligned: 42 (dim 1) != 1 (dim 0)",
        "transpose",
        "f = sigmoid(np.dot(Wf, z) + bf)",
    ),
    (
        "",
        "h = np.tanh(x @ Wx.T + b)",
        _INNER.format(20, 5),
        "transpose",
        "h = np.tanh(x @ Wx + b)",
    ),
    (
        "",
        "dhnext = np.dot(dhraw, Whh.T)",
        "ValueError: shapes (50,1) and (50,50) not aligned: 1 (dim 1) != 50 (dim 0)",
        "transpose",
        "dhnext = np.dot(Whh.T, dhraw)",
    ),
    (
        "",
        "return self.h @ self.V + self.c",
        _INNER.format(27, 1),
        "inner-dimension",
        "return self.V @ self.h + self.c",
    ),
    (
        "",
        "y = jnp.dot(params['Wo'], h) + params['bo']",
        CONTRACTING.format(2, 4),
        "inner-dimension",
        "y = jnp.dot(h, params['Wo']) + params['bo']",
    ),
    # The whole sequence for one step, a step of the other axis, and the part of an array that the other operand has.
    (
        "h, cache = gru_step(X, h, params)",
        "r = sigmoid(a[:, :H] + h.dot(U[:, :H]))",
        _SUM.format("(4,5,18)", "(4,6)"),
        "unbatched",
        "h, cache = gru_step(X[:, t], h, params)",
    ),
    (
        "h, c = lstm_step(x[t], h, c)",
        "z = xt @ W + h @ U + b",
        "TypeError: add got incompatible shapes for broadcasting: (5, 24), (3, 24).",
        "batch-first",
        "h, c = lstm_step(x[:, t], h, c)",
    ),
    (
        "",
        "z = sigmoid(xW[:, H:2 * H] + hU)",
        _SUM.format("(8,24)", "(8,72)"),
        "broadcast",
        "z = sigmoid(xW[:, H:2 * H] + hU[:, H:2 * H])",
    ),
    (
        "",
        "z = sigmoid(a[H:2 * H] + h.dot(U[:, H:2 * H]))",
        _SUM.format("(0,18)", "(4,6)"),
        "broadcast",
        "z = sigmoid(a[:, H:2 * H] + h.dot(U[:, H:2 * H]))",
    ),
    (
        "",
        "z = sigmoid(a[:, H:2 * H] + h.dot(U[H:2 * H]))",
        "ValueError: shapes (4,6) and (0,18) not aligned: 6 (dim 1) != 0 (dim 0)",
        "inner-dimension",
        "z = sigmoid(a[:, H:2 * H] + h.dot(U[:, H:2 * H]))",
    ),
    # A vector among columns, where the text has the vector, a column, or a square gradient.
    (
        "loss, grads, h = backprop(xs, ys, np.zeros(n))",
        "dby += dy",
        "ValueError: non-broadcastable output operand with shape (11,1) doesn't match the broadcast shape (11,32)",
        "unbatched",
        "loss, grads, h = backprop(xs, ys, np.zeros((n, 1)))",
    ),
    (
        "",
        "dWhy += np.dot(dy, hs[t].T)",
        "ValueError: shapes (11,11) and (1,32) not aligned: 11 (dim 1) != 1 (dim 0)",
        "unbatched",
        "np.zeros((11, 1))",
    ),
    # A step that the join of an input and a state takes from the axis of the batch, or not at all.
    (
        "",
        "z = np.concatenate([X[t], h], axis=1)",
        "ValueError: all the input array dimensions except for the concatenation axis must match exactly, but along "
        "dimension 0, the array at index 0 has size 9 and the array at index 1 has size 4",
        "batch-first",
        "z = np.concatenate([X[:, t], h], axis=1)",
    ),
    (
        "h = lstm_step(x, h)",
        "z = np.concatenate([x, h], axis=1)",
        "ValueError: all the input arrays must have same number of dimensions, but the array at index 0 has 3 dimension(s) "
        "and the array at index 1 has 2 dimension(s)",
        "unbatched",
        "z = np.concatenate([x[:, t], h], axis=1)",
    ),
]
