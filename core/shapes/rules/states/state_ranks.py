"""The number of axes of an initial state, in PyTorch."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import likely, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.user_code.changed_calls import line_with
from core.shapes.user_code.evidence import failed_operation, gives_step, makes_own_state, reads_batch_first, value_of
from core.shapes.user_code.frames import with_batch_of_one
from core.shapes.user_code.name_substitution import in_user_names, second_of_state
from core.shapes.user_code.recurrent_lines import gives_back_state, kept_state, takes_embedding
from core.shapes.user_code.syntax_trees import attribute_of


def before_loop(carried: tuple[str, ...], value: str) -> str:
    """Return the line that changes the state before the loop that carries it; empty if no line of the text carries one.

    Parameters
    ----------
    carried : tuple of str
        The names of the state: one, or those of h and c. The one name of an LSTM's state holds both.
    value : str
        With ``{}`` in the place of each old one.
    """
    when = "   # for the first state, before any loop"
    match carried:
        case (pair, "of-lstm"):
            return f"{pair} = tuple({value.replace('{}', 'one')} for one in {pair}){when}"
        case ():
            return ""
    return advised_lines.each(carried, value) + when


def one_step(reading: Reading) -> str:
    """Return the line that gives one step of a batch its axis; a name may have it already when a loop comes to the line again."""
    call = failed_operation(reading)
    if call is None or not isinstance(call.names.get("x"), ast.Name) or not gives_back_state(reading):
        return "x = x.unsqueeze(1 if layer.batch_first else 0)"
    return "x = x.reshape((-1, 1, x.size(-1)) if layer.batch_first else (1, -1, x.size(-1)))"


def _with_batch_of_state(reading: Reading, *, is_pair: bool) -> str:
    """Return the line that gives x the batch of its state: one sequence and one step of a batch both get the axis they lack."""
    call = failed_operation(reading)
    of_state = "h0[0].size(1)" if is_pair and call is not None and "c0" not in call.names else "h0.size(1)"
    first, second = f"x.reshape({of_state}, -1, x.size(-1))", f"x.reshape(-1, {of_state}, x.size(-1))"
    either = {True: first, False: second, None: f"{first} if layer.batch_first else {second}"}
    then = "; of one step, squeeze the output at the same place" * gives_step(reading)
    return f"x = {either[reads_batch_first(reading)]}   # with the batch of the state{then}"


def _with_batch_of_token(reading: Reading) -> str:
    """Return the reader's line with a batch of one for a word that has its axis of steps after the embedding; else an empty text."""
    call = failed_operation(reading)
    match call.names.get("x") if call is not None else None:
        case ast.Call(func=ast.Attribute(value=ast.Call(args=[token]) as made, attr="unsqueeze")) if (
            "emb" in ast.unparse(made.func)
        ):
            return line_with(reading, token, f"{attribute_of(token, 'reshape')}(-1)")
    return ""


def _axes_lines(facts: Facts) -> str:
    if facts.of_cell:
        line = advised_lines.of_cell(facts.reading, "{}[-1]")
        return f"{line}   # for the first state, before any loop" if facts.is_carried and "#" not in line else line
    wrong, other = facts.wrong, facts.right
    if facts.kept:
        return str(facts.kept)
    if other:
        spread = f"{wrong[0]} = {wrong[0]}.expand_as({other}).contiguous()   # if it has values: (batch, units)"
        return f"{wrong[0]} = torch.zeros_like({other})" + f"\n{spread}" * facts.batched
    if facts.batched:
        call = failed_operation(facts.reading)
        of_layers = ".repeat(layer.num_layers, 1, 1)" if call is not None and "layer" in call.names else ""
        return (
            f"{advised_lines.each(wrong, '{}.unsqueeze(0)' + of_layers)}   # (batch, units)\n"
            f"{advised_lines.each(wrong, '{}.unsqueeze(1).repeat(1, x.size(1), 1)')}   # (layers, units); with batch_first x.size(0)"
        )
    if min(facts.got, default=facts.wanted) < facts.wanted:
        return f"{advised_lines.each(wrong, '{}.unsqueeze(0)')}   # (units,) of a single layer"
    of_state = f"{advised_lines.each(wrong, '{}.squeeze(1)')}   # if its batch is 1"
    of_x = [
        "x = x.unsqueeze(-1)   # if each step is a single number: (batch, steps, 1) with batch_first=True",
        "x = x.unsqueeze(0)   # if x is one step of a batch: (1, batch, features)",
    ]
    # A model that makes its state for a batch means x to have one.
    with_batch = _with_batch_of_state(facts.reading, is_pair=facts.is_pair)
    ways = [with_batch, of_x[1]] if gives_step(facts.reading) else of_x if facts.is_own else [with_batch, *of_x]
    lines = "\n".join([*ways, of_state])
    own = in_user_names(lines, facts.reading.own[-1], facts.reading.kind) or lines if facts.reading.own else lines
    if facts.of_token:
        return f"{facts.of_token}   # one word as a batch of one\n{own}"
    return (
        f"{facts.of_sample}   # one sample as a batch of one, with batch_first=True\n{own}"
        if facts.of_sample
        else lines
    )


