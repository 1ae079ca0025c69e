"""Makes gru.json: one step of PyTorch's GRUCell, in its own layout, in float64.

    pip install torch && python tests/core/golden/make_gru.py

It is not needed to run the tests.
"""

import json
from pathlib import Path

import torch

M, K, B = 3, 4, 2

if __name__ == "__main__":
    torch.manual_seed(0)
    cell = torch.nn.GRUCell(M, K, dtype=torch.float64)
    x_t, h_prev = (torch.randn(B, size, dtype=torch.float64) for size in (M, K))
    with torch.no_grad():
        arrays = {"x_t": x_t, "h_prev": h_prev, "h_t": cell(x_t, h_prev), **cell.state_dict()}
    golden = {name: array.tolist() for name, array in arrays.items()}
    Path(__file__).with_name("gru.json").write_text(json.dumps(golden, indent=1) + "\n")
