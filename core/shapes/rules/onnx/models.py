"""A node of an exported model that was made for other sizes, and inputs that are missing."""

import re
from collections.abc import Callable
from typing import Any

from core.shapes.layer_shapes import Shape, format_shape
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import plausible, strong, sure
from core.shapes.rules.read_layer import NAME_OF_STATE
from core.shapes.rules.rule import Diagnosis, Facts, Reason, Rule, Rules, diagnoses, first_of, never, reason, rules_of
from core.shapes.user_code.onnx_inputs import one_at_a_time, with_fed, with_names, with_states, without_fed

_INPUT = "input-of-model"


def _export(name: str, axes: str) -> str:
    """Return the export of a model of which these axes of an input may have any size."""
    return f'torch.onnx.export(..., dynamic_axes={{"{name}": {{{axes}}}}})'


_EXPORTED = (
    _export("x", '0: "batch", 1: "steps"') + "   # axes of any size\n"
    "x = x.reshape(x.size(0), -1)   # before the export: sizes from x in the model, no constants"
)


def _by_code(
    codes: tuple[str, ...], change: str | Callable[[Facts], str], *why: Reason, is_own: Callable[[Facts], Any] = never
) -> Rules:
    """Return a rule for each mistake, which applies if the facts name it as their code."""

    def of(code: str) -> Rule:
        return strong(code, why, change, lambda f: f.code == code, is_own=is_own)

    return tuple(map(of, codes))


# The batch stands first, and a state has it second.
ONNX_NODE = _by_code(
    ("batch-size", "steps"), lambda f: _EXPORTED, reason("node-sizes", "left", "right"), reason("node-of-export")
)


def _written(reading: Reading, name: str) -> str:
    """Return a size, or a shape without the braces of ONNX Runtime."""
    text = reading.values[name]
    return text if text.isdecimal() else format_shape(reading.shape(name))


@diagnoses("onnx_node")
def onnx_node(reading: Reading) -> Diagnosis:
    """Diagnose a node that combines an input with what the export has kept, by the axis that differs."""
    left, right = (_written(reading, name) for name in ("left", "right"))
    axis = reading.size("axis") if "axis" in reading.values else 0
    if "requested" in reading.message:
        x, wanted = reading.shape("left"), reading.shape("right")
        axis = 1 if x[:1] == wanted[:1] else 0
        if found := _of_flat_steps(reading, x, wanted):
            return found
    return Diagnosis(_INPUT, Facts(left=left, right=right, code="steps" if axis == 1 else "batch-size"), ONNX_NODE)


FLAT_STEPS = sure(
    "steps",
    (reason("node-sizes", "left", "right"), reason("node-of-steps", "wanted", "k", entries="right[-1]")),
    "# x must have {wanted} steps",
    own="own",
)


def _of_flat_steps(reading: Reading, x: Shape, wanted: Shape) -> Diagnosis | None:
    """Return the diagnosis of a model that reads all steps as one row, and so takes a fixed number of them; None if it does not."""
    if len(x) != 3 or len(wanted) != 2 or min(x) < 1 or wanted[-1] % x[-1] or wanted[-1] == x[1] * x[2]:  # noqa: PLR2004 (axes)
        return None
    steps = wanted[-1] // x[-1]
    new = f"{{}}[:, -{steps}:]" if x[1] > steps else f"np.pad({{}}, ((0, 0), ({steps - x[1]}, 0), (0, 0)))"
    facts = Facts(left=format_shape(x), right=wanted, wanted=steps, k=x[-1], own=with_fed(reading, "", new))
    return Diagnosis(_INPUT, facts, FLAT_STEPS)


FEED_LACKS = sure(
    "inputs",
    reason("feed-lacks", "names"),
    lambda f: (
        f"{f.own}   # by the names of the model"
        if f.own
        else f"session.run(None, {{{f.feed}}})   # an array for each input; states start as zeros"
    ),
    is_own=lambda f: f.own,
)


@diagnoses("feed_lacks")
def feed_lacks(reading: Reading) -> Diagnosis:
    """Diagnose a call without some inputs, such as the states of a recurrent layer."""
    missing = re.findall(r"'([\w.:/-]{1,60})'", reading.values["names"])
    given = re.findall(r"'([\w.:/-]{1,60})'", reading.values["given"])
    names = {name: re.sub(r"\W", "_", name) for name in [*given, *missing]}
    feed = ", ".join(f'"{name}": {variable}' for name, variable in names.items())
    # An input beside them has its name already.
    are_states = all(map(NAME_OF_STATE.search, missing)) and not any(map(NAME_OF_STATE.search, given))
    own = with_states(reading, missing) if are_states else with_names(reading, missing, given)
    return Diagnosis(_INPUT, Facts(names=", ".join(missing) or "?", feed=feed, own=own), FEED_LACKS)


