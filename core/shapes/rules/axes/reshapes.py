"""Reshapes, which keep the number of entries, and views, which keep their order."""

import ast
import re
from math import prod

from core.shapes.explanation import Fit, Statement
from core.shapes.layer_shapes import Shape, differing_axes, format_sizes
from core.shapes.messages import Reading
from core.shapes.rules.axes.sizes_of_reshape import BATCH_IN_SIZES, facts_of_rows
from core.shapes.rules.fits import likely, strong, sure
from core.shapes.rules.read_layer import like_batch
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import with_argument_as
from core.shapes.user_code.evidence import failed_operation, failed_statement, is_named_as_state
from core.shapes.user_code.keras_calls import with_open_axis
from core.shapes.user_code.loss_lines import rows_of_last_axis
from core.shapes.user_code.syntax_trees import function_of


def _windows(steps: int) -> str:
    return f"x = np.lib.stride_tricks.sliding_window_view(x, {steps}, axis=0).swapaxes(1, 2)   # windows that overlap"


# A smaller factor is unlikely to be a batch: one of the sizes may be wrong instead.
FEWEST_SEQUENCES = 4


# ---- reshapes that have the entries of x -------------------------------------------------------
# Each function returns lines such as ``x = x.reshape(-1, 5, 3)``, or none. 60 entries for (3, 5, 3) are an example.


def _without_first(size: int, sizes: Shape) -> list[str]:
    """Return the reshape that keeps all sizes but the first: ``x.reshape(-1, 5, 3)`` for (3, 5, 3)."""
    rest = sizes[1:]
    if not _keeps_rest(size, sizes):
        return []
    count = size // prod(rest)
    return [f"x = x.reshape(-1, {format_sizes(rest)})   # if all other sizes are right: {count} along the first axis"]


def _keeps_rest(size: int, sizes: Shape) -> bool:
    return len(sizes) > 2 and min(sizes[1:]) > 0 and size % prod(sizes[1:]) == 0


def _without_one_between(facts: Facts) -> list[str]:
    """Return the reshapes that keep all sizes but one between, such as the steps: ``x.reshape(3, -1, 3)`` for (3, 4, 3)."""
    size, sizes, lines = facts.size, facts.sizes, []
    for at in range(1, len(sizes) - 1):
        others = (*sizes[:at], *sizes[at + 1 :])
        if min(others) > 0 and size == prod(others) and len(sizes) == 3 and facts.is_torch:
            kept = f"x.reshape({sizes[0]}, 1, {sizes[2]}).expand(-1, {sizes[1]}, -1)"
            lines.append(f"x = {kept}   # if x has no axis 1: the same at each of {sizes[1]}")
        if min(others) > 0 and size % prod(others) == 0 and size > prod(others):
            shape = format_sizes((*sizes[:at], -1, *sizes[at + 1 :])).replace("?", "-1")
            lines.append(
                f"x = x.reshape({shape})   # if all other sizes are right: {size // prod(others)} along axis {at}"
            )
    return lines


def _with_first_or_last(facts: Facts) -> list[str]:
    """Return the reshapes to two axes that keep the first size, or the last: ``x.reshape(3, -1)`` for (3, 7)."""
    size, sizes = facts.size, facts.sizes
    if _keeps_rest(size, sizes) or not sizes:
        return []
    if sizes == (1,) and size > 1:
        return [f"x = x.reshape(-1)   # all {size} entries, such as one for each sequence of the batch"]
    if len(sizes) == 1 and sizes[0] > 1 and size % sizes[0] == 0 and facts.is_torch:
        count = size // sizes[0]
        return [f"x = x.reshape({sizes[0]}, -1)[:, -1]   # the last of {count}, if each sequence has one at each step"]
    lines = []
    if sizes[0] > 0 and size % sizes[0] == 0:
        lines.append(f"x = x.reshape({sizes[0]}, -1)   # if the {sizes[0]} of the first axis are right")
    if len(sizes) > 1 and sizes[-1] > 0 and size % sizes[-1] == 0:
        lines.append(f"x = x.reshape(-1, {sizes[-1]})   # if the {sizes[-1]} of the last axis are right")
    is_part_of_batch = facts.of_last and sizes[0] % facts.of_last == 0
    return lines[::-1] if is_part_of_batch else lines


