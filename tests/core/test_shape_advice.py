"""Every advised line is one that runs where it is put: against what PyTorch made of it, and by running those of NumPy here."""

import json
import re
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.shapes import MISTAKES, Explanation, GivenSizes, LayerSizes, check, explain
from core.shapes.message_patterns import PATTERNS
from core.shapes.messages import _pattern, read
from tests.core import advice
from tests.core.array_programs import MADE
from tests.core.golden.shape_programs import PROGRAMS

GOLDEN = Path(__file__).parent / "golden"
SEEN = {
    library: json.loads((GOLDEN / f"shapes_{library}.json").read_text())
    for library in ("pytorch", "numpy", "keras", "jax", "onnx")
}
ADVISED = {
    (row["message"], row["code"], row["line"]): row for row in json.loads((GOLDEN / "shape_advice.json").read_text())
}
RUN = json.loads((GOLDEN / "shape_programs.json").read_text())

# Where the sizes tell what is wrong, and not which of two things must change: words behind a #, and no line.
ONLY_WORDS = {
    ("product_vector", "inner-dimension"): "the state of this size is another variable",
    ("product_batches", "batch-size"): "either batch may be the wrong one",
    ("dot", "inner-dimension"): "either of the two may be of the wrong size",
    ("concatenate", "concatenate-axis"): "of three axes, batch or steps differ",
    ("targets", "batch-size"): "either batch may be the wrong one",
    ("lengths", "batch-size"): "lengths that are missing can't be made",
    ("broadcast_axis", "batch-size"): "either batch may be the wrong one",
    ("einsum_label", "inner-dimension"): "one of the two letters is the wrong one",
    ("assign", "broadcast"): "the place or the value may be of the wrong size",
    ("ctc_targets", "lengths"): "targets that are missing can't be made",
    ("keys_and_values", "steps"): "the keys or the values may be the wrong ones",
    ("negative_length", "steps"): "the window or the series is the reader's",
    ("equation_letters", "unbatched"): "the letter of an axis is the reader's",
    ("mask_index", "indexing"): "the mask or the array may be the wrong one",
    ("list_empty", "list"): "what the list lacks can't be made",
    ("size_type", "hidden-size"): "the line that made the size is not known",
    ("collate_types", "list"): "a sample that is missing can't be made",
    ("none_element", "list"): "an entry that is missing can't be made",
    ("unpack_more", "unbatched"): "the value that is unpacked is not known",
    ("no_steps", "steps"): "steps that are missing can't be made",
    ("top", "index-range"): "k may be anything",
    ("selected", "index-range"): "the index may be the wrong one, or the array",
    ("from_end", "index-range"): "the index may be the wrong one, or the array",
    ("rank", "unbatched"): "whether x is one step or all of them is not known",
    ("broadcast_axis", "broadcast"): "what is put into a place has another size than the place",
    ("batch", "batch-first"): "how the loop takes a step is not known",
    ("indices", "indexing"): "whether the array is the last step already is not known",
}
# Wordings of PyTorch that its present version has no more, or has on a GPU alone.
FORMER = {
    "Expected index {index:shape} to be smaller than self {x:shape} apart from dimension {along:int} and to be smaller size than src {src:shape}",
    "Size does not match at dimension {axis:int} expected index {index:shape} to be smaller than src {x:shape} apart from dimension",
    "Size does not match at dimension {axis:int} expected index {index:shape} to be smaller than self {x:shape} apart from dimension",
    "Expected tensor {to:shape}, src {x:shape} and index {index:shape} to have the same size apart from dimension {along:int}",
    "the number of sizes provided must be greater or equal to the number of dimensions in the tensor",
    "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
    "index {got:int} out of range for tensor of size {shape:shape} at dimension {axis:int}",
    "RuntimeError: index out of range",
    "Expected dtype int64 for index",
    "t() expects a 2D tensor, but self is",
    "Expected 2 or 4 dimensions (got {got:int})",
    "Expected 2 or more dimensions (got {got:int})",
    "dimension specified as {axis:int} but tensor has no dimensions",
    "D tensors expected, got {got:some} tensors",
    "Expected argument self to have 1 dimension(s), but has",
    "input and target have different number of elements: input{expected:shape} has {x:int} elements, while target{got:shape}",
    "inconsistent tensor size at",
    "gather got an input of invalid size: got {got:dims}, but expected {expected:dims}",
    "result of slicing is an empty tensor",
    "Expected cell{which:some} size {expected:shape}, got {got:shape}",
    "Expected batch2_sizes[0] == bs && batch2_sizes[1] == contraction_size to be true, but got false",
    "argument 'sequences' (position 1) must be tuple of Tensors, not {given:word}",
    "Gather got an input of invalid size: got {got:shape}, but expected {expected:shape}",
    "Input tensor at index {at:int} has invalid shape {got:shape}, but expected {expected:shape}",
    "Assertion `t >= 0 && t < n_classes` failed",
    "Assertion `cur_target >= 0 && cur_target < n_classes",
    "Assertion `srcIndex < srcSelectDimSize` failed",
    "out of range: {got:int} out of {size:int}",
    "must be tuple of Tensors, but found element of type {given:word} at pos {at:int}",  # of some functions alone
    "start ({start:int}) + length ({length:int}) exceeds dimension size ({size:int})",  # of some lengths alone
    "Trying to resize storage that is not resizable",
    "lstm() received an invalid combination of arguments - got (Tensor, Tensor, list,",
    "gru() received an invalid combination of arguments - got (Tensor, tuple, list,",
    "rnn_tanh() received an invalid combination of arguments - got (Tensor, tuple, list,",
    "number of dims don't match in permute",
    "dimension out of range (expected to be in range of [-{least:int}, {most:int}], but got",
    "inconsistent tensor sizes at",
    "size '{got:shape}' is invalid for input with {size:int} elements",
    "Expected tensor to have size {wanted:int} at dimension {axis:int}, but got size {got:int} for argument #{at:int} 'batch2'",
    "size mismatch for {name:word}: copying a param of {got:shape} from checkpoint, where the shape is {expected:shape} in current model",
    'unexpected key "{names:word}" in state_dict',
    "missing keys in state_dict: {names:some}'}",
    "a and b must have same reduction dim, but got {left:shape} X {right:shape}",
    "input and target shapes do not match: input {expected:shape}, target {got:shape}",
    "Expected {allowed:int}-dimensional input for {rank:int}-dimensional weight {weight:some}, but got {got:int}-dimensional input of size {x:shape}",
    "length of all samples has to be greater than 0",
    "batch1 and batch2 must have same number of batches, got {left:int} and {right:int}",
    "wrong matrix size at",
    "RuntimeError: size mismatch at",
    "need more than 1 value to unpack",
    "matrices expected, got {got:some} tensors",
    "Tried to access index {got:int} out of table with {largest:int} rows",
    "target nelement ({got:int}) != input nelement ({x:int})",
    "array has to be sorted in decreasing order",
    "While copying the parameter named {name:word}, whose dimensions in the model are {expected:shape} and whose dimensions in the checkpoint are {got:shape}",
    "rnn: {which:word} is not contiguous",
    "input has inconsistent input_size: got {got:int}, expected {expected:int}",
    "input must have {allowed:int} dimensions, got {got:int}",
    "Expected {allowed:int}-dimensional tensor, but got {got:int}-dimensional tensor",
    ": Expected input to be {allowed:some} but received {got:int}-D tensor",
    "mat1 dim 1 must match mat2 dim 0",
    "size mismatch, m1: {left:shape}, m2: {right:shape}",
    "size mismatch, got {out:int}, {left:by},{right:int}",
    "Sizes of tensors must match except in dimension {joined:int}. Got {left:int} and {right:int} in dimension {axis:int}",
    "Sizes of tensors must match except in dimension {joined:int}. Got {left:int} and {right:int}",
}
# Wordings of libraries around PyTorch: torchaudio, pytorch-crf, transformers and torchmetrics.
AROUND_PYTORCH = {
    "input length mismatch",
    "output length mismatch",
    "the first two dimensions of emissions and {of:word} must match, got {expected:shape} and {got:shape}",
    "mask of the first timestep must all be on",
    "expected last dimension of emissions is {wanted:int}, got {got:int}",
    "emissions must have dimension of 3, got {got:int}",
    "Wrong shape for input_ids (shape {got:shape})",
    "Unable to create tensor, you should probably activate truncation and/or padding",
    "Expected `preds` and `target` to have the same shape, but got `preds` with shape={expected:shape} and `target` with shape={got:shape}",
    "Predictions and targets are expected to have the same shape, but got {expected:shape} and {got:shape}",
}
NOT_OF_PYTORCH = {
    "return-sequences": "an argument of Keras",
    "scaler": "a class of scikit-learn",
    "inputs": "a model of Keras",
    "symbolic": "a tensor of a model of Keras that is being built",
    "argument": "a layer of Keras, in another version",
}


