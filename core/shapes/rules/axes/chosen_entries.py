"""Entries that are chosen by their index, by an array of indices or by their rank, and the parts of a data set."""

import ast
import re

from core.shapes.layer_shapes import differing_axes
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.layers.packed import sorts_lengths, too_many_lengths
from core.shapes.rules.read_layer import cells_of
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import changed_call, line_with, with_argument_as
from core.shapes.user_code.evidence import failed_operation, is_named_as_state, nodes_of_line
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
    "choice",
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
            "# print p.shape before ravel(): (classes, 1) is right. A vector among columns, such as x or a bias, makes a matrix",
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


_INDEX = "index"

_GATHERED = (
    "index = index.view(-1, 1, 1).expand(-1, 1, output.size(2))   # one step of each sequence, if output is (batch, steps, units)",
    "index = index.unsqueeze(-1)   # one entry of each row, such as the value of one action",
)
GATHER = strong("unbatched", "gather-axes", lambda f: "\n".join(_GATHERED[::-1] if f.of_last_axis else _GATHERED))


@diagnoses("gather")
def gather(reading: Reading) -> Diagnosis:
    own = failed_operation(reading)
    axis = ast.unparse(own.names["dim"]) if own is not None and "dim" in own.names else ""
    return Diagnosis(_INDEX, Facts(of_last_axis=axis in ("2", "-1")), GATHER)


GATHER_SIZES: Rules = first_of(
    sure(
        "transpose",
        (reason("scatter-sizes", "index", "src"), reason("broadcast-turned")),
        lambda f: f"{f.turned} = {f.turned}.t()   # in the order of the array, such as (batch, steps)",
        lambda f: len(f.index) == 2 and f.index == f.src[::-1] != f.src,
    ),
    strong(
        "steps",
        reason("gather-sizes", "axis", index=lambda f: f.index[f.axis], size=lambda f: f.x[f.axis]),
        lambda f: (
            f"index = index[:, :{f.x[1]}]   # if the steps of the index were padded further\n"
            f"# or pad what the index is for to {f.index[1]} steps, so that none is cut off"
        ),
        lambda f: f.axis == 1 < len(f.x) and f.index[1] > f.x[1],
    ),
    strong(
        "batch-size",
        reason("gather-sizes", "axis", index=lambda f: f.index[f.axis], size=lambda f: f.x[f.axis]),
        lambda f: (
            f"index = index[:{f.x[0]}]   # if the first {f.x[0]} rows belong to this array"
            if f.axis == 0
            else f"# an index with at most {f.x[f.axis]} entries along axis {f.axis}"
        ),
    ),
)


@diagnoses("gather_sizes")
def gather_sizes(reading: Reading) -> Diagnosis:
    """Diagnose an index that is longer than the array, along an axis that is not the one of the gather."""
    index, x = reading.shape("index"), reading.shape("x")
    if "axis" in reading.values:
        axis = min(reading.size("axis"), len(index) - 1, len(x) - 1)
    else:
        other = [at for at in differing_axes(index, x) if at != reading.size("along")]
        axis = min([*other, len(index) - 1, len(x) - 1])
    src = reading.shape("src") if "src" in reading.values else ()
    # Apart from the axis of the scatter, the index must fit the array.
    fits = all(one <= size for at, (one, size) in enumerate(zip(index, x)) if at != reading.stated.get("along"))
    turned = "src" if fits else "index"
    return Diagnosis(_INDEX, Facts(axis=axis, index=index, x=x, src=src, turned=turned), GATHER_SIZES)
