"""The first advised line for a traceback of PyTorch that has the lines of the frames alone, and not the program."""

import pytest

from core.shapes import explain
from tests.core.pytorch_frames import FEATURES, FRAMES, JOIN, PRODUCT, ROWS, SIZES, STATE


def _lines(line: str, error: str, call: str = "y = net(x)") -> list[str]:
    """Return the lines of the first cause."""
    return list(explain(FRAMES.format(call, line, error)).causes[0].lines)


def _code(line: str) -> str:
    return line.partition("   # ")[0]


@pytest.mark.parametrize(
    "line, error",
    [
        ("o, s = self.rnn(torch.cat((emb, ctx), -1), s)", FEATURES.format(80, 40)),
        ("o, s = self.rnn(torch.cat((emb, ctx), 2), s)", FEATURES.format(80, 40)),
        ("o, s = self.rnn(torch.cat((emb, ctx), 0), s)", FEATURES.format(90, 40)),
        ("y = self.out(torch.cat((o, ctx), 1))", PRODUCT.format("12x64", "128x200")),
    ],
)
def test_arrays_joined_along_the_features_stay_so(line, error):
    assert "concatenate-axis" not in [cause.code for cause in explain(FRAMES.format("y = net(x)", line, error)).causes]


def test_a_half_beyond_the_last_entry_is_that_of_a_second_direction():
    lines = _lines("y = y[:, :, : self.k] + y[:, :, self.k :]", SIZES.format(128, 0, 2))
    assert lines[0].startswith("nn.LSTM(..., bidirectional=True)") and not any("0" in _code(line) for line in lines)


def test_the_summary_of_a_sequence_is_still_the_same_at_each_step():
    assert "expand(-1, 7, -1)" in _lines("r = torch.cat((q, encoder_outputs), 2)", JOIN.format(1, 7))[0]


def test_rows_that_the_line_makes_are_not_called_steps():
    message = FRAMES.format("main()", "l = crit(y.reshape(-1, V), t.reshape(-1))", ROWS.format(800, 3232))
    assert "batch-first" not in [cause.code for cause in explain(message).causes]


def test_a_decoder_gets_one_step_of_the_tokens():
    lines = _lines(
        "o, h = self.gru(x, h)",
        "ValueError: GRU: Expected input to be 2D or 3D, got 4D instead",
        "out, h = dec(tok, h)",
    )
    assert _code(lines[0]) == "out, h = dec(tok[:, 0], h)" and not any("image" in line for line in lines)


def test_an_array_beside_a_squeezed_one_may_have_its_axis_of_one_elsewhere():
    lines = _lines(
        "y = self.out(torch.cat((o.squeeze(0), ctx), 1))",
        "RuntimeError: Tensors must have same number of dimensions: got 2 and 3",
    )
    assert [_code(line) for line in lines[:2]] == [
        f"y = self.out(torch.cat((o.squeeze(0), ctx.squeeze({at})), 1))" for at in (1, 0)
    ]


def test_both_arguments_of_a_linear_layer_may_be_swapped_where_one_is_twice_the_other():
    lines = _lines("h = self.fc(x)", PRODUCT.format("32x256", "128x256"))
    assert _code(lines[1]) == "self.fc = nn.Linear(256, 128)"


def test_a_loss_of_rows_for_each_step_may_have_taken_the_last_sequence():
    lines = _lines("loss = loss_fn(y_pred, y_batch)", SIZES.format(12, 8, 0))
    assert any("output[:, -1]" in line for line in lines)


@pytest.mark.parametrize("call, begins", [("evaluate(data)", False), ("evaluate(data, h)", True)])
def test_none_takes_the_place_of_a_state_alone(call, begins):
    """The data that a function is given are not its state, where the function carries one."""
    frame = '  File "train.py", line 9, in forward\n    o, h = self.rnn(x, h)\n'
    text = FRAMES.format(f"loss = {call}", "o, h = model(x, h)", frame + STATE.format("[0]", "2, 5, 9", "2, 8, 9"))
    lines = explain(text.replace("in forward", "in evaluate", 1)).causes[0].lines
    assert (_code(lines[0]) == "loss = evaluate(data, None)") == begins == any("None)" in line for line in lines)


def test_the_state_of_one_layer_is_kept_for_a_decoder_of_two():
    lines = _lines("o, h = self.decoder(x, encoder_h)", STATE.format("", "2, 5, 9", "1, 5, 9"))
    assert [_code(line) for line in lines[:2]] == [
        "self.decoder = nn.GRU(..., num_layers=1, bidirectional=False)",
        "encoder_h = encoder_h.expand(2, -1, -1).contiguous()",
    ]


def test_a_last_step_is_taken_before_the_layer_is_made_anew():
    lines = _lines("loss = criterion(model(x), y)", ROWS.format(30, 16))
    assert "output[:, -1]" in lines[0] and "batch_first=True" in lines[1]


def test_four_gates_cut_from_weights_for_three_are_told_by_the_update_of_c():
    line = "c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)"
    (only,) = _lines(line, SIZES.format(24, 32, 1))
    assert "128 columns" in only and "not 96" in only
    assert "nn.Linear" in _lines(line.replace("f)", "u)"), SIZES.format(24, 32, 1))[0]


def test_weights_on_their_side_are_made_anew_with_their_sizes_exchanged():
    causes = explain(
        FRAMES.format("y = net(x)", "h = torch.tanh(x_t @ self.W)", PRODUCT.format("32x10", "48x10"))
    ).causes
    assert "self.W = torch.zeros((10, 48))" in [_code(line) for cause in causes for line in cause.lines]


@pytest.mark.parametrize(
    "line, is_gate", [("f = torch.sigmoid(x @ self.Wf)", True), ("y = torch.tanh(x @ self.Wf)", False)]
)
def test_a_change_of_one_gate_reminds_of_the_other_gates(line, is_gate):
    lines = _lines(line, PRODUCT.format("12x64", "40x64"))
    assert lines and all(one.endswith("the other gates may need the same") == is_gate for one in lines)
