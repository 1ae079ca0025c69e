"""A sum within a layer of the first versions of PyTorch, which did not check the state before."""

import re

from core.shapes.explanation import Fit
from core.shapes.messages import Reading
from core.shapes.rules.elementwise import ENTRY_BY_ENTRY
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason

_SIZES = reason("old-sum-sizes", "left", "right")

OLD_SUM: Rules = (
    Rule(
        "batch-first",
        lambda f: Fit.SURE if f.is_told else Fit.PLAUSIBLE,
        (_SIZES, reason("state-batch-second")),
        "h0 = h0.transpose(0, 1).contiguous()   # (layers × directions, batch, units)",
        lambda f: f.same_units,
    ),
    Rule(
        "batch-size",
        Fit.PLAUSIBLE,
        (_SIZES,),
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
