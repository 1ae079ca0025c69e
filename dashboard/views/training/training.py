"""Training: watch a cell learn, and see why a saturated one does not."""

from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from itertools import cycle
from math import isfinite
from typing import Any

import streamlit as st

from core.activations import relu
from core.arrays import Array
from core.cells import CELLS
from core.cells.symbols import symbol, symbol_of
from core.exchange.array_files import to_npz, to_safetensors
from core.scenario import ARRAYS
from core.training import (
    EXPERIMENTS,
    SATURATED,
    TASKS,
    Recording,
    TrainingSetup,
    Verdict,
    arrays_on_probe,
    lesson_at,
    params_at,
    row_over_time,
    saved_at,
    verdict,
)
from dashboard.controls import storage, widgets
from dashboard.controls.subject import About
from dashboard.controls.widgets import control, select
from dashboard.drawing import items, scales
from dashboard.drawing.items import Item, Line
from dashboard.drawing.numbers import number
from dashboard.drawing.panels import Fit, Scrub, Step, as_picture, panel
from dashboard.drawing.screen import show
from dashboard.state.page_list import PAGES
from dashboard.state.parameters import PARAMETERS
from dashboard.state.state import State, patch_of
from dashboard.text import training, words
from dashboard.views.training.progress import watched

# The question of each experiment, and its answer; one without an entry has neither.
TOLD = {
    "scale": (
        "**Why does a cell with large weights not learn?** The same cell twice: its weights at the start are drawn with scale 0.5, and with 4.",
        "With scale 4 about half of the gates' values are saturated from the start, and next to nothing comes back through them. What comes back elsewhere goes through the "
        "large weights and grows instead: see what comes back from the last step to the first. So long a gradient, another one for every sequence, gives no direction, and the loss stays where it is.",
    ),
    "forget": (
        "**What is the forget bias for?** The first bit must be said 30 steps later, with a forget bias of 0 at the start, and with 1.",
        "With a bias of 0 the forget gates start near 1/2, and what is remembered is halved at each step; with 1 they start near 0.73, and the gradient finds its way back.",
    ),
    "memory": (
        "**What does a forget bias of 5 buy?** Three cells with the same start (orthogonal weights, scale 1) on the same task, over 30 steps and over 60: "
        "an RNN, an LSTM with the usual forget bias of 1, and one with 5.",
        "All three learn 30 steps: from such a start an RNN can, too. Over 60 steps the LSTM with a forget bias of 5 learns with every seed from 0 to 3. "
        "Its forget gates are nearly 1, and what is written to c stays. With a bias of 1 it does not learn 60 steps in these updates. The RNN learns them with some seeds, "
        "and not with the one shown here.",
    ),
    "clip": (
        "**What does clipping do?** An RNN with ReLU whose gradients explode: not clipped, clipped to a norm of 1, and to 0.1.",
        "Its weights have scale 2.2 at the start. Not clipped, the first updates throw all weights away. Clipped to 1 the same cell learns. Clipped to 0.1 each update is a tenth "
        "as long, and after as many updates the cell is far behind.",
    ),
    "own": ("A recipe of your own. Everything follows from it, and the link has all of it.", ""),
}
# A further training setup of an experiment: the label of the link, and its query parameters.
FURTHER = {
    "memory": (
        "The RNN over 60 steps with seed 3, which it learns",
        {"trained": "RNN", "start": "orthogonal", "length": "60", "updates": "250", "seed": "3", "g": "tanh"},
    )
}
# A sentence on each optimiser; one without an entry has none.
OPTIMISERS = {
    "SGD": "SGD moves each weight by the learning rate times a running sum of its gradients, with momentum {momentum:g} by up to {times:.3g} times its gradient. Where that is tiny, so is the update.",
    "Adam": "Adam divides each entry by its own usual size, so a small gradient moves the weights nearly as far as a large one: that hides a vanishing gradient in "
    "this chart. It cannot hide what is missing: where nothing comes back from the steps that matter, the update is as long, and goes nowhere.",
}
# Gates whose saturation at 1 is harmless, by cell.
OPEN_GATES = {
    "LSTM": "A forget gate that is saturated at 1 does no harm: it keeps the way through c open. Nor does an output gate at 1.",
    "GRU": "An update gate that is saturated at 1 keeps the way through h open, and lets nothing new in.",
}
# The usual log₁₀ of the update-to-weight ratio.
USUAL = "−3"
# The other pages show a trained cell after so many steps of its probe, because its initial state is 0.
STEPS_BEHIND = 1


