"""A pytest plugin: with ``-p tests.registry_entries.register`` each registry has a further entry, with nothing that is optional.

A tuple of names that a module makes from its registry is there before the plugin, so the plugin makes those of the same module anew.
"""

import numpy as np

from core import activations, initialize
from core.activations import ACTIVATIONS, Activation
from core.sequence import inputs

SOFTSIGN = Activation(
    "softsign",
    "softsign",
    lambda z: z / (1 + np.fabs(z)),
    lambda z: (1 / (1 + np.fabs(z))) ** 2,
    lambda z, out: np.divide(z, 1 + np.abs(z), out=out),
    max_df=1.0,
    low=-1.0,
    high=1.0,
    bounds=lambda fraction: (1 - fraction**-0.5, fraction**-0.5 - 1),
)
# Without ends, not symmetric, with code for NumPy and PyTorch and none for Keras.
LEAKY = Activation(
    "leaky_relu",
    "LeakyReLU",
    lambda z: np.where(z > 0, z, 0.1 * z),
    lambda z: 0.9 * np.heaviside(z, 0) + 0.1,
    lambda z, out: np.maximum(z, 0.1 * z, out=out),
    max_df=1.0,
    low=-np.inf,
    high=np.inf,
    bounds=lambda fraction: (0.0 if fraction > 0.1 else -np.inf, np.inf),
    has_kink=True,
    latex=r"\operatorname{LReLU}",
    numpy=(
        "def leaky_relu(z):\n    return np.where(z > 0, z, 0.1 * z)",
        "def dleaky_relu(z):\n    return np.where(z > 0, 1.0, 0.1)",
    ),
    pytorch="torch.nn.LeakyReLU(0.1)",
)
# Inactive on one side, as ReLU is.
HALF = Activation(
    "half_relu",
    "½ReLU",
    lambda z: np.maximum(z, 0) / 2,
    lambda z: np.heaviside(z, 0) / 2,
    lambda z, out: np.maximum(0.5 * z, 0, out=out),
    max_df=0.5,
    low=0.0,
    high=np.inf,
    bounds=lambda fraction: (0.0, np.inf),
    saturates=False,
    has_kink=True,
)


def he(rng, shape, value=1):
    """He et al. (2015)."""
    return np.sqrt(2 / shape[-1]) * rng.standard_normal(shape)


for activation in (SOFTSIGN, LEAKY, HALF):
    activations.ACTIVATIONS[activation.name] = activation
initialize.INITIALIZERS["he"] = initialize.Initializer("he", he)
initialize.RANDOM = (*initialize.RANDOM, "he")
inputs.PROFILES["line"] = lambda t: t / len(t)

from core import examples  # noqa: E402
from core.scenario import Scenario  # noqa: E402
from core.training import experiments, optimisers, tasks  # noqa: E402
from core.training.training_setup import TrainingSetup  # noqa: E402


def rmsprop(gradient, state, rate, momentum):
    """Divide by a running mean of the squares."""
    second = 0.99 * state.second + 0.01 * np.square(gradient)
    return -rate * gradient / (np.sqrt(second) + 1e-8), optimisers.OptimiserState(state.u + 1, state.first, second)


def halves(rng, T, B):
    """Half of the input at each step."""
    xs = rng.standard_normal((T, 1, B))
    return tasks.Batch(xs, xs / 2, np.full(T, 1 / T))


optimisers.OPTIMISERS["RMSprop"] = optimisers.Optimiser("RMSprop", rmsprop)
optimisers.CLIPS["half"] = lambda gradient, at: gradient / 2
tasks.TASKS["halves"] = tasks.Task(1, 1, "squared", halves)
SMALL = {"k": 2, "T": 3, "updates": 4}
experiments.EXPERIMENTS["optimisers"] = tuple(
    TrainingSetup(task="halves", cell="RNN", init="he", g=g, optimiser=optimiser, **SMALL)
    for optimiser, g in (("RMSprop", "leaky_relu"), ("SGD", "softsign"))
)
for path in ("", "lstm", "sequence"):
    examples.EXAMPLES[f"small{path}"] = examples.Example(Scenario(m=1, n=2, k=2, init="he"), page=path)

assert {"softsign", "leaky_relu", "half_relu"} <= ACTIVATIONS.keys()