def lines_of(explanation: Explanation) -> list[tuple[str, str]]:
    """Each advised line with the code of its cause."""
    return [(cause.code, line) for cause in explanation.causes for line in cause.change.splitlines()]


# ---- PyTorch: the record of what ran ---------------------------------------------------------


def test_the_record_has_every_line_that_is_advised_for_the_recorded_messages_and_no_other():
    """If this fails, run make_shape_advice.py again."""
    given = {
        (read(row["message"]).message, code, line)
        for row in SEEN["pytorch"]
        for code, line in lines_of(explain(row["message"]))
    }
    assert given == set(ADVISED)


def test_every_advised_line_of_pytorch_took_the_error_away_or_is_words():
    words = defaultdict(set)
    for (message, code, line), row in ADVISED.items():
        if advice.is_line(line):
            assert row["came"] == "ran", row
            assert "\n".join(advice.put(line, row["program"].split("\n"))) == row["put"]
        else:
            assert row["came"] == "words"
            words[read(message).kind, code].add(line)
    assert set(words) <= set(ONLY_WORDS)


def test_the_programs_have_the_true_cause_first_from_the_message_and_from_the_whole_traceback():
    assert [(row["truth"], row["program"]) for row in RUN] == [(truth.split(), text) for truth, text in PROGRAMS]
    for row in RUN:
        for text in (row["message"], row["traceback"]):
            assert explain(text).causes[0].code in row["truth"], (text, row["program"])