FEED_UNKNOWN = sure(
    "inputs",
    reason("feed-unknown", "name"),
    "# a feed with the names of the model alone",
    own="own",
    note="print([one.name for one in session.get_inputs()])",
)


@diagnoses("feed_unknown")
def feed_unknown(reading: Reading) -> Diagnosis:
    """Diagnose an array under a name that no input of the model has, such as a state that was not exported."""
    name = reading.values["name"]
    return Diagnosis(_INPUT, Facts(name=name, own=without_fed(reading, name)), FEED_UNKNOWN)


TENSOR_AXIS = _by_code(
    ("batch-size", "steps", "input-size"),
    'interpreter.resize_tensor_input(interpreter.get_input_details()[0]["index"], x.shape)   # then allocate_tensors()\n'
    "# or give the model the size for which it was converted",
    reason("tensor-axis", "axis", "got", "wanted"),
)


@diagnoses("tensor_axis")
def tensor_axis(reading: Reading) -> Diagnosis:
    """Diagnose an input of a model of TensorFlow Lite, whose sizes are fixed."""
    axis = reading.size("axis")
    code = {0: "batch-size", 1: "steps"}.get(axis, "input-size")
    facts = Facts(axis=axis, got=reading.size("got"), wanted=reading.size("expected"), code=code)
    return Diagnosis(_INPUT, facts, TENSOR_AXIS)


# ---- an input of another size than that of the export ------------------------------------------


# A larger size is more likely the number of steps.
_LARGEST_BATCH = 512


def _open_axis(facts: Facts) -> str:
    """Return the lines that give the batch an axis of its own, and that export the model with an axis of any size."""
    each = f'[session.run(None, {{"{facts.of}": one[None]}}) for one in x]   # one sample at a time'
    batch = f"{each}\n" if (facts.axis, facts.wanted) == (0, 1) and not facts.own else ""
    words = {"input-size": ("feature", "features"), "hidden-size": ("unit", "units")}.get(facts.code)
    if words and not facts.own:
        return f"# {facts.of} must have {advised_lines.counted(facts.wanted, *words)} along axis {facts.axis}, as in the training: the weights fix this number"
    exported = _export(facts.of, f'{facts.axis}: "size"')
    own = f"{facts.own}   # {facts.words}\n" if facts.own else ""
    return f"{own}{batch}{exported}   # if this axis may have any size; else give it {facts.wanted}"


MODEL_AXIS = _by_code(
    ("input-size", "hidden-size", "batch-size", "layers-directions", "steps"),
    _open_axis,
    reason("model-axis", "axis", "of", "got", "wanted"),
    is_own=lambda f: f.own,
)


def _in_size(reading: Reading, code: str) -> tuple[str, str]:
    """Return the reader's line with an array of the model's size, and its condition; both empty if the line has no such array."""
    name, got, wanted = reading.values["of"], reading.size("got"), reading.size("expected")
    if code == "input-size" and got > wanted:
        return with_fed(reading, name, f"{{}}[..., :{wanted}]"), f"if the first {wanted} are those of the model"
    if code == "batch-size" and 1 < wanted < got:
        return with_fed(reading, name, f"{{}}[:{wanted}]"), f"the first {wanted} along axis 0"
    if code == "batch-size" and wanted == 1 < got:
        return one_at_a_time(reading, name), "one sample at a time"
    if code == "steps" and got > wanted:
        return with_fed(reading, name, f"{{}}[:, -{wanted}:]"), f"the last {wanted} steps"
    if code == "steps":
        padded = f"np.pad({{}}, ((0, 0), ({wanted - got}, 0), (0, 0)))"
        return with_fed(reading, name, padded), "zeros before the first step"
    return "", ""


@diagnoses("axis_of")
def axis_of(reading: Reading) -> Diagnosis:
    """Diagnose an axis of an input that the exported model has in another size."""
    axis, got, wanted = reading.size("axis"), reading.size("got"), reading.size("expected")
    if NAME_OF_STATE.search(reading.values["of"]):
        code = {1: "batch-size", 2: "hidden-size"}.get(axis, "layers-directions")
    else:
        is_batch = axis == 0 or wanted & (wanted - 1) == 0 and wanted <= _LARGEST_BATCH
        code = "input-size" if axis == 2 else "batch-size" if is_batch else "steps"
    facts = Facts(axis=axis, of=reading.values["of"][:40], got=got, wanted=wanted, code=code)
    facts.own, facts.words = _in_size(reading, code)
    return Diagnosis(_INPUT, facts, MODEL_AXIS, {"got": got, "expected": wanted})


