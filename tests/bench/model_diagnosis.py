"""Prints which planted faults the diagnosis finds, the warnings on healthy networks, and the time of a large one.

PYTHONPATH=. .venv/bin/python -m tests.bench.model_diagnosis
"""

import time

import numpy as np

from core.diagnosis import diagnose
from core.diagnosis.findings import WARNING
from tests.core import planted
from tests.core.planted import FAULTS, HEALTHY, network


def codes(made, xs) -> list[str]:
    found = diagnose(network(made).stacks[0].layers, xs).findings
    return [finding.code for finding in found if finding.level == WARNING]


if __name__ == "__main__":
    for fault in FAULTS:
        found = codes(*fault.plant(0))
        print(f"{fault.name:36} {'found' if fault.code in found else 'MISSED':8} {', '.join(found)}")
    for name, make in HEALTHY.items():
        print(f"{name:36} {', '.join(codes(*make(0))) or 'no warning'}")
    planted.K, planted.M = 512, 64
    layers = network(planted.weights("LSTM", layers=2)).stacks[0].layers
    start = time.perf_counter()
    diagnose(layers, np.random.default_rng(0).standard_normal((512, 64, 1)))
    print(f"two layers of 512 units over 512 steps: {time.perf_counter() - start:.1f} s")
