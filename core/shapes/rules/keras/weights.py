"""Weights that are put into a model of Keras or TensorFlow."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape, format_shape
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import possible, strong, sure
from core.shapes.rules.read_layer import GATES, cells_of
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import changed_call
from core.shapes.user_code.evidence import calls_of_line, nodes_of_line
from core.shapes.user_code.syntax_trees import function_of

_LOADING = "loading"
# How people name a bias, the one vector among the weights.
_BIAS = re.compile(r"(?:\w{0,20}_)?b\d?$|b_|\w{0,20}bias", re.IGNORECASE)


def _are_exchanged(facts: Facts) -> bool:
    """Whether m and k of the one are k and m of the other, for any number of gates."""
    wanted, got = facts.wanted, facts.got
    return len(wanted) == len(got) == 2 and any(
        wanted[1] == gates * k and got == (k, gates * wanted[0]) and k != wanted[0]
        for gates, k in ((gates, wanted[1] // gates) for gates in GATES.values())
    )


def _are_turned(facts: Facts) -> bool:
    """Whether weights are set by hand, and the given ones are the transpose of those of the layer."""
    return facts.is_set and len(facts.wanted) == 2 and facts.got == facts.wanted[::-1] != facts.wanted


def _name_of_turned(reading: Reading, got: Shape) -> str:
    """Return the name of the given weights of this shape in the reader's line; empty if it may be one of several arrays."""
    calls = {function_of(node): node for node in calls_of_line(reading) if node.args}
    if "assign" in calls:
        value = calls["assign"].args[0]
        return value.id if isinstance(value, ast.Name) else ""
    if "set_weights" not in calls:
        return ""
    given = [ast.unparse(one) for one in getattr(calls["set_weights"].args[0], "elts", ())]
    # A transpose was turned already, and the bias is the one vector.
    candidates = [
        one
        for one in given
        if not re.search(r"\.T$|transpose\(|\.t\(\)", one)
        and not _BIAS.match(one)
        and reading.arrays.get(one, got) == got
    ]
    known = [one for one in candidates if one in reading.arrays]
    found = known or candidates
    return found[0] if len(found) == 1 and found[0].isidentifier() else ""


def _differ_in_biases(one: Shape, other: Shape) -> bool:
    """Whether one is a bias of three gates, and the other has two of them in rows, as a GRU with reset_after has."""
    fewer, more = sorted((one, other), key=len)
    return len(fewer) == 1 and fewer[0] > 0 and fewer[0] % 3 == 0 and more == (2, fewer[0])


def _units_of_saved(facts: Facts) -> str:
    """Return the layer with the units of the saved one, where only the width of the weights differs."""
    wanted, got = facts.wanted, facts.got
    if facts.of_embedding and len(got) == 2:
        row = f"weights = np.vstack([np.zeros({got[1]}), weights])   # a row for index 0, if that is the padding\n"
        return row * (wanted == (got[0] + 1, got[1])) + f"layers.Embedding({got[0]}, {got[1]})   # as the given weights"
    if len(wanted) == len(got) == 2 and wanted[0] == got[0] and min(*wanted, *got) > 0:
        names = {"LSTM": "LSTM", "GRU": "GRU", "RNN": "SimpleRNN"}
        cells = [
            cell for cell, gates in GATES.items() if cell in facts.cells and wanted[1] % gates == got[1] % gates == 0
        ]
        lines = (f"{names[cell]}({got[1] // GATES[cell]}, ...)   # if it is a {names[cell]}" for cell in cells)
        return "\n".join(line.replace("a LSTM", "an LSTM") for line in lines)
    if len(wanted) == len(got) == 2 and wanted[1] == got[1] and min(*wanted, *got) > 0:
        kernel = f"Input((None, {got[0]}))   # as many features as when the weights were saved, if this is a kernel"
        table = f"layers.Embedding({got[0]}, {got[1]})   # as the given weights, if these are of an Embedding"
        # Words are more than the entries of their vectors, and features are seldom more than units.
        return f"{table}\n{kernel}" if min(wanted[0], got[0]) > got[1] else kernel
    if _differ_in_biases(wanted, got):
        return f"GRU({got[-1] // 3}, ..., reset_after={len(got) == 2})   # as it was when the weights were saved"
    return _of_one_bias(facts) or "# make the layer with the sizes of the saved one, then set_weights"


def _is_twice(wanted: Shape, got: Shape) -> bool:
    """Whether the given vector is twice as long, as the two biases of a cuDNN layer are."""
    return len(wanted) == len(got) == 1 and got[0] == 2 * wanted[0] > 0


def _of_one_bias(facts: Facts) -> str:
    """Return the layers that take the two biases of a cuDNN layer; empty if the sizes are others."""
    if not _is_twice(facts.wanted, facts.got):
        return ""
    size = facts.wanted[0]
    lines = {
        "LSTM": "bias = bias.reshape(2, -1).sum(0)   # if a CuDNNLSTM was saved: the sum of its two biases is that of an LSTM",
        "GRU": f"GRU({size // 3}, ..., reset_after=True)   # if a CuDNNGRU was saved",
    }
    return "\n".join(line for cell, line in lines.items() if cell in facts.cells and size % GATES[cell] == 0)


