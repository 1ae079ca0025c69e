"""The diagnosis: ten planted faults are found and located, and healthy networks have no warning."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.cells import CELLS
from core.diagnosis import DEFAULT, Thresholds, diagnose
from core.diagnosis.findings import WARNING, spectral_radius
from core.diagnosis.networks import NETWORKS, TEXT, load
from core.diagnosis.probes import horizon, log_gains, step_back
from core.exchange.model_files.network import RESET_BEFORE, FoundDirection, FoundLayer
from core.time.bptt import log_gains as exact_gains
from core.time.inputs import alphabet, one_hot
from tests.core.planted import FAULTS, HEALTHY, K, inputs, network, weights

SEEDS = range(3)


def warnings(made, xs, thresholds: Thresholds = DEFAULT) -> list:
    found = diagnose(network(made).stacks[0].layers, xs, thresholds).findings
    return [finding for finding in found if finding.level == WARNING]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_planted_fault_is_found_and_located(fault, seed):
    found = [finding for finding in warnings(*fault.plant(seed)) if finding.code == fault.code]
    assert found
    assert found[0].layer == fault.layer
    assert not fault.symbol or found[0].symbol == fault.symbol
    assert not fault.units or found[0].units == fault.units


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_network_has_no_warning(name, seed):
    assert warnings(*HEALTHY[name](seed)) == []


@pytest.mark.parametrize("name", NETWORKS)
def test_the_networks_of_cellscope_have_no_warning(name):
    xs = one_hot((TEXT * 4)[:150], len(alphabet(TEXT)))
    found = diagnose(load(name).stacks[0].layers, xs).findings
    assert [finding for finding in found if finding.level == WARNING] == []


def test_a_threshold_can_be_moved():
    assert warnings(weights("RNN"), inputs()) == []
    assert {one.code for one in warnings(weights("RNN"), inputs(), Thresholds(radius=0.1))} == {"large recurrence"}


# ---- the numbers behind it -----------------------------------------------------------------------


def found_layer(cell: str) -> FoundLayer:
    (layer,) = network(weights(cell.partition("_")[0])).stacks[0].layers
    return FoundLayer("", cell, [FoundDirection(layer.directions[0].arrays)])


@pytest.mark.parametrize("cell", [*CELLS, RESET_BEFORE])
def test_a_step_back_is_the_transposed_jacobian(cell):
    one = found_layer(cell).layer()
    params, state, _ = one.directions[0]
    rng = np.random.default_rng(0)
    state = type(state)(*(rng.normal(size=part.shape) for part in state))
    step = one.cell.step(params, state, rng.normal(size=(6, 1)))
    J = one.cell.jacobian(params, step)
    assert_allclose(step_back(params, step, np.eye(len(J)), cell == RESET_BEFORE), J.T, atol=1e-12)


def test_the_gains_of_probes_lie_around_the_exact_ones():
    made = diagnose([found_layer("LSTM")], inputs()[:20]).examined[0]
    exact = exact_gains(CELLS["LSTM"].jacobian(made.params, made.trace))
    logs = log_gains(made.params, made.trace)
    assert_allclose(np.nanmedian(logs[1:10], axis=1), [exact[19, 19 - d] for d in range(1, 10)], atol=0.3)
    assert horizon(np.log10([[1.0, 1], [0.5, 0.5], [0.2, 0.01], [0.11, 0.1]])) == 3


def test_the_half_life_is_that_of_the_forget_gate():
    made = weights("LSTM")
    made["weight_ih_l0"] *= 0
    made["weight_hh_l0"] *= 0
    made["bias_ih_l0"], made["bias_hh_l0"] = np.zeros(4 * K), np.zeros(4 * K)
    made["weight_ih_l0"][0, 0] = 1e-9
    # A gate of 0.5 halves what is kept at each step.
    (one,) = diagnose(network(made).stacks[0].layers, inputs()).examined
    assert_allclose(one.half_lives, 1)


def test_the_radius_of_a_large_matrix_is_estimated():
    W = np.random.default_rng(0).normal(size=(200, 200)) / np.sqrt(200)
    assert_allclose(spectral_radius(W), np.abs(np.linalg.eigvals(W)).max(), rtol=0.15)
