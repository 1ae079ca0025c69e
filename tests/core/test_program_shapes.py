"""The shapes in a reader's program, against those that NumPy gives when the program is run."""

import time
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.shapes import LayerSizes, explain
from core.shapes.messages import read
from core.shapes.shape_inference.array_shapes import Array
from core.shapes.shape_inference.program import trace_shapes
from core.shapes.user_code.evidence import is_loss
from tests.core.shape_messages import COLUMN_AND_VECTOR, EACH_STEP, ONE_AXIS, ROWS_BY_HAND

PROGRAMS = [
    "a = np.zeros((4, 3))\nb = a.T\nc = a @ b\nd = np.dot(b, np.ones(4))\ne = c + 1.5\nn = a.shape[0] * 2 - 1",
    "m, k = 5, 7\nW = np.random.randn(k, m) * 0.01\nx = np.ones((m, 1))\nz = np.tanh(W @ x + np.zeros((k, 1)))",
    "x = np.arange(24)\ny = np.zeros((2, 12)).reshape(4, -1)\nz = y.ravel()\nu = np.expand_dims(z, 0)\nv = u.squeeze()",
    "x = np.array([[1, 2, 3], [4, 5, 6]]).T\nrow = x[0]\ncolumn = x[:, None]\nlast = x[:, -1]\nfor r in x: s = r + row",
    "def f(p, q=1):\n    r = p * q\n    return r @ r.T\na = f(np.ones((3, 2)), 2)\nb = f(np.ones((4, 2)), np.ones(2))",
    "x = np.zeros((2, 3, 4))\ny = np.transpose(x, (2, 0, 1))\nz = x.swapaxes(0, 2)\nw = np.swapaxes(x, -1, 1)",
    "a = np.ones((3, 1)) + np.ones(3)\nb = np.maximum(a, 0)\nh = np.zeros_like(a)\nh[0] = np.ones(3)\nh += a",
    "a, b = np.zeros(3), np.zeros((3, 2))\nif len(a) > 2:\n    c = a @ b\nelse:\n    c = b\nwhile False:\n    pass",
    "n = 4\nn += 2\nn *= 3\na = np.zeros((n, 2))\nb = np.zeros(3)\nk = np.add(2, 3)\nc = np.zeros((4, k))",
    "x = np.ones((5, 4, 3))\nfor t in range(5):\n    a = x[t]\n    b = x[t - 1] * t\ni = np.array([0, 2])\nc = x[i]\nd = x[[0, 2]]",
    "x = np.ones((5, 4))\nfor t, (a, b) in enumerate(zip(x, x.T)):\n    c = x[t, np.newaxis]\nd = x[t > 9]\ne = x[i := 1, None]",
    "x: object = np.zeros((5, 4))\ntry:\n    y = x.T\nfinally:\n    pass\nwith np.errstate() as x:\n    z = y @ np.ones(5)",
    "q, p = np.zeros(5), np.ones((5, 3))\ndef f(q, /, *, p=None):\n    return p @ q\na = f(q, p=np.ones((2, 5)))\nn = 3",
    "x = np.zeros((1, 3, 1))\na = x.squeeze(axis=0)\nb = np.expand_dims(x, axis=1)\nc = x.reshape((3, 1), order='F')\nd = x.ravel(order='F')",
    "x = np.zeros((2, 3, 4))\na = np.transpose(x, axes=(0, 2, 1))\nb = x.transpose((1, 0, 2))\nc = x.squeeze(axis=())\nd = x[0].T",
    "x = np.zeros((2, 3, 4))\na = x @ x.swapaxes(1, 2)\nb = np.zeros((3, 4)) @ x.swapaxes(1, 2)\nc = x @ np.ones(4)\nd = np.ones(3) @ x",
    "x = np.zeros((2, 3, 4))\na = np.dot(x, np.zeros((4, 5)))\nb = np.dot(x, np.zeros((2, 4, 5)))",
    "a = np.full(3, 1)\nb = np.full((2, 3), 1)\nc = np.random.randint(1, 10)\nd = np.random.normal(size=(2, 3))",
    "a = np.random.uniform(1, 5, 10)\nb = np.random.normal(5, 2, 100)\nc = np.random.randint(0, 9, (2, 3))\nd = np.ones(4)",
    "c = 0.0\nW = np.ones((3, 3))\nh = np.dot(c, W) + W[1] - W[1:2]\nt = (1, 2)[0] // 1",
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_followed_shapes_are_those_of_numpy(program):
    names: dict = {"np": np}
    exec(program, names)
    followed = trace_shapes(program)
    assert followed.mismatches == []
    known = {
        name: value
        for name, value in followed.names.items()
        if isinstance(value, int) or isinstance(value, Array) and value.is_known
    }
    wrong = {name: value for name, value in known.items() if _shape(value) != _shape(names[name])}
    assert not wrong and len(known) >= 2


def _shape(value):
    """Return the shape of an array, or a number itself."""
    return value if isinstance(value, int) else value.shape if isinstance(value, Array) else np.shape(value)


@pytest.mark.parametrize(
    "text, number, own",
    [
        (ROWS_BY_HAND, 8, "return np.tanh(x @ Wxh.T + h @ Whh.T + bh)   # if each sequence is a row"),
        (EACH_STEP + ONE_AXIS.format(36, 8, 1), 7, "loss = loss_fn(fc(out)[:, -1], y)   # the last step"),
        (
            COLUMN_AND_VECTOR.format(
                "H[t] = h", "could not broadcast input array from shape (12,12) into shape (12,1)"
            ),
            9,
            "",
        ),
        (
            "I get this:\nrnn = nn.LSTM(7, 48)\nx = torch.randn(16, 24, 7)\nout, _ = rnn(x, (h0, c0))\n"
            "RuntimeError: Expected hidden[0] size (1, 24, 48), got [1, 16, 48]",
            4,
            "rnn = nn.LSTM(7, 48, batch_first=True)   # if x is (16, 24, features), batch and steps",
        ),
        (
            "class Net(nn.Module):\n    def __init__(self, n):\n        self.fc = nn.Linear(n, 5)\n        self.out = nn.Linear(64, 3)\n"
            "    def forward(self, x):\n        return self.out(torch.relu(x))\n"
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x128 and 64x3)",
            6,
            "self.out = nn.Linear(128, 3)",
        ),
        (
            "a = np.zeros((8, 8))\nv = np.zeros((4, 8))\nbo = np.zeros((4, 1))\no = np.dot(a, v) + bo\n"
            "ValueError: shapes (8,8) and (4,8) not aligned: 8 (dim 1) != 4 (dim 0)",
            4,
            "o = v @ a + bo   # if each sequence is a column",
        ),
        (
            "W = np.zeros((2, 3))\nx = np.zeros(4)\nfor row in W @ x:\n    pass\n"
            "ValueError: shapes (2,3) and (4,) not aligned: 3 (dim 1) != 4 (dim 0)",
            3,
            "W = np.zeros((2, 4))   # if W holds the weights: new ones for this x",
        ),
    ],
)
def test_the_line_that_fits_the_message_is_found_without_a_traceback(text, number, own):
    explanation = explain(text)
    assert explanation.own.number == number and explanation.own.file == ""
    assert explanation.causes[0].own == own


