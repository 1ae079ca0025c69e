"""The data that a model of Keras gets: generators, data sets, windows of a series, lists of inputs, and texts."""

import ast
import re

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading, sizes_in
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import likely, strong, sure
from core.shapes.rules.keras.inputs import DATASET
from core.shapes.rules.losses.target_counts import LOSS
from core.shapes.rules.rule import DIAGNOSES, Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import changed_call, with_argument_as, with_expression
from core.shapes.user_code.keras_calls import data_set_of_fit, with_same_samples
from core.shapes.user_code.syntax_trees import expression, function_of, tree_of

_SAMPLES = "samples"

# ---- sequences of different lengths in a batch of a data set -----------------------------------


def _padded_batch(reading: Reading) -> str:
    """Return the reader's line with padded_batch in the place of batch, or the line of any data set."""
    for one in reversed(reading.program):
        calls = [node for node in ast.walk(one.value) if isinstance(node, ast.Attribute) and node.attr == "batch"]
        if calls:
            return re.sub(r"\.batch\(", ".padded_batch(", one.code)
    name = data_set_of_fit(reading) or "dataset"
    return f"{name} = {name}.padded_batch(batch_size)   # in the place of {name}.batch(batch_size)"


RAGGED_BATCH = sure("ragged", reason("batch-of-dataset", "left", "right"), lambda f: _padded_batch(f.reading))


@diagnoses("ragged_batch")
def ragged_batch(reading: Reading) -> Diagnosis:
    """Diagnose a data set of TensorFlow that puts sequences of different lengths into a batch."""
    left, right = reading.shape("left"), reading.shape("right")
    return Diagnosis("new-array", Facts(reading=reading, left=left, right=right), RAGGED_BATCH)


# ---- windows of a series, each of them a data set ------------------------------------------------

# More steps than a window has, so that one batch takes them all.
_WHOLE = "flat_map(lambda w: w.batch(10_000))"

WINDOWS_OF_DATASET = sure(
    "unbatched",
    "window-of-dataset",
    lambda f: (
        f"{f.line or f'dataset = dataset.{_WHOLE}'}   # {'' if f.line else 'after window; '}10 000 or the steps of a window"
    ),
    is_own=lambda f: f.line,
)


@diagnoses("windows_of_dataset")
def windows_of_dataset(reading: Reading) -> Diagnosis:
    """Diagnose the steps that a program takes from a window of TensorFlow, which is a data set."""
    lines = []
    for one in reading.own:
        calls = [node for node in ast.walk(tree_of(one.code) or ast.Pass()) if function_of(node) == "map"]
        if len(calls) == 1 and isinstance(calls[0], ast.Call) and isinstance(calls[0].func, ast.Attribute):
            given = ast.unparse(calls[0].func.value)
            lines.append(with_expression(tree_of(one.code), calls[0].func, f"{given}.{_WHOLE}.map"))
    return Diagnosis("new-array", Facts(line=lines[-1] if lines else ""), WINDOWS_OF_DATASET)


# A generator or a data set that gives single samples, whose targets are numbers.
SCALAR_OF_DATA_SET: Rules = rules_of(
    "scalar_of_data_set",
    "input-of-model",
    sure(
        "unbatched",
        "scalar-of-data-set",
        "yield x[None], np.array([y])   # in the generator: a batch of one sample, and its target\n"
        "dataset = dataset.batch(32)   # or of a data set of TensorFlow",
    ),
)


# ---- targets that are single numbers -----------------------------------------------------------

# A target without any axis: a sample that no batch holds, or an entry of a list.
LABEL_NUMBER: Rules = rules_of(
    "label_number",
    LOSS,
    *first_of(
        sure(
            "unbatched",
            (reason("target-is-number"), reason("dataset-without-batch")),
            "dataset = dataset.padded_batch(32)   # before fit, for the validation data too; it pads shorter sequences",
            lambda f: f.of_dataset,
        ),
        strong(
            "unbatched",
            "target-is-number",
            "y = np.reshape(y, (-1, {columns}))   # a row for each sample; a list of numbers would be read as several targets",
        ),
    ),
    facts=lambda reading: {
        "columns": max(1, reading.shape("expected")[-1]),
        "of_dataset": bool(DATASET.search(reading.whole)),
    },
)


