"""Messages about shapes: those that the libraries themselves raised, those that people met, and rare ones with their causes."""

import json
from itertools import groupby
from pathlib import Path

from core.shapes import explain
from tests.core import (
    array_lines,
    keras_lines,
    keras_messages,
    keras_programs,
    keras_runs,
    pytorch_frames,
    pytorch_lines,
    pytorch_messages,
    rare_messages,
    thread_messages,
)

GOLDEN = Path(__file__).parent / "golden"
SEEN = {
    library: json.loads((GOLDEN / f"shapes_{library}.json").read_text())
    for library in ("pytorch", "numpy", "keras", "jax", "onnx")
}
RUN = json.loads((GOLDEN / "shape_programs.json").read_text())

MATMUL = "Dimensions must be equal, but are {} and {} for 'rnn/while/basic_lstm_cell/MatMul_1' (op: 'MatMul') with input shapes: [?,{}], [{}]."
STATE = "RuntimeError: Expected hidden[0] size {}, got {}"
THREADS = [
    (MATMUL.format(600, 320, 600, "320,1200"), "shared-cell", {"k": 300, "m": 20}),
    (MATMUL.format(128, 364, 128, "364,256"), "shared-cell", {"k": 64, "m": 300}),
    (MATMUL.format(1024, 595, 1024, "595,2048"), "shared-cell", {"k": 512, "m": 83}),
    (MATMUL.format(1024, 525, 1024, "525,2048"), "shared-cell", {"k": 512, "m": 13}),
    (MATMUL.format(64, 96, 64, "96,128"), "shared-cell", {"k": 32, "m": 64}),
    (MATMUL.format(128, 65, 128, "65,256"), "shared-cell", {"k": 64, "m": 1}),
    (
        "Trying to share variable rnn/multi_rnn_cell/cell_0/basic_lstm_cell/kernel, but specified shape (256, 512) and found shape (356, 512).",
        "shared-cell",
        {"k": 128, "m": 228},
    ),
    (STATE.format("(1, 64, 256)", "(64, 256)"), "unbatched", {"k": 256}),
    (STATE.format("(1, 32, 32)", "(2, 32, 32)"), "layers-directions", {"k": 32, "batch": 32}),
    (STATE.format("(2, 32, 32)", "[1, 32, 32]"), "layers-directions", {"k": 32, "batch": 32}),
    (STATE.format("(1, 4, 128)", "[1, 28, 128]"), "batch-first", {"k": 128}),
    (STATE.format("(1, 17, 64)", "[1, 32, 64]"), "batch-size", {"k": 64, "batch": 17}),
    (STATE.format("(416, 1, 50)", "[1, 1, 50]"), "swapped-arguments", {}),
    ("Input batch size 1 doesn't match hidden[0] batch size 512", "state-tuple", {}),
    ("input.size(-1) must be equal to input_size. Expected 10, got 5", "input-size", {"m": 10}),
    (
        "RuntimeError: size mismatch, m1: [32 x 256], m2: [128 x 10] at /pytorch/aten/src/TH/generic/THTensorMath.cpp:41",
        "hidden-size",
        {},
    ),
    ("mat1 and mat2 shapes cannot be multiplied (32x256 and 128x10)", "hidden-size", {}),
    (
        "Error(s) in loading state_dict for Net:\n\tsize mismatch for lstm.weight_ih_l0: copying a param with shape torch.Size([512, 128]) "
        "from checkpoint, the shape in current model is torch.Size([256, 64]).",
        "checkpoint",
        {"k": 128},
    ),
    ("ValueError: Input 0 is incompatible with layer lstm_2: expected ndim=3, found ndim=2", "unbatched", {}),
    (
        "Error when checking input: expected lstm_1_input to have 3 dimensions, but got array with shape (60, 3)",
        "unbatched",
        {"m": 3},
    ),
    ("ValueError: operands could not be broadcast together with shapes (4,1) (3,1) ", "broadcast", {}),
    ("ValueError: shapes (4,7) and (1,7) not aligned: 7 (dim 1) != 1 (dim 0)", "transpose", {}),
]

