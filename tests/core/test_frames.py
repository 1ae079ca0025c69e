"""Lines above the one that failed, and indices in them that leave out what the message says is missing."""

import ast

import pytest

from core.shapes import explain
from core.shapes.user_code.whole_arrays import whole

_EXPECTED = (
    'ValueError: Exception encountered when calling Sequential.call().\n\nInvalid input shape for input Tensor("data:0", '
    "shape={1}, dtype=float32) with name 'keras_tensor' and path ''. Expected shape {0}, but input has incompatible shape {1}"
)
_SAMPLES = "ValueError: Data cardinality is ambiguous. Make sure all arrays contain the same number of samples.'x' sizes: {}\n'y' sizes: {}"
_KERNEL = (
    "ValueError: Exception encountered when calling GRUCell.call().\n\nDimensions must be equal, but are {0} and {1} for "
    "'{{{{node sequential_1/gru_1/gru_cell_1/MatMul}}}} = MatMul[T=DT_FLOAT](a, b)' with input shapes: [?,{0}], [{1},{2}].\n\n"
    "Arguments received by GRUCell.call():\n  • inputs=tf.Tensor(shape=(None, {0}), dtype=float32)\n"
    "  • states=('tf.Tensor(shape=(None, 40), dtype=float32)',)"
)
_RANK = (
    "ValueError: Exception encountered when calling Ranker.call().\n\nInput 0 with name 'None' of layer 'gru' is incompatible "
    "with the layer: expected ndim=3, found ndim=2. Full shape received: (17, 6)\n\n"
    "Arguments received by Ranker.call():\n  • clicks=tf.Tensor(shape=(17, 6), dtype=float32)\n  • training=None"
)


def traceback_of(message, *frames):
    """Return a traceback with the function and the line of each frame."""
    lines = [f'  File "shop.py", line {at}, in {name}\n    {code}' for at, (name, code) in enumerate(frames, 5)]
    return "\n".join(["Traceback (most recent call last):", *lines, message])


@pytest.mark.parametrize(
    "code, got, wanted, changed",
    [
        ("x[:, :, 1]", (-1, 30), (-1, 30, 7), "x"),
        ("x[:, :, 1]", (-1, 30), (-1, 30, 1), "x[:, :, 1:2]"),
        ("clips[3]", (8, 5), (-1, 8, 5), "clips[3:4]"),
        ("clips[0, 0]", (9, 9, 3), (8, 9, 9, 3), "clips[0]"),
        ("clips[-1]", (8, 5), (-1, 8, 5), "clips[-1:]"),
        ("x[..., 0]", (10, 6), (10, 6, -1), "x"),
        ("rows[-24:, :2][None]", (1, 24, 2), (1, 24, 5), "rows[-24:][None]"),
        ("x[..., np.newaxis]", (15, 40, 1), (-1, -1), "x"),
        ("tf.expand_dims(x, 0)", (1, 3, 4), (-1, 4), "x"),
        ("y[2:]", (98,), (100,), "y"),
        ("y[2:]", (97,), (100,), None),
        ("x[:, :4]", (6, 5), (6, 9), None),
        ("x", (6, 5), (6, 9), None),
    ],
)
def test_an_index_is_undone_where_the_shapes_tell_that_it_is_the_mistake(code, got, wanted, changed):
    new = whole(ast.parse(code, mode="eval").body, got, wanted)
    assert (new and ast.unparse(ast.fix_missing_locations(new))) == changed


CHANGED = [
    pytest.param(
        _EXPECTED.format("(None, 30, 7)", "(None, 30)"),
        [("<module>", "fit_all(net, x_tr[:, :, 2], y_tr)"), ("fit_all", "net.fit(x, y, epochs=4)")],
        "fit_all(net, x_tr, y_tr)",
        id="an-axis-in-the-call-of-a-function",
    ),
    pytest.param(
        _KERNEL.format(2, 5, 120),
        [("<module>", "p = ask(net, table[-30:, :2])"), ("ask", "return net.predict(part[np.newaxis])[0]")],
        "p = ask(net, table[-30:])",
        id="features-below-an-axis-that-is-added",
    ),
    pytest.param(
        _RANK,
        [("<module>", "scores = ranker(history[4])"), ("call", "h = self.gru(clicks)")],
        "scores = ranker(history[4:5])",
        id="the-call-of-a-model",
    ),
    pytest.param(
        _SAMPLES.format(300, 75),
        [("<module>", "run(net, X_train, y_val, X_val, y_val)"), ("run", "net.fit(a, b, validation_data=(c, d))")],
        "run(net, X_train, y_train, X_val, y_val)",
        id="targets-of-other-samples",
    ),
    pytest.param(
        _SAMPLES.format(100, 98),
        [("<module>", "net.fit(seqs, seqs[2:], epochs=2)")],
        "net.fit(seqs, seqs, epochs=2)",
        id="samples-in-the-line-itself",
    ),
    pytest.param(
        _EXPECTED.format("(6, None)", "(25,)"),
        [("<module>", "net.fit(train_ds, epochs=2)")],
        "train_ds = train_ds.batch(6, drop_remainder=True)",
        id="a-data-set-without-batches",
    ),
    pytest.param(
        _EXPECTED.format("(6, None)", "(3, 6, 25)"),
        [("<module>", "net.fit(train_ds, epochs=2)")],
        "train_ds = train_ds.unbatch()",
        id="a-data-set-in-batches-of-batches",
    ),
    pytest.param(
        "IndexError: index 3 is out of bounds for axis 1 with size 3",
        [("<module>", "share = out[0, 3] / total")],
        "share = out[0, 2] / total",
        id="an-index-that-is-too-large",
    ),
]


@pytest.mark.parametrize("message, frames, line", CHANGED)
def test_the_changed_line_stands_where_the_mistake_is(message, frames, line):
    cause = explain(traceback_of(message, *frames)).causes[0]
    assert cause.own.splitlines()[0].partition("   # ")[0] == line


def test_of_several_arguments_the_one_is_changed_whose_index_tells_the_size():
    frames = [
        ("<module>", "show(net, table[:, :2], 9)"),
        ("show", "curve = net.predict(part[None])"),
        ("call", "return self.gru(x)"),
    ]
    own = explain(traceback_of(_KERNEL.format(2, 5, 120), *frames)).causes[0].own
    assert own.splitlines()[0].partition("   # ")[0] == "show(net, table, 9)"


def test_features_that_equal_the_units_are_told_from_a_state_by_the_product():
    assert explain(_KERNEL.format(4, 40, 120)).causes[0].code == "input-size"


def test_a_name_of_a_function_stands_for_nothing_if_two_arguments_may_be_meant():
    frames = [("<module>", "fit_all(old[:, 0], new[:, 0], 3)"), ("fit_all", "net.fit(joined, marks)")]
    own = explain(traceback_of(_EXPECTED.format("(None, 30, 7)", "(None, 7)"), *frames)).causes[0].own
    assert "fit_all" not in own
