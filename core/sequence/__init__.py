"""A cell over a sequence: forward, and back through time."""
