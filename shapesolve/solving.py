"""The size language on its own: prove claims and find counterexamples without any MLIR."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from shapesolve.language.formulas import Formula
from shapesolve.language.parsing import Scope, parse_formula
from shapesolve.walking.obligations import Fact, Source

if TYPE_CHECKING:
    from shapesolve.proving.detail import Detail
    from shapesolve.proving.verdicts import Sizes, Verdict
    from shapesolve.proving.z3_solver import Z3Solver

Claim = Formula | str
"""A formula, or its text, in which every unknown name is a size."""


def prove(goal: Claim, assuming: Iterable[Claim] = (), *, budget: int | None = None) -> Verdict:
    """Decide whether a claim holds for all sizes that satisfy the assumptions.

    Returns `Proved`, `Refuted` (with the smallest sizes that make it false), `Undecided` (with the reason) or
    `Unreachable` (the assumptions contradict each other). Raises `InputError` for text that is not of the language.
    ``budget`` counts solver steps a query.
    """
    from shapesolve.proving.detail import Detail

    return _judged(goal, assuming, budget, Detail.SIZES)


def follows(goal: Claim, assuming: Iterable[Claim] = (), *, budget: int | None = None) -> bool:
    """Whether `prove` proves a claim; where it does not, no time is spent on sizes that nobody will see."""
    from shapesolve.proving.detail import Detail
    from shapesolve.proving.verdicts import Proved

    return isinstance(_judged(goal, assuming, budget, Detail.PROOF), Proved)


def _judged(goal: Claim, assuming: Iterable[Claim], budget: int | None, detail: Detail) -> Verdict:
    from shapesolve.proving.limits import DEFAULT_BUDGET
    from shapesolve.proving.prover import Prover

    scope = Scope.free()
    facts = [_formula(each, scope) for each in assuming]
    claim = _formula(goal, scope)
    variables = sorted(claim.variables.union(*(fact.variables for fact in facts)), key=lambda each: each.text)
    prover = Prover(_solver(), inputs=variables, budget=DEFAULT_BUDGET if budget is None else budget)
    for fact in facts:
        prover.assume(Fact(fact, Source.ASSUMPTION, str(fact)))
    return prover.judge(claim, detail=detail)


def counterexample(goal: Claim, assuming: Iterable[Claim] = (), *, budget: int | None = None) -> Sizes | None:
    """The smallest sizes that satisfy the assumptions and make the claim false, or None where none were found.

    None is not a proof: ask `prove` for one.
    """
    from shapesolve.proving.verdicts import Refuted

    verdict = prove(goal, assuming, budget=budget)
    return verdict.sizes if isinstance(verdict, Refuted) else None


@cache
def _solver() -> Z3Solver:
    """One solver for all questions of a process: starting one costs more than most questions."""
    from shapesolve.proving.z3_solver import Z3Solver

    return Z3Solver()


def _formula(claim: Claim, scope: Scope) -> Formula:
    return parse_formula(claim, scope) if isinstance(claim, str) else claim
