"""Prime factors of numbers, for as long as they are cheap to find."""

from __future__ import annotations

from functools import lru_cache
from math import gcd, isqrt

LARGEST = 2**80
"""Beyond this nothing is factored, and nothing is called a prime."""

MOST_STEPS = 300_000
"""Steps of the search for one factor: enough for the product of two primes of 31 bits."""

_SMALL = [number for number in range(2, 1000) if all(number % each for each in range(2, isqrt(number) + 1))]
_WITNESSES = _SMALL[:13]  # which decide for numbers below 3.3e24, that is beyond LARGEST


def is_prime(number: int) -> bool:
    """Whether a number below `LARGEST` is a prime."""
    if number < 2:
        return False
    for each in _WITNESSES:
        if number % each == 0:
            return number == each
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(_passes(number, each, odd, twos) for each in _WITNESSES)


def _passes(number: int, witness: int, odd: int, twos: int) -> bool:
    power = pow(witness, odd, number)
    if power in (1, number - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False


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
    waiting = [number] if number > 1 else []
    while waiting:
        part = waiting.pop()
        if is_prime(part):
            found[part] = found.get(part, 0) + 1
            continue
        factor = _factor(part)
        if factor is None:
            return None
        waiting += [factor, part // factor]
    return found


def _factor(number: int) -> int | None:
    """A factor of a composite number, by Pollard's rho with Floyd's cycles; the same one in every run."""
    root = isqrt(number)
    if root * root == number:
        return root
    steps = 0
    for shift in range(1, 20):
        slow = fast = 2
        while steps < MOST_STEPS:
            product = 1
            for _ in range(64):
                slow = (slow * slow + shift) % number
                fast = (fast * fast + shift) % number
                fast = (fast * fast + shift) % number
                product = product * abs(slow - fast) % number
            steps += 64
            common = gcd(product, number)
            if common == number:
                break  # both factors at once: another sequence
            if common > 1:
                return common
    return None


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
