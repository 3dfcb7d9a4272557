"""Builder that writes a formula as operations, and the sources of its variables in a function's arguments.

Each size and each part of a formula is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, product
from typing import Literal

from shapesolve.domain.fresh_variables import single_variable
from shapesolve.domain.values import Abstract, Element, Size, Tensor, Witness
from shapesolve.guards.comparisons import comparisons, fits_wide, has_free_number
from shapesolve.guards.dialects import NotExpressibleError, Relation, Terms
from shapesolve.int64 import MAX_SIZE, MIN_INDEX
from shapesolve.ir.bindings import Bindings
from shapesolve.ir.program import ShapedType, Type
from shapesolve.pruning.justifications import fits
from shapesolve.records import value_record
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
from shapesolve.symbolic.formulas import at_least, conjunction
from shapesolve.symbolic.shape_kinds import ConcatShape, RankedShape, Shape, SliceShape, UnrankedShape

ValueSource = Callable[[Terms], Bindings]
"""Writes the operations that read a variable. For the symbol of a shape, returns the shaped value itself."""


@value_record
class HeldElements:
    """Value source of the shape that the elements of a rank-1 tensor spell (`IntegerList`).

    Attributes:
        tensor: The live tensor.
        type: Its type.
        kind: Its extents are the elements, none of which is negative; or the extents or the signs of any elements.
        length: The number of elements.
        is_shape: Whether the program takes the tensor for a shape wherever a guard does, and so assumes that it holds
            sizes.
    """

    tensor: Bindings
    type: ShapedType
    kind: Literal["sizes", "extents", "signs"]
    length: Dim
    is_shape: bool

    def __call__(self, terms: Terms) -> Bindings:
        if self.kind == "signs":
            raise NotExpressibleError("it compares the signs of all elements of a tensor")
        if not self.is_shape:
            raise NotExpressibleError("the program may end before it takes the elements of a tensor for sizes")
        return terms.shape_held(self.tensor)


class ConditionWriter:
    """Writes formulas in the terms of a dialect.

    Args:
        sources: The value sources of the formulas' variables.
        is_known: Returns whether preceding checks imply a formula.
        computed: The numbers that the program computes in every run, and so takes not to overflow.

    Attributes:
        is_exact: Whether no sum or product of what was written so far may overflow.
    """

    def __init__(
        self,
        terms: Terms,
        sources: Mapping[Variable, ValueSource],
        is_known: Callable[[Formula], bool] = lambda formula: False,
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
        ways = list(comparisons(size, relation))
        way = next((way for way in ways if self._is_exact(way[0]) and self._is_exact(way[2])), None)
        if way is None and all(monomial.degree == 1 for monomial, _ in size.terms):
            way = next((way for way in ways if self._fits(way[0]) and self._fits(way[2])), None)
        left, relation, right = way or ways[0]
        if way is None and relation != "==" and has_free_number(size):
            if not (fits_wide(left) and fits_wide(right)):
                raise NotExpressibleError(f"`{left} {relation} {right}` may overflow")
            return self._terms.compared(self._wide(left), relation, self._wide(right))
        self.is_exact &= way is not None
        return self._terms.compared(self.size(left), relation, self.size(right))

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

    def _is_exact(self, size: Dim) -> bool:
        """Return whether a number is computed without overflow, or as the program computes it anyway."""
        return fits(size) or size in self._computed

    def _fits(self, size: Dim) -> bool:
        """Return whether a number is computed without overflow, given the preceding checks."""
        return fits(size) or self._is_known(conjunction((at_least(size, MIN_INDEX), at_least(MAX_SIZE, size))))

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
            if not self._is_known(at_least(b, 1)):
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


def value_sources(
    values: Iterable[tuple[Abstract, Bindings, Type]], stated: Container[Formula] | None = None
) -> dict[Variable, ValueSource]:
    """Return the value source of each variable that some value, extent or element equals; the first of several.

    Args:
        stated: If given, the facts that hold in every run: a tensor is taken for a shape only if they say that it holds
            sizes.
    """
    found: dict[Variable, ValueSource] = {}
    for abstract, live, type in values:
        for variable, source in _in(abstract, live, type, stated):
            found.setdefault(variable, source)
    return found


def _in(
    abstract: Abstract, live: Bindings, type: Type, stated: Container[Formula] | None
) -> Iterator[tuple[Variable, ValueSource]]:
    match abstract:
        case Tensor() if isinstance(type, ShapedType):
            yield from _extents(abstract, live, type)
            yield from _elements(abstract.elements or (), live, type)
            if isinstance(abstract.spells, UnrankedShape):
                is_shape = stated is None or abstract.holds_sizes in stated
                yield from _held_elements(abstract.spells, abstract.signs, live, type, is_shape)
        case Tensor():
            yield from _of_shape(abstract.shape, live)
        case Shape():
            yield from _of_shape(abstract, live)
        case Witness():
            variable = _sole_variable(abstract.passing)
            if variable is not None:
                yield variable, lambda terms: terms.number(live, type)
        case Size():
            variable = single_variable(abstract.value)
            if variable is not None:
                yield variable, lambda terms: terms.number(live, type)
        case Dim() | Formula():
            variable = _sole_variable(abstract)
            if variable is not None:
                yield variable, lambda terms: terms.number(live, type)
        case _:
            pass


def _extents(tensor: Tensor, live: Bindings, type: ShapedType) -> Iterator[tuple[Variable, ValueSource]]:
    if isinstance(tensor.shape, UnrankedShape):
        yield tensor.shape.symbol, lambda terms: live
    if not isinstance(tensor.shape, RankedShape):
        return
    for position, extent in enumerate(tensor.shape.dims):
        variable = single_variable(extent)
        if variable is not None:
            yield variable, _extent(live, type, position)


def _held_elements(
    spelled: UnrankedShape, signs: Shape | None, live: Bindings, type: ShapedType, is_shape: bool
) -> Iterator[tuple[Variable, ValueSource]]:
    if not isinstance(signs, UnrankedShape):
        yield spelled.symbol, HeldElements(live, type, "sizes", spelled.rank, is_shape=True)
        return
    yield spelled.symbol, HeldElements(live, type, "extents", spelled.rank, is_shape)
    yield signs.symbol, HeldElements(live, type, "signs", spelled.rank, is_shape)


def _of_shape(shape: Shape, live: Bindings) -> Iterator[tuple[Variable, ValueSource]]:
    if isinstance(shape, UnrankedShape):
        yield shape.symbol, lambda terms: live
    elif isinstance(shape, RankedShape):
        for position, extent in enumerate(shape.dims):
            variable = single_variable(extent)
            if variable is not None:
                yield variable, _extent_of_shape(live, position)


def _extent_of_shape(live: Bindings, position: int) -> ValueSource:
    return lambda terms: terms.extent_of_shape(live, position)


def _extent(live: Bindings, type: ShapedType, position: int) -> ValueSource:
    return lambda terms: terms.extent(live, type, position)


def _elements(elements: Sequence[Element], live: Bindings, type: ShapedType) -> Iterator[tuple[Variable, ValueSource]]:
    extents = [each for each in type.extents or () if each is not None]
    places = product(*map(range, extents)) if type.extents is not None and len(extents) == len(type.extents) else ()
    for element, place in zip(elements, places, strict=False):
        variable = _sole_variable(element)
        if variable is not None:
            yield variable, _element(live, type, place)


def _element(live: Bindings, type: ShapedType, place: tuple[int, ...]) -> ValueSource:
    return lambda terms: terms.element(live, type, place)


def _sole_variable(value: Element) -> Variable | None:
    """Return the variable that a number is; for a truth, the bit that is 1 where it holds."""
    if isinstance(value, Dim):
        return single_variable(value)
    if len(value.variables) != 1:
        return None
    (variable,) = value.variables
    return variable if variable.is_bit and str(value) == f"{variable.text} == 1" else None
