"""Weights of a cell or a layer that the reader writes for Keras, in products and sums of its call."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from core.shapes.layer_shapes import Shape, format_shape
from core.shapes.messages import Reading, shape
from core.shapes.rules.fits import strong
from core.shapes.rules.read_layer import keras_cell
from core.shapes.rules.rule import Diagnosis, Facts, reason
from core.shapes.user_code.evidence import failed_statement, is_named_as_state
from core.shapes.user_code.operations import product_of

# The place of an operation among those of its kind in a line, at the end of the name of its node.
_NODE = re.compile(r"\{\{node [\w/.-]{0,300}?/(MatMul|add|Add|AddV2)(?:_(\d{1,3}))?\}\}")


class Term(NamedTuple):
    """A part of a sum: its weights, and what they multiply; None for a bias."""

    weights: str
    given: ast.expr | None

    @property
    def is_of_state(self) -> bool:
        root = self.given.value if isinstance(self.given, ast.Subscript) else self.given
        return root is not None and is_named_as_state(root)


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of an expression in the order in which Python computes them."""
    for part in ast.iter_child_nodes(node):
        yield from _in_order(part)
    yield node


def _weights(node: ast.expr) -> str:
    """Return the name of weights that the reader's layer keeps; empty if it is another expression."""
    is_own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return ast.unparse(node) if is_own else ""


def _term(node: ast.expr) -> Term | None:
    factors = product_of(node)
    if factors:
        name = _weights(factors["B"])
        return Term(name, factors["A"]) if name else None
    return Term(name, None) if (name := _weights(node)) else None


def _operations(reading: Reading, of_products: bool) -> list[ast.expr]:
    """Return the products, or the sums, of the reader's line in their order."""
    found = []
    for node in _in_order(failed_statement(reading) or ast.Pass()):
        if isinstance(node, ast.expr) and of_products and product_of(node):
            found.append(node)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and not of_products:
            found.append(node)
    return found


def _failed(reading: Reading, of_products: bool) -> ast.expr | None:
    """Return the product or the sum that failed: by the mark below the line, by its node, or the only one of the line."""
    found = _operations(reading, of_products)
    node = _NODE.search(reading.whole)
    marked = [one for one in found if reading.own[-1].marks(one)]
    if marked:
        return marked[0]
    at = int(node[2] or 0) if node else 0
    if not found or at >= len(found) or not node and len(found) > 1:
        return None
    return found[at]


def of_own_weights(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of weights in a product or a sum of two shapes in the reader's own layer; None if the line has none."""
    if found := _made_for_steps(reading, left, right):
        return found
    if reading.framework != "Keras" or not re.search(
        r"Exception encountered when calling \w{1,60}\.call", reading.whole
    ):
        return None
    node = _NODE.search(reading.whole)
    of_products = node[1] == "MatMul" if node else "MatMul" in reading.whole
    failed = _failed(reading, of_products)
    if failed is None:
        return _built_for_input(reading, left, right) if of_products else None
    if of_products:
        term = _term(failed)
        return _of_product(term, left, right) if term and len(left) == len(right) == 2 else None
    if not isinstance(failed, ast.BinOp):
        return None
    return _of_sum(reading, failed, left, right)


_GIVEN = r"{}=[\[(]?.{{0,20}}?shape=(\([\w, ]{{1,40}}\))"


def _built_for_input(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of weights for a state, or for h and x together, that lack rows; None if the listed sizes tell another story."""
    told = [re.search(_GIVEN.format(name), reading.after) for name in ("inputs", "states")]
    if keras_cell(reading) or None in told or len(left) != 2 or len(right) != 2:
        return None
    m, k = (shape(one[1])[-1] for one in told if one)
    wanted, is_for_x = (left[1], right[1]), left[1] == k != m == right[0] and right[1] % k == 0
    if not is_for_x and not (left[1] == m + k and right[0] in (m, k)):
        return None
    name = "self.recurrent_kernel" if is_for_x else "self.kernel"
    facts = Facts(name=name, shape=right, wanted=wanted, k=k, of_state=False, m=0 if is_for_x else m)
    return Diagnosis("matrix-product", facts, OWN_WEIGHTS, product=(left, right))


def _made_for_steps(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of weights with a row for each step, which multiply the features of all steps; None if they are none.

    A product of three axes and two is one of two tables in a graph, with a row for each step of each sequence.
    """
    if "/Tensordot/MatMul" not in reading.whole or len(left) != 2 or len(right) != 2:
        return None
    if min(*left, *right) < 1 or left[0] % right[0] or right[0] in (1, left[0]):
        return None
    facts = Facts(rows=left[0], sequences=left[0] // right[0], steps=right[0], features=left[1], width=right[1])
    return Diagnosis("matrix-product", facts, WEIGHTS_OF_STEPS, product=(left, right))


WEIGHTS_OF_STEPS = strong(
    "inner-dimension",
    reason("weights-for-steps", "rows", "sequences", "steps", "features"),
    "self.W = self.add_weight(shape=(input_shape[-1], {width}))   # in build, with its other arguments: the features, and not the steps, input_shape[1]",
    conform=lambda f: {"B": (f.features, f.width)},
)


def _of_product(term: Term, left: Shape, right: Shape) -> Diagnosis | None:
    if left[1] < 1 or left[1] == right[1] and not term.is_of_state:
        return None  # a transpose may be meant, but weights for a state have as many rows as columns
    of_state = term.is_of_state and right[0] == right[1]
    facts = Facts(name=term.weights, shape=right, wanted=(left[1], right[1]), k=right[0], of_state=of_state, m=0)
    return Diagnosis("matrix-product", facts, OWN_WEIGHTS, product=(left, right))


def _of_sum(reading: Reading, failed: ast.BinOp, left: Shape, right: Shape) -> Diagnosis | None:
    listed = re.search(r"states=[\[(].{0,20}?shape=(\([\d, ]{1,40}\))", reading.whole)
    units = shape(listed[1])[-1] if listed else left[-1]
    wrong, got = (failed.right, right) if right[-1] != units else (failed.left, left)
    term = _term(wrong)
    if term is None or got[-1] == units or units < 1:
        return None
    if term.given is None:
        wanted = f"({units},)"
    elif term.is_of_state:
        wanted = f"({units}, {units})"
    else:
        wanted = f"(input_shape[-1], {units})"
    facts = Facts(name=term.weights, shape=got, wanted=wanted, k=units, of_state=False)
    return Diagnosis("entry-by-entry", facts, OWN_WEIGHTS_OF_SUM)


def _added(facts: Facts) -> str:
    wanted = facts.wanted if isinstance(facts.wanted, str) else format_shape(facts.wanted)
    return f"{facts.name} = self.add_weight(shape={wanted})   # in build, with its other arguments"


OWN_WEIGHTS = strong(
    "inner-dimension",
    (
        reason("weights-of-own-layer", "name", "shape", rows="wanted[0]", when=lambda f: not f.m),
        reason("weights-of-both", "shape", "k", "m", when=lambda f: f.m),
    ),
    _added,
    conform=lambda f: {"B": f.wanted},
)

OWN_WEIGHTS_OF_SUM = strong("hidden-size", reason("units-of-own-layer", "name", "k"), _added)
