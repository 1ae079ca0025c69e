"""What a teacher reads: each link of the lessons opens, and what it is said to show stands on the screen."""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from tests.dashboard.page import Shown, open_link

LESSONS = (Path(__file__).parents[3] / "docs" / "teaching.md").read_text(encoding="utf-8")
LINKED = re.compile(r"\(http://localhost:8501(/[^)]*)\)")
SAID = re.compile("“([^”]*)”")


def words(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


def anchor(title: str) -> str:
    """As panel_links.js makes it."""
    return "-".join(re.findall(r"[^\W\d_]+", title.lower()))


def test_each_link_of_the_lessons_shows_what_it_is_said_to_show():
    _, *parts = LINKED.split(LESSONS.partition("## Homework")[0])
    asked = list(zip(parts[::2], parts[1::2], strict=True))
    assert len(asked) > 15 and LESSONS.count("](") == len(asked)
    for link, text in asked:
        address = urlsplit(link)
        at = open_link(address.path.strip("/"), **dict(parse_qsl(address.query)))
        assert not at.warning and not at.info and not at.error, link
        panels = Shown(at).panels
        shown = words(" ".join(f"{panel['text']} {panel['note']}" for panel in panels.values()))
        said = SAID.findall(text)
        assert said, link
        for quoted in said:
            assert words(quoted) in shown, f"{link}: {quoted}"
        assert not address.fragment or address.fragment in map(anchor, panels), link
