"""The sentences on the findings of a model: one for each code of `core.model_diagnosis`, with its rule and its threshold."""

from collections.abc import Sequence
from dataclasses import asdict
from math import floor, inf, isfinite

from core.cells.protocol import Cell
from core.cells.symbols import symbol_of
from core.exchange.model_files.contents import CELLS_OF_FILES
from core.model_diagnosis import DirectionRun, ModelDiagnosis, ModelFinding, Thresholds
from core.model_diagnosis.thresholds import (
    BY_CHANCE,
    CERTAIN_ORDER,
    CLEARLY_MORE,
    FEW_NEIGHBOURS,
    FEWEST_STEPS,
    FEWEST_UNITS,
    FRACTION_OF_PADDING,
    LARGER_WEIGHTS,
    LARGEST_FORGET_BIAS,
    LARGEST_OF_FLOAT16,
    MEAN_OF_FORGETTING,
    MOST_LEVELS,
    UNRELATED,
    USUAL_INPUT,
    WEAK_PATTERN,
)
from core.number_format import number
from dashboard.text.plural import Plural, Template, fill
from dashboard.text.words import enumerated, in_sentence, listed

WARNINGS, MORE, NUMBERS = "Diagnosis", "More warnings ({count})", "Measured values"
NOTHING = "The page found no fault in this network with this input. Saturation of a gate is not in itself a fault."
NOTHING_IN_NOISE = "The page found no fault in this network with random inputs. Your own inputs may show one."
SENTENCES: dict[str, Template] = {
    "zeroed layer": "All its weights are 0, so its output does not depend on its input.",
    "zeroed block": "All weights of {symbol} are 0.",
    "swapped gates": "The gates seem to be in another framework's order, or the forget bias was set in the place of another gate. The median of {symbol} is {value}, which is usual for a forget bias, but the median forget bias is {forget_bias}.",
    "small recurrence": "The recurrent weights multiply the norm of a typical state by only {value}, so h_{{t−1}} has almost no effect. A strong weight decay (a penalty on large weights) can do this.",
    "common sign": "In every recurrent matrix, at least {percent}% of the weights have the same sign. Perhaps all started from a constant, or from positive numbers. Initialize them around 0, with random signs.",
    "unusual gate order": "The gates seem to be in another framework's order. Usually the weights of i_t and o_t correlate most. Here their correlation is only {usual}, and that of {symbol} with another matrix is {value}.",
    "misplaced candidate": "The weights of the candidate seem to be in {symbol}, so the gates seem to be in another framework's order. The signs of the weights in the candidate's place depend on those of a gate. This dependence is {value} standard deviations from chance.",
    "swapped update gate": "The reset gate and the update gate seem to be swapped: PyTorch has the reset gate first, and Keras the update gate. In the place of the update gate, the pattern of a reset gate is {value} standard deviations from chance.",
    "same weights": "The recurrent weights are exactly those of {other}.",
    "lost biases": "All biases are 0, although the weights look trained. Training changes biases, so they seem to be lost or frozen (excluded from training).",
    "rounded weights": "The recurrent weights are rounded to {value} levels, as after quantization to {bits} bits. Compare the accuracy with that of the original network.",
    "swapped weights": "The recurrent weights and the input weights seem to be swapped. The input weights have the pattern that training leaves in recurrent ones. It is {value} standard deviations from chance.",
    "transposed recurrence": "The recurrent weights seem to be transposed. Between the gates, the correlation of the rows is {value}, and that of the columns is only {columns}.",
    "sparse recurrence": "{percent}% of the recurrent weights are exactly 0. Pruning does this, or dropout on these weights if they are saved in training mode.",
    "low rank": Plural(
        "count",
        "All recurrent weights have a low rank: 1 of {of} in each matrix.",
        "All recurrent weights have a low rank: at most {value} of {of} in each matrix.",
    ),
    "low rank block": "{symbol} has a low rank: {value} of {of}.",
    "unread units": "No gate and no candidate reads the state of {units}: these columns of the recurrent weights are 0.",
    "float16": f"|{{symbol}}| reaches {{largest}}{{step}} in {{units}}. The largest number of float16 is {LARGEST_OF_FLOAT16:.0f}.",
    "exploding": "A gradient explodes. From step {last} back to step {first} its norm grows by a factor of {value}, mostly in {units}.",
    "outlying eigenvalue": "One direction of h_{{t−1}} grows far more than others, mostly in {units}. It is an eigenvector of {symbol}, which multiplies its norm by {value}, and the norm of a typical vector by {size}.",
    "large recurrence": "The recurrent weights are large: they multiply the norm of a typical state by {value}. They are {ratio} times as large as the input weights. A learning rate that is too large can do this, or an initialization with large weights.",
    "large weights": "The recurrent weights are large: they multiply the norm of a typical state by {value}. A learning rate that is too large can do this, or an initialization with large weights.",
    "forget bias low": "The forget bias is low: its median is {value}, and f_t has a mean of {mean}. While f_t is close to 0, the cell state forgets almost everything at each step.",
    "gate stuck closed": "A gate is stuck: in {units}, {symbol} is closed at {percent}% of the steps.",
    "gate stuck open": "A gate is stuck: in {units}, {symbol} is open at {percent}% of the steps.",
    "stuck gates": "Gate values are stuck in {units}: {gates}.",
    "dead units": "Dead: {units}. At every step, {symbol} is saturated or h_t is close to 0.",
    "dead units of an RNN": "Dead: {units}. At every step, h_t is saturated or close to 0.",
    "dead ReLU": "Dead: {units}. Their h_t is 0 at every step, so no gradient reaches their weights. With ReLU, a learning rate that is too large or a negative bias can do this.",
    "copied units": "Copies of each other: {units}. At every step, they have the same h_t.",
    "constant units": "Constant: {units}. From step {first} on, h_t hardly changes.",
    "constant input": "The input is the same at every step in {units} of x_t, so it tells the network nothing. Check how this part of the data is made.",
    "padded input": "The input seems to be padded at its end: in {padded} of {sequences} sequences the last steps are 0, up to {value} of {steps}. Without pack_padded_sequence or a mask, output[-1] and h_n come after this padding.",
    "padded tokens": "The input seems to be padded at its end: of {steps} steps, up to {value} at the end have the same token. The last state comes after this padding. Leave the padding out: in PyTorch with pack_padded_sequence, in Keras with mask_zero=True if the token is 0.",
    "swapped axes": "The steps and the sequences of the input seem to be swapped. The correlation of neighbouring sequences is {value}, and that of neighbouring steps is {steps_alike}. Choose the other value of First axis. If the batch comes first in your array, train with batch_first=True.",
    "large input": "The input is too large: {units} of x_t. The largest root mean square is {value}, and the median size of W_x x_t is {product}. Standardize the input.",
    "small input": "The input is too small: it moves no pre-activation by more than {value}. Standardize the input.",
    "unread input": "All input weights are 0 for {units} of x_t.",
    "untrained layer": "The layer looks untrained. All weights lie within ±{value}, distributed as PyTorch or Keras initializes them. It may be frozen (excluded from training), or missing from the optimizer.",
    "untrained recurrence": "The recurrent weights look untrained, unlike the input weights: they lie within ±{value}, distributed as PyTorch or Keras initializes them. Perhaps they are frozen (excluded from training).",
    "untrained backward recurrence": "The recurrent weights look untrained: they lie within ±{value}, distributed as PyTorch or Keras initializes them. In output[-1], this direction has read only one step. If the network uses output[-1], use h_n instead.",
    "forget bias": "The biases {symbol} lie between {lowest} and {highest}, with a median of {value}.",
    "memory": Plural(
        "count",
        "The median half-life of the memory is 1 step. The shortest is {shortest}, and the longest is {longest}.",
        "The median half-life of the memory is {value} steps. The shortest is {shortest}, and the longest is {longest}.",
    ),
    "horizon": Plural(
        "count",
        "The gradient horizon is 1 step. Further back, the median gain is below {threshold}.",
        "The gradient horizon is {value} steps. Further back, the median gain is below {threshold}.",
    ),
    "horizon of the input": Plural(
        "count",
        "The gradient horizon is 1 step, which is the whole input. A longer input can show a longer horizon.",
        "The gradient horizon is {value} steps, which is the whole input. A longer input can show a longer horizon.",
    ),
    "largest gain": "The largest gain of a gradient is {value}, from step {last} back to step {first}.",
    "initial weights": "The network looks untrained. All weights lie within ±{value}, distributed as PyTorch or Keras initializes them. If you trained it, its layers may be frozen (excluded from training).",
    "radius": "The spectral radius of {symbol}, its largest |eigenvalue|, is {value}.",
    "orthogonality": "For W = {symbol}, ‖WᵀW − I‖_F/√k is {value}. It is 0 for an orthogonal W (WᵀW = I), which keeps the norm of every vector. ‖·‖_F is the square root of the sum of the squared entries.",
    "headroom": "The largest absolute value in {symbol} is {largest}. Its headroom in float16 is {value}: if it grows by a larger factor, it overflows.",
    "absent input": "This input never uses {units} of x_t.",
}
GAIN_BELOW, GAIN_ABOVE = (
    f"The factor by which the recurrent weights multiply the norm of a state (root mean square, median over the matrices) is {side} {{threshold}}"
    for side in ("below", "above")
)
# Small inputs move all units little.
SCALED = "If the largest movement of any h_t is 0.1, for example, this threshold is 10 times smaller."
INITIAL = "All weights are uniform within ±1/√k, as in PyTorch. Or the recurrent ones are orthogonal and the others uniform, as in Keras."
# The rule that decides, by code.
RULES = {
    "zeroed layer": "The largest of all its weights is below 10⁻⁸.",
    "zeroed block": "The largest weight of the matrix is below 10⁻⁸.",
    "swapped gates": f"The median bias of another block is between {{threshold}} and {LARGEST_FORGET_BIAS:g}, and more than twice every other median. In a trained layer, the input weights of f_t and the unswapped gate correlate at least as much as those of i_t and o_t. Only an LSTM has this rule.",
    "small recurrence": f"{GAIN_BELOW}.",
    "common sign": "In every matrix, the mean of the recurrent weights is more than {threshold} standard deviations from chance, always with the same sign. An RNN does not have this rule.",
    "unusual gate order": f"Among the recurrent weights, a pair other than i_t and o_t has a correlation above {{threshold}}, and more than {CLEARLY_MORE} above every other pair. The input weights of that pair correlate at least as much as those of i_t and o_t. In a trained LSTM, i_t and o_t correlate most.",
    "misplaced candidate": f"In the candidate's place, the signs of the rows depend on those of a gate, by more than {{threshold}} standard deviations from chance. In another matrix, this dependence is at most {BY_CHANCE} standard deviations from chance, and so is the mean. A candidate can change its sign together with h_t, so its signs are random.",
    "swapped update gate": f"The reset gate multiplies W_hh h + b_hh. So training makes its rows like those of the candidate where b_hh is positive, and opposite where it is negative. In the update gate's place, this pattern is more than {{threshold}} standard deviations from chance, and in the reset gate's place less than {WEAK_PATTERN:g}. The recurrent weights in the reset gate's place are more than {LARGER_WEIGHTS:g} times as large as those in the other place. Only a GRU with reset_after=True has this rule.",
    "same weights": "All recurrent weights are equal. Training makes those of different layers and directions differ.",
    "lost biases": "The file has biases, and the largest is below 10⁻⁸. The weights of two gates are similar, or the input and the recurrent weights are. The similarity is more than {certain} standard deviations from chance.",
    "rounded weights": f"All recurrent weights, or all of each unit, are multiples of one number. From the lowest to the highest there are at most {MOST_LEVELS} levels.",
    "swapped weights": f"After training, units with similar incoming weights also have similar outgoing weights. In the input weights, this similarity is more than {{threshold}} standard deviations from chance, and in the recurrent weights at most {BY_CHANCE}.",
    "transposed recurrence": "Between the gates, the correlation of the rows (W Wᵀ) is above twice {threshold}, and more than {threshold} above that of the columns (Wᵀ W). It is more than {certain} standard deviations from chance. Training makes the columns alike, because all gates read the same state.",
    "sparse recurrence": f"The fraction of recurrent weights below 10⁻⁸ is above {{threshold}}. Diagonals do not count, nor do rows and columns of 0. Layers of fewer than {FEWEST_UNITS} units do not have this rule.",
    "low rank": "In every block, at most half of the singular values are above {threshold} times the largest one.",
    "low rank block": "At most half of the singular values are above {threshold} times the largest one.",
    "unread units": "The largest recurrent weight on the unit is below 10⁻⁸.",
    "float16": f"The limit {LARGEST_OF_FLOAT16:.0f} of float16, divided by the largest number, is below {{threshold}}.",
    "exploding": "The gain of a gradient over any distance is above {threshold}.",
    "outlying eigenvalue": "The spectral radius is above {threshold}, and above 3 times the norm factor.",
    "large recurrence": f"{GAIN_ABOVE}. The standard deviation of the recurrent weights is more than {{ratio}} times that of the input weights.",
    "forget bias low": f"The median forget bias is below {{threshold}}, and the mean of f_t is below {MEAN_OF_FORGETTING:g}.",
    "gate stuck closed": "The fraction of the gate's units that are closed is at least {stuck_units}. A unit counts as closed if the fraction of steps at which its gate is closed is at least {threshold}.",
    "gate stuck open": "The fraction of the gate's units that are open is at least {stuck_units}. A unit counts as open if the fraction of steps at which its gate is open is at least {threshold}.",
    "stuck gates": "Each of these gates is below {threshold} at every step, or within {threshold} of 1 at every step.",
    "dead units": f"The derivative is below {{threshold}} times its maximum at every step. Or |h_t| is 0 or below {{moves}} at every step. {SCALED}",
    "copied units": f"The h_t of these units differ by less than {{threshold}} at every step. {SCALED}",
    "constant units": f"h_t moves by at most {{threshold}} over the last three quarters of the steps. {SCALED}",
    "constant input": "The entry is the same at every step, and the input is not one-hot.",
    "padded input": "In each sequence, x_t = 0 only in the last steps. The number of these steps is not the same in all sequences.",
    "padded tokens": f"At the end of a sequence, at least {FEWEST_STEPS} steps and {FRACTION_OF_PADDING:.0%} of all steps have the same token. No other step has it.",
    "swapped axes": f"The mean over the sequences is subtracted. Then neighbouring sequences have a correlation above {{threshold}}, and {1 - FEW_NEIGHBOURS:.0%} of the pairs have one above {UNRELATED:g}. Steps at distances of 1 to 3 have a correlation within ±{UNRELATED:g}. In another order, the mean product of neighbouring sequences would be smaller by more than {CERTAIN_ORDER:g} standard deviations. The sequences of a batch have no order.",
    "large input": "The root mean square of the entry is above {threshold}, and the median size of W_x x_t is above 4.",
    "small input": f"Over all steps, the range of W_x x_t is below {{threshold}} in every unit, and every root mean square of x_t is below {USUAL_INPUT}.",
    "untrained layer": f"{INITIAL} At least one other layer has other weights.",
    "untrained recurrence": "The recurrent weights are uniformly distributed within ±1/√k, or orthogonal as in Keras.",
    "untrained backward recurrence": "The recurrent weights are uniformly distributed within ±1/√k, or orthogonal as in Keras.",
    "unread input": "The largest input weight of the entry is below 10⁻⁸.",
}
# The rules of a gate that a few units fix at every step have the threshold of that fixing.
FROZEN = {
    "gate stuck closed": "The gate is below {threshold} at every step.",
    "gate stuck open": "The gate is within {threshold} of 1 at every step.",
}
ALONE = f"{GAIN_ABOVE}. The input weights do not count."
# The titles of the panels that prove a finding, by code; those of the others follow from the symbol.
OVER_TIME, STATE_OVER_TIME, OPEN_AND_CLOSED, MEMORY, GAINS, WEIGHTS, BIASES, INPUT = (
    *(
        "Gates and state over time",
        "State over time",
        "Open and closed gates",
        "Memory of each unit",
        "Gain of gradients",
    ),
    *("Weights", "Biases", "Input over time"),
)
PROOFS = {
    **dict.fromkeys(("swapped gates", "forget bias low", "forget bias", "lost biases"), BIASES),
    **dict.fromkeys(("exploding", "horizon", "horizon of the input", "largest gain"), GAINS),
    **dict.fromkeys(("gate stuck closed", "gate stuck open", "stuck gates"), OPEN_AND_CLOSED),
    **dict.fromkeys(("dead units", "copied units", "constant units"), OVER_TIME),
    **dict.fromkeys(
        (
            "constant input",
            "padded input",
            "padded tokens",
            "swapped axes",
            "large input",
            "small input",
            "absent input",
        ),
        INPUT,
    ),
    "memory": MEMORY,
    "unread units": WEIGHTS,
}
PROOFS_OF_KINDS = {"weights": WEIGHTS, "bias": BIASES, "input": INPUT}
# The further numbers of a finding, by name.
NUMBER_NAMES = {
    "bits": "bits",
    "chance": "standard deviations of the block",
    "columns": "correlation of the columns",
    "difference": "largest difference",
    "distance": "distance in steps",
    "each step": "gain of each step",
    "forget bias": "median forget bias",
    "highest": "highest",
    "largest": "largest magnitude",
    "largest of the others": "largest median of the other biases",
    "longest": "longest half-life",
    "lowest": "lowest",
    "mean": "mean of the gate",
    "order": "standard deviations of their order",
    "padded": "padded sequences",
    "product": "median size of W_x x_t",
    "radius": "spectral radius",
    "range": "largest range",
    "ratio": "ratio to the input weights",
    "ratio of the gates": "ratio of the recurrent weights in the two places",
    "recurrent": "standard deviations of the recurrent weights",
    "reset": "standard deviations of the reset gate's place",
    "root mean square": "largest root mean square",
    "sequences": "sequences",
    "shortest": "shortest half-life",
    "size": "norm factor",
    "slope": "smallest relative derivative",
    "steps": "steps",
    "steps alike": "correlation of neighbouring steps",
    "usual": "correlation of the input and output gates",
}
# The number that proves a finding, by code.
VALUE_NAMES = {
    **dict.fromkeys(("swapped gates", "forget bias low", "forget bias"), "median bias"),
    **dict.fromkeys(("float16", "headroom"), "headroom"),
    **dict.fromkeys(("exploding", "largest gain"), "gain"),
    **dict.fromkeys(("outlying eigenvalue", "radius"), "spectral radius"),
    **dict.fromkeys(("gate stuck closed", "gate stuck open"), "fraction of steps"),
    **dict.fromkeys(("stuck gates", "dead units", "copied units", "constant units", "unread units"), "units"),
    **dict.fromkeys(("constant input", "unread input", "absent input"), "entries"),
    **dict.fromkeys(("large recurrence", "small recurrence"), "norm factor"),
    **dict.fromkeys(("low rank", "low rank block"), "rank"),
    "unusual gate order": "correlation",
    "misplaced candidate": "standard deviations of the candidate's place",
    "swapped update gate": "standard deviations of the update gate's place",
    "same weights": "equal weights",
    "lost biases": "largest bias",
    "rounded weights": "levels",
    "transposed recurrence": "correlation of the rows",
    "swapped weights": "standard deviations of the input weights",
    **dict.fromkeys(("common sign", "sparse recurrence"), "fraction of the weights"),
    **dict.fromkeys(("padded input", "padded tokens"), "padded steps"),
    "swapped axes": "correlation of neighbouring sequences",
    "large input": "root mean square",
    **dict.fromkeys(
        ("untrained layer", "untrained recurrence", "untrained backward recurrence", "initial weights"),
        "range of the weights",
    ),
    "small input": "largest range",
    "memory": "median half-life",
    **dict.fromkeys(("horizon", "horizon of the input"), "steps"),
    "orthogonality": "distance",
}

