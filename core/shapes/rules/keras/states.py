"""The state of a layer of Keras: a stateful one's batch, and an initial state."""

import re

from core.shapes.layer_shapes import Shape, format_shape
from core.shapes.messages import Reading, shape
from core.shapes.rules.fits import likely, strong, sure
from core.shapes.rules.keras.sample_counts import fitted, predicted, predicted_filled, unit_of_parts, whole_batches
from core.shapes.rules.read_layer import is_power
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, reason, rules_of
from core.shapes.user_code.evidence import predicts

MOST_STATES = 10

# ---- stateful layers of Keras ------------------------------------------------------------------


def tells_of_prediction(reading: Reading, batch: int) -> bool:
    """Whether a model of Keras that received this batch is trained already, by the reader's line or a text without one."""
    if reading.own:
        return predicts(reading)
    # Keras lists the arguments of the call; in training this one is True.
    if "training=False" in reading.whole and ".evaluate(" not in reading.whole:
        return True
    is_trained = ".fit(" not in reading.whole and (
        # The first versions of Keras name no part of the data where they predict.
        re.search(r"Cannot feed value|when checking ?:", reading.whole) is not None or "predict(" in reading.whole
    )
    return is_trained or batch == 1 and "predict" in reading.whole


def second_model(shape: str) -> str:
    """Return the lines that make a second model for another batch, with the weights of the first."""
    return (
        f"Input(batch_shape={shape})   # in a second model for prediction, with the weights of the first\n"
        "second.set_weights(model.get_weights())   # in the second model"
    )


def _batch_of_stateful(facts: Facts) -> str:
    """Return the lines that give the layer its batch, or make a second model for the prediction of fewer sequences."""
    of_training = f"model.fit(x, y, batch_size={facts.wanted})   # and a number of samples that {facts.wanted} divides"
    of_shape = f"batch_input_shape=({facts.got}, steps, features)   # in the model, if batches of {facts.got} are meant; batch_shape in Keras 3"
    if facts.predicts and facts.got > 1:
        whole = f"{predicted(facts.wanted)}   # the batch of the state, and whole batches alone"
        # Fewer samples than one batch have no whole batch.
        return whole if facts.got > facts.wanted else f"{predicted_filled(facts.wanted)}\n{whole}; if x has as many"
    if not facts.predicts:
        return f"{of_shape}\n{of_training}" if facts.names_batch else f"{of_training}\n{of_shape}"
    # An Embedding before the layer gives it as many features as a power of 2.
    is_of_model = facts.shape and not is_power(facts.shape[-1])
    second = second_model(format_shape(facts.shape) if is_of_model else f"({facts.got}, ...)")
    return f"{second}\n{predicted_filled(facts.wanted)}, without a second model"


STATEFUL: Rules = (
    strong(
        "batch-first",
        reason("stateful-steps-first", "wanted"),
        "x = np.swapaxes(x, 0, 1)",
        lambda f: f.second_axis == f.wanted,
    ),
    likely(
        "batch-size",
        reason("stateful-batch", "wanted", "got"),
        _batch_of_stateful,
    ),
)


@diagnoses("stateful")
def stateful(reading: Reading) -> Diagnosis:
    wanted, got = (next(iter(reading.sizes(name)), 0) for name in ("expected", "got"))
    listed = re.search(r"sequences?=tf\.Tensor\(shape=(\(\d{1,9}, \d{1,9}, \d{1,9}\))", reading.whole)
    return of_stateful(reading, wanted, got, shape(listed[1]) if listed else ())


def of_stateful(reading: Reading, wanted: int, got: int, x: Shape = ()) -> Diagnosis:
    """Return the diagnosis of a batch that a stateful layer was not made for."""
    facts = Facts(
        wanted=wanted,
        got=got,
        # One sequence is more often a prediction than the last batch of a training.
        predicts=tells_of_prediction(reading, got) or (got == 1 and ".fit(" not in reading.whole),
        second_axis=x[1] if x else None,
        shape=x,
        names_batch=bool(_NAMED_BATCH_OF_FIT.search(reading.whole)),
    )
    return Diagnosis("batch-of-stateful-layer", facts, STATEFUL, {"batch": wanted})


