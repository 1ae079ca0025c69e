"""Lines for programs that compute with arrays by hand, in the reader's names, from the line that failed alone."""

import numpy as np
import pytest

from core.shapes import explain


def explained(line: str, error: str, above: str = ""):
    """Return the first cause for a line, with a line of a frame above it."""
    frames = [f'  File "net.py", line {at}, in step\n    {code}\n' for at, code in enumerate((above, line), 3) if code]
    return explain("".join(frames) + error).causes[0]


def copied(arrays: dict) -> dict:
    return {name: copied(one) if isinstance(one, dict) else one.copy() for name, one in arrays.items()}


def lines_that_run(line: str, arrays: dict) -> tuple[str, list[str], list[str]]:
    """Return the code of the first cause, its lines, and those that take the error away, before the line or in its place."""
    with pytest.raises((ValueError, IndexError)) as raised:
        exec(line, {"np": np} | copied(arrays))
    cause = explained(line, f"{raised.type.__name__}: {raised.value}")
    runs = []
    for own in cause.own.splitlines():
        here = {"np": np} | copied(arrays)
        try:
            exec(own, here)
            if own.partition("=")[0].partition("[")[0] != line.partition("=")[0].partition("[")[0]:
                exec(line, here)
        except (ValueError, IndexError):
            continue
        runs.append(own)
    return cause.code, cause.own.splitlines(), runs


def of(*shape: int) -> np.ndarray:
    return np.ones(shape)


@pytest.mark.parametrize(
    "line, arrays, code",
    [
        # the gradient of weights, with each sequence a column, a row, or as two vectors
        ("dWhh += draw @ h_prev", {"dWhh": of(9, 9), "draw": of(9, 1), "h_prev": of(9, 1)}, "transpose"),
        ("dWx += xs @ dz", {"dWx": of(6, 24), "xs": of(18, 6), "dz": of(18, 24)}, "transpose"),
        ("grads['W'] += dz @ xs", {"grads": {"W": of(24, 6)}, "dz": of(24), "xs": of(6)}, "transpose"),
        # through weights
        ("dh = Wy @ dy", {"Wy": of(11, 22), "dy": of(11, 3)}, "transpose"),
        ("dx = dz @ Wx", {"Wx": of(7, 22), "dz": of(3, 22)}, "transpose"),
        ("dz = Wf @ df + Wi @ di", {"Wf": of(22, 31), "Wi": of(22, 31), "df": of(22, 1), "di": of(22, 1)}, "transpose"),
        # a state of other units
        ("a = Wh @ h", {"Wh": of(21, 21), "h": of(13)}, "hidden-size"),
        ("a = h @ Whh", {"Whh": of(64, 64), "h": of(5, 48)}, "hidden-size"),
        # weights for another array
        ("y = Why @ x", {"Why": of(4, 30), "x": of(9), "h": of(30)}, "inner-dimension"),
        ("a = Wax @ a_prev", {"Wax": of(30, 9), "x": of(9, 1), "a_prev": of(30, 1)}, "inner-dimension"),
        # weights with the wrong axis last, or too few columns
        ("y = h @ Wy", {"Wy": of(13, 64), "h": of(5, 64)}, "transpose"),
        ("f = Wf @ v", {"Wf": of(9, 9), "v": of(13)}, "inner-dimension"),
        ("dU += draw.T @ h", {"dU": of(9, 9), "draw": of(9, 4), "h": of(9, 4)}, "transpose"),
        # a part of the stacked input
        (
            "c = np.tanh(Wh @ (r * h_prev) + x[0] * b)",
            {"Wh": of(20, 29), "r": of(20), "h_prev": of(20), "x": of(9), "b": of(20)},
            "inner-dimension",
        ),
        # a bias and a state with the axes of another layout
        ("a = x @ Wx + b", {"x": of(6, 3), "Wx": of(3, 8), "b": of(8, 1)}, "broadcast"),
        ("z = np.concatenate([seq, static], axis=-1)", {"seq": of(5, 7, 3), "static": of(5, 2)}, "unbatched"),
        # places
        ("a[:, t] = a_next", {"a": of(6, 11, 4), "t": np.array(2), "a_next": of(6, 11)}, "indexing"),
        ("db += dz", {"db": of(8, 1), "dz": of(8)}, "broadcast"),
        ("one_hot[at] = 1", {"one_hot": of(6, 1), "at": np.array(6)}, "index-range"),
        ("loss = ps[targets[0], 0]", {"ps": of(6, 1), "targets": np.array([6])}, "index-range"),
    ],
)
def test_the_first_line_takes_the_error_away(line, arrays, code):
    found, first, runs = lines_that_run(line, arrays)
    assert found == code
    assert first and runs[:1] == first[:1]


