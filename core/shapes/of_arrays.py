"""Messages about sums and products entry by entry, joins and reshapes."""

from collections.abc import Iterable

from core.shapes.explanation import Cause
from core.shapes.found import Found, is_round, shown
from core.shapes.messages import Reading
from core.shapes.of_layers import like_batch


def broadcast(reading: Reading) -> Found:
    """A sum or a product entry by entry of two shapes that do not stretch to each other."""
    left, right = reading.shape("left"), reading.shape("right")
    differ = [(a, b) for a, b in zip(left[::-1], right[::-1]) if a != b and 1 not in (a, b)]

    def causes() -> Iterable[Cause]:
        facts = f"{shown(left)} meets {shown(right)}, compared from the last axis."
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
            "b.reshape(-1, 1)   # a bias in columns is (k, 1); in rows (k,)"
            if len(left) != len(right)
            else f"b = np.zeros({shown(left)})   # as many entries as it is added to",
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
        {},
    )
    return Found("a sum or product entry by entry", {"left": left, "right": right}, [cause])


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
        facts = f"An array of {shown(value)} is put into a place of {shown(place)}."
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
        yield Cause("broadcast", 6, facts, f"the place must be {shown(value)}", {"place": value})

    return Found("an assignment", {}, causes())


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
            likely = not is_round(left) if rows else like_batch(left) and like_batch(right) and max(left, right) <= 128
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
        facts = f"The shapes are {shown(left)} and {shown(right)}."
        if len(differ) == 1:
            yield Cause(
                "concatenate-axis",
                7,
                f"{facts} Axis {differ[0]} is the one that differs, and so the one to join along.",
                f"axis={differ[0]}",
                {},
            )
        else:
            together = "No axis agrees" if not agree else "More than one axis differs"
            yield Cause(
                "batch-size",
                7,
                f"{facts} {together}: joined along the entries, they must have the same batch, {left[0]} or {right[0]}.",
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
        f"{'the first' if left < right else 'the second'}.reshape(-1, 1)   # a vector as a column",
        {},
    )
    return Found("a join of arrays", {}, [cause])


def concatenate_rank_shapes(reading: Reading) -> Found:
    left, right = reading.shape("left"), reading.shape("right")
    cause = Cause(
        "unbatched",
        8,
        f"The shapes are {shown(left)} and {shown(right)}: one lacks an axis.",
        "h = h[None]   # a batch of one",
        {},
    )
    return Found("a join of arrays", {}, [cause])


def stack(reading: Reading) -> Found:
    left, right = reading.shape("left"), reading.shape("right")
    joined = "torch.cat([h, x], dim=-1)" if reading.framework == "PyTorch" else "concatenate([h, x], axis=-1)"
    if left[1:] == right[1:]:  # all but the first axis agree: sequences of other lengths
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
        "x.reshape(batch, -1)   # only one axis may be left to find",
        {},
    )
    return Found("a reshape", {"entries": size}, [cause])
