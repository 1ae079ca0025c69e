"""Shapes: from an error message, or from sizes, to the cause, the fix and the picture."""

from dataclasses import replace

import streamlit as st

from core.shapes import Cause, Explanation, GivenSizes, LayerSizes, check, explain
from core.shapes.checks import AXES, Meeting, meetings, repaired
from core.shapes.examples import EXAMPLES
from core.shapes.found import counted, shown
from core.shapes.layer import parameter_count, tensors
from core.shapes.silent import SILENT
from core.shapes.snippet import snippet
from dashboard import chosen, controls, links, picture
from dashboard.about import About, tell
from dashboard.picture import Edge, Item, box, op, over
from dashboard.screen import show

# The layers whose tensors are listed one by one: all later ones have the shapes of the second.
LISTED = 2

st.markdown(
    "# Shapes\nAn error message about shapes, or the sizes of your layer: what is wrong, and the line to change. What you paste is read and never run; "
    "it stays in this session and is in no link."
)


def read_message() -> None:
    """Fill in the sizes that the message tells."""
    explanation = explain(st.session_state.message)
    # Where it tells of no layer, those of the message before it would be taken for its sizes.
    layer, given = explanation.layer or LayerSizes(k=32), explanation.given or GivenSizes((5, 32, 10))
    controls.become_layer(layer, given)


def paste(message: str) -> None:
    st.session_state.message = message
    read_message()


# ---- what may have been done wrong -----------------------------------------------------------


def tell_cause(cause: Cause) -> None:
    """A cause in words; those that quote a message are no markup."""
    st.markdown(f"**{cause.code}.** {cause.rule}")
    st.text(cause.why)
    if cause.change:
        st.code(cause.change, language="python", wrap_lines=True)
    if cause.conform:
        st.text("Would conform: " + ", ".join(f"{name} {shown(sizes)}" for name, sizes in cause.conform.items()))


def tell_causes(explanation: Explanation) -> None:
    """The causes that fit best, and below them the others, folded."""
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
    """What a pasted message says."""
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
    """The columns of the weights, and under each other what they multiply."""
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
    """A product of two matrices, of which some sizes may not be known."""
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
    return picture.panel(title, "In A·B each column of A meets one row of B.", boxes, alt=said, note=said)


def panel_of(title: str, text: str, layer: LayerSizes, given: GivenSizes) -> Item:
    """Every product of one step."""
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
    return picture.panel(
        title, text, *rows, alt="; ".join(wrong) or "In this drawing all sizes meet.", note="\n".join(wrong)
    )


def silent_panels() -> list[Item]:
    """The mistakes that raise nothing, each with what was meant and what comes instead."""
    panels = []
    for mistake in SILENT:
        blocks: list[Item] = []
        both = mistake.show()
        for name, array in both:
            scale = picture.symmetric("", 30 if array.dtype.kind == "i" else 1, clips=True)
            rows, columns = [("row", array.shape[0], "")], [("column", array.shape[1], "")]
            blocks += [picture.block(picture.literal(name), array, scale, rows=rows, columns=columns), op("≠")]
        wrong, right = mistake.code.split("\n", 1)
        panels.append(
            picture.panel(
                mistake.title,
                picture.literal(mistake.says),
                blocks[:-1],
                alt=f"{both.meant[0]}, and {both.got[0]}, which has other numbers.",
                code=[f"wrong:  {wrong}", f"right:  {right}"],
                fit=picture.Fit("rows", pixels=110, smallest=18),
            )
        )
    return panels


# ---- the page --------------------------------------------------------------------------------


@st.fragment
def tool() -> None:
    """All that follows from the message and from the sizes."""
    if "message" not in st.session_state:
        st.session_state.message = ""
        if not controls.is_layer_chosen():
            paste(next(iter(EXAMPLES.values())))
    with st.container(horizontal=True):
        for title, message in EXAMPLES.items():
            st.button(title, on_click=paste, args=(message,))
    asked, drawn = st.columns(2)
    with asked:
        st.text_area(
            "The message, or the whole traceback",
            key="message",
            on_change=read_message,
            height=100,
            max_chars=10**6,
            placeholder="RuntimeError: Expected hidden[0] size (2, 32, 32), got [1, 32, 32]",
        )
        read = explain(st.session_state.message) if st.session_state.message else None
        if read:
            tell_message(read)
        st.markdown("## Sizes")
        try:
            layer, given = controls.layer()
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
    # A message that tells of no layer is not about the one that is chosen below it.
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
        show(picture.page(panels, decimals=2, unit=0), key="picture", on_unit=chosen.pick_unit)

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
    links.leave("shapes")


tool()
st.markdown(
    "## No error, still wrong\nHere all sizes fit, nothing is raised, and the numbers are others than was meant."
)
show(picture.page(silent_panels(), decimals=2, unit=0), key="silent", on_unit=chosen.pick_unit)
tell(About(chosen.scenario(), "RNN"))