def _without_slice(reading: Reading) -> str:
    """Return the reader's set_weights with all arrays in their order; empty if it takes no part of them."""

    def whole(call: ast.Call) -> None:
        call.args[0] = getattr(call.args[0], "value", call.args[0])

    is_part = any(
        function_of(node) == "set_weights" and isinstance(node, ast.Call) and node.args and _is_part(node.args[0])
        for node in nodes_of_line(reading)
    )
    return f"{changed_call(reading, ('set_weights',), whole)}   # all arrays, in their order" if is_part else ""


def _is_part(node: ast.expr) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)


SET_WEIGHTS: Rules = (
    sure("checkpoint", reason("set-weights", "wanted", "got"), own="whole"),
    strong(
        "checkpoint",
        (
            reason("set-weights", "wanted", "got"),
            reason("reset-after", when=lambda f: _differ_in_biases(f.wanted, f.got)),
            reason("two-biases", when=lambda f: _is_twice(f.wanted, f.got)),
        ),
        _units_of_saved,
    ),
    sure(
        "transpose",
        (reason("set-weights", "wanted", "got"), reason("kernel-turned")),
        lambda f: (
            f"{f.name} = {f.name}.T   # before this line"
            if f.name
            else f"# transpose the array of shape {format_shape(f.got)} before this line"
        ),
        _are_turned,
    ),
    Rule(
        "swapped-arguments",
        lambda f: Fit.LIKELY if _are_turned(f) else Fit.SURE,
        (reason("set-weights-exchanged", m="got[0]", k="wanted[0]"),),
        "# the number of units is the layer's argument, the features are the input's",
        _are_exchanged,
    ),
)


@diagnoses("set_weights")
def set_weights(reading: Reading) -> Diagnosis:
    return of_assigned(reading, reading.shape("expected"), reading.shape("got"))


def of_assigned(reading: Reading, wanted: Shape, got: Shape) -> Diagnosis:
    """Return the diagnosis of weights that are put into a model of another shape."""
    of_embedding = "embedding" in reading.whole.lower()
    # A file has the layout of Keras; arrays of another library come through these.
    is_set = bool(re.search(r"\bset_weights\b|\.assign\(", reading.code)) and "load_weights" not in reading.code
    facts = Facts(
        wanted=wanted,
        got=got,
        of_embedding=of_embedding,
        cells=cells_of(reading),
        whole=_without_slice(reading),
        is_set=is_set,
        name=_name_of_turned(reading, got),
    )
    return Diagnosis(_LOADING, facts, SET_WEIGHTS)


# A GRU with one bias and saved weights with two, or the reverse.
RESET_AFTER: Rules = rules_of(
    "reset_after",
    _LOADING,
    sure("checkpoint", "reset-after", "GRU(..., reset_after={saved})   # as it was when the weights were saved"),
    facts=lambda reading: {"saved": reading.values["saved"] == "True"},
)


WEIGHT_LIST: Rules = first_of(
    strong(
        "checkpoint",
        reason("weight-list", "got", "expected"),
        "layer.set_weights([kernel, recurrent_kernel, bias])",
        lambda f: f.of_layer,
    ),
    strong(
        "checkpoint",
        reason("weight-list-of-model", "got", "expected"),
        "# make the model with the layers of the one that the arrays come from",
        own="whole",
    ),
)


@diagnoses("weight_list")
def weight_list(reading: Reading) -> Diagnosis:
    got, expected = reading.values["got"], reading.values["expected"]
    # A recurrent layer has two arrays or three, and more in two directions.
    of_layer = expected in ("2", "3") and not re.search(r"'(?:sequential|functional|model)\w{0,20}'", reading.whole)
    facts = Facts(
        got=got,
        expected=expected,
        of_layer=of_layer,
        whole=_without_slice(reading),
    )
    return Diagnosis(_LOADING, facts, WEIGHT_LIST)


# A variable that two layers share: the second asks for (2k, g·k) and finds (m + k, g·k).
SPECIFIED: Rules = (
    Rule(
        "shared-cell",
        lambda f: Fit.SURE if len(f.wanted) == len(f.got) == 2 and f.wanted[1] == f.got[1] else Fit.PLAUSIBLE,
        (
            reason("variable-shared-by", "wanted", "got", "k", "m", when=lambda f: f.m > 0),
            reason("variable-shared", "wanted", "got", when=lambda f: f.m <= 0),
            reason("first-cell-given"),
        ),
        lambda f: advised_lines.new_cells(f.k),
    ),
    possible("checkpoint", "graph-built-twice", "tf.reset_default_graph()"),
)


@diagnoses("specified")
def specified(reading: Reading) -> Diagnosis:
    wanted, got = reading.shape("expected"), reading.shape("got")
    k = wanted[0] // 2 if wanted and wanted[0] > 1 else 0
    m = got[0] - k if k and got else 0
    facts = Facts(wanted=wanted, got=got, k=k, m=m)
    return Diagnosis("weights-of-cell", facts, SPECIFIED, {"k": k, "m": m} if m > 0 else {})
