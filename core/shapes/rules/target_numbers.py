"""A loss of other numbers of predictions and of targets."""

import re

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.reading import like_batch
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.user_code.evidence import takes_last_step

LOSS = Statement("loss")

# The logits and the targets are of different batches.
OTHER_BATCH = Rule(
    "batch-size",
    Fit.PLAUSIBLE,
    (reason("targets", "of_x", "of_targets"),),
    "# logits and targets must be of the same batch",
    conform=lambda f: {"targets": (f.of_x,)},
)

# h of two directions, one below the other.
_JOINED = re.compile(r"torch\.cat\(\s*[(\[][^\n]{0,80}?[)\]]\s*(?:\)|,\s*(?:dim ?= ?)?0\b)")
# Layers × directions of h_n, as most people stack them.
MOST_SLICES = 4
# Fewer steps or more sequences are rare, so the difference of two numbers is then no batch.
FEWEST_STEPS = 5
LARGEST_BATCH = 128


def batch_of_shifted(of_x: int, of_targets: int) -> int:
    """Return the batch with which predictions and targets are one step apart; 0 if there is none."""
    batch = abs(of_x - of_targets)
    return batch if batch and of_x % batch == 0 and min(of_x, of_targets) >= FEWEST_STEPS * batch else 0


def _shifted_flat(facts: Facts) -> str:
    """Return the lines that drop a step from what was flattened."""
    if facts.of_targets > facts.of_x:
        return (
            f"targets = targets.reshape({facts.batch}, -1)[:, 1:].flatten()   # if it was (batch, steps)\n"
            f"targets = targets.reshape(-1, {facts.batch})[1:].flatten()   # if it was (steps, batch)"
        )
    classes = "logits.size(-1)"
    return (
        f"logits = logits.reshape({facts.batch}, -1, {classes})[:, :-1].flatten(0, 1)   # if they were (batch, steps, classes)\n"
        f"logits = logits.reshape(-1, {facts.batch}, {classes})[:-1].flatten(0, 1)   # if they were (steps, batch, classes)"
    )


_STEPS_OF_BATCH = reason(
    "target-steps-of-batch",
    "batch",
    of_x=lambda f: f.of_x // f.batch,
    of_targets=lambda f: f.of_targets // f.batch,
)


def _fit_of_shifted(facts: Facts) -> Fit:
    """Few predictions may as well be a batch of single ones."""
    return Fit.LIKELY if facts.batch == 1 or facts.of_x > LARGEST_BATCH or not like_batch(facts.of_x) else Fit.POSSIBLE


SHIFTED_FLAT = Rule(
    "shifted-targets",
    _fit_of_shifted,
    (reason("targets", "of_x", "of_targets"), _STEPS_OF_BATCH),
    _shifted_flat,
    lambda f: f.batch,
)


def _with_all_steps(facts: Facts) -> str:
    """Return the lines that give the loss a row of logits for each target."""
    lines = (
        "logits = logits.flatten(0, 1)   # if logits have a row of classes for each step",
        "logits = linear(output).flatten(0, 1)   # if logits are of the last step",
    )
    one_hot = (
        f"targets = targets.reshape({facts.of_x}, {facts.T}).argmax(1)   # if targets are one-hot, of {facts.T} classes"
    )
    return "\n".join([*(lines[::-1] if facts.takes_last else lines), one_hot])


def _of_slices(facts: Facts) -> str:
    """Return the lines for two slices of h_n that were put one below the other."""
    last = "logits = linear(h_n[-1])   # the last layer, or one of two directions"
    both = "logits = linear(h_n[-2] + h_n[-1])   # the sum of both directions"
    return f"{both}\n{last}" if facts.joins_batches else f"{last}\n{both}"


TARGETS: Rules = (
    Rule(
        "unbatched",
        Fit.SURE,
        (reason("target-without-batch"),),
        "targets = targets.reshape(-1)   # a batch of one target",
        lambda f: f.of_targets == 0,
    ),
    SHIFTED_FLAT,
    Rule(
        "flattened",
        Fit.LIKELY,
        (reason("targets-steps-flattened", "of_x", "T", "of_targets"),),
        advised_lines.last_step("logits = linear({})")
        + "\ntargets = targets.flatten()   # if it has one target for each step",
        lambda f: f.T > 2 and f.of_x > f.of_targets,
    ),
    Rule(
        "layers-directions",
        Fit.LIKELY,
        (reason("targets", "of_x", "of_targets"), reason("targets-of-layers", "of_x")),
        "logits = logits[-1]   # the last layer, if logits are (layers × directions, {of_targets}, classes)",
        lambda f: f.of_layers,
    ),
    Rule(
        "layers-directions",
        Fit.LIKELY,
        (reason("targets-of-two-slices", "of_x", "of_targets"),),
        _of_slices,
        lambda f: f.of_x == 2 * f.of_targets,
    ),
    Rule(
        "batch-first",
        Fit.LIKELY,
        (reason("targets", "of_x", "of_targets"), reason("targets-batch-axis", "of_x", "of_targets")),
        "logits = linear(output[:, -1])   # with batch_first=True in the layer\n"
        "x = x.transpose(0, 1)   # before the layer, if it lacks batch_first and x is ({of_targets}, {of_x}, features)",
        lambda f: f.of_steps,
    ),
    Rule(
        "flattened",
        Fit.LIKELY,
        (reason("targets-for-steps", "of_targets", "T", "of_x"),),
        _with_all_steps,
        lambda f: f.T > 2 and f.of_targets > f.of_x > 1,
    ),
    Rule(
        "flattened",
        Fit.LIKELY,
        (reason("targets-of-h-n", "of_targets"),),
        "logits = logits.squeeze(0)   # if logits are (1, {of_targets}, classes)",
        lambda f: f.T > 2 and f.of_targets > f.of_x == 1,
    ),
    OTHER_BATCH._replace(when=lambda f: f.of_targets),
)


@diagnoses("targets")
def targets(reading: Reading) -> Diagnosis:
    of_x, of_targets = reading.size("x"), reading.size("got")
    smaller, larger = sorted((of_x, of_targets))
    T = larger // smaller if smaller and larger % smaller == 0 else 0
    batch = batch_of_shifted(of_x, of_targets) if T <= 2 and of_targets else 0
    is_batch = like_batch(of_targets) and of_targets > 2 * of_x
    facts = Facts(
        of_x=of_x,
        of_targets=of_targets,
        T=T,
        batch=batch,
        takes_last=takes_last_step(reading),
        joins_batches=bool(_JOINED.search(reading.whole)),
        of_layers=is_batch and 1 < of_x <= MOST_SLICES and not takes_last_step(reading),
        # Two sizes of which neither is a multiple are those of two axes.
        of_steps=not T and not batch and of_x > MOST_SLICES and like_batch(of_targets),
    )
    return Diagnosis(LOSS, facts, TARGETS, {"batch": of_x, "targets": of_targets})