# ---- windows of a series that is too short -----------------------------------------------------

SHORT_SERIES: Rules = rules_of(
    "short_series",
    "new-array",
    sure(
        "steps",
        reason("series-too-short", "length", "last"),
        "data = np.concatenate([train[-{length}:], data])   # the last {length} rows before it, if data follows train\n"
        "TimeseriesGenerator(data, data, length={last})   # or shorter windows, in training too",
    ),
)


NO_SAMPLES: Rules = (
    strong(
        "steps",
        "no-samples",
        "steps = min(steps, len(data) - 1)   # if the windows are longer than the data\n"
        "batch_size = min(batch_size, len(x))   # if a generator leaves out what makes no whole batch",
    ),
)


@diagnoses("empty_data")
def empty_data(reading: Reading) -> Diagnosis:
    """Diagnose data without any sample."""
    return Diagnosis(_SAMPLES, Facts(), NO_SAMPLES)


# ---- several inputs of different numbers of samples, without targets ---------------------------

_LISTS = re.compile(r"\w{1,40}\.predict\(\[(\[[\w., -]{1,80}\](?:, ?\[[\w., -]{1,80}\]){1,8})\]")


def _as_arrays(facts: Facts) -> str:
    """Return the call with an array for each input."""
    if found := _LISTS.search(facts.text):
        arrays = re.sub(r"\[[^\]]*\]", lambda one: f"np.array({one[0]})", found[1])
        return f"{found[0].partition('(')[0]}([{arrays}])   # an array for each input: (samples, ...)"
    return "x1, x2 = np.array(x1)[None], np.array(x2)[None]   # one sample for each input, with the axis of samples"


INPUTS_ALONE: Rules = first_of(
    likely(
        "unbatched",
        (reason("inputs-of-samples", "sizes"), reason("one-input-without-samples")),
        _as_arrays,
        lambda f: 1 in f.sizes,
        own="line",
    ),
    strong(
        "batch-size",
        reason("inputs-of-samples", "sizes"),
        lambda f: f"x1, x2 = x1[:{min(f.sizes)}], x2[:{min(f.sizes)}]",
        own="line",
        note="if the first samples belong together",
    ),
)


TARGETS_IN_LIST = strong("inputs", reason("list-of-targets", "count"), "y = np.array(y)   # (samples, ...)")


def _with_targets(reading: Reading, of_x: Shape, of_y: Shape) -> Diagnosis:
    """Return the diagnosis of inputs and targets of other numbers of samples."""
    if not of_x or not of_y or 0 in (*of_x, *of_y):
        return Diagnosis(_SAMPLES, Facts(), NO_SAMPLES)
    if len(of_y) > 1:
        return Diagnosis(_SAMPLES, Facts(count=len(of_y)), TARGETS_IN_LIST)
    values = {"sizes": ", ".join(map(str, of_x)), "x": str(of_x[0]), "got": str(of_y[0])}
    return DIAGNOSES["samples" if len(of_x) == 1 else "inputs_of_samples"](reading._replace(values=values))


@diagnoses("inputs_alone")
def inputs_alone(reading: Reading) -> Diagnosis:
    """Diagnose the inputs of a model with several of them."""
    text, _, of_y = reading.values["sizes"].partition("y sizes:")
    if of_y:
        return _with_targets(reading, sizes_in(text), sizes_in(of_y))
    shapes = re.findall(r"[(\[](\d{1,9})", text)
    sizes = tuple(int(size) for size in shapes) if shapes else reading.sizes("sizes")
    facts = Facts(
        sizes=sizes or (0,),
        text=reading.whole,
        line=with_same_samples(reading, sizes, min(sizes)) if sizes else "",
    )
    return Diagnosis(_SAMPLES, facts, INPUTS_ALONE)


