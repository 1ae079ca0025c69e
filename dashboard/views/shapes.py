"""Shapes: from an error message, or from sizes, to the cause, the fix and the picture."""

from dataclasses import replace
from functools import cache

import streamlit as st

from core.scenario import Scenario
from core.shapes import Cause, Explanation, GivenSizes, LayerSizes, check, explain
from core.shapes.checks import AXES, Meeting, meetings, repaired
from core.shapes.examples import EXAMPLES
from core.shapes.found import counted, shown
from core.shapes.layer import parameter_count, tensors
from core.shapes.silent import SILENT
from core.shapes.snippet import snippet
from dashboard.controls import widgets
from dashboard.controls.subject import About
from dashboard.controls.widgets import control
from dashboard.drawing import items, scales
from dashboard.drawing.items import Edge, Item, box, op, over
from dashboard.drawing.panels import Fit, Picture, as_picture, literal, panel
from dashboard.drawing.screen import patches, show
from dashboard.state import session
from dashboard.state.parameters import CHOICES, OF_LAYER, as_text, is_allowed
from dashboard.state.state import State

# So many layers are listed; all later ones have the shapes of the second.
LISTED = 2

# The settings of the layer, row by row.
ROWS = (
    ("framework", "cell"),
    ("input_size", "hidden_size", "num_layers", "proj_size", "bidirectional", "batch_first"),
    ("x_shape", "h0_shape", "c0_shape", "linear"),
)


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(
        "# Shapes\nAn error message about shapes, or the sizes of your layer: what is wrong, and the line to change. What you paste is read and never run; "
        "it stays in this session and is in no link."
    )
    tool(state)
    st.markdown(
        "## No error, still wrong\nHere all sizes fit, nothing is raised, and the numbers are others than was meant."
    )
    show(_silent(), None, key="silent")


def about(state: State) -> About:
    """Return what the page is about."""
    return About(state.scenario)


# ---- the sizes ---------------------------------------------------------------------------------


def layer_of(state: State) -> tuple[LayerSizes, GivenSizes]:
    """Return the chosen layer, and the shapes of its inputs.

    Raises
    ------
    ValueError
        If there is no such layer.
    """
    settings = state.settings
    made = LayerSizes(
        settings.framework,
        state.scenario.cell,
        settings.input_size,
        settings.hidden_size,
        settings.num_layers,
        settings.bidirectional,
        settings.batch_first,
        settings.proj_size,
    )
    texts = (settings.x_shape, settings.h0_shape, settings.c0_shape, settings.linear)
    x, h0, c0, linear = map(_sizes, texts)
    return made, GivenSizes(x or (), h0, c0, linear if linear and len(linear) == 2 else None)


def _sizes(text: str) -> tuple[int, ...] | None:
    """Return a shape as the text of its field."""
    return tuple(int(float(size)) for size in text.split(",")) if text else None


def take_sizes() -> None:
    """Make the sizes in the message those of the page."""
    explanation = explain(st.session_state.message)
    # A message without a layer resets the sizes, or they would be those of the message before it.
    layer, given = explanation.layer or LayerSizes(k=32), explanation.given or GivenSizes((5, 32, 10))
    values = {
        "framework": layer.framework,
        "cell": layer.cell,
        "input_size": layer.m,
        "hidden_size": layer.k,
        "num_layers": layer.layers,
        "bidirectional": layer.bidirectional,
        "batch_first": layer.batch_first,
        "proj_size": layer.proj_size,
        **{f"{name}_shape": ",".join(map(str, getattr(given, name) or ())) for name in ("x", "h0", "c0")},
        "linear": ",".join(map(str, given.linear or ())),
    }
    allowed = {name: value for name, value in values.items() if is_allowed(name, value)}
    defaults = {name: CHOICES[name].default for name in OF_LAYER} | {"cell": Scenario().cell}
    changes = {name: None if value == defaults[name] else as_text(value) for name, value in allowed.items()}
    session.patch(changes, entry=False)


def paste(message: str) -> None:
    st.session_state.message = message
    take_sizes()


# ---- what may have been done wrong -----------------------------------------------------------


