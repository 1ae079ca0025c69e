"""Layers of Keras that are concatenated, added or multiplied by each other, as scores between two sequences are."""

import ast
import re

from core.shapes.layer_shapes import Shape, differing_axes, format_shape
from core.shapes.messages import Reading, shape
from core.shapes.rules.fits import plausible, strong, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, first_of, reason, rules_of
from core.shapes.rules.sums.elementwise import ENTRY_BY_ENTRY
from core.shapes.user_code.changed_calls import with_expression
from core.shapes.user_code.keras_calls import merged_layers, recurrent_line
from core.shapes.user_code.syntax_trees import function_of, tree_of


def _along_layers_axis(facts: Facts) -> str:
    """Return the join of layers along the axis that differs, or the last one."""
    shapes: list[Shape] = [*map(shape, re.findall(r"\([^()]{1,80}\)", facts.shapes)), (), ()]
    left, right = shapes[:2]
    differ = differing_axes(left, right)
    if differ == [0]:
        return "# all that is concatenated must have the same batch"
    if left[:-1] == right or right[:-1] == left:
        parts = "[tf.expand_dims(h, -1), x]" if right[:-1] == left else "[h, tf.expand_dims(x, -1)]"
        return f"layers.Concatenate(axis=-1)({parts})   # one more column"
    if differ == [1, 2] and left[2] == right[1] > 1:
        return "h = layers.Permute((2, 1))(h)   # if its steps and features are swapped"
    if differ == [1, 2] and left[2] > 0:
        return f"layers.Concatenate(axis=1)([h, layers.Dense({left[2]})(x)])   # one after the other in time, with as many features"
    return f"layers.Concatenate(axis={differ[0] if len(differ) == 1 and differ[0] else -1})([h, x])"


def _layers_of_steps(pair: list[Shape]) -> tuple[str, str, int] | None:
    """Return which of two layers gives one vector, which gives all steps, and how many; None if both give the same."""
    if sorted(map(len, pair)) != [2, 3]:
        return None
    return ("x", "h", pair[0][1]) if len(pair[0]) == 3 else ("h", "x", pair[1][1])


def _of_program(reading: Reading, of_steps: tuple[str, str, int] | None) -> tuple[str, str, int] | None:
    """Return the layers under the names of the reader's program, where it joins two of them once."""
    names = re.findall(r"Concatenate\([^()\n]{0,40}\)\(\[(\w{1,40}), (\w{1,40})\]\)", reading.whole)
    if of_steps is None or len(set(names)) != 1 or reading.own:
        return of_steps
    own = dict(zip("hx", names[0]))
    return own[of_steps[0]], own[of_steps[1]], of_steps[2]


def _with_steps(facts: Facts) -> str:
    """Return the lines that give both layers steps, or neither."""
    vector, sequence, steps = facts.of_steps
    last = f"{sequence} = {sequence}[:, -1]   # if its last step is meant"
    if steps < 1:
        return last
    if steps == 1:
        return f"{sequence} = layers.Flatten()({sequence})   # one vector for each sample, without the axis of 1"
    if facts.units > 0:
        last += f"\n{facts.all_steps}" * bool(facts.all_steps)
    if facts.entries == steps:
        last = f"{vector} = layers.Reshape(({steps}, 1))({vector})   # if each of its entries is a step\n{last}"
    repeated = f"{vector} = layers.RepeatVector({steps})({vector})   # the same at each of the {steps} steps"
    return f"{last}\n{repeated}" if facts.of_output or facts.entries == steps else f"{repeated}\n{last}"


JOIN_LAYERS: Rules = (
    strong(
        "steps",
        (reason("join-layers", "shapes"), reason("join-other-steps", left="steps[0]", right="steps[1]")),
        lambda f: (
            _with_steps_of_longer(f)
            + '\nlayers.Conv1D(..., padding="same")   # if a convolution without padding dropped the steps'
            * (not _pooled(*f.steps) and not f.repeated)
        ),
        lambda f: f.steps,
        is_own=lambda f: f.repeated,
    ),
    *first_of(
        sure(
            "steps",
            reason("join-layers", "shapes"),
            own="attended",
            note="if an attention makes it: its query gives the steps",
        ),
        strong("unbatched", reason("join-layers-axes", "shapes"), _with_steps, lambda f: f.of_steps),
        strong("concatenate-axis", reason("join-layers", "shapes"), _along_layers_axis),
    ),
)

# A convolution without padding drops few of the steps.
_MOST_DROPPED = 0.25
_LONGEST_POOL = 4


def _steps_apart(pair: list[Shape]) -> tuple[int, int] | tuple[()]:
    """Return the steps of two sequences that differ by few; nothing if they are other layers."""
    if list(map(len, pair)) != [3, 3] or min(pair[0][1], pair[1][1]) < 2:
        return ()
    left, right = pair[0][1], pair[1][1]
    if 0 < abs(left - right) <= _MOST_DROPPED * max(left, right) or _pooled(left, right):
        return (left, right)
    return ()


