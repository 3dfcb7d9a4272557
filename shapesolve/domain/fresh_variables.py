"""Fresh variables, and unknown values of a type built from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import prod

from shapesolve.domain.values import (
    MAX_ELEMENTS,
    Abstract,
    Element,
    Float,
    IntegerInterval,
    ListValue,
    Size,
    Tensor,
    UnknownValue,
    Witness,
)
from shapesolve.int64 import MAX_SIZE, MIN_INDEX
from shapesolve.ir.data_flow import Provenance
from shapesolve.ir.program import (
    SHAPE_TYPE,
    SIZE_TYPE,
    VALUE_SHAPE_TYPE,
    WITNESS_TYPE,
    Operation,
    ScalarType,
    ShapedType,
    Type,
)
from shapesolve.records import value_record
from shapesolve.symbolic.atoms import UnmodeledTruth, Validity, Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import equal
from shapesolve.symbolic.linear import Range
from shapesolve.symbolic.shape_kinds import BroadcastShape, RankedShape, Shape
from shapesolve.symbolic.shapes import unranked

INDEX_RANGE = (MIN_INDEX, MAX_SIZE)
SIZES = re.compile(r"!tosa\.shape<\d+>")

ELEMENT = ".element"
"""Suffix of the name of a variable that stands for an arbitrary element of a tensor."""


_EXTENT = re.compile(r"(?P<value>%?[\w$]+)\[(?P<dimension>\d+)\]")
_VALUE = re.compile(r"%[\w$]+")


def is_named_value(variable: Variable) -> bool:
    """Return whether a variable is a value of the program, by its name: ``%n``."""
    return _VALUE.fullmatch(variable.name) is not None


def extent_of(variable: Variable) -> tuple[str, int] | None:
    """Return the name of the value and the dimension that a variable is the extent of: ``a[0]``; None if it is none."""
    found = _EXTENT.fullmatch(variable.name)
    return None if found is None else (found["value"], int(found["dimension"]))


def element_of(variable: Variable) -> str | None:
    """Return the name of the tensor of which a variable is an arbitrary element; None if it is none."""
    owner, suffix, _ = variable.name.partition(ELEMENT)
    return owner if suffix else None


def integer_range(type: Type) -> tuple[int, int]:
    """Return the range of the signed values of an index or integer type."""
    if not isinstance(type, ScalarType) or type.kind != "integer":
        return INDEX_RANGE
    return -(2 ** (type.width - 1)), 2 ** (type.width - 1) - 1


@value_record
class Mark:
    """Checkpoint of the fresh names, to which `Unknowns.roll_back` rolls back."""

    count: int
    taken: Mapping[str, int]


@value_record
class FreshNames:
    """Names that were given one after the other.

    Attributes:
        names: The names.
        wished: The wished name of each, and how often that had been given by then.
        ranges: The ranges that some of them stand for.
        bounds: The intervals that some of them are elements of.
    """

    names: tuple[str, ...]
    wished: tuple[tuple[str, int], ...]
    ranges: Mapping[str, Range]
    bounds: Mapping[str, tuple[Variable, IntegerInterval]]


NO_NAMES = FreshNames((), (), {}, {})


class FreshVariables:
    """Source of fresh variables: their names are unique in one interpretation, and all of them are recorded."""

    def __init__(self) -> None:
        self.largest = MAX_SIZE
        """The largest extent that a shaped value is given."""
        self._taken: dict[str, int] = {}
        self._made: list[str] = []
        self._wished: list[tuple[str, int]] = []
        self.ranges: dict[str, Range] = {}
        """Ranges in which every number occurs, by the name of the variable."""
        self._bounds: dict[str, tuple[Variable, IntegerInterval]] = {}
        self.given_for_data: dict[object, list[tuple[Provenance, frozenset[Variable]]]] = {}
        """The variables that stand for results of a pure function, with the data that it was applied to each time."""

    def name(self, wished: str) -> str:
        """Return a unique name: the wished one, or one with a number behind it."""
        count = self._taken.get(wished, 0) + 1
        self._taken[wished] = count
        made = wished if count == 1 else f"{wished}'{count}"
        self._made.append(made)
        self._wished.append((wished, count))
        return made

    @property
    def count(self) -> int:
        """The number of names given so far."""
        return len(self._made)

    def names_after(self, count: int) -> frozenset[str]:
        """Return the names given after the first ``count``."""
        return frozenset(self._made[count:])

    def fresh_since(self, count: int) -> FreshNames:
        """Return the names given after the first ``count``, and what is known of them."""
        if count == len(self._made):
            return NO_NAMES
        names = tuple(self._made[count:])
        ranges = {name: self.ranges[name] for name in names if name in self.ranges}
        bounds = {name: self._bounds[name] for name in names if name in self._bounds}
        return FreshNames(names, tuple(self._wished[count:]), ranges, bounds)

    def reuse_names(self, given: FreshNames) -> bool:
        """Give the same names once more, if the same wishes lead to them; return whether they do."""
        taken: dict[str, int] = {}
        for wished, count in given.wished:
            if not count:  # the same name each time
                continue
            if taken.get(wished, self._taken.get(wished, 0)) + 1 != count:
                return False
            taken[wished] = count
        self._taken.update(taken)
        self._made.extend(given.names)
        self._wished.extend(given.wished)
        self.ranges.update(given.ranges)
        self._bounds.update(given.bounds)
        return True

    def mark(self) -> Mark:
        """Return a checkpoint of the names given so far."""
        return Mark(len(self._made), dict(self._taken))

    def roll_back(self, mark: Mark) -> None:
        """Roll back to a checkpoint, when no term with a later name is kept."""
        for name in self._made[mark.count :]:
            self.ranges.pop(name, None)
            self._bounds.pop(name, None)
        del self._made[mark.count :]
        del self._wished[mark.count :]
        self._taken = dict(mark.taken)

    def names_since(self, mark: Mark) -> frozenset[str]:
        """Return the names given since a checkpoint."""
        return frozenset(self._made[mark.count :])

    def size(
        self, name: str, lower: int | None = 0, upper: int | None = MAX_SIZE, kind: type[Variable] = Variable
    ) -> Dim:
        """Return a fresh variable within bounds."""
        return of_atom(kind.of(self.name(name), lower, upper))

    def determined(self, name: str, lower: int | None, upper: int | None) -> Dim:
        """Return the variable of a number that its name determines by other variables: ``2**n``.

        The bounds have to follow from the name, too. The variable is the same each time, also in another program that
        it is compared with, and counts as introduced each time.
        """
        self._made.append(name)
        self._wished.append((name, 0))
        return of_atom(Variable.of(name, lower, upper))

    def any_element(self, name: str, between: IntegerInterval, lower: int, upper: int) -> Dim:
        """Return a fresh variable for any one element of a tensor, within the interval of all of its elements."""
        made = self.size(name, lower, upper)
        self._bounds |= {each.name: (each, between.subset_bounds) for each in made.variables}
        return made

    def element_intervals(self, names: Iterable[str]) -> dict[Variable, IntegerInterval]:
        """Return the intervals of those of the named variables that stand for any one element."""
        return dict(self._bounds[name] for name in names if name in self._bounds)

    def any_of_range(
        self, name: str, of: Range, lower: int | None, upper: int | None, op: Operation | None = None
    ) -> Dim:
        """Return a fresh variable for every number of a range, each of which occurs.

        ``op`` is the loop that leaves in the iteration after the last of them; if there is none, its rule states the
        range.
        """
        made = self.size(name, lower, upper)
        self.ranges[self._made[-1]] = of
        return made

    def truth(self, name: str) -> Formula:
        """Return a fresh boolean."""
        return equal(self.size(name, 0, 1), 1)

    def unmodeled_truth(self, statement: str) -> Formula:
        """Return a fresh boolean for a statement that is not modeled, which is its printed form."""
        return equal(self.size(statement, 0, 1, UnmodeledTruth), 1)

    def validity(self, name: str) -> Formula:
        """Return the fresh condition under which the value of that name is no error."""
        return equal(self.size(f"{name}.valid", 0, 1, Validity), 1)

    def of_type(self, type: Type, name: str, *, contents: bool, errors: bool = True) -> Abstract:
        """Return an unknown value of a type. With ``contents`` the elements of small integer tensors are variables too.

        A shape or size may be the error, unless ``errors`` is false.
        """
        match type:
            case ShapedType():
                return self._shaped(type, name, contents)
            case ScalarType(kind="float"):
                return UnknownValue()
            case ScalarType():
                return self.truth(name) if type.is_boolean else self.size(name, *integer_range(type))
            case _ if type.text == SHAPE_TYPE:
                return self._shape(name, errors)
            case _ if type.text == SIZE_TYPE:
                value = self.size(name)
                return Size(value, self.validity(name) if errors else TRUE)
            case _ if type.text == WITNESS_TYPE:
                return Witness(self.truth(name))
            case _ if type.text == VALUE_SHAPE_TYPE:
                return Tensor(self._shape(name, errors))
            case _ if SIZES.fullmatch(type.text):
                count = int(type.text[len("!tosa.shape<") : -1])
                sizes = [self.size(f"{name}.values[{index}]", *INDEX_RANGE) for index in range(count)]
                return Tensor.of([count], tuple(sizes) if contents else None)
            case _:
                return UnknownValue()

    def _shape(self, name: str, errors: bool) -> Shape:
        symbol = unranked(self.name(name))
        return BroadcastShape.of((symbol,), self.validity(name)) if errors else symbol

    def _shaped(self, type: ShapedType, name: str, contents: bool) -> Tensor:
        shape = self.shape_of_type(type, name)
        if not contents:
            return Tensor(shape)
        holds_extents = type.container == "tensor" and type.extents == (None,) and str(type.element) == "index"
        if not holds_extents:
            return Tensor(shape, self._elements(type, name))
        spells, signs = (unranked(self.name(f"{name}.{each}")) for each in ("extents", "signs"))
        return Tensor(shape, spells=spells, signs=signs)

    def shape_of_type(self, type: ShapedType, name: str) -> Shape:
        """Return a shape of the type, with a fresh size for every `?`."""
        if type.extents is None:
            return unranked(self.name(name))
        extents = (
            self.size(f"{name}[{index}]", 0, self.largest) if extent is None else dim(extent)
            for index, extent in enumerate(type.extents)
        )
        return RankedShape.of(extents)

    def _elements(self, type: ShapedType, name: str) -> tuple[Element, ...] | None:
        element = type.element
        if type.container == "memref" or type.extents is None or None in type.extents:
            return None
        if not isinstance(element, ScalarType) or element.kind == "float":
            return None
        count = prod(extent for extent in type.extents if extent is not None)
        if count > MAX_ELEMENTS:
            return None
        names = [f"{name}.values[{index}]" for index in range(count)]
        if element.is_boolean:
            return tuple(self.truth(each) for each in names)
        return tuple(self.size(each, *integer_range(element)) for each in names)


def variables_of(*values: Abstract) -> frozenset[Variable]:
    """Return the variables in values."""
    return frozenset[Variable]().union(*map(_variables_of, values))


def _variables_of(value: Abstract) -> frozenset[Variable]:
    match value:
        case Dim() | Formula() | Float() | Shape():
            return value.variables
        case Tensor():
            elements = value.elements or ()
            spelled = (each.variables for each in (value.spells, value.signs) if each is not None)
            bounds = value.between.variables if value.between is not None else frozenset[Variable]()
            return value.shape.variables.union(*spelled, bounds, *(element.variables for element in elements))
        case Size():
            return value.value.variables | value.valid.variables
        case Witness():
            return value.passing.variables
        case ListValue():
            return variables_of(*value.items)
        case _:
            return frozenset()


def single_variable(value: Dim) -> Variable | None:
    """Return the variable if a size is just one, else None."""
    atom = value.atom
    return atom if isinstance(atom, Variable) else None


def argument_substitution(unknown: Sequence[Abstract], given: Sequence[Abstract]) -> dict[Variable, Dim]:
    """Return the substitution of a call's arguments for the unknown arguments of the callee.

    Only parts for which both values have expressions are included.
    """
    found: dict[Variable, Dim] = {}
    for ours, theirs in zip(unknown, given, strict=True):
        for a, b in _pairs(ours, theirs):
            atom = a.atom
            if isinstance(atom, Variable):
                found.setdefault(atom, b)
    return found


def _pairs(a: Abstract, b: Abstract) -> Iterable[tuple[Dim, Dim]]:
    if isinstance(a, Dim) and isinstance(b, Dim):
        yield a, b
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        return
    if isinstance(a.shape, RankedShape) and isinstance(b.shape, RankedShape):
        yield from zip(a.shape.dims, b.shape.dims, strict=False)
    for x, y in zip(a.elements or (), b.elements or (), strict=False):
        if isinstance(x, Dim) and isinstance(y, Dim):
            yield x, y