@pytest.mark.parametrize(
    "before, lines", [("#" + "-" * 50 + "\n", 500), ("# \u2028\x0c\n", 9), ("a line of prose\n", 20), ("#\r\n", 9)]
)
def test_the_number_of_a_line_counts_all_the_lines_of_the_text(before, lines):
    text = (
        "W = np.zeros((4, 3))\nx = np.zeros((4, 1))\nif True:\n    y = W @ x\n"
        "ValueError: shapes (4,3) and (4,1) not aligned: 3 (dim 1) != 4 (dim 0)"
    )
    expected, explanation = explain(text), explain(before * lines + text)
    assert explanation.own == expected.own._replace(number=4 + lines)
    assert [cause.own for cause in explanation.causes] == [cause.own for cause in expected.causes]


@pytest.mark.parametrize(
    "text",
    [
        # Two lines fit, or none.
        "a = W @ x\nb = W @ x\nW = np.zeros((2, 3))\nValueError: shapes (2,3) and (4,) not aligned: 3 (dim 1) != 4 (dim 0)",
        "rnn = nn.GRU(7, 48)\ny, h = rnn(x)\ny, h = rnn(z)\nRuntimeError: Expected hidden size (1, 24, 48), got [1, 16, 48]",
        "W = np.zeros((2, 3))\ny = W @ np.zeros(5)\nValueError: shapes (2,3) and (4,) not aligned: 3 (dim 1) != 4 (dim 0)",
        # A function that is not called takes any x.
        "x = np.zeros(4)\nW = np.zeros((2, 3))\ndef f(x):\n    return W @ x\nValueError: shapes (2,3) and (4,) not aligned: 3 (dim 1) != 4 (dim 0)",
    ],
)
def test_no_line_is_named_where_none_fits_or_more_than_one(text):
    assert explain(text).own is None


