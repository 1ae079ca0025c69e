"""A Dense layer of Keras that gets another number of entries than it was built for."""

import re
from typing import Any

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import format_shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import remote, strong
from core.shapes.rules.rule import Facts, Rule, Rules, reason


def _with_steps(facts: Facts) -> str:
    """Return the lines for x of other steps than the model was told: in training its Input may be wrong, such as by the samples."""
    told = facts.steps_wanted
    model = f"Input({format_shape((facts.steps, *facts.features))})   # in the model, which was told {told} steps; {told} may be the samples"
    data = f"x = x[:, :{told}]   # the first {told} steps"
    if facts.steps < told:
        data = f'x = keras.utils.pad_sequences(x, {told}, dtype="float32")   # {told} steps: zeros before the first'
    return f"{data}\n{model}" if facts.predicts else f"{model}\n{data}"


DENSE: Rules = (
    Rule(
        "steps",
        lambda f: Fit.SURE if f.flattens else Fit.STRONG,
        (
            reason("dense-features", "wanted", "got"),
            reason("dense-of-all-steps", "steps", "steps_wanted", when=lambda f: f.flattens),
            reason("dense-may-be-of-all-steps", "steps", "steps_wanted", when=lambda f: not f.flattens),
        ),
        _with_steps,
        lambda f: f.steps,
    ),
    strong(
        "hidden-size",
        (
            reason("dense-features", "wanted", "got"),
            reason("dense-two-directions", when=lambda f: f.got == 2 * f.wanted),
        ),
        "layers.Dense(units)   # a new one, which is built for {got} entries",
        conform=lambda f: {"x": (-1, -1, f.wanted)},
    ),
    remote(
        "input-size",
        reason("dense-data", "got", "wanted"),
        "layers.Dense(units)   # a new one, which is built for {got} entries",
        lambda f: not f.steps,
        conform=lambda f: {"x": (-1, -1, f.wanted)},
    ),
)

# The x of a model in the list below its error: (batch, steps) of word indices, or with features.
_X = re.compile(
    r"Arguments received by \w{1,40}\.call\(\):\s{0,20}• \w{1,20}=tf\.Tensor"
    r"\(shape=\(\w{1,9}, (\d{1,6})(?:, (\d{1,6})\)|\), dtype=u?int)"
)


def steps_before_dense(reading: Reading, wanted: int, got: int) -> dict[str, Any]:
    """Return the steps of the model's x and those that its Dense was built for, where a Flatten before it may keep all steps.

    Returns
    -------
    dict of str to int or tuple
        Both are 0 if other steps do not give these entries, or if x may have no steps. The features of x are a tuple,
        which is empty for word indices.
    """
    listed = _X.findall(reading.whole)
    steps = int(listed[-1][0]) if listed else 0
    units = got // steps if steps > 1 and got % steps == 0 else 0
    if units <= 1 or wanted % units or wanted // units in (1, steps):
        return {"steps": 0, "steps_wanted": 0}
    features = (int(listed[-1][1]),) if listed[-1][1] else ()
    return {"steps": steps, "steps_wanted": wanted // units, "features": features}
