"""From what a message says to what may have been done wrong: one function for each kind of message.

The sizes that were used in earnest give the cause away more often than not: k is mostly a power of two or a round number, the
weights of g gates have g·k rows, two directions give 2k, and a stack of h and x has k + m entries. Where two stories fit the same
sizes, both are told.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from core.shapes.explanation import Cause
from core.shapes.layer import GivenSizes, LayerSizes, Shape
from core.shapes.messages import Reading

# More layers than anybody stacks.
MOST_LAYERS = 64
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}


class Found(NamedTuple):
    """What a message of one kind tells: the parts of an Explanation that follow from its sizes."""

    operation: str
    sizes: Mapping[str, int]
    causes: Iterable[Cause]
    notes: tuple[str, ...] = ()
    layer: LayerSizes | None = None
    given: GivenSizes | None = None
    product: tuple[Shape, Shape] | None = None


def is_round(size: int) -> bool:
    """Whether it looks like a number of units that somebody chose: a power of two, or a round number."""
    return size >= 16 and (size & (size - 1) == 0 or size % 50 == 0) or size in (20, 24, 40, 48, 60, 80, 96, 192, 384)


def cell_of(reading: Reading) -> str:
    """The cell that the words around a message name; an LSTM where they name none."""
    names = re.findall(r"LSTM|lstm|GRU|gru|RNN(?!\w*time|Layer)|rnn", reading.whole)
    last = names[-1].upper() if names else "LSTM"
    return last if last in GATES else "LSTM"


# ---- the layers of PyTorch -------------------------------------------------------------------


def state(reading: Reading) -> Found:
    """A first state of PyTorch, (layers·directions, batch, units): the axis that differs is the diagnosis."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    which = reading.said["which"]
    name = {"[0]": "h0", "[1]": "c0"}.get(which, "h0")
    cell = "LSTM" if which else ("GRU" if "GRU" in reading.whole else "RNN")
    sizes = dict(zip(("layers·directions", "batch", "k"), wanted)) if len(wanted) == 3 else {"k": wanted[-1]}
    if len(wanted) == 3 and wanted[0] % 2:
        sizes |= {"layers": wanted[0], "directions": 1}
    causes = of_state(cell, name, wanted, got)
    return Found(
        f"the first state {name} of a layer",
        sizes,
        causes,
        _implausible(wanted),
        *_layer_of_state(cell, name, wanted, got),
    )


def of_state(cell: str, name: str, wanted: Shape, got: Shape) -> Iterable[Cause]:
    """What is wrong with a first state of PyTorch.

    Parameters
    ----------
    cell : str
    name : {"h0", "c0"}
    wanted, got : Shape
        Of the layer, and of what it was given.

    Yields
    ------
    Cause
    """
    conform = {name: wanted}
    zeros = f"{name} = torch.zeros({_listed(wanted)})"
    if len(got) != len(wanted):
        axis = "unsqueeze" if len(got) < len(wanted) else "squeeze"
        why = f"{name} has {len(got)} axes, and {len(wanted)} are wanted."
        yield Cause("unbatched", 9, why, f"{name} = {name}.{axis}(0)   # {_shape(wanted)}", conform)
        return
    differ = [axis for axis, (a, b) in enumerate(zip(wanted, got)) if a != b]
    if len(wanted) == 3 and wanted[0] > MOST_LAYERS and wanted[0] != got[0]:
        why = f"{wanted[0]} layers of {wanted[2]} units are implausible: hidden_size and num_layers are exchanged."
        change = f"nn.{cell}(input_size, hidden_size={wanted[0]}, num_layers={wanted[2]})"
        yield Cause("swapped-arguments", 9, why, change, {name: wanted[::-1]})
    elif differ == [0, 2] and got == wanted[::-1]:
        yield Cause(
            "swapped-arguments",
            9,
            f"{wanted[0]} layers of {wanted[2]} units were made, and the state is of {got[0]} layers of {got[2]}: hidden_size and num_layers are exchanged.",
            f"nn.{cell}(input_size, hidden_size={got[2]}, num_layers={got[0]})",
            {name: got},
        )
    if differ == [0, 1] and got[:2] == wanted[1::-1]:
        yield Cause(
            "batch-first",
            9,
            f"The first two axes are exchanged: {name} has the batch, {got[0]}, in front. It never has, with batch_first too.",
            f"{name} = {name}.transpose(0, 1).contiguous()   # {_shape(wanted)}",
            conform,
        )
    if differ == [0]:
        twice = " A layer of two directions counts twice." if wanted[0] == 2 * got[0] or got[0] == 2 * wanted[0] else ""
        yield Cause(
            "layers-directions",
            8,
            f"Only the first axis differs: the layer has {wanted[0]} = layers × directions, and {name} was made for {got[0]}.{twice}",
            f"{zeros}   # (num_layers * num_directions, batch, hidden_size)",
            conform,
        )
    if differ == [1] and len(wanted) == 3:
        yield from _of_batch(wanted[1], got[1], name, zeros, conform)
    if differ == [len(wanted) - 1]:
        why = f"Only the last axis differs: the layer has {wanted[-1]} units, and {name} was made for {got[-1]}."
        if got[-1] == 2 * wanted[-1]:
            why += " It is twice as large: two directions belong on the first axis. Or the layer has a proj_size, the entries of h; then only c has hidden_size."
        yield Cause("hidden-size", 8, why, zeros, conform)
    if len(differ) > 1:
        like_x = 2 in differ and (len(differ) == 3 or 1 not in differ)
        why = (
            f"{name} has the shape of an input, (steps, batch, features): x and the state may be exchanged in the call."
        )
        yield Cause("swapped-arguments", 5 if like_x else 2, why, "output, h_n = layer(x, h0)   # x first", conform)
        codes = dict(zip(range(len(wanted))[::-1], ("hidden-size", "batch-size", "layers-directions")))
        for at in differ:
            why = f"Axis {at} is {got[at]} and must be {wanted[at]}."
            yield Cause(codes.get(at, "unbatched"), 3, why, zeros, conform)


def _of_batch(of_x: int, of_state: int, name: str, zeros: str, conform: Mapping[str, Shape]) -> Iterable[Cause]:
    """The batch of x differs from that of a state: another batch, or the steps taken for the batch."""
    other = "is smaller, as the last one of a data set is" if of_x < of_state else "is another one"
    of_steps = of_x < of_state and not _like_batch(of_state)
    yield Cause(
        "batch-size",
        6,
        f"Only the batch differs: the layer reads {of_x} from x, and {name} was made for {of_state}. Either this batch {other}, or the state was carried over from another one.",
        f"{zeros}   # from x of this call, not from a constant; or DataLoader(..., drop_last=True)",
        conform,
    )
    yield Cause(
        "batch-first",
        7 if of_steps else 4 if 1 in (of_x, of_state) or _like_batch(of_x) and _like_batch(of_state) else 6,
        f"{of_state if of_steps else of_x} may be the number of steps: either x is (batch, steps, features) and the layer reads its second axis as the batch, or the state was made from the wrong axis of x.",
        "nn.LSTM(..., batch_first=True)   # if x is (batch, steps, features)",
        conform,
    )


def _like_batch(size: int) -> bool:
    """Whether somebody may have chosen it for a batch."""
    return size & (size - 1) == 0 or size % 10 == 0


