"""Evidence that the reader's line is one of a chain, in which each layer takes what the one before gave."""

import ast

from core.shapes.messages import Reading
from core.shapes.user_code.evidence import failed_operation, failed_statement


def replaces_x(reading: Reading) -> bool:
    """Whether the reader's line gives the output of the layer the name of its x, as in x, _ = self.lstm(x)."""
    call, statement = failed_operation(reading), failed_statement(reading)
    if call is None or "x" not in call.names or not isinstance(statement, ast.Assign):
        return False
    target = statement.targets[0]
    first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
    return ast.unparse(first) == ast.unparse(call.names["x"])
