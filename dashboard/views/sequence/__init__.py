"""The sequence page."""
