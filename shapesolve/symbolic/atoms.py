"""Atoms and monomials: the indivisible pieces of a size expression, and the products of their powers.

An atom is a variable, a quotient, a remainder, a minimum or maximum, a broadcast, a choice, or a fold over a shape.
Every atom is hash-consed: two atoms with the same parts are the same object, so identity is equality and a hash costs
nothing. Do not call the classes directly; `dims` offers functions that first bring the parts into normal form.

The class of an atom knows its parts and how to rebuild it from other parts. Its value is defined in `evaluation`, its
translation for a solver in `solver.z3.translation`; everything else follows from its parts.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import TYPE_CHECKING, ClassVar, Protocol, Self, cast

from shapesolve.int64 import MAX_SIZE
from shapesolve.symbolic.interning import HashConsed, Interned
from shapesolve.symbolic.limits import MAX_DEGREE, check_height, check_length, too_high_a_degree
from shapesolve.symbolic.natural_order import natural_order

if TYPE_CHECKING:
    from shapesolve.symbolic.dims import Dim
    from shapesolve.symbolic.formula_kinds import Formula
    from shapesolve.symbolic.shape_kinds import Shape
    from shapesolve.symbolic.visitors import Transformer


Bound = int | None
"""An inclusive bound; None where there is none."""

_interned: Interned[tuple[object, ...], Atom] = Interned()


class Atom(HashConsed):
    """Indivisible piece of a size expression.

    Attributes:
        text: The printed form.
        lower, upper: Bounds that hold for all values of the variables; None where there is none.
        height: The nesting depth of atoms, this one included; a variable has 0.
        parts: The sizes, formulas and shapes that the atom is built from.
        variables: All variables in it.

    Raises:
        TooLarge: The atom is nested too deeply or its text is too long.
    """

    __slots__ = ("__weakref__", "height", "lower", "parts", "text", "upper", "variables")

    precedence: ClassVar[int] = 3
    """Binding strength of the printed form: 3 needs no parentheses in a product, 2 does."""

    def __init__(self, parts: tuple[Dim | Formula | Shape, ...], lower: Bound, upper: Bound) -> None:
        self.height = 1 + max((part.height for part in parts), default=-1)
        check_height(self.height)
        self.parts = parts
        self.text = self.spelled()
        check_length(len(self.text))
        self.lower = lower
        self.upper = upper
        self.variables: frozenset[Variable] = variables_in(parts)

    @classmethod
    def of_parts(cls, parts: tuple[Dim | Formula | Shape, ...], lower: Bound, upper: Bound) -> Self:
        """Return the atom with these parts, which are in normal form, and with bounds that follow from theirs."""
        key = (cls, *parts)
        found = _interned.found(key)
        if found is None:
            found = _interned.keep(key, cls(parts, lower, upper))
        return cast("Self", found)

    def spelled(self) -> str:
        """Return the printed form."""
        raise NotImplementedError

    def rebuilt(self, by: Transformer) -> Dim:
        """Return the normal form of this atom with its parts transformed."""
        raise NotImplementedError

    def __init_subclass__(cls) -> None:
        for duty in ("spelled", "rebuilt"):
            if getattr(cls, duty) is getattr(Atom, duty):
                raise TypeError(f"the atom {cls.__name__} does not say how it is {duty}")

    def __repr__(self) -> str:
        return self.text


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
        """Return whether it is 0 or 1, as the variable of an unknown `i1` is."""
        return (self.lower, self.upper) == (0, 1)

    @classmethod
    def of(cls, name: str, lower: Bound = 0, upper: Bound = MAX_SIZE) -> Variable:
        key = (cls, name, lower, upper)
        found = _interned.found(key)
        if found is None:
            found = _interned.keep(key, cls(name, lower, upper))
        return cast("Variable", found)

    def renamed(self, name: str) -> Self:
        """Return the variable of the same kind and bounds with another name."""
        return cast("Self", type(self).of(name, self.lower, self.upper))

    def spelled(self) -> str:
        return self.text

    def rebuilt(self, by: Transformer) -> Dim:
        return by.variable(self)


class _Term(Protocol):
    """Atom, monomial, size, shape or formula."""

    @property
    def variables(self) -> Iterable[Variable]: ...


_NO_VARIABLES = frozenset[Variable]()


def variables_in(terms: Iterable[_Term]) -> frozenset[Variable]:
    """Return the variables in any of some terms."""
    return _NO_VARIABLES.union(*[term.variables for term in terms])


class ShapeSymbol(Variable):
    """Variable for a shape of unknown rank; its value is a tuple of extents."""

    __slots__ = ()


class Validity(Variable):
    """Validity bit of a shape or size: 1 unless the value is an error, else 0."""

    __slots__ = ()

    @property
    def owner(self) -> str:
        """The name of the value."""
        return self.name.replace(".valid", "", 1)


class UnmodeledTruth(Variable):
    """Truth value of a statement on what is not modeled, 1 where it holds; its name is the statement.

    No value of the program has it, so that no reader can look it up.
    """

    __slots__ = ()


class Quotient(Atom):
    """Quotient ``a // b``, rounded down; 0 where ``b`` is 0 (so that ``a == b * (a // b) + a % b`` holds always)."""

    __slots__ = ()
    precedence = 2
    parts: tuple[Dim, Dim]

    def spelled(self) -> str:
        a, b = self.parts
        return f"{a.as_factor()}//{b.as_factor()}"

    @property
    def as_ceiling(self) -> str | None:
        """The negated quotient, rounded up instead: ``ceildiv(a, b)`` for ``(-a)//b``; None where it reads no better.

        By a constant, the quotient rounded up has a normal form of its own.
        """
        a, b = self.parts
        return None if b.is_constant else ceiling_text(a, b)

    def rebuilt(self, by: Transformer) -> Dim:
        a, b = self.parts
        return by.quotient(by.size(a), by.size(b))


