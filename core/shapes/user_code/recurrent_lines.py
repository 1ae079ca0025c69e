"""The lines of the reader's program that make recurrent layers."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.user_code.layer_calls import RECURRENT
from core.shapes.user_code.operations import function_of
from core.shapes.user_code.traceback_lines import tree_of


def tells_batch_first(reading: Reading) -> bool | None:
    """Return whether the only recurrent layer in the reader's program has batch_first=True; None if there are none or more."""
    made = [
        one.value
        for one in reading.program
        if isinstance(one.value, ast.Call)
        and function_of(one.value) in RECURRENT
        and one.value.args + one.value.keywords
    ]
    made = [one for one in made if not function_of(one).endswith("Cell")]
    if len(made) != 1:
        return None
    return any(
        one.arg == "batch_first" and isinstance(one.value, ast.Constant) and one.value.value is True
        for one in made[0].keywords
    )


def carried_state(reading: Reading) -> tuple[str, ...]:
    """Return the names under which the reader's outermost call gives a state and gets it back, as in out, h = net(x, h).

    Returns
    -------
    tuple of str
        The names of h and c, or that of h alone, or the name of a pair and "of-lstm"; empty if no line carries a state,
        and if an encoder made it.
    """
    if re.search(r"dec(?![a-z])|decoder|encoder", " ".join(one.code for one in reading.own), re.IGNORECASE):
        return ()
    for line in reading.own:
        match tree_of(line.code):
            case ast.Assign(targets=[ast.Tuple(elts=[_, got])], value=ast.Call(args=[_, given], keywords=[])) if (
                ast.unparse(given) == ast.unparse(got)
            ):
                if isinstance(given, ast.Tuple):
                    names = tuple(map(ast.unparse, given.elts))
                    return names if len(names) == 2 and all(map(str.isidentifier, names)) else ()
                if not isinstance(given, ast.Name):
                    return ()
                return (given.id, "of-lstm") if "[" in reading.values.get("which", "") else (given.id,)
    return ()


def gives_single_step(reading: Reading) -> bool:
    """Whether the reader's lines give a layer one step of a batch, as a decoder does."""
    return any(
        re.search(
            r"\bdec|decod|unsqueeze\([01]\)|\btoken|_step\b|(?:view|reshape)\(\(?1, (?!-1,)[^,]{1,60}, ", one.code
        )
        for one in reading.own
    )
