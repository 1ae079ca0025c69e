"""The loss: its predictions and its targets."""

import re
from math import prod

from core.shapes.explanation import Fit, Statement
from core.shapes.layer_shapes import Shape, format_shape
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.entries import of_two_shapes
from core.shapes.rules.keras_sequences import sequence_returned
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.rules.target_numbers import LOSS, OTHER_BATCH, SHIFTED_FLAT, batch_of_shifted
from core.shapes.user_code.keras_layers import keras_layers

# ---- steps of predictions and targets, one apart ------------------------------------------------


def _shifted_by_steps(facts: Facts) -> str:
    of_x, of_targets = facts.steps
    return advised_lines.without_a_step(of_x, of_targets, "y", "x = x[:, :-1]")


def _steps_apart(wanted: Shape, got: Shape) -> tuple[int, int] | None:
    """Return the steps of the predictions and of the targets if only they differ, and by one."""
    steps = wanted[1:2] + got[1:2]
    has_steps = len(wanted) == 3 and len(got) in (2, 3) and wanted[0] == got[0] and min(*steps, *wanted[1:]) > 0
    return (steps[0], steps[1]) if has_steps and abs(steps[0] - steps[1]) == 1 and min(steps) > 1 else None


_SHIFTED_STEPS = Rule(
    "shifted-targets",
    Fit.SURE,
    (
        reason("target-sizes", "got", "wanted"),
        reason("target-steps", of_x=lambda f: f.steps[0], of_targets=lambda f: f.steps[1]),
    ),
    _shifted_by_steps,
    lambda f: f.steps,
)


# ---- classes, which the loss takes on axis 1, and a batch of sequences has last ----------------

_SHAPES = reason("target-shapes", "got", "wanted")

TARGET_SHAPE: Rules = (
    Rule(
        "shifted-targets",
        Fit.SURE,
        (_SHAPES, reason("target-steps", of_x=lambda f: f.wanted[1], of_targets=lambda f: f.got[1])),
        lambda f: advised_lines.without_a_step(f.wanted[1], f.got[1], "targets", "logits = logits[..., :-1]"),
        lambda f: len(f.wanted) == len(f.got) == 2 and f.wanted[0] == f.got[0] and abs(f.wanted[1] - f.got[1]) == 1,
    ),
    Rule(
        "class-axis",
        Fit.SURE,
        (_SHAPES, reason("target-of-last-step")),
        "logits = logits[:, -1]   # the last step",
        lambda f: f.is_of_sequence,
        lambda f: {"logits": (*f.got, -1)},
    ),
    Rule(
        "batch-size",
        Fit.LIKELY,
        (_SHAPES, reason("target-batches")),
        "# logits and targets must be of the same batch",
        lambda f: f.wanted[:1] != f.got[:1] and not f.is_of_sequence,
        lambda f: {"targets": f.wanted},
    ),
    Rule(
        "class-axis",
        lambda f: Fit.STRONG if f.wanted[:1] == f.got[:1] else Fit.PLAUSIBLE,
        (_SHAPES, reason("target-classes")),
        lambda f: (
            "logits = logits.transpose(1, 2)"
            + f"\ntargets = targets[:, :{f.steps}]   # and the {f.steps} steps of the logits" * (f.steps > 0)
        ),
        lambda f: not f.is_of_sequence,
    ),
)


@diagnoses("target_shape")
def target_shape(reading: Reading) -> Diagnosis:
    wanted, got = reading.shape("expected"), reading.shape("got")
    # The text may have the shape of the logits, (batch, steps, classes), of fewer steps than the targets have.
    told = re.search(rf"\(({wanted[0]}), ?(\d{{1,6}}), ?{wanted[1]}\)", reading.whole) if len(wanted) == 2 else None
    steps = int(told[2]) if told and len(got) == 2 and int(told[2]) < got[1] else 0
    # One target for each sequence, and predictions for each step.
    facts = Facts(wanted=wanted, got=got, steps=steps, is_of_sequence=len(got) == 1 and len(wanted) == 2)
    return Diagnosis(LOSS, facts, TARGET_SHAPE, {"batch": got[0]} if got else {})


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
    return Diagnosis(LOSS, Facts(), TARGET_RANK)