def test_of_the_lines_advised_for_a_program_one_made_it_give_what_was_meant():
    words = set()
    for row in RUN:
        for of_whole, text in ((False, row["message"]), (True, row["traceback"])):
            kept = [line for line in row["lines"] if line["of_whole"] == of_whole]
            best = [(cause.code, line) for cause in explain(text).best for line in cause.change.splitlines()]
            assert [(line["code"], line["line"]) for line in kept] == best
            of_truth = [line for line in kept if line["code"] in row["truth"]]
            if all(line["came"] == "words" for line in of_truth):
                words.add((read(text).kind, of_truth[0]["code"]))
            else:
                assert any(line["came"] == "ran" for line in of_truth), row
    assert words <= set(ONLY_WORDS)


def test_every_wording_of_pytorch_and_every_rule_was_run():
    texts = [" ".join(row["message"].split()) for row in [*SEEN["pytorch"], *RUN]]
    unmet = {
        pattern.text
        for pattern in PATTERNS
        if pattern.framework in ("PyTorch", "") and not any(_pattern(pattern.text).search(text) for text in texts)
    }
    assert unmet == FORMER | AROUND_PYTORCH
    ran = {row["code"] for row in ADVISED.values() if row["came"] == "ran"}
    ran |= {line["code"] for row in RUN for line in row["lines"] if line["came"] == "ran"}
    assert set(MISTAKES) - ran == set(NOT_OF_PYTORCH)


def test_no_exception_is_kept_that_nothing_needs():
    met = {
        (read(text).kind, code)
        for text in [row["message"] for row in [*SEEN["pytorch"], *RUN]]
        for code, line in lines_of(explain(text))
        if not advice.is_line(line)
    }
    assert met == set(ONLY_WORDS)


# ---- no layer is named that the text doesn't name --------------------------------------------


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_no_layer_is_named_that_a_traceback_does_not_name(number):
    row = RUN[number]
    of_program = set(re.findall(r"nn\.(LSTM|GRU|RNN)", row["program"]))
    for text in (row["message"], row["traceback"]):
        for cause in explain(text).causes:
            for line in cause.change.splitlines():
                named = set(re.findall(r"nn\.(LSTM|GRU|RNN)", line.partition("#")[0]))
                others = set(re.findall(r"LSTM|GRU|RNN", line.partition("#")[2]))
                assert not named or of_program & (named | others), (line, text)
                if named and not others:
                    assert named <= of_program, (line, text)


