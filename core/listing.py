"""The code of what is seen, with its numbers: NumPy, PyTorch, Keras, a notebook, and LaTeX."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from core import lstm, rnn
from core.activations import ACTIVATIONS, Activation, relu
from core.arrays import Array, expect_recurrence
from core.cells import CELLS
from core.frameworks import BLOCKS, to_keras, to_pytorch
from core.joins import in_order
from core.lstm import GATES
from core.scenario import Scenario
from core.unroll import bounded_steps, unroll

# So many numbers are written out; more are loaded from the file of all arrays.
MOST_WRITTEN = 4000
# As many columns as LaTeX's bmatrix takes.
MOST_COLUMNS = 10

FUNCTIONS = {
    "sigmoid": "def sigmoid(z):\n    e = np.exp(-np.abs(z))  # never overflows\n    return np.where(z >= 0, 1, e) / (1 + e)",
    "tanh": "tanh = np.tanh",
    "relu": "def relu(z):\n    return np.maximum(z, 0)",
}
# Of what is put in the place of {0}.
SLOPES = {
    "sigmoid": "sigmoid({0}) * sigmoid(-{0})",
    "tanh": "4 * sigmoid(2 * {0}) * sigmoid(-2 * {0})",
    "relu": "({0} > 0) * 1.0",
}
# In LaTeX.
SIGNS = {"sigmoid": r"\sigma", "tanh": r"\tanh", "relu": r"\mathrm{ReLU}"}
_SIGMA, _TANH = SLOPES["sigmoid"], SLOPES["tanh"]
# The Jacobian of a step by the symbols of the step, as in each cell's `jacobian`.
JACOBIAN = {
    "RNN": ["J = dg_z_t * W_hh"],
    "LSTM": [
        *(f"d{gate} = {_SIGMA.format(f'z_{gate}')}" for gate in "fio"),
        f"dc, dtanh = {_TANH.format('z_c')}, {_TANH.format('c_t')}",
        "c_by_c = np.diag(f_t[:, 0])",
        "c_by_h = c_prev * df * W_fh + c_tilde * di * W_ih + i_t * dc * W_ch",
        "h_by_h = np.tanh(c_t) * do * W_oh + o_t * dtanh * c_by_h",
        "J = np.block([[h_by_h, o_t * dtanh * c_by_c], [c_by_h, c_by_c]])",
    ],
    "GRU": [
        *(f"d{gate} = {_SIGMA.format(f'z_{gate}')}" for gate in "ru"),
        f"dh = {_TANH.format('z_h')}",
        "by_z = dr * (W_hh @ h_prev + b_hh) * W_rh + r_t * W_hh",
        "J = np.diag(u_t[:, 0]) + (h_prev - h_tilde) * du * W_uh + (1 - u_t) * dh * by_z",
    ],
}
# From the last step back: products kept at length 1, with the logarithm of their lengths.
GAINS = """
product, log_gains = np.eye(len(J)) / np.sqrt(len(J)), [0.0]
for J in reversed(jacobians[1:]):
    product = product @ J
    length = np.linalg.norm(product)
    log_gains.append(log_gains[-1] + np.log10(length))
    product /= length or 1
for s, log_gain in enumerate(reversed(log_gains), 1):
    print(f"from step {len(jacobians)} to step {s}: 10^{log_gain}")
