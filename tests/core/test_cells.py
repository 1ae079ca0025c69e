"""What must hold for every cell: its trace is its steps, its Jacobian is its derivative."""

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS
from core.cells import CELLS, gru, lstm, rnn
from core.cells.protocol import state_arrays
from core.concatenation import ORDERS, concatenate_weights, split_columns
from core.scenario import Scenario
from core.sequence import bptt
from core.sequence.unroll import bounded_steps, unroll
from tests.any_cell import always_recurs
from tests.core.shape_errors import shape_error

GOLDEN = json.loads((Path(__file__).parent / "golden" / "gru.json").read_text())
NAMES = st.sampled_from(list(CELLS))


def make(
    name: str, m: int, k: int, B: int = 1, *, n: int | None = None, order: str = "hx", scale: float = 1.0, seed: int = 0
):
    """A cell with random parameters, and a state; it recurs unless another n is given."""
    rng = np.random.default_rng(seed)
    sizes = {"m": m, "n": n or k, "k": k, "1": 1}
    arrays = {}
    for array, made in CELLS[name].ARRAYS.items():
        rows, columns = (sizes[letter] for letter in made.axes)
        given = made.kind == "input"
        arrays[array] = rng.standard_normal((rows, B)) if given else scale * rng.standard_normal((rows, columns))
    return CELLS[name].build(arrays, order=order, g=ACTIVATIONS["tanh"])


@st.composite
def sequences(draw, most_columns: int = 3):
    """A cell's name, its parameters, a state and a sequence of inputs."""
    name, order, seed = draw(NAMES), draw(st.sampled_from(ORDERS)), draw(st.integers(0, 999))
    T, m, k, B = (draw(st.integers(1, most)) for most in (6, 4, 4, most_columns))
    params, state = make(name, m, k, B, order=order, scale=draw(st.sampled_from([0.1, 1.0, 30.0])), seed=seed)
    return name, params, state, np.random.default_rng(seed).standard_normal((T, m, B))


# ---- over a sequence ------------------------------------------------------------------------


@given(sequences())
def test_a_trace_is_one_step_after_the_other(sequence):
    name, params, state, xs = sequence
    cell = CELLS[name]
    trace = unroll(cell, params, state, xs)
    for t, x_t in enumerate(xs):
        step = cell.step(params, state, x_t)
        for symbol in step._fields:
            assert_allclose(getattr(trace, symbol)[t], getattr(step, symbol), rtol=1e-9, atol=1e-12, err_msg=symbol)
        state = cell.next_state(step)


@pytest.mark.parametrize("name", CELLS)
def test_a_sequence_starts_again_where_another_one_ended(name):
    params, state = make(name, m=2, k=3)
    xs = np.random.default_rng(1).standard_normal((7, 2, 1))
    cell = CELLS[name]
    whole, first = unroll(cell, params, state, xs), unroll(cell, params, state, xs[:4])
    last = type(first)(*(symbol[-1] for symbol in first))
    second = unroll(cell, params, cell.next_state(last), xs[4:])
    assert_allclose(second.h_t, whole.h_t[4:], rtol=1e-12)


@pytest.mark.parametrize("g", ACTIVATIONS)
def test_the_plain_cell_runs_over_time_with_every_activation(g):
    params = rnn.RNNParams(np.eye(2, dtype=int), np.ones((2, 1), int), np.zeros((2, 1), int), ACTIVATIONS[g])
    trace = unroll(rnn, params, rnn.RNNState(np.zeros((2, 1), int)), np.array([[[1]], [[-3]]]))
    first = ACTIVATIONS[g].f(np.array([[1.0], [1.0]]))
    assert_allclose(trace.h_t, [first, ACTIVATIONS[g].f(first - 3)], rtol=1e-12)


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_whose_h_does_not_fit_in_again_takes_no_second_step(name):
    with pytest.raises(ValueError, match=r"n = 2 .*k = 3.* k to 2 or n to 3"):
        unroll(CELLS[name], *make(name, m=1, n=2, k=3), np.ones((4, 1, 1)))
    if not always_recurs(name):
        params, state = make(name, m=1, n=2, k=3)
        step = CELLS[name].step(params, state, np.ones((1, 1)))
        assert step.h_t.shape == (3, 1)
        with pytest.raises(ValueError, match=r"n = 2 .*k = 3.* k to 2 or n to 3"):
            CELLS[name].next_state(step)


