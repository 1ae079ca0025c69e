"""Programs with classes, pasted above their message without a traceback: the line that failed, its cause and its changed line."""

import ast
import json
from pathlib import Path

import pytest

from core.shapes import explain
from core.shapes.shape_inference.program import trace_shapes
from core.shapes.shape_inference.stated_shapes import stated_shapes
from core.shapes.user_code.program import user_program
from core.shapes.user_code.trials import written_out
from tests.core.golden.reader_programs import PROGRAMS

ROWS = json.loads((Path(__file__).parent / "golden" / "reader_programs.json").read_text())
CASES = [
    pytest.param(truth.split(), text, row, id=name) for (name, truth, text), row in zip(PROGRAMS, ROWS, strict=True)
]


@pytest.mark.parametrize("truth, text, row", CASES)
def test_the_cause_and_the_line_follow_from_the_program_and_its_message(truth, text, row):
    explanation = explain(f"{text}\n{row['message']}")
    assert explanation.causes[0].code in truth
    if explanation.own:
        assert explanation.own.number == row["line"]


def test_the_line_that_failed_is_found_in_nearly_all_programs():
    missed = [
        row["name"]
        for (_, _, text), row in zip(PROGRAMS, ROWS, strict=True)
        if not explain(f"{text}\n{row['message']}").own
    ]
    assert len(missed) <= 6, missed


@pytest.mark.parametrize("truth, text, row", CASES)
def test_nothing_is_refused_before_the_line_that_failed(truth, text, row):
    followed = trace_shapes(text)
    places = [one.number for one in (*followed.refusals, *followed.mismatches)]
    assert places[:1] in ([], [row["line"]])


@pytest.mark.parametrize(
    "code, shape",
    [
        ("nn.LSTM(7, 20, 2, bidirectional=True)(x)[0]", (5, 3, 40)),
        ("nn.LSTM(7, 20, 2, bidirectional=True)(x)[1][1]", (4, 3, 20)),
        ("nn.LSTM(7, 20, proj_size=6)(x)[1][0]", (1, 3, 6)),
        ("nn.GRU(7, 20, batch_first=True)(x)[1]", (1, 5, 20)),
        ("nn.GRUCell(7, 20)(x[0])", (3, 20)),
        ("nn.Conv1d(3, 8, 4, stride=2, padding=1)(x)", (5, 8, 3)),
        ("nn.MaxPool1d(2)(x)", (5, 3, 3)),
        ("nn.Sequential(nn.Flatten(), nn.Linear(21, 4), nn.ReLU())(x)", (5, 4)),
        ("torch.cat([x, x[:, :2]], dim=1)", (5, 5, 7)),
        ("torch.stack((x, x), 2)", (5, 3, 2, 7)),
        ("torch.bmm(x, x.transpose(1, 2))", (5, 3, 3)),
        ("x.mean(dim=1)", (5, 7)),
        ("x.sum(1, keepdim=True)", (5, 1, 7)),
        ("x.max(-1)[0]", (5, 3)),
        ("x.chunk(5, dim=0)[1]", (1, 3, 7)),
        ("torch.split(x, 1, dim=1)[0]", (5, 1, 7)),
        ("x.unbind(1)[0]", (5, 7)),
        ("x[0].expand(4, -1, -1)", (4, 3, 7)),
        ("x.repeat(2, 1, 3)", (10, 3, 21)),
        ("F.one_hot(x.argmax(-1), 9)", (5, 3, 9)),
        ("x[..., -1]", (5, 3)),
        ("x[:, 1:, ::2]", (5, 2, 4)),
        ("x[torch.tensor([0, 2])]", (2, 3, 7)),
        ("pad_packed_sequence(pack_padded_sequence(x, [5, 4, 2]))[1]", (3,)),
        ("next(iter(DataLoader(TensorDataset(x), batch_size=5)))[0]", (5, 3, 7)),
        ("x.movedim(0, 2)", (3, 7, 5)),
    ],
)
def test_layers_and_functions_give_the_shapes_of_pytorch(code, shape):
    assert trace_shapes(f"x = torch.zeros(5, 3, 7)\ny = {code}").names["y"].shape == shape