@dataclass(frozen=True)
class Board:
    """The recordings of one or more trainings, and the one that is shown.

    Attributes
    ----------
    names : list of str
        A name for each training, from the settings in which they differ.
    films : list of Recording
    which : int
        The index of the recording that is shown.
    answer : str
        The answer of the experiment; empty for a training setup of the reader's.
    """

    names: list[str]
    films: list[Recording]
    which: int
    answer: str

    @property
    def shown(self) -> Recording:
        return self.films[self.which]

    @property
    def cell(self) -> Any:
        return CELLS[self.shown.setup.cell]

    @cached_property
    def judged(self) -> dict[str, Verdict]:
        """The verdict on each training by its name."""
        return {name: verdict(made) for name, made in zip(self.names, self.films)}

    @property
    def is_sound(self) -> bool:
        """Whether the gradient is finite, which it is not if numbers overflow before the first update."""
        return isfinite(self.shown.norm[-1])


def names_of(recipes: tuple[TrainingSetup, ...]) -> list[str]:
    """Return a name for each training, from the settings in which they differ."""
    differ = [
        field.name for field in fields(TrainingSetup) if len({getattr(recipe, field.name) for recipe in recipes}) > 1
    ]
    said = {
        "scale": "scale {:g}",
        "forget_bias": "forget bias {:g}",
        "T": "T = {}",
        "cell": "{}",
    }

    def name_of(recipe: TrainingSetup) -> str:
        if "clip" in differ:
            return "not clipped" if recipe.clip == "none" else f"clipped to {recipe.clip_at:g}"
        # Only a forget gate has a forget bias.
        has_bias = any(made.offset_param == "forget_bias" for made in CELLS[recipe.cell].ARRAYS.values())
        own = [name for name in differ if name != "forget_bias" or has_bias]
        return ", ".join(said.get(name, name + " {}").format(getattr(recipe, name)) for name in own) or recipe.cell

    return [name_of(recipe) for recipe in recipes]


def watch(names: list[str]) -> str:
    """Draw the choice of a recording, and return the name of the chosen one."""
    if len(names) > 3:  # too many for a phone
        return st.selectbox("Watch", names, key="watched", width=180)
    return st.segmented_control("Watch", names, default=names[0], required=True, key="watched")


def take(state: State, made: Recording) -> None:
    """Make a trained cell and its probe the custom values of all pages; `made` is a recording of one frame.

    The pages of one step have step 2 of the probe, and a sequence goes on from there to the probe's end. Whatever would hide or
    change one of the arrays is turned off.
    """
    recipe = made.setup
    hiding: dict[str, Any] = dict.fromkeys(
        numbers.constant_param for numbers in ARRAYS.values() if numbers.constant_param
    )
    given = replace(
        state.scenario,
        **hiding,
        m=made.xs.shape[1],
        n=recipe.k,
        k=recipe.k,
        cell=recipe.cell,
        g=recipe.g,
        scale=1.0,
        forget_bias=0.0,
        stochastic=False,
        T=recipe.T,
        input="numbers",
        arrays=arrays_on_probe(made, 0, STEPS_BEHIND),
    )
    looks = state.looks() | {"j": min(state.unit, recipe.k), "t": 1}
    storage.patch_arrays(given.overrides(), patch_of(state, given, looks))


def lines(series: dict[str, list[float]], places: list[Array]) -> list[Line]:
    """Return one line for each series, with each point at its update; a stopped training has fewer points."""
    colours = cycle(scales.LINES[:3] if len(series) > 4 else scales.LINES)
    return [
        Line(name, items.series(values), next(colours), name == USUAL or (at >= 3 and len(series) > 4), own)
        for at, ((name, values), own) in enumerate(zip(series.items(), places, strict=True))
    ]


