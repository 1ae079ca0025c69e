"""The loss in PyTorch: its predictions and its targets."""

import re
from math import prod

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape, differing_axes, format_sizes
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import likely, strong, sure
from core.shapes.rules.losses.target_counts import LOSS, LOSS_SWAPPED, MOST_SLICES, steps_taken_as_batch
from core.shapes.rules.read_layer import cells_of, like_batch
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason, rules_of
from core.shapes.user_code.loss_lines import constant_targets, swapped_loss
from core.shapes.user_code.recurrent_lines import tells_batch_first

# ---- steps of predictions and targets, one apart ------------------------------------------------


def shifted_by_steps(facts: Facts) -> str:
    of_x, of_targets = facts.steps
    return advised_lines.without_a_step(of_x, of_targets, "y", "x = x[:, :-1]")


def steps_apart(wanted: Shape, got: Shape) -> tuple[int, int] | None:
    """Return the steps of the predictions and of the targets if only they differ, and by one."""
    steps = wanted[1:2] + got[1:2]
    has_steps = len(wanted) == 3 and len(got) in (2, 3) and wanted[0] == got[0] and min(steps, default=0) > 0
    if len(wanted) == len(got) > 3 and wanted[2:] == got[2:]:  # images
        has_steps = wanted[0] == got[0] and min(steps) > 0
    return (steps[0], steps[1]) if has_steps and abs(steps[0] - steps[1]) == 1 and min(steps) > 1 else None


SHIFTED_STEPS = sure(
    "shifted-targets",
    (reason("target-sizes", "got", "wanted"), reason("target-steps", of_x="steps[0]", of_targets="steps[1]")),
    lambda f: (
        shifted_by_steps(f)
        + f"\nlayers.RepeatVector({f.steps[1]})   # or in the model, if it makes the steps of the predictions"
        * (f.steps[1] > f.steps[0])
    ),
    lambda f: f.steps,
)


# ---- classes, which the loss takes on axis 1, and a batch of sequences has last ----------------

_SHAPES = reason("target-shapes", "got", "wanted")

TARGET_SHAPE: Rules = (
    LOSS_SWAPPED,
    sure(
        "class-axis",
        (_SHAPES, reason("target-axis-of-one")),
        "targets = targets.{with_axis}",
        lambda f: f.with_axis.startswith("squeeze"),
    ),
    sure(
        "shifted-targets",
        (_SHAPES, reason("target-steps", of_x="wanted[1]", of_targets="got[1]")),
        lambda f: advised_lines.without_a_step(f.wanted[1], f.got[1], "targets", "logits = logits[..., :-1]"),
        lambda f: len(f.wanted) == len(f.got) == 2 and f.wanted[0] == f.got[0] and abs(f.wanted[1] - f.got[1]) == 1,
    ),
    sure(
        "class-axis",
        (_SHAPES, reason("target-of-last-step")),
        lambda f: (
            "logits = logits.squeeze(-1)   # if they are (batch, classes, 1)\n" * (f.wanted[1] == 1)
            + "logits = logits[:, -1]   # the last step"
        ),
        lambda f: f.is_of_sequence,
    ),
    sure(
        "class-targets",
        (_SHAPES, reason("taken-one-hot")),
        "targets = targets.argmax(1)   # class indices, if logits and targets are (batch, classes, steps)\n"
        "targets = targets.argmax(-1)   # if they are (batch, steps, classes)\n"
        "logits = logits.transpose(1, 2)   # and this as well",
        lambda f: f.is_one_hot,
    ),
    likely(
        "batch-size",
        (_SHAPES, reason("target-batches")),
        "# logits and targets must be of the same batch",
        lambda f: f.wanted[:1] != f.got[:1] and not f.is_of_sequence and not f.with_axis.startswith("squeeze"),
    ),
    Rule(
        "class-axis",
        lambda f: Fit.STRONG if f.wanted[:1] == f.got[:1] else Fit.PLAUSIBLE,
        (_SHAPES, reason("target-classes")),
        lambda f: (
            "logits = logits.transpose(1, 2)"
            + f"\ntargets = targets[:, :{f.steps}]   # and the {f.steps} steps of the logits" * (f.steps > 0)
        ),
        lambda f: not (f.is_of_sequence or f.is_one_hot) and not f.with_axis.startswith("squeeze"),
    ),
)


