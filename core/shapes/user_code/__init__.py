"""The code of the reader in a pasted message or program: the failing line, its names and operation, and the program around it."""
