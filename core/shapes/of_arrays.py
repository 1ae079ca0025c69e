"""Messages about sums and products entry by entry, joins and reshapes."""

from collections.abc import Iterable

from core.shapes.explanation import Cause
from core.shapes.found import Found, counted, is_round, shown
from core.shapes.messages import Reading
from core.shapes.of_layers import like_batch


def broadcast(reading: Reading) -> Found:
    """A sum or a product entry by entry of two shapes that do not stretch to each other."""
    left, right = reading.shape("left"), reading.shape("right")
    differ = [(a, b) for a, b in zip(left[::-1], right[::-1]) if a != b and 1 not in (a, b)]

    def causes() -> Iterable[Cause]:
        facts = f"{shown(left)} meets {shown(right)}, compared from the last axis."
        if len(left) == len(right) == 2 and left == right[::-1] and left[0] != left[1]:
            yield Cause("transpose", 7, f"{facts} One is the other on its side.", "b = b.T", {"b": left})
        if len(left) == len(right) >= 2 and len(differ) == 1:
            change = "# the state must be made for the batch of this x"
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
        zeros = {"Keras": "tf.zeros", "JAX": "jnp.zeros"}.get(reading.framework, "np.zeros")
        # A vector is stretched along the first axis; as a column, along the last.
        column = len(right) == 1 and len(left) == 2 and right[0] == left[0]
        yield Cause(
            "broadcast",
            6,
            facts + (f" {differ[0][0]} is neither {differ[0][1]} nor 1." if differ else ""),
            "b = b.reshape(-1, 1)   # a bias in columns is (k, 1); in rows (k,)"
            if column
            else f"b = {zeros}({shown(left[-1:] if len(right) == 1 else left)})   # if b is a bias or a state: as many entries as it is added to",
            {"b": left},
        )

    return Found("a sum or product entry by entry", {}, causes())


def broadcast_axis(reading: Reading) -> Found:
    """The same in PyTorch, which says one axis."""
    left, right, axis = reading.size("left"), reading.size("right"), reading.size("axis")
    is_place = "expanded" in reading.message

    def causes() -> Iterable[Cause]:
        facts = f"Along axis {axis} one has {left} and the other {right}, and neither is 1."
        if axis == 0 and not is_place:
            why = f"{facts} With a row for each sequence, axis 0 is the batch: the batches differ."
            yield Cause("batch-size", 7, why, "# a and b must be of the same batch", {})
        yield Cause(
            "broadcast",
            7,
            facts,
            f"# what is put there must have {left} entries along axis {axis}, or 1"
            if is_place
            else f"b = torch.zeros({left}{', 1' if axis == 0 else ''})   # if b is a bias that is added to a\nb = torch.zeros_like(a)   # if b is a state that meets the gate a",
            {},
        )

    return Found("a sum or product entry by entry", {"left": left, "right": right}, causes())


def broadcast_none(reading: Reading) -> Found:
    cause = Cause(
        "broadcast",
        6,
        "Two shapes do not stretch to each other; the message does not say which.",
        "# print both shapes before the sum",
        {},
    )
    return Found("a sum or product entry by entry", {}, [cause], ("This message names no sizes: choose them below.",))


def assign(reading: Reading) -> Found:
    """NumPy puts an array into a place of another shape."""
    place, value = reading.shape("left"), reading.shape("right")

    def causes() -> Iterable[Cause]:
        facts = f"An array of {shown(value)} is put into a place of {shown(place)}."
        if (
            tuple(size for size in value if size != 1) == tuple(size for size in place if size != 1)
            or value == place[::-1]
        ):
            yield Cause(
                "transpose",
                7,
                f"{facts} The entries are as many: it lies on its side.",
                "h = h.T" if value == place[::-1] else f"h = h.reshape({shown(place)})",
                {"value": place},
            )
        elif len(value) == len(place) > 1 and value[1:] == place[1:]:
            yield Cause(
                "batch-size",
                7,
                f"{facts} All but the first axis agree: the batches differ.",
                f"outputs[t, :{value[0]}] = h"
                if value[0] < place[0]
                else f"# the place must be for {counted(value[0], 'sequence')}",
                {"value": place},
            )
        yield Cause("broadcast", 6, facts, f"# the place must be {shown(value)}", {"place": value})

    return Found("an assignment", {}, causes())


