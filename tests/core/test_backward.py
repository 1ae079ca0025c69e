"""Gradients back through time: PyTorch's autograd, central differences, and what must always hold."""

import json
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS
from core.cells import CELLS, lstm
from core.concatenation import ORDERS, concatenate_weights
from core.exchange.weight_layouts import from_pytorch
from core.sequence.bptt import parts_at_each_step
from core.sequence.unroll import unroll

GOLDEN = json.loads((Path(__file__).parent / "golden" / "backward.json").read_text())
TRAINED = [name for name, cell in CELLS.items() if hasattr(cell, "backward")]


def cell_of(name: str) -> Any:
    """The cell, with the extras that its protocol does not promise."""
    return CELLS[name]


def arrays_of(params: Any) -> list[str]:
    """The fields of parameters that are arrays."""
    return [field.name for field in fields(params) if isinstance(getattr(params, field.name), np.ndarray)]


def make(name: str, m: int, k: int, B: int, T: int, order: str = "hx", g: str = "tanh", seed: int = 0):
    """Random parameters, state, inputs, and a gradient by each h_t."""
    rng = np.random.default_rng(seed)
    sizes = {"m": m, "n": k, "k": k, "1": 1}
    arrays = {}
    for array, made in CELLS[name].ARRAYS.items():
        rows, columns = (sizes[letter] for letter in made.axes)
        arrays[array] = rng.standard_normal((rows, B if made.kind == "input" else columns))
    params, state = CELLS[name].build(arrays, order=order, g=ACTIVATIONS[g])
    return params, state, rng.standard_normal((T, m, B)), rng.standard_normal((T, k, B))


@st.composite
def lessons(draw, activations=tuple(ACTIVATIONS)):
    """A cell's name, and what `make` gives for it."""
    name, order, g = draw(st.sampled_from(TRAINED)), draw(st.sampled_from(ORDERS)), draw(st.sampled_from(activations))
    m, k, B, T = (draw(st.integers(1, most)) for most in (3, 4, 3, 5))
    return name, *make(name, m, k, B, T, order, g, draw(st.integers(0, 999)))


def gradients(name: str, params: Any, state: Any, xs: np.ndarray, dh: np.ndarray) -> Any:
    cell = cell_of(name)
    return cell.backward(params, unroll(cell, params, state, xs), dh)


# ---- independent sources --------------------------------------------------------------------


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("layer", ["RNN tanh", "RNN relu", "LSTM", "GRU"])
def test_gradients_are_those_of_pytorchs_autograd(layer, order):
    golden = {name: np.array(values) for name, values in GOLDEN[layer].items()}
    name, _, g = layer.partition(" ")
    cell = cell_of(name)
    state_names = [part for part in "hc" if part in golden]
    given = {f"{part}_prev": golden[part][0].T for part in state_names}
    _, arrays = from_pytorch(
        {name: array for name, array in golden.items() if name.endswith("_l0") and "by" not in name}
    )
    params, state = cell.build(arrays | given, order=order, g=ACTIVATIONS[g or "tanh"])
    found = gradients(name, params, state, golden["xs"].transpose(0, 2, 1), golden["dh"].transpose(0, 2, 1))

    theirs = {name.removeprefix("by_"): array for name, array in golden.items() if name.startswith("by_")}
    # PyTorch has two biases where we have one: the gradients by both are that by ours.
    k = params.k
    for at, (*_, second) in enumerate(cell.LAYOUT.blocks):
        if second is None:
            theirs["bias_hh_l0"][at * k : (at + 1) * k] = 0
    _, by_arrays = from_pytorch({name: array for name, array in theirs.items() if name.endswith("_l0")})
    expected, _ = cell.build(by_arrays | given, order=order, g=ACTIVATIONS["tanh"])
    for array in arrays_of(params):
        assert_allclose(getattr(found, array), getattr(expected, array), rtol=0, atol=1e-12, err_msg=array)
    assert_allclose(found.xs, theirs["xs"].transpose(0, 2, 1), rtol=0, atol=1e-12)
    for part, by_part in zip(state_names, found.state, strict=True):
        assert_allclose(by_part, theirs[part][0].T, rtol=0, atol=1e-12, err_msg=part)


@given(lessons(activations=("sigmoid", "tanh")))
def test_gradients_are_what_central_differences_come_to(lesson):
    name, params, state, xs, dh = lesson
    found = gradients(*lesson)

    def loss(params: Any, state: Any, xs: np.ndarray) -> float:
        return float((unroll(CELLS[name], params, state, xs).h_t * dh).sum())

    def expect(exact: np.ndarray, moved: Any, what: str) -> None:
        rng = np.random.default_rng(0)
        # A random direction that reaches every entry; two of them, so that errors do not cancel.
        for _ in range(2):
            move = 1e-5 * rng.standard_normal(exact.shape)
            numeric = loss(*moved(move)) - loss(*moved(-move))
            scale = 1e-5 * np.abs(exact).sum() + 1e-5
            assert 2 * (exact * move).sum() == pytest.approx(numeric, abs=1e-6 * scale), what

    for array in arrays_of(params):
        was = getattr(params, array)
        expect(getattr(found, array), lambda move: (replace(params, **{array: was + move}), state, xs), array)
    for part in state._fields:
        was = getattr(state, part)
        expect(getattr(found.state, part), lambda move: (params, state._replace(**{part: was + move}), xs), part)
    expect(found.xs, lambda move: (params, state, xs + move), "xs")


