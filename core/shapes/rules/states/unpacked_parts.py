"""More names, or fewer, than the parts of what a layer, a shape or a batch of data returns."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import likely, plausible, possible, strong, sure
from core.shapes.rules.read_layer import named_cell
from core.shapes.rules.rule import Diagnosis, Facts, Rules, always, diagnoses, first_of, reason
from core.shapes.rules.states.state_in_cell import pair_for_cell
from core.shapes.rules.states.state_pairs import pair
from core.shapes.user_code.evidence import (
    calls_of_line,
    unpacks_pair,
)
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.tuple_unpacking import (
    all_after_output,
    loop_over_all_parts,
    parts_of_keras,
    states_joined,
    unpacked,
)


def _lines_for(cell: str | None, *lines: tuple[tuple[str, ...], str]) -> str:
    """Return the lines for a cell, or all if the text names none."""
    return "\n".join(line for cells, line in lines if cell in (None, *cells))


def _other_parts(facts: Facts) -> str:
    """Return the lines that take another number of parts from a value."""
    names, value = ", ".join(facts.targets), facts.value
    if facts.is_loop and facts.of_all:
        return f"{facts.of_all}   # the first and the last parts; between them are others, such as lengths"
    if facts.is_loop:
        return f"len(next(iter({value})))   # the number of parts, each of which needs a name in the loop"
    one = f"{facts.targets[0]} = {value}   # if it is one array"
    if facts.too_many and facts.of_batch:
        last = facts.targets[-1]
        between = f"{', '.join(facts.targets[:-1])}, *_, {last} = {value}   # if the targets come last, behind lengths or a mask"
        return f"{between}\n{names}, *_ = {value}   # if the first {len(facts.targets)} parts are meant\n{one}"
    return f"{one}\n{names}, *rest = {value}   # if it has more parts" if facts.too_many else one


def _sizes_of(facts: Facts) -> str:
    """Return the line that reads as many sizes as the array has, or that gives it as many."""
    if facts.too_many:
        return f"{', '.join(facts.targets)}, *_ = {facts.array}.shape   # the first {len(facts.targets)} sizes"
    return f"{facts.array} = {facts.array}[None]   # if it is one sequence without its batch"


_UNPACKED = (
    reason("unpacked-parts", "value", when=lambda f: not f.of_batch),
    reason("unpacked-batch", "value", when=lambda f: f.of_batch),
)


def _is_of_batch(facts: Facts) -> bool:
    """Whether a batch of a data loader is unpacked, by its name."""
    return bool(re.search(r"batch$|data$", facts.value)) and not facts.is_loop


_TORCH = re.compile(r"torch|in forward\b|\bnn\.|batch_first|\bh_?n\b|\(h_?[n0], c_?[n0]\)")
_KERAS = re.compile(r"keras|in call\b|tensorflow|\btf\.|return_state|initial_state|state_[hc]\b|latent_dim|\blayers\.")


def _library(reading: Reading) -> dict[str, bool]:
    """Return whether the text speaks of PyTorch or of Keras, by names that people use in one of them."""
    is_keras = bool(_KERAS.search(reading.whole))
    return {"is_keras": is_keras, "is_torch": not is_keras and bool(_TORCH.search(reading.whole))}


def _layer_of_line(reading: Reading) -> str:
    """Return the name of what the reader's line calls."""
    called = next((one.func for one in calls_of_line(reading) if is_stored(one.func)), None)
    return ast.unparse(called) if called else "layer"


_PARTS_OF_LAYER = (
    reason("state-as-pair", when=lambda f: not f.is_keras),
    reason("states-of-keras", when=lambda f: not f.is_torch),
)