@pytest.mark.parametrize(
    "text, told",
    [
        ("x has shape (32, 10, 5) and `y` is of shape (32,)", {"x": (32, 10, 5), "y": (32,)}),
        ("print(out.shape)   # out.shape: torch.Size([16, 7, 40])", {"out": (16, 7, 40)}),
        ("the shape of X_train is (60, 3), and later X_train.shape = (50, 3)", {}),
    ],
)
def test_shapes_are_read_from_the_words_of_a_text(text, told):
    assert stated_shapes(text) == told


def test_a_shape_that_the_words_tell_is_that_of_an_argument():
    text = (
        "class Net(nn.Module):\n    def __init__(self):\n        self.fc = nn.Linear(32, 5)\n"
        "    def forward(self, out):\n        return self.fc(out)\n\nout.shape is torch.Size([8, 64])"
    )
    assert [one.name for one in trace_shapes(text).refusals] == ["Linear"]


@pytest.mark.parametrize(
    "advised, made, line",
    [
        ("nn.Linear(64, 3)", "self.fc = nn.Linear(32, 3, bias=False)", "self.fc = nn.Linear(64, 3, bias=False)"),
        ("nn.GRU(..., hidden_size=64)   # or LSTM, RNN", "rnn = nn.LSTM(n, 32)", "rnn = nn.LSTM(n, 64)"),
        ("nn.GRU(..., batch_first=True)", "rnn = nn.LSTM(n, 32)", "nn.GRU(..., batch_first=True)"),
        (
            "nn.Linear(..., out_features=1)   # the last layer",
            "fc = nn.Linear(8, 4)",
            "fc = nn.Linear(8, 1)   # the last layer",
        ),
    ],
)
def test_an_advised_layer_has_the_arguments_of_the_readers_layer(advised, made, line):
    assert ast.parse(made) and written_out(advised, user_program(made)) == line


_BODY = (
    "    def __init__(self):\n        self.lstm = nn.LSTM(10, 64, bidirectional=True)\n        self.fc = nn.Linear(64, 5)\n"
    "    def forward(self, x):\n        out, _ = self.lstm(x)\n        return self.fc(out[-1])\n"
)
_PRODUCT = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x128 and 64x5)"


@pytest.mark.parametrize(
    "text, number",
    [
        (f"class Net(nn.Module):\n{_BODY}\n{_PRODUCT}", 7),
        (f"I get this:\n{_PRODUCT}\nfrom my model:\nclass Net(nn.Module):\n{_BODY}\nWhat is wrong?", 10),
        (f"The methods of my model:\n{_BODY}\n{_PRODUCT}", 7),
        (
            ">>> lstm = nn.LSTM(10, 64, bidirectional=True)\n>>> fc = nn.Linear(64, 5)\n>>> out, _ = lstm(x)\n"
            f">>> y = fc(out[-1])\n{_PRODUCT}",
            4,
        ),
        # The prompt within a quotation of a quotation.
        (
            "> > >>> lstm = nn.LSTM(10, 64, bidirectional=True)\n> > >>> fc = nn.Linear(64, 5)\n"
            f"> > >>> out, _ = lstm(x)\n> > >>> y = fc(out[-1])\n> > {_PRODUCT}",
            4,
        ),
        (f"```python\nclass Net(nn.Module):\n{_BODY}```\n{_PRODUCT}", 8),
    ],
)
def test_a_program_is_found_in_the_forms_in_which_people_paste_it(text, number):
    explanation = explain(text)
    assert explanation.own.number == number
    assert explanation.causes[0].own.endswith("fc = nn.Linear(128, 5)")