# ---- targets that must have the very shape of the predictions ----------------------------------

_FLATTENS = re.compile(r"Flatten\(|\.flatten\(|(?:view|reshape)\([^\n]{1,60}, -1\)")

TARGET_SIZE: Rules = (
    Rule(
        "flattened",
        Fit.SURE,
        (reason("target-sizes", "got", "wanted"), reason("target-of-flattened", columns=lambda f: f.wanted[-1])),
        "logits = linear(output[:, -1]).squeeze(-1)   # the last step, before a layer with one output",
        lambda f: f.lacks_columns and f.of_regression and f.flattens,
        lambda f: {"logits": f.got},
    ),
    Rule(
        "hidden-size",
        Fit.STRONG,
        (reason("target-sizes", "got", "wanted"), reason("target-of-one-number", columns=lambda f: f.wanted[-1])),
        "nn.Linear(..., out_features=1)   # the last layer\n"
        "logits = logits.squeeze(-1)   # and one prediction for each target\n"
        "logits = logits[:, -1]   # in place of both, if the columns are steps",
        lambda f: f.lacks_columns and f.of_regression and not f.flattens,
        lambda f: {"logits": f.got},
    ),
    Rule(
        "class-axis",
        Fit.STRONG,
        (reason("target-sizes", "got", "wanted"), reason("target-numbers-of-columns")),
        lambda f: (
            f"targets = torch.nn.functional.one_hot(targets.long(), {f.wanted[-1]}).float()   # if they are class indices"
        ),
        lambda f: f.lacks_columns and not f.of_regression,
        lambda f: {"targets": f.wanted},
    ),
    Rule(
        "broadcast",
        Fit.SURE,
        (reason("target-sizes", "got", "wanted"), reason("target-of-last-step")),
        lambda f: f"logits = logits[{':, -1' + (', 0' if len(f.got) == 1 else '')}]   # the last step",
        lambda f: f.of_steps,
        lambda f: {"logits": f.got},
    ),
    Rule(
        "hidden-size",
        Fit.SURE,
        (reason("target-sizes", "got", "wanted"), reason("target-columns")),
        "nn.Linear(..., out_features={columns})   # the last layer",
        lambda f: f.columns,
        lambda f: {"logits": f.got},
    ),
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
            else "logits = logits[-1:]   # the last row, if each row is a step"
            if f.of_last_row
            else "# predictions and targets must have one shape"
        ),
        lambda f: (f.got != f.wanted[:-1] or f.wanted[-1] <= 1) and not f.of_steps and not f.columns,
        conform=lambda f: {"targets": f.wanted},
    ),
)


@diagnoses("target_size")
def target_size(reading: Reading) -> Diagnosis:
    wanted, got = reading.shape("expected"), reading.shape("got")
    same_entries = prod(wanted) == prod(got)
    is_last_axis = len(got) == len(wanted) > 1 and got[:-1] == wanted[:-1]
    facts = Facts(
        wanted=wanted,
        got=got,
        lacks_columns=got == wanted[:-1] and wanted[-1] > 1,
        # Only the losses of numbers go on after a warning.
        of_regression="likely lead to incorrect results" in reading.whole,
        flattens=bool(_FLATTENS.search(reading.whole)),
        same_entries=same_entries,
        of_last_row=len(got) == len(wanted) == 2 and got[0] == 1 < wanted[0] and got[1] == wanted[1],
        # (batch, steps, outputs) for targets of (batch, outputs), or of (batch,) if there is one output.
        of_steps=len(wanted) == 3
        and not same_entries
        and got in (wanted[:1] + wanted[2:], wanted[:1] * (wanted[2] == 1)),
        columns=got[-1] if is_last_axis and got[-1] > 1 else 0,
    )
    return Diagnosis(LOSS, facts, TARGET_SIZE)


# ---- Keras -------------------------------------------------------------------------------------


def _sequence_returned(facts: Facts) -> str:
    columns = facts.got[-1] if facts.all_steps is True and hasattr(facts, "got") and len(facts.got) == 3 else 0
    return sequence_returned(facts.layers, facts.all_steps, columns)


