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


SCALER_AXES: Rules = (
    Rule(
        "scaler",
        Fit.SURE,
        (reason("scaler-axes", "got"),),
        "x = scaler.fit_transform(x.reshape(-1, x.shape[-1])).reshape(x.shape)   # each feature over all samples and steps",
    ),
)


@diagnoses("scaler_axes")
def scaler_axes(reading: Reading) -> Diagnosis:
    """Diagnose sequences, which have an axis more than a table."""
    return Diagnosis(Statement("columns-of-scaler"), Facts(got=reading.size("got")), SCALER_AXES)


SCALER_VECTOR: Rules = (
    Rule(
        "scaler",
        Fit.SURE,
        (reason("scaler-vector"),),
        "x = x.reshape(-1, 1)   # before the scaler: a table of one column\n"
        "x = x.reshape(1, -1)   # if x is one sample of several columns",
    ),
)


@diagnoses("scaler_vector")
def scaler_vector(reading: Reading) -> Diagnosis:
    return Diagnosis(Statement("columns-of-scaler"), Facts(), SCALER_VECTOR)
