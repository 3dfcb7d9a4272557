"""Sizes of a low maximum that satisfy an equation of products, found by solving it for one of them.

Where the sizes of a counterexample satisfy an equation such as ``a*b + c*d == 1000003``, none of them can be lowered
alone, and a solver needs much of its budget for each smaller maximum. Here, all but two sizes are set near the ends of
their range, one is counted through, and the other is computed. Nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from math import prod

from shapesolve.records import value_record
from shapesolve.solver.even_sizes import with_even_sizes
from shapesolve.solver.size_order import preferred
from shapesolve.solver.verdicts import Label
from shapesolve.symbolic.atoms import Variable
from shapesolve.symbolic.formula_kinds import Formula, IsZero
from shapesolve.symbolic.formulas import conjuncts

MOST_TIMES = 2
"""Largest ratio of a maximum that is tried to the least conceivable one."""

MOST_ENDS = 36
"""Choices of the sizes near the ends of their ranges, for each maximum and each pair of the two others."""

MOST_COUNTED = 1000
"""Values of one size for which the equation is solved, for each choice of the others."""

NEAR_END = 6
"""Values next to the end of its range that each size is given."""

Sizes = Mapping[Variable, int]


def with_lower_maximum(
    query: Sequence[tuple[Label, Formula]],
    known: Sizes,
    ranked: Sequence[Variable],
    accepted: Callable[[Sizes, Sizes], bool],
) -> Sizes:
    """Return sizes of a lower maximum that are one number or satisfy an equation of a query, or the known sizes.

    Args:
        query: Formulas that the known sizes satisfy.
        known: The sizes. Those that change are neither 0 nor 1 afterwards.
        ranked: The variables whose maximum counts.
        accepted: Whether sizes satisfy the whole query, given those that were changed.
    """
    known = with_even_sizes(query, known, ranked, accepted)
    highest = max((abs(known[each]) for each in ranked), default=0)
    for formula in (part for _, each in query for part in conjuncts(each)):
        equation = _equation(formula, known, ranked)
        if equation is None or any(abs(known[each]) == highest for each in ranked if each not in equation.least):
            continue
        lowest = equation.least_maximum(highest)
        for most in _rising(lowest, min(highest - 1, MOST_TIMES * lowest)):
            for found in equation.solutions(most):
                if accepted(sizes := {**known, **found}, found):
                    return sizes
    return known


def _rising(lowest: int, highest: int) -> Iterator[int]:
    """Yield numbers within bounds, each gap twice the one before."""
    number, gap = lowest, 1
    while number <= highest:
        yield number
        number, gap = number + gap, 2 * gap


@value_record
class _Equation:
    """Equation of products of variables: the sum of ``factor * product`` and a constant is 0.

    Attributes:
        least: The least value of each variable that may change.
    """

    terms: tuple[tuple[int, tuple[Variable, ...]], ...]
    constant: int
    least: dict[Variable, int]

    def least_maximum(self, highest: int) -> int:
        """Return the least maximum with which the sum may be 0, by bisection up to a maximum with which it is."""
        low = max(self.least.values())
        while low < highest:
            middle = (low + highest) // 2
            least, most = self._extreme(middle, -1), self._extreme(middle, 1)
            low, highest = (low, middle) if least <= 0 <= most else (middle + 1, highest)
        return low

    def solutions(self, most: int) -> Iterator[Sizes]:
        """Yield some solutions in which no variable exceeds ``most``."""
        for counted, solved in combinations(self.least, 2):
            others = [each for each in self.least if each not in (counted, solved)]
            ends = (self._near_end(each, most) for each in others)
            for numbers in islice(product(*ends), MOST_ENDS):
                chosen = dict(zip(others, numbers, strict=True))
                for pair in self._pairs(chosen, counted, solved, most):
                    yield {**chosen, **pair}

    def _pairs(self, chosen: Sizes, counted: Variable, solved: Variable, most: int) -> Iterator[Sizes]:
        """Yield the values of two variables that solve the equation, where the others have the chosen ones."""
        offset, slope, by, both = (
            self._coefficient(chosen, each) for each in ((), (solved,), (counted,), (counted, solved))
        )
        offset += self.constant
        least = self.least[solved]
        for number in islice(range(most, self.least[counted] - 1, -1), MOST_COUNTED):
            factor, rest = slope + both * number, offset + by * number
            if factor and rest % factor == 0 and least <= -rest // factor <= most:
                yield {counted: number, solved: -rest // factor}

    def _coefficient(self, chosen: Sizes, of: tuple[Variable, ...]) -> int:
        """Return the coefficient of a product of the variables that are not chosen."""
        return sum(
            factor * prod(chosen[each] for each in product if each in chosen)
            for factor, product in self.terms
            if {each for each in product if each not in chosen} == set(of)
        )

    def _near_end(self, variable: Variable, most: int) -> Sequence[int]:
        is_subtracted = any(factor < 0 for factor, product in self.terms if variable in product)
        values = range(self.least[variable], most + 1)
        return values[:NEAR_END] if is_subtracted else values[: -NEAR_END - 1 : -1]

    def _extreme(self, most: int, sign: int) -> int:
        """Return a bound of the sum where no variable exceeds ``most``: the upper one, or the lower one for -1."""
        return self.constant + sum(
            factor * prod(most if factor * sign > 0 else self.least[each] for each in product)
            for factor, product in self.terms
        )


def _equation(formula: Formula, known: Sizes, ranked: Sequence[Variable]) -> _Equation | None:
    """Return the equation that a formula is, with numbers for variables that are not ranked, if it has products."""
    if not isinstance(formula, IsZero) or all(monomial.degree < 2 for monomial, _ in formula.size.terms):
        return None
    least: dict[Variable, int] = {}
    terms: list[tuple[int, tuple[Variable, ...]]] = []
    for monomial, factor in formula.size.terms:
        changed: list[Variable] = []
        for atom, power in monomial.factors:
            if not isinstance(atom, Variable) or power > 1 or atom not in known:
                return None
            good = preferred(atom)
            if good is None or atom not in ranked:
                factor *= known[atom]
            else:
                changed.append(atom)
                least[atom] = good
        terms.append((factor, tuple(changed)))
    return _Equation(tuple(terms), formula.size.constant, least) if len(least) > 1 else None
