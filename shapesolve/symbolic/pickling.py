"""Pickles of terms: how another process makes each of them again, by its parts."""

from __future__ import annotations

from shapesolve.symbolic.atoms import Atom, Monomial, Variable
from shapesolve.symbolic.dims import Dim, weighted_sum
from shapesolve.symbolic.formula_kinds import TRUE, Constant, Formula
from shapesolve.symbolic.formulas import unpickled
from shapesolve.symbolic.shape_kinds import InvalidShape, RankedShape, ShapeOfShapes, SliceShape, UnrankedShape


def reduced(term: object) -> str | tuple[object, ...]:
    """Return what `__reduce__` does: a function and its arguments, or the name of a constant of the term's module."""
    match term:
        case Dim():
            return weighted_sum, (term.terms, term.constant)
        case Variable():
            return type(term).of, (term.name, term.lower, term.upper)
        case Atom():
            return type(term).of_parts, (term.parts, term.lower, term.upper)
        case Monomial():
            return Monomial.of, (term.factors,)
        case Constant():
            return "TRUE" if term is TRUE else "FALSE"
        case Formula():
            return unpickled, (type(term), term.parts, term.text, term.written)
        case RankedShape():
            return RankedShape.of, (term.dims, term.valid)
        case UnrankedShape():
            return UnrankedShape.of, (term.text,)
        case ShapeOfShapes():
            return type(term).of_parts, (term.parts, term.valid)
        case SliceShape():
            return SliceShape.of, (term.whole, term.start, term.stop, term.valid)
        case InvalidShape():
            return "INVALID"
        case _:
            raise TypeError(f"a term of kind {type(term).__name__} has no pickle")