"""
STATE = {"RNN": ("h",), "LSTM": ("h", "c"), "GRU": ("h",)}
PRINTED = {
    "RNN": ("z_t", "h_t"),
    "LSTM": ("z_f", "z_i", "z_c", "z_o", "f_t", "i_t", "c_tilde", "o_t", "c_t", "h_t"),
    "GRU": ("z_r", "z_u", "r_t", "u_t", "z_h", "h_tilde", "h_t"),
}


def numpy_script(scenario: Scenario, cell: str, *, sequence: bool, gains: bool = False) -> str:
    """A script that computes and prints the numbers with NumPy alone.

    Parameters
    ----------
    scenario : Scenario
    cell : {"RNN", "LSTM", "GRU"}
    sequence : bool
        All steps of the scenario's sequence, rather than one.
    gains : bool
        Of a sequence the gains from the last step back, rather than the symbols of each step.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If it cannot be: a sequence, or a GRU, with k != n.
    """
    arrays = _arrays(scenario, cell, sequence)
    lines = ["import numpy as np", "", *_functions(scenario, cell), "", *_assignments(arrays), ""]
    lines += _joins(scenario, cell)
    step = _step(scenario, cell, drawn=not sequence)
    shown = [f'print("{name} =", {name}.ravel())' for name in PRINTED[cell]]
    if sequence:
        carried = [f"{name}_prev = {name}_t" for name in STATE[cell]]
        if gains:
            shown = [*JACOBIAN[cell], "jacobians.append(J)"]
            lines += ["jacobians = []"]
        else:
            shown = ['print(f"step {t}")', *shown]
        lines += ["for t, x_t in enumerate(xs[:, :, None], 1):"]
        lines += [f"    {line}" for line in [*step, *shown, *carried]]
        lines += [GAINS] if gains else []
    else:
        lines += [*step, *shown]
    return "\n".join(lines) + "\n"


def pytorch_script(scenario: Scenario, cell: str, *, sequence: bool) -> str:
    """A script that computes the states with PyTorch's own layers, as `numpy_script`."""
    arrays = _arrays(scenario, cell, sequence, recurrent=True)
    head = ["import torch", "", "torch.set_default_dtype(torch.float64)", ""]
    inputs = [f"xs = torch.tensor({_rows(arrays['xs'] if sequence else arrays['x_t'].T)})  # one step in each row"]
    state = [f"{name} = torch.tensor({_rows(arrays[f'{name}_prev'].T)})" for name in STATE[cell]]
    if cell == "RNN" and scenario.g == "sigmoid":  # which torch.nn.RNN does not have
        weights = [f"{name} = torch.tensor({_rows(arrays[name])})" for name in BLOCKS["RNN"][0] if name]
        loop = ["for x in xs:", "    h = torch.sigmoid(h @ W_hh.T + x @ W_hx.T + b_h.T)", '    print("h_t =", h)']
        return "\n".join([*head, *weights, *inputs, *state, "", *loop]) + "\n"
    options = f", nonlinearity={scenario.g!r}" if cell == "RNN" else ""
    weights = [
        f"    layer.{name}.copy_(torch.tensor({_rows(array)}))" for name, array in to_pytorch(cell, arrays).items()
    ]
    given = "h" if cell != "LSTM" else "(h, c)"
    got = "state" if cell != "LSTM" else "(h, c)"
    run = [f"    h_t, {got} = layer(xs, {given})", '    print("h_t =", h_t)']
    run += ['    print("c_t =", c)'] if cell == "LSTM" else []
    layer = f"layer = torch.nn.{cell}({scenario.m}, {scenario.k}{options})"
    gates = {"RNN": [], "LSTM": ["# The gates stand on top of each other as i, f, g, o, where g is the candidate."]}
    comment = gates.get(
        cell, ["# The gates stand on top of each other as r, z, n; z is the update gate and n the candidate."]
    )
    return "\n".join([*head, *inputs, *state, "", layer, *comment, "with torch.no_grad():", *weights, *run]) + "\n"


def keras_script(scenario: Scenario, cell: str, *, sequence: bool) -> str:
    """A script that computes the states with Keras' own layers, as `numpy_script`."""
    arrays = _arrays(scenario, cell, sequence, recurrent=True)
    xs = arrays["xs"] if sequence else arrays["x_t"].T
    layer = {
        "RNN": f"keras.layers.SimpleRNN({scenario.k}, activation={scenario.g!r}, ",
        "LSTM": f"keras.layers.LSTM({scenario.k}, ",
        "GRU": f"keras.layers.GRU({scenario.k}, reset_after=True, ",
    }[cell]
    state = ", ".join(f"np.array({_rows(arrays[f'{name}_prev'].T)})" for name in STATE[cell])
    lines = [
        "import keras",
        "import numpy as np",
        "",
        f"xs = np.array([{_rows(xs)}])  # one sequence, one step in each row",
        f'layer = {layer}return_sequences=True, return_state=True, dtype="float64")',
        f"layer.build((None, {len(xs)}, {scenario.m}))",
        *(["# The gates stand side by side as i, f, c, o."] if cell == "LSTM" else []),
        *(["# The gates stand side by side as z, r, h; z is the update gate."] if cell == "GRU" else []),
        "layer.set_weights(",
        "    [",
        *(f"        np.array({_rows(array)})," for array in to_keras(cell, arrays)),
        "    ]",
        ")",
        f"h_t, *state = layer(xs, initial_state=[{state}])",
        'print("h_t =", h_t)',
        *(['print("c_t =", state[1])'] if cell == "LSTM" else []),
    ]
    return "\n".join(lines) + "\n"


