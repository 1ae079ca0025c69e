"""The sentences of the page of a trained network."""

from collections.abc import Sequence

from core.exchange.model_files.contents import RESET_BEFORE, FoundLayer
from core.model_diagnosis import GRADIENTS, RUN
from dashboard.text.labels import LABELS
from dashboard.text.plural import Plural, fill, of_two
from dashboard.text.words import enumerated

PAGE = "# My model\nThe page runs your network over an input, shows its gates, and checks it for common faults."
# Without a file.
PAGE_OF_EXAMPLE = (
    "# My model\nYou see an example: this {cell} of {k} units predicts the next character of a text. Open your own RNN, LSTM or GRU, and the "
    "page checks it for common faults."
)
# The layers are all alike, or not.
ALIKE = of_two(
    "k",
    "m",
    "The {cell} has 1 input and {layers} of 1 unit.",
    "The {cell} has {m} inputs and {layers} of 1 unit.",
    "The {cell} has 1 input and {layers} of {k} units.",
    "The {cell} has {m} inputs and {layers} of {k} units.",
)
MIXED = Plural(
    "m",
    "The network has 1 input and these layers, from the bottom: {listed}.",
    "The network has {m} inputs and these layers, from the bottom: {listed}.",
)
LAYER = "{cell} with k = {k}"
BOTH_WAYS = "Each layer reads forward and backward, with weights for each direction."
CELL_NAMES = {RESET_BEFORE: "GRU (reset_after=False)"}
LAYERS = {1: "one layer", 2: "two layers", 3: "three layers"}
MANY_LAYERS = "{count} layers"
# Above the findings, because a fault may be in another network of the file.
ONE_OF_SEVERAL = (
    f"The file has {{count}} networks. The page gives the input to the one under “{LABELS['shown_network']}”, and diagnoses only this "
    "one. To diagnose another one, choose it there."
)
UNTRAINED_NETWORK = "{name} looks untrained, and another network of the file does not. It may be frozen (excluded from training), or missing from the optimizer."
LEFT_OUT = "Left out"
# Why an array is left out, by code.
REASONS = {
    "not recurrent": "not recurrent",
    "initial state": "initial state: the page starts from 0",
    "large embedding": "large embedding",
    "projection": "projection",
    "layer normalization": "layer normalization",
    "peepholes": "peepholes",
    "quantized": "quantized",
    "activation": "activation",
    "factors": "factors",
    "incomplete": "incomplete",
    "sizes": "sizes",
    "merge": "merge",
    "several cells": "several cells",
    "another cell": "another cell",
    "unlike directions": "unlike directions",
    "clip": "clip",
    "convolution": "convolution",
    "inside": "inside a Loop, If, Scan or function",
    "computed": "computed",
    "too large": "too large",
    "not finite": "not finite",
}
ASSUMED = {
    "tanh": "PyTorch files do not store the activation of an RNN, so choose it under “Activation of the RNN”.",
    "gate order": "The page assumes PyTorch's order for the gates of a GRU: reset, update, candidate. Keras has the update gate first. A warning appears if the weights show another order, but often they do not.",
    "reset after": "The file does not say where the reset gate acts, so the page assumes reset_after=True.",
    "activations": "The file does not say the activations, go_backwards and merge_mode, so the page assumes the defaults of Keras. The .keras file of a Sequential or functional model has them.",
    "activations of an RNN": "The file does not say the activations, go_backwards and merge_mode. Choose the activation under “Activation of the RNN”. For the others, the page assumes the defaults of Keras.",
    "initial state": "A layer has an initial state other than 0, or receives one. The page starts every layer from 0.",
    "masking": "The network skips masked steps (Masking or mask_zero). The page runs it over all steps.",
    "order of layers": "The file does not say which layer reads which, or what stands between them. The page puts a layer on another one if their sizes match.",
    "one of several files": "The name of the file says that it is one of several. Layers in the others are missing here.",
    "sequence lengths": "A layer of the file reads the length of each sequence (sequence_lens). The page runs it over all steps.",
}
PROGRESS = {
    RUN: "The page runs layer {layer} of {layers}.",
    GRADIENTS: "The page sends gradients back through layer {layer} of {layers}.",
}
OVERFLOW = "The numbers overflow on this input. Use a shorter input, or smaller weights."

