"""Two shapes of a sum or a product entry by entry."""

from math import prod

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape, differing_axes, format_shape
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.axes.split_and_chunk import gates_cut_along
from core.shapes.rules.fits import likely, other_index, plausible, strong, sure
from core.shapes.rules.read_layer import is_round
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, always, reason
from core.shapes.rules.sums.column_and_vector import AMONG_COLUMNS, vector_among_columns
from core.shapes.rules.sums.stacked_gates import OF_GATES, OneGate, StackedGates, weights_of_gates
from core.shapes.user_code.evidence import failed_operation
from core.shapes.user_code.operands import (
    computed_parts,
    may_be_made,
    parts_in_place,
    updates_parameter,
    with_axes_inserted,
)
from core.shapes.user_code.products_of_line import (
    as_matrix_product,
    changes_by_product,
    gradient_anew,
    is_sum_of_products,
    state_for_batch,
    with_other_order,
)
from core.shapes.user_code.step_and_slice import with_slice_of_other, with_slice_on_last_axis, with_step

ENTRY_BY_ENTRY = "entry-by-entry"
_TWO_SHAPES = reason("broadcast-shapes", "left", "right")


def _b_anew(facts: Facts) -> str:
    if len(facts.left) == len(facts.right) == 2 and facts.right == (facts.left[1], 1):
        row = "tf.reshape(b, (1, -1))" if facts.framework == "Keras" else "b.reshape(1, -1)"
        return f"b = {row}   # a bias in rows is (1, k); in columns (k, 1)"
    if parts := getattr(facts, "parts", ""):
        return f"# {parts} must have equal sizes: look at what they are computed with, such as a slice, or weights of other units"
    if getattr(facts, "of_products", False) and len(facts.left) == len(facts.right) == 2:
        return "# both products must have the same shape: h and x need the same batch, and their weights the same units"
    shape = format_shape(facts.left[-1:] if len(facts.right) == 1 else facts.left)
    if "?" in shape or not facts.may_be_made or len(facts.left) == len(facts.right) > 2:
        return "# a and b must have equal sizes along each axis, or 1"
    return f"b = {advised_lines.zeros(facts.framework)}({shape})   # if b is a bias or a state: as many entries as it is added to"


def _state_anew(facts: Facts) -> str:
    if facts.of_state:
        return f"{facts.of_state}   # where the state begins: for as many sequences as x has"
    zeros = advised_lines.zeros(facts.framework)
    if -1 in (*facts.left, *facts.right):
        return "# the state must be made for the batch of this x"
    return (
        f"b = {zeros}({format_shape(facts.left)})   # if b is the state, or is made from it\n"
        f"a = {zeros}({format_shape(facts.right)})   # if a is the state, or is made from it"
    )


def _in_place(facts: Facts) -> str:
    """Return the lines for a += b, or another such operation, whose result has another shape than a."""
    (a, sign, b), shape, result = facts.in_place or ("a", "+", "b"), facts.left, facts.right
    axes = tuple(axis for axis, (one, other) in enumerate(zip(shape, result)) if one == 1 != other)
    new = condition = ""
    if facts.has_product and axes:
        return f"# the product must be {format_shape(shape)}: look for a column minus a vector in its factors, which makes a square"
    if len(shape) == 1 and result == shape * 2:
        # A column and a vector make a matrix.
        new, condition = f"{b}.reshape(-1)", f"{b} is ({shape[0]}, 1)"
    elif len(shape) == 1 and result[1:] == shape:
        new, condition = f"{b}.sum(axis=0)", f"{a} is a bias, or its gradient"
    elif len(shape) == len(result) == 2 and shape == (result[0], 1) and result[0] == result[1]:
        new, condition = f"{b}.reshape(-1, 1)", f"{b} is a vector: a column, as {a}"
    elif len(shape) == len(result) and axes:
        new, condition = f"{b}.sum({axes}, keepdims=True)", f"{a} is a bias, or its gradient"
    anew = f"{a} = {a} {sign} {b}   # if the result is meant to be {format_shape(result)}"
    if facts.in_place and "sqrt(" in b and new:
        return (
            f"# the gradient of {a} must be {format_shape(shape)}: sum it over the batch where it is computed\n{anew}"
        )
    if facts.in_place:
        return f"{a} {sign}= {new}   # if {condition}\n{anew}" if new else anew
    anew = anew.replace("# if", "# if it is a += b, and")
    return f"b = {new}   # if it is a += b, and {condition}\n{anew}" if new else anew


