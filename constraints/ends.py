"""Between which numbers the least and the greatest of numbers lie, of which all or some are bounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shapesolve.language.dims import Dim
from shapesolve.language.extremes import maximum, minimum
from shapesolve.language.formulas import TRUE, Formula, conjunction
from shapesolve.records import record
from shapesolve.walking.values import Between


@record
class Ends:
    """The least and the greatest that a number may be, None where nobody knows, as far as ``where`` holds.

    With a ``step``, all that lie so far apart between them are reached.
    """

    low: Dim | None = None
    high: Dim | None = None
    where: Formula = TRUE
    step: int = 0

    @staticmethod
    def of(between: Between | None) -> Ends:
        """Those of what is bounded, or none."""
        return Ends() if between is None else Ends(between.low, between.high, between.where, between.step)

    @property
    def between(self) -> Between | None:
        """The bounds, where there are two."""
        return None if self.low is None or self.high is None else Between(self.low, self.high, self.where, self.step)


def least(parts: Sequence[Ends]) -> Ends:
    """The ends of the least of several numbers: it is above none that is bounded."""
    low, high = [each.low for each in parts], [each.high for each in parts]
    return Ends(_of_all(minimum, low), _of_known(minimum, high), conjunction(each.where for each in parts))


def greatest(parts: Sequence[Ends]) -> Ends:
    """The ends of the greatest of several numbers: it is below none that is bounded."""
    low, high = [each.low for each in parts], [each.high for each in parts]
    return Ends(_of_known(maximum, low), _of_all(maximum, high), conjunction(each.where for each in parts))


def hull(parts: Sequence[Ends]) -> Ends:
    """The ends of what is one of several numbers."""
    low, high = [each.low for each in parts], [each.high for each in parts]
    return Ends(_of_all(minimum, low), _of_all(maximum, high), conjunction(each.where for each in parts))


def _of_known(extreme: Callable[..., Dim], ends: Sequence[Dim | None]) -> Dim | None:
    known = [end for end in ends if end is not None]
    return extreme(*known) if known else None


def _of_all(extreme: Callable[..., Dim], ends: Sequence[Dim | None]) -> Dim | None:
    return None if None in ends else _of_known(extreme, ends)