def _pooled(left: int, right: int) -> int:
    """Return the window of a pooling that makes the longer of two sequences the shorter one; 0 if there is none."""
    shorter, longer = sorted((left, right))
    times = longer // shorter
    return times if 1 < times <= _LONGEST_POOL and longer == times * shorter else 0


def _with_steps_of_longer(facts: Facts) -> str:
    """Return the line that pads the shorter of two layers with steps of zeros."""
    left, right = facts.steps
    shorter = facts.names[0] if left < right else facts.names[1]
    if facts.repeated:
        return f"{facts.repeated}   # as many steps as the other"
    if times := _pooled(left, right):
        return f"{shorter} = layers.UpSampling1D({times})({shorter})   # before this line, if a pooling of {times} left fewer steps"
    before = abs(left - right) // 2
    padding = f"layers.ZeroPadding1D(({before}, {abs(left - right) - before}))"
    return f"{shorter} = {padding}({shorter})   # before this line: zeros for the steps that it lacks"


def _repeated_for(reading: Reading, steps: tuple[int, ...]) -> str:
    """Return the line of the program that repeats a vector for one of two layers, with the steps of the other; empty if none does."""
    for name, other in zip((merged_layers(reading) or ())[:2], steps[::-1]):
        for one in reading.program:
            made = one.value.func if one.target == name and isinstance(one.value, ast.Call) else None
            if isinstance(made, ast.Call) and function_of(made) == "RepeatVector" and len(made.args) == 1:
                return with_expression(tree_of(one.code), made.args[0], str(other))
    return ""


# How people name what a recurrent layer returns.
_OUTPUT = re.compile(r"(?:rnn|lstm|gru)|^[hx]\d?$|hidden", re.IGNORECASE)


def _is_output(reading: Reading, of_steps: tuple[str, str, int] | None) -> bool:
    """Whether the layer with steps is by its name the output of a recurrent one, whose last step may be meant."""
    names = merged_layers(reading)
    if names is None or of_steps is None:
        return False
    return bool(_OUTPUT.search(names[1] if of_steps[1] == "x" else names[0]))


def _attended(reading: Reading, shapes: list[Shape]) -> str:
    """Return the attention of which one layer gives the query; empty if none of two by its name is what an attention gives."""
    names, (left, right, *_) = merged_layers(reading), (*shapes, (), ())
    if names is None or not len(left) == len(right) == 3 or left[1] == right[1] or left[2] != right[2]:
        return ""
    of_attention = [bool(re.search("context|ctx|atten|attn", one)) for one in names[:2]]
    query, context = names[:2] if of_attention[1] else names[1::-1]
    return f"{context} = {names[2]}Attention()([{query}, ...])" if sum(of_attention) == 1 else ""


@diagnoses("concatenate_layer")
def concatenate_layer(reading: Reading) -> Diagnosis:
    shapes = reading.values["shapes"][:120]
    pair = [shape(one) for one in re.findall(r"\([^()]{1,80}\)", shapes)]
    of_steps = _of_program(reading, _layers_of_steps(pair))
    sizes = {one[-1] for one in pair if one}
    units = sizes.pop() if len(sizes) == 1 else 0
    names = (merged_layers(reading) or ("h", "x"))[:2]
    vector = dict(zip("hx", names)).get(of_steps[0], of_steps[0]) if of_steps else ""
    return Diagnosis(
        "join-of-layers",
        Facts(
            shapes=shapes,
            steps=_steps_apart(pair),
            repeated=_repeated_for(reading, _steps_apart(pair)),
            names=names,
            attended=_attended(reading, pair),
            of_steps=of_steps,
            entries=next(iter(min(pair, key=len, default=())[-1:]), 0),
            all_steps=recurrent_line(reading, vector, units, f"if a recurrent layer gives {vector}"),
            # Vectors have their features along axis 1.
            of_output=_is_output(reading, of_steps) or bool(re.search(r"axis ?= ?1\b", reading.own_code)),
            # Both may come from layers of as many units.
            units=units,
        ),
        JOIN_LAYERS,
    )


# ---- layers of Keras that are added ------------------------------------------------------------

_TWO_LAYERS = reason("broadcast-shapes", "left", "right")


def _differ_in_steps(facts: Facts) -> bool:
    """Whether two sequences of layers differ in the number of steps alone."""
    left, right = facts.left, facts.right
    return len(left) == len(right) == 2 and left[0] != right[0] and left[1] == right[1] and facts.fewer > 0


