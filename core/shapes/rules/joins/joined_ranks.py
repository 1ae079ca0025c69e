"""Concatenations of arrays that have other numbers of axes."""

import ast
import re

from core.shapes.layer_shapes import format_shape, unknown_sizes
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong
from core.shapes.rules.joins.joined_tables import axis_of_join, joins_rows
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.evidence import calls_of_line, failed_operation, failed_statement, is_named_as_state
from core.shapes.user_code.frames import followed
from core.shapes.user_code.operations import JOINS, Operation, axis_of_call, is_stored
from core.shapes.user_code.step_and_slice import with_joined_step
from core.shapes.user_code.syntax_trees import function_of, tree_of

_JOIN = "join"
# Sequences in a batch are (batch, steps, features).
FEWEST_AXES = 3

# Names of what has an entry for each step, and slices that leave out some of the steps.
_OF_STEPS = re.compile(r"emb|seq|cap|tok|word|enc|memory|steps|win|hist|\[:, ?(?:-?\w{1,40}:|:-?\w)")


# Names of what a recurrent layer gives at all steps, and of what an attention gives at one of them.
_OUTPUT = re.compile(r"(?:out|outs|output|outputs|lstm|gru|rnn|hs)$", re.IGNORECASE)
_CONTEXT = re.compile(r"ctx|context|attn|weighted", re.IGNORECASE)
# Names of predictions, which people join with the inputs to bring both back to their scale.
_PREDICTED = re.compile(r"pred|hat|forecast|^y_?test|^test_?y", re.IGNORECASE)


def _root(node: ast.expr) -> str:
    """Return the name of an array without its index; empty if it has none."""
    root = node.value if isinstance(node, ast.Subscript) else node
    return ast.unparse(root) if is_stored(root) else ""


def _is_predicted(reading: Reading, node: ast.expr | None) -> bool:
    """Whether an array has the name of predictions, or the reader's program gives it those of a model."""
    code = ast.unparse(node) if node is not None else ""
    made = any(one.target == code and ".predict(" in one.code for one in reading.program)
    return made or bool(code and _PREDICTED.search(code))


def _with_steps(facts: Facts, fewer: str, more: str) -> list[str]:
    """Return the lines of PyTorch for two arrays of which one lacks an axis, the likeliest for the joined axis first."""
    squeezed = f"{more} = {more}.squeeze(0)   # if its first axis is 1"
    if like := _like_other(facts.names[fewer]):
        ways = {like: "as the other array", ".squeeze(1)": "if its axis 1 is 1, as after torch.bmm"}
        lines = [f"{more} = {more}{way}   # {when}" for way, when in ways.items()]
        return lines[::-1] if _CONTEXT.search(facts.names[more]) else lines
    kept = "".join(f", {size}" for size in unknown_sizes(min(facts.left, facts.right)))
    at_each = f"{fewer} = {fewer}.expand({more}.size(0){kept})   # repeated along the first axis"
    if facts.joined == "1" and {facts.left, facts.right} == {1, 2}:
        return [at_each]  # without its first axis, the other one would lack the joined axis as well
    if {facts.left, facts.right} != {2, 3}:
        return [squeezed, at_each]
    with_batch_first = (
        f"{fewer} = {fewer}.unsqueeze(1).expand(-1, {more}.size(1), -1)   # the same at each step, with batch_first"
    )
    if facts.of_state:  # in a loop it may have the axis the second time
        with_batch_first = (
            f"{fewer} = {fewer}.reshape({more}.size(0), -1, {fewer}.size(-1)).expand(-1, {more}.size(1), -1)"
            "   # the same for each entry of axis 1"
        )
    if facts.joined == "0":
        return [f"{fewer} = {fewer}.unsqueeze(0)   # one more step, with the steps first", squeezed]
    if facts.joined == "1" and facts.step:
        return [f"{facts.step}   # one step: the first of (steps, batch, features)", squeezed]
    if facts.joined == "1":
        lines = [f"{fewer} = {fewer}.unsqueeze(1)   # one more step, with batch_first", squeezed]
        if _OUTPUT.search(facts.names[more]) and not _CONTEXT.search(facts.names[fewer]):
            return [f"{more} = {more}[:, -1]   # the last step alone, with batch_first", *lines]
        return lines if _OF_STEPS.search(facts.names[more]) else lines[::-1]
    if facts.joined == "2":
        return [at_each, with_batch_first] if facts.steps_first else [with_batch_first, at_each]
    return [with_batch_first, squeezed, at_each]


def _like_other(fewer: str) -> str:
    """Return what takes an axis from an array, as the line takes it from the other one; empty if it takes none from that."""
    squeeze = re.search(r"\.squeeze\(-?\d\)$", fewer)
    return squeeze[0] if squeeze else ""


