"""Items in, pictures out: the panels of a page, with the words beside them.

A picture is plain data, which `static/picture` draws in one component for the whole page.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from dashboard.drawing.arithmetic import number
from dashboard.drawing.colours import Hue
from dashboard.drawing.matrices import Item
from dashboard.drawing.scales import PALETTES, Scale
from dashboard.state.parameters import FROZEN_PARAMS
from dashboard.text.words import without_braces

Picture = dict[str, Any]


class Step(NamedTuple):
    """A position of a playback slider: its label, and the panel's title, note and callout there.

    `value` is the text of the setting that the position follows, or None where the setting is not in the URL.
    """

    label: str
    title: str
    note: str
    callout: str = ""
    value: str | None = None


class HeatmapSize(NamedTuple):
    """The wanted size of a panel's heatmaps, unless the width of the page makes them smaller.

    Attributes
    ----------
    axis : str
        "rows" or "columns".
    pixels : float
        The length of the largest block along the axis.
    smallest : float
        The smallest side of a square for it.
    """

    axis: str
    pixels: float
    smallest: float


class Playback(NamedTuple):
    """A playback slider within a panel. The browser plays it without the server; a picture has one at most.

    Attributes
    ----------
    label : str
    steps : sequence of Step
        As many as the picture's blocks and curves have frames.
    start : int
        The index of the position, unless the URL or a slider has a value of one of the steps.
    setting : str
        The query parameter that the position follows. Without one, the position is the browser's alone.
    has_slider : bool
        Whether the player has a slider of its own. Without it, the player plays the page's slider of the setting.
    whole : bool
        Whether everything that follows the setting has frames. The browser then asks for no picture while the position moves.
    pace : sequence of float, optional
        The fraction of the playing time at each position; without it all are alike.
    """

    label: str
    steps: Sequence[Step]
    start: int
    setting: str = ""
    has_slider: bool = True
    whole: bool = True
    pace: Sequence[float] | None = None


class Action(NamedTuple):
    """A button at the drawing of a panel, or a switch.

    Attributes
    ----------
    label, help : str
    setting : str
        The query parameter that a switch changes. A button has none: its click is an event of the picture.
    is_on : bool
        The position of a switch.
    """

    label: str
    help: str
    setting: str = ""
    is_on: bool = False


class FindingLine(NamedTuple):
    """A sentence with the panel that proves it, and a button for the change to try.

    Attributes
    ----------
    text : str
    proof : str
        The title of a panel of the same picture.
    setting : str
        The query parameter that the button changes.
    choice : str, optional
        What a click makes of the setting; None removes it.
    label : str
        Empty for no button.
    is_chosen : bool
        Whether the button is pressed, so that a click undoes the change.
    changes : mapping from str to str or None
        What a click on the link to the panel makes of the URL.
    """

    text: str
    proof: str
    setting: str = ""
    choice: str | None = None
    label: str = ""
    is_chosen: bool = False
    changes: Mapping[str, str | None] = MappingProxyType({})


class BoardTile(NamedTuple):
    """The room of a panel on a board, which has 6 columns in a wide window and one in others.

    Attributes
    ----------
    columns, rows : int
    bare : bool
        Whether the title is not seen there, so that the drawing begins at the top.
    """

    columns: int
    rows: int = 1
    bare: bool = False


class KeyEntry(NamedTuple):
    """A line in the key of a picture.

    Attributes
    ----------
    label : str
    colour : Hue
    choice : str, optional
        What a click makes of the setting of its `Key`; None for no click.
    is_chosen : bool
        Whether the setting has this value.
    """

    label: str
    colour: Hue
    choice: str | None = None
    is_chosen: bool = False


class Key(NamedTuple):
    """Names for the lines of the keyed charts of a picture.

    Attributes
    ----------
    label : str
        What the lines stand for.
    lines : sequence of KeyEntry
    setting : str
        The query parameter that a click on a line changes, if any.
    """

    label: str
    lines: Sequence[KeyEntry]
    setting: str = ""


def panel(
    title: str,
    text: str,
    *rows: Sequence[Item],
    alt: str,
    callout: str = "",
    code: Sequence[str] = (),
    note: str = "",
    exactly: str = "",
    folded: bool = False,
    actions: Sequence[Action] = (),
    playback: Playback | None = None,
    fit: HeatmapSize | None = None,
    keys: Sequence[Key] = (),
    findings: Sequence[FindingLine] = (),
    tile: BoardTile | None = None,
) -> Item:
    """Return a section of a picture: a heading, a few sentences, and rows of items.

    Parameters
    ----------
    title, text : str
        Plain words; ``_h`` and ``_{hh}`` become subscripts, unless they come from `literal`.
    rows : sequences of items
        From `matrices`. Each is drawn on one line if it fits.
    alt : str
        The text of the rows for screen readers; ``W_{hh}`` becomes ``W_hh``.
    callout : str
        The sentence that matters most, above the rows.
    code : sequence of str
        Lines of code under the rows.
    note : str
        A text about the current numbers, under the rows.
    exactly : str
        A text for experts, folded below the rest.
    folded : bool
        Whether only the title is shown until the reader opens the panel.
    actions : sequence of Action
        Above the drawing.
    playback : Playback, optional
        Moves the blocks and curves of the picture that have frames. Without rows, the panel stays in sight above all others.
    fit : HeatmapSize, optional
    keys : sequence of Key
        Below the playback slider.
    findings : sequence of FindingLine
        As a numbered list.
    tile : BoardTile, optional
        With one, the panels of the picture are a board.

    Returns
    -------
    dict
        A part of a `Picture`.
    """
    parts = [part for row in rows for item in row for part in item.get("parts", [item])]
    blocks = [part for part in parts if part["kind"] == "block"]
    scales = dict.fromkeys(Scale(**scale) for block in blocks for scale in (block["scale"], *block["part_scales"]))
    return {
        "title": title,
        "text": text,
        "rows": [list(row) for row in rows],
        "alt": without_braces(alt),
        "callout": callout,
        "code": list(code),
        "note": note,
        "exactly": exactly,
        "folded": folded,
        "actions": [action._asdict() for action in actions],
        "side": "",
        "playback": playback and {**playback._asdict(), "steps": [step._asdict() for step in playback.steps]},
        "fit": fit and fit._asdict(),
        "keys": [{**key._asdict(), "lines": [line._asdict() for line in key.lines]} for key in keys],
        "findings": [found._asdict() | {"changes": dict(found.changes)} for found in findings],
        "tile": tile and tile._asdict(),
        "legends": _legends([scale for scale in scales if scale.label]),
    }


def _legends(scales: Sequence[Scale]) -> list[dict[str, str]]:
    """Return a legend for each palette with its ends, with the labels of all scales that share them."""
    labels: dict[Scale, list[str]] = {}
    for scale in scales:
        labels.setdefault(scale._replace(label=""), []).append(scale.label)
    return [
        {
            "label": ", ".join(dict.fromkeys(shared)),
            "palette": scale.palette,
            "low": ("≤ " if scale.clips else "") + number(scale.low, 2),
            "high": ("≥ " if scale.clips else "") + number(scale.high, 2),
        }
        for scale, shared in labels.items()
    ]


def remark(text: str) -> Item:
    """Return a text above all panels, such as why a setting is not followed.

    Parameters
    ----------
    text : str
        As of a panel.

    Returns
    -------
    dict
    """
    return {"kind": "remark", "text": text}


def beside(a: Sequence[Item], b: Sequence[Item]) -> list[Item]:
    """Return the panels of A and B of a comparison, each of A before the one of B with its title. Equal texts stand once.

    Parameters
    ----------
    a, b : sequence of panels and remarks
        Of the frozen settings and of the current ones. A loses its playback slider.

    Returns
    -------
    list of panels and remarks
        The browser compares the numbers of each panel of B with those of the panel of A before it.
    """
    remarks = [remark(f"A: {text}") for text in _remarks(a)] + [remark(text) for text in _remarks(b)]
    a, b = _panels(a), _panels(b)
    steps = _steps(a)
    start = steps[0][0] if steps and steps != _steps(b) else None
    waiting = {panel["title"]: panel for panel in a}
    paired = remarks
    for panel in b:
        other = waiting.pop(panel["title"], None)
        if other == panel and not panel["rows"]:
            paired.append(panel)
            continue
        if other:
            paired.append(_frozen(other, start))
        paired.append(panel | {"side": "B", "alt": f"B: {panel['alt']}", "playback": _played(panel["playback"], start)})
    return paired + [_frozen(panel, start) for panel in waiting.values()]


def _panels(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.get("kind") != "remark"]


def _remarks(items: Sequence[Item]) -> list[str]:
    return [item["text"] for item in items if item.get("kind") == "remark"]


def _steps(panels: Sequence[Item]) -> list[tuple[int, list[str]]]:
    """Return the start and the labels of the playback sliders. If those of A and B are equal, one slider moves both."""
    playbacks = [panel["playback"] for panel in panels if panel["playback"]]
    return [(playback["start"], [step["label"] for step in playback["steps"]]) for playback in playbacks]


def _played(playback: Item | None, start: int | None) -> Item | None:
    """Return the playback of B. Beside a still A that follows its setting, the server draws each position."""
    if playback is None or start is None or playback["setting"] in FROZEN_PARAMS:
        return playback
    return playback | {"whole": False}


def _frozen(panel: Item, start: int | None) -> Item:
    """Return a panel of A: its drawing, fixed at the start of its own playback slider, and its note."""
    at_start = panel["playback"]["steps"][panel["playback"]["start"]] if panel["playback"] else panel
    rows = panel["rows"] if start is None else [[_still(item, start) for item in row] for row in panel["rows"]]
    return panel | {
        "side": "A",
        "title": at_start["title"],
        "note": at_start["note"],
        "callout": at_start["callout"] or panel["callout"],
        "text": "" if rows else panel["text"],
        "alt": f"A, frozen: {panel['alt']}",
        "code": [],
        "actions": [],
        "playback": None,
        "rows": rows,
    }


def _still(item: Item, start: int) -> Item:
    """Return the item as it is at the start of its playback slider; a diagram whole, without stages."""
    if "parts" in item:
        parts = [_still(part, start) for part in item["parts"]]
        return item | {"parts": parts} | ({"staged": False} if item["kind"] == "diagram" else {})
    return item | {"frames": None, "still": start} if item.get("frames") or item.get("over_time") else item


def as_picture(panels: Sequence[Item], *, decimals: int, unit: int) -> Picture:
    """Return the picture of a page.

    Parameters
    ----------
    panels : sequence of panels and remarks
        From top to bottom; the remarks stand above all panels.
    decimals : int
        The number of printed decimals; the values themselves are not rounded.
    unit : int
        The selected unit, counted from 0.

    Returns
    -------
    dict
    """
    blocks: dict[int, tuple[int, Item]] = {}
    drawn = [
        {**panel, "rows": [[_refer(item, blocks) for item in row] for row in panel["rows"]]}
        for panel in _panels(panels)
    ]
    packed: dict[str, int] = {}
    used = {scale["palette"] for _, block in blocks.values() for scale in (block["scale"], *block["part_scales"])}
    return {
        "remarks": _remarks(panels),
        "panels": drawn,
        "blocks": [_pooled(block, packed) for _, block in blocks.values()],
        "packed": list(packed),
        "palettes": {name: PALETTES[name] for name in PALETTES if name in used},
        "decimals": decimals,
        "unit": unit,
    }


def _refer(item: Item, blocks: dict[int, tuple[int, Item]]) -> Item:
    """Return the item with its blocks replaced by their indices, so that a block which is drawn twice is sent once."""
    if "parts" in item:
        return item | {"parts": [_refer(part, blocks) for part in item["parts"]]}
    if item["kind"] != "block":
        return item
    return {"kind": "block", "index": blocks.setdefault(id(item), (len(blocks), item))[0]}


def _pooled(block: Item, packed: dict[str, int]) -> Item:
    """Return the block with its numbers replaced by their indices, so that equal numbers are sent once."""
    numbers = {name: block[name] for name in ("values", "frames", "outlined") if block[name] is not None}
    return block | {name: packed.setdefault(text, len(packed)) for name, text in numbers.items()}


def literal(text: str) -> str:
    """Return a text of the reader for the words of a panel: unchanged, without subscripts."""
    return text.replace("_", "__")
