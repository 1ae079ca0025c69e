"""The facts of a matrix product that failed.

Real sizes often give the cause away: k is mostly a power of two or a round number, the weights of g gates have g·k rows, two
directions give 2k, and a stacked input [h; x] has k + m entries.
"""

import ast
from typing import NamedTuple

from core.shapes.layer_shapes import GivenSizes, LayerSizes, Shape, format_shape
from core.shapes.messages import Reading
from core.shapes.rules.products.linear import linear_facts
from core.shapes.rules.read_layer import FEWEST_UNITS, GATES, cells_of, is_round, stand_in
from core.shapes.rules.rule import Facts
from core.shapes.user_code.evidence import failed_operation, ties_weights
from core.shapes.user_code.products_of_line import (
    has_turned_sibling,
    is_sum_of_products,
    is_turned_already,
    multiplies_gradient,
    multiplies_named_state,
    multiplies_stack,
    multiplies_x,
    state_of_product,
    weights_of_product,
)
from core.shapes.user_code.recurrent_lines import (
    flattens_steps,
    given_state,
    takes_last_state,
    takes_name,
    takes_result,
)

# A longer expression is no name for a matrix in a sentence.
_LONGEST_NAME = 40


class Operands(NamedTuple):
    """A product A·B that failed: A is (rows, columns), B is (height, width); None for an unknown size."""

    rows: int | None
    columns: int
    height: int
    width: int | None


def product_facts(reading: Reading, operands: Operands, *, linear: bool, vector: bool) -> Facts:
    """Return what the rules for products refer to.

    Parameters
    ----------
    reading : Reading
    operands : Operands
    linear : bool
        Whether B may be the weights of a linear layer.
    vector : bool
        Whether B is a vector.
    """
    rows, columns, height, width = operands
    A: Shape = (-1 if rows is None else rows, columns)
    B: Shape = (height,) if vector else (height, -1 if width is None else width)
    facts = Facts(
        framework=reading.framework,
        cells=cells_of(reading),
        is_tied=ties_weights(reading),
        # PyTorch's own line, so that B is the weights of a linear layer.
        of_module="F.linear(" in reading.whole,
        is_flattened=takes_name(reading),
        flattens=flattens_steps(reading),
        of_state=takes_last_state(reading) is not False or given_state(reading) == "state",
        of_output=bool(given_state(reading)),
        is_whole_state=given_state(reading) == "state",
        A=A,
        B=B,
        shown_A=_with_name(reading, "A", A, "{}, {},"),
        shown_B=_with_name(reading, "B", B, "{}, {}"),
        **operands._asdict(),
        rest=columns - height,
        weights=weights_of_product(reading),
        of_backward=multiplies_gradient(reading),
        gives_gradient=multiplies_gradient(reading, "A"),
        of_stack=multiplies_stack(reading),
        state=state_of_product(reading),
        of_named_state=multiplies_named_state(reading),
        of_x=multiplies_x(reading),
        has_turned_sibling=has_turned_sibling(reading),
        is_turned_already=is_turned_already(reading),
        of_sum=is_sum_of_products(reading),
        vector=vector,
        # A size of 0, or one that is not said: no story fits.
        is_known=min(size for size in operands if size is not None) > 0,
    )
    # Only weights have gates, so the larger size is one of theirs where the line tells which factor they are.
    of_A, of_B = (
        ((columns, height) if facts.weights != "B" else (0, 1)),
        ((height, columns) if facts.weights != "A" else (0, 1)),
    )
    facts.times = next((g for g in (4, 3) for larger, smaller in (of_A, of_B) if larger == g * smaller), 0)
    facts.is_alike = facts.framework == "NumPy" and A == B
    if facts.is_known:
        vars(facts).update(_stories(operands, vector), **(_linear(operands) if linear else {}))
    return facts


def _with_name(reading: Reading, which: str, sizes: Shape, template: str) -> str:
    """Return the shape of a factor, after the reader's code for it if the line has the product and the code is short."""
    own = failed_operation(reading)
    code = ast.unparse(own.names[which]) if own is not None and {"A", "B"} <= own.names.keys() else ""
    return template.format(code, format_shape(sizes)) if 0 < len(code) < _LONGEST_NAME else format_shape(sizes)


