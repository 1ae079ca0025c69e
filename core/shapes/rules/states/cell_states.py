"""The state of a single cell, of a scan and of a node, and a state whose entries are not in order."""

import ast
import re

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import differing_axes
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import likely, plausible, possible, strong, sure
from core.shapes.rules.read_layer import NAME_OF_STATE, cells_of, is_round, named_cell
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.user_code.evidence import failed_operation, failed_statement, takes_step
from core.shapes.user_code.jax_lines import first_state, with_argument
from core.shapes.user_code.onnx_inputs import with_fed
from core.shapes.user_code.recurrent_lines import gives_back_state
from core.shapes.user_code.syntax_trees import with_code

# ---- cells of PyTorch --------------------------------------------------------------------------


def _is_c(which: str) -> bool:
    """Whether PyTorch's number of a state, such as hidden1 or hidden[1], is that of the cell state."""
    return which.strip("[]") == "1"


STATE_UNITS: Rules = first_of(
    sure(
        "swapped-arguments",
        (reason("cell-units", "wanted", "got"), reason("state-of-other-cell")),
        own="own_state",
        note="the state of this cell",
    ),
    strong(
        "hidden-size",
        reason("cell-units", "wanted", "got"),
        lambda f: (
            advised_lines.of_cell(f.reading, f"torch.zeros(x.size(0), {f.wanted})")
            + "\n"
            + advised_lines.making(f.cells, f"..., hidden_size={f.got}", "if the state is right", "Cell")
        ),
        lambda f: not f.is_c,
    ),
    strong(
        "hidden-size",
        reason("cell-state-units", "wanted", "got"),
        "c = torch.zeros(x.size(0), {wanted})",
    ),
)


def _with_own_state(reading: Reading) -> str:
    """Return the reader's call with the state that it gives back, where it gives the cell its x as the state too; else an empty text."""
    call, statement = failed_operation(reading), failed_statement(reading)
    if call is None or not {"x", "state"} <= call.names.keys() or not isinstance(statement, ast.Assign):
        return ""
    state, target = call.names["state"], ast.unparse(statement.targets[0])
    if ast.unparse(call.names["x"]) != ast.unparse(state) or target == ast.unparse(state):
        return ""
    given = getattr(call.node, "args", [])
    return with_code(reading.own_code, (given[1], target)) if len(given) == 2 else ""


@diagnoses("state_units")
def state_units(reading: Reading) -> Diagnosis:
    wanted, got = reading.size("expected"), reading.size("got")
    # PyTorch looks at h, hidden0, first.
    facts = Facts(reading=reading, cells=cells_of(reading), wanted=wanted, got=got, is_c=_is_c(reading.values["which"]))
    facts.own_state = _with_own_state(reading)
    return Diagnosis(
        "cell-state" if facts.is_c else "state-of-cell", facts, STATE_UNITS, {"k": wanted, "state-units": got}
    )


def _other_axis(facts: Facts) -> str:
    """Return the call that takes the step on the second axis, or the loop over that axis."""
    if facts.loop:
        return f"{facts.loop}: ...   # if its first axis is the batch: a turn for each step"
    call = "h, c = cell(sequence[:, t], (h, c))" if facts.is_pair else "h = cell(sequence[:, t], h)"
    if not facts.reading.own:
        return "# x[:, t] in the place of x[t], if x is (batch, steps, features)"
    return f"{call}   # sequence is (batch, steps, features)"


def _loop_over_steps(reading: Reading) -> str:
    """Return the loop whose turns give a cell its x, over the second axis of its array; empty if the text has no such loop."""
    own = failed_operation(reading)
    x = own.names.get("x") if own is not None else None
    loop = (
        re.search(rf"\bfor {x.id} in ([\w.]{{1,40}}(?:\([\w.]{{1,40}}\))?):", reading.whole)
        if isinstance(x, ast.Name)
        else None
    )
    return f"for {x.id} in {loop[1]}.unbind(1)" if loop and isinstance(x, ast.Name) and "range" not in loop[1] else ""


