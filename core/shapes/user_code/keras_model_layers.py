"""The layers of a Keras model in the reader's text, in the order in which they are made."""

import ast
import copy
import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from core.shapes.user_code.syntax_trees import argument, tree_of
from core.shapes.user_code.traceback_lines import LONGEST

# More than any layer's line has.
LONGEST_CALL = 600
MOST_LAYERS = 60
# A call that is not closed is read to LONGEST_CALL, so their number bounds the time.
MOST_TRIED = 300
_LAYER = re.compile(
    r"(?:\b(?:keras|layers|tf)\.){0,4}\b(LSTM|GRU|SimpleRNN|CuDNNLSTM|CuDNNGRU|Bidirectional|TimeDistributed|Dense|RepeatVector"
    r"|Flatten|(?:Global)?(?:Average|Max)Pooling1D|Embedding|Conv1D)\("
)
_RECURRENT = ("LSTM", "GRU", "SimpleRNN", "CuDNNLSTM", "CuDNNGRU")


class KerasLayer(NamedTuple):
    """A layer, and the code that makes it.

    Attributes
    ----------
    kind : str
        The class of the layer itself, within Bidirectional or TimeDistributed.
    code : str
    call : ast.Call
        Of the outermost class.
    """

    kind: str
    code: str
    call: ast.Call

    @property
    def is_recurrent(self) -> bool:
        return self.kind in _RECURRENT

    @property
    def inner(self) -> ast.Call:
        """The call that makes the layer itself."""
        first = self.call.args[0] if self.call.args else None
        return first if isinstance(first, ast.Call) and self.outer != self.kind else self.call

    @property
    def outer(self) -> str:
        """The outermost class."""
        return ast.unparse(self.call.func).rpartition(".")[2]

    @property
    def returns_all_steps(self) -> bool:
        return bool(getattr(argument(self.inner, "return_sequences"), "value", False))

    @property
    def units(self) -> str:
        """The code of the first size of the layer itself; empty if it has none."""
        first = argument(self.inner, "units", at=0)
        return ast.unparse(first) if first is not None else ""

    def copied(self) -> tuple[ast.Call, ast.Call]:
        """Return a copy of the call, and the call of the layer itself in it."""
        outer = copy.deepcopy(self.call)
        return outer, KerasLayer(self.kind, "", outer).inner

    def with_units(self, units: int) -> str:
        """Return the code of the layer with another number of units."""
        own, inner = self.copied()
        inner.args = [ast.Constant(units), *inner.args[1:]]
        inner.keywords = [one for one in inner.keywords if one.arg != "units"]
        return ast.unparse(own)

    def with_output(self, units: int, *, all_steps: bool) -> str:
        """Return the code of a recurrent layer that gives all steps or one, each with so many entries; 0 keeps the units."""
        made = self if self.returns_all_steps == all_steps else keras_layers(self.with_all_steps(all_steps))[0]
        each = units // 2 if self.outer == "Bidirectional" else units
        return made.with_units(each) if each and self.units != str(each) else made.code

    def with_all_steps(self, all_steps: bool) -> str:
        """Return the code with another return_sequences."""
        tree = tree_of(self.code)
        call = KerasLayer(self.kind, self.code, tree.value).inner if isinstance(tree, ast.Expr) else None  # type: ignore[arg-type]
        if call is None:
            return ""
        told = [one for one in call.keywords if one.arg == "return_sequences"]
        for one in told:
            one.value = ast.Constant(all_steps)
        if not told:
            call.keywords.append(ast.keyword("return_sequences", ast.Constant(all_steps)))
        return ast.unparse(tree)  # type: ignore[arg-type]


def follows_flatten(layers: Sequence[KerasLayer]) -> bool:
    """Whether the first recurrent layer of a model follows a Flatten, which leaves it no steps."""
    kinds = [one.kind for one in layers]
    first = next((at for at, one in enumerate(layers) if one.is_recurrent), 0)
    return "Flatten" in kinds[:first] and "RepeatVector" not in kinds[:first]


