"""Arrays on a new axis: stacks, batches of a DataLoader, and arrays from lists of sequences."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import differing_axes
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.joins.joined_tables import rows_of_all
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, always, diagnoses, reason
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.evidence import calls_of_line, failed_operation, failed_statement
from core.shapes.user_code.operations import is_stored, makes_array
from core.shapes.user_code.syntax_trees import MODULES, expression
from core.shapes.user_code.window_loops import loop_of_windows


def padded(facts: Facts) -> str:
    """Return the lines that pad the sequences to the longest one."""
    if facts.framework == "PyTorch":
        padded = "torch.nn.utils.rnn.pad_sequence([torch.tensor(one) for one in sequences], batch_first=True)"
        return f"sequences = {padded}   # padded with 0"
    missing = "max(map(len, sequences)) - len(one)"
    return (
        f"sequences = [[*one, *[0] * ({missing})] for one in sequences]   # if each step is one number; padded with 0\n"
        f"sequences = [np.pad(one, ((0, {missing}), (0, 0))) for one in sequences]   # if each step has several features"
    )


# [series[i:i + steps] for i in range(...)]
_WINDOWS = re.compile(
    r"([\w.]{1,60})\[(\w{1,40}):\2 \+ ([^\]]{1,60})\] for \2 in range\((?:([^,]{1,60}), )?[^,]{1,80}?(, [^,]{1,40})?\)\]"
)


def windows_within(reading: Reading) -> str:
    """Return the reader's line, or loop, with windows that end within the array; empty if none has a fixed number of steps."""
    own, statement = failed_operation(reading), failed_statement(reading)
    given = own.names.get("sequences") if own is not None else None
    if isinstance(given, ast.Name):
        return loop_of_windows(reading, given.id)
    found = _WINDOWS.search(ast.unparse(given)) if isinstance(given, ast.ListComp) else None
    if found is None or statement is None:
        return ""
    series, start, steps, begin, step = found.groups("")
    bounds = f"{begin}{', ' if begin else ''}len({series}) - {steps} + 1{step}"
    within = re.sub(r"range\(.*\)\]$", lambda _: f"range({bounds})]", found[0])
    return f"{ast.unparse(statement).replace(found[0], within, 1)}   # windows that end within the array"


WINDOWS: Rules = (
    sure("ragged", "windows-beyond-end", "{within}", lambda f: f.within, is_own=always),
    sure(
        "ragged",
        "windows-at-the-end",
        lambda f: (
            f"{f.whole}   # before this line: without the shorter windows at the end of the series\n"
            + padded(f).replace("sequences", f.whole.partition(" = ")[0].partition(",")[0])
        ),
        lambda f: f.whole and not f.within,
        is_own=always,
    ),
)

# ---- an array of sequences of different lengths ------------------------------------------------


RAGGED: Rules = (
    *WINDOWS,
    strong(
        "one-number",
        reason("entry-of-array", "place"),
        "{averaged}\n# a slice in place of the index in {place}, if all entries of the right side belong there",
        lambda f: f.place,
        is_own=always,
    ),
    sure(
        "concatenate-axis",
        "ragged-parts",
        lambda f: advised_lines.concatenated(f.framework, ("h", "x"), 0),
        lambda f: f.has_parts and f.framework != "PyTorch",
    ),
    strong(
        "ragged",
        (
            reason("ragged-lengths", "left", "right", when=lambda f: f.framework == "PyTorch"),
            reason("ragged", when=lambda f: f.framework != "PyTorch"),
        ),
        padded,
        lambda f: not f.place,
    ),
)


def _place_of_number(reading: Reading) -> tuple[str, str]:
    """Return the entry to which the reader's line gives a computed value, and the lines with one number; empty if it makes an array."""
    tree = failed_statement(reading)
    if not isinstance(tree, ast.Assign) or isinstance(tree.value, ast.List | ast.Tuple | ast.ListComp):
        return "", ""
    target = tree.targets[0]
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice):
        return "", ""
    if makes_array(tree.value) or "inhomogeneous" in reading.whole:
        return "", ""
    place, lines = (
        ast.unparse(target),
        [
            f"{ast.unparse(target)} = np.mean({ast.unparse(tree.value)})   # if one number for all entries is meant, such as a loss"
        ],
    )
    # An array that lacks the index of the place, beside others that have it.
    index, nodes = ast.unparse(target.slice), list(ast.walk(tree.value))
    indexed = [one.value for one in nodes if isinstance(one, ast.Subscript)]
    taken = [one for one in nodes if isinstance(one, ast.Subscript) and ast.unparse(one.slice) == index]
    whole = [
        one.id
        for one in nodes
        if isinstance(one, ast.Name) and one not in indexed and one.id not in MODULES and one.id != index
    ]
    if taken and len(whole) == 1:
        line = with_expression(tree, expression(whole[0]), f"{whole[0]}[{index}]")
        lines.insert(0, f"{line}   # if {whole[0]} has an entry for each {index}")
    return place, "\n".join(lines)


