"""A model of Keras: the number of its inputs and of its layers, and the form of its targets."""

import ast
import copy
import re

from core.shapes.explanation import Statement
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.keras.axes import MOST_CHANNELS
from core.shapes.rules.losses.target_counts import LOSS
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import keyword, line_with
from core.shapes.user_code.evidence import calls_of_line
from core.shapes.user_code.keras_calls import (
    with_first_inputs,
    with_input_of_name,
    with_missing_input,
    with_other_input,
    with_same_samples,
)
from core.shapes.user_code.model_building import building_of
from core.shapes.user_code.syntax_trees import last_name

MOST_INPUTS = 5

INPUTS: Rules = first_of(
    sure(
        "inputs",
        reason("list-of-targets", count="got"),
        "y = np.array(y)   # (samples, ...)",
        lambda f: f.of_target and f.of_list,
    ),
    sure(
        "inputs",
        reason("outputs", "wanted", "got"),
        lambda f: (
            f"model.fit(x, [{', '.join(f'y{at + 1}' for at in range(min(f.wanted, 4)))}])   # an array for each output"
        ),
        lambda f: f.of_target,
    ),
    sure(
        "inputs",
        reason("list-of-samples", count="got"),
        "x = np.array(x)   # (samples, steps, features)",
        lambda f: f.of_list,
    ),
    sure(
        "inputs",
        "inputs-of-directions",
        "x = layers.Concatenate()(x)   # before this layer, if the one below is a Bidirectional with merge_mode=None\n"
        "x = x[0]   # before this layer: the output alone, if the one below has return_state=True",
        lambda f: f.of_directions,
    ),
    sure(
        "inputs",
        "layer-of-two-sequences",
        "x = layers.Concatenate()([a, b])   # before this layer: the features of both at each step",
        lambda f: f.of_sequences,
    ),
    sure(
        "state-tuple",
        reason("inputs-of-layer", "got"),
        lambda f: f.without_states or "x = x[0]   # the output alone, before this layer; or return_state=False below",
        lambda f: f.of_states,
    ),
    sure(
        "inputs",
        reason("inputs", "wanted", "got"),
        lambda f: (
            "layer(x, initial_state=[h_forward, c_forward, h_backward, c_backward])   # the states of both directions"
            if f.of_layer
            else f"{f.line}   # as many arrays as the model has inputs"
            if f.line
            else f"model.fit([{', '.join(f'x{at + 1}' for at in range(min(f.wanted, 4)))}], y)   # an array for each Input"
        ),
        is_own=lambda f: f.line,
    ),
)


# How many arrays a layer with return_state=True gives.
_WITH_STATES = {2: "GRU({k}, {told})", 3: "LSTM({k}, {told})", 5: "Bidirectional(LSTM({half}, {told}))"}