def test_relus_gradient_is_that_of_the_product_where_every_unit_is_on():
    params, state, xs, dh = make("RNN", m=2, k=3, B=2, T=4, g="relu")
    on = replace(params, b_h=np.full((3, 1), 1e3), W_hh=0.1 * np.abs(params.W_hh))
    found = gradients("RNN", on, state, xs, dh)
    back = np.zeros_like(state.h)
    for by_h in dh[::-1]:
        back = on.W_hh.T @ (by_h + back)
    assert_allclose(found.state.h, back, rtol=1e-12)
    off = replace(params, b_h=np.full((3, 1), -1e3))
    assert all(not getattr(gradients("RNN", off, state, xs, dh), array).any() for array in arrays_of(off))


# ---- laws -----------------------------------------------------------------------------------


@given(lessons())
def test_a_gradient_has_the_shape_of_what_it_is_by(lesson):
    name, params, state, xs, _ = lesson
    found = gradients(*lesson)
    assert set(found._fields) == {*arrays_of(params), "xs", "state"}
    assert all(getattr(found, array).shape == getattr(params, array).shape for array in arrays_of(params))
    assert found.xs.shape == xs.shape
    assert type(found.state) is type(state)
    assert [part.shape for part in found.state] == [part.shape for part in state]


@given(lessons(), st.floats(-3, 3))
def test_gradients_are_linear_in_dh(lesson, factor):
    name, params, state, xs, dh = lesson
    other = np.random.default_rng(5).standard_normal(dh.shape)
    one, two, both = (gradients(name, params, state, xs, by_h) for by_h in (dh, other, dh + factor * other))
    for array in (*arrays_of(params), "xs"):
        expected = getattr(one, array) + factor * getattr(two, array)
        assert_allclose(getattr(both, array), expected, rtol=1e-9, atol=1e-9 * max(1, np.abs(expected).max()))


@given(lessons())
def test_a_batch_is_its_columns_one_at_a_time(lesson):
    name, params, state, xs, dh = lesson
    together = gradients(*lesson)
    alone = []
    for column in range(xs.shape[2]):
        one = slice(column, column + 1)
        alone.append(
            gradients(name, params, type(state)(*(part[:, one] for part in state)), xs[..., one], dh[..., one])
        )
    for array in arrays_of(params):
        total = sum(getattr(found, array) for found in alone)
        assert_allclose(getattr(together, array), total, rtol=1e-9, atol=1e-9 * max(1, np.abs(total).max()))
    assert_allclose(together.xs, np.concatenate([found.xs for found in alone], axis=2), rtol=1e-9, atol=1e-9)


@given(lessons(activations=("sigmoid", "tanh")))
def test_the_parts_of_all_steps_are_together_what_comes_back(lesson):
    name, params, state, xs, dh = lesson
    params, state, xs, dh = params, type(state)(*(part[:, :1] for part in state)), xs[..., :1], dh[..., :1]
    cell = cell_of(name)
    trace = unroll(cell, params, state, xs)
    parts = parts_at_each_step(cell.jacobian(params, trace), dh[..., 0])
    assert not parts[np.triu_indices(len(xs), 1)].any() or len(xs) == 1
    # To h_s comes what h_s itself is asked, and to every part what comes back to it as the state before all later steps.
    for s in range(len(xs)):
        for t in range(s, len(xs)):
            alone = np.zeros_like(dh)
            alone[t] = dh[t]
            expected = np.zeros(parts.shape[2])
            expected[: dh.shape[1]] = alone[s, :, 0]
            if t > s:
                rest = type(trace)(*(symbol[s + 1 :] for symbol in trace))
                expected += np.concatenate(cell.backward(params, rest, alone[s + 1 :]).state)[:, 0]
            assert_allclose(parts[t, s], expected, rtol=1e-9, atol=1e-12)


@given(lessons())
def test_what_reaches_the_first_state_is_the_product_of_the_jacobians(lesson):
    """The last state's gradient is that by its h alone: an LSTM's c is looked at by h only."""
    name, params, state, xs, dh = lesson
    one = slice(0, 1)
    state, xs = type(state)(*(part[:, one] for part in state)), xs[..., one]
    dh = np.concatenate([np.zeros_like(dh[:-1, :, one]), dh[-1:, :, one]])
    J = CELLS[name].jacobian(params, unroll(CELLS[name], params, state, xs))
    by_last = np.zeros((1, J.shape[1]))
    by_last[0, : params.k] = dh[-1, :, 0]
    for step in J[::-1]:
        by_last = by_last @ step
    found = np.concatenate(gradients(name, params, state, xs, dh).state)[:, 0]
    assert_allclose(found, by_last[0], rtol=1e-9, atol=1e-12 * max(1, np.abs(by_last).max()))