def _axes_lines(facts: Facts) -> str:
    """Return the lines that give both arrays as many axes."""
    fewer, more = ("a", "b") if facts.left < facts.right else ("b", "a")
    if facts.framework == "PyTorch":
        return "\n".join(_with_steps(facts, fewer, more))
    if facts.framework == "Keras":
        return f"{fewer} = tf.expand_dims({fewer}, 1)   # before the join; or -1 for an axis of one entry at the end"
    if facts.of_rows and {facts.left, facts.right} == {1, 2} and facts.predicts[more]:
        name = facts.roots[more] or more
        return f"{name} = {name}.reshape(-1)   # if it has one column: one number for each prediction"
    if facts.of_rows:
        row = f"{fewer} = {fewer}[None]   # as one more entry of the first axis"
        return (
            row if max(facts.left, facts.right) == 2 else f"{row}\n{more} = {more}[0]   # or one of the entries alone"
        )
    if max(facts.left, facts.right) == 2:
        return (
            f"{fewer} = {fewer}.reshape(-1, 1)   # a vector as a column\n"
            f"{fewer} = np.repeat({fewer}.reshape(-1, 1), {more}.shape[1], axis=1)   # the same column for each of the batch\n"
            f"{more} = {more}.reshape(-1)   # or the other one as a vector, if it is a row or a column"
        )
    # A window of three axes gets the next prediction as one more step.
    is_window = re.search(r"\[[^,]*,[^,]*,", facts.names[more]) or facts.target == facts.roots[more] != ""
    is_predicted = bool(_PREDICTED.search(facts.names[fewer]))
    if facts.axis == 1 and {facts.left, facts.right} == {2, 3} and is_predicted and not is_window:
        root = facts.roots[more] or more
        return f"{root} = {root}.reshape(len({root}), -1)   # before this line: the features of all steps of each sample in one row"
    at_each_step = f"{fewer} = np.repeat({fewer}[:, None], {more}.shape[1], axis=1)   # the same at each step"
    if (
        {facts.left, facts.right} == {2, FEWEST_AXES}
        and facts.framework == "NumPy"
        and not facts.appends
        and (facts.axis in (-1, 2) or not facts.has_line)
    ):
        return (
            at_each_step
            if facts.has_line
            else f"{at_each_step}, if each sequence has one row\n{more} = {more}[0]   # one step of a sequence"
        )
    if facts.axis != 0 and abs(facts.left - facts.right) == 1:
        of_axis = "the last axis" if facts.axis < 0 else f"axis {facts.axis}"
        return f"{fewer} = np.expand_dims({fewer}, {facts.axis})   # as one more entry of {of_axis}"
    return f"{more} = {more}[0]   # one step of a sequence"


def _axes_of_list(facts: Facts) -> str:
    """Return the lines that give all arrays of a list as many axes."""
    fewer, more = sorted((facts.left, facts.right))
    axes = "ndim" if facts.framework == "NumPy" else "dim()"
    if not fewer:
        library = "np" if facts.framework == "NumPy" else "torch"
        return f"{facts.list} = [{library}.atleast_1d(one) for one in {facts.list}]   # squeeze() without an axis made a number of a batch of one: squeeze(1) keeps it"
    return (
        f"{facts.list} = [one[..., 0] if one.{axes} == {more} else one for one in {facts.list}]   # if their last axis is 1\n"
        f"{facts.list} = [one[None] if one.{axes} == {fewer} else one for one in {facts.list}]   # if the others lack the first axis"
    )


JOIN_RANKS: Rules = first_of(
    strong("unbatched", reason("join-ranks-of-list", "list", "left", "right"), _axes_of_list, lambda f: f.list),
    strong("unbatched", reason("join-ranks", "left", "right"), own="step_of_array"),
    strong("unbatched", reason("join-ranks", "left", "right"), _axes_lines),
)


@diagnoses("concatenate_rank")
def concatenate_rank(reading: Reading) -> Diagnosis:
    own = failed_operation(reading)
    joined = axis_of_call(own.node) if own is not None else None
    facts = Facts(
        framework=reading.framework,
        left=reading.size("left"),
        right=reading.size("right"),
        of_rows=reading.framework == "NumPy" and (joins_rows(reading) or _moves_window(own)),
        list=_list_by_name(reading),
        step_of_array=with_joined_step(reading, is_missing=True)
        if reading.framework != "PyTorch" and {reading.size("left"), reading.size("right")} == {2, 3}
        else "",
        target=ast.unparse(stored.targets[0]) if isinstance(stored := failed_statement(reading), ast.Assign) else "",
        axis=axis_of_join(reading),
        has_line=bool(reading.own),
        predicts={name: own is not None and _is_predicted(reading, own.names.get(name)) for name in "ab"},
        appends=own is not None and function_of(own.node) == "append",
        joined=ast.unparse(joined) if joined is not None else "",
        roots={name: _root(own.names[name]) if own and name in own.names else "" for name in "ab"},
        names={name: ast.unparse(own.names[name]) if own and name in own.names else "" for name in "ab"},
        of_state=any(own is not None and name in own.names and is_named_as_state(own.names[name]) for name in "ab"),
        step=_one_step_by_caller(reading, own),
        # A program that puts the steps first gives a single step its axis there.
        steps_first="unsqueeze(0)" in reading.whole
        and not re.search(r"unsqueeze\(1\)|batch_first ?= ?True", reading.whole),
    )
    return Diagnosis(_JOIN, facts, JOIN_RANKS)


