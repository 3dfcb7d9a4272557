"""Visitors and transformers: one traversal of sizes and formulas for everything that reads or rewrites them.

A `Visitor` interprets sizes and formulas for one purpose and reads every node once. A `Transformer` rewrites: atoms and
formulas know their parts, so it implements only the kinds that change. `sizes_within` searches inside.

A `match` over every kind ends with `unhandled`: the type checker reports the file where a new kind is missing, and
unchecked code stops instead of skipping the kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Generic, Never, Protocol, TypeVar

from shapesolve.symbolic.atoms import Atom, MinMax, Quotient, Remainder, ShapeFold, Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.formula_kinds import (
    FALSE,
    TRUE,
    And,
    Comparison,
    CompatibleShapes,
    Formula,
    Not,
    Or,
    SameShape,
)
from shapesolve.symbolic.formulas import COMPARISONS, compatible, conjunction, disjunction, equal, less_than, negation
from shapesolve.symbolic.normal_forms import EXTREMES, broadcast_extent, choose, maximum
from shapesolve.symbolic.segments import concatenated, folded, sliced
from shapesolve.symbolic.shape_kinds import (
    BroadcastShape,
    ConcatShape,
    RankedShape,
    Shape,
    SliceShape,
    UnrankedShape,
    slice_column,
    slice_ends,
)
from shapesolve.symbolic.shapes import broadcast_of_unranked, compatible_extents, same_extents, shape

S = TypeVar("S")
F = TypeVar("F")


class UnhandledKindError(TypeError):
    """A kind of atom, formula or shape is not handled: a defect of this program, not of its input."""


def unhandled(node: Never, where: str) -> UnhandledKindError:
    """Return the error for the end of a `match` over every kind; the type checker reports it if it is reachable."""
    return UnhandledKindError(f"{where} does not know the kind {type(node).__name__}, of which `{node}` is one")


class Visitor(ABC, Generic[S, F]):
    """Interpretation of sizes as S and formulas as F. Every node is read once, and cached by identity."""

    def __init__(self) -> None:
        self._sizes: dict[Dim, S] = {}
        self._atoms: dict[Atom, S] = {}
        self._formulas: dict[Formula, F] = {}

    def size(self, size: Dim) -> S:
        """Return the interpretation of an expression."""
        found = self._sizes.get(size)
        if found is None:
            found = self._sizes[size] = self.read_size(size)
        return found

    def atom(self, atom: Atom) -> S:
        """Return the interpretation of an atom."""
        found = self._atoms.get(atom)
        if found is None:
            found = self._atoms[atom] = self.read_atom(atom)
        return found

    def formula(self, formula: Formula) -> F:
        """Return the interpretation of a formula."""
        found = self._formulas.get(formula)
        if found is None:
            found = self._formulas[formula] = self.read_formula(formula)
        return found

    @abstractmethod
    def read_size(self, size: Dim) -> S:
        """Interpret a sum of products that is not cached."""

    @abstractmethod
    def read_atom(self, atom: Atom) -> S:
        """Interpret an atom that is not cached."""

    @abstractmethod
    def read_formula(self, formula: Formula) -> F:
        """Interpret a formula that is not cached."""


class Transformer(ABC):
    """Rewriting of the parts of atoms and formulas. Kinds with special parts call the method of their name."""

    @abstractmethod
    def size(self, size: Dim) -> Dim:
        """Transform an expression."""

    @abstractmethod
    def formula(self, formula: Formula) -> Formula:
        """Transform a formula."""

    def variable(self, variable: Variable) -> Dim:
        """Transform a variable."""
        return of_atom(variable)

    def quotient(self, a: Dim, b: Dim) -> Dim:
        """Transform ``a // b``, whose parts are transformed already."""
        return a // b

    def remainder(self, a: Dim, b: Dim) -> Dim:
        """Transform ``a % b``, whose parts are transformed already."""
        return a % b

    def extreme(self, kind: type[MinMax], parts: Iterable[Dim]) -> Dim:
        """Transform a minimum, maximum or broadcast extent, whose parts are transformed already."""
        return EXTREMES[kind](*parts)

    def choice(self, condition: Formula, a: Dim, b: Dim) -> Dim:
        """Transform a conditional size, whose parts are transformed already."""
        return choose(condition, a, b)

    def rank(self, whole: Shape) -> Dim:
        """Transform the rank of a shape of unknown rank."""
        return whole.rank

    def column(self, whole: Shape, index: Dim) -> Dim:
        """Transform a column of a shape of unknown rank; ``index`` is transformed already."""
        return whole.column(index)

    def fold(self, kind: type[ShapeFold], whole: Shape) -> Dim:
        """Transform a fold over a shape of unknown rank."""
        return folded(kind, whole)

    def comparison(self, kind: type[Comparison], size: Dim) -> Formula:
        """Transform a comparison of a size with 0, which is transformed already."""
        return COMPARISONS[kind](size)

    def compatible(self, sizes: Iterable[Dim]) -> Formula:
        """Transform the compatibility of sizes, which are transformed already."""
        return compatible(sizes)

    def conjunction(self, parts: Iterable[Formula]) -> Formula:
        """Transform a conjunction, whose parts are transformed already."""
        return conjunction(parts)

    def disjunction(self, parts: Iterable[Formula]) -> Formula:
        """Transform a disjunction, whose parts are transformed already."""
        return disjunction(parts)

    def same_shape(self, formula: SameShape) -> Formula:
        """Transform the equality of shapes of unknown rank."""
        return formula

    def compatible_shapes(self, formula: CompatibleShapes) -> Formula:
        """Transform the compatibility of shapes of unknown rank."""
        return formula


