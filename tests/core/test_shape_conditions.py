"""Statements and lines that hold in one case alone: they come with their condition, or do no harm in the other case."""

import pytest

from core.shapes import explain
from dashboard.text import shapes as text

_CARRIED = """Traceback (most recent call last):
  File "fit.py", line 30, in <module>
    {}
  File "net.py", line 12, in forward
    {}
RuntimeError: Expected hidden size ({}), got [{}]"""


def _first(message: str) -> list[str]:
    """Return the lines of the first cause."""
    first = explain(message).causes[0]
    return (first.own or first.change).splitlines()


@pytest.mark.parametrize(
    "wanted, got, arguments",
    [
        ("4, 6, 10", "2, 6, 10", "num_layers=2, bidirectional=False"),
        ("3, 6, 10", "2, 6, 10", "num_layers=2"),
    ],
)
def test_as_many_layers_as_the_state_has_slices_are_right_for_one_direction(wanted, got, arguments):
    line = _first(_CARRIED.format("y, s = net(x, s)", "o, s = self.gru(x, s)", wanted, got))[1]
    assert line == f"self.gru = nn.GRU(..., {arguments})   # if the state is right"


def test_the_sum_of_both_directions_may_be_taken_again_in_a_loop():
    message = _CARRIED.format("y, s = decoder(x, s)", "o, s = self.gru(x, s)", "1, 6, 10", "2, 6, 10")
    assert _first(message)[0].startswith("s = s.view(1, -1, *s.shape[1:]).sum(1)   # ")


def test_a_state_that_a_cause_leaves_as_it_is_is_not_said_to_need_another_shape():
    explanation = explain("RuntimeError: Expected hidden[0] size (2, 15, 40), got [2, 32, 40]")
    shown = {cause.code: bool(text.needed_and_given(cause, explanation.given)) for cause in explanation.causes}
    assert shown == {"batch-first": False, "batch-size": True}


def test_either_factor_of_the_rows_may_be_the_batch():
    first = explain("ValueError: Expected input batch_size (36) to match target batch_size (4).").causes[0]
    assert "Either steps and batch" in text.reason(first) and "9 steps" not in text.reason(first)


def test_a_size_that_is_twice_another_only_may_be_that_of_two_directions():
    message = (
        "RuntimeError: The size of tensor a (20) must match the size of tensor b (40) at non-singleton dimension 2"
    )
    assert "may come from a bidirectional layer" in text.reason(explain(message).causes[0])


def test_a_length_is_not_read_from_the_rows_of_a_packed_sequence():
    message = "RuntimeError: start (41) + length (5) exceeds dimension size (41)."
    assert "46" not in "".join(text.reason(cause) for cause in explain(message).causes)


def test_an_unknown_size_is_not_said_to_differ():
    explanation = explain("ValueError: Shapes (None, 300) and (300, 1) are incompatible")
    reasons = [text.reason(cause) for cause in explanation.causes]
    assert reasons and not any("−1" in reason or "-1" in reason for reason in reasons)


def test_a_cell_that_adds_its_gates_does_not_tell_its_units():
    message = "Detected at node lstm_1/while/lstm_cell_1/Add\nIncompatible shapes: [4,256] vs. [16,256]\n[[{{node lstm_1/while/lstm_cell_1/Add}}]]"
    assert explain(message).sizes == {"batch": 16}


@pytest.mark.parametrize("rows, is_said", [(20, True), (50, False)])
def test_a_batch_larger_than_that_of_the_state_is_no_last_batch(rows, is_said):
    place = 'File "flax/linen/recurrent.py", line 588, in __call__\n'
    message = f"{place}TypeError: add got incompatible shapes for broadcasting: ({rows}, 24), (32, 24)."
    assert ("last batch" in text.reason(explain(message).causes[0])) is is_said


def test_one_vector_for_each_sample_does_not_tell_the_features():
    message = "Input 0 of layer 'lstm' is incompatible with the layer: expected ndim=3, found ndim=2. Full shape received: (None, 15)"
    assert explain(message).sizes == {"axes": 2}


def test_weights_of_one_number_are_not_advised():
    message = (
        '  File "rnn.py", line 37, in loss_fun\n    dW += np.dot(dh, hs[t - 1])\n'
        "ValueError: shapes (32,1) and (32,1) not aligned: 1 (dim 1) != 32 (dim 0)"
    )
    assert not any("(1, 1)" in (cause.own or cause.change) for cause in explain(message).causes)


def test_a_state_made_for_the_units_leaves_the_weights_to_change():
    lines = '  File "rnn.py", line 24, in <module>\n    y = rnn(x, {})\n  File "rnn.py", line 18, in rnn\n    h = np.tanh(Whh @ h + b)\n'
    message = "ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 5 is different from 3)"
    assert _first(lines.format("np.zeros(n_hidden)") + message)[0].startswith("Whh = ")
    assert _first(lines.format("start") + message)[0].startswith("h = ")
