"""The embeddings of a model file, by the names that people give them."""

import re
from collections.abc import Mapping

from core.exchange.model_files.contents import FileArray

# Positions are embedded too, but no token is.
# No part of the pattern repeats, because names can have any length.
EMBEDDING = re.compile(r"embed|emb(?:[._/:]|$)|(?:^|[._/])wte(?:[._/:]|$)", re.IGNORECASE)
POSITION = re.compile(r"(?:^|[._/])pos", re.IGNORECASE)


def embeddings(tensors: Mapping[str, FileArray]) -> dict[str, FileArray]:
    """Return the arrays that are embeddings of tokens by their names."""
    return {name: tensor for name, tensor in tensors.items() if EMBEDDING.search(name) and not POSITION.search(name)}
