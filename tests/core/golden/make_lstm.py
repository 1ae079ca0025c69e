"""Makes lstm.json: one step of PyTorch's LSTMCell and of ONNX's LSTM, in their own layouts, in float64.

    pip install torch onnx && python tests/core/golden/make_lstm.py

Neither is needed to run the tests.
"""

import json
from pathlib import Path

import numpy as np
import onnx.helper
import onnx.reference
import torch

M, K, B = 3, 4, 2


def pytorch() -> dict[str, list]:
    torch.manual_seed(0)
    cell = torch.nn.LSTMCell(M, K, dtype=torch.float64)
    x_t, h_prev, c_prev = (torch.randn(B, size, dtype=torch.float64) for size in (M, K, K))
    with torch.no_grad():
        h_t, c_t = cell(x_t, (h_prev, c_prev))
    arrays = {"x_t": x_t, "h_prev": h_prev, "c_prev": c_prev, "h_t": h_t, "c_t": c_t, **cell.state_dict()}
    return {name: array.tolist() for name, array in arrays.items()}


def onnx_lstm() -> dict[str, list]:
    rng = np.random.default_rng(0)
    shapes = {
        "X": (1, B, M),
        "W": (1, 4 * K, M),
        "R": (1, 4 * K, K),
        "B": (1, 8 * K),
        "initial_h": (1, B, K),
        "initial_c": (1, B, K),
    }
    arrays = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
    inputs = ["X", "W", "R", "B", "", "initial_h", "initial_c"]
    node = onnx.helper.make_node("LSTM", inputs, ["Y", "Y_h", "Y_c"], hidden_size=K)
    double = onnx.TensorProto.DOUBLE
    graph = onnx.helper.make_graph(
        [node],
        "step",
        [onnx.helper.make_tensor_value_info(name, double, shape) for name, shape in shapes.items()],
        [onnx.helper.make_tensor_value_info(name, double, None) for name in ("Y_h", "Y_c")],
    )
    Y_h, Y_c = onnx.reference.ReferenceEvaluator(onnx.helper.make_model(graph)).run(None, arrays)
    return {name: array.tolist() for name, array in {**arrays, "Y_h": Y_h, "Y_c": Y_c}.items()}


if __name__ == "__main__":
    golden = {"pytorch": pytorch(), "onnx": onnx_lstm()}
    Path(__file__).with_name("lstm.json").write_text(json.dumps(golden, indent=1) + "\n")
