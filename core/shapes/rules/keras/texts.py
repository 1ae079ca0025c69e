"""Texts in the place of numbers, and tensors that the signature of a tf.function does not allow."""

import re

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, reason, rules_of

TEXTS: Rules = rules_of(
    "texts",
    "input-of-model",
    strong(
        "embedding",
        "texts-for-model",
        "vectorize = keras.layers.TextVectorization(output_sequence_length=steps)   # then vectorize.adapt(x), with the training texts\n"
        "x = vectorize(x)   # word indices: (samples, steps)\n"
        "y = np.unique(y, return_inverse=True)[1]   # if the targets are texts: class indices",
    ),
)


def _signature(facts: Facts) -> str:
    """Return the line with the shape that the call gives; None stays where the signature has it."""
    if len(facts.wanted) != len(facts.got):
        sizes = facts.got
        one = "x = x[None]   # one sample\n" if facts.wanted[1:] == facts.got else ""
    else:
        sizes, one = tuple(-1 if was < 0 else now for was, now in zip(facts.wanted, facts.got)), ""
    written = ", ".join("None" if size < 0 else str(size) for size in sizes)
    return f"{one}tf.TensorSpec([{written}], {facts.type})   # in the input_signature; None for any size"


_SIGNATURE = (reason("signature", "wanted", "got"),)

SIGNATURE: Rules = (
    sure("unbatched", _SIGNATURE, _signature, lambda f: len(f.wanted) != len(f.got)),
    sure("input-size", _SIGNATURE, _signature, lambda f: f.at is not None and f.at == len(f.wanted) - 1),
    sure("batch-size", _SIGNATURE, _signature, lambda f: f.at == 0 != len(f.wanted) - 1),
    sure("steps", _SIGNATURE, _signature, lambda f: f.at is not None and 0 < f.at < len(f.wanted) - 1),
    strong(
        "inputs",
        reason("signature-type", "type", "given"),
        "x = tf.cast(x, {type})",
        lambda f: f.at is None and len(f.wanted) == len(f.got),
    ),
)


def _last_differing(wanted: Shape, got: Shape) -> int | None:
    """Return the last axis that differs from a size of the signature; None if none does, or for other numbers of axes."""
    if len(wanted) != len(got):
        return None
    return max((at for at, (was, now) in enumerate(zip(wanted, got)) if was >= 0 and was != now), default=None)


@diagnoses("signature")
def signature(reading: Reading) -> Diagnosis:
    """Diagnose a tensor of another shape or type than the input_signature of a tf.function has."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    type_ = re.match(r"=(tf\.\w{1,20})", reading.after)
    facts = Facts(
        wanted=wanted,
        got=got,
        type=type_[1] if type_ else "tf.float32",
        given=reading.values["of"].partition(",")[0],
        at=_last_differing(wanted, got),
    )
    return Diagnosis("shape-of-x", facts, SIGNATURE)