def _implausible(wanted: Shape) -> tuple[str, ...]:
    if len(wanted) == 3 and wanted[0] > MOST_LAYERS:
        return (
            f"{wanted[0]} = layers × directions is implausible: hidden_size and num_layers may be exchanged where the layer was made.",
        )
    return ()


def _layer_of_state(
    cell: str, name: str, wanted: Shape, got: Shape
) -> tuple[LayerSizes, GivenSizes] | tuple[None, None]:
    """The layer that wants such a state, with stand-ins for what the message does not say."""
    layer = _stand_in("PyTorch", cell, k=wanted[2], layers=wanted[0]) if len(wanted) == 3 else None
    if layer is None or wanted[0] > MOST_LAYERS:
        return None, None
    other = wanted if cell == "LSTM" else None
    states = {"h0": got, "c0": other} if name == "h0" else {"h0": wanted, "c0": got}
    return layer, GivenSizes((5, wanted[1], layer.m), **states)


def _stand_in(framework: str, cell: str, **sizes: Any) -> LayerSizes | None:
    """A layer as far as a message tells of it; none if there is no such layer."""
    try:
        return LayerSizes(framework, cell, **sizes)
    except ValueError:
        return None


def features(reading: Reading) -> Found:
    """The last axis of x is not what the layer was made for."""
    wanted = reading.size("expected")
    got = reading.size("got") if "got" in reading.said else reading.shape("shape")[-1]
    is_cell, is_dense = (
        "inconsistent" in reading.message,
        "dense" in reading.whole.lower() and reading.framework == "Keras",
    )
    cell = cell_of(reading)
    made = f"nn.{cell}{'Cell' if is_cell else ''}(input_size={got}, hidden_size=...)"
    if reading.framework == "Keras":
        made = f"Dense(..., input shape (..., {got}))" if is_dense else f"Input((None, {got}))"

    def causes() -> Iterable[Cause]:
        if is_dense:
            more = " That is twice as many: a bidirectional layer gives both directions." if got == 2 * wanted else ""
            yield Cause(
                "hidden-size",
                8,
                f"The dense layer was built for {wanted} entries and is given {got}.{more}",
                made,
                {"x": (-1, wanted)},
            )
            yield Cause(
                "input-size",
                3,
                f"The features of the data are {got}, and {wanted} were said.",
                made,
                {"x": (-1, wanted)},
            )
            return
        looks_like_k, expected_k = is_round(got), is_round(wanted)
        yield Cause(
            "input-size",
            6,
            f"The layer was made for {wanted} entries in each step of x, and x has {got}.",
            made,
            {"x": (-1, wanted)},
        )
        if looks_like_k and not expected_k:
            later = f"nn.ModuleList(nn.{cell}Cell({wanted} if layer == 0 else {got}, {got}) for layer in range(layers))"
            yield Cause(
                "shared-cell",
                7 if is_cell and got & (got - 1) == 0 else 6,
                f"{got} looks like a number of units: then what comes is the h of the layer below, and this layer was made with the input size of the first, {wanted}.",
                later,
                {"input_size of layer 2": (got,)},
            )
        if expected_k and not looks_like_k:
            yield Cause(
                "swapped-arguments",
                6,
                f"{wanted} looks like a number of units, and {got} like features: input_size and hidden_size may be exchanged.",
                f"nn.{cell}(input_size={got}, hidden_size={wanted})",
                {"x": (-1, got)},
            )
        if expected_k and looks_like_k:
            yield Cause(
                "swapped-arguments",
                5,
                f"Both look like numbers of units: the state may have been given before x, or {got} is the h of another layer.",
                "output, state = layer(x, state)   # x first",
                {"x": (-1, wanted)},
            )

    layer = _stand_in("Keras" if reading.framework == "Keras" else "PyTorch", cell, m=wanted)
    return Found(
        "the last axis of x", {"m": wanted, "features of x": got}, causes(), (), layer, GivenSizes((5, 3, max(got, 1)))
    )


def state_units(reading: Reading) -> Found:
    """The state of a PyTorch cell has another number of units."""
    wanted, got = reading.size("expected"), reading.size("got")
    code = Cause(
        "hidden-size",
        8,
        f"The cell has {wanted} units, and the state was made for {got}.",
        f"h = torch.zeros(batch, {wanted})",
        {"h": (-1, wanted)},
    )
    return Found("the state of a cell", {"k": wanted, "units of the state": got}, [code])


def batch(reading: Reading) -> Found:
    """A PyTorch cell is given x of one batch and a state of another."""
    of_x, of_state = reading.size("x"), reading.size("state")
    zeros = f"h = torch.zeros({of_x}, hidden_size)"

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
            "batch-size", 6, f"x has a batch of {of_x}, and the state one of {of_state}.", zeros, {"h": (of_x, -1)}
        )
        fit = 6 if is_round(of_state) and of_state > of_x else 3
        yield Cause(
            "unbatched",
            fit,
            f"{of_state} may be the units of a state without the batch axis.",
            "h = h.unsqueeze(0).expand(batch, -1)",
            {"h": (of_x, of_state)},
        )

    return Found("the batch of a cell's state", {"batch": of_x, "batch of the state": of_state}, causes())


def rank(reading: Reading) -> Found:
    """x has an axis too many or too few."""
    wanted = max(_ints(reading.said["allowed"]), default=0)
    x = reading.shape("shape") if "shape" in reading.said else ()
    got = reading.size("got") if "got" in reading.said else len(x)
    fix = _axes_change(reading.framework, got, wanted)
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
                f"{cell_of(reading)}({x[-1]}, return_sequences=True)   # the layer below",
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


def _axes_change(framework: str, got: int, wanted: int) -> str:
    if framework == "Keras":
        return "x = x.reshape(samples, timesteps, features)"
    return (
        "x = x.unsqueeze(0)   # or with both axes, (steps, batch, features)"
        if got < wanted
        else "x = x.squeeze(0)   # or flatten all but steps and batch"
    )


def state_rank(reading: Reading) -> Found:
    """A state has an axis too many or too few."""
    way = reading.said.get("way", "")
    # Halved by taking its first row for h and its second for c, one tensor is an axis short.
    halves = way == "batched" and "2-D, 2-D" in reading.said["got"]
    got = reading.said["got"]
    wanted = reading.said["allowed"]

    def causes() -> Iterable[Cause]:
        fix = "h0 = h0.unsqueeze(1)   # the batch" if way == "batched" else "h0 = h0.squeeze(1)   # or give x a batch"
        if reading.said.get("which"):
            fix = "h = h.squeeze(0)   # a cell has no axis for layers"
        yield Cause(
            "unbatched",
            7,
            f"The state has {got.strip('()')} axes where {wanted} are wanted, as many as x has or one more for the layers.",
            fix,
            {},
        )
        if halves or "1-D, 1-D" in got:
            yield Cause(
                "state-tuple",
                7 if halves else 8,
                "If one tensor was given in the place of (h0, c0), its first two rows were taken for the two, and each lost an axis.",
                "output, (h_n, c_n) = lstm(x, (h0, c0))",
                {},
            )

    return Found("the axes of the first state", {}, causes())