def _with_batch(size: int, sizes: Shape) -> list[str]:
    """Return the reshape with the batch that is missing in front: ``x.reshape(-1, 5, 3)`` for (5, 3)."""
    whole = prod(sizes)
    if len(sizes) < 2 or min(sizes) < 1 or size % whole:
        return []
    count = size // whole
    if count <= FEWEST_SEQUENCES or not like_batch(count):
        return []
    return [f"x = x.reshape(-1, {format_sizes(sizes)})   # if the batch is missing: {count} along an axis in front"]


def _without_left_over(facts: Facts) -> list[str]:
    """Return the reshape of whole rows: ``x.reshape(-1)[:60].reshape(-1, 5)`` for 62 entries in (-1, 5)."""
    size, sizes = facts.size, facts.sizes
    whole = prod(one for one in sizes if one > 0)
    if not facts.is_open or not 1 < whole < size or size % whole == 0:
        return []
    shape = format_sizes(sizes if -1 in sizes else (-1, *sizes)).replace("?", "-1")
    rest = size % whole
    return [f"x = x.reshape(-1)[:{size - rest}].reshape({shape})   # without the {rest} that are left over"]


def _with_features(facts: Facts) -> list[str]:
    """Return the reshape with other features of each step: ``x.reshape(3, 5, 4)`` for (3, 5, 3)."""
    features = facts.of_last_axis
    if not features:
        return []
    return [f"x = x.reshape({format_sizes(facts.sizes[:-1])}, {features})   # if each step has {features}"]


def _with_size_of_x(facts: Facts) -> list[str]:
    """Return the shape of x itself, where one size differs from it."""
    at, x = facts.other_axis, facts.told_x
    if at is None:
        return []
    return [f"shape = ({format_sizes(x)})   # the sizes of x, of which axis {at} is {x[at]} and not {facts.sizes[at]}"]


def _reshape_lines(facts: Facts) -> str:
    """Return the reshapes that x has the entries for, the likelier first; -1 is left to the library to find."""
    size, sizes = facts.size, facts.sizes
    lines = [
        *_without_left_over(facts),
        *_with_batch(size, sizes),
        *_without_first(size, sizes),
        *_without_one_between(facts),  # as many axes as the reader wants, before fewer
        *_with_first_or_last(facts),
    ]
    is_first = facts.keeps_first or facts.of_last_axis == 1 and not _keeps_rest(size, sizes)
    at = 0 if is_first else 1
    lines[at:at] = _with_features(facts)
    if facts.of_windows:
        lines.insert(1, _windows(sizes[1]))
    return "\n".join([*_with_size_of_x(facts), *lines]) or _product_of_sizes(size)


def _product_of_sizes(size: int) -> str:
    """Return the words for a shape that no reshape of x has; a size of 0 or less is unknown."""
    return f"# the product of the sizes must be {size if size > 0 else 'that of x'}"


VIEW: Rules = rules_of(
    "view", "reshape", sure("contiguous", "view-of-turned", "x = x.contiguous()   # before the view")
)


def _reshaped_samples(facts: Facts) -> str:
    """Return the lines for samples whose entries do not fill the shape: the layer below, or the number of steps."""
    first, lines = facts.sizes[0], []
    if first > 0 and facts.size % first == 0:
        lines.append(f"x = layers.Reshape(({first}, {facts.size // first}))(x)   # if the {first} steps are right")
    if facts.is_vector and min(facts.sizes) > 0:
        lines.append(f"layers.Dense({prod(facts.sizes)})   # the layer before this one, if it is a Dense")
    if len(facts.sizes) == 1 and facts.size > 0:
        lines.append(f"x = layers.Reshape(({facts.size},))(x)   # all entries of each sample")
    return "\n".join(lines) or _product_of_sizes(facts.size)


KERAS_RESHAPE = strong(
    "reshape", (reason("reshape", "size", "got"), reason("reshape-without-batch")), _reshaped_samples
)


