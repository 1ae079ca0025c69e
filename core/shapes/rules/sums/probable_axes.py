"""The axes that an array of the reader's line probably has, by its name, with a size that stands for each axis."""

import ast
import re
from collections.abc import Mapping

from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading
from core.shapes.rules.read_layer import FEWEST_UNITS, is_power, is_round, like_batch
from core.shapes.user_code.evidence import is_number_of_steps
from core.shapes.user_code.frames import shapes_of_callers
from core.shapes.user_code.operations import is_layer
from core.shapes.user_code.syntax_trees import function_of, last_name, root_of

# Stand for the sizes: the batch, the steps and the features. They are primes, so that no product or slice of one is another.
BATCH, STEPS, FEATURES = 211, 307, 401
# Another batch, other steps and other features, as the second array may have.
OTHER = {BATCH: 223, STEPS: 349, FEATURES: 433}
NAMES_OF_AXES = {BATCH: "batch", STEPS: "steps", FEATURES: "features", BATCH * STEPS: "batch·steps", 1: "1"}
NAMES_OF_AXES |= {OTHER[size]: NAMES_OF_AXES[size] for size in OTHER}

_NUMBER, _STEPS, _VECTOR, _SEQUENCE = (BATCH,), (BATCH, STEPS), (BATCH, FEATURES), (BATCH, STEPS, FEATURES)
_STATES, _COLUMN = (1, BATCH, FEATURES), (BATCH, STEPS, 1)
_STEPS_FIRST, _SEQUENCE_FIRST, _COLUMN_FIRST = (STEPS, BATCH), (STEPS, BATCH, FEATURES), (STEPS, BATCH, 1)
_PAIR, _PAIR_OF_LAYERS = (_VECTOR, _VECTOR), (_STATES, _STATES)
_FLAT, _TIMES, _PARAMETER = (BATCH * STEPS,), (STEPS,), (FEATURES,)

# A pair of states has the axes of both.
Axes = Mapping[tuple, float]
MASK: Axes = {_STEPS: 0, _NUMBER: 0.3, _STEPS_FIRST: 0.8, _COLUMN: 2}
_WEIGHTS: Axes = {_STEPS: 0, _TIMES: 0.7, _NUMBER: 0.9, _STEPS_FIRST: 1, _VECTOR: 1.1, _SEQUENCE: 1.6}
_GATE: Axes = {_VECTOR: 0, _SEQUENCE: 0.8, _PARAMETER: 1.5}
_DISCOUNTS: Axes = {_TIMES: 0, _STEPS: 0.8}
_REWARDS: Axes = {_STEPS: 0.1, _STEPS_FIRST: 0.1, _NUMBER: 0.7}
_VALUES: Axes = {_COLUMN: 0.1, _COLUMN_FIRST: 0.1, _STEPS: 0.4, _STEPS_FIRST: 0.4, _SEQUENCE: 0.5}
_RESULTS: Axes = {_SEQUENCE: 0.1, _VECTOR: 0.2, _STEPS: 0.5, _NUMBER: 0.6}
_TARGETS: Axes = {_STEPS: 0, _NUMBER: 0, _VECTOR: 0.3, _SEQUENCE: 0.4, _STEPS_FIRST: 0.6}
_PREDICTIONS: Axes = {_VECTOR: 0, _SEQUENCE: 0, _STEPS: 0.2, _COLUMN: 0.4, _NUMBER: 0.6, _COLUMN_FIRST: 0.8}
_STATE: Axes = {_VECTOR: 0, _STATES: 0.3, _PAIR_OF_LAYERS: 0.8, _PAIR: 0.9, _SEQUENCE: 1.5}
_FIRST_STATE: Axes = {_STATES: 0, _VECTOR: 0.05}  # h of a pair, or one layer of h
_OF_SAMPLE: Axes = {_VECTOR: 0, _SEQUENCE: 0.9, _PARAMETER: 1.5}
_OF_STEPS: Axes = {_SEQUENCE: 0, _SEQUENCE_FIRST: 0.8, _VECTOR: 0.9}
_INPUT: Axes = {_SEQUENCE: 0, _VECTOR: 0.5, _SEQUENCE_FIRST: 0.8, _NUMBER: 1.5}
_ATTRIBUTE: Axes = {_PARAMETER: 0, _VECTOR: 2, _SEQUENCE: 2}
PLACES: Axes = {(1, STEPS, FEATURES): 0, (STEPS, FEATURES): 0.2}
_UNKNOWN: Axes = {_VECTOR: 0.3, _SEQUENCE: 0.3, _STEPS: 1, _NUMBER: 1.2, _SEQUENCE_FIRST: 1.2, _STATES: 2}

