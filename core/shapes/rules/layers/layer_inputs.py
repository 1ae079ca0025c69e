"""The input x of a layer: how many axes it has."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import unknown_sizes
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import plausible, strong, sure
from core.shapes.rules.keras.axes import axes_for_keras, axes_of_input_shape, axes_of_whole_shape
from core.shapes.rules.keras.inputs import DATASET, is_of_target
from core.shapes.rules.keras.losses import target_of_model
from core.shapes.rules.keras.model_axes import (
    axes_of_layer_in_model,
    fit_of_vectors,
    follows_recurrent,
    gets_sequences,
    has_layer_below,
    is_after_another,
    is_in_model,
    is_made_there,
    layer_in_call,
    runs_model,
    with_steps_below,
)
from core.shapes.rules.keras.ranks import (
    AXES_IN_MODEL,
    axes_of_told,
    facts_of_model,
    failed_layer,
    is_first_recurrent,
    is_flat,
    is_of_model,
    is_one_step,
    one_sample_or_rows,
    tells_sample,
    trains_rows,
)
from core.shapes.rules.keras.sequences import sequence_below, vector_below, vector_of_each
from core.shapes.rules.read_layer import NAME_OF_STATE, axes_given, is_power, named_cell
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.rules.states.state_ranks import one_step
from core.shapes.rules.tensorflow.version_1 import product_of_steps, shapes_of_op
from core.shapes.user_code.changed_calls import changed_call, with_expression
from core.shapes.user_code.evidence import (
    failed_operation,
    gives_step,
    gives_x_alone,
    has_features_first,
    is_added_below_another,
    is_named_as_state,
)
from core.shapes.user_code.frames import given_by_caller
from core.shapes.user_code.keras_calls import input_shape_in_text
from core.shapes.user_code.keras_model_layers import follows_flatten, keras_layers
from core.shapes.user_code.onnx_inputs import fed_name, with_fed
from core.shapes.user_code.removed_code import summary_without_batch
from core.shapes.user_code.syntax_trees import calls_in, expression, function_of, tree_of

# ---- an axis too many or too few ---------------------------------------------------------------


# Fewer rows are no long series.
FEWEST_ROWS = 20


# How people name texts and their word indices.
_OF_WORDS = re.compile(
    r"vocab|token|[Vv]ectori[sz]|(?<![a-z])(?:word|text|sentence|review|sentiment|corpus|caption|language)"
)


# An input of a model whose sizes are all unknown.
_OPEN_INPUT = (
    "Input((None, features))   # if the data has features at each step: their number\n"
    "x = layers.Embedding(words, 32)(x)   # if it has word indices: the number of words\n"
)


def _axes_lines(facts: Facts) -> str:
    got, wanted = facts.got, facts.wanted
    if facts.reading.framework == "Keras":
        if "dimension(s)" in facts.reading.message and (got, wanted) == (2, 3):  # the words of TensorFlow.js
            return (
                f"x = x.expandDims(2)   # (samples, {facts.x[1]}, 1): each entry is a step of one feature\n"
                f"x = x.expandDims(1)   # (samples, 1, {facts.x[1]}): one step"
            )
        if facts.is_first:
            return "input_shape=(None, features)   # in the first layer: any number of steps, and their features; the data needs three axes as well"
        if facts.is_step:
            return f"x = x[:, None]   # (batch, 1, {facts.x[1]}): one step of each sequence"
        if wanted == 3 and facts.x[1:] == (-1,):
            one_feature = "x = x[..., None]   # (samples, steps, 1): each entry is a step of one feature"
            return one_feature if runs_model(facts.reading) else _OPEN_INPUT + one_feature
        if facts.is_sample:
            return one_sample_or_rows(facts)
        if facts.failed.startswith("permute"):
            return "layers.Permute((2, 1))   # an entry for each axis but the batch, counted from 1"
        is_array = "got array" in facts.reading.message
        of_rows = is_array or facts.x[2:3] == (1,) and runs_model(facts.reading)
        of_data = axes_for_keras(facts.x or unknown_sizes(got), wanted, of_data=of_rows)
        if is_array and wanted == 3 and len(facts.x) == 2 and facts.x[0] >= FEWEST_ROWS:
            of_data += f"\nx = np.lib.stride_tricks.sliding_window_view(x, steps, axis=0).swapaxes(1, 2)   # windows of steps rows, if the rows are one long series: (samples, steps, {facts.x[1]})"
        if of_data.startswith("Input(") and (is_after_another(facts.failed, facts.reading) or gets_sequences(facts)):
            of_data = of_data.partition("\n")[2]  # the vector is no sample of the model
        return axes_of_layer_in_model(facts, of_data) if is_in_model(facts) else of_data
    if facts.reading.framework != "PyTorch":
        if facts.of_state and got > wanted:
            return "h0 = h0.reshape(1, -1, h0.shape[-1])   # (directions, batch, units), if the layer has one direction"
        if got + 1 == wanted > 3:
            return (
                "x = x[np.newaxis]   # if the batch is missing\nx = x[..., np.newaxis]   # if the last axis is missing"
            )
        if got > wanted:
            return "x = x.squeeze()"
        # An exported model has the batch where its framework has it.
        if facts.of_state:
            state = fed_name(facts.reading, facts.reading.values["of"]) or "h0"
            return f"{state} = {state}.reshape(1, -1, {state}.shape[-1])   # (directions, batch, units), if the layer has one direction"
        batch_first, steps_first = facts.fed or ("x = x[np.newaxis]", "x = x[:, np.newaxis]")
        return (
            f"{batch_first}   # if the model takes the batch first: (1, steps, features)\n"
            f"{steps_first}   # if it takes the steps first, as a node of ONNX does: (steps, 1, features)"
        )
    if wanted == 2 and got > 3:
        return "# a cell takes one step: (batch, features)"
    if wanted == 2 and got == 3:
        return _step_by_step(facts.reading)
    if wanted == 3 and got == 2 and gives_step(facts.reading):
        return f"{one_step(facts.reading)}   # one step of a batch"
    lines = advised_lines.axes_of_x(got).splitlines()
    given, made = facts.reading.given[:1], facts.reading.layer
    if made and given and given[0] and given[0].shape[3:] == (made.arguments.get("input_size"),):
        return "x = x.flatten(0, 1)   # each of the first axis is a batch of its own: (all sequences, steps, features)"
    # The last line is about the output of a convolution.
    return "\n".join([lines[-1], *lines[:-1]] if got == 4 and has_features_first(facts.reading) else lines)


def _with_axis_of_one(reading: Reading) -> tuple[str, ...]:
    """Return the lines that give a session its array with the batch first, and second; empty if the line feeds no array."""
    if reading.framework in ("PyTorch", "Keras") or "of" not in reading.values:
        return ()
    lines = [with_fed(reading, reading.values["of"], f"{{}}[{places}]") for places in ("np.newaxis", ":, np.newaxis")]
    return tuple(lines) if all(lines) else ()


def _step_by_step(reading: Reading) -> str:
    """Return the loops that give a cell of PyTorch its steps. The state tells which axis of x has the batch."""
    named, call = named_cell(reading), failed_operation(reading)
    if reading.own and gives_x_alone(reading):
        target, state = ("h, c", "(h, c)") if named == "LSTM" else ("h", "h")
        loop = f"for t, x_t in enumerate(x.unbind({{}})): {target} = cell(x_t, {state} if t else None)   # if x is {{}}"
        return f"{loop.format(1, '(batch, steps, features)')}\n{loop.format(0, '(steps, batch, features)')}"
    of_pair, of_one = "h, c = cell(x_t, (h, c))", "h = cell(x_t, h)"
    is_one_name = named == "LSTM" and call is not None and "c0" not in call.names
    steps = f"for x_t in x.unbind(1 if x.size(0) == {'h[0]' if is_one_name else 'h'}.size(0) else 0)"
    alone = "\n# or x.squeeze(1), if it is one step of a batch that kept its axis: (batch, 1, features)" * (
        not reading.own
    )
    if named:
        return f"{steps}: {of_pair if named == 'LSTM' else of_one}   # step by step; the other axis is the batch of the state{alone}"
    return f"{steps}: {of_pair}   # of an LSTMCell\n{steps}: {of_one}   # of a GRUCell or an RNNCell{alone}"


RANK: Rules = (
    strong(
        "embedding",
        (reason("axes", "allowed", axes="got"), reason("axis-of-embedding")),
        lambda f: "\n".join(f.of_embedding),
        lambda f: f.of_embedding,
        is_own=lambda f: f.of_embedding,
    ),
    strong(
        "indexing",
        (reason("axes", "allowed", axes="got"), reason("axis-of-token", "token")),
        lambda f: "\n".join(f.of_token.values()),
        lambda f: f.token and not f.of_embedding,
        is_own=lambda f: f.token,
    ),
    strong(
        "unbatched",
        (reason("axes", "allowed", axes="got"), reason("summary-with-batch")),
        "{summary}   # if the first size was the batch",
        lambda f: f.summary,
    ),
    sure(
        "return-sequences",
        (reason("axes", "allowed", axes="got"), reason("steps-of-steps")),
        "{distributed}   # one vector for each step of the outer sequence",
        lambda f: f.distributed,
    ),
    sure(
        "embedding",
        (
            reason("axes", "allowed", axes="got"),
            reason("embedding-of-columns", when=lambda f: f.x[2] != 1),
            reason("vectors-for-embedding", when=lambda f: f.x[2] == 1),
        ),
        lambda f: (
            "x = x[..., 0]   # the last axis has one entry: the index of each step"
            if f.x[2] == 1 and f.x[0] > 0
            else f"keras.Input(({f.x[1]},))   # if the Embedding gets word indices, (samples, {f.x[1]})"
            + f"\n# without the Embedding, if x stays one-hot: (samples, {f.x[1]}, {f.x[2]})" * (f.x[2] != 1)
        ),
        lambda f: (
            f.reading.framework == "Keras" and "Embedding(" in f.reading.whole and len(f.x) == 4 and f.wanted == 3
        ),
    ),
    Rule(
        "flattened",
        lambda f: Fit.SURE if "Flatten(" in f.reading.whole else Fit.LIKELY,
        (reason("axes", "allowed", axes="got"), reason("flatten-before", "x")),
        "layers.TimeDistributed(layers.Flatten())   # in place of Flatten(): each step as one vector\n"
        "# or delete Flatten(), if each step is one vector already\n"
        "layers.Reshape(({steps}, 1))   # before this layer, if each entry is a step of one feature",
        lambda f: f.of_flat,
    ),
    sure(
        "flattened",
        (reason("axes", "allowed", axes="got"), reason("flatten-before-unsaid")),
        "layers.Reshape((-1, features))   # in the place of Flatten(): the steps, and the features of each",
        lambda f: f.after_flatten and not f.of_flat,
    ),
    *AXES_IN_MODEL,
    Rule(
        "flattened",
        lambda f: Fit.WEAK if not is_power(f.x[-1]) else Fit.LIKELY if f.reading.own else Fit.PLAUSIBLE,
        (reason("one-vector-of-another-layer", "x", name="failed"),),
        "layers.MaxPooling1D(2)   # in place of a global pooling before this layer: it keeps the steps\n"
        "# or no Flatten and no Dense of single vectors before this layer",
        lambda f: is_made_there(f) and not f.of_flat and f.x[-1] > 0,
    ),
    Rule(
        "embedding",
        lambda f: Fit.STRONG if f.of_words else Fit.WEAK,
        (reason("axes", "allowed", axes="got"), reason("indices-without-embedding", steps="x[-1]")),
        # An embedding outside the model is not trained.
        lambda f: (
            "layers.Embedding(10_000, 32)   # in the model, before this layer; if the entries are word indices, all below 10 000"
            if re.search(r"\.(?:fit|evaluate|predict)\(", f.reading.own_code)
            else "x = layers.Embedding(10_000, 32)(x)   # if they are word indices, all below 10 000"
        ),
        lambda f: (f.reading.framework, f.wanted, f.got) == ("Keras", 3, 2) and f.may_be_words and not f.of_flat,
    ),
    # Without a known batch Keras speaks of a layer in a model; there a vector for each sample is most often the last h.
    Rule(
        "return-sequences",
        fit_of_vectors,
        (reason("one-vector", "x"),),
        with_steps_below,
        lambda f: f.reading.framework == "Keras" and f.got == 2 and f.wanted == 3 and f.x[-1:] > (0,) and f.in_model,
    ),
    strong(
        "return-sequences",
        "one-vector-unsaid",
        lambda f: (
            sequence_below(f.layers)
            or "LSTM(..., return_sequences=True)   # the layer before this one; or GRU, SimpleRNN"
        ),
        lambda f: (
            not f.x
            and f.got == 2
            and f.wanted == 3
            and not f.after_flatten
            and not f.pooled
            and not f.is_first
            and (is_added_below_another(f.reading) or bool(sequence_below(f.layers)))
        ),
    ),
    sure(
        "return-sequences",
        "one-vector-to-repeat",
        lambda f: (
            vector_below(f.layers)
            or f"LSTM({f.x[-1] if f.x else '...'}, return_sequences=False)   # the layer before this one; or GRU, SimpleRNN"
        ),
        lambda f: f.to_repeat,
    ),
    Rule(
        "unbatched",
        lambda f: Fit.STRONG if f.told_whole and f.got < f.wanted else Fit.SURE,
        (
            reason("axes", "allowed", axes="got"),
            reason("told-with-samples", when=lambda f: f.got > f.wanted or f.told_whole),
            reason("told-without-axis", when=lambda f: f.got < f.wanted and not f.told_whole),
        ),
        lambda f: f.told,
        lambda f: f.told,
    ),
    strong(
        "unbatched",
        (reason("axes", "allowed", axes="got"), reason("batch-lacks")),
        "{called}   # one sample of {of_steps} steps\n"
        "x = x[..., None]   # in place of that, if x is (samples, steps): each step is one number",
        lambda f: f.called,
    ),
    plausible(
        "unbatched",
        (
            reason("axes", "allowed", axes="got"),
            reason("four-axes-in-model", when=lambda f: is_in_model(f) and not follows_recurrent(f)),
            reason("steps-of-steps-below", when=follows_recurrent),
        ),
        _axes_lines,
        lambda f: not (f.token or f.told or f.to_repeat or f.after_flatten or is_of_model(f)),
        is_own=lambda f: f.fed,
    ),
)


# How people name texts of several sentences, and words of several letters.
_OF_PARTS = re.compile(r"doc|sent|turn|dialog|utter|para|char|letter|word", re.IGNORECASE)


# How people name the output of an embedding.
_EMBEDDED = re.compile(r"(?:e|x_?emb\w*|emb\w*|\w+_emb\w*|vecs?|vectors)$", re.IGNORECASE)


# How people name the word of a step that they give a decoder.
_TOKEN = re.compile(r"(?:\w+_)?(?:tok(?:en)?|word|inp(?:ut)?|trg|tgt|y|x)(?:_?t)?(?:_\w+)?$", re.IGNORECASE)


def _of_token(reading: Reading) -> tuple[str, dict[str, str]]:
    """Return the word that the line above gives a decoder beside a state, and that line with one step of it, by its axes.

    Both are empty if the text has no such line.
    """
    line = tree_of(reading.own[-2].code) if len(reading.own) > 1 else None
    for call in calls_in(line):
        match call.args:
            case [ast.Name(id=name) as word, *others] if _TOKEN.match(name) and any(map(is_named_as_state, others)):
                ways = {"[:, 0]": "(batch, steps), or its last axis is 1", "[0]": "(steps, batch)"}
                return name, {
                    way: f"{with_expression(line, word, name + way)}   # one step, if {name} is {axes}"
                    for way, axes in ways.items()
                }
    return "", {}


def _of_embedding(reading: Reading) -> list[str]:
    """Return the reader's call with an input of two axes for the embedding whose output is x; empty if x is no such output."""
    call = failed_operation(reading)
    x = call.names.get("x") if call else None
    if isinstance(x, ast.Name) and _EMBEDDED.match(x.id) and (from_caller := given_by_caller(reading)):
        ways = {"argmax(-1)": "is one-hot, (batch, steps, words)", "squeeze(-1)": "has a last axis of 1"}
        return [
            f"{with_expression(tree_of(reading.own[-2].code), from_caller, f'{from_caller.id}.{way}')}   # if {from_caller.id} {when}"
            for way, when in ways.items()
        ]
    if not isinstance(x, ast.Call) or not re.search("emb", function_of(x), re.IGNORECASE):
        return []

    def with_two_axes(method: str) -> str:
        def change(inner: ast.Call) -> None:
            inner.args[0] = expression(f"{ast.unparse(inner.args[0])}.{method}")

        return changed_call(reading, (function_of(x),), change)

    lines = [
        f"{with_two_axes('argmax(-1)')}   # if its input is one-hot, (batch, steps, words)",
        f"{with_two_axes('flatten(0, 1)')}   # if its input is (batch, sentences, words): each sentence as a sequence",
    ]
    given = ast.unparse(x.args[0]) if x.args else ""
    return lines[::-1] if _OF_PARTS.search(given) and "hot" not in given else lines


