"""Backwards through the diagram: the gradient at every wire is what a nudge of this wire alone does to the sum of h_t."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import sigmoid, tanh
from core.cells import CELLS
from core.cells.gru import GRUParams, GRUStep
from core.cells.lstm import LSTMParams, LSTMStep
from core.cells.rnn import RNNParams, RNNStep
from core.concatenation import stack_input
from core.scenario import Scenario

# Returns the numbers of a wire, after a nudge if it is that wire's turn.
At = Callable[[str, np.ndarray], np.ndarray]
NUDGE = 1e-6
SIZES = {"RNN": [(3, 3), (2, 3)], "LSTM": [(3, 3), (2, 3)], "GRU": [(3, 3)]}
each_cell = pytest.mark.parametrize(("name", "n", "k"), [(name, *sizes) for name in SIZES for sizes in SIZES[name]])


def rnn(params: RNNParams, step: RNNStep, at: At) -> np.ndarray:
    stacked = at("stacked", stack_input(at("h_prev", step.h_prev), at("x_t", step.x_t), params.order))
    return at("h_t", params.g.f(at("z_t", params.W_h @ stacked + params.b_h)))


def lstm(params: LSTMParams, step: LSTMStep, at: At) -> np.ndarray:
    stacked = at("stacked", stack_input(at("h_prev", step.h_prev), at("x_t", step.x_t), params.order))
    z_f, z_i, z_c, z_o = (
        getattr(params, f"W_{gate}") @ at(f"stacked_{gate}", stacked) + getattr(params, f"b_{gate}") for gate in "fico"
    )
    f_c = at("f_c", at("f_t", sigmoid.f(z_f)) * at("c_prev", step.c_prev))
    i_c_tilde = at("i_c_tilde", at("i_t", sigmoid.f(z_i)) * at("c_tilde", tanh.f(z_c)))
    c_t = at("c_t", f_c + i_c_tilde)
    at("c_t_next", c_t)  # leaves the cell, and no sum of h_t depends on it
    return at("h_t", at("o_t", sigmoid.f(z_o)) * at("tanh_c_t", tanh.f(c_t)))


def gru(params: GRUParams, step: GRUStep, at: At) -> np.ndarray:
    h, x = at("h_prev", step.h_prev), at("x_t", step.x_t)
    beside = at("h_prev_not_stacked", h)
    stacked = at("stacked", stack_input(at("h_prev_stacked", h), at("x_t_stacked", x), params.order))
    r = at("r_t", sigmoid.f(params.W_r @ at("stacked_r", stacked) + params.b_r))
    u = at("u_t", sigmoid.f(params.W_u @ at("stacked_u", stacked) + params.b_u))
    W_hh_h = at("W_hh_h", params.W_hh @ at("h_prev_candidate", beside) + params.b_hh)
    W_hx_x = at("W_hx_x", params.W_hx @ at("x_t_candidate", x) + params.b_hx)
    h_tilde = at("h_tilde", tanh.f(at("z_h", W_hx_x + at("r_W_hh_h", r * W_hh_h))))
    u_h = at("u_h", at("u_t_kept", u) * at("h_prev_kept", beside))
    rest = at("rest", 1 - at("u_t_written", u))
    return at("h_t", u_h + at("rest_h_tilde", rest * h_tilde))


FORWARD = {"RNN": rnn, "LSTM": lstm, "GRU": gru}


def places(name: str) -> dict[str, tuple[str, bool]]:
    """The symbol of each wire and each vector of the diagram, and whether it is 1 minus that, by the name of the gradient."""
    plan = CELLS[name].DIAGRAM
    vectors = {node.symbol: (node.symbol, False) for node in plan.nodes if node.kind == "vector"}
    return vectors | {wire.gradient: (wire.symbol, wire.is_rest) for wire in plan.wires}


def setup(name: str, n: int, k: int, **scenario):
    return Scenario(init="normal", n=n, k=k, m=4, b_normal=True, **scenario).step(name)


@each_cell
def test_the_nudged_cell_of_these_tests_is_the_cell_and_has_all_wires_of_its_diagram(name, n, k):
    params, step = setup(name, n, k)
    seen = {}
    assert_array_equal(FORWARD[name](params, step, lambda wire, values: seen.setdefault(wire, values)), step.h_t)
    assert seen.keys() == places(name).keys()
    for wire, (symbol, is_rest) in places(name).items():
        value = getattr(step, symbol)
        assert_array_equal(seen[wire], 1 - value if is_rest else value)


@each_cell
@pytest.mark.parametrize("order", ["hx", "xh"])
@pytest.mark.parametrize("seed", range(3))
def test_each_wire_has_the_gradient_of_finite_differences(name, n, k, order, seed):
    params, step = setup(name, n, k, order=order, seed=seed, g="tanh")
    gradients = CELLS[name].wire_gradients(params, step)
    assert gradients.keys() == places(name).keys()
    for wire, (symbol, _) in places(name).items():
        expected = np.empty(getattr(step, symbol).shape)
        for entry in np.ndindex(expected.shape):
            ends = (nudged(name, params, step, wire, entry, way) for way in (NUDGE, -NUDGE))
            expected[entry] = np.subtract(*ends) / (2 * NUDGE)
        assert_allclose(gradients[wire], expected, atol=1e-8, err_msg=wire)


def nudged(name: str, params, step, wire: str, entry: tuple[int, ...], by: float) -> float:
    """The sum of h_t after a nudge of one entry of one wire."""

    def at(here: str, values: np.ndarray) -> np.ndarray:
        if here != wire:
            return values
        values = values.astype(float)
        values[entry] += by
        return values

    return FORWARD[name](params, step, at).sum()


@each_cell
def test_what_comes_back_to_the_state_is_the_sum_of_the_rows_of_the_jacobian(name, n, k):
    params, step = setup(name, n, k)
    gradients = CELLS[name].wire_gradients(params, step)
    sums = CELLS[name].jacobian(params, step)[:k].sum(axis=0)
    given = np.concatenate([gradients[part] for part in ("h_prev", "c_prev") if part in gradients])
    assert_allclose(given[:, 0], sums, rtol=1e-12)


@pytest.mark.parametrize("name", SIZES)
def test_it_is_the_gradient_that_training_follows(name):
    params, step = setup(name, 3, 3)
    cell = CELLS[name]
    trace = type(step)(*(values[None] for values in step))
    made = cell.backward(params, trace, np.ones((1, 3, 1)))
    gradients = cell.wire_gradients(params, step)
    assert_allclose(gradients["x_t"], made.xs[0], rtol=1e-12)
    for field, values in made.state._asdict().items():
        assert_allclose(gradients[f"{field}_prev"], values, rtol=1e-12)


def test_sampled_gates_have_no_gradient():
    params, step = setup("LSTM", 3, 3, stochastic=True)
    with pytest.raises(ValueError, match=r"^f_t .*\bp_f\b"):
        CELLS["LSTM"].wire_gradients(params, step)