_OF_WINDOWS = re.compile(r"(?:x|y|xs|ys|x_?\w{1,8}|y_?\w{1,8}|inputs?|targets?|windows?|labels?)$", re.IGNORECASE)


def _without_short_windows_of_line(reading: Reading) -> str:
    """Return the line that leaves out the short windows of the lists of which the reader's line makes arrays; empty if it makes none."""
    calls = [one for one in calls_of_line(reading, "array", "asarray", "stack") if len(one.args) == 1]
    names = [one.args[0].id for one in calls if isinstance(one.args[0], ast.Name)]
    if (
        not names
        or len(names) != len(calls)
        or not all(map(_OF_WINDOWS.match, names))
        or reading.framework == "PyTorch"
    ):
        return ""
    if len(names) == 1:
        return f"{names[0]} = [one for one in {names[0]} if len(one) == len({names[0]}[0])]"
    all_names = ", ".join(names)
    are_whole = " and ".join(f"len(one[{at}]) == len({name}[0])" for at, name in enumerate(names))
    return f"{all_names} = zip(*[one for one in zip({all_names}) if {are_whole}])"


@diagnoses("ragged")
def ragged(reading: Reading) -> Diagnosis:
    """Diagnose an array of sequences, or of arrays such as h and x that the reader's line names."""
    own = failed_operation(reading)
    sizes = {name: reading.values.get(name) for name in ("left", "right")}
    place, averaged = _place_of_number(reading)
    facts = Facts(
        framework=reading.framework,
        has_parts=own is not None and "h" in own.names,
        within=windows_within(reading),
        place=place,
        whole=_without_short_windows_of_line(reading) if "inhomogeneous" in reading.whole else "",
        averaged=averaged,
        **sizes,
    )
    return Diagnosis("new-array", facts, RAGGED)


# ---- stacks ------------------------------------------------------------------------------------


def _padded_stack(facts: Facts) -> str:
    """Return the lines that pad the sequences before they are stacked, as the loader of a batch does."""
    pad = "torch.nn.utils.rnn.pad_sequence"
    if not facts.of_loader:
        return f"{pad}(sequences, batch_first=True)   # in a DataLoader as its collate_fn"
    return padded_batches()


def padded_batches(*, lists: bool = False) -> str:
    """Return the lines of a DataLoader that pads the sequences of a batch, which are tensors or lists of numbers."""
    pad = "torch.nn.utils.rnn.pad_sequence"
    of_x = "torch.tensor(x)" if lists else "x"
    of_pair = (
        f"lambda batch: ({pad}([{of_x} for x, y in batch], batch_first=True), torch.tensor([y for x, y in batch]))"
    )
    of_part = "[torch.tensor(one) for one in part]" if lists else "list(part)"
    of_both = f"lambda batch: tuple({pad}({of_part}, batch_first=True) for part in zip(*batch))"
    of_one = f"lambda batch: {pad}([{of_x} for x in batch], batch_first=True)"
    return (
        f"torch.utils.data.DataLoader(..., collate_fn={of_pair})   # if the data set gives (x, y), and y is a number\n"
        f"torch.utils.data.DataLoader(..., collate_fn={of_one})   # if it gives x alone\n"
        f"torch.utils.data.DataLoader(..., collate_fn={of_both})   # if it gives (x, y), and y is a sequence too"
    )


def _without_short_windows(facts: Facts) -> str:
    """Return the line that leaves the windows out which the end of the data cuts, and the words for the data set."""
    steps = facts.left[0]
    words = f"# better in __len__: subtract the steps of x and those of y, so that each item has all {steps}"
    if not facts.loader:
        return words
    whole = f"torch.utils.data.Subset({facts.loader}.dataset, range(len({facts.loader}.dataset) - {steps}))"
    made = f"torch.utils.data.DataLoader({whole}, batch_size={facts.loader}.batch_size)"
    return f"{facts.loader} = {made}   # before the loop: without the last items, which are shorter\n{words}"


def _loader_of_loop(reading: Reading) -> str:
    """Return the name of what the reader's loop iterates over; empty if the line is no such loop."""
    tree = failed_statement(reading)
    given = tree.iter if isinstance(tree, ast.For) else None
    if isinstance(given, ast.Call) and given.args:
        given = given.args[0]  # such as enumerate
    return ast.unparse(given) if given is not None and is_stored(given) else ""


def _with_as_many_axes(facts: Facts) -> str:
    """Return the line that gives one entry as many axes as the other, or words where the shapes do not tell how."""
    fewer, more = sorted((facts.left, facts.right), key=len)
    if more[:-1] == fewer:
        return f"x = x[..., 0] if x.ndim == {len(more)} else x   # before the batch is made: the first column alone"
    if more[1:] == fewer:
        return (
            f"x = x[None] if x.ndim == {len(fewer)} else x   # before the batch is made: an axis of one entry in front"
        )
    return "# all entries must have as many axes"