def _one_step_by_caller(reading: Reading, own: Operation | None) -> str:
    """Return the line that gives a cell's code a sequence beside a state, with one step of it; empty if the text has no such line."""
    parts = [own.names[name] for name in "ab" if own is not None and name in own.names]
    others = [one for one in parts if not is_named_as_state(one)]
    is_longer = (reading.size("left") > reading.size("right")) == (parts[:1] == others)
    if len(parts) != 2 or len(others) != 1 or not is_longer:
        return ""
    above = [given[0] for given in followed(reading, others[0]) if len(given) == 1][1:]
    if not above or not isinstance(above[-1].node, ast.Name):
        return ""
    return with_expression(tree_of(above[-1].line.code), above[-1].node, f"{above[-1].node.id}[0]")


def _moves_window(own: Operation | None) -> bool:
    """Whether the line joins something below rows from the second on, as a window that moves by one step."""
    if own is None or ast.unparse(axis_of_call(own.node) or own.node) != "0":
        return False
    return any(isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Slice) for one in own.names.values())


def _list_by_name(reading: Reading) -> str:
    """Return the name of the list whose arrays the reader's line joins; empty if the line names each array."""
    given = failed_operation(reading)
    node = given.names.get("sequences") if given is not None else None
    return node.id if isinstance(node, ast.Name) and reading.framework in ("PyTorch", "NumPy") else ""


JOIN_RANKS_UNSAID: Rules = rules_of(
    "concatenate_rank_none",
    _JOIN,
    strong(
        "unbatched", "join-ranks-unsaid", "a, b = a.reshape(-1, 1), b.reshape(-1, 1)   # if both are vectors or columns"
    ),
)


def _broadcast_line(facts: Facts) -> str:
    """Return the line that gives one of the arrays the first axis of the other, or its last."""
    if facts.of_last_step and len(facts.fewer) == FEWEST_AXES - 1:
        return f"LSTM({facts.fewer[1]}, return_sequences=True)   # the layer that gives one vector for each sequence; or GRU, SimpleRNN"
    if facts.framework == "Keras" and facts.more[:-1] == facts.fewer:
        return f"{facts.name} = tf.expand_dims({facts.name}, -1)   # one entry for each; or an Embedding before, if it has word indices"
    library = "tf" if facts.framework == "Keras" else "jnp"
    if len(facts.more) == len(facts.fewer) + 1 == 3 and facts.more[0] == facts.fewer[0] and facts.axis != 0:
        added, steps = f"{library}.expand_dims({facts.name}, 1)", facts.more[1]
        if steps == 1:
            return f"{facts.name} = {added}   # one step for each of the batch"
        return f"{facts.name} = {library}.repeat({added}, {steps}, axis=1)   # the same at each of the {steps} steps"
    if len(facts.more) != len(facts.fewer) + 1 or facts.more[1:-1] != facts.fewer[:-1]:
        return "# both must have the same number of axes"
    shape = format_shape((facts.more[0], *facts.fewer))
    return f"{facts.name} = {library}.broadcast_to({facts.name}, {shape})   # the same for each of the {facts.more[0]}"


JOIN_RANKS_OF_SHAPES = strong("unbatched", reason("join-axis-lacks", "left", "right"), _broadcast_line)


@diagnoses("concatenate_rank_shapes")
def concatenate_rank_shapes(reading: Reading) -> Diagnosis:
    left, right = reading.shape("left"), reading.shape("right")
    name, fewer, more = ("a", left, right) if len(left) < len(right) else ("b", right, left)
    facts = Facts(
        framework=reading.framework,
        left=left,
        right=right,
        name=name,
        fewer=fewer,
        more=more,
        axis=axis_of_join(reading) if calls_of_line(reading, *JOINS) else -1,
        of_last_step=bool(re.search(r"(?:lstm|gru|rnn)\w*/strided_slice", reading.message)),
    )
    return Diagnosis(_JOIN, facts, JOIN_RANKS_OF_SHAPES)
