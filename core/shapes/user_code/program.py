"""The reader's program around the line that failed, if the text has it: how its layers and arrays are made."""

import ast
import re
from typing import NamedTuple

from core.shapes.user_code.syntax_trees import statements_of, tree_of
from core.shapes.user_code.traceback_lines import LONGEST, LONGEST_LINE, lines_around

# Only what may give a name a value is parsed.
_ASSIGNMENT = re.compile(r"\s*[\w.]{1,80}(?:\s*,\s*[\w.()]{1,80}){0,5}\s*=(?!=)")


class UserStatement(NamedTuple):
    """An assignment in the reader's program.

    Attributes
    ----------
    code : str
        The line.
    target : str
        Its first target, such as ``self.lstm`` or ``x``.
    value : ast.expr
    """

    code: str
    target: str
    value: ast.expr


def user_program(text: str) -> tuple[UserStatement, ...]:
    """Return the assignments in a text, without the failed lines that a traceback quotes."""
    lines = [*text[-LONGEST:].splitlines(), *lines_around(text)]
    found = []
    for before, line in zip(["", *lines], lines):
        is_code = len(line) <= LONGEST_LINE and _ASSIGNMENT.match(line)
        parts = statements_of(line.strip()) if is_code else []
        if before.strip().startswith('File "'):
            parts = parts[:-1]  # what stands before the statement that failed
        for _, code in parts:
            tree = tree_of(code)
            if isinstance(tree, ast.Assign):
                target = tree.targets[0]
                first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
                found.append(UserStatement(code, ast.unparse(first), tree.value))
    return tuple(found)
