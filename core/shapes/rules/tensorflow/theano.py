"""The words of Theano, on which the first versions of Keras ran."""

import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import plausible
from core.shapes.rules.keras.ranks import BATCH_OF_KERAS
from core.shapes.rules.keras.states import of_stateful
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, Facts, Rules, diagnoses, reason


@diagnoses("axes_of_theano")
def axes_of_theano(reading: Reading) -> Diagnosis:
    """Diagnose the transpose with which a recurrent layer begins, of an input with fewer axes."""
    wanted = max(reading.size("at"), reading.size("axis")) + 1
    return DIAGNOSES["rank"](reading._replace(values={"allowed": str(wanted), "got": reading.values["got"]}))


@diagnoses("rows_of_theano")
def rows_of_theano(reading: Reading) -> Diagnosis:
    """Diagnose a product of which the result is added to a state of another batch."""
    return of_stateful(reading, reading.size("right"), reading.size("left"))


SIZES_OF_THEANO: Rules = (
    plausible(
        "broadcast",
        (reason("sizes-of-theano", "axis", "left", "right"),),
        "# both must have the same size along axis {axis}",
    ),
)


@diagnoses("sizes_of_theano")
def sizes_of_theano(reading: Reading) -> Diagnosis:
    """Diagnose a sum or a product of two sizes, which is about the batch in a layer that keeps its state."""
    left, right, axis = (reading.size(name) for name in ("left", "right", "axis"))
    if axis == 0 and re.search(r"stateful|batch_input_shape|\bbatch_size\b|predict\(", reading.whole, re.IGNORECASE):
        wanted, got = (right, left) if left == BATCH_OF_KERAS else (left, right)
        return of_stateful(reading, wanted, got)
    return Diagnosis("entry-by-entry", Facts(left=left, right=right, axis=axis), SIZES_OF_THEANO)
