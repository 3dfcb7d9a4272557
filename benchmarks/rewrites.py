"""Rewrites in the manner of XLA's algebraic simplifier, each proved for all sizes, its elements included.

python benchmarks/rewrites.py [--family NAME] [--rule TEXT] [--no-mutants] [--print] [--markdown]

For each rule, the program after is compared with the one before at every rank that it is stated for. A mutant lacks one
precondition, or is a wrong program that resembles the right one: it must be refuted, and runs must show it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rewrite_rules import Rewrite
from rewrites_of_moves import MOVES
from rewrites_of_scalars import SCALARS
from rewrites_of_shapes import SHAPES

from shapesolve.ir.reader import read_text
from shapesolve.options import Options
from shapesolve.refinement.outcome import Refinement
from shapesolve.refinement.refine import refine_programs
from shapesolve.solver.verdicts import VerdictKind

RULES: tuple[Rewrite, ...] = (*MOVES, *SHAPES, *SCALARS)


@dataclass(frozen=True)
class Result:
    """The verdicts on one rule.

    Attributes:
        sizes, elements: The verdicts on sizes and checks, and on the elements: the worst of all ranks.
        instances: The number of ranks.
        mutants, refuted: The number of mutants, and of those that are refuted by a run.
        why: Why something is not proved, or a mutant not refuted.
        from_size: The sizes from which on it holds, if it does not for all.
    """

    rule: Rewrite
    sizes: str
    elements: str
    instances: int
    seconds: float
    mutants: int
    refuted: int
    why: str


def compared(pair: tuple[str, str], requires: Iterable[str]) -> Refinement:
    """Return whether one program refines the other."""
    source, target = (read_text(each) for each in pair)
    (found,) = refine_programs(source, target, Options(assumptions=tuple(requires)))
    return found


def verdicts(found: Refinement) -> tuple[str, str, str]:
    """Return the verdicts on sizes and checks and on elements, and why one is not proved."""
    if not found.source_returns or found.without_arguments:
        return "vacuous", "vacuous", "there is no input that it admits"
    if found.word is VerdictKind.REFUTED:
        finding = found.refuted[0]
        words = finding.executed.words if finding.executed is not None else finding.question
        return ("proved", "refuted", words) if finding.of_elements else ("refuted", "not asked", words)
    if found.word is not VerdictKind.PROVED:
        return "undecided", "not asked", found.undecided[0].question
    if found.identical or not found.omissions:
        return "proved", "proved", ""
    return "proved", "undecided", "; ".join(str(each.reason) or each.words for each in found.omissions)


WORST = ("refuted", "vacuous", "undecided", "not asked", "proved")


def judged(rule: Rewrite, *, with_mutants: bool) -> Result:
    """Return the verdicts on a rule at all ranks, and on its mutants at the least rank where they are refuted."""
    started = time.process_time()
    found = [verdicts(compared(rule.pair(each), rule.requires)) for each in rule.instances]
    seconds = time.process_time() - started
    sizes, elements = (min((each[place] for each in found), key=WORST.index) for place in (0, 1))
    reasons = [each[2] for each in found if each[2]]
    mutants = 0
    refuted = 0
    if with_mutants:
        for dropped in range(len(rule.requires)):
            mutants += 1
            left = [each for place, each in enumerate(rule.requires) if place != dropped]
            is_refuted = any(_is_shown(compared(rule.pair(each), left)) for each in rule.instances)
            refuted += is_refuted
            reasons += [] if is_refuted else [f"without {rule.requires[dropped]} it is not refuted"]
        if rule.wrong is not None:
            mutants += 1
            pairs = [rule.pair(each, rule.wrong) for each in rule.instances]
            is_refuted = any(_is_shown(compared(each, rule.requires)) for each in pairs)
            refuted += is_refuted
            reasons += [] if is_refuted else ["the wrong program is not refuted"]
    return Result(rule, sizes, elements, len(found), seconds, mutants, refuted, "; ".join(dict.fromkeys(reasons)))


def _is_shown(found: Refinement) -> bool:
    """Return whether a pair is refuted, and a run shows it."""
    return any(each.executed is not None for each in found.refuted)


def totals(results: Sequence[Result]) -> list[str]:
    """Return what was found, in lines."""
    counted = Counter(each.elements for each in results if not each.rule.ideal)
    words = ", ".join(f"{counted[each]} {each}" for each in reversed(WORST) if counted[each])
    ideal = [each for each in results if each.rule.ideal]
    seconds = sorted(each.seconds / each.instances for each in results)
    lines = [
        f"{len(results) - len(ideal)} rules, {sum(each.instances for each in results)} pairs: {words}",
        f"{sum(each.refuted for each in results)} of {sum(each.mutants for each in results)} mutants refuted by a run",
        f"seconds for a pair: {seconds[len(seconds) // 2]:.2f} in the middle, {seconds[-1]:.2f} at most",
    ]
    if ideal:
        wrong = Counter(each.elements for each in ideal)
        row = ", ".join(f"{number} {word}" for word, number in wrong.items())
        lines.append(f"{len(ideal)} rules that are right over the reals only: {row}")
    return lines


def main() -> int:
    """Print the table; return 1 if a verdict is wrong."""
    parser = argparse.ArgumentParser(description="Prove rewrites of StableHLO, and refute their mutants.")
    parser.add_argument("--family", help="only rules of this family")
    parser.add_argument("--rule", default="", help="only rules whose name contains this text")
    parser.add_argument("--no-mutants", action="store_true", help="leave out the mutants")
    parser.add_argument("--print", action="store_true", help="print the programs")
    parser.add_argument("--markdown", action="store_true", help="print the families as a table of Markdown")
    options = parser.parse_args()
    chosen = [each for each in RULES if options.family in (None, each.family) and options.rule in each.name]
    results: list[Result] = []
    for rule in chosen:
        if options.print:
            for arguments in rule.instances:
                print(f"// {rule.name}: {arguments}", *rule.pair(arguments), sep="\n")
        result = judged(rule, with_mutants=not options.no_mutants)
        results.append(result)
        if not options.markdown:
            print(line(result), flush=True)
    print(*(table(results) if options.markdown else ()), *totals(results), sep="\n")
    return int(any(map(is_wrong, results)))


def is_wrong(result: Result) -> bool:
    """Return whether a rule that is right is refuted, or one that is right over the reals only is proved."""
    if result.rule.ideal:
        return result.elements == "proved"
    return "refuted" in (result.sizes, result.elements)


def line(result: Result) -> str:
    """Return the verdicts on a rule in a line."""
    rule = result.rule
    note = "right over the reals only" if rule.ideal else ""
    row = f"{rule.family:<14} {rule.name:<58} {result.sizes:<9} {result.elements:<10} {result.seconds:6.2f} s "
    return f"{row} {result.refuted}/{result.mutants}  {'; '.join(each for each in (note, result.why) if each)}".rstrip()


def table(results: Sequence[Result]) -> list[str]:
    """Return the verdicts on families as a table of Markdown."""
    lines = [
        "| family | rules | pairs | proved | undecided | right over the reals only | mutants refuted | seconds |",
        "| --- | --: | --: | --: | --: | --: | --: | --: |",
    ]
    for family in dict.fromkeys(each.rule.family for each in results):
        own = [each for each in results if each.rule.family == family]
        ordinary = [each for each in own if not each.rule.ideal]
        proved = sum(each.elements == "proved" for each in ordinary)
        numbers = (
            len(own),
            sum(each.instances for each in own),
            proved,
            len(ordinary) - proved,
            len(own) - len(ordinary),
            f"{sum(each.refuted for each in own)} of {sum(each.mutants for each in own)}",
            f"{sum(each.seconds for each in own):.1f}",
        )
        lines.append(f"| {family} | {' | '.join(map(str, numbers))} |")
    return lines


if __name__ == "__main__":
    sys.exit(main())
