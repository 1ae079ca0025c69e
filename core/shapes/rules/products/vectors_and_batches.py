"""Products of vectors and of batches, and messages about products without sizes."""

import ast
import re

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.fits import likely, plausible, strong, sure
from core.shapes.rules.read_layer import like_batch
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, Facts, Rule, Rules, always, diagnoses, reason, rules_of
from core.shapes.rules.sums.broadcasting import NO_SIZES
from core.shapes.user_code.changed_calls import changed_call, line_with
from core.shapes.user_code.evidence import calls_of_line, failed_operation
from core.shapes.user_code.syntax_trees import attribute_of, root_of

_PRODUCT = "matrix-product"

# More layers × directions than most models have.
MOST_LAYERS = 8

DOT: Rules = (
    plausible("inner-dimension", reason("dot", "left", "right"), "# both must have the same number of entries"),
)


@diagnoses("dot")
def dot(reading: Reading) -> Diagnosis:
    return Diagnosis("dot", Facts(left=reading.values["left"], right=reading.values["right"]), DOT)


def _batch_line(facts: Facts) -> str:
    if facts.got[0] == 1:
        return f"b = b.expand({facts.wanted[0]}, -1, -1)   # the same matrix for each of the batch"
    return "# a and b must have the same first axis, the batch"


def _turned_of_batch(facts: Facts) -> str:
    """Return the products with either factor transposed; weights of one column are meant as a row."""
    of_a = f"torch.bmm(a.transpose(1, 2), b)   # if the first factor is (batch, {facts.got[-1]}, {facts.wanted[-1]})"
    of_b = f"torch.bmm(a, b.transpose(1, 2))   # if the second factor is (batch, {facts.got[-1]}, {facts.wanted[-1]})"
    return f"{of_a}\n{of_b}" if facts.wanted[-1] == 1 else f"{of_b}\n{of_a}"


PRODUCT_BATCHES: Rules = (
    sure("transpose", "product-of-last-axes", own="last_axes", note="the last two axes, and the batch stays first"),
    sure(
        "batch-first",
        "product-batches-exchanged",
        "b = b.transpose(0, 1)   # (batch, steps, units) from (steps, batch, units)",
        lambda f: f.batches_differ and f.got == f.wanted[::-1],
    ),
    sure(
        "batch-first",
        reason("product-of-state", layers="got[0]", batch="got[1]"),
        "b = b[-1].unsqueeze(2)   # (batch, units, 1): the state of the last layer",
        lambda f: f.batches_differ and f.got[1] == f.wanted[0] and f.got != f.wanted[::-1] and f.got[0] <= MOST_LAYERS,
    ),
    Rule(
        "batch-first",
        lambda f: Fit.LIKELY if all(map(like_batch, (f.wanted[0], f.got[0]))) else Fit.STRONG,
        (reason("product-batches", wanted="wanted[0]", got="got[0]"), reason("product-batch-first", "axis")),
        lambda f: f.moved or f"a = a.transpose(0, 1)   # if the second axis of a is the batch, {f.axis}",
        lambda f: f.batches_differ and f.got[1] == f.wanted[1] and f.got[0] > 1,
        is_own=lambda f: f.moved,
    ),
    Rule(
        "batch-size",
        lambda f: Fit.LIKELY if f.got[1] == f.wanted[1] and f.got[0] > 1 else Fit.STRONG,
        (reason("product-batches", wanted="wanted[0]", got="got[0]"),),
        _batch_line,
        lambda f: f.batches_differ,
    ),
    sure(
        "swapped-arguments",
        (
            reason("product-inner-sizes", columns="wanted[-1]", height="got[-1]"),
            reason("row-of-weights", when=lambda f: f.of_weights),
            reason("column-of-query", when=lambda f: not f.of_weights),
        ),
        "torch.bmm(b, a)   # the factors in the other order",
        lambda f: not f.batches_differ and (f.of_weights or f.of_query),
    ),
    strong(
        "inner-dimension",
        reason("product-inner-sizes", columns="wanted[-1]", height="got[-1]"),
        _turned_of_batch,
        lambda f: not f.batches_differ,
    ),
)