@diagnoses("keras_reshape")
def keras_reshape(reading: Reading) -> Diagnosis:
    """Diagnose a reshape of each sample, whose shapes have no batch."""
    size, sizes = prod(reading.shape("x")), reading.shape("got")
    is_vector = len(reading.shape("x")) == 1
    facts = Facts(size=size, got=reading.values["got"], sizes=sizes or (0,), is_vector=is_vector)
    return Diagnosis("reshape", facts, KERAS_RESHAPE, {"entries": size})


RESHAPE_VALUES: Rules = first_of(
    strong(
        "reshape",
        reason("reshape-values", "size", "got"),
        "x = tf.reshape(x, (-1, *shape[1:]))   # the batch from x, not a constant",
        lambda f: f.got,
        own="own",
    ),
    strong(
        "reshape",
        "reshape-to-none",
        "# print the sizes of the new shape: batch // steps must be at least 1, so make the batch larger or the steps fewer",
    ),
)


@diagnoses("reshape_values")
def reshape_values(reading: Reading) -> Diagnosis:
    """Diagnose a reshape of TensorFlow, whose message has the numbers of entries alone."""
    size, got = reading.size("size"), reading.size("got")
    facts = Facts(size=size, got=got, own=with_open_axis(reading, size, got))
    return Diagnosis("reshape", facts, RESHAPE_VALUES, {"entries": facts.size})


def _layers_of_state(reading: Reading, size: int, sizes: Shape) -> int:
    """Return the layers × directions of a state that is reshaped to the size of one of them; else 0."""
    own, whole = failed_operation(reading), prod(sizes)
    of_reshape = own is not None and "x" in own.names and function_of(own.node) in ("view", "reshape")
    is_state = own is not None and of_reshape and is_named_as_state(own.names["x"])
    return size // whole if is_state and min(sizes, default=0) > 0 and size % whole == 0 and size <= 8 * whole else 0


def _with_state_as_query(reading: Reading) -> str:
    """Return the reader's call of attention with the batch of a state first; empty if its query is no state."""
    value = getattr(failed_statement(reading), "value", None)
    if not isinstance(value, ast.Call) or len(value.args) != 3 or not is_named_as_state(value.args[0]):
        return ""
    return with_argument_as(reading, (function_of(value),), "{}.transpose(0, 1)")


def _features_of_steps(size: int, sizes: Shape) -> int:
    """Return the features of each step if all sizes but the last are right; 0 if they can't be."""
    steps = prod(sizes[:-1])
    return size // steps if len(sizes) == 3 and min(sizes) > 0 and size % steps == 0 and sizes[-2] > 1 else 0


