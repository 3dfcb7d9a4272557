"""Alternatives to a counterexample: sizes that it does not depend on, and smaller ones that fail as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from shapesolve.solver.models import CachingModel, Model, in_bounds
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import NOTHING
from shapesolve.solver.verdicts import Satisfiable, Solver, Unsatisfiable
from shapesolve.statistics import stage
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.evaluation import Sizes, evaluate, holds
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import equal, negation
from shapesolve.symbolic.visitors import Instantiation

MOST_ASKED = 8
"""Largest number of variables of a claim whose influence is examined."""

MOST_FORMULAS = 60
"""Number of facts connected to a claim from which on no influence is examined."""

TRIED = (0, 1, 2, 3, 4, 5, 7, 8)


@stage("shrink")
def free_sizes(
    solver: Solver, query: Sequence[Formula], variables: Sequence[Variable], sizes: Model, *, budget: int, name: str
) -> list[Variable]:
    """Return the variables that may have any value allowed by the facts while the others stay: the claim fails for all.

    ``query`` is the negated claim and then the facts. The answer holds for all of the variables together, and each has
    another value that is allowed.
    """
    if len(variables) > MOST_ASKED or len(query) > MOST_FORMULAS:
        return []
    claim, facts = negation(query[0]), query[1:]
    free: list[Variable] = []
    for each in variables:
        if _matters(each, claim, facts, sizes):
            continue
        fixed = {
            other: dim(number)
            for other in variables
            if other is not each and other not in free and isinstance(number := sizes[other], int)
        }
        if _never_together([claim, *facts], Instantiation(fixed), solver, budget=budget, name=f"{name}-free"):
            free.append(each)
    kept = {each: dim(n) for each in variables if each not in free and isinstance(n := sizes[each], int)}
    return [each for each in free if may_change(solver, facts, of_atom(each), kept, sizes, budget=budget, name=name)]


def may_change(
    solver: Solver,
    facts: Sequence[Formula],
    size: Dim,
    kept: Mapping[Variable, Dim],
    sizes: Model,
    *,
    budget: int,
    name: str,
) -> bool:
    """Return whether the facts are found to allow another value of a size while the ``kept`` variables stay.

    A size that they tie to kept ones makes no difference only because it cannot change; to call it free would mislead.
    All variables that are not kept may change together with it.
    """
    numbers = Instantiation(kept)
    changed = [numbers.formula(each) for each in (*facts, negation(equal(size, evaluate(size, sizes))))]
    if FALSE in changed:
        return False
    if not facts:
        return True
    answer = solver.check(list(enumerate(changed)), name=f"{name}-changed", budget=budget, wants_core=False)
    return isinstance(answer, Satisfiable)


def _never_together(
    formulas: Sequence[Formula], numbers: Instantiation, solver: Solver, *, budget: int, name: str
) -> bool:
    """Return whether some formulas are proved to contradict each other after substituting numbers for sizes."""
    left = [numbers.formula(each) for each in formulas]
    propagator = Propagator()
    for each in left[1:]:
        propagator.assume(each, NOTHING)
    if propagator.contradiction is not None or propagator.prove(negation(left[0])) is not None:
        return True
    answer = solver.check(list(enumerate(left)), name=name, budget=budget, wants_core=False)
    return isinstance(answer, Unsatisfiable)


def _matters(variable: Variable, claim: Formula, facts: Sequence[Formula], sizes: Model) -> bool:
    """Return whether some tried value of a variable is allowed and makes the claim true."""
    for number in TRIED:
        other = CachingModel({**sizes, variable: number})
        if in_bounds(variable, number) and holds(claim, other) and all(holds(each, other) for each in facts):
            return True
    return False


def smaller_counterexample(
    variables: Sequence[Variable], shown: Sequence[Variable], sizes: Model, fails: Callable[[Model], bool]
) -> Sizes | None:
    """Return the first failing sizes found that have a 1 or a 0 in place of something larger, or None.

    Args:
        variables: Those to be changed.
        shown: Those whose sizes are returned.
        sizes: Sizes that fail.
        fails: Whether sizes fail, after completing them.
    """
    for changed in _changes(variables, sizes):
        other = Model({**sizes, **changed})
        if fails(other) and all(other[each] == number for each, number in changed.items()):
            return {each: number for each in shown if isinstance(number := other[each], int)}
    return None


def _changes(variables: Sequence[Variable], sizes: Model) -> Iterator[dict[Variable, int]]:
    for number in (1, 0):
        larger = [v for v in variables if isinstance(size := sizes[v], int) and size > number and in_bounds(v, number)]
        for each in larger:
            yield {each: number}
        if len(larger) > 1:
            yield dict.fromkeys(larger, number)
