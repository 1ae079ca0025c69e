"""A scenario is a complete set of choices: the same choices make the same arrays."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS
from core.cells import CELLS, lstm, rnn
from core.cells.lstm import GATES
from core.initialize import INITIALIZERS, RANDOM
from core.joins import ORDERS, in_order
from core.scenario import INPUTS, SOURCES, Scenario
from core.time.unroll import unroll


def arrays(scenario: Scenario) -> dict[str, np.ndarray]:
    params, state, x_t = scenario.setup("RNN")
    return {"W_hh": params.W_hh, "W_hx": params.W_hx, "b_h": params.b_h, "h_prev": state.h, "x_t": x_t}


def test_the_defaults_are_the_lab():
    params, state, x_t = Scenario().setup("RNN")
    lab = {
        "W_hh": np.full((3, 2), 1),
        "W_hx": np.full((3, 3), 9),
        "b_h": np.full((3, 1), 0),
        "h_prev": np.full((2, 1), 1),
        "x_t": np.full((3, 1), 9),
    }
    for name, array in arrays(Scenario()).items():
        assert_array_equal(array, lab[name], strict=True)
    assert (params.g.name, params.order) == ("sigmoid", "hx")
    assert_array_equal(rnn.step(params, state, x_t).z_t, np.full((3, 1), 245), strict=True)


@pytest.mark.parametrize("init", INITIALIZERS)
def test_the_scale_multiplies_the_weights_and_nothing_else(init):
    plain, scaled = (arrays(Scenario(init=init, scale=scale, b_normal=True)) for scale in (1, 2.5))
    for name in plain:
        assert_array_equal(scaled[name], plain[name] * (2.5 if name.startswith("W") else 1))


@pytest.mark.parametrize("scale", [1, 1.0, 2.0, 0])
def test_whole_values_stay_integers_under_a_whole_scale(scale):
    scenario = Scenario(w_hh=1.0, w_hx=9.0, h=1.0, x=9.0, b=0.0, scale=scale)
    assert all(array.dtype == np.int64 for array in arrays(scenario).values())


def test_a_fraction_makes_floats_of_what_it_touches_only():
    scaled = arrays(Scenario(scale=0.5))
    assert {name for name, array in scaled.items() if array.dtype == np.float64} == {"W_hh", "W_hx"}
    filled = arrays(Scenario(x=0.5))
    assert {name for name, array in filled.items() if array.dtype == np.float64} == {"x_t"}


@pytest.mark.parametrize("init", INITIALIZERS)
@pytest.mark.parametrize("b_normal", [False, True])
def test_the_seed_decides_exactly_what_is_random(init, b_normal):
    first, again, other = (Scenario(init=init, b_normal=b_normal, seed=seed) for seed in (3, 3, 4))
    for a, b in zip(arrays(first).values(), arrays(again).values(), strict=True):
        assert_array_equal(a, b, strict=True)
    differs = any(np.any(a != b) for a, b in zip(arrays(first).values(), arrays(other).values(), strict=True))
    assert differs == (init in RANDOM or b_normal)


@pytest.mark.parametrize("init", RANDOM)
def test_every_random_array_has_numbers_of_its_own(init):
    drawn = arrays(Scenario(m=3, n=3, k=3, init=init, b_normal=True))
    assert len({array.ravel()[0] for array in drawn.values()}) == len(drawn)


@pytest.mark.parametrize("init", ["normal", "glorot", "orthogonal"])
def test_inputs_are_data_and_not_weights(init):
    x_t = arrays(Scenario(m=10_000, n=1, k=1, init=init))["x_t"]
    assert_allclose([x_t.mean(), x_t.var()], [0, 1], atol=0.05)


def test_the_bias_is_a_value_or_a_normal_draw():
    assert_array_equal(Scenario(b=-2).bias("b_h", 3), np.full((3, 1), -2), strict=True)
    drawn = Scenario(b=7, b_normal=True).bias("b_h", 10_000)
    assert drawn.shape == (10_000, 1)
    assert_allclose([drawn.mean(), drawn.var()], [0, 1], atol=0.05)


def test_gates_draw_biases_of_their_own():
    scenario = Scenario(b_normal=True)
    assert np.all(scenario.bias("b_f", 3) != scenario.bias("b_i", 3))


@pytest.mark.parametrize("g", ACTIVATIONS)
@pytest.mark.parametrize("order", ["hx", "xh"])
def test_the_activation_and_the_order_reach_the_cell(g, order):
    params, _, _ = Scenario(g=g, order=order).setup("RNN")
    assert (params.g, params.order) == (ACTIVATIONS[g], order)


# ---- the LSTM ---------------------------------------------------------------------------------


def gate_parts(scenario: Scenario) -> dict[str, np.ndarray]:
    """Every array of a scenario's LSTM and of its output, each gate's weights apart for h and for x."""
    params, state, x_t = scenario.setup("LSTM")
    first = scenario.n if scenario.order == "hx" else scenario.m
    parts = {"h_prev": state.h, "c_prev": state.c, "x_t": x_t}
    for gate in GATES:
        halves = np.split(getattr(params, f"W_{gate}"), [first], axis=1)
        parts[f"W_{gate}h"], parts[f"W_{gate}x"] = in_order(*halves, scenario.order)
        parts[f"b_{gate}"] = getattr(params, f"b_{gate}")
    parts["W_y"], parts["b_y"] = scenario.output()
    return parts


def same_arrays(a: Scenario, b: Scenario) -> set[str]:
    """The names of the arrays that are the same in both."""
    ours, theirs = gate_parts(a), gate_parts(b)
    return {name for name, array in ours.items() if np.array_equal(array, theirs[name])}


NAMES = set(gate_parts(Scenario()))


def test_every_gate_of_the_lab_has_the_weights_of_the_lab():
    parts = gate_parts(Scenario())
    for gate in GATES:
        assert_array_equal(parts[f"W_{gate}h"], np.full((3, 2), 1), strict=True)
        assert_array_equal(parts[f"W_{gate}x"], np.full((3, 3), 9), strict=True)
        assert_array_equal(parts[f"b_{gate}"], np.zeros((3, 1), dtype=int), strict=True)
    assert_array_equal(parts["c_prev"], np.ones((3, 1), dtype=int), strict=True)
    assert_array_equal(parts["W_y"], np.ones((1, 3), dtype=int), strict=True)
    assert_array_equal(parts["b_y"], np.zeros((1, 1), dtype=int), strict=True)


def test_the_sizes_are_the_shapes():
    for init, order in product(INITIALIZERS, ORDERS):
        parts = gate_parts(Scenario(m=2, n=4, k=3, p=5, init=init, order=order))
        for gate in GATES:
            assert [parts[f"W_{gate}{part}"].shape for part in "hx"] == [(3, 4), (3, 2)], (init, order)
            assert parts[f"b_{gate}"].shape == (3, 1), (init, order)
        assert [parts[name].shape for name in ("h_prev", "c_prev", "x_t")] == [(4, 1), (3, 1), (2, 1)], (init, order)
        assert [parts[name].shape for name in ("W_y", "b_y")] == [(5, 3), (5, 1)], (init, order)


@pytest.mark.parametrize("init", RANDOM)
def test_every_random_array_of_the_lstm_has_numbers_of_its_own(init):
    drawn = gate_parts(Scenario(m=3, n=3, k=3, p=3, init=init, b_normal=True))
    assert len({array.ravel()[0] for array in drawn.values()}) == len(drawn) == len(NAMES)


@pytest.mark.parametrize("init", INITIALIZERS)
def test_both_pages_are_given_the_same_inputs(init):
    ours, lstms = arrays(Scenario(init=init)), gate_parts(Scenario(init=init))
    for name in ("h_prev", "x_t"):
        assert_array_equal(ours[name], lstms[name], strict=True)


@pytest.mark.parametrize("init", INITIALIZERS)
def test_the_order_moves_the_columns_along_and_changes_no_result(init):
    hx, xh = (Scenario(n=3, init=init, order=order, b_normal=True, scale=0.1) for order in ORDERS)
    assert same_arrays(hx, xh) == NAMES
    assert_allclose(*(lstm.step(*scenario.setup("LSTM")).h_t for scenario in (hx, xh)), rtol=1e-12)


@pytest.mark.parametrize("init", INITIALIZERS)
def test_the_scale_multiplies_the_weights_of_the_lstm_and_nothing_else(init):
    plain, scaled = (gate_parts(Scenario(init=init, scale=scale, forget_bias=1, w_f=2)) for scale in (1, 2.5))
    for name in plain:
        assert_array_equal(scaled[name], plain[name] * (2.5 if name.startswith("W") else 1), err_msg=name)


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("w_hh", {f"W_{gate}h" for gate in GATES}),
        ("w_hx", {f"W_{gate}x" for gate in GATES}),
        *[(f"w_{gate}", {f"W_{gate}h", f"W_{gate}x"}) for gate in GATES],
        ("b", {"b_f", "b_i", "b_c", "b_o", "b_y"}),
        *[("forget_bias", {"b_f"}), ("h", {"h_prev"}), ("c", {"c_prev"}), ("x", {"x_t"}), ("w_y", {"W_y"})],
    ],
)
def test_a_value_goes_where_its_name_says(name, changed):
    before = gate_parts(Scenario())
    after = gate_parts(Scenario(**{name: 4.25}))
    assert same_arrays(Scenario(), Scenario(**{name: 4.25})) == NAMES - changed
    for array in changed:
        assert_array_equal(after[array], np.full(before[array].shape, 4.25))


@pytest.mark.parametrize("init", INITIALIZERS)
def test_a_gates_own_value_leaves_the_others_their_numbers(init):
    shared, own = Scenario(init=init), Scenario(init=init, w_i=0.0)
    assert same_arrays(shared, own) == NAMES - {"W_ih", "W_ix"}
    assert not own.setup("LSTM")[0].W_i.any()


@pytest.mark.parametrize("b_normal", [False, True])
def test_the_forget_bias_is_added_to_the_bias_of_the_forget_gate(b_normal):
    before, after = (gate_parts(Scenario(b=0.5, b_normal=b_normal, forget_bias=forget_bias)) for forget_bias in (0, -3))
    assert_array_equal(after["b_f"], before["b_f"] - 3)
    assert all(np.array_equal(before[name], after[name]) for name in NAMES - {"b_f"})


def test_whole_choices_make_integers_of_all_of_the_lstm():
    parts = gate_parts(Scenario(w_c=2.0, forget_bias=1.0, c=-3.0))
    assert all(array.dtype == np.int64 for array in parts.values())


def test_a_typed_array_is_used_where_it_fits_and_only_there():
    for name in NAMES:
        assert_used_where_it_fits(name)


def assert_used_where_it_fits(name: str) -> None:
    shape = gate_parts(Scenario(p=2))[name].shape
    typed = np.arange(np.prod(shape)).reshape(shape) + 50
    with_typed = Scenario(p=2, arrays={name: typed})
    assert same_arrays(with_typed, Scenario(p=2)) == NAMES - {name}
    assert with_typed.has(name, shape) and not with_typed.has(name, (*shape[:-1], shape[-1] + 1))
    assert not Scenario(p=2).has(name, shape)
    assert_array_equal(gate_parts(with_typed)[name], typed)
    other_sizes = {"m": 4, "n": 4, "k": 4, "p": 4}
    assert same_arrays(Scenario(**other_sizes, arrays={name: typed}), Scenario(**other_sizes)) == NAMES


def test_typed_weights_are_scaled_and_give_way_to_a_gates_own_value():
    typed = {"W_fh": np.full((3, 2), 5), "x_t": np.full((3, 1), 5)}
    parts = gate_parts(Scenario(arrays=typed, scale=2.0, w_i=1.0))
    assert np.all(parts["W_fh"] == 10) and np.all(parts["x_t"] == 5) and np.all(parts["W_ih"] == 2)
    assert np.all(gate_parts(Scenario(arrays=typed, w_f=1.0))["W_fh"] == 1)


def test_typed_arrays_are_no_choice_to_compare():
    assert Scenario(arrays={"x_t": np.ones((3, 1))}) == Scenario()


@pytest.mark.parametrize("stochastic", [False, True])
def test_the_gates_are_drawn_from_the_seed_and_only_if_asked(stochastic):
    def step_of(seed: int):
        scenario = Scenario(scale=0.01, stochastic=stochastic, seed=seed, k=20)
        return lstm.step(*scenario.setup("LSTM"), scenario.draw()).f_t

    assert_array_equal(step_of(3), step_of(3))
    assert np.array_equal(step_of(3), step_of(4)) != stochastic
    assert set(np.unique(step_of(3))) == {0, 1} or not stochastic


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_reaches_the_lstm(order):
    assert Scenario(order=order).setup("LSTM")[0].order == order


# ---- pre-activations -------------------------------------------------------------------------


def own_z(scenario: Scenario, source: str) -> np.ndarray:
    """The z that the cell itself computes."""
    if source == "hidden":
        return rnn.step(*scenario.setup("RNN")).z_t
    return getattr(lstm.step(*scenario.setup("LSTM")), f"z_{source}")


@pytest.mark.parametrize("source", SOURCES)
def test_a_pre_activation_is_the_cells_own_at_any_scale(source):
    typed = {"b_i": np.array([[5], [6], [7]]), "x_t": np.array([[0.1], [0.2], [0.3], [0.4]])}
    for scale, init, order in product((0.01, 1, 2.5, 100), INITIALIZERS, ORDERS):
        choices = {"init": init, "order": order, "m": 4, "b_normal": init == "normal", "arrays": typed}
        scenario = Scenario(scale=scale, forget_bias=-3, w_c=0.7, g="tanh", **choices)
        ours = scenario.pre_activation(source)
        assert_allclose(ours.z(scale), own_z(scenario, source), rtol=1e-12, atol=1e-12, err_msg=f"{scenario}")
        assert ours.g is (ACTIVATIONS["tanh"] if source == "hidden" else GATES[source])


@pytest.mark.parametrize("source", SOURCES)
def test_many_scales_at_once_are_each_scale_alone(source):
    ours = Scenario(init="normal", b_normal=True, k=4).pre_activation(source)
    scales = np.array([0.01, 0.3, 1, 7, 100])
    together = ours.z_over(scales)
    assert together.shape == (5, 4, 1)
    assert_allclose(together, [ours.z(scale) for scale in scales.tolist()], rtol=1e-15)


def test_the_scale_leaves_the_bias_alone():
    assert_array_equal(Scenario(b=4).pre_activation("o").z(0), np.full((3, 1), 4))


@pytest.mark.parametrize("order", ORDERS)
def test_each_of_many_inputs_is_what_the_cell_makes_of_it_alone(order):
    scenario = Scenario(init="glorot", order=order, scale=3, b_normal=True, k=4)
    h_prev, x_t = scenario.samples(5)
    for source in SOURCES:
        z = scenario.pre_activation(source, (h_prev, x_t)).z(3)
        assert z.shape == (4, 5)
        for column in range(5):
            one = {"h_prev": h_prev[:, [column]], "x_t": x_t[:, [column]]}
            alone = Scenario(init="glorot", order=order, scale=3, b_normal=True, k=4, arrays=one)
            assert_allclose(z[:, [column]], own_z(alone, source), rtol=1e-12, atol=1e-12, err_msg=source)


def test_samples_are_normal_and_follow_from_the_seed():
    h_prev, x_t = Scenario(m=30, n=20).samples(500)
    assert (h_prev.shape, x_t.shape) == ((20, 500), (30, 500))
    for drawn in (h_prev, x_t):
        assert_allclose([drawn.mean(), drawn.var()], [0, 1], atol=0.05)
    again, other = (Scenario(m=7, n=20, seed=seed, scale=9).samples(500)[0] for seed in (0, 1))
    assert_array_equal(h_prev, again)
    assert not np.any(h_prev == other)
    assert not np.any(h_prev == x_t[:20])


@pytest.mark.parametrize("g", ACTIVATIONS)
def test_a_typed_z_is_one_unit_that_grows_with_the_scale(g):
    typed = Scenario(g=g, b=5, k=9).typed_z(-1.5)
    assert typed.g is ACTIVATIONS[g]
    assert_array_equal(typed.z(2.0), [[-3]])
    assert_array_equal(typed.z_over(np.array([0.5, 2])), [[[-0.75]], [[-3]]])


# ---- sequences -----------------------------------------------------------------------------

XS = np.array([[1, -2, 0.5], [4, 5, 6]])


def sequence(input: str, **choices) -> np.ndarray:
    return Scenario(input=input, **choices).sequence()


@pytest.mark.parametrize("name", CELLS)
def test_every_cell_can_take_every_sequence(name):
    for input, T in product(INPUTS, (1, 2, 512)):
        scenario = Scenario(m=4, n=2, k=2, T=T, input=input, word="hello"[:T], arrays={"xs": np.ones((T, 4))})
        xs = scenario.sequence()
        assert xs.shape == (5 if input == "word" and T > 5 else T, 4, 1)
        params, state, _ = scenario.setup(name)
        assert len(unroll(CELLS[name], params, state, xs).h_t) == len(xs)


def test_noise_is_normal_and_follows_from_the_seed_alone():
    xs = sequence("noise", T=500, m=20)
    assert_allclose([xs.mean(), xs.var()], [0, 1], atol=0.05)
    assert_array_equal(sequence("noise", T=500, m=20, n=5, k=5, scale=3.0, x=0.0, init="ramp"), xs)
    assert not np.any(sequence("noise", T=500, m=20, seed=1) == xs)
    assert_array_equal(sequence("noise", T=30, m=20), xs[:30])


@pytest.mark.parametrize(
    ("input", "factors"),
    [
        ("impulse", [1, 0, 0, 0, 0]),
        ("step", [0, 0, 1, 1, 1]),
        ("sine", np.sin(np.pi * np.arange(1, 6) / 8)),
    ],
)
@pytest.mark.parametrize("init", INITIALIZERS)
def test_a_shaped_sequence_is_the_single_steps_input_times_its_profile(init, input, factors):
    _, _, x_t = Scenario(init=init, seed=3).setup("RNN")
    assert_allclose(sequence(input, init=init, seed=3, T=5), [factor * x_t for factor in factors], atol=1e-12)


def test_a_word_is_as_many_steps_as_it_has_characters():
    rows = ["h", "e", "l", "o", ""]
    expected = [[[int(letter == row)] for row in rows] for letter in "hello"]
    assert_array_equal(sequence("word", word="hello", m=5, T=99), expected)


def test_a_word_does_not_fit_into_too_few_entries():
    with pytest.raises(ValueError, match="m >= 4 entries in x_t, got m = 3"):
        sequence("word", word="hello", m=3)


def test_typed_numbers_are_the_steps_whatever_T_is():
    assert_array_equal(sequence("numbers", T=99, arrays={"xs": XS}), XS[:, :, None])


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({}, "there are none yet"),
        ({"xs": XS[:, :2]}, r"xs must be \(T, m\) = \(T, 3\), got \(2, 2\): give it 3 columns"),
        ({"xs": XS.T}, "give it 3 columns"),
    ],
    ids=["none", "too few columns", "a row for each entry"],
)
def test_typed_numbers_that_are_none_or_do_not_fit_are_refused_in_words(arrays, words):
    with pytest.raises(ValueError, match=words):
        sequence("numbers", arrays=arrays)


def test_typed_numbers_are_no_other_sequence_and_no_single_input():
    for input in set(INPUTS) - {"numbers", "word"}:
        assert_array_equal(sequence(input, arrays={"xs": XS}), sequence(input))
    assert_array_equal(Scenario(arrays={"xs": XS}).setup("RNN")[2], Scenario().setup("RNN")[2])