RESHAPE: Rules = (
    *BATCH_IN_SIZES,
    sure(
        "reshape",
        (reason("reshape", "size", "got"), reason("rows-of-classes", classes="sizes[-1]")),
        "{of_classes}\nnn.Linear(..., out_features={sizes[-1]})   # the last layer, if there are {sizes[-1]} classes",
        lambda f: f.of_classes,
        is_own=lambda f: f.of_classes,
    ),
    sure(
        "layers-directions",
        (reason("reshape", "size", "got"), reason("reshape-of-state", "layers")),
        "x = x[-1]   # the state of the last layer: ({got_sizes})",
        lambda f: f.layers > 1,
    ),
    sure(
        "batch-first",
        "attention-batch",
        lambda f: (
            "nn.MultiheadAttention(..., batch_first=True)   # if query, key and value are (batch, steps, features)"
            + (
                f"\n{f.of_query}   # if the layer has it, and the query is a state: (batch, layers, units)"
                * bool(f.of_query)
            )
        ),
        lambda f: f.of_attention,
    ),
    sure(
        "steps",
        reason("reshape-of-other-steps", "x", "told", steps="x[1]", units="x[2]"),
        lambda f: (
            f"{f.name} = {f.x[1]}   # where the sizes are chosen: the steps of the data"
            if f.name
            else f"# make the layers for {f.x[1]} steps, or give the data {f.told} steps"
        ),
        lambda f: f.told,
    ),
    sure(
        "reshape",
        (reason("reshape", "size", "got"), reason("reshape-windows", rows="sizes[0]", T="sizes[1]")),
        lambda f: _windows(f.sizes[1]),
        # A reshape makes blocks that do not overlap if their size divides the number of entries.
        lambda f: f.of_windows and 0 not in f.sizes and f.size % prod(f.sizes[1:]) and f.sizes[0] >= f.sizes[1],
    ),
    strong(
        "reshape",
        (
            reason("reshape", "size", "got"),
            reason("reshape-features", "features", rows=lambda f: prod(f.sizes[:-2]), width="sizes[-1]"),
        ),
        lambda f: (
            f"x = x.reshape({format_sizes((*f.sizes[:-1], f.features))})   # the {f.features} features of a row; the layer then needs this input_size"
        ),
        lambda f: f.features and not f.of_attention,
    ),
    likely(
        "reshape",
        # A slice drops entries, and a reshape is not meant to.
        (
            reason("reshape", "size", "got"),
            reason("reshape-left-over", rest="rest", width="sizes[-1]", left=lambda f: f.rest % f.sizes[-1]),
        ),
        lambda f: (
            f"x = x[..., :{f.rest - f.rest % f.sizes[-1]}].reshape({format_sizes(f.sizes)})   # if the {f.rest} are its last axis"
        ),
        lambda f: f.rest and not f.of_attention,
    ),
    Rule(
        "reshape",
        lambda f: Fit.PLAUSIBLE if f.rest else Fit.STRONG,
        (
            reason("reshape", "size", "got"),
            reason(
                "reshape-of-one-axis",
                axis="other_axis",
                came=lambda f: f.told_x[f.other_axis],
                wanted=lambda f: f.sizes[f.other_axis],
                when=lambda f: f.other_axis is not None,
            ),
            reason(
                "reshape-last-axis",
                "size",
                rows=lambda f: prod(f.sizes[:-1]),
                features="of_last_axis",
                width="sizes[-1]",
                when=lambda f: f.of_last_axis and f.keeps_first,
            ),
            reason("reshape-last-batch", count="of_last", rows="sizes[0]", when=lambda f: f.of_last),
        ),
        _reshape_lines,
        lambda f: not (f.of_attention or f.features or f.of_classes),
    ),
)


def _other_axis(x: Shape, sizes: Shape) -> int | None:
    """Return the only axis in which a new shape differs from that of the array, if no factor as large as a batch lies between."""
    differ = differing_axes(x, sizes)
    if len(x) != len(sizes) or len(x) < 2 or len(differ) != 1 or min(*x, *sizes) < 1:
        return None
    larger, smaller = sorted((x[differ[0]], sizes[differ[0]]), reverse=True)
    return differ[0] if larger % smaller or larger // smaller <= FEWEST_SEQUENCES else None


def _told_steps(x: Shape, sizes: Shape) -> int:
    """Return the steps for which (batch, steps, units) is flattened, if x has others; 0 if it does not differ so."""
    if len(x) != 3 or len(sizes) != 2 or sizes[1] < 1 or sizes[1] % x[2] or sizes[0] not in (-1, x[0]):
        return 0
    told = sizes[1] // x[2]
    return told if 1 < told != x[1] else 0


def _with_a_rest(size: int, sizes: Shape) -> int:
    """Return the entries that the last two sizes are to hold, if they are whole rows and a part of one; else 0."""
    before = prod(sizes[:-2])
    if len(sizes) < 3 or min(sizes) < 1 or sizes[-2] == 1 or size % before:
        return 0
    rest = size // before
    return rest if rest // sizes[-1] == sizes[-2] and rest % sizes[-1] else 0


def _last_batch(size: int, sizes: Shape) -> int:
    """Return the first axis that is left for the entries, if it may be a smaller batch than the first of the sizes; else 0."""
    rest = prod(sizes[1:])
    if len(sizes) < 2 or min(sizes) < 1 or size % rest or not like_batch(sizes[0]):
        return 0
    count = size // rest
    # A batch of more axes that is cut in equal parts has another reason, such as a second direction.
    return count if 0 < count < sizes[0] and (sizes[0] % count or len(sizes) == 2 or sizes[0] >= 4 * count) else 0


