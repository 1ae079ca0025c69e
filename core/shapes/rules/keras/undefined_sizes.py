"""Sizes that a model of Keras must know before the data comes."""

import ast
import copy
import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.changed_calls import keyword, line_with, with_argument_as
from core.shapes.user_code.evidence import value_of
from core.shapes.user_code.keras_calls import array_of_model
from core.shapes.user_code.keras_model_layers import keras_layers
from core.shapes.user_code.model_building import building_of
from core.shapes.user_code.syntax_trees import argument, expression, function_of, give

_IN_EACH_STEP = re.compile(
    r"shape=\(None, (\d{1,6})\) for variable path='[^']{0,200}time_distributed[^']{0,100}(lstm|gru|simple_rnn)_cell"
)
_GATES_OF = {"lstm": ("LSTM", 4), "gru": ("GRU", 3), "simple_rnn": ("SimpleRNN", 1)}

FEATURES_UNDEFINED: Rules = first_of(
    sure(
        "unbatched",
        "recurrent-in-each-step",
        "{once}   # without TimeDistributed, if x is (samples, steps, features)\n"
        "keras.Input((None, steps, features))   # or sub-sequences: an axis more, in the data too",
        lambda f: f.once,
        is_own=lambda f: f.is_own,
    ),
    sure(
        "flattened",
        "dense-of-open-steps",
        "layers.GlobalAveragePooling1D()   # in place of Flatten(): one vector for each sequence of any length\n"
        "keras.Input((steps, features))   # or numbers for both in the Input",
        lambda f: f.of_dense,
    ),
    sure(
        "input-size",
        "features-undefined",
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
    facts.once, facts.is_own = "", False
    if told := _IN_EACH_STEP.search(reading.whole):
        name, gates = _GATES_OF[told[2]]
        building = building_of(reading)
        inner = building.layer.args[0] if building and building.layer.args else None
        line = line_with(reading, building.layer, ast.unparse(inner)) if building and inner else ""
        facts.once, facts.is_own = line or f"x = layers.{name}({int(told[1]) // gates})(x)", bool(line)
    return Diagnosis("shape-of-x", facts, FEATURES_UNDEFINED)


RANK_UNDEFINED = sure(
    "unbatched",
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
)


@diagnoses("rank_undefined")
def rank_undefined(reading: Reading) -> Diagnosis:
    of_generator, is_mapped = "from_generator(" in reading.whole, "py_function" in reading.whole
    given, model = ("", "") if of_generator or is_mapped else array_of_model(reading)
    return Diagnosis("axes-of-x", Facts(of_generator=of_generator, given=given, model=model), RANK_UNDEFINED)


# ---- a number in the place of a shape ------------------------------------------------------------

# An Input with a number in place of a shape: (5) is a number, and (5,) is a shape.
NUMBER_AS_SHAPE: Rules = rules_of(
    "number_as_shape",
    "shape-of-x",
    sure(
        "unbatched",
        reason("number-as-shape", "got"),
        lambda f: (
            f"{f.line or f'keras.Input((None, {f.got}))'}   # (steps, features): any number of steps\n"
            f"keras.Input(({f.got},))   # or one size, with a comma: vectors, or sequences of {f.got} word indices"
        ),
    ),
    facts=lambda reading: {
        "got": reading.values["got"],
        "line": with_argument_as(reading, ("Input", "InputLayer"), "(None, {})"),
    },
)


# ---- a shape in the place of a number ------------------------------------------------------------

_SHAPE = re.compile(r"(.{1,60})\.shape(\[1:\])?")


def _with_number(reading: Reading) -> str:
    """Return the reader's line with one number in the place of the tuple that gives a layer its units; empty if it has none."""
    for call in (one.inner for one in keras_layers(reading.own_code) or keras_layers(reading.whole)):
        given = argument(call, "units", at=0)
        given = value_of(reading, given) or given if isinstance(given, ast.Name) else given
        of_shape = _SHAPE.fullmatch(ast.unparse(given)) if given is not None else None
        if given is None or not (of_shape or isinstance(given, ast.Tuple) and given.elts):
            continue
        new = copy.deepcopy(call)
        units = f"{of_shape[1]}.shape[-1]" if of_shape else ast.unparse(given).strip("(,)").split(", ")[-1]
        if of_shape and function_of(call) != "Dense":
            units = "32"
            if of_shape[2] and "Input(" not in reading.whole and argument(new, "input_shape") is None:
                new.keywords.append(keyword("input_shape", of_shape[0]))
        elif of_shape and not of_shape[2] and len(reading.shape("got") if "got" in reading.values else "..") == 1:
            units = "1"
        give(new, expression(units), "units", at=0)
        line = line_with(reading, call, ast.unparse(new))
        return line if line and line[0] != "(" else ast.unparse(new)  # a layer in the list of a Sequential
    return ""


TUPLE_AS_NUMBER: Rules = rules_of(
    "tuple_as_number",
    "one-number",
    sure(
        "one-number",
        "tuple-as-number",
        "Dense(y.shape[-1])   # the last layer: a unit for each column of the targets\n"
        "LSTM(32, input_shape=X.shape[1:])   # a first layer: any number of units, and the shape by its name; or GRU, SimpleRNN",
        own="line",
    ),
    facts=lambda reading: {"line": _with_number(reading)},
)
