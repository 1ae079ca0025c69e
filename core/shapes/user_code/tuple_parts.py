"""The reader's line with the first part of a tuple, in the place of the tuple."""

import ast

from core.shapes.messages import Reading
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.evidence import calls_of_line, failed_statement, is_loss_call, nodes_of_line
from core.shapes.user_code.operations import JOINS

_QUOTES = "'\""


def first_of_asked(reading: Reading) -> str:
    """Return the reader's line with the first part of the tuple that it asks for what it lacks; empty if a layer was given the tuple."""
    what = reading.values.get("what", "").strip(_QUOTES)
    asked = [one for one in nodes_of_line(reading) if isinstance(one, ast.Attribute) and one.attr == what != ""]
    if not asked:
        return ""
    value = ast.unparse(asked[0].value)
    return with_expression(failed_statement(reading), asked[0].value, f"{value}[0]").removesuffix("pass").rstrip()


def first_parts(reading: Reading) -> str:
    """Return the reader's line with the first part of what it joins, or gives a loss as predictions; empty if it does neither."""
    line = failed_statement(reading)
    joined = [one.args[0] for one in calls_of_line(reading, *JOINS) if one.args and hasattr(one.args[0], "elts")]
    if "as element" in reading.message and len(joined) == 1:
        given = joined[0].elts  # type: ignore[attr-defined]
    elif "loss" in reading.below_own and (calls := [one for one in nodes_of_line(reading) if is_loss_call(one)]):
        given = [one for one in calls[0].args[:1] if isinstance(one, ast.Call)]  # type: ignore[attr-defined]
    else:
        return ""
    for one in {ast.unparse(one): one for one in given}.values():
        line = ast.parse(with_expression(line, one, f"{ast.unparse(one)}[0]") or "pass").body[0]
    return ast.unparse(line) if given and line is not None else ""
