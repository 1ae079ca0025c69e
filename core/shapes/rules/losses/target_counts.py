"""A loss of other numbers of predictions and of targets."""

import ast
import re
from math import prod

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import format_shape
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import likely, plausible, strong, sure
from core.shapes.rules.read_layer import cells_of, like_batch
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, Facts, Rule, Rules, diagnoses, reason, rules_of
from core.shapes.rules.sums.elementwise import of_two_shapes
from core.shapes.user_code.evidence import calls_of_line, failed_operation, takes_last_step
from core.shapes.user_code.index_lines import with_slice_of_steps
from core.shapes.user_code.loss_lines import rows_of_last_axis, swapped_loss
from core.shapes.user_code.recurrent_lines import tells_batch_first
from core.shapes.user_code.syntax_trees import function_of, with_code

LOSS = "loss"

# The logits and the targets are of different batches.
OTHER_BATCH = plausible(
    "batch-size",
    reason("targets", "of_x", "of_targets"),
    "# logits and targets must be of the same batch",
)

# Fewer sequences are no batch, of which one is left out.
FEWEST_SEQUENCES = 3
# Fewer rows are rather those of a batch that lacks some.
FEWEST_ROWS = 10

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
    "target-steps-of-batch", "batch", of_x=lambda f: f.of_x // f.batch, of_targets=lambda f: f.of_targets // f.batch
)


def _fit_of_shifted(facts: Facts) -> Fit:
    """Few predictions may as well be a batch of single ones, unless the names are those of a translation."""
    if getattr(facts, "of_translation", False):
        return Fit.LIKELY
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
    of_steps = lines[::-1] if facts.takes_last else lines
    return "\n".join([one_hot, *of_steps] if facts.shows_one_hot else [*of_steps, one_hot])


def _of_slices(facts: Facts) -> str:
    """Return the lines for two slices of h_n that were put one below the other."""
    last = "logits = linear(h_n[-1])   # the last layer, or one of two directions"
    both = "logits = linear(h_n[-2] + h_n[-1])   # the sum of both directions"
    return f"{both}\n{last}" if facts.joins_batches else f"{last}\n{both}"


def _without_steps(of_targets: int, batch_first: bool | None, flattened: tuple[str, ...]) -> str:
    """Return the lines for a row of predictions at each step: of the last step alone, or with a target for each step.

    Parameters
    ----------
    of_targets : int
    batch_first : bool, optional
        Whether the text makes its layer with batch_first=True.
    flattened : tuple of str
        Of "logits" and "targets", those to which the reader's line gives one row for each step.
    """
    of_steps = "targets = targets.flatten()   # if targets have one for each step"
    of_last = advised_lines.last_step("logits = linear({})").splitlines()
    if batch_first is not None:
        of_last = of_last[:1] if batch_first else of_last[1:]
    # The targets of whole sequences have as many rows as one of their axes, which may be the steps.
    first_steps = "logits" in flattened or not like_batch(of_targets)
    if "targets" in flattened:
        return "\n".join(of_last)
    return "\n".join([of_steps, *of_last] if first_steps else [of_last[0], of_steps, *of_last[1:]])


def steps_taken_as_batch(cells: tuple[str, ...], batch: int, steps: int, batch_first: bool | None) -> str:
    """Return the lines for predictions with a row for each step, where there is a target for each sequence.

    Parameters
    ----------
    cells : tuple of str
        The layers that it may be about.
    batch, steps : int
        Of x.
    batch_first : bool, optional
        Whether the text makes its layer with batch_first=True.
    """
    made = advised_lines.making(
        cells, "..., batch_first=True", f"if it lacks this, and x is ({batch}, {steps}, features), batch and steps"
    )
    last = "logits = linear(output[:, -1])   # the last step, if the layer has batch_first=True"
    if batch_first is not None:
        return last if batch_first else f"{made}\n{last}"
    return f"{last}\n{made}"


TARGET_WITHOUT_BATCH = sure(
    "unbatched",
    "target-without-batch",
    "targets = targets.reshape(-1)   # a batch of one target",
    lambda f: f.of_targets == 0,
)

