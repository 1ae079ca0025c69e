"""Sizes that a model of Keras must know before the data comes."""

import ast
import re

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.user_code.changed_calls import changed_call

FEATURES_UNDEFINED: Rules = (
    Rule(
        "flattened",
        Fit.SURE,
        (reason("dense-of-open-steps"),),
        "layers.GlobalAveragePooling1D()   # in place of Flatten(): one vector for each sequence of any length\n"
        "keras.Input((steps, features))   # or numbers for both in the Input",
        lambda f: f.of_dense,
    ),
    Rule(
        "input-size",
        Fit.SURE,
        (reason("features-undefined"),),
        lambda f: (
            "x = tf.placeholder(tf.float32, [None, None, features])   # the features as a number"
            if f.of_placeholder
            else "keras.Input((None, x.shape[-1]))   # the features as a number; the steps may be None"
        ),
        lambda f: not f.of_dense,
    ),
)


@diagnoses("features_undefined")
def features_undefined(reading: Reading) -> Diagnosis:
    # A recurrent layer reads the features alone, and Flatten joins them with the steps.
    of_dense = bool(re.search(r"path='(?:[\w/]{1,80}/)?dense\w{0,20}/kernel'", reading.whole))
    facts = Facts(
        of_dense=of_dense, of_placeholder="depth of inputs" in reading.message or "tf.placeholder(" in reading.whole
    )
    return Diagnosis(Statement("shape-of-x"), facts, FEATURES_UNDEFINED)


RANK_UNDEFINED: Rules = (
    Rule(
        "unbatched",
        Fit.SURE,
        (reason("rank-undefined"),),
        lambda f: (
            "output_signature=(tf.TensorSpec((None, features), tf.float32), tf.TensorSpec((), tf.float32))"
            "   # an argument of from_generator: the shapes of one element, in place of output_types"
            if f.of_generator
            else "x = tf.ensure_shape(x, (None, None, features))"
            "   # in the map of a tf.data.Dataset: (batch, steps, features)"
        ),
    ),
)


@diagnoses("rank_undefined")
def rank_undefined(reading: Reading) -> Diagnosis:
    facts = Facts(of_generator="from_generator(" in reading.whole)
    return Diagnosis(Statement("axes-of-x"), facts, RANK_UNDEFINED)


# ---- a number in the place of a shape ------------------------------------------------------------

NUMBER_AS_SHAPE: Rules = (
    Rule(
        "unbatched",
        Fit.SURE,
        (reason("number-as-shape", "got"),),
        lambda f: (
            f"{f.line or f'keras.Input((None, {f.got}))'}   # (steps, features): any number of steps\n"
            f"keras.Input(({f.got},))   # or one size, with a comma: vectors, or sequences of {f.got} word indices"
        ),
    ),
)


@diagnoses("number_as_shape")
def number_as_shape(reading: Reading) -> Diagnosis:
    """Diagnose an Input with a number in place of a shape: (5) is a number, and (5,) is a shape."""

    def with_steps(call: ast.Call) -> None:
        call.args[0] = ast.Tuple([ast.Constant(None), call.args[0]], ast.Load())

    line = changed_call(reading, ("Input", "InputLayer"), with_steps)
    return Diagnosis(Statement("shape-of-x"), Facts(got=reading.values["got"], line=line), NUMBER_AS_SHAPE)
