"""Losses, metrics, and the targets of both."""