def _predicted_as_targets(facts: Facts) -> str:
    """Return the line that makes the last layers of a model give as many steps, or outputs, as the targets have."""
    targets = facts.left[facts.at]
    if facts.at == len(facts.left) - 1:
        return f"Dense({targets})   # the last layer"
    return f"layers.RepeatVector({targets})   # if it makes the steps of the predictions"


def _swapped_axes(facts: Facts) -> tuple[int, ...]:
    """Return the two axes in which the shapes differ, where each has the size of the other; empty if they differ otherwise."""
    left, right = facts.left, facts.right
    axes = tuple(differing_axes(left, right)) if len(left) == len(right) else ()
    is_swap = len(axes) == 2 and (left[axes[0]], left[axes[1]]) == (right[axes[1]], right[axes[0]])
    return axes if is_swap else ()


def _b_swapped(facts: Facts) -> str:
    """Return the line with two axes of b in each other's place: the last two, or batch and steps."""
    first = _swapped_axes(facts)[0]
    if facts.framework != "Keras":
        return "b = b.swapaxes(-1, -2)" if first else "b = b.swapaxes(0, 1)   # batch and steps in the order of a"
    if first:
        return "b = tf.linalg.matrix_transpose(b)"
    order = [1, 0, *range(2, len(facts.left))]
    return f"b = tf.transpose(b, {order})   # batch and steps in the order of a"


def _lacks_axis_of_one(facts: Facts) -> bool:
    """Whether one shape has a last axis of 1 in addition to those of the other."""
    shorter, longer = sorted((facts.left, facts.right), key=len)
    return len(shorter) > 1 and longer == (*shorter, 1)


def _longer(facts: Facts) -> str:
    return "a" if len(facts.left) > len(facts.right) else "b"


def _shorter(facts: Facts) -> str:
    return "b" if _longer(facts) == "a" else "a"


def _keeps_axis(facts: Facts) -> bool:
    return "keepdims=True" in facts.inserted[2]


