"""The reader's matrix product with its factors in the other order, or without a transpose."""

import ast
import copy
import re
from collections.abc import Iterator, Mapping

from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import line_with
from core.shapes.user_code.evidence import failed_operation
from core.shapes.user_code.operations import WEIGHTS, is_stored, product_of, weights_in
from core.shapes.user_code.products_of_line import (
    OF_STATE,
    STACKED,
    failed_product,
    is_gradient,
    is_turned,
    name_of,
    products_of_line,
)

INPUT = re.compile(r"(?:x|inp|emb|embedded|tok)(?:_?(?:t|\d|i|step|emb\w*|seq))?s?$|input\w{0,6}$", re.IGNORECASE)
# The side of the weights, by the factor that they multiply.
_OF_WEIGHTS = {"A": "right", "B": "left", "": ""}


def multiplied(names: dict[str, ast.expr]) -> str:
    """Return which factor of a product is what weights multiply, by the names; empty if they tell none."""
    found = {name: name_of(names[name]) for name in "AB"}
    weights = [name for name in "AB" if WEIGHTS.search(found[name])]
    data = [
        name
        for name in "AB"
        if INPUT.match(found[name])
        or OF_STATE.match(found[name])
        or STACKED.match(found[name])
        or is_gradient(names[name])
    ]
    if len(weights) == 1:
        return "AB".replace(weights[0], "")
    return data[0] if len(data) == 1 and not weights else ""


def _other_products(reading: Reading, product: dict[str, ast.expr]) -> Iterator[list[dict[str, ast.expr]]]:
    """Yield the other products of the line, then those of the program, of a forward pass if this one is of such."""
    own = [ast.dump(product[name]) for name in "AB"]
    of_program = [
        names
        for one in reading.program
        for node in ast.walk(one.value)
        if isinstance(node, ast.expr) and (names := product_of(node))
    ]
    for products in (products_of_line(reading), of_program):
        yield [
            names
            for names in products
            if [ast.dump(names[name]) for name in "AB"] != own
            and any(map(is_gradient, names.values())) == any(map(is_gradient, product.values()))
        ]


def sides_of_weights(reading: Reading) -> tuple[str, str]:
    """Return the side of the weights, left or right, in the reader's product and in the others; empty where no name tells it."""
    product = failed_product(reading)
    if not product:
        return "", ""
    here, there = multiplied(product), ""
    for products in _other_products(reading, product):
        found = {multiplied(names) for names in products} - {""}
        if found:
            there = found.pop() if len(found) == 1 else ""
            break
    return _OF_WEIGHTS[here], _OF_WEIGHTS[there]


def _is_part(node: ast.expr) -> bool:
    """Whether an index takes a part of an array, and not an entry of a dictionary."""
    return isinstance(node, ast.Subscript) and not isinstance(getattr(node.slice, "value", None), str)


def possible_weights(reading: Reading) -> str:
    """Return those of A and B that may be weights, which the program can make anew: no data by its name, and no part of an array."""
    product = failed_product(reading)
    if not product:
        return "AB"
    made = {name: node for name, node in product.items() if is_stored(node) and not _is_part(node)}
    return "".join(
        name for name in "AB" if name in made and name != multiplied(product) and not is_gradient(made[name])
    )


def with_factors_exchanged(reading: Reading) -> str:
    """Return the reader's line with the factors of its product in the other order; empty if the text lacks the product."""
    own = failed_operation(reading)
    if own is None or not {"A", "B"} <= own.names.keys() or not isinstance(own.node, ast.expr):
        return ""
    node = copy.deepcopy(own.node)
    match node:
        case ast.BinOp():
            node.left, node.right = node.right, node.left
        case ast.Call(args=[first, second]):
            node.args = [second, first]
        case ast.Call(func=ast.Attribute(value=first) as method, args=[second]):
            method.value, node.args = second, [first]
        case _:
            return ""
    return line_with(reading, own.node, ast.unparse(node))


def without_transpose(reading: Reading, fits: Mapping[str, bool | None]) -> tuple[str, str]:
    """Return which factor of the reader's product may fit without its transpose, and the line; empty if none has one.

    Parameters
    ----------
    reading : Reading
    fits : mapping from str to bool
        Whether A and B fit after a transpose; None if the sizes do not tell.
    """
    product = failed_product(reading)
    turned = [name for name in "AB" if product and is_turned(product[name])]
    of_gradient = any(map(is_gradient, product.values()))
    # A gradient goes back through the transpose of weights.
    known = [name for name in turned if fits[name] and not (of_gradient and weights_in(product) == name)]
    if turned and not known and not of_gradient:
        others = next(_other_products(reading, product))
        known = [name for name in turned if fits[name] is None and not any(is_turned(names[name]) for names in others)]
    if len(known) != 1:
        return "", ""
    factor = product[known[0]]
    return known[0], line_with(reading, factor, ast.unparse(factor.value))  # type: ignore[attr-defined]