STATEFUL_SAMPLES: Rules = rules_of(
    "stateful_samples",
    "batch-of-stateful-layer",
    likely(
        "batch-size",
        reason("stateful-samples", "samples"),
        "model.fit(x[:len(x) // batch_size * batch_size], y[:len(x) // batch_size * batch_size], batch_size=batch_size)   # whole batches alone",
    ),
)


STATEFUL_UNSAID = sure(
    "batch-size",
    "stateful-batch-unsaid",
    lambda f: (
        "batch_input_shape=(batch_size, steps, features)   # an argument of the first layer, in place of its input_shape"
        if f.is_old
        else f"keras.Input(batch_shape=(batch_size, {f.told}))   # in place of Input(({f.told}))"
    ),
)


@diagnoses("stateful_unsaid")
def stateful_unsaid(reading: Reading) -> Diagnosis:
    is_old = "complete input_shape" in reading.message or "batch_input_shape" in reading.whole
    sequence = re.search(r"sequence\.shape=\(None, ([\w, ]{1,60})\)", reading.whole)
    facts = Facts(is_old=is_old, told=sequence[1] if sequence else "steps, features")
    return Diagnosis("batch-of-stateful-layer", facts, STATEFUL_UNSAID)


# ---- the batch of a layer that keeps its state, in a sum within its cell -----------------------


