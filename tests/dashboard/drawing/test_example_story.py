"""A worked example may open on any page, and tells its story there."""

import pytest

from core.examples import EXAMPLES, Example
from core.scenario import Scenario
from dashboard.state.parameters import VALUE_RULES, OneOf
from dashboard.text.examples import EXAMPLES as TEXTS
from dashboard.text.examples import STORY_TITLE, TOLD, ExampleText
from tests.dashboard.page import PAGES, Shown, choose, chosen, open_link, query

GRU_WORD = Scenario(m=4, n=3, k=3, init="normal", cell="GRU", input="word", word="data", forget_bias=1.0)
STORY = "Look at the last step."
TITLE = STORY_TITLE.format(title="Elsewhere")


def add_example(monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    monkeypatch.setitem(EXAMPLES, "elsewhere", Example(GRU_WORD, page))
    monkeypatch.setitem(TEXTS, "elsewhere", ExampleText("Elsewhere", story=STORY))
    monkeypatch.setitem(VALUE_RULES, "example", OneOf(tuple(EXAMPLES)))


@pytest.mark.parametrize("page", PAGES)
def test_an_example_tells_its_story_on_its_own_page_and_on_no_other(page, monkeypatch):
    add_example(monkeypatch, page)
    for path in PAGES:
        panels = Shown(open_link(path, example="elsewhere")).panels
        assert (TITLE in panels) == (path == page), path
        if path == page:
            assert panels[TITLE]["text"] == TOLD.format(story=STORY)


def test_an_example_that_says_something_of_a_sequence_sets_it_and_others_leave_it(monkeypatch):
    add_example(monkeypatch, "sequence")
    at = choose(open_link("sequence", n="3", T="20"), example="elsewhere")
    assert chosen(at, "cell") == "GRU" and chosen(at, "word") == "data"
    assert query(at) == {"example": "elsewhere", "T": "20"}
    assert "u_t" in Shown(at).symbols
