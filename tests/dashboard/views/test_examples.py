"""The pages of examples and of questions: every link opens, without a complaint, the screen that it promises."""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from streamlit.testing.v1 import AppTest

from core.cells import CELLS
from core.examples import EXAMPLES
from dashboard.state.parameters import VALUE_RULES
from dashboard.text import gradients, hidden_state, lstm, saturation, sidebar
from dashboard.text.examples import OPEN, STORY_TITLE, TOLD, example_text
from dashboard.text.markdown import with_formulas
from dashboard.text.questions import BACK, QUESTIONS, following, in_groups
from dashboard.text.words import in_symbols, subscripts
from tests.dashboard.page import Shown, as_text, choose, chosen, components, drawn_controls, links, open_link, sliders
from tests.sentences import says

every_question = pytest.mark.parametrize("at", range(len(QUESTIONS)), ids=lambda at: f"{at + 1}")


def leads(link: Any) -> tuple[str, dict[str, str]]:
    """The path of the page that a link leads to, and its parameters."""
    query = parse_qs(link.proto.query_string, keep_blank_values=True, strict_parsing=True)
    assert all(len(values) == 1 for values in query.values())
    return link.proto.page, {name: values[0] for name, values in query.items()}


def opened(link: Any) -> AppTest:
    path, parameters = leads(link)
    assert all(VALUE_RULES[name].allows(value) for name, value in parameters.items())
    at = open_link(path, **parameters)
    assert not at.warning and not at.error and not at.exception
    return at


def in_page(at: AppTest, start: str) -> list[Any]:
    """Its links that begin with these words."""
    return [link for link in at.main.get("page_link") if link.proto.label.startswith(start)]


def page_of(path: str) -> AppTest:
    at = open_link(path)
    assert not at.exception and not at.warning and not at.error
    return at


@pytest.fixture(scope="module")
def examples() -> AppTest:
    return page_of("examples")


@pytest.fixture(scope="module")
def questions() -> AppTest:
    return page_of("questions")


# ---- the examples --------------------------------------------------------------------------------------


def test_every_example_has_its_story_and_a_link(examples):
    assert [link.proto.label for link in in_page(examples, "Open")] == [
        OPEN.format(title=example_text(name).title) for name in EXAMPLES
    ]
    assert [text.value for text in examples.text] == [subscripts(example_text(name).story) for name in EXAMPLES]
    titles = [markdown.value for markdown in examples.markdown]
    for title, summary, _ in map(example_text, EXAMPLES):
        assert f"**{title}**" in titles
        assert summary.endswith((".", "?"))
        assert with_formulas(summary) in titles
    assert with_formulas("W_f reads h_{t−1}, not x_t.") == "$W_f$ reads $h_{t-1}$, not $x_t$."
    assert with_formulas("c̃_t = 1") == "$c̃_t$ = 1"


@pytest.mark.parametrize("at", range(len(EXAMPLES)), ids=EXAMPLES)
def test_the_picture_of_an_example_is_made_of_the_numbers_that_it_opens_on(at, examples):
    drawn, page = Shown(examples, which=at), list(EXAMPLES.values())[at].page
    drawn.assert_finite()
    (panel,) = drawn.picture["panels"]
    assert panel["alt"] and panel["rows"]
    there = Shown(opened(in_page(examples, "Open")[at]))
    for symbol in drawn.symbols:
        assert_array_equal(drawn[symbol], there[symbol])
        scales = (shown.block(symbol)["scale"] for shown in (drawn, there))
        here, on_page = ({name: scale[name] for name in ("palette", "low", "high")} for scale in scales)
        assert here == on_page
    assert bool(panel["legends"]) == bool(drawn.symbols)
    assert drawn.symbols or page in ("saturation", "gradients")
    if not page:
        bias = drawn["b_h"] if "b_h" in drawn.symbols else 0
        assert_allclose(drawn["W_h"] @ drawn["[h; x]"] + bias, drawn["z_t"], rtol=1e-6)


