"""The shapes in the reader's program, followed line by line as far as its text tells them. Nothing is run.

Sizes that the text does not tell make an array unknown, and nothing follows from it.
"""

import ast
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from core.shapes.user_code import array_shapes as shapes
from core.shapes.user_code.array_shapes import Array, Layer
from core.shapes.user_code.operations import LOSS
from core.shapes.user_code.traceback_lines import LONGEST, LONGEST_LINE, parsed

# More than any program of a reader; they bound the time.
MOST_NODES = 4000
MOST_LINES_OF_PROSE = 30
MOST_PARSED = 200_000
DEEPEST = 4
_MESSAGE = re.compile(r"(?m)^[ \t]{0,80}(?:Traceback \(most|(?:[\w.]+\.)?\w*(?:Error|Warning|Exception)\b|  File \")")
PACKING = "pack_padded_sequence"
_LOOPS = {"enumerate", "zip", "reversed", "tqdm"}
# Stands for a whole number that indexes an axis, such as that of a loop.
INDEX = object()
_INTEGERS = {ast.Add: int.__add__, ast.Sub: int.__sub__, ast.Mult: int.__mul__, ast.FloorDiv: int.__floordiv__}


class Operands(NamedTuple):
    """Two shapes that meet in an operation, and where.

    Attributes
    ----------
    node : ast.expr or ast.stmt
    code : str
        The line, or the lines, of the statement.
    number : int
    marked : (int, int)
        The columns of the operation in the code.
    left, right : Array
    """

    node: ast.AST
    code: str
    number: int
    marked: tuple[int, int]
    left: Array
    right: Array


class Call(NamedTuple):
    """A call of a layer or of a loss, as `Operands`, and the shapes of its arguments as far as they are known."""

    code: str
    number: int
    marked: tuple[int, int]
    layer: Layer | None
    given: tuple[Array | None, ...]


