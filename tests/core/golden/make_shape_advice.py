"""Run every line of PyTorch that the shapes page advises, and keep what came of it as JSON beside this file.

For each message in shapes_pytorch.json and each cause that is told of it, a program is made in which this cause is what is wrong.
The program must raise that very message. A shape after its last line is the one that its result was meant to have. Then the advised line is put where a reader would put it, and the program is run again.
Below are more programs, as people write them, each with its true cause. Their whole tracebacks are kept, and read as well.

Run it again after the advice, PyTorch's wordings or the messages have changed:

    pip install torch && PYTHONPATH=. python tests/core/golden/make_shape_advice.py
"""

import ast
import json
import linecache
import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from core.shapes import Cause, GivenSizes, LayerSizes, check, explain
from core.shapes.messages import Reading, read
from tests.core import advice
from tests.core.golden.shape_programs import PROGRAMS

HERE = Path(__file__).resolve().parent
NAMES = {
    "torch": torch,
    "nn": nn,
    "F": nn.functional,
    "pack_padded_sequence": pack_padded_sequence,
    "pad_packed_sequence": pad_packed_sequence,
    "pad_sequence": pad_sequence,
}
Program = list[str]
QUOTE = "'"
# Sizes that no message is about.
FEATURES, STEPS, BATCH, UNITS = 7, 5, 3, 6


def shape_of(*sizes: int) -> str:
    return f"torch.zeros({', '.join(map(str, sizes))})"


def call(cell: str, state: bool = True) -> str:
    """The call of a layer, as its state asks for."""
    if cell == "LSTM":
        return "output, (h_n, c_n) = layer(x, (h0, c0))" if state else "output, (h_n, c_n) = layer(x)"
    return "output, h_n = layer(x, h0)" if state else "output, h_n = layer(x)"


def call_cell(cell: str) -> str:
    return "h, c = cell(x, (h, c))" if cell == "LSTM" else "h = cell(x, h)"


# ---- a program for each kind of message and cause -------------------------------------------------------------------


