"""An axis that an array does not have, a size that is read from it, and a squeeze of an axis of another size than 1."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import format_shape
from core.shapes.messages import Reading, shape
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.keras.data import list_of_samples
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.user_code.changed_calls import changed_call, line_with
from core.shapes.user_code.evidence import calls_of_line, failed_operation, failed_statement, is_loss, nodes_of_line
from core.shapes.user_code.frames import with_batch_of_one
from core.shapes.user_code.operations import axis_of_call
from core.shapes.user_code.removed_code import failed_unsqueeze, without_squeeze
from core.shapes.user_code.syntax_trees import attribute_of, expression, function_of, give


def _within_axes(facts: Facts) -> str:
    """Return the line that names the last axis, if the reader's line names one, or the line that adds the batch."""
    if facts.widened:
        return str(facts.widened)
    name = facts.unsqueeze.array if facts.unsqueeze and facts.unsqueeze.array else "output"
    batched = f"{name} = {name}.unsqueeze(0)   # if the batch is missing: one sequence"
    at_end = facts.unsqueeze.at_end if facts.unsqueeze else ""
    at_end = at_end and f"{at_end}   # the last axis that unsqueeze can add"
    if facts.caller and facts.unsqueeze:
        batched = f"{facts.caller}   # the line that calls the model, if it gives one sequence: a batch of one"
        return f"{batched}\n{at_end}".strip()
    if at_end:
        return f"{at_end}\n{batched}"
    last = f"dim = {facts.got - 1}   # the last axis"
    return f"{last}\n{batched}" if facts.names_axis and not facts.has_one else f"{batched}\n{last}"


NO_DIMENSION: Rules = (
    sure(
        "indexing",
        reason("permuted-axes", "permuted", axes="got"),
        own="all_axes",
        note="all axes, the others in their order",
    ),
    sure(
        "unbatched",
        reason("permuted-fewer", "permuted", axes="got"),
        "output = output.flatten(2)   # if all axes after the second are one\n"
        "output = output.squeeze(-1)   # if the last axis is 1",
        lambda f: f.permuted == 3 and f.got == 4 and not f.all_axes,
    ),
    sure(
        "indexing",
        (reason("no-dimension", axes="got"), reason("squeezed-twice", axis="at")),
        lambda f: (
            (f"{f.without}   # without squeeze({f.at})" if f.without else f"# leave squeeze({f.at}) out")
            + f"\n{f.last_squeezed}   # if the last axis is 1" * bool(f.without and f.last_squeezed)
        ),
        lambda f: f.is_squeezed,
    ),
    strong(
        "unbatched",
        (reason("no-dimension", axes="got"), reason("squeeze-before", call="unsqueeze.squeeze")),
        lambda f: f"{f.unsqueeze.without}   # without {f.unsqueeze.squeeze}",
        lambda f: f.squeezed_before,
    ),
    strong(
        "concatenate-axis",
        (reason("no-dimension", axes="got"), reason("vectors-of-list", axis="at")),
        own="stacked",
        note="a new axis, along which each vector is an entry",
    ),
    Rule(
        "indexing",
        lambda f: Fit.LIKELY if f.of_squeeze or f.stacked else Fit.STRONG,
        (reason("no-dimension", axes="got"), reason("one-axis-left", when=lambda f: f.has_one)),
        _within_axes,
        is_own=lambda f: f.widened,
        when=lambda f: not (f.is_squeezed or f.squeezed_before) and not (f.permuted == 3 and f.got == 4 or f.all_axes),
    ),
)


def _last_squeezed(reading: Reading) -> str:
    """Return the reader's line with squeeze(-1) as its only squeeze; empty if it has none, or more."""
    line = ast.unparse(failed_statement(reading) or ast.Pass())
    found = re.findall(r"\.squeeze\((?:-?\d)?\)", line)
    return line.replace(found[0], ".squeeze(-1)") if len(found) == 1 else ""


