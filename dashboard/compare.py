"""The live part of a page: the picture of what its controls say, and beside it that of what was frozen as A."""

from collections.abc import Callable, Mapping

from core.scenario import Scenario
from dashboard import chosen, controls, dials, picture
from dashboard.choices import CHOICES, OF_FROZEN, as_text
from dashboard.screen import Stage, show
from dashboard.serve import frames
from dashboard.serve.warm import sweep

Draw = Callable[[], list[picture.Item]]


def live(
    draw: Draw,
    unit: Callable[[], int] = chosen.unit,
    on_step: Callable[[int], None] | None = None,
    stage: Stage | None = None,
) -> None:
    """Draw a page's live part, and again whenever a dial moves.

    Parameters
    ----------
    draw : callable
        Reads the controls anew, and gives the panels of what follows from them. While something is frozen it is called
        for that too.
    unit : callable, optional
        The inspected unit, counted from 1.
    on_step : callable, optional
    stage : Stage, optional
        As of `show`.
    """

    frozen = chosen.frozen()

    def panels() -> list[picture.Item]:
        if not frozen:
            return draw()
        with chosen.showing(frozen):
            others, before = draw(), chosen.scenario()
        now = draw()
        if controls.is_hidden():  # what the reader is to predict, A may tell
            return now
        return [_differences(frozen, before, chosen.scenario()), *picture.beside(others, now)]

    def drawn(moved: Mapping[str, str]) -> picture.Picture:
        with chosen.showing(said, moved):
            made = picture.page(panels(), decimals=chosen.decimals(), unit=unit() - 1)
            if chosen.is_large():
                sweep()
            return made

    def run() -> None:
        made = drawn(dials.dragged())
        show(made, key="picture", on_unit=chosen.pick_unit, on_step=on_step, stage=stage, live=live)

    # To ask for a prediction takes a field on the page, which only a run can draw.
    said = chosen.snapshot()
    live = None if said.choices["predict"] else frames.offer(drawn)
    dials.live(run)


def _differences(frozen: chosen.Snapshot, a: Scenario, b: Scenario) -> picture.Item:
    """The panel that says which choices differ."""
    lines = []
    for name in OF_FROZEN:
        before, now = frozen.choices[name], chosen.value(name)
        if before != now:
            lines.append(f"{_called(name)}: {_said(before)} in A, {_said(now)} in B.")
    own, others = ({name: array.tolist() for name, array in scenario.fitting().items()} for scenario in (a, b))
    typed = [name for name in {**own, **others} if own.get(name) != others.get(name)]
    if typed:
        lines.append(f"Numbers of their own: {', '.join(typed)}.")
    text = "A is frozen, and B follows the dials. " + (
        "A number of B with a marked corner is another one in A."
        if lines
        else "Until now they are the same: move a dial, or choose other numbers."
    )
    return picture.panel("", text, alt="", note="\n".join(lines))


def _called(name: str) -> str:
    """A choice in one or two words."""
    return CHOICES[name].label.partition(":")[0].strip("$")


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else as_text(value)
