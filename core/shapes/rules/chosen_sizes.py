"""Chosen sizes of a layer and of its inputs, without any message."""

from collections.abc import Iterator

from core.shapes.layer_shapes import AXES, GivenSizes, LayerSizes, Shape, expected
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import likely, strong, sure
from core.shapes.rules.products.linear import linear_facts, linear_rules
from core.shapes.rules.rule import Facts, Rule, Rules, reason
from core.shapes.rules.states.initial_states import rules_of_state

# ---- x -----------------------------------------------------------------------------------------

CHOSEN_AXES: Rules = (
    sure(
        "unbatched",
        (
            reason("x-axes", axes=lambda f: len(f.x), allowed="allowed[0]", when=lambda f: len(f.allowed) == 1),
            reason(
                "x-axes-of-two",
                axes=lambda f: len(f.x),
                fewest="allowed[0]",
                most="allowed[1]",
                when=lambda f: len(f.allowed) == 2,
            ),
        ),
        lambda f: (
            advised_lines.axes_of_x(len(f.x)) if f.framework == "PyTorch" else f"# x must have {f.allowed[0]} axes"
        ),
    ),
)


def _made_for_x(facts: Facts) -> str:
    return {
        "PyTorch": f"nn.{facts.cell}(input_size={facts.features}, hidden_size={facts.k})",
        "Keras": f"Input((None, {facts.features}))",
        "NumPy": f"W_hx = np.zeros(({facts.k}, {facts.features}))",
    }[facts.framework]


_FEATURES = reason("features", wanted="m", got="features")

CHOSEN_FEATURES: Rules = (
    likely(
        "swapped-arguments",
        (_FEATURES, reason("features-are-k")),
        _made_for_x,
        lambda f: f.features == f.k,
    ),
    sure(
        "transpose",
        (_FEATURES, reason("x-turned", "m")),
        "x = x.T",
        lambda f: f.framework == "NumPy" and f.x[1] == f.m,
    ),
    strong(
        "transpose",
        (_FEATURES, reason("x-axes-in-another-order", "at", "m")),
        lambda f: f"x = x.swapaxes({f.at}, {len(f.x) - 1})",
        lambda f: f.framework != "NumPy" and f.at is not None,
    ),
    strong("input-size", _FEATURES, _made_for_x, conform=lambda f: {"x": f.conforming}),
)

# ---- the initial state -------------------------------------------------------------------------

CHOSEN_PAIR: Rules = (
    sure(
        "state-tuple",
        reason("c0-without-c", "cell"),
        "output, h_n = layer(x, h0)",
        lambda f: not f.has_c and f.c0 is not None,
        lambda f: {"h0": f.conforming["h0"]},
    ),
    sure(
        "state-tuple",
        "one-of-h0-and-c0",
        "output, (h_n, c_n) = layer(x, (h0, c0))",
        lambda f: f.has_c and (f.h0 is None) != (f.c0 is None),
        lambda f: f.conforming,
    ),
)


def _wanted_state(facts: Facts) -> dict[str, Shape]:
    return {facts.name: facts.wanted}


def _axis_differs(at: int, code: str, framework: str) -> Rule:
    """Return the rule for an axis of a state: (batch, units) in Keras, (units, batch) by hand."""
    return strong(
        code,
        reason("state-entries", "name", got=lambda f: f.got[at], wanted=lambda f: f.wanted[at]),
        "{name} = np.zeros({wanted})",
        lambda f: f.framework == framework and len(f.got) == 2 and f.got[at] != f.wanted[at],
        _wanted_state,
    )


CHOSEN_STATE: Rules = (
    sure(
        "unbatched",
        reason("state-axes", "name", axes=lambda f: len(f.got), wanted=lambda f: 2),
        "",
        lambda f: len(f.got) != 2,
        _wanted_state,
    ),
    sure(
        "transpose",
        reason("state-turned", "name"),
        "{name} = {name}.T",
        lambda f: f.got == f.wanted[::-1],
        _wanted_state,
    ),
    _axis_differs(0, "batch-size", "Keras"),
    _axis_differs(0, "hidden-size", "NumPy"),
    _axis_differs(1, "hidden-size", "Keras"),
    _axis_differs(1, "batch-size", "NumPy"),
)

# ---- the linear layer --------------------------------------------------------------------------

_LINEAR_TAKES = reason("linear-takes", "came", "made_for")

CHOSEN_LINEAR: Rules = linear_rules(_LINEAR_TAKES)
CHOSEN_LINEAR_WITH_PROJ: Rules = (
    sure(
        "hidden-size",
        (_LINEAR_TAKES, reason("linear-of-hidden-size", "h")),
        "nn.Linear({came}, {out})",
        conform=lambda f: {"Linear.weight": (f.out, f.came)},
    ),
)


def chosen_sizes(layer: LayerSizes, given: GivenSizes) -> Iterator[tuple[Rules, Facts]]:
    """Yield the rules for each input of a layer that may not conform, and their facts."""
    allowed, x = AXES[layer.framework], given.x
    if len(x) not in allowed:
        yield CHOSEN_AXES, Facts(framework=layer.framework, x=x, allowed=allowed)
        return
    conforming = expected(layer, x)
    features = x[0] if layer.framework == "NumPy" else x[-1]
    if features != layer.m:
        yield (
            CHOSEN_FEATURES,
            Facts(
                framework=layer.framework,
                cell=layer.cell,
                m=layer.m,
                k=layer.k,
                x=x,
                features=features,
                conforming=conforming["x"],
                at=x.index(layer.m) if layer.m in x[:-1] else None,
            ),
        )
    yield (CHOSEN_PAIR, Facts(cell=layer.cell, has_c=layer.has_c, h0=given.h0, c0=given.c0, conforming=conforming))
    for name in ("h0", "c0") if layer.has_c else ("h0",):
        state = getattr(given, name)
        if state is not None and state != conforming[name]:
            yield _of_state(layer, name, conforming[name], state, x)
    if given.linear and given.linear[0] != layer.output:
        yield _of_linear(layer, *given.linear)


def _of_state(layer: LayerSizes, name: str, wanted: Shape, got: Shape, x: Shape) -> tuple[Rules, Facts]:
    if layer.framework == "PyTorch":
        return rules_of_state((layer.cell,), name, wanted, got, x)
    return CHOSEN_STATE, Facts(framework=layer.framework, name=name, wanted=wanted, got=got)


def _of_linear(layer: LayerSizes, made_for: int, out: int) -> tuple[Rules, Facts]:
    if layer.proj_size and made_for == layer.directions * layer.k:
        return CHOSEN_LINEAR_WITH_PROJ, Facts(came=layer.output, made_for=made_for, out=out, h=layer.h)
    return CHOSEN_LINEAR, linear_facts(layer.output, made_for, out, layer.framework)
