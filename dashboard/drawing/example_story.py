"""The story of a worked example, for the page that the example opens on."""

from core.examples import DEFAULT_EXAMPLE, EXAMPLES
from dashboard.drawing import matrices
from dashboard.drawing.panels import panel
from dashboard.state.state import State
from dashboard.text import examples as text


def story(state: State) -> list[matrices.Item]:
    """Return the panel with the story of the worked example.

    Parameters
    ----------
    state : State

    Returns
    -------
    list of panels
        One panel; none for the default example, for A of a comparison, and on other pages than the example's.
    """
    is_here = EXAMPLES[state.example].page == state.page
    title, _, told = text.example_text(state.example)
    if state.example == DEFAULT_EXAMPLE or not told or not is_here or state.is_frozen:
        return []
    return [panel(text.STORY_TITLE.format(title=title), text.TOLD.format(story=told), alt="", folded=True)]