SUM_OF_LAYERS: Rules = (
    sure(
        "broadcast",
        (_TWO_LAYERS, reason("units-of-both-layers")),
        lambda f: "\n".join(
            filter(
                None,
                (
                    f.projected,
                    f.other,
                    f"x = layers.Dense({f.right[-1]})(x)   # if x gives {format_shape(f.left)}: a projection"
                    * (not f.projected),
                ),
            )
        ),
        lambda f: f.left[:-1] == f.right[:-1],
    ),
    sure(
        "return-sequences",
        (_TWO_LAYERS, reason("join-layers-of-steps")),
        "{all_steps}",
        lambda f: len(f.left) != len(f.right),
    ),
    strong(
        "steps",
        (_TWO_LAYERS, reason("sum-of-other-steps", left="left[0]", right="right[0]")),
        lambda f: (
            'layers.Conv1D(..., padding="same")   # if a convolution without padding dropped the steps\n'
            f"{f.longer} = {f.longer}[:, -{f.fewer}:]   # or the last steps of the longer one\n"
            "# an attention gives the steps of its query, which is its first argument"
        ),
        _differ_in_steps,
    ),
    plausible(
        "broadcast",
        _TWO_LAYERS,
        "# all axes of the layers that are added must be equal",
        lambda f: len(f.left) == len(f.right) and f.left[:-1] != f.right[:-1] and not _differ_in_steps(f),
    ),
)


@diagnoses("sum_of_layers")
def sum_of_layers(reading: Reading) -> Diagnosis:
    """Diagnose a layer of Keras that adds what other layers give, whose message has no batch."""
    left, right = reading.shape("left"), reading.shape("right")
    names = merged_layers(reading)
    projected = ""
    if names and left and right:
        second, module = names[1:]
        projected = f"{second} = {module}Dense({left[-1]})({second})   # before this line: a projection"
    facts = Facts(left=left, right=right, fewer=min((*left[:1], *right[:1]), default=0), projected=projected)
    first, second, *_ = names or ("", "")
    vector = first if len(left) < len(right) else second
    facts.all_steps = recurrent_line(reading, vector, 0, "the layer that gives one vector")
    facts.other = recurrent_line(
        reading, second, left[-1], f"if the other gives {format_shape(left)}", all_steps=len(left) > 1
    )
    facts.longer = (names or ("x", "x"))[left[:1] < right[:1]]
    return Diagnosis(ENTRY_BY_ENTRY, facts, SUM_OF_LAYERS)


DOT_MODE: Rules = rules_of(
    "dot_mode",
    "join-of-layers",
    strong(
        "inner-dimension",
        "dot-without-axes",
        "layers.Dot(axes=(2, 1))([a, b])   # each step of a times the vector b: (batch, steps)\n"
        "layers.Dot(axes=(2, 2))([a, b])   # each step of a times each step of b: (batch, steps of a, steps of b)",
    ),
)


DOT_OF_LAYERS: Rules = first_of(
    sure(
        "inner-dimension",
        (
            reason("dot-of-layers", "left", "right"),
            reason("dot-of-equal-axes", axis="axes[0]", when=lambda f: f.axes[0] == f.axes[1]),
            reason("dot-of-other-axes", first="axes[0]", second="axes[1]", when=lambda f: f.axes[0] != f.axes[1]),
        ),
        lambda f: (
            f"layers.Dot(axes={f.axes[0]})([a, b])   # along axis {f.axes[0]}, which has the same size in both"
            if f.axes[0] == f.axes[1]
            else f"layers.Dot(axes={f.axes})([a, b])   # axis {f.axes[0]} of the first and axis {f.axes[1]} of the second"
        ),
        lambda f: f.axes,
    ),
    strong(
        "hidden-size",
        reason("dot-of-layers", "left", "right"),
        lambda f: (
            f"{f.first}\n" * bool(f.first)
            + f"Bidirectional(LSTM({f.left // 2}{', return_sequences=True' * f.all_steps}))   # or the other one, if it has two directions\n"
            * (f.right == 2 * f.left and f.left % 2 == 0)
            + f"{f.name} = layers.Dense({f.right})({f.name})   # before this line: or a projection of the first input"
        ),
    ),
)


@diagnoses("dot_of_layers")
def dot_of_layers(reading: Reading) -> Diagnosis:
    """Diagnose layers.Dot of Keras, which multiplies along one axis of each input."""
    a, b = reading.shape("a"), reading.shape("b")
    equal = [(i, j) for i in range(1, len(a)) for j in range(1, len(b)) if a[i] == b[j] > 1]
    found = [one for one in equal if one[0] == one[1]] or equal
    axes, all_steps = found[0] if len(found) == 1 else (), len(a) > 2
    return of_attention(reading, reading.size("left"), reading.size("right"), axes, all_steps=all_steps)


def of_attention(
    reading: Reading, left: int, right: int, axes: tuple[int, ...] = (), name: str = "a", *, all_steps: bool = True
) -> Diagnosis:
    """Return the diagnosis of scores between two layers, such as queries and keys, of other numbers of units."""
    of_first = (merged_layers(reading) or ("",))[0]
    first = recurrent_line(reading, of_first, right, "the layer that gives the first input", all_steps=all_steps)
    facts = Facts(left=left, right=right, axes=axes, name=name, first=first, all_steps=all_steps)
    return Diagnosis("matrix-product", facts, DOT_OF_LAYERS)
