"""The saturation page."""
