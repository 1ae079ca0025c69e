"""The LSTM as pages, links and exports know it: its equations, arrays, symbols and code."""

from core.activations import sigmoid, tanh
from core.cells.protocol import ArraySpec, Layout, PreActivationSpec, Symbol, bias, weights_of_h, weights_of_x

# The forget gate, the input gate, the candidate and the output gate, and what each applies to its z.
GATES = {"f": sigmoid, "i": sigmoid, "c": tanh, "o": sigmoid}

# The equations' symbols, by the names of the parameters and of the step, with the operators between them.
EQUATIONS = (
    ("W_f", "·", "stacked", "+", "b_f", "=", "z_f", "σ →", "f_t"),
    ("W_i", "·", "stacked", "+", "b_i", "=", "z_i", "σ →", "i_t"),
    ("W_c", "·", "stacked", "+", "b_c", "=", "z_c", "tanh →", "c_tilde"),
    ("W_o", "·", "stacked", "+", "b_o", "=", "z_o", "σ →", "o_t"),
    ("f_t", "∘", "c_prev", "+", "i_t", "∘", "c_tilde", "=", "c_t"),
    ("o_t", "∘", "tanh_c_t", "=", "h_t"),
)
ARRAYS = {
    **{
        name: numbers
        for gate in GATES
        for name, numbers in (
            (f"W_{gate}h", weights_of_h(f"w_{gate}")),
            (f"W_{gate}x", weights_of_x(f"w_{gate}")),
            (f"b_{gate}", bias("forget_bias" if gate == "f" else None)),
        )
    },
    "h_prev": ArraySpec("n1", "input", "h"),
    "c_prev": ArraySpec("k1", "input", "c"),
    "x_t": ArraySpec("m1", "input", "x"),
}
PRE_ACTIVATIONS = {
    gate: PreActivationSpec(f"W_{gate}", f"W_{gate}h", f"W_{gate}x", f"b_{gate}", g) for gate, g in GATES.items()
}
SYMBOLS = {
    "h_prev": Symbol("h_{t−1}", "state"),
    "c_prev": Symbol("c_{t−1}", "memory"),
    **{f"p_{gate}": Symbol(f"P({gate} = 1)", double=True) for gate in "fio"},
    "c_tilde": Symbol("c̃_t"),
    "f_c": Symbol("f_t∘c_{t−1}", "memory"),
    "i_c_tilde": Symbol("i_t∘c̃_t", "memory"),
    "c_t": Symbol("c_t", "memory"),
    "tanh_c_t": Symbol("tanh(c_t)"),
    "h_t": Symbol("h_t", "state"),
}
CODE = (
    "z_f = W_f @ stacked + b_f",
    "f_t = sigmoid(z_f)",
    "z_i = W_i @ stacked + b_i",
    "i_t = sigmoid(z_i)",
    "z_c = W_c @ stacked + b_c",
    "c_tilde = tanh(z_c)",
    "z_o = W_o @ stacked + b_o",
    "o_t = sigmoid(z_o)",
    "c_t = f_t * c_prev + i_t * c_tilde",
    "h_t = o_t * tanh(c_t)",
)
JACOBIAN_CODE = (
    "c_by_c = np.diag(f_t[:, 0])",
    "c_by_h = c_prev * dsigmoid(z_f) * W_fh + c_tilde * dsigmoid(z_i) * W_ih + i_t * dtanh(z_c) * W_ch",
    "h_by_c = o_t * dtanh(c_t) * c_by_c",
    "h_by_h = tanh(c_t) * dsigmoid(z_o) * W_oh + o_t * dtanh(c_t) * c_by_h",
    "J = np.block([[h_by_h, h_by_c], [c_by_h, c_by_c]])",
)
# Which gates may be drawn on or off, and the probabilities of on.
GATE_PROBABILITIES = {"f_t": "p_f", "i_t": "p_i", "o_t": "p_o"}
LAYOUT = Layout(
    blocks=tuple((f"W_{gate}h", f"W_{gate}x", f"b_{gate}", None) for gate in "ifco"),
    pytorch="LSTM",
    keras="LSTM",
    keras_order=(0, 1, 2, 3),
    onnx_order=(0, 3, 1, 2),
    pytorch_gates="i, f, g, o, where g is the candidate",
    keras_gates="i, f, c, o",
)