# The two arguments of a loss in the other order, by their names.
LOSS_SWAPPED = sure(
    "swapped-arguments", reason("loss-swapped", "targets"), own="swapped", note="the predictions come first"
)

TARGETS: Rules = (
    LOSS_SWAPPED,
    strong(
        "indexing",
        (reason("targets", "of_x", "of_targets"), reason("rows-without-sequence", "batch_of_slice", "steps_of_slice")),
        "# where targets are made: cut the steps, targets[:, 1:], and not the sequences, targets[1:]",
        lambda f: f.batch_of_slice,
        own="sliced",
    ),
    TARGET_WITHOUT_BATCH,
    strong(
        "reshape",
        (reason("targets", "of_x", "of_targets"), reason("logits-of-classes", "of_targets", "classes", "told")),
        own="reshaped",
        note="if there are {classes} classes",
    ),
    SHIFTED_FLAT,
    likely(
        "flattened",
        reason("targets-steps-flattened", "of_x", "T", "of_targets"),
        lambda f: _without_steps(f.of_targets, f.batch_first, f.flattened),
        lambda f: f.T > 2 and f.of_x > f.of_targets,
    ),
    likely(
        "layers-directions",
        (reason("targets", "of_x", "of_targets"), reason("targets-of-layers", "of_x")),
        "logits = logits[-1]   # the last layer, if logits are (layers × directions, {of_targets}, classes)",
        lambda f: f.of_layers,
    ),
    likely(
        "layers-directions",
        reason("targets-of-two-slices", "of_x", "of_targets"),
        _of_slices,
        lambda f: f.of_x == 2 * f.of_targets,
    ),
    strong(
        "reshape",
        (reason("targets", "of_x", "of_targets"), reason("rows-of-constant")),
        own="in_rows",
        note="rows as long as the last axis",
    ),
    Rule(
        "batch-first",
        lambda f: Fit.LIKELY if like_batch(f.of_targets) else Fit.PLAUSIBLE,
        (reason("targets", "of_x", "of_targets"), reason("targets-batch-axis", "of_x", "of_targets")),
        lambda f: steps_taken_as_batch(f.cells, f.of_targets, f.of_x, f.batch_first),
        lambda f: f.of_steps,
    ),
    likely(
        "flattened",
        reason("targets-for-steps", "of_targets", "T", "of_x"),
        _with_all_steps,
        lambda f: f.T > 2 and f.of_targets > f.of_x > 1 and not f.of_slices,
    ),
    likely(
        "unbatched",
        reason("targets-of-h-n", "of_targets"),
        "logits = logits.squeeze(0)   # if logits are (1, {of_targets}, classes)",
        lambda f: f.T > 2 and f.of_targets > f.of_x == 1,
    ),
    OTHER_BATCH._replace(when=lambda f: f.of_targets),
)


# A printed row of a one-hot array.
_ONE_HOT = re.compile(r"\[(?:0\.?, ?){0,20}1\.?(?:, ?0\.?){0,20}\](?<!\[1\])(?<!\[1\.\])")


def _with_other_classes(reading: Reading, of_x: int, of_targets: int) -> tuple[str, int, int]:
    """Return the reader's line with the number of classes that gives as many rows as targets, with the number told and this one.

    The line is empty if it makes no rows of a certain length, or if no whole number of classes gives as many.
    """
    for node in calls_of_line(reading, "view", "reshape"):
        if len(node.args) != 2:
            continue
        rows, size = node.args
        told = reading.numbers.get(ast.unparse(size), getattr(size, "value", 0))
        if ast.unparse(rows) != "-1" or type(told) is not int or told < 1 or not of_targets:
            continue
        classes, rest = divmod(of_x * told, of_targets)
        if not rest and classes > 1 and (line := with_code(reading.own_code, (size, str(classes)))):
            return line, told, classes
    return "", 0, 0


def _is_flattened(reading: Reading, name: str) -> bool:
    """Whether the reader's line flattens what it gives the loss under this name."""
    call = failed_operation(reading)
    given = call.names.get(name) if call is not None else None
    return any(function_of(node) in ("view", "reshape", "flatten") for node in ast.walk(given or ast.Pass()))