def test_a_bare_message_about_stacked_arrays_tells_of_lengths_first():
    cause = explain("ValueError: all input arrays must have the same shape").causes[0]
    assert cause.code == "ragged"


CONTRACTING = "TypeError: dot_general requires contracting dimensions to have the same shape, got ({},) and ({},)."


@pytest.mark.parametrize(
    "above, line, error, code, own",
    [
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
            "return -(one_hot * np.zeros((30, 9))).sum()",
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
            "y = session.run(None, {'frames': signal[:, np.newaxis]})[0]",
        ),
        (
            "",
            'data["pred"] = found',
            "ValueError: Length of values (90) does not match length of index (97)",
            "steps",
            "data = data.iloc[7:]",
        ),
    ],
)
def test_the_first_line_has_the_readers_whole_line(above, line, error, code, own):
    cause = explained(line, error, above)
    assert (cause.code, cause.own.splitlines()[0].partition("   # ")[0]) == (code, own)


def test_a_row_is_not_told_to_fit_an_axis_of_unknown_size():
    causes = explain(
        'File "model.py", line 31, in forward\n    out[t] = row\n'
        "ValueError: could not broadcast input array from shape (9,) into shape (41,)"
    ).causes
    assert "indexing" not in [one.code for one in causes]


def test_sizes_alone_tell_neither_a_transpose_nor_weights_of_two_layers():
    codes = [one.code for one in explain(CONTRACTING.format(9, 48)).causes]
    assert codes.index("transpose") < codes.index("shared-cell")


def test_a_linear_layer_of_flax_takes_what_the_line_gives_it():
    text = (
        '  File "net.py", line 9, in __call__\n    return self.head(h)\n           ^^^^^^^^^^^^\n'
        '  File "/venv/site-packages/flax/nnx/nn/linear.py", line 400, in __call__\n    y = self.dot_general(\n'
    )
    cause = explain(text + CONTRACTING.format(48, 24)).causes[0]
    assert cause.code == "input-size" and cause.own.startswith("self.head = nnx.Linear(in_features=48")


def test_a_carry_without_a_name_is_made_in_the_readers_line():
    text = (
        '  File "net.py", line 9, in run\n    carry, y = cell(jnp.zeros((9, 16)), x)\n'
        '  File "/venv/site-packages/flax/nnx/nn/recurrent.py", line 200, in __call__\n    c, h = carry\n'
        "ValueError: too many values to unpack (expected 2)"
    )
    own = explain(text).causes[0].own
    assert own.startswith("carry, y = cell(cell.initialize_carry(x.shape, nnx.Rngs(0)), x)")


def test_a_carry_of_a_layer_is_made_by_its_cell():
    text = (
        '  File "net.py", line 9, in run\n    ys = rnn(x, initial_carry=start)\n'
        '  File "/venv/site-packages/flax/nnx/nn/recurrent.py", line 200, in __call__\n    y = self.dense_h(h)\n'
        '  File "/venv/site-packages/flax/nnx/nn/linear.py", line 400, in __call__\n    y = self.dot_general(\n'
    )
    cause = explain(text + CONTRACTING.format(20, 24)).causes[0]
    assert cause.code == "hidden-size"
    assert cause.own == "ys = rnn(x, initial_carry=rnn.cell.initialize_carry((x.shape[0], x.shape[-1]), nnx.Rngs(0)))"


def test_a_line_without_the_reader_s_transpose_does_not_name_the_axes_after_it():
    cause = explained(
        "y, _ = self.rec(mel.transpose(1, 2))",
        "RuntimeError: input.size(-1) must be equal to input_size. Expected 6, got 310",
    )
    assert (cause.code, cause.own) == ("transpose", "y, _ = self.rec(mel)   # without the transpose")


@pytest.mark.parametrize("method", ["transform", "inverse_transform"])
def test_a_scaler_of_the_readers_own_is_given_its_columns_where_it_is_called(method):
    message = (
        f'Traceback (most recent call last):\n  File "sun.py", line 31, in <module>\n    days = scale.{method}(forecast)\n'
        f'  File "sun.py", line 12, in {method}\n    table *= self.spread\n'
        "ValueError: non-broadcastable output operand with shape (90,1) doesn't match the broadcast shape (90,4)"
    )
    first = explain(message).causes[0]
    assert first.code == "scaler"
    line = f"days = scale.{method}(np.repeat(forecast, 4, axis=1))[:, [0]]"
    assert first.own.splitlines()[0].partition("   # ")[0] == line