@diagnoses("target_shape")
def target_shape(reading: Reading) -> Diagnosis:
    wanted, got = reading.shape("expected"), reading.shape("got")
    # The text may have the shape of the logits, (batch, steps, classes), of fewer steps than the targets have.
    told = re.search(rf"\(({wanted[0]}), ?(\d{{1,6}}), ?{wanted[1]}\)", reading.whole) if len(wanted) == 2 else None
    steps = int(told[2]) if told and len(got) == 2 and int(told[2]) < got[1] else 0
    # One target for each sequence, and predictions for each step.
    facts = Facts(
        **swapped_loss(reading),
        with_axis=_with_axis_of_one(wanted, got),
        wanted=wanted,
        got=got,
        steps=steps,
        # The targets have the axis that the loss takes as the classes.
        is_one_hot=len(got) == len(wanted) + 1 == 3 and min(got[1:]) > 1 and (got[0], got[2]) == wanted,
        is_of_sequence=len(got) == 1 and len(wanted) == 2,
    )
    return Diagnosis(LOSS, facts, TARGET_SHAPE, {"batch": got[0]} if got else {})


TARGET_RANK: Rules = rules_of(
    "target_rank",
    LOSS,
    LOSS_SWAPPED,
    strong(
        "class-axis",
        "target-vector",
        "targets = targets.squeeze(1)   # if it is (batch, 1)\n"
        "targets = targets.argmax(1)   # if it is one-hot, (batch, classes)\n"
        "targets = targets[:, -1]   # if it is (batch, steps), and the logits are of the last step\n"
        "logits = logits.transpose(1, 2)   # if logits are (batch, steps, classes)",
    ),
    facts=swapped_loss,
)


_LABELS = re.compile(
    r"(?<!not )(?<!not a )(?<!n't )(?:multi[-_ ]?label|multi[-_ ]?hot)|\b(?:but|are|is) multi-target", re.IGNORECASE
)
_PATH = re.compile(r'File "[^"\n]{1,500}"')


def _tells_of_labels(reading: Reading) -> bool:
    """Whether the text has several labels for each sample; the path of a file tells nothing."""
    return bool(_LABELS.search(_PATH.sub("", reading.whole)))


CLASS_UNSAID: Rules = rules_of(
    "class_unsaid",
    LOSS,
    strong(
        "index-range",
        "class-of-kernel",
        "nn.Linear(..., out_features=int(targets.max()) + 1)   # the last layer\n"
        "targets = targets - targets.min()   # if the classes count from 1, or from −1",
    ),
)


# ---- targets that must have the very shape of the predictions ----------------------------------

# From as many columns on, they are the words or the classes of which each target names one.
FEWEST_CLASSES = 100

_FLATTENS = re.compile(r"Flatten\(|\.flatten\(|(?:view|reshape)\([^\n]{1,60}, -1\)")

