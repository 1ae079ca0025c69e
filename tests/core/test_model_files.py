"""Model files: the outputs of the frameworks, what is left out and refused, and 150 damaged files."""

import io
import json
import re
import resource
import time
import tracemalloc
import zipfile
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.exchange.array_files import to_npz, to_safetensors
from core.exchange.model_files import NONE_IN_PART, hdf5, keras_layers, pytorch_layers, read_model
from core.exchange.model_files import contents as contents_module
from core.exchange.model_files.contents import MOST_OF_FILE, MOST_UNITS, FileArray, LayerRefused, with_activation
from core.exchange.model_files.keras_config import layers_of_config
from core.exchange.model_files.onnx_constants import COST_OF_READ
from core.sequence.layers import run_layers
from tests.core import hostile_models
from tests.core.hostile_models import message, varint
from tests.core.hostile_models import tensor as tensor_of

FOLDER = Path(__file__).parent / "golden" / "model_files"
# See golden/make_model_files.py.
EXPECTED = json.loads((FOLDER / "expected.json").read_text())
HDF5 = (".h5", ".keras")


@cache
def data_of(name: str) -> bytes:
    if name.endswith(HDF5):
        pytest.importorskip("pyfive")
    return (FOLDER / name).read_bytes()


def weights(k: int = 2, m: int = 3, g: int = 4, prefix: str = "") -> dict[str, np.ndarray]:
    """The arrays of one layer with PyTorch's names."""
    rng = np.random.default_rng(0)
    return {f"{prefix}weight_ih_l0": rng.normal(size=(g * k, m)), f"{prefix}weight_hh_l0": rng.normal(size=(g * k, k))}


# ---- what is taken -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPECTED)
def test_a_network_computes_what_its_framework_does(name):
    contents = read_model(name, data_of(name))
    (network,) = contents.networks
    xs, output = (np.array(EXPECTED[name][part]).transpose(0, 2, 1) for part in ("xs", "output"))
    made = run_layers([layer.layer(xs.shape[2]) for layer in network.layers], xs)
    assert_allclose(made.output, output, rtol=0, atol=1e-6)


def test_what_is_not_recurrent_is_left_out_by_name():
    contents = read_model("a.safetensors", data_of("lstm_2_both.safetensors"))
    assert {(one.name, one.reason) for one in contents.left_out} == {
        ("head.weight", "not recurrent"),
        ("conv.weight", "not recurrent"),
    }
    assert contents.networks[0].name == "encoder"
    assert [layer.rows for layer in contents.networks[0].layers] == [8, 8]


def test_two_networks_in_a_file_are_a_choice():
    arrays = {**weights(prefix="encoder."), **weights(k=3, prefix="decoder.rnn.", g=3)}
    networks = read_model("a.npz", to_npz(arrays)).networks
    assert [(network.name, network.layers[0].cell) for network in networks] == [
        ("encoder", "LSTM"),
        ("decoder.rnn", "GRU"),
    ]


@pytest.mark.parametrize("names", [("cells.0.", "cells.1."), ("rnns.0.rnn.", "rnns.1.rnn."), ("lstm1.", "lstm2.")])
def test_numbered_layers_that_read_each_other_are_one_network(names):
    first, second = names
    contents = read_model("a.npz", to_npz({**weights(m=2, k=3, prefix=second), **weights(m=3, k=2, prefix=first)}))
    assert [[layer.k for layer in network.layers] for network in contents.networks] == [[2, 3]]
    assert contents.networks[0].name == first.rstrip(".")
    assert contents.assumed == ["order of layers"]


@pytest.mark.parametrize("inner", ["", "module."])
def test_the_weights_of_a_weight_dropped_layer_are_read(inner):
    plain = weights(prefix=f"rnns.0.{inner}")
    dropped = {**plain, "rnns.0.weight_hh_l0_raw": plain[f"rnns.0.{inner}weight_hh_l0"]}
    if inner:
        # A copy that was saved in training lacks some weights.
        dropped[f"rnns.0.{inner}weight_hh_l0"] = 0 * dropped["rnns.0.weight_hh_l0_raw"]
    else:
        del dropped["rnns.0.weight_hh_l0"]
    found, expected = (read_model("a.npz", to_npz(arrays)) for arrays in (dropped, plain))
    assert found.networks[0].name == expected.networks[0].name and found.left_out == []
    for arrays in zip(*(each.networks[0].layers[0].directions[0].arrays.values() for each in (found, expected))):
        assert_allclose(*arrays)


def test_the_names_of_many_weight_dropped_layers_take_no_second():
    one = FileArray((4, 1), True, lambda: np.zeros((4, 1)))
    start = time.process_time()
    with pytest.raises(ValueError, match=r"\b20000\b"):
        pytorch_layers.read({f"a{at}.weight_hh_l0_raw": one for at in range(20_000)})
    assert time.process_time() - start < 5 * SECONDS


def test_the_number_in_a_name_has_any_length():
    names = ["cells.02.", "cells.3.", f"cells.{'9' * 5000}."]
    arrays = [weights(m=m, k=k, prefix=name) for name, m, k in zip(names, (5, 2, 3), (2, 3, 4))]
    (network,) = read_model("a.npz", to_npz(arrays[2] | arrays[1] | arrays[0])).networks
    assert [layer.k for layer in network.layers] == [2, 3, 4]


@pytest.mark.parametrize("name", ["keras_lstm.weights.h5", "keras_lstm_old.h5"])
def test_an_array_without_its_numbers_is_not_read_as_0(name):
    with pytest.raises(ValueError, match=re.escape(hdf5.ABSENT)):
        read_model("a.h5", hostile_models.without_numbers(data_of(name)))


@pytest.mark.parametrize("second", ["experts.1.", "experts.two.", "deeper.experts.1."])
def test_layers_that_may_read_the_same_input_stay_apart(second):
    contents = read_model("a.npz", to_npz({**weights(m=2, prefix="experts.0."), **weights(m=2, prefix=second)}))
    assert [len(network.layers) for network in contents.networks] == [1, 1]


