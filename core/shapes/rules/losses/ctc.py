"""CTCLoss: its log probabilities, its targets and the lengths of both."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.losses.target_counts import LOSS
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.evidence import failed_operation


def _shape_of(reading: Reading, name: str) -> Shape:
    """Return the shape of an argument of the reader's call, by its name in an advised line; empty if it is not known."""
    own = failed_operation(reading)
    node = own.names.get(name) if own is not None else None
    return reading.arrays.get(node.id, ()) if isinstance(node, ast.Name) else ()


# ---- the number of the lengths ------------------------------------------------------------------

CTC_BATCH: Rules = (
    Rule(
        "batch-first",
        lambda f: Fit.SURE if f.is_turned else Fit.LIKELY,
        (
            reason("ctc-batch"),
            reason("ctc-turned", "x", batch="x[0]", when=lambda f: f.is_turned),
            reason("ctc-may-be-turned", when=lambda f: not f.is_turned),
        ),
        "logits = logits.transpose(0, 1)   # if logits are (batch, steps, classes)",
        lambda f: f.of_inputs and not f.is_straight,
    ),
    Rule(
        "lengths",
        lambda f: Fit.PLAUSIBLE if f.of_inputs and not f.is_straight else Fit.SURE,
        (reason("ctc-batch"),),
        lambda f: (
            "lengths = torch.full((logits.size(1),), logits.size(0))   # if logits are (steps, batch, classes), without padding"
            if f.of_inputs
            else "target_lengths = torch.full((logits.size(1),), targets.size(1))   # if targets are (batch, labels), without padding"
        ),
    ),
)


@diagnoses("ctc_batch")
def ctc_batch(reading: Reading) -> Diagnosis:
    x, count = _shape_of(reading, "logits"), _shape_of(reading, "lengths")
    has_both = len(x) == 3 and len(count) == 1
    facts = Facts(
        of_inputs=reading.message.startswith("input"),
        x=x,
        is_turned=has_both and x[0] == count[0] != x[1],
        is_straight=has_both and x[0] != count[0],
    )
    return Diagnosis(LOSS, facts, CTC_BATCH)


# ---- lengths that are too large -----------------------------------------------------------------

CTC_STEPS: Rules = first_of(
    strong(
        "lengths",
        (reason("ctc-steps", "got", "size"), reason("ctc-shortened")),
        "lengths = lengths * {size} // {got}   # if a convolution or pooling shortened all sequences alike\n"
        "lengths = lengths.clamp(max={size})   # if only the end of the longest one is cut",
        lambda f: f.got,
    ),
    strong(
        "lengths",
        (reason("ctc-steps-of-sequence", "at", "size"), reason("ctc-shortened")),
        "lengths = tf.minimum(lengths, {size})   # if only the end of the longest ones is cut\n"
        "lengths = tf.fill([batch_size], {size})   # if all sequences have all steps of the logits",
    ),
)


@diagnoses("ctc_steps")
def ctc_steps(reading: Reading) -> Diagnosis:
    got, at = (reading.size(name) if name in reading.values else 0 for name in ("got", "at"))
    facts = Facts(got=got, at=at, size=reading.size("size"))
    return Diagnosis(LOSS, facts, CTC_STEPS, {"T": facts.size})


CTC_LABELS = strong(
    "lengths",
    reason("ctc-labels", "wanted", "got"),
    "target_lengths = target_lengths.clamp(max={got})   # if the labels were cut to {got}; or count the labels of each sequence anew\n"
    "targets = torch.nn.functional.pad(targets, (0, {missing}))   # if the lengths are right, and the padding is too short",
)


@diagnoses("ctc_labels")
def ctc_labels(reading: Reading) -> Diagnosis:
    wanted, got = reading.size("wanted"), reading.size("got")
    return Diagnosis(LOSS, Facts(wanted=wanted, got=got, missing=max(1, wanted - got)), CTC_LABELS)


def _lengths_of(reading: Reading) -> str:
    """Return the name of the lengths that a message is about."""
    return "target_lengths" if "target" in reading.message else "lengths"


CTC_NEGATIVE: Rules = rules_of(
    "ctc_negative",
    LOSS,
    sure(
        "lengths",
        (reason("ctc-negative", "which"), reason("ctc-shortened")),
        "{which} = {which}.clamp(min=0)   # if a sequence is shorter than the window of a convolution; or leave it out",
    ),
    facts=lambda reading: {"which": _lengths_of(reading)},
)


CTC_WHOLE: Rules = rules_of(
    "ctc_whole",
    LOSS,
    sure("lengths", reason("ctc-whole", "which"), "{which} = {which}.long()   # whole numbers"),
    facts=lambda reading: {"which": _lengths_of(reading)},
)


CTC_TARGETS: Rules = rules_of(
    "ctc_targets",
    LOSS,
    strong(
        "lengths",
        reason("ctc-targets", "wanted", "got"),
        "# target_lengths must sum to {got} if targets are a vector; with two axes, targets need {wanted} rows",
    ),
)


CTC_BLANK: Rules = rules_of(
    "ctc_blank",
    LOSS,
    sure("index-range", "ctc-blank", "nn.CTCLoss(blank=0)   # or one more class in the last layer, for the blank"),
)


# ---- the loss of a transducer -------------------------------------------------------------------

# Other libraries have such a message as well.
_IF_TRANSDUCER = reason("if-transducer", when=lambda f: not f.is_named)


def _fit_of_transducer(facts: Facts) -> Fit:
    return Fit.SURE if facts.is_named else Fit.POSSIBLE


# The lengths for RNNTLoss of torchaudio, whose messages name no size.
TRANSDUCER_LENGTHS: Rules = rules_of(
    "transducer_lengths",
    LOSS,
    *first_of(
        Rule(
            "lengths",
            _fit_of_transducer,
            (_IF_TRANSDUCER, reason("transducer-steps"), reason("ctc-shortened")),
            "logits = logits[:, :int(logit_lengths.max())]   # if the longest sequence is padded further than its end\n"
            "# if an encoder shortened the sequences, count the lengths of its output",
            lambda f: f.of_steps,
        ),
        Rule(
            "lengths",
            _fit_of_transducer,
            (_IF_TRANSDUCER, reason("transducer-labels")),
            "targets = targets[:, :int(target_lengths.max())]   # if the longest target is padded further than its end\n"
            "# axis 2 of the logits needs one place more than the longest target: give the predictor a blank before the targets",
        ),
    ),
    facts=lambda reading: {
        "of_steps": reading.message.startswith("input"),
        "is_named": re.search("rnnt|logit_lengths", reading.whole, re.IGNORECASE) is not None,
    },
)
