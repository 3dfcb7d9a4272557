"""Counts and times of questions about sizes that are answered right: ``python benchmarks/queries.py [family ...]``.

``--verdicts [SEED]`` prints the verdict of `shapesolve.prove` on every question instead, asked in an order that the
seed shuffles: whatever the order and however busy the machine, the lines are the same.

Contenders: `shapesolve.prove` (a new prover for every question), the z3 adapter alone, and z3 as anybody would call
it: a fresh solver for each question, z3's own division, two seconds.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from time import perf_counter
from typing import Any

import z3
from queries_by_plain_z3 import PlainZ3
from query_families import questions
from questions import Question
from shuffled import print_shuffled

from shapesolve.solver.entailment import prove
from shapesolve.solver.verdicts import Proved, Refuted, Satisfiable, Undecided, Unreachable, Unsatisfiable
from shapesolve.solver.z3.adapter import Z3Solver
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formulas import negation

BUDGET = 2_000_000

Sizes = Mapping[Variable, Any]
Opinion = str | Sizes | None
"""Answer of a contender: "valid", "contradictory", sizes that falsify the goal, or None for unknown."""


@dataclass(slots=True)
class Score:
    """Counts of answers and the seconds they took."""

    right: int = 0
    wrong: int = 0
    undecided: int = 0
    seconds: float = 0.0

    def plus(self, other: Score) -> Score:
        """Return the sum of two scores."""
        return Score(
            self.right + other.right,
            self.wrong + other.wrong,
            self.undecided + other.undecided,
            self.seconds + other.seconds,
        )

    def __str__(self) -> str:
        return f"{self.right:5} {self.wrong:5} {self.undecided:5} {self.seconds:8.2f} s"


def by_prover(question: Question) -> Opinion:
    """Ask the whole prover: normal forms, propagator, z3, and shrinking."""
    match prove(question.goal, question.facts, budget=BUDGET):
        case Proved():
            return "valid"
        case Unreachable():
            return "contradictory"
        case Refuted(sizes=sizes):
            return sizes
        case _:
            return None


class BySolver:
    """The z3 adapter alone; one adapter for all questions."""

    def __init__(self) -> None:
        self._solver = Z3Solver()

    def __call__(self, question: Question) -> Opinion:
        query = [(0, negation(question.goal)), *enumerate(question.facts, 1)]
        match self._solver.check(query, name=question.name, budget=BUDGET):
            case Unsatisfiable():
                return "valid"
            case Satisfiable(model=model):
                return model
            case _:
                return None


def verify(question: Question) -> None:
    """Raise AssertionError where a question contradicts plain evaluation on its witness or on small sizes."""
    variables = sorted(
        frozenset[Variable]().union(question.goal.variables, *(fact.variables for fact in question.facts)),
        key=lambda variable: variable.name,
    )
    if question.truth == "invalid":
        named = dict(question.witness)
        assert breaks({variable: named[variable.name] for variable in variables}, question), question.name
        return
    most = {1: 150, 2: 13, 3: 6, 4: 4}.get(len(variables), 2)
    for sizes in product(range(most), repeat=len(variables)):
        assert not breaks(dict(zip(variables, sizes, strict=True)), question), (question.name, sizes)


def breaks(sizes: Sizes, question: Question) -> bool:
    """Return whether the sizes satisfy the facts and not the goal."""
    return all(holds(fact, sizes) for fact in question.facts) and not holds(question.goal, sizes)


def judged(question: Question, opinion: Opinion) -> Score:
    """Return the score of one answer; sizes count only if they falsify the goal."""
    if opinion is None:
        return Score(undecided=1)
    if isinstance(opinion, str):
        # Whoever does not look whether facts contradict each other may call anything valid that follows from them.
        right = question.truth != "invalid" if opinion == "valid" else question.truth == "contradictory"
    else:
        complete = {**{v: 0 for fact in (*question.facts, question.goal) for v in fact.variables}, **opinion}
        right = question.truth == "invalid" and breaks(complete, question)
    return Score(right=1) if right else Score(wrong=1)


def measure(asked: Sequence[Question], contender: Callable[[Question], Opinion]) -> dict[str, Score]:
    """Scores by family."""
    scores: dict[str, Score] = defaultdict(Score)
    for question in asked:
        start = perf_counter()
        opinion = contender(question)
        seconds = perf_counter() - start
        score = judged(question, opinion)
        if not score.right:
            print(f"  {question.name}: {'wrong' if score.wrong else 'undecided'}: {question.goal}", file=sys.stderr)
        score.seconds = seconds
        scores[question.family] = scores[question.family].plus(score)
    return scores


def verdict_line(question: Question) -> str:
    """Return the verdict in words, sizes included."""
    verdict = prove(question.goal, question.facts, budget=BUDGET)
    answer = verdict.word
    if isinstance(verdict, Refuted):
        answer += f" {dict(sorted((str(v), size) for v, size in verdict.sizes.items()))}"
    elif isinstance(verdict, Undecided):
        answer += f" {verdict.reason_kind.name}"
    return f"{question.family}/{question.name}: {answer}"


def main(families: Sequence[str]) -> None:
    """Print the table for some families, or for all."""
    asked = [question for question in questions() if not families or question.family in families]
    for question in asked:
        verify(question)
    contenders: dict[str, Callable[[Question], Opinion]] = {
        "shapesolve.prove": by_prover,
        "the z3 adapter alone": BySolver(),
        f"plain z3 {z3.get_version_string()}": PlainZ3(),
    }
    names = list(dict.fromkeys(question.family for question in asked))
    print(f"{len(asked)} questions about sizes: right, wrong, undecided, time")
    for title, contender in contenders.items():
        print(title)
        scores = measure(asked, contender)
        for name in names:
            print(f"    {name:24} {scores[name]}")
        total = Score()
        for score in scores.values():
            total = total.plus(score)
        print(f"    {'all':24} {total}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--verdicts"]:
        print_shuffled(list(questions()), int(sys.argv[2]) if len(sys.argv) > 2 else 0, verdict_line)
    else:
        main(sys.argv[1:])