# How people name arrays, the surest way first, and how improbable each of the axes is for such a name.
_BY_NAME: tuple[tuple[re.Pattern[str], Axes], ...] = tuple(
    (re.compile(pattern), axes)
    for pattern, axes in (
        (r"mask|done|valid|active|finish|alive|^pad|keep|^is_|^not_", MASK),
        (r"^arange$|^steps$", {_TIMES: 0}),
        (r"len(?:gth)?s?$|count|^n_tok", {_NUMBER: 0}),
        (r"loss|nll|^ce$|^bce$", {_FLAT: 0.3, _NUMBER: 0.3, _STEPS: 0, _SEQUENCE: 0.8}),
        (r"^eps|^temp|^lr$|^d_?[kq]$|^tau$", {(): 0, _VECTOR: 0.3, _SEQUENCE: 0.6}),
        (r"^pe$|table|^pos(?:_|$|enc|emb|ition)(?!weight)", PLACES),
        (r"gate|^[grif]$|_gate$|_t$|^[xh]t$|prev", _GATE),
        (r"discount|decay|gammas$", _DISCOUNTS),
        (r"reward|return|^adv|^ret$", _REWARDS),
        (r"values?$|baseline|critic", _VALUES),
        (r"sample_?w|seq\w*_w", {_NUMBER: 0, _STEPS: 0.8}),
        (r"alpha|att(?!r)|weight|score|prob|coef|energ|importance|^[aw]$", _WEIGHTS),
        (r"^y$", _RESULTS),
        (r"y_?(?:true|batch|b|t)$|target|label|truth|^gt$|^tgt$", _TARGETS),
        (r"pred|y_?hat|logit|forecast", _PREDICTIONS),
        (r"^(?:h\d?|c\d?|hx|cx|hn|cn|ht|hc|h_\w+|c_\w+|hid\w*|\w*state|\w+_h)$", _STATE),
        (r"memory|^mem$|bank|slots|keys$|enc(?:oder)?_?out|outputs|emb|seq|frames|feats|hs$|states$|hiddens", _OF_STEPS),
        (r"^(?:q|k|z|v|u|s)$|query|key|ctx|context|vec|pool|last|final|summar|static|cond|style|spk|speaker", _OF_SAMPLE),
        (r"user|item|^mu$|^mean|std|sigma|log_?var|gamma|beta|latent|code|img|image|topic", _OF_SAMPLE),
        (r"^(?:x|xs|xb|out|output|o|enc|inp|inputs?|src|feat\w*|res|residual)$|_out$|_in$", _INPUT),
    )
)  # fmt: skip


def axes_of(leaf: ast.expr) -> Axes:
    """Return the shapes that an array may have, by its name, and how improbable each one is."""
    if isinstance(leaf, ast.Compare):
        return MASK
    if function_of(leaf) in ("arange", "linspace"):
        return {_TIMES: 0}
    if function_of(leaf) in ("cat", "concat", "concatenate") and isinstance(leaf, ast.Call) and leaf.args:
        parts = getattr(leaf.args[0], "elts", leaf.args)
        return {shape: cost for shape, cost in axes_of(parts[0]).items() if FEATURES in shape} or _UNKNOWN
    name = last_name(root_of(leaf)).lower()
    if isinstance(leaf, ast.Subscript) and isinstance(leaf.slice, ast.Constant):
        name = str(leaf.slice.value).lower()
    if isinstance(leaf, ast.Call) and is_layer(leaf) and leaf.args:
        name = last_name(leaf.func).lower()
        found = _named(name)
        given = found if found else _named(last_name(root_of(leaf.args[0])).lower())
        if given is _STATE and isinstance(leaf.args[0], ast.Subscript) and ast.unparse(leaf.args[0].slice) == "0":
            return _FIRST_STATE
        made = {shape: cost for shape, cost in (given or _UNKNOWN).items() if FEATURES in shape}
        return made or _UNKNOWN
    is_attribute = isinstance(leaf, ast.Attribute) and ast.unparse(leaf.value) == "self"
    found = _named(name)
    return _ATTRIBUTE if is_attribute and found not in (_STATE, PLACES) else found or _UNKNOWN


def _named(name: str) -> Axes | None:
    return next((axes for pattern, axes in _BY_NAME if pattern.search(name)), None)


def kind_of(size: int) -> int:
    """Return the size of this kind of axis, also for that of the second array."""
    return next((one for one, other in OTHER.items() if other == size), size)


def written(shape: Shape) -> str:
    """Return the names of the axes of a shape, such as (batch, steps, features)."""
    return f"({', '.join(NAMES_OF_AXES.get(size, 'steps') for size in shape)}{',' * (len(shape) == 1)})"


# A batch or a sequence is seldom larger.
_LARGEST_BATCH, _LARGEST_STEPS = 512, 1000
# Two sizes of which one is a little smaller may both be numbers of steps.
_NEAR, _NEARER = 0.75, 0.9
# Numbers of steps that are one apart: one of the sequences is shifted by a step. Smaller sizes are one apart by chance.
_FEWEST_SHIFTED = 5


def improbable(reading: Reading, kind: int, size: int, met: int) -> float:
    """Return how improbable a size is for an axis of this kind that meets another one, by itself and by what the text tells."""
    is_other, kind = kind in OTHER.values(), kind_of(kind)
    first = {one for shape in shapes_of_callers(reading) if len(shape) == 3 for one in shape[:2]}
    if kind == FEATURES:
        is_usual = is_round(size) or max(size, met) == 2 * min(size, met)
        return (0 if is_usual else 0.25 if max(size, met) >= FEWEST_UNITS else 0.5) + (1.0 if size in first else 0)
    told = -0.7 if size in first else 0.0
    if kind == BATCH:
        return told + (0 if like_batch(size) else 0.4) + (1.5 if size > _LARGEST_BATCH else 0)
    if is_number_of_steps(reading, size):
        told -= 0.7
    ratio = min(size, met) / max(size, met) if is_other else 0
    is_shifted = is_other and abs(size - met) == 1 and size > _FEWEST_SHIFTED
    told -= 0.5 * (ratio > _NEAR) + 0.2 * (ratio > _NEARER) + 0.4 * is_shifted
    return told + (0.5 if is_power(size) and size >= 64 else 0) + (0.7 if size > _LARGEST_STEPS else 0)