class Remainder(Atom):
    """Remainder ``a % b`` with the sign of ``b``; ``a`` where ``b`` is 0."""

    __slots__ = ()
    precedence = 2
    parts: tuple[Dim, Dim]

    def spelled(self) -> str:
        a, b = self.parts
        return f"{a.as_factor()} % {b.as_factor()}"

    def rebuilt(self, by: Transformer) -> Dim:
        a, b = self.parts
        return by.remainder(by.size(a), by.size(b))


class MinMax(Atom):
    """Minimum or maximum of two or more expressions, whose order does not matter."""

    __slots__ = ()
    word: ClassVar[str]
    parts: tuple[Dim, ...]

    def spelled(self) -> str:
        return f"{self.word}({', '.join(map(str, self.parts))})"

    def rebuilt(self, by: Transformer) -> Dim:
        return by.extreme(type(self), map(by.size, self.parts))


class Minimum(MinMax):
    """Least of two or more expressions."""

    __slots__ = ()
    word = "min"


class Maximum(MinMax):
    """Greatest of two or more expressions."""

    __slots__ = ()
    word = "max"


class BroadcastExtent(MinMax):
    """Extent of a broadcast column: 1 if all parts are 1, else the least part that is not 1.

    Where the parts are compatible that is *the* part that is not 1 (0 beats 1). Taking the least elsewhere makes the
    operation total, commutative, associative and idempotent with unit 1, so its normal form is a set.
    """

    __slots__ = ()
    word = "broadcast"


class Choice(Atom):
    """Conditional size: ``a`` where a formula holds, else ``b``."""

    __slots__ = ()
    parts: tuple[Formula, Dim, Dim]

    def spelled(self) -> str:
        return f"select({', '.join(map(str, self.parts))})"

    def rebuilt(self, by: Transformer) -> Dim:
        condition, a, b = self.parts
        return by.choice(by.formula(condition), by.size(a), by.size(b))


class Rank(Atom):
    """Rank of a shape of unknown rank."""

    __slots__ = ()
    parts: tuple[Shape]

    def spelled(self) -> str:
        return f"rank({self.parts[0]})"

    def rebuilt(self, by: Transformer) -> Dim:
        return by.rank(self.parts[0])


