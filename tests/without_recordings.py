"""The server for a class without the process that makes recordings for it.

The process takes 22 s of a processor for each server. Without it, the server makes a recording when a page asks for one.
"""

from unittest.mock import patch

from dashboard.__main__ import main
from dashboard.server import training_cache

if __name__ == "__main__":
    with patch.object(training_cache, "_take_in"):
        main()
