"""Entries that are chosen by their index or by their rank, and the parts of a data set."""

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason

TOP: Rules = (
    Rule(
        "index-range",
        Fit.SURE,
        (reason("top-of-fewer"),),
        "# k must be at most the size of that axis: min(k, x.size(-1))",
    ),
)


@diagnoses("top")
def top(reading: Reading) -> Diagnosis:
    """Diagnose topk of more entries than there are, as in a beam search."""
    return Diagnosis(Statement("index"), Facts(), TOP)


SELECTED: Rules = (
    Rule(
        "index-range",
        Fit.SURE,
        (reason("selected-beyond", "got", "size"),),
        "# an index must be less than {size}, and 0 or more",
    ),
)


@diagnoses("selected")
def selected(reading: Reading) -> Diagnosis:
    return Diagnosis(Statement("index"), Facts(got=reading.size("got"), size=reading.size("size")), SELECTED)


INDEX_VECTOR: Rules = (
    Rule(
        "unbatched",
        Fit.SURE,
        (reason("index-of-axes"),),
        "index = index.reshape(-1)   # one index for each entry",
    ),
)


@diagnoses("index_vector")
def index_vector(reading: Reading) -> Diagnosis:
    return Diagnosis(Statement("index"), Facts(), INDEX_VECTOR)


SAMPLED_AXES: Rules = (
    Rule(
        "unbatched",
        Fit.SURE,
        (reason("sampled-of-axes"),),
        "p = p[:, -1]   # if p is (batch, steps, classes): the last step\np = p.reshape(-1, p.shape[-1])   # or all steps, a row for each",
    ),
)


@diagnoses("sampled_axes")
def sampled_axes(reading: Reading) -> Diagnosis:
    """Diagnose torch.multinomial of probabilities with more than two axes, as when a model writes text."""
    return Diagnosis(Statement("axis"), Facts(), SAMPLED_AXES)


PARTS: Rules = (
    Rule(
        "split",
        Fit.SURE,
        (reason("parts-of-data"),),
        "torch.utils.data.random_split(data, [len(data) - len(data) // 5, len(data) // 5])   # a fifth for validation",
    ),
)


@diagnoses("parts")
def parts(reading: Reading) -> Diagnosis:
    """Diagnose parts of a data set that do not add up to its length."""
    return Diagnosis(Statement("split"), Facts(), PARTS)