def state(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    wanted, got = reading.shape("expected"), reading.shape("got")
    rows, k, batch = wanted[0], wanted[-1], wanted[1:-1]
    if not reading.values["which"] and cell == "LSTM":  # only an LSTM's message says which tensor it is
        cell = "GRU"
    # As many steps as the state has sequences: then either may have been taken for the other.
    x = f"x = {shape_of(got[1] if len(got) == 3 and batch else STEPS, *batch, FEATURES)}"
    first = ["h0 = " + shape_of(*got)] if reading.values["which"] != "[1]" else ["h0 = " + shape_of(*wanted)]
    if cell == "LSTM":
        first.append("c0 = " + shape_of(*got))
    yield [f"layer = nn.{cell}({FEATURES}, {k}, {rows})", x, *first, call(cell)]
    if cell == "LSTM" and got[-1] > k:
        layer = f"layer = nn.LSTM({FEATURES}, {got[-1]}, {rows}, proj_size={k})"
        yield [layer, x, *first[:1], "c0 = " + shape_of(rows, *batch, got[-1]), call(cell)]


def features(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    wanted, got = reading.size("expected"), reading.size("got")
    is_cell = "inconsistent" in reading.message
    suffix, axes = ("Cell", (BATCH,)) if is_cell else ("", (STEPS, BATCH))
    name = "cell" if is_cell else "layer"
    if cause.code == "shared-cell":
        first = f"first = nn.{cell}{suffix}({wanted}, {got})"
        second = f"{name} = nn.{cell}{suffix}({wanted}, {got})"
        below = f"signal = first({shape_of(*axes, wanted)})"
        signal = "signal" if is_cell and cell != "LSTM" else "signal[0]"
        yield [first, second, below, f"result = {name}({signal})"]
    elif cause.code == "transpose":
        x = f"x = {shape_of(BATCH, wanted, got)}"
        yield [f"layer = nn.{cell}({wanted}, {UNITS}, batch_first=True)", x, "result = layer(x)"]
    elif cause.code == "unbatched":
        yield [f"{name} = nn.{cell}(1, {UNITS})", f"x = {shape_of(BATCH, got)}", f"result = {name}(x)"]
    elif cause.code == "swapped-arguments":
        x = f"x = {shape_of(*axes, got)}"
        yield [f"{name} = nn.{cell}{suffix}({wanted}, {got})", x, f"result = {name}(x)"]
        made = f"{name} = nn.GRU{suffix}({wanted}, {got})"
        state = shape_of(BATCH, got) if is_cell else shape_of(1, BATCH, got)
        results = "state" if is_cell else "output, state"
        yield [made, f"x = {shape_of(*axes, wanted)}", f"state = {state}", f"{results} = {name}(state, x)"]
    else:
        yield [f"{name} = nn.{cell}{suffix}({wanted}, {UNITS})", f"x = {shape_of(*axes, got)}", f"result = {name}(x)"]
        if not is_cell:
            x = f"x = {shape_of(BATCH, wanted, got)}"
            yield [f"layer = nn.{cell}({wanted}, {UNITS}, batch_first=True)", x, "result = layer(x)"]
            yield [f"layer = nn.{cell}({wanted}, {UNITS})", f"x = {shape_of(BATCH, got)}", "result = layer(x)"]


def of_cell(k: int, cell: str, x: tuple[int, ...], h: tuple[int, ...]) -> Program:
    pair = ["c = " + shape_of(*h)] if cell == "LSTM" else []
    made = [
        f"hidden_size = {k}",
        f"cell = nn.{cell}Cell({FEATURES}, hidden_size)",
        "x = " + shape_of(*x),
        "h = " + shape_of(*h),
    ]
    return [*made, *pair, call_cell(cell)]


def batch(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    of_x, of_state = reading.size("x"), reading.size("state")
    h = (of_state,) if cause.code == "unbatched" else (of_state, UNITS)
    # Where nothing names the cell, it may be either.
    for one in (cell, "LSTM", "GRU"):
        yield of_cell(h[-1], one, (of_x, FEATURES), h)


def state_units(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    for one in (cell, "LSTM", "GRU"):
        yield of_cell(reading.size("expected"), one, (BATCH, FEATURES), (BATCH, reading.size("got")))


def rank(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    got = int(re.search(r"got (\d)", reading.message)[1])
    if "1D or 2D" in reading.message:
        yield of_cell(UNITS, cell, (STEPS, BATCH, FEATURES), (BATCH, UNITS))
        yield of_cell(UNITS, cell, (BATCH, STEPS, FEATURES), (BATCH, UNITS))
        return
    shapes = {
        1: [((FEATURES,), FEATURES), ((STEPS,), 1)],
        4: [
            ((1, STEPS, BATCH, FEATURES), FEATURES),
            ((STEPS, BATCH, 2, 4), 8),
            ((BATCH, 1, STEPS, FEATURES), FEATURES),
            ((BATCH, 2, 4, STEPS), 8),
        ],
    }
    for shape, m in shapes[got]:
        yield [f"layer = nn.{cell}({m}, {UNITS})", "x = " + shape_of(*shape), call(cell, state=False)]


def state_rank(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    if "which" in reading.values:
        yield of_cell(UNITS, cell, (BATCH, FEATURES), (1, BATCH, UNITS))
        return
    axes = [int(size) for size in re.findall(r"\d", reading.values["got"])]
    batched = reading.values["way"] == "batched"
    x = f"x = {shape_of(STEPS, BATCH, FEATURES)}" if batched else f"x = {shape_of(BATCH, FEATURES)}"
    if cause.code == "state-tuple":
        one = shape_of(2, BATCH, UNITS) if batched else shape_of(2, UNITS)
        layer = f"layer = nn.LSTM({FEATURES}, {UNITS}, 2)"
        yield [layer, x, f"h0 = {one}", "c0 = torch.zeros_like(h0)", "output, (h_n, c_n) = layer(x, h0)"]
        return
    for sizes in (
        {1: (UNITS,)},
        {2: (1, UNITS), 3: (1, BATCH if batched else 1, UNITS)},
        {2: (BATCH, UNITS), 3: (1, BATCH, UNITS)},
    ):
        states = [f"{name} = {shape_of(*sizes[axis])}" for name, axis in zip(("h0", "c0"), axes) if axis in sizes]
        if len(states) == len(axes):
            if axes == [3] * len(axes) and not batched:  # as many windows of single numbers as the state has sequences
                windows = shape_of(sizes[3][1], STEPS)
                yield [f"layer = nn.{cell}(1, {UNITS}, batch_first=True)", f"x = {windows}", *states, call(cell)]
            yield [f"batch = {BATCH}", f"layer = nn.{cell}({FEATURES}, {UNITS})", x, *states, call(cell)]


def lengths(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    got, of_x = reading.size("got"), reading.size("x")
    x = f"x = {shape_of(got, of_x, FEATURES)}"
    yield [x, f"lengths = [1] * {got}", "packed = pack_padded_sequence(x, lengths)"]


def descending(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    x = f"x = {shape_of(STEPS, 3, FEATURES)}"
    yield [x, "lengths = torch.tensor([1, 2, 3])", "packed = pack_padded_sequence(x, lengths)"]


def pair(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    layer = f"layer = nn.{cell}({FEATURES}, {UNITS})"
    x, zeros = f"x = {shape_of(STEPS, BATCH, FEATURES)}", shape_of(1, BATCH, UNITS)
    states = [f"h0 = {zeros}", f"c0 = {zeros}"]
    linear = f"linear = nn.Linear({UNITS}, 2)"
    if "_cell()" in row["message"]:
        program = of_cell(UNITS, cell, (BATCH, FEATURES), (BATCH, UNITS))
        wrong = "h, c = cell(x, h)" if cell == "LSTM" else "h = cell(x, (h, h))"
        yield [*program[:-1], wrong]
    elif "'input'" in reading.message:
        yield [layer, linear, x, "output = layer(x)", "result = linear(output)"]
    elif "index 1" in reading.message:
        yield [layer, x, *states, "output, (h_n, c_n) = layer(x, h0)"]
    else:
        other = "GRU" if cell == "LSTM" else cell
        yield [f"layer = nn.{other}({FEATURES}, {UNITS})", x, *states, "output, h_n = layer(x, (h0, c0))"]
        yield [*of_cell(UNITS, "GRU", (BATCH, FEATURES), (BATCH, UNITS))[:-1], "h = cell(x, (h, h))"]
        yield [layer, linear, x, "output = layer(x)", f"result = output.{reading.values['what'].strip(QUOTE)}()"]


def linear_after(reading: Reading, cause: Cause) -> Iterator[Program]:
    (rows, came), (made_for, out) = (
        tuple(map(int, re.findall(r"\d+", reading.values[side]))) for side in ("left", "right")
    )
    linear = f"linear = nn.Linear({made_for}, {out})"
    meant = f"# ({rows}, {out})"
    if cause.code == "batch-first":
        k = made_for // rows
        meant = f"# ({came // k}, {out})"
        yield [linear, f"output = {shape_of(rows, came // k, k)}", f"result = linear(output.flatten(1))   {meant}"]
        return
    if came % made_for == 0:
        T = came // made_for
        yield [
            linear,
            f"output = {shape_of(T, rows, made_for)}",
            f"result = linear(output.transpose(0, 1).flatten(1))   {meant}",
        ]
        yield [linear, f"output = {shape_of(rows, T, made_for)}", f"result = linear(output.flatten(1))   {meant}"]
    if made_for == 2 * came:
        yield [linear, f"h_n = {shape_of(2, rows, came)}", f"result = linear(h_n[-1])   {meant}"]
    yield [linear, f"output = {shape_of(STEPS, rows, came)}", f"result = linear(output[-1])   {meant}"]


def tuple_index(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    made = [f"layer = nn.{cell}({FEATURES}, {UNITS})", f"linear = nn.Linear({UNITS}, 2)"]
    x = f"x = {shape_of(STEPS, BATCH, FEATURES)}"
    yield [*made, x, "output = layer(x)", "result = linear(output[:, -1])"]


def product(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    if cause.code in ("hidden-size", "batch-first"):
        yield from linear_after(reading, cause)
    left, right = (tuple(map(int, re.findall(r"\d+", reading.values[side]))) for side in ("left", "right"))
    (rows, columns), (height, *width) = left, right
    parts = []
    if columns > height:
        parts = [f"{name} = {shape_of(columns - height, *width)}" for name in ("h", "x")]
    elif height > columns:
        parts = [f"h = {shape_of(rows, height - columns)}"]
    yield [f"A = {shape_of(*left)}", f"B = {shape_of(*right)}", *parts, "result = A @ B"]


def product_batches(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    wanted, got = reading.shape("expected"), reading.shape("got")
    a, b = shape_of(wanted[0], 2, wanted[1]), shape_of(got[0], got[1], wanted[1])
    if cause.code == "batch-first" and got != wanted[::-1]:
        a = shape_of(wanted[0], got[0], wanted[1])
    yield [f"a = {a}", f"b = {b}", "result = torch.bmm(a, b)"]
    # Or the first factor is the one on its side.
    yield [f"a = {shape_of(wanted[0], got[1], wanted[1])}", f"b = {shape_of(*got, 2)}", "result = torch.bmm(a, b)"]


def rank_of(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    yield [f"A = {shape_of(4, 6)}", f"B = {shape_of(6)}", "result = torch.mm(A, B)"]
    yield [f"A = {shape_of(4, 6)}", f"B = {shape_of(6, 2)}", "result = torch.dot(A, B)"]


def batch_rank(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    """One vector for each of the batch, and then two matrices."""
    batches = ((BATCH, 6), (BATCH, 6, 2)) if reading.size("at") == 1 else ((BATCH, 4, 6), (BATCH, 6))
    for left, right in (batches, ((4, 6), (6, 2))):
        yield [f"A = {shape_of(*left)}", f"B = {shape_of(*right)}", "result = torch.bmm(A, B)"]


def concatenate(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    left, right, joined = reading.size("left"), reading.size("right"), reading.size("joined")
    if cause.code == "batch-size":
        parts = [f"hidden_size = {UNITS}", f"h = {shape_of(left, UNITS)}", f"x = {shape_of(right, FEATURES)}"]
    elif joined == 0:
        parts = [f"h = {shape_of(BATCH, left)}", f"x = {shape_of(BATCH, right)}"]
    else:
        parts = [f"h = {shape_of(left, 1)}", f"x = {shape_of(right, 1)}"]
    if joined == 2:
        parts = [f"h = {shape_of(1, right, UNITS)}", f"x = {shape_of(right, STEPS, FEATURES)}"]
        if left != 1:
            parts = [f"h = {shape_of(left, STEPS, UNITS)}", f"x = {shape_of(1, left, FEATURES)}"]
        yield [*parts, f"result = torch.cat([h, x], dim={joined})"]
        parts = [f"h = {shape_of(left, BATCH, UNITS)}", f"x = {shape_of(right, BATCH, FEATURES)}"]
        yield [*parts, f"result = torch.cat([h, x], dim={joined})"]
        parts = [f"h = {shape_of(BATCH, left, UNITS)}", f"x = {shape_of(BATCH, right, FEATURES)}"]
    if joined == 1 and cause.code != "batch-size":  # first as columns, then as sequences
        yield [*parts, f"result = torch.cat([h, x], dim={joined})"]
        parts = [f"h = {shape_of(BATCH, STEPS, left)}", f"x = {shape_of(BATCH, STEPS, right)}"]
    yield [*parts, f"result = torch.cat([h, x], dim={joined})"]


def concatenate_rank(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    left, right = reading.size("left"), reading.size("right")
    for first in (1, STEPS):
        sizes = {1: (UNITS,), 2: (BATCH, UNITS), 3: (first, BATCH, UNITS)}
        if 3 not in (left, right):
            sizes[2] = (first, UNITS)
        yield [f"a = {shape_of(*sizes[left])}", f"b = {shape_of(*sizes[right])}", "result = torch.cat([a, b], dim=-1)"]


def stack(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    left, right = (shape_of(*reading.shape(name)) for name in ("left", "right"))
    if "sequences" in cause.change:
        yield [f"sequences = [{left}, {right}]", "result = torch.stack(sequences)"]
    yield [f"h = {left}", f"x = {right}", "result = torch.stack([h, x])"]


def broadcast_axis(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    left, right = reading.size("left"), reading.size("right")
    rows = reading.size("axis") == 0
    a, b = ((left, BATCH), (right, BATCH)) if rows else ((BATCH, left), (BATCH, right))
    yield [f"a = {shape_of(*a)}", f"b = {shape_of(*b)}", "result = a + b"]
    # Each row of one array belongs to a whole sequence, or to a whole row, of the other.
    of_sequences = ((left, UNITS), (left, right, UNITS)), ((right, left, UNITS), (right, UNITS))
    of_rows = ((left,), (left, right)), ((right, left), (right,))
    for one, other in (*of_sequences, *of_rows) * (not rows):
        yield [f"a = {shape_of(*one)}", f"b = {shape_of(*other)}", "result = a + b"]
    yield [f"a = {shape_of(right, left)}", f"b = {shape_of(left, right)}", "result = a + b"]


def reshape(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    sizes = ", ".join(map(str, reading.shape("got")))
    yield [f"x = {shape_of(reading.size('size'))}", f"result = x.reshape({sizes})"]


def targets(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    of_x, of_targets = reading.size("x"), reading.size("got")
    made = [f"targets = torch.zeros({of_targets}, dtype=torch.long)", f"linear = nn.Linear({UNITS}, 4)"]
    loss = "result = F.cross_entropy(logits, targets)"
    if cause.code == "batch-first":
        for batch_first in (True, False):
            layer = f"layer = nn.RNN({FEATURES}, {UNITS}, batch_first={batch_first})"
            x = f"x = {shape_of(of_targets, of_x, FEATURES)}"
            yield [*made, layer, x, "output = layer(x)[0]", "logits = linear(output[-1])", loss]
    if cause.code == "layers-directions":
        h_n = f"h_n = {shape_of(2, of_targets, UNITS)}"
        yield [*made, h_n, f"logits = linear(h_n.reshape(-1, {UNITS}))", loss]
        yield [*made, f"logits = {shape_of(of_x, of_targets, 4)}", loss]
    if cause.code in ("flattened", "unbatched") and of_targets > of_x:
        for axes, read in (((of_targets // of_x, of_x), "output[-1]"), ((of_x, of_targets // of_x), "output")):
            yield [*made, f"output = {shape_of(*axes, UNITS)}", f"logits = linear({read})", loss]
    elif cause.code == "flattened":
        T = of_x // of_targets
        for axes in ((T, of_targets), (of_targets, T)):
            yield [*made, f"output = {shape_of(*axes, UNITS)}", "logits = linear(output).flatten(0, 1)", loss]
    yield [*made, f"logits = {shape_of(of_x, 4)}", loss]


def target_shape(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    wanted, got = reading.shape("expected"), reading.shape("got")
    logits = f"logits = {shape_of(wanted[0], *got[1:], wanted[1])}"
    targets = f"targets = torch.zeros({got[0]}, {got[1]}, dtype=torch.long)"
    yield [logits, targets, "result = F.cross_entropy(logits, targets)"]


def checkpoint(reading: Reading, cause: Cause, cell: str, row: dict) -> Iterator[Program]:
    of = row["sizes"]
    suffix = "Cell" if "Cell" in row["done"] else ""
    sizes = {"input_size": of["m"], "hidden_size": of["k"]}
    if not suffix:
        sizes |= {"num_layers": of["layers"], "bidirectional": of["directions"] == 2}
    saved = dict(sizes)
    if "another hidden size" in row["done"]:
        saved["hidden_size"] = of["came"]
    elif "another input size" in row["done"]:
        saved["input_size"] = of["came"]
    elif "one layer more" in row["done"]:
        saved["num_layers"] = of["came"]
    elif "directions" in row["done"]:
        saved["bidirectional"] = of["came"] == 2
    else:
        sizes |= {"input_size": of["k"], "hidden_size": of["m"]}
    yield from _loaded(f"nn.{cell}{suffix}", sizes, saved)


def _loaded(made: str, model: dict, saved: dict) -> Iterator[Program]:
    of_model, of_file = (", ".join(f"{name}={value}" for name, value in sizes.items()) for sizes in (model, saved))
    yield [
        f"saved = {made}({of_file}).state_dict()",
        f"layer = {made}({of_model})",
        "result = layer.load_state_dict(saved)",
    ]


MADE: dict[str, Callable[[Reading, Cause, str, dict], Iterator[Program]]] = {
    made.__name__: made
    for made in (
        state, features, batch, state_units, rank, state_rank, lengths, descending, pair, tuple_index, product, product_batches,
        rank_of, batch_rank, concatenate, concatenate_rank, stack, broadcast_axis, reshape, targets, target_shape, checkpoint,
    )
} | {"product_vector": product, "checkpoint_keys": checkpoint}  # fmt: skip


# ---- running them ---------------------------------------------------------------------------------------------------


def flat(text: str) -> str:
    return " ".join(text.split())


def tried(line: str, programs: list[Program]) -> dict:
    """Put a line into the first of these programs in which it runs."""
    failed = []
    for program in programs:
        try:
            changed = advice.put(line, program)
            shape = advice.run(changed, NAMES, torch.is_tensor)
            meant = program[-1].partition("# ")[2]
            if meant and shape != list(ast.literal_eval(meant)):
                raise ValueError(f"The result is {shape}, and {meant} was meant.")
        except Exception as error:  # kept, so that the suite can say what went wrong
            failed.append(f"{type(error).__name__}: {flat(str(error))}")
        else:
            return {"program": "\n".join(program), "put": "\n".join(changed), "came": "ran", "shape": shape}
    return {
        "program": "\n".join(programs[0]) if programs else "",
        "came": failed[0] if failed else "no program raises this message",
    }


def of_message(row: dict) -> Iterator[dict]:
    """What came of each line that is advised for a recorded message."""
    reading = read(row["message"])
    for cause in explain(row["message"]).causes:
        if not cause.change:
            continue
        cell = re.search(r"nn\.(LSTM|GRU|RNN)", row["done"])
        made = MADE[reading.kind](reading, cause, cell[1] if cell else "LSTM", row)
        raising = [one for one in made if flat(advice.failure(one, NAMES) or "-") in flat(row["message"])]
        for line in cause.change.splitlines():
            kept = {"message": reading.message, "code": cause.code, "line": line}
            if not advice.is_line(line):
                yield kept | {"came": "words"}
            else:
                yield kept | tried(line, raising)


def traced(program: Program, number: int) -> tuple[str, str]:
    """What a program raises: the message alone, and the whole traceback as a reader would paste it."""
    name = f"train_{number}.py"
    source = "\n".join(program).partition("   # ")[0]
    # Python looks here for the lines that a traceback shows.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    try:
        exec(compile(source, name, "exec"), dict(NAMES))
    except Exception as error:
        frames = traceback.TracebackException.from_exception(error)
        frames.stack = traceback.StackSummary.from_list(frames.stack[1:])  # without this file
        whole = re.sub(r'File "[^"]*?/site-packages/', 'File "site-packages/', "".join(frames.format()))
        return str(error), whole
    raise AssertionError(f"This program raises nothing: {source}")


def of_program(number: int, truth: str, text: str) -> dict:
    """What a program raises, and what came of each line that is advised for the likeliest causes."""
    program = text.split("\n")
    message, whole = traced(program, number)
    lines = []
    for of_whole, one in ((False, message), (True, whole)):
        for cause in explain(one).best:
            for line in cause.change.splitlines():
                came = tried(line, [program]) if advice.is_line(line) else {"came": "words"}
                came.pop("program", None)
                lines.append({"of_whole": of_whole, "code": cause.code, "line": line} | came)
    return {"truth": truth.split(), "program": text, "message": message, "traceback": whole, "lines": lines}


def of_sizes(row: dict) -> dict:
    """Follow what is advised for the sizes of a layer, cause by cause, until the layer takes what it is given."""
    layer, given = (
        LayerSizes("PyTorch", **row["layer"]),
        GivenSizes(*(shape and tuple(shape) for shape in row["given"])),
    )
    options = {"input_size": layer.m, "hidden_size": layer.k, "num_layers": layer.layers}
    options |= {"bidirectional": layer.bidirectional, "batch_first": layer.batch_first}
    options |= {"proj_size": layer.proj_size} if layer.proj_size else {}
    made = ", ".join(f"{name}={value}" for name, value in options.items())
    program = [f"layer = nn.{layer.cell}({made})", f"linear = nn.Linear{given.linear}", f"x = {shape_of(*given.x)}"]
    program += [f"{name} = {shape_of(*sizes)}" for name, sizes in (("h0", given.h0), ("c0", given.c0)) if sizes]
    state = "" if not given.h0 else ", (h0, c0)" if given.c0 else ", h0"
    program += [f"output, state = layer(x{state})", "result = linear(output)"]
    lines = [(cause.code, line) for cause in check(layer, given).causes for line in cause.change.splitlines()]
    followed, program, said = follow(program, [line for _, line in lines])
    came = {"program": "\n".join(program), "followed": followed, "came": said or "ran"}
    return {"layer": row["layer"], "given": row["given"], "lines": lines} | came


def follow(program: Program, lines: list[str]) -> tuple[list[str], Program, str | None]:
    """Find lines that make a program run, one after another: of two causes that rival each other only one is followed."""
    said = problem(program)
    if said is None:
        return [], program, None
    for at, line in enumerate(lines):
        changed = advice.put(line, program)
        if problem(changed) == said:
            continue
        followed, end, left = follow(changed, lines[:at] + lines[at + 1 :])
        if left is None:
            return [line, *followed], end, None
    return [], program, said


def problem(program: Program) -> str | None:
    """What a program says, wherever it says it."""
    try:
        advice.run(program, NAMES, torch.is_tensor)
    except Exception as error:  # whatever PyTorch raises for a wrong shape
        return flat(str(error))
    return None


def write(name: str, rows: list[dict]) -> None:
    """A row on a line, so that a change shows as one."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (HERE / name).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    came = Counter(
        line["came"] if line["came"] in ("ran", "words") else "failed"
        for row in rows
        for line in (row["lines"] if "truth" in row else [row])
    )
    print(f"{name}: {len(rows)} rows, {dict(came)}")


def main() -> None:
    record = {}
    for row in json.loads((HERE / "shapes_pytorch.json").read_text()):
        for kept in of_message(row):
            record.setdefault((kept["message"], kept["code"], kept["line"]), kept)
    write("shape_advice.json", list(record.values()))
    layers = json.loads((HERE / "layer_shapes.json").read_text())
    write("shape_sizes.json", [of_sizes(row) for row in layers if not row["runs"]])
    write("shape_programs.json", [of_program(number, *one) for number, one in enumerate(PROGRAMS)])


if __name__ == "__main__":
    main()
