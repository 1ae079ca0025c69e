"""The operations of a reader's program that a message may be about, and where they stand in it."""

import ast
from collections.abc import Mapping
from typing import Any, NamedTuple

from core.shapes.layer_shapes import Shape
from core.shapes.shape_inference.array_shapes import Array
from core.shapes.shape_inference.layer_calls import UserLayer
from core.shapes.shape_inference.objects import Model


class Mismatch(NamedTuple):
    """Two shapes that do not match in an operation, and where.

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
    """A call of a layer or of a loss, as `Mismatch`, and the shapes of its arguments as far as they are known."""

    code: str
    number: int
    marked: tuple[int, int]
    layer: UserLayer | None
    given: tuple[Array | None, ...]


class Refusal(NamedTuple):
    """An operation that the library refuses, as `Mismatch`, and the name of the function, the method or the kind of layer."""

    code: str
    number: int
    marked: tuple[int, int]
    name: str


class Places:
    """The names that are known while a program is followed, and the operations that are kept."""

    def __init__(self, lines: list[str], before: int, told: Mapping[str, Shape]) -> None:
        self.lines, self.before, self.told = lines, before, told
        self.names: dict[str, Any] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        self.called: set[str] = set()
        self.mismatches: list[Mismatch] = []
        self.calls: list[Call] = []
        self.refusals: list[Refusal] = []
        self.models: dict[str, Model] = {}
        self.nodes = self.depth = 0
        self.statement: ast.stmt = ast.Pass()
        self.codes: dict[int, str] = {}

    def keep(self, node: ast.AST, left: Array, right: Array) -> None:
        self.mismatches.append(Mismatch(node, *self.place(node), left, right))

    def refuse(self, node: ast.AST, name: str) -> None:
        self.refusals.append(Refusal(*self.place(node), name))

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
