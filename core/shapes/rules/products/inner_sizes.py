"""Matrix products of which a message has the inner sizes only: the names in the reader's line tell the rest."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.products.matrix_product_facts import Operands
from core.shapes.rules.products.stacked_input_weights import MEET
from core.shapes.rules.read_layer import is_power, is_round, like_batch
from core.shapes.rules.rule import Facts, Rule, Rules, reason
from core.shapes.user_code.changed_calls import line_with
from core.shapes.user_code.evidence import failed_operation
from core.shapes.user_code.jax_lines import with_argument
from core.shapes.user_code.product_forms import (
    possible_weights,
    sides_of_weights,
    with_factors_exchanged,
    without_transpose,
)
from core.shapes.user_code.products_of_line import (
    expected_by_name,
    in_all_products,
    multiplies_gradient,
    orders_of_gradient,
    weights_of_product,
)

# Libraries of which people write cells by hand, with arrays for weights.
BY_HAND = ("NumPy", "JAX")


def of_weights(facts: Facts, of_A: str, of_B: str) -> str:
    """Return the line for the operand that the reader names as weights, or for each that may be."""
    lines = {"A": of_A, "B": of_B}
    return lines.get(facts.weights) or "\n".join(lines[name] for name in facts.possible_weights if lines[name])


def lacks_a_part(facts: Facts) -> bool:
    """Whether the weights may be for a stacked input, of which one part came."""
    is_other = facts.of_sum or facts.backward or facts.state
    return facts.columns > facts.height and not is_other and (is_round(facts.rest) or is_round(facts.height))


# ---- a backward pass -------------------------------------------------------------------------------


def backward_lines(reading: Reading, operands: Operands) -> str:
    """Return the reader's line with the product that a backward pass may mean; a size of 1 tells whether a sequence is a row."""
    if not (orders := orders_of_gradient(reading)) or operands.rows is not None or operands.width is not None:
        return ""
    told = {operands.columns == 1: False, operands.height == 1: True}.get(True)
    codes = {
        one.code: f"if each sequence is a {'row' if one.in_rows else 'column'}"
        for one in orders
        if told in (None, one.in_rows)
    }
    # Two vectors have an outer product, and no transpose.
    if told is None and reading.framework == "NumPy" and not weights_of_product(reading):
        outer = {"np.outer(A, B)": "if both are vectors"}
        codes = outer | codes if multiplies_gradient(reading, "A") else codes | outer
    lines = [(in_all_products(reading, code), words) for code, words in codes.items()]
    return "\n".join(f"{line}   # {words}" for line, words in lines if line)


BACKWARD = sure(
    "transpose",
    (
        MEET,
        reason("dot-outer", when=lambda f: not f.weights),
        reason("product-through-weights", when=lambda f: f.weights),
    ),
    own="backward",
)

# ---- the other order, or no transpose --------------------------------------------------------------


def facts_of_forms(reading: Reading, operands: Operands) -> dict[str, object]:
    """Return the facts of `OTHER_FORMS`: the reader's product in the other order, and without a transpose."""
    rows, columns, height, width = operands
    (here, there), exchanged = sides_of_weights(reading), with_factors_exchanged(reading)
    is_unknown = rows is None or width is None
    # The weights that fit after a transpose leave the order open.
    is_open = width == columns if here == "right" else rows == height
    may_be_exchanged = bool(here and exchanged) and (is_unknown or rows == width)
    is_line = may_be_exchanged and bool(there) and here != there
    is_alone, is_probable = may_be_exchanged and not there, _is_probable(reading, operands, here)
    unturned, line = without_transpose(
        reading, {"A": None if rows is None else rows == height, "B": None if width is None else width == columns}
    )
    return {
        "here": here,
        "there": there,
        "of_line": exchanged if is_line else "",
        "exchanged": exchanged if is_alone and not (is_unknown or is_open) else "",
        "may_be_exchanged": exchanged if is_alone and is_unknown and (is_probable or here == "right") else "",
        "is_probable": is_probable,
        "unturned": unturned,
        "possible_weights": possible_weights(reading),
        "without_transpose": line,
    }


def _is_probable(reading: Reading, operands: Operands, here: str) -> bool:
    """Whether a column stands on the left of its weights, or a row on their right; most libraries have each sequence as a row."""
    is_row = here == "left" and (operands.height == 1 or reading.framework != "NumPy")
    return operands.columns == 1 or is_row


def _is_certain(facts: Facts) -> bool:
    return -1 not in (facts.A if facts.unturned == "A" else facts.B)


