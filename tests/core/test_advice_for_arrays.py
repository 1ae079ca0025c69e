"""Lines for programs that compute with arrays by hand, in the reader's names, from the line that failed alone."""

import numpy as np
import pytest

from core.shapes import explain
from tests.core.array_lines import CONTRACTING, LINES, pasted


def explained(line: str, error: str, above: str = ""):
    """Return the first cause for a line, with a line of a frame above it."""
    return explain(pasted(line, error, above)).causes[0]


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
        ("c = Wh @ np.concatenate([x, h])", {"Wh": of(15, 5), "x": of(5), "h": of(15)}, "inner-dimension"),
        ("f = W['f'] @ hx + b", {"W": {"f": of(11, 7)}, "hx": of(18), "b": of(11)}, "inner-dimension"),
        # a state of another batch, and a matrix product that is written as one of entries
        ("z = x @ W[0] + h @ U[0]", {"x": of(5, 3), "W": of(2, 3, 9), "h": of(12, 9), "U": of(2, 9, 9)}, "batch-size"),
        ("f = c * Pf", {"c": of(6, 10), "Pf": of(10, 10)}, "broadcast"),
        (
            "h = X[t] @ Wx + h @ Wh",
            {"X": of(12, 5, 3), "t": np.array(1), "Wx": of(3, 9), "h": of(12, 9), "Wh": of(9, 9)},
            "batch-first",
        ),
        ("h = X[:, t] @ Wx", {"X": of(70, 6), "t": np.array(1), "Wx": of(1, 9)}, "unbatched"),
        # gates that were cut along the batch, a reduction without its axis, and a query with keys
        ("p = e / e.sum(axis=1)", {"e": of(9, 31)}, "broadcast"),
        ("scores = q @ keys", {"q": of(5, 14), "keys": of(5, 9, 14)}, "transpose"),
        ("out = x * own_std + own_mean", {"x": of(40, 2), "own_std": of(5), "own_mean": of(5)}, "scaler"),
        # weights and a bias of other gates
        ("a = v @ W + b", {"v": of(4, 16), "W": of(16, 27), "b": of(36)}, "broadcast"),
        # a bias and a state with the axes of another layout
        ("a = x @ Wx + b", {"x": of(6, 3), "Wx": of(3, 8), "b": of(8, 1)}, "broadcast"),
        ("z = np.concatenate([seq, static], axis=-1)", {"seq": of(5, 7, 3), "static": of(5, 2)}, "unbatched"),
        # places
        ("a[:, t] = a_next", {"a": of(6, 11, 4), "t": np.array(2), "a_next": of(6, 11)}, "indexing"),
        ("db += dz", {"db": of(8, 1), "dz": of(8)}, "broadcast"),
        ("grads['b'] += da", {"grads": {"b": of(8)}, "da": of(6, 8)}, "broadcast"),
        ("W -= rate * dW", {"W": of(9, 5), "rate": of(), "dW": of(5, 9)}, "transpose"),
        ("preds[t] = h", {"preds": of(9, 14, 2), "t": np.array(3), "h": of(9, 2)}, "indexing"),
        ("X[np.arange(5), ids[:-1]] = 1", {"X": of(5, 9), "ids": np.arange(5)}, "indexing"),
        ("A = np.hstack([X, more])", {"X": of(90, 4), "more": of(99, 2)}, "batch-size"),
        ("losses[t] = -np.log(p[:, 0])", {"losses": of(7), "t": np.array(3), "p": of(2, 5)}, "one-number"),
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


@pytest.mark.parametrize("above, line, error, code, own", LINES)
def test_the_first_line_has_the_readers_whole_line(above, line, error, code, own):
    cause = explained(line, error, above)
    assert (cause.code, (cause.own or cause.change).splitlines()[0].partition("   # ")[0]) == (code, own)


def test_a_row_is_not_told_to_fit_an_axis_of_unknown_size():
    causes = explain(
        'File "model.py", line 31, in forward\n    out[t] = row\n'
        "ValueError: could not broadcast input array from shape (9,) into shape (41,)"
    ).causes
    assert "indexing" not in [one.code for one in causes]


def test_sizes_alone_do_not_tell_the_weights_of_two_layers():
    codes = [one.code for one in explain(CONTRACTING.format(9, 48)).causes]
    assert "transpose" in codes
    assert "shared-cell" not in codes


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
