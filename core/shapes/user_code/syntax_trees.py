"""The syntax trees of the reader's code and of advised lines: what is called in them with what, and changes of them."""

import ast
import copy
import warnings
from collections.abc import Callable, Mapping
from typing import TypeVar

_Tree = TypeVar("_Tree", bound=ast.AST)
# Python refuses its own recursion at 1000 calls, and `ast.unparse` and `copy.deepcopy` take up to 6 for each level.
DEEPEST_CODE = 60
LONGEST_INTEGER = 500  # in bits
MODULES = {"np", "numpy", "torch", "tf", "jnp", "F", "nn", "math", "K", "jax", "ops"}
# The reader's text may have an escape such as \\d. A filter for the time of a call would change those of all threads.
warnings.filterwarnings("ignore", category=SyntaxWarning, module="<unknown>")


def _is_huge(value: object) -> bool:
    return isinstance(value, int) and value.bit_length() > LONGEST_INTEGER


def parsed(code: str) -> ast.Module:
    """Return the syntax tree of a program.

    Raises
    ------
    SyntaxError
        Also for what `ast.unparse` can't write: deeply nested code, and integers of thousands of digits.
    """
    try:
        tree = ast.parse(code)
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError from error
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST_CODE):
        if any(isinstance(node, ast.Constant) and _is_huge(node.value) for node in level):
            raise SyntaxError
        level = [inner for node in level for inner in ast.iter_child_nodes(node)]
    if level:
        raise SyntaxError
    return tree


def tree_of(code: str) -> ast.stmt | None:
    """Return the statement that a line is; None if it is no whole statement."""
    for whole in (code, f"{code} pass" if code.endswith(":") else ""):
        try:
            body = parsed(whole).body
        except SyntaxError:
            continue
        if len(body) == 1:
            return body[0]
    return None


def statements_of(line: str) -> list[tuple[int, str]]:
    """Return the statements of a line, which semicolons may separate, each with its column; the line if it is no Python."""
    try:
        body = parsed(line).body if ";" in line else []
    except SyntaxError:
        body = []
    if not body or any(one.lineno != one.end_lineno for one in body):
        return [(0, line)]
    code = line.encode()  # of which a tree counts the bytes
    ends = [(one.col_offset, one.end_col_offset) for one in body]
    return [(len(code[:begin].decode()), code[begin:end].decode()) for begin, end in ends]


def expression(code: str) -> ast.expr:
    return ast.parse(code, mode="eval").body


def attribute_of(node: ast.expr, name: str) -> str:
    """Return the code of an attribute of an expression, with brackets around one that needs them, such as a sum."""
    return ast.unparse(ast.Attribute(node, name))


def last_name(node: ast.AST) -> str:
    """Return a name, or the last part of a dotted one; empty for any other expression."""
    return getattr(node, "attr", getattr(node, "id", ""))


def root_of(node: ast.expr) -> ast.expr:
    """Return what a chain of indices and methods begins with."""
    while True:
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not is_of_module(node):
            node = node.func.value
        else:
            return node


def function_of(node: ast.AST) -> str:
    """Return the last name of a called function."""
    if not isinstance(node, ast.Call):
        return ""
    made = node.func.func if isinstance(node.func, ast.Call) else node.func  # layers.Concatenate()([a, b])
    return last_name(made)


def is_of_module(node: ast.Call | ast.Attribute) -> bool:
    """Whether a function of a library is called, and not a method or a layer."""
    root = node.func if isinstance(node, ast.Call) else node
    while isinstance(root, ast.Attribute):
        if root.attr == "ops":
            return True  # keras.ops
        root = root.value
    return isinstance(root, ast.Name) and root.id in MODULES


def calls_in(tree: ast.AST | None, *functions: str) -> list[ast.Call]:
    """Return the calls of these functions in a syntax tree; all its calls if none are named."""
    calls = [node for node in ast.walk(tree or ast.Pass()) if isinstance(node, ast.Call)]
    return [one for one in calls if function_of(one) in functions] if functions else calls


def argument(call: ast.AST, *names: str, at: int | None = None) -> ast.expr | None:
    """Return what a call is given in this place, or by keyword under one of these names; None if it is given neither."""
    in_place = () if at is None else getattr(call, "args", ())[at : at + 1]
    return next(iter((*in_place, *(one.value for one in getattr(call, "keywords", ()) if one.arg in names))), None)


def is_given_true(call: ast.AST, name: str) -> bool:
    """Whether a call is given True by keyword."""
    return getattr(argument(call, name), "value", None) is True


def give(call: ast.Call, new: ast.expr, *names: str, at: int) -> None:
    """Give a call another argument, by keyword if it has one of these names, else in this place."""
    named = next((one for one in call.keywords if one.arg in names), None)
    if named:
        named.value = new
    else:
        call.args[at] = new


def with_code(line: str, *changes: tuple[ast.expr, str]) -> str:
    """Return a line with other code in the place of expressions of its tree; empty if one of them goes over several lines.

    A statement of several lines becomes one.
    """
    rows = line.encode().split(b"\n")  # of which a tree counts the bytes
    for node, new in sorted(changes, key=lambda change: -change[0].col_offset):
        if node.lineno != node.end_lineno:
            return ""
        row = rows[node.lineno - 1]
        rows[node.lineno - 1] = row[: node.col_offset] + new.encode() + row[node.end_col_offset :]
    code = b"\n".join(rows).decode()
    tree = tree_of(code) if len(rows) > 1 else None
    return ast.unparse(tree) if tree is not None else code


class _Changed(ast.NodeTransformer):
    def __init__(self, change: Callable[[ast.expr], ast.expr | None]) -> None:
        self.change = change

    def generic_visit(self, node: ast.AST) -> ast.AST:
        new = self.change(node) if isinstance(node, ast.expr) else None
        return new if new is not None else super().generic_visit(node)

    visit_Constant = generic_visit  # noqa: N815 (the name that ast calls)


def changed(tree: _Tree, change: Callable[[ast.expr], ast.expr | None]) -> _Tree:
    """Return a copy of a syntax tree with what the change gives in the place of an expression."""
    return ast.fix_missing_locations(_Changed(change).visit(copy.deepcopy(tree)))


def renamed(tree: _Tree, names: Mapping[str, ast.expr]) -> _Tree:
    """Return a copy of a syntax tree with other expressions in the place of names."""

    def own(node: ast.expr) -> ast.expr | None:
        if not isinstance(node, ast.Name) or node.id not in names:
            return None
        new = copy.deepcopy(names[node.id])
        if isinstance(node.ctx, ast.Store) and isinstance(new, ast.Name | ast.Attribute | ast.Subscript):
            new.ctx = ast.Store()
        return new

    return changed(tree, own)
