"""The shape of an input that a model of Keras was told, and the one that it received; images in a ConvLSTM."""

import ast
import re
from math import prod

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape, format_shape, format_sizes
from core.shapes.messages import Reading, shape
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import likely, strong, sure
from core.shapes.rules.keras.axes import axes_for_keras
from core.shapes.rules.keras.losses import target_of_model
from core.shapes.rules.keras.sample_counts import unit_of_parts, whole_batches
from core.shapes.rules.keras.states import has_batch_of_fit, second_model, tells_of_prediction
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason
from core.shapes.user_code.data_sets import DATASET, data_set_trained
from core.shapes.user_code.evidence import is_named_as_state
from core.shapes.user_code.keras_calls import (
    data_set_of_fit,
    gives_data_alone,
    inputs_in_other_order,
    named_input,
    validation_left_out,
)

_SHAPES = reason("shape-of-x", "wanted", "got")

IMAGES: Rules = first_of(
    strong(
        "unbatched",
        (_SHAPES, reason("batch-lacks")),
        "x = x[None]   # one sample of {steps} steps",
        lambda f: f.lacks_batch,
    ),
    strong(
        "input-size",
        _SHAPES,
        lambda f: f"Input((None, {format_sizes(f.got[1:])}))   # the steps, then rows, columns and channels",
    ),
)


def of_image_cell(reading: Reading, wanted: Shape, got: Shape) -> Diagnosis | None:
    """Return the diagnosis of a step of a ConvLSTM; None if the words are about another layer."""
    if "layer 'conv_lstm_cell" not in reading.whole or len(wanted) != 4 or len(got) != 4:
        return None
    listed = re.search(r"sequences=tf\.Tensor\(shape=(\([\w, ]{1,60}\))", reading.whole)
    x = shape(listed[1]) if listed else ()
    # Keras adds an axis of channels to data that lacks the axis of samples.
    facts = Facts(wanted=wanted, got=got, lacks_batch=x[1:4] == wanted[1:] and x[4:] == (1,), steps=next(iter(x), 0))
    return Diagnosis("shape-of-x", facts, IMAGES)


BATCH_OF_KERAS = 32
# More steps than a sequence has: it is rather the number of samples.
MOST_STEPS = 500


def is_of_target(reading: Reading) -> bool:
    """Whether Keras speaks of the targets, in the words that it has for an input too."""
    if re.search(r"_target:0'?$", reading.values.get("of", "")):
        return True  # the name of the placeholder that Keras makes for them
    after = re.split(r"when checking (?:model )?target:", reading.whole)
    return len(after) > 1 and reading.values.get("of", "") in after[-1]


# ---- another shape than the one that Keras was told --------------------------------------------


def _has_two_exchanged(facts: Facts) -> bool:
    return facts.is_sequence and (facts.wanted[1], facts.wanted[2]) == (facts.got[2], facts.got[1])


def _is_told_without_batch(facts: Facts) -> bool:
    """Whether the shape that the model was told begins with the steps, and not with the batch."""
    return facts.is_sequence and facts.wanted[0] > 1 and facts.wanted[:2] == facts.got[1:] != facts.wanted[1:]


def _has_other_batch(facts: Facts) -> bool:
    is_other = facts.is_sequence and facts.wanted[0] > 0 and facts.got[0] != facts.wanted[0]
    # One sequence of indices, as a language model gets it for a sample of text.
    is_one = len(facts.wanted) == len(facts.got) == 2 and facts.got[0] == 1 < facts.wanted[0] and facts.predicts
    return (is_other or is_one) and not _is_told_without_batch(facts)


def _other_batch(facts: Facts) -> str:
    batch = facts.wanted[0]
    if facts.got[0] < 0:
        return (
            f"Input(batch_shape={format_shape(facts.wanted)})   # an input with the batch that the layer was made for"
        )
    if facts.of_histograms:
        return "TensorBoard(histogram_freq=0)   # with the other arguments as they are"
    if facts.is_last:
        return whole_batches(batch, facts.unit)
    if facts.got[0] == 1 and facts.predicts:
        return second_model(format_shape(facts.got))
    return f"model.predict(x, batch_size={batch})" if facts.predicts else f"batch_size={batch}"


def _has_other_steps(facts: Facts) -> bool:
    """Whether only the steps differ."""
    return facts.is_sequence and facts.wanted[2] == facts.got[2] and not _has_other_batch(facts)


