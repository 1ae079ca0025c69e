"""The values of the expressions in a reader's program: sizes, arrays by their shapes, layers and objects."""

import ast
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from core.shapes.shape_inference import array_shapes as shapes
from core.shapes.shape_inference import layer_calls, library_calls
from core.shapes.shape_inference.array_shapes import REFUSED, Array
from core.shapes.shape_inference.layer_calls import UserLayer
from core.shapes.shape_inference.library_calls import NEW_AXIS, UNKNOWN_BOUND, Loader
from core.shapes.shape_inference.objects import Instance, Model, attributes_of, method_of
from core.shapes.shape_inference.places import Call, Places
from core.shapes.user_code.model_arguments import LOSS
from core.shapes.user_code.traceback_lines import LONGEST_LINE

# More than any program of a reader; they bound the time.
MOST_NODES = 4000
DEEPEST = 6
PACKING = "pack_padded_sequence"
# Stands for a whole number that indexes an axis, such as that of a loop.
INDEX = object()
_OF_OBJECTS = ast.Is | ast.IsNot | ast.In | ast.NotIn
_INTEGERS = {ast.Add: int.__add__, ast.Sub: int.__sub__, ast.Mult: int.__mul__, ast.FloorDiv: int.__floordiv__}


def _parameters(function: ast.FunctionDef) -> list[str]:
    """Return the names of the parameters, of which those that take a position come first."""
    of = function.args
    named = [*of.posonlyargs, *of.args, *of.kwonlyargs, of.vararg, of.kwarg]
    return [one.arg for one in named if one]


