"""One complete set of choices, and the arrays that follow from it."""

from dataclasses import dataclass
from functools import lru_cache

from core.activations import ACTIVATIONS
from core.arrays import Array
from core.initialize import INITIALIZERS, RANDOM, child
from core.rnn import RNNParams, RNNState


@dataclass(frozen=True)
class Scenario:
    """Every choice that the pages share. The defaults are the hidden-state lab's.

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
    w_hh, w_hx, h, x : float
        The values for `fill`.
    b : float
        The value of every bias.
    b_normal : bool
        Draw the bias from N(0, 1) instead, as the lab does.
    g : str
        A name of ACTIVATIONS.
    """

    m: int = 3
    n: int = 2
    k: int = 3
    order: str = "hx"
    init: str = "fill"
    seed: int = 0
    scale: float = 1
    w_hh: float = 1
    w_hx: float = 9
    h: float = 1
    x: float = 9
    b: float = 0
    b_normal: bool = False
    g: str = "sigmoid"

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
        return _draw(self.init, self.seed, name, shape, _whole(value)) * _whole(self.scale)

    def inputs(self, name: str, size: int, value: float) -> Array:
        """A column that the cell is given, h_{t-1} or x_t; never scaled.

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
        return _draw(init, self.seed, name, (size, 1), _whole(value))

    def bias(self, name: str) -> Array:
        """A bias of shape (k, 1): one value everywhere, or drawn from N(0, 1).

        Parameters
        ----------
        name : str

        Returns
        -------
        ndarray of shape (k, 1)
        """
        init = "normal" if self.b_normal else "fill"
        return _draw(init, self.seed, name, (self.k, 1), _whole(self.b))

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
            b_h=self.bias("b_h"),
            g=ACTIVATIONS[self.g],
            order=self.order,
        )
        h_prev = self.inputs("h_prev", self.n, self.h)
        return params, RNNState(h_prev), self.inputs("x_t", self.m, self.x)

    @property
    def is_random(self) -> bool:
        """Whether the seed changes anything."""
        return self.init in RANDOM or self.b_normal


# The numbers stay while their scale is dragged; at the largest sizes drawing them is most of a step.
@lru_cache(maxsize=16)
def _draw(init: str, seed: int, name: str, shape: tuple[int, int], value: float) -> Array:
    array = INITIALIZERS[init](child(seed, name), shape, value)
    array.flags.writeable = False
    return array


def _whole(value: float) -> float:
    """The same number as an int if it is whole: integer arrays compare exactly, as in the lab.

    Large ones stay floats, so that no product of a weight, its scale and an input leaves int64.
    """
    return int(value) if float(value).is_integer() and abs(value) < 2**16 else value
