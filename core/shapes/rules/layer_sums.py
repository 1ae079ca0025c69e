"""A sum of what two layers of Keras give, as in the scores of an attention."""

from core.shapes.explanation import Fit, Statement
from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, reason
from core.shapes.user_code.evidence import failed_operation, layers_of_sum

LAYER_SUMS: Rules = (
    Rule(
        "unbatched",
        Fit.SURE,
        (reason("broadcast-shapes", "left", "right"), reason("vector-beside-steps")),
        lambda f: f"{f.terms}   # the vector of each sequence beside all its steps",
        lambda f: f.terms,
    ),
    Rule(
        "hidden-size",
        Fit.SURE,
        (reason("broadcast-shapes", "left", "right"), reason("units-of-both-layers")),
        lambda f: (
            f"{f.second} = {f.module}Dense({f.left[-1]})   # where it is made: as many units as {f.first}\n"
            f"{f.first} = {f.module}Dense({f.right[-1]})   # or this: as many units as {f.second}"
        ),
        lambda f: not f.terms,
    ),
)


def of_layer_sum(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of two layers whose results the reader's line adds; None if it adds others, or if they fit another story.

    Parameters
    ----------
    reading : Reading
    left, right : tuple of int
        The shapes of the terms.
    """
    own, layers = failed_operation(reading), layers_of_sum(reading)
    if own is None or layers is None or not left or not right:
        return None
    shorter, longer = sorted((left, right), key=len)
    lacks_steps = len(shorter) + 1 == len(longer) == 3 and shorter == (longer[0], longer[2])
    others = all(a == b or 1 in (a, b) for a, b in zip(left[-2::-1], right[-2::-1]))
    if not lacks_steps and (not others or left[-1] == right[-1] or min(left[-1], right[-1]) < 2):
        return None
    terms = "" if not lacks_steps else "a[:, None] + b" if shorter == left else "a + b[:, None]"
    module = "tf.keras.layers." if "tf." in reading.whole else "layers."
    facts = Facts(left=left, right=right, terms=terms, first=layers[0], second=layers[1], module=module)
    return Diagnosis(Statement("entry-by-entry"), facts, LAYER_SUMS)
