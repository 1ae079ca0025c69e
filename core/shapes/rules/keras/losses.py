"""The loss in Keras and TensorFlow: its predictions and its targets."""

import ast
import re
from math import prod

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape, unknown_sizes
from core.shapes.messages import Reading
from core.shapes.rules.fits import likely, strong, sure
from core.shapes.rules.keras.sequences import sequence_returned
from core.shapes.rules.keras.target_shapes import (
    FROM_CONVOLUTION,
    are_maps,
    are_turned,
    differ_in_steps_too,
    has_outputs_of_samples,
    have_one_step,
    have_other_steps,
    lacks_column,
    lacks_outputs,
    lacks_rows,
    with_steps_of_targets,
)
from core.shapes.rules.losses.losses import SHIFTED_STEPS, shifted_by_steps, steps_apart
from core.shapes.rules.losses.target_counts import LOSS, OTHER_BATCH, SHIFTED_FLAT, batch_of_shifted
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason
from core.shapes.rules.sums.elementwise import of_two_shapes
from core.shapes.user_code.keras_calls import (
    data_set_of_fit,
    loss_of_indices,
    trains_on_inputs,
    with_all_classes,
    with_axis_of_targets,
)
from core.shapes.user_code.keras_model_layers import KerasLayer, keras_layers, last_recurrent


def _sequence_returned(facts: Facts) -> str:
    got: Shape = getattr(facts, "got", ())
    columns = got[-1] if len(got) == (3 if facts.all_steps else 2) else 0
    lines = sequence_returned(facts.layers, facts.all_steps, columns)
    if facts.all_steps is False and getattr(facts, "has_attention", False):
        return f"x = layers.GlobalAveragePooling1D()(x)   # after the attention, which returns every step too\n{lines}"
    if facts.all_steps is False and len(got) == 3:
        return f"{lines}\ny = y[:, 0]   # and targets without the axis of their only step"
    if facts.all_steps is True and getattr(facts, "is_one_hot", False):
        return (
            f'{lines}\nmodel.compile("adam", "categorical_crossentropy")   # and the loss for a column for each class'
        )
    return lines


ALL_STEPS = sure(
    "return-sequences",
    (reason("target-sizes", "got", "wanted"), reason("target-of-each-step")),
    _sequence_returned,
    lambda f: (
        f.all_steps is True
        and not getattr(f, "ends_before", False)
        and not (getattr(f, "is_one_hot_twice", False) and f.got[-1:] == (2,))
    ),
)
_OTHER_MODEL = strong(
    "return-sequences",
    (reason("target-sizes", "got", "wanted"), reason("model-ends-before")),
    "# compile and fit the Model whose output is the last recurrent layer, or the layer after it",
    lambda f: f.all_steps is True and f.ends_before,
)
LAST_STEP = sure(
    "return-sequences",
    (reason("target-sizes", "got", "wanted"), reason("target-of-last-step")),
    _sequence_returned,
    lambda f: f.all_steps is False,
)

# The losses of numbers, which no class index fits.
_LOSS_OF_NUMBERS = re.compile(
    r"""['"](?:mse|mae|mean_\w{1,40}error|binary_crossentropy|huber\w{0,9})['"]|MeanSquaredError|compile_loss/(?:m[as]p?l?e|mean_|huber|log_?cosh)"""
)

_LAST_IS_RECURRENT = re.compile(r"checking (?:model )?target: expected (?:bidirectional|lstm|gru|simple_rnn)_")


def _is_one_of_two(facts: Facts) -> bool:
    """Whether one output of a loss for two classes gets targets with a column for each."""
    return facts.of_two_classes and len(facts.got) == 2 and facts.wanted[-1:] == (1,) and facts.got[-1:] == (2,)


def _may_count_from_1(facts: Facts) -> bool:
    """Whether the targets have one column more than the predictions, as to_categorical makes for classes that count from 1."""
    return len(facts.got) == len(facts.wanted) == 2 and facts.got[-1] == facts.wanted[-1] + 1 and facts.wanted[-1] > 1


