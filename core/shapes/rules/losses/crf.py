"""A conditional random field over the output of a recurrent layer, as pytorch-crf and its copies check its arguments."""

import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import differing_axes
from core.shapes.messages import Reading
from core.shapes.rules.fits import likely, plausible, possible, sure
from core.shapes.rules.read_layer import like_batch
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason, rules_of

_CRF = "crf"


CRF_SIZES: Rules = first_of(
    sure(
        "batch-first",
        (reason("crf-sizes", "of", "wanted", "got"), reason("first-axes-turned")),
        "crf = CRF(num_tags, batch_first=True)   # if both are made as (batch, steps)\n"
        "emissions = emissions.transpose(0, 1)   # if the recurrent layer gives (steps, batch, tags)",
        lambda f: f.is_turned,
    ),
    Rule(
        "steps",
        lambda f: Fit.PLAUSIBLE if f.batch_axis is None else Fit.STRONG,
        (reason("crf-sizes", "of", "wanted", "got"), reason("crf-steps")),
        lambda f: (
            f"{f.longer} = {f.longer}[{':, ' * f.axis}:{min(f.wanted[f.axis], f.got[f.axis])}]"
            "   # if the rest is padding, or marks such as [CLS] and [SEP]; else pad both to the longest text"
        ),
        lambda f: not f.of_batch,
    ),
    plausible(
        "batch-size", reason("crf-sizes", "of", "wanted", "got"), "# emissions, tags and mask must be of the same batch"
    ),
)


# The call that makes the field, as far as its batch_first.
_MADE = re.compile(r"\bCRF\((?:[^()]|\([^()]{0,80}\)){0,200}\)")


def _is_batch_first(reading: Reading) -> bool | None:
    """Return whether the program makes the field with batch_first=True; None if the text does not tell."""
    made = _MADE.search(reading.whole)
    return bool(re.search(r"batch_first ?= ?True", made[0])) if made else None


@diagnoses("crf_sizes")
def crf_sizes(reading: Reading) -> Diagnosis:
    """Diagnose emissions, tags and a mask of other steps or another batch."""
    wanted, got, of = reading.shape("expected"), reading.shape("got"), reading.values["of"]
    differ = differing_axes(wanted, got)
    is_batch_first = _is_batch_first(reading)
    batch_axis = None if is_batch_first is None else int(not is_batch_first)
    axis = differ[0] if len(differ) == 1 and len(wanted) == len(got) == 2 else -1
    facts = Facts(
        of=of,
        wanted=wanted,
        got=got,
        axis=axis,
        batch_axis=batch_axis,
        of_batch=axis < 0 or _is_batch(axis, batch_axis, (wanted[axis], got[axis])),
        is_turned=wanted == got[::-1] and wanted != got,
        longer="emissions" if axis >= 0 and wanted[axis] > got[axis] else of,
    )
    return Diagnosis(_CRF, facts, CRF_SIZES)


def _is_batch(axis: int, batch_axis: int | None, sizes: tuple[int, int]) -> bool:
    """Whether an axis is the batch; if the text does not tell, whether it is the first one with two sizes of batches."""
    return axis == batch_axis if batch_axis is not None else axis == 0 and all(map(like_batch, sizes))


# A printed matrix, of which the last rows may be left out.
_PRINTED = re.compile(r"\[(\[[^\[\]]{1,600}\](?:, ?\[[^\[\]]{1,600}\]){1,200})")
_ON, _OFF = ("1", "True"), ("0", "False")


def _axis_of_steps(reading: Reading) -> str:
    """Return which axis of a mask in the text has the steps: its first step, and not its first sequence, is all on.

    Returns
    -------
    str
        "rows" or "columns"; empty if the text has no mask, or one that leaves it open.
    """
    printed = _PRINTED.search(reading.whole)
    rows = [re.findall(r"[\w.]+", row) for row in printed[1].split("]")] if printed else []
    rows = [row for row in rows if row]
    if not rows or any(one not in _ON + _OFF for row in rows for one in row):
        return ""
    row_on, column_on = all(one in _ON for one in rows[0]), all(row[0] in _ON for row in rows)
    if row_on == column_on:
        return ""
    return "rows" if row_on else "columns"


# A mask that leaves out the first step of a sequence.
CRF_FIRST_STEP: Rules = rules_of(
    "crf_first_step",
    _CRF,
    sure(
        "batch-first",
        reason("crf-mask-turned", "steps"),
        lambda f: (
            "mask = mask.transpose(0, 1)   # (batch, steps), as emissions and tags must be with batch_first=True"
            if f.steps == "rows"
            else "crf = CRF(num_tags, batch_first=True)   # emissions and tags are then (batch, steps) too"
        ),
        lambda f: f.steps,
    ),
    likely(
        "lengths",
        (reason("crf-first-step"), reason("crf-empty")),
        "kept = mask[:, 0].bool()   # if mask is (batch, steps); the other sequences are empty, or begin with padding\n"
        "emissions, tags, mask = emissions[kept], tags[kept], mask[kept]",
        lambda f: not f.steps,
    ),
    plausible(
        "batch-first",
        "crf-order",
        "crf = CRF(num_tags, batch_first=True)   # if emissions are (batch, steps, tags)",
        lambda f: not f.batch_first and not f.steps,
    ),
    possible(
        "steps",
        "crf-marks",
        "emissions, tags, mask = emissions[:, 1:], tags[:, 1:], mask[:, 1:]   # without the mark at the beginning",
        lambda f: not f.steps,
    ),
    facts=lambda reading: {"batch_first": _is_batch_first(reading), "steps": _axis_of_steps(reading)},
)


CRF_TAGS: Rules = rules_of(
    "crf_tags",
    _CRF,
    sure(
        "hidden-size",
        reason("crf-tags", "wanted", "got"),
        "emissions = nn.Linear({got}, {wanted})(emissions)   # made once, in __init__: a score for each tag\n"
        "crf = CRF({got}, batch_first=True)   # if this is the number of tags",
    ),
)


CRF_AXES: Rules = rules_of(
    "crf_axes",
    _CRF,
    sure(
        "unbatched",
        reason("crf-axes", "got"),
        lambda f: (
            "emissions = emissions.unsqueeze(0)   # one sentence: (1, steps, tags), with batch_first=True"
            if f.got < 3
            else "emissions = emissions.flatten(0, -3)   # (batch, steps, tags)"
        ),
    ),
)
