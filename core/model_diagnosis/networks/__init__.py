"""Three small networks that Cellscope trained to predict the next letter of a text; make.py made the files."""

from functools import cache
from pathlib import Path

from core.exchange.model_files import ModelContents, read_model
from core.training.tasks import TEXT

NETWORKS = ("LSTM", "GRU", "RNN")


@cache
def load(name: str) -> ModelContents:
    """Return the file of one of NETWORKS."""
    file = Path(__file__).with_name(f"{name.lower()}.safetensors")
    return read_model(file.name, file.read_bytes())


__all__ = ["NETWORKS", "TEXT", "load"]
