"""Makes layer_shapes.json: what PyTorch's layers learn and return, and whether they take what they are given.

    pip install torch && python tests/core/golden/make_layer_shapes.py

It is not needed to run the tests.
"""

import json
import random
from pathlib import Path

import torch
from torch import nn

NAMES = {"m": "input_size", "k": "hidden_size", "layers": "num_layers"}


def drawn(rng: random.Random) -> dict:
    cell = rng.choice(["RNN", "LSTM", "GRU"])
    k = rng.randint(2, 5)
    return {
        "cell": cell,
        "m": rng.randint(1, 5),
        "k": k,
        "layers": rng.randint(1, 3),
        "bidirectional": rng.random() < 0.5,
        "batch_first": rng.random() < 0.5,
        "proj_size": rng.randint(1, k - 1) if cell == "LSTM" and rng.random() < 0.3 else 0,
    }


def row(rng: random.Random) -> dict:
    sizes = drawn(rng)
    options = {NAMES.get(name, name): size for name, size in sizes.items() if name != "cell"}
    if sizes["cell"] != "LSTM":
        del options["proj_size"]
    layer = getattr(nn, sizes["cell"])(**options)
    T, B = rng.randint(1, 5), rng.randint(1, 5)
    states, out = sizes["layers"] * (1 + sizes["bidirectional"]), sizes["proj_size"] or sizes["k"]
    is_batched = rng.random() < 0.7
    axes = [B, T] if sizes["batch_first"] else [T, B]
    x = [*(axes if is_batched else [T]), sizes["m"]]
    h0 = [states, *([B] if is_batched else []), out]
    c0 = [*h0[:-1], sizes["k"]] if sizes["cell"] == "LSTM" else None
    if rng.random() < 0.3:
        h0 = c0 = None
    # In two of three layers one size is wrong, or an axis is missing.
    shapes = [shape for shape in (x, h0, c0) if shape]
    if rng.random() < 0.66:
        shape = rng.choice(shapes)
        if rng.random() < 0.2:
            shape.pop(0)
        else:
            shape[rng.randrange(len(shape))] += rng.choice([1, 2])
    linear = nn.Linear(states // sizes["layers"] * out + rng.choice([0, 0, 1]), 2)
    state = None if h0 is None else torch.zeros(h0) if c0 is None else (torch.zeros(h0), torch.zeros(c0))
    made = {name: list(array.shape) for name, array in layer.state_dict().items()}
    try:
        output, last = layer(torch.zeros(x), state)
        linear(output)
        runs = True
        made |= {"x": x, "output": list(output.shape)}
        made |= {f"{name}_n": list(part.shape) for name, part in zip("hc", last if sizes["cell"] == "LSTM" else [last])}
    except (RuntimeError, ValueError):
        runs = False
    count = sum(array.numel() for array in (*layer.parameters(), *linear.parameters()))
    given = [x, h0, c0, [linear.in_features, linear.out_features]]
    return {"layer": sizes, "given": given, "runs": runs, "shapes": made, "count": count}


rng = random.Random(0)
rows = [row(rng) for _ in range(120)]
assert 30 < sum(row["runs"] for row in rows) < 90
Path(__file__).with_name("layer_shapes.json").write_text(json.dumps(rows, separators=(",", ":")) + "\n")
