"""Prints how many planted faults the diagnosis finds, the warnings on healthy networks, and the time of a large one.

PYTHONPATH=. .venv/bin/python -m tests.bench.model_diagnosis
"""

import time
from collections import Counter

import dashboard  # noqa: F401 - before NumPy: as on a server, a product has one thread
from core.model_diagnosis import WARNING, ModelFinding, diagnose
from tests.core.planted_faults import FAULTS, HEALTHY, Fault, Plant, contents_of, inputs, weights

SIZES, SEEDS = (4, 8, 24, 64, 128), range(3)


def warnings(made, xs) -> list[ModelFinding]:
    return [one for one in diagnose(contents_of(made).networks[0].layers, xs).findings if one.level == WARNING]


def is_located(fault: Fault, plant: Plant, found: list[ModelFinding]) -> bool:
    """Whether a finding names the fault and where it is."""
    return any(
        one.code == fault.code
        and (one.layer, one.direction) == (plant.layer, plant.direction)
        and plant.symbol in ("", one.symbol)
        and plant.units in ((), one.units)
        for one in found
    )


if __name__ == "__main__":
    cases = [(k, seed) for k in SIZES for seed in SEEDS]
    print(f"{len(cases)} networks of {', '.join(map(str, SIZES))} units for each line")
    for fault in FAULTS:
        for cell in fault.cells:
            missed, others = [], Counter[str]()
            for k, seed in cases:
                plant = fault.plant(cell, seed, k)
                found = warnings(plant.weights, plant.xs)
                others.update({one.code for one in found} - {fault.code})
                if not is_located(fault, plant, found):
                    missed.append((k, seed))
            also = ", ".join(f"{code} {count}" for code, count in others.most_common(3))
            print(f"{fault.name:28} {cell:5} {len(cases) - len(missed):3} located  missed {missed}  also: {also}")
    for name, make in HEALTHY.items():
        false = {(k, seed): {one.code for one in warnings(*make(seed, k))} for k, seed in cases}
        print(f"{name:40} {sum(map(bool, false.values())):3} warned {[pair for pair in false.items() if pair[1]]}")
    layers = contents_of(weights("LSTM", layers=2, k=512, m=64)).networks[0].layers
    start = time.perf_counter()
    _ = diagnose(layers, inputs(m=64).repeat(5, axis=0)[:512]).findings
    print(f"two layers of 512 units over 512 steps: {time.perf_counter() - start:.1f} s")
