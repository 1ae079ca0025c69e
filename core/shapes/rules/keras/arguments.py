"""The argument that gives a Keras model the shape of its input: on the inner layer of a wrapper, or by the name of another version."""

import re

from core.shapes.layer_shapes import format_shape, unknown_sizes
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.keras.axes import axes_for_keras
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of

# A layer of several inputs as the first of a Sequential.
_MERGE = re.compile(r"(?:\.add\(|Sequential\(\[) ?(?:\w{1,20}\.){0,3}(?:Concatenate|concatenate|Merge|Add|Dot)\(")

# A model that does not know its input when it needs it.
FIRST_LAYER: Rules = rules_of(
    "first_layer",
    "shape-of-x",
    *first_of(
        sure(
            "inputs",
            "merge-in-sequential",
            "h = layers.Concatenate()([a.output, b.output])   # in place of a Sequential\n"
            "model = keras.Model([a.input, b.input], layers.Dense(units)(h))   # the layers that follow, and both inputs",
            lambda f: f.of_merge,
        ),
        sure(
            "input-size",
            "features-undefined",
            "keras.Input((None, features))   # the first of the model: any number of steps, and their features\n"
            "input_shape=(None, features)   # the same in an old version, as an argument of the first layer",
            lambda f: not f.of_subclass,
        ),
        sure(
            "input-size",
            "subclass-not-built",
            "model.build((None, None, features))   # before this line: any batch and any number of steps\n"
            "model(x[:1])   # or one call on a batch",
        ),
    ),
    facts=lambda reading: {
        "of_merge": bool(_MERGE.search(reading.whole)),
        "of_subclass": "not yet been built" in reading.message and "def call(" in reading.whole,
    },
)


# An argument with the whole shape, which Keras 3 takes in an Input alone.
ARGUMENT_OF_BATCH: Rules = rules_of(
    "argument_of_batch",
    "input-of-layer",
    sure(
        "argument",
        reason("batch-argument-of-input", "layer"),
        lambda f: (
            f"keras.Input(batch_shape={format_shape(f.got).replace('?', 'None')})   # before the {f.layer}, which then has no such argument"
        ),
    ),
    facts=lambda reading: {"layer": reading.values["layer"].rstrip(":")},
)


ARGUMENT_OF_VERSION: Rules = first_of(
    sure(
        "checkpoint",
        reason("file-of-keras", "saved", "other"),
        "model.load_weights(path)   # into a model that is made anew in code, with the same layers\n"
        "# or load the file with Keras {saved}",
        lambda f: not f.of_own_layer,
    ),
    sure(
        "argument",
        "no-time-major",
        "x = np.swapaxes(x, 0, 1)   # if x is (steps, batch, features); leave time_major out",
    ),
)


@diagnoses("argument_of_version")
def argument_of_version(reading: Reading) -> Diagnosis:
    """Diagnose the file of a model from another version of Keras: 3 writes batch_shape, and 2 writes time_major."""
    saved, other = (3, 2) if "batch_shape" in reading.message else (2, 3)
    is_loaded = re.search("load_model|from_config|deserialize|from_json", reading.whole)
    of_own_layer = not is_loaded and re.match(r" ?True", reading.after) is not None
    facts = Facts(saved=saved, other=other, of_own_layer=of_own_layer)
    return Diagnosis("input-of-layer" if of_own_layer else "loading", facts, ARGUMENT_OF_VERSION)


# ---- a convolution at each step ----------------------------------------------------------------

WINDOW_AXES = strong(
    "unbatched",
    reason("axes", axes="got", allowed=lambda f: str(f.wanted)),
    lambda f: axes_for_keras(unknown_sizes(f.got), f.wanted),
)


@diagnoses("window_axes")
def window_axes(reading: Reading) -> Diagnosis:
    """Diagnose a convolution that gets other axes than it was made for, in words about its strides."""
    got, wanted = reading.size("spatial") + 2, reading.size("got") + 2
    return Diagnosis("axes-of-x", Facts(got=got, wanted=wanted), WINDOW_AXES)
