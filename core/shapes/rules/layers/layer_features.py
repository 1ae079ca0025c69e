"""The last axis of the input of a layer: its features."""

from core.shapes.explanation import Fit
from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules import advised_lines
from core.shapes.rules.fits import possible, strong, sure
from core.shapes.rules.joins.joined_arguments import along_features
from core.shapes.rules.keras.dense import DENSE
from core.shapes.rules.read_layer import FEWEST_UNITS, GATES, cells_of, given_to, is_power, is_round, stand_in
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.user_code.changed_calls import joined_along_features
from core.shapes.user_code.evidence import (
    concatenates_features,
    flattens_steps,
    gives_x_alone,
    has_features_first,
    is_in_file_of_convolution,
    is_state_first,
    predicts,
)
from core.shapes.user_code.frames import shapes_of_callers
from core.shapes.user_code.recurrent_lines import gives_indices, replaces_x, takes_embedding

_LAST_AXIS = "last-axis-of-x"
# More are rather steps; images of digits have rows of 28.
MOST_FEATURES = 28
FEWEST_STEPS = 7


def _wanted_features(facts: Facts) -> dict[str, Shape]:
    return {"x": (-1, facts.wanted)}


# The comment is the question that the message leaves open.
_TURNED = "x = x.transpose(1, 2)   # if x is (batch, {wanted} features, {got} steps)"

_ONE_HOT = "x = torch.nn.functional.one_hot(x.long(), {wanted}).float()   # if x has numbers of {wanted} classes, and no axis for them"

# ---- the last axis of x ------------------------------------------------------------------------


def _made_for_x(facts: Facts) -> str:
    if facts.is_keras:
        return advised_lines.other_features(facts.wanted, facts.got, predicts=facts.predicts)
    made = advised_lines.making(facts.cells, f"{facts.got}, ...", f"input_size={facts.got}", facts.suffix)
    if facts.joined and 2 * facts.got == facts.wanted and not facts.along_features:
        return f"x = torch.cat([..., ...], dim=-1)   # where x is made, if it is one part alone, or concatenated along another axis\n{made}"
    if facts.suffix or facts.got >= facts.wanted or facts.of_channels or facts.joined or facts.has_features_last:
        return made
    # A number of units is rather that of a layer before; another one may count classes.
    return f"{made}\n" + (_TURNED if is_round(facts.wanted) else _ONE_HOT).format(**vars(facts))


def _own_layers(facts: Facts) -> str:
    """Return the line that makes a layer for the h of the layer below."""
    if facts.is_keras:
        return "[layers.LSTM(units) for _ in range(number)]   # a layer of its own each time; or GRU, SimpleRNN"
    return advised_lines.making(facts.cells, f"{facts.got}, ...", "every layer after the first", facts.suffix)