def _without_states(reading: Reading, got: int) -> str:
    """Return the layer of a Sequential without its states; empty if the reader's line makes no Sequential."""
    units = re.search(
        r"shape=\((\w{1,9}(?:, \w{1,9})?), (\d{1,6})\)", reading.whole[reading.whole.rfind("Inputs received") :]
    )
    if "Sequential(" not in reading.code or not units or got not in _WITH_STATES:
        return ""
    k, told = int(units[2]), "return_sequences=True" if "," in units[1] else "return_state=False"
    made = _WITH_STATES[got].format(k=k, half=k // 2, told=told)
    return f"{made}   # the layer before this one, in the list, without return_state=True"


@diagnoses("inputs")
def inputs(reading: Reading) -> Diagnosis:
    name = reading.values.get("name", "").lower()
    of_layer = any(part in name for part in ("lstm", "gru", "rnn", "bidirectional"))
    of_model = any(part in name for part in ("sequential", "functional", "model"))
    wanted, got = reading.size("expected"), reading.size("got")
    of_target = bool(re.search(r"checking (?:model )?target: the list", reading.whole))
    ranks = {one.count(",") + 1 for one in re.findall(r"shape=\(([\w, ]{3,60})\)", reading.whole)}
    building = building_of(reading)
    is_pair = bool(building and isinstance(building.given, ast.Name))
    received = re.findall(r"shape=\(([\w, ]{3,60})\)", reading.after)
    of_sequences = wanted == 1 and got == 2 and not of_model and ranks == {3}
    facts = Facts(
        wanted=wanted,
        got=got,
        without_states=_without_states(reading, got),
        line=with_first_inputs(reading, wanted)
        if got > wanted
        else with_missing_input(reading)
        if got == wanted - 1
        else "",
        # More arrays than any model has inputs.
        of_list=wanted == 1 and got > MOST_INPUTS and (of_model or not name),
        of_target=of_target,
        of_directions=is_pair and wanted == 1 and got == 2 and not of_model and len(set(received)) == 1,
        of_sequences=of_sequences,
        of_layer=of_layer,
        # A layer of one input after an RNN or a GRU, an LSTM or a Bidirectional LSTM that returns its states.
        of_states=bool(name) and not of_model and not of_sequences and wanted == 1 and got in (2, 3, 5),
    )
    return Diagnosis(LOSS if of_target else Statement("input-of-model"), facts, INPUTS)


MISSING_INPUT = sure(
    "inputs",
    reason("missing-input", "name"),
    "model.fit({{{arrays}}}, y)",
    own="line",
    note="an array for each Input, by its name",
)


@diagnoses("missing_input")
def missing_input(reading: Reading) -> Diagnosis:
    """Diagnose a dictionary of arrays that lacks one of the inputs."""
    name = reading.values["name"].strip("'\"")
    names = [*re.findall(r"'([^']{1,80})'", reading.values["given"]), name]
    arrays = ", ".join(f"{one!r}: x{at}" for at, one in enumerate(names, 1))
    facts = Facts(name=name, arrays=arrays, line=with_input_of_name(reading, name))
    return Diagnosis("input-of-model", facts, MISSING_INPUT)


INPUTS_OF_SAMPLES: Rules = first_of(
    strong(
        "ragged",
        (reason("list-of-samples", "count"), reason("ragged")),
        advised_lines.PADDED_FOR_KERAS,
        lambda f: f.of_samples and f.are_ragged,
    ),
    strong(
        "inputs",
        reason("list-of-samples", "count"),
        "x = np.array(x)   # (samples, steps, features)",
        lambda f: f.of_samples,
    ),
    strong(
        "batch-size",
        reason("samples-of-inputs", "sizes", "of_targets"),
        lambda f: f.line or "# each input and the targets must have the same number of samples",
        is_own=lambda f: f.line,
    ),
)


@diagnoses("inputs_of_samples")
def inputs_of_samples(reading: Reading) -> Diagnosis:
    """Diagnose a list of samples, which Keras reads as a list of inputs, or inputs of other numbers of samples."""
    sizes, of_targets = reading.sizes("sizes"), reading.size("got")
    facts = Facts(
        count=len(sizes),
        sizes=sizes,
        of_targets=of_targets,
        line=with_same_samples(reading, (*sizes, of_targets), min((*sizes, of_targets))) if sizes else "",
        of_samples=len(sizes) == of_targets and len(sizes) > 1,
        are_ragged=len(set(sizes)) > 1,
    )
    return Diagnosis("samples", facts, INPUTS_OF_SAMPLES)


# A model that is made without one of its inputs.
NOT_CONNECTED: Rules = rules_of(
    "not_connected",
    "input-of-model",
    sure("inputs", "input-left-out", "{line}   # with every Input that the outputs are computed from"),
    facts=lambda reading: {"line": with_other_input(reading)},
)


WEIGHT_LAYERS: Rules = rules_of(
    "weight_layers",
    "loading",
    strong(
        "checkpoint",
        reason("file-parts", "got", "expected", "of"),
        "# make the model with the layers of the file, and call it once before the weights are loaded",
    ),
    facts=lambda reading: {"of": "variables" if "variables" in reading.message else "layers"},
)


BINARY_TARGETS: Rules = rules_of(
    "binary_targets",
    "loss",
    sure(
        "class-axis",
        (reason("targets-alone", "got"), reason("target-numbers")),
        'model.compile("adam", "sparse_categorical_crossentropy")   # if the targets are class indices\n'
        "y = keras.utils.to_categorical(y)   # or a column for each class, with the loss as it is",
    ),
)


STRUCTURES = strong(
    "inputs",
    "targets-of-outputs",
    lambda f: (
        f"model.fit(x, list(np.swapaxes(y, 0, 1)))   # if axis 1 of y has the {f.outputs} outputs, such as the steps of a decoder"
        if f.outputs > 2
        else "model.fit(x, [targets_1, targets_2])   # an array of targets for each output, in their order"
        if f.outputs
        else "model.fit(x, [y1, y2])   # an array of targets for each output, in their order"
    ),
)


@diagnoses("structures")
def structures(reading: Reading) -> Diagnosis:
    """Diagnose targets that are one array for several outputs, or several for one."""
    listed = re.search(r"y_true: \* y_pred: \[(['*, ]{1,900})\]", reading.whole)
    return Diagnosis("loss", Facts(outputs=listed[1].count("*") if listed else 0), STRUCTURES)


def _with_all_of_window(reading: Reading, window: int) -> str:
    """Return the reader's line with a pooling that takes a last window of fewer steps too."""
    poolings = [one for one in calls_of_line(reading) if re.search(r"Pool(?:ing)?1D$", last_name(one.func))]
    line = f'layers.MaxPooling1D({window}, padding="same")'
    if len(poolings) == 1:
        made = copy.deepcopy(poolings[0])
        made.keywords = [*(one for one in made.keywords if one.arg != "padding"), keyword("padding", "'same'")]
        line = line_with(reading, poolings[0], ast.unparse(made))
    return f"{line}   # or a pooling that takes a last window of fewer steps"


SHORT_SEQUENCE: Rules = (
    strong(
        "steps",
        reason("window-longer-than-steps", "window", "steps"),
        lambda f: (
            f"nn.Conv1d(..., padding={f.window // 2})   # zeros before the first step and after the last\n"
            f"nn.Conv1d(..., kernel_size={f.most})   # or a window that is not longer than the sequence"
            if f.framework == "PyTorch"
            else f'layers.Conv1D(..., padding="same")   # each convolution before it, which keeps the steps so\n{f.pooled}'
            if f.is_pooling
            else f'layers.Conv1D({f.filters}, {f.window}, padding="same")   # the same for a pooling: it keeps the steps\n'
            f"layers.Conv1D({f.filters}, {f.most})   # or a window that is not longer than the sequence"
        ),
        is_own=lambda f: f.is_pooling,
    ),
)


def _axes_of_convolution(facts: Facts) -> str:
    """Return the lines that give a convolution as many axes as its kernel has."""
    spatial, made = facts.wanted - 2, facts.building
    if len(facts.x) > facts.wanted:
        if made and (line := made.wrapped("TimeDistributed")):
            return f"{line}   # the same convolution at each step"
        return f"x = layers.TimeDistributed(layers.Conv{spatial}D({facts.kernel[-1]}, {facts.kernel[0]}))(x)   # the same convolution at each step"
    if made and ast.unparse(made.layer).partition("(")[0].endswith("TimeDistributed") and facts.wanted == 4:
        if facts.x[-1] > MOST_CHANNELS:
            told = re.search(r"\binput_shape ?= ?\((?:[\w.]{1,40}, ?){2}[\w.]{1,40}(?=\))", made.line.code)
            if told:
                return f"{made.line.code[: told.end()]}, 1{made.line.code[told.end() :]}   # one channel; the data needs the same"
            sizes = ", ".join(str(one) if one > 0 else "None" for one in facts.x[1:])
            return f"Input((None, {sizes}, 1))   # the steps first, then rows, columns and one channel; the data needs the same"
        sizes = ", ".join(str(one) if one > 0 else "None" for one in (*facts.x[1:2], *facts.x[1:]))
        return f"Input((None, {sizes}))   # the steps first, then rows, columns and channels of an image; the data needs the same"
    channel = "x = x[..., None]   # one channel"
    if (len(facts.x), facts.wanted) == (3, 4) and facts.x[-1] > 4:
        filters, window = facts.kernel[-1], facts.kernel[0]
        return (
            f"layers.Conv1D({filters}, {window})   # in place of Conv2D, if each sample is (steps, features)\n{channel}"
        )
    return channel


KERNEL_RANK = sure("unbatched", reason("axes", axes=lambda f: len(f.x), allowed="wanted"), _axes_of_convolution)


@diagnoses("kernel_rank")
def kernel_rank(reading: Reading) -> Diagnosis:
    """Diagnose a convolution of another number of axes than its input."""
    kernel, x = reading.shape("kernel"), reading.shape("x")
    return Diagnosis(
        "input-of-layer", Facts(x=x, kernel=kernel, wanted=len(kernel), building=building_of(reading)), KERNEL_RANK
    )


@diagnoses("short_sequence")
def short_sequence(reading: Reading) -> Diagnosis:
    """Diagnose a convolution or a pooling whose window is longer than what is left of the sequence."""
    is_pooling = "pool" in reading.values
    if is_pooling or "kernel" in reading.values:
        kernel = reading.shape("pool" if is_pooling else "kernel")
        window, steps = next(iter(kernel), 1), next(iter(reading.shape("x")[1:2]), 1)
    else:
        kernel = ()
        window, steps = reading.size("window"), reading.size("steps")
    facts = Facts(
        framework=reading.framework,
        window=window,
        steps=steps,
        most=max(1, min(window, steps)),
        is_pooling=is_pooling,
        pooled=_with_all_of_window(reading, window) if is_pooling else "",
        filters=kernel[2] if len(kernel) == 3 and kernel[2] > 0 else "filters",
    )
    return Diagnosis("input-of-layer", facts, SHORT_SEQUENCE)


# ---- the axis of steps at each step -----------------------------------------------------------

TIME_DISTRIBUTED: Rules = rules_of(
    "time_distributed",
    "axes-of-x",
    sure(
        "return-sequences",
        reason("one-vector", "x"),
        lambda f: (
            f.all_steps
            or f"LSTM({f.x[-1]}, return_sequences=True)   # the layer before this one, if it is recurrent; or GRU, SimpleRNN\n"
            "x = layers.RepeatVector(...)(x)   # or if one vector is to be repeated at each step, as in an autoencoder"
        ),
    ),
    facts=lambda reading: {"x": reading.shape("shape"), "all_steps": _without_last_step(reading)},
)


def _without_last_step(reading: Reading) -> str:
    """Return the reader's line with all steps in the place of the last one; empty if it takes no step of a sequence."""
    building = building_of(reading)
    given = building.given if building else None
    if building is None or not isinstance(given, ast.Subscript) or not isinstance(given.slice, ast.Tuple):
        return ""
    steps = [ast.unparse(one) for one in given.slice.elts][:2]
    if steps[0] != ":" or not re.fullmatch(r"-?\w+", steps[-1]):
        return ""
    line = building.given_instead(ast.unparse(given.value))
    return f"{line}   # all steps, without [:, {steps[1]}]" if line else ""
