"""Training: watch a cell learn, and see why a saturated one does not."""

from dataclasses import fields
from functools import partial
from itertools import cycle
from math import isfinite
from time import monotonic

import streamlit as st

from core.cells import CELLS
from core.cells.protocol import called
from core.exchange.array_files import to_npz, to_safetensors
from core.practice.symbols import symbol
from core.training import SATURATED, STORIES, TASKS, Film, Recipe, lesson_at, params_at, row_over_time, saved_at
from dashboard import chosen, controls, picture, words
from dashboard.about import About, tell
from dashboard.numerals import number
from dashboard.picture import Item, Line
from dashboard.screen import show
from dashboard.serve.films import LOOK, film, kept, untrained

# What each comparison asks, and what is seen.
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
        "**What can an LSTM learn that a plain cell cannot?** The same task for both, over 10, 30 and 60 steps.",
        "The longer the way, the less comes back through the plain cell. The LSTM starts with a forget bias of 5: its forget gates are nearly 1, and what is written "
        "stays. With the usual 1 it does not learn 60 steps either.",
    ),
    "clip": (
        "**What does clipping do?** A ReLU cell whose gradients explode: not clipped, cut at length 1, and at 0.1.",
        "Its weights have scale 2 at the start. One update by an exploding gradient throws all weights away. Cut at 1 the same cell learns; cut at 0.1 it learns too, more slowly.",
    ),
    "own": ("A recipe of your own. Everything follows from it, and the link has all of it.", ""),
}
ADAM = {
    "SGD": "SGD moves each weight by the rate times its gradient: where that is tiny, so is the update.",
    "Adam": "Adam divides each entry by its own usual size, so a small gradient moves the weights nearly as far as a large one: that hides a vanishing gradient in "
    "this chart. It cannot hide what is missing: where nothing comes back from the steps that matter, the update is as long, and goes nowhere.",
}
# With a forget bias of this and no weights the forget gates are saturated at 1.
OPEN = 4
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
    }

    def name_of(recipe: Recipe) -> str:
        if "clip" in differ:
            return "not clipped" if recipe.clip == "none" else f"cut at {recipe.clip_at:g}"
        return ", ".join(said.get(name, name + " {}").format(getattr(recipe, name)) for name in differ) or recipe.cell

    return [name_of(recipe) for recipe in recipes]


def watched(recipes: tuple[Recipe, ...]) -> list[Film]:
    """The films, with their progress and a way to stop while they are made."""
    place = st.empty()
    if stopped := recipes == st.session_state.get("not_trained"):
        st.info("The training was stopped: this is the cell before its first update.")
        st.button("Train it", on_click=train, args=(None,))
    if stopped or all(map(kept, recipes)):
        return [kept(recipe) or untrained(recipe) for recipe in recipes]
    with place.container(horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, PROGRESS.format(0, recipes[0].updates))
        st.button("Stop", on_click=train, args=(recipes,))
    told = 0.0

    def report(done: int, total: int) -> None:
        """Each time the page speaks it also hears whether its reader has gone, or wants something else."""
        nonlocal told
        if monotonic() - told >= LOOK:
            told = monotonic()
            bar.progress(done / max(1, total), PROGRESS.format(done, total))

    films = [film(recipe, report) for recipe in recipes]
    place.empty()
    return films


def train(stopped: tuple[Recipe, ...] | None) -> None:
    """Stop the training of these, or of none: go on."""
    st.session_state.not_trained = stopped


def watch(names: list[str]) -> str:
    """Which of the films is shown."""
    if len(names) > 3:  # too many for a phone
        return st.selectbox("Watch", names, key="watched", width=180)
    return st.segmented_control("Watch", names, default=names[0], required=True, key="watched")


def take(recipe: Recipe, frame: int) -> None:
    """Make the weights at a frame the reader's own numbers; the film itself is nobody's to keep."""
    chosen.become_trained(film(recipe, lambda done, total: None), frame)


def lines(series: dict[str, list[float]], frames: int) -> list[Line]:
    """One line for each, as long as the longest film: a training that was stopped has no more points."""
    colours = cycle(picture.LINES[:3] if len(series) > 4 else picture.LINES)
    padded = {name: [*values, *[float("nan")] * (frames - len(values))] for name, values in series.items()}
    return [
        Line(name, picture.series(values), next(colours), dashed=name == USUAL or (at >= 3 and len(series) > 4))
        for at, (name, values) in enumerate(padded.items())
    ]