def _before_steps(facts: Facts, lines: str) -> str:
    """Return the lines that make a state, with the place where a loop over the steps needs them."""
    if not (facts.takes_step or facts.is_carried or facts.batch == "batches.size(0)"):
        return lines
    # In the loop they would take the state of the step before away.
    return re.sub(
        r"(?m)(?:   # (.*))?$", lambda match: f"   # before the loop{match[1] and '; ' + match[1] or ''}", lines
    )


CELL_BATCH: Rules = (
    likely(
        "state-tuple",
        reason("cell-state-halved", "of_state"),
        "h, c = cell(x, (h, c))",
        # Without a batch of its own, the first axis of a state is its units.
        lambda f: f.is_first and is_round(f.of_state) and f.of_state >= 4 * f.of_x and f.of_state >= 64,
    ),
    plausible(
        "batch-size",
        reason("cell-batch", "of_x", "of_state"),
        lambda f: (
            advised_lines.of_cell(f.reading, f"{{}}.expand({f.batch}, -1)")
            if f.of_state == 1
            else _before_steps(f, advised_lines.of_cell(f.reading, f"torch.zeros({f.batch}, {{}}.size(-1))"))
        ),
        lambda f: not f.is_c,
    ),
    Rule(
        "batch-first",
        lambda f: Fit.LIKELY if f.takes_step or f.loop else Fit.PLAUSIBLE,
        (reason("cell-step-of-batch", "of_x", "of_state"),),
        _other_axis,
        # A message alone does not tell what the cell is given.
        lambda f: (f.takes_step or f.loop or not f.reading.own) and not f.is_c and f.of_state > 1,
        is_own=lambda f: f.loop,
    ),
    plausible(
        "batch-size",
        reason("cell-state-batch", "of_x", "of_state"),
        lambda f: _before_steps(f, f"c = torch.zeros({f.batch}, c.size(-1))"),
        lambda f: f.is_c,
    ),
    Rule(
        "unbatched",
        lambda f: Fit.PLAUSIBLE if f.reading.own and is_round(f.of_state) and f.of_state > f.of_x else Fit.REMOTE,
        (reason("cell-state-unbatched", "of_state"),),
        lambda f: advised_lines.of_cell(f.reading, f"{{}}.expand({f.of_x}, -1)"),
        lambda f: not f.is_c and f.of_state > 1,
    ),
)


@diagnoses("batch")
def batch(reading: Reading) -> Diagnosis:
    """Diagnose x of one batch and a state of another."""
    of_x, of_state = reading.size("x"), reading.size("state")
    which = reading.values["which"]
    own = failed_operation(reading)
    facts = Facts(
        reading=reading,
        of_x=of_x,
        of_state=of_state,
        # A constant fits this batch alone.
        batch="sequence[0].size(0)"
        if takes_step(reading)
        else "batches.size(0)"
        if own is not None and "batches" in own.names
        else "x.size(0)"
        if own is not None
        else of_x,
        is_first="[0]" in which,
        is_c=_is_c(which),
        takes_step=takes_step(reading),
        is_carried=gives_back_state(reading),
        loop=_loop_over_steps(reading),
        is_pair=own is not None and "c0" in own.names,
    )
    return Diagnosis(
        "cell-state" if facts.is_c else "batch-of-cell-state",
        facts,
        CELL_BATCH,
        {"batch": of_x, "state-batch": of_state},
    )


# ---- the carry of lax.scan ---------------------------------------------------------------------


def returned_state(text: str) -> str:
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


def _scan_state(code: str, differs: str) -> Rule:
    return strong(
        code,
        reason("scan-state", "gave", "back"),
        lambda f: f"h0 = jnp.zeros({f.back})",
        lambda f: f.differs == differs,
        lambda f: {"h0": f.back},
        own="own",
    )


CARRY: Rules = (
    possible(
        "broadcast",
        reason("scan-types", "gave"),
        "h0 = h0.astype(x.dtype)",
        lambda f: f.differs == "type",
        lambda f: {"h0": f.gave},
    ),
    _scan_state("hidden-size", "units"),
    _scan_state("batch-size", "batch"),
    _scan_state("unbatched", "axes"),
)