def _loss_of_indices(facts: Facts) -> str:
    """Return the lines with the loss for class indices, and with one output where there may be two classes alone."""
    line = facts.loss or 'model.compile("adam", "sparse_categorical_crossentropy")   # if the targets are class indices'
    one = 'Dense(1, activation="sigmoid")   # or one output in the last layer, with the loss binary_crossentropy'
    if facts.of_columns and facts.wanted[-1] > 1:
        columns = f"y = keras.utils.to_categorical(y, {facts.wanted[-1]})   # or a column for each class, with the loss as it is"
        return f"{line}\n{columns}"
    return f"{line}\n{one}" if facts.of_two_classes and facts.wanted[-1] == 2 else line


def _of_other_steps(facts: Facts) -> str:
    """Return the line that gives the predictions the steps of the targets, in addition to their columns."""
    return (
        f"\nlayers.RepeatVector({facts.got[1]})   # and their steps, after a recurrent layer that returns its last step"
    )


KERAS_TARGET: Rules = (
    SHIFTED_STEPS,
    sure(
        "class-targets",
        (reason("target-sizes", "got", "wanted"), reason("one-hot-twice", size="got[-1]")),
        "y = y[..., 1]   # the columns that the first to_categorical made; or call it only once",
        lambda f: f.is_one_hot_twice,
    ),
    sure(
        "broadcast",
        (reason("target-sizes", "got", "wanted"), reason("outputs-of-samples", samples="got[0]")),
        "Dense(1)   # the last layer: one output, as each sample has one number",
        has_outputs_of_samples,
    ),
    sure(
        "flattened",
        (reason("target-sizes", "got", "wanted"), reason("predictions-of-maps")),
        "x = layers.GlobalAveragePooling2D()(x)   # before the last Dense; or layers.Flatten()",
        are_maps,
    ),
    sure(
        "transpose",
        (reason("target-sizes", "got", "wanted"), reason("steps-and-features-exchanged")),
        "y = np.swapaxes(y, 1, 2)   # as the predictions are: (samples, {wanted[1]}, {wanted[2]})",
        are_turned,
    ),
    _OTHER_MODEL,
    ALL_STEPS,
    LAST_STEP,
    sure(
        "unbatched",
        (reason("target-sizes", "got", "wanted"), reason("target-of-one-step")),
        "y = y[:, 0]   # the targets without their axis of 1; where a generator yields them, too",
        have_one_step,
    ),
    sure(
        "steps",
        (
            reason("target-sizes", "got", "wanted"),
            reason("target-other-steps", of_x="wanted[1]", of_targets="got[1]"),
            reason("targets-are-inputs", when=lambda f: f.of_autoencoder),
        ),
        with_steps_of_targets,
        lambda f: f.other_steps,
    ),
    Rule(
        "class-axis",
        lambda f: Fit.SURE if f.encoded else Fit.STRONG,
        (reason("target-sizes", "got", "wanted"), reason("categorical-of-largest")),
        lambda f: (
            f.encoded
            or f"keras.utils.to_categorical(y, {f.wanted[-1]})   # with the number of classes, for each part of the data"
        ),
        lambda f: f.encodes and len(f.got) == len(f.wanted) == 2 and 1 < f.got[-1] < f.wanted[-1],
        is_own=lambda f: f.encoded,
    ),
    strong(
        "broadcast",
        (
            reason("target-sizes", "got", "wanted"),
            reason("target-columns"),
            reason("target-other-steps", of_x="wanted[1]", of_targets="got[1]", when=differ_in_steps_too),
        ),
        lambda f: (
            f"Dense({f.got[-1]}{f.activation})   # the last layer: a unit for each column of the targets"
            + "\ny = y[:, 1:]   # or the column of the second class, for one output" * _is_one_of_two(f)
            + "\ny = y[:, 1:]   # or without column 0, if the classes count from 1" * _may_count_from_1(f)
            + (_of_other_steps(f) if differ_in_steps_too(f) else "")
        ),
        lambda f: (
            f.all_steps is None
            and not f.steps
            and not f.other_steps
            and len(f.got) == len(f.wanted)
            and (f.got[-1] != 1 or f.of_numbers)
            and not (lacks_rows(f) or are_turned(f))
        ),
    ),
    sure(
        "broadcast",
        (reason("target-sizes", "got", "wanted"), reason("fewer-rows-and-columns")),
        'layers.Conv2D(..., padding="same")   # each convolution, such as ConvLSTM2D: it keeps the rows and columns',
        lacks_rows,
    ),
    sure(
        "broadcast",
        (reason("target-sizes", "got", "wanted"), reason("target-of-number")),
        "Dense(1)   # the last layer: one output, as each sample has one number",
        lacks_outputs,
    ),
    Rule(
        "class-axis",
        lambda f: Fit.SURE if f.of_sparse else Fit.STRONG,
        (reason("target-sizes", "got", "wanted"), reason("target-one-hot")),
        'model.compile("adam", "categorical_crossentropy")   # if the targets have a column for each class',
        lambda f: (
            len(f.got) == len(f.wanted)
            and f.wanted[-1:] == (1,) < f.got[-1:]
            and (len(f.got) == 2 or f.of_sparse)
            and not (f.of_columns or f.is_equal)
            and not _is_one_of_two(f)
        ),
    ),
    sure(
        "class-axis",
        (reason("target-sizes", "got", "wanted"), reason("target-numbers")),
        _loss_of_indices,
        lambda f: (
            f.all_steps is None
            and not (f.steps or f.other_steps or f.of_numbers)
            and not f.compared
            and not lacks_outputs(f)
            and not (lacks_rows(f) or are_maps(f) or lacks_column(f) or has_outputs_of_samples(f) or have_one_step(f))
            and (len(f.wanted) != len(f.got) or f.got[-1] == 1)
        ),
        is_own=lambda f: f.loss,
    ),
    sure(
        "broadcast",
        (
            reason("target-sizes", "got", "wanted"),
            reason("target-column", when=lacks_column),
            reason("target-of-each-output", when=lambda f: not lacks_column(f)),
        ),
        lambda f: (
            f"{f.compared}   # one target for all outputs of its step, or of its sequence"
            if f.compared
            else "y = y[..., None]   # one column, as the predictions have"
        ),
        lambda f: f.all_steps is None and (lacks_column(f) or f.compared and f.wanted[:-1] == f.got),
        is_own=lambda f: f.compared,
    ),
)