HIDDEN = "Expected hidden size {}, got {}"
INNER = "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {} is different from {})"
FOUND = "Input 0 is incompatible with the layer: expected shape={}, found shape={}"
OLD_CARRY = "The input carry carry is a float32{} but the corresponding output carry component is a {}"
CARRY = "scan carry has type float32{} but the corresponding output carry component has type {}"
AXIS = "Got invalid dimensions for input: {} for the following indices index: {} Got: {} Expected: {}"
TARGETS = "Arguments `target` and `output` must have the same shape. Received: target.shape={}, output.shape={}"
FIRST = "logits and labels must have the same first dimension, got logits shape {} and labels shape {}"
CONCATENATE = "A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. Received: input_shape=[{}]"
DOT = "dot_general requires contracting dimensions to have the same shape, got (6,) and (4,)."
FLAX = f'File "site-packages/flax/nnx/nn/recurrent.py", line 213, in __call__ {{}} File "linear.py", line 4, in __call__ TypeError: {DOT}'
KERAS_ON_JAX = f"Exception encountered when calling GRU.call(). {DOT} Arguments received by GRU.call(): {{}}"
UP_TO_LAST = "Arguments `target` and `output` must have the same shape up until the last dimension: target.shape={}, output.shape={}"
# Messages that no library was made to raise, with the codes of their causes, the best first.
RANKED = [
    ("InvalidArgumentError: required broadcastable shapes [Op:AddV2]", ["broadcast"]),
    (CARRY.format("[4,8]", "float64[4,8]"), ["broadcast"]),
    (CARRY.format("[4,8]", "float32[5,8]"), ["batch-size"]),
    (OLD_CARRY.format("[4,8]", "float32[5,8]"), ["batch-size"]),
    ("Input initial_h must have shape {2,3,8}. Actual:{2,8}", ["unbatched"]),
    (
        "expected axis -1 of input shape to have value 10, but received input with shape (None, None, None)",
        ["input-size"],
    ),
    (FOUND.format("(None, 5, 10)", "(32, 10, 5)"), ["transpose"]),
    (FOUND.format("(32, 5, 10)", "(16, 5, 10)"), ["batch-size"]),
    (FOUND.format("(None, 5, 10)", "(32, 5, 12)"), ["input-size"]),
    (AXIS.format("x", 2, 8, 16), ["input-size"]),
    (AXIS.format("h0", 2, 8, 16), ["hidden-size"]),
    (AXIS.format("initial_h", 0, 1, 2), ["layers-directions"]),
    ("index: 0 Got: 3 Expected: 5 index: 1 Got: 7 Expected: 9", ["batch-size"]),
    ("all the input arrays must have same number of dimensions", ["unbatched"]),
    ("Expected target size [4, 10], got [5, 7]", ["batch-size", "class-axis"]),
    ("shapes (4,0) and (3,5) not aligned:", ["inner-dimension"]),
    (INNER.format(1, 5), ["transpose", "inner-dimension"]),
    (INNER.format(5, 1), ["transpose", "inner-dimension"]),
    (HIDDEN.format("(2, 20)", "[20, 2]"), ["transpose", "layers-directions", "hidden-size"]),
    (HIDDEN.format("(1, 3, 20)", "[3, 20]"), ["unbatched"]),
    ("too many indices for array: array is 2-dimensional, but 3 were indexed", ["indexing"]),
    ("too many indices for array: array is 1-dimensional, but 2 were indexed", ["indexing"]),
    ("too many indices for array: array is 3-dimensional, but 4 were indexed", ["indexing"]),
    ("tuple indices must be integers or slices, not tuple", ["state-tuple"]),
    (TARGETS.format("(10, 4)", "(10, 3)"), ["broadcast"]),
    (TARGETS.format("(10,)", "(10, 3)"), ["class-axis"]),
    ("Data cardinality is ambiguous. 'x' sizes: 10\n'y' sizes: 9", ["batch-size"]),
    (
        "Cannot merge tensors with different batch sizes. Received tensors with shapes [(4, 10), (5, 10)]",
        ["batch-size", "broadcast"],
    ),
    (
        "`TimeDistributed` Layer should be passed an `input_shape` with at least 3 dimensions, received: (None, 21)",
        ["return-sequences"],
    ),
    (
        "Input 0 of layer 'repeat_vector' is incompatible with the layer: expected ndim=2, found ndim=3. Full shape received: (None, 10, 16)",
        ["return-sequences"],
    ),
    (
        "Exception encountered when calling GRU.call(). mat1 and mat2 shapes cannot be multiplied (30x24 and 6x120) "
        "Arguments received by GRU.call(): • sequences=torch.Tensor(shape=torch.Size([5, 6, 24]), dtype=float32)",
        ["transpose", "input-size"],
    ),
    (
        'Initializer expected to generate shape (16, 32) but got shape (8, 32) instead for parameter "kernel" in "/ii"',
        ["input-size", "checkpoint"],
    ),
    (
        '  File "net.py", line 3, in forward\n    y, hn = self.rnn(h0, batch)\n'
        "RuntimeError: input.size(-1) must be equal to input_size. Expected 13, got 36",
        ["swapped-arguments", "input-size"],
    ),
    ("non-broadcastable output operand with shape (4,1) doesn't match the broadcast shape (4,3)", ["broadcast"]),
    ("non-broadcastable output operand with shape (4,) doesn't match the broadcast shape (4,4)", ["broadcast"]),
    ('Missing key(s) in state_dict: "weight_ih_l1", "weight_hh_l1". ', ["checkpoint"]),
    ('Missing key(s) in state_dict: "fc.weight", "fc.bias". ', ["checkpoint"]),
    ('Unexpected key(s) in state_dict: "fc.weight", "fc.bias". ', ["checkpoint"]),
    ("LSTM: Expected input to be 2-D or 3-D but received 4-D tensor", ["unbatched"]),
    (
        "Error when checking target: expected dense_1 to have 3 dimensions, but got array with shape (118, 1)",
        ["return-sequences"],
    ),
    ("Error when checking target: expected dense_2 to have shape (10,) but got array with shape (1,)", ["class-axis"]),
    (
        "Error when checking input: expected lstm_1_input to have shape (173, 38) but got array with shape (38, 173)",
        ["transpose"],
    ),
    ("ValueError: Shapes (None, 1) and (None, 10) are incompatible", ["class-axis"]),
    ("ValueError: Shapes (None, 12, 5) and (None, 5) are incompatible", ["return-sequences"]),
    ("ValueError: Shapes (None, 5) and (None, 12, 5) are incompatible", ["return-sequences"]),
    ("ValueError: Shapes (8, 5) and (4, 5) are incompatible", ["batch-size", "broadcast"]),
    ("logits and labels must have the same shape ((None, 1) vs (None, 2))", ["broadcast", "class-axis"]),
    ("`logits` and `labels` must have the same shape, received ((None, 3) vs (None, 1)).", ["class-axis"]),
    ("`logits` and `labels` must have the same shape, received ((32, 1) vs (32,)).", ["broadcast"]),
    ("`logits` and `labels` must have the same shape, received ((None, 1) vs (None,)).", ["broadcast"]),
    (FIRST.format("[640,50]", "[32]"), ["return-sequences", "batch-size"]),
    (FIRST.format("[32,10]", "[640]"), ["return-sequences", "batch-size"]),
    (FIRST.format("[32,10]", "[30]"), ["batch-size", "shifted-targets"]),
    (FIRST.format("[400,1000]", "[420]"), ["shifted-targets", "batch-size"]),
    (FIRST.format("[420,1000]", "[400]"), ["shifted-targets", "batch-size"]),
    (FIRST.format("[32,10]", "[29]"), ["batch-size"]),
    (UP_TO_LAST.format("(20,)", "(20, 12, 5)"), ["return-sequences"]),
    (UP_TO_LAST.format("(20, 12)", "(20, 5)"), ["return-sequences"]),
    (UP_TO_LAST.format("(20, 5)", "(20, 5)"), ["class-axis"]),
    (UP_TO_LAST.format("(20, 11)", "(20, 12, 5)"), ["shifted-targets"]),
    (UP_TO_LAST.format("(20, 13)", "(20, 12, 5)"), ["shifted-targets"]),
    (UP_TO_LAST.format("(20, 9)", "(20, 12, 5)"), ["batch-size"]),
    (TARGETS.format("(32, 13, 5)", "(32, 12, 5)"), ["shifted-targets"]),
    (
        '  File "cell.py", line 4, in step\n    c = z * c\n'
        "ValueError: operands could not be broadcast together with shapes (256,1) (64,1)",
        ["broadcast", "batch-size"],
    ),
    (
        '  File "train.py", line 4, in <module>\n    loss = criterion(pred, y)\n  File "functional.py", line 9, in mse_loss\n'
        "RuntimeError: The size of tensor a (5) must match the size of tensor b (6) at non-singleton dimension 1",
        ["shifted-targets", "broadcast"],
    ),
    ("ValueError: shapes (32,) and (10,) not aligned: 32 (dim 0) != 10 (dim 0)", ["transpose", "inner-dimension"]),
    (
        '  File "net.py", line 4, in backward\n    dh = np.dot(Why, dy)\n'
        "ValueError: shapes (65,100) and (65,1) not aligned: 100 (dim 1) != 65 (dim 0)",
        ["transpose", "inner-dimension"],
    ),
    ("RuntimeError: rnn: hx is not contiguous", ["contiguous"]),
    (
        "The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was (3,) + inhomogeneous part.",
        ["ragged"],
    ),
    (
        '  File "net.py", line 4, in <module>\n    z = np.array([h, x])\n'
        "ValueError: setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. "
        "The detected shape was (2,) + inhomogeneous part.",
        ["concatenate-axis"],
    ),
    ("ValueError: Can't convert non-rectangular Python sequence to Tensor.", ["ragged"]),
    (CONCATENATE.format("(None, 10, 8), (None, 32)"), ["unbatched"]),
    (CONCATENATE.format("(None, 32), (None, 10, 8)"), ["unbatched"]),
    (CONCATENATE.format("(None, 10, 8), (None, 12, 8)"), ["steps", "concatenate-axis"]),
    (FLAX.format("x_transformed = self.dense_i(inputs)"), ["input-size"]),
    (FLAX.format("h_transformed = self.dense_h(h)"), ["hidden-size"]),
    (FLAX.format("i = self.gate_fn(self.ii(inputs) + self.hi(h)) ^^^^^^^^^^^^^^^"), ["input-size"]),
    (FLAX.format("i = self.gate_fn(self.ii(inputs) + self.hi(h)) ^^^^^^^^^^"), ["hidden-size"]),
    (FLAX.format("i = self.gate_fn(self.ii(inputs) + self.hi(h))"), ["inner-dimension", "transpose"]),
    (KERAS_ON_JAX.format("sequences=jnp.ndarray(shape=(2, 10, 6), dtype=float32)"), ["input-size"]),
    (KERAS_ON_JAX.format("sequence=jnp.ndarray(shape=(2, 6)), state=jnp.ndarray(shape=(2, 16))"), ["input-size"]),
    (KERAS_ON_JAX.format("sequence=jnp.ndarray(shape=(2, 5)), state=jnp.ndarray(shape=(2, 6))"), ["hidden-size"]),
    (KERAS_ON_JAX.format("sequences=jnp.ndarray(shape=(2, 4, 6), dtype=float32)"), ["transpose", "input-size"]),
    (
        '  File "net.py", line 9, in forward\n    out, _ = self.gru(self.conv(x))\n'
        "RuntimeError: input.size(-1) must be equal to input_size. Expected 64, got 100",
        ["transpose", "input-size"],
    ),
    ("Specified a list with shape [32,20] from a tensor with shape [17,20]", ["batch-size"]),
    (
        "In a stateful network, you should only pass inputs with a number of samples that can be divided by the batch size. Found: 973 samples",
        ["batch-size"],
    ),
    ("ValueError: If a RNN is stateful, it needs to know its batch size. Specify the batch size", ["batch-size"]),
    (
        "An `initial_state` was passed that is not compatible with `cell.state_size`. Received `state_spec`=ListWrapper([InputSpec"
        "(shape=(None, 64), ndim=2), InputSpec(shape=(None, 64), ndim=2)]); however `cell.state_size` is [128, 128]",
        ["hidden-size"],
    ),
    (
        "The total size of the tensor must be unchanged. Received: input_shape=(28, 28), target_shape=(14, 14, 2)",
        ["reshape"],
    ),
    ("multi-target not supported at /pytorch/aten/src/THNN/generic/ClassNLLCriterion.c:22", ["class-axis"]),
    ("view size is not compatible with input tensor's size and stride", ["contiguous"]),
    ("Input X must have 3 dimensions only. Actual:{5,10}", ["unbatched"]),
    ("operands could not be broadcast together with shapes (10,64) (64,1) (10,64)", ["broadcast"]),
    (
        '  File "net.py", line 7, in <module>\n    model.add(LSTM(32))\n'
        "ValueError: Input 0 is incompatible with layer lstm_7: expected ndim=3, found ndim=2",
        ["return-sequences"],
    ),
    (
        '  File "net.py", line 9, in forward\n    out, _ = self.rnn(one_hot, h0)\n'
        "RuntimeError: Expected hidden size (1, 64, 256), got [1, 100, 256]",
        ["batch-first", "batch-size"],
    ),
    ("with a weight list of length 2, but the layer was expecting 3 weights", ["checkpoint"]),
    (
        "logits and labels must be same size: logits_size=[640,10] labels_size=[32,10]",
        ["flattened", "batch-size"],
    ),
    ("logits and labels must be same size: logits_size=[31,10] labels_size=[32,10]", ["batch-size"]),
]
RANKED += [
    (
        '  File "net.py", line 4, in <module>\n    z = np.vstack([h, x])\n'
        "all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, "
        "the array at index 0 has size 32 and the array at index 1 has size 10",
        ["concatenate-axis"],
    ),
    (
        '  File "net.py", line 4, in <module>\n    x = np.stack(walks)\nall input arrays must have the same shape',
        ["ragged"],
    ),
    (
        '  File "net.py", line 4, in <module>\n    z = W @ x + U @ h\n'
        "operands could not be broadcast together with shapes (128,) (32,) ",
        ["broadcast"],
    ),
    ("could not broadcast input array from shape (16,16) into shape (16,)", ["broadcast"]),
    (
        '  File "net.py", line 4, in <module>\n    x = np.vstack(walks)\n'
        "all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, "
        "the array at index 0 has size 5 and the array at index 1 has size 7",
        ["ragged"],
    ),
    (
        '  File "net.py", line 4, in <module>\n    f = Wf @ concat\n' + INNER.format(21, 16),
        ["inner-dimension", "transpose"],
    ),
    (
        '  File "net.py", line 4, in <module>\n    f = Wf @ x\n' + INNER.format(21, 16),
        ["transpose", "inner-dimension"],
    ),
    (FOUND.format("(None, 10, 3)", "(3, 10)"), ["transpose"]),
    (
        "UserWarning: Using a target size (torch.Size([16])) that is different to the input size (torch.Size([16, 20])). "
        "in mse_loss The size of tensor a (20) must match the size of tensor b (16) at non-singleton dimension 1",
        ["broadcast"],
    ),
]
RANKED += [
    (
        '  File "net.py", line 9, in forward\n    scores = out * mask.unsqueeze(-1)\n'
        "RuntimeError: The size of tensor a (17) must match the size of tensor b (20) at non-singleton dimension 1",
        ["packed", "steps"],
    ),
    (
        "Using a target size (torch.Size([32, 24])) that is different to the input size (torch.Size([32, 1]))",
        ["hidden-size"],
    ),
    ("IndexError: index 10 is out of bounds for axis 1 with size 10", ["index-range"]),
    ("ValueError: array split does not result in an equal division", ["split"]),
    ("ValueError: Inputs have incompatible shapes. Received shapes (20, 8) and (20, 16)", ["broadcast"]),
    ("ValueError: Inputs have incompatible shapes. Received shapes (20, 16) and (16,)", ["return-sequences"]),
    ("ValueError: Inputs have incompatible shapes. Received shapes (20, 16) and (10, 16)", ["steps"]),
    ("ValueError: Inputs have incompatible shapes. Received shapes (20, 16) and (10, 8)", ["broadcast"]),
    (
        '  File "net.py", line 9, in <module>\n    h, hs = jax.lax.scan(step, h0, xs)\n'
        '  File "net.py", line 5, in step\n    h = jnp.tanh(x @ Wx + h @ Wh)\n'
        "TypeError: add got incompatible shapes for broadcasting: (30, 24), (4, 24).",
        ["batch-first", "batch-size", "broadcast"],
    ),
    (
        '  File "net.py", line 9, in backward\n    dWhh += np.dot(dhraw, h_prev)\n'
        "ValueError: shapes (16,1) and (16,1) not aligned: 1 (dim 1) != 16 (dim 0)",
        ["transpose", "inner-dimension"],
    ),
    ("in binary_crossentropy " + TARGETS.format("(32, 1)", "(32, 15)"), ["return-sequences"]),
    ("IndexError: index 40 is out of bounds for axis 0 with size 30", ["index-range"]),
]
ONE_AXIS = "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}"
# The reader's own program around the line that failed.
RANKED += [
    (
        "self.rnn = nn.RNN(28, 128, batch_first=True)\n"
        '  File "net.py", line 9, in forward\n    out, hn = self.rnn(x, h0)\n'
        + HIDDEN.format("(1, 40, 128)", "[1, 64, 128]"),
        ["batch-size"],
    ),
    (
        "self.lstm = nn.LSTM(64, 50, batch_first=True)\nx = self.pool(torch.relu(self.conv1(x)))\n"
        '  File "net.py", line 9, in forward\n    out, (h, c) = self.lstm(x)\n'
        "input.size(-1) must be equal to input_size. Expected 64, got 23",
        ["transpose", "input-size", "swapped-arguments"],
    ),
    (
        "x = self.conv1(x)\nx = x.permute(0, 2, 1)\n"
        '  File "net.py", line 9, in forward\n    out, (h, c) = self.lstm(x)\n'
        "input.size(-1) must be equal to input_size. Expected 64, got 23",
        ["input-size", "swapped-arguments"],
    ),
    (
        "x = layers.Embedding(100, 16)(inputs)\n"
        '  File "net.py", line 9, in <module>\n    x = layers.LSTM(32)(x)\n'
        "expected ndim=3, found ndim=4. Full shape received: (None, 40, 100, 16)",
        ["embedding", "unbatched"],
    ),
    (
        "    layers.Flatten(),\nexpected ndim=3, found ndim=2. Full shape received: (None, 64)",
        ["flattened", "return-sequences", "unbatched"],
    ),
    (
        "expected ndim=3, found ndim=2. Full shape received: (None, 960)",
        ["flattened", "unbatched", "return-sequences"],
    ),
    (
        '  File "net.py", line 9, in <module>\n    model.fit(x, y, epochs=3)\n'
        "TypeError: sub got incompatible shapes for broadcasting: (32, 7, 1), (32, 5, 1).",
        ["broadcast"],
    ),
    (
        '  File "net.py", line 9, in <module>\n    model.fit(x, y, epochs=3)\n'
        "TypeError: sub got incompatible shapes for broadcasting: (32, 7), (32, 5).",
        ["broadcast"],
    ),
    (
        '  File "net.py", line 9, in <module>\n    model.fit(x, y, epochs=3)\n' + ONE_AXIS.format(7, 5, 1),
        ["broadcast"],
    ),
    (
        "Using a target size (torch.Size([32, 10])) that is different to the input size (torch.Size([32, 10, 1]))\n"
        '  File "net.py", line 9, in <module>\n    loss = criterion(pred, y)\n  File "functional.py", line 9, in mse_loss\n'
        + ONE_AXIS.format(10, 32, 1),
        ["broadcast"],
    ),
    (
        '  File "net.py", line 9, in forward\n    gates = self.W(x) + self.U(h)\n' + ONE_AXIS.format(256, 192, 1),
        ["hidden-size"],
    ),
    ("Expected input batch_size (1) to match target batch_size (0).", ["unbatched"]),
    (
        '  File "net.py", line 9, in forward\n    z = np.tanh(h @ p["Wh"] + x @ p["Wx"])\n' + DOT,
        ["inner-dimension", "transpose"],
    ),
    (
        "given groups=1, weight of size [16, 1, 5], expected input[1, 32, 187] to have 1 channels, but got 32 channels",
        ["unbatched", "input-size"],
    ),
    (
        '  File "attention.py", line 9, in multi_head_attention_forward\n'
        "RuntimeError: shape '[16, 4, 16]' is invalid for input of size 20480",
        ["batch-first"],
    ),
    (
        "Incompatible input shapes: axis values 128 (at axis 2) != 64 (at axis 2). Full input shapes: (None, 8, 128), (None, 20, 64)",
        ["hidden-size"],
    ),
    (
        "vmap got inconsistent sizes for array axes to be mapped:\n"
        "  * most axes (2 of them) had size 32, e.g. axis 0 of argument x of type float32[32,8];\n"
        "  * one axis had size 24: axis 0 of argument W of type float32[24,16]",
        ["batch-size"],
    ),
    ("indices and arr must have the same number of dimensions; 3 vs. 2", ["class-axis"]),
    ("indices and arr must have the same number of dimensions; 2 vs. 3", ["class-axis"]),
    ("indices and arr must have the same number of dimensions; 3 vs. 1", ["flattened"]),
    (
        "Layer embedding_1 weight shape (5000, 100) is not compatible with provided weight shape (5000, 300).",
        ["checkpoint"],
    ),
    (
        "x = x.view(x.size(0), -1)\n"
        '  File "net.py", line 9, in forward\n    out, _ = self.lstm(x)\n'
        "input.size(-1) must be equal to input_size. Expected 3, got 150",
        ["flattened", "input-size", "transpose", "shared-cell"],
    ),
    (
        '  File "net.py", line 9, in backward\n    self.dWx += dz @ x.T\n' + INNER.format(5, 16),
        ["transpose", "inner-dimension"],
    ),
    (
        '  File "net.py", line 9, in step\n    return np.tanh(x.dot(Wx) + h.dot(Wh) + b)\n'
        "ValueError: operands could not be broadcast together with shapes (4,20) (8,20) ",
        ["batch-size", "broadcast"],
    ),
    (
        '  File "net.py", line 9, in step\n    z = x @ p["W"] + h @ p["U"] + p["b"]\n'
        "TypeError: add got incompatible shapes for broadcasting: (2, 128), (2, 96).",
        ["broadcast"],
    ),
    (
        '  File "net.py", line 9, in <module>\n    y = rnn.apply(v, x, initial_carry=jnp.zeros((4, 16)))\n'
        'For parameter "kernel" in "/scan(cell)/ir", the given initializer is expected to generate shape (6, 16), but the existing parameter it received has shape (6, 32).',
        ["hidden-size", "checkpoint"],
    ),
    (
        "in softmax_cross_entropy_with_integer_labels ValueError: axis 2 is out of bounds for array of dimension 2",
        ["class-axis"],
    ),
]
# Errors that are not about shapes, with the code of what they are about.
OTHER_ERRORS = [
    (
        "onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Unexpected "
        "input data type. Actual: (tensor(double)) , expected: (tensor(float))",
        "onnx-types",
    ),
    # Python says so of any list, also beside a recurrent layer.
    ("import keras\n    word = lines[i]\nIndexError: list index out of range", "index"),
    (
        "    y = Sum()([layers.LSTM(3)(x)])\nIndexError: Exception encountered when calling Sum.call().\n\nlist index out of "
        "range\n\nArguments received by Sum.call():\n  • xs=['tf.Tensor(shape=(3, 3), dtype=float32)']",
        "index",
    ),
    ("    c = states[1]\nIndexError: tuple index out of range", "index"),
    ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.", "memory"),
    (
        "numpy.exceptions._ArrayMemoryError: Unable to allocate 7.45 GiB for an array with shape (1000000, 1000)",
        "memory",
    ),
    (
        "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cpu and cuda:0!",
        "device",
    ),
    ("RuntimeError: Input and parameter tensors are not at the same device, found input tensor at cpu", "device"),
    (
        "RuntimeError: Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; "
        "but got torch.FloatTensor instead (while checking arguments for embedding)",
        "whole-numbers",
    ),
    ("RuntimeError: expected scalar type Long but found Float", "whole-numbers"),
    ("RuntimeError: expected scalar type Float but found Double", "types"),
    ("ValueError: RNN input dtype (torch.float64) does not match weight dtype (torch.float32).", "types"),
    ("RuntimeError: mat1 and mat2 must have the same dtype, but got Double and Float", "types"),
    ("ValueError: Failed to convert a NumPy array to a Tensor (Unsupported object type float).", "types"),
    ("RuntimeError: Expected object of scalar type Long but got scalar type Float for argument #2", "whole-numbers"),
    ("RuntimeError: cuDNN error: CUDNN_STATUS_BAD_PARAM", "gpu"),
    ("RuntimeError: all elements of input should be between 0 and 1", "range"),
    ("RuntimeError: Boolean value of Tensor with more than one value is ambiguous", "truth"),
    ("TypeError: only integer tensors of a single element can be converted to an index", "scalar"),
    ("TypeError: forward() missing 1 required positional argument: 'hidden'", "arguments"),
    ("RuntimeError: CUDA error: device-side assert triggered", "index"),
    ("TypeError: LSTMCell.__init__() got an unexpected keyword argument 'batch_first'", "keyword"),
    ("RuntimeError: Found dtype Long but expected Float", "float-targets"),
    (
        "RuntimeError: \nArguments for call are not valid.\nExpected a value of type 'Optional[Tuple[Tensor, Tensor]]' for argument 'hx' "
        "but instead found type 'Tensor (inferred)'.",
        "script",
    ),
    ("RuntimeError: Trying to backward through the graph a second time", "backward-twice"),
    (
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
        "[torch.FloatTensor [3, 9]], which is output 0 of AsStrided, is at version 7; expected version 6 instead.",
        "in-place",
    ),
    ("RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.", "in-place"),
    (
        "RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
        "detach",
    ),
    ("RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn", "backward"),
    ("NameError: name 'x' is not defined", "name"),
    ("AttributeError: 'LSTM' object has no attribute 'weights'", "name"),
    ("SyntaxError: invalid syntax", "syntax"),
    ("RuntimeError: Input, output and indices must be on the current device", "device"),
    ("RuntimeError: Expected object of backend CPU but got backend CUDA for argument #2 'mat2'", "device"),
    ("TypeError: expected torch.LongTensor (got torch.FloatTensor)", "types"),
    ("TypeError: expected np.ndarray (got list)", "no-array"),
    ("NotImplementedError: Cannot convert a symbolic Tensor (gru_1/strided_slice:0) to a numpy array.", "versions"),
    (
        "You are passing a RNN mask that does not correspond to right-padded sequences, while using cuDNN",
        "right-padded",
    ),
    ("InternalError: Failed to call ThenRnnForward with model config: [rnn_mode]: 2 [Op:CudnnRNN]", "gpu"),
    ("RuntimeError: cudnn RNN backward can only be called in training mode", "training-mode"),
    ("UserWarning: RNN module weights are not part of single contiguous chunk of memory.", "compacted"),
    ("ValueError: Input contains NaN, infinity or a value too large for dtype('float64').", "missing-values"),
    ("torch.onnx.errors.UnsupportedOperatorError: Exporting the operator 'aten::x' is not supported.", "export"),
    (
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got torch.cuda.FloatTensor instead",
        "whole-numbers",
    ),
    ("ValueError: Graph disconnected: cannot obtain value for tensor KerasTensor(name='input_3')", "graph"),
    ("AttributeError: 'DataParallel' object has no attribute 'init_hidden'", "wrapped"),
]
TIED = "mat1 and mat2 shapes cannot be multiplied (48x256 and 200x1000)"
SCALED = "non-broadcastable output operand with shape (20,{}) doesn't match the broadcast shape (20,5)"
RANKED += [
    ("decoder.weight = embedding.weight\n" + TIED, ["weight-tying", "hidden-size", "inner-dimension"]),
    ("F.linear(input, self.weight, self.bias)\n" + TIED, ["hidden-size", "weight-tying"]),
    (
        '  File "sklearn/preprocessing/_data.py", line 6, in inverse_transform\n    X -= self.min_\n'
        + SCALED.format(1),
        ["scaler"],
    ),
    (
        "Using a target size (torch.Size([32, 5, 1])) that is different to the input size (torch.Size([32, 5])).\n"
        "return F.mse_loss(input, target)\n"
        "The size of tensor a (32) must match the size of tensor b (5) at non-singleton dimension 1",
        ["broadcast"],
    ),
    (
        "from sklearn.model_selection import train_test_split\nx = self.transform(x)\n"
        "ValueError: operands could not be broadcast together with shapes (20,3) (20,5)",
        ["batch-size", "broadcast"],
    ),
    ("ValueError: X has 3 features, but MinMaxScaler is expecting 5 features as input.", ["scaler"]),
    (
        '  File "torch/utils/data/_utils/collate.py", line 9, in default_collate\n    return torch.stack(batch, 0, out=out)\n'
        "stack expects each tensor to be equal size, but got [12] at entry 0 and [7] at entry 1",
        ["ragged"],
    ),
]

