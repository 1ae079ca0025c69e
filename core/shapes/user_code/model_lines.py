"""Advised lines about the linear layer of a model, written out for the line of the reader's model that calls it."""

import ast
from collections.abc import Iterator

from core.shapes.shape_inference.layer_calls import RECURRENT
from core.shapes.user_code.syntax_trees import calls_in, changed, expression, parsed, renamed, tree_of

_CELLS = tuple(name for name in RECURRENT if not name.endswith("Cell"))


def _assignments(tree: ast.Module) -> Iterator[ast.Assign]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Assign))


def _makers(tree: ast.Module, classes: tuple[str, ...]) -> dict[str, str]:
    """Return the layers of these classes that a program makes: their names, and their classes."""
    found = {}
    for one in _assignments(tree):
        kind = ast.unparse(one.value.func).rpartition(".")[2] if isinstance(one.value, ast.Call) else ""
        if kind in classes:
            found[ast.unparse(one.targets[0])] = kind
    return found


def _names(tree: ast.Module) -> dict[str, ast.expr]:
    """Return the reader's names for the output and the last state of the only recurrent layer that is called."""
    layers = _makers(tree, _CELLS)
    calls = [
        one for one in _assignments(tree) if isinstance(one.value, ast.Call) and ast.unparse(one.value.func) in layers
    ]
    if len(calls) != 1 or not isinstance(calls[0].targets[0], ast.Tuple) or len(calls[0].targets[0].elts) != 2:
        return {}
    output, state = calls[0].targets[0].elts
    names = {"output": output}
    if isinstance(state, ast.Tuple) and state.elts:
        names["h_n"] = state.elts[0]
    elif isinstance(state, ast.Name) and state.id != "_":
        is_pair = layers[ast.unparse(calls[0].value.func)] == "LSTM"  # type: ignore[attr-defined]
        names["h_n"] = ast.Subscript(state, ast.Constant(0), ast.Load()) if is_pair else state
    return names


def in_model(advised: str, lines: list[str]) -> str:
    """Return an advised call of ``linear`` as the line of the reader's model that has it.

    Parameters
    ----------
    advised : str
        Such as ``logits = linear(h_n[-1])   # the last layer``.
    lines : list of str
        Of the reader's program.

    Returns
    -------
    str
        The line as it was if the program does not tell which line it is.
    """
    code, mark, comment = advised.partition("   # ")
    tree = tree_of(code)
    value = tree.value if isinstance(tree, ast.Assign | ast.Expr) else None
    if value is None or "linear(" not in code:
        return advised
    try:
        program = parsed("\n".join(lines))
    except SyntaxError:
        return advised
    linears = list(_makers(program, ("Linear",)))
    names = _names(program)
    used = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)} & {"output", "h_n"}
    if not linears or not used <= names.keys():
        return advised
    names["linear"] = expression(linears[-1])
    calls = [
        node
        for node in ast.walk(program)
        if isinstance(node, ast.Assign | ast.Return | ast.Expr)
        and any(ast.unparse(one.func) == linears[-1] for one in calls_in(node))
    ]
    if len(calls) != 1:
        return advised
    (old, *others) = (one for one in calls_in(calls[0]) if ast.unparse(one.func) == linears[-1])
    if others:
        return advised
    new = renamed(value, names)
    made = changed(calls[0], lambda node: new if ast.dump(node) == ast.dump(old) else None)
    return f"{ast.unparse(made)}{mark}{comment}"
