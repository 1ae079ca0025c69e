"""The pages: their paths, titles and groups. `dashboard/pages.py` runs them, and the sidebar links to them."""

from pathlib import Path
from typing import NamedTuple

VIEWS = Path(__file__).parents[1] / "views"


class Page(NamedTuple):
    """A page. Its module in `views/` has the name of its path, in a folder of this name if the page needs several modules."""

    path: str
    title: str
    group: str

    @property
    def script(self) -> str:
        """The file of the module, which Streamlit takes in links."""
        name = self.path or "hidden_state"
        return f"views/{name}.py" if (VIEWS / f"{name}.py").exists() else f"views/{name}/{name}.py"

    @property
    def module(self) -> str:
        """The dotted name of the module."""
        return f"dashboard.{self.script.removesuffix('.py').replace('/', '.')}"


PAGES = {
    page.path: page
    for page in (
        Page("", "Hidden state", "One step"),
        Page("lstm", "LSTM step", "One step"),
        Page("gru", "GRU step", "One step"),
        Page("saturation", "Saturation", "One step"),
        Page("sequence", "Sequence", "Over time"),
        Page("gradients", "Gradients", "Over time"),
        Page("training", "Training", "Over time"),
        Page("model", "My model", "Over time"),
        Page("practice", "Practice", "Practice and help"),
        Page("shapes", "Shapes", "Practice and help"),
        Page("questions", "Questions", "Practice and help"),
        Page("examples", "Worked examples", "Practice and help"),
    )
}