@pytest.mark.parametrize("at", range(len(EXAMPLES)), ids=EXAMPLES)
def test_the_link_of_an_example_opens_it_live(at, examples):
    name, opened_example = list(EXAMPLES.items())[at]
    there = opened(in_page(examples, "Open")[at])
    shown = Shown(there)
    assert chosen(there, "example") == name
    if name == "lab":
        assert_array_equal(shown["z_t"], np.full((3, 1), 245))
    else:
        title, _, story = example_text(name)
        assert shown.panels[STORY_TITLE.format(title=title)]["text"] == TOLD.format(story=story)
        for gate in "fico" if opened_example.page == "lstm" else "":
            params, _, _ = opened_example.scenario.step_arguments("LSTM")
            assert_array_equal(shown[f"W_{gate}"], getattr(params, f"W_{gate}"))
    # It is live: its numbers can be changed.
    assert Shown(choose(there, k=opened_example.scenario.k + 1)) != shown, "one more unit changes nothing"


# ---- the questions -------------------------------------------------------------------------------------


def test_there_are_sixteen_questions_each_asked_once_with_its_answer(questions):
    assert len(QUESTIONS) == 16 == len({question.asked for question in QUESTIONS})
    listed = [QUESTIONS[number - 1] for group in in_groups().values() for number in group]
    assert len({question.asked for question in listed}) == 16
    assert [expander.label for expander in questions.main.expander] == [
        f"**{in_symbols(question.asked)}**" for question in listed
    ]
    assert [text.value for text in questions.text] == [in_symbols(question.answer) for question in listed]


def test_the_questions_stand_in_groups_in_the_order_of_their_numbers(questions):
    assert [heading.value for heading in questions.subheader] == list(in_groups())
    assert all(2 < len(group) < 8 and group == sorted(group) for group in in_groups().values())


def test_from_the_first_question_the_next_ones_lead_through_all_of_them():
    number, seen = 1, []
    while number:
        seen.append(number)
        number = following(number)
    assert sorted(seen) == list(range(1, 17))


@every_question
def test_a_question_asks_and_its_answer_has_two_or_three_sentences(at):
    question = QUESTIONS[at]
    assert question.asked.endswith("?")
    assert len(re.findall(r"[.!?](?= [A-Z∘“]| [hcxym]_|$)", question.answer)) in (2, 3)
    assert question.answer.endswith(".")


def test_every_question_has_one_link_on_the_page(questions):
    links = [see_it(questions, at) for at in range(len(QUESTIONS))]
    assert [link.proto.label for link in links] == [f"See it: {in_symbols(question.see)}" for question in QUESTIONS]
    wanted = [(question.page, {**question.choices, "question": f"{at}"}) for at, question in enumerate(QUESTIONS, 1)]
    assert [leads(link) for link in links] == wanted


def see_it(questions: AppTest, at: int):
    """The link of a question, which stands in the order of the page."""
    listed = [number for group in in_groups().values() for number in group]
    return in_page(questions, "See it: ")[listed.index(at + 1)]


def shape(shown: Shown, symbol: str) -> str:
    return shown.block(symbol)["shape"]


def formulas(shown: Shown) -> tuple[np.ndarray, np.ndarray]:
    return shown["W_h[h; x]"] if "W_h[h; x]" in shown.symbols else shown["W_h[x; h]"], shown["their sum"]


