"""Trains the networks of this folder: `python -m core.model_diagnosis.networks.make`, a minute."""

from pathlib import Path

from core.exchange.array_files import to_safetensors
from core.exchange.weight_layouts import to_pytorch
from core.model_diagnosis.networks import NETWORKS
from core.training import TrainingSetup, arrays_at, train

if __name__ == "__main__":
    for name in NETWORKS:
        made = train(TrainingSetup(task="text", cell=name, k=24, T=40, updates=600, rate=0.005, seed=1))
        weights = to_pytorch(name, arrays_at(made, len(made.updates) - 1))
        data = to_safetensors({f"rnn.{key}": array for key, array in weights.items()})
        Path(__file__).with_name(f"{name.lower()}.safetensors").write_bytes(data)
