"""jax.vmap, which needs one size along the axis of the batch in all arguments."""

import re

from core.shapes.layer_shapes import format_sizes
from core.shapes.messages import Reading
from core.shapes.rules.fits import strong
from core.shapes.rules.read_layer import NAME_OF_STATE
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, reason, rules_of
from core.shapes.user_code.vmap_lines import MappedArgument, given_arguments, told_arguments, with_shared_argument

# Arguments that each call gets anew, one for each sequence.
_OF_DATA = re.compile(r"(?:[xXyY]|xs|ys|inputs?|seq\w*|targets?|labels?|lengths?|masks?|data|batch)\d?$")


def _shared_first(told: tuple[MappedArgument, MappedArgument]) -> list[MappedArgument]:
    """Return the arguments, first the one that has no axis of the batch: weights, or the one that is unlike the others."""
    return sorted(told, key=lambda one: (not one.is_kept, one.is_of_several, len(one.shape)))


def _lines(facts: Facts) -> str:
    """Return the lines that give an argument another batch, and the one with None for the axis that it has not."""
    shared, other = facts.arguments
    name, name_of_other = (facts.given.get(one.root, one.root) for one in facts.arguments)
    # A message that counts sizes has another order than the call, in which weights are most often the first argument.
    order = facts.arguments if any(one.is_of_several for one in facts.told) else facts.told
    generic = f"jax.vmap(step, in_axes=({', '.join('None' if one is shared else '0' for one in order)}))"
    without = f"{facts.line or generic}   # None for {name}, if it is the same for each of the batch"
    is_batched = len(shared.shape) > 1 and shared.axis == 0 and shared.size > 1 and not shared.is_kept
    if is_batched and NAME_OF_STATE.search(shared.name):
        sizes = format_sizes((other.size, *shared.shape[1:]))
        return f"{name} = jnp.zeros(({sizes}))   # a state for each of the batch of {name_of_other}\n{without}"
    if all(_OF_DATA.match(one.name) for one in facts.told):
        longer, shorter = (name, name_of_other) if shared.size > other.size else (name_of_other, name)
        first = min(shared.size, other.size)
        return f"{longer} = {longer}[:{first}]   # if the first {first} belong to {shorter}\n{without}"
    return without


MAPPED = strong(
    "batch-size",
    reason("mapped", "name", "size", "axis", "other_name", "other_size", "other_axis"),
    _lines,
    is_own=lambda f: f.line,
)


@diagnoses("mapped")
def mapped(reading: Reading) -> Diagnosis:
    """Diagnose jax.vmap, which needs one size along the axis of the batch in all arguments."""
    told = told_arguments(reading)
    given, arguments = given_arguments(reading, told), _shared_first(told)
    of_each = {
        f"{before}{name}": getattr(one, name)
        for before, one in zip(("", "other_"), arguments)
        for name in ("name", "size", "axis")
    }
    line = with_shared_argument(reading, given.get(arguments[0].root, ""))
    facts = Facts(told=told, arguments=arguments, given=given, line=line, **of_each)
    return Diagnosis("batch-of-map", facts, MAPPED, {"batch": facts.other_size})


MAPPED_AXIS: Rules = rules_of(
    "mapped_axis",
    "batch-of-map",
    strong(
        "batch-size",
        reason("mapped-axis", "axis", "got"),
        "jax.vmap(step, in_axes=(0, None))   # None for each argument that is the same for all of the batch",
    ),
)
