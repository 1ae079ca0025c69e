"""A diagnosis of a trained recurrent network: what its gates, units, weights and gradients do over real inputs."""

from collections.abc import Sequence

from core.arrays import Array
from core.diagnosis.findings import Examined, Finding, examine, findings
from core.diagnosis.thresholds import DEFAULT, Thresholds
from core.exchange.model_files.network import CELLS_OF_FILES, RESET_BEFORE, FoundLayer
from core.time.stack import StackTrace, run

__all__ = ["DEFAULT", "Diagnosis", "Examined", "Finding", "Thresholds", "diagnose"]


class Diagnosis:
    """A stack over its inputs, and what was found.

    Attributes
    ----------
    layers : sequence of FoundLayer
    trace : StackTrace
    examined : list of Examined
        One for each direction of each layer.
    findings : list of Finding
        Worst first.
    """

    def __init__(self, layers: Sequence[FoundLayer], xs: Array, thresholds: Thresholds = DEFAULT) -> None:
        built = [layer.layer(xs.shape[2]) for layer in layers]
        self.layers = layers
        self.trace: StackTrace = run(built, xs)
        self.examined: list[Examined] = [
            examine(
                at,
                way,
                CELLS_OF_FILES[layer.cell],
                direction.params,
                steps,
                made.xs,
                thresholds,
                layer.cell == RESET_BEFORE,
            )
            for at, (layer, stacked, made) in enumerate(zip(layers, built, self.trace.layers))
            for way, (direction, steps) in enumerate(zip(stacked.directions, made.traces))
        ]
        self.findings: list[Finding] = findings(self.examined)


def diagnose(layers: Sequence[FoundLayer], xs: Array, thresholds: Thresholds = DEFAULT) -> Diagnosis:
    """Return the diagnosis of the layers of a stack over inputs of shape (T, m, B).

    Raises
    ------
    ValueError
        If the inputs do not match the first layer, or if numbers overflow.
    """
    return Diagnosis(layers, xs, thresholds)
