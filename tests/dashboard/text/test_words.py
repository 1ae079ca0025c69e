"""Every word that depends on numbers is true of them: over sizes, scales, activations, initializers and seeds.

What a sentence says is held against numbers that are computed here in another way. Each test goes over a seeded sample
and lists what is not so.
"""

import re
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from core import saturation
from core.activations import ACTIVATIONS, relu, sigmoid, tanh
from core.arrays import Array
from core.cells import CELLS
from core.initialize import INITIALIZERS, RANDOM
from core.scenario import SOURCES, Scenario
from core.sequence import bptt
from dashboard.text import gated_step, hidden_state, sidebar, words
from dashboard.text import gradients as of_gradients
from dashboard.text import lstm as of_lstm
from dashboard.text import saturation as of_saturation
from dashboard.text import sequence as of_sequence
from dashboard.text.cells import PAST_GATE
from tests.dashboard.page import Shown, as_text, choose, entries, open_link, outlined, press
from tests.sentences import pattern

SIZES = (1, 2, 3, 4, 8, 16, 32, 64, 128)
SCALES = (0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0, 100.0)
THRESHOLDS = (1, 2, 5, 20, 50)
SATURATING = {name: g for name, g in ACTIVATIONS.items() if np.isfinite(g.high)}
NUMBER = r"−?\d+(?:\.\d+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")


def sampled(seed: int, count: int, **more) -> Iterator[dict]:
    """Choices of a cell from all corners of the sample."""
    rng = np.random.default_rng(seed)
    options = {"k": SIZES, "scale": SCALES, "g": list(ACTIVATIONS), "init": list(INITIALIZERS), "m": (1, 3, 9), **more}
    for _ in range(count):
        yield {name: rng.choice(values).item() for name, values in options.items()} | {"seed": int(rng.integers(1000))}


def as_float(text: str) -> float:
    """The number of a text with its power of ten, such as 1.30·10⁻⁶⁶."""
    return float(text.translate(POWERS).replace("·10", "e"))


def placeholders(template: str, text: str, **values: object) -> re.Match | None:
    """Find a sentence in a text: its groups are the placeholders without a value."""
    return re.search(pattern(template, **values), text)


# ---- a gradient through time, step by step -----------------------------------------------------------


def jacobians(name: str, scenario: Scenario, T: int) -> tuple[list[Array], list]:
    """Those of all steps, one step after the other, and the steps."""
    cell = CELLS[name]
    params, state = scenario.params_and_initial_state(name)
    steps = []
    for x_t in scenario.noise(T):
        steps.append(cell.step(params, state, x_t))
        state = cell.next_state(steps[-1])
    return [cell.jacobian(params, step) for step in steps], steps


def log_norm(factors: list[Array]) -> float:
    """The decimal logarithm of the norm of a product of q x q matrices over that of the identity."""
    product, log = np.eye(len(factors[0])) / np.sqrt(len(factors[0])), 0.0
    for factor in factors:
        product = factor @ product
        largest = np.abs(product).max()
        if not largest:
            return -np.inf
        product, log = product / largest, log + np.log10(largest)
    return log + np.log10(np.linalg.norm(product))


def wrong_gain(text: str, log: float, decimals: int, *, zero: str) -> bool:
    if log == -np.inf:
        return text != zero
    number, _, power = text.partition("·10")
    exponent = int(power.translate(POWERS) or 0)
    # A number with so many significant digits is off by at most half of the last one.
    return abs(np.log10(as_float(number)) + exponent - log) > np.log10(1 + 0.51 * 10 ** (1 - max(decimals, 2)))


def wrong_rate(text: str, log: float, steps_back: int, decimals: int) -> bool:
    rate = np.exp(log * np.log(10) / steps_back)
    return abs(as_float(text) - rate) > 0.51 * 10 ** -min(decimals + 2, 6) * max(rate, 1)