# What each question says can be seen on its screen.
SEES: list[Callable[[AppTest, Shown], bool]] = [
    lambda at, shown: (
        [shape(shown, symbol) for symbol in ("[h; x]", "h_{t−1}", "x_t")] == ["(5, 1)", "(2, 1)", "(3, 1)"]
    ),
    lambda at, shown: len(shown["h_t"]) == 4 and shown["h_t"].shape[1] > 1,
    lambda at, shown: (
        hidden_state.WEIGHTS.format(joined=15, hidden=6, inputs=9) in shown.panels[hidden_state.MULTIPLY_TITLE]["note"]
    ),
    lambda at, shown: not np.allclose(*formulas(shown)),
    lambda at, shown: "Cell and hidden state" in shown.panels and shown["c_t"].shape == shown["h_t"].shape == (4, 1),
    lambda at, shown: (shape(shown, "W_{hh}"), shape(shown, "W_{hx}")) == ("(3, 2)", "(3, 4)"),
    lambda at, shown: lstm.PRODUCT in list(shown.panels.values())[-1]["text"] and "open take" in drawn_controls(at),
    lambda at, shown: (
        np.array_equal(shown["o_t"] * shown["tanh(c_t)"], shown["h_t"]) and shown["h_t"].ravel().tolist() == [0, 0, 1]
    ),
    lambda at, shown: np.all(shown["f_t"] == 1) and np.array_equal(shown["c_t"], shown["c_{t−1}"]),
    lambda at, shown: (
        shown["c̃_t"].min() < 0 < shown["c̃_t"].max() and min(shown[f"{gate}_t"].min() for gate in "fio") > 0
    ),
    lambda at, shown: saturation.AT_Z_TITLE in shown.panels,
    lambda at, shown: set(CELLS) <= set(shown.symbols) and chosen(at, "g") == "tanh" and "forget_bias" in sliders(at),
    lambda at, shown: says(shown.panels[gradients.CONCATENATION_TITLE]["text"], gradients.CONCATENATION, n=4, m=3),
    lambda at, shown: "Output" in shown.panels and "y_t" in shown.symbols,
    lambda at, shown: (
        (shape(shown, "h_{t−1}"), shape(shown, "x_t"), chosen(at, "n"), chosen(at, "m")) == ("(2, 1)", "(3, 1)", 2, 3)
    ),
    lambda at, shown: shown["saturated"].ravel().tolist().count(1) == 3,
]


@every_question
def test_the_link_of_a_question_opens_its_panel_and_what_it_says_is_seen_is_there(at, questions):
    question, there = QUESTIONS[at], opened(see_it(questions, at))
    shown = Shown(there)
    shown.assert_finite()
    for name, value in question.choices.items():
        assert as_text(chosen(there, name)) == value, name
    assert SEES[at](there, shown), question.see
    framed = json.loads(components(there)["picture"].json)["panel"]
    assert [title.startswith(framed) for title in map(shown_title, shown.panels.values())].count(True) == 1
    # It is asked and answered in a strip, from where one comes back and goes on; on another page nothing is.
    assert f"**{in_symbols(question.asked)}**" in [markdown.value for markdown in there.main.markdown]
    assert in_symbols(question.answer) in [text.value for text in there.text]
    assert [leads(link)[0] for link in in_page(there, BACK)] == ["questions"]
    goes_on = [leads(link) for link in in_page(there, "Next question")]
    assert goes_on == [leads(see_it(questions, number - 1)) for number in [following(at + 1)] if number]
    other = open_link("lstm" if question.page == "" else "", question=f"{at + 1}")
    assert not in_page(other, BACK) and not other.exception


# The symbols in the framed panel, where the link promises some: matrices, and functions with the units as dots.
PROMISED = {
    2: {"h_t"},
    5: {"c_t", "h_t"},
    8: {"o_t", "tanh(c_t)"},
    9: {"f_t", "c_t", "c_{t−1}"},
    10: {"c̃_t", "f_t", "i_t", "o_t"},
    15: {"h_{t−1}", "x_t"},
    16: {"σ"},
}


@pytest.mark.parametrize("number", PROMISED)
def test_the_framed_panel_shows_what_the_link_promises(number, questions):
    there = opened(see_it(questions, number - 1))
    shown, framed = Shown(there), QUESTIONS[number - 1].panel
    (panel,) = (panel for panel in shown.panels.values() if shown_title(panel).startswith(framed))
    parts = [part for row in panel["rows"] for item in row for part in item.get("parts", [item])]
    symbols = {shown.picture["blocks"][part["index"]]["symbol"] for part in parts if part["kind"] == "block"}
    curves = [part for part in parts if part["kind"] == "curve"]
    assert PROMISED[number] <= symbols | {curve["symbol"] for curve in curves}
    if number == 16:
        assert_four_dots_of_which_three_are_on_the_shaded_parts(shown, curves)