TWO_AXES: Rules = first_of(
    sure(
        "batch-first",
        reason("model-axes-exchanged", "axis", "axis2"),
        "x = np.swapaxes(x, {axis}, {axis2})",
        lambda f: f.is_exchanged,
        own="own",
    ),
    plausible(
        "batch-size",
        reason("model-axes", "axis", "got", "wanted", "axis2", "got2", "wanted2"),
        "# export with dynamic axes",
    ),
)


@diagnoses("two_axes")
def two_axes(reading: Reading) -> Diagnosis:
    """Diagnose two axes of an input that the exported model has in other sizes."""
    wanted, got, wanted2, got2 = map(reading.size, ("expected", "got", "expected2", "got2"))
    facts = Facts(
        axis=reading.values["axis"],
        axis2=reading.values["axis2"],
        wanted=wanted,
        got=got,
        wanted2=wanted2,
        got2=got2,
        is_exchanged=(wanted, got) == (got2, wanted2),
        own=with_fed(reading, "", f"np.swapaxes({{}}, {reading.values['axis']}, {reading.values['axis2']})"),
    )
    return Diagnosis(_INPUT, facts, TWO_AXES)


# ---- the axes of a recurrent node --------------------------------------------------------------

ONNX_SQUEEZE: Rules = rules_of(
    "onnx_squeeze",
    "axis",
    strong(
        "reshape",
        (reason("squeeze-of-axis", "axis", "got"), reason("axes-of-onnx-output")),
        'helper.make_tensor("axes", onnx.TensorProto.INT64, [1], [1])   # the directions, after an LSTM, GRU or RNN\n'
        "# elsewhere: an axis of 1, or no Squeeze",
    ),
)


ONNX_LENGTHS = sure(
    "lengths",
    (reason("lengths-within-steps", "steps"), reason("node-of-export")),
    lambda f: (
        f"{f.own or f'lengths = np.clip(lengths, 1, {f.steps}).astype(np.int32)'}   # if x really has {f.steps} steps\n"
        + _export("x", '0: "batch", 1: "steps"')
        + "   # if the model was exported with this number of steps"
    ),
    is_own=lambda f: f.own,
)


@diagnoses("onnx_lengths")
def onnx_lengths(reading: Reading) -> Diagnosis:
    steps = reading.size("steps")
    own = with_fed(reading, re.compile("len", re.IGNORECASE), f"np.clip({{}}, 1, {steps})")
    return Diagnosis("lengths", Facts(steps=steps, own=own), ONNX_LENGTHS)


ONNX_LAYOUT: Rules = rules_of(
    "onnx_layout",
    "axes-of-x",
    sure(
        "batch-first",
        "onnx-layout",
        "x = np.swapaxes(x, 0, 1)   # (steps, batch, features), and layout=0 in the node; states are (directions, batch, units)",
    ),
)


# ---- weights of a node -------------------------------------------------------------------------

ONNX_WEIGHT: Rules = first_of(
    strong(
        "input-size",
        reason("onnx-weight", "which", "got", "wanted"),
        "# x must have as many features as W has columns",
        lambda f: f.is_for_x,
    ),
    sure(
        "transpose",
        reason("onnx-weight", "which", "got", "wanted"),
        "{which} = np.swapaxes({which}, 1, 2)   # (directions, gates · units, entries); R as well",
        lambda f: f.got == (f.wanted[0], *f.wanted[:0:-1]),
    ),
    strong(
        "checkpoint",
        reason("onnx-weight", "which", "got", "wanted"),
        "# export the model anew",
    ),
)


@diagnoses("onnx_weight")
def onnx_weight(reading: Reading) -> Diagnosis:
    """Diagnose W, whose last axis follows x, or R, which is for h and has sizes of its own."""
    wanted, got, which = reading.shape("expected"), reading.shape("got"), reading.values["which"]
    facts = Facts(wanted=wanted, got=got, which=which, is_for_x=which == "W" and wanted[:-1] == got[:-1])
    sizes = {"m" if which == "W" else "k": wanted[-1]}
    return Diagnosis("weights-of-node", facts, ONNX_WEIGHT, sizes)