FRAME = 'File "site-packages/torch/nn/modules/rnn.py", line 329, in check_input raise RuntimeError( RuntimeError: '
FEATURES = "input.size(-1) must be equal to input_size. Expected 10, got 13"


@pytest.mark.parametrize(
    "before, made",
    [
        (FRAME, "nn.LSTM(13, ...)   # or GRU, RNN; input_size=13"),
        ("output = self.rnn(x) " + FRAME, "nn.LSTM(13, ...)   # or GRU, RNN; input_size=13"),
        ("output = self.gru(x) " + FRAME, "nn.GRU(13, ...)   # input_size=13"),
        ("output, _ = self.lstm(x) " + FRAME, "nn.LSTM(13, ...)   # input_size=13"),
        ("self.rnn = nn.GRU(10, 32) " + FRAME, "nn.GRU(13, ...)   # input_size=13"),
        (
            "File ~/lib/torch/nn/modules/rnn.py:1140, in LSTM.forward(self, input, hx) ",
            "nn.LSTM(13, ...)   # input_size=13",
        ),
        (
            'File "/home/lstm/gru.py", line 3, in forward ' + FRAME,
            "nn.LSTM(13, ...)   # or GRU, RNN; input_size=13",
        ),
    ],
)
def test_file_names_and_variables_named_rnn_name_no_layer(before, made):
    assert explain(before + FEATURES).causes[0].change == made


# ---- NumPy, and what NumPy can run of the others ---------------------------------------------

ARRAYS = {
    "np": np,
    "jnp": np,
    "tf": SimpleNamespace(
        zeros=np.zeros,
        concat=np.concatenate,
        broadcast_to=np.broadcast_to,
        Variable=np.asarray,
        random=SimpleNamespace(normal=np.ones),
    ),
}
# Not run: these lines call the framework, and no test here has it.
NOT_RUN = {
    ("NumPy", "stack_none", "ragged"): "pads sequences that the reader has",
    ("Keras", "rank", "return-sequences"): "makes a layer of Keras",
    ("Keras", "rank", "unbatched"): "reshapes data to sizes that the reader knows",
    ("Keras", "features", "hidden-size"): "makes a layer of Keras",
    ("Keras", "features", "input-size"): "makes an input of Keras",
    ("Keras", "dimensions", "input-size"): "makes an input of Keras",
    ("Keras", "dimensions", "shared-cell"): "makes cells of Keras",
    ("Keras", "product", "input-size"): "makes an input of Keras",
    ("Keras", "product", "shared-cell"): "makes cells of Keras",
    ("Keras", "product", "hidden-size"): "makes a state for a layer of Keras",
    ("Keras", "expected_shape", "unbatched"): "reshapes data to sizes that the reader knows",
    ("Keras", "concatenate_layer", "concatenate-axis"): "makes a layer of Keras",
    ("Keras", "concatenate_layer", "steps"): "makes a layer of Keras",
    ("Keras", "sum_of_layers", "broadcast"): "makes a layer of Keras",
    ("Keras", "set_weights", "checkpoint"): "makes a layer of Keras",
    ("Keras", "pair", "state-tuple"): "calls a layer of Keras",
    ("Keras", "broadcast", "batch-size"): "makes a state for a layer of Keras",
    ("Keras", "stateful", "batch-first"): "changes data before a call of Keras",
    ("Keras", "stateful", "batch-size"): "calls a model of Keras",
    ("JAX", "carry", "hidden-size"): "makes a state for a scan of JAX",
    ("JAX", "carry", "unbatched"): "makes a state for a scan of JAX",
    ("JAX", "pair", "state-tuple"): "ends the step of a scan of JAX",
    ("JAX", "parameter", "hidden-size"): "makes a state for a cell of Flax",
    ("JAX", "parameter", "checkpoint"): "an argument of Flax",
    ("JAX", "parameter", "input-size"): "makes the parameters of Flax",
    ("JAX", "parameter", "shared-cell"): "makes cells of Flax",
    ("PyTorch", "pair", "state-tuple"): "calls a layer of PyTorch, and is run with it",
    ("", "unpack", "state-tuple"): "calls a layer of PyTorch, and is run with it",
    ("ONNX Runtime", "onnx_state", "batch-size"): "makes an input of ONNX Runtime",
    ("ONNX Runtime", "onnx_state", "hidden-size"): "makes an input of ONNX Runtime",
    ("ONNX Runtime", "onnx_state", "layers-directions"): "makes an input of ONNX Runtime",
    ("ONNX Runtime", "axis_of", "batch-size"): "exports a model for ONNX Runtime",
    ("ONNX Runtime", "rank", "unbatched"): "changes an input of ONNX Runtime",
    ("ONNX Runtime", "two_axes", "batch-first"): "changes an input of ONNX Runtime",
}


