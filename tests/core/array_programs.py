"""For a message about arrays, programs of NumPy that fail in that way: what an advised line is put into."""

from collections.abc import Callable, Iterator

from core.shapes import Cause
from core.shapes.layer_shapes import Shape
from core.shapes.messages import Reading

Program = list[str]
# Sizes that no message is about.
UNITS, FEATURES, BATCH, STEPS = 6, 7, 3, 5


def zeros(name: str, *shape: int) -> str:
    return f"{name} = np.zeros({shape})"


def known(shape: Shape, other: int = BATCH) -> Shape:
    """A shape with a size for each one that is not said."""
    return tuple(other if size < 0 else size for size in shape)


def _multiplied(left: Shape, right: Shape, product: str) -> Program:
    """A·B, and the part of the stack that may be missing in it."""
    columns, height = left[-1], right[0] if len(right) == 1 else right[-2]
    width = right[1:]
    parts = [zeros(name, columns - height, *width) for name in ("h", "x")] if columns > height else []
    if height > columns:
        parts = [zeros("h", *left[:-1], height - columns)]
    return [zeros("A", *left), zeros("B", *right), *parts, f"result = {product}"]


def product(reading: Reading, cause: Cause) -> Iterator[Program]:
    left, right = (known(reading.shape(name)) for name in ("left", "right"))
    if reading.framework == "JAX" and len(left) == len(right) == 1:  # which says the sizes that meet, and no more
        yield from _of_two_sizes(left[0], right[0])
        return
    yield _multiplied(left, right, "np.dot(A, B)" if reading.framework == "NumPy" else "A @ B")


def product_inner(reading: Reading, cause: Cause) -> Iterator[Program]:
    columns, height = reading.size("left"), reading.size("right")
    if reading.size("at") == 0:
        columns, height = height, columns
    yield from _of_two_sizes(columns, height)


def _of_two_sizes(columns: int, height: int) -> Iterator[Program]:
    # Only two sizes are said: the others are those of the story.
    for left, right in (
        ((UNITS, columns), (height, BATCH)),
        ((height, columns), (height, BATCH)),
        ((UNITS, columns), (height, columns)),
        ((UNITS, columns), (height,)),
        ((columns,), (height, BATCH)),
    ):
        yield _multiplied(left, right, "A @ B")


def broadcast(reading: Reading, cause: Cause) -> Iterator[Program]:
    left, right = (known(reading.shape(name)) for name in ("left", "right"))
    yield [zeros("a", *left), zeros("b", *right), "result = a + b"]


def dimensions(reading: Reading, cause: Cause) -> Iterator[Program]:
    left, right = (known(reading.shape(name)) for name in ("a", "b"))
    yield _multiplied(left, right, "A @ B")


def assign(reading: Reading, cause: Cause) -> Iterator[Program]:
    place, value = reading.shape("left"), reading.shape("right")
    yield [zeros("outputs", STEPS, *place), "t = 0", zeros("h", *value), "outputs[t] = h"]


def concatenate(reading: Reading, cause: Cause) -> Iterator[Program]:
    left, right, axis = reading.size("left"), reading.size("right"), reading.size("axis")
    join = f"result = np.concatenate([h, x], axis={1 - axis})"
    for first, second in ((UNITS, FEATURES), (UNITS, UNITS), (UNITS, 1), (1, FEATURES)):
        h, x = ((first, left), (second, right)) if axis else ((left, first), (right, second))
        yield [f"hidden_size = {UNITS}", zeros("h", *h), zeros("x", *x), join]


def concatenate_rank(reading: Reading, cause: Cause) -> Iterator[Program]:
    for batch in (1, BATCH):
        sizes = {1: (UNITS,), 2: (FEATURES, batch), 3: (STEPS, UNITS, batch)}
        a, b = (sizes[reading.size(name)] for name in ("left", "right"))
        yield [zeros("a", *a), zeros("b", *b), "result = np.concatenate([a, b], axis=0)"]


def no_axis(reading: Reading, cause: Cause) -> Iterator[Program]:
    yield [zeros("h", UNITS), zeros("x", FEATURES), "result = np.concatenate([h, x], axis=1)"]
    yield [zeros("x", FEATURES), "result = np.sum(x, axis=1)"]


def stack_none(reading: Reading, cause: Cause) -> Iterator[Program]:
    yield [zeros("h", UNITS, 1), zeros("x", FEATURES, 1), "result = np.stack([h, x])"]
    yield [zeros("h", 1, UNITS), zeros("x", 1, FEATURES), "result = np.stack([h, x])"]
    yield ["sequences = [np.zeros(4), np.zeros(3)]", "result = np.stack(sequences)"]
    yield ["sequences = [np.zeros((4, 2)), np.zeros((3, 2))]", "result = np.stack(sequences)"]


def subscripts(reading: Reading, cause: Cause) -> Iterator[Program]:
    yield [zeros("W", UNITS, FEATURES), zeros("h", FEATURES), "result = np.einsum('ij,jb->ib', W, h)"]


def concatenate_shapes(reading: Reading, cause: Cause) -> Iterator[Program]:
    left, right = reading.shape("left"), reading.shape("right")
    agree = next((axis for axis, (a, b) in enumerate(zip(left, right)) if a == b), 0)
    yield [zeros("h", *left), zeros("x", *right), f"result = np.concatenate([h, x], axis={agree})"]


def concatenate_rank_shapes(reading: Reading, cause: Cause) -> Iterator[Program]:
    left, right = reading.shape("left"), reading.shape("right")
    yield [zeros("a", *left), zeros("b", *right), "result = np.concatenate([a, b], axis=-1)"]


def stack(reading: Reading, cause: Cause) -> Iterator[Program]:
    left, right = reading.shape("left"), reading.shape("right")
    yield [zeros("h", *left), zeros("x", *right), "result = np.stack([h, x])"]


MADE: dict[str, Callable[[Reading, Cause], Iterator[Program]]] = {
    made.__name__: made
    for made in (
        product,
        product_inner,
        broadcast,
        dimensions,
        assign,
        concatenate,
        concatenate_rank,
        no_axis,
        stack_none,
        subscripts,
        concatenate_shapes,
        concatenate_rank_shapes,
        stack,
    )
}
