"""The shapes in the reader's program, inferred from its text. Nothing of it is run."""
