"""Makes stack.json: torch.nn.RNN, LSTM and GRU with 1 to 3 layers and one or two directions, with and without biases, in float64.

    pip install torch && python tests/core/golden/make_stack.py

It is not needed to run the tests.
"""

import itertools
import json
from pathlib import Path

import torch

M, K, T, B = 3, 2, 4, 2

if __name__ == "__main__":
    torch.manual_seed(0)
    golden = []
    for name, layers, both, bias in itertools.product(("RNN", "LSTM", "GRU"), (1, 2, 3), (False, True), (False, True)):
        net = getattr(torch.nn, name)(M, K, layers, bias=bias, bidirectional=both, dtype=torch.float64)
        rows = layers * (2 if both else 1)
        xs, h_0, c_0 = (torch.randn(*shape, dtype=torch.float64) for shape in ((T, B, M), (rows, B, K), (rows, B, K)))
        with torch.no_grad():
            output, last = net(xs, (h_0, c_0) if name == "LSTM" else h_0)
        h_n, c_n = last if name == "LSTM" else (last, None)
        arrays = {"xs": xs, "h_0": h_0, "c_0": c_0, "output": output, "h_n": h_n, "c_n": c_n}
        golden.append(
            {
                "cell": name,
                "layers": layers,
                "both": both,
                "weights": {n: w.tolist() for n, w in net.state_dict().items()},
            }
            | {n: None if array is None else array.tolist() for n, array in arrays.items()}
        )
    Path(__file__).with_name("stack.json").write_text(json.dumps(golden) + "\n")
