"""Whether sizes conform: what a layer expects and what it is given, without any message."""

from dataclasses import replace
from typing import NamedTuple

from core.shapes.explanation import Explanation, Statement
from core.shapes.layer_shapes import AXES, GivenSizes, LayerSizes, expected, steps_and_batch
from core.shapes.rules.chosen_sizes import chosen_sizes
from core.shapes.rules.rule import causes_of


def check(layer: LayerSizes, given: GivenSizes) -> Explanation:
    """Return whether a layer takes what it is given, and what to change if not.

    Parameters
    ----------
    layer : LayerSizes
    given : GivenSizes

    Returns
    -------
    Explanation
        Without causes if all conforms.
    """
    T, B = steps_and_batch(layer, given.x)
    sizes = {"m": layer.m, "k": layer.k, "layers": layer.layers, "directions": layer.directions, "batch": B, "T": T}
    causes = [cause for rules, facts in chosen_sizes(layer, given) for cause in causes_of(rules, facts)]
    operation = Statement("layer", {"framework": layer.framework, "cell": layer.cell})
    ranked = tuple(sorted(causes, key=lambda cause: -cause.fit))
    return Explanation(layer.framework, operation, "", sizes, ranked, (), layer, given)


def repaired(layer: LayerSizes, given: GivenSizes) -> tuple[LayerSizes, GivenSizes]:
    """Return the layer made for this x, and the states and the linear layer that go with it.

    Parameters
    ----------
    layer : LayerSizes
    given : GivenSizes

    Returns
    -------
    layer : LayerSizes
    given : GivenSizes
        Which `check` finds nothing wrong with.
    """
    axes = AXES[layer.framework]
    x = given.x if len(given.x) in axes and 0 not in given.x else expected(layer, (5,) * axes[-1])["x"]
    fits = replace(layer, m=x[0] if layer.framework == "NumPy" else x[-1])
    conforming = expected(fits, x)
    is_given = given.h0 is not None or given.c0 is not None
    states = {name: shape for name, shape in conforming.items() if name != "x" and is_given}
    return fits, GivenSizes(x, **states, linear=(fits.output, given.linear[1]) if given.linear else None)


class Meeting(NamedTuple):
    """Columns of weights that meet the rows of what they multiply.

    Attributes
    ----------
    kind : {"h", "x", "below", "output"}
        What they multiply: h of the step before, x, h of the layer below, or the output of the layer.
    height, columns : int
        Of the weights.
    rows, width : int
        Of what is multiplied: its entries, 0 if there is no such state, and the batch.
    """

    kind: str
    height: int
    columns: int
    rows: int
    width: int

    @property
    def conforms(self) -> bool:
        """Whether each column has a row to meet."""
        return self.columns == self.rows


def meetings(layer: LayerSizes, given: GivenSizes, most: int = 3) -> list[tuple[int | None, list[Meeting]]]:
    """Return each product of one step, layer by layer, in columns as the equations have it.

    Parameters
    ----------
    layer : LayerSizes
    given : GivenSizes
        With as many axes as the layer takes.
    most : int
        How many layers at most.

    Returns
    -------
    list of (number, parts)
        The number of the layer from 1, None for the linear layer. The parts of one product lie side by side: the columns
        for h and those for x.
    """
    _, B = steps_and_batch(layer, given.x)
    features = given.x[0] if layer.framework == "NumPy" else given.x[-1]
    entry, batch = (0, 1) if layer.framework == "NumPy" else (-1, -2)
    h_batch = given.h0[batch] if given.h0 and len(given.h0) > (2 if layer.framework == "PyTorch" else 1) else B
    height = layer.gates * layer.k
    found: list[tuple[int | None, list[Meeting]]] = []
    for below in range(min(layer.layers, most)):
        h_rows = given.h0[entry] if given.h0 else layer.h
        if layer.framework == "PyTorch" and given.h0 and (below + 1) * layer.directions > given.h0[0]:
            h_rows = 0  # h0 has no row for this layer
        of_h = Meeting("h", height, layer.h, h_rows, h_batch)
        of_x = Meeting("below" if below else "x", height, layer.inputs(below), layer.output if below else features, B)
        found.append((below + 1, [of_h, of_x]))
    if given.linear:
        found.append((None, [Meeting("output", given.linear[1], given.linear[0], layer.output, B)]))
    return found
