"""One tensor where a pair belongs, or a pair where one tensor does."""

import ast
import copy
import re

from core.shapes.explanation import Fit
from core.shapes.messages import Reading
from core.shapes.rules.axes.chosen_entries import second_of_one
from core.shapes.rules.axes.indexing import index_range
from core.shapes.rules.fits import sure
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.rules.states.cell_states import returned_state
from core.shapes.rules.states.state_in_cell import both_states_of_keras, is_of_direction
from core.shapes.rules.states.state_ranks import before_loop
from core.shapes.user_code.evidence import (
    failed_operation,
    failed_statement,
    nodes_of_line,
)
from core.shapes.user_code.name_substitution import second_of_state
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.recurrent_lines import carried_state, loops_with_state
from core.shapes.user_code.syntax_trees import expression, renamed
from core.shapes.user_code.tuple_unpacking import (
    first_of_tuple,
    first_parts,
)

_QUOTES = "'\""


def _is_output_of_keras(facts: Facts) -> bool:
    """Whether the line asks for what a tensor has, where a layer of Keras returned its output and its states."""
    return facts.reading.framework == "Keras" and facts.given_pair and bool(facts.asked)


def _call(facts: Facts) -> str:
    """Return the call with the state that belongs there: of a cell or of a layer, whichever the text tells."""
    reading = facts.reading
    if _is_output_of_keras(facts):
        return f"{facts.asked}   # the output alone, without the states"
    if reading.framework == "Keras":
        return both_states_of_keras(reading)
    if reading.framework == "JAX":
        return returned_state(reading.whole)
    is_cell = re.search(r"_cell\(\)|\b(?:LSTM|GRU|RNN)Cell\b", reading.whole)
    if not facts.given_pair:
        return "h, c = cell(x, (h, c))" if is_cell else "output, (h_n, c_n) = layer(x, (h0, c0))"
    of_state = "h = cell(x, h)" if is_cell else "output, h_n = layer(x, h0)"
    of_output = "output = output[0]   # a layer returns output and its last state"
    if facts.parts:
        one, *each = facts.parts.splitlines()
        of_part = "of the state (h, c) it is h, of a layer its output"
        return "\n".join([f"{one}   # the first part: {of_part}", *(f"{line}   # if each is a tuple" for line in each)])
    if "as element" in reading.message:
        return "output = output[0]   # before torch.cat or torch.stack: a layer returns output and its last state"
    if "container.py" in reading.whole or re.search(r"Sequential\([^\n]{0,300}nn\.(?:LSTM|GRU|RNN)\(", reading.whole):
        return "class Output(nn.Module): forward = lambda self, pair: pair[0]   # and put Output() after the recurrent layer in nn.Sequential"
    if "'hx'" in reading.message:
        return of_state
    if facts.asked and "hx.dim()" not in reading.whole:
        of_pair = "; of the state (h, c) it is h" * ("what" in reading.values and "[0]" in facts.asked)
        return f"{facts.asked}   # a layer returns output and its last state{of_pair}"
    if "'input'" in reading.message or "got (tuple," in reading.message:
        return of_output
    if "hx.dim()" in reading.whole:  # PyTorch's own line, which asks for the axes of the state
        return "h = cell(x, h)" if "not in (1, 2)" in reading.whole else "output, h_n = layer(x, h0)"
    return _each_of_state(reading) + (
        "output, h_n = layer(x, h0)   # if the tuple is the state of a GRU or an RNN\n"
        "h = cell(x, h)   # if it is that of a GRUCell or an RNNCell\n"
        "output = output[0]   # if the tuple is what a layer returned"
    )


# Attributes and methods of one tensor that a line uses for each tensor of a state alike.
_FOR_EACH = frozenset(
    "cuda cpu to detach detach_ data clone contiguous float half double requires_grad_ zero_ fill_".split()
)
_NAME_OF_PAIR = re.compile(
    r"(?:\w{1,40}\.)?\w{0,20}(?:hid|state|hx|h_?n|mem)\w{0,20}$|(?:\w{1,40}\.)?h\d?$", re.IGNORECASE
)


def _is_whole_return(reading: Reading, name: str) -> bool:
    """Whether the program gives a name all that a recurrent layer returns: output and state, and not the state alone."""
    return any(
        one.target == name
        and re.match(rf"{re.escape(name)}\s*=", one.code)
        and isinstance(one.value, ast.Call)
        and re.search(r"^(?!.*init).*(?:lstm|gru|rnn)", ast.unparse(one.value.func), re.IGNORECASE)
        for one in reading.program
    )


def _each_of_pair(reading: Reading) -> str:
    """Return the line that does to both tensors of a state what the reader's line does to the pair; empty if it does not."""
    what = reading.values.get("what", "").strip(_QUOTES)
    if what not in _FOR_EACH:
        return ""
    for node in nodes_of_line(reading):
        called = node.func if isinstance(node, ast.Call) else node
        if isinstance(called, ast.Attribute) and called.attr == what and is_stored(called.value):
            pair = ast.unparse(called.value)
            one = copy.deepcopy(node)
            (one.func if isinstance(one, ast.Call) else one).value = ast.Name("one", ast.Load())  # type: ignore[union-attr, attr-defined]
            is_state = _NAME_OF_PAIR.match(pair) and not _is_whole_return(reading, pair)
            return f"{pair} = tuple({ast.unparse(one)} for one in {pair})" if is_state else ""
    return ""