class Column(Atom):
    """Extent of a shape of unknown rank in a column counted from the right; 1 beyond its rank."""

    __slots__ = ()
    parts: tuple[Shape, Dim]

    def spelled(self) -> str:
        whole, index = self.parts
        if index.is_constant and index.constant >= 0:
            return f"{whole}[{-1 - index.constant}]"
        from_left = whole.rank - 1 - index
        is_before = from_left.is_constant and from_left.constant < 0
        if is_before or set(whole.rank.atoms()) & set(from_left.atoms()):
            return f"column({whole}, {index})"
        return f"{whole}[{from_left}]"

    def rebuilt(self, by: Transformer) -> Dim:
        whole, index = self.parts
        return by.column(whole, by.size(index))


class ShapeFold(Atom):
    """Fold over the extents of a shape of unknown rank: an associative operation with a value for rank 0."""

    __slots__ = ()
    word: ClassVar[str]
    parts: tuple[Shape]

    def spelled(self) -> str:
        return f"{self.word}({self.parts[0]})"

    def rebuilt(self, by: Transformer) -> Dim:
        return by.fold(type(self), self.parts[0])


class Product(ShapeFold):
    """Number of elements; 1 for a scalar."""

    __slots__ = ()
    word = "numel"


class Total(ShapeFold):
    """Sum of the extents; 0 for a scalar."""

    __slots__ = ()
    word = "sum_of"


class Largest(ShapeFold):
    """Greatest of 0 and the extents."""

    __slots__ = ()
    word = "largest"


class Smallest(ShapeFold):
    """Least of `MAX_SIZE` and the extents."""

    __slots__ = ()
    word = "smallest"


_monomials: Interned[tuple[tuple[Atom, int], ...], Monomial] = Interned()


