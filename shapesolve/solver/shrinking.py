"""Shrinking of counterexamples to the first sizes in the order of `size_order`, by evaluation and by queries.

Shapes of unknown rank get the smallest ranks first. A few sizes are searched by enumeration, more by asking the solver:
for the least numbers of sizes that are 0 or 1, the least maximum, the least sum, and then for each size in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import cast

from shapesolve.records import value_record
from shapesolve.solver.budgets import FEW_GIVEN_UP, FEW_QUESTIONS, MOST_GIVEN_UP, MOST_QUESTIONS, ShrinkingAllowance
from shapesolve.solver.enumeration import Enumeration, TooManyError
from shapesolve.solver.models import Ranking, in_bounds, small_ranks, sorting_key
from shapesolve.solver.search_bounds import SearchBounds
from shapesolve.solver.size_order import (
    COUNTED_ONCE,
    MOST_BELIEVABLE,
    NONE_SMALL,
    Counts,
    Small,
    is_believable,
    least_magnitude,
    preferred,
    small_sizes,
)
from shapesolve.solver.solved_equations import with_lower_maximum
from shapesolve.solver.verdicts import Answer, GaveUp, Label, Satisfiable, Solver, UndecidedReason, Unsatisfiable
from shapesolve.statistics import stage
from shapesolve.symbolic.atoms import ShapeSymbol, Variable, variables_in
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.evaluation import holds
from shapesolve.symbolic.formula_kinds import FALSE, TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal
from shapesolve.symbolic.normal_forms import maximum

Query = Sequence[tuple[Label, Formula]]
Sizes = Mapping[Variable, int]
Assignment = Mapping[Variable, "int | tuple[int, ...]"]


@value_record
class Counterexample:
    """Sizes that satisfy a query.

    Attributes:
        smallest: Whether they are proved to be the first in the order of `size_order`.
    """

    model: Assignment
    smallest: bool
    needs: str | None
    """Proved property of all failing sizes: "some size is 0", "some size is 0 or 1"; None if there is none."""


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
    is_speculative: bool = False,
    counts: Counts = COUNTED_ONCE,
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
        allowance: What is left of the effort that all searches for one function share.
        is_speculative: Whether the start is also the answer if no sizes are believable.
        counts: How many sizes each of the ``variables`` stands for.
    """
    mentioned = variables_in(formula for _, formula in query)
    symbols = sorted((v for v in mentioned if isinstance(v, ShapeSymbol)), key=sorting_key)
    allowance = allowance or ShrinkingAllowance()
    if symbols:
        return _with_small_ranks(solver, query, variables, symbols, budget, name, start, questions, allowance, counts)
    shrinking = _Search(solver, query, variables, budget, name, questions, allowance, counts)
    if is_speculative and not shrinking.may_end_believable(_numbers(start)):
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
    allowance: ShrinkingAllowance,
    counts: Counts,
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
        answer = solver.check(ranked, name=f"{name}-rank", budget=budget, wants_core=False)
        certain = certain and not isinstance(answer, GaveUp)
        if isinstance(answer, Satisfiable):
            shown = [*(v for v in variables if v not in ranks), *ranking.variables]
            search = _Search(solver, ranked, shown, budget, name, questions, allowance, counts)
            found = search.run(_numbers(answer.model))
            rest = {variable: size for variable, size in start.items() if variable not in ranks}
            chosen = {variable: size for variable, size in found.model.items() if variable not in ranking.variables}
            model = {**rest, **chosen, **ranking.shapes_of(found.model)}
            return Counterexample(model, certain and found.smallest, needs=None)
    return Counterexample(dict(start), smallest=False, needs=None)


_FLOORS = ((NONE_SMALL, "some size is 0 or 1"), (Small(0, 1), "some size is 0"), (Small(1, 0), None))
"""The fewest small sizes above each floor, the highest first, and what a failure needs if none is that high."""


