"""Three small networks that Cellscope trained to predict the next letter of a text; make.py made the files."""

from functools import cache
from pathlib import Path

from core.exchange.model_files import Network, read_network
from core.training.tasks import TEXT

NETWORKS = ("LSTM", "GRU", "RNN")


@cache
def load(name: str) -> Network:
    """Return one of NETWORKS."""
    file = Path(__file__).with_name(f"{name.lower()}.safetensors")
    return read_network(file.name, file.read_bytes())


__all__ = ["NETWORKS", "TEXT", "load"]