def wrong_fate(code: str, log: float, steps_back: int) -> bool:
    """Whether what is said of the norm of a gradient is not so."""
    if code == "zero" or log == -np.inf:
        return (code == "zero") != (log == -np.inf)
    left = np.exp(log * np.log(10))
    so = {
        "kept": 0.5 <= left <= 2,
        "vanishes": left < 0.1 and steps_back > 1,
        "shrinks": left < 0.5 and (left >= 0.1 or steps_back == 1),
        "grows": left > 2 and (left <= 10 or steps_back == 1),
        "explodes": left > 10 and steps_back > 1,
    }
    return not so[code]


def test_what_becomes_of_a_gradient_is_what_its_gain_says():
    rng = np.random.default_rng(0)
    borders = np.log10([0.499, 0.501, 1.99, 2.01, 0.099, 0.101, 9.99, 10.01])
    logs = [0.0, -np.inf, *borders, *rng.uniform(-1.5, 1.5, 200), *rng.normal(0, 50, 200)]
    wrong = [
        (log, back, decimals, code)
        for log, back, decimals in product(map(float, logs), (1, 2, 9, 511), (0, 2, 6))
        if wrong_fate(code := of_gradients.fate(log, back), log, back)
        or wrong_gain(words.gain(log, decimals), log, decimals, zero="0 in float64")
    ]
    assert wrong == []
    assert words.gain(-np.inf, 2, exact=True) == "0"
    assert words.rate(-18.0, 2, 0) == "1.00·10⁻⁹"


@pytest.mark.parametrize(
    ("log", "decimals", "text"),
    [
        (0.0, 2, "1"),
        (-0.53, 2, "0.30"),
        (-0.53, 4, "0.2951"),
        (-2.1, 2, "0.0079"),
        (-8.74, 2, "1.8·10⁻⁹"),
        (-8.74, 0, "1.8·10⁻⁹"),
        (1.3, 2, "20"),
        (np.log10(99.7), 2, "1.0·10²"),
        (-400.5, 3, "3.16·10⁻⁴⁰¹"),
        (12.0, 2, "1.0·10¹²"),
    ],
)
def test_a_gain_has_its_power_of_ten_only_if_it_is_far_from_1(log, decimals, text):
    assert words.gain(log, decimals) == text


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.0, 3, "0"),
        (0.29, 3, "0.290"),
        (-0.0002401, 3, "−2.401·10⁻⁴"),
        (3.537e21, 3, "3.537·10²¹"),
        (1e-106, 0, "1·10⁻¹⁰⁶"),
    ],
)
def test_a_number_in_a_sentence_has_its_power_of_ten_as_a_gain_has_it(value, decimals, text):
    assert words.in_sentence(value, decimals) == text


def test_derivatives_and_differences_that_do_not_agree_are_named_and_the_reason_is_so():
    wrong, reasons = [], set()
    for choices in sampled(1, 60, k=SIZES[:6]):
        scenario = Scenario(n=choices["k"], **choices)
        x_t = scenario.noise(1)[0]
        errors, lost, bent = {}, {}, {}
        for name, cell in CELLS.items():
            params, state = scenario.params_and_initial_state(name)
            step = cell.step(params, state, x_t)
            exact, numeric = cell.jacobian(params, step), bptt.numeric_jacobian(cell, params, state, x_t)
            errors[name] = np.abs(exact - numeric).max() / (np.abs(exact).max() or 1)
            digit = np.spacing(max(np.abs(part).max() for part in cell.next_state(step)))
            lost[name] = np.abs(exact).max() * 1e-6 < 1e4 * digit
            from_h = [scenario.array(array) for array, made in cell.ARRAYS.items() if made.axes == "kn"]
            moved = 1e-6 * max(np.abs(weights).max() for weights in from_h)
            bends = [z for z, g in cell.activated(params).values() if g is relu]
            bent[name] = any(np.abs(getattr(step, z)).min() < moved for z in bends)
        text = of_gradients.check_meaning(errors, kink_of="ReLU" if choices["g"] == "relu" else "")
        apart = [name for name, error in errors.items() if error >= 1e-3]
        at_kink = placeholders(of_gradients.LOST_OR_KINK, text)
        named = at_kink or placeholders(of_gradients.LOST, text)
        wrong += [(errors, text)] if (named["cells"].split(" and ") if named else []) != apart else []
        wrong += [(errors, text)] if bool(at_kink) != (bool(apart) and scenario.g == "relu") else []
        wrong += [(choices, name, errors) for name in apart if not lost[name] and not bent[name]]
        reasons.add(bool(apart))
    assert wrong == [] and reasons == {True, False}