def _with_all_axes(reading: Reading, axes: int) -> str:
    """Return the reader's line with the axes that its permute leaves out; empty if it has none, or names as many."""

    def completed(call: ast.Call) -> None:
        call.args += [ast.Constant(axis) for axis in range(axes) if str(axis) not in map(ast.unparse, call.args)]

    given = [[ast.unparse(axis) for axis in one.args] for one in calls_of_line(reading, "permute")]
    is_one = len(given) == 1 and len(set(given[0])) == len(given[0]) < axes and axes < MOST_PERMUTED
    return changed_call(reading, ("permute",), completed) if is_one and all(map(str.isdecimal, given[0])) else ""


MOST_PERMUTED = 4


def _stacked(reading: Reading) -> str:
    """Return the reader's line with a stack in place of a join of a list; empty if the line joins no list by its name."""
    names = {"torch.cat": "torch.stack", "torch.concat": "torch.stack", "torch.concatenate": "torch.stack"}
    for node in calls_of_line(reading):
        joined = names.get(ast.unparse(node.func), "")
        if joined and node.args and isinstance(node.args[0], ast.Name):
            return ast.unparse(failed_statement(reading) or node).replace(ast.unparse(node.func), joined, 1)
    return ""


# How people name what has one step, beside which another array has the axis of steps.
_OF_STEP = re.compile(r"emb|word|tok|inp|^x$|context|ctx", re.IGNORECASE)


def _joined_with_axis(reading: Reading, at: int, got: int) -> str:
    """Return the reader's lines with another axis for the first array that it concatenates; empty if it joins none along this axis."""
    for call in calls_of_line(reading, "cat", "concat"):
        parts = getattr(call.args[0], "elts", []) if call.args else []
        axis = axis_of_call(call)
        if at != got or len(parts) != 2 or axis is None or ast.unparse(axis) != str(at):
            continue
        like = [ast.unparse(one.args[0]) for one in parts[1:] if function_of(one) == "unsqueeze" and one.args]
        rest = [f"{line_with(reading, axis, str(got - 1))}   # along the last axis, if both have as many axes"]
        widened = attribute_of(parts[0], "unsqueeze")
        lines = [
            f"{line_with(reading, parts[0], f'{widened}({place})')}   # {when}"
            for place, when in (
                ("1", "if the other array is (batch, 1, entries)"),
                ("0", "if the other array is (1, batch, entries)"),
            )
            if got == 2 and (not like or place in like)
        ]
        is_step = like or _OF_STEP.search(ast.unparse(parts[0]))
        return "\n".join(lines + rest if is_step else rest + lines)
    return ""


# A loss of classes, which takes axis 1 of the predictions as the classes, and what else may name an axis 1.
_CLASS_LOSS = re.compile(r"\b(?:log_softmax|cross_entropy|nll_loss)\b|CrossEntropyLoss|NLLLoss")
_OTHER_AXIS = re.compile(r"(?:dim|axis) ?= ?1\b|[,(] ?1\)|\bcat\(|(?:RNN|LSTM|GRU)\w{0,4}\(")


def _is_of_class_loss(reading: Reading) -> bool:
    """Whether the line that failed is a loss of classes; without that line, whether nothing else in the text has an axis."""
    if reading.own:
        return is_loss(reading)
    return bool(_CLASS_LOSS.search(reading.whole)) and not _OTHER_AXIS.search(reading.whole)


@diagnoses("no_dimension")
def no_dimension(reading: Reading) -> Diagnosis:
    """Diagnose an axis beyond the last, by PyTorch's own range of axes or by the number of axes."""
    got = reading.size("most") + 1 if "most" in reading.values else reading.size("got")
    own = failed_operation(reading)
    named = re.findall(r"but got (-?\d{1,3})\b", reading.whole)
    at = reading.size("at") if "at" in reading.values else int(named[-1]) if named else got
    # An unsqueeze may add an axis behind the last one, so its range has one axis more than the array.
    unsqueeze = failed_unsqueeze(reading, at, got - 1) if "most" in reading.values else None
    got -= unsqueeze is not None
    is_squeezed, without = without_squeeze(reading, at)
    if got == at == 1 and not is_squeezed and _is_of_class_loss(reading):
        return DIAGNOSES["loss_axes"](reading._replace(values={"got": "1"}))
    facts = Facts(
        got=got,
        at=at,
        is_squeezed=is_squeezed,
        last_squeezed=_last_squeezed(reading) if got else "",
        unsqueeze=unsqueeze,
        caller=with_batch_of_one(reading),
        squeezed_before=unsqueeze is not None and bool(unsqueeze.squeeze),
        without=without,
        stacked=_stacked(reading) if got == at == 1 else "",
        widened=_joined_with_axis(reading, at, got),
        permuted=int(permuted[1]) if (permuted := re.search(r"len\(dims\) = (\d)", reading.whole)) else 0,
        all_axes=_with_all_axes(reading, got),
        of_squeeze=bool(re.search(r"(?<!un)squeeze\((?!-?\d\))\w{0,40}\)", reading.whole)),
        names_axis=own is not None and "dim" in own.names,
        # Such as a softmax over classes, of an array that lacks the batch.
        has_one=got == at == 1 and own is not None and {"dim", "output"} <= own.names.keys(),
    )
    return Diagnosis("index", facts, NO_DIMENSION, {"axes": got})