# A gate of float32 that is below 1 has a half-life of at most 2^24 ln 2 steps.
LONGEST_LIFE, LASTING = 1e7, "over 10 million"
PLACE, WHERE = "layer {layer}, {direction}", "Layer {layer}, {direction}: {sentence}"
SAME_AS = "same as {other}"
DIRECTIONS = ("forward", "backward")
UNITS = "{count} of {of} units ({named})"
UNIT, ALL_UNITS = "unit {named}", "all {of} units"
ENTRY, ENTRIES = "entry {named}", "entries {named}"
AT_STEP = " at step {step}"
# A gate of a finding on several, and the two ways in which it can be stuck, by code.
GATE = "{symbol} ({ways})"
WAYS = {"gate stuck open": "open in {units}", "gate stuck closed": "closed in {units}"}
COUNTED = Plural("count", "1 unit", "{count} units")
NAMED = Plural("count", "unit {named}", "units {named}")
MOST_NAMED = 8
FIRST_NAMED = "{named}…"


def nothing(how: str) -> str:
    """Return the sentence on a network without a fault, for an input by its code."""
    return NOTHING_IN_NOISE if how == "noise" else NOTHING


def symbol(cell: Cell, name: str) -> str:
    """Return the symbol of an array or of a field of a step, with all of its index below, such as W_{fh}."""
    found, (letter, _, index) = symbol_of(cell, name), name.partition("_")
    return f"{letter}_{{{index}}}" if found == name and len(index) > 1 else found