def outcomes(line: str, programs: list[list[str]]) -> list[str]:
    """What a line makes of each program; an empty string where it runs."""
    came = []
    for program in programs:
        try:
            advice.run(advice.put(line, program), ARRAYS, lambda value: isinstance(value, np.ndarray))
            came.append("")
        except Exception as error:  # whatever NumPy raises
            came.append(f"{type(error).__name__}: {error}")
    return came


@pytest.mark.parametrize("library", ["numpy", "keras", "jax", "onnx"])
def test_every_advised_line_about_arrays_takes_the_error_away(library):
    ran, not_run = 0, set()
    for row in SEEN[library]:
        reading = read(row["message"])
        for cause in explain(row["message"]).causes:
            key = (reading.framework, reading.kind, cause.code)
            for line in filter(advice.is_line, cause.change.splitlines()):
                if key in NOT_RUN:
                    not_run.add(key)
                    continue
                failing = [one for one in MADE[reading.kind](reading, cause) if raises(one, library, row["message"])]
                came = outcomes(line, failing)
                assert "" in came, (cause.code, line, row["message"], came)
                ran += 1
    frameworks = {read(row["message"]).framework for row in SEEN[library]}
    assert not_run == {key for key in NOT_RUN if key[0] in frameworks}
    # A file whose lines are all exceptions would show nothing; ONNX Runtime takes no array code.
    assert ran >= {"numpy": 300, "keras": 30, "jax": 15, "onnx": 0}[library]