OTHER_FORMS: Rules = (
    sure("inner-dimension", (MEET, reason("product-order-of-line", "here", "there")), own="of_line"),
    Rule(
        "transpose",
        lambda f: Fit.SURE if _is_certain(f) else Fit.STRONG,
        (
            MEET,
            reason("product-may-be-unturned", name="unturned", when=lambda f: not _is_certain(f)),
            reason(
                "product-unturned",
                name="unturned",
                shape=lambda f: (f.A if f.unturned == "A" else f.B)[::-1],
                when=_is_certain,
            ),
        ),
        "{without_transpose}",
        lambda f: f.without_transpose,
        lambda f: {f.unturned: (f.A if f.unturned == "A" else f.B)[::-1]},
        lambda f: True,
    ),
    Rule(
        "transpose",
        lambda f: Fit.SURE if f.exchanged else Fit.LIKELY,
        (MEET, reason("product-other-way-round", "width", "rows")),
        lambda f: f.exchanged or "B @ A",
        lambda f: f.exchanged or not (f.turns or f.of_line) and f.width is not None and f.width == f.rows,
        lambda f: {"A": f.B, "B": f.A},
        lambda f: f.exchanged,
    ),
    Rule(
        "inner-dimension",
        lambda f: Fit.STRONG if f.is_probable else Fit.WEAK,
        (MEET, reason("product-may-be-exchanged")),
        "{may_be_exchanged}",
        lambda f: f.may_be_exchanged and not f.backward,
        is_own=lambda f: True,
    ),
)

# ---- weights for another array -------------------------------------------------------------------

OTHER_ARRAY = strong(
    "inner-dimension",
    (MEET, reason("product-with-other-array", name="expected[0]", wanted="expected[1]")),
    when=lambda f: f.other_array and not f.turns,
    own="other_array",
    note="by the name of the weights",
)


def with_expected_array(reading: Reading) -> str:
    """Return the reader's line with the array that the name of the weights tells; empty if it tells none."""
    other, wanted = expected_by_name(reading)
    own = failed_operation(reading)
    if not other or own is None:
        return ""
    return line_with(reading, own.names[other], wanted)


# ---- a part of the stacked input -----------------------------------------------------------------

_NAMES_OF_PARTS = {"x": r"\bx(?:_?t|s\[t\]|\[t\])?(?![\w\[(.])", "h": r"\bh(?:_?prev|_?t)?(?![\w\[(.])"}


def with_other_part(reading: Reading, facts: Facts) -> str:
    """Return the reader's line with the part of the stacked input that is missing; empty if the line has no such product.

    Its name is that of a line above, or x or h.
    """
    own, missing = failed_operation(reading), missing_part(facts)
    if own is None or "B" not in own.names or facts.framework not in BY_HAND:
        return ""
    found = [name for line in reading.own for name in re.findall(_NAMES_OF_PARTS[missing], line.code)]
    part, given = found[-1] if found else missing, ast.unparse(own.names["B"])
    parts = (given, part) if missing == "x" else (part, given)
    joined = f"{advised_lines.library(facts.framework)}.concatenate([{', '.join(parts)}])"
    line = line_with(reading, own.names["B"], joined)
    return f"{line}   # if {given} is {'h' if missing == 'x' else 'x'} alone"


def missing_part(facts: Facts) -> str:
    """Return which part of the stacked input is missing, h or x, by the number of entries that are missing."""
    return "h" if is_round(facts.rest) else "x"


# ---- a state of other units --------------------------------------------------------------------


def of_scanned_state(reading: Reading, facts: Facts) -> str:
    """Return the line of the reader's scan with a first state for the weights; empty if no scan has the state."""
    if not facts.state:
        return ""
    shape = f"({facts.columns}, *{{0}}.shape[1:])" if facts.state == "B" else f"(*{{0}}.shape[:-1], {facts.height})"
    return with_argument(reading, "init", f"jnp.zeros({shape})")


def _other_units(facts: Facts) -> str:
    """Return the lines that make the state for its weights, or the weights for the state."""
    zeros = advised_lines.zeros(facts.framework)
    if facts.scan:
        return f"{facts.scan}   # a first state for the weights"
    if facts.state == "B":
        state = f"B = {zeros}(({facts.columns}, *B.shape[1:]))"
        weights = f"A = {zeros}(({facts.height if facts.rows == facts.columns else 'A.shape[0]'}, {facts.height}))"
    else:
        state = f"A = {zeros}((*A.shape[:-1], {facts.height}))"
        weights = f"B = {zeros}(({facts.columns}, {facts.columns if facts.width == facts.height else 'B.shape[1]'}))"
    if facts.is_made_for_units:
        return f"{weights}   # weights made anew\n{state}   # if the weights are right: where the state begins"
    return f"{state}   # where the state begins\n{weights}   # if the state is right: weights made anew"


