"""The matrix products of the reader's line: the roles of their factors, by their names."""

import ast
import re
from typing import NamedTuple

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import changed_line, line_with
from core.shapes.user_code.evidence import (
    failed_operation,
    failed_statement,
    is_named_as_state,
    is_product_of_entries,
    nodes_of_line,
)
from core.shapes.user_code.operations import WEIGHTS, is_join, is_stored, product_of, weights_in
from core.shapes.user_code.syntax_trees import (
    attribute_of,
    expression,
    function_of,
    last_name,
    root_of,
    with_code,
)

_GRADIENT = re.compile(
    r"(?!da(?:ta|te|ys)|di[cm]|doc)d_?(?:[hcxyzaoifgrnuW](?:$|_|[a-z]{0,4}$)|logits?|scores?|pre\w{0,10}|raw|tanh|probs?|s$)|grad|delta"
)
STACKED = re.compile(r"z$|zt$|hx|xh|concat|stack|comb|joined", re.IGNORECASE)
_RECURRENT = re.compile(r"U[a-z]?$|[WUR]_?(?:h_?h|hidden|rec\w{0,8}|r)$|Wh[iofcgzrn]?$", re.IGNORECASE)
OF_STATE = re.compile(
    r"(?:h|hs|a|s|hx|hid\w*|state\w*|hprev\w*|[has]_?(?:\d|t|prev|next|init|start|last)\w*|prev\w{0,10})$"
)
# The gradient of weights, as dW, self.dWhh, grads["dWx"], grad_W or gradients["Wy"].
_OF_WEIGHTS = re.compile(
    r"(?:^|[._'\"\[])(?:d_?|dL_?d_?|grad_?|g_?|delta_?|nabla_?)(?:[WUVR]|w(?![a-z])|weights?)|\bgrad\w{0,10}\[['\"][WUVR]"
)


def is_turned(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "T"


def name_of(node: ast.expr) -> str:
    """Return the name of an array, without a transpose and an index; that of an entry of a dictionary is its key."""
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return name_of(node.value)
    key = node.slice.value if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) else None
    if isinstance(key, str):
        return key
    if isinstance(node, ast.Subscript):
        return name_of(node.value)
    return last_name(root_of(node))


def products_of_line(reading: Reading) -> list[dict[str, ast.expr]]:
    """Return the factors of all products in the reader's line."""
    return [names for node in nodes_of_line(reading) if isinstance(node, ast.expr) and (names := product_of(node))]


def failed_product(reading: Reading) -> dict[str, ast.expr]:
    """Return the factors A and B of the product that failed; empty if something else failed, or if the line does not tell."""
    own = failed_operation(reading)
    return own.names if own is not None and {"A", "B"} <= own.names.keys() else {}


def weights_of_product(reading: Reading) -> str:
    """Return which of A and B has the name of weights in all the reader's products; empty if neither has, or both."""
    product = failed_operation(reading)
    if product is not None:
        return weights_in(product.names) if {"A", "B"} <= product.names.keys() else ""
    named = set(map(weights_in, products_of_line(reading)))
    return named.pop() if len(named) == 1 else ""


def has_turned_sibling(reading: Reading) -> bool:
    """Whether the reader's line transposes the weights of another product on the side where this one has plain weights."""
    product = failed_product(reading)
    side = weights_in(product) if product else ""
    if not side or is_turned(product[side]):
        return False
    others = [names for names in products_of_line(reading) if ast.dump(names[side]) != ast.dump(product[side])]
    return any(is_turned(names[side]) and weights_in(names) == side for names in others)


def is_turned_already(reading: Reading) -> bool:
    """Whether the weights of the reader's product stand transposed in the line."""
    product = failed_product(reading)
    side = weights_in(product) if product else ""
    return bool(side) and is_turned(product[side])


def has_batch_in_rows(reading: Reading) -> bool:
    """Whether the reader's line multiplies by weights from the right, so that each sequence is a row."""
    return any(WEIGHTS.search(ast.unparse(names["B"])) for names in products_of_line(reading))


def multiplies_stack(reading: Reading) -> bool:
    """Whether the reader's product multiplies weights by a concatenation, or by what has the name of a stacked input."""
    product = failed_product(reading)
    if not product or weights_in(product) != "A":
        return False
    return is_join(product["B"]) or bool(STACKED.match(name_of(product["B"])))


def state_of_product(reading: Reading) -> str:
    """Return which operand of the reader's product, A or B, is a state beside weights for a state, by their names."""
    names = {name: name_of(factor) for name, factor in failed_product(reading).items() if name in "AB"}
    if not names:
        return ""
    states = [name for name, other in ("AB", "BA") if OF_STATE.match(names[name]) and _RECURRENT.match(names[other])]
    return states[0] if len(states) == 1 else ""