# ---- saturation ----------------------------------------------------------------------------------------


def part_of_all(sentence: str) -> str:
    """What a sentence on fresh cells says of their units."""
    for part, template in (("none", of_saturation.FRESH_NONE), ("all", of_saturation.FRESH_ALL)):
        if placeholders(template, sentence):
            return part
    return placeholders(of_saturation.FRESH_SOME, sentence)["part"]


def expected_part(sentence: str) -> str:
    """The fraction that a sentence on fresh cells expects of a normal z."""
    templates = (of_saturation.FRESH_NONE, of_saturation.FRESH_ALL, of_saturation.FRESH_SOME)
    return next(found["expected"] for template in templates if (found := placeholders(template, sentence)))


def test_a_share_of_all_is_none_or_all_only_where_it_is():
    wrong = []
    for count in (1, 3, 200, 25_600):
        for share in {0, 1 / count, 1 - 1 / count, 1, *(np.random.default_rng(count).integers(0, count, 50) / count)}:
            text = part_of_all(of_saturation.fresh(share, 0.5, count))
            limits = {"none": (0, 0), "all": (1, 1), "less than 1%": (1e-9, 0.01), "more than 99%": (0.99, 1 - 1e-9)}
            about = re.fullmatch(r"about (\d+)%", text)
            low, high = limits[text] if text in limits else (int(about[1]) / 100 - 0.0051, int(about[1]) / 100 + 0.0051)
            wrong += [(share, text)] if not low <= share <= high or text in ("about 0%", "about 100%") else []
    assert wrong == []
    assert words.percent(0) == "less than 1%" and words.percent(1) == "more than 99%"


def test_the_bounds_of_saturated_outputs_are_right_to_three_decimals():
    z, wrong = np.random.default_rng(2).uniform(-12, 12, 20_000), []
    for g, percent in product(SATURATING.values(), range(1, 51)):
        low, high = map(as_float, words.beyond(g, percent / 100))
        flat = 1 - (2 * g.f(z) - g.low - g.high) ** 2 / (g.high - g.low) ** 2 < percent / 100
        outside = (g.f(z) < low - 0.00051) | (g.f(z) > high + 0.00051)
        inside = (g.f(z) > low + 0.00051) & (g.f(z) < high - 0.00051)
        if not np.all(flat[outside]) or np.any(flat[inside]):
            wrong.append((g.name, percent, low, high))
    assert wrong == []


def test_the_states_that_a_cell_makes_are_where_they_are_said_to_be():
    bounds = {of_saturation.state_range(*ends): ends for ends in ((0, 1), (-1, 1), (0, np.inf), (-np.inf, np.inf))}
    wrong = []
    for choices in sampled(3, 60, k=SIZES[:6]):
        scenario = Scenario(n=choices["k"], **choices)
        for name, cell in CELLS.items():
            chosen = any(joined.g is None for joined in cell.PRE_ACTIVATIONS.values())
            g = ACTIVATIONS[scenario.g] if chosen else tanh
            low, high = bounds[of_saturation.state_range(g.low, g.high)]
            states = np.array([step.h_t for step in jacobians(name, scenario, 5)[1]])
            wrong += [(name, choices)] if not np.all((states >= low) & (states <= high)) else []
    assert wrong == []


