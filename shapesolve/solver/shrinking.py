"""Shrinking of counterexamples to the most believable sizes.

Sizes of 2 and more are easier to believe than 1, and 1 than 0, and all of these than huge ones; among them small ones
are. So: where all sizes can be at least 2 without any being huge, they are, else at least 1; then the least common
bound out of 2, 4, 8, ... is taken; then each size in turn becomes the first of 2, 3, ..., 1, 0 that the sizes before
it allow. Shapes of unknown rank get the smallest ranks first. A few sizes are searched by plain evaluation, more by
asking the solver.

Includes variations of a counterexample: sizes that it does not depend on, and smaller ones that fail as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import cast

from shapesolve.records import value_record
from shapesolve.solver.models import Model, Ranking, in_bounds, small_ranks, sorting_key
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import NOTHING
from shapesolve.solver.verdicts import Answer, GaveUp, Label, Satisfiable, Solver, UndecidedReason, Unsatisfiable
from shapesolve.statistics import stage
from shapesolve.symbolic.atoms import ShapeSymbol, Variable
from shapesolve.symbolic.dims import dim, of_atom
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import FALSE, Formula
from shapesolve.symbolic.formulas import at_least, conjuncts, negation
from shapesolve.symbolic.visitors import Instantiation

MOST_EVALUATIONS = 1500
"""Evaluations of one formula that a search by enumeration may take; about 15 ms."""

MOST_QUESTIONS = 250
"""Questions to the solver that one search may ask where its sizes will be shown."""

FEW_QUESTIONS = 20
"""Questions that it may ask for sizes that are only tried out."""

MOST_GIVEN_UP = 8
"""Questions that the solver may give up on in one search: each took as long as a question may."""

FEW_GIVEN_UP = 2
"""As many of sizes that are only tried out."""

MOST_FRUITLESS = 2
"""Searches in a row that find no believable sizes that are only tried out; later ones keep what a solver found."""

MOST_BELIEVABLE = 2**15
"""A size beyond this is harder to believe than a size of 0 or 1. The squares of those leave 32 bits."""

LARGEST_ENUMERATED = 16
"""The largest common bound that is searched by enumeration."""

Query = Sequence[tuple[Label, Formula]]
Sizes = Mapping[Variable, int]
Assignment = Mapping[Variable, "int | tuple[int, ...]"]


@value_record
class Counterexample:
    """Sizes that satisfy a query.

    Attributes:
        smallest: Whether they are proved to be the first in the order above.
    """

    model: Assignment
    smallest: bool
    needs: str | None
    """What the failure needs, if that is proved: "some size is 0", "some size is 0 or 1"; None if nothing is known."""


def is_believable(sizes: Assignment, variables: Sequence[Variable]) -> bool:
    """Return whether none of some variables is too large to be believed."""
    return all(isinstance(size := sizes.get(each, 0), int) and size <= MOST_BELIEVABLE for each in variables)


class ShrinkingAllowance:
    """Remaining number of speculative shrinking searches for the claims of one function.

    Many claims fail for one reason, such as floats that round from 2**24 on: none has believable sizes then, and the
    search is not repeated for each. A search that succeeds restores the budget of the others.
    """

    def __init__(self) -> None:
        self.left = MOST_FRUITLESS

    def after(self, *, was_fruitful: bool) -> None:
        """Record the end of a search."""
        self.left = MOST_FRUITLESS if was_fruitful else self.left - 1


@stage("shrink")
def smallest(
    solver: Solver,
    query: Query,
    variables: Sequence[Variable],
    *,
    budget: int,
    name: str,
    start: Assignment,
    questions: int = MOST_QUESTIONS,
    allowance: ShrinkingAllowance | None = None,
) -> Counterexample:
    """Return the most believable model of a satisfiable query.

    Args:
        solver: Answers the queries of the search.
        query: The query, which ``start`` satisfies.
        variables: The sizes to be shown, the ones to be kept small first; only they are preferred to be 2 and more.
        budget: Solver steps for each query.
        name: The name of the queries in dumps and statistics.
        start: A model of the query, and the answer if the budget does not allow for a better one.
        questions: The number of queries that may be asked.
        allowance: If given, the search is speculative: the start is also the answer if no sizes are believable.
    """
    mentioned = frozenset[Variable]().union(*(formula.variables for _, formula in query))
    symbols = sorted((v for v in mentioned if isinstance(v, ShapeSymbol)), key=sorting_key)
    if symbols:
        return _with_small_ranks(solver, query, variables, symbols, budget, name, start, questions)
    shrinking = _Shrinking(solver, query, variables, budget, name, questions)
    if allowance is not None and not shrinking.may_end_believable(_numbers(start), allowance):
        return Counterexample(dict(start), smallest=False, needs=None)
    found = shrinking.run(_numbers(start))
    return replace(found, model={**start, **found.model})


def _with_small_ranks(
    solver: Solver,
    query: Query,
    variables: Sequence[Variable],
    symbols: Sequence[Variable],
    budget: int,
    name: str,
    start: Assignment,
    questions: int,
) -> Counterexample:
    given = {symbol: len(cast("tuple[int, ...]", start.get(symbol, ()))) for symbol in symbols}
    certain = True
    for ranks in small_ranks(symbols):
        if sum(ranks.values()) > sum(given.values()):
            break
        ranking = Ranking(ranks)
        ranked = [(label, ranking.substitution.formula(formula)) for label, formula in query]
        if any(formula is FALSE for _, formula in ranked):
            continue
        answer = solver.check(ranked, name=f"{name}-rank", budget=budget)
        certain = certain and not isinstance(answer, GaveUp)
        if isinstance(answer, Satisfiable):
            shown = [*(v for v in variables if v not in ranks), *ranking.variables]
            found = _Shrinking(solver, ranked, shown, budget, name, questions).run(_numbers(answer.model))
            rest = {variable: size for variable, size in start.items() if variable not in ranks}
            chosen = {variable: size for variable, size in found.model.items() if variable not in ranking.variables}
            return Counterexample(
                {**rest, **chosen, **ranking.shapes_of(found.model)}, certain and found.smallest, None
            )
    return Counterexample(dict(start), smallest=False, needs=None)


class _Shrinking:
    """One search for small sizes. Its own constraints get negative labels, beside those of the query."""

    def __init__(
        self, solver: Solver, query: Query, variables: Sequence[Variable], budget: int, name: str, questions: int
    ) -> None:
        self._solver = solver
        self._query = list(query)
        self._budget = budget
        self._name = name
        self._questions = questions
        self._most_given_up = MOST_GIVEN_UP if questions > FEW_QUESTIONS else FEW_GIVEN_UP
        self._sizes = tuple(dict.fromkeys(variables))
        mentioned = frozenset[Variable]().union(*(formula.variables for _, formula in query))
        others = sorted(mentioned.difference(self._sizes), key=sorting_key)
        self._order = (*self._sizes, *others)
        self._certain = True
        self._evaluations = 0
        self._given_up = 0

    def run(self, start: Sizes) -> Counterexample:
        needs: str | None = None
        huge: Counterexample | None = None
        for floor, need in ((2, "some size is 0 or 1"), (1, "some size is 0"), (0, None)):
            if huge is not None and not self._may_be_believable(floor):
                continue
            found = self._with_floor(floor, start)
            if isinstance(found, Unsatisfiable):
                needs = need
            elif found is None:
                self._certain = False
            else:
                sizes = self._completed(found, floor, start)
                least = Counterexample(sizes, self._certain, needs)
                if is_believable(sizes, self._sizes):
                    return least
                huge = huge or least
        return huge or Counterexample(self._completed(start, 0, start), smallest=False, needs=needs)

    def may_end_believable(self, start: Sizes, allowance: ShrinkingAllowance) -> bool:
        """Return whether a search is worth its queries: believable sizes are known, or may exist."""
        if is_believable(start, self._sizes) or self._is_found_by_trying():
            return True
        if allowance.left <= 0:
            return False
        found = self._may_be_believable(0)
        allowance.after(was_fruitful=found)
        return found

    def _is_found_by_trying(self) -> bool:
        found: object = False
        for floor in (2, 1, 0):
            self._evaluations = 0
            found = self._enumerated(floor, LARGEST_ENUMERATED)
            if found is not False:
                break
        self._evaluations = 0
        return isinstance(found, dict)

    def _completed(self, found: Sizes, floor: int, start: Sizes) -> dict[Variable, int]:
        sizes = {**start, **found}
        for variable in self._sizes:
            if variable not in sizes:
                sizes[variable] = self._least(variable, floor) or 0
        return sizes

    def _with_floor(self, floor: int, start: Sizes) -> Sizes | Unsatisfiable | None:
        """Return the smallest sizes that are no less than ``floor``, the proof that there are none, or None."""
        excluded = 1
        while excluded < LARGEST_ENUMERATED:
            enumerated = self._enumerated(floor, excluded * 2)
            if isinstance(enumerated, dict):
                return enumerated
            if enumerated is None:
                break
            excluded *= 2
        known: Sizes | None = None
        if self._is_above(floor, start):
            known = start
        else:
            answer = self._ask([(variable, self._least(variable, floor), None) for variable in self._sizes])
            if not isinstance(answer, Satisfiable):
                return answer if isinstance(answer, Unsatisfiable) else None
            known = _numbers(answer.model)
        return self._shrunk(known, floor, excluded)

    def _may_be_believable(self, floor: int) -> bool:
        """Return whether the solver finds believable sizes at or above the floor that satisfy the query."""
        answer = self._ask([(variable, self._least(variable, floor), MOST_BELIEVABLE) for variable in self._sizes])
        self._certain = self._certain and not isinstance(answer, GaveUp)
        return isinstance(answer, Satisfiable)

    # Plain evaluation --------------------------------------------------------------------------------------------

    def _enumerated(self, floor: int, bound: int) -> dict[Variable, int] | bool | None:
        """Return the first sizes up to the bound; False if there are none; None if there are too many to try."""
        waiting = [formula for _, query in self._query for formula in conjuncts(query)]
        order = [v for v in self._order if any(v in formula.variables for formula in waiting)]
        steps: list[list[Formula]] = [[] for _ in order]
        for formula in waiting:
            if not formula.variables:
                return False if formula is FALSE else None
            steps[max(order.index(variable) for variable in formula.variables)].append(formula)
        sizes: dict[Variable, int] = {}
        return self._tried(order, steps, sizes, 0, floor, bound)

    def _tried(
        self,
        order: Sequence[Variable],
        steps: Sequence[Sequence[Formula]],
        sizes: dict[Variable, int],
        depth: int,
        floor: int,
        bound: int,
    ) -> dict[Variable, int] | bool | None:
        if depth == len(order):
            return dict(sizes)
        variable = order[depth]
        for size in self._candidates(variable, floor, bound):
            sizes[variable] = size
            self._evaluations += max(1, len(steps[depth]))
            if self._evaluations > MOST_EVALUATIONS:
                return None
            if all(holds(formula, sizes) for formula in steps[depth]):
                found = self._tried(order, steps, sizes, depth + 1, floor, bound)
                if found is not False:
                    return found
        del sizes[variable]
        return False

    def _candidates(self, variable: Variable, floor: int, bound: int) -> Iterator[int]:
        least = self._least(variable, floor)
        most = bound if variable.upper is None else min(bound, variable.upper)
        if least is not None and least >= 0:
            most = max(most, least)
            yield from range(max(least, 2), most + 1)
            yield from range(min(1, most), least - 1, -1)
            return
        for size in range(bound + 1):
            for signed in (size, -size) if size else (0,):
                if (least is None or signed >= least) and signed <= most:
                    yield signed

    # Asking the solver -------------------------------------------------------------------------------------------

    def _shrunk(self, known: Sizes, floor: int, excluded: int) -> Sizes:
        """Return the smallest sizes at or above the floor, starting from known ones; none are up to ``excluded``."""
        base: list[_Range] = [(variable, self._least(variable, floor), None) for variable in self._sizes]
        largest = max((abs(known[variable]) for variable in self._order if variable in known), default=0)
        bounds = [2**exponent for exponent in range(1, largest.bit_length() + 1) if excluded < 2**exponent < largest]
        known, bound = self._within_one_of(bounds, base, known)
        fixed = [*base, *self._within(bound or 2 ** max(1, (largest - 1).bit_length()))]
        for variable in self._order:
            if variable in known:
                known = self._lowered(variable, known, fixed, floor)
                fixed.append((variable, known[variable], known[variable]))
        return known

    def _within_one_of(self, bounds: Sequence[int], base: Sequence[_Range], known: Sizes) -> tuple[Sizes, int | None]:
        """Return the first of growing common bounds that allows for sizes, by galloping search; None: none does."""
        failed, found, leap = -1, len(bounds), 1
        while failed + 1 < found:
            tried = failed + leap if found == len(bounds) else (failed + found) // 2
            if tried >= found:
                leap = 1
                continue
            better = self._better(known, [*base, *self._within(bounds[tried])])
            if better is None:
                failed, leap = tried, leap * 2
            else:
                known, found = better, tried
        return known, bounds[found] if found < len(bounds) else None

    def _lowered(self, variable: Variable, known: Sizes, fixed: Sequence[_Range], floor: int) -> Sizes:
        """Bring one variable as near to its best value as the ranges fixed so far allow."""
        least = self._least(variable, floor)
        if least is None or least < 0:
            return self._halved(known, variable, 0, fixed)
        for preferred in (2, 1):
            if least < preferred and known[variable] < preferred:
                known = self._better(known, [*fixed, (variable, preferred, None)]) or known
        best = max(least, min(2, known[variable]))
        return self._halved(known, variable, best, fixed)

    def _halved(self, known: Sizes, variable: Variable, low: int, fixed: Sequence[_Range]) -> Sizes:
        """Return the least magnitude from ``low`` on, by bisection.

        ``low`` is tried first, being the most frequent answer.
        """
        middle = low
        while abs(known[variable]) > low:
            down = low if known[variable] >= 0 and variable.lower is not None and variable.lower >= 0 else -middle
            better = self._replaced(known, variable, low) if middle == low else None
            better = better or self._better(known, [*fixed, (variable, down, middle)])
            if better is None:
                low = middle + 1
            known = better or known
            middle = (low + abs(known[variable])) // 2
        return known

    def _replaced(self, known: Sizes, variable: Variable, size: int) -> Sizes | None:
        """Return the known sizes with one replaced, if they still satisfy the query, or None."""
        if variable.upper is not None and size > variable.upper:
            return None
        sizes = {**known, variable: size}
        about = (formula for _, formula in self._query if variable in formula.variables)
        return sizes if all(formula.variables <= sizes.keys() and holds(formula, sizes) for formula in about) else None

    def _better(self, known: Sizes, ranges: Sequence[_Range]) -> Sizes | None:
        answer = self._ask(ranges)
        if isinstance(answer, Satisfiable):
            return {**known, **_numbers(answer.model)}
        self._certain = self._certain and isinstance(answer, Unsatisfiable)
        return None

    def _within(self, bound: int) -> list[_Range]:
        return [
            (
                variable,
                -bound if variable.lower is None or variable.lower < 0 else None,
                max(bound, variable.lower or 0),
            )
            for variable in self._order
        ]

    def _ask(self, ranges: Sequence[_Range]) -> Answer:
        labels = count(-1 - max((abs(label) for label, _ in self._query), default=0), -1)
        query = list(self._query)
        for variable, least, most in ranges:
            if least is not None and (variable.lower is None or least > variable.lower):
                query.append((next(labels), at_least(of_atom(variable), least)))
            if most is not None:
                query.append((next(labels), at_least(most, of_atom(variable))))
        if self._questions <= 0 or self._given_up >= self._most_given_up:
            return GaveUp(UndecidedReason.BUDGET, "enough questions were asked")
        self._questions -= 1
        answer = self._solver.check(query, name=f"{self._name}-smallest", budget=self._budget, wants_core=False)
        self._given_up += isinstance(answer, GaveUp)
        return answer

    def _least(self, variable: Variable, floor: int) -> int | None:
        """Return the preferred minimum of a variable: its lower bound, or the floor if it is a size to be shown."""
        if variable not in self._sizes or variable.lower is None or variable.lower < 0 or variable.is_bit:
            return variable.lower
        return max(variable.lower, floor if variable.upper is None else min(floor, variable.upper))

    def _is_above(self, floor: int, sizes: Sizes) -> bool:
        leasts = ((variable, self._least(variable, floor)) for variable in self._sizes)
        return all(least is None or sizes.get(variable, least) >= least for variable, least in leasts)


_Range = tuple[Variable, "int | None", "int | None"]


def _numbers(model: Assignment) -> dict[Variable, int]:
    return {variable: size for variable, size in model.items() if isinstance(size, int)}


MOST_ASKED = 8
"""Of claims about more sizes than this it is not asked which ones matter."""

MOST_FORMULAS = 60
"""Nor where so many facts are connected to the claim."""

TRIED = (0, 1, 2, 3, 4, 5, 7, 8)


@stage("shrink")
def free_sizes(
    solver: Solver, query: Sequence[Formula], variables: Sequence[Variable], sizes: Model, *, budget: int, name: str
) -> list[Variable]:
    """Return the variables that may have any value allowed by the facts while the others stay: the claim fails for all.

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
        other = Model({**sizes, variable: number})
        if in_bounds(variable, number) and holds(claim, other) and all(holds(each, other) for each in facts):
            return True
    return False


def smaller_counterexample(variables: Sequence[Variable], sizes: Model, fails: Callable[[Model], bool]) -> Sizes | None:
    """Return the first failing sizes found that have a 1 or a 0 in place of something larger, or None."""
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