NODE = "Dimensions must be equal, but are {} and {} for '{{{{node {}}}}}' with input shapes: [{}], [{}]."
RAN = "Incompatible shapes: [{}] vs. [{}] {}"
# Former wordings of the libraries, and nodes of a graph.
RANKED += [
    (
        "While copying the parameter named context_LSTM.weight_ih_l0, whose dimensions in the model are torch.Size([400, 350]) "
        "and whose dimensions in the checkpoint are torch.Size([400, 300]).",
        ["checkpoint"],
    ),
    ("ValueError: lengths array has to be sorted in decreasing order", ["sorted-lengths"]),
    (
        "Argument `output` must have rank (ndim) `target.ndim - 1`. Received: target.shape=(16, 25), output.shape=(16, 9)",
        ["return-sequences"],
    ),
    ("Data cardinality is ambiguous: x sizes: 100 y sizes: 90 Make sure all arrays contain", ["batch-size"]),
    ("Found 100 input samples and 90 target samples.", ["batch-size"]),
    (
        "Error when checking model target: expected dense_1 to have 2 dimensions, but got array with shape (64, 20, 1)",
        ["return-sequences"],
    ),
    ("expected axis -1 of input shape to have value 10 but received input with shape [None, 5, 12]", ["input-size"]),
    ("Shape (?, 784) must have rank at least 3", ["unbatched", "return-sequences"]),
    ("Operands could not be broadcast together with shapes (64, 32) (64, 16)", ["broadcast"]),
    (FOUND.format("(None, 28, 28)", "(None, 784)"), ["flattened"]),
    (FOUND.format("(None, 10, 1)", "(None, 10)"), ["unbatched"]),
    (FOUND.format("(None, 10, 6)", "(None, 6)"), ["unbatched"]),
    (FOUND.format("(None, 219566, 6)", "(None, 6)"), ["unbatched"]),
    (FOUND.format("(None, 50, 39)", "(None, 10, 39)"), ["steps"]),
    (
        "model.add(LSTM(100,input_shape=(1,6,30),return_sequences=True))\nexpected ndim=3, found ndim=4",
        ["unbatched"],
    ),
    ("model.add(LSTM(8, input_shape=x_train.shape[1:]))\nexpected ndim=3, found ndim=2", ["unbatched"]),
    ("model.add(LSTM(8, input_shape=(15,)))\nexpected ndim=3, found ndim=2", ["unbatched"]),
    (
        "Received `state_spec`=ListWrapper([InputSpec(shape=(None, 9, 128), ndim=3), InputSpec(shape=(None, 128), ndim=2)]); "
        "however `cell.state_size` is [128]",
        ["state-tuple"],
    ),
    ("Layer lstm_2 has 2 states but was passed 1 initial states.", ["state-tuple"]),
    (RAN.format("32,12", "32,998,12", ""), ["return-sequences"]),
    (
        RAN.format("32,12", "32,9,12", "[[node mean_squared_error/SquaredDifference (defined at t.py:1)]]"),
        ["return-sequences"],
    ),
    (
        RAN.format("4,48", "16,48", "[[{{node gradient_tape/sequential/lstm_1/while/lstm_cell_1/Add_grad}}]]"),
        ["batch-size"],
    ),
    (NODE.format(12, 10, "compile_loss/mse/sub", "?,12,6", "?,10,6"), ["steps"]),
    (
        NODE.format(12, 10, "a/SquaredDifference", "?,12,6", "?,10,6")
        .replace("}}", "}} = SquaredDifference[T=DT_FLOAT](sequential/dense/BiasAdd, IteratorGetNext:1)")
        .replace("a/", "mean_squared_error/"),
        ["steps"],
    ),
]
RANKED += [
    (
        '  File "net.py", line 9, in forward\n    represents = hiddens * sent_probs\n' + ONE_AXIS.format(200, 100, 2),
        ["hidden-size", "broadcast"],
    ),
    (
        "    predictions = scaler.inverse_transform(predictions)\n"
        "ValueError: non-broadcastable output operand with shape (33093,1) doesn't match the broadcast shape (33093,9)",
        ["scaler"],
    ),
    (
        '  File "net.py", line 9, in <module>\n    h = jnp.tanh(W @ x + U @ h)\n                 ~~^~~\n'
        "TypeError: dot_general requires contracting dimensions to have the same shape, got (20,) and (50,).",
        ["inner-dimension", "transpose"],
    ),
    (
        '  File "net.py", line 9, in <module>\n    a = U @ h\n' + INNER.format(24, 16),
        ["hidden-size", "inner-dimension", "transpose"],
    ),
    (
        '  File "net.py", line 9, in step\n    return np.tanh(Wxh @ x + Whh @ h + bh)\n                   ~~~~^~~\n'
        + INNER.format(16, 9),
        ["transpose", "inner-dimension"],
    ),
    (
        "RuntimeError: size mismatch, m1: [64 x 256], m2: [512 x 512] at THTensorMath.c:1434",
        ["hidden-size", "shared-cell", "inner-dimension"],
    ),
    (
        STATE.format("(1, 70, 1150)", "(1, 10, 1150)")
        + "\n\n(70 happens to be the value of bptt, while 10 is the batch)",
        ["batch-first", "batch-size"],
    ),
]

