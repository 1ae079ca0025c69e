"""Training: watch a cell learn, and see why a saturated one does not."""

from dataclasses import fields
from itertools import cycle
from math import isfinite

import streamlit as st

from core.cells import CELLS
from core.cells.protocol import called
from core.practice.symbols import symbol
from core.training import SATURATED, STORIES, TASKS, Film, Recipe, lesson_at, params_at, row_over_time
from dashboard import controls, picture, words
from dashboard.about import About, tell
from dashboard.numerals import number
from dashboard.picture import Item, Line
from dashboard.screen import show
from dashboard.serve.films import film

# What each comparison asks, and what is seen.
TOLD = {
    "scale": "**Why does a cell with large weights not learn?** The same cell twice, its weights at the start drawn with scale 0.5 and with 4. With 4 about half "
    "of the gates' values are saturated from the first update on, and nothing that comes back through them can move them. What comes back elsewhere goes through the large weights and grows "
    "instead: see the gain below. So long a gradient, another one for every sequence, gives no direction, and the loss stays where it is.",
    "forget": "**What is the forget bias for?** The first bit must be said 30 steps later. With a bias of 0 the forget gates start near 1/2, and what is remembered "
    "is halved at each step; with 1 they start near 0.73, and the gradient finds its way back.",
    "memory": "**What can an LSTM learn that a plain cell cannot?** The same task over 10, 30 and 60 steps. The longer the way, the less comes back through the "
    "plain cell. The LSTM starts with a forget bias of 5: its forget gates are nearly 1, and what is written stays. With the usual 1 it does not learn 60 steps either.",
    "clip": "**What does clipping do?** A ReLU cell with weights of scale 2, whose gradients explode: without clipping, cut at length 1, and at 0.1.",
    "own": "A recipe of your own. Everything follows from it, and the link has all of it.",
}
ADAM = {
    "SGD": "SGD moves each weight by the rate times its gradient: where that is tiny, so is the update.",
    "Adam": "Adam divides each entry by its own usual size, so a small gradient moves the weights nearly as far as a large one: that hides a vanishing gradient in "
    "this chart, but it cannot say which way to go where nothing comes back.",
}
# What is looked for in the update of a matrix, against the matrix itself.
USUAL = "−3"
PROGRESS = "Training: {} of {} updates"


def names_of(recipes: tuple[Recipe, ...]) -> list[str]:
    """What tells them apart."""
    differ = [field.name for field in fields(Recipe) if len({getattr(recipe, field.name) for recipe in recipes}) > 1]
    said = {
        "scale": "scale {:g}",
        "forget_bias": "forget bias {:g}",
        "T": "T = {}",
        "cell": "{}",
        "clip": "clipped by {}",
        "clip_at": "at {:g}",
    }

    def name_of(recipe: Recipe) -> str:
        if recipe.clip == "none" and "clip" in differ:
            return "not clipped"
        return ", ".join(said.get(name, name + " {}").format(getattr(recipe, name)) for name in differ) or recipe.cell

    return [name_of(recipe) for recipe in recipes]


def watched(recipe: Recipe, bar: st.delta_generator.DeltaGenerator) -> Film:
    """The film, with its progress while it is made."""

    def report(done: int, total: int) -> None:
        bar.progress(done / max(1, total), PROGRESS.format(done, total))

    return film(recipe, report)


def take(recipe: Recipe, frame: int) -> None:
    """Make the weights at a frame the reader's own numbers; the film itself is nobody's to keep."""
    controls.become_trained(film(recipe, lambda done, total: None), frame)


def lines(series: dict[str, list[float]], frames: int) -> list[Line]:
    """One line for each, as long as the longest film: a training that was stopped has no more points."""
    colours = cycle(picture.LINES[:3] if len(series) > 4 else picture.LINES)
    padded = {name: [*values, *[float("nan")] * (frames - len(values))] for name, values in series.items()}
    return [
        Line(name, picture.series(values), next(colours), dashed=at >= 3 and len(series) > 4)
        for at, (name, values) in enumerate(padded.items())
    ]


def chart_of(
    title: str, text: str, series: dict[str, list[float]], y_label: str, scrub: picture.Scrub | None = None
) -> Item:
    """A panel with one chart over the frames."""
    frames = max(map(len, series.values()))
    every = shown.updates[1] - shown.updates[0] if len(shown.updates) > 1 else 1
    last = "; ".join(
        f"{name}: {number(values[-1], 3)}" for name, values in series.items() if isfinite(values[-1]) and name != USUAL
    )
    chart = picture.chart(
        lines(series, frames), x_label=f"frame, one for every {every} updates", y_label=y_label, follows=True
    )
    return picture.panel(
        title, text, [chart], alt=f"At the end: {last}.", note=f"At the end: {last}." if last else "", scrub=scrub
    )


