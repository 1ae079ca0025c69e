"""The app without a browser: open a link, set a control, read the picture."""

import json
from base64 import b64decode
from functools import cached_property
from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest

from core.arrays import Array

APP = Path(__file__).parents[2] / "dashboard" / "streamlit_app.py"
WIDGETS = ("slider", "select_slider", "number_input", "toggle", "selectbox", "segmented_control")


def open_link(**parameters: str | list[str]) -> AppTest:
    """The page that a link with these parameters opens; a list repeats its parameter."""
    at = AppTest.from_file(APP, default_timeout=20)
    at.query_params.update(parameters)
    return at.run()


def widgets(at: AppTest) -> dict:
    """Every widget by its key."""
    return {widget.key: widget for kind in WIDGETS for widget in at.get(kind)}


def choose(at: AppTest, **choices) -> AppTest:
    """Set widgets one after the other, each with a run of its own as in a browser."""
    for key, value in choices.items():
        widgets(at)[key].set_value(value).run()
    return at


def entries(block: dict) -> Array:
    """The numbers of a block, in the shape in which they are drawn."""
    numbers = np.frombuffer(b64decode(block["values"]), np.float32 if block["single"] else np.float64)
    return numbers.reshape(block["rows"], block["columns"])


class Shown:
    """The picture on the page as the browser gets it; `shown["z_t"]` is the array of that symbol."""

    def __init__(self, at: AppTest):
        assert not at.exception
        (component,) = at.get("bidi_component")
        # Python reads and writes NaN and Infinity, which are not JSON: no browser would read them.
        data = json.loads(component.proto.json, parse_constant=_refuse)
        self.picture = data["picture"]

    def __getitem__(self, symbol: str) -> Array:
        return entries(self.block(symbol))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown) and self.picture == other.picture

    def block(self, symbol: str) -> dict:
        """The first block of that symbol."""
        return next(block for block in self.picture["blocks"] if block["symbol"] == symbol)

    @cached_property
    def symbols(self) -> list[str]:
        return [block["symbol"] for block in self.picture["blocks"]]

    @cached_property
    def panels(self) -> dict[str, dict]:
        """The panels by their titles, from top to bottom."""
        return {panel["title"]: panel for panel in self.picture["panels"]}

    @cached_property
    def lead(self) -> str:
        """What stands above all panels."""
        return self.panels[""]["text"]

    @cached_property
    def curve(self) -> dict:
        (row,) = self.panels["Activate"]["rows"]
        return next(item for item in row if "curve" in item)

    def assert_finite(self) -> None:
        for block in self.picture["blocks"]:
            assert np.all(np.isfinite(entries(block))), block["symbol"]
            assert np.all(np.isfinite(block["scale"][2:])), block["symbol"]
        words = json.dumps([self.picture["panels"], [block["hover"] for block in self.picture["blocks"]]])
        assert "= nan" not in words and "= inf" not in words


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON.")
