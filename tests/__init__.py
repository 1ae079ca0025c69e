"""The tests. The repository's root goes on sys.path, so that a plain `pytest` finds core and dashboard."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
