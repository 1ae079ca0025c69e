"""The state of a single cell, of a scan, of a stateful layer and of a node."""

import re

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.reading import is_round
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.user_code.evidence import failed_operation, predicts, takes_step

# ---- cells of PyTorch --------------------------------------------------------------------------


def _is_c(which: str) -> bool:
    """Whether PyTorch's number of a state, such as hidden1 or hidden[1], is that of the cell state."""
    return which.strip("[]") == "1"


STATE_UNITS: Rules = (
    Rule(
        "hidden-size",
        Fit.STRONG,
        (reason("cell-units", "wanted", "got"),),
        lambda f: advised_lines.of_cell(f.reading, f"torch.zeros(x.size(0), {f.wanted})"),
        lambda f: not f.is_c,
        lambda f: {"h": (-1, f.wanted)},
    ),
    Rule(
        "hidden-size",
        Fit.STRONG,
        (reason("cell-state-units", "wanted", "got"),),
        "c = torch.zeros(x.size(0), {wanted})",
        lambda f: f.is_c,
        lambda f: {"c": (-1, f.wanted)},
    ),
)


@diagnoses("state_units")
def state_units(reading: Reading) -> Diagnosis:
    wanted, got = reading.size("expected"), reading.size("got")
    # PyTorch looks at h, hidden0, first.
    facts = Facts(reading=reading, wanted=wanted, got=got, is_c=_is_c(reading.values["which"]))
    return Diagnosis(
        Statement("cell-state" if facts.is_c else "state-of-cell"),
        facts,
        STATE_UNITS,
        {"k": wanted, "state-units": got},
    )


def _other_axis(facts: Facts) -> str:
    """Return the call that takes the step on the second axis."""
    call = "h, c = cell(sequence[:, t], (h, c))" if facts.is_pair else "h = cell(sequence[:, t], h)"
    return f"{call}   # sequence is (batch, steps, features)"


CELL_BATCH: Rules = (
    Rule(
        "batch-first",
        Fit.LIKELY,
        (reason("cell-step-of-batch", "of_x", "of_state"),),
        _other_axis,
        lambda f: f.takes_step and not f.is_c and f.of_state > 1,
        lambda f: {"x": (f.of_state, -1)},
    ),
    Rule(
        "state-tuple",
        Fit.LIKELY,
        (reason("cell-state-halved", "of_state"),),
        "h, c = cell(x, (h, c))",
        # Without a batch of its own, the first axis of a state is its units.
        lambda f: f.is_first and is_round(f.of_state) and f.of_state >= 4 * f.of_x and f.of_state >= 64,
        lambda f: {"h": (f.of_x, f.of_state), "c": (f.of_x, f.of_state)},
    ),
    Rule(
        "batch-size",
        Fit.PLAUSIBLE,
        (reason("cell-batch", "of_x", "of_state"),),
        lambda f: advised_lines.of_cell(f.reading, f"torch.zeros({f.of_x}, {{}}.size(-1))"),
        lambda f: not f.is_c,
        lambda f: {"h": (f.of_x, -1)},
    ),
    Rule(
        "batch-size",
        Fit.PLAUSIBLE,
        (reason("cell-state-batch", "of_x", "of_state"),),
        "c = torch.zeros({of_x}, c.size(-1))",
        lambda f: f.is_c,
        lambda f: {"c": (f.of_x, -1)},
    ),
    Rule(
        "unbatched",
        lambda f: Fit.PLAUSIBLE if is_round(f.of_state) and f.of_state > f.of_x else Fit.REMOTE,
        (reason("cell-state-unbatched", "of_state"),),
        lambda f: advised_lines.of_cell(f.reading, f"{{}}.expand({f.of_x}, -1)"),
        lambda f: not f.is_c,
        lambda f: {"h": (f.of_x, f.of_state)},
    ),
)


@diagnoses("batch")
def batch(reading: Reading) -> Diagnosis:
    """Diagnose x of one batch and a state of another."""
    of_x, of_state = reading.size("x"), reading.size("state")
    which = reading.values["which"]
    own = failed_operation(reading)
    facts = Facts(
        reading=reading,
        of_x=of_x,
        of_state=of_state,
        is_first="[0]" in which,
        is_c=_is_c(which),
        takes_step=takes_step(reading),
        is_pair=own is not None and "c0" in own.names,
    )
    return Diagnosis(
        Statement("cell-state" if facts.is_c else "batch-of-cell-state"),
        facts,
        CELL_BATCH,
        {"batch": of_x, "state-batch": of_state},
    )


# ---- stateful layers of Keras ------------------------------------------------------------------


def _batch_of_stateful(facts: Facts) -> str:
    """Return the lines that give the layer its batch, or make a second model for the prediction of fewer sequences."""
    of_training = f"model.fit(x, y, batch_size={facts.wanted})   # and a number of samples that {facts.wanted} divides"
    of_prediction = (
        f"Input(batch_shape=({facts.got}, ...))   # in a second model for prediction, with the weights of the first"
    )
    if not facts.predicts:
        return of_training
    return f"{of_prediction}\nsecond.set_weights(model.get_weights())   # in the second model"


