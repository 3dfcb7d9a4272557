"""What an equation says modulo a size by which something is divided."""

from __future__ import annotations

from shapesolve.language.dims import ZERO, Dim
from shapesolve.language.division import whole_multiples
from shapesolve.language.formulas import TRUE, Formula, divides


def modulo_divisor(size: Dim, divisor: Dim) -> Formula | None:
    """``r % b == 0`` from ``size == 0``, where ``size == b*q + r``; None where b divides nothing of it, or all.

    Where b is 0 so is r, and ``r % 0`` is r: the claim holds there too.
    """
    whole, rest = whole_multiples(size, divisor)
    if whole is ZERO or rest is ZERO:
        return None
    claim = divides(divisor, rest)
    return None if claim is TRUE else claim
