"""Indices and axes that an array does not have, and initializers, which ask for two axes."""

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason

_INDEX = Statement("index")


def _fewer_indices(facts: Facts) -> str:
    if facts.got == 1:
        return "output[-1]   # if output is one step, a vector of features, and its last entry is meant"
    if facts.got == 2:
        return "output[-1]   # if output is (steps, features) of one sequence, and the last step is meant"
    return "# as many indices as the array has axes, or fewer"


INDICES: Rules = (
    Rule(
        "indexing",
        Fit.STRONG,
        (reason("indices", axes="got"), reason("indices-of-last-step", when=lambda f: f.got < 3)),
        _fewer_indices,
    ),
)


@diagnoses("indices")
def indices(reading: Reading) -> Diagnosis:
    got = reading.size("got")
    return Diagnosis(_INDEX, Facts(got=got), INDICES, {"axes": got})


NO_DIMENSION: Rules = (
    Rule(
        "indexing",
        Fit.STRONG,
        (reason("no-dimension", axes="got"),),
        "output = output.unsqueeze(0)   # if the batch is missing: one sequence",
    ),
)


@diagnoses("no_dimension")
def no_dimension(reading: Reading) -> Diagnosis:
    """Diagnose an axis beyond the last, by PyTorch's own range of axes or by the number of axes."""
    got = reading.size("most") + 1 if "most" in reading.values else reading.size("got")
    return Diagnosis(_INDEX, Facts(got=got), NO_DIMENSION, {"axes": got})


TUPLE_INDEX: Rules = (
    Rule(
        "state-tuple",
        Fit.SURE,
        (reason("tuple-indexed"),),
        "output = output[0]   # a layer returns output and its last state\n"
        "output = pad_packed_sequence(output)[0]   # if x was packed; with batch_first=True as it was packed",
    ),
)


@diagnoses("tuple_index")
def tuple_index(reading: Reading) -> Diagnosis:
    return Diagnosis(Statement("output-of-layer"), Facts(), TUPLE_INDEX)


INITIALIZER: Rules = (
    Rule(
        "initializer",
        Fit.SURE,
        (reason("initializer-of-vector"),),
        "nn.init.zeros_(bias)   # for biases; the other initializer for parameters p with p.dim() > 1",
    ),
)


@diagnoses("initializer")
def initializer(reading: Reading) -> Diagnosis:
    return Diagnosis(Statement("initial-weights"), Facts(), INITIALIZER)
