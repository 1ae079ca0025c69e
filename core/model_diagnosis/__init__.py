"""A diagnosis of a trained recurrent network: what its gates, units, weights and gradients do over real inputs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from core.arrays import Array
from core.exchange.model_files.contents import CELLS_OF_FILES, FoundLayer
from core.model_diagnosis.direction_run import DirectionRun, OpenAndClosed
from core.model_diagnosis.finding import NUMBER, WARNING, ModelFinding
from core.model_diagnosis.inputs import are_tokens
from core.model_diagnosis.layer_rules import ORDER, findings
from core.model_diagnosis.sampled_gains import ignore_progress, sample_gains
from core.model_diagnosis.thresholds import DEFAULT, Thresholds
from core.sequence.layers import Layer, LayerTrace, NetworkTrace, run_layer, with_last_states

# The part of the time that the steps take; the gradients take the rest.
FRACTION_OF_RUN = 0.2
# The two computations on each layer.
RUN, GRADIENTS = "run", "gradients"
# Receives the fraction that is done, RUN or GRADIENTS, and the layer under way, counted from 1.
ReportProgress = Callable[[float, str, int], None]


class NetworkOverflow(ValueError):
    """Raised if the numbers of a network overflow over its inputs."""


@dataclass(frozen=True)
class ModelDiagnosis:
    """A network over its inputs, and what was found.

    Attributes
    ----------
    layers : sequence of FoundLayer
    trace : NetworkTrace
    runs : list of DirectionRun
        One for each direction of each layer.
    """

    layers: Sequence[FoundLayer]
    trace: NetworkTrace
    runs: list[DirectionRun]

    @cached_property
    def findings(self) -> list[ModelFinding]:
        """The findings, worst first."""
        return findings(self.runs)

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds of the findings."""
        return self.runs[0].thresholds

    def under(self, thresholds: Thresholds) -> "ModelDiagnosis":
        """Return the diagnosis under other thresholds, without running the network again."""
        return replace(self, runs=[replace(one, thresholds=thresholds) for one in self.runs])


def diagnose(
    layers: Sequence[FoundLayer],
    xs: Array,
    thresholds: Thresholds = DEFAULT,
    progress: ReportProgress = ignore_progress,
    *,
    is_one_hot: bool = False,
    reads_indices: bool = False,
) -> ModelDiagnosis:
    """Return the diagnosis of the layers of a network over inputs of shape (T, m, B).

    Parameters
    ----------
    layers : sequence of FoundLayer
    xs : ndarray of shape (T, m, B)
    thresholds : Thresholds, optional
    progress : callable, optional
        Called several times for each layer.
    is_one_hot : bool, optional
        Whether each step is one token, so that an entry may be 0 throughout. Numbers that are such tokens need no word of it.
    reads_indices : bool, optional
        Whether the reader gave the index of each token. Then many equal steps at the end are padding.

    Raises
    ------
    ValueError
        If the inputs do not match the first layer.
    NetworkOverflow
        If numbers overflow.
    """
    built = [layer.layer(xs.shape[2]) for layer in layers]
    is_one_hot = is_one_hot or are_tokens(xs)
    trace = _run(built, xs, progress)
    count = sum(len(layer.directions) for layer in layers)
    runs: list[DirectionRun] = []
    for at, (layer, stacked, layer_trace) in enumerate(zip(layers, built, trace.layers)):
        for way, (found, direction, steps) in enumerate(zip(layer.directions, stacked.directions, layer_trace.traces)):
            start = FRACTION_OF_RUN + (1 - FRACTION_OF_RUN) * len(runs) / count
            report = partial(_report, progress, start, (1 - FRACTION_OF_RUN) / count, at + 1)
            cell = CELLS_OF_FILES[layer.cell]
            run = DirectionRun(
                layer=at,
                direction=way,
                cell=cell,
                arrays=found.arrays,
                params=direction.params,
                trace=steps,
                xs=layer_trace.xs[::-1] if direction.is_reverse else layer_trace.xs,
                gains=sample_gains(cell, direction.params, steps, report),
                thresholds=thresholds,
                is_one_hot=is_one_hot,
                reads_indices=reads_indices,
                has_bias=found.has_bias,
            )
            runs.append(run)
    progress(1.0, GRADIENTS, len(layers))
    return ModelDiagnosis(layers, trace, runs)


def _run(built: Sequence[Layer], xs: Array, progress: ReportProgress) -> NetworkTrace:
    """Run a network layer by layer, so that it can report its progress and end at the first layer that overflows."""
    traced: list[LayerTrace] = []
    for at, layer in enumerate(built):
        progress(FRACTION_OF_RUN * at / len(built), RUN, at + 1)
        layer_trace = run_layer(layer, traced[-1].output if traced else xs)
        if not all(np.isfinite(symbol).all() for steps in layer_trace.traces for symbol in steps):
            raise NetworkOverflow("The numbers overflow on this input.")
        traced.append(layer_trace)
    return with_last_states(built, traced)


def _report(progress: ReportProgress, start: float, size: float, layer: int, fraction: float) -> None:
    progress(start + size * fraction, GRADIENTS, layer)


__all__ = [
    "DEFAULT",
    "GRADIENTS",
    "NUMBER",
    "ORDER",
    "RUN",
    "WARNING",
    "ModelDiagnosis",
    "Examined",
    "ModelFinding",
    "OpenAndClosed",
    "NetworkOverflow",
    "Thresholds",
    "diagnose",
]