@given(lessons())
def test_the_weights_gradient_adds_up_what_every_step_gives(lesson):
    """By every row of the equations that is a product with weights."""
    name, params, state, xs, dh = lesson
    cell = cell_of(name)
    trace = unroll(cell, params, state, xs)
    by_z, found = cell.deltas(params, trace, dh), gradients(*lesson)
    if name == "RNN":
        joined = {"W_h": concatenate_weights(found.W_hh, found.W_hx, params.order), "b_h": found.b_h}
    else:
        joined = {array: getattr(found, array) for array in arrays_of(params)}
    rows = [row for row in cell.EQUATIONS if row[1] == "·"]
    assert {symbol for row in rows for symbol in (row[0], row[4])} == {*joined}
    for W, _, inputs, _, b, _, z, *_ in rows:
        outer = np.einsum("tjb,tib->ji", getattr(by_z, z), getattr(trace, inputs))
        assert_allclose(outer, joined[W], rtol=1e-9, atol=1e-9, err_msg=W)
        assert_allclose(getattr(by_z, z).sum(axis=(0, 2)), joined[b][:, 0], rtol=1e-9, atol=1e-9, err_msg=b)


@pytest.mark.parametrize(("name", "W", "b"), [("RNN", "W_hx", "b_h"), ("LSTM", "W_f", "b_f"), ("GRU", "W_u", "b_u")])
def test_a_saturated_unit_keeps_its_last_bit_of_gradient(name, W, b):
    """1 - σ(40) is 0 in floating point; the slope of σ there is not."""
    params, state, xs, dh = make(name, m=2, k=3, B=1, T=1, g="sigmoid")
    flat = gradients(name, replace(params, **{W: 0 * getattr(params, W), b: np.full((3, 1), 40.0)}), state, xs, dh)
    assert np.all(getattr(flat, W) != 0) and np.abs(getattr(flat, W)).max() < 1e-15


# ---- what does not conform ------------------------------------------------------------------


@pytest.mark.parametrize("name", TRAINED)
def test_a_dh_of_another_shape_is_named(name):
    params, state, xs, dh = make(name, m=2, k=3, B=2, T=4)
    for wrong in (dh[1:], dh[0], dh[:, :2], dh[..., :1], 1.0):
        shape = re.escape(str(np.shape(wrong)))
        with pytest.raises(ValueError, match=rf"^dh .*\(T, k, B\) = \(4, 3, 2\).* {shape}"):
            gradients(name, params, state, xs, wrong)
    with pytest.raises(ValueError, match=r"^h_t .*\(T, k, B\)"):
        cell_of(name).backward(params, CELLS[name].step(params, state, xs[0]), dh[0])


@pytest.mark.parametrize("name", TRAINED)
def test_a_trace_that_overflowed_has_no_gradient(name):
    params, state, xs, dh = make(name, m=2, k=3, B=2, T=4)
    trace = unroll(CELLS[name], params, state, xs)
    for z in {z for z, _ in CELLS[name].activated(params).values()}:
        with pytest.raises(ValueError, match=f"^{z} .*inf .*nan"):
            cell_of(name).backward(params, trace._replace(**{z: np.full_like(trace.h_t, np.inf)}), dh)


def test_a_gate_that_was_drawn_has_no_gradient():
    params, state, xs, _ = make("LSTM", m=2, k=3, B=2, T=1)
    drawn = lstm.step(params, state, xs[0], np.random.default_rng(0))
    trace = lstm.LSTMStep(*(symbol[None] for symbol in drawn))
    with pytest.raises(ValueError, match=r"^f_t .*\bp_f\b"):
        lstm.backward(params, trace, np.ones_like(trace.h_t))


def test_a_gradient_that_overflows_does_so_without_a_warning():
    params, state, xs, dh = make("RNN", m=1, k=2, B=1, T=200, g="relu")
    params = replace(params, W_hh=np.full((2, 2), 50.0), W_hx=0 * params.W_hx, b_h=np.zeros((2, 1)))
    found = gradients("RNN", params, state._replace(h=np.full((2, 1), 1e-300)), 0 * xs, dh)
    assert not np.isfinite(found.state.h).any()


def test_whole_numbers_have_the_gradients_of_floats():
    params, state, xs, dh = make("LSTM", m=2, k=3, B=2, T=3)
    whole = replace(params, **{array: np.round(getattr(params, array)).astype(int) for array in arrays_of(params)})
    floats = replace(whole, **{array: getattr(whole, array).astype(float) for array in arrays_of(params)})
    for one, other in zip(*(gradients("LSTM", each, state, xs, dh)[:-1] for each in (whole, floats))):
        assert_array_equal(one, other)
