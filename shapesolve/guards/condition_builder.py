"""Builder that writes a formula as operations.

Each size and each part of a formula is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import reduce
from itertools import combinations

from shapesolve.guards.comparisons import (
    Comparison,
    IsKnown,
    comparisons,
    exact_comparisons,
    fits_wide,
    has_free_number,
    is_sum,
)
from shapesolve.guards.dialects import NotExpressibleError, Relation, Terms
from shapesolve.guards.value_sources import HeldElements, ValueSource
from shapesolve.int64 import MIN_INDEX
from shapesolve.ir.bindings import Bindings
from shapesolve.symbolic.atoms import (
    Atom,
    BroadcastExtent,
    Choice,
    Column,
    Maximum,
    Minimum,
    Monomial,
    Product,
    Quotient,
    Rank,
    Remainder,
    ShapeSymbol,
    Variable,
)
from shapesolve.symbolic.dims import ZERO, Dim, dim
from shapesolve.symbolic.formula_kinds import (
    TRUE,
    And,
    Compatible,
    CompatibleShapes,
    Constant,
    Formula,
    IsNonNegative,
    IsZero,
    Not,
    Or,
    SameShape,
)
from shapesolve.symbolic.formulas import at_least
from shapesolve.symbolic.shape_kinds import ConcatShape, RankedShape, Shape, SliceShape, UnrankedShape


class ConditionWriter:
    """Writes formulas in the terms of a dialect.

    Args:
        sources: The value sources of the formulas' variables.
        is_known: Returns whether preceding checks, and further formulas, imply a formula.
        computed: The numbers that the program computes in every run, and so takes not to overflow.

    Attributes:
        is_exact: Whether no sum or product of what was written so far may overflow.
    """

    def __init__(
        self,
        terms: Terms,
        sources: Mapping[Variable, ValueSource],
        is_known: IsKnown = lambda formula, given: False,
        computed: Container[object] = (),
    ) -> None:
        self._terms = terms
        self._sources = sources
        self._is_known = is_known
        self._computed = computed
        self.is_exact = True
        self._sizes: dict[Dim, Bindings] = {}
        self._truths: dict[Formula, Bindings] = {}
        self._read: dict[Variable, Bindings] = {}

    def write(self, formula: Formula) -> Bindings:
        """Write the truth of a formula.

        Raises:
            NotExpressibleError: It cannot be written; nothing is.
        """
        known = (self._sizes, self._truths, self._read, self._terms.constants)
        before = self._terms.insertion.inserted, [len(each) for each in known]
        try:
            return self._of(formula)
        except NotExpressibleError:
            for each, count in zip(known, before[1], strict=True):
                for key in list(each)[count:]:
                    each.pop(key)  # pyright: ignore[reportArgumentType]
            self._terms.insertion.roll_back(before[0])
            raise

    def _of(self, formula: Formula) -> Bindings:
        found = self._truths.get(formula)
        if found is None:
            found = self._truths[formula] = self._truth(formula)
        return found

    def _truth(self, formula: Formula) -> Bindings:
        match formula:
            case Constant():
                return self._terms.compared(self.size(dim(0)), "==", self.size(dim(0 if formula is TRUE else 1)))
            case IsZero():
                return self._compared(formula.size, "==")
            case IsNonNegative():
                return self._compared(formula.size, ">=")
            case Compatible():
                return self._compatible(formula.parts)
            case And():
                return self._joined("both", map(self._of, formula.parts))
            case Or():
                return self._joined("either", map(self._of, formula.parts))
            case Not():
                return self._terms.opposite(self._of(formula.parts[0]))
            case SameShape():
                return self._compare_shapes("same", formula.parts)
            case CompatibleShapes():
                return self._compare_shapes("together", formula.parts)
            case _:
                raise NotExpressibleError(f"there is no operation for `{formula}`")

    def _joined(self, word: str, truths: Iterable[Bindings]) -> Bindings:
        return reduce(lambda a, b: self._terms.compute_truth(word, a, b), truths)

    def _compared(self, size: Dim, relation: Relation) -> Bindings:
        """Write that a size is 0, or that it is at least 0."""
        found = exact_comparisons(size, relation, self._is_known, self._computed)
        if found is None and has_free_number(size) and (relation != "==" or is_sum(size)):
            return self._compared_wide(next(comparisons(size, relation)))
        self.is_exact &= found is not None
        ways = found or [next(comparisons(size, relation))]
        parts = (self._terms.compared(self.size(each.left), each.relation, self.size(each.right)) for each in ways)
        return self._joined("both", parts)

    def _compared_wide(self, way: Comparison) -> Bindings:
        """Write a comparison of sums and products in numbers of twice the width."""
        if not (fits_wide(way.left) and fits_wide(way.right)):
            raise NotExpressibleError(f"`{way.left} {way.relation} {way.right}` may overflow")
        return self._terms.compared(self._wide(way.left), way.relation, self._wide(way.right))

    def _wide(self, size: Dim) -> Bindings:
        """Write a polynomial in numbers of twice the width."""
        parts: list[Bindings] = []
        for monomial, times in size.terms:
            factors = [self._atom(atom) for atom, power in monomial.factors for _ in range(power)]
            factors += [self._terms.constant(times)] if times != 1 else []
            parts.append(reduce(self._terms.multiply_wide, map(self._terms.widened, factors)))
        if size.constant or not parts:
            parts.append(self._terms.widened(self._terms.constant(size.constant)))
        return reduce(self._terms.add_wide, parts)

    def _compatible(self, parts: Sequence[Dim]) -> Bindings:
        sizes = [self.size(each) for each in parts]
        ones = [None if each.is_constant else self._is_one(size) for each, size in zip(parts, sizes, strict=True)]
        pairs: list[Bindings] = []
        for (a, a_is_one), (b, b_is_one) in combinations(zip(sizes, ones, strict=True), 2):
            ways = [self._terms.compared(a, "==", b), a_is_one, b_is_one]
            pairs.append(self._joined("either", (each for each in ways if each is not None)))
        return self._joined("both", pairs)

    def _is_one(self, size: Bindings) -> Bindings:
        return self._terms.compared(size, "==", self.size(dim(1)))

    def _compare_shapes(self, word: str, shapes: Sequence[Shape]) -> Bindings:
        return self._terms.compare_shapes(word, [self._shape(each) for each in shapes])

    def _shape(self, shape: Shape) -> Bindings:
        """Write a value that has a shape, or is one."""
        match shape:
            case UnrankedShape():
                return self._source(shape.symbol)
            case RankedShape() if shape.valid is TRUE:
                return self._terms.shape_of_extents([self.size(each) for each in shape.dims])
            case ConcatShape() if shape.valid is TRUE:
                return self._terms.concatenation([self._shape(each) for each in shape.parts])
            case SliceShape():
                part = self._shape(shape.whole)
                if shape.stop is not shape.whole.rank:
                    part = self._terms.split_shape(part, self._position(shape.stop))[0]
                return part if shape.start is ZERO else self._terms.split_shape(part, self._position(shape.start))[1]
            case _:
                raise NotExpressibleError(f"the shape `{shape}` is computed")

    def _position(self, position: Dim) -> Bindings:
        """Write a position among the extents of a shape; what is left of the first is that one."""
        least = position.bounds()[0]
        number = self.size(position)
        is_natural = least is not None and least >= 0
        return number if is_natural else self._terms.compute_number("greatest", number, self._terms.constant(0))

    # Sizes -----------------------------------------------------------------------------------------------------------

    def size(self, size: Dim) -> Bindings:
        """Write the number that a size is.

        Raises:
            NotExpressibleError: It cannot be written.
        """
        found = self._sizes.get(size)
        if found is None:
            found = self._sizes[size] = self._size(size)
        return found

    def _size(self, size: Dim) -> Bindings:
        added = [self._scaled(monomial, times) for monomial, times in size.terms if times > 0]
        if size.constant or not added:
            added.append(self._terms.constant(size.constant))
        subtracted = [self._scaled(monomial, -times) for monomial, times in size.terms if times < 0]
        return self._number("subtract", [self._number("add", added), *subtracted])

    def _scaled(self, monomial: Monomial, coefficient: int) -> Bindings:
        factors = [self._atom(atom) for atom, power in monomial.factors for _ in range(power)]
        if coefficient != 1:
            factors.append(self._terms.constant(coefficient))
        return self._number("multiply", factors)

    def _number(self, word: str, numbers: Iterable[Bindings]) -> Bindings:
        return reduce(lambda a, b: self._terms.compute_number(word, a, b), numbers)

    def _atom(self, atom: Atom) -> Bindings:
        match atom:
            case ShapeSymbol():
                raise NotExpressibleError(f"`{atom}` is a shape")
            case Variable():
                return self._source(atom)
            case Quotient() | Remainder():
                return self._divided(*atom.parts, quotient=isinstance(atom, Quotient))
            case BroadcastExtent():
                return reduce(self._broadcast, map(self.size, atom.parts))
            case Maximum():
                return self._number("greatest", map(self.size, atom.parts))
            case Minimum():
                return self._number("least", map(self.size, atom.parts))
            case Choice():
                condition, a, b = atom.parts
                return self._terms.compute_number("choose", self._of(condition), self.size(a), self.size(b))
            case Rank():
                return self._rank(atom.parts[0])
            case Product():
                return self._terms.element_count(self._shape(atom.parts[0]))
            case Column():
                return self._column(*atom.parts)
            case _:
                raise NotExpressibleError(f"there is no operation for `{atom}`")

    def _rank(self, shape: Shape) -> Bindings:
        held = self._held(shape)
        if held is None:
            return self._terms.rank(self._shape(shape))
        return self._terms.extent_at(held.tensor, self._terms.constant(0))

    def _column(self, shape: Shape, index: Dim) -> Bindings:
        """Write an extent of a shape counted from the right, which is 1 beyond its rank."""
        held = self._held(shape)
        rank = shape.rank if held is None else held.length
        from_left = rank - 1 - index
        position = self.size(from_left)
        inside: list[Bindings] = []
        if not _is_natural_constant(from_left):
            inside.append(self._terms.compared(position, ">=", self._terms.constant(0)))
        if not _is_natural_constant(index):
            inside.append(self._terms.compared(self.size(rank), ">", position))
        read = self._extent_reader(shape, position) if held is None else self._element_reader(held, position)
        return self._terms.computed_if(self._joined("both", inside), read, self._terms.constant(1))

    def _extent_reader(self, shape: Shape, position: Bindings) -> Callable[[], Bindings]:
        shaped = self._shape(shape)
        return lambda: self._terms.extent_at(shaped, position)

    def _element_reader(self, held: HeldElements, position: Bindings) -> Callable[[], Bindings]:
        terms = self._terms
        zero, one, last = (terms.constant(each) for each in (0, 1, -1))

        def read() -> Bindings:
            element = terms.element_at(held.tensor, held.type, [position])
            if held.kind == "sizes":
                return element
            is_size = terms.compared(element, ">=", zero)
            if held.kind == "signs":
                return terms.compute_number("choose", is_size, one, zero)
            return terms.compute_number("choose", is_size, element, terms.less(last, element))

        return read

    def _held(self, shape: Shape) -> HeldElements | None:
        """Return the tensor whose elements a shape describes, if it does."""
        source = self._sources.get(shape.symbol) if isinstance(shape, UnrankedShape) else None
        return source if isinstance(source, HeldElements) else None

    def _divided(self, a: Dim, b: Dim, *, quotient: bool) -> Bindings:
        """Write a division that never divides by 0: ``a // 0`` is 0, and ``a % 0`` is ``a``."""
        least = b.bounds()[0]
        positive = least is not None and least > 0
        if least is None or least < 0:
            if not self._is_known(at_least(b, 1), ()):
                return self._divided_by_any(a, b, quotient=quotient)
            least = 1
        natural = (a.bounds()[0] or 0) >= 0 and a.bounds()[0] is not None
        dividend, divisor = self.size(a), self.size(b)
        if not positive:
            divisor = self._terms.compute_number("greatest", divisor, self.size(dim(1)))
        if quotient:
            word = (
                self._terms.compute_number("divide", dividend, divisor)
                if natural
                else self._terms.floor(dividend, divisor)
            )
            return word if least else self._unless_zero(b, self.size(dim(0)), word)
        if natural:
            rest = self._terms.compute_number("remainder", dividend, divisor)
        else:
            whole = self._terms.compute_number("multiply", self._terms.floor(dividend, divisor), divisor)
            rest = self._terms.compute_number("subtract", dividend, whole)
        return rest if least else self._unless_zero(b, dividend, rest)

    def _divided_by_any(self, a: Dim, b: Dim, *, quotient: bool) -> Bindings:
        """Write a division by what may be negative, or 0."""
        least = a.bounds()[0]
        if least is None or least <= MIN_INDEX:
            raise NotExpressibleError(f"`{a}` may be the least number, and `{b}` -1, by which it is divided")
        dividend = self.size(a)
        divisor = self._unless_zero(b, self.size(dim(1)), self.size(b))
        whole = self._terms.floor(dividend, divisor)
        if quotient:
            return self._unless_zero(b, self.size(dim(0)), whole)
        product = self._terms.compute_number("multiply", whole, divisor)
        return self._unless_zero(b, dividend, self._terms.compute_number("subtract", dividend, product))

    def _unless_zero(self, divisor: Dim, at_zero: Bindings, otherwise: Bindings) -> Bindings:
        is_zero = self._terms.compared(self.size(divisor), "==", self.size(dim(0)))
        return self._terms.compute_number("choose", is_zero, at_zero, otherwise)

    def _broadcast(self, a: Bindings, b: Bindings) -> Bindings:
        least = self._terms.compute_number("least", a, b)
        otherwise = self._terms.compute_number("choose", self._is_one(b), a, least)
        return self._terms.compute_number("choose", self._is_one(a), b, otherwise)

    def _source(self, variable: Variable) -> Bindings:
        found = self._read.get(variable)
        if found is None:
            source = self._sources.get(variable)
            if source is None:
                raise NotExpressibleError(f"`{variable}` is no extent of an argument")
            found = self._read[variable] = source(self._terms)
        return found


def _is_natural_constant(size: Dim) -> bool:
    return size.is_constant and size.constant >= 0
