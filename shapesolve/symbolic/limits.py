"""Limits on the growth of expressions: a short program must not cost much time or memory.

Normal forms grow: fifteen squarings of a sum have thousands of terms, and an expression that is used twice in each of
twenty steps is printed a million times. Beyond these limits no expression is built, and the caller continues without
it. No expression is ever truncated.
"""

from __future__ import annotations

import sys

from shapesolve.errors import InputError

MAX_TERMS = 2_000
"""Largest number of terms of a sum."""

MAX_DEGREE = 64
"""Largest number of factors of a term."""

MAX_PAIRS = 20_000
"""Largest number of pairs of terms in one multiplication."""

CASES_OF_A_POWER = "of an exponent with few values list the cases: k == 0 and n <= 1 or k == 1 and n <= 2"
"""The way out where a power of a size is wanted, which nothing here decides."""

MAX_BITS = 1_024
"""Largest number of binary digits of a coefficient."""

MAX_CHARACTERS = 20_000
"""Largest number of printed characters of a size: repeated subexpressions count each time."""

MAX_CLAIM_CHARACTERS = 200_000
"""Largest number of printed characters of a claim."""

MAX_HEIGHT = 250
"""Maximum nesting depth of expressions: every function over them is recursive."""

ORDINARY_HEIGHT = 40
"""Nesting depth up to which Python's default recursion limit suffices."""

STACK = 8_000
"""Largest number of Python frames for reading the deepest expression, with room to spare."""


class TooLarge(InputError):
    """An expression would grow beyond a limit, which the message names."""


def too_many_terms() -> TooLarge:
    """Return the error for a size of too many terms."""
    return TooLarge(f"a size has more than {MAX_TERMS:,} terms")


def too_high_a_degree() -> TooLarge:
    """Return the error for a product of too many factors."""
    return TooLarge(f"a product has more than {MAX_DEGREE} factors")


def too_large_a_number() -> TooLarge:
    """Return the error for a number of too many digits."""
    return TooLarge(f"a number has more than {MAX_BITS:,} binary digits")


def check_length(characters: int, most: int = MAX_CHARACTERS) -> None:
    """Raise TooLarge for an expression whose text is too long."""
    if characters > most:
        what = "a size" if most == MAX_CHARACTERS else "a condition"
        raise TooLarge(f"{what} is too long: it has more than {most:,} characters")


def check_height(height: int) -> None:
    """Raise TooLarge for an expression that is nested too deeply, and grow the stack for one nested deeply."""
    make_room(height)
    if height > MAX_HEIGHT:
        raise TooLarge(f"an expression is nested more than {MAX_HEIGHT} deep")


def make_room(depth: int) -> None:
    """Raise the recursion limit for deeply nested expressions."""
    if depth > ORDINARY_HEIGHT and sys.getrecursionlimit() < STACK:
        sys.setrecursionlimit(STACK)
