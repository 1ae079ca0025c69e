"""The reader's line that puts a layer into a model of Keras, and advised layers in the form of that line."""

import ast
import copy
import re
from typing import NamedTuple

from core.shapes.messages import Reading
from core.shapes.user_code.name_substitution import in_user_names
from core.shapes.user_code.operations import LONGEST_LETTERS, is_stored
from core.shapes.user_code.syntax_trees import argument, calls_in, function_of, tree_of, with_code
from core.shapes.user_code.traceback_lines import UserLine

_KINDS = (
    r"(?:(?:LSTM|GRU|SimpleRNN)(?:Cell)?|RNN|Bidirectional|TimeDistributed|Dense|Embedding|Dropout|Dot|Add|Concatenate|Multiply"
    r"|Attention|AdditiveAttention|MultiHeadAttention|RepeatVector|Flatten|Reshape|Permute|Masking|Lambda|Activation|Conv[123]D"
    r"|ConvLSTM[123]D|BatchNormalization|LayerNormalization|(?:Global)?(?:Average|Max)Pooling[123]D)"
)
_OF_KERAS = re.compile(rf"(?<![\w.])((?:[A-Za-z_]\w{{0,30}}\.){{0,4}})({_KINDS})\(")
_ADVISED = re.compile(rf"(?<![\w.])((?:keras\.)?layers\.(?=[A-Z])|(?={_KINDS}\())(\w{{1,40}})")
_KERAS = re.compile(r"(?<![\w.])keras\.(?=[a-z])|\b(?:import (?:[\w, ]{1,60}, )?|as )keras\b")


def with_modules_of_keras(line: str, reading: Reading) -> str:
    """Return an advised line with the modules under which the reader's program has Keras and its layers, such as none."""
    modules: dict[str, str] = {}
    for code in (*(one.code for one in reading.own[::-1]), reading.whole):
        for module, kind in _OF_KERAS.findall(code):
            # A program that imports some layers by their names need not import others.
            known = ("", kind) if module or code is not reading.whole else (kind,)
            modules |= {one: modules.get(one, module) for one in known}
    line = _ADVISED.sub(lambda found: modules.get(found[2], modules.get("", found[1])) + found[2], line)
    is_within_tf = re.search(r"(?<![\w.])tf\.|\bas tf\b", reading.whole) and not _KERAS.search(reading.whole)
    return re.sub(r"(?<![\w.])keras\.(?=[a-z])", "tf.keras.", line) if is_within_tf else line


class Building(NamedTuple):
    """A layer in the reader's line, and how the line puts it into the model.

    Attributes
    ----------
    line : UserLine
    layer : ast.Call
        What makes the layer, such as ``LSTM(20)``.
    given : ast.expr, optional
        What the layer is called with; None where it is added to a Sequential.
    add : str
        What adds it, such as ``model.add``; empty where the layer is called.
    """

    line: UserLine
    layer: ast.Call
    given: ast.expr | None
    add: str

    def before(self, layers: list[str]) -> str:
        """Return the lines that put other layers before this one."""
        if self.add:
            return "\n".join(f"{self.add}({one})" for one in layers)
        if isinstance(self.given, ast.List | ast.Tuple):
            return ""
        given = ast.unparse(self.given) if self.given is not None else ""
        for one in layers:
            given = f"{one}({given})"
        if isinstance(self.given, ast.Name):
            return f"{self.given.id} = {given}"
        return self._with(self.given, given) if self.given is not None else ""

    def wrapped(self, outer: str) -> str:
        """Return the line with the layer within another, such as TimeDistributed."""
        made = ast.get_source_segment(self.line.code, self.layer) or ast.unparse(self.layer)
        return self._with(self.layer, f"layers.{outer}({made})")

    def given_instead(self, code: str) -> str:
        """Return the line with another input of the layer."""
        return self._with(self.given, code) if self.given is not None else ""

    def _with(self, node: ast.expr, code: str) -> str:
        return with_code(self.line.code, (node, code))


def _class_of(node: ast.expr) -> str:
    """Return the class of a layer that is made; empty if it is no such call."""
    name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
    return name if name[:1].isupper() and len(name) > LONGEST_LETTERS else ""


def building_in(line: UserLine) -> Building | None:
    """Return the layer that a line puts into a model; None if there is none, or more than one may have failed."""
    tree = tree_of(line.code)
    found = []
    for node in ast.walk(tree or ast.Pass()):
        if not isinstance(node, ast.Call) or len(node.args) < 1:
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr == "add" and _class_of(node.args[0]):
            if is_stored(node.func.value) and len(node.args) == 1 and isinstance(node.args[0], ast.Call):
                found.append((node, Building(line, node.args[0], None, ast.unparse(node.func))))
        elif isinstance(node.func, ast.Call) and _class_of(node.func):
            found.append((node, Building(line, node.func, node.args[0], "")))
    marked = [one for node, one in found if line.marks(node)]
    return marked[0] if marked else found[0][1] if len(found) == 1 else None


