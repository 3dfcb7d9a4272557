"""Questions in the style of other tools, put to us and to other engines: ``python benchmarks/questions_of_others.py``.

Options: ``--seed N`` for other questions of the same kinds (`1` unless said otherwise), ``--ours`` to ask nobody else,
``--slowest N`` to name the questions that took us longest, ``--verdicts`` to print what we say in an order that the
seed shuffles.

The right answers do not come from us: a question is an instance of a law, or a law with something changed that a grid
of sizes refutes, or it is about sizes in a box that was tried out. Each engine is asked one question after the other in
one process, and answers with sizes are evaluated. Seconds are those of the processor.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time

from other_engines import Answer, NotOfferedError, by_sympy, plain_cvc5, plain_z3
from plain_terms import Words, in_python, names
from questions_from_laws import PlainQuestion
from shuffled import print_shuffled
from styles_of_others import questions

from shapesolve.solver.entailment import prove
from shapesolve.solver.verdicts import Proved, Refuted, Unreachable, Verdict
from shapesolve.statistics import measuring
from shapesolve.symbolic.dims import dim, variable
from shapesolve.symbolic.formula_kinds import Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, less_than, unequal
from shapesolve.symbolic.normal_forms import broadcast_extent, choose, maximum, minimum

Engine = Callable[[PlainQuestion], Answer]


@dataclass(slots=True)
class Score:
    """Counts of answers and the seconds they took; ``alone``: how many needed no solver."""

    right: int = 0
    wrong: int = 0
    undecided: int = 0
    not_offered: int = 0
    alone: int = 0
    seconds: float = 0.0

    def add(self, other: Score) -> None:
        """Count another one in."""
        self.right += other.right
        self.wrong += other.wrong
        self.undecided += other.undecided
        self.not_offered += other.not_offered
        self.alone += other.alone
        self.seconds += other.seconds

    def __str__(self) -> str:
        more = f"   {self.not_offered} not put to it" if self.not_offered else ""
        more += f"   {self.alone} without a solver" if self.alone else ""
        return f"{self.right:5} {self.wrong:5} {self.undecided:5} {self.seconds:8.2f} s{more}"


# Ours ------------------------------------------------------------------------------------------------------------

OURS = Words(
    dim,
    variable,
    {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "//": lambda a, b: a // b,
        "%": lambda a, b: a % b,
        "==": equal,
        "!=": unequal,
        "<=": lambda a, b: at_least(b, a),
        "<": less_than,
        "min": minimum,
        "max": maximum,
        "broadcast": broadcast_extent,
    },
    choose,
    conjunction,
    disjunction,
)


def verdict_on(question: PlainQuestion) -> Verdict:
    """Our verdict, from the question on: making our terms of it counts as well."""
    facts: list[Formula] = [OURS.say(fact) for fact in question.facts]
    return prove(OURS.say(question.goal), facts)


class Ours:
    """`shapesolve.prove`; counts which questions never reach a solver."""

    def __init__(self) -> None:
        self.alone = False

    def __call__(self, question: PlainQuestion) -> Answer:
        """A new prover for every question."""
        with measuring() as statistics:
            verdict = verdict_on(question)
        self.alone = not statistics.queries
        match verdict:
            case Proved() | Unreachable():
                return "valid" if isinstance(verdict, Proved) else "contradictory"
            case Refuted(sizes=sizes):
                return {each.name: size for each, size in sizes.items() if isinstance(size, int)}
            case _:
                return None


# Scores ----------------------------------------------------------------------------------------------------------


def judged(question: PlainQuestion, answer: Answer, *, tells_contradictions: bool) -> Score:
    """Return the score of one answer; "valid" counts for contradictory facts, unless the engine detects these."""
    if answer is None:
        return Score(undecided=1)
    if isinstance(answer, str):
        right = question.truth == answer or (not tells_contradictions and question.truth == "contradictory")
    else:
        words = in_python({**dict.fromkeys(names(question.goal, *question.facts), 0), **answer})
        breaks = all(words.say(fact) for fact in question.facts) and not words.say(question.goal)
        right = question.truth == "invalid" and breaks and all(size >= 0 for size in answer.values())
    return Score(right=1) if right else Score(wrong=1)


def measure(title: str, asked: Sequence[PlainQuestion], engine: Engine) -> tuple[dict[str, Score], list[float]]:
    """Scores by style, and the seconds of each question."""
    scores: dict[str, Score] = defaultdict(Score)
    seconds: list[float] = []
    for question in asked:
        start = process_time()
        try:
            answer = engine(question)
        except NotOfferedError:
            scores[question.family].add(Score(not_offered=1))
            seconds.append(0.0)
            continue
        seconds.append(process_time() - start)
        score = judged(question, answer, tells_contradictions=isinstance(engine, Ours))
        if not score.right and (isinstance(engine, Ours) or score.wrong):
            word = "wrong" if score.wrong else "undecided"
            print(f"  {title}: {question.name}: {word} ({question.truth}): {question}", file=sys.stderr)
        score.seconds = seconds[-1]
        score.alone = int(isinstance(engine, Ours) and engine.alone)
        scores[question.family].add(score)
    return scores, seconds


def print_scores(title: str, scores: Mapping[str, Score]) -> Score:
    """The lines of one engine; its sum."""
    print(title)
    total = Score()
    for name, score in scores.items():
        print(f"    {name:24} {score}")
        total.add(score)
    print(f"    {'all':24} {total}", flush=True)
    return total


def verdict_line(question: PlainQuestion) -> str:
    """Return the verdict in words, sizes included."""
    verdict = verdict_on(question)
    sizes = sorted((each.name, size) for each, size in verdict.sizes.items()) if isinstance(verdict, Refuted) else ""
    return f"{question.name}: {verdict.word} {sizes}"


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description="questions in the style of other tools")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ours", action="store_true")
    parser.add_argument("--slowest", type=int, default=0)
    parser.add_argument("--verdicts", type=int, metavar="ORDER")
    chosen = parser.parse_args()
    asked = questions(chosen.seed)
    if chosen.verdicts is not None:
        print_shuffled(asked, chosen.verdicts, verdict_line)
        return
    engines: dict[str, Engine] = {"shapesolve.prove": Ours()}
    if not chosen.ours:
        engines |= {"plain z3": plain_z3(), "plain cvc5": plain_cvc5(), "sympy": by_sympy}
    print(f"{len(asked)} questions of seed {chosen.seed}: right, wrong, undecided, seconds")
    totals: dict[str, Score] = {}
    for title, engine in engines.items():
        scores, seconds = measure(title, asked, engine)
        totals[title] = print_scores(title, scores)
        if isinstance(engine, Ours):
            for index in sorted(range(len(asked)), key=lambda each: -seconds[each])[: chosen.slowest]:
                print(f"      {seconds[index]:.3f} s {asked[index].name} ({asked[index].truth}): {asked[index]}")
    ours = totals["shapesolve.prove"].seconds
    print("seconds, as multiples of ours:", ", ".join(f"{k} {v.seconds / ours:.1f}" for k, v in totals.items()))


if __name__ == "__main__":
    main()