def _linear(operands: Operands) -> dict[str, object]:
    """Return the facts of a linear layer with the weights B."""
    rows, columns, height, width = operands
    of_linear = vars(linear_facts(columns, height, width))
    del of_linear["framework"]
    return of_linear | {"per_step": height // rows if rows else 0}


def _stories(operands: Operands, vector: bool) -> dict[str, object]:
    """Return what the sizes tell of the two matrices."""
    rows, columns, height, width = operands
    lone, lone_gates = lone_part(operands, vector)
    shared, gates, k, m = shared_weights(operands)
    A_turns, B_turns = rows is not None and rows == height, width is not None and width == columns
    return {
        "lone": lone,
        "lone_gates": lone_gates,
        "shared": shared,
        "gates": gates,
        "k": k,
        "m": m,
        "A_turns": A_turns,
        "B_turns": B_turns,
        "turns": A_turns or B_turns,
        # Columns of g gates of k units are more often weights on their side.
        "columns_of_gates": any(
            columns % number == 0 and is_round(columns // number) and columns // number <= height for number in (4, 3)
        ),
        "only_inner": not (A_turns or B_turns) and width is None and not vector,
        "is_bare": rows is None and width is None,
    }


def lone_part(operands: Operands, vector: bool) -> tuple[str, int]:
    """Return which part of the stacked input came alone, if weights of 4 or 3 gates tell k, and the number of gates."""
    rows, columns, height, width = operands
    for gates in (4, 3):
        if width is not None and width % gates == 0 and height - width // gates == columns != 2 * (width // gates):
            return "x", gates
    if (
        rows in (3 * columns, 4 * columns)
        and width != columns
        and rows != height
        and (vector or width is None or width != rows)
    ):
        return "not h", rows // columns
    return "", 0


def shared_kernel(operands: Operands, gates: int) -> tuple[int, int] | None:
    """Return k and m, if B is (k + m, gates·k) and A has 2k columns, as a second layer with the first one's weights has."""
    _, columns, height, width = operands
    if width is None or width % gates or columns != 2 * (width // gates):
        return None
    k = width // gates
    return (k, height - k) if height > k >= FEWEST_UNITS else None


def shared_weights(operands: Operands) -> tuple[str, int, int, int]:
    """Return how the weights of one layer may be given the input of another, with gates, k and m.

    Returns
    -------
    case : {"kernel", "for x", "left for x", "left", ""}
        The weights are B, for the stacked input or for x; or they are A; or there is no such case.
    gates, k, m : int
    """
    rows, columns, height, width = operands
    for gates in (4, 3, 1):
        if told := shared_kernel(operands, gates):
            return "kernel", gates, *told
        if (
            width is not None
            and gates > 1
            and width == gates * columns
            and columns >= FEWEST_UNITS
            and height != columns
            and (rows is None or rows != height)
        ):
            return "for x", gates, columns, height
        # Square weights are for the state.
        if rows is None or gates == 1 or rows == columns:
            continue
        if rows == gates * height and height >= FEWEST_UNITS and height != columns:
            return "left for x", gates, height, columns
        k = rows // gates
        if rows % gates == 0 and height == 2 * k and columns > k >= FEWEST_UNITS:
            return "left", gates, k, columns - k
    return "", 0, 0, 0


def sizes_of_kernel(operands: Operands) -> dict[str, int]:
    """Return k and m if B is a kernel of an LSTM, (m + k, 4k), that a second layer shares."""
    told = shared_kernel(operands, GATES["LSTM"])
    return dict(zip(("k", "m"), told)) if told else {}


def layer_before_linear(reading: Reading, operands: Operands) -> tuple[LayerSizes, GivenSizes] | tuple[None, None]:
    """Return the layer before a linear layer that was made for other sizes, and its inputs."""
    rows, came, made_for, out = operands
    both = came == 2 * made_for
    # Steps that were flattened together are no units.
    T = came // made_for if made_for and came % made_for == 0 and not both else 5
    layer = stand_in("PyTorch", cells_of(reading)[0], k=made_for if both or T != 5 else came, bidirectional=both)
    if layer is None or not rows or not out or not made_for or not takes_result(reading):
        return None, None
    return layer, GivenSizes((T, rows, layer.m), linear=(made_for, out))


def layers_of_kernel(reading: Reading, operands: Operands) -> tuple[LayerSizes, GivenSizes] | tuple[None, None]:
    """Return the two layers of Keras that share a kernel, and their inputs."""
    sizes = sizes_of_kernel(operands)
    layer = stand_in("Keras", "LSTM", layers=2, **sizes) if sizes and reading.framework == "Keras" else None
    return (layer, GivenSizes((operands.rows or 3, 5, layer.m))) if layer else (None, None)