def concatenate(reading: Reading) -> Found:
    """Arrays that differ along an axis that is not joined."""
    left, right = reading.size("left"), reading.size("right")
    joined = reading.said.get("joined")
    axis = int(reading.said["axis"]) if "axis" in reading.said else 0 if joined != "0" else 1
    change = {
        "0": "torch.cat([h, x], dim=-1)   # rows, (batch, entries)",
        "1": "torch.cat([h, x], dim=0)   # if they are columns, (entries, 1)\ntorch.cat([h, x], dim=-1)   # if they are (batch, steps, entries)",
    }.get(joined or "", "# all axes but the joined one must be equal: the batch and the steps")
    if reading.framework == "NumPy":
        along = 0 if axis == 0 else 1
        change = f"np.concatenate([h, x], axis={along})   # along the axis that differs"

    def causes() -> Iterable[Cause]:
        where = f"Along axis {axis}" if "axis" in reading.said else "Along another axis than the joined one"
        facts = f"{where} one has {left} and the other {right}."
        rows = reading.framework == "PyTorch"
        if not rows and axis == 1 and 1 in (left, right):
            one, many = ("h", "x") if left == 1 else ("x", "h")
            yield Cause(
                "transpose",
                7,
                f"{facts} One is a column and the other may be a row: with x as (1, m) they do not stack.",
                f"{many} = {many}.reshape(-1, 1)   # a column, if h comes first",
                {many: (-1, 1)},
            )
            yield Cause(
                "batch-size",
                7 if left == 1 and is_round(right) else 6,
                f"{facts} Or one is a single column, and the other a batch of them.",
                f"{one} = np.repeat({one}, {max(left, right)}, axis=1)   # the same column for each of the batch, if h comes first",
                {one: (-1, max(left, right))},
            )
        elif (axis == 1 and not rows) or (rows and joined not in ("0", "2")):
            likely = not is_round(left) if rows else like_batch(left) and like_batch(right) and max(left, right) <= 128
            yield Cause(
                "batch-size",
                7 if likely else 5,
                f"{facts} Stacked along the entries, they must have the same batch.",
                _state_for_batch(reading, left, right),
                {},
            )
        yield Cause(
            "concatenate-axis",
            6,
            f"{facts} They were joined along {'axis ' + joined if joined else 'another axis'}, where h has k entries and x has m.",
            change,
            {},
        )

    return Found("a join of arrays", {"left": left, "right": right}, causes())


def _state_for_batch(reading: Reading, of_h: int, of_x: int) -> str:
    """Return the line that makes h for the batch of x: rows in PyTorch, columns in NumPy."""
    if reading.framework != "PyTorch":
        return f"h = np.zeros((hidden_size, {of_x}))   # if h comes first: a first state for the batch of x"
    if of_h == 1:
        return f"h = h.expand({of_x}, -1)   # if h comes first: the same state for each of the batch"
    return f"h = torch.zeros({of_x}, hidden_size)   # if h comes first: a first state for the batch of x"


def concatenate_shapes(reading: Reading) -> Found:
    """The same with the whole shapes."""
    left, right = reading.shape("left"), reading.shape("right")
    differ = [axis for axis, (a, b) in enumerate(zip(left, right)) if a != b]
    agree = [axis for axis in range(min(len(left), len(right))) if axis not in differ]

    def causes() -> Iterable[Cause]:
        facts = f"The shapes are {shown(left)} and {shown(right)}."
        if len(differ) == 1:
            yield Cause(
                "concatenate-axis",
                7,
                f"{facts} Axis {differ[0]} is the one that differs, and so the one to join along.",
                _concatenated(reading, differ[0]),
                {},
            )
        else:
            together = "No axis agrees" if not agree else "More than one axis differs"
            yield Cause(
                "batch-size",
                7,
                f"{facts} {together}: joined along the entries, they must have the same batch, {left[0]} or {right[0]}.",
                "# h must be made for the batch of x",
                {"h": (right[0], left[-1])},
            )
            yield Cause("concatenate-axis", 5, facts, "# joined along axis -1, h and x must agree along all others", {})

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


def _concatenated(reading: Reading, axis: int) -> str:
    return f"{'tf.concat' if reading.framework == 'Keras' else 'jnp.concatenate'}([h, x], axis={axis})"