def of_diagnosis(made: ModelDiagnosis, one: ModelFinding) -> str:
    """Return the sentence of a finding of a diagnosis."""
    gates = gate_parts(made, one, COUNTED)
    own = symbol(CELLS_OF_FILES[made.layers[one.layer].cell], one.symbol)
    return finding(one, own, listed(gates) if gates else "")


def gate_parts(made: ModelDiagnosis, one: ModelFinding, template: Plural) -> list[str]:
    """Return each gate of a finding on several, with the count of its units (`COUNTED`) or their numbers (`NAMED`)."""
    ways: dict[str, list[str]] = {}
    for part in one.parts:
        units = fill(template, {"count": len(part.units), "named": enumerated(map(str, part.units))})
        ways.setdefault(part.symbol, []).append(WAYS[part.code].format(units=units))
    cell = CELLS_OF_FILES[made.layers[one.layer].cell]
    return [GATE.format(symbol=symbol(cell, name), ways=enumerated(each)) for name, each in ways.items()]


def finding(one: ModelFinding, symbol: str, gates: str = "") -> str:
    """Return the sentence of a finding, with its layer and direction.

    Parameters
    ----------
    one : ModelFinding
    symbol : str
        Its symbol as the equations have it.
    gates : str, optional
        The gates of a finding on several.
    """
    first, last = one.steps or (0, 0)
    values = {
        "symbol": symbol,
        "value": lasting(one.value) if one.code == "memory" else rounded(one.value, 2),
        "count": one.value,
        "threshold": exact(one.threshold or 0),
        "percent": percent(one.value),
        "of": one.of,
        "gates": gates,
        "units": units(one.units, 0 if symbol.startswith("x_t") else one.of),
        "first": first,
        "last": last,
        "other": place(*one.other) if one.other else "",
        "step": AT_STEP.format(step=first) if one.steps else "",
        **{
            name.replace(" ", "_"): lasting(value) if one.code == "memory" else rounded(value, 2)
            for name, value in one.numbers.items()
        },
    }
    sentence = fill(SENTENCES[_sentence(one, symbol)], values)
    return WHERE.format(layer=one.layer + 1, direction=DIRECTIONS[one.direction], sentence=sentence)


