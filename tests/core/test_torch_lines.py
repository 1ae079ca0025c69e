"""The first advised line for a traceback of PyTorch that has the lines of the frames alone, and not the program."""

import pytest

from core.shapes import explain

_SIZES = "RuntimeError: The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}"
_PRODUCT = "RuntimeError: mat1 and mat2 shapes cannot be multiplied ({} and {})"
_FEATURES = "RuntimeError: input.size(-1) must be equal to input_size. Expected {}, got {}"
_JOIN = "RuntimeError: Sizes of tensors must match except in dimension 2. Expected size {} but got size {} for tensor number 1 in the list."
_ROWS = "ValueError: Expected input batch_size ({}) to match target batch_size ({})."
_GATES = "g = x_t @ self.W + h_t @ self.U + self.b"
_FRAMES = """Traceback (most recent call last):
  File "train.py", line 40, in <module>
    {}
  File "train.py", line 21, in forward
    {}
{}"""


def _lines(line: str, error: str, call: str = "y = net(x)") -> list[str]:
    """Return the lines of the first cause."""
    return list(explain(_FRAMES.format(call, line, error)).causes[0].lines)


def _marked(line: str, part: str, sign: str) -> str:
    """Return a line with the marks that Python puts below an operation that failed."""
    at, of = line.index(part), part.index(sign)
    return f"{line}\n    {' ' * at}{'~' * of}^{'~' * (len(part) - of - 1)}"


def _code(line: str) -> str:
    return line.partition("   # ")[0]


@pytest.mark.parametrize(
    "line, error, first",
    [
        (
            "o, s = self.rnn(torch.cat((emb, ctx), 0), s)",
            _FEATURES.format(80, 40),
            "o, s = self.rnn(torch.cat((emb, ctx), dim=-1), s)",
        ),
        (
            "o, s = self.rnn(torch.cat([emb, ctx], dim=1), s)",
            _FEATURES.format(80, 40),
            "o, s = self.rnn(torch.cat([emb, ctx], dim=-1), s)",
        ),
        (
            "y = self.out(torch.cat((o.squeeze(0), ctx), 0))",
            _PRODUCT.format("12x64", "128x200"),
            "y = self.out(torch.cat((o.squeeze(0), ctx), dim=-1))",
        ),
    ],
)
def test_arrays_joined_along_rows_are_joined_along_the_features(line, error, first):
    assert _code(_lines(line, error)[0]) == first


@pytest.mark.parametrize(
    "line, error",
    [
        ("o, s = self.rnn(torch.cat((emb, ctx), -1), s)", _FEATURES.format(80, 40)),
        ("o, s = self.rnn(torch.cat((emb, ctx), 2), s)", _FEATURES.format(80, 40)),
        ("o, s = self.rnn(torch.cat((emb, ctx), 0), s)", _FEATURES.format(90, 40)),
        ("y = self.out(torch.cat((o, ctx), 1))", _PRODUCT.format("12x64", "128x200")),
    ],
)
def test_arrays_joined_along_the_features_stay_so(line, error):
    assert "concatenate-axis" not in [cause.code for cause in explain(_FRAMES.format("y = net(x)", line, error)).causes]


@pytest.mark.parametrize(
    "line, error, first",
    [
        # The gates stand in one array, and a factor of the state still holds all of them.
        (_marked("c_t = f_t * c_t + i_t * g_t", "i_t * g_t", "*"), _SIZES.format(128, 512, 1), "g_t = g_t.chunk(4, dim=1)[2]"),
        ("h_t = o_t * torch.tanh(c_t)", _SIZES.format(512, 128, 1), "o_t = o_t.chunk(4, dim=1)[3]"),
        # A loop takes its steps from the batch, or none at all.
        (_marked(_GATES, "x_t @ self.W + h_t @ self.U", "+"), _SIZES.format(12, 16, 0), "x_t = x[:, t]"),
        (_marked(_GATES, "x_t @ self.W + h_t @ self.U", "+"), _SIZES.format(12, 16, 1), "x_t = x[:, t]"),
        ("h = torch.tanh(x @ self.W + h @ self.U)", _SIZES.format(12, 16, 1), "h = torch.tanh(x[:, t] @ self.W + h @ self.U)"),
        # Two halves of one array.
        ("y = y + y[:, :, self.k :]", _SIZES.format(256, 128, 2), "y = y[:, :, :self.k] + y[:, :, self.k:]"),
        ("y = y[:, :, : self.k] + y[:]", _SIZES.format(128, 256, 2), "y = y[:, :, :self.k] + y[:, :, self.k:]"),
        # Scores that keep their last axis of 1.
        ("e = e.masked_fill(~mask, -1e9)", _SIZES.format(3, 30, 1), "e = e.squeeze(-1).masked_fill(~mask, -1000000000.0)"),
    ],
)
def test_a_sum_or_a_product_has_the_axes_of_its_names(line, error, first):
    assert _code(_lines(line, error)[0]) == first


def test_a_half_beyond_the_last_entry_is_that_of_a_second_direction():
    lines = _lines("y = y[:, :, : self.k] + y[:, :, self.k :]", _SIZES.format(128, 0, 2))
    assert lines[0].startswith("nn.LSTM(..., bidirectional=True)") and not any("0" in _code(line) for line in lines)


@pytest.mark.parametrize(
    "line, error, first",
    [
        (
            "c = torch.bmm(a.unsqueeze(1), enc)",
            "RuntimeError: batch1 must be a 3D tensor",
            "c = torch.bmm(a.squeeze(-1).unsqueeze(1), enc)",
        ),
        (
            "c = torch.bmm(a.unsqueeze(0), enc).squeeze(1)",
            "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [1, 22] but got: [8, 22].",
            "c = torch.bmm(a.unsqueeze(1), enc).squeeze(1)",
        ),
        (
            "c = a.bmm(enc.transpose(0, 1)).squeeze(1)",
            "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [1, 10] but got: [6, 10].",
            "a = a.transpose(0, 1)",
        ),
        (
            "r = torch.cat((emb, ctx.unsqueeze(0)), 2)",
            "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)",
            "r = torch.cat((emb.unsqueeze(0), ctx.unsqueeze(0)), 2)",
        ),
        (
            "o, s = self.rnn(torch.cat((emb, ctx), 2), s)",
            "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)",
            "o, s = self.rnn(torch.cat((emb.unsqueeze(1), ctx), 2), s)",
        ),
        ("o, s = self.rnn(torch.cat((emb, ctx), 2), s)", _JOIN.format(1, 7), "emb = emb.transpose(0, 1)"),
        ("r = torch.cat((emb, ctx.unsqueeze(1)), 2)", _JOIN.format(1, 6), "r = torch.cat((emb, ctx.unsqueeze(0)), 2)"),
    ],
)
def test_an_array_of_attention_has_the_axes_that_the_line_needs(line, error, first):
    assert _code(_lines(line, error)[0]) == first


def test_the_summary_of_a_sequence_is_still_the_same_at_each_step():
    assert "expand(-1, 7, -1)" in _lines("r = torch.cat((q, encoder_outputs), 2)", _JOIN.format(1, 7))[0]
