"""The sentences of the sidebar, and of the buttons beside the title."""

# The groups of settings.
CELL = "Cell"
DISPLAY = "Display"

OWN_EXAMPLE = "Each page from Hidden state to Gradients starts with its own worked example. After you change a number, all six of these pages show your numbers instead."
# In the list of worked examples, for numbers that are not an example's.
CUSTOM = "None: custom values"
RESTART = "Reset to example"
RESTART_HELP = "Restores the worked example and removes your custom values. The back button of the browser undoes this."

RECURRENT = "k = n = {k}: this cell can be unrolled over time, because hₜ has as many entries as hₜ₋₁."
ONE_STEP = "k = {k} but n = {n}: one step only. A second step would need one entry of hₜ for each column of Wₕₕ."
MAKE_RECURRENT = "Make it recurrent: set n to {k}"


def recurs(n: int, k: int) -> str:
    """Return whether a cell of these sizes can be unrolled over time."""
    return (RECURRENT if k == n else ONE_STEP).format(n=n, k=k)


# ---- beside the title -------------------------------------------------------------------------

# The button of an open tool.
CLOSE = "✕ {tool}"
COMPARE = "Compare"
COMPARE_HELP = "Freezes the current picture as A. Then move a slider: a second picture, B, follows, and the differences are marked."
CANNOT_COMPARE = "More than {most} custom values cannot be frozen."
STOP_COMPARING = "✕ Stop comparing"
LEAVE_PROJECTOR = "Leave projector"
