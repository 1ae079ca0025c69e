"""Shapes: from an error message, or from sizes, to the cause, the fix and the picture."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any

import streamlit as st

from core.scenario import Scenario
from core.shapes import Cause, Explanation, GivenSizes, LayerSizes, check, explain
from core.shapes.checks import Meeting, meetings, repaired
from core.shapes.code_for_sizes import snippet
from core.shapes.example_messages import EXAMPLES
from core.shapes.layer_shapes import AXES, FRAMEWORKS, format_shape, parameter_count, tensors
from core.shapes.silent_mistakes import SILENT
from dashboard.controls import widgets
from dashboard.controls.patches import send_patches
from dashboard.controls.widgets import control
from dashboard.drawing import matrices, scales
from dashboard.drawing.matrices import Edge, Item, box, op, stacked
from dashboard.drawing.panels import BoardTile, HeatmapSize, Picture, as_picture, literal, panel
from dashboard.drawing.picture_component import show
from dashboard.server import drag_socket
from dashboard.state import session
from dashboard.state.page_list import PAGES
from dashboard.state.parameters import LAYER_PARAMS, is_allowed
from dashboard.state.state import State, parse
from dashboard.text import shapes as text
from dashboard.text.plural import fill
from dashboard.text.shapes import page_text
from dashboard.text.words import clauses, enumerated

# The weights of so many layers are listed; those of all later ones have the shapes of the second.
LISTED = 2

# The settings of the layer, row by row.
ROWS = (
    ("framework", "cell"),
    ("input_size", "hidden_size", "num_layers", "proj_size"),
    ("bidirectional", "batch_first", "linear"),
    ("x_shape", "h0_shape", "c0_shape"),
)
# The settings that only PyTorch has.
OF_PYTORCH = {"proj_size", "batch_first"}
# Opens the sequence page on the layers that show output[-1] beside h_n.
LAYERS = {"example": "letters", "layers": "2", "directions": "two"}


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(page_text("title"))
    # Not in the fragment: Streamlit draws each element of a fragment anew after each key.
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(page_text("examples"), width="content")
        for code, message in EXAMPLES.items():
            st.button(text.EXAMPLES[code], on_click=paste, args=(message,))
    tool(state)
    st.markdown(page_text("silent"))
    show(_silent(), None, key="silent")
    st.page_link(
        PAGES["sequence"].script, label=page_text("to-layers"), icon=":material/arrow_forward:", query_params=LAYERS
    )


# ---- the sizes ---------------------------------------------------------------------------------


def is_offered(state: State, name: str) -> bool:
    """Return whether the framework has this setting, or a link has set it nevertheless."""
    return name not in OF_PYTORCH or state.settings.framework == "PyTorch" or bool(state.value(name))


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


def sizes_of(explanation: Explanation) -> tuple[LayerSizes, GivenSizes]:
    """Return the layer of a message and its inputs.

    A message without a layer, or with sizes that the page cannot hold, gets stand-ins in its framework and cell, with the
    m and the k that it gives. Otherwise the page would keep the sizes of the message before it.
    """
    if explanation.layer and explanation.given:
        values = parameters_of(explanation.layer, explanation.given)
        if all(is_allowed(name, value) for name, value in values.items()):
            return explanation.layer, explanation.given
    framework = explanation.framework if explanation.framework in FRAMEWORKS else FRAMEWORKS[0]
    told = {"input_size": explanation.sizes.get("m", 10), "hidden_size": explanation.sizes.get("k", 32)}
    m, k = told.values() if all(is_allowed(name, size) for name, size in told.items()) else (10, 32)
    x = {"PyTorch": (5, 32, m), "Keras": (32, 5, m), "NumPy": (m, 32)}[framework]
    cell = explanation.cells[0] if explanation.cells else Scenario().cell
    return LayerSizes(framework, cell, m=m, k=k), GivenSizes(x)


def parameters_of(layer: LayerSizes, given: GivenSizes) -> dict[str, Any]:
    """Return the settings of a layer and of its inputs."""
    return {
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


def explained() -> Explanation | None:
    """Return the explanation of the pasted message, with the reader's answer to which cell it is."""
    message = st.session_state.message
    return explain(message, st.session_state.get("message_cell") or "") if message else None


