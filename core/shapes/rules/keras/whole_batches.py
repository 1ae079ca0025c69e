"""Calls of a model of Keras with batches that are all of one size."""

import re
from fractions import Fraction

from core.shapes.messages import Reading

MOST_PARTS = 20


def unit_of_parts(reading: Reading, batch: int) -> int:
    """Return the number whose multiples give whole batches in the part for validation too; 0 if the text has no such part."""
    split = re.search(r"\bvalidation_split ?= ?(0?\.\d{1,4})\b", reading.whole)
    parts = Fraction(split[1]).denominator if split else 0
    return batch * parts if parts <= MOST_PARTS else 0


def _cut(name: str, counted: str, unit: int) -> str:
    """Return the code of as many samples of an array as whole batches have."""
    return f"{name}[:len({counted}) // {unit} * {unit}]"


def predicted(batch: int) -> str:
    """Return the call that predicts from whole batches alone."""
    return f"model.predict({_cut('x', 'x', batch)}, batch_size={batch})"


def predicted_filled(batch: int) -> str:
    """Return the call that predicts from all samples, after the last batch has been filled with the first ones again."""
    filled = f"np.resize(x, (-(-len(x) // {batch}) * {batch}, *x.shape[1:]))"
    return f"model.predict({filled}, batch_size={batch})[:len(x)]   # the last batch filled with samples that are then left out"


def fitted(batch: int, unit: int = 0) -> str:
    """Return the call that trains with whole batches alone, of a number of samples that has this unit if any."""
    return f"model.fit({_cut('x', 'x', unit or batch)}, {_cut('y', 'x', unit or batch)}, batch_size={batch})"


def whole_batches(batch: int, unit: int = 0) -> str:
    """Return the lines that train a model with whole batches alone, of a number of samples that has this unit if any."""
    if unit:
        return f"{fitted(batch, unit)}   # whole batches in both parts"
    return f"{fitted(batch)}   # whole batches alone\n# with validation_split, both parts must be multiples of {batch}"