UNPACK: Rules = (
    sure(
        "packed",
        "unpacked-packed",
        lambda f: (
            f"{f.targets[0]} = {f.packs}.data   # the entries of all steps, without the padding"
            if f.packs and f.targets[1:] == ("_",)
            else f"{', '.join(f.targets)}, *_ = {f.packs or f.value}"
        ),
        lambda f: f.kind == "packed",
    ),
    sure(
        "state-tuple",
        "cell-unpacks-states",
        "self.state_size = [{units_of_cell}, {units_of_cell}]   # in __init__ of the cell: a size for each state",
        lambda f: f.units_of_cell,
    ),
    sure("unbatched", "unpack-sizes", _sizes_of, lambda f: f.array),
    likely(
        "lengths",
        reason("unpacked-lengths", "value"),
        "{targets[0]} = {value}   # without the lengths\n"
        "TEXT = data.Field(include_lengths=True)   # in torchtext, with them",
        lambda f: f.kind == "lengths",
    ),
    likely(
        "state-tuple",
        reason("unpacked-state", "value"),
        "{targets[0]} = {value}   # of a GRU or an RNN",
        lambda f: f.kind == "state",
    ),
    plausible("unbatched", _UNPACKED, _other_parts, lambda f: f.value and not f.kind),
    plausible(
        "state-tuple",
        (reason("unpack-two"), *_PARTS_OF_LAYER),
        lambda f: (
            f.parts
            if f.parts
            else f"{f.whole}   # if the output comes first, and all others after it" + f.with_states
            if f.whole
            else "output, h, c = layer(x)   # an LSTM of Keras with return_state=True"
            if f.is_keras
            else _lines_for(
                f.cell,
                (("LSTM",), "output, (h_n, c_n) = layer(x)   # an LSTM"),
                (("GRU", "RNN"), "output, h_n = layer(x)   # a GRU or an RNN"),
                (("GRU", "RNN"), "h = cell(x, h)   # a GRUCell or an RNNCell"),
            )
        ),
        lambda f: not (f.array or f.value or f.of_predict or f.carry or f.units_of_cell),
        is_own=lambda f: f.whole and not f.parts,
    ),
    sure("state-tuple", "carry-of-lstm", lambda f: f.carry, lambda f: f.carry, is_own=always),
    strong(
        "inputs",
        "unpacked-outputs",
        lambda f: (
            f"{f.targets[0]} = {f.of_predict}   # the one output\n"
            f"keras.Model(x, [{', '.join(f.targets)}])   # or a model with all of these as outputs"
        ),
        lambda f: f.of_predict,
        is_own=lambda f: f.of_predict,
    ),
)


UNPACK_MORE: Rules = first_of(
    sure("unbatched", "unpack-sizes", _sizes_of, lambda f: f.array),
    plausible("unbatched", _UNPACKED, _other_parts, lambda f: f.value),
    possible(
        "unbatched",
        reason("unpacked-otherwise", "wanted"),
        "# print the shape or the length of what is unpacked: it must have {wanted} parts",
    ),
)


@diagnoses("unpack_more")
def unpack_more(reading: Reading) -> Diagnosis:
    """Diagnose other numbers of names than those of a state: most often the sizes of an array with an axis too few or too many."""
    line = unpacked(reading)
    facts = Facts(
        wanted=reading.size("wanted"),
        too_many="too many" in reading.message,
        targets=line.targets if line else (),
        array=line.shape_of if line else "",
        value=line.value if line and not line.is_call and not line.shape_of else "",
        is_loop=line is not None and line.is_loop,
        of_all=loop_over_all_parts(reading) if "too many" in reading.message else "",
    )
    facts.of_batch = _is_of_batch(facts)
    return Diagnosis("state-or-output", facts, UNPACK_MORE)


# Not unpacked, and not backpack.
_PACKED = re.compile(r"\bpack(?:ed)?(?:_\w{1,40})?\b|_packed\b|\bbatch_sizes\b|PackedSequence")


_PACKS = re.compile(r"(?:\w{1,40}\.){0,4}pack_(?:padded_)?sequence\(")


def _kind_of_parts(facts: Facts) -> str:
    """Return what a stored value seems to be, by the names of its parts: "packed", "lengths", "state" or nothing."""
    if facts.too_many and _PACKED.search(" ".join((*facts.targets, facts.value))):
        return "packed"
    if not facts.is_loop and re.search(r"_len|lens\b", facts.targets[-1]):
        return "lengths"
    return "state" if re.fullmatch(r"h\w{0,20} c\w{0,20}", " ".join(facts.targets)) else ""


# How a library unpacks the state that it was given.
_UNPACKS_STATE = re.compile(r"\b(?:hx?, cx?|h_tm1, c_tm1|\(?h, c\)?) = (?:hidden|hx|states?|carry)\b(?! ?\[)")


# The only state that Keras gave to a cell of the reader's.
_STATE_OF_CELL = re.compile(
    r"received by \w{1,60}\.call\(\):.{0,300}states=[\[(]'?[^()]{0,30}\(shape=\(\w{1,9}, (\d{1,9})\)[^()]{0,40}\)'?,?[\])]"
)