def _with_other_entries(facts: Facts) -> str:
    """Return the lines for samples of other sizes: a trained model keeps its own."""
    wanted, got = facts.wanted[1:], facts.got[1:]
    told = tuple(-1 if one < 0 else size for one, size in zip(wanted, got)) if len(wanted) == len(got) else got
    model = f"Input({format_shape(told)})".replace("?", "None") + "   # in a new model" * facts.predicts
    if facts.of_placeholder:
        return f"tf.placeholder(tf.float32, {format_shape((facts.wanted[0], *got)).replace('-1', 'None')})   # in the place of the other"
    data = ""
    state = facts.state if len(wanted) == 1 else ""
    if state:
        data = (
            f"{state} = np.zeros((len({state}), {wanted[0]}))   # if it is the first state: with the units of the layer"
        )
    elif len(wanted) == 1 and min(*wanted, *got) > 0 and not facts.is_later and facts.is_array:
        data = f"x = keras.utils.pad_sequences(x, maxlen={wanted[0]})   # if they are word indices, as in the training"
    elif facts.predicts and got[-1:] < wanted[-1:]:
        data = f"# make x with the {advised_lines.counted(wanted[-1], 'feature', 'features')} of the training"
    lines = (data, model) if facts.predicts or state else (model, data)
    if facts.other_order:
        order = f"{facts.other_order}   # if the inputs of the model stand in this order"
        lines = (order, *lines) if facts.decoder_first else (*lines, order)
    return "\n".join(filter(None, lines))


def _wanted_x(facts: Facts) -> dict[str, Shape]:
    return {"x": facts.wanted}


def _is_turned_sample(facts: Facts) -> bool:
    """Whether one sample came without the batch, and as (features, steps)."""
    return len(facts.got) == 2 and facts.got[0] != facts.got[1] and facts.wanted[1:] == facts.got[::-1]


def _is_flat(facts: Facts) -> bool:
    """Whether x has the entries of each sample on one axis, or on other axes than were told."""
    wanted, got = facts.wanted[1:], facts.got[1:]
    sizes = (*wanted, *got)
    if len(wanted) == len(got) + 1 == 3 and wanted[0] == -1 and min(sizes[1:]) > 0:
        # The steps are to be cut into sub-sequences, however many.
        return wanted[-1] in (1, got[-1]) and prod(got) > prod(wanted[1:]) and prod(got) % prod(wanted[1:]) == 0
    return len(wanted) != len(got) and bool(sizes) and min(sizes) > 0 and prod(wanted) == prod(got) and 1 not in sizes


def _with_told_axes(facts: Facts) -> str:
    """Return the line that gives each sample the axes that the model was told."""
    wanted = facts.wanted[1:]
    return f"x = x.reshape({'len(x)' if wanted[0] < 0 else -1}, {format_sizes(wanted).replace('?', '-1')})"


def _is_unrelated(facts: Facts) -> bool:
    """Whether x has other axes than the model was told, and none of their sizes, so that it is rather another array."""
    wanted, got = facts.wanted[1:], facts.got[1:]
    return len(wanted) != len(got) and min((*wanted, *got), default=0) > 0 and not {*wanted, prod(wanted)} & {*got}


def _with_other_axes(facts: Facts) -> str:
    """Return the lines for an x of more axes or fewer."""
    wanted, got = facts.wanted, facts.got
    if facts.other_order and got[:1] != wanted[1:2]:
        return f"{facts.other_order}   # the inputs in the order of the model"
    if wanted[1:] == got:
        return "x = x[None]   # one sample"
    if wanted[1:] == (*got[1:], 1):
        return f"x = x[..., None]   # (samples, {format_sizes(wanted[1:])})"
    if len(wanted) == 3 and len(got) == 2 and wanted[2] == got[1]:
        lines = _rows_as_steps(wanted[1], got[1])
        # Keras cuts what predict is given into batches of 32.
        is_cut = facts.predicts and got[0] == BATCH_OF_KERAS < wanted[1]
        of_samples = (
            f"dataset = dataset.batch(32)   # if a data set or a generator gives single samples of {wanted[1]} steps"
        )
        if got[0] < 0 and not facts.predicts and 1 < wanted[1] <= MOST_STEPS:
            lines = f"{lines}\n{of_samples}"
        return f"x = x[None]   # one sample, if x has {wanted[1]} rows\n{lines}" if is_cut else lines
    if len(got) == 1 and wanted[1:] == (*got, 1):
        return f"x = x[None, :, None]   # one sample of {got[0]} steps"
    steps = str(wanted[1]) if wanted[1:] > (0,) else "steps"
    return axes_for_keras(got, len(wanted)).replace("(x, steps)", f"(x, {steps})")


def _rows_as_steps(steps: int, features: int) -> str:
    """Return the lines that make steps of a table whose rows were given as samples."""
    one = f"x = x[:, None]   # (samples, 1, {features}): one step"
    if steps == 1:
        return one
    if steps < 1 or steps > MOST_STEPS:
        return f"{one}\nInput((1, {features}))   # and the same in the model"
    windows = f"np.lib.stride_tricks.sliding_window_view(x, {steps}, axis=0).swapaxes(1, 2)"
    return f"x = {windows}   # windows of {steps} rows, if the rows are one long series\n{one}, and Input((1, {features})) in the model"


