"""Errors that are not about shapes, by the words that tell what they are about."""

import re

from core.shapes.user_code.traceback_lines import LONGEST

# The surest words first. Each kind is a code of a note.
_KINDS = (
    (
        "memory",
        r"out of memory|Unable to allocate|can't allocate memory|OOM when allocating|RESOURCE_EXHAUSTED|MemoryError",
    ),
    ("index", r"device-side assert"),
    ("right-padded", r"does not correspond to right-padded sequences"),
    ("versions", r"Cannot convert a symbolic Tensor \(\w{0,80}(?:lstm|gru|rnn)\w{0,80}/"),
    ("training-mode", r"RNN backward can only be called in training mode"),
    ("compacted", r"not part of single contiguous chunk of memory"),
    ("missing-values", r"Input (?:X )?contains (?:NaN|infinity)"),
    ("export", r"UnsupportedOperatorError|Exporting the operator|torch\.onnx\.errors"),
    ("graph", r"Graph disconnected: cannot obtain value"),
    ("wrapped", r"'(?:Distributed)?DataParallel' object has no attribute"),
    ("no-array", r"expected np\.ndarray \(got list\)"),
    ("script", r"Arguments for call are not valid|not annotated with an explicit type|torch/jit/frontend\.py"),
    (
        "whole-numbers",
        r"indices'? to have one of|expected scalar type Long|object of scalar type Long|target dtype to be Long|only applicable to index tensor"
        r"|int32/int64 for index",
    ),
    (
        "float-targets",
        r"Found dtype Long but expected Float|result type Float can't be cast to the desired output type Long|expected scalar type Float but found Long",
    ),
    (
        "device",
        r"same device|on the current device|backend (?:CPU|CUDA) but got|is on (?:cpu|cuda|mps)|on device|CUDA error|cuda\.\w*Tensor|No CUDA GPUs|not compiled with CUDA"
        r"|convert cuda|convert mps|TensorOptions\(dtype=\w+, device",
    ),
    ("onnx-types", r"Unexpected input data type\. Actual|ONNXRuntimeError.{0,500}data type"),
    (
        "types",
        r"scalar type|same dtype|input dtype|weight dtype|expected dtype|data type|must be the same type|weight type|unsupported operand type"
        r"|not implemented for '\w+'|Cannot cast|could not convert|can't convert|Failed to convert a NumPy array"
        r"|cannot be cast|has no integer|Invalid dtype|to be of type|numpy\.object_"
        r"|expected torch\.\w+Tensor|expected \w+Tensor \(got|Found dtype|incompatible dtype|TypeError: can only",
    ),
    (
        "index",
        r"index out of range in self|is out of bounds for (?:axis|dimension)|Target -?\d+ is out of bounds|is not in \[0,"
        r"|IndexError|cur_target >= 0|t >= 0 && t < n_classes",
    ),
    ("gpu", r"CUDNN_STATUS|CUBLAS_STATUS|cuDNN error|ThenRnn(?:Forward|Backward)|Dnn is not supported"),
    ("range", r"input should be between 0 and 1|x >= 0\. && x <= 1\."),
    ("truth", r"(?:Boolean|bool) value of Tensor with more than one value|truth value of an array with more than one"),
    ("scalar", r"only integer tensors of a single element"),
    ("keyword", r"unexpected keyword argument"),
    ("arguments", r"required (?:positional )?argument|positional arguments? but|multiple values for argument"),
    ("backward-twice", r"backward through the graph"),
    ("in-place", r"modified by an inplace operation|a leaf Variable that requires grad"),
    ("detach", r"[Cc]an't call numpy\(\) on Tensor that requires grad|graph leaves to be deepcopied"),
    ("backward", r"does not require grad|inplace operation|No gradients provided"),
    ("name", r"NameError|ImportError|ModuleNotFoundError|AttributeError|KeyError|FileNotFoundError"),
    ("syntax", r"SyntaxError|IndentationError"),
)


def kind_of_error(text: str) -> str:
    """Return what an error without a known message about shapes seems to be about; empty if nothing tells."""
    text = text[-LONGEST:]
    return next((kind for kind, words in _KINDS if re.search(words, text)), "")
