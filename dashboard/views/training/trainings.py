"""The trainings that a page compares: the record that its panels share, and their names."""

from dataclasses import dataclass, fields
from functools import cached_property
from itertools import cycle
from math import isfinite
from typing import Any

from core.activations import Activation
from core.arrays import Array
from core.cells import CELLS
from core.training import TASKS, Recording, Task, TrainingSetup, Verdict, changed, has_forget_gate, params_at, verdict
from dashboard.drawing import colours
from dashboard.drawing.colours import Hue
from dashboard.text import training as text
from dashboard.text import words


@dataclass(frozen=True)
class Trainings:
    """The recordings of one or more trainings, and the one that is shown.

    Attributes
    ----------
    names : list of str
        A name for each training, from the settings in which they differ.
    recordings : list of Recording
    which : int
        The index of the recording that is shown.
    answer : str
        The answer of the experiment; empty for a training setup of the reader's.
    is_own : bool
        Whether the first training is the reader's own, and the others are changes that were tried on it.
    tries : tuple of str
        The codes of the findings whose changes were tried, in the order of the tries.
    unit : int
        The selected unit, counted from 1.
    """

    names: list[str]
    recordings: list[Recording]
    which: int
    answer: str
    is_own: bool
    tries: tuple[str, ...]
    unit: int

    @property
    def shown(self) -> Recording:
        return self.recordings[self.which]

    @property
    def by_name(self) -> dict[str, Recording]:
        return dict(zip(self.names, self.recordings))

    @property
    def cell(self) -> Any:
        return CELLS[self.shown.setup.cell]

    @property
    def task(self) -> Task:
        return TASKS[self.shown.setup.task]

    @property
    def has_classes(self) -> bool:
        return self.task.loss == "cross-entropy"

    @cached_property
    def verdicts(self) -> dict[str, Verdict]:
        """The verdict on each training by its name."""
        return {name: verdict(recording) for name, recording in self.by_name.items()}

    @property
    def verdict(self) -> Verdict:
        """The verdict on the recording that is shown."""
        return self.verdicts[self.names[self.which]]

    @cached_property
    def training_hues(self) -> dict[str, Hue]:
        """The hue of each training by its name."""
        return dict(zip(self.names, cycle(colours.COMPARED)))

    @cached_property
    def hues(self) -> dict[str, Hue]:
        """The hue of each activation and of each matrix by its name: a matrix has that of the gate whose z it makes."""
        gates = {joined.W: name for joined, name in zip(self.cell.PRE_ACTIVATIONS.values(), self.activations)}
        matrices = {name: gates.get(name, name) for name, values in self.shown.weights.items() if values.shape[2] > 1}
        hues = colours.hues_of(dict.fromkeys([*self.activations, *matrices.values()]))
        return hues | {name: hues[gate] for name, gate in matrices.items()}

    @cached_property
    def activations(self) -> dict[str, tuple[str, Activation]]:
        """Each activated symbol of the cell with its pre-activation and its activation, by name."""
        return self.cell.activated(params_at(self.shown, -1))

    @cached_property
    def others(self) -> dict[str, tuple[Recording, Array]]:
        """The other trainings with the same curves by name, each with its last frame at or before each update of the one that is shown."""
        return {
            name: (recording, recording.updates.searchsorted(self.shown.updates, side="right") - 1)
            for name, recording in self.by_name.items()
            if recording is not self.shown and _curves_of(recording) == _curves_of(self.shown)
        }

    def name_of_try(self, code: str) -> str:
        """Return the name of the training with the change against a finding; empty if it was not tried."""
        name = name_of_try(self.recordings[0].setup, code)
        return name if name in self.names[1:] else ""

    @property
    def is_sound(self) -> bool:
        """Whether the gradient is finite, which it is not if numbers overflow before the first update."""
        return isfinite(self.shown.norm[-1])


def _curves_of(recording: Recording) -> tuple[str, str]:
    return recording.setup.cell, recording.setup.g


def names_of(setups: tuple[TrainingSetup, ...]) -> list[str]:
    """Return a name for each training of an experiment, from the settings in which they differ."""
    return [_name_of(setup, setups) for setup in setups]


def names_of_tries(own: TrainingSetup, codes: tuple[str, ...]) -> list[str]:
    """Return a name for the reader's own training, and for each change from the settings that it changes."""
    return [text.UNCHANGED if codes else own.cell, *dict.fromkeys(name_of_try(own, code) for code in codes)]


def name_of_try(own: TrainingSetup, code: str) -> str:
    """Return the name of the reader's own training with the change against a finding."""
    setup = changed(own, code)
    return _name_of(setup, (own, setup))


def _name_of(setup: TrainingSetup, setups: tuple[TrainingSetup, ...]) -> str:
    differ = [field.name for field in fields(TrainingSetup) if len({getattr(one, field.name) for one in setups}) > 1]
    if "clip" in differ:
        return text.NOT_CLIPPED if setup.clip == "none" else text.CLIPPED.format(at=words.plain(setup.clip_at, 6))
    # Only a forget gate has a forget bias.
    own = [name for name in differ if name != "forget_bias" or has_forget_gate(setup.cell)]
    return text.name_of({name: getattr(setup, name) for name in own}) or setup.cell