def test_what_is_said_of_initial_weights_is_so_at_every_size():
    rng, wrong = np.random.default_rng(4), []
    for m, n, k in [*((size,) * 3 for size in SIZES), *rng.integers(1, 129, (20, 3)).tolist()]:
        std = {init: saturation.normal_std(init, m, n, k, 1.0) for init in ("normal", "glorot", "orthogonal")}
        square = INITIALIZERS["orthogonal"].make(rng, (k, k), 1)
        v = rng.standard_normal((k, 1))
        holds = {
            "below 2 times the scale": std["glorot"] < 2,
            "at most √2 times the scale": std["orthogonal"] < np.sqrt(2) + 1e-9,
            "√2 times at m = n = k": not m == n == k or np.isclose(std["glorot"], np.sqrt(2)),
            "the square root of the fan-in": np.isclose(std["normal"], np.sqrt(n + m)),
            "a square one keeps the norm": np.isclose(np.linalg.norm(square @ v), np.linalg.norm(v)),
        }
        wrong += [(m, n, k, sentence) for sentence, is_so in holds.items() if not is_so]
    for g, scale in product(SATURATING.values(), SCALES):
        fractions = [saturation.fresh_fraction("normal", n, n, 16, scale, g, 0.05, 0) for n in (1, 2, 4, 8, 16, 32, 64)]
        wrong += [(g.name, scale, fractions)] if np.any(np.diff(fractions) < -0.015) else []
    halves = [np.mean(saturation.fresh_z(init, n, n, 16, 0) <= 0) for init in RANDOM for n in (1, 4, 32)]
    wrong += [("half of ReLU's units are inactive", halves)] if np.abs(np.array(halves) - 0.5).max() > 0.05 else []
    assert wrong == []


def test_scaled_up_small_cells_vanish_and_wide_ones_go_on_exploding_and_relu_may_stop_at_once():
    def gain(**choices) -> float:
        scenario = Scenario(n=choices["k"], m=choices["k"], **choices)
        return log_norm(jacobians("RNN", scenario, 20)[0][1:])

    seeds, wrong = range(3), []
    for g, k, init in product(SATURATING, (1, 2, 3, 8), ("glorot", "orthogonal", "normal")):
        gains = [gain(g=g, k=k, init=init, scale=100.0, seed=seed) for seed in seeds]
        wrong += [("vanishes again", g, k, init, gains)] if max(gains) > -10 else []
    for g, scale in (("tanh", 10.0), ("tanh", 50.0), ("sigmoid", 50.0), ("sigmoid", 100.0)):
        gains = [gain(g=g, k=128, init="glorot", scale=scale, seed=seed) for seed in seeds]
        wrong += [("goes on exploding", g, scale, gains)] if np.median(gains) < 1 else []
    for scale, seed in product((0.01, 1.0, 100.0), range(20)):
        scenario = Scenario(n=3, init="normal", g="relu", scale=scale, seed=seed)
        J, steps = jacobians("RNN", scenario, 10)
        cut = any(not step.dg_z_t.any() for step in steps[1:])
        wrong += [("nothing comes back", scale, seed)] if (log_norm(J[1:]) == -np.inf) != cut else []
    assert wrong == []


# ---- the pages -----------------------------------------------------------------------------------------


def linked(path: str, **choices) -> Shown:
    return Shown(open_link(path, **{name: as_text(value) for name, value in choices.items()}))


GRADIENTS = [
    {"k": 1, "g": "relu", "init": "normal", "scale": 1.0, "T": 9, "decimals": 2},
    {"k": 2, "g": "sigmoid", "init": "uniform", "scale": 100.0, "T": 12, "decimals": 4},
    {"k": 4, "g": "tanh", "init": "normal", "scale": 0.1, "T": 2, "decimals": 0, "forget_bias": 10.0},
    {"k": 8, "g": "tanh", "init": "orthogonal", "scale": 2.0, "T": 5, "decimals": 6, "forget_bias": 5.0},
    {"k": 32, "g": "relu", "init": "glorot", "scale": 5.0, "T": 9, "decimals": 1},
    {"k": 128, "g": "tanh", "init": "glorot", "scale": 10.0, "T": 6, "decimals": 2},
]