# A program and the last line of its traceback.
ROWS_BY_HAND = """import numpy as np
hidden_size, input_size, batch = 24, 9, 16
Wxh = np.random.randn(hidden_size, input_size) * 0.01
Whh = np.random.randn(hidden_size, hidden_size) * 0.01
bh = np.zeros(hidden_size)

def step(x, h):
    return np.tanh(Wxh @ x + Whh @ h + bh)

X = np.random.randn(batch, input_size)
h = step(X, np.zeros((batch, hidden_size)))

ValueError: """ + INNER.format(16, 9)
COLUMN_AND_VECTOR = """I keep all states in H.
n_h, n_x = 12, 5
Wx = np.random.randn(n_h, n_x)
b = np.zeros(n_h)
H = np.zeros((20, n_h, 1))
for t in range(20):
    x_t = np.random.randn(n_x, 1)
    h = np.tanh(Wx @ x_t + b)
    {}

ValueError: {}"""
EACH_STEP = """lstm = nn.LSTM(5, 12, batch_first=True)
fc = nn.Linear(12, 1)
loss_fn = nn.L1Loss()
x = torch.randn(8, 36, 5)
y = torch.randn(8, 1)            # one value a series
out, _ = lstm(x)
loss = loss_fn(fc(out), y)

RuntimeError: """
WARNED = (
    "UserWarning: Using a target size (torch.Size([{}])) that is different to the input size (torch.Size([{}])). "
    "This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size."
)
RANKED += [
    (ROWS_BY_HAND, ["transpose", "shared-cell", "inner-dimension"]),
    (
        COLUMN_AND_VECTOR.format("H[t] = h", "could not broadcast input array from shape (12,12) into shape (12,1)"),
        ["broadcast"],
    ),
    (
        COLUMN_AND_VECTOR.format(
            "y = h @ np.zeros((5, 2))", "shapes (12,12) and (5,2) not aligned: 12 (dim 1) != 5 (dim 0)"
        ),
        ["broadcast", "inner-dimension"],
    ),
    ("could not broadcast input array from shape (12,12) into shape (12,1)", ["broadcast"]),
    (EACH_STEP + ONE_AXIS.format(36, 8, 1), ["broadcast"]),
    (WARNED.format("1", "1, 20"), ["hidden-size"]),
    ("self.flatten = torch.nn.Flatten(start_dim=1, end_dim=2)\n" + WARNED.format("1", "1, 20"), ["flattened"]),
    (
        '  File "train.py", line 4, in <module>\n    loss = criterion(pred, y)\n  File "functional.py", line 9, in mse_loss\n'
        + ONE_AXIS.format(36, 8, 1),
        ["broadcast"],
    ),
]
RANKED += [
    ("output with shape [4, 1] doesn't match the broadcast shape [4, 3]", ["broadcast"]),
    ("InvalidArgumentError: indices[3,7] = 5000 is not in [0, 5000) [Op:ResourceGather]", ["index-range"]),
    ("Received a label value of 6 which is outside the valid range of [0, 6).  Label values: 6 2", ["index-range"]),
    ("Rank mismatch: Rank of labels (received 2) should equal rank of logits minus 1 (received 2).", ["class-axis"]),
    (
        "Rank mismatch: Rank of labels (received 1) should equal rank of logits minus 1 (received 3).",
        ["return-sequences"],
    ),
    ("ValueError: Found array with dim 3. MinMaxScaler expected <= 2.", ["scaler"]),
    ("ValueError: Expected 2D array, got 1D array instead:\narray=[1. 2.].", ["scaler"]),
    ("Found input variables with inconsistent numbers of samples: [100, 95]", ["batch-size"]),
    ("cannot reshape array of shape (100, 30) (size 3000) into shape (20, 5, 31) (size 3100)", ["reshape"]),
]

SAVED = (
    "Error(s) in loading state_dict for Net: Missing key(s) in state_dict: {}. Unexpected key(s) in state_dict: {}. "
)
RANKED += [
    ("Expected input to be 2-D or 3-D but received 4-D tensor".join(("LSTM: ", "")), ["unbatched"]),
    (
        "batch1 and batch2 must have same number of batches, got 32 and 10 at /pytorch/aten",
        ["batch-first", "batch-size"],
    ),
    ("invalid argument 6: wrong matrix size at /pytorch/aten/src/THC/generic", ["hidden-size", "inner-dimension"]),
    ("matrices expected, got 3D, 2D tensors at /pytorch/aten", ["unbatched"]),
    ("index out of range: Tried to access index 10000 out of table with 9999 rows. at /pytorch", ["index-range"]),
    (
        "Target and input must have the same number of elements. target nelement (64) != input nelement (128)",
        ["hidden-size"],
    ),
    (SAVED.format('"lstm.weight_ih_l0", "fc.bias"', '"module.lstm.weight_ih_l0", "module.fc.bias"'), ["checkpoint"]),
    (SAVED.format('"module.lstm.weight_ih_l0", "module.fc.bias"', '"lstm.weight_ih_l0", "fc.bias"'), ["checkpoint"]),
    (RAN.format("32,10,1", "32,5,1", "[[{{node mean_squared_error/SquaredDifference}}]]"), ["steps"]),
    ("logits and labels must be broadcastable: logits_size=[32,10] labels_size=[32,12]", ["broadcast"]),
    (
        "Error when checking target: expected dense_3 to have shape (1,) but got array with shape (10,)",
        ["broadcast", "class-axis"],
    ),
    (
        'loss="sparse_categorical_crossentropy"\n'
        "Error when checking target: expected dense_3 to have shape (1,) but got array with shape (10,)",
        ["class-axis", "broadcast"],
    ),
    (
        "Error when checking model target: expected activation_2 to have shape (None, 50, 30) but got array with shape (500, 50, 1)",
        ["class-axis"],
    ),
    (
        NODE.format(30, 1, "Equal", "?,30", "?,1").replace("}}", "}} = Equal[T=DT_FLOAT](IteratorGetNext:1, Cast_1)"),
        ["broadcast", "class-axis"],
    ),
    ('Layer "model_2" expects 2 input(s), but it received 1 input tensors.', ["inputs"]),
    ("Layer lstm_2 expects 5 inputs, but it received 3 input tensors", ["inputs"]),
    ("You are trying to load a weight file containing 4 layers into a model with 3 layers.", ["checkpoint"]),
    ("Layer 'lstm' expected 3 variables, but received 0 variables during loading.", ["checkpoint"]),
    ("/kernel:0' shape=(100, 256)> has shape (100, 256), but the saved weight has shape (300, 256).", ["checkpoint"]),
    ("The variable shape (10, 128), and the assigned value shape (12, 128) are incompatible.", ["checkpoint"]),
    (
        "A target array with shape (500, 1) was passed for an output of shape (None, 10) while using as loss `categorical_crossentropy`",
        ["class-axis"],
    ),
    (
        "You are passing a target array of shape (1000, 1) while using as loss `categorical_crossentropy`",
        ["class-axis"],
    ),
    ("Failed to convert a NumPy array to a Tensor (Unsupported object type list).", ["ragged"]),
    ("Input to reshape is a tensor with 640 values, but the requested shape has 1280", ["reshape"]),
    (
        "ConcatOp : Dimensions of inputs should match: shape[0] = [64,20] vs. shape[1] = [32,10]",
        ["batch-size"],
    ),
    ("ValueError: setting an array element with a sequence.", ["ragged"]),
    ("could not broadcast input array from shape (50,13) into shape (50)", ["ragged", "broadcast"]),
    (
        '  File "data.py", line 3, in <module>\n    x = np.array(walks)\n'
        "could not broadcast input array from shape (50,13) into shape (50)",
        ["ragged"],
    ),
    ("n = x.shape[2]\nIndexError: tuple index out of range", ["unbatched"]),
    (
        '  File "data.py", line 8, in <module>\n    samples, steps, features = X.shape\n'
        "ValueError: not enough values to unpack (expected 3, got 2)",
        ["unbatched"],
    ),
    ("ValueError: axes don't match array", ["indexing"]),
    ("TypeError: scan got values with different leading axis sizes: 20, 10.", ["steps"]),
]

RANKED += [
    (
        '  File "decoder.py", line 28, in forward\n    output, hidden = self.gru(torch.cat((embedded, context), 2), hidden)\n'
        "RuntimeError: input.size(-1) must be equal to input_size. Expected 256, got 768",
        ["input-size", "swapped-arguments", "transpose"],
    ),
    (
        '  File "train.py", line 30, in train\n    loss = criterion(out.squeeze(), y)\n' + ONE_AXIS.format(32, 16, 0),
        ["batch-size"],
    ),
    (
        "model = nn.Sequential(nn.LSTM(64, 128), nn.Linear(128, 10))\n"
        "TypeError: linear(): argument 'input' (position 1) must be Tensor, not tuple",
        ["state-tuple"],
    ),
    ("size mismatch, m1: [1 x 4096], m2: [512 x 128] at", ["hidden-size", "inner-dimension"]),
    ("mat1 and mat2 shapes cannot be multiplied (64x50 and 100x1)", ["hidden-size", "inner-dimension"]),
    (
        "model.add(LSTM(64, input_shape=(10, 3)))\nmodel.add(LSTM(32))\n"
        'Input 0 of layer "lstm_1" is incompatible with the layer: expected ndim=3, found ndim=2. Full shape received: (None, 64)',
        ["return-sequences", "unbatched"],
    ),
    (
        '  File "train.py", line 77, in <module>\n    loss = criterion(output, target)\n'
        '  File "torch/nn/functional.py", line 2824, in cross_entropy\nRuntimeError: Expected target size [32, 5000], got [32, 20]',
        ["class-axis"],
    ),
]

RANKED += [
    (
        "output, _ = nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)\n" + ONE_AXIS.format(17, 20, 1),
        ["packed", "broadcast"],
    ),
]

RANKED += [
    (
        '  File "decoder.py", line 28, in forward\n    output, hidden = self.gru(rnn_input, hidden)\n'
        "RuntimeError: input.size(-1) must be equal to input_size. Expected 48, got 112",
        ["input-size", "swapped-arguments", "transpose"],
    ),
]

RANKED += [
    (
        "from torchsummary import summary\nAttributeError: 'tuple' object has no attribute 'size'",
        ["state-tuple"],
    ),
    (
        "lstm = nn.LSTM(7, 12, num_layers=2)\nx = torch.randn(9, 5, 7)\nh0 = torch.zeros(2, 5, 12)\ny, s = lstm(x, h0)\n"
        "RuntimeError: For batched 3-D input, hx and cx should also be 3-D but got (2-D, 2-D) tensors",
        ["state-tuple"],
    ),
    (
        "x = torch.randn(7, 15, 3)\nn = torch.tensor([15, 9, 8, 8, 7, 2, 1])\np = pack_padded_sequence(x, n)\n"
        "RuntimeError: Expected `len(lengths)` to be equal to batch_size, but got 7 (batch_size=15)",
        ["batch-first"],
    ),
    (
        "ValueError: length of all samples has to be greater than 0, but found an element in 'lengths'",
        ["sorted-lengths"],
    ),
    (
        "Using a target size (torch.Size([1])) that is different to the input size (torch.Size([])). This will likely",
        ["unbatched"],
    ),
    (
        "Using a target size (torch.Size([])) that is different to the input size (torch.Size([1, 1])). This will likely",
        ["unbatched"],
    ),
    (
        "Using a target size (torch.Size([])) that is different to the input size (torch.Size([8, 1])). This will likely",
        ["unbatched"],
    ),
    ("IndexError: Target -1 is out of bounds.", ["index-range"]),
    ("Received a label value of -1 which is outside the valid range of [0, 4).  Label values: -1 2", ["index-range"]),
    (
        "RuntimeError: Expected floating point type for target with class probabilities, got Long",
        ["class-targets"],
    ),
    (
        "InvalidArgumentError: Can not squeeze dim[1], expected a dimension of 1, got 5",
        ["class-axis", "return-sequences"],
    ),
    (
        "model.add(LSTM(9, return_sequences=True))\nInvalidArgumentError: Can not squeeze dim[2], expected a dimension of 1, got 5",
        ["return-sequences", "class-axis"],
    ),
    ("ValueError: cannot select an axis to squeeze out which has size not equal to one", ["reshape"]),
    ("ValueError: expected 2D or 3D input (got 4D input)", ["unbatched"]),
    ("ValueError: expected 4D input (got 2D input)", ["unbatched"]),
    (
        "RuntimeError: Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [5]",
        ["unbatched"],
    ),
    (
        "Expected 3-dimensional input for 3-dimensional weight [16, 1, 3], but got 2-dimensional input of size [8, 40] instead",
        ["unbatched"],
    ),
]

