"""The next step of a cell: h_t, and c_t of an LSTM, become the custom values h_{t−1} and c_{t−1}.

x_t stays, because a single step has no next input. Only a word or pasted numbers of the sequence page give one.
"""

from collections.abc import Callable

import numpy as np

from core.arrays import Array
from core.cells import CELLS
from core.exchange.matrix_text import LARGEST_VALUE
from core.sequence.sequence_run import next_input
from dashboard.controls import storage
from dashboard.controls.page_scenario import PageScenario
from dashboard.state import session
from dashboard.state.state import State


def next_arrays(page_scenario: PageScenario) -> dict[str, Array]:
    """Return the arrays of the state that the next step starts from, by name.

    Parameters
    ----------
    page_scenario : PageScenario
        Of a page of one step.

    Returns
    -------
    dict from str to ndarray
        Such as h_prev and c_prev. Empty if k != n, or if an entry is too large for a custom value.
    """
    _, step = page_scenario.scenario.step(page_scenario.cell)
    try:
        after = CELLS[page_scenario.cell].next_state(step)
    except ValueError:
        return {}
    arrays = {f"{field}_prev": array for field, array in after._asdict().items()}
    return arrays if all((np.abs(array) <= LARGEST_VALUE).all() for array in arrays.values()) else {}


def take_next_step(page: str, scenario_of: Callable[[State], PageScenario]) -> None:
    """Make the state after the step of the URL the custom values of the next one, as one history entry. Call it from a callback.

    Parameters
    ----------
    page : str
        The path of the page.
    scenario_of : callable
    """
    state, _ = session.read(page)
    page_scenario, stored = scenario_of(state), session.stored()
    arrays = next_arrays(page_scenario)
    if not arrays:
        return
    following = next_input(page_scenario.scenario, state.settings.t)
    if following:
        arrays["x_t"], t = following
    missing = {name: digest for name, digest in state.missing(stored).items() if name not in arrays}
    is_other = page_scenario.scenario.n != state.scenario.n  # the page of a GRU takes k for n
    changes: dict[str, str | None] = state.patch({"n": page_scenario.scenario.n}) if is_other else {}
    if following:
        changes |= state.patch({"t": t})
    storage.patch_arrays({**state.custom_values(stored), **arrays}, changes, missing)