def test_a_number_beside_an_array_of_one_entry_is_no_vector():
    text = (
        "W = np.zeros((4, 3))\nb = np.ones(1)\nh = b * 0.5\nz = W @ h\nValueError: matmul: Input operand 1 has a mismatch in its "
        "core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 1 is different from 3)"
    )
    explanation = explain(text)
    assert explanation.own.number == 4
    assert all(why.code != "square-of-column" for cause in explanation.causes for why in cause.why)


@pytest.mark.parametrize(
    "code, shape",
    [
        ("x.flatten(start_dim=1)", (32, 200)),
        ("torch.flatten(x, 1)", (32, 200)),
        ("x.flatten(0, 1)", (320, 20)),
        ("x.transpose(dim0=1, dim1=2)", None),
        ("x.transpose(0, 1)", (10, 32, 20)),
        ("x[:1].squeeze(dim)", None),
        ("tf.constant(0.5, shape=(3, 4))", (3, 4)),
        ("torch.bmm(x, x.permute(0, 2, 1))", (32, 10, 10)),
        ("torch.matmul(x, x.permute(0, 2, 1))", (32, 10, 10)),
        ("x.unsqueeze(dim=-1).size(dim=1)", 10),
    ],
)
def test_the_shapes_of_other_libraries_are_followed_or_not_known(code, shape):
    value = trace_shapes(f"x = torch.zeros(32, 10, 20)\ny = {code}").names["y"]
    assert (value.shape if isinstance(value, Array) else value) == shape


INNER = "ValueError: shapes (4,3) and (5,) not aligned: 3 (dim 1) != 5 (dim 0)"
FEATURES = "RuntimeError: input.size(-1) must be equal to input_size. Expected 28, got 20"


@given(
    st.lists(
        st.sampled_from(
            [*"\n".join(PROGRAMS).split("\n"), "  (", "nn.LSTM(", "    x[", "-" * 999, "9**9**9", "(" * 300]
        )
    )
)
def test_no_program_breaks_it(lines):
    explain("\n".join([*lines, FEATURES]))


@pytest.mark.parametrize(
    "text",
    [
        "+".join(["1"] * 9000),
        "not code at all\n" * 900,
        f"y = {'-' * 90}x",
        f"a = 0x{'f' * 8000}\ny = [a,\nx @ x]",
    ],
)
def test_a_hostile_program_is_given_up(text):
    assert trace_shapes(text) is None


# A chain of lists, each of which has the one before it twice, is a list of 2^300 entries.
_DOUBLED = "x = [1, 2]\ny = [1, 2]\n" + "x = [x, x]\ny = [y, y]\n" * 300
HOSTILE = {
    "many calls in a statement": "l = nn.Linear(3, 4)\ny = [l(x),\n" + "l(x)," * 1300 + "]",
    "many products that do not fit": "A = np.zeros((2, 3))\ny = [A @ A,\n" + "A @ A," * 1500 + "]",
    "many losses": "y = [\n" + "loss(a, b)," * 1500 + "]",
    "a long target": f"def f():\n    g({'a,' * 5000}).b = 1\n" + "f()\n" * 1000,
    "many targets": f"def f():\n    {'a, ' * 4000}b = 1\n" + "f()\n" * 1900,
    "many equal targets": f"def f():\n    {'a = ' * 3000}1\n" + "f()\n" * 1900,
    "a long sum": f"x = np.zeros((3, 1))\ny = np.ones(3)\nh = {'(' * 25}x{' + y) @ x' * 25}, {'x, ' * 5000}",
    "many digits": f"a = {'9' * 4000}\nx = np.zeros(({'a,' * 3900}))\ny = x.ravel()",
    "more hexadecimal digits": f"a = 0x{'f' * 8000}\nx = np.zeros(({'a,' * 3900}))\ny = x.ravel()",
    "many axes": f"x = np.zeros(({'999999999,' * 1400}))\n" + "y = x.ravel()\n" * 300,
    "sizes that grow": "x = np.ones((9, 9))\n" + "x = np.expand_dims(x.ravel(), 0)\nx = x.T @ x\n" * 400,
    "axes that grow": "x = np.ones((2, 2, 2, 2))\n" + "x = x.dot(x)\n" * 900,
    "lists that grow, as an array": _DOUBLED + "z = np.array(x)",
    "lists that grow, in two branches": _DOUBLED + "if a:\n    x = y",
    "layers that grow": "l = k = 1\n" + "l = nn.Linear(l, l)\nk = nn.Linear(k, k)\n" * 200 + "if a:\n    l = k",
    "a list for many arrays": f"x = [{'1,' * 1900}]\n" + "np.array(x)\n" * 900,
    "recursion": "def f(): f()\nf()\n" * 900,
    "open brackets": "x = [" * 3900,
    "a long line of prose": "a" * 300 + " b\n" + "a," * 9000 + "\n" + "a b c\n" * 40,
    "blank lines": "\n" * 19_900,
    "spaces": " " * 19_900,
    "blank lines with spaces": " \n" * 9900,
    "many lines of prose": "x = [1, 2, 3, 4, 5, 6]\n" * 800 + "a b c\n" * 40,
    "prose around advised lines": "W = np.zeros((4, 3))\nx = np.zeros(5)\n"
    + "a = [1, 2, 3]\n" * 1000
    + "a b c\n" * 20
    + "y = W @ x",
    "a word": "a" * 19_900,
    "decorators": f"@{'f(' * 20}{')' * 20}\n" * 400 + "def f(): pass",
    "an f-string": f"y = f'{'{x}' * 5000}'",
    "a comprehension": f"y = [x {'for x in y ' * 1500}]",
}


