"""The axes of a loss in the words of former versions of PyTorch."""

import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import plausible, sure
from core.shapes.rules.losses.target_counts import LOSS, TARGET_WITHOUT_BATCH
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, Facts, Rules, diagnoses, reason, rules_of

# Logits of other axes in a version that takes a row of scores, or an image of them, for each sample.
LOSS_AXES: Rules = rules_of(
    "loss_axes",
    LOSS,
    sure(
        "unbatched",
        (reason("loss-of-axes", "got"), reason("squeeze-of-all", when=lambda f: f.of_squeeze)),
        "logits = logits.view(1, -1)   # a batch of one row of scores",
        lambda f: f.got == 1,
    ),
    sure(
        "class-axis",
        reason("loss-of-axes", "got"),
        "logits, targets = logits.view(-1, logits.size(-1)), targets.view(-1)   # if logits are (batch, steps, classes)",
        lambda f: f.got == 3,
    ),
    plausible(
        "unbatched",
        reason("loss-of-axes", "got"),
        "logits = logits.view(-1, logits.size(-1))   # if the last axis has the classes",
        lambda f: f.got not in (1, 3),
    ),
    facts=lambda reading: {"of_squeeze": "squeeze()" in reading.whole},
)


@diagnoses("number_sized")
def number_sized(reading: Reading) -> Diagnosis:
    """Diagnose the size of an axis that a single number lacks: of a target of one number in a loss."""
    if re.search(r"target\.size\(0\)|, in (?:nll_loss|cross_entropy)\b|nll_loss\(log_softmax", reading.whole):
        return Diagnosis(LOSS, Facts(of_targets=0), (TARGET_WITHOUT_BATCH,))
    return DIAGNOSES["scalar_index"](reading)
