"""The indivisible pieces of a size expression: variables, quotients, remainders, min, max, broadcast, choice, folds.

Every atom is hash-consed: two atoms with the same parts are the same object, so identity is equality and a hash costs
nothing. Nobody calls the classes directly; `dims` offers functions that first bring the parts into normal form.

A kind of atom says here what it is made of and how it is made again of other parts. What it means is said in
`evaluation`, how a solver sees it in `proving.z3_translation`; everything else follows from its parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self, cast

from shapesolve.index_type import MAX_SIZE
from shapesolve.language.interning import Interned
from shapesolve.language.limits import check_height, check_length

if TYPE_CHECKING:
    from shapesolve.language.dims import Dim
    from shapesolve.language.folding import Rebuilder
    from shapesolve.language.formulas import Formula
    from shapesolve.language.shapes import Shape

Bound = int | None
"""An inclusive bound; None where there is none."""

_interned: Interned[tuple[object, ...], Atom] = Interned()


class Atom:
    """One atom. ``text`` is its printed form, ``lower`` and ``upper`` bound it whatever the variables are.

    ``height`` says how deep atoms stand in each other, itself included; a variable has 0. Raises TooLarge.
    """

    __slots__ = ("__weakref__", "height", "lower", "parts", "text", "upper", "variables")

    precedence: ClassVar[int] = 3
    """How tightly the printed form binds: 3 needs no parentheses in a product, 2 does."""

    def __init__(self, parts: tuple[Dim | Formula | Shape, ...], lower: Bound, upper: Bound) -> None:
        self.height = 1 + max((part.height for part in parts), default=-1)
        check_height(self.height)
        self.parts = parts
        self.text = self.spelled()
        check_length(len(self.text))
        self.lower = lower
        self.upper = upper
        self.variables: frozenset[Variable] = frozenset[Variable]().union(*(part.variables for part in parts))

    @classmethod
    def made(cls, parts: tuple[Dim | Formula | Shape, ...], lower: Bound, upper: Bound) -> Self:
        """The atom of these parts, which are in normal form, within bounds that follow from theirs."""
        key = (cls, *parts)
        found = _interned.found(key)
        if found is None:
            found = _interned.keep(key, cls(parts, lower, upper))
        return cast("Self", found)

    def spelled(self) -> str:
        """The printed form."""
        raise NotImplementedError

    def rebuilt(self, by: Rebuilder) -> Dim:
        """The atom made again of what its parts become, in normal form."""
        raise NotImplementedError

    def __init_subclass__(cls) -> None:
        for duty in ("spelled", "rebuilt"):
            if getattr(cls, duty) is getattr(Atom, duty):
                raise TypeError(f"the atom {cls.__name__} does not say how it is {duty}")

    def __repr__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("size expressions are hash-consed in their process and cannot be pickled; send their text")


class Variable(Atom):
    """An unknown integer. A size is a variable from 0 to `MAX_SIZE`."""

    __slots__ = ()

    def __init__(self, name: str, lower: Bound, upper: Bound) -> None:
        self.height = 0
        self.parts = ()
        self.text = name
        self.lower = lower
        self.upper = upper
        self.variables = frozenset((self,))

    @property
    def name(self) -> str:
        return self.text

    @property
    def is_bit(self) -> bool:
        """Whether it is 0 or 1, as what stands for a truth is."""
        return (self.lower, self.upper) == (0, 1)

    @classmethod
    def of(cls, name: str, lower: Bound = 0, upper: Bound = MAX_SIZE) -> Variable:
        key = (cls, name, lower, upper)
        found = _interned.found(key)
        if found is None:
            found = _interned.keep(key, cls(name, lower, upper))
        return cast("Variable", found)

    def spelled(self) -> str:
        return self.text

    def rebuilt(self, by: Rebuilder) -> Dim:
        return by.variable(self)


class ShapeSymbol(Variable):
    """The unknown behind a shape of unknown rank; its value is a tuple of extents."""

    __slots__ = ()


class Validity(Variable):
    """1 where a shape or a size is no error, else 0."""

    __slots__ = ()

    @property
    def owner(self) -> str:
        """The name of the value."""
        return self.name.replace(".valid", "", 1)


class Quotient(Atom):
    """``a // b``, rounded down; 0 where ``b`` is 0 (so that ``a == b * (a // b) + a % b`` holds always)."""

    __slots__ = ()
    precedence = 2
    parts: tuple[Dim, Dim]

    def spelled(self) -> str:
        a, b = self.parts
        return f"{a.as_factor()}//{b.as_factor()}"

    def rebuilt(self, by: Rebuilder) -> Dim:
        a, b = self.parts
        return by.quotient(by.size(a), by.size(b))