def test_what_a_file_does_not_say_is_assumed_and_said():
    assert read_model("a.npz", to_npz(weights(g=1))).assumed == ["tanh"]
    assert with_activation(read_model("a.npz", to_npz(weights(g=1))).networks[0], "relu").layers[0].g == "relu"
    assert read_model("a.npz", to_npz(weights(g=3))).assumed == ["gate order"]
    assert read_model("a.npz", to_npz(weights())).assumed == []
    assert read_model("a.h5", data_of("keras_lstm.weights.h5")).assumed == ["activations"]
    assert read_model("a.h5", data_of("keras_both.weights.h5")).assumed == ["activations", "order of layers"]


def test_the_configuration_names_the_layers_in_order():
    contents = read_model("a.keras", data_of("keras_both.keras"))
    assert [len(layer.directions) for layer in contents.networks[0].layers] == [1, 2]


def test_an_older_file_of_keras_says_its_activations():
    data = data_of("keras_both_old.h5")
    contents = read_model("a.h5", data)
    assert not contents.assumed
    assert [layer.name for layer in contents.networks[0].layers] == ["lstm_1", "bidirectional"]
    # As long as before, so that the file keeps its structure.
    backward = data.replace(b'"go_backwards": false', b'"go_backwards": true ', 1)
    (first, _) = read_model("a.h5", backward).networks
    assert [one.is_reverse for one in first.layers[0].directions] == [True]


