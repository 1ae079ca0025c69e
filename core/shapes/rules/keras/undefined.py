"""Sizes that a model of Keras must know before the data comes."""

import ast
import re

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.user_code.changed_calls import changed_call
from core.shapes.user_code.keras_calls import array_of_model

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
        (reason("rank-undefined", when=lambda f: not f.given), reason("rank-changed", "given", when=lambda f: f.given)),
        lambda f: (
            f"{f.given} = {f.given}.reshape(-1, *{f.model}.input_shape[1:])   # before this line: the axes of the training data\n"
            f"{f.given} = {f.given}[..., None]   # if the model takes any number of steps, each of one number"
            if f.given
            else "output_signature=(tf.TensorSpec((None, features), tf.float32), tf.TensorSpec((), tf.float32))"
            "   # an argument of from_generator: the shapes of one element, in place of output_types"
            if f.of_generator
            else "x = tf.ensure_shape(x, (None, None, features))"
            "   # in the map of a tf.data.Dataset: (batch, steps, features)"
        ),
        is_own=lambda f: f.given,
    ),
)


@diagnoses("rank_undefined")
def rank_undefined(reading: Reading) -> Diagnosis:
    of_generator, is_mapped = "from_generator(" in reading.whole, "py_function" in reading.whole
    given, model = ("", "") if of_generator or is_mapped else array_of_model(reading)
    facts = Facts(of_generator=of_generator, given=given, model=model)
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
