"""The sentences on the file and the input of a trained network."""

from core.exchange.model_files.contents import MOST_INPUTS, MOST_UNITS, LeftOut
from core.model_diagnosis.inputs import BATCH, INDICES, LETTERS, TIME
from dashboard.text.plural import Plural

OPEN = "Model file"
OPEN_HELP = (
    "A .safetensors, .npz, .weights.h5, .keras or .onnx file. In PyTorch, write "
    'safetensors.torch.save_file(model.state_dict(), "model.safetensors"). Nothing in the file is executed. '
    "At most two users can have a file of more than 20 MB open."
)
SESSION = (
    "The network stays in the memory of the server, in this session only. After a reload, open its file again. The URL keeps "
    "the settings."
)
CLOSE, CLOSE_INPUT = "Close the file", "Close the input"
NOT_ARRIVED = "The upload failed. Choose the file again."
TOO_MANY = (
    "The server has {count} files of more than {most} MB open, and has no room for another one. Try again in a few minutes, or save "
    "the recurrent layers alone."
)
TOO_MANY_NETWORKS = (
    "The network in this file takes {size} MB of memory. The server has {count} networks of more than {most} MB open, and has no "
    "room for another one. Try again in a few minutes, or open a smaller network."
)
FULL = "Other users have {count} files of more than {most} MB open. Until one of them is closed, your file may have at most {most} MB."
INPUT = "Input from a file"
INPUT_HELP = (
    "A .csv with a step on each line, a .npy or .npz, or a .txt. An array has the shape (T, m), (T, B, m) or (B, T, m). For a network with an embedding, it may hold token numbers; save other numbers as floats. The page takes "
    "up to 2048 steps and 16 sequences."
)
INPUT_OPENED = Plural("T", "{name}: 1 step", "{name}: {T} steps")
TEXT_OPENED = Plural("T", "{name}: 1 character", "{name}: {T} characters")
# By the setting of the first axis.
INPUT_OF_AXES = {
    TIME: "{name}, {shape}: the first axis is time.",
    BATCH: "{name}, {shape}: the first axis is the batch.",
}
SHORT_TIME = "The first axis is shorter than the second one. If it counts the sequences, set First axis to batch."
# Keras, and most code for PyTorch, has a sequence of tokens in each row.
TOKENS_IN_ROWS = (
    "The array holds token numbers, and each column is a sequence. If each row is a sequence, set First axis to batch."
)
HOW = {
    "own alphabet": "",
    "one-hot": (
        "The file has no vocabulary, so the page sorts the different characters of this text and numbers them from 0. The character with number 2 "
        "sets input 2 to 1, and so on. To enter the numbers yourself, set Tokens to Numbers."
    ),
    "embedding": (
        "The file has no vocabulary, so the page sorts the different characters of this text and numbers them from 0. Each character reads the row "
        "with its number in {table}. To enter the numbers yourself, set Tokens to Numbers."
    ),
    "numbers": "",
}
# If the reader types the indices, the page numbers no letters.
HOW_OF_INDICES = {
    "one-hot": "At each step, the input with the typed number is 1. The first input has number 0.",
    "embedding": "Each number reads the row with that number in {table}. The first row has number 0.",
}
NOISE = "The tokens of this text need {tokens} inputs, numbered from 0, but the network has {m}. So the page uses random inputs from N(0, 1) and not the text."
OWN_INPUT = f"To use your own data, open a file under “{INPUT}”."
# By a setting of the tokens.
FITTING = {
    LETTERS: "A text may have at most {m} different characters.",
    INDICES: "The numbers may be at most {last}.",
}
NOISE_OF_TABLE = "The tokens of this text need {tokens} rows of {table}, numbered from 0, but it has fewer. So the page uses random inputs from N(0, 1) and not the text."
SEQUENCES = "The findings are about {B} sequences. The pictures and the gradients are those of the first one."
UNKNOWN = Plural(
    "count",
    "The network does not know 1 character of the text: {named}. Its input is 0.",
    "The network does not know {count} characters of the text: {named}. Their inputs are 0.",
)
CUT = Plural(
    "B",
    "The page takes the first {T} steps and leaves out the others, because they would take too long.",
    "The page takes {T} steps of {B} sequences. The rest of the input would take too long.",
)
# By the code of a recurrent layer that was left out.
REFUSALS = {
    "projection": "{name} has a projection (proj_size), and Cellscope has no cell with one. Train it without proj_size.",
    "layer normalization": "{name} has layer normalization inside the cell, and Cellscope has no such cell. Open a cell without it.",
    "peepholes": "{name} has peepholes from the cell state to the gates, and Cellscope has no such cell. Open a cell without them.",
    "quantized": "{name} holds weights that are quantized or of another type than float16, bfloat16, float32 and float64. Save the network in float32.",
    "activation": "{name} has an activation that Cellscope lacks. Cellscope has tanh, ReLU and sigmoid in an RNN, and sigmoid gates with tanh in LSTM and GRU.",
    "factors": "{name} keeps its weights as factors (a parametrization such as weight_norm, or pruning). Remove these with torch.nn.utils before you save it.",
    "incomplete": "{name} lacks its input weights or its recurrent weights. Save the whole layer in one file.",
    "sizes": "{name} has weights whose sizes do not match those of an RNN, LSTM or GRU. Save each layer under its own name.",
    "merge": "{name} adds, multiplies or averages its two directions, and Cellscope concatenates them. Use merge_mode='concat'.",
    "several cells": "{name} has several cells in each direction (StackedRNNCells). Use a Bidirectional layer for each cell.",
    "another cell": "{name} has a cell of its own class, and the file does not say what it computes. Open an RNN, LSTM or GRU of the framework.",
    "unlike directions": "{name} has a backward layer of another cell, size or activation, and Cellscope has one for both. Train it without backward_layer.",
    "clip": "{name} clips its pre-activations or couples its gates, and Cellscope has no such cell. Export it without clip and input_forget.",
    "convolution": "{name} is a ConvLSTM or a similar cell with convolutions, and Cellscope has no such cell. Open an RNN, LSTM or GRU.",
    "inside": "{name} is inside a Loop, If or Scan or a function of the graph, where Cellscope reads no layer. Save its weights as .safetensors.",
    "computed": "{name} has weights that are computed inside the graph. Export the model with constant folding, in PyTorch with optimize=True.",
    "too large": "{name} has more than {units} units or {inputs} inputs. Cellscope shows smaller layers only.",
    "not finite": "{name} holds a weight that is infinite or NaN. Open a checkpoint from before the training diverged, or save it in float32 if float16 overflowed.",
}
# A layer whose arrays have no prefix.
UNNAMED = "The layer"


def refusal(one: LeftOut) -> str:
    """Return the sentence on a recurrent layer that was left out; an empty text for other arrays."""
    name = repr(one.name[:60]) if one.name else UNNAMED
    return REFUSALS.get(one.reason, "").format(name=name, units=MOST_UNITS, inputs=MOST_INPUTS)