def rebuilt_sum(size: Dim, atom: Callable[[Atom], Dim]) -> Dim:
    """Return the expression with its atoms replaced, or the expression itself if all of them stay the same."""
    if all(atom(each).atom is each for each in size.atoms()):
        return size
    total = dim(size.constant)
    for monomial, coefficient in size.terms:
        product = dim(coefficient)
        for each, power in monomial.factors:
            product = product * atom(each) ** power
        total = total + product
    return total


def on_comparisons(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """Return the formula with every part that is no connective transformed."""
    match formula:
        case And(parts=parts):
            return conjunction(on_comparisons(part, change) for part in parts)
        case Or(parts=parts):
            return disjunction(on_comparisons(part, change) for part in parts)
        case Not(parts=(part,)):
            return negation(on_comparisons(part, change))
        case _:
            return change(formula)


def sizes_within(whole: Dim | Formula, closed: tuple[type[Atom], ...] = ()) -> Iterator[Dim]:
    """Yield every expression in a term, each once, those inside atoms too: outer before inner, from left to right.

    Atoms of the ``closed`` kinds are not entered.
    """
    waiting: list[object] = [whole]
    seen: set[Dim] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, Dim):
            if node not in seen:
                seen.add(node)
                yield node
                waiting.extend(reversed([*node.atoms()]))
        elif isinstance(node, Formula) or (isinstance(node, Atom) and not isinstance(node, closed)):
            waiting.extend(reversed(node.parts))
        elif isinstance(node, Shape):
            waiting.extend(reversed(node.inner))


def atoms_within(whole: Dim | Formula) -> Iterator[Atom]:
    """Yield every atom in a term, those inside other atoms too."""
    for size in sizes_within(whole):
        yield from size.atoms()


def leaves_of(formula: Formula) -> list[Formula]:
    """Return the parts of a formula that are neither conjunctions nor disjunctions."""
    return [each for part in formula.parts for each in leaves_of(part)] if isinstance(formula, And | Or) else [formula]


def has_division(whole: Dim | Formula) -> bool:
    """Return whether a quotient or a remainder occurs in a term."""
    return any(isinstance(each, Quotient | Remainder) for each in atoms_within(whole))