@pytest.mark.slow
def test_the_gradients_page_says_what_its_cells_do():
    said, wrong = set(), []
    for (seed, choices), turn in product(enumerate(GRADIENTS), (0, 1)):
        chosen = list(CELLS)[(seed + turn) % len(CELLS)]
        choices = choices | {"seed": seed, "cell": chosen, "n": choices["k"]}
        scenario = Scenario(**{name: value for name, value in choices.items() if name != "decimals"})
        shown = linked("gradients", **choices)
        T, decimals = choices["T"], choices["decimals"]
        note = shown.panels[of_gradients.MAPS_TITLE]["note"]
        paths = shown.panels[of_gradients.DIRECT_TITLE]["text"]
        for name, line in zip(CELLS, note.splitlines()):
            J, steps = jacobians(name, scenario, T)
            log = log_norm(J[1:])
            notes = (pattern(note, cell=name, T=T) for note in (of_gradients.MAP_NOTE_RATE, of_gradients.MAP_NOTE))
            in_note = next(found.groupdict() for note in notes if (found := re.fullmatch(note, line)))
            gain, rate = in_note["gain"], in_note.get("rate")
            only_relu = all(g is relu for _, g in CELLS[name].activated(scenario.step_arguments(name)[0]).values())
            zero = "0" if only_relu else "0 in float64"
            wrong += [line] if wrong_gain(gain, log, decimals, zero=zero) else []
            wrong += [line] if (rate is None) != (log == -np.inf or T == 2) else []
            wrong += [line] if rate and wrong_rate(rate, log, T - 1, decimals) else []
            said.add(gain)
            if name == chosen:
                texts = (
                    pattern(text, cell=name, T=T) + "$" for text in (of_gradients.ALONE, of_gradients.NO_DIRECT_PATH)
                )
                in_text = next(found.groupdict() for text in texts if (found := re.search(text, paths)))
                whole, alone = in_text["gain"], in_text.get("alone")
                wrong += [paths] if (alone is None) == hasattr(CELLS[name], "direct_path") else []
                if alone:
                    gates = np.array([CELLS[name].direct_path(step) for step in steps[1:]], np.longdouble)
                    log_gates = np.log10(np.sqrt(np.mean(np.prod(gates, axis=0) ** 2)))
                    wrong += [paths] if wrong_gain(alone, log_gates, decimals, zero="0 in float64") else []
                ((code, norm),) = (
                    (code, found)
                    for code, text in of_gradients.NORM.items()
                    if (found := re.fullmatch(pattern(text), in_text["norm"]))
                )
                wrong += [paths] if whole != gain or wrong_fate(code, log, T - 1) else []
                wrong += [paths] if code == "shrinks" and norm["left"] != f"{10**log:.0%}" else []
                said.add(code)
    assert wrong == []
    assert {"0", "vanishes", "explodes", "kept"} <= said


def test_the_lstm_page_says_how_many_units_are_saturated_and_what_that_does():
    wrong = []
    for choices in sampled(20, 4, threshold=THRESHOLDS, stochastic=(False, True), init=RANDOM):
        shown = linked("lstm", **choices)
        share = choices.pop("threshold") / 100
        scenario = Scenario(**choices)
        _, step = scenario.step("LSTM")
        panel, every_unit = shown.panels["Saturation"], True
        names = ["P(f = 1)", "P(i = 1)", "c̃_t", "P(o = 1)"] if scenario.stochastic else ["f_t", "i_t", "c̃_t", "o_t"]
        for name, z, line in zip(
            [*names, "tanh(c_t)"],
            [step.z_f, step.z_i, step.z_c, step.z_o, step.c_t],
            panel["note"].splitlines()[1:],
            strict=True,
        ):
            g, end = (tanh, "−1") if name in ("c̃_t", "tanh(c_t)") else (sigmoid, "0")
            low, high = int(np.sum(z < g.bounds(share)[0])), int(np.sum(z > g.bounds(share)[1]))
            at_low, at_high, between = (count or gated_step.NONE for count in (low, high, len(z) - low - high))
            counts = {"low": at_low, "high": at_high, "between": between}
            expected = gated_step.COUNT.format(name=name, lower_limit=end, upper_limit="1", **counts)
            wrong += [(line, expected)] if line != expected else []
            every_unit &= name == "tanh(c_t)" or low + high == len(z)
        told = gated_step.ALL_SATURATED in shown.lead
        wrong += [shown.lead] if told != every_unit else []
        forward = of_lstm.FORWARD_SAMPLED if scenario.stochastic else of_lstm.FORWARD
        sentence = forward.partition("{closed}")[0].format(passed=words.beyond(sigmoid, share)[1])
        wrong += [panel["text"]] if sentence not in panel["text"] else []
    assert wrong == []


