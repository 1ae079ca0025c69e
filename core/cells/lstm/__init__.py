r"""One step of the LSTM: three gates and a candidate on one stack, and a cell state beside the hidden one.

.. math::
    f_t &= σ(W_f [h_{t-1}; x_t] + b_f) \\
    i_t &= σ(W_i [h_{t-1}; x_t] + b_i) \\
    \tilde c_t &= \tanh(W_c [h_{t-1}; x_t] + b_c) \\
    o_t &= σ(W_o [h_{t-1}; x_t] + b_o) \\
    c_t &= f_t ∘ c_{t-1} + i_t ∘ \tilde c_t \\
    h_t &= o_t ∘ \tanh(c_t)

Sizes: m inputs, n previous hidden entries, k units, B columns (one for each sequence of a batch). The cell
state has k entries, as h_t has.

References
----------
Hochreiter and Schmidhuber, "Long short-term memory", Neural Computation 9 (1997); the forget gate: Gers,
Schmidhuber and Cummins, "Learning to forget", Neural Computation 12 (2000).
"""

from core.cells.lstm.description import (
    ARRAYS,
    CODE,
    EQUATIONS,
    GATE_PROBABILITIES,
    GATES,
    JACOBIAN_CODE,
    LAYOUT,
    PRE_ACTIVATIONS,
    SYMBOLS,
)
from core.cells.lstm.diagram import DIAGRAM
from core.cells.lstm.forward import (
    LSTMParams,
    LSTMState,
    LSTMStep,
    Output,
    activated,
    build,
    next_state,
    output,
    step,
    trace,
)
from core.cells.lstm.gradients import (
    LSTMDeltas,
    LSTMGradients,
    backward,
    deltas,
    direct_path,
    jacobian,
    step_back,
    wire_gradients,
)

__all__ = [
    "ARRAYS",
    "CODE",
    "DIAGRAM",
    "GATE_PROBABILITIES",
    "EQUATIONS",
    "GATES",
    "JACOBIAN_CODE",
    "PRE_ACTIVATIONS",
    "LAYOUT",
    "LSTMDeltas",
    "LSTMGradients",
    "LSTMParams",
    "LSTMState",
    "LSTMStep",
    "Output",
    "SYMBOLS",
    "activated",
    "backward",
    "build",
    "deltas",
    "direct_path",
    "jacobian",
    "next_state",
    "output",
    "step",
    "step_back",
    "trace",
    "wire_gradients",
]
