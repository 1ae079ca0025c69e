"""The GRU as pages, links and exports know it: its equations, arrays, symbols and code."""

from core.activations import sigmoid
from core.cells.protocol import ArraySpec, Layout, PreActivationSpec, Symbol, bias, weights_of_h, weights_of_x

# The equations' symbols, by the names of the parameters and of the step, with the operators between them.
EQUATIONS = (
    ("W_r", "·", "stacked", "+", "b_r", "=", "z_r", "σ →", "r_t"),
    ("W_u", "·", "stacked", "+", "b_u", "=", "z_u", "σ →", "u_t"),
    ("W_hh", "·", "h_prev", "+", "b_hh", "=", "W_hh_h"),
    ("W_hx", "·", "x_t", "+", "b_hx", "=", "W_hx_x"),
    ("W_hx_x", "+", "r_t", "∘", "W_hh_h", "=", "z_h", "tanh →", "h_tilde"),
    ("u_h", "+", "rest_h_tilde", "=", "h_t"),
)
ARRAYS = {
    **{name: weights_of_h() for name in ("W_rh", "W_uh", "W_hh")},
    **{name: weights_of_x() for name in ("W_rx", "W_ux", "W_hx")},
    **{name: bias() for name in ("b_r", "b_u", "b_hh", "b_hx")},
    "h_prev": ArraySpec("n1", "input", "h"),
    "x_t": ArraySpec("m1", "input", "x"),
}
PRE_ACTIVATIONS = {
    "r": PreActivationSpec("W_r", "W_rh", "W_rx", "b_r", sigmoid),
    "u": PreActivationSpec("W_u", "W_uh", "W_ux", "b_u", sigmoid),
}
# The candidate's terms hold their biases, for the reset gate acts on one of them.
SYMBOLS = {
    "h_prev": Symbol("h_{t−1}", "state"),
    "W_hh": Symbol("W_{hh}"),
    "W_hx": Symbol("W_{hx}"),
    "b_hh": Symbol("b_{hh}"),
    "b_hx": Symbol("b_{hx}"),
    "W_hh_h": Symbol("W_{hh}h+b_{hh}"),
    "W_hx_x": Symbol("W_{hx}x+b_{hx}"),
    "r_W_hh_h": Symbol("r_t∘(W_{hh}h+b_{hh})"),
    "h_tilde": Symbol("h̃_t"),
    "u_h": Symbol("u_t∘h_{t−1}", "state"),
    "rest_h_tilde": Symbol("(1−u_t)∘h̃_t", "state"),
    "h_t": Symbol("h_t", "state"),
}
CODE = (
    "z_r = W_r @ stacked + b_r",
    "z_u = W_u @ stacked + b_u",
    "r_t = sigmoid(z_r)",
    "u_t = sigmoid(z_u)",
    "z_h = W_hx @ x_t + b_hx + r_t * (W_hh @ h_prev + b_hh)",
    "h_tilde = tanh(z_h)",
    "h_t = u_t * h_prev + (1 - u_t) * h_tilde",
)
JACOBIAN_CODE = (
    "by_z = dsigmoid(z_r) * (W_hh @ h_prev + b_hh) * W_rh + r_t * W_hh",
    "by_u = (h_prev - h_tilde) * dsigmoid(z_u) * W_uh",
    "J = np.diag(u_t[:, 0]) + by_u + (1 - u_t) * dtanh(z_h) * by_z",
)
LAYOUT = Layout(
    blocks=(("W_rh", "W_rx", "b_r", None), ("W_uh", "W_ux", "b_u", None), ("W_hh", "W_hx", "b_hx", "b_hh")),
    pytorch="GRU",
    keras="GRU",
    keras_order=(1, 0, 2),
    onnx_order=(1, 0, 2),
    pytorch_gates="r, z, n; z is the update gate and n the candidate",
    keras_gates="z, r, h; z is the update gate",
    keras_options="reset_after=True, ",
)