def _with_steps(facts: Facts) -> str:
    """Return the lines for sequences of another length."""
    (wanted, features), got = facts.wanted[1:], facts.got[1]
    model = f"Input(({got}, {features}))   # if the model may be made anew, with the steps of the data"
    if facts.is_open:
        model = f"Input((None, {features}))   # in a new model, which then takes any number of steps"
    if min(wanted, got) < 1:
        return model
    data = (
        f"x = x[:, -{wanted}:]   # the last {wanted} steps"
        if got > wanted
        else f"x = np.pad(x, ((0, 0), ({wanted - got}, 0), (0, 0)))   # zeros before the first step"
    )
    return f"{data}\n{model}" if facts.predicts else f"{model}\n{data}"


def _with_exchanged(facts: Facts) -> str:
    """Return the lines for swapped steps and features, which the model may have or the data: seldom are there fewer steps."""
    model = f"Input({format_shape(facts.got[1:])})   # if the model was told (features, steps)".replace("?", "None")
    data = "x = np.swapaxes(x, 1, 2)   # if the data is (samples, features, steps)"
    return "\n".join((model, data) if facts.got[1] > facts.got[2] and not facts.predicts else (data, model))


def _is_one_sample(facts: Facts) -> bool:
    """Whether a model that was trained gets the entries of one sample, with its steps in the place of the samples."""
    wanted, got = facts.wanted[1:], facts.got
    is_turned = len(got) == len(facts.wanted) and got[1:2] == (1,) < got[:1] and min((*wanted, *got), default=0) > 0
    return is_turned and facts.predicts and prod(wanted) == prod(got)


EXPECTED_SHAPE: Rules = (
    sure(
        "unbatched",
        (_SHAPES, reason("entries-of-one-sample", entries=lambda f: prod(f.got))),
        lambda f: f"x = x.reshape(1, {format_sizes(f.wanted[1:])})   # one sample",
        _is_one_sample,
    ),
    sure(
        "steps",
        (_SHAPES, reason("indices-not-padded", steps="wanted[1]")),
        "x = keras.utils.pad_sequences(x, maxlen={wanted[1]})   # as in the training, with the same padding",
        lambda f: f.of_indices,
    ),
    sure(
        "unbatched",
        (_SHAPES, reason("dataset-without-batch")),
        "{dataset} = {dataset}.batch(32)   # the data set gives single samples",
        lambda f: f.of_dataset,
    ),
    strong(
        "unbatched",
        (_SHAPES, reason("column-of-sample", features="wanted[1]")),
        "x = x[None]   # one sample; a generator yields it so too, and its target",
        lambda f: f.of_column,
    ),
    strong(
        "transpose",
        (_SHAPES, reason("steps-and-features-exchanged"), reason("batch-lacks")),
        "x = x.T[None]   # one sample",
        _is_turned_sample,
    ),
    sure(
        "flattened",
        (
            _SHAPES,
            reason("same-entries-of-sample", entries=lambda f: prod(f.got[1:]), when=lambda f: f.wanted[1] > 0),
            reason("sub-sequences-uncut", entries=lambda f: prod(f.got[1:]), when=lambda f: f.wanted[1] < 0),
        ),
        _with_told_axes,
        _is_flat,
    ),
    strong(
        "unbatched",
        (
            _SHAPES,
            reason("steps-like-samples", steps="wanted[1]", when=lambda f: f.wanted[1:2] > (MOST_STEPS,)),
            reason("validation-left-out", "training", "held_out", when=lambda f: f.held_out),
        ),
        lambda f: (
            "yield x[None], y[None]   # in the generator: a batch of one sample, and its target"
            if f.of_generator
            else re.sub(r"\bx\b", f.held_out or "x", _with_other_axes(f))
        ),
        lambda f: len(f.wanted) != len(f.got) and not (_is_turned_sample(f) or _is_flat(f) or f.of_dataset),
    ),
    Rule(
        "inputs",
        lambda f: Fit.SURE if _is_unrelated(f) else Fit.LIKELY,
        (_SHAPES, reason("several-named-inputs", name="named")),
        'model.fit({{"{named}": x_{named}, ...}}, y)   # each array by the name of its Input; in a list, in the order of the model',
        lambda f: f.named,
    ),
    sure(
        "unbatched",
        (_SHAPES, reason("told-without-batch", steps="wanted[0]", features="wanted[1]")),
        lambda f: f"batch_input_shape={format_shape(f.got)}   # (batch, steps, features); batch_shape in Keras 3",
        _is_told_without_batch,
    ),
    strong("transpose", (_SHAPES, reason("steps-and-features-exchanged")), _with_exchanged, _has_two_exchanged),
    strong(
        "batch-size",
        (
            _SHAPES,
            reason("batch-of-predict", when=lambda f: f.predicts and f.got[0] == 32 and not f.is_last),
            reason("batch-is-last", batch="wanted[0]", when=lambda f: f.is_last),
            reason("batch-of-histograms", when=lambda f: f.of_histograms),
        ),
        _other_batch,
        lambda f: not _has_two_exchanged(f) and _has_other_batch(f),
    ),
    strong(
        "steps",
        _SHAPES,
        _with_steps,
        lambda f: not _has_two_exchanged(f) and _has_other_steps(f) and not _is_one_sample(f),
    ),
    likely(
        "input-size",
        _SHAPES,
        _with_other_entries,
        lambda f: (
            len(f.wanted) == len(f.got)
            and not f.of_column
            and not f.of_indices
            and not _has_two_exchanged(f)
            and not _has_other_batch(f)
            and not _has_other_steps(f)
            and not _is_told_without_batch(f)
        ),
        _wanted_x,
    ),
)


