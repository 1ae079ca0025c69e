"""Two arrays of a line that are of different parts of the data, whatever the message is about."""

from core.shapes.explanation import Cause
from core.shapes.messages import Reading
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Facts, Rules, always, causes_of, reason
from core.shapes.user_code.data_splits import mixed_parts

# Kinds of messages about two arrays that must have as many samples.
KINDS = frozenset(
    "samples samples_unsaid targets target_size target_elements target_shape broadcast broadcast_axis broadcast_none".split()
)
MIXED_PARTS: Rules = (sure("batch-size", reason("mixed-parts", "first", "second"), "{line}", is_own=always),)


def causes_of_parts(reading: Reading) -> list[Cause]:
    """Return the cause that two arrays of the reader's line are of different parts of the data, if they are."""
    mixed = mixed_parts(reading) if reading.kind in KINDS else None
    return causes_of(MIXED_PARTS, Facts(**mixed._asdict())) if mixed else []
