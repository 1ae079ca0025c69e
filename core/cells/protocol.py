"""The interface of a cell's module, so that no other module knows a cell by name."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from core.activations import Activation
from core.arrays import Array


class ArraySpec(NamedTuple):
    """An array of a cell, and the query parameters that its entries follow from unless the reader gives them.

    Attributes
    ----------
    axes : str
        The letters of its sizes, rows and columns: two of m, n, k, p and 1.
    kind : {"weights", "bias", "input"}
        Weights are multiplied by the scale. A bias is one value or sampled. An input is given to the cell.
    value : str
        The parameter with the value of all entries under ``init=fill``.
    constant_param : str, optional
        A parameter that, once it is set, is the value of all entries in any case.
    offset_param : str, optional
        A parameter that is added to every entry.
    """

    axes: str
    kind: str
    value: str
    constant_param: str | None = None
    offset_param: str | None = None


def weights_of_h(constant_param: str | None = None) -> ArraySpec:
    """Return the record of weights for h_{t-1}, of shape (k, n)."""
    return ArraySpec("kn", "weights", "w_hh", constant_param)


def weights_of_x(constant_param: str | None = None) -> ArraySpec:
    """Return the record of weights for x_t, of shape (k, m)."""
    return ArraySpec("km", "weights", "w_hx", constant_param)


def bias(offset_param: str | None = None) -> ArraySpec:
    """Return the record of a bias, of shape (k, 1)."""
    return ArraySpec("k1", "bias", "b", offset_param=offset_param)


class PreActivationSpec(NamedTuple):
    """A pre-activation of the form W [h; x] + b.

    Attributes
    ----------
    W : str
        The joined weights, as the equations call them.
    W_h, W_x, b : str
        The arrays that it is made of.
    g : Activation, optional
        What is applied to it; where it is missing, the activation that is chosen for the cell.
    """

    W: str
    W_h: str
    W_x: str
    b: str
    g: Activation | None


class Symbol(NamedTuple):
    """The display of a symbol of a step or of the parameters.

    Attributes
    ----------
    text : str
        What the equations call it; ``_h`` and ``_{hh}`` are subscripts.
    kind : {"sum", "input", "memory", "state", "slope"}
        What it is a quantity of; what `activated` names is told by its activation.
    double : bool
        Whether another symbol holds the same numbers.
    """

    text: str
    kind: str = "sum"
    double: bool = False


class Layout(NamedTuple):
    """The layout of the weights of this cell in the frameworks.

    Attributes
    ----------
    blocks : sequence of (W_h, W_x, b, second b or None)
        The arrays of each block of rows in PyTorch, in its order.
    pytorch, keras : str
        The layers' names, in torch.nn and in keras.layers.
    keras_order, onnx_order : sequence of int
        The blocks in the order of Keras and of ONNX, by their places in PyTorch's.
    pytorch_gates, keras_gates : str
        How each calls its blocks, in its order; empty where there is only one.
    keras_options : str
        More arguments of the Keras layer.
    activations : sequence of str
        Of a layer whose activation can be chosen, those that PyTorch has.
    by_hand : sequence of str
        Lines of PyTorch over ``xs`` for an activation that its layer does not have; ``{g}`` stands for the function.
    """

    blocks: tuple[tuple[str, str, str, str | None], ...]
    pytorch: str
    keras: str
    keras_order: tuple[int, ...] = (0,)
    onnx_order: tuple[int, ...] = (0,)
    pytorch_gates: str = ""
    keras_gates: str = ""
    keras_options: str = ""
    activations: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()


class Cell(Protocol):
    """A module with a cell's equations. State and Step are NamedTuples, and Params is a frozen dataclass.

    Beyond this a cell may have ``trace(params, state, xs)``, which is faster than its steps one by one; ``direct_path(step)``,
    the gate through which part of its state is carried over; ``GATE_PROBABILITIES``, from the gates that may be sampled to their
    probabilities, and then ``step`` takes a generator; ``DIAGRAM``, of `core.cells.diagram`, without which its pages have no diagram;
    and ``wire_gradients(params, step)``, the gradient of the sum of h_t at each wire of the diagram.

    Without ``backward(params, trace, dh)`` it cannot be trained. dh of shape (T, k, B) is the loss's derivative with respect to each h_t; what
    it gives back is a NamedTuple of exact gradients with a field for each array of Params, ``xs``, and ``state``, a State.
    ``deltas(params, trace, dh)`` goes as far as the symbols that the rows of EQUATIONS make of their products with weights: a
    NamedTuple with fields of their names, and ``state``. A gradient can be followed by hand only where it is.

    ``step_back(params, step, v)`` is J^T v for the Jacobian J of a step with B = 1: from P gradients with respect to the state after
    the step, a column each, to those with respect to the state before it. It saves the Jacobian, which `core.model_diagnosis` takes
    where it is missing.

    Attributes
    ----------
    EQUATIONS : tuple of tuple of str
        The equations as rows of symbols, fields of Params and of Step, with operators between them. There are no constants:
        a product with one is a symbol. One that no row makes says in its text how it is made, with ∘ or in brackets.
    ARRAYS : mapping from str to ArraySpec
        What it is made of and given, by name; of an array that another cell has too, the same. What is given is x_t and
        a field of the state with "_prev" behind it.
    PRE_ACTIVATIONS : mapping from str to PreActivationSpec
        The pre-activations of the form W [h; x] + b, by a word that no other cell has.
    SYMBOLS : mapping from str to Symbol
        Those of a step and of the parameters that are not shown as a sum under their own names.
    CODE, JACOBIAN_CODE : sequence of str
        Lines of NumPy, from the parameters' and the state's names to every symbol of the equations, and from those to the
        Jacobian ``J``. ``sigmoid``, ``dsigmoid`` and so on are functions, ``g`` and ``dg`` those of the chosen activation.
    LAYOUT : Layout or None
        None where PyTorch and Keras have no such layer.
    """

    @property
    def EQUATIONS(self) -> tuple[tuple[str, ...], ...]: ...
    @property
    def ARRAYS(self) -> Mapping[str, ArraySpec]: ...
    @property
    def PRE_ACTIVATIONS(self) -> Mapping[str, PreActivationSpec]: ...
    @property
    def SYMBOLS(self) -> Mapping[str, Symbol]: ...
    @property
    def CODE(self) -> tuple[str, ...]: ...
    @property
    def JACOBIAN_CODE(self) -> tuple[str, ...]: ...
    @property
    def LAYOUT(self) -> Layout | None: ...

    def build(self, arrays: Mapping[str, Array], *, order: str, g: Activation) -> tuple[Any, Any]:
        """Return the parameters and the state from the arrays of ARRAYS; raise ValueError if their shapes do not match."""

    def activated(self, params: Any) -> dict[str, tuple[str, Activation]]:
        """Return the activated symbols of a step, each with its pre-activation and its activation."""

    def step(self, params: Any, state: Any, x_t: Array) -> Any:
        """Take one step, with every symbol of the equations."""

    def next_state(self, step: Any) -> Any:
        """Return the state that the next step starts from; raise ValueError if k != n."""

    def jacobian(self, params: Any, step: Any) -> Array:
        """Return the exact derivatives of the next state with respect to the state; for a trace, those of every step."""


def carrying_gate(cell: Cell, params: Any, trace: Any) -> str | None:
    """Return the symbol of the gate through which part of the state is carried over; None for a cell without one."""
    path = getattr(cell, "direct_path", None)
    if path is None:
        return None
    carried = path(trace)
    return next((symbol for symbol in cell.activated(params) if getattr(trace, symbol) is carried), None)


def state_arrays(cell: Cell) -> list[str]:
    """Return the names of the arrays of a cell's state before a step, in its order.

    Returns
    -------
    list of str
        Such as ``["h_prev", "c_prev"]``.
    """
    return [name for name, spec in cell.ARRAYS.items() if spec.kind == "input" and name != "x_t"]


def state_after_step(cell: Cell) -> dict[str, str]:
    """Return the symbols of a cell's state after a step, in its order, by the names before it.

    Returns
    -------
    dict from str to str
        Such as ``{"h_prev": "h_t", "c_prev": "c_t"}``.
    """
    return {name: f"{name.removesuffix('_prev')}_t" for name in state_arrays(cell)}


def chooses_activation(cell: Cell) -> bool:
    """Whether an activation can be chosen for a cell, such as that of the vanilla RNN."""
    return any(joined.g is None for joined in cell.PRE_ACTIVATIONS.values())
