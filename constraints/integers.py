"""Integers of a type: how wide they are, when they wrap, and what they are when read as unsigned numbers."""

from __future__ import annotations

from collections.abc import Iterable

from shapesolve.language.dims import Dim, dim, remainder
from shapesolve.language.extremes import choose
from shapesolve.language.formulas import (
    TRUE,
    Formula,
    as_number,
    at_least,
    conjunction,
    either,
    equal,
    implies,
    less_than,
    negation,
)
from shapesolve.reading.program import ScalarType, ShapedType, Type
from shapesolve.walking.rule_context import CannotSee
from shapesolve.walking.values import Element

NO_WRAP = "index and i64 arithmetic does not wrap"
WORD = 64
"""The width of index."""


def element_type(type: Type) -> ScalarType:
    """The index, integer or float type of a scalar or of the elements of a shaped type; CannotSee for another."""
    found = type.element if isinstance(type, ShapedType) else type
    if not isinstance(found, ScalarType):
        raise CannotSee(f"{type} has no numbers")
    return found


def is_mathematical(type: ScalarType) -> bool:
    """Whether arithmetic on the type is taken not to wrap: index and i64."""
    return type.width == WORD


def signed(element: Element) -> Dim:
    """The signed value of an element. A true i1 is -1: its one bit is the sign."""
    return choose(element, -1, 0) if isinstance(element, Formula) else integer(element)


def integer(element: Element) -> Dim:
    """An element that is an integer of several bits; CannotSee for another."""
    if not isinstance(element, Dim):
        raise CannotSee("an element is no integer")
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

    What may fit is taken as it is, and presumed to fit; what cannot fit is what it wraps around to.
    """
    low, high = exact.bounds()
    half = 2 ** (WORD - 1)
    if (low is not None and low >= half) or (high is not None and high < -half):
        return wrapped(exact, WORD), TRUE
    return exact, TRUE if within(exact, -half, half - 1) else fits_signed(exact, WORD)


def fit(values: Iterable[Dim]) -> Formula:
    """The values are ones that 64-bit signed integers hold."""
    return conjunction(in_word(value)[1] for value in values)


def unsigned(element: Element, width: int) -> Dim:
    """The same bits read as an unsigned number: a negative value plus 2 to the width."""
    if isinstance(element, Formula):
        return as_number(element)
    element = integer(element)
    low, _ = element.bounds()
    # A word that is not negative is taken as it is: it did not wrap.
    if width == WORD and low is not None and low >= 0:
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
