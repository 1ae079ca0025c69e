"""Lines of code that run with the sizes of a layer, in the reader's framework."""

from core.exchange.weight_layouts import layout_of
from core.shapes.checks import repaired
from core.shapes.layer_shapes import GivenSizes, LayerSizes, expected, steps_and_batch


def snippet(layer: LayerSizes, given: GivenSizes) -> str:
    """Return code that makes the layer, calls it and prints the shapes that come out.

    Parameters
    ----------
    layer : LayerSizes
    given : GivenSizes
        What does not conform is given in the shape that does.

    Returns
    -------
    str
        A script.
    """
    fits, conforming = repaired(layer, given)
    return "\n".join({"PyTorch": _pytorch, "Keras": _keras, "NumPy": _numpy}[layer.framework](fits, conforming)) + "\n"


def _pytorch(layer: LayerSizes, given: GivenSizes) -> list[str]:
    options = {"num_layers": layer.layers, "bidirectional": layer.bidirectional, "batch_first": layer.batch_first}
    options |= {"proj_size": layer.proj_size}
    chosen = "".join(
        f", {name}={value}"
        for name, value in options.items()
        if value not in (False, 0) and (name, value) != ("num_layers", 1)
    )
    shapes = expected(layer, given.x)
    states = [f"{name} = torch.zeros({_sizes(shapes[name])})" for name in ("h0", "c0") if name in shapes]
    state, last = ("(h0, c0)", "(h_n, c_n)") if layer.has_c else ("h0", "h_n")
    lines = [
        "import torch",
        "from torch import nn",
        "",
        f"layer = nn.{layer.cell}(input_size={layer.m}, hidden_size={layer.k}{chosen})",
        f"x = torch.randn({_sizes(given.x)})",
        *states,
        f"output, {last} = layer(x, {state})",
        "print(output.shape, h_n.shape)",
    ]
    if given.linear:
        lines += [f"linear = nn.Linear({given.linear[0]}, {given.linear[1]})", "print(linear(output).shape)"]
    return lines


def _keras(layer: LayerSizes, given: GivenSizes) -> list[str]:
    T, _ = steps_and_batch(layer, given.x)
    name = layout_of(layer.cell, layer.framework).keras
    lines = [
        "import keras",
        "from keras import layers",
        "",
        "model = keras.Sequential()",
        f"model.add(keras.Input(({T}, {layer.m})))",
    ]
    for _ in range(min(layer.layers, 3)):
        one = f"layers.{name}({layer.k}, return_sequences=True)"
        lines.append(f"model.add({f'layers.Bidirectional({one})' if layer.bidirectional else one})")
    if layer.layers > 3:
        lines.append(f"# and {layer.layers - 3} more like the last one")
    if given.linear:
        lines.append(f"model.add(layers.Dense({given.linear[1]}))")
    return [*lines, f"print(model(keras.random.normal(({_sizes(given.x)}))).shape)"]


def _numpy(layer: LayerSizes, given: GivenSizes) -> list[str]:
    B = given.x[1]
    return [
        "import numpy as np",
        "",
        f"W_h = np.zeros(({layer.k}, {layer.k} + {layer.m}))  # [W_hh | W_hx], one such matrix for each of {layer.gates}"
        if layer.gates > 1
        else f"W_h = np.zeros(({layer.k}, {layer.k} + {layer.m}))  # [W_hh | W_hx]",
        f"b_h = np.zeros(({layer.k}, 1))",
        f"h = np.zeros(({layer.k}, {B}))",
        f"x = np.zeros(({layer.m}, {B}))",
        "z = W_h @ np.concatenate([h, x], axis=0) + b_h",
        "print(z.shape)",
    ]


def _sizes(shape: tuple[int, ...]) -> str:
    return ", ".join(map(str, shape))
