"""Records are what frozen dataclasses are to whoever reads and copies them; they are compared by identity."""

from __future__ import annotations

from dataclasses import fields, replace

from shapesolve.records import record


@record
class Place:
    """A place."""

    line: int
    column: int = 1


def test_records_are_made_copied_and_matched_as_dataclasses_are() -> None:
    place = Place(3)
    assert [each.name for each in fields(Place)] == ["line", "column"]
    assert replace(place, column=7).column == 7
    match place:
        case Place(line, column):
            assert (line, column) == (3, 1)
    assert repr(place).endswith("Place(line=3, column=1)")


def test_records_are_compared_by_identity() -> None:
    place = Place(3)
    assert place != Place(3)
    assert len({place, place, Place(3)}) == 2


def test_records_have_no_other_fields() -> None:
    assert not hasattr(Place(3), "__dict__")
