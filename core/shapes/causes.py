"""For each kind of message the function that says what may have been done wrong."""

from collections.abc import Callable

from core.shapes import of_arrays, of_layers, of_products, of_weights
from core.shapes.found import Found
from core.shapes.messages import FORMS, Reading

_ROOMS = (of_layers, of_products, of_arrays, of_weights)

# A function has the name of its kind.
KINDS: dict[str, Callable[[Reading], Found]] = {
    form.kind: next(getattr(room, form.kind) for room in _ROOMS if hasattr(room, form.kind)) for form in FORMS
}
