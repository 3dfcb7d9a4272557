"""Rebuilding sizes and formulas with some atoms replaced. The result is in normal form again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from shapesolve.language.atoms import (
    Atom,
    BroadcastExtent,
    Choice,
    Column,
    Maximum,
    Minimum,
    Quotient,
    Rank,
    Remainder,
    Variable,
)
from shapesolve.language.dims import Dim, dim, of_atom
from shapesolve.language.extremes import broadcast_extent, choose, maximum, minimum
from shapesolve.language.formulas import (
    FALSE,
    And,
    Compatible,
    CompatibleShapes,
    Formula,
    IsNonNegative,
    IsZero,
    Not,
    Or,
    SameShape,
    compatible,
    conjunction,
    disjunction,
    equal,
    is_non_negative,
    is_zero,
    negation,
)
from shapesolve.language.shapes import BroadcastShape, RankedShape, Shape, UnrankedShape, shape


class Substitution:
    """Replaces atoms from the inside out, each once. Subclasses say what an atom becomes.

    Shapes of unknown rank are taken apart: ranks and columns of a broadcast become those of its parts.
    """

    def __init__(self) -> None:
        self._atoms: dict[Atom, Dim] = {}
        self._sizes: dict[Dim, Dim] = {}
        self._formulas: dict[Formula, Formula] = {}

    def size(self, size: Dim) -> Dim:
        """The expression with its atoms replaced."""
        found = self._sizes.get(size)
        if found is None:
            found = self._sizes[size] = self._rebuilt(size)
        return found

    def _rebuilt(self, size: Dim) -> Dim:
        if all(self.atom(atom).atom is atom for atom in size.atoms()):
            return size
        total = dim(size.constant)
        for monomial, coefficient in size.terms:
            product = dim(coefficient)
            for atom, power in monomial.factors:
                product = product * self.atom(atom) ** power
            total = total + product
        return total

    def atom(self, atom: Atom) -> Dim:
        """What an atom becomes."""
        found = self._atoms.get(atom)
        if found is None:
            found = self._atoms[atom] = self._replaced(atom)
        return found

    def _replaced(self, atom: Atom) -> Dim:
        match atom:
            case Variable():
                return self.variable(atom)
            case Quotient(parts=(a, b)):
                return self.quotient(self.size(a), self.size(b))
            case Remainder(parts=(a, b)):
                return self.remainder(self.size(a), self.size(b))
            case BroadcastExtent(parts=parts):
                return broadcast_extent(*map(self.size, parts))
            case Maximum(parts=parts):
                return maximum(*map(self.size, parts))
            case Minimum(parts=parts):
                return minimum(*map(self.size, parts))
            case Choice(parts=(condition, a, b)):
                return choose(self.formula(condition), self.size(a), self.size(b))
            case Rank(parts=(whole,)):
                return self.rank(whole)
            case Column(parts=(whole, index)):
                return self.column(whole, self.size(index))
            case _:
                raise TypeError(f"cannot replace inside {atom!r}")

    def formula(self, formula: Formula) -> Formula:
        """The formula with its atoms replaced."""
        found = self._formulas.get(formula)
        if found is None:
            found = self._formulas[formula] = self._rewritten(formula)
        return found

    def _rewritten(self, formula: Formula) -> Formula:
        match formula:
            case IsZero(parts=(size,)):
                return is_zero(self.size(size))
            case IsNonNegative(parts=(size,)):
                return is_non_negative(self.size(size))
            case Compatible(parts=parts):
                return compatible(map(self.size, parts))
            case And(parts=parts):
                return conjunction(map(self.formula, parts))
            case Or(parts=parts):
                return disjunction(map(self.formula, parts))
            case Not(parts=(part,)):
                return negation(self.formula(part))
            case SameShape(parts=(a, b)):
                columns = self.every_column((a, b), lambda *columns: equal(*columns))
                return conjunction((equal(self.rank(a), self.rank(b)), columns))
            case CompatibleShapes(parts=parts):
                return self.every_column(parts, lambda *columns: compatible(columns))
            case _:
                return formula

    # What subclasses may change ----------------------------------------------------------------------------------

    def variable(self, variable: Variable) -> Dim:
        """What a variable becomes."""
        return of_atom(variable)

    def quotient(self, a: Dim, b: Dim) -> Dim:
        """What ``a // b`` becomes, its parts being replaced already."""
        return a // b

    def remainder(self, a: Dim, b: Dim) -> Dim:
        """What ``a % b`` becomes, its parts being replaced already."""
        return a % b

    def unranked(self, symbol: UnrankedShape) -> Shape:
        """What a shape of unknown rank becomes."""
        return symbol

    def every_column(self, shapes: Sequence[Shape], claim: ColumnClaim) -> Formula:
        """The claim about every column of some shapes."""
        raise NotImplementedError

    # Shapes ------------------------------------------------------------------------------------------------------

    def rank(self, whole: Shape) -> Dim:
        """The rank of a shape after the replacement."""
        match whole:
            case BroadcastShape(parts=parts):
                return maximum(*map(self.rank, parts))
            case UnrankedShape():
                return self.unranked(whole).rank
            case _:
                return whole.rank

    def column(self, whole: Shape, index: Dim) -> Dim:
        """A column of a shape after the replacement; ``index`` is replaced already."""
        match whole:
            case BroadcastShape(parts=parts):
                return broadcast_extent(*(self.column(part, index) for part in parts))
            case UnrankedShape():
                return self.unranked(whole).column(index)
            case RankedShape(dims=extents):
                return shape([self.size(extent) for extent in extents]).column(index)
            case _:
                return whole.column(index)


class ColumnClaim(Protocol):
    """A claim about one column of several shapes."""

    def __call__(self, *columns: Dim) -> Formula: ...


class Instantiation(Substitution):
    """Replaces variables by expressions and shapes of unknown rank by ranked ones."""

    def __init__(self, variables: Mapping[Variable, Dim], shapes: Mapping[Variable, RankedShape] | None = None) -> None:
        super().__init__()
        self._variables = variables
        self._shapes = shapes or {}

    def variable(self, variable: Variable) -> Dim:
        found = self._variables.get(variable)
        return of_atom(variable) if found is None else found

    def unranked(self, symbol: UnrankedShape) -> Shape:
        return self._shapes.get(symbol.symbol, symbol)

    def every_column(self, shapes: Sequence[Shape], claim: ColumnClaim) -> Formula:
        ranks = [self.rank(whole) for whole in shapes]
        if not all(rank.is_constant for rank in ranks):
            raise ValueError("every shape of unknown rank needs a replacement")
        count = max((rank.constant for rank in ranks), default=0)
        claims = [claim(*(self.column(whole, dim(i)) for whole in shapes)) for i in range(count)]
        return FALSE if FALSE in claims else conjunction(claims)