@diagnoses("carry")
def carry(reading: Reading) -> Diagnosis:
    """Diagnose a scan that gets back another state than it gave."""
    gave, back = reading.shape("left"), reading.shape("right")
    scan = "state-of-scan"
    if gave == back:
        return Diagnosis(scan, Facts(gave=gave, back=back, differs="type", own=""), CARRY)
    differs = "axes" if len(gave) != len(back) else "units" if gave[-1] != back[-1] else "batch"
    # A name may stand for a pair of states.
    is_part = re.search(r"\w\[\d\] has type", reading.whole) is not None
    own = first_state(reading, f"jnp.zeros({back})", of_pair=is_part)
    return Diagnosis(
        scan, Facts(gave=gave, back=back, differs=differs, own=own), CARRY, {"k": back[-1]} if back else {}
    )


def _in_step(facts: Facts) -> str:
    """Return the lines after which the arrays of a scan have as many steps: with their axes turned, or cut."""
    turned = f"{facts.xs} = jnp.swapaxes({facts.xs}, 0, 1)   # for an array of xs that is (batch, steps, features)"
    cut = f"{facts.cut}   # the first {facts.fewest} steps of each" if facts.cut else ""
    return "\n".join(filter(None, (cut, turned) if facts.is_shifted else (turned, cut)))


SCANNED = sure("steps", reason("scanned", "sizes"), _in_step, is_own=lambda f: f.cut and f.is_shifted)


def _batch_first_of_scanned(reading: Reading) -> str:
    """Return the name of the program's only array that has steps and batch in the other order than a larger one."""
    sizes = reading.sizes("sizes")
    if len(sizes) != 2:
        return "xs"
    arrays = {name: shape for name, shape in reading.arrays.items() if shape[:2] in (sizes, sizes[::-1])}
    fewest = min(map(len, arrays.values()), default=0)
    found = [name for name, shape in arrays.items() if len(shape) == fewest]
    return found[0] if len(found) == 1 < len({shape[:2] for shape in arrays.values()}) else "xs"


@diagnoses("scanned")
def scanned(reading: Reading) -> Diagnosis:
    sizes = reading.sizes("sizes") or (0,)
    facts = Facts(
        sizes=reading.values["sizes"],
        xs=_batch_first_of_scanned(reading),
        fewest=min(sizes),
        # A batch and steps differ by more than one in most programs.
        is_shifted=max(sizes) - min(sizes) == 1,
        cut=with_argument(reading, "xs", f"jax.tree.map(lambda one: one[:{min(sizes)}], {{}})"),
    )
    return Diagnosis("state-of-scan", facts, SCANNED)


# ---- nodes of ONNX Runtime ---------------------------------------------------------------------


def _node_state(code: str, at: int | None) -> Rule:
    return strong(
        code,
        reason("node-state", "got", "wanted"),
        lambda f: f"initial_{f.which} = np.zeros({f.wanted}, np.float32)",
        lambda f: f.at == at,
        own="own",
    )


ONNX_STATE: Rules = (
    _node_state("layers-directions", 0),
    _node_state("batch-size", 1),
    _node_state("hidden-size", 2),
    _node_state("unbatched", None),
)


@diagnoses("onnx_state")
def onnx_state(reading: Reading) -> Diagnosis:
    wanted, got = reading.shape("expected"), reading.shape("got")
    differ = [axis for axis in differing_axes(wanted, got) if axis < 3]
    facts = Facts(
        wanted=wanted,
        got=got,
        which=reading.values["which"],
        at=differ[0] if differ and len(wanted) == len(got) else None,
        own=with_fed(reading, NAME_OF_STATE, f"np.zeros({wanted}, np.float32)"),
    )
    sizes = dict(zip(("directions", "batch", "k"), wanted))
    return Diagnosis("initial-state", facts, ONNX_STATE, sizes)


# ---- a state whose entries are not in order ----------------------------------------------------

STATE_ORDER: Rules = rules_of(
    "state_order",
    "initial-state",
    sure(
        "contiguous",
        reason("state-not-in-order", "name"),
        lambda f: "h0, c0 = h0.contiguous(), c0.contiguous()" if f.cell in ("LSTM", None) else "h0 = h0.contiguous()",
    ),
    facts=lambda reading: {
        "name": {"hx": "h0", "cx": "c0"}.get(reading.values["which"], reading.values["which"]),
        "cell": named_cell(reading),
    },
)