def multiplies_named_state(reading: Reading) -> bool:
    """Whether the reader's product multiplies weights by what has the name of a state."""
    product = failed_product(reading)
    other = {"A": "B", "B": "A"}.get(weights_in(product), "") if product else ""
    return bool(other and OF_STATE.match(name_of(product[other])))


def multiplies_x(reading: Reading) -> bool:
    """Whether the reader's product multiplies weights by an input, by its name."""
    product = failed_operation(reading)
    return (
        product is not None
        and "B" in product.names
        and bool(re.match(r"[xX](?:_?[a-z]|_?\d)?$|inp", last_name(root_of(product.names["B"]))))
    )


def is_sum_of_products(reading: Reading) -> bool:
    """Whether the reader's line adds two products, so that neither is one of a stacked input."""
    return _sum_of_products(reading) is not None


def _sum_of_products(reading: Reading) -> ast.BinOp | None:
    """Return the only sum of two products in the reader's line, such as x @ W + h @ U; None if there is none."""
    sums = [
        node
        for node in nodes_of_line(reading)
        if isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Add)
        and product_of(node.left)
        and product_of(node.right)
    ]
    return sums[0] if len(sums) == 1 else None


def state_for_batch(reading: Reading) -> str:
    """Return the line that makes the state in one of two added products for the batch of the other; empty if no name tells a state."""
    added = _sum_of_products(reading)
    products = [product_of(part) for part in (added.left, added.right)] if added is not None else []
    factors = [
        (names["A" if weights == "B" else "B"], weights)
        for names in products
        if names and (weights := weights_in(names))
    ]
    states = [one for one, _ in factors if is_stored(one) and OF_STATE.match(name_of(one))]
    if len({weights for _, weights in factors}) != 1 or len(factors) != len(products) or len(states) != 1:
        return ""
    state = ast.unparse(states[0])
    of_x = next(one for one, _ in factors if one is not states[0])
    in_rows = factors[0][1] == "B"
    x = ast.unparse(_with_batch_of(of_x) if in_rows else of_x)
    library = {"JAX": "jnp", "Keras": "tf"}.get(reading.framework, "np")
    shape = f"len({x}), {state}.shape[1]" if in_rows else f"{state}.shape[0], {x}.shape[1]"
    return f"{state} = {library}.zeros(({shape}))"


def _with_batch_of(x: ast.expr) -> ast.expr:
    """Return the array of which an index takes one step of all sequences, as the state begins before the loop; else the same."""
    index = x.slice.elts if isinstance(x, ast.Subscript) and isinstance(x.slice, ast.Tuple) else []
    return x.value if index and isinstance(x, ast.Subscript) and ast.unparse(index[0]) == ":" else x


def changes_by_product(reading: Reading) -> bool:
    """Whether the reader's line changes an array in place by a matrix product, as a gradient changes weights."""
    statement = failed_statement(reading)
    return isinstance(statement, ast.AugAssign) and bool(products_of_line(reading))


def as_matrix_product(reading: Reading, left: Shape, right: Shape) -> str:
    """Return the reader's line with a matrix product for one entry by entry that only fits as such; empty if it is another."""
    own = failed_operation(reading)
    if own is None or not is_product_of_entries(reading) or not len(left) == len(right) == 2:
        return ""
    factors = {"a": left, "b": right}
    for name, other in ("ab", "ba"):
        is_square = factors[name][0] == factors[name][1] != 1
        if not (is_square or WEIGHTS.search(ast.unparse(own.names[name]))):
            continue
        # Weights stand on the right of rows, and on the left of columns.
        code = f"{other} @ {name}" if factors[other][1] == factors[name][0] else f"{name} @ {other}"
        if factors[code[0]][1] == factors[code[-1]][0]:
            names = {
                one: f"({ast.unparse(own.names[one])})"
                if isinstance(own.names[one], ast.BinOp)
                else ast.unparse(own.names[one])
                for one in "ab"
            }
            new = f"{names[code[0]]} @ {names[code[-1]]}"
            return line_with(reading, own.node, new) if isinstance(own.node, ast.expr) else ""
    return ""


def weights_of_sum(reading: Reading, name: str) -> tuple[str, bool] | None:
    """Return the weights in a product that is a or b of the reader's sum, and whether they stand on its left."""
    own = failed_operation(reading)
    factor = own.names.get(name) if own else getattr(_sum_of_products(reading), {"a": "left", "b": "right"}[name], None)
    is_sum = own is None or isinstance(own.node, ast.BinOp) and isinstance(own.node.op, ast.Add)
    product = product_of(factor) if factor is not None and is_sum else None
    weights = weights_in(product) if product else ""
    if not product or not weights or not is_stored(product[weights]):
        return None
    return ast.unparse(product[weights]), weights == "A"