class Monomial(HashConsed):
    """Product of powers of atoms, hash-consed, with factors sorted by their text.

    Raises:
        TooLarge: The degree is too high or the text too long.
    """

    __slots__ = ("__weakref__", "_bounds", "factors", "height", "key", "reducible", "single", "text", "variables")

    def __init__(self, factors: tuple[tuple[Atom, int], ...]) -> None:
        self.factors = factors
        self.single: Atom | None = factors[0][0] if len(factors) == 1 and factors[0][1] == 1 else None
        """The only atom, or None if the monomial is not a single atom to the first power."""
        degree = sum(power for _, power in factors)
        if degree > MAX_DEGREE:
            raise too_high_a_degree()
        check_length(sum(len(atom.text) for atom, _ in factors))
        self.height = max((atom.height for atom, _ in factors), default=0)
        texts = [
            (f"({atom.text})" if atom.precedence < 3 and (len(factors) > 1 or power > 1) else atom.text)
            + (f"**{power}" if power > 1 else "")
            for atom, power in factors
        ]
        self.text = "*".join(texts)
        self.key = (-degree, natural_order(self.text))
        self.variables = factors[0][0].variables if len(factors) == 1 else variables_in(atom for atom, _ in factors)
        # A quotient by a constant takes part in the relation  c * (a // c) == a - a % c  that `_reduced` applies.
        self.reducible = any(isinstance(atom, Quotient) and atom.parts[1].is_constant for atom, _ in factors)
        self._bounds: tuple[Bound, Bound] | None = None

    @staticmethod
    def of(factors: Iterable[tuple[Atom, int]]) -> Monomial:
        """Return the monomial with these factors, each atom at most once."""
        key = tuple(factors)
        if len(key) > 1:
            key = tuple(sorted(key, key=lambda factor: natural_order(factor[0].text)))
        found = _monomials.found(key)
        return _monomials.keep(key, Monomial(key)) if found is None else found

    def written(self) -> tuple[str, bool, int]:
        """Return the text for people, whether a sign binds tighter than it, and the sign that it takes: 1 or -1."""
        single = self.single
        if "(-" not in self.text:
            return self.text, single is not None and single.precedence < 3, 1
        sign, texts = 1, list[str]()
        for atom, power in self.factors:
            ceiling = atom.as_ceiling if isinstance(atom, Quotient) else None
            is_loose = ceiling is None and atom.precedence < 3 and (len(self.factors) > 1 or power > 1)
            text = ceiling or atom.text
            texts.append((f"({text})" if is_loose else text) + (f"**{power}" if power > 1 else ""))
            sign = sign if ceiling is None or power % 2 == 0 else -sign
        return "*".join(texts), sign == 1 and single is not None and single.precedence < 3, sign

    def written_less(self, number: int) -> str | None:
        """Return ``(N - 1)//2`` for ``(N + 1)//2`` less 1; None where a subtraction behind reads better."""
        match self.single:
            case Quotient(parts=(a, b)) if b.is_constant and 0 < a.constant < b.constant:
                reads_well = all(coefficient > 0 for _, coefficient in a.terms)
                return f"{(a - b * number).as_factor()}//{b.as_factor()}" if reads_well else None
            case _:
                return None

    @property
    def degree(self) -> int:
        return -self.key[0]

    def times(self, other: Monomial) -> Monomial:
        """Return the product with another monomial."""
        powers = dict(self.factors)
        for atom, power in other.factors:
            powers[atom] = powers.get(atom, 0) + power
        return Monomial.of(powers.items())

    def divided_by(self, other: Monomial) -> Monomial | None:
        """Return the cofactor, or None if ``other`` does not divide this; the empty monomial is 1."""
        powers = dict(self.factors)
        for atom, power in other.factors:
            left = powers.get(atom, 0) - power
            if left < 0:
                return None
            if left:
                powers[atom] = left
            else:
                del powers[atom]
        return Monomial.of(powers.items())

    def cofactor(self, divisor: Monomial) -> Monomial:
        """Return the cofactor of a divisor."""
        found = self.divided_by(divisor)
        assert found is not None
        return found

    def bounds(self) -> tuple[Bound, Bound]:
        """Return bounds that hold for all values of the variables."""
        if self._bounds is None:
            lower: Bound = 1
            upper: Bound = 1
            for atom, power in self.factors:
                for _ in range(power):
                    lower, upper = multiply_bounds((lower, upper), (atom.lower, atom.upper))
                if power % 2 == 0 and (lower is None or lower < 0) and len(self.factors) == 1:
                    lower = 0
            self._bounds = (lower, upper)
        return self._bounds

    def __repr__(self) -> str:
        return self.text


def ceiling_text(a: Dim, b: Dim) -> str | None:
    """Return ``ceildiv(-a, b)`` as text, which is ``-(a//b)``; None if not all terms of ``a`` are subtracted."""
    if a.constant > 0 or any(coefficient > 0 for _, coefficient in a.terms):
        return None
    return f"ceildiv({-a}, {b})"


def multiply_bounds(a: tuple[Bound, Bound], b: tuple[Bound, Bound]) -> tuple[Bound, Bound]:
    """Multiply two intervals, in which None is infinite."""
    if a == (0, 0) or b == (0, 0):
        return 0, 0
    if a[0] is not None and b[0] is not None and a[0] >= 0 and b[0] >= 0:
        return a[0] * b[0], None if a[1] is None or b[1] is None else a[1] * b[1]
    if a[0] is None or a[1] is None or b[0] is None or b[1] is None:
        return None, None
    corners = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(corners), max(corners)


def common_monomial(monomials: Iterable[Monomial]) -> Monomial:
    """Return the greatest monomial that divides all of these, of which there is at least one."""
    first, *others = monomials
    powers = dict(first.factors)
    for other in others:
        theirs = dict(other.factors)
        powers = {atom: min(power, theirs[atom]) for atom, power in powers.items() if atom in theirs}
    return Monomial.of(powers.items())


def common_factor(terms: Iterable[tuple[Monomial, int]]) -> int:
    """Return the greatest common divisor of the coefficients."""
    factor = 0
    for _, coefficient in terms:
        factor = gcd(factor, coefficient)
    return factor
