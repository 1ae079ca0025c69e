"""The diagnosis: ten planted faults are found and located, and healthy networks have no warning."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.activations import tanh
from core.cells import CELLS
from core.exchange.model_files.contents import BLOCKS, CELLS_OF_FILES, RESET_BEFORE, FoundDirection, FoundLayer, Network
from core.model_diagnosis import (
    DEFAULT,
    FRACTION_OF_RUN,
    GRADIENTS,
    ORDER,
    RUN,
    WARNING,
    NetworkOverflow,
    Thresholds,
    diagnose,
)
from core.model_diagnosis.conversion_rules import levels
from core.model_diagnosis.direction_run import DirectionRun, over_all
from core.model_diagnosis.finding import units_of
from core.model_diagnosis.initial_weights import untrained_networks
from core.model_diagnosis.inputs import MOST_KEPT_BY_EACH, most_steps
from core.model_diagnosis.layer_rules import estimate_spectral_radius, findings
from core.model_diagnosis.networks import NETWORKS, TEXT, load
from core.model_diagnosis.sampled_gains import horizon, sample_gains, step_back
from core.model_diagnosis.thresholds import MOST_LEVELS
from core.sequence.bptt import log_gains as exact_gains
from core.sequence.inputs import alphabet, one_hot
from core.sequence.unroll import unroll
from tests.core.planted_faults import FAULTS, HEALTHY, K, contents_of, inputs, weights
from tests.fourth_cell import mgu

SIZES = (5, 24)
STUCK = ("gate stuck closed", "gate stuck open")
CASES = [pytest.param(fault, cell, id=f"{fault.name}, {cell}") for fault in FAULTS for cell in fault.cells]


def warnings(made, xs, thresholds: Thresholds = DEFAULT) -> list:
    found = diagnose(contents_of(made).networks[0].layers, xs, thresholds).findings
    return [finding for finding in found if finding.level == WARNING]


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize(("fault", "cell"), CASES)
def test_a_planted_fault_is_found_and_located(fault, cell, k):
    plant = fault.plant(cell, 1, k)
    found = [finding for finding in warnings(plant.weights, plant.xs) if finding.code == fault.code]
    assert [(one.layer, one.direction) for one in found] == [(plant.layer, plant.direction)]
    assert not plant.symbol or found[0].symbol == plant.symbol
    assert not plant.units or found[0].units == plant.units


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_network_has_no_warning(name, k):
    assert warnings(*HEALTHY[name](0, k)) == []


@pytest.mark.parametrize("name", NETWORKS)
def test_the_networks_of_cellscope_have_no_warning(name):
    xs = one_hot((TEXT * 4)[:150], len(alphabet(TEXT)))
    found = diagnose(load(name).networks[0].layers, xs).findings
    assert [finding for finding in found if finding.level == WARNING] == []


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_finding_has_the_number_that_its_threshold_decides_on(fault):
    plant = fault.plant(fault.cells[-1], 0, K)
    found = [finding for finding in warnings(plant.weights, plant.xs) if finding.bound]
    for one in found:
        assert one.threshold == getattr(DEFAULT, one.bound)
        if one.bound in ("recurrence", "alone", "radius", "gain", "swapped"):
            assert one.value > one.threshold
        if one.bound in ("forget_bias", "headroom"):
            assert one.value < one.threshold
    assert [ORDER.index(one.code) for one in found] == sorted(ORDER.index(one.code) for one in found)


def test_a_constant_input_comes_before_the_gates_that_it_saturates():
    xs = inputs()
    xs[:, 2] = 40
    found = [one.code for one in warnings(weights("LSTM"), xs)]
    assert found[0] == "constant input" and "stuck gates" in found


@pytest.mark.parametrize("cell", ["LSTM", "GRU"])
def test_units_that_one_cause_sticks_in_several_gates_are_one_finding_for_each_layer(cell):
    made = weights(cell, layers=2)
    large = [
        one for one in diagnose(contents_of(made).networks[0].layers, 300 + inputs()).findings if "stuck" in one.code
    ]
    assert [(one.code, one.layer) for one in large] == [("stuck gates", 0)]
    (one,), run = large, diagnose(contents_of(made).networks[0].layers, 300 + inputs()).runs[0]
    gates = {symbol: over_all(getattr(run.trace, symbol)) for symbol in run.gate_symbols}
    closed = {symbol: units_of((gate < 1e-3).all(axis=1)) for symbol, gate in gates.items()}
    opened = {symbol: units_of((gate > 1 - 1e-3).all(axis=1)) for symbol, gate in gates.items()}
    found = {code: {part.symbol: part.units for part in one.parts if part.code == code} for code in STUCK}
    assert found == {"gate stuck closed": closed, "gate stuck open": opened}
    # The unit with the most stuck gates stands first, and the gate with the most stuck units.
    count = Counter(unit for part in one.parts for unit in part.units)
    assert sorted(count) == sorted(one.units) and one.value == len(count)
    assert [count[unit] for unit in one.units] == sorted(count.values(), reverse=True)
    sizes = [len(part.units) for part in one.parts]
    assert sizes == sorted(sizes, reverse=True)


def test_a_whole_gate_that_is_stuck_stays_a_finding_of_its_own():
    made = weights("LSTM")
    made["bias_ih_l0"][3 * K :] = 20
    made["bias_ih_l0"][[1, K + 4]] = -20
    found = [(one.code, one.symbol, one.units) for one in warnings(made, inputs()) if "stuck" in one.code]
    assert found == [("gate stuck open", "o_t", tuple(range(1, K + 1))), ("stuck gates", "", (2, 5))]


def test_large_recurrent_weights_come_before_the_gradients_that_they_let_explode():
    made = weights("RNN")
    made["weight_hh_l0"] = 8 * made["weight_hh_l0"]
    found = [one.code for one in warnings(made, inputs() / 100)]
    assert found[0] == "large recurrence" and "exploding" in found


def test_an_exploding_gradient_comes_before_the_eigenvalue_that_makes_it():
    layer, arrays = trained("LSTM")
    W_h, W_x, b = (arrays[name].copy() for name in ("W_ch", "W_cx", "b_c"))
    W_h[3], W_x[3], b[3] = 0, 0, 0
    W_h[3, 3] = 8
    found = warnings_with(layer, {**arrays, "W_ch": W_h, "W_cx": W_x, "b_c": b})
    assert [one.code for one in found if "eigen" in one.code or "expl" in one.code] == [
        "exploding",
        "outlying eigenvalue",
    ]


@pytest.mark.parametrize(("mean_of_input", "is_found"), [(0.0, True), (3.0, False)])
def test_a_low_forget_bias_is_no_fault_if_the_inputs_open_the_gate(mean_of_input, is_found):
    made, xs = weights("LSTM"), inputs()
    made["bias_ih_l0"][K : 2 * K] -= 3
    made["weight_ih_l0"][K : 2 * K, 0] = 2
    xs[:, 0] += mean_of_input
    assert ("forget bias low" in {one.code for one in warnings(made, xs)}) == is_found


def test_two_pairs_of_copied_units_are_two_findings():
    made = weights("RNN")
    for name in made:
        made[name][7], made[name][11] = made[name][2], made[name][0]
    assert [one.units for one in warnings(made, inputs())] == [(1, 12), (3, 8)]


def test_one_zeroed_matrix_is_named():
    made = weights("LSTM")
    made["weight_hh_l0"][:K] = 0
    assert [(one.code, one.symbol) for one in warnings(made, inputs())] == [("zeroed block", "W_ih")]


def test_an_entry_of_the_input_that_no_unit_reads_is_named():
    made = weights("GRU")
    made["weight_ih_l0"][:, 4] = 0
    assert [(one.code, one.units) for one in warnings(made, inputs())] == [("unread input", (5,))]


def test_a_letter_that_a_text_lacks_is_no_warning():
    xs = one_hot("abcabcabcabcabc", 6)
    found = diagnose(contents_of(weights("RNN")).networks[0].layers, xs, is_one_hot=True).findings
    assert [one.code for one in found if one.level == WARNING] == []
    assert [one.units for one in found if one.code == "absent input"] == [(4, 5, 6)]


def test_numbers_of_a_file_are_tokens_if_each_step_sets_one_entry():
    xs = one_hot("abcabcabcabcabc", 6)
    padded, two, one, gap = (xs.copy() for _ in range(4))
    padded[10:] = 0
    two[4, 2] = two[4, 0] = 1
    one[:, :2] = [[1], [0]]
    one[:, 2] = 0
    gap[5] = 0
    for made in (xs, padded):
        assert not warnings(weights("RNN"), made)
    for made in (two, one, gap, 2 * xs):
        assert [found.code for found in warnings(weights("RNN"), made)][0] == "constant input"


def test_the_headroom_names_the_step_that_made_the_largest_number():
    made = {name: np.zeros_like(values) for name, values in weights("LSTM").items()}
    made["bias_ih_l0"][: 2 * K] = 10  # the input gate and the forget gate
    made["weight_ih_l0"][2 * K : 3 * K] = 1
    # c_t grows over the first half of the steps, so that c_{t-1} has its largest number as well.
    xs = np.concatenate([np.ones((30, 6, 1)), -np.ones((30, 6, 1))])
    found = diagnose(contents_of(made).networks[0].layers, xs).findings
    assert [one.symbol for one in found if one.code == "headroom"] == ["c_t"]


@pytest.mark.parametrize("cell", BLOCKS.values())
def test_small_inputs_blame_no_unit(cell):
    # With biases, the first steps move each unit by far more than the input does.
    for made in (weights(cell), {name: W * ("weight" in name) for name, W in weights(cell).items()}):
        assert [one.code for one in warnings(made, 1e-5 * inputs())] == ["small input"]
        assert warnings(made, 0.1 * inputs()) == []


def test_an_exploding_direction_has_its_steps():
    fault = next(fault for fault in FAULTS if fault.code == "exploding")
    plant = fault.plant("RNN", 0, K)
    (found,) = [one for one in warnings(plant.weights, plant.xs) if one.code == "exploding"]
    first, last = found.steps
    assert found.numbers["distance"] == last - first
    # The planted factor of each step is 1.5, and a sample starts with a part of the direction only.
    assert found.numbers["each step"] == pytest.approx(1.5, rel=0.05)


def test_other_thresholds_need_no_other_run():
    made = diagnose(contents_of(weights("RNN")).networks[0].layers, inputs())
    moved = made.under(Thresholds(recurrence=0.1, ratio=0.1))
    assert moved.trace is made.trace
    assert {one.code for one in moved.findings if one.level == WARNING} == {"large recurrence"}


# ---- any cell ------------------------------------------------------------------------------------


def test_a_cell_that_only_has_a_jacobian_is_diagnosed():
    rng, k, m = np.random.default_rng(0), 6, 3
    sizes = {"W_ah": (k, k), "W_ax": (k, m), "b_a": (k, 1), "W_hh": (k, k), "W_hx": (k, m), "b_h": (k, 1)}
    arrays = {name: rng.uniform(-1, 1, size) / np.sqrt(k) for name, size in sizes.items()}
    arrays["W_hx"][:, 1] = 0
    arrays["W_ax"][:, 1] = 0
    params, state = mgu.build(arrays | {"h_prev": np.zeros((k, 1))}, order="hx", g=tanh)
    xs = inputs()[:, :m]
    trace = unroll(mgu, params, state, xs)
    made = DirectionRun(0, 0, mgu, arrays, params, trace, xs, sample_gains(mgu, params, trace))
    assert made.gate_symbols == ("a_t",) and made.candidate == "h_tilde" and made.half_lives is None
    assert [one.code for one in findings([made]) if one.level == WARNING] == ["unread input"]


# ---- the numbers behind it -----------------------------------------------------------------------


def found_layer(cell: str) -> FoundLayer:
    (layer,) = contents_of(weights(cell.partition("_")[0])).networks[0].layers
    return FoundLayer("", cell, [FoundDirection(layer.directions[0].arrays)])


@pytest.mark.parametrize("cell", [*BLOCKS.values(), RESET_BEFORE])
def test_a_step_back_is_the_transposed_jacobian(cell):
    one = found_layer(cell).layer()
    params, state, _ = one.directions[0]
    rng = np.random.default_rng(0)
    state = type(state)(*(rng.normal(size=part.shape) for part in state))
    step = one.cell.step(params, state, rng.normal(size=(6, 1)))
    J = one.cell.jacobian(params, step)
    assert hasattr(CELLS_OF_FILES[cell], "step_back")
    assert_allclose(step_back(one.cell, params, step, np.eye(len(J))), J.T, atol=1e-12)


def test_the_gains_of_probes_lie_around_the_exact_ones():
    made = diagnose([found_layer("LSTM")], inputs()[:20]).runs[0]
    exact = exact_gains(CELLS["LSTM"].jacobian(made.params, made.trace))
    logs = sample_gains(CELLS["LSTM"], made.params, made.trace).logs
    assert_allclose(np.nanmedian(logs[1:10], axis=1), [exact[19, 19 - d] for d in range(1, 10)], atol=0.3)
    assert horizon(np.log10([[1.0, 1], [0.5, 0.5], [0.2, 0.01], [0.11, 0.1]])) == 3


def test_the_half_life_is_that_of_the_forget_gate():
    made = weights("LSTM")
    made["weight_ih_l0"] *= 0
    made["weight_hh_l0"] *= 0
    made["bias_ih_l0"], made["bias_hh_l0"] = np.zeros(4 * K), np.zeros(4 * K)
    made["weight_ih_l0"][0, 0] = 1e-9
    # A gate of 0.5 halves what is kept at each step.
    (one,) = diagnose(contents_of(made).networks[0].layers, inputs()).runs
    assert_allclose(one.half_lives, 1)


def test_the_radius_of_a_large_matrix_is_estimated():
    W = np.random.default_rng(0).normal(size=(200, 200)) / np.sqrt(200)
    assert_allclose(estimate_spectral_radius(W), np.abs(np.linalg.eigvals(W)).max(), rtol=0.15)


@pytest.mark.parametrize("cell", BLOCKS.values())
def test_a_layer_that_was_never_trained_is_found_beside_a_trained_one(cell):
    fresh = weights(cell, layers=2)
    rng = np.random.default_rng(1)
    trained = {name: W + rng.normal(0, 0.05, W.shape) if name.endswith("l0") else W for name, W in fresh.items()}
    assert [(one.code, one.layer) for one in warnings(trained, inputs())] == [("untrained layer", 1)]
    # In float16 some weights are rounded to beyond the range.
    assert len(warnings({name: W.astype("f2") for name, W in trained.items()}, inputs())) == 1
    # A network before its training has no fault.
    assert not warnings(fresh, inputs())
    codes = [one.code for one in diagnose(contents_of(fresh).networks[0].layers, inputs()).findings]
    assert codes[:2] == ["initial weights"] * 2 and "initial weights" not in codes[2:]
    # A layer of few weights, or of zeros, shows nothing about the training of others.
    assert not warnings(weights(cell, layers=2, k=4), inputs())
    zeroed = {name: 0 * W if name.endswith("l1") else W for name, W in fresh.items()}
    assert [one.code for one in warnings(zeroed, inputs())] == ["zeroed layer"]
    small_steps = {name: W + rng.normal(0, 0.005, W.shape) for name, W in fresh.items()}
    assert not warnings({**trained, **{name: W for name, W in small_steps.items() if name.endswith("l1")}}, inputs())


@pytest.mark.parametrize("cell", BLOCKS.values())
def test_a_layer_of_keras_that_was_never_trained_is_found_beside_a_trained_one(cell):
    fresh, rng = weights(cell, layers=2, m=K), np.random.default_rng(1)
    for at in range(2):
        W = fresh[f"weight_ih_l{at}"]
        fresh[f"weight_ih_l{at}"] = rng.uniform(-1, 1, W.shape) * np.sqrt(6 / sum(W.shape))
        fresh[f"weight_hh_l{at}"] = np.linalg.qr(rng.normal(size=fresh[f"weight_hh_l{at}"].shape))[0]
    trained = {name: W + rng.normal(0, 0.05, W.shape) if name.endswith("l0") else W for name, W in fresh.items()}
    for made in (trained, {name: W.astype("f2") for name, W in trained.items()}):
        assert [(one.code, one.layer) for one in warnings(made, inputs(m=K))] == [("untrained layer", 1)]
    assert not warnings(fresh, inputs(m=K))


@pytest.mark.parametrize("cell", BLOCKS.values())
def test_recurrent_weights_that_were_never_trained_are_found(cell):
    fresh, rng = weights(cell), np.random.default_rng(1)
    made = {**fresh, "weight_ih_l0": fresh["weight_ih_l0"] + rng.normal(0, 0.05, fresh["weight_ih_l0"].shape)}
    assert [one.code for one in warnings(made, inputs())] == ["untrained recurrence"]
    backward = {f"{name}_reverse": W for name, W in made.items()}
    forward = {name: W + rng.normal(0, 0.05, W.shape) for name, W in made.items()}
    assert [(one.code, one.direction) for one in warnings({**forward, **backward}, inputs())] == [
        ("untrained backward recurrence", 1)
    ]
    made["weight_hh_l0"] = made["weight_hh_l0"] + rng.normal(0, 0.005, made["weight_hh_l0"].shape)
    assert not warnings(made, inputs())


@pytest.mark.parametrize(("layer", "code"), [(0, "untrained recurrence"), (1, "untrained backward recurrence")])
def test_only_the_output_of_the_last_layer_can_be_read_at_the_first_step_of_a_backward_direction(layer, code):
    fresh, rng = weights("LSTM", layers=2, ways=2), np.random.default_rng(1)
    made = {name: W + rng.normal(0, 0.05, W.shape) for name, W in fresh.items()}
    name = f"weight_hh_l{layer}_reverse"
    found = warnings({**made, name: fresh[name]}, inputs())
    assert [(one.code, one.layer, one.direction) for one in found] == [(code, layer, 1)]


@pytest.mark.parametrize("cell", BLOCKS.values())
def test_an_input_that_is_not_standardized_is_found_if_it_saturates(cell):
    xs = inputs() * [[7.0], [14.0], [1.0], [1.0], [1.0], [1.0]] + [[285.0], [60.0], [0.0], [0.0], [0.0], [0.0]]
    (found, *_) = warnings(weights(cell), xs)
    assert (found.code, found.units) == ("large input", (1, 2)) and 284 < found.value < 287
    small = {name: W * (1e-3 if "_ih" in name else 1) for name, W in weights(cell).items()}
    assert "large input" not in {one.code for one in warnings(small, xs)}


def test_a_horizon_of_the_whole_input_says_so():
    made = {name: 1.5 * W for name, W in weights("LSTM").items()}
    for T, codes in ((1, []), (3, ["horizon of the input"]), (120, ["horizon"])):
        found = diagnose(contents_of(made).networks[0].layers, inputs()[:T]).findings
        assert [one.code for one in found if one.code.startswith("horizon")] == codes


def test_progress_grows_to_its_end():
    told: list[tuple[float, str, int]] = []
    layers = contents_of(weights("LSTM", layers=2)).networks[0].layers
    diagnose(layers, inputs()[:64], progress=lambda *now: told.append(now))
    fractions = [fraction for fraction, _, _ in told]
    assert fractions == sorted(fractions) and fractions[-1] == 1 and len(told) > 6
    assert list(dict.fromkeys(now[1:] for now in told)) == [(RUN, 1), (RUN, 2), (GRADIENTS, 1), (GRADIENTS, 2)]


@pytest.mark.parametrize("ways", [1, 2])
@pytest.mark.parametrize(("k", "m"), [(4, 2048), (64, 64), (256, 4)])
@pytest.mark.parametrize("cell", BLOCKS.values())
def test_a_diagnosis_keeps_no_more_numbers_than_it_may(cell, k, m, ways):
    layers = contents_of(weights(cell, ways=ways, k=k, m=m)).networks[0].layers
    T = most_steps(layers, most_kept=MOST_KEPT_BY_EACH // 16)
    made = diagnose(layers, np.ones((T, m, 1)))
    arrays = [symbol for layer in made.trace.layers for trace in layer.traces for symbol in trace]
    arrays += [array for layer in made.trace.layers for array in (layer.xs, layer.output)]
    owners = {id(owner): owner.size for owner in map(owner_of, arrays)}
    assert sum(owners.values()) <= MOST_KEPT_BY_EACH // 16


def test_numbers_that_overflow_have_an_error_of_their_own():
    layers = contents_of(weights("RNN")).networks[0].layers
    large = [replace(layer, g="relu", directions=[scaled(layer.directions[0], 1e200)]) for layer in layers]
    with pytest.raises(NetworkOverflow):
        diagnose(large, inputs())
    with pytest.raises(ValueError, match="m") as error:
        diagnose(layers, np.ones((5, 7, 1)))
    assert not isinstance(error.value, NetworkOverflow)


def scaled(direction: FoundDirection, factor: float) -> FoundDirection:
    return FoundDirection({name: array * factor for name, array in direction.arrays.items()})


def test_the_run_of_each_layer_is_progress():
    done: list[float] = []
    layers = contents_of(weights("LSTM", layers=3)).networks[0].layers
    diagnose(layers, inputs(), progress=lambda fraction, *_: done.append(fraction))
    assert_allclose(done[:3], [0, FRACTION_OF_RUN / 3, FRACTION_OF_RUN * 2 / 3])
    assert done == sorted(done) and done[-1] == 1


def owner_of(array: np.ndarray) -> np.ndarray:
    """Return the array whose memory a view shows."""
    return array if not isinstance(array.base, np.ndarray) else owner_of(array.base)


def trained(name: str) -> tuple[FoundLayer, dict[str, np.ndarray]]:
    """A trained layer of Cellscope, and its arrays."""
    (layer,) = load(name).networks[0].layers
    return layer, dict(layer.directions[0].arrays)


def warnings_with(layer: FoundLayer, arrays: dict[str, np.ndarray]) -> list:
    """The warnings on a trained layer with other arrays."""
    xs = one_hot((TEXT * 4)[:150], len(alphabet(TEXT)))
    made = replace(layer, directions=[FoundDirection(arrays)])
    return [one for one in diagnose([made], xs, is_one_hot=True).findings if one.level == WARNING]


@pytest.mark.parametrize("name", ["LSTM", "GRU"])
def test_transposed_recurrent_weights_of_a_trained_network_are_found(name):
    layer, arrays = trained(name)
    turned = {at: W.T if at.startswith("W") and at.endswith("h") else W for at, W in arrays.items()}
    (found,) = warnings_with(layer, turned)
    assert found.code == "transposed recurrence" and found.value > 0.2 > found.numbers["columns"]


@pytest.mark.parametrize(("cell", "seed", "k"), [("LSTM", 10, 12), ("GRU", 2, 12), ("GRU", 1, 16)])
def test_copied_units_do_not_look_transposed(cell, seed, k):
    plant = next(one for one in FAULTS if one.code == "copied units").plant(cell, seed, k)
    assert [one.code for one in warnings(plant.weights, plant.xs[:20])] == ["copied units"]


@pytest.mark.parametrize("seed", [526, 669, 959])
def test_few_units_do_not_look_transposed_by_chance(seed):
    # In 1200 such samples, the rows of these have the largest correlations, up to 0.28.
    assert not warnings(weights("GRU", seed, k=12), inputs()[:2])


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("cell", "blocks"), [("LSTM", 4), ("GRU", 3)])
def test_recurrent_weights_that_started_with_one_sign_are_found_and_not_called_misplaced(cell, blocks, sign):
    # A constant or positive numbers, and what training adds to them.
    rng, made = np.random.default_rng(0), agreeing(cell, 0, 48)
    change = made["weight_hh_l0"][rng.permutation(48 * blocks)]
    for start in (0.1, rng.uniform(0, 0.2, change.shape)):
        W = np.split(sign * (start + change), blocks)
        found = warnings({**made, "weight_hh_l0": np.concatenate(W)}, inputs())
        assert found[0].code == "common sign"
        assert_allclose(found[0].value, min((sign * block > 0).mean() for block in W))
        assert not {"transposed recurrence", "misplaced candidate", "unusual gate order"} & {one.code for one in found}
        W[0] *= -1
        assert "common sign" not in {
            one.code for one in warnings({**made, "weight_hh_l0": np.concatenate(W)}, inputs())
        }


def test_sequences_that_end_in_different_numbers_of_zeros_are_padded():
    xs = inputs().repeat(4, axis=2)
    cases = {"one length": xs.copy(), "a step of 0 before": xs.copy(), "padded": xs.copy(), "padded before": xs.copy()}
    cases["one length"][100:] = 0
    for length, at in ((100, 1), (90, 3)):
        for name in ("a step of 0 before", "padded"):
            cases[name][length:, :, at] = 0
        cases["padded before"][:-length, :, at] = 0
    cases["a step of 0 before"][5, :, 0] = 0
    found = {name: [one for one in warnings(weights("GRU", layers=2), given)] for name, given in cases.items()}
    assert [name for name, some in found.items() if some] == ["padded"]
    (one,) = found["padded"]
    assert (one.code, one.value) == ("padded input", 30)
    assert one.numbers == {"padded": 2, "sequences": 4, "steps": len(xs)}


@pytest.mark.parametrize("cell", ["RNN", "LSTM", "GRU"])
def test_an_untrained_network_beside_a_trained_one_is_found(cell):
    start = contents_of(weights(cell, layers=2, k=24)).networks[0]
    trained = contents_of({name: 2 * W for name, W in weights(cell, k=24).items()}).networks[0]
    small = contents_of(weights(cell, k=2)).networks[0]
    half = Network("", [start.layers[0], trained.layers[0]])
    for networks, untrained in (
        ([trained, start], [1]),
        ([start, trained, start], [0, 2]),
        ([half, start], [1]),
        ([start, start], []),
        ([trained, half], []),
        ([trained, small], []),
    ):
        assert untrained_networks(networks) == untrained
    # The weights of a file with one network are not read, because they may be large.
    assert untrained_networks([Network("", [None])]) == []


def test_token_indices_that_end_in_one_token_are_padded():
    table = np.random.default_rng(0).normal(size=(30, 6))
    tokens = 1 + np.random.default_rng(1).integers(29, size=(40, 4))
    of_batch, early, short, same = tokens.copy(), tokens.copy(), tokens.copy(), np.zeros((40, 1), int)
    for at, length in enumerate((40, 25, 37, 30)):
        of_batch[length:, at] = early[length:, at] = 0
    early[3] = 0
    short[-9:] = 0
    cases = {"batch": of_batch, "one": of_batch[:, 1:2], "early": early, "short": short, "same": same, "none": tokens}
    layers = contents_of(weights("GRU", layers=2)).networks[0].layers
    found = {}
    for name, indices in cases.items():
        xs = table[indices].transpose(0, 2, 1)
        all_found = diagnose(layers, xs, reads_indices=True).findings
        found[name] = [(one.value, one.numbers["padded"]) for one in all_found if one.code == "padded tokens"]
        # Numbers that are no tokens may stay the same until the end, as after a step.
        assert not [one for one in diagnose(layers, xs).findings if one.code.startswith("padded")]
    assert found == {"batch": [(15, 3)], "one": [(15, 1)], "early": [], "short": [], "same": [], "none": []}


def batches() -> dict[str, np.ndarray]:
    """Batches of shape (T, m, B) with the first axis in its place, by what they are."""
    rng, (T, m, B) = np.random.default_rng(0), (30, 6, 16)
    t, noise = np.arange(T)[:, None, None], rng.normal(size=(T, m, B))
    waves = np.sin(rng.uniform(0.05, 0.5, (m, B)) * t + rng.uniform(0, 6.3, (m, B))) + 0.1 * noise
    marked = noise.copy()
    marked[:, 0] = t[:, 0] == T // 2
    series = rng.normal(size=(T + B, m)).cumsum(axis=0)
    return {
        "waves": waves,
        "noise": noise,
        "a step that all sequences mark": marked,
        "sequences in order": noise + np.linspace(-2, 2, B),
        "windows of one series": np.stack([series[at : at + T] for at in range(B)], axis=2),
        "fast waves of growing size": np.linspace(0.1, 2, B) * np.sin(1.5 * t) + 0.1 * noise,
        "two sequences": waves[:, :, :2],
        "noisy copies": rng.normal(size=(T, m, 6)).repeat(3, axis=2)[:, :, :B] + 0.1 * noise,
    }


def test_an_input_with_the_batch_first_is_found_if_its_steps_are_alike():
    given = batches()
    assert [name for name, xs in given.items() if warnings(weights("GRU"), xs)] == []
    swapped = {name: np.swapaxes(xs, 0, 2) for name, xs in given.items()}
    found = {name: warnings(weights("GRU", layers=2), xs) for name, xs in swapped.items()}
    assert [name for name, some in found.items() if some] == ["waves"]
    (one,) = found["waves"]
    assert (one.code, one.layer) == ("swapped axes", 0)
    assert one.value > 0.5 > 0.2 > abs(one.numbers["steps alike"])


def in_order(arrays: dict[str, np.ndarray], order: str) -> dict[str, np.ndarray]:
    """The arrays of an LSTM in another order of its gates."""
    parts = ("W_{}h", "W_{}x", "b_{}")
    return {part.format(to): arrays[part.format(at)] for to, at in zip("ifco", order) for part in parts}


def test_gates_of_a_trained_network_in_another_order_are_found_without_a_forget_bias():
    layer, arrays = trained("LSTM")
    (found,) = warnings_with(layer, in_order(arrays, "fico"))
    assert (found.code, found.symbol) == ("unusual gate order", "W_fh")
    assert found.value > 0.45 > found.numbers["usual"]
    # If the input weights say otherwise, the task has aligned other gates.
    mixed = in_order(arrays, "fico") | {name: arrays[name] for name in arrays if name.endswith("x")}
    assert not warnings_with(layer, mixed)


def test_no_gate_order_is_unusual_if_the_input_weights_of_the_input_and_output_gates_agree_most():
    made = weights("LSTM", k=24, m=64)
    (of_i, of_f, _, _), (x_i, x_f, _, x_o) = (np.split(made[name], 4) for name in ("weight_hh_l0", "weight_ih_l0"))
    # Parts of the blocks, so that the arrays change.
    of_f[:] = 0.7 * of_i + 0.7 * of_f
    x_o[:] = 0.8 * x_i + 0.6 * x_o
    x_f[:] = 0.76 * x_i + 0.65 * x_f
    assert not warnings(made, inputs(m=64))
    x_o[:] = weights("LSTM", 1, k=24, m=64)["weight_ih_l0"][:24]
    assert [one.code for one in warnings(made, inputs(m=64))] == ["unusual gate order"]


def agreeing(cell: str, seed: int, k: int) -> dict[str, np.ndarray]:
    """An LSTM whose gates agree as in a trained one, beside a candidate of free signs."""
    made, rng = weights(cell, seed, k=k), np.random.default_rng(seed)
    for name in ("weight_ih_l0", "weight_hh_l0"):
        blocks = np.split(made[name], 4 if cell == "LSTM" else 3)
        gates = [0, 1, 3] if cell == "LSTM" else [0, 1]
        common = rng.normal(size=blocks[0].shape) / np.sqrt(k)
        made[name] = np.concatenate([W + common * (at in gates) for at, W in enumerate(blocks)])
    return made


@pytest.mark.parametrize(
    ("cell", "order", "symbol"),
    [
        ("LSTM", (0, 3, 1, 2), "W_oh"),
        ("LSTM", (0, 2, 1, 3), "W_fh"),
        ("LSTM", (0, 1, 3, 2), "W_oh"),
        ("GRU", (2, 1, 0), "W_rh"),
    ],
)
def test_a_candidate_in_the_place_of_a_gate_is_found_by_its_free_signs(cell, order, symbol):
    blocks = len(order)
    for seed in range(3):
        made = agreeing(cell, seed, 48)
        assert not warnings(made, inputs())
        moved = {name: np.concatenate([np.split(W, blocks)[at] for at in order]) for name, W in made.items()}
        first = warnings(moved, inputs())[0]
        assert (first.code, first.symbol) == ("misplaced candidate", symbol)
        assert first.value > first.threshold > 2.5 > first.numbers["chance"]


def test_swapped_reset_and_update_gates_of_a_trained_gru_are_found():
    layer, arrays = trained("GRU")
    names = {"r": "u", "u": "r"}
    swapped = {f"{name[:2]}{names.get(name[2], name[2])}{name[3:]}": array for name, array in arrays.items()}
    assert not warnings_with(layer, arrays)
    (found,) = warnings_with(layer, swapped)
    assert (found.code, found.symbol) == ("swapped update gate", "W_rh")
    assert found.value > 3 > 1 > found.numbers["reset"]
    assert found.numbers["ratio of the gates"] > 1.1
    # Without the bias that the reset gate multiplies, nothing shows the sign.
    assert not warnings_with(layer, swapped | {"b_hh": 0 * swapped["b_hh"]})


@pytest.mark.parametrize("k", [4, 24, 64])
def test_the_place_of_a_forget_bias_is_certain_before_the_training(k):
    fault = next(one for one in FAULTS if one.code == "swapped gates")
    for seed in range(4):
        plant = fault.plant("LSTM", seed, k)
        (found,) = warnings(plant.weights, plant.xs)
        assert (found.code, found.symbol) == (fault.code, plant.symbol)


def test_a_large_bias_of_the_input_gate_is_no_forget_bias_if_the_gates_are_in_order():
    made = weights("LSTM", k=24)
    made["bias_ih_l0"], made["bias_hh_l0"] = np.repeat([0.9, 0.2, 0.0, 0.0], 24), np.zeros(96)
    assert [one.code for one in warnings(made, inputs())] == ["swapped gates"]
    # Training makes the recurrent weights larger, and here the input gate and the output gate alike.
    made["weight_hh_l0"] *= 1.2
    W = made["weight_ih_l0"]
    W[3 * 24 :] = 0.8 * W[:24] + 0.6 * W[3 * 24 :]
    assert not warnings(made, inputs())
    # With the weights of the forget gate in that place, it is one.
    moved = {name: np.concatenate([np.split(W, 4)[at] for at in (1, 0, 2, 3)]) for name, W in made.items()}
    moved["bias_ih_l0"] = made["bias_ih_l0"]
    assert [one.code for one in warnings(moved, inputs())] == ["swapped gates"]


def reading_alike(cell: str, seed: int, k: int) -> dict[str, np.ndarray]:
    """A cell with k inputs whose units that write alike are read alike, as in a trained one."""
    made, rng = weights(cell, seed, k=k, m=k), np.random.default_rng(seed)
    common, candidate = rng.normal(size=(k, 4)), 0 if cell == "RNN" else 2 * k
    made["weight_hh_l0"] += 0.1 * rng.normal(size=(len(made["weight_hh_l0"]), 4)) @ common.T
    made["weight_ih_l0"][candidate : candidate + k] += 0.2 * common @ rng.normal(size=(4, k))
    return made


@pytest.mark.parametrize("cell", BLOCKS.values())
def test_swapped_recurrent_and_input_weights_are_found(cell):
    for seed in range(3):
        made = reading_alike(cell, seed, 32)
        assert "swapped weights" not in {one.code for one in warnings(made, inputs(m=32)[:2])}
        made |= {"weight_ih_l0": made["weight_hh_l0"], "weight_hh_l0": made["weight_ih_l0"]}
        found = next(one for one in warnings(made, inputs(m=32)[:2]) if one.code == "swapped weights")
        assert found.value > 5 > 2.5 > found.numbers["recurrent"]


def test_swapped_weights_are_no_swapped_gates():
    made = reading_alike("LSTM", 0, 32)
    made["bias_ih_l0"][:64] = np.repeat([2.0, 0.0], 32)
    made |= {"weight_ih_l0": made["weight_hh_l0"], "weight_hh_l0": made["weight_ih_l0"]}
    codes = {one.code for one in warnings(made, inputs(m=32)[:2])}
    assert "swapped weights" in codes and "swapped gates" not in codes


@pytest.mark.parametrize("cell", BLOCKS.values())
@pytest.mark.parametrize("sample", ["uniform", "normal", "lognormal"])
def test_samples_do_not_look_swapped(cell, sample):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        made = {name: getattr(rng, sample)(size=W.shape) / 6 for name, W in weights(cell, k=24, m=24).items()}
        assert "swapped weights" not in {one.code for one in warnings(made, inputs(m=24)[:2])}


@pytest.mark.parametrize("cell", BLOCKS.values())
def test_a_layer_of_one_unit_has_no_warning(cell):
    assert not warnings(weights(cell, k=1), inputs())


@pytest.mark.parametrize("cell", BLOCKS.values())
def test_biases_of_0_in_a_trained_network_are_found(cell):
    rng, made = np.random.default_rng(1), weights(cell)
    # Training gives units with similar input weights similar recurrent weights.
    trained = {**made, "weight_hh_l0": made["weight_hh_l0"] + made["weight_ih_l0"] @ rng.normal(0, 0.5, (6, K))}
    without = {name: W for name, W in trained.items() if "bias" not in name}
    zeros = {name: np.zeros_like(W) for name, W in trained.items() if "bias" in name}
    assert [one.code for one in warnings({**without, **zeros}, inputs())] == ["lost biases"]
    # A layer without biases, and those before their training, which have them at 0 in Keras.
    assert not warnings(without, inputs()) and not warnings({**made, **zeros}, inputs())
    for seed in range(20):
        rng = np.random.default_rng(seed)
        sample = rng.normal if seed % 2 else rng.uniform
        sampled = {name: sample(0, 0.1, W.shape) for name, W in without.items()}
        # Samples from 0 to 0.1 have another fault.
        assert {one.code for one in warnings({**sampled, **zeros}, inputs())} <= {"common sign"}
    equal = {name: np.full_like(W, 0.05) for name, W in without.items()}
    assert [one.code for one in warnings({**equal, **zeros}, inputs())] == ["copied units"]


@pytest.mark.parametrize(("lowest", "highest"), [(-127, 127), (0, 255), (-128, 128)])
def test_a_grid_has_at_most_256_levels_from_the_lowest_to_the_highest(lowest, highest):
    count = highest - lowest + 1
    assert levels(0.1 * np.arange(lowest, highest + 1)) == (count if count <= MOST_LEVELS else None)


@pytest.mark.parametrize("cell", BLOCKS.values())
def test_weights_rounded_to_8_bits_are_found(cell):
    made, name = weights(cell), "weight_hh_l0"
    W = made[name]
    for step in (np.abs(W).max() / 127, np.abs(W).max(axis=1, keepdims=True) / 7):
        rounded = (np.rint(W / step) * step).astype("f4")
        (found,) = warnings({**made, name: rounded}, inputs())
        assert (found.code, found.numbers["bits"]) == ("rounded weights", 8 if step.size == 1 else 4)
    for kind in (as_bf16, lambda W: W.astype("f2"), np.sign, lambda W: W * (np.abs(W) > 0.1)):
        assert "rounded weights" not in {one.code for one in warnings({**made, name: kind(W)}, inputs())}


def as_bf16(W: np.ndarray) -> np.ndarray:
    return (W.astype("f4").view("<u4") & 0xFFFF0000).view("f4")


def test_recurrent_weights_that_two_layers_or_directions_share_are_found():
    made = weights("GRU", layers=2, ways=2)
    first = made["weight_hh_l0"]
    for name, layer, direction in (("weight_hh_l0_reverse", 0, 1), ("weight_hh_l1", 1, 0)):
        (found,) = warnings({**made, name: first}, inputs())
        assert (found.code, found.layer, found.direction) == ("same weights", layer, direction)
        assert found.other == (0, 0)
    eye = np.tile(np.eye(K), (3, 1))
    assert not warnings({**made, **{name: eye for name in made if "hh_l" in name and "weight" in name}}, inputs())


def test_units_that_start_and_stay_the_same_are_no_low_rank():
    made = {name: np.repeat(W.reshape(4, K, -1)[:, :1], K, 1).reshape(W.shape) for name, W in weights("LSTM").items()}
    found = warnings(made, inputs())
    assert (found[0].code, len(found[0].units)) == ("copied units", K)
    assert "low rank" not in {one.code for one in found}


@pytest.mark.parametrize(
    ("cell", "equal", "zero", "expected"),
    [
        ("LSTM", (0, 1, 2, 3), (), [("low rank", "")]),
        ("LSTM", (2,), (), [("low rank block", "W_ch")]),
        ("LSTM", (0, 1, 3), (2,), [("zeroed block", "W_ch"), ("low rank", "")]),
        ("GRU", (2,), (), [("low rank block", "W_hh")]),
        ("RNN", (0,), (), [("low rank block", "W_hh")]),
    ],
)
def test_equal_recurrent_weights_of_units_that_differ_are_a_low_rank(cell, equal, zero, expected):
    made = weights(cell)
    blocks = made["weight_hh_l0"].reshape(-1, K, K)
    for at in equal:
        blocks[at] = blocks[at, 0]
    blocks[list(zero)] = 0
    assert [(one.code, one.symbol) for one in warnings(made, inputs())] == expected


def test_copied_units_over_too_few_steps_are_a_low_rank():
    made = {name: np.repeat(W.reshape(4, K, -1)[:, :1], K, 1).reshape(W.shape) for name, W in weights("LSTM").items()}
    assert [one.code for one in warnings(made, inputs()[:5])] == ["low rank"]


@pytest.mark.parametrize("cell", CELLS)
def test_weights_that_have_shrunk_are_found_and_not_blamed_on_the_input(cell):
    found = warnings({name: 1e-5 * W for name, W in weights(cell).items()}, inputs())
    assert found[0].code == "small recurrence" and found[0].value < 1e-4
    assert not {"small input", "low rank"} & {one.code for one in found}


@pytest.mark.parametrize("cell", CELLS)
def test_recurrent_weights_of_a_low_rank_are_found(cell):
    made, rng = weights(cell), np.random.default_rng(0)
    W = made["weight_hh_l0"]
    made["weight_hh_l0"] = np.outer(rng.normal(size=len(W)), rng.normal(size=K)) / 5
    (found,) = warnings(made, inputs())
    assert (found.code, found.value) == ("low rank block" if cell == "RNN" else "low rank", 1)
    made["weight_hh_l0"] = np.concatenate([made["weight_hh_l0"][:K], W[K:]])
    (found,) = warnings(made, inputs())
    first = {"RNN": "W_hh", "LSTM": "W_ih", "GRU": "W_rh"}[cell]
    assert (found.code, found.symbol, found.value) == ("low rank block", first, 1)


@pytest.mark.parametrize("cell", CELLS)
def test_recurrent_weights_that_a_dropout_left_at_0_are_found_and_not_called_large(cell):
    made, rng = weights(cell, k=32), np.random.default_rng(0)
    W = made["weight_hh_l0"]
    # As dropout scales the weights that it keeps.
    made["weight_hh_l0"] = W * 20 * (rng.random(W.shape) > 0.95)
    first, *others = warnings(made, inputs()[:20])
    assert first.code == "sparse recurrence" and first.value == (made["weight_hh_l0"] == 0).mean() > 0.9
    assert not {one.code for one in others} & {"large recurrence", "unread units", "low rank", "low rank block"}
    for other in (np.tile(np.eye(32), (len(W) // 32, 1)), W * (np.arange(32) < 8)):
        made["weight_hh_l0"] = other
        assert "sparse recurrence" not in {one.code for one in warnings(made, inputs()[:20])}


@pytest.mark.parametrize("cell", CELLS)
def test_a_diagonal_counts_neither_as_weights_nor_as_zeros(cell):
    made = weights(cell, k=12)
    bounds = replace(DEFAULT, sparse=0.01)
    assert "sparse recurrence" not in {one.code for one in warnings(made, inputs(), bounds)}


@pytest.mark.parametrize("cell", CELLS)
def test_units_whose_state_nothing_reads_are_found(cell):
    made = weights(cell)
    made["weight_hh_l0"][:, [2, 10]] = 0
    assert [(one.code, one.units) for one in warnings(made, inputs())] == [("unread units", (3, 11))]


@pytest.mark.parametrize("cell", CELLS)
def test_blocks_without_a_correlation_have_no_warning(cell):
    made = weights(cell)
    made["weight_hh_l0"] = np.tile(0.9 * np.eye(K), (len(made["weight_hh_l0"]) // K, 1))
    assert not warnings(made, inputs())


@pytest.mark.parametrize(("radius", "is_found"), [(2.5, False), (5.2, False), (8.0, True)])
def test_an_eigenvalue_stands_out_if_training_did_not_make_it(radius, is_found):
    # A healthy LSTM that has just begun to predict letters had 2.3, and a GRU that predicts them well 5.1.
    made = weights("LSTM", k=64)
    candidate = made["weight_hh_l0"][2 * 64 : 3 * 64]
    candidate *= 0.5
    candidate[5, 5] = radius
    found = [one for one in warnings(made, inputs()) if one.code == "outlying eigenvalue"]
    assert [one.units for one in found] == [(6,)] * is_found
