"""What the tests ask of any cell, so that they need not know one by its name."""

from functools import cache

from core.arrays import Array
from core.cells import CELLS
from core.cells.protocol import state_arrays
from core.concatenation import split_columns
from core.scenario import Scenario


@cache
def always_recurs(cell: str) -> bool:
    """Whether a cell cannot be with k != n."""
    try:
        Scenario(n=2, k=3).step_arguments(cell)
    except ValueError:
        return True
    return False


def can_be(cell: str, scenario: Scenario) -> bool:
    """Whether a cell can be with the sizes of a scenario."""
    return scenario.k == scenario.n or not always_recurs(cell)


def held(cell: str, scenario: Scenario) -> dict[str, Array]:
    """Every array of a cell as its parameters and its state hold it, joined weights apart for h and for x."""
    params, state, x_t = scenario.step_arguments(cell)
    arrays = dict(zip(state_arrays(CELLS[cell]), state, strict=True)) | {"x_t": x_t}
    for joined in CELLS[cell].PRE_ACTIVATIONS.values():
        parts = split_columns(getattr(params, joined.W), scenario.n, scenario.order)
        arrays |= dict(zip((joined.W_h, joined.W_x), parts)) | {joined.b: getattr(params, joined.b)}
    return arrays | {name: getattr(params, name) for name in CELLS[cell].ARRAYS if name not in arrays}


def z_of(source: str) -> tuple[str, str]:
    """The cell that has a pre-activation of SOURCES, and the symbol that its equations make of it."""
    (cell,) = (name for name in CELLS if source in CELLS[name].PRE_ACTIVATIONS)
    W = CELLS[cell].PRE_ACTIVATIONS[source].W
    (z,) = (row[row.index("=") + 1] for row in CELLS[cell].EQUATIONS if row[0] == W)
    return cell, z


def own_z(scenario: Scenario, source: str) -> Array:
    """The z that the cell itself computes."""
    cell, z = z_of(source)
    params, state, x_t = scenario.step_arguments(cell)
    return getattr(CELLS[cell].step(params, state, x_t), z)


def symbols(cell: str) -> dict[str, str]:
    """What the screen calls each field of a step but the stack, those left out that hold another's numbers again."""
    step = CELLS[cell].step(*Scenario(n=3).step_arguments(cell))
    shown = {name: CELLS[cell].SYMBOLS.get(name) for name in step._fields if name != "stacked"}
    return {name: symbol.text if symbol else name for name, symbol in shown.items() if not (symbol and symbol.double)}
