"""Predictions and targets that a loss of PyTorch combines entry by entry."""

import ast
import re

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading, sizes_in
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import likely, strong, sure
from core.shapes.rules.losses.target_counts import steps_taken_as_batch
from core.shapes.rules.read_layer import FEWEST_UNITS, like_batch
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, reason
from core.shapes.user_code.changed_calls import with_argument_as
from core.shapes.user_code.evidence import failed_operation
from core.shapes.user_code.index_lines import with_slice_of_steps
from core.shapes.user_code.syntax_trees import with_code

# Fewer are rather the outputs of the last layer.
FEWEST_STEPS = 5
_ONE_AXIS = reason("broadcast-axis", "axis", "left", "right")


def _may_be_outputs(facts: Facts) -> bool:
    """Whether axis 1 rather has the outputs than many steps of the predictions beside the batch of the targets."""
    is_batch = facts.right < FEWEST_UNITS or like_batch(facts.right) or facts.targets_cut
    return facts.axis == 1 and not facts.of_steps and (facts.left < FEWEST_UNITS or not is_batch)


def _last_step_or_output(facts: Facts) -> str:
    """Return the lines for predictions with an axis more than the targets have: of the steps, or of one output."""
    of_step = "logits = logits[:, -1]   # if they are (batch, steps, outputs), and each sequence has one target"
    of_one = "logits = logits.squeeze(-1)   # if only the predictions have a last axis of 1"
    of_outputs = f"nn.Linear(..., out_features={facts.right})   # the last layer, if axis {facts.axis} has the outputs"
    lines = [of_one] if facts.takes_last else [of_step, of_one]
    if facts.targets:  # then both shapes are known
        lines = [of_step] * (len(facts.predictions) > len(facts.targets))
    if facts.compares:
        return "\n".join(lines)
    if facts.more_steps:
        lines.insert(
            0, f"{facts.more_steps}   # without the {facts.left - facts.right} more steps that the line asks for"
        )
    if facts.axis == 1 and facts.left > facts.right:
        of_steps = f"logits = logits[:, -{facts.right}:]   # if only the last {facts.right} of {facts.left} steps have a target"
        lines.insert(0 if facts.of_steps else len(lines), of_steps)
    if facts.axis > 1 and len(facts.predictions) == len(facts.targets) == facts.axis + 1:
        projected = f"logits = nn.Linear({facts.left}, {facts.right})(logits)"
        lines += [f"{projected}   # a projection; make the layer once, before the training", of_outputs]
    if facts.axis == 1 and facts.targets_cut:
        lines.insert(0, "logits = logits.transpose(0, 1)   # if they are (steps, batch, outputs)")
    elif facts.axis == 1:
        lines.insert(0 if _may_be_outputs(facts) and not facts.more_steps else len(lines), of_outputs)
    return "\n".join(lines)


OF_LOSS: Rules = (
    sure(
        "indexing",
        (_ONE_AXIS, reason("slice-of-sequences")),
        when=lambda f: f.of_loss and f.axis == 1 == abs(f.left - f.right) and f.sliced,
        own="sliced",
    ),
    strong(
        "batch-first",
        (_ONE_AXIS, reason("targets-batch-axis", of_x="left", of_targets="right")),
        lambda f: steps_taken_as_batch(f.cells, f.right, f.left, None),
        lambda f: (
            f.of_loss
            and not (f.axis or f.of_fit or f.predictions or like_batch(f.left))
            and like_batch(f.right)
            and f.left > 2
        ),
    ),
    strong(
        "shifted-targets",
        (_ONE_AXIS, reason("target-steps", of_x="left", of_targets="right")),
        lambda f: advised_lines.without_a_step(f.left, f.right, "targets", "logits = logits[:, :-1]"),
        lambda f: (
            f.of_loss
            and not f.of_fit
            and f.axis == 1 == abs(f.left - f.right)
            and (min(f.left, f.right) >= FEWEST_STEPS or len(f.predictions) > len(f.targets[:2]))
        ),
    ),
    sure(
        "transpose",
        (_ONE_AXIS, reason("first-axes-turned")),
        "logits = logits.transpose(0, 1)   # batch and steps in the order of targets",
        lambda f: f.targets[1::-1] + f.targets[2:] == f.predictions != f.targets and len(f.targets) > 1,
    ),
    strong(
        "broadcast",
        (_ONE_AXIS, reason("target-of-last-step")),
        "logits = logits[:, -1]   # the last step",
        lambda f: f.of_loss and not f.of_fit and f.predicts_steps,
    ),
    strong(
        "broadcast",
        (_ONE_AXIS, reason("target-lacks-one")),
        "logits = logits.squeeze(-1)   # one prediction for each target",
        lambda f: f.of_loss and not f.of_fit and f.lacks_one,
    ),
    strong(
        "broadcast",
        (_ONE_AXIS, reason("target-has-one")),
        "targets = targets.squeeze(-1)   # one target for each prediction",
        lambda f: f.of_loss and not f.of_fit and f.has_one,
    ),
    strong(
        "broadcast",
        (_ONE_AXIS, reason("target-one-of-outputs", outputs="predictions[-1]")),
        lambda f: (
            f"logits = logits[..., 0]   # if the first of the {f.predictions[-1]} is meant\n"
            "# or give each target all of them, or the last layer one output for each target"
        ),
        lambda f: f.of_loss and not f.of_fit and f.targets and f.predictions[:-1] == f.targets and not f.lacks_one,
    ),
    likely(
        "broadcast",
        (
            _ONE_AXIS,
            reason("outputs-and-targets", "left", "right", when=lambda f: _may_be_outputs(f) and not f.compares),
        ),
        _last_step_or_output,
        lambda f: (
            f.of_loss
            and f.axis
            and not (f.of_fit or f.predicts_steps or f.lacks_one or f.has_one)
            and not (f.targets and f.predictions[:-1] == f.targets)
        ),
    ),
)


