"""A scenario is a complete set of choices: the same choices make the same arrays."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.activations import ACTIVATIONS
from core.cells import CELLS
from core.concatenation import ORDERS
from core.initialize import INITIALIZERS, RANDOM
from core.scenario import ARRAYS, AXES, INPUTS, OUTPUT_LAYER, SOURCES, Scenario
from core.sequence.unroll import unroll
from tests.any_cell import always_recurs, can_be, held, own_z, z_of
from tests.core.shape_errors import shape_error

every_cell = pytest.mark.parametrize("cell", CELLS)
WEIGHTS, BIASES, GIVEN = (
    {name for name, made in ARRAYS.items() if made.kind == kind} for kind in ("weights", "bias", "input")
)


def sized(cell: str, **choices) -> Scenario:
    """A scenario of the lab's sizes, or of those nearest to them that the cell can be with."""
    return Scenario(**({"n": 3} if always_recurs(cell) else {}) | choices)


def arrays(cell: str, scenario: Scenario) -> dict[str, np.ndarray]:
    """Every array as a cell of the scenario holds it, and those of the optional output."""
    return held(cell, scenario) | {name: scenario.array(name) for name in OUTPUT_LAYER}


def same_arrays(cell: str, a: Scenario, b: Scenario) -> set[str]:
    """The names of the arrays that are the same in both."""
    ours, theirs = arrays(cell, a), arrays(cell, b)
    return {name for name, array in ours.items() if np.array_equal(array, theirs[name])}


def names(cell: str) -> set[str]:
    return {*CELLS[cell].ARRAYS, *OUTPUT_LAYER}


# ---- the arrays of every cell -----------------------------------------------------------------


def test_the_defaults_are_the_lab():
    params, state, x_t = Scenario().step_arguments("RNN")
    lab = {
        "W_hh": np.full((3, 2), 1),
        "W_hx": np.full((3, 3), 9),
        "b_h": np.full((3, 1), 0),
        "h_prev": np.full((2, 1), 1),
        "x_t": np.full((3, 1), 9),
    }
    for name, array in held("RNN", Scenario()).items():
        assert_array_equal(array, lab[name], strict=True)
    assert (params.g.name, params.order) == ("sigmoid", "hx")
    assert_array_equal(CELLS["RNN"].step(params, state, x_t).z_t, np.full((3, 1), 245), strict=True)


@every_cell
def test_every_cell_of_the_lab_has_the_numbers_of_the_lab(cell):
    lab = {"kn": 1, "km": 9, "pk": 1, "k1": 0, "p1": 0} | {"h_prev": 1, "c_prev": 1, "x_t": 9}
    scenario = sized(cell)
    for name, array in arrays(cell, scenario).items():
        number = lab[name if name in GIVEN else AXES[name]]
        assert_array_equal(array, np.full(scenario.shapes()[name], number), strict=True, err_msg=name)


@every_cell
def test_the_sizes_are_the_shapes(cell):
    n = 3 if always_recurs(cell) else 4
    sizes = {"m": 2, "n": n, "k": 3, "p": 5, "1": 1}
    for init, order in product(INITIALIZERS, ORDERS):
        for name, array in arrays(cell, Scenario(m=2, n=n, k=3, p=5, init=init, order=order)).items():
            assert array.shape == tuple(sizes[letter] for letter in AXES[name]), (name, init, order)


@every_cell
def test_the_scale_multiplies_the_weights_and_nothing_else(cell):
    for init in INITIALIZERS:
        choices = {"init": init, "b_normal": init == "normal", "forget_bias": 1, "w_f": 2}
        plain, scaled = (arrays(cell, sized(cell, **choices, scale=scale)) for scale in (1, 2.5))
        for name in plain:
            assert_array_equal(scaled[name], plain[name] * (2.5 if name in WEIGHTS else 1), err_msg=f"{init} {name}")


