"""How the values of a program were built, told to the record that a certificate needs, if one is kept."""

from __future__ import annotations

from collections.abc import Iterator

from shapesolve.language.dims import Dim
from shapesolve.language.formulas import Formula
from shapesolve.language.recording import current
from shapesolve.language.shapes import RankedShape, Shape
from shapesolve.reading.program import Value
from shapesolve.walking.values import Abstract, Float, Listed, Size, Tensor, Witness


class KnownValues(dict[Value, Abstract]):
    """What is known of every value of a program; a record is told how that was built when a value is set."""

    def __setitem__(self, value: Value, known: Abstract) -> None:
        super().__setitem__(value, known)
        record = current()
        if record is not None:
            record.keep(value, terms_of(known))


def recall(value: Value) -> None:
    """A value of the program is read."""
    record = current()
    if record is not None:
        record.recall(value)


def terms_of(known: Abstract) -> Iterator[Dim | Formula | Shape]:
    match known:
        case RankedShape(dims=extents):
            yield from (*extents, known.valid)
        case Dim() | Formula() | Shape():
            yield known
        case Tensor():
            parts = (known.shape, *(known.elements or ()), known.spells, known.signs)
            for part in (each for each in parts if each is not None):
                yield from terms_of(part)
            if known.between is not None:
                yield from (known.between.low, known.between.high, known.between.where)
        case Size():
            yield from (known.value, known.valid)
        case Witness():
            yield known.passing
        case Float():
            yield from (known.numerator, known.denominator, known.exact, known.whole, known.defined)
        case Listed():
            for item in known.items:
                yield from terms_of(item)
        case _:
            pass