@pytest.mark.parametrize(
    ("xs", "words"),
    [
        (np.ones((0, 2, 1)), "^xs .*one input"),
        (np.ones((3, 2)), r"^xs .*\(T, m, B\)"),
        (np.ones((3, 5, 1)), "x_t|stack"),
    ],
)
@pytest.mark.parametrize("name", CELLS)
def test_a_sequence_of_the_wrong_shape_is_refused_in_words(name, xs, words):
    with pytest.raises(ValueError, match=words):
        unroll(CELLS[name], *make(name, m=2, k=3), xs)


# ---- the equations --------------------------------------------------------------------------

OPERATORS = {"·": np.matmul, "∘": np.multiply, "+": np.add}


def symbols_of(name: str) -> list[str]:
    """The names in the equations, without the operators."""
    return [token for row in CELLS[name].EQUATIONS for token in row if token.isidentifier()]


def evaluated(side: tuple[str, ...], values: Mapping[str, np.ndarray]) -> np.ndarray:
    """What a side of an equation comes to; products bind more than sums."""
    if "+" in side:
        at = side.index("+")
        return np.add(evaluated(side[:at], values), evaluated(side[at + 1 :], values))
    first, *rest = side
    total = values[first]
    for operator, symbol in zip(rest[::2], rest[1::2], strict=True):
        total = OPERATORS[operator](total, values[symbol])
    return total


@given(sequences())
def test_every_symbol_of_the_equations_belongs_to_the_step_or_to_the_parameters(sequence):
    name, params, state, xs = sequence
    step = CELLS[name].step(params, state, xs[0])
    for symbol in symbols_of(name):
        assert (symbol in step._fields) != hasattr(params, symbol), symbol
    for row in CELLS[name].EQUATIONS:
        assert row.count("=") == 1
        assert {token for token in row if not token.isidentifier()} <= {*OPERATORS, "=", "g →", "σ →", "tanh →"}


@pytest.mark.parametrize("name", CELLS)
def test_the_equations_lead_from_the_inputs_to_the_next_state(name):
    params, state = make(name, m=2, k=3)
    known = {"stacked", "x_t", *(f"{part}_prev" for part in state._fields)}
    known |= {symbol for symbol in symbols_of(name) if hasattr(params, symbol)}
    for row in CELLS[name].EQUATIONS:
        used, made = row[: row.index("=")], row[row.index("=") + 1 :]
        unknown = {token for token in used if token.isidentifier()} - known
        # Products and terms that have no row of their own: their names on the screen say how they are made.
        texts = [CELLS[name].SYMBOLS[symbol].text for symbol in unknown]
        assert all("∘" in text or "(" in text for text in texts), texts
        known |= {token for token in made if token.isidentifier()}
    assert known >= {f"{part}_t" for part in state._fields}


@given(sequences())
def test_every_equation_holds(sequence):
    name, params, state, xs = sequence
    cell = CELLS[name]
    step = cell.step(params, state, xs[0])
    values = {symbol: getattr(step if symbol in step._fields else params, symbol) for symbol in symbols_of(name)}
    activated = cell.activated(params)
    for row in cell.EQUATIONS:
        at = row.index("=")
        result, *after = row[at + 1 :]
        assert_allclose(evaluated(row[:at], values), values[result], rtol=1e-9, atol=1e-9, err_msg=str(row))
        for arrow, value in zip(after[::2], after[1::2], strict=True):
            z, g = activated[value]
            assert z == result and arrow in (f"{g.symbol} →", "g →")


@given(sequences())
def test_what_is_activated_is_its_activation_of_what_is_said(sequence):
    name, params, state, xs = sequence
    trace = unroll(CELLS[name], params, state, xs)
    activated = CELLS[name].activated(params)
    assert activated
    for value, (z, g) in activated.items():
        assert_allclose(getattr(trace, value), g.f(getattr(trace, z)), rtol=1e-12, atol=1e-15, err_msg=value)


@pytest.mark.parametrize("g", ACTIVATIONS)
def test_the_plain_cell_is_activated_by_its_own_activation(g):
    params = rnn.RNNParams(np.eye(2), np.ones((2, 1)), np.zeros((2, 1)), ACTIVATIONS[g])
    assert rnn.activated(params) == {"h_t": ("z_t", ACTIVATIONS[g])}


