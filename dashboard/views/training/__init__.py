"""The training page, and the wait for a training."""
