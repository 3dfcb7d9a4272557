"""One way through sizes and formulas, for everything that reads or rewrites them.

A `Fold` reads: it says what sizes and formulas are for one purpose, and every node is read once. A `Rebuilder` writes:
atoms and formulas know their parts, so it says only what is not made again as it was. What neither reads nor writes but
looks for something inside uses `sizes_within`.

Who says something about every kind ends its `match` with `left_out`: the type checker names the file where a new kind
is missing, and where nobody asked it, the program stops instead of skipping the kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Generic, Never, TypeVar

from shapesolve.language.atoms import Atom
from shapesolve.language.dims import Dim, dim, of_atom
from shapesolve.language.formula_kinds import And, Formula, Not, Or
from shapesolve.language.formulas import conjunction, disjunction, negation
from shapesolve.language.segments import folded
from shapesolve.language.shape_kinds import Shape

if TYPE_CHECKING:
    from shapesolve.language.atoms import ShapeFold, Variable
    from shapesolve.language.formula_kinds import CompatibleShapes, SameShape

S = TypeVar("S")
F = TypeVar("F")


class NoMeaning(TypeError):
    """A kind of atom, formula or shape was forgotten somewhere: a defect of this program, not of its input."""


def left_out(node: Never, where: str) -> NoMeaning:
    """What the end of a `match` over every kind raises; the type checker refuses it where something can get there."""
    return NoMeaning(f"{where} does not know the kind {type(node).__name__}, of which `{node}` is one")


class Fold(ABC, Generic[S, F]):
    """What sizes (S) and formulas (F) are for one purpose. Every node is read once, and remembered by identity."""

    def __init__(self) -> None:
        self._sizes: dict[Dim, S] = {}
        self._atoms: dict[Atom, S] = {}
        self._formulas: dict[Formula, F] = {}

    def size(self, size: Dim) -> S:
        """What an expression is."""
        found = self._sizes.get(size)
        if found is None:
            found = self._sizes[size] = self.read_size(size)
        return found

    def atom(self, atom: Atom) -> S:
        """What an atom is."""
        found = self._atoms.get(atom)
        if found is None:
            found = self._atoms[atom] = self.read_atom(atom)
        return found

    def formula(self, formula: Formula) -> F:
        """What a formula is."""
        found = self._formulas.get(formula)
        if found is None:
            found = self._formulas[formula] = self.read_formula(formula)
        return found

    @abstractmethod
    def read_size(self, size: Dim) -> S:
        """What a sum of products is, not asked before."""

    @abstractmethod
    def read_atom(self, atom: Atom) -> S:
        """What an atom is, not asked before."""

    @abstractmethod
    def read_formula(self, formula: Formula) -> F:
        """What a formula is, not asked before."""


class Rebuilder(ABC):
    """What the parts of atoms and formulas become. Kinds that need more than that ask for it by name."""

    @abstractmethod
    def size(self, size: Dim) -> Dim:
        """What an expression becomes."""

    @abstractmethod
    def formula(self, formula: Formula) -> Formula:
        """What a formula becomes."""

    def variable(self, variable: Variable) -> Dim:
        """What a variable becomes."""
        return of_atom(variable)

    def quotient(self, a: Dim, b: Dim) -> Dim:
        """What ``a // b`` becomes, its parts being replaced already."""
        return a // b

    def remainder(self, a: Dim, b: Dim) -> Dim:
        """What ``a % b`` becomes, its parts being replaced already."""
        return a % b

    def rank(self, whole: Shape) -> Dim:
        """What the rank of a shape of unknown rank becomes."""
        return whole.rank

    def column(self, whole: Shape, index: Dim) -> Dim:
        """What a column of a shape of unknown rank becomes, ``index`` being replaced already."""
        return whole.column(index)

    def fold(self, kind: type[ShapeFold], whole: Shape) -> Dim:
        """What a fold over a shape of unknown rank becomes."""
        return folded(kind, whole)

    def same_shape(self, formula: SameShape) -> Formula:
        """What the equality of shapes of unknown rank becomes."""
        return formula

    def compatible_shapes(self, formula: CompatibleShapes) -> Formula:
        """What the compatibility of shapes of unknown rank becomes."""
        return formula


def rebuilt_sum(size: Dim, atom: Callable[[Atom], Dim]) -> Dim:
    """The sum of products of what its atoms become; the expression itself where they stay as they are."""
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
    """The formula with every part that is no connective changed."""
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
    """Every expression in it, each once, those inside atoms too: the outer before the inner, from left to right.

    Nothing is looked for inside atoms of the ``closed`` kinds.
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
    """Every atom in it, those inside other atoms too."""
    for size in sizes_within(whole):
        yield from size.atoms()