def tell_cause(cause: Cause) -> None:
    """Draw a cause; `st.text` shows words that quote a message, so they are no markup."""
    st.markdown(f"**{cause.code}.** {cause.rule}")
    st.text(cause.why)
    if cause.change:
        st.code(cause.change, language="python", wrap_lines=True)
    if cause.conform:
        st.text("Would conform: " + ", ".join(f"{name} {shown(sizes)}" for name, sizes in cause.conform.items()))


def tell_causes(explanation: Explanation) -> None:
    """Draw the best causes, and the others folded below them."""
    best, others = explanation.best, explanation.causes[len(explanation.best) :]
    if len(best) > 1:
        st.markdown(f"{len(best)} causes fit these sizes equally well:")
    for cause in best:
        tell_cause(cause)
    if others:
        with st.expander("Less likely"):
            for cause in others:
                tell_cause(cause)


def tell_message(explanation: Explanation) -> None:
    """Draw the reading of a pasted message."""
    with st.container(border=True):
        if explanation.is_understood:
            sizes = ", ".join(f"{name} = {size}" for name, size in explanation.sizes.items())
            st.text(f"{explanation.framework or 'Python'}: {explanation.operation}{f'; {sizes}' if sizes else ''}.")
        for note in explanation.notes:
            st.text(note)
        tell_causes(explanation)
        if explanation.layer:
            st.caption("The sizes below are those of the message, with stand-ins for what it does not say.")


# ---- the picture -----------------------------------------------------------------------------


def equation(parts: list[Meeting], largest: int) -> list[Item]:
    """Return the columns of the weights, and below them the entries that they multiply."""
    height = parts[0].height
    meets = [part.columns == part.rows for part in parts]
    same_batch = len({part.width for part in parts}) == 1
    weights = box(
        "W" if len(parts) > 1 else "W_y",
        [Edge("", height)],
        [Edge(part.weights, part.columns, ok) for part, ok in zip(parts, meets)],
        largest,
    )
    stack = [
        box(part.name, [Edge("", part.rows, ok)], [Edge("batch", part.width, same_batch)], largest)
        for part, ok in zip(parts, meets)
    ]
    result = box("z" if len(parts) > 1 else "y", [Edge("", height)], [Edge("batch", parts[-1].width)], largest)
    return [weights, op("·"), over(*stack), *([op("="), result] if all(meets) and same_batch else [])]


def meet(columns: int) -> str:
    return "meets" if columns == 1 else "meet"


def panel_of_product(title: str, product: tuple[tuple[int, ...], tuple[int, ...]]) -> Item:
    """Return a product of two matrices; some sizes may be unknown."""
    (*rows, columns), (height, *width) = ([None if size < 0 else size for size in sizes] for sizes in product)
    largest = max(size for size in (*rows, columns, height, *width) if size)
    meets = columns == height
    boxes = [
        box(
            "A",
            [Edge("", rows[0] if rows else 1)],
            [Edge("column" if columns == 1 else "columns", columns, meets)],
            largest,
        ),
        op("·"),
        box(
            "B", [Edge("row" if height == 1 else "rows", height, meets)], [Edge("", width[0] if width else 1)], largest
        ),
    ]
    meeting, met = product[0][-1], product[1][0]
    said = f"{counted(meeting, 'column')} of A {meet(meeting)} {counted(met, 'row')} of B."
    return panel(title, "In A·B each column of A meets one row of B.", boxes, alt=said, note=said)


def panel_of(title: str, text: str, layer: LayerSizes, given: GivenSizes) -> Item:
    """Return every product of one step."""
    products = meetings(layer, given)
    largest = max(max(part.height, part.columns, part.rows, part.width) for _, parts in products for part in parts)
    wrong = [
        f"{name}: {counted(part.columns, 'column')} {part.weights} {meet(part.columns)} {counted(part.rows, 'row')} of {part.name}"
        for name, parts in products
        for part in parts
        if not part.conforms
    ]
    wrong += [
        f"{name}: the batches are {' and '.join(str(part.width) for part in parts)}"
        for name, parts in products
        if len({part.width for part in parts}) > 1
    ]
    rows = [equation(parts, largest) for _, parts in products]
    return panel(title, text, *rows, alt="; ".join(wrong) or "In this drawing all sizes meet.", note="\n".join(wrong))


