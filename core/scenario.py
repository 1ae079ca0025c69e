"""One complete set of choices, and the arrays that follow from it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from core.activations import ACTIVATIONS, Activation
from core.arrays import Array, expect_bounds, expect_shape
from core.cells import CELLS
from core.cells.protocol import ArraySpec, state_arrays
from core.concatenation import concatenate_weights, stack_input
from core.initialize import INITIALIZERS, child
from core.sequence.inputs import PROFILES, one_hot, shaped

# The optional output y_t is no part of a cell.
OUTPUT_LAYER = {"W_y": ArraySpec("pk", "weights", "w_y"), "b_y": ArraySpec("p1", "bias", "b")}
# Every array that may have numbers of its own.
ARRAYS = {name: numbers for cell in CELLS.values() for name, numbers in cell.ARRAYS.items()} | OUTPUT_LAYER
# The letters of their sizes.
AXES = {name: numbers.axes for name, numbers in ARRAYS.items()}
# The pre-activations that can be looked at, by the words of the parameter `source`.
SOURCES = {word: joined for cell in CELLS.values() for word, joined in cell.PRE_ACTIVATIONS.items()}
INPUTS = ("noise", *PROFILES, "word", "numbers")
DIRECTIONS = ("one", "two")
MOST_LAYERS = 3
# How weights that must be sampled are made if the chosen initializer is not random.
RANDOM_INIT = "glorot"


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
        """Return W [h; x] + b, of shape (k, B), with W at a scale."""
        return _as_integer(scale) * self.product + self.b

    def z_over(self, scales: Array) -> Array:
        """Return z at many scales, of shape (scales, k, B)."""
        return np.multiply.outer(scales, self.product) + self.b


@dataclass(frozen=True)
class Scenario:
    """Every choice that numbers follow from. The defaults are the hidden-state lab's.

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
    layers : int
        Layers of that cell, at most MOST_LAYERS.
    directions : str
        One of DIRECTIONS: with two, a second cell of each layer reads the sequence from its end.
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
    layers: int = 1
    directions: str = "one"
    arrays: Mapping[str, Array] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Links, pastes and files of every kind all end here, so this one check holds for all of them.
        for name, array in self.arrays.items():
            expect_bounds(name, array.shape)

    def step_arguments(self, name: str) -> tuple[Any, Any, Array]:
        """Return what the step of a cell of CELLS takes: its parameters, its state and its input.

        Returns
        -------
        params, state
            Of that cell.
        x_t : ndarray of shape (m, 1)

        Raises
        ------
        ValueError
            If k != n and it is a cell that cannot be without recurring, such as the GRU.
        """
        cell = CELLS[name]
        arrays = {of_cell: self.array(of_cell) for of_cell in cell.ARRAYS}
        params, state = cell.build(arrays, order=self.order, g=ACTIVATIONS[self.g])
        return params, state, arrays["x_t"]

    def params_and_initial_state(self, name: str) -> tuple[Any, Any]:
        """Return the parameters of a cell of CELLS, and the initial state of a sequence.

        Returns
        -------
        params, state
            A state of 0, but for parts of it that have numbers of their own.
        """
        params, state, _ = self._at_start(name).step_arguments(name)
        return params, state

    def _at_start(self, name: str) -> "Scenario":
        """Return the scenario with a state of 0 for a cell of CELLS, but for parts of it that have numbers of their own."""
        shapes = self.shapes()
        zero = {part: np.zeros(shapes[part], int) for part in state_arrays(CELLS[name])}
        return replace(self, arrays={**zero, **self.matching_arrays()})

    @property
    def is_layered(self) -> bool:
        """Whether there is more than one layer or direction."""
        return self.layers > 1 or self.directions == "two"

    def single(self) -> "Scenario":
        """Return the scenario with one layer and one direction."""
        return replace(self, layers=1, directions="one")

    def layer_arrays(self, name: str) -> list[list[dict[str, Array]]]:
        """Return the weights, the biases and the initial state of each direction of each layer, from the bottom.

        The forward direction of layer 1 is the cell of `initial_state`. All others have sampled weights and a state of 0.

        Parameters
        ----------
        name : str
            A name of CELLS, with k = n.

        Returns
        -------
        list of list of dict from str to ndarray
            By the names of the cell's arrays.
        """
        ways = DIRECTIONS.index(self.directions) + 1
        layers = [
            [self._sampled(name, at, way, self.m if at == 1 else ways * self.k) for way in range(1, ways + 1)]
            for at in range(1, self.layers + 1)
        ]
        start = self._at_start(name)
        layers[0][0] = {of_cell: start.array(of_cell) for of_cell in CELLS[name].ARRAYS if of_cell != "x_t"}
        return layers

    def _sampled(self, name: str, layer: int, way: int, m: int) -> dict[str, Array]:
        """Return the arrays of a direction of a layer with m inputs, with sampled weights."""
        sizes = {"m": m, "n": self.k, "k": self.k, "1": 1}
        init = self.init if INITIALIZERS[self.init].is_random else RANDOM_INIT
        inits = {"weights": init, "bias": "normal" if self.b_normal else "fill", "input": "fill"}
        arrays: dict[str, Array] = {}
        for of_cell, spec in CELLS[name].ARRAYS.items():
            if of_cell == "x_t":
                continue
            shape = (sizes[spec.axes[0]], sizes[spec.axes[1]])
            value = _as_integer(self.b) if spec.kind == "bias" else 0
            drawn = _draw(inits[spec.kind], self.seed, f"{of_cell}, layer {layer}, direction {way}", shape, value)
            arrays[of_cell] = self._scaled(spec, drawn)
        return arrays

    def step(self, name: str) -> tuple[Any, Any]:
        """Take one step of a cell of CELLS, with sampled gates if the cell has them and they are chosen.

        Returns
        -------
        params, step
            Of that cell.

        Raises
        ------
        ValueError
            As `step_arguments`.
        """
        cell: Any = CELLS[name]
        params, state, x_t = self.step_arguments(name)
        if self.stochastic and hasattr(cell, "GATE_PROBABILITIES"):
            return params, cell.step(params, state, x_t, child(self.seed, "gates"))
        return params, cell.step(params, state, x_t)

    def noise(self, T: int) -> Array:
        """Return a sequence of inputs from N(0, 1).

        Returns
        -------
        ndarray of shape (T, m, 1)
        """
        return child(self.seed, "noise").standard_normal((T, self.m, 1))

    def sequence(self) -> Array:
        """Return the inputs of all steps, of the kind that `input` names.

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
                raise ValueError("There is no input yet. Paste one line of numbers for each step.")
            expect_shape("xs", xs, "(T, m)", ("T", self.m))
            return xs[:, :, None]
        return shaped(self.input, self.array("x_t"), self.T)

    def samples(self, count: int) -> tuple[Array, Array]:
        """Sample many inputs for one cell from N(0, 1).

        Returns
        -------
        h_prev : ndarray of shape (n, count)
        x_t : ndarray of shape (m, count)
        """
        h_prev, x_t = (child(self.seed, f"samples of {name}") for name in ("h_prev", "x_t"))
        return h_prev.standard_normal((self.n, count)), x_t.standard_normal((self.m, count))

    def pre_activation(self, source: str, inputs: tuple[Array, Array] | None = None) -> PreActivation:
        """Return the pre-activation that `source` names.

        Parameters
        ----------
        source : str
            One of SOURCES.
        inputs : tuple of ndarray, optional
            h_{t-1} and x_t of shapes (n, B) and (m, B); the scenario's own unless given.
        """
        joined, unscaled = SOURCES[source], replace(self, scale=1.0)
        W = concatenate_weights(unscaled.array(joined.W_h), unscaled.array(joined.W_x), self.order)
        h_prev, x_t = inputs or (self.array("h_prev"), self.array("x_t"))
        return PreActivation(
            W @ stack_input(h_prev, x_t, self.order), self.array(joined.b), joined.g or ACTIVATIONS[self.g]
        )

    def typed_z(self, z: float) -> PreActivation:
        """Return one unit with a given z, under the activation of the RNN.

        Parameters
        ----------
        z : float
            At scale 1.
        """
        return PreActivation(np.array([[z]]), np.zeros((1, 1)), ACTIVATIONS[self.g])

    def shapes(self) -> dict[str, tuple[int, int]]:
        """Return the shape of every array that can have custom values."""
        sizes = {"m": self.m, "n": self.n, "k": self.k, "p": self.p, "1": 1}
        return {name: (sizes[axes[0]], sizes[axes[1]]) for name, axes in AXES.items()}

    def base_array(self, name: str) -> Array:
        """Return one of the arrays of `shapes`, at scale 1.

        Returns
        -------
        ndarray of its shape
        """
        spec, shape = ARRAYS[name], self.shapes()[name]
        instead = getattr(self, spec.constant_param) if spec.constant_param else None
        if instead is not None:
            return np.full(shape, _as_integer(instead))
        if self.has(name, shape):
            return self.arrays[name]
        init = self.init
        if spec.kind == "bias":
            init = "normal" if self.b_normal else "fill"
        elif spec.kind == "input" and INITIALIZERS[init].is_for_weights:
            init = "normal"
        return _draw(init, self.seed, name, shape, _as_integer(getattr(self, spec.value)))

    def array(self, name: str) -> Array:
        """Return one of the arrays of `shapes` as the cells use it, with the scale of weights and the offset of a bias.

        Returns
        -------
        ndarray of its shape
        """
        return self._scaled(ARRAYS[name], self.base_array(name))

    def _scaled(self, spec: ArraySpec, numbers: Array) -> Array:
        """Return the numbers with the scale of weights and the offset of a bias."""
        if spec.kind == "weights":
            return numbers * _as_integer(self.scale)
        return numbers + _as_integer(getattr(self, spec.offset_param)) if spec.offset_param else numbers

    def effective_arrays(self) -> dict[str, Array]:
        """Return every array as the cells use it.

        Returns
        -------
        dict from str to ndarray
            By the names of `shapes`.
        """
        return {name: self.array(name) for name in ARRAYS}

    def with_arrays(self, arrays: Mapping[str, Array]) -> "Scenario":
        """Return a scenario with these arrays, as they are, and with the sizes that they need.

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
        sizes: dict[str, int] = {}
        for name, array in arrays.items():
            for letter, size in zip(AXES.get(name, "Tm"), array.shape):
                sizes.setdefault(letter, size)
        sizes = {letter: size for letter, size in sizes.items() if letter in "mnkp"}
        given = [ARRAYS[name] for name in arrays if name in ARRAYS]
        scaled = self.scale != 1 and any(spec.kind == "weights" for spec in given)
        hiding = [spec.constant_param for spec in (ARRAYS.values() if scaled else given) if spec.constant_param]
        added = [spec.offset_param for spec in given if spec.offset_param]
        unhidden: dict[str, Any] = dict.fromkeys(hiding) | dict.fromkeys(added, 0.0)
        if scaled:
            unhidden["scale"] = 1.0
        resized = replace(self, **dict[str, Any](sizes))
        now = replace(resized, **unhidden, arrays={**self.arrays, **arrays})
        # Keep the entries that those settings gave to other arrays.
        as_they_were = {name: resized.array(name) for name in ARRAYS if name not in arrays}
        changed = {name: was for name, was in as_they_were.items() if not np.array_equal(was, now.array(name))}
        now = replace(now, arrays={**now.arrays, **changed})
        if "xs" in arrays:
            now = replace(now, input="numbers")
        expect_arrays(replace(now, arrays=arrays))
        return now

    def matching_arrays(self) -> dict[str, Array]:
        """Return the custom values that match the sizes; others are ignored."""
        shapes = self.shapes()
        return {
            name: array
            for name, array in self.arrays.items()
            if (array.shape[1] == self.m if name == "xs" else array.shape == shapes[name])
        }

    def overrides(self) -> dict[str, Array]:
        """Return the custom values that differ from those that the settings make."""
        unset = replace(self, arrays={})
        return {
            name: array
            for name, array in self.matching_arrays().items()
            if name not in AXES or not np.array_equal(array, unset.base_array(name))
        }

    def has(self, name: str, shape: tuple[int, int]) -> bool:
        """Whether an array of this name and shape has numbers of its own."""
        return name in self.arrays and self.arrays[name].shape == shape


# The numbers stay while their scale is dragged; at the largest sizes drawing them is most of a step.
@lru_cache(maxsize=32)
def _draw(init: str, seed: int, name: str, shape: tuple[int, int], value: float) -> Array:
    array = INITIALIZERS[init].make(child(seed, name), shape, value)
    array.flags.writeable = False
    return array


def _as_integer(value: float) -> float:
    """Return the number as an int if it is whole, because integer arrays compare exactly.

    Large ones stay floats, so that no product of a weight, its scale and an input leaves int64.
    """
    return int(value) if float(value).is_integer() and abs(value) < 2**16 else value


def expect_arrays(scenario: Scenario) -> None:
    """Raise unless each array has a name and a shape that can be used.

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

    Raises
    ------
    ValueError
        Naming the first unknown one.
    """
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise ValueError(f"{where} must have known names only, but it has {unknown[0][:60]!r}. Remove this name.")
