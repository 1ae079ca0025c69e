"""The reader's call of what jax.vmap returns, and the arguments of which the message tells the sizes."""

import ast
import copy
import re
from typing import NamedTuple

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading, sizes_in
from core.shapes.user_code.changed_calls import keyword, line_with
from core.shapes.user_code.evidence import is_named_as_state, nodes_of_line
from core.shapes.user_code.operations import WEIGHTS
from core.shapes.user_code.syntax_trees import argument, expression, function_of

_KEPT = re.compile(rf"{WEIGHTS.pattern}|param|variables|theta|bias", re.ASCII)


class MappedArgument(NamedTuple):
    """An array that vmap takes apart: its name, its size along the axis of the batch, that axis, and its shape.

    Others may have the same size.
    """

    name: str
    size: int
    axis: int
    shape: Shape
    is_of_several: bool

    @property
    def root(self) -> str:
        """The argument that holds the array, such as params for params['W']."""
        return re.split(r"[\[.]", self.name)[0]

    @property
    def is_kept(self) -> bool:
        """Whether it is the same for the whole batch by its name, as weights and their containers are."""
        return self.name != self.root or bool(_KEPT.search(self.name))


def told_arguments(reading: Reading) -> tuple[MappedArgument, MappedArgument]:
    """Return an array of each of the first two sizes that the message tells."""

    def told(name: str, before: str, shape: str) -> MappedArgument:
        size, axis = reading.size(f"{before}size"), reading.size(f"{before}axis")
        sizes, is_of_several = sizes_in(shape.partition("]")[0]), "e.g." in reading.values[f"{before}several"]
        return MappedArgument(reading.values[name].removeprefix("argument "), size, axis, sizes, is_of_several)

    return told("name", "", reading.values["shape"]), told("other", "other_", reading.after[:80])


def _mapped(reading: Reading) -> tuple[ast.Call, ast.Call] | None:
    """Return the call of jax.vmap and the call of its result; None if the reader's line has no such call."""
    for node in nodes_of_line(reading):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and function_of(node.func) == "vmap":
            return node.func, node
    return None


def given_arguments(reading: Reading, told: tuple[MappedArgument, MappedArgument]) -> dict[str, str]:
    """Return what the reader's line gives for each argument of the message; only those of which this is certain.

    The message has the names of the function's own arguments, and the line may have others.
    """
    if not (found := _mapped(reading)):
        return {}
    axes, given = argument(found[0], "in_axes", at=1), list(map(ast.unparse, found[1].args))
    if isinstance(axes, ast.Tuple):
        given = [one for one, axis in zip(given, axes.elts) if ast.unparse(axis) != "None"]
    found_for = {}
    for one in told:
        named = [name for name in given if name == one.root] or [name for name in given if _are_alike(name, one)]
        alike = named or [name for name in given if str(one.shape) in name]  # jnp.zeros((5, 3))
        if one.root not in found_for and len(alike) == 1:
            found_for[one.root] = alike[0]
            given.remove(alike[0])
    # Sizes that several arrays have come first, so that the order may not be that of the arguments.
    others = list(dict.fromkeys(one.root for one in told if one.root not in found_for))
    is_in_order = len(others) == 1 or not any(one.is_of_several for one in told)
    return found_for | (dict(zip(others, given)) if is_in_order and len(others) == len(given) else {})


def _are_alike(given: str, told: MappedArgument) -> bool:
    """Whether the names of a given array and of an argument are both of weights, or both of a state."""
    is_state = told.root.isidentifier() and is_named_as_state(ast.Name(told.root))
    return bool(told.is_kept and _KEPT.search(given)) or is_state and is_named_as_state(expression(given))


def with_shared_argument(reading: Reading, given: str) -> str:
    """Return the reader's line with None for the axis of what it gives to the mapped function; empty if it does not give that."""
    found = _mapped(reading)
    arguments = list(map(ast.unparse, found[1].args)) if found else []
    if not found or given not in arguments:
        return ""
    axes = argument(found[0], "in_axes", at=1)
    if axes is not None and not isinstance(axes, ast.Tuple | ast.Constant):
        return ""
    old = list(
        map(ast.unparse, axes.elts if isinstance(axes, ast.Tuple) else [axes or ast.Constant(0)] * len(arguments))
    )
    new = f"({', '.join('None' if one == given else axis for one, axis in zip(arguments, old))})"
    mapping = copy.deepcopy(found[0])
    mapping.args[1:2] = [expression(new)] if len(mapping.args) > 1 else []
    if len(mapping.args) == 1:
        mapping.keywords = [*(one for one in mapping.keywords if one.arg != "in_axes"), keyword("in_axes", new)]
    return line_with(reading, found[0], ast.unparse(mapping))