def concatenate_rank(reading: Reading) -> Found:
    left, right = reading.size("left"), reading.size("right")
    fewer, more = ("a", "b") if left < right else ("b", "a")
    if reading.framework == "PyTorch":
        changes = [
            f"{more} = {more}.squeeze(0)   # if its first axis is 1",
            f"{fewer} = {fewer}.expand({more}.size(0), *{fewer}.shape)   # the same for each of the first axis",
        ]
    elif max(left, right) == 2:
        changes = [
            f"{fewer} = {fewer}.reshape(-1, 1)   # a vector as a column",
            f"{fewer} = np.repeat({fewer}.reshape(-1, 1), {more}.shape[1], axis=1)   # the same column for each of the batch",
        ]
    else:
        changes = [f"{more} = {more}[0]   # one step of a sequence"]
    why = f"The first, a, has {counted(left, 'axis', 'axes')} and the other, b, has {counted(right, 'axis', 'axes')}."
    return Found("a join of arrays", {}, [Cause("unbatched", 8, why, "\n".join(changes), {})])


def concatenate_rank_none(reading: Reading) -> Found:
    """The same in an older NumPy, which says no number."""
    cause = Cause(
        "unbatched",
        8,
        "One has more axes than the other; the message does not say how many.",
        "a, b = a.reshape(-1, 1), b.reshape(-1, 1)   # if both are vectors or columns",
        {},
    )
    return Found("a join of arrays", {}, [cause])


def concatenate_rank_shapes(reading: Reading) -> Found:
    left, right = reading.shape("left"), reading.shape("right")
    name, fewer, more = ("a", left, right) if len(left) < len(right) else ("b", right, left)
    change = "# both must have the same number of axes"
    if len(more) == len(fewer) + 1 and more[1:-1] == fewer[:-1]:
        library = "tf" if reading.framework == "Keras" else "jnp"
        change = f"{name} = {library}.broadcast_to({name}, {shown((more[0], *fewer))})   # the same for each of the {more[0]}"
    cause = Cause(
        "unbatched",
        8,
        f"The first, a, is {shown(left)} and the other, b, {shown(right)}: {name} lacks an axis.",
        change,
        {},
    )
    return Found("a join of arrays", {}, [cause])


def stack(reading: Reading) -> Found:
    left, right = reading.shape("left"), reading.shape("right")
    joined = "torch.cat([h, x], dim=-1)" if reading.framework == "PyTorch" else _concatenated(reading, -1)
    if (
        reading.framework == "PyTorch" and left[1:] == right[1:]
    ):  # all but the first axis agree: sequences of other lengths
        joined = "torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True)   # sequences of other lengths"
    cause = Cause(
        "concatenate-axis",
        8,
        f"A stack adds an axis, so both must be equal, and they are {shown(left)} and {shown(right)}: to join h and x, concatenate.",
        joined,
        {},
    )
    return Found("a stack of arrays", {}, [cause])


def stack_none(reading: Reading) -> Found:
    cause = Cause(
        "concatenate-axis",
        8,
        "Arrays that are joined must agree along all other axes; the message does not say along which they differ."
        if "concatenation axis" in reading.message
        else "np.stack adds an axis, so all must be equal: to join h and x, concatenate.",
        "np.concatenate([h, x], axis=0)   # columns\nnp.concatenate([h, x], axis=1)   # rows",
        {},
    )
    return Found("a stack of arrays", {}, [cause])


def no_axis(reading: Reading) -> Found:
    got = reading.size("got")
    cause = Cause(
        "unbatched",
        8,
        f"Axis {reading.said['axis']} was asked for, and the array has {got}: it is a vector, not a column.",
        "np.concatenate([h, x], axis=0)   # if two vectors are joined\nx = x.reshape(-1, 1)   # a column (m, 1), if two axes are meant",
        {"x": (-1, 1)},
    )
    return Found("an axis of an array", {}, [cause])


def reshape(reading: Reading) -> Found:
    size = reading.size("size")
    got, sizes = reading.said["got"], reading.shape("got")
    # -1 is left to the library to find.
    changes = []
    if sizes and sizes[0] > 0 and size % sizes[0] == 0:
        changes.append(f"x = x.reshape({sizes[0]}, -1)   # if the {sizes[0]} of the first axis are right")
    if len(sizes) > 1 and sizes[-1] > 0 and size % sizes[-1] == 0:
        changes.append(f"x = x.reshape(-1, {sizes[-1]})   # if the {sizes[-1]} of the last axis are right")
    cause = Cause(
        "reshape",
        8,
        f"{size} entries do not make {got}.",
        "\n".join(changes) or f"# the product of the sizes must be {size}",
        {},
    )
    return Found("a reshape", {"entries": size}, [cause])