STACK: Rules = (
    *WINDOWS,
    strong(
        "unbatched", reason("stack-axes", "left", "right"), _with_as_many_axes, lambda f: len(f.left) != len(f.right)
    ),
    sure(
        "indexing",
        reason("stack-empty", "left", "right"),
        "# in __getitem__: 0 <= start, and start + steps <= len(data)\n"
        "# in __len__: len(data) - steps + 1, as many windows as the data have",
        lambda f: f.is_empty,
    ),
    sure(
        "concatenate-axis",
        (reason("stack", "left", "right"), reason("stack-of-batches")),
        when=lambda f: f.joined and f.of_sequences and 0 < f.right[0] < f.left[0],
        own="joined",
        note="the results of all batches, one after the other",
    ),
    sure(
        "ragged",
        reason("windows-short", "left", "right", "at"),
        _without_short_windows,
        lambda f: f.at > 1 and f.of_loader and f.of_sequences and 0 < f.right[0] < f.left[0],
        is_own=lambda f: f.loader,
    ),
    strong(
        "ragged",
        (reason("stack-ragged", "left", "right"), reason("stack-of-loader", when=lambda f: f.of_loader)),
        _padded_stack,
        lambda f: f.of_sequences and not f.is_empty,
    ),
    Rule(
        "concatenate-axis",
        lambda f: Fit.POSSIBLE if f.of_sequences else Fit.STRONG,
        (reason("stack", "left", "right"),),
        # Along the only axis that differs, both can be put one after the other.
        lambda f: advised_lines.concatenated(
            f.framework, ("h", "x"), f.differ[0] if len(f.differ) == 1 and f.differ[0] < len(f.left) - 1 else -1
        ),
        lambda f: not f.of_loader and not f.is_empty and len(f.left) == len(f.right),
    ),
)


@diagnoses("stack")
def stack(reading: Reading) -> Diagnosis:
    left, right, own = reading.shape("left"), reading.shape("right"), failed_operation(reading)
    # A collate_fn of the reader may stack as well.
    is_own = bool(reading.own) and "stack(" in reading.code
    of_loader = (
        "collate" in reading.whole and not is_own or "DataLoader(" in reading.whole and "stack(" not in reading.whole
    )
    has_parts = own is not None and "h" in own.names and not of_loader
    facts = Facts(
        framework=reading.framework,
        left=left,
        right=right,
        of_loader=of_loader,
        # Sequences of other lengths agree along all axes but the first.
        of_sequences=reading.framework == "PyTorch" and left[1:] == right[1:] and not has_parts,
        is_empty=left[1:] == right[1:] and 0 in (*left[:1], *right[:1]),
        within=windows_within(reading),
        whole="",
        # Entries that are alike up to there are rather windows of one series.
        at=int(at[1]) if (at := re.match(r"\s*(\d{1,6})", reading.after)) else 0,
        loader=_loader_of_loop(reading),
        differ=differing_axes(left, right),
        joined=re.sub(r"\bstack\(", "cat(", reading.own_code) if is_own and _of_results(reading) else "",
    )
    return Diagnosis("stack", facts, STACK)


_RESULTS = re.compile(r"pred|out|label|target|logit|score|prob|loss|true|result|hidden|feature|emb", re.IGNORECASE)


def _of_results(reading: Reading) -> bool:
    """Whether the reader's line stacks one list that is named after the results of batches."""
    stacks = calls_of_line(reading, "stack")
    return bool(stacks) and all(
        len(one.args) == 1 and isinstance(one.args[0], ast.Name) and _RESULTS.search(one.args[0].id) for one in stacks
    )


STACK_UNSAID: Rules = (
    *WINDOWS,
    strong("batch-size", "join-rows-unsaid", own="cut", note="the rows that all have, from the first"),
    strong("ragged", "ragged", padded, lambda f: f.of_sequences),
    Rule(
        "concatenate-axis",
        lambda f: Fit.PLAUSIBLE if f.of_sequences else Fit.STRONG,
        (reason("join-unsaid", when=lambda f: f.is_join), reason("stack-unsaid", when=lambda f: not f.is_join)),
        "np.concatenate([h, x], axis=0)   # columns\nnp.concatenate([h, x], axis=1)   # rows",
        lambda f: (not f.of_sequences or f.is_bare) and not f.cut,
    ),
)


@diagnoses("stack_none")
def stack_none(reading: Reading) -> Diagnosis:
    own, is_join = failed_operation(reading), "concatenation axis" in reading.message
    # Without the line, they are rather sequences, or windows of which the last ones are shorter.
    of_sequences = not is_join and ("sequences" in own.names if own is not None else not reading.own)
    facts = Facts(
        framework=reading.framework,
        is_join=is_join,
        of_sequences=of_sequences,
        is_bare=not reading.own,
        within=windows_within(reading),
        whole="" if is_join else _without_short_windows_of_line(reading),
        cut=rows_of_all(reading) if is_join else "",
    )
    return Diagnosis("stack", facts, STACK_UNSAID)
