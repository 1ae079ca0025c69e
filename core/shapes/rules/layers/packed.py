"""Packed sequences: their lengths, and what is done with them."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.messages import Reading
from core.shapes.rules.fits import likely, plausible, strong, sure
from core.shapes.rules.read_layer import is_power, like_batch
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.evidence import failed_operation, nodes_of_line
from core.shapes.user_code.operations import is_stored


def _fit_of_steps(facts: Facts) -> Fit:
    if facts.reads_steps_first and facts.of_x > facts.got:
        return Fit.STRONG
    if is_power(facts.got) and not is_power(facts.of_x) or facts.reads_batch_first and facts.got < facts.of_x:
        return Fit.LIKELY
    if facts.of_x <= facts.got:
        return Fit.POSSIBLE
    return Fit.LIKELY if like_batch(facts.got) and not like_batch(facts.of_x) else Fit.PLAUSIBLE


def _names_batch_first(reading: Reading) -> bool:
    """Whether the reader's line packs with batch_first=True."""
    return "batch_first=True" in reading.own_code.replace(" ", "")


LENGTHS: Rules = (
    plausible(
        "batch-size",
        reason("lengths", "got", "of_x"),
        lambda f: (
            f"lengths = lengths[:{f.of_x}]   # if the first {f.of_x} are those of this batch"
            if f.got > f.of_x
            else f"# lengths needs {f.of_x} entries if the batch has {f.of_x} sequences"
        ),
        lambda f: not f.has_batch_first,
    ),
    Rule(
        "batch-first",
        lambda f: Fit.SURE if f.has_batch_first else _fit_of_steps(f),
        (
            reason("lengths-steps", "of_x", when=lambda f: not (f.has_batch_first or f.reads_batch_first)),
            reason("lengths-steps-first", "of_x", when=lambda f: f.reads_batch_first and not f.has_batch_first),
            reason("lengths-batch-first", "x", "got", "of_x", when=lambda f: f.has_batch_first),
        ),
        lambda f: (
            f"packed = pack_padded_sequence(x{'.transpose(0, 1)' * f.reads_batch_first}, lengths, batch_first=True)"
        ),
    ),
)


@diagnoses("lengths")
def lengths(reading: Reading) -> Diagnosis:
    got, of_x = reading.size("got"), reading.size("x")
    x = reading.given[0].shape if reading.given and reading.given[0] else ()
    facts = Facts(
        got=got,
        of_x=of_x,
        x=x,
        has_batch_first=x[:2] == (got, of_x),
        reads_steps_first="pack_padded_sequence(" in reading.own_code and not _names_batch_first(reading),
        reads_batch_first=_names_batch_first(reading) and x[:2] != (got, of_x),
    )
    return Diagnosis("packed-lengths", facts, LENGTHS, {"batch": of_x, "lengths": got})


DESCENDING: Rules = rules_of(
    "descending",
    "packed-lengths",
    sure(
        "sorted-lengths",
        "lengths-not-descending",
        "packed = pack_padded_sequence(x, lengths, ..., enforce_sorted=False)",
    ),
)

TOO_MANY_LENGTHS: Rules = first_of(
    strong(
        "batch-first",
        (reason("lengths-too-many"), reason("batch-is-second-axis")),
        "packed = pack_padded_sequence(x, lengths, batch_first=True)",
        lambda f: not f.batch_first,
    ),
    strong(
        "lengths",
        reason("lengths-too-many"),
        "# lengths needs one entry for each sequence of this batch, such as all_lengths[i : i + len(x)]",
    ),
)


def sorts_lengths(reading: Reading) -> bool:
    """Whether an index is out of range where `pack_padded_sequence` sorts the sequences, and not in an embedding in its line."""
    embeds = re.search(r"emb\w*\(", reading.code) and "in pack_padded_sequence" not in reading.below_own
    return "pack_padded_sequence(" in reading.code and not embeds


def too_many_lengths(reading: Reading) -> Diagnosis:
    """Diagnose an index beyond the batch, where `pack_padded_sequence` sorts the sequences."""
    return Diagnosis("packed-lengths", Facts(batch_first=_names_batch_first(reading)), TOO_MANY_LENGTHS)


