"""One complete set of choices, and the arrays that follow from it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from core.activations import ACTIVATIONS, Activation
from core.arrays import Array, expect_shape
from core.files import read_json
from core.gru import GRUParams, GRUState
from core.initialize import INITIALIZERS, child
from core.inputs import one_hot, shaped
from core.joins import join_weights, split_columns, stack_input
from core.lstm import GATES, LSTMParams, LSTMState
from core.rnn import RNNParams, RNNState
from core.typed import LARGEST, expect_bounds, whole


SOURCES = ("hidden", *GATES)
# The reset gate and the update gate of the GRU.
RESET_UPDATE = "ru"
_ALL_GATES = (*GATES, *RESET_UPDATE)
# Every array that may have numbers of its own, with the letters of its sizes.
AXES = {
    **dict.fromkeys(("W_hh", *(f"W_{gate}h" for gate in _ALL_GATES)), "kn"),
    **dict.fromkeys(("W_hx", *(f"W_{gate}x" for gate in _ALL_GATES)), "km"),
    **dict.fromkeys(("b_h", "b_hh", "b_hx", *(f"b_{gate}" for gate in _ALL_GATES)), "k1"),
    **{"h_prev": "n1", "c_prev": "k1", "x_t": "m1", "W_y": "pk", "b_y": "p1"},
}
# What the inputs' values for `fill` are called.
INPUT_VALUES = {"h_prev": "h", "x_t": "x", "c_prev": "c"}
INPUTS = ("noise", "impulse", "step", "sine", "word", "numbers")


class PreActivation(NamedTuple):
    """A pre-activation before its weights are scaled.

    Attributes
    ----------
    product : ndarray of shape (k, B)
        W [h; x] at scale 1.
    b : ndarray of shape (k, 1)
    g : Activation
        What is applied to it.
    """

    product: Array
    b: Array
    g: Activation

    def z(self, scale: float) -> Array:
        """W [h; x] + b, of shape (k, B), with W at a scale."""
        return _whole(scale) * self.product + self.b

    def z_over(self, scales: Array) -> Array:
        """The same at many scales, of shape (scales, k, B)."""
        return np.multiply.outer(scales, self.product) + self.b


@dataclass(frozen=True)
class Scenario:
    """Every choice there is. The defaults are the hidden-state lab's.

    Attributes
    ----------
    m, n, k : int
        Inputs, previous hidden entries, units.
    order : {"hx", "xh"}
        Which part comes first in both joins.
    init : str
        A name of INITIALIZERS. It makes the weights; `fill`, `ramp` and `uniform` also make h and x,
        which the other random ones draw from N(0, 1), since inputs are data and not weights.
    seed : int
        Every array draws from a child of its own.
    scale : float
        Multiplies every weight; neither the bias nor the inputs.
    w_hh, w_hx, h, x, c : float
        The values for `fill`; w_hh and w_hx are those of the h-columns and the x-columns of every gate too.
    b : float
        The value of every bias.
    b_normal : bool
        Draw the bias from N(0, 1) instead, as the lab does.
    g : str
        A name of ACTIVATIONS.
    w_f, w_i, w_c, w_o : float, optional
        A value of its own for all weights of one gate.
    forget_bias : float
        Added to the bias of the forget gate.
    stochastic : bool
        Draw the gates on or off, which is not the standard LSTM.
    p : int
        Entries of the optional output y_t.
    w_y : float
        The value of its weights for `fill`.
    T : int
        Steps of a sequence that is not a word and not typed.
    input : str
        One of INPUTS: what a sequence is made of.
    word : str
        Its characters are the steps of the input that is called so.
    cell : str
        A name of CELLS: which cell runs over the sequence.
    t : int
        The step of it that is looked at.
    j : int
        The unit that is looked at, counted from 1.
    threshold : int
        Saturated below this share of the largest slope, in percent.
    source : str
        One of SOURCES, or "typed": whose z is looked at.
    z : float
        The typed one, at scale 1.
    y : bool
        Show the optional output.
    stage : str
        How far a lesson has come.
    unmatched : bool
        Swap the stack without the columns of W.
    decimals : int
        How many are printed.
    colours : {"fixed", "matrix"}
        Whether a colour means the same number in all matrices.
    arrays : mapping from str to ndarray
        Arrays with numbers of their own, by name. One that does not have the shape that is asked for is
        ignored. "xs", of shape (T, m), is a typed sequence.

    Raises
    ------
    ValueError
        If one of the arrays is larger than any that can be typed.
    """

    m: int = 3
    n: int = 2
    k: int = 3
    order: str = "hx"
    init: str = "fill"
    seed: int = 0
    scale: float = 1.0
    w_hh: float = 1.0
    w_hx: float = 9.0
    h: float = 1.0
    x: float = 9.0
    b: float = 0.0
    b_normal: bool = False
    g: str = "sigmoid"
    c: float = 1.0
    w_f: float | None = None
    w_i: float | None = None
    w_c: float | None = None
    w_o: float | None = None
    forget_bias: float = 0.0
    stochastic: bool = False
    p: int = 1
    w_y: float = 1.0
    T: int = 10
    input: str = "noise"
    word: str = "data"
    cell: str = "LSTM"
    t: int = 1
    j: int = 1
    threshold: int = 5
    source: str = "hidden"
    z: float = 2.0
    y: bool = False
    stage: str = "all"
    unmatched: bool = False
    decimals: int = 2
    colours: str = "fixed"
    arrays: Mapping[str, Array] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Links, pastes and files of every kind all end here, so this one check holds for all of them.
        for name, array in self.arrays.items():
            expect_bounds(name, array.shape)

    def weights(self, name: str, shape: tuple[int, int], value: float) -> Array:
        """A weight matrix: initialized by its name, then scaled.

        Parameters
        ----------
        name : str
            What the equations call it; its numbers depend on it and on the seed.
        shape : tuple of int
        value : float
            The value for `fill`.

        Returns
        -------
        ndarray of the given shape
        """
        return self._array(self.init, name, shape, value) * _whole(self.scale)

    def inputs(self, name: str, size: int, value: float) -> Array:
        """A column that the cell is given, such as h_{t-1} or x_t; never scaled.

        Parameters
        ----------
        name : str
        size : int
        value : float
            The value for `fill`.

        Returns
        -------
        ndarray of shape (size, 1)
        """
        init = "normal" if self.init in ("glorot", "orthogonal") else self.init
        return self._array(init, name, (size, 1), value)

    def bias(self, name: str, size: int) -> Array:
        """A bias: one value everywhere, or drawn from N(0, 1).

        Parameters
        ----------
        name : str
        size : int

        Returns
        -------
        ndarray of shape (size, 1)
        """
        return self._array("normal" if self.b_normal else "fill", name, (size, 1), self.b)

    def rnn(self) -> tuple[RNNParams, RNNState, Array]:
        """The plain cell of this scenario and what it is given.

        Returns
        -------
        params : RNNParams
        state : RNNState
            h_{t-1}, of shape (n, 1).
        x_t : ndarray of shape (m, 1)
        """
        params = RNNParams(
            W_hh=self.weights("W_hh", (self.k, self.n), self.w_hh),
            W_hx=self.weights("W_hx", (self.k, self.m), self.w_hx),
            b_h=self.bias("b_h", self.k),
            g=ACTIVATIONS[self.g],
            order=self.order,
        )
        h_prev = self.inputs("h_prev", self.n, self.h)
        return params, RNNState(h_prev), self.inputs("x_t", self.m, self.x)

    def lstm(self) -> tuple[LSTMParams, LSTMState, Array]:
        """The LSTM of this scenario and what it is given.

        Each gate's two blocks of columns are initialized on their own, as W_hh and W_hx are.

        Returns
        -------
        params : LSTMParams
        state : LSTMState
            h_{t-1} of shape (n, 1) and c_{t-1} of shape (k, 1).
        x_t : ndarray of shape (m, 1)
        """
        weights = {f"W_{gate}": self._gate_weights(gate) for gate in GATES}
        biases = {f"b_{gate}": self._gate_bias(gate) for gate in GATES}
        state = LSTMState(self.inputs("h_prev", self.n, self.h), self.inputs("c_prev", self.k, self.c))
        return LSTMParams(**weights, **biases, order=self.order), state, self.inputs("x_t", self.m, self.x)

    def gru(self) -> tuple[GRUParams, GRUState, Array]:
        """The GRU of this scenario and what it is given; its candidate has the plain cell's weights and biases.

        Returns
        -------
        params : GRUParams
        state : GRUState
            h_{t-1} of shape (k, 1).
        x_t : ndarray of shape (m, 1)

        Raises
        ------
        ValueError
            If k != n.
        """
        plain, state, x_t = self.rnn()
        params = GRUParams(
            *(self._joined(gate) for gate in RESET_UPDATE),
            *(plain.W_hh, plain.W_hx),
            *(self.bias(name, self.k) for name in ("b_r", "b_u", "b_hh", "b_hx")),
            order=self.order,
        )
        return params, GRUState(state.h), x_t

    def setup(self, name: str) -> tuple[Any, Any, Array]:
        """The parameters of a cell of CELLS, its state and its input.

        Parameters
        ----------
        name : {"RNN", "LSTM", "GRU"}

        Returns
        -------
        params, state
            Of that cell.
        x_t : ndarray of shape (m, 1)

        Raises
        ------
        ValueError
            If it is a GRU and k != n.
        """
        return getattr(self, name.lower())()

    def at_rest(self, name: str) -> tuple[Any, Any]:
        """The parameters of a cell of CELLS, and the state that a sequence starts from.

        Parameters
        ----------
        name : {"RNN", "LSTM", "GRU"}

        Returns
        -------
        params, state
            A state of 0, but for h_prev and c_prev that have numbers of their own.
        """
        zero = {"h_prev": np.zeros((self.n, 1), int), "c_prev": np.zeros((self.k, 1), int)}
        params, state, _ = replace(self, arrays={**zero, **self.fitting()}).setup(name)
        return params, state

    def noise(self, T: int) -> Array:
        """A sequence of inputs from N(0, 1).

        Parameters
        ----------
        T : int

        Returns
        -------
        ndarray of shape (T, m, 1)
        """
        return child(self.seed, "noise").standard_normal((T, self.m, 1))

    def sequence(self) -> Array:
        """The inputs of all steps, as `input` says.

        Returns
        -------
        ndarray of shape (T, m, 1)
            Of a word or of typed numbers T is their length.

        Raises
        ------
        ValueError
            If the word or the typed numbers need another m, or if there are none.
        """
        if self.input == "noise":
            return self.noise(self.T)
        if self.input == "word":
            return one_hot(self.word, self.m)
        if self.input == "numbers":
            xs = self.arrays.get("xs")
            if xs is None:
                raise ValueError("xs must have numbers for x_t at every step, and there are none yet: paste some.")
            expect_shape("xs", xs, "(T, m)", ("T", self.m))
            return xs[:, :, None]
        return shaped(self.input, self.inputs("x_t", self.m, self.x), self.T)

    def output(self) -> tuple[Array, Array]:
        """The weights and the bias of the optional output y_t.

        Returns
        -------
        W_y : ndarray of shape (p, k)
        b_y : ndarray of shape (p, 1)
        """
        return self.weights("W_y", (self.p, self.k), self.w_y), self.bias("b_y", self.p)

    def draw(self) -> np.random.Generator | None:
        """What draws the gates on or off, if they are to be drawn."""
        return child(self.seed, "gates") if self.stochastic else None

    def samples(self, count: int) -> tuple[Array, Array]:
        """Many inputs for one cell, from N(0, 1).

        Parameters
        ----------
        count : int

        Returns
        -------
        h_prev : ndarray of shape (n, count)
        x_t : ndarray of shape (m, count)
        """
        h_prev, x_t = (child(self.seed, f"samples of {name}") for name in ("h_prev", "x_t"))
        return h_prev.standard_normal((self.n, count)), x_t.standard_normal((self.m, count))

    def pre_activation(self, source: str, inputs: tuple[Array, Array] | None = None) -> PreActivation:
        """What a cell adds up before its activation.

        Parameters
        ----------
        source : str
            One of SOURCES: the plain cell's hidden state, or a gate of the LSTM.
        inputs : tuple of ndarray, optional
            h_{t-1} and x_t of shapes (n, B) and (m, B); the scenario's own unless given.

        Returns
        -------
        PreActivation
        """
        plain = replace(self, scale=1.0)
        if source == "hidden":
            params, _, _ = plain.rnn()
            W, b, g = params.W_h, params.b_h, params.g
        else:
            W, b, g = plain._gate_weights(source), plain._gate_bias(source), GATES[source]
        h_prev, x_t = inputs or (self.inputs("h_prev", self.n, self.h), self.inputs("x_t", self.m, self.x))
        return PreActivation(W @ stack_input(h_prev, x_t, self.order), b, g)

    def typed_z(self, z: float) -> PreActivation:
        """One unit whose z is given, under the activation of the plain cell.

        Parameters
        ----------
        z : float
            At scale 1.

        Returns
        -------
        PreActivation
        """
        return PreActivation(np.array([[z]]), np.zeros((1, 1)), ACTIVATIONS[self.g])

    def shapes(self) -> dict[str, tuple[int, int]]:
        """Every array that may have numbers of its own, with the shape that it must have here.

        Returns
        -------
        dict from str to tuple of int
        """
        sizes = {"m": self.m, "n": self.n, "k": self.k, "p": self.p, "1": 1}
        return {name: (sizes[rows], sizes[columns]) for name, (rows, columns) in AXES.items()}

    def numbers(self, name: str) -> Array:
        """One of the arrays of `shapes`, at scale 1.

        Parameters
        ----------
        name : str

        Returns
        -------
        ndarray of its shape
        """
        shape = self.shapes()[name]
        if name in INPUT_VALUES:
            return self.inputs(name, shape[0], getattr(self, INPUT_VALUES[name]))
        if name.startswith("b"):
            return self.bias(name, shape[0])
        value = self.w_y if name == "W_y" else self.w_hh if name.endswith("h") else self.w_hx
        gate_value = getattr(self, f"w_{name[2]}", None) if len(name) == 4 else None
        if gate_value is not None:
            return np.full(shape, _whole(gate_value))
        return replace(self, scale=1.0).weights(name, shape, value)

    def used(self) -> dict[str, Array]:
        """Every array as the cells use it: the weights scaled, the forget bias added.

        Returns
        -------
        dict from str to ndarray
            By the names of `shapes`.
        """
        arrays = {name: self.numbers(name) * (_whole(self.scale) if name.startswith("W") else 1) for name in AXES}
        for gate in GATES:
            W_h, W_x = split_columns(self._gate_weights(gate), self.n, self.order)
            arrays |= {f"W_{gate}h": W_h, f"W_{gate}x": W_x, f"b_{gate}": self._gate_bias(gate)}
        return arrays

    def holding(self, arrays: Mapping[str, Array]) -> "Scenario":
        """The same choices with these arrays, as they are, and with the sizes that they demand.

        Parameters
        ----------
        arrays : mapping from str to ndarray
            By the names of `shapes`, or "xs".

        Returns
        -------
        Scenario
            Of scale 1, without what would hide or change one of the arrays.

        Raises
        ------
        ValueError
            If a name is unknown, if an array is too large, or if two demand different sizes.
        """
        expect_names("arrays", arrays, (*AXES, "xs"))
        arrays = {name: array[:, None] if array.ndim == 1 else array for name, array in arrays.items()}
        sizes = {}
        for name, array in arrays.items():
            for letter, size in zip(AXES.get(name, "Tm"), array.shape):
                sizes.setdefault(letter, size)
        sizes = {letter: size for letter, size in sizes.items() if letter in "mnkp"}
        values = dict.fromkeys([f"w_{gate}" for gate in GATES if f"W_{gate}h" in arrays or f"W_{gate}x" in arrays])
        now = replace(self, **sizes, **values, arrays={**self.arrays, **arrays})
        if any(name.startswith("W") for name in arrays) and self.scale != 1:
            as_scaled = {name: array for name, array in replace(self, **sizes).used().items() if name.startswith("W")}
            now = replace(now, scale=1.0, arrays={**as_scaled, **now.arrays, **arrays})
        if "b_f" in arrays:
            now = replace(now, forget_bias=0.0)
        if "xs" in arrays:
            now = replace(now, input="numbers")
        expect_arrays(replace(now, arrays=arrays))
        return now

    def fitting(self) -> dict[str, Array]:
        """Its own arrays, without those that do not fit its sizes and are therefore ignored.

        Returns
        -------
        dict from str to ndarray
        """
        shapes = self.shapes()
        return {
            name: array
            for name, array in self.arrays.items()
            if (array.shape[1] == self.m if name == "xs" else array.shape == shapes[name])
        }

    def changed(self) -> dict[str, Array]:
        """Its own arrays, without those that the choices make just so.

        Returns
        -------
        dict from str to ndarray
        """
        made = replace(self, arrays={})
        return {
            name: array
            for name, array in self.fitting().items()
            if name not in AXES or not np.array_equal(array, made.numbers(name))
        }

    def has(self, name: str, shape: tuple[int, int]) -> bool:
        """Whether an array of this name and shape has numbers of its own."""
        return np.shape(self.arrays.get(name)) == shape

    def _gate_weights(self, gate: str) -> Array:
        value = getattr(self, f"w_{gate}")
        if value is not None:
            return np.full((self.k, self.n + self.m), _whole(value) * _whole(self.scale))
        return self._joined(gate)

    def _gate_bias(self, gate: str) -> Array:
        b = self.bias(f"b_{gate}", self.k)
        return b + _whole(self.forget_bias) if gate == "f" else b

    def _joined(self, gate: str) -> Array:
        """Both blocks of columns of one gate."""
        W_h = self.weights(f"W_{gate}h", (self.k, self.n), self.w_hh)
        W_x = self.weights(f"W_{gate}x", (self.k, self.m), self.w_hx)
        return join_weights(W_h, W_x, self.order)

    def _array(self, init: str, name: str, shape: tuple[int, int], value: float) -> Array:
        if self.has(name, shape):
            return self.arrays[name]
        return _draw(init, self.seed, name, shape, _whole(value))


# The numbers stay while their scale is dragged; at the largest sizes drawing them is most of a step.
@lru_cache(maxsize=32)
def _draw(init: str, seed: int, name: str, shape: tuple[int, int], value: float) -> Array:
    array = INITIALIZERS[init](child(seed, name), shape, value)
    array.flags.writeable = False
    return array


def _whole(value: float) -> float:
    """The same number as an int if it is whole: integer arrays compare exactly, as in the lab.

    Large ones stay floats, so that no product of a weight, its scale and an input leaves int64.
    """
    return int(value) if float(value).is_integer() and abs(value) < 2**16 else value


# ---- to and from a file --------------------------------------------------------------------

FORMAT, VERSION = "cellscope scenario", 1
# More than any scenario has: characters, brackets (one for each row) and colons (one for each name, and the word's).
MOST_JSON, MOST_BRACKETS, MOST_COLONS = 8_000_000, 20_000, 1_000


def to_json(scenario: Scenario) -> str:
    """A scenario as the text of a file.

    Parameters
    ----------
    scenario : Scenario

    Returns
    -------
    str
        An object of "format", "version", "choices" by name and "arrays" as lists of their rows.
    """
    choices = {field.name: getattr(scenario, field.name) for field in fields(Scenario) if field.name != "arrays"}
    arrays = {name: array.tolist() for name, array in scenario.fitting().items()}
    return json.dumps({"format": FORMAT, "version": VERSION, "choices": choices, "arrays": arrays}, ensure_ascii=False)


def from_json(text: str) -> Scenario:
    """The scenario of a text from `to_json`; a choice that is not in it has its default.

    Parameters
    ----------
    text : str

    Returns
    -------
    Scenario
        Its choices have the types that they must have; their bounds are not checked.

    Raises
    ------
    ValueError
        If it is no such text, or naming the field that is unknown, there twice, of a wrong type or of a wrong shape.
    """
    brackets, colons = text.count("[") + text.count("{"), text.count(":")
    if len(text) > MOST_JSON or brackets > MOST_BRACKETS or colons > MOST_COLONS:
        raise ValueError("The file holds more than a scenario can: open a file that was saved here.")
    file = read_json(text, "This is not JSON: open a file that was saved here.")
    if not isinstance(file, dict) or file.get("format") != FORMAT:
        raise ValueError(f'The file must be an object with "format": "{FORMAT}": open a file that was saved here.')
    if file.get("version") != VERSION:
        raise ValueError(f"version must be {VERSION}: the file is of a newer Cellscope, or no version is given.")
    expect_names("the file", file, ("format", "version", "choices", "arrays"))
    choices, arrays = (_object(name, file.get(name, {})) for name in ("choices", "arrays"))
    types = {field.name: type(field.default) for field in fields(Scenario) if field.name != "arrays"}
    expect_names("choices", choices, types)
    expect_names("arrays", arrays, (*AXES, "xs"))
    scenario = Scenario(**{name: _typed(name, value, types[name]) for name, value in choices.items()})
    return replace(scenario, arrays={name: _rows(name, rows) for name, rows in arrays.items()})


def expect_arrays(scenario: Scenario) -> None:
    """Raise unless each array has a name and a shape that can be used.

    Parameters
    ----------
    scenario : Scenario

    Raises
    ------
    ValueError
        Naming the array, its shape and the shape that its sizes demand.
    """
    expect_names("arrays", scenario.arrays, (*AXES, "xs"))
    shapes: dict[str, tuple[int | str, int]] = {**scenario.shapes(), "xs": ("T", scenario.m)}
    for name, array in scenario.arrays.items():
        expect_shape(name, array, f"({', '.join(AXES.get(name, 'Tm'))})", shapes[name])


def expect_names(where: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise unless all names are known.

    Parameters
    ----------
    where : str
        What the names are in, for the message.
    given, known : iterable of str

    Raises
    ------
    ValueError
        Naming the first unknown one.
    """
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise ValueError(f"{where} must have known names only, got {unknown[0][:60]!r}: take it out.")


