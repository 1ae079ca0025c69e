"""Evidence in a few lines of a program, which decides between causes of one message."""

import pytest

from core.shapes import explain

TRACEBACK = 'Traceback (most recent call last):\n  File "m.py", line 9, in forward\n    {}\nRuntimeError: {}'


def first_line(line: str, message: str) -> str:
    cause = explain(TRACEBACK.format(line, message), "").causes[0]
    return (cause.own or cause.change).splitlines()[0]


@pytest.mark.parametrize(
    "line, message, advised",
    [
        (
            "out, hidden = self.rnn(words, hidden)",
            "Expected hidden size (1, 16, 64), got [2, 16, 64]",
            "hidden = hidden[-1:]",
        ),
        (
            "out, h = self.gru(x, self.hidden)",
            "Expected hidden size (1, 8, 64), got [1, 32, 64]",
            "if self.hidden is not None and self.hidden.size(1) !=",
        ),
        (
            "out, h = self.lstm(x, (h0.detach(), c0.detach()))",
            "Expected hidden[0] size (3, 28, 40), got [1, 28, 40]",
            "h0 = c0 = torch.zeros(3, x.size(0 if self.lstm.batch_first else 1), 40)",
        ),
        (
            "out, (hidden, cell) = self.lstm(x, hidden)",
            "For batched 3-D input, hx and cx should also be 3-D but got (2-D, 2-D) tensors",
            "hidden = (hidden[0].unsqueeze(0)",
        ),
        (
            "return self.fc(hidden)",
            "mat1 and mat2 shapes cannot be multiplied (40x72 and 144x1)",
            "return self.fc(torch.cat(hidden.reshape(-1, 72).chunk(2), dim=-1))",
        ),
    ],
)
def test_the_line_decides(line, message, advised):
    assert first_line(line, message).startswith(advised)


def test_a_step_taken_from_the_batch_is_among_the_causes_of_a_message_alone():
    causes = explain("Input batch size 12 doesn't match hidden0 batch size 40", "").best
    assert [cause.code for cause in causes] == ["batch-size", "batch-first"]


def test_a_product_by_hand_is_not_of_a_linear_layer():
    text = TRACEBACK.format(
        "g = x @ self.w + h @ self.u", "mat1 and mat2 shapes cannot be multiplied (7x18 and 100x18)"
    )
    codes = [why.code for cause in explain(text, "").causes for why in cause.why]
    assert codes and not [code for code in codes if code.startswith("linear")]


def test_a_concatenation_before_a_linear_layer_gives_no_sizes_of_a_recurrent_layer():
    text = TRACEBACK.format(
        "output = self.i2o(combined)", "mat1 and mat2 shapes cannot be multiplied (1x185 and 128x18)"
    )
    assert explain(text, "").layer is None