BROADCAST: Rules = (
    OF_GATES,
    other_index("broadcast", _TWO_SHAPES, "slice-on-first-axis", "sliced"),
    other_index("broadcast", _TWO_SHAPES, "slice-of-other", "part"),
    AMONG_COLUMNS,
    other_index("unbatched", _TWO_SHAPES, "step-left-out", "step", lambda f: f.step and len(f.left) != len(f.right)),
    sure(
        "transpose",
        (_TWO_SHAPES, reason("dot-outer")),
        when=lambda f: f.reordered and f.left != f.right[::-1],
        own="reordered",
    ),
    sure("broadcast", (_TWO_SHAPES, reason("entries-of-matrices")), own="of_matrices", note="the matrix product"),
    sure(
        "broadcast",
        reason("target-sizes", got="left", wanted="right"),
        _predicted_as_targets,
        lambda f: f.at,
    ),
    sure("batch-first", (_TWO_SHAPES, reason("scan-first-axis")), own="scanned", note="(steps, batch, features)"),
    strong(
        "broadcast",
        reason(
            "broadcast-one-gate",
            name="one_gate.weights",
            gates="one_gate.gates",
            size=lambda f: f.one_gate.gates * f.one_gate.units,
            k="one_gate.units",
        ),
        weights_of_gates,
        lambda f: f.one_gate,
    ),
    sure(
        "broadcast",
        (
            _TWO_SHAPES,
            reason("broadcast-in-place", name="in_place[0]", when=lambda f: f.in_place),
            reason("broadcast-conforms", when=lambda f: not f.in_place),
        ),
        _in_place,
        lambda f: not f.differ and f.left != f.right,
        is_own=lambda f: f.in_place,
    ),
    strong(
        "transpose",
        (
            _TWO_SHAPES,
            reason("broadcast-last-axes", when=lambda f: _swapped_axes(f) != (0, 1)),
            reason("first-axes-turned", when=lambda f: _swapped_axes(f) == (0, 1)),
        ),
        _b_swapped,
        lambda f: len(f.left) > 2 and _swapped_axes(f) in ((len(f.left) - 2, len(f.left) - 1), (0, 1)),
    ),
    likely(
        "transpose",
        (_TWO_SHAPES, reason("broadcast-turned")),
        "b = b.T",
        lambda f: len(f.left) == len(f.right) == 2 and f.left == f.right[::-1] and f.left[0] != f.left[1],
    ),
    strong(
        "broadcast",
        (
            _TWO_SHAPES,
            reason("reduced-without-axis", when=_keeps_axis),
            reason("axes-inserted", name="inserted[0]", shape="inserted[1]", when=lambda f: not _keeps_axis(f)),
        ),
        "{inserted[2]}",
        lambda f: f.inserted[0] and not _lacks_axis_of_one(f),
        is_own=lambda f: f.has_own,
    ),
    likely(
        "reshape",
        (_TWO_SHAPES, reason("axes-merged", entries=lambda f: prod(f.left))),
        lambda f: "{0} = {0}.reshape({1}.shape)   # if the entries of both have the same order".format(
            *((_shorter(f), _longer(f)) if 1 in (len(f.left), len(f.right)) else (_longer(f), _shorter(f)))
        ),
        lambda f: not _lacks_axis_of_one(f) and len(f.left) != len(f.right) and prod(f.left) == prod(f.right) > 0,
    ),
    strong(
        "unbatched",
        (_TWO_SHAPES, reason("target-axis-of-one")),
        lambda f: (
            f"{_longer(f)} = {_longer(f)}[..., 0]   # without its last axis of 1\n"
            f"{_shorter(f)} = {_shorter(f)}[..., None]   # or with such an axis"
        ),
        _lacks_axis_of_one,
    ),
    Rule(
        "batch-first",
        lambda f: Fit.SURE if ":, " in f.step.line else Fit.LIKELY,
        (_TWO_SHAPES, reason("step-of-batch-axis")),
        "{step.line}",
        lambda f: f.step and len(f.left) == len(f.right),
        is_own=always,
    ),
    sure(
        "split",
        (_TWO_SHAPES, reason("gates-of-other-axis", axis="cut[1]", gates="cut[0]")),
        lambda f: (
            f"i, f, o, g = {advised_lines.library(f.framework)}.split(z, {f.cut[0]}, axis={f.cut[2]})"
            "   # where the gates are cut: along the units"
        ),
        lambda f: f.cut,
    ),
    strong(
        "swapped-arguments",
        (_TWO_SHAPES, reason("gradient-of-other-parameter", name="in_place[0]")),
        "# the gradient of {in_place[0]} must be {left}: look at the product that computes it\n"
        "# if a loop takes both from lists, these must have the same order",
        lambda f: f.gradient[1] and f.left != f.right[::-1] and not f.gradient_anew,
    ),
    strong(
        "transpose",
        (_TWO_SHAPES, reason("gradient-of-other-parameter", name="in_place[0]")),
        lambda f: (
            f.gradient_anew
            or f"# {f.gradient[0]} must be {f.left}: look at the transposes in the product that computes it"
        ),
        lambda f: f.gradient_anew or f.gradient[0] and not f.gradient[1] and f.left != f.right[::-1] and f.in_place,
        is_own=lambda f: f.gradient_anew,
    ),
    Rule(
        "batch-size",
        lambda f: Fit.POSSIBLE if f.in_columns else Fit.STRONG,
        (_TWO_SHAPES, reason("broadcast-batch-in-rows"), reason("scan-first-axis-or-not", when=lambda f: f.may_scan)),
        _state_anew,
        lambda f: f.one_differs and f.may_be_made and f.left[1:] == f.right[1:] and f.left[0] != f.right[0],
        is_own=lambda f: f.of_state,
    ),
    likely(
        "batch-size",
        (_TWO_SHAPES, reason("broadcast-batch-in-columns")),
        _state_anew,
        lambda f: (
            f.one_differs
            and f.in_columns
            and f.may_be_made
            and f.left[0] == f.right[0]
            and is_round(f.left[0])
            and f.left[0] > max(f.left[1], f.right[1])
        ),
        is_own=lambda f: f.of_state,
    ),
    plausible(
        "broadcast",
        (
            _TWO_SHAPES,
            reason(
                "broadcast-neither",
                a=lambda f: f.differ[0][0],
                b=lambda f: f.differ[0][1],
                # An unknown size may be the same.
                when=lambda f: bool(f.differ) and min(f.differ[0]) >= 0,
            ),
            reason(
                "thirds-of-four-gates",
                larger=lambda f: max(f.differ[0]),
                smaller=lambda f: min(f.differ[0]),
                when=lambda f: bool(f.differ) and 3 * max(f.differ[0]) == 4 * min(f.differ[0]) >= 192,
            ),
        ),
        _b_anew,
        lambda f: (
            (bool(f.differ) or f.left == f.right)
            and not (len(f.left) > 2 and _swapped_axes(f))
            and not _lacks_axis_of_one(f)
        ),
    ),
)