def _with_last_axes(reading: Reading) -> str:
    """Return the reader's line with the last two axes transposed, where it transposes the batch; else an empty text."""
    turned = calls_of_line(reading, "transpose")
    # A batch of 1 on the left, beside a larger one on the right, is not what this transpose makes.
    if (
        len(turned) != 1
        or reading.shape("expected")[0] == 1
        or [ast.unparse(one) for one in turned[0].args] not in (["0", "1"], ["1", "0"])
    ):
        return ""

    def of_last(call: ast.Call) -> None:
        call.args = [ast.Constant(1), ast.Constant(2)]

    return changed_call(reading, ("transpose",), of_last)


_QUERY = re.compile(r"q$|query|h$|h_|hidden|state|dec", re.IGNORECASE)
_ATTENTION = re.compile(r"att|alpha|weight|score|prob|^(?:a|w)$", re.IGNORECASE)


@diagnoses("product_batches")
def product_batches(reading: Reading) -> Diagnosis:
    """Diagnose torch.bmm, whose message has the batch and the inner size."""
    wanted, got, own = reading.shape("expected"), reading.shape("got"), failed_operation(reading)
    facts = Facts(
        wanted=wanted,
        got=got,
        axis=got[0] if got else 0,
        moved=_with_unsqueeze(reading, "a", "0", "{}.unsqueeze(1)"),
        # The weights of an attention are one row for each sequence.
        last_axes=_with_last_axes(reading),
        of_query=wanted[-1] == 1
        and bool(own and "a" in own.names and _QUERY.match(ast.unparse(root_of(own.names["a"])))),
        of_weights=got[-1] == 1
        and bool(own and "b" in own.names and _ATTENTION.search(ast.unparse(root_of(own.names["b"])))),
        batches_differ=len(wanted) == len(got) == 2 and wanted[0] != got[0],
    )
    return Diagnosis("batch-of-products", facts, PRODUCT_BATCHES, {"batch": wanted[0]})


OPERAND_AXES = strong(
    "unbatched",
    "operand-axes",
    lambda f: {
        "PyTorch": "(A * B).sum(-1)   # if both have the same shape: the product of each two rows\nA @ B   # if A has as many columns as B has rows"
        if f.got == "2D and 2D"
        else "x = x.view(-1, x.size(-1))   # a row for each step; afterwards view(steps, batch, -1)\nA @ B   # or this in a newer version"
        if f.got == "3D and 2D"
        else "A @ B   # which takes a vector too",
        "Keras": "tf.tensordot(A, B, 1)   # each step of A times the matrix B",
    }.get(f.framework, "A * B   # if one is a single number"),
)


@diagnoses("rank_of")
def rank_of(reading: Reading) -> Diagnosis:
    names_layer = not reading.own and reading.values.get("got", "").startswith("1D, 2D")
    names_layer = names_layer and bool(re.search(r"\bnn\.(?:RNN|GRU|LSTM)\b", reading.whole))
    if names_layer or reading.own and "_functions/rnn.py" in reading.below_own.replace("\\", "/"):
        # A layer of the first versions of PyTorch, which took each entry along the first axis of x as a step.
        return DIAGNOSES["rank"](reading._replace(kind="rank", values={"allowed": "3", "got": "2"}))
    got = reading.values.get("got", "").replace(", ", " and ")
    return Diagnosis(_PRODUCT, Facts(framework=reading.framework, got=got), OPERAND_AXES)


# torch.bmm stretches no operand, but @ does: of a matrix it would make one for the whole batch.
BATCH_RANK = strong(
    "unbatched",
    reason("batch-operand-axes", "operand"),
    "{widened}   # if {operand} has one vector for each of the batch\ntorch.mm(A, B)   # if neither has a batch",
)


def _with_unsqueeze(reading: Reading, factor: str, at: str, new: str) -> str:
    """Return the reader's line with new code for a factor that is unsqueezed at this axis; empty if it is not.

    In `new`, ``{}`` stands for the array before.
    """
    own = failed_operation(reading)
    match own.names.get(factor) if own is not None else None:
        case ast.Call(func=ast.Attribute(value=array, attr="unsqueeze"), args=[axis]) as call if (
            ast.unparse(axis) == at
        ):
            code = attribute_of(array, "unsqueeze").removesuffix(".unsqueeze")
            return line_with(reading, call, new.format(code))
    return ""


