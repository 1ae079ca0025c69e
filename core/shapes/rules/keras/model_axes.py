"""The axes of what a recurrent layer within a model of Keras gets, where the text does not have the layers around it."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape, format_shape
from core.shapes.messages import Reading
from core.shapes.rules.keras.ranks import failed_layer
from core.shapes.rules.keras.sequences import sequence_below
from core.shapes.rules.read_layer import is_power, is_round
from core.shapes.rules.rule import Facts
from core.shapes.user_code.evidence import failed_operation, is_added_below_another
from core.shapes.user_code.frames import received_arrays
from core.shapes.user_code.keras_model_layers import keras_layers, recurrent_layers
from core.shapes.user_code.model_building import building_of
from core.shapes.user_code.operations import is_layer
from core.shapes.user_code.syntax_trees import calls_in, function_of, tree_of, with_code

_RUNS = re.compile(r"\.(?:fit|predict|evaluate)\(")


def runs_model(reading: Reading) -> bool:
    """Whether the reader's line runs a model; a Sequential without an Input is built there."""
    return bool(_RUNS.search(reading.own_code))


def is_after_another(failed: str, reading: Reading) -> bool:
    """Whether Keras made another layer of this class before, by the number in the name, and not for an earlier model."""
    number = re.search(r"_(\d{1,6})$", failed)
    # The first versions counted from 1.
    first = 1 if "is incompatible with the layer:" in reading.whole else 2
    is_made_by_line = bool(reading.own) and not runs_model(reading)
    return is_made_by_line and number is not None and int(number[1]) >= first


def gets_sequences(facts: Facts) -> bool:
    """Whether a layer in the call of a model gets single vectors, and the model sequences."""
    return len(facts.x) == 2 and any(len(one) > 2 for one, _ in received_arrays(facts.reading))


def is_first_of_its_kind(facts: Facts) -> bool:
    """Whether Keras made no other layer of this class before: it numbers those that follow, as in lstm_1."""
    is_vector = facts.reading.framework == "Keras" and (facts.wanted, facts.got) == (3, 2) and len(facts.x) == 2
    others = {one.code for one in facts.layers} - {one.code for one in keras_layers(facts.reading.own_code)}
    return is_vector and facts.x[0] < 0 and facts.failed in ("lstm", "gru", "simple_rnn") and not others


def is_made_there(facts: Facts) -> bool:
    """Whether a model is built, and its first recurrent layer gets a vector for each sample."""
    return is_first_of_its_kind(facts) and not runs_model(facts.reading)


# Usual sizes of a batch.
_BATCHES = frozenset(2**power for power in range(3, 10))


def layer_in_call(reading: Reading, x: Shape) -> tuple[bool, str]:
    """Return whether a layer of the reader's own model gets single vectors from the one below, and the call with a batch.

    Returns
    -------
    (bool, str)
        The line that calls the model is empty where x has a batch, or where the text has no such line.
    """
    if len(x) != 2 or x[0] < 1 or not re.search(r"\bself\.\w+\(", reading.own_code):
        return False, ""
    if re.search(r"(?:lstm|gru|rnn|bidirectional)_[1-9]\d{0,5}$", failed_layer(reading)):
        return True, ""
    outer = reading.own[-2] if len(reading.own) > 1 else None
    # Keras cuts the rows that predict is given into batches.
    if outer and x[0] in _BATCHES and ".predict(" not in outer.code:
        outer = None
    tree = tree_of(outer.code) if outer else None
    calls = [one for one in calls_in(tree) if len(one.args) == 1]
    calls = [one for one in calls if is_layer(one) or function_of(one) == "predict"]
    calls = [one for one in calls if not isinstance(one.args[0], ast.List | ast.Tuple)]
    if outer is None or len(calls) != 1:
        return False, ""
    (given,) = calls[0].args
    return False, with_code(outer.code, (given, f"{ast.get_source_segment(outer.code, given)}[None]"))


def is_pooling(reading: Reading) -> bool:
    """Whether a pooling over steps failed, which is no first layer of a model, so that a layer is below it."""
    return bool(re.match(r"(?:global_)?(?:max|average)_pooling1d", failed_layer(reading)))


# A layer of a Sequential gets no data while the model is built, and one with a state between batches gets their size.
_OF_TOLD_BATCH = re.compile(r"models[/\\]sequential\.py|stateful ?= ?True|batch_(?:input_)?shape")


def has_layer_below(reading: Reading) -> bool:
    """Whether the layer that failed is not the first of its model, by the reader's line, its class or its number."""
    is_numbered = is_after_another(failed_layer(reading), reading) and bool(_OF_TOLD_BATCH.search(reading.whole))
    return is_added_below_another(reading) or is_pooling(reading) or is_numbered