_FIT = "model.fit(x, y, batch_size=4)\n"
_TARGET = "ValueError: Error when checking target: expected dense_3 to have {} dimensions, but got array with shape {}"
_SHAPE = "ValueError: Error when checking : expected lstm_1_input to have shape {} but got array with shape {}"
_FEED = "ValueError: Cannot feed value of shape {} for Tensor u'lstm_1_input:0', which has shape '{}'"
# Texts with a program, the code of the first cause, and its first line without the condition.
FIRST_LINES = [
    (
        "m.add(Bidirectional(GRU(40)))\nm.add(Dense(n_steps))\n" + _TARGET.format(2, "(90, 12, 5)"),
        "return-sequences",
        "Bidirectional(GRU(40, return_sequences=True))",
    ),
    (
        "m.add(GRU(40, return_sequences=True, input_shape=(80, 3)))\nm.add(MaxPooling1D(2))\nm.add(Dense(4))\n"
        + _TARGET.format(3, "(90, 4)"),
        "return-sequences",
        "GlobalMaxPooling1D()",
    ),
    (
        "m.add(GRU(40, return_sequences=True))\nm.add(TimeDistributed(Dense(4)))\n" + _TARGET.format(3, "(90, 4)"),
        "return-sequences",
        "GRU(40, return_sequences=False)",
    ),
    (
        "m.add(GRU(40, return_sequences=True))\n" + _TARGET.format(2, "(90, 12, 5)"),
        "return-sequences",
        "LSTM(..., return_sequences=True)",
    ),
    (
        "m.add(GRU(6, input_shape=(9, 2)))\nm.add(GRU(4))\nInput 0 is incompatible with layer gru_2: expected ndim=3, found ndim=2",
        "return-sequences",
        "GRU(6, input_shape=(9, 2), return_sequences=True)",
    ),
    (
        "m.add(LSTM(31, return_sequences=True))\nm.add(RepeatVector(6))\n"
        "Input 0 is incompatible with layer repeat_vector_2: expected ndim=2, found ndim=3",
        "return-sequences",
        "LSTM(31, return_sequences=False)",
    ),
    (
        "m.add(LSTM(8, batch_input_shape=(4, 6, 3), stateful=True))\n" + _FIT + _FEED.format("(3, 6, 3)", "(4, 6, 3)"),
        "batch-size",
        "model.fit(x[:len(x) // 4 * 4], y[:len(x) // 4 * 4], batch_size=4)",
    ),
    (
        "m.add(LSTM(8, batch_input_shape=(70, 6, 3)))\nmodel.fit(x, y)\nInvalidArgumentError: Incompatible shapes: [32] vs. [70]",
        "batch-size",
        "model.fit(x, y, batch_size=70)",
    ),
    (
        "m.add(LSTM(8, batch_input_shape=(4, 6, 3)))\n"
        + _FIT
        + "InvalidArgumentError: Incompatible shapes: [2] vs. [4]",
        "batch-size",
        "model.fit(x[:len(x) // 4 * 4], y[:len(x) // 4 * 4], batch_size=4)",
    ),
    (_SHAPE.format("(44, 9, 1)", "(16, 44, 9)"), "unbatched", "batch_input_shape=(16, 44, 9)"),
    (
        "m.add(LSTM(8, input_shape=(44, 9), return_sequences=True))\n"
        "Error when checking input: expected lstm_1_input to have shape (44, 9) but got array with shape (20, 9)",
        "steps",
        "m.add(LSTM(8, input_shape=(None, 9), return_sequences=True))",
    ),
    # Here the numbers from 1 are meant.
    (
        "ids = {c: n + 1 for n, c in enumerate(letters)}\nemb = nn.Embedding(len(letters) + 1, 8)\nIndexError: index out of range in self",
        "index-range",
        "emb = nn.Embedding(int(x.max()) + 1, 8)",
    ),
    (
        "steps, units = 14, 6\nrnn = nn.GRU(3, units, batch_first=True)\nout, h = rnn(torch.zeros(5, 12, 3))\n"
        "flat = out.reshape(-1, steps * units)\nRuntimeError: shape '[-1, 84]' is invalid for input of size 360",
        "steps",
        "steps = 12",
    ),
    (
        "rnn = nn.GRU(3, 6, batch_first=True)\nout, h = rnn(torch.zeros(5, 12, 3))\n"
        "flat = out.reshape(-1, 84)\nRuntimeError: shape '[-1, 84]' is invalid for input of size 360",
        "steps",
        "# make the layers for 12 steps, or give the data 14 steps",
    ),
    (
        "ValueError: cannot reshape array of size 3006 into shape (501,20,6)",
        "reshape",
        "x = np.lib.stride_tricks.sliding_window_view(x, 20, axis=0).swapaxes(1, 2)",
    ),
    (
        "self.rnn = nn.GRU(7, 24, batch_first=True)\n"
        '  File "net.py", line 9, in forward\n    y, h = self.rnn(seq, h0)\n'
        + HIDDEN.format("(1, 6, 24)", "[1, 16, 24]"),
        "batch-size",
        "h0 = torch.zeros(1, seq.size(0), 24)",
    ),
]

FIRST_LINES += [
    (
        "ValueError: Negative dimension size caused by subtracting 3 from 2 for conv1d",
        "steps",
        'layers.Conv1D(filters, 3, padding="same")',
    ),
    (
        "RuntimeError: a and b must have same reduction dim, but got [30, 64] X [128, 10].",
        "hidden-size",
        "linear(torch.cat([h_n[-2], h_n[-1]], dim=-1))",
    ),
    (
        "RuntimeError: input and target shapes do not match: input [32 x 1], target [32] at",
        "broadcast",
        "targets = targets.unsqueeze(1)",
    ),
    (
        "ValueError: Cannot reshape a tensor with 1280 elements to shape [32,10,5] (1600 elements)",
        "reshape",
        "x = tf.reshape(x, (-1, *shape[1:]))",
    ),
    (
        "ValueError: Incompatible shapes for broadcasting: (3,) and requested shape (4,)",
        "broadcast",
        "b = jnp.zeros((3,))",
    ),
    (
        "ValueError: shape mismatch: value array of shape (3,1) could not be broadcast to indexing result of shape (1,3)",
        "transpose",
        "h = h.T",
    ),
    (
        "k, m = 7, 4\nW_hh = np.random.randn(k, m)\nW_xh = np.random.randn(k, m)\nh = np.zeros((k, 1))\n"
        "z = W_hh @ h + W_xh @ np.ones((m, 1))\n"
        "ValueError: operands could not be broadcast together with shapes (7,7) (7,4)",
        "hidden-size",
        "W_hh = np.random.randn(k, k)",
    ),
    (
        "sizes = 7, 4\nW_hh = np.zeros((7, 4)).copy()\nValueError: operands could not be broadcast together with shapes (7,7) (7,4)",
        "hidden-size",
        "# W_hh must be (7, 7)",
    ),
    (
        '  File "dec.py", line 9, in forward\n    y, h = self.rnn(tok, enc)\n'
        + HIDDEN.format("(2, 6, 24)", "[6, 33, 40]"),
        "batch-first",
        "enc = nn.Linear(40, 24)(enc[:, -1]).unsqueeze(0).repeat(2, 1, 1)",
    ),
    (
        '  File "dec.py", line 9, in forward\n    y, h = self.rnn(tok, enc)\n'
        + HIDDEN.format("(1, 6, 24)", "[6, 33, 24]"),
        "batch-first",
        "enc = enc[:, -1].unsqueeze(0)",
    ),
    (
        '  File "conv_gru.py", line 9, in forward\n    y, h = self.rnn(z)\n'
        "input.size(-1) must be equal to input_size. Expected 32, got 70",
        "transpose",
        "z = z.transpose(1, 2)",
    ),
    (
        "both = layers.Concatenate()([seq, meta])\nValueError: A `Concatenate` layer requires inputs with matching shapes "
        "except for the concatenation axis. Received: input_shape=[(None, 12, 9), (None, 4)]",
        "unbatched",
        "meta = layers.RepeatVector(12)(meta)",
    ),
    (
        '  File "cell.py", line 9, in forward\n    s = np.concatenate((h, x_batch), axis=0)\n'
        "all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, "
        "the array at index 0 has size 1 and the array at index 1 has size 13",
        "batch-size",
        "h = np.repeat(h, 13, axis=1)",
    ),
]

FIRST_LINES += [
    (
        "xs, keep = jnp.ones((11, 6, 3)), jnp.ones((6, 11))\nhT, hs = jax.lax.scan(step, h, (xs, keep))\n"
        "ValueError: scan got values with different leading axis sizes: 11, 6.",
        "steps",
        "keep = jnp.swapaxes(keep, 0, 1)",
    ),
    (
        "ValueError: scan got values with different leading axis sizes: 11, 6.",
        "steps",
        "xs = jnp.swapaxes(xs, 0, 1)",
    ),
    (
        "enc = Bidirectional(LSTM(20, return_sequences=True))(e)\nReceived `state_spec`=[InputSpec(shape=(None, 9, 40), ndim=3)]; "
        "however `cell.state_size` is (40, 40)",
        "state-tuple",
        "output = layer(x, initial_state=[layers.Concatenate()([h_forward, h_backward]), "
        "layers.Concatenate()([c_forward, c_backward])])",
    ),
    (
        "Using a target size (torch.Size([1, 1])) that is different to the input size (torch.Size([9, 1])). This will likely",
        "broadcast",
        "logits = logits[-1:]",
    ),
]
_NODE = "[[{{{{node gradients/loss/dense_4_loss/mean_squared_error/{}}}}}]]"
_DEFINED = "The last dimension of the inputs to a Dense layer should be defined. Found None. Full input shape received: (None, None)"
# Words of other frameworks, of all their versions.
RANKED += [
    ("Target size (torch.Size([1])) must be the same as input size (torch.Size([]))", ["unbatched"]),
    # Two messages at once, and a size that the message does not tell.
    (
        "Error when checking target: expected dense_3 to have shape (1,) but got array with shape (10,)\n"
        '  File "functional.py", line 9, in mse_loss\n'
        "LSTM: Expected input to be 2-D or 3-D but received 4-D tensor",
        ["unbatched"],
    ),
    (
        '  File "cell.py", line 4, in step\n    c = z * c\n'
        "ValueError: operands could not be broadcast together with shapes (25,?,1) (?,4,1) ",
        ["broadcast"],
    ),
    ("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor", ["unbatched"]),
    ("IndexError: index 97 is out of bounds for size 12", ["index-range"]),
    ("RuntimeError: index 5 out of range for tensor of size [5, 3] at dimension 0", ["index-range"]),
    ("Input to reshape is a tensor with 100 values, but the requested shape requires a multiple of 30", ["reshape"]),
    ("could not broadcast input array from shape (4794,1) into shape (0,1)", ["indexing"]),
    ("energy = energy.masked_fill(mask == 0, -1e20)\n" + ONE_AXIS.format(1024, 512, 3), ["steps"]),
    ("energy = energy.masked_fill(mask == 0, -1e20)\n" + ONE_AXIS.format(30, 32, 1), ["broadcast"]),
    ("Incompatible shapes at component 0: expected [1,512] but got [8,512].", ["broadcast"]),
    (
        '  File "attn.py", line 9, in forward\n    score = torch.tanh(self.Wh(hidden) + self.We(enc))\n'
        + ONE_AXIS.format(8, 15, 1),
        ["broadcast"],
    ),
    ("too many indices for array", ["indexing"]),
    (
        "boolean index did not match indexed array along axis 0; size of axis is 10 but size of corresponding boolean axis is 8",
        ["indexing"],
    ),
    (
        "boolean index did not match indexed array along dimension 0; dimension is 8 but corresponding boolean dimension is 10",
        ["indexing"],
    ),
    ("shape mismatch: indexing arrays could not be broadcast together with shapes (32,) (20,) ", ["indexing"]),
    (
        "z = np.concatenate(h, x)\nTypeError: only integer scalar arrays can be converted to a scalar index",
        ["concatenate-axis"],
    ),
    ("y = words[ids]\nTypeError: only integer scalar arrays can be converted to a scalar index", ["indexing"]),
    ("ValueError: total size of new array must be unchanged", ["reshape"]),
    ("ValueError: 'a' and 'p' must have same size", ["broadcast"]),
    ("ValueError: 'p' must be 1-dimensional", ["reshape"]),
    ("ValueError: objects are not aligned", ["hidden-size", "inner-dimension"]),
    ("ValueError: shape mismatch: objects cannot be broadcast to a single shape", ["broadcast"]),
    (
        "RuntimeError: inconsistent tensor sizes at /pytorch/torch/lib/TH/generic/THTensorMath.c:2864",
        ["concatenate-axis"],
    ),
    ("RuntimeError: invalid argument 2: size '[32 x 10]' is invalid for input with 300 elements at", ["reshape"]),
    (
        "Expected tensor to have size 10 at dimension 1, but got size 12 for argument #2 'batch2' (while checking arguments for bmm)",
        ["inner-dimension"],
    ),
    (
        "Expected tensor to have size 10 at dimension 0, but got size 12 for argument #2 'batch2' (while checking arguments for bmm)",
        ["batch-first", "batch-size"],
    ),
    ("RuntimeError: 'lengths' argument should be a 1D CPU int64 tensor", ["lengths"]),
    ("RuntimeError: start (0) + length (32) exceeds dimension size (20).", ["indexing"]),
    (
        "packed = pack_padded_sequence(emb, lengths)\nRuntimeError: start (224) + length (11) exceeds dimension size (224).",
        ["batch-first", "lengths"],
    ),
    ("lstm() received an invalid combination of arguments - got (Tensor, Tensor, list, bool, int)", ["state-tuple"]),
    (
        "size mismatch for embedding.weight: copying a param of torch.Size([150, 256]) from checkpoint, "
        "where the shape is torch.Size([149, 256]) in current model.",
        ["checkpoint"],
    ),
    ("""KeyError: 'unexpected key "lstm.weight_ih_l1" in state_dict'""", ["checkpoint"]),
    ("""KeyError: 'missing keys in state_dict: "{'lstm.weight_ih_l0_reverse'}"'""", ["checkpoint"]),
    ("Incompatible shapes: [19] vs. [30] " + _NODE.format("mul_grad/Mul_1"), ["batch-size"]),
    ("Incompatible shapes: [128,100] vs. [128,90] [[{{node metrics_2/acc/Equal}}]]", ["steps"]),
    (
        "Dimension 1 in both shapes must be equal, but are 7 and 30. Shapes are [30,7] and [30,30]. for concat",
        ["concatenate-axis"],
    ),
    (
        "Shapes must be equal rank, but are 2 and 3\n\tFrom merging shape 0 with other shapes. for 'concat'",
        ["unbatched"],
    ),
    (
        "ConcatOp : Dimensions of inputs should match: shape[0] = [1,100] vs. shape[1] = [50,100] [[Node: d/lstm_cell/concat]]",
        ["batch-size", "concatenate-axis"],
    ),
    (
        "Input tensor `rnn/zeros:0` enters the loop with shape (1, 10), but has shape (None, 10) after one iteration.",
        ["batch-size"],
    ),
    (
        "Input tensor `rnn/zeros:0` enters the loop with shape (8, 10), but has shape (8, 12) after one iteration.",
        ["hidden-size"],
    ),
    (_DEFINED, ["input-size"]),
    (
        "Input 0 of layer lstm is incompatible with the layer: its rank is undefined, but the layer requires a defined rank.",
        ["unbatched"],
    ),
    (
        "Kernel shape must have the same length as input, but received kernel of shape (3, 3, 3, 8) and input of shape (None, 10, 32, 32, 3).",
        ["unbatched"],
    ),
    (
        "Computed output size would be zero or negative. Received `inputs shape=(None, 1, 16)`, `kernel shape=(3, 16, 16)`, `dilation_rate=[1]`",
        ["steps"],
    ),
    (
        "Layer \"functional\" expects 2 named input(s) with keys ['a', 'b'], but it received 1 input tensors.",
        ["inputs"],
    ),
    (
        "vmap was requested to map its argument along axis 0, which implies that its rank should be at least 1, but is only 0 (its shape is ())",
        ["batch-size"],
    ),
    (
        "scan carry output and input must have identical types, got ('ShapedArray(float32[32,64])',) and ('ShapedArray(float32[1,64])',).",
        ["batch-size"],
    ),
    ("Incompatible shapes for dot: got (32, 10) and (20, 10).", ["transpose", "inner-dimension"]),
    (
        "split_with_sizes expects split_sizes to sum exactly to 10 (input tensor's size at dimension 1), but got split_sizes=[4, 4, 4]",
        ["split"],
    ),
]

