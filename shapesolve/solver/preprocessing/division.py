"""Elimination of division: every ``a // b`` becomes a fresh quotient, defined beside the formula.

The definitions are total: for all sizes there is exactly one quotient that satisfies them. So a query and its
division-free form are satisfied by the same sizes.

Also removes the remainders of fixed-width arithmetic: ``(x + 2**31) % 2**32 - 2**31`` is x wherever nothing wraps. A
program whose sizes go through 32-bit integers has such a remainder around every step. Where none of them wraps all
of them go, and the query that its author had in mind remains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product

from shapesolve.int64 import MAX_SIZE
from shapesolve.records import value_record
from shapesolve.solver.models import Query, in_bounds, sorting_key
from shapesolve.solver.propagation.bounds import centered
from shapesolve.solver.propagation.propagator import Propagator
from shapesolve.solver.propagation.trail import Justification, facts_of, merge
from shapesolve.solver.segment_axioms import COLUMN, Folds, Segments
from shapesolve.solver.verdicts import Label
from shapesolve.symbolic.atoms import Atom, Column, Quotient, Rank, Remainder, ShapeFold, Variable, variables_in
from shapesolve.symbolic.dims import ZERO, Dim, dim, of_atom
from shapesolve.symbolic.evaluation import CachedAssignment, holds
from shapesolve.symbolic.formula_kinds import TRUE, AnyFormula, Formula, IsNonNegative
from shapesolve.symbolic.formulas import at_least, conjunction, disjunction, equal, is_non_negative, less_than, negation
from shapesolve.symbolic.normal_forms import choose
from shapesolve.symbolic.segments import FOLDS
from shapesolve.symbolic.shape_kinds import ConcatShape, Shape, SliceShape, extent_bounds, unconditional
from shapesolve.symbolic.visitors import (
    ColumnClaim,
    Instantiation,
    Substitution,
    Transformer,
    atoms_within,
    rebuilt_sum,
    sizes_within,
)


class EveryColumn(Formula):
    """The formula that a body holds for every integer value of a variable (a column counted from the right)."""

    __slots__ = ()
    parts: tuple[Variable, Formula]

    def rebuilt(self, by: Transformer) -> Formula:
        raise TypeError(f"`{self}` is pure already")


MOST_COLUMNS = 12
"""Largest rank bound of a shape of unknown rank up to which its columns are enumerated."""

PureFormula = AnyFormula | EveryColumn
"""Formulas that a solver may receive; a division-free one has no division among its atoms."""


@value_record
class DivisionFree:
    """A formula without division.

    Attributes:
        definitions: Formulas that fix the fresh variables in the formula and in each other.
    """

    formula: Formula
    definitions: tuple[Formula, ...]
    variables: tuple[Variable, ...]
    """The size variables in both, fresh ones too, in the order of their names."""
    shapes: tuple[Shape, ...]
    """Those of which ranks or columns are in both: of unknown rank, or computed and defined by their parts."""
    is_linear: bool

    @property
    def pieces(self) -> tuple[Formula, ...]:
        """The formula and its definitions."""
        return (self.formula, *self.definitions)


Multiple = tuple[Dim, Dim]
"""A divisor and a variable that stands for a quotient by it."""


class DivisionEliminator(Substitution):
    """Eliminates division from formulas; equal divisions in different formulas share one fresh variable."""

    def __init__(self) -> None:
        super().__init__()
        self._quotients: dict[tuple[Dim, Dim], Dim] = {}
        self._definitions: dict[Variable, tuple[Formula, ...]] = {}
        self._pure: dict[Formula, DivisionFree] = {}
        self._columns: dict[tuple[Formula, Variable], EveryColumn] = {}
        self._column = COLUMN
        self._segments = Segments(self)
        self._folds = Folds(self)

    def purify(self, formula: Formula) -> DivisionFree:
        """Return the division-free form of a formula."""
        found = self._pure.get(formula)
        if found is None:
            found = self._pure[formula] = self._purified(self.formula(formula))
        return found

    def _purified(self, formula: Formula) -> DivisionFree:
        definitions: dict[Formula, None] = {}
        seen: set[Variable] = set()
        shapes: set[Shape] = set()
        linear = True
        waiting = [formula]
        while waiting:
            piece = waiting.pop()
            for size in sizes_within(piece):
                linear = linear and size.is_linear
                for atom in size.atoms():
                    if isinstance(atom, Variable):
                        seen.add(atom)
                        found = (*self._definitions.get(atom, ()), *self._folds.definitions(atom))
                        new = [each for each in found if each not in definitions]
                        definitions.update(dict.fromkeys(new))
                        waiting += new
                    elif isinstance(atom, Rank | Column):
                        shapes.add(atom.parts[0])
                        new = [each for each in self._segments.definitions(atom.parts[0]) if each not in definitions]
                        definitions.update(dict.fromkeys(new))
                        waiting += new
        return DivisionFree(
            formula,
            tuple(definitions),
            tuple(sorted(seen - {self._column}, key=sorting_key)),
            tuple(sorted(shapes, key=str)),
            linear,
        )

    def multiples(self, parts: Sequence[DivisionFree]) -> list[Multiple]:
        """Return the quotients that division-free formulas mention, each with its divisor if that is no number."""
        variables = variables_in(parts)
        return [
            (b, quotient)
            for (_, b), quotient in self._quotients.items()
            if not b.is_constant and quotient.atom in variables
        ]

    def quotient(self, a: Dim, b: Dim) -> Dim:
        """Return a fresh variable, or the normal form if the division vanishes in it after replacing its parts."""
        if (a, b) in self._quotients:
            return self._quotients[a, b]
        normal = a // b
        atom = normal.atom
        if not (isinstance(atom, Quotient) and atom.parts[0] is a and atom.parts[1] is b):
            fresh = self._without_division(normal)
        else:
            variable = Variable.of(f"quotient!{len(self._definitions)}", atom.lower, atom.upper)
            fresh = of_atom(variable)
            self._definitions[variable] = tuple(_definition(fresh, a, b))
        self._quotients[a, b] = fresh
        return fresh

    def remainder(self, a: Dim, b: Dim) -> Dim:
        return a - b * self.quotient(a, b)

    def _without_division(self, size: Dim) -> Dim:
        # The normal form took something out of the division; what is left may be divided still.
        return self.size(size) if any(isinstance(atom, Quotient | Remainder) for atom in size.atoms()) else size

    def column(self, whole: Shape, index: Dim) -> Dim:
        """Return the column. At the column that stands for all, a shape made of segments has a function of its own."""
        if isinstance(whole, ConcatShape | SliceShape) and self._column in index.variables:
            return of_atom(Column.of_parts((unconditional(whole), index), *extent_bounds(whole)))
        return super().column(whole, index)

    def fold(self, kind: type[ShapeFold], whole: Shape) -> Dim:
        rank = self.rank(whole)
        most = rank.bounds()[1]
        if most is None or most > MOST_COLUMNS:
            return self._folds.variable(kind, whole)
        columns = (choose(less_than(i, rank), self.column(whole, dim(i)), FOLDS[kind]()) for i in range(most))
        return FOLDS[kind](*columns)

    def every_column(self, shapes: Sequence[Shape], claim: ColumnClaim) -> Formula:
        most = [self.rank(whole).bounds()[1] for whole in shapes]
        known = max(each for each in most if each is not None) if None not in most else MAX_SIZE
        if known <= MOST_COLUMNS:
            columns = (claim(*(self.column(whole, dim(i)) for whole in shapes)) for i in range(known))
            return conjunction(columns)
        index = of_atom(self._column)
        return self.every(claim(*(self.column(whole, index) for whole in shapes)))

    def every(self, body: Formula) -> Formula:
        """Return the claim for every column, given the claim for one."""
        if self._column not in body.variables:
            return body
        key = (body, self._column)
        found = self._columns.get(key)
        if found is None:
            text = f"for every {self._column}: {body}"
            found = self._columns[key] = EveryColumn.new((self._column, body), text, body.variables - {self._column})
        return found


def _definition(quotient: Dim, a: Dim, b: Dim) -> Iterator[Formula]:
    rest = a - b * quotient
    if b.is_constant:
        # The normal form leaves positive constants only.
        yield is_non_negative(rest)
        yield less_than(rest, b)
        return
    low, high = b.bounds()
    if (low is None or low <= 0) and (high is None or high >= 0):
        yield disjunction((negation(equal(b, ZERO)), equal(quotient, ZERO)))
    if high is None or high > 0:
        yield disjunction((is_non_negative(-b), conjunction((is_non_negative(rest), less_than(rest, b)))))
    if low is None or low < 0:
        yield disjunction((is_non_negative(b), conjunction((is_non_negative(-rest), less_than(b, rest)))))


LEAST_MODULUS = 2**16
"""Remainders by smaller numbers are arithmetic of the program, not of its integers."""

BY_WRAPPING = "sizes that wrap around"
"""The strategy that tries them."""

MOST_TRIED = 600
"""Sizes that are tried where something wraps."""


@value_record
class Unwrapped:
    """A query without the remainders of fixed-width arithmetic, and the condition under which it is equivalent.

    Attributes:
        query: The query, equivalent to the original one where ``nothing_wraps``.
        nothing_wraps: The condition that no removed remainder wraps.
    """

    query: Query
    nothing_wraps: Formula
    because: frozenset[Label]
    """Formulas of the query that say more of this, as bounds of single sizes do: what they settle is left out."""


def unwrapped(query: Query) -> Unwrapped | None:
    """Return the query without large remainders; None if it has none."""
    if not any(_wraps(formula) for _, formula in query):
        return None
    plain = _Plain()
    formulas = [(label, plain.formula(formula)) for label, formula in query]
    propagator = Propagator()
    for label, formula in query:
        if isinstance(formula, IsNonNegative) and len(formula.variables) == 1 and formula.size.is_linear:
            propagator.intervals.learn(formula.size, label)
    open_ones: list[Formula] = []
    whys: list[Justification] = []
    for condition in plain.conditions:
        why = _within_bounds(condition, propagator)
        if why is None:
            open_ones.append(condition)
        else:
            whys.append(why)
    return Unwrapped(formulas, conjunction(open_ones), facts_of(merge(*whys)))


def _within_bounds(condition: Formula, propagator: Propagator) -> Justification | None:
    """Return the justification of a condition by bounds of single sizes, or None.

    Of a sum of sizes these give the least value itself: where it is negative, nothing else that they say helps.
    """
    size = condition.size if isinstance(condition, IsNonNegative) else None
    if size is None or not size.is_linear or not all(isinstance(each, Variable) for each in size.atoms()):
        return propagator.prove(condition)
    least = propagator.intervals.least(size)
    return least[1] if least is not None and least[0] >= 0 else None


@lru_cache(maxsize=1 << 14)  # the facts of one query stand in most others
def _wraps(formula: Formula) -> bool:
    return any(map(_is_wrap, atoms_within(formula)))


def _is_wrap(atom: object) -> bool:
    return isinstance(atom, Quotient | Remainder) and atom.parts[1].constant >= LEAST_MODULUS


class _Plain(Instantiation):
    """Replaces a large remainder by its dividend, with the coefficients reduced to the residues nearest to 0."""

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


def with_wrapped_sizes_named(query: Query) -> Query | None:
    """Return a weaker query, in which sizes that are cast to fixed width are any numbers of it; None if none is.

    Facts about the casts bound products of them then, whatever the sizes are that they were made of.
    """
    atoms = {atom for _, formula in query for atom in atoms_within(formula)}
    mark = "!"
    while any(isinstance(atom, Variable) and mark in atom.name for atom in atoms):
        mark += "!"  # the query may be a weaker one already
    named = _Named((atom for atom in atoms if isinstance(atom, Remainder) and _is_large(atom.parts[1])), f"cast{mark}")
    return [(label, named.formula(formula)) for label, formula in query] if named.found else None


class _Named(Instantiation):
    """Replaces ``(x + c) % b`` by a variable for a large b, and in other remainders by b also the congruent ``x``.

    Args:
        remainders: Remainders by large numbers.
        prefix: What the names of new variables begin with, and no other name.
    """

    def __init__(self, remainders: Iterable[Remainder], prefix: str) -> None:
        super().__init__({})
        self.found: dict[tuple[Dim, Dim], Dim] = {}
        self._congruent: dict[tuple[Atom, Dim], Dim] = {}
        for atom in sorted(remainders, key=lambda each: each.text):
            a, b = atom.parts
            x = (a - a.constant).atom
            if isinstance(x, Variable) and (x, b) not in self._congruent:
                half = b.constant // 2
                cast = of_atom(Variable.of(f"{prefix}{len(self.found)}", -half, b.constant - 1 - half))
                self.found[a, b] = cast + half
                self._congruent[x, b] = cast + half - a.constant

    def remainder(self, a: Dim, b: Dim) -> Dim:
        if (a, b) in self.found:
            return self.found[a, b]
        return rebuilt_sum(a, lambda atom: self._congruent.get((atom, b), of_atom(atom))) % b


def sizes_that_wrap(query: Query) -> dict[Variable, int] | None:
    """Return sizes that satisfy a query, tried near the powers of 2 where fixed-width integers wrap, then lowered."""
    formulas = [formula for _, formula in query]
    variables = sorted(variables_in(formulas), key=sorting_key)
    for numbers in _tried(len(variables)):
        sizes = dict(zip(variables, numbers, strict=True))
        if _satisfied(formulas, sizes):
            for variable in variables:
                _lower_by_bisection(variable, sizes, [each for each in formulas if variable in each.variables])
            return sizes
    return None


def _satisfied(formulas: Sequence[Formula], sizes: dict[Variable, int]) -> bool:
    if not all(map(in_bounds, sizes, sizes.values())):
        return False
    remembered = CachedAssignment(sizes)  # sizes that wrap hold the same deep atoms again and again
    return all(holds(each, remembered) for each in formulas)


def _lower_by_bisection(variable: Variable, sizes: dict[Variable, int], formulas: Sequence[Formula]) -> None:
    """Lower a size by halving the distance to 1 while the formulas hold; the result need not be the least one."""
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