@diagnoses("unpack")
def unpack(reading: Reading) -> Diagnosis:
    if "packages" in reading.below_own and reading.own and _UNPACKS_STATE.search(reading.below_own):
        return pair(reading)
    # One state is no pair, so the layer is no LSTM.
    cell = "GRU" if unpacks_pair(reading) else named_cell(reading)
    too_many, line = "too many" in reading.message, unpacked(reading)
    facts = Facts(
        cell=cell,
        **_library(reading),
        too_many=too_many,
        targets=line.targets if line else (),
        array=line.shape_of if line else "",
        value=line.value if line and not line.is_call and not line.shape_of else "",
        is_loop=line is not None and line.is_loop,
        parts=parts_of_keras(reading, line) if too_many and reading.framework == "Keras" else "",
        whole=all_after_output(line) if too_many and not re.search(r"torch|jax|flax", reading.whole) else "",
        of_all=loop_over_all_parts(reading) if too_many else "",
        carry=pair_for_cell(reading) if "c, h = carry" in reading.whole else "",
        of_predict=line.value if line and re.search(r"\.predict\(", line.value) else "",
    )
    layer, made = _layer_of_line(reading), f"layers.{cell or 'GRU'}(..., return_state=True)   # where it is made"
    if too_many and facts.is_keras and re.search("gru", layer, re.IGNORECASE):
        facts.parts = f"{layer} = {made}: its output and its state"
    facts.with_states = f"\n{made}, if a layer of Keras returns its output alone" * (
        not facts.is_torch and cell != "LSTM"
    )
    facts.of_batch = _is_of_batch(facts)
    facts.packs = line.value if line and too_many and _PACKS.match(line.value) else ""
    given = None if too_many else _STATE_OF_CELL.search(reading.whole)
    facts.units_of_cell = given[1] if given else ""
    facts.value = "" if given else facts.value
    facts.kind = "packed" if facts.packs else _kind_of_parts(facts) if facts.value else ""
    about = "state-or-output" if facts.array or facts.value else "state-of-layer"
    return Diagnosis(about, facts, UNPACK[:1] if facts.packs else UNPACK)


def _of_shape(reading: Reading) -> tuple[bool | None, str]:
    """Return whether the reader's line reads a shape, None if the text has no such line, and the name of the array."""
    line = unpacked(reading)
    if line is None and not reading.own:
        return None, "x"
    name = line.shape_of if line else ""
    return bool(name) or bool(re.search(r"\.shape\b|\.size\(", reading.own_code)), name or "x"


UNPACK_STATES: Rules = (
    plausible(
        "state-tuple",
        "unpack-states",
        lambda f: (
            "output, h_forward, c_forward, h_backward, c_backward = layer(x)   # a Bidirectional LSTM of Keras with return_state=True"
            + f.joined
        ),
        lambda f: not f.of_shape,
    ),
    plausible(
        "unbatched",
        "unpack-shape",
        "{x} = {x}.reshape(*{x}.shape[:2], -1)   # if its shape is read, and all axes after the second are features",
        lambda f: f.of_shape is not False,
    ),
)


@diagnoses("unpack_states")
def unpack_states(reading: Reading) -> Diagnosis:
    """Diagnose more than three values: the states of two directions, or the axes of a shape."""
    of_shape, x = _of_shape(reading)
    return Diagnosis("state-or-output", Facts(of_shape=of_shape, x=x, joined=states_joined(reading)), UNPACK_STATES)


def _two_parts(facts: Facts) -> str:
    """Return the lines for three names and a call that returns two values, in the library that the text tells."""
    one_state = "output, h_n = layer(x)   # a GRU or an RNN, which have no c"
    if facts.is_keras and facts.cell == "LSTM":
        return f"{facts.layer} = layers.LSTM(..., return_state=True)   # where it is made, if it is a GRU there\n{one_state}"
    pair = "output, (h_n, c_n) = layer(x)   # an LSTM" + " of PyTorch" * (not facts.is_torch)
    known = facts.cell if facts.is_torch else None
    return one_state if facts.is_keras else _lines_for(known, (("LSTM",), pair), (("GRU", "RNN"), one_state))


UNPACK_THREE: Rules = (
    plausible(
        "state-tuple",
        (reason("unpack-three"), *_PARTS_OF_LAYER),
        _two_parts,
        lambda f: not f.of_shape,
    ),
    plausible(
        "unbatched",
        "unpack-axes",
        "{x} = {x}[..., None]   # if its shape is read, and each step is one number: (samples, steps, 1)\n"
        "{x} = {x}[None]   # if its shape is read, and it is one sample: (1, steps, features)",
        lambda f: f.of_shape is not False,
    ),
)


@diagnoses("unpack_three")
def unpack_three(reading: Reading) -> Diagnosis:
    of_shape, x = _of_shape(reading)
    facts = Facts(cell=named_cell(reading), of_shape=of_shape, x=x, layer=_layer_of_line(reading), **_library(reading))
    return Diagnosis("output-of-layer", facts, UNPACK_THREE)
