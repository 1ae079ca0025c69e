"""The loss: its predictions and its targets."""

from math import prod

from core.shapes.explanation import Fit, Statement
from core.shapes.layer import format_shape
from core.shapes.messages import Reading
from core.shapes.rules import lines
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason

_LOSS = Statement("loss")

# ---- predictions and targets of different numbers ----------------------------------------------

TARGETS: Rules = (
    Rule(
        "batch-first",
        Fit.LIKELY,
        (reason("targets-steps-flattened", "of_x", "T", "of_targets"),),
        lines.last_step("logits = linear({})") + "\ntargets = targets.flatten()   # if it has one target for each step",
        lambda f: f.T > 2 and f.of_x > f.of_targets,
    ),
    Rule(
        "batch-first",
        Fit.LIKELY,
        (reason("targets-for-steps", "of_targets", "T", "of_x"),),
        "logits = linear(output).flatten(0, 1)   # of all steps",
        lambda f: f.T > 2 and f.of_targets > f.of_x,
    ),
    Rule(
        "batch-size",
        Fit.PLAUSIBLE,
        (reason("targets", "of_x", "of_targets"),),
        "# logits and targets must be of the same batch",
        conform=lambda f: {"targets": (f.of_x,)},
    ),
)


@diagnoses("targets")
def targets(reading: Reading) -> Diagnosis:
    of_x, of_targets = reading.size("x"), reading.size("got")
    smaller, larger = sorted((of_x, of_targets))
    T = larger // smaller if smaller and larger % smaller == 0 else 0
    facts = Facts(of_x=of_x, of_targets=of_targets, T=T)
    return Diagnosis(_LOSS, facts, TARGETS, {"batch": of_x, "targets": of_targets})


# ---- classes, which the loss takes on axis 1, and a batch of sequences has last ----------------

_SHAPES = reason("target-shapes", "got", "wanted")

TARGET_SHAPE: Rules = (
    Rule(
        "batch-size",
        Fit.LIKELY,
        (_SHAPES, reason("target-batches")),
        "# logits and targets must be of the same batch",
        lambda f: f.wanted[:1] != f.got[:1],
        lambda f: {"targets": f.wanted},
    ),
    Rule(
        "class-axis",
        lambda f: Fit.STRONG if f.wanted[:1] == f.got[:1] else Fit.PLAUSIBLE,
        (_SHAPES, reason("target-classes")),
        "logits = logits.transpose(1, 2)",
    ),
)


@diagnoses("target_shape")
def target_shape(reading: Reading) -> Diagnosis:
    wanted, got = reading.shape("expected"), reading.shape("got")
    return Diagnosis(_LOSS, Facts(wanted=wanted, got=got), TARGET_SHAPE, {"batch": got[0]} if got else {})


TARGET_RANK: Rules = (
    Rule(
        "class-axis",
        Fit.STRONG,
        (reason("target-vector"),),
        "targets = targets.squeeze(1)   # if it is (batch, 1)\n"
        "logits = logits.transpose(1, 2)   # if logits are (batch, steps, classes)",
    ),
)


@diagnoses("target_rank")
def target_rank(reading: Reading) -> Diagnosis:
    return Diagnosis(_LOSS, Facts(), TARGET_RANK)


# ---- targets that must have the very shape of the predictions ----------------------------------

TARGET_SIZE: Rules = (
    Rule(
        "broadcast",
        Fit.STRONG,
        (
            reason("target-sizes", "got", "wanted"),
            reason("target-axis-of-one", when=lambda f: f.same_entries and {len(f.wanted), len(f.got)} == {1, 2}),
        ),
        lambda f: (
            f"targets = targets.reshape({format_shape(f.wanted)})"
            if f.same_entries
            else "# predictions and targets must have one shape"
        ),
        conform=lambda f: {"targets": f.wanted},
    ),
)


@diagnoses("target_size")
def target_size(reading: Reading) -> Diagnosis:
    wanted, got = reading.shape("expected"), reading.shape("got")
    return Diagnosis(_LOSS, Facts(wanted=wanted, got=got, same_entries=prod(wanted) == prod(got)), TARGET_SIZE)


# ---- Keras -------------------------------------------------------------------------------------

KERAS_TARGET: Rules = (
    Rule(
        "broadcast",
        Fit.STRONG,
        (reason("target-sizes", "got", "wanted"), reason("target-columns")),
        lambda f: f"Dense({f.got[-1]})   # the last layer: a unit for each column of the targets",
        lambda f: len(f.got) == len(f.wanted) and f.got[-1] != 1,
        lambda f: {"targets": f.wanted},
    ),
    Rule(
        "class-axis",
        lambda f: Fit.SURE if len(f.got) != len(f.wanted) or f.got[-1] == 1 else Fit.WEAK,
        (reason("target-sizes", "got", "wanted"), reason("target-numbers")),
        'model.compile("adam", "sparse_categorical_crossentropy")   # if the targets are the numbers of classes',
    ),
)


@diagnoses("keras_target")
def keras_target(reading: Reading) -> Diagnosis:
    wanted, got = reading.shape("expected"), reading.shape("got")
    return Diagnosis(_LOSS, Facts(wanted=wanted, got=got), KERAS_TARGET)


SAMPLES: Rules = (
    Rule(
        "batch-size",
        Fit.SURE,
        (reason("samples", "of_x", "of_targets"),),
        "# cut x and y from the data with the same rule, so that each window of x has one y",
        conform=lambda f: {"targets": (f.of_x, -1)},
    ),
)


@diagnoses("samples")
def samples(reading: Reading) -> Diagnosis:
    of_x, of_targets = reading.size("x"), reading.size("got")
    sizes = {"batch": of_x, "targets": of_targets}
    return Diagnosis(_LOSS, Facts(of_x=of_x, of_targets=of_targets), SAMPLES, sizes)