def notebook(scenario: Scenario) -> str:
    """A Jupyter notebook that tells the hidden-state lab's story with these numbers.

    Parameters
    ----------
    scenario : Scenario

    Returns
    -------
    str
        JSON of nbformat 4.5.
    """
    arrays = _arrays(scenario, "RNN", sequence=False)
    weights, inputs = (
        ", ".join(in_order("W_hh", "W_hx", scenario.order)),
        ", ".join(in_order("h_prev", "x_t", scenario.order)),
    )
    cells = [
        (
            "markdown",
            f"# One step of a recurrent cell\n\nm = {scenario.m} inputs, n = {scenario.n} previous hidden entries, k = {scenario.k} units.",
        ),
        ("code", "\n".join(["import numpy as np", "", *_assignments(arrays)])),
        (
            "markdown",
            "## The two joins\n\nThe weights are joined side by side, the inputs on top of each other. Each join can be written in two ways.",
        ),
        (
            "code",
            f"W_h = np.concatenate([{weights}], axis=1)\nstacked = np.concatenate([{inputs}], axis=0)\n"
            f"assert np.array_equal(W_h, np.hstack([{weights}]))\nassert np.array_equal(stacked, np.vstack([{inputs}]))\nW_h, stacked",
        ),
        ("markdown", "## Two formulas\n\nOne long product, or one over h and one over x that are added."),
        ("code", "formula_1 = W_h @ stacked\nformula_2 = W_hh @ h_prev + W_hx @ x_t\nformula_1, formula_2"),
        (
            "markdown",
            "## The check\n\nSums of floats depend on the order of adding, so they are compared with `allclose`.",
        ),
        ("code", "assert np.allclose(formula_1, formula_2)\nnp.array_equal(formula_1, formula_2)"),
        (
            "markdown",
            "## The activation\n\nWith the bias, z; and the slope at z, which is what a gradient is multiplied by on its way back.",
        ),
        (
            "code",
            "\n".join(
                [*_functions(scenario, "RNN"), "", "z_t = formula_1 + b_h", *_activate(scenario), "z_t, h_t, dg_z_t"]
            ),
        ),
    ]
    return json.dumps(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
            "cells": [
                {"cell_type": kind, "id": f"cell-{at}", "metadata": {}, "source": source.splitlines(keepends=True)}
                | ({"execution_count": None, "outputs": []} if kind == "code" else {})
                for at, (kind, source) in enumerate(cells)
            ],
        },
        indent=1,
    )