def assert_four_dots_of_which_three_are_on_the_shaded_parts(shown: Shown, curves: list[dict]) -> None:
    (curve,) = (curve for curve in curves if curve["symbol"] == "σ")
    z, (left, right) = np.sort(shown["z"].ravel()), curve["x_range"]
    assert len(z) == 4 and left < z[0] and z[-1] < right, "a dot beyond the chart is a triangle"
    assert np.diff(z).min() > 0.04 * (right - left), "two dots are one"
    low, high = curve["bounds"]
    assert np.sum((z < low) | (z > high)) == 3


@every_question
def test_the_list_of_examples_names_the_one_that_a_question_shows_or_none(at, questions):
    there, choices = opened(see_it(questions, at)), QUESTIONS[at].choices
    listed = drawn_controls(there)["example"]
    labels = {option["value"]: option["label"] for option in listed["options"]}
    has_own_numbers = bool({*choices} & {"m", "n", "k", "init", "scale"})
    expected = sidebar.CUSTOM if has_own_numbers else example_text(choices.get("example", "lab")).title
    assert labels[listed["text"]] == expected
    assert (sidebar.CUSTOM in labels.values()) == has_own_numbers


@pytest.mark.parametrize("name", [name for name, example in EXAMPLES.items() if not example.is_first])
def test_the_summary_of_an_example_is_below_its_name_until_a_number_changes(name):
    at = open_link(EXAMPLES[name].page, example=name)
    assert drawn_controls(at)["example summary"]["label"] == subscripts(example_text(name).summary)
    assert "example summary" not in drawn_controls(choose(at, seed=7))


def shown_title(panel: dict) -> str:
    """The title of a panel at the step of its playback slider."""
    return panel["playback"]["steps"][panel["playback"]["start"]]["title"] if panel["playback"] else panel["title"]


@pytest.mark.parametrize(
    ("at", "path", "choices"),
    [
        (0, "", {"n": "3"}),
        (1, "sequence", {"n": "3"}),
        (2, "", {"m": "4"}),
        (3, "", {"init": "normal"}),
        (5, "", {"m": "5"}),
        (7, "lstm", {}),
        (8, "lstm", {}),
        (9, "lstm", {}),
        (12, "gradients", {"order": "xh"}),
        (15, "saturation", {"source": "f", "scale": "0.01"}),
    ],
)
def test_what_a_question_says_is_seen_is_not_seen_everywhere(at, path, choices):
    there = open_link(path, **choices)
    assert not SEES[at](there, Shown(there))


# ---- what the answers claim ------------------------------------------------------------------------------


def test_the_numbers_of_the_answers_are_true():
    answers = " ".join(question.answer for question in QUESTIONS)

    def sigmoid(z: float) -> float:
        return 1 / (1 + np.exp(-z))

    assert "0.5, 0.73, 0.95 and 0.99" in answers and re.search(r"0\.73\^30 ≈ 0\.00008\b.*\b30\b", answers)
    assert (round(sigmoid(1), 2), round(sigmoid(1) ** 30, 5)) == (0.73, 0.00008)
    assert (round(sigmoid(3), 2), round(sigmoid(5), 2)) == (0.95, 0.99)
    (link,) = (question.choices for question in QUESTIONS if "0.73^30" in question.answer)
    panels = Shown(open_link("gradients", **link, cell="LSTM")).panels
    text = panels["Direct path"]["text"]
    gains = re.findall(r" is (\d\.\d)·10⁻([⁴⁵])", text)
    alone, whole = (float(mantissa) * 10.0 ** -{"⁴": 4, "⁵": 5}[power] for mantissa, power in gains)
    assert 0.00005 < alone < whole < 0.001
    assert "k·(n + m) = k·n + k·m" in answers
    assert re.search(r"\bi, f, candidate, o\b.*\bPyTorch\b.*\bKeras\b.*\bi, o, f, candidate\b.*\bONNX\b", answers)


def test_questions_and_examples_are_reached_from_every_page_and_lead_back():
    for path in ("", "lstm", "examples", "questions"):
        assert {"", "examples", "questions"} <= set(links(open_link(path)))