def _units_expected(facts: Facts) -> int:
    return int(facts.columns if facts.state == "B" else facts.height)


OF_OTHER_UNITS = strong(
    "hidden-size",
    (
        MEET,
        reason(
            "weights-of-other-units",
            name="state",
            wanted=_units_expected,
            got=lambda f: f.columns + f.height - _units_expected(f),
        ),
    ),
    _other_units,
    lambda f: (
        f.framework in BY_HAND
        and f.state
        and not (f.turns or f.backward or f.times or f.crossed or 1 in (f.columns, f.height))
    ),
    lambda f: {"B": (f.columns, *f.B[1:])} if f.state == "B" else {"A": (*f.A[:-1], f.height)},
    lambda f: f.scan,
)

# ---- one of two transposed ---------------------------------------------------------------------


def _is_of_state(facts: Facts) -> bool:
    """Whether B has as many entries as a state, and not as many as a batch."""
    return is_round(facts.height) and not is_power(facts.height) and facts.height > facts.columns


def _either_turned(facts: Facts) -> str:
    """Return the lines with the transpose of one operand, of which the message has the inner size only."""
    of_A = f"A.T @ B   # if A has {advised_lines.counted(facts.height, 'row', 'rows')}"
    of_B = f"A @ B.T   # if B has {advised_lines.counted(facts.columns, 'column', 'columns')}"
    if facts.weights != "A" or not (is_power(facts.height) or _may_be_in_rows(facts)) or facts.of_stack:
        return of_weights(facts, of_A, of_B)
    of_rows = f"B @ A.T   # if each sequence is a row of B, {facts.height} in all"
    # On their side, weights have the units where the entries of x belong, and most layers have more units.
    units_first = is_round(facts.columns) and facts.columns > facts.height
    of_rows += "\nA @ B.T   # if B alone has each sequence as a row" * _may_be_in_rows(facts)
    is_batch = is_power(facts.height) or like_batch(facts.height) and not units_first
    return "\n".join((of_rows, of_A) if is_batch else (of_A, of_rows))


def _may_be_in_rows(facts: Facts) -> bool:
    """Whether weights on the left multiply an x, by its name, which may have a batch in its rows."""
    is_other = facts.of_stack or lacks_a_part(facts) or _is_of_state(facts) and is_round(facts.columns)
    return facts.weights == "A" and facts.of_x and not is_other


def _fit_of_either(facts: Facts) -> Fit:
    """Return how well the transpose of weights fits, of which the message has the inner size only."""
    if facts.has_turned_sibling or facts.is_turned_already and not facts.of_backward:
        return Fit.STRONG
    if facts.columns > facts.height and is_power(facts.height) and is_power(facts.columns):
        return Fit.POSSIBLE  # as likely a batch in rows as a part of the stacked input
    if _may_be_in_rows(facts):
        return Fit.POSSIBLE
    if facts.height == 2 * facts.columns or facts.state or lacks_a_part(facts):
        return Fit.REMOTE  # weights for a state are square
    if facts.framework == "JAX" and not (facts.has_own or facts.weights):
        return Fit.WEAK  # the sizes alone tell nothing of either
    if not facts.weights:
        # A batch on one side, and on the other the entries of x.
        is_of_batch = is_power(facts.height) and not is_round(facts.columns)
        return Fit.POSSIBLE if is_of_batch or len(facts.possible_weights) == 1 else Fit.REMOTE
    if facts.weights == "A" and not facts.of_stack and _is_of_state(facts):
        return Fit.REMOTE  # an x of as many entries as a state is rather an h
    units, other = (facts.columns, facts.height) if facts.weights == "A" else (facts.height, facts.columns)
    if facts.of_stack and is_round(units):
        return Fit.PLAUSIBLE
    # On their side, weights for x have the units where the entries of x belong, and most layers have more units.
    if facts.of_named_state and is_round(other) and not is_round(units):
        return Fit.POSSIBLE  # the state has the units, so the weights have another size there
    is_turned = is_round(units) or facts.weights == "A" and (units > other or is_power(other))
    return Fit.POSSIBLE if is_turned else Fit.REMOTE


OF_INNER_SIZES: Rules = (
    Rule(
        "transpose",
        _fit_of_either,
        (MEET, reason("product-may-be-turned")),
        _either_turned,
        lambda f: f.only_inner and f.rows is None and not f.backward and 1 not in (f.height, f.columns),
    ),
)