# The words of Keras 3 alone, without a notebook around them, whose cells may have run before.
_OF_LATER_LAYER = re.compile(r"\s*(?:ValueError: )?Input 0 with name '\w{1,40}' of layer '[a-z]\w{0,30}_[1-9]\d{0,3}'")


_DECODER = re.compile(r"dec(?![a-z])|decod")
_CODE = re.compile(r"encod|latent|bottleneck|thought|context")


def _decodes_vector(reading: Reading) -> bool:
    """Whether the reader's line gives a decoder the vector of an encoder, by their names."""
    call = failed_operation(reading)
    x = call.names.get("x") if call else None
    return x is not None and bool(_DECODER.search(reading.own_code) and _CODE.search(ast.unparse(x)))


def fit_of_vectors(facts: Facts) -> Fit:
    """Return how well a layer below fits: by a chosen number of units, the number in the layer's name, and the reader's line."""
    if re.search(
        rf"(?:LSTM|GRU|RNN)\((?:units ?= ?)?{facts.x[-1]}\b(?![^\n]{{0,200}}return_sequences ?= ?True)",
        facts.reading.whole,
    ):
        return Fit.SURE  # the text has the layer below
    if _decodes_vector(facts.reading):
        return Fit.SURE
    if is_first_of_its_kind(facts):
        return Fit.WEAK
    if facts.is_below_in_call or gets_sequences(facts) or is_pooling(facts.reading):
        return Fit.STRONG
    signs = is_round(facts.x[-1]) + is_added_below_another(facts.reading)
    # In a notebook the number may come from an earlier run, so alone it tells nothing of a model without a told batch.
    signs += bool(signs or facts.x[0] > 0) and is_after_another(facts.failed, facts.reading)
    # The first layer of a class has no number in Keras 3, whose words these are.
    is_later = not facts.reading.own and _OF_LATER_LAYER.match(facts.reading.whole)
    signs = max(signs, int(bool(is_later)))
    return (Fit.WEAK, Fit.PLAUSIBLE, Fit.STRONG, Fit.SURE)[min(signs, 1) if facts.of_flat else signs]


# Keras names a layer after its class, and numbers those that follow the first one.
_CLASSES = {"lstm": "LSTM", "gru": "GRU", "simple_rnn": "SimpleRNN"}
_LATER = re.compile(rf"({'|'.join(_CLASSES)})_[1-9]\d{{0,5}}$")
# How people name what a loop counts.
_OF_LOOP = re.compile(r"[a-z]\d?$|(?:n_?)?(?:units?|size|dim|width|nodes|neurons)$")


# Whether a layer of a loop is before the last one, or before one of the last.
_LAST_OF_LOOP = re.compile(r"return_sequences ?= ?\(?(\w{1,20} < [\w()]{1,40}) ?- ?(\d)\b")


# The head of a loop, before the lines above the reader's in it.
_LOOP = re.compile(
    r"for (\w{1,30}) in (?:range\((\w{1,30})\)|\[([\d, ]{1,80})\]):\n(?:[ \t]+[^\n]{1,200}\n){0,6}[ \t]*$"
)


def _before_last_pass(reading: Reading) -> str:
    """Return the condition that the reader's loop is before its last pass, such as i < 2; empty if the text lacks such a loop."""
    above = reading.pasted.partition(reading.own_code)[0][-1000:]
    loop = _LOOP.search(above)
    if loop is None:
        return ""
    name, count, listed = loop.groups()
    sizes = (listed or "").replace(" ", "").strip(",").split(",")
    if count:
        return f"{name} < {int(count) - 1 if count.isdecimal() else f'{count} - 1'}"
    return f"{name} != {sizes[-1]}" if len({*sizes}) == len(sizes) else ""


def _in_loop(reading: Reading) -> str:
    """Return the lines for a loop that adds recurrent layers of other units; empty if the reader's line seems to be in none."""
    building, layers = building_of(reading), recurrent_layers(keras_layers(reading.own_code))
    units = layers[0].units if len(layers) == 1 else ""
    counted = _LAST_OF_LOOP.search(reading.own_code)
    if counted and int(counted[2]) > 1:
        # The layer before the last one needs all steps too.
        return f"{reading.own_code[: counted.start(2)]}1{reading.own_code[counted.end(2) :]}   # all steps but for the last layer"
    name = building.given.id if building and isinstance(building.given, ast.Name) else ""
    if (
        building is None
        or not (building.add or name)
        or not (
            (before_last := _before_last_pass(reading)) or _OF_LOOP.match(units) or re.search(r"\[[a-z]\w*\]$", units)
        )
    ):
        return ""
    line = reading.own_code.replace(layers[0].code, layers[0].with_all_steps(True))
    if line == reading.own_code:
        return ""
    if before_last:
        return f"{line.replace('sequences=True', f'sequences={before_last}')}   # all steps but for the last layer"
    last = "layers.Lambda(lambda h: h[:, -1])"
    after = f"{building.add}({last})" if building.add else f"{name} = {last}({name})"
    return (
        f"{line}   # if a loop adds the layers: True for all but the last one\n"
        f"{after}   # after the loop, if it is True for all: the last step alone"
    )


