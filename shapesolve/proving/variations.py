"""Other sizes like those of a counterexample: what it does not depend on, and what fails as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from shapesolve.language.atoms import Variable
from shapesolve.language.dims import dim
from shapesolve.language.evaluation import holds
from shapesolve.language.formulas import Formula, negation
from shapesolve.language.substitution import Instantiation
from shapesolve.measuring import stage
from shapesolve.proving.checking import in_bounds
from shapesolve.proving.counterexamples import Sizes
from shapesolve.proving.ledger import Ledger
from shapesolve.proving.models import Model
from shapesolve.proving.reasons import NOTHING
from shapesolve.proving.solver import Solver, Unsatisfiable

MOST_ASKED = 8
"""Of claims about more sizes than this it is not asked which ones matter."""

MOST_FORMULAS = 60
"""Nor where so many facts are connected to the claim."""

TRIED = (0, 1, 2, 3, 4, 5, 7, 8)


@stage("shrink")
def free_sizes(
    solver: Solver, query: Sequence[Formula], variables: Sequence[Variable], sizes: Model, *, budget: int, name: str
) -> list[Variable]:
    """The variables that may be any number that the facts allow while the others stay: the claim fails for all of them.

    ``query`` is the negated claim and then the facts. The answer holds for all of the variables together.
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
    return free


def _never_together(
    formulas: Sequence[Formula], numbers: Instantiation, solver: Solver, *, budget: int, name: str
) -> bool:
    """Whether some formulas contradict each other where numbers are put for sizes."""
    left = [numbers.formula(each) for each in formulas]
    ledger = Ledger()
    for each in left[1:]:
        ledger.assume(each, NOTHING)
    if ledger.contradiction is not None or ledger.decide(negation(left[0])) is not None:
        return True
    answer = solver.check(list(enumerate(left)), name=name, budget=budget, wants_core=False)
    return isinstance(answer, Unsatisfiable)


def _matters(variable: Variable, claim: Formula, facts: Sequence[Formula], sizes: Model) -> bool:
    """Whether some other number of a variable is seen to be allowed and to make the claim true."""
    for number in TRIED:
        other = Model({**sizes, variable: number})
        if in_bounds(variable, number) and holds(claim, other) and all(holds(each, other) for each in facts):
            return True
    return False


def smaller_too(variables: Sequence[Variable], sizes: Model, fails: Callable[[Model], bool]) -> Sizes | None:
    """Sizes that have a 1 or a 0 in place of something larger and fail as well: the first ones found."""
    for changed in _changes(variables, sizes):
        other = Model({**sizes, **changed})
        if fails(other) and all(other[each] == number for each, number in changed.items()):
            return {each: number for each in variables if isinstance(number := other[each], int)}
    return None


def _changes(variables: Sequence[Variable], sizes: Model) -> Iterator[dict[Variable, int]]:
    for number in (1, 0):
        larger = [v for v in variables if isinstance(size := sizes[v], int) and size > number and in_bounds(v, number)]
        for each in larger:
            yield {each: number}
        if len(larger) > 1:
            yield dict.fromkeys(larger, number)