def keras_of(layers: list[dict], **more: object) -> bytes:
    """The golden .keras file of Dense, LSTM and Bidirectional, with another configuration."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data_of("keras_both.keras"))) as golden, zipfile.ZipFile(made, "w") as archive:
        config = {"class_name": "Model", "config": {"layers": layers, **more}}
        archive.writestr("config.json", json.dumps(config))
        archive.writestr("model.weights.h5", golden.read("model.weights.h5"))
    return made.getvalue()


def keras_layer(kind: str, *sources: str, **options: object) -> dict:
    """A layer of a functional model, which reads other layers."""
    read = [{"config": {"keras_history": [source, 0, 0]}} for source in sources]
    return {
        "class_name": kind,
        "config": {"name": kind, **options},
        "inbound_nodes": [{"args": read}] if sources else [],
    }


LSTM, BOTH = keras_layer("LSTM"), keras_layer("Bidirectional", layer={"class_name": "LSTM", "config": {}})


@pytest.mark.parametrize(
    ("between", "sizes"),
    [((), [2]), (("Dropout",), [2]), (("LayerNormalization",), [1, 1]), (("RepeatVector", "Dropout"), [1, 1])],
)
def test_a_layer_of_keras_stands_on_the_one_that_it_reads(between, sizes):
    contents = read_model("a.keras", keras_of([LSTM, *map(keras_layer, between), BOTH]))
    assert [len(network.layers) for network in contents.networks] == sizes
    # In a functional model, an earlier layer need not be below a later one.
    inbound = [("LSTM", "InputLayer"), *zip(between, ("LSTM", *between))]
    layers = [keras_layer("InputLayer"), *(keras_layer(kind, source) for kind, source in inbound)]
    last = inbound[-1][0]
    for sources, expected in (((last,), sizes), (("InputLayer",), [1, 1]), (("InputLayer", last), [1, 1])):
        both = keras_layer("Bidirectional", *sources, layer={"class_name": "LSTM", "config": {}})
        contents = read_model("a.keras", keras_of([*layers, both], output_layers=[["Bidirectional", 0, 0]]))
        assert [len(network.layers) for network in contents.networks] == expected


def keras_way(name: str, kind: str = "SimpleRNN", activation: str = "tanh") -> dict:
    return {"class_name": kind, "config": {"name": name, "activation": activation}}


def keras_both(name: str, forward: dict, backward: dict | None = None) -> dict:
    """A Bidirectional layer; Keras 2 writes a backward layer only if it has settings of its own."""
    more = {"backward_layer": backward} if backward else {}
    return {"class_name": "Bidirectional", "config": {"name": name, "layer": forward, **more}}


@pytest.mark.parametrize(
    ("layers", "paths", "expected"),
    [
        ([keras_both("own", keras_way("forward_f"), keras_way("b"))], ["own/net/own/b", "own/net/own/forward_f"], "10"),
        ([keras_both("own", keras_way("f"))], ["own/own/backward_f", "own/own/forward_f"], "10"),
        ([keras_way("forward_x"), keras_way("backward_x")], ["forward_x/forward_x", "backward_x/backward_x"], "0 1"),
        ([keras_way("long" * 30, activation="relu")], [f"{'long' * 30}/net/{'long' * 30}"], "0"),
        # The model has the name of its first layer.
        ([keras_way("net", activation="relu"), keras_way("rnn")], ["rnn/net/rnn", "net/net/net"], "1 0"),
    ],
)
def test_the_names_of_an_older_file_of_keras_are_those_of_its_configuration(layers, paths, expected):
    arrays = {
        f"model_weights/{path}/cell/{kind}": FileArray((2, 2), True, partial(np.full, (2, 2), float(at)))
        for at, path in enumerate(paths)
        for kind in ("kernel", "recurrent_kernel")
    }
    contents = keras_layers.read(arrays, {"config": {"layers": layers}})
    found = [layer for network in contents.networks for layer in network.layers]
    read = ["".join(f"{one.arrays['W_hh'][0, 0]:.0f}" for one in layer.directions) for layer in found]
    assert " ".join(read) == expected
    assert [[one.is_reverse for one in layer.directions] for layer in found] == [
        [False, True][: len(each)] for each in read
    ]
    assert [layer.g for layer in found] == [layer["config"].get("activation", "tanh") for layer in layers]


@pytest.mark.parametrize(
    ("forward", "backward", "reason"),
    [
        (keras_way("f"), keras_way("b"), ""),
        (keras_way("f"), keras_way("b", activation="relu"), "unlike directions"),
        (keras_way("f", "LSTM"), keras_way("b", "GRU"), "unlike directions"),
        (keras_way("f", "LSTM"), keras_way("b", "LSTM", "relu"), "unlike directions"),
        (keras_way("f", activation="gelu"), keras_way("b", activation="gelu"), "activation"),
    ],
)
def test_a_backward_layer_of_its_own_is_like_the_forward_one(forward, backward, reason):
    (at,) = layers_of_config({"config": {"layers": [keras_both("both", forward, backward)]}})
    assert (at.reason, at.backward) == (reason, "b")


@pytest.mark.parametrize("sizes", [(3, 2), (2, 3)])
def test_a_backward_layer_of_another_size_is_refused(sizes):
    arrays = {}
    for name, k in zip(("forward_r", "backward_r"), sizes):
        arrays |= {f"both/{name}/kernel": np.ones((2, 4 * k)), f"both/{name}/recurrent_kernel": np.ones((k, 4 * k))}
    assert refused("a.npz", to_npz(arrays))[1] == "unlike directions"


def test_a_cell_of_its_own_class_is_refused_by_name():
    own = {"class_name": "RNN", "config": {"name": "own", "cell": {"class_name": "Minimal", "config": {}}}}
    assert [(one.name, one.reason) for one in layers_of_config({"config": {"layers": [own]}})] == [
        ("own", "another cell")
    ]
    # A fourth array of a cell that seems to be an LSTM.
    arrays = {"r/cell/vars/0": (3, 8), "r/cell/vars/1": (2, 8), "r/cell/vars/2": (8,), "r/cell/vars/3": (3, 2)}
    assert refused("a.npz", to_npz({name: np.ones(shape) for name, shape in arrays.items()})) == ("r", "another cell")


def test_stacked_cells_that_start_at_the_end_read_each_other():
    cells = [{"class_name": kind, "config": {"name": kind}} for kind in ("SimpleRNNCell", "LSTMCell")]
    stacked = {"class_name": "StackedRNNCells", "config": {"cells": cells}}
    rnn = {"class_name": "RNN", "config": {"name": "rnn", "go_backwards": True, "cell": stacked}}
    first, second, third = layers_of_config({"config": {"layers": [rnn, keras_way("after")]}})
    assert (second.source, second.is_reverse) == (first.path, True)
    # It reads the outputs in the order in which the cells made them.
    assert third.source == ""


def test_a_recurrent_layer_within_each_time_step_has_a_configuration():
    inside = {"class_name": "TimeDistributed", "config": {"name": "each", "layer": keras_way("r", activation="relu")}}
    (first, second) = layers_of_config({"config": {"layers": [inside, keras_way("s")]}})
    assert (first.path, first.name, first.g) == ("layers/time_distributed/layer", "r", "relu")
    # The steps of the second layer are another axis.
    assert second.source == ""


@pytest.mark.parametrize("layer", [keras_layer("Masking"), keras_layer("Embedding", mask_zero=True)])
def test_steps_that_keras_masks_are_said(layer):
    assert read_model("a.keras", keras_of([layer, LSTM, BOTH])).assumed == ["masking"]
    assert read_model("a.keras", keras_of([keras_layer("Embedding", mask_zero=False), LSTM, BOTH])).assumed == []


def test_an_initial_state_of_keras_is_listed():
    layers = [keras_layer("InputLayer"), keras_layer("Dense"), keras_layer("LSTM", "InputLayer", "Dense"), BOTH]
    contents = read_model("a.keras", keras_of(layers, output_layers=[]))
    assert contents.assumed == ["initial state"]
    assert ("initial_state of LSTM", "initial state") in contents.left_out
    # Two calls of a layer with one input each.
    layers[2]["inbound_nodes"] = [keras_layer("LSTM", source)["inbound_nodes"] for source in ("InputLayer", "Dense")]
    assert read_model("a.keras", keras_of(layers, output_layers=[])).assumed == []


def onnx_node(kind: str, *names: str) -> bytes:
    """A node, from the names of its inputs and of its output."""
    *inputs, output = names
    fields = [*(message(1, name.encode()) for name in inputs), message(2, output.encode()), message(4, kind.encode())]
    return message(1, b"".join(fields))


@pytest.mark.parametrize(
    ("between", "is_read", "sizes"),
    [
        (["Squeeze", "Transpose"], True, [2]),
        (["LayerNormalization"], True, [1, 1]),
        ([], True, [2]),
        ([], False, [1, 1]),
    ],
)
def test_a_node_of_onnx_stands_on_the_one_that_it_reads(between, is_read, sizes):
    arrays = {name: array[None] for name, array in zip("WR", weights(m=2).values())}
    passed = [onnx_node(kind, f"{at}", f"{at + 1}") for at, kind in enumerate(between)]
    last = f"{len(between)}" if is_read else "x"
    nodes = [onnx_node("LSTM", "x", "W", "R", "0"), *passed, onnx_node("LSTM", last, "W", "R", "y")]
    graph = [*nodes, *(onnx_weights(*pair, "BF16 raw") for pair in arrays.items())]
    contents = read_model("a.onnx", hostile_models.onnx_of(*graph))
    assert [len(network.layers) for network in contents.networks] == sizes


@pytest.mark.parametrize(
    ("nodes", "state"),
    [
        ([], ""),
        ([("Slice", "given", "0", "1", "h")], "given"),
        ([("Slice", "zero", "0", "1", "h")], ""),
        ([("Concat", "zero", "given", "h")], "given"),
        ([("Concat", "zero", "zero", "h")], ""),
        ([("LSTM", "x", "W", "R", "other", "h")], "h"),
        ([("Tanh", "given", "a"), ("Unsqueeze", "a", "h")], "a"),
        ([("Shape", "x", "a"), ("ConstantOfShape", "a", "h")], ""),
        ([("Shape", "x", "a"), ("Expand", "zero", "a", "h")], ""),
        ([("Shape", "x", "a"), ("Expand", "seven", "a", "h")], "seven"),
        ([("Identity", "h", "h")], ""),
    ],
)
def test_an_initial_state_of_onnx_is_listed(nodes, state):
    arrays = {name: array[None] for name, array in zip("WR", weights(m=2).values())}
    arrays |= {"zero": np.zeros((1, 1, 2)), "seven": np.full((1, 1, 2), 0.7)}
    arrays |= {} if nodes else {"h": np.zeros((1, 1, 2))}
    made = [onnx_node(kind, *names) for kind, *names in nodes]
    graph = [*made, onnx_node("LSTM", "x", "W", "R", "", "", "h", "y")]
    contents = read_model(
        "a.onnx", hostile_models.onnx_of(*graph, *(onnx_weights(*one, "BF16 raw") for one in arrays.items()))
    )
    assert contents.assumed == ["initial state"] * bool(state)
    assert [one.name for one in contents.left_out if one.reason == "initial state"] == [state] * bool(state)
    # A state of 0 is no loss.
    listed, used = {one.name for one in contents.left_out}, {name for node in nodes for name in node}
    assert ("zero" in listed) != ("zero" in used)


def test_sizes_and_places_of_onnx_are_not_listed():
    arrays = {name: array[None] for name, array in zip("WR", weights(m=2).values())}
    more = [
        tensor_of(b"sizes", (3,), bytes(24), 7),
        tensor_of(b"table", (1, 3), bytes(24), 7),
        tensor_of(b"head", (3,), bytes(12)),
    ]
    graph = [onnx_node("LSTM", "x", "W", "R", "y"), *(onnx_weights(*one, "BF16 raw") for one in arrays.items()), *more]
    assert [one.name for one in read_model("a.onnx", hostile_models.onnx_of(*graph)).left_out] == ["table", "head"]


def test_an_initial_state_of_many_nodes_is_read_once(monkeypatch):
    read = []
    monkeypatch.setattr("core.exchange.model_files.onnx.has_nonzero", read.append)
    arrays = {name: array[None] for name, array in zip("WR", weights(m=2).values())} | {"h0": np.zeros((1, 1, 2))}
    node = onnx_node("LSTM", "x", "W", "R", "", "", "h0", "h0", "y")
    graph = [node] * 3 + [onnx_weights(*pair, "BF16 raw") for pair in arrays.items()]
    read_model("a.onnx", hostile_models.onnx_of(*graph))
    assert [tensor.shape for tensor in read] == [(1, 1, 2)]


@pytest.mark.parametrize(
    ("name", "is_state"),
    [
        ("h0", True),
        ("encoder.h_0", True),
        ("init_hidden", True),
        ("net.init_c", True),
        ("init_hx", True),
        ("initial_hidden_state", True),
        ("initial_state_h", True),
        ("rnn.init_h_0", True),
        ("ch0", False),
        ("h0.weight", False),
        ("init_conv", False),
        ("init_count", False),
        ("init_channels", False),
        ("pos.init_center", False),
    ],
)
def test_a_trained_initial_state_of_pytorch_is_said(name, is_state):
    for value in (0.0, 0.7):
        wide = np.full((1, 1, 5), value)
        assert read_model("a.npz", to_npz({**weights(), name: wide})).left_out == [(name, "not recurrent")]
        contents = read_model("a.npz", to_npz({**weights(), name: np.full((1, 1, 2), value)}))
        assert contents.assumed == ["initial state"] * (is_state and value > 0)
        assert contents.left_out == [(name, "initial state" if is_state else "not recurrent")]


def test_the_lengths_of_sequences_in_onnx_are_said():
    arrays = {name: array[None] for name, array in zip("WR", weights(m=2).values())}
    node = onnx_node("LSTM", "x", "W", "R", "", "lengths", "y")
    graph = [node, *(onnx_weights(*pair, "BF16 raw") for pair in arrays.items())]
    assert read_model("a.onnx", hostile_models.onnx_of(*graph)).assumed == ["sequence lengths"]


def test_a_file_has_at_most_so_many_recurrent_layers():
    names = [f"weight_{kind}h" for kind in "ih"]
    pytorch = {f"l{at}.{name}": np.ones((4, 1), "f4") for at in range(MOST_OF_FILE) for name in names}
    assert len(read_model("a.npz", to_npz(pytorch)).networks) == MOST_OF_FILE
    more = {f"more.{name}": np.ones((4, 1), "f4") for name in names}
    keras = {f"{at}/{kind}kernel": np.ones((1, 4)) for at in range(MOST_OF_FILE + 1) for kind in ("", "recurrent_")}
    node = onnx_node("LSTM", "x", "W", "R", "y")
    for name, data in (
        ("a.npz", to_npz({**pytorch, **more})),
        ("a.safetensors", to_safetensors(keras)),
        ("a.onnx", hostile_models.onnx_of(*[node] * (MOST_OF_FILE + 1))),
    ):
        with pytest.raises(ValueError, match=f"has {MOST_OF_FILE + 1} recurrent layers"):
            read_model(name, data)


@pytest.mark.parametrize("prefix", ["optimizer.exp_avg.lstm.", "optim.state.", "exp_avg_sq.lstm."])
def test_the_state_of_an_optimizer_is_no_network(prefix):
    arrays = {f"optimus.{name}": array for name, array in weights().items()}
    beside = {f"{prefix}{name}": array for name, array in weights().items()}
    contents = read_model("a.npz", to_npz({**arrays, **beside}))
    assert [network.name for network in contents.networks] == ["optimus"]
    assert {one.name for one in contents.left_out} == set(beside)


def test_a_cell_in_a_layer_of_keras_says_its_activation():
    cell = {"class_name": "LSTMCell", "config": {"activation": "relu"}}
    layers = [BOTH, {"class_name": "RNN", "config": {"name": "own", "cell": cell}}]
    assert [(one.path, one.reason) for one in layers_of_config({"config": {"layers": layers}})][1] == (
        "layers/rnn",
        "activation",
    )
    cell["class_name"] = "SimpleRNNCell"
    assert [one.g for one in layers_of_config({"config": {"layers": layers}})] == ["tanh", "relu"]


# ---- what is refused -----------------------------------------------------------------------------


def refused(name: str, data: bytes) -> tuple[str, str]:
    """The name of the layer for which a file is refused, and the code of the reason."""
    with pytest.raises(LayerRefused) as error:
        read_model(name, data)
    return error.value.layer


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (b'"merge_mode": "concat"', b'"merge_mode": "sum"   ', "merge"),
        (b'"activation": "tanh"', b'"activation": "relu"', "activation"),
        (b'"recurrent_activation": "sigmoid"', b'"recurrent_activation": "linear" ', "activation"),
    ],
)
def test_what_an_older_file_of_keras_says_is_refused_by_name(before, after, reason):
    data = data_of("keras_both_old.h5")
    assert before in data
    assert reason in {one.reason for one in read_model("a.h5", data.replace(before, after, 1)).left_out}
    with pytest.raises(ValueError, match="configuration"):
        read_model("a.h5", data.replace(b'{"class_name"', b'{"class_name\n', 1))


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"r.weight_hr_l0": np.ones((1, 2))}, "projection"),
        ({"r.layernorm_h.weight": np.ones(8)}, "layer normalization"),
        ({"r.peephole_i": np.ones(2)}, "peepholes"),
        ({"r.weight_ih_l0": np.ones((8, 3), "i1")}, "quantized"),
        ({"r.weight_ih_l0": np.ones((8, 3), "g")}, "quantized"),
        ({"r.weight_hh_l0": np.full((8, 2), np.nan)}, "not finite"),
        ({"r.weight_hh_l0": np.ones((9, 2))}, "sizes"),
        ({"r.weight_hh_l0_g": np.ones((8, 1)), "r.weight_hh_l0_v": np.ones((8, 2))}, "factors"),
        ({"r.parametrizations.weight_hh_l0.original0": np.ones((8, 1))}, "factors"),
        ({"r.weight_ih_l2": np.ones((8, 2)), "r.weight_hh_l2": np.ones((8, 2))}, "incomplete"),
    ],
)
def test_what_changes_the_meaning_is_refused_by_name(more, reason):
    assert refused("a.npz", to_npz({**weights(prefix="r."), **more})) == ("r", reason)
    # A second network is still taken.
    contents = read_model("a.npz", to_npz({**weights(prefix="r."), **more, **weights(prefix="s.")}))
    assert [network.name for network in contents.networks] == ["s"]
    assert contents.left_out[0].name == "r"


def test_an_onnx_file_without_a_recurrent_node_is_told_how_to_be_exported():
    # A model whose graph has one node, Relu.
    with pytest.raises(ValueError, match="dynamo=False"):
        read_model("a.onnx", message(7, message(1, message(4, b"Relu"))))


def inside(kind: str, name: str) -> bytes:
    """An attribute with a graph of one node, which stands in a Loop or an If."""
    node = message(1, message(3, name.encode()) + message(4, kind.encode()))
    return message(5, message(1, b"body") + message(6, node))


@pytest.mark.parametrize("depth", [1, 3])
def test_a_recurrent_node_inside_a_loop_is_refused_by_name(depth):
    loop = inside("LSTM", "hidden")
    for _ in range(depth - 1):
        loop = message(5, message(1, b"body") + message(6, message(1, message(4, b"If") + loop)))
    loop = message(1, message(4, b"Loop") + loop)
    assert refused("a.onnx", hostile_models.onnx_of(loop)) == ("hidden", "inside")
    arrays = {name: array[None] for name, array in zip("WR", weights(m=2).values())}
    graph = [loop, onnx_node("LSTM", "x", "W", "R", "y"), *(onnx_weights(*one, "BF16 raw") for one in arrays.items())]
    contents = read_model("a.onnx", hostile_models.onnx_of(*graph))
    assert contents.left_out[0] == ("hidden", "inside")


def test_a_recurrent_node_inside_a_function_is_refused_by_name():
    function = message(25, message(7, message(3, b"hidden") + message(4, b"GRU")))
    data = hostile_models.onnx_of(message(1, message(4, b"Relu"))) + function
    assert refused("a.onnx", data) == ("hidden", "inside")


def test_graphs_inside_graphs_without_end_are_refused():
    loop = inside("LSTM", "hidden")
    for _ in range(400):
        loop = message(5, message(6, message(1, message(4, b"If") + loop)))
    with pytest.raises(ValueError, match="damaged"):
        read_model("a.onnx", hostile_models.onnx_of(message(1, message(4, b"Loop") + loop)))


def ints(name: str, *values: int) -> bytes:
    """An attribute of whole numbers."""
    return message(5, message(1, name.encode()) + message(8, b"".join(varint(one % 2**64) for one in values)))


def places(name: str, *values: int) -> bytes:
    """An array of whole numbers."""
    return tensor_of(name.encode(), (len(values),), np.array(values, "<i8").tobytes(), 7)


# The names of the inputs and of the output of each node, and its attributes. a is W.T, and b has the blocks of W in another order.
MADE = {
    "transposed": [("Transpose", ["a", "t"], ints("perm", 1, 0)), ("Unsqueeze", ["t", "W"], ints("axes", 0))],
    "transposed without perm": [("Transpose", ["a", "t"], b""), ("Unsqueeze", ["t", "zero", "W"], b"")],
    "reshaped": [("Transpose", ["a", "t"], b""), ("Reshape", ["t", "shape", "W"], b"")],
    "squeezed": [
        ("Transpose", ["a", "t"], b""),
        ("Unsqueeze", ["t", "both", "u"], b""),
        ("Squeeze", ["u", "zero", "W"], b""),
    ],
    "cut and joined": [
        ("Slice", ["b", "two", "end", "zero", "u"], b""),
        ("Slice", ["b", "l"], ints("starts", 0) + ints("ends", 2) + ints("axes", -2)),
        ("Concat", ["u", "l", "t"], message(5, message(1, b"axis") + varint(3 << 3) + varint(2**64 - 2))),
        ("Identity", ["t", "i"], b""),
        ("Unsqueeze", ["i", "zero", "W"], b""),
    ],
    "backward": [("Slice", ["c", "last", "start", "zero", "back", "t"], b""), ("Unsqueeze", ["t", "zero", "W"], b"")],
}


@pytest.mark.parametrize("way", MADE)
def test_weights_of_onnx_that_nodes_move_are_read(way):
    W, R = weights(m=2).values()
    arrays = {"a": W.T, "b": np.roll(W, 2, axis=0), "c": W[::-1], "R": R[None], "head": W}
    graph = [
        *(message(1, onnx_node(kind, *names)[2:] + more) for kind, names, more in MADE[way]),
        message(1, onnx_node("Transpose", "head", "turned")[2:]),
        onnx_node("LSTM", "x", "W", "R", "y"),
        *(onnx_weights(*one, "BF16 raw") for one in arrays.items()),
        *(places(name, value) for name, value in {"zero": 0, "two": 2, "end": 2**62, "last": -1, "back": -1}.items()),
        *(places("shape", 1, -1, 2), places("start", -(2**63)), places("both", 0, 1)),
    ]
    contents = read_model("a.onnx", hostile_models.onnx_of(*graph))
    plain = [onnx_node("LSTM", "x", "W", "R", "y"), onnx_weights("W", W[None], "BF16 raw")]
    expected = read_model("a.onnx", hostile_models.onnx_of(*plain, onnx_weights("R", R[None], "BF16 raw")))
    for found, right in zip(*(one.networks[0].layers[0].directions[0].arrays.values() for one in (contents, expected))):
        assert_allclose(found, right, rtol=0, atol=0)
    # Each array once, and none that the weights are made of.
    used = {name for _, names, _ in MADE[way] for name in names}
    assert {one.name for one in contents.left_out} == {*arrays} - used - {"R"}


def test_quantized_weights_of_onnx_that_nodes_move_are_refused_as_such():
    W, R = weights(m=2).values()
    nodes = [onnx_node("DequantizeLinear", "q", "d"), onnx_node("Transpose", "d", "t"), onnx_node("Cast", "t", "W")]
    arrays = [onnx_weights(name, array[None], "BF16 raw") for name, array in {"q": W, "R": R}.items()]
    data = hostile_models.onnx_of(*nodes, onnx_node("LSTM", "x", "W", "R", "y"), *arrays)
    assert refused("a.onnx", data)[1] == "quantized"


def test_weights_of_onnx_that_are_made_of_too_many_are_refused():
    # Each node reads its input twice, and its numbers are no more than before.
    halved = [("Concat", f"{at}", f"{at}", f"c{at}") for at in range(0, 60)]
    cut = [("Slice", f"c{at}", f"{at + 1}") for at in range(0, 60)]
    axis, slices = message(5, message(1, b"axis") + varint(3 << 3) + varint(1)), ints("starts", 0) + ints("ends", 8)
    nodes = []
    for join, part in zip(halved, cut):
        nodes += [message(1, onnx_node(*join)[2:] + axis), message(1, onnx_node(*part)[2:] + slices + ints("axes", 1))]
    W, R = weights(m=2).values()
    arrays = {"0": W[None], "R": R[None]}
    for count in (2, 120):
        graph = [*nodes[:count], onnx_node("LSTM", "x", f"{count // 2}", "R", "y")]
        data = hostile_models.onnx_of(*graph, *(onnx_weights(*one, "BF16 raw") for one in arrays.items()))
        if count == 2:
            assert read_model("a.onnx", data).networks[0].layers[0].cell == "LSTM"
        else:
            assert refused("a.onnx", data)[1] == "computed"


def test_layers_after_one_whose_weights_cost_too_much_are_read(monkeypatch):
    W, R = weights(m=2).values()
    nodes = [
        onnx_node("Transpose", "t", "W"),
        *(onnx_node("LSTM", "x", name, "R", "y") for name in ("W", "W", "plain")),
    ]
    arrays = {"t": W[None].transpose(2, 1, 0), "plain": W[None], "R": R[None]}
    data = hostile_models.onnx_of(*nodes, *(onnx_weights(*one, "BF16 raw") for one in arrays.items()))
    # Enough for one of the two that are made.
    monkeypatch.setattr(contents_module, "MOST_READ", 3 * COST_OF_READ // 2)
    contents = read_model("a.onnx", data)
    assert len(contents.networks) == 2 and [one.reason for one in contents.left_out] == ["computed"]


@pytest.mark.parametrize(
    ("kind", "reason"), [("Cast", ""), ("DequantizeLinear", "quantized"), ("Transpose", "sizes"), ("Tanh", "computed")]
)
def test_weights_of_onnx_that_a_node_makes(kind, reason):
    arrays = {name: array[None] for name, array in zip(("first", "R"), weights(m=2).values())}
    nodes = [onnx_node(kind, "first", "W"), onnx_node("LSTM", "x", "W", "R", "y")]
    data = hostile_models.onnx_of(*nodes, *(onnx_weights(*one, "BF16 raw") for one in arrays.items()))
    if reason:
        with pytest.raises(ValueError, match=reason):
            read_model("a.onnx", data)
    else:
        assert read_model("a.onnx", data).networks[0].layers[0].cell == "LSTM"


@pytest.mark.parametrize("names", [("weight_ih_l0", "weight_hh_l0"), ("r/kernel", "r/recurrent_kernel")])
def test_a_convolution_in_a_cell_is_refused_by_name(names):
    name, reason = refused("a.npz", to_npz({name: np.ones((3, 3, 2, 8)) for name in names}))
    assert (name, reason) == (names[0].rpartition("/")[0], "convolution")


@pytest.mark.parametrize("name", ["model-00001-of-00002.safetensors", "a_00003.weights.h5"])
def test_a_file_that_is_one_of_several_is_said(name):
    if name.endswith(HDF5):
        data = data_of("keras_lstm.weights.h5")
    else:
        data = to_safetensors(weights())
    assert "one of several files" in read_model(name, data).assumed
    for whole in (re.sub("[-_]0.*?(?=[.])", "", name), name.replace("_00003", "_v3").replace("2.", "1.")):
        assert "one of several files" not in read_model(whole, data).assumed


def test_a_part_without_a_recurrent_layer_says_that_it_is_a_part():
    data = to_npz({"head.weight": np.ones((2, 2))})
    with pytest.raises(ValueError, match=f"^{re.escape(NONE_IN_PART)}$"):
        read_model("model-2-of-3.npz", data)
    half = {name: array for name, array in weights().items() if name.startswith("weight_hh")}
    assert refused("model-2-of-3.npz", to_npz(half)) == ("", "incomplete")


def test_layers_that_can_read_each_other_stand_in_the_order_of_their_file():
    shapes = {"encoder/lstm_9": (3, 8, 2), "decoder/lstm_10": (2, 12, 3)}
    arrays = {}
    for name, (m, rows, k) in shapes.items():
        arrays |= {f"{name}/kernel": np.ones((m, rows)), f"{name}/recurrent_kernel": np.ones((k, rows))}
    (network,) = read_model("a.npz", to_npz(arrays)).networks
    assert [(layer.m, layer.k) for layer in network.layers] == [(3, 2), (2, 3)]


def test_a_network_without_a_configuration_has_the_name_of_its_first_layer():
    arrays = {
        "upper/kernel": (2, 12),
        "upper/recurrent_kernel": (3, 12),
        "x/kernel": (4, 8),
        "x/recurrent_kernel": (2, 8),
    }
    (network,) = read_model("a.npz", to_npz({name: np.ones(shape) for name, shape in arrays.items()})).networks
    assert (network.name, [layer.name for layer in network.layers]) == ("x", ["x", "upper"])


def test_factors_of_a_layer_without_a_prefix_are_refused_too():
    arrays = {**weights(), "parametrizations.weight_hh_l0.original0": np.ones((8, 1))}
    assert refused("a.npz", to_npz(arrays)) == ("", "factors")


@pytest.mark.parametrize(
    "names",
    [
        ("weight_ih_l0_v", "weight_ih_l0_g", "weight_hh_l0_v", "weight_hh_l0_g"),
        ("weight_ih_orig", "weight_ih_mask", "weight_hh_orig", "weight_hh_mask"),
        ("parametrizations.weight_hh_l0.original0", "parametrizations.weight_hh_l0.original1"),
    ],
)
@pytest.mark.parametrize("prefix", ["", "net.rnn."])
def test_a_layer_with_nothing_but_factors_is_refused_by_name(names, prefix):
    arrays = {f"{prefix}{name}": np.ones((8, 2)) for name in names} | {"head.weight": np.ones((2, 2))}
    assert refused("a.npz", to_npz(arrays)) == (prefix.rstrip("."), "factors")


def test_an_array_of_several_names_is_read_for_each():
    first = weights(prefix="a.", m=2)
    bodies = {name: np.ascontiguousarray(array, "<f4").tobytes() for name, array in first.items()}
    entries, stop = {}, 0
    for name, body in bodies.items():
        entries[name] = {
            "dtype": "F32",
            "shape": list(first[name].shape),
            "data_offsets": [stop, stop := stop + len(body)],
        }
    shared = {name.replace("a.", "b."): name for name in first}
    odd = {"format": "pt", "best": "a.weight_hh_l0", "b.bias_ih_l0": "nowhere", "a.weight_hh_l0": "a.weight_ih_l0"}
    text = json.dumps({"__metadata__": {**shared, **odd}, **entries}).encode()
    data = len(text).to_bytes(8, "little") + text + b"".join(bodies.values())
    contents = read_model("a.safetensors", data)
    one, other = sorted(contents.networks)
    assert (one.name, other.name) == ("a", "b")
    # A note on the file is no array.
    assert not contents.left_out
    for arrays in zip(*(each.layers[0].directions[0].arrays.values() for each in (one, other))):
        assert_allclose(*arrays, rtol=0, atol=0)


def test_a_file_of_other_names_is_told_which_ones_are_read():
    with pytest.raises(ValueError, match=r"\bweight_hh_l0\b"):
        read_model("a.npz", to_npz({"cell.hf.kernel": np.ones((2, 2))}))


def test_an_older_ending_of_keras_is_read():
    assert read_model("a.hdf5", data_of("keras_lstm_old.h5")).networks[0].layers[0].cell == "LSTM"


def test_a_pickle_is_told_how_to_be_saved():
    with pytest.raises(ValueError, match=r"safetensors\.torch\.save_file\(model\.state_dict\(\)"):
        read_model("model.pt", b"\x80\x02")


def test_a_layer_is_refused_if_it_is_too_large():
    header = {"weight_ih_l0": [4 * (MOST_UNITS + 1), 1], "weight_hh_l0": [4 * (MOST_UNITS + 1), MOST_UNITS + 1]}
    entries, start = {}, 0
    for name, shape in header.items():
        entries[name] = {
            "dtype": "F32",
            "shape": shape,
            "data_offsets": [start, start := start + 4 * shape[0] * shape[1]],
        }
    text = json.dumps(entries).encode()
    assert refused("a.safetensors", len(text).to_bytes(8, "little") + text + bytes(start)) == ("", "too large")


# ---- other ways to write the same numbers --------------------------------------------------------


def onnx_weights(name: str, array: np.ndarray, kind: str) -> bytes:
    """A tensor of 16-bit numbers, in raw_data or in int32_data with or without packing."""
    bits = array.astype("<f2").view("<u2").ravel() if "float16" in kind else upper_half(array).ravel()
    sizes = b"".join(varint(1 << 3) + varint(dim) for dim in array.shape)
    head = sizes + b"\x10" + bytes([10 if "float16" in kind else 16]) + message(8, name.encode())
    if "raw" in kind:
        return message(5, head + message(9, bits.tobytes()))
    numbers = [varint(int(one)) for one in bits]
    packed = message(5, b"".join(numbers))
    return message(5, head + (packed if "packed" in kind else b"".join(b"\x28" + one for one in numbers)))


def upper_half(array: np.ndarray) -> np.ndarray:
    return (array.astype("<f4").view("<u4") >> 16).astype("<u2")


@pytest.mark.parametrize("kind", ["float16 raw", "float16 packed", "float16", "BF16 raw", "BF16 packed", "BF16"])
def test_numbers_of_16_bits_in_an_onnx_file(kind):
    arrays = {name: array[None] for name, array in zip("WR", weights().values())}
    node = b"".join(message(1, name) for name in (b"x", b"W", b"R")) + message(4, b"LSTM")
    graph = [message(1, node), *(onnx_weights(*pair, kind) for pair in arrays.items())]
    (layer,) = read_model("a.onnx", hostile_models.onnx_of(*graph)).networks[0].layers
    # ONNX has the output gate second, PyTorch and Cellscope the forget gate.
    expected = arrays["W"][0, 4:6]
    for name, array in layer.directions[0].arrays.items():
        if name == "W_fx":
            assert_allclose(array, expected, atol=0.02)
            assert not np.array_equal(array, expected)
            break
    else:
        raise AssertionError(layer.directions[0].arrays.keys())


def test_a_quantized_node_is_refused_by_name():
    node = message(4, b"DynamicQuantizeLSTM") + message(3, b"small")
    assert refused("a.onnx", hostile_models.onnx_of(message(1, node))) == ("small", "quantized")


# ---- damaged files -------------------------------------------------------------------------------

ONE_SENTENCE, SECONDS, MEGABYTES = 300, 1.0, 200
SEEDS = (
    "lstm_2_both.safetensors",
    "lstm_2_both.npz",
    "lstm_2_both.onnx",
    "gru_2_both_dynamo.onnx",
    "keras_lstm.weights.h5",
    "keras_both_old.h5",
    "keras_both.keras",
)


def damaged(name: str, way: int) -> bytes:
    """A file with an end cut off, or with bytes of its first half changed, by a number."""
    data, rng = bytearray(data_of(name)), np.random.default_rng([len(name), way])
    if way % 3 == 0:
        return bytes(data[: int(rng.integers(len(data)))])
    for at in rng.integers(0, len(data) // (2 if way % 3 == 1 else 1), size=int(rng.integers(1, 60))):
        data[at] = int(rng.integers(256))
    return bytes(data)


def expect_refusal_or_numbers(name: str, data: bytes) -> bool:
    """Read a file, in bounds of time and memory; whether it was refused, in one sentence."""
    start, refused = time.process_time(), False
    tracemalloc.start()
    try:
        read_model(name, data)
    except ValueError as error:
        refused = True
        assert len(f"{error}") < ONE_SENTENCE and f"{error}".endswith(".") and "\n" not in f"{error}", f"{error}"
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < MEGABYTES * 2**20
    # tracemalloc makes Python some five times slower.
    assert time.process_time() - start < 5 * SECONDS
    return refused


@pytest.mark.parametrize("name", SEEDS)
def test_a_damaged_file_is_refused_or_read(name):
    refused = [expect_refusal_or_numbers(name, damaged(name, way)) for way in range(24)]
    assert sum(refused) >= 8
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def tensor(**entry: object) -> bytes:
    text = json.dumps({"weight_ih_l0": {"dtype": "F32", "shape": [8, 3], "data_offsets": [0, 96], **entry}}).encode()
    return len(text).to_bytes(8, "little") + text + bytes(96)


def onnx_tensor(*dims: int) -> bytes:
    return message(
        7, message(5, b"".join(varint(1 << 3) + varint(dim) for dim in dims) + b"\x10\x01" + message(9, b"1234"))
    )


HOSTILE = {
    "empty.safetensors": b"",
    "long.safetensors": (2**63).to_bytes(8, "little") + b"{}",
    "no json.safetensors": (8).to_bytes(8, "little") + b"not json",
    "deep.safetensors": (200_000).to_bytes(8, "little") + b"[" * 200_000,
    "list.safetensors": (2).to_bytes(8, "little") + b"[]",
    "claim.safetensors": tensor(shape=[2**40, 2**40]),
    "negative.safetensors": tensor(shape=[-1, 3]),
    "offsets.safetensors": tensor(data_offsets=[96, 0]),
    "beyond.safetensors": tensor(data_offsets=[10**9, 10**9 + 96]),
    "type.safetensors": tensor(dtype="F33"),
    "true.safetensors": tensor(shape=[True, 24]),
    "alone.safetensors": tensor(),
    "empty.npz": b"",
    "pickle.npz": b"\x80\x04\x95",
    "empty.onnx": b"",
    "varint.onnx": b"\xff" * 30,
    "length.onnx": b"\x3a\xff\xff\xff\xff\x7f",
    "fields.onnx": b"\x3a" + varint(1_000_000) + b"\x08\x01" * 500_000,
    "claim.onnx": onnx_tensor(2**40, 2**40),
    "dims.onnx": onnx_tensor(*[1] * 100_000),
    "external.onnx": message(7, message(5, message(13, b"x") + message(8, b"W"))),
    "empty.h5": b"",
    "signature.h5": b"\x89HDF\r\n\x1a\n",
    "zeros.h5": b"\x89HDF\r\n\x1a\n" + bytes(10_000),
    "ones.h5": b"\x89HDF\r\n\x1a\n" + b"\xff" * 10_000,
    "empty.keras": b"PK",
    "other.txt": b"hello",
    "model.pth": b"\x80",
    "empty arrays.npz": to_npz({"a": np.zeros((0, 3))}),
    "others.safetensors": to_safetensors({"a": np.zeros((2, 2))}),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused(name):
    if name.endswith(HDF5):
        pytest.importorskip("pyfive")
    assert expect_refusal_or_numbers(name, HOSTILE[name])


@pytest.mark.slow
@pytest.mark.parametrize("suffix", hostile_models.READERS)
def test_a_malformed_file_is_refused_in_a_sentence(suffix):
    if suffix in HDF5:
        pytest.importorskip("pyfive")
    files = list(hostile_models.READERS[suffix]())
    taken = [name for name, data in files if not expect_refusal_or_numbers(f"a{suffix}", data)]
    assert not taken and len(files) > 20
    assert not hostile_models.TRACE.exists()


def test_a_long_name_takes_no_second():
    assert not expect_refusal_or_numbers("a.safetensors", to_safetensors({**weights(), "_" * 40_000: np.zeros(0)}))


@pytest.mark.parametrize("name", SEEDS)
def test_a_file_with_changed_bytes_is_refused_or_read(name):
    for data in hostile_models.flipped(name, 20):
        expect_refusal_or_numbers(name, data)


def test_a_packed_array_is_refused_before_it_is_read():
    bomb = {"weight_ih_l0": np.zeros((4 * 8, 2**18)), "weight_hh_l0": np.zeros((4 * 8, 8))}
    packed = to_npz({name: array.astype("f2") for name, array in bomb.items()})
    assert refused("a.npz", packed) == ("", "too large")
