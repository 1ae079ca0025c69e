"""DataParallel of PyTorch: what it splits over the devices, and how it joins what they return."""

from core.shapes.layer_shapes import differing_axes
from core.shapes.messages import Reading
from core.shapes.rules.fits import likely, plausible, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.evidence import runs_on_devices

LENGTHS_OF_DEVICES = sure(
    "lengths",
    "lengths-of-devices",
    "lengths = torch.as_tensor(lengths)   # before the model is called: DataParallel splits tensors alone\n"
    "packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)   # in forward",
    lambda f: f.is_parallel,
)

STATE_OF_DEVICES = sure(
    "batch-size",
    "state-of-devices",
    lambda f: (
        f"{' = '.join(f.names)} = torch.zeros({f.wanted[0]}, x.size(0), {f.wanted[2]}, device=x.device)"
        "   # in forward; the layer with batch_first=True"
    ),
    lambda f: f.is_parallel and len(f.wanted) == 3 and 1 in f.differ and 2 not in f.differ,
    lambda f: {f.name: f.wanted},
)

# The words of the first versions of PyTorch, which tell no number.
LENGTHS_UNSAID: Rules = rules_of(
    "lengths_unsaid",
    "packed-lengths",
    LENGTHS_OF_DEVICES,
    likely(
        "batch-first",
        "lengths-count",
        "packed = pack_padded_sequence(x, lengths, batch_first=True)   # if x is (batch, steps, features)",
        lambda f: not f.is_parallel,
    ),
    facts=lambda reading: {"is_parallel": runs_on_devices(reading)},
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
