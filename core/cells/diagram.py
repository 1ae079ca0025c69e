"""The diagram of a cell: where its nodes stand, and which wires connect them.

The unit of length is one pixel of a drawing in its full size, with y downwards. Every node stands about its middle.
"""

from typing import NamedTuple

Point = tuple[int, int]

# The stages of one step, in their order: the concatenation, the gates, the new state, the output.
STAGES = ("concatenate", "gates", "cell", "output")


class Node(NamedTuple):
    """A node of a diagram.

    Attributes
    ----------
    kind : {"vector", "gate", "operator"}
    symbol : str
        The field of the step: the vector itself, or what a gate gives. The sign of an operator.
    x, y : int
    stage : int
        Its index in STAGES.
    side : {"above", "below", "left", "right"}
        Where the name of a vector stands.
    tall : int
        The largest height of a vector.
    name : str
        The name of a gate in links that open its equation; empty if it has none.
    """

    kind: str
    symbol: str
    x: int
    y: int
    stage: int
    side: str = "above"
    tall: int = 96
    name: str = ""


class Wire(NamedTuple):
    """A wire of a diagram.

    Attributes
    ----------
    symbol : str
        The field of the step that it carries.
    stage : int
        Its index in STAGES.
    points : tuple of (x, y)
        From its start to its end.
    arrow : bool
        Whether it ends in an arrow.
    way : str
        The name of its gradient in `wire_gradients` of the cell. Empty if that is the whole gradient with respect to the symbol.
    is_rest : bool
        Whether it carries 1 minus the symbol.
    """

    symbol: str
    stage: int
    points: tuple[Point, ...]
    arrow: bool = True
    way: str = ""
    is_rest: bool = False

    @property
    def gradient(self) -> str:
        """The name of its gradient."""
        return self.way or self.symbol


class Diagram(NamedTuple):
    """The diagram of a cell.

    Attributes
    ----------
    width, height : int
    frame : (int, int, int, int)
        The outline of the cell: left, top, right and bottom.
    nodes : tuple of Node
        In the order in which the keys go through them.
    wires : tuple of Wire
    lane : int, optional
        The height of the wire along which the memory passes from step to step.
    """

    width: int
    height: int
    frame: tuple[int, int, int, int]
    nodes: tuple[Node, ...]
    wires: tuple[Wire, ...]
    lane: int | None = None
