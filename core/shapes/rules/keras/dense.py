"""A Dense layer of Keras that gets another number of entries than it was built for."""

import re

from core.shapes.explanation import Fit
from core.shapes.messages import Reading
from core.shapes.rules.rule import Rule, Rules, reason

DENSE: Rules = (
    Rule(
        "steps",
        lambda f: Fit.SURE if f.flattens else Fit.STRONG,
        (
            reason("dense-features", "wanted", "got"),
            reason("dense-of-all-steps", "steps", "steps_wanted", when=lambda f: f.flattens),
            reason("dense-may-be-of-all-steps", "steps", "steps_wanted", when=lambda f: not f.flattens),
        ),
        lambda f: (
            f"x = x[:, :{f.steps_wanted}]   # the first {f.steps_wanted} steps"
            if f.steps > f.steps_wanted
            else f'x = keras.utils.pad_sequences(x, {f.steps_wanted}, dtype="float32")   # {f.steps_wanted} steps: zeros before the first'
        ),
        lambda f: f.steps,
        lambda f: {"x": (-1, f.steps_wanted)},
    ),
    Rule(
        "hidden-size",
        Fit.STRONG,
        (
            reason("dense-features", "wanted", "got"),
            reason("dense-two-directions", when=lambda f: f.got == 2 * f.wanted),
        ),
        "layers.Dense(units)   # a new one, which is built for {got} entries",
        conform=lambda f: {"x": (-1, -1, f.wanted)},
    ),
    Rule(
        "input-size",
        Fit.REMOTE,
        (reason("dense-data", "got", "wanted"),),
        "layers.Dense(units)   # a new one, which is built for {got} entries",
        conform=lambda f: {"x": (-1, -1, f.wanted)},
    ),
)

# The x of a model in the list below its error: (batch, steps) of word indices, or with features.
_X = re.compile(
    r"Arguments received by \w{1,40}\.call\(\):\s{0,20}• \w{1,20}=tf\.Tensor"
    r"\(shape=\(\w{1,9}, (\d{1,6})(?:, \d{1,6}\)|\), dtype=u?int)"
)


def steps_before_dense(reading: Reading, wanted: int, got: int) -> tuple[int, int]:
    """Return the steps of the model's x and those that its Dense was built for, where a Flatten before it may keep all steps.

    Returns
    -------
    tuple of int
        Both 0 if other steps do not give these entries, or if x may have no steps.
    """
    listed = _X.findall(reading.whole)
    steps = int(listed[-1]) if listed else 0
    units = got // steps if steps > 1 and got % steps == 0 else 0
    if units <= 1 or wanted % units or wanted // units in (1, steps):
        return 0, 0
    return steps, wanted // units
