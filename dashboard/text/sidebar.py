"""The sentences of the sidebar, and of the buttons beside the title."""

# The groups of settings.
CELL = "Cell"
LOOK = "Look"

OWN_EXAMPLE = "Each page opens on an example of its own. Change a number, and every page shows yours."
RESTART = "Restart"
RESTART_HELP = "Start the example again"

RECURRENT = "k = n = {k}: this cell can be unrolled over time, for its hₜ fits in as the next hₜ₋₁."
ONE_STEP = (
    "k = {k} but n = {n}: one step only. A second step would need an hₜ with {n} entries, one for each column of Wₕₕ."
)
MAKE_RECURRENT = "Make it recurrent: set n to {k}"


def recurs(n: int, k: int) -> str:
    """Return whether a cell of these sizes can be unrolled over time."""
    return (RECURRENT if k == n else ONE_STEP).format(n=n, k=k)


# ---- beside the title -------------------------------------------------------------------------

# The button of an open tool.
CLOSE = "✕ {tool}"
COMPARE = "Compare"
COMPARE_HELP = "Freezes what is shown now as A. Move a slider then: B beside it follows, and what differs is marked."
CANNOT_COMPARE = "More than {most} numbers of your own cannot be frozen."
STOP_COMPARING = "✕ Stop comparing"
LEAVE_PROJECTOR = "Leave projector"