def _sequences_and_steps(of_x: int, of_targets: int) -> tuple[int, int]:
    """Return the batch and the steps of which one number of rows lacks a step, and the other one a sequence; zeros if there are none."""
    for rows, other in ((of_x, of_targets), (of_targets, of_x)):
        for batch in range(FEWEST_SEQUENCES, LARGEST_BATCH + 1):
            steps = rows // batch + 1
            if rows % batch == 0 and steps > 2 and (batch - 1) * steps == other:
                return batch, steps
    return 0, 0


def _are_batch_and_steps(reading: Reading, of_x: int, of_targets: int) -> bool:
    """Whether the predictions may have a row for each step, and the targets be those of a batch."""
    if like_batch(of_targets):
        return of_x > MOST_SLICES
    return bool(reading.own) and min(of_x, of_targets) >= FEWEST_ROWS and abs(of_x - of_targets) > 2


@diagnoses("targets")
def targets(reading: Reading) -> Diagnosis:
    of_x, of_targets = reading.size("x"), reading.size("got")
    smaller, larger = sorted((of_x, of_targets))
    T = larger // smaller if smaller and larger % smaller == 0 else 0
    flattened = tuple(name for name in ("logits", "targets") if _is_flattened(reading, name))
    batch_of_slice, steps_of_slice = _sequences_and_steps(of_x, of_targets) if len(flattened) == 2 else (0, 0)
    batch = batch_of_shifted(of_x, of_targets) if T <= 2 and of_targets else 0
    is_batch = like_batch(of_targets) and of_targets > 2 * of_x
    logits = reading.given[0].shape if reading.given and reading.given[0] else ()
    of_slices = len(logits) == 3 and logits[:2] == (of_x, of_targets) and of_x <= MOST_SLICES
    of_translation = bool(reading.own) and bool(re.search(r"\b(?:trg|tgt)", reading.code))
    is_shifted = T or batch and of_translation
    reshaped, told, classes = _with_other_classes(reading, of_x, of_targets) if not is_shifted else ("", 0, 0)
    facts = Facts(
        **swapped_loss(reading),
        batch_of_slice=batch_of_slice,
        steps_of_slice=steps_of_slice,
        sliced=with_slice_of_steps(reading) if batch_of_slice else "",
        in_rows="" if T or batch or reshaped or batch_of_slice else rows_of_last_axis(reading),
        of_x=of_x,
        of_targets=of_targets,
        T=T,
        batch=batch,
        reshaped=reshaped,
        told=told,
        classes=classes,
        shows_one_hot=bool(_ONE_HOT.search(reading.whole)),
        takes_last=takes_last_step(reading),
        of_translation=of_translation,
        joins_batches=bool(_JOINED.search(reading.whole)),
        of_layers=is_batch and 1 < of_x <= MOST_SLICES and not takes_last_step(reading) or of_slices,
        of_slices=of_slices,
        # Two sizes of which neither is a multiple are those of two axes.
        cells=cells_of(reading),
        batch_first=tells_batch_first(reading),
        flattened=flattened,
        of_steps=not T and not batch and "logits" not in flattened and _are_batch_and_steps(reading, of_x, of_targets),
    )
    return Diagnosis(LOSS, facts, TARGETS, {"batch": of_x, "targets": of_targets})


# ---- predictions or targets without any axis ---------------------------------------------------


def _with_axes(facts: Facts) -> str:
    """Return the line that gives the one without axes the shape of the other."""
    if prod(facts.other) != 1:
        return "# predictions and targets must have one shape"
    shape = format_shape(facts.other)
    if facts.of_targets:
        return f"targets = targets.reshape({shape})"
    return f"logits = logits.reshape({shape})   # or squeeze(-1) in place of squeeze(), which also removes a batch of 1"


TARGET_SCALAR = sure(
    "unbatched",
    (
        reason("prediction-without-axes", "other", when=lambda f: not f.of_targets),
        reason("targets-without-axes", "other", when=lambda f: f.of_targets),
    ),
    _with_axes,
)