def test_where_all_gates_are_saturated_the_remedy_helps():
    for link in ({}, {"example": "saturated-cell"}, {"example": "forget-bias-0", "scale": "100", "b": "500"}):
        at = open_link("lstm", threshold="50", **link)
        assert gated_step.ALL_SATURATED in Shown(at).lead
        if of_lstm.RESTART in Shown(at).lead:
            press(at, sidebar.RESTART)
        else:
            assert of_lstm.CHOOSE_EXAMPLE in Shown(at).lead
            choose(at, example="forget-bias-0")
        assert gated_step.ALL_SATURATED not in Shown(at).lead


def wrong_share(text: str, share: float) -> bool:
    """Whether a share in percent is not the one that a large sample has."""
    about = re.fullmatch(r"about (\d+)%", text)
    middle = int(about[1]) / 100 if about else None
    low, high = {"less than 1%": (0, 0.01), "more than 99%": (0.99, 1)}.get(text) or (middle - 0.005, middle + 0.005)
    return not low - 0.005 <= share <= high + 0.005


def test_the_saturation_page_says_how_many_units_are_saturated():
    wrong = []
    sample = sampled(30, len(SOURCES), threshold=THRESHOLDS, g=list(SATURATING), n=(1, 3, 9), init=RANDOM)
    for source, choices in zip(SOURCES, sample, strict=True):
        at = open_link("saturation", source=source, **{name: as_text(value) for name, value in choices.items()})
        shown, share, k = Shown(at), choices.pop("threshold") / 100, choices["k"]
        scenario = Scenario(**choices)
        joined = SOURCES[source]
        g = joined.g or ACTIVATIONS[scenario.g]
        low, high = g.bounds(share)

        z = scenario.pre_activation(source, scenario.samples(64)).z(scenario.scale)
        flat = (z < low) | (z > high)
        every, never = int(flat.all(axis=1).sum()), int((~flat).all(axis=1).sum())
        many = shown.panels[of_saturation.MANY_TITLE]
        note = of_saturation.many_count(64, every, k - every - never, k, saturates=True)
        wrong += [many["note"]] if many["note"] != note else []
        state = of_saturation.state_range(*((0, 1) if joined.g is None and g is sigmoid else (-1, 1)))
        wrong += [many["text"]] if state not in many["text"] else []

        sizes = [min(size, 64) for size in (scenario.m, scenario.n, k)]
        fresh = scenario.scale * saturation.fresh_z("normal", *sizes, scenario.seed)
        normal = np.random.default_rng(5).normal(0, scenario.scale * np.sqrt(sum(sizes[:2])), 200_000)
        told = next(markdown.value for markdown in at.markdown if of_saturation.FAN_IN in markdown.value)
        would = expected_part(told)
        counted = part_of_all(of_saturation.fresh(np.mean((fresh < low) | (fresh > high)), 0.5, 100))
        wrong += [told] if part_of_all(told) != counted else []
        wrong += [told] if wrong_share(would, np.mean((normal < low) | (normal > high))) else []
    assert wrong == []


