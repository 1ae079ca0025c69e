"""The batch of an initial state, which another batch or the steps may have taken the place of."""

from core.shapes.explanation import Fit
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import strong, sure
from core.shapes.rules.read_layer import is_power, like_batch, like_steps
from core.shapes.rules.rule import Facts, Rule, Rules, reason

MOST_TIMES = 8


def _of_steps(facts: Facts) -> bool:
    """Whether the batch of the state is rather a number of steps."""
    return facts.wanted[1] < facts.got[1] and not like_batch(facts.got[1])


def _has_sizes_of_steps(facts: Facts) -> bool:
    """Whether the two batches are such as steps and a batch have."""
    of_x, of_state = facts.wanted[1], facts.got[1]
    # A last batch is smaller than those before it: x is not larger than a state that was made for a whole batch.
    is_batch = like_batch(of_x) or of_x % 16 == 0
    if _of_steps(facts) or of_x > of_state > 1 and of_x % of_state and like_batch(of_state) and not is_batch:
        return True
    # A batch is most often a power of two, and what is left of another one seldom is.
    return facts.is_own and of_x < of_state and is_power(of_x) and not is_power(of_state)


def _fit_of_batch_first(facts: Facts) -> Fit:
    of_x, of_state = facts.wanted[1], facts.got[1]
    if facts.of_named_steps or facts.of_written:
        return Fit.STRONG
    if facts.of_packed:
        return Fit.LIKELY
    if facts.of_constant:
        return Fit.WEAK
    # A model that makes its state in the same call takes the batch from x, so no state of an earlier batch is left.
    takes_batch = facts.of_constant is False or facts.of_constant is None and like_steps(of_x)
    # No batch of a data set is so much larger than another one.
    grows = of_x >= MOST_TIMES * of_state > MOST_TIMES and not is_power(of_x)
    if grows or _has_sizes_of_steps(facts) or takes_batch and facts.is_own and 1 < of_x < of_state:
        return Fit.LIKELY
    if facts.is_own and 1 < of_x < of_state or facts.trains and of_x == 1:
        return Fit.PLAUSIBLE  # a data loader seldom gives a batch of 1, and a decoder often gets one step
    # A number of steps is often a round number, and the rest of a data set seldom is.
    may_be_steps = of_x % 10 == 0 and of_state & (of_state - 1) == 0 < of_state - 1
    if may_be_steps and of_x > of_state:
        return Fit.LIKELY  # nor is it more than a whole batch
    is_batch = like_batch(of_x) and like_batch(of_state) and not may_be_steps
    return Fit.WEAK if 1 in (of_x, of_state) or is_batch else Fit.PLAUSIBLE


def _takes_other_axis(facts: Facts) -> bool:
    """Whether the state rather has the steps of x, and the layer reads the batch from the right axis."""
    of_x, of_state = facts.wanted[1], facts.got[1]
    has_batch = facts.is_own and of_x < of_state and is_power(of_x) and not is_power(of_state)
    return not facts.of_named_steps and (_of_steps(facts) or has_batch)


def _with_batch_first(facts: Facts) -> str:
    """Return the line that makes the layer read the other axis as the batch, or the state with the other axis of x."""
    of_x, of_state = facts.wanted[1], facts.got[1]
    if facts.of_packed:
        # A layer takes the axes of a packed sequence from the call that packed it.
        call = "pack_padded_sequence(x, lengths, batch_first=True)"
        return f"packed = {call}   # if x is ({of_state}, {of_x}, features), batch and steps"
    if facts.x and facts.x[0] == of_x:
        arguments, when = "..., batch_first=False", f"if x is ({of_x}, {of_state}, features), steps and batch"
    else:
        arguments, when = "..., batch_first=True", f"if x is ({of_state}, {of_x}, features), batch and steps"
    made = advised_lines.making(facts.cells, arguments, when)
    if not facts.is_own and not _takes_other_axis(facts):
        return made
    other = f"{facts.zeros}   # the batch of x; {of_state} may be the steps"
    # A layer that reads the steps first is more often the mistake, if the program has it.
    return f"{other}\n{made}" if _takes_other_axis(facts) and facts.batch_first is None else f"{made}\n{other}"


def _of_single_step(facts: Facts) -> str:
    """Return the lines that make the layer read the step and the batch of x from the axes where they are."""
    batch = facts.got[1]
    axes = {True: f"({batch}, 1, features), batch and step", False: f"(1, {batch}, features), step and batch"}
    ways = {None: [not facts.is_step_first, facts.is_step_first]}.get(facts.batch_first, [not facts.batch_first])
    made = "\n".join(
        advised_lines.making(facts.cells, f"..., batch_first={way}", f"if x is {axes[way]}") for way in ways
    )
    return f"{made}\nx = x.transpose(0, 1)   # or the step and the batch in the order that the layer reads"


def _of_batch(facts: Facts) -> str:
    """Return the lines that make a state for the batch of x, or repeat one that was made for one sequence."""
    batch = facts.wanted[1]
    if facts.begun_anew:
        return f"{facts.begun_anew}   # without a state, the layer begins with zeros"
    if facts.keeps and batch < facts.got[1]:
        return f"DataLoader(..., drop_last=True)   # the state is kept from batch to batch\n{facts.zeros}   # if each call may begin anew"
    if facts.x is None and facts.got[1] == 1 < batch:
        # In a loop it changes nothing the second time.
        each = f"{{}}.expand(-1, {facts.batch or batch}, -1).contiguous()"
        same = f"{advised_lines.each(facts.names, each)}   # the same for each sequence of x"
        return f"{same}\n{facts.zeros}   # in its place: zeros, from x of this call"
    if facts.name == "c0" and facts.x is None:
        return str(facts.zeros)  # h0 is right
    return f"{facts.zeros}   # from x of this call, not from a constant; or DataLoader(..., drop_last=True)"


BATCH: Rules = (
    sure(
        "indexing",
        (reason("state-batch-larger", "name", of_x="wanted[1]", of_state="got[1]"), reason("slice-of-sequences")),
        when=lambda f: f.sliced and f.differ == [1] and f.wanted[1] == f.got[1] - 1,
        own="sliced",
    ),
    Rule(
        "batch-size",
        lambda f: Fit.LIKELY if f.begun_anew else Fit.PLAUSIBLE,
        (
            reason(
                "state-batch-larger", "name", of_x="wanted[1]", of_state="got[1]", when=lambda f: f.wanted[1] < f.got[1]
            ),
            reason(
                "state-batch-smaller",
                "name",
                of_x="wanted[1]",
                of_state="got[1]",
                when=lambda f: f.wanted[1] >= f.got[1],
            ),
        ),
        _of_batch,
        lambda f: f.differ == [1],
        lambda f: {f.name: f.wanted},
        lambda f: f.begun_anew,
    ),
    strong(
        "batch-first",
        reason("state-step-of-batch", "name", batch="got[1]"),
        _of_single_step,
        lambda f: f.of_step and f.differ == [1] and f.wanted[1] == 1,
    ),
    Rule(
        "batch-first",
        _fit_of_batch_first,
        (reason("state-steps", steps=lambda f: f.got[1] if _takes_other_axis(f) else f.wanted[1]),),
        _with_batch_first,
        # If h0 was right, the layer reads the right axis; and x must have the other size somewhere.
        lambda f: f.differ == [1] and f.name != "c0" and not f.batch_first and not (f.x and f.got[1] not in f.x[:2]),
        # A layer that reads the other axis as the batch leaves the state as it is.
        lambda f: {f.name: f.wanted} if _takes_other_axis(f) else {},
    ),
)
