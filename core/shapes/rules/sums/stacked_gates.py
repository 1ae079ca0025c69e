"""All gates of a cell in one array, beside an array with the units of one."""

import ast
import re
from typing import NamedTuple

from core.shapes.layer_shapes import Shape, differing_axes
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.read_layer import is_round
from core.shapes.rules.rule import Facts, reason
from core.shapes.user_code.evidence import failed_operation, is_product_of_entries, nodes_of_line
from core.shapes.user_code.products_of_line import weights_of_sum

# The order in which most people put the gates, as PyTorch does.
_ORDERS = {4: "ifgo", 3: "rzn"}
# A gate that was cut from all of them already, by its name.
_GATE = re.compile(r"[ifgor](?:_?t|_?gate)?$")
# c = f * c + i * g, as a library may quote it.
_CELL_UPDATE = re.compile(r"\bf\w{0,12} ?\* ?c\w{0,12} ?\+ ?i\w{0,12} ?\* ?[cg]\w{0,12}\b")


class StackedGates(NamedTuple):
    """The factor of a product that holds all gates, their number, the units of one, the axis along which they stand, and its gate's name."""

    name: str
    gates: int
    units: int
    axis: int
    cut: str


class OneGate(NamedTuple):
    """The weights of one gate in a sum with all gates: their name, whether they are the left factor, the gates and the units of one."""

    weights: str
    is_left: bool
    gates: int
    units: int


def gates_and_units(one: int, other: int) -> tuple[int, int]:
    """Return how many gates the larger size holds, 0 if it is none of 3 or 4 times the smaller one, and the units of one."""
    units, all_units = sorted((one, other))
    gates = next((number for number in (4, 3) if all_units == number * units), 0)
    return gates if is_round(units) else 0, units


def stacked_gates(reading: Reading, left: int, right: int, axis: int) -> StackedGates | None:
    """Return the factor that holds all gates where the other has one; None if the reader's line is no product of these."""
    gates, units = gates_and_units(left, right)
    own = failed_operation(reading)
    names = _names(own.node) if own is not None else set()
    if any(map(_GATE.match, names)) and max(left, right) == 4 * units:
        gates = 4  # also of units that are no round number
    updates_cell = not reading.own and _CELL_UPDATE.search(reading.whole)
    if not gates or not (is_product_of_entries(reading) or updates_cell):
        return None
    name = "a" if left > right else "b"
    names = _names(own.names[name]) if own is not None else set()
    return StackedGates(name, gates, units, axis, next(filter(_GATE.match, names), ""))


def gates_from_weights_for_three(reading: Reading, left: int, right: int) -> int:
    """Return the units of c where an LSTM cuts its four gates from weights for three; 0 if the line is no update of c."""
    part, units = sorted((left, right))
    products = [one for one in nodes_of_line(reading) if isinstance(one, ast.BinOp)]
    factors = [(_names(one.left), _names(one.right)) for one in products if isinstance(one.op, ast.Mult)]
    is_update = any(any(map(_GATE.match, gate)) and any(name[0] == "c" for name in c) for gate, c in factors)
    return units if is_update and 4 * part == 3 * units else 0


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _one_gate(facts: Facts) -> str:
    """Return the line that splits the gates and takes one of them."""
    name, gates, _, axis, cut = facts.stacked_gates
    whole = "gates" if cut else name
    if facts.framework == "PyTorch":
        parts = f"{whole}.chunk({gates}, dim={axis})"
    else:
        parts = f"{advised_lines.library(facts.framework)}.split({whole}, {gates}, axis={axis})"
    if cut:
        step = (
            "x_t = x[:, t]   # where the loop takes a step, if it keeps the axis of the steps, as x[:, t:t + 1] does\n"
        )
        of_step = step * (axis == 2 and cut.endswith("t"))
        order = _ORDERS[gates]
        if not of_step and facts.framework == "PyTorch" and cut[0] in order:
            of_step = f"{cut} = {cut}.chunk({gates}, dim={axis})[{order.index(cut[0])}]   # before this line, if the gates stand in the order {', '.join(order)}\n"
        return f"{of_step}# where {cut} is cut from all gates: along axis {axis}, as in {parts}"
    return f"{name} = {parts}[0]   # the first of {gates} gates"


OF_GATES = strong(
    "broadcast",
    (
        reason(
            "broadcast-gates",
            name="stacked_gates.name",
            gates="stacked_gates.gates",
            k="stacked_gates.units",
            when=lambda f: not f.stacked_gates.cut,
        ),
        reason(
            "gate-of-other-axis",
            gate="stacked_gates.cut",
            axis="stacked_gates.axis",
            size=lambda f: f.stacked_gates.gates * f.stacked_gates.units,
            when=lambda f: f.stacked_gates.cut,
        ),
    ),
    _one_gate,
    lambda f: f.stacked_gates,
)


OF_WEIGHTS_FOR_THREE = sure(
    "hidden-size",
    reason(
        "weights-for-three-gates",
        k="cell_units",
        part=lambda f: 3 * f.cell_units // 4,
        width=lambda f: 3 * f.cell_units,
    ),
    lambda f: (
        f"# where the weights of all gates are made: {4 * f.cell_units} columns, one for each unit of four gates, and not {3 * f.cell_units}"
    ),
    lambda f: f.cell_units,
)


def weights_of_gates(facts: Facts) -> str:
    """Return the line that makes weights for all gates."""
    name, is_left, gates, units = facts.one_gate
    zeros, given = advised_lines.zeros(facts.framework), min(facts.left[-1], facts.right[-1])
    shape = f"{gates * units}, {name}.shape[1]" if is_left else f"{name}.shape[0], {gates * units}"
    bias = f"\nb = {zeros}({given})   # if {given} are right, and b is a bias" if len(facts.right) == 1 else ""
    return f"{name} = {zeros}(({shape}))   # weights of all {gates} gates{bias}"


def one_gate_of_sum(reading: Reading, left: Shape, right: Shape) -> OneGate | None:
    """Return the weights of one gate in a sum with all gates; None if the reader's line is no sum of these."""
    if not left or len(left) != len(right) != 1:
        return None
    smaller, larger = sorted((left, right), key=lambda one: one[-1] if len(left) != len(right) else one)
    at = next(iter(differing_axes(smaller, larger)), 0) if len(left) == len(right) else -1
    gates, units = gates_and_units(smaller[at], larger[at])
    # A bias tells by itself that the other term has gates.
    if 4 * smaller[at] == 3 * larger[at] and (is_round(larger[at] // 4) or len(right) == 1):
        gates, units = 4, larger[at] // 4  # the weights of a GRU beside those of an LSTM
    weights = weights_of_sum(reading, "b" if smaller == right else "a") if gates else None
    return OneGate(*weights, gates, units) if weights else None
