"""Makes backward.json: the gradients that PyTorch's autograd gives by every weight, bias, input and first state, and its optimisers' steps.

    pip install torch && python tests/core/golden/make_backward.py

It is not needed to run the tests. All is in float64 and in PyTorch's own layout: batches are rows, and a gradient has
the name of what it is by, with "by_" before it.
"""

import json
from pathlib import Path

import torch

T, M, K, B = 4, 3, 4, 2
LAYERS = {
    "RNN tanh": lambda: torch.nn.RNN(M, K, nonlinearity="tanh", dtype=torch.float64),
    "RNN relu": lambda: torch.nn.RNN(M, K, nonlinearity="relu", dtype=torch.float64),
    "LSTM": lambda: torch.nn.LSTM(M, K, dtype=torch.float64),
    "GRU": lambda: torch.nn.GRU(M, K, dtype=torch.float64),
}
OPTIMISERS = {
    "SGD": lambda theta: torch.optim.SGD([theta], lr=0.1, momentum=0.9),
    "Adam": lambda theta: torch.optim.Adam([theta], lr=0.1),
}


def gradients(name: str) -> dict[str, list]:
    torch.manual_seed(0)
    layer = LAYERS[name]()
    given = {"xs": torch.randn(T, B, M, dtype=torch.float64)}
    given |= {part: torch.randn(1, B, K, dtype=torch.float64) for part in ("hc" if name == "LSTM" else "h")}
    for array in given.values():
        array.requires_grad_()
    first = (given["h"], given["c"]) if name == "LSTM" else given["h"]
    hs, _ = layer(given["xs"], first)
    dh = torch.randn(T, B, K, dtype=torch.float64)
    hs.backward(dh)
    of = given | dict(layer.named_parameters())
    arrays = {**of, "dh": dh, **{f"by_{array}": tensor.grad for array, tensor in of.items()}}
    return {array: tensor.tolist() for array, tensor in arrays.items()}


def steps(name: str) -> dict[str, list]:
    """Where each of five given gradients takes three numbers."""
    torch.manual_seed(0)
    theta = torch.randn(3, dtype=torch.float64, requires_grad=True)
    optimiser = OPTIMISERS[name](theta)
    way, given = [theta.tolist()], torch.randn(5, 3, dtype=torch.float64)
    for gradient in given:
        theta.grad = gradient.clone()
        optimiser.step()
        way.append(theta.tolist())
    return {"gradients": given.tolist(), "way": way}


if __name__ == "__main__":
    golden = {name: gradients(name) for name in LAYERS} | {name: steps(name) for name in OPTIMISERS}
    Path(__file__).with_name("backward.json").write_text(json.dumps(golden) + "\n")
