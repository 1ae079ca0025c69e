"""Messages about what a layer is given: x, its first state, their axes and their batch."""

import re
from collections.abc import Iterable, Mapping

from core.shapes.explanation import Cause
from core.shapes.found import MOST_STACKED, Found, cell_of, given_to, is_round, listed, shown, sizes_in, stand_in
from core.shapes.layer import GivenSizes, LayerSizes, Shape
from core.shapes.messages import Reading


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
    zeros = f"{name} = torch.zeros({listed(wanted)})"
    if len(got) != len(wanted):
        why = f"{name} has {len(got)} axes, and {len(wanted)} are wanted."
        # An axis of 1 can be added or taken away where it stands; else the state is of another size.
        added = [at for at in range(len(wanted)) if wanted == (*got[:at], 1, *got[at:])]
        taken = [at for at in range(len(got)) if got == (*wanted[:at], 1, *wanted[at:])]
        change = (
            f"{name} = {name}.unsqueeze({added[0]})   # {shown(wanted)}"
            if added
            else f"{name} = {name}.squeeze({taken[0]})   # {shown(wanted)}"
            if taken
            else zeros
        )
        yield Cause("unbatched", 9, why, change, conform)
        return
    if len(wanted) == 2:  # without a batch
        yield from _of_unbatched_state(name, wanted, got, zeros)
        return
    differ = [axis for axis, (a, b) in enumerate(zip(wanted, got)) if a != b]
    if len(wanted) == 3 and wanted[0] > MOST_STACKED and wanted[0] != got[0]:
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
            f"{name} = {name}.transpose(0, 1).contiguous()   # {shown(wanted)}",
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
    if differ == [1]:
        yield from _of_batch(wanted[1], got[1], name, zeros, conform)
    if differ == [2]:
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


def _of_unbatched_state(name: str, wanted: Shape, got: Shape, zeros: str) -> Iterable[Cause]:
    """The same of a state without a batch, (layers·directions, units)."""
    if got == wanted[::-1] and got != wanted:
        yield Cause(
            "transpose", 9, f"{name} lies on its side.", f"{name} = {name}.T   # {shown(wanted)}", {name: wanted}
        )
    for at, code in enumerate(("layers-directions", "hidden-size")):
        if got[at] != wanted[at]:
            yield Cause(code, 8, f"Axis {at} is {got[at]} and must be {wanted[at]}.", zeros, {name: wanted})


def _of_batch(of_x: int, of_state: int, name: str, zeros: str, conform: Mapping[str, Shape]) -> Iterable[Cause]:
    """The batch of x differs from that of a state: another batch, or the steps taken for the batch."""
    other = "is smaller, as the last one of a data set is" if of_x < of_state else "is another one"
    of_steps = of_x < of_state and not like_batch(of_state)
    yield Cause(
        "batch-size",
        6,
        f"Only the batch differs: the layer reads {of_x} from x, and {name} was made for {of_state}. Either this batch {other}, or the state was carried over from another one.",
        f"{zeros}   # from x of this call, not from a constant; or DataLoader(..., drop_last=True)",
        conform,
    )
    yield Cause(
        "batch-first",
        7 if of_steps else 4 if 1 in (of_x, of_state) or like_batch(of_x) and like_batch(of_state) else 6,
        f"{of_state if of_steps else of_x} may be the number of steps: either x is (batch, steps, features) and the layer reads its second axis as the batch, or the state was made from the wrong axis of x.",
        "nn.LSTM(..., batch_first=True)   # if x is (batch, steps, features)",
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
    is_cell, is_dense = (
        "inconsistent" in reading.message,
        "dense" in reading.whole.lower() and reading.framework == "Keras",
    )
    cell = cell_of(reading)
    made = f"nn.{cell}{'Cell' if is_cell else ''}(input_size={got}, hidden_size=...)"
    if reading.framework == "Keras":
        made = (
            f"layers.Dense(units)   # a new one, which is built for {got} entries"
            if is_dense
            else f"Input((None, {got}))"
        )

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

    layer = stand_in("Keras" if reading.framework == "Keras" else "PyTorch", cell, m=wanted)
    return Found(
        "the last axis of x", {"m": wanted, "features of x": got}, causes(), (), layer, given_to(layer, (5, 3, got))
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
    wanted = max(sizes_in(reading.said["allowed"]), default=0)
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
    if framework != "PyTorch":
        return "x = x[:, np.newaxis]   # (steps, 1, features)" if got < wanted else "x = x.squeeze()"
    if got < wanted:
        return "x = x.unsqueeze(1)   # (steps, 1, features); with batch_first x.unsqueeze(0)"
    return "x = x.squeeze(0)   # or flatten all but steps and batch"


def state_rank(reading: Reading) -> Found:
    """A state has an axis too many or too few."""
    way = reading.said.get("way", "")
    # Halved by taking its first row for h and its second for c, one tensor is an axis short.
    halves = way == "batched" and "2-D, 2-D" in reading.said["got"]
    got = reading.said["got"]
    wanted = reading.said["allowed"]

    def causes() -> Iterable[Cause]:
        fix = (
            "h0 = h0.unsqueeze(0)   # of (batch, units); of (layers, units) h0.unsqueeze(1)"
            if way == "batched"
            else "h0 = h0.squeeze(1)   # or give x a batch"
        )
        if reading.said.get("which"):
            fix = "h = h.squeeze(0)   # a cell has no axis for layers"
        yield Cause(
            "unbatched",
            7,
            f"The state has {got.strip('()')} axes where {wanted} are wanted, as many as x has.",
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
                7,
                f"{of_x} is {T} times {of_targets}: {T} steps may have been flattened into the batch.",
                "logits = linear(output[:, -1])   # the last step only",
                {},
            )
        yield Cause(
            "batch-size",
            6,
            f"There are {of_x} predictions and {of_targets} targets.",
            "loss = criterion(logits, targets)   # both of the same batch",
            {"targets": (of_x,)},
        )

    return Found("the loss", {"batch": of_x, "targets": of_targets}, causes())


def pair(reading: Reading) -> Found:
    """One tensor where a pair belongs, or a pair where one tensor does."""
    # Python says so of anything; beside a recurrent layer it is most often the state.
    is_of_layer = re.search("lstm|gru|rnn|keras|torch|flax", reading.whole.lower())
    fit = 9 if "argument" in reading.message or is_of_layer else 3
    given_pair = "tuple" in reading.message.lower() and "must be tuple" not in reading.message

    def causes() -> Iterable[Cause]:
        if given_pair:
            yield Cause(
                "state-tuple",
                fit,
                "A tuple was given where one tensor belongs: an LSTM returns (output, (h, c)), and only an LSTM takes (h, c).",
                "output, h_n = layer(x, h0)   # then linear(output[:, -1])",
                {},
            )
        else:
            yield Cause(
                "state-tuple",
                fit,
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
        6,
        "Two values were expected. If it is the state of a layer: an LSTM's state is (h, c), which is returned as the second of two.",
        change,
        {},
    )
    return Found("the state of a layer", {}, [cause])


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
            f"x = np.swapaxes(x, {reading.said['axis']}, {reading.said['axis2']})",
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
        f"It is {shown(got)} and must be {shown(wanted)}: (directions, batch, hidden_size).",
        f"initial_{reading.said['which']} = np.zeros({shown(wanted)}, np.float32)",
        {"initial state": wanted},
    )
    return Found("the first state", dict(zip(("directions", "batch", "k"), wanted)), [cause])
