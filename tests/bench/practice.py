"""The exercises of every kind and level: whether each mistake is named, and how long a draw takes.

    python -m tests.bench.practice [seeds]

`named`: the share of mistakes whose answer gets exactly the names of those that give it; `right`: of true answers that are right and get
none; both must be 100 %. `wrong`: of random numbers as far around as the answers are, how many get a name, beside how
many must, since each mistake covers twice the tolerance. `ms`: the median for a draw; `answers`: different ones.
"""

import statistics
import sys
import time

import numpy as np

from core.practice import KINDS, LEVELS, Exercise, Judgement, Outcome, exercise, judge
from core.practice.exercise import fits

WRONG = 10


def around(made: Exercise, rng: np.random.Generator) -> tuple[list[float] | list[tuple[int, ...]], float]:
    """Random answers in a range a little wider than that of the known ones, and the share that the mistakes cover."""
    known = np.array([made.answer, *made.mistakes.values()], dtype=float)
    low, high = known.min(axis=0) - 1, known.max(axis=0) + 1
    if known.ndim > 1:
        drawn = rng.integers(low.astype(int), high.astype(int), (WRONG, len(low)), endpoint=True)
        return list(map(tuple, drawn.tolist())), len(made.mistakes) / float(np.prod(high - low + 1))
    return rng.uniform(low, high, WRONG).tolist(), len(made.mistakes) * 2 * made.tolerance / float(high - low)


def named_by(made: Exercise, gives: object) -> Judgement:
    """The verdict on what a mistake gives: its name, and that of a mistake that may give the same."""
    return Judgement(
        Outcome.NAMED, tuple(name for name, other in made.mistakes.items() if fits(gives, other, made.tolerance))
    )


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("kind        level   mistakes   named   right   wrong  covered      ms  answers")
    for kind in KINDS:
        for level in LEVELS:
            rng = np.random.default_rng(0)
            mistakes = named = right = wrong = 0
            covered, times, answers = 0.0, [], set()
            for seed in range(seeds):
                start = time.perf_counter()
                made = exercise(kind, level, seed)
                times.append(time.perf_counter() - start)
                answers.add(made.answer)
                mistakes += len(made.mistakes)
                named += sum(judge(made, gives) == named_by(made, gives) for gives in made.mistakes.values())
                right += judge(made, made.answer) == Judgement(Outcome.RIGHT)
                random, share = around(made, rng)
                wrong += sum(bool(judge(made, answer).mistakes) for answer in random)
                covered += share
            print(
                f"{kind:11} {level:5} {mistakes / seeds:7.1f} {named / mistakes:7.1%} {right / seeds:7.1%} "
                f"{wrong / seeds / WRONG:7.2%} {covered / seeds:8.2%} {1000 * statistics.median(times):7.2f} {len(answers):8}"
            )


if __name__ == "__main__":
    main()
