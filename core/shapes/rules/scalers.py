"""Scalers of scikit-learn, which read the columns to which they were fitted."""

from core.shapes.explanation import Fit, Statement
from core.shapes.layer_shapes import filled
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason

_AS_FITTED = (
    "scaler.inverse_transform(np.repeat(prediction, {wanted}, axis=1))[:, [0]]   # if the target is column 0\n"
    "target_scaler = MinMaxScaler().fit(y.reshape(-1, 1))   # or a scaler of its own for the target, before the training"
)

SCALER: Rules = (
    Rule(
        "scaler",
        Fit.SURE,
        (reason("scaler-columns", "wanted", "got"),),
        lambda f: (
            filled(_AS_FITTED, vars(f))
            if f.got == 1
            else f"# give the scaler the {f.wanted} columns to which it was fitted"
        ),
    ),
)


def of_scaler(wanted: int, got: int) -> Diagnosis:
    """Return the diagnosis of a scaler of scikit-learn that was fitted to other columns."""
    return Diagnosis(Statement("columns-of-scaler"), Facts(wanted=wanted, got=got), SCALER)


@diagnoses("scaler")
def scaler(reading: Reading) -> Diagnosis:
    return of_scaler(reading.size("expected"), reading.size("got"))
