"""Counterexamples made of others by evaluation alone: nearer to known sizes, or smaller.

Where a claim fails only beyond some large size, because a float rounds or an integer wraps there, a solver needs long
to find sizes for everything else that the program computes; to change a few numbers of sizes that are known takes
milliseconds. Nothing here proves anything: the caller checks the sizes against all facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from shapesolve.solver.models import Model, in_bounds, sorting_key
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.reachability import MAX_RECHECKED, TRIED
from shapesolve.solver.witnesses import boundaries
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import Formula

LARGE = 2**15
"""Bound above which numbers are lowered."""

MOST_REPAIRS = 30
"""Facts that are made to hold one after the other where a number is lowered."""

MOST_CHANGED = 6
"""Variables of a broken fact that are changed."""


def mixed(
    propagator: Propagator, kept: Iterable[Model], sizes: Model, variables: frozenset[Variable]
) -> Iterator[Model]:
    """Yield kept sizes with the numbers that others give to some variables, and with as few more as need be.

    Both satisfy every fact, so that one which the mixture violates holds with all its numbers from one side.
    """
    for each in kept:
        mixture, moved = Model(each), set[Variable]()
        waiting = sorted(variables, key=sorting_key)
        while waiting:
            variable = waiting.pop()
            if variable in moved:
                continue
            moved.add(variable)
            if mixture[variable] == sizes[variable]:
                continue
            mixture[variable] = sizes[variable]
            for fact in propagator.constraints_on(variable):
                if not holds(fact, mixture):
                    waiting.extend(sorted(fact.variables - moved, key=sorting_key))
        yield mixture


def lowered(propagator: Propagator, against: Formula, sizes: Model, variables: Iterable[Variable]) -> Model:
    """Return sizes that satisfy the facts and ``against`` as others do, with smaller numbers for large variables.

    Bisection finds each number; the other variables change where a fact needs it.
    """
    for each in sorted(variables, key=sorting_key):
        number = sizes[each]
        if isinstance(each, ShapeSymbol) or not isinstance(number, int) or number <= LARGE:
            continue
        least, most = LARGE, number
        while least < most:
            middle = (least + most) // 2
            found = _repaired(propagator, against, Model({**sizes, each: middle}), each)
            if found is None:
                least = middle + 1
            else:
                most, sizes = middle, found
    return sizes


def _repaired(propagator: Propagator, against: Formula, sizes: Model, fixed: Variable) -> Model | None:
    """Return sizes in which everything holds though the number of one variable has changed, or None."""
    changed = {fixed}
    for _ in range(MOST_REPAIRS):
        broken = _broken(propagator, against, sizes, changed)
        if broken is None:
            return sizes
        other = _changed(propagator, [broken, against], sizes, fixed)
        if other is None:
            return None
        changed.add(other)
    return None


def _broken(propagator: Propagator, against: Formula, sizes: Model, changed: Iterable[Variable]) -> Formula | None:
    """Return a formula that the sizes violate; facts about unchanged variables hold."""
    if not holds(against, sizes):
        return against
    facts = (fact for each in changed for fact in islice(propagator.constraints_on(each), MAX_RECHECKED))
    return next((fact for fact in facts if not holds(fact, sizes)), None)


def _changed(propagator: Propagator, wanted: Sequence[Formula], sizes: Model, fixed: Variable) -> Variable | None:
    """Change one variable of the first wanted formula so that all of them hold, and return it."""
    mentions = {
        each: len(list(islice(propagator.constraints_on(each), MAX_RECHECKED)))
        for each in wanted[0].variables
        if each != fixed and not isinstance(each, ShapeSymbol)
    }
    for variable in islice(sorted(mentions, key=lambda each: (mentions[each], sorting_key(each))), MOST_CHANGED):
        old = sizes[variable]
        for value in dict.fromkeys((*boundaries(wanted[0], variable, sizes), *TRIED)):
            sizes[variable] = value
            if in_bounds(variable, value) and all(holds(each, sizes) for each in wanted):
                return variable
        sizes[variable] = old
    return None
