"""Layers of Keras that are called with arguments of another form: no list, no states, or no call at all."""

import ast
import copy
import re

from core.shapes.messages import Reading
from core.shapes.rules.fits import plausible, sure
from core.shapes.rules.rule import Diagnosis, Facts, Rules, diagnoses, reason, rules_of
from core.shapes.user_code.changed_calls import changed_call, changed_line
from core.shapes.user_code.evidence import calls_of_line, failed_statement
from core.shapes.user_code.syntax_trees import argument, expression, function_of, give, last_name

_MERGING = frozenset(
    "Concatenate Add Subtract Multiply Average Maximum Minimum Dot Attention AdditiveAttention concatenate".split()
)

# ---- layers that take their inputs as one list ---------------------------------------------------

LIST_OF_INPUTS = sure(
    "list", reason("inputs-as-list", "layer"), "# give the layer its inputs as one list, such as [a, b]", own="line"
)


@diagnoses("list_of_inputs")
def list_of_inputs(reading: Reading) -> Diagnosis:
    """Diagnose a layer that takes a list, and gets one tensor or several arguments."""
    calls = [one for one in calls_of_line(reading, *_MERGING) if isinstance(one.func, ast.Call)]
    name = function_of(calls[0]) if len(calls) == 1 else ""

    def listed(node: ast.expr) -> ast.expr | None:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Call) or function_of(node) != name:
            return None
        given = list(node.args)
        if not given or len(given) == 1 and not isinstance(given[0], ast.Name | ast.Attribute):
            return None  # a call in the list twice would make two layers
        if len(given) == 1:
            # Attention of a sequence to itself; other layers lack their second input.
            given += given if name.endswith("Attention") else [ast.Name("other", ast.Load())]
        return ast.Call(node.func, [ast.List(given, ast.Load())], node.keywords)

    line = changed_line(failed_statement(reading), listed) if name else ""
    comment = "   # query and value" if name.endswith("Attention") else ""
    if line and len(calls[0].args) == 1 and not comment:
        comment = "   # other is the second input"
    return Diagnosis(
        "input-of-layer", Facts(line=f"{line}{comment}" if line else "", layer=name or "This layer"), LIST_OF_INPUTS
    )


# ---- a cell without a layer ------------------------------------------------------------------------

CELL_ALONE = sure(
    "state-tuple",
    "cell-without-state",
    "output = layers.RNN(cell)(x)",
    own="line",
    note="the cell over all steps, from a state of zeros",
)


@diagnoses("cell_alone")
def cell_alone(reading: Reading) -> Diagnosis:
    """Diagnose a cell of Keras that is called as a layer, without its states."""

    def within_layer(node: ast.expr) -> ast.expr | None:
        if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
            return None
        made = last_name(node.func.func) if isinstance(node.func, ast.Call) else last_name(node.func)
        if "cell" not in made.lower() or made[:1].isupper() and not isinstance(node.func, ast.Call):
            return None
        return expression(f"layers.RNN({ast.unparse(node.func)})({ast.unparse(node.args[0])})")

    return Diagnosis("initial-state", Facts(line=changed_line(failed_statement(reading), within_layer)), CELL_ALONE)


CELL_WITHOUT_SIZE: Rules = rules_of(
    "cell_without_size",
    "initial-state",
    sure(
        "state-tuple",
        "cell-without-size",
        "self.state_size = units   # in __init__ of the cell, with its number of units; a list of numbers for several states",
    ),
)


# ---- a layer in the place of what it gives ---------------------------------------------------------

LAYER_FOR_TENSOR: Rules = (
    sure(
        "symbolic",
        "layer-for-tensor",
        "keras.Model(x, layer(x))",
        lambda f: f.is_layer,
        own="line",
        note="what the layer gives, and not the layer",
    ),
    plausible(
        "symbolic",
        "no-tensor-of-model",
        "# give keras.Model the tensors of its Inputs, and what the last layers give",
        lambda f: not f.is_layer,
    ),
)


@diagnoses("layer_for_tensor")
def layer_for_tensor(reading: Reading) -> Diagnosis:
    """Diagnose a model that is made of a layer itself, where a tensor belongs."""

    def called(call: ast.Call) -> None:
        inputs, outputs = argument(call, "inputs", at=0), argument(call, "outputs", at=1)
        if inputs is not None and outputs is not None:
            give(call, expression(f"{ast.unparse(outputs)}({ast.unparse(inputs)})"), "outputs", at=1)

    calls = calls_of_line(reading, "Model")
    has_both = len(calls) == 1 and len(calls[0].args) + len(calls[0].keywords) >= 2 and bool(calls[0].args)
    is_layer = bool(re.search(r"`outputs` .{0,80}outputs=<\w{1,40} name=", reading.whole))
    line = changed_call(reading, ("Model",), called) if is_layer and has_both else ""
    return Diagnosis("tensor-of-model", Facts(line=line, is_layer=is_layer), LAYER_FOR_TENSOR)


# ---- axes that a layer counts without the batch ----------------------------------------------------

PERMUTED_AXES = sure("transpose", reason("permute-from-one", "got"), "layers.Permute({dims})", own="line")


@diagnoses("permuted_axes")
def permuted_axes(reading: Reading) -> Diagnosis:
    """Diagnose a Permute whose axes are counted from 0, with the batch among them or without it."""
    got = reading.sizes("dims")
    axes = tuple(got[1:]) if got[:1] == (0,) and len(got) > 2 else tuple(got)
    dims = tuple(1 + sorted(axes).index(one) for one in axes)

    def counted(node: ast.expr) -> ast.expr | None:
        if not isinstance(node, ast.Call) or last_name(node.func) != "Permute":
            return None
        given = argument(node, "dims", at=0)
        if given is None or ast.unparse(given).strip("()[]") != ", ".join(map(str, got)):
            return None
        made = copy.deepcopy(node)
        give(made, expression(str(dims)), "dims", at=0)
        return made

    line = changed_line(failed_statement(reading), counted)
    given = f"({', '.join(map(str, got))})"
    return Diagnosis("axis", Facts(got=given, dims=dims, line=line), PERMUTED_AXES)
