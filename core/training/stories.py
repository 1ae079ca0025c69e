"""What the recipes are that show a claim: each set differs in one field, and has one seed."""

from dataclasses import replace

from core.training.recipe import Recipe

_SCALE = Recipe(init="normal", T=30, rate=0.005, updates=150)
_FORGET = Recipe(init="orthogonal", T=30, updates=200)
_MEMORY = Recipe(scale=0.6, forget_bias=5.0, updates=250)
_EXPLODING = Recipe(
    task="brackets", cell="RNN", g="relu", scale=2.0, optimiser="SGD", clip="none", clip_at=1.0, updates=300
)

STORIES: dict[str, tuple[Recipe, ...]] = {
    # Half of the gates' units are saturated at scale 4, and nothing is learned that is learned at 0.5.
    "scale": tuple(replace(_SCALE, scale=scale) for scale in (0.5, 4.0)),
    # With a bias of 0 a forget gate of 1/2 halves what is remembered at each of 30 steps.
    "forget": tuple(replace(_FORGET, forget_bias=bias) for bias in (0.0, 1.0)),
    # What both cells learn over 10 steps only the LSTM learns over 60: three lengths of the one, then of the other.
    "memory": tuple(replace(_MEMORY, cell=cell, T=T) for cell in ("RNN", "LSTM") for T in (10, 30, 60)),
    # Without clipping the numbers overflow; with it the same cell learns, more slowly where it is clipped at less.
    "clip": (_EXPLODING, replace(_EXPLODING, clip="norm"), replace(_EXPLODING, clip="norm", clip_at=0.1)),
}
