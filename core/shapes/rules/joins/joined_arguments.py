"""Arguments of a join: one list, of arrays that have axes."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Reason, Rule, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import changed_call, line_with
from core.shapes.user_code.evidence import calls_of_line
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.syntax_trees import argument, expression, function_of

_JOIN = "join"

SCALARS_JOINED: Rules = rules_of(
    "scalars_joined",
    _JOIN,
    sure(
        "unbatched",
        "scalars-joined",
        # Those before the first number have axes, so they are no numbers that a stack could join.
        lambda f: (
            "torch.cat([one.reshape(-1) for one in sequences])   # each number is an entry"
            if f.at
            else "torch.stack(sequences)   # each number is an entry"
        ),
    ),
)


JOINED_ARGUMENTS: Rules = first_of(
    sure("list", "joined-one-tensor", own="of_one", note="its entries along axis 0, as it has them already"),
    sure(
        "concatenate-axis",
        "joined-without-list",
        lambda f: advised_lines.concatenated(f.framework, ("h", "x"), -1),
        lambda f: f.joins,
        own="in_list",
    ),
    strong("indexing", "index-of-array", "x = np.array(x)   # before the index"),
)


def along_features(lead: Reason, got: str, wanted: str) -> Rule:
    """Return the rule for arrays that are concatenated along their rows before a layer; the names are those of the facts."""
    why = (lead, reason("joined-along-rows", got=got, wanted=wanted))
    return sure("concatenate-axis", why, own="along_features", note="along the last axis")


@diagnoses("joined_arguments")
def joined_arguments(reading: Reading) -> Diagnosis:
    """Diagnose an array in the place of the axis of a join, or as the index of a list."""
    joins = bool(re.search(r"\b(?:concatenate|stack|append)\(", reading.whole))
    of_one = changed_call(reading, ("cat", "stack"), _listed) or _with_named_list(reading)
    facts = Facts(
        joins=joins or reading.framework == "PyTorch",
        framework=reading.framework,
        in_list=_with_one_list(reading),
        of_one=of_one
        if re.search(r"\b(?:cat|stack)\((?:tensors=)?list\(", of_one) and reading.framework == "PyTorch"
        else "",
    )
    return Diagnosis(_JOIN, facts, JOINED_ARGUMENTS)


def _listed(call: ast.Call) -> None:
    """Make a list of the only array of a join, whose second argument is a number."""
    if len(call.args) == 1 or isinstance(argument(call, "dim", at=1), ast.Constant | ast.UnaryOp):
        call.args[0] = expression(f"list({ast.unparse(call.args[0])})")


def _with_named_list(reading: Reading) -> str:
    """Return the reader's line with a list of the array that it joins by keyword; empty if it joins none so."""
    named = [one for call in calls_of_line(reading, "cat", "stack") if (one := argument(call, "tensors"))]
    if len(named) != 1:
        return ""
    return line_with(reading, named[0], f"list({ast.unparse(named[0])})")


def _with_one_list(reading: Reading) -> str:
    """Return the reader's line with its arrays in one list; empty if the line names no axis by keyword, or joins no two arrays."""

    def in_list(call: ast.Call) -> None:
        call.args = [ast.List(call.args, ast.Load())]

    joins = calls_of_line(reading, "cat", "concat", "concatenate", "stack")
    are_arrays = len(joins) == 1 and len(joins[0].args) > 1 and all(map(is_stored, joins[0].args))
    has_axis = are_arrays and argument(joins[0], "dim", "axis") is not None
    return changed_call(reading, (function_of(joins[0]),), in_list) if has_axis else ""