# ---- what a cell says of itself -------------------------------------------------------------


@pytest.mark.parametrize("name", CELLS)
def test_what_a_cell_says_of_itself_fits_together(name):
    cell, (params, state) = CELLS[name], make(name, m=2, k=3)
    step = cell.step(params, state, np.ones((2, 1)))
    activated = cell.activated(params)
    assert state_arrays(cell) == [f"{part}_prev" for part in state._fields]
    given = {"x_t", *state_arrays(cell)}
    assert {array for array, made in cell.ARRAYS.items() if made.kind == "input"} == given
    assert {
        choice
        for made in cell.ARRAYS.values()
        for choice in (made.value, made.constant_param, made.offset_param)
        if choice
    } <= {choice.name for choice in fields(Scenario)}
    for joined in cell.PRE_ACTIVATIONS.values():
        assert {joined.W_h, joined.W_x, joined.b} <= cell.ARRAYS.keys()
        (row,) = (row for row in cell.EQUATIONS if row[0] == joined.W)
        assert row[:6] == (joined.W, "·", "stacked", "+", joined.b, "=")
        assert [joined.g or ACTIVATIONS["tanh"]] == [g for z, g in activated.values() if z == row[6]]
    assert cell.SYMBOLS.keys() <= {*step._fields, *symbols_of(name), *cell.ARRAYS}
    texts = [cell.SYMBOLS[symbol].text if symbol in cell.SYMBOLS else symbol for symbol in step._fields]
    assert len({*texts}) == len(texts)
    drawn = getattr(cell, "GATE_PROBABILITIES", {})
    assert drawn.keys() <= activated.keys() and {*drawn.values()} <= {*step._fields}
    if cell.LAYOUT:
        of_blocks = [array for block in cell.LAYOUT.blocks for array in block if array]
        assert sorted(of_blocks) == sorted(cell.ARRAYS.keys() - given)
        places = list(range(len(cell.LAYOUT.blocks)))
        assert sorted(cell.LAYOUT.keras_order) == sorted(cell.LAYOUT.onnx_order) == places


def test_what_cells_share_is_the_same_in_each():
    arrays, words = {}, [word for cell in CELLS.values() for word in cell.PRE_ACTIVATIONS]
    assert len({*words}) == len(words)
    for cell in CELLS.values():
        for name, made in cell.ARRAYS.items():
            assert arrays.setdefault(name, made) == made, name


# ---- one cell's own source ------------------------------------------------------------------


def test_one_gru_step_is_pytorchs():
    golden = {name: np.array(values) for name, values in GOLDEN.items()}
    W_h, W_x = np.split(golden["weight_hh"], 3), np.split(golden["weight_ih"], 3)
    b_h, b_x = (np.split(golden[f"bias_{side}"][:, None], 3) for side in ("hh", "ih"))
    params = gru.GRUParams(
        concatenate_weights(W_h[0], W_x[0]),
        concatenate_weights(W_h[1], W_x[1]),
        *(W_h[2], W_x[2]),
        *(b_h[0] + b_x[0], b_h[1] + b_x[1], b_h[2], b_x[2]),
    )
    step = gru.step(params, gru.GRUState(golden["h_prev"].T), golden["x_t"].T)
    assert_allclose(step.h_t, golden["h_t"].T, rtol=1e-14)


def test_an_update_gate_of_1_keeps_everything():
    params, state = make("GRU", m=2, k=3)
    open_gate = gru.GRUParams(
        params.W_r, 0 * params.W_u, params.W_hh, params.W_hx, params.b_r, params.b_u + 800, *[params.b_hh] * 2
    )
    assert_array_equal(gru.step(open_gate, state, np.ones((2, 1))).h_t, state.h)


def test_a_gru_refuses_a_shape_in_words():
    params, _ = make("GRU", m=2, k=3)
    with pytest.raises(ValueError, match=shape_error("h_prev", "(k, B)", (3, "B"), (2, 1))):
        gru.step(params, gru.GRUState(np.ones((2, 1))), np.ones((2, 1)))
    with pytest.raises(ValueError, match=shape_error("W_u", "(k, k + m)", (3, 5), (3, 3))):
        gru.GRUParams(params.W_r, params.W_hh, params.W_hh, params.W_hx, *[params.b_r] * 4)


