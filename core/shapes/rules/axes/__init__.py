"""Reshapes, splits and indices."""