def _sentence(one: ModelFinding, symbol: str) -> str:
    """Return the key of the sentence of a finding."""
    if one.code == "dead units" and symbol == "h_t":
        return "dead units of an RNN" if one.numbers["largest"] or one.numbers["slope"] else "dead ReLU"
    return "large weights" if one.bound == "alone" else one.code


def place(layer: int, direction: int) -> str:
    """Return the name of a direction of a layer, both counted from 0."""
    return PLACE.format(layer=layer + 1, direction=DIRECTIONS[direction])


def lasting(steps: float, decimals: int = 2) -> str:
    """Return a half-life in words, if it is so long that its gate may be 1 in float32, or as a number."""
    return LASTING if steps > LONGEST_LIFE else rounded(steps, decimals)


def rounded(value: float, decimals: int) -> str:
    """Return a number that was found, without decimals from 100 on."""
    if value == inf:
        return "∞"
    return in_sentence(value, 0 if 100 <= abs(value) < 1e6 else decimals)


def percent(fraction: float) -> str:
    """Return a fraction in percent, rounded down, so that 100% means all and "at least" stays true."""
    # The value of a finding that is no fraction may be infinite.
    return number(floor(1000 * fraction + 1e-9) / 10 if isfinite(fraction) else fraction, 1)


def exact(threshold: float) -> str:
    """Return a threshold with the digits that it was given."""
    return f"{threshold:.12g}".replace("e-0", "e−").replace("-", "−")