def chart_of(
    board: Board,
    title: str,
    text: str,
    series: dict[str, list[float]],
    y_label: str,
    *,
    of_each: bool = False,
    scrub: Scrub | None = None,
) -> Item:
    """Return a panel with one chart over the updates, for each training or for the one that is shown."""
    last = "; ".join(
        f"{name}: {number(values[-1], 3)}" for name, values in series.items() if isfinite(values[-1]) and name != USUAL
    )
    chart = items.chart(
        lines(series, [made.updates for made in (board.films if of_each else [board.shown] * len(series))]),
        x_label="updates",
        y_label=y_label,
        steps=board.shown.updates,
    )
    return panel(
        title, text, [chart], alt=f"At the end: {last}.", note=f"At the end: {last}." if last else "", scrub=scrub
    )


def page(state: State) -> None:
    """Draw the page."""
    st.markdown(
        "# Training\nA cell while it learns. Press ▶ to watch, or drag the slider: all that is drawn below follows."
    )
    story = state.settings.story
    widgets.draw(state, "settings", [control(state, "story")], *(_recipe_controls(state) if story == "own" else ()))
    question, answer = TOLD.get(story, ("", ""))
    if question:
        st.markdown(question)
    if story in FURTHER:
        label, choices = FURTHER[story]
        st.page_link(PAGES["training"].script, label=label, query_params={"story": "own", **choices})
    try:
        recipes = (recipe_of(state),) if story == "own" else EXPERIMENTS[story]
    except ValueError as error:
        st.error(f"{error} A usual recipe is shown instead.")
        recipes = (TrainingSetup(updates=100),)
    names = names_of(recipes)
    which = names.index(watch(names)) if len(names) > 1 else 0
    board = Board(names, watched(recipes), which, answer)
    unit = min(state.unit, board.shown.setup.k)
    show(as_picture(panels(board, unit), decimals=state.decimals, unit=unit - 1), state)
    save(state, board.shown)
    st.markdown(
        "Every film follows from its recipe alone, and is made once for all readers. The gradients are exact (backpropagation through time), checked against "
        f"central differences and PyTorch. A unit counts as saturated here where less than {SATURATED:.0%} of the largest slope is left. {words.listed(list(TASKS))} are the tasks."
    )


def about(state: State) -> About:
    """Return what the page is about."""
    story = state.settings.story
    if story == "own":
        return About(state.scenario, state.settings.trained)
    watched = dict(zip(names_of(EXPERIMENTS[story]), EXPERIMENTS[story])).get(st.session_state.get("watched", ""))
    return About(state.scenario, (watched or EXPERIMENTS[story][0]).cell)


def _recipe_controls(state: State) -> list[list[widgets.Control]]:
    task = select(
        state, "task", {name: name for name in PARAMETERS["task"].options}
    )  # too many for a phone side by side
    names = ("units", "length", "start_scale", "start_bias", "rate", "clip_at", "updates")
    return [
        [task, *(control(state, name) for name in ("trained", "optimiser", "clip", "start"))],
        [control(state, name) for name in names],
    ]


def recipe_of(state: State) -> TrainingSetup:
    """Return the chosen training setup.

    Raises
    ------
    ValueError
        If no training can have these settings together.
    """
    settings = state.settings
    return TrainingSetup(
        task=settings.task,
        cell=settings.trained,
        k=settings.units,
        T=settings.length,
        init=settings.start,
        scale=settings.start_scale,
        forget_bias=settings.start_bias,
        g=state.scenario.g,
        optimiser=settings.optimiser,
        rate=settings.rate,
        clip=settings.clip,
        clip_at=settings.clip_at,
        updates=settings.updates,
        seed=state.seed,
    )