def take_sizes() -> None:
    """Make the sizes in the message those of the page."""
    state, _ = session.read("shapes")
    session.patch(state.patch(parameters_of(*sizes_of(explained() or explain("")))), entry=False)


def take_message() -> None:
    """Read a new message; the answer about the one before it does not hold."""
    st.session_state.message_cell = None
    take_sizes()


def paste(message: str) -> None:
    st.session_state.message = message
    take_message()


# ---- what may have been done wrong -----------------------------------------------------------


def show_cause(cause: Cause, given: GivenSizes | None) -> None:
    """Draw a cause; `st.text` shows words that quote a message, so they are no markup."""
    pair = text.needed_and_given(cause, given)
    if pair:
        st.info(pair)
    st.markdown(f"**{text.title(cause)}.** {text.rule(cause)}")
    st.text(text.reason(cause))
    if change := cause.own or cause.change:
        st.code(change, language="python", wrap_lines=True)
    if not pair and (other := text.other_way(cause)):
        st.text(other)


def show_causes(explanation: Explanation) -> None:
    """Draw the best causes, and the others folded below them."""
    best, others = explanation.best, explanation.others
    if len(best) > 1:
        st.markdown(page_text("equal-causes", count=len(best)))
    for cause in best:
        show_cause(cause, explanation.given)
    if others:
        with st.expander(page_text("less-likely")):
            for cause in others:
                show_cause(cause, None)


def show_message(explanation: Explanation) -> None:
    """Draw the reading of a pasted message."""
    with st.container(border=True):
        if explanation.is_understood:
            sizes = enumerated(f"{text.name_of(code)}\u00a0=\u00a0{size}" for code, size in explanation.sizes.items())
            read = {"framework": explanation.framework or "Python", "operation": text.operation(explanation)}
            st.text(page_text("read-with-sizes", **read, sizes=sizes) if sizes else page_text("read", **read))
        if line := explanation.own:
            found = page_text("own-line-found", number=line.number)
            st.text(page_text("own-line", file=line.file, number=line.number) if line.file else found)
            st.code(line.code, language="python", wrap_lines=True)
        for note in text.notes(explanation):
            st.text(note)
        if explanation.layer and len(explanation.cells) > 1:
            st.segmented_control(page_text("which-cell"), explanation.cells, key="message_cell", on_change=take_sizes)
        show_causes(explanation)


# ---- the picture -----------------------------------------------------------------------------


def lacks_state(part: Meeting) -> bool:
    """Return whether the initial state has nothing for this layer."""
    return part.kind == "h" and not part.rows


def equation(parts: list[Meeting], largest: int, layer: int | None) -> list[Item]:
    """Return the columns of the weights, and below them the entries that they multiply.

    Parameters
    ----------
    parts : list of Meeting
    largest : int
    layer : int, optional
        The number of the layer, if there are several.
    """
    name = text.WEIGHTS_OF_LAYER.format(layer=layer) if layer else "W"
    height = parts[0].height
    meets = [part.columns == part.rows for part in parts]
    same_batch = len({part.width for part in parts}) == 1
    weights = box(
        name if len(parts) > 1 else "W_y",
        [Edge("", height)],
        [
            Edge(text.WEIGHTS[part.kind].format(below=(layer or 1) - 1), part.columns, ok, part.kind)
            for part, ok in zip(parts, meets)
        ],
        largest,
    )
    stack = [
        box(
            text.NO_STATE if lacks_state(part) else text.MULTIPLIED[part.kind],
            [Edge("", part.rows, ok, part.kind)],
            [Edge(page_text("batch"), part.width, same_batch)],
            largest,
        )
        for part, ok in zip(parts, meets)
    ]
    result = box(
        "z" if len(parts) > 1 else "y", [Edge("", height)], [Edge(page_text("batch"), parts[-1].width)], largest
    )
    return [weights, op("·"), stacked(*stack), *([op("="), result] if all(meets) and same_batch else [])]