def _gives_all_steps(wanted: Shape, got: Shape) -> bool | None:
    """Return whether the model lacks the steps that the targets have; False for the reverse, None for neither.

    Targets that are class indices lack the last axis of the predictions.
    """
    if len(got) == 3 and len(wanted) == 2:
        return True if got[1] != 1 else None
    if len(got) == len(wanted) == 3 and got[1] == 1 < wanted[1] and got[2] == wanted[2]:
        return False
    is_reverse = len(wanted) == 3 and (
        len(got) == 2 and wanted[-1] in (-1, got[-1]) or len(got) == 1 or len(got) == 2 and got[-1] == 1
    )
    return False if is_reverse else None


@diagnoses("keras_target")
def keras_target(reading: Reading) -> Diagnosis:
    of_two_classes = "binary_crossentropy" in reading.whole
    wanted, got = reading.shape("expected"), reading.shape("got")
    # TensorFlow gives a vector of labels a first axis of 1.
    if "labels_size" in reading.message and got == (1, *wanted[:1]) and wanted[0] > 1:
        got = got[1:]
    found = of_target(reading, wanted, got, of_two_classes=of_two_classes)
    vars(found.facts).update(loss=loss_of_indices(reading), encoded=with_all_classes(reading, wanted[-1]))
    return found