def panels(board: Board, unit: int) -> list[Item]:
    """Return the panels of a training, with the gradient of one unit by hand."""
    loss, verdict_panel, *right = loss_panels(board)
    dots, saturated, maps, weights = unit_panels(board)
    ratio, norm = optimiser_panels(board)
    gain, *reached = gradient_panels(board)
    hand = by_hand(board, unit) if hasattr(board.cell, "deltas") and not board.shown.stopped else []
    return [loss, verdict_panel, *right, dots, saturated, gain, *reached, ratio, norm, maps, weights, *hand]


def loss_panels(board: Board) -> list[Item]:
    """Return the loss, the verdict, and the accuracy for a task with classes."""
    has_classes = TASKS[board.shown.setup.task].loss == "cross-entropy"
    steps = [
        Step(
            f"{update}",
            f"Loss at update {update}",
            f"Update {update}: loss {number(float(loss), 3)} on the sequences of the update, {number(float(held), 3)} on other draws"
            + (f", of which {right:.0%} are answered right." if has_classes else "."),
        )
        for update, loss, held, right in zip(
            board.shown.updates, board.shown.loss, board.shown.held_out, board.shown.right
        )
    ]
    scrub = Scrub("Update", steps, len(board.shown.updates) - 1)
    held_out = {name: made.held_out.tolist() for name, made in zip(board.names, board.films)}
    told = "\n".join(
        f"{name}: {training.told(made, board.judged[name].of('state', 'cause'))}"
        for name, made in zip(board.names, board.films)
    )
    ends = " ".join(
        f"{name}: from {number(values[0], 3)} to {number(values[-1], 3)}, {100 * made.left:.3g} % of it."
        for made, (name, values) in zip(board.films, held_out.items())
    )
    stopped = " ".join(f"{name}: {made.stopped}" for name, made in zip(board.names, board.films) if made.stopped)
    # Logarithms, because an exploding loss would flatten all other lines.
    reaches = [value for values in held_out.values() for value in values if value > 0]
    is_wide = max(reaches, default=1) > 1000
    in_legend = {
        training.state_of(name, board.judged[name]): items.log10(values) if is_wide else values
        for name, values in held_out.items()
    }
    loss = chart_of(
        board,
        "Loss",
        f"{TASKS[board.shown.setup.task].about} The loss is of other draws than those of the updates. {ends} {stopped}".lstrip(),
        in_legend,
        "log₁₀ of the loss" if is_wide else "loss",
        of_each=True,
        scrub=scrub,
    )

    right = (
        [
            chart_of(
                board,
                "Right answers",
                "The share of the answers on other draws whose largest entry is that of the right class. "
                f"Always to answer the most frequent of the {TASKS[board.shown.setup.task].p} classes gives {board.shown.most_frequent:.0%}.",
                {name: made.right.tolist() for name, made in zip(board.names, board.films)},
                "share right",
                of_each=True,
            )
        ]
        if has_classes
        else []
    )
    return [loss, panel("Has it learned?", board.answer, alt="", note=told), *right]