# The name of an Input that the reader chose, in a model whose arrays are given together.
_NAMED = re.compile(r"Input 0 with name '(?!None|keras_tensor|input_)([\w/-]{1,40})' of layer '(?:functional|model)")


def _name_of_one(reading: Reading) -> str:
    """Return the chosen name of the first Input, where no line tells how many arrays the model is given; empty if it has none."""
    found = _NAMED.search(reading.whole)
    return found[1] if found and not reading.own else ""


def _are_indices(reading: Reading, wanted: Shape, got: Shape) -> bool:
    """Whether an embedding gets sequences of indices of another length than the model was told."""
    is_other = (
        len(wanted) == len(got) == 2 and wanted[0] == got[0] and min(wanted[1], got[1]) > 0 and wanted[1] != got[1]
    )
    return is_other and bool(re.search(r"embedding_?\d{0,4}_input|\bEmbedding\(", reading.whole))


@diagnoses("expected_shape")
def expected_shape(reading: Reading) -> Diagnosis:
    wanted, got = reading.shape("expected"), reading.shape("got")
    if is_of_target(reading):
        return target_of_model(reading, wanted, got)
    if re.search(r"when checking (?:input)? ?:", reading.whole) and len(wanted) == len(got) in (1, 2):
        wanted, got = (-1, *wanted), (-1, *got)  # told without the batch
    if found := of_image_cell(reading, wanted, got):
        return found
    training, held_out = validation_left_out(reading)
    # An array never lacks the batch in a fit.
    dataset = data_set_trained(reading) or data_set_of_fit(reading) * (wanted[1:] == got)
    is_trained = not reading.own and re.search(r'Tensor\("data.{0,900}training=True', reading.whole)
    facts = Facts(
        wanted=wanted,
        got=got,
        training=training,
        held_out=held_out,
        is_sequence=len(wanted) == len(got) == 3,
        of_indices=_are_indices(reading, wanted, got),
        # Keras makes a column of a vector.
        of_column=wanted[:1] == (-1,) and len(wanted) == 2 and got == (wanted[1], 1) and got > (1, 1),
        of_dataset=wanted[:1] == (-1,)
        and wanted[1:] == got != ()
        and bool(dataset or is_trained or DATASET.search(reading.whole)),
        dataset=dataset or "dataset",
        is_array=not (data_set_trained(reading) or gives_data_alone(reading)),
        # Keras takes the first axis of what a generator yields for the batch.
        of_generator=gives_data_alone(reading)
        and len(wanted) == len(got) + 1
        and got[:1] == (-1,)
        and wanted[2:] == got[1:],
        is_last=len(got) == 3 and 0 < got[0] < wanted[0] and has_batch_of_fit(reading, wanted[0]),
        unit=unit_of_parts(reading, wanted[0]),
        of_histograms=len(got) == 3
        and got[0] > wanted[0] > 0
        and has_batch_of_fit(reading, wanted[0])
        and bool(re.search(r"histogram_freq ?= ?[1-9]", reading.whole)),
        of_placeholder="Placeholder" in reading.values.get("of", ""),
        is_open=not re.search(r"Flatten\(|RepeatVector\(|Reshape\(|Conv1D\(|Permute\(", reading.whole)
        and bool(re.search(r"(?:LSTM|GRU|RNN)\(", reading.whole)),
        predicts=tells_of_prediction(reading, next(iter(got), 0)),
        named=_name_of_one(reading),
        **inputs_in_other_order(reading),
        state=ast.unparse(given)
        if isinstance(given := named_input(reading), ast.Name) and is_named_as_state(given)
        else "",
        is_later=bool(re.search(r"Input [1-9]\d? with name", reading.whole)),
    )
    sizes = {"m": wanted[-1]} if wanted and wanted[-1] > 0 else {}
    return Diagnosis("shape-of-x", facts, EXPECTED_SHAPE, sizes)