@every_cell
def test_whole_values_stay_integers_under_a_whole_scale(cell):
    whole = {"w_hh": 1.0, "w_hx": 9.0, "h": 1.0, "x": 9.0, "b": 0.0, "w_c": 2.0, "forget_bias": 1.0, "c": -3.0}
    for scale in (1, 1.0, 2.0, 0):
        made = arrays(cell, sized(cell, **whole, scale=scale))
        assert [name for name, array in made.items() if array.dtype != np.int64] == [], scale


@every_cell
def test_a_fraction_makes_floats_of_what_it_touches_only(cell):
    for choices, touched in (({"scale": 0.5}, WEIGHTS), ({"x": 0.5}, {"x_t"})):
        made = arrays(cell, sized(cell, **choices))
        assert {name for name, array in made.items() if array.dtype == np.float64} == touched & names(cell)


@every_cell
def test_the_seed_decides_exactly_what_is_random(cell):
    for init, b_normal in product(INITIALIZERS, (False, True)):
        first, again, other = (sized(cell, init=init, b_normal=b_normal, seed=seed) for seed in (3, 3, 4))
        for name, array in arrays(cell, first).items():
            assert_array_equal(array, arrays(cell, again)[name], strict=True)
        random = (WEIGHTS | GIVEN if init in RANDOM else set()) | (BIASES if b_normal else set())
        assert same_arrays(cell, first, other) == names(cell) - random, (init, b_normal)


@every_cell
def test_every_random_array_has_numbers_of_its_own(cell):
    for init in RANDOM:
        drawn = arrays(cell, Scenario(m=3, n=3, k=3, p=3, init=init, b_normal=True))
        assert len({array.ravel()[0] for array in drawn.values()}) == len(drawn) == len(names(cell)), init


@pytest.mark.parametrize("init", INITIALIZERS)
def test_every_cell_is_given_the_same_numbers_of_what_it_shares_with_another(init):
    scenario = Scenario(n=3, init=init, b_normal=True)
    for cell in CELLS:
        for name, array in held(cell, scenario).items():
            assert_array_equal(array, scenario.effective_arrays()[name], strict=True, err_msg=f"{cell} {name}")


@pytest.mark.parametrize("init", ["normal", "glorot", "orthogonal"])
def test_inputs_are_data_and_not_weights(init):
    x_t = Scenario(m=10_000, n=1, k=1, init=init).array("x_t")
    assert_allclose([x_t.mean(), x_t.var()], [0, 1], atol=0.05)


def test_the_bias_is_a_value_or_a_normal_draw():
    assert_array_equal(Scenario(b=-2).array("b_h"), np.full((3, 1), -2), strict=True)
    drawn = Scenario(b=7, b_normal=True, k=10_000).array("b_h")
    assert drawn.shape == (10_000, 1)
    assert_allclose([drawn.mean(), drawn.var()], [0, 1], atol=0.05)


@pytest.mark.parametrize("g", ACTIVATIONS)
@pytest.mark.parametrize("order", ORDERS)
def test_the_activation_and_the_order_reach_the_cell(g, order):
    params, _, _ = Scenario(g=g, order=order).step_arguments("RNN")
    assert (params.g, params.order) == (ACTIVATIONS[g], order)
    for cell in CELLS:
        assert sized(cell, order=order).step_arguments(cell)[0].order == order


@every_cell
def test_the_order_moves_the_columns_along_and_changes_no_result(cell):
    for init in INITIALIZERS:
        hx, xh = (Scenario(n=3, init=init, order=order, b_normal=True, scale=0.1) for order in ORDERS)
        assert same_arrays(cell, hx, xh) == names(cell), init
        assert_allclose(
            *(CELLS[cell].step(*each.step_arguments(cell)).h_t for each in (hx, xh)), rtol=1e-12, err_msg=init
        )


# What a choice says, and what it is in this value with `fill`: by its axes, by its kind, or by its name.
VALUES = {"w_hh": "kn", "w_hx": "km", "b": "bias", "h": "h_prev", "c": "c_prev", "x": "x_t", "w_y": "W_y"}