ORDINARY = "import numpy as np\n" + "".join(
    f"x{at} = np.zeros((3, {at}))\ny{at} = x{at}.T @ x{at}\n" for at in range(2, 152)
)


def seconds_of(text: str) -> float:
    """Return the processor time that the explanation of a text takes."""
    start = time.process_time()
    assert explain(text).is_understood
    return time.process_time() - start


@pytest.mark.parametrize("message", ["index out of range in self", FEATURES, INNER])
@pytest.mark.parametrize("program", HOSTILE)
def test_a_hostile_program_takes_hardly_more_time_than_an_ordinary_one(program, message):
    # Other work on the machine slows the ordinary program too, before or after. Measured 20 times as much at most; without a
    # bound, most of them took from 100 times as much to minutes.
    before = seconds_of(f"{ORDINARY}{message}")
    took = seconds_of(f"{HOSTILE[program]}\n{message}")
    assert took < 100 * max(before, seconds_of(f"{ORDINARY}{message}"))


@pytest.mark.parametrize("code", [f"{'-' * 400}x", f"0x{'f' * 4400}", f"x{'.T' * 240}"])
def test_a_hostile_line_of_a_traceback_breaks_nothing(code):
    text = f'  File "a.py", line 3, in <module>\n    out = lstm({code})\n{FEATURES}'
    assert explain(text).is_understood


def test_the_warnings_of_other_threads_are_left_alone(monkeypatch):
    monkeypatch.setattr(warnings, "catch_warnings", None)
    assert trace_shapes("n = 3").names == {"n": 3}


@pytest.mark.parametrize(
    "arguments", ["28, 100, num_layers=2.0", "28, 100, 0.5", "28, 100, num_layers=[2]", "28, [100]"]
)
def test_a_layer_that_cannot_be_is_not_shown_as_that_of_the_program(arguments):
    text = f"lstm = nn.LSTM({arguments})\nx = torch.randn(32, 5, 20)\nout = lstm(x)\n{FEATURES}"
    explanation = explain(text)
    assert explanation.own.number == 3 and explanation.layer == explain(FEATURES).layer


def test_the_layer_is_that_of_the_program():
    text = (
        "lstm = nn.LSTM(28, hidden_size=100, num_layers=2, batch_first=True)\nx = torch.zeros(64, 784)\nout, state = lstm(x)\n"
        "RuntimeError: input.size(-1) must be equal to input_size. Expected 28, got 784"
    )
    explanation = explain(text)
    assert explanation.layer == LayerSizes("PyTorch", "LSTM", 28, 100, layers=2, batch_first=True)
    assert explanation.given.x == (64, 784)
    without_x = explain(text.replace("torch.zeros(64, 784)", "images"))
    assert without_x.layer.k != 100 and without_x.own.number == 3


@pytest.mark.parametrize("name", ["loss_fn", "F.cross_entropy", "self.my_criterion", "nn.MSELoss()", "objective"])
def test_a_call_of_a_loss_is_known_by_its_name(name):
    line = f"y = {name}(a, b)"
    reading = read(f'  File "a.py", line 3, in f\n    {line}\n{INNER}')
    assert is_loss(reading) and (len(trace_shapes(line).calls) == 1 or name.endswith("()"))


def test_a_layer_of_saved_weights_does_not_take_the_name_of_the_model_that_loads_them():
    message = "size mismatch for embedding.weight: copying a param with shape torch.Size([107, 256]) from checkpoint, the shape in current model is torch.Size([120, 256])."
    frame = (
        'Traceback (most recent call last):\n  File "train.py", line 30, in <module>\n    net.load_state_dict(saved)\n'
    )
    cause = explain(f"{frame}RuntimeError: Error(s) in loading state_dict for Net:\n\t{message}").causes[0]
    assert cause.change.startswith("nn.Embedding(107, 256)")
    assert not cause.own.startswith("net = ")
