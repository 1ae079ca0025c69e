"""Whether sizes conform: what a layer wants and what it is given, without any message."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from core.shapes.explanation import Cause, Explanation
from core.shapes.found import counted
from core.shapes.layer import GivenSizes, LayerSizes, Shape, expected, steps_and_batch
from core.shapes.of_layers import axes_change_of_layer, of_state
from core.shapes.of_products import of_linear

# As many axes as x may have.
AXES = {"PyTorch": (2, 3), "Keras": (3,), "NumPy": (2,)}


def check(layer: LayerSizes, given: GivenSizes) -> Explanation:
    """Whether a layer takes what it is given, and what to change if not.

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
    causes = sorted(_causes(layer, given), key=lambda cause: -cause.fit)
    operation = f"{layer.framework}: {layer.cell}"
    return Explanation(layer.framework, operation, "", sizes, tuple(causes), (), layer, given)


def _causes(layer: LayerSizes, given: GivenSizes) -> Iterator[Cause]:
    allowed = AXES[layer.framework]
    if len(given.x) not in allowed:
        axes = " or ".join(map(str, allowed))
        change = axes_change_of_layer(len(given.x)) if layer.framework == "PyTorch" else f"# x must have {axes} axes"
        why = f"x has {counted(len(given.x), 'axis', 'axes')}, and {axes} are wanted."
        yield Cause("unbatched", 9, why, change, {})
        return
    conforming = expected(layer, given.x)
    features = given.x[0] if layer.framework == "NumPy" else given.x[-1]
    if features != layer.m:
        yield from _of_features(layer, given.x, features, conforming["x"])
    if not layer.has_c and given.c0 is not None:
        why = f"c0 is given, and the state of the {layer.cell} is h alone."
        yield Cause("state-tuple", 9, why, "output, h_n = layer(x, h0)", {"h0": conforming["h0"]})
    elif layer.has_c and (given.h0 is None) != (given.c0 is None):
        why = "Only one of h0 and c0 is given: an LSTM takes both, or none."
        yield Cause("state-tuple", 9, why, "output, (h_n, c_n) = layer(x, (h0, c0))", conforming)
    for name in ("h0", "c0") if layer.has_c else ("h0",):
        state = getattr(given, name)
        if state is not None and state != conforming[name]:
            yield from _of_state(layer, given, name, conforming[name], state)
    if given.linear and given.linear[0] != layer.output:
        made_for, out = given.linear
        facts = f"The layer gives {layer.output} entries at each step, and the linear layer takes {made_for}."
        if layer.proj_size and made_for == layer.directions * layer.k:
            why = f"{facts} That is hidden_size: with proj_size h has {layer.h} entries in each direction."
            yield Cause(
                "hidden-size", 9, why, f"nn.Linear({layer.output}, {out})", {"Linear.weight": (out, layer.output)}
            )
        else:
            yield from of_linear(layer.output, made_for, out, facts, layer.framework)


def _of_features(layer: LayerSizes, x: Shape, features: int, conforming: Shape) -> Iterator[Cause]:
    facts = f"The layer was made for {layer.m} entries in each step of x, and x has {features}."
    made = {
        "PyTorch": f"nn.{layer.cell}(input_size={features}, hidden_size={layer.k})",
        "Keras": f"Input((None, {features}))",
        "NumPy": f"W_hx = np.zeros(({layer.k}, {features}))",
    }[layer.framework]
    if features == layer.k:
        why = (
            f"{facts} That is k: input_size and hidden_size may be exchanged, or what comes is the h of another layer."
        )
        yield Cause("swapped-arguments", 7, why, made, {"x": conforming})
    if layer.framework == "NumPy" and x[1] == layer.m:
        yield Cause("transpose", 9, f"{facts} On its side it has {layer.m}.", "x = x.T", {"x": x[::-1]})
    if layer.framework != "NumPy" and layer.m in x[:-1]:
        at = x.index(layer.m)
        why = f"{facts} Axis {at} has {layer.m}: the axes are in another order."
        turned = [*x[:-1], layer.m]
        turned[at] = x[-1]
        yield Cause("transpose", 8, why, f"x = x.swapaxes({at}, {len(x) - 1})", {"x": tuple(turned)})
    yield Cause("input-size", 8, facts, made, {"x": conforming})


def _of_state(layer: LayerSizes, given: GivenSizes, name: str, wanted: Shape, got: Shape) -> Iterator[Cause]:
    if layer.framework == "PyTorch":
        yield from of_state((layer.cell,), name, wanted, got, given.x)
    elif len(wanted) != len(got):
        yield Cause(
            "unbatched", 9, f"{name} has {counted(len(got), 'axis', 'axes')}, and 2 are wanted.", "", {name: wanted}
        )
    else:
        # (batch, units) in Keras; (units, batch) by hand.
        codes = ("batch-size", "hidden-size") if layer.framework == "Keras" else ("hidden-size", "batch-size")
        if got == wanted[::-1]:
            yield Cause("transpose", 9, f"{name} lies on its side.", f"{name} = {name}.T", {name: wanted})
        for code, a, b in zip(codes, wanted, got):
            if a != b:
                yield Cause(
                    code, 8, f"{name} has {b} where {a} are wanted.", f"{name} = np.zeros({wanted})", {name: wanted}
                )


def repaired(layer: LayerSizes, given: GivenSizes) -> tuple[LayerSizes, GivenSizes]:
    """The layer made for this x, and the states and the linear layer that go with it.

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
    weights : str
        What the columns are of.
    height, columns : int
        Of the weights.
    name : str
        What the rows are of.
    rows, width : int
        Of what is multiplied: its entries, 0 where there is no such state, and the batch.
    """

    weights: str
    height: int
    columns: int
    name: str
    rows: int
    width: int

    @property
    def conforms(self) -> bool:
        """Whether each column has a row to meet."""
        return self.columns == self.rows


def meetings(layer: LayerSizes, given: GivenSizes, most: int = 3) -> list[tuple[str, list[Meeting]]]:
    """Each product of one step, layer by layer, in columns as the equations have it.

    Parameters
    ----------
    layer : LayerSizes
    given : GivenSizes
        With as many axes as the layer takes.
    most : int
        Of how many layers.

    Returns
    -------
    list of (title, parts)
        The parts of one product lie side by side: the columns for h and those for x.
    """
    _, B = steps_and_batch(layer, given.x)
    features = given.x[0] if layer.framework == "NumPy" else given.x[-1]
    entry, batch = (0, 1) if layer.framework == "NumPy" else (-1, -2)
    h_batch = given.h0[batch] if given.h0 and len(given.h0) > (2 if layer.framework == "PyTorch" else 1) else B
    height = layer.gates * layer.k
    found = []
    for number in range(min(layer.layers, most)):
        h_rows = given.h0[entry] if given.h0 else layer.h
        if layer.framework == "PyTorch" and given.h0 and (number + 1) * layer.directions > given.h0[0]:
            h_rows = 0  # h0 has no row for this layer
        of_h = Meeting("for h", height, layer.h, "h_{t−1}", h_rows, h_batch)
        of_x = Meeting(
            "for x",
            height,
            layer.inputs(number),
            "x_t" if not number else "h of the layer below",
            layer.output if number else features,
            B,
        )
        found.append((f"Layer {number + 1}", [of_h, of_x]))
    if given.linear:
        found.append(("Linear layer", [Meeting("in", given.linear[1], given.linear[0], "output", layer.output, B)]))
    return found