class Remainder(Atom):
    """``a % b`` with the sign of ``b``; ``a`` where ``b`` is 0."""

    __slots__ = ()
    precedence = 2
    parts: tuple[Dim, Dim]

    def spelled(self) -> str:
        a, b = self.parts
        return f"{a.as_factor()} % {b.as_factor()}"

    def rebuilt(self, by: Rebuilder) -> Dim:
        a, b = self.parts
        return by.remainder(by.size(a), by.size(b))


class Extreme(Atom):
    """One of two or more expressions, whose order does not matter. Which one, the kinds say."""

    __slots__ = ()
    word: ClassVar[str]
    parts: tuple[Dim, ...]

    def spelled(self) -> str:
        return f"{self.word}({', '.join(map(str, self.parts))})"

    def rebuilt(self, by: Rebuilder) -> Dim:
        from shapesolve.language.extremes import EXTREMES

        return EXTREMES[type(self)](*map(by.size, self.parts))


class Minimum(Extreme):
    """The least of two or more expressions."""

    __slots__ = ()
    word = "min"


class Maximum(Extreme):
    """The greatest of two or more expressions."""

    __slots__ = ()
    word = "max"


class BroadcastExtent(Extreme):
    """The extent of a broadcast column: 1 if all parts are 1, else the least part that is not 1.

    Where the parts are compatible that is *the* part that is not 1 (0 beats 1). Taking the least elsewhere makes the
    operation total, commutative, associative and idempotent with unit 1, so its normal form is a set.
    """

    __slots__ = ()
    word = "broadcast"


class Choice(Atom):
    """``a`` where a formula holds, else ``b``."""

    __slots__ = ()
    parts: tuple[Formula, Dim, Dim]

    def spelled(self) -> str:
        return f"select({', '.join(map(str, self.parts))})"

    def rebuilt(self, by: Rebuilder) -> Dim:
        from shapesolve.language.extremes import choose

        condition, a, b = self.parts
        return choose(by.formula(condition), by.size(a), by.size(b))


class Rank(Atom):
    """The rank of a shape of unknown rank."""

    __slots__ = ()
    parts: tuple[Shape]

    def spelled(self) -> str:
        return f"rank({self.parts[0]})"

    def rebuilt(self, by: Rebuilder) -> Dim:
        return by.rank(self.parts[0])


class Column(Atom):
    """The extent of a shape of unknown rank in a column counted from the right; 1 beyond its rank."""

    __slots__ = ()
    parts: tuple[Shape, Dim]

    def spelled(self) -> str:
        whole, index = self.parts
        return f"column({whole}, {index})"

    def rebuilt(self, by: Rebuilder) -> Dim:
        whole, index = self.parts
        return by.column(whole, by.size(index))


class ShapeFold(Atom):
    """A fold over the extents of a shape of unknown rank: associative, with a value for the scalar's shape."""

    __slots__ = ()
    word: ClassVar[str]
    parts: tuple[Shape]

    def spelled(self) -> str:
        return f"{self.word}({self.parts[0]})"

    def rebuilt(self, by: Rebuilder) -> Dim:
        return by.fold(type(self), self.parts[0])


class Product(ShapeFold):
    """The number of elements; 1 for a scalar."""

    __slots__ = ()
    word = "numel"


class Total(ShapeFold):
    """The sum of the extents; 0 for a scalar."""

    __slots__ = ()
    word = "sum_of"


class Largest(ShapeFold):
    """The greatest of 0 and the extents."""

    __slots__ = ()
    word = "largest"


class Smallest(ShapeFold):
    """The least of `MAX_SIZE` and the extents."""

    __slots__ = ()
    word = "smallest"