def _each_of_state(reading: Reading) -> str:
    """Return the line that does to h and c what a text without the reader's line does to a state; empty if it does not."""
    what = reading.values.get("what", "").strip(_QUOTES)
    if what not in _FOR_EACH or reading.own or not re.search(r"hidden|state|\b[hc]_?[0nt]\b", reading.whole):
        return ""
    one = {"data": "one.data", "to": "one.to(device)", "fill_": "one.fill_(0)"}.get(what, f"one.{what}()")
    return f"hidden = tuple({one} for one in hidden)   # if the tuple is the state (h, c) of an LSTM\n"


PAIR: Rules = first_of(
    sure(
        "state-tuple",
        "summary-of-tuple",
        "from torchinfo import summary   # it reads an output of several parts; or leave the summary out",
        lambda f: f.of_summary,
    ),
    Rule(
        "state-tuple",
        # h alone may be all that a layer returned.
        lambda f: Fit.LIKELY if re.match(r"h\d? = ", f.each) else Fit.SURE,
        (reason("pair-of-lstm"),),
        "{each}   # h and c",
        lambda f: f.each,
    ),
    sure("state-tuple", "pair-given", own="first_alone"),
    sure("state-tuple", "one-given", own="first_as_pair"),
    Rule(
        "state-tuple",
        # Python reason so of anything; beside a recurrent layer it is most often the state.
        lambda f: Fit.SURE if f.is_of_layer else Fit.REMOTE,
        (
            reason("pair-given", when=lambda f: f.given_pair and not _is_output_of_keras(f)),
            reason("tuple-of-keras", when=_is_output_of_keras),
            reason("three-given", when=lambda f: not f.given_pair and f.three_given),
            reason("one-given", when=lambda f: not f.given_pair and not f.three_given),
            reason("states-of-directions", when=lambda f: is_of_direction(f.reading)),
        ),
        _call,
        is_own=lambda f: _call(f).partition("   # ")[0] in {f.asked, *f.parts.splitlines()} - {""},
    ),
)


_OF_ONE = re.compile(r"index 1 is out of bounds|must be tuple of Tensors, not Tensor")


def _first_state(reading: Reading, value: str) -> str:
    """Return the line that changes the first state of a loop between a tensor and a pair; empty if no line carries a state."""
    call = failed_operation(reading)
    state = call.names.get("state") if call is not None else None
    if not isinstance(state, ast.Name | ast.Attribute) or second_of_state(reading.own[-1], state):
        return ""
    if line := before_loop(carried_state(reading), value):
        return line
    name = ast.unparse(state)
    match failed_statement(reading):
        case ast.Assign(targets=[ast.Name(id=target)]) if call and target == name and "_cell()" in reading.whole:
            new = ast.unparse(renamed(expression("cell(x, (h, c))"), call.names | {"c": ast.Name("c")}))
            return f"{name}, c = {new}   # and before the loop: c = torch.zeros_like({name})"
    ways = (value.replace("{}", name), name) if "[0]" in value else (name, value.replace("{}", name))
    own = f"{name} = {ways[0]} if isinstance({name}, tuple) else {ways[1]}"
    return f"{own}   # the first state; later ones come from the layer" if loops_with_state(reading) else ""


@diagnoses("pair")
def pair(reading: Reading) -> Diagnosis:
    if "index 1 is out of bounds" in reading.message:
        if found := second_of_one(reading):
            return found
        call = failed_operation(reading)
        if reading.own and "rnn.py" not in reading.below_own and (call is None or "state" not in call.names):
            return index_range(reading._replace(values={"axis": "0", "got": "1", "size": "1"}))
    names_layer = re.search("lstm|gru|rnn|keras|torch|flax", reading.whole.lower())
    facts = Facts(
        reading=reading,
        is_of_layer="argument" in reading.message or bool(names_layer),
        given_pair="tuple" in reading.message.lower() and "must be tuple" not in reading.message,
        three_given="positional" in reading.message,
        of_summary="torchsummary" in reading.whole and "no attribute 'size" in reading.message,
        each=_each_of_pair(reading),
        asked=first_of_tuple(reading),
        parts=first_parts(reading),
        # A state that a loop carries is a pair before its first call alone.
        first_alone=_first_state(reading, "{}[0]") if "hx.dim()" in reading.whole else "",
        first_as_pair=_first_state(reading, "({}, torch.zeros_like({}))") if _OF_ONE.search(reading.message) else "",
    )
    return Diagnosis("state-or-output", facts, PAIR)


# ---- a tuple in an index or a sum ---------------------------------------------------------------

TUPLE_INDEX: Rules = rules_of(
    "tuple_index",
    "output-of-layer",
    sure(
        "state-tuple",
        "tuple-indexed",
        "output = output[0]   # a layer returns output and its last state\n"
        "output = pad_packed_sequence(output)[0]   # if x was packed; with batch_first=True as it was packed",
    ),
)


# A sum or a product of a tensor and what a layer returned.
TUPLE_OPERAND: Rules = rules_of(
    "tuple_operand",
    "output-of-layer",
    sure(
        "state-tuple",
        reason("tuple-in-sum", "operand"),
        "{operand} = {operand}[0]   # the output of the layer, without its last state",
    ),
    facts=lambda reading: {
        "operand": "a" if "'tuple' and" in reading.message or "concatenate" in reading.message else "b"
    },
)
