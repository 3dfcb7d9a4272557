"""Integers of a type: how wide they are, when they wrap, and what they are when read as unsigned numbers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from shapesolve.domain.values import Element
from shapesolve.ir.program import ScalarType, ShapedType, Type
from shapesolve.semantics.context import UnknownValueError
from shapesolve.symbolic.atoms import Atom, Quotient, Remainder, Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom, remainder
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import as_number, at_least, conjunction, either, equal, implies, less_than, negation
from shapesolve.symbolic.linear import never_negative
from shapesolve.symbolic.normal_forms import choose

NO_WRAP = "index and i64 arithmetic does not wrap"
WORD = 64
"""The width of index."""
NEAR = 2**20
FEW = 16
"""64-bit arithmetic is not presumed not to wrap around where it does so for products of sizes up to ``NEAR``, or for
sizes up to ``FEW``: that is, where a factor of more than 2^43 or 16 sizes are multiplied."""


def element_type(type: Type) -> ScalarType:
    """Return the index, integer or float type of a scalar or of the elements of a shaped type.

    Raises:
        UnknownValueError: The type is another.
    """
    found = type.element if isinstance(type, ShapedType) else type
    if not isinstance(found, ScalarType):
        raise UnknownValueError(f"{type} has no numbers")
    return found


def is_mathematical(type: ScalarType) -> bool:
    """Whether arithmetic on the type is taken not to wrap: index and i64."""
    return type.width == WORD


def signed(element: Element) -> Dim:
    """The signed value of an element. A true i1 is -1: its one bit is the sign."""
    return choose(element, -1, 0) if isinstance(element, Formula) else integer(element)


def integer(element: Element) -> Dim:
    """An element that is an integer of several bits; UnknownValueError for another."""
    if not isinstance(element, Dim):
        raise UnknownValueError("an element is no integer")
    return element


def typed(value: Dim, type: ScalarType) -> Element:
    """A signed value as the walk keeps values of the type: a Formula for an i1."""
    return negation(equal(value, 0)) if type.is_boolean else value


def as_truth(element: Element) -> Formula:
    """An i1 as a formula."""
    return element if isinstance(element, Formula) else negation(equal(integer(element), 0))


def wrapped(value: Dim, width: int) -> Dim:
    """The signed value of the lowest ``width`` bits."""
    half = 2 ** (width - 1)
    if within(value, -half, half - 1):
        return value
    return remainder(value + half, dim(2 * half)) - half


def in_word(exact: Dim) -> tuple[Dim, Formula]:
    """A result of 64-bit arithmetic, and the formula under which it is right.

    What fits for all sizes that anybody has is taken as it is, and presumed to fit; what may not is what it wraps
    around to, as a product with a constant of 2^62 is from size 2 on.
    """
    half = 2 ** (WORD - 1)
    if within(exact, -half, half - 1):
        return exact, TRUE
    low, high = _near_bounds(exact)
    if low < -half or high >= half:
        return wrapped(exact, WORD), TRUE
    return exact, fits_signed(exact, WORD)


def _near_bounds(value: Dim) -> tuple[int, int]:
    """Bounds of a value for sizes and products of sizes that are small, or as small as they can be."""
    low = high = value.constant
    for monomial, coefficient in value.terms:
        most = max(NEAR, FEW ** sum(power for _, power in monomial.factors))
        if any(_wraps(atom) for atom, _ in monomial.factors):
            most = max(most, *(abs(end) for end in monomial.bounds() if end is not None))
        ends = [coefficient * end for end in _near(*monomial.bounds(), most)]
        low, high = low + min(ends), high + max(ends)
    return low, high


@lru_cache(maxsize=1 << 14)  # each is in what the next operation computes of it
def _wraps(atom: Atom) -> bool:
    """Whether small sizes can make an atom great, for what is in it wraps around."""
    if isinstance(atom, Variable) or within(of_atom(atom), -NEAR, NEAR):
        return False
    if isinstance(atom, Remainder) and atom.parts[1].is_constant and abs(atom.parts[1].constant) > NEAR:
        return True
    decisive = atom.parts[:1] if isinstance(atom, Quotient) else atom.parts  # no quotient is greater than its dividend
    parts = (part for part in decisive if isinstance(part, Dim))
    return any(_wraps(inner) for part in parts for monomial, _ in part.terms for inner, _ in monomial.factors)


def _near(low: int | None, high: int | None, most: int) -> tuple[int, int]:
    """The part of a range that is at most ``most`` from 0; its end nearest to 0 where there is none."""
    first = -most if low is None else max(low, -most)
    last = most if high is None else min(high, most)
    if first <= last:
        return first, last
    nearest = first if first > most else last
    return nearest, nearest


def fit(values: Iterable[Dim]) -> Formula:
    """The values are ones that 64-bit signed integers hold."""
    return conjunction(fits_signed(value, WORD) for value in values)


def unsigned(element: Element, width: int) -> Dim:
    """The same bits read as an unsigned number: a negative value plus 2 to the width."""
    if isinstance(element, Formula):
        return as_number(element)
    element = integer(element)
    # A word that is not negative is taken as it is: it did not wrap.
    if width == WORD and never_negative(element):
        return element
    return remainder(element, dim(2**width))


def within(value: Dim, least: int, most: int) -> bool:
    """Whether a value lies in a range whatever its variables are."""
    low, high = value.bounds()
    return low is not None and high is not None and least <= low and high <= most


def fits_signed(value: Dim, width: int) -> Formula:
    """The value is one that signed integers of the width hold."""
    half = 2 ** (width - 1)
    return conjunction((at_least(value, -half), less_than(value, half)))


def fitting_ends(ends: Iterable[Dim], width: int, *, by_words: bool = True) -> tuple[Formula, Formula]:
    """What has to hold, and what is presumed, for signed integers of the width to hold everything between these ends.

    ``by_words``: they come from arithmetic, of which it is presumed that it does not leave 64 bits where only sizes
    that nobody has would.
    """
    sure: list[Formula] = []
    presumed: list[Formula] = []
    for end in ends:
        word, fits = in_word(end)
        if by_words and width == WORD and word is end:
            presumed.append(fits)
        else:
            sure.append(fits_signed(end, width))
    return conjunction(sure), conjunction(presumed)


def fits_unsigned(value: Dim, width: int) -> Formula:
    """The value is one that unsigned integers of the width hold."""
    return conjunction((at_least(value, 0), less_than(value, 2**width)))


def unsigned_less(a: Dim, b: Dim) -> Formula:
    """``a < b`` as unsigned numbers of the same width, without naming the width.

    A negative value is the greater number; among equal signs the order is the signed one.
    """
    less = less_than(a, b)
    positive = at_least(b, 0)
    return either(at_least(a, 0), implies(positive, less), conjunction((negation(positive), less)))
