"""New shapes with more than one open size."""

import ast

from core.shapes.explanation import Fit, Statement
from core.shapes.messages import Reading
from core.shapes.rules.rule import Diagnosis, Facts, Rule, Rules, diagnoses, reason
from core.shapes.user_code.changed_calls import changed_call, expression

OPEN_AXES: Rules = (
    Rule(
        "reshape",
        Fit.SURE,
        (reason("open-axes"),),
        lambda f: f.own or "x = x.reshape(x.shape[0], -1, x.shape[-1])   # one open size: the others from x",
        is_own=lambda f: f.own,
    ),
)


@diagnoses("open_axes")
def open_axes(reading: Reading) -> Diagnosis:
    """Diagnose a new shape of which more than one size is open."""

    def closed(call: ast.Call) -> None:
        before = call.func.value if isinstance(call.func, ast.Attribute) else call.args[0]
        is_method = before is not call.args[0] and len(call.args) > 1
        is_method = is_method and not isinstance(call.args[-1], ast.List | ast.Tuple)
        array = before if is_method or len(call.args) == 1 else call.args[0]
        sizes = call.args if is_method else getattr(call.args[-1], "elts", [])
        size = "tf.shape({})[{}]" if reading.framework == "Keras" else "{}.shape[{}]"
        # The last one stays open.
        open_sizes = [at for at, one in enumerate(sizes) if ast.unparse(one) == "-1"]
        for at in open_sizes[:-1]:
            sizes[at] = expression(size.format(ast.unparse(array), at))

    own = changed_call(reading, ("view", "reshape"), closed)
    return Diagnosis(Statement("reshape"), Facts(own=own), OPEN_AXES)
