"""Put an advised line into a whole program, where a reader would put it."""

import ast
import re
from collections.abc import Iterator

from core.shapes.user_code.traceback_lines import UserLine

_MAKERS = re.compile(r"^(?:nn|layers|keras|keras\.layers)\.")


def changed(text: str, line: UserLine | None, advised: str) -> Iterator[str]:
    """Yield the programs that an advised line may make of a program: the first that runs is what a reader would keep."""
    try:
        body = ast.parse(advised).body
    except SyntaxError:
        return
    if not body or line is None:
        return
    (statement,) = body
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    made = [call for call in calls if _maker(call)]
    value = getattr(statement, "value", None)
    if isinstance(value, ast.Call) and value in made:
        yield from _remade(text, statement, value)
        return
    code = ast.unparse(statement)
    place = _statement_at(text, line.number)
    if place is None:
        return
    yield _with(text, place, code)
    yield _with(text, place, f"{code}\n{ast.unparse(place)}")


def _maker(call: ast.Call) -> bool:
    if isinstance(call.func, ast.Call):
        return False
    name = ast.unparse(call.func)
    is_class = name.split(".")[-1][0].isupper()
    return is_class and (bool(_MAKERS.match(name)) or name in ("LSTM", "GRU", "SimpleRNN", "Dense", "Input"))


def _statement_at(text: str, number: int) -> ast.stmt | None:
    found = [
        node for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt) and node.lineno <= number <= (node.end_lineno or 0)
    ]  # fmt: skip
    return found[-1] if found else None


def _with(text: str, place: ast.stmt, code: str) -> str:
    lines = text.splitlines()
    indent = " " * place.col_offset
    return "\n".join(
        [*lines[: place.lineno - 1], *(indent + line for line in code.splitlines()), *lines[place.end_lineno :]]
    )


def _remade(text: str, statement: ast.stmt, made: ast.Call) -> Iterator[str]:
    """Yield the program with the arguments of a call that makes a layer, for each call of that name, the last first."""
    name = ast.unparse(made.func).split(".")[-1]
    tree = ast.parse(text)
    target = ast.unparse(statement.targets[0]) if isinstance(statement, ast.Assign) else ""
    wanted = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in (name, *_recurrent(name)):
            wanted.append(node)
    if target:
        kept = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == target
        ]
        wanted = [node for node in wanted if node in kept]
    for node in reversed(wanted):
        args, keywords = node.args, node.keywords
        positional = [arg for arg in made.args if not _is_dots(arg)]
        if positional:
            node.args = positional
        names = {one.arg for one in made.keywords if not _is_dots(one.value)}
        if names & {"input_size", "hidden_size", "num_layers"}:
            old = dict(zip(("input_size", "hidden_size", "num_layers"), args))
            node.args = []
            node.keywords = [ast.keyword(key, value) for key, value in old.items() if key not in names] + keywords
        node.keywords = [one for one in node.keywords if one.arg not in names] + [
            one for one in made.keywords if not _is_dots(one.value)
        ]
        yield ast.unparse(tree)
        if isinstance(node.func, ast.Attribute) and made.func != node.func:
            function, node.func = node.func, made.func
            node.args, node.keywords = args, keywords
            yield ast.unparse(tree)
            node.func = function
        node.args, node.keywords = args, keywords


def _recurrent(name: str) -> tuple[str, ...]:
    return ("LSTM", "GRU", "RNN", "SimpleRNN") if name in ("LSTM", "GRU", "RNN", "SimpleRNN") else ()


def _is_dots(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis
