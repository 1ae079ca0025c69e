"""Makes model_files/: small networks saved by PyTorch, Keras and ONNX, and expected.json with their outputs.

    pip install torch safetensors keras onnx onnxscript && KERAS_BACKEND=torch python tests/core/golden/make_model_files.py

None of it is needed to run the tests.
"""

import json
from pathlib import Path

import keras
import numpy as np
import torch
from keras import layers
from safetensors.torch import save_file

M, K, T, B = 3, 4, 6, 2
FOLDER = Path(__file__).with_name("model_files")
expected: dict[str, dict] = {}


def note(file: str, xs: np.ndarray, output: np.ndarray) -> None:
    """Add a file whose last recurrent layer has this output, (T, B, rows)."""
    expected[file] = {"xs": xs.tolist(), "output": output.tolist()}


def of_pytorch() -> None:
    torch.manual_seed(0)
    xs = torch.randn(T, B, M)
    for name in ("RNN", "LSTM", "GRU"):
        for count in (1, 2):
            for both in (False, True):
                net = getattr(torch.nn, name)(M, K, count, bidirectional=both)
                stem = f"{name.lower()}_{count}{'_both' if both else ''}"
                with torch.no_grad():
                    output = net(xs)[0].numpy()
                state = {f"encoder.{key}": value for key, value in net.state_dict().items()}
                state |= {"head.weight": torch.randn(2, K), "conv.weight": torch.randn(2, 2, 3, 3)}
                save_file(state, FOLDER / f"{stem}.safetensors")
                note(f"{stem}.safetensors", xs.numpy(), output)
                if both and count == 2:
                    np.savez(FOLDER / f"{stem}.npz", **{key: value.numpy() for key, value in net.state_dict().items()})
                    note(f"{stem}.npz", xs.numpy(), output)
                    torch.onnx.export(net, (xs,), FOLDER / f"{stem}.onnx", dynamo=False)
                    note(f"{stem}.onnx", xs.numpy(), output)
                    if name != "RNN":  # which this exporter writes as single products
                        torch.onnx.export(net, (xs,), FOLDER / f"{stem}_dynamo.onnx", dynamo=True, external_data=False)
                        note(f"{stem}_dynamo.onnx", xs.numpy(), output)
    net = torch.nn.LSTM(M, K)
    half = {key: value.to(torch.bfloat16) for key, value in net.state_dict().items()}
    save_file(half, FOLDER / "lstm_bf16.safetensors")
    net.load_state_dict({key: value.float() for key, value in half.items()})
    with torch.no_grad():
        note("lstm_bf16.safetensors", xs.numpy(), net(xs)[0].numpy())
    cell = torch.nn.LSTMCell(M, K)
    save_file({f"cell.{key}": value for key, value in cell.state_dict().items()}, FOLDER / "lstm_cell.safetensors")
    state, outputs = None, []
    with torch.no_grad():
        for x in xs:
            state = cell(x, state)
            outputs.append(state[0].numpy())
    note("lstm_cell.safetensors", xs.numpy(), np.stack(outputs))


