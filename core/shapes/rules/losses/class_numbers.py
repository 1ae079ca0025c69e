"""Targets that are class indices beyond the outputs of a model."""

import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import strong
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, reason
from core.shapes.user_code.keras_calls import targets_of_fit


def _more_classes(facts: Facts) -> str:
    made = "Dense({})" if facts.of_keras else "nn.Linear(..., out_features={})"
    from_one = "y = y - 1" if facts.of_keras else "targets = targets - 1"
    more = f"{made.format(facts.got + 1)}   # the last layer, if the classes are 0 to {facts.got}"
    if facts.targets:
        more = f"Dense(int(np.max({facts.targets})) + 1)   # the last layer: an output for each class from 0"
    less = f"{from_one}   # if the classes count from 1"
    if facts.has_zero:
        return more
    # One more than the last output is most often a count from 1.
    return f"{less}\n{more}" if facts.got == facts.size > 0 else f"{more}\n{less}"


CLASS_NUMBER: Rules = (strong("index-range", (reason("index-of-class", "got"),), _more_classes),)


def _told_outputs(reading: Reading, got: int) -> int:
    """Return the class that was received if the text names it as the number of outputs; else 0."""
    named = r"(?:num_?class(?:es)?|n_class(?:es)?|num_labels|out_features|output_(?:size|dim))"
    made = rf"nn\.Linear\([^()]{{1,60}}, ?{got}\)"
    return got if re.search(rf"{named} ?(?:=|is|:) ?{got}\b|{made}", reading.whole, re.IGNORECASE) else 0


@diagnoses("class_number")
def class_number(reading: Reading) -> Diagnosis:
    size = reading.size("size") if "size" in reading.values else _told_outputs(reading, reading.size("got"))
    listed = re.search(r"Label values: ([\d ]{1,9000})", reading.whole)
    facts = Facts(
        got=reading.size("got"),
        size=size,
        of_keras=reading.framework == "Keras",
        targets=targets_of_fit(reading),
        has_zero=listed is not None and "0" in listed[1].split(),
    )
    return Diagnosis("loss", facts, CLASS_NUMBER)