st.markdown(
    "# Training\nA cell while it learns: its loss, its weights, its gates and what comes back through time. Play it, or drag through it."
)
story = controls.story_of_training()
st.markdown(TOLD[story])
try:
    recipes = (controls.recipe(),) if story == "own" else STORIES[story]
except ValueError as error:
    st.error(f"{error} A usual recipe is shown instead.")
    recipes = (Recipe(updates=100),)
bar = st.empty()
films = [watched(recipe, bar) for recipe in recipes]
bar.empty()
names = names_of(recipes)
which = (
    names.index(st.segmented_control("Watch", names, default=names[0], required=True, key="watched"))
    if len(names) > 1
    else 0
)
shown = films[which]
cell = CELLS[shown.recipe.cell]
frames = len(shown.updates)
unit = min(controls.unit(), shown.recipe.k)

# ---- the loss ----

steps = [
    picture.Step(
        f"{update}",
        f"Loss at update {update}",
        f"Update {update}: loss {number(float(loss), 3)} on the sequences of the update, {number(float(held), 3)} on other draws.",
    )
    for update, loss, held in zip(shown.updates, shown.loss, shown.held_out)
]
scrub = picture.Scrub("Update", steps, frames - 1)
held_out = {name: made.held_out.tolist() for name, made in zip(names, films)}
verdicts = "\n".join(
    words.learned(
        name,
        values[-1] / values[0],
        float(made.gain[-1]),
        {called(CELLS[made.recipe.cell], gate): float(share[0]) for gate, share in made.saturated.items()},
        max(float(moved[-1]) for matrix, moved in made.ratio.items() if made.weights[matrix].shape[2] > 1),
        made.stopped,
    )
    for made, (name, values) in zip(films, held_out.items())
)
ends = " ".join(
    f"{name}: from {number(values[0], 3)} to {number(values[-1], 3)}, {100 * values[-1] / values[0]:.3g} % of it."
    for name, values in held_out.items()
)
stopped = " ".join(f"{name}: {made.stopped}" for name, made in zip(names, films) if made.stopped)
# One that explodes would flatten all others.
reaches = [value for values in held_out.values() for value in values if value > 0]
is_wide = max(reaches, default=1) > 1000
loss = chart_of(
    "Loss",
    f"{TASKS[shown.recipe.task].about} The loss is of other draws than those of the updates. {ends} {stopped}",
    {name: picture.log10(values) for name, values in held_out.items()} if is_wide else held_out,
    "log₁₀ of the loss" if is_wide else "loss",
    scrub,
)

# ---- what the units do ----

activations = {name: (g, shown.z[name]) for name, (_, g) in cell.activated(params_at(shown, -1)).items()}
curves = []
for name, (g, z) in list(activations.items())[:: max(1, len(activations) - 1)][:2]:
    bounds = g.bounds(SATURATED)
    curves.append(
        picture.riding(
            f"{called(cell, name)} = {g.symbol}(z)"
            if not called(cell, name).startswith(g.symbol)
            else called(cell, name),
            g.f,
            z,
            bounds=bounds,
            low=g.low if isfinite(g.low) else 0,
            high=g.high if isfinite(g.high) else 4,
        )
    )
dots = picture.panel(
    "The units on their curves",
    "Each unit as a dot, at the last step of one sequence. Where the curve is flat (shaded), less than 5 % of the largest slope is left: a unit there passes next "
    "to nothing back, and its weights hardly move.",
    curves,
    alt="The units as dots on the curves of their activations.",
)
saturated = chart_of(
    "Saturated share",
    "Of each activation the share of all units and steps that is saturated. In a cell that has learned to keep or to switch, saturated gates are what was "
    "learned. In one that starts so they hardly move; only forget gates that are saturated at 1 do no harm, for they keep the way through c open.",
    {called(cell, name): values.tolist() for name, values in shown.saturated.items()},
    "share saturated",
)
gates = [
    picture.over_frames(called(cell, name), values, "unit", "step")
    for name, values in shown.symbols.items()
    if name in activations or name == "h_t"
]
maps = picture.panel(
    "Gates and states on one sequence",
    "The same sequence at every frame: units as rows, its steps as columns.",
    gates,
    alt="Every activation as a map of units and steps.",
    fit=picture.Fit("columns", pixels=240, smallest=2),
)
weights = picture.panel(
    "The weights",
    "Every weight matrix of the cell and of the readout W_y, which makes the answer of h_t.",
    [
        picture.over_frames(symbol(name), values, "row", "column")
        for name, values in shown.weights.items()
        if min(values.shape[1:]) > 1
    ],
    alt="Every weight matrix as a heatmap.",
    fit=picture.Fit("columns", pixels=220, smallest=3),
)