@diagnoses("target_scalar")
def target_scalar(reading: Reading) -> Diagnosis:
    of_targets = "got" not in reading.values
    other = reading.shape("expected" if of_targets else "got")
    return Diagnosis(LOSS, Facts(other=other, of_targets=of_targets), TARGET_SCALAR)


# ---- classes that are no indices ---------------------------------------------------------------


def _without_negative(facts: Facts) -> str:
    """Return the lines that leave out a negative class, or count the classes from 0."""
    loss = (
        "keras.losses.SparseCategoricalCrossentropy(ignore_class"
        if facts.of_keras
        else "nn.CrossEntropyLoss(ignore_index"
    )
    lines = [f"{loss}=-{facts.got})   # if −{facts.got} marks the padding"]
    targets = "y" if facts.of_keras else "targets"
    if facts.got == 1:
        lines.append(f"{targets} = ({targets} + 1) // 2   # if the classes are −1 and 1")
    return "\n".join(lines)


CLASS_NEGATIVE: Rules = rules_of(
    "class_negative",
    LOSS,
    sure("index-range", reason("class-negative", "got"), _without_negative),
    facts=lambda reading: {"of_keras": reading.framework == "Keras"},
)


TARGET_TYPE: Rules = rules_of(
    "target_type",
    LOSS,
    LOSS_SWAPPED,
    sure(
        "class-targets",
        reason("targets-like-probabilities", "type"),
        "targets = targets.float()   # if they are one-hot, (batch, classes)\n"
        "targets = targets.argmax(1)   # the same as class indices, (batch,)",
    ),
    facts=lambda reading: {"type": reading.values["type"], **swapped_loss(reading)},
)


TARGET_FRACTIONS: Rules = rules_of(
    "target_fractions",
    LOSS,
    LOSS_SWAPPED,
    sure(
        "class-targets", reason("target-of-fractions", "type"), "targets = targets.long()   # if they are class indices"
    ),
    facts=lambda reading: {"type": reading.values["type"], **swapped_loss(reading)},
)


SQUEEZED_TARGET: Rules = (
    Rule(
        "class-axis",
        lambda f: Fit.PLAUSIBLE if f.has_steps else Fit.STRONG,
        (reason("targets-not-squeezed", "got"), reason("target-one-hot")),
        'model.compile("adam", "categorical_crossentropy")   # if the targets have a column for each class',
    ),
    Rule(
        "return-sequences",
        lambda f: Fit.STRONG if f.has_steps else Fit.PLAUSIBLE,
        (reason("targets-not-squeezed", "got"), reason("target-of-each-step")),
        "LSTM(..., return_sequences=True)   # the last recurrent layer; or GRU, SimpleRNN",
    ),
)


@diagnoses("squeezed_target")
def squeezed_target(reading: Reading) -> Diagnosis:
    """Diagnose a sparse loss of TensorFlow that drops the last axis of its targets, or a squeeze of the reader's own."""
    if calls_of_line(reading, "squeeze"):
        return DIAGNOSES["squeeze"](reading)
    has_steps = bool(re.search(r"return_sequences ?= ?True|TimeDistributed\(", reading.whole))
    return Diagnosis(LOSS, Facts(got=reading.size("got"), has_steps=has_steps), SQUEEZED_TARGET)


# A loss that weighs another number of classes than the logits have.
CLASS_WEIGHTS: Rules = rules_of(
    "class_weights",
    LOSS,
    sure(
        "class-targets",
        reason("class-weights", "got", "size"),
        "nn.CrossEntropyLoss(weight=torch.ones({size}))(logits, targets)   # a weight for each of the {size} classes\n"
        "nn.Linear(..., out_features={got})   # the last layer, if there are {got} classes",
    ),
    facts=lambda reading: {"got": next(iter(reading.sizes("got")), 0)},
)


# TensorFlow 1 gives the loss a row of classes for each prediction and each target.
LOGITS_SIZE: Rules = (
    likely(
        "flattened",
        reason("targets-steps-flattened", "of_x", "T", "of_targets"),
        "logits = tf.reshape(logits, ({of_targets}, {T}, {classes}))[:, -1]   # the last step, if each sequence has {T} rows",
        lambda f: f.T > 2 and f.of_x > f.of_targets,
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