def unit_panels(board: Board) -> list[Item]:
    """Return the units on their curves, the saturated fraction, the maps of one sequence and the weights."""
    activations = {
        name: (g, board.shown.z[name]) for name, (_, g) in board.cell.activated(params_at(board.shown, -1)).items()
    }
    curves = []
    for name, (g, z) in list(activations.items())[:: max(1, len(activations) - 1)][:2]:
        bounds = g.bounds(SATURATED)
        curves.append(
            items.riding(
                f"{symbol_of(board.cell, name)} = {g.symbol}(z)"
                if not symbol_of(board.cell, name).startswith(g.symbol)
                else symbol_of(board.cell, name),
                g.f,
                z,
                bounds=bounds,
                low=g.low if isfinite(g.low) else -4,
                high=g.high if isfinite(g.high) else 4,
            )
        )
    dots = panel(
        "The units on their curves",
        "Each unit as a dot, at the last step of one sequence. Where the curve is flat (shaded), less than "
        f"{SATURATED:.0%} of the largest slope is left: next to nothing of the gradient at this step comes back through a unit there.",
        curves,
        alt="The units as dots on the curves of their activations.",
    )
    if all(isfinite(g.high) for g, _ in activations.values()):
        meaning = (
            "To keep the first bit, or to switch, as for parity, values at the ends help: there it may grow while the loss falls. Where it is large from the start, hardly "
            f"anything comes back through the flat ends, and the loss may stay. {OPEN_GATES.get(board.shown.setup.cell, '')}"
        )
    elif any(g is not relu for g, _ in activations.values()):
        meaning = ""
    else:
        meaning = "ReLU has one flat end: a unit there is inactive and passes nothing back. At the start many are inactive in any cell, which may still learn through the others."
    saturated = chart_of(
        board,
        "Saturated share",
        f"Of each activation the share of all units, steps and other draws that is saturated. {meaning}",
        {symbol_of(board.cell, name): values.tolist() for name, values in board.shown.saturated.items()},
        "share saturated",
    )
    gates = [
        items.over_frames(symbol_of(board.cell, name), values, "unit", "step")
        for name, values in board.shown.symbols.items()
        if name in activations or name == "h_t"
    ]
    maps = panel(
        "Gates and states on one sequence",
        "The same sequence after each number of updates: units as rows, its steps as columns.",
        gates,
        alt="Every activation as a map of units and steps.",
        fit=Fit("columns", pixels=240, smallest=2),
    )
    weights = panel(
        "The weights",
        "Every weight matrix of the cell and of the readout W_y, which makes the answer of h_t.",
        [
            items.over_frames(symbol(name), values, "row", "column")
            for name, values in board.shown.weights.items()
            if min(values.shape[1:]) > 1
        ],
        alt="Every weight matrix as a heatmap.",
        fit=Fit("columns", pixels=220, smallest=3),
    )
    return [dots, saturated, maps, weights]


def optimiser_panels(board: Board) -> list[Item]:
    """Return the update-to-weight ratios, and the gradient before and after clipping."""
    ratio = chart_of(
        board,
        "Update to data",
        "How long an update of a matrix is against the matrix itself, log₁₀. About −3 (dashed) is what practitioners look for: far above it the weights are thrown about, "
        "far below they stand still. "
        + OPTIMISERS.get(board.shown.setup.optimiser, "").format(
            momentum=board.shown.setup.momentum, times=1 / (1 - board.shown.setup.momentum)
        )
        + (
            f" After update {board.shown.updates[-1]} the gradient has a norm of {number(float(board.shown.norm[-1]), 3)}, and the update that would follow from it changes "
            f"a matrix by at most {number(board.shown.longest_update, 3)} of its own norm."
            if board.is_sound and isfinite(board.shown.longest_update)
            else ""
        ),
        {
            symbol(name): items.log10(values.tolist())
            for name, values in board.shown.ratio.items()
            if board.shown.weights[name].shape[2] > 1
        }
        | {USUAL: [-3.0] * len(board.shown.updates)},
        "log₁₀ of update : weights",
    )
    usual = f"The usual length here, the median, is {number(board.shown.usual_norm, 3)}. " if board.is_sound else ""
    of_clip = board.judged[board.names[board.which]].of("clip")
    norm = chart_of(
        board,
        "Length of the gradient",
        f"Of all parameters together, log₁₀, before and after clipping. {training.told(board.shown, of_clip[:1])} {usual}A clip is chosen a "
        "little above the usual length, so that only the rare update that would throw the weights away is shortened; the common choice of 1 is no law. "
        + training.told(board.shown, of_clip[1:]),
        {"before": items.log10(board.shown.norm.tolist()), "after": items.log10(board.shown.clipped.tolist())},
        "log₁₀ of the length",
    )
    return [ratio, norm]