def lengths(reading: Reading) -> Found:
    """pack_padded_sequence is told the lengths of another batch."""
    got, of_x = reading.size("got"), reading.size("x")

    def causes() -> Iterable[Cause]:
        conform = {"lengths": (of_x,)}
        yield Cause(
            "batch-size",
            6,
            f"There are {got} lengths, and x is read as a batch of {of_x}.",
            f"lengths = lengths[:{of_x}]   # one for each sequence of this batch",
            conform,
        )
        yield Cause(
            "batch-first",
            6 if of_x > got else 5,
            f"{of_x} may be the steps: without batch_first the second axis is the batch.",
            "pack_padded_sequence(x, lengths, batch_first=True)",
            {"lengths": (got,)},
        )

    return Found("the lengths of a packed sequence", {"batch": of_x, "lengths": got}, causes())


def descending(reading: Reading) -> Found:
    cause = Cause(
        "sorted-lengths",
        9,
        "The lengths are not in descending order.",
        "pack_padded_sequence(x, lengths, enforce_sorted=False)",
        {},
    )
    return Found("the lengths of a packed sequence", {}, [cause])


def targets(reading: Reading) -> Found:
    """The loss is given predictions and targets of different numbers."""
    of_x, of_targets = reading.size("x"), reading.size("got")

    def causes() -> Iterable[Cause]:
        larger, smaller = max(of_x, of_targets), min(of_x, of_targets)
        if smaller and larger % smaller == 0 and of_x > of_targets and larger // smaller > 2:
            T = larger // smaller
            yield Cause(
                "batch-first",
                4,
                f"{of_x} is {T} times {of_targets}: {T} steps may have been flattened into the batch.",
                "logits = linear(output[:, -1])   # the last step only",
                {},
            )
        yield Cause(
            "batch-size",
            6,
            f"There are {of_x} predictions and {of_targets} targets.",
            "loss = criterion(logits, targets[:len(logits)])",
            {"targets": (of_x,)},
        )

    return Found("the loss", {"batch": of_x, "targets": of_targets}, causes())


def pair(reading: Reading) -> Found:
    """One tensor where a pair belongs, or a pair where one tensor does."""
    given_pair = "tuple" in reading.message.lower() and "must be tuple" not in reading.message

    def causes() -> Iterable[Cause]:
        if given_pair:
            yield Cause(
                "state-tuple",
                9,
                "A tuple was given where one tensor belongs: an LSTM returns (output, (h, c)), and only an LSTM takes (h, c).",
                "output, h_n = layer(x, h0)   # then linear(output[:, -1])",
                {},
            )
        else:
            yield Cause(
                "state-tuple",
                9,
                "One tensor was given where the pair (h, c) belongs.",
                "output, (h_n, c_n) = lstm(x, (h0, c0))",
                {},
            )

    return Found("the state, or what the layer returned", {}, causes())


def unpack(reading: Reading) -> Found:
    """As `pair`, where Python itself says it."""
    change = "output, (h_n, c_n) = lstm(x, (h0, c0))   # of a GRU or an RNN: output, h_n = layer(x, h0)"
    cause = Cause(
        "state-tuple",
        9,
        "Two values were expected: an LSTM's state is (h, c), which is returned as the second of two.",
        change,
        {},
    )
    return Found("the state of a layer", {}, [cause])


# ---- products --------------------------------------------------------------------------------


class Operands(NamedTuple):
    """A product A·B that failed: A is (rows, columns), B is (height, width); None where the message does not say."""

    rows: int | None
    columns: int
    height: int
    width: int | None


def _product(reading: Reading, operands: Operands, *, linear: bool = False, vector: bool = False) -> Found:
    rows, columns, height, width = operands
    left = (-1 if rows is None else rows, columns)
    right = (height,) if vector else (height, -1 if width is None else width)
    facts = f"A is {_shape(left)} and B is {_shape(right)}: {columns} columns meet {height} rows."
    if min(size for size in operands if size is not None) < 1:  # a size of 0, or one that is not said: no story fits
        cause = Cause("inner-dimension", 4, facts, "print the two shapes before the product", {})
        return Found("a matrix product", {}, [cause])
    layer, given = _layer_of_product(reading, operands) if linear else (None, None)
    return Found(
        "a matrix product",
        {"columns of A": columns, "rows of B": height} | _letters(operands),
        list(_of_product(reading, operands, facts, linear=linear, vector=vector)),
        (),
        layer,
        given,
        (left, right),
    )


def _layer_of_product(reading: Reading, operands: Operands) -> tuple[LayerSizes, GivenSizes] | tuple[None, None]:
    """The layer before a linear layer that was made for other sizes."""
    rows, came, made_for, out = operands
    both = came == 2 * made_for
    layer = _stand_in("PyTorch", cell_of(reading), k=made_for if both else came, bidirectional=both)
    if layer is None or not rows or not out or not made_for:
        return None, None
    return layer, GivenSizes((5, rows, layer.m), linear=(made_for, out))


def _letters(operands: Operands) -> dict[str, int]:
    """k and m, where a kernel of an LSTM tells them: m + k by 4k."""
    told = _shared_kernel(operands, GATES["LSTM"])
    return dict(zip(("k", "m"), told)) if told else {}


