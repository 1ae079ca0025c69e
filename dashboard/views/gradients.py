"""Gradients: what survives back through time, exactly, in the plain cell, the LSTM and the GRU."""

from math import log10

import streamlit as st

from core.cells import CELLS
from core.time import bptt
from core.time.unroll import bounded_steps, first_steps, unroll
from dashboard import charts, controls
from dashboard.charts import number
from dashboard.screen import show

# In pixels, of a map: on a wide screen the three stand side by side.
SIDE = 270

st.markdown(
    "# Gradients\n"
    "To learn from something long ago, a gradient must come back to it: from step $t$ to step $s$ it is multiplied by the Jacobians of all "
    r"steps between, $\partial\,\text{state}_t / \partial\,\text{state}_s = J_t\,J_{t-1} \cdots J_{s+1}$. Here they are exact, for your own "
    "weights, in three cells of the same sizes, seed and scale, on noise from N(0, 1), and from a state of 0 unless it has numbers of its own. The "
    "state is $h$, and in the LSTM $h$ and $c$. The activation $g$ is the plain cell's alone, and the forget bias the LSTM's."
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    controls.steps()
    controls.gates()

scenario, decimals = controls.recurrent(), controls.decimals()
most = bptt.affordable_steps(2 * scenario.k)
T = min(scenario.T, most)
if T < scenario.T:
    st.info(
        f"With k = {scenario.k} units the products of all pairs of {scenario.T} steps would take too long: T is taken as {T} here. With fewer "
        "units more steps can be shown."
    )
scale = charts.symmetric("log₁₀ of the gain", 6, clips=True)
colours = dict(zip(CELLS, (charts.CURVE, charts.SLOPE, charts.OTHER)))

xs = scenario.noise(T)
setups = {name: scenario.at_rest(name) for name in CELLS}
traces = {name: unroll(cell, *setups[name], xs) for name, cell in CELLS.items()}
bounded = {name: bounded_steps(trace)[1] for name, trace in traces.items()}
shortest = min(bounded, key=bounded.get)
if bounded[shortest] < T:
    T = bounded[shortest]
    st.info(f"After step {T} the {shortest} has numbers beyond 10^30: here the sequence ends there for all cells.")
gains, direct, radius, error = {}, {}, {}, {}
for name, cell in CELLS.items():
    params, state = setups[name]
    trace = first_steps(traces[name], T)
    J = cell.jacobian(params, trace)
    gains[name] = bptt.log_gains(J)
    radius[name] = bptt.spectral_radius(J[-1])
    error[name] = bptt.numeric_error(cell, params, state, xs[0])
    if hasattr(cell, "direct_path"):
        direct[name] = bptt.log_direct(cell.direct_path(trace), J.shape[-1])


def power(log: float) -> str:
    """A gain from its decimal logarithm, which may be far below the smallest float."""
    return "0 in float64" if log == float("-inf") else f"10^{number(round(log, decimals), decimals)}"


def fate(log: float) -> str:
    """What becomes of a gradient with this gain: within a factor of 2 it is about kept, beyond 10 it vanishes or explodes."""
    if abs(log) <= log10(2):
        return "is about kept"
    if log < 0:
        return "shrinks" if log >= -1 else "vanishes"
    return "grows" if log <= 1 else "explodes"


def triangle(name: str) -> charts.Item:
    """The gain from each step, a row, to each earlier one, a column."""
    return charts.block(
        name,
        gains[name],
        scale,
        rows=[("from step", T, "")],
        columns=[("to step", T, "")],
        nothing="nothing comes back from here",
        fixed=controls.fixed_colours(),
    )


# ---- every step to every earlier one ----

maps = charts.panel(
    "From every step to every earlier one",
    "The gain is the factor by which the length of a gradient changes on the way back, as a root mean square over all directions: "
    "10^0 = 1 keeps its length, blue is vanishing and red exploding. Rows are where the gradient starts, columns where it arrives; "
    "on the diagonal it has gone nowhere, and to the right of it nothing comes back.",
    [triangle(name) for name in CELLS],
    alt="; ".join(f"{name}: from step {T} to step 1 the gain is {power(gains[name][-1, 0])}" for name in CELLS) + ".",
    note="\n".join(
        f"{name}: the gain from step {T} back to step 1 is {power(gains[name][-1, 0])}; the spectral radius of the last Jacobian is "
        f"{number(radius[name], decimals)}."
        for name in CELLS
    )
    + "\nThe spectral radius is that of one Jacobian: were all of them alike, each step would multiply by it in the long run.",
    fit=("columns", SIDE, 1),
)

# ---- from the last step back ----

back = charts.panel(
    "From the last step back",
    "The last row of each map against the number of steps back, t − s; dashed is the direct path of the LSTM and of the GRU alone, see below. A "
    "straight line that falls is a gradient that vanishes at a constant rate. Scale the weights up in the sidebar: in between it may explode, but "
    "where σ and tanh are saturated their slopes shrink faster than the weights grow, and the plain cell's gradient vanishes; ReLU's does not. A "
    "slope below the smallest float64 counts as 0, and there a line ends.",
    [
        charts.chart(
            [charts.Line(name, logs[-1, ::-1], colours[name]) for name, logs in gains.items()]
            + [charts.Line("", logs[::-1], colours[name], dashed=True) for name, logs in direct.items()],
            x_label="steps back, t − s",
            y_label="log₁₀ of the gain",
        )
    ],
    alt=f"The gain from step {T} against the number of steps back, for each cell, and for the direct paths.",
)

# ---- the direct path, and the check ----

columns_of_h = {"hx": "the first", "xh": "the last"}[scenario.order]
lstm_gain, forget_gain = gains["LSTM"][-1, 0], direct["LSTM"][0]
paths = charts.panel(
    "The direct path is not the whole gradient",
    "Along c alone an LSTM multiplies by f_t at each step, and a GRU along h by u_t, which is the share of h_{t−1} that it keeps. That product of "
    "gates is the dashed line above, over the same directions of the state as the whole gain: of the LSTM's 2k directions only the k of c. The exact "
    "gradient is another number, for c_{t−1} also acts through h_{t−1}, which every gate reads at the next step, and those paths add to the direct "
    f"one or take from it. From step {T} to step 1 the forget gates alone give {power(forget_gain)}, the whole Jacobian {power(lstm_gain)}: here the "
    f"LSTM's gradient {fate(lstm_gain)}. An LSTM's can vanish like any other, where its forget gates are well below 1 and the paths through h do not make up "
    "for it; a forget bias above 0 opens them. Of W only the columns of h bring anything back to earlier steps: "
    f"{columns_of_h} {scenario.n} of {scenario.n + scenario.m}.",
    alt="",
)
errors = ", ".join(f"{name} {number(largest, 1)}" for name, largest in error.items())
checked = charts.panel(
    "Is it right?",
    "The first Jacobian of each cell against central differences: each entry of the state is moved by a millionth to either side, and the step "
    f"taken anew. The largest difference, as a share of the largest entry: {errors}. What is left is rounding and the width of the differences.",
    alt="",
)
show(charts.picture([maps, back, paths, checked], decimals=decimals, unit=0), key="picture", on_unit=controls.pick_unit)
