"""The initial state of a layer."""

import ast
import re
from typing import Any

from core.shapes.explanation import Fit, Statement
from core.shapes.layer_shapes import GivenSizes, LayerSizes, Shape, differing_axes, format_shape, format_sizes
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.joins.loaders import STATE_OF_DEVICES
from core.shapes.rules.products.recurrent_weights import OF_OUTPUT
from core.shapes.rules.read_layer import MOST_STACKED, given_to, stand_in, told_cells
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.rules.states.state_batches import BATCH
from core.shapes.rules.states.state_ranks import before_loop
from core.shapes.user_code.evidence import (
    failed_operation,
    has_constant_batch,
    has_state_of_layer,
    is_number_of_steps,
    makes_own_state,
    reads_batch_first,
    runs_on_devices,
    takes_packed,
)
from core.shapes.user_code.frames import is_written
from core.shapes.user_code.index_lines import with_slice_of_steps
from core.shapes.user_code.recurrent_lines import begun_anew, carried_state, gives_single_step, kept_state


def _wanted_state(facts: Facts) -> dict[str, Shape]:
    return {facts.name: facts.wanted}


def _axis_differs(at: int, code: str, fit: Fit, *, fewest: int = 1) -> Rule:
    """Return the rule for one axis of a state, of which at least so many differ."""
    return Rule(
        code,
        fit,
        (reason("state-axis", "name", at=lambda f: at, got=lambda f: f.got[at], wanted=lambda f: f.wanted[at]),),
        "{zeros}",
        lambda f: at in f.differ and len(f.differ) >= fewest,
        _wanted_state,
    )


# ---- another number of axes --------------------------------------------------------------------


def _with_axes(facts: Facts) -> str:
    """Return the line that adds or takes away an axis of 1, or a new state where another size differs too."""
    names, wanted, got = facts.names, facts.wanted, facts.got
    for at in range(len(wanted)):
        if wanted == (*got[:at], 1, *got[at:]):
            return f"{advised_lines.each(names, f'{{}}.unsqueeze({at})')}   # {format_shape(wanted)}"
    for at in range(len(got)):
        if got == (*wanted[:at], 1, *wanted[at:]):
            return f"{advised_lines.each(names, f'{{}}.squeeze({at})')}   # {format_shape(wanted)}"
    return facts.zeros


STATE_OF_OTHER_AXES: Rules = (
    sure(
        "unbatched",
        reason("state-axes", "name", axes=lambda f: len(f.got), wanted=lambda f: len(f.wanted)),
        _with_axes,
        conform=_wanted_state,
    ),
)

# ---- a state without a batch, (layers·directions, units) ---------------------------------------

UNBATCHED_STATE: Rules = (
    sure(
        "transpose",
        reason("state-turned", "name"),
        lambda f: f"{advised_lines.each(f.names, '{}.T')}   # {format_shape(f.wanted)}",
        lambda f: f.got == f.wanted[::-1] and f.got != f.wanted,
        _wanted_state,
    ),
    _axis_differs(0, "layers-directions", Fit.STRONG),
    _axis_differs(1, "hidden-size", Fit.STRONG),
)

# ---- a state with a batch: the axis that differs is the diagnosis ------------------------------


def _is_exchanged(facts: Facts) -> bool:
    """Whether hidden_size and num_layers were exchanged."""
    return facts.wanted[0] <= MOST_STACKED and facts.wanted[0] != facts.got[0] and facts.got == facts.wanted[::-1]


_EXCHANGED: Rules = (
    sure(
        "swapped-arguments",
        (
            reason(
                "state-layers-implausible",
                layers="wanted[0]",
                units="wanted[2]",
                rows="got[0]",
                units_of_state="got[2]",
                when=lambda f: not _is_exchanged(f),
            ),
            reason(
                "state-exchanged",
                layers="wanted[0]",
                units="wanted[2]",
                layers_of_state="got[0]",
                units_of_state="got[2]",
                when=_is_exchanged,
            ),
        ),
        lambda f: advised_lines.making(f.cells, f"..., hidden_size={f.got[2]}, num_layers={f.got[0]}"),
        lambda f: _is_exchanged(f) or f.wanted[0] > MOST_STACKED and f.wanted[0] != f.got[0],
        lambda f: {f.name: f.got},
    ),
    sure(
        "transpose",
        reason("state-turned-if-unbatched", "name"),
        lambda f: f"{advised_lines.each(f.names, '{}.T')}   # if x has no batch",
        lambda f: _is_exchanged(f) and f.got[1] == 1 and f.x is None,
        _wanted_state,
    ),
)


