"""A diagram shows the step of its cell: every wire carries a vector of it from one node to another, and no two nodes overlap."""

from itertools import combinations

import pytest

from core.cells import CELLS
from core.cells.diagram import STAGES, Node
from core.cells.symbols import symbol_of
from core.scenario import Scenario

DIAGRAMS = {name: cell.DIAGRAM for name, cell in CELLS.items() if hasattr(cell, "DIAGRAM")}
# Half the width of each kind, and half the height where it is not `tall`, as the browser draws them.
HALF = {"gate": (52, 30), "operator": (15, 15), "vector": (27, None)}
LONG = (34, 16)
# A name of this many letters is so wide, and so tall. It stands so far from its vector, in the diagrams of a page of 1280 pixels.
LETTER, NAME_HEIGHT, APART = 12, 30, 8
diagrams = pytest.mark.parametrize("name", DIAGRAMS)


def box(node: Node) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a node."""
    wide, tall = LONG if node.kind == "operator" and len(node.symbol) > 2 else HALF[node.kind]
    tall = node.tall / 2 if tall is None else tall
    return node.x - wide, node.y - tall, node.x + wide, node.y + tall


def touches(node: Node, point: tuple[int, int], slack: float = 6) -> bool:
    left, top, right, bottom = box(node)
    return left - slack <= point[0] <= right + slack and top - slack <= point[1] <= bottom + slack


def lies_on(wire, point: tuple[int, int]) -> bool:
    """Whether a point lies on a wire, whose pieces are level or upright."""
    return any(
        min(a[0], b[0]) <= point[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= point[1] <= max(a[1], b[1])
        for a, b in zip(wire.points, wire.points[1:])
    )


def test_the_cells_of_the_textbooks_have_one():
    assert set(DIAGRAMS) >= {"RNN", "LSTM", "GRU"}


@diagrams
def test_every_vector_gate_and_wire_is_one_of_the_step(name):
    params, step = Scenario(n=3, k=3, init="normal").step(name)
    activated = CELLS[name].activated(params)
    assert set(activated) & {node.symbol for node in DIAGRAMS[name].nodes if node.kind == "gate"}
    for node in DIAGRAMS[name].nodes:
        if node.kind == "vector":
            assert hasattr(step, node.symbol)
        if node.kind == "gate":
            assert node.symbol in activated
    for wire in DIAGRAMS[name].wires:
        assert hasattr(step, wire.symbol)


@diagrams
def test_every_wire_goes_from_a_node_or_a_wire_to_a_node_or_out_of_the_cell(name):
    plan = DIAGRAMS[name]
    for wire in plan.wires:
        start, *_, end = wire.points
        sources = [node for node in plan.nodes if touches(node, start)]
        branches = [other for other in plan.wires if other is not wire and lies_on(other, start)]
        assert sources or branches, wire
        assert all(node.stage <= wire.stage for node in sources), wire
        assert {other.symbol for other in branches} <= {wire.symbol} or sources, wire
        goes_on = any(other.symbol == wire.symbol and other.points[0] == end for other in plan.wires)
        assert any(touches(node, end) for node in plan.nodes) or end[0] > plan.frame[2] or goes_on, wire
        assert not (goes_on and wire.arrow), wire


@pytest.mark.parametrize("name", ["LSTM", "GRU"])
def test_the_memory_passes_along_its_lane_from_the_state_before_to_the_state_after(name):
    plan = DIAGRAMS[name]
    along = [wire for wire in plan.wires if all(y == plan.lane for _, y in wire.points)]
    on_it = [node for node in plan.nodes if node.y == plan.lane]
    assert {node.symbol for node in on_it} >= ({"c_prev", "c_t"} if name == "LSTM" else {"h_prev", "h_t"})
    ends = sorted((*sorted((wire.points[0][0], wire.points[-1][0])),) for wire in along)
    for (_, end), (start, _) in zip(ends, ends[1:]):
        assert end == start or [node for node in on_it if end <= node.x <= start], (end, start)


@diagrams
def test_no_two_nodes_overlap_and_all_are_in_the_drawing(name):
    plan = DIAGRAMS[name]
    for a, b in combinations(map(box, plan.nodes), 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (a, b)
    for left, top, right, bottom in map(box, plan.nodes):
        assert 0 <= left and right <= plan.width and 0 <= top and bottom <= plan.height
    assert {node.stage for node in plan.nodes} <= set(range(len(STAGES)))


def name_box(name: str, node: Node) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the name of a vector."""
    left, top, right, bottom = box(node)
    wide = LETTER * sum(letter not in "_{}" for letter in symbol_of(CELLS[name], node.symbol))
    if node.side in ("above", "below"):
        edge = top - NAME_HEIGHT if node.side == "above" else bottom
        return node.x - wide / 2, edge, node.x + wide / 2, edge + NAME_HEIGHT
    start = left - APART - wide if node.side == "left" else right + APART
    middle = node.y - (14 if node.stage else 0)
    return start, middle - NAME_HEIGHT / 2, start + wide, middle + NAME_HEIGHT / 2


def overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@diagrams
def test_no_name_lies_on_a_node_a_wire_or_another_name(name):
    plan = DIAGRAMS[name]
    names = {node: name_box(name, node) for node in plan.nodes if node.kind == "vector"}
    pieces = [(a, b) for wire in plan.wires for a, b in zip(wire.points, wire.points[1:])]
    wires = [(*map(min, zip(a, b)), *map(max, zip(a, b))) for a, b in pieces]
    for (a, one), (b, other) in combinations(names.items(), 2):
        assert not overlap(one, other), (a, b)
    for node, area in names.items():
        assert not [other for other in plan.nodes if other is not node and overlap(area, box(other))], node
        assert not [wire for wire in wires if overlap(area, wire)], node


@diagrams
def test_no_upright_wire_looks_like_a_second_edge_of_the_cell(name):
    plan = DIAGRAMS[name]
    pieces = [(a, b) for wire in plan.wires for a, b in zip(wire.points, wire.points[1:])]
    upright = [a[0] for a, b in pieces if a[0] == b[0]]
    assert not [x for x in upright for edge in plan.frame[::2] if abs(x - edge) < 25]