def units(named: Sequence[int], of: int) -> str:
    """Return units, or the entries of x_t if `of` is 0, in words."""
    first = enumerated(map(str, named[:MOST_NAMED]))
    some = FIRST_NAMED.format(named=first) if len(named) > MOST_NAMED else first
    if not of:
        return (ENTRY if len(named) == 1 else ENTRIES).format(named=some)
    if of == 1:
        return UNIT.format(named=1)
    if len(named) in (0, of):
        return ALL_UNITS.format(of=of)
    return UNIT.format(named=some) if len(named) == 1 else UNITS.format(count=len(named), of=of, named=some)


def rule(one: ModelFinding, bounds: Thresholds) -> str:
    """Return the rule of a warning with its threshold and the other thresholds in its sentence; an empty text for a number."""
    sentence = RULES.get(one.code, "")
    if one.bound == "frozen":
        sentence = FROZEN.get(one.code, sentence)
    elif one.bound == "alone":
        sentence = ALONE
    return sentence.format(
        threshold=exact(one.threshold or 0), **{name: exact(value) for name, value in asdict(bounds).items()}
    )


def proof(made: ModelDiagnosis, one: ModelFinding) -> str:
    """Return the title of the panel that proves a finding of a diagnosis."""
    title = PROOFS.get(one.code) or _proof_of_symbol(CELLS_OF_FILES[made.layers[one.layer].cell], one)
    if title == OVER_TIME:
        return over_time(next(each for each in made.runs if each.layer == one.layer))
    return title


def over_time(run: DirectionRun) -> str:
    """Return the title of the panel of the gates and states of a cell; an RNN has no gates."""
    return OVER_TIME if run.gate_symbols else STATE_OVER_TIME


def _proof_of_symbol(cell: Cell, one: ModelFinding) -> str:
    made_of = cell.ARRAYS
    # A symbol that is no array of the cell belongs to a step.
    is_step = bool(one.symbol) and one.symbol not in made_of
    return OVER_TIME if is_step else PROOFS_OF_KINDS[made_of[one.symbol].kind if one.symbol else "weights"]
