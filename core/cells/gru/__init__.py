r"""One step of the gated recurrent unit, as PyTorch defines it: the reset gate acts after the product with W_hh.

.. math::
    r_t &= σ(W_r [h_{t-1}; x_t] + b_r) \\
    u_t &= σ(W_u [h_{t-1}; x_t] + b_u) \\
    \tilde h_t &= \tanh(W_{hx} x_t + b_{hx} + r_t ∘ (W_{hh} h_{t-1} + b_{hh})) \\
    h_t &= u_t ∘ h_{t-1} + (1 - u_t) ∘ \tilde h_t

Sizes: m inputs, k units, B columns (one for each sequence of a batch). Since h_{t-1} is carried over entry by
entry, it has k entries too: a GRU can always be unrolled. The update gate u and the candidate h_tilde are PyTorch's z
and n; here z is a pre-activation and n a size.

References
----------
Cho et al., "Learning phrase representations using RNN encoder-decoder for statistical machine translation",
EMNLP 2014: u as here, as in PyTorch, Keras and ONNX, but the reset gate acts before the product with W_hh; in the
first version of the preprint (arXiv:1406.1078) it acts after it. Chung et al., "Empirical evaluation of gated
recurrent neural networks on sequence modeling", arXiv:1412.3555, have 1 - u in the place of u.
"""

from core.cells.gru.description import (
    ARRAYS,
    CODE,
    EQUATIONS,
    JACOBIAN_CODE,
    LAYOUT,
    PRE_ACTIVATIONS,
    SYMBOLS,
)
from core.cells.gru.diagram import DIAGRAM
from core.cells.gru.forward import (
    GRUParams,
    GRUState,
    GRUStep,
    activated,
    build,
    next_state,
    step,
    trace,
)
from core.cells.gru.gradients import (
    GRUDeltas,
    GRUGradients,
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
    "EQUATIONS",
    "GRUDeltas",
    "GRUGradients",
    "GRUParams",
    "GRUState",
    "GRUStep",
    "JACOBIAN_CODE",
    "PRE_ACTIVATIONS",
    "LAYOUT",
    "SYMBOLS",
    "activated",
    "backward",
    "build",
    "deltas",
    "direct_path",
    "jacobian",
    "next_state",
    "step",
    "step_back",
    "trace",
    "wire_gradients",
]
