"""Sequences that a DataLoader puts into a batch, and tensors that a TensorDataset puts beside each other."""

import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import plausible, strong, sure
from core.shapes.rules.joins.stacks import padded_batches
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of

# Sequences of different lengths in a batch, whose message has no lengths.
COLLATE: Rules = rules_of(
    "collate",
    "new-array",
    sure("ragged", (reason("ragged"), reason("stack-of-loader")), lambda f: padded_batches(lists=f.of_lists)),
    facts=lambda reading: {"of_lists": "equal size" in reading.message},
)


SAMPLES_UNSAID: Rules = rules_of(
    "samples_unsaid",
    "samples",
    sure(
        "batch-size",
        "samples-unsaid",
        "x, y = x[: min(len(x), len(y))], y[: min(len(x), len(y))]   # if the first samples belong together",
    ),
)


COPY_UNSAID: Rules = first_of(
    sure("ragged", (reason("ragged"), reason("stack-of-loader")), lambda f: padded_batches(), lambda f: f.of_loader),
    plausible("broadcast", "copied-unsaid", "# print both shapes: what is copied must have the shape of its place"),
)


@diagnoses("copy_unsaid")
def copy_unsaid(reading: Reading) -> Diagnosis:
    """Diagnose a copy in the words of the first versions of PyTorch, as a DataLoader makes it to stack a batch."""
    of_loader = bool(re.search(r"DataLoader\b|dataloader\.py|collate", reading.whole))
    return Diagnosis("stack" if of_loader else "assignment", Facts(of_loader=of_loader), COPY_UNSAID)


COLLATE_TYPES: Rules = first_of(
    sure(
        "list",
        "sample-of-nothing",
        "# __getitem__ of the data set must return the sample: a branch of it returns nothing",
        lambda f: f.of_none,
    ),
    sure(
        "ragged",
        "sample-of-objects",
        "# make float32 arrays in the data set, np.asarray(x, dtype=np.float32); pad rows of different lengths first",
        lambda f: f.of_objects,
    ),
    strong(
        "list",
        "sample-of-class",
        "# return tensors or numbers from __getitem__, or give the DataLoader a collate_fn for these samples",
    ),
)


@diagnoses("collate_types")
def collate_types(reading: Reading) -> Diagnosis:
    """Diagnose samples that a DataLoader can't put into a batch because of what they are."""
    after = reading.after[:40].lstrip()
    of_none, of_objects = "NoneType" in after, after.startswith("object")
    return Diagnosis("new-array", Facts(of_none=of_none, of_objects=of_objects), COLLATE_TYPES)