def latex(scenario: Scenario, cell: str) -> str:
    """The equations of one step with the numbers in them.

    Parameters
    ----------
    scenario : Scenario
    cell : {"RNN", "LSTM"}

    Returns
    -------
    str
        For amsmath; rounded to the scenario's decimals. A result is said to be equal only where the numbers as they
        are printed make it so, and otherwise to be about that.

    Raises
    ------
    ValueError
        If a matrix is too wide for it.
    """
    if cell == "GRU":
        raise ValueError("LaTeX is written for the plain cell and the LSTM: choose one of them.")
    if scenario.n + scenario.m > MOST_COLUMNS:
        raise ValueError(
            f"n + m must be at most {MOST_COLUMNS} for a matrix of LaTeX, got {scenario.n + scenario.m}: make the cell smaller."
        )

    def matrix(array: Array) -> str:
        rows = (" & ".join(_digits(value, scenario.decimals) for value in row) for row in array.tolist())
        return r"\begin{bmatrix} " + r" \\ ".join(rows) + r" \end{bmatrix}"

    def printed(array: Array) -> Array:
        return np.array([[Fraction(_digits(value, scenario.decimals)) for value in row] for row in array.tolist()])

    def in_full(*arrays: Array) -> bool:
        return all(np.array_equal(np.round(array, scenario.decimals), array) for array in arrays)

    def sign(exact: bool) -> str:
        return "=" if exact else r"\approx"

    def line(z_symbol: str, W: Array, b: Array, z: Array) -> str:
        numbers = W, step.stacked, b, z
        exact = in_full(*numbers) and np.array_equal(printed(W) @ printed(step.stacked) + printed(b), printed(z))
        return f"{z_symbol} &= {matrix(W)} {matrix(step.stacked)} + {matrix(b)} {sign(exact)} {matrix(z)}"

    def activation(symbol: str, g: Activation, z_symbol: str, z: Array, value: Array) -> str:
        exact = in_full(value) and (g is relu or not z.any())
        return f"{symbol} &= {SIGNS[g.name]}({z_symbol}) {sign(exact)} {matrix(value)}"

    params, state, x_t = scenario.setup(cell)
    if cell == "RNN":
        step = rnn.step(params, state, x_t)
        lines = [
            line("z_t", params.W_h, params.b_h, step.z_t),
            activation("h_t", params.g, "z_t", step.z_t, step.h_t),
        ]
    else:
        step = lstm.step(params, state, x_t, scenario.draw())
        values = {"f": step.p_f, "i": step.p_i, "c": step.c_tilde, "o": step.p_o}
        lines = []
        for gate, value in values.items():
            W, b, z = getattr(params, f"W_{gate}"), getattr(params, f"b_{gate}"), getattr(step, f"z_{gate}")
            symbol = r"\tilde c_t" if gate == "c" else f"{gate}_t"
            drawn = scenario.stochastic and gate != "c"
            lines += [
                line(f"z_{gate}", W, b, z),
                activation(f"P({symbol} = 1)" if drawn else symbol, GATES[gate], f"z_{gate}", z, value),
            ]
            if drawn:
                lines += [f"{symbol} &= {matrix(getattr(step, symbol))} \\quad \\text{{(drawn)}}"]
        terms = step.f_t, step.c_prev, step.i_t, step.c_tilde, step.c_t
        kept = f"{matrix(step.f_t)} \\circ {matrix(step.c_prev)} + {matrix(step.i_t)} \\circ {matrix(step.c_tilde)}"
        exact = in_full(*terms)
        if exact:
            f, c_prev, i, c_tilde, c_t = map(printed, terms)
            exact = np.array_equal(f * c_prev + i * c_tilde, c_t)
        lines += [f"c_t &= {kept} {sign(exact)} {matrix(step.c_t)}"]
        lines += [f"h_t &= {matrix(step.o_t)} \\circ \\tanh(c_t) \\approx {matrix(step.h_t)}"]
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}\n"


def _digits(value: float, decimals: int) -> str:
    text = f"{round(value, decimals) + 0.0:.{decimals}f}"  # no minus zero
    return text.rstrip("0").rstrip(".") if "." in text else text


def _arrays(scenario: Scenario, cell: str, sequence: bool, *, recurrent: bool = False) -> dict[str, Array]:
    """The arrays that the cell uses, by name."""
    used = scenario.used()
    if sequence or recurrent or cell == "GRU":
        expect_recurrence(used["b_h"], used["h_prev"])
    if sequence:
        params, state = scenario.at_rest(cell)
        used |= {f"{name}_prev": getattr(state, name) for name in STATE[cell]}
        xs = scenario.sequence()
        _, T = bounded_steps(unroll(CELLS[cell], params, state, xs))
    names = [name for block in BLOCKS[cell] for name in block if name]
    arrays = {name: used[name] for name in (*names, *(f"{name}_prev" for name in STATE[cell]))}
    arrays |= {"xs": xs[:T, :, 0]} if sequence else {"x_t": used["x_t"]}
    many = sum(array.size for array in arrays.values()) > MOST_WRITTEN
    if many and recurrent:
        raise ValueError(
            f"At most {MOST_WRITTEN} numbers can be written out: take the NumPy script, or make the cell or the sequence smaller."
        )
    if recurrent and scenario.stochastic and cell == "LSTM" and not sequence:
        raise ValueError(
            "The gates are sampled here, which the layers of PyTorch and Keras do not do: turn that off, or take NumPy."
        )
    # A layer takes floats, and no whole numbers.
    return {name: array.astype(np.float64) for name, array in arrays.items()} if recurrent else arrays


