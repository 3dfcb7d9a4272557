"""A program with checks put in, ready to be pruned, and how it came from the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from shapesolve.pruning.outcome import CheckFate, WrittenCheck
from shapesolve.reading.program import Location, Program
from shapesolve.records import value_record


@value_record
class Prepared:
    """The program that is pruned in the place of the original.

    ``origins`` holds the number in the original of each operation of the program, negative for what was put in;
    ``written`` the checks among these, by that number. Nothing is pruned of what the entry points in ``left_alone``
    reach.
    """

    original: Program
    program: Program
    origins: tuple[int, ...]
    written: Mapping[int, WrittenCheck] = field(default_factory=dict[int, WrittenCheck])
    left_alone: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()

    @staticmethod
    def untouched(program: Program) -> Prepared:
        """A program as it is."""
        return Prepared(program, program, tuple(range(program.size)))

    def after(self, left: Program, origins: Sequence[int], left_alone: frozenset[str]) -> Prepared:
        """What is ``left`` of the program, with the numbers of its operations in the original."""
        return replace(self, program=left, origins=tuple(origins), left_alone=left_alone)

    def fates(self, found: Mapping[int, CheckFate]) -> dict[int, CheckFate]:
        """The fates of the original's checks, by their numbers there, from those of the program's."""
        if self.program is self.original:
            return dict(found)
        pictures = list(self.original.operation.walk())
        fates: dict[int, CheckFate] = {}
        for number, fate in found.items():
            origin = self.origins[number]
            if origin >= 0:
                fates[origin] = fate.at(pictures[origin].location, origin)
        return fates

    def places(self, program: Program, origins: Sequence[int]) -> Places:
        """Where the operations of a program stand in the original that was made of this one."""
        pictures = list(self.original.operation.walk())
        there: dict[Location, Location] = {}
        added: dict[Location, str] = {}
        for op, number in zip(program.operation.walk(), origins, strict=True):
            if number >= 0:
                there[op.location] = pictures[number].location
            elif number in self.written:
                added[op.location] = self.written[number].phrase
        return Places(there, added)


@value_record
class Places:
    """The places in the original by those in a program; ``added`` is what the original does not have, as phrases."""

    there: Mapping[Location, Location]
    added: Mapping[Location, str]

    def original(self, place: Location) -> Location:
        """The place in the original."""
        return self.there.get(place, place)