# A padding of one sequence, where a list of sequences is needed.
LIST_OF_NUMBERS: Rules = rules_of(
    "list_of_numbers",
    _SAMPLES,
    sure(
        "unbatched", "one-list-to-pad", "x = keras.utils.pad_sequences([x])", own="line", note="one sequence in a list"
    ),
    facts=lambda reading: {"line": with_argument_as(reading, ("pad_sequences",), "[{}]")},
)


PLAIN_LIST: Rules = (
    sure("inputs", "list-of-targets-alone", "y = np.array(y)   # (samples, ...)", lambda f: f.of_targets),
    strong(
        "inputs",
        "list-in-place-of-array",
        "x = np.array(x)   # if all sequences have the same length\n" + advised_lines.PADDED_FOR_KERAS,
        lambda f: not f.of_targets,
    ),
)

_TYPE = re.compile(r"\(of type <class '([\w.]{1,60})'>\)")


LIST_OF_SAMPLES = sure(
    "list",
    "list-taken-apart",
    "x, y = np.array(x), np.array(y)   # the lists of samples and of targets as arrays",
    own="line",
)


def list_of_samples(reading: Reading) -> Diagnosis:
    """Diagnose Python lists of samples, or of targets, which Keras takes apart."""

    def as_arrays(call: ast.Call) -> None:
        arrays = 1 if function_of(call) == "predict" else 2  # then comes its batch_size
        call.args[:arrays] = [expression(f"np.array({ast.unparse(one)})") for one in call.args[:arrays]]

    line = changed_call(reading, ("fit", "evaluate", "predict"), as_arrays)
    return Diagnosis("input-of-model", Facts(line=line), LIST_OF_SAMPLES)


@diagnoses("plain_list")
def plain_list(reading: Reading) -> Diagnosis:
    """Diagnose a list of lists, or of targets, which Keras 3 does not read as one array."""
    # The words name x alone, also where y is the list.
    types = _TYPE.findall(reading.whole)
    of_targets = bool(types) and types[0] != "list"
    return Diagnosis("input-of-model", Facts(of_targets=of_targets), PLAIN_LIST)


OBJECT_ARRAY: Rules = rules_of(
    "object_array",
    "input-of-model",
    likely(
        "ragged",
        "array-of-objects",
        advised_lines.PADDED_FOR_KERAS + "; if the samples have different lengths\n"
        'x = np.asarray(x).astype("float32")   # if all have the same length; a column of text must become numbers first',
    ),
)


RAGGED_TENSOR = sure(
    "ragged",
    (reason("ragged-index"), reason("ragged-tensor", when=lambda f: f.of_keras)),
    "x = x.to_tensor()   # padded with 0; Embedding(..., mask_zero=True) or Masking() then skips the padding",
)


@diagnoses("ragged_tensor")
def ragged_tensor(reading: Reading) -> Diagnosis:
    of_keras = "keras" in reading.whole.lower()
    return Diagnosis("input-of-layer" if of_keras else "index", Facts(of_keras=of_keras), RAGGED_TENSOR)


GENERATOR_LIST: Rules = rules_of(
    "generator_list",
    "input-of-model",
    sure("inputs", "generator-list", "yield x, y   # in the generator: a tuple, without the brackets of a list"),
)


TEXTS: Rules = rules_of(
    "texts",
    "input-of-model",
    strong(
        "embedding",
        "texts-for-model",
        "vectorize = keras.layers.TextVectorization(output_sequence_length=steps)   # then vectorize.adapt(x), with the training texts\n"
        "x = vectorize(x)   # word indices: (samples, steps)\n"
        "y = np.unique(y, return_inverse=True)[1]   # if the targets are texts: class indices",
    ),
)