def is_gradient(node: ast.expr) -> bool:
    return bool(_GRADIENT.match(name_of(node))) and not _OF_WEIGHTS.search(ast.unparse(node))


def multiplies_gradient(reading: Reading, operand: str = "B") -> bool:
    """Whether an operand of the reader's product has the name of a gradient, as in a backward pass by hand."""
    product = failed_operation(reading)
    return product is not None and operand in product.names and is_gradient(product.names[operand])


def _gives_gradient_of_weights(reading: Reading) -> bool:
    """Whether the reader's line keeps its result under the name of a gradient of weights."""
    tree = failed_statement(reading)
    if not isinstance(tree, ast.Assign | ast.AugAssign):
        return False
    target = tree.targets[0] if isinstance(tree, ast.Assign) else tree.target
    return bool(_OF_WEIGHTS.search(ast.unparse(target)))


class Order(NamedTuple):
    """A product of A and B as a backward pass writes it, and whether each sequence is a row there."""

    code: str
    in_rows: bool


def _factors(reading: Reading) -> dict[str, ast.expr]:
    """Return the factors of the product that failed, or of one of several that have the same form; empty otherwise."""
    own = failed_operation(reading)
    if own is not None and isinstance(own.node, ast.AugAssign):
        return product_of(own.node.value) or {}
    if own is not None:
        return failed_product(reading)
    products = products_of_line(reading)
    return products[0] if len({(_form(one), weights_in(one)) for one in products}) == 1 else {}


def in_all_products(reading: Reading, code: str) -> str:
    """Return the reader's line with a product of A and B for the one that failed, and for all others of the same form."""
    form = _form(_factors(reading))

    def changed(node: ast.expr) -> ast.expr | None:
        names = product_of(node)
        if not names or _form(names) != form:
            return None
        factors = {
            name: f"({ast.unparse(part)})" if isinstance(part, ast.BinOp) else ast.unparse(part)
            for name, part in names.items()
        }
        return expression(re.sub(r"\b[AB]\b", lambda match: factors[match[0]], code))

    return changed_line(failed_statement(reading), changed)


def _form(names: dict[str, ast.expr]) -> tuple[tuple[bool, bool], ...]:
    """Return, for each factor of a product, whether it is transposed and whether it is a gradient."""
    return tuple((is_turned(names[name]), is_gradient(names[name])) for name in "AB")


_FROM_TO = re.compile(r"[WUV]_?([xhas])_?([xhasy])$")


def expected_by_name(reading: Reading) -> tuple[str, str]:
    """Return which operand of the reader's product the name of its weights does not fit, and the name of what it expects.

    W_hy and W_ya multiply a state, and W_xh and W_ax an input. Both texts are empty if the names fit, or do not tell.
    """
    product = failed_product(reading)
    for weights, other in ("AB", "BA") if product else ():
        name = name_of(product[weights])
        told = _FROM_TO.match(name) or re.match(r"[WUV]_?(y)_?([has])$|[WUV]_?([ha])_?(x)$", name)
        if not told:
            continue
        letters = [one for one in told.groups() if one]
        wanted = "x" if "x" in letters else next(one for one in letters if one != "y")
        given = product[other]
        is_x = bool(re.match(r"(?:x|xs|x_?t|inputs?)$", name_of(given)))
        is_state = bool(OF_STATE.match(name_of(given)))
        if is_x and wanted != "x" or is_state and wanted == "x":
            return other, wanted
    return "", ""


def orders_of_gradient(reading: Reading) -> tuple[Order, ...]:
    """Return the products that the reader may mean in a backward pass, the likeliest first; empty if the names tell no gradient.

    The gradient of weights is ``dz @ x.T`` if each sequence is a column, and ``x.T @ dz`` if each is a row. The gradient of
    what the weights multiplied is ``W.T @ dz`` or ``dz @ W.T``.
    """
    names = _factors(reading)
    if not names:
        return ()
    plain = {name: f"{name}.T" if is_turned(names[name]) else name for name in "AB"}
    turned = {name: name if is_turned(names[name]) else f"{name}.T" for name in "AB"}
    gradients = [name for name in "AB" if is_gradient(names[name])]
    if len(gradients) != 1:
        return ()
    gradient, other = gradients[0], "B" if gradients[0] == "A" else "A"
    if _gives_gradient_of_weights(reading):
        columns, rows = f"{plain[gradient]} @ {turned[other]}", f"{turned[other]} @ {plain[gradient]}"
    elif WEIGHTS.search(ast.unparse(names[other]).removesuffix(".T")):
        columns, rows = f"{turned[other]} @ {plain[gradient]}", f"{plain[gradient]} @ {turned[other]}"
    else:
        return ()
    orders = Order(columns, False), Order(rows, True)
    # The factor that stands first in the reader's line stands first in what was meant.
    first = other if _gives_gradient_of_weights(reading) else gradient
    in_order = orders[::-1] if first == "A" else orders
    return tuple(one for one in in_order if one.code != "A @ B")


