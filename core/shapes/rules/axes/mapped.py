"""jax.vmap, which needs one size along the axis of the batch in all arguments."""

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason, rules_of
from core.shapes.user_code.mapped_lines import mapped_arguments, with_shared_argument


def _in_axes(facts: Facts) -> str:
    """Return jax.vmap with None for the argument that has no axis of the batch."""
    words = f"None for {facts.name}, if it is the same for each of the batch"
    if facts.line:
        return f"{facts.line}   # {words}"
    arguments = facts.arguments or (facts.name, "")
    shared = facts.name if facts.name in arguments else arguments[0]
    axes = ", ".join("None" if one == shared else "0" for one in arguments)
    return f"jax.vmap(step, in_axes=({axes}))   # {words}"


MAPPED: Rules = (
    Rule("batch-size", Fit.STRONG, (reason("mapped", "name", "size", "axis"),), _in_axes, is_own=lambda f: f.line),
)


@diagnoses("mapped")
def mapped(reading: Reading) -> Diagnosis:
    """Diagnose jax.vmap, which needs one size along the axis of the batch in all arguments."""
    facts = Facts(
        name=reading.values["name"],
        size=reading.size("size"),
        axis=reading.size("axis"),
        arguments=mapped_arguments(reading),
        line=with_shared_argument(reading, reading.values["name"]),
    )
    return Diagnosis(Statement("batch-of-map"), facts, MAPPED, {"batch": facts.size})


MAPPED_AXIS: Rules = rules_of(
    "mapped_axis",
    Statement("batch-of-map"),
    Rule(
        "batch-size",
        Fit.STRONG,
        (reason("mapped-axis", "axis", "got"),),
        "jax.vmap(step, in_axes=(0, None))   # None for each argument that is the same for all of the batch",
    ),
)