def _first_state(facts: Facts) -> str:
    """Return the line that makes the first state of a loop for this layer; empty if no line gives the state and gets it back."""
    if facts.kept:
        return str(facts.kept)
    # An encoder may have given it, so that zeros would lose what it read.
    is_longer = facts.differ == [0] and facts.got[0] > facts.wanted[0]
    zeros = f"{{}}.new_zeros({facts.wanted[0]}, {{}}.size(1), {facts.wanted[-1]})"
    line = before_loop(facts.carried, f"{{}}[-{facts.wanted[0]}:]" if is_longer else zeros)
    if not line or not facts.layer:
        return line
    size = _of_one_direction(facts) if facts.differ == [0] else f"hidden_size={facts.got[-1]}"
    return f"{line}\n{facts.layer} = {advised_lines.making(facts.cells, f'..., {size}', 'if the state is right')}"


def _of_one_direction(facts: Facts) -> str:
    """Return the arguments of a layer with a layer for each slice of the state; an odd number of slices has one direction."""
    return f"num_layers={facts.got[0]}" + ", bidirectional=False" * (facts.wanted[0] % 2 == 0)


def _with_layers(facts: Facts) -> str:
    """Return the lines for a state of another number of layers or directions; those that keep it first, if a layer gave it."""
    anew = (
        facts.zeros if "\n" in facts.zeros else f"{facts.zeros}   # (num_layers * num_directions, batch, hidden_size)"
    )
    if len(facts.got) != 3:
        return anew
    is_twice = facts.got[0] == 2 * facts.wanted[0]
    lines = []
    if facts.x is None and facts.name == "h0" and (is_twice or facts.of_layer):
        arguments = f"..., {_of_one_direction(facts)}"
        lines = [advised_lines.making(facts.cells, arguments, "if a layer of as many layers gave it")]
    # In a loop both change nothing the second time.
    if is_twice:
        of_encoder = advised_lines.each(facts.names, f"{{}}.view({facts.wanted[0]}, -1, *{{}}.shape[1:]).sum(1)")
        summed = f"{of_encoder}   # if a layer of two directions gave it: their sum"
        lines = [summed, *lines] if facts.of_layer else [*lines, summed]
    elif facts.got[0] == 1:
        copies = advised_lines.each(facts.names, f"{{}}.expand({facts.wanted[0]}, -1, -1).contiguous()")
        lines.append(f"{copies}   # if another layer gave it: a copy for each layer and direction")
    return "\n".join([*lines, anew] if facts.of_layer else [anew, *lines])


def _with_units(facts: Facts) -> str:
    lines = [facts.zeros]
    if len(facts.names) > 1 and facts.got[-1] > facts.wanted[-1]:
        only = f"{facts.name} = torch.zeros({format_sizes(facts.wanted)})"
        lines.append(f"{only}   # with proj_size, where c0 keeps hidden_size")
    if facts.x is None and facts.name == "h0":
        made = advised_lines.making(facts.cells, f"..., hidden_size={facts.got[-1]}", "if another layer gave h0")
        # One unit is rather a wrong argument of the layer.
        lines.insert(0 if facts.of_layer or facts.wanted[-1] == 1 else len(lines), made)
    return "\n".join(lines)


