"""Record how the causes of every recorded message are ranked, as JSON beside this file.

The rows stand in the order of shapes_*.json. ``a = b > c`` says that a and b fit equally well, and better than c.
Run it again after a change of the rules, and read the difference: does each message that changed have the better order now?

    PYTHONPATH=. python tests/core/golden/make_shape_ranking.py
"""

import json

from tests.core.shape_messages import GOLDEN, SEEN, ranking

if __name__ == "__main__":
    made = {library: [ranking(row["message"]) for row in rows] for library, rows in SEEN.items()}
    (GOLDEN / "shape_ranking.json").write_text(json.dumps(made, indent=0) + "\n")
