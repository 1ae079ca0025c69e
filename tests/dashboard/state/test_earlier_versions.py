"""What is public stays: links and files that an earlier version wrote open, and show the same numbers.

The files beside this one, in fixtures/, were written by the version before cells became modules of their own; links.json has
links with what it drew of them, but for what follows from a swapped stack: then that went on with the right result.
"""

import json
from dataclasses import fields
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.exchange.array_files import read_arrays
from core.exchange.weight_layouts import from_pytorch
from core.scenario import Scenario
from dashboard.state.parameters import PARAMETERS
from tests.dashboard.page import Shown, chosen, entries, followed, open_link, query, state

FIXTURES = Path(__file__).parents[1] / "fixtures"
LINKS = json.loads((FIXTURES / "links.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", sorted({link["page"] for link in LINKS}))
def test_links_of_earlier_versions_show_the_same_numbers(page):
    for link in (link for link in LINKS if link["page"] == page):
        at = open_link(page, **dict(parse_qsl(link["query"])))
        assert not at.warning, link["query"]
        shown = Shown(at)
        assert (shown.picture["decimals"], shown.picture["unit"]) == (link["decimals"], link["unit"])
        for symbol, numbers in link["numbers"].items():
            # Of the step and over time: which of them comes first is free.
            drawn = [entries(block) for block in shown.picture["blocks"] if block["symbol"] == symbol]
            (same,) = [array for array in drawn if array.shape == np.shape(numbers)][:1]
            assert_allclose(same, numbers, rtol=1e-12, atol=1e-300, err_msg=f"/{page}?{link['query']}: {symbol}")


@pytest.mark.parametrize("name", ["lab", "own", "sequence"])
def test_saved_scenarios_of_earlier_versions_open_as_they_were(name):
    text = (FIXTURES / f"{name}.json").read_text(encoding="utf-8")
    at = open_link("sequence", take="true")
    at = followed(at.file_uploader[0].upload(f"{name}.json", text.encode()).run())
    assert not at.error and not at.exception
    saved = json.loads(text)
    for choice, value in saved["choices"].items():
        assert chosen(at, choice) == value, choice
    assert state(at).custom_values({}).keys() == saved["arrays"].keys()
    for array, rows in saved["arrays"].items():
        assert_allclose(state(at).scenario.arrays[array], rows, err_msg=array)
    # Choices may be added, never renamed.
    assert saved["choices"].keys() <= {field.name for field in fields(Scenario)} - {"arrays"} | {
        choice for choice, record in PARAMETERS.items() if record.default is not None
    }
    there = open_link("sequence", **query(at))
    assert not there.warning and Shown(there) == Shown(at)


def test_files_of_arrays_of_earlier_versions_have_the_same_arrays():
    saved = json.loads((FIXTURES / "own.json").read_text(encoding="utf-8"))
    choices = {name: value for name, value in saved["choices"].items() if name in {f.name for f in fields(Scenario)}}
    own = Scenario(**choices, arrays={name: np.array(rows) for name, rows in saved["arrays"].items()})
    for name, array in read_arrays("arrays.npz", (FIXTURES / "arrays.npz").read_bytes()).items():
        assert_allclose(own.effective_arrays()[name], array, rtol=1e-15, err_msg=name)
    (W_hh,) = read_arrays("W_hh.csv", (FIXTURES / "W_hh.csv").read_bytes()).values()
    assert_allclose(W_hh, own.base_array("W_hh"))
    layer = Scenario(m=2, n=3, k=3, init="normal", seed=9, b_normal=True)
    cell, arrays = from_pytorch(read_arrays("gru.safetensors", (FIXTURES / "gru.safetensors").read_bytes()))
    assert cell == "GRU"
    for name in ("W_rh", "W_ux", "W_hh", "W_hx", "b_hh", "b_hx"):
        assert_allclose(arrays[name], layer.base_array(name), err_msg=name)