_ALL_STEPS = Rule(
    "return-sequences",
    Fit.SURE,
    (reason("target-sizes", "got", "wanted"), reason("target-of-each-step")),
    _sequence_returned,
    lambda f: f.all_steps is True,
)
_LAST_STEP = Rule(
    "return-sequences",
    Fit.SURE,
    (reason("target-sizes", "got", "wanted"), reason("target-of-last-step")),
    _sequence_returned,
    lambda f: f.all_steps is False,
)

KERAS_TARGET: Rules = (
    _SHIFTED_STEPS,
    _ALL_STEPS,
    _LAST_STEP,
    Rule(
        "steps",
        Fit.SURE,
        (
            reason("target-sizes", "got", "wanted"),
            reason("target-other-steps", of_x=lambda f: f.wanted[1], of_targets=lambda f: f.got[1]),
        ),
        lambda f: (
            f"layers.RepeatVector({f.got[1]})   # if it makes the steps of the predictions\n"
            + (f"y = y[:, :{f.wanted[1]}]" if f.got[1] > f.wanted[1] else f"x = x[:, :{f.got[1]}]")
            + "   # if the first steps are enough"
        ),
        lambda f: f.other_steps,
        lambda f: {"targets": f.wanted},
    ),
    Rule(
        "broadcast",
        Fit.STRONG,
        (reason("target-sizes", "got", "wanted"), reason("target-columns")),
        lambda f: f"Dense({f.got[-1]})   # the last layer: a unit for each column of the targets",
        lambda f: (
            f.all_steps is None and not f.steps and not f.other_steps and len(f.got) == len(f.wanted) and f.got[-1] != 1
        ),
        lambda f: {"targets": f.wanted},
    ),
    Rule(
        "class-axis",
        lambda f: Fit.SURE if f.of_sparse else Fit.STRONG,
        (reason("target-sizes", "got", "wanted"), reason("target-one-hot")),
        'model.compile("adam", "categorical_crossentropy")   # if the targets have a column for each class',
        lambda f: len(f.got) == len(f.wanted) == 2 and f.wanted[1] == 1 < f.got[1],
    ),
    Rule(
        "class-axis",
        lambda f: Fit.SURE if len(f.got) != len(f.wanted) or f.got[-1] == 1 else Fit.WEAK,
        (reason("target-sizes", "got", "wanted"), reason("target-numbers")),
        'model.compile("adam", "sparse_categorical_crossentropy")   # if the targets are class indices',
        lambda f: (
            f.all_steps is None
            and not f.other_steps
            and not _lacks_column(f)
            and not (len(f.wanted) == len(f.got) and f.wanted[-1:] == (1,) and f.got[-1] > 1)
        ),
    ),
    Rule(
        "broadcast",
        Fit.SURE,
        (reason("target-sizes", "got", "wanted"), reason("target-column")),
        "y = y[..., None]   # one column, as the predictions have",
        lambda f: f.all_steps is None and _lacks_column(f),
    ),
)


def _lacks_column(facts: Facts) -> bool:
    """Return whether the targets lack the last axis of predictions with one output."""
    return facts.wanted == (*facts.got, 1)


def _gives_all_steps(wanted: Shape, got: Shape) -> bool | None:
    """Return whether the model lacks the steps that the targets have; False for the reverse, None for neither.

    Targets that are class indices lack the last axis of the predictions.
    """
    if len(got) == 3 and len(wanted) == 2:
        return True
    is_reverse = len(wanted) == 3 and (
        len(got) == 2 and wanted[-1] in (-1, got[-1]) or len(got) == 1 or len(got) == 2 and got[-1] == 1
    )
    return False if is_reverse else None


@diagnoses("keras_target")
def keras_target(reading: Reading) -> Diagnosis:
    of_two_classes = "binary_crossentropy" in reading.whole
    return of_target(reading.shape("expected"), reading.shape("got"), reading.whole, of_two_classes=of_two_classes)


def _have_other_steps(wanted: Shape, got: Shape) -> bool:
    """Whether predictions and targets differ in the number of steps alone."""
    is_sequence = len(wanted) == len(got) == 3 and min(wanted[1], got[1]) > 1
    return is_sequence and wanted[1] != got[1] and wanted[::2] == got[::2]


