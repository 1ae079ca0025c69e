"""Batches that a DataLoader makes of sequences, and that DataParallel splits over devices and joins again."""

from core.shapes.layer_shapes import differing_axes
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


COPY_UNSAID: Rules = rules_of(
    "copy_unsaid",
    "assignment",
    plausible("broadcast", "copied-unsaid", "# print both shapes: what is copied must have the shape of its place"),
)


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


STATE_OF_DEVICES = sure(
    "batch-size",
    "state-of-devices",
    lambda f: (
        f"{' = '.join(f.names)} = torch.zeros({f.wanted[0]}, x.size(0), {f.wanted[2]}, device=x.device)"
        "   # in forward; the layer with batch_first=True"
    ),
    lambda f: f.is_parallel and len(f.wanted) == 3 and 1 in f.differ and 2 not in f.differ,
)


GATHERED: Rules = first_of(
    sure(
        "packed",
        reason("gathered", "got", "wanted"),
        "output, _ = pad_packed_sequence(packed, batch_first=True, total_length=x.size(1))   # in forward, if x is (batch, steps, features)",
        lambda f: f.of_steps,
    ),
    plausible(
        "broadcast", reason("gathered", "got", "wanted"), "# what each device returns may differ along axis 0 alone"
    ),
)


@diagnoses("gathered")
def gathered(reading: Reading) -> Diagnosis:
    """Diagnose outputs of several devices that do not make one batch."""
    got, wanted = reading.shape("got"), reading.shape("expected")
    # They may differ along axis 0.
    differ = [axis for axis in differing_axes(got, wanted) if axis]
    facts = Facts(got=got, wanted=wanted, of_steps=len(got) == len(wanted) and differ == [1])
    return Diagnosis("packed-lengths", facts, GATHERED)
