"""The lines that a page draws after an answer come to that answer."""

import numpy as np
import pytest

from core.practice import KINDS, LEVELS, exercise
from core.practice.solution_lines import SOLUTION_LINES, solution_lines
from core.practice.whole_step import judge_whole_step, sample_whole_step
from core.practice.whole_step_lines import entries_behind, whole_step_lines

SEEDS = 60


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_lines_come_to_the_answer_and_those_of_a_mistake_to_what_it_gives(kind, level):
    drawn = 0
    for seed in range(SEEDS):
        one = exercise(kind, level, seed)
        lines = solution_lines(one)
        assert bool(lines) == (kind in SOLUTION_LINES)
        if lines:
            assert lines[-1].gives == pytest.approx(one.answer, abs=1e-9)
        for mistake, gives in one.mistakes.items():
            if found := solution_lines(one, mistake):
                drawn += 1
                assert found[-1].gives == pytest.approx(gives, abs=1e-9), (seed, mistake)
                assert found != lines, (seed, mistake)
    assert bool(drawn) == (kind in SOLUTION_LINES)


@pytest.mark.parametrize("level", LEVELS)
def test_the_line_of_an_entry_of_a_whole_step_comes_to_it_and_that_of_a_mistake_to_what_it_gives(level):
    drawn = set()
    for seed in range(SEEDS):
        step = sample_whole_step(level, seed)
        for name, part in step.parts.items():
            (right,) = whole_step_lines(step, name, {})
            assert right.gives == pytest.approx(part.answer, abs=1e-9)
            for mistake, gives in part.mistakes.items():
                for line in whole_step_lines(step, name, {}, mistake):
                    assert line.gives == pytest.approx(gives, abs=1e-9), (seed, name, mistake)
                    drawn.add(mistake.partition(":")[0])
    assert drawn >= {"no_bias", "other_gate", "product_sign", "no_forget", "no_tanh", "stack_swapped"}


def test_the_later_entries_are_computed_from_the_learners_own_earlier_ones():
    step = sample_whole_step(2, 3)
    own = {"f_t": 0.5, "i_t": 0.25, "c_tilde": -0.5, "o_t": 0.75, "c_t": 0.125}
    (c_line,), (h_line,) = (whole_step_lines(step, name, own) for name in ("c_t", "h_t"))
    assert c_line.gives == pytest.approx(0.5 * step.given["c_prev"][0, 0] - 0.125)
    assert h_line.gives == pytest.approx(0.75 * np.tanh(0.125))


@pytest.mark.parametrize("level", LEVELS)
def test_the_line_of_a_judged_entry_comes_to_what_was_typed_whichever_entries_it_is_computed_from(level):
    drawn = 0
    for seed in range(SEEDS):
        step = sample_whole_step(level, seed)
        rng = np.random.default_rng(seed)
        true = {name: part.answer for name, part in step.parts.items()}
        # Some entries are those of a mistake, and others the true ones in spite of it.
        wrong = {name: rng.choice([*part.mistakes.values()]) for name, part in step.parts.items()}
        entries = {name: (wrong if rng.integers(2) else true)[name] for name in step.parts}
        for name, judgement in judge_whole_step(step, entries).items():
            mistake = judgement.mistakes[0] if judgement.mistakes else ""
            if judgement.right or mistake:
                for line in whole_step_lines(step, name, entries_behind(step, name, entries, mistake), mistake):
                    drawn += 1
                    assert line.gives == pytest.approx(entries[name], abs=step.parts[name].near), (seed, name, mistake)
    assert drawn > SEEDS


def test_the_row_stands_over_the_stacked_input():
    one = exercise("z", 1, 3)
    row = one.asked.row
    of_h, of_x, bias = solution_lines(one)[0].terms
    assert (of_h.upper, of_h.lower) == (tuple(one.given["W_hh"][row]), tuple(one.given["h_prev"][:, 0]))
    assert (of_x.upper, of_x.lower) == (tuple(one.given["W_hx"][row]), tuple(one.given["x_t"][:, 0]))
    assert bias.upper == (one.given["b_h"][row, 0],)
    assert [term.above for term in solution_lines(one, "no_bias")[0].terms] == ["W_hh", "W_hx"]


@pytest.mark.parametrize("mistake", ["other_bias", "x_for_h"])
def test_a_row_with_another_bias_or_with_x_in_the_place_of_h_has_a_line(mistake):
    made = (exercise("z", 1, seed) for seed in range(SEEDS))
    found = [solution_lines(one, name) for one in made for name in one.mistakes if name.partition(":")[0] == mistake]
    assert found and all(found)