def of_target(
    wanted: Shape, got: Shape, text: str = "", *, of_two_classes: bool = False, of_sparse: bool = False
) -> Diagnosis:
    """Return the diagnosis of predictions and targets by their shapes, for the model in a text."""
    all_steps = _gives_all_steps(wanted, got)
    # This loss drops an axis of one output, so what is left are the steps.
    if of_two_classes and len(wanted) == len(got) == 2 and got[1] == 1 < wanted[1]:
        all_steps = False
    steps = _steps_apart(wanted, got)
    other_steps = not steps and all_steps is None and _have_other_steps(wanted, got)
    facts = Facts(
        wanted=wanted,
        got=got,
        all_steps=all_steps,
        steps=steps,
        other_steps=other_steps,
        of_sparse=of_sparse,
        layers=keras_layers(text),
    )
    return Diagnosis(LOSS, facts, KERAS_TARGET)


@diagnoses("incompatible")
def incompatible(reading: Reading) -> Diagnosis:
    """Diagnose TensorFlow's words for targets and predictions, which it also says of any two shapes."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    if not wanted or not got or wanted[0] != got[0]:
        return of_two_shapes(reading.framework, got, wanted)
    return of_target(wanted, got, reading.whole)


# TensorFlow 1 gives the loss a row of classes for each prediction and each target.
LOGITS_SIZE: Rules = (
    Rule(
        "flattened",
        Fit.LIKELY,
        (reason("targets-steps-flattened", "of_x", "T", "of_targets"),),
        "logits = tf.reshape(logits, ({of_targets}, {T}, {classes}))[:, -1]   # the last step, if each sequence has {T} rows",
        lambda f: f.T > 2 and f.of_x > f.of_targets,
        lambda f: {"logits": f.got},
    ),
    OTHER_BATCH,
)


@diagnoses("logits_size")
def logits_size(reading: Reading) -> Diagnosis:
    """Diagnose the softmax loss of TensorFlow 1, whose targets have a column for each class."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    if len(wanted) != 2 or len(got) != 2 or min(*wanted, *got) < 1 or wanted[1] != got[1]:
        return of_two_shapes(reading.framework, wanted, got)
    of_x, of_targets = wanted[0], got[0]
    T = of_x // of_targets if of_x % of_targets == 0 else 0
    facts = Facts(of_x=of_x, of_targets=of_targets, T=T, classes=wanted[1], got=got)
    return Diagnosis(LOSS, facts, LOGITS_SIZE, {"batch": of_x, "targets": of_targets})


KERAS_SAMPLES: Rules = (
    SHIFTED_FLAT._replace(change=_shifted_by_steps),
    Rule(
        "return-sequences",
        Fit.SURE,
        (reason("targets-steps-flattened", "of_x", "T", "of_targets"), reason("target-of-last-step")),
        _sequence_returned,
        lambda f: f.all_steps is False,
    ),
    Rule(
        "class-axis",
        Fit.SURE,
        (reason("target-columns-flattened", "of_targets", "of_x", "classes"),),
        'model.compile("adam", "categorical_crossentropy")   # if the targets have a column for each class',
        lambda f: f.all_steps is None,
    ),
    Rule(
        "return-sequences",
        Fit.LIKELY,
        (reason("targets-for-steps", "of_targets", "T", "of_x"), reason("target-of-each-step")),
        _sequence_returned,
        lambda f: f.all_steps is True,
    ),
    OTHER_BATCH,
)


@diagnoses("keras_samples")
def keras_samples(reading: Reading) -> Diagnosis:
    """Diagnose the sparse loss, which flattens all axes but the classes."""
    logits, of_targets = reading.shape("expected"), prod(reading.shape("got"))
    of_x, classes = prod(logits[:-1]), logits[-1]
    T = max(of_x, of_targets) // max(1, min(of_x, of_targets))
    is_multiple = T > 1 and max(of_x, of_targets) == T * min(of_x, of_targets)
    all_steps = None if T == classes else of_targets > of_x
    facts = Facts(
        of_x=of_x,
        of_targets=of_targets,
        T=T,
        classes=classes,
        all_steps=all_steps if is_multiple else "",
        batch=0 if is_multiple else batch_of_shifted(of_x, of_targets),
        steps=(of_x, of_targets),
        layers=keras_layers(reading.whole),
    )
    return Diagnosis(LOSS, facts, KERAS_SAMPLES, {"batch": of_x, "targets": of_targets})


