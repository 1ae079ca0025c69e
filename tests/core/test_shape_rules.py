"""The tables of causes: which rules apply, in which order their causes come, and that every rule was met."""

import json

import pytest

from core.shapes import MISTAKES, Fit, GivenSizes, LayerSizes, check, explain
from core.shapes.message_patterns import PATTERNS
from core.shapes.messages import read, without_quotation_marks
from core.shapes.rules import DIAGNOSES, TABLES
from core.shapes.rules.chosen_sizes import chosen_sizes
from core.shapes.rules.data_splits import MIXED_PARTS, causes_of_parts
from core.shapes.rules.rule import Facts, Rules, diagnoses
from tests.core.shape_messages import ALL_LINES, CHOSEN, FIRST_LINES, GOLDEN, MESSAGES, RANKED, SEEN, ranking

_NO_CPU = "File \"a.py\", line 3, in forward\n    {0} = {0}.cpu()\nAttributeError: 'tuple' object has no attribute 'cpu' # torch"


def test_every_kind_of_message_has_a_diagnosis_and_no_diagnosis_is_left_over():
    assert {pattern.kind for pattern in PATTERNS} == DIAGNOSES.keys()


def test_a_kind_of_message_has_one_diagnosis():
    with pytest.raises(ValueError, match=r"\bproduct\b"):
        diagnoses("product")(DIAGNOSES["product"])


def test_every_mistake_is_in_a_table():
    assert {rule.mistake for rules in TABLES.values() for rule in rules} == set(MISTAKES)


def test_the_causes_of_the_recorded_messages_are_ranked_as_before():
    """If this fails, see whether the new order is better for each message, and run make_shape_ranking.py."""
    before = json.loads((GOLDEN / "shape_ranking.json").read_text())
    changed = [
        (row["message"], was, ranking(row["message"]))
        for library, rows in SEEN.items()
        for row, was in zip(rows, before[library], strict=True)
        if ranking(row["message"]) != was
    ]
    assert changed == []


@pytest.mark.parametrize("message, codes", RANKED, ids=lambda value: value[:50] if isinstance(value, str) else None)
def test_the_causes_of_a_message_are_ranked_and_have_sentences(message, codes):
    causes = explain(message).causes
    assert [cause.code for cause in causes] == codes
    assert all(cause.why for cause in causes)


@pytest.mark.parametrize("message, code, line", FIRST_LINES)
def test_the_first_line_has_the_layers_and_the_names_of_the_text(message, code, line):
    first = explain(message).causes[0]
    assert (first.code, (first.own or first.change).splitlines()[0].partition("   # ")[0]) == (code, line)


@pytest.mark.parametrize("message, lines", ALL_LINES)
def test_a_second_line_follows_where_one_is_not_enough(message, lines):
    assert explain(message).causes[0].change == lines


@pytest.mark.parametrize("layer, given, codes", CHOSEN)
def test_the_causes_of_chosen_sizes_are_ranked(layer, given, codes):
    assert [cause.code for cause in check(LayerSizes(**layer), GivenSizes(*given)).causes] == codes


@pytest.mark.parametrize(
    "text, fit, reason",
    [
        ("ValueError: Input and output length mismatch", Fit.POSSIBLE, "if-transducer"),
        ("rnnt_loss(logits, y, a, b)\nRuntimeError: input length mismatch", Fit.SURE, "transducer-steps"),
        ("hidden = hidden.cpu()\n" + _NO_CPU.format("hidden"), Fit.SURE, "pair-of-lstm"),
        (_NO_CPU.format("h"), Fit.LIKELY, "pair-of-lstm"),
        ("ValueError: cannot reshape array of size 3100 into shape (100,5,6)", Fit.LIKELY, "reshape"),
    ],
)
def test_a_cause_is_as_sure_as_the_text_makes_it(text, fit, reason):
    first = explain(text).causes[0]
    assert (first.fit, first.why[0].code) == (fit, reason)


def test_keras_is_blamed_for_a_ragged_tensor_only_where_the_text_has_it():
    message = "ValueError: Cannot index into an inner ragged dimension."
    why = [[one.code for one in explain(text + message).causes[0].why] for text in ("", "import keras\n")]
    assert why == [["ragged-index"], ["ragged-index", "ragged-tensor"]]


def applying(rules: Rules, facts: Facts) -> set[int]:
    """Return the identities of the rules that apply."""
    return {id(rule) for rule in rules if rule.when(facts)}


def test_every_rule_applies_to_some_message_or_sizes_of_the_tests():
    met = set()
    for message in MESSAGES:
        reading = read(without_quotation_marks(message))
        found = DIAGNOSES[reading.kind](reading)
        assert applying(found.table, found.facts), message
        met |= applying(found.table, found.facts)
        if causes_of_parts(reading):
            met |= {id(rule) for rule in MIXED_PARTS}
    recorded = [({"framework": "PyTorch"} | row["layer"], row["given"]) for row in _recorded()]
    for layer, given in [*recorded, *((layer, given) for layer, given, _ in CHOSEN)]:
        sizes = GivenSizes(*(shape and tuple(shape) for shape in given))
        for rules, facts in chosen_sizes(LayerSizes(**layer), sizes):
            met |= applying(rules, facts)
    unmet = [
        (name, at, rule.mistake)
        for name, rules in TABLES.items()
        for at, rule in enumerate(rules)
        if id(rule) not in met
    ]
    assert unmet == []


def _recorded() -> list[dict]:
    """Return the layers that PyTorch was called with."""
    return json.loads((GOLDEN / "layer_shapes.json").read_text())


@pytest.mark.parametrize(
    ("name", "width", "advised"),
    [("SimpleRNNCell", 32, "SimpleRNNCell(32)"), ("LSTMCell", 128, "LSTMCell(32)"), ("GRUCell", 96, "GRUCell(32)")],
)
def test_a_cell_of_keras_is_advised_by_its_name_in_keras(name, width, advised):
    message = f"""ValueError: Exception encountered when calling {name}.call().

Dimensions must be equal, but are 32 and 10 for '{{{{node cell_1/MatMul}}}}' with input shapes: [8,32], [10,{width}]."""
    (first, *_) = explain(message).causes
    assert first.code == "shared-cell" and first.change.startswith(f"[{advised} for")