class Substitution(Visitor[Dim, Formula], Transformer):
    """Replacement of atoms from the inside out, each once. Subclasses define the replacements.

    Shapes of unknown rank are taken apart: ranks and columns of a broadcast become those of its parts.
    """

    def read_size(self, size: Dim) -> Dim:
        return rebuilt_sum(size, self.atom)

    def read_atom(self, atom: Atom) -> Dim:
        return atom.rebuilt(self)

    def read_formula(self, formula: Formula) -> Formula:
        return formula.rebuilt(self)

    def same_shape(self, formula: SameShape) -> Formula:
        a, b = formula.parts
        columns = self.every_column((a, b), lambda *columns: equal(*columns))
        return conjunction((equal(self.rank(a), self.rank(b)), columns))

    def compatible_shapes(self, formula: CompatibleShapes) -> Formula:
        return self.every_column(formula.parts, lambda *columns: compatible(columns))

    # What subclasses may change, beside what a `Transformer` may ---------------------------------------------------

    def unranked(self, symbol: UnrankedShape) -> Shape:
        """Transform a shape variable of unknown rank."""
        return symbol

    @abstractmethod
    def every_column(self, shapes: Sequence[Shape], claim: ColumnClaim) -> Formula:
        """Return the claim about every column of some shapes."""

    # Shapes ------------------------------------------------------------------------------------------------------

    def rank(self, whole: Shape) -> Dim:
        match whole:
            case BroadcastShape(parts=parts):
                return maximum(*map(self.rank, parts))
            case ConcatShape(parts=parts):
                return sum(map(self.rank, parts), dim(0))
            case SliceShape(whole=inner, start=start, stop=stop):
                first, last = slice_ends(self.rank(inner), self.size(start), self.size(stop))
                return last - first
            case UnrankedShape():
                return self.unranked(whole).rank
            case _:
                return whole.rank

    def column(self, whole: Shape, index: Dim) -> Dim:
        match whole:
            case BroadcastShape(parts=parts):
                return broadcast_extent(*(self.column(part, index) for part in parts))
            case ConcatShape(parts=parts):
                *before, last = parts
                rank, rest = self.rank(last), concatenated(before)
                return choose(less_than(index, rank), self.column(last, index), self.column(rest, index - rank))
            case SliceShape(whole=inner, start=start, stop=stop):
                rank = self.rank(inner)
                column = partial(self.column, inner)
                return slice_column(rank, self.size(start), self.size(stop), index, column)
            case UnrankedShape():
                return self.unranked(whole).column(index)
            case RankedShape(dims=extents):
                return shape([self.size(extent) for extent in extents]).column(index)
            case _:
                return whole.column(index)


def with_sizes(
    whole: Shape, size: Callable[[Dim], Dim], symbol: Callable[[UnrankedShape], Shape] = lambda symbol: symbol
) -> Shape:
    """Return the shape, valid or not, rebuilt with its sizes and shape variables transformed."""

    def again(part: Shape) -> Shape:
        return with_sizes(part, size, symbol)

    match whole:
        case BroadcastShape(parts=parts):
            return broadcast_of_unranked(tuple(map(again, parts)), TRUE)
        case UnrankedShape():
            return symbol(whole)
        case RankedShape(dims=extents):
            return RankedShape.of(map(size, extents))
        case ConcatShape(parts=parts):
            return concatenated(map(again, parts))
        case SliceShape(whole=inner, start=start, stop=stop):
            return sliced(again(inner), size(start), size(stop))
        case _:
            return whole


class ColumnClaim(Protocol):
    """Claim about one column of several shapes."""

    def __call__(self, *columns: Dim) -> Formula: ...


class Instantiation(Substitution):
    """Substitution of expressions for variables and of ranked shapes for shape variables.

    Claims about shapes become claims column by column where all of the shapes get a rank, and stay claims about the
    shapes otherwise.
    """

    def __init__(self, variables: Mapping[Variable, Dim], shapes: Mapping[Variable, RankedShape] | None = None) -> None:
        super().__init__()
        self._variables = variables
        self._shapes = shapes or {}

    def variable(self, variable: Variable) -> Dim:
        found = self._variables.get(variable)
        return of_atom(variable) if found is None else found

    def unranked(self, symbol: UnrankedShape) -> Shape:
        return self._shapes.get(symbol.symbol, symbol)

    def same_shape(self, formula: SameShape) -> Formula:
        if self._are_ranked(formula.parts):
            return super().same_shape(formula)
        return same_extents(*map(self._whole, formula.parts))

    def compatible_shapes(self, formula: CompatibleShapes) -> Formula:
        if self._are_ranked(formula.parts):
            return super().compatible_shapes(formula)
        return compatible_extents(map(self._whole, formula.parts))

    def _are_ranked(self, shapes: Sequence[Shape]) -> bool:
        return all(self.rank(whole).is_constant for whole in shapes)

    def _whole(self, whole: Shape) -> Shape:
        """Return the instantiated shape, whether it is valid or not."""
        return with_sizes(whole, self.size, self.unranked)

    def fold(self, kind: type[ShapeFold], whole: Shape) -> Dim:
        return folded(kind, self._whole(whole))

    def every_column(self, shapes: Sequence[Shape], claim: ColumnClaim) -> Formula:
        ranks = [self.rank(whole) for whole in shapes]
        count = max((rank.constant for rank in ranks), default=0)
        claims = [claim(*(self.column(whole, dim(i)) for whole in shapes)) for i in range(count)]
        return FALSE if FALSE in claims else conjunction(claims)


class With(Instantiation):
    """Substitution of a value for one atom."""

    def __init__(self, atom: Atom, value: Dim) -> None:
        super().__init__({})
        self._atom = atom
        self._value = value

    def read_atom(self, atom: Atom) -> Dim:
        return self._value if atom is self._atom else super().read_atom(atom)