@diagnoses("keras_steps")
def keras_steps(reading: Reading) -> Diagnosis:
    """Diagnose the sparse loss, whose targets lack the last axis of the predictions."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    all_steps = len(got) > len(wanted) - 1 if len(got) != len(wanted) - 1 else None
    # Here it is the loss for columns that fits targets of as many columns as there are predictions.
    steps = _steps_apart(wanted, got) if len(got) == 2 else None
    facts = Facts(
        wanted=wanted,
        got=got,
        all_steps=None if got == wanted else all_steps,
        steps=steps,
        layers=keras_layers(reading.whole),
    )
    return Diagnosis(LOSS, facts, KERAS_STEPS)


KERAS_STEPS: Rules = (
    _SHIFTED_STEPS,
    _ALL_STEPS,
    _LAST_STEP,
    Rule(
        "class-axis",
        Fit.LIKELY,
        (reason("target-sizes", "got", "wanted"),),
        'model.compile("adam", "categorical_crossentropy")   # if the targets have a column for each class',
        lambda f: f.all_steps is None and f.got == f.wanted,
    ),
    Rule(
        "batch-size",
        Fit.PLAUSIBLE,
        (reason("target-sizes", "got", "wanted"),),
        "# x and y must have the same batch and the same steps",
        lambda f: f.all_steps is None and not f.steps and f.got != f.wanted,
    ),
)


def target_of_model(reading: Reading, wanted: Shape, got: Shape) -> Diagnosis:
    """Return the diagnosis of a target that the last layer of a model does not fit, by its shapes or their lengths."""
    if reading.kind == "rank":
        # The message has only the number of axes: 3 for a prediction at each step.
        wanted = (-1,) * reading.size("allowed")
    else:
        # The message gives the shape of a target without its batch; the first versions gave it with the batch.
        if wanted[:1] != (-1,):
            wanted, got = (-1, *wanted), (-1, *got)
    return of_target(wanted, got, reading.whole, of_sparse="sparse_categorical" in reading.whole)


def _same_samples(facts: Facts) -> str:
    """Return the line that leaves out the samples of the first window, or words if the numbers are far apart."""
    of_x, of_targets = facts.of_x, facts.of_targets
    words = "# cut x and y from the data with the same rule, so that each window of x has one y"
    if of_targets > of_x > of_targets // 2:
        return f"y = y[{of_targets - of_x}:]   # if each window of x has the target after it\n{words}"
    return (
        f"x = x[:{of_targets}]   # if the last windows have no target\n{words}"
        if of_x > of_targets > of_x // 2
        else words
    )


TARGET_ELEMENTS: Rules = (
    Rule(
        "hidden-size",
        Fit.STRONG,
        (reason("targets", "of_x", "of_targets"), reason("target-of-one-number", columns="T", when=lambda f: f.T)),
        "nn.Linear(..., out_features=1)   # the last layer, if each sequence has one target\n"
        "targets = torch.nn.functional.one_hot(targets.long()).float()   # if they are class indices",
    ),
)


@diagnoses("target_elements")
def target_elements(reading: Reading) -> Diagnosis:
    """Diagnose a loss of two classes whose message has the numbers of entries alone."""
    of_x, of_targets = reading.size("x"), reading.size("got")
    T = of_x // of_targets if of_targets and of_x % of_targets == 0 else 0
    return Diagnosis(LOSS, Facts(of_x=of_x, of_targets=of_targets, T=T), TARGET_ELEMENTS)


SAMPLES: Rules = (
    Rule(
        "batch-size",
        Fit.SURE,
        (reason("samples", "of_x", "of_targets"),),
        _same_samples,
        conform=lambda f: {"targets": (f.of_x, -1)},
    ),
)


@diagnoses("samples")
def samples(reading: Reading) -> Diagnosis:
    of_x, of_targets = reading.size("x"), reading.size("got")
    sizes = {"batch": of_x, "targets": of_targets}
    return Diagnosis(Statement("samples"), Facts(of_x=of_x, of_targets=of_targets), SAMPLES, sizes)
