"""The printed form of sums and numbers, which the parser reads back.

Numbers beyond the largest size are written relative to a nearby power of 2, since such a number is hard to type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from shapesolve.int64 import MAX_SIZE

if TYPE_CHECKING:
    from shapesolve.symbolic.atoms import Monomial


def formatted(terms: tuple[tuple[Monomial, int], ...], constant: int) -> str:
    """Return a sum as ``2*H + 1`` or ``3 - N``: positive terms first, the constant where it reads best."""
    if not terms:
        return _joined(list(_summands(constant)))
    if len(terms) == 1 and terms[0][1] == 1 and constant < 0 and (text := terms[0][0].written_less(-constant)):
        return text
    positive, negative = signed(terms)
    pieces: list[str] = []
    if not positive and constant > 0:
        pieces.append(_joined(list(_summands(constant))))
    for monomial, coefficient in positive + negative:
        size = abs(coefficient)
        text, is_loose, sign = monomial.written()
        coefficient *= sign
        # A sign in front binds tighter than a division: -(N//2) is not -N//2.
        factor = f"({text})" if is_loose and (size > 1 or (coefficient < 0 and not pieces)) else text
        text = factor if size == 1 else f"{formatted_factor(size)}*{factor}"
        if not pieces:
            pieces.append(text if coefficient > 0 else f"-{text}")
        else:
            pieces.append(f" + {text}" if coefficient > 0 else f" - {text}")
    if constant and (positive or constant < 0):
        pieces += (f" + {text}" if is_added else f" - {text}" for is_added, text in _summands(constant))
    return "".join(pieces)


Terms = tuple[tuple["Monomial", int], ...]


def signed(terms: Terms) -> tuple[Terms, Terms]:
    """Return the terms that are written with a plus, and those that are written with a minus."""
    signs = [coefficient * monomial.written()[2] for monomial, coefficient in terms]
    added = tuple([term for term, sign in zip(terms, signs, strict=True) if sign > 0])
    return added, tuple([term for term, sign in zip(terms, signs, strict=True) if sign < 0])


def formatted_factor(number: int) -> str:
    """Return a number as a factor of a product or a division, in parentheses where it needs them."""
    summands = list(_summands(number))
    return summands[0][1] if len(summands) == 1 and number >= 0 else f"({_joined(summands)})"


def _summands(number: int) -> Iterator[tuple[bool, str]]:
    """Yield the summands that a number is written as, the largest first: whether it is added, and its text."""
    size, is_positive = abs(number), number >= 0
    while size > MAX_SIZE:
        power = size.bit_length()
        if size <= 3 * 2 ** (power - 2):  # nearer to the power below
            power -= 1
        yield is_positive, f"2**{power}"
        is_positive = is_positive is (size > 2**power)
        size = abs(size - 2**power)
        if not size:
            return
    yield is_positive, str(size)


def _joined(summands: Sequence[tuple[bool, str]]) -> str:
    (is_added, text), *rest = summands
    first = text if is_added else f"-{text}"
    return first + "".join(f" + {each}" if added else f" - {each}" for added, each in rest)
