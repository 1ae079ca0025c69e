"""The first versions of PyTorch: a sum within a layer that did not check the state before, and the axes of a loss."""

import re

from core.shapes.explanation import Fit
from core.shapes.messages import Reading
from core.shapes.rules.fits import plausible, sure
from core.shapes.rules.losses.target_counts import LOSS, TARGET_WITHOUT_BATCH
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, Facts, Rule, Rules, diagnoses, reason, rules_of
from core.shapes.rules.sums.elementwise import ENTRY_BY_ENTRY

_SIZES = reason("old-sum-sizes", "left", "right")

OLD_SUM: Rules = (
    Rule(
        "batch-first",
        lambda f: Fit.SURE if f.is_told else Fit.PLAUSIBLE,
        (_SIZES, reason("state-batch-second")),
        "h0 = h0.transpose(0, 1).contiguous()   # (layers × directions, batch, units)",
        lambda f: f.same_units,
    ),
    plausible(
        "batch-size",
        _SIZES,
        "h0 = torch.zeros(layers, x.size(0), units)   # with batch_first=True; else x.size(1)",
        lambda f: not f.is_told,
    ),
)


@diagnoses("old_sum")
def old_sum(reading: Reading) -> Diagnosis:
    """Diagnose a sum of what came from x and what came from the state, (batch, units) both."""
    left, right = reading.shape("left"), reading.shape("right")
    same_units = len(left) == len(right) == 2 and left[1] == right[1]
    state = rf"[(\[]{left[0]}, ?{right[0]}, ?{left[1]}[)\]]" if same_units else ""
    facts = Facts(
        left=left, right=right, same_units=same_units, is_told=bool(state and re.search(state, reading.whole))
    )
    return Diagnosis(ENTRY_BY_ENTRY, facts, OLD_SUM)


# ---- the axes of a loss

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
