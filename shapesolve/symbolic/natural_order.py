"""The natural order of texts: ``a2`` before ``a10``, and ``a[2]`` before ``a[10]``."""

from __future__ import annotations

import re

_LONG_NUMBER = re.compile(r"(?<=[A-Za-z_%\[])\d\d+")
"""A number of several digits in a name; of those in a formula, the order does not matter."""


def natural_order(thing: object) -> str:
    """Return a text to sort things by: that of the thing, with the length of a number before its digits."""
    return _LONG_NUMBER.sub(_with_length, str(thing))


def _with_length(number: re.Match[str]) -> str:
    digits = number[0]
    return chr(ord("9") + len(digits) - 1) + digits  # behind the digits: a number of one digit is left as it is