STATE_RANK: Rules = (
    sure(
        "state-tuple",
        reason("state-is-one-tensor", axes=lambda f: len(f.single)),
        "output, (h_n, c_n) = layer(x, (h0, {c}))",
        lambda f: f.single,
    ),
    likely(
        "unbatched",
        (
            reason("states-axes", h="got[0]", c="got[1]", when=lambda f: f.is_pair),
            reason("one-state-axes", axes="got[0]", when=lambda f: f.got and not f.is_pair),
            reason("cell-state-axes", when=lambda f: f.of_cell),
            reason("states-and-x-axes", "wanted", when=lambda f: f.is_pair and not f.of_cell and not f.right),
            reason("other-state-and-x-axes", "wanted", name="wrong[0]", other="right", when=lambda f: f.right),
            reason("state-and-x-axes", "wanted", when=lambda f: not f.is_pair and not f.of_cell),
        ),
        _axes_lines,
        lambda f: not f.single,
        is_own=lambda f: f.of_sample or f.of_token or f.kept,
    ),
    Rule(
        "state-tuple",
        lambda f: Fit.POSSIBLE if f.gives_pair else Fit.STRONG if f.of_name or not f.is_halved else Fit.LIKELY,
        (reason("state-halved"),),
        "output, (h_n, c_n) = layer(x, (h0, {c}))",
        lambda f: (f.is_halved or f.got == (1, 1)) and not f.single and f.of_name is not False,
    ),
)


def _gives_one_name(reading: Reading) -> bool | None:
    """Return whether the reader's line gives the state under one name, and not as a pair; None if it does not tell.

    An attribute that keeps the state from call to call is most often made as a pair, and so is what a decoder of words gets.
    """
    call = failed_operation(reading)
    given = call.names.get("state") if call is not None else None
    made = value_of(reading, given) if given is not None else None
    is_kept = (isinstance(given, ast.Attribute) or takes_embedding(reading)) and made is None
    return None if given is None or is_kept else not isinstance(made or given, ast.Tuple | ast.List)


def _makes_c(reading: Reading) -> bool:
    """Whether the reader's line gives c a value, beside the name of the state that it reads, and no line above names c."""
    call = failed_operation(reading)
    c = second_of_state(reading.own[-1], call.names["h0"]) if call is not None and "h0" in call.names else None
    return c is not None and not any(re.search(rf"\b{c.id}\b", one.code) for one in reading.own[:-1])


@diagnoses("state_rank")
def state_rank(reading: Reading) -> Diagnosis:
    """Diagnose a state with an axis too many or too few."""
    got, of_cell = reading.sizes("got"), "which" in reading.values
    batched = reading.values.get("way") == "batched"
    # The tensor that the reader's line gives, where PyTorch speaks of two.
    state = reading.given[1] if len(reading.given) == 2 and len(got) == 2 else None
    wanted = 2 if of_cell else reading.size("allowed")
    names = ("h0", "c0") if len(got) == 2 else ("h0",)
    # Only those that have not as many as are wanted.
    wrong = tuple(name for name, axes in zip(names, got) if axes != wanted) or names
    is_own = makes_own_state(reading)
    # A model that makes the state of a batch was called with one sequence.
    is_sample = is_own and not of_cell and not batched and min(got, default=0) == wanted + 1 and not gives_step(reading)
    facts = Facts(
        reading=reading,
        of_sample=with_batch_of_one(reading) if is_sample else "",
        of_token=_with_batch_of_token(reading),
        is_carried=gives_back_state(reading),
        got=got,
        of_cell=of_cell,
        is_own=is_own,
        batched=batched,
        is_pair=len(got) == 2,
        wrong=wrong,
        kept="" if of_cell or not batched else kept_state(reading),
        right="" if of_cell or len(wrong) != 1 or len(names) == 1 else {"h0": "c0", "c0": "h0"}[wrong[0]],
        single=state.shape if state is not None and len(state.shape) == got[0] + 1 else (),
        # Halved by taking its first row for h and its second for c, one tensor is an axis short.
        is_halved=batched and got == (2, 2),
        of_name=_gives_one_name(reading),
        # Its c has no value before the line, so the name rather holds a pair.
        gives_pair=_makes_c(reading),
        wanted=wanted,
        c="c0" if len(reading.own) < 2 or not _makes_c(reading) else "torch.zeros_like(h0)",
    )
    return Diagnosis("axes-of-state", facts, STATE_RANK)
