"""Experiments: sets of training setups that differ in few fields and share one seed."""

from dataclasses import replace

from core.training.training_setup import TrainingSetup

_SCALE = TrainingSetup(init="normal", T=30, rate=0.005, updates=150)
_FORGET = TrainingSetup(init="orthogonal", T=30, updates=200)
_MEMORY = TrainingSetup(init="orthogonal", updates=250)
_CELLS = (
    replace(_MEMORY, cell="RNN"),
    replace(_MEMORY, cell="LSTM"),
    replace(_MEMORY, cell="LSTM", forget_bias=5.0),
)
# With this scale the numbers overflow within a few updates, however the processor rounds.
_EXPLODING = TrainingSetup(
    task="brackets", cell="RNN", g="relu", scale=2.2, optimiser="SGD", clip="none", clip_at=1.0, updates=600
)

# To add an experiment, add its training setups here.
EXPERIMENTS: dict[str, tuple[TrainingSetup, ...]] = {
    # Half of the gates' units are saturated at scale 4, and nothing is learned that is learned at 0.5.
    "scale": tuple(replace(_SCALE, scale=scale) for scale in (0.5, 4.0)),
    # With a bias of 0 a forget gate of 1/2 halves what is remembered at each of 30 steps.
    "forget": tuple(replace(_FORGET, forget_bias=bias) for bias in (0.0, 1.0)),
    # All three learn 30 steps. Only the forget bias of 5 learns 60 steps whatever the seed: the shorter task first.
    "memory": tuple(replace(setup, T=T) for T in (30, 60) for setup in _CELLS),
    # Without clipping the numbers overflow. Clipped at 1 the same cell learns, and at 0.1 it falls behind.
    "clip": (_EXPLODING, replace(_EXPLODING, clip="norm"), replace(_EXPLODING, clip="norm", clip_at=0.1)),
}