@lru_cache(maxsize=1)
def _program(text: str) -> tuple[ast.Module, list[str], int] | None:
    """Return the program in a text, its lines, and how many lines are before them; None if there is none.

    Lines that are no Python are blank. The last program is kept, because `failing_line.fitting` asks again for each cause.
    """
    before, text = text[:-LONGEST].count("\n"), text[-LONGEST:]
    message = _MESSAGE.search(text)
    # As Python counts lines.
    lines = re.split(r"\r\n?|\n", text[: message.start()] if message else text)
    for _ in range(min(MOST_LINES_OF_PROSE, MOST_PARSED // (len(text) + 1) + 1)):
        try:
            return parsed("\n".join(lines)), lines, before
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            if not 0 <= at < len(lines) or not lines[at].strip():
                return None
            lines[at] = ""
    return None


def trace_shapes(text: str) -> "ShapeTracer | None":
    """Return what follows from the program in a text, without the lines around it that are no Python; None if it has none."""
    program = _program(text)
    try:
        return ShapeTracer(*program) if program else None
    except RecursionError:
        return None


def trace_lines(lines: list[str]) -> "ShapeTracer | None":
    """Return what follows from the lines of a program; None if they are none."""
    try:
        return ShapeTracer(parsed("\n".join(lines)), lines)
    except (SyntaxError, RecursionError):
        return None


def _parameters(function: ast.FunctionDef) -> list[str]:
    """Return the names of the parameters, of which those that take a position come first."""
    of = function.args
    named = [*of.posonlyargs, *of.args, *of.kwonlyargs, of.vararg, of.kwarg]
    return [one.arg for one in named if one]


def _dotted(node: ast.expr) -> str:
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


def _entries_of(value: Any) -> int:
    """Return how many entries a tuple has, with those of the tuples in it."""
    return sum(1 + _entries_of(one) for one in value) if isinstance(value, tuple) else 0


class ShapeTracer:
    """A walk through a program by its statements, with the shapes of its names and the operations that do not fit."""

    def __init__(self, tree: ast.Module, lines: list[str], before: int = 0) -> None:
        self.lines, self.before = lines, before
        self.names: dict[str, Any] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        self.called: set[str] = set()
        self.mismatches: list[Operands] = []
        self.calls: list[Call] = []
        self.nodes = self.depth = 0
        self.statement: ast.stmt = ast.Pass()
        self.codes: dict[int, str] = {}
        self.body(tree.body)
        for name, function in list(self.functions.items()):
            if name not in self.called:
                self.of_function(function, [])

    # ---- statements ----------------------------------------------------------------------------

    def body(self, statements: list[ast.stmt]) -> Any:
        """Follow statements and return what a return gives."""
        returned = None
        for statement in statements:
            self.nodes += 1
            if self.nodes > MOST_NODES:
                break
            if isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr | ast.Return | ast.AnnAssign | ast.For):
                self.statement = statement
            returned = self.trace(statement) or returned
        return returned

    def trace(self, node: ast.stmt) -> Any:
        """Follow a statement, and return what a return in it gives."""
        if isinstance(node, ast.Assign):
            value = self.value(node.value)
            for target in node.targets:
                self.store(target, value)
        elif isinstance(node, ast.AnnAssign) and node.value:
            self.store(node.target, self.value(node.value))
        elif isinstance(node, ast.AugAssign):
            self.store(node.target, self.combined(node, self.value(node.target), self.value(node.value)))
        elif isinstance(node, ast.Expr):
            self.value(node.value)
        elif isinstance(node, ast.Return) and node.value:
            return self.value(node.value)
        elif isinstance(node, ast.FunctionDef):
            self.functions[node.name] = node
        elif isinstance(node, ast.ClassDef):
            self.of_class(node)
        elif isinstance(node, ast.For):
            self.store(node.target, self.item_of(node.iter))
            return self.body(node.body)
        elif isinstance(node, ast.With):
            for item in node.items:
                if item.optional_vars:
                    self.store(item.optional_vars, None)
            return self.body(node.body)
        elif isinstance(node, ast.While):
            return self.body(node.body)
        elif isinstance(node, ast.Try):
            return self.body([*node.body, *node.orelse, *node.finalbody])
        elif isinstance(node, ast.If):
            return self.either(node)
        return None

    def item_of(self, node: ast.expr) -> Any:
        """Return an item of what a loop iterates over."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("range", "trange"):
                return INDEX
            items = [self.item_of(one) for one in node.args[:4]] if node.func.id in _LOOPS else []
            if items:
                return {"zip": tuple(items), "enumerate": (INDEX, items[0])}.get(node.func.id, items[0])
        items = self.value(node)
        return Array(items.shape[1:]) if isinstance(items, Array) and items.shape else None

    def either(self, node: ast.If) -> Any:
        """Follow both branches; a name that differs after them is not known."""
        before = dict(self.names)
        returned = self.body(node.body)
        after, self.names = self.names, before
        returned = self.body(node.orelse) or returned
        self.names = {name: value for name, value in self.names.items() if after.get(name) == value}
        return returned

    def of_class(self, node: ast.ClassDef) -> None:
        """Follow the methods of a class, whose arguments are not known."""
        before = dict(self.names)
        for method in node.body:
            if isinstance(method, ast.FunctionDef):
                self.names |= dict.fromkeys(_parameters(method))
                self.body(method.body)
        self.names = before

    def store(self, target: ast.expr, value: Any) -> None:
        """Give a target its value, while nodes are left."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            return
        if isinstance(target, ast.Name | ast.Attribute):
            if name := _dotted(target):
                self.names[name] = value
        elif isinstance(target, ast.Tuple):
            parts = value if isinstance(value, tuple) and len(value) == len(target.elts) else [None] * len(target.elts)
            for one, part in zip(target.elts, parts):
                self.store(one, part)
        elif isinstance(target, ast.Subscript):
            place = self.value(target)
            if isinstance(place, Array) and isinstance(value, Array):
                whole = shapes.broadcast(place.shape, value.shape)
                if whole is None or len(whole) > len(place.shape) or any(a < b for a, b in zip(place.shape, whole)):
                    self.keep(target, place, value)

    # ---- expressions ---------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Any:
        """Return a size, a tuple of sizes, an Array or a Layer; None if it is not known."""
        self.nodes += 1
        value = self.value_of(node) if self.nodes <= MOST_NODES else None
        return value if shapes.is_plausible(value) else None

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
        if isinstance(node, ast.Attribute):
            return self.attribute(node)
        if isinstance(node, ast.Subscript):
            return self.item(self.value(node.value), node.slice)
        if isinstance(node, ast.Call):
            return self.call(node)
        return self.names.get(node.id) if isinstance(node, ast.Name) else None

    def attribute(self, node: ast.Attribute) -> Any:
        if (name := _dotted(node)) in self.names:
            return self.names[name]
        of = self.value(node.value)
        if not isinstance(of, Array):
            return None
        return {"T": Array(of.shape[::-1]), "shape": of.shape}.get(node.attr)

    def item(self, of: Any, index: ast.expr) -> Any:
        """Return what an index takes; a slice with bounds leaves a size that is not known."""
        if isinstance(of, tuple) and (at := self.value(index)) is not None:
            return of[at] if isinstance(at, int) and -len(of) <= at < len(of) else None
        if not isinstance(of, Array):
            return None
        left, shape = list(of.shape), []
        for one in index.elts if isinstance(index, ast.Tuple) else [index]:
            if isinstance(one, ast.Constant) and one.value is None or _dotted(one).endswith("newaxis"):
                shape.append(1)
            elif not left or isinstance(one, ast.Slice) and (one.lower or one.upper or one.step):
                return None
            elif isinstance(one, ast.Slice):
                shape.append(left.pop(0))
            elif not isinstance(at := self.value(one), int) and at is not INDEX:
                return None
            else:
                left.pop(0)
        return Array((*shape, *left))

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

    def call(self, node: ast.Call) -> Any:
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        arguments = [self.value(one) for one in node.args]
        keywords = {one.arg: self.value(one.value) for one in node.keywords if one.arg}
        made = self.value(function) if isinstance(function, ast.Call) else self.names.get(_dotted(function))
        given = tuple(one if isinstance(one, Array) else None for one in arguments)
        if isinstance(made, Layer):
            self.calls.append(Call(*self.place(node), made, given))
            return made.of(given[0] if given else None)
        if len(given) == 2 and (LOSS.search(name) or name == PACKING):
            self.calls.append(Call(*self.place(node), None, given))
        if isinstance(function, ast.Name) and name in self.functions:
            return self.of_function(self.functions[name], arguments, keywords)
        if name in shapes.LAYERS:
            return shapes.layer_of(name, arguments, keywords)
        of = self.value(function.value) if isinstance(function, ast.Attribute) else None
        if isinstance(of, Array):
            return self.method(node, name, of, arguments, keywords)
        return self.of_library(node, name, arguments, keywords)

    def method(self, node: ast.Call, name: str, of: Array, arguments: list[Any], keywords: Mapping[str, Any]) -> Any:
        if name in shapes.PRODUCTS and len(arguments) == 1:
            return self.product(node, of, arguments[0])
        if name in shapes.ALIKE:
            return of
        if name == "size" and not arguments and not keywords:
            return of.shape
        if name == "size":
            at = arguments[0] if arguments else keywords.get("dim")
            return of.shape[at] if isinstance(at, int) and -len(of.shape) <= at < len(of.shape) else None
        return self.in_other_axes(node, name, of, arguments, keywords)

    def in_other_axes(
        self, node: ast.Call, name: str, of: Array, arguments: list[Any], keywords: Mapping[str, Any]
    ) -> Any:
        """Return an array in other axes; a reshape to sizes that are known and do not fit is kept."""
        result = shapes.in_other_axes(name, of.shape, arguments, keywords)
        if result is not None or keywords or name not in ("reshape", "view"):
            return result
        sizes = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], tuple) else tuple(arguments)
        if sizes and all(isinstance(one, int) for one in sizes):
            self.keep(node, of, Array(sizes))
        return None

    def of_library(self, node: ast.Call, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        first = arguments[0] if arguments else None
        if name in shapes.PRODUCTS and len(arguments) == 2:
            return self.product(node, *arguments)
        if name in shapes.MAKERS or name in shapes.ARRAYS and "shape" in keywords:
            return shapes.made(name, arguments, keywords)
        if name in shapes.ARRAYS:
            self.nodes += _entries_of(first)
            return shapes.literal(first)
        if name in ("add", "multiply", "subtract", "maximum", "minimum") and len(arguments) == 2:
            return self.entries(node, *arguments)
        if not isinstance(first, Array):
            return first if name == "int" else None
        if name == "len":
            return first.shape[0] if first.shape else None
        if name in shapes.ALIKE:
            return first
        return self.in_other_axes(node, name, first, arguments[1:], keywords)

    def of_function(self, function: ast.FunctionDef, arguments: list[Any], keywords: Mapping[str, Any] = {}) -> Any:
        """Return what a function of the program gives for these arguments; one that is not given is not known."""
        self.called.add(function.name)
        if self.depth >= DEEPEST:
            return None
        before, statement = dict(self.names), self.statement
        parameters = _parameters(function)
        self.names |= dict.fromkeys(parameters) | dict(zip(parameters, arguments))
        self.names |= {name: value for name, value in keywords.items() if name in parameters}
        self.depth += 1
        returned = self.body(function.body)
        self.depth -= 1
        self.names, self.statement = before, statement
        return returned

    # ---- what is kept --------------------------------------------------------------------------

    def keep(self, node: ast.AST, left: Array, right: Array) -> None:
        self.mismatches.append(Operands(node, *self.place(node), left, right))

    def place(self, node: ast.AST) -> tuple[str, int, tuple[int, int]]:
        """Return the code of the statement, its line, and the columns of a node in it; a loop is its first line."""
        statement = self.statement
        end = statement.iter if isinstance(statement, ast.For) else statement
        number: int = getattr(statement, "lineno", 0)
        start: int = getattr(statement, "col_offset", 0)
        is_whole = bool(number) and number == end.end_lineno
        if id(statement) not in self.codes:
            self.codes[id(statement)] = self.code_of(statement, end, is_whole)
        code = self.codes[id(statement)]
        if not is_whole or not isinstance(node, ast.expr | ast.stmt) or node.lineno != number:
            return code, number + self.before, (0, 0)
        return code, number + self.before, (int(node.col_offset) - start, int(node.end_col_offset or 0) - start)

    def code_of(self, statement: ast.stmt, end: ast.stmt | ast.expr, is_whole: bool) -> str:
        """Return the code of a statement, as it stands in its line if it is in one."""
        colon = ":" if end is not statement else ""
        if is_whole:
            line = self.lines[statement.lineno - 1].encode()
            return line[statement.col_offset : end.end_col_offset].decode() + colon
        if isinstance(statement, ast.For):
            return f"for {ast.unparse(statement.target)} in {ast.unparse(statement.iter)}:"
        return ast.unparse(statement)