def chart_of(
    title: str, text: str, series: dict[str, list[float]], y_label: str, scrub: picture.Scrub | None = None
) -> Item:
    """A panel with one chart over the frames."""
    frames = max(map(len, series.values()))
    last = "; ".join(
        f"{name}: {number(values[-1], 3)}" for name, values in series.items() if isfinite(values[-1]) and name != USUAL
    )
    chart = picture.chart(
        lines(series, frames),
        x_label="updates",
        y_label=y_label,
        follows=True,
        spacing=max(made.spacing for made in films) or 1,
    )
    return picture.panel(
        title, text, [chart], alt=f"At the end: {last}.", note=f"At the end: {last}." if last else "", scrub=scrub
    )


st.markdown(
    "# Training\nA cell while it learns. Press ▶ to watch, or drag the slider: all that is drawn below follows."
)
with st.container(horizontal=True):
    story = controls.story_of_training()
    names = names_of(STORIES.get(story, (Recipe(),)))
    which = names.index(watch(names)) if len(names) > 1 else 0
question, answer = TOLD[story]
st.markdown(question)
try:
    recipes = (controls.recipe(),) if story == "own" else STORIES[story]
except ValueError as error:
    st.error(f"{error} A usual recipe is shown instead.")
    recipes = (Recipe(updates=100),)
names = names_of(recipes)
films = watched(recipes)
shown = films[which]
cell = CELLS[shown.recipe.cell]
frames = len(shown.updates)
unit = min(chosen.unit(), shown.recipe.k)

# ---- the loss ----