def with_steps_below(facts: Facts) -> str:
    """Return the line with all steps of the layer below, and what repeats its vector if the reader's line names a decoder."""
    units, later = facts.x[-1], _LATER.match(facts.failed)
    kind, others = (_CLASSES[later[1]], "") if later else ("LSTM", "; or GRU, SimpleRNN")
    all_steps = f"{kind}({units}, return_sequences=True)   # the layer before this one{others}"
    if re.match(r"bidirectional_[1-9]", facts.failed) and units % 2 == 0:
        all_steps = f"Bidirectional(LSTM({units // 2}, return_sequences=True))   # the layer before this one, of two directions; or GRU, SimpleRNN"
    lines = _in_loop(facts.reading) or sequence_below(facts.layers) or all_steps
    if not _DECODER.search(facts.reading.own_code):
        return lines
    repeated = "layers.RepeatVector(...)   # between both layers, if a decoder repeats one vector"
    return "\n".join((repeated, lines) if _decodes_vector(facts.reading) else (lines, repeated))


def is_in_model(facts: Facts) -> bool:
    """Whether a recurrent layer within a model gets four axes, and the text has no layer that tells where they come from."""
    is_one = facts.reading.framework == "Keras" and facts.wanted == 3 and len(facts.x) == 4 and facts.x[0] < 0
    own = keras_layers(facts.reading.own_code)
    others = {one.code for one in facts.layers} - {one.code for one in own}
    return is_one and min(facts.x[1:]) > 1 and not others and not re.search(r"Conv\dD\(", facts.reading.whole)


def follows_recurrent(facts: Facts) -> bool:
    """Whether a recurrent layer within a model gets four axes and is not the first of its class, by the number in its name."""
    return is_in_model(facts) and bool(re.match(r"(?:bidirectional|lstm|gru|simple_rnn)_[1-9]", facts.failed))


# Sentences, or texts of sentences, have seldom more parts; data has more samples.
MOST_WORDS = 64


def axes_of_layer_in_model(facts: Facts, reshaped: str) -> str:
    """Return the lines for four axes: of an Embedding that reads vectors, of a shape with the samples, or of data."""
    embedded = (
        f"Input(({facts.x[1]},))   # if an Embedding reads one-hot vectors; and x = np.argmax(x, axis=-1) for the data"
    )
    # Two equal axes are those of an image.
    building = building_of(facts.reading) if facts.x[1] != facts.x[2] else None
    each = building.wrapped("TimeDistributed") if building else ""
    each = f"{each}   # one vector for each of the {facts.x[1]}, such as words of {facts.x[2]} letters" if each else ""
    # A one-hot vector has more entries than the vector that an Embedding gives for a word.
    is_one_hot = (
        facts.x[2] > max(facts.x[1], facts.x[3], MOST_WORDS) and is_round(facts.x[3]) and not follows_recurrent(facts)
    )
    if (is_power(facts.x[3]) or is_one_hot) and not runs_model(facts.reading):
        of_words = is_one_hot or facts.of_words or re.search(r"one_?hot", facts.reading.whole, re.IGNORECASE)
        return "\n".join(filter(None, (embedded, each, reshaped) if of_words else (each, reshaped, embedded)))
    if follows_recurrent(facts):
        k, of_two = facts.x[3], facts.failed.startswith("bidirectional") and facts.x[3] % 2 == 0
        layer = f"Bidirectional(LSTM({k // 2}))" if of_two else f"LSTM({k})"
        return (
            f"{layer}   # in what TimeDistributed holds, without return_sequences=True: one vector for each\n{reshaped}"
        )
    told = f"Input({format_shape(facts.x[2:])})   # if the model was told the shape of all {facts.x[1]} samples"
    if runs_model(facts.reading):
        return f"x = np.argmax(x, axis=-1)   # if an Embedding reads one-hot vectors: it takes word indices\n{reshaped}"
    first = (told, reshaped) if facts.x[1] > facts.x[2] else (reshaped, told)
    few_first = (each, *first) if facts.x[1] <= MOST_WORDS else (*first, each)
    return "\n".join(filter(None, (*few_first, embedded)))
