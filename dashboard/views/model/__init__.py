"""The page of a trained network: its file and input, its findings, the pictures below them, and the report."""
