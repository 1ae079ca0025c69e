"""A model of Keras: the number of its inputs and of its layers, and the form of its targets."""

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason

INPUTS: Rules = (
    Rule(
        "inputs",
        Fit.SURE,
        (reason("inputs", "wanted", "got"),),
        lambda f: (
            "layer(x, initial_state=[h_forward, c_forward, h_backward, c_backward])   # the states of both directions"
            if f.of_layer
            else f"model.fit([{', '.join(f'x{at + 1}' for at in range(min(f.wanted, 4)))}], y)   # an array for each Input"
        ),
    ),
)


@diagnoses("inputs")
def inputs(reading: Reading) -> Diagnosis:
    name = reading.values["name"].lower()
    of_layer = any(part in name for part in ("lstm", "gru", "rnn", "bidirectional"))
    facts = Facts(wanted=reading.size("expected"), got=reading.size("got"), of_layer=of_layer)
    return Diagnosis(Statement("input-of-model"), facts, INPUTS)


WEIGHT_LAYERS: Rules = (
    Rule(
        "checkpoint",
        Fit.STRONG,
        (reason("file-parts", "got", "expected", "of"),),
        "# make the model with the layers of the file, and call it once before the weights are loaded",
    ),
)


@diagnoses("weight_layers")
def weight_layers(reading: Reading) -> Diagnosis:
    of = "variables" if "variables" in reading.message else "layers"
    facts = Facts(got=reading.size("got"), expected=reading.size("expected"), of=of)
    return Diagnosis(Statement("loading"), facts, WEIGHT_LAYERS)


BINARY_TARGETS: Rules = (
    Rule(
        "class-axis",
        Fit.SURE,
        (reason("targets-alone", "got"), reason("target-numbers")),
        'model.compile("adam", "sparse_categorical_crossentropy")   # if the targets are class indices\n'
        "y = keras.utils.to_categorical(y)   # or a column for each class, with the loss as it is",
    ),
)


@diagnoses("binary_targets")
def binary_targets(reading: Reading) -> Diagnosis:
    return Diagnosis(Statement("loss"), Facts(got=reading.shape("got")), BINARY_TARGETS)


SHORT_SEQUENCE: Rules = (
    Rule(
        "steps",
        Fit.STRONG,
        (reason("window-longer-than-steps", "window", "steps"),),
        'layers.Conv1D(filters, {window}, padding="same")   # the same for a pooling: it keeps the steps\n'
        "layers.Conv1D(filters, {most})   # or a window that is not longer than the sequence",
    ),
)


@diagnoses("short_sequence")
def short_sequence(reading: Reading) -> Diagnosis:
    """Diagnose a convolution or a pooling whose window is longer than what is left of the sequence."""
    window, steps = reading.size("window"), reading.size("steps")
    facts = Facts(window=window, steps=steps, most=max(1, min(window, steps)))
    return Diagnosis(Statement("input-of-layer"), facts, SHORT_SEQUENCE)
