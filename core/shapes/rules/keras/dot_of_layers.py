"""Scores between two sequences of other numbers of units, such as those of layers.Dot of Keras."""

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason

DOT_OF_LAYERS: Rules = first_of(
    Rule(
        "inner-dimension",
        Fit.SURE,
        (reason("dot-of-layers", "left", "right"), reason("dot-of-equal-axes", "axis")),
        "layers.Dot(axes={axis})([a, b])   # along axis {axis}, which has the same size in both",
        lambda f: f.axis,
    ),
    Rule(
        "hidden-size",
        Fit.STRONG,
        (reason("dot-of-layers", "left", "right"),),
        lambda f: (
            f"LSTM({f.right}, return_sequences=True)   # the layer that gives the first input; or GRU, SimpleRNN\n"
            + f"Bidirectional(LSTM({f.left // 2}, return_sequences=True))   # or the other one, if it has two directions\n"
            * (f.right == 2 * f.left and f.left % 2 == 0)
            + f"{f.name} = layers.Dense({f.right})({f.name})   # before this line: or a projection of the first input"
        ),
    ),
)


@diagnoses("dot_of_layers")
def dot_of_layers(reading: Reading) -> Diagnosis:
    """Diagnose layers.Dot of Keras, which multiplies along one axis of each input."""
    a, b = reading.shape("a"), reading.shape("b")
    equal = [axis for axis in range(1, min(len(a), len(b))) if a[axis] == b[axis] > 1]
    return of_attention(reading.size("left"), reading.size("right"), equal[0] if len(equal) == 1 else 0)


def of_attention(left: int, right: int, axis: int = 0, name: str = "a") -> Diagnosis:
    """Return the diagnosis of scores between two sequences, such as queries and keys, of other numbers of units."""
    return Diagnosis(Statement("matrix-product"), Facts(left=left, right=right, axis=axis, name=name), DOT_OF_LAYERS)
