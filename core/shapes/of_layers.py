"""Messages about what a layer is given: x, its first state, their axes and their batch."""

import re
from collections.abc import Iterable, Mapping
from math import prod

from core.shapes.explanation import Cause
from core.shapes.found import (
    MOST_STACKED,
    Found,
    cells_of,
    counted,
    given_to,
    is_round,
    listed,
    making,
    named_cell,
    shown,
    sizes_in,
    stand_in,
)
from core.shapes.layer import GivenSizes, LayerSizes, Shape
from core.shapes.messages import Reading


def state(reading: Reading) -> Found:
    """A first state of PyTorch, (layers·directions, batch, units): the axis that differs is the diagnosis."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    which = reading.said["which"]
    name = {"[0]": "h0", "[1]": "c0"}.get(which, "h0")
    # PyTorch counts the tensors of an LSTM's state, hidden[0] and hidden[1]; those of a GRU and an RNN are one.
    cells = ("LSTM",) if which else cells_of(reading, ("GRU", "RNN"))
    sizes = dict(zip(("layers·directions", "batch", "k"), wanted)) if len(wanted) == 3 else {"k": wanted[-1]}
    if len(wanted) == 3 and wanted[0] % 2:
        sizes |= {"layers": wanted[0], "directions": 1}
    causes = of_state(cells, name, wanted, got)
    return Found(
        f"the first state {name} of a layer",
        sizes,
        causes,
        _implausible(wanted),
        *_layer_of_state(cells[-1], name, wanted, got),
    )


def of_state(cells: tuple[str, ...], name: str, wanted: Shape, got: Shape, x: Shape | None = None) -> Iterable[Cause]:
    """What is wrong with a first state of PyTorch.

    Parameters
    ----------
    cells : tuple of str
        The layers that it may be the state of.
    name : {"h0", "c0"}
    wanted, got : Shape
        Of the layer, and of what it was given.
    x : Shape, optional
        Where the sizes are chosen. A message doesn't tell it, nor whether the rest of the state was made alike.

    Yields
    ------
    Cause
    """
    conform = {name: wanted}
    # PyTorch looks at h0 first.
    names = ("h0", "c0") if (cells, name) == (("LSTM",), "h0") and x is None else (name,)
    zeros = f"{' = '.join(names)} = torch.zeros({listed(wanted)})"
    if len(wanted) == len(got) == 3 and wanted[1] == got[1] == 1 and x is None:
        # PyTorch gives a state without a batch one of 1 before it looks at it.
        zeros += f"\n{' = '.join(names)} = torch.zeros({wanted[0]}, {wanted[2]})   # if x has no batch"
    if len(got) != len(wanted):
        why = f"{name} has {counted(len(got), 'axis', 'axes')}, and {len(wanted)} are wanted."
        yield Cause("unbatched", 9, why, _of_axes(names, wanted, got) or zeros, conform)
        return
    if len(wanted) != 3:  # without a batch
        yield from _of_unbatched_state(names, wanted, got, zeros)
        return
    differ = [axis for axis, (a, b) in enumerate(zip(wanted, got)) if a != b]
    yield from _of_exchanged(cells, names, wanted, got, x)
    if differ == [0, 1] and got[:2] == wanted[1::-1]:
        why = f"The first two axes are exchanged: {name} has the batch, {got[0]}, in front. It never has, with batch_first too."
        change = f"{_each(names, 'transpose(0, 1).contiguous()')}   # {shown(wanted)}"
        yield Cause("batch-first", 9, why, change, conform)
    if differ == [0]:
        twice = " A layer of two directions counts twice." if wanted[0] == 2 * got[0] or got[0] == 2 * wanted[0] else ""
        yield Cause(
            "layers-directions",
            8,
            f"Only the first axis differs: the layer has {wanted[0]} = layers × directions, and {name} was made for {got[0]}.{twice}",
            zeros if "\n" in zeros else f"{zeros}   # (num_layers * num_directions, batch, hidden_size)",
            conform,
        )
    if differ == [1]:
        yield from _of_batch(cells, got[1], name, zeros, conform, x)
    if differ == [2]:
        why = f"Only the last axis differs: the layer has {wanted[-1]} units, and {name} was made for {got[-1]}."
        if got[-1] == 2 * wanted[-1]:
            why += " It is twice as large: two directions belong on the first axis. Or the layer has a proj_size, the entries of h; then only c has hidden_size."
        only = f"\n{name} = torch.zeros({listed(wanted)})   # with proj_size, where c0 keeps hidden_size"
        yield Cause("hidden-size", 8, why, zeros + only * (len(names) > 1 and got[-1] > wanted[-1]), conform)
    if len(differ) > 1:
        codes = ("layers-directions", "batch-size", "hidden-size")
        for at in differ:
            yield Cause(codes[at], 3, f"Axis {at} is {got[at]} and must be {wanted[at]}.", zeros, conform)


def _each(names: tuple[str, ...], method: str) -> str:
    """Return the line that calls a method of each of these tensors and keeps the results."""
    return f"{', '.join(names)} = {', '.join(f'{name}.{method}' for name in names)}"


def _of_exchanged(
    cells: tuple[str, ...], names: tuple[str, ...], wanted: Shape, got: Shape, x: Shape | None
) -> Iterable[Cause]:
    """hidden_size and num_layers were exchanged."""
    name = names[0]
    change = making(cells, f"..., hidden_size={got[2]}, num_layers={got[0]}")
    if wanted[0] > MOST_STACKED and wanted[0] != got[0]:
        why = f"{wanted[0]} layers of {wanted[2]} units are implausible, and the state is for {counted(got[0], 'row')} of {got[2]}: num_layers was given another number."
        yield Cause("swapped-arguments", 9, why, change, {name: got})
    elif wanted[0] != got[0] and got == wanted[::-1]:
        why = f"{wanted[0]} layers of {wanted[2]} units were made, and the state is of {got[0]} layers of {got[2]}: hidden_size and num_layers are exchanged."
        yield Cause("swapped-arguments", 9, why, change, {name: got})
        if got[1] == 1 and x is None:
            change = f"{_transposed(names)}   # if x has no batch"
            yield Cause("transpose", 9, f"{name} lies on its side, if x has no batch.", change, {name: wanted})


def _transposed(names: tuple[str, ...]) -> str:
    return f"{', '.join(names)} = {', '.join(f'{name}.T' for name in names)}"


def _of_axes(names: tuple[str, ...], wanted: Shape, got: Shape) -> str | None:
    """Return the line that adds or takes away an axis of 1; None where the state is of another size too."""
    for at in range(len(wanted)):
        if wanted == (*got[:at], 1, *got[at:]):
            return f"{_each(names, f'unsqueeze({at})')}   # {shown(wanted)}"
    for at in range(len(got)):
        if got == (*wanted[:at], 1, *wanted[at:]):
            return f"{_each(names, f'squeeze({at})')}   # {shown(wanted)}"
    return None


def _of_unbatched_state(names: tuple[str, ...], wanted: Shape, got: Shape, zeros: str) -> Iterable[Cause]:
    """The same of a state without a batch, (layers·directions, units)."""
    name = names[0]
    if got == wanted[::-1] and got != wanted:
        change = f"{_transposed(names)}   # {shown(wanted)}"
        yield Cause("transpose", 9, f"{name} lies on its side.", change, {name: wanted})
    for at, (code, a, b) in enumerate(zip(("layers-directions", "hidden-size"), wanted, got)):
        if a != b:
            yield Cause(code, 8, f"Axis {at} is {b} and must be {a}.", zeros, {name: wanted})


def _of_batch(
    cells: tuple[str, ...], of_state: int, name: str, zeros: str, conform: Mapping[str, Shape], x: Shape | None
) -> Iterable[Cause]:
    """The batch of x differs from that of a state: another batch, or the steps taken for the batch."""
    of_x = conform[name][1]
    other = "is smaller, as the last one of a data set is" if of_x < of_state else "is another one"
    of_steps = of_x < of_state and not like_batch(of_state)
    yield Cause(
        "batch-size",
        6,
        f"Only the batch differs: the layer reads {of_x} from x, and {name} was made for {of_state}. Either this batch {other}, or the state was carried over from another one.",
        f"{zeros}   # from x of this call, not from a constant; or DataLoader(..., drop_last=True)",
        conform,
    )
    # If h0 was right, the layer reads the right axis; and x must have the other size somewhere.
    if name == "c0" or (x and of_state not in x[:2]):
        return
    if x and x[0] == of_x:
        batch_first = making(
            cells, "..., batch_first=False", f"if x is ({of_x}, {of_state}, features), steps and batch"
        )
    else:
        batch_first = making(cells, "..., batch_first=True", f"if x is ({of_state}, {of_x}, features), batch and steps")
    of_axis = f"{zeros}   # if {of_state} are the steps: take the batch from the other axis of x"
    yield Cause(
        "batch-first",
        7 if of_steps else 4 if 1 in (of_x, of_state) or like_batch(of_x) and like_batch(of_state) else 6,
        f"{of_state if of_steps else of_x} may be the number of steps: either x is (batch, steps, features) and the layer reads its second axis as the batch, or the state was made from the wrong axis of x.",
        f"{of_axis}\n{batch_first}" if of_steps else batch_first,
        conform,
    )


def like_batch(size: int) -> bool:
    """Whether somebody may have chosen it for a batch."""
    return size & (size - 1) == 0 or size % 10 == 0


def _implausible(wanted: Shape) -> tuple[str, ...]:
    if len(wanted) == 3 and wanted[0] > MOST_STACKED:
        return (
            f"{wanted[0]} = layers × directions is implausible: hidden_size and num_layers may be exchanged where the layer was made.",
        )
    return ()


def _layer_of_state(cell: str, name: str, wanted: Shape, got: Shape) -> tuple[LayerSizes | None, GivenSizes | None]:
    """The layer that wants such a state, with stand-ins for what the message does not say."""
    layer = stand_in("PyTorch", cell, k=wanted[2], layers=wanted[0]) if len(wanted) == 3 else None
    if layer is None or wanted[0] > MOST_STACKED:
        return None, None
    other = wanted if cell == "LSTM" else None
    states = {"h0": got, "c0": other} if name == "h0" else {"h0": wanted, "c0": got}
    return layer, given_to(layer, (5, wanted[1], layer.m), **states)


def features(reading: Reading) -> Found:
    """The last axis of x is not what the layer was made for."""
    wanted = reading.size("expected")
    got = reading.size("got") if "got" in reading.said else reading.shape("shape")[-1]
    if got < 0:  # such as (None, None, None)
        cause = Cause(
            "input-size",
            5,
            f"The layer was made for {wanted} entries; how many came is not said.",
            f"Input((None, {wanted}))",
            {},
        )
        return Found("the last axis of x", {"m": wanted}, [cause])
    if reading.framework == "Keras" and "dense" in reading.whole.lower():
        return _of_dense(reading, wanted, got)
    is_cell = "inconsistent" in reading.message
    cells, suffix = cells_of(reading), "Cell" if is_cell else ""
    made = making(cells, f"input_size={got}, hidden_size=...", suffix=suffix)
    if reading.framework == "Keras":
        made = f"Input((None, {got}))"

    def causes() -> Iterable[Cause]:
        looks_like_k, expected_k = is_round(got), is_round(wanted)
        yield Cause(
            "input-size",
            6,
            f"The layer was made for {wanted} entries in each step of x, and x has {got}.",
            made,
            {"x": (-1, wanted)},
        )
        if looks_like_k and not expected_k:
            later = making(cells, f"input_size={got}, hidden_size=...", "every layer after the first", suffix)
            if reading.framework == "Keras":
                later = (
                    "[layers.LSTM(units) for _ in range(number)]   # a layer of its own each time; or GRU, SimpleRNN"
                )
            yield Cause(
                "shared-cell",
                7 if is_cell and got & (got - 1) == 0 else 6,
                f"{got} looks like a number of units: then what comes is the h of the layer below, and this layer was made with the input size of the first, {wanted}.",
                later,
                {"input_size of layer 2": (got,)},
            )
        if reading.framework == "Keras":  # where no argument tells the features of x
            return
        yield from _of_arguments(cells, wanted, got, suffix)

    layer = stand_in("Keras" if reading.framework == "Keras" else "PyTorch", cells[0], m=wanted)
    return Found(
        "the last axis of x", {"m": wanted, "features of x": got}, causes(), (), layer, given_to(layer, (5, 3, got))
    )


def _of_arguments(cells: tuple[str, ...], wanted: int, got: int, suffix: str) -> Iterable[Cause]:
    """The sizes of a layer, or x and the state, were given in another order."""
    looks_like_k, expected_k = is_round(got), is_round(wanted)
    if expected_k and not looks_like_k:
        yield Cause(
            "swapped-arguments",
            6,
            f"{wanted} looks like a number of units, and {got} like features: input_size and hidden_size may be exchanged.",
            making(cells, f"input_size={got}, hidden_size={wanted}", suffix=suffix),
            {"x": (-1, got)},
        )
    if expected_k and looks_like_k:
        yield Cause(
            "swapped-arguments",
            5,
            f"Both look like numbers of units: the state may have been given before x, or {got} is the h of another layer.",
            "state = cell(x, state)   # x first" if suffix else "output, state = layer(x, state)   # x first",
            {"x": (-1, wanted)},
        )


def _of_dense(reading: Reading, wanted: int, got: int) -> Found:
    """A dense layer of Keras was built for other entries."""
    made = f"layers.Dense(units)   # a new one, which is built for {got} entries"
    more = " That is twice as many: a bidirectional layer gives both directions." if got == 2 * wanted else ""
    why = f"The dense layer was built for {wanted} entries and is given {got}.{more}"
    causes = [
        Cause("hidden-size", 8, why, made, {"x": (-1, wanted)}),
        Cause(
            "input-size", 3, f"The features of the data are {got}, and {wanted} were said.", made, {"x": (-1, wanted)}
        ),
    ]
    layer = stand_in("Keras", cells_of(reading)[0], m=wanted)
    sizes = {"m": wanted, "features of x": got}
    return Found("the last axis of x", sizes, causes, (), layer, given_to(layer, (5, 3, got)))


def state_units(reading: Reading) -> Found:
    """The state of a PyTorch cell has another number of units."""
    wanted, got = reading.size("expected"), reading.size("got")
    code = Cause(
        "hidden-size",
        8,
        f"The cell has {wanted} units, and the state was made for {got}.",
        _of_cell(reading, f"torch.zeros(x.size(0), {wanted})"),
        {"h": (-1, wanted)},
    )
    return Found("the state of a cell", {"k": wanted, "units of the state": got}, [code])


def _of_cell(reading: Reading, value: str) -> str:
    """Return the line for a cell of PyTorch that a text names, or for each that it may be.

    Parameters
    ----------
    reading : Reading
    value : str
        The new state, with ``{}`` in the place of the old one.
    """
    of_one = f"h = {value.replace('{}', 'h')}"
    of_pair = f"h, c = {value.replace('{}', 'h')}, {value.replace('{}', 'c')}" if "{}" in value else f"h = c = {value}"
    named = named_cell(reading)
    if named:
        return of_pair if named == "LSTM" else of_one
    return f"{of_one}   # of a GRUCell or an RNNCell\n{of_pair}   # of an LSTMCell"


def batch(reading: Reading) -> Found:
    """A PyTorch cell is given x of one batch and a state of another."""
    of_x, of_state = reading.size("x"), reading.size("state")

    def causes() -> Iterable[Cause]:
        # Without a batch of its own, the first axis of a state is its units.
        units = is_round(of_state) and of_state >= 4 * of_x and of_state >= 64
        if "[0]" in reading.said["which"] and units:
            yield Cause(
                "state-tuple",
                7,
                f"{of_state} looks like the units, not like a batch: one tensor was given where (h, c) belongs, and its first row was taken for h.",
                "h, c = cell(x, (h, c))",
                {"h": (of_x, of_state), "c": (of_x, of_state)},
            )
        yield Cause(
            "batch-size",
            6,
            f"x has a batch of {of_x}, and the state one of {of_state}.",
            _of_cell(reading, f"torch.zeros({of_x}, hidden_size)"),
            {"h": (of_x, -1)},
        )
        fit = 6 if is_round(of_state) and of_state > of_x else 3
        yield Cause(
            "unbatched",
            fit,
            f"{of_state} may be the units of a state without the batch axis.",
            _of_cell(reading, f"{{}}.expand({of_x}, -1)"),
            {"h": (of_x, of_state)},
        )

    return Found("the batch of a cell's state", {"batch": of_x, "batch of the state": of_state}, causes())


def rank(reading: Reading) -> Found:
    """x has an axis too many or too few."""
    wanted = max(sizes_in(reading.said["allowed"]), default=0)
    x = reading.shape("shape") if "shape" in reading.said else ()
    got = reading.size("got") if "got" in reading.said else len(x)
    fix = _axes_change(reading, got, wanted)
    sizes = {"axes": got} | ({"m": x[-1]} if x and x[-1] > 0 else {})

    def causes() -> Iterable[Cause]:
        # Without a known batch Keras speaks of a layer in a model; there a vector for each sample is most often the last h.
        if reading.framework == "Keras" and got == 2 and wanted == 3 and x and x[0] < 0:
            name = re.search(r"_(\d{1,6})['\"]? is incompatible", reading.message)
            fit = 8 if is_round(x[-1]) and name else 6 if name or is_round(x[-1]) else 4
            yield Cause(
                "return-sequences",
                fit,
                f"(None, {x[-1]}) is one vector for each sequence, as the recurrent layer below gives where return_sequences is False.",
                f"LSTM({x[-1]}, return_sequences=True)   # the layer below; or GRU, SimpleRNN",
                {"x": (-1, -1, x[-1])},
            )
        axes = "axis" if got == 1 else "axes"
        yield Cause(
            "unbatched",
            6,
            f"It has {got} {axes}, and {reading.said['allowed']} are wanted.",
            fix,
            {"x": (-1,) * min(wanted, 4)},
        )

    return Found("the axes of x", sizes, causes())


def _axes_change(reading: Reading, got: int, wanted: int) -> str:
    if reading.framework == "Keras":
        return "x = x.reshape(samples, timesteps, features)"
    if reading.framework != "PyTorch":
        return "x = x[:, np.newaxis]   # (steps, 1, features)" if got < wanted else "x = x.squeeze()"
    if wanted == 2 and got > 3:
        return "# a cell takes one step: (batch, features)"
    if wanted == 2 and got == 3:
        in_words = "one step at a time; if x is (batch, steps, features): x.unbind(1)"
        of_pair, of_one = "for x_t in x: h, c = cell(x_t, (h, c))", "for x_t in x: h = cell(x_t, h)"
        named = named_cell(reading)
        if named:
            return f"{of_pair if named == 'LSTM' else of_one}   # {in_words}"
        return f"{of_pair}   # an LSTMCell, {in_words}\n{of_one}   # a GRUCell or an RNNCell"
    return axes_change_of_layer(got)


def axes_change_of_layer(got: int) -> str:
    """Return the lines that give x the axes which a layer of PyTorch takes, each with its condition.

    Parameters
    ----------
    got : int
        How many axes x has.
    """
    if got == 1:
        return "x = x.unsqueeze(0)   # if x is one step: (1, features)\nx = x.unsqueeze(1)   # if each step is a single number: (steps, 1)"
    if got == 2:
        return (
            "x = x.unsqueeze(1)   # (steps, 1, features)\nx = x.unsqueeze(0)   # with batch_first: (1, steps, features)"
        )
    if got == 0:
        return "x = x.reshape(1, 1)   # one step of a single number"
    return "x = x.squeeze(0)   # if its first axis is 1\nx = x.flatten(2)   # if all axes after the second are features"


def state_rank(reading: Reading) -> Found:
    """A state has an axis too many or too few."""
    batched = reading.said.get("way") == "batched"
    of_cell = "which" in reading.said
    got = sizes_in(reading.said["got"])
    is_pair = len(got) == 2
    # Halved by taking its first row for h and its second for c, one tensor is an axis short.
    halves = batched and got == (2, 2)
    wanted = 2 if of_cell else reading.size("allowed")

    def causes() -> Iterable[Cause]:
        names = ("h0", "c0") if is_pair else ("h0",)
        has = " and ".join(
            f"{name} has {counted(axes, 'axis', 'axes')}"
            for name, axes in zip(names if is_pair else ("The state",), got)
        )
        # Only those that have not as many as are wanted.
        wrong = tuple(name for name, axes in zip(names, got) if axes != wanted) or names
        takes = f"{'Each' if is_pair else 'It'} must have {wanted}, as many as x."
        if of_cell:
            takes = "A cell takes one step, and its state has no axis for layers: (batch, units)."
            fix = _of_cell(reading, "{}.squeeze(0)")
        elif batched:
            fix = (
                f"{_each(wrong, 'unsqueeze(1).repeat(1, batch, 1)')}   # (layers, units)\n"
                f"{_each(wrong, 'unsqueeze(0)')}   # (batch, units)"
            )
        elif min(got, default=wanted) < wanted:
            fix = f"{_each(wrong, 'unsqueeze(0)')}   # (units,) of a single layer"
        else:
            fix = (
                f"{_each(wrong, 'squeeze(1)')}   # if its batch is 1\n"
                "x = x.unsqueeze(0)   # if x is one step of a batch: (1, batch, features)"
            )
        yield Cause("unbatched", 7, f"{has}. {takes}", fix, {})
        if halves or got == (1, 1):
            yield Cause(
                "state-tuple",
                7 if halves else 8,
                "If one tensor was given in the place of (h0, c0), its first two rows were taken for the two, and each lost an axis.",
                "output, (h_n, c_n) = layer(x, (h0, c0))",
                {},
            )

    return Found("the axes of the first state", {}, causes())


def lengths(reading: Reading) -> Found:
    """pack_padded_sequence is told the lengths of another batch."""
    got, of_x = reading.size("got"), reading.size("x")

    def causes() -> Iterable[Cause]:
        yield Cause(
            "batch-size",
            6,
            f"There are {counted(got, 'length')}, and x is read as a batch of {of_x}.",
            f"lengths = lengths[:{of_x}]   # if the first {of_x} are those of this batch"
            if got > of_x
            else f"# lengths needs {of_x} entries: one for each sequence of this batch",
            {"lengths": (of_x,)},
        )
        yield Cause(
            "batch-first",
            6 if of_x > got else 5,
            f"{of_x} may be the steps: without batch_first the second axis is the batch.",
            "packed = pack_padded_sequence(x, lengths, batch_first=True)",
            {"lengths": (got,)},
        )

    return Found("the lengths of a packed sequence", {"batch": of_x, "lengths": got}, causes())


def descending(reading: Reading) -> Found:
    cause = Cause(
        "sorted-lengths",
        9,
        "The lengths are not in descending order.",
        "packed = pack_padded_sequence(x, lengths, enforce_sorted=False)",
        {},
    )
    return Found("the lengths of a packed sequence", {}, [cause])


def last_step(call: str) -> str:
    """Return the lines that give the last step to a call, in both orders of the axes."""
    return f"{call.format('output[-1]')}   # the last step\n{call.format('output[:, -1]')}   # the last step, with batch_first=True"


def targets(reading: Reading) -> Found:
    """The loss is given predictions and targets of different numbers."""
    of_x, of_targets = reading.size("x"), reading.size("got")

    def causes() -> Iterable[Cause]:
        larger, smaller = max(of_x, of_targets), min(of_x, of_targets)
        if smaller and larger % smaller == 0 and of_x > of_targets and larger // smaller > 2:
            T = larger // smaller
            yield Cause(
                "batch-first",
                7,
                f"{of_x} is {T} times {of_targets}: {T} steps may have been flattened into the batch.",
                last_step("logits = linear({})")
                + "\ntargets = targets.flatten()   # if it has one target for each step",
                {},
            )
        if smaller and larger % smaller == 0 and of_targets > of_x and larger // smaller > 2:
            T = larger // smaller
            yield Cause(
                "batch-first",
                7,
                f"{of_targets} is {T} times {of_x}: there may be targets for {T} steps, and logits of one alone.",
                "logits = linear(output).flatten(0, 1)   # of all steps",
                {},
            )
        yield Cause(
            "batch-size",
            6,
            f"There are {counted(of_x, 'prediction')} and {counted(of_targets, 'target')}.",
            "# logits and targets must be of the same batch",
            {"targets": (of_x,)},
        )

    return Found("the loss", {"batch": of_x, "targets": of_targets}, causes())


def pair(reading: Reading) -> Found:
    """One tensor where a pair belongs, or a pair where one tensor does."""
    # Python says so of anything; beside a recurrent layer it is most often the state.
    is_of_layer = re.search("lstm|gru|rnn|keras|torch|flax", reading.whole.lower())
    fit = 9 if "argument" in reading.message or is_of_layer else 3
    given_pair = "tuple" in reading.message.lower() and "must be tuple" not in reading.message
    if given_pair:
        why = "A tuple was given where one tensor belongs: an LSTM returns (output, (h, c)), and only an LSTM takes (h, c)."
    elif "positional" in reading.message:
        why = "Three tensors were given. An LSTM takes x and the pair (h, c), in brackets."
    else:
        why = "One tensor was given where the pair (h, c) belongs."
    cause = Cause("state-tuple", fit, why, _pair_change(reading, given_pair), {})
    return Found("the state, or what the layer returned", {}, [cause])


def _pair_change(reading: Reading, given_pair: bool) -> str:
    """Return the call with the state that belongs there: of a cell or of a layer, whichever the text tells."""
    if reading.framework == "Keras":
        return "output = layer(x, initial_state=[h0, c0])"
    if reading.framework == "JAX":
        return "# the state must go in and come back with the same structure: (h, c), or h alone"
    is_cell = re.search(r"_cell\(\)|\b(?:LSTM|GRU|RNN)Cell\b", reading.whole)
    if not given_pair:
        return "h, c = cell(x, (h, c))" if is_cell else "output, (h_n, c_n) = layer(x, (h0, c0))"
    of_state = "h = cell(x, h)" if is_cell else "output, h_n = layer(x, h0)"
    of_output = "output, state = layer(x)   # then linear(output)"
    if "'hx'" in reading.message:
        return of_state
    if "'input'" in reading.message or "indices" in reading.message:
        return of_output
    if "hx.dim()" in reading.whole:  # PyTorch's own line, which asks for the axes of the state
        return "h = cell(x, h)" if "not in (1, 2)" in reading.whole else "output, h_n = layer(x, h0)"
    return (
        "output, h_n = layer(x, h0)   # if the tuple is the state of a GRU or an RNN\n"
        "h = cell(x, h)   # if it is that of a GRUCell or an RNNCell\n"
        f"{of_output}, if the tuple is what a layer returned"
    )


def unpack(reading: Reading) -> Found:
    """As `pair`, where Python itself says it."""
    cause = Cause(
        "state-tuple",
        6,
        "Two values were expected. If it is the state of a layer: an LSTM's state is (h, c), which is returned as the second of two.",
        "output, (h_n, c_n) = layer(x)   # an LSTM\noutput, h_n = layer(x)   # a GRU or an RNN\nh = cell(x, h)   # a GRUCell or an RNNCell",
        {},
    )
    return Found("the state of a layer", {}, [cause])


def unpack_three(reading: Reading) -> Found:
    """A layer returns two values, of which an LSTM's second is a pair."""
    cause = Cause(
        "state-tuple",
        6,
        "Three values were expected, and two came. An LSTM returns its output and the pair (h, c).",
        "output, (h_n, c_n) = layer(x)   # an LSTM",
        {},
    )
    return Found("what the layer returned", {}, [cause])


