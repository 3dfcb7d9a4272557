"""Ranks that a query fixes, and shape folds that it makes equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from shapesolve.records import value_record
from shapesolve.solver.verdicts import Label
from shapesolve.symbolic.atoms import Rank, ShapeFold, Variable
from shapesolve.symbolic.formula_kinds import Formula, IsNonNegative, IsZero, SameShape
from shapesolve.symbolic.formulas import conjunction, conjuncts, equal
from shapesolve.symbolic.segments import folded
from shapesolve.symbolic.shape_kinds import RankedShape, UnrankedShape
from shapesolve.symbolic.visitors import atoms_within

MOST_CHOICES = 16
"""Largest number of combinations of the ranks of all shapes that are enumerated, and largest rank in them."""


@value_record
class KnownRanks:
    """All ranks that some shapes of a query may have, and the labels of the formulas that say so."""

    choices: tuple[dict[Variable, int], ...]
    labels: frozenset[Label]


def known_ranks(query: Sequence[tuple[Label, Formula]], *, exact: bool) -> KnownRanks | None:
    """Return the ranks of those shapes of which the query says the rank, or, unless ``exact``, the largest rank.

    None where it says that of no shape, or where the ranks are too many.
    """
    fixed: dict[Variable, tuple[int, Label]] = {}
    most: dict[Variable, tuple[int, Label]] = {}
    for label, formula in query:
        for piece in conjuncts(formula):
            found = _rank_bound(piece)
            if found is not None:
                symbol, rank, is_exact = found
                known = fixed if is_exact else most
                if symbol not in known or rank < known[symbol][0]:
                    known[symbol] = (rank, label)
    known = fixed if exact else {**most, **fixed}
    symbols = sorted(known, key=str)
    ranges = [[known[each][0]] if each in fixed else range(known[each][0] + 1) for each in symbols]
    count = 1
    for ranks in ranges:
        count *= len(ranks)
    if not symbols or count > MOST_CHOICES or any(rank < 0 or rank > MOST_CHOICES for rank, _ in known.values()):
        return None
    choices = tuple(dict(zip(symbols, ranks, strict=True)) for ranks in product(*ranges))
    return KnownRanks(choices, frozenset(label for _, label in known.values()))


def _rank_bound(formula: Formula) -> tuple[Variable, int, bool] | None:
    """Return the rank that a shape has, or has at most, if a formula says that and nothing else."""
    match formula:
        case SameShape(parts=(RankedShape(dims=extents), UnrankedShape(symbol=symbol))):
            return symbol, len(extents), True
        case SameShape(parts=(UnrankedShape(symbol=symbol), RankedShape(dims=extents))):
            return symbol, len(extents), True
        case IsZero(parts=(size,)) | IsNonNegative(parts=(size,)) if len(size.terms) == 1:
            monomial, times = size.terms[0]
            atom = monomial.single
            if not isinstance(atom, Rank) or not isinstance(atom.parts[0], UnrankedShape):
                return None
            if isinstance(formula, IsZero) and abs(times) == 1:
                return atom.parts[0].symbol, -size.constant * times, True
            if isinstance(formula, IsNonNegative) and times == -1:
                return atom.parts[0].symbol, size.constant, False
            return None
        case _:
            return None


def with_equal_folds(query: Sequence[tuple[Label, Formula]]) -> list[tuple[Label, Formula]]:
    """Add to each formula that says that shapes are equal that their folds are, of the kinds in the query."""
    atoms = (atom for _, formula in query for atom in atoms_within(formula))
    kinds = tuple(dict.fromkeys(type(atom) for atom in atoms if isinstance(atom, ShapeFold)))
    return [(label, conjunction((formula, *_equal_folds(formula, kinds)))) for label, formula in query]


def _equal_folds(formula: Formula, kinds: Sequence[type[ShapeFold]]) -> Iterator[Formula]:
    for piece in conjuncts(formula) if kinds else ():
        if isinstance(piece, SameShape):
            a, b = piece.parts
            yield from (equal(folded(kind, a), folded(kind, b)) for kind in kinds)
