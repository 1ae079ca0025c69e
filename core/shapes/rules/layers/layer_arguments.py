"""Arguments with which a layer of PyTorch can't be made, and calls without any step."""

import ast
import copy
import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.evidence import failed_statement
from core.shapes.user_code.syntax_trees import calls_in, function_of

_LAYER = "input-of-layer"

SIZE_TYPE: Rules = first_of(
    sure(
        "hidden-size",
        reason("size-not-whole", "name", "given"),
        lambda f: f"{f.own}   # whole numbers" if f.own else "# write // in place of /, or int(...) around the size",
        lambda f: f.given == "float",
    ),
    sure("hidden-size", reason("size-not-whole", "name", "given"), "{name} = int({name})", lambda f: f.of_numpy),
    sure(
        "swapped-arguments",
        reason("size-not-whole", "name", "given"),
        "# {name} must be one whole number, such as x.shape[-1]",
    ),
)


@diagnoses("size_type")
def size_type(reading: Reading) -> Diagnosis:
    name = "input_size" if f"input{reading.message}" in reading.whole else "hidden_size"
    given = reading.values["got"]
    facts = Facts(name=name, given=given, of_numpy=given.startswith(("int", "uint")), own=_in_whole_numbers(reading))
    return Diagnosis(_LAYER, facts, SIZE_TYPE)


_OF_LAYER = re.compile(r"(?:LSTM|GRU|RNN)(?:Cell|Base)?$|^__init__$")
_SIZES = ("input_size", "hidden_size", "units")


def _in_whole_numbers(reading: Reading) -> str:
    """Return the reader's line with // in the place of / in the sizes of a layer; empty if none of them divides."""
    tree = copy.deepcopy(failed_statement(reading))
    # The other arguments may be fractions, such as the dropout.
    sizes = [
        size
        for call in calls_in(tree)
        if _OF_LAYER.search(function_of(call))
        for size in (*call.args[:2], *(one.value for one in call.keywords if one.arg in _SIZES))
    ]
    quotients = [
        one for size in sizes for one in ast.walk(size) if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Div)
    ]
    for one in quotients:
        one.op = ast.FloorDiv()
    return ast.unparse(tree) if tree is not None and quotients else ""


PROJECTION: Rules = rules_of(
    "projection",
    _LAYER,
    sure("hidden-size", "projection-too-large", "nn.LSTM(..., proj_size=1)   # any number below hidden_size"),
)


NO_STEPS: Rules = rules_of(
    "no_steps",
    _LAYER,
    sure(
        "steps",
        (reason("no-steps"), reason("windows-of-short-series")),
        "# print x.shape before the layer: the axis of the steps is 0",
    ),
)


# An EmbeddingBag, which reads a vector with offsets, or a matrix without them.
BAG: Rules = rules_of(
    "bag",
    _LAYER,
    *first_of(
        sure("embedding", "bag-of-vector", "x = x.unsqueeze(0)   # one text: (1, steps)", lambda f: f.of_vector),
        sure("embedding", "bag-of-matrix", "layer(x)   # texts of equal length, (batch, steps), need no offsets"),
    ),
    facts=lambda reading: {"of_vector": reading.message.startswith("offsets")},
)
