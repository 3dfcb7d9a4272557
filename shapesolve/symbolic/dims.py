"""Dim: an integer expression over sizes, in one normal form.

A Dim is a sum of monomials (products of atoms) with integer coefficients and a constant. It is immutable and
hash-consed: two expressions with the same normal form are the same object. Different objects may still be equal as
functions; deciding that is the business of `shapesolve.solver`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from operator import index
from typing import TYPE_CHECKING, Any, Final, Self, SupportsIndex

from shapesolve.int64 import MAX_SIZE
from shapesolve.symbolic.atoms import Atom, Bound, Monomial, Quotient, Variable, common_factor, variables_in
from shapesolve.symbolic.derivations import record_methods, recorded
from shapesolve.symbolic.grammar import check_name
from shapesolve.symbolic.interning import Interned
from shapesolve.symbolic.limits import (
    CASES_OF_A_POWER,
    MAX_BITS,
    MAX_PAIRS,
    MAX_TERMS,
    check_length,
    too_large_a_number,
    too_many_terms,
)
from shapesolve.symbolic.polynomial_bounds import polynomial_bounds
from shapesolve.symbolic.printing import formatted, formatted_factor
from shapesolve.symbolic.terms import Term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from shapesolve.symbolic.formula_kinds import Formula


MOST_RECENT = 30_000
"""Number of unused sizes that are kept: most of those that are made in passing are soon made again."""

_dims: Interned[tuple[tuple[tuple[Monomial, int], ...], int], Dim] = Interned()
_recent: deque[Dim] = deque(maxlen=MOST_RECENT)


class Dim(Term):
    """Integer expression in normal form. ``==``, ``<=`` and so on build formulas; they do not compare."""

    __slots__ = ("__weakref__", "_bounds", "_text", "constant", "height", "terms", "variables")

    maker_words = 'sizes come from dims("M N"), variable("N"), dim(3) and arithmetic'
    terms: tuple[tuple[Monomial, int], ...]
    constant: int
    height: int
    variables: frozenset[Variable]
    _text: str | None
    _bounds: tuple[Bound, Bound] | None

    @classmethod
    def new(cls, terms: tuple[tuple[Monomial, int], ...], constant: int) -> Self:
        _check_growth(terms, constant)
        made = cls.__new__(cls)
        made.terms = terms
        made.constant = constant
        if len(terms) == 1:
            made.height = terms[0][0].height
            made.variables = terms[0][0].variables
        else:
            made.height = max([monomial.height for monomial, _ in terms], default=0)
            made.variables = variables_in(monomial for monomial, _ in terms)
        made._text = None
        made._bounds = None
        return made

    # Looking -----------------------------------------------------------------------------------------------------

    @property
    def is_constant(self) -> bool:
        return not self.terms

    @property
    def is_leaf(self) -> bool:
        return self.is_constant or isinstance(self.atom, Variable)

    @property
    def value(self) -> int:
        """The number, if the Dim is constant."""
        if self.terms:
            raise ValueError(f"{self} is not a constant")
        return self.constant

    @property
    def atom(self) -> Atom | None:
        """The atom, if the Dim is just one atom, else None."""
        if len(self.terms) != 1 or self.constant or self.terms[0][1] != 1:
            return None
        return self.terms[0][0].single

    @property
    def is_linear(self) -> bool:
        """Return whether no atoms are multiplied and no atom hides a division by a variable size."""
        return all(monomial.single is not None for monomial, _ in self.terms)

    def atoms(self) -> Iterable[Atom]:
        """Yield the atoms at the top level, not those inside other atoms."""
        for monomial, _ in self.terms:
            for atom, _ in monomial.factors:
                yield atom

    def bounds(self) -> tuple[Bound, Bound]:
        """Return bounds that hold for all values of the variables: of each term, or of the whole polynomial."""
        if self._bounds is None:
            lower: Bound = self.constant
            upper: Bound = self.constant
            for monomial, coefficient in self.terms:
                low, high = monomial.bounds()
                if coefficient < 0:
                    low, high = high, low
                lower = None if lower is None or low is None else lower + coefficient * low
                upper = None if upper is None or high is None else upper + coefficient * high
            if len(self.terms) > 1 and not self.is_linear:
                least, most = polynomial_bounds(self.terms, self.constant)
                lower = least if lower is None or (least is not None and least > lower) else lower
                upper = most if upper is None or (most is not None and most < upper) else upper
            self._bounds = (lower, upper)
        return self._bounds

    def __str__(self) -> str:
        if self._text is None:
            self._text = formatted(self.terms, self.constant)
        return self._text

    def __repr__(self) -> str:
        return str(self)

    def as_factor(self) -> str:
        """Return the printed form, in parentheses where a product would need them."""
        if self.is_constant:
            return formatted_factor(self.constant)
        if self.atom is not None and self.atom.precedence == 3:
            return str(self)
        if len(self.terms) == 1 and self.constant == 0:
            monomial, coefficient = self.terms[0]
            if monomial.single is not None and coefficient == monomial.written()[2] == -1:
                return str(self)  # a quotient rounded up, written as a call
        return f"({self})"

    if TYPE_CHECKING:

        def evaluate(self, sizes: Mapping[Any, int | tuple[int, ...]]) -> int: ...

    # Arithmetic --------------------------------------------------------------------------------------------------

    def __add__(self, other: DimLike) -> Dim:
        if isinstance(other, int):
            return _intern(self.terms, self.constant + other)
        if not isinstance(other, Dim):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if not other.terms:
            return _intern(self.terms, self.constant + other.constant)
        if not self.terms:
            return _intern(other.terms, self.constant + other.constant)
        total = dict(self.terms)
        for monomial, coefficient in other.terms:
            total[monomial] = total.get(monomial, 0) + coefficient
        return _make(total, self.constant + other.constant)

    def __radd__(self, other: int) -> Dim:
        return self + other

    def __neg__(self) -> Dim:
        return self * -1

    def __sub__(self, other: DimLike) -> Dim:
        return ZERO if self is other else self + (-other)

    def __rsub__(self, other: int) -> Dim:
        return -self + other

    def __mul__(self, other: DimLike) -> Dim:
        if isinstance(other, Dim):
            if other.terms:
                return _product(self, other) if self.terms else other * self.constant
            other = other.constant
        elif not isinstance(other, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if other == 1:
            return self
        if other == 0:
            return ZERO
        terms: list[tuple[Monomial, int]] = []
        for monomial, coefficient in self.terms:
            if monomial.reducible:
                return _make({each: times * other for each, times in self.terms}, self.constant * other)
            terms.append((monomial, coefficient * other))
        return _intern(tuple(terms), self.constant * other)  # their order does not depend on coefficients

    def __rmul__(self, other: int) -> Dim:
        return self * other

    def __pow__(self, power: DimLike) -> Dim:
        if isinstance(power, Dim):
            if not power.is_constant:
                raise _power_of_a_size(self.as_factor(), power)
            power = power.constant
        if power == 1:
            return self
        if power < 0:
            raise ValueError("a size has no negative power")
        if self.is_constant:
            if power > MAX_BITS and abs(self.constant) > 1:
                raise too_large_a_number()
            return dim(self.constant**power)
        result = ONE
        for _ in range(power):
            result = result * self
        return result

    def __floordiv__(self, other: DimLike) -> Dim:
        """Return the quotient rounded down; 0 where the divisor is 0, also where that is a number."""
        return floordiv(self, other)

    def __rfloordiv__(self, other: int) -> Dim:
        return floordiv(other, self)

    def __mod__(self, other: DimLike) -> Dim:
        """Return the remainder with the sign of the divisor; the dividend where the divisor is 0."""
        return remainder(self, other)

    def __rmod__(self, other: int) -> Dim:
        return remainder(other, self)

    def __rpow__(self, base: int) -> Dim:
        if self.is_constant:
            return dim(base) ** self.constant
        raise _power_of_a_size(str(base), self)

    def __divmod__(self, other: DimLike) -> tuple[Dim, Dim]:
        return floordiv(self, other), remainder(self, other)

    def __truediv__(self, other: DimLike) -> Dim:
        if not isinstance(other, Dim | int):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        raise TypeError(f"sizes are integers: write {self.as_factor()}//{other} or ceildiv({self}, {other})")

    def __abs__(self) -> Dim:
        from shapesolve.symbolic.normal_forms import maximum

        return maximum(self, -self)

    # Formulas ----------------------------------------------------------------------------------------------------

    __hash__ = object.__hash__

    # Equality of sizes is a claim to be proved, not something Python can answer: it makes a Formula.
    def __eq__(self, other: object) -> Formula:  # pyright: ignore[reportIncompatibleMethodOverride]
        from shapesolve.symbolic.formulas import equal

        return equal(self, other).written_as(self, "==", other) if isinstance(other, Dim | int) else NotImplemented

    def __ne__(self, other: object) -> Formula:  # pyright: ignore[reportIncompatibleMethodOverride]
        from shapesolve.symbolic.formulas import unequal

        return unequal(self, other).written_as(self, "!=", other) if isinstance(other, Dim | int) else NotImplemented

    def __ge__(self, other: DimLike) -> Formula:
        from shapesolve.symbolic.formulas import at_least

        return at_least(self, other).written_as(self, ">=", other)

    def __gt__(self, other: DimLike) -> Formula:
        return (self >= dim(other) + 1).written_as(self, ">", other)

    def __le__(self, other: DimLike) -> Formula:
        from shapesolve.symbolic.formulas import at_least

        return at_least(other, self).written_as(self, "<=", other)

    def __lt__(self, other: DimLike) -> Formula:
        return (self + 1 <= other).written_as(self, "<", other)

    def __bool__(self) -> bool:
        raise TypeError(
            f"the size {self} has no truth value; compare it and use prove(); minimum() and maximum() are sizes, too"
        )

    def __index__(self) -> int:
        if self.terms:
            raise TypeError(f"the size {self} is not a constant")
        return self.constant


DimLike = Dim | int

record_methods(Dim, {"__add__": "add", "__sub__": "sub", "__mul__": "mul", "__neg__": "neg"})


def _check_growth(terms: tuple[tuple[Monomial, int], ...], constant: int) -> None:
    """Raise TooLarge for a sum with too many terms, too large a number or too long a text."""
    if len(terms) > MAX_TERMS:
        raise too_many_terms()
    if constant.bit_length() > MAX_BITS:
        raise too_large_a_number()
    for _, coefficient in terms:
        if coefficient.bit_length() > MAX_BITS:
            raise too_large_a_number()
    if len(terms) > 1:
        check_length(sum([len(monomial.text) for monomial, _ in terms]))


def _intern(terms: tuple[tuple[Monomial, int], ...], constant: int) -> Dim:
    key = (terms, constant)
    kept = _dims.get(key)
    found = None if kept is None else kept()
    if found is None:
        found = _dims.keep(key, Dim.new(terms, constant))
        _recent.append(found)
    return found


def _make(terms: dict[Monomial, int], constant: int) -> Dim:
    for monomial, coefficient in terms.items():
        if coefficient > 1 or coefficient < -1:
            if monomial.reducible:
                reduced = _reduced(monomial, coefficient, terms, constant)
                if reduced is not None:
                    return reduced
        elif coefficient == 0:
            return _make({m: c for m, c in terms.items() if c}, constant)
    items = tuple(sorted(terms.items(), key=lambda term: term[0].key)) if len(terms) > 1 else tuple(terms.items())
    return _intern(items, constant)


def _reduced(monomial: Monomial, coefficient: int, terms: dict[Monomial, int], constant: int) -> Dim | None:
    """Apply ``c * (a // c) == a - a % c`` so that quotients by ``c`` keep coefficients in (-c/2, c/2]."""
    for atom, _ in monomial.factors:
        if isinstance(atom, Quotient) and atom.parts[1].is_constant:
            divisor = atom.parts[1].constant
            kept = coefficient % divisor
            if kept > divisor - kept:
                kept -= divisor
            if kept == coefficient:
                continue
            others = dict(terms)
            del others[monomial]
            rest = monomial.divided_by(Monomial.of(((atom, 1),)))
            assert rest is not None
            cofactor = _make({rest: 1}, 0) if rest.factors else ONE
            numerator = atom.parts[0]
            whole = numerator - remainder(numerator, atom.parts[1])
            moved = cofactor * whole * ((coefficient - kept) // divisor)
            return _make(others, constant) + moved + of_monomial(monomial) * kept
    return None


def _product(a: Dim, b: Dim) -> Dim:
    if len(a.terms) * len(b.terms) > MAX_PAIRS:
        raise too_many_terms()
    total: dict[Monomial, int] = {}
    for left, x in a.terms:
        for right, y in b.terms:
            both = left.times(right)
            total[both] = total.get(both, 0) + x * y
        if b.constant:
            total[left] = total.get(left, 0) + x * b.constant
    if a.constant:
        for right, y in b.terms:
            total[right] = total.get(right, 0) + y * a.constant
    return _make(total, a.constant * b.constant)


def dim(value: DimLike) -> Dim:
    """Return a Dim for an integer, or the Dim itself.

    Raises:
        TypeError: The value is neither. `prove` and its kind read text; ``dims`` makes variables by name.
    """
    if type(value) is int:
        return _intern((), value)
    return value if isinstance(value, Dim) else _constant(value)


def _constant(value: object) -> Dim:
    """Return the Dim of an integer of another type, such as numpy's."""
    if not isinstance(value, bool) and isinstance(value, SupportsIndex):
        return _intern((), index(value))
    example = f'; write variable("{value}") for a size of that name' if isinstance(value, str) else ""
    example = "; convert it by shapesolve.sympy.from_sympy" if hasattr(value, "free_symbols") else example
    raise TypeError(f"a size is a Dim or an integer, not {type(value).__name__} {value!r}{example}")


def of_atom(atom: Atom) -> Dim:
    """Return the Dim of a single atom."""
    return _intern(((Monomial.of(((atom, 1),)), 1),), 0)


def of_monomial(monomial: Monomial) -> Dim:
    """Return the Dim of a single monomial (1 for the empty one)."""
    return _intern(((monomial, 1),), 0) if monomial.factors else ONE


def weighted_sum(terms: Iterable[tuple[Monomial, int]], constant: int = 0) -> Dim:
    """Return a constant and the sum of monomials, each times its coefficient."""
    return sum((of_monomial(monomial) * coefficient for monomial, coefficient in terms), dim(constant))


def variable(name: str, lower: Bound = 0, upper: Bound = MAX_SIZE) -> Dim:
    """Return an integer variable within inclusive bounds; by default those of a size.

    Raises:
        TypeError: The name is not a string.
        ValueError: The name is empty.
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"the name of a size is text, not {type(name).__name__}")
    if not name:
        raise ValueError("the name of a size is empty")
    return of_atom(Variable.of(name, lower, upper))


def dims(names: str) -> tuple[Dim, ...]:
    """Return the size variables with these names.

    Example: ``N, M = dims("N M")``.

    Raises:
        TypeError: The names are not a string.
        InputError: A name cannot be written in a claim, such as ``1N`` or ``and``.
    """
    if not isinstance(names, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f'dims takes names as one text, such as dims("N M"), not {type(names).__name__}')
    return tuple(variable(check_name(name)) for name in names.replace(",", " ").split())


@recorded()
def floordiv(a: DimLike, b: DimLike) -> Dim:
    """Return ``a // b`` rounded down; 0 where ``b`` is 0."""
    return _division(dim(a), dim(b))[0]


@recorded()
def remainder(a: DimLike, b: DimLike) -> Dim:
    """Return ``a % b`` with the sign of ``b``; ``a`` where ``b`` is 0."""
    return _division(dim(a), dim(b))[1]


@recorded()
def ceildiv(a: DimLike, b: DimLike) -> Dim:
    """Return ``a / b`` rounded up; 0 where ``b`` is 0."""
    a, b = dim(a), dim(b)
    if b.is_constant and b.constant > 0:
        return floordiv(a + (b.constant - 1), b)
    return -floordiv(-a, b)


def _division(a: Dim, b: Dim) -> tuple[Dim, Dim]:
    from shapesolve.symbolic.normal_forms import divide

    return divide(a, b)


ZERO: Final = dim(0)
ONE: Final = dim(1)


def divide_by_content(size: Dim) -> Dim:
    """Return the expression without a common factor and with a positive leading coefficient, as far as possible."""
    for _ in range(8):  # each step may rewrite quotients, and so bring a new factor or sign out
        if size.is_constant:
            break
        factor = common_factor(size.terms)
        if size.constant % factor:
            break
        better = scaled_down(size, factor) if factor > 1 else _oriented(size)
        if better is size:
            break
        size = better
    return size


def _oriented(size: Dim) -> Dim:
    if size.terms[0][1] > 0:
        return size
    other = -size
    return other if not other.terms or other.terms[0][1] > 0 or str(other) < str(size) else size


def scaled_down(size: Dim, factor: int) -> Dim:
    """Return the expression divided by a common factor of its coefficients; the constant is rounded down."""
    return weighted_sum(((monomial, times // factor) for monomial, times in size.terms), size.constant // factor)


def _power_of_a_size(base: str, power: Dim) -> TypeError:
    return TypeError(f"{base}**({power}): an exponent is a number, not a size; {CASES_OF_A_POWER}")
