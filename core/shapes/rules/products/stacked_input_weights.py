"""Products with the weights of a stacked input, of which one part is missing, or with those of another layer."""

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import other_index, sure, weak
from core.shapes.rules.rule import Facts, Rule, Rules, first_of, reason

MEET = reason("product", "columns", "height", A="shown_A", B="shown_B")


def B_of_all_columns(facts: Facts) -> dict[str, Shape]:
    return {"B": (facts.columns, -1)}


def B_with_width(facts: Facts) -> dict[str, Shape]:
    return {"B": (facts.columns, *([] if facts.vector else [facts.width or 1]))}


def with_x(facts: Facts) -> str:
    return advised_lines.stacked_product(facts.framework)


# ---- sizes that tell nothing, or everything ----------------------------------------------------

UNKNOWN: Rules = first_of(
    other_index("inner-dimension", MEET, "slice-on-first-axis", "sliced"),
    weak("inner-dimension", MEET, "# print both shapes before the product"),
)

# The weights of g gates tell k, and so which part of the stacked input is missing.
LONE_PART: Rules = (
    sure(
        "inner-dimension",
        (
            MEET,
            reason(
                "product-x-alone", "width", "height", "columns", gates="lone_gates", k=lambda f: f.width // f.lone_gates
            ),
        ),
        lambda f: f"{advised_lines.concatenated(f.framework, ('h', 'A'), -1)} @ B   # if A is x",
        lambda f: f.lone == "x",
        lambda f: {"A": (f.rows or -1, f.height)},
    ),
    sure(
        "inner-dimension",
        (MEET, reason("product-h-missing", "rows", "columns", "height", gates="lone_gates")),
        "# B must be h, of {columns} entries",
        lambda f: f.lone == "not h",
        B_with_width,
    ),
)

# ---- the weights of one layer, given the input of another one ----------------------------------


def _sure(facts: Facts) -> Fit:
    """Return how well the rule fits: less if the product conforms after one factor is transposed."""
    return Fit.LIKELY if facts.turns else Fit.SURE


def _likely(facts: Facts) -> Fit:
    return Fit.PLAUSIBLE if facts.turns else Fit.STRONG


def _fit_of_shared_kernel(facts: Facts) -> Fit:
    # A linear layer of PyTorch has no joint weights, and one direction in place of two is frequent.
    is_of_directions = getattr(facts, "case", "") in ("one-direction-comes", "two-directions-come")
    return _sure(facts) if facts.gates > 1 and facts.m != facts.k and not is_of_directions else Fit.POSSIBLE


SHARED: Rules = (
    Rule(
        "shared-cell",
        _fit_of_shared_kernel,
        (MEET, reason("product-shared-kernel", "width", "gates", "k", "m", twice=lambda f: 2 * f.k)),
        lambda f: advised_lines.new_weights(f.framework, "B", (2 * f.k, f.gates * f.k)),
        lambda f: f.shared == "kernel",
    ),
    Rule(
        "shared-cell",
        _likely,
        (MEET, reason("product-shared-for-x", "width", "gates", "k", "m")),
        lambda f: advised_lines.new_weights(f.framework, "B", (f.k, f.gates * f.k)),
        lambda f: f.shared == "for x",
    ),
    # Weights on the left: h of k alone, times what is made for x, or for the stacked input.
    Rule(
        "inner-dimension",
        _likely,
        (MEET, reason("product-h-alone-of-gates", "rows", "gates", "height", "columns", "rest")),
        with_x,
        lambda f: f.shared == "left for x" and f.columns > f.height,
        B_with_width,
    ),
    Rule(
        "shared-cell",
        lambda f: _likely(f) if f.columns <= f.height else Fit.POSSIBLE if f.turns else Fit.LIKELY,
        (MEET, reason("product-shared-left-for-x", "rows", "gates", "height", "columns")),
        lambda f: advised_lines.new_weights(f.framework, "A", (f.rows, f.height)),
        lambda f: f.shared == "left for x",
        lambda f: {"A": (f.rows, f.height)},
    ),
    Rule(
        "shared-cell",
        _sure,
        (MEET, reason("product-shared-left", "rows", "gates", "k", "m")),
        lambda f: advised_lines.new_weights(f.framework, "A", (f.rows, 2 * f.k)),
        lambda f: f.shared == "left",
        lambda f: {"A": (f.rows, 2 * f.k)},
    ),
)