def building_of(reading: Reading) -> Building | None:
    """Return the layer that the reader's line puts into a model; None if the text has no such line."""
    return building_in(reading.own[-1]) if reading.own else None


def _chain(node: ast.expr) -> list[str] | None:
    """Return the layers that are called one after the other, beginning with x; None if it is another expression."""
    layers: list[str] = []
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and len(node.args) == 1:
        layers.insert(0, ast.unparse(node.func))
        node = node.args[0]
    return layers if layers and isinstance(node, ast.Name) and node.id == "x" else None


# Words about an array, not about the layer below.
_OF_DATA = re.compile(r"got array with shape|Cannot feed value")
# Arguments of the first layer of a model, which gets the data.
_FIRST = re.compile(r"input_(?:shape|dim|length)|batch_shape|batch_input_shape")
# Layers for the same, for a Sequential, whose inputs have no name.
_AXES = {"x[..., None]": "layers.Reshape((-1, 1))", "x[:, None]": "layers.Reshape((1, -1))"}


def in_form_of(line: str, building: Building) -> str:
    """Return an advised line in the form of the reader's: a layer before the reader's layer."""
    code, mark, comment = line.partition("   # ")
    tree = tree_of(code)
    if re.search(r"\bafter\b", comment):
        return line
    if not isinstance(tree, ast.Assign) or ast.unparse(tree.targets[0]) != "x":
        if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Call) and "before this layer" in comment:
            made = building.before([code])
            return f"{made}{mark}{comment.replace('before this layer', 'before this line', 1)}" if made else line
        return line
    layers = _chain(copy.deepcopy(tree.value))
    if layers is None and building.add and (axes := _AXES.get(ast.unparse(tree.value))):
        layers = [axes]
    made = building.before(layers) if layers else ""
    first, *rest = made.splitlines() if made else [line]
    return "\n".join([f"{first}{mark}{comment}" if made else first, *rest])


def _in_sequential(line: str, kind: str) -> str:
    """Return an advised line as a layer in the list of a Sequential, whose inputs have no name."""
    code, mark, comment = line.partition("   # ")
    tree = tree_of(code)
    if not isinstance(tree, ast.Assign) or ast.unparse(tree.targets[0]) != "x":
        return line
    layers = _chain(copy.deepcopy(tree.value)) or [_AXES.get(ast.unparse(tree.value), "")]
    if not all(layers):
        return line
    place = "in place of the Reshape" if kind == "keras_reshape" else "in the list before the layer that failed"
    return f"{', '.join(layers)}   # {place}{f'; {comment}' if mark else ''}"


# The shape of a model's input, as an argument of its first layer or of an Input.
_TOLD = re.compile(r"Input\((\(.{1,80}\))\)|input_shape=(\(.{1,80}\))")


def _with_shape(line: str, own: UserLine) -> str:
    """Return an advised shape of a model's input as the reader's line with it, if that tells one such shape."""
    code, mark, comment = line.partition("   # ")
    told = _TOLD.fullmatch(code)
    shapes = []
    for call in calls_in(tree_of(own.code)) if told else ():
        is_input = function_of(call) in ("Input", "InputLayer")
        shape = argument(call, "shape", "input_shape", at=0) if is_input else argument(call, "input_shape")
        shapes += [shape] if shape is not None else []
    changed = with_code(own.code, (shapes[0], told[1] or told[2])) if told and len(shapes) == 1 else ""
    return f"{changed}{mark}{comment}" if changed else line


def in_form_of_line(change: str, reading: Reading) -> str:
    """Return advised lines in the form of the reader's line; empty if that puts no layer into a model, or no line changes."""
    building = None if _OF_DATA.search(reading.whole) or _FIRST.search(reading.code) else building_of(reading)
    advised = [_with_shape(one, reading.own[-1]) if reading.own else one for one in change.splitlines()]
    if building is None and re.search(r"\bSequential\(", reading.code):
        return "\n".join(_in_sequential(one, reading.kind) for one in advised)
    formed = [in_form_of(one, building) for one in advised] if building else advised
    if formed == change.splitlines():
        return ""
    own = [
        in_user_names(new, reading.own[-1], reading.kind) if new == old else new for new, old in zip(formed, advised)
    ]
    return "\n".join(new or old for new, old in zip(own, formed))