def pooled_before(layers: Sequence[KerasLayer]) -> str:
    """Return the pooling over all steps that stands before the first recurrent layer of a model; empty if there is none."""
    first = next((at for at, one in enumerate(layers) if one.is_recurrent), 0)
    pooled = (one.code for one in reversed(layers[:first]) if one.kind.startswith("Global"))
    return next(pooled, "")


def keras_layers(text: str) -> tuple[KerasLayer, ...]:
    """Return the layers in a text; those whose code is no whole call are left out."""
    text = text[-LONGEST:]
    found: list[KerasLayer] = []
    end = 0
    for match in islice(_LAYER.finditer(text), MOST_TRIED):
        if match.start() < end or len(found) == MOST_LAYERS:
            continue
        code = _call_from(text, match)
        tree = tree_of(code) if code else None
        if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Call):
            kind = match[1]
            first = tree.value.args[0] if tree.value.args else None
            if kind in ("Bidirectional", "TimeDistributed") and isinstance(first, ast.Call):
                kind = ast.unparse(first.func).rpartition(".")[2]
            found.append(KerasLayer(kind, code, tree.value))
            end = match.start() + len(code)
    return tuple(found)


def _call_from(text: str, match: re.Match[str]) -> str:
    """Return the code of a call from its name to the bracket that ends it; empty if there is none."""
    depth = 0
    for at, letter in enumerate(text[match.end() - 1 : match.end() + LONGEST_CALL]):
        depth += (letter in "([{") - (letter in ")]}")
        if not depth:
            return text[match.start() : match.end() + at]
    return ""


def recurrent_layers(layers: Sequence[KerasLayer]) -> list[KerasLayer]:
    """Return all recurrent layers, with those that are arguments of another layer, such as the directions of a Bidirectional."""
    calls = [node for one in layers for node in ast.walk(one.call) if isinstance(node, ast.Call)]
    kinds = [(ast.unparse(call.func).rpartition(".")[2], call) for call in calls]
    return [KerasLayer(kind, ast.unparse(call), call) for kind, call in kinds if kind in _RECURRENT]


def last_recurrent(layers: tuple[KerasLayer, ...]) -> int | None:
    """Return the place of the last recurrent layer; None if there is none."""
    return next((at for at in range(len(layers) - 1, -1, -1) if layers[at].is_recurrent), None)


def with_own_arguments(advised: str, layers: tuple[KerasLayer, ...]) -> str:
    """Return an advised line that makes a layer with the other arguments of the reader's layer, where it is plain which one.

    Parameters
    ----------
    advised : str
        Such as ``Dense(3)   # the last layer`` or ``LSTM(..., return_sequences=True)   # the last recurrent layer``.
    layers : tuple of KerasLayer
        Of the reader's text.
    """
    code, mark, comment = advised.partition("   # ")
    tree = tree_of(code)
    new = tree.value if isinstance(tree, ast.Expr) else None
    if not isinstance(new, ast.Call):
        return advised
    kind = ast.unparse(new.func).rpartition(".")[2]
    same = [one for one in layers if one.kind == kind or kind in _RECURRENT and one.is_recurrent]
    if not same or len(same) > 1 and "last" not in comment or "before this one" in comment or "in place of" in comment:
        return advised
    told = {one.arg: one.value for one in new.keywords if one.arg}
    if kind in _RECURRENT and set(told) == {"return_sequences"} and isinstance(told["return_sequences"], ast.Constant):
        if same[-1].returns_all_steps == bool(told["return_sequences"].value):
            return advised
        return f"{same[-1].with_all_steps(bool(told['return_sequences'].value))}{mark}{comment.partition(';')[0]}"
    own, inner = same[-1].copied()
    if kind == "GRU" and "reset_after" in told:
        inner.keywords = [one for one in inner.keywords if one.arg != "reset_after"]
        inner.keywords.append(ast.keyword("reset_after", told["reset_after"]))
    elif kind in ("Dense", "Embedding", "RepeatVector") and same[-1].kind == kind and new.args and inner.args:
        inner.args[0] = new.args[0]
    else:
        return advised
    return f"{ast.unparse(own)}{mark}{comment}"