STATE: Rules = (
    STATE_OF_DEVICES,
    *_EXCHANGED,
    OF_OUTPUT,
    sure(
        "layers-directions",
        reason("state-of-directions", "name", rows="got[0]", units="got[2]"),
        lambda f: (
            f"{advised_lines.each(f.names, 'torch.cat(({}[0::2], {}[1::2]), dim=-1)')}   # both directions of each layer beside each other"
        ),
        lambda f: f.differ == [0, 2] and f.got[0] == 2 * f.wanted[0] and f.wanted[2] == 2 * f.got[2],
        _wanted_state,
    ),
    sure(
        "batch-first",
        reason("state-batch-in-front", "name", batch="got[0]"),
        lambda f: (
            f.kept
            or before_loop(f.carried, "{}.transpose(0, 1).contiguous()")
            or f"{advised_lines.each(f.names, '{}.transpose(0, 1).contiguous()')}   # {format_shape(f.wanted)}"
        ),
        lambda f: f.differ == [0, 1] and f.got[:2] == f.wanted[1::-1],
        _wanted_state,
        lambda f: f.kept or f.carried,
    ),
    strong(
        "layers-directions",
        (
            reason("state-layers", "name", layers="wanted[0]", rows="got[0]"),
            reason(
                "two-directions-count-twice", when=lambda f: f.wanted[0] == 2 * f.got[0] or f.got[0] == 2 * f.wanted[0]
            ),
        ),
        lambda f: _first_state(f) or _with_layers(f),
        lambda f: f.differ == [0],
        _wanted_state,
        _first_state,
    ),
    *BATCH,
    strong(
        "hidden-size",
        (
            reason("state-units", "name", units="wanted[-1]", units_of_state="got[-1]"),
            reason("state-units-twice", when=lambda f: f.got[-1] == 2 * f.wanted[-1]),
        ),
        lambda f: _first_state(f) or _with_units(f),
        lambda f: f.differ == [2],
        _wanted_state,
        _first_state,
    ),
    _axis_differs(0, "layers-directions", Fit.REMOTE, fewest=2),
    _axis_differs(1, "batch-size", Fit.REMOTE, fewest=2),
    _axis_differs(2, "hidden-size", Fit.REMOTE, fewest=2),
)


# Facts that a reader's text may tell; where sizes are chosen there is no text.
_UNTOLD = {
    "is_own": False,  # the model makes the state for each call
    "of_layer": False,  # another layer gave the state, by its name
    "of_packed": False,  # x is a packed sequence, by its name
    "batch_first": None,  # as the program makes the layer
    "of_named_steps": False,  # the text names the batch that the layer read as a number of steps
    "of_constant": None,  # the program makes the state with a constant batch
    "of_written": False,
    "is_parallel": False,
    "trains": False,
    "of_step": False,
    "carried": (),
    "keeps": False,  # a loop over the batches carries the state
    "sliced": "",  # the reader's line with a slice of the steps, and not of the sequences
    "kept": "",  # the line that begins without the state that an attribute keeps
    "begun_anew": "",  # the line that calls the loop which carries the state, without a state
    "layer": "",
    "batch": "",  # the code that reads the batch from x
}


def rules_of_state(
    cells: tuple[str, ...], name: str, wanted: Shape, got: Shape, x: Shape | None = None, **told: Any
) -> tuple[Rules, Facts]:
    """Return the rules for an initial state of PyTorch, and their facts.

    Parameters
    ----------
    cells : tuple of str
        The layers that it may be the state of.
    name : {"h0", "c0"}
    wanted, got : Shape
        Of the layer, and of its input.
    x : Shape, optional
        Where the sizes are chosen. A message doesn't tell it, nor whether the rest of the state was made alike.
    **told
        In place of `_UNTOLD`.
    """
    # PyTorch looks at h0 first.
    names = ("h0", "c0") if (cells, name) == (("LSTM",), "h0") and x is None else (name,)
    batch = str(told.get("batch", "")) or None
    sizes = ", ".join(batch if at == 1 and batch else str(size) for at, size in enumerate(wanted))
    zeros = f"{' = '.join(names)} = torch.zeros({sizes})"
    if len(wanted) == len(got) == 3 and wanted[1] == got[1] == 1 and x is None:
        # PyTorch gives a state without a batch one of 1 before it looks at it.
        zeros += f"\n{' = '.join(names)} = torch.zeros({wanted[0]}, {wanted[2]})   # if x has no batch"
    facts = Facts(cells=cells, name=name, names=names, wanted=wanted, got=got, x=x, zeros=zeros, **_UNTOLD | told)
    facts.differ = differing_axes(wanted, got)
    # With proj_size, c0 has other units than h0.
    if facts.kept:
        facts.zeros = facts.kept
    elif name == "c0" and x is None and facts.differ != [len(wanted) - 1]:
        facts.zeros = "c0 = torch.zeros_like(h0)"
    if len(got) != len(wanted):
        return STATE_OF_OTHER_AXES, facts
    return STATE if len(wanted) == 3 else UNBATCHED_STATE, facts