def _features_of_row(size: int, sizes: Shape) -> int:
    """Return the features of x if rows of one step each were to have another number of them; else 0."""
    before = prod(sizes[:-2])
    if len(sizes) < 3 or min(sizes) < 1 or sizes[-2] != 1 or size % before:
        return 0
    features = size // before
    return features if features % sizes[-1] else 0


def _is_open(reading: Reading, size: int, sizes: Shape) -> bool:
    """Whether the reader's line leaves one size open by -1, which NumPy leaves out of its message."""
    if reading.framework == "NumPy" and -1 not in sizes:
        return "-1" in reading.own_code if reading.own else size > 2 * prod(sizes)
    return sizes.count(-1) == 1 and (sizes[-1] > 0 or len(sizes) == 2)


def _takes_batch_of_x(reading: Reading) -> bool:
    """Whether the reader's line reshapes to the batch of its array, such as ``x.view(x.size(0), -1)``, or of a call."""
    written = r"(?:reshape|view)\(.{0,40}?(?:\.shape\[0\]|\.size\(0\)|len\()"
    # A model of PyTorch takes the batch from its x.
    return bool(reading.own) and (reading.framework == "PyTorch" or bool(re.search(written, reading.code)))


def _is_of_attention(reading: Reading) -> bool:
    """Whether PyTorch itself reshapes, as it gives each head its part of the features."""
    is_written = re.search(r"\.view|reshape", reading.code)
    return "multi_head_attention" in reading.whole or "MultiheadAttention" in reading.whole and not is_written


@diagnoses("reshape")
def reshape(reading: Reading) -> Diagnosis:
    size = reading.size("size") if "size" in reading.values else prod(reading.shape("x"))
    sizes = reading.shape("got")
    x = reading.operands[0].shape if reading.operands else ()
    told = _told_steps(x, sizes)
    named = [name for name, value in reading.numbers.items() if value == told]
    told_x = reading.shape("x") if "x" in reading.values else ()
    of_last = _last_batch(size, sizes) if reading.framework == "PyTorch" else 0
    facts = Facts(
        size=size,
        is_torch=reading.framework == "PyTorch",
        got=reading.values["got"],
        sizes=sizes,
        x=x,
        told=told,
        name=named[0] if len(named) == 1 else "",
        told_x=told_x,
        other_axis=_other_axis(told_x, sizes),
        of_query=_with_state_as_query(reading),
        **facts_of_rows(reading, size, sizes),
        layers=_layers_of_state(reading, size, sizes),
        got_sizes=format_sizes(sizes),
        of_classes=rows_of_last_axis(reading) if len(sizes) == 2 and sizes[0] == -1 else "",
        of_last_axis=0 if of_last else _features_of_steps(size, sizes),
        keeps_first=_takes_batch_of_x(reading),
        of_windows=reading.framework == "NumPy" and len(sizes) == 3 and sizes[1] > 1 and size == sizes[0] * sizes[2],
        is_open=_is_open(reading, size, sizes),
        rest=_with_a_rest(size, sizes),
        of_last=of_last,
        features=0 if of_last else _features_of_row(size, sizes),
        of_attention=_is_of_attention(reading),
    )
    return Diagnosis("reshape", facts, RESHAPE, {"entries": size})


RESHAPE_MULTIPLE: Rules = rules_of(
    "reshape_multiple",
    "reshape",
    strong(
        "reshape",
        reason("reshape-multiple", "got"),
        "# the entries of x must be a multiple of {got}: cut the data to whole sequences, or choose other sizes",
    ),
)


RESHAPE_UNSAID: Rules = rules_of(
    "reshape_unsaid",
    "reshape",
    strong(
        "reshape",
        "reshape-unsaid",
        "x = x.reshape(len(x), -1)   # one row for each sample\n# print x.shape: the product of the new sizes must be x.size",
    ),
    notes=(Statement("no-sizes"),),
)