# Where numbers overflow before the first update there is nothing to say of a gradient.
is_sound = isfinite(shown.norm[-1])
has_classes = TASKS[shown.recipe.task].loss == "cross-entropy"
steps = [
    picture.Step(
        f"{update}",
        f"Loss at update {update}",
        f"Update {update}: loss {number(float(loss), 3)} on the sequences of the update, {number(float(held), 3)} on other draws"
        + (f", of which {right:.0%} are answered right." if has_classes else "."),
    )
    for update, loss, held, right in zip(shown.updates, shown.loss, shown.held_out, shown.right)
]
scrub = picture.Scrub("Update", steps, frames - 1)
held_out = {name: made.held_out.tolist() for name, made in zip(names, films)}
verdicts = "\n".join(
    words.learned(
        name,
        made.left,
        made.has_learned,
        float(made.gain[-1]),
        {
            called(CELLS[made.recipe.cell], gate): (float(share[0]), float(share[-1]))
            for gate, share in made.saturated.items()
            # Forget gates that a bias holds at 1 keep the way through c open.
            if (gate != "f_t" or made.recipe.forget_bias < OPEN)
            # What ReLU cuts off neither keeps nor switches.
            and isfinite(CELLS[made.recipe.cell].activated(params_at(made, 0))[gate][1].high)
        },
        made.longest_update,
        made.stopped,
    )
    for name, made in zip(names, films)
    if len(made.updates) > 1 or made.stopped
)
ends = " ".join(
    f"{name}: from {number(values[0], 3)} to {number(values[-1], 3)}, {100 * made.left:.3g} % of it."
    for made, (name, values) in zip(films, held_out.items())
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

right = (
    [
        chart_of(
            "Right answers",
            "The share of the answers on other draws whose largest entry is that of the right class. "
            f"To guess gives {TASKS[shown.recipe.task].guessed:.0%} of {TASKS[shown.recipe.task].p} classes, if all are as frequent.",
            {name: made.right.tolist() for name, made in zip(names, films)},
            "share right",
        )
    ]
    if has_classes
    else []
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
    "Each unit as a dot, at the last step of one sequence. Where the curve is flat (shaded), less than "
    f"{SATURATED:.0%} of the largest slope is left: a unit there passes next to nothing back, and its weights hardly move.",
    curves,
    alt="The units as dots on the curves of their activations.",
)
saturated = chart_of(
    "Saturated share",
    "Of each activation the share of all units and steps that is saturated. Where it grows while the loss falls, it is what was learned: to keep the first bit, or to "
    "switch, as for parity, needs values at the ends. Where it is large from the start and the loss stays, the cell cannot learn: hardly anything comes back through a flat "
    "end. Only forget gates that are saturated at 1 do no harm, for they keep the way through c open.",
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
    "The same sequence after each number of updates: units as rows, its steps as columns.",
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
    "far below they stand still. "
    + ADAM[shown.recipe.optimiser]
    + (
        f" At the last update the gradient was {number(float(shown.norm[-1]), 3)} long, and the longest update {number(shown.longest_update, 3)} of its matrix."
        if is_sound
        else ""
    ),
    {
        symbol(name): picture.log10(values.tolist())
        for name, values in shown.ratio.items()
        if shown.weights[name].shape[2] > 1
    }
    | {USUAL: [-3.0] * frames},
    "log₁₀ of update : weights",
)
seldom = shown.recipe.clip != "norm" or not shown.is_cut_often
told = {
    "none": "Nothing is cut here.",
    "norm": f"Here a gradient that is longer than {shown.recipe.clip_at:g} is made that long and keeps its direction: {shown.cut} of {len(shown.norms)} were.",
    "value": f"Here each entry beyond ±{shown.recipe.clip_at:g} is set to that, which also turns the gradient's direction.",
}
usual = f"The usual length here, the median, is {number(shown.usual_norm, 3)}. " if is_sound else ""
norm = chart_of(
    "Length of the gradient",
    f"Of all parameters together, log₁₀, before and after clipping. {told[shown.recipe.clip]} {usual}A clip is chosen a "
    "little above the usual length, so that only the rare update that would throw the weights away is shortened; the common choice of 1 is no law."
    + ("" if seldom else " Here it shortens so many that it, and no longer the gradient, says how far they go."),
    {"before": picture.log10(shown.norm.tolist()), "after": picture.log10(shown.clipped.tolist())},
    "log₁₀ of the length",
)
gain = chart_of(
    "From the last step back to the first",
    "By which factor a gradient changes on its way back through all steps, log₁₀, as on the gradients page. At 0 its length is kept; far below 0 the first step is out of reach.",
    {name: made.gain.tolist() for name, made in zip(names, films)},
    "log₁₀ of the gain",
)
asked = shown.asked.tolist()
T = shown.recipe.T
first, own = (float(shown.reached[-1, -1, s]) for s in (0, asked[-1]))
reached = picture.panel(
    "Which loss reaches which step",
    "Rows are the steps at which something is asked. What the loss of such a step t alone sends back is followed to each step s, a column: how long is its part of the gradient by h_s? "
    "Where a row fades to the left, the steps there do not hear of that loss, and cannot learn from it; where it grows brighter, the gradient explodes on its way. The length is shown as its log₁₀. "
    f"After the last update the loss of step {asked[-1] + 1} is {number(own, 3)} long there and {number(first, 3)} at step 1.",
    [picture.brought_back("∂L_t/∂h_s", shown.reached, asked)],
    alt=f"The length of what each loss brings back, from {number(own, 3)} at step {asked[-1] + 1} to {number(first, 3)} at step 1.",
    fit=picture.Fit("columns", pixels=360, smallest=3),
)

# ---- one gradient by hand ----

panels = [
    loss,
    picture.panel("Has it learned?", answer, alt="", note=verdicts),
    *right,
    dots,
    saturated,
    gain,
    *([reached] if is_sound else []),
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
            "after the last update, for one sequence: a row of the map is what one step adds, and the row below is the sum. The columns of h come first, then those of x.",
            [
                picture.by_steps("each step", parts),
                picture.op("Σ →"),
                picture.by_steps("the row of the gradient", parts.sum(axis=0, keepdims=True)),
            ],
            alt=f"What each of {len(parts)} steps adds to row {unit} of the gradient.",
            fit=picture.Fit("columns", pixels=360, smallest=4),
        )
    )
show(picture.page(panels, decimals=chosen.decimals(), unit=unit - 1), key="picture", on_unit=chosen.pick_unit)

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
    file = f"cellscope-{shown.recipe.cell.lower()}-update-{shown.updates[at]}"
    for ending, write in {"npz": to_npz, "safetensors": to_safetensors}.items():
        st.download_button(
            f"Save it as .{ending}",
            partial(write, saved_at(shown, at)),
            f"{file}.{ending}",
            on_click="ignore",
        )
st.caption(
    "Its weights become your own numbers: open another page from the sidebar to see a step, the saturation or the gradients of this very cell. A file has the readout too."
)
st.markdown(
    "Every film follows from its recipe alone, and is made once for all readers. The gradients are exact (backpropagation through time), checked against "
    f"central differences and PyTorch. A unit counts as saturated here where less than {SATURATED:.0%} of the largest slope is left. {words.listed(list(TASKS))} are the tasks."
)
tell(About(chosen.scenario(), shown.recipe.cell))