class _Search:
    """One search for the first sizes. Its own constraints get negative labels, beside those of the query."""

    def __init__(
        self,
        solver: Solver,
        query: Query,
        variables: Sequence[Variable],
        budget: int,
        name: str,
        questions: int,
        allowance: ShrinkingAllowance,
        counts: Counts,
    ) -> None:
        self._solver = solver
        self._query = list(query)
        self._budget = budget
        self._name = name
        self._questions = questions
        self._allowance = allowance
        self._most_given_up = MOST_GIVEN_UP if questions > FEW_QUESTIONS else FEW_GIVEN_UP
        self._shown = tuple(dict.fromkeys(variables))
        mentioned = variables_in(formula for _, formula in query)
        self._ranked = tuple(each for each in self._shown if each in mentioned)
        self._others = tuple(sorted(mentioned.difference(self._shown), key=sorting_key))
        self._own = mentioned
        self._counts = {each: counts.get(each, 1) for each in self._ranked}
        self._certain = True
        self._given_up = 0
        formulas = [formula for _, formula in query]
        never = {each for each in self._ranked if at_least(of_atom(each), 0) in formulas}
        self._maybe_negative = {each for each in mentioned - never if each.lower is None or each.lower < 0}
        self._enumeration = Enumeration(formulas, (*self._ranked, *self._others), self._ranked, counts)

    def run(self, start: Sizes) -> Counterexample:
        needs: str | None = None
        huge: Sizes | None = None
        for small, need in _FLOORS:
            known = self._enumerated(small)
            if known is not None and self._enumeration.is_complete:
                return Counterexample(self._completed(known, start), self._certain, needs)
            excluded = self._enumeration.excluded if known is None and self._enumeration.is_complete else -1
            if known is None and huge is None:
                found = start if self._is_above(small, start) else self._model(small)
                if isinstance(found, Unsatisfiable):
                    needs = need
                    continue
                self._certain = self._certain and found is not None
                if found is not None and not is_believable(found, self._shown):
                    huge = found
                else:
                    known = found
            if known is None and huge is not None:
                known = self._believable(small)
            if known is not None:
                return Counterexample(self._first(known, small, excluded, start), self._certain, needs)
        if huge is None:
            return Counterexample(self._completed(start, start), smallest=False, needs=needs)
        small = next(each for each, _ in _FLOORS if self._is_above(each, huge))
        return Counterexample(self._first(huge, small, -1, start), self._certain, needs)

    def may_end_believable(self, start: Sizes) -> bool:
        """Return whether a search is worth its queries: believable sizes are known, or may exist."""
        if is_believable(start, self._shown) or self._is_found_by_trying():
            return True
        if self._allowance.left <= 0:
            return False
        found = self._believable(_FLOORS[-1][0]) is not None
        self._allowance.after(was_fruitful=found)
        return found

    def _is_found_by_trying(self) -> bool:
        found = any(self._enumerated(small) is not None for small, _ in _FLOORS)
        self._enumeration.restart()
        return found

    def _enumerated(self, small: Small) -> Sizes | None:
        try:
            return self._enumeration.first(small)
        except TooManyError:
            return None

    def _completed(self, found: Sizes, start: Sizes) -> dict[Variable, int]:
        unmentioned = {each: least_magnitude(each, NONE_SMALL) for each in self._shown}
        return {**unmentioned, **start, **found}

    # The stages --------------------------------------------------------------------------------------------------

    def _first(self, known: Sizes, small: Small, excluded: int, start: Sizes) -> Sizes:
        """Return the first sizes in the order, given some.

        Args:
            known: Sizes that satisfy the query.
            small: The floor above which they lie; all sizes above a higher floor are excluded, or huge.
            excluded: A maximum up to which no sizes with ``small`` exist.
            start: Values of variables that the query does not mention.
        """
        known = with_lower_maximum(self._query, known, self._ranked, self._still_holds)
        if small != NONE_SMALL:
            known, fewest = self._with_fewest_small(known, small)
            excluded = excluded if fewest == small else -1
            small = fewest
        bounds = self._floor(small).plus(*self._at_most_small(small))
        known = self._descended(known)
        lowest = max([excluded + 1, *(least_magnitude(each, small) for each in self._ranked)])
        known = self._lowered(known, self._maximum, lowest, lambda most: self._up_to(bounds, most))
        bounds = self._up_to(bounds, self._maximum(known))
        magnitudes = sum((self._magnitude(each) * count for each, count in self._counts.items()), dim(0))
        known = self._lowered(
            known, self._total, self._least_total(known, small), lambda most: bounds.plus(at_least(most, magnitudes))
        )
        bounds = bounds.plus(at_least(self._total(known), magnitudes))
        known = self._lexicographically_first(known, small, bounds)
        for variable in self._ranked:
            bounds = bounds.within(variable, known[variable], known[variable])
        return self._completed(self._with_small_others(known, bounds), start)

    def _with_fewest_small(self, known: Sizes, small: Small) -> tuple[Sizes, Small]:
        """Return sizes of which as few as possible are 0, and then as few as possible 1, and how many these are."""
        floor = self._floor(small)
        if is_believable(known, self._ranked):
            floor = SearchBounds((*floor.ranges, *((each, None, MOST_BELIEVABLE) for each in self._ranked)))
        known = self._raised(known)
        fewest = small_sizes(known, self._ranked, self._counts)
        while fewest.zeros > small.zeros:
            fewer = self._at_most_small(Small(fewest.zeros - 1, sum(self._counts.values())))
            better = self._better(known, floor.plus(*fewer))
            if better is None:
                break
            known = self._raised(better)
            fewest = small_sizes(known, self._ranked, self._counts)
        while fewest.ones > (0 if fewest.zeros else small.ones):
            better = self._better(known, floor.plus(*self._at_most_small(Small(fewest.zeros, fewest.ones - 1))))
            if better is None:
                break
            known = self._raised(better)
            fewest = small_sizes(known, self._ranked, self._counts)
        return known, fewest

    def _raised(self, known: Sizes) -> Sizes:
        """Return sizes of which fewer are 0 or 1: each, or all that are equal to it, is raised by evaluation."""
        for level in (0, 1):
            for variable in self._ranked:
                if known[variable] == level < (preferred(variable) or 0):
                    alike = tuple(each for each in self._ranked if known[each] == level)
                    tries = ((group, size) for group in ((variable,), alike) for size in (2, 3, 1) if size > level)
                    better = (self._replaced(known, group, size) for group, size in tries)
                    known = next((each for each in better if each is not None), known)
        return known

    def _lexicographically_first(self, known: Sizes, small: Small, bounds: SearchBounds) -> Sizes:
        ahead = [each for each in self._ranked[:-1] if abs(known[each]) > least_magnitude(each, small)]
        ahead += [each for each in self._ranked if known[each] < 0 and each not in ahead]
        if not ahead:
            return known
        better = self._better(known, bounds.plus(disjunction([self._earlier(known, each) for each in ahead])))
        if better is None:
            return known
        known = better
        for variable in self._ranked:
            known = self._lowered_alone(known, variable, least_magnitude(variable, small), bounds)
            size = abs(known[variable])
            if known[variable] < 0:
                known = self._better(known, bounds.within(variable, size, size)) or known
            bounds = bounds.within(variable, known[variable], known[variable])
        return known

    def _earlier(self, known: Sizes, variable: Variable) -> Formula:
        """Return the formula that sizes come before some, a variable being the first in which they differ."""
        before = self._ranked[: self._ranked.index(variable)]
        here, size = of_atom(variable), known[variable]
        same = [equal(of_atom(each), known[each]) for each in before]
        most = abs(size) if size < 0 else size - 1
        return conjunction([*same, at_least(most, here), at_least(here, 1 - abs(size))])

    def _with_small_others(self, known: Sizes, bounds: SearchBounds) -> Sizes:
        """Lower the variables that are not shown; that they are the least is not claimed."""
        certain = self._certain
        for variable in () if self._are_least_others(known, bounds) else self._others:
            if variable in known:
                low = least_magnitude(variable, _FLOORS[-1][0])
                known = self._replaced(known, (variable,), low) or known
                known = self._lowered_alone(known, variable, low, bounds)
                bounds = bounds.within(variable, known[variable], known[variable])
        self._certain = certain
        return known

    def _are_least_others(self, known: Sizes, bounds: SearchBounds) -> bool:
        """Return whether one question proves that no variable that is not shown can be lowered.

        Most follow from those that are shown, as quotients of these do. Where questions were given up it is not asked.
        """
        spent, lower = (self._questions, self._given_up), list[Formula]()
        for each in () if self._given_up else filter(known.__contains__, self._others):
            size, most = of_atom(each), abs(known[each]) - 1
            if most >= least_magnitude(each, _FLOORS[-1][0]):
                least = at_least(size, -most) if each in self._maybe_negative else TRUE
                lower.append(conjunction([at_least(most, size), least]))
        is_least = len(lower) > 1 and isinstance(self._ask(bounds.plus(disjunction(lower))), Unsatisfiable)
        self._questions, self._given_up = spent  # each of them may be decided all the same
        return is_least

    def _maximum(self, sizes: Sizes) -> int:
        return max((abs(sizes[each]) for each in self._ranked), default=0)

    def _total(self, sizes: Sizes) -> int:
        return sum(abs(sizes[each]) * count for each, count in self._counts.items())

    def _least_total(self, known: Sizes, small: Small) -> int:
        """Return the least sum of sizes whose maximum is that of the known ones."""
        leasts = {each: least_magnitude(each, small) for each in self._ranked}
        least = sum(each * self._counts[variable] for variable, each in leasts.items())
        return least + self._maximum(known) - max(leasts.values(), default=0)

    # Bounds ------------------------------------------------------------------------------------------------------

    def _floor(self, small: Small) -> SearchBounds:
        return SearchBounds(tuple((each, self._least(each, small), None) for each in self._shown))

    def _least(self, variable: Variable, small: Small) -> int | None:
        return variable.lower if preferred(variable) is None else least_magnitude(variable, small)

    def _up_to(self, bounds: SearchBounds, most: int) -> SearchBounds:
        ranges = ((each, -most if each in self._maybe_negative else None, most) for each in self._ranked)
        return SearchBounds((*bounds.ranges, *ranges), bounds.formulas)

    def _at_most_small(self, small: Small) -> Iterator[Formula]:
        """Yield formulas that no more sizes are 0, and no more are 0 or 1; each is counted by a new bit."""
        for level, most in ((1, small.zeros), (2, small.zeros + small.ones)):
            could = [each for each in self._ranked if (preferred(each) or 0) >= level and (each.lower or 0) < level]
            if most >= sum(self._counts[each] for each in could):
                continue
            bits = [of_atom(Variable.of(f"{each.text} below {level}", 0, 1)) for each in could]
            for each, bit in zip(could, bits, strict=True):
                yield disjunction([at_least(bit, 1), at_least(of_atom(each), level)])
            yield at_least(most, sum((bit * self._counts[each] for each, bit in zip(could, bits, strict=True)), dim(0)))

    def _is_above(self, small: Small, sizes: Sizes) -> bool:
        leasts = ((each, self._least(each, small)) for each in self._shown)
        return all(least is None or sizes.get(each, least) >= least for each, least in leasts)

    # Plain evaluation --------------------------------------------------------------------------------------------

    def _descended(self, known: Sizes) -> Sizes:
        """Return smaller sizes: each, or all that are equal to it, is lowered while the query stays satisfied."""
        for variable in self._ranked:
            alike = tuple(each for each in self._ranked if known[each] == known[variable])
            for group in ((variable,), alike) if len(alike) > 1 else ((variable,),):
                low = max(preferred(each) or 0 for each in group)
                while abs(known[variable]) > low:
                    better = self._halved(known, group, low)
                    if better is None:
                        break
                    known = better
        return known

    def _halved(self, known: Sizes, group: Sequence[Variable], low: int) -> Sizes | None:
        """Return the sizes with one of a few smaller numbers for a group, the smallest first, or None."""
        size = known[group[0]]
        gap = abs(size) - low
        while gap > 0:
            number = abs(size) - gap
            better = self._replaced(known, group, number if size >= 0 else -number)
            if better is not None:
                return better
            gap //= 2
        return None

    def _replaced(self, known: Sizes, group: Sequence[Variable], size: int) -> Sizes | None:
        """Return the known sizes with some replaced, if they still satisfy the query, or None."""
        sizes = {**known, **dict.fromkeys(group, size)}
        return sizes if self._still_holds(sizes, group) else None

    def _still_holds(self, sizes: Sizes, changed: Collection[Variable]) -> bool:
        """Return whether sizes satisfy the query, which held before some variables were changed."""
        about = (each for _, each in self._query if not each.variables.isdisjoint(changed))
        allowed = all(in_bounds(each, sizes[each]) for each in changed)
        return allowed and all(each.variables <= sizes.keys() and holds(each, sizes) for each in about)

    def _magnitude(self, variable: Variable) -> Dim:
        size = of_atom(variable)
        return maximum(size, -size) if variable in self._maybe_negative else size

    # Asking the solver -------------------------------------------------------------------------------------------

    def _lowered_alone(self, known: Sizes, variable: Variable, low: int, bounds: SearchBounds) -> Sizes:
        """Lower the magnitude of one variable, the others within bounds."""
        return self._lowered(
            known,
            lambda sizes: abs(sizes[variable]),
            low,
            lambda most: bounds.within(variable, -most if variable in self._maybe_negative else None, most),
        )

    def _lowered(
        self, known: Sizes, measure: Callable[[Sizes], int], low: int, bounded: Callable[[int], SearchBounds]
    ) -> Sizes:
        """Return sizes of the least measure from ``low`` on, by galloping and bisection.

        One less than what is known is tried first, since evaluation has often found the least, and again after the
        first sizes that are better; far from both ends, the next ones are near these by turns.
        """
        tried, gap, step, again, is_above = measure(known) - 1, 1, 1, True, False
        while low < measure(known):
            better = self._better(known, bounded(tried))
            if better is None:
                low, gap = tried + 1, gap * 2
            else:
                after = self._descended(better)
                known, step = (after if measure(after) <= measure(better) else better), step * 2
            is_next = again and better is not None
            again = again and not is_next
            most, middle = measure(known), (low + measure(known) - 1) // 2
            is_above = not is_above and most - low > MOST_BELIEVABLE
            tried = most - 1 if is_next else max(most - step, middle) if is_above else min(low + gap - 1, middle)
        return known

    def _model(self, small: Small) -> Sizes | Unsatisfiable | None:
        answer = self._ask(self._floor(small))
        found = answer if isinstance(answer, Unsatisfiable) else None
        return self._numbers(answer) if isinstance(answer, Satisfiable) else found

    def _believable(self, small: Small) -> Sizes | None:
        """Return believable sizes at or above the floor that satisfy the query, or None if the solver finds none."""
        ranges = ((each, self._least(each, small), MOST_BELIEVABLE) for each in self._shown)
        answer = self._ask(SearchBounds(tuple(ranges)))
        self._certain = self._certain and not isinstance(answer, GaveUp)
        return self._numbers(answer) if isinstance(answer, Satisfiable) else None

    def _better(self, known: Sizes, bounds: SearchBounds) -> Sizes | None:
        answer = self._ask(bounds)
        if isinstance(answer, Satisfiable):
            return {**known, **self._numbers(answer)}
        self._certain = self._certain and isinstance(answer, Unsatisfiable)
        return None

    def _numbers(self, answer: Satisfiable) -> dict[Variable, int]:
        """Return the numbers of the query's own variables, without the bits that count."""
        return {each: size for each, size in _numbers(answer.model).items() if each in self._own}

    def _ask(self, bounds: SearchBounds) -> Answer:
        labels = count(-1 - max((abs(label) for label, _ in self._query), default=0), -1)
        query = list(self._query)
        for variable, least, most in bounds.ranges:
            if least is not None and (variable.lower is None or least > variable.lower):
                query.append((next(labels), at_least(of_atom(variable), least)))
            if most is not None and (variable.upper is None or most < variable.upper):
                query.append((next(labels), at_least(most, of_atom(variable))))
        query.extend((next(labels), formula) for formula in bounds.formulas)
        if self._questions <= 0 or self._given_up >= self._most_given_up:
            return GaveUp(UndecidedReason.BUDGET, "enough questions were asked")
        self._questions -= 1
        steps = self._allowance.steps(self._budget)
        answer = self._solver.check(query, name=f"{self._name}-smallest", budget=steps, wants_core=False)
        if isinstance(answer, GaveUp):
            self._given_up += 1
            self._allowance.after_giving_up()
        return answer


def _numbers(model: Assignment) -> dict[Variable, int]:
    return {variable: size for variable, size in model.items() if isinstance(size, int)}