_SEVERAL = "RuntimeError: 0D or 1D target tensor expected, multi-target not supported"
_BINARY = "torch.nn.functional.binary_cross_entropy_with_logits(logits, targets.float())"
_REPLICA = "In replica 1 on device 1\n"
_SIZED = "RuntimeError: The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton dimension {}.  Target sizes: {}.  Tensor sizes: {}"
_LINE = 'Traceback (most recent call last):\n  File "model.py", line 31, in forward\n    {}\n{}'
_TWO = "ValueError: too many values to unpack (expected 2)"

# PyTorch with several devices, a random field, positions, and lines that unpack.
FIRST_LINES += [
    (
        "RuntimeError: Expected `len(lengths)` to be equal to batch_size, but got 20 (batch_size=10).",
        "batch-size",
        "lengths = lengths[:10]",
    ),
    (
        _REPLICA + "RuntimeError: Expected hidden[0] size (2, 8, 50), got [2, 32, 50]",
        "batch-size",
        "h0 = c0 = torch.zeros(2, x.size(0), 50, device=x.device)",
    ),
    (
        _REPLICA + "RuntimeError: Expected hidden size (2, 8, 50), got [2, 8, 100]",
        "hidden-size",
        "h0 = torch.zeros(2, 8, 50)",
    ),
    (
        "RuntimeError: Gather got an input of invalid size: got [6, 18, 40], but expected [6, 21, 40]",
        "packed",
        "output, _ = pad_packed_sequence(packed, batch_first=True, total_length=x.size(1))",
    ),
    (
        "RuntimeError: Input tensor at index 1 has invalid shape [6, 18, 40], but expected [6, 18, 44]",
        "broadcast",
        "# what each device returns may differ along axis 0 alone",
    ),
    (
        "Expected tensor to have size at least 9 at dimension 1, but got size 6for argument #2 'targets'",
        "lengths",
        "target_lengths = target_lengths.clamp(max=6)",
    ),
    (
        "ValueError: the first two dimensions of emissions and tags must match, got (16, 60) and (16, 58)",
        "steps",
        "emissions = emissions[:, :58]",
    ),
    (
        "ValueError: the first two dimensions of emissions and mask must match, got (41, 16) and (16, 41)",
        "batch-first",
        "crf = CRF(num_tags, batch_first=True)",
    ),
    (
        "ValueError: the first two dimensions of emissions and tags must match, got (16, 58) and (32, 58)",
        "batch-size",
        "# emissions, tags and mask must be of the same batch",
    ),
    (
        "self.crf = CRF(len(tags), batch_first=True)\n"
        "ValueError: the first two dimensions of emissions and tags must match, got (16, 58) and (18, 58)",
        "batch-size",
        "# emissions, tags and mask must be of the same batch",
    ),
    (
        # Without batch_first=True, the second axis is the batch. That of the layer is another one.
        "nn.LSTM(8, 8, batch_first=True)\nself.crf = CRF(len(tags))\n"
        "ValueError: the first two dimensions of emissions and tags must match, got (58, 16) and (58, 18)",
        "batch-size",
        "# emissions, tags and mask must be of the same batch",
    ),
    (
        "self.crf = CRF(9)\nValueError: the first two dimensions of emissions and tags must match, got (32, 16) and (64, 16)",
        "steps",
        "tags = tags[:32]",
    ),
    (
        "ValueError: expected last dimension of emissions is 7, got 1",
        "hidden-size",
        "emissions = nn.Linear(1, 7)(emissions)",
    ),
    ("ValueError: mask of the first timestep must all be on", "lengths", "kept = mask[:, 0].bool()"),
    (
        "ValueError: expected last dimension of emissions is 7, got 200",
        "hidden-size",
        "emissions = nn.Linear(200, 7)(emissions)",
    ),
    ("ValueError: emissions must have dimension of 3, got 2", "unbatched", "emissions = emissions.unsqueeze(0)"),
    (
        "ValueError: emissions must have dimension of 3, got 4",
        "unbatched",
        "emissions = emissions.flatten(0, -3)",
    ),
    (
        "site-packages/transformers/models/bert/modeling_bert.py\n"
        + _SIZED.format(600, 512, 1, "[4, 600]", "[1, 512]"),
        "steps",
        'inputs = tokenizer(texts, truncation=True, max_length=512, padding=True, return_tensors="pt")',
    ),
    (
        _LINE.format("x = x + self.pos_emb[:, :x.size(1)]", "RuntimeError: " + ONE_AXIS.format(90, 80, 1)),
        "steps",
        "x = x[:, :80]",
    ),
    (
        # Fewer steps than positions: not the positions are missing.
        "transformers/models\nRuntimeError: " + ONE_AXIS.format(80, 90, 1),
        "broadcast",
        "b = b.unsqueeze(-1)",
    ),
    (
        _LINE.format("buffer[:, :len(ids)] = torch.tensor(ids)", _SIZED.format(40, 55, 1, "[1, 40]", "[55]")),
        "broadcast",
        "buffer[:, :len(ids)] = torch.tensor(ids)[:40]",
    ),
    (
        _LINE.format("table[3] = row", _SIZED.format(40, 30, 0, "[40]", "[30]")),
        "broadcast",
        "table[3][:30] = row",
    ),
    (_LINE.format("data, batch_sizes = packed", _TWO), "packed", "data, batch_sizes, *_ = packed"),
    (_LINE.format("x, y = unpacked", _TWO), "unbatched", "x = unpacked"),
    # Lines without a name that takes a part.
    (_LINE.format("() = x", _TWO), "state-tuple", "output, (h_n, c_n) = layer(x)"),
    (_LINE.format("for () in x:", _TWO), "state-tuple", "output, (h_n, c_n) = layer(x)"),
    (
        _LINE.format("() = x", "ValueError: not enough values to unpack (expected 2, got 1)"),
        "state-tuple",
        "output, (h_n, c_n) = layer(x)",
    ),
    (
        _LINE.format("table[:, :4] = rows + bias", _SIZED.format(4, 5, 1, "[2, 4]", "[2, 5]")),
        "broadcast",
        "table[:, :4] = (rows + bias)[:, :4]",
    ),
    (
        # The index by an array copies, so its part can't be assigned to.
        _LINE.format("table[mask] = rows", _SIZED.format(6, 5, 1, "[2, 6]", "[2, 5]")),
        "broadcast",
        "# what is put there must have 6 entries along axis 1, or 1",
    ),
    (_LINE.format("n, steps = signal.shape", _TWO), "unbatched", "n, steps, *_ = signal.shape"),
    (
        _LINE.format("n, steps = signal.size()", "ValueError: not enough values to unpack (expected 2, got 1)"),
        "unbatched",
        "signal = signal[None]",
    ),
    (_LINE.format("words, words_len = batch.words", _TWO), "lengths", "words = batch.words"),
    (_LINE.format("a, b = sample", _TWO), "unbatched", "a = sample"),
    (_LINE.format("h, c = memory", _TWO), "state-tuple", "h = memory"),
    (_LINE.format("for n, (x, y) in enumerate(loader):", _TWO), "unbatched", "for n, (x, *_, y) in enumerate(loader):"),
    (
        _LINE.format("x = x + self.pe[:x.size(0)]", "RuntimeError: " + ONE_AXIS.format(90, 80, 0)),
        "steps",
        "x = x[:80]",
    ),
    *(
        (_LINE.format(line, "RuntimeError: " + ONE_AXIS.format(90, 80, 1)), code, changed)
        for line, code, changed in (
            (
                "x = x + self.shape",
                "broadcast",
                "# x and self.shape must have the same size along axis 1, or one of them the size 1",
            ),
            ("x = self.pe + x", "steps", "x = self.pe[..., :x.size(1), :] + x"),
            ("x = x + self.pe[:, :x.size(0)]", "broadcast", "x = x + self.pe[:, :x.size(1)]"),
        )
    ),
    (
        # Not the first call of torch, but the one that makes a tensor of the list.
        "h = torch.zeros(3)\nx = torch.tensor(parts)\nValueError: only one element tensors can be converted to Python scalars",
        "one-number",
        "x = torch.stack(list(parts))",
    ),
    (
        _LINE.format(
            "batch = torch.tensor(rows)", "ValueError: only one element tensors can be converted to Python scalars"
        ),
        "one-number",
        "batch = torch.stack(list(rows))",
    ),
    (_LINE.format("for x, y in loader:", _TWO), "unbatched", "for x, *_, y in loader:"),
    (
        _LINE.format("b, t, f = frames.shape", "ValueError: not enough values to unpack (expected 3, got 2)"),
        "unbatched",
        "frames = frames[..., None]",
    ),
    (
        _LINE.format("b, t, f = frames.size()", "ValueError: too many values to unpack (expected 3)"),
        "unbatched",
        "frames = frames.reshape(*frames.shape[:2], -1)",
    ),
    (
        _LINE.format(
            "y = torch.cat(parts, dim=0)", "RuntimeError: Tensors must have same number of dimensions: got 3 and 2"
        ),
        "unbatched",
        "parts = [one[..., 0] if one.dim() == 3 else one for one in parts]",
    ),
    (
        _LINE.format(
            "y = torch.cat(losses)", "RuntimeError: zero-dimensional tensor (at position 3) cannot be concatenated"
        ),
        "unbatched",
        "y = torch.cat([one.reshape(-1) for one in losses])",
    ),
    (
        _LINE.format("y = sc.inverse_transform(pred)", "ValueError: Found array with dim 3. None expected <= 2."),
        "scaler",
        "y = sc.inverse_transform(pred.reshape(-1, pred.shape[-1])).reshape(pred.shape)",
    ),
    (
        _LINE.format("total += out.item()", "ValueError: only one element tensors can be converted to Python scalars"),
        "one-number",
        "out = out.mean()",
    ),
    ("TypeError: only length-1 arrays can be converted to Python scalars", "one-number", "loss = loss.mean()"),
    ("It is single-label and not multi-label.\n" + _SEVERAL, "class-axis", "targets = targets.squeeze(1)"),
    (
        _LINE.format("loss = criterion(net(x), y)", _SEVERAL).replace("model.py", "/home/a/multilabel/train.py"),
        "class-axis",
        "loss = criterion(net(x), y.squeeze(1))",
    ),
    ("The labels are not one-hot.\n" + _SEVERAL, "class-axis", "targets = targets.squeeze(1)"),
    (
        "Loss.cu:271: block: [0,0,0], thread: [3,0,0] Assertion `t >= 0 && t < n_classes` failed.",
        "index-range",
        "nn.Linear(..., out_features=int(targets.max()) + 1)",
    ),
    (
        "ValueError: Wrong shape for input_ids (shape torch.Size([9])) or attention_mask (shape torch.Size([9]))",
        "unbatched",
        "input_ids, attention_mask = input_ids[None], attention_mask[None]",
    ),
    (
        "ValueError: Wrong shape for input_ids (shape torch.Size([4, 1, 9])) or attention_mask",
        "unbatched",
        "input_ids, attention_mask = input_ids.squeeze(1), attention_mask.squeeze(1)",
    ),
    (
        "ValueError: Unable to create tensor, you should probably activate truncation and/or padding with 'padding=True'",
        "ragged",
        'inputs = tokenizer(texts, padding=True, truncation=True, return_tensors="pt")',
    ),
    (
        "ValueError: y should be a 1d array, got an array of shape (70, 4) instead.",
        "class-targets",
        "y = y.argmax(axis=1)",
    ),
    (
        "ValueError: Length of values (180) does not match length of index (200)",
        "steps",
        "table = table.iloc[20:]",
    ),
    ("ValueError: Length of values (1) does not match length of index (2)", "steps", "table = table.iloc[1:]"),
    ("ValueError: Length of values (2) does not match length of index (1)", "steps", "prediction = prediction[:1]"),
    (
        "ValueError: x and y must have same first dimension, but have shapes (1,) and (3,)",
        "steps",
        "y = y[:1]",
    ),
    ("y_true and y_pred have different number of output (1!=3)", "broadcast", "Dense(1, ...)"),
    # Not the only node in the text, and the other one is no part of the message.
    (
        "dense/MatMul: (MatMul)\n" + MATMUL.format(600, 320, 600, "320,1200"),
        "shared-cell",
        "[LSTMCell(300) for _ in range(layers)]",
    ),
    (
        "ValueError: Length of values (210) does not match length of index (200)",
        "steps",
        "prediction = prediction[:200]",
    ),
    (
        "ValueError: x and y must have same first dimension, but have shapes (120,) and (110,)",
        "steps",
        "x = x[-110:]",
    ),
    (
        "ValueError: x and y must have same first dimension, but have shapes (120,) and (125, 1)",
        "steps",
        "y = y[:120]",
    ),
    (
        "gru = nn.GRU(6, 9, batch_first=True)\nx = torch.zeros(4, 8, 7, 6)\nout, h = gru(x)\n"
        "RuntimeError: input must have 3 dimensions, got 5",
        "unbatched",
        "x = x.flatten(0, 1)",
    ),
    (
        "---> 12     out, memory = self.gru(signal, memory)\nRuntimeError: Expected hidden size (1, 12, 40), got [3, 12, 40]",
        "layers-directions",
        "memory = memory[-1:]",
    ),
    (
        # Colab hides the frames between the line and the error.
        "---> 12 print(decode(x))\n3 frames\nRuntimeError: Expected hidden size (1, 12, 40), got [2, 12, 40]",
        "layers-directions",
        "h0 = torch.zeros(1, 12, 40)",
    ),
    (
        "def forward(self, tokens):\n    start = (z.float(), z.float())\n    out, start = self.rnn_dec(tokens, start)\n"
        "RuntimeError: For batched 3-D input, hx and cx should also be 3-D but got (2-D, 2-D) tensors",
        "unbatched",
        "start = (start[0].unsqueeze(0).repeat(self.rnn_dec.num_layers, 1, 1), start[1].unsqueeze(0).repeat(self.rnn_dec.num_layers, 1, 1))",
    ),
    (
        "torch.nn.functional.batch_norm(x, mean, var)\nRuntimeError: running_mean should contain 12 elements not 30",
        "hidden-size",
        "running_mean, running_var = x.mean((0, 2)), x.var((0, 2))",
    ),
    (
        "> Traceback (most recent call last):\n"
        '>   File "fit.py", line 7, in <module>\n'
        ">     out, hn = encoder(batch, first)\n"
        "> RuntimeError: Expected hidden size (1, 12, 40), got [2, 12, 40]",
        "layers-directions",
        "first = torch.zeros(1, batch.size(0 if encoder.batch_first else 1), 40)",
    ),
    (
        "m.add(LSTM(8, stateful=True))\nm.fit(x, y)\nm.evaluate(x, y, batch_size=4)\nExpected batch size: 4 - Received batch size: 3",
        "batch-size",
        "model.fit(x, y, batch_size=4)",
    ),
]

