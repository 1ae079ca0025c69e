"""Windows and padding along the steps: a pooling window, the windows of unfold, and the numbers for pad."""

import re
from math import prod

from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of

POOL: Rules = first_of(
    strong(
        "steps",
        (reason("pool-beyond-end"), reason("pool-of-images")),
        "# leave this pooling layer out, or give the network larger images",
        lambda f: f.of_images,
    ),
    strong(
        "steps",
        (reason("pool-beyond-end"), reason("pool-along-last")),
        "layer(x.transpose(1, 2)).transpose(1, 2)   # if x is (batch, steps, features)\n"
        "nn.MaxPool1d(kernel_size=1)   # if x is (batch, channels, steps): a window of at most all the steps that are left",
    ),
)


@diagnoses("pool")
def pool(reading: Reading) -> Diagnosis:
    """Diagnose a pooling window that is longer than the sequence."""
    # Along steps the output is (channels, 1, steps), or one number.
    got = reading.shape("got")
    facts = Facts(of_images=len(got) > 2 and got[1] != 1)
    return Diagnosis("input-of-layer", facts, POOL)


UNFOLD: Rules = rules_of(
    "unfold",
    "axis",
    sure(
        "steps",
        reason("window-beyond-end", "axis", "size", "got"),
        "x.unfold({axis}, {size}, 1)   # a window of at most {size} entries\n"
        "x.transpose(0, 1).unfold(0, {got}, 1)   # if the steps are the other one of two axes",
    ),
)


PAD_BEYOND = sure(
    "steps",
    reason("pad-reflects-more", "most", "size"),
    'nn.functional.pad(x, {pad}, mode="replicate")   # the first and the last entry repeated',
)


@diagnoses("pad_beyond")
def pad_beyond(reading: Reading) -> Diagnosis:
    """Diagnose a reflection of more entries than there are."""
    pad, x, axis = reading.sizes("pad"), reading.shape("x"), reading.size("axis")
    facts = Facts(pad=f"({', '.join(map(str, pad))})", most=max(pad, default=0), size=(*x[axis:], 0)[0])
    return Diagnosis("axis", facts, PAD_BEYOND)


PAD_AXES: Rules = first_of(
    sure(
        "unbatched",
        reason("pad-of-axes", "numbers", "axes"),
        lambda f: (
            f"x = x[{', '.join(['None'] * f.missing)}]   # if axes in front are missing, such as the batch"
            + (f"; or give {2 * (f.axes - f.of_mode)} numbers" if f.axes > f.of_mode else "")
        ),
        lambda f: f.numbers > 2 * f.axes,
    ),
    sure(
        "unbatched",
        reason("pad-needs-batch", "axes"),
        "x = x.unsqueeze(0)   # the batch; these ways of padding need it",
        lambda f: not f.further,
    ),
    sure(
        "unbatched",
        reason("pad-of-few-axes", "numbers", "axes"),
        lambda f: (
            f"x = nn.functional.pad(x, pad + (0, 0){' * ' * (f.further > 1)}{f.further if f.further > 1 else ''}, mode=mode)   # a pair of zeros for each further axis"
        ),
    ),
)


@diagnoses("pad_axes")
def pad_axes(reading: Reading) -> Diagnosis:
    """Diagnose more numbers than a tensor has ends, or a tensor without the batch that a way of padding needs."""
    numbers, axes = min(reading.size("numbers"), 20), min(reading.size("axes"), 9)
    # Circular padding, a reflection and a replication take one or two axes in front of those that are padded.
    of_mode = "Padding size" in reading.message or re.search("circular|reflect|replicate", reading.whole) is not None
    facts = Facts(
        numbers=numbers,
        axes=axes,
        of_mode=of_mode,
        missing=numbers // 2 + of_mode - axes,
        further=max(0, axes - numbers // 2 - 2) if of_mode else 0,
    )
    return Diagnosis("axis", facts, PAD_AXES, {"axes": facts.axes})


UNFLATTEN = strong(
    "reshape",
    reason("unflatten-sizes", "axis", "size", "total"),
    lambda f: (
        "\n".join(_unflattened(f)) or f"# the product of the sizes must be {f.size}; a -1 stands for what is left"
    ),
)


def _unflattened(facts: Facts) -> list[str]:
    """Return the lines that keep one of the reader's sizes, where it divides the size of the axis."""
    kept = [(at, one) for at, one in enumerate(facts.sizes) if one > 0 and facts.size % one == 0]
    if len(facts.sizes) != 2:
        return []
    return [
        f"x.unflatten({facts.axis}, {(one, facts.size // one) if at == 0 else (facts.size // one, one)})   # if the {one} are right"
        for at, one in kept
    ]


@diagnoses("unflatten")
def unflatten(reading: Reading) -> Diagnosis:
    shape = reading.shape("got")
    known = prod(one for one in shape if one > 0)
    facts = Facts(
        axis=reading.size("axis"),
        size=reading.size("size"),
        sizes=shape,
        total=f"a multiple of {known}" if -1 in shape else str(known),
    )
    return Diagnosis("reshape", facts, UNFLATTEN, {"entries": facts.size})