def gradient_panels(board: Board) -> list[Item]:
    """Return the gradients through time."""
    gain = chart_of(
        board,
        "From the last step back to the first",
        "By which factor the norm of a gradient changes on its way back through all steps, log₁₀, as on the gradients page. At 0 it is kept; far below 0 "
        "the loss of the last step hardly reaches the first. Losses of earlier steps have a shorter way.",
        {name: made.gain.tolist() for name, made in zip(board.names, board.films)},
        "log₁₀ of the gain",
        of_each=True,
    )
    asked = board.shown.asked.tolist()
    derivatives = {name: f"∂L_t/∂{name[0]}_s" for name in board.shown.reached}
    own = float(board.shown.reached["h_t"][-1, -1, asked[-1]])
    at_first = words.listed(
        f"‖{derivatives[name]}‖ is {number(float(lengths[-1, -1, 0]), 3)}"
        for name, lengths in board.shown.reached.items()
    )
    along_c = (
        "What comes back to a step s comes along h and along c, each in a map of its own. At its own step t a loss is heard through h alone. "
        "A step hears nothing of a loss only where both maps are dark. "
        if "c_t" in derivatives
        else "Where a row fades to the left, the steps there hardly hear of that loss, and hardly learn from it. "
    )
    reached = panel(
        "Which loss reaches which step",
        "Rows are the steps at which something is asked. What the loss of such a step t alone sends back is followed to each step s, a column: the norm of its gradient with respect to the state "
        f"that step s hands on, as its log₁₀. {along_c}Where a row grows brighter to the left, the gradient explodes on its way. "
        f"After update {board.shown.updates[-1]} ‖{derivatives['h_t']}‖ is {number(own, 3)} at s = t = {asked[-1] + 1}. For the same loss, {at_first} at s = 1.",
        items.brought_back({derivatives[name]: lengths for name, lengths in board.shown.reached.items()}, asked),
        alt=f"The norm of what each loss brings back. At its own step {asked[-1] + 1} it is {number(own, 3)}; at step 1 {at_first}.",
        fit=Fit("columns", pixels=360, smallest=3),
    )
    return [gain, *([reached] if board.is_sound else [])]


def by_hand(board: Board, unit: int) -> list[Item]:
    """Return one row of a gradient as a sum over the steps."""
    lesson = lesson_at(board.shown, -1)
    W = next(iter(board.cell.JOINED.values())).W
    parts = row_over_time(board.cell, lesson.params, lesson.trace, lesson.dh, W, unit - 1)
    return [
        panel(
            "One gradient by hand",
            f"The gradient of the loss by {symbol_of(board.cell, W)} is a sum over the steps: at each step δ_t, the derivative by the pre-activation, times the stack that was multiplied. Here row {unit} of it, "
            "after the last update, for one sequence: a row of the map is what one step adds, and the row below is the sum. The columns of h come first, then those of x.",
            [
                items.by_steps("each step", parts),
                items.op("Σ →"),
                items.by_steps("the row of the gradient", parts.sum(axis=0, keepdims=True)),
            ],
            alt=f"What each of {len(parts)} steps adds to row {unit} of the gradient.",
            fit=Fit("columns", pixels=360, smallest=4),
        )
    ]


def save(state: State, shown: Recording) -> None:
    """Draw the buttons that take the trained cell to the other pages or save it."""
    frames = len(shown.updates)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        at = st.selectbox(
            "The cell at update",
            range(frames),
            index=frames - 1,
            format_func=[f"{update}" for update in shown.updates].__getitem__,
            key="frame",
            width=200,
        )
        # Keep one frame in the session: the whole recording may leave the cache before the reader clicks the button.
        taken = shown.still(at)
        st.button("Take it to the other pages", on_click=take, args=(state, taken))
        file = f"cellscope-{shown.setup.cell.lower()}-update-{shown.updates[at]}"
        for ending, write in {"npz": to_npz, "safetensors": to_safetensors}.items():
            st.download_button(
                f"Save it as .{ending}",
                partial(write, saved_at(taken, 0)),
                f"{file}.{ending}",
                on_click="ignore",
            )
    st.caption(
        "Its weights become your own numbers, with its state after step 1 of the sequence above and the inputs from step 2 on. Open another page from the sidebar: one step is step 2, "
        "and a sequence goes on from there. A file has the readout too."
    )
