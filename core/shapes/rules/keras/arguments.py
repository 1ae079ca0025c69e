"""The argument that gives a Keras model the shape of its input: on the inner layer of a wrapper, or by the name of another version."""

import ast
import re

from core.shapes.layer_shapes import format_shape, unknown_sizes
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.keras.axes import axes_for_keras
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.keras_model_layers import KerasLayer, keras_layers

_TELLING = ("input_shape", "batch_input_shape", "input_dim", "input_length")


def _told_outside(layers: tuple[KerasLayer, ...]) -> str:
    """Return the first layer with the arguments that tell its input on the outermost class; empty if they are not inside."""
    if not layers or layers[0].inner is layers[0].call:
        return ""
    outer, inner = layers[0].copied()
    told = [one for one in inner.keywords if one.arg in _TELLING]
    inner.keywords = [one for one in inner.keywords if one not in told]
    outer.keywords += told
    return f"{ast.unparse(outer)}   # the argument belongs to the first layer, not to the one inside" if told else ""


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
        sure("argument", "input-told-inside", "{outside}", lambda f: f.outside),
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
        "outside": _told_outside(keras_layers(reading.whole)),
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

_DISTRIBUTED = re.compile(r"TimeDistributed\((?:[^()]|\([^()]{0,120}\)){0,300}?input_shape ?= ?\(([^()]{1,80})\)")

WINDOW_AXES: Rules = first_of(
    sure(
        "unbatched",
        (reason("axes", axes="got", allowed=lambda f: str(f.wanted)), reason("steps-told-first", step="first")),
        "input_shape=(steps, {told})   # of TimeDistributed, and the same axes for the data",
        lambda f: f.told,
    ),
    strong(
        "unbatched",
        reason("axes", axes="got", allowed=lambda f: str(f.wanted)),
        lambda f: axes_for_keras(unknown_sizes(f.got), f.wanted),
    ),
)


@diagnoses("window_axes")
def window_axes(reading: Reading) -> Diagnosis:
    """Diagnose a convolution that gets other axes than it was made for, in words about its strides."""
    got, wanted = reading.size("spatial") + 2, reading.size("got") + 2
    found = _DISTRIBUTED.findall(reading.whole)
    sizes = [one.strip() for one in found[-1].split(",") if one.strip()] if found else []
    # Without the samples and the steps, which TimeDistributed takes away.
    told = ", ".join(sizes) if len(sizes) == got == wanted - 1 else ""
    facts = Facts(got=got, wanted=wanted, told=told, first=sizes[0] if sizes else "")
    return Diagnosis("axes-of-x", facts, WINDOW_AXES)
