"""Representation of integers of a type: width, wrapping, and the signed and unsigned value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from shapesolve.domain.values import Element
from shapesolve.ir.program import ScalarType, ShapedType, Type, Value
from shapesolve.semantics.context import UnknownValueError
from shapesolve.symbolic.atoms import Atom, Quotient, Remainder, Variable
from shapesolve.symbolic.dims import Dim, dim, of_atom, remainder
from shapesolve.symbolic.formula_kinds import TRUE, Formula
from shapesolve.symbolic.formulas import at_least, conjunction, either, equal, implies, less_than, negation
from shapesolve.symbolic.linear import is_non_negative_by_intervals
from shapesolve.symbolic.normal_forms import as_number, choose

WORD = 64
"""The width of index."""
NEAR = 2**20
FEW = 16
"""Limits of the overflow assumption: it does not cover 64-bit arithmetic that wraps for products of sizes up to `NEAR`
or for sizes up to `FEW`, which takes a factor of more than 2^43 or a product of 16 sizes."""
_LIMITS = {WORD: (NEAR, FEW), 32: (2**10, 2)}
"""These limits by width."""


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
    """Return whether arithmetic on the type is assumed not to wrap: index and i64."""
    return type.width == WORD


def signed(element: Element) -> Dim:
    """Return the signed value of an element. A true i1 is -1: its one bit is the sign."""
    return choose(element, -1, 0) if isinstance(element, Formula) else integer(element)


def integer(element: Element) -> Dim:
    """Return an element that is an integer of several bits.

    Raises:
        UnknownValueError: It is another kind of element.
    """
    if not isinstance(element, Dim):
        raise UnknownValueError("an element is no integer")
    return element


def typed(value: Dim, type: ScalarType) -> Element:
    """Return a signed value as an abstract element of the type: a Formula for an i1."""
    return negation(equal(value, 0)) if type.is_boolean else value


def as_truth(element: Element) -> Formula:
    """Return an i1 as a formula."""
    return element if isinstance(element, Formula) else negation(equal(integer(element), 0))


def wrapped(value: Dim, width: int) -> Dim:
    """Return the signed value of the lowest ``width`` bits."""
    half = 2 ** (width - 1)
    if within(value, -half, half - 1):
        return value
    return remainder(value + half, dim(2 * half)) - half


def word_result(exact: Dim, width: int = WORD) -> tuple[Dim, Formula]:
    """Return the result of arithmetic that does not wrap, and the overflow assumption under which it is right.

    A result that fits for all sizes of practice is kept, under the assumption that it fits. One that may not fit is
    wrapped, such as a product with a constant of 2^62, which overflows from size 2 on.
    """
    half = 2 ** (width - 1)
    if within(exact, -half, half - 1):
        return exact, TRUE
    low, high = _near_bounds(exact, width)
    if low < -half or high >= half:
        return wrapped(exact, width), TRUE
    return exact, fits_signed(exact, width)


def _near_bounds(value: Dim, width: int) -> tuple[int, int]:
    """Return bounds of a value for sizes and products of sizes that are small, or as small as they can be."""
    near, few = _LIMITS[width]
    low = high = value.constant
    for monomial, coefficient in value.terms:
        most = max(near, few ** sum(power for _, power in monomial.factors))
        if any(_wraps(atom) for atom, _ in monomial.factors):
            most = max(most, *(abs(end) for end in monomial.bounds() if end is not None))
        ends = [coefficient * end for end in _near(*monomial.bounds(), most)]
        low, high = low + min(ends), high + max(ends)
    return low, high


@lru_cache(maxsize=1 << 14)  # the results of an operation contain the atoms of its operands
def _wraps(atom: Atom) -> bool:
    """Return whether small sizes can make an atom large because something inside it wraps around."""
    if isinstance(atom, Variable) or within(of_atom(atom), -NEAR, NEAR):
        return False
    if isinstance(atom, Remainder) and atom.parts[1].is_constant and abs(atom.parts[1].constant) > NEAR:
        return True
    decisive = atom.parts[:1] if isinstance(atom, Quotient) else atom.parts  # no quotient is greater than its dividend
    parts = (part for part in decisive if isinstance(part, Dim))
    return any(_wraps(inner) for part in parts for monomial, _ in part.terms for inner, _ in monomial.factors)


def _near(low: int | None, high: int | None, most: int) -> tuple[int, int]:
    """Return the part of a range that is at most ``most`` from 0, or its end nearest to 0 if there is none."""
    first = -most if low is None else max(low, -most)
    last = most if high is None else min(high, most)
    if first <= last:
        return first, last
    nearest = first if first > most else last
    return nearest, nearest


def fit_word(values: Iterable[Dim]) -> Formula:
    """Return the formula that 64-bit signed integers hold all the values."""
    return conjunction(fits_signed(value, WORD) for value in values)


def unsigned(element: Element, width: int) -> Dim:
    """Return the unsigned value of an element: a negative value plus 2 to the width."""
    if isinstance(element, Formula):
        return as_number(element)
    element = integer(element)
    # A word that is never negative is its own unsigned value, assuming that it did not wrap.
    if width == WORD and is_non_negative_by_intervals(element):
        return element
    return remainder(element, dim(2**width))


def unsigned_reading(value: Value) -> Callable[[Dim], Dim]:
    """Return the function from the elements of a value, which are kept signed, to the numbers that its type says."""
    type = value.type.element if isinstance(value.type, ShapedType) else value.type
    if not isinstance(type, ScalarType) or not type.text.startswith("ui"):  # of a shape's own type: sizes
        return lambda each: each
    width = type.width
    return lambda each: unsigned(each, width)


def within(value: Dim, least: int, most: int) -> bool:
    """Return whether a value lies in a range for all values of its variables."""
    low, high = value.bounds()
    return low is not None and high is not None and least <= low and high <= most


def is_never_negative(value: Dim) -> bool:
    """Return whether the lower bound of a value is at least 0."""
    low, _ = value.bounds()
    return low is not None and low >= 0


def fits_signed(value: Dim, width: int) -> Formula:
    """Return the formula that signed integers of the width hold the value."""
    half = 2 ** (width - 1)
    return conjunction((at_least(value, -half), less_than(value, half)))


def fitting_ends(ends: Iterable[Dim], width: int, *, by_words: bool = True) -> tuple[Formula, Formula]:
    """Return the condition and the overflow assumption for signed integers of the width to hold an interval's ends.

    With ``by_words``, the ends come from arithmetic that is assumed not to leave 64 bits for sizes of practice.
    """
    sure: list[Formula] = []
    no_overflow: list[Formula] = []
    for end in ends:
        word, fits = word_result(end)
        if by_words and width == WORD and word is end:
            no_overflow.append(fits)
        else:
            sure.append(fits_signed(end, width))
    return conjunction(sure), conjunction(no_overflow)


def fits_unsigned(value: Dim, width: int) -> Formula:
    """Return the formula that unsigned integers of the width hold the value."""
    return conjunction((at_least(value, 0), less_than(value, 2**width)))


def unsigned_less(a: Dim, b: Dim) -> Formula:
    """Return ``a < b`` as unsigned numbers of the same width, without naming the width.

    A negative value is the greater number; among equal signs the order is the signed one.
    """
    less = less_than(a, b)
    positive = at_least(b, 0)
    return either(at_least(a, 0), implies(positive, less), conjunction((negation(positive), less)))
