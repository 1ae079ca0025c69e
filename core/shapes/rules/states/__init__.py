"""The states of layers and cells."""