# ---- what the optimiser does ----

ratio = chart_of(
    "Update to data",
    "How long an update of a matrix is against the matrix itself, log₁₀. About −3 (dashed) is what practitioners look for: far above it the weights are thrown about, "
    "far below they stand still. " + ADAM[shown.recipe.optimiser],
    {
        picture.literal(name): picture.log10(values.tolist())
        for name, values in shown.ratio.items()
        if shown.weights[name].shape[2] > 1
    }
    | {USUAL: [-3.0] * frames},
    "log₁₀ of update : weights",
)
cut = int((shown.norms > shown.recipe.clip_at).sum()) if shown.recipe.clip == "norm" else 0
seldom = cut <= len(shown.norms) / 10
told = {
    "none": "Nothing is cut here.",
    "norm": f"Here a gradient that is longer than {shown.recipe.clip_at:g} is made that long and keeps its direction: {cut} of {len(shown.norms)} were.",
    "value": f"Here each entry beyond ±{shown.recipe.clip_at:g} is set to that, which also turns the gradient's direction.",
}
norm = chart_of(
    "Length of the gradient",
    f"Of all parameters together, log₁₀, before and after clipping. {told[shown.recipe.clip]} A clip is chosen a little above the usual length, so that only the rare step that would throw the cell away is "
    f"cut; the common choice of 1 is no law. {'' if seldom else 'Here it cuts so many that it sets the length of nearly every update.'}",
    {"before": picture.log10(shown.norm.tolist()), "after": picture.log10(shown.clipped.tolist())},
    "log₁₀ of the length",
)
gain = chart_of(
    "From the last step back to the first",
    "By which factor a gradient changes on its way back through all steps, log₁₀, as on the gradients page. At 0 its length is kept; far below 0 the first step is out of reach.",
    {name: made.gain.tolist() for name, made in zip(names, films)},
    "log₁₀ of the gain",
)

# ---- one gradient by hand ----

panels = [
    loss,
    picture.panel("Has it learned?", "", alt="", note=verdicts),
    dots,
    saturated,
    gain,
    ratio,
    norm,
    maps,
    weights,
]
if hasattr(cell, "deltas") and not shown.stopped:
    lesson = lesson_at(shown, -1)
    W = next(iter(cell.JOINED.values())).W
    parts = row_over_time(cell, lesson.params, lesson.trace, lesson.dh, W, unit - 1)
    panels.append(
        picture.panel(
            "One gradient by hand",
            f"The gradient of the loss by {called(cell, W)} is a sum over the steps: at each step δ_t, the derivative by the pre-activation, times the stack that was multiplied. Here row {unit} of it, "
            "at the last frame, for one sequence: a row of the map is what one step adds, and the row below is the sum. The columns of h come first, then those of x.",
            [
                picture.by_steps("each step", parts),
                picture.op("Σ →"),
                picture.by_steps("the row of the gradient", parts.sum(axis=0, keepdims=True)),
            ],
            alt=f"What each of {len(parts)} steps adds to row {unit} of the gradient.",
            fit=picture.Fit("columns", pixels=360, smallest=4),
        )
    )
show(picture.page(panels, decimals=controls.decimals(), unit=unit - 1), key="picture", on_unit=controls.pick_unit)

# ---- take it ----

with st.container(horizontal=True, vertical_alignment="bottom"):
    at = st.selectbox(
        "The cell at update",
        range(frames),
        index=frames - 1,
        format_func=lambda frame: f"{shown.updates[frame]}",
        key="frame",
        width=200,
    )
    st.button("Take it to the other pages", on_click=take, args=(shown.recipe, at))
st.caption(
    "Its weights become your own numbers: open another page from the sidebar to see a step, the saturation or the gradients of this very cell, or save them there."
)
st.markdown(
    "Every film follows from its recipe alone, and is made once for all readers. The gradients are exact (backpropagation through time), checked against "
    f"central differences and PyTorch. A unit counts as saturated here where less than {SATURATED:.0%} of the largest slope is left. {words.listed(list(TASKS))} are the tasks."
)
tell(About(controls.scenario(), shown.recipe.cell))