# The array of a squeeze in a node of TensorFlow.
_GIVEN = re.compile(r"Squeeze\w{0,3}\[.{1,200}?with input shapes: (\[[\d?,]{1,60}\])")


def _squeezed_at(reading: Reading, axis: int) -> str:
    """Return the reader's line with another axis in its squeeze; empty if it has no such call."""

    def changed(call: ast.Call) -> None:
        give(call, expression(str(axis)), "axis", "dim", at=-1)

    return changed_call(reading, ("squeeze",), changed)


SQUEEZE = strong(
    "reshape",
    "squeeze-of-more",
    "x = x.squeeze()   # all axes of size 1, and no other\nx = x[..., 0]   # if the first entry of the last axis is meant",
    own="lines",
)


@diagnoses("squeeze")
def squeeze(reading: Reading) -> Diagnosis:
    """Diagnose an axis of more entries, by the sizes in the message or without them."""
    given = _GIVEN.search(reading.whole)
    sizes = shape(given[1]) if given else ()
    # From the end, because a batch of one has an axis of 1 too.
    ones = [at - len(sizes) for at, size in enumerate(sizes) if size == 1][::-1]
    if not sizes and reading.own:
        ones = [-1]
    lines = [
        f"{line}   # the axis of size 1 in {format_shape(sizes)}" for at in ones if (line := _squeezed_at(reading, at))
    ]
    if not sizes:
        lines = [f"{one.partition('   # ')[0]}   # if the last axis has size 1" for one in lines]
    return Diagnosis("axis", Facts(lines="\n".join(lines)), SQUEEZE)


SHAPE_INDEX = Rule(
    "unbatched",
    lambda f: Fit.STRONG if f.of_shape else Fit.POSSIBLE,
    (reason("shape-indexed"),),
    lambda f: (
        f"LSTM(..., return_sequences=True)   # if a recurrent layer makes {f.x}; or GRU, SimpleRNN\n"
        * f.of_layer
        + f"{f.x} = {f.x}[..., None]   # before this line, if {f.x} is (samples, steps), and each step is one number\n"
        f"{f.x} = {f.x}[None]   # before this line, if {f.x} is one sample, (steps, features)"
    ),
)
# How people name what a recurrent layer of Keras gives.
_OF_LAYER = re.compile(r"(?:\w*_)?(?:outputs?|out|seq|lstm|gru|rnn)\w{0,4}$")


def _indexed_shape(reading: Reading) -> str:
    """Return the array of which the reader's line reads the size of the last axis; x if it is not plain which."""
    read = [
        (node.slice.value, ast.unparse(node.value.value))
        for node in nodes_of_line(reading)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "shape"
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, int)
    ]
    return max(read)[1] if read else "x"


@diagnoses("shape_index")
def shape_index(reading: Reading) -> Diagnosis:
    """Diagnose the size of an axis that an array lacks, or a number in a list that Keras takes apart."""
    if "tree.flatten(data)" in reading.whole:
        return list_of_samples(reading)
    x = _indexed_shape(reading)
    of_layer = "keras" in reading.whole.lower() and bool(_OF_LAYER.match(x))
    return Diagnosis("index", Facts(of_shape=".shape" in reading.whole, x=x, of_layer=of_layer), SHAPE_INDEX)