_MIX = "ValueError: Classification metrics can't handle a mix of {} targets"
_TRUE = "y_true = y_true.argmax(axis=1)   # one-hot targets as class indices"
_SCORES = "y_pred = y_pred.argmax(axis=1)   # the scores of all classes as the class of the largest"
_LABELS = "y_pred = (y_pred > 0.5).astype(int)   # if a sample may have several labels, as after a sigmoid"
_ONE_CLASS = "y_true, y_pred = y_true.argmax(axis=1), y_pred.argmax(axis=1)   # if it has one class, as after a softmax"
_PROBABILITY = "y_pred = (y_pred > 0.5).astype(int).ravel()   # a probability as a class"

# The lines of a text in full.
_ONE_STATE = """IndexError: Exception encountered when calling LSTM.call().

list index out of range

Arguments received by LSTM.call():
  • sequences=tf.Tensor(shape=(None, 4, 9), dtype=float32)
  • initial_state=['tf.Tensor(shape=(None, 36), dtype=float32)']"""
_TWO_DIRECTIONS = """ValueError: Exception encountered when calling GRUCell.call().

Dimensions must be equal, but are 80 and 40 for '{{node m/gru/gru_cell/MatMul_1}} = MatMul[T=DT_FLOAT]' with input shapes: [?,80], [40,120].

Arguments received by GRUCell.call():
  • inputs=tf.Tensor(shape=(None, 12), dtype=float32)
  • states=('tf.Tensor(shape=(None, 80), dtype=float32)',)"""

ALL_LINES = [
    # The pooling alone gets another padding, and sequences of other lengths may be no windows.
    (
        '  File "net.py", line 9, in <module>\n    z = layers.MaxPooling1D(6)(layers.Conv1D(5, 2)(z))\n'
        "ValueError: Computed output size would be zero or negative. Received: `inputs.shape=(None, 4, 5)`, `pool_size=(6,)`",
        'layers.Conv1D(..., padding="same")   # each convolution before it, which keeps the steps so\n'
        "z = layers.MaxPooling1D(6, padding='same')(layers.Conv1D(5, 2)(z))   # or a pooling that takes a last window of fewer steps",
    ),
    (
        '  File "net.py", line 9, in <module>\n    X, Y = np.array(xs), np.array(ys)\n'
        "ValueError: setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions.",
        "xs, ys = zip(*[one for one in zip(xs, ys) if len(one[0]) == len(xs[0]) and len(one[1]) == len(ys[0])])"
        "   # before this line: without the shorter windows at the end of the series\n"
        "xs = [[*one, *[0] * (max(map(len, xs)) - len(one))] for one in xs]   # if each step is one number; padded with 0\n"
        "xs = [np.pad(one, ((0, max(map(len, xs)) - len(one)), (0, 0))) for one in xs]   # if each step has several features",
    ),
    (
        _ONE_STATE,
        "GRU(36, ...)   # in place of this LSTM, if the state is that of a GRU, which has no c\n"
        "output = layer(x, initial_state=[state, keras.ops.zeros_like(state)])   # or h, and zeros for c",
    ),
    (
        _TWO_DIRECTIONS,
        "GRU(80, ...)   # if its initial state is that of another layer, or of both its directions\n"
        "output = layer(x)   # without initial_state, if it starts anew: the layer makes a state of zeros",
    ),
    (_MIX.format("binary and continuous"), _PROBABILITY),
    (_MIX.format("binary and continuous-multioutput"), _SCORES),
    (
        _MIX.format("binary and multilabel-indicator"),
        "y_pred = y_pred.argmax(axis=1)   # one-hot targets as class indices",
    ),
    (
        _MIX.format("multiclass and continuous"),
        "y_pred = np.rint(y_pred).astype(int).ravel()   # a predicted number as the nearest class",
    ),
    (_MIX.format("multiclass and continuous-multioutput"), _SCORES),
    (_MIX.format("multilabel-indicator and binary"), _TRUE),
    (_MIX.format("multilabel-indicator and multiclass"), _TRUE),
    (_MIX.format("multilabel-indicator and continuous"), f"{_TRUE}\n{_PROBABILITY}"),
    (_MIX.format("multilabel-indicator and continuous-multioutput"), f"{_LABELS}\n{_ONE_CLASS}"),
    (
        "model.add(Dense(7, activation='softmax'))\n" + _MIX.format("multilabel-indicator and continuous-multioutput"),
        f"{_ONE_CLASS}\n{_LABELS}",
    ),
    (
        "model.add(Dense(7, activation='sigmoid'))\nmodel.compile(loss='binary_crossentropy')\n"
        + _MIX.format("multilabel-indicator and continuous-multioutput"),
        f"{_LABELS}\n{_ONE_CLASS}",
    ),
    (_MIX.format("continuous and binary"), "y_true = (y_true > 0.5).astype(int).ravel()   # a probability as a class"),
    (_MIX.format("multiclass and unknown"), "# compare class indices with class indices"),
    (
        "ValueError: cannot reshape array of size 6000 into shape (1000,20,6)",
        "x = x.reshape(-1, 20, 6)   # if all other sizes are right: 50 along the first axis\n"
        "x = np.lib.stride_tricks.sliding_window_view(x, 20, axis=0).swapaxes(1, 2)   # windows that overlap",
    ),
    (
        "logits are (8, 12, 300)\nRuntimeError: Expected target size [8, 300], got [8, 20]",
        "logits = logits.transpose(1, 2)\ntargets = targets[:, :12]   # and the 12 steps of the logits",
    ),
    (
        "logits are (8, 20, 300)\nRuntimeError: Expected target size [8, 300], got [8, 20]",
        "logits = logits.transpose(1, 2)",
    ),
    (
        "m.add(Bidirectional(GRU(40)))\nm.add(Dense(n_steps))\n" + _TARGET.format(2, "(90, 12, 5)"),
        "Bidirectional(GRU(40, return_sequences=True))   # the last recurrent layer\n"
        "Dense(5)   # and the last layer: an output for each column of the targets",
    ),
]