TARGET_SIZE: Rules = (
    sure(
        "flattened",
        (reason("target-sizes", "got", "wanted"), reason("target-of-flattened", columns="wanted[-1]")),
        lambda f: (
            f"logits = linear(output[:, -1]){'.squeeze(-1)' * (len(f.got) < len(f.wanted))}"
            "   # the last step, before a layer with one output"
        ),
        lambda f: f.lacks_columns and f.of_regression and f.flattens,
    ),
    strong(
        "hidden-size",
        (reason("target-sizes", "got", "wanted"), reason("target-of-one-number", columns="wanted[-1]")),
        lambda f: (
            "nn.Linear(..., out_features=1)   # the last layer\n"
            + (
                "logits = logits.squeeze(-1)   # and one prediction for each target\n"
                "logits = logits[:, -1]   # in place of both, if the columns are steps"
                if len(f.got) < len(f.wanted)
                else "logits = logits[:, -1:]   # in its place, if the columns are steps"
            )
        ),
        lambda f: f.lacks_columns and f.of_regression and not f.flattens,
    ),
    strong(
        "class-axis",
        (reason("target-sizes", "got", "wanted"), reason("loss-of-classes", columns="wanted[-1]")),
        lambda f: (
            f"torch.nn.functional.cross_entropy(logits, targets{'.squeeze(-1)' * (len(f.got) == 2)}.long())"
            "   # if they are class indices"
        ),
        lambda f: f.of_many_classes and not f.of_regression,
    ),
    strong(
        "hidden-size",
        (reason("target-sizes", "got", "wanted"), reason("target-of-one-number", columns="wanted[-1]")),
        "nn.Linear(..., out_features=1)   # the last layer",
        # A column that the line gives the targets is that of one output, as of two classes.
        lambda f: f.lacks_columns and not f.of_regression and f.gives_column,
    ),
    strong(
        "class-axis",
        (reason("target-sizes", "got", "wanted"), reason("target-numbers-of-columns")),
        lambda f: (
            f"targets = torch.nn.functional.one_hot(targets{'.squeeze(-1)' * (len(f.got) == len(f.wanted))}.long(), {f.wanted[-1]}).float()   # if they are class indices"
        ),
        lambda f: f.lacks_columns and not f.of_regression and not f.of_many_classes,
    ),
    sure(
        "broadcast",
        (reason("target-sizes", "got", "wanted"), reason("target-of-last-step")),
        lambda f: f"logits = logits[{':, -1' + (', 0' if len(f.got) == 1 else '')}]   # the last step",
        lambda f: f.of_steps,
    ),
    strong(
        "steps",
        (reason("target-sizes", "got", "wanted"), reason("other-steps", of_x="wanted[1]", of_targets="got[1]")),
        lambda f: (
            f"logits = logits[:, :{f.got[1]}]   # the steps that have a target"
            if f.wanted[1] > f.got[1]
            else f"targets = targets[:, :{f.wanted[1]}]   # the steps that are predicted"
        ),
        lambda f: f.of_other_steps,
    ),
    sure(
        "hidden-size",
        (reason("target-sizes", "got", "wanted"), reason("target-columns")),
        "nn.Linear(..., out_features={columns})   # the last layer",
        lambda f: f.columns,
    ),
    strong(
        "layers-directions",
        (reason("target-sizes", "got", "wanted"), reason("predictions-of-slices", "rows")),
        "logits = logits[-1]   # the last layer",
        lambda f: f.rows,
    ),
    strong(
        "layers-directions",
        (reason("target-sizes", "got", "wanted"), reason("predictions-of-layers", "layers")),
        "h_n = h_n[-1]   # the last layer alone, in place of h_n.view(-1, units)",
        lambda f: f.layers,
    ),
    Rule(
        "batch-first",
        lambda f: Fit.STRONG if like_batch(f.got[0]) else Fit.PLAUSIBLE,
        (reason("target-sizes", "got", "wanted"), reason("targets-batch-axis", of_x="wanted[0]", of_targets="got[0]")),
        lambda f: steps_taken_as_batch(f.cells, f.got[0], f.wanted[0], f.batch_first),
        lambda f: f.of_other_axis,
    ),
    sure(
        "transpose",
        (
            reason("target-sizes", "got", "wanted"),
            reason("broadcast-last-axes", when=lambda f: f.turned > 0),
            reason("first-axes-turned", when=lambda f: f.turned == 0),
        ),
        lambda f: f"logits = logits.transpose({f.turned}, {f.turned + 1})   # as in the targets",
        lambda f: f.turned is not None,
    ),
    strong(
        "broadcast",
        (
            reason("target-sizes", "got", "wanted"),
            reason("target-axis-of-one", when=lambda f: f.has_axis_of_one),
            reason("predictions-of-steps", "times", of_x="wanted[0]", of_targets="got[0]", when=lambda f: f.times),
        ),
        lambda f: (
            f"targets = targets.{f.with_axis}{f.of_logits}"
            if f.with_axis
            else f"targets = targets.new_{f.of_constant}({format_sizes(f.wanted)})   # as many as there are predictions"
            if f.of_constant
            else "targets = targets.reshape(logits.shape)"
            if f.same_entries
            else "logits = logits[-1:]   # the last row, if each row is a step"
            if f.of_last_row
            else f"logits = logits.view({f.got[0]}, {f.times}, -1).mean(1)   # one for each sequence, if its steps are one below the other"
            if f.times
            else "# predictions and targets must have one shape"
        ),
        lambda f: (
            not (
                f.lacks_columns or f.of_steps or f.columns or f.layers or f.rows or f.of_other_axis or f.of_other_steps
            )
            and f.turned is None
        ),
    ),
)


_LAYERS = re.compile(r"\b(?:num_|n_|nb_)?layers ?= ?([2-4])\b")


def _layers_of_states(text: str, wanted: Shape, got: Shape) -> int:
    """Return the layers of the text if the predictions have as many rows for each target; else 0."""
    layers = {int(one) for one in _LAYERS.findall(text)}
    times = wanted[0] // got[0] if wanted and got and got[0] > 1 and wanted[0] % got[0] == 0 else 0
    return times if times in layers and wanted[1:] in (got[1:], (1,)) else 0


def _turned_axis(wanted: Shape, got: Shape) -> int | None:
    """Return the first of two neighbouring axes that are swapped; None where a reshape gives the same entries."""
    for axis in range(len(wanted) - 1):
        a, b = wanted[axis : axis + 2]
        is_vector = len(wanted) == 2 and 1 in (a, b)
        if a != b and not is_vector and (*wanted[:axis], b, a, *wanted[axis + 2 :]) == got:
            return axis
    return None


def _with_axis_of_one(wanted: Shape, got: Shape) -> str:
    """Return the call that gives the targets the only axis of 1 that they lack, or that drops it; empty if there is none."""
    for at in range(max(len(wanted), len(got))):
        if wanted == (*got[:at], 1, *got[at:]):
            return f"unsqueeze({at})"
        if got == (*wanted[:at], 1, *wanted[at:]):
            return f"squeeze({at})"
    return ""