def panel_of_product(title: str, product: tuple[tuple[int, ...], tuple[int, ...]]) -> Item:
    """Return a product of two matrices; some sizes may be unknown."""
    (*rows, columns), (height, *width) = ([None if size < 0 else size for size in sizes] for sizes in product)
    largest = max(size for size in (*rows, columns, height, *width) if size)
    meets = columns == height
    boxes = [
        box(
            "A",
            [Edge("", rows[0] if rows else 1)],
            [Edge(page_text("columns", count=columns), columns, meets)],
            largest,
        ),
        op("·"),
        box("B", [Edge(page_text("rows", count=height), height, meets)], [Edge("", width[0] if width else 1)], largest),
    ]
    said = fill(text.MEETINGS["matrices"], {"columns": product[0][-1], "rows": product[1][0]})
    return panel(title, page_text("product-rule"), boxes, alt=said, note=said)


def differences(layer: LayerSizes, given: GivenSizes) -> list[str]:
    """Return a sentence for each product of one step whose sizes do not match."""
    products = meetings(layer, given)
    found = [
        fill(
            text.MEETINGS["no-state" if lacks_state(part) else part.kind],
            {"layer": number, "columns": part.columns, "rows": part.rows},
        )
        for number, parts in products
        for part in parts
        if not part.conforms
    ]
    return found + [
        fill(text.MEETINGS["batches"], {"layer": number, "of_h": parts[0].width, "of_x": parts[1].width})
        for number, parts in products
        if len({part.width for part in parts}) > 1
    ]


def panel_of(title: str, says: str, layer: LayerSizes, given: GivenSizes, wrong: Sequence[str] = ()) -> Item:
    """Return every product of one step, with the sentences on those whose sizes do not match."""
    products = meetings(layer, given)
    largest = max(max(part.height, part.columns, part.rows, part.width) for _, parts in products for part in parts)
    rows = [equation(parts, largest, number if layer.layers > 1 else None) for number, parts in products]
    return panel(
        title, says, *rows, alt=clauses(wrong) or page_text("all-meet"), note="\n".join(f"{each}." for each in wrong)
    )


@cache
def _silent() -> Picture:
    return as_picture(silent_panels(), decimals=2, unit=0)


def silent_panels() -> list[Item]:
    """Return the mistakes that raise no error, each with the intended and the actual result."""
    panels = []
    for mistake in SILENT:
        blocks: list[Item] = []
        said, both = text.SILENT[mistake.code], mistake.show()
        names = {name: fill(template, both.sizes) for name, template in (("meant", said.meant), ("got", said.got))}
        for name, array in zip(names.values(), (both.meant, both.got)):
            scale = scales.symmetric("", 30 if array.dtype.kind == "i" else 1, clips=True)
            rows, columns = [("row", array.shape[0], "")], [("column", array.shape[1], "")]
            blocks += [matrices.block(literal(name), array, scale, rows=rows, columns=columns), op("≠")]
        panels.append(
            panel(
                said.title,
                literal(said.says),
                blocks[:-1],
                alt=page_text("silent-alt", **names),
                code=[page_text("wrong-line", line=mistake.wrong), page_text("right-line", line=mistake.right)],
                folded=True,
                fit=HeatmapSize("rows", pixels=110, smallest=18),
                tile=BoardTile(3),
            )
        )
    return panels


# ---- the page --------------------------------------------------------------------------------