@every_cell
def test_a_value_goes_where_its_name_says(cell):
    for choice, where in VALUES.items():
        before, after = sized(cell), sized(cell, **{choice: 4.25})
        changed = {name for name in names(cell) if where in (name, ARRAYS[name].kind, AXES[name])}
        assert same_arrays(cell, before, after) == names(cell) - changed, choice
        for name in changed:
            assert_array_equal(arrays(cell, after)[name], np.full(before.shapes()[name], 4.25), err_msg=choice)


@pytest.mark.parametrize("gate", "fico")
def test_a_gates_own_value_is_that_of_all_its_weights_and_leaves_the_others_their_numbers(gate):
    for init in INITIALIZERS:
        shared, own = Scenario(init=init), Scenario(init=init, **{f"w_{gate}": 4.25})
        changed = {f"W_{gate}h", f"W_{gate}x"}
        assert same_arrays("LSTM", shared, own) == names("LSTM") - changed, init
        for name in changed:
            assert_array_equal(arrays("LSTM", own)[name], np.full(own.shapes()[name], 4.25))
        for cell in set(CELLS) - {"LSTM"}:
            ours = [sized(cell, init=init, **choices) for choices in ({}, {f"w_{gate}": 4.25})]
            assert same_arrays(cell, *ours) == names(cell), (cell, init)


@pytest.mark.parametrize("b_normal", [False, True])
def test_the_forget_bias_is_added_to_the_bias_of_the_forget_gate(b_normal):
    before, after = (Scenario(b=0.5, b_normal=b_normal, forget_bias=forget_bias) for forget_bias in (0, -3))
    assert_array_equal(after.array("b_f"), before.array("b_f") - 3)
    assert same_arrays("LSTM", before, after) == names("LSTM") - {"b_f"}


@every_cell
def test_a_typed_array_is_used_where_it_fits_and_only_there(cell):
    for name in names(cell):
        assert_used_where_it_fits(cell, name)


def assert_used_where_it_fits(cell: str, name: str) -> None:
    plain = sized(cell, p=2)
    shape = plain.shapes()[name]
    typed = np.arange(np.prod(shape)).reshape(shape) + 50
    with_typed = sized(cell, p=2, arrays={name: typed})
    assert same_arrays(cell, with_typed, plain) == names(cell) - {name}
    assert with_typed.has(name, shape) and not with_typed.has(name, (*shape[:-1], shape[-1] + 1))
    assert not plain.has(name, shape)
    assert_array_equal(arrays(cell, with_typed)[name], typed)
    other_sizes = {"m": 4, "n": 4, "k": 4, "p": 4}
    assert same_arrays(cell, Scenario(**other_sizes, arrays={name: typed}), Scenario(**other_sizes)) == names(cell)


def test_typed_weights_are_scaled_and_give_way_to_a_gates_own_value():
    typed = {"W_fh": np.full((3, 2), 5), "x_t": np.full((3, 1), 5)}
    parts = held("LSTM", Scenario(arrays=typed, scale=2.0, w_i=1.0))
    assert np.all(parts["W_fh"] == 10) and np.all(parts["x_t"] == 5) and np.all(parts["W_ih"] == 2)
    assert np.all(held("LSTM", Scenario(arrays=typed, w_f=1.0))["W_fh"] == 1)


def test_typed_arrays_are_no_choice_to_compare():
    assert Scenario(arrays={"x_t": np.ones((3, 1))}) == Scenario()


