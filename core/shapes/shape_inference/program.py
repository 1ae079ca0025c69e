"""The shapes in the reader's program, followed line by line as far as its text tells them. Nothing is run.

Sizes that the text does not tell are unknown, and nothing follows from them.
"""

import ast
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from core.shapes.layer_shapes import Shape
from core.shapes.shape_inference import array_shapes as shapes
from core.shapes.shape_inference.array_shapes import Array
from core.shapes.shape_inference.expressions import INDEX, MOST_NODES, Expressions, dotted
from core.shapes.shape_inference.library_calls import Loader
from core.shapes.shape_inference.objects import Model
from core.shapes.shape_inference.stated_shapes import stated_shapes
from core.shapes.user_code.syntax_trees import parsed
from core.shapes.user_code.traceback_lines import LONGEST

# More than any program of a reader; they bound the time.
MOST_LINES_OF_PROSE = 30
MOST_PARSED = 200_000
_MESSAGE = re.compile(r"(?m)^[ \t]{0,80}(?:Traceback \(most|(?:[\w.]+\.)?\w*(?:Error|Warning|Exception)\b|  File \")")
# Statements that only a program has; a line of prose may be an expression.
_CODE = (ast.Assign, ast.ClassDef, ast.FunctionDef, ast.For, ast.Import, ast.ImportFrom)
_LOOPS = {"enumerate", "zip", "reversed", "tqdm"}


@lru_cache(maxsize=1)
def _program(text: str) -> tuple[ast.Module, list[str], int] | None:
    """Return the program in a text, its lines, and how many lines are before them; None if there is none.

    Lines that are no Python are blank. The last program is kept, because it is asked for again when the advised lines are tried.
    """
    before, text = text[:-LONGEST].count("\n"), text[-LONGEST:]
    messages = list(_MESSAGE.finditer(text))
    if not messages:
        return _parsed(_lines(text), before)
    above = _parsed(_lines(text[: messages[0].start()]), before)
    if above and any(isinstance(one, _CODE) for one in above[0].body):
        return above
    # The message may stand above the program.
    end = text.find("\n", messages[-1].end())
    below = _parsed(_lines(re.sub(r"[^\r\n]", "", text[:end]) + text[end:]), before) if end > 0 else None
    return below if below and any(isinstance(one, _CODE) for one in below[0].body) else above


def _lines(text: str) -> list[str]:
    """Return the lines of a text, as Python counts them; of an interactive session those that were typed."""
    lines = re.split(r"\r\n?|\n", text)
    if not any(line.startswith(">>> ") for line in lines):
        return lines
    return [line[4:] if line[:4] in (">>> ", "... ") else "" for line in lines]


def _dedented(lines: list[str], at: int) -> bool:
    """Move the lines of a block that is indented without a reason to the left; return whether there is one."""
    indent = len(lines[at]) - len(lines[at].lstrip())
    end = at
    while end < len(lines) and (not lines[end].strip() or lines[end][:indent].isspace()):
        end += 1
    lines[at:end] = [line[indent:] for line in lines[at:end]]
    return indent > 0


def _parsed(lines: list[str], before: int) -> tuple[ast.Module, list[str], int] | None:
    """Return a program and its lines, of which those that are no Python are blank; None if too many are none."""
    length = sum(map(len, lines))
    for _ in range(min(MOST_LINES_OF_PROSE, MOST_PARSED // (length + 1) + 1)):
        try:
            return parsed("\n".join(lines)), lines, before
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            if not 0 <= at < len(lines) or not lines[at].strip():
                return None
            if error.msg == "unexpected indent" and _dedented(lines, at):
                continue
            lines[at] = ""
    return None


def trace_shapes(text: str) -> "ShapeTracer | None":
    """Return what follows from the program in a text, without the lines around it that are no Python; None if it has none."""
    program = _program(text)
    try:
        return ShapeTracer(*program, told=stated_shapes(text)) if program else None
    except RecursionError:
        return None


def trace_lines(lines: list[str], told: Mapping[str, Shape] = {}) -> "ShapeTracer | None":
    """Return what follows from the lines of a program; None if they are none."""
    try:
        return ShapeTracer(parsed("\n".join(lines)), lines, told=told)
    except (SyntaxError, RecursionError):
        return None


class ShapeTracer(Expressions):
    """A walk through a program by its statements, with the shapes of its names and the operations that do not fit."""

    def __init__(self, tree: ast.Module, lines: list[str], before: int = 0, *, told: Mapping[str, Shape] = {}) -> None:
        super().__init__(lines, before, told)
        self.body(tree.body)
        for name, function in list(self.functions.items()):
            if name not in self.called:
                self.of_function(function, [])
        for model in self.models.values():
            self.of_unused(model)

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
        elif isinstance(node, ast.FunctionDef) and [one.arg for one in node.args.args[:1]] == ["self"]:
            # The methods of a class whose first line was not pasted.
            self.models.setdefault("", Model("", {})).methods[node.name] = node
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
        if isinstance(items, Loader):
            return items.item
        return Array(items.shape[1:]) if isinstance(items, Array) and items.shape else None

    def either(self, node: ast.If) -> Any:
        """Follow both branches; a name that differs after them is not known."""
        before = dict(self.names)
        returned = self.body(node.body)
        after, self.names = self.names, before
        returned = self.body(node.orelse) or returned
        self.names = {
            name: value if after.get(name, value) == value or name not in after else None
            for name, value in self.names.items()
        } | {name: value for name, value in after.items() if name not in self.names}
        return returned

    def of_class(self, node: ast.ClassDef) -> None:
        methods = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
        bases = [dotted(base).rpartition(".")[2] for base in node.bases]
        inherited = next((self.models[base].methods for base in bases if base in self.models), {})
        self.models[node.name] = Model(node.name, {**inherited, **methods})

    def of_unused(self, model: Model) -> None:
        """Follow the methods of a class that the program does not call, with arguments that are not known."""
        instances = model.instances or [self.instance(model, [], {})]
        for instance in instances:
            for name, method in model.methods.items():
                if name not in model.called and name != "__init__":
                    self.of_method(instance, method, [], {})

    def store(self, target: ast.expr, value: Any) -> None:
        """Give a target its value, while nodes are left."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            return
        if isinstance(target, ast.Name | ast.Attribute):
            if name := dotted(target):
                self.names[name] = self.told_of(name) if value is None else value
        elif isinstance(target, ast.Tuple | ast.List):
            if isinstance(value, tuple) and len(value) != len(target.elts):
                self.refuse(target, "unpack")
            parts = value if isinstance(value, tuple) and len(value) == len(target.elts) else [None] * len(target.elts)
            for one, part in zip(target.elts, parts):
                self.store(one, part)
        elif isinstance(target, ast.Subscript):
            place = self.value(target)
            if isinstance(place, Array) and isinstance(value, Array):
                whole = shapes.broadcast(place.shape, value.shape)
                if whole is None or len(whole) > len(place.shape) or any(a < b for a, b in zip(place.shape, whole)):
                    self.keep(target, place, value)