def _without_axis_of_one(wanted: Shape, got: Shape) -> str:
    """Return the second line that takes the axis of 1 from the predictions, if they have it."""
    at = next((at for at in range(len(wanted)) if wanted == (*got[:at], 1, *got[at:])), None)
    shape = f"logits = logits.squeeze({at})   # in its place, so that later lines have the shape of targets"
    return "" if at is None else f"\n{shape}"


@diagnoses("target_size")
def target_size(reading: Reading) -> Diagnosis:
    wanted, got = reading.shape("expected"), reading.shape("got")
    same_entries = prod(wanted) == prod(got)
    is_last_axis = len(got) == len(wanted) > 1 and got[:-1] == wanted[:-1]
    lacks_columns = got in (wanted[:-1], (*wanted[:-1], 1)) and wanted[-1] > 1
    facts = Facts(
        wanted=wanted,
        got=got,
        lacks_columns=lacks_columns,
        of_many_classes=lacks_columns
        and len(wanted) == 2
        and wanted[-1] >= FEWEST_CLASSES
        and not _tells_of_labels(reading),
        # Only the losses of numbers go on after a warning.
        of_regression="likely lead to incorrect results" in reading.whole,
        flattens=bool(_FLATTENS.search(reading.whole)),
        same_entries=same_entries,
        has_axis_of_one=abs(len(wanted) - len(got)) == 1
        and [size for size in wanted if size != 1] == [size for size in got if size != 1],
        turned=_turned_axis(wanted, got),
        layers=_layers_of_states(reading.whole, wanted, got),
        times=wanted[0] // got[0]
        if len(got) == len(wanted) == 2
        and 1 < got[0]
        and wanted[0] > 2 * got[0]
        and not wanted[0] % got[0]
        and got[1] == wanted[1]
        else 0,
        of_last_row=len(got) == len(wanted) == 2 and got[0] == 1 < wanted[0] and got[1] == wanted[1],
        # (batch, steps, outputs) for targets of (batch, outputs), or of (batch,) if there is one output.
        of_steps=len(wanted) == 3
        and not same_entries
        and got in (wanted[:1] + wanted[2:], wanted[:1] * (wanted[2] == 1)),
        columns=got[-1] if is_last_axis and got[-1] > 1 else 0,
        with_axis=_with_axis_of_one(wanted, got),
        of_logits=_without_axis_of_one(wanted, got),
        of_constant=constant_targets(reading) if got[1:] == wanted[1:] else "",
        of_other_steps=len(wanted) == len(got) == 3
        and differing_axes(wanted, got) == [1]
        and min(wanted[1], got[1]) > 1,
        # Layers × directions of h_n, in front of the batch.
        rows=wanted[0] if wanted[1:] == got and max(got, default=0) > MOST_SLICES >= wanted[0] > 1 else 0,
        gives_column=len(got) == len(wanted) and bool(re.search(r"unsqueeze\((?:-1|1)\)|view\(-1, 1\)", reading.code)),
        # One row for each step, where there is one target for each sequence.
        of_other_axis=wanted[1:] in (got[1:], (*got[1:], 1))
        and min(*wanted[:1], *got[:1]) > MOST_SLICES
        and (like_batch(got[0]) or bool(reading.own))
        and abs(wanted[0] - got[0]) > 1  # else a batch that lacks a sequence
        and wanted[0] % got[0] > 0
        and got[0] % wanted[0] > 0,
        cells=cells_of(reading),
        batch_first=tells_batch_first(reading),
    )
    return Diagnosis(LOSS, facts, TARGET_SIZE)


TARGET_PLACES: Rules = rules_of(
    "target_places",
    LOSS,
    strong(
        "class-axis",
        "target-places",
        "targets = targets.squeeze(1)   # if axis 1 is 1\n"
        "targets = targets.argmax(1)   # if they are one-hot, with the classes on axis 1",
    ),
)


# ---- predictions without the axis of the batch --------------------------------------------------

# A loss over classes of predictions that are a vector.
TARGET_OF_VECTOR: Rules = rules_of(
    "target_of_vector",
    LOSS,
    LOSS_SWAPPED,
    strong(
        "unbatched",
        (reason("target-of-vector", "got"), reason("squeeze-of-all", when=lambda f: f.of_squeeze)),
        "logits = logits.reshape({got}, -1)   # (batch, classes): a row of scores for each target",
    ),
    facts=lambda reading: {"of_squeeze": "squeeze()" in reading.whole, **swapped_loss(reading)},
)