def dotted(node: ast.expr) -> str:
    """Return a name such as self.h; empty for any other expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _code(node: ast.expr) -> str:
    """Return the code of an expression; empty if it is longer than a line."""
    is_short = node.lineno == node.end_lineno and (node.end_col_offset or 0) - node.col_offset < LONGEST_LINE
    return ast.unparse(node) if is_short else ""


def _arrays(values: list[Any]) -> tuple[Array | None, ...]:
    return tuple(one if isinstance(one, Array) else None for one in values)


def _is_returned(value: Any) -> bool:
    """Whether a value is what a recurrent layer returns, or a packed sequence."""
    return (
        isinstance(value, library_calls.Packed)
        or isinstance(value, tuple)
        and bool(value)
        and isinstance(value[0], Array)
    )


def _is_one_entry(node: ast.Slice) -> bool:
    """Whether a slice is that of one entry, such as t:t+1."""
    upper = node.upper
    if node.lower is None or node.step or not isinstance(upper, ast.BinOp) or not isinstance(upper.op, ast.Add):
        return False
    return ast.unparse(upper.left) == ast.unparse(node.lower) and ast.unparse(upper.right) == "1"


def _is_of_sizes(value: Any) -> bool:
    """Whether a tuple is a list of numbers, which an array may be added to."""
    return isinstance(value, tuple) and all(isinstance(one, int) for one in value)


def _entries_of(value: Any) -> int:
    """Return how many entries a tuple has, with those of the tuples in it."""
    return sum(1 + _entries_of(one) for one in value) if isinstance(value, tuple) else 0


class Expressions(Places):
    """The values of expressions, and of the functions and methods that they call."""

    @abstractmethod
    def body(self, statements: list[ast.stmt]) -> Any:
        """Follow statements and return what a return gives."""

    def value(self, node: ast.expr) -> Any:
        """Return a size, a tuple of sizes, an Array or a UserLayer; None if it is not known."""
        self.nodes += 1
        value = self.value_of(node) if self.nodes <= MOST_NODES else None
        if value is REFUSED:
            return None
        return value if shapes.is_plausible(value) else None

    def told_of(self, name: str) -> Array | None:
        """Return the array whose shape the words of the text tell."""
        shape = self.told.get(name)
        return Array(shape) if shape else None

    def value_of(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, int) else Array(()) if isinstance(node.value, float) else None
        if isinstance(node, ast.Tuple | ast.List):
            parts = tuple(map(self.value, node.elts))
            # A name may stand for many entries, and a list of such names for many times as many.
            self.nodes += sum(map(_entries_of, parts))
            return parts if self.nodes <= MOST_NODES else None
        if isinstance(node, ast.UnaryOp):
            inner = self.value(node.operand)
            return -inner if isinstance(node.op, ast.USub) and isinstance(inner, int) else inner
        if isinstance(node, ast.BinOp):
            return self.combined(node, self.value(node.left), self.value(node.right))
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and not isinstance(node.ops[0], _OF_OBJECTS):
            self.entries(node, self.value(node.left), self.value(node.comparators[0]))
            return None  # an index by truth values takes a number of entries that is not known
        if isinstance(node, ast.Attribute):
            return self.attribute(node)
        if isinstance(node, ast.Subscript):
            return self.item(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        if not isinstance(node, ast.Name):
            return None
        value = self.names.get(node.id)
        return self.told_of(node.id) if value is None else value

    def attribute(self, node: ast.Attribute) -> Any:
        name = dotted(node)
        if self.names.get(name) is not None:
            return self.names[name]
        of = self.value(node.value)
        if isinstance(of, Instance):
            return of.attributes.get(node.attr)
        if not isinstance(of, Array):
            return self.told_of(name)
        if node.attr == "shape":
            return shapes.sizes_of(of.shape)
        turned = Array(of.shape[::-1] if node.attr == "T" else (*of.shape[:-2], *of.shape[-2:][::-1]))
        return {"T": turned, "mT": turned, "data": of, "ndim": len(of.shape)}.get(node.attr)

    def item(self, node: ast.Subscript) -> Any:
        """Return what an index takes; a slice with bounds that are not known leaves a size that is not known."""
        of, index = self.value(node.value), node.slice
        if isinstance(of, tuple):
            return self.part(node, of, index)
        if not isinstance(of, Array):
            return None
        indices = [self.index(one) for one in (index.elts if isinstance(index, ast.Tuple) else [index])]
        result = library_calls.taken(of, indices)
        return self.refuse(node, "index") if result is REFUSED else result

    def part(self, node: ast.Subscript, of: tuple[Any, ...], index: ast.expr) -> Any:
        """Return a part of a tuple, or a shorter one."""
        if isinstance(index, ast.Tuple):
            return self.refuse(node, "index")
        at = self.index(index)
        if isinstance(at, slice) and UNKNOWN_BOUND not in (at.start, at.stop, at.step) and at.step != 0:
            return of[at]
        return of[at] if isinstance(at, int) and -len(of) <= at < len(of) else None

    def index(self, node: ast.expr) -> Any:
        """Return an index, as `library_calls.taken` reads it."""
        if isinstance(node, ast.Constant) and node.value in (None, Ellipsis) or dotted(node).endswith("newaxis"):
            return Ellipsis if isinstance(node, ast.Constant) and node.value is Ellipsis else NEW_AXIS
        if isinstance(node, ast.Slice):
            bounds = [self.value(one) if one else None for one in (node.lower, node.upper, node.step)]
            if _is_one_entry(node):
                return slice(0, 1)
            told = zip((node.lower, node.upper, node.step), bounds)
            return slice(*(UNKNOWN_BOUND if one and not isinstance(bound, int) else bound for one, bound in told))
        at = self.value(node)
        if isinstance(at, tuple):
            return shapes.literal(at)
        return 0 if at is INDEX else at if isinstance(at, int | Array) else None

    def combined(self, node: ast.BinOp | ast.AugAssign, left: Any, right: Any) -> Any:
        """Return the result of an operator for two values."""
        if INDEX in (left, right):
            other = right if left is INDEX else left
            return INDEX if isinstance(other, int) else other if other is INDEX or isinstance(other, Array) else None
        if isinstance(left, int) and isinstance(right, int):
            integer = _INTEGERS.get(type(node.op))
            is_one = integer and (right or not isinstance(node.op, ast.FloorDiv))
            return integer(left, right) if integer and is_one else None
        if isinstance(node.op, ast.MatMult):
            return self.product(node, left, right)
        return self.entries(node, left, right)

    def product(self, node: ast.AST, left: Any, right: Any) -> Any:
        if isinstance(left, int | float) or isinstance(right, int | float):
            return right if isinstance(left, int | float) else left
        if not isinstance(left, Array) or not isinstance(right, Array):
            return None
        if getattr(getattr(node, "func", None), "attr", "") == "dot" and len(right.shape) > 2:
            return None  # np.dot has the batches of both, and its mistake is another one
        shape = shapes.product(left.shape, right.shape)
        if shape is None:
            self.keep(node, left, right)
        return None if shape is None else Array(shape)

    def entries(self, node: ast.AST, left: Any, right: Any) -> Any:
        """Return the result of a sum or a product entry by entry; a number does not change a shape."""
        if isinstance(left, int) and isinstance(right, int):
            return None
        if isinstance(left, int | float) or isinstance(right, int | float):
            return right if isinstance(left, int | float) else left
        if isinstance(left, Array) and isinstance(right, tuple) or isinstance(left, tuple) and isinstance(right, Array):
            return None if _is_of_sizes(left) or _is_of_sizes(right) else self.refuse(node, "sum")
        if not isinstance(left, Array) or not isinstance(right, Array):
            return None
        shape = shapes.broadcast(left.shape, right.shape)
        if shape is None:
            self.keep(node, left, right)
            return None
        made = next((one for one in (left, right) if one.column and one.shape == shape), Array(shape))
        for column, vector in ((left, right), (right, left)):
            is_pair = len(vector.shape) == 1 < vector.shape[0] and column.shape == (*vector.shape, 1)
            if is_pair and isinstance(node, ast.BinOp):
                of = {id(left): node.left, id(right): node.right}
                made = Array(shape, _code(of[id(column)]), _code(of[id(vector)]))
        return made

    def of_entries(self, node: ast.Call, name: str, arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
        """Return what a function of arrays gives that combines them entry by entry."""
        first, second, *rest = arguments
        if name.startswith("masked_fill"):
            mask_last = first, second
            self.entries(node, *(mask_last if name.endswith("_") else mask_last[::-1]))
            return first
        made = self.entries(node, first, second)
        if name == "where" and rest and isinstance(made, Array):
            return self.entries(node, made, rest[0])
        if name in ("cosine_similarity", "pairwise_distance") and isinstance(made, Array):
            axis = rest if name == "cosine_similarity" else [-1]
            return library_calls.of_array(
                "sum", made, axis[:1] or ([] if "dim" in keywords else [1]), keywords, torch=True
            )
        return made

    def call(self, node: ast.Call) -> Any:
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        arguments = [self.value(one) for one in node.args]
        keywords = {one.arg: self.value(one.value) for one in node.keywords if one.arg}
        made = self.value(function) if isinstance(function, ast.Call) else self.called_value(function)
        if isinstance(made, UserLayer):
            return self.of_layer(node, made, arguments, keywords)
        if isinstance(made, Instance):
            method = method_of(made.model)
            return self.of_method(made, method, arguments, keywords) if method else None
        of = self.value(function.value) if isinstance(function, ast.Attribute) else None
        if isinstance(of, Instance) and name in of.model.methods:
            return self.of_method(of, of.model.methods[name], arguments, keywords)
        if len(arguments) == 2 and (LOSS.search(name) or name == PACKING):
            self.calls.append(Call(*self.place(node), None, _arrays(arguments)))
        if isinstance(function, ast.Name) and name in self.functions:
            return self.of_function(self.functions[name], arguments, keywords)
        if isinstance(function, ast.Name) and name in self.models:
            return self.instance(self.models[name], arguments, keywords)
        if name in layer_calls.LAYERS and name[0].isupper():
            return layer_calls.layer_of(name, arguments, keywords)
        if isinstance(of, Array):
            return self.method(node, name, of, arguments, keywords)
        if isinstance(of, library_calls.Packed) or _is_returned(of) and name in library_calls.ALIKE | {"size", "dim"}:
            return self.refuse(node, "call")
        return self.of_library(node, name, arguments, keywords)

    def called_value(self, function: ast.expr) -> Any:
        """Return a layer or a model by its name, such as self.lstm, model.lstm or layers[0]."""
        if isinstance(function, ast.Subscript):
            return self.value(function)
        name = dotted(function)
        if name in self.names:
            return self.names[name]
        return self.attribute(function) if isinstance(function, ast.Attribute) and "." in name else None

    def of_layer(self, node: ast.Call, layer: UserLayer, arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
        given = [*arguments, *(keywords[one] for one in ("input", "hx", "target") if one in keywords)]
        if not layer.is_loss:
            self.calls.append(Call(*self.place(node), layer, _arrays(given)))
        elif len(given) == 2:
            self.calls.append(Call(*self.place(node), None, _arrays(given)))
        result = layer.of(given)
        if result is not REFUSED:
            return result
        self.refuse(node, layer.kind)
        return layer.of([]) if layer.is_recurrent else None

    def method(self, node: ast.Call, name: str, of: Array, arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
        if name in library_calls.PRODUCTS and len(arguments) == 1:
            return self.product(node, of, arguments[0])
        if name in library_calls.OF_ENTRIES and arguments:
            return self.of_entries(node, name, [of, *arguments], keywords)
        if name == "bmm" and len(arguments) == 1:
            return self.checked(node, name, library_calls.of_function(name, [of, *arguments], keywords))
        result = library_calls.of_array(name, of, arguments, keywords, torch=True)
        if result is not None:
            return self.checked(node, name, result)
        return self.in_other_axes(node, name, of, arguments, keywords)

    def checked(self, node: ast.AST, name: str, result: Any) -> Any:
        return self.refuse(node, name) if result is REFUSED else result

    def in_other_axes(
        self, node: ast.Call, name: str, of: Array, arguments: list[Any], keywords: Mapping[str, Any]
    ) -> Any:
        """Return an array in other axes; a reshape to sizes that are known and do not fit is kept."""
        result = shapes.in_other_axes(name, of.shape, arguments, keywords)
        if result is not None or keywords or name not in ("reshape", "view"):
            return result
        sizes = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], tuple) else tuple(arguments)
        if sizes and all(isinstance(one, int) for one in sizes) and of.is_known:
            self.keep(node, of, Array(sizes))
        return None

    def of_library(self, node: ast.Call, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        first = arguments[0] if arguments else None
        if name in library_calls.PRODUCTS and len(arguments) == 2:
            return self.product(node, *arguments)
        if name in shapes.MAKERS or name in library_calls.ARRAYS and "shape" in keywords:
            return shapes.made(name, arguments, keywords)
        self.nodes += _entries_of(first)
        if name in library_calls.ARRAYS:
            return shapes.literal(first)
        if name in library_calls.OF_ENTRIES and len(arguments) >= 2:
            return self.of_entries(node, name, arguments, keywords)
        if name in layer_calls.LOSSES:
            return self.checked(node, name, layer_calls.loss_of(name, arguments))
        if library_calls.is_known_function(name):
            return self.checked(node, name, library_calls.of_function(name, arguments, keywords))
        if name == "next" or name == "iter":
            return first.item if isinstance(first, Loader) and name == "next" else first
        if _is_returned(first) and name in library_calls.ALIKE:
            return self.refuse(node, "call")  # what a recurrent layer returns, or a packed sequence
        if not isinstance(first, Array):
            return first if name == "int" else None
        if name == "len":
            return shapes.size_of(first, 0)
        result = library_calls.of_array(
            name, first, arguments[1:], keywords, torch=dotted(node.func).startswith(("torch.", "F."))
        )
        if result is not None:
            return self.checked(node, name, result)
        return self.in_other_axes(node, name, first, arguments[1:], keywords)

    def of_function(self, function: ast.FunctionDef, arguments: list[Any], keywords: Mapping[str, Any] = {}) -> Any:
        """Return what a function of the program gives for these arguments; one that is not given is not known."""
        self.called.add(function.name)
        if self.depth >= DEEPEST:
            return None
        before, statement = dict(self.names), self.statement
        self.bind(function, arguments, keywords)
        self.depth += 1
        returned = self.body(function.body)
        self.depth -= 1
        self.names, self.statement = before, statement
        return returned

    def instance(self, model: Model, arguments: list[Any], keywords: Mapping[str, Any]) -> Instance:
        made = Instance(model)
        model.instances.append(made)
        if "__init__" in model.methods:
            self.of_method(made, model.methods["__init__"], arguments, keywords)
        return made

    def of_method(
        self, of: Instance, method: ast.FunctionDef, arguments: list[Any], keywords: Mapping[str, Any]
    ) -> Any:
        """Return what a method gives, and keep the attributes that it sets."""
        of.model.called.add(method.name)
        if self.depth >= DEEPEST:
            return None
        before, statement = self.names, self.statement
        own = (_parameters(method) or ["self"])[0]
        self.names = {name: value for name, value in before.items() if "." not in name}
        self.names |= {f"{own}.{name}": value for name, value in of.attributes.items()} | {own: of}
        self.bind(method, arguments, keywords, skipped=1)
        self.depth += 1
        returned = self.body(method.body)
        self.depth -= 1
        of.attributes |= attributes_of(self.names, own)
        self.names, self.statement = before, statement
        return returned

    def bind(
        self, function: ast.FunctionDef, arguments: list[Any], keywords: Mapping[str, Any], skipped: int = 0
    ) -> None:
        """Give the parameters of a function their values, or their defaults."""
        parameters = _parameters(function)[skipped:]
        self.names |= dict.fromkeys(parameters)
        of = function.args
        named = [one.arg for one in (*of.posonlyargs, *of.args)]
        for name, default in zip(named[len(named) - len(of.defaults) :], of.defaults):
            self.names[name] = self.value(default)
        for one, given in zip(of.kwonlyargs, of.kw_defaults):
            self.names[one.arg] = self.value(given) if given else None
        self.names |= dict(zip(parameters, arguments))
        self.names |= {name: value for name, value in keywords.items() if name in parameters}