def with_other_order(reading: Reading) -> str:
    """Return the reader's line that adds a product to a gradient of weights, with the other factor transposed; empty if it adds none."""
    if not _gives_gradient_of_weights(reading):
        return ""
    codes = [one.code for one in orders_of_gradient(reading) if one.code != "B.T @ A.T"]
    return in_all_products(reading, codes[0]) if len(codes) == 1 else ""


def with_size_of_other(reading: Reading, columns: int, height: int) -> str:
    """Return the reader's line with the inner size of one factor for that of the other, where a call in it has that size; else nothing."""
    own, numbers = failed_operation(reading), [one for one in nodes_of_line(reading) if isinstance(one, ast.Constant)]
    for name, size, other in (("A", columns, height), ("B", height, columns)):
        made = own.names.get(name) if own is not None else None
        written = [one for one in numbers if type(one.value) is int and one.value == size]
        if len(written) == 1 and isinstance(made, ast.Call) and function_of(made) not in ("reshape", "view"):
            if any(ast.dump(one) == ast.dump(written[0]) for one in ast.walk(made)):
                line = line_with(reading, written[0], str(other))
                return f"{line}   # the size that the other factor has"
    # Such as the vectors of several words: a row of all their entries for each sample.
    rows = own.names.get("A") if own is not None else None
    if (
        isinstance(rows, ast.Subscript)
        and height > columns > 1
        and height % columns == 0
        and weights_of_product(reading) == "B"
    ):
        code = ast.unparse(rows)
        line = line_with(reading, rows, f"{code}.reshape(len({code}), -1)")
        return f"{line}   # if each sample has {height // columns} times {columns} entries: all in one row"
    return ""


def gradient_anew(reading: Reading, name: str, wanted: Shape, got: Shape) -> str:
    """Return the program's product for a gradient with the transposes that give the wanted shape; empty if it has no such product."""
    made = [one for one in reading.program if name and one.target.rpartition(".")[2] == name.rpartition(".")[2]]
    product = product_of(made[-1].value) if made else None
    if not product or len(wanted) != len(got) or len(wanted) != 2 or sum(map(is_turned, product.values())) != 1:
        return ""
    turned = {one: attribute_of(node, "T").replace(".T.T", "") for one, node in product.items()}
    # The transpose of A @ B is B.T @ A.T; the other sum of products of the two has the transpose at the other factor.
    code = f"{turned['B']} @ {turned['A']}" if wanted == got[::-1] else f"{turned['A']} @ {turned['B']}"
    return f"{made[-1].target} = {code}   # where the gradient is computed"


_WEIGHTS_OF_X = re.compile(r"[WUV]_?(?:x_?h?|i_?h?|in\w{0,6})_?[a-z]?$|(?:w|weights?)_(?:x|xh|ih|in\w{0,6})$")
_WEIGHTS_OF_STATE = re.compile(r"[WUR]_?(?:h_?h|h|rec\w{0,8})_?[a-z]?$|U$|(?:w|weights?)_(?:h|hh|rec\w{0,8})$")
_X = re.compile(r"(?:x|inp)\w{0,10}$", re.IGNORECASE)


def _parts(names: dict[str, ast.expr]) -> tuple[ast.expr, ast.expr] | None:
    """Return the weights of a product and what they multiply; None if the names tell no weights."""
    for weights, other in (("A", "B"), ("B", "A")):
        if WEIGHTS.search(ast.unparse(names[weights])) and last_name(names[weights]):
            return names[weights], root_of(names[other])
    return None


def with_weights_exchanged(reading: Reading) -> str:
    """Return the reader's line with its two weights exchanged; empty if their names and those of x and the state fit."""
    products = products_of_line(reading)
    pairs = [one for names in products if (one := _parts(names))]
    if len(products) != 2 or len(pairs) != 2:
        return ""
    pairs.sort(key=lambda one: not is_named_as_state(one[1]))
    (of_state, state), (of_x, x) = pairs
    if not is_named_as_state(state) or not _X.match(last_name(x)):
        return ""
    if not _WEIGHTS_OF_X.match(last_name(of_state)) or not _WEIGHTS_OF_STATE.match(last_name(of_x)):
        return ""
    return with_code(reading.own_code, (of_state, ast.unparse(of_x)), (of_x, ast.unparse(of_state)))