@pytest.mark.parametrize(
    "line, names, message, shape",
    [
        (
            "windows = series.reshape(-1, 24, 2)",
            {"series": np.zeros((500, 2))},
            "cannot reshape array of size 1000 into shape (24,2)",
            (20, 24, 2),
        ),
        (
            "c = z * c",
            {"z": np.zeros((256, 1)), "c": np.zeros((64, 1))},
            "operands could not be broadcast together with shapes (256,1) (64,1)",
            (64, 1),
        ),
        (
            "dW = np.dot(dz, x)",
            {"dz": np.zeros(32), "x": np.zeros(10)},
            "shapes (32,) and (10,) not aligned: 32 (dim 0) != 10 (dim 0)",
            (32, 10),
        ),
        (
            "dh = np.dot(Why, dy)",
            {"Why": np.zeros((65, 100)), "dy": np.zeros((65, 1))},
            "shapes (65,100) and (65,1) not aligned: 100 (dim 1) != 65 (dim 0)",
            (100, 1),
        ),
        (
            "z = np.array([h, x])",
            {"h": np.zeros(8), "x": np.zeros(3)},
            "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. "
            "The detected shape was (2,) + inhomogeneous part.",
            (11,),
        ),
        (
            "batch = np.array(words)",
            {"words": [[1, 2, 3], [4], [5, 6]]},
            "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. "
            "The detected shape was (3,) + inhomogeneous part.",
            (3, 3),
        ),
        (
            "batch = np.array(walks)",
            {"walks": [np.zeros((3, 2)), np.zeros((5, 2))]},
            "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. "
            "The detected shape was (2,) + inhomogeneous part.",
            (2, 5, 2),
        ),
        (
            "z = np.vstack([h, x])",
            {"h": np.zeros(8), "x": np.zeros(3)},
            "all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, "
            "the array at index 0 has size 8 and the array at index 1 has size 3",
            (11,),
        ),
        (
            "batch = np.vstack(words)",
            {"words": [np.ones(5), np.ones(7), np.ones(3)]},
            "all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, "
            "the array at index 0 has size 5 and the array at index 1 has size 7",
            (3, 7),
        ),
        (
            "f = Wf @ concat",
            {"Wf": np.zeros((16, 16)), "concat": np.zeros(21)},
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) "
            "(size 21 is different from 16)",
            (16,),
        ),
        (
            "batch = np.stack(walks)",
            {"walks": [np.zeros((3, 2)), np.zeros((5, 2))]},
            "all input arrays must have the same shape",
            (2, 5, 2),
        ),
        (
            "z = W @ x + U @ h",
            {"W": np.zeros((128, 10)), "x": np.zeros(10), "U": np.zeros((32, 32)), "h": np.zeros(32)},
            "operands could not be broadcast together with shapes (128,) (32,) ",
            (128,),
        ),
        (
            "z = x @ W + h @ U",
            {"W": np.zeros((10, 96)), "x": np.zeros((5, 10)), "U": np.zeros((32, 32)), "h": np.zeros((5, 32))},
            "operands could not be broadcast together with shapes (5,96) (5,32) ",
            (5, 96),
        ),
    ],
)
def test_a_line_in_the_readers_names_takes_the_error_away(line, names, message, shape):
    with pytest.raises(ValueError, match=re.escape(message[:40])):
        exec(line, {"np": np, **names})
    cause = explain(f'  File "net.py", line 3, in <module>\n    {line}\nValueError: {message}').causes[0]
    target, shapes = line.partition(" = ")[0], []
    for own in cause.own.splitlines():
        here = {"np": np, **names}
        try:
            exec(own, here)
            if not own.startswith(target + " = "):  # the line stands before the reader's
                exec(line, here)
        except ValueError:
            continue
        shapes.append(here[target].shape)
    assert shape in shapes, cause.own


@pytest.mark.parametrize(
    "code, message, comment",
    [
        ("z = a @ Wh + bh", "operands could not be broadcast together with shapes (8,64) (32,)", "if bh is a bias or a state"),
        ("scores = W @ keys", "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
         "(n?,k),(k,m?)->(n?,m?) (size 8 is different from 10)", "if W has 8 rows"),
        ("z = np.concatenate([state, word])", "all the input array dimensions except for the concatenation axis must match exactly, "
         "but along dimension 1, the array at index 0 has size 1 and the array at index 1 has size 10", "if state comes first"),
    ],
)  # fmt: skip
def test_the_comment_of_a_line_has_the_readers_names(code, message, comment):
    causes = explain(f'  File "net.py", line 3, in <module>\n    {code}\nValueError: {message}').causes
    assert any(comment in cause.own for cause in causes), [cause.own for cause in causes]


def test_the_gates_are_split_in_the_other_number():
    line, here = "i, f, o = np.split(z, 3, axis=1)", {"np": np, "z": np.zeros((2, 64))}
    with pytest.raises(ValueError) as raised:
        exec(line, here)
    cause = explain(f'  File "net.py", line 3, in <module>\n    {line}\nValueError: {raised.value}').causes[0]
    exec(cause.own, here)
    assert here["o"].shape == (2, 16)


def test_outputs_of_a_batch_are_made_with_its_axis():
    line, here = "hs[t] = h", {"np": np, "hs": np.zeros((10, 16)), "h": np.ones((3, 16)), "t": 0}
    with pytest.raises(ValueError) as raised:
        exec(line, here)
    cause = explain(f'  File "net.py", line 3, in <module>\n    {line}\nValueError: {raised.value}').causes[0]
    exec(f"{cause.own}\n{line}", here)
    assert here["hs"].shape == (10, 3, 16) and here["hs"][0].all()


def test_windows_drop_what_is_left_over_where_numpy_hides_the_open_axis():
    x = np.arange(1000.0)
    with pytest.raises(ValueError) as raised:
        x.reshape(-1, 30, 1)
    here = {"x": x}
    exec(explain(str(raised.value)).causes[0].change.splitlines()[0], here)
    assert here["x"].shape == (33, 30, 1)


