"""The story of a worked example, told on the page that the example opens on."""

from core.examples import EXAMPLES
from dashboard import picture


def story(page: str, name: str) -> list[picture.Item]:
    """The panel that tells what is to be seen in an example as it starts.

    Parameters
    ----------
    page : str
        The path of the page.
    name : str
        Of EXAMPLES; of the lab, from which everything starts, nothing is told.

    Returns
    -------
    list of panels
        One, or none on another page than the example's.
    """
    example = EXAMPLES[name]
    if name == "lab" or example.page != page:
        return []
    return [picture.panel(f"Worked example: {example.title}, as it starts", example.story, alt="")]