def target_shape(reading: Reading) -> Found:
    """The loss takes the classes on axis 1, and a batch of sequences has them last."""
    wanted, got = reading.shape("expected"), reading.shape("got")

    def causes() -> Iterable[Cause]:
        facts = f"The targets are {shown(got)}, and these logits ask for {shown(wanted)}."
        if wanted[:1] != got[:1]:
            change = "# logits and targets must be of the same batch"
            yield Cause(
                "batch-size", 7, f"{facts} The first axes differ: the batches differ.", change, {"targets": wanted}
            )
        why = f"{facts} The loss reads axis 1 of the logits as the classes. With logits of (batch, steps, classes) it takes the classes for steps."
        yield Cause("class-axis", 8 if wanted[:1] == got[:1] else 6, why, "logits = logits.transpose(1, 2)", {})

    return Found("the loss", {"batch": got[0]} if got else {}, causes())


def target_size(reading: Reading) -> Found:
    """A loss over single numbers takes targets of the very shape of its input."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    same = prod(wanted) == prod(got)
    why = f"The targets are {shown(got)}, and the predictions {shown(wanted)}."
    change = f"targets = targets.reshape({shown(wanted)})" if same else "# predictions and targets must have one shape"
    if same and {len(wanted), len(got)} == {1, 2}:
        why += " One of them has an axis of 1 that the other lacks."
    return Found("the loss", {}, [Cause("broadcast", 8, why, change, {"targets": wanted})])


def target_rank(reading: Reading) -> Found:
    """A loss over classes of (batch, classes) takes a vector of targets."""
    cause = Cause(
        "class-axis",
        8,
        "With logits of (batch, classes) the targets are a vector: a class for each of the batch.",
        "targets = targets.squeeze(1)   # if it is (batch, 1)\nlogits = logits.transpose(1, 2)   # if logits are (batch, steps, classes)",
        {},
    )
    return Found("the loss", {}, [cause])


def stateful(reading: Reading) -> Found:
    """A stateful layer of Keras was built for another batch."""
    wanted, got = reading.size("expected"), reading.size("got")
    shape = re.search(r"sequences?=tf\.Tensor\(shape=\((\d{1,9}), (\d{1,9}),", reading.whole)

    def causes() -> Iterable[Cause]:
        if shape and int(shape[2]) == wanted:
            yield Cause(
                "batch-first",
                8,
                f"The second axis of x is {wanted}: x is (steps, batch, features), and Keras wants the batch first.",
                "x = np.swapaxes(x, 0, 1)",
                {"x": (wanted, got, -1)},
            )
        yield Cause(
            "batch-size",
            7,
            f"The layer keeps a state for {wanted} sequences, and {got} came.",
            f"model.fit(x, y, batch_size={wanted})   # and a number of samples that {wanted} divides",
            {"x": (wanted, -1, -1)},
        )

    return Found("the batch of a stateful layer", {"batch": wanted}, causes())


def expected_shape(reading: Reading) -> Found:
    """Keras was told another shape of x."""
    wanted, got = reading.shape("expected"), reading.shape("got")

    def causes() -> Iterable[Cause]:
        facts = f"{shown(wanted)} was said and {shown(got)} came."
        if len(wanted) != len(got):
            yield Cause("unbatched", 8, facts, "x = x.reshape(samples, timesteps, features)", {"x": wanted})
        elif len(wanted) == 3 and (wanted[1], wanted[2]) == (got[2], got[1]):
            yield Cause(
                "transpose", 8, f"{facts} Steps and features are exchanged.", "x = np.swapaxes(x, 1, 2)", {"x": wanted}
            )
        elif len(wanted) == 3 and wanted[0] > 0 and got[0] != wanted[0]:
            yield Cause("batch-size", 8, facts, f"batch_size={wanted[0]}", {"x": wanted})
        else:
            yield Cause("input-size", 7, facts, f"Input({shown(got[1:])})", {"x": wanted})

    return Found("the shape of x", {"m": wanted[-1]} if wanted and wanted[-1] > 0 else {}, causes())


def carry(reading: Reading) -> Found:
    """lax.scan gets back another state than it gave."""
    gave, back = reading.shape("left"), reading.shape("right")
    same = len(gave) == len(back)
    if gave == back:
        why = (
            f"The state goes in and comes back as {shown(gave)}: the shapes agree, and the types of the numbers do not."
        )
        cause = Cause("broadcast", 5, why, "h0 = h0.astype(x.dtype)", {"h0": gave})
        return Found("the state of a scan", {}, [cause])
    code = "hidden-size" if same and gave[-1] != back[-1] else "batch-size" if same else "unbatched"
    cause = Cause(
        code,
        8,
        f"The state goes in as {shown(gave)} and comes back as {shown(back)}: it must be the same at every step.",
        f"h0 = jnp.zeros({shown(back)})",
        {"h0": back},
    )
    return Found("the state of a scan", {"k": back[-1]} if back else {}, [cause])


def axis_of(reading: Reading) -> Found:
    """ONNX Runtime: one axis of an input differs."""
    axis, got, wanted = reading.size("axis"), reading.size("got"), reading.size("expected")
    code = {2: "input-size", 1: "batch-size"}.get(
        axis, "layers-directions" if reading.said["of"].lower().startswith(("h", "c", "init")) else "batch-size"
    )
    if axis == 2 and reading.said["of"].lower().startswith(("h", "c", "init")):
        code = "hidden-size"
    cause = Cause(
        code,
        8,
        f"Axis {axis} of {reading.said['of'][:40]} is {got}, and the model was made for {wanted}.",
        f"# give it {wanted}, or export with a dynamic axis",
        {},
    )
    return Found("an input of the model", {"got": got, "expected": wanted}, [cause])


def two_axes(reading: Reading) -> Found:
    """The same for two axes."""
    first, second = (reading.size("expected"), reading.size("got")), (reading.size("expected2"), reading.size("got2"))
    if first == second[::-1]:
        cause = Cause(
            "batch-first",
            9,
            f"Axes {reading.said['axis']} and {reading.said['axis2']} are exchanged.",
            f"x = np.swapaxes(x, {reading.said['axis']}, {reading.said['axis2']})",
            {},
        )
    else:
        cause = Cause(
            "batch-size",
            6,
            f"Axis {reading.said['axis']} is {first[1]} in place of {first[0]}, axis {reading.said['axis2']} {second[1]} in place of {second[0]}.",
            "# export with dynamic axes",
            {},
        )
    return Found("an input of the model", {}, [cause])


def onnx_state(reading: Reading) -> Found:
    wanted, got = reading.shape("expected"), reading.shape("got")
    code = next(
        (code for code, a, b in zip(("layers-directions", "batch-size", "hidden-size"), wanted, got) if a != b),
        "unbatched",
    )
    if len(wanted) != len(got):
        code = "unbatched"
    cause = Cause(
        code,
        8,
        f"It is {shown(got)} and must be {shown(wanted)}: (directions, batch, hidden_size).",
        f"initial_{reading.said['which']} = np.zeros({shown(wanted)}, np.float32)",
        {"initial state": wanted},
    )
    return Found("the first state", dict(zip(("directions", "batch", "k"), wanted)), [cause])
