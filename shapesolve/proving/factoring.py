"""Prime factors of numbers, for as long as they are cheap to find. FLINT is imported for large numbers only."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

LARGEST = 2**80
"""Beyond this nothing is factored. Below it FLINT takes some milliseconds at most."""

_SMALL = [number for number in range(2, 1000) if all(number % each for each in range(2, isqrt(number) + 1))]


@lru_cache(maxsize=1024)
def prime_factors(number: int) -> dict[int, int] | None:
    """The primes of a positive number with their powers; None where finding them would take too long."""
    if not 0 < number < LARGEST:
        return None
    found: dict[int, int] = {}
    for prime in _SMALL:
        while number % prime == 0:
            found[prime] = found.get(prime, 0) + 1
            number //= prime
    if number >= _SMALL[-1] ** 2:
        return found | _large_factors(number)
    return found | {number: 1} if number > 1 else found


def _large_factors(number: int) -> dict[int, int]:
    import flint

    return {int(prime): int(power) for prime, power in flint.fmpz(number).factor()}


def divisors(number: int, most: int) -> list[int] | None:
    """The positive divisors of a number other than 0, ascending; None for more than ``most``, or where unknown."""
    primes = prime_factors(abs(number))
    if primes is None:
        return None
    found = [1]
    for prime, power in primes.items():
        found = [each * prime**exponent for each in found for exponent in range(power + 1)]
        if len(found) > most:
            return None
    return sorted(found)


def root_of(number: int, degree: int) -> int | None:
    """The integer whose power a number is; None where there is none. ``degree`` is positive."""
    if number < 0:
        root = root_of(-number, degree) if degree % 2 else None
        return None if root is None else -root
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**degree < number:
            low = middle + 1
        else:
            high = middle
    return low if low**degree == number else None
