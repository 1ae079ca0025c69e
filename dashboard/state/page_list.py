"""The pages: their paths, titles and groups. `dashboard/pages.py` runs them, and the sidebar links to them."""

from pathlib import Path
from typing import NamedTuple

VIEWS = Path(__file__).parents[1] / "views"


class Page(NamedTuple):
    """A page. Its module stands in `views/` under its path; the first page has an empty path."""

    path: str
    title: str
    group: str

    @property
    def name(self) -> str:
        """The name of the module in `views/`."""
        return self.path or "hidden_state"

    @property
    def script(self) -> str:
        """The file of the module, which Streamlit takes in links."""
        file = f"{self.name}.py"
        return f"views/{file}" if (VIEWS / file).exists() else f"views/{self.name}/__init__.py"


PAGES = {
    page.path: page
    for page in (
        Page("", "Hidden state", "One step"),
        Page("lstm", "LSTM step", "One step"),
        Page("saturation", "Saturation", "One step"),
        Page("sequence", "Sequence", "Over time"),
        Page("gradients", "Gradients", "Over time"),
        Page("training", "Training", "Over time"),
        Page("practice", "Practice", "Try and ask"),
        Page("shapes", "Shapes", "Try and ask"),
        Page("questions", "Questions", "Try and ask"),
        Page("examples", "Worked examples", "Try and ask"),
    )
}