LIMITS = "Thresholds"
STEP, STEP_OF, TOKEN = "Step", "{step} of {steps}", "Input: “{token}”"
STATE_SCALE, OWN_SCALE = "candidate and h", "{state} (full range)"
OVER_TIME = "In each map, a row is a unit and a column is a step."
OVER_TIME_BACKWARD = "In each map, a row is a unit and a column is a step. This direction reads the input from its end."
OVER_TIME_ALT = "Every gate and state of {k} units at {T} steps."
# By direction.
WHERE = ("layer {layer}", "layer {layer}, backward")
STATE_OVER_TIME_ALT = "The state of {k} units at {T} steps."
OPEN_AND_CLOSED = (
    "Each dot is a unit. A unit on the right often has this gate open (above {open}). A unit at the top often has it closed (below {closed}). The chart "
    "follows Karpathy, Johnson and Li (2015), who call such gates saturated. The blue text above the maps counts a value as saturated if its derivative is small."
)
OPEN_AND_CLOSED_ALT = "The fractions of steps at which the gates of each unit are open and closed."
OPEN_GATE, CLOSED_GATE = "fraction of steps above {threshold}", "fraction of steps below {threshold}"
MEMORY = "The half-life is the number of steps after which half of a unit's memory is left. The page computes it from the geometric mean of {gate} over the steps."
MEMORY_ALT = "The half-life of each unit."
MEMORY_NAME, UNIT, HALF_LIFE = "half-life", "unit", "log₁₀ of the half-life in steps"
GAINS = (
    "The page reads no loss function from the file, so it uses random gradients. They start at three places of the input: in the middle, after three quarters, and at the end. The gain of a gradient is the "
    "factor by which its norm changes on the way back. The gradient horizon is the largest number of steps back at which the median gain of these gradients still reaches the dashed line."
)
GAINS_ALT = "The largest and the median gain of gradients over the distance."
LARGEST, MEDIAN, HORIZON = "largest", "median", "gain {gain}"
DISTANCE, LOG_GAIN = "steps back", "log₁₀ of the gain"
BIAS, BIASES_ALT = "bias", "The biases of each unit."
WEIGHTS = "The recurrent weights stand above the input weights."
WEIGHTS_ALT = "The weights of each block."
OF_UNIT, OF_ENTRY = "unit", "entry"
ONE_HOT = "Each character has its own entry of x_t (one-hot). At each step the entry of the current character is 1, and all others are 0."
INPUT_ALT = "The input of this layer at each step."
SHOW_UNIT = "Open unit {unit} on the page “{page}”"
COPIES = "That page then shows this layer at the selected step, with its weights, state and input. If there are too many numbers for the link, this browser tab stores them."

REPORT_TITLE = "Diagnosis of {name}"
REPORT_INPUT = Plural("T", "The input has 1 step ({how}).", "The input has {T} steps ({how}).")
REPORT_BACKWARD = "The steps of a backward direction are counted from the end of the input."
REPORT_HOW = {
    "noise": "samples of N(0, 1)",
    "one-hot": "tokens, each of which sets one entry",
    "own alphabet": "characters, each of which sets one entry",
    "embedding": "tokens through the embedding",
    "numbers": "numbers of a file",
}
SETTINGS, REPORT_SETTING_COLUMNS = "Settings", ("Setting", "Value")
REPORT_COLUMNS = ("Code", "Finding", "Rule", "Units", "Steps", "Numbers")
REPORT_LAYERS = "Layers"
REPORT_LAYER_COLUMNS = (
    "Layer",
    "Direction",
    "Horizon in steps",
    "Median half-life in steps",
    "Gate",
    "Steps open",
    "Steps closed",
)
REPORT_LIMIT_COLUMNS = ("Threshold", "Value")
REPORT_ALL, REPORT_NONE = "all", "–"
SAVE_REPORT = "Report (.{ending})"


def network(layers: Sequence[FoundLayer]) -> str:
    """Return the cells, the sizes and the directions of the layers of a network."""
    first = layers[0]
    named = [(CELL_NAMES.get(layer.cell, layer.cell), layer.k) for layer in layers]
    count = LAYERS.get(len(layers)) or MANY_LAYERS.format(count=len(layers))
    listed = enumerated([LAYER.format(cell=cell, k=k) for cell, k in named])
    template = ALIKE if len(set(named)) == 1 else MIXED
    sizes = fill(template, {"cell": named[0][0], "layers": count, "k": first.k, "m": first.m, "listed": listed})
    return f"{sizes} {BOTH_WAYS}" if all(len(layer.directions) == 2 for layer in layers) else sizes
