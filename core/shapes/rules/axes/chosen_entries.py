"""Entries that are chosen by their index or by their rank, and the parts of a data set."""

import ast
import re

from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.layers.packed import sorts_lengths, too_many_lengths
from core.shapes.rules.read_layer import cells_of
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import changed_call, line_with, with_argument_as
from core.shapes.user_code.evidence import is_named_as_state, nodes_of_line
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.syntax_trees import expression

TOP: Rules = rules_of(
    "top", "index", sure("index-range", "top-of-fewer", "# k must be at most the size of that axis: min(k, x.size(-1))")
)


SELECTED = sure(
    "index-range", reason("selected-beyond", "got", "size"), "# an index must be less than {size}, and 0 or more"
)


@diagnoses("selected")
def selected(reading: Reading) -> Diagnosis:
    if sorts_lengths(reading):
        return too_many_lengths(reading)
    return Diagnosis("index", Facts(got=reading.size("got"), size=reading.size("size")), SELECTED)


INDEX_VECTOR: Rules = (
    sure("lengths", "lengths-of-axes", own="packed", note="one length for each sequence"),
    sure(
        "unbatched", "index-of-axes", "index = index.reshape(-1)   # one index for each entry", lambda f: not f.packed
    ),
)


@diagnoses("index_vector")
def index_vector(reading: Reading) -> Diagnosis:
    """Diagnose an index with several axes, which packing makes of lengths that have them."""
    packed = with_argument_as(reading, ("pack_padded_sequence",), "{}.flatten()", at=1)
    return Diagnosis("packed-lengths" if packed else "index", Facts(packed=packed), INDEX_VECTOR)


SAMPLED_AXES: Rules = rules_of(
    "sampled_axes",
    "axis",
    sure(
        "unbatched",
        "sampled-of-axes",
        "p = p[:, -1]   # if p is (batch, steps, classes): the last step\np = p.reshape(-1, p.shape[-1])   # or all steps, a row for each",
    ),
)


PARTS: Rules = rules_of(
    "parts",
    "split",
    sure(
        "split",
        "parts-of-data",
        "torch.utils.data.random_split(data, [len(data) - len(data) // 5, len(data) // 5])   # a fifth for validation",
    ),
)


SECOND = sure(
    "layers-directions",
    (reason("second-of-one", "state"), reason("directions-from-end")),
    lambda f: (
        advised_lines.making(f.cells, "..., bidirectional=True", "if both directions are meant")
        + f"\n{f.state} = {f.state}.expand(2, -1, -1)   # before this line, if one direction stands for both"
    ),
)


def second_of_one(reading: Reading) -> Diagnosis | None:
    """Return the diagnosis of the second entry of a state that has one, as of h[1] for two directions; None if it is another index."""
    if re.search(r"rnn\.py|_VF\.", reading.below_own):
        return None
    for one in nodes_of_line(reading):
        if isinstance(one, ast.Subscript) and ast.unparse(one.slice) == "1" and is_named_as_state(one.value):
            return Diagnosis("index", Facts(state=ast.unparse(one.value), cells=cells_of(reading)), SECOND)
    return None


FROM_END: Rules = first_of(
    strong(
        "layers-directions",
        (reason("from-end", "got", "axis", "size"), reason("directions-from-end")),
        lambda f: (
            advised_lines.making(f.cells, "..., bidirectional=True", "if both directions are meant")
            + f"\n{f.state} = {f.state}.expand({f.got}, -1, -1)   # before this line, if one direction stands for both"
        ),
        lambda f: f.state,
    ),
    strong(
        "index-range",
        reason("from-end", "got", "axis", "size"),
        "# an index from the end along axis {axis} must be −{size} or more",
    ),
)


@diagnoses("from_end")
def from_end(reading: Reading) -> Diagnosis:
    """Diagnose an index from the end, as h_n[-2] takes the first direction of a state."""
    taken = [
        one.value
        for one in nodes_of_line(reading)
        if isinstance(one, ast.Subscript) and is_named_as_state(one.value) and is_stored(one.value)
    ]
    facts = Facts(
        got=reading.size("got"),
        axis=reading.size("axis"),
        size=reading.size("size"),
        state=ast.unparse(taken[0]) if taken and reading.size("axis") == 0 and reading.size("size") == 1 else "",
        cells=cells_of(reading),
    )
    return Diagnosis("index", facts, FROM_END)


# ---- the probabilities from which np.random.choice samples a character --------------------------

CHOICE: Rules = rules_of(
    "choice",
    "new-array",
    *first_of(
        sure(
            "reshape",
            "choice-of-vector",
            "p = p.ravel()   # before the choice: a vector, one probability for each class",
            lambda f: f.of_axes,
        ),
        strong(
            "broadcast",
            (reason("choice-of-size"), reason("choice-of-square")),
            "# print p.shape: it must have one entry for each class. Make the bias a column (outputs, 1), as h is",
        ),
    ),
    facts=lambda reading: {"of_axes": "1-dimensional" in reading.message},
)


# ---- an index of numbers that are not whole ----------------------------------------------------

INDEX_TYPE = sure(
    "indexing",
    "index-not-whole",
    "index = index.long()",
    own="own",
    note="where it is made by a division: // in place of /, which gives fractions",
)


def _as_whole(call: ast.Call) -> None:
    if len(call.args) > 1:
        call.args[-1] = expression(f"{ast.unparse(call.args[-1])}.long()")


def _with_whole_index(reading: Reading) -> str:
    """Return the reader's line with whole numbers for the only name that is an index in it; empty if it has none, or more."""
    indices = [one.slice for one in nodes_of_line(reading) if isinstance(one, ast.Subscript)]
    named = [one for index in indices for one in getattr(index, "elts", [index]) if isinstance(one, ast.Name)]
    if len({one.id for one in named}) != 1 or named[0].id == "index":
        return ""
    return line_with(reading, named[0], f"{named[0].id}.long()")


@diagnoses("index_type")
def index_type(reading: Reading) -> Diagnosis:
    """Diagnose an index of another type than whole numbers."""
    code = reading.own_code
    named = re.sub(r"\bindex ?= ?(\w[\w.]{0,60})(?=[,)])", r"index=\1.long()", code)
    own = named if named != code else changed_call(reading, ("index_select", "gather"), _as_whole)
    own = own or _with_whole_index(reading)
    return Diagnosis("index", Facts(own=own), INDEX_TYPE)