STATEFUL: Rules = (
    Rule(
        "batch-first",
        Fit.STRONG,
        (reason("stateful-steps-first", "wanted"),),
        "x = np.swapaxes(x, 0, 1)",
        lambda f: f.second_axis == f.wanted,
        lambda f: {"x": (f.wanted, f.got, -1)},
    ),
    Rule(
        "batch-size",
        Fit.LIKELY,
        (reason("stateful-batch", "wanted", "got"),),
        _batch_of_stateful,
        conform=lambda f: {"x": (f.wanted, -1, -1)},
    ),
)


@diagnoses("stateful")
def stateful(reading: Reading) -> Diagnosis:
    wanted, got = (next(iter(reading.sizes(name)), 0) for name in ("expected", "got"))
    shape = re.search(r"sequences?=tf\.Tensor\(shape=\((\d{1,9}), (\d{1,9}),", reading.whole)
    facts = Facts(wanted=wanted, got=got, predicts=predicts(reading), second_axis=int(shape[2]) if shape else None)
    return Diagnosis(Statement("batch-of-stateful-layer"), facts, STATEFUL, {"batch": wanted})


STATEFUL_SAMPLES: Rules = (
    Rule(
        "batch-size",
        Fit.LIKELY,
        (reason("stateful-samples", "samples"),),
        "model.fit(x[:n], y[:n], batch_size=batch_size)   # with n = len(x) // batch_size * batch_size",
    ),
)


@diagnoses("stateful_samples")
def stateful_samples(reading: Reading) -> Diagnosis:
    """Diagnose a last batch that is smaller than the state."""
    facts = Facts(samples=reading.size("samples"))
    return Diagnosis(Statement("batch-of-stateful-layer"), facts, STATEFUL_SAMPLES)


STATEFUL_UNSAID: Rules = (
    Rule(
        "batch-size",
        Fit.SURE,
        (reason("stateful-batch-unsaid"),),
        "keras.Input(batch_shape=(batch_size, steps, features))   # in place of Input((steps, features))",
    ),
)


@diagnoses("stateful_unsaid")
def stateful_unsaid(reading: Reading) -> Diagnosis:
    return Diagnosis(Statement("batch-of-stateful-layer"), Facts(), STATEFUL_UNSAID)


KERAS_STATE: Rules = (
    Rule(
        "hidden-size",
        Fit.SURE,
        (reason("state-units", units="wanted", units_of_state="got", name=lambda f: "initial_state"),),
        "LSTM({got})   # the layer that gets the state; or GRU, SimpleRNN",
        conform=lambda f: {"initial-state": (-1, f.wanted)},
    ),
)


@diagnoses("keras_state")
def keras_state(reading: Reading) -> Diagnosis:
    """Diagnose an initial state of other units than those of the layer."""
    wanted, got = next(iter(reading.sizes("expected")), 0), next(reversed(reading.shape("got")), -1)
    return Diagnosis(Statement("initial-state"), Facts(wanted=wanted, got=got), KERAS_STATE, {"k": wanted})


# ---- the carry of lax.scan ---------------------------------------------------------------------


def _scan_state(code: str, differs: str) -> Rule:
    return Rule(
        code,
        Fit.STRONG,
        (reason("scan-state", "gave", "back"),),
        "h0 = jnp.zeros({back})",
        lambda f: f.differs == differs,
        lambda f: {"h0": f.back},
    )


CARRY: Rules = (
    Rule(
        "broadcast",
        Fit.POSSIBLE,
        (reason("scan-types", "gave"),),
        "h0 = h0.astype(x.dtype)",
        lambda f: f.differs == "type",
        lambda f: {"h0": f.gave},
    ),
    _scan_state("hidden-size", "units"),
    _scan_state("batch-size", "batch"),
    _scan_state("unbatched", "axes"),
)


@diagnoses("carry")
def carry(reading: Reading) -> Diagnosis:
    """Diagnose a scan that gets back another state than it gave."""
    gave, back = reading.shape("left"), reading.shape("right")
    scan = Statement("state-of-scan")
    if gave == back:
        return Diagnosis(scan, Facts(gave=gave, back=back, differs="type"), CARRY)
    differs = "axes" if len(gave) != len(back) else "units" if gave[-1] != back[-1] else "batch"
    return Diagnosis(scan, Facts(gave=gave, back=back, differs=differs), CARRY, {"k": back[-1]} if back else {})


# ---- nodes of ONNX Runtime ---------------------------------------------------------------------


def _node_state(code: str, at: int | None) -> Rule:
    return Rule(
        code,
        Fit.STRONG,
        (reason("node-state", "got", "wanted"),),
        "initial_{which} = np.zeros({wanted}, np.float32)",
        lambda f: f.at == at,
        lambda f: {"initial-state": f.wanted},
    )


ONNX_STATE: Rules = (
    _node_state("layers-directions", 0),
    _node_state("batch-size", 1),
    _node_state("hidden-size", 2),
    _node_state("unbatched", None),
)


@diagnoses("onnx_state")
def onnx_state(reading: Reading) -> Diagnosis:
    wanted, got = reading.shape("expected"), reading.shape("got")
    differ = [at for at, (a, b) in enumerate(zip(wanted, got)) if a != b and at < 3]
    facts = Facts(
        wanted=wanted,
        got=got,
        which=reading.values["which"],
        at=differ[0] if differ and len(wanted) == len(got) else None,
    )
    sizes = dict(zip(("directions", "batch", "k"), wanted))
    return Diagnosis(Statement("initial-state"), facts, ONNX_STATE, sizes)
