"""Concatenations, stacks, and the batches of a loader."""