@diagnoses("rank")
def rank(reading: Reading) -> Diagnosis:
    x = reading.shape("shape") if "shape" in reading.values else ()
    if is_of_target(reading) and reading.values["allowed"].isdecimal():
        return target_of_model(reading, (), x)
    if found := product_of_steps(reading):
        return found
    wanted, got = max(reading.sizes("allowed"), default=0), axes_given(reading, x)
    if reversed_x := shapes_of_op(reading, "Reverse"):
        # The second direction of a layer reverses x along its steps.
        wanted, got, x = 3, len(reversed_x[0]), reversed_x[0]
    elif tiled := shapes_of_op(reading, "Tile"):
        # A first state is made of zeros with the axes of x without its features, and one of 1.
        wanted, got = 3, len(tiled[0]) + 1
    layers = keras_layers(reading.whole) if reading.framework == "Keras" else ()
    is_vector = reading.framework == "Keras" and (wanted, got) == (3, 2)
    is_step = is_vector and is_one_step(reading, x)
    is_below_in_call, called = layer_in_call(reading, x) if is_vector else (False, "")
    written = input_shape_in_text(reading) if reading.framework == "Keras" else ""
    told_whole = axes_of_whole_shape(written, wanted, x, got) if wanted == axes_of_told(reading) else ""
    facts = Facts(
        reading=reading,
        failed=failed_layer(reading),
        x=x,
        # A layer is built with the shape alone, whose batch is seldom known.
        in_model=x[:1] == (-1,) or not is_step and (is_below_in_call or is_vector and has_layer_below(reading)),
        is_below_in_call=is_below_in_call,
        called=called,
        after_flatten=is_vector and not x and follows_flatten(layers),
        of_words=bool(_OF_WORDS.search(reading.whole)),
        # While the model is built, before any layer that may give one vector for each sequence.
        may_be_words=x[:1] == (-1,)
        and x[1:] > (1,)
        and re.fullmatch(r"lstm|gru|simple_rnn|bidirectional", failed_layer(reading)) is not None,
        is_step=is_step,
        is_first=is_vector and not x and is_first_recurrent(reading),
        **facts_of_model(reading, x, wanted, got, layers),
        of_dataset=bool(DATASET.search(reading.whole)),
        is_sample=is_vector and len(x) == 2 and x[0] > 0 and x[1] > 1 and tells_sample(reading, x),
        trains_rows=trains_rows(reading, x),
        got=got,
        summary=summary_without_batch(reading, got) if reading.framework == "PyTorch" else "",
        of_embedding=_of_embedding(reading) if reading.framework == "PyTorch" and got == 4 else [],
        **dict(
            zip(("token", "of_token"), _of_token(reading) if reading.framework == "PyTorch" and got == 4 else ("", {}))
        ),
        of_state=bool(NAME_OF_STATE.search(reading.values.get("of", ""))),
        fed=_with_axis_of_one(reading) if (got, wanted) == (2, 3) else (),
        allowed=re.sub("-?D", "", reading.values["allowed"]),  # such as "2D or 3D"
        wanted=wanted,
        told=told_whole or axes_of_input_shape(written, wanted, got),
        told_whole=told_whole,
        steps=x[-1] if x else 0,
        of_steps=x[0] if x else 0,
        layers=layers,
        to_repeat=got == 3 and wanted == 2 and "repeat_vector" in reading.whole,
        distributed=vector_of_each(layers) if (wanted, got) == (3, 4) else "",
        of_flat=reading.framework == "Keras" and is_flat(reading, x) and reading.values["allowed"] == "3",
    )
    sizes = {"axes": facts.got} | ({"m": x[-1]} if x and x[-1] > 0 and (len(x) != 2 or x[0] > 0) else {})
    return Diagnosis("axes-of-state" if facts.of_state else "axes-of-x", facts, RANK, sizes)