# Messages without a program: old versions of Keras, TensorFlow, and quotations.
_CARDINALITY = (
    "Data cardinality is ambiguous. Make sure all arrays contain the same number of samples.'x' sizes: {} 'y' sizes: {}"
)
_SAME_SHAPE = "ValueError: all input arrays must have the same shape"
_ONE_INPUT = (
    "ValueError: Error when checking input: expected lstm_3_input to have 3 dimensions, but got array with shape {}"
)
_TWO_AXES = "ValueError: Input 0 is incompatible with layer lstm_4: expected ndim=3, found ndim=2"
FIRST_LINES += [
    ("Layer 'dense_2' expects 1 input(s), but it received 3 input tensors.", "state-tuple", "x = x[0]"),
    (
        "A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. Received: input_shape=[(3, 4), (2, 4)]",
        "concatenate-axis",
        "# all that is concatenated must have the same batch",
    ),
    (
        'net = nn.Sequential(nn.Linear(4, 8), nn.GRU(8, 3))\nFile "a.py", line 2, in <module>\n    y = net(x)\n'
        "RuntimeError: input.size(-1) must be equal to input_size. Expected 8, got 20",
        "input-size",
        "nn.GRU(20, ...)",
    ),
    (
        'File "a.py", line 2, in <module>\n    y = net(x)\nFile "site-packages/torch/nn/modules/container.py", line 5, in forward\n'
        "    input = module(input)\nRuntimeError: input.size(-1) must be equal to input_size. Expected 8, got 20",
        "input-size",
        "nn.LSTM(20, ...)",
    ),
    (
        'File "a.py", line 2, in <module>\n    energy = W(torch.cat((a, b), dim=2))\n'
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (576x192 and 128x1)",
        "hidden-size",
        "W = nn.Linear(192, 1)",
    ),
    ("shape '[64, 30]' is invalid for input of size 61440", "reshape", "x = x.reshape(-1, 64, 30)"),
    (
        "shape '[-1, 6, 50]' is invalid for input of size 1550",
        "reshape",
        "x = x.reshape(-1)[:1500].reshape(-1, 6, 50)",
    ),
    ("cannot reshape array of size 9 into shape (1,10,1)", "reshape", "x = x.reshape(1, -1, 1)"),
    (
        "GpuReshape: cannot reshape input of shape (640, 512) to shape (21, 30, 512).",
        "reshape",
        "x = x.reshape(-1, 512)",
    ),
    (
        "Shape must be rank 1 but is rank 2 for 'decoder/concat' (op: 'ConcatV2') with input shapes: [32], [32,80], [].",
        "unbatched",
        "a = tf.expand_dims(a, -1)",
    ),
    (
        f"X = np.stack([track[t:t + span] for t in range(0, len(track), 4)])\n{_SAME_SHAPE}",
        "ragged",
        "X = np.stack([track[t:t + span] for t in range(0, len(track) - span + 1, 4)])",
    ),
    (
        "X = np.array([track[t:t + 8] for t in range(len(track))])\nValueError: setting an array element with a sequence.",
        "ragged",
        "X = np.array([track[t:t + 8] for t in range(len(track) - 8 + 1)])",
    ),
    (
        'File "a.py", line 9, in <module>\n    X = torch.stack([track[t:t + 8] for t in range(90)])\n'
        "RuntimeError: stack expects each tensor to be equal size, but got [8, 2] at entry 0 and [7, 2] at entry 83",
        "ragged",
        "X = torch.stack([track[t:t + 8] for t in range(len(track) - 8 + 1)])",
    ),
    (
        "stack expects each tensor to be equal size, but got [900, 2] at entry 0 and [900] at entry 3",
        "unbatched",
        "x = x[..., 0] if x.ndim == 2 else x",
    ),
    (
        "stack expects each tensor to be equal size, but got [40] at entry 0 and [1, 40] at entry 3",
        "unbatched",
        "x = x[None] if x.ndim == 1 else x",
    ),
    (
        "rows = np.concatenate((frames, blank))\n"
        "ValueError: all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, "
        "the array at index 0 has size 40 and the array at index 1 has size 52",
        "concatenate-axis",
        "blank = blank[:, :40]",
    ),
    (
        "table = np.vstack([days, today])\nValueError: all the input arrays must have same number of dimensions, "
        "but the array at index 0 has 3 dimension(s) and the array at index 1 has 2 dimension(s)",
        "unbatched",
        "today = today[None]",
    ),
    (
        "m.add(Conv2D(8, 3, input_shape=(n, n, 1)))\nm.add(Flatten())\nm.add(GRU(60))\n" + _TWO_AXES,
        "flattened",
        "layers.Reshape((-1, features))",
    ),
    (
        "m.add(Dense(8, input_shape=(3,)))\nm.add(GRU(60))\nValueError  Traceback (most recent call last)\n----> 2 m.add(GRU(60))\n"
        + _TWO_AXES,
        "unbatched",
        "input_shape=(None, features)",
    ),
    (
        "The clips have different lengths.\n" + _ONE_INPUT.format("(88, 1)"),
        "ragged",
        'x = keras.utils.pad_sequences(x, dtype="float32", padding="post")',
    ),
    (
        "x = np.array([[ # one\n[1, 0], # a\n[0, 1]], [[1, 0]]])\n" + _ONE_INPUT.format("(2, 1)"),
        "ragged",
        'x = keras.utils.pad_sequences(x, dtype="float32", padding="post")',
    ),
    (
        "width = 24\nclip = Input(shape=(None, width))\n" + _ONE_INPUT.format("(9, 24)"),
        "unbatched",
        "x = x[None]",
    ),
    (
        'File "a.py", line 9, in <module>\n    y = self.gru(x)\nRuntimeError: input.size(-1) must be equal to input_size. Expected 64, got 256',
        "input-size",
        "self.gru = nn.GRU(256, ...)",
    ),
    (
        "packed = pack_padded_sequence(x, n, batch_first=True)\nRuntimeError: start (0) + length (30) exceeds dimension size (12).",
        "lengths",
        "n = torch.as_tensor(n).clamp(max=12)",
    ),
    (
        "picked = torch.gather(scores, 1, words)\nindex 500 is out of bounds for dimension 1 with size 500",
        "index-range",
        "nn.Linear(..., out_features=501)",
    ),
    (
        "Cannot assign value to variable: Shape mismatch.The variable shape (64,), and the assigned value shape (128,) are incompatible.",
        "checkpoint",
        "bias = bias.reshape(2, -1).sum(0)",
    ),
    (
        "i, f, g, o = np.split(gates, 4)\nValueError: array split does not result in an equal division",
        "split",
        "i, f, g, o = np.split(gates, 4, axis=-1)",
    ),
    (
        AXIS.format("clip", 1, 40, 900),
        "steps",
        'torch.onnx.export(..., dynamic_axes={"clip": {1: "size"}})',
    ),
    ("Invalid rank for input: lstm_state Got: 4 Expected: 3", "unbatched", "h0 = h0.reshape(1, -1, h0.shape[-1])"),
    (
        "BATCH = 16\nflat = out.view(BATCH, -1)\nscores = fc(flat)\nmat1 and mat2 shapes cannot be multiplied (16x90 and 120x3)",
        "batch-size",
        "flat = out.reshape(out.size(0), -1)",
    ),
    (
        "s = score.masked_fill(pad, 0)\nThe size of tensor a (12) must match the size of tensor b (10) at non-singleton dimension 1",
        "steps",
        "pad = pad[..., :10]",
    ),
    (
        'File "a.py", line 9, in <module>\n    energy = state.dot(query)\nRuntimeError: 1D tensors expected, but got 2D and 2D tensors',
        "unbatched",
        "energy = (state * query).sum(-1)",
    ),
    (
        "A `Concatenate` layer requires inputs with matching shapes except for the concat axis. Got inputs shapes: [(None, 9, 30), (None, 14, 20)]",
        "concatenate-axis",
        "layers.Concatenate(axis=1)([h, layers.Dense(30)(x)])",
    ),
    (
        "expected ndim=5, found ndim=4. Full shape received: (None, None, None, None)",
        "unbatched",
        "x = x[:, None]",
    ),
    (
        "expected ndim=3, found ndim=5. Full shape received: (None, 9, 4, 4, 6)",
        "unbatched",
        "x = layers.TimeDistributed(layers.Flatten())(x)",
    ),
    (
        "loss = crit(out, labels)\nUsing a target size (torch.Size([9, 1])) that is different to the input size (torch.Size([9, 4])) is deprecated",
        "class-axis",
        "loss = crit(out, torch.nn.functional.one_hot(labels.squeeze(-1).long(), 4).float())",
    ),
]
RANKED += [
    (_CARDINALITY.format("4, 4, 4, 4, 4", 5), ["inputs"]),
    (_CARDINALITY.format("4, 7, 5", 3), ["ragged"]),
    (_CARDINALITY.format("40, 35", 40), ["batch-size"]),
    (
        "Exception: If a RNN is stateful, a complete input_shape must be provided (including batch size).",
        ["batch-size"],
    ),
    (
        "Cannot batch tensors with different shapes in component 0. First element had shape [3] and element 1 had shape [4].",
        ["ragged"],
    ),
    ("Index out of range using input dim 2; input has only 2 dims [Op:StridedSlice]", ["indexing"]),
    (
        "> ValueError: Number of ways to split should evenly divide\n> the split dimension, but got split_dim 1 (size = 18) and num_split 4",
        ["split"],
    ),
    ("> transpose expects a vector of size 2.\n> But input(1) is a vector of size 3 [Op:Transpose]", ["indexing"]),
    (
        "pred = scaler.inverse_transform(model.predict(x))\nnon-broadcastable output operand with shape (90,1) doesnt match the broadcast shape (90,6)",
        ["scaler"],
    ),
]

RANKED += keras_messages.RANKED + pytorch_messages.RANKED + thread_messages.RANKED + rare_messages.RANKED
FIRST_LINES += (
    keras_messages.FIRST_LINES + keras_runs.FIRST_LINES + keras_lines.FIRST_LINES + keras_programs.FIRST_LINES
)
FIRST_LINES += (
    pytorch_frames.FIRST_LINES
    + pytorch_lines.FIRST_LINES
    + pytorch_messages.FIRST_LINES
    + thread_messages.FIRST_LINES
    + rare_messages.FIRST_LINES
)

RANKED += [
    (
        '  File "net.py", line 9, in step\n    z = np.stack([h, word])\nValueError: all input arrays must have the same shape',
        ["concatenate-axis"],
    ),
    (
        '  File "net.py", line 9, in step\n    y = Why @ x + by\n' + INNER.format(9, 40),
        ["inner-dimension", "transpose"],
    ),
    (
        '  File "net.py", line 9, in backward\n    dU += draw.T @ h\n'
        "ValueError: operands could not be broadcast together with shapes (12,12) (5,5) (12,12)",
        ["transpose", "broadcast"],
    ),
    ("ValueError: All arrays must be of the same length", ["steps"]),
    (
        '  File "net.py", line 9, in forward\n    hs[:, t] = h\n'
        "ValueError: could not broadcast input array from shape (6,11) into shape (6,4)",
        ["indexing", "broadcast"],
    ),
    (
        '  File "net.py", line 9, in __call__\n    return self.head(h)\n'
        '  File "site-packages/flax/nnx/nn/linear.py", line 4, in __call__\n    y = self.dot_general(\n' + DOT,
        ["input-size"],
    ),
]

MESSAGES = [
    *(message for message, *_ in FIRST_LINES),
    *(message for message, _ in ALL_LINES),
    *(row["message"] for rows in SEEN.values() for row in rows),
    *(row[name] for row in RUN for name in ("message", "traceback")),
    *(message for message, *_ in THREADS),
    *(message for message, _ in RANKED),
    *(array_lines.pasted(line, error, above) for above, line, error, *_ in array_lines.LINES),
]

# Layers and their inputs, x, h0, c0 and the linear layer, with the codes of the causes, the best first.
CHOSEN = [
    ({}, [(5,)], ["unbatched"]),
    ({"framework": "Keras"}, [(5, 10)], ["unbatched"]),
    ({"framework": "NumPy", "cell": "RNN"}, [(5, 10, 3)], ["unbatched"]),
    ({}, [(5, 3, 20)], ["input-size", "swapped-arguments"]),
    ({}, [(5, 10, 3)], ["transpose", "input-size"]),
    ({"framework": "NumPy", "cell": "RNN"}, [(3, 10)], ["transpose", "input-size"]),
    ({"cell": "GRU"}, [(5, 3, 10), (1, 3, 20), (1, 3, 20)], ["state-tuple"]),
    ({}, [(5, 3, 10), (1, 3, 20)], ["state-tuple"]),
    ({"framework": "Keras", "cell": "GRU"}, [(3, 5, 10), (1, 3, 20)], ["unbatched"]),
    ({"framework": "Keras", "cell": "GRU"}, [(3, 5, 10), (20, 3)], ["transpose", "batch-size", "hidden-size"]),
    ({"framework": "NumPy", "cell": "RNN"}, [(10, 3), (3, 20)], ["transpose", "hidden-size", "batch-size"]),
    ({}, [(5, 3, 10), None, None, (10, 2)], ["hidden-size"]),
    ({}, [(5, 3, 10), None, None, (40, 2)], ["hidden-size"]),
    ({}, [(5, 3, 10), None, None, (4, 2)], ["hidden-size"]),
    ({}, [(5, 3, 10), None, None, (100, 2)], ["hidden-size"]),
    ({}, [(5, 3, 10), None, None, (7, 2)], ["hidden-size"]),
    ({"proj_size": 6}, [(5, 3, 10), None, None, (20, 2)], ["hidden-size"]),
]


def ranking(message: str) -> str:
    """Return the causes of a message, such as ``a = b > c`` if a and b fit equally well, and better than c."""
    equal = groupby(explain(message).causes, key=lambda cause: cause.fit)
    return " > ".join(" = ".join(cause.code for cause in causes) for _, causes in equal)