def _object(name: str, value: object) -> dict:
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be an object with a value for each name: write {{}} if there are none.")
    return value


def _typed(name: str, value: object, type_: type) -> object:
    """The value, if it has the type of the default; a float may be a whole number, and None where the default is."""
    if type_ in (float, type(None)) and _is_number(value, 1e300):
        return float(value)
    if type(value) is type_ and type_ is not float:
        return value
    wanted = {
        float: "a number",
        type(None): "a number or null",
        int: "a whole number",
        bool: "true or false",
        str: "a text",
    }
    raise ValueError(f"choices.{name} must be {wanted[type_]}: correct it or take it out.")


def _rows(name: str, rows: object) -> Array:
    """The array of these rows. Each entry is judged first: NumPy gives all entries the length of the longest text."""
    are_lists = isinstance(rows, list) and all(isinstance(row, list) for row in rows)
    lengths = {len(row) for row in rows} if are_lists else set()
    if lengths:
        expect_bounds(f"arrays.{name}", (len(rows), max(lengths)))
    if len(lengths) != 1 or 0 in lengths or not all(_is_number(entry, LARGEST) for row in rows for entry in row):
        raise ValueError(f"arrays.{name} must be a list of rows of finite numbers of at most 10^9, all of one length.")
    return whole(np.array(rows, dtype=np.float64))


def _is_number(value: object, largest: float) -> bool:
    """Whether it is a number (true and false are none) of at most this size, which NaN is not."""
    return type(value) in (int, float) and abs(value) <= largest
