"""The arrays that the reader's line gives a session of ONNX Runtime, by the names of the model's inputs."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import changed_line, line_with, with_expression
from core.shapes.user_code.evidence import calls_of_line, failed_statement
from core.shapes.user_code.syntax_trees import expression


def _feed(reading: Reading) -> ast.Dict | None:
    """Return the dictionary of arrays in the reader's call of run; None if it has none, or more."""
    found = [
        one
        for node in calls_of_line(reading, "run")
        for one in [*node.args, *(given.value for given in node.keywords)]
        if isinstance(one, ast.Dict) and all(one.keys)
    ]
    return found[0] if len(found) == 1 else None


def _key(node: ast.expr | None) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""


def with_fed(reading: Reading, name: str | re.Pattern[str], new: str) -> str:
    """Return the reader's line with another array for an input of the model; empty if it gives none of this name.

    Parameters
    ----------
    reading : Reading
    name : str or pattern
        Of the input. A feed with a single array may have it under a name that no text tells.
    new : str
        With ``{}`` for the reader's own array.
    """
    feed = _feed(reading)
    if feed is None:
        return ""
    is_named = name.search if isinstance(name, re.Pattern) else name.__eq__
    chosen = [value for key, value in zip(feed.keys, feed.values) if is_named(_key(key)) or len(feed.keys) == 1]
    if len(chosen) != 1:
        return ""
    (old,) = chosen
    whole = ast.unparse(old)
    whole = f"({whole})" if isinstance(old, ast.BinOp | ast.UnaryOp | ast.IfExp) else whole

    def changed(node: ast.expr) -> ast.expr | None:
        is_it = (node.lineno, node.col_offset, ast.dump(node)) == (old.lineno, old.col_offset, ast.dump(old))
        return expression(new.format(whole)) if is_it else None

    return changed_line(failed_statement(reading), changed)


def fed_name(reading: Reading, name: str) -> str:
    """Return the variable that the reader's line gives a session for an input; empty if it gives none, or an expression."""
    feed = _feed(reading)
    chosen = [value for key, value in zip(feed.keys, feed.values) if _key(key) == name] if feed else []
    return ast.unparse(chosen[0]) if len(chosen) == 1 and isinstance(chosen[0], ast.Name) else ""


def without_fed(reading: Reading, name: str) -> str:
    """Return the reader's line without the array of this name; empty if it gives none, or no other."""
    feed = _feed(reading)
    kept = (
        [
            f"{ast.unparse(key)}: {ast.unparse(value)}"
            for key, value in zip(feed.keys, feed.values)
            if key and _key(key) != name
        ]
        if feed
        else []
    )
    if feed is None or not 0 < len(kept) < len(feed.keys):
        return ""
    return line_with(reading, feed, f"{{{', '.join(kept)}}}")


def one_at_a_time(reading: Reading, name: str) -> str:
    """Return the reader's line with a call for each sample of its only array, whose outputs are put together; empty if it gives more."""
    feed = _feed(reading)
    if feed is None or len(feed.keys) != 1:
        return ""
    for node in calls_of_line(reading):
        if ast.dump(feed) in map(ast.dump, [*node.args, *(one.value for one in node.keywords)]):
            call = ast.unparse(node).replace(ast.unparse(feed), f"{{{name!r}: one[None]}}")
            each = f"[{call} for one in {ast.unparse(feed.values[0])}]"
            made = f"[np.concatenate(outputs) for outputs in zip(*{each})]"
            return line_with(reading, node, made)
    return ""


def with_states(reading: Reading, missing: list[str]) -> str:
    """Return the reader's line with a state for each name that is missing: what the line returns, or the name itself."""
    feed = _feed(reading)
    if feed is None:
        return ""
    statement = failed_statement(reading)
    targets = [
        node.id
        for node in ast.walk(statement or ast.Pass())
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    kept = [f"{ast.unparse(key)}: {ast.unparse(value)}" for key, value in zip(feed.keys, feed.values) if key]
    values = targets[-len(missing) :] if len(targets) >= len(missing) else missing
    added = [f"{name!r}: {value}" for name, value in zip(missing, values)]
    return with_expression(statement, feed, f"{{{', '.join([*kept, *added])}}}")


def with_names(reading: Reading, missing: list[str], given: list[str]) -> str:
    """Return the reader's line with the arrays of unknown names under those of the inputs that are missing; empty if their numbers differ."""
    feed = _feed(reading)
    if feed is None or not len(missing) == len(given) == len(feed.keys):
        return ""
    names = dict(zip(given, missing))
    places = {(one.lineno, one.col_offset) for one in feed.keys if one}

    def changed(node: ast.expr) -> ast.expr | None:
        is_key = isinstance(node, ast.Constant) and (node.lineno, node.col_offset) in places
        return expression(repr(names.get(_key(node), _key(node)))) if is_key else None

    return changed_line(failed_statement(reading), changed)
