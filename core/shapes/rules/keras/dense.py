"""A Dense layer of Keras that gets another number of entries than it was built for."""

from core.shapes.rules.fits import remote, strong
from core.shapes.rules.rule import Rules, reason

DENSE: Rules = (
    strong(
        "hidden-size",
        (
            reason("dense-features", "wanted", "got"),
            reason("dense-two-directions", when=lambda f: f.got == 2 * f.wanted),
        ),
        "layers.Dense(units)   # a new one, which is built for {got} entries",
        conform=lambda f: {"x": (-1, -1, f.wanted)},
    ),
    remote(
        "input-size",
        reason("dense-data", "got", "wanted"),
        "layers.Dense(units)   # a new one, which is built for {got} entries",
        conform=lambda f: {"x": (-1, -1, f.wanted)},
    ),
)
