"""Put an advised line into a program that fails, and run it.

A program is a few lines of Python, of which the last one raises. An advised line goes where a reader would put it:

- a line that makes a layer (``nn.GRU(input_size=13, hidden_size=...)``) replaces the last line of the program that makes such a
  layer. The arguments that it does not name, and those that it leaves as ``...``, stay as they were.
- a line that calls the layer or the cell replaces the last line that calls it; one that gives a value to what the last line does,
  or to a part of an array, replaces the last line.
- another assignment (``h0 = torch.zeros(1, 3, 4)``) goes after the last line that gives a value to one of
  its names.
- another expression (``A @ B.T``) replaces the expression of the last line; so does a loop.

An advice may have several lines. Each of them is one way out, and its comment says under which condition.
"""

import ast
import re
from collections.abc import Callable, Sequence

# Positional arguments of the layers by their names.
_ARGUMENTS = {
    "Linear": ("in_features", "out_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "Conv1d": ("in_channels", "out_channels", "kernel_size"),
    "MultiheadAttention": ("embed_dim", "num_heads"),
    "Transformer": ("d_model", "nhead"),
    "LayerNorm": ("normalized_shape",),
    "BatchNorm1d": ("num_features",),
    "DataLoader": ("dataset", "batch_size"),
    "CTCLoss": ("blank",),
} | {
    f"{cell}{suffix}": ("input_size", "hidden_size", "num_layers")
    for cell in ("RNN", "GRU", "LSTM")
    for suffix in ("", "Cell")
}
CALLED = ("layer", "cell", "linear")


def is_line(advice: str) -> bool:
    """Whether there is code in it; words stand behind a #."""
    return bool(ast.parse(advice).body)


def put(advice: str, program: Sequence[str]) -> list[str]:
    """Return the program with an advised line in its place.

    Raises
    ------
    ValueError
        If there is no place for it.
    """
    (statement,) = ast.parse(advice).body
    before, last = list(program[:-1]), program[-1]
    if isinstance(statement, ast.Expr):
        if made := _made(statement.value):
            return _remade(made, advice, program)
        if not isinstance(wrong := ast.parse(last).body[0], ast.Assign):
            return [*before, ast.unparse(statement)]
        return [*before, f"{ast.unparse(wrong.targets[0])} = {ast.unparse(statement)}"]
    line = ast.unparse(statement)
    if not isinstance(statement, ast.Assign):
        return [*before, line]
    if called := _called(statement.value):
        places = [
            at for at, old in enumerate(program) if called in {_called(node) for node in ast.walk(ast.parse(old))}
        ]
        if not places:
            raise ValueError(f"The program does not call {called}.")
        line = _with_own_keywords(statement, program[places[-1]])
        return [*program[: places[-1]], line, *program[places[-1] + 1 :]]
    targets = [statement.targets[0], *getattr(ast.parse(last).body[0], "targets", [])]
    if len({ast.unparse(target) for target in targets}) < len(targets) or isinstance(targets[0], ast.Subscript):
        return [*before, line]
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    at = max((number for number, old in enumerate(before, 1) if names & _stored(ast.parse(old))), default=len(before))
    return [*before[:at], line, *before[at:], last]


def _with_own_keywords(statement: ast.Assign, old: str) -> str:
    """Return an advised call with the arguments by keyword of the program's own call, for which an Ellipsis stands."""
    (call,) = (node for node in ast.walk(statement.value) if _called(node))
    if not any(isinstance(one, ast.Constant) and one.value is ... for one in call.args):
        return ast.unparse(statement)
    call.args = [one for one in call.args if not isinstance(one, ast.Constant)]
    (own,) = (node for node in ast.walk(ast.parse(old)) if _called(node) == _called(call))
    new = {one.arg for one in call.keywords}
    call.keywords = [*(one for one in own.keywords if one.arg not in new), *call.keywords]
    return ast.unparse(statement)


def _stored(tree: ast.AST) -> set[str]:
    """Return the names that get a value."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _called(node: ast.AST) -> str | None:
    """Return the name of the layer, the cell or the function of packing that is called."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in (*CALLED, "pack_padded_sequence")
    ):
        return node.func.id
    return None


def _made(node: ast.AST) -> ast.Call | None:
    """Return the call that makes a layer of PyTorch, if it is one."""
    is_layer = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return node if is_layer and node.func.attr in _ARGUMENTS else None


def _arguments(call: ast.Call) -> dict[str, str]:
    named = {name: ast.unparse(value) for name, value in zip(_ARGUMENTS[call.func.attr], call.args)}
    named |= {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
    return {name: value for name, value in named.items() if value != "..."}


def _remade(made: ast.Call, advice: str, program: Sequence[str]) -> list[str]:
    # "# or GRU, RNN" after the line: it is for any of them.
    allowed = {made.func.attr} | set(re.findall(r"\b(?:LSTM|GRU|RNN)(?:Cell)?\b", advice.partition("#")[2]))
    for at in reversed(range(len(program))):
        tree = ast.parse(program[at])
        for node in ast.walk(tree):
            old = _made(node)
            if old and old.func.attr in allowed:
                arguments = _arguments(old) | _arguments(made)
                if "in the place of" in advice:
                    node.func.attr = made.func.attr
                # An Ellipsis in the first place stands for all of the reader's own arguments.
                node.args = []
                node.keywords = [
                    ast.keyword(name, ast.parse(value, mode="eval").body) for name, value in arguments.items()
                ]
                return [*program[:at], ast.unparse(tree), *program[at + 1 :]]
    raise ValueError(f"The program makes no {' or '.join(sorted(allowed))}.")


def run(program: Sequence[str], names: dict[str, object], is_array: Callable[[object], bool]) -> list[int] | None:
    """Run a program in a namespace of its own, and return the shape of the first array that its last line gives."""
    space = dict(names)
    exec("\n".join(program[:-1]), space)
    exec(program[-1], space)
    last = ast.parse(program[-1]).body[0]
    for node in ast.walk(ast.Module(getattr(last, "body", [last]), [])):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and is_array(space.get(node.id)):
            return [int(size) for size in space[node.id].shape]
    return None


def failure(program: Sequence[str], names: dict[str, object]) -> str | None:
    """Run a program and return what its last line raises; None if nothing."""
    space = dict(names)
    exec("\n".join(program[:-1]), space)
    try:
        exec(program[-1], space)
    except Exception as error:  # whatever a library raises for a wrong shape
        return str(error)
    return None