def _of_terms(reading: Reading, left: Shape, right: Shape) -> dict[str, object]:
    """Return the facts of the operation: what it combines, and whether it changes its left operand in place."""
    gradient = updates_parameter(reading)
    return {
        "of_products": is_sum_of_products(reading),
        "parts": computed_parts(reading) if len(left) == len(right) > 1 else "",
        "in_place": parts_in_place(reading),
        "has_product": changes_by_product(reading),
        "gradient": gradient,
        "gradient_anew": gradient_anew(reading, gradient[0], left, right),
    }


def _of_axes(reading: Reading, left: Shape, right: Shape) -> dict[str, object]:
    """Return the facts of the operands' axes: the reader's line with one of them kept, in another place, or of another size."""
    return {
        "of_state": state_for_batch(reading),
        "cut": gates_cut_along(left, right),
        "inserted": with_axes_inserted(reading, left, right),
        "has_own": failed_operation(reading) is not None,
        "may_be_made": may_be_made(reading),
        "step": with_step(reading, left, right),
        **_column_made(reading, left, right),
        "sliced": with_slice_on_last_axis(reading),
        "part": with_slice_of_other(reading, left, right),
    }


def _column_made(reading: Reading, left: Shape, right: Shape) -> dict[str, object]:
    """Return the facts of a column that another array of several columns changes in place."""
    is_one = len(left) == len(right) == 2 and left == (right[0], 1) and right[0] != right[1] > 1
    return vector_among_columns(reading, right, is_column=False) if is_one and parts_in_place(reading) else {}


def _as_product(reading: Reading, left: Shape, right: Shape) -> dict[str, object]:
    """Return the reader's line with a matrix product in place of an operation entry by entry, or of one in another order."""
    reordered = with_other_order(reading) if len(left) == len(right) == 2 else ""
    return {"of_matrices": as_matrix_product(reading, left, right), "reordered": reordered}


def told_by_line(reading: Reading, left: Shape, right: Shape) -> dict[str, object]:
    """Return the facts that the reader's line tells of its operands, by their names."""
    return _of_terms(reading, left, right) | _of_axes(reading, left, right) | _as_product(reading, left, right)


# The facts that hold of no operation unless `told_by_line` or a diagnosis says so.
_ONLY_BY_LINE = (
    "step sliced part made_column in_place has_product gradient_anew of_state cut has_own of_matrices reordered scanned may_scan at"
).split()


def of_two_shapes(
    framework: str,
    left: Shape,
    right: Shape,
    *,
    rows: bool = False,
    gates: StackedGates | None = None,
    one_gate: OneGate | None = None,
) -> Diagnosis:
    """Return the diagnosis of an operation entry by entry.

    Parameters
    ----------
    framework : str
    left, right : Shape
    rows : bool
        Whether each sequence is a row.
    gates : StackedGates, optional
        Where the reader's line multiplies all gates by one state.
    one_gate : OneGate, optional
        Where the reader's line adds one gate to all gates.
    """
    differ = [(a, b) for a, b in zip(left[::-1], right[::-1]) if a != b and 1 not in (a, b)]
    facts = Facts(
        framework=framework,
        left=left,
        right=right,
        stacked_gates=gates,
        one_gate=one_gate,
        differ=differ,
        one_differs=len(left) == len(right) >= 2 and len(differ) == 1,
        **dict.fromkeys(_ONLY_BY_LINE, ""),
        gradient=("", False),
        inserted=("", (), ""),
        may_be_made=True,
        # NumPy by hand has a column for each sequence, the others a row.
        in_columns=framework == "NumPy" and len(left) == 2 and not rows,
    )
    return Diagnosis(ENTRY_BY_ENTRY, facts, BROADCAST)