def of_keras() -> None:
    keras.utils.set_random_seed(0)
    xs = np.random.default_rng(0).standard_normal((B, T, M)).astype("f4")
    nets = {
        "keras_rnn": [layers.SimpleRNN(K, return_sequences=True, activation="relu")],
        "keras_lstm": [layers.LSTM(K, return_sequences=True)],
        "keras_gru_after": [layers.GRU(K, return_sequences=True)],
        "keras_gru_before": [layers.GRU(K, return_sequences=True, reset_after=False)],
        "keras_cells": [
            layers.RNN(layers.StackedRNNCells([layers.LSTMCell(K), layers.LSTMCell(K - 1)]), return_sequences=True)
        ],
        "keras_both": [
            layers.Dense(M),
            layers.LSTM(K, return_sequences=True),
            layers.Bidirectional(layers.LSTM(K, return_sequences=True)),
        ],
    }
    for name, parts in nets.items():
        net = keras.Sequential([keras.Input((T, M)), *parts])
        for weight in net.weights:
            weight.assign(weight + 0.1 * np.random.default_rng(1).standard_normal(weight.shape))
        first = next(at for at, part in enumerate(parts) if not isinstance(part, layers.Dense))
        inputs = np.array(keras.ops.convert_to_numpy(net.layers[0](xs))) if first else xs
        output = keras.ops.convert_to_numpy(net(xs))
        for ending in (".keras", ".weights.h5", ".h5"):
            if ending == ".keras":
                net.save(FOLDER / f"{name}{ending}")
            elif ending == ".h5":
                net.save(FOLDER / f"{name}_old{ending}")
            else:
                net.save_weights(FOLDER / f"{name}{ending}")
            file = f"{name}_old.h5" if ending == ".h5" else f"{name}{ending}"
            if not (name == "keras_rnn" and ending == ".weights.h5"):  # which has no configuration, so no activation
                note(file, inputs.swapaxes(0, 1), output.swapaxes(0, 1))
    for name, before in (("after", False), ("before", True)):
        _keras_in_onnx(name, before)


def of_keras_in_bf16() -> None:
    """An LSTM whose numbers are BF16, which HDF5 lacks. Its output is that of the same numbers in float64."""
    keras.utils.set_random_seed(0)
    xs = np.random.default_rng(0).standard_normal((B, T, M))
    # PyTorch has no orthogonal initializer in BF16.
    half, full = (
        layers.LSTM(K, return_sequences=True, recurrent_initializer="glorot_uniform", dtype=dtype)
        for dtype in ("bfloat16", "float64")
    )
    net = keras.Sequential([keras.Input((T, M)), half])
    full(xs)
    full.set_weights([keras.ops.convert_to_numpy(keras.ops.cast(one, "float64")) for one in half.weights])
    output = np.array(keras.ops.convert_to_numpy(full(xs)))
    net.save_weights(FOLDER / "keras_bf16.weights.h5")
    net.save(FOLDER / "keras_bf16_old.h5")
    for file in ("keras_bf16.weights.h5", "keras_bf16_old.h5"):
        note(file, xs.swapaxes(0, 1), output.swapaxes(0, 1))


def _keras_in_onnx(name: str, before: bool) -> None:
    """A GRU of Keras as a node of ONNX, whose blocks are transposed but in the order of Keras; ONNX computes the output."""
    import onnx.helper
    import onnx.reference
    from onnx import numpy_helper

    layer = layers.GRU(K, return_sequences=True, reset_after=not before)
    xs = np.random.default_rng(2).standard_normal((T, B, M)).astype("f4")
    layer(xs.swapaxes(0, 1))
    W, R, b = (np.array(weight) for weight in layer.get_weights())
    b = b + 0.1 * np.random.default_rng(3).standard_normal(b.shape).astype("f4")
    layer.set_weights([W, R, b])
    both = np.concatenate([b, 0 * b]) if before else b.reshape(-1)
    arrays = {"W": W.T[None], "R": R.T[None], "B": both[None].astype("f4")}
    node = onnx.helper.make_node(
        "GRU", ["X", "W", "R", "B"], ["Y"], name="gru", hidden_size=K, linear_before_reset=0 if before else 1
    )
    infos = [onnx.helper.make_tensor_value_info(key, onnx.TensorProto.FLOAT, None) for key in ("X", "Y")]
    constants = [numpy_helper.from_array(np.ascontiguousarray(array), key) for key, array in arrays.items()]
    graph = onnx.helper.make_graph([node], "g", infos[:1], infos[1:], constants)
    onnx.save(onnx.helper.make_model(graph), FOLDER / f"keras_gru_{name}.onnx")
    output = np.array(keras.ops.convert_to_numpy(layer(xs.swapaxes(0, 1)))).swapaxes(0, 1)
    note(f"keras_gru_{name}.onnx", xs, output)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    of_pytorch()
    of_keras()
    of_keras_in_bf16()
    (FOLDER / "expected.json").write_text(json.dumps(expected) + "\n")
