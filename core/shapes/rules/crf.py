"""A conditional random field over the output of a recurrent layer, as pytorch-crf and its copies check its arguments."""

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.read_layer import like_batch
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason

_CRF = Statement("crf")


CRF_SIZES: Rules = (
    Rule(
        "batch-first",
        Fit.SURE,
        (reason("crf-sizes", "of", "wanted", "got"), reason("first-axes-turned")),
        "crf = CRF(num_tags, batch_first=True)   # if both are made as (batch, steps)\n"
        "emissions = emissions.transpose(0, 1)   # if the recurrent layer gives (steps, batch, tags)",
        lambda f: f.is_turned,
    ),
    Rule(
        "steps",
        Fit.STRONG,
        (reason("crf-sizes", "of", "wanted", "got"), reason("crf-steps")),
        lambda f: (
            f"{f.longer} = {f.longer}[{':, ' * f.axis}:{min(f.wanted[f.axis], f.got[f.axis])}]"
            "   # if the rest is padding, or marks such as [CLS] and [SEP]; else pad both to the longest text"
        ),
        lambda f: not f.is_turned and not f.of_batch,
    ),
    Rule(
        "batch-size",
        Fit.PLAUSIBLE,
        (reason("crf-sizes", "of", "wanted", "got"),),
        "# emissions, tags and mask must be of the same batch",
        lambda f: not f.is_turned and f.of_batch,
    ),
)


@diagnoses("crf_sizes")
def crf_sizes(reading: Reading) -> Diagnosis:
    wanted, got, of = reading.shape("expected"), reading.shape("got"), reading.values["of"]
    differ = [axis for axis, sizes in enumerate(zip(wanted, got)) if sizes[0] != sizes[1]]
    # One axis differs: whichever it is, the other is the batch.
    axis = differ[0] if len(differ) == 1 and len(wanted) == len(got) == 2 else -1
    facts = Facts(
        of=of,
        wanted=wanted,
        got=got,
        axis=axis,
        differ=differ,
        # Two sizes of batches on the first axis, or more than one that differs.
        of_batch=axis < 0 or axis == 0 and like_batch(wanted[0]) and like_batch(got[0]),
        is_turned=wanted == got[::-1] and wanted != got,
        longer="emissions" if axis >= 0 and wanted[axis] > got[axis] else of,
    )
    return Diagnosis(_CRF, facts, CRF_SIZES)


CRF_FIRST_STEP: Rules = (
    Rule(
        "lengths",
        Fit.LIKELY,
        (reason("crf-first-step"), reason("crf-empty")),
        "kept = mask[:, 0].bool()   # if mask is (batch, steps); the other sequences are empty, or begin with padding\n"
        "emissions, tags, mask = emissions[kept], tags[kept], mask[kept]",
    ),
    Rule(
        "batch-first",
        Fit.PLAUSIBLE,
        (reason("crf-order"),),
        "crf = CRF(num_tags, batch_first=True)   # if emissions are (batch, steps, tags)",
        lambda f: not f.batch_first,
    ),
    Rule(
        "steps",
        Fit.POSSIBLE,
        (reason("crf-marks"),),
        "emissions, tags, mask = emissions[:, 1:], tags[:, 1:], mask[:, 1:]   # without the mark at the beginning",
    ),
)


@diagnoses("crf_first_step")
def crf_first_step(reading: Reading) -> Diagnosis:
    """Diagnose a mask that leaves out the first step of a sequence."""
    return Diagnosis(_CRF, Facts(batch_first="batch_first=True" in reading.whole.replace(" ", "")), CRF_FIRST_STEP)


CRF_TAGS: Rules = (
    Rule(
        "hidden-size",
        Fit.SURE,
        (reason("crf-tags", "wanted", "got"),),
        "emissions = nn.Linear({got}, {wanted})(emissions)   # made once, in __init__: a score for each tag\n"
        "crf = CRF({got}, batch_first=True)   # if there are {got} tags",
    ),
)


@diagnoses("crf_tags")
def crf_tags(reading: Reading) -> Diagnosis:
    return Diagnosis(_CRF, Facts(wanted=reading.size("expected"), got=reading.size("got")), CRF_TAGS)


CRF_AXES: Rules = (
    Rule(
        "unbatched",
        Fit.SURE,
        (reason("crf-axes", "got"),),
        lambda f: (
            "emissions = emissions.unsqueeze(0)   # one sentence: (1, steps, tags), with batch_first=True"
            if f.got < 3
            else "emissions = emissions.flatten(0, -3)   # (batch, steps, tags)"
        ),
    ),
)


@diagnoses("crf_axes")
def crf_axes(reading: Reading) -> Diagnosis:
    return Diagnosis(_CRF, Facts(got=reading.size("got")), CRF_AXES)