def in_cell_of_layer(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of two batches within a cell of Keras, by the name of the node; None if it is another operation."""
    node = re.search(r"(?:lstm|gru|rnn)\S{0,40}/(?:while|\S{0,20}cell)", reading.whole)
    if not node or len(left) != 2 or len(right) != 2 or left[1] != right[1] or min(*left, *right) < 1:
        return None
    # A cell adds what it makes of its state to what it makes of x.
    last, batch = left[0], right[0]
    if last > batch and not _names_batch_of(reading, last):
        facts = Facts(wanted=batch, got=last, predicts=predicts(reading))
        return Diagnosis("batch-of-stateful-layer", facts, MORE_THAN_STATE, {"batch": batch})
    last, batch = sorted((last, batch))
    facts = Facts(last=last, batch=batch, predicts=predicts(reading))
    return Diagnosis("batch-of-stateful-layer", facts, LAST_BATCH, {"batch": batch})


def _names_batch_of(reading: Reading, batch: int) -> bool:
    """Whether the text tells the model this batch."""
    told = _TOLD_BATCH.search(reading.whole)
    return told is not None and told[1] == str(batch)


MORE_THAN_STATE = strong(
    "batch-size",
    reason("stateful-batch", "wanted", "got"),
    lambda f: (
        f"{predicted(f.wanted)}   # the batch of the state, and whole batches alone"
        if f.predicts
        else f"{fitted(f.wanted)}   # the batch of the state, and whole batches alone\n"
        f"Input(batch_shape=({f.got}, steps, features))   # or this batch for the state"
    ),
)

LAST_BATCH = strong(
    "batch-size",
    reason("stateful-last-batch", "batch", "last"),
    lambda f: (
        f"{predicted(f.batch)}   # whole batches alone"
        if f.predicts
        else f"{fitted(f.batch)}   # whole batches alone\n"
        "LSTM(..., stateful=False)   # if no state is to be kept between batches; or GRU, SimpleRNN"
    ),
)

LOOP_STATE = strong(
    "batch-size",
    reason("loop-state", "before", "after"),
    "model.fit(x, y, batch_size={before[0]})   # if the layer is stateful, with this batch\n"
    "# if the state is made by hand: make it with tf.shape(x)[0] rows",
)


@diagnoses("loop_state")
def loop_state(reading: Reading) -> Diagnosis:
    """Diagnose a state in a loop of TensorFlow whose shape changes, which is the batch where only the first size differs."""
    before, after = reading.shape("left"), reading.shape("right")
    if before[1:] == after[1:] or len(before) != len(after):
        return Diagnosis("initial-state", Facts(before=before, after=after), LOOP_STATE)
    return Diagnosis("initial-state", Facts(before=before, after=after), LOOP_UNITS)


LOOP_UNITS = strong(
    "hidden-size",
    reason("loop-state", "before", "after"),
    lambda f: (
        f"# make the state with {f.after[-1]} units"
        if f.after[-1] > 0
        else "# make the state with the units of the cell"
    ),
)


# ---- a batch that the model was told ------------------------------------------------------------

_TOLD_BATCH = re.compile(r"batch(?:_input)?_shape ?= ?\(\s?(\d{1,9})\b")
_BATCH_IN_TEXT = re.compile(r"\bbatch_?size ?= ?(\d{1,9})\b", re.IGNORECASE)
_NAMED_BATCH_OF_FIT = re.compile(r"\.fit\((?:[^()]|\([^()]{0,80}\)){0,200}?\bbatch_size ?= ?(\d{0,9})")


def has_batch_of_fit(reading: Reading, batch: int) -> bool:
    """Whether the text trains the model with this batch_size."""
    return str(batch) in _NAMED_BATCH_OF_FIT.findall(reading.whole)


def of_told_batch(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of two batches of which the model in the text was told one; None if it was not."""
    if reading.framework != "Keras" or not left or left[1:] != right[1:]:
        return None
    told = _TOLD_BATCH.search(reading.whole)
    is_named = re.search(r"\bstateful\b", reading.whole)
    sizes = [told[1]] if told else _BATCH_IN_TEXT.findall(reading.whole) if is_named else []
    wanted = next((int(size) for size in sizes if int(size) in (left[0], right[0])), 0)
    others = {left[0], right[0]} - {wanted}
    if not wanted or len(others) != 1 or min(others) < 1:
        return None
    got = others.pop()
    trains = ".fit(" in reading.whole
    facts = Facts(
        wanted=wanted,
        got=got,
        is_last=has_batch_of_fit(reading, wanted),
        unit=unit_of_parts(reading, wanted),
        # A call of the model itself does not cut its input into batches.
        is_whole=not told and not trains and got > wanted,
    )
    return Diagnosis("batch-of-stateful-layer", facts, TOLD_BATCH, {"batch": wanted})


TOLD_BATCH = sure(
    "batch-size",
    reason("batch-told", "wanted", "got"),
    lambda f: (
        f"model(x[:{f.wanted}])   # a call of the model itself takes one such batch\n"
        f"model.predict(x, batch_size={f.wanted})   # predict cuts x into batches"
        if f.is_whole
        else whole_batches(f.wanted, f.unit)
        if f.is_last
        else f"model.fit(x, y, batch_size={f.wanted})   # and a number of samples that {f.wanted} divides\n"
        "# or leave the batch out of the shape: input_shape=(steps, features)"
    ),
)

# ---- an initial state --------------------------------------------------------------------------


def _one_of_states(facts: Facts) -> str:
    """Return the call with as many states as the layer has."""
    if facts.of_two_directions:
        joined = [f"layers.Concatenate()([{one}_forward, {one}_backward])" for one in "hc"[: facts.wanted_states]]
        given = joined[0] if len(joined) == 1 else f"[{', '.join(joined)}]"
        return f"output = layer(x, initial_state={given})   # all from Bidirectional(..., return_state=True)"
    if facts.wanted_states == 1:
        return "output = layer(x, initial_state=state_h)   # the last state alone, (batch, units)"
    return "output = layer(x, initial_state=[state_h, state_c])   # both from an LSTM with return_state=True"


_OTHER_STATES = sure(
    "state-tuple",
    (
        reason("initial-states", "got_states", "wanted_states"),
        reason("initial-state-of-steps", steps=lambda f: format_shape(f.of_steps), when=lambda f: f.of_steps),
    ),
    _one_of_states,
)
KERAS_STATES: Rules = (_OTHER_STATES,)
KERAS_STATE: Rules = (
    _OTHER_STATES._replace(when=lambda f: f.of_steps or f.got_states != f.wanted_states),
    sure(
        "hidden-size",
        reason("state-units", units="wanted", units_of_state="got", name=lambda f: "initial_state"),
        "LSTM({got})   # the layer that gets the state; or GRU, SimpleRNN",
        lambda f: not f.of_steps and f.got_states == f.wanted_states,
    ),
)


@diagnoses("keras_state")
def keras_state(reading: Reading) -> Diagnosis:
    """Diagnose an initial state of other units than those of the layer, or of more tensors."""
    units = reading.sizes("expected")
    given = [shape(sizes) for sizes in re.findall(r"shape=(\([\w, ]{1,80}\)), ndim", reading.whole)]
    facts = Facts(
        wanted=next(iter(units), 0),
        got=next((one[-1] for one in given if one[-1] not in units), reading.shape("got")[-1]),
        wanted_states=len(units),
        got_states=len(given),
        # A whole sequence in the place of a state.
        of_steps=next((one for one in given if len(one) == 3), ()),
        of_two_directions="Bidirectional(" in reading.whole,
    )
    return Diagnosis("initial-state", facts, KERAS_STATE, {"k": facts.wanted})


@diagnoses("tree_of_states")
def tree_of_states(reading: Reading) -> Diagnosis:
    """Diagnose a list of states that is longer or shorter than the layer's own, in the words of a library for lists within lists."""
    if "initial_state=None" in reading.after:
        return states_of_own_cell(reading)
    listed = re.search(r"initial_state=(\[.{1,400}?\])(?= •| mask=|$)", reading.after)
    given = [shape(sizes) for sizes in re.findall(r"shape=(\([\w, ]{1,80}\))", listed[1])] if listed else []
    return of_count(reading, given or [()] * min(reading.size("expected"), MOST_STATES), reading.size("got"))


OWN_CELL = sure(
    "state-tuple",
    reason("states-of-own-cell", "told"),
    lambda f: (
        "self.state_size = self.units   # in the cell, if it returns one state\n"
        f"return h, [{', '.join(['h', 'c', *(f's{at}' for at in range(3, f.told + 1))][: f.told])}]   # or its last line: a state for each size"
        if f.told > 1
        else "return h, [h]   # the last line of the cell's call: a state for each size in state_size\n"
        "self.state_size = [self.units, self.units]   # or a size for each state"
    ),
)


@diagnoses("states_of_own_cell")
def states_of_own_cell(reading: Reading) -> Diagnosis:
    """Diagnose a cell of the reader's own that returns another number of states than it tells."""
    return Diagnosis("initial-state", Facts(told=min(reading.size("expected"), MOST_STATES)), OWN_CELL)


def of_count(reading: Reading, given: list[Shape], wanted_states: int) -> Diagnosis:
    """Return the diagnosis of more states than a layer has, or fewer."""
    facts = Facts(
        wanted_states=wanted_states,
        got_states=len(given),
        of_steps=next((one for one in given if len(one) == 3), ()),
        of_two_directions=len(given) == 2 * wanted_states or "Bidirectional(" in reading.whole,
    )
    return Diagnosis("initial-state", facts, KERAS_STATES)


@diagnoses("keras_states")
def keras_states(reading: Reading) -> Diagnosis:
    facts = Facts(
        wanted_states=reading.size("expected"), got_states=reading.size("got"), of_steps=(), of_two_directions=False
    )
    return Diagnosis("initial-state", facts, KERAS_STATES)


# ---- the states of several layers, and states with several axes ---------------------------------

STACKED_STATES = sure(
    "state-tuple",
    reason("states-of-layers", "layers", "got_states"),
    lambda f: (
        f"initial_state=[states[at : at + {f.each}] for at in range(0, {f.got_states}, {f.each})]   # those of a layer together"
        if f.each * f.layers == f.got_states
        else "initial_state=[[h, c] for h, c in states]   # those of a layer together: a pair for each LSTMCell"
    ),
)


@diagnoses("stacked_states")
def stacked_states(reading: Reading) -> Diagnosis:
    """Diagnose the states of several cells in one list, where each cell needs a list of its own."""
    spec, _, size = reading.whole.rpartition("cell.state_size")
    layers = max(1, len(re.findall(r"\[\d", size[:400])))
    facts = Facts(
        layers=layers,
        each=max(1, len(re.findall(r"\d{1,9}", size[:400])) // layers),
        got_states=len(re.findall(r"shape=\([\w, ]{1,80}\), ndim", spec)),
    )
    return Diagnosis("initial-state", facts, STACKED_STATES)
