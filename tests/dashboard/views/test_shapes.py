"""The page of shapes: a message in, the cause and the sizes out, and no word of it as markup."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.shapes.example_messages import EXAMPLES
from core.shapes.silent_mistakes import SILENT
from dashboard.server import drag_socket
from dashboard.text import shapes as text
from dashboard.text.plural import fill
from dashboard.text.shape_causes import RULES, TITLES
from dashboard.text.shape_reasons import REASONS
from tests.dashboard.page import Shown, change, choose, chosen, controls, followed, open_link, written
from tests.sentences import says

HOSTILE = "Expected hidden[0] <img src=x onerror=alert(1)> ![x](https://example.com/x.png) :red[x] size (2, 3, 4), got [1, 3, 4]"


def pasted(message: str, **parameters: str):
    at = open_link("shapes", hidden_size="20", **parameters)
    return followed(at.text_area("message").input(message).run())


def told(at) -> list[str]:
    """The codes of the causes on the page."""
    codes = {f"**{title}.**": code for code, title in TITLES.items()}
    return [code for line in at.markdown for beginning, code in codes.items() if line.value.startswith(f"{beginning} ")]


def shapes_on(at) -> dict[str, str]:
    """The shapes of the tensors in the table of the page, by their names."""
    tables = [line.value for line in at.markdown if line.value.startswith(text.page_text("table-head"))]
    rows = [row.removeprefix("| ").split(" | ") for table in tables for row in table.splitlines()[2:]]
    return {name: shape for name, _, shape, _ in rows}


def boxes(at) -> list[dict]:
    parts = [item for panel in Shown(at).panels.values() for row in panel["rows"] for item in row]
    parts += [part for item in parts if item["kind"] == "column" for part in item["parts"]]
    return [part for part in parts if part["kind"] == "box"]


def meets(at) -> bool:
    return all(edge["meets"] for box in boxes(at) for edge in (*box["rows"], *box["columns"]))


def test_each_part_of_the_weights_is_filled_as_what_it_multiplies():
    shown = boxes(open_link("shapes", hidden_size="8", x_shape="4,2,10"))
    (weights,) = [box["columns"] for box in shown if len(box["columns"]) > 1]
    multiplied = [box["rows"][0] for box in shown if box["rows"][0]["kind"]]
    kinds = [[(part["kind"], part["size"]) for part in parts] for parts in (weights, multiplied)]
    assert kinds[0] == kinds[1] == [("h", 8), ("x", 10)]


def test_the_page_opens_on_an_example_and_a_link_on_its_sizes():
    at = followed(open_link("shapes"))
    assert at.text_area("message").value == EXAMPLES["one-layers-state-for-two"]
    assert told(at)[0] == "layers-directions" and not meets(at)
    symbols = [box["symbol"] for box in boxes(at)]
    assert symbols.count(text.NO_STATE) == 1
    weights = [symbol for symbol in symbols if symbol.startswith("W")]
    assert weights == 2 * [text.WEIGHTS_OF_LAYER.format(layer=layer) for layer in (1, 2)]
    missing = fill(text.MEETINGS["no-state"], {"layer": 2, "columns": 20})
    assert Shown(at).panels[text.page_text("meetings")]["note"] == f"{missing}."
    linked = open_link("shapes", hidden_size="8", x_shape="4,2,10")
    is_example = [text.page_text("is-example") in [said.value for said in page.caption] for page in (at, linked)]
    assert is_example == [True, False]
    assert "W" in [box["symbol"] for box in boxes(linked)]
    assert linked.text_area("message").value == "" and told(linked) == [] and meets(linked)
    assert text.page_text("match") in [said.value for said in linked.success]


def test_settings_that_only_pytorch_has_are_offered_for_pytorch_or_if_a_link_has_set_them():
    only = {"proj_size", "batch_first"}
    offered = [
        controls(open_link("shapes", **link)) & only
        for link in ({}, {"framework": "Keras"}, {"framework": "Keras", "proj_size": "4"})
    ]
    assert offered == [only, set(), {"proj_size"}]


@pytest.mark.parametrize("message", ["", *EXAMPLES.values(), HOSTILE], ids=["none", *EXAMPLES, "hostile"])
def test_the_picture_that_follows_a_size_is_that_of_its_link(message):
    at = pasted(message)
    for changes in ({}, {"hidden_size": "7"}, {"proj_size": "99"}, {"framework": "Keras"}, {"x_shape": "5,3"}):
        live = drag_socket.drawn(at.session_state["live_picture"].draw, written(at, changes))
        change(at, changes)
        assert Shown(live) == Shown(at)


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_is_opened_with_one_click(code):
    at = open_link("shapes", hidden_size="20")
    next(button for button in at.button if button.label == text.EXAMPLES[code]).click().run()
    followed(at)
    assert not at.exception and told(at)
    assert at.text_area("message").value == EXAMPLES[code]
    assert "message" not in at.query_params


def test_a_message_fills_in_the_sizes_which_can_be_turned_until_they_conform():
    at = pasted("RuntimeError: Expected hidden[0] size (2, 3, 4), got [1, 3, 4]")
    assert told(at) == ["layers-directions"]
    assert (chosen(at, "hidden_size"), chosen(at, "h0_shape")) == (4, "1,3,4")
    assert not meets(at)
    choose(at, h0_shape="2,3,4")
    assert text.page_text("match") in [said.value for said in at.success]
    assert meets(at)


@pytest.mark.parametrize(
    ("message", "needed", "given"),
    [
        (EXAMPLES["one-layers-state-for-two"], "(2, 32, 20)", "(1, 32, 20)"),
        (EXAMPLES["steps-for-batch"], "(1, 4, 128)", "(1, 28, 128)"),
        (EXAMPLES["linear-after-two-directions"], "(10, 256)", "(10, 128)"),
        (EXAMPLES["row-for-column"], "", ""),
        (EXAMPLES["missing-axis"], "", ""),
    ],
)
def test_the_needed_shape_stands_above_the_given_one(message, needed, given):
    callouts = [line.value.split("\n") for line in pasted(message).info]
    assert [[line.split("**")[1] for line in lines] for lines in callouts] == ([[needed, given]] if needed else [])


@pytest.mark.parametrize("cell", ["LSTM", "GRU"])
def test_a_whole_traceback_gives_the_sizes_to_the_layer_that_it_names(cell):
    frame = 'File "site-packages/torch/nn/modules/rnn.py", line 329, in check_input'
    at = pasted(
        f"output, _ = self.{cell.lower()}(x)\n  {frame}\nRuntimeError: input.size(-1) must be equal to input_size. Expected 10, got 13"
    )
    assert chosen(at, "cell") == cell
    assert f"nn.{cell}(13, ...)   # input_size=13" in [code.value for code in at.code]


def test_the_cell_of_a_message_is_shown_where_the_worked_example_has_another_one():
    at = pasted(
        "output = nn.LSTM(3, 4)(x)\nRuntimeError: input.size(-1) must be equal to input_size. Expected 3, got 5",
        example="first-step",
    )
    assert chosen(at, "cell") == "LSTM"


@pytest.mark.parametrize(
    "message, framework, cell",
    [
        ('Input 0 of layer "gru_1" is incompatible with the layer: expected ndim=3, found ndim=2', "Keras", "GRU"),
        ("shapes (4,7) and (1,7) not aligned: 7 (dim 1) != 1 (dim 0)", "NumPy", "LSTM"),
        (
            "self.rnn = nn.GRU(3, 4) Sizes of tensors must match except in dimension 1. Expected size 3 but got size 4 for tensor",
            "PyTorch",
            "GRU",
        ),
    ],
)
def test_below_a_message_without_a_layer_nothing_speaks_of_another_one(message, framework, cell):
    at = pasted(message)
    assert (chosen(at, "framework"), chosen(at, "cell")) == (framework, cell)
    assert told(at) and text.page_text("not-of-message") in [line.value for line in at.caption]
    assert not at.success and not shapes_on(at)
    choose(at, hidden_size="31")
    assert text.page_text("match") in [said.value for said in at.success] and shapes_on(at)


def test_the_sizes_below_a_message_without_a_layer_have_the_features_that_it_gives():
    at = pasted(
        "ValueError: Input 0 of layer lstm_1 is incompatible: expected ndim=3, found ndim=4. Full shape received: (None, 7, 2, 16)"
    )
    assert (chosen(at, "input_size"), chosen(at, "x_shape")) == (16, "32,5,16")


def test_the_page_asks_for_the_cell_where_the_message_does_not_tell_and_the_lines_follow_the_answer():
    at = pasted("RuntimeError: input.size(-1) must be equal to input_size. Expected 10, got 13")
    asked = at.segmented_control("message_cell")
    assert asked.label == text.page_text("which-cell") and list(asked.options) == ["LSTM", "GRU", "RNN"]
    assert any("# or GRU, RNN" in code.value for code in at.code)
    followed(asked.set_value("GRU").run())
    assert chosen(at, "cell") == "GRU"
    assert "nn.GRU(13, ...)   # input_size=13" in [code.value for code in at.code]
    followed(at.text_area("message").input("Expected hidden[0] size (2, 3, 4), got [1, 3, 4]").run())
    assert chosen(at, "cell") == "LSTM" and "message_cell" not in [one.key for one in at.segmented_control]


def test_what_is_pasted_is_no_markup():
    at = pasted(HOSTILE)
    assert not at.exception
    for element in (*at.markdown, *at.caption, *at.info, *at.warning, *at.error, *at.success):
        assert "example.com" not in element.value and "<img" not in element.value
    assert "example.com" not in json.dumps(dict(at.query_params))


@pytest.mark.parametrize("message", ["hello", "x" * 30_000, "0"])
def test_what_is_no_message_is_said_in_a_sentence(message):
    at = pasted(message)
    assert not at.exception and told(at) == []
    assert text.NOTES["unknown-message"] in [line.value for line in at.text]


@settings(max_examples=15)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "framework": st.sampled_from(["PyTorch", "Keras", "NumPy"]),
            "cell": st.sampled_from(["RNN", "LSTM", "GRU"]),
            "input_size": st.sampled_from(["1", "10", "1000000"]),
            "hidden_size": st.sampled_from(["1", "32", "1000000"]),
            "num_layers": st.sampled_from(["1", "3", "1000"]),
            "bidirectional": st.just("true"),
            "batch_first": st.just("true"),
            "proj_size": st.sampled_from(["0", "5", "1000000"]),
            "x_shape": st.sampled_from(["5", "5,10", "5,3,10", "1000000,1000000,1000000,1000000"]),
            "h0_shape": st.sampled_from(["1,3,32", "3,32", "1000000,1000000,1000000,1000000"]),
            "c0_shape": st.sampled_from(["1,3,32", "1"]),
            "linear": st.sampled_from(["64,10", "32,1", "7,1"]),
        },
    )
)
def test_no_sizes_break_the_page(choices):
    at = open_link("shapes", **choices)
    assert not at.exception and not at.warning


def test_every_tensor_is_listed_and_the_parameters_are_a_sum_that_can_be_followed():
    at = open_link("shapes", input_size="3", hidden_size="4", num_layers="3", x_shape="5,2,3")
    line = next(line.value.splitlines()[0] for line in at.markdown if line.value.startswith("**Trainable parameters**"))
    terms, count = line.removeprefix("**Trainable parameters**: ").split(" = ")
    assert eval(terms.replace("·", "*")) == int(count.replace(",", "")) == (16 * 7 + 32) + 2 * (16 * 8 + 32)
    assert "`weight_hh_l1`" in shapes_on(at)


@pytest.mark.parametrize("layers", [3, 4])
def test_layers_that_are_not_listed_have_a_line(layers):
    at = open_link("shapes", num_layers=str(layers), hidden_size="1")
    line = text.page_text("more-layers", others=layers - 2, layers=layers)
    assert [note.value for note in at.caption].count(line) == 1
    shapes = shapes_on(at)
    assert "`weight_hh_l1`" in shapes and "`weight_hh_l2`" not in shapes
    assert {shapes[f"`{name}`"] for name in ("h0", "c0", "h_n", "c_n")} == {f"({layers}, 32, 1)"}
    assert text.page_text("meet", h=1, m=10) in Shown(at).panels[text.page_text("meetings")]["text"]


def test_a_linear_layer_after_a_projection_must_expect_what_the_layer_returns():
    at = open_link("shapes", hidden_size="8", proj_size="3", bidirectional="true", linear="8,2")
    (why,) = [line.value for line in at.text if says(line.value, REASONS["linear-takes"])]
    assert told(at) == ["hidden-size"]
    assert any(line.value.endswith(RULES["hidden-size"]) for line in at.markdown)
    sizes = {"came": 6, "made_for": 8}
    assert why == " ".join(fill(REASONS[code], sizes) for code in ("linear-takes", "linear-other-entries"))


def test_the_mistakes_that_raise_nothing_are_shown_with_their_numbers():
    at = open_link("shapes", hidden_size="20")
    panels = Shown(at, which=1).panels
    assert list(panels) == [text.SILENT[mistake.code].title for mistake in SILENT]
    assert all(panel["folded"] and panel["rows"] and panel["tile"]["columns"] == 3 for panel in panels.values())


def test_a_mistake_that_no_product_has_is_not_drawn_twice():
    at = open_link("shapes", hidden_size="20", x_shape="5,32,10", h0_shape="1,32,20", c0_shape="2,32,20")
    panels = Shown(at).panels
    assert panels[text.page_text("meetings")]["text"] == text.page_text("elsewhere")
    assert text.page_text("repaired") not in panels
    assert text.page_text("do-not-match") in [said.value for said in at.markdown]