def _assignments(arrays: Mapping[str, Array]) -> list[str]:
    if sum(array.size for array in arrays.values()) <= MOST_WRITTEN:
        return [f"{name} = np.array({_rows(array)})" for name, array in arrays.items()]
    # Of a sequence the state at rest is not that of the file.
    loaded = [
        f"{name} = np.zeros({array.shape})" if "xs" in arrays and not array.any() else f'{name} = file["{name}"]'
        for name, array in arrays.items()
    ]
    if "xs" in arrays:  # beyond these the numbers may overflow
        loaded.append(f"xs = xs[:{len(arrays['xs'])}]")
    return ['file = np.load("cellscope.npz")  # saved beside this script', *loaded]


def _rows(array: Array) -> str:
    """All digits, a row on each line."""
    if array.ndim == 1:
        return repr(array.tolist())
    return "[" + ",\n    ".join(repr(row) for row in array.tolist()) + "]"


def _functions(scenario: Scenario, cell: str) -> list[str]:
    needed = {"sigmoid", "tanh"} if cell != "RNN" else {"sigmoid", scenario.g} if scenario.g != "relu" else {"relu"}
    return [FUNCTIONS[name] for name in ACTIVATIONS if name in needed]


def _joined(symbol: str, parts: Sequence[str], order: str, how: str) -> str:
    return f"{symbol} = np.{how}([{', '.join(in_order(*parts, order))}])"


def _joins(scenario: Scenario, cell: str) -> list[str]:
    if cell == "RNN":
        return [_joined("W_h", ("W_hh", "W_hx"), scenario.order, "hstack")]
    gates = "fico" if cell == "LSTM" else "ru"
    return [_joined(f"W_{gate}", (f"W_{gate}h", f"W_{gate}x"), scenario.order, "hstack") for gate in gates]


def _activate(scenario: Scenario) -> list[str]:
    return [f"h_t = {scenario.g}(z_t)", f"dg_z_t = {SLOPES[scenario.g].format('z_t')}"]


def _step(scenario: Scenario, cell: str, *, drawn: bool) -> list[str]:
    stack = _joined("stacked", ("h_prev", "x_t"), scenario.order, "vstack")
    if cell == "RNN":
        return [stack, "z_t = W_h @ stacked + b_h", *_activate(scenario)]
    if cell == "GRU":
        return [
            stack,
            *(f"z_{gate} = W_{gate} @ stacked + b_{gate}" for gate in "ru"),
            *(f"{gate}_t = sigmoid(z_{gate})" for gate in "ru"),
            "z_h = W_hx @ x_t + b_hx + r_t * (W_hh @ h_prev + b_hh)",
            "h_tilde = tanh(z_h)",
            "h_t = u_t * h_prev + (1 - u_t) * h_tilde",
        ]
    values = {"f": "f_t", "i": "i_t", "c": "c_tilde", "o": "o_t"}
    lines = [stack]
    for gate, g in GATES.items():
        lines += [f"z_{gate} = W_{gate} @ stacked + b_{gate}", f"{values[gate]} = {g.name}(z_{gate})"]
    if drawn and scenario.stochastic:
        params, state, x_t = scenario.lstm()
        step = lstm.step(params, state, x_t, scenario.draw())
        lines += [f"{name} = np.array({getattr(step, name).tolist()})  # drawn" for name in ("f_t", "i_t", "o_t")]
    return [*lines, "c_t = f_t * c_prev + i_t * c_tilde", "h_t = o_t * np.tanh(c_t)"]