@diagnoses("batch_rank")
def batch_rank(reading: Reading) -> Diagnosis:
    """Diagnose torch.bmm with an operand that lacks an axis: a row on the left, or a column on the right."""
    at = reading.size("at")
    operand = "A" if at == 1 else "B"
    # Scores, the product with transposed keys, keep the axis for the next product.
    keeps = at == 2 or not reading.own or re.search(r"squeeze\(|transpose\(|permute\(|\.mT", reading.own_code)
    if at == 1 and (own := _with_unsqueeze(reading, "A", "1", "{}.squeeze(-1).unsqueeze(1)")):
        widened = f"{own}   # if the weights are (batch, steps, 1)\n{_with_unsqueeze(reading, 'A', '1', '{}')}   # if they are (batch, 1, steps)"
        return Diagnosis(
            _PRODUCT, Facts(operand=operand, widened=widened), BATCH_RANK._replace(change="{widened}", is_own=always)
        )
    widened = f"{operand} = {operand}.unsqueeze({at})"
    if not keeps:
        widened = f"torch.bmm(A.unsqueeze(1), B).squeeze(1)   # if A has one vector for each of the batch, and so has the result\n{widened}"
    return Diagnosis(_PRODUCT, Facts(operand=operand, widened=widened), BATCH_RANK)


BATCHES_OF_PRODUCT: Rules = (
    strong(
        "batch-first",
        (reason("product-batches", wanted="left", got="right"), reason("product-batch-first", axis="right")),
        lambda f: "\n".join(
            f"{name} = {f.swapped.format(name)}   # if the second axis of {name} is the batch, {batch}"
            for name, batch in (("a", f.right), ("b", f.left))
        ),
    ),
    likely(
        "batch-size",
        reason("product-batches", wanted="left", got="right"),
        "# a and b must have the same first axis, the batch",
    ),
)


@diagnoses("batches_of_product")
def batches_of_product(reading: Reading) -> Diagnosis:
    """Diagnose former words for torch.bmm, or JAX's for a product of batches, which name the first axes alone."""
    return _of_batches(reading, reading.size("left"), reading.size("right"))


def _of_batches(reading: Reading, left: int, right: int) -> Diagnosis:
    swapped = "jnp.swapaxes({}, 0, 1)" if reading.framework == "JAX" else "{}.transpose(0, 1)"
    return Diagnosis("batch-of-products", Facts(left=left, right=right, swapped=swapped), BATCHES_OF_PRODUCT)


@diagnoses("product_size")
def product_size(reading: Reading) -> Diagnosis:
    """Diagnose former words for torch.bmm, which name one axis of the second factor."""
    wanted, got, axis = reading.size("wanted"), reading.size("got"), reading.size("axis")
    if axis == 0:
        return _of_batches(reading, wanted, got)
    facts = Facts(
        wanted=(-1, wanted),
        got=(-1, got),
        axis=0,
        batches_differ=False,
        of_weights=False,
        last_axes="",
        of_query=False,
    )
    return Diagnosis("batch-of-products", facts, PRODUCT_BATCHES)


BATCH_UNSAID: Rules = rules_of(
    "batch_unsaid",
    "batch-of-products",
    strong(
        "transpose",
        "product-batches-unsaid",
        "torch.bmm(a, b.transpose(1, 2))   # if the second factor is (batch, columns, rows)\n"
        "# print both shapes: a is (batch, n, k) and b (batch, k, p), so one step is (batch, 1, k)",
    ),
    notes=(Statement("no-sizes"),),
)


MATMUL: Rules = rules_of(
    "matmul",
    _PRODUCT,
    plausible("hidden-size", "matmul-other-units", "# the weights of the linear layer must be (k, outputs)"),
    plausible("inner-dimension", "matmul-inner", "# print both shapes before the product"),
    notes=(NO_SIZES,),
)