@pytest.mark.parametrize("order", ORDERS)
def test_joined_weights_come_apart_again(order):
    W_h, W_x = np.arange(6).reshape(3, 2), np.arange(9).reshape(3, 3)
    for part, whole in zip(split_columns(concatenate_weights(W_h, W_x, order), 2, order), (W_h, W_x)):
        assert_array_equal(part, whole)


# ---- back through time ----------------------------------------------------------------------


@given(sequences(most_columns=1))
def test_a_jacobian_is_what_central_differences_come_to(sequence):
    name, params, state, xs = sequence
    cell = CELLS[name]
    exact = cell.jacobian(params, cell.step(params, state, xs[0]))
    numeric = bptt.numeric_jacobian(cell, params, state, xs[0])
    assert_allclose(exact, numeric, rtol=1e-6, atol=1e-6 * max(1, np.abs(exact).max()))


@given(sequences(most_columns=1))
def test_the_jacobians_of_a_trace_are_those_of_its_steps(sequence):
    name, params, state, xs = sequence
    cell = CELLS[name]
    together = cell.jacobian(params, unroll(cell, params, state, xs))
    for J, x_t in zip(together, xs):
        step = cell.step(params, state, x_t)
        assert_allclose(J, cell.jacobian(params, step), rtol=1e-9, atol=1e-12)
        state = cell.next_state(step)


@pytest.mark.parametrize("name", CELLS)
def test_the_product_of_all_jacobians_is_the_derivative_of_the_whole_sequence(name):
    cell, (params, state) = CELLS[name], make(name, m=2, k=3, scale=0.5)
    xs = np.random.default_rng(2).standard_normal((5, 2, 1))
    J = cell.jacobian(params, unroll(cell, params, state, xs))
    entries = np.concatenate(state)
    ends = np.cumsum([len(part) for part in state])[:-1]

    def last(entries: np.ndarray) -> np.ndarray:
        step = unroll(cell, params, type(state)(*np.split(entries, ends)), xs)
        return np.concatenate(cell.next_state(type(step)(*(symbol[-1] for symbol in step))))

    # Five points: the error is of the fourth order in the width, so the width can be large and rounding small.
    dense = np.concatenate(
        [
            (8 * (last(entries + move) - last(entries - move)) - last(entries + 2 * move) + last(entries - 2 * move))
            / (12 * 1e-3)
            for move in 1e-3 * np.eye(len(entries))[:, :, None]
        ],
        axis=1,
    )
    assert_allclose(np.linalg.multi_dot(J[::-1]), dense, rtol=1e-6, atol=1e-6 * np.abs(dense).max())
    behind_the_first = np.linalg.multi_dot(J[:0:-1])
    gain = np.log10(np.linalg.norm(behind_the_first) / np.sqrt(len(dense)))
    assert bptt.log_gains(J)[4, 0] == pytest.approx(gain, rel=1e-9)


def test_gains_stay_honest_far_below_the_smallest_float():
    J = np.broadcast_to(1e-30 * np.eye(3), (200, 3, 3))
    gains = bptt.log_gains(J)
    assert gains[199, 0] == pytest.approx(-30 * 199)
    assert np.all(np.diag(gains) == 0)
    assert np.all(np.isnan(gains[np.triu_indices(200, 1)]))


def test_a_path_that_is_cut_has_no_gain():
    J = np.stack([np.eye(2), np.zeros((2, 2)), np.eye(2)])
    assert bptt.log_gains(J)[2, 0] == -np.inf
    assert bptt.log_gains(J)[2, 1] == pytest.approx(0)


@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 999))
def test_the_direct_path_is_the_product_of_its_gates(T, k, seed):
    gates = np.random.default_rng(seed).uniform(0, 1, (T, k, 1))
    for t in range(T):
        logs = bptt.log_direct(gates[: t + 1])
        assert logs.shape == (t + 1,) and logs[t] == 0
        for s in range(t):
            product = gates[s + 1 : t + 1, :, 0].prod(axis=0)
            assert logs[s] == pytest.approx(np.log10(np.sqrt(np.mean(product**2))), abs=1e-9)


def test_a_closed_gate_closes_the_direct_path():
    gates = np.array([[[1.0]], [[0.0]], [[1.0]]])
    assert bptt.log_direct(gates).tolist() == [-np.inf, 0, 0]


