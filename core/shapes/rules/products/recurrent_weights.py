"""Weights for the state that the reader's program makes, and a state that is the output at every step."""

import ast
import re

from core.shapes.layer_shapes import Shape, format_shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Diagnosis, Facts, reason
from core.shapes.user_code.evidence import failed_operation
from core.shapes.user_code.named_weights import is_from_h_to_h

# ---- weights for h that are not square ---------------------------------------------------------

_GATES = (3, 4)


def _square(facts: Facts) -> str:
    k = facts.shape[0]
    return f"{facts.made}   # square: (k, k)" if facts.made else f"# {facts.name} must be {format_shape((k, k))}"


NOT_SQUARE = sure("hidden-size", reason("weights-not-square", "name", "shape"), _square)


def not_square(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of weights for h that the program makes with two sizes; None if it makes none."""
    for name, shape in reading.arrays.items():
        if len(shape) != 2 or not is_from_h_to_h(name) or shape[0] == shape[1]:
            continue
        small, large = sorted(shape)
        told = {int(size) for size in re.findall(r"\d{1,9}", reading.message)}
        if large not in [gates * small for gates in _GATES] and told & {small, large}:
            facts = Facts(name=name, shape=shape, made=_made_square(reading, name))
            return Diagnosis("weights-of-cell", facts, NOT_SQUARE)
    return None


def not_square_by_line(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of weights for h that the reader's line multiplies, by their name; None if they are square, or others."""
    own = failed_operation(reading)
    name = ast.unparse(own.names["A"]) if own is not None and "A" in own.names else ""
    is_one = len(left) == 2 and is_from_h_to_h(name) and left[0] == right[0] != left[1]
    if not is_one or reading.framework != "NumPy":
        return None
    made = f"{name} = np.random.randn({left[0]}, {left[0]}) * 0.01"
    return Diagnosis("weights-of-cell", Facts(name=name, shape=left, made=made), NOT_SQUARE)


def _made_square(reading: Reading, name: str) -> str:
    """Return the line that makes weights, with its first size twice; empty if the sizes do not stand in it."""
    for one in reading.program:
        if one.target != name or not isinstance(one.value, ast.Call):
            continue
        given = one.value.args
        sizes = given[0].elts if len(given) == 1 and isinstance(given[0], ast.Tuple) else given
        if len(sizes) == 2:
            old, new = (", ".join(map(ast.unparse, pair)) for pair in (sizes, [sizes[0]] * 2))
            return f"{name} = {ast.unparse(one.value).replace(old, new)}"
    return ""


# ---- the output at every step in the place of a state ------------------------------------------

# Layers × directions, as most people stack them.
_MOST_SLICES = 4


def is_output(wanted: Shape, got: Shape) -> bool:
    """Whether a state begins with the batch, and has many entries where its batch belongs."""
    is_whole = len(wanted) == len(got) == 3
    return is_whole and got[0] == wanted[1] != wanted[0] and got[1] > _MOST_SLICES and got[1] != wanted[1]


def _last_state(facts: Facts) -> str:
    """Return the line that makes a state of the last step of the output."""
    last = f"{facts.name}[:, -1]"
    if facts.wanted[2] != facts.got[2]:
        last = f"nn.Linear({facts.got[2]}, {facts.wanted[2]})({last})"
    alike = f".repeat({facts.wanted[0]}, 1, 1)" if facts.wanted[0] > 1 else ""
    words = "the last step; make the linear layer in __init__" if "Linear" in last else "the last step"
    return f"{' = '.join(facts.names)} = {last}.unsqueeze(0){alike}   # {words}"


OF_OUTPUT = sure(
    "batch-first",
    reason("state-like-output", "name", "got"),
    _last_state,
    lambda f: is_output(f.wanted, f.got),
)
