"""Parameters of Flax, and products within a cell of its nnx, whose linear layers read x or the state."""

import ast
import re

from core.shapes.explanation import Statement
from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.fits import plausible, strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason
from core.shapes.user_code.evidence import calls_of_line
from core.shapes.user_code.jax_lines import first_carry
from core.shapes.user_code.operations import is_stored
from core.shapes.user_code.syntax_trees import tree_of

# The line of a cell that failed, and the marks below the call in it. JAX prints no positions without them.
_LINE = re.compile(
    r'flax[/\\]nnx[/\\]nn[/\\]recurrent\.py", line \d{1,6}, in \w{1,40} ([^^~]{1,200}?) ?([~^]{1,200})? ?File '
)
# Words that only one cell has in its code. The LSTMCell has none of them, so it comes last.
_CELLS = (("new_carry", "Simple"), ("_transformed", "GRU"), ("self.dense_", "OptimizedLSTM"), ("", "LSTM"))
_CALL = re.compile(r"self\.\w{1,40}\((\w{1,40})\)")

FLAX_CELL: Rules = first_of(
    sure(
        "hidden-size",
        reason("cell-units", "wanted", "got"),
        "carry = cell.initialize_carry(x.shape, nnx.Rngs(0))",
        lambda f: f.of_state,
        own="own",
    ),
    sure(
        "input-size",
        reason("kernel-made-for", came="got", made_for="wanted"),
        "nnx.{cell}Cell(in_features={got}, hidden_features=..., rngs=nnx.Rngs(0))",
        conform=lambda f: {"x": (-1, f.wanted)},
    ),
)


def failed_flax_cell(reading: Reading) -> tuple[str, str] | None:
    """Return the cell of nnx that failed, and the name of what it multiplied; None if the text does not tell."""
    places = _LINE.findall(reading.whole)
    if not places:
        return None
    code, marks = places[-1]
    calls = list(_CALL.finditer(code))
    marked = [call for call in calls if len(call[0]) == len(marks)]
    chosen = marked or calls
    if len({call[1] for call in chosen}) != 1:
        return None
    return next(cell for words, cell in _CELLS if words in code), chosen[0][1]


FLAX_LINEAR = sure(
    "input-size",
    reason("kernel-made-for", came="got", made_for="wanted"),
    "{layer}nnx.Linear(in_features={got}, out_features=..., rngs=nnx.Rngs(0))",
    conform=lambda f: {"x": (-1, f.wanted)},
    is_own=lambda f: f.layer,
)


def in_flax_linear(reading: Reading, got: int, wanted: int) -> Diagnosis | None:
    """Return the diagnosis of a product within nnx.Linear; None if the text does not tell this layer."""
    if not re.search(r'flax[/\\]nnx[/\\]nn[/\\]linear\.py", line \d{1,6}, in __call__', reading.below_own):
        return None
    called = [one for one in calls_of_line(reading) if is_stored(one.func)]
    marked = [one for one in called if reading.own[-1].marks(one)]
    chosen = marked or called
    layer = (
        f"{ast.unparse(chosen[0].func)} = " if len(chosen) == 1 and "nnx." not in ast.unparse(chosen[0].func) else ""
    )
    return Diagnosis("matrix-product", Facts(got=got, wanted=wanted, layer=layer), FLAX_LINEAR)


def in_flax_cell(reading: Reading, cell: str, name: str, got: int, wanted: int) -> Diagnosis:
    """Return the diagnosis of a product within a cell of nnx, of what has this name in the cell's own code."""
    of_state = name.startswith(("h", "carry"))
    facts = Facts(of_state=of_state, got=got, wanted=wanted, cell=cell, own=first_carry(reading))
    sizes = {"k" if of_state else "m": wanted}
    return Diagnosis(Statement("cell-weights", {"cell": cell}), facts, FLAX_CELL, sizes)


CARRY_OF_STEPS = sure(
    "unbatched",
    (reason("broadcast-shapes", "left", "right"), reason("carry-of-steps")),
    "carry = cell.initialize_carry(jax.random.key(0), x[:, 0].shape)",
    own="own",
    note="before the loop, if a loop carries it",
)


