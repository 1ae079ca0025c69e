"""Messages about a matrix product.

The sizes that were used in earnest give the cause away more often than not: k is mostly a power of two or a round number, the
weights of g gates have g·k rows, two directions give 2k, and a stack of h and x has k + m entries. Where two stories fit the same
sizes, both are told.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.shapes.explanation import Cause
from core.shapes.found import GATES, Found, cells_of, counted, given_to, is_round, keras_cell, listed, shown, stand_in
from core.shapes.layer import GivenSizes, LayerSizes, Shape
from core.shapes.messages import Reading
from core.shapes.of_arrays import broadcast
from core.shapes.of_layers import last_step

# Fewer units are a sum that comes out by chance.
FEWEST_UNITS = 8


def _meet(columns: int, rows: int) -> str:
    return f"{counted(columns, 'column')} {'meets' if columns == 1 else 'meet'} {counted(rows, 'row')}"


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
    facts = f"A is {shown(left)} and B is {shown(right)}: {_meet(columns, height)}."
    if min(size for size in operands if size is not None) < 1:  # a size of 0, or one that is not said: no story fits
        cause = Cause("inner-dimension", 4, facts, "# print both shapes before the product", {})
        return Found("a matrix product", {}, [cause])
    layer, given = _layer_of_product(reading, operands) if linear else _layer_of_kernel(reading, operands)
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
    # Steps that were flattened together are no units.
    T = came // made_for if made_for and came % made_for == 0 and not both else 5
    layer = stand_in("PyTorch", cells_of(reading)[0], k=made_for if both or T != 5 else came, bidirectional=both)
    if layer is None or not rows or not out or not made_for:
        return None, None
    return layer, GivenSizes((T, rows, layer.m), linear=(made_for, out))


def _layer_of_kernel(reading: Reading, operands: Operands) -> tuple[LayerSizes, GivenSizes] | tuple[None, None]:
    """The two layers of which the second was given the first one's weights, m + k by 4k."""
    told = _shared_kernel(operands, GATES["LSTM"])
    layer = stand_in("Keras", "LSTM", k=told[0], m=told[1], layers=2) if told and reading.framework == "Keras" else None
    return (layer, GivenSizes((operands.rows or 3, 5, layer.m))) if layer else (None, None)


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
    return (k, height - k) if height > k >= FEWEST_UNITS else None


def _of_product(reading: Reading, operands: Operands, facts: str, *, linear: bool, vector: bool) -> Iterable[Cause]:
    rows, columns, height, width = operands

    if told := _told_by_gates(reading, operands, facts, vector=vector):
        yield told
        return

    # One of the two lies on its side.
    turned = []
    if rows is not None and rows == height:
        turned.append(("A", "A.T @ B", (columns, rows)))
    if width is not None and width == columns:
        turned.append(("B", "A @ B.T", (width, height)))

    yield from _of_shared(reading, operands, facts, vector=vector, conforms_turned=bool(turned))

    yield from _of_turned(reading, operands, facts, turned, vector=vector)
    if not turned and width is not None and rows is not None and width == rows:
        yield Cause(
            "transpose",
            7,
            f"{facts} The other way round they conform: B has {width} columns and A {rows} rows.",
            "B @ A",
            {"A": (height, width), "B": (rows, columns)},
        )
    if not turned and width is None and not vector:
        yield from _of_inner_sizes(operands, facts)

    yield Cause(
        "inner-dimension",
        4,
        facts,
        f"# A must have {counted(height, 'column')}, or B {counted(columns, 'row')}",
        {"A": (-1 if rows is None else rows, height)},
    )
    # A linear layer after the recurrent one.
    if linear:
        yield from _of_flattened(operands, facts, bool(turned))
        yield from of_linear(columns, height, width, facts)
    yield from _of_stack(reading, columns, height, facts, is_bare=rows is None and width is None)