def of_target(
    reading: Reading, wanted: Shape, got: Shape, *, of_two_classes: bool = False, of_sparse: bool = False
) -> Diagnosis:
    """Return the diagnosis of predictions and targets by their shapes, for the model in the reader's text."""
    text, of_autoencoder = reading.whole, trains_on_inputs(reading)
    all_steps, layers = _gives_all_steps(wanted, got), keras_layers(text)
    last = layers[-1] if layers else None
    units = ast.unparse(last.inner.args[0]) if last and last.kind == "Dense" and last.inner.args else ""
    # A loss drops an axis of one output, so what is left are the steps.
    is_dropped = units == "1" or of_two_classes and got[1:] == (1,) and units != str(wanted[-1])
    if is_dropped and len(wanted) == len(got) == 2 and wanted[1] > 2:
        all_steps = False
    steps = None if of_autoencoder else steps_apart(wanted, got)
    other_steps = not steps and all_steps is None and have_other_steps(wanted, got)
    facts = Facts(
        wanted=wanted,
        got=got,
        all_steps=all_steps,
        steps=steps,
        other_steps=other_steps,
        of_autoencoder=of_autoencoder,
        of_convolution=bool(FROM_CONVOLUTION.search(text)),
        of_sparse=of_sparse,
        # No class index fits the units of a recurrent layer either.
        of_numbers=len(got) == len(wanted) and bool(_LOSS_OF_NUMBERS.search(text) or _LAST_IS_RECURRENT.search(text)),
        is_loss_of_numbers=bool(_LOSS_OF_NUMBERS.search(text)) and "binary_crossentropy" not in text,
        layers=layers,
        encodes="to_categorical(" in text,
        encoded="",
        loss="",
        compared=with_axis_of_targets(reading),
        of_two_classes=of_two_classes,
        of_columns="in categorical_crossentropy" in text,
        # Losses of Keras 3 for columns say so; the sparse one has other words.
        is_equal="Arguments `target` and `output` must have the same shape" in reading.message,
        activation=_activation(text),
        is_one_hot_twice=len(got) == 3
        and len(wanted) == 2
        and (got[1] == got[2] > 1 or got[2] == 2 and (got[1] == wanted[1] or text.count("to_categorical(") > 1)),
        ends_before=_ends_before(layers, text),
        has_attention="attention" in text.lower(),
    )
    return Diagnosis(LOSS, facts, KERAS_TARGET)


# The traceback names the loss function. It expects probabilities, unless from_logits=True tells it that the outputs are logits.
_LOSS_OF_PROBABILITIES = re.compile(r", in (categorical|binary)_crossentropy\b")
_ACTIVATIONS = {"categorical": "softmax", "binary": "sigmoid"}


def _activation(text: str) -> str:
    """Return the argument of the last layer that gives a column for each class its probability; empty if the text tells no such loss."""
    loss = None if "from_logits=True" in text else _LOSS_OF_PROBABILITIES.search(text)
    return f', activation="{_ACTIVATIONS[loss[1]]}"' if loss else ", ..."


def _ends_before(layers: tuple[KerasLayer, ...], text: str) -> bool:
    """Whether a text makes several models of layers of which the last recurrent one returns all steps."""
    at = last_recurrent(layers)
    if at is None or not layers[at].returns_all_steps:
        return False
    is_reduced = any(one.kind == "Flatten" or "Pooling" in one.kind for one in layers[at + 1 :])
    return not is_reduced and len(re.findall(r"= ?(?:\w{1,20}\.){0,3}Model\(", text)) > 1


