"""One tensor where a pair belongs, or a pair where one tensor does."""

import re

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.read_layer import named_cell
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.user_code.evidence import unpacks_pair


def _call(facts: Facts) -> str:
    """Return the call with the state that belongs there: of a cell or of a layer, whichever the text tells."""
    reading = facts.reading
    if reading.framework == "Keras":
        return "output = layer(x, initial_state=[h0, c0])"
    if reading.framework == "JAX":
        return _returned_state(reading.whole)
    is_cell = re.search(r"_cell\(\)|\b(?:LSTM|GRU|RNN)Cell\b", reading.whole)
    if not facts.given_pair:
        return "h, c = cell(x, (h, c))" if is_cell else "output, (h_n, c_n) = layer(x, (h0, c0))"
    of_state = "h = cell(x, h)" if is_cell else "output, h_n = layer(x, h0)"
    of_output = "output = output[0]   # a layer returns output and its last state"
    if "as element" in reading.message:
        return "output = output[0]   # before torch.cat or torch.stack: a layer returns output and its last state"
    if "container.py" in reading.whole or re.search(r"Sequential\([^\n]{0,300}nn\.(?:LSTM|GRU|RNN)\(", reading.whole):
        return "class Output(nn.Module): forward = lambda self, pair: pair[0]   # and put Output() after the recurrent layer in nn.Sequential"
    if "'hx'" in reading.message:
        return of_state
    if "'input'" in reading.message:
        return of_output
    if "hx.dim()" in reading.whole:  # PyTorch's own line, which asks for the axes of the state
        return "h = cell(x, h)" if "not in (1, 2)" in reading.whole else "output, h_n = layer(x, h0)"
    return (
        "output, h_n = layer(x, h0)   # if the tuple is the state of a GRU or an RNN\n"
        "h = cell(x, h)   # if it is that of a GRUCell or an RNNCell\n"
        "output = output[0]   # if the tuple is what a layer returned"
    )


def _returned_state(text: str) -> str:
    """Return the line with which the step of a scan gives back its state with the structure that it had."""
    if re.search(
        r"input carry \S{1,40} is a <class 'tuple'> but .{1,80} is a <class '[^']{0,60}(?:Array|Tracer)'>", text
    ):
        return "return (h, c), h   # the last line of the step: the state, and what is kept of the step"
    if re.search(
        r"input carry \S{1,40} is a <class '[^']{0,60}(?:Array|Tracer)'> but .{1,80} is a <class 'tuple'>", text
    ):
        return "return h, h   # the last line of the step: the state, and what is kept of the step"
    return "# the state must go in and come back with the same structure: (h, c), or h alone"


PAIR: Rules = (
    Rule(
        "state-tuple",
        Fit.SURE,
        (reason("summary-of-tuple"),),
        "from torchinfo import summary   # it reads an output of several parts; or leave the summary out",
        lambda f: f.of_summary,
    ),
    Rule(
        "state-tuple",
        # Python reason so of anything; beside a recurrent layer it is most often the state.
        lambda f: Fit.SURE if f.is_of_layer else Fit.REMOTE,
        (
            reason("pair-given", when=lambda f: f.given_pair),
            reason("three-given", when=lambda f: not f.given_pair and f.three_given),
            reason("one-given", when=lambda f: not f.given_pair and not f.three_given),
        ),
        _call,
        lambda f: not f.of_summary,
    ),
)


@diagnoses("pair")
def pair(reading: Reading) -> Diagnosis:
    names_layer = re.search("lstm|gru|rnn|keras|torch|flax", reading.whole.lower())
    facts = Facts(
        reading=reading,
        is_of_layer="argument" in reading.message or bool(names_layer),
        given_pair="tuple" in reading.message.lower() and "must be tuple" not in reading.message,
        three_given="positional" in reading.message,
        of_summary="torchsummary" in reading.whole and "no attribute 'size" in reading.message,
    )
    return Diagnosis(Statement("state-or-output"), facts, PAIR)


def _lines_for(cell: str | None, *lines: tuple[tuple[str, ...], str]) -> str:
    """Return the lines for a cell, or all if the text names none."""
    return "\n".join(line for cells, line in lines if cell in (None, *cells))


UNPACK: Rules = (
    Rule(
        "state-tuple",
        Fit.PLAUSIBLE,
        (reason("unpack-two"),),
        lambda f: (
            "output, h, c = layer(x)   # an LSTM of Keras with return_state=True"
            if f.of_keras
            else _lines_for(
                f.cell,
                (("LSTM",), "output, (h_n, c_n) = layer(x)   # an LSTM"),
                (("GRU", "RNN"), "output, h_n = layer(x)   # a GRU or an RNN"),
                (("GRU", "RNN"), "h = cell(x, h)   # a GRUCell or an RNNCell"),
            )
        ),
    ),
)


@diagnoses("unpack")
def unpack(reading: Reading) -> Diagnosis:
    # One state is no pair, so the layer is no LSTM.
    cell = "GRU" if unpacks_pair(reading) else named_cell(reading)
    return Diagnosis(Statement("state-of-layer"), Facts(cell=cell, of_keras="return_state" in reading.whole), UNPACK)


def _reads_shape(reading: Reading) -> bool | None:
    """Return whether the reader's line reads a shape; None if the text has no such line."""
    return bool(re.search(r"\.shape\b|\.size\(", reading.own[-1].code)) if reading.own else None


UNPACK_STATES: Rules = (
    Rule(
        "state-tuple",
        Fit.PLAUSIBLE,
        (reason("unpack-states"),),
        "output, h_forward, c_forward, h_backward, c_backward = layer(x)   # a Bidirectional LSTM of Keras with return_state=True",
        lambda f: not f.of_shape,
    ),
    Rule(
        "unbatched",
        Fit.PLAUSIBLE,
        (reason("unpack-shape"),),
        "x = x.reshape(*x.shape[:2], -1)   # if its shape is read, and all axes after the second are features",
        lambda f: f.of_shape is not False,
    ),
)


@diagnoses("unpack_states")
def unpack_states(reading: Reading) -> Diagnosis:
    """Diagnose more than three values: the states of two directions, or the axes of a shape."""
    return Diagnosis(Statement("state-or-output"), Facts(of_shape=_reads_shape(reading)), UNPACK_STATES)


UNPACK_THREE: Rules = (
    Rule(
        "state-tuple",
        Fit.PLAUSIBLE,
        (reason("unpack-three"),),
        lambda f: _lines_for(
            f.cell,
            (("LSTM",), "output, (h_n, c_n) = layer(x)   # an LSTM"),
            (("GRU", "RNN"), "output, h_n = layer(x)   # a GRU or an RNN, which have no c"),
        ),
        lambda f: not f.of_shape,
    ),
    Rule(
        "unbatched",
        Fit.PLAUSIBLE,
        (reason("unpack-axes"),),
        "x = x[..., None]   # if its shape is read, and each step is one number: (samples, steps, 1)\n"
        "x = x[None]   # if its shape is read, and it is one sample: (1, steps, features)",
        lambda f: f.of_shape is not False,
    ),
)


@diagnoses("unpack_three")
def unpack_three(reading: Reading) -> Diagnosis:
    facts = Facts(cell=named_cell(reading), of_shape=_reads_shape(reading))
    return Diagnosis(Statement("output-of-layer"), facts, UNPACK_THREE)