def _shared_kernel(operands: Operands, gates: int) -> tuple[int, int] | None:
    """k and m, if B is (k + m, gates·k) and A has 2k columns: then the second layer multiplies with the first one's weights."""
    _, columns, height, width = operands
    if width is None or width % gates or columns != 2 * (width // gates):
        return None
    k = width // gates
    return (k, height - k) if height > k else None


def _of_product(reading: Reading, operands: Operands, facts: str, *, linear: bool, vector: bool) -> Iterable[Cause]:
    rows, columns, height, width = operands

    for gates in (4, 3):
        if width is not None and width % gates == 0 and height - width // gates == columns != 2 * (width // gates):
            k = width // gates
            yield Cause(
                "inner-dimension",
                9,
                f"{facts} {width} = {gates}·{k} columns tell k = {k}, and {height} = {k} + {columns} rows are for the stack [h; x]: x came without h.",
                "concatenate([h, x], axis=-1) @ W",
                {"A": (rows or -1, height)},
            )
            return
    if (
        rows in (3 * columns, 4 * columns)
        and width != columns
        and rows != height
        and (vector or width is None or width != rows)
    ):
        gates = rows // columns
        yield Cause(
            "inner-dimension",
            9,
            f"{facts} {rows} = {gates}·{columns} rows tell k = {columns}: these are the weights for h, and what came has {height} entries.",
            f"h must have {columns} entries",
            {"B": (columns, *([] if vector else [width or 1]))},
        )
        return

    # The weights of one layer, given what another one of them would take.
    for gates in (4, 3, 1):
        if told := _shared_kernel(operands, gates):
            k, m = told
            yield Cause(
                "shared-cell",
                9 if gates > 1 and m != k else 5,
                f"{facts} {width} = {gates}·{k} columns tell k = {k}, so the weights are for m = {m}; what came is 2k = {2 * k}, two states of {k}: the second layer was given the first one's cell.",
                _new_cells(reading, k),
                {"the second layer's weights": (2 * k, gates * k)},
            )
            break
        if (
            width is not None
            and gates > 1
            and width == gates * columns
            and height != columns
            and (rows is None or rows != height)
        ):
            yield Cause(
                "shared-cell",
                8,
                f"{facts} {width} = {gates}·{columns} columns tell k = {columns}, and the weights are for m = {height}: the h of the layer below was given to the first layer's weights.",
                _new_cells(reading, columns),
                {"the second layer's weights": (columns, gates * columns)},
            )
            break
        if rows is not None and gates > 1 and rows == gates * height and columns != height:
            # Weights on the left: h of k alone, times what is made for x, or for the stack of both.
            if columns > height:
                yield Cause(
                    "inner-dimension",
                    8,
                    f"{facts} {rows} = {gates}·{height} rows tell k = {height}, and {columns} = {height} + {columns - height} columns are for the stack [h; x]: h was multiplied without x.",
                    _stack(reading),
                    {"B": (columns, *([] if vector else [width or 1]))},
                )
            yield Cause(
                "shared-cell",
                7 if columns > height else 8,
                f"{facts} {rows} = {gates}·{height} rows tell k = {height}, and the {columns} columns are for an x of {columns} entries: the h of the layer below needs weights of its own.",
                _new_cells(reading, height),
                {"A": (rows, height)},
            )
            break
        if (
            rows is not None
            and rows % gates == 0
            and height == 2 * (rows // gates)
            and columns > rows // gates
            and gates > 1
        ):
            k = rows // gates
            yield Cause(
                "shared-cell",
                9,
                f"{facts} {rows} = {gates}·{k} rows tell k = {k}, so the columns are k + m with m = {columns - k}; what came is 2k: the second layer was given the first one's weights.",
                _new_cells(reading, k),
                {"A": (rows, 2 * k)},
            )
            break

    # One of the two lies on its side.
    turned = []
    if rows is not None and rows == height:
        turned.append(("A", "A.T @ B", (columns, rows)))
    if width is not None and width == columns:
        turned.append(("B", "A @ B.T", (width, height)))
    for name, change, shape in turned:
        # A batch that equals the width of the weights by chance is rarer than a matrix on its side.
        of_gates = any(
            columns % gates == 0 and is_round(columns // gates) and columns // gates <= height for gates in (4, 3)
        )
        if name == "A" and rows is not None and columns > rows and is_round(rows) and not of_gates:
            yield Cause(
                "inner-dimension",
                8,
                f"{facts} {columns} = {rows} + {columns - rows} columns may be for the stack [h; x]: h was multiplied without x.",
                _stack(reading),
                {"B": (columns, -1)},
            )
        yield Cause(
            "transpose",
            8,
            f"{facts} Turned on its side, {name} is {_shape(shape)} and conforms.",
            change,
            {name: shape},
        )
    if not turned and width is not None and rows is not None and width == rows:
        yield Cause(
            "transpose",
            7,
            f"{facts} The other way round they conform: B has {width} columns and A {rows} rows.",
            "B @ A",
            {"A": (height, width), "B": (rows, columns)},
        )
    if not turned and width is None and not vector:
        if height == 1 or columns == 1:
            yield Cause(
                "transpose",
                8,
                f"{facts} A 1 there is a row where a column belongs, or the reverse.",
                "x = x.reshape(-1, 1)   # a column",
                {"B": (columns, 1)},
            )
        yield from _turned_by_letters(columns, height, facts)

    yield Cause(
        "inner-dimension",
        4,
        f"{facts}",
        f"A must have {height} columns, or B {columns} rows",
        {"A": (-1 if rows is None else rows, height)},
    )
    # A linear layer after the recurrent one.
    if linear:
        multiple = columns % height == 0 or height % columns == 0
        if (
            rows
            and not turned
            and not multiple
            and width != rows
            and height % rows == 0
            and columns % (height // rows) == 0
            and height // rows > 1
            and columns // (height // rows) > 1
        ):
            k = height // rows
            yield Cause(
                "batch-first",
                8,
                f"{facts} {height} = {rows}·{k} and {columns} = {columns // k}·{k}: it was made for {rows} steps of {k}, and {rows} came as the batch: steps and batch are exchanged.",
                "output.transpose(0, 1).reshape(batch, -1)",
                {"x": (columns // k, height)},
            )
        yield from of_linear(columns, height, width, facts)
    yield from _of_stack(reading, columns, height, facts, is_bare=rows is None and width is None)


def _turned_by_letters(columns: int, height: int, facts: str) -> Iterable[Cause]:
    """Of two sizes alone: a matrix of g gates on its side."""
    for gates in (4, 3):
        if columns == gates * height or height == gates * columns:
            yield Cause(
                "transpose",
                7,
                f"{facts} One is {gates} times the other: the {gates} gates lie on the wrong axis.",
                "W.T",
                {"B": (columns, -1)},
            )


def of_linear(came: int, made_for: int, out: int | None, facts: str) -> Iterable[Cause]:
    """What is wrong with the linear layer after a recurrent one.

    Parameters
    ----------
    came, made_for : int
        The entries that it is given, and its in_features.
    out : int, optional
        Its out_features.
    facts : str
        What is known, in words.

    Yields
    ------
    Cause
    """
    change = f"nn.Linear({came}, {out or '...'})"
    conform = {"Linear.weight": (out or -1, came)}
    if came == 2 * made_for:
        yield Cause(
            "hidden-size",
            8,
            f"{facts} What comes is twice as large: a bidirectional layer gives both directions, 2k.",
            change,
            conform,
        )
    elif made_for == 2 * came:
        yield Cause("hidden-size", 8, f"{facts} It was made for 2k, two directions, and one comes.", change, conform)
    elif came % made_for == 0:
        yield Cause(
            "hidden-size",
            7,
            f"{facts} {came} = {came // made_for}·{made_for}: {came // made_for} steps were flattened together.",
            f"linear(output[:, -1])   # the last step; or {change}",
            conform,
        )
    elif made_for % came == 0:
        yield Cause(
            "hidden-size",
            7,
            f"{facts} {made_for} = {made_for // came}·{came}: it was made for {made_for // came} steps together.",
            change,
            conform,
        )
    else:
        yield Cause(
            "hidden-size",
            5,
            f"{facts} The linear layer was made for {made_for} entries, and {came} come: k of the layer before, times 2 for two directions.",
            change,
            conform,
        )


def _of_stack(reading: Reading, columns: int, height: int, facts: str, *, is_bare: bool) -> Iterable[Cause]:
    """Of two sizes: W for a stack of h and x, and something else."""
    if columns > height and (is_round(columns - height) or is_round(height)):
        missing = "h" if is_round(columns - height) else "x"
        yield Cause(
            "inner-dimension",
            5,
            f"{facts} {columns} = {height} + {columns - height} may be for the stack [h; x]: {missing} is missing in it.",
            _stack(reading),
            {"B": (columns, -1)},
        )
    for double, other, name in ((height, columns, "A"), (columns, height, "B")):
        k = double // 2
        if is_bare and double % 2 == 0 and is_round(k) and k < other < double + k and other != k:
            yield Cause(
                "shared-cell",
                4,
                f"{facts} {double} = 2·{k} may be two states of {k} units, and {other} = {k} + {other - k} the first layer's stack of h and x: the second layer was given the first one's weights.",
                _new_cells(reading, k),
                {name: (-1, double) if name == "A" else (double, -1)},
            )
    if height == 2 * columns and is_round(columns):
        yield Cause(
            "hidden-size",
            4,
            f"{facts} {height} = 2·{columns}: two directions come where one was meant.",
            f"W must have {height} columns",
            {"A": (-1, height)},
        )
    if is_round(height) and height > columns and not is_round(columns) and not reading.framework == "NumPy":
        yield Cause(
            "shared-cell",
            4,
            f"{facts} {height} looks like the units of the layer below, and {columns} like the entries of x: the second layer was given the first one's weights.",
            _new_cells(reading, height),
            {"A": (-1, height)},
        )


def _stack(reading: Reading) -> str:
    return "W @ np.concatenate([h, x], axis=0)" if reading.framework != "PyTorch" else "W @ torch.cat([h, x], dim=0)"


def _new_cells(reading: Reading, k: int) -> str:
    if reading.framework == "Keras":
        return f"[LSTMCell({k}) for _ in range(layers)]   # a cell for each layer, not [cell] * layers"
    if reading.framework == "PyTorch":
        return f"nn.LSTMCell({k}, {k})   # for every layer after the first"
    return f"W_2 = np.zeros((gates * {k}, {k} + {k}))   # the second layer's own"


def product(reading: Reading) -> Found:
    """A·B of two matrices, or of a matrix and a vector."""
    left, right = _pair_of(reading, "left"), _pair_of(reading, "right")
    if len(left) == 1 or len(right) == 1:
        return _vector(reading, left, right)
    rows, width = (size if size > 0 else None for size in (left[-2], right[-1]))
    operands = Operands(rows, left[-1], right[-2], width)
    by_hand = (
        reading.framework != "PyTorch" or "linear" not in reading.whole.lower() and 1 in (operands.rows, operands.width)
    )
    if reading.framework == "Keras" and (cell := re.search(r"(LSTM|GRU|SimpleRNN)Cell\.call", reading.whole)):
        return _keras_cell(reading, cell[1].removeprefix("Simple"), operands)
    return _product(reading, operands, linear=not by_hand)


def _keras_cell(reading: Reading, cell: str, operands: Operands) -> Found:
    """Within a cell of Keras: its kernel is (m, g·k), its recurrent kernel (k, g·k)."""
    batch, came, wanted, width = operands
    k = (width or 0) // GATES[cell]
    new = f"[{cell}Cell({k}) for _ in range(layers)]   # a cell for each layer"
    if wanted == k:
        cause = Cause(
            "hidden-size",
            9,
            f"The recurrent kernel is ({k}, {width}), for {k} units, and the state has {came}.",
            f"initial_state = tf.zeros(({batch}, {k}))",
            {"state": (batch or -1, k)},
        )
    elif came == k:
        cause = Cause(
            "shared-cell",
            9,
            f"The kernel is ({wanted}, {width}), for an x of {wanted}, and {came} = k came: the h of the layer below. The second layer was given the first one's cell.",
            new,
            {"kernel of the second layer": (k, width or -1)},
        )
    else:
        cause = Cause(
            "input-size",
            9,
            f"The kernel is ({wanted}, {width}), for an x of {wanted} entries, and x has {came}.",
            f"Input((None, {came}))",
            {"x": (batch or -1, wanted)},
        )
    layer = _stand_in("Keras", cell, m=wanted, k=k)
    return Found(
        f"the weights of {cell}Cell", {"k": k, "m": wanted}, [cause], (), layer, GivenSizes((batch or 1, 5, came))
    )


def _pair_of(reading: Reading, name: str) -> Shape:
    """A shape of a product, however it is written."""
    text = reading.said[name]
    return tuple(int(size) for size in re.findall(r"\d+", text)) if "x" in text else reading.shape(name)


def _vector(reading: Reading, left: Shape, right: Shape) -> Found:
    """A product in which one has a single axis."""
    if len(left) == 1 and len(right) == 1:
        return _product(reading, Operands(None, left[0], right[0], None))
    if len(right) == 1:
        return _product(reading, Operands(left[-2], left[-1], right[0], None), vector=True)
    return _product(reading, Operands(None, left[0], right[-2], right[-1]))


def product_vector(reading: Reading) -> Found:
    """A matrix times a vector, in PyTorch."""
    rows, columns = _pair_of(reading, "left")
    return _product(reading, Operands(rows, columns, reading.size("right"), None), vector=True)


def product_inner(reading: Reading) -> Found:
    """NumPy's matmul, which says the two inner sizes only."""
    columns, height = reading.size("left"), reading.size("right")
    if reading.size("at") == 0:
        columns, height = height, columns
    return _product(reading, Operands(None, columns, height, None))


def product_batches(reading: Reading) -> Found:
    """torch.bmm: the batch and the inner size."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    if len(wanted) == len(got) == 2 and wanted[0] != got[0]:
        cause = Cause(
            "batch-size",
            8,
            f"The matrices are a batch of {wanted[0]}, and the others one of {got[0]}.",
            "torch.bmm(a, b)   # both with the same batch",
            {"b": (*wanted, -1)},
        )
    else:
        cause = Cause(
            "inner-dimension",
            8,
            f"{wanted[-1]} columns meet {got[-1]} rows.",
            "torch.bmm(a, b)   # (batch, p, q) and (batch, q, r)",
            {"b": (*wanted, -1)},
        )
    return Found("a batch of matrix products", {"batch": wanted[0]}, [cause])


def dot(reading: Reading) -> Found:
    cause = Cause(
        "inner-dimension",
        6,
        f"Two vectors of {reading.said['left']} and {reading.said['right']} entries.",
        "both need the same number of entries",
        {},
    )
    return Found("a product of two vectors", {}, [cause])


def einsum(reading: Reading) -> Found:
    """A label that stands for two sizes."""
    left, right = reading.shape("left"), reading.shape("right")
    common = [axis for axis in left if axis in right]

    def causes() -> Iterable[Cause]:
        if left and right and left[0] != right[0] and len(left) == len(right) == 3:
            yield Cause(
                "batch-size",
                6,
                f"The first axes, {left[0]} and {right[0]}, are most often the batch.",
                "np.einsum('bij,bjk->bik', a, b)   # b of one size",
                {},
            )
        yield Cause(
            "inner-dimension",
            5,
            f"The shapes are {_shape(left)} and {_shape(right)}{'; ' + str(common[0]) + ' is in both' if common else ''}: one label stands for two sizes.",
            "np.einsum('ij,jb->ib', W, h)   # j: columns of W, rows of h",
            {},
        )

    return Found("an einsum", {}, causes())


def einsum_label(reading: Reading) -> Found:
    cause = Cause(
        "inner-dimension",
        8,
        f"The label {reading.said['label'].strip(chr(39))} stands for {reading.said['left']} and for {reading.said['right']}.",
        "jnp.einsum('ij,jb->ib', W, h)   # j: columns of W, rows of h",
        {},
    )
    return Found("an einsum", {}, [cause])


def subscripts(reading: Reading) -> Found:
    cause = Cause(
        "unbatched",
        8,
        f"Operand {reading.said['at']} has fewer axes than its letters say.",
        "h = h.reshape(-1, 1)   # a batch of one column",
        {},
    )
    return Found("an einsum", {}, [cause])


def rank_of(reading: Reading) -> Found:
    """An operand of a product has a wrong number of axes."""
    cause = Cause(
        "unbatched",
        8,
        "An operand has not as many axes as the product takes.",
        "h = h.reshape(-1, 1)   # or W @ h, which takes both",
        {},
    )
    return Found("a matrix product", {}, [cause])


def matmul(reading: Reading) -> Found:
    cause = Cause(
        "hidden-size",
        6,
        "The product after the layer was made for another number of units; the message does not say which.",
        "the weights of the linear layer: (k, outputs)",
        {},
    )
    other = Cause(
        "inner-dimension",
        6,
        "The columns of the first do not meet the rows of the second.",
        "look at the two shapes before the product",
        {},
    )
    return Found("a matrix product", {}, [cause, other], ("This message names no sizes: choose them below.",))


# ---- entry by entry --------------------------------------------------------------------------


def broadcast(reading: Reading) -> Found:
    """A sum or a product entry by entry of two shapes that do not stretch to each other."""
    left, right = reading.shape("left"), reading.shape("right")
    differ = [(a, b) for a, b in zip(left[::-1], right[::-1]) if a != b and 1 not in (a, b)]

    def causes() -> Iterable[Cause]:
        facts = f"{_shape(left)} meets {_shape(right)}, compared from the last axis."
        if len(left) == len(right) == 2 and left == right[::-1] and left[0] != left[1]:
            yield Cause("transpose", 7, f"{facts} One is the other on its side.", "b.T", {"b": left})
        if len(left) == len(right) >= 2 and len(differ) == 1:
            change = "make the state from the batch of this x"
            # NumPy by hand has a column for each sequence, the others a row.
            in_columns = reading.framework == "NumPy" and len(left) == 2
            if left[1:] == right[1:] and left[0] != right[0]:
                yield Cause(
                    "batch-size",
                    5 if in_columns else 8,
                    f"{facts} All but the first axis agree: with a row for each sequence, the batches differ.",
                    change,
                    {"b": left},
                )
            if in_columns and left[0] == right[0] and is_round(left[0]) and left[0] > max(left[1], right[1]):
                yield Cause(
                    "batch-size",
                    7,
                    f"{facts} All but the last axis agree: with a column for each sequence, the batches differ.",
                    change,
                    {"b": left},
                )
        yield Cause(
            "broadcast",
            6,
            facts + (f" {differ[0][0]} is neither {differ[0][1]} nor 1." if differ else ""),
            "b.reshape(-1, 1)   # a bias in columns is (k, 1); in rows (k,)",
            {"b": left},
        )

    return Found("a sum or product entry by entry", {}, causes())


def broadcast_axis(reading: Reading) -> Found:
    """The same in PyTorch, which says one axis."""
    left, right, axis = reading.size("left"), reading.size("right"), reading.size("axis")
    cause = Cause(
        "broadcast",
        7,
        f"Along axis {axis} one has {left} and the other {right}, and neither is 1.",
        "b must be (k,) for rows of samples, (k, 1) for columns",
        {"b": (left,)},
    )
    return Found("a sum or product entry by entry", {"left": left, "right": right}, [cause])


def broadcast_types(reading: Reading) -> Found:
    return broadcast(reading)


def broadcast_none(reading: Reading) -> Found:
    cause = Cause(
        "broadcast",
        6,
        "Two shapes do not stretch to each other; the message does not say which.",
        "print both shapes before the sum",
        {},
    )
    return Found("a sum or product entry by entry", {}, [cause], ("This message names no sizes: choose them below.",))


def assign(reading: Reading) -> Found:
    """NumPy puts an array into a place of another shape."""
    place, value = reading.shape("left"), reading.shape("right")

    def causes() -> Iterable[Cause]:
        facts = f"An array of {_shape(value)} is put into a place of {_shape(place)}."
        if (
            tuple(size for size in value if size != 1) == tuple(size for size in place if size != 1)
            or value == place[::-1]
        ):
            yield Cause(
                "transpose",
                7,
                f"{facts} The entries are as many: it lies on its side.",
                "outputs[t] = h[:, 0]   # or h.T",
                {"value": place},
            )
        elif len(value) == len(place) > 1 and value[1:] == place[1:]:
            yield Cause(
                "batch-size",
                7,
                f"{facts} All but the first axis agree: the batches differ.",
                f"outputs[t, :{value[0]}] = h",
                {"value": place},
            )
        yield Cause("broadcast", 6, facts, f"the place must be {_shape(value)}", {"place": value})

    return Found("an assignment", {}, causes())


# ---- joins -----------------------------------------------------------------------------------


def concatenate(reading: Reading) -> Found:
    """Arrays that differ along an axis that is not joined."""
    left, right = reading.size("left"), reading.size("right")
    joined = reading.said.get("joined")
    axis = int(reading.said["axis"]) if "axis" in reading.said else 0 if joined != "0" else 1
    call = "torch.cat([h, x], dim=-1)" if reading.framework == "PyTorch" else "np.concatenate([h, x], axis=0)"

    def causes() -> Iterable[Cause]:
        facts = f"Along axis {axis} one has {left} and the other {right}."
        rows = reading.framework == "PyTorch"
        if not rows and axis == 1 and 1 in (left, right):
            yield Cause(
                "transpose",
                7,
                f"{facts} One is a column and the other may be a row: with x as (1, m) they do not stack.",
                "x = x.reshape(-1, 1)   # a column",
                {"x": (-1, 1)},
            )
            yield Cause(
                "batch-size",
                7 if left == 1 and is_round(right) else 6,
                f"{facts} Or one is a single column, and the other a batch of them.",
                "h = np.repeat(h, batch, axis=1)",
                {"h": (-1, right)},
            )
        elif (axis == 1 and not rows) or (rows and joined not in ("0", "2")):
            likely = (
                not is_round(left) if rows else _like_batch(left) and _like_batch(right) and max(left, right) <= 128
            )
            yield Cause(
                "batch-size",
                7 if likely else 5,
                f"{facts} Stacked along the entries, they must have the same batch.",
                "h must have as many sequences as x",
                {},
            )
        yield Cause(
            "concatenate-axis",
            6,
            f"{facts} They were joined along {'axis ' + joined if joined else 'another axis'}, where h has k entries and x has m.",
            f"{call}   # along the entries",
            {},
        )

    return Found("a join of arrays", {"left": left, "right": right}, causes())


def concatenate_shapes(reading: Reading) -> Found:
    """The same with the whole shapes."""
    left, right = reading.shape("left"), reading.shape("right")
    differ = [axis for axis, (a, b) in enumerate(zip(left, right)) if a != b]
    agree = [axis for axis in range(min(len(left), len(right))) if axis not in differ]

    def causes() -> Iterable[Cause]:
        facts = f"The shapes are {_shape(left)} and {_shape(right)}."
        if agree:
            yield Cause(
                "concatenate-axis",
                7,
                f"{facts} Axis {differ[0] if differ else 0} is the one that differs, and so the one to join along.",
                f"axis={differ[0] if differ else 0}",
                {},
            )
        else:
            yield Cause(
                "batch-size",
                7,
                f"{facts} No axis agrees: joined along the entries, they must have the same batch, {left[0]} or {right[0]}.",
                "make h from the batch of x",
                {"h": (right[0], left[-1])},
            )
            yield Cause("concatenate-axis", 5, facts, "axis=-1", {})

    return Found("a join of arrays", {}, causes())


def concatenate_layer(reading: Reading) -> Found:
    cause = Cause(
        "concatenate-axis",
        8,
        f"The shapes are {reading.said['shapes'][:120]}: all axes but the joined one must agree.",
        "Concatenate(axis=-1)([h, x])",
        {},
    )
    return Found("a join of layers", {}, [cause])


def concatenate_rank(reading: Reading) -> Found:
    left, right = reading.size("left"), reading.size("right")
    cause = Cause(
        "unbatched",
        8,
        f"One has {left} axes and the other {right}.",
        "h = h.reshape(-1, 1)   # or x[None], so that both have the same axes",
        {},
    )
    return Found("a join of arrays", {}, [cause])


def concatenate_rank_shapes(reading: Reading) -> Found:
    left, right = reading.shape("left"), reading.shape("right")
    cause = Cause(
        "unbatched",
        8,
        f"The shapes are {_shape(left)} and {_shape(right)}: one lacks an axis.",
        "h = h[None]   # a batch of one",
        {},
    )
    return Found("a join of arrays", {}, [cause])


def stack(reading: Reading) -> Found:
    left, right = reading.shape("left"), reading.shape("right")
    cause = Cause(
        "concatenate-axis",
        8,
        f"A stack adds an axis, so both must be equal, and they are {_shape(left)} and {_shape(right)}: to join h and x, concatenate.",
        "torch.cat([h, x], dim=-1)" if reading.framework == "PyTorch" else "concatenate([h, x], axis=-1)",
        {},
    )
    return Found("a stack of arrays", {}, [cause])


def stack_none(reading: Reading) -> Found:
    cause = Cause(
        "concatenate-axis",
        8,
        "np.stack adds an axis, so all must be equal: to join h and x, concatenate.",
        "np.concatenate([h, x], axis=0)",
        {},
    )
    return Found("a stack of arrays", {}, [cause])


def no_axis(reading: Reading) -> Found:
    got = reading.size("got")
    cause = Cause(
        "unbatched",
        8,
        f"Axis {reading.said['axis']} was asked for, and the array has {got}: it is a vector, not a column.",
        "x = x.reshape(-1, 1)   # a column (m, 1)",
        {"x": (-1, 1)},
    )
    return Found("an axis of an array", {}, [cause])


def reshape(reading: Reading) -> Found:
    size = reading.size("size")
    got = reading.said["got"]
    cause = Cause(
        "reshape",
        8,
        f"{size} entries do not make {got}.",
        "x.view(batch, -1)   # only one axis may be left to find",
        {},
    )
    return Found("a reshape", {"entries": size}, [cause])


def reshape_numpy(reading: Reading) -> Found:
    return reshape(reading)


# ---- saved weights ---------------------------------------------------------------------------


def checkpoint(reading: Reading) -> Found:
    """Weights of another size are loaded: the rows of weight_hh tell k, the columns of weight_ih m."""
    pattern = re.compile(
        r"size mismatch for ([\w.]{1,120}): copying a param with shape torch\.Size\(\[([\d, ]{1,40})\]\) from checkpoint, the shape in current model is torch\.Size\(\[([\d, ]{1,40})\]\)"
    )
    saved, model = {}, {}
    for name, got, wanted in pattern.findall(reading.whole):
        saved[name.split(".")[-1]], model[name.split(".")[-1]] = _ints(got), _ints(wanted)

    def told(shapes: Mapping[str, Shape]) -> tuple[int | None, int | None]:
        """m and k of the first layer."""
        hh = next((shape for name, shape in shapes.items() if name.startswith("weight_hh")), None)
        ih = next((shape for name, shape in shapes.items() if name in ("weight_ih", "weight_ih_l0")), None)
        return (ih[1] if ih else None), (hh[1] if hh else None)

    (m_saved, k_saved), (m, k) = told(saved), told(model)
    if k is None and (ih := model.get("weight_ih_l0")) and ih[0] != saved["weight_ih_l0"][0]:
        # As many gates in both: the larger of the two numbers that the rows allow.
        gates = next((g for g in (4, 3, 1) if ih[0] % g == 0 and saved["weight_ih_l0"][0] % g == 0), 1)
        k, k_saved = ih[0] // gates, saved["weight_ih_l0"][0] // gates
    differ = {"m": (m_saved, m), "k": (k_saved, k)}
    words = ", ".join(
        f"{letter} {was} in the file and {now} in the model"
        for letter, (was, now) in differ.items()
        if was and now and was != now
    )

    def causes() -> Iterable[Cause]:
        why = (
            f"The file was saved by a layer of other sizes: {words}."
            if words
            else f"{reading.said['name']} is {reading.said['got']} in the file and {reading.said['expected']} in the model."
        )
        change = f"nn.LSTM(input_size={m_saved or '...'}, hidden_size={k_saved or '...'})   # as it was when the file was saved"
        yield Cause("checkpoint", 8, why, change, saved)
        if m_saved and k_saved and (m_saved, k_saved) == (k, m):
            yield Cause(
                "swapped-arguments",
                9,
                f"m and k are each other's: input_size and hidden_size are exchanged in the model, {m} and {k}.",
                f"nn.LSTM(input_size={m_saved}, hidden_size={k_saved})",
                saved,
            )

    sizes = {
        name: size
        for name, size in (("m", m_saved), ("k", k_saved), ("m of the model", m), ("k of the model", k))
        if size
    }
    return Found("loading saved weights", sizes, causes())


def checkpoint_keys(reading: Reading) -> Found:
    """Whole layers or directions are missing, or too many."""
    names = " ".join(re.findall(r"key\(s\) in state_dict: ([^\n]{0,2000})", reading.whole))
    missing = "Missing" in reading.message
    what = (
        "a second direction" if "reverse" in names else "another layer" if re.search(r"_l[1-9]", names) else "a tensor"
    )
    why = f"The model has {what} that the file lacks." if missing else f"The file has {what} that the model lacks."
    change = "nn.LSTM(..., bidirectional=True or False, num_layers=...)   # as it was when the file was saved"
    return Found("loading saved weights", {}, [Cause("checkpoint", 8, why, change, {})])


def set_weights(reading: Reading) -> Found:
    """Keras is given weights of another size."""
    wanted, got = reading.shape("expected"), reading.shape("got")

    def causes() -> Iterable[Cause]:
        yield Cause(
            "checkpoint",
            8,
            f"The layer's weights are {_shape(wanted)}, and {_shape(got)} were given.",
            "make the layer with the sizes of the saved one, then set_weights",
            {"weights": wanted},
        )
        for gates in GATES.values():
            k = wanted[-1] // gates
            if (
                len(wanted) == len(got) == 2
                and wanted[-1] == gates * k
                and got == (k, gates * wanted[0])
                and k != wanted[0]
            ):
                yield Cause(
                    "swapped-arguments",
                    9,
                    f"m = {got[0]} and k = {wanted[0]} in the one are exchanged in the other.",
                    "the number of units is the layer's argument, the features are the input's",
                    {},
                )
                return

    return Found("loading saved weights", {}, causes())


def weight_list(reading: Reading) -> Found:
    cause = Cause(
        "checkpoint",
        8,
        f"{reading.said['got']} arrays were given, and the layer has {reading.said['expected']}: the kernel, the recurrent kernel and the bias.",
        "layer.set_weights([kernel, recurrent_kernel, bias])",
        {},
    )
    return Found("loading saved weights", {}, [cause])


def parameter(reading: Reading) -> Found:
    """Flax finds a kernel of another size than x asks for."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    came, made_for, k = wanted[0], got[0], wanted[-1]

    def causes() -> Iterable[Cause]:
        if wanted[-1] != got[-1]:
            yield Cause(
                "checkpoint",
                8,
                f"The saved kernel is {_shape(got)}, and the model's {_shape(wanted)}.",
                f"features={got[-1]}",
                {"kernel": got},
            )
            return
        if came == k:
            yield Cause(
                "shared-cell",
                8,
                f"What came has {came} = k entries, the h of the layer below, and the kernel is for {made_for}: the second layer was given the first one's cell.",
                f"[nn.OptimizedLSTMCell(features={k}) for _ in range(layers)]",
                {"kernel": wanted},
            )
        yield Cause(
            "input-size",
            6,
            f"x has {came} entries, and the kernel was made for {made_for}.",
            "init the parameters with an x of the same size",
            {"x": (-1, made_for)},
        )
        yield Cause(
            "checkpoint",
            6,
            f"Or the parameters were saved by a model for {made_for} entries.",
            "load the parameters of this model",
            {"kernel": wanted},
        )

    return Found("the weights of a cell", {"m": made_for, "k": k}, causes())


# ---- Keras, TensorFlow, JAX, ONNX Runtime ------------------------------------------------------


def expected_shape(reading: Reading) -> Found:
    """Keras was told another shape of x."""
    wanted, got = reading.shape("expected"), reading.shape("got")

    def causes() -> Iterable[Cause]:
        facts = f"{_shape(wanted)} was said and {_shape(got)} came."
        if len(wanted) != len(got):
            yield Cause("unbatched", 8, facts, "x = x.reshape(samples, timesteps, features)", {"x": wanted})
        elif len(wanted) == 3 and (wanted[1], wanted[2]) == (got[2], got[1]):
            yield Cause(
                "transpose", 8, f"{facts} Steps and features are exchanged.", "x = np.swapaxes(x, 1, 2)", {"x": wanted}
            )
        elif len(wanted) == 3 and wanted[0] > 0 and got[0] != wanted[0]:
            yield Cause("batch-size", 8, facts, f"batch_size={wanted[0]}", {"x": wanted})
        else:
            yield Cause("input-size", 7, facts, f"Input({_shape(got[1:])})", {"x": wanted})

    return Found("the shape of x", {"m": wanted[-1]} if wanted and wanted[-1] > 0 else {}, causes())


def dimensions(reading: Reading) -> Found:
    """TensorFlow 1's words for a product that failed; the kernel of a cell is (m + k, g·k)."""
    a, b = reading.shape("a"), reading.shape("b")
    if "MatMul" not in reading.message or len(a) != 2 or len(b) != 2:
        return broadcast(
            Reading(
                reading.framework,
                reading.kind,
                reading.message,
                {"left": reading.said["a"], "right": reading.said["b"]},
                reading.whole,
            )
        )
    operands = Operands(a[0] if a[0] > 0 else None, a[1], b[0], b[1])
    if cell := re.search(r"(LSTM|GRU|SimpleRNN)Cell\.call", reading.whole):
        return _keras_cell(reading, cell[1].removeprefix("Simple"), operands)
    return _product(reading, operands)


def specified(reading: Reading) -> Found:
    """A variable that two layers share: the second asks for (2k, g·k) and finds (m + k, g·k)."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    k = wanted[0] // 2 if wanted and wanted[0] > 1 else 0
    sizes = {"k": k, "m": got[0] - k} if k and got and got[0] > k else {}

    def causes() -> Iterable[Cause]:
        fit = 9 if len(wanted) == len(got) == 2 and wanted[1] == got[1] else 6
        yield Cause(
            "shared-cell",
            fit,
            f"{_shape(wanted)} was asked for and {_shape(got)} was there{f': k = {k}, and m = {got[0] - k}' if sizes else ''}. The second layer was given the first one's cell.",
            _new_cells(reading, k),
            {"the second layer's weights": wanted},
        )
        yield Cause(
            "checkpoint",
            5,
            "Or the graph was built once more with other sizes under the same names.",
            "tf.reset_default_graph()",
            {},
        )

    return Found("the weights of a cell", sizes, causes())


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


def carry(reading: Reading) -> Found:
    """lax.scan gets back another state than it gave."""
    gave, back = reading.shape("left"), reading.shape("right")
    same = len(gave) == len(back)
    code = "hidden-size" if same and gave[-1] != back[-1] else "batch-size" if same else "unbatched"
    cause = Cause(
        code,
        8,
        f"The state goes in as {_shape(gave)} and comes back as {_shape(back)}: it must be the same at every step.",
        f"h0 = jnp.zeros({_shape(back)})",
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
        f"give it {wanted}, or export with a dynamic axis",
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
            f"x = x.transpose({reading.said['axis2']}, {reading.said['axis']}, 2)",
            {},
        )
    else:
        cause = Cause(
            "batch-size",
            6,
            f"Axis {reading.said['axis']} is {first[1]} in place of {first[0]}, axis {reading.said['axis2']} {second[1]} in place of {second[0]}.",
            "export with dynamic axes",
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
        f"It is {_shape(got)} and must be {_shape(wanted)}: (directions, batch, hidden_size).",
        f"initial_{reading.said['which']} = np.zeros({_shape(wanted)}, np.float32)",
        {"initial state": wanted},
    )
    return Found("the first state", dict(zip(("directions", "batch", "k"), wanted)), [cause])


def onnx_weight(reading: Reading) -> Found:
    wanted, got = reading.shape("expected"), reading.shape("got")
    which = reading.said["which"]
    # W is for x, so its last axis follows x; R is for h and has sizes of its own.
    code = "input-size" if which == "W" and wanted[:-1] == got[:-1] else "checkpoint"
    cause = Cause(
        code,
        8,
        f"{which} is {_shape(got)} and must be {_shape(wanted)}.",
        "x must have as many features as W columns" if code == "input-size" else "export the model anew",
        {which: wanted},
    )
    return Found("the weights of a node", {"m": wanted[-1]} if which == "W" else {"k": wanted[-1]}, [cause])


def _listed(sizes: Shape) -> str:
    return ", ".join("?" if size < 0 else str(size) for size in sizes)


def _shape(sizes: Shape) -> str:
    return f"({_listed(sizes)}{',' if len(sizes) == 1 else ''})"


def _ints(text: str) -> Shape:
    return tuple(int(size) for size in re.findall(r"\d+", text))


KINDS: dict[str, Callable[[Reading], Found]] = {
    function.__name__: function
    for function in (
        *(features, state, state_units, batch, rank, state_rank, lengths, descending, targets, pair, unpack),
        *(
            product,
            product_vector,
            product_inner,
            product_batches,
            dot,
            einsum,
            einsum_label,
            subscripts,
            rank_of,
            matmul,
        ),
        *(broadcast, broadcast_axis, broadcast_types, broadcast_none, assign),
        *(
            concatenate,
            concatenate_shapes,
            concatenate_layer,
            concatenate_rank,
            concatenate_rank_shapes,
            stack,
            stack_none,
            no_axis,
        ),
        *(reshape, reshape_numpy, checkpoint, checkpoint_keys, set_weights, weight_list, parameter),
        *(expected_shape, dimensions, specified, stateful, carry, axis_of, two_axes, onnx_state, onnx_weight),
    )
}