def of_carry_with_steps(reading: Reading, left: Shape, right: Shape) -> Diagnosis | None:
    """Return the diagnosis of a cell whose carry has an axis more than its x; None if no cell of Flax adds the two."""
    fewer, more = sorted((left, right), key=len)
    is_one = len(more) == len(fewer) + 1 and more[-1:] == fewer[-1:]
    if not is_one or not re.search(r'flax[/\\](?:linen|nnx[/\\]nn)[/\\]recurrent\.py", line', reading.below_own):
        return None
    return Diagnosis("weights-of-cell", Facts(left=left, right=right, own=first_carry(reading)), CARRY_OF_STEPS)


# ---- parameters -------------------------------------------------------------------------------------

PARAMETER: Rules = (
    sure(
        "hidden-size",
        reason("carry-units", "k", "k_saved"),
        "initial_carry = jnp.zeros((x.shape[0], {k_saved}))   # of an LSTM: a pair of two such arrays",
        lambda f: f.of_carry and f.k != f.k_saved,
    ),
    strong(
        "hidden-size",
        reason("carry-sets-units", "k", "k_saved"),
        "{carry}   # by the cell that gets it, before the first step",
        lambda f: f.of_cell and not f.of_carry and f.k != f.k_saved,
    ),
    strong(
        "checkpoint",
        reason("kernel-saved", "got", "wanted"),
        lambda f: (
            f"{f.init}   # new parameters for this model: {f.k} units\n"
            f"features={f.k_saved}   # or a cell with the units of the parameters"
        ),
        lambda f: f.k != f.k_saved,
    ),
    strong(
        "shared-cell",
        reason("kernel-shared", "came", "made_for"),
        "[nn.OptimizedLSTMCell(features={k}) for _ in range(layers)]",
        lambda f: f.k == f.k_saved and f.came == f.k,
    ),
    plausible(
        "input-size",
        reason("kernel-made-for", "came", "made_for"),
        "{init}   # with an x of {came} features, as in the call",
        lambda f: f.k == f.k_saved,
        lambda f: {"x": (-1, f.made_for)},
    ),
    plausible(
        "checkpoint",
        reason("parameters-of-another-model", "made_for"),
        "# load the parameters of this model",
        lambda f: f.k == f.k_saved,
    ),
)


def _init_of_call(reading: Reading) -> str:
    """Return the line that makes the parameters anew, in the names of the reader's model.apply(params, x)."""
    for line in reading.own:
        for node in ast.walk(tree_of(line.code) or ast.Pass()):
            if not isinstance(node, ast.Call) or len(node.args) < 2:
                continue
            # jax.jit(model.apply)(params, x) is such a call as well.
            called = node.func.args[0] if isinstance(node.func, ast.Call) and node.func.args else node.func
            if not isinstance(called, ast.Attribute) or called.attr != "apply" or not is_stored(called.value):
                continue
            parameters, *given = map(ast.unparse, node.args)
            made = f"{ast.unparse(called.value)}.init(jax.random.key(0), {', '.join(given)})"
            wrapped = re.fullmatch(r"\{['\"]params['\"]: ([\w.]{1,60})\}", parameters)
            if wrapped:
                return f'{wrapped[1]} = {made}["params"]'
            if is_stored(node.args[0]):
                return f"{parameters} = {made}"
    return "params = model.init(key, x)"


@diagnoses("parameter")
def parameter(reading: Reading) -> Diagnosis:
    """Diagnose a kernel of Flax that x does not fit."""
    wanted, got = reading.shape("expected"), reading.shape("got")
    facts = Facts(wanted=wanted, got=got, came=wanted[0], made_for=got[0], k=wanted[-1], k_saved=got[-1])
    # The cells of linen take their units from the carry. nn.RNN, whose scope is scan or ends in cell, makes it itself.
    facts.of_cell = bool(re.search(r"^(?!.*\bscan\().*(?<!cell)/[ih][ifgorzn]\"", reading.values.get("of", "") + '"'))
    facts.init, facts.carry = (
        _init_of_call(reading),
        first_carry(reading) or "carry = cell.initialize_carry(jax.random.key(0), x.shape)",
    )
    facts.of_carry = "initial_carry=" in reading.own_code
    return Diagnosis("weights-of-cell", facts, PARAMETER, {"m": facts.made_for, "k": facts.k})