def _told_by_gates(reading: Reading, operands: Operands, facts: str, *, vector: bool) -> Cause | None:
    """Weights of g gates tell k, and so what they are for."""
    rows, columns, height, width = operands
    for gates in (4, 3):
        if width is not None and width % gates == 0 and height - width // gates == columns != 2 * (width // gates):
            k = width // gates
            return Cause(
                "inner-dimension",
                9,
                f"{facts} {width} = {gates}·{k} columns tell k = {k}, and {height} = {k} + {columns} rows are for the stack [h; x]: x came without h.",
                f"{_joined(reading, ('h', 'A'), -1)} @ B   # if A is x",
                {"A": (rows or -1, height)},
            )
    if (
        rows in (3 * columns, 4 * columns)
        and width != columns
        and rows != height
        and (vector or width is None or width != rows)
    ):
        gates = rows // columns
        return Cause(
            "inner-dimension",
            9,
            f"{facts} {rows} = {gates}·{columns} rows tell k = {columns}: these are the weights for h, and what came has {height} entries.",
            f"# B must be h, of {columns} entries",
            {"B": (columns, *([] if vector else [width or 1]))},
        )
    return None


def _of_turned(
    reading: Reading, operands: Operands, facts: str, turned: Sequence[tuple[str, str, Shape]], *, vector: bool
) -> Iterable[Cause]:
    """One of the two lies on its side, or h came without x."""
    _, columns, height, width = operands
    for name, change, shape in turned:
        is_sure = 1 in (height, columns)
        missing = Cause(
            "inner-dimension",
            8,
            f"{facts} {columns} = {height} + {columns - height} columns may be for the stack [h; x]: h was multiplied without x.",
            _stack(reading),
            {"B": (columns, *([] if vector else [-1 if width is None else width]))},
        )
        lies = Cause(
            "transpose",
            9 if is_sure else 8,
            f"{facts} Turned on its side, {name} is {shown(shape)} and conforms.",
            change,
            {name: shape},
        )
        # Columns of g gates of k units are more often weights on their side; both fit these sizes.
        of_gates = any(
            columns % gates == 0 and is_round(columns // gates) and columns // gates <= height for gates in (4, 3)
        )
        if name == "A" and columns > height:
            yield from (lies, missing) if of_gates else (missing, lies)
        else:
            yield lies


def _of_inner_sizes(operands: Operands, facts: str) -> Iterable[Cause]:
    """Of two sizes alone, what may lie on its side."""
    rows, columns, height, _ = operands
    if height == 1:
        change, conform = "A @ B.T   # if B is a row", {"B": (columns, 1)}
    elif columns == 1:
        change = f"A @ B.T   # if B is a column: an outer product\nA.T @ B   # if A is a column of {height}"
        conform = {"B": (1, height)}
    if 1 in (height, columns):
        yield Cause(
            "transpose",
            8,
            f"{facts} A 1 there is a row where a column belongs, or the reverse.",
            change,
            conform,
        )
    yield from _turned_by_letters(columns, height, facts)
    if rows is None and 1 not in (height, columns):
        yield Cause(
            "transpose",
            3,
            f"{facts} One of them may lie on its side.",
            f"A.T @ B   # if A has {counted(height, 'row')}\nA @ B.T   # if B has {counted(columns, 'column')}",
            {},
        )


def _of_flattened(operands: Operands, facts: str, conforms_turned: bool) -> Iterable[Cause]:
    """Steps and batch were exchanged before a linear layer that takes all steps."""
    rows, columns, height, width = operands
    multiple = columns % height == 0 or height % columns == 0
    if (
        rows
        and not conforms_turned
        and not multiple
        and width != rows
        and height % rows == 0
        and columns % (height // rows) == 0
        and height // rows > 1
        and columns // (height // rows) > 1
        and is_round(height // rows)
    ):
        k = height // rows
        yield Cause(
            "batch-first",
            8,
            f"{facts} {height} = {rows}·{k} and {columns} = {columns // k}·{k}: it was made for {rows} steps of {k}, and {rows} came as the batch: steps and batch are exchanged.",
            "linear(output.transpose(0, 1).flatten(1))",
            {"x": (columns // k, height)},
        )


def _of_shared(
    reading: Reading, operands: Operands, facts: str, *, vector: bool, conforms_turned: bool
) -> Iterable[Cause]:
    """The weights of one layer, given what another one of them would take."""
    rows, columns, height, width = operands
    # A product that conforms when one of the two is turned is more often that.
    sure, likely = (7, 6) if conforms_turned else (9, 8)
    for gates in (4, 3, 1):
        if told := _shared_kernel(operands, gates):
            k, m = told
            yield Cause(
                "shared-cell",
                sure if gates > 1 and m != k else 5,
                f"{facts} {width} = {gates}·{k} columns tell k = {k}, so the weights are for m = {m}; what came is 2k = {2 * k}, two states of {k}: the second layer was given the first one's cell.",
                new_weights(reading, "B", (2 * k, gates * k)),
                {"the second layer's weights": (2 * k, gates * k)},
            )
            return
        if (
            width is not None
            and gates > 1
            and width == gates * columns
            and columns >= FEWEST_UNITS
            and height != columns
            and (rows is None or rows != height)
        ):
            yield Cause(
                "shared-cell",
                likely,
                f"{facts} {width} = {gates}·{columns} columns tell k = {columns}, and the weights are for m = {height}: the h of the layer below was given to the first layer's weights.",
                new_weights(reading, "B", (columns, gates * columns)),
                {"the second layer's weights": (columns, gates * columns)},
            )
            return
        if rows is None or gates == 1:
            continue
        if rows == gates * height and height >= FEWEST_UNITS and height != columns:
            # Weights on the left: h of k alone, times what is made for x, or for the stack of both.
            if columns > height:
                yield Cause(
                    "inner-dimension",
                    likely,
                    f"{facts} {rows} = {gates}·{height} rows tell k = {height}, and {columns} = {height} + {columns - height} columns are for the stack [h; x]: h was multiplied without x.",
                    _stack(reading),
                    {"B": (columns, *([] if vector else [width or 1]))},
                )
            yield Cause(
                "shared-cell",
                likely - 1 if columns > height else likely,
                f"{facts} {rows} = {gates}·{height} rows tell k = {height}, and the {columns} columns are for an x of {columns} entries: the h of the layer below needs weights of its own.",
                new_weights(reading, "A", (rows, height)),
                {"A": (rows, height)},
            )
            return
        k = rows // gates
        if rows % gates == 0 and height == 2 * k and columns > k >= FEWEST_UNITS:
            why = f"{facts} {rows} = {gates}·{k} rows tell k = {k}, so the columns are k + m with m = {columns - k}; what came is 2k: the second layer was given the first one's weights."
            yield Cause("shared-cell", sure, why, new_weights(reading, "A", (rows, 2 * k)), {"A": (rows, 2 * k)})
            return


def _turned_by_letters(columns: int, height: int, facts: str) -> Iterable[Cause]:
    """Of two sizes alone: a matrix of g gates on its side."""
    for gates in (4, 3):
        if columns == gates * height or height == gates * columns:
            yield Cause(
                "transpose",
                7,
                f"{facts} One is {gates} times the other: the {gates} gates lie on the wrong axis.",
                f"A.T @ B   # if A has {counted(height, 'row')}"
                if columns > height
                else f"A @ B.T   # if B has {counted(columns, 'column')}",
                {"B": (columns, -1)},
            )


def of_linear(came: int, made_for: int, out: int | None, facts: str, framework: str = "PyTorch") -> Iterable[Cause]:
    """What is wrong with the linear layer after a recurrent one.

    Parameters
    ----------
    came, made_for : int
        The entries that it is given, and its in_features.
    out : int, optional
        Its out_features.
    facts : str
        What is known, in words.
    framework : str

    Yields
    ------
    Cause
    """
    change = (
        f"nn.Linear({came}, {out or '...'})"
        if framework == "PyTorch"
        else f"Dense({out or '...'})   # built for {came} entries"
    )
    conform = {"Linear.weight": (out or -1, came)} if framework == "PyTorch" else {"Dense.kernel": (came, out or -1)}
    fit, lines = 7, change
    if came == 2 * made_for:
        fit, why = 8, "What comes is twice as large: a bidirectional layer gives both directions, 2k."
    elif made_for == 2 * came:
        fit, why = 8, "It was made for 2k, two directions, and one comes."
        lines = f"linear(torch.cat([h_n[-2], h_n[-1]], dim=-1))   # if the layer has two directions\n{change}   # if it has one"
    elif came % made_for == 0:
        T = came // made_for
        why = f"{came} = {T}·{made_for}: {T} steps were flattened together."
        lines = f"{last_step('linear({})')}\n{change}   # all {T} steps"
    elif made_for % came == 0:
        T = made_for // came
        why = f"{made_for} = {T}·{came}: it was made for {T} steps together."
    else:
        fit = 5
        why = f"The linear layer was made for {made_for} entries, and {came} come: k of the layer before, times 2 for two directions."
    yield Cause("hidden-size", fit, f"{facts} {why}", lines if framework == "PyTorch" else change, conform)


def _of_stack(reading: Reading, columns: int, height: int, facts: str, *, is_bare: bool) -> Iterable[Cause]:
    """Of two sizes: W for a stack of h and x, and something else."""
    if columns > height and (is_round(columns - height) or is_round(height)):
        missing = "h" if is_round(columns - height) else "x"
        yield Cause(
            "inner-dimension",
            5,
            f"{facts} {columns} = {height} + {columns - height} may be for the stack [h; x]: {missing} is missing in it.",
            _stack(reading, missing),
            {"B": (columns, -1)},
        )
    for double, other, name in ((height, columns, "A"), (columns, height, "B")):
        k = double // 2
        if is_bare and double % 2 == 0 and is_round(k) and k < other < double + k and other != k:
            yield Cause(
                "shared-cell",
                4,
                f"{facts} {double} = 2·{k} may be two states of {k} units, and {other} = {k} + {other - k} the first layer's stack of h and x: the second layer was given the first one's weights.",
                _wider(reading, name, double),
                {name: (-1, double) if name == "A" else (double, -1)},
            )
    if height == 2 * columns and is_round(columns):
        yield Cause(
            "hidden-size",
            4,
            f"{facts} {height} = 2·{columns}: two directions come where one was meant.",
            _wider(reading, "A", height),
            {"A": (-1, height)},
        )
    if is_round(height) and height > columns and not is_round(columns) and not reading.framework == "NumPy":
        yield Cause(
            "shared-cell",
            4,
            f"{facts} {height} looks like the units of the layer below, and {columns} like the entries of x: the second layer was given the first one's weights.",
            _wider(reading, "A", height),
            {"A": (-1, height)},
        )


def _joined(reading: Reading, names: tuple[str, str], axis: int) -> str:
    """Return the line that concatenates two arrays, in the words of a framework."""
    call, word = {
        "PyTorch": ("torch.cat", "dim"),
        "Keras": ("tf.concat", "axis"),
        "JAX": ("jnp.concatenate", "axis"),
    }.get(reading.framework, ("np.concatenate", "axis"))
    return f"{call}([{', '.join(names)}], {word}={axis})"


def _stack(reading: Reading, missing: str = "x") -> str:
    """Return the product with the whole stack [h; x], of which B is one part."""
    there = {"x": "h", "h": "x"}[missing]
    return f"A @ {_joined(reading, ('B', 'x') if missing == 'x' else ('h', 'B'), 0)}   # if B is {there} alone"


# How a framework makes an array of zeros.
_ZEROS = {"PyTorch": "torch.zeros", "Keras": "tf.zeros", "JAX": "jnp.zeros"}


def new_weights(reading: Reading, name: str, shape: Shape) -> str:
    """Return the line that gives the second layer weights of its own: new cells in Keras, else a new matrix."""
    if reading.framework == "Keras":
        return new_cells(shape[-1] // 4 if name == "B" else shape[0] // 4)
    zeros = _ZEROS.get(reading.framework, "np.zeros")
    return f"{name} = {zeros}(({listed(shape)}))   # weights of its own for the second layer"


def _wider(reading: Reading, name: str, size: int) -> str:
    """Return the line that makes weights anew, of which only the size that must change is known."""
    if reading.framework == "Keras":
        return new_cells(size // 2)
    zeros = _ZEROS.get(reading.framework, "np.zeros")
    shape = f"{name}.shape[0], {size}" if name == "A" else f"{size}, {name}.shape[1]"
    return f"{name} = {zeros}(({shape}))   # weights made anew"


def new_cells(k: int) -> str:
    return f"[LSTMCell({k}) for _ in range(layers)]   # not [cell] * layers; or GRUCell, SimpleRNNCell"


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
    if reading.framework == "Keras" and (cell := keras_cell(reading)):
        return _keras_cell(reading, cell, operands)
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
    layer = stand_in("Keras", cell, m=wanted, k=k)
    return Found(
        f"the weights of {cell}Cell",
        {"k": k, "m": wanted},
        [cause],
        (),
        layer,
        given_to(layer, (batch or 1, 5, came)),
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
            f"b = b.expand({wanted[0]}, -1, -1)   # the same matrix for each of the batch"
            if got[0] == 1
            else "# a and b must have the same first axis, the batch",
            {"b": (*wanted, -1)},
        )
    else:
        cause = Cause(
            "inner-dimension",
            8,
            f"{_meet(wanted[-1], got[-1])}.",
            f"torch.bmm(a, b.transpose(1, 2))   # if the last axis of b is {wanted[-1]}",
            {"b": (*wanted, -1)},
        )
    return Found("a batch of matrix products", {"batch": wanted[0]}, [cause])


def dot(reading: Reading) -> Found:
    cause = Cause(
        "inner-dimension",
        6,
        f"Two vectors of {reading.said['left']} and {reading.said['right']} entries.",
        "# both must have the same number of entries",
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
                "# a and b must have the same first axis",
                {},
            )
        yield Cause(
            "inner-dimension",
            5,
            f"The shapes are {shown(left)} and {shown(right)}{'; ' + str(common[0]) + ' is in both' if common else ''}: one label stands for two sizes.",
            "# one letter must stand for one size: in 'ij,jb->ib' the columns of the first are the rows of the second",
            {},
        )

    return Found("an einsum", {}, causes())


def einsum_label(reading: Reading) -> Found:
    cause = Cause(
        "inner-dimension",
        8,
        f"The label {reading.said['label'].strip(chr(39))} stands for {reading.said['left']} and for {reading.said['right']}.",
        "# one letter must stand for one size: in 'ij,jb->ib' the columns of the first are the rows of the second",
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
    change = (
        "A @ B   # which takes a vector too"
        if reading.framework == "PyTorch"
        else "A * B   # if one is a single number"
    )
    cause = Cause("unbatched", 8, "An operand has not as many axes as the product takes.", change, {})
    return Found("a matrix product", {}, [cause])


def matmul(reading: Reading) -> Found:
    cause = Cause(
        "hidden-size",
        6,
        "The product after the layer was made for another number of units; the message does not say which.",
        "# the weights of the linear layer must be (k, outputs)",
        {},
    )
    other = Cause(
        "inner-dimension",
        6,
        "The columns of the first do not meet the rows of the second.",
        "# print both shapes before the product",
        {},
    )
    return Found("a matrix product", {}, [cause, other], ("This message names no sizes: choose them below.",))


def dimensions(reading: Reading) -> Found:
    """TensorFlow 1's words for a product that failed; the kernel of a cell is (m + k, g·k)."""
    a, b = reading.shape("a"), reading.shape("b")
    if "MatMul" not in reading.message or len(a) != 2 or len(b) != 2:
        return broadcast(reading._replace(said={"left": reading.said["a"], "right": reading.said["b"]}))
    operands = Operands(a[0] if a[0] > 0 else None, a[1], b[0], b[1])
    if cell := keras_cell(reading):
        return _keras_cell(reading, cell, operands)
    return _product(reading, operands)