def facts_of_loss(reading: Reading, axis: int) -> dict[str, object]:
    """Return whether the line gives the loss a part of the steps of its targets, as y[:, 1:], and the line with a slice of steps."""
    call = failed_operation(reading)
    targets = call.names.get("targets") if call is not None else None
    return {
        "targets_cut": targets is not None and bool(re.search(r"\[:, [^\]]*:", ast.unparse(targets))),
        "sliced": with_slice_of_steps(reading) if axis == 1 else "",
    }


# PyTorch warns of two shapes before a loss broadcasts them.
_WARNED = re.compile(
    r"target size \(torch\.Size\(\[([\d, ]{1,60})\]\)\) that is different to the input size \(torch\.Size\(\[([\d, ]{1,60})\]"
)


def predictions_and_targets(reading: Reading) -> tuple[Shape, Shape]:
    """Return the shapes of predictions and targets by the program or a warning above the message; else two empty shapes."""
    if len(reading.given) == 2 and reading.given[0] and reading.given[1]:
        return reading.given[0].shape, reading.given[1].shape
    warned = _WARNED.search(reading.whole)
    targets, predictions = map(sizes_in, warned.groups()) if warned else ((), ())
    return predictions, targets


LOG_PROB = sure(
    "broadcast",
    reason("value-of-distribution", "got", "wanted"),
    lambda f: (
        f"{f.own}   # an axis of 1, which is broadcast"
        if f.own
        else f"value = value.unsqueeze({f.at})   # before log_prob: an axis of 1, which is broadcast"
        if f.at is not None
        else "# the value must have the shape of the distribution, or a shape that is broadcast to it"
    ),
    is_own=lambda f: f.own,
)


@diagnoses("log_prob")
def log_prob(reading: Reading) -> Diagnosis:
    """Diagnose a value whose probability a distribution of torch.distributions is asked for."""
    got, wanted = reading.shape("got"), reading.shape("wanted")
    at = next((at for at in range(len(wanted)) if wanted[:at] + wanted[at + 1 :] == got), None)
    at = -1 if at == len(got) else at
    own = with_argument_as(reading, ("log_prob",), f"{{}}.unsqueeze({at})") if at is not None else ""
    return Diagnosis("loss", Facts(got=got, wanted=wanted, own=own, at=at), LOG_PROB)


def without_more_steps(reading: Reading, left: int, right: int) -> str:
    """Return the reader's line with 0 for a number within the predictions that is as large as the difference; empty if there is none."""
    call = failed_operation(reading)
    logits = call.names.get("logits") if call is not None else None
    given = [one.value for one in getattr(logits, "keywords", ())] + list(getattr(logits, "args", ()))
    more = [one for one in given if isinstance(one, ast.Constant) and one.value == left - right > 1]
    return with_code(reading.own_code, (more[0], "0")) if len(more) == 1 else ""
