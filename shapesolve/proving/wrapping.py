"""Arithmetic of few bits: ``(x + 2**31) % 2**32 - 2**31`` is x wherever nothing wraps around.

A program whose sizes go through 32-bit integers has such a remainder around every step. Where none of them wraps all
of them go, and what is left is the question that its author had in mind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from shapesolve.language.atoms import Quotient, Remainder, Variable
from shapesolve.language.dims import Dim
from shapesolve.language.evaluation import Remembering, holds
from shapesolve.language.folding import atoms_within
from shapesolve.language.formulas import TRUE, Formula, IsNonNegative, at_least, conjunction
from shapesolve.language.substitution import Instantiation
from shapesolve.proving.checking import Query, in_bounds
from shapesolve.proving.division_bounds import centered
from shapesolve.proving.ledger import Ledger
from shapesolve.proving.purification import sorting_key
from shapesolve.proving.reasons import Why, facts_of, joined
from shapesolve.proving.solver import Label
from shapesolve.records import value_record

LEAST_MODULUS = 2**16
"""Remainders by smaller numbers are arithmetic of the program, not of its integers."""

BY_WRAPPING = "sizes that wrap around"
"""The rung that tries them."""

MOST_TRIED = 600
"""Sizes that are tried where something wraps."""


@value_record
class Unwrapped:
    """A query as it is where ``nothing_wraps``, which says so of every remainder that was taken away."""

    query: Query
    nothing_wraps: Formula
    because: frozenset[Label]
    """Formulas of the query that say more of this, as bounds of single sizes do: what they settle is left out."""


def unwrapped(query: Query) -> Unwrapped | None:
    """The query without large remainders; None where it has none."""
    if not any(_is_wrap(atom) for _, formula in query for atom in atoms_within(formula)):
        return None
    plain = _Plain()
    formulas = [(label, plain.formula(formula)) for label, formula in query]
    ledger = Ledger()
    for label, formula in query:
        if isinstance(formula, IsNonNegative) and len(formula.variables) == 1 and formula.size.is_linear:
            ledger.intervals.learn(formula.size, label)
    open_ones: list[Formula] = []
    whys: list[Why] = []
    for condition in plain.conditions:
        why = ledger.decide(condition)
        if why is None:
            open_ones.append(condition)
        else:
            whys.append(why)
    return Unwrapped(formulas, conjunction(open_ones), facts_of(joined(*whys)))


def _is_wrap(atom: object) -> bool:
    return isinstance(atom, Quotient | Remainder) and atom.parts[1].constant >= LEAST_MODULUS


class _Plain(Instantiation):
    """Puts the dividend for a large remainder, its multiples brought as near to 0 as they can be."""

    def __init__(self) -> None:
        super().__init__({})
        self.conditions: dict[Formula, None] = {}

    def quotient(self, a: Dim, b: Dim) -> Dim:
        return self._divided(a, b)[0] if _is_large(b) else a // b

    def remainder(self, a: Dim, b: Dim) -> Dim:
        return self._divided(a, b)[1] if _is_large(b) else a % b

    def _divided(self, a: Dim, b: Dim) -> tuple[Dim, Dim]:
        whole, rest = centered(a, b.constant)
        for condition in (at_least(rest, 0), at_least(b.constant - 1, rest)):
            if condition is not TRUE:
                self.conditions[condition] = None
        return whole, rest


def _is_large(size: Dim) -> bool:
    return size.is_constant and size.constant >= LEAST_MODULUS


def sizes_that_wrap(query: Query) -> dict[Variable, int] | None:
    """Sizes that satisfy a query, tried near the powers of 2 where integers of few bits wrap, then brought down."""
    formulas = [formula for _, formula in query]
    variables = sorted(frozenset[Variable]().union(*(each.variables for each in formulas)), key=sorting_key)
    for numbers in _tried(len(variables)):
        sizes = dict(zip(variables, numbers, strict=True))
        if _satisfied(formulas, sizes):
            for variable in variables:
                _bring_down(variable, sizes, [each for each in formulas if variable in each.variables])
            return sizes
    return None


def _satisfied(formulas: Sequence[Formula], sizes: dict[Variable, int]) -> bool:
    if not all(map(in_bounds, sizes, sizes.values())):
        return False
    remembered = Remembering(sizes)  # sizes that wrap hold the same deep atoms again and again
    return all(holds(each, remembered) for each in formulas)


def _bring_down(variable: Variable, sizes: dict[Variable, int], formulas: Sequence[Formula]) -> None:
    """Halve the way to 1 for as long as the formulas hold: a size from which on they do, not always the least one."""
    low, high = 0, sizes[variable]
    while high - low > 1:
        middle = 1 if low == 0 and high == sizes[variable] else (low + high) // 2
        if _satisfied(formulas, {**sizes, variable: middle}):
            high = middle
        else:
            low = middle
    sizes[variable] = high


def _tried(count: int) -> Iterator[tuple[int, ...]]:
    several = [1, 2**15, 2**16, 2**31 - 1, 3 * 2**14, 2**17 + 3, 2**31 - 4, 2, 2**16 + 1, 3, 2**20, 2**31]
    several += [2**16 - 1, 2**24, 2**30, 2**32 - 1, 2**32, 2**32 + 1, 2**62, 2**63 - 1]
    while several and len(several) ** count > MOST_TRIED:
        several.pop()
    return product(several, repeat=count)
