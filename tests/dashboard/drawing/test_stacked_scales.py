"""The colours of a stacked input: each part has the scale of the quantity itself."""

import pytest

from core.concatenation import ORDERS, STACK_NAMES
from tests.dashboard.page import Shown, open_link


def colours(scale: dict) -> dict:
    """The scale without its label, which names the other quantities of its drawing."""
    return {name: value for name, value in scale.items() if name != "label"}


LINK = {"init": "normal", "n": "3", "k": "3", "m": "2"}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("path", ["", "lstm", "gru", "sequence"])
def test_h_has_one_scale_beside_the_cell_and_within_the_stack(path, order):
    blocks = Shown(open_link(path, **LINK, order=order)).picture["blocks"]
    scales = {block["symbol"]: colours(block["scale"]) for block in blocks}
    stacks = [block for block in blocks if block["symbol"] == STACK_NAMES[order]]
    assert stacks
    for stack in stacks:
        of_parts = dict(zip(order, map(colours, stack["part_scales"]), strict=True))
        assert of_parts == {"h": scales["h_{t−1}"], "x": scales["x_t"]}
        assert 2 in (len(stack["row_parts"]), len(stack["column_parts"] or ()))


def test_colours_of_a_matrix_of_its_own_are_stretched_to_the_whole_stack():
    blocks = Shown(open_link("lstm", **LINK, colours="matrix")).picture["blocks"]
    assert not any(block["part_scales"] for block in blocks)
