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
    "wanted, got, condition",
    [
        ("4, 6, 10", "2, 6, 10", "if the state is right, and the layer has one direction"),
        ("3, 6, 10", "2, 6, 10", "if the state is right"),
    ],
)
def test_as_many_layers_as_the_state_has_slices_are_right_for_one_direction(wanted, got, condition):
    line = _first(_CARRIED.format("y, s = net(x, s)", "o, s = self.gru(x, s)", wanted, got))[1]
    assert line.startswith("self.gru = nn.GRU(..., num_layers=2)") and line.endswith(f"   # {condition}")


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
