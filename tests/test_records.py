"""Test that records behave like frozen dataclasses for readers and copies; some are compared by identity."""

from __future__ import annotations

import pickle
from dataclasses import field, fields, replace
from inspect import signature

import pytest

from shapesolve.records import record, value_record


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


@record
class Range:
    """Record with a factory."""

    place: Place
    notes: list[str] = field(default_factory=list)


@record
class Section(Range):
    """Record with the fields of its base."""

    title: str = ""


def test_records_are_called_as_dataclasses_are() -> None:
    assert str(signature(Place)) == "(line, column=1)"
    assert (Place(column=2, line=5).line, Place(1, 2).column) == (5, 2)
    with pytest.raises(TypeError, match=r"Place.__init__\(\) missing 1 required positional argument: 'line'"):
        Place()  # pyright: ignore[reportCallIssue]
    section = Section(Place(1), title="a")
    assert (section.notes, section.title) == ([], "a") and section.notes is not Section(Place(1)).notes


@record
class Sorted:
    """Record with a constructor of its own."""

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", tuple(sorted(names)))


def test_a_constructor_of_a_class_stays() -> None:
    assert Sorted("b", "a").names == ("a", "b")


def test_records_have_no_other_fields() -> None:
    assert not hasattr(Place(3), "__dict__")


@value_record
class Extent:
    """An extent, and where it was seen."""

    of: str
    number: int = 0
    seen: str = field(default="", compare=False, repr=False)


@value_record
class Nothing:
    """Record without fields: all instances are equal."""


@value_record
class Rounded:
    """Equal by a rule of its own."""

    value: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rounded) and self.value // 10 == other.value // 10

    def __hash__(self) -> int:
        return self.value // 10


def test_value_records_are_equal_where_their_compared_fields_are() -> None:
    assert Extent("a", 1, "here") == Extent("a", 1, "there")
    assert Extent("a", 1) != Extent("a", 2)
    assert Extent("a") != ("a", 0) and Extent("a") != Nothing()
    assert {Extent("a", 1, "here"), Extent("a", 1), Extent("b", 1)} == {Extent("a", 1), Extent("b", 1)}
    assert Nothing() == Nothing() and len({Nothing(), Nothing()}) == 1


def test_value_records_keep_an_equality_of_their_own() -> None:
    assert len({Rounded(11), Rounded(12), Rounded(21)}) == 2


def test_value_records_are_copied_shown_and_sent_as_dataclasses_are() -> None:
    extent = Extent("a", 1, "here")
    assert replace(extent, number=2) == Extent("a", 2)
    assert repr(extent).endswith("Extent(of='a', number=1)")
    assert pickle.loads(pickle.dumps(extent)).seen == "here"
