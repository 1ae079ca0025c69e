"""Sequences that a DataLoader puts into a batch, and tensors that a TensorDataset puts beside each other."""

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.rules.stacks import padded_batches

COLLATE: Rules = (
    Rule("ragged", Fit.SURE, (reason("ragged"), reason("stack-of-loader")), lambda f: padded_batches(lists=f.of_lists)),
)


@diagnoses("collate")
def collate(reading: Reading) -> Diagnosis:
    """Diagnose sequences of different lengths in a batch, whose message has no lengths."""
    return Diagnosis(Statement("new-array"), Facts(of_lists="equal size" in reading.message), COLLATE)


SAMPLES_UNSAID: Rules = (
    Rule(
        "batch-size",
        Fit.SURE,
        (reason("samples-unsaid"),),
        "x, y = x[: min(len(x), len(y))], y[: min(len(x), len(y))]   # if the first samples belong together",
    ),
)


@diagnoses("samples_unsaid")
def samples_unsaid(reading: Reading) -> Diagnosis:
    return Diagnosis(Statement("samples"), Facts(), SAMPLES_UNSAID)