def _without_empty(facts: Facts) -> str:
    """Return the line that leaves out the empty sequences, in the order of the axes that the reader's line names, or in both."""
    kept, left = "[at for at, n in enumerate(lengths) if n > 0]", "[n for n in lengths if n > 0]"
    of_batch_first = (
        f"packed = pack_padded_sequence(x[{kept}], {left}, batch_first=True)   # if x is (batch, steps, features)"
    )
    if facts.batch_first:
        return of_batch_first
    of_steps_first = f"packed = pack_padded_sequence(x[:, {kept}], {left})   # x is (steps, batch, features)"
    return f"{of_steps_first}\n{of_batch_first}"


def _lengths_made(facts: Facts) -> str:
    """Return the line that makes the lengths a vector of whole numbers on the CPU."""
    steps = {".flatten()": facts.axes != 1, ".cpu()": facts.device != "cpu", ".long()": facts.type != "Long"}
    made = "lengths" + "".join(step for step, is_needed in steps.items() if is_needed)
    return f"lengths = {made}"


LENGTHS_KIND = sure(
    "lengths",
    (
        reason("lengths-kind", "axes", "device", "type", when=lambda f: f.axes is not None),
        reason("lengths-kind-unsaid", when=lambda f: f.axes is None),
        reason("squeeze-of-all", when=lambda f: not f.axes),
    ),
    _lengths_made,
)


@diagnoses("lengths_kind")
def lengths_kind(reading: Reading) -> Diagnosis:
    # Former words tell neither the axes nor the device.
    axes = reading.size("got") if "got" in reading.values else None
    facts = Facts(axes=axes, device=reading.values.get("device", ""), type=reading.values.get("type", ""))
    return Diagnosis("packed-lengths", facts, LENGTHS_KIND)


EMPTY_SEQUENCE: Rules = rules_of(
    "empty_sequence",
    "packed-lengths",
    sure("sorted-lengths", "lengths-of-zero", _without_empty),
    facts=lambda reading: {"batch_first": _names_batch_first(reading)},
)


PACKED_OUTPUT: Rules = rules_of(
    "packed_output",
    "output-of-layer",
    sure(
        "packed", "packed-given", "output, _ = pad_packed_sequence(output, batch_first=True)   # (batch, steps, units)"
    ),
)


TOTAL_LENGTH: Rules = rules_of(
    "total_length",
    "packed-lengths",
    sure(
        "packed",
        reason("total-length", "got", "size"),
        "output, _ = pad_packed_sequence(packed, batch_first=True, total_length={size})   # at least the longest sequence",
    ),
)


EXCEEDED: Rules = (
    strong(
        "batch-first",
        (reason("rows-of-packed", when=lambda f: f.is_beyond), reason("lengths-exceeded")),
        lambda f: (
            f"{f.packed or 'packed'} = pack_padded_sequence({'...' if f.packed else 'x, lengths, ...'}, batch_first=True)"
            "   # if x is (batch, steps, features)"
        ),
        lambda f: f.of_packed and not f.batch_first,
        is_own=lambda f: f.packed,
    ),
    likely(
        "lengths",
        (
            reason("length-of-packed", when=lambda f: f.is_beyond),
            reason("length-exceeded", "size", length=lambda f: f.start + f.length, when=lambda f: not f.is_beyond),
        ),
        lambda f: (
            "lengths = torch.as_tensor(lengths).clamp(max=x.size(1))   # with batch_first=True, else x.size(0); or count the steps of each sequence anew"
            if f.is_beyond
            else f"lengths = torch.as_tensor(lengths).clamp(max={f.size})   # if the {f.size} entries are the steps; or count the steps of each sequence anew"
        ),
        lambda f: f.of_packed,
    ),
    strong(
        "indexing",
        reason("slice-exceeded", "start", "length", "size"),
        "# start + length must be at most {size}",
        lambda f: not f.of_packed,
    ),
)


# Not "pack" alone, which a path with site-packages has too.
_PACKS = re.compile(r"pack_padded|pack_sequence|PackedSequence")