@pytest.mark.parametrize("name", CELLS)
def test_the_sequence_page_outlines_and_counts_what_is_saturated(name):
    (choices,) = sampled(40, 1, k=(8,), threshold=(20,), T=(9,))
    shown = linked("sequence", **choices, n=choices["k"], cell=name)
    saturates = name != "RNN" or choices["g"] in SATURATING
    lead = of_sequence.outlined(choices["threshold"] / 100, saturates=saturates)
    assert sum(lead in panel["text"] for panel in shown.panels.values()) == 1
    assert "hardly" not in shown.panels[of_sequence.TIME_TITLE]["text"]
    for block in shown.picture["blocks"]:
        if block["outlined"]:
            line = next(
                line
                for panel in shown.panels.values()
                for line in panel["note"].splitlines()
                if line.startswith(f"{block['symbol']}: ")
            )
            count = outlined(block).sum()
            assert line.startswith(f"{block['symbol']}: {count:g} of {entries(block).size} (")


@pytest.mark.parametrize(("k", "text"), [(1, hidden_state.MULTIPLY.one), (2, hidden_state.MULTIPLY.other.format(k=2))])
def test_the_text_on_a_product_counts_the_entries_of_h(k, text):
    assert hidden_state.multiply(k, equal=True).startswith(text)


@pytest.mark.parametrize(
    ("count", "k", "counted"),
    [(0, 1, "0 of 1 unit is"), (1, 1, "1 of 1 unit is"), (1, 3, "1 of 3 units is"), (0, 3, "0 of 3 units are")],
)
@pytest.mark.parametrize(("saturates", "flat"), [(True, "saturated"), (False, "inactive")])
def test_a_count_of_units_agrees_with_its_verb(count, k, counted, saturates, flat):
    sentences = [
        hidden_state.flat_units(count, k, saturates=saturates),
        of_saturation.at_scale(count, 0, k, saturates=saturates),
    ]
    assert all(sentence.startswith(f"{counted} {flat}") for sentence in sentences)
    over_many = of_saturation.many_count(64, count, 0, k, saturates=saturates)
    assert over_many.startswith(f"Over 64 inputs, {counted} always {flat}")


def test_a_swapped_stack_is_said_to_change_nothing_only_where_it_does_not():
    said = set()
    for link in (
        {},
        {"init": "normal"},
        {"w_hh": "1", "w_hx": "1"},
        {"x": "1"},
        {"h": "0", "x": "0"},
        {"w_hh": "1", "w_hx": "1.000001"},
        {"init": "glorot", "m": "128", "n": "64", "k": "128"},
    ):
        shown = Shown(open_link(unmatched="true", **link))
        right, wrong = shown["their sum"], shown["W_h[x; h]"]
        text = shown.panels[hidden_state.MULTIPLY_TITLE]["text"]
        swapped = np.concatenate([shown["x_t"], shown["h_{t−1}"]])
        same = np.array_equal(swapped, np.concatenate([shown["h_{t−1}"], shown["x_t"]]))
        close = bool(np.allclose(right, wrong))
        sentence = hidden_state.SAME_STACK if same else hidden_state.CLOSE if close else hidden_state.ONLY_RESULT
        assert sentence in text, link
        said.add(sentence)
    assert len(said) == 3


@pytest.mark.parametrize("source", [source for source, known in SOURCES.items() if known.g])
@pytest.mark.parametrize("cell", CELLS)
def test_past_a_gate_the_direct_path_of_its_cell_is_named(source, cell):
    text = of_saturation.through_gate(source, cell)
    expected = [PAST_GATE[cell]] if hasattr(CELLS[cell], "direct_path") else []
    assert [path for path in PAST_GATE.values() if path in text] == expected


@pytest.mark.parametrize(
    ("fraction", "decimals", "said"),
    [
        (0.0707, 2, "7%"),
        (0.0707, 3, "7.1%"),
        (0.0707, 0, "7%"),
        (0, 2, "0%"),
        (1e-51, 2, "less than 1%"),
        (1e-51, 4, "less than 0.01%"),
        (0.9999, 2, "more than 99%"),
        (0.99999, 4, "more than 99.99%"),
        (1, 2, "100%"),
        (1, 4, "100%"),
    ],
)
def test_a_relative_derivative_is_0_percent_or_100_percent_only_if_it_is_0_or_1(fraction, decimals, said):
    assert words.relative(fraction, decimals) == said