@every_cell
@pytest.mark.parametrize("stochastic", [False, True])
def test_the_gates_are_drawn_from_the_seed_and_only_if_asked(stochastic, cell):
    def step_of(seed: int):
        return Scenario(scale=0.001, stochastic=stochastic, seed=seed, n=20, k=20).step(cell)[1]

    drawn = getattr(CELLS[cell], "GATE_PROBABILITIES", {}) if stochastic else {}
    first, again, other = map(step_of, (3, 3, 4))
    for symbol in first._fields:
        assert_array_equal(getattr(first, symbol), getattr(again, symbol), err_msg=symbol)
    for symbol, probability in drawn.items():
        assert set(np.unique(getattr(first, symbol))) == {0, 1}
        assert np.any(getattr(first, symbol) != getattr(other, symbol))
        assert_array_equal(getattr(first, probability), getattr(other, probability))
    if not drawn:
        assert_array_equal(first.h_t, other.h_t)


# ---- pre-activations -------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES)
def test_a_pre_activation_is_the_cells_own_at_any_scale(source):
    typed = {"b_i": np.array([[5], [6], [7]]), "x_t": np.array([[0.1], [0.2], [0.3], [0.4]])}
    cell, z = z_of(source)
    for scale, init, order in product((0.01, 1, 2.5, 100), INITIALIZERS, ORDERS):
        choices = {"init": init, "order": order, "m": 4, "b_normal": init == "normal", "arrays": typed}
        scenario = sized(cell, scale=scale, forget_bias=-3, w_c=0.7, g="tanh", **choices)
        ours = scenario.pre_activation(source)
        assert_allclose(ours.z(scale), own_z(scenario, source), rtol=1e-12, atol=1e-12, err_msg=f"{scenario}")
        activated = CELLS[cell].activated(scenario.step_arguments(cell)[0])
        assert [ours.g] == [g for of, g in activated.values() if of == z]


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
    for source, n in product(SOURCES, (2, 4)):
        scenario = Scenario(init="glorot", order=order, scale=3, b_normal=True, n=n, k=4)
        if not can_be(z_of(source)[0], scenario):
            continue
        h_prev, x_t = scenario.samples(5)
        z = scenario.pre_activation(source, (h_prev, x_t)).z(3)
        assert z.shape == (4, 5)
        for column in range(5):
            alone = replace(scenario, arrays={"h_prev": h_prev[:, [column]], "x_t": x_t[:, [column]]})
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
        params, state, _ = scenario.step_arguments(name)
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
    _, _, x_t = Scenario(init=init, seed=3).step_arguments("RNN")
    assert_allclose(sequence(input, init=init, seed=3, T=5), [factor * x_t for factor in factors], atol=1e-12)


def test_a_word_is_as_many_steps_as_it_has_characters():
    rows = ["h", "e", "l", "o", ""]
    expected = [[[int(letter == row)] for row in rows] for letter in "hello"]
    assert_array_equal(sequence("word", word="hello", m=5, T=99), expected)


def test_a_word_does_not_fit_into_too_few_entries():
    with pytest.raises(ValueError, match=r"\b4\b.*\bm is 3\b"):
        sequence("word", word="hello", m=3)


def test_typed_numbers_are_the_steps_whatever_T_is():
    assert_array_equal(sequence("numbers", T=99, arrays={"xs": XS}), XS[:, :, None])


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({}, r"\bno input\b"),
        ({"xs": XS[:, :2]}, shape_error("xs", "(T, m)", ("T", 3), (2, 2))),
        ({"xs": XS.T}, shape_error("xs", "(T, m)", ("T", 3), XS.T.shape)),
    ],
    ids=["none", "too few columns", "a row for each entry"],
)
def test_typed_numbers_that_are_none_or_do_not_fit_are_refused_in_words(arrays, words):
    with pytest.raises(ValueError, match=words):
        sequence("numbers", arrays=arrays)


def test_typed_numbers_are_no_other_sequence_and_no_single_input():
    for input in set(INPUTS) - {"numbers", "word"}:
        assert_array_equal(sequence(input, arrays={"xs": XS}), sequence(input))
    assert_array_equal(Scenario(arrays={"xs": XS}).step_arguments("RNN")[2], Scenario().step_arguments("RNN")[2])