@pytest.mark.parametrize(("name", "gain"), [("LSTM", np.sqrt((1 + 0.5**2) / 2)), ("GRU", 1)])
def test_gates_of_1_bring_everything_back_of_an_lstms_state_only_for_c(name, gain):
    """With an output gate of 0.5, at c = 0, half as much of c comes back through h; h_{t-1} itself acts on nothing."""
    biases = {"b_f": 40, "b_i": -800, "b_u": 40}
    arrays = {bias: np.full((3, 1), value) for bias, value in biases.items()}
    cell, scenario = CELLS[name], Scenario(n=3, w_hh=0.0, w_hx=0.0, arrays=arrays)
    params, state = scenario.params_and_initial_state(name)
    trace = unroll(cell, params, state, scenario.noise(30))
    assert bptt.log_direct(cell.direct_path(trace)).tolist() == [0] * 30
    assert_allclose(bptt.log_gains(cell.jacobian(params, trace))[-1, :-1], np.log10(gain), atol=1e-12)


def test_an_lstm_whose_gates_neither_see_h_nor_forget_has_the_direct_path_alone():
    zero, closed = np.zeros((2, 3)), np.full((2, 1), -800.0)
    params = lstm.LSTMParams(*[zero] * 4, np.full((2, 1), 1.0), closed, closed, closed)
    state = lstm.LSTMState(np.zeros((2, 1)), np.ones((2, 1)))
    trace = unroll(lstm, params, state, np.zeros((5, 1, 1)))
    J = lstm.jacobian(params, trace)
    assert_allclose(J[:, 2:, 2:], np.broadcast_to(np.eye(2) / (1 + np.exp(-1)), (5, 2, 2)))
    gates = lstm.direct_path(trace)
    for t, row in enumerate(bptt.log_gains(J[:, 2:, 2:])):
        assert_allclose(row[: t + 1], bptt.log_direct(gates[: t + 1]), atol=1e-12)


@given(st.integers(1, 1024))
def test_the_affordable_steps_are_the_most_whose_products_are_affordable(q):
    T = bptt.affordable_steps(q)
    assert T >= 2
    assert T == 2 or T**2 * q**3 <= bptt.AFFORDABLE
    assert (T + 1) ** 2 * q**3 > bptt.AFFORDABLE


def test_the_spectral_radius_is_the_largest_magnitude_of_an_eigenvalue():
    assert bptt.spectral_radius(np.array([[0.0, -2.0], [2.0, 0.0]])) == pytest.approx(2)


def test_no_number_that_overflowed_reaches_a_jacobian():
    for name in CELLS:
        cell, (params, state) = CELLS[name], make(name, m=2, k=3)
        step = cell.step(params, state, np.ones((2, 1)))
        for z in {z for z, _ in cell.activated(params).values()}:
            for value in (np.inf, -np.inf, np.nan):
                spoilt = step._replace(**{z: np.where(np.arange(3)[:, None] == 1, value, getattr(step, z))})
                with pytest.raises(ValueError, match=f"^{z} .*inf .*nan"):
                    cell.jacobian(params, spoilt)
    with pytest.raises(ValueError, match="^J .*inf .*nan"):
        bptt.log_gains(np.full((2, 2, 2), np.nan))


def test_relus_gain_is_that_of_exact_arithmetic_as_far_as_its_numbers_go():
    scenario = Scenario(m=3, n=16, k=16, g="relu", init="normal", scale=2.0)
    params, state = scenario.params_and_initial_state("RNN")
    trace, T = bounded_steps(unroll(rnn, params, state, scenario.noise(512)))
    assert 16 < T < 512
    gains = bptt.log_gains(rnn.jacobian(params, trace))
    with mpmath.workdps(60):
        h, product = mpmath.matrix(16, 1), mpmath.eye(16)
        W_hh, W_hx, b = (mpmath.matrix(part.tolist()) for part in (params.W_hh, params.W_hx, params.b_h))
        for t, x_t in enumerate(trace.x_t):
            z = W_hh * h + W_hx * mpmath.matrix(x_t.tolist()) + b
            h = z.apply(lambda entry: max(entry, 0))
            if t:
                product = mpmath.diag([int(entry > 0) for entry in z]) * W_hh * product
            exact = mpmath.log10(mpmath.norm(product) / 4)
            assert gains[t, 0] == pytest.approx(float(exact), abs=1e-9), t
