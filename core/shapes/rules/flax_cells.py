"""Products within a cell of Flax's nnx, whose linear layers read x or the state."""

import re

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, reason

# The line of a cell that failed, and the marks below the call in it. JAX prints no positions without them.
_LINE = re.compile(
    r'flax[/\\]nnx[/\\]nn[/\\]recurrent\.py", line \d{1,6}, in \w{1,40} ([^^~]{1,200}?) ?([~^]{1,200})? ?File '
)
# Words that only one cell has in its code. The LSTMCell has none of them, so it comes last.
_CELLS = (("new_carry", "Simple"), ("_transformed", "GRU"), ("self.dense_", "OptimizedLSTM"), ("", "LSTM"))
_CALL = re.compile(r"self\.\w{1,40}\((\w{1,40})\)")

FLAX_CELL: Rules = (
    Rule(
        "hidden-size",
        Fit.SURE,
        (reason("cell-units", "wanted", "got"),),
        "carry = cell.initialize_carry(x.shape, nnx.Rngs(0))",
        lambda f: f.of_state,
        lambda f: {"state": (-1, f.wanted)},
    ),
    Rule(
        "input-size",
        Fit.SURE,
        (reason("kernel-made-for", came="got", made_for="wanted"),),
        "nnx.{cell}Cell(in_features={got}, hidden_features=..., rngs=rngs)",
        lambda f: not f.of_state,
        lambda f: {"x": (-1, f.wanted)},
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


def in_flax_cell(cell: str, name: str, got: int, wanted: int) -> Diagnosis:
    """Return the diagnosis of a product within a cell of nnx, of what has this name in the cell's own code."""
    of_state = name.startswith(("h", "carry"))
    facts = Facts(of_state=of_state, got=got, wanted=wanted, cell=cell)
    sizes = {"k" if of_state else "m": wanted}
    return Diagnosis(Statement("cell-weights", {"cell": cell}), facts, FLAX_CELL, sizes)
