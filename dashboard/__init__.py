"""The pages: they choose and show, and leave the mathematics to `core`."""

import os

# Set here, because each way to start the server imports this package before NumPy: the threads of several large products at once
# would only hinder each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
