"""Products of vectors and of batches, einsum, and messages about products without sizes."""

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.arrays import NO_SIZES
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason

_PRODUCT = Statement("matrix-product")
_EINSUM = Statement("einsum")
_ONE_SIZE = "# one letter must stand for one size: in 'ij,jb->ib' the columns of the first are the rows of the second"

DOT: Rules = (
    Rule(
        "inner-dimension",
        Fit.PLAUSIBLE,
        (reason("dot", "left", "right"),),
        "# both must have the same number of entries",
    ),
)


@diagnoses("dot")
def dot(reading: Reading) -> Diagnosis:
    return Diagnosis(Statement("dot"), Facts(left=reading.values["left"], right=reading.values["right"]), DOT)


EINSUM: Rules = (
    Rule(
        "batch-size",
        Fit.PLAUSIBLE,
        (reason("einsum-batches", left=lambda f: f.left[0], right=lambda f: f.right[0]),),
        "# a and b must have the same first axis",
        lambda f: len(f.left) == len(f.right) == 3 and f.left[0] != f.right[0],
    ),
    Rule(
        "inner-dimension",
        Fit.POSSIBLE,
        (
            reason("einsum-sizes", "left", "right", when=lambda f: not f.common),
            reason(
                "einsum-sizes-with-common",
                "left",
                "right",
                common=lambda f: f.common[0],
                when=lambda f: bool(f.common),
            ),
        ),
        _ONE_SIZE,
    ),
)


@diagnoses("einsum")
def einsum(reading: Reading) -> Diagnosis:
    left, right = reading.shape("left"), reading.shape("right")
    return Diagnosis(_EINSUM, Facts(left=left, right=right, common=[size for size in left if size in right]), EINSUM)


EINSUM_LABEL: Rules = (
    Rule("inner-dimension", Fit.STRONG, (reason("einsum-label", "label", "left", "right"),), _ONE_SIZE),
)


@diagnoses("einsum_label")
def einsum_label(reading: Reading) -> Diagnosis:
    """Diagnose a label that stands for two sizes."""
    sizes = {name: reading.values[name] for name in ("left", "right")}
    return Diagnosis(_EINSUM, Facts(label=reading.values["label"].strip("'"), **sizes), EINSUM_LABEL)


SUBSCRIPTS: Rules = (
    Rule(
        "unbatched",
        Fit.STRONG,
        (reason("einsum-operand-axes", "operand"),),
        "h = h.reshape(-1, 1)   # a batch of one column",
    ),
)


@diagnoses("subscripts")
def subscripts(reading: Reading) -> Diagnosis:
    return Diagnosis(_EINSUM, Facts(operand=reading.values["at"]), SUBSCRIPTS)


def _batch_line(facts: Facts) -> str:
    if facts.got[0] == 1:
        return f"b = b.expand({facts.wanted[0]}, -1, -1)   # the same matrix for each of the batch"
    return "# a and b must have the same first axis, the batch"


PRODUCT_BATCHES: Rules = (
    Rule(
        "batch-first",
        Fit.SURE,
        (reason("product-batches-exchanged"),),
        "b = b.transpose(0, 1)   # (batch, steps, units) from (steps, batch, units)",
        lambda f: f.batches_differ and f.got == f.wanted[::-1],
        lambda f: {"b": (*f.wanted, -1)},
    ),
    Rule(
        "batch-size",
        Fit.STRONG,
        (reason("product-batches", wanted=lambda f: f.wanted[0], got=lambda f: f.got[0]),),
        _batch_line,
        lambda f: f.batches_differ,
        lambda f: {"b": (*f.wanted, -1)},
    ),
    Rule(
        "inner-dimension",
        Fit.STRONG,
        (reason("product-inner-sizes", columns=lambda f: f.wanted[-1], height=lambda f: f.got[-1]),),
        lambda f: f"torch.bmm(a, b.transpose(1, 2))   # if the last axis of b is {f.wanted[-1]}",
        lambda f: not f.batches_differ,
        lambda f: {"b": (*f.wanted, -1)},
    ),
)


@diagnoses("product_batches")
def product_batches(reading: Reading) -> Diagnosis:
    """Diagnose torch.bmm, whose message has the batch and the inner size."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    facts = Facts(wanted=wanted, got=got, batches_differ=len(wanted) == len(got) == 2 and wanted[0] != got[0])
    return Diagnosis(Statement("batch-of-products"), facts, PRODUCT_BATCHES, {"batch": wanted[0]})


OPERAND_AXES: Rules = (
    Rule(
        "unbatched",
        Fit.STRONG,
        (reason("operand-axes"),),
        lambda f: (
            "A @ B   # which takes a vector too" if f.framework == "PyTorch" else "A * B   # if one is a single number"
        ),
    ),
)


@diagnoses("rank_of")
def rank_of(reading: Reading) -> Diagnosis:
    return Diagnosis(_PRODUCT, Facts(framework=reading.framework), OPERAND_AXES)


# torch.bmm stretches no operand, but @ does: of a matrix it would make one for the whole batch.
BATCH_RANK: Rules = (
    Rule(
        "unbatched",
        Fit.STRONG,
        (reason("batch-operand-axes", "operand"),),
        lambda f: (
            f"{f.operand} = {f.operand}.unsqueeze({f.axis})   # if {f.operand} has one vector for each of the batch\n"
            "torch.mm(A, B)   # if neither has a batch"
        ),
    ),
)


@diagnoses("batch_rank")
def batch_rank(reading: Reading) -> Diagnosis:
    """Diagnose torch.bmm with an operand that lacks an axis: a row on the left, or a column on the right."""
    at = reading.size("at")
    return Diagnosis(_PRODUCT, Facts(operand="A" if at == 1 else "B", axis=at), BATCH_RANK)


MATMUL: Rules = (
    Rule(
        "hidden-size",
        Fit.PLAUSIBLE,
        (reason("matmul-other-units"),),
        "# the weights of the linear layer must be (k, outputs)",
    ),
    Rule("inner-dimension", Fit.PLAUSIBLE, (reason("matmul-inner"),), "# print both shapes before the product"),
)


@diagnoses("matmul")
def matmul(reading: Reading) -> Diagnosis:
    return Diagnosis(_PRODUCT, Facts(), MATMUL, notes=(NO_SIZES,))