def _is_of_packed(reading: Reading) -> bool:
    """Whether a packed sequence is sliced: by its name, or because a recurrent layer takes its steps apart."""
    takes_apart = re.search(r"_VF\.(?:lstm|gru|rnn_tanh|rnn_relu)\(", reading.below_own)
    return bool(_PACKS.search(reading.whole) or takes_apart)


@diagnoses("exceeded")
def exceeded(reading: Reading) -> Diagnosis:
    """Diagnose a slice beyond the last entry, which packing makes of lengths that are larger than the steps."""
    sizes = {name: reading.size(name) for name in ("start", "length", "size")}
    # A layer reads the rows of each step of a packed sequence, and there are fewer than its lengths tell.
    is_beyond = sizes["start"] == sizes["size"] > 0 and "narrow" not in reading.whole
    call = failed_operation(reading)
    given = call.names.get("x") if call is not None and "layer" in call.names else None
    facts = Facts(
        **sizes,
        of_packed=is_beyond or _is_of_packed(reading),
        is_beyond=is_beyond,
        batch_first=_names_batch_first(reading),
        # The line that packed the sequence is another one than that of the layer, which failed.
        packed=given.id if isinstance(given, ast.Name) else "",
    )
    return Diagnosis("packed-lengths" if facts.of_packed else "index", facts, EXCEEDED)


# ---- a mask of True and False as an index ------------------------------------------------------

MASK_INDEX: Rules = first_of(
    sure(
        "batch-first",
        (reason("mask-sizes", "mask", "got"), reason("broadcast-turned")),
        "mask = mask.T   # as the array: (batch, steps), or (steps, batch)",
        lambda f: f.is_turned,
    ),
    strong(
        "packed",
        reason("mask-of-steps", left="got[1]", right="mask[1]"),
        lambda f: (
            f"{f.cut or f'mask = mask[:, :{f.got[1]}]'}   # as many steps as the longest sequence\n"
            f"output, _ = pad_packed_sequence(packed, batch_first=True, total_length={f.mask[1]})   # or all {f.mask[1]} steps"
        ),
        lambda f: f.is_longer,
        is_own=lambda f: f.cut,
    ),
    plausible(
        "indexing",
        (reason("mask-sizes", "mask", "got"), reason("mask-of-numbers", when=lambda f: f.may_be_numbers)),
        lambda f: (
            "index = index.long()   # if it has numbers, such as classes or words\n" * f.may_be_numbers
            + "# the mask must have the first sizes of the array"
        ),
    ),
)


def _all_cut(reading: Reading, steps: int) -> str:
    """Return the line that cuts a mask and the other arrays of which it chooses entries in the reader's line; empty if it has one."""
    masked = [(node.slice, node.value) for node in nodes_of_line(reading) if isinstance(node, ast.Subscript)]
    masked = [(mask, array) for mask, array in masked if isinstance(mask, ast.Name) and is_stored(array)]
    if len(masked) < 2 or len({ast.unparse(mask) for mask, _ in masked}) != 1:
        return ""
    # The first is the array that failed.
    names = list(dict.fromkeys(map(ast.unparse, (masked[0][0], *(array for _, array in masked[1:])))))
    return f"{', '.join(names)} = {', '.join(f'{name}[:, :{steps}]' for name in names)}"


@diagnoses("mask_index")
def mask_index(reading: Reading) -> Diagnosis:
    """Diagnose a mask of another shape than the first axes of the array."""
    mask, got = reading.shape("mask"), reading.shape("got")
    facts = Facts(
        mask=mask,
        got=got,
        may_be_numbers=len(mask) == 1 and "mask" not in reading.whole.replace(reading.message, ""),
        is_turned=len(mask) == 2 and mask[0] != mask[1] and mask[::-1] == got[:2],
        is_longer=len(mask) == 2 <= len(got) and mask[0] == got[0] and mask[1] > got[1],
        cut=_all_cut(reading, got[1]) if len(got) > 1 else "",
    )
    return Diagnosis("index", facts, MASK_INDEX)
