"""Where a single number is needed, and an array has many."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason
from core.shapes.user_code.changed_calls import line_with
from core.shapes.user_code.evidence import calls_of_line, nodes_of_line
from core.shapes.user_code.syntax_trees import function_of

_MAKERS = r"torch\.(?:tensor|as_tensor|Tensor|FloatTensor|LongTensor)\("
_MADE = re.compile(rf"\b{_MAKERS}")
_ASSIGNED = re.compile(rf"\b([\w.]{{1,60}}) = {_MAKERS}([A-Za-z_]\w{{0,59}})[,)]")
_BACKWARD = re.compile(r"\b([\w.]{1,60})\.backward\(")
_READ = re.compile(r"\b([\w.]{1,60}(?:\[[^\[\]]{1,40}\])?)\.item\(|\b(?:float|int)\(([\w.]{1,60})\)")

ONE_NUMBER: Rules = first_of(
    sure(
        "one-number",
        "one-number-of-list",
        "{made} = torch.stack(list({parts}))   # one tensor from tensors of the same shape",
        lambda f: f.of_list,
    ),
    sure(
        "one-number",
        "one-number-of-loss",
        "{name} = {name}.mean()   # before backward(): one loss for the whole batch, or for all devices",
        lambda f: f.of_loss,
    ),
    sure(
        "one-number",
        "one-number-of-loss",
        own="averaged",
        note="the mean of all numbers; or in the function: return jnp.mean(...)",
    ),
    sure(
        "one-number",
        (reason("one-number-read"), reason("one-number-of-matches")),
        lambda f: (
            f"count = ({f.matches}).sum().item()   # how many of the batch match; add it in place of this line and what depends on it\n"
            f"{f.all_match}   # if all of the batch must match"
        ),
        lambda f: f.matches,
        is_own=lambda f: f.matches,
    ),
    strong(
        "one-number",
        "one-number-read",
        lambda f: (
            f"{f.name} = {f.name}.mean()   # one number for all, such as a loss\n"
            f"{f.name} = {f.name}.tolist()   # in place of item(), if each number is wanted"
            + "\nx = torch.stack(list(x))   # if x is a list of tensors"
            * f.may_be_list
        ),
    ),
)


def _with_mean_of_function(reading: Reading) -> str:
    """Return the reader's line with the mean of what a function of JAX returns, where its gradient is taken."""

    for call in calls_of_line(reading, "grad", "value_and_grad"):
        if not isinstance(call.func, ast.Call) and call.args:
            function = call.args[0]
            if isinstance(function, ast.Lambda):
                mean = ast.Call(ast.Attribute(function.body, "mean", ast.Load()), [], [])
                new = ast.unparse(ast.Lambda(function.args, mean))
            else:
                new = f"lambda *args: {ast.unparse(function)}(*args).mean()"
            return line_with(reading, call.args[0], new)
    return "loss_of_all = lambda *args: loss(*args).mean()"


def _matches(reading: Reading) -> tuple[str, str]:
    """Return the comparison of two arrays of which the reader's line reads one number each, and the line with a test of all."""
    for node in nodes_of_line(reading):
        parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        arrays = [one.func.value for one in parts if function_of(one) == "item"]  # type: ignore[attr-defined]
        if len(arrays) == len(parts) == 2 and isinstance(node, ast.Compare):
            compared = ast.unparse(ast.Compare(arrays[0], node.ops, arrays[1:]))
            line = line_with(reading, node, f"({compared}).all()")
            return compared, line.removesuffix("pass").rstrip()
    return "", ""


@diagnoses("one_number")
def one_number(reading: Reading) -> Diagnosis:
    code = reading.code
    of_loss = "scalar outputs" in reading.message
    named = [next(filter(None, found.groups())) for found in (_BACKWARD if of_loss else _READ).finditer(code)]
    made = _ASSIGNED.search(code)
    facts = Facts(
        made=made[1] if made else "x",
        parts=made[2] if made else "x",
        of_loss=of_loss,
        # A list of tensors, each of which would have to be one number.
        of_list=bool("one element" in reading.message and _MADE.search(code) and not _READ.search(code)),
        averaged=_with_mean_of_function(reading) if "scalar-output" in reading.message else "",
        may_be_list="one element" in reading.message and not named,
        name=named[-1] if named else "loss",
    )
    facts.matches, facts.all_match = _matches(reading)
    return Diagnosis("one-number", facts, ONE_NUMBER)