FEATURES: Rules = (
    along_features(reason("features", "wanted", "got"), "got", "wanted"),
    strong(
        "embedding",
        (reason("features", "wanted", "got"), reason("features-of-indices", "got")),
        lambda f: _ONE_HOT.format(wanted=f.wanted).replace("if x has numbers of", "if x has the indices of"),
        lambda f: f.of_indices,
    ),
    strong(
        "transpose",
        (reason("features", "wanted", "got"), reason("features-not-last")),
        "x = x.transpose(1, 2)   # (batch, steps, features) from (batch, features, steps)",
        lambda f: f.features_first and not f.suffix and not f.is_keras,
    ),
    Rule(
        "input-size",
        lambda f: Fit.STRONG if f.joined else Fit.PLAUSIBLE,
        (reason("features", "wanted", "got"), reason("features-joined", when=lambda f: f.joined)),
        _made_for_x,
        conform=_wanted_features,
    ),
    Rule(
        "transpose",
        # A size that is no number of units is one of the data, so x may be as it came, in another order.
        # So may the x of a line that replaces it, if its last size is no number of units: the layer before gave it.
        lambda f: (
            Fit.LIKELY
            if f.in_convolution or f.of_channels
            else Fit.WEAK
            if is_round(f.wanted) and not f.of_chain
            else Fit.PLAUSIBLE
        ),
        (reason("features-may-be-steps", "got", "wanted"),),
        _TURNED,
        lambda f: (
            not (f.features_first or f.suffix or f.is_keras or f.state_first or f.of_packed)
            and (f.got > f.wanted > 1 or f.of_channels or f.in_convolution)
        ),
    ),
    Rule(
        "shared-cell",
        lambda f: Fit.LIKELY if f.suffix and f.got & (f.got - 1) == 0 else Fit.PLAUSIBLE,
        (reason("features-like-units", "got", "wanted"),),
        _own_layers,
        lambda f: is_round(f.got) and not is_round(f.wanted),
    ),
    Rule(
        "flattened",
        lambda f: Fit.SURE if f.is_flat else Fit.STRONG,
        (reason("features-flattened", "got", "wanted", rows=lambda f: f.got // f.wanted),),
        lambda f: (
            f"x = x.reshape(-1, {f.got // f.wanted}, {f.wanted})   # a row of {f.wanted} at each step, with batch_first=True"
        ),
        lambda f: f.is_flat or not f.is_keras and not f.suffix and f.got == f.wanted**2 and f.wanted >= 8,
    ),
    Rule(
        "unbatched",
        # So few are rather features of data than steps.
        lambda f: Fit.LIKELY if f.got >= FEWEST_STEPS else Fit.POSSIBLE,
        (reason("features-of-numbers", "got"),),
        "x = x.unsqueeze(-1)   # if each step is a single number: (batch, steps, 1) with batch_first=True",
        lambda f: not f.is_keras and not f.suffix and f.wanted == 1,
    ),
    sure(
        "swapped-arguments",
        "state-before-x",
        lambda f: "state = cell(x, state)   # x first" if f.suffix else "output, state = layer(x, state)   # x first",
        lambda f: f.state_first,
    ),
    # In Keras no argument tells the features of x.
    Rule(
        "swapped-arguments",
        lambda f: Fit.STRONG if f.units == f.got else Fit.POSSIBLE if is_round(f.got) else Fit.PLAUSIBLE,
        (
            reason("features-exchanged", "wanted", when=lambda f: f.units != f.got),
            reason("features-of-units", "got", when=lambda f: f.units == f.got),
        ),
        lambda f: advised_lines.making(f.cells, f"{f.got}, {f.wanted}, ...", "input_size first", f.suffix),
        # After another layer, its h may have as many entries; a packed sequence comes from the data.
        lambda f: (
            f.units == f.got
            and (f.of_packed or f.got < f.wanted)
            or not (f.is_keras or f.units)
            and (is_round(f.wanted) or f.got == 1 and f.wanted >= FEWEST_UNITS)
            and (f.has_features_last or not is_round(f.got))
        ),
    ),
    possible(
        "swapped-arguments",
        reason("features-of-state", "wanted", "got"),
        lambda f: "state = cell(x, state)   # x first" if f.suffix else "output, state = layer(x, state)   # x first",
        lambda f: not f.is_keras and is_round(f.wanted) and is_round(f.got) and f.may_have_state,
    ),
)

FEATURES_UNSAID = possible("input-size", reason("features-unsaid", "wanted"), "Input((None, {wanted}))")


def _has_channels_first(reading: Reading, wanted: int, got: int) -> bool:
    """Whether x has the features before the steps, by the shapes around the line or by the two sizes."""
    written = {shape[-2:] for shape in shapes_of_callers(reading)}
    if any(last == got for _, last in written):
        return (wanted, got) in written
    is_layers = is_power(got) or replaces_x(reading) or takes_embedding(reading)
    if 1 < wanted < FEWEST_UNITS and got >= MOST_FEATURES and gives_x_alone(reading) and not is_layers:
        return True  # nobody counts so few features wrong by so many
    # Data seldom have a power of two features, and layers seldom give a number that is no multiple of 8.
    return is_power(wanted) and got > MOST_FEATURES and bool(got % 8) and not is_round(got) and gives_x_alone(reading)


def _units(reading: Reading, cells: tuple[str, ...]) -> int:
    """Return the units of the layer, by the program or by the rows of its weights; 0 if neither tells them."""
    if "rows" in reading.values and len(cells) == 1:
        return reading.size("rows") // GATES.get(cells[0], 1)
    return reading.layer.size("hidden_size") if reading.layer and reading.layer.is_recurrent else 0


@diagnoses("features")
def features(reading: Reading) -> Diagnosis:
    wanted = reading.size("expected")
    got = reading.size("got") if "got" in reading.values else reading.shape("shape")[-1]
    if got < 0:  # such as (None, None, None)
        return Diagnosis(_LAST_AXIS, Facts(wanted=wanted), FEATURES_UNSAID, {"m": wanted})
    is_keras = reading.framework == "Keras"
    cells = cells_of(reading)
    facts = Facts(
        wanted=wanted,
        got=got,
        units=_units(reading, cells),
        of_packed="rows" in reading.values,
        has_features_last="rows" in reading.values or takes_embedding(reading),
        is_keras=is_keras,
        predicts=predicts(reading),
        joined=concatenates_features(reading),
        along_features="" if is_keras else joined_along_features(reading, got, wanted, ("0", "1")),
        cells=cells,
        suffix="Cell" if "inconsistent" in reading.message else "",
        state_first=is_state_first(reading),
        may_have_state=not gives_x_alone(reading),
        features_first=has_features_first(reading),
        in_convolution=is_in_file_of_convolution(reading),
        of_chain=not is_round(got) and replaces_x(reading),
        of_channels=not (is_keras or flattens_steps(reading)) and _has_channels_first(reading, wanted, got),
        of_indices=not is_keras and wanted > 1 and gives_indices(reading),
        is_flat=not is_keras and got > wanted > 1 and got % wanted == 0 and flattens_steps(reading),
    )
    rules = DENSE if is_keras and "dense" in reading.whole.lower() else FEATURES
    layer = stand_in("Keras" if is_keras else "PyTorch", cells[0], m=wanted)
    return Diagnosis(_LAST_AXIS, facts, rules, {"m": wanted, "features": got}, (), layer, given_to(layer, (5, 3, got)))