@diagnoses("incompatible")
def incompatible(reading: Reading) -> Diagnosis:
    """Diagnose TensorFlow's words for targets and predictions, which it also says of any two shapes."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    if not wanted or not got or wanted[0] != got[0]:
        return of_two_shapes(reading.framework, got, wanted)
    return of_target(reading, wanted, got)


KERAS_SAMPLES: Rules = (
    SHIFTED_FLAT._replace(change=shifted_by_steps),
    sure(
        "return-sequences",
        (reason("targets-steps-flattened", "of_x", "T", "of_targets"), reason("target-of-last-step")),
        _sequence_returned,
        lambda f: f.all_steps is False,
    ),
    likely(
        "return-sequences",
        (reason("targets-for-steps", "of_targets", "T", "of_x"), reason("target-of-each-step")),
        _sequence_returned,
        lambda f: f.all_steps is True and not f.of_loader,
    ),
    OTHER_BATCH,
)


@diagnoses("keras_samples")
def keras_samples(reading: Reading) -> Diagnosis:
    """Diagnose the sparse loss, which flattens all axes but the classes."""
    logits, of_targets = reading.shape("expected"), prod(reading.shape("got"))
    of_x, classes = prod(logits[:-1]), logits[-1]
    T = max(of_x, of_targets) // max(1, min(of_x, of_targets))
    is_multiple = T > 1 and max(of_x, of_targets) == T * min(of_x, of_targets)
    all_steps = None if T == classes else of_targets > of_x
    facts = Facts(
        of_x=of_x,
        of_targets=of_targets,
        T=T,
        classes=classes,
        all_steps=all_steps if is_multiple else "",
        batch=0 if is_multiple else batch_of_shifted(of_x, of_targets),
        steps=(of_x, of_targets),
        # Keras 3 tells targets with an axis of steps by their axes, before the loss counts them.
        of_loader=is_multiple
        and of_targets > of_x
        and T != classes
        and "compile_loss/" in reading.whole
        and bool(data_set_of_fit(reading)),
        layers=keras_layers(reading.whole),
    )
    return Diagnosis(LOSS, facts, KERAS_SAMPLES, {"batch": of_x, "targets": of_targets})


INDICES_OF_STEPS: Rules = first_of(
    sure(
        "broadcast",
        reason("target-of-indices", "steps"),
        "y = y[..., None]   # (samples, steps, 1): one column, as the predictions have",
        lambda f: f.of_numbers and not f.of_crf,
    ),
    sure(
        "class-axis",
        reason("target-of-indices", "steps"),
        lambda f: (
            "y = y[..., None]   # (samples, steps, 1), if the CRF takes the index of each tag\n"
            "y = keras.utils.to_categorical(y)   # (samples, steps, tags), if it takes them one-hot"
            if f.of_crf
            else "y = y[..., None]   # (samples, steps, 1)"
            if f.of_sparse
            else "y = keras.utils.to_categorical(y)   # (samples, steps, classes)\n"
            'model.compile("adam", "sparse_categorical_crossentropy")   # or this loss, with y[..., None] in an old version'
        ),
    ),
)


def _indices_of_steps(reading: Reading, wanted: Shape, got: Shape) -> Diagnosis | None:
    """Return the diagnosis of targets with one number for each step; None if they may be for the last step."""
    # The sparse loss takes one index for each sequence, so more are those of steps.
    of_sparse = "sparse_categorical" in reading.whole and "to_categorical(" not in reading.whole
    # A field over the tags predicts one for each step.
    of_crf = bool(re.search(r"crf|conditional_random", reading.values.get("of", "")))
    if len(wanted) != 3 or len(got) != 2 or got[1] < 2:
        return None
    if not (of_sparse or of_crf or "RepeatVector(" in reading.whole):
        return None
    layers = keras_layers(reading.whole)
    last = layers[-1] if layers else None
    if not (of_sparse or of_crf) and last is None or last and last.kind == "Dense" and last.units == str(got[1]):
        return None
    facts = Facts(
        steps=got[1],
        of_numbers=bool(_LOSS_OF_NUMBERS.search(reading.whole)),
        of_sparse="sparse_categorical" in reading.whole,
        of_crf=of_crf,
    )
    return Diagnosis(LOSS, facts, INDICES_OF_STEPS)


def target_of_model(reading: Reading, wanted: Shape, got: Shape) -> Diagnosis:
    """Return the diagnosis of a target that the last layer of a model does not fit, by its shapes or their lengths."""
    if reading.kind == "rank":
        # The message has only the number of axes: 3 for a prediction at each step.
        wanted = unknown_sizes(reading.size("allowed"))
    if (reading.kind == "rank" or set(wanted) == {-1}) and (found := _indices_of_steps(reading, wanted, got)):
        return found
    if reading.kind != "rank":
        # The message gives the shape of a target without its batch; the first versions gave it with the batch.
        is_whole = len(wanted) > 2 and re.search(r"batch_(?:input_)?shape", reading.whole)
        if wanted[:1] != (-1,) and not is_whole:
            wanted, got = (-1, *wanted), (-1, *got)
    return of_target(reading, wanted, got, of_sparse="sparse_categorical" in reading.whole)


TARGET_ELEMENTS = strong(
    "hidden-size",
    (reason("targets", "of_x", "of_targets"), reason("target-of-one-number", columns="T", when=lambda f: f.T)),
    "nn.Linear(..., out_features=1)   # the last layer, if each sequence has one target\n"
    "targets = torch.nn.functional.one_hot(targets.long()).float()   # if they are class indices",
)


@diagnoses("target_elements")
def target_elements(reading: Reading) -> Diagnosis:
    """Diagnose a loss of two classes whose message has the numbers of entries alone."""
    of_x, of_targets = reading.size("x"), reading.size("got")
    T = of_x // of_targets if of_targets and of_x % of_targets == 0 else 0
    return Diagnosis(LOSS, Facts(of_x=of_x, of_targets=of_targets, T=T), TARGET_ELEMENTS)