def test_the_gradient_of_weights_is_an_outer_product():
    line, here = "dW += np.dot(dz, h)", {"np": np, "dW": np.zeros((4, 4)), "dz": np.ones((4, 1)), "h": np.ones((4, 1))}
    with pytest.raises(ValueError) as raised:
        exec(line, here)
    exec(explain(f'  File "net.py", line 3, in <module>\n    {line}\nValueError: {raised.value}').causes[0].own, here)
    np.testing.assert_array_equal(here["dW"], np.ones((4, 4)))


def test_a_bias_column_becomes_a_vector_before_the_line_that_stores_the_sum():
    line, here = "hs[1] = z + bias", {"np": np, "hs": np.zeros((3, 4)), "z": np.ones(4), "bias": np.ones((4, 1))}
    with pytest.raises(ValueError) as raised:
        exec(line, here)
    cause = explain(f'  File "net.py", line 3, in <module>\n    {line}\nValueError: {raised.value}').causes[0]
    exec(f"{cause.own}\n{line}", here)
    np.testing.assert_array_equal(here["hs"][1], np.full(4, 2.0))


def test_one_sample_as_features_and_steps_is_turned_and_gets_its_batch():
    cause = explain("Input 0 is incompatible with the layer: expected shape=(None, 10, 3), found shape=(3, 10)").causes[
        0
    ]
    here = {"x": np.zeros((3, 10))}
    exec(cause.change, here)
    assert here["x"].shape == (1, 10, 3)


def test_an_array_that_is_printed_is_the_input_of_the_model_and_not_of_print():
    message = "ValueError: Input 0 is incompatible with the layer: expected shape=(None, 10, 3), found shape=(10, 3)"
    cause = explain(f'  File "net.py", line 3, in <module>\n    print(model.predict(X[0]))\n{message}').causes[0]
    assert cause.own == "print(model.predict(X[0][None]))   # one sample"


@pytest.mark.parametrize(
    "a, b, line, result",
    [
        ((4,), (4, 1), "b = b.reshape(-1)", (4,)),
        ((4, 1), (4, 3), "b = b.sum((1,), keepdims=True)", (4, 1)),
        ((1, 4), (3, 4), "b = b.sum((0,), keepdims=True)", (1, 4)),
        ((2, 1, 1), (2, 5, 4), "b = b.sum((1, 2), keepdims=True)", (2, 1, 1)),
    ],
)
def test_the_line_before_a_sum_in_place_keeps_the_shape_of_the_sum(a, b, line, result):
    a, b = np.zeros(a), np.zeros(b)
    with pytest.raises(ValueError) as raised:
        a += b
    advised = explain(str(raised.value)).causes[0].change.splitlines()[0]
    assert advised.partition("   # ")[0] == line
    a += eval(line.partition(" = ")[2])
    assert a.shape == result


def raises(program: list[str], library: str, message: str) -> bool:
    """Whether NumPy says this very message of a program, or, of another library's message, says anything at all."""
    said = advice.failure(program, ARRAYS)
    return bool(said) and (library != "numpy" or " ".join(said.split()) in " ".join(message.split()))


def test_every_advised_line_of_any_library_is_code_or_words():
    for rows in SEEN.values():
        for row in rows:
            for _, line in lines_of(explain(row["message"])):
                advice.is_line(line)  # raises a SyntaxError if it is neither


def test_what_is_advised_for_chosen_sizes_makes_the_layer_take_what_it_is_given():
    """If this fails, run make_shape_advice.py again."""
    layers = [row for row in json.loads((GOLDEN / "layer_shapes.json").read_text()) if not row["runs"]]
    followed = json.loads((GOLDEN / "shape_sizes.json").read_text())
    assert [(row["layer"], row["given"]) for row in followed] == [(row["layer"], row["given"]) for row in layers]
    for row in followed:
        sizes = GivenSizes(*(shape and tuple(shape) for shape in row["given"]))
        assert [list(one) for one in lines_of(check(LayerSizes("PyTorch", **row["layer"]), sizes))] == row["lines"]
        assert row["came"] == "ran" and row["followed"], row