@cache
def _silent() -> Picture:
    return as_picture(silent_panels(), decimals=2, unit=0)


def silent_panels() -> list[Item]:
    """Return the mistakes that raise no error, each with the intended and the actual result."""
    panels = []
    for mistake in SILENT:
        blocks: list[Item] = []
        both = mistake.show()
        for name, array in both:
            scale = scales.symmetric("", 30 if array.dtype.kind == "i" else 1, clips=True)
            rows, columns = [("row", array.shape[0], "")], [("column", array.shape[1], "")]
            blocks += [items.block(literal(name), array, scale, rows=rows, columns=columns), op("≠")]
        wrong, right = mistake.code.split("\n", 1)
        panels.append(
            panel(
                mistake.title,
                literal(mistake.says),
                blocks[:-1],
                alt=f"{both.meant[0]}, and {both.got[0]}, which has other numbers.",
                code=[f"wrong:  {wrong}", f"right:  {right}"],
                fit=Fit("rows", pixels=110, smallest=18),
            )
        )
    return panels


# ---- the page --------------------------------------------------------------------------------


@st.fragment
def tool(state: State) -> None:
    """Draw everything that follows from the message and the sizes."""
    if "message" not in st.session_state:
        st.session_state.message = ""
        if not session.said() & {*OF_LAYER}:
            paste(next(iter(EXAMPLES.values())))
    patches("sizes")
    with st.container(horizontal=True):
        for title, message in EXAMPLES.items():
            st.button(title, on_click=paste, args=(message,))
    asked, drawn = st.columns(2)
    with asked:
        st.text_area(
            "The message, or the whole traceback",
            key="message",
            on_change=take_sizes,
            height=100,
            max_chars=10**6,
            placeholder="RuntimeError: Expected hidden[0] size (2, 32, 32), got [1, 32, 32]",
        )
        read = explain(st.session_state.message) if st.session_state.message else None
        if read:
            tell_message(read)
        st.markdown("## Sizes")
        widgets.draw(state, "settings", *([control(state, name) for name in row] for row in ROWS))
        try:
            layer, given = layer_of(state)
        except ValueError as error:
            st.error(str(error))
            return
        explanation = check(layer, given)
        if not explanation.causes:
            st.success("All sizes conform.")
        elif read and (read.layer, read.given) == (layer, given):
            st.caption("These are the sizes of the message: change them until they conform.")
        else:
            with st.container(border=True):
                tell_causes(explanation)

    fits, conforming = repaired(layer, given)
    product = read.product if read else None
    panels = [panel_of_product("The product", product)] if product else []
    # A message without a layer is not about the layer that is chosen below it.
    is_of_layer = not (read and read.is_understood) or bool(read.layer)
    if read and not is_of_layer and read.repaired_product:
        panels.append(panel_of_product("What would conform", read.repaired_product))
    if is_of_layer and len(given.x) in AXES[layer.framework]:
        text = "Each column of the weights meets one row of what it multiplies. "
        text += (
            "Where two numbers differ, ≠ stands beside both; what no product shows is said beside it."
            if explanation.causes
            else "Here they do."
        )
        panels.append(panel_of("Columns meet rows", text, layer, given))
    if is_of_layer and explanation.causes:
        panels.append(
            panel_of("What would conform", f"The same layer for x of {shown(conforming.x)}.", fits, conforming)
        )
    with drawn:
        show(as_picture(panels, decimals=2, unit=0), state)

    few = replace(fits, layers=min(fits.layers, LISTED))
    st.markdown("## Every tensor of the layer")
    st.table(
        [
            {"tensor": one.name, "shape": one.formula, "sizes": shown(one.shape), "numbers": f"{one.size:,}"}
            for one in tensors(few, conforming)
        ]
    )
    if fits.layers > LISTED:
        st.caption(f"Layers 3 to {fits.layers} have the shapes of layer 2.")
    count, terms = parameter_count(fits, conforming)
    st.markdown(f"**Parameters**: {terms} = {count:,}")
    st.markdown("**Code that runs with these sizes**")
    st.code(snippet(layer, given), language="python")
