"""Makes keras.json: three steps of SimpleRNN, LSTM and GRU by Keras and by PyTorch, in their own layouts, in float64.

    pip install keras torch && KERAS_BACKEND=torch python tests/core/golden/make_keras.py

It is not needed to run the tests. Each block of weights is put where the documentation of Keras and of PyTorch says
that it belongs; nothing of Cellscope is used.
"""

import json
from pathlib import Path

import keras
import numpy as np
import torch

M, K, T = 3, 4, 3
rng = np.random.default_rng(0)


def drawn(*names: str) -> dict[str, np.ndarray]:
    """Arrays by our names: W_fh of shape (K, K), W_fx of shape (K, M), b_f of shape (K, 1)."""
    columns = {"h": K, "x": M}
    return {name: rng.standard_normal((K, columns[name[-1]] if name.startswith("W") else 1)) for name in names}


def plain() -> dict[str, np.ndarray]:
    return drawn("W_hh", "W_hx", "b_h")


def lstm() -> dict[str, np.ndarray]:
    return drawn(
        *("W_fh", "W_fx", "b_f", "W_ih", "W_ix", "b_i"),
        *("W_ch", "W_cx", "b_c", "W_oh", "W_ox", "b_o"),
    )


def gru() -> dict[str, np.ndarray]:
    return drawn("W_rh", "W_rx", "b_r", "W_uh", "W_ux", "b_u", "W_hh", "W_hx", "b_hh", "b_hx")


# ---- Keras: columns, and one bias; only the GRU has two ------------------------------------------


def keras_plain(a: dict[str, np.ndarray]) -> list[np.ndarray]:
    return [a["W_hx"].T, a["W_hh"].T, a["b_h"][:, 0]]


def keras_lstm(a: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Input gate, forget gate, candidate, output gate."""
    kernel, recurrent, bias = np.empty((M, 4 * K)), np.empty((K, 4 * K)), np.empty(4 * K)
    kernel[:, :K], recurrent[:, :K], bias[:K] = a["W_ix"].T, a["W_ih"].T, a["b_i"][:, 0]
    kernel[:, K : 2 * K], recurrent[:, K : 2 * K], bias[K : 2 * K] = a["W_fx"].T, a["W_fh"].T, a["b_f"][:, 0]
    kernel[:, 2 * K : 3 * K], recurrent[:, 2 * K : 3 * K], bias[2 * K : 3 * K] = (
        a["W_cx"].T,
        a["W_ch"].T,
        a["b_c"][:, 0],
    )
    kernel[:, 3 * K :], recurrent[:, 3 * K :], bias[3 * K :] = a["W_ox"].T, a["W_oh"].T, a["b_o"][:, 0]
    return [kernel, recurrent, bias]


def keras_gru(a: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Update gate, reset gate, candidate; the first row of the bias is that of x and the second that of h.

    Of the two biases of a gate only the sum counts: here that of h is 0.
    """
    kernel, recurrent, bias = np.empty((M, 3 * K)), np.empty((K, 3 * K)), np.zeros((2, 3 * K))
    kernel[:, :K], recurrent[:, :K], bias[0, :K] = a["W_ux"].T, a["W_uh"].T, a["b_u"][:, 0]
    kernel[:, K : 2 * K], recurrent[:, K : 2 * K], bias[0, K : 2 * K] = a["W_rx"].T, a["W_rh"].T, a["b_r"][:, 0]
    kernel[:, 2 * K :], recurrent[:, 2 * K :] = a["W_hx"].T, a["W_hh"].T
    bias[0, 2 * K :], bias[1, 2 * K :] = a["b_hx"][:, 0], a["b_hh"][:, 0]
    return [kernel, recurrent, bias]


# ---- PyTorch: rows, and two biases ---------------------------------------------------------------


def torch_plain(a: dict[str, np.ndarray]) -> list[np.ndarray]:
    return [a["W_hx"], a["W_hh"], a["b_h"][:, 0], np.zeros(K)]


def torch_lstm(a: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Input gate, forget gate, candidate (there called cell gate), output gate."""
    weight_ih = np.vstack([a["W_ix"], a["W_fx"], a["W_cx"], a["W_ox"]])
    weight_hh = np.vstack([a["W_ih"], a["W_fh"], a["W_ch"], a["W_oh"]])
    return [weight_ih, weight_hh, np.vstack([a["b_i"], a["b_f"], a["b_c"], a["b_o"]])[:, 0], np.zeros(4 * K)]


def torch_gru(a: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Reset gate, update gate, candidate (there called new gate)."""
    weight_ih = np.vstack([a["W_rx"], a["W_ux"], a["W_hx"]])
    weight_hh = np.vstack([a["W_rh"], a["W_uh"], a["W_hh"]])
    bias_ih = np.vstack([a["b_r"], a["b_u"], a["b_hx"]])[:, 0]
    return [weight_ih, weight_hh, bias_ih, np.concatenate([np.zeros(2 * K), a["b_hh"][:, 0]])]


# ---- what both make of it ------------------------------------------------------------------------

CELLS = {
    "RNN": (plain, keras.layers.SimpleRNN, keras_plain, torch.nn.RNN, torch_plain),
    "LSTM": (lstm, keras.layers.LSTM, keras_lstm, torch.nn.LSTM, torch_lstm),
    "GRU": (gru, keras.layers.GRU, keras_gru, torch.nn.GRU, torch_gru),
}


def run_keras(layer_type, weights: list, xs: np.ndarray, state: list) -> dict:
    """SimpleRNN is exact to float32 alone: for PyTorch Keras 3.15 computes its products in that."""
    layer = layer_type(K, return_sequences=True, dtype="float64")
    layer.build((None, T, M))
    layer.set_weights(weights)
    h_t = layer(xs[None], initial_state=[part.T for part in state])[0]
    return {
        "weights": [array.tolist() for array in layer.get_weights()],
        "h_t": keras.ops.convert_to_numpy(h_t).tolist(),
    }


def run_torch(layer_type, weights: list, xs: np.ndarray, state: list) -> dict:
    layer = layer_type(M, K, dtype=torch.float64)
    state = [torch.tensor(part.T) for part in state]
    with torch.no_grad():
        for parameter, array in zip(layer.parameters(), weights, strict=True):
            parameter.copy_(torch.tensor(array))
        h_t, _ = layer(torch.tensor(xs), state[0] if len(state) == 1 else tuple(state))
    return {"weights": {name: array.tolist() for name, array in layer.state_dict().items()}, "h_t": h_t.tolist()}


if __name__ == "__main__":
    golden = {}
    for name, (draw, keras_layer, to_keras, torch_layer, to_torch) in CELLS.items():
        arrays, xs = draw(), rng.standard_normal((T, M))
        state = {"h_prev": rng.standard_normal((K, 1))}
        if name == "LSTM":
            state["c_prev"] = rng.standard_normal((K, 1))
        given = xs, list(state.values())
        golden[name] = {
            "arrays": {name: array.tolist() for name, array in {**arrays, **state, "xs": xs}.items()},
            "keras": run_keras(keras_layer, to_keras(arrays), *given),
            "pytorch": run_torch(torch_layer, to_torch(arrays), *given),
        }
    Path(__file__).with_name("keras.json").write_text(json.dumps(golden, indent=1) + "\n")