@st.fragment
def tool(state: State) -> None:
    """Draw everything that follows from the message and the sizes."""
    if "message" not in st.session_state:
        st.session_state.message = ""
        if not session.parameter_names() & {*LAYER_PARAMS}:
            paste(next(iter(EXAMPLES.values())))
    send_patches("sizes")
    asked, drawn = st.columns(2)
    with asked:
        st.text_area(
            page_text("message"),
            key="message",
            on_change=take_message,
            height=100,
            max_chars=10**6,
            help=page_text("message-help"),
            placeholder="RuntimeError: Expected hidden[0] size (2, 32, 20), got [1, 32, 20]",
        )
        if st.session_state.message in EXAMPLES.values():
            st.caption(page_text("is-example"))
        read = explained()
        if read:
            show_message(read)
    with drawn:
        st.markdown(page_text("sizes"))
        widgets.draw(
            state, "settings", *([control(state, name) for name in row if is_offered(state, name)] for row in ROWS)
        )
        said = st.container()
        show(picture(read, state), state, live=drag_socket.offer(partial(answer, state.page, read)))
    try:
        layer, given = layer_of(state)
    except ValueError as error:
        said.error(str(error))
        return
    if are_stand_ins(read, layer, given):
        said.caption(page_text("not-of-message"))
        return
    if read and sizes_of(read) == (layer, given):
        said.caption(page_text("of-message"))
    elif (explanation := check(layer, given)).causes:
        with asked.container(border=True):
            st.markdown(page_text("do-not-match"))
            show_causes(explanation)
    else:
        said.success(page_text("match"))
    list_tensors(layer, given)


def are_stand_ins(read: Explanation | None, layer: LayerSizes, given: GivenSizes) -> bool:
    """Return whether these are stand-ins for a message without a layer: until the reader changes them, they are nobody's sizes."""
    return read is not None and sizes_of(read) == (layer, given) != (read.layer, read.given)


def answer(page: str, read: Explanation | None, query: Mapping[str, str]) -> Picture:
    """Return the picture for a query, while the reader changes a size."""
    return picture(read, parse(page, query, {})[0])


def picture(read: Explanation | None, state: State) -> Picture:
    """Return the product of the message, and the products of the layer where there is such a layer."""
    panels = panels_of_product(read) if read else []
    with suppress(ValueError):
        layer, given = layer_of(state)
        if not are_stand_ins(read, layer, given):
            panels += panels_of_layer(layer, given)
    return as_picture(panels, decimals=2, unit=0)


def panels_of_product(read: Explanation) -> list[Item]:
    """Return the product of a message, and for a message without a layer how it would conform."""
    panels = [panel_of_product(page_text("product"), read.product)] if read.product else []
    if not read.layer and read.repaired_product:
        panels.append(panel_of_product(page_text("repaired"), read.repaired_product))
    return panels


def panels_of_layer(layer: LayerSizes, given: GivenSizes) -> list[Item]:
    """Return the products of the layer, as they are and as they would conform."""
    is_wrong, is_drawn = bool(check(layer, given).causes), len(given.x) in AXES[layer.framework]
    wrong = differences(layer, given) if is_drawn else []
    # Such as c0, which no product of the drawing has.
    is_elsewhere = is_wrong and is_drawn and not wrong
    fits, conforming = repaired(layer, given)
    panels = []
    if is_drawn:
        says = page_text("differ") if is_wrong else page_text("meet", h=layer.h, m=layer.m)
        panels.append(
            panel_of(page_text("meetings"), page_text("elsewhere") if is_elsewhere else says, layer, given, wrong)
        )
    if is_wrong and not is_elsewhere:
        panels.append(panel_of(page_text("repaired"), page_text("repaired-layer", x=conforming.x), fits, conforming))
    return panels


def list_tensors(layer: LayerSizes, given: GivenSizes) -> None:
    """Draw the tensors of the layer that conforms, their parameters, and the code that makes it."""
    fits, conforming = repaired(layer, given)
    st.markdown(page_text("tensors"))
    listed, coded = st.columns(2)
    with listed:
        # A table of Streamlit and coloured code take longer to draw than all the rest of the page.
        rows = [
            f"| `{text.tensor_name(one)}` | {one.formula} | {format_shape(one.shape)} | {one.size:,} |"
            for one in tensors(fits, conforming)
            if one.layer <= LISTED
        ]
        st.markdown("\n".join([page_text("table-head"), "| --- | --- | --- | ---: |", *rows]))
        st.caption(page_text("table-letters"))
        if fits.layers > LISTED:
            st.caption(page_text("more-layers", layers=fits.layers, others=fits.layers - LISTED))
    with coded:
        count, terms = parameter_count(fits, conforming)
        st.markdown(f"{page_text('parameters', terms=terms, count=f'{count:,}')}\n\n{page_text('code')}")
        st.code(snippet(layer, given), language=None, wrap_lines=True)
