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
    """Diagnose a new shape of which two sizes are open."""

    def closed(call: ast.Call) -> None:
        of_array = isinstance(call.func, ast.Attribute) and call.func.value
        is_method = bool(of_array) and len(call.args) > 1 and not isinstance(call.args[-1], ast.List | ast.Tuple)
        array = of_array if is_method or len(call.args) == 1 else call.args[0]
        sizes = call.args if is_method else getattr(call.args[-1], "elts", [])
        at = next((at for at, one in enumerate(sizes) if ast.unparse(one) == "-1"), None)
        if array and at is not None:
            size = "tf.shape({})[{}]" if reading.framework == "Keras" else "{}.shape[{}]"
            sizes[at] = expression(size.format(ast.unparse(array), at))

    own = changed_call(reading, ("view", "reshape"), closed)
    return Diagnosis(Statement("reshape"), Facts(own=own), OPEN_AXES)