def _is_split(got: Shape, wanted: Shape) -> bool:
    """Whether a state has the batch of several devices, and its first axis is divided among them."""
    if len(got) != 3 or len(wanted) != 3 or not 0 < got[0] < wanted[0]:
        return False
    return wanted[1] > 2 and wanted[0] * wanted[1] == got[0] * got[1] and wanted[2] == got[2]


def _batch_of_x(reading: Reading) -> str:
    """Return the code that reads the batch of x from x itself."""
    if takes_packed(reading):
        return "int(x.batch_sizes[0])"
    axis = {True: "0", False: "1", None: "0 if layer.batch_first else 1"}[reads_batch_first(reading)]
    return f"x.size({axis})"


def _is_batch_of_x(reading: Reading, wanted: Shape, got: Shape) -> bool:
    """Whether an advised state takes its batch from x: not where the number in a message without a line is right."""
    # PyTorch gives x and a state without a batch one of 1, so x may have no axis for it.
    has_batch = len(wanted) == len(got) == 3 and not wanted[1] == got[1] == 1
    return has_batch and (bool(reading.own) or wanted[1] != got[1])


@diagnoses("state")
def state(reading: Reading) -> Diagnosis:
    wanted, got = reading.shape("expected"), reading.shape("got")
    name = "c0" if reading.values["which"] == "[1]" or reading.message.startswith("Expected cell") else "h0"
    cells = told_cells(reading)
    sizes = dict(zip(("layers × directions", "batch", "k"), wanted)) if len(wanted) == 3 else {"k": wanted[-1]}
    if len(wanted) == 3 and wanted[0] % 2:
        sizes |= {"layers": wanted[0], "directions": 1}
    rules, facts = rules_of_state(
        cells,
        name,
        wanted,
        got,
        is_own=makes_own_state(reading),
        of_layer=has_state_of_layer(reading),
        of_packed=takes_packed(reading),
        batch_first=reads_batch_first(reading),
        of_named_steps=len(wanted) == 3
        and is_number_of_steps(reading, wanted[1])
        and not is_number_of_steps(reading, got[len(got) // 2]),
        of_constant=has_constant_batch(reading),
        kept=kept_state(reading, format_shape(wanted)),
        batch=_batch_of_x(reading) if _is_batch_of_x(reading, wanted, got) else "",
    )
    facts.is_parallel = runs_on_devices(reading) or _is_split(got, wanted)
    # A line that called the model may tell the order of the axes.
    facts.of_written = facts.differ == [1] and len(wanted) == 3 and is_written(reading, got[1], wanted[1])
    facts.trains = bool(re.search(r"\btrain\w{0,20}\(", reading.own_code))
    facts.of_step, facts.carried, call = gives_single_step(reading), carried_state(reading), failed_operation(reading)
    given = ast.unparse(call.names["x"]) if call is not None and "x" in call.names else ""
    facts.is_step_first = bool(re.search(r"unsqueeze\(0\)|\[None\]|(?:view|reshape)\(1,", given))
    facts.keeps = bool(facts.carried) and not (len(reading.own) == 1 and "self." in reading.own_code)
    facts.begun_anew = begun_anew(reading, _batch_of_x(reading)) if facts.differ == [1] and len(wanted) == 3 else ""
    facts.sliced = with_slice_of_steps(reading) if len(reading.own) > 1 else ""
    facts.layer = ast.unparse(call.names["layer"]) if call is not None and "layer" in call.names else ""
    is_implausible = len(wanted) == 3 and wanted[0] > MOST_STACKED
    return Diagnosis(
        Statement("initial-state-of-layer", {"name": name}),
        facts,
        rules,
        sizes,
        (Statement("implausible-layers", {"layers": wanted[0]}),) if is_implausible else (),
        *_layer_of_state(cells[-1], name, wanted, got),
    )


def _layer_of_state(cell: str, name: str, wanted: Shape, got: Shape) -> tuple[LayerSizes | None, GivenSizes | None]:
    """Return the layer that wants such a state, and its inputs, with stand-ins for what the message does not say."""
    layer = stand_in("PyTorch", cell, k=wanted[2], layers=wanted[0]) if len(wanted) == 3 else None
    if layer is None or wanted[0] > MOST_STACKED:
        return None, None
    other = wanted if cell == "LSTM" else None
    states = {"h0": got, "c0": other} if name == "h0" else {"h0": wanted, "c0": got}
    return layer, given_to(layer, (5, wanted[1], layer.m), **states)
